/* Expert and observer of ChaseEvade: they are never caught if that can be avoided.
 *
 * Enemies draw no random numbers, so the whole future follows from what the agent does. A search goes deep first,
 * always to where the nearest enemy is farthest, until the agent has survived for long enough. A state from which it
 * comes back is lost: then it is known exactly how long the agent can survive from there. This holds whatever time is
 * left, so no state is searched twice. The search looks at few states, since most of them lead to success. If all are
 * lost, the agent survives for as long as it can.
 *
 * It takes the first move that survives, whatever was searched before, so a fresh search and a stored plan agree. */
#include "generators/agentick/multi_agent/chase_evade.h"

#include <string.h>

#include "oracles/agentick/packed.h"
#include "oracles/belief.h"
#include "oracles/kits/plan.h"

typedef sb_chase_evade_vars vars;
typedef sb_chase_evade_hunt hunt;

enum { CELLS = 15 * 15, STEPS_MAX = 100, UNKNOWN = 0xff, SLOTS = 1 << 17 };

typedef struct packed_state {
    hunt hunt;
    uint8_t switches; /* switches that still exist, one bit each */
} packed_state;

typedef struct memory {
    sb_plan plan;
    const vars *v; /* set while a search runs */
    sb_budget *budget;
    int side;
    bool is_cut;                   /* the budget ran out */
    int n_lost;                    /* lost states in the table */
    uint64_t lost[SLOTS];          /* lost states, with the steps to survive from there plus 1; 0: a free slot */
    sb_action path[STEPS_MAX + 1]; /* the moves that survive, indexed by the steps that are left */
    uint8_t ways[CELLS][CELLS];    /* the stored ways of enemies, by cell and target, or UNKNOWN */
} memory;

/* ---- Lost states ---- */

static int index_of(const memory *m, sb_xy p) { return p.y * m->side + p.x; }

/* Packs a state into a key, which is never 0. */
static uint64_t packed(const memory *m, const packed_state *s) {
    uint64_t key = (uint64_t)s->switches << 2 | s->hunt.heading;
    key = key << 8 | (uint64_t)index_of(m, s->hunt.agent);
    for (int i = 0; i < s->hunt.n; i++) key = key << 8 | (uint64_t)index_of(m, s->hunt.enemy[i]);
    return key;
}

/* Returns the slot of the state, or a free slot for it. */
static uint64_t *slot_of(memory *m, uint64_t key) {
    uint64_t slot = (key ^ key >> 29) * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (SLOTS - 1);
    while (m->lost[slot] && m->lost[slot] >> 8 != key) slot = (slot + 1) & (SLOTS - 1);
    return &m->lost[slot];
}

/* When the table is half full, further lost states are not stored and may be searched again. */
static bool has_room(const memory *m) { return m->n_lost < SLOTS / 2; }

/* ---- Moves ---- */

static unsigned known_ways(void *context, sb_xy from, sb_xy target) {
    memory *m = context;
    uint8_t *ways = &m->ways[index_of(m, from)][index_of(m, target)];
    if (*ways == UNKNOWN) *ways = (uint8_t)sb_chase_evade_nearer(&m->v->floor, m->side, from, target);
    return *ways;
}

static bool stands_on(const sb_xy *those, int n, sb_xy p) {
    for (int i = 0; i < n; i++)
        if (sb_same(those[i], p)) return true;
    return false;
}

static bool is_switch(const memory *m, const packed_state *s, sb_xy p) {
    for (int i = 0; i < SB_CHASE_EVADE_SWITCHES; i++)
        if (s->switches >> i & 1 && sb_same(m->v->switch_at[i], p)) return true;
    return false;
}

