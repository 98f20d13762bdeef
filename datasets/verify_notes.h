/* What verifying a dataset finds that is no fault but worth knowing. */
#ifndef SB_DATASETS_VERIFY_NOTES_H
#define SB_DATASETS_VERIFY_NOTES_H

#include "datasets/folder.h"
#include "datasets/recorded_counts.h"
#include "datasets/verify.h"

/* A document is of another version of the program and worded differently. */
void sb_note_document(const sb_dataset_check *check, const sb_manifest *manifest, sb_document which);
/* So many of its files are symbolic links. */
void sb_note_links(const sb_dataset_check *check, size_t n);
void sb_note_strangers(const sb_dataset_check *check, const sb_strangers *strangers);
/* So many recorded tapes stop before their episodes end, which is allowed. */
void sb_note_unfinished(const sb_dataset_check *check, uint64_t n);
/* Of which recorded tapes it is not known that their agents do what they say. */
void sb_note_recorded(const sb_dataset_check *check, const sb_recorded_counts *counts);

#endif
