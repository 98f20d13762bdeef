#include "oracles/babyai/search_state.h"

#include <string.h>

/* ---- The scene ---- */

static void add_single(sb_search_scene *scene, const sb_mg_single *single, int i) {
    scene->aim[i] = (sb_aim){.verb = single->verb, .strict = single->strict};
    for (int k = 0; k < single->what.n_objects; k++)
        if (single->what.objects[k] != SB_MG_A_WALL) scene->roles[single->what.objects[k]] |= SB_ROLE_WHAT << 2 * i;
    for (int k = 0; k < single->to.n_objects; k++)
        if (single->to.objects[k] != SB_MG_A_WALL) scene->roles[single->to.objects[k]] |= SB_ROLE_TO << 2 * i;
}

static uint8_t add_part(sb_search_scene *scene, const sb_mg_part *part, int turn, sb_search_state *start) {
    uint8_t bits = 0;
    for (int i = 0; i < part->n_singles; i++) {
        add_single(scene, &part->single[i], 2 * turn + i);
        bits |= 1 << (2 * turn + i);
        if (part->done || (part->n_singles > 1 && part->single[i].done)) start->done |= 1 << (2 * turn + i);
    }
    return bits;
}

static bool add_doors(sb_search_scene *scene, const sb_mg_world *w, sb_search_state *start) {
    for (int id = 1; id <= w->n_objects; id++) {
        const sb_mg_object *o = &w->objects[id];
        if (o->type != SB_MG_DOOR || !o->on_grid) continue;
        if (scene->n_doors == SB_DOORS_MAX) return false;
        scene->door_number[id] = (uint8_t)scene->n_doors;
        start->open |= (uint32_t)o->open << scene->n_doors;
        start->locked |= (uint32_t)o->locked << scene->n_doors;
        scene->doors[scene->n_doors++] = (uint8_t)id;
    }
    return true;
}

/* Returns the cell where the description still lists the object, although it is carried. */
static int listed_by(const sb_mg_world *w, const sb_mg_description *d, int id) {
    if (!sb_mg_tracks(d, id)) return 0;
    for (int k = 0; k < d->n_positions; k++) {
        const int there = sb_mg_id_at(w, d->positions[k]);
        if (!sb_mg_is_object(there) || !sb_mg_tracks(d, there)) return sb_mg_index(w, d->positions[k]);
    }
    return 0;
}

static void recall(const sb_mg_world *w, const sb_mg_part *part, sb_search_state *start) {
    for (int i = 0; i < part->n_singles; i++) {
        const sb_mg_single *single = &part->single[i];
        if (start->carried && !start->listed) start->listed = (uint16_t)listed_by(w, &single->what, start->carried);
        if (start->carried && !start->listed) start->listed = (uint16_t)listed_by(w, &single->to, start->carried);
    }
}

bool sb_scene_begin(sb_search_scene *scene, const sb_mg_world *w, sb_search_state *start) {
    const sb_mg_mission *m = &w->mission;
    *scene = (sb_search_scene){.world = w, .cells = sb_mg_n_cells(w), .step = {1, w->width, -1, -w->width}};
    *start = (sb_search_state){.at = (uint16_t)sb_mg_index(w, w->agent), .facing = w->facing, .carried = w->carried};
    for (int turn = 0; turn < sb_mg_n_parts(m); turn++) {
        const sb_mg_part *part = &m->part[sb_mg_turn(m, turn)];
        scene->part[turn] = add_part(scene, part, turn, start);
        recall(w, part, start);
    }
    start->unseen = w->carried && w->steps == 0;
    return add_doors(scene, w, start);
}

/* ---- Places of things ---- */

static const sb_moved *find_moved(const sb_search_state *s, int id) {
    for (uint32_t i = 0; i < s->n_moved; i++)
        if (s->moved[i].id == id) return &s->moved[i];
    return NULL;
}

