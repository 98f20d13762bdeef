#include "evaluation/models/verdicts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "evaluation/models/report_print.h"

void sb_verdicts_free(sb_verdicts *v) {
    free(v->items), free(v->fields), free(v->names);
    sb_out_free(&v->texts);
    *v = (sb_verdicts){0};
}

static bool no_memory(sb_error *error) {
    return sb_fail(error, SB_MEMORY, "out of memory for the verdicts of a check");
}

static void put_text(sb_verdicts *v, const char *text) { sb_put(&v->texts, text, strlen(text) + 1); }

static void put_field(sb_verdicts *v, sb_ledger_claim *claim, const char *text) {
    put_text(v, text);
    claim->n_fields++, v->n_fields++;
}

static void judge_render(sb_ledger_claim *claim, const sb_model_verdict *m) {
    if (!m->observed) return; /* there is no claim: an operation failed */
    claim->verdict = m->right[SB_MODEL_RENDERED] ? SB_RIGHT : SB_WRONG;
    claim->owner = SB_OWNS_OBSERVATION;
}

static void judge_prediction(sb_verdicts *v, sb_ledger_claim *claim, const sb_model_verdict *m) {
    const bool is_over = m->transition->kind == SB_TRANSITION_OVER;
    claim->owner = SB_OWNS_DYNAMICS;
    if (!m->predicted) return;
    claim->verdict = m->right[SB_MODEL_PREDICTED] ? SB_RIGHT : SB_WRONG;
    if (claim->verdict == SB_RIGHT) return;
    if (m->done) put_field(v, claim, "done");
    if (m->over != is_over) put_field(v, claim, "over");
    for (size_t i = 0; i < m->fields.n_wrong && i < SB_MODEL_WRONG; i++) put_field(v, claim, m->fields.wrong[i]);
}

/* A transition that completed a level: only `done` is compared. */
static void judge_end(sb_verdicts *v, sb_ledger_claim *claim, const sb_model_verdict *m) {
    claim->owner = SB_OWNS_DYNAMICS;
    claim->verdict = m->done ? SB_RIGHT : SB_WRONG;
    if (!m->done) put_field(v, claim, "done");
}

static void judge_error(sb_verdicts *v, sb_ledger_claim *claim, const sb_model_verdict *m) {
    claim->verdict = m->right[SB_MODEL_ERROR] ? SB_RIGHT : SB_WRONG;
    if (claim->verdict == SB_RIGHT) return;
    claim->owner = sb_model_owner_of(m->failed);
    put_field(v, claim, sb_model_op_names[m->failed]);
}

/* Claims in the order of the sources; their fields follow in the texts. Where the answer to the question for `done` is
 * missing, only that is wrong. */
static void judge(sb_verdicts *v, sb_ledger_verdict *item, const sb_model_verdict *m) {
    const bool is_end = m->transition->kind == SB_TRANSITION_LEVEL;
    if (is_end && m->right[SB_MODEL_ERROR]) judge_end(v, &item->claims[SB_MODEL_PREDICTED], m);
    if (m->is_asked) judge_render(&item->claims[SB_MODEL_RENDERED], m);
    if (m->is_asked) judge_prediction(v, &item->claims[SB_MODEL_PREDICTED], m);
    if (m->is_asked || is_end) judge_error(v, &item->claims[SB_MODEL_ERROR], m);
}

static bool name_play(sb_verdicts *v, const sb_model_verdict *m, sb_error *error) {
    if (m->play < v->n_names) return true;
    char(*names)[SB_LOG_GAME] = realloc(v->names, (m->play + 1) * sizeof *names);
    if (!names) return no_memory(error);
    v->names = names;
    memset(names + v->n_names, 0, (m->play + 1 - v->n_names) * sizeof *names);
    v->n_names = m->play + 1;
    snprintf(names[m->play], sizeof *names, "%s", m->played->name);
    return true;
}

bool sb_verdicts_visit(void *context, const sb_model_verdict *m, sb_error *error) {
    sb_verdicts *v = context;
    if (!SB_GROW(v->items, v->n + 1, v->capacity)) return no_memory(error);
    sb_ledger_verdict *item = &v->items[v->n++];
    *item = (sb_ledger_verdict){.play = m->play,
                                .t = m->transition->t,
                                .level = (uint64_t)m->transition->level,
                                .asked = m->is_asked,
                                .passed = m->is_asked && m->right[SB_MODEL_PREDICTED]};
    v->texts.grows = true;
    sb_put_log_action(&v->texts, &m->transition->action);
    sb_putc(&v->texts, '\0');
    sb_put_action_words(&v->texts, &m->transition->action);
    sb_putc(&v->texts, '\0');
    judge(v, item, m);
    return name_play(v, m, error) && (sb_out_ok(&v->texts) || no_memory(error));
}

/* Lets the verdicts point to their texts, which stay where they are from now on. */
static void point(sb_verdicts *v) {
    const char *text = v->texts.data;
    const char **field = v->fields;
    for (size_t i = 0; i < v->n; i++) {
        v->items[i].action = text;
        text += strlen(text) + 1;
        v->items[i].words = text;
        text += strlen(text) + 1;
        for (int s = 0; s < SB_MODEL_N_SOURCES; s++) {
            sb_ledger_claim *claim = &v->items[i].claims[s];
            claim->fields = field;
            for (size_t k = 0; k < claim->n_fields; k++, text += strlen(text) + 1) *field++ = text;
        }
    }
}

bool sb_verdicts_check(sb_verdicts *v, const sb_log *logs, size_t n, sb_ledger_check *check, sb_error *error) {
    sb_sha256 hash;
    const char **fields = realloc(v->fields, (v->n_fields + 1) * sizeof *fields);
    if (!fields) return no_memory(error);
    v->fields = fields;
    point(v);
    sb_sha256_begin(&hash);
    for (size_t i = 0; i < n; i++) sb_sha256_add(&hash, logs[i].sha256, SB_SHA256_HEX - 1);
    sb_sha256_end_hex(&hash, v->log_sha256);
    check->log_sha256 = n == 1 ? logs->sha256 : v->log_sha256;
    check->verdicts = v->items, check->n = v->n;
    return true;
}

const sb_ledger_claim *sb_verdict_wrong_claim(const sb_ledger_verdict *v, sb_model_source *source) {
    static const sb_model_source order[] = {SB_MODEL_ERROR, SB_MODEL_PREDICTED, SB_MODEL_RENDERED};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        *source = order[i];
        if (v->claims[*source].verdict == SB_WRONG) break;
    }
    return &v->claims[*source];
}
