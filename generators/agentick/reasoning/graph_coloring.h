/* GraphColoring's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_GRAPH_COLORING_H
#define SB_AGENTICK_GRAPH_COLORING_H

#include "engine/gridworld/episode.h"

enum {
    SB_GRAPH_COLORING_NODES = 10,
    SB_GRAPH_COLORING_COLORS = 4,
    SB_GRAPH_COLORING_REACH = 2 /* steps between neighbours, at most */
};

typedef struct sb_graph_coloring_vars {
    sb_xy start;
    int32_t n_nodes, n_colors;
    sb_xy node[SB_GRAPH_COLORING_NODES];
    int32_t n_colored;
    bool violation; /* whether two neighbours share a colour */
} sb_graph_coloring_vars;

extern const sb_task sb_graph_coloring;

/* Returns 1..n_colors, or 0 if node i has no colour. */
static inline int sb_graph_coloring_color(const sb_episode *e, int i) {
    const sb_graph_coloring_vars *v = SB_VARS(e);
    return sb_peek(e, v->node[i])->metadata;
}

static inline bool sb_graph_coloring_are_neighbors(const sb_graph_coloring_vars *v, int i, int j) {
    return i != j && sb_manhattan(v->node[i], v->node[j]) <= SB_GRAPH_COLORING_REACH;
}

#endif
