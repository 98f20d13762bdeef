#include "oracles/babyai/explore.h"

#include <string.h>

#include "engine/minigrid/view.h"

/* What seeing a cell for the first time is worth, where things may lie and where doors may be. The node with the most
 * worth by steps + PATIENCE is chosen. Tuned on seeds that no table shows; others are worse by a tenth at most. */
enum { WORTH_FLOOR = 4, WORTH_WALL = 2, PATIENCE = 4 };

enum { POSES_MAX = SB_MG_CELLS_MAX * 4, NODES_MAX = 2 * POSES_MAX, NOBODY = -1 };

/* Nodes are poses (cell and direction) and, from POSES_MAX on, poses from which the door ahead was opened. */
typedef struct trip {
    const sb_chart *chart;
    sb_mg_world guess; /* what is not known is floor, but where walls are to be expected */
    int step[4];
    bool doors; /* may be opened */
    uint8_t worth[SB_MG_CELLS_MAX];
    int16_t steps[NODES_MAX], parent[NODES_MAX], queue[NODES_MAX];
    int n; /* in the queue */
} trip;

/* ---- What is worth seeing ---- */

/* A side of a room has one door at most. */
static bool has_door(const sb_mg_world *w, sb_xy at) {
    const int pitch = w->room_side - 1;
    const bool is_column = at.x % pitch == 0;
    for (int k = 1; k < pitch; k++) {
        const sb_xy other = is_column ? sb_at(at.x, at.y / pitch * pitch + k) : sb_at(at.x / pitch * pitch + k, at.y);
        const sb_mg_object *o = sb_mg_object_at(w, other);
        if (o && o->type == SB_MG_DOOR) return true;
    }
    return false;
}

static int worth_of(const sb_mg_world *w, sb_xy at, bool border) {
    const int pitch = w->room_side - 1;
    const bool on_column = at.x % pitch == 0, on_row = at.y % pitch == 0;
    if (!on_column && !on_row) return WORTH_FLOOR;
    return (sb_mg_on_border(w, at) && !border) || (on_column && on_row) || has_door(w, at) ? 0 : WORTH_WALL;
}

static void guess(trip *t, const sb_chart *chart, bool border) {
    sb_mg_world *w = &t->guess;
    t->chart = chart;
    *w = chart->now;
    for (int i = 0; i < sb_mg_n_cells(w); i++) {
        const sb_xy at = sb_mg_xy_of(w, i);
        t->worth[i] = sb_chart_has_seen(chart, at) ? 0 : (uint8_t)worth_of(w, at, border);
        if (t->worth[i] == WORTH_FLOOR) w->cells[i] = SB_MG_NOTHING;
    }
}

/* What comes into view from a node. */
static int look_from(trip *t, int node) {
    sb_mg_world *w = &t->guess;
    sb_mg_sight sight;
    int sum = 0;
    const int pose = node % POSES_MAX;
    w->agent = sb_mg_xy_of(w, pose / 4), w->facing = pose % 4;
    const int id = sb_mg_id_at(w, sb_mg_front(w));
    if (node >= POSES_MAX) w->objects[id].open = true;
    sb_mg_look(w, SB_MG_VIEW_DEFAULT, &sight);
    if (node >= POSES_MAX) w->objects[id].open = false;
    for (int j = 0; j < SB_MG_VIEW_DEFAULT; j++)
        for (int i = 0; i < SB_MG_VIEW_DEFAULT; i++) {
            const sb_xy at = sb_mg_viewed(w, SB_MG_VIEW_DEFAULT, i, j);
            if (sb_mg_sees(&sight, i, j) && sb_mg_inside(w, at)) sum += t->worth[sb_mg_index(w, at)];
        }
    return sum;
}

/* ---- Getting there ---- */

static void come_to(trip *t, int from, int next) {
    if (t->parent[next] != NOBODY) return;
    t->parent[next] = (int16_t)from;
    t->steps[next] = (int16_t)(from == next ? 0 : t->steps[from] + 1);
    t->queue[t->n++] = (int16_t)next;
}

static void go_on(trip *t, int node) {
    const sb_mg_world *w = &t->chart->now;
    const int pose = node % POSES_MAX, ahead = pose + 4 * t->step[pose % 4], id = w->cells[ahead / 4];
    if (node >= POSES_MAX) {
        come_to(t, node, ahead);
        return;
    }
    come_to(t, node, (pose & ~3) | ((pose + 1) & 3));
    come_to(t, node, (pose & ~3) | ((pose + 3) & 3));
    if (sb_mg_id_passable(w, id))
        come_to(t, node, ahead);
    else if (t->doors && id != SB_MG_A_WALL && w->objects[id].type == SB_MG_DOOR && !w->objects[id].locked)
        come_to(t, node, POSES_MAX + pose);
}

/* The node that gives the most for its steps; NOBODY if none gives anything. */
static int choose(trip *t, sb_budget *budget) {
    enum { ALL = WORTH_FLOOR * SB_MG_VIEW_DEFAULT * SB_MG_VIEW_DEFAULT };
    int best = NOBODY, gain = 0, pains = 1;
    for (int i = 0; i < t->n; i++) {
        const int node = t->queue[i], steps = t->steps[node] + PATIENCE;
        if (gain * steps > ALL * pains) break;
        const int worth = look_from(t, node);
        budget->spent++;
        if (worth * pains > gain * steps) best = node, gain = worth, pains = steps;
        go_on(t, node);
    }
    return best;
}

static sb_mg_action first_step(const trip *t, int node, int start) {
    while (t->parent[node] != start) node = t->parent[node];
    if (node >= POSES_MAX) return SB_MG_TOGGLE;
    if (node / 4 != start / 4) return SB_MG_FORWARD;
    return ((node - start) & 3) == 1 ? SB_MG_RIGHT : SB_MG_LEFT;
}

static bool is_strict(const sb_mg_mission *m) {
    for (int p = 0; p < sb_mg_n_parts(m); p++)
        if (m->part[p].single[0].verb == SB_MG_OPEN && m->part[p].single[0].strict) return true;
    return false;
}

bool sb_explore(const sb_chart *chart, bool border, sb_budget *budget, sb_mg_action *action, sb_xy *where) {
    trip t;
    const sb_mg_world *w = &chart->now;
    const int start = sb_mg_index(w, w->agent) * 4 + w->facing;
    guess(&t, chart, border && chart->is_vague);
    t.doors = !is_strict(&w->mission);
    t.n = 0;
    for (int d = 0; d < 4; d++) t.step[d] = sb_mg_forward_of[d].y * w->width + sb_mg_forward_of[d].x;
    memset(t.parent, 0xff, sizeof t.parent);
    come_to(&t, start, start);
    const int node = choose(&t, budget);
    if (node == NOBODY || node == start) return false;
    *where = sb_mg_xy_of(w, node % POSES_MAX / 4);
    *action = first_step(&t, node, start);
    return true;
}
