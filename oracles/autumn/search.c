#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "oracles/autumn/insider.h"

/* How wide and deep it searches, and how many steps on copies a plan may take: the first one, and later ones, which are
 * many where steps draw. */
enum { BEAM = 200, DEPTH = SB_AUTUMN_PLAN_MAX, FIRST_STEPS = 40000, LATER_STEPS = 4000 };

/* A state that the search came to. */
typedef struct node {
    sb_autumn_state *state;
    uint32_t parent; /* in the layer before */
    uint32_t off;    /* cells that are not as the goal wants them */
    sb_autumn_event event;
    uint64_t frame[2], key[2];
} node;

typedef struct search {
    sb_autumn_insight *e;
    const sb_autumn_test *test;
    sb_budget *budget;
    node *layers[DEPTH + 1]; /* BEAM nodes each, made when they are needed */
    uint32_t n[DEPTH + 1];
    sb_autumn_state *copy;
    uint32_t steps, limit;
    uint32_t depth, best; /* of the best node */
    bool no_memory;
} search;

/* ---- Nodes ------------------------------------------------------------------------------------------------------- */

/* Cells that are not as the goal wants them; UINT32_MAX: the grid has another size. The frame is in e->strings. */
static uint32_t count_off(search *s, const sb_autumn_state *state) {
    const uint32_t size = s->test->posed->challenge.size;
    uint32_t off = 0;
    if (sb_autumn_size(state) != size) return UINT32_MAX;
    sb_autumn_frame(state, s->e->strings);
    for (uint32_t i = 0; i < size * size; i++)
        off += s->test->goal[i] != UINT32_MAX && s->test->goal[i] != s->e->strings[i];
    return off;
}

static void hash_frame(const search *s, uint64_t key[2]) {
    const size_t n = (size_t)s->test->posed->challenge.size * s->test->posed->challenge.size;
    sb_hash128(s->e->strings, n * sizeof *s->e->strings, key);
}

/* Keeps the copy in a layer unless it is there, or as good as the worst in a layer that is full. */
static bool keep(search *s, uint32_t depth, uint32_t parent, sb_autumn_event event, uint32_t off) {
    node *const layer = s->layers[depth];
    uint64_t key[2];
    uint32_t at = s->n[depth];
    if (!sb_autumn_hash(s->copy, false, key)) return false;
    for (uint32_t i = 0; i < s->n[depth]; i++)
        if (memcmp(layer[i].key, key, sizeof key) == 0) return true;
    if (at == BEAM) {
        at = 0;
        for (uint32_t i = 1; i < BEAM; i++)
            if (layer[i].off > layer[at].off) at = i;
        if (layer[at].off <= off) return true;
    } else {
        s->n[depth]++;
    }
    if (!layer[at].state) layer[at].state = sb_autumn_new(s->e->compiled->program);
    if (!layer[at].state || !sb_autumn_copy(layer[at].state, s->copy)) return false;
    layer[at].parent = parent, layer[at].off = off, layer[at].event = event;
    memcpy(layer[at].key, key, sizeof key);
    hash_frame(s, layer[at].frame);
    return true;
}

/* ---- Searching --------------------------------------------------------------------------------------------------- */

static bool make_layer(search *s, uint32_t depth) {
    s->n[depth] = 0;
    return (s->layers[depth] = calloc(BEAM, sizeof **s->layers)) != NULL;
}

/* Takes all actions of interest from a node. */
static bool expand(search *s, uint32_t depth, uint32_t parent) {
    sb_autumn_event events[SB_AUTUMN_INTERESTS_MAX];
    const sb_autumn_state *state = s->layers[depth][parent].state;
    const size_t n = sb_autumn_interests(state, s->e->strings, &s->e->rng, events);
    for (size_t i = 0; i < n && s->steps < s->limit; i++, s->steps++) {
        if (!sb_autumn_copy(s->copy, state)) return false;
        sb_autumn_reseed(s->copy, sb_next64(&s->e->rng));
        if (!sb_autumn_step(s->copy, events[i], NULL)) continue;
        const uint32_t off = count_off(s, s->copy);
        if (off == UINT32_MAX) continue;
        if (!keep(s, depth + 1, parent, events[i], off)) return false;
        if (off == 0) return true;
    }
    return true;
}

