/* The expert of Herding: the best way to herd a single sheep is computed exactly, and applied to the whole flock by
 * looking a few moves ahead.
 *
 * For one sheep, value iteration gives the expected steps until it is in the pen, for every cell of the agent, cell of
 * the sheep and phase of its pace. Sheep that are near flee according to the rules, and those far away wander with the
 * chances of the rules. These values depend only on the walls and the free places of the pen, so they are kept until
 * another place is taken. The sheep of a flock are driven home one after the other: the first one costs what its value
 * says, and each other one what its value says when the agent starts at the pen. In the moves ahead, near sheep flee
 * and block each other. The others stay where they are, but the expected gain of their wandering counts. Rollouts in
 * which they do wander compare every other action with the one that this finds.
 *
 * Sheep that are as fast as the agent can run to and fro with it for ever. Where the agent would soon be back in the
 * same situation, it therefore drives one sheep as if there were no others. */
#include "generators/agentick/multi_agent/herding.h"

#include <stdlib.h>
#include <string.h>

#include "engine/gridworld/area.h"
#include "engine/gridworld/search.h"
#include "oracles/agentick/multi_agent/herding_relaxed.h"
#include "oracles/agentick/packed.h"
#include "oracles/belief.h"
#include "oracles/kits/plan.h"
#include "oracles/kits/rollouts.h"
#include "oracles/kits/values.h"

typedef sb_herding_vars vars;

/* Cells inside the border, in rows of STRIDE whatever the size of the grid. */
enum {
    STRIDE = SB_VALUES_ROW,
    CELLS = STRIDE * STRIDE,
    PACES = 3,
    NEAR_CELLS = 13,
    WAYS = 4,
    STAY = WAYS,
    ACTIONS = SB_VALUES_ACTIONS
};
enum { SWEEPS = 200 };
enum { FEW = 8, ROLLOUTS = 32, LENGTH = 30 /* steps of a rollout */ };
static const float ENOUGH = 0.3F; /* in steps: sweeps stop when they change less than this */

typedef float by_cell[CELLS];
typedef float padded[STRIDE + CELLS + STRIDE]; /* neighbours are read beyond both ends, where their weight is 0 */

typedef struct map { /* compared as bytes */
    int pace, rows, mouth;
    bool open[CELLS], pasture[CELLS], place[CELLS]; /* open to the agent; open to sheep; a free place in the pen */
} map;

typedef struct flight {
    int16_t from, to;
} flight;

typedef struct memory {
    map map;
    int n_open, open[CELLS];
    /* neighbours for the agent and for sheep; no way: its own cell; -1 */
    int16_t agent_next[CELLS][ACTIONS], sheep_next[CELLS][WAYS];
    by_cell weight[ACTIONS]; /* chances of a wandering sheep: of each way, and of staying */
    by_cell outside;         /* 1 where a sheep may be that is not home, else 0 */
    int n_flights[CELLS];
    flight flight[CELLS][NEAR_CELLS]; /* how sheep near the agent flee, by the agent's cell */
    padded home[PACES][CELLS]; /* expected steps until a sheep is home, by phase (steps since the sheep moved), agent
                                  and sheep */
    by_cell after[CELLS];      /* expected steps after the agent has moved and before the sheep move: by agent, sheep */
    by_cell later, later_after; /* expected steps, by sheep, with the agent at the mouth of the pen */
    sb_budget *budget;
} memory;

static const sb_action actions[ACTIONS] = {SB_MOVE_UP, SB_MOVE_DOWN, SB_MOVE_LEFT, SB_MOVE_RIGHT, SB_NOOP};

static int cell_of(sb_xy p) { return (p.y - 1) * STRIDE + p.x - 1; }
static sb_xy xy_of(int cell) { return sb_at(cell % STRIDE + 1, cell / STRIDE + 1); }
static int apart(int a, int b) { return abs(a % STRIDE - b % STRIDE) + abs(a / STRIDE - b / STRIDE); }

/* ---- The map ---- */

