/* Costs in words (oracles/costs.h). */
#include <math.h>

#include "oracles/costs.h"

const char *sb_regret_unit_name(sb_regret_unit unit) {
    return unit == SB_REGRET_STEPS ? "steps" : unit == SB_REGRET_PROBABILITY ? "probability" : "";
}

/* Writes `1 step`, `2 steps` or, of a mean, `2.5 steps`. */
static void put_steps(sb_out *out, double steps, bool is_mean) {
    is_mean ? sb_put_fixed(out, steps, 1) : sb_put_int(out, (int64_t)steps);
    sb_puts(out, !is_mean && steps == 1 ? " step" : " steps");
}

static int won(const sb_cost *cost) { return (int)round(cost->success * SB_COST_FUTURES); }

static void put_estimate(sb_out *out, const sb_cost *cost) {
    sb_putf(out, "success in %d of %d futures", won(cost), SB_COST_FUTURES);
    if (cost->mean > 0) sb_puts(out, ", on average in "), put_steps(out, cost->mean, true);
}

/* Writes how the action is worse than the best one; both are known to succeed, or are estimates. */
static void put_difference(sb_out *out, const sb_env *env, const sb_cost *cost, const sb_cost *best) {
    const sb_regret regret = sb_regret_of(cost, best);
    const bool is_mean = cost->kind == SB_COST_ESTIMATE;
    if (regret.unit == SB_REGRET_PROBABILITY)
        sb_putf(out, "success in %d of %d futures, %d after ", won(cost), SB_COST_FUTURES, won(best));
    else
        put_steps(out, regret.by, is_mean), sb_puts(out, is_mean ? " more on average than " : " more than ");
    env->family->print_action(env, best->action, out);
    if (!is_mean && !(cost->is_proven && best->is_proven)) sb_puts(out, ", not proven");
}

static void put_success(sb_out *out, const sb_cost *cost) {
    put_steps(out, cost->steps, false);
    sb_puts(out, cost->kind == SB_COST_EXACT ? " to success, proven shortest" : " to success, not proven shortest");
}

void sb_put_cost_words(sb_out *out, const sb_env *env, const sb_cost *cost, const sb_cost *best) {
    switch (cost->kind) {
    case SB_COST_UNKNOWN: sb_puts(out, "no play that succeeds is known"); return;
    case SB_COST_LOST: sb_puts(out, "no play succeeds after it"); return;
    case SB_COST_LATE:
        sb_puts(out, cost->is_proven ? "no play succeeds after it in time" : "the play at hand succeeds too late");
        return;
    default: break;
    }
    if (!cost->is_best)
        put_difference(out, env, cost, best);
    else if (cost->kind == SB_COST_ESTIMATE)
        put_estimate(out, cost);
    else
        put_success(out, cost);
}
