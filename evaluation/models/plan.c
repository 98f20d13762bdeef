#include "evaluation/models/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/testing.h"
#include "evaluation/models/probe.h"

const char *const sb_plan_reasons[SB_PLAN_REASONS] = {"plan", "progress", "probe", "reset"};

/* What the candidate said of the next frame. */
typedef struct expectation {
    const uint8_t *frame; /* the frame that was predicted; NULL: there is none */
    bool done, over;
} expectation;

typedef struct playing {
    sb_env *env;
    sb_candidate *candidate;
    const sb_plan_options *options;
    sb_plan_report *report;
    sb_log_writer writer;
    sb_out no_log;                          /* where the lines of the log go if nobody wants one */
    sb_model_value z, h, c, next_z, next_h; /* states of now, and after the action (next) */
    sb_model_value last_z;                  /* z of the end of a level */
    sb_prediction prediction;
    sb_model_meta m;
    sb_offers offers;
    sb_imagining search; /* the plan in force: its steps from `at` on */
    size_t at;
    uint8_t *frame, *predicted, *room; /* what is seen, what was predicted, and room for another frame */
    sb_tries tries;
    sb_error *error;
} playing;

static bool no_memory(playing *p) { return sb_fail(p->error, SB_MEMORY, "out of memory for planning"); }

/* ---- Beginning --------------------------------------------------------------------------------------------------- */

/* A level begins, or begins again: only its frame is known. */
static bool enter_level(playing *p) {
    p->m.level = p->writer.level, p->m.action_count = 0;
    sb_out_clear(&p->h), sb_out_clear(&p->next_z);
    return sb_candidate_level(p->candidate, p->m.level, p->error) &&
           sb_candidate_encode(p->candidate, p->frame, &p->next_z, &p->c, &p->m, &p->z, p->error);
}

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
    const size_t cells = sb_frame_cells(&p->writer.play.shape);
    p->frame = malloc(cells), p->predicted = malloc(cells), p->room = malloc(cells);
    if (!p->frame || !p->predicted || !p->room) return no_memory(p);
    memcpy(p->frame, p->writer.play.start, cells);
    p->m = (sb_model_meta){.available = p->writer.play.available};
    return sb_offers_read(&p->offers, p->env, &p->writer.play.shape, p->error) &&
           sb_candidate_begin(p->candidate, &p->writer.play, p->error) && enter_level(p);
}

/* ---- Choosing an action ------------------------------------------------------------------------------------------ */

static sb_imagine_from from_here(const playing *p) {
    const sb_plan_options *o = p->options;
    return (sb_imagine_from){.candidate = p->candidate,
                             .shape = &p->writer.play.shape,
                             .z = &p->z,
                             .h = &p->h,
                             .c = &p->c,
                             .m = p->m,
                             .buttons = p->offers.buttons,
                             .n_buttons = p->offers.n_buttons,
                             .click = p->offers.has_clicks ? &p->offers.click : NULL,
                             .nodes = o->nodes ? o->nodes : SB_PLAN_NODES,
                             .depth = o->depth ? o->depth : SB_PLAN_DEPTH};
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
    return sb_probe_choose(&p->tries, p->env, &p->offers, &from, p->frame, p->room, best, p->error);
}

/* ---- Taking an action -------------------------------------------------------------------------------------------- */

/* Asks what the action leads to from what is really seen; that is what retrodiction counts. */
static bool predict(playing *p, const sb_log_action *action, expectation *expected) {
    sb_candidate *candidate = p->candidate;
    *expected = (expectation){0};
    if (!sb_candidate_history(candidate, &p->h, &p->z, action, &p->c, &p->m, &p->next_h, p->error) ||
        !sb_candidate_predict(candidate, &p->z, &p->next_h, action, &p->c, &p->m, NULL, &p->prediction, p->error))
        return false;
    if (candidate->last.kind) return true;
    expected->done = p->prediction.done, expected->over = p->prediction.over;
    if (!sb_candidate_render(candidate, &p->prediction.z, &p->c, p->predicted, p->error)) return false;
    if (!candidate->last.kind) expected->frame = p->predicted;
    return true;
}

