/* What all subcommands share: options, errors, tables, progress. Each subcommand is one file and one cli_command. */
#ifndef SB_CLI_H
#define SB_CLI_H

#include <stdio.h>

#include "base/file.h"
#include "base/visible.h"
#include "rollout/selection.h"

enum {
    CLI_OK,
    CLI_FOUND,
    CLI_USAGE,       /* exit codes: fine; a failure was found; the call was wrong */
    CLI_SIGNAL = 128 /* and the number of the signal by which somebody asked the command to end */
};

typedef struct cli_command {
    const char *name, *summary;
    const char *usage;  /* arguments after the name */
    const char *help;   /* what it does, with examples */
    bool makes_formats; /* --help ends with the formats there are */
    int (*run)(const struct cli_command *self, int argc, char **argv);
} cli_command;

extern const cli_command *const cli_commands[]; /* NULL-terminated */

/* The program: finds the subcommand, runs it, and returns the exit code. A host program may call it any number of
 * times, with argv[argc] = NULL. It relies on this:
 *   - One call runs at a time, in a thread that may be any. It uses the standard streams and the working directory.
 *   - What is printed is what a new process prints. Standard output is flushed at the end, never closed.
 *   - Afterwards all is as it was before: signal dispositions and mask, umask, working directory, locale, descriptors,
 *     threads, children, memory, locks and temporary files. Only the pointers in argv may have changed their order.
 *   - Meanwhile SIGXFSZ is ignored; `eval` and `serve` also ignore SIGPIPE and reset SIGCHLD.
 *   - It does not end the process. SIGINT, SIGTERM and SIGHUP do as long as they have their default action; a handler
 *     of the host's is called, and the command goes on. Three take these signals for themselves, whatever the host does
 *     with them: `serve --socket` ends by them, and so do `play` and `replay --step` on a terminal, which return
 *     CLI_SIGNAL and the number, but for SIGINT, which is a way to leave them. */
int cli_main(int argc, char **argv);
/* NULL if there is none. */
const cli_command *cli_find_command(const char *name);
/* Says that there is no such command, and which one may have been meant; returns the exit code. */
int cli_refuse_command(const char *name);

/* ---- Options ---- */

/* An option fills one of the three targets. */
typedef struct cli_option {
    const char *name;     /* without the dashes */
    char letter;          /* 0: none */
    const char *argument; /* for help; NULL for a flag */
    const char *help;
    const char *const *words; /* the only texts that it takes, NULL-terminated; NULL: any */
    const char **text;
    uint64_t *number;
    bool *flag;
    bool common; /* every command takes it, whether or not it has any use for it */
} cli_option;

/* What every subcommand understands. */
typedef struct cli_common {
    const char *color;
    bool json, quiet;
    uint64_t jobs;
    const sb_catalogue *catalogue; /* where every command looks names up; NULL: what is built in */
} cli_common;

/* Which tasks and difficulties. */
#define CLI_TASK_OPTIONS(request)                                                                                      \
    {.name = "family",                                                                                                 \
     .argument = "NAME",                                                                                               \
     .help = "family of tasks (default: the one that has the tasks or categories; agentick)",                          \
     .text = &(request).family},                                                                                       \
        {.name = "tasks", .letter = 't', .argument = "A,B", .help = "only these tasks", .text = &(request).tasks},     \
        {.name = "category",                                                                                           \
         .argument = "A,B",                                                                                            \
         .help = "only tasks of these categories",                                                                     \
         .text = &(request).category},                                                                                 \
    {                                                                                                                  \
        .name = "difficulty", .letter = 'd', .argument = "A,B", .help = "only these difficulties",                     \
        .text = &(request).difficulty                                                                                  \
    }

/* The options that make a selection. */
#define CLI_SELECTION_OPTIONS(request)                                                                                 \
    CLI_TASK_OPTIONS(request),                                                                                         \
        {.name = "split",                                                                                              \
         .argument = "BASE",                                                                                           \
         .help = "seed list: eval (default), train, or a text of your own (then with --count)",                        \
         .text = &(request).split},                                                                                    \
        {.name = "count",                                                                                              \
         .letter = 'n',                                                                                                \
         .argument = "N",                                                                                              \
         .help = "seeds per task and difficulty (default: all)",                                                       \
         .number = &(request).count},                                                                                  \
    {                                                                                                                  \
        .name = "seeds", .argument = "0..9,42", .help = "explicit seeds instead of a split", .text = &(request).seeds  \
    }

/* Who plays, by either name of the option. */
#define CLI_AGENT_OPTIONS(agent_)                                                                                      \
    {.name = "agent",                                                                                                  \
     .letter = 'a',                                                                                                    \
     .argument = "NAME",                                                                                               \
     .help = "who plays: expert (default), observer, clairvoyant, random, or as `seedbed tasks` lists",                \
     .text = &(agent_)},                                                                                               \
    {                                                                                                                  \
        .name = "oracle", .argument = "NAME", .help = "the same as --agent", .text = &(agent_)                         \
    }

