#include "oracles/agentick/multi_agent/cooperative_transport_relaxed.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/search/search.h"
#include "generators/agentick/multi_agent/cooperative_transport.h"
#include "oracles/kits/alone.h"

typedef sb_cooperative_transport_vars vars;

enum { BOXES = SB_COOPERATIVE_TRANSPORT_BOXES, STATES = 1 << 16, NO_HOLE = -1 };

typedef struct packed_state {
    sb_xy agent, box;
} packed_state;

typedef struct board {
    sb_episode base; /* without boxes, helper and open holes */
    sb_episode now;
    sb_budget *budget;
    unsigned reached; /* bit j is set if the box can fill hole j */
} board;

/* ---- The helper under the agent ---- */

static void put_box(sb_episode *e, int i, sb_xy p) {
    vars *v = SB_VARS(e);
    v->box[i] = p;
    sb_set_object(e, p, SB_BOX, 0);
}

static bool can_hold_box(const sb_episode *e, sb_xy p) {
    return sb_interior(e, p) && sb_peek(e, p)->terrain == SB_EMPTY && sb_peek(e, p)->object == SB_NONE &&
           !sb_same(p, e->agent.at);
}

/* Tells whether the agent may have come from a free cell, and the helper stays under it now. */
static bool stays_now(const sb_episode *e) {
    bool is_free = false;
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++)
        is_free |= sb_cooperative_transport_is_free(e, sb_beside(e->agent.at, d));
    return is_free && sb_same(sb_cooperative_transport_next(e), e->agent.at);
}

/* Puts the boxes from the i-th on anywhere from that cell on; tells whether the helper stays in any of these cases. If
 * the budget runs out, it may. */
static bool stays_somewhere(board *b, int i, int cell) {
    const vars *v = SB_VARS(&b->now);
    if (i == v->n_left) return ++b->budget->spent > b->budget->limit || stays_now(&b->now);
    for (; cell < sb_n_cells(&b->now); cell++) {
        const sb_xy p = sb_xy_of(&b->now, cell);
        if (!can_hold_box(&b->now, p)) continue;
        put_box(&b->now, i, p);
        const bool stays = stays_somewhere(b, i + 1, cell + 1);
        sb_set_object(&b->now, p, SB_NONE, 0);
        if (stays) return true;
    }
    return false;
}

/* Tells whether the helper may stay under the agent if exactly these holes are filled. The helper follows the first box
 * of the list that is beside the agent. */
static bool stays_with(board *b, const packed_state *s, unsigned filled) {
    vars *v = SB_VARS(&b->now);
    sb_episode_copy(&b->now, &b->base);
    v->n_left = v->n, b->now.agent.at = v->helper = s->agent;
    for (int j = 0; j < v->n; j++)
        if (filled >> j & 1)
            v->n_left--;
        else
            sb_cell_at(&b->now, v->hole[j])->terrain = SB_HOLE;
    if (v->n_left < 2 || sb_terrain_here(&b->now) == SB_HOLE || sb_peek(&b->now, s->box)->terrain == SB_HOLE)
        return false;
    put_box(&b->now, 1, s->box);
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
        const sb_xy first = sb_beside(s->agent, d);
        if (!can_hold_box(&b->now, first)) continue;
        put_box(&b->now, 0, first);
        const bool stays = stays_somewhere(b, 2, 0);
        sb_set_object(&b->now, first, SB_NONE, 0);
        if (stays) return true;
    }
    return false;
}

/* Tells whether the helper may stay under the agent while this hole is open. The box is closed in on the other sides.
 */
static bool may_stay(board *b, const packed_state *s, int hole) {
    const vars *v = SB_VARS(&b->base);
    for (unsigned filled = 0; filled < 1u << v->n; filled++)
        if ((hole == NO_HOLE || !(filled >> hole & 1)) && stays_with(b, s, filled)) return true;
    return false;
}

/* ---- One box ---- */

static void arrange(board *b, const packed_state *s, sb_xy helper, int hole) {
    vars *v = SB_VARS(&b->now);
    sb_episode_copy(&b->now, &b->base);
    put_box(&b->now, 0, s->box);
    b->now.agent.at = s->agent, v->helper = helper;
    if (hole != NO_HOLE) sb_cell_at(&b->now, v->hole[hole])->terrain = SB_HOLE;
}

