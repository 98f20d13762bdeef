#include "oracles/agentick/planning/sokoban_push_relaxed.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "generators/agentick/planning/sokoban_push.h"
#include "search/search.h"

enum { MAX_BOXES = SB_SOKOBAN_PUSH_BOXES, STATES = 1 << 16 /* more than there are pairs of cells */ };

_Static_assert(SB_SOKOBAN_PUSH_CELLS *SB_SOKOBAN_PUSH_CELLS <= STATES, "there is room for every pair");

typedef struct packed_state {
    sb_xy agent, box;
} packed_state;

typedef struct board {
    sb_episode base, now; /* with one box on it */
    int box;              /* index of that box */
    unsigned reached;     /* bit t is set if the box can reach target t */
} board;

/* ---- One box ---- */

static void remove_others(sb_episode *e, int box) {
    sb_sokoban_push_vars *v = SB_VARS(e);
    for (int i = 0; i < v->n; i++)
        if (i != box) sb_set_object(e, v->box[i], SB_NONE, 0), v->box[i] = sb_at(0, 0);
    v->covered = 0;
}

static void arrange(board *b, const packed_state *s) {
    sb_sokoban_push_vars *v = SB_VARS(&b->now);
    sb_episode_copy(&b->now, &b->base);
    sb_set_object(&b->now, v->box[b->box], SB_NONE, 0);
    sb_set_object(&b->now, s->box, SB_BOX, 0);
    v->box[b->box] = s->box;
    b->now.agent.at = s->agent;
}

/* Returns the cell of the box. The list of boxes is kept sorted, and removed boxes are in the corner. */
static sb_xy box_now(const sb_episode *e) {
    const sb_sokoban_push_vars *v = SB_VARS(e);
    for (int i = 0; i < v->n; i++)
        if (!sb_same(v->box[i], sb_at(0, 0))) return v->box[i];
    return sb_at(0, 0);
}

static void note_target(board *b, sb_xy box) {
    const sb_sokoban_push_vars *v = SB_VARS(&b->now);
    for (int t = 0; t < v->n; t++)
        if (sb_same(v->target[t], box)) b->reached |= 1u << t;
}

static void expand(void *context, const void *state, sb_search *search) {
    board *b = context;
    for (sb_action move = SB_MOVE_UP; move <= SB_MOVE_RIGHT; move++) {
        sb_result result;
        arrange(b, state);
        sb_episode_step(&b->now, move, &result);
        const packed_state there = {b->now.agent.at, box_now(&b->now)};
        if (sb_peek(&b->now, there.box)->terrain == SB_HOLE)
            note_target(b, there.box);
        else if (sb_terrain_here(&b->now) != SB_HOLE)
            sb_search_add(search, &there, (uint32_t)move, 1, false);
    }
}

/* Returns the targets that the box can reach; all of them if the budget runs out. */
static unsigned targets_of(board *b, void *memory, const sb_episode *e, int box, sb_budget *budget) {
    const sb_sokoban_push_vars *v = SB_VARS(e);
    const packed_state start = {e->agent.at, v->box[box]};
    const sb_problem problem = {
        .state_size = sizeof start, .expand = expand, .context = b, .max_cost = e->max_steps - e->clock};
    sb_episode_copy(&b->base, e);
    remove_others(&b->base, box);
    b->box = box, b->reached = 0;
    const bool all_seen = sb_search_run(memory, STATES, &problem, &start, budget) == SB_IMPOSSIBLE;
    return all_seen ? b->reached : ~0u;
}

/* ---- All boxes ---- */

static bool can_match(const unsigned *reached, int n, int box, unsigned taken) {
    if (box == n) return true;
    for (int t = 0; t < n; t++)
        if ((reached[box] & ~taken) >> t & 1 && can_match(reached, n, box + 1, taken | 1u << t)) return true;
    return false;
}

static sb_verdict judge_boxes(board *b, void *memory, const sb_episode *e, sb_budget *budget) {
    const sb_sokoban_push_vars *v = SB_VARS(e);
    unsigned reached[MAX_BOXES];
    for (int i = 0; i < v->n; i++) reached[i] = targets_of(b, memory, e, i, budget);
    return can_match(reached, v->n, 0, 0) ? SB_NOT_FOUND : SB_IMPOSSIBLE;
}

/* Judges only the beginning of an episode: later, boxes in pits act as walls. */
bool sb_sokoban_push_judge_relaxed(const sb_env *env, sb_budget *budget, sb_verdict *verdict, sb_error *error) {
    const sb_episode *e = sb_episode_of(env);
    const sb_sokoban_push_vars *v = SB_VARS(e);
    *verdict = SB_NOT_FOUND;
    if (v->covered) return true;
    board *b = calloc(1, sizeof *b);
    void *memory = calloc(1, SB_SEARCH_SIZE(sizeof(packed_state), STATES));
    if (b && memory) *verdict = judge_boxes(b, memory, e, budget);
    const bool ok = (b && memory) || sb_fail(error, SB_MEMORY, "out of memory for a board");
    free(b), free(memory);
    return ok;
}
