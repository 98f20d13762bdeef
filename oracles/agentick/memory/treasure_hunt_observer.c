/* The observer of TreasureHunt: keeps all sets of cells that may be the treasures, weighted by how likely they make the
 * clues, which are all visible from the start. It goes where a treasure is likely and near.
 *
 * The distance of a clue is true: no treasure is nearer to the scroll, and one is exactly as far (or, if it says 9,
 * none is nearer). Directions are true except for a known number of lies. So few sets remain that they can be listed.
 */
#include "generators/agentick/memory/treasure_hunt.h"

#include <string.h>

#include "engine/gridworld/area.h"
#include "engine/gridworld/search.h"
#include "oracles/belief.h"
#include "oracles/kits/plan.h"
#include "oracles/kits/sweep.h"
#include "oracles/oracle.h"

enum {
    CELLS = 18 * 18,
    MAX_SITES = 16 * 16,
    MAX_CLUES = SB_TREASURE_HUNT_CLUES,
    MAX_GUESSES = 1 << 15, /* if there are more, only every 2nd, 4th, ... is kept */
    ENOUGH = 1 << 10       /* with fewer left than this, they are listed again */
};

enum { STEPS_A_CELL = 2 }; /* steps that each cell of a search takes if the next one is always chosen by its chance */

typedef sb_treasure_hunt_vars vars;

typedef struct guess { /* one possible set of treasures */
    uint8_t site[SB_TREASURE_HUNT_TREASURES];
    float weight;
} guess;

typedef struct memory {
    bool has_looked;
    sb_xy last;   /* where the agent was in the last step */
    sb_area bare; /* cells that the agent entered and that hold no treasure */
    /* What is visible at the start; one bit per clue. */
    int n_treasures, n_lies, n_clues, n_sites;
    sb_treasure_hunt_scroll scroll[MAX_CLUES];
    int16_t site[MAX_SITES];                /* cells where treasures can be */
    uint8_t distance[MAX_SITES][MAX_CLUES]; /* distance of each site to each scroll */
    uint16_t far_enough[MAX_SITES];         /* clues whose distance is satisfied by a treasure at this site */
    uint16_t ahead[MAX_SITES];              /* clues that point towards this site */
    /* What is possible. */
    int n_guesses, n_met, every; /* of the sets found, one in `every` is kept */
    guess guess[MAX_GUESSES];
    /* Working memory. */
    guess draft;
    bool is_barred[MAX_SITES];
    /* chance of a treasure in each cell; sum of these on the best shortest way to it */
    float chance[CELLS], on_the_way[CELLS];
    int16_t before[CELLS]; /* the cell before each cell on the best shortest way to it */
    sb_open open;
    sb_reach reach;
    sb_sweep sweep; /* a way past all cells where the last treasure may be */
} memory;

/* ---- What can be seen ---- */

static void list_clues(memory *m, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    m->n_clues = v->n_read;
    memcpy(m->scroll, v->read, sizeof m->scroll);
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].object == SB_SCROLL)
            m->scroll[m->n_clues++] = (sb_treasure_hunt_scroll){sb_xy_of(e, i), e->cells[i].metadata};
}

/* Adds the cell if no clue excludes it. No treasure lies on a scroll or on the start. */
static void add_site(memory *m, const sb_episode *e, sb_xy at) {
    const vars *v = SB_VARS(e);
    const int s = m->n_sites;
    m->far_enough[s] = m->ahead[s] = 0;
    for (int i = 0; i < m->n_clues; i++) {
        const int clue = m->scroll[i].clue, least = sb_clue_distance(clue);
        const int distance = sb_manhattan(m->scroll[i].at, at);
        const int direction = (int)sb_treasure_hunt_bearing(m->scroll[i].at, at);
        if (distance < least || distance == 0) return;
        m->distance[s][i] = (uint8_t)distance;
        m->far_enough[s] |= (uint16_t)((distance == least || least == SB_CLUE_FAR) << i);
        m->ahead[s] |= (uint16_t)((direction == sb_clue_direction(clue)) << i);
    }
    if (!sb_same(at, v->start)) m->site[m->n_sites++] = (int16_t)sb_index(e, at);
}

static void look(memory *m, const sb_episode *e) {
    const sb_treasure_hunt_parameters *level = &sb_treasure_hunt_difficulties[e->difficulty];
    m->n_treasures = level->treasures, m->n_lies = level->lies;
    m->n_sites = 0;
    list_clues(m, e);
    sb_open_walkable(&m->open, e);
    sb_reach_from(&m->reach, e, &m->open, e->agent.at, sb_nswe);
    for (int i = 0; i < m->reach.n; i++) add_site(m, e, m->reach.order[i]);
}

/* ---- Possible sets ---- */

/* Returns the chance that exactly the known number of clues lie. If several treasures are nearest, the clue is about
 * one of them at random. */
