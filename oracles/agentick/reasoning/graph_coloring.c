/* The expert of GraphColoring: takes the fewest steps from any state, over all proper colourings and all tours.
 *
 * A colouring costs interactions and decides which nodes have to be visited; the cost of the visits does not depend on
 * the colours. So three tables tell which pose to go to: the steps from each pose to visit a set of nodes, which depend
 * on the map; the interactions that change a set of nodes, which depend on the colours; and both together for the best
 * set. Among the best poses it takes the first, and the first shortest walk there. No other pose can become the best on
 * the way, so fresh tables and a stored plan agree. */
#include "generators/agentick/reasoning/graph_coloring.h"

#include <string.h>

#include "oracles/agentick/packed.h"
#include "oracles/kits/plan.h"
#include "oracles/kits/walk.h"

enum {
    MAX_NODES = SB_GRAPH_COLORING_NODES,
    MAX_COLORS = SB_GRAPH_COLORING_COLORS,
    SETS = 1 << MAX_NODES, /* sets of nodes: bit i is set if node i is in it */
    POSES = 4 * MAX_NODES, /* poses that face a node */
    NO_WAY = 10000
};

typedef struct memory {
    sb_plan plan;
    sb_xy target; /* the node that the plan goes to */
    /* The map: constant during the episode. */
    sb_xy node[MAX_NODES];
    int n_nodes, n_poses;
    uint16_t neighbors[MAX_NODES]; /* the set of neighbours of each node */
    int pose[POSES], faces[POSES];
    int16_t steps[POSES][POSES];   /* steps from a pose to a pose */
    int16_t to_visit[SETS][POSES]; /* steps from a pose to face each node of the set */
    /* The colours. */
    int color[MAX_NODES];
    int16_t to_change[SETS]; /* interactions to a proper colouring that differs in exactly the nodes of the set */
    int16_t to_go[POSES];    /* steps to success from a pose, if the node that it faces is changed */
    /* Working memory. */
    sb_walk walk;
} memory;

static int with(int set, int node) { return set | 1 << node; }
static int without(int set, int node) { return set & ~(1 << node); }
static bool has(int set, int node) { return set >> node & 1; }
static int16_t lesser(int16_t a, int b) { return a < b ? a : (int16_t)b; }

/* ---- The map ---- */

static void list_nodes(memory *m, const sb_graph_coloring_vars *v) {
    memcpy(m->node, v->node, sizeof m->node);
    m->n_nodes = v->n_nodes;
    for (int i = 0; i < v->n_nodes; i++) {
        m->neighbors[i] = 0;
        for (int j = 0; j < v->n_nodes; j++)
            if (sb_graph_coloring_are_neighbors(v, i, j)) m->neighbors[i] |= (uint16_t)(1u << j);
    }
}

/* Returns the interactions that change one colour into another; 0 is no colour. */
static int interactions_to(int color, int now, int n_colors) { return (color - now + n_colors + 1) % (n_colors + 1); }

static void list_poses(memory *m, const sb_episode *e, const sb_open *open) {
    m->n_poses = 0;
    for (int i = 0; i < m->n_nodes; i++) {
        const int n = sb_poses_facing(e, open, m->node[i], &m->pose[m->n_poses]);
        for (int k = 0; k < n; k++) m->faces[m->n_poses++] = i;
    }
}

static void walk_from(memory *m, const sb_episode *e, const sb_open *open, int pose, sb_budget *budget) {
    sb_walk_from(&m->walk, e, open, pose);
    budget->spent += 4 * (uint64_t)sb_n_cells(e);
}

static void measure_steps(memory *m, const sb_episode *e, const sb_open *open, sb_budget *budget) {
    for (int from = 0; from < m->n_poses; from++) {
        walk_from(m, e, open, m->pose[from], budget);
        for (int to = 0; to < m->n_poses; to++) {
            const int16_t steps = m->walk.steps[m->pose[to]];
            m->steps[to][from] = steps < 0 ? NO_WAY : steps;
        }
    }
}

