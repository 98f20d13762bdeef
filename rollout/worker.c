#include "rollout/worker.h"

bool sb_roll_out(sb_env *env, sb_player *player, const char *agent, const sb_name *name, sb_tape *tape, sb_visit *visit,
                 void *context, sb_error *error) {
    if (!agent) agent = sb_default_agent(name);
    if (!sb_reset_name(env, name, error) || !sb_player_begin_as(player, agent, env, error)) return false;
    sb_tape_begin(tape, env, agent);
    if (visit && !visit(context, env, 0, NULL, error)) return false;
    while (!env->status.done) {
        const sb_action action = sb_player_act(player, env);
        sb_result result;
        if (!sb_step(env, action, &result, error) || !sb_tape_append(tape, action, error)) return false;
        if (visit && !visit(context, env, action, &result, error)) return false;
    }
    sb_tape_finish(tape, env);
    return true;
}

bool sb_worker_open(sb_worker *worker, sb_error *error) {
    if (!worker->env) worker->player.keeps = SB_PLAYER_KEEPS;
    return worker->env || (worker->env = sb_make(worker->catalogue, NULL, error));
}

bool sb_worker_play(sb_worker *worker, const char *agent, const sb_name *name, sb_visit *visit, void *context,
                    sb_error *error) {
    if (!sb_worker_open(worker, error)) return false;
    return sb_roll_out(worker->env, &worker->player, agent, name, &worker->tape, visit, context, error);
}

void sb_worker_free(void *data) {
    sb_worker *worker = data;
    sb_free(worker->env);
    sb_player_clear(&worker->player);
    sb_tape_clear(&worker->tape);
}