static float weigh(const memory *m, const guess *g) {
    float lies[MAX_CLUES + 1] = {1}; /* the chance of so many lies */
    for (int i = 0; i < m->n_clues; i++) {
        int least = INT16_MAX, n = 0, n_ahead = 0;
        for (int k = 0; k < m->n_treasures; k++) {
            const int s = g->site[k], distance = m->distance[s][i];
            if (distance > least) continue;
            if (distance < least) least = distance, n = n_ahead = 0;
            n++, n_ahead += m->ahead[s] >> i & 1;
        }
        const float truth = (float)n_ahead / (float)n;
        for (int k = i + 1; k > 0; k--) lies[k] = lies[k] * truth + lies[k - 1] * (1 - truth);
        lies[0] *= truth;
    }
    return lies[m->n_lies];
}

static void add_guess(memory *m) {
    m->draft.weight = weigh(m, &m->draft);
    if (m->draft.weight == 0 || m->n_met++ % m->every != 0) return;
    if (m->n_guesses == MAX_GUESSES) {
        m->n_guesses /= 2, m->every *= 2;
        for (int i = 0; i < m->n_guesses; i++) m->guess[i] = m->guess[2 * i];
    }
    m->guess[m->n_guesses++] = m->draft;
}

/* Returns the one of these clues with the fewest possible sites; 0 if there are none. */
static unsigned scarcest(const memory *m, unsigned clues) {
    int least = INT16_MAX;
    unsigned best = 0;
    for (int i = 0; i < m->n_clues; i++) {
        int n = 0;
        if (!(clues >> i & 1)) continue;
        for (int s = 0; s < m->n_sites; s++) n += !m->is_barred[s] && (m->far_enough[s] >> i & 1);
        if (n < least) least = n, best = 1u << i;
    }
    return best;
}

/* Adds every set that completes the first n treasures of the draft. `unmet`: clues whose distance none of these has. A
 * site that was tried is barred afterwards, so that each set is found only once. */
static void complete(memory *m, int n, unsigned unmet, sb_budget *budget) { // NOLINT(misc-no-recursion): five deep
    const bool is_last = n == m->n_treasures - 1;
    const unsigned wanted = is_last ? unmet : scarcest(m, unmet);
    uint8_t tried[MAX_SITES];
    int n_tried = 0;
    budget->spent++;
    for (int s = 0; s < m->n_sites; s++) {
        if (m->is_barred[s] || (m->far_enough[s] & wanted) != wanted) continue;
        m->draft.site[n] = (uint8_t)s;
        m->is_barred[s] = true;
        tried[n_tried++] = (uint8_t)s;
        if (is_last)
            add_guess(m);
        else
            complete(m, n + 1, unmet & ~m->far_enough[s], budget);
    }
    while (n_tried > 0) m->is_barred[tried[--n_tried]] = false;
}

static bool is_found(const memory *m, const sb_episode *e, int site) {
    return e->cells[m->site[site]].object == SB_GOAL;
}
static bool is_bare(const memory *m, const sb_episode *e, int site) {
    return sb_area_has(&m->bare, sb_xy_of(e, m->site[site]));
}

static void list_guesses(memory *m, const sb_episode *e, sb_budget *budget) {
    unsigned unmet = (1u << m->n_clues) - 1;
    int n = 0;
    for (int i = 0; i < m->n_clues; i++)
        if (sb_clue_distance(m->scroll[i].clue) == SB_CLUE_FAR) unmet &= ~(1u << i);
    for (int s = 0; s < m->n_sites; s++) {
        const bool found = is_found(m, e, s);
        m->is_barred[s] = found || is_bare(m, e, s);
        if (!found) continue;
        m->draft.site[n++] = (uint8_t)s;
        unmet &= ~(unsigned)m->far_enough[s];
    }
    m->n_guesses = m->n_met = 0, m->every = 1;
    complete(m, n, unmet, budget);
}

/* ---- Learning on the way ---- */

/* Tells whether the guess contains all treasures that were found, and no cell known to be empty. */
static bool is_possible(const memory *m, const sb_episode *e, const guess *g) {
    const vars *v = SB_VARS(e);
    int n_found = 0;
    for (int k = 0; k < m->n_treasures; k++) {
        if (is_bare(m, e, g->site[k])) return false;
        n_found += is_found(m, e, g->site[k]);
    }
    return n_found == v->n_found;
}

/* The first step reveals nothing. */
static void learn(memory *m, const sb_episode *e, sb_budget *budget) {
    int kept = 0;
    if (e->clock < 2 || sb_same(e->agent.at, m->last)) return;
    if (sb_object_here(e) != SB_GOAL) sb_area_add(&m->bare, e->agent.at);
    budget->spent += (uint64_t)m->n_guesses;
    for (int i = 0; i < m->n_guesses; i++)
        if (is_possible(m, e, &m->guess[i])) m->guess[kept++] = m->guess[i];
    m->n_guesses = kept;
    if (m->every > 1 && kept < ENOUGH) list_guesses(m, e, budget);
}

/* ---- Where to go ---- */

static void list_chances(memory *m, const sb_episode *e) {
    memset(m->chance, 0, sizeof m->chance);
    for (int i = 0; i < m->n_guesses; i++)
        for (int k = 0; k < m->n_treasures; k++) {
            const int s = m->guess[i].site[k];
            if (!is_found(m, e, s)) m->chance[m->site[s]] += m->guess[i].weight;
        }
}

