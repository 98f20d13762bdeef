#include "cli/cli.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "agents/plugin.h"
#include "base/error.h"
#include "base/file.h"
#include "base/signals.h"
#include "base/system.h"
#include "cli/choosing.h"
#include "cli/command.h"
#include "cli/manual.h"
#include "cli/names.h"
#include "cli/paths.h"
#include "cli/plugin.h"
#include "cli/programs.h"
#include "cli/shipped.h"
#include "seeds/pack.h"

/* ---- seedbed help ---- */

static int print_script(const char *shell) {
    if (strcmp(shell, "bash") == 0)
        fwrite(sb_shipped_completion_bash, 1, sb_shipped_completion_bash_size, stdout);
    else if (strcmp(shell, "zsh") == 0)
        fwrite(sb_shipped_completion_zsh, 1, sb_shipped_completion_zsh_size, stdout);
    else
        return CLI_USAGE;
    return CLI_OK;
}

static int print_commands(void) {
    for (const cli_command *const *command = cli_commands; *command; command++) puts((*command)->name);
    return CLI_OK;
}

static int print_page(const char *name, void (*print)(const cli_command *command)) {
    const cli_command *command = cli_find_command(name);
    if (!command) return cli_refuse_command(name);
    print(command);
    return CLI_OK;
}

/* Prints help in a form such as --man. `object` is the word behind the form, "" if there is none. */
static int help_in_form(const char *form, const char *object) {
    if (strcmp(form, "--commands") == 0 && !*object) return print_commands();
    if (strcmp(form, "--man") == 0 && !*object) return cli_print_man_overview(), CLI_OK;
    if (strcmp(form, "--man") == 0) return print_page(object, cli_print_man);
    if (strcmp(form, "--completion") == 0 && print_script(object) == CLI_OK) return CLI_OK;
    fputs("seedbed help: known forms are `help [COMMAND]`, `help --man [COMMAND]`, `help --commands`, and\n"
          "`help --completion bash` or `zsh`; see `seedbed --help`\n",
          stderr);
    return CLI_USAGE;
}

static int help(int n, char **words) {
    if (n == 0 || (n == 1 && strcmp(words[0], "help") == 0)) return cli_print_overview(stdout), CLI_OK;
    if (strcmp(words[0], "--complete") == 0) return cli_complete(n - 1, words + 1), CLI_OK;
    if (n == 1 && words[0][0] != '-') return print_page(words[0], cli_print_help);
    if (n == 1) return help_in_form(words[0], "");
    return help_in_form(n == 2 ? words[0] : "", words[1]);
}

/* ---- Commands ---- */

/* Runs the command with the names in a file behind the words of the command line. */
static int run_with_names(const cli_command *command, void *options, const char *path, char **words, size_t n) {
    sb_error error;
    cli_names names;
    const bool ok = cli_names_read(&names, path, words, n, &error);
    const int status = ok ? command->run(command, options, names.words, names.n) : cli_fail(&error);
    cli_names_free(&names);
    return status;
}

/* Whether the only argument of a command that takes names is a file of seeds or challenges. */
static bool is_pack(const cli_command *command, char **words, size_t n) {
    sb_pack pack = {0};
    sb_error ignored;
    if (command->arguments.kind != CLI_EPISODE || n != 1 || !sb_file_exists(words[0])) return false;
    const bool is = cli_is_challenges(words[0]) || sb_pack_read_file(&pack, words[0], &ignored);
    sb_pack_clear(&pack);
    return is;
}

static int refuse_pack(const cli_command *command, const char *path) {
    sb_error error;
    const char *value;
    if (cli_find_option(command, "--pack", &value))
        sb_fail(&error, SB_INVALID, "%s is a pack: give it as --pack %s", sb_path_end(path), sb_path_end(path));
    else
        sb_fail(&error, SB_INVALID,
                "%s is a pack, of which `seedbed eval --pack` plays all episodes; `seedbed %s` takes names",
                sb_path_end(path), command->name);
    return cli_usage(command, error.text);
}

static int run_with_arguments(const cli_command *command, void *options, char **words, size_t n) {
    const cli_common *common = options;
    return common->names_from ? run_with_names(command, options, common->names_from, words, n)
                              : command->run(command, options, (const char *const *)words, n);
}

