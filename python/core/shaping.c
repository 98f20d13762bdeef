#include "python/core/shaping.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "engine/lookup.h"
#include "oracles/player.h"
#include "python/core/making.h"

const char *const core_rewards[] = {"sparse", "dense", "progress", NULL};

int core_read_reward(core *c, const char *reward, double gamma) {
    int kind;
    if (!core_read_word(c, "reward", reward, core_rewards, &kind)) return -1;
    if (gamma >= 0 && gamma <= 1 && (kind == CORE_PROGRESS || gamma == 1)) return kind;
    core_refuse(c, "InvalidError",
                kind == CORE_PROGRESS ? "gamma is a number from 0 to 1" : "gamma goes with reward=\"progress\"");
    return -1;
}

static size_t n_groups(const core_shaping *s) { return (s->n + CORE_SHAPED - 1) / CORE_SHAPED; }

core_shaping *core_shaping_make(size_t n, double gamma) {
    core_shaping *s = calloc(1, sizeof *s);
    if (s) {
        s->n = n;
        s->of = malloc(n * sizeof *s->of);
        s->costs = calloc(n_groups(s), sizeof(sb_costs *)), s->errors = calloc(n_groups(s), sizeof *s->errors);
    }
    if (!s || !s->of || !s->costs || !s->errors) {
        core_shaping_free(s);
        return PyErr_NoMemory(), NULL;
    }
    for (size_t i = 0; i < n; i++) s->of[i] = sb_progress_by(gamma);
    return s;
}

void core_shaping_free(core_shaping *s) {
    if (!s) return;
    for (size_t i = 0; s->costs && i < n_groups(s); i++) sb_costs_free(s->costs[i]);
    free(s->of), free(s->costs), free(s->errors);
    free(s);
}

bool core_shapes(core *c, const sb_name *name) {
    sb_resolved of;
    sb_error error;
    if (sb_resolve(c->catalogue, name, &of, &error) &&
        sb_can_tell_costs(sb_oracle_names[SB_SEES_STATE], name, sb_criterion_of(&of), &error))
        return true;
    sb_fail_at(&error, "reward=\"progress\"");
    return core_raise(c, &error), false;
}

void core_shaping_forget(core_shaping *s, size_t i) {
    if (s) s->of[i].potential = NAN;
}

/* The costs of the group of environment i. */
static sb_costs *costs_of(core_shaping *s, size_t i, sb_error *error) {
    sb_costs **costs = &s->costs[i / CORE_SHAPED];
    if (!*costs) *costs = sb_costs_make(sb_oracle_names[SB_SEES_STATE], error);
    return *costs;
}

bool core_shaping_begin(core_shaping *s, size_t i, const sb_env *env, sb_error *error) {
    sb_costs *costs = costs_of(s, i, error);
    return costs && sb_progress_begin(&s->of[i], costs, env, error);
}

bool core_shaping_step(core_shaping *s, size_t i, const sb_env *env, const sb_result *result, double *reward,
                       sb_error *error) {
    sb_costs *costs = costs_of(s, i, error);
    return costs && sb_progress_step(&s->of[i], costs, env, result, reward, error);
}

/* ---- Many ---- */

typedef struct run {
    core_shaping *shaping;
    core_shaping_work *work;
    void *context;
} run;

static void work_on_group(void *context, size_t group) {
    const run *r = context;
    core_shaping *s = r->shaping;
    const size_t first = group * CORE_SHAPED, end = first + CORE_SHAPED < s->n ? first + CORE_SHAPED : s->n;
    s->errors[group].code = SB_OK;
    r->work(r->context, first, end, &s->errors[group]);
}

bool core_shaping_run(core_shaping *s, sb_team *team, core_shaping_work *work, void *context, sb_error *error) {
    sb_team_run(team, n_groups(s), 1, work_on_group, &(run){s, work, context});
    for (size_t i = 0; i < n_groups(s); i++)
        if (s->errors[i].code != SB_OK) return *error = s->errors[i], false;
    return true;
}
