/* seedbed serve: episodes for programs in other languages. */
#include <signal.h>
#include <unistd.h>

#include "cli/cli.h"
#include "evaluation/serve.h"

static int run(const cli_command *self, int argc, char **argv) {
    cli_common common = {0};
    bool stdio = false;
    const cli_option options[] = {
        {.name = "stdio", .help = "requests on standard input, replies on standard output", .flag = &stdio},
        CLI_COMMON_OPTIONS(common)};
    int status;
    const int n = CLI_PARSE(self, options, argc, argv, &status);
    if (n < 0) return status;
    if (n) return cli_usage(self, "no arguments are expected: requests name the episodes");
    if (!stdio) return cli_usage(self, "say where to serve: --stdio");
    if (!common.quiet && isatty(STDIN_FILENO))
        fputs("one request a line, such as {\"op\": \"hello\"}; Ctrl-D ends\n", stderr);
    sb_error error;
    signal(SIGPIPE, SIG_IGN); /* a client that leaves is no accident */
    return sb_serve(STDIN_FILENO, STDOUT_FILENO, &error) ? CLI_OK : cli_fail(&error);
}

const cli_command cli_serve = {
    .name = "serve",
    .summary = "serve episodes to programs in other languages, a JSON line at a time",
    .usage = "--stdio",
    .help =
        "Reads one JSON object a line and answers each with one: reset starts an episode, step plays it, hint asks\n"
        "an oracle. docs/protocol.md has all of it, examples/client.py a client in Python.\n\n"
        "  echo '{\"op\": \"reset\", \"name\": \"GoToGoal-v0/easy#0\"}' | seedbed serve --stdio\n\n"
        "Ends with its input.",
    .run = run,
};
