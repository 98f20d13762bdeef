/* The model of a game: the program that runs the artifacts, and what is carried in it. */
#include <string.h>

#include "base/error.h"
#include "evaluation/arena/game.h"

bool sb_game_no_memory(sb_game *g) { return sb_fail(g->error, SB_MEMORY, "out of memory for a game of the arena"); }

static void close_model(sb_game *g) {
    sb_candidate_close(&g->model), sb_candidate_close(&g->thinker);
    g->model = g->thinker = (sb_candidate){0};
}

/* Both candidates talk to the same program; the hello to the second is answered as the first one was. */
static bool open_model(sb_game *g) {
    const sb_candidate_rules rules = {.transport = sb_runner_transport(&g->runner), .errors = -1};
    sb_error why = {0};
    if (!sb_candidate_open(&g->model, &rules, g->error) || !sb_candidate_open(&g->thinker, &rules, g->error))
        return false;
    const bool ok = sb_candidate_begin(&g->model, &g->evidence.play, &why);
    if (!ok && !g->model.last.kind) return *g->error = why, false;
    g->has_model = ok && sb_candidate_begin(&g->thinker, &g->evidence.play, &why);
    return true;
}

bool sb_game_start_model(sb_game *g) {
    close_model(g);
    sb_runner_renew(&g->runner);
    g->runner.is_none = false;
    if (!open_model(g)) return false;
    if (g->has_model) return true;
    sb_failure kept = g->model.last;
    close_model(g);
    g->runner.is_none = true;
    if (!open_model(g)) return false;
    g->has_model = false, g->model.first = kept;
    return true;
}

sb_imagine_from sb_game_from_here(const sb_game *g, sb_candidate *candidate) {
    sb_imagine_from from = sb_grasp_from_here(&g->grasp, &g->offers, g->team->limits.nodes, g->team->limits.depth);
    from.candidate = candidate;
    return from;
}

/* ---- What is carried, made again ----------------------------------------------------------------------------------
 */

static bool begins_level(const sb_log_transition *t) {
    return t->kind == SB_TRANSITION_LEVEL || t->kind == SB_TRANSITION_RESET;
}

/* Finds the transition from which z and h are made again, to have them as they are before transition `end`. */
static size_t first_to_carry(const sb_game *g, size_t end) {
    const sb_log_transition *all = g->evidence.log.transitions;
    const bool remembers = g->model.offers[SB_MODEL_HISTORY] || g->model.offers[SB_MODEL_ENCODE];
    size_t first = end;
    while (remembers && first && end - first < g->team->limits.catch_up && !begins_level(&all[first - 1])) first--;
    return first;
}

/* Makes z and h as they are before transition `end`. After a failure they may be empty. */
static bool carry(sb_game *g, size_t end, sb_model_value *z, sb_model_value *h) {
    const sb_log_transition *all = g->evidence.log.transitions;
    const size_t first = first_to_carry(g, end), n = g->evidence.log.n_transitions;
    sb_model_meta m = {.available = g->evidence.play.available};
    sb_out_clear(z), sb_out_clear(h), sb_out_clear(&g->grasp.next_z);
    for (size_t i = first; i <= end; i++) {
        const uint8_t *frame = i < n ? all[i].before : g->grasp.frame;
        m.step = (uint32_t)i, m.level = i < n ? all[i].level : g->grasp.m.level;
        m.action_count = i < n ? g->evidence.past[i].action_count : g->grasp.m.action_count;
        if (!sb_candidate_encode(&g->model, frame, z, &g->grasp.c, &m, &g->grasp.next_z, g->error)) return false;
        sb_model_swap(z, &g->grasp.next_z);
        if (i == end || all[i].kind == SB_TRANSITION_NONE) continue;
        if (!sb_candidate_history(&g->model, h, z, &all[i].action, &g->grasp.c, &m, &g->grasp.next_h, g->error))
            return false;
        sb_model_swap(h, &g->grasp.next_h);
    }
    return true;
}

/* Makes the h before each transition that will be checked; empty, if the model carries nothing. */
static bool carry_past(sb_game *g, const sb_regressions *set) {
    bool ok = true;
    for (int s = 0; ok && s < SB_REGRESSION_SELECTORS; s++)
        for (size_t i = 0; ok && i < set->n[s]; i++) {
            const size_t at = set->picked[s][i].at;
            sb_out_clear(&g->grasp.h);
            if (g->model.offers[SB_MODEL_HISTORY]) ok = carry(g, at, &g->grasp.z, &g->grasp.h);
            ok = ok && sb_evidence_carry(&g->evidence.past[at], &g->grasp.h, g->error);
        }
    return ok;
}

bool sb_game_carry_past(sb_game *g) {
    sb_regressions set;
    const bool ok = sb_evidence_select(&g->evidence, &set, g->error) && carry_past(g, &set);
    sb_regressions_free(&set);
    return ok;
}

bool sb_game_catch_up(sb_game *g) {
    sb_out_clear(&g->grasp.c);
    return sb_candidate_level(&g->model, g->grasp.m.level, g->error) &&
           carry(g, g->evidence.log.n_transitions, &g->grasp.z, &g->grasp.h);
}
