/* Reading results (evaluation/result.h). */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/grow.h"
#include "base/json.h"
#include "engine/lookup.h"
#include "evaluation/result.h"
#include "evaluation/selected.h"

enum { OFFICIAL = 1 << 16 /* more official episodes than a family has */ };

/* Reads the salt, which results of version 0.1 do not have. */
static bool read_salt(const cJSON *agent, sb_results *results, sb_error *error) {
    const char *hex = NULL;
    sb_salt salt;
    if (!sb_json_optional_string(agent, "salt", &hex, error) || (hex && !sb_salt_parse(hex, &salt, error)))
        return sb_fail_at(error, "agent");
    if (hex) sb_salt_print(&salt, results->salt);
    return true;
}

static bool read_sight(const cJSON *agent, sb_results *results, sb_error *error) {
    const size_t first = SB_PLUGIN_OBSERVATIONS;
    size_t kind;
    if (results->kind != SB_AGENT_PLUGIN) return true;
    if (!sb_json_word(agent, "sees", sb_plugin_kinds + first, 3 - first, &kind, error))
        return sb_fail_at(error, "agent");
    results->sees = (sb_plugin_kind)(first + kind);
    return true;
}

static bool read_agent(const cJSON *agent, sb_results *results, sb_error *error) {
    const char *name;
    size_t index;
    if (!sb_json_string(agent, "name", &name, error) ||
        !sb_json_word(agent, "kind", sb_agent_kinds, SB_N_AGENTS, &index, error))
        return sb_fail_at(error, "agent");
    sb_copy_plain(results->agent, sizeof results->agent, name);
    results->kind = (sb_agent_kind)index;
    return read_sight(agent, results, error) && read_salt(agent, results, error) &&
           (sb_json_optional_uint(agent, "frames_per_action", &results->frames, error) || sb_fail_at(error, "agent"));
}

static bool read_next_episode(const cJSON *item, uint64_t *room, sb_results *results, size_t *capacity,
                              sb_error *error) {
    const size_t before = *capacity;
    if (!sb_make_room((void **)&results->episodes, results->n + 1, capacity, sizeof *results->episodes))
        return sb_fail(error, SB_MEMORY, "out of memory for %zu episodes", results->n + 1);
    memset(results->episodes + before, 0, (*capacity - before) * sizeof *results->episodes);
    sb_played *played = &results->episodes[results->n++];
    return sb_played_read(results->catalogue, item, room, played, error) ||
           sb_fail_at(error, "episode %zu", results->n);
}

static bool keep(const sb_json_part *part, char **text, sb_error *error) {
    *text = malloc(part->n + 1);
    if (!*text) return sb_fail(error, SB_MEMORY, "out of memory for a part of a result");
    if (part->n) memcpy(*text, part->at, part->n);
    (*text)[part->n] = '\0';
    return true;
}

/* Keeps what is told about the agent as it is spelled. */
static bool read_about(const cJSON *agent, const sb_json_part *part, sb_results *results, sb_error *error) {
    const cJSON *empty;
    if (!cJSON_GetObjectItemCaseSensitive(agent, "about")) return true;
    return (sb_json_object(agent, "about", &empty, error) || sb_fail_at(error, "agent")) &&
           keep(part, &results->about, error);
}

static bool read_agent_part(const cJSON *document, const sb_json_part *part, sb_results *results, sb_error *error) {
    static const char *const names[] = {"about", NULL};
    const cJSON *empty;
    sb_json_part about;
    if (!sb_json_object(document, "agent", &empty, error)) return false;
    cJSON *agent = sb_json_part_split(part, names, &about, error);
    const bool ok = agent && read_agent(agent, results, error) && read_about(agent, &about, results, error);
    cJSON_Delete(agent);
    return ok;
}

