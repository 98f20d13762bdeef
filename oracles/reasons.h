/* Reasons: claims about a move in words. The words vary by a seed; what they say does not. */
#ifndef SB_ORACLES_REASONS_H
#define SB_ORACLES_REASONS_H

#include "oracles/claims.h"

enum { SB_REASON_WAYS = 4 /* ways to say each sentence */ };

typedef struct sb_reason_wording {
    sb_depth depth; /* how much the claims tell */
    uint64_t seed;  /* seed of the step: the same seed, the same words */
    bool places;    /* tells coordinates */
} sb_reason_wording;

/* Writes `fetch the red key at (4,5)`, or `give up: no solution is left`; nothing for NULL and without a verb. */
void sb_put_intent(sb_out *out, const sb_intent *intent);
/* Writes sentences that say the claims and nothing else: what is left to do, why this comes first, what the move does,
 * and what others would cost. Claims that are places alone are left out where no places are told. */
void sb_put_reason(sb_out *out, const sb_env *env, const sb_claims *claims, const sb_reason_wording *wording);

#endif
