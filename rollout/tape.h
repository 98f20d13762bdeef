/* A tape is an episode played: its name, who acted, the actions and how it ended, as one line of JSON. Recordings,
 * replays and data sets are made from tapes: solve once, render often. */
#ifndef SB_ROLLOUT_TAPE_H
#define SB_ROLLOUT_TAPE_H

#include "base/json.h"
#include "base/out.h"
#include "oracles/oracle.h"
#include "rollout/judging.h"
#include "seedbed/tape.h"

enum { SB_TAPE_FORMAT = 1, SB_AGENT_NAME = 24, SB_RULES_NAME = 32, SB_DIGEST_HEX = 17, SB_TAPE_BYTES = 16 << 20 };

/* Where the oracle would have acted otherwise than was acted: behind noise, for instance. */
typedef struct sb_correction {
    uint32_t step;
    sb_action label; /* the oracle's action; never the one that was taken */
} sb_correction;

/* What the oracle was up to (sb_intent), from this step until the next purpose. */
typedef struct sb_purpose {
    uint32_t step;
    char verb[24], object[24]; /* verb "": nothing that it could name */
    sb_xy at;
} sb_purpose;

struct sb_tape {
    sb_name name;
    char rules[SB_RULES_NAME];  /* family and version of its rules: `agentick 1` */
    char agent[SB_AGENT_NAME];  /* who acted: `expert`, `random` */
    char digest[SB_DIGEST_HEX]; /* first 16 hex digits of SHA-256 over the actions (4 bytes each, little-endian), the
                                   family's digest of the last state, and what is noted (docs/datasets.md, "Tapes") */
    sb_action *actions;         /* on the heap, kept when the tape is used again */
    size_t n, capacity;
    sb_criterion criterion; /* of the task */
    sb_status outcome;      /* no success if the task has none */
    /* Notes, by ascending step; without room of their own until there is one. Whoever copies a tape copies them too. */
    sb_correction *corrections;
    sb_purpose *purposes;
    size_t n_corrections, corrections_capacity, n_purposes, purposes_capacity;
};

/* Frees what it holds; the tape itself is its owner's. */
void sb_tape_clear(sb_tape *tape);
/* Forgets actions and notes: the tape may be used for another episode. */
void sb_tape_begin(sb_tape *tape, const sb_env *env, const char *agent);
bool sb_tape_append(sb_tape *tape, sb_action action, sb_error *error);
/* Notes what the oracle would have done in the step that is appended next, if it is not what will be done, and what it
 * is up to there, if that is new. */
bool sb_tape_correct(sb_tape *tape, sb_action label, sb_error *error);
bool sb_tape_explain(sb_tape *tape, const sb_intent *intent, sb_error *error);
/* What the oracle would have done in a step: what was done, unless a correction says otherwise. */
sb_action sb_tape_label(const sb_tape *tape, size_t step);
/* NULL if nothing is noted. */
const sb_purpose *sb_tape_purpose(const sb_tape *tape, size_t step);
/* `fetch the red key at (4,5)`; nothing for NULL and for an empty purpose. */
void sb_put_purpose(sb_out *out, const sb_purpose *purpose);
/* Notes status and digest of an environment in which the tape's actions were just played. */
void sb_tape_finish(sb_tape *tape, const sb_env *env);

/* `agentick 1`: what a tape must agree with; with the task's own version behind it, if it has one. The task may be
 * NULL. */
void sb_rules_name(const sb_family *family, const sb_task_info *task, char rules[SB_RULES_NAME]);

/* One line of JSON with its newline. */
void sb_tape_put_line(const sb_tape *tape, sb_out *out);
/* Reads such a line. Unknown, missing and contradicting keys are errors. */
bool sb_tape_parse(const sb_catalogue *catalogue, const char *line, size_t n, sb_tape *tape, sb_error *error);
/* The same as a JSON value inside another document. */
void sb_tape_put(const sb_tape *tape, sb_out *out);
bool sb_tape_read(const sb_catalogue *catalogue, const cJSON *object, sb_tape *tape, sb_error *error);

/* Fails with SB_MISMATCH if the tape stops before its episode ends and names one of this program's agents, which play
 * to the end. People may stop, and programs may fail; then outcome.done is false, in the tape as well. */
bool sb_tape_check_whole(const sb_tape *tape, sb_error *error);

#endif
