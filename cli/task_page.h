/* The page of a task (docs/tasks): what there is to do, how large it is, what is seen, how well oracles play, and an
 * episode step by step. Markdown, which is also read on a terminal. */
#ifndef SB_CLI_TASK_PAGE_H
#define SB_CLI_TASK_PAGE_H

#include "base/out.h"
#include "cli/known_games.h"
#include "engine/lookup.h"
#include "rollout/worker.h"

/* The task of a page, and what it is played with. */
typedef struct cli_task {
    const sb_family *family;
    const sb_task_info *info;
    const cli_known_games *known;
    sb_worker worker; /* zeroed, except for its catalogue */
} cli_task;

/* Puts the whole page. */
bool cli_put_task_page(sb_out *out, cli_task *task, sb_error *error);

/* ---- Its parts ---- */

/* Gives the name of an episode of the task. */
sb_name cli_task_name(const cli_task *task, size_t difficulty, uint64_t seed);

/* Puts, for each difficulty, sizes, limits and what is there at the start; then the actions. */
bool cli_put_task_sizes(sb_out *out, cli_task *task, sb_error *error);
/* Puts the glyphs and the metadata that occur when the default agent plays. Puts nothing for worlds without a grid. */
bool cli_put_task_cells(sb_out *out, cli_task *task, sb_error *error);
/* Puts the table of configuration keys (docs/task-config.md). Puts nothing if there is none. */
void cli_put_task_config(sb_out *out, const cli_task *task);
/* Puts how many games there are, as docs/games.json says, or counted for a task of the user's. */
bool cli_put_task_games(sb_out *out, const cli_task *task, sb_error *error);
/* Puts the names of the oracles, and how well they play as far as that was measured (docs/results*.json). */
bool cli_put_task_figures(sb_out *out, const cli_task *task, sb_error *error);
/* Puts an episode: the first observation, a table of steps, the last observation, and the tape. It is one of the first
 * difficulty, and the first of ten seeds that the default agent solves. */
bool cli_put_task_episode(sb_out *out, cli_task *task, sb_error *error);

#endif
