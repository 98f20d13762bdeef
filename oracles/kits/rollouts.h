/* Rollouts: which of several plans takes the fewest steps, where chance decides. All plans are played with the same
 * draws, so what is compared are differences. Every plan is played a few times, the most promising ones more often, and
 * the usual plan is left only for a gain of two standard errors: changing plans for no real gain costs more than it
 * brings. */
#ifndef SB_ORACLES_ROLLOUTS_H
#define SB_ORACLES_ROLLOUTS_H

enum { SB_ROLLOUTS_PLANS = 16, SB_ROLLOUTS_MAX = 64 };

typedef struct sb_rollouts {
    int few, all; /* how often every plan is played, and how often those that are kept; at most SB_ROLLOUTS_MAX */
    int kept;     /* how many plans besides the usual one are kept */
    /* Plays a plan; returns the steps it took, with an estimate of those left. Draws depend on `sample` alone. */
    float (*play)(const void *context, int plan, int sample);
    const void *context;
} sb_rollouts;

/* Returns the number of the best of n plans, at most SB_ROLLOUTS_PLANS. Plan 0 is the usual one. */
int sb_rollouts_choose(const sb_rollouts *r, int n);

#endif
