#include "engine/minigrid/minigrid.h"
#include "engine/minigrid/tracking.h"

#include <string.h>

enum { NEVER = UINT16_MAX, POSES_MAX = SB_MG_CELLS_MAX * 4 };

/* Steps from the agent's pose to every pose (cell and direction) and, from index POSES_MAX on, to having opened the
 * door in front of a pose. */
typedef struct reach {
    const sb_mg_world *w;
    int step[4];
    unsigned keys; /* set of bits: colours of the keys that can be reached */
    uint16_t steps[2 * POSES_MAX], queue[2 * POSES_MAX];
    int n; /* entries in the queue */
} reach;

/* ---- Walking ---- */

static void come_to(reach *r, int node, int steps) {
    if (r->steps[node] != NEVER) return;
    r->steps[node] = (uint16_t)steps;
    r->queue[r->n++] = (uint16_t)node;
}

static void go_forward(reach *r, int pose, int steps) {
    const int ahead = pose + 4 * r->step[pose % 4], id = r->w->cells[ahead / 4];
    if (id == SB_MG_A_WALL || sb_mg_on_border(r->w, sb_mg_xy_of(r->w, ahead / 4))) return;
    const sb_mg_object *o = &r->w->objects[id];
    if (id == SB_MG_NOTHING || o->type != SB_MG_DOOR || o->open)
        come_to(r, ahead, steps + 1);
    else if (!o->locked || r->keys >> o->colour & 1)
        come_to(r, POSES_MAX + pose, steps + 1);
}

static void walk(reach *r) {
    const sb_mg_world *w = r->w;
    memset(r->steps, 0xff, sizeof r->steps);
    r->n = 0;
    come_to(r, sb_mg_index(w, w->agent) * 4 + w->facing, 0);
    for (int i = 0; i < r->n; i++) {
        const int node = r->queue[i], steps = r->steps[node];
        if (node >= POSES_MAX) {
            come_to(r, node - POSES_MAX + 4 * r->step[node % 4], steps + 1);
            continue;
        }
        come_to(r, (node & ~3) | ((node + 1) & 3), steps + 1);
        come_to(r, (node & ~3) | ((node + 3) & 3), steps + 1);
        go_forward(r, node, steps);
    }
}

/* Returns the steps to facing a cell. */
static int to_face(const reach *r, sb_xy at) {
    const int cell = sb_mg_index(r->w, at);
    int fewest = NEVER;
    for (int facing = 0; facing < 4; facing++) {
        const int from = cell - r->step[facing];
        if (from < 0 || from >= sb_mg_n_cells(r->w)) continue;
        const int steps = r->steps[from * 4 + facing];
        if (steps < fewest) fewest = steps;
    }
    return fewest;
}

/* Returns the steps to facing an object or having it in hand. If the object is in a box, the box counts. */
static int to_touch(const reach *r, int id) {
    const sb_mg_world *w = r->w;
    if (w->carried == id) return 0;
    if (w->objects[id].on_grid) return to_face(r, w->objects[id].at);
    for (int box = 1; box <= w->n_objects; box++)
        if (w->objects[box].content == id && w->objects[box].on_grid) return to_face(r, w->objects[box].at);
    return NEVER;
}

/* Walks again with the colours of the keys that were reached, until no new key comes within reach. */
static void explore(reach *r) {
    const sb_mg_world *w = r->w;
    unsigned before;
    do {
        before = r->keys;
        walk(r);
        for (int id = 1; id <= w->n_objects; id++)
            if (w->objects[id].type == SB_MG_KEY && to_touch(r, id) != NEVER) r->keys |= 1u << w->objects[id].colour;
    } while (r->keys != before);
}

/* ---- Singles ---- */

static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }
static int plus(int steps, int more) { return steps == NEVER ? NEVER : steps + more; }

static int to_go_to(const reach *r, const sb_mg_description *d) {
    int fewest = r->w->carried && sb_mg_tracks(d, r->w->carried) ? 1 : NEVER;
    for (int k = 0; k < d->n_positions; k++) fewest = least(fewest, to_face(r, d->positions[k]));
    return most(fewest, 1);
}

