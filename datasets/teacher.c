#include "datasets/teacher.h"

bool sb_teacher_is_compared(const sb_cast *cast, const sb_tape *tape) {
    const sb_name *name = &tape->name;
    return sb_is_privileged(name->family, name->task, sb_cast_teacher(cast, tape->agent)) &&
           sb_oracle_find(name->family, name->task, sb_oracle_names[SB_SEES_OBSERVATIONS]);
}

bool sb_teacher_compare(sb_actor *actor, const sb_tape *tape, uint64_t *unlike, sb_error *error) {
    sb_env *env = actor->worker.env;
    if (!sb_reset_name(env, &tape->name, error) ||
        !sb_player_begin_as(&actor->observer, sb_oracle_names[SB_SEES_OBSERVATIONS], env, error))
        return false;
    for (size_t i = 0; i < tape->n; i++) {
        sb_result result;
        *unlike += sb_player_act(&actor->observer, env) != sb_tape_label(tape, i);
        if (!sb_step(env, tape->actions[i], &result, error)) return false;
    }
    return true;
}