int sb_id_at(const sb_search_scene *scene, const sb_search_state *s, int cell) {
    const int id = scene->world->cells[cell];
    if (id == SB_MG_A_WALL) return id;
    for (uint32_t i = 0; i < s->n_moved; i++)
        if (s->moved[i].cell == cell) return s->moved[i].id;
    return s->n_moved && sb_mg_is_object(id) && find_moved(s, id) ? SB_MG_NOTHING : id;
}

/* Returns the cell of an object; 0 if it is carried, inside a box or destroyed. */
static int cell_of(const sb_search_scene *scene, const sb_search_state *s, int id) {
    const sb_moved *moved = find_moved(s, id);
    const sb_mg_object *o = &scene->world->objects[id];
    return moved ? moved->cell : o->on_grid ? sb_mg_index(scene->world, o->at) : 0;
}

static void forget(sb_search_state *s, int id) {
    uint32_t i = 0;
    while (i < s->n_moved && s->moved[i].id != id) i++;
    if (i == s->n_moved) return;
    for (; i + 1 < s->n_moved; i++) s->moved[i] = s->moved[i + 1];
    s->moved[--s->n_moved] = (sb_moved){0};
}

/* Stores where an object is now. False if too many objects were moved. */
static bool place(const sb_search_scene *scene, sb_search_state *s, int id, int cell) {
    forget(s, id);
    if (cell_of(scene, s, id) == cell) return true;
    if (s->n_moved == SB_MOVED_MAX) return false;
    uint32_t i = s->n_moved++;
    for (; i > 0 && s->moved[i - 1].id > id; i--) s->moved[i] = s->moved[i - 1];
    s->moved[i] = (sb_moved){.id = (uint8_t)id, .cell = (uint16_t)cell};
    return true;
}

/* ---- Acting ---- */

static bool toggle(const sb_search_scene *scene, sb_search_state *s, int cell, int id) {
    const sb_mg_object *o = &scene->world->objects[id], *held = &scene->world->objects[s->carried];
    if (o->type == SB_MG_BOX) return place(scene, s, id, 0) && (!o->content || place(scene, s, o->content, cell));
    if (o->type != SB_MG_DOOR) return false;
    const uint32_t bit = UINT32_C(1) << scene->door_number[id];
    if (s->locked & bit) {
        if (!s->carried || held->type != SB_MG_KEY || held->colour != o->colour) return false;
        s->locked &= ~bit;
    }
    s->open ^= bit;
    return true;
}

static bool can_stand(const sb_search_scene *scene, const sb_search_state *s, int id) {
    if (!sb_mg_is_object(id)) return id == SB_MG_NOTHING;
    return scene->world->objects[id].type == SB_MG_DOOR && s->open >> scene->door_number[id] & 1;
}

/* Returns false if the world stays the same. */
static bool act(const sb_search_scene *scene, sb_search_state *s, sb_mg_action action) {
    const int cell = sb_front_cell(scene, s), id = sb_id_at(scene, s, cell);
    switch (action) {
    case SB_MG_LEFT: s->facing = (s->facing + 3) & 3; return true;
    case SB_MG_RIGHT: s->facing = (s->facing + 1) & 3; return true;
    case SB_MG_FORWARD:
        if (!can_stand(scene, s, id)) return false;
        s->at = (uint16_t)cell;
        return true;
    case SB_MG_PICKUP:
        if (s->carried || !sb_mg_is_object(id) || scene->world->objects[id].type == SB_MG_DOOR) return false;
        s->carried = (uint8_t)id, s->listed = scene->roles[id] ? (uint16_t)cell : 0;
        return place(scene, s, id, 0);
    case SB_MG_DROP:
        if (!s->carried || id != SB_MG_NOTHING || !place(scene, s, s->carried, cell)) return false;
        s->carried = 0, s->listed = 0;
        return true;
    case SB_MG_TOGGLE: return sb_mg_is_object(id) && toggle(scene, s, cell, id);
    default: return false;
    }
}

/* ---- Judging ---- */

