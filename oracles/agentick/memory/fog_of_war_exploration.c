/* Two oracles of FogOfWarExploration. The expert knows the map, the goal, the guards and their headings. The observer
 * keeps a map of what it was shown, explores the rest, and estimates where the guards are.
 *
 * Both represent guards in the same way: by the expected number of guards at each cell with each heading. The expert's
 * numbers are certain at first and become less so with every bounce; the observer corrects its own with what it sees
 * and does not see. The next cell of a guard is not random, only its heading after a bounce is, and exchanging places
 * with a guard is harmless. An agent that knows the headings need never be caught, so guards further ahead cost no more
 * than a delay. */
#include "generators/agentick/memory/fog_of_war_exploration.h"

#include <string.h>

#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/parts/movers.h"
#include "oracles/agentick/packed.h"
#include "oracles/belief.h"
#include "oracles/kits/plan.h"
#include "oracles/kits/risk.h"

typedef sb_fog_of_war_exploration_vars vars;

enum { HORIZON = SB_RISK_HORIZON, CELLS = 15 * 15 };
static const float STEP_COST = 0.002F; /* dying costs 1 */
static const float OPEN = 0.9F;        /* the chance that a guard may enter a cell that was never seen */
static const float DOUBT = 0.001F; /* expected guards with each heading where one is visible: no heading is certain */
static const float LOST = 1e-6F;   /* expected guards with each heading that are added to every cell in the fog */
static const float DELAY = 1.5F;   /* steps that a guard costs further ahead, where the agent sees it coming */

typedef struct guards {
    float expected[CELLS][4]; /* expected number at the cell with the heading, an index into sb_nswe */
} guards;

typedef struct walk {       /* working memory */
    float patrolled[CELLS]; /* the chance that guards may enter the cell */
    guards soon[2];
    sb_risk risk;
} walk;

/* ---- Guards ---- */

/* Moves guards: each walks straight on, or stays where it is and turns at random. */
static void patrol(const sb_episode *e, const float *patrolled, const guards *now, guards *next) {
    const int ahead[4] = {-e->width, e->width, -1, 1};
    memset(next, 0, sizeof *next);
    for (int i = 0; i < sb_n_cells(e); i++)
        for (int h = 0; h < 4; h++) {
            const float n = now->expected[i][h];
            if (n == 0) continue;
            const float walks = n * patrolled[i + ahead[h]], turns = n - walks;
            next->expected[i + ahead[h]][h] += walks;
            for (int turned = 0; turned < 4 && turns > 0; turned++) next->expected[i][turned] += turns / 4;
        }
}

static float expected_at(const guards *g, int cell) {
    const float *n = g->expected[cell];
    return n[0] + n[1] + n[2] + n[3];
}

/* Lists the chance that guards may enter each cell. `known`: the cells that the episode shows as they are; NULL:
 * all. */
static void list_patrolled(float *patrolled, const sb_episode *e, const bool *known) {
    for (int i = 0; i < sb_n_cells(e); i++) {
        const bool may = sb_may_patrol(e, sb_xy_of(e, i));
        patrolled[i] = !may ? 0 : !known || known[i] ? 1 : OPEN;
    }
}

/* ---- Walking among guards ---- */

static void weigh_guards(walk *w, const sb_episode *e, const guards *now) {
    for (int t = 0; t < HORIZON; t++) {
        guards *next = &w->soon[t % 2];
        patrol(e, w->patrolled, now, next);
        for (int i = 0; i < sb_n_cells(e); i++) {
            const float met = expected_at(next, i), chance = met < 1 ? met : 1;
            w->risk.stays[t][i] = w->risk.enters[t][i] = 1 - chance * (t ? DELAY * STEP_COST : 1);
        }
        now = next;
    }
}

/* Returns the next action of the way to a cell. `now` is NULL if there are no guards. */
static sb_action walk_to(walk *w, const sb_episode *e, sb_xy to, const guards *now, sb_budget *budget) {
    sb_open_walkable(&w->risk.open, e);
    w->risk.horizon = HORIZON, w->risk.step_cost = STEP_COST, w->risk.fade = 1;
    if (now)
        weigh_guards(w, e, now);
    else
        sb_risk_begin(&w->risk, e);
    return sb_risk_choose(&w->risk, e, to, budget);
}

