#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "oracles/autumn/insider.h"

/* How wide and deep it searches; how many steps on copies a plan may take, the first one, a later one, and all plans of
 * an episode together; and by how many other draws a plan is tried. */
enum {
    BEAM = 200,
    DEPTH = SB_AUTUMN_PLAN_MAX,
    FIRST_STEPS = 150000,
    LATER_STEPS = 20000,
    STEPS = 400000,
    TRIALS = 5,
    ENOUGH = 3
};

/* A state that the search came to. The states themselves are kept of two layers only. */
typedef struct node {
    uint32_t parent; /* index of the node in the layer before from which this one came */
    uint32_t off;    /* cells that are not as the goal wants them */
    sb_autumn_event event;
    uint64_t frame[2];
} node;

typedef struct search {
    sb_autumn_insight *e;
    const sb_autumn_test *test;
    const sb_autumn_state *root;
    node *layers[DEPTH + 1]; /* BEAM nodes each, made when they are needed */
    uint32_t n[DEPTH + 1];
    sb_autumn_state *states[2][BEAM]; /* states of the layer that is expanded, and of the next one */
    sb_autumn_state *copy;
    uint64_t *met; /* keys of all states: open addressing, at most half full; 0: free */
    size_t room;   /* slots of `met`: a power of two */
    uint32_t steps, limit;
    uint32_t depth, best; /* depth of the best node, and its index in that layer */
    bool reaches;         /* the goal holds at the best node */
} search;

/* ---- States ------------------------------------------------------------------------------------------------------ */

/* Counts the cells that are not as the goal wants them; UINT32_MAX: the grid has another size. The frame is in
 * e->strings afterwards. */
static uint32_t count_off(sb_autumn_insight *e, const sb_autumn_test *test, const sb_autumn_state *state) {
    const uint32_t size = test->posed->challenge.size;
    uint32_t off = 0;
    if (sb_autumn_size(state) != size) return UINT32_MAX;
    sb_autumn_frame(state, e->strings);
    for (uint32_t i = 0; i < size * size; i++) off += test->goal[i] != UINT32_MAX && test->goal[i] != e->strings[i];
    return off;
}

static void hash_frame(const sb_autumn_insight *e, const sb_autumn_test *test, uint64_t key[2]) {
    const size_t n = (size_t)test->posed->challenge.size * test->posed->challenge.size;
    sb_hash128(e->strings, n * sizeof *e->strings, key);
}

/* Whether a state was not met before; from now on it was. */
static bool is_new(search *s, const uint64_t key[2]) {
    const uint64_t one = key[0] | 1;
    size_t at = (key[1] ^ key[0]) & (s->room - 1);
    for (; s->met[at]; at = (at + 1) & (s->room - 1))
        if (s->met[at] == one) return false;
    s->met[at] = one;
    return true;
}

/* ---- Actions that are worth a try -------------------------------------------------------------------------------- */

/* What an action has in common with others that do the same: the key, the colour that is clicked on, or the place in
 * the background. */
static size_t sort_of(const search *s, const sb_autumn_state *state, sb_autumn_event event) {
    const uint32_t size = s->test->posed->challenge.size, cell = (uint32_t)event.y * size + (uint32_t)event.x;
    if (event.key != SB_AUTUMN_CLICK) return event.key;
    const uint32_t colour = s->e->strings[cell];
    if (colour == sb_autumn_background(state))
        return SB_AUTUMN_CLICK + sb_autumn_n_strings(s->e->compiled->program) + cell;
    return SB_AUTUMN_CLICK + colour;
}

/* Whether actions of this sort were tried and never did more than waiting. They get a chance now and then. */
static bool seems_idle(const search *s, size_t sort) {
    enum { TRIED = 3, NOW_AND_THEN = 8 };
    const sb_autumn_worth *worth = &s->e->worth[sort];
    return worth->tried >= TRIED && !worth->mattered && sb_bounded(&s->e->rng, NOW_AND_THEN - 1) != 0;
}

static void note(const search *s, size_t sort, bool mattered) {
    sb_autumn_worth *worth = &s->e->worth[sort];
    worth->tried += worth->tried < UINT16_MAX, worth->mattered |= mattered;
}

/* ---- Plans that work with other draws ---------------------------------------------------------------------------- */

/* Plays events on a copy, with draws of its own, until the goal holds. */
static bool leads(search *s, const sb_autumn_state *from, const sb_autumn_event *events, uint32_t n) {
    if (!sb_autumn_copy(s->copy, from)) return false;
    sb_autumn_reseed(s->copy, sb_next64(&s->e->rng));
    for (uint32_t i = 0; i < n; i++, s->steps++) {
        if (!sb_autumn_step(s->copy, events[i], NULL)) return false;
        if (count_off(s->e, s->test, s->copy) == 0) return true;
    }
    return false;
}

