/* Comparing recordings of published benchmarks with our engines. Only this layer knows how recordings are written, and
 * it alone may include the header of every family. */
#ifndef SB_CONFORMANCE_H
#define SB_CONFORMANCE_H

#include "base/json.h"
#include "engine/contract.h"

/* What is compared. */
typedef enum sb_aspect {
    SB_ASPECT_RESET,
    SB_ASPECT_LAYERS,
    SB_ASPECT_DRAWS,
    SB_ASPECT_VIEWS,
    SB_ASPECT_STATES,
    SB_ASPECT_REWARDS,
    SB_ASPECT_ENDS,
    SB_N_ASPECTS
} sb_aspect;

/* What comparing one recording with the engine found. */
typedef struct sb_conformity {
    size_t compared[SB_N_ASPECTS]; /* how many comparisons were made */
    size_t steps;                  /* steps replayed */
    bool differs;                  /* comparing stopped at the first difference: */
    char difference[1000];         /* where, what was recorded, what came out */
} sb_conformity;

/* A family with recordings. */
typedef struct sb_conformer {
    const sb_family *family;
    /* Plays one recording and compares all that it holds. `found` begins zeroed. False for a malformed recording, with
     * an error that names the key. */
    bool (*compare)(const cJSON *recording, sb_conformity *found, sb_error *error);
} sb_conformer;

/* NULL for a family without recordings. */
const sb_conformer *sb_conformer_of(const sb_family *family);

#endif
