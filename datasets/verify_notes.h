/* What verifying a dataset finds that is no fault but worth knowing. */
#ifndef SB_DATASETS_VERIFY_NOTES_H
#define SB_DATASETS_VERIFY_NOTES_H

#include "datasets/folder.h"
#include "datasets/recorded_counts.h"

/* Whom to tell; `note` may be NULL. */
typedef struct sb_notes {
    void (*note)(void *context, const char *text);
    void *context;
} sb_notes;

/* A document is of another version of the program and worded differently. */
void sb_note_document(sb_notes notes, const sb_manifest *manifest, sb_document which);
/* So many of its files are symbolic links. */
void sb_note_links(sb_notes notes, size_t n);
void sb_note_strangers(sb_notes notes, const sb_strangers *strangers);
/* So many recorded tapes stop before their episodes end, which is allowed. */
void sb_note_unfinished(sb_notes notes, uint64_t n);
/* Of which recorded tapes it is not known that their agents do what they say. */
void sb_note_recorded(sb_notes notes, const sb_recorded_counts *counts);

#endif