static bool came_true(const playing *p, const expectation *expected) {
    const sb_log_transition *line = &p->writer.line;
    if (line->kind == SB_TRANSITION_LEVEL) return expected->done;
    return !expected->done && expected->over == (line->kind == SB_TRANSITION_OVER) && expected->frame &&
           memcmp(expected->frame, line->last, sb_frame_cells(&p->writer.play.shape)) == 0;
}

/* Counts what was predicted, and whether the plan still holds. */
static void judge(playing *p, sb_plan_reason reason, const expectation *expected) {
    sb_plan_report *r = p->report;
    const sb_transition_kind kind = p->writer.line.kind;
    const bool is_planned = reason == SB_BY_PLAN || reason == SB_BY_PROGRESS;
    if (kind == SB_TRANSITION_STEP || kind == SB_TRANSITION_OVER) {
        r->asked++;
        r->right += came_true(p, expected);
    }
    expectation claim = *expected;
    if (is_planned) {
        const sb_imagined_step *step = &p->search.steps[p->at];
        const uint8_t *frame = p->search.frames + p->at * sb_frame_cells(&p->writer.play.shape);
        claim = (expectation){.frame = step->is_drawn ? frame : NULL, .done = step->done};
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
    memcpy(p->frame, line->last, sb_frame_cells(&p->writer.play.shape));
    p->m.step++, p->m.action_count++;
    if (line->kind == SB_TRANSITION_NONE) return true;
    if (line->kind == SB_TRANSITION_LEVEL || line->kind == SB_TRANSITION_RESET) {
        sb_model_swap(&p->z, &p->last_z);
        return enter_level(p) && (line->kind == SB_TRANSITION_RESET ||
                                  sb_candidate_learn(p->candidate, line, &p->last_z, &p->next_h, &p->z, p->error));
    }
    if (!sb_candidate_encode(p->candidate, p->frame, &p->z, &p->c, &p->m, &p->next_z, p->error) ||
        !sb_candidate_learn(p->candidate, line, &p->z, &p->next_h, &p->next_z, p->error))
        return false;
    sb_model_swap(&p->z, &p->next_z), sb_model_swap(&p->h, &p->next_h);
    return true;
}

static bool take(playing *p, const sb_log_action *action, sb_plan_reason reason) {
    expectation expected = {0};
    sb_action number;
    sb_result result = {0};
    const bool is_reset = reason == SB_BY_RESET && p->offers.has_reset;
    sb_out_clear(&p->next_h);
    if (!sb_log_action_in(p->env, action, &number, p->error) ||
        !sb_tries_note(&p->tries, &p->writer.play.shape, p->frame, number, p->error) ||
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

/* Begins the test of the episode, if it is one: what can be reached in a test is reached after that, so nothing comes
 * before. */
static bool begin_test(playing *p) {
    const sb_family *family = p->env->family;
    const sb_test_record record = sb_test_record_of(p->env, family, p->env->task, p->env->difficulty_index);
    sb_log_action begins;
    if (!record.kind || record.tested) return true;
    sb_log_action_of(p->env, &p->writer.play.shape, family->tests->begins, &begins);
    return take(p, &begins, SB_BY_RESET);
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
    sb_model_value *const values[] = {&p->no_log, &p->z,      &p->h,      &p->c,
                                      &p->next_z, &p->next_h, &p->last_z, &p->prediction.z};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) sb_out_free(values[i]);
    sb_offers_free(&p->offers), free(p->tries.slots);
    free(p->frame), free(p->predicted), free(p->room);
}

bool sb_plan_play(sb_env *env, const sb_name *name, sb_candidate *candidate, const sb_plan_options *options,
                  sb_plan_report *report, sb_error *error) {
    const double seconds = candidate->seconds;
    const uint64_t predictions = candidate->asked[SB_MODEL_PREDICT];
    playing p = {.env = env, .candidate = candidate, .options = options, .report = report, .error = error};
    p.no_log = p.z = p.h = p.c = p.next_z = p.next_h = p.last_z = p.prediction.z = sb_out_growing();
    *report = (sb_plan_report){0};
    const bool ok = play(&p, name);
    if (ok) finish(&p, seconds, predictions);
    free_all(&p);
    return ok;
}
