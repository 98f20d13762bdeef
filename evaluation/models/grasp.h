/* What a candidate has grasped of a game that is played: its values for what is seen now, and what it says the next
 * action leads to. Planning and the arena play with it; neither ever feeds it its own predictions. */
#ifndef SB_EVALUATION_MODELS_GRASP_H
#define SB_EVALUATION_MODELS_GRASP_H

#include "evaluation/models/probe.h"

/* Starts zeroed; `sb_grasp_free` releases it, also after a failure. */
typedef struct sb_grasp {
    sb_candidate *candidate;
    const sb_frame_shape *shape;
    sb_model_value z, h, c, next_z, next_h; /* values of now, and after the action (next) */
    sb_model_value last_z;                  /* z of the end of a level */
    sb_model_meta m;
    sb_prediction prediction;
    uint8_t *frame, *predicted, *room; /* what is seen, what was predicted, and room for another frame */
} sb_grasp;

/* What was predicted of the next frame. */
typedef struct sb_expected {
    bool is_said, done, over;
    const uint8_t *frame; /* NULL: it could not be rendered */
} sb_expected;

/* Begins with the first frame of a play, which outlives the grasp, as the candidate does. Asks nothing. */
bool sb_grasp_begin(sb_grasp *g, sb_candidate *candidate, const sb_log_play *play, sb_error *error);
/* A level begins, or begins again: only its frame is known. */
bool sb_grasp_enter(sb_grasp *g, int32_t level, sb_error *error);
/* Where a search for a plan begins. */
sb_imagine_from sb_grasp_from_here(const sb_grasp *g, const sb_offers *offers, uint64_t nodes, uint64_t depth);

/* Carries h on over an action, into next_h. */
bool sb_grasp_carry(sb_grasp *g, const sb_log_action *action, sb_error *error);
/* Asks what the action leads to, after h was carried over it. */
bool sb_grasp_predict(sb_grasp *g, const sb_log_action *action, sb_expected *expected, sb_error *error);

/* Takes what the action led to for what is seen now, in three parts between which a caller may compare. */
void sb_grasp_see(sb_grasp *g, const sb_log_transition *line);
/* Encodes the frame that is seen into next_z; for kinds `step` and `over`. */
bool sb_grasp_encode(sb_grasp *g, sb_error *error);
/* Shows the transition to a candidate that learns, and makes the next values those of now. A level that ended leads to
 * `level`, of which only the frame is known. */
bool sb_grasp_go_on(sb_grasp *g, const sb_log_transition *line, int32_t level, sb_error *error);

void sb_grasp_free(sb_grasp *g);

#endif
