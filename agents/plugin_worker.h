/* A process that plays with a plugin (seedbed/plugin.h). The command starts itself again for it (agents/plugin.h), so a
 * plugin's crash, endless loop or leak stays in this process.
 *
 *     seedbed plugin-worker FILE DESCRIPTOR
 *
 * DESCRIPTOR is the memory that holds sb_moves. Each line is a JSON object and is answered by one:
 *
 *     > {}
 *     < {"name": "mybot", "sees": "observations"}    or {"error": "..."}, if there is no such plugin
 *     > {"episode": "GoToGoal-v0/easy#1", "random": 1226061530, "steps": 0}
 *     < {}                                           the episode was played, or {"error": "..."}: it did not begin
 */
#ifndef SB_AGENTS_PLUGIN_WORKER_H
#define SB_AGENTS_PLUGIN_WORKER_H

#include "seedbed/plugin.h"

#define SB_PLUGIN_WORKER "plugin-worker"

enum { SB_PLUGIN_DATA_MIB = 4096 /* a worker may allocate so many, besides the memory that the plugin asks for */ };

#define SB_PLUGIN_STANDING "declared, not enforced" /* how far it is certain what a plugin sees */

extern const char *const sb_plugin_kinds[3]; /* by sb_plugin_kind: ``, `observations`, `everything` */

/* Plays until its standard input ends. The streams are not used for anything else afterwards. False if the worker could
 * not begin; the error was told to the process that started it as well. */
bool sb_plugin_serve(const char *path, const char *descriptor, sb_error *error);

#endif
