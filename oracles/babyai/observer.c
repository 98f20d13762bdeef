/* The observer of all levels: keeps a chart of what it has seen, does what can be done with that, and explores the
 * rest. Where it finds no plan, or none that leads on, it does what the published bot would do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/minigrid/minigrid.h"
#include "engine/minigrid/tracking.h"
#include "oracles/babyai/bot.h"
#include "oracles/babyai/explore.h"
#include "oracles/babyai/planner.h"

/* What an observer may plan for. */
typedef enum attempt { TO_DO_IT, TO_FETCH, TO_SEE_MORE, TO_OPEN_BOXES, TO_SEE_BORDER, N_ATTEMPTS } attempt;

/* What only grows while an episode goes on. */
typedef struct progress {
    int seen, things, done; /* cells seen; things seen; parts and singles of the mission that are done */
} progress;

enum { SOON = 200 }; /* the most actions without progress before the published bot takes over */

typedef struct memory {
    sb_chart chart;
    sb_mg_world goal; /* the world and mission that the planner is given */
    progress progress;
    int since;                   /* actions taken when there was progress last */
    bool has_failed[N_ATTEMPTS]; /* attempts that have failed since there was progress */
    sb_outlook outlook;          /* where to look, chosen since there was progress; n is 0: nowhere */
    int walked, due; /* actions advised towards the outlook; actions taken in all when its next one is due */
    bool has_bot;    /* the bot was begun since there was progress */
    sb_bot bot;
    sb_planner planner; /* a cache */
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

/* Asks for the first single that is due. */
static void ask_next_single(memory *m) {
    const sb_mg_part *part = sb_mg_part_in_turn(&m->chart.now.mission);
    m->goal = m->chart.now;
    ask_single(&m->goal, &part->single[part->single[0].done]);
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

/* ---- What was tried ---- */

static progress progress_of(const sb_chart *c) {
    const sb_mg_mission *mission = &c->now.mission;
    progress p = {.seen = c->n_seen, .things = c->n_things};
    for (int i = 0; i < sb_mg_n_parts(mission); i++) {
        p.done += mission->part[i].done;
        for (int k = 0; k < mission->part[i].n_singles; k++) p.done += mission->part[i].single[k].done;
    }
    return p;
}

static bool is_same(progress a, progress b) { return a.seen == b.seen && a.things == b.things && a.done == b.done; }

/* Follows a plan for the goal. A search that found none is not repeated before there is progress. */
static bool follow_plan(memory *m, attempt what, sb_budget *budget, sb_mg_action *action, sb_intent *intent) {
    if (m->has_failed[what]) return false;
    m->has_failed[what] = !sb_planner_prepare(&m->planner, &m->goal, budget);
    if (m->has_failed[what]) return false;
    *action = sb_planner_act(&m->planner, &m->goal, budget, intent);
    return true;
}

/* Notes progress: then what failed may succeed, and what was begun is chosen again. */
static void take_stock(memory *m) {
    const progress now = progress_of(&m->chart);
    if (is_same(now, m->progress)) return;
    m->progress = now;
    m->since = m->chart.n_actions;
    memset(m->has_failed, 0, sizeof m->has_failed);
    m->outlook.n = 0;
    m->has_bot = false;
}

/* ---- Attempts: each returns false if it has no action ---- */

static const char unseen[] = "unseen cells";

/* Tells whether the last advice was to go towards the outlook, and was followed. */
static bool is_on_the_way(const memory *m) {
    const int n = m->chart.n_actions;
    return m->walked < m->outlook.n && m->due == n && m->chart.actions[n - 1] == m->outlook.actions[m->walked - 1];
}

/* Goes on towards the last outlook, if the agent is on its way there, or else chooses one. */
static bool look_around(memory *m, bool border, sb_budget *budget) {
    if (is_on_the_way(m)) return true;
    m->walked = 0;
    if (!sb_explore(&m->chart, border, budget, &m->outlook)) m->outlook.n = 0;
    return m->outlook.n > 0;
}

static void walk_on(memory *m, sb_mg_action *action, sb_intent *intent) {
    sb_intend(intent, "explore", unseen, sb_at(-1, -1));
    *action = (sb_mg_action)m->outlook.actions[m->walked++];
    m->due = m->chart.n_actions + 1;
}

/* Looks at what can be seen without moving things, but first fetches what can be fetched. */
static bool try_to_look(memory *m, sb_budget *budget, sb_mg_action *action, sb_intent *intent) {
    if (!look_around(m, false, budget)) return false;
    if (ask_to_fetch(m) && follow_plan(m, TO_FETCH, budget, action, intent)) return true;
    walk_on(m, action, intent);
    return true;
}

static bool try_border(memory *m, sb_budget *budget, sb_mg_action *action, sb_intent *intent) {
    if (!look_around(m, true, budget)) return false;
    walk_on(m, action, intent);
    return true;
}

/* Moves or unlocks things in order to see more. */
static bool try_edges(memory *m, attempt what, sb_budget *budget, sb_mg_action *action, sb_intent *intent) {
    if (!ask_edges(m, what == TO_SEE_BORDER) || !follow_plan(m, what, budget, action, intent)) return false;
    if (strcmp(intent->verb, "go to") == 0) sb_intend(intent, "explore", unseen, intent->at);
    return true;
}

/* Does what the published bot would do if it began here, with what is left of the mission. */
static bool act_as_published(memory *m, sb_budget *budget, sb_mg_action *action, sb_intent *intent) {
    ask_next_single(m);
    if (!m->has_bot) {
        bool known[SB_MG_CELLS_MAX] = {false};
        for (int i = 0; i < sb_mg_n_cells(&m->goal); i++)
            known[i] = sb_chart_has_seen(&m->chart, sb_mg_xy_of(&m->goal, i));
        sb_bot_begin_on_chart(&m->bot, &m->goal, known, budget);
        m->has_bot = true;
    }
    *action = sb_bot_replan(&m->bot, &m->goal, SB_BOT_NOT_TOLD, budget);
    sb_bot_explain(&m->bot, &m->goal, intent);
    return m->bot.n > 0 && !m->bot.trouble;
}

/* ---- Acting ---- */

static bool choose(memory *m, sb_budget *budget, sb_mg_action *action, sb_intent *intent) {
    if (m->chart.n_actions - m->since > SOON && act_as_published(m, budget, action, intent)) return true;
    return (ask_mission(m) && follow_plan(m, TO_DO_IT, budget, action, intent)) ||
           try_to_look(m, budget, action, intent) || try_edges(m, TO_SEE_MORE, budget, action, intent) ||
           try_border(m, budget, action, intent) ||
           (ask_boxes(m) && follow_plan(m, TO_OPEN_BOXES, budget, action, intent)) ||
           try_edges(m, TO_SEE_BORDER, budget, action, intent) || act_as_published(m, budget, action, intent);
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
    sb_mg_action chosen = SB_MG_DONE;
    if (m->chart.begun) sb_chart_act(&m->chart, (sb_mg_action)observation->env->taken);
    sb_chart_update(&m->chart, sb_mg_world_of(observation->env));
    take_stock(m);
    if (!choose(m, budget, &chosen, intent)) {
        chosen = SB_MG_DONE;
        sb_give_up(intent, "no way on is known");
    }
    explain_by_chart(m, intent);
    *action = (sb_action)chosen;
}

const sb_oracle sb_babyai_observer = {.family = "babyai",
                                      .name = "observer",
                                      .sees = SB_SEES_OBSERVATIONS,
                                      .remembers = offsetof(memory, planner),
                                      .memory = sizeof(memory),
                                      .act = act};
