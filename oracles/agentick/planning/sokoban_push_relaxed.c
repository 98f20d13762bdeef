#include "oracles/agentick/planning/sokoban_push_relaxed.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/search/search.h"
#include "generators/agentick/planning/sokoban_push.h"
#include "oracles/kits/alone.h"

enum { MAX_BOXES = SB_SOKOBAN_PUSH_BOXES, TOGETHER = 2, STATES = 1 << 16 /* more than there are pairs of cells */ };

_Static_assert(SB_SOKOBAN_PUSH_CELLS *SB_SOKOBAN_PUSH_CELLS <= STATES, "there is room for agent and one box");

typedef struct packed_state {
    sb_xy agent, box[TOGETHER]; /* boxes sorted as in the task; unused ones are in the corner */
} packed_state;

typedef struct board {
    sb_episode base, now; /* the episode without boxes; the episode with some of them */
    int n;                /* how many boxes are played with */
    unsigned reached;     /* bit t is set if one of the boxes can reach target t */
} board;

/* ---- Some of the boxes ---- */

static void keep_only(sb_episode *e, unsigned boxes) {
    sb_sokoban_push_vars *v = SB_VARS(e);
    for (int i = 0; i < v->n; i++)
        if (!(boxes >> i & 1)) sb_set_object(e, v->box[i], SB_NONE, 0), v->box[i] = sb_at(0, 0);
    v->covered = 0;
}

static packed_state state_of(const board *b, const sb_episode *e) {
    const sb_sokoban_push_vars *v = SB_VARS(e);
    packed_state s = {.agent = e->agent.at};
    int n = 0;
    for (int i = 0; i < v->n && n < b->n; i++)
        if (!sb_same(v->box[i], sb_at(0, 0))) s.box[n++] = v->box[i];
    return s;
}

static void arrange(board *b, const packed_state *s) {
    sb_sokoban_push_vars *v = SB_VARS(&b->now);
    sb_episode_copy(&b->now, &b->base);
    b->now.agent.at = s->agent;
    for (int i = 0; i < v->n; i++) v->box[i] = sb_at(0, 0);
    for (int k = 0; k < b->n; k++) {
        const bool is_home = sb_peek(&b->now, s->box[k])->terrain == SB_HOLE;
        sb_set_object(&b->now, s->box[k], SB_BOX, is_home ? SB_BOX_AT_HOME : 0);
        v->covered += is_home;
        v->box[v->n - b->n + k] = s->box[k]; /* the list is sorted: the corner comes first */
    }
}

static int note_targets(board *b, const packed_state *s) {
    const sb_sokoban_push_vars *v = SB_VARS(&b->now);
    int n_home = 0;
    for (int k = 0; k < b->n; k++)
        for (int t = 0; t < v->n; t++)
            if (sb_same(v->target[t], s->box[k])) b->reached |= 1u << t, n_home++;
    return n_home;
}

static void expand(void *context, const void *state, sb_search *search) {
    board *b = context;
    for (sb_action move = SB_MOVE_UP; move <= SB_MOVE_RIGHT; move++) {
        sb_result result;
        arrange(b, state);
        sb_episode_step(&b->now, move, &result);
        const packed_state there = state_of(b, &b->now);
        const int n_home = note_targets(b, &there);
        if (b->n == 1 && n_home == 1) continue; /* other targets may be nearer by other ways */
        if (sb_terrain_here(&b->now) != SB_HOLE) sb_search_add(search, &there, (uint32_t)move, 1, n_home == b->n);
    }
}

/* Plays with these boxes alone. IMPOSSIBLE: everything was seen, and no way brings several boxes all home. */
static sb_verdict play(board *b, void *memory, const sb_episode *e, unsigned boxes, sb_budget *budget) {
    sb_episode_copy(&b->base, e);
    keep_only(&b->base, boxes);
    b->n = __builtin_popcount(boxes), b->reached = 0;
    const packed_state start = state_of(b, &b->base);
    const sb_problem problem = {
        .state_size = sizeof start, .expand = expand, .context = b, .max_cost = e->max_steps - e->clock};
    keep_only(&b->base, 0);
    return sb_search_run(memory, STATES, &problem, &start, budget);
}

/* ---- All boxes ---- */

static sb_verdict judge_boxes(board *b, void *memory, const sb_episode *e, sb_budget *budget) {
    const int n = ((const sb_sokoban_push_vars *)SB_VARS(e))->n;
    unsigned reached[MAX_BOXES];
    for (int i = 0; i < n; i++) reached[i] = play(b, memory, e, 1u << i, budget) == SB_IMPOSSIBLE ? b->reached : ~0u;
    if (!sb_can_match(reached, n)) return SB_IMPOSSIBLE;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            if (play(b, memory, e, 1u << i | 1u << k, budget) == SB_IMPOSSIBLE) return SB_IMPOSSIBLE;
    return SB_NOT_FOUND;
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
