#include "oracles/babyai/relaxed.h"

#include <string.h>

enum { EMPTY_HANDED, BURDENED, FIRST_USEFUL }; /* classes of what is carried: nothing, nothing useful, ... */
enum { LOCK_SHIFT = 8, NOBODY = -1 };
enum { CARRY_HERE = 5 }; /* drop what the other is put beside, a step, a turn or so, pick up, put beside */

/* What a table is about. */
typedef struct stage {
    uint8_t done, keys; /* singles; colours of locks that are no hindrance any more */
    uint32_t loose;     /* classes of which something is wherever one likes */
} stage;

/* A table in the making. */
typedef struct making {
    sb_relaxed *r;
    stage stage;
    uint8_t active;
    uint16_t *cost;
    const uint16_t *after[SB_SINGLES];               /* tables of the stages in which one more single is done */
    const uint16_t *unlocked[SB_MG_N_COLOURS];       /* and in which one more lock is none */
} making;

static const uint16_t no_more; /* stands for the table of a mission that is fulfilled */

/* ---- What carrying is good for ---- */

/* Whether it may help to have something of this single's in the hand before it is its turn. */
static uint16_t useful_roles(const sb_scene *scene) {
    uint16_t roles = 0;
    for (int i = 0; i < SB_SINGLES; i++) {
        const sb_aim *aim = &scene->aim[i];
        if (!(sb_mission_bits(scene) >> i & 1)) continue;
        if (aim->verb == SB_MG_PUT_NEXT) roles |= (SB_ROLE_WHAT | SB_ROLE_TO) << 2 * i;
        if (scene->part[1] >> i & 1 && aim->verb != SB_MG_OPEN) roles |= SB_ROLE_WHAT << 2 * i;
    }
    return roles;
}

static uint16_t uses_of(const sb_relaxed *r, int id, uint16_t useful) {
    const sb_mg_object *o = &r->scene->world->objects[id];
    uint16_t uses = r->scene->roles[id] & useful;
    if (o->type == SB_MG_KEY && r->lock_colours >> o->colour & 1) uses |= 1 << (LOCK_SHIFT + o->colour);
    return uses;
}

static int class_with(sb_relaxed *r, uint16_t uses) {
    if (!uses) return BURDENED;
    for (int c = FIRST_USEFUL; c < r->n_classes; c++)
        if (r->uses[c] == uses) return c;
    if (r->n_classes == SB_CLASSES_MAX || (r->n_classes + 1) * r->n_poses > SB_RELAXED_NODES) return BURDENED;
    r->uses[r->n_classes] = uses;
    return r->n_classes++;
}

static void add_cell(sb_relaxed *r, int cell) {
    const int id = r->scene->world->cells[cell];
    const sb_mg_object *o = &r->scene->world->objects[id];
    r->price[cell] = id != SB_MG_A_WALL;
    r->lock[cell] = 0;
    if (!sb_mg_is_object(id)) return;
    if (o->type == SB_MG_DOOR && o->locked) r->lock[cell] = 1 << o->colour;
    if (!r->strict) r->price[cell] = o->type == SB_MG_DOOR ? 2 - o->open : o->type == SB_MG_BOX ? 2 : 4;
}

static uint8_t locked_colours(const sb_scene *scene) {
    uint8_t colours = 0;
    for (int d = 0; d < scene->n_doors; d++) {
        const sb_mg_object *door = &scene->world->objects[scene->doors[d]];
        if (door->locked) colours |= 1 << door->colour;
    }
    return colours;
}

void sb_relaxed_begin(sb_relaxed *r, const sb_scene *scene, bool strict) {
    const sb_mg_world *w = scene->world;
    r->scene = scene, r->strict = strict;
    r->n_poses = scene->cells * 4, r->n_classes = FIRST_USEFUL;
    r->lock_colours = 0, r->start_loose = 0, r->n_tables = 0, r->used = 0;
    r->uses[EMPTY_HANDED] = r->uses[BURDENED] = 0;
    for (int id = 1; id <= w->n_objects; id++)
        if (w->objects[id].type == SB_MG_KEY) r->lock_colours |= 1 << w->objects[id].colour;
    r->lock_colours &= locked_colours(scene);
    const uint16_t useful = useful_roles(scene);
    for (int id = 1; id <= w->n_objects; id++) {
        if (w->objects[id].type == SB_MG_DOOR) continue;
        r->class_of[id] = (uint8_t)class_with(r, uses_of(r, id, useful));
    }
    if (w->carried) r->start_loose |= UINT32_C(1) << r->class_of[w->carried];
    for (int cell = 0; cell < scene->cells; cell++) add_cell(r, cell);
}

