#include "rollout/testing.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "engine/lookup.h"

/* ---- Instructions ------------------------------------------------------------------------------------------------ */

static bool is_kind(const char *name) {
    for (const sb_family *const *family = sb_families; *family; family++)
        for (size_t i = 0; (*family)->tests && i < (*family)->n_difficulties; i++) {
            const sb_test_kind *kind = (*family)->tests->kind((*family)->task(0), i);
            if (kind && strcmp(kind->name, name) == 0) return true;
        }
    return false;
}

bool sb_instructions_check(const cJSON *texts, sb_error *error) {
    const cJSON *item;
    if (!cJSON_IsObject(texts)) return sb_fail(error, SB_INVALID, "instructions should be a JSON object");
    cJSON_ArrayForEach(item, texts) {
        if (!is_kind(item->string))
            return sb_fail(error, SB_INVALID, "instructions: there is no kind of test `%.40s`", item->string);
        if (!cJSON_IsString(item))
            return sb_fail(error, SB_INVALID, "instructions: key `%.40s` should be a text", item->string);
    }
    return true;
}

cJSON *sb_instructions_parse(const char *text, size_t n, sb_error *error) {
    cJSON *texts = sb_json_parse(text, n, error);
    if (texts && sb_instructions_check(texts, error)) return texts;
    cJSON_Delete(texts);
    return NULL;
}

cJSON *sb_instructions_load(const char *path, sb_out *text, sb_error *error) {
    enum { LARGEST = 1 << 20 };
    if (!sb_file_load(path, LARGEST, text, error)) return NULL;
    cJSON *texts = sb_instructions_parse(text->data, text->size, error);
    if (!texts) sb_fail_at(error, "%s", sb_path_end(path));
    return texts;
}

void sb_put_instructions(sb_out *out, const sb_testing_rules *rules, const sb_env *env) {
    const sb_test_kind *kind = sb_test_kind_in(env);
    if (!kind) return;
    const char *own = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(rules->instructions, kind->name));
    if (own)
        sb_puts(out, own);
    else
        env->family->tests->instruct(env, out);
}

void sb_member_instructions(sb_out *out, const sb_testing_rules *rules, const sb_env *env) {
    if (!sb_test_kind_in(env)) return;
    sb_put_key(out, "instructions");
    sb_putc(out, '"');
    out->json = true;
    sb_put_instructions(out, rules, env);
    out->json = false;
    sb_putc(out, '"');
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

static bool may_wait(const sb_env *env) {
    bool valid[SB_MASK_MAX];
    env->family->valid(env, valid);
    return valid[env->family->tests->waits];
}

sb_turn sb_turn_of(const sb_testing_rules *rules, const sb_env *env, sb_action chosen) {
    return (sb_turn){.rules = rules,
                     .env = env,
                     .before = sb_test_record_of(env, env->family, env->task, env->difficulty_index),
                     .chosen = chosen};
}

bool sb_turn_next(sb_turn *turn, sb_action *action) {
    const sb_testing_rules *rules = turn->rules;
    const sb_env *env = turn->env;
    const sb_test_source *tests = env->family->tests;
    const uint64_t taken = turn->taken++;
    if (!taken) return *action = turn->chosen, true;
    if ((!rules->interaction && rules->frames < 2) || !sb_test_kind_in(env) || env->status.done) return false;
    const sb_test_record now = sb_test_record_of(env, env->family, env->task, env->difficulty_index);
    if (now.tested != turn->before.tested) return false; /* the agent is to see how the test begins */
    if (!now.tested && rules->interaction && now.interaction >= rules->interaction)
        return *action = tests->begins, true;
    const sb_act act = tests->act(&env->shape, turn->chosen);
    if (taken >= rules->frames || act == SB_ACT_RESET || act == SB_ACT_OTHER || !may_wait(env)) return false;
    return *action = tests->waits, true;
}

bool sb_put_frame_between(sb_out *out, const sb_view *view, const sb_env *env, sb_action action, sb_error *error) {
    sb_view seen = *view;
    sb_action_room none = {0};
    seen.actions = SB_LIST_NONE;
    sb_puts(out, out->size ? ", {" : "{");
    sb_member_int(out, "steps", env->status.steps);
    sb_put_key(out, "action");
    sb_put_action_text(out, env, action);
    const bool ok = sb_view_print(&seen, env, &none, out, error);
    sb_puts(out, "}");
    return ok && (sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for frames"));
}

void sb_member_frames(sb_out *out, const sb_out *frames) {
    if (!frames->size) return;
    sb_put_key(out, "frames");
    sb_puts(out, "[");
    sb_put_out(out, frames);
    sb_puts(out, "]");
}
