#include "oracles/kits/puzzle.h"

#include <string.h>

typedef struct searched {
    const sb_puzzle *puzzle;
    const void *map;
} searched;

static void expand(void *context, const void *state, sb_search *search) {
    const searched *s = context;
    _Alignas(8) uint8_t there[SB_PUZZLE_STATE_MAX];
    for (sb_action action = SB_MOVE_UP; action <= s->puzzle->last_action; action++) {
        memcpy(there, state, s->puzzle->state_size);
        if (s->puzzle->play(s->map, there, action))
            sb_search_add(search, there, (uint32_t)action, 1, s->puzzle->is_solved(s->map, there));
    }
}

static sb_verdict make_plan(const sb_puzzle *puzzle, void *memory, const sb_episode *e, sb_budget *budget) {
    _Alignas(8) uint8_t here[SB_PUZZLE_STATE_MAX] = {0};
    uint8_t *const map = (uint8_t *)memory + puzzle->map, *const search = (uint8_t *)memory + puzzle->search;
    searched s = {.puzzle = puzzle, .map = map};
    const sb_problem problem = {
        .state_size = puzzle->state_size, .expand = expand, .context = &s, .max_cost = e->max_steps - e->clock};
    puzzle->draw_map(map, e);
    puzzle->read(e, here);
    return sb_plan_search(memory, e, search, puzzle->n_states, &problem, here, budget);
}

/* Follows the plan to the next thing that it changes, and explains that. */
static void explain(const sb_puzzle *puzzle, const void *memory, const sb_episode *e, sb_intent *intent) {
    _Alignas(8) uint8_t before[SB_PUZZLE_STATE_MAX] = {0}, after[SB_PUZZLE_STATE_MAX] = {0};
    const sb_plan *plan = memory;
    const void *map = (const uint8_t *)memory + puzzle->map;
    puzzle->read(e, before);
    for (int i = plan->next; i < plan->n; i++) {
        memcpy(after, before, puzzle->state_size);
        puzzle->play(map, after, plan->actions[i]);
        if (puzzle->explain(map, e, before, after, intent)) return;
        memcpy(before, after, puzzle->state_size);
    }
    puzzle->explain(map, e, before, NULL, intent);
}

void sb_puzzle_act(const sb_puzzle *puzzle, void *memory, const sb_observation *observation, sb_budget *budget,
                   sb_action *action, sb_intent *intent) {
    const sb_episode *e = sb_episode_of(observation->env);
    if (!sb_plan_holds(memory, e)) make_plan(puzzle, memory, e, budget);
    explain(puzzle, memory, e, intent);
    if (!sb_plan_next(memory, e, action)) sb_give_up(action, intent);
}

sb_verdict sb_puzzle_judge(const sb_puzzle *puzzle, void *memory, const sb_env *env, sb_budget *budget) {
    return make_plan(puzzle, memory, sb_episode_of(env), budget);
}
