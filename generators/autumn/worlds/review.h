/* Reviews of worlds, for their authors: starts are drawn, searched and played at random, and what was found out is kept
 * as numbers and findings. Work is counted in expressions that are evaluated, so a review is the same on
 * every machine. */
#ifndef SB_AUTUMN_REVIEW_H
#define SB_AUTUMN_REVIEW_H

#include "generators/autumn/worlds/findings.h"

/* Reviews the world with this text, which can be loaded. The caller frees the result. NULL: out of memory. */
sb_review *sb_review_make(const char *text, size_t n, sb_error *error);

#endif
