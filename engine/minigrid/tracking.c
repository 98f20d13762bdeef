#include "engine/minigrid/tracking.h"

#include <string.h>

#include "base/error.h"

/* A function that is called for every single of a mission, first part first. It stops the walk by returning false. */
typedef bool visit(sb_mg_world *w, sb_mg_single *s, void *context);

static bool each_single(sb_mg_world *w, visit *visit, void *context) {
    sb_mg_mission *m = &w->mission;
    for (int p = 0; p < sb_mg_n_parts(m); p++)
        for (int i = 0; i < m->part[p].n_singles; i++)
            if (!visit(w, &m->part[p].single[i], context)) return false;
    return true;
}

/* ---- Matching ---------------------------------------------------------------------------------------------------- */

static int dot(sb_xy a, sb_xy b) { return a.x * b.x + a.y * b.y; }

/* An object ahead and to the left is both in front and on the left. */
bool sb_mg_is_located(const sb_mg_world *w, sb_mg_location location, sb_xy from, int facing, sb_xy at) {
    if (location == SB_MG_ANYWHERE) return true;
    const sb_xy way = sb_at(at.x - from.x, at.y - from.y);
    const int ahead = dot(way, sb_mg_forward_of[facing]), right = dot(way, sb_mg_forward_of[(facing + 1) & 3]);
    if (!sb_mg_in_room(w, sb_mg_room_of(w, from), at)) return false;
    switch (location) {
    case SB_MG_ON_LEFT: return right < 0;
    case SB_MG_ON_RIGHT: return right > 0;
    case SB_MG_IN_FRONT: return ahead > 0;
    default: return ahead < 0;
    }
}

/* Returns whether type and colour match; walls have both. */
static bool has_looks(const sb_mg_world *w, const sb_mg_description *d, int id) {
    if (id == SB_MG_NOTHING) return false;
    const int type = id == SB_MG_A_WALL ? SB_MG_WALL : w->objects[id].type;
    const int colour = id == SB_MG_A_WALL ? SB_MG_GREY : w->objects[id].colour;
    return (d->type == SB_MG_UNSEEN || d->type == type) && (d->colour == SB_MG_ANY_COLOUR || d->colour == colour);
}

/* Returns whether the object or wall on a cell matches; false for an empty cell. */
static bool means(const sb_mg_world *w, const sb_mg_description *d, sb_xy at) {
    return has_looks(w, d, sb_mg_id_at(w, at)) &&
           sb_mg_is_located(w, (sb_mg_location)d->location, w->agent, w->facing, at);
}

bool sb_mg_tracks(const sb_mg_description *d, int id) { return id && memchr(d->objects, id, d->n_objects); }

bool sb_mg_evaluate(const sb_mg_world *w, sb_mg_description *d) {
    *d = sb_mg_the((sb_mg_type)d->type, d->colour, (sb_mg_location)d->location);
    const bool walls = has_looks(w, d, SB_MG_A_WALL); /* walls are a third of all cells and hardly ever match */
    for (int x = 0; x < w->width; x++)
        for (int y = 0; y < w->height; y++) {
            const sb_xy at = sb_at(x, y);
            const int id = sb_mg_id_at(w, at);
            if (id == SB_MG_NOTHING || (id == SB_MG_A_WALL && !walls) || !means(w, d, at)) continue;
            if (d->n_objects == SB_MG_TRACKED_MAX) return false;
            d->objects[d->n_objects++] = (uint8_t)id;
            d->positions[d->n_positions++] = at;
            d->several = d->n_objects > 1;
        }
    return true;
}

static bool begin(sb_mg_world *w, sb_mg_single *s, void *context) {
    (void)context;
    s->held = 0, s->done = false;
    return sb_mg_evaluate(w, &s->what) && (s->verb != SB_MG_PUT_NEXT || sb_mg_evaluate(w, &s->to));
}

bool sb_mg_begin_tracking(sb_mg_world *w, sb_error *error) {
    sb_mg_mission *m = &w->mission;
    m->start = w->agent, m->start_facing = w->facing;
    m->part[0].done = m->part[1].done = false;
    return each_single(w, begin, NULL) ||
           sb_fail(error, SB_INVALID, "a description matches more than %d objects", SB_MG_TRACKED_MAX);
}

/* ---- Fairness ---------------------------------------------------------------------------------------------------- */

/* Returns whether no object would be put next to itself and none lies beside its place already. */
static bool is_apart(const sb_mg_single *s) {
    for (int i = 0; i < s->what.n_objects; i++) {
        if (sb_mg_tracks(&s->to, s->what.objects[i])) return false;
        for (int k = 0; k < s->to.n_objects; k++)
            if (sb_manhattan(s->what.positions[i], s->to.positions[k]) == 1) return false;
    }
    return true;
}

static bool opens_a_door(const sb_mg_world *w, const sb_mg_description *d) {
    if (d->type != SB_MG_KEY) return false;
    for (int id = 1; id <= w->n_objects; id++)
        if (w->objects[id].locked && w->objects[id].colour == d->colour) return true;
    return false;
}

static bool is_fair(sb_mg_world *w, sb_mg_single *s, void *context) {
    const bool *keys_matter = context;
    if (s->verb == SB_MG_PUT_NEXT && (!begin(w, s, NULL) || !is_apart(s))) return false;
    return !*keys_matter || (!opens_a_door(w, &s->what) && !opens_a_door(w, &s->to));
}

bool sb_mg_mission_is_fair(sb_mg_world *w, bool keys_matter) { return each_single(w, is_fair, &keys_matter); }

