/* Reads what is in a catalogue, for look-up and for families. */
#ifndef SB_ENGINE_CATALOGUE_H
#define SB_ENGINE_CATALOGUE_H

#include "engine/contract.h"
#include "seedbed.h"

/* What the name of a task that was made of a program begins with. */
#define SB_PROGRAM_PREFIX "file-"

/* Returns a task that the catalogue (which may be NULL) adds to a family, by index in the order of names; NULL at the
 * end. */
const sb_task_info *sb_catalogue_task(const sb_catalogue *catalogue, const sb_family *family, size_t index);
/* How many tasks the catalogue (which may be NULL) adds to a family. */
size_t sb_catalogue_count(const sb_catalogue *catalogue, const sb_family *family);
/* Returns the program that a task was made of; NULL: the task is built in. */
const sb_program *sb_catalogue_program(const sb_catalogue *catalogue, const sb_task_info *task);

/* A document from which the episode with this name starts, such as a challenge in Autumn that a pack holds. */
typedef struct sb_derived {
    sb_name name;
    char *text;
    size_t n;
} sb_derived;

/* Returns all documents of the catalogue (which may be NULL), in the order of sb_compare_names. */
const sb_derived *sb_catalogue_documents(const sb_catalogue *catalogue, size_t *n);
/* Inserts a copy of a document at an index in the order of sb_compare_names. */
bool sb_catalogue_insert(sb_catalogue *catalogue, size_t place, const sb_name *name, const char *text, size_t n,
                         sb_error *error);

#endif
