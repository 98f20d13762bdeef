/* A tape is a played episode: its name, the agent, the actions and how it ended, as one line of JSON. Recordings,
 * replays and data sets are made from tapes: solve once, render often. */
#ifndef SB_ROLLOUT_TAPE_H
#define SB_ROLLOUT_TAPE_H

#include "base/json.h"
#include "base/out.h"
#include "engine/efficiency.h"
#include "engine/lookup.h"
#include "engine/testing.h"
#include "oracles/oracle.h"
#include "rollout/judging.h"
#include "rollout/person.h"
#include "rollout/rules.h"
#include "rollout/said.h"
#include "seedbed/tape.h"

enum { SB_TAPE_FORMAT = 1, SB_AGENT_NAME = 64, SB_DIGEST_HEX = 17, SB_TAPE_BYTES = 16 << 20 };

/* A step in which the oracle would have taken another action than the one taken, for example because of noise. */
typedef struct sb_correction {
    uint32_t step;
    sb_action label; /* the oracle's action; never the one that was taken */
} sb_correction;

/* What the oracle intended (sb_intent), from this step until the next purpose. */
typedef struct sb_purpose {
    uint32_t step;
    char verb[24], object[24]; /* verb "": no intent that has a name */
    sb_xy at;
} sb_purpose;

struct sb_tape {
    sb_name name;
    sb_resolved of;             /* what the name stands for */
    char rules[SB_RULES_NAME];  /* name of the rules: family and version: `agentick 1` */
    const sb_program *program;  /* what the task was made of; belongs to the catalogue. NULL: the task is built in */
    char agent[SB_AGENT_NAME];  /* who acted: `expert`, `random` */
    char digest[SB_DIGEST_HEX]; /* first 16 hex digits of SHA-256 over the actions (4 bytes each, little-endian), the
                                   family's digest of the last state, and the notes (docs/formats.md, "Tapes") */
    sb_action *actions;         /* on the heap, kept when the tape is used again */
    size_t n, capacity;
    sb_criterion criterion; /* how the task is judged */
    sb_status outcome;      /* success is false if the task has no success */
    /* what the family measured of the effort, if it does; nothing in a tape that was read: a replay measures it */
    sb_effort effort;
    sb_test_record test; /* what became of the test; nothing in a tape that was read: a replay tells */
    /* Notes, by ascending step; allocated with the first note. A copy of a tape needs its own copy of them. */
    sb_correction *corrections;
    sb_purpose *purposes;
    size_t n_corrections, corrections_capacity, n_purposes, purposes_capacity;
    sb_said said;     /* what the agent said, by step; after the last action, the step is the number of steps */
    sb_person person; /* who played, if that was a person and is told; the digest leaves it out */
};

/* Frees what the tape holds, but not the tape itself. */
void sb_tape_clear(sb_tape *tape);
/* Reads the name from a text, and with it what follows from it: the members `of`, `criterion` and `program`. */
bool sb_tape_read_name(sb_tape *tape, const sb_catalogue *catalogue, const char *text, sb_error *error);
/* Forgets actions and notes, so that the tape can record another episode. */
void sb_tape_begin(sb_tape *tape, const sb_env *env, const char *agent);
bool sb_tape_append(sb_tape *tape, sb_action action, sb_error *error);
/* Notes the oracle's action for the step that is appended next; call it only if another action will be taken. */
bool sb_tape_correct(sb_tape *tape, sb_action label, sb_error *error);
/* Notes what the oracle intends from the step that is appended next on, unless that is noted already. */
bool sb_tape_explain(sb_tape *tape, const sb_intent *intent, sb_error *error);
/* Returns the oracle's action in a step: the action taken, unless there is a correction. */
sb_action sb_tape_label(const sb_tape *tape, size_t step);
/* Returns what the oracle intended in a step; NULL if nothing is noted. */
const sb_purpose *sb_tape_purpose(const sb_tape *tape, size_t step);
sb_purpose sb_purpose_of(const sb_intent *intent, uint32_t step);
/* Writes `fetch the red key at (4,5)`, or `give up: no solution is left`; nothing for NULL and for an empty purpose. */
void sb_put_purpose(sb_out *out, const sb_purpose *purpose);
/* Notes status and digest of an environment in which the tape's actions were just played. */
void sb_tape_finish(sb_tape *tape, const sb_env *env);

/* Writes one line of JSON with its newline. */
void sb_tape_put_line(const sb_tape *tape, sb_out *out);
/* Reads a tape from one line of JSON. Unknown, missing and contradicting keys are errors. */
bool sb_tape_parse(const sb_catalogue *catalogue, const char *line, size_t n, sb_tape *tape, sb_error *error);
/* Writes the tape as a JSON value inside another document. */
void sb_tape_put(const sb_tape *tape, sb_out *out);
/* Writes the tape as a JSON value without a person's times, which no replay judges. */
void sb_tape_put_without_times(const sb_tape *tape, sb_out *out);
bool sb_tape_read(const sb_catalogue *catalogue, const cJSON *object, sb_tape *tape, sb_error *error);

/* Fails with SB_MISMATCH if the tape stops before its episode ends although its agent is one of this program's, which
 * play to the end. Tapes of people and of other programs may stop early; outcome.done is false then. */
bool sb_tape_check_whole(const sb_tape *tape, sb_error *error);

#endif
