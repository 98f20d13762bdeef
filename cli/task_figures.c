/* The part of a task's page about oracles. What was measured is in docs/results*.json, which the build embeds. */
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "cli/shipped.h"
#include "cli/task_page.h"

/* What was measured of a family: by task and, where it has them, by difficulty and split, the names of agents with
 * [solved, played, mean steps]. */
typedef struct measured {
    const char *family, *of; /* of: which episodes and which steps */
    const unsigned char *text;
    const size_t *n;
} measured;

static const measured families[] = {
    {"agentick", "The official 25 evaluation seeds; steps are means over all of them. Training seeds: docs/oracles.md.",
     sb_shipped_results, &sb_shipped_results_size},
    {"babyai", "Seeds 0 to 99; steps are means over the solved ones.", sb_shipped_results_babyai,
     &sb_shipped_results_babyai_size},
    {"arc", "Seeds 0 to 19; steps are means over the solved ones.", sb_shipped_results_arc,
     &sb_shipped_results_arc_size}};

static const measured *find_family(const char *name) {
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strcmp(families[i].family, name) == 0) return &families[i];
    return NULL;
}

static void put_names(sb_out *out, const char *const *names, size_t n) {
    sb_puts(out, "\n## Oracles\n\n");
    for (size_t i = 0; i < n; i++) sb_putf(out, "%s`%s`", i ? ", " : "", names[i]);
    sb_puts(out, n ? ".\n" : "None.\n");
}

static void put_rows(sb_out *out, const char *difficulty, const cJSON *agents) {
    const cJSON *agent;
    cJSON_ArrayForEach(agent, agents) {
        if (!cJSON_IsArray(agent) || cJSON_GetArraySize(agent) != 3 || !cJSON_IsNumber(agent->child)) continue;
        const double solved = cJSON_GetArrayItem(agent, 0)->valuedouble;
        const double played = cJSON_GetArrayItem(agent, 1)->valuedouble;
        sb_putf(out, "| %s | `%s` | %.0f of %.0f | ", *difficulty ? difficulty : "(none)", agent->string, solved,
                played);
        const cJSON *steps = cJSON_GetArrayItem(agent, 2);
        if (cJSON_IsNumber(steps)) sb_putf(out, "%.2f", steps->valuedouble);
        sb_puts(out, " |\n");
    }
}

/* What was measured of the task in one of its difficulties. */
static const cJSON *measured_in(const cJSON *of_task, const char *difficulty) {
    const cJSON *here = *difficulty ? cJSON_GetObjectItemCaseSensitive(of_task, difficulty) : of_task;
    const cJSON *official = cJSON_GetObjectItemCaseSensitive(here, "eval");
    return official ? official : here;
}

static void put_table(sb_out *out, const cli_task *task, const measured *from, const cJSON *of_task) {
    sb_putf(out, "\n%s\n\n| difficulty | oracle | solved | steps |\n|---|---|---|---|\n", from->of);
    for (size_t i = 0; i < task->family->n_difficulties; i++)
        put_rows(out, task->family->difficulties[i], measured_in(of_task, task->family->difficulties[i]));
}

static bool was_measured(const cli_task *task, const cJSON *of_task, const char *oracle) {
    bool found = false;
    for (size_t i = 0; i < task->family->n_difficulties; i++)
        found |= cJSON_IsArray(
            cJSON_GetObjectItemCaseSensitive(measured_in(of_task, task->family->difficulties[i]), oracle));
    return found;
}

/* Says which oracles the table lacks. */
static void put_unmeasured(sb_out *out, const cli_task *task, const cJSON *of_task, const char *const *names,
                           size_t n) {
    bool some = false;
    for (size_t i = 0; i < n; i++) {
        if (was_measured(task, of_task, names[i])) continue;
        sb_putf(out, "%s`%s`", some ? ", " : "\nNot measured: ", names[i]);
        some = true;
    }
    if (some) sb_puts(out, ".\n");
}

bool cli_put_task_figures(sb_out *out, const cli_task *task, sb_error *error) {
    const measured *from = find_family(task->family->name);
    const char *names[SB_ORACLES_MAX];
    const size_t n = sb_oracles_of(task->family->name, task->info->name, names);
    put_names(out, names, n);
    if (strcmp(task->family->name, "autumn") == 0)
        sb_puts(out, "\nHow they do in challenges: docs/autumn-oracles.md.\n");
    if (!from) return true;
    cJSON *results = sb_json_parse((const char *)from->text, *from->n, error);
    if (!results) return false;
    const cJSON *of_task = cJSON_GetObjectItemCaseSensitive(results, task->info->name);
    if (of_task) {
        put_table(out, task, from, of_task);
        put_unmeasured(out, task, of_task, names, n);
    }
    cJSON_Delete(results);
    return true;
}
