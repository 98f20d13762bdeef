/* What a game has shown so far, in memory: its transitions as a log, and how well each was last predicted. */
#ifndef SB_EVALUATION_ARENA_EVIDENCE_H
#define SB_EVALUATION_ARENA_EVIDENCE_H

#include "evaluation/models/regressions.h"

/* How a transition was predicted: before the action, and since then by newer revisions that were checked on it. */
typedef struct sb_past {
    bool is_asked;          /* a prediction was due: the kind is step or over */
    bool is_said, is_right; /* there is a prediction; it is right */
    uint64_t equal, of;     /* leaves that are equal, and all leaves of z */
    double pixels;
    char *h; /* the model's h before the transition, n_h bytes; NULL: nothing */
    size_t n_h;
    uint32_t action_count;
} sb_past;

/* All that a game has shown. Starts zeroed; the caller frees it. */
typedef struct sb_evidence {
    sb_log log; /* one play */
    sb_log_play play;
    sb_past *past; /* how each transition was predicted */
    size_t capacity, past_capacity;
    uint8_t **blocks; /* memory of the kept frames and their lists */
    size_t n_blocks, blocks_capacity;
    sb_seen_table seen; /* what each frame and action led to the last time */
} sb_evidence;

/* Begins with the play of a writer at its start. */
bool sb_evidence_begin(sb_evidence *evidence, const sb_log_writer *writer, sb_error *error);
/* Adds the writer's line. `*was_other`: the same action in the same frame led to something else before. */
bool sb_evidence_add(sb_evidence *evidence, const sb_log_writer *writer, const sb_past *past, const sb_model_value *h,
                     bool *was_other, sb_error *error);
/* Replaces the h that is carried before a transition. */
bool sb_evidence_carry(sb_past *past, const sb_model_value *h, sb_error *error);
/* Selects the set of regressions. The caller frees it. */
bool sb_evidence_select(const sb_evidence *evidence, sb_regressions *set, sb_error *error);
/* Share of the transitions that are right, as they were last predicted. */
double sb_evidence_retrodiction(const sb_evidence *evidence);
void sb_evidence_free(sb_evidence *evidence);

#endif
