#include "generators/autumn/challenges/tracker.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "seeds/rng.h"

/* Some states. `all` may hold more than `n`: memory that is used again. */
typedef struct states {
    sb_autumn_state **all;
    size_t n, capacity;
} states;

struct sb_autumn_tracker {
    const sb_autumn_program *program;
    sb_autumn_support_limits limits;
    states now, next, cloud, next_cloud;
    sb_autumn_state *copy;
    sb_autumn_tape tape;
    uint64_t (*keys)[2]; /* keys of the states in `next`, by open addressing; both 0: free */
    size_t n_keys;       /* a power of two, at least twice the limit of states in use */
    uint32_t *frame;
    size_t frame_capacity;
    uint64_t taken; /* outcomes that were taken in all steps */
    size_t largest;
    sb_rng rng; /* random numbers of particles */
    bool hit, drew, out_of_memory;
};

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

sb_autumn_tracker *sb_autumn_tracker_new(const sb_autumn_program *program, const sb_autumn_support_limits *limits) {
    sb_autumn_tracker *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->program = program;
    if (limits) t->limits = *limits;
    if (!t->limits.branches) t->limits.branches = SB_AUTUMN_BRANCHES;
    if (!t->limits.states) t->limits.states = SB_AUTUMN_SUPPORT;
    if (!t->limits.total) t->limits.total = UINT64_MAX;
    t->copy = sb_autumn_new(program);
    t->tape = (sb_autumn_tape){.records = true, .zero = true};
    t->n_keys = 64;
    t->keys = calloc(t->n_keys, sizeof *t->keys);
    if (t->copy && t->keys) return t;
    sb_autumn_tracker_free(t);
    return NULL;
}

static void free_states(states *s) {
    for (size_t i = 0; i < s->capacity; i++) sb_autumn_free(s->all[i]);
    free(s->all);
}

void sb_autumn_tracker_free(sb_autumn_tracker *t) {
    if (!t) return;
    free_states(&t->now), free_states(&t->next), free_states(&t->cloud), free_states(&t->next_cloud);
    sb_autumn_free(t->copy);
    sb_autumn_tape_free(&t->tape);
    free(t->keys), free(t->frame);
    free(t);
}

static bool add_state(sb_autumn_tracker *t, states *s, const sb_autumn_state *state) {
    const size_t before = s->capacity;
    if (!SB_GROW(s->all, s->n + 1, s->capacity)) return t->out_of_memory = true, false;
    memset(s->all + before, 0, (s->capacity - before) * sizeof(sb_autumn_state *));
    if (!s->all[s->n]) s->all[s->n] = sb_autumn_new(t->program);
    if (!s->all[s->n] || !sb_autumn_copy(s->all[s->n], state)) return t->out_of_memory = true, false;
    s->n++;
    return true;
}

static void swap(states *a, states *b) {
    const states old = *a;
    *a = *b;
    *b = old;
}

bool sb_autumn_tracker_begin(sb_autumn_tracker *t, const sb_autumn_state *state) {
    t->now.n = t->cloud.n = 0;
    t->taken = 0;
    t->largest = 1;
    t->hit = t->drew = t->out_of_memory = false;
    sb_rng_seed(&t->rng, 0, NULL);
    return add_state(t, &t->now, state);
}

static bool copy_states(sb_autumn_tracker *t, states *to, const states *from) {
    to->n = 0;
    for (size_t i = 0; i < from->n; i++)
        if (!add_state(t, to, from->all[i])) return false;
    return true;
}

bool sb_autumn_tracker_copy(sb_autumn_tracker *to, const sb_autumn_tracker *from) {
    to->taken = from->taken, to->largest = from->largest, to->rng = from->rng;
    to->hit = from->hit, to->drew = from->drew, to->out_of_memory = from->out_of_memory;
    return copy_states(to, &to->now, &from->now) && copy_states(to, &to->cloud, &from->cloud);
}

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

