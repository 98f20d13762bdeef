/* States as values: memory, copies. */
#include "engine/autumn/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/numerals.h"
#include "base/visible.h"

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/* Takes n items from a block at the offset `at`; without a block it only counts. */
#define TAKE(pointer, n)                                                                                               \
    do {                                                                                                               \
        if (block) (pointer) = (void *)(block + at);                                                                   \
        at += (n) * sizeof *(pointer);                                                                                 \
    } while (0)

/* The arrays stand in the order of their alignment. */
static size_t lay_out_fixed(sb_autumn_state *m, uint8_t *block) {
    const sb_autumn_program *p = m->program;
    size_t at = 0;
    TAKE(m->globals, p->names.n);
    TAKE(m->shapes, p->n_objects);
    TAKE(m->declared, p->names.n);
    TAKE(m->order, p->names.n);
    TAKE(m->defined, p->names.n);
    TAKE(m->types, p->names.n);
    TAKE(m->was_defined, p->names.n);
    return at;
}

static size_t lay_out_scratch(sb_autumn_state *m, uint8_t *block) {
    const sb_autumn_program *p = m->program;
    size_t at = 0;
    TAKE(m->changed_at, p->names.n);
    TAKE(m->memos, sb_au_n_memos(p));
    TAKE(m->memo_reads, 2 * sb_au_n_memos(p) * sb_au_memo_words(p));
    TAKE(m->read, sb_au_memo_words(p));
    TAKE(m->read_prev, sb_au_memo_words(p));
    TAKE(m->prev, p->names.n);
    TAKE(m->locals, p->names.n);
    TAKE(m->old_order, 2 * p->names.n);
    TAKE(m->assigned, p->names.n);
    TAKE(m->fired, p->n_handlers);
    TAKE(m->still_fired, SB_AU_KEYS * p->n_handlers);
    return at;
}

sb_autumn_state *sb_autumn_new(const sb_autumn_program *program) {
    sb_autumn_state *const m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->program = program;
    m->fixed_size = lay_out_fixed(m, NULL);
    m->fixed = calloc(1, m->fixed_size);
    m->scratch = calloc(1, lay_out_scratch(m, NULL) + 1);
    if (!m->fixed || !m->scratch) return sb_autumn_free(m), NULL;
    lay_out_fixed(m, m->fixed);
    lay_out_scratch(m, m->scratch);
    return m;
}

static void free_drawing(sb_au_drawing *d) {
    free(d->cells);
    free(d->layers);
    free(d->occupied);
}

void sb_autumn_free(sb_autumn_state *state) {
    if (!state) return;
    free(state->fixed);
    free(state->scratch);
    free(state->heap.words);
    free(state->heap.spare);
    free_drawing(&state->drawing);
    free_drawing(&state->next);
    free(state->hidden);
    free(state->changes);
    free(state->cells);
    free(state->origins);
    free(state->key_scratch);
    free(state);
}

/* ---- Memos ------------------------------------------------------------------------------------------------------- */

void sb_au_forget(sb_autumn_state *m) {
    m->still = 0;
    memset(m->memos, 0, sb_au_n_memos(m->program) * sizeof *m->memos);
}

/* ---- Copies ------------------------------------------------------------------------------------------------------ */

static bool copy_drawing(sb_au_drawing *to, const sb_au_drawing *from) {
    const size_t words = ((size_t)from->size * from->size + 63) / 64;
    if (!SB_GROW(to->cells, from->n_cells, to->cells_capacity) ||
        !SB_GROW(to->layers, from->n_layers, to->layers_capacity) ||
        !SB_GROW(to->occupied, words, to->occupied_capacity))
        return false;
    if (from->n_cells) memcpy(to->cells, from->cells, from->n_cells * sizeof *to->cells);
    if (from->n_layers) memcpy(to->layers, from->layers, from->n_layers * sizeof *to->layers);
    if (words) memcpy(to->occupied, from->occupied, words * sizeof *to->occupied);
    to->n_cells = from->n_cells, to->n_layers = from->n_layers, to->n_outside = from->n_outside;
    to->size = from->size, to->background = from->background, to->spent = from->spent;
    return true;
}

