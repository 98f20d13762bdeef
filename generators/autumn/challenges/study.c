#include "generators/autumn/challenges/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/autumn/program.h"

enum { SIZE_MAX_CHALLENGE = 64 };

/* ---- Making ------------------------------------------------------------------------------------------------------ */

static bool load(sb_autumn_study *s, sb_error *error) {
    sb_autumn_fault fault;
    s->program = sb_autumn_load(s->text, s->n, NULL, &fault);
    if (!s->program) return sb_autumn_fail(&fault, s->name, error);
    if (sb_autumn_n_strings(s->program) > SB_AUTUMN_SIGNS)
        return sb_fail(error, SB_INVALID, "%s has more than %d strings, too many for challenges", s->name,
                       SB_AUTUMN_SIGNS);
    s->start = sb_autumn_new(s->program), s->a = sb_autumn_new(s->program), s->b = sb_autumn_new(s->program);
    s->shown = calloc(UINT8_MAX + 1, sizeof *s->shown);
    if (s->start && s->a && s->b && s->shown && sb_autumn_clean_find(s->program, &s->clean) &&
        sb_autumn_mutations_find(s->text, s->n, &s->mutations))
        return true;
    return sb_fail(error, SB_MEMORY, "out of memory for challenges of %s", s->name);
}

sb_autumn_study *sb_autumn_study_new(const char *name, const char *text, size_t n, sb_error *error) {
    sb_autumn_study *s = calloc(1, sizeof *s);
    if (!s) return sb_fail(error, SB_MEMORY, "out of memory for challenges of %s", name), NULL;
    s->name = name, s->text = text, s->n = n;
    sb_sha256_hex(text, n, s->sha256);
    if (!load(s, error)) return sb_autumn_study_free(s), NULL;
    for (uint32_t i = 0; i < s->program->names.n; i++) s->draws |= s->clean.touched[i];
    return s;
}

static void forget_met(sb_autumn_study *s) {
    for (uint32_t i = 0; s->met && i < SB_AUTUMN_MET_MAX; i++) sb_autumn_free(s->met[i].state), free(s->met[i].frame);
    free(s->met), free(s->keys), free(s->dull);
    s->dull = NULL, s->n_dull = 0;
    s->met = NULL, s->keys = NULL, s->n_met = 0, s->is_explored = false;
}

void sb_autumn_study_free(sb_autumn_study *s) {
    if (!s) return;
    forget_met(s);
    sb_autumn_free(s->start), sb_autumn_free(s->a), sb_autumn_free(s->b);
    free(s->strings), free(s->frame), free(s->agreeing), free(s->shown);
    sb_autumn_mutations_free(&s->mutations);
    sb_autumn_clean_free(&s->clean);
    sb_autumn_unload(s->program);
    free(s);
}

void sb_autumn_study_watch(sb_autumn_study *s, sb_start_watcher *watcher, void *context) {
    s->watcher = watcher, s->watcher_context = context;
}

/* ---- Seeds ------------------------------------------------------------------------------------------------------- */

/* The first eight bytes of a SHA-256, as in other lists of seeds. */
static uint64_t number_of(const char *key) {
    uint8_t digest[32];
    uint64_t number = 0;
    sb_sha256_of(key, strlen(key), digest);
    for (int i = 0; i < 8; i++) number = number << 8 | digest[i];
    return number;
}

uint64_t sb_autumn_noise(uint64_t seed, const char *phase, uint64_t reset) {
    char key[100];
    snprintf(key, sizeof key, "autumn::noise::%llu::%s::%llu", (unsigned long long)seed, phase,
             (unsigned long long)reset);
    return number_of(key);
}

sb_rng sb_autumn_attempt_rng(const sb_autumn_study *s, sb_autumn_challenge_kind kind, uint32_t level, uint64_t seed,
                             uint32_t attempt) {
    char key[160];
    sb_rng rng;
    snprintf(key, sizeof key, "autumn::%.40s::%s-%u::%llu::%u", s->name, sb_autumn_challenge_names[kind], level,
             (unsigned long long)seed, attempt);
    sb_rng_seed(&rng, number_of(key), NULL);
    return rng;
}

