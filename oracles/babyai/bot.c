#include "oracles/babyai/bot.h"

#include <stdio.h>
#include <string.h>

#include "engine/minigrid/view.h"
#include "oracles/babyai/ways.h"

/* In what the two bots differ. */
typedef struct manner {
    bool sees_all;      /* and its ways lead through closed doors */
    bool is_forgiving;  /* a subgoal that does not fit is left out, or made to fit; else the bot gives up */
    bool closes_first;  /* a door that is to be opened and is open is closed, and opened again */
    bool drops_keys;    /* once a door is unlocked */
    bool unlocks_early; /* plans the opening of locked doors on its way before it gets there */
} manner;

static const manner manners[SB_N_BOTS] = {
    [SB_BOT_PUBLISHED] = {.closes_first = true, .drops_keys = true},
    [SB_BOT_OMNIBOT] = {.sees_all = true, .is_forgiving = true, .unlocks_early = true},
};

/* One call of the bot. */
typedef struct call {
    sb_bot *bot;
    const manner *manner;
    const sb_mg_world *w;
    sb_bot_ground ground;
} call;

/* What a subgoal answers if not with an action. */
enum { CHANGED_THE_STACK = -1, GAVE_UP = -2 };

static const sb_xy nowhere = {-1, -1};

static int give_up(const call *c, sb_bot_trouble trouble) {
    c->bot->trouble = (uint8_t)trouble;
    return GAVE_UP;
}

/* ---- The stack ---- */

static sb_subgoal *top(const call *c) { return &c->bot->stack[c->bot->n - 1]; }

static void pop(const call *c) { c->bot->n--; }

static void push_subgoal(const call *c, sb_subgoal subgoal) {
    sb_bot *bot = c->bot;
    if (bot->n == SB_BOT_STACK_MAX) {
        give_up(c, SB_BOT_RESTLESS);
        return;
    }
    bot->stack[bot->n++] = subgoal;
    bot->pushes++;
}

static void push(const call *c, sb_subgoal_kind kind) { push_subgoal(c, (sb_subgoal){.kind = (uint8_t)kind}); }

static void push_open(const call *c, sb_reason reason) {
    push_subgoal(c, (sb_subgoal){.kind = SB_OPEN, .reason = (uint8_t)reason});
}

static void push_go(const call *c, sb_target target, sb_reason reason) {
    push_subgoal(c, (sb_subgoal){.kind = SB_GO_NEXT_TO, .reason = (uint8_t)reason, .target = target});
}

static sb_target to_cell(sb_xy cell) { return (sb_target){.kind = SB_TARGET_CELL, .cell = cell}; }

static sb_target to_object(const call *c, const sb_mg_object *object) {
    return (sb_target){.kind = SB_TARGET_OBJECT, .index = (uint8_t)sb_mg_id_of(c->w, object)};
}

static void push_go_to_cell(const call *c, sb_xy cell) { push_go(c, to_cell(cell), SB_NO_REASON); }

static bool is_looked_for(const sb_bot *bot, int key) {
    for (int i = 0; i < bot->n; i++)
        if (bot->stack[i].target.kind == SB_TARGET_KEY && bot->stack[i].target.index == key) return true;
    return false;
}

/* The keys of a colour, as they lie now. */
static sb_target to_key(const call *c, uint8_t colour) {
    for (int i = 0; i < SB_BOT_KEYS_MAX; i++) {
        if (is_looked_for(c->bot, i)) continue;
        c->bot->keys[i] = sb_mg_the(SB_MG_KEY, colour, SB_MG_ANYWHERE);
        sb_mg_evaluate(c->w, &c->bot->keys[i]);
        return (sb_target){.kind = SB_TARGET_KEY, .index = (uint8_t)i};
    }
    give_up(c, SB_BOT_RESTLESS);
    return (sb_target){0};
}

static sb_target to_drop_cell(const call *c, sb_xy except) {
    sb_xy cell;
    return sb_bot_find_drop_cell(&c->ground, except, &cell) ? to_cell(cell) : (sb_target){.kind = SB_TARGET_NOWHERE};
}

