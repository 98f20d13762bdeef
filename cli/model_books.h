/* What `seedbed model check` keeps beside its report: the ledger, and the page of wrong frames. */
#ifndef SB_CLI_MODEL_BOOKS_H
#define SB_CLI_MODEL_BOOKS_H

#include "cli/command.h"
#include "evaluation/models/check_page.h"
#include "evaluation/models/verdicts.h"

/* Values of options. Files may be NULL. */
typedef struct cli_books_options {
    const char *ledger, *html;
    uint64_t revision, cap; /* 0: the next one; all entries */
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

/* Starts zeroed; the caller closes it, also after a failure. */
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
/* After the check: brings the ledger up to date, and writes both files. `policies`: NULL without --policies. */
bool cli_books_write(cli_books *books, const sb_log *logs, size_t n, const sb_model_report *report,
                     const sb_model_matrix *policies, sb_error *error);
/* Puts what the revision fixed and broke, as text and as the member `ledger`; nothing without a ledger. */
void cli_books_put_text(const cli_books *books, sb_out *out);
void cli_books_put_json(const cli_books *books, sb_out *out);
/* The exit code of a check that found something (or not), which the gate replaces. */
int cli_books_status(const cli_books *books, int status);
void cli_books_close(cli_books *books);

#endif