bool sb_autumn_copy(sb_autumn_state *to, const sb_autumn_state *from) {
    if (to == from) return true;
    to->started = false;
    if (!SB_GROW(to->heap.words, from->heap.used, to->heap.capacity) || !copy_drawing(&to->drawing, &from->drawing))
        return false;
    if (from->heap.used) memcpy(to->heap.words, from->heap.words, from->heap.used * sizeof *to->heap.words);
    to->heap.used = from->heap.used, to->heap.collect_at = from->heap.collect_at;
    memcpy(to->fixed, from->fixed, from->fixed_size);
    memcpy(to->fired, from->fired, from->program->n_handlers);
    sb_au_forget(to);
    to->still = from->still;
    memcpy(to->still_fired, from->still_fired, SB_AU_KEYS * from->program->n_handlers);
    memcpy(to->still_evaluations, from->still_evaluations, sizeof to->still_evaluations);
    memcpy(to->still_standing, from->still_standing, sizeof to->still_standing);
    to->core = from->core;
    to->fault = from->fault, to->has_fault = from->has_fault;
    to->objects = SB_AU_FAILED;
    to->started = from->started;
    return true;
}

/* ---- Bytes ------------------------------------------------------------------------------------------------------- */

/* The beginning of a saved state: how much of everything there is. */
typedef struct saved_head {
    sb_au_core core;
    uint32_t used, collect_at, size, background;
    size_t n_cells, n_layers, n_outside;
    int64_t spent;
} saved_head;

void sb_autumn_save(const sb_autumn_state *state, sb_out *out) {
    const sb_au_drawing *d = &state->drawing;
    saved_head head;
    memset(&head, 0, sizeof head);
    head.core = state->core;
    head.used = state->heap.used, head.collect_at = state->heap.collect_at;
    head.size = d->size, head.background = d->background;
    head.n_cells = d->n_cells, head.n_layers = d->n_layers, head.n_outside = d->n_outside, head.spent = d->spent;
    sb_put_any(out, (const char *)&head, sizeof head);
    sb_put_any(out, (const char *)state->heap.words, head.used * sizeof *state->heap.words);
    sb_put_any(out, (const char *)state->fixed, state->fixed_size);
    sb_put_any(out, (const char *)d->cells, d->n_cells * sizeof *d->cells);
    sb_put_any(out, (const char *)d->layers, d->n_layers * sizeof *d->layers);
    sb_put_any(out, (const char *)d->occupied, ((size_t)d->size * d->size + 63) / 64 * sizeof *d->occupied);
}

/* Moves past n bytes and copies them. */
static void take(const char **bytes, void *to, size_t n) {
    if (n) memcpy(to, *bytes, n);
    *bytes += n;
}

bool sb_autumn_restore(sb_autumn_state *state, const char *bytes, size_t n) {
    saved_head head;
    sb_au_drawing *d = &state->drawing;
    if (n < sizeof head) return false;
    take(&bytes, &head, sizeof head);
    const size_t places = ((size_t)head.size * head.size + 63) / 64;
    if (sizeof head + head.used * sizeof *state->heap.words + state->fixed_size + head.n_cells * sizeof *d->cells +
                head.n_layers * sizeof *d->layers + places * sizeof *d->occupied !=
            n ||
        !SB_GROW(state->heap.words, head.used, state->heap.capacity) ||
        !SB_GROW(d->cells, head.n_cells, d->cells_capacity) || !SB_GROW(d->layers, head.n_layers, d->layers_capacity) ||
        !SB_GROW(d->occupied, places, d->occupied_capacity))
        return false;
    take(&bytes, state->heap.words, head.used * sizeof *state->heap.words);
    take(&bytes, state->fixed, state->fixed_size);
    take(&bytes, d->cells, head.n_cells * sizeof *d->cells);
    take(&bytes, d->layers, head.n_layers * sizeof *d->layers);
    take(&bytes, d->occupied, places * sizeof *d->occupied);
    state->core = head.core;
    state->heap.used = head.used, state->heap.collect_at = head.collect_at;
    d->size = head.size, d->background = head.background;
    d->n_cells = head.n_cells, d->n_layers = head.n_layers, d->n_outside = head.n_outside, d->spent = head.spent;
    memset(state->fired, 0, state->program->n_handlers);
    sb_au_forget(state);
    state->has_fault = false, state->objects = SB_AU_FAILED, state->started = true;
    return true;
}