/* Pushes the box with the helper on that cell. False if it does not move. */
static bool push_with(board *b, const packed_state *s, sb_action move, sb_xy helper, int hole) {
    const vars *v = SB_VARS(&b->now);
    sb_result result;
    arrange(b, s, helper, hole);
    if (!sb_terrain_walkable(sb_peek(&b->now, helper)->terrain)) return false;
    sb_episode_step(&b->now, move, &result);
    return v->n_left == 0 || !sb_same(v->box[0], s->box);
}

/* Pushes the box with the helper wherever it can be. False if the box cannot be moved. */
static bool push(board *b, const packed_state *s, sb_action move, int hole) {
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
        const sb_xy helper = sb_beside(s->box, d);
        if (!sb_same(helper, s->agent) && push_with(b, s, move, helper, hole)) return true;
    }
    return push_with(b, s, move, s->agent, hole) && may_stay(b, s, hole) && push_with(b, s, move, s->agent, hole);
}

static void walk(board *b, const packed_state *s, sb_action move) {
    sb_result result;
    arrange(b, s, s->agent, NO_HOLE);
    sb_episode_step(&b->now, move, &result);
}

static void note_hole(board *b, const packed_state *s, sb_action move) {
    const vars *v = SB_VARS(&b->base);
    const sb_xy to = sb_beside(s->box, sb_direction_of(move));
    for (int j = 0; j < v->n; j++)
        if (sb_same(v->hole[j], to) && !(b->reached >> j & 1) && push(b, s, move, j)) b->reached |= 1u << j;
}

static void expand(void *context, const void *state, sb_search *search) {
    board *b = context;
    const packed_state *s = state;
    const vars *v = SB_VARS(&b->now);
    for (sb_action move = SB_MOVE_UP; move <= SB_MOVE_RIGHT; move++) {
        if (!sb_same(sb_beside(s->agent, sb_direction_of(move)), s->box)) {
            walk(b, s, move);
        } else {
            note_hole(b, s, move);
            if (!push(b, s, move, NO_HOLE)) continue;
        }
        const packed_state there = {b->now.agent.at, v->box[0]};
        sb_search_add(search, &there, (uint32_t)move, 1, false);
    }
}

static void clear(sb_episode *e) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < v->n; i++) {
        sb_set_object(e, v->box[i], SB_NONE, 0);
        sb_cell_at(e, v->hole[i])->terrain = SB_EMPTY;
        v->box[i] = sb_at(0, 0);
    }
    sb_set_object(e, v->helper, SB_NONE, 0);
    v->n_left = 1;
}

/* Returns the holes that the box can fill; all of them if the budget runs out. */
static unsigned holes_of(board *b, void *memory, const sb_episode *e, sb_xy box) {
    const packed_state start = {e->agent.at, box};
    const sb_problem problem = {
        .state_size = sizeof start, .expand = expand, .context = b, .max_cost = e->max_steps - e->clock};
    b->reached = 0;
    return sb_search_run(memory, STATES, &problem, &start, b->budget) == SB_IMPOSSIBLE ? b->reached : ~0u;
}

/* ---- All boxes ---- */

static sb_verdict judge_boxes(board *b, void *memory, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    unsigned reached[BOXES];
    sb_episode_copy(&b->base, e);
    clear(&b->base);
    for (int i = 0; i < v->n; i++) reached[i] = holes_of(b, memory, e, v->box[i]);
    return sb_can_match(reached, v->n) ? SB_NOT_FOUND : SB_IMPOSSIBLE;
}

bool sb_cooperative_transport_judge_relaxed(const sb_env *env, sb_budget *budget, sb_verdict *verdict,
                                            sb_error *error) {
    const sb_episode *e = sb_episode_of(env);
    const vars *v = SB_VARS(e);
    *verdict = SB_NOT_FOUND;
    if (v->n_left < v->n || e->clock > 0) return true;
    board *b = calloc(1, sizeof *b);
    void *memory = calloc(1, SB_SEARCH_SIZE(sizeof(packed_state), STATES));
    if (b) b->budget = budget;
    if (b && memory) *verdict = judge_boxes(b, memory, e);
    const bool ok = (b && memory) || sb_fail(error, SB_MEMORY, "out of memory for a board");
    free(b), free(memory);
    return ok;
}
