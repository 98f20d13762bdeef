/* Looking things up by name: families, tasks, variants and modes. Unknown names are errors that say what there is. */
#ifndef SB_ENGINE_LOOKUP_H
#define SB_ENGINE_LOOKUP_H

#include "engine/contract.h"

/* The families there are, NULL-terminated; the first is the one that printed names leave out. Defined once per program:
 * generators/families.c, or a test's own list. */
extern const sb_family *const sb_families[];

const sb_family *sb_family_find(const char *name, sb_error *error);
const sb_mode *sb_mode_find(const sb_family *family, const char *name, sb_error *error);
/* The task's index. A version suffix may be left out; unknown names are errors that suggest what was meant. */
bool sb_task_find(const sb_family *family, const char *name, size_t *index, sb_error *error);
/* The same for a name that may say its family (`babyai:GoTo`) and need not if only one has such a task. If several have
 * it that is an error that lists them, but for full names of the first family, which are printed like that. */
bool sb_task_resolve(const char *name, const sb_family **family, size_t *index, sb_error *error);
/* The variant's index. */
bool sb_variant_find(const sb_family *family, const char *name, size_t *index, sb_error *error);

#endif
