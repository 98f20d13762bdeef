/* Plugins whose constant is wrong in one way, which HEAD_... says. */
#include "seedbed/plugin.h"

#ifndef HEAD_SIZE
#define HEAD_SIZE sizeof(sb_plugin)
#endif
#ifndef HEAD_VERSION
#define HEAD_VERSION SB_VERSION
#endif
#ifndef HEAD_NAME
#define HEAD_NAME "head"
#endif
#ifndef HEAD_KIND
#define HEAD_KIND SB_PLUGIN_OBSERVATIONS
#endif
#ifndef HEAD_ACT
#define HEAD_ACT act
static sb_action act(void *memory, const sb_env *env) {
    (void)memory, (void)env;
    return 0;
}
#endif
#ifndef HEAD_MEMORY
#define HEAD_MEMORY 0
#endif

const sb_plugin seedbed_plugin = {.size = HEAD_SIZE,
                                  .version = HEAD_VERSION,
                                  .name = HEAD_NAME,
                                  .kind = HEAD_KIND,
                                  .memory = HEAD_MEMORY,
                                  .act = HEAD_ACT};
