#include "cli/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "base/numerals.h"

/* ---- Guessing what a mistyped word was meant to be ---- */

enum { LONGEST_WORD = 24 };

static size_t least(size_t a, size_t b, size_t c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }

/* Returns how many letters must be added, removed, changed, or swapped with the next to turn one word into the other.
 */
static size_t distance(const char *a, const char *b) {
    size_t rows[3][LONGEST_WORD + 1], *before = rows[0], *last = rows[1], *row = rows[2];
    const size_t n = strlen(b);
    if (n > LONGEST_WORD) return SIZE_MAX;
    for (size_t j = 0; j <= n; j++) last[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            row[j] = least(row[j - 1] + 1, last[j] + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (exchanged && before[j - 2] + 1 < row[j]) row[j] = before[j - 2] + 1;
        }
        size_t *const oldest = before;
        before = last, last = row, row = oldest;
    }
    return last[n];
}

typedef struct guess {
    const char *word; /* NULL: none yet */
    size_t distance;
} guess;

/* Takes the word as the guess if it is close to what was typed and closer than the best guess so far. */
static void consider(const char *typed, const char *word, guess *best) {
    enum { FURTHEST = 2 };
    const size_t away = distance(typed, word);
    if (away <= FURTHEST && away < strlen(typed) && (!best->word || away < best->distance)) *best = (guess){word, away};
}

/* ---- Commands ---- */

const cli_command *cli_find_command(const char *name) {
    for (const cli_command *const *command = cli_commands; *command; command++)
        if (strcmp((*command)->name, name) == 0) return *command;
    return NULL;
}

int cli_refuse_command(const char *name) {
    guess best = {0};
    consider(name, "help", &best);
    for (const cli_command *const *command = cli_commands; *command; command++) consider(name, (*command)->name, &best);
    cli_warn("seedbed: there is no command `%s`", CLI_PLAIN(name));
    if (best.word) cli_warn(": did you mean `%s`?", best.word);
    cli_warn("%s `seedbed --help` lists them\n", best.word ? "" : ";");
    return CLI_USAGE;
}

int cli_usage(const cli_command *self, const char *what) {
    cli_warn("seedbed %s: %s; see `seedbed %s --help`\n", self->name, what, self->name);
    return CLI_USAGE;
}

/* ---- Options ---- */

const cli_option cli_common_options[] = {
    {"program", 0, "FILE", "a program of yours, which becomes a task (docs/autumn.md); may be given several times",
     CLI_PATHS(cli_common, programs), CLI_RARE},
    {"challenges", 0, "PACK.jsonl",
     "take challenges from this pack instead of deriving them (docs/autumn-challenges.md)",
     CLI_PATHS(cli_common, challenges), CLI_RARE},
    {"jobs", 'j', "N", "workers (default, or 0: one per processor)", CLI_NUMBER(cli_common, jobs)},
    {"json", 0, NULL, "machine-readable output", CLI_FLAG(cli_common, json)},
    {"quiet", 'q', NULL, "no progress and no summary", CLI_FLAG(cli_common, quiet)},
    {"color", 0, "WHEN", "auto (default), always or never", CLI_TEXT(cli_common, color, CLI_WORD),
     CLI_WORDS("auto", "always", "never"), CLI_RARE},
    {0}};

const cli_option *cli_option_at(const cli_command *command, size_t index) {
    if (index < command->n_options) return &command->options[index];
    const cli_option *option = &cli_common_options[index - command->n_options];
    return option->name ? option : NULL;
}

const cli_option *cli_find_option(const cli_command *command, const char *argument, const char **value) {
    const cli_option *o;
    *value = NULL;
    for (size_t i = 0; (o = cli_option_at(command, i)); i++) {
        const size_t length = strlen(o->name);
        if (o->letter && argument[1] == o->letter) {
            if (!argument[2]) return o;
            if (o->argument) return *value = argument + 2, o; /* -j4 */
        }
        if (argument[1] != '-' || strncmp(argument + 2, o->name, length) != 0) continue;
        if (argument[2 + length] == '=') return *value = argument + 3 + length, o;
        if (!argument[2 + length]) return o;
    }
    return NULL;
}

static bool refuse_option(const cli_command *command, const char *argument) {
    const cli_option *o;
    guess best = {0};
    char typed[LONGEST_WORD];
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(argument, "="), argument);
    consider(typed + strspn(typed, "-"), "help", &best);
    for (size_t i = 0; (o = cli_option_at(command, i)); i++) consider(typed + strspn(typed, "-"), o->name, &best);
    cli_warn("seedbed %s: there is no option %s", command->name, CLI_PLAIN(argument));
    if (best.word) cli_warn(": did you mean --%s?", best.word);
    cli_warn("%s `seedbed %s --help` lists them\n", best.word ? "" : ";", command->name);
    return false;
}

