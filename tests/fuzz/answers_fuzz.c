/* Takes the input as a language model's answer to each of BabyBench's questions, and as a file of answers, which is
 * scored as a whole. An unreadable answer gets a reason and a score of zero; no score is above the maximum. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "evaluation/babybench/marks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_refusal(bool ok, const sb_error *error) {
    if (!ok && (error->code == SB_OK || !error->text[0])) abort();
}

static void check_within(sb_answer_part part, const char *text) {
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

/* Returns an episode whose actions have names; always the same one, because making one takes longer than everything
 * else. */
static const sb_env *some_env(void) {
    static sb_env *env;
    sb_error error;
    if (!env && !(env = sb_make(NULL, "babyai:GoToObj#0", &error))) abort();
    return env;
}

static void check_actions(const char *text) {
    sb_answer_part list;
    sb_action action;
    sb_error error = {0};
    const bool ok = sb_answer_actions(text, &list, &error);
    check_refusal(ok, &error);
    if (!ok) return;
    check_within(list, text);
    const sb_env *env = some_env();
    while (sb_next_action(&list, env, &action))
        if (action < 0 || action >= env->n_actions) abort();
    if (list.n) abort();
}

static void check_plan(const char *text) {
    sb_answer_part plan;
    sb_error error = {0};
    const bool ok = sb_answer_plan(text, &plan, &error);
    check_refusal(ok, &error);
    check_within(ok ? plan : (sb_answer_part){text, 0}, text);
    if (ok && plan.n == 0) abort();
}

static void check_mark(const sb_mark *mark, sb_babybench_task protocol) {
    if (!mark->has[0] || mark->values[0] < 0 || mark->values[0] > 1) abort();
    if (mark->reason[0] && mark->values[0] != 0) abort();
    for (int k = 0; sb_measures[protocol][k].name; k++)
        if (sb_measures[protocol][k].of_all && !mark->has[k]) abort();
}

static sb_out check_marking(const sb_marking *marking) {
    sb_marks marks;
    sb_error error = {0};
    sb_out out = sb_out_growing();
    const bool ok = sb_mark_answers(marking, &marks, &error);
    check_refusal(ok, &error);
    if (!ok && marks.n) abort();
    for (size_t i = 0; ok && i < marks.n; i++) check_mark(&marks.rows[i], marking->protocol);
    if (ok && !sb_marks_print(&marks, true, &out, &error)) abort();
    sb_marks_free(&marks);
    return out;
}

/* Scores the file, for some inputs also with workers, which take longer to start than to work. Both must agree. */
static void check_file(const char *text, size_t size) {
    static sb_worker worker;
    for (sb_babybench_task protocol = 0; protocol < SB_N_BABYBENCH_TASKS; protocol++) {
        sb_marking marking = {.protocol = protocol, .text = text, .size = size, .jobs = 1, .worker = &worker};
        sb_out here = check_marking(&marking);
        if (size % 64 == protocol) {
            marking.worker = NULL;
            sb_out there = check_marking(&marking);
            if (here.size != there.size || (here.size && memcmp(here.data, there.data, here.size) != 0)) abort();
            sb_out_free(&there);
        }
        sb_out_free(&here);
    }
}

/* ---- Which files are scored ---- */

/* Returns whether the name is of no episode, or of one that an expert plays quickly. This target tests answers, and in
 * a maze of nine rooms experts take a thousand times as long as reading them. */
static bool is_quick(const char *text) {
    static const char *const tasks[] = {"GoToObj", "GoToRedBall", "GoToLocal", "PickupLoc", "PutNextLocal"};
    sb_name name;
    sb_error error;
    if (!sb_name_parse(NULL, text, &name, &error)) return true;
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
        if (strcmp(name.family, "babyai") == 0 && strcmp(name.task, tasks[i]) == 0) return true;
    return false;
}

/* The same for a line, in which an episode may be named in both ways. */
static bool is_quick_line(const char *line, size_t n) {
    char built[SB_NAME_MAX + 64];
    sb_error error;
    cJSON *object = sb_json_parse(line, n, &error);
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(object, "name")),
               *level = cJSON_GetStringValue(cJSON_GetObjectItem(object, "env_name"));
    if (level) snprintf(built, sizeof built, "%.100s#0", level);
    const bool quick = (!name || is_quick(name)) && (!level || is_quick(built));
    cJSON_Delete(object);
    return quick;
}

static bool is_quick_file(const char *text, size_t size) {
    const char *end = text + size;
    for (const char *at = text, *newline; at < end; at = newline + 1) {
        if (!(newline = memchr(at, '\n', (size_t)(end - at)))) newline = end;
        if (!is_quick_line(at, (size_t)(newline - at))) return false;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    check_state(text);
    check_actions(text);
    check_plan(text);
    if (is_quick_file(text, size)) check_file(text, size);
    free(text);
    return 0;
}
