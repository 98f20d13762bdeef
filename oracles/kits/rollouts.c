#include "oracles/kits/rollouts.h"

#include <stdbool.h>

/* What a plan gained over the usual one: sums over its rollouts. */
typedef struct gains {
    int plan;
    float sum, squares;
} gains;

static void compare(const sb_rollouts *r, gains *g, const float *usual, int first, int last) {
    for (int i = first; i < last; i++) {
        const float gained = usual[i] - r->play(r->context, g->plan, i);
        g->sum += gained, g->squares += gained * gained;
    }
}

/* Moves the plans that gained most to the front; returns how many are worth more rollouts. */
static int keep_best(gains *plans, int n, int most) {
    for (int k = 0; k < n && k < most; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (plans[i].sum > plans[best].sum) best = i;
        const gains g = plans[best];
        if (g.sum <= 0) return k;
        plans[best] = plans[k], plans[k] = g;
    }
    return n < most ? n : most;
}

/* Whether the mean gain is more than two standard errors. */
static bool is_real(const gains *g, int n) {
    const float mean = g->sum / (float)n, variance = (g->squares / (float)n - mean * mean) / (float)(n - 1);
    return mean > 0 && mean * mean > 4 * variance;
}

int sb_rollouts_choose(const sb_rollouts *r, int n) {
    gains plans[SB_ROLLOUTS_PLANS];
    float usual[SB_ROLLOUTS_MAX], most = 0;
    int best = 0;
    if (n < 2) return 0;
    for (int i = 0; i < r->few; i++) usual[i] = r->play(r->context, 0, i);
    for (int k = 1; k < n; k++) {
        plans[k - 1] = (gains){.plan = k};
        compare(r, &plans[k - 1], usual, 0, r->few);
    }
    const int kept = keep_best(plans, n - 1, r->kept);
    for (int i = r->few; i < r->all && kept > 0; i++) usual[i] = r->play(r->context, 0, i);
    for (int k = 0; k < kept; k++) {
        compare(r, &plans[k], usual, r->few, r->all);
        if (plans[k].sum > most && is_real(&plans[k], r->all)) most = plans[k].sum, best = plans[k].plan;
    }
    return best;
}