static bool works(search *s, const sb_autumn_state *from, const sb_autumn_event *events, uint32_t n) {
    uint32_t reached = 0;
    for (uint32_t k = 0; k < TRIALS && reached < ENOUGH; k++) reached += leads(s, from, events, n);
    return reached == ENOUGH;
}

/* The events that lead to a node. */
static void trace(const search *s, uint32_t depth, uint32_t at, sb_autumn_event *events) {
    for (; depth > 0; depth--) {
        events[depth - 1] = s->layers[depth][at].event;
        at = s->layers[depth][at].parent;
    }
}

/* ---- Searching --------------------------------------------------------------------------------------------------- */

/* Returns any of the nodes with the most cells that are off. */
static uint32_t worst_of(search *s, const node *layer) {
    const uint32_t first = (uint32_t)sb_bounded(&s->e->rng, BEAM - 1);
    uint32_t worst = first;
    for (uint32_t i = 1; i < BEAM; i++) {
        const uint32_t at = (first + i) % BEAM;
        if (layer[at].off > layer[worst].off) worst = at;
    }
    return worst;
}

/* Keeps the copy in a layer; where that is full, in place of a worse one, or of one that is as good, by chance. */
static bool keep(search *s, uint32_t depth, uint32_t parent, sb_autumn_event event, uint32_t off, uint32_t *place) {
    node *const layer = s->layers[depth];
    sb_autumn_state **const states = s->states[depth & 1];
    const bool is_full = s->n[depth] == BEAM;
    const uint32_t at = is_full ? worst_of(s, layer) : s->n[depth];
    if (is_full && (layer[at].off < off || (layer[at].off == off && sb_bounded(&s->e->rng, 1)))) return true;
    s->n[depth] += !is_full;
    if (!states[at]) states[at] = sb_autumn_new(s->e->compiled->program);
    if (!states[at] || !sb_autumn_copy(states[at], s->copy)) return false;
    layer[at] = (node){.parent = parent, .off = off, .event = event};
    hash_frame(s->e, s->test, layer[at].frame);
    *place = at;
    return true;
}

/* Keeps a node at which the goal holds if its way works with other draws, too. */
static bool conclude(search *s, uint32_t depth, uint32_t at) {
    sb_autumn_event events[DEPTH];
    trace(s, depth, at, events);
    s->reaches = works(s, s->root, events, depth);
    if (s->reaches)
        s->depth = depth, s->best = at;
    else
        s->layers[depth][at].off = 1; /* it was by luck that the goal was reached */
    return s->reaches;
}

/* Takes all actions of interest from a node, with the same draws, so that what differs is their doing. */
static bool expand(search *s, uint32_t depth, uint32_t parent) {
    sb_autumn_event events[SB_AUTUMN_INTERESTS_MAX];
    size_t sorts[SB_AUTUMN_INTERESTS_MAX];
    const sb_autumn_state *state = s->states[depth & 1][parent];
    const uint64_t draws = sb_next64(&s->e->rng);
    uint64_t waiting[2] = {0}, key[2];
    const size_t n = sb_autumn_interests(state, s->e->strings, &s->e->rng, events);
    for (size_t i = 0; i < n; i++) sorts[i] = sort_of(s, state, events[i]);
    for (size_t i = 0; i < n && s->steps < s->limit; i++) {
        if (i && seems_idle(s, sorts[i])) continue;
        if (!sb_autumn_copy(s->copy, state)) return false;
        sb_autumn_reseed(s->copy, draws);
        s->steps++;
        if (!sb_autumn_step(s->copy, events[i], NULL)) continue;
        if (!sb_autumn_hash(s->copy, false, key)) return false;
        if (i == 0) memcpy(waiting, key, sizeof key);
        note(s, sorts[i], memcmp(waiting, key, sizeof key) != 0);
        const uint32_t off = is_new(s, key) ? count_off(s->e, s->test, s->copy) : UINT32_MAX;
        uint32_t at = 0;
        if (off == UINT32_MAX) continue;
        if (!keep(s, depth + 1, parent, events[i], off, &at)) return false;
        if (off == 0 && conclude(s, depth + 1, at)) return true;
    }
    return true;
}

static bool go_deeper(search *s, uint32_t depth) {
    if (!(s->layers[depth + 1] = calloc(BEAM, sizeof **s->layers))) return false;
    for (uint32_t i = 0; i < s->n[depth] && !s->reaches; i++)
        if (!expand(s, depth, i)) return false;
    for (uint32_t i = 0; i < s->n[depth + 1] && !s->reaches; i++)
        if (s->layers[depth + 1][i].off < s->layers[s->depth][s->best].off) s->depth = depth + 1, s->best = i;
    return true;
}

