#include "evaluation/models/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "evaluation/models/grasp.h"

const char *const sb_plan_reasons[SB_PLAN_REASONS] = {"plan", "progress", "probe", "reset"};

typedef struct playing {
    sb_env *env;
    sb_candidate *candidate;
    const sb_plan_options *options;
    sb_plan_report *report;
    sb_log_writer writer;
    sb_out no_log; /* where the lines of the log go if nobody wants one */
    sb_grasp grasp;
    sb_offers offers;
    sb_imagining search; /* the plan in force: its steps from `at` on */
    size_t at;
    sb_tries tries;
    sb_error *error;
} playing;

/* ---- Beginning --------------------------------------------------------------------------------------------------- */

static bool begin_log(playing *p) {
    char name[SB_NAME_MAX];
    sb_name_print(&p->env->name, name, sizeof name);
    return sb_log_begin(&p->writer, p->env, p->options->log ? p->options->log : &p->no_log, p->error) ||
           sb_fail_at(p->error, "%s", name);
}

static bool begin(playing *p, const sb_name *name) {
    if (!sb_reset_name(p->env, name, p->error) ||
        !sb_need_success(p->env->name.task, sb_criterion_in(p->env), p->error) || !begin_log(p))
        return false;
    const sb_log_play *play = &p->writer.play;
    return sb_grasp_begin(&p->grasp, p->candidate, play, p->error) &&
           sb_offers_read(&p->offers, p->env, &play->shape, p->error) &&
           sb_candidate_begin(p->candidate, play, p->error) && sb_grasp_enter(&p->grasp, p->writer.level, p->error);
}

/* ---- Choosing an action ------------------------------------------------------------------------------------------ */

static sb_imagine_from from_here(const playing *p) {
    const sb_plan_options *o = p->options;
    return sb_grasp_from_here(&p->grasp, &p->offers, o->nodes ? o->nodes : SB_PLAN_NODES,
                              o->depth ? o->depth : SB_PLAN_DEPTH);
}

static bool think(playing *p) {
    sb_plan_report *r = p->report;
    const sb_imagine_from from = from_here(p);
    p->at = 0;
    if (!sb_imagine(&p->search, &from, p->error)) return false;
    r->searches++, r->searches_cut += p->search.is_cut;
    r->plans += p->search.kind == SB_IMAGINED_PLAN, r->ways += p->search.kind == SB_IMAGINED_PROGRESS;
    return true;
}

static void drop_plan(playing *p) { p->search.n_steps = p->at = 0; }

static bool choose_probe(playing *p, sb_log_action *best) {
    const sb_imagine_from from = from_here(p);
    return sb_probe_choose(&p->tries, p->env, &p->offers, &from, p->grasp.frame, p->grasp.room, best, p->error);
}

/* ---- Taking an action -------------------------------------------------------------------------------------------- */

/* Asks what the action leads to from what is really seen; that is what retrodiction counts. */
static bool predict(playing *p, const sb_log_action *action, sb_expected *expected) {
    return sb_grasp_carry(&p->grasp, action, p->error) && sb_grasp_predict(&p->grasp, action, expected, p->error);
}

static bool came_true(const playing *p, const sb_expected *expected) {
    const sb_log_transition *line = &p->writer.line;
    if (line->kind == SB_TRANSITION_LEVEL) return expected->done;
    return !expected->done && expected->over == (line->kind == SB_TRANSITION_OVER) && expected->frame &&
           memcmp(expected->frame, line->last, sb_frame_cells(&p->writer.play.shape)) == 0;
}

/* Counts what was predicted, and whether the plan still holds. */
static void judge(playing *p, sb_plan_reason reason, const sb_expected *expected) {
    sb_plan_report *r = p->report;
    const sb_transition_kind kind = p->writer.line.kind;
    const bool is_planned = reason == SB_BY_PLAN || reason == SB_BY_PROGRESS;
    if (kind == SB_TRANSITION_STEP || kind == SB_TRANSITION_OVER) {
        r->asked++;
        r->right += came_true(p, expected);
    }
    sb_expected claim = *expected;
    if (is_planned) {
        const sb_imagined_step *step = &p->search.steps[p->at];
        const uint8_t *frame = p->search.frames + p->at * sb_frame_cells(&p->writer.play.shape);
        claim = (sb_expected){.frame = step->is_drawn ? frame : NULL, .done = step->done};
        p->at++;
    }
    const bool is_surprise = kind != SB_TRANSITION_NONE && !came_true(p, &claim);
    r->surprises += is_surprise;
    if (is_planned && !is_surprise && p->at == p->search.n_steps)
        r->plans_true += reason == SB_BY_PLAN, r->ways_true += reason == SB_BY_PROGRESS;
    if (is_surprise || kind != SB_TRANSITION_STEP) drop_plan(p);
}

