/* The expert of worlds: it searches in the true rules for the shortest play, follows it, and searches again where it
 * was not followed. Where steps draw, it may not know the draws, so it searches in futures of its own drawing and takes
 * the action with which most of them begin; it claims nothing then. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/catalogue.h"
#include "generators/autumn/events.h"
#include "generators/autumn/worlds/solve.h"
#include "oracles/autumn/world_changes.h"
#include "oracles/autumn/worlds.h"
#include "oracles/player.h"

enum { PLAN = SB_SEARCH_COST_MAX, FUTURES = 7, SEARCHED = 2000000, SEARCHED_OFTEN = 20000 /* states of one search */ };

typedef struct memory {
    sb_autumn_compiled *world; /* the world that the solver solves */
    sb_world_solver *solver;
    sb_autumn_state *future;
    sb_autumn_event plan[PLAN];
    int n, next;          /* the plan's length, and the index of its next event */
    int32_t steps;        /* steps of the episode when the plan was made */
    uint64_t evaluations; /* evaluations that searches took in this episode */
    sb_action chosen;     /* the action that was answered last */
} memory;

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

static void close_memory(void *memory_) {
    memory *m = memory_;
    sb_world_solver_free(m->solver);
    sb_autumn_free(m->future);
    sb_autumn_release(m->world);
    *m = (memory){0};
}

static bool turn_to(memory *m, const sb_env *env) {
    sb_autumn_compiled *world = sb_autumn_episode_of(env)->compiled;
    if (m->world == world) return true;
    close_memory(m);
    m->world = sb_autumn_share(world);
    m->solver = sb_world_solver_make(world->program);
    m->future = sb_autumn_new(world->program);
    if (m->solver && m->future) return true;
    return close_memory(m), false;
}

/* ---- Plans ------------------------------------------------------------------------------------------------------- */

/* How many states one search may look at, of those that are left for the episode. */
static uint64_t limit_of(const sb_budget *budget, uint64_t most) {
    const uint64_t left = budget->limit > budget->spent ? budget->limit - budget->spent : 0;
    return left < most ? left : most;
}

typedef bool solve_by(sb_world_solver *solver, const sb_autumn_state *start, const sb_world_question *question,
                      sb_world_answer *answer);

static sb_verdict search_by(solve_by *solve, memory *m, const sb_autumn_state *from, sb_world_question question,
                            sb_budget *budget, sb_world_answer *answer) {
    *answer = (sb_world_answer){.verdict = SB_NOT_FOUND};
    if (!question.limit || m->evaluations >= SB_WORLD_EVALUATIONS) return SB_NOT_FOUND;
    question.evaluations = SB_WORLD_EVALUATIONS - m->evaluations;
    if (!solve(m->solver, from, &question, answer)) return SB_NOT_FOUND;
    budget->spent += answer->states, m->evaluations += answer->evaluations;
    return answer->verdict;
}

static sb_verdict search(memory *m, const sb_autumn_state *from, const sb_world_question *question, sb_budget *budget,
                         sb_world_answer *answer) {
    return search_by(sb_world_solve, m, from, *question, budget, answer);
}

/* Where the search ended at its limit, a beam goes farther. */
static bool reach(memory *m, const sb_env *env, sb_budget *budget, sb_world_answer *answer) {
    const sb_world_question question = {.limit = limit_of(budget, SEARCHED), .trusts_bound = true};
    return answer->verdict == SB_NOT_FOUND &&
           search_by(sb_world_reach, m, sb_autumn_state_of(env), question, budget, answer) == SB_SOLVED;
}

static void make_plan(memory *m, const sb_env *env, sb_budget *budget) {
    const sb_world_question question = {.limit = limit_of(budget, SEARCHED), .trusts_bound = true};
    sb_world_answer answer;
    m->n = m->next = 0, m->steps = env->status.steps;
    if (search(m, sb_autumn_state_of(env), &question, budget, &answer) == SB_SOLVED || reach(m, env, budget, &answer))
        m->n = sb_world_plan(m->solver, m->plan, PLAN);
    const bool rests_on_bound = sb_autumn_world_of(m->world->program)->has_bound;
    budget->is_cut |= answer.verdict == SB_NOT_FOUND || !answer.is_shortest || rests_on_bound;
}

