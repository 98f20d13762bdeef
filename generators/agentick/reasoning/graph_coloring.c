/* GraphColoring: interact with nodes until every node has a colour that none of its neighbours has. Nodes at most two
 * steps apart are neighbours. An interaction gives a node the next colour; after the last colour comes none. */
#include "generators/agentick/reasoning/graph_coloring.h"

#include <limits.h>
#include <string.h>

#include "engine/gridworld/area.h"
#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"

typedef sb_graph_coloring_vars vars;

enum { MAX_NODES = SB_GRAPH_COLORING_NODES, REACH = SB_GRAPH_COLORING_REACH, ACROSS = 2 * REACH + 1, CORES = 8 * 3 };

/* The cells exactly REACH steps from the middle, and those at most REACH steps from it. Each row is a bit set. */
static const uint32_t ring[ACROSS] = {4, 10, 17, 10, 4}, disc[ACROSS] = {4, 14, 31, 14, 4};

/* A graph grows from a core that needs all the colours. A core is a list of cells relative to a center. */
static const sb_xy triangles[8][3] = {{{0, 0}, {1, 0}, {0, 1}},   {{0, 0}, {-1, 0}, {0, 1}}, {{0, 0}, {1, 0}, {0, -1}},
                                      {{0, 0}, {-1, 0}, {0, -1}}, {{0, 0}, {1, 0}, {1, 1}},  {{0, 0}, {-1, 0}, {-1, 1}},
                                      {{0, 0}, {0, 1}, {1, 1}},   {{0, 0}, {0, -1}, {1, -1}}};
static const sb_xy squares[4][4] = {{{0, 0}, {1, 0}, {0, 1}, {1, 1}},
                                    {{0, 0}, {-1, 0}, {0, 1}, {-1, 1}},
                                    {{0, 0}, {1, 0}, {0, -1}, {1, -1}},
                                    {{0, 0}, {-1, 0}, {0, -1}, {-1, -1}}};

static const struct parameters {
    int nodes, colors;
    const uint32_t *around; /* where another node may be added around a node */
    int n_cores, core;      /* n_cores: cores to choose from, 0 for the center alone; core: nodes in each */
    const sb_xy *core_at;   /* n_cores rows of core cells */
} parameters[SB_N_DIFFICULTIES] = {{4, 2, ring, 0, 1, NULL},
                                   {6, 3, disc, 8, 3, triangles[0]},
                                   {8, 3, disc, 8, 3, triangles[0]},
                                   {10, 4, disc, 4, 4, squares[0]}};

static int least(int a, int b) { return a < b ? a : b; }

/* ---- The instance ---- */

/* Returns whether node i has the colour of an earlier neighbour. */
static bool clashes(const vars *v, const int *color, int i) {
    for (int j = 0; j < i; j++)
        if (color[j] == color[i] && sb_graph_coloring_are_neighbors(v, i, j)) return true;
    return false;
}

/* Returns whether nodes i and up can be coloured, with the colours of the earlier nodes given. */
static bool can_be_colored(const vars *v, int *color, int i) {
    if (i == v->n_nodes) return true;
    for (color[i] = 1; color[i] <= v->n_colors; color[i]++)
        if (!clashes(v, color, i) && can_be_colored(v, color, i + 1)) return true;
    return false;
}

/* Lists where nodes may be, in the published order, which is that of a CPython set. */
static void list_sites(sb_cells *sites, const sb_episode *e) {
    sb_set set;
    sb_cells_columns(sites, e, REACH);
    sb_set_clear(&set);
    for (int i = 0; i < sites->n; i++) sb_set_add(&set, sites->at[i]);
    sb_set_list(&set, sites->at, SB_CELLS_MAX);
}

static bool is_site(const sb_episode *e, sb_xy p) {
    return p.x >= REACH && p.y >= REACH && p.x < e->width - REACH && p.y < e->height - REACH;
}

