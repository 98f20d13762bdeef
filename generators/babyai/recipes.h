/* How BabyAI's levels are made: recipes, each shared by several levels. They use the functions of rooms.h line by line
 * as published (docs/babyai.md). Afterwards levels.c decides whether the attempt is valid. */
#ifndef SB_BABYAI_RECIPES_H
#define SB_BABYAI_RECIPES_H

#include "generators/babyai/rooms.h"

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
