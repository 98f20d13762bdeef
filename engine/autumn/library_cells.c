/* The library: drawn cells, clicks, borders, free cells (stdlib 5). Where a function needs the cells of several values,
 * the order in which they are looked at can only be told if colours draw random numbers. */
#include <string.h>

#include "engine/autumn/library_kit.h"
#include "engine/autumn/scopes.h"

bool sb_au_grid(sb_autumn_state *m, int32_t *n) {
    const sb_au_value size = m->globals[SB_AU_GRID_SIZE];
    sb_au_read(m, SB_AU_GRID_SIZE);
    *n = size.number;
    return size.kind == SB_AU_NUMBER || (sb_au_fail(m, SB_AUTUMN_TYPE, "GRID_SIZE must be a number"), false);
}

bool sb_au_occupied(sb_autumn_state *m, int32_t x, int32_t y) {
    const sb_au_drawing *d = &m->drawing;
    if (m->all_free) return false;
    m->read_drawing = true;
    if ((uint32_t)x < d->size && (uint32_t)y < d->size) {
        const uint32_t bit = (uint32_t)y * d->size + (uint32_t)x;
        return d->occupied[bit / 64] >> (bit % 64) & 1;
    }
    if (d->n_outside) m->evaluations -= (int64_t)d->n_cells / 4; /* the next evaluation looks whether any are left */
    for (size_t i = 0; d->n_outside && i < d->n_cells; i++)
        if (d->cells[i].x == x && d->cells[i].y == y) return true;
    return false;
}

/* Pushes the cells of a value; the caller takes them off again by setting m->n_cells back. */
static bool push(sb_autumn_state *m, sb_au_value v) { return sb_au_push_cells(m, v, true); }

static bool is_same_place(const sb_autumn_cell *a, const sb_autumn_cell *b) { return a->x == b->x && a->y == b->y; }

/* ---- Elements ---------------------------------------------------------------------------------------------------- */

static sb_au_value elem_of(sb_autumn_state *m, sb_autumn_cell cell) {
    const sb_au_value position = sb_au_position(m, cell.x, cell.y);
    const sb_au_value elem = sb_au_failed(position) ? position : sb_au_new_thing(m, SB_AU_ELEM, 2, 0);
    if (sb_au_failed(elem)) return elem;
    sb_au_thing_of(m, elem)->v[0] = position;
    sb_au_thing_of(m, elem)->v[1] = sb_au_of(SB_AU_STRING, cell.colour);
    return elem;
}

/* Makes a list of the cells on the stack from `from` on, and takes them off. */
static sb_au_value elems_from(sb_autumn_state *m, size_t from) {
    const uint32_t n = (uint32_t)(m->n_cells - from);
    const sb_au_value list = sb_au_new_list(m, n, SB_AU_T_UNKNOWN);
    m->n_cells = from;
    for (uint32_t i = 0; !sb_au_failed(list) && i < n; i++) {
        const sb_au_value elem = elem_of(m, m->cells[from + i]);
        if (sb_au_failed(elem)) return elem;
        sb_au_thing_of(m, list)->v[i] = elem;
    }
    return list;
}

SB_AU_LIB(renderValue) {
    const size_t from = m->n_cells;
    if (push(m, a[0])) return elems_from(m, from);
    m->n_cells = from;
    return SB_AU_FAILED;
}

SB_AU_LIB(renderAll) {
    const size_t from = m->n_cells;
    bool ok = true;
    m->acted = true;
    for (uint32_t i = 0; ok && i < m->core.n_defined; i++) ok = sb_au_push_cells(m, m->globals[m->defined[i]], false);
    if (ok) return elems_from(m, from);
    m->n_cells = from;
    return SB_AU_FAILED;
}

/* Position of an element of `renderValue`; false: a fault was noted. */
static bool elem_xy(sb_autumn_state *m, sb_au_value elem, int32_t *x, int32_t *y) {
    return sb_au_want(m, elem, SB_AU_ELEM) && sb_au_xy(m, sb_au_item(m, elem, 0), x, y);
}

/* ---- Clicks ------------------------------------------------------------------------------------------------------ */

