#include "oracles/kits/pushing.h"

#include <stdio.h>
#include <string.h>

bool sb_all_kept(const sb_pushing *p, const sb_push_state *l) {
    int n = 0;
    for (int i = 0; i < p->n_things; i++) n += sb_kept_by(p, l, i) >= 0;
    return n == p->n_goals;
}

void sb_lay_out(const sb_pushing *p, const sb_push_state *l, uint8_t holds[SB_PUSHING_CELLS]) {
    memcpy(holds, p->ground, SB_PUSHING_CELLS);
    for (int i = 0; i < p->n_things; i++) holds[l->thing[i]] = sb_kept_by(p, l, i) < 0 ? SB_GROUND_THING : p->kept;
}

bool sb_is_stuck(const sb_pushing *p, const uint8_t *holds, int cell) {
    for (int i = 0; i < 4; i++) {
        const int beside = cell + p->step_of[i], next = p->step_of[(i + 1) % 4];
        if (holds[beside] >= SB_GROUND_THING && holds[cell + next] >= SB_GROUND_THING &&
            holds[beside + next] >= SB_GROUND_THING)
            return true;
    }
    return false;
}

static int count_stuck(const sb_pushing *p, const sb_push_state *l) {
    uint8_t holds[SB_PUSHING_CELLS];
    int n = 0;
    sb_lay_out(p, l, holds);
    for (int i = 0; i < p->n_things; i++) n += sb_kept_by(p, l, i) < 0 && sb_is_stuck(p, holds, l->thing[i]);
    return n;
}

void sb_pushing_give_up(const sb_pushing *p, const sb_push_state *l, const char *one, const char *several,
                        const sb_plan *plan, sb_action *action, sb_intent *intent) {
    char why[sizeof intent->object];
    const int n = count_stuck(p, l);
    if (n == 1)
        snprintf(why, sizeof why, "a %s is stuck", one);
    else if (n == 2 && p->n_things == 2)
        snprintf(why, sizeof why, "both %s are stuck", several);
    else
        snprintf(why, sizeof why, "%d %s are stuck", n, several);
    sb_plan_give_up(plan, n ? why : NULL, action, intent);
}

/* ---- Moves ---- */

static void look_around(const sb_pushing *p, const sb_push_state *l, int from, sb_push_area *survey) {
    uint8_t queue[SB_PUSHING_CELLS];
    int n = 0;
    sb_lay_out(p, l, survey->holds);
    memset(survey->steps, 0, sizeof survey->steps);
    survey->steps[from] = 1;
    queue[n++] = (uint8_t)from;
    for (int i = 0; i < n; i++)
        for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
            const int to = queue[i] + p->step_of[d];
            if (survey->holds[to] > SB_GROUND_WALKED || survey->steps[to]) continue;
            survey->steps[to] = (uint8_t)(survey->steps[queue[i]] + 1);
            queue[n++] = (uint8_t)to;
        }
}

/* A set of cells, one bit each. */
typedef struct cells {
    uint64_t word[4];
} cells;

_Static_assert(SB_PUSHING_CELLS <= 4 * 64, "a cell has a bit");

static void put(cells *set, int cell) { set->word[cell / 64] |= UINT64_C(1) << cell % 64; }

static cells walkable(const uint8_t *holds) {
    cells set = {0};
    for (int i = 0; i < SB_PUSHING_CELLS; i++) set.word[i / 64] |= (uint64_t)(holds[i] <= SB_GROUND_WALKED) << i % 64;
    return set;
}

/* Returns the cells beside those of the set, which are within the walls. */
static cells beside(const cells *set, int width) {
    const uint64_t *w = set->word;
    cells all;
    for (int i = 0; i < 4; i++) {
        const uint64_t below = i > 0 ? w[i - 1] : 0, above = i < 3 ? w[i + 1] : 0;
        all.word[i] = w[i] << 1 | below >> 63 | w[i] >> 1 | above << 63;
        all.word[i] |= w[i] << width | below >> (64 - width) | w[i] >> width | above << (64 - width);
    }
    return all;
}

/* Writes the steps to those cells of the front that are wanted, and takes them off the wanted ones. */
static void note(cells *wanted, const cells *front, int steps, uint8_t *all_steps) {
    for (int i = 0; i < 4; i++) {
        for (uint64_t hits = wanted->word[i] & front->word[i]; hits; hits &= hits - 1)
            all_steps[64 * i + __builtin_ctzll(hits)] = (uint8_t)steps;
        wanted->word[i] &= ~front->word[i];
    }
}

static bool is_empty(const cells *set) { return !(set->word[0] | set->word[1] | set->word[2] | set->word[3]); }

/* Like look_around from the agent, but only for the cells beside things that can be pushed: all cells at one distance
 * are looked at together. */
