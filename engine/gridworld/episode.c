/* Start, step, copy and compare: the rules that all gridworld tasks share (docs/compatibility.md, "Steps"). */
#include "engine/gridworld/episode.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"

/* Returns the size in bytes of an episode of this task without its cells, which come last. */
static size_t head_size(const sb_task *task) { return offsetof(sb_episode, vars) + task->vars_size; }

bool sb_episode_start(sb_episode *e, const sb_task *task, sb_difficulty difficulty, uint64_t seed, sb_draw_log *log,
                      sb_error *error) {
    const sb_extent *extent = &task->extents[difficulty];
    memset(e, 0, head_size(task));
    e->task = task, e->log = log, e->seed = seed, e->difficulty = (uint8_t)difficulty;
    e->width = extent->width, e->height = extent->height, e->max_steps = extent->max_steps;
    memset(e->cells, 0, sizeof *e->cells * (size_t)sb_n_cells(e));
    if (task->generate(e)) return true;
    return sb_fail(error, SB_INVALID, "%s/%s#%llu: no attempt made a valid instance; take another seed",
                   task->info.name, sb_difficulty_names[difficulty], (unsigned long long)seed);
}

/* Moves the agent if it may enter. The engine decides about bounds and terrain, the task's hook about objects; without
 * a hook the engine decides about both. */
static void try_to_enter(sb_episode *e, sb_xy to) {
    if (!sb_inside(e, to)) return;
    bool (*can_enter)(sb_episode *, sb_xy) = e->task->can_enter;
    if (can_enter ? !can_enter(e, to) : sb_cell_blocks(sb_peek(e, to))) return;
    if (!e->task->enters_anything && !sb_terrain_walkable(sb_peek(e, to)->terrain)) return;
    e->agent.at = to;
    if (e->task->on_enter) e->task->on_enter(e);
}

static void carry_out(sb_episode *e, sb_action action) {
    if (action == SB_NOOP) return;
    if (action == SB_INTERACT) {
        sb_xy target = sb_beside(e->agent.at, (sb_direction)e->agent.facing);
        if (e->task->on_interact && sb_inside(e, target)) e->task->on_interact(e, target);
        return;
    }
    sb_direction ahead = sb_direction_of(action);
    e->agent.facing = (uint8_t)ahead; /* the agent turns even if it cannot move */
    try_to_enter(e, sb_beside(e->agent.at, ahead));
}

/* Sets the outcome after the step. What a rule has decided is not changed. */
static inline void judge(sb_transition *t, const sb_episode *e, const sb_task *task) {
    if (e->outcome == SB_PLAYING) {
        t->success = task->is_success ? task->is_success(e) : task->endures || sb_object_here(e) == SB_GOAL;
        t->terminated = t->success && !task->endures;
    } else {
        t->success = e->outcome == SB_WON, t->terminated = true;
    }
}

void sb_episode_step(sb_episode *e, sb_action action, sb_result *result) {
    const sb_task *task = e->task;
    _Alignas(16) uint8_t live[SB_VARS_MAX];
    sb_transition t;
    t.before = e->agent, t.live = live;
    if (task->live_size) memcpy(live, e->vars, task->live_size);

    e->clock++;
    carry_out(e, task->remap ? task->remap(e, action) : action);
    if (task->on_step) task->on_step(e);

    judge(&t, e, task);
    result->reward = task->sparse ? task->sparse(e, &t) : t.success ? 1.0 : 0.0;
    result->dense = task->dense(e, &t);
    result->terminated = t.terminated;
    result->truncated = e->clock >= e->max_steps;
    result->success = (t.terminated || result->truncated) && t.success;
}

void sb_episode_copy(sb_episode *to, const sb_episode *from) {
    memcpy(to, from, head_size(from->task));
    memcpy(to->cells, from->cells, sizeof *from->cells * (size_t)sb_n_cells(from));
}

void sb_episode_hide(sb_episode *e) {
    const int n = sb_n_cells(e);
    e->seed = 0;
    if (e->task->reseed) e->task->reseed(e, 0);
    if (e->task->hide) e->task->hide(e);
    for (int i = 0; i < n; i++)
        if (sb_fogged(&e->cells[i])) e->cells[i].terrain = SB_EMPTY, e->cells[i].object = SB_NONE;
}

/* Returns the part of the step counter that rules may read. */
static int32_t clock_of(const sb_episode *e) {
    const sb_clock clock = e->task->clock;
    return clock > 0 ? e->clock % clock : clock == SB_CLOCK_ABSOLUTE ? e->clock : 0;
}

static_assert(offsetof(sb_episode, agent) == 52 && offsetof(sb_episode, outcome) == 156 &&
                  offsetof(sb_episode, vars) == 160,
              "keys count padding, so it is the same on every machine");

