/* Verifies a dataset: replays every tape, renders every row again and compares it byte for byte, and recomputes every
 * hash. */
#ifndef SB_DATASETS_VERIFY_H
#define SB_DATASETS_VERIFY_H

#include "base/stop.h"
#include "datasets/manifest.h"

typedef struct sb_dataset_check {
    const sb_catalogue *catalogue; /* where the tasks of the dataset are looked up */
    const char *folder;
    size_t jobs; /* workers; 0: one per processor */
    bool again;  /* agents play every episode again, even if the recipe has no noise, labels or intents */
    void (*progress)(void *context, size_t episodes, size_t total); /* may be NULL; called in order */
    void *context;
    void (*note)(void *context, const char *text); /* called with what is worth knowing but no fault; may be NULL */
    void *note_context;
    const sb_stop *stop; /* may be NULL */
    /* The tokenizer that counts tokens again; its file may be NULL: they are not counted. */
    sb_tokenizer_source tokenizer_source;
    sb_tokenizer *tokenizer; /* the open tokenizer, set by sb_dataset_verify */
} sb_dataset_check;

/* Fails with SB_MISMATCH at the first fault, which it names: the file, the episode, the row and the column. Notes tell
 * of files that do not belong to the dataset, documents that were not compared, and recorded tapes that stop early. */
bool sb_dataset_verify(const sb_dataset_check *check, sb_manifest *manifest, sb_error *error);

#endif
