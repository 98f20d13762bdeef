#include "oracles/babyai/bot.h"

#include <stdio.h>
#include <string.h>

#include "engine/minigrid/view.h"
#include "oracles/babyai/subgoals.h"

static const sb_bot_manner manners[SB_N_BOTS] = {
    [SB_BOT_PUBLISHED] = {.closes_first = true, .drops_keys = true},
    [SB_BOT_OMNIBOT] = {.sees_all = true, .is_forgiving = true, .unlocks_early = true},
    [SB_BOT_ON_CHART] = {.closes_first = true, .drops_keys = true, .looks_on = true},
};

static sb_bot_call call_of(sb_bot *bot, const sb_mg_world *w, sb_budget *budget) {
    const sb_bot_manner *manner = &manners[bot->kind];
    return (sb_bot_call){.bot = bot,
                         .manner = manner,
                         .w = w,
                         .ground = {.world = w,
                                    .known = manner->sees_all ? NULL : bot->known,
                                    .through_doors = manner->sees_all,
                                    .barred_colour = SB_MG_ANY_COLOUR,
                                    .budget = budget}};
}

/* ---- The plan to begin with ---- */

static sb_target to_mission(int part, int single, bool second) {
    return (sb_target){.kind = SB_TARGET_MISSION, .index = (uint8_t)(part * 4 + single * 2 + second)};
}

static void push_single(const sb_bot_call *c, int part, int single) {
    const sb_target what = to_mission(part, single, false), to = to_mission(part, single, true);
    switch ((sb_mg_verb)c->w->mission.part[part].single[single].verb) {
    case SB_MG_GO_TO: sb_bot_push_go(c, what, SB_NO_REASON); break;
    case SB_MG_OPEN:
        sb_bot_push(c, SB_OPEN);
        sb_bot_push_go(c, what, SB_TO_OPEN);
        break;
    case SB_MG_PICK_UP:
        sb_bot_push(c, SB_DROP);
        sb_bot_push(c, SB_PICK_UP);
        sb_bot_push_go(c, what, SB_NO_REASON);
        break;
    case SB_MG_PUT_NEXT:
        sb_bot_push(c, SB_DROP);
        sb_bot_push_go(c, to, SB_TO_PUT_NEXT);
        sb_bot_push(c, SB_PICK_UP);
        sb_bot_push_go(c, what, SB_NO_REASON);
        break;
    }
}

void sb_bot_begin(sb_bot *bot, sb_bot_kind kind, const sb_mg_world *w) {
    const sb_bot_call c = {.bot = bot, .w = w};
    *bot = (sb_bot){.kind = (uint8_t)kind};
    for (int i = sb_mg_n_parts(&w->mission) - 1; i >= 0; i--) {
        const int part = sb_mg_turn(&w->mission, i);
        for (int single = w->mission.part[part].n_singles - 1; single >= 0; single--) push_single(&c, part, single);
    }
}

void sb_bot_begin_on_chart(sb_bot *bot, const sb_mg_world *w, const bool known[SB_MG_CELLS_MAX], sb_budget *budget) {
    sb_bot_begin(bot, SB_BOT_ON_CHART, w);
    memcpy(bot->known, known, sizeof bot->known);
    if (!w->carried) return;
    const sb_bot_call c = call_of(bot, w, budget);
    const sb_target cell = sb_bot_to_drop_cell(&c, sb_bot_nowhere);
    sb_bot_push(&c, SB_DROP);
    sb_bot_push_go(&c, cell, SB_NO_REASON);
}

/* ---- After an action ---- */

static void undo_toggle(const sb_bot_call *c) {
    const sb_mg_object *door = sb_mg_in_front(c->w);
    if (door && door->type == SB_MG_DOOR && door->open != c->bot->door_was_open)
        sb_bot_push(c, door->open ? SB_CLOSE : SB_OPEN);
}