/* Fails unless attempts are numbered and stand together: 1, 2, ... of one episode, then those of the next. */
static bool check_attempts(const sb_results *results, sb_error *error) {
    for (size_t i = 0; i < results->n; i++) {
        const sb_played *played = &results->episodes[i];
        uint32_t due;
        sb_plays_at(&results->plays, i, &due);
        if (played->attempt != due)
            return sb_fail(error, SB_INVALID, "episode %zu: key `attempt` should be %u, not %u", i + 1, due,
                           played->attempt);
        if (due > 1 && sb_compare_names(&played->tape.name, &played[-1].tape.name) != 0)
            return sb_fail(error, SB_INVALID, "episode %zu is not the one that was attempted before", i + 1);
    }
    return true;
}

/* Parses the episodes one at a time, because a document may hold millions. */
static bool read_episodes(const cJSON *document, const sb_json_part *part, uint64_t room, sb_results *results,
                          sb_error *error) {
    const cJSON *list;
    size_t capacity = 0;
    if (!sb_json_array(document, "episodes", &list, error)) return false;
    sb_json_items items = sb_json_items_of(part);
    bool ok = true;
    while (ok && sb_json_items_next(&items, error))
        ok = read_next_episode(items.item, &room, results, &capacity, error);
    sb_json_items_end(&items);
    if (!ok || error->code != SB_OK) return false;
    return results->n || sb_fail(error, SB_INVALID, "key `episodes` is an empty list");
}

/* A task may have rules of its own, and the program of a user has a hash. */
static bool check_task_rules(const sb_catalogue *catalogue, const sb_family *family, const cJSON *pair,
                             sb_error *error) {
    const char *name, *said = NULL, *hash = NULL;
    char rules[SB_RULES_NAME];
    size_t index;
    if (!sb_json_optional_string(pair, "rules", &said, error) ||
        !sb_json_optional_string(pair, "program", &hash, error))
        return false;
    if (!said && !hash) return true;
    if (!sb_json_string(pair, "task", &name, error) || !sb_task_find(catalogue, family, name, &index, error))
        return false;
    const sb_task_info *task = sb_task_at(catalogue, family, index);
    const sb_program *program = sb_task_program(catalogue, task);
    sb_rules_name(family, task, rules);
    if (said && !sb_rules_agree("played", said, rules, error)) return sb_fail_at(error, "%.40s", name);
    return !hash || (program && strcmp(program->sha256, hash) == 0) ||
           sb_fail(error, SB_MISMATCH, "%.40s: played with a program that has the SHA-256 %.64s", name, hash);
}

/* Fails if the episodes were played under other rules than those of this program. */
static bool check_rules(const sb_catalogue *catalogue, const cJSON *document, sb_error *error) {
    const cJSON *families, *item, *pair;
    if (!sb_json_array(document, "families", &families, error)) return false;
    cJSON_ArrayForEach(item, families) {
        const char *name, *said;
        char rules[SB_RULES_NAME];
        if (!sb_json_string(item, "name", &name, error) || !sb_json_string(item, "rules", &said, error)) return false;
        const sb_family *family = sb_family_find(name, error);
        if (!family) return false;
        sb_rules_name(family, NULL, rules);
        if (!sb_rules_agree("played", said, rules, error)) return false;
        cJSON_ArrayForEach(
            pair, cJSON_GetObjectItemCaseSensitive(item, "tasks")) if (!check_task_rules(catalogue, family, pair,
                                                                                         error)) return false;
    }
    return true;
}

static bool tells_of(const cJSON *document, const sb_family *family) {
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(document, "families")) {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "name"));
        if (name && strcmp(name, family->name) == 0) return true;
    }
    return false;
}

static bool check_families(const cJSON *document, const sb_results *results, sb_error *error) {
    for (const sb_family *const *family = sb_families; *family; family++)
        if (sb_has_family(results, *family) && !tells_of(document, *family))
            return sb_fail(error, SB_INVALID, "key `families` lacks the family %s, of which there are episodes",
                           (*family)->name);
    return true;
}