/* ---- The plan to begin with ---- */

static sb_target to_mission(int part, int single, bool second) {
    return (sb_target){.kind = SB_TARGET_MISSION, .index = (uint8_t)(part * 4 + single * 2 + second)};
}

static void push_single(const call *c, int part, int single) {
    const sb_target what = to_mission(part, single, false), to = to_mission(part, single, true);
    switch ((sb_mg_verb)c->w->mission.part[part].single[single].verb) {
    case SB_MG_GO_TO: push_go(c, what, SB_NO_REASON); break;
    case SB_MG_OPEN:
        push(c, SB_OPEN);
        push_go(c, what, SB_TO_OPEN);
        break;
    case SB_MG_PICK_UP:
        push(c, SB_DROP);
        push(c, SB_PICK_UP);
        push_go(c, what, SB_NO_REASON);
        break;
    case SB_MG_PUT_NEXT:
        push(c, SB_DROP);
        push_go(c, to, SB_TO_PUT_NEXT);
        push(c, SB_PICK_UP);
        push_go(c, what, SB_NO_REASON);
        break;
    }
}

void sb_bot_begin(sb_bot *bot, sb_bot_kind kind, const sb_mg_world *w) {
    const call c = {.bot = bot, .w = w};
    *bot = (sb_bot){.kind = (uint8_t)kind};
    for (int i = sb_mg_n_parts(&w->mission) - 1; i >= 0; i--) {
        const int part = sb_mg_turn(&w->mission, i);
        for (int single = w->mission.part[part].n_singles - 1; single >= 0; single--) push_single(&c, part, single);
    }
}

static const sb_mg_description *description_of(const call *c, sb_target target) {
    if (target.kind == SB_TARGET_KEY) return &c->bot->keys[target.index];
    const sb_mg_single *single = &c->w->mission.part[target.index / 4].single[target.index / 2 % 2];
    return target.index % 2 ? &single->to : &single->what;
}

/* ---- After an action ---- */

static void undo_toggle(const call *c) {
    const sb_mg_object *door = sb_mg_in_front(c->w);
    if (door && door->type == SB_MG_DOOR && door->open != c->bot->door_was_open)
        push(c, door->open ? SB_CLOSE : SB_OPEN);
}

/* Somebody did something else than was suggested. */
static void undo(const call *c, int taken) {
    const sb_mg_world *w = c->w;
    switch (taken) {
    case SB_MG_LEFT: push_go_to_cell(c, sb_mg_plus(w->agent, sb_mg_rightward(w), 1)); break;
    case SB_MG_RIGHT: push_go_to_cell(c, sb_mg_plus(w->agent, sb_mg_rightward(w), -1)); break;
    case SB_MG_FORWARD:
        if (!sb_same(w->agent, c->bot->agent)) push_go_to_cell(c, w->agent); /* so published */
        break;
    case SB_MG_PICKUP:
        if (w->carried != c->bot->carried) push(c, SB_DROP);
        break;
    case SB_MG_DROP:
        if (w->carried != c->bot->carried) push(c, SB_PICK_UP);
        break;
    case SB_MG_TOGGLE: undo_toggle(c); break;
    default: break;
    }
}

static void finish_open(const call *c) {
    const bool unlocked = top(c)->reason == SB_TO_UNLOCK;
    pop(c);
    if (!unlocked || !c->manner->drops_keys) return;
    const sb_target cell = to_drop_cell(c, nowhere);
    push(c, SB_DROP);
    push_go(c, cell, SB_NO_REASON);
}

enum { BIT_OF_TURNS = 1 << SB_MG_LEFT | 1 << SB_MG_RIGHT, BIT_OF_MOVES = BIT_OF_TURNS | 1 << SB_MG_FORWARD };

