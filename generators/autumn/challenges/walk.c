#include "generators/autumn/challenges/walk.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* ---- Actions of interest ----------------------------------------------------------------------------------------- */

typedef struct collection {
    const uint32_t *frame;
    uint32_t size, background;
    sb_autumn_event *events;
    size_t n;
} collection;

/* Cells are numbered row by row. */
static bool is_coloured(const collection *c, uint32_t cell) { return c->frame[cell] != c->background; }

/* Whether the cell has the colour of the background and a neighbour has not. */
static bool is_near(const collection *c, uint32_t cell) {
    const uint32_t x = cell % c->size, y = cell / c->size;
    if (is_coloured(c, cell)) return false;
    return (x > 0 && is_coloured(c, cell - 1)) || (x + 1 < c->size && is_coloured(c, cell + 1)) ||
           (y > 0 && is_coloured(c, cell - c->size)) || (y + 1 < c->size && is_coloured(c, cell + c->size));
}

static bool is_other(const collection *c, uint32_t cell) { return !is_coloured(c, cell) && !is_near(c, cell); }

static void add_click(collection *c, uint32_t cell) {
    c->events[c->n++] = (sb_autumn_event){
        .key = SB_AUTUMN_CLICK, .x = (int32_t)(cell % c->size), .y = (int32_t)(cell / c->size)};
}

typedef bool kind_of_cell(const collection *c, uint32_t cell);

static uint32_t count(const collection *c, kind_of_cell *is_one) {
    uint32_t n = 0;
    for (uint32_t cell = 0; cell < c->size * c->size; cell++) n += is_one(c, cell);
    return n;
}

/* Adds clicks on all cells of a kind, or on `most` of them at equal distances in row order. */
static void add_thinned(collection *c, kind_of_cell *is_one, uint32_t most) {
    const uint32_t n = count(c, is_one), wanted = n < most ? n : most;
    uint32_t met = 0, added = 0;
    for (uint32_t cell = 0; added < wanted; cell++) {
        if (!is_one(c, cell)) continue;
        if ((uint64_t)met++ * wanted / n == added) add_click(c, cell), added++;
    }
}

/* Adds clicks on drawn cells of a kind, each choice of them as likely as any other. */
static void add_drawn(collection *c, kind_of_cell *is_one, uint32_t most, sb_rng *rng) {
    uint32_t left = count(c, is_one), wanted = left < most ? left : most;
    for (uint32_t cell = 0; wanted; cell++) {
        if (!is_one(c, cell)) continue;
        if (sb_bounded(rng, --left) < wanted) add_click(c, cell), wanted--;
    }
}

size_t sb_autumn_interests(const sb_autumn_state *state, uint32_t *frame, sb_rng *rng,
                           sb_autumn_event events[SB_AUTUMN_INTERESTS_MAX]) {
    collection c = {
        .frame = frame, .size = sb_autumn_size(state), .background = sb_autumn_background(state), .events = events};
    sb_autumn_frame(state, frame);
    for (int key = SB_AUTUMN_NOOP; key < SB_AUTUMN_CLICK; key++)
        events[c.n++] = (sb_autumn_event){.key = (sb_autumn_key)key};
    add_thinned(&c, is_coloured, SB_AUTUMN_COLOURED_CLICKS);
    add_thinned(&c, is_near, SB_AUTUMN_NEIGHBOUR_CLICKS);
    add_drawn(&c, is_other, SB_AUTUMN_OTHER_CLICKS, rng);
    return c.n;
}

/* ---- What was seen ----------------------------------------------------------------------------------------------- */

/* How often each effect was seen: open addressing, at most half full. */
typedef struct seen {
    struct effect {
        uint64_t signature; /* 0: free */
        uint32_t times;
    } * effects;
    size_t n, capacity; /* capacity: a power of two, or 0 */
} seen;

static struct effect *find(const seen *s, uint64_t signature) {
    size_t at = signature & (s->capacity - 1);
    while (s->effects[at].signature && s->effects[at].signature != signature) at = (at + 1) & (s->capacity - 1);
    return &s->effects[at];
}

