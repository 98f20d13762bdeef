/* The conversation with a candidate's program: it is started, told of the game, asked line by line, and started again
 * when it dies or hangs. One JSON object a line goes to the program and one comes back. The operations
 * (evaluation/models/candidate.h) write lines and read answers with this.
 *
 * A candidate's failure is a value: the call returns true, the answer is empty, and the failure is counted by
 * operation. False is an error of this process. */
#ifndef SB_EVALUATION_MODELS_CONVERSATION_H
#define SB_EVALUATION_MODELS_CONVERSATION_H

#include "agents/failure.h"
#include "agents/process.h"
#include "rollout/transitions.h"

enum {
    SB_MODEL_PROTOCOL = 1,
    SB_MODEL_SECONDS = 1,             /* time for an answer, unless told otherwise */
    SB_MODEL_START_SECONDS = 60,      /* time for the first hello */
    SB_MODEL_RESTARTS = 3,            /* restarts of a program that died or hung, at most */
    SB_MODEL_BYTES = 1 << 20,         /* bytes of an answer, at most */
    SB_MODEL_STATE_BYTES = 256 << 10, /* bytes of one z, h or c, at most */
    SB_MODEL_PURITY = 16,             /* every so many predicts and renders one is asked twice */
    SB_MODEL_HYPOTHESES = 16,
    SB_MODEL_NAMES = 16, /* policies, and sub-goals, at most */
    SB_MODEL_NAME = 48,
    SB_MODEL_CLICKS = 64
};

/* ---- Operations and their owners --------------------------------------------------------------------------------- */

typedef enum sb_model_op {
    SB_MODEL_HELLO,
    SB_MODEL_LEVEL,
    SB_MODEL_ENCODE,
    SB_MODEL_RENDER,
    SB_MODEL_HISTORY,
    SB_MODEL_PREDICT,
    SB_MODEL_HYPOTHESES_OP,
    SB_MODEL_CLICKS_OP,
    SB_MODEL_GOAL,
    SB_MODEL_POLICY,
    SB_MODEL_SUB_GOAL,
    SB_MODEL_LEARN,
    SB_MODEL_SAVE,
    SB_MODEL_LOAD,
    SB_MODEL_N_OPS
} sb_model_op;

typedef enum sb_model_owner { SB_OWNS_OBSERVATION, SB_OWNS_DYNAMICS, SB_OWNS_STRATEGY, SB_N_OWNERS } sb_model_owner;

extern const char *const sb_model_op_names[SB_MODEL_N_OPS]; /* `hello`, `level`, `encode`, ... */
extern const char *const sb_model_owner_names[SB_N_OWNERS]; /* `observation`, `dynamics`, `strategy` */
sb_model_owner sb_model_owner_of(sb_model_op op);           /* hello, level, learn, save, load: dynamics */

/* ---- Transports: programs, and models in this process ------------------------------------------------------------ */

/* Exchanges one line (n bytes with the newline) for one answer. Sets *answer to its text, which ends with a NUL and
 * lives until the next call, or sets the failure. False only for errors of this process. */
typedef struct sb_model_transport {
    bool (*ask)(void *context, sb_model_op op, const char *line, size_t n, sb_json_part *answer, sb_failure *failure,
                sb_error *error);
    void *context;
} sb_model_transport;

/* ---- Candidates -------------------------------------------------------------------------------------------------- */

typedef struct sb_candidate_rules {
    /* the program's command, run by the shell as agents are; NULL: the transport answers */
    const char *command;
    sb_model_transport transport;
    sb_timer *now;
    uint64_t seconds, start_seconds; /* time for an answer, and for the first hello; 0: the usual */
    int errors;                      /* descriptor for its standard error; -1: ours */
    const char *save;                /* a file for `save` and `load`, for programs that learn; NULL: none */
} sb_candidate_rules;

/* A JSON value that belongs to the program and is kept here: the text as it was spelled, in one line. Starts zeroed but
 * for `grows` (sb_out_growing); empty: null. */
typedef sb_out sb_model_value;

static inline void sb_model_swap(sb_model_value *a, sb_model_value *b) {
    const sb_model_value kept = *a;
    *a = *b, *b = kept;
}