/* ---- Values ---- */

/* Finds the place of the word in the option's list; fails if it is not there. */
static bool find_word(const cli_option *o, const char *value, size_t *index, sb_error *error) {
    char choices[80];
    sb_out out = sb_out_fixed(choices, sizeof choices);
    for (size_t i = 0; o->words[i]; i++) {
        if (strcmp(o->words[i], value) == 0) return *index = i, true;
        if (i) sb_puts(&out, o->words[i + 1] ? ", " : " or ");
        sb_puts(&out, o->words[i]);
    }
    sb_out_finish(&out);
    return sb_fail(error, SB_INVALID, "--%s is %s, not `%.40s`", o->name, choices, value);
}

/* Where any number will do, the help says what 0 means. */
static bool read_number(const cli_option *o, const char *value, uint64_t *number, sb_error *error) {
    char range[64] = "";
    const bool fits = sb_parse_uint(value, number), is_digits = !value[strspn(value, "0123456789")];
    if (fits && *number >= o->least && (!o->most || *number <= o->most)) return true;
    const uint64_t most = o->most || fits || !is_digits ? o->most : UINT64_MAX;
    if (most)
        snprintf(range, sizeof range, " from %llu to %llu", (unsigned long long)o->least, (unsigned long long)most);
    else if (o->least)
        snprintf(range, sizeof range, " of at least %llu", (unsigned long long)o->least);
    return sb_fail(error, SB_INVALID, "--%s wants a whole number%s, not `%.40s`%s%s", o->name, range, value,
                   *range ? "" : ": ", *range ? "" : o->help);
}

static bool read_real(const cli_option *o, const char *value, double *number, sb_error *error) {
    char *end;
    *number = sb_read_double(value, &end);
    return (*value && !*end && isfinite(*number)) ||
           sb_fail(error, SB_INVALID, "--%s wants a number, not `%.40s`", o->name, value);
}

static bool add_path(const cli_option *o, const char *path, cli_paths *paths, sb_error *error) {
    if (paths->n == CLI_PATHS_MAX)
        return sb_fail(error, SB_INVALID, "--%s can be given %d times at most", o->name, CLI_PATHS_MAX);
    paths->items[paths->n++] = path;
    return true;
}

static bool read_value(const cli_option *o, const char *value, void *target, sb_error *error) {
    size_t index = 0;
    switch (o->kind) {
    case CLI_IS_NUMBER: return read_number(o, value, target, error);
    case CLI_IS_REAL: return read_real(o, value, target, error);
    case CLI_FILES: return add_path(o, value, target, error);
    case CLI_IS_SWITCH: return find_word(o, value, &index, error) && (*(bool *)target = index != 0, true);
    default:
        if (o->kind == CLI_WORD && !find_word(o, value, &index, error)) return false;
        return *(const char **)target = value, true;
    }
}

/* ---- The command line ---- */

enum { OPTIONS_MAX = 128 /* more than any command has */ };

typedef struct parsing {
    const cli_command *command;
    char *options; /* where the options' values go */
    int argc, at;
    char **argv;
    const char *values[OPTIONS_MAX]; /* by place of the option; NULL: not given */
} parsing;

static bool takes_list(cli_kind kind) {
    return kind == CLI_LIST || kind == CLI_TASKS || kind == CLI_CATEGORIES || kind == CLI_DIFFICULTIES ||
           kind == CLI_MODES || kind == CLI_FORMATS;
}

static bool refuse(const parsing *p, const cli_option *o, const char *verb, const char *object) {
    cli_warn("seedbed %s: --%s %s %s\n", p->command->name, o->name, verb, object);
    return false;
}

/* Lists and outputs that are given twice with two values are refused: who says them again means both. Of other options
 * the last one counts, as callers expect who add to a line of a script. */
static bool note_value(parsing *p, const cli_option *o, const char *value) {
    size_t place = 0;
    while (cli_option_at(p->command, place) != o) place++;
    const bool is_list = takes_list(o->kind);
    if (place >= OPTIONS_MAX || !(is_list || o->kind == CLI_OUTPUT)) return true;
    const char **noted = &p->values[place];
    if (!*noted || strcmp(*noted, value) == 0) return *noted = value, true;
    cli_warn("seedbed %s: --%s is given twice, with %s and with %s: say it once%s\n", p->command->name, o->name,
             CLI_PLAIN(*noted), CLI_PLAIN(value), is_list ? ", with commas between the items" : "");
    return false;
}