bool sb_autumn_study_start(sb_autumn_study *s, uint64_t seed, sb_error *error) {
    if (s->started && s->seed == seed) return true;
    s->started = false;
    if (!sb_autumn_start(s->start, SB_AUTUMN_PCG64, seed, NULL))
        return sb_autumn_fail(sb_autumn_fault_of(s->start), s->name, error);
    sb_autumn_reseed(s->start, sb_autumn_noise(seed, "test", 0));
    s->size = sb_autumn_size(s->start), s->n_cells = s->size * s->size;
    if (s->size < 3 || s->size > SIZE_MAX_CHALLENGE)
        return sb_fail(error, SB_INVALID, "%s has a grid of %u x %u; challenges need 3 to %d", s->name, s->size,
                       s->size, SIZE_MAX_CHALLENGE);
    uint32_t *const strings = realloc(s->strings, s->n_cells * sizeof *strings);
    if (strings) s->strings = strings;
    uint8_t *const frame = realloc(s->frame, s->n_cells);
    if (frame) s->frame = frame;
    uint8_t *const agreeing = realloc(s->agreeing, s->n_cells);
    if (agreeing) s->agreeing = agreeing;
    if (!strings || !frame || !agreeing)
        return sb_fail(error, SB_MEMORY, "out of memory for challenges of %s", s->name);
    s->seed = seed;
    return s->started = true;
}

/* ---- Frames and colours ------------------------------------------------------------------------------------------ */

bool sb_autumn_study_frame(sb_autumn_study *s, const sb_autumn_state *state, uint8_t *frame) {
    if (sb_autumn_size(state) != s->size) return false;
    sb_autumn_frame(state, s->strings);
    for (uint32_t i = 0; i < s->n_cells; i++) frame[i] = (uint8_t)s->strings[i];
    return true;
}

bool sb_autumn_same(const sb_autumn_study *s, const uint32_t *shown) {
    for (uint32_t i = 0; i < s->n_cells; i++)
        if (s->frame[i] != shown[i]) return false;
    return true;
}

sb_autumn_event sb_autumn_random_event(sb_rng *rng, uint32_t size) {
    const uint32_t key = sb_autumn_below(rng, 6);
    if (key != SB_AUTUMN_CLICK) return (sb_autumn_event){.key = (sb_autumn_key)key};
    if (!size) return (sb_autumn_event){.key = SB_AUTUMN_NOOP};
    const int32_t x = (int32_t)sb_autumn_below(rng, size), y = (int32_t)sb_autumn_below(rng, size);
    return (sb_autumn_event){.key = SB_AUTUMN_CLICK, .x = x, .y = y};
}

static bool add_colour(sb_autumn_challenge *c, const char *text, uint32_t *number) {
    for (*number = 0; *number < c->n_colours; ++*number)
        if (strcmp(c->colours[*number], text) == 0) return true;
    char **const larger = realloc(c->colours, (c->n_colours + 1) * sizeof *larger);
    if (!larger) return false;
    c->colours = larger;
    if (!(larger[c->n_colours] = strdup(text))) return false;
    c->n_colours++;
    return true;
}

bool sb_autumn_take_colours(sb_autumn_challenge *c, const sb_autumn_program *p, uint8_t *cells, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint32_t number;
        if (!add_colour(c, sb_autumn_string(p, cells[i]), &number)) return false;
        cells[i] = (uint8_t)number;
    }
    return true;
}

/* ---- Exploring --------------------------------------------------------------------------------------------------- */

enum { BREADTH_MET = 1500, BREADTH_STEPS = 15000, WALK_STEPS = 8000 };
#define NO_PARENT UINT32_MAX

static uint32_t *place_of(sb_autumn_study *s, const uint64_t key[2]) {
    const uint32_t n = sizeof s->index / sizeof *s->index;
    uint32_t at = (uint32_t)(key[0] % n);
    while (s->index[at] && memcmp(s->keys[s->index[at] - 1], key, 16) != 0) at = (at + 1) % n;
    return &s->index[at];
}

