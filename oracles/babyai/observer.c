/* The observer of all levels: keeps a chart of what it has seen, does what can be done with that, and explores the
 * rest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/minigrid/bound.h"
#include "engine/minigrid/tracking.h"
#include "oracles/babyai/explore.h"
#include "oracles/babyai/planner.h"

typedef struct memory {
    sb_chart chart;
    sb_mg_world goal; /* the world and mission that the planner is given */
    sb_planner planner;
} memory;

/* ---- Using what is known ---- */

static bool is_asked_for(const sb_mg_mission *mission, int id) {
    for (int p = 0; p < sb_mg_n_parts(mission); p++)
        for (int i = 0; i < mission->part[p].n_singles; i++) {
            const sb_mg_single *s = &mission->part[p].single[i];
            if (sb_mg_tracks(&s->what, id) || sb_mg_tracks(&s->to, id)) return true;
        }
    return false;
}

/* Makes one single the whole mission of the goal. Boxes that the whole mission asks for must not be destroyed on the
 * way, so they are turned into balls. */
static void ask_single(sb_mg_world *goal, const sb_mg_single *single) {
    const sb_mg_single alone = *single;
    for (int id = 1; id <= goal->n_objects; id++)
        if (goal->objects[id].type == SB_MG_BOX && is_asked_for(&goal->mission, id))
            goal->objects[id].type = SB_MG_BALL;
    memset(goal->mission.part, 0, sizeof goal->mission.part);
    goal->mission.order = SB_MG_ALONE;
    goal->mission.part[0].n_singles = 1;
    goal->mission.part[0].single[0] = alone;
    goal->mission.part[0].single[0].done = false;
}

/* Asks for the mission, or else for the single of its current part that needs the fewest steps. False if nothing can be
 * done. */
static bool ask_mission(memory *m) {
    const sb_mg_world *now = &m->chart.now;
    const sb_mg_part *part = sb_mg_part_in_turn(&now->mission);
    int fewest = 0, chosen = -1;
    m->goal = *now;
    if (sb_mg_bound(&m->goal) >= 0) return true;
    for (int i = 0; i < part->n_singles; i++) {
        if (part->single[i].done) continue;
        m->goal = *now;
        ask_single(&m->goal, &part->single[i]);
        const int steps = sb_mg_bound(&m->goal);
        if (steps >= 0 && (chosen < 0 || steps < fewest)) chosen = i, fewest = steps;
    }
    if (chosen < 0) return false;
    m->goal = *now;
    ask_single(&m->goal, &part->single[chosen]);
    return true;
}

static bool is_known(const sb_mg_description *d) { return d->n_objects > 0 && d->objects[0] != SB_MG_A_WALL; }

/* Asks to fetch what has to be put next to something unseen, before looking for that. False if there is no such thing.
 */
static bool ask_to_fetch(memory *m) {
    const sb_mg_world *now = &m->chart.now;
    const sb_mg_part *part = sb_mg_part_in_turn(&now->mission);
    for (int i = 0; i < part->n_singles && !now->carried; i++) {
        const sb_mg_single *single = &part->single[i];
        if (single->verb != SB_MG_PUT_NEXT || single->done || !is_known(&single->what)) continue;
        const sb_mg_single fetch = {.verb = SB_MG_PICK_UP, .what = single->what};
        m->goal = *now;
        ask_single(&m->goal, &fetch);
        if (sb_mg_bound(&m->goal) >= 0) return true;
    }
    return false;
}

/* ---- Exploring ---- */

typedef struct edge { /* an unseen cell beside one where the agent may be able to stand */
    sb_xy at;
    int distance;
} edge;

enum { EDGES_MAX = SB_MG_CELLS_MAX };

static int by_distance(const void *a, const void *b) {
    const edge *p = a, *q = b;
    if (p->distance != q->distance) return p->distance - q->distance;
    return p->at.y != q->at.y ? p->at.y - q->at.y : p->at.x - q->at.x;
}

static bool is_edge(const sb_chart *c, sb_xy at) {
    if (sb_chart_has_seen(c, at)) return false;
    for (int d = 0; d < 4; d++) {
        const sb_xy beside = sb_mg_plus(at, sb_mg_forward_of[d], 1);
        if (sb_mg_inside(&c->now, beside) && !sb_mg_wall(&c->now, beside)) return true;
    }
    return false;
}

/* Lists the edges, nearest first. `border`: also those at the end of the chart, if its place is not certain. */
static int find_edges(const sb_chart *c, bool border, edge edges[EDGES_MAX]) {
    int n = 0;
    for (int i = 0; i < sb_mg_n_cells(&c->now); i++) {
        const sb_xy at = sb_mg_xy_of(&c->now, i);
        if ((sb_mg_on_border(&c->now, at) && !(border && c->is_vague)) || !is_edge(c, at)) continue;
        edges[n++] = (edge){at, abs(at.x - c->now.agent.x) + abs(at.y - c->now.agent.y)};
    }
    qsort(edges, (size_t)n, sizeof *edges, by_distance);
    return n;
}

