#include "evaluation/exploration.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/exp.h"
#include "base/json.h"
#include "engine/environment.h"
#include "engine/lookup.h"

const char *const sb_act_names[SB_N_ACTS] = {"noop", "key", "click", "reset", "other"};

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

/* Whether an action is the first of its kind in the list. */
static bool is_new(const sb_action *actions, size_t index) {
    for (size_t i = 0; i < index; i++)
        if (actions[i] == actions[index]) return false;
    return true;
}

double sb_perplexity(const sb_action *actions, size_t n) {
    double entropy = 0;
    size_t different = 0;
    for (size_t i = 0; i < n; i++) {
        size_t count = 0;
        if (!is_new(actions, i)) continue;
        for (size_t k = i; k < n; k++) count += actions[k] == actions[i];
        const double share = (double)count / (double)n;
        entropy -= share * sb_ln(share);
        different++;
    }
    return different < 2 ? 0 : (sb_exp(entropy) - 1) / ((double)different - 1);
}

/* The area under the curve by the trapezoid rule; one window gives its own value. */
static void measure_windows(const sb_action *actions, size_t n, size_t window, sb_exploration *measures) {
    const size_t size = n < window ? n : window, windows = n - size + 1;
    double before = 0;
    for (size_t i = 0; i < windows; i++) {
        const double value = sb_perplexity(actions + i, size);
        if (i) measures->area += (before + value) / 2 / (double)(windows - 1);
        before = value;
    }
    if (windows == 1) measures->area = before;
    measures->final = before;
}

void sb_explore_actions(const sb_action *actions, const sb_act *acts, size_t n, size_t window,
                        sb_exploration *measures) {
    *measures = (sb_exploration){.actions = (uint32_t)n};
    if (!n) return;
    for (size_t i = 0; i < n; i++) {
        measures->resets += acts[i] == SB_ACT_RESET;
        if (is_new(actions, i)) measures->different++, measures->shares[acts[i]]++;
    }
    for (int act = 0; act < SB_N_ACTS; act++) measures->shares[act] /= measures->different;
    measure_windows(actions, n, window, measures);
}

/* ---- Tapes ------------------------------------------------------------------------------------------------------- */

/* How many actions of a tape come before the test; without a test, all. */
static size_t interaction_of(const sb_tape *tape, const sb_test_source *tests, bool is_test) {
    size_t n = 0;
    while (is_test && n < tape->n && n < tests->limit && tape->actions[n] != tests->begins) n++;
    return is_test ? n : tape->n;
}

/* How many of the `left` actions from `next` on are waiting that was added to one action of the agent, as sb_turn_next
 * adds it. */
static size_t count_added(const sb_test_source *tests, sb_act act, uint64_t frames, const sb_action *next,
                          size_t left) {
    size_t n = 0;
    if (act == SB_ACT_RESET || act == SB_ACT_OTHER) return 0;
    while (n < left && n + 1 < frames && next[n] == tests->waits) n++;
    return n;
}

bool sb_explore_tape(const sb_tape *tape, uint64_t frames, size_t window, sb_exploration *measures, bool *known,
                     sb_error *error) {
    size_t n = 0;
    const sb_resolved *of = &tape->of;
    const sb_test_source *tests = of->family->tests;
    sb_shape shape = {0};
    *known = false;
    if (!tests) return true;
    of->family->shape(of->task, of->difficulty, &shape);
    const bool is_test = tests->kind(of->task, of->difficulty);
    const size_t all = interaction_of(tape, tests, is_test);
    sb_action *actions = malloc((all + 1) * sizeof *actions);
    sb_act *acts = malloc((all + 1) * sizeof *acts);
    if (actions && acts) {
        for (size_t i = 0; i < all; i++) {
            const sb_act act = tests->act(&shape, tape->actions[i]);
            if (act != SB_ACT_OTHER) actions[n] = tape->actions[i], acts[n++] = act;
            if (is_test) i += count_added(tests, act, frames, tape->actions + i + 1, all - i - 1);
        }
        sb_explore_actions(actions, acts, n, window, measures);
        *known = true;
    }
    free(actions), free(acts);
    return *known || sb_fail(error, SB_MEMORY, "out of memory for a tape's actions");
}

/* ---- Means ------------------------------------------------------------------------------------------------------- */

void sb_add_to_means(sb_exploration_means *means, const sb_exploration *m) {
    means->episodes++;
    means->area += m->area, means->final += m->final, means->resets += m->resets;
    for (int act = 0; act < SB_N_ACTS; act++) means->shares[act] += m->shares[act];
}

void sb_finish_means(sb_exploration_means *means) {
    const double n = means->episodes ? (double)means->episodes : 1;
    means->area /= n, means->final /= n, means->resets /= n;
    for (int act = 0; act < SB_N_ACTS; act++) means->shares[act] /= n;
}

/* ---- Documents --------------------------------------------------------------------------------------------------- */

static void member_shares(sb_out *out, const double shares[SB_N_ACTS]) {
    sb_put_key(out, "shares");
    sb_puts(out, "{");
    for (int act = 0; act < SB_ACT_OTHER; act++) sb_member_double(out, sb_act_names[act], shares[act]);
    sb_puts(out, "}");
}

void sb_member_exploration_means(sb_out *out, const sb_exploration_means *means) {
    if (!means->episodes) return;
    sb_put_key(out, "exploration");
    sb_puts(out, "{");
    sb_member_int(out, "window", SB_EXPLORATION_WINDOW);
    sb_member_double(out, "area", means->area);
    sb_member_double(out, "final", means->final);
    sb_member_double(out, "resets", means->resets);
    member_shares(out, means->shares);
    sb_puts(out, "}");
}

void sb_member_exploration(sb_out *out, const sb_exploration *m) {
    sb_member_uint(out, "actions", m->actions);
    sb_member_uint(out, "different", m->different);
    sb_member_uint(out, "resets", m->resets);
    sb_member_double(out, "area", m->area);
    sb_member_double(out, "final", m->final);
    member_shares(out, m->shares);
}
