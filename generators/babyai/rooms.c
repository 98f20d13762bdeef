#include "generators/babyai/rooms.h"

#include <string.h>

/* Limits of the published generator. */
enum { PLACING_ATTEMPTS = 1001, CONNECTING_ROUNDS = 5001 };
/* Our own limit: more than twice the draws that 181 objects need if each takes its last attempt. */
enum { DRAWS_MAX = 1 << 20 };

/* ---- Draws ------------------------------------------------------------------------------------------------------- */

/* The published lists of colours are in alphabetical order. */
static const uint8_t colours_drawn[SB_MG_N_COLOURS] = {SB_MG_BLUE,   SB_MG_GREEN, SB_MG_GREY,
                                                       SB_MG_PURPLE, SB_MG_RED,   SB_MG_YELLOW};

int sb_draw(sb_builder *b, int n) {
    if (++b->n_draws > DRAWS_MAX) sb_reject(b);
    return b->failed ? 0 : (int)sb_bounded(&b->rng, (uint64_t)n - 1);
}

bool sb_draw_bool(sb_builder *b) { return sb_draw(b, 2) == 0; }

double sb_draw_double(sb_builder *b) { return b->failed ? 0 : sb_random(&b->rng); }

sb_mg_colour sb_draw_colour(sb_builder *b) { return (sb_mg_colour)colours_drawn[sb_draw(b, SB_MG_N_COLOURS)]; }

static sb_mg_type draw_type(sb_builder *b) { return (sb_mg_type)(SB_MG_KEY + sb_draw(b, 3)); } /* key, ball, box */

sb_mg_location sb_draw_location(sb_builder *b) { return (sb_mg_location)(SB_MG_ON_LEFT + sb_draw(b, 4)); }

int sb_draw_thing(sb_builder *b, sb_things things) { return things.first + sb_draw(b, things.n); }

void sb_draw_colours(sb_builder *b, int k, sb_mg_colour *colours) {
    uint8_t left[SB_MG_N_COLOURS];
    memcpy(left, colours_drawn, sizeof left);
    for (int i = 0; i < k; i++) {
        const int n = SB_MG_N_COLOURS - i, drawn = sb_draw(b, n);
        colours[i] = (sb_mg_colour)left[drawn];
        memmove(left + drawn, left + drawn + 1, (size_t)(n - drawn - 1));
    }
}

void sb_draw_two(sb_builder *b, sb_things things, int two[2]) {
    const int first = sb_draw(b, things.n), second = sb_draw(b, things.n - 1);
    two[0] = things.first + first;
    two[1] = things.first + second + (second >= first);
}

sb_xy sb_draw_room(sb_builder *b) {
    const int column = sb_draw(b, b->world->columns), row = sb_draw(b, b->world->rows);
    return sb_at(column, row);
}

static int drawn_unless_given(sb_builder *b, int given, int n) { return given == SB_ANY ? sb_draw(b, n) : given; }

/* ---- The bare grid ----------------------------------------------------------------------------------------------- */

bool sb_has_neighbour(const sb_builder *b, int column, int row, int side) {
    const sb_xy to = sb_mg_plus(sb_at(column, row), sb_mg_forward_of[side], 1);
    return to.x >= 0 && to.x < b->world->columns && to.y >= 0 && to.y < b->world->rows;
}

static sb_room *neighbour(sb_builder *b, int column, int row, int side) {
    const sb_xy to = sb_mg_plus(sb_at(column, row), sb_mg_forward_of[side], 1);
    return sb_room_at(b, to.x, to.y);
}

static int opposite(int side) { return (side + 2) & 3; }

static void put_walls(sb_mg_world *w) {
    const int pitch = w->room_side - 1;
    for (int y = 0; y < w->height; y += pitch)
        for (int x = 0; x < w->width; x++) sb_mg_put_wall(w, sb_at(x, y));
    for (int x = 0; x < w->width; x += pitch)
        for (int y = 0; y < w->height; y++) sb_mg_put_wall(w, sb_at(x, y));
}

