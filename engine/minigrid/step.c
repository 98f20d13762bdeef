#include "engine/minigrid/minigrid.h"

#include "engine/minigrid/tracking.h"

static void pick_up(sb_mg_world *w, int id) {
    if (w->carried || !sb_mg_is_object(id) || !sb_mg_movable(&w->objects[id])) return;
    sb_mg_remove(w, id);
    w->objects[id].remembered = sb_at(-1, -1);
    w->carried = (uint8_t)id;
}

static void drop(sb_mg_world *w, sb_xy at, int id) {
    if (!w->carried || id != SB_MG_NOTHING) return;
    sb_mg_put(w, w->carried, at);
    w->carried = 0;
}

static void toggle_door(const sb_mg_world *w, sb_mg_object *door) {
    if (door->locked && !sb_mg_has_key_for(w, door)) return;
    door->open = !door->open, door->locked = false;
}

/* Opening destroys the box. The object that comes out does not remember its cell. */
static void open_box(sb_mg_world *w, int id) {
    const int content = w->objects[id].content;
    const sb_xy at = w->objects[id].at;
    sb_mg_remove(w, id);
    w->objects[id].content = 0;
    if (content) sb_mg_lay(w, content, at);
}

static void toggle(sb_mg_world *w, int id) {
    if (!sb_mg_is_object(id)) return;
    if (w->objects[id].type == SB_MG_DOOR) toggle_door(w, &w->objects[id]);
    if (w->objects[id].type == SB_MG_BOX) open_box(w, id);
}

static void carry_out(sb_mg_world *w, sb_mg_action action) {
    const sb_xy front = sb_mg_front(w);
    const int id = sb_mg_id_at(w, front);
    switch (action) {
    case SB_MG_LEFT: w->facing = (w->facing + 3) & 3; break;
    case SB_MG_RIGHT: w->facing = (w->facing + 1) & 3; break;
    case SB_MG_FORWARD:
        if (sb_mg_id_passable(w, id)) w->agent = front;
        break;
    case SB_MG_PICKUP: pick_up(w, id); break;
    case SB_MG_DROP: drop(w, front, id); break;
    case SB_MG_TOGGLE: toggle(w, id); break;
    default: break;
    }
}

void sb_mg_step(sb_mg_world *w, sb_mg_action action, sb_result *result) {
    w->steps++;
    carry_out(w, action);
    if (action == SB_MG_DROP) sb_mg_refresh(w);
    const sb_mg_outcome outcome = sb_mg_judge(w, action);
    result->success = outcome == SB_MG_SUCCEEDED;
    result->terminated = outcome != SB_MG_CONTINUES;
    result->truncated = w->steps >= w->max_steps;
    /* The order of these operations matters: recordings hold every bit. */
    result->reward = result->success ? 1 - 0.9 * ((double)w->steps / w->max_steps) : 0;
    result->dense = result->reward;
}

/* Returns whether a single is strict. A strict single judges attempts even if they change nothing. */
static bool is_strict(const sb_mg_mission *m) {
    for (int p = 0; p < sb_mg_n_parts(m); p++)
        for (int i = 0; i < m->part[p].n_singles; i++)
            if (m->part[p].single[i].strict) return true;
    return false;
}

unsigned sb_mg_valid(const sb_mg_world *w) {
    const int id = sb_mg_id_at(w, sb_mg_front(w));
    const sb_mg_object *o = sb_mg_is_object(id) ? &w->objects[id] : NULL;
    const bool strict = is_strict(&w->mission);
    unsigned mask = 1u << SB_MG_LEFT | 1u << SB_MG_RIGHT;
    /* The agent may start in front of what it must go to. Then even an action that changes nothing completes the
     * mission, so all are valid in the first step. */
    if (w->steps == 0) return (1u << SB_MG_N_ACTIONS) - 1;
    if (sb_mg_id_passable(w, id)) mask |= 1u << SB_MG_FORWARD;
    if (o && sb_mg_movable(o) && !w->carried) mask |= 1u << SB_MG_PICKUP;
    if (id == SB_MG_NOTHING && w->carried) mask |= 1u << SB_MG_DROP;
    if (o && (o->type == SB_MG_BOX || (o->type == SB_MG_DOOR && (!o->locked || sb_mg_has_key_for(w, o)))))
        mask |= 1u << SB_MG_TOGGLE;
    if (strict) mask |= 1u << SB_MG_PICKUP | 1u << SB_MG_TOGGLE;
    return mask;
}

/* ---- Effects ---- */

/* What the text of a mission says that decides whether attempts count. */
typedef struct asked {
    bool opens, carries;     /* some part asks to open; some part asks to pick up or to put next to something */
    unsigned types;          /* bit t: some description names type t */
    bool boxes_or_any_thing; /* some description may match boxes, which can be destroyed */
} asked;

static void note_description(asked *a, const sb_mg_description *d) {
    a->types |= 1u << d->type;
    a->boxes_or_any_thing |= d->type == SB_MG_BOX || d->type == SB_MG_UNSEEN;
}

static asked what_is_asked(const sb_mg_mission *m) {
    asked a = {0};
    for (int p = 0; p < sb_mg_n_parts(m); p++)
        for (int i = 0; i < m->part[p].n_singles; i++) {
            const sb_mg_single *s = &m->part[p].single[i];
            a.opens |= s->verb == SB_MG_OPEN;
            a.carries |= s->verb == SB_MG_PICK_UP || s->verb == SB_MG_PUT_NEXT;
            note_description(&a, &s->what);
            if (s->verb == SB_MG_PUT_NEXT) note_description(&a, &s->to);
        }
    return a;
}

/* What a mission tracks, and how far it is, is hidden, so its text alone must prove that an attempt that changes
 * nothing in the world counts for nothing. Attempts can count in these ways (engine/minigrid/tracking.h):
 * - `done` and every other action are judged alike by a mission to go somewhere;
 * - a pickup with full hands is judged by missions that ask to carry something;
 * - a toggle of a locked door is judged by missions that ask to open one;
 * - a drop makes the mission look again where its things are. That changes what it knows of a thing that is carried,
 *   and of boxes that were destroyed. */
unsigned sb_mg_effective(const sb_mg_world *w) {
    const int id = sb_mg_id_at(w, sb_mg_front(w));
    const sb_mg_object *o = sb_mg_is_object(id) ? &w->objects[id] : NULL, *held = sb_mg_carrying(w);
    const bool is_door = o && o->type == SB_MG_DOOR;
    const asked a = what_is_asked(&w->mission);
    unsigned mask = 1u << SB_MG_LEFT | 1u << SB_MG_RIGHT | 1u << SB_MG_DONE;
    if (sb_mg_id_passable(w, id)) mask |= 1u << SB_MG_FORWARD;
    if (held ? a.carries : o && sb_mg_movable(o)) mask |= 1u << SB_MG_PICKUP;
    if (a.boxes_or_any_thing || (held && (id == SB_MG_NOTHING || a.types >> held->type & 1))) mask |= 1u << SB_MG_DROP;
    if (o && (o->type == SB_MG_BOX || (is_door && (a.opens || !o->locked || sb_mg_has_key_for(w, o)))))
        mask |= 1u << SB_MG_TOGGLE;
    return mask;
}
