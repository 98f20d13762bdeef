/* Makes seed packs of the episodes that a request selects. */
#ifndef SB_ROLLOUT_PACKS_H
#define SB_ROLLOUT_PACKS_H

#include "base/stop.h"
#include "rollout/selection.h"
#include "seeds/pack.h"

/* Derives a list of seeds for each task and difficulty that the request selects; the request's split is the pack's
 * base. Fails if the request lists seeds. The caller clears the pack, also after a failure. */
bool sb_pack_select(sb_pack *pack, const sb_request *request, sb_error *error);

/* Digests of the first states of a seed pack's episodes. Two installations whose digests agree generate the same
 * episodes. */

/* Starts the episode and stores the first 8 bytes of the family's digest of its state. */
bool sb_digest_start(sb_env *env, const sb_name *name, uint64_t *digest, sb_error *error);

typedef struct sb_digesting {
    const sb_catalogue *catalogue;                              /* where the pack's tasks are looked up */
    size_t jobs;                                                /* workers; 0: one per processor */
    void (*progress)(void *context, size_t done, size_t total); /* may be NULL */
    void *context;
    const sb_stop *stop; /* may be NULL */
    bool own_rules;      /* of a check: only episodes of tasks that have rules of their own */
} sb_digesting;

/* Starts every episode of the pack, notes its digest, and seals the pack. */
bool sb_pack_make_digests(sb_pack *pack, const sb_digesting *how, sb_error *error);

/* Starts every episode of a pack that has digests and compares them. Fails with SB_MISMATCH at the first episode that
 * differs, and with SB_VERSION_OTHER if the digests were made under other rules. */
bool sb_pack_check_digests(const sb_pack *pack, const sb_digesting *how, sb_error *error);
/* The same for episodes of tasks that have rules of their own, if the pack has digests: a world may have been edited
 * since, and other episodes would be taken for those of the pack. Of other tasks the rules say enough. */
bool sb_pack_check_worlds(const sb_catalogue *catalogue, const sb_pack *pack, sb_error *error);

#endif