/* Dynamic programming by Held and Karp, from the end: after facing a node first, a smaller set is left. */
static void measure_visits(memory *m, sb_budget *budget) {
    for (int set = 0; set < 1 << m->n_nodes; set++) {
        int16_t *best = m->to_visit[set];
        for (int from = 0; from < m->n_poses; from++) best[from] = set ? NO_WAY : 0;
        for (int first = 0; first < m->n_poses; first++) {
            if (!has(set, m->faces[first])) continue;
            const int rest = m->to_visit[without(set, m->faces[first])][first];
            for (int from = 0; from < m->n_poses; from++) best[from] = lesser(best[from], m->steps[first][from] + rest);
        }
    }
    budget->spent += (uint64_t)m->n_poses << m->n_nodes;
}

static void draw_map(memory *m, const sb_episode *e, const sb_open *open, sb_budget *budget) {
    list_nodes(m, SB_VARS(e));
    list_poses(m, e, open);
    measure_steps(m, e, open, budget);
    measure_visits(m, budget);
}

/* ---- The colours ---- */

typedef struct coloring {            /* a colouring of the first nodes */
    uint16_t having[MAX_COLORS + 1]; /* sets of nodes by colour */
    int changed;                     /* the set of nodes whose colour differs from the current one */
    int interactions;                /* interactions for the colouring, plus one for each other node without a colour */
} coloring;

typedef struct choice {
    int n_colors;
    bool keeps; /* nodes that have a colour keep it */
    int limit;  /* colourings with this many interactions are not needed */
} choice;

/* Continues the colouring from node i in every proper way. */
static void try_colorings(memory *m, choice *among, int i, coloring so_far, sb_budget *budget) {
    budget->spent++;
    if (so_far.interactions >= among->limit) return;
    if (i == m->n_nodes) {
        m->to_change[so_far.changed] = lesser(m->to_change[so_far.changed], so_far.interactions);
        if (among->keeps) among->limit = so_far.interactions;
        return;
    }
    const int now = m->color[i];
    for (int color = 1; color <= among->n_colors; color++) {
        if (m->neighbors[i] & so_far.having[color] || (among->keeps && now && color != now)) continue;
        coloring next = so_far;
        next.having[color] |= (uint16_t)(1u << i);
        if (color != now) next.changed = with(next.changed, i);
        next.interactions += interactions_to(color, now, among->n_colors) - !now;
        try_colorings(m, among, i + 1, next, budget);
    }
}

static void weigh_poses(memory *m) {
    for (int pose = 0; pose < m->n_poses; pose++) m->to_go[pose] = NO_WAY;
    for (int set = 0; set < 1 << m->n_nodes; set++) {
        if (m->to_change[set] == NO_WAY) continue;
        for (int pose = 0; pose < m->n_poses; pose++) {
            if (!has(set, m->faces[pose])) continue;
            const int rest = m->to_visit[without(set, m->faces[pose])][pose];
            m->to_go[pose] = lesser(m->to_go[pose], m->to_change[set] + rest);
        }
    }
}

/* Tries first to keep all existing colours. Nodes without a colour have to be visited anyway, so changing others is
 * worth it only if it saves interactions. */
static void weigh_colors(memory *m, const sb_graph_coloring_vars *v, sb_budget *budget) {
    const coloring none = {.interactions = v->n_nodes - v->n_colored};
    choice among = {.n_colors = v->n_colors, .keeps = true, .limit = NO_WAY};
    for (int set = 0; set < 1 << m->n_nodes; set++) m->to_change[set] = NO_WAY;
    try_colorings(m, &among, 0, none, budget);
    among.keeps = false;
    try_colorings(m, &among, 0, none, budget);
    weigh_poses(m);
}

/* ---- Acting ---- */

/* Brings the tables up to date; most steps change nothing in them. */
static void survey(memory *m, const sb_episode *e, const sb_open *open, sb_budget *budget) {
    const sb_graph_coloring_vars *v = SB_VARS(e);
    int color[MAX_NODES] = {0};
    const bool is_same_map = m->n_nodes == v->n_nodes && memcmp(m->node, v->node, sizeof m->node) == 0;
    for (int i = 0; i < v->n_nodes; i++) color[i] = sb_graph_coloring_color(e, i);
    if (!is_same_map) draw_map(m, e, open, budget);
    if (is_same_map && memcmp(m->color, color, sizeof color) == 0) return;
    memcpy(m->color, color, sizeof color);
    weigh_colors(m, v, budget);
}

