#include "engine/minigrid/world.h"

#include <string.h>

#include "base/hash.h"

const sb_xy sb_mg_forward_of[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};

/* ---- Building ---------------------------------------------------------------------------------------------------- */

static const sb_xy nowhere = {-1, -1};

void sb_mg_clear(sb_mg_world *w, int room_side, int columns, int rows) {
    memset(w, 0, sizeof *w);
    w->room_side = (uint8_t)room_side, w->columns = (uint8_t)columns, w->rows = (uint8_t)rows;
    w->width = (uint8_t)((room_side - 1) * columns + 1);
    w->height = (uint8_t)((room_side - 1) * rows + 1);
}

int sb_mg_make_object(sb_mg_world *w, sb_mg_type type, sb_mg_colour colour) {
    if (w->n_objects == SB_MG_OBJECTS_MAX) return 0;
    const int id = ++w->n_objects;
    w->objects[id] = (sb_mg_object){
        .type = (uint8_t)type, .colour = (uint8_t)colour, .at = nowhere, .remembered = nowhere};
    return id;
}

void sb_mg_lay(sb_mg_world *w, int id, sb_xy at) {
    w->objects[id].on_grid = true, w->objects[id].at = at;
    w->cells[sb_mg_index(w, at)] = (uint8_t)id;
}

void sb_mg_put(sb_mg_world *w, int id, sb_xy at) {
    sb_mg_lay(w, id, at);
    w->objects[id].remembered = at;
}

void sb_mg_remove(sb_mg_world *w, int id) {
    sb_mg_object *o = &w->objects[id];
    w->cells[sb_mg_index(w, o->at)] = SB_MG_NOTHING;
    o->on_grid = false, o->at = nowhere;
}

void sb_mg_put_wall(sb_mg_world *w, sb_xy at) { w->cells[sb_mg_index(w, at)] = SB_MG_A_WALL; }

/* ---- Key and digest ---------------------------------------------------------------------------------------------- */

typedef struct bytes {
    uint8_t *at;
} bytes;

static void add(bytes *b, const void *data, size_t n) {
    memcpy(b->at, data, n);
    b->at += n;
}

/* Numbers for objects that follow from where they are: row by row, the content of a box after the box, then what is
 * carried, then what is nowhere. Which number an object was made with decides nothing. */
typedef struct numbering {
    uint8_t of[SB_MG_A_WALL + 1];         /* by id; 0 and SB_MG_A_WALL stay what they are */
    uint8_t order[SB_MG_OBJECTS_MAX + 1]; /* ids by number, from 1 */
    uint8_t n;
} numbering;

static void number(numbering *numbers, const sb_mg_world *w, uint8_t id) {
    for (; id && !numbers->of[id]; id = w->objects[id].content) numbers->order[numbers->of[id] = ++numbers->n] = id;
}

static void number_all(numbering *numbers, const sb_mg_world *w) {
    *numbers = (numbering){.of[SB_MG_A_WALL] = SB_MG_A_WALL};
    for (int i = 0; i < sb_mg_n_cells(w); i++) number(numbers, w, w->cells[i]);
    number(numbers, w, w->carried);
    for (int id = 1; id <= w->n_objects; id++) number(numbers, w, (uint8_t)id);
}

static void add_ids(bytes *b, const numbering *numbers, const uint8_t *ids, size_t n) {
    for (size_t i = 0; i < n; i++) *b->at++ = numbers->of[ids[i]];
}

static void add_description(bytes *b, const numbering *numbers, const sb_mg_description *d) {
    add(b, d, offsetof(sb_mg_description, objects));
    add_ids(b, numbers, d->objects, d->n_objects);
    add(b, d->positions, sizeof *d->positions * d->n_positions);
}

static void add_single(bytes *b, const numbering *numbers, const sb_mg_single *s) {
    add(b, s, offsetof(sb_mg_single, held));
    add_ids(b, numbers, &s->held, 1);
    add_description(b, numbers, &s->what);
    if (s->verb == SB_MG_PUT_NEXT) add_description(b, numbers, &s->to);
}

static void add_mission(bytes *b, const numbering *numbers, const sb_mg_mission *m) {
    add(b, m, offsetof(sb_mg_mission, part));
    for (int p = 0; p < sb_mg_n_parts(m); p++) {
        add(b, &m->part[p], offsetof(sb_mg_part, single));
        for (int i = 0; i < m->part[p].n_singles; i++) add_single(b, numbers, &m->part[p].single[i]);
    }
}

static void add_objects(bytes *b, const numbering *numbers, const sb_mg_world *w) {
    for (int i = 1; i <= w->n_objects; i++) {
        sb_mg_object o = w->objects[numbers->order[i]];
        o.content = numbers->of[o.content];
        add(b, &o, sizeof o);
    }
}

void sb_mg_key(const sb_mg_world *w, uint64_t key[2]) {
    uint8_t data[sizeof *w];
    bytes b = {data};
    numbering numbers;
    const size_t from = offsetof(sb_mg_world, width);
    number_all(&numbers, w);
    add(&b, (const uint8_t *)w + from, offsetof(sb_mg_world, carried) - from);
    add_ids(&b, &numbers, &w->carried, 1);
    add_mission(&b, &numbers, &w->mission);
    add_objects(&b, &numbers, w);
    add_ids(&b, &numbers, w->cells, (size_t)sb_mg_n_cells(w));
    sb_hash128(data, (size_t)(b.at - data), key);
}

static void add_u16(bytes *b, int value) { add(b, (uint8_t[]){(uint8_t)value, (uint8_t)((unsigned)value >> 8)}, 2); }

/* Returns 1 + the colour of the key in a box, or 0. */
static uint8_t content_code(const sb_mg_world *w, const sb_mg_object *o) {
    return o->content ? (uint8_t)(1 + w->objects[o->content].colour) : 0;
}

static void add_cell(bytes *b, const sb_mg_world *w, int id) {
    if (!sb_mg_is_object(id)) {
        static const uint8_t empty[4] = {SB_MG_EMPTY}, wall[4] = {SB_MG_WALL, SB_MG_GREY};
        add(b, id == SB_MG_A_WALL ? wall : empty, 4);
        return;
    }
    const sb_mg_object *o = &w->objects[id];
    const uint8_t state = o->type == SB_MG_DOOR ? (uint8_t)sb_mg_state_of(o) : 0;
    add(b, (uint8_t[]){o->type, o->colour, state, content_code(w, o)}, 4);
}

void sb_mg_digest(const sb_mg_world *w, uint8_t digest[32]) {
    uint8_t data[4 * SB_MG_CELLS_MAX + 16];
    const sb_mg_object *carried = sb_mg_carrying(w);
    bytes b = {data};
    add_u16(&b, w->width), add_u16(&b, w->height);
    for (int i = 0; i < sb_mg_n_cells(w); i++) add_cell(&b, w, w->cells[i]);
    add_u16(&b, w->agent.x), add_u16(&b, w->agent.y);
    add(&b, &w->facing, 1);
    add(&b, carried ? (uint8_t[]){carried->type, carried->colour, content_code(w, carried)} : (uint8_t[3]){0}, 3);
    add_u16(&b, w->steps);
    sb_sha256_of(data, (size_t)(b.at - data), digest);
}
