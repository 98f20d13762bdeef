/* Searches for the fewest steps, for claims that are too hard for the search over copies of the episode. They share
 * nothing with the experts except A* itself, which search_test.c tests: they have the rules of a task written a second
 * time on a few bytes, one step at a time, and their own bounds. */
#ifndef SB_TESTS_CLAIMS_H
#define SB_TESTS_CLAIMS_H

#include "base/search/search.h"
#include "engine/gridworld/episode.h"

enum { CLAIM_PLAN = 1024 /* actions; more than any step limit */ };

/* The result of a search from the start of an episode. */
typedef struct claim_answer {
    sb_verdict verdict;
    int fewest;
    int n_plan; /* length of the plan; 0 if only the number of steps is known */
    sb_action plan[CLAIM_PLAN];
} claim_answer;

/* Looks at `n_states` states at most. The caller zeroes the answer. */
typedef void claim_search(const sb_episode *start, uint32_t n_states, claim_answer *answer);

/* Runs a search whose moves are actions. */
void claim_run(const sb_problem *problem, const void *start, uint32_t n_states, claim_answer *answer);

claim_search claim_colors; /* GraphColoring */
claim_search claim_lights; /* LightsOut */
claim_search claim_boxes;  /* SokobanPush */
claim_search claim_pieces; /* PackingPuzzle */
claim_search claim_gems;   /* ProgramSynthesis */

#endif
