/* The expert of TimingChallenge: takes the fewest possible steps.
 *
 * Blockers ignore the agent, so the whole future is known: which cells kill in which step. A flood through time, with
 * one set of cells for each step, spreads until it reaches the goal. Going back from there keeps the cells that lie on
 * a fastest way. Every next step among them is equally good. */
#include "generators/agentick/navigation/timing_challenge.h"

#include <string.h>

#include "engine/gridworld/area.h"
#include "oracles/agentick/packed.h"
#include "oracles/belief.h"
#include "oracles/oracle.h"

typedef sb_timing_challenge_vars vars;

enum {
    STEPS_MAX = 300,
    BLOCKERS = SB_TIMING_CHALLENGE_BLOCKERS,
    SUSPECTS = 6 * 3 * 2 /* columns, periods, directions: the possible states of one blocker */
};

typedef struct memory { /* working memory: nothing is remembered */
    /* cells where the agent can be after so many steps; later: only those on a fastest way */
    sb_area at[STEPS_MAX + 1];
} memory;

/* The blockers to avoid. */
typedef struct gang {
    int n;
    sb_blocker blocker[BLOCKERS * SUSPECTS];
} gang;

/* Gives the cells that are at most one step away from a cell of the set. */
static void spread(sb_area *wider, const sb_area *from, const sb_area *floor, int height) {
    wider->row[0] = wider->row[height - 1] = 0;
    for (int y = 1; y < height - 1; y++) {
        const uint32_t row = from->row[y];
        wider->row[y] = (row | row << 1 | row >> 1 | from->row[y - 1] | from->row[y + 1]) & floor->row[y];
    }
}

/* Moves the blockers in the step with this number; the cells they enter are not safe in it. */
static void sweep(gang *g, int row, int step, sb_area *safe) {
    for (int i = 0; i < g->n; i++) {
        if (step % g->blocker[i].period) continue;
        sb_blocker_move(&g->blocker[i]);
        sb_area_set(safe, sb_at(g->blocker[i].x, row), false);
    }
}

/* Returns the fewest steps to the goal, or -1 if the step limit comes first. Avoids blockers only in the first
 * `foresight` steps. */
