/* Commands and their options, as tables. They say how the command line is read, and help, manual pages and completion
 * are written from them. Each command is one file: a struct of its options' values, a table of its options, a function
 * that runs it, and a cli_command that holds these together. */
#ifndef SB_CLI_COMMAND_H
#define SB_CLI_COMMAND_H

#include <stddef.h>

#include "cli/output.h"
#include "rollout/selection.h"

/* ---- Options ---- */

/* What a value is: how it is read, and what completion offers for it. */
typedef enum cli_kind {
    CLI_NOTHING,
    CLI_IS_FLAG,   /* no value: a bool becomes true */
    CLI_IS_SWITCH, /* one of two words: a bool becomes false by the first, true by the second */
    CLI_IS_NUMBER, /* a whole number from `least` to `most` */
    CLI_IS_REAL,   /* any finite number */
    CLI_WORD,      /* one of `words` */
    /* Texts of other kinds are checked by the code that uses them. A list has commas between its items. */
    CLI_ANYTHING,
    CLI_LIST,
    CLI_FILE,
    CLI_FILES,  /* a file; the option may be given several times */
    CLI_OUTPUT, /* a file or folder that the command writes */
    CLI_EPISODE,
    CLI_EPISODE_OR_FILE,
    CLI_FAMILY,
    CLI_TASKS,
    CLI_CATEGORIES,
    CLI_DIFFICULTIES,
    CLI_MODE,
    CLI_MODES,
    CLI_JSON_MODE, /* a mode whose observations are JSON documents */
    CLI_LOOK,
    CLI_FORMATS,
    CLI_ORACLE,
    CLI_PLAYER, /* an oracle or `random` */
    CLI_SOLVER, /* a player or plugin:FILE */
    CLI_AGENT,  /* a solver, tape:FILE or exec:COMMAND */
    CLI_N_KINDS
} cli_kind;

typedef struct cli_option {
    const char *name;     /* without the dashes */
    char letter;          /* 0: none */
    const char *argument; /* what help calls the value; NULL: it takes none */
    const char *help;
    bool rare; /* only --help-all shows it, in commands whose help would not fit on a screen */
    cli_kind kind;
    size_t at;                /* where the value goes in the command's options */
    size_t given;             /* where `true` goes if the option is given; 0: nowhere */
    uint64_t least, most;     /* range of a number; most 0: any number */
    const char *const *words; /* NULL-terminated: the only values of words and switches, suggestions for other texts */
} cli_option;

/* The last columns of a row: the kind of value, and the member of the options' type that holds it. A member of another
 * type does not compile. */
#define CLI_AT(type, member, c_type)      _Generic(((type *)0)->member, c_type : offsetof(type, member))
#define CLI_FLAG(type, member)            .kind = CLI_IS_FLAG, .at = CLI_AT(type, member, bool)
#define CLI_SWITCH(type, member, no, yes) .kind = CLI_IS_SWITCH, .at = CLI_AT(type, member, bool), CLI_WORDS(no, yes)
#define CLI_NUMBER(type, member)          .kind = CLI_IS_NUMBER, .at = CLI_AT(type, member, uint64_t)
#define CLI_REAL(type, member)            .kind = CLI_IS_REAL, .at = CLI_AT(type, member, double)
#define CLI_TEXT(type, member, what)      .kind = what, .at = CLI_AT(type, member, const char *)
#define CLI_PATHS(type, member)           .kind = CLI_FILES, .at = CLI_AT(type, member, cli_paths)
/* More columns, for rows that need them. */
#define CLI_RARE                .rare = true
#define CLI_RANGE(from, to)     .least = from, .most = to
#define CLI_GIVEN(type, member) .given = CLI_AT(type, member, bool)
#define CLI_WORDS(...)                                                                                                 \
    .words = (const char *const[]) { __VA_ARGS__, NULL }
/* An option as a row that stands in a macro. */
#define CLI_ROW(...)                                                                                                   \
    { __VA_ARGS__ }

enum { CLI_PATHS_MAX = 64 };

/* The values of an option that may be given several times. */
typedef struct cli_paths {
    const char *items[CLI_PATHS_MAX];
    size_t n;
} cli_paths;

/* The values of the options that every command takes. They are the first member, `common`, of its options. */
typedef struct cli_common {
    const char *color;
    bool json, quiet;
    uint64_t jobs;
    const char *names_from; /* a file of names, which become arguments; only where the command has the option */
    /* A pack of seeds or challenges, which says what to play; only where the command has the option. */
    const char *pack;
    /* An atlas whose measures need not be taken again; only where the command has the option. */
    const char *atlas;
    cli_paths programs;            /* the user's programs, which are tasks, too */
    cli_paths challenges;          /* packs of challenges, from which episodes are taken */
    const sb_catalogue *catalogue; /* where every command looks names up: programs and challenges are in it */
} cli_common;

extern const cli_option cli_common_options[]; /* the last one has no name */