/* Returns the cell in front of the pen, where the agent probably is when a sheep has come home. */
static int mouth_of(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    const sb_xy first = v->pen_first, last = v->pen_last;
    const sb_xy mouth = sb_at(first.x == 1 ? last.x + 1 : first.x - 1, first.y == 1 ? last.y + 1 : first.y - 1);
    return cell_of(sb_walkable(e, mouth) ? mouth : first);
}

static void read_map(map *map, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    memset(map, 0, sizeof *map);
    map->pace = sb_herding_pace[e->difficulty];
    map->rows = e->height - 2;
    map->mouth = mouth_of(e);
    for (int y = 1; y < e->height - 1; y++)
        for (int x = 1; x < e->width - 1; x++) {
            const int cell = cell_of(sb_at(x, y));
            map->open[cell] = map->pasture[cell] = sb_walkable(e, sb_at(x, y));
            map->place[cell] = sb_herding_is_pen(v, sb_at(x, y));
        }
    for (int i = 0; i < v->n_sheep; i++) {
        const int cell = cell_of(v->sheep[i]);
        if (map->place[cell]) map->pasture[cell] = map->place[cell] = false;
    }
}

/* Returns the neighbour if it is inside the border and allowed, else `none`. */
static int16_t step_to(const map *map, const bool allowed[CELLS], int cell, sb_direction d, int none) {
    const sb_xy p = sb_beside(xy_of(cell), d);
    const bool within = p.x > 0 && p.y > 0 && p.x <= map->rows && p.y <= map->rows; /* grids are square */
    return (int16_t)(within && allowed[cell_of(p)] ? cell_of(p) : none);
}

static void link_cell(memory *m, int cell) {
    const float wanders = (float)sb_herding_wanders;
    int n = 0;
    for (int k = 0; k < WAYS; k++) {
        m->agent_next[cell][k] = step_to(&m->map, m->map.open, cell, sb_direction_of(actions[k]), cell);
        m->sheep_next[cell][k] = step_to(&m->map, m->map.pasture, cell, sb_ewsn[k], -1);
        n += m->sheep_next[cell][k] >= 0;
    }
    m->agent_next[cell][STAY] = (int16_t)cell;
    for (int k = 0; k < WAYS; k++) m->weight[k][cell] = m->sheep_next[cell][k] >= 0 ? wanders / (float)n : 0;
    m->weight[STAY][cell] = n ? 1 - wanders : 1;
}

static void link_cells(memory *m) {
    m->n_open = 0;
    memset(m->weight, 0, sizeof m->weight);
    for (int cell = 0; cell < CELLS; cell++) {
        m->outside[cell] = m->map.pasture[cell] && !m->map.place[cell] ? 1 : 0;
        if (!m->map.open[cell]) continue;
        m->open[m->n_open++] = cell;
        link_cell(m, cell);
    }
}

/* ---- One sheep ---- */

static bool is_away(const memory *m, int agent, int from, int k) {
    const int to = m->sheep_next[from][k];
    return to >= 0 && apart(agent, to) > apart(agent, from);
}

static void list_flights(memory *m, int agent) {
    m->n_flights[agent] = 0;
    for (int j = 0; j < m->n_open; j++) {
        const int from = m->open[j];
        if (m->outside[from] == 0 || apart(agent, from) > SB_HERDING_NEAR) continue;
        int k = 0;
        while (k < WAYS && !is_away(m, agent, from, k)) k++;
        const int to = k < WAYS ? m->sheep_next[from][k] : from;
        m->flight[agent][m->n_flights[agent]++] = (flight){(int16_t)from, (int16_t)to};
    }
}

static const float *home_of(const memory *m, int phase, int agent) { return m->home[phase][agent] + STRIDE; }

/* Computes the expected value of a wandering sheep for each cell. */
static void set_wandering(const memory *m, const float *now, float *restrict to) {
    for (int row = 0; row < m->map.rows; row++) {
        const int at = row * STRIDE;
        for (int i = 0; i < STRIDE; i++) /* ways are east, west, south, north */
            to[at + i] = m->weight[STAY][at + i] * now[at + i] + m->weight[0][at + i] * now[at + i + 1] +
                         m->weight[1][at + i] * now[at + i - 1] + m->weight[2][at + i] * now[at + i + STRIDE] +
                         m->weight[3][at + i] * now[at + i - STRIDE];
    }
}

