/* seedbed serve: serves episodes to programs in other languages. */
#include <unistd.h>

#include "agents/server/serve.h"
#include "base/error.h"
#include "cli/command.h"
#include "cli/plugin.h"

enum { CLIENTS_MAX = 1000, MEMORY_MAX_MIB = 1 << 20, TIMEOUT_MAX = 1000000 };

typedef struct serve_options {
    cli_common common;
    bool stdio;
    const char *socket;
    uint64_t envs, clients, memory_mib, timeout;
} serve_options;

static const cli_option options[] = {
    {"stdio", 0, NULL, "requests on standard input, replies on standard output", CLI_FLAG(serve_options, stdio)},
    {"socket", 0, "PATH", "listen on a Unix socket", CLI_TEXT(serve_options, socket, CLI_FILE)},
    {"envs", 0, "N", "environments per client (default 64)", CLI_NUMBER(serve_options, envs),
     CLI_RANGE(1, SB_SESSION_ENVS_MAX)},
    {"clients", 0, "N", "clients of the socket at the same time (default 16)", CLI_NUMBER(serve_options, clients),
     CLI_RANGE(1, CLIENTS_MAX)},
    {"memory", 0, "MIB", "address space for each client of the socket (default 1024; 0: no limit)",
     CLI_NUMBER(serve_options, memory_mib), CLI_RANGE(0, MEMORY_MAX_MIB)},
    {"timeout", 0, "S", "seconds for a client to send a request or take replies (default 600; 0: no limit)",
     CLI_NUMBER(serve_options, timeout), CLI_RANGE(0, TIMEOUT_MAX)}};

static bool serve_stdio(const serve_options *o, sb_error *error) {
    const sb_limits limits = {.envs = o->envs};
    if (!o->common.quiet && isatty(STDIN_FILENO))
        cli_warn("send one request per line, such as {\"op\": \"hello\"}; Ctrl-D ends\n");
    return sb_serve(o->common.catalogue, STDIN_FILENO, STDOUT_FILENO, &limits, error);
}

static bool serve_socket(const serve_options *o, sb_error *error) {
    const sb_limits limits = {.envs = o->envs,
                              .clients = o->clients,
                              .memory = (size_t)o->memory_mib << 20,
                              .timeout = o->timeout,
                              .now = cli_now};
    if (!o->common.quiet && isatty(STDERR_FILENO)) cli_warn("serving on %s; Ctrl-C ends\n", CLI_PLAIN(o->socket));
    return sb_serve_socket(o->common.catalogue, o->socket, &limits, error);
}

static int run(const cli_command *self, void *given, const char *const *arguments, size_t n) {
    (void)arguments, (void)n;
    const serve_options *o = given;
    if (o->stdio == (o->socket != NULL)) return cli_usage(self, "say where to serve: --stdio or --socket PATH");
    sb_error error;
    cli_expect_programs();
    return (o->stdio ? serve_stdio : serve_socket)(o, &error) ? CLI_OK : cli_fail(&error);
}

const cli_command cli_serve = {
    .name = "serve",
    .group = CLI_TO_CONNECT,
    .summary = "serve episodes to programs in other languages, a JSON line at a time",
    .usage = "--stdio | --socket PATH [--envs N] [--clients N] [--memory MIB] [--timeout S]",
    .help =
        "Reads one JSON object per line and answers each with one: reset starts an episode, step plays it, hint asks\n"
        "an oracle; start and steps play many episodes at once. docs/agents.md describes the protocol, and\n"
        "examples/client.py is a client in Python.\n\n"
        "  echo '{\"op\": \"reset\", \"name\": \"GoToGoal-v0/easy#0\"}' | seedbed serve --stdio\n"
        "  seedbed serve --socket /run/user/1000/seedbed\n\n"
        "With --stdio it ends with its input. On a socket, which only this user may connect to, every client has a\n"
        "process of its own; it ends, and removes the socket, on SIGINT, SIGTERM or SIGHUP.",
    CLI_OPTIONS(serve_options, options),
    .defaults = &(const serve_options){.envs = SB_SESSION_ENVS, .clients = 16, .memory_mib = 1024, .timeout = 600},
    CLI_ARGUMENTS(CLI_NOTHING, 0, 0, "no arguments are expected: requests name the episodes"),
    .run = run,
};