/* Asking for a click makes the global `click` its place (language 8, "Events"). */
static bool keep_click(sb_autumn_state *m) {
    if (m->judges) return true; /* clauses of worlds have it as a local variable */
    if (sb_au_failed(m->click)) m->click = sb_au_position(m, m->event.x, m->event.y);
    if (sb_au_failed(m->click)) return false;
    if (sb_au_failed(m->globals[SB_AU_click])) return sb_au_define_global(m, SB_AU_click, m->click);
    m->globals[SB_AU_click] = m->click;
    sb_au_changed(m, SB_AU_click);
    return true;
}

/* Of the clicks that do the same, those stay that hit one of the cells on the stack from `from` on, as this click does,
 * or that hit none of them. */
static void keep_alike(sb_autumn_state *m, size_t from, bool hit) {
    enum { WORDS = SB_AUTUMN_SIZE_MAX * SB_AUTUMN_SIZE_MAX / 64 };
    uint64_t hits[WORDS];
    const uint32_t size = m->alike_size;
    const size_t words = ((size_t)size * size + 63) / 64;
    memset(hits, 0, words * sizeof *hits);
    for (size_t i = from; i < m->n_cells; i++) {
        const uint32_t x = (uint32_t)m->cells[i].x, y = (uint32_t)m->cells[i].y;
        if (x < size && y < size) hits[(y * size + x) / 64] |= UINT64_C(1) << (y * size + x) % 64;
    }
    for (size_t i = 0; i < words; i++) m->alike[i] &= hit ? hits[i] : ~hits[i];
}

/* Whether a cell of v was clicked; a value without cells never is. False also with a fault. */
static bool is_hit(sb_autumn_state *m, sb_au_value v) {
    const size_t from = m->n_cells;
    bool hit = false;
    m->read_event = true;
    if (m->event.key != SB_AUTUMN_CLICK || !keep_click(m)) return false;
    const bool ok = sb_au_push_cells(m, v, false);
    for (size_t i = from; ok && i < m->n_cells; i++) hit |= m->cells[i].x == m->event.x && m->cells[i].y == m->event.y;
    if (ok && m->alike) keep_alike(m, from, hit);
    m->n_cells = from;
    return ok && hit;
}

SB_AU_LIB(clicked) {
    bool hit = m->event.key == SB_AUTUMN_CLICK;
    m->read_event = true;
    if (hit) hit = n ? is_hit(m, a[0]) : keep_click(m);
    return m->has_fault ? SB_AU_FAILED : sb_au_bool(hit);
}

SB_AU_LIB(objClicked) {
    uint32_t kept = 0;
    if (!sb_au_want_list(m, a[0])) return SB_AU_FAILED;
    const uint32_t length = sb_au_length(m, a[0]);
    const sb_au_value list = sb_au_new_list(m, length, SB_AU_T_UNKNOWN);
    for (uint32_t i = 0; !sb_au_failed(list) && i < length; i++) {
        const sb_au_value item = sb_au_item(m, a[0], i);
        if (is_hit(m, item)) (void)sb_au_append(m, list, &kept, item);
        if (m->has_fault) return SB_AU_FAILED;
    }
    if (!sb_au_failed(list)) sb_au_cut(m, list, kept);
    return list;
}

static sb_au_value is_pressed(sb_autumn_state *m, sb_autumn_key key) {
    m->read_event = true;
    return sb_au_bool(m->event.key == key);
}

SB_AU_LIB(left) { return is_pressed(m, SB_AUTUMN_LEFT); }
SB_AU_LIB(right) { return is_pressed(m, SB_AUTUMN_RIGHT); }
SB_AU_LIB(up) { return is_pressed(m, SB_AUTUMN_UP); }
SB_AU_LIB(down) { return is_pressed(m, SB_AUTUMN_DOWN); }

/* ---- Borders and free cells -------------------------------------------------------------------------------------- */

bool sb_au_is_within(sb_autumn_state *m, sb_au_value v) {
    const size_t from = m->n_cells;
    int32_t size;
    if (!sb_au_grid(m, &size)) return false;
    bool within = sb_au_push_cells(m, v, false);
    for (size_t i = from; within && i < m->n_cells; i++) {
        const sb_autumn_cell *c = &m->cells[i];
        within = c->x >= 0 && c->x < size && c->y >= 0 && c->y < size;
    }
    m->n_cells = from;
    return within;
}

static sb_au_value answer(const sb_autumn_state *m, bool yes) { return m->has_fault ? SB_AU_FAILED : sb_au_bool(yes); }

SB_AU_LIB(isWithinBounds) {
    const bool within = sb_au_is_within(m, a[0]);
    return answer(m, within);
}

