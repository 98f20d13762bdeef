/* The table of commands, in the order of --help within each group. */
#include "cli/command.h"

extern const cli_command cli_tasks, cli_show, cli_play, cli_solve, cli_replay, cli_eval, cli_score, cli_report,
    cli_baseline, cli_seeds, cli_build, cli_render, cli_merge, cli_verify, cli_certify, cli_atlas, cli_conform,
    cli_autumn, cli_new, cli_challenges, cli_questions, cli_exploration, cli_serve, cli_gallery, cli_log_command,
    cli_model_command, cli_arena;

const cli_command *const cli_commands[] = {
    &cli_tasks,     &cli_show,        &cli_play,        &cli_solve,         &cli_replay, &cli_gallery, &cli_eval,
    &cli_score,     &cli_report,      &cli_baseline,    &cli_seeds,         &cli_build,  &cli_render,  &cli_merge,
    &cli_verify,    &cli_certify,     &cli_atlas,       &cli_conform,       &cli_new,    &cli_autumn,  &cli_challenges,
    &cli_questions, &cli_exploration, &cli_log_command, &cli_model_command, &cli_arena,  &cli_serve,   NULL};