/* ---- Faults ------------------------------------------------------------------------------------------------------ */

sb_au_value sb_au_fail(sb_autumn_state *m, sb_autumn_kind kind, const char *format, ...) {
    if (m->has_fault) return SB_AU_FAILED; /* the first fault counts */
    m->has_fault = true;
    m->fault.kind = kind;
    /* While a cell is made, faults only mean that an expression is kept: nobody reads their texts. */
    if (m->floor > 1 && kind < SB_AUTUMN_LIMIT) return SB_AU_FAILED;
    m->fault = (sb_autumn_fault){.kind = kind};
    char text[sizeof m->fault.text];
    va_list arguments;
    va_start(arguments, format);
    sb_format(text, sizeof text, format, arguments);
    va_end(arguments);
    sb_copy_plain(m->fault.text, sizeof m->fault.text, text);
    return SB_AU_FAILED;
}

bool sb_au_refuse_change(sb_autumn_state *m) {
    return sb_au_fail(m, SB_AUTUMN_TYPE, "a clause of `task` neither changes nor draws anything"), false;
}

bool sb_au_is_colour(sb_autumn_state *m, uint32_t string) {
    const sb_au_words *strings = &m->program->strings;
    if (sb_autumn_string_fits(sb_au_word(strings, string), strings->words[string].length)) return true;
    return sb_au_fail(m, SB_AUTUMN_LIMIT, "a colour's name of more than %d bytes", SB_AUTUMN_STRING_MAX), false;
}

static uint32_t statement_of(const sb_autumn_program *p, uint32_t node) {
    uint32_t i = 0;
    while (i < p->n_statements && p->statements[i].node <= node) i++;
    return i;
}

sb_au_value sb_au_fail_at(sb_autumn_state *m, uint32_t node) {
    if (m->fault.line || m->floor > 1) return SB_AU_FAILED;
    m->fault.line = m->program->places[node].line;
    m->fault.column = m->program->places[node].column;
    m->fault.statement = statement_of(m->program, node);
    return SB_AU_FAILED;
}

bool sb_au_out_of_evaluations(sb_autumn_state *m) {
    sb_au_fail(m, SB_AUTUMN_LIMIT, "more than %u evaluations in a step", m->program->limits.evaluations);
    return false;
}

uint32_t sb_autumn_evaluations(const sb_autumn_state *state) {
    const uint32_t most = state->program->limits.evaluations;
    return state->evaluations > 0 ? most - (uint32_t)state->evaluations : most;
}

const sb_autumn_fault *sb_autumn_fault_of(const sb_autumn_state *state) { return &state->fault; }
const sb_autumn_program *sb_autumn_program_of(const sb_autumn_state *state) { return state->program; }
uint32_t sb_autumn_generator_state(const sb_autumn_state *state) { return state->core.published; }
const uint8_t *sb_autumn_fired(const sb_autumn_state *state) { return state->fired; }
int32_t sb_autumn_frame_rate(const sb_autumn_state *state) {
    const sb_au_value rate = state->globals[SB_AU_FRAME_RATE];
    return rate.kind == SB_AU_NUMBER ? rate.number : SB_AU_USUAL_RATE;
}

bool sb_autumn_triggered(const sb_autumn_state *state) {
    return state->globals[SB_AU_SpecialConditionTriggered].number != 0;
}

void sb_au_set_global(sb_autumn_state *state, uint32_t symbol, sb_au_value value) {
    state->globals[symbol] = value;
    sb_au_forget(state);
}

void sb_autumn_switch(sb_autumn_state *state, bool on) {
    sb_au_set_global(state, SB_AU_SpecialConditionTriggered, sb_au_bool(on));
}

void sb_autumn_reseed(sb_autumn_state *state, uint64_t seed) {
    state->core.published = (uint32_t)seed;
    sb_rng_seed(&state->core.pcg64, seed, NULL);
}
