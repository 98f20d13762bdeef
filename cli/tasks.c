/* seedbed tasks: lists families, tasks, difficulties and oracles, and prints the pages of tasks. */
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/task_page.h"
#include "engine/environment.h"
#include "engine/lookup.h"
#include "oracles/oracle.h"
#include "seedbed/gridworld.h"
#include "seedbed/picture.h"

typedef struct tasks_options {
    cli_common common;
    const char *family, *schema;
} tasks_options;

static const cli_option options[] = {
    {"family", 0, "NAME", "only this family", CLI_TEXT(tasks_options, family, CLI_FAMILY)},
    {"schema", 0, "MODE", "the JSON Schema of this mode, of --family (default: agentick)",
     CLI_TEXT(tasks_options, schema, CLI_JSON_MODE)}};

static void put_agents(sb_out *out, const char *family, const char *task, bool json) {
    const char *names[SB_ORACLES_MAX];
    const size_t n = sb_oracles_of(family, task, names);
    for (size_t i = 0; i < n; i++) {
        if (json)
            sb_put_comma(out), sb_put_json_string(out, names[i]);
        else
            sb_putf(out, "%s ", names[i]);
    }
}

/* Puts how many games there are, if that was counted. */
static void put_games(sb_out *out, const cli_known_games *known, const sb_name *name) {
    sb_games games;
    if (!cli_known_games_find(known, name->family, name->task, name->difficulty, &games)) return;
    sb_put_key(out, "games");
    sb_puts(out, "{");
    sb_games_print(&games, out);
    sb_puts(out, "}");
}

/* Puts the step limit, how many games there are and the grid size (if there is a grid) of each difficulty, from its
 * episode with seed 0. Episodes that take long to find are left out. */
