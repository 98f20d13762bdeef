/* What commands print: text, data, errors and progress; and the files that they write. */
#ifndef SB_CLI_OUTPUT_H
#define SB_CLI_OUTPUT_H

#include "base/file.h"
#include "base/visible.h"

/* Exit codes. */
enum {
    CLI_OK,
    CLI_FOUND,       /* a failure was found */
    CLI_USAGE,       /* the call was wrong */
    CLI_SIGNAL = 128 /* plus the number of the signal that asked the command to end */
};

/* ---- Text and data ----
 * Everything is printed through these functions, so that no text from a file or a program can send escape sequences to
 * a terminal (base/visible.h). In text for people everything invisible but newlines and tabs is escaped. To quote a
 * text within a line, where it may hold neither, use sb_put_visible or CLI_PLAIN. */

__attribute__((format(printf, 1, 2))) void cli_say(const char *format, ...);  /* prints to standard output */
__attribute__((format(printf, 1, 2))) void cli_warn(const char *format, ...); /* prints to standard error */

/* Data is printed unchanged: JSON, tapes, pictures with our own colours. */
typedef enum { CLI_DATA, CLI_PROSE } cli_content;
static inline cli_content cli_data_if(bool is_data) { return is_data ? CLI_DATA : CLI_PROSE; }
void cli_print(const sb_out *out, cli_content content);
/* Prints everything to standard output and frees it; returns the exit code. */
int cli_emit(sb_out *out, cli_content content);

enum { CLI_PLAIN_MAX = 4096 };
/* The text as it is quoted within a line; lives as long as the block that CLI_PLAIN stands in. */
#define CLI_PLAIN(text) sb_copy_plain((char[CLI_PLAIN_MAX]){0}, CLI_PLAIN_MAX, text)

/* Prints the error and returns the exit code that goes with it. */
int cli_fail(const sb_error *error);

/* ---- Output files ---- */

/* Whether the user said `-o -`: standard output. */
bool cli_is_dash(const char *output);
/* Opens the file that the user named, with a note if it cannot be locked. Long work opens its output before it begins:
 * what cannot be written fails at once, and no other process writes it meanwhile. NULL and `-` open nothing. */
bool cli_output_open(sb_file *file, const char *output, sb_error *error);
/* Writes the whole document and gives the file its name. Until then sb_file_discard removes it. */
bool cli_output_save(sb_file *file, const sb_out *document, sb_error *error);
/* Prints the document if the user said `-`, else saves it. */
bool cli_output_put(sb_file *file, const char *output, const sb_out *document, sb_error *error);

/* The name of a playground's page that lies in the folder of the output file; NULL: there is none. */
const char *cli_playground_beside(const char *output);

/* ---- Progress: on a terminal all the time, elsewhere a line a minute ---- */

enum { CLI_PROGRESS_SECONDS = 60 /* seconds from one line to the next, and to the first */ };

typedef struct cli_progress {
    bool shown;       /* not `quiet` */
    bool on_terminal; /* standard error is a terminal */
    const char *what; /* what was done: `solved` */
    const char *unit; /* what is counted: `episodes` */
    bool ends_early;  /* the total is the most that can be done, so how much time is left is not known */
    double began, last;
    size_t before; /* of what is counted, done before it began: a resumed run says how fast this one is */
} cli_progress;

cli_progress cli_progress_begin(bool quiet, const char *what, const char *unit);
/* Counts from 0 again, as something else; `what` must live as long. The lines keep their distance. */
void cli_progress_again(cli_progress *progress, const char *what);
/* Shows progress, for the callbacks of long work; the context is a cli_progress. Total 0: it is not known. */
void cli_progress_show(void *context, size_t done, size_t total);
void cli_progress_end(cli_progress *progress);
/* Erases the last line of the terminal, where progress was shown. */
void cli_clear_line(void);
/* Prints a note for the user while work goes on; the context is a cli_progress. */
void cli_note(void *context, const char *text);

/* Seconds on a clock that only goes forward. */
double cli_now(void);

#endif