static void set_after(memory *m, int agent) {
    set_wandering(m, home_of(m, 0, agent), m->after[agent]);
    for (int i = 0; i < m->n_flights[agent]; i++) {
        const flight *f = &m->flight[agent][i];
        m->after[agent][f->from] = home_of(m, 0, agent)[f->to];
    }
}

static const float *once_moved(const memory *m, int phase, int agent) {
    return phase == m->map.pace - 1 ? m->after[agent] : home_of(m, phase + 1, agent);
}

/* Updates the expected steps until a sheep is home, with the agent's best action. */
static void set_home(memory *m, int phase, int agent, float change[STRIDE]) {
    const float *after[ACTIONS];
    float steps[CELLS];
    for (int k = 0; k < ACTIONS; k++) after[k] = once_moved(m, phase, m->agent_next[agent][k]);
    sb_values_choose(steps, after, m->map.rows);
    sb_values_replace(m->home[phase][agent] + STRIDE, steps, m->outside, m->map.rows, change);
}

/* Guesses the steps until a sheep is home, mostly a little too low, so that a few sweeps are enough. */
static void guess_home(memory *m) {
    int way[CELLS] = {0}, queue[CELLS], n = 0;
    for (int j = 0; j < m->n_open; j++)
        if (m->map.place[m->open[j]]) queue[n++] = m->open[j];
    for (int j = 0; j < n; j++)
        for (int k = 0; k < WAYS; k++) {
            const int next = m->sheep_next[queue[j]][k];
            if (next < 0 || way[next] || m->map.place[next]) continue;
            way[next] = way[queue[j]] + 1;
            queue[n++] = next;
        }
    memset(m->home, 0, sizeof m->home);
    for (int i = 0; i < m->n_open * n; i++) {
        const int agent = m->open[i / n], sheep = queue[i % n];
        const int steps = way[sheep] * m->map.pace;
        for (int phase = 0; phase < m->map.pace; phase++)
            m->home[phase][agent][STRIDE + sheep] = m->outside[sheep] *
                                                    (1.2F * (float)steps + (float)apart(agent, sheep));
    }
}

static bool sweep(memory *m, bool backwards) {
    float change[STRIDE] = {0};
    for (int j = 0; j < m->n_open; j++) {
        const int agent = m->open[backwards ? m->n_open - 1 - j : j];
        for (int phase = m->map.pace - 1; phase >= 0; phase--) set_home(m, phase, agent, change);
        set_after(m, agent);
    }
    m->budget->spent += (uint64_t)(m->n_open * m->map.pace); /* whole rows count as one state */
    return sb_values_most(change) >= ENOUGH;
}

static void learn(memory *m, const sb_episode *e) {
    map now;
    read_map(&now, e);
    if (memcmp(&now, &m->map, sizeof now) == 0) return;
    m->map = now;
    link_cells(m);
    guess_home(m);
    for (int j = 0; j < m->n_open; j++) list_flights(m, m->open[j]), set_after(m, m->open[j]);
    for (int i = 0; i < SWEEPS && sweep(m, i % 2); i++) continue;
    memcpy(m->later, home_of(m, 0, m->map.mouth), sizeof m->later);
    set_wandering(m, home_of(m, 0, m->map.mouth), m->later_after);
}

/* ---- The flock ---- */

typedef struct flock {
    int agent, phase, n, cell[SB_HERDING_SHEEP]; /* the sheep that are not home */
} flock;

static flock flock_of(const memory *m, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    flock f = {.agent = cell_of(e->agent.at), .phase = e->clock % m->map.pace};
    for (int i = 0; i < v->n_sheep; i++)
        if (!sb_herding_is_pen(v, v->sheep[i])) f.cell[f.n++] = cell_of(v->sheep[i]);
    return f;
}

static bool is_taken(const flock *f, int cell) {
    for (int i = 0; i < f->n; i++)
        if (f->cell[i] == cell) return true;
    return false;
}

static int flee(const memory *m, const flock *f, int from) {
    for (int k = 0; k < WAYS; k++)
        if (is_away(m, f->agent, from, k) && !is_taken(f, m->sheep_next[from][k])) return m->sheep_next[from][k];
    return from;
}

