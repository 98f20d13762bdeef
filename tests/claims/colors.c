/* GraphColoring: at the start no node has a colour, so the agent has to face each node once and interact with it as
 * often as its colour demands. Colours do not change the steps that it takes to face all nodes, and the walk does not
 * change the number of interactions. So the fewest steps are the fewest of both together.
 *
 * The engine tells where a step leads. Walks are searched breadth-first, with the set of faced nodes. */
#include "tests/claims/claims.h"
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>

#include "generators/agentick/reasoning/graph_coloring.h"

enum { POSES = 4 * 15 * 15, SETS = 1 << SB_GRAPH_COLORING_NODES, NOWHERE = -1, MOVES = 4 };

typedef struct graph {
    int16_t next[POSES][MOVES]; /* where a move leads, by pose */
    int8_t faced[POSES];        /* the node that an interaction there changes; NOWHERE: none */
} graph;

static int pose_of(const sb_episode *e) { return 4 * sb_index(e, e->agent.at) + e->agent.facing; }

/* ---- The map, from the engine ---- */

static void put_agent(sb_episode *e, int pose) {
    e->agent.at = sb_xy_of(e, pose / 4);
    e->agent.facing = (int8_t)(pose % 4);
}

static int node_changed(const sb_episode *before, const sb_episode *after) {
    const sb_graph_coloring_vars *v = SB_VARS(before);
    int changed = NOWHERE;
    for (int i = 0; i < v->n_nodes; i++) {
        const int color = sb_graph_coloring_color(before, i), now = sb_graph_coloring_color(after, i);
        if (color == now) continue;
        assert_int_equal(now, (color + 1) % (v->n_colors + 1));
        assert_int_equal(changed, NOWHERE);
        changed = i;
    }
    return changed;
}

static void ask_pose(graph *g, const sb_episode *e, int pose) {
    for (int action = SB_MOVE_UP; action <= SB_INTERACT; action++) {
        sb_episode before = {0}, after = {0};
        sb_result result;
        sb_episode_copy(&before, e);
        put_agent(&before, pose);
        sb_episode_copy(&after, &before);
        sb_episode_step(&after, (sb_action)action, &result);
        if (action == SB_INTERACT) {
            assert_int_equal(pose_of(&after), pose);
            g->faced[pose] = (int8_t)node_changed(&before, &after);
        } else {
            assert_int_equal(node_changed(&before, &after), NOWHERE);
            g->next[pose][action - SB_MOVE_UP] = (int16_t)pose_of(&after);
        }
    }
}

static void ask_engine(graph *g, const sb_episode *e) {
    const sb_graph_coloring_vars *v = SB_VARS(e);
    memset(g, 0, sizeof *g);
    for (int pose = 0; pose < 4 * sb_n_cells(e); pose++) {
        const sb_xy at = sb_xy_of(e, pose / 4);
        bool is_node = !sb_walkable(e, at);
        for (int i = 0; i < v->n_nodes; i++) is_node |= sb_same(v->node[i], at);
        if (!is_node) ask_pose(g, e, pose);
    }
}

/* Asserts that the map does not depend on the colours. */
static void assert_colors_do_not_matter(const graph *g, const sb_episode *e) {
    static graph colored;
    sb_episode other = {0};
    const sb_graph_coloring_vars *v = SB_VARS(e);
    sb_episode_copy(&other, e);
    for (int i = 0; i < v->n_nodes; i++) sb_set_object(&other, v->node[i], SB_SWITCH, 1 + i % v->n_colors);
    ask_engine(&colored, &other);
    assert_memory_equal(g, &colored, sizeof *g);
}

/* ---- The walk ---- */

/* Returns the fewest moves to face all nodes; -1 if that is impossible. */
static int fewest_moves(const graph *g, int start, int n_nodes) {
    static int32_t queue[POSES * SETS];
    static int16_t moves[POSES * SETS];
    const int all = (1 << n_nodes) - 1;
    int n = 0;
    memset(moves, 0xff, sizeof moves);
    for (int i = -1, pose = start, set = 0; i < n; i++) {
        const int at = i < 0 ? 0 : queue[i] / SETS, so_far = i < 0 ? 0 : queue[i] % SETS;
        for (int move = 0; move < (i < 0 ? 1 : MOVES); move++) {
            if (i >= 0) pose = g->next[at][move];
            set = so_far | (g->faced[pose] == NOWHERE ? 0 : 1 << g->faced[pose]);
            if (moves[pose * SETS + set] >= 0) continue;
            moves[pose * SETS + set] = (int16_t)(i < 0 ? 0 : moves[queue[i]] + 1);
            if (set == all) return moves[pose * SETS + set];
            queue[n++] = pose * SETS + set;
        }
    }
    return -1;
}

/* ---- The colours ---- */

/* Returns the fewest interactions for the nodes from i on, trying every colouring. */
static int fewest_interactions(const sb_graph_coloring_vars *v, int *color, int i) {
    int fewest = 1 << 20;
    if (i == v->n_nodes) return 0;
    for (color[i] = 1; color[i] <= v->n_colors; color[i]++) {
        bool clashes = false;
        for (int j = 0; j < i; j++) clashes |= color[j] == color[i] && sb_graph_coloring_are_neighbors(v, i, j);
        const int all = clashes ? fewest : color[i] + fewest_interactions(v, color, i + 1);
        if (all < fewest) fewest = all;
    }
    return fewest;
}

void claim_colors(const sb_episode *start, uint32_t n_states, claim_answer *answer) {
    static graph g;
    const sb_graph_coloring_vars *v = SB_VARS(start);
    int color[SB_GRAPH_COLORING_NODES];
    (void)n_states;
    assert_int_equal(v->n_colored, 0);
    ask_engine(&g, start);
    assert_colors_do_not_matter(&g, start);
    const int moves = fewest_moves(&g, pose_of(start), v->n_nodes);
    answer->fewest = moves + fewest_interactions(v, color, 0);
    answer->verdict = moves >= 0 && answer->fewest <= start->max_steps ? SB_SOLVED : SB_IMPOSSIBLE;
}
