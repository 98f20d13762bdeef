/* Packs for what a request selects. */
#ifndef SB_ROLLOUT_PACKS_H
#define SB_ROLLOUT_PACKS_H

#include "rollout/selection.h"
#include "seeds/pack.h"

/* Derives a list of seeds for each task and difficulty that the request selects; its split is the pack's base. Fails on
 * requests for seeds that are listed. Free the pack in any case. */
bool sb_pack_select(sb_pack *pack, const sb_request *request, sb_error *error);

#endif
