/* What is in a catalogue: programs, which are tasks, and documents, each by the name of its episode (engine/derived.h
 * looks them up). */
#ifndef SB_ENGINE_CATALOGUE_H
#define SB_ENGINE_CATALOGUE_H

#include "engine/contract.h"

/* The index-th task by name that the catalogue (which may be NULL) adds to a family; NULL behind the last. */
const sb_task_info *sb_catalogue_task(const sb_catalogue *catalogue, const sb_family *family, size_t index);
/* How many they are. */
size_t sb_catalogue_count(const sb_catalogue *catalogue, const sb_family *family);

/* What an episode starts from. */
typedef struct sb_derived {
    sb_name name;
    char *text;
    size_t n;
} sb_derived;

/* All documents of the catalogue (which may be NULL), in the order of sb_compare_names. */
const sb_derived *sb_catalogue_documents(const sb_catalogue *catalogue, size_t *n);
/* Puts a copy before the document that is at this place of that order now. */
bool sb_catalogue_insert(sb_catalogue *catalogue, size_t place, const sb_name *name, const char *text, size_t n,
                         sb_error *error);

#endif
