/* What is in a catalogue, for look-up and for families. */
#ifndef SB_ENGINE_CATALOGUE_H
#define SB_ENGINE_CATALOGUE_H

#include "engine/contract.h"

/* The index-th task by name that the catalogue (which may be NULL) adds to a family; NULL behind the last. */
const sb_task_info *sb_catalogue_task(const sb_catalogue *catalogue, const sb_family *family, size_t index);

/* What the named episode starts from, a document of *n bytes; NULL if the catalogue does not keep it. Cost:
 * logarithmic. */
const char *sb_catalogue_document(const sb_catalogue *catalogue, const sb_name *name, size_t *n);

#endif
