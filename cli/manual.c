#include "cli/manual.h"

#include <string.h>

#include "cli/complete.h"
#include "cli/shipped.h"
#include "exporters/exporter.h"

struct cli_manual {
    const char *argument;
    void (*print)(const cli_asked *asked);
};

/* ---- For the terminal ---- */

void cli_print_overview(FILE *to) {
    fputs("seedbed: hashed seeds become gridworld episodes, oracles solve them, exporters write datasets\n\n"
          "usage: seedbed COMMAND [ARGUMENTS]\n\ncommands:\n",
          to);
    for (const cli_command *const *command = cli_commands; *command; command++)
        fprintf(to, "  %-8s %s\n", (*command)->name, (*command)->summary);
    fputs("\n`seedbed COMMAND --help` teaches each of them. Try:\n"
          "  seedbed show KeyDoorPuzzle-v0/medium#42\n"
          "  seedbed solve KeyDoorPuzzle-v0/medium#42 --watch\n"
          "  seedbed build --split train --count 100 -o dataset\n\n"
          "exit codes: 0 fine, 1 a failure was found, 2 the call was wrong\n",
          to);
}

static void print_option(const cli_option *o) {
    char left[64];
    snprintf(left, sizeof left, "%c%c%s --%s %s", o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
             o->letter ? "," : " ", o->name, o->argument ? o->argument : "");
    printf("  %-26s %s\n", left, o->help);
}

static void print_help(const cli_asked *asked) {
    const cli_command *self = asked->self;
    const cli_option *options = asked->options;
    printf("usage: seedbed %s %s\n\n%s\n\n%s", self->name, self->usage, self->help,
           options[0].common ? "" : "options:\n");
    for (size_t i = 0; i < asked->n; i++)
        if (!options[i].common) print_option(&options[i]);
    printf("%soptions of every command, for what it has of that kind:\n", options[0].common ? "" : "\n");
    for (size_t i = 0; i < asked->n; i++)
        if (options[i].common) print_option(&options[i]);
    printf("  %-26s %s\n", "-h, --help", "this text");
    if (!self->makes_formats) return;
    puts("\nformats:");
    for (const sb_exporter *const *format = sb_exporters; *format; format++)
        printf("  %-26s %s\n", (*format)->name, (*format)->summary);
}

/* ---- Manual pages ---- */

/* A line of text: no character of it means anything to roff. */
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

/* Paragraphs are filled, indented lines stay as they are. */
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

static void print_man(const cli_asked *asked) {
    const cli_command *self = asked->self;
    char suffix[32];
    snprintf(suffix, sizeof suffix, "-%s", self->name);
    print_title(suffix, self->summary);
    printf("seedbed %s ", self->name);
    put_roff(self->usage, strlen(self->usage));
    puts("\n.fi\n.SH DESCRIPTION");
    print_paragraphs(self->help);
    puts(".SH OPTIONS");
    for (size_t i = 0; i < asked->n; i++) {
        const cli_option *o = &asked->options[i];
        fputs(".TP\n.B ", stdout);
        if (o->letter) printf("\\-%c, ", o->letter);
        fputs("\\-\\-", stdout);
        put_roff(o->name, strlen(o->name));
        printf(" %s\n", o->argument ? o->argument : "");
        put_roff(o->help, strlen(o->help));
        putchar('\n');
    }
    if (self->makes_formats) print_man_formats();
    print_exit_codes();
    puts(".SH SEE ALSO\n.BR seedbed (1)");
}

static void print_man_overview(void) {
    print_title("", "hashed seeds become gridworld episodes, oracles solve them, exporters write datasets");
    puts("seedbed COMMAND [ARGUMENTS]\nseedbed help [COMMAND]\n.fi\n.SH COMMANDS");
    for (const cli_command *const *command = cli_commands; *command; command++) {
        printf(".TP\n.BR seedbed\\-%s (1)\n", (*command)->name);
        put_roff((*command)->summary, strlen((*command)->summary));
        putchar('\n');
    }
    print_exit_codes();
}

/* ---- How it is asked ---- */

static const cli_manual manuals[] = {
    {"--help", print_help}, {"-h", print_help}, {"--help=man", print_man}, {"--help=complete", cli_complete_options}};

const cli_manual *cli_manual_asked(const char *argument) {
    for (size_t i = 0; i < sizeof manuals / sizeof *manuals; i++)
        if (strcmp(manuals[i].argument, argument) == 0) return &manuals[i];
    return NULL;
}

void cli_print_manual(const cli_manual *manual, const cli_asked *asked) { manual->print(asked); }

/* ---- seedbed help ---- */

static void print_commands(void) {
    for (const cli_command *const *command = cli_commands; *command; command++) puts((*command)->name);
}

static int ask_by_name(const char *name, const char *how) {
    const cli_command *command = cli_find_command(name);
    char argument[16], *arguments[] = {argument, NULL};
    snprintf(argument, sizeof argument, "%s", how);
    return command ? command->run(command, 1, arguments) : cli_refuse_command(name);
}

static int print_shipped(const unsigned char *script, size_t n) {
    fwrite(script, 1, n, stdout);
    return CLI_OK;
}

/* `what` is "" if nothing was said. */
static int help_in_form(const char *form, const char *what) {
    const bool alone = !*what, man = strcmp(form, "--man") == 0, completion = strcmp(form, "--completion") == 0;
    if (strcmp(form, "--commands") == 0 && alone) return print_commands(), CLI_OK;
    if (man && alone) return print_man_overview(), CLI_OK;
    if (man) return ask_by_name(what, "--help=man");
    if (completion && strcmp(what, "bash") == 0)
        return print_shipped(sb_shipped_completion_bash, sb_shipped_completion_bash_size);
    if (completion && strcmp(what, "zsh") == 0)
        return print_shipped(sb_shipped_completion_zsh, sb_shipped_completion_zsh_size);
    fputs("seedbed help: there is `help [COMMAND]`, `help --man [COMMAND]`, `help --commands`, and\n"
          "`help --completion bash` or `zsh`; see `seedbed --help`\n",
          stderr);
    return CLI_USAGE;
}

int cli_help(int argc, char **argv) {
    if (argc == 0 || (argc == 1 && strcmp(argv[0], "help") == 0)) return cli_print_overview(stdout), CLI_OK;
    if (strcmp(argv[0], "--complete") == 0) return cli_complete(argc - 1, argv + 1);
    if (argc == 1 && argv[0][0] != '-') return ask_by_name(argv[0], "--help");
    if (argc == 1) return help_in_form(argv[0], "");
    return help_in_form(argc == 2 ? argv[0] : "", argv[1]);
}
