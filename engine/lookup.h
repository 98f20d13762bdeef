/* Looking tasks and difficulties up by name (families, modes and arrays: seedbed.h). Unknown names are errors that say
 * what there is. */
#ifndef SB_ENGINE_LOOKUP_H
#define SB_ENGINE_LOOKUP_H

#include "engine/contract.h"

/* The families there are, NULL-terminated; the first is the one that printed names leave out. Defined once per program:
 * generators/families.c, or a test's own list. */
extern const sb_family *const sb_families[];

/* Catalogues may be NULL. The task's index, as in sb_task_at. A version suffix may be left out; unknown names are
 * errors that suggest what was meant. */
bool sb_task_find(const sb_catalogue *catalogue, const sb_family *family, const char *name, size_t *index,
                  sb_error *error);
/* How many tasks of the family sb_task_at gives. */
size_t sb_task_count(const sb_catalogue *catalogue, const sb_family *family);
/* The same for a name that may say its family (`babyai:GoTo`) and need not if only one has such a task. If several have
 * it that is an error that lists them, but for full names of the first family, which are printed like that. */
bool sb_task_resolve(const sb_catalogue *catalogue, const char *name, const sb_family **family, size_t *index,
                     sb_error *error);
/* The difficulties that have a name: all but "". */
size_t sb_named_difficulties(const sb_family *family, const char *names[SB_DIFFICULTIES_MAX]);
/* The difficulty's index. */
bool sb_difficulty_find(const sb_family *family, const char *name, size_t *index, sb_error *error);
/* Whether episodes of this task and difficulty are dear to start, so that selections come from packs. */
bool sb_is_derived(const sb_family *family, const sb_task_info *task, size_t difficulty);
/* The family of a name, and where its task and difficulty stand there; NULL if there is no such pair. */
const sb_family *sb_pair_find(const sb_catalogue *catalogue, const sb_name *name, size_t *task, size_t *difficulty,
                              sb_error *error);

/* An order of names, for sorting and searching: 0 if they are of the same episode. */
int sb_compare_names(const sb_name *a, const sb_name *b);
/* Whether they are of the same task and difficulty. */
bool sb_same_pair(const sb_name *a, const sb_name *b);

#endif