extern const char *const cli_color_words[];

#define CLI_COMMON_OPTIONS(common_)                                                                                    \
    {.name = "jobs",                                                                                                   \
     .letter = 'j',                                                                                                    \
     .argument = "N",                                                                                                  \
     .help = "workers (default: one a processor)",                                                                     \
     .number = &(common_).jobs,                                                                                        \
     .common = true},                                                                                                  \
        {.name = "json", .help = "machine-readable output", .flag = &(common_).json, .common = true},                  \
        {.name = "quiet",                                                                                              \
         .letter = 'q',                                                                                                \
         .help = "no progress and no summary",                                                                         \
         .flag = &(common_).quiet,                                                                                     \
         .common = true},                                                                                              \
    {                                                                                                                  \
        .name = "color", .argument = "WHEN", .help = "auto (default), always or never", .words = cli_color_words,      \
        .text = &(common_).color, .common = true                                                                       \
    }

/* Reads options into their targets and moves the other arguments to the front of argv; returns how many there are, or
 * -1 after a message (then *status is what to exit with: --help is fine, a wrong option is not). Behind `--` there are
 * no options. */
int cli_parse(const cli_command *self, const cli_option *options, size_t n, int argc, char **argv, int *status);
#define CLI_PARSE(self, options, argc, argv, status)                                                                   \
    cli_parse(self, options, sizeof(options) / sizeof *(options), argc, argv, status)

/* The option that an argument names, or NULL; `value` gets what stands behind `=` or the letter, or NULL. */
const cli_option *cli_find_option(const cli_option *options, size_t n, const char *argument, const char **value);

/* Whether to colour what goes to standard output. */
bool cli_wants_color(const cli_common *common);

/* The word that a mistyped one may have been meant to be; begins zeroed. */
typedef struct cli_guess {
    const char *word;
    size_t away; /* letters that differ */
} cli_guess;

/* Takes the word as the guess if it is more like what was typed than the guess so far, and like it at all. */
bool cli_is_closer(const char *typed, const char *word, cli_guess *guess);

/* ---- Saying what went wrong ---- */

/* Prints the error; returns the exit code that goes with it. */
int cli_fail(const sb_error *error);
/* Prints a usage error with a hint at --help. */
int cli_usage(const cli_command *self, const char *what);
/* What is printed goes through these, so that nothing that somebody else wrote can steer a terminal (base/visible.h).
 * Texts for people have escapes in place of all that is not seen, but for newlines and tabs: where a text that is
 * quoted within a line may hold those, put it with sb_put_visible or CLI_PLAIN. */
__attribute__((format(printf, 1, 2))) void cli_say(const char *format, ...);  /* to standard output */
__attribute__((format(printf, 1, 2))) void cli_warn(const char *format, ...); /* to standard error */
/* Data stays as it is: JSON, tapes, pictures in colours of our own. */
typedef enum { CLI_DATA, CLI_TEXT } cli_kind;
static inline cli_kind cli_data_if(bool is_data) { return is_data ? CLI_DATA : CLI_TEXT; }
void cli_print(const sb_out *out, cli_kind kind);
/* Writes everything to standard output and frees it. */
int cli_emit(sb_out *out, cli_kind kind);

enum { CLI_PLAIN_MAX = 4096 };
/* The text as it is quoted within a line; lives as long as the block around it. */
#define CLI_PLAIN(text) sb_copy_plain((char[CLI_PLAIN_MAX]){0}, CLI_PLAIN_MAX, text)
/* Whether `-o -` was said: to standard output. */
bool cli_is_dash(const char *output);
/* Opens the file that a user named, and says so if it cannot be locked. Long work opens its output before it begins:
 * what would fail in the end fails now, and nobody else writes it meanwhile. NULL and `-` open nothing. */
bool cli_output_open(sb_file *file, const char *output, sb_error *error);
/* Writes a whole document into it and gives it its name. Until then sb_file_discard gives it up. */
bool cli_output_save(sb_file *file, const sb_out *document, sb_error *error);
/* Takes back what progress was shown on the last line of a terminal, so that something else may be said there. */
void cli_clear_line(void);
/* What the user should know while work goes on; the context is a cli_progress. */
void cli_note(void *context, const char *text);

/* ---- Progress on a terminal, silence in a pipe ---- */

typedef struct cli_progress {
    bool shown;
    const char *what; /* `solved` */
    double began, last;
} cli_progress;

cli_progress cli_progress_begin(const cli_common *common, const char *what);
/* For the callbacks of long work: the context is a cli_progress. */
void cli_progress_show(void *context, size_t done, size_t total);
void cli_progress_end(cli_progress *progress);

/* Seconds on a clock that only goes forward. */
double cli_now(void);

#endif