/* Notes a state, or a shorter way to one that was met. False: out of memory. */
static bool meet(sb_autumn_study *s, const sb_autumn_state *state, uint32_t parent, sb_autumn_event event,
                 uint32_t *number) {
    uint64_t key[2];
    if (!sb_autumn_hash(state, s->draws, key)) return false;
    uint32_t *const place = place_of(s, key), depth = parent == NO_PARENT ? 0 : s->met[parent].depth + 1;
    *number = *place ? *place - 1 : NO_PARENT;
    if (*place) {
        sb_autumn_met *const known = &s->met[*place - 1];
        if (depth < known->depth) known->depth = depth, known->parent = parent, known->event = event;
        return true;
    }
    if (s->n_met == SB_AUTUMN_MET_MAX) return true;
    sb_autumn_met *const met = &s->met[s->n_met];
    if (!met->state) met->state = sb_autumn_new(s->program);
    if (!met->frame) met->frame = malloc(s->n_cells);
    if (!met->state || !met->frame || !sb_autumn_copy(met->state, state)) return false;
    if (!sb_autumn_study_frame(s, state, met->frame)) return true; /* the grid has grown: no goal */
    memcpy(s->keys[s->n_met], key, sizeof key);
    met->parent = parent, met->depth = depth, met->event = event, met->visits = 0;
    for (uint32_t i = 0; i < s->n_cells; i++) s->shown[met->frame[i]] = true;
    *number = s->n_met;
    *place = ++s->n_met;
    enum { OFTEN = 50 };
    if (s->n_met % OFTEN == 0) sb_autumn_study_tell(s, "states met", s->n_met, SB_AUTUMN_MET_MAX);
    return true;
}

static bool take(sb_autumn_study *s, uint32_t from, sb_autumn_event event, uint32_t *to) {
    *to = NO_PARENT;
    if (!sb_autumn_copy(s->a, s->met[from].state)) return false;
    if (!sb_autumn_step(s->a, event, NULL)) return sb_autumn_fault_of(s->a)->kind != SB_AUTUMN_MEMORY;
    return meet(s, s->a, from, event, to);
}

static bool go_breadth_first(sb_autumn_study *s) {
    sb_autumn_event events[SB_AUTUMN_INTERESTS_MAX];
    uint32_t steps = 0, to;
    for (uint32_t from = 0; from < s->n_met; from++) {
        s->complete = s->met[from].depth + 1;
        const size_t n = sb_autumn_interests(s->met[from].state, s->strings, &s->rng, events);
        for (size_t i = 0; i < n; i++) {
            if (s->n_met >= BREADTH_MET || steps++ >= BREADTH_STEPS) return true;
            if (!take(s, from, events[i], &to)) return false;
        }
    }
    s->complete = UINT32_MAX;
    return true;
}

/* A state that was visited rarely, or in half of the cases one that lies deep. */
static uint32_t pick(sb_autumn_study *s) {
    const bool deep = sb_bounded(&s->rng, 1) == 0;
    uint32_t best = sb_autumn_below(&s->rng, s->n_met);
    for (int i = 0; i < 8; i++) {
        const uint32_t drawn = sb_autumn_below(&s->rng, s->n_met);
        if (deep ? s->met[drawn].depth > s->met[best].depth : s->met[drawn].visits < s->met[best].visits) best = drawn;
    }
    s->met[best].visits++;
    return best;
}

static bool go_on_from_there(sb_autumn_study *s) {
    enum { LONGEST = 24 };
    sb_autumn_event events[SB_AUTUMN_INTERESTS_MAX];
    uint32_t steps = 0, to;
    while (steps < WALK_STEPS && s->n_met < SB_AUTUMN_MET_MAX) {
        uint32_t from = pick(s);
        const uint32_t length = 1 + sb_autumn_below(&s->rng, LONGEST);
        for (uint32_t i = 0; i < length; i++, from = to) {
            const size_t n = sb_autumn_interests(s->met[from].state, s->strings, &s->rng, events);
            steps++;
            if (!take(s, from, events[sb_autumn_below(&s->rng, (uint32_t)n)], &to)) return false;
            if (to == NO_PARENT) break;
        }
    }
    return true;
}

