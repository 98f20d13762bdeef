#include "datasets/teacher.h"

bool sb_teacher_compare(const sb_cast *cast, sb_actor *actor, const sb_tape *tape, uint64_t *compared, uint64_t *other,
                        sb_error *error) {
    const sb_name *name = &tape->name;
    const char *observer = sb_oracle_names[SB_SEES_OBSERVATIONS];
    sb_env *env = actor->worker.env;
    if (!sb_is_privileged(name->family, name->task, sb_cast_teacher(cast, tape->agent)) ||
        !sb_oracle_find(name->family, name->task, observer))
        return true;
    if (!sb_reset_name(env, name, error) || !sb_player_begin_as(&actor->observer, observer, env, error)) return false;
    for (size_t i = 0; i < tape->n; i++) {
        sb_result result;
        *other += sb_player_act(&actor->observer, env) != sb_tape_label(tape, i);
        ++*compared;
        if (!sb_step(env, tape->actions[i], &result, error)) return false;
    }
    return true;
}
