#include "oracles/kits/puzzle.h"

#include <string.h>

typedef struct searched {
    const sb_puzzle *puzzle;
    sb_episode *board;
    int32_t clock; /* of the episode: no step of the search is nearer to its end */
} searched;

static bool is_lost(const sb_puzzle *puzzle, const sb_episode *e, const void *state) {
    return puzzle->is_lost && puzzle->is_lost(e, state);
}

static void expand(void *context, const void *state, sb_search *search) {
    const searched *s = context;
    const sb_puzzle *puzzle = s->puzzle;
    _Alignas(8) uint8_t here[SB_PUZZLE_STATE_MAX] = {0};
    bool is_arranged = false;
    memcpy(here, state, puzzle->state_size);
    for (sb_action action = SB_MOVE_UP; action <= puzzle->last_action; action++) {
        _Alignas(8) uint8_t there[SB_PUZZLE_STATE_MAX] = {0};
        sb_result result;
        if (!is_arranged) puzzle->arrange(s->board, here);
        s->board->clock = s->clock;
        sb_episode_step(s->board, action, &result);
        puzzle->read(s->board, there);
        is_arranged = memcmp(there, here, sizeof here) == 0;
        if (!is_arranged && !is_lost(puzzle, s->board, there))
            sb_search_add(search, there, (uint32_t)action, 1, result.success);
    }
}

static sb_verdict make_plan(const sb_puzzle *puzzle, void *memory, const sb_episode *e, sb_budget *budget) {
    _Alignas(8) uint8_t here[SB_PUZZLE_STATE_MAX] = {0};
    sb_episode *const board = (sb_episode *)((uint8_t *)memory + puzzle->board);
    puzzle->read(e, here);
    searched s = {.puzzle = puzzle, .board = board, .clock = e->clock};
    const sb_problem problem = {.state_size = puzzle->state_size,
                                .expand = expand,
                                .context = &s,
                                .max_cost = is_lost(puzzle, e, here) ? 0 : e->max_steps - e->clock};
    sb_episode_copy(board, e);
    return sb_plan_search(memory, e, (uint8_t *)memory + puzzle->search, puzzle->n_states, &problem, here, budget);
}

/* Follows the plan on the board to the next thing that it changes, and explains that. */
static void explain(const sb_puzzle *puzzle, void *memory, const sb_episode *e, sb_intent *intent) {
    _Alignas(8) uint8_t before[SB_PUZZLE_STATE_MAX] = {0}, after[SB_PUZZLE_STATE_MAX];
    const sb_plan *plan = memory;
    sb_episode *const board = (sb_episode *)((uint8_t *)memory + puzzle->board);
    sb_episode_copy(board, e);
    puzzle->read(e, before);
    for (int i = plan->next; i < plan->n; i++) {
        sb_result result;
        sb_episode_step(board, plan->actions[i], &result);
        memset(after, 0, sizeof after);
        puzzle->read(board, after);
        if (puzzle->explain(e, before, after, intent)) return;
        memcpy(before, after, puzzle->state_size);
    }
    puzzle->explain(e, before, NULL, intent);
}

static void give_up(const sb_puzzle *puzzle, const sb_plan *plan, const sb_episode *e, sb_action *action,
                    sb_intent *intent) {
    _Alignas(8) uint8_t here[SB_PUZZLE_STATE_MAX] = {0};
    puzzle->read(e, here);
    sb_plan_give_up(plan, is_lost(puzzle, e, here) ? puzzle->lost : NULL, action, intent);
}

void sb_puzzle_act(const sb_puzzle *puzzle, void *memory, const sb_observation *observation, sb_budget *budget,
                   sb_action *action, sb_intent *intent) {
    const sb_episode *e = sb_episode_of(observation->env);
    if (!sb_plan_holds(memory, e)) make_plan(puzzle, memory, e, budget);
    explain(puzzle, memory, e, intent);
    if (!sb_plan_next(memory, e, action)) give_up(puzzle, memory, e, action, intent);
}

sb_verdict sb_puzzle_judge(const sb_puzzle *puzzle, void *memory, const sb_env *env, sb_budget *budget) {
    return make_plan(puzzle, memory, sb_episode_of(env), budget);
}