/* ---- Tracking ---------------------------------------------------------------------------------------------------- */

static bool scanned_before(sb_xy a, sb_xy b) { return a.x != b.x ? a.x < b.x : a.y < b.y; }

static void list_position(sb_mg_description *d, sb_xy at) {
    int i = d->n_positions++;
    for (; i > 0 && scanned_before(at, d->positions[i - 1]); i--) d->positions[i] = d->positions[i - 1];
    d->positions[i] = at;
}

/* Walls never move, so tracked walls stay in the list. */
static void keep_walls(const sb_mg_world *w, sb_mg_description *d) {
    int kept = 0;
    for (int i = 0; i < d->n_positions; i++)
        if (sb_mg_wall(w, d->positions[i])) d->positions[kept++] = d->positions[i];
    d->n_positions = (uint8_t)kept;
}

static void clear_after(sb_mg_description *d, int n) {
    for (int i = d->n_positions; i < n; i++) d->positions[i] = sb_at(0, 0);
}

static void refresh(const sb_mg_world *w, sb_mg_description *d) {
    const int before = d->n_positions;
    keep_walls(w, d);
    for (int i = 0; i < d->n_objects; i++) {
        const int id = d->objects[i];
        if (id != SB_MG_A_WALL && w->objects[id].on_grid) list_position(d, w->objects[id].at);
    }
    clear_after(d, before);
}

static bool refresh_single(sb_mg_world *w, sb_mg_single *s, void *context) {
    (void)context;
    refresh(w, &s->what);
    if (s->verb == SB_MG_PUT_NEXT) refresh(w, &s->to);
    return true;
}

void sb_mg_refresh(sb_mg_world *w) { each_single(w, refresh_single, NULL); }

/* ---- Judging ----------------------------------------------------------------------------------------------------- */

static bool listed(const sb_mg_description *d, sb_xy at) {
    for (int i = 0; i < d->n_positions; i++)
        if (sb_same(d->positions[i], at)) return true;
    return false;
}

static bool listed_beside(const sb_mg_description *d, sb_xy at) {
    for (int i = 0; i < d->n_positions; i++)
        if (sb_manhattan(d->positions[i], at) == 1) return true;
    return false;
}

static sb_mg_outcome judge_go_to(const sb_mg_world *w, const sb_mg_single *s) {
    return listed(&s->what, sb_mg_front(w)) ? SB_MG_SUCCEEDED : SB_MG_CONTINUES;
}

static sb_mg_outcome judge_open(const sb_mg_world *w, const sb_mg_single *s, sb_mg_action action) {
    if (action != SB_MG_TOGGLE) return SB_MG_CONTINUES;
    const sb_mg_object *o = sb_mg_in_front(w);
    if (o && o->open && sb_mg_tracks(&s->what, sb_mg_id_of(w, o))) return SB_MG_SUCCEEDED;
    return s->strict && o && o->type == SB_MG_DOOR ? SB_MG_FAILED : SB_MG_CONTINUES;
}

static sb_mg_outcome judge_pick_up(const sb_mg_world *w, sb_mg_single *s, sb_mg_action action) {
    const int held = s->held;
    s->held = w->carried;
    if (action != SB_MG_PICKUP) return SB_MG_CONTINUES;
    if (!held && sb_mg_tracks(&s->what, w->carried)) return SB_MG_SUCCEEDED;
    return s->strict && w->carried ? SB_MG_FAILED : SB_MG_CONTINUES;
}

static sb_mg_outcome judge_put_next(const sb_mg_world *w, sb_mg_single *s, sb_mg_action action) {
    const int held = s->held;
    s->held = w->carried;
    if (s->strict && action == SB_MG_PICKUP && w->carried) return SB_MG_FAILED;
    if (action != SB_MG_DROP || !sb_mg_tracks(&s->what, held)) return SB_MG_CONTINUES;
    return listed_beside(&s->to, w->objects[held].remembered) ? SB_MG_SUCCEEDED : SB_MG_CONTINUES;
}

static sb_mg_outcome judge_single(const sb_mg_world *w, sb_mg_single *s, sb_mg_action action) {
    switch (s->verb) {
    case SB_MG_GO_TO: return judge_go_to(w, s);
    case SB_MG_OPEN: return judge_open(w, s, action);
    case SB_MG_PICK_UP: return judge_pick_up(w, s, action);
    default: return judge_put_next(w, s, action);
    }
}

/* In an `and`, a failure has no effect. */
static sb_mg_outcome judge_part(const sb_mg_world *w, sb_mg_part *part, sb_mg_action action) {
    if (part->n_singles == 1) return judge_single(w, &part->single[0], action);
    for (int i = 0; i < 2; i++) {
        sb_mg_single *s = &part->single[i];
        if (!s->done) s->done = judge_single(w, s, action) == SB_MG_SUCCEEDED;
    }
    return part->single[0].done && part->single[1].done ? SB_MG_SUCCEEDED : SB_MG_CONTINUES;
}

sb_mg_outcome sb_mg_judge(sb_mg_world *w, sb_mg_action action) {
    sb_mg_mission *m = &w->mission;
    if (m->order == SB_MG_ALONE) return judge_part(w, &m->part[0], action);
    sb_mg_part *first = &m->part[sb_mg_turn(m, 0)], *second = &m->part[sb_mg_turn(m, 1)];
    if (!first->done) {
        const sb_mg_outcome outcome = judge_part(w, first, action);
        if (outcome != SB_MG_SUCCEEDED) return outcome;
        first->done = true; /* the same action is also judged for the second part */
    }
    return judge_part(w, second, action);
}
