/* Recipes of levels in which the agent picks things up, or puts them next to others. */
#include "generators/babyai/levels.h"

void sb_recipe_pickup(sb_builder *b) {
    sb_place_agent_anywhere(b);
    sb_connect_all(b);
    const sb_things things = sb_distract(b, 18);
    sb_check(b);
    sb_ask(b, SB_MG_PICK_UP, sb_like(b, sb_draw_thing(b, things)));
}

void sb_recipe_unblock_pickup(sb_builder *b) {
    sb_place_agent_anywhere(b);
    sb_connect_all(b);
    const sb_things things = sb_distract(b, 20);
    if (sb_all_reachable(b)) sb_reject(b);
    sb_ask(b, SB_MG_PICK_UP, sb_like(b, sb_draw_thing(b, things)));
}

void sb_recipe_pickup_dist(sb_builder *b) {
    const sb_things things = sb_add_distractors(b, SB_ANY, SB_ANY, 5, true);
    sb_place_agent(b, 0, 0);
    sb_mg_description thing = sb_like(b, sb_draw_thing(b, things));
    enum { BY_TYPE, BY_COLOUR, BY_BOTH } by = sb_draw(b, 3);
    if (by == BY_TYPE) thing.colour = SB_MG_ANY_COLOUR;
    if (by == BY_COLOUR) thing.type = SB_MG_UNSEEN;
    sb_ask_single(b, sb_strictly(b->line->strict, sb_single(SB_MG_PICK_UP, thing)));
}

void sb_recipe_pickup_above(sb_builder *b) {
    const int thing = sb_add_object(b, 1, 0, SB_ANY, SB_ANY);
    sb_add_door(b, 1, 1, SB_MG_NORTH, SB_ANY, SB_UNLOCKED);
    sb_place_agent(b, 1, 1);
    sb_connect_all(b);
    sb_ask(b, SB_MG_PICK_UP, sb_like(b, thing));
}

void sb_recipe_find_obj(sb_builder *b) {
    const int column = sb_draw(b, b->world->rows), row = sb_draw(b, b->world->columns);
    const int thing = sb_add_object(b, column, row, SB_ANY, SB_ANY);
    sb_place_agent(b, 1, 1);
    sb_connect_all(b);
    sb_ask(b, SB_MG_PICK_UP, sb_any((sb_mg_type)sb_thing(b, thing)->type));
}

void sb_recipe_one_room(sb_builder *b) {
    sb_add_object(b, 0, 0, SB_MG_BALL, SB_ANY);
    sb_place_agent_anywhere(b);
    sb_ask(b, SB_MG_PICK_UP, sb_any(SB_MG_BALL));
}

void sb_recipe_put_next_local(sb_builder *b) {
    sb_place_agent_anywhere(b);
    const sb_things things = sb_add_distractors(b, SB_ANY, SB_ANY, b->line->n, true);
    sb_check(b);
    int two[2];
    sb_draw_two(b, things, two);
    sb_ask_single(b, sb_put_next(sb_like(b, two[0]), sb_like(b, two[1])));
}

/* Makes two rooms without the wall between them. No two things in them look the same. */
static void add_halves(sb_builder *b, sb_things *left, sb_things *right) {
    sb_place_agent(b, 0, 0);
    *left = sb_add_distractors(b, 0, 0, b->line->n, true);
    *right = sb_add_distractors(b, 1, 0, b->line->n, true);
    sb_remove_wall(b, 0, 0, SB_MG_EAST);
}

void sb_recipe_put_next(sb_builder *b) {
    sb_things left, right;
    add_halves(b, &left, &right);
    const int from_left = sb_draw_thing(b, left), from_right = sb_draw_thing(b, right);
    const bool exchanged = sb_draw_bool(b);
    const int what = exchanged ? from_right : from_left, to = exchanged ? from_left : from_right;
    sb_ask_single(b, sb_put_next(sb_like(b, what), sb_like(b, to)));
    if (b->line->carrying) b->in_hand = what;
}

void sb_recipe_move_two(sb_builder *b) {
    sb_things left, right;
    add_halves(b, &left, &right);
    int l[2], r[2];
    sb_draw_two(b, left, l);
    sb_draw_two(b, right, r);
    sb_ask_two(b, SB_MG_BEFORE, sb_put_next(sb_like(b, l[0]), sb_like(b, r[0])),
               sb_put_next(sb_like(b, r[1]), sb_like(b, l[1])));
}
