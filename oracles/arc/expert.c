/* The expert of all multi-level games: it solves the level that is reached from the present situation, follows that
 * plan, and resets the level where there is none, or after GAME_OVER. It knows hidden variables; nothing is drawn in
 * play. */
#include "generators/arc/levels.h"
#include "generators/arc/observe.h"
#include "oracles/oracle.h"

enum { CLICKS = 7, UNDO = 6 };

typedef struct memory {
    sb_arc_solver solver;
    int next;        /* action of the plan */
    uint64_t key[2]; /* of the play in which it is to be taken */
} memory;

static bool begin(void *given, const sb_env *env, sb_budget *budget, sb_error *error) {
    memory *m = given;
    const sb_arc_episode *e = env->state;
    (void)budget;
    m->next = m->solver.n_plan = 0;
    if (m->solver.game == e->play.game) return true;
    sb_arc_solver_free(&m->solver);
    return sb_arc_solver_new(&m->solver, e->play.game, error);
}

static void close_memory(void *given) { sb_arc_solver_free(&((memory *)given)->solver); }

static sb_action number_of(const sb_arc_level *level, sb_arc_move move) {
    const sb_arc_action action = sb_arc_action_of(level, move);
    if (action.id == SB_ARC_CLICK) return CLICKS + SB_ARC_FRAME_SIDE * action.y + action.x;
    return action.id == SB_ARC_UNDO ? UNDO : action.id;
}

/* Notes what the play will be after the next action of the plan. */
static void expect_next(memory *m, const sb_arc_play *play) {
    sb_arc_play after;
    sb_arc_answer answer;
    sb_arc_play_copy(&after, play);
    sb_arc_play_act(&after, sb_arc_action_of(sb_arc_play_level(play), m->solver.plan[m->next++]), NULL, &answer);
    sb_arc_play_key(&after, m->key);
}

static bool has_plan(memory *m, const sb_arc_play *play, sb_budget *budget) {
    uint64_t now[2];
    sb_arc_play_key(play, now);
    if (m->next < m->solver.n_plan && memcmp(now, m->key, sizeof now) == 0) return true;
    m->next = 0;
    const sb_verdict verdict = sb_arc_solve(&m->solver, sb_arc_play_level(play), play->now.situation, play->now.left);
    budget->spent += m->solver.spent;
    return verdict == SB_SOLVED;
}

static void act(void *given, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = given;
    const sb_arc_play *play = &((const sb_arc_episode *)observation->env->state)->play;
    const bool goes_on = play->now.loop.state == SB_ARC_NOT_FINISHED && has_plan(m, play, budget);
    sb_intend(intent, goes_on ? "solve" : "reset", "level", (sb_xy){-1, -1});
    *action = SB_ARC_RESET;
    if (!goes_on) return;
    *action = number_of(sb_arc_play_level(play), m->solver.plan[m->next]);
    expect_next(m, play);
}

const sb_oracle sb_arc_expert = {.family = "arc",
                                 .name = "expert",
                                 .sees = SB_SEES_STATE,
                                 .plans = true,
                                 .memory = sizeof(memory),
                                 .begin = begin,
                                 .close = close_memory,
                                 .act = act};