/* What takes a subgoal off the stack, and what has to be undone first. */
static const struct {
    int8_t done_by;
    uint8_t undoes; /* bit per action */
} reactions[SB_N_SUBGOALS] = {
    [SB_GO_NEXT_TO] = {SB_BOT_NOT_TOLD, 1 << SB_MG_PICKUP | 1 << SB_MG_DROP | 1 << SB_MG_TOGGLE},
    [SB_OPEN] = {SB_MG_TOGGLE, BIT_OF_MOVES | 1 << SB_MG_PICKUP | 1 << SB_MG_DROP},
    [SB_CLOSE] = {SB_MG_TOGGLE, BIT_OF_MOVES},
    [SB_PICK_UP] = {SB_MG_PICKUP, BIT_OF_TURNS},
    [SB_DROP] = {SB_MG_DROP, BIT_OF_MOVES},
    [SB_EXPLORE] = {SB_BOT_NOT_TOLD, 0},
};

static bool is_done_by_acting(sb_subgoal_kind kind) { return kind != SB_GO_NEXT_TO && kind != SB_EXPLORE; }

static void after(const call *c, int taken) {
    const sb_subgoal_kind kind = (sb_subgoal_kind)top(c)->kind;
    if (taken != SB_BOT_NOT_TOLD && taken != reactions[kind].done_by) {
        if (reactions[kind].undoes >> taken & 1) undo(c, taken);
    } else if (kind == SB_OPEN) {
        finish_open(c);
    } else if (is_done_by_acting(kind)) {
        pop(c);
    }
}

static bool is_exploratory(const sb_subgoal *s) {
    return s->kind == SB_EXPLORE || (s->kind == SB_GO_NEXT_TO && s->reason == SB_TO_EXPLORE);
}

/* ---- Before an action: doors and hands ---- */

static int misfit(const call *c) {
    if (!c->manner->is_forgiving) return give_up(c, SB_BOT_MISFIT);
    pop(c);
    return CHANGED_THE_STACK;
}

static const sb_mg_object *door_in_front(const call *c) {
    const sb_mg_object *object = sb_mg_in_front(c->w);
    return object && object->type == SB_MG_DOOR ? object : NULL;
}

static int before_close(const call *c) {
    const sb_mg_object *door = door_in_front(c);
    return door && door->open ? SB_MG_TOGGLE : misfit(c);
}

/* Goes for the key of the door in front and comes back; what is carried is put aside meanwhile. */
static int fetch_key(const call *c, const sb_mg_object *door) {
    const sb_xy front = sb_mg_front(c->w);
    const sb_target key = to_key(c, door->colour);
    const bool carrying = c->w->carried;
    const sb_target aside = carrying ? to_drop_cell(c, nowhere) : (sb_target){0};
    pop(c);
    if (carrying) push(c, SB_PICK_UP), push_go(c, aside, SB_NO_REASON);
    push(c, SB_OPEN);
    push_go_to_cell(c, front);
    push(c, SB_PICK_UP);
    push_go(c, key, SB_NO_REASON);
    if (carrying) push(c, SB_DROP), push_go(c, aside, SB_NO_REASON);
    return CHANGED_THE_STACK;
}

static int before_open(const call *c) {
    const sb_mg_object *door = door_in_front(c);
    if (!door || (door->open && !c->manner->closes_first)) return misfit(c);
    if (door->locked && !sb_mg_has_key_for(c->w, door)) return fetch_key(c, door);
    if (door->open) {
        push(c, SB_CLOSE);
        return CHANGED_THE_STACK;
    }
    if (door->locked && c->manner->drops_keys && top(c)->reason == SB_NO_REASON) {
        pop(c);
        push_open(c, SB_TO_UNLOCK);
        return CHANGED_THE_STACK;
    }
    return SB_MG_TOGGLE;
}

static int before_drop(const call *c) {
    return c->w->carried && sb_mg_empty(c->w, sb_mg_front(c->w)) ? SB_MG_DROP : misfit(c);
}

static int before_pick_up(const call *c) {
    if (!c->w->carried) return SB_MG_PICKUP;
    if (!c->manner->is_forgiving) return give_up(c, SB_BOT_MISFIT);
    push_go_to_cell(c, sb_mg_front(c->w));
    const sb_target aside = to_drop_cell(c, nowhere);
    push(c, SB_DROP);
    push_go(c, aside, SB_NO_REASON);
    return CHANGED_THE_STACK;
}

