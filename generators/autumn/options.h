/* Choosing the six options of a masked frame prediction, so that they do not give the answer away (challenges 3.6). */
#ifndef SB_AUTUMN_OPTIONS_H
#define SB_AUTUMN_OPTIONS_H

#include "generators/autumn/challenge.h"
#include "seeds/rng.h"

/* The causes of options, as in sb_autumn_cause_names. */
enum {
    SB_AUTUMN_ANSWER,
    SB_AUTUMN_STAY,
    SB_AUTUMN_MISSED,
    SB_AUTUMN_OTHER,
    SB_AUTUMN_SHIFT,
    SB_AUTUMN_RULE,
    SB_AUTUMN_MIRROR,
    SB_AUTUMN_RECOLOUR,
    SB_AUTUMN_COURSE
};

/* Frames that the last one could have been. The first is what it was; in the mask they are all different. */
typedef struct sb_autumn_pool {
    uint32_t n, size;
    const uint8_t *const *frames;
    const uint8_t *causes;
    const uint8_t *mask;
    uint32_t n_mask;
    const bool *shown; /* by colour: some frame of the program has shown it */
    uint8_t background;
} sb_autumn_pool;

/* Writes six options, each the cells of the mask in row order, in drawn order, with their causes, and says which one is
 * the answer. What can be seen of the six alone should not tell the answer from the rest. So the answer comes with two
 * other contents, and all three are also there changed in the same way (mirrored, moved, or recoloured); or with one,
 * and both are there in three forms; or alone, in six forms. Of two forms none is the original. Which contents come
 * with the answer is drawn so that its place among them (which has more cells of the background, which lies between the
 * others) is that of one drawn from such contents. False: there are too few contents, or (`*no_memory`) memory ran out.
 */
bool sb_autumn_choose_options(const sb_autumn_pool *pool, sb_rng *rng, uint8_t *options,
                              uint8_t causes[SB_AUTUMN_CHOICES], uint32_t *answer, bool *no_memory);

#endif
