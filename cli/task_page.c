#include "cli/task_page.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/shipped.h"
#include "rollout/judging.h"

sb_name cli_task_name(const cli_task *task, size_t difficulty, uint64_t seed) {
    sb_name name = {.seed = seed};
    snprintf(name.family, sizeof name.family, "%s", task->family->name);
    snprintf(name.task, sizeof name.task, "%s", task->info->name);
    snprintf(name.difficulty, sizeof name.difficulty, "%s", task->family->difficulties[difficulty]);
    return name;
}

/* ---- The head ---- */

static void put_head(sb_out *out, const cli_task *task) {
    static const char *const judged[] = {[SB_BY_SUCCESS] = "judged by success",
                                         [SB_BY_SCORE] = "judged by a score",
                                         [SB_BY_NOTHING] = "for exploring: nobody wins or loses"};
    char name[SB_NAME_MAX], rules[SB_RULES_NAME];
    const sb_task_info *info = task->info;
    const sb_name first = cli_task_name(task, 0, 0);
    sb_name_print(&first, name, sizeof name);
    sb_rules_name(task->family, info, rules);
    sb_putf(out, "# %s\n\n%s\n\n", info->name, info->summary);
    sb_putf(out, "Category `%s`, rules `%s`, %s.", info->category, rules, judged[info->criterion]);
    if (info->alias) sb_putf(out, " The published id is `%s`.", info->alias);
    sb_putf(out, "\n\n    seedbed play %s\n", name);
}

static void put_text(sb_out *out, const cli_task *task) {
    sb_out text = sb_out_growing(); /* begins with what to do, or with a heading of its own */
    if (task->family->describe) task->family->describe(task->info, &text);
    if (text.size) sb_puts(out, text.data[0] == '#' ? "\n" : "\n## What to do\n\n"), sb_put_out(out, &text);
    sb_out_free(&text);
}

/* ---- Configuration ---- */

/* Finds the section of a task in docs/task-config.md, whose headings are names without `-v0`; *end gets its end. NULL:
 * there is none. */
static const char *find_section(const char *task, const char **end) {
    const char *at = (const char *)sb_shipped_task_config;
    const size_t n = strcspn(task, "-");
    while ((at = strstr(at, "\n## "))) {
        at += strlen("\n## ");
        if (strncmp(at, task, n) != 0 || at[n] != '\n') continue;
        at += n + strspn(at + n, "\n");
        *end = strstr(at, "\n## ");
        if (!*end) *end = at + strlen(at);
        return at;
    }
    return NULL;
}

void cli_put_task_config(sb_out *out, const cli_task *task) {
    const char *end, *section = find_section(task->info->name, &end);
    if (task->family != sb_families[0] || !section) return; /* configurations are those of the first family's tasks */
    sb_puts(out,
            "\n## Configuration keys\n\nPublic keys are shown in the mode `state`, private ones to bots and experts "
            "only; live values change during an episode. Types and ranges: docs/task-config.md.\n\n");
    sb_put(out, section, (size_t)(end - section));
    if (end[-1] != '\n') sb_puts(out, "\n");
}

/* ---- The page ---- */

bool cli_put_task_page(sb_out *out, cli_task *task, sb_error *error) {
    put_head(out, task);
    put_text(out, task);
    if (!cli_put_task_sizes(out, task, error) || !cli_put_task_cells(out, task, error)) return false;
    cli_put_task_config(out, task);
    return cli_put_task_games(out, task, error) && cli_put_task_figures(out, task, error) &&
           cli_put_task_episode(out, task, error);
}
