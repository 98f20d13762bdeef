/* The observer of all multi-level games. It knows the rules of the games, but of an episode only what frames have
 * shown. Where that is all there is, it plans as the expert does. Elsewhere it plans as if its first guess about what
 * is hidden were true, and drops guesses that what it sees refutes; where it has no plan, it explores. */
#include "generators/arc/family.h"
#include "oracles/arc/plan.h"

enum { GUESSES = 24 /* guesses that are tried for a plan */, NOTHING_YET = -1 };

typedef struct memory {
    sb_arc_plan plan;
    int32_t steps; /* steps of the episode when the observer looked at it last */
    _Alignas(8) uint8_t learned[SB_ARC_LEARNED], facts[SB_ARC_FACTS];
    sb_arc_episode believed;
} memory;

static bool begin(void *given, const sb_env *env, sb_budget *budget, sb_error *error) {
    memory *m = given;
    (void)budget;
    m->steps = NOTHING_YET;
    return sb_arc_plan_begin(&m->plan, ((const sb_arc_episode *)env->state)->play.game, error);
}

static void close_memory(void *given) { sb_arc_plan_free(&((memory *)given)->plan); }

/* Learns from the last step, but nothing twice. An observer that was not asked for a while has missed something, and
 * starts again. */
static void learn(memory *m, const sb_arc_episode *e) {
    const sb_arc_play *play = &e->play;
    const void *before = e->play.before.situation, *now = play->now.situation;
    const sb_arc_move move = sb_arc_last_move(play);
    if (e->steps == m->steps) return;
    if (m->steps == NOTHING_YET || e->steps != m->steps + 1) memset(m->learned, 0, sizeof m->learned);
    m->steps = e->steps;
    play->game->study->learn(m->learned, sb_arc_play_level(play), move.id == SB_ARC_RESET ? now : before, now, move);
}

/* Makes what is believed of what is shown and the n-th guess. A plan for other facts is forgotten. */
static bool believe(memory *m, const sb_arc_episode *shown, int n) {
    sb_arc_episode *e = &m->believed;
    sb_arc_level *level = &e->levels[shown->play.now.loop.level];
    sb_arc_play_copy(&e->play, &shown->play);
    e->play.levels = e->levels;
    memcpy(e->levels, shown->levels, sizeof e->levels);
    if (!e->play.game->study->believe(m->learned, level, e->play.now.situation, n)) return false;
    if (memcmp(m->facts, level->facts, sizeof m->facts) != 0) sb_arc_plan_forget(&m->plan);
    memcpy(m->facts, level->facts, sizeof m->facts);
    return true;
}

static bool plan_by_guesses(memory *m, const sb_arc_episode *e, sb_budget *budget, sb_action *action) {
    if (!e->play.game->study->believe) return false;
    for (int n = 0; n < GUESSES && believe(m, e, n); n++)
        if (sb_arc_plan_next(&m->plan, &m->believed.play, budget, action)) return true;
    return false;
}

static sb_action explore(const memory *m, const sb_arc_episode *e) {
    const sb_arc_level *level = sb_arc_play_level(&e->play);
    return sb_arc_number_of(level, e->play.game->study->explore(m->learned, level, e->play.now.situation));
}

static void act(void *given, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = given;
    const sb_arc_episode *e = observation->env->state;
    const bool studies = e->play.game->study != NULL;
    const char *does = "reset";
    *action = SB_ARC_RESET;
    if (studies) learn(m, e);
    if (e->play.now.loop.state == SB_ARC_NOT_FINISHED) {
        if (studies ? plan_by_guesses(m, e, budget, action) : sb_arc_plan_next(&m->plan, &e->play, budget, action))
            does = "solve";
        else if (studies)
            *action = explore(m, e), does = "explore";
    }
    sb_intend(intent, does, "level", (sb_xy){-1, -1});
}

const sb_oracle sb_arc_observer = {.family = "arc",
                                   .name = "observer",
                                   .sees = SB_SEES_OBSERVATIONS,
                                   .plans = true,
                                   .remembers = sizeof(memory),
                                   .memory = sizeof(memory),
                                   .begin = begin,
                                   .close = close_memory,
                                   .act = act};
