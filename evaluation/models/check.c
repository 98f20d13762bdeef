#include "evaluation/models/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/exp.h"
#include "base/grow.h"

const char *const sb_model_source_names[SB_MODEL_N_SOURCES] = {"render", "predict", "error"};

enum { MOST_SURPRISE = 20 /* bits */, FRAME_CELLS = SB_FRAME_SIDE * SB_FRAME_SIDE };

/* ---- What a check holds ------------------------------------------------------------------------------------------ */

/* A prediction of frames from frames alone, and how far it comes from the start of a level. */
typedef struct reference {
    sb_model_sums *sums;
    const uint8_t *rolled; /* the frame that the prediction has come to */
    sb_frame_key key;      /* the key of `rolled` */
    bool goes_on;
    uint64_t steps;
} reference;

/* The candidate's play of a level, fed with its own predictions. */
typedef struct rolling {
    sb_model_value z, h, next; /* next: room for h */
    sb_prediction prediction;
    uint8_t *frame;
    bool goes_on, same; /* same: z and h are those of the check, so that nothing need be asked again */
    uint64_t steps, asked;
} rolling;

typedef struct checking {
    sb_candidate *candidate;
    const sb_check_options *options;
    sb_model_report *report;
    const sb_log *log;
    const sb_log_play *played;
    size_t play; /* number of the play over all logs, from 0 */
    char game[SB_LOG_GAME];
    sb_model_meta m;
    sb_json_part available;
    /* States of the candidate before the transition, and after it (next). */
    sb_model_value z, h, c, next_h, next_z;
    sb_prediction prediction;
    uint8_t *observed, *predicted, *other;
    sb_frame_areas of_real, of_predicted;
    const uint8_t *areas_of; /* the frame that `of_real` has the areas of; NULL: none */
    sb_model_verdict verdict;
    rolling roll;
    reference copy, table;
    sb_seen_table seen;
    sb_frame_key key; /* key of the frame before the transition */
    sb_failure why;   /* why the transition's first operation failed, if one did */
} checking;

static bool fail_memory(sb_error *error) { return sb_fail(error, SB_MEMORY, "out of memory for a check"); }

/* ---- Sums -------------------------------------------------------------------------------------------------------- */

static void add_ends(sb_ends *to, const sb_ends *from) {
    to->match += from->match, to->missed += from->missed;
    to->false_positive += from->false_positive, to->agree_none += from->agree_none;
}

void sb_model_sums_add(sb_model_sums *to, const sb_model_sums *from) {
    to->transitions += from->transitions, to->asked += from->asked, to->right += from->right;
    to->observed += from->observed;
    to->pixels += from->pixels, to->changes += from->changes, to->objects += from->objects;
    to->histogram += from->histogram;
    to->fields_equal += from->fields_equal, to->fields_of += from->fields_of;
    add_ends(&to->done, &from->done), add_ends(&to->over, &from->over);
    to->events_said += from->events_said, to->events_right += from->events_right;
    to->horizons += from->horizons, to->horizon_steps += from->horizon_steps, to->horizons_full += from->horizons_full;
    to->surprise += from->surprise;
}

static void count_end(sb_ends *ends, bool predicted, bool real) {
    if (real)
        predicted ? ends->match++ : ends->missed++;
    else
        predicted ? ends->false_positive++ : ends->agree_none++;
}

/* Finds the part of this name, or adds it. */
static sb_model_sums *part_of(sb_model_parts *parts, const char *name, sb_error *error) {
    for (size_t i = 0; i < parts->n; i++)
        if (strcmp(parts->items[i].name, name) == 0) return &parts->items[i].sums;
    if (!SB_GROW(parts->items, parts->n + 1, parts->capacity)) return fail_memory(error), NULL;
    sb_model_part *part = &parts->items[parts->n++];
    *part = (sb_model_part){0};
    snprintf(part->name, sizeof part->name, "%s", name);
    return &part->sums;
}

