/* Recipes of levels in which a locked door has to be opened. */
#include "generators/babyai/levels.h"

static void add_key(sb_builder *b, int column, int row, int door) {
    sb_add_object(b, column, row, SB_MG_KEY, (int)sb_colour_of(b, door));
}

/* Adds a locked door to a drawn room, and its key in another drawn room. The published code tries to keep the key out
 * of the locked room, but compares values that always differ, so the key may lie behind its own door. Returns the
 * door. */
static int lock_room(sb_builder *b, sb_xy *locked) {
    *locked = sb_draw_room(b);
    const int door = sb_add_door(b, locked->x, locked->y, SB_ANY, SB_ANY, SB_LOCKED);
    const sb_xy key_room = sb_draw_room(b);
    add_key(b, key_room.x, key_room.y, door);
    return door;
}

/* Adds n distractors to each room. The locked room gets them too, because the published code compares values that
 * always differ when it tries to leave it out. */
static void distract_rooms(sb_builder *b, int n) {
    for (int column = 0; column < b->world->columns; column++)
        for (int row = 0; row < b->world->rows; row++) sb_add_distractors(b, column, row, n, false);
}

void sb_recipe_go_to_imp_unlock(sb_builder *b) {
    sb_xy locked;
    lock_room(b, &locked);
    sb_connect_all(b);
    distract_rooms(b, 2);
    sb_place_agent_outside(b, locked);
    sb_check(b);
    const sb_things only = sb_add_distractors(b, locked.x, locked.y, 1, false);
    sb_ask(b, SB_MG_GO_TO, sb_like(b, only.first));
}

void sb_recipe_unlock(sb_builder *b) {
    sb_xy locked;
    const int door = lock_room(b, &locked);
    const bool only_of_its_colour = sb_draw_bool(b);
    sb_connect_all_but(b, only_of_its_colour ? (int)sb_colour_of(b, door) : SB_ANY);
    distract_rooms(b, 3);
    sb_place_agent_outside(b, locked);
    sb_check(b);
    sb_ask(b, SB_MG_OPEN, sb_like(b, door));
}

void sb_recipe_unlock_local(sb_builder *b) {
    const int door = sb_add_door(b, 1, 1, SB_ANY, SB_ANY, SB_LOCKED);
    add_key(b, 1, 1, door);
    sb_add_distractors(b, 1, 1, b->line->n, true);
    sb_place_agent(b, 1, 1);
    sb_ask(b, SB_MG_OPEN, sb_any(SB_MG_DOOR));
}

void sb_recipe_key_in_box(sb_builder *b) {
    const int door = sb_add_door(b, 1, 1, SB_ANY, SB_ANY, SB_LOCKED);
    const int box = sb_mg_make_object(b->world, SB_MG_BOX, sb_draw_colour(b));
    sb_thing(b, box)->content = (uint8_t)sb_mg_make_object(b->world, SB_MG_KEY, sb_colour_of(b, door));
    sb_place_in_room(b, 1, 1, box);
    sb_place_agent(b, 1, 1);
    sb_ask(b, SB_MG_OPEN, sb_any(SB_MG_DOOR));
}

void sb_recipe_unlock_pickup(sb_builder *b) {
    const int box = sb_add_object(b, 1, 0, SB_MG_BOX, SB_ANY);
    const int door = sb_add_door(b, 0, 0, SB_MG_EAST, SB_ANY, SB_LOCKED);
    add_key(b, 0, 0, door);
    sb_add_distractors(b, SB_ANY, SB_ANY, b->line->n, true);
    sb_place_agent(b, 0, 0);
    sb_ask(b, SB_MG_PICK_UP, sb_like(b, box));
}

void sb_recipe_blocked(sb_builder *b) {
    sb_add_object(b, 1, 0, SB_MG_BOX, SB_ANY);
    const int door = sb_add_door(b, 0, 0, SB_MG_EAST, SB_ANY, SB_LOCKED);
    sb_put_beside(b, door, SB_MG_WEST, SB_MG_BALL, (int)sb_draw_colour(b));
    add_key(b, 0, 0, door);
    sb_place_agent(b, 0, 0);
    sb_ask(b, SB_MG_PICK_UP, sb_any(SB_MG_BOX));
}

void sb_recipe_unlock_to_unlock(sb_builder *b) {
    sb_mg_colour colours[2];
    sb_draw_colours(b, 2, colours);
    add_key(b, 2, 0, sb_add_door(b, 0, 0, SB_MG_EAST, (int)colours[0], SB_LOCKED));
    add_key(b, 1, 0, sb_add_door(b, 1, 0, SB_MG_EAST, (int)colours[1], SB_LOCKED));
    sb_add_object(b, 0, 0, SB_MG_BALL, SB_ANY);
    sb_place_agent(b, 1, 0);
    sb_ask(b, SB_MG_PICK_UP, sb_any(SB_MG_BALL));
}

void sb_recipe_key_corridor(sb_builder *b) {
    for (int row = 1; row < b->world->rows; row++) sb_remove_wall(b, 1, row, SB_MG_NORTH);
    const int behind_door = sb_draw(b, b->world->rows);
    const int door = sb_add_door(b, 2, behind_door, SB_MG_WEST, SB_ANY, SB_LOCKED);
    sb_add_object(b, 2, behind_door, SB_MG_BALL, SB_ANY);
    add_key(b, 0, sb_draw(b, b->world->rows), door);
    sb_place_agent(b, 1, b->world->rows / 2);
    sb_connect_all(b);
    sb_ask(b, SB_MG_PICK_UP, sb_any(SB_MG_BALL));
}
