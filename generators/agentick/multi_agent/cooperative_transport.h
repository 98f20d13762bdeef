/* CooperativeTransport's variables and its helper, for its generator, its oracles and its tests. */
#ifndef SB_AGENTICK_COOPERATIVE_TRANSPORT_H
#define SB_AGENTICK_COOPERATIVE_TRANSPORT_H

#include "engine/gridworld/area.h"

enum { SB_COOPERATIVE_TRANSPORT_BOXES = 4 };

typedef struct sb_cooperative_transport_vars {
    int32_t n_left;                            /* boxes that are not delivered, and as many open holes */
    sb_xy box[SB_COOPERATIVE_TRANSPORT_BOXES]; /* their cells; the order matters: the helper goes by it */
    /* (The dense reward reads the old values of the above.) */
    sb_xy helper;

    sb_xy start, helper_start;
    int32_t n;                                    /* boxes, and as many holes */
    sb_xy placed[SB_COOPERATIVE_TRANSPORT_BOXES]; /* boxes at the start */
    sb_xy hole[SB_COOPERATIVE_TRANSPORT_BOXES];
} sb_cooperative_transport_vars;

/* Index in the list of boxes that are left, or -1. */
int sb_cooperative_transport_box_at(const sb_cooperative_transport_vars *v, sb_xy p);

/* ---- The helper ---- */

/* Which of n ways the helper takes when it wanders: nothing but the step counter decides, and so it is no secret.
 * `log` may be NULL. */
int sb_cooperative_transport_whim(int32_t clock, int n, sb_draw_log *log);

/* Whether it may step aside to the cell. */
bool sb_cooperative_transport_is_free(const sb_episode *e, sb_xy p);
/* Where it goes after a step, or stays; its own cell must not show it any more. */
sb_xy sb_cooperative_transport_next(const sb_episode *e);

extern const sb_task sb_cooperative_transport;

#endif
