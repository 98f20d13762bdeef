/* The two bots published for BabyAI's levels, action for action:
 *
 *   `published`  came with the levels. It looks for things only where its view of 7x7 has shown them.
 *   `omnibot`    BabyBench's OmniBot. It sees the whole grid, leaves out subgoals that do not fit, and counts how often
 *                it adds a subgoal to its plan; it can be given a plan to begin with.
 *
 * Both keep a stack of subgoals and look one action ahead: they ask the top one for an action, and it gives one, or
 * changes the stack. Neither is perfect, and their mistakes are kept: recorded sequences and scores come from them.
 * (What they do and where they fail: docs/babyai.md.) */
#ifndef SB_BABYAI_BOT_H
#define SB_BABYAI_BOT_H

#include "engine/minigrid/world.h"
#include "oracles/oracle.h"

enum {
    SB_BOT_STACK_MAX = 1024,  /* subgoals; without a given plan the bots need less than 30 */
    SB_BOT_KEYS_MAX = 16,     /* keys looked for at the same time; they need one or two */
    SB_BOT_CHANGES_MAX = 1500 /* of the stack in one call; more come from a bot that goes round in circles */
};

typedef enum sb_bot_kind { SB_BOT_PUBLISHED, SB_BOT_OMNIBOT, SB_N_BOTS } sb_bot_kind;

typedef enum sb_subgoal_kind {
    SB_GO_NEXT_TO, /* face the target; for SB_TO_PUT_NEXT: an empty cell beside the target */
    SB_OPEN,       /* the door in front */
    SB_CLOSE,
    SB_PICK_UP, /* what is in front */
    SB_DROP,    /* in front */
    SB_EXPLORE,
    SB_N_SUBGOALS
} sb_subgoal_kind;

typedef enum sb_reason {
    SB_NO_REASON,
    SB_TO_PUT_NEXT, /* for going */
    SB_TO_EXPLORE,
    SB_TO_OPEN,
    SB_TO_UNLOCK, /* for opening */
    SB_TO_KEEP_KEY
} sb_reason;

typedef enum sb_target_kind {
    SB_TARGET_NOWHERE, /* a cell was looked for and not found */
    SB_TARGET_CELL,
    SB_TARGET_OBJECT,  /* by id */
    SB_TARGET_MISSION, /* a description of the mission, and so refreshed with it: index in reading order */
    SB_TARGET_KEY      /* a description of the bot's own: index of its keys */
} sb_target_kind;

typedef struct sb_target {
    uint8_t kind, index;
    sb_xy cell;
} sb_target;

typedef struct sb_subgoal {
    uint8_t kind, reason;
    sb_target target; /* of going */
} sb_subgoal;

/* Why a bot stopped. It suggests `done` from then on. */
typedef enum sb_bot_trouble {
    SB_BOT_FINE,
    SB_BOT_MISFIT,   /* a subgoal does not fit the state */
    SB_BOT_EXPLORED, /* nothing is left to explore */
    SB_BOT_RESTLESS  /* its plan changes for ever without an action */
} sb_bot_trouble;

typedef struct sb_bot {
    uint8_t kind, trouble;
    int32_t n;       /* subgoals on the stack; the last one is done next */
    uint32_t pushes; /* subgoals put on the stack since it was made: OmniBot's `help_count` */
    sb_subgoal stack[SB_BOT_STACK_MAX];
    sb_mg_description keys[SB_BOT_KEYS_MAX]; /* as evaluated when the bot decided to look for them */
    bool known[SB_MG_CELLS_MAX];             /* by cell: what the view has shown */
    /* As the last call found things. */
    sb_xy agent;
    uint8_t carried, front; /* ids */
    bool door_was_open;     /* the last door that was in front */
} sb_bot;

enum { SB_BOT_NOT_TOLD = -1 };

/* A bot that has the world's mission for its plan. What it pushes for that counts. */
void sb_bot_begin(sb_bot *bot, sb_bot_kind kind, const sb_mg_world *w);

/* A bot that has this plan, which does not count. One subgoal a line, the first to be done first, the parentheses
 * around a line optional:
 *
 *     (GoNextToSubgoal, (x,y))  (OpenSubgoal)  (CloseSubgoal)  (PickupSubgoal)  (DropSubgoal)  (ExploreSubgoal)
 *
 * Blanks around the text are ignored. Fails on an empty plan, and on the first line that is none of these. */
bool sb_bot_begin_with_plan(sb_bot *bot, sb_bot_kind kind, const char *plan, sb_error *error);

/* What to do now. `taken`: the action that was really taken since the last call, or SB_BOT_NOT_TOLD, which means the
 * one suggested; also in the first call, where it takes a first subgoal that opens, closes, picks up or drops for done,
 * as the published bots do. Cells looked at are charged to the budget, whose limit is not asked for. */
sb_mg_action sb_bot_replan(sb_bot *bot, const sb_mg_world *w, int taken, sb_budget *budget);

/* What the bot is about to do; or that it has given up, and why. */
void sb_bot_explain(const sb_bot *bot, const sb_mg_world *w, sb_intent *intent);

#endif
