#include "tests/claims/claims.h"
#include "tests/support.h"

#include <stdlib.h>

void claim_run(const sb_problem *problem, const void *start, uint32_t n_states, claim_answer *answer) {
    uint32_t moves[CLAIM_PLAN] = {0};
    sb_budget budget = {.limit = n_states};
    void *memory = calloc(1, SB_SEARCH_SIZE(problem->state_size, n_states));
    assert_non_null(memory);
    answer->verdict = sb_search_run(memory, n_states, problem, start, &budget);
    if (answer->verdict == SB_SOLVED && budget.is_cut) answer->verdict = SB_NOT_FOUND; /* there may be fewer steps */
    if (answer->verdict == SB_SOLVED) answer->n_plan = answer->fewest = sb_search_plan(memory, moves, CLAIM_PLAN);
    for (int i = 0; i < answer->n_plan; i++) answer->plan[i] = (sb_action)moves[i];
    free(memory);
}