/* Adds to the sums of all, of the level and of the game, and to those of the action if there is one. */
static bool add_sums(checking *k, int32_t level, const char *action, const sb_model_sums *one, sb_error *error) {
    char name[SB_LOG_GAME + 16];
    snprintf(name, sizeof name, "%.100s level %d", k->game, level);
    sb_model_sums *of_level = part_of(&k->report->levels, name, error);
    sb_model_sums *of_game = of_level ? part_of(&k->report->games, k->game, error) : NULL;
    sb_model_sums *of_action = of_game && action ? part_of(&k->report->actions, action, error) : NULL;
    if (!of_game || (action && !of_action)) return false;
    sb_model_sums_add(of_level, one), sb_model_sums_add(of_game, one), sb_model_sums_add(&k->report->all, one);
    if (of_action) sb_model_sums_add(of_action, one);
    return true;
}

/* ---- Measures ---------------------------------------------------------------------------------------------------- */

typedef struct measured {
    double pixels, changes, objects, histogram;
    bool equal;
} measured;

/* Finds the areas of a real frame, unless they are known already: several comparisons need them. */
static bool know_areas(checking *k, const uint8_t *real) {
    if (k->areas_of == real) return true;
    k->areas_of = NULL;
    if (!sb_frame_areas_find(&k->of_real, &k->played->shape, real)) return false;
    k->areas_of = real;
    return true;
}

static bool measure(checking *k, const uint8_t *before, const uint8_t *predicted, const uint8_t *real, measured *found,
                    sb_error *error) {
    const sb_frame_shape *shape = &k->played->shape;
    *found = (measured){.pixels = 1, .changes = 1, .objects = 1, .equal = true};
    if (predicted == real || memcmp(predicted, real, sb_frame_cells(shape)) == 0) return true;
    found->equal = false;
    found->pixels = sb_measure_pixels(shape, predicted, real);
    found->changes = predicted == before ? 0 : sb_measure_changes(shape, before, predicted, real);
    found->histogram = sb_measure_histogram(shape, predicted, real);
    return (know_areas(k, real) && sb_frame_areas_find(&k->of_predicted, shape, predicted) &&
            sb_measure_objects(&k->of_predicted, &k->of_real, &found->objects)) ||
           fail_memory(error);
}

static void add_measured(sb_model_sums *sums, const measured *m) {
    sums->pixels += m->pixels, sums->changes += m->changes, sums->objects += m->objects;
    sums->histogram += m->histogram;
}

/* ---- Reference rows ---------------------------------------------------------------------------------------------- */

static void begin_reference(reference *r, const uint8_t *frame, sb_frame_key key) {
    r->rolled = frame, r->key = key, r->goes_on = true, r->steps = 0;
}

static void end_reference(reference *r, uint64_t asked) {
    if (!asked) return;
    r->sums->horizons++, r->sums->horizon_steps += r->steps, r->sums->horizons_full += r->goes_on;
}

static bool judge_reference(checking *k, reference *r, const sb_log_transition *t, const uint8_t *predicted, bool done,
                            bool over, sb_error *error) {
    sb_model_sums *sums = r->sums;
    const bool real_over = t->kind == SB_TRANSITION_OVER, real_done = t->kind == SB_TRANSITION_LEVEL;
    measured m;
    sums->transitions++;
    count_end(&sums->done, done, real_done);
    if (real_done) return true;
    if (!measure(k, t->before, predicted, t->last, &m, error)) return false;
    count_end(&sums->over, over, real_over);
    const bool right = m.equal && !done && over == real_over;
    sums->asked++, sums->right += right, sums->observed++;
    sums->fields_of++, sums->fields_equal += m.equal;
    sums->surprise += right ? 0 : MOST_SURPRISE;
    add_measured(sums, &m);
    return true;
}

static bool same_frame(const checking *k, const uint8_t *a, const uint8_t *b) {
    return a == b || memcmp(a, b, sb_frame_cells(&k->played->shape)) == 0;
}

/* Goes on from the frame that the reference has come to. */
static void roll_reference(const checking *k, reference *r, const sb_log_transition *t, const sb_seen *seen) {
    if (!r->goes_on || t->kind == SB_TRANSITION_LEVEL) return;
    if (seen) r->rolled = seen->next, r->key = seen->of_next;
    r->goes_on = same_frame(k, r->rolled, t->last);
    r->steps += r->goes_on;
}

