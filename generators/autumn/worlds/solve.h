/* Searches for plays that win a world, in its true rules: breadth first, or by the world's own bound (A*). Work is
 * counted in states and evaluations, so results are the same on every machine. */
#ifndef SB_AUTUMN_SOLVE_H
#define SB_AUTUMN_SOLVE_H

#include "base/search/search.h"
#include "engine/autumn/world.h"

typedef struct sb_world_solver sb_world_solver;

/* What all searches for one purpose may take together, so that a stranger's world cannot keep a command busy for ever:
 * a minute or some. A single search may also keep SB_WORLD_BYTES of states. */
#define SB_WORLD_EVALUATIONS 4000000000u
#define SB_WORLD_BYTES       (1u << 30)

/* Evaluations that a step counts as, beside those in it: it takes about as long. */
enum { SB_WORLD_STEP_COST = 200 };

typedef struct sb_world_question {
    uint64_t limit;        /* states that the search may look at */
    uint64_t evaluations;  /* expressions that the search may evaluate; 0: SB_WORLD_EVALUATIONS */
    int max_steps;         /* longer plays do not count; 0: any number does */
    bool trusts_bound;     /* uses the clause `bound`, so that a shortest play is one only if the bound is right */
    sb_autumn_key without; /* plays do without this key; SB_AUTUMN_NOOP: all keys may be used */
} sb_world_question;

typedef struct sb_world_answer {
    sb_verdict verdict;   /* IMPOSSIBLE: no play wins at all, however long, unless max_steps is set */
    int steps;            /* steps of the play that was found */
    bool is_shortest;     /* no play has fewer steps than the one that was found */
    uint64_t states;      /* states that were looked at */
    uint64_t evaluations; /* expressions that were evaluated; steps and copies count as some of them */
} sb_world_answer;

/* Makes a solver for a program, which must live longer. NULL: out of memory. */
sb_world_solver *sb_world_solver_make(const sb_autumn_program *program);
void sb_world_solver_free(sb_world_solver *solver);
/* Searches from a started state, which stays as it is. False: out of memory. */
bool sb_world_solve(sb_world_solver *solver, const sb_autumn_state *start, const sb_world_question *question,
                    sb_world_answer *answer);
/* Searches by a beam: of the states at each depth only the most promising are expanded, by the score, the world's bound
 * and its reward. It goes farther than sb_world_solve, and proves nothing. */
bool sb_world_reach(sb_world_solver *solver, const sb_autumn_state *start, const sb_world_question *question,
                    sb_world_answer *answer);
/* Writes the events of the play that was found, at most `capacity`; returns how many there are. */
int sb_world_plan(const sb_world_solver *solver, sb_autumn_event *events, int capacity);

#endif