/* Takes the option at p->at, with its value from the same or from the next argument. */
static bool take_option(parsing *p) {
    sb_error error;
    const char *value;
    const cli_option *o = cli_find_option(p->command, p->argv[p->at], &value);
    if (!o) return refuse_option(p->command, p->argv[p->at]);
    if (!o->argument && value) return refuse(p, o, "takes", "no value");
    if (o->given) *(bool *)(p->options + o->given) = true;
    if (!o->argument) return *(bool *)(p->options + o->at) = true;
    if (!value && ++p->at < p->argc) value = p->argv[p->at];
    if (!value) return refuse(p, o, "wants", o->argument);
    if (!note_value(p, o, value)) return false;
    if (read_value(o, value, p->options + o->at, &error)) return true;
    cli_fail(&error);
    return false;
}

static bool is_option(const char *argument) { return argument[0] == '-' && argument[1]; }

static bool asks_for_help(const char *argument) {
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

static cli_parsing check_arguments(const cli_command *command, size_t n) {
    if (n >= command->arguments.least && n <= command->arguments.most) return CLI_PARSED;
    cli_usage(command, command->arguments.wanted ? command->arguments.wanted : "no arguments are expected");
    return CLI_REFUSED;
}

cli_parsing cli_parse(const cli_command *command, void *options, int argc, char **argv, size_t *n) {
    parsing p = {.command = command, .options = options, .argc = argc, .argv = argv};
    bool only_arguments = false;
    *n = 0;
    memset(options, 0, command->size);
    if (command->defaults) memcpy(options, command->defaults, command->size);
    for (; p.at < argc; p.at++) {
        char *argument = argv[p.at];
        if (only_arguments || !is_option(argument))
            argv[(*n)++] = argument;
        else if (strcmp(argument, "--") == 0)
            only_arguments = true;
        else if (asks_for_help(argument))
            return CLI_ASKED_FOR_HELP;
        else if (strcmp(argument, "--help-all") == 0)
            return CLI_ASKED_FOR_ALL;
        else if (!take_option(&p))
            return CLI_REFUSED;
    }
    return check_arguments(command, *n);
}

/* ---- Commands of several verbs ---- */

static size_t size_of(const cli_option *o) {
    switch (o->kind) {
    case CLI_IS_FLAG:
    case CLI_IS_SWITCH: return sizeof(bool);
    case CLI_IS_NUMBER: return sizeof(uint64_t);
    case CLI_IS_REAL: return sizeof(double);
    case CLI_FILES: return sizeof(cli_paths);
    default: return sizeof(char *);
    }
}

/* Whether the option has another value than it begins with. */
static bool is_given(const cli_command *command, const cli_option *o, const void *options) {
    static const char zeros[sizeof(cli_paths) + sizeof(uint64_t)] = {0};
    const char *usual = command->defaults ? (const char *)command->defaults + o->at : zeros;
    return memcmp((const char *)options + o->at, usual, size_of(o)) != 0;
}

static bool options_fit(const cli_command *command, const void *options, const char *verb) {
    const cli_option *option;
    for (size_t i = 0; (option = cli_option_at(command, i)); i++)
        for (const cli_belonging *of = command->belonging; of->option; of++) {
            char text[120];
            if (strcmp(of->option, option->name) != 0 || strstr(of->words, verb) || !is_given(command, option, options))
                continue;
            snprintf(text, sizeof text, "--%s is for %s, not for %s", option->name, of->words, verb);
            return cli_usage(command, text), false;
        }
    return true;
}

int cli_run_verb(const cli_command *self, void *options, const char *const *arguments, size_t n) {
    for (const cli_verb *verb = self->verbs; verb->word; verb++) {
        if (strcmp(arguments[0], verb->word) != 0) continue;
        if (n - 1 < verb->least || n - 1 > verb->most) return cli_usage(self, verb->wanted);
        return options_fit(self, options, verb->word) ? verb->run(self, options, arguments + 1, n - 1) : CLI_USAGE;
    }
    return cli_usage(self, self->arguments.wanted);
}

/* ---- Colour ---- */

/* No colours in files and pipes, on a terminal that has none, or if NO_COLOR is set (no-color.org). */
static bool shows_colors(void) {
    const char *terminal = getenv("TERM"), *no_color = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && !(terminal && strcmp(terminal, "dumb") == 0) && !(no_color && *no_color);
}

bool cli_wants_color(const cli_common *common) {
    const char *when = common->color ? common->color : "auto";
    return strcmp(when, "always") == 0 || (strcmp(when, "auto") == 0 && shows_colors());
}
