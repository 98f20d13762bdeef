#include "oracles/babyai/planner.h"

#include <stdio.h>
#include <string.h>

/* ---- One search ---- */

/* How to look: each is tried when the one before found nothing. */
typedef struct manner {
    sb_ease ease;
    int weight;
    uint64_t states;
} manner;

static const manner manners[] = {{SB_NEVER_TOO_MUCH, 1, 4000},
                                 {SB_DOORS_COUNT, 1, 8000},
                                 {SB_PLACES_COUNT, 2, 10000},
                                 {SB_PLACES_COUNT, 5, 20000},
                                 {SB_ALWAYS_COUNT, 5, SB_PLANNER_STATES}};

/* What no plan gains from: shutting a door that nobody asked to open, destroying a box that is asked for. */
static bool is_foolish(const sb_planner *p, const sb_situation *s) {
    const int id = sb_id_at(&p->scene, s, sb_front_cell(&p->scene, s));
    if (!sb_mg_is_object(id)) return false;
    const bool is_door = p->scene.world->objects[id].type == SB_MG_DOOR;
    const bool is_open = is_door && s->open >> p->scene.door_number[id] & 1;
    return is_open ? !p->scene.roles[id] : !is_door && p->scene.roles[id];
}

static void expand(void *context, const void *state, sb_search *search) {
    const sb_planner *p = context;
    sb_situation here, next;
    memcpy(&here, state, sizeof here);
    const bool is_start = memcmp(&here, &p->start, sizeof here) == 0;
    for (int action = 0; action < SB_MG_N_ACTIONS; action++) {
        sb_mg_outcome outcome;
        if (action == SB_MG_TOGGLE && is_foolish(p, &here)) continue;
        if (action == SB_MG_DONE && !is_start) continue;
        if (!sb_situation_step(&p->scene, &here, (sb_mg_action)action, &next, &outcome)) continue;
        if (outcome != SB_MG_FAILED) sb_search_add(search, &next, (uint32_t)action, 1, outcome == SB_MG_SUCCEEDED);
    }
}

static int estimate(void *context, const void *state) {
    sb_planner *p = context;
    sb_situation s;
    memcpy(&s, state, sizeof s);
    const int cost = sb_relaxed_cost(&p->relaxed, &s);
    return cost == SB_UNREACHABLE ? -1 : cost;
}

static sb_verdict look(sb_planner *p, const manner *how, sb_budget *budget) {
    const sb_problem problem = {.state_size = sizeof(sb_situation),
                                .expand = expand,
                                .bound = estimate,
                                .context = p,
                                .weight = how->weight,
                                .max_cost = p->world.max_steps - p->world.steps};
    const uint64_t left = budget->limit - budget->spent;
    sb_budget part = {.limit = how->states < left ? how->states : left};
    sb_relaxed_begin(&p->relaxed, &p->scene, how->ease);
    const sb_verdict verdict = sb_search_run(p->search, SB_PLANNER_STATES, &problem, &p->start, &part);
    budget->spent += part.spent;
    return verdict;
}

/* ---- The plan ---- */

static bool is_use(uint32_t action) { return action == SB_MG_PICKUP || action == SB_MG_DROP || action == SB_MG_TOGGLE; }

static void write_plan(sb_planner *p) {
    uint32_t moves[SB_PLANNER_STEPS];
    const int n = sb_search_plan(p->search, moves, SB_PLANNER_STEPS);
    sb_situation here = p->start, next;
    sb_mg_outcome outcome;
    p->n = n < SB_PLANNER_STEPS ? n : SB_PLANNER_STEPS;
    for (int i = 0; i < p->n; i++, here = next) {
        sb_situation_step(&p->scene, &here, (sb_mg_action)moves[i], &next, &outcome);
        const sb_situation *then = is_use(moves[i]) ? &here : &next;
        const int front = sb_front_cell(&p->scene, then);
        p->steps[i] = (sb_planned){.action = (uint8_t)moves[i],
                                   .front = (uint8_t)sb_id_at(&p->scene, then, front),
                                   .at = sb_mg_xy_of(&p->world, front)};
    }
}

sb_verdict sb_planner_plan(sb_planner *p, const sb_mg_world *w, sb_budget *budget) {
    sb_verdict verdict = SB_NOT_FOUND;
    p->world = *w;
    p->n = p->next = 0;
    sb_mg_key(w, p->expected);
    if (!sb_scene_begin(&p->scene, &p->world, &p->start)) return SB_NOT_FOUND;
    for (size_t i = 0; i < sizeof manners / sizeof *manners && verdict != SB_SOLVED; i++) {
        verdict = look(p, &manners[i], budget);
        p->fewest = verdict == SB_SOLVED && manners[i].ease == SB_NEVER_TOO_MUCH;
    }
    if (verdict == SB_SOLVED) write_plan(p);
    return verdict;
}

/* ---- Acting ---- */

static void name_object(const sb_mg_world *w, int id, char *text, size_t size) {
    if (!sb_mg_is_object(id)) return;
    const sb_mg_object *o = &w->objects[id];
    snprintf(text, size, "%s %s", sb_mg_colour_names[o->colour], sb_mg_type_names[o->type]);
}

/* What the plan is about to do: its next pickup, drop or toggle, or the place where it ends. */
static void explain(const sb_planner *p, sb_intent *intent) {
    char object[24] = "nothing";
    int i = p->next, held = p->world.carried;
    if (p->next >= p->n) {
        sb_intend(intent, "wait for", "nothing", sb_at(-1, -1));
        return;
    }
    while (i + 1 < p->n && !is_use(p->steps[i].action)) i++;
    for (int k = 0; k < i; k++) held = p->steps[k].action == SB_MG_PICKUP ? p->steps[k].front : held;
    const sb_planned *step = &p->steps[i];
    const bool drops = step->action == SB_MG_DROP;
    name_object(&p->world, drops ? held : step->front, object, sizeof object);
    sb_intend(intent,
              drops                          ? "drop"
              : step->action == SB_MG_PICKUP ? "pick up"
              : step->action == SB_MG_TOGGLE ? "open"
                                             : "go to",
              object, step->at);
}

sb_mg_action sb_planner_act(sb_planner *p, const sb_mg_world *w, sb_budget *budget, sb_intent *intent) {
    uint64_t key[2];
    sb_result result;
    sb_mg_key(w, key);
    if (p->world.width == 0 || memcmp(key, p->expected, sizeof key) != 0) sb_planner_plan(p, w, budget);
    explain(p, intent);
    if (p->next >= p->n) return SB_MG_DONE;
    const sb_mg_action action = (sb_mg_action)p->steps[p->next++].action;
    sb_mg_world after = *w;
    sb_mg_step(&after, action, &result);
    sb_mg_key(&after, p->expected);
    return action;
}
