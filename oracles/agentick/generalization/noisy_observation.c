/* The expert and the observer of NoisyObservation: they look a few steps ahead at everything that the guards may do.
 *
 * The next cell of a guard is certain if its heading is known; a heading is drawn only after a bounce, from four. So
 * the futures of all guards are a small tree. In each of its nodes, backward induction (oracles/kits/risk.h) gives a
 * cost to every cell where the agent may be then. Improbable futures have a nearer horizon. Ghosts are not predicted,
 * except by the chance that a lever is in the way. Decoys, which stop guards, are assumed to stay where they are.
 *
 * The expert knows the headings. The observer weighs all headings that agree with the guards' visible moves. */
#include "generators/agentick/generalization/noisy_observation.h"

#include <string.h>

#include "engine/gridworld/area.h"
#include "engine/gridworld/search.h"
#include "oracles/agentick/packed.h"
#include "oracles/belief.h"
#include "oracles/kits/risk.h"

typedef sb_noisy_observation_vars vars;

enum {
    HORIZON = 6,
    NEARBY = 8, /* guards farther away are met late enough to be planned for then */
    CELLS = SB_NOISY_OBSERVATION_SIDE * SB_NOISY_OBSERVATION_SIDE,
    GUARDS = SB_NOISY_OBSERVATION_GUARDS,
    ANY = 15
};
static const float STEP_COST = 0.005F, LEAST_CHANCE = 1.0F / 64;
static const float NARROW = 50; /* in steps: extra cost of cells in the area of a guard that can hardly move */
static const float FAR = 1000;

typedef struct patrol { /* guards: cells, and a bit for each possible heading */
    int n, cell[GUARDS], headings[GUARDS];
} patrol;

typedef struct foresight { /* working memory */
    const sb_episode *e;
    sb_budget *budget;
    int goal;
    sb_risk_step step;              /* a step, still without its chances and costs */
    bool enters[CELLS];             /* whether a guard may enter */
    sb_area entered;                /* the cells that a guard may enter, as a set */
    float lever;                    /* the chance that a lever is in the way */
    sb_reach near;                  /* shortest ways from the agent */
    float toll[CELLS];              /* cost of entering a cell, in steps: 1, and more in a guard's small area */
    float way[CELLS];               /* least sum of tolls to the goal */
    int zone[HORIZON + 1];          /* how many cells at the front of near.order can be reached in t steps */
    float cost[SB_RISK_ACTIONS];    /* expected cost of each action now */
    float after[HORIZON][CELLS];    /* expected cost of being in the cell after step t + 1 */
    float survives[HORIZON][CELLS]; /* 0 where the agent meets a guard in step t + 1, else 1 */
} foresight;

static void look_around(foresight *f, const sb_episode *e, sb_budget *budget) {
    const vars *v = SB_VARS(e);
    sb_open open;
    sb_open_walkable(&open, e);
    f->e = e, f->budget = budget;
    f->goal = sb_index(e, v->goal);
    f->step = sb_risk_step_on(e, &f->near, STEP_COST);
    for (int i = 0; i < sb_n_cells(e); i++) {
        f->enters[i] = sb_noisy_observation_guard_may_enter(e, sb_xy_of(e, i));
        sb_area_set(&f->entered, sb_xy_of(e, i), f->enters[i]);
        f->toll[i] = 1;
    }
    sb_reach_from(&f->near, e, &open, e->agent.at, sb_nesw);
    f->lever = (float)v->n_ghosts / 4 / (float)f->near.n; /* one ghost in four */
    for (int t = 0, n = 0; t <= HORIZON; t++) {
        while (n < f->near.n && f->near.distance[sb_index(e, f->near.order[n])] <= t) n++;
        f->zone[t] = n;
    }
    memset(f->cost, 0, sizeof f->cost);
}

/* Raises the tolls in the area of a guard. If the guard cannot leave it, waiting for the guard to let the agent pass
 * may take for ever. */
static void mark_beat(foresight *f, sb_xy guard) {
    sb_area beat;
    sb_area_flood(&beat, &f->entered, f->e->height, guard);
    const int size = sb_area_count(&beat, f->e->height);
    for (int i = 0; i < sb_n_cells(f->e); i++)
        if (sb_area_has(&beat, sb_xy_of(f->e, i))) f->toll[i] += NARROW / (float)(size * size);
}