/* Sets the intent. An agent that does not walk is waiting for the nearest guard that it sees. */
static void intend_to_walk(sb_intent *intent, const sb_env *env, sb_action action, const char *verb, const char *object,
                           sb_xy to) {
    sb_entity guard = {.at = sb_at(-1, -1)};
    if (action == SB_NOOP && sb_nearest(env, SB_NPC, &guard))
        sb_intend(intent, "wait for", "guard", guard.at);
    else
        sb_intend(intent, verb, object, to);
}

/* ---- The expert ---- */

typedef struct expert { /* working memory: nothing is remembered */
    walk walk;
    guards guards;
} expert;

static void act_as_expert(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                          sb_intent *intent) {
    expert *m = memory;
    const sb_episode *e = sb_episode_of(observation->env);
    const vars *v = SB_VARS(e);
    if (sb_peek(e, v->goal)->object != SB_GOAL) {
        *action = SB_NOOP;
        sb_give_up(intent, "the goal is gone");
        return;
    }
    memset(&m->guards, 0, sizeof m->guards);
    for (int i = 0; i < v->n_guards; i++) m->guards.expected[sb_index(e, v->guard[i])][v->heading[i]] = 1;
    list_patrolled(m->walk.patrolled, e, NULL);
    *action = walk_to(&m->walk, e, v->goal, v->n_guards ? &m->guards : NULL, budget);
    intend_to_walk(intent, observation->env, *action, "go to", "goal", v->goal);
}

const sb_oracle sb_fog_of_war_exploration_expert = {
    .family = "agentick",
    .task = "FogOfWarExploration-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .shortest = 3, /* easy and medium: no guards */
    .memory = sizeof(expert),
    .act = act_as_expert,
};

/* ---- What the observer knows ---- */

typedef struct observer {
    bool known[CELLS];
    sb_cell map[CELLS]; /* what the observer saw; EMPTY where nothing is known */
    guards guards;
    /* Working memory. */
    guards past;
    sb_belief belief;
    sb_reach reach;
    bool promising[CELLS]; /* the goal may be there */
    int gain[CELLS];       /* promising cells that come into view on the way to the cell */
    int16_t before[CELLS]; /* the cell before each cell on the way to it */
    walk walk;
} observer;

/* Adds visible cells to the map, which has no guards. */
static void draw_map(observer *m, const sb_episode *e) {
    for (int i = 0; i < sb_n_cells(e); i++) {
        if (sb_fogged(&e->cells[i])) continue;
        m->known[i] = true;
        m->map[i].terrain = e->cells[i].terrain;
        m->map[i].object = e->cells[i].object == SB_GOAL ? SB_GOAL : SB_NONE;
    }
}

/* Fills the fogged cells of the episode from the map. */
static void recall_map(const observer *m, sb_episode *e) {
    for (int i = 0; i < sb_n_cells(e); i++) {
        if (!sb_fogged(&e->cells[i])) continue;
        e->cells[i].terrain = sb_interior(e, sb_xy_of(e, i)) ? m->map[i].terrain : SB_WALL;
        e->cells[i].object = m->map[i].object;
    }
}

/* Corrects the estimate with what is visible: a guard is where it is seen, and its heading is the expected one or any.
 * Returns how many are visible. */
static int see_guards(observer *m, const sb_episode *e) {
    int seen = 0;
    for (int i = 0; i < sb_n_cells(e); i++) {
        float *n = m->guards.expected[i];
        const float sum = expected_at(&m->guards, i);
        const bool guard = e->cells[i].object == SB_NPC;
        if (sb_fogged(&e->cells[i])) continue;
        for (int h = 0; h < 4; h++) n[h] = guard ? (n[h] + DOUBT) / (sum + 4 * DOUBT) : 0;
        seen += guard;
    }
    return seen;
}

/* Distributes the guards that are not visible over the fog, mostly where they were expected. */
static void suspect_guards(observer *m, const sb_episode *e, int unseen) {
    bool suspect[CELLS];
    float sum = 0;
    for (int i = 0; i < sb_n_cells(e); i++) {
        suspect[i] = sb_fogged(&e->cells[i]) && m->walk.patrolled[i] > 0;
        for (int h = 0; h < 4 && suspect[i]; h++) m->guards.expected[i][h] += LOST;
        if (suspect[i]) sum += expected_at(&m->guards, i);
    }
    for (int i = 0; i < sb_n_cells(e); i++)
        for (int h = 0; h < 4 && suspect[i]; h++) m->guards.expected[i][h] *= (float)unseen / sum;
}