/* Makes the plan of a budget again, if there is one. Its episodes are official, so there are not many. */
static bool read_budget(const sb_catalogue *catalogue, const cJSON *document, const sb_json_part *part,
                        sb_results *results, sb_error *error) {
    static const char *const names[] = {"pack", NULL};
    sb_json_part pack;
    sb_selected selected = {0};
    if (!cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(document, "selection"))) return true;
    cJSON *object = sb_json_part_split(part, names, &pack, error);
    bool ok = object;
    if (ok && cJSON_HasObjectItem(object, "budget")) {
        ok = sb_selected_read(catalogue, part, NULL, OFFICIAL, &selected, error) || sb_fail_at(error, "selection");
        if (ok) sb_results_plan(results, &selected.plan);
    }
    cJSON_Delete(object);
    sb_selected_free(&selected);
    return ok;
}

/* Members of the document that may be long, and are kept as texts. */
enum { EPISODES, SELECTION, AGENT, N_PARTS };
static const char *const part_names[] = {
    [EPISODES] = "episodes", [SELECTION] = "selection", [AGENT] = "agent", [N_PARTS] = NULL};

static bool read_document(const cJSON *document, const sb_json_part parts[], size_t bytes, sb_results *results,
                          sb_error *error) {
    static const char *const keys[] = {"format", "version",  "seedbed",  "agent",    "selection", "attempts",
                                       "part",   "baseline", "families", "episodes", NULL};
    const char *format;
    uint64_t version;
    if (cJSON_HasObjectItem(document, "experiment"))
        return sb_fail(
            error, SB_INVALID,
            "this is an experiment, not a result: `seedbed report` takes the folder that it stands in, or its "
            "other files");
    if (!sb_json_string(document, "format", &format, error)) return false;
    if (strcmp(format, SB_RESULT_FORMAT) != 0)
        return sb_fail(error, SB_INVALID, "this is not a result of an evaluation: its format is `%.40s`", format);
    if (!sb_json_uint(document, "version", &version, error)) return false;
    if (version < SB_RESULT_OLDEST || version > SB_RESULT_VERSION)
        return sb_fail(error, SB_VERSION_OTHER, "the result has version %llu, but this program reads versions %d to %d",
                       (unsigned long long)version, SB_RESULT_OLDEST, SB_RESULT_VERSION);
    results->version = (unsigned)version;
    return sb_json_known_keys(document, keys, error) && check_rules(results->catalogue, document, error) &&
           read_agent_part(document, &parts[AGENT], results, error) &&
           sb_plays_read(document, &results->plays, error) && keep(&parts[AGENT], &results->told, error) &&
           keep(&parts[SELECTION], &results->selection, error) &&
           read_budget(results->catalogue, document, &parts[SELECTION], results, error) &&
           read_episodes(document, &parts[EPISODES], SB_RESULT_STEPS * (uint64_t)bytes + SB_RESULT_MORE_STEPS, results,
                         error) &&
           check_attempts(results, error) && check_families(document, results, error);
}

bool sb_result_parse(const sb_catalogue *catalogue, const char *text, size_t n, sb_results *results, sb_error *error) {
    *results = (sb_results){.catalogue = catalogue};
    sb_json_part parts[N_PARTS];
    cJSON *document = sb_json_split(text, n, part_names, parts, error);
    if (!document) return false;
    const bool ok = read_document(document, parts, n, results, error);
    results->head = document;
    if (!ok) sb_results_free(results);
    return ok;
}

bool sb_result_load(const sb_catalogue *catalogue, const char *path, sb_results *results, sb_error *error) {
    sb_out text = sb_out_growing();
    *results = (sb_results){0};
    bool ok = sb_file_load_large(path, SB_RESULT_BYTES, &text, error);
    ok = ok && (sb_result_parse(catalogue, text.data, text.size, results, error) ||
                sb_fail_at(error, "%s", sb_path_end(path)));
    sb_out_free(&text);
    return ok;
}

/* ---- Verifying ---- */

bool sb_results_verify(const sb_results *results, const sb_stop *stop, sb_error *error) {
    sb_env *env = sb_make(results->catalogue, NULL, error);
    bool ok = env;
    for (size_t i = 0; i < results->n && ok; i++) {
        ok = !sb_is_stopped(stop) || sb_fail(error, SB_INVALID, "the check was stopped");
        ok = ok && sb_played_replay(&results->episodes[i], env, error);
    }
    sb_free(env);
    return ok;
}
