/* The page of a task (docs/tasks): what there is to do, how large it is, what is seen, how well oracles play, and an
 * episode step by step. Markdown, which is also read on a terminal. */
#ifndef SB_CLI_TASK_PAGE_H
#define SB_CLI_TASK_PAGE_H

#include "base/out.h"
#include "engine/lookup.h"
#include "rollout/games.h"
#include "rollout/worker.h"

/* How many games the built-in tasks have, as docs/measured/games.json says, which the build embeds. */
typedef struct cli_known_games {
    cJSON *table; /* NULL: nothing is known */
} cli_known_games;

bool cli_known_games_load(cli_known_games *known, sb_error *error);
void cli_known_games_free(cli_known_games *known);

/* Finds how many games were counted of a task in a difficulty; false if nobody counted them. */
bool cli_known_games_find(const cli_known_games *known, const char *family, const char *task, const char *difficulty,
                          sb_games *games);

/* The task of a page, and what plays it. */
typedef struct cli_task {
    const sb_family *family;
    const sb_task_info *info;
    const cli_known_games *known;
    sb_worker worker; /* zeroed, except for its catalogue */
} cli_task;

/* Puts the whole page. */
bool cli_put_task_page(sb_out *out, cli_task *task, sb_error *error);

#endif
