/* The library: moving, turning, falling (stdlib 6). */
#include "engine/autumn/library_kit.h"

bool sb_au_origin(sb_autumn_state *m, sb_au_value object, int32_t *x, int32_t *y) {
    return sb_au_want(m, object, SB_AU_OBJECT) && sb_au_xy(m, sb_au_origin_of(m, object), x, y);
}

static sb_au_value moved_position(sb_autumn_state *m, sb_au_value position, int32_t dx, int32_t dy) {
    int32_t x, y;
    return sb_au_xy(m, position, &x, &y) ? sb_au_position(m, sb_au_plus(x, dx), sb_au_plus(y, dy)) : SB_AU_FAILED;
}

sb_au_value sb_au_move(sb_autumn_state *m, sb_au_value object, int32_t dx, int32_t dy) {
    if (!sb_au_want(m, object, SB_AU_OBJECT)) return SB_AU_FAILED;
    const sb_au_value origin = moved_position(m, sb_au_origin_of(m, object), dx, dy);
    const sb_au_value copy = sb_au_failed(origin) ? origin : sb_au_copy_object(m, object);
    if (sb_au_failed(copy)) return copy;
    sb_au_thing *c = sb_au_thing_of(m, copy);
    c->v[c->n - 2] = origin;
    return copy;
}

/* ---- Plain moves ------------------------------------------------------------------------------------------------- */

SB_AU_LIB(move) {
    int32_t dx, dy;
    return sb_au_xy(m, a[1], &dx, &dy) ? sb_au_move(m, a[0], dx, dy) : SB_AU_FAILED;
}
SB_AU_LIB(moveLeft) { return sb_au_move(m, a[0], -1, 0); }
SB_AU_LIB(moveRight) { return sb_au_move(m, a[0], 1, 0); }
SB_AU_LIB(moveUp) { return sb_au_move(m, a[0], 0, -1); }
SB_AU_LIB(moveDown) { return sb_au_move(m, a[0], 0, 1); }

SB_AU_LIB(movePos) {
    int32_t dx, dy;
    return sb_au_xy(m, a[1], &dx, &dy) ? moved_position(m, a[0], dx, dy) : SB_AU_FAILED;
}
SB_AU_LIB(moveLeftPos) { return moved_position(m, a[0], -1, 0); }
SB_AU_LIB(moveRightPos) { return moved_position(m, a[0], 1, 0); }
SB_AU_LIB(moveUpPos) { return moved_position(m, a[0], 0, -1); }
SB_AU_LIB(moveDownPos) { return moved_position(m, a[0], 0, 1); }

/* ---- Moves that look where they go ------------------------------------------------------------------------------- */

/* `moved` if the test passed, else `stays`; a fault in the test fails. */
static sb_au_value choose(const sb_autumn_state *m, bool passed, sb_au_value moved, sb_au_value stays) {
    if (m->has_fault) return SB_AU_FAILED;
    return passed ? moved : stays;
}

static sb_au_value move_carefully(sb_autumn_state *m, sb_au_value o, int32_t dx, int32_t dy) {
    const sb_au_value moved = sb_au_move(m, o, dx, dy);
    const bool passed = !sb_au_failed(moved) && sb_au_is_within(m, moved) && sb_au_is_free_except(m, moved, o);
    return choose(m, passed, moved, o);
}

SB_AU_LIB(moveLeftNoCollision) { return move_carefully(m, a[0], -1, 0); }
SB_AU_LIB(moveRightNoCollision) { return move_carefully(m, a[0], 1, 0); }
SB_AU_LIB(moveUpNoCollision) { return move_carefully(m, a[0], 0, -1); }
SB_AU_LIB(moveDownNoCollision) { return move_carefully(m, a[0], 0, 1); }
SB_AU_LIB(nextSolid) { return move_carefully(m, a[0], 0, 1); }

/* Does not look at borders, so it may leave the grid. */
static sb_au_value move_except(sb_autumn_state *m, const sb_au_value *a, sb_au_value except) {
    if (!sb_au_want(m, a[1], SB_AU_NUMBER) || !sb_au_want(m, a[2], SB_AU_NUMBER)) return SB_AU_FAILED;
    const sb_au_value moved = sb_au_move(m, a[0], a[1].number, a[2].number);
    const bool passed = !sb_au_failed(moved) && sb_au_is_free_except(m, moved, except);
    return choose(m, passed, moved, a[0]);
}

SB_AU_LIB(moveNoCollision) { return move_except(m, a, a[0]); }

SB_AU_LIB(moveCanCollision) {
    const sb_au_value both = sb_au_new_list(m, 2, SB_AU_T_UNKNOWN);
    if (sb_au_failed(both)) return both;
    sb_au_thing_of(m, both)->v[0] = a[0];
    sb_au_thing_of(m, both)->v[1] = a[3];
    return move_except(m, a, both);
}

/* ---- Turning ----------------------------------------------------------------------------------------------------- */