/* Makes a move; returns false if it is impossible or the agent is caught. */
static bool survives(memory *m, const packed_state *s, sb_action action, packed_state *next) {
    hunt *h = &next->hunt;
    *next = *s;
    if (action != SB_NOOP) {
        h->heading = (uint8_t)sb_direction_of(action);
        h->agent = sb_beside(h->agent, (sb_direction)h->heading);
        if (!sb_area_has(&m->v->floor, h->agent) || is_switch(m, s, h->agent)) return false;
        if (stands_on(h->enemy, h->n, h->agent)) return false;
    }
    sb_chase_evade_pursue(h, &m->v->floor, m->side, known_ways, m);
    for (int i = 0; i < SB_CHASE_EVADE_SWITCHES; i++)
        if (stands_on(h->enemy, h->n, m->v->switch_at[i])) next->switches &= (uint8_t) ~(1U << i);
    return sb_chase_evade_catcher(h) < 0;
}

/* Rates how far the enemies are: the nearest one counts first, then the sum. */
static int room_in(const packed_state *s) {
    int nearest = 2 * SB_SIDE_MAX, sum = 0;
    for (int i = 0; i < s->hunt.n; i++) {
        const int distance = sb_manhattan(s->hunt.agent, s->hunt.enemy[i]);
        if (distance < nearest) nearest = distance;
        sum += distance;
    }
    return nearest * 1000 + sum;
}

typedef struct choice {
    sb_action action;
    int room;
    packed_state next;
} choice;

/* Lists the moves that survive, those with the most room first; returns how many there are. */
static int list_choices(memory *m, const packed_state *s, choice choices[5]) {
    static const sb_action actions[5] = {SB_MOVE_UP, SB_MOVE_DOWN, SB_MOVE_LEFT, SB_MOVE_RIGHT, SB_NOOP};
    int n = 0;
    for (int k = 0; k < 5; k++) {
        choice c = {.action = actions[k]};
        int i = n;
        if (!survives(m, s, c.action, &c.next)) continue;
        c.room = room_in(&c.next);
        for (; i > 0 && choices[i - 1].room < c.room; i--) choices[i] = choices[i - 1];
        choices[i] = c, n++;
    }
    return n;
}

/* ---- Search ---- */

/* Returns how many of the given steps can be survived. If it is all of them, the path contains the moves; if the budget
 * ran out, it contains the moves of the search so far. */
static int survive(memory *m, const packed_state *s, int steps) {
    const uint64_t key = packed(m, s);
    choice choices[5];
    int most = 0;
    if (steps == 0) return 0;
    const int known = (int)(*slot_of(m, key) & 0xff) - 1;
    if (known >= 0 && known < steps) return known;
    if (m->budget->spent >= m->budget->limit) m->is_cut = true;
    if (m->is_cut) return 0;
    m->budget->spent++;
    const int n = list_choices(m, s, choices);
    for (int k = 0; k < n; k++) {
        m->path[steps] = choices[k].action;
        const int survived = 1 + survive(m, &choices[k].next, steps - 1);
        if (survived == steps || m->is_cut) return survived;
        if (survived > most) most = survived;
    }
    if (has_room(m)) {
        *slot_of(m, key) = key << 8 | (uint64_t)(most + 1);
        m->n_lost++;
    }
    return most;
}

static void begin_search(memory *m, const sb_episode *e, sb_budget *budget) {
    m->v = SB_VARS(e), m->budget = budget, m->side = e->width;
    m->is_cut = false, m->n_lost = 0;
    memset(m->lost, 0, sizeof m->lost);
    memset(m->ways, UNKNOWN, sizeof m->ways);
}

static packed_state state_of(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    packed_state s = {.hunt = v->hunt};
    s.hunt.agent = e->agent.at;
    for (int i = 0; i < SB_CHASE_EVADE_SWITCHES; i++)
        s.switches |= (uint8_t)((sb_peek(e, v->switch_at[i])->object == SB_SWITCH) << i);
    return s;
}

