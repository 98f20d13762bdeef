/* Expert and observer of DistributionShift: breadth-first search through all known phases, over everything that can
 * change: the phase, the agent's cell and direction, whether it has the key, what is open, and which gems were
 * collected. It takes the fewest possible steps. Among several such plans it takes the first in the order of the
 * actions, so a fresh search and a stored plan agree.
 *
 * The expert knows every phase. The observer is shown only the current one, and seldom which wall a lever removes. Its
 * plans end where it will see more: at the goal, or at the lever if the goal is out of reach. */
#include "generators/agentick/generalization/distribution_shift.h"

#include <string.h>

#include "base/search/search.h"
#include "engine/gridworld/search.h"
#include "oracles/agentick/packed.h"
#include "oracles/belief.h"
#include "oracles/kits/plan.h"

typedef sb_distribution_shift_vars vars;
typedef sb_distribution_shift_phase phase;

enum {
    MAX_PHASES = SB_DISTRIBUTION_SHIFT_PHASES,
    MAX_GEMS = SB_DISTRIBUTION_SHIFT_GEMS,
    CELLS = 17 * 17,
    NOWHERE = -1,
    HIDDEN = 0, /* the corner of the grid stands for a barrier that is not visible */
    STATES = 1 << 15
};

/* Flags of a state in a phase with a key or a lever; in a collection phase `flags` holds one bit per collected gem. */
enum { WITH_KEY = 1, OPENED = 2 };

typedef struct packed_state {
    uint16_t cell;
    uint8_t phase, facing, flags;
    uint8_t zero; /* avoids padding */
} packed_state;

/* Everything that does not change during a phase. */
typedef struct map {
    bool wall[CELLS]; /* including doors and levers */
    int goal, key;    /* cells, or NOWHERE */
    int trigger;      /* the door or the lever with which to interact */
    int cut;          /* what the interaction opens: the door or the barrier */
    int armed;        /* the flags that the interaction needs */
    int n_gems, gem[MAX_GEMS];
    sb_action does[SB_N_ACTIONS]; /* the actual effect of each action (the controls may be reversed) */
} map;

typedef struct memory {
    sb_plan plan;
    int end; /* the number of the first phase that is not known */
    int step_of[4];
    map map[MAX_PHASES];
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(packed_state), STATES)];
} memory;

/* ---- Maps ---- */

static void note_object(map *m, const sb_episode *e, int cell) {
    const sb_cell *c = &e->cells[cell];
    switch (c->object) {
    case SB_GOAL: m->goal = cell; break;
    case SB_KEY: m->key = cell; break;
    case SB_GEM: m->gem[m->n_gems++] = cell; break;
    case SB_LEVER:
        m->wall[cell] = true;
        m->trigger = cell, m->armed = 0;
        m->cut = sb_index(e, sb_distribution_shift_current(SB_VARS(e))->cut);
        break;
    case SB_DOOR:
        if (!sb_door_is_closed(c)) break;
        m->wall[cell] = true;
        m->trigger = m->cut = cell, m->armed = WITH_KEY;
        break;
    }
}

/* Tells whether the agent can walk to the goal without the lever. */
static bool is_free(const map *m, const sb_episode *e) {
    sb_area open;
    sb_area_walkable(&open, e);
    sb_area_set(&open, sb_xy_of(e, m->trigger), false);
    return m->goal != NOWHERE && sb_area_connects(&open, e->height, e->agent.at, sb_xy_of(e, m->goal));
}

static void draw_map(map *m, const sb_episode *e) {
    const phase *p = sb_distribution_shift_current(SB_VARS(e));
    *m = (map){.goal = NOWHERE, .key = NOWHERE, .trigger = NOWHERE, .cut = NOWHERE};
    if (p->kind == SB_PHASE_COLLECTION) m->goal = sb_index(e, p->goal);
    for (int i = 0; i < sb_n_cells(e); i++) {
        m->wall[i] = e->cells[i].terrain == SB_WALL;
        if (e->cells[i].object) note_object(m, e, i);
    }
    if (m->cut == HIDDEN && is_free(m, e)) m->trigger = NOWHERE; /* if there is a way already, it is safer */
    for (sb_action action = 0; action < SB_N_ACTIONS; action++) m->does[action] = e->task->remap(e, action);
}

/* Draws the maps of the later phases, which are known from their parameters: each phase begins on the goal of the one
 * before. */
static void draw_maps(memory *m, const sb_episode *e) {
    sb_episode ahead; /* only the part that the episode uses is written */
    const vars *v = SB_VARS(&ahead);
    sb_episode_copy(&ahead, e);
    sb_index_steps(e, m->step_of);
    for (m->end = v->done; v->done < v->n_phases; m->end++) {
        if (v->phase[v->done].kind == SB_PHASE_UNKNOWN) break;
        draw_map(&m->map[v->done], &ahead);
        ahead.agent.at = v->phase[v->done].goal;
        sb_distribution_shift_advance(&ahead);
    }
}