/* Judges both rows and lets the table learn. */
static bool judge_references(checking *k, const sb_log_transition *t, sb_error *error) {
    const sb_seen *seen = sb_seen_find(&k->seen, k->key, &t->action);
    const sb_seen *rolled = sb_seen_find(&k->seen, k->table.key, &t->action);
    const sb_frame_key next = t->last == t->before ? k->key : sb_frame_key_of(&k->played->shape, t->last);
    const bool ok = judge_reference(k, &k->copy, t, t->before, false, false, error) &&
                    judge_reference(k, &k->table, t, seen ? seen->next : t->before, seen && seen->done,
                                    seen && seen->over, error);
    if (!ok) return false;
    roll_reference(k, &k->copy, t, NULL);
    roll_reference(k, &k->table, t, rolled);
    if (!sb_seen_put(&k->seen, k->key, &t->action, t->last, next, t->kind == SB_TRANSITION_LEVEL,
                     t->kind == SB_TRANSITION_OVER))
        return fail_memory(error);
    k->key = next;
    return true;
}

/* ---- Plays of a level, fed with their own predictions ------------------------------------------------------------ */

static bool same_value(const sb_model_value *a, const sb_model_value *b) {
    return a->size == b->size && (!a->size || memcmp(a->data, b->data, a->size) == 0);
}

static void copy_value(sb_model_value *to, const sb_model_value *from) {
    sb_out_clear(to);
    if (from->size) sb_put_out(to, from);
}

static void begin_rolling(checking *k) {
    rolling *r = &k->roll;
    copy_value(&r->z, &k->z), copy_value(&r->h, &k->h);
    r->goes_on = r->same = true, r->steps = r->asked = 0;
    begin_reference(&k->copy, k->played->start, k->key), begin_reference(&k->table, k->played->start, k->key);
}

/* Counts how far the candidate came in a level that ends here. */
static bool end_rolling(checking *k, int32_t level, sb_error *error) {
    rolling *r = &k->roll;
    const sb_model_sums one = {.horizons = 1, .horizon_steps = r->steps, .horizons_full = r->goes_on};
    if (!r->asked || k->options->quick) return true;
    end_reference(&k->copy, r->asked), end_reference(&k->table, r->asked);
    return add_sums(k, level, NULL, &one, error);
}

/* Rolls the candidate on by one step; `right`: the check's own prediction was right, which is that of the roll while
 * both are the same. */
static bool roll_on(checking *k, const sb_log_transition *t, bool right, sb_error *error) {
    rolling *r = &k->roll;
    sb_candidate *c = k->candidate;
    r->asked++;
    if (!r->goes_on) return true;
    if (r->same)
        copy_value(&r->next, &k->next_h), copy_value(&r->prediction.z, &k->prediction.z);
    else {
        if (!sb_candidate_history(c, &r->h, &r->z, &t->action, &k->c, &k->m, &r->next, error) ||
            !sb_candidate_predict(c, &r->z, &r->next, &t->action, &k->c, &k->m, k->options->hypothesis, &r->prediction,
                                  error))
            return false;
        right = !c->last.kind;
        if (right && !sb_candidate_render(c, &r->prediction.z, &k->c, r->frame, error)) return false;
        right = right && !c->last.kind && same_frame(k, r->frame, t->last);
    }
    r->goes_on = right;
    r->steps += right;
    copy_value(&r->h, &r->next), copy_value(&r->z, &r->prediction.z);
    r->same = same_value(&r->z, &k->next_z) && same_value(&r->h, &k->next_h);
    return (sb_out_ok(&r->h) && sb_out_ok(&r->z)) || fail_memory(error);
}

/* ---- One transition ---------------------------------------------------------------------------------------------- */

/* Notes the first operation of this transition that failed; returns whether the last call succeeded. */
static bool went_well(checking *k, sb_model_op op) {
    if (!k->candidate->last.kind) return true;
    if (k->verdict.right[SB_MODEL_ERROR]) {
        k->verdict.right[SB_MODEL_ERROR] = false;
        k->verdict.failed = op;
        sb_failed(&k->why, k->candidate->last.kind, "`%s`: %s", sb_model_op_names[op], k->candidate->last.text);
    }
    return false;
}

