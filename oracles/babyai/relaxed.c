#include "oracles/babyai/relaxed.h"

#include <string.h>

enum { EMPTY_HANDED, BURDENED, FIRST_USEFUL }; /* what is carried: nothing, nothing useful, useful classes */
enum { LOCK_SHIFT = 8, NOBODY = -1 };
enum { CARRY_HERE = 5 }; /* drop what the other is put beside, a step, about one turn, pick up, put beside */

/* What a table is for. */
typedef struct stage {
    uint8_t done, unlocked; /* done: singles; unlocked: colours whose locks are no longer an obstacle */
    uint32_t loose;         /* classes of which a thing is loose */
    int n_moved;            /* useful things that are not where they were */
    sb_moved moved[SB_MOVED_MAX];
} stage;

/* A table that is being computed. */
typedef struct making {
    sb_relaxed *r;
    stage stage;
    uint8_t active;
    uint16_t *cost;
    uint8_t cells[SB_MG_CELLS_MAX]; /* cells of the world, with moved things in their new places */
    uint8_t price[SB_MG_CELLS_MAX]; /* price of entering the cell; 0: impossible */
    uint8_t lock[SB_MG_CELLS_MAX];  /* colour bit of a locked door */
    /* The tables of the following stages: one more single is done, one more colour is unlocked, or both in one action.
     */
    const uint16_t *after[SB_SINGLES], *unlocked[SB_MG_N_COLOURS], *opened[SB_SINGLES][SB_MG_N_COLOURS];
} making;

static const uint16_t no_more; /* the table of a completed mission */

/* ---- The uses of carried things ---- */

/* Returns the roles for which it may help to carry a thing before its single is due, and those for which the thing that
 * is carried at the beginning has to be put down. */