/* ---- Open nodes ---- */

static void unlink_node(sb_relaxed *r, uint32_t node, int cost) {
    const uint32_t before = r->before[node], next = r->next[node];
    *(before == UINT32_MAX ? &r->head[cost] : &r->next[before]) = next;
    if (next != UINT32_MAX) r->before[next] = before;
}

static void offer(making *m, int class, int pose, int cost) {
    sb_relaxed *r = m->r;
    const uint32_t node = (uint32_t)(class * r->n_poses + pose);
    if (cost >= m->cost[node] || cost >= SB_RELAXED_COSTS) return;
    if (m->cost[node] != SB_UNREACHABLE) unlink_node(r, node, m->cost[node]);
    m->cost[node] = (uint16_t)cost;
    r->before[node] = UINT32_MAX, r->next[node] = r->head[cost];
    if (r->head[cost] != UINT32_MAX) r->before[r->head[cost]] = node;
    r->head[cost] = node;
}

/* ---- What leads to the next stage ---- */

static int cost_after(const making *m, const uint16_t *table, int class, int pose) {
    return table == &no_more ? 0 : table[class * m->r->n_poses + pose];
}

/* For all that might be carried: the single is done at this price, and what is carried stays. */
static void done_carrying(making *m, int i, int pose, int price) {
    for (int c = 0; c < m->r->n_classes; c++) offer(m, c, pose, price + cost_after(m, m->after[i], c, pose));
}

static void offer_go_to(making *m, int i, int pose, int id) {
    if (sb_mg_is_object(id) && sb_has_role(m->r->scene, id, i, SB_ROLE_WHAT)) done_carrying(m, i, pose, 0);
}

static void offer_open(making *m, int i, int pose, int id) {
    if (!sb_mg_is_object(id) || !sb_has_role(m->r->scene, id, i, SB_ROLE_WHAT)) return;
    const sb_mg_object *door = &m->r->scene->world->objects[id];
    if (door->locked && !(m->stage.keys >> door->colour & 1)) return;
    done_carrying(m, i, pose, door->open && !m->r->strict ? 2 : 1);
}

static void pick_up(making *m, int i, int pose, int class) {
    for (int c = 0; c < m->r->n_classes; c++)
        offer(m, c, pose, (c == EMPTY_HANDED ? 1 : 2) + cost_after(m, m->after[i], class, pose));
}

static bool class_has(const making *m, int class, int i, int role) {
    return m->r->uses[class] >> 2 * i & role;
}

static bool is_loose(const making *m, int class) { return m->stage.loose >> class & 1; }

static void offer_pick_up(making *m, int i, int pose, int id) {
    if (sb_mg_is_object(id) && sb_has_role(m->r->scene, id, i, SB_ROLE_WHAT)) pick_up(m, i, pose, m->r->class_of[id]);
}

static bool beside(const making *m, int cell, int i, int role) {
    const sb_scene *scene = m->r->scene;
    for (int d = 0; d < 4; d++) {
        const int other = cell + scene->step[d];
        if (other < 0 || other >= scene->cells) continue;
        const int id = scene->world->cells[other];
        if (sb_mg_is_object(id) && sb_has_role(scene, id, i, role)) return true;
    }
    return false;
}

static void offer_put_next(making *m, int i, int pose, int cell) {
    const bool can_drop = m->r->price[cell] && !m->r->lock[cell];
    const bool at_goal = can_drop && beside(m, cell, i, SB_ROLE_TO);
    const bool at_thing = can_drop && beside(m, cell, i, SB_ROLE_WHAT);
    if (!at_goal && !at_thing) return;
    for (int c = FIRST_USEFUL; c < m->r->n_classes; c++) {
        const int then = cost_after(m, m->after[i], EMPTY_HANDED, pose);
        if (at_goal && class_has(m, c, i, SB_ROLE_WHAT)) offer(m, c, pose, 1 + then);
        if (at_thing && class_has(m, c, i, SB_ROLE_TO)) offer(m, c, pose, CARRY_HERE + then);
    }
}

