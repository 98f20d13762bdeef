/* The recipe `generated`: nine rooms, one of them perhaps locked, and a mission of up to four singles. */
#include "engine/minigrid/tracking.h"
#include "generators/babyai/levels.h"

enum { DESCRIBING_ATTEMPTS = 101 };

/* The first three types can be moved. */
static const uint8_t types[] = {SB_MG_BOX, SB_MG_BALL, SB_MG_KEY, SB_MG_DOOR};
enum { MOVABLE = 3, ALL = 4 };

/* ---- The locked room --------------------------------------------------------------------------------------------- */

/* Draws a locked room and its door. As in the published code, b->locked_room keeps the draw even if the attempt is
 * abandoned later. */
static int draw_locked_door(sb_builder *b) {
    int side;
    do {
        b->locked_room = sb_draw_room(b);
        side = sb_draw(b, 4);
    } while (!b->failed && !sb_has_neighbour(b, b->locked_room.x, b->locked_room.y, side));
    return sb_add_door(b, b->locked_room.x, b->locked_room.y, side, SB_ANY, SB_LOCKED);
}

/* Returns the locked room, or (-1,-1) if there is none. */
static sb_xy lock_some_room(sb_builder *b) {
    const bool has_locked = sb_draw_double(b) < b->line->p_locked;
    if (!has_locked) return sb_at(-1, -1);
    const int door = draw_locked_door(b);
    sb_xy room;
    do room = sb_draw_room(b);
    while (!b->failed && sb_same(room, b->locked_room));
    sb_add_object(b, room.x, room.y, SB_MG_KEY, (int)sb_colour_of(b, door));
    return b->locked_room;
}

/* ---- The mission ------------------------------------------------------------------------------------------------- */

/* Returns whether the agent can get at something that the description matches. Without implicit unlocking, a match must
 * lie outside the locked room, which may be that of an earlier attempt (see sb_builder). */
static bool can_be_got_at(const sb_builder *b, const sb_mg_description *d) {
    if (b->line->implicit_unlock || b->locked_room.x < 0) return d->n_positions > 0;
    for (int i = 0; i < d->n_positions; i++)
        if (!sb_mg_in_room(b->world, b->locked_room, d->positions[i])) return true;
    return false;
}

static int draw_colour_or_any(sb_builder *b) {
    static const uint8_t colours[] = {SB_MG_ANY_COLOUR, SB_MG_BLUE, SB_MG_GREEN, SB_MG_GREY,
                                      SB_MG_PURPLE,     SB_MG_RED,  SB_MG_YELLOW};
    return colours[sb_draw(b, sizeof colours)];
}

/* Draws a description with one of the n types in the list. */
static sb_mg_description draw_description(sb_builder *b, const uint8_t *among, int n) {
    sb_mg_description d = {0};
    for (int i = 0; i < DESCRIBING_ATTEMPTS && !b->failed; i++) {
        const int colour = draw_colour_or_any(b);
        const sb_mg_type type = (sb_mg_type)among[sb_draw(b, n)];
        const bool told_where = b->line->locations && sb_draw_bool(b);
        d = sb_mg_the(type, colour, told_where ? sb_draw_location(b) : SB_MG_ANYWHERE);
        sb_mg_evaluate(b->world, &d);
        if (can_be_got_at(b, &d)) return d;
    }
    sb_reject(b);
    return d;
}

static sb_mg_single draw_single(sb_builder *b) {
    const sb_mg_verb verb = (sb_mg_verb)(b->line->verb + sb_draw(b, b->line->n_verbs));
    sb_mg_single single = {.verb = (uint8_t)verb};
    switch (verb) {
    case SB_MG_GO_TO: single.what = draw_description(b, types, ALL); break;
    case SB_MG_PICK_UP: single.what = draw_description(b, types, MOVABLE); break;
    case SB_MG_OPEN: single.what = draw_description(b, types + MOVABLE, 1); break;
    case SB_MG_PUT_NEXT:
        single.what = draw_description(b, types, MOVABLE);
        single.to = draw_description(b, types, ALL);
        break;
    }
    return single;
}

static void draw_part(sb_builder *b, sb_mg_part *part, int n_singles) {
    part->n_singles = (uint8_t)n_singles;
    for (int i = 0; i < n_singles; i++) part->single[i] = draw_single(b);
}

static void draw_sequence(sb_builder *b, sb_mg_mission *m) {
    for (int i = 0; i < 2; i++) draw_part(b, &m->part[i], 1 + sb_draw(b, 2));
    m->order = (uint8_t)(SB_MG_BEFORE + sb_draw(b, 2));
}

static void draw_mission(sb_builder *b) {
    enum { SINGLE, AND, SEQUENCE } kind = b->line->compound ? sb_draw(b, 3) : SINGLE;
    sb_mg_mission *m = &b->world->mission;
    if (kind == SEQUENCE)
        draw_sequence(b, m);
    else
        draw_part(b, &m->part[0], kind == AND ? 2 : 1);
}

void sb_recipe_generated(sb_builder *b) {
    const sb_xy locked = lock_some_room(b);
    sb_connect_all(b);
    sb_distract(b, b->line->n);
    sb_place_agent_outside(b, locked);
    if (!b->line->unblocking) sb_check(b);
    draw_mission(b);
}