static void hash(const sb_episode *e, uint64_t key[2]) {
    uint8_t bytes[sizeof *e];
    const size_t from = offsetof(sb_episode, agent), head = head_size(e->task) - from;
    const size_t cells = sizeof *e->cells * (size_t)sb_n_cells(e);
    const int32_t clock = clock_of(e);
    memcpy(bytes, (const uint8_t *)e + from, head);
    memcpy(bytes + head, e->cells, cells);
    memcpy(bytes + head + cells, &clock, sizeof clock);
    sb_hash128(bytes, head + cells + sizeof clock, key);
}

void sb_episode_key(const sb_episode *e, uint64_t key[2]) {
    sb_episode read;
    if (!e->task->forget) {
        hash(e, key);
        return;
    }
    sb_episode_copy(&read, e);
    read.log = NULL; /* what the key draws is no draw of the episode */
    e->task->forget(&read);
    hash(&read, key);
}

static uint8_t *put_u16(uint8_t *at, int value) {
    at[0] = (uint8_t)value, at[1] = (uint8_t)((unsigned)value >> 8);
    return at + 2;
}

void sb_episode_digest(const sb_episode *e, uint8_t digest[32]) {
    uint8_t bytes[10 + 5 * SB_CELLS_MAX], *at = bytes;
    const int n = sb_n_cells(e);
    at = put_u16(put_u16(at, e->width), e->height);
    for (int i = 0; i < n; i++) *at++ = (uint8_t)e->cells[i].terrain;
    for (int i = 0; i < n; i++) *at++ = (uint8_t)e->cells[i].object;
    memset(at, 0, (size_t)n); /* the published layer of agents, which no task uses */
    at += n;
    for (int i = 0; i < n; i++) at = put_u16(at, e->cells[i].metadata);
    at = put_u16(put_u16(at, e->agent.at.x), e->agent.at.y);
    *at++ = e->agent.facing, *at++ = e->agent.n_items;
    sb_sha256_of(bytes, (size_t)(at - bytes), digest);
}

unsigned sb_episode_valid(const sb_episode *e) {
    unsigned mask = 1u << SB_NOOP | 1u << SB_INTERACT;
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++)
        if (sb_passable(e, sb_beside(e->agent.at, d))) mask |= 1u << sb_move_of(d);
    return mask;
}

/* ---- Effects ---- */

/* Tells whether the same bytes decide the rest of both episodes, rewards included. */
static bool same_episode(const sb_episode *a, const sb_episode *b) {
    const size_t from = offsetof(sb_episode, seed);
    return memcmp((const uint8_t *)a + from, (const uint8_t *)b + from, head_size(a->task) - from) == 0 &&
           memcmp(a->cells, b->cells, sizeof *a->cells * (size_t)sb_n_cells(a)) == 0;
}

/* Tells whether an action changes anything before the rules of the step take over. The rules read no action, so after
 * an action that changed nothing they do, draw and pay the same as after a noop. */
static bool changes(const sb_episode *e, sb_action action) {
    sb_episode after;
    sb_episode_copy(&after, e);
    after.log = NULL;
    carry_out(&after, action);
    return !same_episode(e, &after);
}

/* Only what lies ahead can be refused: any other move turns the agent. */
static bool is_effective(const sb_episode *e, sb_action action) {
    const sb_task *task = e->task;
    const sb_direction ahead = (sb_direction)e->agent.facing;
    const sb_xy target = sb_beside(e->agent.at, ahead);
    const bool interacts = action == SB_INTERACT;
    if (action == SB_NOOP) return false;
    if (!interacts && sb_direction_of(action) != ahead) return true;
    if (!sb_inside(e, target) || (interacts && !task->on_interact)) return false;
    if (sb_fogged(sb_peek(e, target))) return true;
    if (task->effect_is_hidden && task->effect_is_hidden(e, action, target)) return true;
    return interacts || task->can_enter || task->enters_anything ? changes(e, action) : sb_passable(e, target);
}

unsigned sb_episode_effective(const sb_episode *e) {
    unsigned mask = 1u << SB_NOOP;
    for (sb_action a = SB_NOOP + 1; a < SB_N_ACTIONS; a++)
        if (is_effective(e, e->task->remap ? e->task->remap(e, a) : a)) mask |= 1u << a;
    return mask;
}

bool sb_has_won(const sb_episode *e) { return e->outcome == SB_WON; }

double sb_pay_for_outcome(const sb_episode *e, const sb_transition *t) {
    return sb_has_lost(e) ? -1.0 : t->success ? 1.0 : 0.0;
}

void sb_take(sb_episode *e, sb_item_kind kind, int value, sb_xy at) {
    e->items[e->agent.n_items++] = (sb_item){.kind = (uint16_t)kind, .value = (int16_t)value, .at = at};
}

int sb_carries(const sb_episode *e, sb_item_kind kind, int value) {
    for (int i = 0; i < e->agent.n_items; i++)
        if (e->items[i].kind == kind && e->items[i].value == value) return i;
    return -1;
}

void sb_drop(sb_episode *e, int index) {
    const int last = --e->agent.n_items;
    for (int i = index; i < last; i++) e->items[i] = e->items[i + 1];
    memset(&e->items[last], 0, sizeof *e->items);
}
