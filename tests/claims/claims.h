/* Searches for the fewest steps that share nothing with the experts but the A* itself, which search_test.c holds: the
 * rules of a task written once more on a few bytes, one step at a time, and bounds of their own. They hold claims that
 * the search over copies of the episode does not reach. */
#ifndef SB_TESTS_CLAIMS_H
#define SB_TESTS_CLAIMS_H

#include "engine/gridworld/episode.h"
#include "search/search.h"

enum { CLAIM_PLAN = 1024 /* actions; more than any step limit */ };

/* What it takes to succeed from the start of an episode. */
typedef struct claim_answer {
    sb_verdict verdict;
    int fewest;
    int n_plan; /* actions that lead there; 0: only their number is known */
    sb_action plan[CLAIM_PLAN];
} claim_answer;

/* At most so many states are looked at. The answer comes zeroed. */
typedef void claim_search(const sb_episode *start, uint32_t n_states, claim_answer *answer);

/* Runs a search of which a move is an action. */
void claim_run(const sb_problem *problem, const void *start, uint32_t n_states, claim_answer *answer);

claim_search claim_colors; /* GraphColoring */
claim_search claim_lights; /* LightsOut */
claim_search claim_boxes;  /* SokobanPush */
claim_search claim_pieces; /* PackingPuzzle */
claim_search claim_gems;   /* ProgramSynthesis */

#endif
