/* The rules that oracles write a second time, on states of their own, so that a test can walk each of them beside the
 * task's steps (tests/packed_rules_test.c). Only that test uses them. */
#ifndef SB_ORACLES_AGENTICK_PACKED_H
#define SB_ORACLES_AGENTICK_PACKED_H

#include "base/search/search.h"
#include "engine/gridworld/episode.h"

/* What a drawn rule says of an action. */
typedef enum sb_packed_outcome {
    SB_PACKED_GOES_ON,
    SB_PACKED_LOST,   /* the agent dies */
    SB_PACKED_SKIPPED /* the rule calls the action no better than waiting, and does not play it */
} sb_packed_outcome;

enum { SB_PACKED_NUMBERS = 40 };

/* One rule. It has `expand` (searched: the moves that lead on), or `step` (deterministic), or `draw` (random). A
 * searched or deterministic rule may leave out actions that add nothing: the state stays as it is, or another action
 * leads to the same state, or the episode is lost. `leaves_out` says what else is left out. */
typedef struct sb_packed_rule {
    const char *task;
    size_t memory;     /* bytes of the memory that the functions get, zeroed before the first use */
    size_t state_size; /* bytes of a state; equal states have equal bytes, except in drawn rules */
    bool pushes;       /* the moves of `expand` are pushes, each with the walk to it */
    bool guesses;      /* `draw` has draws of its own: its results are among those of the task */
    /* Reads a state from the episode, and into the memory what the rule has to know besides. The state is zeroed
     * before.
     */
    void (*pack)(void *memory, const sb_episode *e, void *state);
    void (*expand)(void *memory, const void *state, sb_search *search);
    /* Changes the state by an action; false if the action cannot be taken, or ends the episode. */
    bool (*step)(void *memory, void *state, sb_action action);
    sb_packed_outcome (*draw)(void *memory, void *state, sb_action action, sb_rng *rng);
    /* Lists what a drawn rule says of the state; returns how many numbers these are. They are compared one by one, by
     * how often each value occurs. A number below 0 says nothing, and is not compared. */
    int (*tell)(const void *memory, const void *state, int32_t numbers[SB_PACKED_NUMBERS]);
    /* Tells whether the state is that of the episode. NULL: it is if the episode packs to the same bytes. */
    bool (*agrees)(const void *memory, const void *state, const sb_episode *e);
    /* Tells whether the rule leaves this state out on purpose; NULL: none. The state is that of the episode. */
    bool (*leaves_out)(const void *memory, const void *state, const sb_episode *e);
} sb_packed_rule;

#define SB_PACKED_RULE(rule) extern const sb_packed_rule rule;
#include "oracles/agentick/packed.def"
#undef SB_PACKED_RULE

#endif
