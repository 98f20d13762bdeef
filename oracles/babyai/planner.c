#include "oracles/babyai/planner.h"
#include "engine/minigrid/minigrid.h"
#include "engine/minigrid/tracking.h"

#include <stdio.h>
#include <string.h>

/* ---- One search ---- */

/* How much of the mission a search has to complete. */
typedef enum scope {
    THE_WHOLE,
    A_SINGLE,  /* any of the current singles, whichever is done first on the way to the whole */
    ONE_SINGLE /* one of the current singles, whatever comes after: the easiest, or else the other */
} scope;

/* How to search: each manner is tried if the one before found nothing. `work` is in states, including tables. The
 * numbers were tuned so that a search gives up early on what cannot be planned as a whole, and all of them together
 * take less than half a second. */
typedef struct manner {
    scope scope;
    sb_ease ease;
    int weight;
    uint64_t work;
} manner;

static const manner manners[] = {{THE_WHOLE, SB_NEVER_TOO_MUCH, 1, 12000}, {THE_WHOLE, SB_DOORS_COUNT, 1, 12000},
                                 {THE_WHOLE, SB_PLACES_COUNT, 2, 50000},   {A_SINGLE, SB_PLACES_RETURN, 2, 24000},
                                 {ONE_SINGLE, SB_PLACES_RETURN, 2, 20000}, {ONE_SINGLE, SB_PLACES_RETURN, 5, 40000},
                                 {ONE_SINGLE, SB_DOORS_COUNT, 5, 40000}};

enum { N_MANNERS = sizeof manners / sizeof *manners };

/* No plan is better for these toggles: closing a door that the mission does not ask for, or destroying a box that it
 * asks for. */
static bool is_foolish(const sb_planner *p, const sb_search_state *s) {
    const int id = sb_id_at(&p->scene, s, sb_front_cell(&p->scene, s));
    if (!sb_mg_is_object(id)) return false;
    const bool is_door = p->scene.world->objects[id].type == SB_MG_DOOR;
    const bool is_open = is_door && s->open >> p->scene.door_number[id] & 1;
    return is_open ? !p->scene.roles[id] : !is_door && p->scene.roles[id];
}

enum { ARRIVED = SB_MG_N_ACTIONS }; /* an extra last move to a single: it makes the search wait for the best one */

static void expand(void *context, const void *state, sb_search *search) {
    const sb_planner *p = context;
    sb_search_state here, next;
    memcpy(&here, state, sizeof here);
    if (p->manner->scope == A_SINGLE && here.done != p->start.done) {
        sb_search_add(search, &here, ARRIVED, 1, true);
        return;
    }
    const bool is_start = memcmp(&here, &p->start, sizeof here) == 0;
    for (int action = 0; action < SB_MG_N_ACTIONS; action++) {
        sb_mg_outcome outcome;
        if (action == SB_MG_TOGGLE && is_foolish(p, &here)) continue;
        if (action == SB_MG_DONE && !is_start) continue;
        if (!sb_search_state_step(&p->scene, &here, (sb_mg_action)action, &next, &outcome)) continue;
        if (outcome != SB_MG_FAILED) sb_search_add(search, &next, (uint32_t)action, 1, outcome == SB_MG_SUCCEEDED);
    }
}

static int estimate(void *context, const void *state) {
    sb_planner *p = context;
    sb_search_state s;
    memcpy(&s, state, sizeof s);
    const int cost = sb_relaxed_cost(&p->relaxed, &s);
    return cost == SB_UNREACHABLE ? -1 : cost;
}

static sb_verdict search(sb_planner *p, sb_budget *budget) {
    const sb_problem problem = {.state_size = sizeof(sb_search_state),
                                .expand = expand,
                                .bound = estimate,
                                .context = p,
                                .weight = p->manner->weight,
                                .max_cost = p->stage.max_steps - p->stage.steps};
    sb_relaxed_begin(&p->relaxed, &p->scene, p->manner->ease, budget);
    return sb_search_run(p->search, SB_PLANNER_STATES, &problem, &p->start, budget);
}

/* ---- One single at a time ---- */

/* Makes one single the mission. The others keep their roles, so what they ask for is not destroyed. */
static void make_single_the_mission(sb_planner *p, int single) {
    p->scene.part[0] = (uint8_t)(1 << single);
    p->scene.part[1] = 0;
}

static int easiest(sb_planner *p, uint8_t singles, sb_budget *budget) {
    int chosen = -1, least = 0;
    for (int i = 0; i < SB_SINGLES; i++) {
        if (!(singles >> i & 1)) continue;
        make_single_the_mission(p, i);
        sb_relaxed_begin(&p->relaxed, &p->scene, p->manner->ease, budget);
        const int cost = sb_relaxed_cost(&p->relaxed, &p->start);
        if (chosen < 0 || cost < least) chosen = i, least = cost;
    }
    return chosen;
}

static sb_verdict search_singles(sb_planner *p, sb_budget *budget) {
    const uint8_t part[2] = {p->scene.part[0], p->scene.part[1]};
    uint8_t due = sb_active(&p->scene, p->start.done);
    sb_verdict verdict = SB_NOT_FOUND;
    while (due && verdict != SB_SOLVED) {
        const int single = easiest(p, due, budget);
        sb_budget own = {.limit = p->manner->work};
        make_single_the_mission(p, single);
        verdict = search(p, &own);
        budget->spent += own.spent;
        due &= (uint8_t) ~(1 << single);
    }
    memcpy(p->scene.part, part, sizeof part);
    return verdict;
}

