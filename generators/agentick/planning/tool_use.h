/* ToolUse's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_TOOL_USE_H
#define SB_AGENTICK_TOOL_USE_H

#include "engine/gridworld/episode.h"

enum { SB_TOOL_USE_SCROLLS = 5, SB_TOOL_USE_DECOYS = 3 };

typedef struct sb_tool_use_vars {
    int32_t n_collected; /* number of scrolls; the orb appears with the last one */
    int32_t n_scrolls, n_decoys;
    sb_xy start, goal;
    sb_xy scroll[SB_TOOL_USE_SCROLLS], decoy[SB_TOOL_USE_DECOYS]; /* where scrolls and decoys lay at the start */
    sb_xy orb;                                                    /* where the orb appears */
} sb_tool_use_vars;

/* Returns whether the agent carries the orb: it can carry nothing else. */
static inline bool sb_tool_use_has_orb(const sb_grid_agent *agent) { return agent->n_items > 0; }

extern const sb_task sb_tool_use;

#endif