static uint16_t useful_roles(const sb_search_scene *scene) {
    const int held = scene->world->carried;
    uint16_t roles = 0;
    for (int i = 0; i < SB_SINGLES; i++) {
        const sb_aim *aim = &scene->aim[i];
        if (!(sb_mission_bits(scene) >> i & 1)) continue;
        if (aim->verb == SB_MG_PUT_NEXT) roles |= (SB_ROLE_WHAT | SB_ROLE_TO) << 2 * i;
        const bool is_later = scene->part[1] >> i & 1, is_held = held && sb_has_role(scene, held, i, SB_ROLE_WHAT);
        if ((is_later || is_held) && aim->verb != SB_MG_OPEN) roles |= SB_ROLE_WHAT << 2 * i;
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

static uint8_t locked_colours(const sb_search_scene *scene) {
    uint8_t colours = 0;
    for (int d = 0; d < scene->n_doors; d++) {
        const sb_mg_object *door = &scene->world->objects[scene->doors[d]];
        if (door->locked) colours |= 1 << door->colour;
    }
    return colours;
}

void sb_relaxed_begin(sb_relaxed *r, const sb_search_scene *scene, sb_ease ease, sb_budget *budget) {
    const sb_mg_world *w = scene->world;
    r->scene = scene, r->ease = ease, r->budget = budget;
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
    if (w->carried && r->class_of[w->carried] >= FIRST_USEFUL) r->start_loose |= UINT32_C(1) << r->class_of[w->carried];
}

/* ---- Open nodes ---- */

static void unlink_node(sb_relaxed *r, uint32_t node, int cost) {
    const uint32_t before = r->before[node], next = r->next[node];
    *(before == UINT32_MAX ? &r->head[cost] : &r->next[before]) = next;
    if (next != UINT32_MAX) r->before[next] = before;
}

static void improve(making *m, uint32_t node, int cost) {
    sb_relaxed *r = m->r;
    if (m->cost[node] != SB_UNREACHABLE) unlink_node(r, node, m->cost[node]);
    m->cost[node] = (uint16_t)cost;
    r->before[node] = UINT32_MAX, r->next[node] = r->head[cost];
    if (r->head[cost] != UINT32_MAX) r->before[r->head[cost]] = node;
    r->head[cost] = node;
}

/* Most offers are no improvement. */
static inline void offer(making *m, int class, int pose, int cost) {
    const uint32_t node = (uint32_t)(class * m->r->n_poses + pose);
    if (cost < m->cost[node] && cost < SB_RELAXED_COSTS) improve(m, node, cost);
}

/* ---- Actions that lead to the next stage ---- */

static int cost_after(const making *m, const uint16_t *table, int class, int pose) {
    return table == &no_more ? 0 : table[class * m->r->n_poses + pose];
}

/* Offers for every class that may be carried: the single is done at this price, and the thing is still carried. */
static void done_carrying(making *m, int i, int pose, int price) {
    for (int c = 0; c < m->r->n_classes; c++) offer(m, c, pose, price + cost_after(m, m->after[i], c, pose));
}

static bool is_locked(const making *m, const sb_mg_object *door) {
    return door->locked && !(m->stage.unlocked >> door->colour & 1);
}

static bool is_key(const making *m, int class, int colour) { return m->r->uses[class] >> (LOCK_SHIFT + colour) & 1; }

static void offer_go_to(making *m, int i, int pose, int id) {
    if (sb_mg_is_object(id) && sb_has_role(m->r->scene, id, i, SB_ROLE_WHAT)) done_carrying(m, i, pose, 0);
}

static void offer_open(making *m, int i, int pose, int id) {
    if (!sb_mg_is_object(id) || !sb_has_role(m->r->scene, id, i, SB_ROLE_WHAT)) return;
    const sb_mg_object *door = &m->r->scene->world->objects[id];
    if (!is_locked(m, door)) {
        done_carrying(m, i, pose, door->open && m->r->ease != SB_NEVER_TOO_MUCH ? 2 : 1);
        return;
    }
    for (int c = FIRST_USEFUL; c < m->r->n_classes; c++)
        if (is_key(m, c, door->colour)) offer(m, c, pose, 1 + cost_after(m, m->opened[i][door->colour], c, pose));
}

static void pick_up(making *m, int i, int pose, int class, int price) {
    for (int c = 0; c < m->r->n_classes; c++)
        offer(m, c, pose, price + (c == EMPTY_HANDED ? 1 : 2) + cost_after(m, m->after[i], class, pose));
}

static bool class_has(const making *m, int class, int i, int role) { return m->r->uses[class] >> 2 * i & role; }

static bool is_loose(const making *m, int class) { return m->stage.loose >> class & 1; }

/* Returns the price of having a loose thing in front, which really means going back to where it was left. */
static int price_of_loose(const sb_relaxed *r) { return r->ease >= SB_PLACES_COUNT ? 20 : 0; }

static void offer_pick_up(making *m, int i, int pose, int id) {
    if (sb_mg_is_object(id) && sb_has_role(m->r->scene, id, i, SB_ROLE_WHAT))
        pick_up(m, i, pose, m->r->class_of[id], 0);
}

static bool beside(const making *m, int cell, int i, int role) {
    const sb_search_scene *scene = m->r->scene;
    for (int d = 0; d < 4; d++) {
        const int other = cell + scene->step[d];
        if (other < 0 || other >= scene->cells) continue;
        const int id = m->cells[other];
        if (sb_mg_is_object(id) && sb_has_role(scene, id, i, role)) return true;
    }
    return false;
}

static void offer_put_next(making *m, int i, int pose, int cell) {
    const bool can_drop = m->price[cell] && !m->lock[cell];
    const bool at_goal = can_drop && beside(m, cell, i, SB_ROLE_TO);
    const bool at_thing = can_drop && beside(m, cell, i, SB_ROLE_WHAT);
    if (!at_goal && !at_thing) return;
    for (int c = FIRST_USEFUL; c < m->r->n_classes; c++) {
        const int then = cost_after(m, m->after[i], EMPTY_HANDED, pose);
        if (at_goal && class_has(m, c, i, SB_ROLE_WHAT)) offer(m, c, pose, 1 + then);
        if (at_thing && class_has(m, c, i, SB_ROLE_TO)) offer(m, c, pose, CARRY_HERE + then);
    }
}

/* Offers singles that can be done anywhere, because what they need is carried or loose. */
static void offer_anywhere(making *m, int i, int pose) {
    const uint8_t verb = m->r->scene->aim[i].verb;
    const uint16_t *after = m->after[i];
    bool loose_goal = false;
    for (int c = FIRST_USEFUL; c < m->r->n_classes; c++) {
        if (is_loose(m, c) && class_has(m, c, i, SB_ROLE_TO)) loose_goal = true;
        if (!class_has(m, c, i, SB_ROLE_WHAT)) continue;
        if (verb == SB_MG_GO_TO) {
            offer(m, c, pose, 1 + cost_after(m, after, EMPTY_HANDED, pose));
            if (is_loose(m, c)) done_carrying(m, i, pose, 1 + price_of_loose(m->r));
        } else if (verb == SB_MG_PICK_UP) {
            offer(m, c, pose, 2 + cost_after(m, after, c, pose));
            if (is_loose(m, c)) pick_up(m, i, pose, c, price_of_loose(m->r));
        }
    }
    if (verb != SB_MG_PUT_NEXT || !loose_goal) return;
    for (int c = FIRST_USEFUL; c < m->r->n_classes; c++)
        if (class_has(m, c, i, SB_ROLE_WHAT))
            offer(m, c, pose, 1 + price_of_loose(m->r) + cost_after(m, after, EMPTY_HANDED, pose));
}

static void offer_single(making *m, int i, int pose, int cell) {
    const int id = m->cells[cell];
    switch ((sb_mg_verb)m->r->scene->aim[i].verb) {
    case SB_MG_GO_TO: offer_go_to(m, i, pose, id); break;
    case SB_MG_OPEN: offer_open(m, i, pose, id); return;
    case SB_MG_PICK_UP: offer_pick_up(m, i, pose, id); break;
    case SB_MG_PUT_NEXT: offer_put_next(m, i, pose, cell); break;
    }
    offer_anywhere(m, i, pose);
}

static void offer_unlock(making *m, int pose, int id) {
    if (!sb_mg_is_object(id)) return;
    const sb_mg_object *door = &m->r->scene->world->objects[id];
    if (door->type != SB_MG_DOOR || !is_locked(m, door)) return;
    for (int c = FIRST_USEFUL; c < m->r->n_classes; c++)
        if (is_key(m, c, door->colour)) offer(m, c, pose, 1 + cost_after(m, m->unlocked[door->colour], c, pose));
}

static bool can_enter(const making *m, int cell) { return m->price[cell] && !(m->lock[cell] & ~m->stage.unlocked); }

static void offer_ends(making *m) {
    const sb_relaxed *r = m->r;
    for (int cell = 0; cell < r->scene->cells; cell++) {
        if (!can_enter(m, cell)) continue;
        for (int facing = 0; facing < 4; facing++) {
            const int front = cell + r->scene->step[facing], pose = cell * 4 + facing;
            for (int i = 0; i < SB_SINGLES; i++)
                if (m->active >> i & 1) offer_single(m, i, pose, front);
            offer_unlock(m, pose, m->cells[front]);
        }
    }
}

/* ---- Searching backwards from there ---- */

/* Offers the states from which one action leads to this pose with this class in hand. */
static void go_back(making *m, int class, int pose, int cost) {
    const sb_relaxed *r = m->r;
    const int cell = pose / 4, facing = pose % 4, behind = cell - r->scene->step[facing];
    const int front = m->cells[cell + r->scene->step[facing]];
    offer(m, class, cell * 4 + ((facing + 1) & 3), cost + 1);
    offer(m, class, cell * 4 + ((facing + 3) & 3), cost + 1);
    if (can_enter(m, behind)) offer(m, class, behind * 4 + facing, cost + m->price[cell]);
    if (class == EMPTY_HANDED) {
        for (int c = BURDENED; c < r->n_classes; c++) offer(m, c, pose, cost + 1);
    } else if (sb_mg_is_object(front) && r->scene->world->objects[front].type != SB_MG_DOOR) {
        const int content = r->scene->world->objects[front].content;
        if (r->class_of[front] == class) offer(m, EMPTY_HANDED, pose, cost + 1);
        if (content && r->class_of[content] == class) offer(m, EMPTY_HANDED, pose, cost + 2);
    }
    if (class != EMPTY_HANDED && is_loose(m, class)) offer(m, EMPTY_HANDED, pose, cost + 1 + price_of_loose(r));
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

/* Hashes a stage. Two stages have the same hash once in 2^64; the result would only be a detour. */
static uint64_t key_of(const stage *s) {
    uint64_t key = (uint64_t)s->loose << 16 | (uint64_t)s->unlocked << 8 | s->done;
    for (int i = 0; i < s->n_moved; i++) {
        key = (key ^ key >> 29) * UINT64_C(0x9e3779b97f4a7c15) + 1;
        key = (key ^ key >> 32) * UINT64_C(0xbf58476d1ce4e5b9);
        key ^= (uint64_t)s->moved[i].id << 16 ^ s->moved[i].cell;
    }
    return key;
}

static const uint16_t *find(const sb_relaxed *r, const stage *s) {
    const uint64_t key = key_of(s);
    for (uint32_t i = r->n_tables; i-- > 0;)
        if (r->tables[i].key == key) return &r->arena[r->tables[i].offset];
    return NULL;
}

static const uint16_t *table_of(sb_relaxed *r, const stage *s);

/* Treats moved things as loose, or as back in their old places, once the current single is done. Otherwise every place
 * would need its own tables. */
static void loosen(const sb_relaxed *r, stage *s) {
    for (int i = 0; i < s->n_moved && r->ease != SB_PLACES_RETURN; i++)
        s->loose |= UINT32_C(1) << r->class_of[s->moved[i].id];
    memset(s->moved, 0, sizeof s->moved);
    s->n_moved = 0;
}

/* Gets the tables on which this one depends. Each has one more single done or one more lock opened, so the recursion
 * ends. */
static void look_ahead(making *m) {
    const uint8_t locks = m->r->lock_colours & ~m->stage.unlocked;
    for (int i = 0; i < SB_SINGLES; i++) {
        if (!(m->active >> i & 1)) continue;
        stage next = m->stage;
        next.done |= 1 << i;
        loosen(m->r, &next);
        const bool is_last = !sb_active(m->r->scene, next.done);
        m->after[i] = is_last ? &no_more : table_of(m->r, &next);
        for (int k = 0; k < SB_MG_N_COLOURS; k++) {
            if (m->r->scene->aim[i].verb != SB_MG_OPEN || !(locks >> k & 1)) continue;
            next.unlocked = m->stage.unlocked | 1 << k;
            m->opened[i][k] = is_last ? &no_more : table_of(m->r, &next);
        }
    }
    for (int k = 0; k < SB_MG_N_COLOURS; k++) {
        if (!(locks >> k & 1)) continue;
        stage next = m->stage;
        next.unlocked |= 1 << k;
        m->unlocked[k] = table_of(m->r, &next);
    }
}

static void add_cell(making *m, int cell) {
    const int id = m->cells[cell];
    m->price[cell] = id != SB_MG_A_WALL && !sb_mg_on_border(m->r->scene->world, sb_mg_xy_of(m->r->scene->world, cell));
    m->lock[cell] = 0;
    if (!sb_mg_is_object(id) || !m->price[cell]) return;
    const sb_mg_object *o = &m->r->scene->world->objects[id];
    if (o->type == SB_MG_DOOR && o->locked) m->lock[cell] = 1 << o->colour;
    if (m->r->ease == SB_NEVER_TOO_MUCH) return;
    m->price[cell] = o->type == SB_MG_DOOR ? 2 - (o->open || o->locked) : o->type == SB_MG_BOX ? 2 : 4;
}

static void lay_out(making *m) {
    const sb_mg_world *w = m->r->scene->world;
    memcpy(m->cells, w->cells, sizeof m->cells);
    for (int i = 0; i < m->stage.n_moved; i++) {
        const sb_mg_object *o = &w->objects[m->stage.moved[i].id];
        if (o->on_grid) m->cells[sb_mg_index(w, o->at)] = SB_MG_NOTHING;
    }
    for (int i = 0; i < m->stage.n_moved; i++) m->cells[m->stage.moved[i].cell] = m->stage.moved[i].id;
    for (int cell = 0; cell < m->r->scene->cells; cell++) add_cell(m, cell);
}

static const uint16_t *table_of(sb_relaxed *r, const stage *s) {
    const uint16_t *known = find(r, s);
    if (known) return known;
    making m;
    m.r = r, m.stage = *s, m.active = sb_active(r->scene, s->done);
    look_ahead(&m);
    lay_out(&m);
    const uint32_t size = (uint32_t)(r->n_classes * r->n_poses);
    m.cost = &r->arena[r->used];
    r->tables[r->n_tables++] = (sb_relaxed_table){.key = key_of(s), .offset = r->used};
    r->used += size;
    r->budget->spent += size / SB_RELAXED_NODES_A_STATE;
    memset(m.cost, 0xff, size * sizeof *m.cost);
    memset(r->head, 0xff, sizeof r->head);
    offer_ends(&m);
    spread(&m);
    return m.cost;
}

/* ---- The estimate ---- */

static stage stage_of(const sb_relaxed *r, const sb_search_state *s) {
    const sb_search_scene *scene = r->scene;
    stage stage = {.done = s->done};
    bool start_is_moved = false;
    for (uint32_t i = 0; i < s->n_moved; i++) {
        const int class = r->class_of[s->moved[i].id];
        start_is_moved |= s->moved[i].id == scene->world->carried;
        if (class < FIRST_USEFUL) continue;
        if (r->ease >= SB_PLACES_COUNT && s->moved[i].cell)
            stage.moved[stage.n_moved++] = s->moved[i];
        else
            stage.loose |= UINT32_C(1) << class;
    }
    if (!start_is_moved) stage.loose |= r->start_loose;
    for (int d = 0; d < scene->n_doors; d++) {
        const sb_mg_object *door = &scene->world->objects[scene->doors[d]];
        if (door->locked && !(s->locked >> d & 1)) stage.unlocked |= 1 << door->colour;
    }
    return stage;
}

/* Room for the stages of one question: at worst 2^4 of singles times 2^6 of locks, in practice a dozen. */
static bool has_room(const sb_relaxed *r) {
    const uint32_t few = 64;
    return r->n_tables + few <= SB_RELAXED_TABLES &&
           r->used + few * (uint32_t)(r->n_classes * r->n_poses) <= SB_RELAXED_ARENA;
}

int sb_relaxed_cost(sb_relaxed *r, const sb_search_state *s) {
    const stage stage = stage_of(r, s);
    const uint16_t *table = find(r, &stage);
    if (!table && !has_room(r)) r->n_tables = 0, r->used = 0;
    if (!table) table = table_of(r, &stage);
    const int class = s->carried ? r->class_of[s->carried] : EMPTY_HANDED;
    return table[class * r->n_poses + s->at * 4 + s->facing];
}