/* Updates the estimate by one step. At the beginning nothing is expected, so guards may be anywhere in the fog. */
static void follow_guards(observer *m, const sb_episode *e) {
    const int n = sb_fog_of_war_exploration_difficulties[e->difficulty].guards;
    if (n == 0) return;
    m->past = m->guards;
    patrol(e, m->walk.patrolled, &m->past, &m->guards);
    const int seen = see_guards(m, e);
    suspect_guards(m, e, seen < n ? n - seen : 0);
}

/* ---- The observer's search ---- */

/* Marks the cells never seen that can be reached as far as is known and are at least `distance` from the start; returns
 * how many. */
static int list_promising(observer *m, const sb_episode *e, int distance) {
    const vars *v = SB_VARS(e);
    int n = 0;
    memset(m->promising, 0, sizeof m->promising);
    for (int k = 0; k < m->reach.n; k++) {
        const int i = sb_index(e, m->reach.order[k]);
        m->promising[i] = !m->known[i] && sb_manhattan(m->reach.order[k], v->start) >= distance;
        n += m->promising[i];
    }
    return n;
}

/* Counts the promising cells that are visible from a cell but not from the one before. */
static int fresh_at(const observer *m, const sb_episode *e, sb_xy at, sb_xy before) {
    enum { SIGHT = SB_FOG_OF_WAR_EXPLORATION_SIGHT };
    int n = 0;
    for (int dy = -SIGHT; dy <= SIGHT; dy++)
        for (int dx = -SIGHT; dx <= SIGHT; dx++) {
            const sb_xy p = sb_at(at.x + dx, at.y + dy);
            if (sb_manhattan(p, at) > SIGHT || sb_manhattan(p, before) <= SIGHT || !sb_inside(e, p)) continue;
            n += m->promising[sb_index(e, p)];
        }
    return n;
}

/* Among the shortest ways to a cell, finds the one on which most promising cells come into view: sets its gain and the
 * cell before it. */
static void trace_back(observer *m, const sb_episode *e, sb_xy at) {
    const int i = sb_index(e, at);
    m->gain[i] = -1;
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
        const sb_xy before = sb_beside(at, d);
        const int k = sb_index(e, before);
        if (!sb_reached(&m->reach, e, before) || m->reach.distance[k] >= m->reach.distance[i]) continue;
        const int gain = m->gain[k] + fresh_at(m, e, at, before);
        if (gain > m->gain[i]) m->gain[i] = gain, m->before[i] = (int16_t)k;
    }
}

/* Finds the way with the most promising cells per step, and returns its first cell from which any is visible. */
static sb_xy choose_view(observer *m, const sb_episode *e) {
    int best = sb_index(e, e->agent.at);
    float most = 0;
    m->gain[best] = 0, m->before[best] = (int16_t)best;
    for (int k = 1; k < m->reach.n; k++) {
        const int i = sb_index(e, m->reach.order[k]);
        trace_back(m, e, m->reach.order[k]);
        const float rate = (float)m->gain[i] / (float)m->reach.distance[i];
        if (rate > most) most = rate, best = i;
    }
    while (m->gain[m->before[best]] > 0) best = m->before[best];
    return sb_xy_of(e, best);
}

/* Returns the next target; the agent's own cell if everything was seen and there is no goal. */
static sb_xy choose_target(observer *m, const sb_episode *e) {
    const int distance = sb_fog_of_war_exploration_difficulties[e->difficulty].goal_distance;
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].object == SB_GOAL) return sb_xy_of(e, i);
    sb_open_walkable(&m->walk.risk.open, e);
    sb_reach_from(&m->reach, e, &m->walk.risk.open, e->agent.at, sb_nesw);
    if (list_promising(m, e, distance) || list_promising(m, e, 0)) return choose_view(m, e);
    return e->agent.at;
}

