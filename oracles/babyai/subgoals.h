/* What the files of BabyAI's published bots share: one call of a bot, its stack, and what a subgoal answers. */
#ifndef SB_BABYAI_SUBGOALS_H
#define SB_BABYAI_SUBGOALS_H

#include "oracles/babyai/bot_state.h"
#include "oracles/babyai/ways.h"

/* In what the two bots differ. */
typedef struct sb_bot_manner {
    bool sees_all;      /* and its ways lead through closed doors */
    bool is_forgiving;  /* a subgoal that does not fit is left out, or made to fit; else the bot gives up */
    bool closes_first;  /* a door that is to be opened and is open is closed, and opened again */
    bool drops_keys;    /* once a door is unlocked */
    bool unlocks_early; /* plans the opening of locked doors on its way before it gets there */
} sb_bot_manner;

/* One call of a bot. */
typedef struct sb_bot_call {
    sb_bot *bot;
    const sb_bot_manner *manner;
    const sb_mg_world *w;
    sb_bot_ground ground;
} sb_bot_call;

/* What a subgoal answers if not with an action. */
enum { SB_BOT_CHANGED = -1 /* the stack: ask again */, SB_BOT_GAVE_UP = -2 };

/* Asks the subgoal on top for an action. */
int sb_bot_ask(const sb_bot_call *c);

int sb_bot_give_up(const sb_bot_call *c, sb_bot_trouble trouble); /* returns SB_BOT_GAVE_UP */

/* ---- The stack (never asked for its top when empty) ---- */

static inline sb_subgoal *sb_bot_top(const sb_bot_call *c) { return &c->bot->stack[c->bot->n - 1]; }
static inline void sb_bot_pop(const sb_bot_call *c) { c->bot->n--; }
/* A full stack means trouble. */
void sb_bot_push(const sb_bot_call *c, sb_subgoal_kind kind); /* without reason and target */
void sb_bot_push_go(const sb_bot_call *c, sb_target target, sb_reason reason);
void sb_bot_push_go_to_cell(const sb_bot_call *c, sb_xy cell);

/* ---- Targets ---- */

static const sb_xy sb_bot_nowhere = {-1, -1};

static inline sb_target sb_bot_to_cell(sb_xy cell) { return (sb_target){.kind = SB_TARGET_CELL, .cell = cell}; }
/* A cell to put something down, other than `except`. */
sb_target sb_bot_to_drop_cell(const sb_bot_call *c, sb_xy except);
/* What a target of one of the two kinds of descriptions describes. */
const sb_mg_description *sb_bot_description(const sb_bot_call *c, sb_target target);

/* NULL if there is something else, or nothing. */
const sb_mg_object *sb_bot_door_in_front(const sb_mg_world *w);

#endif
