/* Commands about models of worlds: seedbed model WORD ... Each word is a file. */
#ifndef SB_CLI_MODEL_H
#define SB_CLI_MODEL_H

#include "cli/command.h"
#include "evaluation/models/check_page.h"
#include "evaluation/models/verdicts.h"

/* ---- What `seedbed model check` keeps beside its report: the ledger, and the page of wrong frames ---- */

/* Values of the options for the ledger and the page. Files may be NULL. */
typedef struct cli_books_options {
    const char *ledger, *html;
    uint64_t revision, cap; /* revision 0: the next one; cap 0: all entries */
    bool gate;
} cli_books_options;

#define CLI_BOOKS_OPTIONS(type, books)                                                                                 \
    CLI_ROW("ledger", 0, "FILE", "bring this ledger up to date, or begin it: what a repair fixed and broke",           \
            CLI_TEXT(type, books.ledger, CLI_FILE)),                                                                   \
        CLI_ROW("revision", 0, "N", "the model's revision in the ledger (default: one more than the last)",            \
                CLI_NUMBER(type, books.revision), CLI_RANGE(1, SB_LEDGER_REVISIONS)),                                  \
        CLI_ROW("gate", 0, NULL, "exit code 1 only if something was right in the revision before and is wrong now",    \
                CLI_FLAG(type, books.gate)),                                                                           \
        CLI_ROW("cap", 0, "N", "keep at most N open entries of each source in the ledger (default: all)",              \
                CLI_NUMBER(type, books.cap), CLI_RANGE(1, 1 << 20)),                                                   \
        CLI_ROW("html", 0, "FILE", "write a page with the report and the wrong frames side by side",                   \
                CLI_TEXT(type, books.html, CLI_FILE))

/* The books of one check. Starts zeroed; the caller closes it, also after a failure. */
typedef struct cli_books {
    const cli_books_options *options;
    sb_verdicts verdicts;
    sb_check_page page;
    sb_ledger ledger;
    sb_ledger_news news;
    sb_file ledger_file, page_file;
} cli_books;

/* Returns what is wrong with the options; NULL: nothing. */
const char *cli_books_wrong(const cli_books_options *options, bool is_split);
/* Opens the files that will be written, so that what cannot be written fails before the check, and reads the ledger. */
bool cli_books_open(cli_books *books, const cli_books_options *options, sb_error *error);
/* Takes a verdict; the context is the cli_books (sb_check_options.visit). */
bool cli_books_visit(void *context, const sb_model_verdict *verdict, sb_error *error);
/* Brings the ledger up to date, and writes both files, after the check. `policies`: NULL without --policies. */
bool cli_books_write(cli_books *books, const sb_log *logs, size_t n, const sb_model_report *report,
                     const sb_model_matrix *policies, sb_error *error);
/* Puts what the revision fixed and broke, as text or as the member `ledger`; nothing without a ledger. */
void cli_books_put_text(const cli_books *books, sb_out *out);
void cli_books_put_json(const cli_books *books, sb_out *out);
/* The exit code of a check that found something (or not), which the gate replaces. */
int cli_books_status(const cli_books *books, int status);
void cli_books_close(cli_books *books);

typedef struct cli_model_options {
    cli_common common;
    const char *model, *hypothesis, *save;
    uint64_t timeout, start_seconds, steps;
    bool learn, split, policies;
    cli_paths test; /* logs to test with, of --split */
    cli_books_options books;
    sb_request request; /* what `plan` plays; nodes, depth, actions and no_truth are of `plan`, too */
    uint64_t nodes, depth, actions;
    bool no_truth;
    const char *log, *output; /* output: of regressions */
} cli_model_options;

enum { CLI_LOGS_MAX = 256 /* logs that `check` takes */ };

/* What the options say of the program. Also sets signals as programs need it. */
sb_candidate_rules cli_model_rules(const cli_model_options *options);
/* Notes options that had no effect because the model does not learn. Call it after the model was asked. */
void cli_model_note(const cli_model_options *options, const sb_candidate *candidate);
/* Opens logs; on failure those that were opened are closed. The caller closes them. */
bool cli_logs_open(sb_log *logs, const char *const *paths, size_t n, sb_error *error);
void cli_logs_close(sb_log *logs, size_t n);

/* The words of `seedbed model`; each returns the exit code. */
int cli_model_check(const cli_command *self, const void *options, const char *const *paths, size_t n);
int cli_model_regressions(const cli_command *self, const void *options, const char *const *paths, size_t n);
int cli_model_plan(const cli_command *self, const void *options, const char *const *names, size_t n);
int cli_model_serve(const cli_command *self, const void *options, const char *const *names, size_t n);

#endif