/* Repeats until nothing becomes cheaper. */
static void find_ways(foresight *f) {
    for (int i = 0; i < sb_n_cells(f->e); i++) f->way[i] = FAR;
    f->way[f->goal] = 0;
    for (bool found = true; found;) {
        found = false;
        for (int j = f->near.n - 1; j >= 0; j--) {
            const int i = sb_index(f->e, f->near.order[j]);
            for (int h = 0; h < 4; h++) {
                const int to = i + f->step.ahead[h];
                if (f->way[to] + f->toll[to] >= f->way[i]) continue;
                f->way[i] = f->way[to] + f->toll[to];
                found = true;
            }
        }
    }
}

static void station(foresight *f, patrol *guards, sb_xy at, int headings) {
    mark_beat(f, at);
    if (sb_manhattan(at, f->e->agent.at) > NEARBY) return;
    guards->cell[guards->n] = sb_index(f->e, at);
    guards->headings[guards->n++] = headings;
}

/* ---- Futures ---- */

/* Moves guards whose headings are known by one step. */
static patrol march(const foresight *f, const patrol *now) {
    patrol next = {.n = now->n};
    for (int i = 0; i < now->n; i++) {
        int h = 0;
        while (now->headings[i] != 1 << h) h++;
        const int to = now->cell[i] + f->step.ahead[h];
        next.cell[i] = f->enters[to] ? to : now->cell[i];
        next.headings[i] = f->enters[to] ? now->headings[i] : ANY;
    }
    return next;
}

/* Returns the expected cost of the best action, or of the second best if a lever is in the way. */
static float least_cost(const foresight *f, const sb_risk_step *step, int from) {
    const float wait = sb_risk_cost(step, from, SB_RISK_ACTIONS - 1);
    float least = wait, second = wait;
    for (int k = 0; k < SB_RISK_ACTIONS - 1; k++) {
        const float cost = sb_risk_cost(step, from, k);
        if (cost < least)
            second = least, least = cost;
        else if (cost < second)
            second = cost;
    }
    return least + f->lever * (second - least);
}

static void imagine(foresight *f, int t, patrol *guards, int first, float share, float chance);

/* Finds out where guards meet the agent in a step, and computes the costs after it: the mean over all ways in which
 * the guards may turn. */
static sb_risk_step look_ahead(foresight *f, int t, const patrol *now, float chance) {
    const patrol next = march(f, now);
    patrol turned = next;
    sb_risk_step step = f->step;
    step.stays = step.enters = f->survives[t], step.after = f->after[t];
    for (int j = 0; j < f->zone[t + 1]; j++) {
        const int i = sb_index(f->e, f->near.order[j]);
        f->after[t][i] = 0, f->survives[t][i] = 1;
    }
    for (int i = 0; i < now->n; i++) f->survives[t][now->cell[i]] = f->survives[t][next.cell[i]] = 0;
    imagine(f, t + 1, &turned, 0, 1, chance);
    return step;
}

static void weigh_now(foresight *f, const patrol *now, float chance) {
    const int from = sb_index(f->e, f->e->agent.at);
    const sb_risk_step step = look_ahead(f, 0, now, chance);
    for (int k = 0; k < SB_RISK_ACTIONS; k++) {
        const bool lever = k < 4 && f->e->cells[from + f->step.ahead[k]].object == SB_LEVER;
        f->cost[k] += chance * (lever ? 2 : sb_risk_cost(&step, from, k));
    }
}

static void weigh_later(foresight *f, int t, const patrol *now, float share, float chance) {
    const bool far = t == HORIZON || chance < LEAST_CHANCE;
    sb_risk_step step;
    if (!far) step = look_ahead(f, t, now, chance);
    for (int j = 0; j < f->zone[t]; j++) {
        const int i = sb_index(f->e, f->near.order[j]);
        const float value = far || i == f->goal ? STEP_COST * f->way[i] : least_cost(f, &step, i);
        f->after[t - 1][i] += share * value;
    }
    f->budget->spent += (uint64_t)f->zone[t];
}

/* Tries all possible headings of the guards from the first-th on; all headings in which a guard is blocked count as
 * one. */
static void imagine(foresight *f, int t, patrol *guards, int first, float share, float chance) {
    if (first == guards->n) {
        if (t == 0)
            weigh_now(f, guards, chance);
        else
            weigh_later(f, t, guards, share, chance);
        return;
    }
    const int headings = guards->headings[first];
    int all = 0, blocked = 0, n_blocked = 0;
    for (int h = 0; h < 4; h++) {
        if (!(headings >> h & 1)) continue;
        all++;
        if (!f->enters[guards->cell[first] + f->step.ahead[h]]) blocked = 1 << h, n_blocked++;
    }
    for (int h = 0; h < 4; h++) {
        if (!(headings >> h & 1) || !f->enters[guards->cell[first] + f->step.ahead[h]]) continue;
        guards->headings[first] = 1 << h;
        imagine(f, t, guards, first + 1, share / (float)all, chance / (float)all);
    }
    if (n_blocked) {
        const float part = (float)n_blocked / (float)all;
        guards->headings[first] = blocked;
        imagine(f, t, guards, first + 1, share * part, chance * part);
    }
    guards->headings[first] = headings;
}

