/* Relaxations: versions of an episode without something that can only be an obstacle. If the relaxed episode cannot be
 * won, the original cannot be won either. This proof is independent of the task's bound and of the searches
 * (docs/certificates.md). */
#ifndef SB_RELAXATION_H
#define SB_RELAXATION_H

#include "oracles/oracle.h"

typedef struct sb_relaxation {
    const char *family, *task;
    /* Judges the episode: IMPOSSIBLE is a proof, NOT_FOUND says nothing. Returns false with an error if memory ran out.
     */
    bool (*judge)(const sb_env *env, sb_budget *budget, sb_verdict *verdict, sb_error *error);
} sb_relaxation;

/* Finds the relaxation of a task; NULL if it has none. */
const sb_relaxation *sb_relaxation_find(const char *family, const char *task);

#endif
