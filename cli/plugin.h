/* Plugins (seedbed/plugin.h): what they need of the program that loads them. */
#ifndef SB_CLI_PLUGIN_H
#define SB_CLI_PLUGIN_H

#include <stdbool.h>

/* Whether the calls of a plugin bind to this program, which then also serves as the plugin's worker. They do not where
 * the command runs inside another program, such as Python. */
bool cli_has_plugins(void);

/* Serves as the worker of a plugin: the words are a file and a descriptor. Returns an exit code. Not in the table of
 * commands, because only this program itself starts it. */
int cli_serve_plugin(int n, char **words);

#endif