/* ---- Before an action: going somewhere ---- */

/* Where a subgoal leads to now. */
typedef struct aim {
    bool found;
    const sb_mg_object *object; /* NULL for a bare cell */
    sb_xy at;
} aim;

/* What a way costs in the eyes of the bots, who think of nothing but cells. */
static int length_of(const call *c, const sb_bot_way *way, bool beside) {
    int length = way->n;
    if (way->through_blockers) length += c->w->carried ? 7 : 4;
    if (length == 0) return beside ? 3 : 2;
    return beside && length == 1 ? 3 : length;
}

/* The nearest tracked object that is known. After a drop positions may belong to other objects than those beside
 * them (mission.h); it is published so. False: there is one that cannot be reached, or none was ever there. */
static bool find_nearest(const call *c, const sb_mg_description *d, bool beside, aim *nearest) {
    int least = 999;
    *nearest = (aim){0};
    for (int i = 0; i < d->n_objects && i < d->n_positions; i++) {
        const int id = d->objects[i];
        sb_bot_ground ground = c->ground;
        sb_bot_way way;
        if (id == SB_MG_A_WALL || id == c->w->carried || !sb_bot_knows(&ground, d->positions[i])) continue;
        const bool may_be_locked_in = c->manner->sees_all && c->w->objects[id].type == SB_MG_KEY;
        if (may_be_locked_in) ground.barred_colour = d->colour; /* its own door does not lead to a key */
        if (!sb_bot_find(&ground, sb_bot_is_place, d->positions[i], true, &way)) {
            if (may_be_locked_in && d->colour != SB_MG_ANY_COLOUR) continue;
            return false;
        }
        const int length = length_of(c, &way, beside);
        if (length >= least) continue;
        least = length;
        *nearest = (aim){.found = true, .object = &c->w->objects[id], .at = d->positions[i]};
    }
    return d->n_objects > 0;
}

static bool find_aim(const call *c, const sb_subgoal *s, aim *found) {
    const sb_mg_object *object = &c->w->objects[s->target.index];
    switch ((sb_target_kind)s->target.kind) {
    case SB_TARGET_NOWHERE: return false;
    case SB_TARGET_CELL: *found = (aim){.found = true, .at = s->target.cell}; return true;
    case SB_TARGET_OBJECT: *found = (aim){.found = true, .object = object, .at = object->remembered}; return true;
    default: return find_nearest(c, description_of(c, s->target), s->reason == SB_TO_PUT_NEXT, found);
    }
}

static int push_explore(const call *c) {
    push(c, SB_EXPLORE);
    return CHANGED_THE_STACK;
}

/* The agent stands where the target is, or too near to put something beside it. */
static int step_aside(const sb_mg_world *w) {
    if (sb_mg_passable(w, sb_mg_front(w))) return SB_MG_FORWARD;
    return sb_mg_passable(w, sb_mg_plus(w->agent, sb_mg_rightward(w), 1)) ? SB_MG_RIGHT : SB_MG_LEFT;
}

/* The target is beside the faced cell, and something is to be put there. In a doorway nothing can: then the bot goes on
 * to the room behind. False: something else stands there. */
static bool is_beside(const call *c) {
    const sb_mg_world *w = c->w;
    const sb_xy front = sb_mg_front(w);
    if (sb_mg_empty(w, front)) {
        pop(c);
        return true;
    }
    if (!sb_mg_passable(w, front)) return false;
    push_go_to_cell(c, sb_mg_plus(front, sb_mg_forward(w), 2));
    return true;
}

/* Whether a locked door on the way has to be opened first; then that is on the stack. */
static bool unlock_first(const call *c, const sb_bot_way *way, const sb_mg_object *target) {
    const sb_subgoal going = *top(c);
    for (int i = 0; i < way->n; i++) {
        const sb_mg_object *door = sb_mg_object_at(c->w, way->cell[i]);
        if (!door || !door->locked || door == target) continue;
        if (sb_mg_has_key_for(c->w, door)) return false;
        pop(c);
        push_subgoal(c, going);
        push(c, SB_OPEN);
        push_go(c, to_object(c, door), SB_TO_OPEN);
        return true;
    }
    return false;
}

