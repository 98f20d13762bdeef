/* What verifying a dataset finds that is no fault but worth knowing. */
#ifndef SB_DATASETS_VERIFY_NOTES_H
#define SB_DATASETS_VERIFY_NOTES_H

#include "datasets/cast.h"
#include "datasets/folder.h"

/* Counts, by agent, what came of playing recorded tapes again (`seedbed verify --again`). */

/* Starts zeroed. */
typedef struct sb_recorded_counts {
    struct {
        char agent[SB_AGENT_NAME];
        uint64_t tapes, other, nobody; /* other, nobody: see sb_played_again */
    } * of;                            /* by the agents' names */
    size_t n, capacity;
} sb_recorded_counts;

bool sb_recorded_count(sb_recorded_counts *counts, const char *agent, sb_played_again came, sb_error *error);
bool sb_recorded_counts_add(sb_recorded_counts *counts, const sb_recorded_counts *more, sb_error *error);
void sb_recorded_counts_free(sb_recorded_counts *counts);

/* Writes what is to be said of the tapes of an agent; false if there is nothing: all are what it does. */
bool sb_recorded_counts_tell(const sb_recorded_counts *counts, size_t index, sb_out *out);

/* Whom to tell; `note` may be NULL. */
typedef struct sb_notes {
    void (*note)(void *context, const char *text);
    void *context;
} sb_notes;

/* Tokens were not counted again. */
void sb_note_tokens(sb_notes notes);
/* They were, by another version of the library. */
void sb_note_library(sb_notes notes, const char *said, const char *is);
/* A document is of another version of the program and worded differently. */
void sb_note_document(sb_notes notes, const sb_manifest *manifest, sb_document which);
/* Some of its files are symbolic links, or are in its folder without being part of it. */
void sb_note_strangers(sb_notes notes, const sb_strangers *strangers);
/* So many recorded tapes stop before their episodes end, which is allowed. */
void sb_note_unfinished(sb_notes notes, uint64_t n);
/* Of which recorded tapes it is not known that their agents do what they say. */
void sb_note_recorded(sb_notes notes, const sb_recorded_counts *counts);

#endif
