/* Commands about models of worlds: seedbed model WORD ... Each word is a file. */
#ifndef SB_CLI_MODEL_H
#define SB_CLI_MODEL_H

#include "cli/command.h"
#include "cli/model_books.h"

typedef struct cli_model_options {
    cli_common common;
    const char *model, *hypothesis, *save;
    uint64_t timeout, start_seconds, steps;
    bool learn, split, policies;
    cli_paths test; /* logs, of --split */
    cli_books_options books;
    sb_request request; /* of plan, as the next ones */
    uint64_t nodes, depth, actions;
    bool no_truth;
    const char *log, *output; /* output: of regressions */
} cli_model_options;

/* What the options say of the program. Also sets signals as programs need it. */
sb_candidate_rules cli_model_rules(const cli_model_options *options);
/* After the model was asked: notes options that had no effect because it does not learn. */
void cli_model_note(const cli_model_options *options, const sb_candidate *candidate);
/* Opens logs; on failure those that were opened are closed. The caller closes them. */
bool cli_logs_open(sb_log *logs, const char *const *paths, size_t n, sb_error *error);
void cli_logs_close(sb_log *logs, size_t n);

/* The words; each returns the exit code. */
int cli_model_check(const cli_command *self, const cli_model_options *options, const char *const *paths, size_t n);
int cli_model_regressions(const cli_command *self, const cli_model_options *options, const char *const *paths,
                          size_t n);
int cli_model_plan(const cli_command *self, const cli_model_options *options, const char *const *names, size_t n);
int cli_model_serve(const cli_command *self, const cli_model_options *options, const char *const *names, size_t n);

#endif
