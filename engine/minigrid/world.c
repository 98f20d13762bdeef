/* The rules of MiniGrid as BabyAI's levels use them (docs/babyai.md). */
#include "engine/minigrid/world.h"

#include <string.h>

#include "base/hash.h"
#include "engine/minigrid/view.h"

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

/* On the grid; what is remembered stays. */
static void lay(sb_mg_world *w, int id, sb_xy at) {
    w->objects[id].on_grid = true, w->objects[id].at = at;
    w->cells[sb_mg_index(w, at)] = (uint8_t)id;
}

void sb_mg_put(sb_mg_world *w, int id, sb_xy at) {
    lay(w, id, at);
    w->objects[id].remembered = at;
}

void sb_mg_remove(sb_mg_world *w, int id) {
    sb_mg_object *o = &w->objects[id];
    w->cells[sb_mg_index(w, o->at)] = SB_MG_NOTHING;
    o->on_grid = false, o->at = nowhere;
}

void sb_mg_put_wall(sb_mg_world *w, sb_xy at) { w->cells[sb_mg_index(w, at)] = SB_MG_A_WALL; }

/* ---- The step ---------------------------------------------------------------------------------------------------- */

static void pick_up(sb_mg_world *w, int id) {
    if (w->carried || !sb_mg_is_object(id) || !sb_mg_movable(&w->objects[id])) return;
    sb_mg_remove(w, id);
    w->objects[id].remembered = nowhere;
    w->carried = (uint8_t)id;
}

static void drop(sb_mg_world *w, sb_xy at, int id) {
    if (!w->carried || id != SB_MG_NOTHING) return;
    sb_mg_put(w, w->carried, at);
    w->carried = 0;
}

static void toggle_door(const sb_mg_world *w, sb_mg_object *door) {
    if (door->locked && !sb_mg_has_key_for(w, door)) return;
    door->open = !door->open, door->locked = false;
}

/* The box is gone for good; what comes out does not remember where it is. */
static void open_box(sb_mg_world *w, int id) {
    const int content = w->objects[id].content;
    const sb_xy at = w->objects[id].at;
    sb_mg_remove(w, id);
    w->objects[id].content = 0;
    if (content) lay(w, content, at);
}

static void toggle(sb_mg_world *w, int id) {
    if (!sb_mg_is_object(id)) return;
    if (w->objects[id].type == SB_MG_DOOR) toggle_door(w, &w->objects[id]);
    if (w->objects[id].type == SB_MG_BOX) open_box(w, id);
}

static void carry_out(sb_mg_world *w, sb_mg_action action) {
    const sb_xy front = sb_mg_front(w);
    const int id = sb_mg_id_at(w, front);
    switch (action) {
    case SB_MG_LEFT: w->facing = (w->facing + 3) & 3; break;
    case SB_MG_RIGHT: w->facing = (w->facing + 1) & 3; break;
    case SB_MG_FORWARD:
        if (sb_mg_id_passable(w, id)) w->agent = front;
        break;
    case SB_MG_PICKUP: pick_up(w, id); break;
    case SB_MG_DROP: drop(w, front, id); break;
    case SB_MG_TOGGLE: toggle(w, id); break;
    default: break;
    }
}

void sb_mg_step(sb_mg_world *w, sb_mg_action action, sb_result *result) {
    w->steps++;
    carry_out(w, action);
    if (action == SB_MG_DROP) sb_mg_refresh(w);
    const sb_mg_outcome outcome = sb_mg_judge(w, action);
    result->success = outcome == SB_MG_SUCCEEDED;
    result->terminated = outcome != SB_MG_CONTINUES;
    result->truncated = w->steps >= w->max_steps;
    /* in this order of operations: recordings hold every bit */
    result->reward = result->success ? 1 - 0.9 * ((double)w->steps / w->max_steps) : 0;
    result->dense = result->reward;
}

/* A strict single judges attempts, whatever becomes of them. */
static bool is_strict(const sb_mg_mission *m) {
    for (int p = 0; p < sb_mg_n_parts(m); p++)
        for (int i = 0; i < m->part[p].n_singles; i++)
            if (m->part[p].single[i].strict) return true;
    return false;
}

unsigned sb_mg_valid(const sb_mg_world *w) {
    const int id = sb_mg_id_at(w, sb_mg_front(w));
    const sb_mg_object *o = sb_mg_is_object(id) ? &w->objects[id] : NULL;
    const bool strict = is_strict(&w->mission);
    unsigned mask = 1u << SB_MG_LEFT | 1u << SB_MG_RIGHT;
    /* The agent may begin facing what it is to go to: then any action is the one that is judged. */
    if (w->steps == 0) return (1u << SB_MG_N_ACTIONS) - 1;
    if (sb_mg_id_passable(w, id)) mask |= 1u << SB_MG_FORWARD;
    if (o && sb_mg_movable(o) && !w->carried) mask |= 1u << SB_MG_PICKUP;
    if (id == SB_MG_NOTHING && w->carried) mask |= 1u << SB_MG_DROP;
    if (o && (o->type == SB_MG_BOX || (o->type == SB_MG_DOOR && (!o->locked || sb_mg_has_key_for(w, o)))))
        mask |= 1u << SB_MG_TOGGLE;
    if (strict) mask |= 1u << SB_MG_PICKUP | 1u << SB_MG_TOGGLE;
    return mask;
}