/* Returns the expected steps until all sheep are home, if the agent goes to this cell now and the search looks `ahead`
 * more moves ahead. It stops when the first sheep comes home, because then other places are free. */
static float cost(const memory *m, const flock *before, int agent, int ahead) {
    flock f = *before;
    const bool move = f.phase == m->map.pace - 1;
    float others = 0, first = 1e9F, drift = 0; /* first: the least that a sheep costs more now than later */
    bool arrived = false;
    f.agent = agent;
    f.phase = move ? 0 : f.phase + 1;
    for (int i = 0; i < f.n; i++) {
        const bool wanders = move && apart(agent, f.cell[i]) > SB_HERDING_NEAR;
        if (move && !wanders) f.cell[i] = flee(m, &f, f.cell[i]);
        const int cell = f.cell[i];
        const float now = wanders ? m->after[agent][cell] : home_of(m, f.phase, agent)[cell];
        const float later = wanders ? m->later_after[cell] : m->later[cell];
        others += later;
        drift += later - m->later[cell];
        if (now - later < first) first = now - later;
        arrived |= m->map.place[cell];
    }
    m->budget->spent++;
    if (arrived || ahead == 0) return others + first;
    float least = 1e9F;
    for (int k = 0; k < ACTIONS; k++) {
        const int to = m->agent_next[agent][k];
        if (k != STAY && to == agent) continue;
        const float rest = cost(m, &f, to, ahead - 1);
        if (rest < least) least = rest;
    }
    return 1 + drift + least;
}

/* If sheep are as fast as the agent, they wander too much for looking ahead. If they are slower, looking ahead helps;
 * but the flock may lose with the next move what it gained with this one, and so on for ever. So from time to time the
 * agent does not look ahead. */
static int moves_ahead(const memory *m, const sb_episode *e) {
    enum { AHEAD = 4, PERIOD = 48, SHORT_SIGHTED = 8 };
    return m->map.pace == 1 || e->clock % PERIOD >= PERIOD - SHORT_SIGHTED ? 0 : AHEAD;
}

static int choose(const memory *m, const flock *f, int ahead) {
    float least = 1e9F;
    int best = STAY;
    for (int k = 0; k < ACTIONS; k++) {
        const int to = m->agent_next[f->agent][k];
        if (k != STAY && to == f->agent) continue;
        const float steps = cost(m, f, to, ahead);
        if (steps < least) least = steps, best = k;
    }
    return best;
}

/* Moves a wandering sheep by its weights. */
static int wander(const memory *m, int from, sb_rng *rng) {
    float drawn = (float)(sb_next64(rng) >> 40) * 0x1p-24F;
    for (int k = 0; k < WAYS; k++) {
        if (m->sheep_next[from][k] < 0) continue;
        if (drawn < m->weight[k][from]) return m->sheep_next[from][k];
        drawn -= m->weight[k][from];
    }
    return from;
}

/* Plays an action: near sheep flee, and the others wander as if they were alone, or stay where they are without a
 * generator. */
static void play(const memory *m, flock *f, int action, sb_rng *rng) {
    int n = 0;
    f->agent = m->agent_next[f->agent][action];
    f->phase = (f->phase + 1) % m->map.pace;
    for (int i = 0; i < f->n && f->phase == 0; i++) {
        if (apart(f->agent, f->cell[i]) <= SB_HERDING_NEAR)
            f->cell[i] = flee(m, f, f->cell[i]);
        else if (rng)
            f->cell[i] = wander(m, f->cell[i], rng);
    }
    for (int i = 0; i < f->n; i++)
        if (!m->map.place[f->cell[i]]) f->cell[n++] = f->cell[i];
    f->n = n;
}

static bool is_same(const flock *a, const flock *b) {
    return a->agent == b->agent && a->phase == b->phase && a->n == b->n &&
           memcmp(a->cell, b->cell, (size_t)a->n * sizeof *a->cell) == 0;
}

/* Returns whether the agent would soon be back where it is, with near sheep where they are, so that only a sheep that
 * wanders could end this. */
