/* Checking a dataset against itself: every tape is replayed, every row rendered again and compared byte for byte, every
 * hash recomputed. */
#ifndef SB_DATASETS_VERIFY_H
#define SB_DATASETS_VERIFY_H

#include "datasets/manifest.h"

typedef struct sb_dataset_check {
    const sb_catalogue *catalogue; /* where its tasks are looked up */
    const char *folder;
    size_t jobs; /* workers; 0: one a processor */
    bool again;  /* every agent plays every episode again, also where nothing but its tape tells what it did */
    void (*progress)(void *context, size_t episodes, size_t total); /* may be NULL; called in order */
    void *context;
    void (*note)(void *context, const char *text); /* told what is no fault and worth knowing; may be NULL */
    void *note_context;
} sb_dataset_check;

/* Fails with SB_MISMATCH at the first fault, which it names: the file, the episode, the row and the column. Notes tell
 * of files that are not the dataset's, documents that were not compared, and recorded tapes that stop early. */
bool sb_dataset_verify(const sb_dataset_check *check, sb_manifest *manifest, sb_error *error);

#endif