/* ---- States ---- */

/* The agent's direction matters only beside something to interact with; ignoring it elsewhere merges many states. */
static void forget_facing(const memory *m, packed_state *s) {
    const map *here = &m->map[s->phase];
    if (s->phase == m->end || here->trigger == NOWHERE || s->flags != here->armed) s->facing = SB_NORTH;
}

static packed_state state_of(const memory *m, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    const map *here = &m->map[v->done];
    packed_state s = {.cell = (uint16_t)sb_index(e, e->agent.at), .phase = (uint8_t)v->done, .facing = e->agent.facing};
    for (int i = 0; i < here->n_gems; i++) s.flags |= (uint8_t)((e->cells[here->gem[i]].object != SB_GEM) << i);
    if (e->agent.n_items > 0) s.flags = WITH_KEY;
    if (here->armed == WITH_KEY && !sb_door_is_closed(&e->cells[here->trigger])) s.flags = OPENED;
    if (v->barrier_open) s.flags = OPENED;
    forget_facing(m, &s);
    return s;
}

static void interact(const memory *m, packed_state *s) {
    const map *here = &m->map[s->phase];
    if (s->cell + m->step_of[s->facing] != here->trigger || s->flags != here->armed) return;
    s->flags = OPENED;
    if (here->cut == HIDDEN) s->phase = (uint8_t)m->end;
}

static void enter(const memory *m, packed_state *s, int to) {
    const map *here = &m->map[s->phase];
    s->cell = (uint16_t)to;
    if (to == here->key && s->flags == 0) s->flags = WITH_KEY;
    for (int i = 0; i < here->n_gems; i++) s->flags |= (uint8_t)((to == here->gem[i]) << i);
    const bool all = here->n_gems == 0 || s->flags == (1 << here->n_gems) - 1;
    if (to == here->goal && all) s->phase++, s->flags = 0;
}

/* Applies the rules of the task to a state. */
static packed_state after(const memory *m, packed_state s, sb_action action) {
    const map *here = &m->map[s.phase];
    action = here->does[action];
    if (action == SB_INTERACT) {
        interact(m, &s);
    } else {
        s.facing = (uint8_t)sb_direction_of(action);
        const int to = s.cell + m->step_of[s.facing];
        if (!here->wall[to] || (to == here->cut && s.flags == OPENED)) enter(m, &s, to);
    }
    forget_facing(m, &s);
    return s;
}

/* ---- Search ---- */

static void expand(void *context, const void *state, sb_search *search) {
    const memory *m = context;
    const packed_state *here = state;
    for (sb_action action = SB_MOVE_UP; action <= SB_INTERACT; action++) {
        const packed_state there = after(m, *here, action);
        sb_search_add(search, &there, (uint32_t)action, 1, there.phase == m->end);
    }
}

static sb_verdict make_plan(memory *m, const sb_episode *e, sb_budget *budget) {
    draw_maps(m, e);
    const packed_state start = state_of(m, e);
    const sb_problem problem = {
        .state_size = sizeof start, .expand = expand, .context = m, .max_cost = e->max_steps - e->clock};
    return sb_plan_search(&m->plan, e, m->search, STATES, &problem, &start, budget);
}

/* ---- Acting ---- */

/* Names what the plan does next. */
static void explain(const memory *m, const sb_episode *e, sb_intent *intent) {
    packed_state s = state_of(m, e), next;
    for (int i = m->plan.next; i < m->plan.n; i++, s = next) {
        const map *here = &m->map[s.phase];
        const bool has_door = here->armed == WITH_KEY;
        next = after(m, s, m->plan.actions[i]);
        if (next.flags == s.flags && next.phase == s.phase) continue;
        if (m->plan.actions[i] == SB_INTERACT)
            sb_intend(intent, has_door ? "unlock" : "pull", has_door ? "door" : "lever", sb_xy_of(e, here->trigger));
        else if (next.phase != s.phase)
            sb_intend(intent, "go to", "goal", sb_xy_of(e, next.cell));
        else
            sb_intend(intent, has_door ? "fetch" : "collect", has_door ? "key" : "gem", sb_xy_of(e, next.cell));
        return;
    }
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    if (!sb_plan_holds(&m->plan, e)) make_plan(m, e, budget);
    explain(m, e, intent);
    if (!sb_plan_next(&m->plan, e, action)) sb_plan_give_up(&m->plan, NULL, action, intent);
}

static sb_verdict judge(void *memory, const sb_env *env, sb_budget *budget) {
    return make_plan(memory, sb_episode_of(env), budget);
}

const sb_oracle sb_distribution_shift_expert = {
    .family = "agentick",
    .task = "DistributionShift-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
    .judge = judge,
};

/* ---- The observer ---- */

static const double UNLIKELY = 1e-6; /* the weight of what is possible if nothing else is */

