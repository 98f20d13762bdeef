/* Agents that are plugins (seedbed/plugin.h). The process that plays with one, its worker, is this program, started
 * again. It is asked for a whole episode, whose actions are then replayed here. */
#ifndef SB_AGENTS_PLUGIN_H
#define SB_AGENTS_PLUGIN_H

#include <stdatomic.h>

#include "agents/program.h"
#include "seedbed.h"
#include "seedbed/plugin.h"

/* What a plugin's worker has done in its episode. It lies in memory that the worker shares with the process that
 * started it, so that this is known even of a worker that crashed. */

enum { SB_MOVES_MAX = 1 << 20 /* actions of an episode */ };

/* Values of `progress`: the plugin's function that was called last. From SB_IN_ACT on, each action adds one. */
enum { SB_BEFORE_BEGIN, SB_IN_BEGIN, SB_IN_ACT };
#define SB_IN_END (UINT64_C(1) << 63) /* a bit that is set besides once the episode is over */

typedef struct sb_moves {
    _Atomic uint64_t progress;
    sb_action actions[SB_MOVES_MAX];
} sb_moves;

/* Returns how many actions there are: at most SB_MOVES_MAX, whatever the plugin wrote there. */
static inline size_t sb_moves_count(const sb_moves *moves) {
    const uint64_t progress = atomic_load(&moves->progress) & ~SB_IN_END;
    const uint64_t n = progress < SB_IN_ACT ? 0 : progress - SB_IN_ACT;
    return n < SB_MOVES_MAX ? (size_t)n : SB_MOVES_MAX;
}

extern const bool sb_loads_plugins; /* false: this build cannot, and says SB_NO_PLUGINS */
#define SB_NO_PLUGINS                                                                                                  \
    "this build of Seedbed cannot load plugins (docs/compatibility.md): take another one, or let a program play, "     \
    "exec:COMMAND"

/* The worker is a process of its own, so that a plugin's crash, endless loop or leak stays there.
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

#define SB_PLUGIN_WORKER "plugin-worker"

enum { SB_PLUGIN_DATA_MIB = 4096 /* MiB that a worker may allocate, besides the memory that the plugin asks for */ };

#define SB_PLUGIN_STANDING "declared, not enforced" /* how far it is certain what a plugin sees */

/* names of the kinds, by sb_plugin_kind: ``, `observations`, `everything` */
extern const char *const sb_plugin_kinds[3];

/* Plays as a plugin's worker until standard input ends. The streams are not used for anything else afterwards. False if
 * the worker could not begin; the error was told to the process that started it as well. */
bool sb_plugin_serve(const char *path, const char *descriptor, sb_error *error);

/* What a plugin says of itself. */
typedef struct sb_plugin_facts {
    char name[SB_PLUGIN_NAME_MAX];
    sb_plugin_kind kind;
} sb_plugin_facts;

/* One worker of a plugin. Starts zeroed; a process is started when it is needed, and again after every failure. */
typedef struct sb_agent_plugin {
    sb_process process;
    sb_plugin_facts facts;
    sb_moves *moves; /* NULL: not made yet */
    int shared;      /* the descriptor of the memory that holds the moves */
    sb_out line;
} sb_agent_plugin;

/* Starts the process, if none is running. `rules->command` is the plugin's file. `facts` are those of the agent's first
 * process, and NULL for that one itself; later processes have to say the same. Why there is no such plugin is in
 * `failure`; only errors of this process return false. */
bool sb_plugin_begin(sb_agent_plugin *plugin, const sb_program_rules *rules, sb_guard *guard,
                     const sb_plugin_facts *facts, sb_failure *failure, sb_error *error);
/* Fails if the plugin sees observations only and the family cannot hide the rest. */
bool sb_plugin_fits(const sb_plugin_facts *facts, const sb_family *family, sb_error *error);

/* Plays the named episode in `env` and writes the tape of what was played, also if the plugin fails. Returns false only
 * for errors of this process or of the name. */
bool sb_plugin_play(sb_agent_plugin *plugin, const sb_program_rules *rules, sb_guard *guard,
                    const sb_plugin_facts *facts, sb_env *env, const sb_name *name, uint32_t attempt, sb_tape *tape,
                    sb_failure *failure, sb_error *error);

/* Ends the process and frees everything. */
void sb_plugin_free(sb_agent_plugin *plugin);

#endif