static int find_ways(memory *m, const sb_episode *e, const gang *blockers, int foresight, sb_budget *budget) {
    const vars *v = SB_VARS(e);
    const int left = e->max_steps - e->clock;
    gang g = *blockers; /* moves on from here */
    sb_area floor;
    sb_area_walkable(&floor, e);
    m->at[0] = (sb_area){0};
    sb_area_add(&m->at[0], e->agent.at);
    for (int n = 1; n <= left; n++) {
        spread(&m->at[n], &m->at[n - 1], &floor, e->height);
        if (n <= foresight) sweep(&g, v->row, e->clock + n, &m->at[n]);
        budget->spent += (uint64_t)sb_area_count(&m->at[n], e->height);
        if (sb_area_has(&m->at[n], v->goal)) return n;
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

static sb_xy after(sb_xy at, sb_action action) {
    return action == SB_NOOP ? at : sb_beside(at, sb_direction_of(action));
}

/* Returns the n-th action of a fastest way, taken from this cell. */
static sb_action choose(const memory *m, int n, sb_xy at) {
    static const sb_action actions[] = {SB_MOVE_DOWN, SB_NOOP, SB_MOVE_LEFT,
                                        SB_MOVE_RIGHT}; /* prefers waiting to moving away */
    for (size_t k = 0; k < sizeof actions / sizeof *actions; k++)
        if (sb_area_has(&m->at[n], after(at, actions[k]))) return actions[k];
    return SB_MOVE_UP;
}

static bool is_gap(const vars *v, sb_xy at) {
    for (int g = 0; g < v->n_gaps; g++)
        if (at.y == v->row && at.x == v->gap[g]) return true;
    return false;
}

/* Names the next gap that the way leads into. */
static void explain(const memory *m, const sb_episode *e, int steps, sb_intent *intent) {
    const vars *v = SB_VARS(e);
    const sb_action first = choose(m, 1, e->agent.at);
    sb_xy at = e->agent.at;
    for (int n = 1; n < steps; n++) {
        const sb_xy before = at;
        at = after(at, choose(m, n, at));
        if ((at.x == before.x && at.y == before.y) || !is_gap(v, at)) continue;
        sb_intend(intent, first == SB_NOOP ? "wait for" : "go through", "gap", at);
        return;
    }
    sb_intend(intent, "go to", "goal", v->goal);
}

/* Follows the ways that were found; steps: their length, or -1. */
static void follow_ways(memory *m, const sb_episode *e, int steps, sb_action *action, sb_intent *intent) {
    const vars *v = SB_VARS(e);
    if (steps < 0) {
        *action = SB_NOOP;
        sb_give_up(intent, "no way to the goal");
        return;
    }
    keep_ways(m, e, v->goal, steps);
    *action = choose(m, 1, e->agent.at);
    explain(m, e, steps, intent);
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    const sb_episode *e = sb_episode_of(observation->env);
    const vars *v = SB_VARS(e);
    gang g = {.n = v->n_blockers};
    memcpy(g.blocker, v->blocker, sizeof v->blocker);
    follow_ways(memory_, e, find_ways(memory_, e, &g, STEPS_MAX, budget), action, intent);
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

/* ---- The observer ---- */

/* A blocker is invisible while it has not moved out of the wall, or where another blocker has erased it, and its period
 * is never visible. The observer keeps every possible state of each blocker that agrees with everything seen (the
 * suspects), and goes where none of them strikes. */
typedef struct notes {
    int clock; /* clock of the next state that the observer expects to see */
    int n[BLOCKERS];
    sb_blocker suspect[BLOCKERS][SUSPECTS]; /* possible states of each blocker */
    memory expert;
} notes;

static bool is_seen(const sb_episode *e, const sb_blocker *b) {
    const vars *v = SB_VARS(e);
    const sb_cell *c = sb_peek(e, sb_at(b->x, v->row));
    return c->object == SB_ENEMY && c->metadata == (b->ahead > 0 ? SB_EAST : SB_WEST);
}

/* Lists all possible states. At the start all blockers head east, and are visible if they are in a gap. */
static void suspect_all(notes *n, const sb_episode *e, int i) {
    const vars *v = SB_VARS(e);
    const bool is_start = e->clock == 0;
    sb_blocker b = v->blocker[i];
    n->n[i] = 0;
    for (b.x = b.first; b.x <= b.last; b.x++)
        for (b.ahead = is_start ? 1 : -1; b.ahead <= 1; b.ahead += 2)
            for (b.period = 1; b.period <= sb_timing_challenge_slowest(e); b.period++)
                if (!is_start || !sb_walkable(e, sb_at(b.x, v->row)) || is_seen(e, &b)) n->suspect[i][n->n[i]++] = b;
}

/* The cells that blockers may have left and entered in a step: one bit per column. */
typedef struct traces {
    uint32_t left, came[2]; /* came: westwards, eastwards */
} traces;

/* Tells whether a blocker that has just moved may be in this state: it is visible unless a later one left its cell or
 * entered it in the same step. */
static bool may_be(const sb_episode *e, const sb_blocker *b, const traces *later) {
    const vars *v = SB_VARS(e);
    const sb_cell *c = sb_peek(e, sb_at(b->x, v->row));
    if (c->object != SB_ENEMY) return later->left >> b->x & 1;
    return is_seen(e, b) || (later->came[c->metadata == SB_EAST] >> b->x & 1);
}

/* Moves the suspects, last blocker first, and drops those that should be visible but are not. */
static void watch(notes *n, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    traces later = {0};
    for (int i = v->n_blockers - 1; i >= 0; i--) {
        traces made = later;
        int kept = 0;
        for (int k = 0; k < n->n[i]; k++) {
            sb_blocker b = n->suspect[i][k];
            if (e->clock % b.period == 0) {
                const int from = b.x;
                sb_blocker_move(&b);
                if (!may_be(e, &b, &later)) continue;
                made.left |= 1u << from;
                made.came[b.ahead > 0] |= 1u << b.x;
            }
            n->suspect[i][kept++] = b;
        }
        n->n[i] = kept;
        later = made;
    }
}

/* Returns the column where the blocker is drawn as a bit; 0 if it is not drawn. */
static uint32_t picture_of(const sb_episode *e, const sb_blocker *b) { return (uint32_t)is_seen(e, b) << b->x; }

/* Returns the columns where any blocker is drawn. */
static uint32_t pictures_of(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    uint32_t pictures = 0;
    for (int x = 0; x < e->width; x++) pictures |= (uint32_t)(sb_peek(e, sb_at(x, v->row))->object == SB_ENEMY) << x;
    return pictures;
}

/* Tells whether the first n blockers can account for all drawn columns, if blocker i may be in the columns of makes[i];
 * the recursion is n deep. */
static bool can_make(const uint32_t *makes, int n, uint32_t pictures) {
    if (pictures == 0 || n == 0) return pictures == 0;
    for (uint32_t left = makes[n - 1] & pictures; left; left &= left - 1)
        if (can_make(makes, n - 1, pictures & ~(left & -left))) return true;
    return can_make(makes, n - 1, pictures);
}

/* Every drawn blocker must be one of the blockers: drops a suspect if the others could not account for the rest of the
 * picture. */
static void account_for_pictures(notes *n, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    const uint32_t pictures = pictures_of(e);
    uint32_t makes[BLOCKERS] = {0};
    for (int i = 0; i < v->n_blockers; i++)
        for (int k = 0; k < n->n[i]; k++) makes[i] |= picture_of(e, &n->suspect[i][k]);
    for (int i = 0; i < v->n_blockers; i++) {
        int kept = 0;
        makes[i] = 0;
        for (int k = 0; k < n->n[i]; k++)
            if (can_make(makes, v->n_blockers, pictures & ~picture_of(e, &n->suspect[i][k])))
                n->suspect[i][kept++] = n->suspect[i][k];
        n->n[i] = kept;
        for (int k = 0; k < kept; k++) makes[i] |= picture_of(e, &n->suspect[i][k]);
    }
}

static void look(notes *n, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    if (e->clock > 0 && e->clock == n->clock)
        watch(n, e);
    else
        for (int i = 0; i < v->n_blockers; i++) suspect_all(n, e, i);
    account_for_pictures(n, e);
    n->clock = e->clock + 1;
}

/* Only the next step must be safe from all suspects, because the observer will see more before the one after it. If
 * this has not led to the goal after half of the steps, some suspect may never show; then the observer prefers a way
 * that is safe from all suspects in every step. */
static void act_on_notes(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                         sb_intent *intent) {
    notes *n = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    gang all = {0};
    look(n, e);
    for (int i = 0; i < BLOCKERS; i++)
        for (int k = 0; k < n->n[i]; k++) all.blocker[all.n++] = n->suspect[i][k];
    int steps = e->clock < e->max_steps / 2 ? -1 : find_ways(&n->expert, e, &all, STEPS_MAX, budget);
    if (steps < 0) steps = find_ways(&n->expert, e, &all, 1, budget);
    follow_ways(&n->expert, e, steps, action, intent);
}

/* How many suspects of each blocker are drawn in each column. */
typedef int shown[BLOCKERS][SB_SIDE_MAX];

/* Counts the ways in which the first n blockers can be among their suspects and account for these drawn columns. */
static double count_ways(const notes *seen, shown in, int n, uint32_t pictures) { // NOLINT(misc-no-recursion): n deep
    if (n == 0) return pictures == 0;
    double ways = 0;
    int others = seen->n[n - 1];
    for (int x = 0; pictures >> x; x++) {
        const int here = pictures >> x & 1 ? in[n - 1][x] : 0;
        if (here) ways += here * count_ways(seen, in, n - 1, pictures & ~(1u << x));
        others -= here;
    }
    return others ? ways + others * count_ways(seen, in, n - 1, pictures) : ways;
}

/* Draws a suspect of each blocker, so that together they account for all drawn columns. */
static void imagine(const void *memory_, sb_env *env, sb_rng *rng) {
    const notes *n = memory_;
    sb_episode *e = env->state;
    vars *v = SB_VARS(e);
    shown in = {{0}};
    uint32_t pictures = pictures_of(e);
    for (int i = 0; i < v->n_blockers; i++)
        for (int k = 0; k < n->n[i]; k++) in[i][n->suspect[i][k].x] += is_seen(e, &n->suspect[i][k]);
    for (int i = v->n_blockers - 1; i >= 0; i--) {
        double sum = 0;
        for (int k = 0; k < n->n[i]; k++) {
            const uint32_t rest = pictures & ~picture_of(e, &n->suspect[i][k]);
            if (sb_draw_next(rng, count_ways(n, in, i, rest), &sum)) v->blocker[i] = n->suspect[i][k];
        }
        pictures &= ~picture_of(e, &v->blocker[i]);
    }
}

const sb_oracle sb_timing_challenge_observer = {
    .family = "agentick",
    .task = "TimingChallenge-v0",
    .name = "observer",
    .sees = SB_SEES_OBSERVATIONS,
    .remembers = offsetof(notes, expert),
    .memory = sizeof(notes),
    .act = act_on_notes,
    .imagine = imagine,
};

/* ---- The rule beside the task's steps ---- */

typedef struct crossing {
    int32_t clock;
    sb_xy at;
    sb_blocker blocker[BLOCKERS];
} crossing;

static void pack(void *e_, const sb_episode *e, void *state) {
    const vars *v = SB_VARS(e);
    crossing *c = state;
    sb_episode_copy(e_, e);
    c->clock = e->clock, c->at = e->agent.at;
    memcpy(c->blocker, v->blocker, sizeof v->blocker);
}

static bool step(void *e_, void *state, sb_action action) {
    const sb_episode *e = e_;
    const vars *v = SB_VARS(e);
    crossing *c = state;
    sb_area from = {0}, safe = {0}, floor;
    gang g = {.n = v->n_blockers};
    memcpy(g.blocker, c->blocker, sizeof c->blocker);
    sb_area_walkable(&floor, e);
    sb_area_add(&from, c->at);
    spread(&safe, &from, &floor, e->height);
    sweep(&g, v->row, ++c->clock, &safe);
    memcpy(c->blocker, g.blocker, sizeof c->blocker);
    if (action != SB_NOOP) c->at = sb_beside(c->at, sb_direction_of(action));
    return sb_area_has(&safe, c->at);
}

const sb_packed_rule sb_timing_challenge_rule = {
    .task = "TimingChallenge-v0",
    .memory = sizeof(sb_episode),
    .state_size = sizeof(crossing),
    .pack = pack,
    .step = step,
};