/* Names the nearest guard nearby, or else the ghost that looks like a lever and is in the way. */
static void explain_wait(const foresight *f, const patrol *guards, sb_intent *intent) {
    sb_xy guard[GUARDS];
    for (int i = 0; i < guards->n; i++) guard[i] = sb_xy_of(f->e, guards->cell[i]);
    if (guards->n) sb_wait_for_nearest(intent, f->e, "guard", guard, guards->n);
    for (int k = 0; k < 4 && guards->n == 0; k++) {
        const sb_xy beside = sb_beside(f->e->agent.at, sb_nswe[k]);
        if (sb_peek(f->e, beside)->object == SB_LEVER) sb_intend(intent, "wait for", "ghost", beside);
    }
}

static void choose(foresight *f, patrol *guards, sb_action *action, sb_intent *intent) {
    const vars *v = SB_VARS(f->e);
    int best = SB_RISK_ACTIONS - 1;
    find_ways(f);
    imagine(f, 0, guards, 0, 1, 1);
    for (int k = SB_RISK_ACTIONS - 1; k >= 0; k--)
        if (f->cost[k] < f->cost[best]) best = k;
    *action = sb_risk_actions[best];
    if (*action == SB_NOOP)
        explain_wait(f, guards, intent);
    else
        sb_intend(intent, "go to", "goal", v->goal);
}

/* ---- The expert ---- */

static void act(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    const sb_episode *e = sb_episode_of(observation->env);
    const vars *v = SB_VARS(e);
    patrol guards = {.n = 0};
    look_around(memory, e, budget);
    for (int i = 0; i < v->n_guards; i++) station(memory, &guards, v->guard[i], 1 << v->guard_heading[i]);
    choose(memory, &guards, action, intent);
}

const sb_oracle sb_noisy_observation_expert = {
    .family = "agentick",
    .task = "NoisyObservation-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .memory = sizeof(foresight),
    .act = act,
};

/* ---- The observer ---- */

typedef struct watched { /* what is remembered from the step before */
    bool begun;
    int n_guards;            /* the most that were visible at once: several may share a cell */
    bool enters[CELLS];      /* whether a guard may enter */
    uint8_t headings[CELLS]; /* a bit for each heading that a visible guard there may have had */
} watched;

typedef struct observer {
    foresight f;
    watched before;
} observer;

/* Infers headings from the moves: a guard that was at a cell with a heading has moved on, or stayed if it was blocked.
 * Where a guard is visible now, every heading that brings one there is possible. */
static void infer(const foresight *f, const watched *before, watched *now) {
    for (int i = 0; i < sb_n_cells(f->e); i++)
        for (int h = 0; h < 4; h++) {
            if (!(before->headings[i] >> h & 1)) continue;
            const int ahead = i + f->step.ahead[h], to = before->enters[ahead] ? ahead : i;
            if (f->e->cells[to].object == SB_NPC) now->headings[to] |= to == i ? ANY : 1 << h;
        }
}

static void observe(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                    sb_intent *intent) {
    observer *o = memory;
    const sb_episode *e = sb_episode_of(observation->env);
    watched now = {.begun = true};
    patrol guards = {.n = 0};
    int n_guards = 0;
    look_around(&o->f, e, budget);
    memcpy(now.enters, o->f.enters, sizeof now.enters);
    if (o->before.begun) infer(&o->f, &o->before, &now);
    for (int i = 0; i < sb_n_cells(e); i++) {
        if (e->cells[i].object != SB_NPC) continue;
        if (!now.headings[i]) now.headings[i] = ANY; /* as at first: any heading is possible */
        n_guards++;
        station(&o->f, &guards, sb_xy_of(e, i), now.headings[i]);
    }
    now.n_guards = n_guards > o->before.n_guards ? n_guards : o->before.n_guards;
    o->before = now;
    choose(&o->f, &guards, action, intent);
}

/* ---- What the observer imagines ---- */

static void imagine_guard(const watched *seen, sb_episode *e, int cell, sb_rng *rng) {
    vars *v = SB_VARS(e);
    double sum = 0;
    for (int h = 0; h < 4; h++)
        if (sb_draw_next(rng, seen->headings[cell] >> h & 1, &sum)) v->guard_heading[v->n_guards] = h;
    v->guard[v->n_guards++] = sb_xy_of(e, cell);
}