/* Plans to undo an action that was not the suggested one. */
static void undo(const sb_bot_call *c, int taken) {
    const sb_mg_world *w = c->w;
    switch (taken) {
    case SB_MG_LEFT: sb_bot_push_go_to_cell(c, sb_mg_plus(w->agent, sb_mg_rightward(w), 1)); break;
    case SB_MG_RIGHT: sb_bot_push_go_to_cell(c, sb_mg_plus(w->agent, sb_mg_rightward(w), -1)); break;
    case SB_MG_FORWARD:
        if (!sb_same(w->agent, c->bot->agent)) sb_bot_push_go_to_cell(c, w->agent); /* as published */
        break;
    case SB_MG_PICKUP:
        if (w->carried != c->bot->carried) sb_bot_push(c, SB_DROP);
        break;
    case SB_MG_DROP:
        if (w->carried != c->bot->carried) sb_bot_push(c, SB_PICK_UP);
        break;
    case SB_MG_TOGGLE: undo_toggle(c); break;
    default: break;
    }
}

static void finish_open(const sb_bot_call *c) {
    const bool unlocked = sb_bot_top(c)->reason == SB_TO_UNLOCK;
    sb_bot_pop(c);
    if (!unlocked || !c->manner->drops_keys) return;
    const sb_target cell = sb_bot_to_drop_cell(c, sb_bot_nowhere);
    sb_bot_push(c, SB_DROP);
    sb_bot_push_go(c, cell, SB_NO_REASON);
}

enum { BIT_OF_TURNS = 1 << SB_MG_LEFT | 1 << SB_MG_RIGHT, BIT_OF_MOVES = BIT_OF_TURNS | 1 << SB_MG_FORWARD };

/* The action that completes a subgoal, and the actions that have to be undone first. */
static const struct {
    int8_t done_by;
    uint8_t undoes; /* actions that have to be undone, one bit each */
} reactions[SB_N_SUBGOALS] = {
    [SB_GO_NEXT_TO] = {SB_BOT_NOT_TOLD, 1 << SB_MG_PICKUP | 1 << SB_MG_DROP | 1 << SB_MG_TOGGLE},
    [SB_OPEN] = {SB_MG_TOGGLE, BIT_OF_MOVES | 1 << SB_MG_PICKUP | 1 << SB_MG_DROP},
    [SB_CLOSE] = {SB_MG_TOGGLE, BIT_OF_MOVES},
    [SB_PICK_UP] = {SB_MG_PICKUP, BIT_OF_TURNS},
    [SB_DROP] = {SB_MG_DROP, BIT_OF_MOVES},
    [SB_EXPLORE] = {SB_BOT_NOT_TOLD, 0},
};

static bool is_done_by_acting(sb_subgoal_kind kind) { return kind != SB_GO_NEXT_TO && kind != SB_EXPLORE; }

static void after(const sb_bot_call *c, int taken) {
    const sb_subgoal_kind kind = (sb_subgoal_kind)sb_bot_top(c)->kind;
    if (taken != SB_BOT_NOT_TOLD && taken != reactions[kind].done_by) {
        if (reactions[kind].undoes >> taken & 1) undo(c, taken);
    } else if (kind == SB_OPEN) {
        finish_open(c);
    } else if (is_done_by_acting(kind)) {
        sb_bot_pop(c);
    }
}

static bool is_exploratory(const sb_subgoal *s) {
    return s->kind == SB_EXPLORE || (s->kind == SB_GO_NEXT_TO && s->reason == SB_TO_EXPLORE);
}

/* ---- The call ---- */

static void look_around(const sb_bot_call *c) {
    sb_mg_visibility visibility;
    sb_mg_look(c->w, SB_MG_VIEW_DEFAULT, &visibility);
    for (int j = 0; j < visibility.size; j++)
        for (int i = 0; i < visibility.size; i++) {
            const sb_xy cell = sb_mg_viewed(c->w, visibility.size, i, j);
            if (sb_mg_sees(&visibility, i, j) && sb_mg_inside(c->w, cell))
                c->bot->known[sb_mg_index(c->w, cell)] = true;
        }
}

static int choose(const sb_bot_call *c) {
    for (int changes = 0; c->bot->n > 0; changes++) {
        if (changes == SB_BOT_CHANGES_MAX) return sb_bot_give_up(c, SB_BOT_RESTLESS);
        const int action = sb_bot_ask(c);
        if (c->bot->trouble) return SB_BOT_GAVE_UP;
        if (action != SB_BOT_CHANGED) return action;
    }
    return SB_MG_DONE;
}