/* Adds a node to the graph. There is always room: the nodes never come near filling the sites. */
static void draw_node(vars *v, const sb_cells *sites, const uint32_t *around, sb_rng *rng) {
    sb_area area = {{0}};
    sb_cells frontier;
    for (int i = 0; i < v->n_nodes; i++)
        for (int k = 0; k < ACROSS; k++) area.row[v->node[i].y - REACH + k] |= around[k] << (v->node[i].x - REACH);
    for (int i = 0; i < v->n_nodes; i++) sb_area_set(&area, v->node[i], false);
    sb_cells_within(&frontier, sites, &area);
    sb_cells_shuffle(&frontier, rng);
    v->node[v->n_nodes++] = frontier.at[0];
}

/* Grows a graph of the wanted size. Returns whether the colours suffice for it. Fewer colours never do, because of the
 * core. */
static bool grow(sb_episode *e, const sb_cells *sites, const sb_xy *core, sb_rng *rng) {
    vars *v = SB_VARS(e);
    const struct parameters *difficulty = &parameters[e->difficulty];
    int color[MAX_NODES];
    for (int i = 0; i < difficulty->core; i++) {
        if (!is_site(e, core[i])) return false;
        v->node[i] = core[i], color[i] = i + 1;
    }
    v->n_nodes = difficulty->core;
    while (v->n_nodes < difficulty->nodes) draw_node(v, sites, difficulty->around, rng);
    return can_be_colored(v, color, difficulty->core);
}

static bool draw_graph(sb_episode *e, const sb_cells *sites, uint64_t attempt) {
    const struct parameters *difficulty = &parameters[e->difficulty];
    sb_rng rng = sb_generator_plus(e, 1000 * attempt);
    sb_cells centers = *sites;
    sb_cells_shuffle(&centers, &rng);
    if (difficulty->n_cores == 0) return grow(e, sites, &centers.at[0], &rng);
    for (int i = 0; i < centers.n; i++) {
        sb_xy cores[CORES];
        for (int k = 0; k < difficulty->n_cores * difficulty->core; k++)
            cores[k] = sb_at(centers.at[i].x + difficulty->core_at[k].x, centers.at[i].y + difficulty->core_at[k].y);
        sb_shuffle_rows(&rng, cores, (size_t)difficulty->n_cores, (size_t)difficulty->core);
        for (int k = 0; k < difficulty->n_cores; k++)
            if (grow(e, sites, &cores[k * difficulty->core], &rng)) return true;
    }
    return false;
}

static bool generate(sb_episode *e) {
    enum { ATTEMPTS = 50 };
    /* The published fallback on easy, for one seed in three billion; the other difficulties never fail. */
    static const sb_xy lattice[] = {{2, 2}, {4, 2}, {6, 2}, {2, 4}};
    vars *v = SB_VARS(e);
    sb_cells sites;
    uint64_t attempt = 0;
    sb_wall_border(e);
    v->start = e->agent.at = sb_at(1, 1);
    v->n_colors = parameters[e->difficulty].colors;
    list_sites(&sites, e);
    while (attempt < ATTEMPTS && !draw_graph(e, &sites, attempt)) attempt++;
    if (attempt == ATTEMPTS) memcpy(v->node, lattice, sizeof lattice);
    for (int i = 0; i < v->n_nodes; i++) sb_set_object(e, v->node[i], SB_SWITCH, 0);
    return true;
}

/* ---- The rules ---- */

static bool is_violated(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    int color[MAX_NODES];
    for (int i = 0; i < v->n_nodes; i++) {
        color[i] = sb_graph_coloring_color(e, i);
        if (color[i] && clashes(v, color, i)) return true;
    }
    return false;
}

static void on_interact(sb_episode *e, sb_xy target) {
    vars *v = SB_VARS(e);
    sb_cell *node = sb_cell_at(e, target);
    if (node->object != SB_SWITCH) return;
    if (node->metadata == 0) v->n_colored++;
    node->metadata = (int16_t)((node->metadata + 1) % (v->n_colors + 1));
    if (node->metadata == 0) v->n_colored--;
    v->violation = is_violated(e);
}

