/* The expert of SequenceMemory: during the show it walks to a cell beside the first target and waits there. Then it
 * takes a shortest way from target to target, past the distractors unless that is a detour. The observer does the same
 * with the targets it remembers; the first is shown before the first step.
 *
 * The steps are the fewest possible, because the way from one target to the next does not depend on what was done
 * before. */
#include "generators/agentick/memory/sequence_memory.h"

#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/search.h"
#include "oracles/belief.h"
#include "oracles/kits/plan.h"

typedef sb_sequence_memory_vars vars;

/* ---- The expert ---- */

static void search(sb_reach *reach, const sb_episode *e, const sb_open *floor, sb_xy target, sb_budget *budget) {
    sb_reach_from(reach, e, floor, target, sb_nesw);
    budget->spent += (uint64_t)reach->n;
}

/* Computes the distances to the target: past the distractors, unless that is a detour for the agent. */
static void measure(sb_reach *reach, const sb_episode *e, sb_xy target, sb_budget *budget) {
    const vars *v = SB_VARS(e);
    const int here = sb_index(e, e->agent.at);
    sb_open floor, past;
    sb_open_walkable(&floor, e);
    search(reach, e, &floor, target, budget);
    if (v->n_distractors == 0 || !sb_reached(reach, e, e->agent.at)) return;
    const int shortest = reach->distance[here];
    if (shortest == 0) return; /* leaves the target by any way */
    past = floor;
    for (int i = 0; i < v->n_distractors; i++) past.cell[sb_index(e, v->distractor[i])] = false;
    past.cell[here] = true;
    search(reach, e, &past, target, budget);
    if (!sb_reached(reach, e, e->agent.at) || reach->distance[here] > shortest)
        search(reach, e, &floor, target, budget);
}

/* Returns the first move to a cell at this distance from the target, or SB_NOOP. */
static sb_action move_to_distance(const sb_reach *reach, const sb_episode *e, int distance) {
    for (sb_action move = SB_MOVE_UP; move <= SB_MOVE_RIGHT; move++) {
        const sb_xy to = sb_beside(e->agent.at, sb_direction_of(move));
        if (sb_walkable(e, to) && sb_reached(reach, e, to) && reach->distance[sb_index(e, to)] == distance) return move;
    }
    return SB_NOOP;
}

static void expert_act(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                       sb_intent *intent) {
    static const char *const names[SB_SEQUENCE_MEMORY_TARGETS] = {"first target",  "second target", "third target",
                                                                  "fourth target", "fifth target",  "sixth target"};
    (void)memory;
    const sb_episode *e = sb_episode_of(observation->env);
    const vars *v = SB_VARS(e);
    const sb_xy target = v->target[v->progress];
    sb_reach reach;
    measure(&reach, e, target, budget);
    if (!sb_reached(&reach, e, e->agent.at)) {
        *action = SB_NOOP;
        sb_give_up(intent, "no way to the target");
        return;
    }
    const int distance = reach.distance[sb_index(e, e->agent.at)];
    if (distance == 1 && sb_sequence_memory_left(e) > 0) {
        *action = SB_NOOP;
        sb_intend(intent, "wait for", "end of the show", target);
        return;
    }
    *action = move_to_distance(&reach, e, distance > 0 ? distance - 1 : 1); /* a target must be left first */
    sb_intend(intent, "go to", names[v->progress], target);
}

const sb_oracle sb_sequence_memory_expert = {
    .family = "agentick",
    .task = "SequenceMemory-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .shortest = 15,
    .act = expert_act,
};

/* ---- The observer ---- */

typedef struct memory {
    sb_xy target[SB_SEQUENCE_MEMORY_TARGETS]; /* the targets that were shown; for others (0,0), which is a wall */
} memory;

static void watch(memory *m, const sb_episode *e) {
    const int shown = sb_sequence_memory_shown(e);
    for (int i = 0; shown >= 0 && i < sb_n_cells(e); i++)
        if (e->cells[i].object == SB_GEM) m->target[shown] = sb_xy_of(e, i);
}

static void observer_act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                         sb_intent *intent) {
    memory *m = memory_;
    sb_belief belief;
    sb_episode *e = sb_believe(&belief, observation);
    vars *v = SB_VARS(e);
    watch(m, e);
    for (int i = 0; i < v->n_targets; i++) v->target[i] = m->target[i];
    sb_act_on_belief(&belief, &sb_sequence_memory_expert, NULL, budget, action, intent);
}

/* The targets that were not shown and the distractors lie on any other cells that can be reached from the start.
 * Targets that were found are GOALs. */
static void imagine(const void *memory_, sb_env *env, sb_rng *rng) {
    const memory *m = memory_;
    sb_episode *e = env->state;
    vars *v = SB_VARS(e);
    sb_cells free;
    int n = 0;
    sb_cells_reached_without(&free, e, v->start);
    for (int i = free.n - 1; i >= 0; i--)
        if (sb_peek(e, free.at[i])->object == SB_GOAL) sb_cells_remove(&free, free.at[i]);
    for (int i = 0; i < v->n_targets; i++) sb_cells_remove(&free, m->target[i]);
    sb_cells_shuffle(&free, rng);
    for (int i = 0; i < v->n_targets; i++) v->target[i] = m->target[i].x > 0 ? m->target[i] : free.at[n++];
    for (int i = 0; i < v->n_distractors; i++) v->distractor[i] = free.at[n++];
}

const sb_oracle sb_sequence_memory_observer = {
    .family = "agentick",
    .task = "SequenceMemory-v0",
    .name = "observer",
    .sees = SB_SEES_OBSERVATIONS,
    .remembers = sizeof(memory),
    .memory = sizeof(memory),
    .act = observer_act,
    .imagine = imagine,
};
