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

static void put_names(sb_out *out, const cli_task *task) {
    const char *names[SB_ORACLES_MAX];
    const size_t n = sb_oracles_of(task->family->name, task->info->name, names);
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

static void put_table(sb_out *out, const cli_task *task, const measured *from, const cJSON *results) {
    const cJSON *of_task = cJSON_GetObjectItemCaseSensitive(results, task->info->name);
    if (!of_task) return;
    sb_putf(out, "\n%s\n\n| difficulty | oracle | solved | steps |\n|---|---|---|---|\n", from->of);
    for (size_t i = 0; i < task->family->n_difficulties; i++) {
        const char *difficulty = task->family->difficulties[i];
        const cJSON *here = *difficulty ? cJSON_GetObjectItemCaseSensitive(of_task, difficulty) : of_task;
        const cJSON *official = cJSON_GetObjectItemCaseSensitive(here, "eval");
        put_rows(out, difficulty, official ? official : here);
    }
}

bool cli_put_task_figures(sb_out *out, const cli_task *task, sb_error *error) {
    const measured *from = find_family(task->family->name);
    put_names(out, task);
    if (!from) return true;
    cJSON *results = sb_json_parse((const char *)from->text, *from->n, error);
    if (!results) return false;
    put_table(out, task, from, results);
    cJSON_Delete(results);
    return true;
}