/* Takes the event with which most plans begin, in futures that have nothing to do with the episode's own. */
static void vote(memory *m, const sb_env *env, sb_budget *budget) {
    const sb_world_question question = {.limit = limit_of(budget, SEARCHED_OFTEN), .trusts_bound = true};
    struct {
        sb_autumn_event first;
        int n;
    } votes[FUTURES] = {0};
    sb_rng rng = sb_draws_of(&env->name, "futures");
    int best = -1;
    m->n = m->next = 0, m->steps = env->status.steps;
    budget->is_cut = true;
    for (int32_t i = 0; i < env->status.steps; i++) (void)sb_next64(&rng);
    for (int i = 0; i < FUTURES; i++) {
        sb_world_answer answer;
        int k = 0;
        if (!sb_autumn_copy(m->future, sb_autumn_state_of(env))) return;
        sb_autumn_reseed(m->future, sb_next64(&rng));
        if (search(m, m->future, &question, budget, &answer) != SB_SOLVED) continue;
        sb_world_plan(m->solver, m->plan, PLAN);
        while (votes[k].n && memcmp(&votes[k].first, m->plan, sizeof *m->plan) != 0) k++;
        votes[k].first = m->plan[0], votes[k].n++;
        if (best < 0 || votes[k].n > votes[best].n) best = k;
    }
    if (best >= 0) m->plan[0] = votes[best].first, m->n = 1;
}

/* Whether the episode went as planned. */
static bool is_followed(const memory *m, const sb_env *env) {
    return m->next > 0 && m->next < m->n && env->status.steps == m->steps + m->next && env->taken == m->chosen;
}

/* ---- The oracle -------------------------------------------------------------------------------------------------- */

static bool begin(void *memory_, const sb_env *env, sb_budget *budget, sb_error *error) {
    memory *m = memory_;
    (void)budget;
    if (!turn_to(m, env)) return sb_fail(error, SB_MEMORY, "out of memory for an oracle");
    m->n = m->next = 0, m->evaluations = 0;
    return true;
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_env *env = observation->env;
    *action = SB_AUTUMN_NOOP;
    const bool is_open = turn_to(m, env);
    if (is_open && !is_followed(m, env)) (sb_autumn_task_of(env->task)->draws ? vote : make_plan)(m, env, budget);
    if (!is_open || m->next >= m->n) {
        sb_give_up(intent, is_open ? "no play was found" : "memory is out");
        return;
    }
    const sb_autumn_event event = m->plan[m->next++];
    *action = m->chosen = sb_autumn_action_of(env, event);
    sb_world_explain(sb_autumn_state_of(env), m->future, event, intent);
}

/* Judges whether the state can be won in the steps that are left; where steps draw, it proves nothing. */
static sb_verdict judge(void *memory_, const sb_env *env, sb_budget *budget) {
    memory *m = memory_;
    const sb_world_question question = {.limit = limit_of(budget, SEARCHED),
                                        .max_steps = env->status.max_steps - env->status.steps};
    sb_world_answer answer;
    if (sb_autumn_task_of(env->task)->draws || !turn_to(m, env)) return SB_NOT_FOUND;
    return search(m, sb_autumn_state_of(env), &question, budget, &answer);
}

/* Worlds have names of their own; shipped programs, those without `task` and challenges of worlds have others. */
bool sb_autumn_is_world(const char *task) {
    return !sb_autumn_is_shipped(task) && !strchr(task, '/') &&
           strncmp(task, SB_PROGRAM_PREFIX, strlen(SB_PROGRAM_PREFIX)) != 0;
}

const sb_oracle sb_autumn_world_expert = {.family = "autumn",
                                          .plays = sb_autumn_is_world,
                                          .name = "expert",
                                          .sees = SB_SEES_STATE,
                                          .shortest = 0xff,
                                          .plans = true,
                                          .memory = sizeof(memory),
                                          .begin = begin,
                                          .close = close_memory,
                                          .act = act,
                                          .judge = judge};
