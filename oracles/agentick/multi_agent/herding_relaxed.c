#include "oracles/agentick/multi_agent/herding_relaxed.h"

#include "engine/gridworld/area.h"
#include "generators/agentick/multi_agent/herding.h"

typedef sb_herding_vars vars;

/* The cells that sheep can get to, in the order in which they were found. */
typedef struct walk {
    sb_area seen;
    sb_xy cell[SB_CELLS_MAX];
    int n;
} walk;

static void step_to(walk *w, const sb_episode *e, sb_xy p) {
    if (sb_peek(e, p)->terrain != SB_EMPTY || sb_area_has(&w->seen, p)) return;
    sb_area_add(&w->seen, p);
    w->cell[w->n++] = p;
}

static bool is_taken(const vars *v, sb_xy place) {
    for (int i = 0; i < v->n_sheep; i++)
        if (sb_same(v->sheep[i], place)) return true;
    return false;
}

bool sb_herding_judge_relaxed(const sb_env *env, sb_budget *budget, sb_verdict *verdict, sb_error *error) {
    const sb_episode *e = sb_episode_of(env);
    const vars *v = SB_VARS(e);
    walk w = {.n = 0};
    int n_outside = 0, n_places = 0;
    (void)error;
    for (int i = 0; i < v->n_sheep; i++) {
        if (sb_herding_is_pen(v, v->sheep[i])) continue;
        n_outside++;
        step_to(&w, e, v->sheep[i]);
    }
    for (int i = 0; i < w.n; i++) {
        budget->spent++;
        if (sb_herding_is_pen(v, w.cell[i]))
            n_places += !is_taken(v, w.cell[i]);
        else
            for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) step_to(&w, e, sb_beside(w.cell[i], d));
    }
    *verdict = n_places < n_outside ? SB_IMPOSSIBLE : SB_NOT_FOUND;
    return true;
}
