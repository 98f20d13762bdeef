/* Chooses the seeds of a pack by what their episodes are like. */
#ifndef SB_EVALUATION_CERTIFICATES_CHOOSE_H
#define SB_EVALUATION_CERTIFICATES_CHOOSE_H

#include "base/stop.h"
#include "rollout/selection.h"
#include "seeds/pack.h"

typedef struct sb_pack_choice {
    const sb_request
        *request;        /* with a split of its own and a count; the seeds are the first good ones of its stream */
    bool solvable;       /* only episodes that a certificate says can be won */
    bool unique;         /* only episodes that begin neither like an earlier one of the list nor like an official
                            evaluation episode (by sb_key) */
    uint64_t budget;     /* states per episode for each search for a certificate */
    size_t jobs;         /* workers; 0: one per processor */
    const sb_stop *stop; /* may be NULL; asked before every episode that is looked at */
    void (*progress)(void *context, size_t done, size_t total); /* may be NULL */
    void *context;
} sb_pack_choice;

/* Makes a pack of `count` seeds for each task and difficulty. Its base is the request's split with `+solvable` and
 * `+unique` behind it. Fails with SB_INVALID for an official split, whose lists are as they are, and where a task has
 * too few such episodes. The caller clears the pack, also after a failure. */
bool sb_pack_choose(sb_pack *pack, const sb_pack_choice *choice, sb_error *error);

#endif
