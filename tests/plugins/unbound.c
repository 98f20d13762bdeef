/* A plugin that calls what no program has. */
#include "seedbed/plugin.h"

sb_action sb_no_such_function(const sb_env *env);

static sb_action act(void *memory, const sb_env *env) {
    (void)memory;
    return sb_no_such_function(env);
}

const sb_plugin seedbed_plugin = {SB_PLUGIN_HEAD, .name = "unbound", .kind = SB_PLUGIN_EVERYTHING, .act = act};