/* Singles that may be done anywhere, because what they are about is carried or loose. */
static void offer_anywhere(making *m, int i, int pose) {
    const uint8_t verb = m->r->scene->aim[i].verb;
    const uint16_t *after = m->after[i];
    bool loose_goal = false;
    for (int c = FIRST_USEFUL; c < m->r->n_classes; c++) {
        if (is_loose(m, c) && class_has(m, c, i, SB_ROLE_TO)) loose_goal = true;
        if (!class_has(m, c, i, SB_ROLE_WHAT)) continue;
        if (verb == SB_MG_GO_TO) {
            offer(m, c, pose, 1 + cost_after(m, after, EMPTY_HANDED, pose));
            if (is_loose(m, c)) done_carrying(m, i, pose, 1);
        } else if (verb == SB_MG_PICK_UP) {
            offer(m, c, pose, 2 + cost_after(m, after, c, pose));
            if (is_loose(m, c)) pick_up(m, i, pose, c);
        }
    }
    if (verb != SB_MG_PUT_NEXT || !loose_goal) return;
    for (int c = FIRST_USEFUL; c < m->r->n_classes; c++)
        if (class_has(m, c, i, SB_ROLE_WHAT)) offer(m, c, pose, 1 + cost_after(m, after, EMPTY_HANDED, pose));
}

static void offer_single(making *m, int i, int pose, int cell) {
    const int id = m->r->scene->world->cells[cell];
    switch ((sb_mg_verb)m->r->scene->aim[i].verb) {
    case SB_MG_GO_TO: offer_go_to(m, i, pose, id); break;
    case SB_MG_OPEN: offer_open(m, i, pose, id); return;
    case SB_MG_PICK_UP: offer_pick_up(m, i, pose, id); break;
    case SB_MG_PUT_NEXT: offer_put_next(m, i, pose, cell); break;
    }
    offer_anywhere(m, i, pose);
}

/* Picking up a key, out of a box too, that opens what was no way so far. */
static void offer_key(making *m, int pose, int id, int price) {
    if (!sb_mg_is_object(id) || m->r->scene->world->objects[id].type == SB_MG_DOOR) return;
    const int class = m->r->class_of[id], content = m->r->scene->world->objects[id].content;
    const int colours = (m->r->uses[class] >> LOCK_SHIFT) & ~m->stage.keys;
    for (int k = 0; k < SB_MG_N_COLOURS; k++) {
        if (!(colours >> k & 1)) continue;
        const int cost = price + cost_after(m, m->unlocked[k], class, pose);
        for (int c = 0; c < m->r->n_classes; c++) offer(m, c, pose, cost + (c != EMPTY_HANDED));
    }
    if (content) offer_key(m, pose, content, price + 1);
}

static void offer_loose_keys(making *m, int pose) {
    for (int class = FIRST_USEFUL; class < m->r->n_classes; class++) {
        const int colours = (m->r->uses[class] >> LOCK_SHIFT) & ~m->stage.keys;
        if (!is_loose(m, class) || !colours) continue;
        for (int k = 0; k < SB_MG_N_COLOURS; k++)
            if (colours >> k & 1) offer(m, EMPTY_HANDED, pose, 1 + cost_after(m, m->unlocked[k], class, pose));
    }
}

static bool can_enter(const making *m, int cell) {
    return m->r->price[cell] && !(m->r->lock[cell] & ~m->stage.keys);
}

static void offer_ends(making *m) {
    const sb_relaxed *r = m->r;
    for (int cell = 0; cell < r->scene->cells; cell++) {
        if (!can_enter(m, cell)) continue;
        for (int facing = 0; facing < 4; facing++) {
            const int front = cell + r->scene->step[facing], pose = cell * 4 + facing;
            for (int i = 0; i < SB_SINGLES; i++)
                if (m->active >> i & 1) offer_single(m, i, pose, front);
            offer_key(m, pose, r->scene->world->cells[front], 1);
            offer_loose_keys(m, pose);
        }
    }
}

/* ---- Backwards from there ---- */

/* What may have been done just before, to come to this pose with that in the hand. */
static void go_back(making *m, int class, int pose, int cost) {
    const sb_relaxed *r = m->r;
    const int cell = pose / 4, facing = pose % 4, behind = cell - r->scene->step[facing];
    const int front = r->scene->world->cells[cell + r->scene->step[facing]];
    offer(m, class, cell * 4 + ((facing + 1) & 3), cost + 1);
    offer(m, class, cell * 4 + ((facing + 3) & 3), cost + 1);
    if (can_enter(m, behind)) offer(m, class, behind * 4 + facing, cost + r->price[cell]);
    if (class == EMPTY_HANDED) {
        for (int c = BURDENED; c < r->n_classes; c++) offer(m, c, pose, cost + 1);
    } else if (is_loose(m, class) || (sb_mg_is_object(front) && r->scene->world->objects[front].type != SB_MG_DOOR &&
                                      r->class_of[front] == class)) {
        offer(m, EMPTY_HANDED, pose, cost + 1);
    }
}

