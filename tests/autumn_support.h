/* Running small Autumn programs in tests. */
#ifndef SB_TESTS_AUTUMN_SUPPORT_H
#define SB_TESTS_AUTUMN_SUPPORT_H

#include "tests/support.h"

#include <stdio.h>
#include <string.h>

#include "engine/autumn/autumn.h"

static inline sb_autumn_program *load(const char *text) {
    sb_autumn_fault fault;
    sb_autumn_program *program = sb_autumn_load(text, strlen(text), NULL, &fault);
    if (!program) fail_msg("%u:%u: %s\n%s", fault.line, fault.column, fault.text, text);
    return program;
}

static inline sb_autumn_state *new_state(const sb_autumn_program *program) {
    sb_autumn_state *state = sb_autumn_new(program);
    assert_non_null(state);
    return state;
}

/* `.` is noop, `<>^v` are the keys, a pair of digits is a click at x, y. */
static inline sb_autumn_event event_of(const char **actions) {
    static const char keys[] = ".<>^v";
    const char c = *(*actions)++;
    const char *key = strchr(keys, c);
    if (key) return (sb_autumn_event){.key = (sb_autumn_key)(key - keys)};
    return (sb_autumn_event){.key = SB_AUTUMN_CLICK, .x = c - '0', .y = *(*actions)++ - '0'};
}

/* What was drawn: `ball 1 2 red; wall 0 0 gray 1 0 gray`. */
enum { DRAWING_MAX = 20000 };
static inline const char *drawing(const sb_autumn_state *state) {
    static char text[DRAWING_MAX];
    size_t n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sb_autumn_n_layers(state); i++) {
        const sb_autumn_layer *layer = &sb_autumn_layers(state)[i];
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i ? "; " : "",
                              sb_autumn_name(sb_autumn_program_of(state), layer->variable));
        for (uint32_t k = 0; k < layer->n && n < sizeof text; k++) {
            const sb_autumn_cell *cell = &sb_autumn_cells(state)[layer->first + k];
            n += (size_t)snprintf(text + n, sizeof text - n, " %d %d %s", cell->x, cell->y,
                                  sb_autumn_string(sb_autumn_program_of(state), cell->colour));
        }
    }
    return text;
}

/* Runs a program with these actions; the last drawing must be this. */
static inline void expect_seeded(const char *text, uint64_t seed, const char *actions, const char *drawn) {
    sb_autumn_program *program = load(text);
    sb_autumn_state *state = new_state(program);
    bool ok = sb_autumn_start(state, SB_AUTUMN_PUBLISHED, seed, NULL);
    while (ok && *actions) ok = sb_autumn_step(state, event_of(&actions), NULL);
    const sb_autumn_fault *fault = sb_autumn_fault_of(state);
    if (!ok) fail_msg("%u:%u: %s\n%s", fault->line, fault->column, fault->text, text);
    if (strcmp(drawing(state), drawn) != 0) fail_msg("%s\n  expected %s\n  drawn    %s", text, drawn, drawing(state));
    sb_autumn_free(state);
    sb_autumn_unload(program);
}

static inline void expect(const char *text, const char *actions, const char *drawn) {
    expect_seeded(text, 1, actions, drawn);
}

/* Runs a program until it stops; the fault must be of this kind, at this place, and its text must hold these words. */
static inline void expect_fault(const char *text, const char *actions, sb_autumn_kind kind, uint32_t line,
                                uint32_t column, const char *words) {
    sb_autumn_fault fault;
    sb_autumn_program *program = sb_autumn_load(text, strlen(text), NULL, &fault);
    if (program) {
        sb_autumn_state *state = new_state(program);
        bool ok = sb_autumn_start(state, SB_AUTUMN_PUBLISHED, 1, NULL);
        while (ok && *actions) ok = sb_autumn_step(state, event_of(&actions), NULL);
        if (ok) fail_msg("no fault: %s", text);
        if (*actions) fail_msg("the fault came too early: %s", text);
        fault = *sb_autumn_fault_of(state);
        sb_autumn_free(state);
        sb_autumn_unload(program);
    }
    if (fault.kind != kind || fault.line != line || fault.column != column || !strstr(fault.text, words))
        fail_msg("%s\n  expected %s at %u:%u with `%s`\n  found    %s at %u:%u: %s", text, sb_autumn_kind_names[kind],
                 line, column, words, sb_autumn_kind_names[fault.kind], fault.line, fault.column, fault.text);
}

#endif