static void fix_door(sb_builder *b, int column, int row, int side, sb_xy at) {
    sb_room_at(b, column, row)->door_at[side] = at;
    neighbour(b, column, row, side)->door_at[opposite(side)] = at;
}

static void draw_door_places(sb_builder *b) {
    const int last = b->world->room_side - 1;
    for (int row = 0; row < b->world->rows; row++)
        for (int column = 0; column < b->world->columns; column++) {
            const sb_xy corner = sb_mg_corner(b->world, sb_at(column, row));
            if (sb_has_neighbour(b, column, row, SB_MG_EAST))
                fix_door(b, column, row, SB_MG_EAST, sb_at(corner.x + last, corner.y + 1 + sb_draw(b, last - 1)));
            if (sb_has_neighbour(b, column, row, SB_MG_SOUTH))
                fix_door(b, column, row, SB_MG_SOUTH, sb_at(corner.x + 1 + sb_draw(b, last - 1), corner.y + last));
        }
}

void sb_begin_attempt(sb_builder *b) {
    const sb_babyai_line *line = b->line;
    b->failed = false;
    b->n_draws = 0;
    b->in_hand = 0;
    memset(b->rooms, 0, sizeof b->rooms);
    sb_mg_clear(b->world, line->side, line->columns, line->rows);
    put_walls(b->world);
    draw_door_places(b);
    const sb_xy middle = sb_mg_corner(b->world, sb_at(line->columns / 2, line->rows / 2));
    b->world->agent = sb_at(middle.x + line->side / 2, middle.y + line->side / 2);
    b->world->facing = SB_MG_EAST;
}

/* ---- Places ------------------------------------------------------------------------------------------------------ */

/* Draws cells of the room's square, walls included, until one is free and at least this far from the agent. */
static bool draw_place(sb_builder *b, int column, int row, int away, sb_xy *place) {
    const sb_mg_world *w = b->world;
    const sb_xy corner = sb_mg_corner(w, sb_at(column, row));
    for (int i = 0; i < PLACING_ATTEMPTS && !b->failed; i++) {
        const int x = corner.x + sb_draw(b, w->room_side), y = corner.y + sb_draw(b, w->room_side);
        *place = sb_at(x, y);
        if (sb_mg_empty(w, *place) && sb_manhattan(*place, w->agent) >= away) return true;
    }
    sb_reject(b);
    return false;
}

void sb_place_in_room(sb_builder *b, int column, int row, int id) {
    sb_xy place;
    if (draw_place(b, column, row, 2, &place)) sb_mg_put(b->world, id, place);
}

int sb_add_object(sb_builder *b, int column, int row, int type, int colour) {
    const sb_mg_type type_made = type == SB_ANY ? draw_type(b) : (sb_mg_type)type;
    const sb_mg_colour colour_made = colour == SB_ANY ? sb_draw_colour(b) : (sb_mg_colour)colour;
    if (b->failed) return 0;
    const int id = sb_mg_make_object(b->world, type_made, colour_made);
    sb_place_in_room(b, column, row, id);
    return id;
}

void sb_put_beside(sb_builder *b, int other, int side, int type, int colour) {
    if (b->failed) return;
    const sb_xy place = sb_mg_plus(sb_thing(b, other)->at, sb_mg_forward_of[side], 1);
    sb_mg_put(b->world, sb_mg_make_object(b->world, (sb_mg_type)type, (sb_mg_colour)colour), place);
}

void sb_place_agent(sb_builder *b, int column, int row) {
    sb_mg_world *w = b->world;
    column = drawn_unless_given(b, column, w->columns);
    row = drawn_unless_given(b, row, w->rows);
    sb_xy place;
    while (draw_place(b, column, row, 0, &place)) {
        w->agent = place;
        w->facing = (uint8_t)sb_draw(b, 4);
        if (!sb_mg_is_object(sb_mg_id_at(w, sb_mg_front(w)))) return;
    }
}