typedef struct observer_memory {
    int phase, n_walls; /* the phase that was seen last, counted from 1, and its walls when it began */
    memory expert;
} observer_memory;

static int count_walls(const sb_episode *e) {
    int n = 0;
    for (int i = 0; i < sb_n_cells(e); i++) n += e->cells[i].terrain == SB_WALL;
    return n;
}

/* Tells whether the lever of this phase was pulled: the lever does not show it, but there is a wall less. */
static bool has_pulled(const observer_memory *m, const sb_episode *e) { return count_walls(e) < m->n_walls; }

static void watch(observer_memory *m, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    if (m->phase != v->done + 1) m->phase = v->done + 1, m->n_walls = count_walls(e);
}

/* Finds the barrier if it is visible. In a maze, rooms have odd coordinates, so a wall there is the barrier. In a
 * corridor it looks like any other wall. */
static sb_xy barrier_seen(const sb_episode *e) {
    for (int y = 1; y < e->height; y += 2)
        for (int x = 1; x < e->width; x += 2)
            if (sb_peek(e, sb_at(x, y))->terrain == SB_WALL) return sb_at(x, y);
    return sb_xy_of(e, HIDDEN);
}

static void observe(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                    sb_intent *intent) {
    observer_memory *m = memory_;
    sb_belief belief;
    sb_episode *e = sb_believe(&belief, observation);
    vars *v = SB_VARS(e);
    watch(m, e);
    v->barrier_open = has_pulled(m, e);
    v->phase[v->done].cut = barrier_seen(e);
    sb_act_on_belief(&belief, &sb_distribution_shift_expert, &m->expert, budget, action, intent);
}

/* Returns how likely a wall is the barrier, but for a factor. It is a place between two rooms, without it there is a
 * way to the goal, and it was drawn from the middle third of the way from the start if that was possible. */
static double chance_of_barrier(const sb_episode *e, sb_xy at, sb_open *floor) {
    const vars *v = SB_VARS(e);
    const sb_xy goal = sb_distribution_shift_current(v)->goal;
    sb_reach reach;
    sb_xy path[SB_CELLS_MAX];
    if ((at.x + at.y) % 2 == 0 || !sb_interior(e, at) || sb_peek(e, at)->terrain != SB_WALL) return 0;
    floor->cell[sb_index(e, at)] = true;
    sb_reach_from(&reach, e, floor, v->start, sb_nswe);
    floor->cell[sb_index(e, at)] = false;
    if (!sb_reached(&reach, e, goal)) return 0;
    const int n = sb_chain(&reach, e, goal, path), first = n / 3, end = 2 * n / 3;
    for (int i = first; i < end; i++)
        if (sb_same(path[i], at)) return 1.0 / (end - first);
    return UNLIKELY;
}

/* Draws the barrier if it is not visible. */
static sb_xy imagine_barrier(const sb_episode *e, sb_rng *rng) {
    sb_open floor;
    sb_xy barrier = barrier_seen(e);
    double sum = 0;
    sb_open_walkable(&floor, e);
    if (sb_index(e, barrier) != HIDDEN) return barrier;
    for (int i = 0; i < sb_n_cells(e); i++)
        if (sb_draw_next(rng, chance_of_barrier(e, sb_xy_of(e, i), &floor), &sum)) barrier = sb_xy_of(e, i);
    return barrier;
}

static void imagine(const void *memory_, sb_env *env, sb_rng *rng) {
    sb_episode *e = env->state;
    vars *v = SB_VARS(e);
    v->barrier_open = has_pulled(memory_, e);
    if (v->phase[v->done].kind == SB_PHASE_LEVER_BARRIER) v->phase[v->done].cut = imagine_barrier(e, rng);
    sb_distribution_shift_draw_later_phases(e, rng);
}

const sb_oracle sb_distribution_shift_observer = {
    .family = "agentick",
    .task = "DistributionShift-v0",
    .name = "observer",
    .sees = SB_SEES_OBSERVATIONS,
    .remembers = offsetof(observer_memory, expert),
    .memory = sizeof(observer_memory),
    .act = observe,
    .imagine = imagine,
};

/* ---- The rule beside the task's steps ---- */

static void pack(void *memory_, const sb_episode *e, void *state) {
    draw_maps(memory_, e);
    *(packed_state *)state = state_of(memory_, e);
}

/* Tells whether the states agree: gems that were collected before are not on the map. */
static bool agrees(const void *memory_, const void *state, const sb_episode *e) {
    const packed_state now = state_of(memory_, e);
    return memcmp(state, &now, sizeof now) == 0;
}

const sb_packed_rule sb_distribution_shift_rule = {
    .task = "DistributionShift-v0",
    .memory = sizeof(memory),
    .state_size = sizeof(packed_state),
    .pack = pack,
    .expand = expand,
    .agrees = agrees,
};
