#include "evaluation/models/regressions.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

void sb_regressions_free(sb_regressions *r) {
    for (int s = 0; s < SB_REGRESSION_SELECTORS; s++)
        for (size_t i = 0; i < r->n[s]; i++) free(r->picked[s][i].h);
    *r = (sb_regressions){0};
}

/* ---- Picking ----------------------------------------------------------------------------------------------------- */

/* Picks a transition if its value is small enough. Transitions come in order, so it is newer than all that were
 * picked. */
static bool pick(sb_regressions *r, int selector, const sb_regression *new, const sb_model_value *h, sb_error *error) {
    sb_regression *list = r->picked[selector];
    size_t at = 0, n = r->n[selector];
    while (at < n && list[at].value < new->value) at++;
    if (at == SB_REGRESSION_QUOTA) return true;
    char *text = malloc(h->size + 1);
    if (!text) return sb_fail(error, SB_MEMORY, "out of memory for a set of regressions");
    if (h->size) memcpy(text, h->data, h->size);
    if (n == SB_REGRESSION_QUOTA) free(list[--n].h);
    memmove(list + at + 1, list + at, (n - at) * sizeof *list);
    list[at] = *new;
    list[at].h = text, list[at].n_h = h->size;
    r->n[selector] = n + 1;
    return true;
}

static double share_of(const sb_leaves *fields) { return fields->of ? (double)fields->equal / (double)fields->of : 1; }

/* Counts the actions of a level before this transition, as logs have it in their headers. */
static uint32_t count_actions(sb_regressions *r, const sb_model_verdict *verdict) {
    const sb_log_transition *t = verdict->transition;
    if (r->seen == 0 || r->play != verdict->play) r->action_count = verdict->played->action_count;
    const uint32_t before = r->action_count;
    r->action_count += t->kind != SB_TRANSITION_NONE;
    if (t->kind == SB_TRANSITION_LEVEL || t->kind == SB_TRANSITION_RESET) r->action_count = 0;
    r->play = verdict->play;
    return before;
}

/* What an observer made of the frame before, if the log says it. */
static sb_json_part z_before(const sb_model_verdict *verdict) {
    const sb_log_transition *t = verdict->transition;
    return t == &verdict->log->transitions[verdict->played->first] ? verdict->played->z : t[-1].z;
}

bool sb_regressions_visit(void *context, const sb_model_verdict *verdict, sb_error *error) {
    sb_regressions *r = context;
    const sb_log_transition *t = verdict->transition;
    const bool is_event = t->n_frames > 1 || t->kind != SB_TRANSITION_STEP;
    sb_regression new = {
        .play = verdict->played, .transition = t, .z = z_before(verdict), .action_count = count_actions(r, verdict)};
    new.at = r->seen++;
    if (t->kind == SB_TRANSITION_NONE) return true;
    if (is_event && !pick(r, 1, &new, verdict->h_before, error)) return false;
    if (!verdict->is_asked) return true;
    if (!pick(r, 0, &new, verdict->h_before, error)) return false;
    new.value = share_of(&verdict->fields);
    if (!pick(r, 2, &new, verdict->h_before, error)) return false;
    new.value = verdict->pixels;
    return pick(r, 3, &new, verdict->h_before, error);
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
    const sb_regression *left = *(const sb_regression *const *)a, *right = *(const sb_regression *const *)b;
    if (left->at != right->at) return left->at < right->at ? -1 : 1;
    return (left > right) - (left < right); /* equal transitions are ordered by selector */
}

static size_t join(const sb_regressions *r, const sb_regression **all) {
    size_t n = 0, kept = 0;
    for (int s = 0; s < SB_REGRESSION_SELECTORS; s++)
        for (size_t i = 0; i < r->n[s]; i++) all[n++] = &r->picked[s][i];
    qsort(all, n, sizeof *all, compare);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || all[i]->at != all[i - 1]->at) all[kept++] = all[i];
    return kept;
}

static void put_one(const sb_regression *one, sb_out *out) {
    sb_log_play play = *one->play;
    play.start = one->transition->before;
    play.z = one->z;
    play.h = (sb_json_part){.at = one->h, .n = one->n_h, .document = one->h};
    play.action_count = one->action_count;
    sb_log_put_play(out, &play);
    sb_log_put_transition(out, &play, one->transition);
}

size_t sb_regressions_put(const sb_regressions *regressions, sb_out *out) {
    const sb_regression *all[SB_REGRESSION_SELECTORS * SB_REGRESSION_QUOTA];
    const size_t n = join(regressions, all);
    for (size_t i = 0; i < n; i++) put_one(all[i], out);
    return n;
}
