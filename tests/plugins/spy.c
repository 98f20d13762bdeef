/* A plugin that writes down all it can find out in every step, one line each, into the file $SPY: what an agent of the
 * task is shown, and a tab; then what the environment tells, and what happens in copies of it. SPY_KIND is its kind. It
 * always takes the same actions, so that episodes can be compared. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "seedbed/plugin.h"

enum { TEXT = 1 << 16 };

typedef struct memory {
    int step;
} memory;

static uint64_t hash(uint64_t before, const char *text) {
    for (; *text; text++) before = (before ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return before;
}

/* All observations that an agent may see. */
static uint64_t look(const sb_env *env) {
    static char text[TEXT];
    const sb_mode *mode;
    uint64_t all = UINT64_C(14695981039346656037);
    for (size_t i = 0; (mode = sb_mode_at(sb_family_of(env), i)); i++) {
        if (mode->privileged) continue;
        sb_observe(env, mode, text, sizeof text);
        all = hash(all, text);
    }
    return all;
}

/* What three steps of the first actions would lead to. */
static uint64_t look_ahead(const sb_env *env) {
    uint64_t all = 0;
    sb_error error;
    for (sb_action first = 0; first < sb_n_actions(sb_shape_of(env)); first++) {
        sb_env *copy = sb_clone(env, &error);
        sb_result result = {0};
        for (int i = 0; copy && i < 3 && !sb_status_of(copy)->done; i++) sb_step(copy, first, &result, &error);
        if (!copy) abort();
        char rewards[80];
        snprintf(rewards, sizeof rewards, "%.17g %.17g", result.reward, result.dense);
        all = hash(all * 31 + look(copy), rewards);
        sb_free(copy);
    }
    return all;
}

static sb_action act(void *kept, const sb_env *env) {
    memory *m = kept;
    uint64_t key[2];
    const sb_status *status = sb_status_of(env);
    FILE *file = fopen(getenv("SPY"), "a");
    if (!file) abort();
    sb_key(env, key);
    fprintf(file, "%s/%s %d %.17g %" PRIx64 "\t%" PRIu64 " %.17g %" PRIx64 "%" PRIx64 " %" PRIx64 "\n",
            sb_name_of(env)->task, sb_name_of(env)->difficulty, m->step, status->total, look(env),
            sb_name_of(env)->seed, status->dense_total, key[0], key[1], look_ahead(env));
    if (fclose(file) != 0) abort();
    return (m->step++ * 7 + 1) % sb_n_actions(sb_shape_of(env));
}

const sb_plugin seedbed_plugin = {SB_PLUGIN_HEAD, .name = "spy", .kind = SPY_KIND, .memory = sizeof(memory),
                                  .act = act};
