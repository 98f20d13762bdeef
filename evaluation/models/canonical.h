/* One spelling for equal JSON values: keys sorted, numbers in their shortest form, no spaces. */
#ifndef SB_EVALUATION_MODELS_CANONICAL_H
#define SB_EVALUATION_MODELS_CANONICAL_H

#include "base/out.h"

/* Appends the canonical text of a value of n bytes; an empty text is null. Keys are sorted by their bytes. Fails if the
 * text is no JSON or memory is out. Cost: n log n. */
bool sb_put_canonical(sb_out *out, const char *text, size_t n, sb_error *error);

#endif
