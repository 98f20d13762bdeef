/* What episodes and families are, as JSON. */
#include "base/error.h"
#include "engine/environment.h"
#include "engine/facts.h"
#include "engine/lookup.h"
#include "engine/testing.h"
#include "seedbed/player.h"
#include "web/session.h"

static void put_modes(sb_out *out, const sb_family *family) {
    const sb_mode *mode;
    sb_put_key(out, "modes");
    sb_putc(out, '[');
    for (size_t i = 0; (mode = sb_mode_at(family, i)); i++) {
        sb_put_comma(out), sb_putc(out, '{');
        sb_member_text(out, "name", mode->name);
        sb_member_bool(out, "document", mode->document);
        sb_member_bool(out, "privileged", mode->privileged);
        sb_putc(out, '}');
    }
    sb_putc(out, ']');
}

static void put_looks(sb_out *out, const sb_family *family) {
    const sb_look *look;
    sb_put_key(out, "looks");
    sb_putc(out, '[');
    for (size_t i = 0; (look = sb_look_at(family, i)); i++) {
        sb_put_comma(out), sb_putc(out, '{');
        sb_member_text(out, "name", look->name);
        sb_member_text(out, "summary", look->summary);
        sb_member_int(out, "tile", look->display_tile);
        sb_member_bool(out, "privileged", look->privileged);
        sb_putc(out, '}');
    }
    sb_putc(out, ']');
}

static void put_agents(sb_out *out, const sb_family *family, const sb_task_info *task) {
    const char *agents[SB_AGENTS_MAX];
    const size_t n = sb_agents_of(family, task, agents, SB_AGENTS_MAX);
    sb_member_texts(out, "agents", agents, n);
}

static void put_task(sb_out *out, const sb_task_info *task) {
    sb_member_text(out, "task", task->name);
    sb_member_text(out, "category", task->category);
    sb_member_text(out, "summary", task->summary);
    sb_member_text(out, "judged_by", sb_criterion_names[task->criterion]);
    sb_member_texts(out, "skills", task->skills, sb_n_skills(task));
}

static void put_actions(sb_out *out, const sb_env *env) {
    sb_put_key(out, "buttons");
    sb_putc(out, '[');
    for (sb_action i = 0; i < env->shape.n_buttons; i++) sb_put_comma(out), sb_put_action_text(out, env, i);
    sb_putc(out, ']');
    sb_put_key(out, "click");
    if (sb_has_clicks(&env->shape))
        sb_putf(out, "[%d, %d]", env->shape.click_width, env->shape.click_height);
    else
        sb_puts(out, "null");
}

/* What matters to whoever plays: what this episode asks for, steps a second in real time (0: the world waits), and the
 * kind of a test, in which nothing is taken back (empty: it is none). */
static void put_playing(sb_out *out, const sb_env *env) {
    const sb_test_kind *kind = sb_test_kind_in(env);
    sb_facts facts = {0};
    if (env->family->facts) env->family->facts->tell(env, &facts);
    sb_member_text(out, "mission", facts.mission);
    sb_member_int(out, "rate", env->family->frame_rate ? env->family->frame_rate(env) : 0);
    sb_member_text(out, "test", kind ? kind->name : "");
}

static bool finish(sb_web *web) {
    if (sb_out_ok(&web->out)) return true;
    sb_fail(&web->error, SB_MEMORY, "out of memory for a document");
    return sb_web_failed(web);
}

bool sb_web_about(sb_web *web) {
    const sb_env *env = web->env;
    sb_out *out = &web->out;
    char name[SB_NAME_MAX];
    if (!sb_web_has_episode(web)) return false;
    sb_name_print(&env->name, name, sizeof name);
    sb_putc(out, '{');
    sb_member_text(out, "name", name);
    sb_member_text(out, "family", env->name.family);
    put_task(out, env->task);
    sb_member_text(out, "difficulty", env->name.difficulty);
    sb_put_key(out, "seed"), sb_putc(out, '"'), sb_put_uint(out, env->name.seed), sb_putc(out, '"');
    sb_member_text(out, "rules", env->task->rules ? env->task->rules : sb_family_rules(env->family));
    put_actions(out, env), put_playing(out, env);
    put_modes(out, env->family), put_looks(out, env->family);
    put_agents(out, env->family, env->task);
    sb_putc(out, '}');
    return finish(web);
}

bool sb_web_page(sb_web *web) {
    const sb_env *env = web->env;
    if (!sb_web_has_episode(web)) return false;
    if (sb_test_kind_in(env))
        env->family->tests->instruct(env, &web->out);
    else if (env->family->describe)
        env->family->describe(env->task, &web->out);
    return finish(web);
}

/* All difficulties, and those whose episodes take long to find. */
static void put_difficulties(sb_out *out, const sb_family *family, const sb_task_info *task) {
    const sb_difficulties all = sb_difficulties_of(family, task);
    const char *derived[SB_DIFFICULTIES_MAX];
    size_t n = 0;
    for (size_t i = 0; i < all.n; i++)
        if (sb_is_derived(family, task, i)) derived[n++] = all.names[i];
    sb_member_texts(out, "difficulties", all.names, all.n);
    sb_member_texts(out, "derived", derived, n);
}

static void put_tasks(sb_out *out, const sb_family *family, const sb_catalogue *catalogue) {
    const sb_task_info *task;
    sb_put_key(out, "tasks");
    sb_putc(out, '[');
    for (size_t i = 0; (task = sb_task_at(catalogue, family, i)); i++) {
        sb_put_comma(out), sb_putc(out, '{');
        put_task(out, task);
        put_difficulties(out, family, task);
        put_agents(out, family, task);
        sb_putc(out, '}');
    }
    sb_putc(out, ']');
}

bool sb_web_catalogue(sb_web *web) {
    const sb_family *family;
    sb_out *out = &web->out;
    sb_out_clear(out);
    sb_putc(out, '[');
    for (size_t i = 0; (family = sb_family_at(i)); i++) {
        sb_put_comma(out), sb_putc(out, '{');
        sb_member_text(out, "family", sb_family_name(family));
        sb_member_text(out, "rules", sb_family_rules(family));
        put_modes(out, family), put_looks(out, family), put_tasks(out, family, web->env->catalogue);
        sb_putc(out, '}');
    }
    sb_putc(out, ']');
    return finish(web);
}