static bool make_room(seen *s) {
    enum { FIRST = 256 };
    if (2 * (s->n + 1) <= s->capacity) return true;
    const seen old = *s;
    seen larger = {.n = old.n, .capacity = old.capacity ? 2 * old.capacity : FIRST};
    larger.effects = calloc(larger.capacity, sizeof *larger.effects);
    if (!larger.effects) return false;
    for (size_t i = 0; i < old.capacity; i++)
        if (old.effects[i].signature) *find(&larger, old.effects[i].signature) = old.effects[i];
    free(old.effects);
    *s = larger;
    return true;
}

static bool note_effect(seen *s, uint64_t signature) {
    if (!make_room(s)) return false;
    struct effect *effect = find(s, signature);
    if (!effect->signature) effect->signature = signature, s->n++;
    effect->times++;
    return true;
}

static uint32_t times_seen(const seen *s, uint64_t signature) { return s->capacity ? find(s, signature)->times : 0; }

/* ---- The walk ---------------------------------------------------------------------------------------------------- */

struct sb_autumn_walk {
    const sb_autumn_program *program;
    size_t n_variables, n_handlers;
    sb_rng rng;
    sb_autumn_state *copy;
    uint64_t *now, *then; /* hashes of the variables: before the step, and after it on the copy */
    uint8_t *effect;      /* a step's effect: bytes for handlers and variables */
    uint32_t *fired, *changed;
    uint32_t *frame;
    size_t frame_capacity;
    seen seen;
    uint32_t noops; /* how many noops are left of a run */
    bool begun;     /* `now` holds the variables of the last state */
};

sb_autumn_walk *sb_autumn_walk_new(const sb_autumn_program *program, uint64_t seed) {
    sb_autumn_walk *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->program = program;
    w->n_variables = sb_autumn_n_variables(program);
    w->n_handlers = sb_autumn_n_handlers(program);
    sb_rng_seed(&w->rng, seed, NULL);
    w->copy = sb_autumn_new(program);
    w->now = calloc(w->n_variables, sizeof *w->now);
    w->then = calloc(w->n_variables, sizeof *w->then);
    w->effect = calloc(w->n_handlers + w->n_variables, sizeof *w->effect);
    w->fired = calloc(w->n_handlers + 1, sizeof *w->fired);
    w->changed = calloc(w->n_variables, sizeof *w->changed);
    if (w->copy && w->now && w->then && w->effect && w->fired && w->changed) return w;
    sb_autumn_walk_free(w);
    return NULL;
}

void sb_autumn_walk_free(sb_autumn_walk *w) {
    if (!w) return;
    sb_autumn_free(w->copy);
    free(w->now), free(w->then), free(w->effect), free(w->fired), free(w->changed), free(w->frame);
    free(w->seen.effects);
    free(w);
}

void sb_autumn_walk_begin(sb_autumn_walk *w) {
    w->begun = false;
    w->noops = 0;
}

/* Finds out which handlers fired in the last step of a state, and which variables are not what they were `now`. */
static bool find_effect(sb_autumn_walk *w, const sb_autumn_state *after, uint64_t *signature) {
    uint64_t key[2];
    if (!sb_autumn_hash_variables(after, w->then)) return false;
    memcpy(w->effect, sb_autumn_fired(after), w->n_handlers);
    for (size_t i = 0; i < w->n_variables; i++) w->effect[w->n_handlers + i] = w->then[i] != w->now[i];
    sb_hash128(w->effect, w->n_handlers + w->n_variables, key);
    *signature = key[0] | 1; /* not 0 */
    return true;
}

/* Notes the effect of the step that led to a state, and makes this state the one before the next step. */
static bool note_step(sb_autumn_walk *w, const sb_autumn_state *state) {
    uint64_t signature;
    if (!w->begun) return w->begun = sb_autumn_hash_variables(state, w->now);
    if (!find_effect(w, state, &signature) || !note_effect(&w->seen, signature)) return false;
    for (size_t i = 0; i < w->n_handlers; i++) w->fired[i] += w->effect[i];
    for (size_t i = 0; i < w->n_variables; i++) w->changed[i] += w->effect[w->n_handlers + i];
    memcpy(w->now, w->then, w->n_variables * sizeof *w->now);
    return true;
}