/* Finds, among the shortest ways to every cell, the one with the highest sum of chances of treasures. */
static void list_ways(memory *m, const sb_episode *e) {
    const sb_reach *r = &m->reach;
    int step_of[4];
    sb_index_steps(e, step_of);
    sb_reach_from(&m->reach, e, &m->open, e->agent.at, sb_nswe);
    m->on_the_way[sb_index(e, e->agent.at)] = 0;
    for (int i = 1; i < r->n; i++) {
        const int here = sb_index(e, r->order[i]);
        int best = -1;
        for (int k = 0; k < 4; k++) {
            const int near = here + step_of[sb_nswe[k]];
            if (r->parent[near] < 0 || r->distance[near] != r->distance[here] - 1) continue;
            if (best < 0 || m->on_the_way[near] > m->on_the_way[best]) best = near;
        }
        m->before[here] = (int16_t)best;
        m->on_the_way[here] = m->on_the_way[best] + m->chance[here];
    }
}

/* Divides chances by the square of the way, because a far cell may be excluded before the agent gets there. The agent's
 * own cell counts as two steps: one away and one back. */
static int choose_target(const memory *m, const sb_episode *e) {
    int target = -1;
    float best = 0;
    for (int i = 0; i < m->reach.n; i++) {
        const int cell = sb_index(e, m->reach.order[i]), steps = i == 0 ? 2 : m->reach.distance[cell];
        const float worth = m->chance[cell] / (float)(steps * steps);
        if (worth > best) best = worth, target = cell;
    }
    return target;
}

/* Plans a short way past all cells where the last treasure may be, if there is hardly time to search them all. */
static void plan_sweep(memory *m, const sb_episode *e) {
    m->sweep.n = 0;
    for (int i = 1; i < m->reach.n; i++) {
        const int cell = sb_index(e, m->reach.order[i]);
        if (m->chance[cell] > 0) m->sweep.cell[m->sweep.n++] = (int16_t)cell;
    }
    if (m->sweep.n * STEPS_A_CELL <= e->max_steps - e->clock) m->sweep.n = 0;
    if (m->sweep.n) sb_sweep_plan(&m->sweep, e, &m->open, e->agent.at);
}

/* Returns the next cell of the sweep where the treasure may be; -1 if there is none. */
static int next_of_sweep(const memory *m) {
    for (int i = 0; i < m->sweep.n; i++)
        if (m->chance[m->sweep.cell[i]] > 0) return m->sweep.cell[i];
    return -1;
}

static int choose(memory *m, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    if (v->n_found != m->n_treasures - 1) return choose_target(m, e);
    const int next = next_of_sweep(m);
    if (next >= 0) return next;
    plan_sweep(m, e);
    return m->sweep.n ? m->sweep.cell[0] : choose_target(m, e);
}

/* A treasure met in the first step is not found. */
static sb_action go_to(const memory *m, const sb_episode *e, int target) {
    const vars *v = SB_VARS(e);
    const int from = sb_index(e, e->agent.at);
    int to = target == from ? sb_index(e, m->reach.order[1]) : target;
    if (!v->has_begun && m->reach.distance[to] == 1) return SB_NOOP;
    while (m->before[to] != from) to = m->before[to];
    sb_action move = SB_MOVE_UP;
    while (!sb_same(sb_beside(e->agent.at, sb_direction_of(move)), sb_xy_of(e, to))) move++;
    return move;
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    if (m->has_looked) {
        learn(m, e, budget);
    } else {
        look(m, e);
        list_guesses(m, e, budget);
        m->has_looked = true;
    }
    m->last = e->agent.at;
    list_chances(m, e);
    list_ways(m, e);
    const int target = choose(m, e);
    if (target < 0) {
        *action = SB_NOOP;
        sb_give_up(intent, "nothing is left to find");
        return;
    }
    *action = go_to(m, e, target);
    sb_intend(intent, "look for", "treasure", sb_xy_of(e, target));
}

/* Draws one of the possible sets by their weights. */
static void imagine(const void *memory_, sb_env *env, sb_rng *rng) {
    const memory *m = memory_;
    sb_episode *e = env->state;
    vars *v = SB_VARS(e);
    const guess *drawn = NULL;
    double sum = 0;
    for (int i = 0; i < m->n_guesses; i++)
        if (sb_draw_next(rng, (double)m->guess[i].weight, &sum)) drawn = &m->guess[i];
    for (int k = 0; drawn && k < m->n_treasures; k++) v->treasure[k] = sb_xy_of(e, m->site[drawn->site[k]]);
}

const sb_oracle sb_treasure_hunt_observer = {
    .family = "agentick",
    .task = "TreasureHunt-v0",
    .name = "observer",
    .sees = SB_SEES_OBSERVATIONS,
    .remembers = sizeof(memory),
    .memory = sizeof(memory),
    .act = act,
    .imagine = imagine,
};
