/* The part of a task's page about how many games there are. */
#include "cli/task_page.h"

enum { STARTS = 1000 /* of a user's task, which nobody counted before */ };

static const char head[] = "\n## Games\n\nHow many games there are among all seeds (docs/datasets.md says how they are "
                           "counted), and how much is "
                           "left where no game of an evaluation episode may occur.\n\n"
                           "| difficulty | starts counted | games | effective | left |\n|---|---|---|---|---|\n";

/* Counts the games of a user's task. */
static bool count(const cli_task *task, size_t difficulty, sb_games *games, sb_error *error) {
    const sb_name first = cli_task_name(task, difficulty, 0);
    const sb_request request = {.catalogue = task->worker.catalogue,
                                .family = first.family,
                                .tasks = first.task,
                                .difficulty = *first.difficulty ? first.difficulty : NULL,
                                .split = "games",
                                .count = STARTS};
    const sb_games_counting alone = {.jobs = 1};
    sb_selection selection = {0};
    const bool ok = sb_select(&request, &selection, error) &&
                    sb_games_count(&selection, 0, selection.n, &alone, games, error);
    sb_selection_free(&selection);
    return ok;
}

static bool is_built_in(const cli_task *task) {
    size_t index;
    sb_error ignored;
    return sb_task_find(NULL, task->family, task->info->name, &index, &ignored);
}

static void put_row(sb_out *out, const char *difficulty, const sb_games *games) {
    sb_putf(out, "| %s | %llu | ", *difficulty ? difficulty : "(none)", (unsigned long long)games->starts);
    sb_games_put_number(games, out), sb_puts(out, " | ");
    sb_games_put_effective(games, out);
    sb_putf(out, " | %.1f %% |\n", sb_games_left(games));
}

bool cli_put_task_games(sb_out *out, const cli_task *task, sb_error *error) {
    const sb_family *family = task->family;
    const bool built_in = is_built_in(task);
    bool ok = true, has_head = false;
    for (size_t i = 0; ok && i < family->n_difficulties; i++) {
        const char *difficulty = family->difficulties[i];
        sb_games games;
        if (sb_is_derived(family, task->info, i)) continue;
        if (!cli_known_games_find(task->known, family->name, task->info->name, difficulty, &games)) {
            if (built_in) continue;
            ok = count(task, i, &games, error);
        }
        if (ok && !has_head) sb_puts(out, head);
        has_head = true;
        if (ok) put_row(out, difficulty, &games);
    }
    return ok;
}