void sb_place_agent_outside(sb_builder *b, sb_xy room) {
    do sb_place_agent_anywhere(b);
    while (!b->failed && sb_same(sb_mg_room_of(b->world, b->world->agent), room));
}

/* ---- Distractors ------------------------------------------------------------------------------------------------- */

/* Returns whether there is an object of this type and colour. Doors never match, because distractors have other
 * types. */
static bool is_there(const sb_mg_world *w, int type, int colour) {
    for (int id = 1; id <= w->n_objects; id++)
        if (w->objects[id].type == type && w->objects[id].colour == colour) return true;
    return false;
}

static int add_distractor(sb_builder *b, int column, int row, bool unique) {
    int colour, type;
    do {
        colour = sb_draw_colour(b);
        type = draw_type(b);
    } while (unique && !b->failed && is_there(b->world, type, colour));
    column = drawn_unless_given(b, column, b->world->columns);
    row = drawn_unless_given(b, row, b->world->rows);
    return sb_add_object(b, column, row, type, colour);
}

sb_things sb_add_distractors(sb_builder *b, int column, int row, int n, bool unique) {
    const sb_things added = {sb_next_id(b), n};
    for (int i = 0; i < n; i++) add_distractor(b, column, row, unique);
    return added;
}

/* ---- Doors ------------------------------------------------------------------------------------------------------- */

static bool may_join(const sb_builder *b, int column, int row, int side) {
    const sb_room *room = &b->rooms[row * b->world->columns + column];
    return sb_has_neighbour(b, column, row, side) && !(room->joined >> side & 1);
}

static void join(sb_builder *b, int column, int row, int side, int door) {
    sb_room *here = sb_room_at(b, column, row), *there = neighbour(b, column, row, side);
    here->joined |= (uint8_t)(1 << side), there->joined |= (uint8_t)(1 << opposite(side));
    here->door[side] = there->door[opposite(side)] = (uint8_t)door;
}

static void clear(sb_mg_world *w, sb_xy wall) { w->cells[sb_mg_index(w, wall)] = SB_MG_NOTHING; }

static int draw_side(sb_builder *b, int column, int row) {
    int side;
    do side = sb_draw(b, 4);
    while (!b->failed && !may_join(b, column, row, side));
    return side;
}

int sb_add_door(sb_builder *b, int column, int row, int side, int colour, int locked) {
    if (side == SB_ANY) side = draw_side(b, column, row);
    if (colour == SB_ANY) colour = (int)sb_draw_colour(b);
    if (locked == SB_ANY) locked = sb_draw_bool(b);
    if (b->failed) return 0;
    const int door = sb_mg_make_object(b->world, SB_MG_DOOR, (sb_mg_colour)colour);
    sb_thing(b, door)->locked = locked;
    sb_room *room = sb_room_at(b, column, row);
    room->locked = locked;
    join(b, column, row, side, door);
    clear(b->world, room->door_at[side]);
    sb_mg_put(b->world, door, room->door_at[side]);
    return door;
}

void sb_remove_wall(sb_builder *b, int column, int row, int side) {
    const int last = b->world->room_side - 1;
    const sb_xy corner = sb_mg_corner(b->world, sb_at(column, row)), along = sb_mg_forward_of[(side + 1) & 1];
    const sb_xy end = sb_at(corner.x + (side == SB_MG_EAST) * last, corner.y + (side == SB_MG_SOUTH) * last);
    for (int i = 1; i < last; i++) clear(b->world, sb_mg_plus(end, along, i));
    join(b, column, row, side, 0);
}

