#include "generators/autumn/challenges/changing.h"

#include <stdlib.h>
#include <string.h>

#include "engine/autumn/program.h"

const sb_autumn_support_limits sb_autumn_changing_limits = {.branches = 5000, .states = 200, .total = 15000};

/* The changed program; copies of a test share it. */
typedef struct changed_program {
    sb_autumn_program *program;
    sb_autumn_clean clean;
    bool draws;
    _Atomic size_t users;
} changed_program;

struct sb_autumn_changing {
    changed_program *of;
    sb_autumn_state *now, *unchanged, *changed;
    sb_autumn_tracker *tracker; /* NULL: nothing is drawn in steps */
    sb_autumn_guard guard;
    uint32_t counted; /* how often what the guard waits for has happened */
    uint32_t steps, acted;
    sb_autumn_proof proof;
    uint32_t *frames[2], *base;
    bool *open;
    size_t capacity;
    uint64_t *before, *after; /* hashes of variables */
    bool always, lost;
    uint32_t differed; /* cells in which the changed step would show something else */
};

/* ---- Making ------------------------------------------------------------------------------------------------------ */

static void unload(changed_program *of) {
    if (of->program) sb_autumn_clean_free(&of->clean);
    sb_autumn_unload(of->program);
    free(of);
}

static void release(changed_program *of) {
    if (of && --of->users == 0) unload(of);
}

static changed_program *load(const char *text, size_t n, const sb_autumn_edit *edits, size_t n_edits, bool *no_memory) {
    sb_autumn_fault fault = {0};
    sb_out changed = sb_out_growing();
    changed_program *of = calloc(1, sizeof *of);
    *no_memory = !of;
    const bool fits = of && sb_autumn_mutated(text, n, edits, n_edits, &changed);
    if (of) of->users = 1;
    if (fits && sb_out_ok(&changed)) of->program = sb_autumn_load(changed.data, changed.size, NULL, &fault);
    *no_memory |= (fits && !sb_out_ok(&changed)) || fault.kind == SB_AUTUMN_MEMORY;
    sb_out_free(&changed);
    if (of && of->program && sb_autumn_clean_find(of->program, &of->clean)) {
        for (size_t i = 0; i < sb_autumn_n_variables(of->program); i++) of->draws |= of->clean.touched[i];
        return of;
    }
    *no_memory |= of && of->program;
    if (of) unload(of);
    return NULL;
}

/* Makes a test of a program, and takes over a use of it. */
static sb_autumn_changing *test_of(changed_program *of) {
    sb_autumn_changing *c = calloc(1, sizeof *c);
    if (!c) return release(of), NULL;
    const size_t names = sb_autumn_n_variables(of->program);
    c->of = of;
    c->now = sb_autumn_new(of->program), c->unchanged = sb_autumn_new(of->program);
    c->changed = sb_autumn_new(of->program);
    c->before = calloc(names, sizeof *c->before), c->after = calloc(names, sizeof *c->after);
    bool ok = c->now && c->unchanged && c->changed && c->before && c->after;
    if (ok && of->draws) ok = (c->tracker = sb_autumn_tracker_new(of->program, &sb_autumn_changing_limits)) != NULL;
    if (ok) return c;
    sb_autumn_changing_free(c);
    return NULL;
}

sb_autumn_changing *sb_autumn_changing_new(const char *text, size_t n, const sb_autumn_edit *edits, size_t n_edits,
                                           bool *no_memory) {
    changed_program *const of = load(text, n, edits, n_edits, no_memory);
    if (!of) return NULL;
    sb_autumn_changing *const c = test_of(of);
    *no_memory = !c;
    return c;
}

sb_autumn_changing *sb_autumn_changing_twin(const sb_autumn_changing *c) {
    c->of->users++;
    return test_of(c->of);
}

void sb_autumn_changing_free(sb_autumn_changing *c) {
    if (!c) return;
    sb_autumn_tracker_free(c->tracker);
    sb_autumn_free(c->now), sb_autumn_free(c->unchanged), sb_autumn_free(c->changed);
    free(c->frames[0]), free(c->frames[1]), free(c->base), free(c->open), free(c->before), free(c->after);
    release(c->of);
    free(c);
}

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

