/* Checks a candidate against logs of transitions: what does it predict, and where is it first wrong
 * (docs/world-models.md)? */
#ifndef SB_EVALUATION_MODELS_CHECK_H
#define SB_EVALUATION_MODELS_CHECK_H

#include "evaluation/models/candidate.h"
#include "evaluation/models/measures.h"
#include "rollout/transitions.h"

/* ---- Verdicts ---------------------------------------------------------------------------------------------------- */

/* Who made a claim that can be wrong. */
typedef enum sb_model_source {
    SB_MODEL_RENDERED,  /* `render`: the encoded frame, rendered, should be the frame; owner observation */
    SB_MODEL_PREDICTED, /* `predict`: the rendered prediction should be the frame, and done and over right; dynamics */
    SB_MODEL_ERROR,     /* `error`: an operation of this transition failed, so that there is no answer; its owner */
    SB_MODEL_N_SOURCES
} sb_model_source;

extern const char *const sb_model_source_names[SB_MODEL_N_SOURCES];

/* What came out for one transition. Pointers live during the visit. */
typedef struct sb_model_verdict {
    const sb_log *log;
    size_t play; /* number of the play over all logs, from 0 */
    const sb_log_play *played;
    const sb_log_transition *transition; /* t, level, action, kind, frames */
    /* frames were compared (kinds step and over); what follows is only for these transitions */
    bool is_asked;
    bool right[SB_MODEL_N_SOURCES];             /* claims that are right; retrodiction counts SB_MODEL_PREDICTED */
    bool done, over;                            /* what was predicted; in transitions of kind level, too */
    sb_model_op failed;                         /* the operation that failed, if right[SB_MODEL_ERROR] is false */
    const uint8_t *observed, *predicted;        /* frames: render(z'), render(zhat); NULL after a failure */
    const sb_model_value *h_before;             /* what the program had carried before the action */
    double pixels, changes, objects, histogram; /* measures of the prediction; 0 after a failure */
    sb_leaves fields;                           /* compared leaves of zhat and z' */
    sb_wrong_cell cells[SB_MODEL_WRONG]; /* wrong cells of the prediction, or of `observed` if only that is wrong */
    size_t n_cells;                      /* number of all wrong cells, not only of those listed */
    sb_model_owner owner;                /* who is at fault, if anything is wrong */
} sb_model_verdict;

/* False with an error stops the check. */
typedef bool sb_model_visit(void *context, const sb_model_verdict *verdict, sb_error *error);

/* ---- Sums -------------------------------------------------------------------------------------------------------- */

typedef struct sb_ends {
    uint64_t match, missed, false_positive, agree_none;
} sb_ends;

/* Measures summed over transitions; 0 of 0 is shown as null. */
typedef struct sb_model_sums {
    uint64_t transitions, asked, right, observed; /* transitions; observed: those in which render(z') was asked */
    double pixels, changes, objects, histogram;   /* sums over the transitions that were asked */
    uint64_t fields_equal, fields_of;
    sb_ends done, over;
    uint64_t events_said, events_right;
    uint64_t horizons, horizon_steps, horizons_full; /* plays of a level: all, their right steps, those all right */
    double surprise;                                 /* surprise in bits, summed over the transitions that were asked */
} sb_model_sums;

/* Sums of a part: a level (of a game), an action, a game. */
typedef struct sb_model_part {
    char name[SB_LOG_GAME]; /* `arc:Echo/full`, `2`, `ACTION6` */
    sb_model_sums sums;
} sb_model_part;

typedef struct sb_model_parts {
    sb_model_part *items;
    size_t n, capacity;
} sb_model_parts;

/* The first transition that is wrong, in the order of logs. */
typedef struct sb_model_mismatch {
    bool is_any;
    size_t play;
    char path[256], game[SB_LOG_GAME];
    size_t line;
    uint32_t t;
    int32_t level;
    sb_log_action action;
    sb_model_source source;
    sb_model_owner owner;
    sb_model_op failed;
    char why[200]; /* why an operation failed; empty: none did */
    bool done, over, real_over;
    sb_wrong_cell cells[SB_MODEL_WRONG];
    size_t n_cells;
    sb_leaves fields;
} sb_model_mismatch;

typedef struct sb_model_report {
    char name[SB_MODEL_NAME], version[SB_MODEL_NAME];
    size_t plays;
    sb_model_sums all, copy, table; /* sums of the candidate (all), and of the reference rows */
    sb_model_parts levels, actions, games;
    sb_model_mismatch first;
    uint64_t asked[SB_MODEL_N_OPS], failures[SB_MODEL_N_OPS], impure[SB_MODEL_N_OPS], twice[SB_MODEL_N_OPS];
    uint64_t faults[SB_N_OWNERS]; /* wrong transitions by owner; a transition may count for two */
    uint32_t restarts;
    char failure[200]; /* the first failure; empty: there was none */
    double seconds;    /* seconds spent waiting for the candidate */
} sb_model_report;

typedef struct sb_check_options {
    const char *hypothesis; /* name of the hypothesis that predictions are asked for; NULL: none */
    bool learns;            /* show every transition to programs that learn, after it was judged */
    bool quick;             /* leave out horizon, surprise and reference rows */
    sb_model_visit *visit;  /* called for every transition in order, also for those that were not asked; may be NULL */
    void *context;
    void (*progress)(void *context, size_t done, size_t total); /* may be NULL */
    void *progress_context;
} sb_check_options;

/* Checks n logs, one after another. The caller frees the report, also after a failure. False only for errors of this
 * process, or if the program cannot be started. */
bool sb_model_check(const sb_log *logs, size_t n, sb_candidate *candidate, const sb_check_options *options,
                    sb_model_report *report, sb_error *error);
void sb_model_report_free(sb_model_report *report);

static inline double sb_model_retrodiction(const sb_model_sums *sums) {
    return sums->asked ? (double)sums->right / (double)sums->asked : 0;
}

/* Adds the sums of one part to those of another. */
void sb_model_sums_add(sb_model_sums *to, const sb_model_sums *from);

/* What a frame and an action led to the last time: the reference row `table`, which is learnt on the fly. */

/* The hash of a frame, which is the longest part of a look-up. */
typedef struct sb_frame_key {
    uint64_t hash[2];
} sb_frame_key;

typedef struct sb_seen {
    uint64_t key[2];
    const uint8_t *next; /* the frame that it led to, which belongs to the log; NULL: the place is free */
    sb_frame_key of_next;
    bool done, over;
} sb_seen;

/* What is known of frames and actions. Starts zeroed. */
typedef struct sb_seen_table {
    sb_seen *items;
    size_t n, capacity;
} sb_seen_table;

sb_frame_key sb_frame_key_of(const sb_frame_shape *shape, const uint8_t *frame);
/* Returns what the frame and the action led to the last time; NULL: it is not known. */
const sb_seen *sb_seen_find(const sb_seen_table *table, sb_frame_key frame, const sb_log_action *action);
/* Learns what the frame and the action led to; `next` must outlive the table. False: out of memory. */
bool sb_seen_put(sb_seen_table *table, sb_frame_key frame, const sb_log_action *action, const uint8_t *next,
                 sb_frame_key of_next, bool done, bool over);
void sb_seen_free(sb_seen_table *table);

#endif