static bool begin_search(search *s) {
    node *const first = s->layers[0] = calloc(BEAM, sizeof **s->layers);
    for (s->room = 1; s->room < 2 * (size_t)s->limit;) s->room *= 2;
    s->met = calloc(s->room, sizeof *s->met);
    s->copy = sb_autumn_new(s->e->compiled->program);
    uint32_t place;
    if (!first || !s->met || !s->copy || !sb_autumn_copy(s->copy, s->root)) return false;
    const uint32_t off = count_off(s->e, s->test, s->copy);
    return off == UINT32_MAX || keep(s, 0, 0, (sb_autumn_event){0}, off, &place);
}

static void free_search(search *s) {
    for (uint32_t depth = 0; depth <= DEPTH; depth++) free(s->layers[depth]);
    for (uint32_t i = 0; i < BEAM; i++) sb_autumn_free(s->states[0][i]), sb_autumn_free(s->states[1][i]);
    sb_autumn_free(s->copy);
    free(s->met);
}

/* ---- Plans ------------------------------------------------------------------------------------------------------- */

/* Takes the plan to the best node. If no state was nearer to the goal, it leads to some state far away, from where the
 * next search sees others. */
static void take_plan(search *s, uint32_t deepest) {
    sb_autumn_insight *e = s->e;
    if (s->depth == 0 && s->n[deepest]) s->depth = deepest, s->best = (uint32_t)sb_bounded(&e->rng, s->n[deepest] - 1);
    uint32_t at = s->best;
    e->n_plan = s->depth, e->at_plan = 0, e->reaches = s->reaches;
    trace(s, s->depth, at, e->plan);
    for (uint32_t depth = s->depth; depth > 0; at = s->layers[depth--][at].parent)
        memcpy(e->expected[depth], s->layers[depth][at].frame, sizeof e->expected[depth]);
}

/* Makes a plan that leads to the goal, or else to the state that was nearest to it. */
static bool make_plan(sb_autumn_insight *e, const sb_env *env, sb_budget *budget) {
    const uint32_t left = e->spent < STEPS ? STEPS - e->spent : 0, wanted = e->spent ? LATER_STEPS : FIRST_STEPS;
    search s = {.e = e,
                .test = sb_autumn_episode_of(env)->test,
                .root = sb_autumn_state_of(env),
                .limit = left < wanted ? left : wanted};
    uint32_t depth = 0;
    e->n_plan = e->at_plan = 0;
    if (!s.limit || budget->spent >= budget->limit) return budget->is_cut = true;
    bool ok = begin_search(&s);
    while (ok && depth < DEPTH && s.n[depth] && !s.reaches && s.steps < s.limit) {
        ok = go_deeper(&s, depth);
        depth += s.n[depth + 1] != 0;
        if (ok && !s.n[depth]) break;
    }
    if (ok) take_plan(&s, depth);
    e->spent += s.steps, budget->spent += s.steps;
    free_search(&s);
    return ok;
}

/* Whether the frame is the one that the plan expects now. */
static bool is_expected(sb_autumn_insight *e, const sb_env *env) {
    const sb_autumn_test *test = sb_autumn_episode_of(env)->test;
    uint64_t frame[2];
    if (e->at_plan == 0) return true;
    if (count_off(e, test, sb_autumn_state_of(env)) == UINT32_MAX) return false;
    hash_frame(e, test, frame);
    return memcmp(frame, e->expected[e->at_plan], sizeof frame) == 0;
}

/* Whether the rest of the plan is as good as it was: it leads nowhere anyway, or still to the goal. */
static bool goes_on(sb_autumn_insight *e, const sb_env *env) {
    search s = {.e = e, .test = sb_autumn_episode_of(env)->test};
    if (e->at_plan >= e->n_plan) return false;
    if (is_expected(e, env) || !e->reaches) return true;
    s.copy = sb_autumn_new(e->compiled->program);
    const bool still = s.copy && works(&s, sb_autumn_state_of(env), e->plan + e->at_plan, e->n_plan - e->at_plan);
    sb_autumn_free(s.copy);
    return still;
}

bool sb_autumn_insider_plan(sb_autumn_insight *e, const sb_env *env, sb_budget *budget, sb_action *action) {
    sb_autumn_event events[SB_AUTUMN_INTERESTS_MAX];
    const bool ok = goes_on(e, env) || make_plan(e, env, budget);
    if (ok && e->at_plan < e->n_plan) {
        *action = sb_autumn_action_of(env, e->plan[e->at_plan++]);
        return true;
    }
    if (sb_autumn_size(sb_autumn_state_of(env)) != sb_autumn_episode_of(env)->test->posed->challenge.size) return ok;
    const size_t n = sb_autumn_interests(sb_autumn_state_of(env), e->strings, &e->rng, events);
    *action = sb_autumn_action_of(env, events[sb_bounded(&e->rng, n - 1)]);
    return ok;
}
