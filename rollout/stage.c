#include "rollout/stage.h"

bool sb_roll_out(sb_env *env, sb_player *player, const char *agent, const sb_name *name, sb_tape *tape, sb_visit *visit,
                 void *context, sb_error *error) {
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

bool sb_stage_open(sb_stage *stage, sb_error *error) {
    return stage->env || (stage->env = sb_make(stage->catalogue, NULL, error));
}

bool sb_stage_play(sb_stage *stage, const char *agent, const sb_name *name, sb_visit *visit, void *context,
                   sb_error *error) {
    if (!sb_stage_open(stage, error)) return false;
    return sb_roll_out(stage->env, &stage->player, agent, name, &stage->tape, visit, context, error);
}

void sb_stage_free(void *data) {
    sb_stage *stage = data;
    sb_free(stage->env);
    sb_player_clear(&stage->player);
    sb_tape_clear(&stage->tape);
}