static bool lies_beside(const sb_search_scene *scene, const sb_search_state *s, int cell, int single) {
    for (int d = 0; d < 4; d++) {
        const int beside = cell + scene->step[d];
        if (beside < 0 || beside >= scene->cells) continue;
        const int id = sb_id_at(scene, s, beside);
        if (sb_mg_is_object(id) && sb_has_role(scene, id, single, SB_ROLE_TO)) return true;
    }
    return false;
}

/* Judges a single. `held`: what the single saw in the agent's hands before; `s`: the state after the action. */
static sb_mg_outcome judge_single(const sb_search_scene *scene, int i, sb_mg_action action, int held,
                                  const sb_search_state *s) {
    const int cell = sb_front_cell(scene, s), id = sb_id_at(scene, s, cell);
    const sb_aim *aim = &scene->aim[i];
    const bool is_meant = sb_mg_is_object(id) && sb_has_role(scene, id, i, SB_ROLE_WHAT);
    bool met = false, wrong = false;
    switch ((sb_mg_verb)aim->verb) {
    case SB_MG_GO_TO:
        met = is_meant || (s->listed == cell && s->listed && sb_has_role(scene, s->carried, i, SB_ROLE_WHAT));
        break;
    case SB_MG_OPEN:
        if (action != SB_MG_TOGGLE || !sb_mg_is_object(id) || scene->world->objects[id].type != SB_MG_DOOR) break;
        met = is_meant && s->open >> scene->door_number[id] & 1;
        wrong = aim->strict;
        break;
    case SB_MG_PICK_UP:
        if (action != SB_MG_PICKUP || !s->carried) break;
        met = !held && sb_has_role(scene, s->carried, i, SB_ROLE_WHAT);
        wrong = aim->strict;
        break;
    case SB_MG_PUT_NEXT:
        met = action == SB_MG_DROP && held && !s->carried && sb_has_role(scene, held, i, SB_ROLE_WHAT) &&
              lies_beside(scene, s, cell, i);
        break;
    }
    return met ? SB_MG_SUCCEEDED : wrong ? SB_MG_FAILED : SB_MG_CONTINUES;
}

/* Judges the part with these bits; failures inside an `and` are ignored. */
static sb_mg_outcome judge_part(const sb_search_scene *scene, uint8_t bits, sb_mg_action action, int held,
                                sb_search_state *s) {
    const bool is_and = (bits & (bits - 1)) != 0;
    for (int i = 0; i < SB_SINGLES; i++) {
        if (!(bits >> i & 1) || s->done >> i & 1) continue;
        const sb_mg_outcome outcome = judge_single(scene, i, action, held, s);
        if (outcome == SB_MG_SUCCEEDED) s->done |= 1 << i;
        if (outcome == SB_MG_FAILED && !is_and) return SB_MG_FAILED;
    }
    return bits & ~s->done ? SB_MG_CONTINUES : SB_MG_SUCCEEDED;
}

/* Judges the mission. If its second part is judged for the first time, in the step that completed the first part, it
 * has not seen anything held. */
static sb_mg_outcome judge(const sb_search_scene *scene, sb_mg_action action, int held, sb_search_state *s) {
    const bool was_first = scene->part[0] & ~s->done;
    if (was_first) {
        const sb_mg_outcome outcome = judge_part(scene, scene->part[0], action, held, s);
        if (outcome != SB_MG_SUCCEEDED || !scene->part[1]) return outcome;
    }
    return judge_part(scene, scene->part[1], action, was_first ? 0 : held, s);
}

bool sb_search_state_step(const sb_search_scene *scene, const sb_search_state *from, sb_mg_action action,
                          sb_search_state *to, sb_mg_outcome *outcome) {
    *to = *from;
    to->unseen = false;
    if (!act(scene, to, action) && action != SB_MG_DONE) return false;
    *outcome = judge(scene, action, from->unseen ? 0 : from->carried, to);
    return *outcome != SB_MG_CONTINUES || memcmp(to, from, sizeof *to) != 0;
}