/* Rows that several commands share: which tasks and difficulties. `request` is an sb_request. */
#define CLI_TASK_OPTIONS(type, request)                                                                                \
    CLI_ROW("family", 0, "NAME",                                                                                       \
            "family of tasks (default: the one with the given tasks or categories, else agentick)",                    \
            CLI_TEXT(type, request.family, CLI_FAMILY), CLI_RARE),                                                     \
        CLI_ROW("tasks", 't', "A,B", "only these tasks", CLI_TEXT(type, request.tasks, CLI_TASKS)),                    \
        CLI_ROW("category", 0, "A,B", "only tasks of these categories",                                                \
                CLI_TEXT(type, request.category, CLI_CATEGORIES), CLI_RARE),                                           \
        CLI_ROW("difficulty", 'd', "A,B", "only these difficulties",                                                   \
                CLI_TEXT(type, request.difficulty, CLI_DIFFICULTIES))

/* Rows that say which episodes; `request` is an sb_request. */
#define CLI_SELECTION_OPTIONS(type, request)                                                                           \
    CLI_ROW("names-from", 0, "FILE", "episodes by name, one in each line of FILE (-: of standard input)",              \
            CLI_TEXT(type, common.names_from, CLI_FILE), CLI_RARE),                                                    \
        CLI_TASK_OPTIONS(type, request),                                                                               \
        CLI_ROW("split", 0, "BASE", "seed list: eval (default), train, or a text of your own (then with --count)",     \
                CLI_TEXT(type, request.split, CLI_ANYTHING), CLI_WORDS("eval", "train")),                              \
        CLI_ROW("count", 'n', "N", "seeds per task and difficulty (default: all)", CLI_NUMBER(type, request.count),    \
                CLI_RANGE(1, 0)),                                                                                      \
        CLI_ROW("seeds", 0, "0..9,42", "explicit seeds instead of a split",                                            \
                CLI_TEXT(type, request.seeds, CLI_ANYTHING)),                                                          \
        CLI_ROW("where", 0, "TEXT", "only episodes that demand this: \"steps >= 20 and random < 0.05\"",               \
                CLI_TEXT(type, request.where, CLI_ANYTHING)),                                                          \
        CLI_ROW("spread", 0, "TEXT", "as many of each range of a measure: \"steps=10..60 in 5\"",                      \
                CLI_TEXT(type, request.spread, CLI_ANYTHING), CLI_RARE),                                               \
        CLI_ROW("atlas", 0, "FILE", "with --where or --spread: take the measures that this atlas has from it",         \
                CLI_TEXT(type, common.atlas, CLI_FILE), CLI_RARE)

/* Who plays if nobody is named (sb_default_agent). */
#define CLI_USUAL_AGENT "expert or teacher"

/* Rows that say who plays. */
#define CLI_PLAYER_OPTIONS(type, member)                                                                               \
    CLI_ROW("agent", 'a', "NAME", "an oracle of `seedbed tasks`, random, plugin:FILE (default: " CLI_USUAL_AGENT ")",  \
            CLI_TEXT(type, member, CLI_SOLVER)),                                                                       \
        CLI_ROW("oracle", 0, "NAME", "the same as --agent", CLI_TEXT(type, member, CLI_SOLVER), CLI_RARE)

enum { CLI_LOG_MIB = 64 /* of what programs write to their standard error are kept, unless another limit is named */ };

/* Rows that say how a program plays; `agent` is an sb_agent_options. The option for its steps begins with `prefix`,
 * because a command may use the plain name for something else. `numbers`: which random numbers it gets without a salt.
 */
#define CLI_PROGRAM_OPTIONS(type, agent, log_mib, prefix, numbers)                                                     \
    CLI_ROW("reply-seconds", 0, "N", "how long a program may take for an answer (default 60)",                         \
            CLI_NUMBER(type, agent.reply_seconds), CLI_RANGE(1, 0), CLI_RARE),                                         \
        CLI_ROW("start-seconds", 0, "N", "how long a program may take to say hello (default 300)",                     \
                CLI_NUMBER(type, agent.start_seconds), CLI_RANGE(1, 0), CLI_RARE),                                     \
        CLI_ROW(prefix "steps", 0, "N", "steps that a program may take in an episode (default: the task's limit)",     \
                CLI_NUMBER(type, agent.steps), CLI_RARE),                                                              \
        CLI_ROW("fresh", 0, NULL, "a new process of the program for every episode", CLI_FLAG(type, agent.fresh),       \
                CLI_RARE),                                                                                             \
        CLI_ROW("agent-log", 0, "FILE", "where programs' standard error goes (default: to standard error)",            \
                CLI_TEXT(type, agent.log, CLI_FILE), CLI_RARE),                                                        \
        CLI_ROW("agent-log-mib", 0, "N", "at most so many MiB of it are kept (default 64; 0: everything)",             \
                CLI_NUMBER(type, log_mib), CLI_RANGE(0, 1 << 20), CLI_RARE),                                           \
        CLI_ROW("salt", 0, "HEX",                                                                                      \
                "give programs the random_seeds of the run whose result has this salt (default: " numbers ")",         \
                CLI_TEXT(type, agent.salt, CLI_ANYTHING), CLI_RARE)