static sb_au_value negated(sb_au_value part) {
    if (part.kind == SB_AU_NUMBER) return sb_au_number(sb_au_minus(0, part.number));
    part.turns = (uint16_t)(part.turns == UINT16_MAX ? UINT16_MAX - 1 : part.turns + 1); /* odd stays odd */
    return part;
}

/* The cells are shared with the original, so they turn for all that hold them. */
SB_AU_LIB(rotate) {
    if (!sb_au_want(m, a[0], SB_AU_OBJECT)) return SB_AU_FAILED;
    const sb_au_value elems = sb_au_elems_of(m, a[0]);
    if (!sb_au_want_list(m, elems)) return SB_AU_FAILED;
    for (uint32_t i = 0; i < sb_au_length(m, elems); i++) {
        const sb_au_value cell = sb_au_item(m, elems, i);
        if (!sb_au_want(m, cell, SB_AU_CELL)) return SB_AU_FAILED;
        const sb_au_value x = sb_au_item(m, cell, SB_AU_CELL_X), y = sb_au_item(m, cell, SB_AU_CELL_Y);
        if (!sb_au_set_in_place(m, cell, SB_AU_CELL_X, negated(y)) || !sb_au_set_in_place(m, cell, SB_AU_CELL_Y, x))
            return SB_AU_FAILED;
    }
    return sb_au_copy_object(m, a[0]);
}

/* Every mention of `rotate` turns the shared cells once: both tests and the result. */
SB_AU_LIB(rotateNoCollision) {
    sb_au_value turned = sb_au_lib_rotate(m, a, 1);
    if (sb_au_failed(turned) || !sb_au_is_within(m, turned)) return choose(m, false, turned, a[0]);
    turned = sb_au_lib_rotate(m, a, 1);
    if (sb_au_failed(turned) || !sb_au_is_free_except(m, turned, a[0])) return choose(m, false, turned, a[0]);
    return sb_au_lib_rotate(m, a, 1);
}

/* ---- Liquid ------------------------------------------------------------------------------------------------------ */

static int32_t sign(int32_t v) { return (v > 0) - (v < 0); }

/* Step 4 of stdlib 6, "Liquid": a step towards the cell above the hole. */
static sb_au_value move_to_hole(sb_autumn_state *m, sb_au_value o, int32_t hole_x, int32_t hole_y) {
    const int32_t above = sb_au_minus(hole_y, 1);
    int32_t x, y;
    if (!sb_au_origin(m, o, &x, &y)) return SB_AU_FAILED;
    const int32_t dx = sign(sb_au_minus(hole_x, x)), dy = dx ? 0 : sign(sb_au_minus(above, y));
    const sb_au_value moved = sb_au_move(m, o, dx, dy);
    if (sb_au_failed(moved)) return moved;
    const bool passed = !sb_au_occupied(m, hole_x, above) && !sb_au_occupied(m, sb_au_plus(x, dx), sb_au_plus(y, dy)) &&
                        sb_au_is_within(m, moved);
    return choose(m, passed, moved, o);
}

SB_AU_LIB(nextLiquidMoveClosestHole) {
    int32_t x, y;
    return sb_au_xy(m, a[1], &x, &y) ? move_to_hole(m, a[0], x, y) : SB_AU_FAILED;
}

SB_AU_LIB(nextLiquidClosestHole) {
    if (!sb_au_want(m, a[1], SB_AU_LIST)) return SB_AU_FAILED;
    if (sb_au_length(m, a[1]) == 0) return a[0];
    const sb_au_value hole[2] = {a[0], sb_au_lib_closestPos(m, a, 2)};
    return sb_au_failed(hole[1]) ? SB_AU_FAILED : sb_au_lib_nextLiquidMoveClosestHole(m, hole, 2);
}

/* The closest hole in the row below; the rightmost one among equals. */
static bool find_hole(sb_autumn_state *m, int32_t x, int32_t y, int32_t size, int32_t *hole) {
    bool found = false;
    int32_t least = 0;
    if (y < -1 || y + 1 >= size) return false;
    for (int32_t c = 0; c < size; c++) {
        const int32_t d = sb_au_minus(c, x), distance = sb_au_times(d, d);
        if (sb_au_occupied(m, c, y + 1) || sb_au_occupied(m, c, y) || (found && distance > least)) continue;
        least = distance;
        *hole = c;
        found = true;
    }
    return found;
}

SB_AU_LIB(nextLiquid) {
    int32_t x, y, size, hole;
    if (!sb_au_origin(m, a[0], &x, &y) || !sb_au_grid(m, &size)) return SB_AU_FAILED;
    if (y != sb_au_minus(size, 1)) {
        const sb_au_value below = sb_au_move(m, a[0], 0, 1);
        const sb_au_value is_free = sb_au_failed(below) ? below : sb_au_lib_isFree(m, &below, 1);
        if (sb_au_failed(is_free) || is_free.number) return sb_au_failed(is_free) ? is_free : below;
    }
    if (size > 0 && !sb_au_spend(m, size)) return SB_AU_FAILED;
    if (!find_hole(m, x, y, size, &hole)) return a[0];
    return move_to_hole(m, a[0], hole, sb_au_plus(y, 1));
}