/* Whether the command is to play a pack of challenges. */
static bool plays_challenges(const cli_common *common) { return common->pack && cli_is_challenges(common->pack); }

/* Adds the pack to the catalogue, and runs the command with the names in it. */
static int run_with_challenges(const cli_command *command, void *options, sb_catalogue *catalogue, char **words,
                               size_t n) {
    sb_error error;
    cli_common *common = options;
    cli_names names = {.text = sb_out_growing()};
    const char *pack = common->pack;
    common->pack = NULL;
    bool ok = (n == 0 && !common->names_from) ||
              sb_fail(&error, SB_INVALID, "give either --pack or a selection by names, tasks and seeds");
    ok = ok && cli_catalogue_add_pack(catalogue, pack, &names.text, &error) &&
         cli_names_split(&names, pack, words, 0, &error);
    const int status = ok ? command->run(command, options, names.words, names.n) : cli_fail(&error);
    cli_names_free(&names);
    return status;
}

/* Lends the command a catalogue of the programs and challenges that were given. */
static int run_with_catalogue(const cli_command *command, void *options, char **words, size_t n) {
    sb_error error;
    cli_common *common = options;
    const bool plays = plays_challenges(common);
    if (is_pack(command, words, n)) return refuse_pack(command, words[0]);
    const bool has_paths = cli_has_paths(command, options, words, n);
    cli_texts renamed = {0};
    cli_choosing choosing = {0};
    sb_catalogue *catalogue = cli_catalogue_load(common, &error);
    bool ok = catalogue != NULL;
    if (ok && has_paths) ok = cli_resolve_paths(&renamed, catalogue, command, options, words, n, &error);
    ok = ok && cli_catalogue_add_packs(catalogue, common, &error) &&
         cli_choosing_begin(&choosing, common, catalogue, &error);
    common->catalogue = catalogue;
    const int status = !ok     ? cli_fail(&error)
                       : plays ? run_with_challenges(command, options, catalogue, words, n)
                               : run_with_arguments(command, options, words, n);
    sb_catalogue_free(catalogue);
    cli_choosing_end(&choosing);
    cli_texts_free(&renamed);
    return status;
}

static int parse_and_run(const cli_command *command, void *options, int argc, char **argv) {
    size_t n;
    switch (cli_parse(command, options, argc, argv, &n)) {
    case CLI_PARSED: {
        const int status = cli_check_outputs(command, options, argv, n);
        return status == CLI_OK ? run_with_catalogue(command, options, argv, n) : status;
    }
    case CLI_ASKED_FOR_HELP: return cli_print_help(command), CLI_OK;
    case CLI_ASKED_FOR_ALL: return cli_print_all(command), CLI_OK;
    default: return CLI_USAGE;
    }
}

static int run_command(const cli_command *command, int argc, char **argv) {
    sb_error error;
    void *options = malloc(command->size);
    if (!options) return sb_fail(&error, SB_MEMORY, "out of memory for the options"), cli_fail(&error);
    const int status = parse_and_run(command, options, argc, argv);
    free(options);
    return status;
}

static int run(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return help(0, NULL);
    if (strcmp(name, "help") == 0) return help(argc - 2, argv + 2);
    if (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0) return puts("seedbed " SB_VERSION), CLI_OK;
    if (strcmp(name, SB_PLUGIN_WORKER) == 0) return cli_serve_plugin(argc - 2, argv + 2);
    if (!*name) return cli_print_overview(stderr), CLI_USAGE;
    const cli_command *command = cli_find_command(name);
    return command ? run_command(command, argc - 2, argv + 2) : cli_refuse_command(name);
}

/* What a command printed may still be in a buffer while the disk is full: only a flush shows that. What could not be
 * written is dropped, or the next call would print it. */
static bool flush_output(sb_error *error) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return true;
    sb_fail_errno(error, "cannot write to standard output");
    sb_drop_output(stdout);
    clearerr(stdout);
    return false;
}

int cli_main(int argc, char **argv) {
    sb_error error;
    sb_dispositions host;
    sb_dispositions_keep(&host);
    signal(SIGXFSZ, SIG_IGN); /* so that a write beyond the file size limit fails like one on a full disk */
    int status = run(argc, argv);
    if (!flush_output(&error) && status < CLI_SIGNAL) status = cli_fail(&error);
    sb_dispositions_restore(&host);
    return status;
}
