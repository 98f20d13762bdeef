/* The state that a bot keeps from call to call: its stack of subgoals, and what it has seen. */
#ifndef SB_BABYAI_BOT_STATE_H
#define SB_BABYAI_BOT_STATE_H

#include "engine/minigrid/world.h"

enum {
    SB_BOT_STACK_MAX = 1024,  /* subgoals; without a given plan the bots need fewer than 30 */
    SB_BOT_KEYS_MAX = 16,     /* keys looked for at the same time; the bots need one or two */
    SB_BOT_CHANGES_MAX = 1500 /* changes of the stack in one call; more mean that the bot goes round in circles */
};

typedef enum sb_bot_kind {
    SB_BOT_PUBLISHED,
    SB_BOT_OMNIBOT,
    SB_BOT_ON_CHART, /* the published bot in a world that holds only what an observer has seen */
    SB_N_BOTS
} sb_bot_kind;

typedef enum sb_subgoal_kind {
    SB_GO_NEXT_TO, /* face the target; for SB_TO_PUT_NEXT: face an empty cell beside the target */
    SB_OPEN,       /* open the door in front */
    SB_CLOSE,
    SB_PICK_UP, /* pick up the thing in front */
    SB_DROP,    /* drop what is carried into the cell in front */
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
    SB_TARGET_OBJECT,  /* an object, by id */
    SB_TARGET_MISSION, /* a description of the mission, kept up to date with it: index in reading order */
    SB_TARGET_KEY      /* one of the bot's own descriptions: index in its keys */
} sb_target_kind;

typedef struct sb_target {
    uint8_t kind, index;
    sb_xy cell;
} sb_target;

typedef struct sb_subgoal {
    uint8_t kind, reason;
    sb_target target; /* the target of a subgoal that goes somewhere */
} sb_subgoal;

/* Why a bot has stopped. From then on it suggests `done`. */
typedef enum sb_bot_trouble {
    SB_BOT_FINE,
    SB_BOT_MISFIT,   /* a subgoal does not fit the state of the world */
    SB_BOT_EXPLORED, /* nothing is left to explore */
    SB_BOT_RESTLESS  /* the bot's plan keeps changing without an action */
} sb_bot_trouble;

typedef struct sb_bot {
    uint8_t kind, trouble;
    int32_t n;       /* subgoals on the stack; the last one comes first */
    uint32_t pushes; /* subgoals put on the stack so far: OmniBot's `help_count` */
    sb_subgoal stack[SB_BOT_STACK_MAX];
    sb_mg_description keys[SB_BOT_KEYS_MAX]; /* descriptions of keys, evaluated when the bot decided to look for one */
    bool known[SB_MG_CELLS_MAX];             /* the cells that the view has shown */
    /* The state at the last call. */
    sb_xy agent;
    uint8_t carried, front; /* ids of the thing carried and of the thing in front */
    bool door_was_open;     /* the last door that was in front was open */
} sb_bot;

#endif