static void act_as_observer(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                            sb_intent *intent) {
    observer *m = memory;
    sb_episode *e = sb_believe(&m->belief, observation);
    const bool guarded = sb_fog_of_war_exploration_difficulties[e->difficulty].guards > 0;
    draw_map(m, e);
    recall_map(m, e);
    list_patrolled(m->walk.patrolled, e, m->known);
    follow_guards(m, e);
    const sb_xy to = choose_target(m, e);
    *action = walk_to(&m->walk, e, to, guarded ? &m->guards : NULL, budget);
    budget->spent += (uint64_t)sb_n_cells(e);
    if (sb_peek(e, to)->object == SB_GOAL)
        intend_to_walk(intent, observation->env, *action, "go to", "goal", to);
    else if (!sb_same(to, e->agent.at))
        intend_to_walk(intent, observation->env, *action, "explore", "fog", to);
    else
        sb_give_up(intent, "no goal is left to find");
}

/* ---- What the observer imagines ---- */

enum { ATTEMPTS = 20 };

/* Draws walls on the cells that were never seen: each of the draws, as many as the grid is wide, hits any of the cells
 * inside the border. */
static void imagine_walls(const observer *m, sb_episode *e, sb_rng *rng) {
    const double inside = (e->width - 2) * (e->height - 2), chance = 1 - sb_power(1 - 1 / inside, e->width);
    for (int i = 0; i < sb_n_cells(e); i++)
        if (!m->known[i] && sb_interior(e, sb_xy_of(e, i)))
            e->cells[i].terrain = sb_random(rng) < chance ? SB_WALL : SB_EMPTY;
}

/* Returns the chance that there is no goal: the first site that is far enough is one of those that a decoy or a guard
 * takes. `far`: the share of sites that are. */
static double chance_of_no_goal(const sb_episode *e, double far) {
    const sb_fog_of_war_exploration_parameters *level = &sb_fog_of_war_exploration_difficulties[e->difficulty];
    return 1 - far - sb_power(1 - far, 1 + level->decoys + level->guards);
}

/* Draws the goal among the sites that were never seen, or draws that there is none. False if neither can be. */
static bool imagine_goal(const observer *m, sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    const int distance = sb_fog_of_war_exploration_difficulties[e->difficulty].goal_distance;
    sb_cells sites;
    int n_far = 0, n_unseen = 0;
    double sum = 0;
    sb_cells_reached_without(&sites, e, v->start);
    for (int i = 0; i < sites.n; i++) n_far += sb_manhattan(sites.at[i], v->start) >= distance;
    for (int i = 0; i < sites.n; i++) {
        if (m->known[sb_index(e, sites.at[i])]) continue;
        if (n_far && sb_manhattan(sites.at[i], v->start) < distance) continue;
        n_unseen++;
        if (sb_draw_next(rng, 1, &sum)) v->goal = sites.at[i];
    }
    const int n = n_far ? n_far : sites.n;
    const double none = n_far ? chance_of_no_goal(e, (double)n_far / sites.n) : 0;
    const double unseen = n ? (1 - none) * n_unseen / n : 0;
    if (none + unseen <= 0) return false;
    if (sb_random(rng) * (none + unseen) < unseen) sb_set_object(e, v->goal, SB_GOAL, SB_FOG);
    return true;
}

/* Draws a guard by the expected numbers; in the fog there is none on a wall. */
static void imagine_guard(const observer *m, sb_episode *e, bool is_seen, int from, sb_rng *rng) {
    vars *v = SB_VARS(e);
    const int last = is_seen ? from : sb_n_cells(e) - 1;
    double sum = 0;
    for (int i = from; i <= last; i++) {
        if (!is_seen && (!sb_fogged(&e->cells[i]) || !sb_may_patrol(e, sb_xy_of(e, i)))) continue;
        for (int h = 0; h < 4; h++)
            if (sb_draw_next(rng, (double)m->guards.expected[i][h], &sum))
                v->guard[v->n_guards] = sb_xy_of(e, i), v->heading[v->n_guards] = (int8_t)h;
    }
    if (sum > 0) sb_cell_at(e, v->guard[v->n_guards++])->object = SB_NPC;
}