static bool destroyed_a_box(const sb_bot_call *c, int taken) {
    return taken == SB_MG_TOGGLE && c->w->objects[c->bot->front].type == SB_MG_BOX;
}

static void remember(const sb_bot_call *c) {
    const sb_mg_object *door = sb_bot_door_in_front(c->w);
    c->bot->agent = c->w->agent;
    c->bot->carried = c->w->carried;
    c->bot->front = (uint8_t)(sb_mg_in_front(c->w) ? sb_mg_id_at(c->w, sb_mg_front(c->w)) : 0);
    if (door) c->bot->door_was_open = door->open;
}

sb_mg_action sb_bot_replan(sb_bot *bot, const sb_mg_world *w, int taken, sb_budget *budget) {
    const sb_bot_call c = call_of(bot, w, budget);
    if (bot->trouble) return SB_MG_DONE;
    if (!c.manner->sees_all) look_around(&c);
    if (destroyed_a_box(&c, taken)) return sb_bot_give_up(&c, SB_BOT_MISFIT), SB_MG_DONE;
    if (bot->n > 0) after(&c, taken);
    while (bot->n > 0 && is_exploratory(sb_bot_top(&c))) sb_bot_pop(&c);
    const int action = choose(&c);
    remember(&c);
    return action == SB_BOT_GAVE_UP ? SB_MG_DONE : (sb_mg_action)action;
}

/* ---- The intent ---- */

static const char *const troubles[] = {[SB_BOT_MISFIT] = "a subgoal is impossible",
                                       [SB_BOT_EXPLORED] = "all was explored",
                                       [SB_BOT_RESTLESS] = "the plan never ends"};

static void intend(sb_intent *intent, const char *verb, int colour, int type, sb_xy at) {
    const char *noun = type == SB_MG_UNSEEN ? "object" : sb_mg_type_names[type];
    char name[sizeof intent->object];
    if (colour == SB_MG_ANY_COLOUR)
        snprintf(name, sizeof name, "%s", noun);
    else
        snprintf(name, sizeof name, "%s %s", sb_mg_colour_names[colour], noun);
    sb_intend(intent, verb, name, at);
}

static void explain_going(const sb_bot_call *c, const sb_target *target, sb_intent *intent) {
    static const char verb[] = "go to";
    if (target->kind == SB_TARGET_CELL) {
        sb_intend(intent, verb, "cell", target->cell);
    } else if (target->kind == SB_TARGET_OBJECT) {
        const sb_mg_object *object = &c->w->objects[target->index];
        intend(intent, verb, object->colour, object->type, object->remembered);
    } else {
        const sb_mg_description *d = sb_bot_description(c, *target);
        intend(intent, verb, d->colour, d->type, d->n_positions == 1 ? d->positions[0] : sb_bot_nowhere);
    }
}

/* Explains what the agent does with the thing in front of it or in its hands. */
static void explain_handling(const sb_mg_world *w, sb_subgoal_kind kind, sb_intent *intent) {
    static const char *const verbs[SB_N_SUBGOALS] = {
        [SB_OPEN] = "open", [SB_CLOSE] = "close", [SB_PICK_UP] = "pick up", [SB_DROP] = "drop"};
    const sb_mg_object *thing = kind == SB_DROP ? sb_mg_carrying(w) : sb_mg_in_front(w);
    if (thing)
        intend(intent, verbs[kind], thing->colour, thing->type, sb_mg_front(w));
    else
        sb_intend(intent, verbs[kind], "empty cell", sb_mg_front(w));
}

void sb_bot_explain(const sb_bot *bot, const sb_mg_world *w, sb_intent *intent) {
    const sb_bot_call c = {.bot = (sb_bot *)(uintptr_t)bot, .w = w}; /* not written to */
    if (bot->trouble)
        sb_give_up(intent, troubles[bot->trouble]);
    else if (bot->n == 0)
        sb_intend(intent, "wait for", "end of the episode", sb_bot_nowhere);
    else if (sb_bot_top(&c)->kind == SB_GO_NEXT_TO)
        explain_going(&c, &sb_bot_top(&c)->target, intent);
    else
        explain_handling(w, (sb_subgoal_kind)sb_bot_top(&c)->kind, intent);
}