static bool put_levels(sb_out *out, sb_env *env, const cli_known_games *known, const sb_family *family,
                       const sb_task_info *info, sb_error *error) {
    const char *task = info->name;
    const sb_difficulties of = sb_difficulties_of(family, info);
    sb_put_key(out, "levels");
    sb_puts(out, "[");
    for (size_t i = 0; i < of.n; i++) {
        const char *difficulty = of.names[i];
        sb_name name = {.seed = 0};
        if (sb_is_derived(family, info, i)) continue;
        snprintf(name.family, sizeof name.family, "%s", family->name);
        snprintf(name.task, sizeof name.task, "%s", task);
        snprintf(name.difficulty, sizeof name.difficulty, "%s", difficulty);
        if (!sb_reset_name(env, &name, error)) return false;
        const sb_xy size = sb_grid_size(env);
        sb_put_comma(out);
        sb_puts(out, "{");
        if (*difficulty) sb_member_text(out, "difficulty", difficulty);
        sb_member_int(out, "max_steps", sb_status_of(env)->max_steps);
        if (size.x) sb_member_int(out, "width", size.x), sb_member_int(out, "height", size.y);
        put_games(out, known, &name);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
    return true;
}

static void put_looks(sb_out *out, const sb_family *family) {
    const sb_look *look;
    sb_put_key(out, "looks");
    sb_puts(out, "[");
    for (size_t i = 0; (look = sb_look_at(family, i)); i++) {
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_text(out, "name", look->name);
        sb_member_text(out, "version", look->version);
        sb_member_text(out, "summary", look->summary);
        sb_member_bool(out, "privileged", look->privileged);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

/* Puts the members of a task, in an object that the caller begins and ends. */
static bool put_task(sb_out *out, sb_env *env, const cli_known_games *known, const sb_family *family,
                     const sb_task_info *task, sb_error *error) {
    sb_member_text(out, "name", task->name);
    sb_member_text(out, "category", task->category);
    sb_member_text(out, "summary", task->summary);
    sb_member_text(out, "judged_by", sb_criterion_names[task->criterion]);
    if (task->skills) sb_member_texts(out, "skills", task->skills, sb_n_skills(task));
    sb_put_key(out, "oracles");
    sb_puts(out, "[");
    put_agents(out, family->name, task->name, true);
    sb_puts(out, "]");
    return put_levels(out, env, known, family, task, error);
}

static bool print_json(sb_out *out, sb_env *env, const cli_known_games *known, const sb_family *family,
                       sb_error *error) {
    const sb_task_info *task;
    sb_puts(out, "{");
    sb_member_text(out, "family", family->name);
    sb_member_text(out, "rules", family->version);
    const char *difficulties[SB_DIFFICULTIES_MAX];
    sb_member_texts(out, "variants", difficulties, sb_named_difficulties(family, difficulties));
    sb_put_key(out, "modes");
    sb_puts(out, "[");
    for (size_t i = 0; i < family->n_modes; i++) sb_put_comma(out), sb_put_json_string(out, family->modes[i].name);
    sb_puts(out, "]");
    put_looks(out, family);
    sb_put_key(out, "tasks");
    sb_puts(out, "[");
    for (size_t i = 0; (task = sb_task_at(env->catalogue, family, i)); i++) {
        sb_put_comma(out);
        sb_puts(out, "{");
        if (!put_task(out, env, known, family, task, error)) return false;
        sb_puts(out, "}");
    }
    sb_puts(out, "]}");
    return true;
}

static const char *agents_of(const sb_family *family, const sb_task_info *task, char *text, size_t capacity) {
    sb_out names = sb_out_fixed(text, capacity);
    put_agents(&names, family->name, task->name, false);
    sb_out_finish(&names);
    return text;
}

static void print_table(sb_out *out, const sb_catalogue *catalogue, const sb_family *family) {
    char agents[SB_ORACLES_MAX * 16];
    int widest_task = (int)strlen("task"), widest_agents = (int)strlen("oracles");
    sb_putf(out, "family %s (rules %s), observation modes:", family->name, family->version);
    for (size_t i = 0; i < family->n_modes; i++) sb_putf(out, " %s", family->modes[i].name);
    const sb_look *look;
    if (sb_look_at(family, 0)) sb_puts(out, "\nlooks of pictures:");
    for (size_t i = 0; (look = sb_look_at(family, i)); i++) sb_putf(out, " %s", look->name);
    const char *difficulties[SB_DIFFICULTIES_MAX];
    const size_t n_difficulties = sb_named_difficulties(family, difficulties);
    if (n_difficulties) sb_puts(out, "\ndifficulties:");
    for (size_t i = 0; i < n_difficulties; i++) sb_putf(out, " %s", difficulties[i]);
    const sb_task_info *task;
    for (size_t i = 0; (task = sb_task_at(catalogue, family, i)); i++) {
        const int width = (int)strlen(task->name);
        const int n = (int)strlen(agents_of(family, task, agents, sizeof agents));
        if (width > widest_task) widest_task = width;
        if (n > widest_agents) widest_agents = n;
    }
    sb_putf(out, "\n\n%-*s %-14s %-*s %s\n", widest_task, "task", "category", widest_agents, "oracles", "what to do");
    for (size_t i = 0; (task = sb_task_at(catalogue, family, i)); i++)
        sb_putf(out, "%-*s %-14s %-*s %s\n", widest_task, task->name, task->category, widest_agents,
                agents_of(family, task, agents, sizeof agents), task->summary);
}

/* Prints all families, or the one that was asked for. */
static bool print_families(sb_out *out, const tasks_options *o, sb_error *error) {
    const bool json = o->common.json;
    sb_env *env = sb_make(o->common.catalogue, NULL, error);
    cli_known_games known = {0};
    bool ok = env && cli_known_games_load(&known, error) && (!o->family || sb_family_find(o->family, error));
    if (json) sb_puts(out, "[");
    for (const sb_family *const *family = sb_families; ok && *family; family++) {
        if (o->family && strcmp(o->family, (*family)->name) != 0) continue;
        if (json)
            sb_put_comma(out), ok = print_json(out, env, &known, *family, error);
        else
            print_table(out, o->common.catalogue, *family);
    }
    if (json) sb_puts(out, "]\n");
    cli_known_games_free(&known);
    sb_free(env);
    return ok;
}

/* ---- Pages ---- */

static bool put_page(sb_out *out, cli_task *task, bool json, sb_error *error) {
    sb_out page = sb_out_growing();
    bool ok = cli_put_task_page(&page, task, error);
    if (ok && !json) sb_put_out(out, &page);
    if (ok && json) {
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_text(out, "family", task->family->name);
        ok = put_task(out, task->worker.env, task->known, task->family, task->info, error);
        sb_put_key(out, "page");
        sb_put_json_bytes(out, page.data, page.size);
        sb_puts(out, "}");
    }
    sb_out_free(&page);
    return ok;
}

/* Finds a task by its name, in the family that was asked for if there is one. */
static bool find_task(cli_task *task, const tasks_options *o, const char *name, sb_error *error) {
    size_t index;
    const sb_catalogue *catalogue = o->common.catalogue;
    if (o->family && !(task->family = sb_family_find(o->family, error))) return false;
    if (o->family ? !sb_task_find(catalogue, task->family, name, &index, error)
                  : !sb_task_resolve(catalogue, name, &task->family, &index, error))
        return false;
    task->info = sb_task_at(catalogue, task->family, index);
    return true;
}

static bool print_pages(sb_out *out, const tasks_options *o, const char *const *names, size_t n, sb_error *error) {
    cli_known_games known = {0};
    bool ok = cli_known_games_load(&known, error);
    cli_task task = {.known = &known, .worker.catalogue = o->common.catalogue};
    if (o->common.json) sb_puts(out, "[");
    for (size_t i = 0; ok && i < n; i++) {
        if (i && !o->common.json) sb_puts(out, "\n");
        ok = find_task(&task, o, names[i], error) && put_page(out, &task, o->common.json, error);
    }
    if (o->common.json) sb_puts(out, "]\n");
    cli_known_games_free(&known);
    sb_worker_free(&task.worker);
    return ok;
}

/* Prints the schema of a mode of the family that was named, else of the first one. */
static bool print_schema(sb_out *out, const tasks_options *o, sb_error *error) {
    const sb_family *family = o->family ? sb_family_find(o->family, error) : sb_families[0];
    const sb_mode *mode = family ? sb_mode_find(family, o->schema, error) : NULL;
    if (!mode) return false;
    if (!mode->schema)
        return sb_fail(error, SB_INVALID, "observations in mode `%s` of %s are plain text, not JSON: it has no schema",
                       mode->name, family->name);
    sb_puts(out, mode->schema);
    return true;
}

static int run(const cli_command *self, void *given, const char *const *arguments, size_t n) {
    const tasks_options *o = given;
    if (n && o->schema) return cli_usage(self, "name tasks, or a mode with --schema, not both");
    sb_out out = sb_out_growing();
    sb_error error;
    const bool ok = n           ? print_pages(&out, o, arguments, n, &error)
                    : o->schema ? print_schema(&out, o, &error)
                                : print_families(&out, o, &error);
    if (ok) return cli_emit(&out, cli_data_if(o->common.json || o->schema));
    sb_out_free(&out);
    return cli_fail(&error);
}

const cli_command cli_tasks = {
    .name = "tasks",
    .group = CLI_TO_LOOK,
    .summary = "list families, tasks, difficulties and oracles, or explain tasks",
    .usage = "[TASK... | --schema MODE] [--family NAME] [--json]",
    .help =
        "Lists every family with its tasks, what each asks of an agent, and the oracles that solve it. With names of\n"
        "tasks it prints their pages: what to do, rewards and ends, what is hard, sizes and limits, glyphs, metadata,\n"
        "configuration keys, how many games there are, how well oracles play, and an episode step by step (docs/tasks\n"
        "has them with pictures).\n\n"
        "--schema says what the documents of an observation mode hold (docs/formats.md).\n\n"
        "  seedbed tasks\n"
        "  seedbed tasks KeyDoorPuzzle\n"
        "  seedbed tasks babyai:GoTo arc:Echo | less\n"
        "  seedbed tasks KeyDoorPuzzle --json\n"
        "  seedbed tasks --family babyai --json\n"
        "  seedbed tasks --schema state",
    CLI_OPTIONS(tasks_options, options),
    CLI_ARGUMENTS(CLI_TASKS, 0, CLI_MANY, NULL),
    .run = run,
};
