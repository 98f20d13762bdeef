/* The folder of what people did in a study:
 *
 *     study.json           the study, with names in place of packs; no other study may write here
 *     tapes.jsonl          what was played: tapes, which every command reads
 *     participants.jsonl   who joined, what was answered, and who was forgotten (docs/studies.md)
 *
 * A record is appended and flushed to the disk before anybody is told that it is kept. What a failure left of the last
 * one is cut off when the folder is opened again. */
#ifndef SB_EVALUATION_COLLECTION_H
#define SB_EVALUATION_COLLECTION_H

#include "base/file.h"
#include "evaluation/study/study.h"
#include "rollout/tape.h"

typedef enum { SB_POSTED_TAPE, SB_POSTED_ANSWER, SB_POSTED_JOIN } sb_posted_kind;

/* What a participant's page sends, one object. Starts zeroed. */
typedef struct sb_posted {
    sb_posted_kind kind;
    char participant[SB_PARTICIPANT];
    sb_tape tape;
    char question[SB_STUDY_QUESTION_NAME];
    /* number of the episode that an answer comes after; how many joined before (UINT64_MAX: unknown) */
    uint64_t after, place;
    sb_out value; /* value of an answer, as JSON */
} sb_posted;

/* Reads a record of the study. Fails if it is none, if it is another study's, or if the study allows no such play or
 * answer. Nothing is replayed. The caller frees the record, also after a failure. */
bool sb_posted_read(sb_posted *record, const sb_study *study, const sb_catalogue *catalogue, const char *text, size_t n,
                    sb_error *error);
void sb_posted_free(sb_posted *record);

typedef enum {
    SB_POSTED_KEPT,
    SB_POSTED_KNOWN,   /* the same record was kept already */
    SB_POSTED_REFUSED, /* the replay of the tape failed */
    /* another record stands in its place, or somebody else's play is the same to the millisecond */
    SB_POSTED_CONFLICT,
    SB_POSTED_TOO_MANY, /* no more participants are taken */
    SB_POSTED_GONE,     /* the participant asked to be forgotten */
    SB_POSTED_FAILED    /* the record could not be written; it may be sent again */
} sb_posted_fate;

typedef struct sb_collection sb_collection;

/* Opens the folder, or makes it, and takes its lock. `participants` is how many are taken at most. NULL with an error,
 * for example if the folder is another study's. */
sb_collection *sb_collection_open(const sb_study *study, const sb_catalogue *catalogue, const char *folder,
                                  uint64_t participants, sb_error *error);
void sb_collection_close(sb_collection *collection);

/* Replays a tape in `env`, and keeps the record; any thread may call it. `place` receives how many participants joined
 * before this one, or UINT64_MAX. The error says why a record was not kept. */
sb_posted_fate sb_collection_take(sb_collection *collection, sb_posted *record, sb_env *env, uint64_t *place,
                                  sb_error *error);
/* How many participants and tapes are kept. */
void sb_collection_count(sb_collection *collection, size_t *participants, size_t *tapes);

/* Whether the folder's file system cannot lock, so that nothing keeps a second writer away. */
bool sb_collection_lacks_lock(const sb_collection *collection);

/* Deletes all that is kept of a participant, whose number is refused from then on, and tells how many lines that were,
 * and whether the file system cannot lock. Each file is written anew and then takes the place of the old one. */
bool sb_collection_forget(const char *folder, const char *participant, size_t *lines, bool *lacks_lock,
                          sb_error *error);

#endif