static bool predict(checking *k, const sb_log_transition *t, bool *predicted, sb_error *error) {
    sb_candidate *c = k->candidate;
    if (!sb_candidate_history(c, &k->h, &k->z, &t->action, &k->c, &k->m, &k->next_h, error)) return false;
    went_well(k, SB_MODEL_HISTORY);
    if (!sb_candidate_predict(c, &k->z, &k->next_h, &t->action, &k->c, &k->m, k->options->hypothesis, &k->prediction,
                              error))
        return false;
    *predicted = went_well(k, SB_MODEL_PREDICT);
    k->verdict.done = k->prediction.done, k->verdict.over = k->prediction.over;
    return true;
}

/* Makes z of the frame after the action, from what the log says or by asking. */
static bool encode(checking *k, const uint8_t *frame, const sb_json_part *said, const sb_model_value *before,
                   sb_error *error) {
    if (said->n) {
        sb_out_clear(&k->next_z);
        sb_put(&k->next_z, said->at, said->n);
        k->candidate->last.kind = SB_NO_FAILURE;
        return sb_out_ok(&k->next_z) || fail_memory(error);
    }
    return sb_candidate_encode(k->candidate, frame, before, &k->c, &k->m, &k->next_z, error);
}

/* Renders what was predicted and what was observed, and compares fields. */
static bool render_both(checking *k, const sb_log_transition *t, bool is_predicted, sb_error *error) {
    sb_candidate *c = k->candidate;
    sb_model_verdict *v = &k->verdict;
    if (is_predicted) {
        if (!sb_candidate_render(c, &k->prediction.z, &k->c, k->predicted, error)) return false;
        if (went_well(k, SB_MODEL_RENDER)) v->predicted = k->predicted;
    }
    if (!encode(k, t->last, &t->z, &k->z, error)) return false;
    const bool is_encoded = went_well(k, SB_MODEL_ENCODE);
    if (is_encoded) {
        if (!sb_candidate_render(c, &k->next_z, &k->c, k->observed, error)) return false;
        if (went_well(k, SB_MODEL_RENDER)) v->observed = k->observed;
    }
    if (!is_predicted || !is_encoded || !k->prediction.z.size || !k->next_z.size) return true;
    return sb_measure_fields(k->prediction.z.data, k->prediction.z.size, k->next_z.data, k->next_z.size, &v->fields,
                             error);
}

/* Sets *bits to the surprise, by the probability that the candidate gives to those of its hypotheses that are right
 * here. */
static bool weigh(checking *k, const sb_log_transition *t, bool right, double *bits, sb_error *error) {
    sb_hypothesis all[SB_MODEL_HYPOTHESES];
    sb_candidate *c = k->candidate;
    sb_prediction *p = &k->roll.prediction; /* room for a prediction */
    double sum = 0;
    size_t n;
    if (!sb_candidate_hypotheses(c, all, &n, error)) return false;
    went_well(k, SB_MODEL_HYPOTHESES_OP);
    if (n == 1) sum = right ? all[0].probability : 0;
    for (size_t i = 0; n > 1 && i < n; i++) {
        if (!sb_candidate_predict(c, &k->z, &k->next_h, &t->action, &k->c, &k->m, all[i].name, p, error)) return false;
        if (c->last.kind) continue;
        if (!sb_candidate_render(c, &p->z, &k->c, k->other, error)) return false;
        if (!c->last.kind && same_frame(k, k->other, t->last) && !p->done && p->over == (t->kind == SB_TRANSITION_OVER))
            sum += all[i].probability;
    }
    *bits = sum > 0 ? fmin(-sb_ln(fmin(sum, 1)) / sb_ln(2), MOST_SURPRISE) : MOST_SURPRISE;
    return true;
}

static void blame(checking *k, const sb_log_transition *t) {
    sb_model_verdict *v = &k->verdict;
    const sb_frame_shape *shape = &k->played->shape;
    const bool seen = v->right[SB_MODEL_RENDERED];
    k->report->faults[SB_OWNS_OBSERVATION] += !seen;
    k->report->faults[SB_OWNS_DYNAMICS] += seen && !v->right[SB_MODEL_PREDICTED];
    v->owner = !v->right[SB_MODEL_ERROR] ? sb_model_owner_of(v->failed) : seen ? SB_OWNS_DYNAMICS : SB_OWNS_OBSERVATION;
    const uint8_t *wrong = !v->right[SB_MODEL_PREDICTED] ? v->predicted : !seen ? v->observed : NULL;
    if (wrong) v->n_cells = sb_wrong_cells(shape, t->before, wrong, t->last, v->cells, SB_MODEL_WRONG);
}

