/* The two bots published for BabyAI's levels, action for action:
 *
 *       `published`  came with the levels. It looks for things only where its view of 7x7 has shown them.
 *       `omnibot`    BabyBench's OmniBot. It sees the whole grid, skips subgoals that do not fit, and counts how often
 * it adds a subgoal to its plan. It can also start with a given plan.
 *
 * Both keep a stack of subgoals and look one action ahead: they ask the top subgoal for an action, and it returns one
 * or changes the stack. Neither is perfect, and their mistakes are kept, because recorded sequences and scores contain
 * them. docs/babyai.md says what they do and where they fail. */
#ifndef SB_BABYAI_BOT_H
#define SB_BABYAI_BOT_H

#include "engine/minigrid/world.h"
#include "oracles/oracle.h"

enum {
    SB_BOT_STACK_MAX = 1024,  /* subgoals; without a given plan the bots need fewer than 30 */
    SB_BOT_KEYS_MAX = 16,     /* keys looked for at the same time; the bots need one or two */
    SB_BOT_CHANGES_MAX = 1500 /* changes of the stack in one call; more mean that the bot goes round in circles */
};

typedef enum sb_bot_kind { SB_BOT_PUBLISHED, SB_BOT_OMNIBOT, SB_N_BOTS } sb_bot_kind;

typedef enum sb_subgoal_kind {
    SB_GO_NEXT_TO, /* face the target; for SB_TO_PUT_NEXT: an empty cell beside the target */
    SB_OPEN,       /* the door in front */
    SB_CLOSE,
    SB_PICK_UP, /* the thing in front */
    SB_DROP,    /* into the cell in front */
    SB_EXPLORE,
    SB_N_SUBGOALS
} sb_subgoal_kind;

typedef enum sb_reason {
    SB_NO_REASON,
    SB_TO_PUT_NEXT, /* a reason for going */
    SB_TO_EXPLORE,
    SB_TO_OPEN,
    SB_TO_UNLOCK, /* a reason for opening */
    SB_TO_KEEP_KEY
} sb_reason;

typedef enum sb_target_kind {
    SB_TARGET_NOWHERE, /* no suitable cell was found */
    SB_TARGET_CELL,
    SB_TARGET_OBJECT,  /* by id */
    SB_TARGET_MISSION, /* a description of the mission, kept up to date with it: index in reading order */
    SB_TARGET_KEY      /* one of the bot's own descriptions: index in its keys */
} sb_target_kind;

typedef struct sb_target {
    uint8_t kind, index;
    sb_xy cell;
} sb_target;

typedef struct sb_subgoal {
    uint8_t kind, reason;
    sb_target target; /* for going */
} sb_subgoal;

/* Why a bot has stopped. From then on it suggests `done`. */
typedef enum sb_bot_trouble {
    SB_BOT_FINE,
    SB_BOT_MISFIT,   /* a subgoal does not fit the state of the world */
    SB_BOT_EXPLORED, /* nothing is left to explore */
    SB_BOT_RESTLESS  /* its plan keeps changing without an action */
} sb_bot_trouble;

typedef struct sb_bot {
    uint8_t kind, trouble;
    int32_t n;       /* subgoals on the stack; the last one comes first */
    uint32_t pushes; /* subgoals put on the stack so far: OmniBot's `help_count` */
    sb_subgoal stack[SB_BOT_STACK_MAX];
    sb_mg_description keys[SB_BOT_KEYS_MAX]; /* evaluated when the bot decided to look for the key */
    bool known[SB_MG_CELLS_MAX];             /* the cells that the view has shown */
    /* The state at the last call. */
    sb_xy agent;
    uint8_t carried, front; /* ids */
    bool door_was_open;     /* of the last door that was in front */
} sb_bot;

enum { SB_BOT_NOT_TOLD = -1 };

/* Makes a bot that plans for the world's mission. The subgoals it pushes for that are counted. */
void sb_bot_begin(sb_bot *bot, sb_bot_kind kind, const sb_mg_world *w);

/* Makes a bot with this plan, whose subgoals are not counted. The plan has one subgoal per line, the first line comes
 * first, and the parentheses around a line are optional:
 *
 *       (GoNextToSubgoal, (x,y))  (OpenSubgoal)  (CloseSubgoal)  (PickupSubgoal)  (DropSubgoal)  (ExploreSubgoal)
 *
 * Blanks around the text are ignored. Fails if the plan is empty, and at the first line that is not a subgoal. */
bool sb_bot_begin_with_plan(sb_bot *bot, sb_bot_kind kind, const char *plan, sb_error *error);

/* Returns the next action. `taken` is the action that was really taken since the last call, or SB_BOT_NOT_TOLD, which
 * means the suggested one. In the first call, SB_BOT_NOT_TOLD drops a first subgoal that opens, closes, picks up or
 * drops, as the published bots do. Cells looked at are charged to the budget, but its limit is ignored. */
sb_mg_action sb_bot_replan(sb_bot *bot, const sb_mg_world *w, int taken, sb_budget *budget);

/* Explains what the bot is about to do, or that it has given up, and why. */
void sb_bot_explain(const sb_bot *bot, const sb_mg_world *w, sb_intent *intent);

#endif
