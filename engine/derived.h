/* Episodes that start from a document which the user's catalogue keeps, since it is dear to make it from the seed. */
#ifndef SB_ENGINE_DERIVED_H
#define SB_ENGINE_DERIVED_H

#include "seedbed.h"

/* What the named episode starts from, a document of *n bytes; NULL if the catalogue (which may be NULL) does not keep
 * it. Cost: logarithmic. */
const char *sb_catalogue_document(const sb_catalogue *catalogue, const sb_name *name, size_t *n);

#endif