static void note_first(checking *k, const sb_log_transition *t) {
    sb_model_mismatch *first = &k->report->first;
    const sb_model_verdict *v = &k->verdict;
    if (first->is_any) return;
    *first = (sb_model_mismatch){.is_any = true,
                                 .play = k->play,
                                 .line = t->line,
                                 .t = t->t,
                                 .level = t->level,
                                 .action = t->action,
                                 .source = !v->right[SB_MODEL_ERROR]      ? SB_MODEL_ERROR
                                           : !v->right[SB_MODEL_RENDERED] ? SB_MODEL_RENDERED
                                                                          : SB_MODEL_PREDICTED,
                                 .owner = v->owner,
                                 .failed = v->failed,
                                 .done = v->done,
                                 .over = v->over,
                                 .real_over = t->kind == SB_TRANSITION_OVER,
                                 .n_cells = v->n_cells,
                                 .fields = v->fields};
    memcpy(first->cells, v->cells, sizeof first->cells);
    snprintf(first->path, sizeof first->path, "%.255s", k->log->path);
    snprintf(first->game, sizeof first->game, "%s", k->played->name);
    if (!v->right[SB_MODEL_ERROR]) snprintf(first->why, sizeof first->why, "%s", k->why.text);
}

/* Asks everything about a transition whose frame is compared. */
static bool judge(checking *k, const sb_log_transition *t, sb_error *error) {
    sb_model_verdict *v = &k->verdict;
    sb_model_sums one = {.transitions = 1, .asked = 1};
    const bool real_over = t->kind == SB_TRANSITION_OVER;
    bool is_predicted;
    measured m = {0};
    if (!predict(k, t, &is_predicted, error) || !render_both(k, t, is_predicted, error)) return false;
    if (v->predicted && !measure(k, t->before, v->predicted, t->last, &m, error)) return false;
    v->pixels = m.pixels, v->changes = m.changes, v->objects = m.objects, v->histogram = m.histogram;
    v->right[SB_MODEL_PREDICTED] = m.equal && !v->done && v->over == real_over;
    v->right[SB_MODEL_RENDERED] = v->observed && same_frame(k, v->observed, t->last);
    one.right = v->right[SB_MODEL_PREDICTED], one.observed = v->right[SB_MODEL_RENDERED];
    one.fields_equal = v->fields.equal, one.fields_of = v->fields.of;
    add_measured(&one, &m);
    if (is_predicted) count_end(&one.done, v->done, false), count_end(&one.over, v->over, real_over);
    one.events_said = is_predicted && k->prediction.events >= 0;
    one.events_right = one.events_said && (uint32_t)k->prediction.events == t->n_frames;
    if (!k->options->quick && (!weigh(k, t, one.right, &one.surprise, error) || !roll_on(k, t, m.equal, error)))
        return false;
    if (!v->right[SB_MODEL_RENDERED] || !v->right[SB_MODEL_PREDICTED] || !v->right[SB_MODEL_ERROR])
        blame(k, t), note_first(k, t);
    return add_sums(k, t->level, t->action.name, &one, error);
}

/* Judges an action that completes a level: only `done` is compared. */
static bool judge_end(checking *k, const sb_log_transition *t, sb_error *error) {
    sb_model_sums one = {.transitions = 1};
    bool is_predicted;
    if (!predict(k, t, &is_predicted, error)) return false;
    count_end(&one.done, is_predicted && k->prediction.done, true);
    return add_sums(k, t->level, t->action.name, &one, error);
}

static bool learn(checking *k, const sb_log_transition *t, sb_error *error) {
    if (!k->options->learns) return true;
    if (!sb_candidate_learn(k->candidate, t, &k->z, &k->next_h, &k->next_z, error)) return false;
    went_well(k, SB_MODEL_LEARN);
    return true;
}

