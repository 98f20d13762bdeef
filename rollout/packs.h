/* Makes seed packs of the episodes that a request selects. */
#ifndef SB_ROLLOUT_PACKS_H
#define SB_ROLLOUT_PACKS_H

#include "rollout/selection.h"
#include "seeds/pack.h"

/* Derives a list of seeds for each task and difficulty that the request selects; the request's split is the pack's
 * base. Fails if the request lists seeds. The caller clears the pack, also after a failure. */
bool sb_pack_select(sb_pack *pack, const sb_request *request, sb_error *error);

#endif
