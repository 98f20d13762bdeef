/* Programs and plugins (seedbed/plugin.h) that play: what was asked of them, and what plugins need of the program that
 * loads them. */
#ifndef SB_CLI_PLUGIN_H
#define SB_CLI_PLUGIN_H

#include "agents/agent.h"

/* How programs play unless something else is asked for. */
#define CLI_PROGRAM_DEFAULTS                                                                                           \
    .start_seconds = SB_AGENT_START_SECONDS, .reply_seconds = SB_AGENT_REPLY_SECONDS, .now = cli_now
/* Whether any of CLI_PROGRAM_OPTIONS was given. */
bool cli_limits_programs(const sb_agent_options *options, uint64_t log_mib);

/* Whether the calls of a plugin bind to this program, which then also serves as the plugin's worker. They do not where
 * the command runs inside another program, such as Python. */
bool cli_has_plugins(void);

/* Sets signals as whoever talks to programs or clients needs them; cli_main gives the host its own back. */
void cli_expect_programs(void);

/* Serves as the worker of a plugin: the words are a file and a descriptor. Returns an exit code. Not in the table of
 * commands, because only this program itself starts it. */
int cli_serve_plugin(int n, char **words);

#endif