/* ---- What an agent is shown ---------------------------------------------------------------------------------------
 */

static void forget(sb_mg_description *d) {
    const bool several = d->several;
    *d = sb_mg_the((sb_mg_type)d->type, d->colour, (sb_mg_location)d->location);
    d->several = several;
}

/* The mission as its text tells it. */
static void forget_progress(sb_mg_mission *m) {
    m->start = sb_at(0, 0), m->start_facing = 0;
    for (int p = 0; p < sb_mg_n_parts(m); p++) {
        m->part[p].done = false;
        for (int i = 0; i < m->part[p].n_singles; i++) {
            sb_mg_single *s = &m->part[p].single[i];
            s->held = 0, s->done = false;
            forget(&s->what), forget(&s->to);
        }
    }
}

/* A copy of what an object looks like; its id. */
static int portray(sb_mg_world *shown, const sb_mg_object *o) {
    const int id = sb_mg_make_object(shown, (sb_mg_type)o->type, (sb_mg_colour)o->colour);
    shown->objects[id].open = o->open, shown->objects[id].locked = o->locked;
    return id;
}

static void portray_cell(sb_mg_world *shown, sb_xy to, const sb_mg_world *w, sb_xy from) {
    const int id = sb_mg_inside(w, from) && !sb_same(from, w->agent) ? sb_mg_id_at(w, from) : SB_MG_NOTHING;
    shown->cells[sb_mg_index(shown, to)] = SB_MG_NOTHING;
    if (!sb_mg_inside(w, from) || id == SB_MG_A_WALL)
        sb_mg_put_wall(shown, to);
    else if (id)
        sb_mg_put(shown, portray(shown, &w->objects[id]), to);
}

void sb_mg_scramble(sb_mg_world *w) {
    enum { MIDDLE = SB_MG_SHOWN_SIDE / 2 };
    sb_mg_sight sight;
    sb_mg_world shown = *w;
    shown.width = shown.height = SB_MG_SHOWN_SIDE;
    shown.agent = sb_at(MIDDLE, MIDDLE);
    shown.n_objects = 0, shown.carried = 0;
    memset(shown.objects, 0, sizeof shown.objects);
    memset(shown.cells, 0, sizeof shown.cells);
    memset(shown.cells, SB_MG_A_WALL, (size_t)sb_mg_n_cells(&shown));
    forget_progress(&shown.mission);
    sb_mg_look(w, SB_MG_VIEW_DEFAULT, &sight);
    for (int i = 0; i < sb_mg_n_cells(&shown); i++) {
        const sb_xy to = sb_mg_xy_of(&shown, i), from = sb_at(w->agent.x + to.x - MIDDLE, w->agent.y + to.y - MIDDLE);
        if (sb_mg_sees_cell(w, &sight, from)) portray_cell(&shown, to, w, from);
    }
    if (w->carried) shown.carried = (uint8_t)portray(&shown, &w->objects[w->carried]);
    *w = shown;
}

/* ---- Key and digest ---------------------------------------------------------------------------------------------- */

typedef struct bytes {
    uint8_t *at;
} bytes;

static void add(bytes *b, const void *data, size_t n) {
    memcpy(b->at, data, n);
    b->at += n;
}

static void add_description(bytes *b, const sb_mg_description *d) {
    add(b, d, offsetof(sb_mg_description, objects));
    add(b, d->objects, d->n_objects);
    add(b, d->positions, sizeof *d->positions * d->n_positions);
}

static void add_single(bytes *b, const sb_mg_single *s) {
    add(b, s, offsetof(sb_mg_single, what));
    add_description(b, &s->what);
    if (s->verb == SB_MG_PUT_NEXT) add_description(b, &s->to);
}

static void add_mission(bytes *b, const sb_mg_mission *m) {
    add(b, m, offsetof(sb_mg_mission, part));
    for (int p = 0; p < sb_mg_n_parts(m); p++) {
        add(b, &m->part[p], offsetof(sb_mg_part, single));
        for (int i = 0; i < m->part[p].n_singles; i++) add_single(b, &m->part[p].single[i]);
    }
}

void sb_mg_key(const sb_mg_world *w, uint64_t key[2]) {
    uint8_t data[sizeof *w];
    bytes b = {data};
    const size_t from = offsetof(sb_mg_world, width);
    add(&b, (const uint8_t *)w + from, offsetof(sb_mg_world, mission) - from);
    add_mission(&b, &w->mission);
    add(&b, &w->objects[1], sizeof *w->objects * w->n_objects);
    add(&b, w->cells, (size_t)sb_mg_n_cells(w));
    sb_hash128(data, (size_t)(b.at - data), key);
}

static void add_u16(bytes *b, int value) { add(b, (uint8_t[]){(uint8_t)value, (uint8_t)((unsigned)value >> 8)}, 2); }

/* 1 + the colour of the key inside a box. */
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