/* Takes over what is seen after the action, and shows it to a candidate that learns. */
static bool go_on(playing *p) {
    const sb_log_transition *line = &p->writer.line;
    sb_grasp_see(&p->grasp, line);
    if ((line->kind == SB_TRANSITION_STEP || line->kind == SB_TRANSITION_OVER) && !sb_grasp_encode(&p->grasp, p->error))
        return false;
    return sb_grasp_go_on(&p->grasp, line, p->writer.level, p->error);
}

static bool take(playing *p, const sb_log_action *action, sb_plan_reason reason) {
    sb_expected expected = {0};
    sb_action number;
    sb_result result = {0};
    const bool is_reset = reason == SB_BY_RESET && p->offers.has_reset;
    sb_out_clear(&p->grasp.next_h);
    if (!sb_log_action_in(p->env, action, &number, p->error) ||
        !sb_tries_note(&p->tries, &p->writer.play.shape, p->grasp.frame, number, p->error) ||
        (!is_reset && !predict(p, action, &expected)) || !sb_step(p->env, number, &result, p->error))
        return false;
    if (!(p->options->log ? sb_log_add(&p->writer, p->env, number, p->options->log, p->error)
                          : sb_log_step(&p->writer, p->env, number, p->error)))
        return false;
    p->report->actions++, p->report->by[reason]++;
    if (!is_reset) judge(p, reason, &expected);
    return go_on(p);
}

static bool take_one(playing *p) {
    static const sb_plan_reason reasons[] = {
        [SB_IMAGINED_PLAN] = SB_BY_PLAN, [SB_IMAGINED_PROGRESS] = SB_BY_PROGRESS, [SB_IMAGINED_NOTHING] = SB_BY_PROBE};
    if (p->writer.line.kind == SB_TRANSITION_OVER && p->offers.has_reset)
        return drop_plan(p), take(p, &p->offers.reset, SB_BY_RESET);
    if (p->at == p->search.n_steps && !think(p)) return false;
    if (p->at < p->search.n_steps) {
        const sb_log_action next = p->search.steps[p->at].action;
        return take(p, &next, reasons[p->search.kind]);
    }
    sb_log_action probe;
    return choose_probe(p, &probe) && take(p, &probe, SB_BY_PROBE);
}

/* ---- The whole episode ------------------------------------------------------------------------------------------- */

static bool begin_test(playing *p) {
    sb_log_action begins;
    return !sb_probe_begins_test(p->env, &p->writer.play.shape, &begins) || take(p, &begins, SB_BY_RESET);
}

static bool play(playing *p, const sb_name *name) {
    const sb_plan_options *o = p->options;
    if (!begin(p, name) || !begin_test(p)) return false;
    const sb_status *status = sb_status_of(p->env);
    const uint64_t most = (uint64_t)status->max_steps, end = o->actions && o->actions < most ? o->actions : most;
    while (!status->done && p->report->actions < end) {
        if (!take_one(p)) return false;
        if (o->progress) o->progress(o->context, (size_t)p->report->actions, (size_t)end);
    }
    return true;
}

static void finish(playing *p, double seconds, uint64_t predictions) {
    sb_plan_report *r = p->report;
    const sb_efficiency_source *efficiency = p->env->family->efficiency;
    r->name = *sb_name_of(p->env), r->status = *sb_status_of(p->env), r->criterion = sb_criterion_in(p->env);
    if (efficiency) r->score_name = efficiency->score, efficiency->measure(p->env, &r->effort);
    r->seconds = p->candidate->seconds - seconds;
    r->predictions = p->candidate->asked[SB_MODEL_PREDICT] - predictions;
}

static void free_all(playing *p) {
    sb_log_writer_free(&p->writer);
    sb_imagining_free(&p->search);
    sb_grasp_free(&p->grasp), sb_out_free(&p->no_log);
    sb_offers_free(&p->offers), free(p->tries.slots);
}

bool sb_plan_play(sb_env *env, const sb_name *name, sb_candidate *candidate, const sb_plan_options *options,
                  sb_plan_report *report, sb_error *error) {
    const double seconds = candidate->seconds;
    const uint64_t predictions = candidate->asked[SB_MODEL_PREDICT];
    playing p = {.env = env, .candidate = candidate, .options = options, .report = report, .error = error};
    p.no_log = sb_out_growing();
    *report = (sb_plan_report){0};
    const bool ok = play(&p, name);
    if (ok) finish(&p, seconds, predictions);
    free_all(&p);
    return ok;
}
