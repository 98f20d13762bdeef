/* Finds tasks and difficulties by name (families, modes and arrays: seedbed.h). An unknown name is an error that lists
 * the known ones. */
#ifndef SB_ENGINE_LOOKUP_H
#define SB_ENGINE_LOOKUP_H

#include "engine/contract.h"

/* All families, NULL-terminated; the first is the one that printed names leave out. Each program defines the list once:
 * generators/families.c, or a test's own list. */
extern const sb_family *const sb_families[];

/* The first family that takes programs; NULL: none does. */
const sb_family *sb_family_of_programs(void);
/* Words for what a task is judged by (sb_criterion). */
extern const char *const sb_criterion_names[];
/* How many skills the task names. */
size_t sb_n_skills(const sb_task_info *task);
enum { SB_PROGRAM_BYTES = 4 << 20 /* of a file whose text goes to sb_catalogue_add_program, at most */ };

/* Finds a task's index, as in sb_task_at. The catalogue may be NULL. A version suffix may be left out. An unknown name
 * is an error that suggests the closest one. */
bool sb_task_find(const sb_catalogue *catalogue, const sb_family *family, const char *name, size_t *index,
                  sb_error *error);
/* Counts the tasks of a family that sb_task_at gives. */
size_t sb_task_count(const sb_catalogue *catalogue, const sb_family *family);
/* Returns the program that a task was made of; NULL if the task is built in. */
const sb_program *sb_task_program(const sb_catalogue *catalogue, const sb_task_info *task);
/* Finds the family and the index of a task. The name may include the family (`babyai:GoTo`); it must if several
 * families have the task, and then the error lists them. A full name that the first family has is always taken as that
 * family's, because it is printed without the family. */
bool sb_task_resolve(const sb_catalogue *catalogue, const char *name, const sb_family **family, size_t *index,
                     sb_error *error);
/* The difficulties of a task: its own, or those of the family. */
sb_difficulties sb_difficulties_of(const sb_family *family, const sb_task_info *task);
/* The name of a difficulty of a task; NULL if there are not so many. */
static inline const char *sb_difficulty_name(const sb_family *family, const sb_task_info *task, size_t index) {
    const sb_difficulties all = sb_difficulties_of(family, task);
    return index < all.n ? all.names[index] : NULL;
}
/* The most difficulties that a task of the family has, among the tasks that sb_task_at gives. */
size_t sb_most_difficulties(const sb_catalogue *catalogue, const sb_family *family);
/* Lists the difficulties of the family that have a name, that is, all but "". */
size_t sb_named_difficulties(const sb_family *family, const char *names[SB_DIFFICULTIES_MAX]);
/* Finds the index of a difficulty of a task; of any built-in task if `task` is NULL. */
bool sb_difficulty_find(const sb_family *family, const sb_task_info *task, const char *name, size_t *index,
                        sb_error *error);
/* What the words of a name stand for, so that they are looked up once. */
typedef struct sb_resolved {
    const sb_family *family;
    const sb_task_info *task;
    size_t task_index, difficulty; /* the task's index in the family, and the difficulty's index */
} sb_resolved;

/* Tells whether episodes of this task and difficulty take long to find, so that selections come from packs. */
bool sb_is_derived(const sb_family *family, const sb_task_info *task, size_t difficulty);
/* Whether starts of this difficulty are found by searches, so that thousands of them take long. */
bool sb_is_searched(const sb_family *family, const sb_task_info *task, size_t difficulty);
/* Tells how episodes of this task and difficulty are judged. */
sb_criterion sb_judged_by(const sb_family *family, const sb_task_info *task, size_t difficulty);
/* Tells whether the pair has a list of official evaluation episodes. Tasks for exploring and derived ones have none. */
bool sb_has_evaluation(const sb_family *family, const sb_task_info *task, size_t difficulty);
/* The same as sb_judged_by, for the episode of an environment, and for a name that was looked up. */
sb_criterion sb_criterion_in(const sb_env *env);
sb_criterion sb_criterion_of(const sb_resolved *of);
/* Looks up the words of a name. */
bool sb_resolve(const sb_catalogue *catalogue, const sb_name *name, sb_resolved *of, sb_error *error);
/* Reads the name of an episode as people write it, and looks up its words. */
bool sb_resolve_text(const sb_catalogue *catalogue, const char *text, sb_name *name, sb_resolved *of, sb_error *error);

/* Compares names for sorting and searching: 0 if both name the same episode. */
int sb_compare_names(const sb_name *a, const sb_name *b);
/* A task with its difficulty as people read them: `task/difficulty`, or `task` where difficulties have no names. */
typedef struct sb_pair_text {
    char text[SB_NAME_MAX];
} sb_pair_text;
sb_pair_text sb_pair_text_of(const char *task, const char *difficulty);
/* Tells whether two names have the same task and difficulty. */
bool sb_same_pair(const sb_name *a, const sb_name *b);

/* Returns the stored document of *n bytes that the named episode starts from, because making it from the seed takes
 * long; NULL if the catalogue (which may be NULL) has none. Cost: logarithmic. */
const char *sb_catalogue_document(const sb_catalogue *catalogue, const sb_name *name, size_t *n);
/* Returns the stored documents one by one, in the order of their names, from index 0, and sets the name; NULL behind
 * the last. */
const char *sb_catalogue_document_at(const sb_catalogue *catalogue, size_t index, sb_name *name, size_t *n);

#endif