/* A shorter way to a state shortens those of all that follow from it. */
static void count_depths(sb_autumn_study *s) {
    for (uint32_t i = 0; i < s->n_met; i++) {
        s->met[i].depth = 0;
        for (uint32_t at = i; s->met[at].parent != NO_PARENT; at = s->met[at].parent) s->met[i].depth++;
    }
}

static int compare_hashes(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static bool count_frames(sb_autumn_study *s) {
    uint64_t *const hashes = malloc((s->n_met + 1) * sizeof *hashes), key[2];
    if (!hashes) return false;
    for (uint32_t i = 0; i < s->n_met; i++) sb_hash128(s->met[i].frame, s->n_cells, key), hashes[i] = key[0];
    qsort(hashes, s->n_met, sizeof *hashes, compare_hashes);
    s->n_frames = s->n_met != 0;
    for (uint32_t i = 1; i < s->n_met; i++) s->n_frames += hashes[i] != hashes[i - 1];
    free(hashes);
    return true;
}

bool sb_autumn_study_explore(sb_autumn_study *s) {
    uint64_t key[2];
    uint32_t root;
    if (!sb_autumn_hash(s->start, s->draws, key)) return false;
    if (s->is_explored && memcmp(key, s->explored, sizeof key) == 0) return true;
    forget_met(s);
    s->met = calloc(SB_AUTUMN_MET_MAX, sizeof *s->met), s->keys = calloc(SB_AUTUMN_MET_MAX, sizeof *s->keys);
    if (!s->met || !s->keys) return false;
    memset(s->index, 0, sizeof s->index);
    memset(s->shown, 0, (UINT8_MAX + 1) * sizeof *s->shown);
    memcpy(s->explored, key, sizeof key);
    s->complete = 0;
    sb_rng_seed(&s->rng, key[0], NULL);
    if (!meet(s, s->start, NO_PARENT, (sb_autumn_event){0}, &root)) return false;
    if (!go_breadth_first(s) || !go_on_from_there(s) || !count_frames(s)) return false;
    count_depths(s);
    return s->is_explored = true;
}

/* ---- What comes by itself ---------------------------------------------------------------------------------------- */

/* Adds the frames of one action that is repeated. */
static bool add_dull(sb_autumn_study *s, sb_autumn_event event, uint32_t n) {
    if (!sb_autumn_copy(s->a, s->start)) return false;
    for (uint32_t i = 1; i <= n; i++) {
        if (!sb_autumn_step(s->a, event, NULL)) return sb_autumn_fault_of(s->a)->kind != SB_AUTUMN_MEMORY;
        uint8_t *const frame = s->dull + (size_t)s->n_dull * s->n_cells;
        if (!sb_autumn_study_frame(s, s->a, frame)) continue;
        if (!s->n_dull || memcmp(frame, frame - s->n_cells, s->n_cells) != 0) s->n_dull++;
    }
    return true;
}

bool sb_autumn_study_find_dull(sb_autumn_study *s) {
    enum { NOOPS = 1000, REPEATS = 100 };
    sb_autumn_event events[SB_AUTUMN_INTERESTS_MAX];
    if (s->dull) return true;
    sb_rng rng;
    sb_rng_seed(&rng, s->explored[0], NULL);
    const size_t n = sb_autumn_interests(s->start, s->strings, &rng, events);
    if (!(s->dull = malloc((NOOPS + n * REPEATS) * s->n_cells))) return false;
    s->n_dull = 0;
    bool ok = add_dull(s, events[0], NOOPS);
    for (size_t i = 1; ok && i < n; i++) ok = add_dull(s, events[i], REPEATS);
    return ok;
}