/* The best node of a layer. */
static uint32_t best_of(const search *s, uint32_t depth) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < s->n[depth]; i++)
        if (s->layers[depth][i].off < s->layers[depth][best].off) best = i;
    return best;
}

static bool go_deeper(search *s, uint32_t depth) {
    if (!make_layer(s, depth + 1)) return false;
    for (uint32_t i = 0; i < s->n[depth]; i++) {
        if (!expand(s, depth, i)) return false;
        const uint32_t best = s->n[depth + 1] ? best_of(s, depth + 1) : 0;
        if (s->n[depth + 1] && s->layers[depth + 1][best].off == 0) break;
    }
    if (!s->n[depth + 1]) return true;
    const uint32_t best = best_of(s, depth + 1);
    if (s->layers[depth + 1][best].off < s->layers[s->depth][s->best].off || s->depth == 0)
        s->depth = depth + 1, s->best = best;
    return true;
}

static void take_plan(const search *s) {
    sb_autumn_insight *e = s->e;
    uint32_t at = s->best;
    e->n_plan = s->depth, e->at_plan = 0;
    for (uint32_t depth = s->depth; depth > 0; depth--) {
        const node *node = &s->layers[depth][at];
        e->plan[depth - 1] = node->event;
        memcpy(e->expected[depth], node->frame, sizeof node->frame);
        at = node->parent;
    }
}

static void free_search(search *s) {
    for (uint32_t depth = 0; depth <= DEPTH; depth++) {
        for (uint32_t i = 0; s->layers[depth] && i < BEAM; i++) sb_autumn_free(s->layers[depth][i].state);
        free(s->layers[depth]);
    }
    sb_autumn_free(s->copy);
}

/* Makes a plan that leads to the goal, or else to the state that was nearest to it. */
static bool make_plan(sb_autumn_insight *e, const sb_env *env, sb_budget *budget) {
    const sb_autumn_state *now = sb_autumn_state_of(env);
    search s = {.e = e, .test = sb_autumn_episode_of(env)->test, .limit = e->n_plans++ ? LATER_STEPS : FIRST_STEPS};
    e->n_plan = e->at_plan = 0;
    if (budget->spent >= budget->limit) return budget->is_cut = true;
    s.copy = sb_autumn_new(e->compiled->program);
    bool ok = s.copy && make_layer(&s, 0) && sb_autumn_copy(s.copy, now);
    const uint32_t off = ok ? count_off(&s, s.copy) : UINT32_MAX;
    ok = ok && off != UINT32_MAX && keep(&s, 0, 0, (sb_autumn_event){0}, off);
    for (uint32_t depth = 0; ok && depth < DEPTH && s.n[depth] && s.steps < s.limit; depth++) {
        ok = go_deeper(&s, depth);
        if (s.layers[s.depth][s.best].off == 0 && s.depth) break;
    }
    if (ok) take_plan(&s);
    budget->spent += s.steps;
    free_search(&s);
    return ok;
}

/* Whether the frame is the one that the plan expects now. */
static bool is_expected(sb_autumn_insight *e, const sb_env *env) {
    search s = {.e = e, .test = sb_autumn_episode_of(env)->test};
    uint64_t frame[2];
    if (e->at_plan == 0) return true;
    if (count_off(&s, sb_autumn_state_of(env)) == UINT32_MAX) return false;
    hash_frame(&s, frame);
    return memcmp(frame, e->expected[e->at_plan], sizeof frame) == 0;
}

bool sb_autumn_insider_plan(sb_autumn_insight *e, const sb_env *env, sb_budget *budget, sb_action *action) {
    sb_autumn_event events[SB_AUTUMN_INTERESTS_MAX];
    bool ok = true;
    if (e->at_plan >= e->n_plan || !is_expected(e, env)) ok = make_plan(e, env, budget);
    if (ok && e->at_plan < e->n_plan) {
        *action = sb_autumn_action_of(env, e->plan[e->at_plan++]);
        return true;
    }
    if (sb_autumn_size(sb_autumn_state_of(env)) != sb_autumn_episode_of(env)->test->posed->challenge.size) return ok;
    const size_t n = sb_autumn_interests(sb_autumn_state_of(env), e->strings, &e->rng, events);
    *action = sb_autumn_action_of(env, events[sb_bounded(&e->rng, n - 1)]);
    return ok;
}