/* Puts what stands in front somewhere else; what is carried is put down for that, and fetched again. */
static int clear_the_way(const call *c) {
    const sb_xy front = sb_mg_front(c->w);
    const sb_target aside = to_drop_cell(c, nowhere);
    if (c->w->carried) {
        const sb_target other = to_drop_cell(c, aside.kind == SB_TARGET_CELL ? aside.cell : nowhere);
        push(c, SB_PICK_UP);
        push_go(c, aside, SB_NO_REASON);
        push(c, SB_DROP);
        push_go(c, other, SB_NO_REASON);
        push(c, SB_PICK_UP);
        push_go_to_cell(c, front);
        push(c, SB_DROP);
        push_go(c, aside, SB_NO_REASON);
    } else {
        push(c, SB_DROP);
        push_go(c, aside, SB_NO_REASON);
        push(c, SB_PICK_UP);
    }
    return CHANGED_THE_STACK;
}

static int go_forward(const call *c) {
    const sb_mg_object *object = sb_mg_in_front(c->w);
    if (!object || object->open) return SB_MG_FORWARD;
    if (object->type != SB_MG_DOOR) return clear_the_way(c);
    if (object->locked) return give_up(c, SB_BOT_MISFIT);
    push(c, SB_OPEN);
    return CHANGED_THE_STACK;
}

/* Cells up to the wall or door on one side, as far as the view goes. */
static int free_cells(const sb_mg_world *w, int sign) {
    for (int k = 1; k <= SB_MG_VIEW_DEFAULT / 2; k++) {
        const int id = sb_mg_id_at(w, sb_mg_plus(w->agent, sb_mg_rightward(w), sign * k));
        if (id == SB_MG_A_WALL || w->objects[id].type == SB_MG_DOOR) return k;
    }
    return SB_MG_VIEW_DEFAULT / 2;
}

static int go_towards(const call *c, sb_xy next) {
    const sb_mg_world *w = c->w;
    if (sb_same(next, sb_mg_front(w))) return go_forward(c);
    if (sb_same(next, sb_mg_plus(w->agent, sb_mg_rightward(w), 1))) return SB_MG_RIGHT;
    if (sb_same(next, sb_mg_plus(w->agent, sb_mg_rightward(w), -1))) return SB_MG_LEFT;
    return free_cells(w, -1) > free_cells(w, 1) ? SB_MG_LEFT : SB_MG_RIGHT;
}

static bool find_way(const call *c, sb_xy to, sb_bot_way *way) {
    return (sb_bot_find(&c->ground, sb_bot_is_place, to, false, way) && way->n > 0) ||
           (sb_bot_find(&c->ground, sb_bot_is_place, to, true, way) && way->n > 0);
}

static int travel(const call *c, const aim *target) {
    sb_bot_way way;
    if (!find_way(c, target->at, &way)) return push_explore(c);
    if (c->manner->unlocks_early && unlock_first(c, &way, target->object)) return CHANGED_THE_STACK;
    return go_towards(c, way.cell[0]);
}

static int before_go(const call *c) {
    const sb_mg_world *w = c->w;
    const sb_reason reason = (sb_reason)top(c)->reason;
    aim target;
    if (!find_aim(c, top(c), &target)) return give_up(c, SB_BOT_MISFIT);
    if (!target.found) return push_explore(c);
    if (reason == SB_TO_OPEN && target.object && target.object->locked && !w->carried) {
        const sb_target key = to_key(c, target.object->colour);
        pop(c);
        push_go(c, to_object(c, target.object), SB_TO_OPEN);
        push(c, SB_PICK_UP);
        push_go(c, key, SB_NO_REASON);
        return CHANGED_THE_STACK;
    }
    if (sb_manhattan(target.at, w->agent) == (reason == SB_TO_PUT_NEXT)) return step_aside(w);
    if (reason == SB_TO_PUT_NEXT) {
        if (sb_manhattan(target.at, sb_mg_front(w)) == 1 && is_beside(c)) return CHANGED_THE_STACK;
    } else if (sb_same(target.at, sb_mg_front(w))) {
        pop(c);
        return CHANGED_THE_STACK;
    }
    return travel(c, &target);
}

