/* Recipes of levels in which the agent opens doors that are not locked. */
#include "generators/babyai/levels.h"

static sb_mg_description door_of(sb_mg_colour colour) { return sb_mg_the(SB_MG_DOOR, (int)colour, SB_MG_ANYWHERE); }

/* Draws a door from the lists of all rooms, column by column. A door is listed once for each of its two rooms. */
static int draw_door(sb_builder *b) {
    uint8_t doors[4 * SB_ROOMS_MAX];
    int n = 0;
    for (int column = 0; column < b->world->columns; column++)
        for (int row = 0; row < b->world->rows; row++)
            for (int side = 0; side < 4; side++) {
                const int door = sb_room_at(b, column, row)->door[side];
                if (door) doors[n++] = (uint8_t)door;
            }
    return b->failed ? 0 : doors[sb_draw(b, n)];
}

void sb_recipe_open_any(sb_builder *b) {
    sb_place_agent_anywhere(b);
    sb_connect_all(b);
    sb_distract(b, 18);
    sb_check(b);
    sb_ask(b, SB_MG_OPEN, sb_like(b, draw_door(b)));
}

void sb_recipe_open_red_door(sb_builder *b) {
    sb_add_door(b, 0, 0, SB_MG_EAST, SB_MG_RED, SB_UNLOCKED);
    sb_place_agent(b, 0, 0);
    sb_ask(b, SB_MG_OPEN, door_of(SB_MG_RED));
}

void sb_recipe_open_door(sb_builder *b) {
    sb_mg_colour colours[4];
    sb_draw_colours(b, 4, colours);
    for (int side = 0; side < 4; side++) sb_add_door(b, 1, 1, side, (int)colours[side], SB_UNLOCKED);
    const sb_told_by by = b->line->by == SB_BY_EITHER ? (sb_told_by)(SB_BY_COLOUR + sb_draw(b, 2)) : b->line->by;
    sb_mg_description door = door_of(colours[0]);
    if (by == SB_BY_LOCATION) door = sb_mg_the(SB_MG_DOOR, SB_MG_ANY_COLOUR, sb_draw_location(b));
    sb_place_agent(b, 1, 1);
    sb_ask_single(b, sb_strictly(b->line->strict, sb_single(SB_MG_OPEN, door)));
}

void sb_recipe_open_two(sb_builder *b) {
    sb_mg_colour colours[2];
    sb_draw_colours(b, 2, colours);
    if (b->line->red_blue) colours[0] = SB_MG_RED, colours[1] = SB_MG_BLUE;
    sb_add_door(b, 1, 1, SB_MG_WEST, (int)colours[0], SB_UNLOCKED);
    sb_add_door(b, 1, 1, SB_MG_EAST, (int)colours[1], SB_UNLOCKED);
    sb_place_agent(b, 1, 1);
    sb_ask_two(b, SB_MG_BEFORE, sb_strictly(b->line->strict, sb_single(SB_MG_OPEN, door_of(colours[0]))),
               sb_single(SB_MG_OPEN, door_of(colours[1])));
}

void sb_recipe_open_order(sb_builder *b) {
    sb_mg_colour colours[4];
    const sb_things doors = {sb_next_id(b), b->line->n};
    sb_draw_colours(b, doors.n, colours);
    for (int i = 0; i < doors.n; i++) sb_add_door(b, 1, 1, SB_ANY, (int)colours[i], SB_UNLOCKED);
    sb_place_agent(b, 1, 1);
    int two[2];
    sb_draw_two(b, doors, two);
    const sb_mg_single first = sb_strictly(b->line->strict, sb_single(SB_MG_OPEN, sb_like(b, two[0])));
    const sb_mg_single second = sb_strictly(b->line->strict, sb_single(SB_MG_OPEN, sb_like(b, two[1])));
    const sb_mg_order order = (sb_mg_order)sb_draw(b, 3);
    if (order == SB_MG_ALONE)
        sb_ask_single(b, first);
    else
        sb_ask_two(b, order, first, second);
}
