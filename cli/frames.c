#include "cli/film.h"

int32_t cli_n_frames(const sb_env *env) { return env->family->n_frames ? env->family->n_frames(env) : 1; }

bool cli_frames_before_last(const sb_env *env, cli_frame_show show, void *context, sb_error *error) {
    const int32_t n = cli_n_frames(env);
    if (n == 1) return true;
    sb_env *copy = sb_clone(env, error);
    bool ok = copy != NULL;
    for (int32_t i = 0; ok && i < n - 1; i++) {
        env->family->show_frame(copy, i);
        ok = show(context, copy, error);
    }
    sb_free(copy);
    return ok;
}
