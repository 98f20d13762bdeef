/* Reading the command line, and guessing what a mistyped word was meant to be. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "cli/manual.h"

const char *const cli_color_words[] = {"auto", "always", "never", NULL};

/* ---- What was meant ---- */

enum { LONGEST_WORD = 24 };

static size_t least(size_t a, size_t b, size_t c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }

/* How many letters have to be put in, left out, changed, or exchanged with the next one. */
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

bool cli_is_closer(const char *typed, const char *word, cli_guess *guess) {
    enum { FURTHEST = 2 };
    const size_t away = distance(typed, word);
    if (away > FURTHEST || away >= strlen(typed) || (guess->word && away >= guess->away)) return false;
    *guess = (cli_guess){word, away};
    return true;
}

/* ---- Options ---- */

const cli_option *cli_find_option(const cli_option *options, size_t n, const char *argument, const char **value) {
    *value = NULL;
    for (size_t i = 0; i < n; i++) {
        const cli_option *o = &options[i];
        const size_t length = strlen(o->name);
        if (o->letter && argument[1] == o->letter) {
            if (!argument[2]) return o;
            if (!o->flag) return *value = argument + 2, o; /* -j4 */
        }
        if (argument[1] != '-' || strncmp(argument + 2, o->name, length) != 0) continue;
        if (argument[2 + length] == '=') return *value = argument + 3 + length, o;
        if (!argument[2 + length]) return o;
    }
    return NULL;
}

static int refuse_option(const cli_command *self, const cli_option *options, size_t n, const char *argument) {
    cli_guess guess = {0};
    char typed[LONGEST_WORD];
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(argument, "="), argument);
    cli_is_closer(typed + strspn(typed, "-"), "help", &guess);
    for (size_t i = 0; i < n; i++) cli_is_closer(typed + strspn(typed, "-"), options[i].name, &guess);
    cli_warn("seedbed %s: there is no option %s", self->name, CLI_PLAIN(argument));
    if (guess.word) cli_warn(": did you mean --%s?", guess.word);
    cli_warn("%s `seedbed %s --help` lists them\n", guess.word ? "" : ";", self->name);
    return -1;
}

static bool is_one_of(const char *const *words, const char *value) {
    for (; *words; words++)
        if (strcmp(*words, value) == 0) return true;
    return false;
}

static bool refuse_word(const cli_option *o, const char *value, sb_error *error) {
    char choices[80];
    sb_out out = sb_out_fixed(choices, sizeof choices);
    for (const char *const *word = o->words; *word; word++) {
        if (word > o->words) sb_puts(&out, word[1] ? ", " : " or ");
        sb_puts(&out, *word);
    }
    sb_out_finish(&out);
    return sb_fail(error, SB_INVALID, "--%s is %s, not `%.40s`", o->name, choices, value);
}

static bool set_option(const cli_option *o, const char *value, sb_error *error) {
    if (o->flag) return *o->flag = true;
    if (o->words && !is_one_of(o->words, value)) return refuse_word(o, value, error);
    if (o->text) return *o->text = value, true;
    return sb_parse_uint(value, o->number) ||
           sb_fail(error, SB_INVALID, "--%s wants a whole number, not `%.40s`", o->name, value);
}

/* Arguments that were read, and the place to which the next one goes that is no option. */
typedef struct reading {
    const cli_command *self;
    int at, argc, kept;
    char **argv;
} reading;

/* Takes the option at `at`, and its value from there or from the next argument; returns the exit code. */
static int take_option(reading *r, const cli_option *o, const char *value) {
    sb_error error;
    if (o->flag && value) {
        cli_warn("seedbed %s: --%s takes no value\n", r->self->name, o->name);
        return CLI_USAGE;
    }
    if (!o->flag && !value && !(value = ++r->at < r->argc ? r->argv[r->at] : NULL)) {
        cli_warn("seedbed %s: --%s wants %s\n", r->self->name, o->name, o->argument);
        return CLI_USAGE;
    }
    return set_option(o, value, &error) ? CLI_OK : cli_fail(&error);
}

int cli_parse(const cli_command *self, const cli_option *options, size_t n, int argc, char **argv, int *status) {
    reading r = {.self = self, .argc = argc, .argv = argv};
    bool only_arguments = false;
    for (; r.at < argc; r.at++) {
        const char *argument = argv[r.at], *value;
        if (only_arguments || argument[0] != '-' || !argument[1]) {
            argv[r.kept++] = argv[r.at];
            continue;
        }
        if (strcmp(argument, "--") == 0) {
            only_arguments = true;
            continue;
        }
        const cli_manual *manual = cli_manual_asked(argument);
        if (manual) {
            const cli_asked asked = {self, options, n, argv + r.at + 1, argc - r.at - 1};
            return cli_print_manual(manual, &asked), *status = CLI_OK, -1;
        }
        const cli_option *o = cli_find_option(options, n, argument, &value);
        *status = CLI_USAGE;
        if (!o) return refuse_option(self, options, n, argument);
        if ((*status = take_option(&r, o, value)) != CLI_OK) return -1;
    }
    *status = CLI_OK;
    return r.kept;
}

/* As people expect: not into files and pipes, not on a terminal that knows no colours, and see no-color.org. */
static bool shows_colors(void) {
    const char *terminal = getenv("TERM"), *no_color = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && !(terminal && strcmp(terminal, "dumb") == 0) && !(no_color && *no_color);
}

bool cli_wants_color(const cli_common *common) {
    const char *when = common->color ? common->color : cli_color_words[0];
    return strcmp(when, "always") == 0 || (strcmp(when, "auto") == 0 && shows_colors());
}
