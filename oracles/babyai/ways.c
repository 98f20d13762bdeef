#include "oracles/babyai/subgoals.h"

#include <string.h>

/* Cells in the order in which they were entered. The first way to a cell counts, so each cell is entered only once. */
typedef struct flood {
    int n, looked;
    uint16_t cell[SB_MG_CELLS_MAX],
        from[SB_MG_CELLS_MAX];      /* index of the cell; index in this list of the cell before it */
    uint8_t ahead[SB_MG_CELLS_MAX]; /* direction of the way into the cell */
    bool entered[SB_MG_CELLS_MAX];
} flood;

static void enter(flood *f, int cell, int from, int ahead) {
    if (f->entered[cell]) return;
    f->entered[cell] = true;
    f->cell[f->n] = (uint16_t)cell, f->from[f->n] = (uint16_t)from, f->ahead[f->n] = (uint8_t)ahead;
    f->n++;
}

static bool lets_through(const sb_bot_ground *ground, int cell, bool blockers) {
    const sb_mg_world *w = ground->world;
    const int id = w->cells[cell];
    if (ground->known && !ground->known[cell]) return false;
    if (sb_mg_id_passable(w, id)) return true;
    if (id == SB_MG_A_WALL) return false;
    const sb_mg_object *object = &w->objects[id];
    if (object->type != SB_MG_DOOR) return blockers;
    if (!ground->through_doors) return false;
    return object->locked ? object->colour != ground->barred_colour : blockers;
}

/* (a,b), (b,a), (-b,-a), (-a,-b), as numbers to combine (exclusive or) with the number of direction (a,b). */
static const uint8_t turns[4] = {0, 1, 3, 2};

static void enter_neighbours(const sb_mg_world *w, flood *f, int at) {
    for (int i = 0; i < 4; i++) {
        const int ahead = f->ahead[at] ^ turns[i];
        const sb_xy step = sb_mg_forward_of[ahead];
        const int cell = f->cell[at] + step.y * w->width + step.x;
        if (cell >= 0 && cell < sb_mg_n_cells(w)) enter(f, cell, at, ahead);
    }
}

/* Looks at the cells that were entered, and enters more, up to the first one that fulfils the wish. */
static bool spread(const sb_bot_ground *ground, sb_bot_wish *wish, sb_xy place, bool blockers, flood *f) {
    for (; f->looked < f->n; f->looked++) {
        const int cell = f->cell[f->looked];
        ground->budget->spent++;
        if (wish(ground, sb_mg_xy_of(ground->world, cell), place)) return true;
        if (lets_through(ground, cell, blockers)) enter_neighbours(ground->world, f, f->looked);
    }
    return false;
}

static void start_again_from_everywhere(flood *f) {
    memset(f->ahead, SB_MG_EAST, (size_t)f->n);
    f->looked = 0;
}

static void trace(const sb_mg_world *w, const flood *f, sb_bot_way *way) {
    way->n = 0;
    for (int at = f->looked; at != 0; at = f->from[at]) way->n++;
    for (int at = f->looked, i = way->n; at != 0; at = f->from[at]) way->cell[--i] = sb_mg_xy_of(w, f->cell[at]);
}

bool sb_bot_find(const sb_bot_ground *ground, sb_bot_wish *wish, sb_xy place, bool blockers, sb_bot_way *way) {
    const sb_mg_world *w = ground->world;
    flood f;
    f.n = f.looked = 0;
    memset(f.entered, 0, (size_t)sb_mg_n_cells(w));
    enter(&f, sb_mg_index(w, w->agent), 0, w->facing);
    bool found = spread(ground, wish, place, false, &f);
    way->through_blockers = !found && blockers;
    if (way->through_blockers) {
        start_again_from_everywhere(&f);
        found = spread(ground, wish, place, true, &f);
    }
    if (found) trace(w, &f, way);
    return found;
}

bool sb_bot_is_place(const sb_bot_ground *ground, sb_xy cell, sb_xy place) {
    (void)ground;
    return sb_same(cell, place);
}

bool sb_bot_is_unknown(const sb_bot_ground *ground, sb_xy cell, sb_xy unused) {
    (void)unused;
    return !sb_bot_knows(ground, cell);
}

bool sb_bot_is_closed_door(const sb_bot_ground *ground, sb_xy cell, sb_xy unused) {
    const sb_mg_object *object = sb_mg_object_at(ground->world, cell);
    return sb_bot_is_shut_door(ground, cell, unused) && !object->locked;
}

bool sb_bot_is_shut_door(const sb_bot_ground *ground, sb_xy cell, sb_xy unused) {
    (void)unused;
    const sb_mg_object *object = sb_mg_object_at(ground->world, cell);
    return object && object->type == SB_MG_DOOR && !object->open;
}

/* ---- Cells for putting things down ---- */

static bool is_roomy(const sb_bot_ground *ground, sb_xy cell, sb_xy except) {
    return sb_bot_knows(ground, cell) && sb_mg_empty(ground->world, cell) && !sb_same(cell, ground->world->agent) &&
           !sb_same(cell, except);
}

/* What a neighbour of a drop cell means for an agent that wants to pass. */
typedef enum side { SIDE_FREE, SIDE_WALL, SIDE_OTHER } side;

static side side_at(const sb_bot_ground *ground, sb_xy cell, sb_xy except) {
    if (!sb_mg_inside(ground->world, cell) || !sb_bot_knows(ground, cell)) return SIDE_OTHER;
    if (sb_mg_wall(ground->world, cell)) return SIDE_WALL;
    return sb_mg_passable(ground->world, cell) && !sb_same(cell, except) ? SIDE_FREE : SIDE_OTHER;
}

static const sb_xy circle[8] = {{-1, -1}, {0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}};

/* Tells whether the free neighbours are connected, so that a thing put here separates nothing, and whether no other
 * object would be walled in. */
static bool is_fit(const sb_bot_ground *ground, sb_xy cell, sb_xy except) {
    side around[8];
    int changes = 0;
    if (!is_roomy(ground, cell, except)) return false;
    for (int i = 0; i < 8; i++) around[i] = side_at(ground, sb_mg_plus(cell, circle[i], 1), except);
    for (int i = 0; i < 8; i++) {
        const side before = around[(i + 7) % 8], after = around[(i + 1) % 8];
        if (around[i] == SIDE_OTHER && before != SIDE_FREE && after != SIDE_FREE) return false;
        changes += (around[i] == SIDE_FREE) != (after == SIDE_FREE);
    }
    return changes <= 2;
}

bool sb_bot_find_drop_cell(const sb_bot_ground *ground, sb_xy except, sb_xy *cell) {
    sb_bot_way way;
    for (int blockers = 0; blockers < 2; blockers++)
        if (sb_bot_find(ground, is_fit, except, blockers, &way) ||
            sb_bot_find(ground, is_roomy, except, blockers, &way)) {
            *cell = way.cell[way.n - 1];
            return true;
        }
    return false;
}