static bool goes_in_circles(const memory *m, const flock *start, int action) {
    enum { LONGEST = 4 };
    flock f = *start;
    for (int i = 0; i < LONGEST; i++) {
        play(m, &f, i ? choose(m, &f, 0) : action, NULL);
        if (is_same(&f, start)) return true;
    }
    return false;
}

/* Returns the sheep that should come home first. */
static int target(const memory *m, const flock *f) {
    const float *home = home_of(m, f->phase, f->agent);
    int best = f->cell[0];
    for (int i = 1; i < f->n; i++)
        if (home[f->cell[i]] - m->later[f->cell[i]] < home[best] - m->later[best]) best = f->cell[i];
    return best;
}

/* Returns the sheep to drive as if it were the only one, where the agent goes in circles: for a while the one that
 * should come home first, and for a while any other, because the agent may not be able to choose between two. */
static int single_out(const memory *m, const flock *f, const sb_episode *e) {
    enum { TURN = 24 };
    const int turn = e->clock / TURN;
    return turn % 2 ? f->cell[turn % f->n] : target(m, f);
}

/* ---- Rollouts ---- */

typedef struct plans {
    const memory *memory;
    flock start;
    uint64_t seed; /* seed of the first rollout: each step of the episode gets other draws */
    int action[ACTIONS];
} plans;

/* Returns how many steps it takes to begin with an action and then not to look ahead, with an estimate of what is left
 * at the end. */
static float roll_out(const void *plans_, int number, int sample) {
    const plans *p = plans_;
    const memory *m = p->memory;
    const uint64_t spent = m->budget->spent;
    flock f = p->start;
    sb_rng rng;
    int t = 0;
    sb_rng_seed(&rng, p->seed + (uint64_t)sample, NULL);
    for (; t < LENGTH && f.n > 0; t++) play(m, &f, t ? choose(m, &f, 0) : p->action[number], &rng);
    m->budget->spent = spent + 1; /* a rollout counts as one state */
    if (f.n == 0) return (float)t;
    const float *home = home_of(m, f.phase, f.agent);
    const int first = target(m, &f);
    float left = home[first] - m->later[first];
    for (int i = 0; i < f.n; i++) left += m->later[f.cell[i]];
    return (float)t + left;
}

/* Returns the usual action, or another one that is better in rollouts. */
static int try_out(const memory *m, const flock *f, const sb_episode *e, int usual) {
    plans p = {.memory = m, .start = *f, .seed = (uint64_t)e->clock * ROLLOUTS, .action = {usual}};
    const sb_rollouts rollouts = {.few = FEW, .all = ROLLOUTS, .kept = 1, .play = roll_out, .context = &p};
    int n = 1;
    for (int k = 0; k < ACTIONS; k++)
        if (k != usual && (k == STAY || m->agent_next[f->agent][k] != f->agent)) p.action[n++] = k;
    return p.action[sb_rollouts_choose(&rollouts, n)];
}

/* ---- The expert ---- */

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    if (e->task->bound(e) < 0) { /* more sheep than places for them */
        *action = SB_NOOP;
        sb_give_up(intent, "a sheep has no place");
        return;
    }
    m->budget = budget;
    learn(m, e);
    const flock f = flock_of(m, e);
    int sheep = target(m, &f), usual = choose(m, &f, moves_ahead(m, e));
    if (m->map.pace == 1 && f.n > 1 && goes_in_circles(m, &f, usual)) {
        sheep = single_out(m, &f, e);
        const flock one = {.agent = f.agent, .phase = f.phase, .n = 1, .cell = {sheep}};
        usual = choose(m, &one, 0);
    }
    *action = actions[try_out(m, &f, e, usual)];
    sb_intend(intent, "herd", "sheep", xy_of(sheep));
}

const sb_oracle sb_herding_expert = {
    .family = "agentick",
    .task = "Herding-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .memory = sizeof(memory),
    .act = act,
    .judge_relaxed = sb_herding_judge_relaxed,
};

/* ---- The observer ---- */

typedef struct observer_memory {
    sb_area taken; /* places where a sheep was visible: it stays there, but becomes invisible */
    memory expert;
} observer_memory;

