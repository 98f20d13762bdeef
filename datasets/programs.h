/* Programs of users in a recipe: their texts are part of it, so a dataset can be rebuilt without the files. */
#ifndef SB_DATASETS_PROGRAMS_H
#define SB_DATASETS_PROGRAMS_H

#include "base/json.h"
#include "base/out.h"

/* Makes a catalogue of a list of programs, `{"family": ..., "sha256": ..., "text": ...}`, without the hash or with the
 * right one. NULL on failure. */
sb_catalogue *sb_programs_read(const cJSON *list, sb_error *error);
/* Puts such a list as the member `programs`: all programs of the catalogue, in the order of families and names. Puts
 * nothing if there are none. */
void sb_programs_print(const sb_catalogue *catalogue, sb_out *out);

#endif
