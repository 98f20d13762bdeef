#include "oracles/babyai/subgoals.h"

#include "engine/minigrid/tracking.h"
#include "engine/minigrid/view.h"

/* ---- The stack ---- */

int sb_bot_give_up(const sb_bot_call *c, sb_bot_trouble trouble) {
    c->bot->trouble = (uint8_t)trouble;
    return SB_BOT_GAVE_UP;
}

static void push_subgoal(const sb_bot_call *c, sb_subgoal subgoal) {
    sb_bot *bot = c->bot;
    if (bot->n == SB_BOT_STACK_MAX) {
        sb_bot_give_up(c, SB_BOT_RESTLESS);
        return;
    }
    bot->stack[bot->n++] = subgoal;
    bot->pushes++;
}

void sb_bot_push(const sb_bot_call *c, sb_subgoal_kind kind) { push_subgoal(c, (sb_subgoal){.kind = (uint8_t)kind}); }

static void push_open(const sb_bot_call *c, sb_reason reason) {
    push_subgoal(c, (sb_subgoal){.kind = SB_OPEN, .reason = (uint8_t)reason});
}

void sb_bot_push_go(const sb_bot_call *c, sb_target target, sb_reason reason) {
    push_subgoal(c, (sb_subgoal){.kind = SB_GO_NEXT_TO, .reason = (uint8_t)reason, .target = target});
}

static sb_target to_object(const sb_bot_call *c, const sb_mg_object *object) {
    return (sb_target){.kind = SB_TARGET_OBJECT, .index = (uint8_t)sb_mg_id_of(c->w, object)};
}

void sb_bot_push_go_to_cell(const sb_bot_call *c, sb_xy cell) { sb_bot_push_go(c, sb_bot_to_cell(cell), SB_NO_REASON); }

static bool is_looked_for(const sb_bot *bot, int key) {
    for (int i = 0; i < bot->n; i++)
        if (bot->stack[i].target.kind == SB_TARGET_KEY && bot->stack[i].target.index == key) return true;
    return false;
}

/* Makes a target of the keys of a colour, as they lie now. */
static sb_target to_key(const sb_bot_call *c, uint8_t colour) {
    for (int i = 0; i < SB_BOT_KEYS_MAX; i++) {
        if (is_looked_for(c->bot, i)) continue;
        c->bot->keys[i] = sb_mg_the(SB_MG_KEY, colour, SB_MG_ANYWHERE);
        sb_mg_evaluate(c->w, &c->bot->keys[i]);
        return (sb_target){.kind = SB_TARGET_KEY, .index = (uint8_t)i};
    }
    sb_bot_give_up(c, SB_BOT_RESTLESS);
    return (sb_target){0};
}

sb_target sb_bot_to_drop_cell(const sb_bot_call *c, sb_xy except) {
    sb_xy cell;
    return sb_bot_find_drop_cell(&c->ground, except, &cell) ? sb_bot_to_cell(cell)
                                                            : (sb_target){.kind = SB_TARGET_NOWHERE};
}

const sb_mg_description *sb_bot_description(const sb_bot_call *c, sb_target target) {
    if (target.kind == SB_TARGET_KEY) return &c->bot->keys[target.index];
    const sb_mg_single *single = &c->w->mission.part[target.index / 4].single[target.index / 2 % 2];
    return target.index % 2 ? &single->to : &single->what;
}

/* ---- Doors and hands ---- */

static int misfit(const sb_bot_call *c) {
    if (!c->manner->is_forgiving) return sb_bot_give_up(c, SB_BOT_MISFIT);
    sb_bot_pop(c);
    return SB_BOT_CHANGED;
}

const sb_mg_object *sb_bot_door_in_front(const sb_mg_world *w) {
    const sb_mg_object *object = sb_mg_in_front(w);
    return object && object->type == SB_MG_DOOR ? object : NULL;
}

static int before_close(const sb_bot_call *c) {
    const sb_mg_object *door = sb_bot_door_in_front(c->w);
    return door && door->open ? SB_MG_TOGGLE : misfit(c);
}