static void look_beside_things(const sb_pushing *p, const sb_push_state *l, sb_push_area *survey) {
    cells wanted = {0}, front = {0};
    sb_lay_out(p, l, survey->holds);
    memset(survey->steps, 0, sizeof survey->steps);
    cells open = walkable(survey->holds);
    for (int i = 0; i < p->n_things; i++)
        for (int d = 0; d < 4 && sb_kept_by(p, l, i) < 0; d++) put(&wanted, l->thing[i] + p->step_of[d]);
    for (int i = 0; i < 4; i++) wanted.word[i] &= open.word[i];
    put(&front, l->agent);
    for (int steps = 1; !is_empty(&front) && !is_empty(&wanted); steps++) {
        note(&wanted, &front, steps, survey->steps);
        for (int i = 0; i < 4; i++) open.word[i] &= ~front.word[i];
        front = beside(&front, p->step_of[SB_SOUTH]);
        for (int i = 0; i < 4; i++) front.word[i] &= open.word[i];
    }
}

/* Returns the layout after the agent has pushed thing i to a neighbouring cell. */
static sb_push_state pushed(const sb_pushing *p, const sb_push_state *l, int i, int to) {
    sb_push_state next = *l;
    uint8_t *thing = next.thing;
    next.agent = thing[i];
    for (; i > 0 && p->type[i - 1] == p->type[i] && thing[i - 1] > to; i--) thing[i] = thing[i - 1];
    for (; i + 1 < p->n_things && p->type[i + 1] == p->type[i] && thing[i + 1] < to; i++) thing[i] = thing[i + 1];
    thing[i] = (uint8_t)to;
    return next;
}

static uint32_t move_of(int thing, sb_direction d) { return (uint32_t)thing << 2 | (uint32_t)d; }

void sb_pushing_expand(void *context, const void *state, sb_search *search) {
    sb_pushing *p = context;
    const sb_push_state *l = state;
    p->n_expanded++, p->before = *l;
    look_beside_things(p, l, &p->survey);
    for (int i = 0; i < p->n_things; i++) {
        if (sb_kept_by(p, l, i) >= 0) continue;
        for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
            const int behind = l->thing[i] - p->step_of[d], to = l->thing[i] + p->step_of[d];
            const uint8_t there = p->survey.holds[to];
            if (!p->survey.steps[behind] || (there != SB_GROUND_FREE && there != SB_GROUND_PIT)) continue;
            const sb_push_state next = pushed(p, l, i, to);
            p->thing = i, p->to = to, p->cost = p->survey.steps[behind];
            sb_search_add(search, &next, move_of(i, d), p->cost, p->is_done(p, &next));
        }
    }
}

sb_verdict sb_pushing_search(sb_pushing *p, void *memory, uint32_t n_states, const sb_push_state *start, int weight,
                             int max_cost, sb_budget *budget) {
    const sb_problem problem = {.state_size = sizeof *start,
                                .expand = sb_pushing_expand,
                                .bound = p->bound,
                                .context = p,
                                .weight = weight,
                                .max_cost = max_cost};
    p->n_expanded = 0;
    const uint64_t before = budget->spent;
    const sb_verdict verdict = sb_search_run(memory, n_states, &problem, start, budget);
    if (verdict == SB_IMPOSSIBLE && budget->spent == before) budget->spent++; /* the bound looked at the start */
    return verdict;
}

/* ---- The plan ---- */

static void add_walk(const sb_pushing *p, const sb_push_area *survey, int from, sb_plan *plan) {
    for (int at = from; survey->steps[at] > 1;) {
        sb_direction d = SB_NORTH;
        while (survey->steps[at + p->step_of[d]] != survey->steps[at] - 1) d++;
        sb_plan_add(plan, sb_move_of(d));
        at += p->step_of[d];
    }
}

void sb_pushing_plan(const sb_pushing *p, const void *memory, const sb_push_state *start, sb_plan *plan) {
    uint32_t moves[SB_PLAN_MAX];
    sb_push_state l = *start;
    sb_push_area survey;
    const int n = sb_search_plan(memory, moves, SB_PLAN_MAX);
    for (int k = 0; k < n; k++) {
        const int i = (int)(moves[k] >> 2);
        const sb_direction d = (sb_direction)(moves[k] & 3);
        look_around(p, &l, l.thing[i] - p->step_of[d], &survey);
        add_walk(p, &survey, l.agent, plan);
        sb_plan_add(plan, sb_move_of(d));
        l = pushed(p, &l, i, l.thing[i] + p->step_of[d]);
    }
}

bool sb_pushing_is_hopeless(const sb_plan *plan, const sb_push_state *before, const sb_push_state *now,
                            const sb_episode *e) {
    return plan->is_begun && plan->verdict != SB_SOLVED && plan->clock <= e->clock &&
           memcmp(before->thing, now->thing, sizeof before->thing) == 0;
}
