#include "cli/manual.h"

#include <string.h>

#include "exporters/exporter.h"

/* ---- For the terminal ---- */

static const char *const groups[CLI_N_GROUPS] = {[CLI_TO_LOOK] = "look",
                                                 [CLI_TO_MAKE] = "make",
                                                 [CLI_TO_PROVE] = "prove",
                                                 [CLI_TO_MEASURE] = "measure",
                                                 [CLI_TO_CONNECT] = "connect"};

void cli_print_overview(FILE *to) {
    fputs("seedbed: hashed seeds become gridworld episodes, oracles solve them, exporters write datasets\n\n"
          "usage: seedbed COMMAND [ARGUMENTS]\n",
          to);
    for (size_t group = 0; group < CLI_N_GROUPS; group++) {
        fprintf(to, "\n%s:\n", groups[group]);
        for (const cli_command *const *command = cli_commands; *command; command++)
            if ((*command)->group == group) fprintf(to, "  %-12s %s\n", (*command)->name, (*command)->summary);
    }
    fputs("\n`seedbed COMMAND --help` explains a command. Try:\n"
          "  seedbed show KeyDoorPuzzle-v0/medium#42\n"
          "  seedbed solve KeyDoorPuzzle-v0/medium#42 --watch\n"
          "  seedbed build --split train --count 100 -o dataset\n\n"
          "exit codes: 0 fine, 1 a failure was found, 2 the call was wrong\n",
          to);
}

enum { LEFT = 26 /* columns of what is explained */ };

/* Prints what something is; where its name takes more than its columns, that begins a line of its own. */
static void print_row(const char *left, const char *right) {
    if (strlen(left) > LEFT)
        printf("  %s\n  %*s %s\n", left, LEFT, "", right);
    else
        printf("  %-*s %s\n", LEFT, left, right);
}

static void print_option(const cli_option *o) {
    char left[64];
    snprintf(left, sizeof left, "%c%c%s --%s%s%s", o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
             o->letter ? "," : " ", o->name, o->argument ? " " : "", o->argument ? o->argument : "");
    print_row(left, o->help);
}

static void print_formats(void) {
    puts("\nformats:");
    for (const sb_exporter *const *format = sb_exporters; *format; format++)
        print_row((*format)->name, (*format)->summary);
}

static size_t lines_in(const char *text) {
    size_t n = 1;
    for (; *text; text++) n += *text == '\n';
    return n;
}

/* How many lines all help of a command takes. */
static size_t lines_of(const cli_command *command) {
    enum { HEADS = 6 /* the usage, two headings, empty lines */, HELP = 2 /* two options that print help */ };
    size_t n = HEADS + HELP + lines_in(command->help);
    for (size_t i = 0; cli_option_at(command, i); i++) n++;
    for (const sb_exporter *const *format = sb_exporters; command->makes_formats && *format; format++) n++;
    return command->more ? n + lines_in(command->more) : n;
}

static void print_help(const cli_command *command, bool all) {
    size_t n_hidden = 0;
    const cli_option *o;
    printf("usage: seedbed %s %s\n\n%s\n\n", command->name, command->usage, command->help);
    if (all && command->more) printf("%s\n\n", command->more);
    if (command->n_options) puts("options:");
    for (size_t i = 0; (o = cli_option_at(command, i)); i++) {
        if (i == command->n_options) printf("%soptions of every command, where they apply:\n", i ? "\n" : "");
        if (all || !o->rare)
            print_option(o);
        else
            n_hidden++;
    }
    print_row("-h, --help", "this text");
    if (n_hidden) printf("      %-22s the same with %zu more options\n", "--help-all", n_hidden);
    if (command->makes_formats && all) print_formats();
}

void cli_print_help(const cli_command *command) {
    enum { SCREEN = 40 };
    print_help(command, lines_of(command) <= SCREEN);
}

void cli_print_all(const cli_command *command) { print_help(command, true); }

/* ---- Manual pages ---- */

/* Puts a line of text, with everything escaped that means something to roff. */
static void put_roff(const char *text, size_t n) {
    if (n && (text[0] == '.' || text[0] == '\'')) fputs("\\&", stdout);
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '\\')
            fputs("\\e", stdout);
        else if (text[i] == '-')
            fputs("\\-", stdout);
        else
            putchar(text[i]);
    }
}

/* Puts a help text as roff: paragraphs are filled; indented lines are kept as they are. */
static void print_paragraphs(const char *text) {
    bool kept = false;
    while (*text) {
        const size_t n = strcspn(text, "\n");
        const bool keeps = *text == ' ';
        if (keeps != kept) puts(keeps ? ".nf" : ".fi");
        kept = keeps;
        if (n == 0)
            fputs(".PP", stdout);
        else
            put_roff(text, n);
        putchar('\n');
        text += n + (text[n] == '\n');
    }
    if (kept) puts(".fi");
}

static void print_title(const char *suffix, const char *summary) {
    printf(".TH SEEDBED%s 1 \"\" \"seedbed " SB_VERSION "\" \"Seedbed\"\n.SH NAME\nseedbed%s \\- ", suffix, suffix);
    put_roff(summary, strlen(summary));
    puts("\n.SH SYNOPSIS\n.nf");
}

static void print_exit_codes(void) {
    puts(".SH EXIT STATUS\n.TP\n.B 0\nfine\n.TP\n.B 1\na failure was found\n.TP\n.B 2\nthe call was wrong");
}

static void print_man_formats(void) {
    puts(".SH FORMATS");
    for (const sb_exporter *const *format = sb_exporters; *format; format++) {
        printf(".TP\n.B %s\n", (*format)->name);
        put_roff((*format)->summary, strlen((*format)->summary));
        putchar('\n');
    }
}

static void print_man_option(const cli_option *o) {
    fputs(".TP\n.B ", stdout);
    if (o->letter) printf("\\-%c, ", o->letter);
    fputs("\\-\\-", stdout);
    put_roff(o->name, strlen(o->name));
    printf(" %s\n", o->argument ? o->argument : "");
    put_roff(o->help, strlen(o->help));
    putchar('\n');
}

void cli_print_man(const cli_command *command) {
    char suffix[32];
    const cli_option *option;
    snprintf(suffix, sizeof suffix, "-%s", command->name);
    print_title(suffix, command->summary);
    printf("seedbed %s ", command->name);
    put_roff(command->usage, strlen(command->usage));
    puts("\n.fi\n.SH DESCRIPTION");
    print_paragraphs(command->help);
    if (command->more) puts(".PP"), print_paragraphs(command->more);
    puts(".SH OPTIONS");
    for (size_t i = 0; (option = cli_option_at(command, i)); i++) print_man_option(option);
    if (command->makes_formats) print_man_formats();
    print_exit_codes();
    puts(".SH SEE ALSO\n.BR seedbed (1)");
}

static void print_man_command(const cli_command *command) {
    printf(".TP\n.BR seedbed\\-%s (1)\n", command->name);
    put_roff(command->summary, strlen(command->summary));
    putchar('\n');
}

void cli_print_man_overview(void) {
    print_title("", "hashed seeds become gridworld episodes, oracles solve them, exporters write datasets");
    puts("seedbed COMMAND [ARGUMENTS]\nseedbed help [COMMAND]\n.fi\n.SH COMMANDS");
    for (size_t group = 0; group < CLI_N_GROUPS; group++) {
        printf(".SS %s\n", groups[group]);
        for (const cli_command *const *command = cli_commands; *command; command++)
            if ((*command)->group == group) print_man_command(*command);
    }
    print_exit_codes();
}