/* Why options that exclude each other are refused, where work can be resumed. */
#define CLI_RESUME_OR_FORCE "give either --resume, which goes on, or --force, which starts anew"

/* ---- Commands ---- */

#define CLI_MANY SIZE_MAX

/* What people do with a command; `seedbed --help` shows them in this order. */
typedef enum cli_group {
    CLI_TO_LOOK,
    CLI_TO_MAKE,
    CLI_TO_PROVE,
    CLI_TO_MEASURE,
    CLI_TO_CONNECT,
    CLI_N_GROUPS
} cli_group;

struct cli_command;

/* A word that says what a command is to do, as `check` in `seedbed model check LOG`. */
typedef struct cli_verb {
    const char *word;
    /* Returns the exit code. `arguments` are those behind the word. */
    int (*run)(const struct cli_command *self, const void *options, const char *const *arguments, size_t n);
    size_t least, most; /* fewest and most arguments behind the word */
    const char *wanted; /* the message if there are fewer or more */
} cli_verb;

/* The words that an option is for: `page, serve`. No word is a part of another. */
typedef struct cli_belonging {
    const char *option, *words;
} cli_belonging;

typedef struct cli_command {
    const char *name, *summary;
    cli_group group;
    const char *usage; /* how its arguments are written in a usage line */
    const char *help;  /* what it does, with examples */
    /* The rest of the help, for --help-all and the manual page; NULL: `help` is all. */
    const char *more;
    bool makes_formats; /* help ends with a list of all formats */
    const cli_option *options;
    size_t n_options;
    size_t size;          /* size of the struct of the options' values */
    const void *defaults; /* what the options' values begin as; NULL: zeros */
    struct {
        cli_kind kind;
        size_t least, most; /* fewest and most arguments; CLI_MANY: any number */
        /* The message if there are fewer or more arguments; NULL: that none are expected. */
        const char *wanted;
        const char *const *words; /* words that completion offers, too; NULL: none */
    } arguments;                  /* the words of the command line that are no options */
    const cli_verb *verbs;        /* for cli_run_verb; the last has no word */
    /* Which of the verbs some options are for; options that are not listed are for all. The last has no option. */
    const cli_belonging *belonging;
    /* Returns the exit code. */
    int (*run)(const struct cli_command *self, void *options, const char *const *arguments, size_t n);
} cli_command;

/* Runs the verb that is the first argument. Refuses options that are for other verbs, because what is ignored silently
 * is believed to work. */
int cli_run_verb(const cli_command *self, void *options, const char *const *arguments, size_t n);

/* The type of the options' values and the table. Divides by zero, and so does not compile, if `common` is not the first
 * member. */
#define CLI_OPTIONS(type, table)                                                                                       \
    .options = table, .n_options = sizeof(table) / sizeof *(table), .size = sizeof(type) / (offsetof(type, common) == 0)
/* What a command's arguments are, how many there may be, and the message if there are fewer or more. */
#define CLI_ARGUMENTS(what, from, to, message)                                                                         \
    .arguments.kind = what, .arguments.least = from, .arguments.most = to, .arguments.wanted = message

extern const cli_command *const cli_commands[]; /* NULL-terminated */

/* Returns NULL if there is no such command. */
const cli_command *cli_find_command(const char *name);
/* Says that there is no such command, and which one may have been meant; returns the exit code. */
int cli_refuse_command(const char *name);
/* Prints a usage error with a hint at --help; returns the exit code. */
int cli_usage(const cli_command *self, const char *what);

/* Goes through the options of a command, its own and then the common ones; NULL behind the last. */
const cli_option *cli_option_at(const cli_command *command, size_t index);
/* Finds the option that an argument begins with, or NULL; `value` gets what follows `=` or the letter, or NULL. */
const cli_option *cli_find_option(const cli_command *command, const char *argument, const char **value);

typedef enum { CLI_PARSED, CLI_ASKED_FOR_HELP, CLI_ASKED_FOR_ALL, CLI_REFUSED } cli_parsing;
/* Reads the command line behind the command's name into `options`, which get their defaults first, and moves the other
 * arguments, `*n` of them, to the front of argv. Behind `--` there are no options. A wrong call is refused with a
 * message. */
cli_parsing cli_parse(const cli_command *command, void *options, int argc, char **argv, size_t *n);

/* Refuses outputs without a path, two that are the same, and those that the command reads, as every text of a file may
 * be meant: an exit code. */
int cli_check_outputs(const cli_command *command, const void *options, char *const *words, size_t n);

/* Whether to colour what goes to standard output. */
bool cli_wants_color(const cli_common *common);

#endif
