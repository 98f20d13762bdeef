/* Reads what is in a catalogue, for look-up and for families. */
#ifndef SB_ENGINE_CATALOGUE_H
#define SB_ENGINE_CATALOGUE_H

#include "engine/contract.h"

/* Returns a task that the catalogue (which may be NULL) adds to a family, by index in the order of names; NULL at the
 * end. */
const sb_task_info *sb_catalogue_task(const sb_catalogue *catalogue, const sb_family *family, size_t index);

/* Returns what the named episode starts from, a document of *n bytes; NULL if the catalogue has none. Cost:
 * logarithmic. */
const char *sb_catalogue_document(const sb_catalogue *catalogue, const sb_name *name, size_t *n);

#endif
