/* Plugins: a bot as a shared object, which the command loads and lets play.
 *
 *     static sb_action act(void *memory, const sb_env *env) { ... }
 *     const sb_plugin seedbed_plugin = {SB_PLUGIN_HEAD, .name = "mybot", .kind = SB_PLUGIN_OBSERVATIONS, .act = act};
 *
 *     cc -shared -fPIC mybot.c -o mybot.so
 *     seedbed eval --agent plugin:./mybot.so
 *
 * Linking
 *   - The command has every function of the public headers, and a plugin's calls bind to these. It need not be linked
 *     with libseedbed. If it is, its calls still bind to the command, and the library is loaded and not used.
 *   - A plugin made with another minor version is refused, because structs may differ (seedbed.h, "ABI").
 *
 * Processes and threads
 *   - Plugins run in worker processes, one for each of `-j N` workers. A worker loads the plugin once and plays one
 *     episode after another with it, all in its one thread. Nothing here is called twice at the same time.
 *   - A worker plays a whole episode by itself. Then its actions are replayed in the process that started it, and only
 *     this replay counts. So nothing that a plugin does in its memory changes how an episode is judged.
 *   - If a plugin crashes, ends its process, or takes too long (`--reply-seconds`, for each call of a function below),
 *     this episode is lost, with what was played until then. The next one gets a new worker.
 *   - What a plugin prints to standard output goes to standard error; its standard input is empty. It may use 4 GiB
 *     besides `memory`; then allocations fail.
 *
 * Plugins play the built-in tasks. What `--program` and `--challenges` bring is for programs behind `exec:COMMAND`.
 *
 * What it is shown is declared by the plugin and not enforced: it shares a process with the episode and can read all of
 * it. Results say so. */
#ifndef SEEDBED_PLUGIN_H
#define SEEDBED_PLUGIN_H

#include "seedbed.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a plugin plays from. There is no kind 0, so that nobody gets one without asking for it. */
typedef enum sb_plugin_kind {
    /* An environment in which everything is overwritten that no observation has shown, as observers get it: a copy,
     * made anew for every call, with seed 0 and without dense rewards. Steps in copies of it lead to a future, but not
     * to the episode's. Refused for families whose hidden state cannot be overwritten (SB_CANNOT_HIDE). */
    SB_PLUGIN_OBSERVATIONS = 1,
    /* The environment itself. Steps in copies of it (sb_clone, sb_copy) show what will happen. Results mark such
     * plugins as privileged. */
    SB_PLUGIN_EVERYTHING = 2
} sb_plugin_kind;

enum { SB_PLUGIN_NAME_MAX = 64 /* bytes, with the NUL */ };

/* A plugin. It must be a constant; the command keeps nothing of it but the name. */
typedef struct sb_plugin {
    size_t size;         /* sizeof(sb_plugin) */
    const char *version; /* SB_VERSION of the headers that the plugin was made with */
    const char *name;    /* what results call it: UTF-8, 1 to SB_PLUGIN_NAME_MAX - 1 bytes */
    sb_plugin_kind kind;
    size_t memory; /* bytes that the bot keeps from call to call; 0: none */
    /* An episode begins. `memory` is aligned for every type and has been zeroed. `random` is in 0..2^31-1, another one
     * for each episode and attempt, and the same again with `--salt`: a bot that draws seeds its generator with it, and
     * keeps nothing else from earlier episodes; then results do not depend on the number of workers. Returns false with
     * an error if it cannot play, which loses the episode. NULL: nothing is to be done. */
    bool (*begin)(void *memory, const sb_env *env, uint32_t random, sb_error *error);
    /* Returns what to do now. Called once for each step until the episode is over. An action that is out of range loses
     * the episode. `env` is valid during the call; the plugin does not change it. */
    sb_action (*act)(void *memory, const sb_env *env);
    /* The episode is over, or has reached the steps that are allowed: frees what `begin` and `act` allocated. Not
     * called after a crash, or if begin failed. NULL: nothing is to be done. */
    void (*end)(void *memory);
} sb_plugin;

/* The first two members of an sb_plugin. C++ before C++20 names no members, so there all follow in order. */
#define SB_PLUGIN_HEAD sizeof(sb_plugin), SB_VERSION

/* The one thing that a plugin exports. Plugins define it; neither the command nor libseedbed does. */
extern SB_API const sb_plugin seedbed_plugin;

#ifdef __cplusplus
}
#endif
#endif