/* Pushes subgoals to fetch the key of the door in front and come back; what is carried is put aside meanwhile. */
static int fetch_key(const sb_bot_call *c, const sb_mg_object *door) {
    const sb_xy front = sb_mg_front(c->w);
    const sb_target key = to_key(c, door->colour);
    const bool carrying = c->w->carried;
    const sb_target aside = carrying ? sb_bot_to_drop_cell(c, sb_bot_nowhere) : (sb_target){0};
    sb_bot_pop(c);
    if (carrying) sb_bot_push(c, SB_PICK_UP), sb_bot_push_go(c, aside, SB_NO_REASON);
    sb_bot_push(c, SB_OPEN);
    sb_bot_push_go_to_cell(c, front);
    sb_bot_push(c, SB_PICK_UP);
    sb_bot_push_go(c, key, SB_NO_REASON);
    if (carrying) sb_bot_push(c, SB_DROP), sb_bot_push_go(c, aside, SB_NO_REASON);
    return SB_BOT_CHANGED;
}

static int before_open(const sb_bot_call *c) {
    const sb_mg_object *door = sb_bot_door_in_front(c->w);
    if (!door || (door->open && !c->manner->closes_first)) return misfit(c);
    if (door->locked && !sb_mg_has_key_for(c->w, door)) return fetch_key(c, door);
    if (door->open) {
        sb_bot_push(c, SB_CLOSE);
        return SB_BOT_CHANGED;
    }
    if (door->locked && c->manner->drops_keys && sb_bot_top(c)->reason == SB_NO_REASON) {
        sb_bot_pop(c);
        push_open(c, SB_TO_UNLOCK);
        return SB_BOT_CHANGED;
    }
    return SB_MG_TOGGLE;
}

static int before_drop(const sb_bot_call *c) {
    return c->w->carried && sb_mg_empty(c->w, sb_mg_front(c->w)) ? SB_MG_DROP : misfit(c);
}

static int before_pick_up(const sb_bot_call *c) {
    if (!c->w->carried) return SB_MG_PICKUP;
    if (!c->manner->is_forgiving) return sb_bot_give_up(c, SB_BOT_MISFIT);
    sb_bot_push_go_to_cell(c, sb_mg_front(c->w));
    const sb_target aside = sb_bot_to_drop_cell(c, sb_bot_nowhere);
    sb_bot_push(c, SB_DROP);
    sb_bot_push_go(c, aside, SB_NO_REASON);
    return SB_BOT_CHANGED;
}

/* ---- Going somewhere ---- */

/* The place to which a subgoal leads now. */
typedef struct aim {
    bool found;
    const sb_mg_object *object; /* NULL for a cell without a target object */
    sb_xy at;
} aim;

/* Returns the length of a way as the bots count it: in cells, without turns. */
static int length_of(const sb_bot_call *c, const sb_bot_way *way, bool beside) {
    int length = way->n;
    if (way->through_blockers) length += c->w->carried ? 7 : 4;
    if (length == 0) return beside ? 3 : 2;
    return beside && length == 1 ? 3 : length;
}

/* Finds the nearest tracked object that is known. As published, positions may belong to other objects after a drop
 * (mission.h). False if one of them cannot be reached, or if nothing was ever tracked (unless the bot looks on). */
static bool find_nearest(const sb_bot_call *c, const sb_mg_description *d, bool beside, aim *nearest) {
    int least = 999;
    *nearest = (aim){0};
    for (int i = 0; i < d->n_objects && i < d->n_positions; i++) {
        const int id = d->objects[i];
        sb_bot_ground ground = c->ground;
        sb_bot_way way;
        if (id == SB_MG_A_WALL || id == c->w->carried || !sb_bot_knows(&ground, d->positions[i])) continue;
        const bool may_be_locked_in = c->manner->sees_all && c->w->objects[id].type == SB_MG_KEY;
        if (may_be_locked_in) ground.barred_colour = d->colour; /* the key's own door does not lead to the key */
        if (!sb_bot_find(&ground, sb_bot_is_place, d->positions[i], true, &way)) {
            if (may_be_locked_in && d->colour != SB_MG_ANY_COLOUR) continue;
            return false;
        }
        const int length = length_of(c, &way, beside);
        if (length >= least) continue;
        least = length;
        *nearest = (aim){.found = true, .object = &c->w->objects[id], .at = d->positions[i]};
    }
    return d->n_objects > 0 || c->manner->looks_on;
}

