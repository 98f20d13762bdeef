/* The operations of candidates: programs that say what a world will do next (docs/world-models.md). Only `predict` must
 * be offered; what a program does not offer has a default, so everybody above this file may call every operation.
 *
 * Results replace what the caller's values hold; after a failure (candidate->last.kind) they are empty. Frames are the
 * caller's, of the play's shape. z, h and c are values of this program; an empty one is null. */
#ifndef SB_EVALUATION_MODELS_CANDIDATE_H
#define SB_EVALUATION_MODELS_CANDIDATE_H

#include "evaluation/models/conversation.h"

/* Tells the program that a level begins, or begins again. The caller empties h. */
bool sb_candidate_level(sb_candidate *candidate, int32_t level, sb_error *error);
/* Makes z of a frame. `before` is the z of the frame before, or empty. `c` stays unless the answer sets it. Default:
 * {"frame": F}. */
bool sb_candidate_encode(sb_candidate *candidate, const uint8_t *frame, const sb_model_value *before, sb_model_value *c,
                         const sb_model_meta *m, sb_model_value *z, sb_error *error);
/* Draws the frame of z. Default: z.frame. */
bool sb_candidate_render(sb_candidate *candidate, const sb_model_value *z, const sb_model_value *c, uint8_t *frame,
                         sb_error *error);
/* Carries h on over an action; `next` may not be `h`. Default: a copy of h. */
bool sb_candidate_history(sb_candidate *candidate, const sb_model_value *h, const sb_model_value *z,
                          const sb_log_action *action, const sb_model_value *c, const sb_model_meta *m,
                          sb_model_value *next, sb_error *error);

typedef struct sb_prediction {
    sb_model_value z;
    bool done, over;
    int32_t events; /* number of frames that the action shows; -1: the candidate does not say */
} sb_prediction;

/* Predicts what the action leads to. `hypothesis` is a name, or NULL. `prediction->z` may not be `z`. */
bool sb_candidate_predict(sb_candidate *candidate, const sb_model_value *z, const sb_model_value *h,
                          const sb_log_action *action, const sb_model_value *c, const sb_model_meta *m,
                          const char *hypothesis, sb_prediction *prediction, sb_error *error);
/* Lists the hypotheses. Default: one, `main`, with probability 1. Returns 0 in *n after a failure. */
bool sb_candidate_hypotheses(sb_candidate *candidate, sb_hypothesis found[SB_MODEL_HYPOTHESES], size_t *n,
                             sb_error *error);
/* Clicks worth trying, best first, at most `capacity`. `frame` is the rendered z, for the default: where
 * it differs from the goal, if the play shows one, then the centres of connected areas of one colour that are not the
 * largest, in order of their first cell. */
bool sb_candidate_clicks(sb_candidate *candidate, const uint8_t *frame, const sb_model_value *z,
                         const sb_model_value *h, const sb_model_value *c, const sb_model_meta *m, sb_xy *clicks,
                         size_t capacity, size_t *n, sb_error *error);

typedef struct sb_goal_answer {
    bool achieved;
    double progress; /* 0..1 */
    char reason[120];
} sb_goal_answer;

/* Asks whether z is the goal. `done` is what the prediction that led to z said. Default: achieved when done, and when
 * the rendered z has the goal that the play shows. */
bool sb_candidate_goal(sb_candidate *candidate, const sb_model_value *z, const sb_model_value *h,
                       const sb_model_value *c, const sb_model_meta *m, bool done, sb_goal_answer *goal,
                       sb_error *error);
/* Asks a policy for an action, and a sub-goal whether it is reached; both by the names in the hello. */
bool sb_candidate_policy(sb_candidate *candidate, const char *name, const sb_model_value *z, const sb_model_value *h,
                         const sb_model_value *c, const sb_model_meta *m, sb_log_action *action, sb_error *error);
bool sb_candidate_sub_goal(sb_candidate *candidate, const char *name, const sb_model_value *z, const sb_model_value *h,
                           const sb_model_value *c, const sb_model_meta *m, sb_goal_answer *goal, sb_error *error);
/* Shows what really happened; does nothing if the program does not learn. */
bool sb_candidate_learn(sb_candidate *candidate, const sb_log_transition *transition, const sb_model_value *z,
                        const sb_model_value *h, const sb_model_value *next, sb_error *error);
/* Lets the program save what it learnt to its file; does nothing if it does not learn or there is no file. */
bool sb_candidate_save(sb_candidate *candidate, sb_error *error);

#endif