/* ---- Before an action: exploring ---- */

static int before_explore(const call *c) {
    sb_bot_way way;
    if (sb_bot_find(&c->ground, sb_bot_is_unknown, nowhere, true, &way)) {
        push_go(c, to_cell(way.cell[way.n - 1]), SB_TO_EXPLORE);
        return CHANGED_THE_STACK;
    }
    if (!sb_bot_find(&c->ground, sb_bot_is_closed_door, nowhere, true, &way) &&
        !sb_bot_find(&c->ground, sb_bot_is_shut_door, nowhere, true, &way))
        return give_up(c, SB_BOT_EXPLORED);
    const sb_mg_object *door = sb_mg_object_at(c->w, way.cell[way.n - 1]);
    pop(c);
    push_open(c, door->locked && sb_mg_has_key_for(c->w, door) ? SB_TO_KEEP_KEY : SB_NO_REASON);
    push_go(c, to_object(c, door), SB_TO_OPEN);
    return CHANGED_THE_STACK;
}

/* ---- The call ---- */

static void look_around(const call *c) {
    sb_mg_sight sight;
    sb_mg_look(c->w, SB_MG_VIEW_DEFAULT, &sight);
    for (int j = 0; j < sight.size; j++)
        for (int i = 0; i < sight.size; i++) {
            const sb_xy cell = sb_mg_viewed(c->w, sight.size, i, j);
            if (sb_mg_sees(&sight, i, j) && sb_mg_inside(c->w, cell)) c->bot->known[sb_mg_index(c->w, cell)] = true;
        }
}

static int (*const before[SB_N_SUBGOALS])(const call *) = {
    [SB_GO_NEXT_TO] = before_go,   [SB_OPEN] = before_open, [SB_CLOSE] = before_close,
    [SB_PICK_UP] = before_pick_up, [SB_DROP] = before_drop, [SB_EXPLORE] = before_explore,
};

static int choose(const call *c) {
    for (int changes = 0; c->bot->n > 0; changes++) {
        if (changes == SB_BOT_CHANGES_MAX) return give_up(c, SB_BOT_RESTLESS);
        const int action = before[top(c)->kind](c);
        if (c->bot->trouble) return GAVE_UP;
        if (action != CHANGED_THE_STACK) return action;
    }
    return SB_MG_DONE;
}

static bool destroyed_a_box(const call *c, int taken) {
    return taken == SB_MG_TOGGLE && c->w->objects[c->bot->front].type == SB_MG_BOX;
}

static void remember(const call *c) {
    const sb_mg_object *door = door_in_front(c);
    c->bot->agent = c->w->agent;
    c->bot->carried = c->w->carried;
    c->bot->front = (uint8_t)(sb_mg_in_front(c->w) ? sb_mg_id_at(c->w, sb_mg_front(c->w)) : 0);
    if (door) c->bot->door_was_open = door->open;
}

sb_mg_action sb_bot_replan(sb_bot *bot, const sb_mg_world *w, int taken, sb_budget *budget) {
    const manner *manner = &manners[bot->kind];
    const call c = {.bot = bot,
                    .manner = manner,
                    .w = w,
                    .ground = {.world = w,
                               .known = manner->sees_all ? NULL : bot->known,
                               .through_doors = manner->sees_all,
                               .barred_colour = SB_MG_ANY_COLOUR,
                               .budget = budget}};
    if (bot->trouble) return SB_MG_DONE;
    if (!manner->sees_all) look_around(&c);
    if (destroyed_a_box(&c, taken)) return give_up(&c, SB_BOT_MISFIT), SB_MG_DONE;
    if (bot->n > 0) after(&c, taken);
    while (bot->n > 0 && is_exploratory(top(&c))) pop(&c);
    const int action = choose(&c);
    remember(&c);
    return action == GAVE_UP ? SB_MG_DONE : (sb_mg_action)action;
}