/* Begins a level, or begins it again, with this frame. */
static bool begin_level(checking *k, int32_t level, const uint8_t *frame, const sb_json_part *z, const sb_json_part *h,
                        sb_error *error) {
    static const sb_model_value none = {0};
    k->m.level = level;
    if (!sb_candidate_level(k->candidate, level, error)) return false;
    went_well(k, SB_MODEL_LEVEL);
    sb_out_clear(&k->h);
    if (h->n) sb_put(&k->h, h->at, h->n);
    if (!encode(k, frame, z, &none, error)) return false;
    went_well(k, SB_MODEL_ENCODE);
    return true;
}

/* Goes to the level that a reset or a completed level leads to. */
static bool enter(checking *k, const sb_log_transition *t, sb_error *error) {
    static const sb_json_part none = {0};
    const int32_t level = t->completed < k->played->levels ? t->completed + 1 : t->completed;
    if (!end_rolling(k, t->level, error)) return false;
    k->m.action_count = 0, k->m.step = t->t;
    if (!begin_level(k, level, t->last, &t->z, &none, error)) return false;
    if (t->kind == SB_TRANSITION_LEVEL && !learn(k, t, error)) return false;
    sb_model_swap(&k->z, &k->next_z);
    begin_rolling(k);
    begin_reference(&k->copy, t->last, k->key), begin_reference(&k->table, t->last, k->key);
    return true;
}

static void begin_verdict(checking *k, const sb_log_transition *t) {
    k->verdict = (sb_model_verdict){.log = k->log,
                                    .play = k->play,
                                    .played = k->played,
                                    .transition = t,
                                    .is_asked = t->kind == SB_TRANSITION_STEP || t->kind == SB_TRANSITION_OVER,
                                    .right = {true, true, true},
                                    .h_before = &k->h};
}

static bool visit(const checking *k, sb_error *error) {
    return !k->options->visit || k->options->visit(k->options->context, &k->verdict, error);
}

static bool check_transition(checking *k, const sb_log_transition *t, sb_error *error) {
    const bool is_new = t->kind == SB_TRANSITION_RESET || t->kind == SB_TRANSITION_LEVEL;
    k->m.step = t->t - 1, k->m.level = t->level, k->m.available = k->available;
    begin_verdict(k, t);
    if (t->kind == SB_TRANSITION_NONE) return visit(k, error);
    if (t->kind == SB_TRANSITION_LEVEL && !judge_end(k, t, error)) return false;
    if (k->verdict.is_asked && (!judge(k, t, error) || !learn(k, t, error))) return false;
    if (!visit(k, error)) return false;
    if (!k->options->quick) {
        const bool ok = t->kind == SB_TRANSITION_RESET || judge_references(k, t, error);
        if (!ok) return false;
        if (t->kind == SB_TRANSITION_RESET) k->key = sb_frame_key_of(&k->played->shape, t->last);
    }
    k->available = t->available;
    if (is_new) return enter(k, t, error);
    sb_model_swap(&k->z, &k->next_z), sb_model_swap(&k->h, &k->next_h);
    k->m.action_count++;
    return true;
}

/* ---- Plays ------------------------------------------------------------------------------------------------------- */

static void name_game(checking *k) {
    snprintf(k->game, sizeof k->game, "%s", k->played->name);
    char *seed = strrchr(k->game, '#');
    if (seed && seed > k->game) *seed = '\0';
}

static bool begin_play(checking *k, const sb_log_transition *first, sb_error *error) {
    const sb_log_play *play = k->played;
    const int32_t level = first ? first->level : 1;
    name_game(k);
    k->areas_of = NULL;
    k->available = play->available;
    k->m = (sb_model_meta){.step = first ? first->t - 1 : 0,
                           .level = level,
                           .available = play->available,
                           .action_count = play->action_count};
    sb_out_clear(&k->c);
    k->verdict.right[SB_MODEL_ERROR] = true;
    if (!sb_candidate_begin(k->candidate, play, error) ||
        !begin_level(k, level, play->start, &play->z, &play->h, error))
        return false;
    sb_model_swap(&k->z, &k->next_z);
    k->key = sb_frame_key_of(&play->shape, play->start);
    begin_rolling(k);
    return true;
}

/* Checks the name of the hypothesis, because a misspelt one would be passed on silently. A question that fails here is
 * a failure of the candidate like any other. */