/* Asks for the way to an unseen cell, by placing things there that the agent has to go to. */
static bool ask_edges(memory *m, bool border) {
    edge edges[EDGES_MAX];
    const int n = find_edges(&m->chart, border, edges);
    sb_mg_single go = {.verb = SB_MG_GO_TO};
    m->goal = m->chart.now;
    for (int i = 0; i < n && go.what.n_objects < SB_MG_TRACKED_MAX; i++) {
        const int id = sb_mg_make_object(&m->goal, SB_MG_BALL, SB_MG_GREY);
        if (!id) break;
        m->goal.cells[sb_mg_index(&m->goal, edges[i].at)] = SB_MG_NOTHING;
        sb_mg_put(&m->goal, id, edges[i].at);
        go.what.objects[go.what.n_objects++] = (uint8_t)id;
        go.what.positions[go.what.n_positions++] = edges[i].at;
    }
    ask_single(&m->goal, &go);
    return sb_mg_bound(&m->goal) >= 0;
}

/* Assumes that the boxes contain keys to a door whose key was not seen. False if there is no such door, or no box. */
static bool ask_boxes(memory *m) {
    const sb_mg_object *lock = NULL;
    ask_mission(m);
    for (int id = 1; id <= m->goal.n_objects && !lock; id++)
        if (m->goal.objects[id].type == SB_MG_DOOR && m->goal.objects[id].locked) lock = &m->goal.objects[id];
    const int n = m->goal.n_objects;
    for (int id = 1; id <= n && lock; id++) {
        sb_mg_object *box = &m->goal.objects[id];
        if (box->type == SB_MG_BOX && box->on_grid && !box->content)
            box->content = (uint8_t)sb_mg_make_object(&m->goal, SB_MG_KEY, (sb_mg_colour)lock->colour);
    }
    return sb_mg_bound(&m->goal) >= 0;
}

/* ---- Acting ---- */

static const char unseen[] = "unseen cells";

/* Asks for what has to be moved or unlocked in order to see more, or else for what boxes may contain. */
static sb_mg_action go_to_trouble(memory *m, sb_budget *budget, sb_intent *intent) {
    const bool explores = ask_edges(m, false) || (!ask_boxes(m) && ask_edges(m, true));
    const sb_mg_action action = sb_planner_act(&m->planner, &m->goal, budget, intent);
    if (explores && strcmp(intent->verb, "go to") == 0) sb_intend(intent, "explore", unseen, intent->at);
    if (strcmp(intent->verb, sb_gives_up) == 0) sb_give_up(intent, "no way on is known");
    return action;
}

/* First does what can be done, then looks at what can be seen without moving things. */
static sb_mg_action choose(memory *m, sb_budget *budget, sb_intent *intent) {
    sb_mg_action action;
    sb_xy where;
    if (ask_mission(m)) return sb_planner_act(&m->planner, &m->goal, budget, intent);
    const bool sees_more = sb_explore(&m->chart, false, budget, &action, &where);
    if (sees_more && ask_to_fetch(m)) return sb_planner_act(&m->planner, &m->goal, budget, intent);
    if (!sees_more && (ask_edges(m, false) || !sb_explore(&m->chart, true, budget, &action, &where)))
        return go_to_trouble(m, budget, intent);
    sb_intend(intent, "explore", unseen, sb_at(-1, -1));
    return action;
}

/* Tells what the chart holds: to the planner, boxes that must not be destroyed are balls (ask_single). Tells no place
 * if the chart may lie elsewhere in the grid. */
static void explain_by_chart(const memory *m, sb_intent *intent) {
    const sb_mg_world *now = &m->chart.now;
    const int id = strcmp(intent->verb, "drop") == 0 ? now->carried
                   : intent->at.x >= 0               ? sb_mg_id_at(now, intent->at)
                                                     : 0;
    if (sb_mg_is_object(id) && now->objects[id].type == SB_MG_BOX)
        snprintf(intent->object, sizeof intent->object, "%s box", sb_mg_colour_names[now->objects[id].colour]);
    if (m->chart.is_vague) intent->at = sb_at(-1, -1);
}

static void act(void *data, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = data;
    sb_chart_update(&m->chart, sb_mg_world_of(observation->env));
    const sb_mg_action chosen = choose(m, budget, intent);
    explain_by_chart(m, intent);
    sb_chart_act(&m->chart, chosen);
    *action = (sb_action)chosen;
}

const sb_oracle sb_babyai_observer = {.family = "babyai",
                                      .name = "observer",
                                      .sees = SB_SEES_OBSERVATIONS,
                                      .remembers = true,
                                      .memory = sizeof(memory),
                                      .act = act};