static bool make_room(sb_autumn_changing *c, size_t cells) {
    if (cells <= c->capacity) return true;
    for (int i = 0; i < 2; i++) {
        uint32_t *const frame = realloc(c->frames[i], cells * sizeof *frame);
        if (!frame) return false;
        c->frames[i] = frame;
    }
    uint32_t *const base = realloc(c->base, cells * sizeof *base);
    if (base) c->base = base;
    bool *const open = realloc(c->open, cells * sizeof *open);
    if (open) c->open = open;
    if (!base || !open) return false;
    c->capacity = cells;
    return true;
}

static bool draw(sb_autumn_changing *c, const sb_autumn_state *state, int frame, sb_autumn_shown *shown) {
    const uint32_t size = sb_autumn_size(state);
    if (!make_room(c, (size_t)size * size)) return false;
    sb_autumn_frame(state, c->frames[frame]);
    *shown = (sb_autumn_shown){size, c->frames[frame]};
    return true;
}

uint32_t sb_autumn_changing_differences(sb_autumn_changing *c, const sb_autumn_state *a, const sb_autumn_state *b) {
    sb_autumn_shown x, y;
    uint32_t n = 0;
    if (sb_autumn_size(a) != sb_autumn_size(b)) return UINT32_MAX;
    if (!draw(c, a, 0, &x) || !draw(c, b, 1, &y)) return 0;
    for (uint32_t i = 0; i < x.size * x.size; i++) n += c->frames[0][i] != c->frames[1][i];
    return n;
}

/* ---- Copies ------------------------------------------------------------------------------------------------------ */

/* The states of a try are scratch until the change acts. */
bool sb_autumn_changing_copy(sb_autumn_changing *to, const sb_autumn_changing *from) {
    to->guard = from->guard, to->counted = from->counted, to->steps = from->steps, to->acted = from->acted;
    to->proof = from->proof, to->always = from->always, to->differed = from->differed, to->lost = from->lost;
    return sb_autumn_copy(to->now, from->now) && (!from->acted || sb_autumn_copy(to->unchanged, from->unchanged)) &&
           (!from->tracker || sb_autumn_tracker_copy(to->tracker, from->tracker));
}

/* ---- The guard --------------------------------------------------------------------------------------------------- */

bool sb_autumn_changing_begin(sb_autumn_changing *c, const sb_autumn_guard *guard, uint64_t seed, uint64_t noise) {
    c->guard = *guard;
    c->counted = c->steps = c->acted = 0;
    c->differed = 0, c->lost = false;
    if (!sb_autumn_start(c->now, SB_AUTUMN_PCG64, seed, NULL)) return false;
    sb_autumn_reseed(c->now, noise);
    return !c->tracker || sb_autumn_tracker_begin(c->tracker, c->now);
}

static bool is_armed(const sb_autumn_changing *c) {
    return (c->guard.kind == SB_AUTUMN_AFTER_STEPS ? c->steps : c->counted) >= c->guard.times;
}

/* Counts what happened in the step from c->now to c->unchanged. */
static bool count(sb_autumn_changing *c, sb_autumn_event event) {
    switch (c->guard.kind) {
    case SB_AUTUMN_AFTER_HANDLER:
        if (c->guard.number < sb_autumn_n_handlers(c->of->program))
            c->counted += sb_autumn_fired(c->unchanged)[c->guard.number];
        return true;
    case SB_AUTUMN_AFTER_CLICKS: c->counted += event.key == SB_AUTUMN_CLICK; return true;
    case SB_AUTUMN_AFTER_CHANGE: {
        if (c->guard.number >= c->of->program->n_rules) return true;
        const uint32_t variable = c->of->program->rules[c->guard.number].symbol;
        if (is_armed(c)) return true;
        if (!sb_autumn_hash_variables(c->now, c->before) || !sb_autumn_hash_variables(c->unchanged, c->after))
            return false;
        c->counted += c->before[variable] != c->after[variable];
        return true;
    }
    default: return true;
    }
}

