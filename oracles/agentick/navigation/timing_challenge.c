/* The expert of TimingChallenge: the fewest steps there are.
 *
 * Blockers pay no heed to the agent, so all of the future is known: which cells kill in which step. A flood through
 * time, one set of cells a step, spreads until it reaches the goal; going back from there keeps the cells that lie on a
 * fastest way. Whatever next step is among them is as good as any. */
#include "generators/agentick/navigation/timing_challenge.h"

#include "engine/gridworld/area.h"
#include "oracles/oracle.h"

typedef sb_timing_challenge_vars vars;

enum { STEPS_MAX = 300 };

typedef struct memory {        /* scratch: nothing is remembered */
    sb_area at[STEPS_MAX + 1]; /* where the agent can be after so many steps from now; then: where it is on the way */
} memory;

/* The cells that are one step or none away from some cell of the set. */
static void spread(sb_area *wider, const sb_area *from, const sb_area *floor, int height) {
    wider->row[0] = wider->row[height - 1] = 0;
    for (int y = 1; y < height - 1; y++) {
        const uint32_t row = from->row[y];
        wider->row[y] = (row | row << 1 | row >> 1 | from->row[y - 1] | from->row[y + 1]) & floor->row[y];
    }
}

/* Blockers move as the step of this number makes them; the cells that they step on are deadly in it. */
static void sweep(vars *v, int step, sb_area *safe) {
    for (int i = 0; i < v->n_blockers; i++) {
        if (step % v->blocker[i].period) continue;
        sb_blocker_move(&v->blocker[i]);
        sb_area_set(safe, sb_at(v->blocker[i].x, v->row), false);
    }
}

/* Returns the fewest steps to the goal, or -1 if the step limit comes first. */
static int find_ways(memory *m, const sb_episode *e, sb_budget *budget) {
    vars v = *(const vars *)SB_VARS(e); /* plays on from here */
    const int left = e->max_steps - e->clock;
    sb_area floor;
    sb_area_walkable(&floor, e);
    m->at[0] = (sb_area){0};
    sb_area_add(&m->at[0], e->agent.at);
    for (int n = 1; n <= left; n++) {
        spread(&m->at[n], &m->at[n - 1], &floor, e->height);
        sweep(&v, e->clock + n, &m->at[n]);
        budget->spent += (uint64_t)sb_area_count(&m->at[n], e->height);
        if (sb_area_has(&m->at[n], v.goal)) return n;
    }
    return -1;
}

static void keep_ways(memory *m, const sb_episode *e, sb_xy goal, int steps) {
    m->at[steps] = (sb_area){0};
    sb_area_add(&m->at[steps], goal);
    for (int n = steps - 1; n > 0; n--) {
        const sb_area reached = m->at[n];
        spread(&m->at[n], &m->at[n + 1], &reached, e->height);
    }
}

static sb_action choose(const memory *m, const sb_episode *e) {
    static const sb_action actions[] = {SB_MOVE_DOWN, SB_NOOP, SB_MOVE_LEFT,
                                        SB_MOVE_RIGHT}; /* waits before it strays */
    for (size_t k = 0; k < sizeof actions / sizeof *actions; k++) {
        const sb_xy at = e->agent.at;
        if (sb_area_has(&m->at[1], actions[k] == SB_NOOP ? at : sb_beside(at, sb_direction_of(actions[k]))))
            return actions[k];
    }
    return SB_MOVE_UP;
}

/* Says which gap comes next on the way. */
static void explain(const memory *m, const sb_episode *e, int steps, sb_action action, sb_intent *intent) {
    const vars *v = SB_VARS(e);
    for (int n = 1; n < steps; n++)
        for (int g = 0; g < v->n_gaps; g++)
            if (sb_area_has(&m->at[n], sb_at(v->gap[g], v->row))) {
                sb_intend(intent, action == SB_NOOP ? "wait for" : "go through", "gap", sb_at(v->gap[g], v->row));
                return;
            }
    sb_intend(intent, "go to", "goal", v->goal);
}

static void act(void *memory_, const sb_sight *sight, sb_budget *budget, sb_action *action, sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(sight->env);
    const vars *v = SB_VARS(e);
    const int steps = find_ways(m, e, budget);
    if (steps < 0) {
        *action = SB_NOOP;
        sb_intend(intent, "wait for", "nothing", sb_at(-1, -1));
        return;
    }
    keep_ways(m, e, v->goal, steps);
    *action = choose(m, e);
    explain(m, e, steps, *action, intent);
}

const sb_oracle sb_timing_challenge_expert = {
    .family = "agentick",
    .task = "TimingChallenge-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
};
