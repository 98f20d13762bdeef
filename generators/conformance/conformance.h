/* Compares recordings of published benchmarks with our engines. Only this folder knows the format of recordings, and
 * only it may include the header of every family. */
#ifndef SB_CONFORMANCE_H
#define SB_CONFORMANCE_H

#include "base/json.h"
#include "engine/contract.h"

/* The aspects that are compared. */
typedef enum sb_aspect {
    SB_ASPECT_RESET,
    SB_ASPECT_LAYERS,
    SB_ASPECT_DRAWS,
    SB_ASPECT_VIEWS,
    SB_ASPECT_STATES,
    SB_ASPECT_REWARDS,
    SB_ASPECT_ENDS,
    SB_ASPECT_PICTURES,
    SB_N_ASPECTS
} sb_aspect;

/* The result of comparing one recording with the engine. */
typedef struct sb_conformity {
    size_t compared[SB_N_ASPECTS]; /* number of comparisons by aspect */
    size_t steps;                  /* steps replayed */
    bool differs;                  /* comparing stopped at the first difference */
    char difference[1000];         /* where the difference is, what was recorded, what came out */
} sb_conformity;

/* A family with recordings. */
typedef struct sb_conformer {
    const sb_family *family; /* NULL: its recordings belong to no task */
    /* Plays one recording and compares everything that it holds. `found` must be zeroed. Returns false for a malformed
     * recording, with an error that names the key. */
    bool (*compare)(const cJSON *recording, sb_conformity *found, sb_error *error);
} sb_conformer;

/* Returns how a family's recordings are compared, or NULL if it has none. */
const sb_conformer *sb_conformer_of(const sb_family *family);
/* Returns how a recording is compared that belongs to no task, and gives what it is of (a tile of a picture, a sprite);
 * NULL if there is no such recording. */
const sb_conformer *sb_conformer_without_task(const cJSON *recording, const char **what);

/* Recordings of Autumn programs (format: generators/conformance/autumn.c) belong to a program, not to a task: the key
 * `program` of a recording is the name of a file beside it, without its `.sexp`, and `text` is what that file holds. */
bool sb_is_autumn_recording(const cJSON *recording);
bool sb_compare_autumn(const cJSON *recording, const char *text, size_t n, sb_conformity *found, sb_error *error);

#endif
