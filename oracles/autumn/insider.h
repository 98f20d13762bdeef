/* The parts of the insider: one who knows the program, but not the challenge, the draws or the change. */
#ifndef SB_ORACLES_AUTUMN_INSIDER_H
#define SB_ORACLES_AUTUMN_INSIDER_H

#include "base/search/search.h"
#include "generators/autumn/challenges/test.h"
#include "generators/autumn/challenges/walk.h"
#include "seedbed/player.h"

enum { SB_AUTUMN_PLAN_MAX = 60 };

/* How often actions that are alike were tried, and whether one of them ever did more than waiting. */
typedef struct sb_autumn_worth {
    uint16_t tried;
    bool mattered;
} sb_autumn_worth;

/* Everything is zeroed at first. */
typedef struct sb_autumn_insight {
    sb_autumn_compiled *compiled; /* the program, which everything below needs */
    sb_rng rng;
    uint32_t *strings; /* a frame, as numbers of the program's strings */

    bool predicted;
    uint32_t option;

    sb_autumn_clean clean;
    sb_autumn_tracker *tracker;
    sb_autumn_walk *walk;    /* the coverage walk, in free exploration, too */
    sb_autumn_state *course; /* a play of the same actions with other draws */
    uint32_t *base;
    bool *open;
    bool began, unknown;
    uint32_t found; /* the first impossible frame; 0: there was none */

    sb_autumn_event plan[SB_AUTUMN_PLAN_MAX];
    uint32_t n_plan, at_plan;
    bool reaches;                                 /* the plan leads to the goal */
    uint32_t spent;                               /* steps of all searches */
    sb_autumn_worth *worth;                       /* what actions are worth, by sort of action */
    uint64_t expected[SB_AUTUMN_PLAN_MAX + 1][2]; /* hashes of the frames that the plan expects */
} sb_autumn_insight;

/* A colour that no string of the program is. It fits no frame. */
#define SB_AUTUMN_NO_STRING (UINT32_MAX - 1)
/* The number of a colour among the strings of a program. */
uint32_t sb_autumn_insider_string(const sb_autumn_program *program, const char *colour);

/* Says what an action outside tests is for. */
void sb_autumn_explain(sb_intent *intent, sb_autumn_event event);

/* Each of the following functions finds the next action. False: out of memory. */

/* Follows the course from what is shown of it, and answers with the option that is possible. */
bool sb_autumn_insider_predict(sb_autumn_insight *e, const sb_env *env, sb_action *action);
/* Searches best-first on copies with draws of their own, and again whenever a frame is not as expected. */
bool sb_autumn_insider_plan(sb_autumn_insight *e, const sb_env *env, sb_budget *budget, sb_action *action);
/* Acts by the coverage walk, tracks what is shown under the unchanged program, and declares the first frame that is
 * impossible. */
bool sb_autumn_insider_watch(sb_autumn_insight *e, const sb_env *env, sb_action *action);

#endif