static bool find_aim(const sb_bot_call *c, const sb_subgoal *s, aim *found) {
    const sb_mg_object *object = &c->w->objects[s->target.index];
    switch ((sb_target_kind)s->target.kind) {
    case SB_TARGET_NOWHERE: return false;
    case SB_TARGET_CELL: *found = (aim){.found = true, .at = s->target.cell}; return true;
    case SB_TARGET_OBJECT: *found = (aim){.found = true, .object = object, .at = object->remembered}; return true;
    default: return find_nearest(c, sb_bot_description(c, s->target), s->reason == SB_TO_PUT_NEXT, found);
    }
}

static int push_explore(const sb_bot_call *c) {
    sb_bot_push(c, SB_EXPLORE);
    return SB_BOT_CHANGED;
}

/* The agent is in the target's cell, or too close to put something beside the target: moves away. */
static int step_aside(const sb_mg_world *w) {
    if (sb_mg_passable(w, sb_mg_front(w))) return SB_MG_FORWARD;
    return sb_mg_passable(w, sb_mg_plus(w->agent, sb_mg_rightward(w), 1)) ? SB_MG_RIGHT : SB_MG_LEFT;
}

/* The target is beside the cell in front, where something has to be put down. In a doorway that is impossible, so the
 * bot goes on to the room behind. False if something else is there. */
static bool is_beside(const sb_bot_call *c) {
    const sb_mg_world *w = c->w;
    const sb_xy front = sb_mg_front(w);
    if (sb_mg_empty(w, front)) {
        sb_bot_pop(c);
        return true;
    }
    if (!sb_mg_passable(w, front)) return false;
    sb_bot_push_go_to_cell(c, sb_mg_plus(front, sb_mg_forward(w), 2));
    return true;
}

/* If a locked door on the way has to be opened first, pushes that and returns true. */
static bool unlock_first(const sb_bot_call *c, const sb_bot_way *way, const sb_mg_object *target) {
    const sb_subgoal going = *sb_bot_top(c);
    for (int i = 0; i < way->n; i++) {
        const sb_mg_object *door = sb_mg_object_at(c->w, way->cell[i]);
        if (!door || !door->locked || door == target) continue;
        if (sb_mg_has_key_for(c->w, door)) return false;
        sb_bot_pop(c);
        push_subgoal(c, going);
        sb_bot_push(c, SB_OPEN);
        sb_bot_push_go(c, to_object(c, door), SB_TO_OPEN);
        return true;
    }
    return false;
}

/* Pushes subgoals to move the thing in front out of the way; what is carried is put down for that and fetched again. */
static int clear_the_way(const sb_bot_call *c) {
    const sb_xy front = sb_mg_front(c->w);
    const sb_target aside = sb_bot_to_drop_cell(c, sb_bot_nowhere);
    if (c->w->carried) {
        const sb_target other = sb_bot_to_drop_cell(c, aside.kind == SB_TARGET_CELL ? aside.cell : sb_bot_nowhere);
        sb_bot_push(c, SB_PICK_UP);
        sb_bot_push_go(c, aside, SB_NO_REASON);
        sb_bot_push(c, SB_DROP);
        sb_bot_push_go(c, other, SB_NO_REASON);
        sb_bot_push(c, SB_PICK_UP);
        sb_bot_push_go_to_cell(c, front);
        sb_bot_push(c, SB_DROP);
        sb_bot_push_go(c, aside, SB_NO_REASON);
    } else {
        sb_bot_push(c, SB_DROP);
        sb_bot_push_go(c, aside, SB_NO_REASON);
        sb_bot_push(c, SB_PICK_UP);
    }
    return SB_BOT_CHANGED;
}

static int go_forward(const sb_bot_call *c) {
    const sb_mg_object *object = sb_mg_in_front(c->w);
    if (!object || object->open) return SB_MG_FORWARD;
    if (object->type != SB_MG_DOOR) return clear_the_way(c);
    if (object->locked) return sb_bot_give_up(c, SB_BOT_MISFIT);
    sb_bot_push(c, SB_OPEN);
    return SB_BOT_CHANGED;
}

/* Counts the cells to the wall or door on one side, as far as the view reaches. */
static int free_cells(const sb_mg_world *w, int sign) {
    for (int k = 1; k <= SB_MG_VIEW_DEFAULT / 2; k++) {
        const int id = sb_mg_id_at(w, sb_mg_plus(w->agent, sb_mg_rightward(w), sign * k));
        if (id == SB_MG_A_WALL || w->objects[id].type == SB_MG_DOOR) return k;
    }
    return SB_MG_VIEW_DEFAULT / 2;
}

