/* CooperativeTransport's variables and its helper, for its generator, its oracles and its tests. */
#ifndef SB_AGENTICK_COOPERATIVE_TRANSPORT_H
#define SB_AGENTICK_COOPERATIVE_TRANSPORT_H

#include "engine/gridworld/area.h"

enum { SB_COOPERATIVE_TRANSPORT_BOXES = 4 };

typedef struct sb_cooperative_transport_vars {
    int32_t n_left; /* number of boxes that are not delivered yet, and of open holes */
    /* cells of the boxes that are left; the helper goes to the first one beside the agent, so the order matters */
    sb_xy box[SB_COOPERATIVE_TRANSPORT_BOXES];
    /* The dense reward reads old values of `n_left` and `box`. */
    sb_xy helper;

    sb_xy start, helper_start;
    int32_t n;                                    /* number of boxes, and of holes */
    sb_xy placed[SB_COOPERATIVE_TRANSPORT_BOXES]; /* boxes at the start */
    sb_xy hole[SB_COOPERATIVE_TRANSPORT_BOXES];
} sb_cooperative_transport_vars;

/* Returns the index of the box on a cell in the list of boxes that are left, or -1. */
int sb_cooperative_transport_box_at(const sb_cooperative_transport_vars *v, sb_xy p);

/* ---- The helper ---- */

/* Returns which of n ways a wandering helper takes. Only the step counter decides, so it is no secret. `log` may be
 * NULL. */
int sb_cooperative_transport_whim(int32_t clock, int n, sb_draw_log *log);

/* Returns whether the helper may step aside to the cell. */
bool sb_cooperative_transport_is_free(const sb_episode *e, sb_xy p);
/* Returns the helper's cell after a step. The grid must no longer show the helper on its old cell. */
sb_xy sb_cooperative_transport_next(const sb_episode *e);

extern const sb_task sb_cooperative_transport;

#endif
