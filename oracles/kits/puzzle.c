#include "oracles/kits/puzzle.h"

#include <string.h>

typedef struct searched {
    const sb_puzzle *puzzle;
    sb_episode *board;
    int32_t clock; /* clock of the episode: no step of the search is nearer to its end */
} searched;

static bool is_lost(const sb_puzzle *puzzle, const sb_episode *e, const void *state) {
    return puzzle->is_lost && puzzle->is_lost(e, state);
}

/* Calls `visit` with every other state that an action leads to. */
static void each_move(const searched *s, const void *state,
                      void (*visit)(void *to, const void *there, sb_action action, bool is_goal), void *to) {
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
        if (!is_arranged && !is_lost(puzzle, s->board, there)) visit(to, there, action, result.success);
    }
}

static void *part_of(void *memory, size_t offset) { return (uint8_t *)memory + offset; }

static sb_episode *board_of(const sb_puzzle *puzzle, void *memory) { return part_of(memory, puzzle->board); }

/* ---- One plan ---- */

static void add_to_search(void *search, const void *there, sb_action action, bool is_goal) {
    sb_search_add(search, there, (uint32_t)action, 1, is_goal);
}

static void expand(void *context, const void *state, sb_search *search) {
    each_move(context, state, add_to_search, search);
}

static sb_verdict search_plan(const sb_puzzle *puzzle, void *memory, const sb_episode *e, const void *here, int most,
                              sb_budget *budget) {
    searched s = {.puzzle = puzzle, .board = board_of(puzzle, memory), .clock = e->clock};
    const sb_problem problem = {.state_size = puzzle->state_size, .expand = expand, .context = &s, .max_cost = most};
    sb_episode_copy(s.board, e);
    return sb_plan_search(memory, e, part_of(memory, puzzle->search), puzzle->n_states, &problem, here, budget);
}

/* ---- Plans from all states ---- */

static void add_to_distances(void *distances, const void *there, sb_action action, bool is_goal) {
    sb_distances_add(distances, there, (uint8_t)action, is_goal);
}

static void expand_all(void *context, const void *state, sb_distances *distances) {
    each_move(context, state, add_to_distances, distances);
}

/* Sets up the board of the episode for a state, and takes its key. */
static void take_constants(const sb_puzzle *puzzle, void *memory, const sb_episode *e, const void *state,
                           uint64_t key[2]) {
    sb_episode *const board = board_of(puzzle, memory);
    sb_episode_copy(board, e);
    board->clock = 0, board->agent.facing = SB_NORTH; /* the clock and the direction, which not every puzzle arranges */
    puzzle->arrange(board, state);
    sb_episode_key(board, key);
}

/* Whether a plan was made before for this episode. If not, notes that one is made now. */
static bool was_planned(const sb_puzzle *puzzle, void *memory, const sb_episode *e, const void *here) {
    sb_puzzle_known *known = part_of(memory, puzzle->known);
    uint64_t constants[2];
    if (known->is_planned) {
        take_constants(puzzle, memory, e, known->start, constants);
        if (memcmp(constants, known->constants, sizeof constants) == 0) return true;
    }
    *known = (sb_puzzle_known){.is_planned = true};
    memcpy(known->start, here, sizeof known->start);
    take_constants(puzzle, memory, e, here, known->constants);
    return false;
}

/* If the budget is too small for all states, nothing is charged, so that it still serves a search. */
static void make_distances(const sb_puzzle *puzzle, void *memory, const sb_episode *e, const void *here,
                           sb_budget *budget) {
    sb_puzzle_known *known = part_of(memory, puzzle->known);
    searched s = {.puzzle = puzzle, .board = board_of(puzzle, memory), .clock = e->clock};
    const sb_distances_of of = {.state_size = puzzle->state_size,
                                .n_states = puzzle->n_states,
                                .n_moves = SB_PUZZLE_MOVES,
                                .expand = expand_all,
                                .context = &s};
    sb_budget spent = *budget;
    sb_episode_copy(s.board, e);
    known->has_distances = sb_distances_make(part_of(memory, puzzle->distances), &of, here, &spent);
    known->is_too_large = !known->has_distances;
    if (known->has_distances) *budget = spent;
}

/* Returns the state's index in the distances, which are made if they were not; UINT32_MAX if it is not in them. */
static uint32_t find_distance(const sb_puzzle *puzzle, void *memory, const sb_episode *e, const void *here,
                              sb_budget *budget) {
    const sb_puzzle_known *known = part_of(memory, puzzle->known);
    const void *distances = part_of(memory, puzzle->distances);
    const uint32_t index = known->has_distances ? sb_distances_find(distances, here) : UINT32_MAX;
    if (index != UINT32_MAX || known->is_too_large) return index;
    make_distances(puzzle, memory, e, here, budget);
    return known->has_distances ? sb_distances_find(distances, here) : UINT32_MAX;
}

static sb_verdict read_plan(const sb_puzzle *puzzle, void *memory, const sb_episode *e, uint32_t index, int most) {
    sb_plan *plan = memory;
    const void *distances = part_of(memory, puzzle->distances);
    sb_plan_begin(plan, e);
    plan->verdict = sb_distances_from(distances, index) <= most ? SB_SOLVED : SB_IMPOSSIBLE;
    while (plan->verdict == SB_SOLVED && index != UINT32_MAX) sb_plan_add(plan, sb_distances_next(distances, &index));
    return plan->verdict;
}

static sb_verdict make_plan(const sb_puzzle *puzzle, void *memory, const sb_episode *e, sb_budget *budget) {
    _Alignas(8) uint8_t here[SB_PUZZLE_STATE_MAX] = {0};
    puzzle->read(e, here);
    const int most = is_lost(puzzle, e, here) ? 0 : e->max_steps - e->clock; /* steps that a plan may have */
    const uint32_t index = was_planned(puzzle, memory, e, here) && most > 0
                               ? find_distance(puzzle, memory, e, here, budget)
                               : UINT32_MAX;
    return index == UINT32_MAX ? search_plan(puzzle, memory, e, here, most, budget)
                               : read_plan(puzzle, memory, e, index, most);
}

/* ---- Acting ---- */

/* Follows the plan on the board to the next thing that it changes, and explains that. */
static void explain(const sb_puzzle *puzzle, void *memory, const sb_episode *e, sb_intent *intent) {
    _Alignas(8) uint8_t before[SB_PUZZLE_STATE_MAX] = {0}, after[SB_PUZZLE_STATE_MAX];
    const sb_plan *plan = memory;
    sb_episode *const board = board_of(puzzle, memory);
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
