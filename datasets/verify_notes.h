/* What verifying a dataset finds that is no fault but worth knowing. */
#ifndef SB_DATASETS_VERIFY_NOTES_H
#define SB_DATASETS_VERIFY_NOTES_H

#include "datasets/cast.h"
#include "datasets/folder.h"

/* Counts, by agent, what came of playing recorded tapes again (`seedbed verify --again`). */

/* Counts of tapes by agent, which start zeroed. */
typedef struct sb_recorded_counts {
    struct {
        char agent[SB_AGENT_NAME];
        uint64_t tapes, other, nobody; /* other, nobody: tapes that came so, see sb_played_again */
    } * of;                            /* counts in the order of the agents' names */
    size_t n, capacity;
} sb_recorded_counts;

bool sb_recorded_count(sb_recorded_counts *counts, const char *agent, sb_played_again came, sb_error *error);
bool sb_recorded_counts_add(sb_recorded_counts *counts, const sb_recorded_counts *more, sb_error *error);
void sb_recorded_counts_free(sb_recorded_counts *counts);

/* Writes what is to be said of the tapes of an agent; false if there is nothing: all tapes are what it does. */
bool sb_recorded_counts_tell(const sb_recorded_counts *counts, size_t index, sb_out *out);

/* Whom to tell; `note` may be NULL. */
typedef struct sb_notes {
    void (*note)(void *context, const char *text);
    void *context;
} sb_notes;

/* Notes that tokens were not counted again. */
void sb_note_tokens(sb_notes notes);
/* Notes that tokens were counted by another version of the library. */
void sb_note_library(sb_notes notes, const char *said, const char *is);
/* Notes that a document is of another version of the program and worded differently. */
void sb_note_document(sb_notes notes, const sb_manifest *manifest, sb_document which);
/* Notes which of a folder's files are symbolic links, or no part of the dataset. */
void sb_note_strangers(sb_notes notes, const sb_strangers *strangers);
/* Notes that so many recorded tapes stop before their episodes end, which is allowed. */
void sb_note_unfinished(sb_notes notes, uint64_t n);
/* Notes of which recorded tapes it is not known that their agents do what the tapes say. */
void sb_note_recorded(sb_notes notes, const sb_recorded_counts *counts);

#endif