/* Returns whether every room is joined with the agent's, directly or through others. */
static bool all_joined(const sb_builder *b) {
    const sb_mg_world *w = b->world;
    const int n = w->columns * w->rows;
    const sb_xy start = sb_mg_room_of(w, w->agent);
    uint8_t queue[SB_ROOMS_MAX] = {(uint8_t)(start.y * w->columns + start.x)};
    unsigned reached = 1u << queue[0];
    int n_reached = 1;
    for (int head = 0; head < n_reached; head++)
        for (int side = 0; side < 4; side++) {
            if (!(b->rooms[queue[head]].joined >> side & 1)) continue;
            const int next = queue[head] + sb_mg_forward_of[side].x + sb_mg_forward_of[side].y * w->columns;
            if (reached >> next & 1) continue;
            reached |= 1u << next;
            queue[n_reached++] = (uint8_t)next;
        }
    return n_reached == n;
}

static sb_mg_colour draw_colour_but(sb_builder *b, int but) {
    uint8_t left[SB_MG_N_COLOURS];
    int n = 0;
    for (int i = 0; i < SB_MG_N_COLOURS; i++)
        if (colours_drawn[i] != but) left[n++] = colours_drawn[i];
    return (sb_mg_colour)left[sb_draw(b, n)];
}

void sb_connect_all_but(sb_builder *b, int but) {
    bool connected = all_joined(b);
    for (int i = 0; i < CONNECTING_ROUNDS && !b->failed; i++) {
        if (connected) return;
        const sb_xy room = sb_draw_room(b);
        const int side = sb_draw(b, 4);
        if (!may_join(b, room.x, room.y, side)) continue;
        if (sb_room_at(b, room.x, room.y)->locked || neighbour(b, room.x, room.y, side)->locked) continue;
        sb_add_door(b, room.x, room.y, side, (int)draw_colour_but(b, but), SB_UNLOCKED);
        connected = all_joined(b);
    }
    sb_reject(b);
}

void sb_open_all(sb_builder *b) {
    for (int id = 1; id <= b->world->n_objects; id++)
        if (b->world->objects[id].type == SB_MG_DOOR) b->world->objects[id].open = true;
}

/* ---- Reachability ------------------------------------------------------------------------------------------------ */

bool sb_all_reachable(const sb_builder *b) {
    const sb_mg_world *w = b->world;
    bool reached[SB_MG_CELLS_MAX] = {false};
    uint16_t queue[SB_MG_CELLS_MAX];
    const int steps[4] = {1, w->width, -1, -w->width};
    int n_queued = 0, n_objects = 0, n_on_grid = 0;
    for (int id = 1; id <= w->n_objects; id++) n_on_grid += w->objects[id].on_grid;
    queue[n_queued++] = (uint16_t)sb_mg_index(w, w->agent);
    reached[queue[0]] = true;
    for (int head = 0; head < n_queued && n_objects < n_on_grid; head++)
        for (int side = 0; side < 4; side++) {
            const int next = queue[head] + steps[side], id = w->cells[next];
            if (reached[next] || id == SB_MG_A_WALL) continue;
            reached[next] = true;
            if (id != SB_MG_NOTHING) n_objects++;
            if (id == SB_MG_NOTHING || w->objects[id].type == SB_MG_DOOR) queue[n_queued++] = (uint16_t)next;
        }
    return n_objects == n_on_grid;
}

void sb_check(sb_builder *b) {
    if (!b->failed && !sb_all_reachable(b)) sb_reject(b);
}

/* ---- What is asked for ------------------------------------------------------------------------------------------- */

static sb_mg_part alone(sb_mg_single single) { return (sb_mg_part){.n_singles = 1, .single = {single}}; }

void sb_ask_single(sb_builder *b, sb_mg_single single) {
    b->world->mission.order = SB_MG_ALONE;
    b->world->mission.part[0] = alone(single);
}

void sb_ask_two(sb_builder *b, sb_mg_order order, sb_mg_single first, sb_mg_single second) {
    b->world->mission.order = (uint8_t)order;
    b->world->mission.part[0] = alone(first);
    b->world->mission.part[1] = alone(second);
}
