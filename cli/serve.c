/* seedbed serve: episodes for programs in other languages. */
#include <signal.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/cli.h"
#include "server/serve.h"

enum { CLIENTS_MAX = 1000, MEMORY_MAX_MIB = 1 << 20, TIMEOUT_MAX = 1000000 };

typedef struct serving {
    bool stdio;
    const char *socket;
    uint64_t envs, clients, memory_mib, timeout;
} serving;

static bool in_range(const char *option, uint64_t value, uint64_t least, uint64_t most, sb_error *error) {
    return (value >= least && value <= most) ||
           sb_fail(error, SB_INVALID, "--%s is %llu to %llu, not %llu", option, (unsigned long long)least,
                   (unsigned long long)most, (unsigned long long)value);
}

static bool are_limits(const serving *what, sb_error *error) {
    return in_range("envs", what->envs, 1, SB_SESSION_ENVS_MAX, error) &&
           in_range("clients", what->clients, 1, CLIENTS_MAX, error) &&
           in_range("memory", what->memory_mib, 0, MEMORY_MAX_MIB, error) &&
           in_range("timeout", what->timeout, 0, TIMEOUT_MAX, error);
}

static bool serve_stdio(const serving *what, const cli_common *common, sb_error *error) {
    const sb_limits limits = {.envs = what->envs};
    if (!common->quiet && isatty(STDIN_FILENO))
        cli_warn("one request a line, such as {\"op\": \"hello\"}; Ctrl-D ends\n");
    return sb_serve(common->catalogue, STDIN_FILENO, STDOUT_FILENO, &limits, error);
}

static bool serve_socket(const serving *what, const cli_common *common, sb_error *error) {
    const sb_limits limits = {.envs = what->envs,
                              .clients = what->clients,
                              .memory = (size_t)what->memory_mib << 20,
                              .timeout = what->timeout,
                              .now = cli_now};
    if (!common->quiet && isatty(STDERR_FILENO)) cli_warn("serving on %s; Ctrl-C ends\n", CLI_PLAIN(what->socket));
    return sb_serve_socket(common->catalogue, what->socket, &limits, error);
}

static int run(const cli_command *self, int argc, char **argv) {
    cli_common common = {0};
    serving what = {.envs = SB_SESSION_ENVS, .clients = 16, .memory_mib = 1024, .timeout = 600};
    const cli_option options[] = {
        {.name = "stdio", .help = "requests on standard input, replies on standard output", .flag = &what.stdio},
        {.name = "socket", .argument = "PATH", .help = "listen on a Unix socket", .text = &what.socket},
        {.name = "envs", .argument = "N", .help = "environments of a client (default 64)", .number = &what.envs},
        {.name = "clients",
         .argument = "N",
         .help = "clients of the socket at a time (default 16)",
         .number = &what.clients},
        {.name = "memory",
         .argument = "MIB",
         .help = "address space of a client of the socket (default 1024; 0: no limit)",
         .number = &what.memory_mib},
        {.name = "timeout",
         .argument = "S",
         .help = "seconds for a client of the socket to send a request or take replies (default 600; 0: any)",
         .number = &what.timeout},
        CLI_COMMON_OPTIONS(common)};
    int status;
    const int n = CLI_PARSE(self, options, argc, argv, &status);
    if (n < 0) return status;
    if (n) return cli_usage(self, "no arguments are expected: requests name the episodes");
    if (what.stdio == (what.socket != NULL)) return cli_usage(self, "say where to serve: --stdio or --socket PATH");
    sb_error error;
    if (!are_limits(&what, &error)) return cli_fail(&error);
    signal(SIGPIPE, SIG_IGN); /* a client that leaves is no accident */
    signal(SIGCHLD, SIG_DFL); /* and its process is waited for, whatever we inherited */
    return (what.stdio ? serve_stdio : serve_socket)(&what, &common, &error) ? CLI_OK : cli_fail(&error);
}

const cli_command cli_serve = {
    .name = "serve",
    .summary = "serve episodes to programs in other languages, a JSON line at a time",
    .usage = "--stdio | --socket PATH [--envs N] [--clients N] [--memory MIB] [--timeout S]",
    .help =
        "Reads one JSON object a line and answers each with one: reset starts an episode, step plays it, hint asks\n"
        "an oracle; start and steps play many episodes at once. docs/protocol.md has all of it, examples/client.py a\n"
        "client in Python.\n\n"
        "  echo '{\"op\": \"reset\", \"name\": \"GoToGoal-v0/easy#0\"}' | seedbed serve --stdio\n"
        "  seedbed serve --socket /run/user/1000/seedbed\n\n"
        "With --stdio it ends with its input. On a socket, which only this user may connect to, every client has a\n"
        "process of its own; it ends, and removes the socket, on SIGINT, SIGTERM or SIGHUP.",
    .run = run,
};