/* Whether the frame of c->changed is impossible; what is shown by c->unchanged is possible. */
static bool is_impossible(sb_autumn_changing *c, sb_autumn_event event) {
    sb_autumn_shown shown;
    sb_autumn_verdict verdict;
    c->proof = SB_AUTUMN_NO_DRAWS;
    if (!c->tracker) return true;
    if (!draw(c, c->changed, 1, &shown)) return false;
    if (sb_autumn_clean_contradicts(&c->of->clean, c->unchanged, shown.colours, shown.size, c->base, c->open))
        return c->proof = SB_AUTUMN_CLEAN, true;
    if (!sb_autumn_tracker_ask(c->tracker, event, shown, &verdict) || verdict != SB_AUTUMN_IMPOSSIBLE) return false;
    c->proof = sb_autumn_tracker_drew(c->tracker) ? SB_AUTUMN_ENUMERATED : SB_AUTUMN_NO_DRAWS;
    return true;
}

/* Whether the changed step shows something else, in as many cells as the guard asks for. */
static bool try_changed(sb_autumn_changing *c, sb_autumn_event event) {
    c->differed = 0;
    if (!sb_autumn_copy(c->changed, c->now)) return false;
    sb_autumn_switch(c->changed, true);
    if (!sb_autumn_step(c->changed, event, NULL)) return false;
    c->differed = sb_autumn_changing_differences(c, c->unchanged, c->changed);
    return c->differed && c->differed >= c->guard.cells;
}

static void swap(sb_autumn_state **a, sb_autumn_state **b) {
    sb_autumn_state *const old = *a;
    *a = *b;
    *b = old;
}

static bool track(sb_autumn_changing *c, sb_autumn_event event) {
    sb_autumn_shown shown;
    sb_autumn_verdict verdict;
    if (!c->tracker) return true;
    if (!draw(c, c->unchanged, 0, &shown) || !sb_autumn_tracker_step(c->tracker, event, shown, &verdict)) return false;
    c->lost |= verdict == SB_AUTUMN_UNKNOWN;
    return true;
}

bool sb_autumn_changing_step(sb_autumn_changing *c, sb_autumn_event event) {
    if (c->acted) return c->steps++, sb_autumn_step(c->now, event, NULL);
    if (!sb_autumn_copy(c->unchanged, c->now) || !sb_autumn_step(c->unchanged, event, NULL)) return false;
    const bool armed = is_armed(c);
    const bool differs = (armed || c->always) && try_changed(c, event);
    if (!count(c, event)) return false;
    c->steps++;
    if (armed && differs && is_impossible(c, event)) {
        c->acted = c->steps;
        swap(&c->now, &c->changed);
        return true;
    }
    if (!track(c, event)) return false;
    swap(&c->now, &c->unchanged);
    return true;
}

bool sb_autumn_changing_would_differ(const sb_autumn_changing *c) { return c->differed != 0; }
void sb_autumn_changing_watch(sb_autumn_changing *c, bool always) { c->always = always; }
const sb_autumn_fault *sb_autumn_changing_fault(const sb_autumn_changing *c) {
    return sb_autumn_fault_of(c->acted ? c->now : c->unchanged);
}
const sb_autumn_program *sb_autumn_changing_program(const sb_autumn_changing *c) { return c->of->program; }
const sb_autumn_state *sb_autumn_changing_state(const sb_autumn_changing *c) { return c->now; }
sb_autumn_state *sb_autumn_changing_unchanged(sb_autumn_changing *c) { return c->unchanged; }
bool sb_autumn_changing_lost(const sb_autumn_changing *c) { return c->lost; }
uint32_t sb_autumn_changing_acted(const sb_autumn_changing *c) { return c->acted; }
sb_autumn_proof sb_autumn_changing_proof(const sb_autumn_changing *c, uint32_t *largest) {
    *largest = c->tracker ? (uint32_t)sb_autumn_tracker_largest(c->tracker) : 1;
    return c->proof;
}

bool sb_autumn_changing_strings(const sb_autumn_changing *c, const sb_autumn_study *s, uint32_t *shown) {
    if (sb_autumn_size(c->now) != s->size) return false;
    sb_autumn_frame(c->now, shown);
    for (uint32_t i = 0; i < s->n_cells; i++) {
        const char *colour = sb_autumn_string(c->of->program, shown[i]);
        uint32_t k = 0;
        while (k < sb_autumn_n_strings(s->program) && strcmp(sb_autumn_string(s->program, k), colour) != 0) k++;
        if (k == sb_autumn_n_strings(s->program)) return false;
        shown[i] = k;
    }
    return true;
}
