#include "datasets/recipe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "engine/family.h"
#include "rollout/player.h"

void sb_recipe_free(sb_recipe *recipe) {
    free((void *)(uintptr_t)recipe->selection.names);
    cJSON_Delete(recipe->document);
    *recipe = (sb_recipe){0};
}

static bool optional_text(const cJSON *object, const char *key, const char **text, sb_error *error) {
    return !cJSON_HasObjectItem(object, key) || sb_json_string(object, key, text, error);
}

static bool optional_uint(const cJSON *object, const char *key, uint64_t *value, sb_error *error) {
    return !cJSON_HasObjectItem(object, key) || sb_json_uint(object, key, value, error);
}

static bool read_names(const cJSON *object, sb_request *request, sb_error *error) {
    const cJSON *list, *item;
    if (!cJSON_HasObjectItem(object, "names")) return true;
    if (!sb_json_array(object, "names", &list, error)) return false;
    const char **names = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *names);
    request->names = names;
    if (!names) return sb_fail(error, SB_MEMORY, "out of memory for names");
    cJSON_ArrayForEach(item, list) {
        if (!cJSON_IsString(item)) return sb_fail(error, SB_INVALID, "key `names` should be a list of texts");
        names[request->n_names++] = item->valuestring;
    }
    return request->n_names || sb_fail(error, SB_INVALID, "key `names` is an empty list");
}

static bool read_reward(const cJSON *object, bool *dense, sb_error *error) {
    const char *reward = "sparse";
    if (!optional_text(object, "reward", &reward, error)) return false;
    *dense = strcmp(reward, "dense") == 0;
    return *dense || strcmp(reward, "sparse") == 0 ||
           sb_fail(error, SB_INVALID, "key `reward` should be sparse or dense, not `%.20s`", reward);
}

bool sb_recipe_read(cJSON *document, sb_recipe *recipe, sb_error *error) {
    static const char *const keys[] = {"family", "tasks",  "category", "difficulty",     "split",
                                       "seeds",  "count",  "names",    "agent",          "format",
                                       "modes",  "reward", "level",    "shard_episodes", NULL};
    *recipe = sb_recipe_default();
    recipe->document = document;
    sb_request *request = &recipe->selection;
    if (!cJSON_IsObject(document)) return sb_fail(error, SB_INVALID, "a recipe should be a JSON object");
    return sb_json_known_keys(document, keys, error) && optional_text(document, "family", &request->family, error) &&
           optional_text(document, "tasks", &request->tasks, error) &&
           optional_text(document, "category", &request->category, error) &&
           optional_text(document, "difficulty", &request->difficulty, error) &&
           optional_text(document, "split", &request->split, error) &&
           optional_text(document, "seeds", &request->seeds, error) &&
           optional_uint(document, "count", &request->count, error) && read_names(document, request, error) &&
           optional_text(document, "agent", &recipe->agent, error) &&
           optional_text(document, "format", &recipe->format, error) &&
           optional_text(document, "modes", &recipe->modes, error) && read_reward(document, &recipe->dense, error) &&
           optional_uint(document, "level", &recipe->level, error) &&
           optional_uint(document, "shard_episodes", &recipe->shard_episodes, error);
}

bool sb_recipe_parse(const char *text, size_t n, sb_recipe *recipe, sb_error *error) {
    *recipe = (sb_recipe){0};
    cJSON *document = sb_json_parse(text, n, error);
    return document && sb_recipe_read(document, recipe, error);
}

bool sb_recipe_load(const char *path, sb_recipe *recipe, sb_error *error) {
    sb_out text = sb_out_growing();
    *recipe = (sb_recipe){0};
    bool ok = sb_file_load(path, 1 << 20, &text, error);
    if (ok && !sb_recipe_parse(text.data, text.size, recipe, error)) ok = sb_fail_at(error, "%.100s", path);
    sb_out_free(&text);
    return ok;
}

void sb_recipe_print(const sb_recipe *recipe, sb_out *out) {
    sb_puts(out, "{");
    sb_request_print(&recipe->selection, out);
    sb_member_text(out, "agent", recipe->agent);
    sb_member_text(out, "format", recipe->format);
    if (recipe->modes) sb_member_text(out, "modes", recipe->modes);
    sb_member_text(out, "reward", recipe->dense ? "dense" : "sparse");
    sb_member_uint(out, "level", recipe->level);
    sb_member_uint(out, "shard_episodes", recipe->shard_episodes);
    sb_puts(out, "}");
}

/* ---- Plans ---- */

static bool check_numbers(const sb_recipe *recipe, sb_error *error) {
    if (recipe->level < 1 || recipe->level > 9)
        return sb_fail(error, SB_INVALID, "level: compression is 1 (fast) to 9 (small), not %llu",
                       (unsigned long long)recipe->level);
    if (recipe->shard_episodes == 0 || recipe->shard_episodes % SB_MEMBER_EPISODES || recipe->shard_episodes > 1 << 24)
        return sb_fail(error, SB_INVALID, "shard_episodes: should be a multiple of %d up to %d", SB_MEMBER_EPISODES,
                       1 << 24);
    return true;
}

/* One family, and an agent for each of its tasks that occur. */
static bool check_agent(const sb_plan *plan, sb_error *error) {
    const char *checked = "";
    for (size_t i = 0; i < plan->selection.n; i++) {
        const sb_name *name = &plan->selection.names[i];
        if (strcmp(name->family, plan->family->name) != 0)
            return sb_fail(error, SB_INVALID, "a dataset holds episodes of one family, not of %s and %s",
                           plan->family->name, name->family);
        if (strcmp(checked, name->task) == 0) continue;
        if (!sb_agent_exists(plan->agent, name->family, name->task, error)) return false;
        checked = name->task;
    }
    return true;
}

bool sb_plan_make(const sb_recipe *recipe, sb_plan *plan, sb_error *error) {
    *plan = (sb_plan){.agent = recipe->agent, .level = (int)recipe->level};
    if (!check_numbers(recipe, error) || !sb_select(&recipe->selection, &plan->selection, error)) return false;
    plan->family = sb_family_find(plan->selection.names[0].family, error);
    plan->exporter = sb_exporter_find(recipe->format, error);
    if (!plan->family || !plan->exporter || !check_agent(plan, error)) return false;
    plan->options.dense = recipe->dense;
    plan->shard_episodes = (size_t)recipe->shard_episodes;
    plan->n_shards = (plan->selection.n + plan->shard_episodes - 1) / plan->shard_episodes;
    return sb_export_modes(&plan->options, plan->family, recipe->modes, error);
}

void sb_plan_free(sb_plan *plan) { sb_selection_free(&plan->selection); }

sb_shard_name sb_shard_of(const char *kind, size_t shard, size_t n_shards, const char *suffix) {
    sb_shard_name name;
    snprintf(name.text, sizeof name.text, "%.16s-%05zu-of-%05zu.%.12s", kind, shard, n_shards, suffix);
    return name;
}