/* Adds the sheep that are known to be locked to those that are visible; returns how many these are. */
static int believe(const observer_memory *m, sb_episode *e) {
    vars *v = SB_VARS(e);
    int n = 0;
    while (n < v->n_sheep && !v->locked[n]) n++;
    for (int k = 0; k < v->n_pen && n < v->n_sheep; k++)
        if (sb_area_has(&m->taken, v->pen[k]) && sb_peek(e, v->pen[k])->object != SB_SHEEP) v->sheep[n++] = v->pen[k];
    return n;
}

static void note_places(observer_memory *m, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    for (int k = 0; k < v->n_pen; k++)
        if (sb_peek(e, v->pen[k])->object == SB_SHEEP) sb_area_add(&m->taken, v->pen[k]);
}

static void observe(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                    sb_intent *intent) {
    observer_memory *m = memory_;
    sb_belief belief;
    sb_episode *e = sb_believe(&belief, observation);
    note_places(m, e);
    believe(m, e);
    sb_act_on_belief(&belief, &sb_herding_expert, &m->expert, budget, action, intent);
}

static bool has_sheep(const sb_episode *e, const sb_xy *sheep, int n, sb_xy place) {
    if (sb_peek(e, place)->object == SB_SHEEP) return true;
    for (int i = 0; i < n; i++)
        if (sb_same(sheep[i], place)) return true;
    return false;
}

/* Sheep move in an order that the observer does not follow. If it did not see where a sheep was locked, any place of
 * the pen will do that is free for all it knows. */
static void imagine(const void *memory, sb_env *env, sb_rng *rng) {
    sb_episode *e = env->state;
    vars *v = SB_VARS(e);
    int n_visible = 0;
    while (n_visible < v->n_sheep && !v->locked[n_visible]) n_visible++;
    sb_shuffle_xy(rng, v->sheep, (size_t)n_visible);
    for (int n = believe(memory, e); n < v->n_sheep; n++) {
        double sum = 0;
        for (int k = 0; k < v->n_pen; k++)
            if (!has_sheep(e, v->sheep, n, v->pen[k]) && sb_draw_next(rng, 1, &sum)) v->sheep[n] = v->pen[k];
    }
}

const sb_oracle sb_herding_observer = {
    .family = "agentick",
    .task = "Herding-v0",
    .name = "observer",
    .sees = SB_SEES_OBSERVATIONS,
    .remembers = offsetof(observer_memory, expert),
    .memory = sizeof(observer_memory),
    .act = observe,
    .imagine = imagine,
};

/* ---- The rule beside the task's steps ---- */

static void pack(void *memory_, const sb_episode *e, void *state) {
    memory *m = memory_;
    map now;
    read_map(&now, e);
    if (memcmp(&now, &m->map, sizeof now) != 0) m->map = now, link_cells(m);
    *(flock *)state = flock_of(m, e);
}

static bool is_crowded(const flock *f) {
    for (int i = 0; i < f->n; i++)
        for (int k = 0; k < i; k++)
            if (apart(f->cell[i], f->cell[k]) <= 2) return true;
    return false;
}

/* Wandering sheep ignore each other, so this says nothing while sheep can get in each other's way. */
static sb_packed_outcome draw(void *memory_, void *state, sb_action action, sb_rng *rng) {
    int k = 0;
    if (action == SB_INTERACT || is_crowded(state)) return SB_PACKED_SKIPPED;
    while (actions[k] != action) k++;
    play(memory_, state, k, rng);
    return SB_PACKED_GOES_ON;
}

static int tell(const void *memory_, const void *state, int32_t numbers[SB_PACKED_NUMBERS]) {
    (void)memory_;
    const flock *f = state;
    int n = 0;
    numbers[n++] = f->agent, numbers[n++] = f->phase, numbers[n++] = f->n;
    for (int i = 0; i < f->n; i++) numbers[n++] = f->cell[i];
    return n;
}

const sb_packed_rule sb_herding_rule = {
    .task = "Herding-v0",
    .memory = sizeof(memory),
    .state_size = sizeof(flock),
    .pack = pack,
    .draw = draw,
    .tell = tell,
};
