/* The difficulties of each program: free exploration, and the challenges that are derived from it. */
#ifndef SB_AUTUMN_VARIANTS_H
#define SB_AUTUMN_VARIANTS_H

#include "generators/autumn/challenges/challenge.h"

/* The names are "", `published`, then `mfp-1` to `change-4`, and the same again with `-same`: the noise of a challenge
 * is then the same after every reset and in the test (protocol 2, option same_noise). */
enum {
    SB_AUTUMN_OURS, /* draws by pcg64 */
    SB_AUTUMN_AS_PUBLISHED,
    SB_AUTUMN_FIRST_CHALLENGE,
    SB_AUTUMN_FIRST_SAME = SB_AUTUMN_FIRST_CHALLENGE + SB_AUTUMN_N_CHALLENGES * SB_AUTUMN_LEVELS,
    SB_AUTUMN_N_VARIANTS = SB_AUTUMN_FIRST_SAME + SB_AUTUMN_N_CHALLENGES * SB_AUTUMN_LEVELS
};

extern const char *const sb_autumn_variants[SB_AUTUMN_N_VARIANTS];
extern const char sb_autumn_variants_in_short[], sb_autumn_challenges_in_short[];

static inline bool sb_autumn_is_challenge(size_t variant) { return variant >= SB_AUTUMN_FIRST_CHALLENGE; }
static inline bool sb_autumn_has_same_noise(size_t variant) { return variant >= SB_AUTUMN_FIRST_SAME; }
/* The number of a challenge among those with the same noise, from 0. */
static inline size_t sb_autumn_number_of(size_t variant) {
    return variant - (sb_autumn_has_same_noise(variant) ? SB_AUTUMN_FIRST_SAME : SB_AUTUMN_FIRST_CHALLENGE);
}
static inline sb_autumn_challenge_kind sb_autumn_kind_of(size_t variant) {
    return (sb_autumn_challenge_kind)(sb_autumn_number_of(variant) / SB_AUTUMN_LEVELS);
}
static inline uint32_t sb_autumn_level_of(size_t variant) {
    return (uint32_t)(sb_autumn_number_of(variant) % SB_AUTUMN_LEVELS) + 1;
}

#endif