static bool is_among(const sb_autumn_state *m, const sb_autumn_cell *cell, size_t from, size_t to, bool same_colour) {
    for (size_t i = from; i < to; i++)
        if (is_same_place(cell, &m->cells[i]) && (!same_colour || cell->colour == m->cells[i].colour)) return true;
    return false;
}

/* Whether all cells of v are free, but for those that are equal, in place and colour, to a cell of the exception. */
bool sb_au_is_free_except(sb_autumn_state *m, sb_au_value v, sb_au_value except) {
    const size_t from = m->n_cells;
    bool ok = push(m, except);
    const size_t middle = m->n_cells;
    ok = ok && push(m, v);
    for (size_t i = middle; ok && i < m->n_cells; i++) {
        const sb_autumn_cell *c = &m->cells[i];
        if (!sb_au_occupied(m, c->x, c->y)) continue;
        ok = sb_au_spend(m, (int64_t)(middle - from)) && is_among(m, c, from, middle, true);
    }
    m->n_cells = from;
    return ok;
}

SB_AU_LIB(isFreeExcept) {
    const bool is_free = sb_au_is_free_except(m, a[0], a[1]);
    return answer(m, is_free);
}

SB_AU_LIB(isFree) {
    const size_t from = m->n_cells;
    bool is_free = push(m, a[0]);
    for (size_t i = from; is_free && i < m->n_cells; i++) is_free = !sb_au_occupied(m, m->cells[i].x, m->cells[i].y);
    m->n_cells = from;
    return answer(m, is_free);
}

SB_AU_LIB(isFreePos) {
    int32_t x, y;
    return sb_au_xy(m, a[0], &x, &y) ? sb_au_bool(!sb_au_occupied(m, x, y)) : SB_AU_FAILED;
}

SB_AU_LIB(isFreePosExceptObj) {
    const size_t from = m->n_cells;
    sb_autumn_cell cell = {0};
    if (!sb_au_xy(m, a[0], &cell.x, &cell.y)) return SB_AU_FAILED;
    const bool is_free = push(m, a[1]) &&
                         (!sb_au_occupied(m, cell.x, cell.y) || is_among(m, &cell, from, m->n_cells, false));
    m->n_cells = from;
    return answer(m, is_free);
}

/* Looks at row 0 only. */
SB_AU_LIB(isFreeRangeExceptObj) {
    const size_t from = m->n_cells;
    if (!sb_au_want(m, a[0], SB_AU_NUMBER) || !sb_au_want(m, a[1], SB_AU_NUMBER)) return SB_AU_FAILED;
    bool is_free = push(m, a[2]);
    for (int32_t x = a[0].number; is_free && x < a[1].number; x++) {
        const sb_autumn_cell cell = {.x = x};
        is_free = sb_au_spend(m, 1 + (int64_t)(m->n_cells - from)) &&
                  (!sb_au_occupied(m, x, 0) || is_among(m, &cell, from, m->n_cells, false));
    }
    m->n_cells = from;
    return answer(m, is_free);
}

/* ---- Overlaps ---------------------------------------------------------------------------------------------------- */

static bool overlap(sb_autumn_state *m, size_t from, size_t middle) {
    if (!sb_au_spend(m, (int64_t)((middle - from) * (m->n_cells - middle)))) return false;
    for (size_t i = from; i < middle; i++)
        if (is_among(m, &m->cells[i], middle, m->n_cells, false)) return true;
    return false;
}

SB_AU_LIB(intersects) {
    const size_t from = m->n_cells;
    bool ok = push(m, a[0]);
    const size_t middle = m->n_cells;
    ok = ok && push(m, a[1]) && overlap(m, from, middle);
    m->n_cells = from;
    return answer(m, ok);
}

/* Whether (x, y) is the place of an item; `elems` tells what the items are. */
static bool is_in_places(sb_autumn_state *m, int32_t x, int32_t y, sb_au_value list, bool elems) {
    if (!sb_au_want_list(m, list)) return false;
    for (uint32_t i = 0; i < sb_au_length(m, list); i++) {
        int32_t u, v;
        const sb_au_value item = sb_au_item(m, list, i);
        if (!(elems ? elem_xy(m, item, &u, &v) : sb_au_xy(m, item, &u, &v))) return false;
        if (u == x && v == y) return true;
    }
    return false;
}