static void spread(making *m) {
    sb_relaxed *r = m->r;
    for (int cost = 0; cost < SB_RELAXED_COSTS; cost++)
        while (r->head[cost] != UINT32_MAX) {
            const uint32_t node = r->head[cost];
            unlink_node(r, node, cost);
            go_back(m, (int)node / r->n_poses, (int)node % r->n_poses, cost);
        }
}

/* ---- Tables ---- */

static uint64_t key_of(const stage *s) { return (uint64_t)s->loose << 16 | (uint64_t)s->keys << 8 | s->done; }

static const uint16_t *find(const sb_relaxed *r, const stage *s) {
    const uint64_t key = key_of(s);
    for (uint32_t i = r->n_tables; i-- > 0;)
        if (r->tables[i].key == key) return &r->arena[r->tables[i].offset];
    return NULL;
}

static const uint16_t *table_of(sb_relaxed *r, const stage *s);

/* The tables this one is made from: each has one more single done or one more lock opened, so it ends. */
static void look_ahead(making *m) {
    for (int i = 0; i < SB_SINGLES; i++) {
        if (!(m->active >> i & 1)) continue;
        stage next = m->stage;
        next.done |= 1 << i;
        m->after[i] = sb_active(m->r->scene, next.done) ? table_of(m->r, &next) : &no_more;
    }
    for (int k = 0; k < SB_MG_N_COLOURS; k++) {
        if (!((m->r->lock_colours & ~m->stage.keys) >> k & 1)) continue;
        stage next = m->stage;
        next.keys |= 1 << k;
        m->unlocked[k] = table_of(m->r, &next);
    }
}

static const uint16_t *table_of(sb_relaxed *r, const stage *s) { // NOLINT(misc-no-recursion): see look_ahead
    const uint16_t *known = find(r, s);
    if (known) return known;
    making m = {.r = r, .stage = *s, .active = sb_active(r->scene, s->done)};
    look_ahead(&m);
    const uint32_t size = (uint32_t)(r->n_classes * r->n_poses);
    m.cost = &r->arena[r->used];
    r->tables[r->n_tables++] = (sb_relaxed_table){.key = key_of(s), .offset = r->used};
    r->used += size;
    memset(m.cost, 0xff, size * sizeof *m.cost);
    memset(r->head, 0xff, sizeof r->head);
    offer_ends(&m);
    spread(&m);
    return m.cost;
}

/* ---- The estimate ---- */

static stage stage_of(const sb_relaxed *r, const sb_situation *s) {
    const sb_scene *scene = r->scene;
    stage stage = {.done = s->done, .loose = r->start_loose};
    for (uint32_t i = 0; i < s->n_moved; i++) {
        const int class = r->class_of[s->moved[i].id];
        if (class >= FIRST_USEFUL) stage.loose |= UINT32_C(1) << class;
    }
    stage.loose &= ~(uint32_t)3;
    for (int d = 0; d < scene->n_doors; d++) {
        const sb_mg_object *door = &scene->world->objects[scene->doors[d]];
        if (door->locked && !(s->locked >> d & 1)) stage.keys |= 1 << door->colour;
    }
    if (s->carried) stage.keys |= r->uses[r->class_of[s->carried]] >> LOCK_SHIFT;
    return stage;
}

/* Stages to be made for one question: 2^4 of singles times 2^6 of locks at worst, in fact a dozen. */
static bool has_room(const sb_relaxed *r) {
    const uint32_t few = 64;
    return r->n_tables + few <= SB_RELAXED_TABLES &&
           r->used + few * (uint32_t)(r->n_classes * r->n_poses) <= SB_RELAXED_ARENA;
}

int sb_relaxed_cost(sb_relaxed *r, const sb_situation *s) {
    const stage stage = stage_of(r, s);
    const uint16_t *table = find(r, &stage);
    if (!table && !has_room(r)) r->n_tables = 0, r->used = 0;
    if (!table) table = table_of(r, &stage);
    const int class = s->carried ? r->class_of[s->carried] : EMPTY_HANDED;
    return table[class * r->n_poses + s->at * 4 + s->facing];
}
