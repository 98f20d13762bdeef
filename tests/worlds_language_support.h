/* Worlds written in tests. */
#ifndef SB_TESTS_WORLDS_LANGUAGE_SUPPORT_H
#define SB_TESTS_WORLDS_LANGUAGE_SUPPORT_H

#include "tests/autumn_support.h"

#define A_RED "(object A (Cell 0 0 \"red\"))"
#define TASK  "(task \"T\" (win false))"

static inline sb_autumn_program *load_as(const char *text, size_t difficulty, sb_autumn_fault *fault) {
    const sb_autumn_options options = {.difficulty = difficulty};
    return sb_autumn_load(text, strlen(text), &options, fault);
}

static inline sb_autumn_state *start(const char *text, size_t difficulty, uint64_t seed) {
    sb_autumn_fault fault;
    const sb_autumn_program *program = load_as(text, difficulty, &fault);
    if (!program) fail_msg("%u:%u: %s\n%s", fault.line, fault.column, fault.text, text);
    sb_autumn_state *state = new_state(program);
    if (sb_autumn_start(state, SB_AUTUMN_PCG64, seed, NULL)) return state;
    fail_msg("%u:%u: %s\n%s", sb_autumn_fault_of(state)->line, sb_autumn_fault_of(state)->column,
             sb_autumn_fault_of(state)->text, text);
    return NULL;
}

static inline void drop(sb_autumn_state *state) {
    const sb_autumn_program *program = sb_autumn_program_of(state);
    sb_autumn_free(state);
    sb_autumn_unload((sb_autumn_program *)(uintptr_t)program);
}

#endif