SB_AU_LIB(intersectsElems) {
    bool found = false;
    if (!sb_au_want_list(m, a[0]) || !sb_au_want_list(m, a[1])) return SB_AU_FAILED;
    for (uint32_t i = 0; !found && i < sb_au_length(m, a[0]); i++) {
        int32_t x, y;
        if (!elem_xy(m, sb_au_item(m, a[0], i), &x, &y)) return SB_AU_FAILED;
        found = is_in_places(m, x, y, a[1], true);
        if (m->has_fault) return SB_AU_FAILED;
    }
    return sb_au_bool(found);
}

SB_AU_LIB(intersectsPosElems) {
    int32_t x, y;
    const bool found = sb_au_xy(m, a[0], &x, &y) && is_in_places(m, x, y, a[1], true);
    return answer(m, found);
}

SB_AU_LIB(intersectsPosPoss) {
    int32_t x, y;
    const bool found = sb_au_xy(m, a[0], &x, &y) && is_in_places(m, x, y, a[1], false);
    return answer(m, found);
}

/* ---- Regions ----------------------------------------------------------------------------------------------------- */

static bool append_position(sb_autumn_state *m, sb_au_value list, uint32_t *n, int32_t x, int32_t y) {
    const sb_au_value position = sb_au_position(m, x, y);
    return !sb_au_failed(position) && sb_au_append(m, list, n, position);
}

/* Lists the neighbours inside the grid: left, right, up, down. */
SB_AU_LIB(adjPositions) {
    static const int8_t dx[] = {-1, 1, 0, 0}, dy[] = {0, 0, -1, 1};
    int32_t x, y, size;
    uint32_t kept = 0;
    if (!sb_au_xy(m, a[0], &x, &y) || !sb_au_grid(m, &size)) return SB_AU_FAILED;
    const sb_au_value list = sb_au_new_list(m, 4, SB_AU_T_UNKNOWN);
    for (int i = 0; !sb_au_failed(list) && i < 4; i++) {
        const int32_t u = sb_au_plus(x, dx[i]), v = sb_au_plus(y, dy[i]);
        if (u < 0 || u >= size || v < 0 || v >= size) continue;
        if (!append_position(m, list, &kept, u, v)) return SB_AU_FAILED;
    }
    if (!sb_au_failed(list)) sb_au_cut(m, list, kept);
    return list;
}

/* Lists positions column by column. */
SB_AU_LIB(allPositions) {
    const sb_au_value height = a[n - 1];
    uint32_t kept = 0;
    if (!sb_au_want(m, a[0], SB_AU_NUMBER) || !sb_au_want(m, height, SB_AU_NUMBER)) return SB_AU_FAILED;
    const int64_t w = a[0].number > 0 ? a[0].number : 0, h = height.number > 0 ? height.number : 0;
    if (!sb_au_spend(m, w * h)) return SB_AU_FAILED;
    const sb_au_value list = sb_au_new_list(m, (uint32_t)(w * h), SB_AU_T_UNKNOWN);
    for (int32_t i = 0; !sb_au_failed(list) && i < w * h; i++)
        if (!append_position(m, list, &kept, (int32_t)(i / h), (int32_t)(i % h))) return SB_AU_FAILED;
    return list;
}

/* Lists positions row by row, without the far borders. */
SB_AU_LIB(rect) {
    int32_t x, y, right, bottom;
    uint32_t kept = 0;
    if (!sb_au_xy(m, a[0], &x, &y) || !sb_au_xy(m, a[1], &right, &bottom)) return SB_AU_FAILED;
    const int64_t w = (int64_t)right - x > 0 ? (int64_t)right - x : 0;
    const int64_t h = (int64_t)bottom - y > 0 ? (int64_t)bottom - y : 0;
    if (!sb_au_spend(m, w) || !sb_au_spend(m, h) || !sb_au_spend(m, w * h)) return SB_AU_FAILED;
    const sb_au_value list = sb_au_new_list(m, (uint32_t)(w * h), SB_AU_T_UNKNOWN);
    for (int64_t i = 0; !sb_au_failed(list) && i < w * h; i++)
        if (!append_position(m, list, &kept, (int32_t)(x + i % w), (int32_t)(y + i / w))) return SB_AU_FAILED;
    if (!sb_au_failed(list)) sb_au_thing_of(m, list)->type = SB_AU_T_UNKNOWN;
    return list;
}