static bool find_hypothesis(checking *k, sb_error *error) {
    sb_hypothesis all[SB_MODEL_HYPOTHESES];
    char names[200] = "";
    size_t n;
    if (!sb_candidate_hypotheses(k->candidate, all, &n, error)) return false;
    if (k->candidate->last.kind) return true;
    for (size_t i = 0, used = 0; i < n; i++) {
        if (strcmp(all[i].name, k->options->hypothesis) == 0) return true;
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", all[i].name);
    }
    return sb_fail(error, SB_INVALID, "the model offers no hypothesis `%.47s`; it offers: %s", k->options->hypothesis,
                   names);
}

static bool check_play(checking *k, size_t *done, size_t total, sb_error *error) {
    const sb_log_play *play = k->played;
    const sb_log_transition *all = &k->log->transitions[play->first];
    if (!begin_play(k, play->n ? all : NULL, error)) return false;
    if (k->options->hypothesis && !k->play && !find_hypothesis(k, error)) return false;
    for (size_t i = 0; i < play->n; i++) {
        if (!check_transition(k, &all[i], error)) return false;
        if (k->options->progress) k->options->progress(k->options->progress_context, ++*done, total);
    }
    return !play->n || end_rolling(k, all[play->n - 1].level, error);
}

/* ---- Checks ------------------------------------------------------------------------------------------------------ */

static bool make_room(checking *k, sb_error *error) {
    sb_model_value *const values[] = {&k->z,      &k->h,      &k->c,         &k->next_h,       &k->next_z,
                                      &k->roll.z, &k->roll.h, &k->roll.next, &k->prediction.z, &k->roll.prediction.z};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) values[i]->grows = true;
    k->observed = malloc((size_t)4 * FRAME_CELLS);
    if (!k->observed) return fail_memory(error);
    k->predicted = k->observed + FRAME_CELLS, k->other = k->predicted + FRAME_CELLS;
    k->roll.frame = k->other + FRAME_CELLS;
    return true;
}

static void free_room(checking *k) {
    sb_model_value *const values[] = {&k->z,      &k->h,      &k->c,         &k->next_h,       &k->next_z,
                                      &k->roll.z, &k->roll.h, &k->roll.next, &k->prediction.z, &k->roll.prediction.z};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) sb_out_free(values[i]);
    free(k->observed);
    sb_frame_areas_free(&k->of_real), sb_frame_areas_free(&k->of_predicted);
    sb_seen_free(&k->seen);
}

static void take_counts(sb_model_report *report, const sb_candidate *c) {
    snprintf(report->name, sizeof report->name, "%s", c->name);
    snprintf(report->version, sizeof report->version, "%s", c->version);
    memcpy(report->asked, c->asked, sizeof report->asked);
    memcpy(report->failures, c->failures, sizeof report->failures);
    memcpy(report->impure, c->impure, sizeof report->impure);
    memcpy(report->twice, c->twice, sizeof report->twice);
    snprintf(report->failure, sizeof report->failure, "%s", c->first.kind ? c->first.text : "");
    report->restarts = c->restarts, report->seconds = c->seconds;
}

bool sb_model_check(const sb_log *logs, size_t n, sb_candidate *candidate, const sb_check_options *options,
                    sb_model_report *report, sb_error *error) {
    *report = (sb_model_report){0};
    checking k = {.candidate = candidate,
                  .options = options,
                  .report = report,
                  .copy.sums = &report->copy,
                  .table.sums = &report->table};
    size_t total = 0, done = 0;
    for (size_t i = 0; i < n; i++) total += logs[i].n_transitions;
    bool ok = make_room(&k, error);
    for (size_t i = 0; ok && i < n; i++)
        for (size_t p = 0; ok && p < logs[i].n_plays; p++) {
            k.log = &logs[i], k.played = &logs[i].plays[p];
            ok = check_play(&k, &done, total, error);
            k.play++;
        }
    ok = ok && (!options->learns || sb_candidate_save(candidate, error));
    report->plays = k.play;
    take_counts(report, candidate);
    free_room(&k);
    return ok;
}

void sb_model_report_free(sb_model_report *report) {
    free(report->levels.items);
    free(report->actions.items);
    free(report->games.items);
    *report = (sb_model_report){0};
}
