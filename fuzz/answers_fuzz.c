/* The input as a language model's answer: to each of BabyBench's questions directly, and, as a file of lines, through
 * all that scores it. Nonsense has a reason and is worth nothing; nothing is worth more than everything. */
#include <stdlib.h>
#include <string.h>

#include "evaluation/answers.h"
#include "evaluation/marks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_refusal(bool ok, const sb_error *error) {
    if (!ok && (error->code == SB_OK || !error->text[0])) abort();
}

static void check_within(sb_span part, const char *text) {
    if (part.at < text || part.at + part.n > text + strlen(text)) abort();
}

static void check_state(const char *text) {
    enum { MOST = 1000000000 };
    sb_pose p;
    sb_error error = {0};
    const bool ok = sb_answer_state(text, &p, &error);
    check_refusal(ok, &error);
    if (ok && (llabs(p.x) > MOST || llabs(p.y) > MOST || llabs(p.direction) > MOST)) abort();
}

static void check_actions(const char *text) {
    sb_span list;
    sb_action action;
    sb_error error = {0};
    const bool ok = sb_answer_actions(text, &list, &error);
    check_refusal(ok, &error);
    if (!ok) return;
    check_within(list, text);
    sb_env *env = sb_make("babyai:GoToObj#0", &error);
    if (!env) return;
    while (sb_next_action(&list, env, &action))
        if (action < 0 || action >= env->n_actions) abort();
    if (list.n) abort();
    sb_free(env);
}

static void check_plan(const char *text) {
    sb_span plan;
    sb_error error = {0};
    const bool ok = sb_answer_plan(text, &plan, &error);
    check_refusal(ok, &error);
    check_within(ok ? plan : (sb_span){text, 0}, text);
    if (ok && plan.n == 0) abort();
}

static void check_mark(const sb_mark *mark, sb_protocol protocol) {
    if (!mark->has[0] || mark->values[0] < 0 || mark->values[0] > 1) abort();
    if (mark->reason[0] && mark->values[0] != 0) abort();
    for (int k = 0; sb_measures[protocol][k].name; k++)
        if (sb_measures[protocol][k].of_all && !mark->has[k]) abort();
}

static void check_file(const char *text, size_t size) {
    for (sb_protocol protocol = 0; protocol < SB_N_PROTOCOLS; protocol++) {
        const sb_marking marking = {.protocol = protocol, .text = text, .size = size, .jobs = 1};
        sb_marks marks;
        sb_error error = {0};
        const bool ok = sb_mark_answers(&marking, &marks, &error);
        if (!ok && marks.n) abort();
        for (size_t i = 0; ok && i < marks.n; i++) check_mark(&marks.rows[i], protocol);
        sb_out out = sb_out_growing();
        if (ok && !sb_marks_print(&marks, true, &out, &error)) abort();
        sb_out_free(&out);
        sb_marks_free(&marks);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    check_state(text);
    check_actions(text);
    check_plan(text);
    check_file(text, size);
    free(text);
    return 0;
}