static sb_verdict make_plan(memory *m, const sb_episode *e, sb_budget *budget) {
    const packed_state start = state_of(e);
    const int wanted = sb_has_lost(e) ? 0 : sb_chase_evade_survival(e) - e->clock;
    begin_search(m, e, budget);
    int steps = survive(m, &start, wanted);
    if (steps < wanted && !m->is_cut) steps = survive(m, &start, steps); /* again, to get the path */
    sb_plan_begin(&m->plan, e);
    for (int left = steps; left > 0; left--) sb_plan_add(&m->plan, m->path[left]);
    m->v = NULL, m->budget = NULL; /* the caller owns variables and budget, which it may free */
    return sb_has_lost(e) ? SB_IMPOSSIBLE : steps == wanted ? SB_SOLVED : m->is_cut ? SB_NOT_FOUND : SB_IMPOSSIBLE;
}

/* ---- Acting ---- */

/* Names the nearest enemy. */
static void explain(const sb_episode *e, sb_intent *intent) {
    static const char *const names[] = {"enemy", "chaser", "ambusher", "flanker", "trapper"};
    const vars *v = SB_VARS(e);
    const hunt *h = &v->hunt;
    int nearest = 0;
    for (int i = 1; i < h->n; i++)
        if (sb_manhattan(h->enemy[i], e->agent.at) < sb_manhattan(h->enemy[nearest], e->agent.at)) nearest = i;
    sb_intend(intent, "evade", names[h->behaviour[nearest]], h->enemy[nearest]);
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    if (!sb_plan_holds(&m->plan, e)) make_plan(m, e, budget);
    explain(e, intent);
    if (!sb_plan_next(&m->plan, e, action)) sb_plan_give_up(&m->plan, "no escape is left", action, intent);
}

static sb_verdict judge(void *memory_, const sb_env *env, sb_budget *budget) {
    return make_plan(memory_, sb_episode_of(env), budget);
}

const sb_oracle sb_chase_evade_expert = {
    .family = "agentick",
    .task = "ChaseEvade-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
    .judge = judge,
};

/* ---- The observer ---- */

/* The order in which enemies move is visible at the start. An ambusher also uses the agent's last direction, which the
 * observer remembers. */
typedef struct observer_memory {
    hunt seen; /* n is 0 before the first step */
    memory expert;
} observer_memory;

static void note_heading(hunt *seen, sb_xy agent) {
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++)
        if (sb_same(agent, sb_beside(seen->agent, d))) seen->heading = (uint8_t)d;
    seen->agent = agent;
}

/* Takes the visible enemies in the remembered order: no two have the same behaviour. */
static void note_enemies(hunt *seen, const hunt *shown) {
    for (int i = 0; i < seen->n; i++)
        for (int j = 0; j < shown->n; j++)
            if (seen->behaviour[i] == shown->behaviour[j]) seen->enemy[i] = shown->enemy[j];
}

static void observe(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                    sb_intent *intent) {
    observer_memory *m = memory_;
    sb_belief belief;
    sb_episode *e = sb_believe(&belief, observation);
    vars *v = SB_VARS(e);
    if (m->seen.n == 0) {
        m->seen = v->hunt;
        m->seen.agent = e->agent.at, m->seen.heading = SB_SOUTH;
    }
    note_heading(&m->seen, e->agent.at);
    note_enemies(&m->seen, &v->hunt);
    v->hunt = m->seen;
    sb_act_on_belief(&belief, &sb_chase_evade_expert, &m->expert, budget, action, intent);
}

static void imagine(const void *memory, sb_env *env, sb_rng *rng) {
    (void)rng;
    const observer_memory *m = memory;
    sb_episode *e = env->state;
    vars *v = SB_VARS(e);
    v->hunt = m->seen;
}

const sb_oracle sb_chase_evade_observer = {
    .family = "agentick",
    .task = "ChaseEvade-v0",
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
    m->v = SB_VARS(e), m->side = e->width;
    memset(m->ways, UNKNOWN, sizeof m->ways);
    *(packed_state *)state = state_of(e);
}

static bool step(void *memory_, void *state, sb_action action) {
    const packed_state before = *(const packed_state *)state;
    return survives(memory_, &before, action, state);
}

const sb_packed_rule sb_chase_evade_rule = {
    .task = "ChaseEvade-v0",
    .memory = sizeof(memory),
    .state_size = sizeof(packed_state),
    .pack = pack,
    .step = step,
};
