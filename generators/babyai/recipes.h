/* How the levels of BabyAI are made: a recipe, shared by several levels, and its quantities. Recipes are written in the
 * words of rooms.h, line by line as published (docs/babyai.md); after them an attempt is judged in levels.c. */
#ifndef SB_BABYAI_RECIPES_H
#define SB_BABYAI_RECIPES_H

#include "generators/babyai/rooms.h"

typedef enum sb_told_by { SB_BY_EITHER, SB_BY_COLOUR, SB_BY_LOCATION } sb_told_by;

/* A line of the table of levels. */
struct sb_babyai_line {
    sb_mg_level level;
    void (*recipe)(sb_builder *b);
    uint8_t side, columns, rows; /* of a room, walls included; of the grid of rooms */
    uint16_t max_steps;          /* 0: as the mission says */
    uint8_t n;                   /* distractors, or whatever there is a number of */
    bool grey;                   /* red_ball: distractors are */
    bool open;                   /* go_to: doors are */
    bool strict;                 /* a wrong door or object fails the mission */
    bool carrying;               /* put_next: the object is in hand from the beginning */
    bool red_blue;               /* open_two: not in colours drawn */
    uint8_t by;                  /* open_door: sb_told_by */

    /* generated: */
    uint8_t verb, n_verbs; /* the verbs from this one on */
    bool compound;         /* up to four singles in two parts, not one */
    bool locations;        /* descriptions may tell them */
    bool unblocking;       /* objects may be in the way */
    bool implicit_unlock;  /* what is asked for may all be in the locked room */
    double p_locked;       /* the probability that there is one */
};

/* going.c */
void sb_recipe_red_ball(sb_builder *b);
void sb_recipe_go_to_obj(sb_builder *b);
void sb_recipe_go_to_local(sb_builder *b);
void sb_recipe_go_to(sb_builder *b);
void sb_recipe_red_blue_ball(sb_builder *b);
void sb_recipe_go_to_door(sb_builder *b);
void sb_recipe_go_to_obj_door(sb_builder *b);
void sb_recipe_action_obj_door(sb_builder *b);

/* opening.c */
void sb_recipe_open_any(sb_builder *b);
void sb_recipe_open_red_door(sb_builder *b);
void sb_recipe_open_door(sb_builder *b);
void sb_recipe_open_two(sb_builder *b);
void sb_recipe_open_order(sb_builder *b);

/* taking.c */
void sb_recipe_pickup(sb_builder *b);
void sb_recipe_unblock_pickup(sb_builder *b);
void sb_recipe_pickup_dist(sb_builder *b);
void sb_recipe_pickup_above(sb_builder *b);
void sb_recipe_find_obj(sb_builder *b);
void sb_recipe_one_room(sb_builder *b);
void sb_recipe_put_next_local(sb_builder *b);
void sb_recipe_put_next(sb_builder *b);
void sb_recipe_move_two(sb_builder *b);

/* unlocking.c */
void sb_recipe_go_to_imp_unlock(sb_builder *b);
void sb_recipe_unlock(sb_builder *b);
void sb_recipe_unlock_local(sb_builder *b);
void sb_recipe_key_in_box(sb_builder *b);
void sb_recipe_unlock_pickup(sb_builder *b);
void sb_recipe_blocked(sb_builder *b);
void sb_recipe_unlock_to_unlock(sb_builder *b);
void sb_recipe_key_corridor(sb_builder *b);

/* generated.c */
void sb_recipe_generated(sb_builder *b);

#endif