static int go_towards(const sb_bot_call *c, sb_xy next) {
    const sb_mg_world *w = c->w;
    if (sb_same(next, sb_mg_front(w))) return go_forward(c);
    if (sb_same(next, sb_mg_plus(w->agent, sb_mg_rightward(w), 1))) return SB_MG_RIGHT;
    if (sb_same(next, sb_mg_plus(w->agent, sb_mg_rightward(w), -1))) return SB_MG_LEFT;
    return free_cells(w, -1) > free_cells(w, 1) ? SB_MG_LEFT : SB_MG_RIGHT;
}

static bool find_way(const sb_bot_call *c, sb_xy to, sb_bot_way *way) {
    return (sb_bot_find(&c->ground, sb_bot_is_place, to, false, way) && way->n > 0) ||
           (sb_bot_find(&c->ground, sb_bot_is_place, to, true, way) && way->n > 0);
}

static int travel(const sb_bot_call *c, const aim *target) {
    sb_bot_way way;
    if (!find_way(c, target->at, &way)) return push_explore(c);
    if (c->manner->unlocks_early && unlock_first(c, &way, target->object)) return SB_BOT_CHANGED;
    return go_towards(c, way.cell[0]);
}

static int before_go(const sb_bot_call *c) {
    const sb_mg_world *w = c->w;
    const sb_reason reason = (sb_reason)sb_bot_top(c)->reason;
    aim target;
    if (!find_aim(c, sb_bot_top(c), &target)) return sb_bot_give_up(c, SB_BOT_MISFIT);
    if (!target.found) return push_explore(c);
    if (reason == SB_TO_OPEN && target.object && target.object->locked && !w->carried) {
        const sb_target key = to_key(c, target.object->colour);
        sb_bot_pop(c);
        sb_bot_push_go(c, to_object(c, target.object), SB_TO_OPEN);
        sb_bot_push(c, SB_PICK_UP);
        sb_bot_push_go(c, key, SB_NO_REASON);
        return SB_BOT_CHANGED;
    }
    if (sb_manhattan(target.at, w->agent) == (reason == SB_TO_PUT_NEXT)) return step_aside(w);
    if (reason == SB_TO_PUT_NEXT) {
        if (sb_manhattan(target.at, sb_mg_front(w)) == 1 && is_beside(c)) return SB_BOT_CHANGED;
    } else if (sb_same(target.at, sb_mg_front(w))) {
        sb_bot_pop(c);
        return SB_BOT_CHANGED;
    }
    return travel(c, &target);
}

/* ---- Exploring ---- */

static int before_explore(const sb_bot_call *c) {
    sb_bot_way way;
    if (sb_bot_find(&c->ground, sb_bot_is_unknown, sb_bot_nowhere, true, &way)) {
        sb_bot_push_go(c, sb_bot_to_cell(way.cell[way.n - 1]), SB_TO_EXPLORE);
        return SB_BOT_CHANGED;
    }
    if (!sb_bot_find(&c->ground, sb_bot_is_closed_door, sb_bot_nowhere, true, &way) &&
        !sb_bot_find(&c->ground, sb_bot_is_shut_door, sb_bot_nowhere, true, &way))
        return sb_bot_give_up(c, SB_BOT_EXPLORED);
    const sb_mg_object *door = sb_mg_object_at(c->w, way.cell[way.n - 1]);
    sb_bot_pop(c);
    push_open(c, door->locked && sb_mg_has_key_for(c->w, door) ? SB_TO_KEEP_KEY : SB_NO_REASON);
    sb_bot_push_go(c, to_object(c, door), SB_TO_OPEN);
    return SB_BOT_CHANGED;
}

static int (*const before[SB_N_SUBGOALS])(const sb_bot_call *) = {
    [SB_GO_NEXT_TO] = before_go,   [SB_OPEN] = before_open, [SB_CLOSE] = before_close,
    [SB_PICK_UP] = before_pick_up, [SB_DROP] = before_drop, [SB_EXPLORE] = before_explore,
};

int sb_bot_ask(const sb_bot_call *c) { return before[sb_bot_top(c)->kind](c); }
