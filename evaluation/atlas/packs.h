/* Packs of episodes that were chosen by what they demand. */
#ifndef SB_ATLAS_PACKS_H
#define SB_ATLAS_PACKS_H

#include "base/stop.h"
#include "rollout/selection.h"
#include "seeds/pack.h"

typedef struct sb_pack_measuring {
    const sb_catalogue *catalogue;
    size_t jobs;                                                /* workers; 0: one per processor */
    void (*progress)(void *context, size_t done, size_t total); /* may be NULL */
    void *context;
    const sb_stop *stop; /* may be NULL */
} sb_pack_measuring;

/* Makes a pack of the episodes of a request that demands something, and notes the measures that decided. Fails if the
 * request lists seeds or names. The caller clears the pack, also after a failure. */
bool sb_pack_choose_demanded(sb_pack *pack, const sb_request *request, sb_error *error);
/* Measures the episodes of a pack with a demand again; fails with SB_MISMATCH where one is not as the pack says. */
bool sb_pack_check_demand(const sb_pack *pack, const sb_pack_measuring *how, sb_error *error);

#endif