static void imagine_rover(sb_episode *e, int cell, sb_rng *rng) {
    vars *v = SB_VARS(e);
    v->rover_heading[v->n_rovers] = (int32_t)sb_integer_below(rng, 4);
    v->rover[v->n_rovers++] = sb_xy_of(e, cell);
}

/* Draws a cell with this object where things may rove; -1 if there is none. */
static int draw_visible(const sb_episode *e, int object, sb_rng *rng) {
    const vars *v = SB_VARS(e);
    double sum = 0;
    int cell = -1;
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].object == object && sb_area_has(&v->sites, sb_xy_of(e, i)) && sb_draw_next(rng, 1, &sum))
            cell = i;
    return cell;
}

/* Every decoy in a cell where things may rove is a rover. A guard or a rover that is not visible shares its cell with
 * another one. */
static void imagine_movers(const void *memory, sb_env *env, sb_rng *rng) {
    const watched *seen = &((const observer *)memory)->before;
    sb_episode *e = env->state;
    vars *v = SB_VARS(e);
    int n_ghosts = 0, cell;
    for (int i = 0; i < sb_n_cells(e); i++) switch (e->cells[i].object) {
        case SB_NPC: imagine_guard(seen, e, i, rng); break;
        case SB_TARGET:
            if (sb_area_has(&v->sites, sb_xy_of(e, i))) imagine_rover(e, i, rng);
            break;
        case SB_NONE:
        case SB_GOAL: break;
        default: v->ghost[n_ghosts++] = (uint8_t)i;
        }
    while (v->n_guards < seen->n_guards && (cell = draw_visible(e, SB_NPC, rng)) >= 0)
        imagine_guard(seen, e, cell, rng);
    while (v->n_rovers < sb_noisy_observation_rovers(e) && (cell = draw_visible(e, SB_TARGET, rng)) >= 0)
        imagine_rover(e, cell, rng);
}

const sb_oracle sb_noisy_observation_observer = {
    .family = "agentick",
    .task = "NoisyObservation-v0",
    .name = "observer",
    .sees = SB_SEES_OBSERVATIONS,
    .remembers = sizeof(observer),
    .memory = sizeof(observer),
    .act = observe,
    .imagine = imagine_movers,
};

/* ---- The rule beside the task's steps ---- */

typedef struct watch {
    int agent;
    patrol guards;
} watch;

static void pack(void *f, const sb_episode *e, void *state) {
    const vars *v = SB_VARS(e);
    watch *s = state;
    sb_budget budget = {0};
    look_around(f, e, &budget);
    ((foresight *)f)->budget = NULL;
    s->agent = sb_index(e, e->agent.at), s->guards.n = v->n_guards;
    for (int i = 0; i < v->n_guards; i++)
        s->guards.cell[i] = sb_index(e, v->guard[i]), s->guards.headings[i] = 1 << v->guard_heading[i];
}

/* Draws what an action leads to. Ghosts are not predicted, but levers block. */
static sb_packed_outcome draw(void *f_, void *state, sb_action action, sb_rng *rng) {
    const foresight *f = f_;
    watch *s = state;
    const patrol now = s->guards;
    if (action == SB_INTERACT) return SB_PACKED_SKIPPED;
    if (action != SB_NOOP) {
        const sb_xy to = sb_beside(sb_xy_of(f->e, s->agent), sb_direction_of(action));
        if (!sb_passable(f->e, to)) return SB_PACKED_SKIPPED;
        s->agent = sb_index(f->e, to);
    }
    s->guards = march(f, &now);
    for (int i = 0; i < now.n; i++) {
        if (now.cell[i] == s->agent || s->guards.cell[i] == s->agent) return SB_PACKED_LOST;
        if (s->guards.headings[i] == ANY) s->guards.headings[i] = 1 << (sb_next32(rng) >> 30);
    }
    return SB_PACKED_GOES_ON;
}

static int tell(const void *f, const void *state, int32_t numbers[SB_PACKED_NUMBERS]) {
    (void)f;
    const watch *s = state;
    int n = 0;
    numbers[n++] = s->agent;
    for (int i = 0; i < s->guards.n; i++) numbers[n++] = s->guards.cell[i], numbers[n++] = s->guards.headings[i];
    return n;
}

const sb_packed_rule sb_noisy_observation_rule = {
    .task = "NoisyObservation-v0",
    .memory = sizeof(foresight),
    .state_size = sizeof(watch),
    .pack = pack,
    .draw = draw,
    .tell = tell,
};