static void imagine_guards(const observer *m, sb_episode *e, sb_rng *rng) {
    const vars *v = SB_VARS(e);
    const int n = sb_fog_of_war_exploration_difficulties[e->difficulty].guards;
    int n_hidden = n;
    for (int i = 0; i < sb_n_cells(e) && v->n_guards < n; i++)
        if (!sb_fogged(&e->cells[i]) && e->cells[i].object == SB_NPC) imagine_guard(m, e, true, i, rng);
    n_hidden -= v->n_guards;
    while (n_hidden-- > 0) imagine_guard(m, e, false, 0, rng);
}

/* Decoys in the fog change nothing, so there are none. */
static void imagine(const void *memory, sb_env *env, sb_rng *rng) {
    const observer *m = memory;
    sb_episode *e = env->state;
    vars *v = SB_VARS(e);
    bool has_goal = false;
    recall_map(m, e);
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].object == SB_GOAL) v->goal = sb_xy_of(e, i), has_goal = true;
    imagine_walls(m, e, rng);
    for (int k = 1; k < ATTEMPTS && !has_goal && !imagine_goal(m, e, rng); k++) imagine_walls(m, e, rng);
    imagine_guards(m, e, rng);
}

const sb_oracle sb_fog_of_war_exploration_observer = {
    .family = "agentick",
    .task = "FogOfWarExploration-v0",
    .name = "observer",
    .sees = SB_SEES_OBSERVATIONS,
    .remembers = sizeof(observer),
    .memory = sizeof(observer),
    .act = act_as_observer,
    .imagine = imagine,
};

/* ---- The rule beside the task's steps ---- */

typedef struct beat {
    sb_episode e;
    float patrolled[CELLS];
    guards now, next;
} beat;

typedef struct watch {
    int agent, n, cell[CELLS / 16], heading[CELLS / 16];
} watch;

static void pack(void *beat_, const sb_episode *e, void *state) {
    beat *b = beat_;
    watch *s = state;
    const vars *v = SB_VARS(e);
    sb_episode_copy(&b->e, e);
    list_patrolled(b->patrolled, e, NULL);
    s->agent = sb_index(e, e->agent.at), s->n = v->n_guards;
    for (int i = 0; i < s->n; i++) s->cell[i] = sb_index(e, v->guard[i]), s->heading[i] = v->heading[i];
}

static void draw_guard(beat *b, int *cell, int *heading, sb_rng *rng) {
    float drawn = (float)(sb_next64(rng) >> 40) * 0x1p-24F;
    memset(&b->now, 0, sizeof b->now);
    b->now.expected[*cell][*heading] = 1;
    patrol(&b->e, b->patrolled, &b->now, &b->next);
    for (int i = 0; i < sb_n_cells(&b->e); i++)
        for (int h = 0; h < 4; h++) {
            const float chance = b->next.expected[i][h];
            if (drawn >= 0 && drawn < chance) *cell = i, *heading = h;
            drawn -= chance;
        }
}

/* A guard that ends the step on the agent's cell catches it. */
static sb_packed_outcome draw(void *beat_, void *state, sb_action action, sb_rng *rng) {
    beat *b = beat_;
    watch *s = state;
    bool is_met = false;
    if (action == SB_INTERACT) return SB_PACKED_SKIPPED;
    if (action != SB_NOOP) {
        const sb_xy to = sb_beside(sb_xy_of(&b->e, s->agent), sb_direction_of(action));
        if (!sb_walkable(&b->e, to)) return SB_PACKED_SKIPPED;
        s->agent = sb_index(&b->e, to);
    }
    for (int i = 0; i < s->n; i++) {
        draw_guard(b, &s->cell[i], &s->heading[i], rng);
        is_met |= s->cell[i] == s->agent;
    }
    return is_met ? SB_PACKED_LOST : SB_PACKED_GOES_ON;
}

static int tell(const void *beat_, const void *state, int32_t numbers[SB_PACKED_NUMBERS]) {
    (void)beat_;
    const watch *s = state;
    int n = 0;
    numbers[n++] = s->agent;
    for (int i = 0; i < s->n; i++) numbers[n++] = s->cell[i], numbers[n++] = s->heading[i];
    return n;
}

const sb_packed_rule sb_fog_of_war_exploration_rule = {
    .task = "FogOfWarExploration-v0",
    .memory = sizeof(beat),
    .state_size = sizeof(watch),
    .pack = pack,
    .draw = draw,
    .tell = tell,
};