/* Returns the first pose on a shortest way to success; -1 if the remaining steps are too few. */
static int choose_pose(memory *m, const sb_episode *e, sb_budget *budget) {
    sb_open open;
    int best = -1, fewest = e->max_steps - e->clock + 1;
    sb_open_passable(&open, e);
    survey(m, e, &open, budget);
    walk_from(m, e, &open, sb_pose(e, e->agent.at, (sb_direction)e->agent.facing), budget);
    for (int pose = 0; pose < m->n_poses; pose++) {
        const int steps = m->walk.steps[m->pose[pose]];
        if (steps >= 0 && steps + m->to_go[pose] < fewest) best = pose, fewest = steps + m->to_go[pose];
    }
    return best;
}

/* Plans up to the next interaction. */
static sb_verdict make_plan(memory *m, const sb_episode *e, sb_budget *budget) {
    const int pose = choose_pose(m, e, budget);
    sb_plan_begin(&m->plan, e);
    if (pose < 0) return m->plan.verdict = SB_IMPOSSIBLE;
    sb_walk_plan(&m->walk, m->pose[pose], &m->plan);
    sb_plan_add(&m->plan, SB_INTERACT);
    m->target = m->node[m->faces[pose]];
    return SB_SOLVED;
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    if (!sb_plan_holds(&m->plan, e)) make_plan(m, e, budget);
    sb_intend(intent, "colour", "node", m->target);
    if (!sb_plan_next(&m->plan, e, action)) sb_plan_give_up(&m->plan, NULL, action, intent);
}

static sb_verdict judge(void *memory_, const sb_env *env, sb_budget *budget) {
    return make_plan(memory_, sb_episode_of(env), budget);
}

const sb_oracle sb_graph_coloring_expert = {
    .family = "agentick",
    .task = "GraphColoring-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
    .judge = judge,
};

/* ---- The rule beside the task's steps ---- */

typedef struct packed_state {
    int32_t pose, color[MAX_NODES];
} packed_state;

typedef struct board {
    sb_episode e;
    sb_open open;
    memory m;
} board;

static void pack(void *board_, const sb_episode *e, void *state) {
    board *b = board_;
    packed_state *s = state;
    sb_episode_copy(&b->e, e);
    sb_open_passable(&b->open, e);
    list_nodes(&b->m, SB_VARS(e));
    list_poses(&b->m, e, &b->open);
    s->pose = sb_pose(e, e->agent.at, (sb_direction)e->agent.facing);
    for (int i = 0; i < b->m.n_nodes; i++) s->color[i] = sb_graph_coloring_color(e, i);
}

static bool is_proper(const memory *m, const packed_state *s) {
    for (int i = 0; i < m->n_nodes; i++)
        for (int j = 0; j < m->n_nodes; j++)
            if (s->color[i] == 0 || (m->neighbors[i] >> j & 1 && s->color[i] == s->color[j])) return false;
    return true;
}

static void interact(const board *b, packed_state *s, int node) {
    const sb_graph_coloring_vars *v = SB_VARS(&b->e);
    const int now = s->color[node];
    int color = 0;
    while (interactions_to(color, now, v->n_colors) != 1) color++;
    s->color[node] = color;
}

static void expand(void *board_, const void *state, sb_search *search) {
    const board *b = board_;
    for (sb_action action = SB_MOVE_UP; action <= SB_INTERACT; action++) {
        packed_state s = *(const packed_state *)state;
        int k = 0;
        while (k < b->m.n_poses && b->m.pose[k] != s.pose) k++;
        if (action <= SB_MOVE_RIGHT)
            s.pose = sb_pose_after(&b->e, &b->open, s.pose, sb_direction_of(action));
        else if (k < b->m.n_poses)
            interact(b, &s, b->m.faces[k]);
        sb_search_add(search, &s, (uint32_t)action, 1, is_proper(&b->m, &s));
    }
}

const sb_packed_rule sb_graph_coloring_rule = {
    .task = "GraphColoring-v0",
    .memory = sizeof(board),
    .state_size = sizeof(packed_state),
    .pack = pack,
    .expand = expand,
};
