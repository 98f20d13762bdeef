/* Takes the input as an Autumn program. A text that is no program gets a fault with a place, the same each time. A
 * program is run with small limits: a copy with the tape of the draws goes the same way, a step that fails leaves the
 * state as it was, and what was drawn is in the frame. */
#include <stdlib.h>
#include <string.h>

#include "engine/autumn/autumn.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STEPS = 40 };

static const sb_autumn_options options = {
    .trigger = "== 1 1", .limits = {.evaluations = 20000, .values = 1 << 15, .nesting = 600, .cells = 2000}};

static bool same_key(const sb_autumn_state *a, const sb_autumn_state *b) {
    uint64_t one[2], other[2];
    if (!sb_autumn_hash(a, true, one) || !sb_autumn_hash(b, true, other)) return true; /* out of memory */
    return memcmp(one, other, sizeof one) == 0;
}

static void check_fault(const sb_autumn_fault *fault) {
    if (fault->kind >= SB_AUTUMN_N_KINDS || !fault->text[0]) abort();
    if (strlen(fault->text) >= sizeof fault->text) abort();
}

/* Every cell on the grid was painted or covered by a later one. */
static void check_frame(const sb_autumn_state *state) {
    const uint32_t size = sb_autumn_size(state);
    uint32_t *const frame = malloc((size_t)size * size * sizeof *frame + 1);
    sb_out text = sb_out_growing();
    if (!frame) return;
    sb_autumn_frame(state, frame);
    for (uint32_t i = 0; i < size * size; i++)
        if (!sb_autumn_string(sb_autumn_program_of(state), frame[i])) abort();
    sb_autumn_put_cells(state, &text);
    if (size < 20) sb_autumn_put_frame(state, &text);
    sb_out_free(&text);
    free(frame);
}

static sb_autumn_event event_of(const uint8_t *data, size_t size, size_t step) {
    const uint8_t byte = data[(step * 7) % size];
    const sb_autumn_key key = (sb_autumn_key)(byte % 6);
    if (key != SB_AUTUMN_CLICK) return (sb_autumn_event){.key = key};
    return (sb_autumn_event){.key = key, .x = byte % 5, .y = byte / 5 % 5};
}

/* A state that was restored takes every step: it does not know which change nothing. */
static void forget(sb_autumn_state *state) {
    sb_out bytes = sb_out_growing();
    sb_autumn_save(state, &bytes);
    if (sb_out_ok(&bytes) && !sb_autumn_restore(state, bytes.data, bytes.size)) abort();
    sb_out_free(&bytes);
}

static void run(sb_autumn_state *state, sb_autumn_state *copy, const uint8_t *data, size_t size) {
    sb_autumn_tape tape = {.records = true};
    if (!sb_autumn_start(state, SB_AUTUMN_PUBLISHED, size, NULL)) {
        check_fault(sb_autumn_fault_of(state));
        return;
    }
    for (size_t i = 0; i < STEPS; i++) {
        const sb_autumn_event event = event_of(data, size, i);
        if (!sb_autumn_copy(copy, state) || !same_key(copy, state)) abort();
        forget(copy);
        tape.n = 0;
        if (!sb_autumn_step(state, event, &tape)) {
            check_fault(sb_autumn_fault_of(state));
            if (!same_key(copy, state)) abort();
            break;
        }
        tape.records = false;
        if (!sb_autumn_step(copy, event, &tape) || tape.used != tape.n) abort();
        if (sb_autumn_evaluations(copy) != sb_autumn_evaluations(state)) abort();
        tape.records = true;
        sb_autumn_reseed(copy, i);
        sb_autumn_reseed(state, i);
        if (!same_key(copy, state)) abort();
        check_frame(state);
    }
    sb_autumn_tape_free(&tape);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_autumn_fault fault, again;
    sb_autumn_program *const program = sb_autumn_load((const char *)data, size, &options, &fault);
    if (!program) {
        check_fault(&fault);
        if (sb_autumn_load((const char *)data, size, &options, &again)) abort();
        if (again.kind != fault.kind || again.line != fault.line || strcmp(again.text, fault.text) != 0) abort();
        return 0;
    }
    for (size_t i = 0; sb_autumn_warning(program, i); i++) check_fault(sb_autumn_warning(program, i));
    sb_autumn_state *const state = sb_autumn_new(program), *const copy = sb_autumn_new(program);
    if (state && copy) run(state, copy, data, size);
    sb_autumn_free(state);
    sb_autumn_free(copy);
    sb_autumn_unload(program);
    return 0;
}