/* ---- The plan ---- */

static sb_verdict look(sb_planner *p, const manner *how, sb_budget *budget) {
    if (budget->spent >= budget->limit) return SB_NOT_FOUND;
    const uint64_t left = budget->limit - budget->spent;
    sb_budget part = {.limit = how->work < left ? how->work : left};
    p->manner = how;
    const sb_verdict verdict = how->scope == ONE_SINGLE ? search_singles(p, &part) : search(p, &part);
    p->manner = NULL;
    budget->spent += part.spent;
    return verdict;
}

static bool is_use(uint32_t action) { return action == SB_MG_PICKUP || action == SB_MG_DROP || action == SB_MG_TOGGLE; }

static sb_result add_step(sb_planner *p, sb_mg_action action) {
    sb_mg_world *w = &p->stage;
    sb_xy front = sb_mg_front(w);
    int id = sb_mg_id_at(w, front);
    sb_result result;
    sb_mg_step(w, action, &result);
    if (!is_use(action)) front = sb_mg_front(w), id = sb_mg_id_at(w, front);
    if (p->n < SB_PLANNER_STEPS)
        p->steps[p->n++] = (sb_planned_step){.action = (uint8_t)action, .front = (uint8_t)id, .at = front};
    return result;
}

/* Appends the plan that the search found, and plays it in the stage. */
static sb_result write_plan(sb_planner *p) {
    uint32_t moves[SB_PLANNER_STEPS];
    const int n = sb_search_plan(p->search, moves, SB_PLANNER_STEPS);
    sb_result result = {0};
    for (int i = 0; i < n && i < SB_PLANNER_STEPS && moves[i] != ARRIVED; i++)
        result = add_step(p, (sb_mg_action)moves[i]);
    return result;
}

/* Plans to the end of the mission, or else to the next single. (If a mission is impossible, a single may be done in a
 * way that fails the rest.) */
static sb_verdict plan_stage(sb_planner *p, sb_budget *budget, bool *is_last) {
    if (!sb_scene_begin(&p->scene, &p->stage, &p->start)) return SB_NOT_FOUND;
    for (int i = 0; i < N_MANNERS; i++) {
        if (look(p, &manners[i], budget) != SB_SOLVED) continue;
        const sb_result result = write_plan(p);
        *is_last = result.terminated || manners[i].scope == THE_WHOLE;
        return result.terminated && !result.success ? SB_NOT_FOUND : SB_SOLVED;
    }
    return SB_NOT_FOUND;
}

sb_verdict sb_planner_plan(sb_planner *p, const sb_mg_world *w, sb_budget *budget) {
    sb_verdict verdict = SB_SOLVED;
    bool is_last = false;
    p->world = p->stage = *w;
    p->n = p->next = 0;
    sb_mg_key(w, p->expected);
    for (int i = 0; i < SB_SINGLES && verdict == SB_SOLVED && !is_last; i++) verdict = plan_stage(p, budget, &is_last);
    if (verdict != SB_SOLVED) p->n = 0;
    return verdict;
}

/* ---- Acting ---- */

static void name_object(const sb_mg_world *w, int id, char *text, size_t size) {
    if (!sb_mg_is_object(id)) return;
    const sb_mg_object *o = &w->objects[id];
    snprintf(text, size, "%s %s", sb_mg_colour_names[o->colour], sb_mg_type_names[o->type]);
}

static const char *verb_of(const sb_mg_world *w, const sb_planned_step *step) {
    switch (step->action) {
    case SB_MG_DROP: return "drop";
    case SB_MG_PICKUP: return "pick up";
    case SB_MG_TOGGLE: return w->objects[step->front].open ? "close" : "open";
    default: return "go to";
    }
}

/* Explains what the plan is about to do: its next pickup, drop or toggle, or else the place where it ends. Nothing in
 * the world changes before that. */
static void explain(const sb_planner *p, const sb_mg_world *w, sb_intent *intent) {
    char object[sizeof intent->object] = "cell";
    int i = p->next;
    if (p->next >= p->n) {
        sb_give_up(intent, sb_mg_bound(&p->world) < 0 ? "no solution is left" : "no solution was found");
        return;
    }
    while (i + 1 < p->n && !is_use(p->steps[i].action)) i++;
    const sb_planned_step *step = &p->steps[i];
    name_object(w, step->action == SB_MG_DROP ? w->carried : step->front, object, sizeof object);
    sb_intend(intent, verb_of(w, step), object, step->at);
}

bool sb_planner_prepare(sb_planner *p, const sb_mg_world *w, sb_budget *budget) {
    uint64_t key[2];
    sb_mg_key(w, key);
    if (p->world.width == 0 || memcmp(key, p->expected, sizeof key) != 0) sb_planner_plan(p, w, budget);
    return p->next < p->n;
}

sb_mg_action sb_planner_act(sb_planner *p, const sb_mg_world *w, sb_budget *budget, sb_intent *intent) {
    sb_result result;
    const bool has_plan = sb_planner_prepare(p, w, budget);
    explain(p, w, intent);
    if (!has_plan) return SB_MG_DONE;
    const sb_mg_action action = (sb_mg_action)p->steps[p->next++].action;
    sb_mg_world after = *w;
    sb_mg_step(&after, action, &result);
    sb_mg_key(&after, p->expected);
    return action;
}