/* What the member `m` of a question says: nothing else of the game is told. */
typedef struct sb_model_meta {
    uint32_t step; /* actions of this play so far */
    int32_t level; /* from 1 */
    sb_json_part available;
    uint32_t action_count; /* actions on this level so far, without resets */
} sb_model_meta;

typedef struct sb_hypothesis {
    char name[SB_MODEL_NAME];
    double probability;
} sb_hypothesis;

/* What is known of a program, and what it did wrong. Opened by sb_candidate_open. */
typedef struct sb_candidate {
    sb_candidate_rules rules;
    sb_guard guard;
    sb_process process;
    bool is_open, has_guard, was_saved, is_dead; /* nothing is asked any more, because it was started again too often */
    char name[SB_MODEL_NAME], version[SB_MODEL_NAME]; /* name and version that its hello gave; may be empty */
    bool offers[SB_MODEL_N_OPS], learns;
    char policies[SB_MODEL_NAMES][SB_MODEL_NAME], sub_goals[SB_MODEL_NAMES][SB_MODEL_NAME];
    size_t n_policies, n_sub_goals;
    const sb_log_play *play;                 /* the game that the last hello told it of */
    int32_t level;                           /* the level of which the model was told last; 0: none */
    sb_out line, kept, scratch, copy, drawn; /* drawn: room for a frame */
    uint64_t asked[SB_MODEL_N_OPS], failures[SB_MODEL_N_OPS], impure[SB_MODEL_N_OPS], twice[SB_MODEL_N_OPS];
    uint32_t restarts;
    sb_failure first; /* the first failure, with its operation in the text */
    sb_failure last;  /* failure of the last call; kind SB_NO_FAILURE: it succeeded */
    double seconds;   /* spent waiting for answers */
} sb_candidate;

/* Starts the program. It says hello when it is told of its first game. The caller ignores SIGPIPE and closes the
 * candidate. */
bool sb_candidate_open(sb_candidate *candidate, const sb_candidate_rules *rules, sb_error *error);
/* Ends the program, however it is, and frees everything. */
void sb_candidate_close(sb_candidate *candidate);

/* Tells the program of a game: `hello` with name, levels, what it offers, and the form of its frames. Call it at the
 * beginning of every play. If the first hello fails, the candidate cannot be used: false with an error that says why.
 */
bool sb_candidate_begin(sb_candidate *candidate, const sb_log_play *play, sb_error *error);

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

/* Begins the candidate's line, which sb_model_ask ends. */
sb_out *sb_model_begin_line(sb_candidate *candidate, sb_model_op op);
/* Put members with a comma before them. */
void sb_model_put_value(sb_out *out, const char *key, const sb_model_value *value);
void sb_model_put_meta(sb_out *out, const sb_model_meta *m);

/* ---- Asking ------------------------------------------------------------------------------------------------------ */

/* Ends the line and asks. The answer is an object; after a failure, which is counted, it is empty. */
bool sb_model_ask(sb_candidate *candidate, sb_model_op op, sb_json_part *answer, sb_error *error);
/* Also asks the line once more, now and then, and compares. What was answered first counts, and is kept meanwhile. */
bool sb_model_ask_purely(sb_candidate *candidate, sb_model_op op, sb_json_part *answer, sb_error *error);

/* ---- Answers ----------------------------------------------------------------------------------------------------- */

/* Counts an answer as a failure after all, because it is no good. */
void sb_model_refuse(sb_candidate *candidate, sb_model_op op, const sb_json_part *answer, const char *why);
/* Keeps a value; false with a failure if it is too large. */
bool sb_model_keep(sb_candidate *candidate, sb_model_op op, const sb_json_part *answer, const sb_json_part *value,
                   sb_model_value *to);
bool sb_model_is_text(const sb_json_part *part);
/* Copies a text without its escapes, cut to what there is room for. */
void sb_model_copy_text(const sb_json_part *part, char *to, size_t capacity);

/* Puts a value as it is embedded in documents: `null` if it is empty. */
void sb_put_model_value(sb_out *out, const sb_model_value *value);

#endif
