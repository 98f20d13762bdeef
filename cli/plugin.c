#include "cli/plugin.h"

#include <signal.h>
#include <stdint.h>

#include "cli/command.h"

bool cli_limits_programs(const sb_agent_options *options, uint64_t log_mib) {
    return options->steps || options->fresh || options->log || options->salt || log_mib != CLI_LOG_MIB ||
           options->start_seconds != SB_AGENT_START_SECONDS || options->reply_seconds != SB_AGENT_REPLY_SECONDS;
}

#ifdef SB_HAS_PLUGINS
#include <dlfcn.h>

bool cli_has_plugins(void) {
    void *program = dlopen(NULL, RTLD_LAZY);
    void *found = program ? dlsym(program, "sb_step") : NULL;
    if (program) dlclose(program);
    return found && (uintptr_t)found == (uintptr_t)sb_step;
}
#else
bool cli_has_plugins(void) { return false; }
#endif

void cli_expect_programs(void) {
    signal(SIGPIPE, SIG_IGN); /* a program may stop reading at any time, and a client may leave */
    signal(SIGCHLD, SIG_DFL); /* else, if we inherited that it is ignored, we could not learn how programs end */
}

int cli_serve_plugin(int n, char **words) {
    sb_error error;
    if (n != 2) {
        cli_warn("seedbed: `" SB_PLUGIN_WORKER "` is how the command starts itself for --agent plugin:FILE\n");
        return CLI_USAGE;
    }
    return sb_plugin_serve(words[0], words[1], &error) ? CLI_OK : CLI_FOUND;
}
