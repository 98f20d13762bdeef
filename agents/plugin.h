/* Agents that are plugins (seedbed/plugin.h). The process that plays with one is this program, started again
 * (agents/plugin_worker.h). It is asked for a whole episode, whose actions are then replayed here. */
#ifndef SB_AGENTS_PLUGIN_H
#define SB_AGENTS_PLUGIN_H

#include "agents/moves.h"
#include "agents/plugin_worker.h"
#include "agents/program.h"

/* What a plugin says of itself. */
typedef struct sb_plugin_facts {
    char name[SB_PLUGIN_NAME_MAX];
    sb_plugin_kind kind;
} sb_plugin_facts;

/* One worker. Starts zeroed; a process is started when it is needed, and again after every failure. */
typedef struct sb_agent_plugin {
    sb_process process;
    sb_plugin_facts facts;
    sb_moves *moves; /* NULL: not made yet */
    int shared;      /* the descriptor of that memory */
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