static bool fits(sb_autumn_tracker *t, const sb_autumn_state *state, sb_autumn_shown shown) {
    const size_t n = (size_t)shown.size * shown.size;
    if (sb_autumn_size(state) != shown.size) return false;
    if (n > t->frame_capacity) {
        uint32_t *const larger = realloc(t->frame, n * sizeof *larger);
        if (!larger) return t->out_of_memory = true, false;
        t->frame = larger, t->frame_capacity = n;
    }
    sb_autumn_frame(state, t->frame);
    for (size_t i = 0; i < n; i++)
        if (shown.colours[i] != SB_AUTUMN_UNSEEN && shown.colours[i] != t->frame[i]) return false;
    return true;
}

/* ---- States that are new ----------------------------------------------------------------------------------------- */

static uint64_t *place_of(const sb_autumn_tracker *t, const uint64_t key[2]) {
    size_t at = key[0] & (t->n_keys - 1);
    while ((t->keys[at][0] || t->keys[at][1]) && memcmp(t->keys[at], key, sizeof t->keys[at]) != 0)
        at = (at + 1) & (t->n_keys - 1);
    return t->keys[at];
}

static bool grow_keys(sb_autumn_tracker *t) {
    uint64_t(*const old)[2] = t->keys;
    const size_t n = t->n_keys;
    uint64_t(*const larger)[2] = calloc(2 * n, sizeof *larger);
    if (!larger) return t->out_of_memory = true, false;
    t->keys = larger, t->n_keys = 2 * n;
    for (size_t i = 0; i < n; i++)
        if (old[i][0] || old[i][1]) memcpy(place_of(t, old[i]), old[i], sizeof old[i]);
    free(old);
    return true;
}

/* Keeps the copy if no equal state was kept. */
static bool keep(sb_autumn_tracker *t) {
    uint64_t key[2];
    if (!sb_autumn_hash(t->copy, false, key)) return t->out_of_memory = true, false;
    uint64_t *const place = place_of(t, key);
    if (place[0] || place[1]) return true;
    if (t->next.n == t->limits.states) return t->hit = true, false;
    memcpy(place, key, sizeof key);
    if (!add_state(t, &t->next, t->copy)) return false;
    return 2 * (t->next.n + 1) <= t->n_keys || grow_keys(t);
}

/* ---- All outcomes ------------------------------------------------------------------------------------------------ */

/* Takes the branch of the tape on the copy. A step that fails has no frame, so it is no outcome. */
static bool take_branch(sb_autumn_tracker *t, const sb_autumn_state *state, sb_autumn_event event, bool *stepped) {
    if (!sb_autumn_copy(t->copy, state)) return t->out_of_memory = true, false;
    *stepped = sb_autumn_step(t->copy, event, &t->tape);
    t->taken++;
    t->drew |= t->tape.used != 0;
    if (!*stepped && sb_autumn_fault_of(t->copy)->kind == SB_AUTUMN_MEMORY) t->out_of_memory = true;
    return !t->out_of_memory;
}

/* What is done with an outcome that fits; false ends the enumeration. */
typedef bool with_outcome(sb_autumn_tracker *t);

/* Goes through all outcomes of a state that fit. False: a limit was hit, memory ran out, or `with` ended it. */
static bool each_outcome(sb_autumn_tracker *t, const sb_autumn_state *state, sb_autumn_event event,
                         sb_autumn_shown shown, with_outcome *with) {
    uint32_t branches = 0;
    bool stepped;
    t->tape.n = t->tape.used = 0;
    do {
        if (branches++ == t->limits.branches || t->taken >= t->limits.total) return t->hit = true, false;
        if (!take_branch(t, state, event, &stepped)) return false;
        if (stepped && fits(t, t->copy, shown) && !with(t)) return false;
        if (t->out_of_memory) return false;
    } while (sb_autumn_tape_next(&t->tape));
    return true;
}

static bool end_here(sb_autumn_tracker *t) {
    t->next.n = 1; /* says that there was an outcome */
    return false;
}

