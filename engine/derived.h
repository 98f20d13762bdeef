/* Episodes that start from a stored document in a catalogue, because making it from the seed takes long. */
#ifndef SB_ENGINE_DERIVED_H
#define SB_ENGINE_DERIVED_H

#include "seedbed.h"

/* Returns the document of *n bytes that the named episode starts from; NULL if the catalogue (which may be NULL) has
 * none. Cost: logarithmic. */
const char *sb_catalogue_document(const sb_catalogue *catalogue, const sb_name *name, size_t *n);

#endif
