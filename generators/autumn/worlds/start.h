/* Starts of worlds: drawn until one is accepted. */
#ifndef SB_AUTUMN_START_H
#define SB_AUTUMN_START_H

#include "engine/environment.h"
#include "generators/autumn/programs.h"
#include "generators/autumn/worlds/solve.h"

enum { SB_WORLD_ATTEMPTS = 1000 };

/* Why drawn starts were refused. */
typedef enum sb_world_refusal {
    SB_WORLD_FAULT,     /* the program fails */
    SB_WORLD_CONDITION, /* `start` is false */
    SB_WORLD_OVER,      /* won or lost at once */
    SB_WORLD_SOLUTION,  /* no play of as many steps as `solution` demands is the shortest */
    SB_WORLD_LIMIT,     /* the search ended at its limit */
    SB_WORLD_NEEDLESS,  /* the start can be won without one of the actions that `needs` lists */
    SB_WORLD_UNDECIDED, /* whether the start needs an action was not found out within the limit */
    SB_WORLD_N_REFUSALS
} sb_world_refusal;

/* Refusals in words for people. */
extern const char *const sb_world_refusal_words[SB_WORLD_N_REFUSALS];

typedef struct sb_world_starts {
    uint32_t attempts; /* starts that were drawn */
    uint32_t refused[SB_WORLD_N_REFUSALS];
    sb_autumn_fault fault;  /* the last fault, if there was any */
    sb_world_answer answer; /* answer of the search from the accepted start, if the difficulty demands a solution */
    uint64_t states;        /* states that searches looked at */
    uint64_t evaluations;   /* expressions that searches and draws evaluated */
    uint64_t allowed;       /* expressions that may be evaluated; 0: SB_WORLD_EVALUATIONS */
} sb_world_starts;

/* Draws the start of a seed into a state of the compiled world. The same seed gives the same start, whatever was drawn
 * before. `starts` may be NULL. Fails after SB_WORLD_ATTEMPTS, with an error that says why. */
bool sb_world_start(sb_autumn_compiled *world, uint64_t seed, sb_autumn_state *state, sb_world_starts *starts,
                    sb_error *error);
/* Draws attempt 0, 1, ... of a seed, whether it is accepted or not. False: the program failed. */
bool sb_world_draw(const sb_autumn_compiled *world, uint64_t seed, uint32_t attempt, sb_autumn_state *state);
/* Draws one start and says whether it is accepted, for those who count: attempt 0, 1, ... of a seed. */
bool sb_world_try(sb_autumn_compiled *world, sb_world_solver *solver, uint64_t seed, uint32_t attempt,
                  sb_autumn_state *state, sb_world_starts *starts, bool *accepted, sb_error *error);

#endif
