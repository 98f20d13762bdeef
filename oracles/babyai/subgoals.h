/* Shared by the files of BabyAI's published bots: one call of a bot, its stack, and the answers of subgoals. */
#ifndef SB_BABYAI_SUBGOALS_H
#define SB_BABYAI_SUBGOALS_H

#include "engine/minigrid/world.h"
#include "oracles/babyai/bot_state.h"
#include "oracles/oracle.h"

/* How BabyAI's published bots search a grid. Their choices depend on the order in which cells are looked at, so the
 * order is part of the rules: breadth first, each cell once; from a cell that was entered in direction (a,b), the
 * neighbours in directions (a,b), (b,a), (-b,-a), (-a,-b). */

/* What a bot assumes in a search. */
typedef struct sb_bot_ground {
    const sb_mg_world *world;
    const bool *known;  /* cells that are known: ways end at others; NULL: all are known */
    bool through_doors; /* locked doors are passable, and closed doors count like objects; otherwise only open doors are
                           passable */
    int barred_colour;  /* locked doors of this colour are never passed; SB_MG_ANY_COLOUR: no such colour */
    sb_budget *budget;  /* charged one state for each cell looked at */
} sb_bot_ground;

typedef struct sb_bot_way {
    int n;                 /* cells from the agent's neighbour to the end, both included */
    bool through_blockers; /* there was no way over free ground */
    sb_xy cell[SB_MG_CELLS_MAX];
} sb_bot_way;

/* Tells whether the search looks for this cell. `place` is what the caller passed to sb_bot_find. */
typedef bool sb_bot_wish(const sb_bot_ground *ground, sb_xy cell, sb_xy place);

/* Finds the way from the agent to the first cell that fulfils the wish. If there is none on free ground and `blockers`
 * is set, the search continues from all cells it looked at, in their order and with direction (1,0), and passes through
 * objects. That way has the fewest cells beyond the free ground, but may not be the shortest. */
bool sb_bot_find(const sb_bot_ground *ground, sb_bot_wish *wish, sb_xy place, bool blockers, sb_bot_way *way);

static inline bool sb_bot_knows(const sb_bot_ground *ground, sb_xy cell) {
    return !ground->known || ground->known[sb_mg_index(ground->world, cell)];
}

/* ---- Wishes ---- */

bool sb_bot_is_place(const sb_bot_ground *ground, sb_xy cell, sb_xy place);
bool sb_bot_is_unknown(const sb_bot_ground *ground, sb_xy cell, sb_xy unused);
bool sb_bot_is_closed_door(const sb_bot_ground *ground, sb_xy cell, sb_xy unused); /* closed, but not locked */
bool sb_bot_is_shut_door(const sb_bot_ground *ground, sb_xy cell, sb_xy unused);   /* closed or locked */

/* Finds a cell for putting something down where it blocks no way, if possible; free ground comes before ground behind
 * objects. Never the cell `except`. False if there is no empty cell. */
bool sb_bot_find_drop_cell(const sb_bot_ground *ground, sb_xy except, sb_xy *cell);

/* The differences between the two bots. */
typedef struct sb_bot_manner {
    bool sees_all;      /* the bot sees the whole grid, and its ways lead through closed doors */
    bool is_forgiving;  /* a subgoal that does not fit is skipped or adjusted; otherwise the bot gives up */
    bool closes_first;  /* an open door that has to be opened is closed first */
    bool drops_keys;    /* the key is dropped when a door is unlocked */
    bool unlocks_early; /* plans to open locked doors on the way before it reaches them */
    bool looks_on;      /* the bot looks for what nothing matches, and begins by putting down what is carried */
} sb_bot_manner;

/* One call of a bot. */
typedef struct sb_bot_call {
    sb_bot *bot;
    const sb_bot_manner *manner;
    const sb_mg_world *w;
    sb_bot_ground ground;
} sb_bot_call;

/* The answers of a subgoal that are not actions. */
enum { SB_BOT_CHANGED = -1 /* the stack has changed: ask again */, SB_BOT_GAVE_UP = -2 };

/* Asks the top subgoal for an action. */
int sb_bot_ask(const sb_bot_call *c);

int sb_bot_give_up(const sb_bot_call *c, sb_bot_trouble trouble); /* returns SB_BOT_GAVE_UP */

/* ---- The stack (its top may be used only if it is not empty) ---- */

static inline sb_subgoal *sb_bot_top(const sb_bot_call *c) { return &c->bot->stack[c->bot->n - 1]; }
static inline void sb_bot_pop(const sb_bot_call *c) { c->bot->n--; }
/* Pushes a subgoal. If the stack is full, the bot is in trouble. */
void sb_bot_push(const sb_bot_call *c, sb_subgoal_kind kind); /* the subgoal has neither reason nor target */
void sb_bot_push_go(const sb_bot_call *c, sb_target target, sb_reason reason);
void sb_bot_push_go_to_cell(const sb_bot_call *c, sb_xy cell);

/* ---- Targets ---- */

static const sb_xy sb_bot_nowhere = {-1, -1};

static inline sb_target sb_bot_to_cell(sb_xy cell) { return (sb_target){.kind = SB_TARGET_CELL, .cell = cell}; }
/* Makes a target of a cell for putting something down, other than `except`. */
sb_target sb_bot_to_drop_cell(const sb_bot_call *c, sb_xy except);
/* Returns the description of a target of one of the two description kinds. */
const sb_mg_description *sb_bot_description(const sb_bot_call *c, sb_target target);

/* Returns the door in front; NULL if there is none. */
const sb_mg_object *sb_bot_door_in_front(const sb_mg_world *w);

#endif
