/* Probes: what to try where there is no plan. An episode's offers in both forms, how often each action was taken in
 * each frame, and the action that was taken least often in this one. */
#ifndef SB_EVALUATION_MODELS_PROBE_H
#define SB_EVALUATION_MODELS_PROBE_H

#include "evaluation/models/imagine.h"

/* The actions that an episode offers at its start. Starts zeroed; the caller frees it. */
typedef struct sb_offers {
    sb_action *numbers; /* numbers of the buttons on offer, without the reset */
    sb_log_action *buttons, click, reset;
    size_t n_buttons;
    bool has_clicks, has_reset;
} sb_offers;

bool sb_offers_read(sb_offers *offers, const sb_env *env, const sb_frame_shape *shape, sb_error *error);
void sb_offers_free(sb_offers *offers);
/* Whether the episode is a test that has not begun, and the action that begins it: what can be reached in a test is
 * reached after that, so nothing comes before. */
bool sb_probe_begins_test(const sb_env *env, const sb_frame_shape *shape, sb_log_action *begins);

/* How often an action was taken in a frame. */
typedef struct sb_tried {
    uint64_t frame[2];
    sb_action action;
    uint32_t times; /* 0: the slot is free */
} sb_tried;

/* How often actions were taken. Starts zeroed; the caller frees `slots`. */
typedef struct sb_tries {
    sb_tried *slots;
    size_t n, n_slots; /* n_slots: a power of two */
} sb_tries;

bool sb_tries_note(sb_tries *tries, const sb_frame_shape *shape, const uint8_t *frame, sb_action action,
                   sb_error *error);

/* Chooses the action taken least often in this frame: of equals a button before the candidate's clicks. `room` is room
 * for a frame. Fails if nothing is on offer. */
bool sb_probe_choose(const sb_tries *tries, const sb_env *env, const sb_offers *offers, const sb_imagine_from *from,
                     const uint8_t *frame, uint8_t *room, sb_log_action *best, sb_error *error);

#endif
