/* Relaxations: an episode with something left out that can only be in the way. If what remains cannot be won, the
 * episode cannot either. Each is a proof of its own beside the task's bound and the searches (docs/certificates.md). */
#ifndef SB_RELAXATION_H
#define SB_RELAXATION_H

#include "oracles/oracle.h"

typedef struct sb_relaxation {
    const char *family, *task;
    /* IMPOSSIBLE is a proof; NOT_FOUND says nothing. False, with the error, if memory ran out. */
    bool (*judge)(const sb_env *env, sb_budget *budget, sb_verdict *verdict, sb_error *error);
} sb_relaxation;

/* NULL if the task has none. */
const sb_relaxation *sb_relaxation_find(const char *family, const char *task);

#endif