/* Tries an action on a copy; a step that fails counts as seen very often. */
static bool try_out(sb_autumn_walk *w, const sb_autumn_state *state, sb_autumn_event event, uint32_t *times) {
    uint64_t signature;
    *times = UINT32_MAX;
    if (!sb_autumn_copy(w->copy, state)) return false;
    sb_autumn_reseed(w->copy, sb_next64(&w->rng));
    if (!sb_autumn_step(w->copy, event, NULL)) return sb_autumn_fault_of(w->copy)->kind != SB_AUTUMN_MEMORY;
    if (!find_effect(w, w->copy, &signature)) return false;
    *times = times_seen(&w->seen, signature);
    return true;
}

/* Chooses the action whose effect was seen least often; one by draw among equals. */
static bool choose_rarest(sb_autumn_walk *w, const sb_autumn_state *state, const sb_autumn_event *events, size_t n,
                          sb_autumn_event *event) {
    uint32_t least = UINT32_MAX, times;
    uint64_t equals = 0;
    for (size_t i = 0; i < n; i++) {
        if (!try_out(w, state, events[i], &times)) return false;
        if (times > least) continue;
        equals = times < least ? 1 : equals + 1;
        least = times;
        if (sb_bounded(&w->rng, equals - 1) == 0) *event = events[i];
    }
    return true;
}

static bool make_frame(sb_autumn_walk *w, const sb_autumn_state *state) {
    const size_t size = sb_autumn_size(state), wanted = size * size;
    if (wanted <= w->frame_capacity) return true;
    uint32_t *const larger = realloc(w->frame, wanted * sizeof *larger);
    if (!larger) return false;
    w->frame = larger;
    w->frame_capacity = wanted;
    return true;
}

static bool choose_new(sb_autumn_walk *w, const sb_autumn_state *state, sb_autumn_event *event) {
    sb_autumn_event events[SB_AUTUMN_INTERESTS_MAX];
    if (!make_frame(w, state)) return false;
    const size_t n = sb_autumn_interests(state, w->frame, &w->rng, events);
    if (sb_bounded(&w->rng, 1) == 0) return choose_rarest(w, state, events, n, event);
    *event = events[sb_bounded(&w->rng, n - 1)];
    return true;
}

bool sb_autumn_walk_choose(sb_autumn_walk *w, const sb_autumn_state *state, sb_autumn_event *event) {
    enum { NOOPS_MAX = 4, RUN_EVERY = 4 };
    *event = (sb_autumn_event){.key = SB_AUTUMN_NOOP};
    if (!note_step(w, state)) return false;
    if (w->noops) return w->noops--, true;
    if (sb_bounded(&w->rng, RUN_EVERY - 1) == 0) return w->noops = (uint32_t)sb_bounded(&w->rng, NOOPS_MAX - 1), true;
    return choose_new(w, state, event);
}

size_t sb_autumn_walk_run(sb_autumn_walk *w, sb_autumn_state *state, size_t n, sb_autumn_event *events,
                          bool *out_of_memory) {
    sb_autumn_walk_begin(w);
    *out_of_memory = false;
    for (size_t i = 0; i < n; i++) {
        sb_autumn_event event;
        if (!sb_autumn_walk_choose(w, state, &event)) return *out_of_memory = true, i;
        if (events) events[i] = event;
        if (!sb_autumn_step(state, event, NULL)) return i;
    }
    *out_of_memory = !note_step(w, state);
    return n;
}

/* ---- Coverage ---------------------------------------------------------------------------------------------------- */

const uint32_t *sb_autumn_walk_fired(const sb_autumn_walk *w) { return w->fired; }
const uint32_t *sb_autumn_walk_changed(const sb_autumn_walk *w) { return w->changed; }