/* ---- Particles --------------------------------------------------------------------------------------------------- */

/* Each particle tries some draws until its frame fits; survivors are copied until there are as many as before. */
static bool move_cloud(sb_autumn_tracker *t, sb_autumn_event event, sb_autumn_shown shown) {
    enum { TRIES = 32 };
    t->next_cloud.n = 0;
    for (size_t i = 0; i < t->cloud.n; i++)
        for (int k = 0; k < TRIES; k++) {
            if (!sb_autumn_copy(t->copy, t->cloud.all[i])) return t->out_of_memory = true, false;
            sb_autumn_reseed(t->copy, sb_next64(&t->rng));
            if (!sb_autumn_step(t->copy, event, NULL) || !fits(t, t->copy, shown)) continue;
            if (!add_state(t, &t->next_cloud, t->copy)) return false;
            break;
        }
    const size_t survivors = t->next_cloud.n;
    for (size_t i = 0; survivors && t->next_cloud.n < t->limits.particles; i++)
        if (!add_state(t, &t->next_cloud, t->next_cloud.all[i % survivors])) return false;
    swap(&t->cloud, &t->next_cloud);
    return !t->out_of_memory;
}

/* The cloud begins with the states of the last step in which no limit was hit. */
static bool begin_cloud(sb_autumn_tracker *t) {
    for (size_t i = 0; t->now.n && i < t->limits.particles; i++)
        if (!add_state(t, &t->cloud, t->now.all[i % t->now.n])) return false;
    return true;
}

static bool step_cloud(sb_autumn_tracker *t, sb_autumn_event event, sb_autumn_shown shown, sb_autumn_verdict *verdict) {
    *verdict = SB_AUTUMN_UNKNOWN;
    if (!move_cloud(t, event, shown)) return false;
    if (t->cloud.n) *verdict = SB_AUTUMN_POSSIBLE;
    return true;
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

bool sb_autumn_tracker_step(sb_autumn_tracker *t, sb_autumn_event event, sb_autumn_shown shown,
                            sb_autumn_verdict *verdict) {
    if (t->hit) return step_cloud(t, event, shown, verdict);
    t->next.n = 0;
    memset(t->keys, 0, t->n_keys * sizeof *t->keys);
    for (size_t i = 0; i < t->now.n && !t->hit; i++)
        if (!each_outcome(t, t->now.all[i], event, shown, keep) && !t->hit) return false;
    if (t->hit) return begin_cloud(t) && (t->now.n = 0, step_cloud(t, event, shown, verdict));
    swap(&t->now, &t->next);
    if (t->now.n > t->largest) t->largest = t->now.n;
    *verdict = t->now.n ? SB_AUTUMN_POSSIBLE : SB_AUTUMN_IMPOSSIBLE;
    return true;
}

bool sb_autumn_tracker_ask(sb_autumn_tracker *t, sb_autumn_event event, sb_autumn_shown shown,
                           sb_autumn_verdict *verdict) {
    *verdict = SB_AUTUMN_UNKNOWN;
    if (t->hit) return true;
    t->next.n = 0;
    bool whole = true;
    for (size_t i = 0; i < t->now.n && whole; i++) whole = each_outcome(t, t->now.all[i], event, shown, end_here);
    if (t->next.n)
        *verdict = SB_AUTUMN_POSSIBLE;
    else if (whole)
        *verdict = SB_AUTUMN_IMPOSSIBLE;
    t->hit = t->hit && t->taken >= t->limits.total; /* a question that took too long does not spoil the steps */
    return !t->out_of_memory;
}

size_t sb_autumn_tracker_n(const sb_autumn_tracker *t) { return t->now.n; }
const sb_autumn_state *sb_autumn_tracker_at(const sb_autumn_tracker *t, size_t index) { return t->now.all[index]; }
size_t sb_autumn_tracker_largest(const sb_autumn_tracker *t) { return t->largest; }
bool sb_autumn_tracker_drew(const sb_autumn_tracker *t) { return t->drew; }