static int to_pick_up(const reach *r, const sb_mg_description *d) {
    int fewest = NEVER;
    for (int k = 0; k < d->n_objects; k++) {
        const int id = d->objects[k];
        if (!sb_mg_is_object(id) || r->w->objects[id].type == SB_MG_DOOR) continue;
        fewest = least(fewest, plus(to_touch(r, id), r->w->carried && r->w->carried != id ? 2 : 1));
    }
    return fewest;
}

static int to_open(const reach *r, const sb_mg_description *d) {
    int fewest = NEVER;
    for (int k = 0; k < d->n_objects; k++) {
        if (!sb_mg_is_object(d->objects[k])) continue;
        const sb_mg_object *door = &r->w->objects[d->objects[k]];
        if (door->type != SB_MG_DOOR) continue;
        if (door->locked && !(r->keys >> door->colour & 1)) continue;
        fewest = least(fewest, plus(to_face(r, door->at), door->open ? 2 : 1));
    }
    return fewest;
}

/* Returns the steps to dropping the carried object beside another one, which the agent may first bring nearer. */
static int to_drop_beside(const reach *r, int id) {
    int fewest = plus(to_touch(r, id), 3);
    for (int d = 0; d < 4 && r->w->objects[id].on_grid; d++) {
        const sb_xy beside = sb_mg_plus(r->w->objects[id].at, sb_mg_forward_of[d], 1);
        if (sb_mg_inside(r->w, beside) && !sb_mg_wall(r->w, beside))
            fewest = least(fewest, plus(to_face(r, beside), 1));
    }
    return fewest;
}

static int to_put_next(const reach *r, const sb_mg_description *what, const sb_mg_description *to) {
    int goal = NEVER, fewest = plus(to_pick_up(r, what), 1);
    bool in_hand = r->w->carried && sb_mg_tracks(what, r->w->carried);
    for (int k = 0; k < to->n_objects; k++)
        if (sb_mg_is_object(to->objects[k])) goal = least(goal, to_drop_beside(r, to->objects[k]));
    if (in_hand) return goal;
    return goal == NEVER ? NEVER : fewest;
}

static int to_do(const reach *r, const sb_mg_single *s) {
    switch ((sb_mg_verb)s->verb) {
    case SB_MG_GO_TO: return to_go_to(r, &s->what);
    case SB_MG_PICK_UP: return to_pick_up(r, &s->what);
    case SB_MG_OPEN: return to_open(r, &s->what);
    case SB_MG_PUT_NEXT: return to_put_next(r, &s->what, &s->to);
    }
    return 0;
}

/* ---- Missions ---- */

static bool share_objects(const sb_mg_description *a, const sb_mg_description *b) {
    for (int k = 0; k < a->n_objects; k++)
        if (sb_mg_tracks(b, a->objects[k])) return true;
    return false;
}

/* Returns whether the mission cannot succeed because the toggle that opens the first door also counts for the strict
 * second single, for which it is the wrong door. */
static bool contradicts_itself(const sb_mg_mission *m) {
    if (m->order == SB_MG_ALONE) return false;
    const sb_mg_part *first = &m->part[sb_mg_turn(m, 0)], *last = &m->part[sb_mg_turn(m, 1)];
    const sb_mg_single *a = &first->single[0], *b = &last->single[0];
    return !first->done && first->n_singles == 1 && last->n_singles == 1 && a->verb == SB_MG_OPEN &&
           b->verb == SB_MG_OPEN && b->strict && !share_objects(&a->what, &b->what);
}

int sb_mg_bound(const sb_mg_world *w) {
    reach r;
    int steps = 1;
    if (contradicts_itself(&w->mission)) return -1;
    r.w = w, r.keys = 0;
    for (int d = 0; d < 4; d++) r.step[d] = sb_mg_forward_of[d].y * w->width + sb_mg_forward_of[d].x;
    explore(&r);
    for (int p = 0; p < sb_mg_n_parts(&w->mission); p++) {
        const sb_mg_part *part = &w->mission.part[p];
        for (int i = 0; i < part->n_singles && !part->done; i++)
            if (!part->single[i].done) steps = most(steps, to_do(&r, &part->single[i]));
    }
    return steps == NEVER ? -1 : steps;
}