static bool is_success(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return v->n_colored == v->n_nodes && !v->violation;
}

/* Returns how much closer the agent came to the nearest node without a colour. */
static int approach_to_uncolored(const sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    int before = INT_MAX, after = INT_MAX;
    if (sb_same(t->before.at, e->agent.at)) return 0;
    for (int i = 0; i < v->n_nodes; i++) {
        if (sb_graph_coloring_color(e, i) != 0) continue;
        before = least(before, sb_manhattan(t->before.at, v->node[i]));
        after = least(after, sb_manhattan(e->agent.at, v->node[i]));
    }
    return before - after;
}

/* Nodes coloured during a violation are never paid for. */
static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    double reward = -0.01;
    if (v->violation) reward -= 0.2;
    if (v->n_colored > e->paid[0] && !v->violation) reward += 0.4 * (v->n_colored - e->paid[0]);
    e->paid[0] = v->n_colored;
    reward += 0.05 * approach_to_uncolored(e, t);
    if (t->success) reward += 1.0;
    return reward;
}

/* Every node without a colour needs an interaction. Returns -1 if other nodes wall such a node in. */
static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    sb_area open;
    sb_area_walkable(&open, e);
    for (int i = 0; i < v->n_nodes; i++) sb_area_set(&open, v->node[i], false);
    for (int i = 0; i < v->n_nodes; i++) {
        if (sb_graph_coloring_color(e, i) != 0) continue;
        sb_area_set(&open, v->node[i], true);
        if (!sb_area_connects(&open, e->height, e->agent.at, v->node[i])) return -1;
        sb_area_set(&open, v->node[i], false);
    }
    return v->n_nodes - v->n_colored;
}

static void put_adjacency(const vars *v, sb_config *c) {
    sb_put_key(c->out, "adjacency");
    sb_puts(c->out, "{");
    for (int i = 0; i < v->n_nodes; i++) {
        int32_t neighbors[MAX_NODES];
        size_t n = 0;
        for (int j = 0; j < v->n_nodes; j++)
            if (sb_graph_coloring_are_neighbors(v, i, j)) neighbors[n++] = j;
        sb_config_ints(c, (char[]){(char)('0' + i), '\0'}, neighbors, n);
    }
    sb_puts(c->out, "}");
}

/* Writes the colours of coloured nodes only, counted from 0. */
static void put_colors(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_put_key(c->out, "_node_colors");
    sb_puts(c->out, "{");
    for (int i = 0; i < v->n_nodes; i++)
        if (sb_graph_coloring_color(e, i) != 0)
            sb_config_int(c, (char[]){(char)('0' + i), '\0'}, sb_graph_coloring_color(e, i) - 1);
    sb_puts(c->out, "}");
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", NULL, 0);
    sb_config_cells(c, "node_positions", v->node, (size_t)v->n_nodes);
    sb_config_int(c, "n_colors", v->n_colors);
    put_adjacency(v, c);
    sb_config_int(c, "max_steps", e->max_steps);
    if (!c->hidden) return;
    put_colors(e, c);
    sb_config_bool(c, "_violation", v->violation);
}

const sb_task sb_graph_coloring = {
    .info = {.name = "GraphColoring-v0",
             .category = "reasoning",
             .skills = SB_SKILLS("combinatorial_logic", "constraint_satisfaction"),
             .summary = "Colour the nodes of a graph so that no two neighbours share a colour."},
    .extents = {{9, 9, 120}, {11, 11, 220}, {13, 13, 380}, {15, 15, 550}},
    .vars_size = sizeof(vars),
    .generate = generate,
    .on_interact = on_interact,
    .is_success = is_success,
    .dense = dense,
    .bound = bound,
    .config = config,
};
