/* What all subcommands share: options, errors, tables, progress. Each subcommand is one file and one cli_command. */
#ifndef SB_CLI_H
#define SB_CLI_H

#include <stdio.h>

#include "base/out.h"
#include "rollout/selection.h"

enum { CLI_OK, CLI_FOUND, CLI_USAGE }; /* exit codes: fine; a failure was found; the call was wrong */

typedef struct cli_command {
    const char *name, *summary;
    const char *usage;  /* arguments after the name */
    const char *help;   /* what it does, with examples */
    bool makes_formats; /* --help ends with the formats there are */
    int (*run)(const struct cli_command *self, int argc, char **argv);
} cli_command;

extern const cli_command *const cli_commands[];        /* NULL-terminated */
const cli_command *cli_find_command(const char *name); /* NULL if there is none */

/* The program: finds the subcommand and runs it. */
int cli_main(int argc, char **argv);

/* ---- Options ---- */

/* An option fills one of the three targets. */
typedef struct cli_option {
    const char *name;     /* without the dashes */
    char letter;          /* 0: none */
    const char *argument; /* for help; NULL for a flag */
    const char *help;
    const char **text;
    uint64_t *number;
    bool *flag;
} cli_option;

typedef enum cli_color { CLI_COLOR_AUTO, CLI_COLOR_ALWAYS, CLI_COLOR_NEVER } cli_color;

/* What every subcommand understands. */
typedef struct cli_common {
    const char *color;
    bool json, quiet;
    uint64_t jobs;
} cli_common;

/* The options that make a selection, and those that every subcommand has. */
#define CLI_SELECTION_OPTIONS(request)                                                                                 \
    {.name = "family",                                                                                                 \
     .argument = "NAME",                                                                                               \
     .help = "family of tasks (default: the first of `seedbed tasks`)",                                                \
     .text = &(request).family},                                                                                       \
        {.name = "tasks", .letter = 't', .argument = "A,B", .help = "only these tasks", .text = &(request).tasks},     \
        {.name = "category",                                                                                           \
         .argument = "A,B",                                                                                            \
         .help = "only tasks of these categories",                                                                     \
         .text = &(request).category},                                                                                 \
        {.name = "difficulty",                                                                                         \
         .letter = 'd',                                                                                                \
         .argument = "A,B",                                                                                            \
         .help = "only these difficulties",                                                                            \
         .text = &(request).difficulty},                                                                               \
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

#define CLI_COMMON_OPTIONS(common)                                                                                     \
    {.name = "jobs",                                                                                                   \
     .letter = 'j',                                                                                                    \
     .argument = "N",                                                                                                  \
     .help = "workers (default: one a processor)",                                                                     \
     .number = &(common).jobs},                                                                                        \
        {.name = "json", .help = "machine-readable output", .flag = &(common).json},                                   \
        {.name = "quiet", .letter = 'q', .help = "no progress and no summary", .flag = &(common).quiet}, {             \
        .name = "color", .argument = "WHEN", .help = "auto (default), always or never", .text = &(common).color        \
    }

/* Reads options into their targets and moves the other arguments to the front of argv; returns how many there are, or
 * -1 after a message (then *status is what to exit with: --help is fine, a wrong option is not). */
int cli_parse(const cli_command *self, const cli_option *options, size_t n, int argc, char **argv, int *status);
#define CLI_PARSE(self, options, argc, argv, status)                                                                   \
    cli_parse(self, options, sizeof(options) / sizeof *(options), argc, argv, status)

/* The option that an argument names, or NULL; `value` gets what stands behind `=` or the letter, or NULL. */
const cli_option *cli_find_option(const cli_option *options, size_t n, const char *argument, const char **value);

/* Whether to colour what goes to this stream; an unknown WHEN is an error. */
bool cli_wants_color(const cli_common *common, FILE *stream, bool *color, sb_error *error);

/* ---- Saying what went wrong ---- */

/* Prints the error; returns the exit code that goes with it. */
int cli_fail(const sb_error *error);
/* Prints a usage error with a hint at --help. */
int cli_usage(const cli_command *self, const char *what);
/* Writes everything to standard output and frees it. */
int cli_emit(sb_out *out);

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
