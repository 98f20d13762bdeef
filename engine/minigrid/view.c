#include "engine/minigrid/view.h"

#include <string.h>

/* ---- The square -------------------------------------------------------------------------------------------------- */

/* The part of a view that lies inside the grid: columns from..to and rows down to `top`, and where its cells are in the
 * grid. */
typedef struct square {
    int from, to, top;
    int origin;       /* index of view cell (0,0), which may be outside the grid */
    int across, down; /* how the index changes when i or j grows by one */
} square;

/* Returns the steps from `at` to the border along a unit vector. */
static int room_ahead(const sb_mg_world *w, sb_xy at, sb_xy step) {
    if (step.x) return step.x > 0 ? w->width - 1 - at.x : at.x;
    return step.y > 0 ? w->height - 1 - at.y : at.y;
}

static int least(int a, int b) { return a < b ? a : b; }

static square square_of(const sb_mg_world *w, int size) {
    const sb_xy ahead = sb_mg_forward(w), right = sb_mg_rightward(w), left = sb_at(-right.x, -right.y);
    const int half = size / 2;
    square s = {.from = half - least(half, room_ahead(w, w->agent, left)),
                .to = half + least(half, room_ahead(w, w->agent, right)),
                .top = size - 1 - least(size - 1, room_ahead(w, w->agent, ahead)),
                .across = right.y * w->width + right.x,
                .down = -(ahead.y * w->width + ahead.x)};
    s.origin = sb_mg_index(w, w->agent) - half * s.across - (size - 1) * s.down;
    return s;
}

/* Reads the ids of view row j; cells outside the grid are walls. */
static void read_row(const sb_mg_world *w, const square *s, int size, int j, uint8_t *ids) {
    memset(ids, SB_MG_A_WALL, (size_t)size);
    if (j < s->top) return;
    const int first = s->origin + j * s->down;
    for (int i = s->from; i <= s->to; i++) ids[i] = w->cells[first + i * s->across];
}

/* ---- Visibility -------------------------------------------------------------------------------------------------- */

static uint32_t transparent_bits(const sb_mg_world *w, const uint8_t *ids, int size) {
    uint32_t bits = 0;
    for (int i = 0; i < size; i++) bits |= (uint32_t)sb_mg_id_transparent(w, ids[i]) << i;
    return bits;
}

/* Spreads marks along a row through transparent cells, towards higher bits. */
static uint32_t spread_right(uint32_t marked, uint32_t transparent, uint32_t all) {
    /* A mark moves on through transparent cells. The cell that stops it is marked too. */
    for (uint32_t sources = marked & transparent, next; sources; sources = next & transparent & ~marked, marked |= next)
        next = sources << 1 & all;
    return marked;
}

static uint32_t spread_left(uint32_t marked, uint32_t transparent) {
    for (uint32_t sources = marked & transparent, next; sources; sources = next & transparent & ~marked, marked |= next)
        next = sources >> 1;
    return marked;
}

/* The published passes over one row: to the right over all cells but the last, then to the left over all but the first.
 * A marked transparent cell marks its neighbour and both cells above them. Returns the marks in the row above. */
static uint32_t pass_row(uint32_t *marked, uint32_t transparent, int size) {
    const uint32_t all = (1u << size) - 1, last = 1u << (size - 1);
    *marked = spread_right(*marked, transparent & ~last, all);
    const uint32_t rightwards = *marked & transparent & ~last;
    *marked = spread_left(*marked, transparent & ~1u);
    const uint32_t leftwards = *marked & transparent & ~1u;
    return rightwards | rightwards << 1 | leftwards | leftwards >> 1;
}

void sb_mg_look(const sb_mg_world *w, int size, sb_mg_visibility *visibility) {
    const square s = square_of(w, size);
    uint8_t ids[SB_MG_VIEW_MAX];
    uint32_t marked = 1u << size / 2;
    visibility->size = size;
    for (int j = size - 1; j >= 0; j--) {
        if (marked) read_row(w, &s, size, j, ids);
        const uint32_t above = marked ? pass_row(&marked, transparent_bits(w, ids, size), size) : 0;
        visibility->row[j] = marked;
        marked = above;
    }
}

bool sb_mg_view_cell(const sb_mg_world *w, int size, sb_xy at, int *i, int *j) {
    const sb_xy ahead = sb_mg_forward(w), right = sb_mg_rightward(w), way = sb_at(at.x - w->agent.x, at.y - w->agent.y);
    *i = size / 2 + way.x * right.x + way.y * right.y;
    *j = size - 1 - (way.x * ahead.x + way.y * ahead.y);
    return *i >= 0 && *i < size && *j >= 0 && *j < size;
}

bool sb_mg_sees_cell(const sb_mg_world *w, const sb_mg_visibility *visibility, sb_xy at) {
    int i, j;
    return sb_mg_view_cell(w, visibility->size, at, &i, &j) && sb_mg_sees(visibility, i, j);
}

/* ---- Codes ------------------------------------------------------------------------------------------------------- */

static void encode(const sb_mg_world *w, int id, uint8_t code[3]) {
    if (!sb_mg_is_object(id)) {
        const bool wall = id == SB_MG_A_WALL;
        code[0] = wall ? SB_MG_WALL : SB_MG_EMPTY, code[1] = wall ? SB_MG_GREY : 0, code[2] = 0;
        return;
    }
    const sb_mg_object *o = &w->objects[id];
    code[0] = o->type, code[1] = o->colour, code[2] = o->type == SB_MG_DOOR ? (uint8_t)sb_mg_state_of(o) : 0;
}

void sb_mg_encode(const sb_mg_world *w, sb_xy at, uint8_t code[3]) { encode(w, sb_mg_id_at(w, at), code); }

void sb_mg_encode_all(const sb_mg_world *w, uint8_t *codes) {
    for (int i = 0; i < sb_mg_n_cells(w); i++) encode(w, w->cells[i], codes + 3 * (ptrdiff_t)i);
}

void sb_mg_view(const sb_mg_world *w, int size, uint8_t *bytes) {
    const square s = square_of(w, size);
    uint8_t ids[SB_MG_VIEW_MAX];
    uint32_t marked = 1u << size / 2;
    memset(bytes, 0, (size_t)(3 * size * size)); /* SB_MG_UNSEEN */
    for (int j = size - 1; j >= 0 && marked; j--) {
        read_row(w, &s, size, j, ids);
        const uint32_t above = pass_row(&marked, transparent_bits(w, ids, size), size);
        if (j == size - 1) ids[size / 2] = w->carried; /* the carried object, not what is on the agent's cell */
        for (int i = 0; i < size; i++)
            if (marked >> i & 1) encode(w, ids[i], bytes + 3 * (j * size + i));
        marked = above;
    }
}
