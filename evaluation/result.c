#include "evaluation/result.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "engine/lookup.h"

/* ---- Writing ---- */

static void put_interval(sb_out *out, const char *key, const sb_interval *interval) {
    sb_put_key(out, key);
    sb_puts(out, "[");
    sb_put_double(out, interval->lower);
    sb_put_comma(out);
    sb_put_double(out, interval->upper);
    sb_puts(out, "]");
}

/* Writes the success rate over the episodes that have success; null if there are none. */
static void put_success(sb_out *out, const sb_tally *t) {
    if (t->judged != t->episodes) sb_member_uint(out, "judged", t->judged);
    if (t->judged || !t->episodes) {
        sb_member_double(out, "success_rate", t->success_rate);
        put_interval(out, "success_interval", &t->success_interval);
    } else {
        sb_put_key(out, "success_rate"), sb_puts(out, "null");
        sb_put_key(out, "success_interval"), sb_puts(out, "null");
    }
}

static void put_score_of(sb_out *out, const sb_tally *t) {
    if (!t->scored) return;
    sb_member_uint(out, "scored", t->scored);
    sb_member_double(out, "mean_score", t->mean_score);
    put_interval(out, "score_interval", &t->score_interval);
}

static void put_tally(sb_out *out, const sb_tally *t) {
    sb_member_uint(out, "episodes", t->episodes);
    sb_member_uint(out, "successes", t->successes);
    sb_member_uint(out, "errors", t->failures);
    if (t->faults) sb_member_uint(out, "faults", t->faults);
    put_success(out, t);
    put_score_of(out, t);
    sb_member_double(out, "mean_return", t->mean_return);
    sb_member_double(out, "return_deviation", t->return_deviation);
    sb_member_double(out, "mean_dense_return", t->mean_dense_return);
    sb_member_double(out, "mean_steps", t->mean_steps);
    sb_member_double(out, "mean_steps_of_successes", t->mean_success_steps);
    if (t->can_be_won + t->cannot_be_won == 0) return;
    sb_put_key(out, "solvable");
    sb_puts(out, "{");
    sb_member_uint(out, "episodes", t->can_be_won);
    sb_member_uint(out, "successes", t->certified_successes);
    if (t->can_be_won) sb_member_double(out, "success_rate", (double)t->certified_successes / (double)t->can_be_won);
    sb_member_uint(out, "impossible", t->cannot_be_won);
    sb_member_uint(out, "uncertified", t->episodes - t->can_be_won - t->cannot_be_won);
    sb_puts(out, "}");
}

static void put_pair(sb_out *out, const sb_summary *s, const sb_pair *pair) {
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_text(out, "family", s->family->name);
    sb_member_text(out, "task", pair->task->name);
    sb_member_text(out, "difficulty", pair->difficulty);
    sb_member_text(out, "category", pair->task->category);
    put_tally(out, &pair->tally);
    if (pair->bounds) {
        sb_member_double(out, "normalised", pair->normalised);
        put_interval(out, "normalised_interval", &pair->normalised_interval);
    }
    sb_puts(out, "}");
}

static void put_groups(sb_out *out, const char *key, const sb_group *groups, size_t n) {
    sb_put_key(out, key);
    sb_puts(out, "[");
    for (size_t i = 0; i < n; i++) {
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_text(out, "name", groups[i].name);
        put_tally(out, &groups[i].tally);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

static void put_parts(sb_out *out, const sb_total *total, bool intervals) {
    sb_put_key(out, "categories");
    sb_puts(out, "[");
    for (size_t i = 0; i < total->n_parts; i++) {
        const sb_category_score *part = &total->parts[i];
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_text(out, "name", part->category);
        sb_member_double(out, "score", part->score);
        if (intervals) put_interval(out, "interval", &part->interval);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

static void put_score(sb_out *out, const sb_summary *s, sb_score_kind kind) {
    const sb_score *score = &s->scores[kind];
    sb_put_key(out, sb_score_names[kind]);
    sb_puts(out, "{");
    sb_put_key(out, "score");
    if (!score->known) {
        sb_puts(out, "null");
        sb_member_text(out, "missing", score->missing);
    } else {
        sb_put_double(out, score->total.score);
        put_interval(out, "interval", &score->total.interval);
        sb_member_uint(out, "tasks", score->tasks);
        sb_member_uint(out, "of", s->family->n_tasks);
        if (score->total.n_parts) put_parts(out, &score->total, kind == SB_SCORE_CAPABILITY);
    }
    sb_puts(out, "}");
}

static void put_summary(sb_out *out, const sb_summary *s) {
    char rules[SB_RULES_NAME];
    sb_rules_name(s->family, NULL, rules);
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_text(out, "name", s->family->name);
    sb_member_text(out, "rules", rules);
    sb_put_key(out, "scores");
    sb_puts(out, "{");
    for (sb_score_kind kind = 0; kind < SB_N_SCORES; kind++) put_score(out, s, kind);
    sb_puts(out, "}");
    sb_put_key(out, "all");
    sb_puts(out, "{");
    put_tally(out, &s->all);
    sb_puts(out, "}");
    put_groups(out, "categories", s->categories, s->n_categories);
    put_groups(out, "difficulties", s->difficulties, s->n_difficulties);
    sb_put_key(out, "tasks");
    sb_puts(out, "[");
    for (size_t i = 0; i < s->n_pairs; i++) put_pair(out, s, &s->pairs[i]);
    sb_puts(out, "]}");
}

bool sb_result_print_families(const sb_results *results, const sb_baseline *baseline, sb_out *out, sb_error *error) {
    sb_put_key(out, "families");
    sb_puts(out, "[");
    for (const sb_family *const *family = sb_families; *family; family++) {
        sb_summary summary;
        if (!sb_has_family(results, *family)) continue;
        const bool ok = sb_summarise(results, *family, baseline, &summary, error);
        if (ok) put_summary(out, &summary);
        sb_summary_free(&summary);
        if (!ok) return false;
    }
    sb_puts(out, "]");
    return true;
}

static void put_baseline(const sb_baseline *baseline, sb_out *out) {
    sb_put_key(out, "baseline");
    sb_puts(out, "{");
    if (baseline->frozen) sb_member_uint(out, "version", baseline->frozen);
    sb_member_text(out, "sha256", baseline->hash);
    sb_puts(out, "}");
}

static void put_agent(const sb_results *results, const sb_result_context *context, sb_out *out) {
    const sb_agent_options *limits = context->limits;
    const bool is_program = results->kind == SB_AGENT_EXEC;
    sb_put_key(out, "agent");
    sb_puts(out, "{");
    sb_member_text(out, "name", results->agent);
    sb_member_text(out, "kind", sb_agent_kinds[results->kind]);
    sb_member_text(out, "spec", context->spec);
    if (limits && is_program) {
        sb_member_uint(out, "start_seconds", limits->start_seconds);
        sb_member_uint(out, "reply_seconds", limits->reply_seconds);
    }
    if (limits && limits->steps) sb_member_uint(out, "steps", limits->steps);
    if (limits && is_program) sb_member_bool(out, "fresh", limits->fresh);
    if (*results->salt) sb_member_text(out, "salt", results->salt);
    sb_puts(out, "}");
}

/* Writes how the episode ended. An episode that the agent failed is no success. */
static void put_outcome(sb_out *out, const sb_played *played) {
    sb_status end = played->tape.outcome;
    end.success = sb_won(played);
    sb_member_success(out, played->tape.criterion, &end);
}

static void put_episode(sb_out *out, const sb_played *played) {
    char name[SB_NAME_MAX];
    const sb_status *end = &played->tape.outcome;
    sb_name_print(&played->tape.name, name, sizeof name);
    sb_puts(out, "{");
    sb_member_text(out, "episode", name);
    put_outcome(out, played);
    sb_member_double(out, "return", end->total);
    sb_member_double(out, "dense_return", end->dense_total);
    sb_member_uint(out, "steps", played->tape.n);
    sb_member_bool(out, "terminated", end->terminated);
    sb_member_bool(out, "truncated", end->truncated);
    sb_member_standing(out, played->tape.criterion, end);
    sb_member_text(out, "digest", played->tape.digest);
    sb_put_key(out, "actions");
    sb_putc(out, '"');
    sb_actions_print(played->tape.actions, played->tape.n, out);
    sb_putc(out, '"');
    if (played->winnable) sb_member_text(out, "certificate", sb_winnable_names[played->winnable]);
    if (played->failure.kind) {
        sb_put_key(out, "error");
        sb_puts(out, "{");
        sb_member_text(out, "kind", sb_failure_names[played->failure.kind]);
        sb_member_text(out, "text", played->failure.text);
        sb_puts(out, "}");
    }
    sb_puts(out, "}");
}

static void put_episodes(const sb_results *results, sb_out *out) {
    sb_puts(out, ", \"episodes\": [");
    for (size_t i = 0; i < results->n; i++) {
        sb_puts(out, i ? ",\n" : "\n");
        put_episode(out, &results->episodes[i]);
    }
    sb_puts(out, "\n]");
}

bool sb_result_print(const sb_results *results, const sb_result_context *context, bool episodes, sb_out *out,
                     sb_error *error) {
    sb_puts(out, "{");
    sb_member_text(out, "format", SB_RESULT_FORMAT);
    sb_member_int(out, "version", SB_RESULT_VERSION);
    sb_member_text(out, "seedbed", SB_VERSION);
    put_agent(results, context, out);
    sb_put_key(out, "selection");
    sb_puts(out, context->selection);
    put_baseline(context->baseline, out);
    if (!sb_result_print_families(results, context->baseline, out, error)) return false;
    if (episodes) put_episodes(results, out);
    sb_puts(out, "}\n");
    return sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for the result");
}

/* ---- Reading ---- */

static bool index_of(const char *const *names, size_t n, const char *name, size_t *index) {
    for (*index = 0; *index < n; ++*index)
        if (strcmp(names[*index], name) == 0) return true;
    return false;
}

/* Reads the salt, which results of version 0.1 do not have. */
static bool read_salt(const cJSON *agent, sb_results *results, sb_error *error) {
    const char *hex = NULL;
    sb_salt salt;
    if (!sb_json_optional_string(agent, "salt", &hex, error) || (hex && !sb_salt_parse(hex, &salt, error)))
        return sb_fail_at(error, "agent");
    if (hex) sb_salt_print(&salt, results->salt);
    return true;
}

static bool read_agent(const cJSON *document, sb_results *results, sb_error *error) {
    const cJSON *agent;
    const char *name, *kind;
    size_t index;
    if (!sb_json_object(document, "agent", &agent, error) || !sb_json_string(agent, "name", &name, error) ||
        !sb_json_string(agent, "kind", &kind, error))
        return sb_fail_at(error, "agent");
    if (!index_of(sb_agent_kinds, SB_N_AGENTS, kind, &index))
        return sb_fail(error, SB_INVALID, "agent: key `kind`: unknown kind `%.40s`", kind);
    sb_copy_plain(results->agent, sizeof results->agent, name);
    results->kind = (sb_agent_kind)index;
    return read_salt(agent, results, error);
}

static bool read_failure(const cJSON *episode, sb_failure *failure, sb_error *error) {
    const cJSON *object;
    const char *kind, *text;
    size_t index;
    if (!cJSON_GetObjectItemCaseSensitive(episode, "error")) return true;
    if (!sb_json_object(episode, "error", &object, error) || !sb_json_string(object, "kind", &kind, error) ||
        !sb_json_string(object, "text", &text, error))
        return sb_fail_at(error, "error");
    if (!index_of(sb_failure_names, SB_N_FAILURES, kind, &index) || index == SB_NO_FAILURE)
        return sb_fail(error, SB_INVALID, "key `error`: unknown kind `%.40s`", kind);
    failure->kind = (sb_failure_kind)index;
    sb_copy_plain(failure->text, sizeof failure->text, text);
    return true;
}

static bool read_certificate(const cJSON *episode, sb_winnable *winnable, sb_error *error) {
    const char *name = sb_winnable_names[0];
    size_t index;
    if (cJSON_GetObjectItemCaseSensitive(episode, "certificate") &&
        !sb_json_string(episode, "certificate", &name, error))
        return false;
    if (!index_of(sb_winnable_names, 3, name, &index))
        return sb_fail(error, SB_INVALID, "key `certificate`: unknown value `%.40s`", name);
    *winnable = (sb_winnable)index;
    return true;
}

static bool read_outcome(const cJSON *episode, sb_criterion criterion, sb_status *end, sb_error *error) {
    if (!sb_read_success(episode, criterion, end, error) || !sb_json_double(episode, "return", &end->total, error) ||
        !sb_json_double(episode, "dense_return", &end->dense_total, error) ||
        !sb_json_bool(episode, "terminated", &end->terminated, error) ||
        !sb_json_bool(episode, "truncated", &end->truncated, error) ||
        !sb_read_standing(episode, criterion, end, error))
        return false;
    end->done = end->terminated || end->truncated;
    return end->done || !end->success ||
           sb_fail(error, SB_INVALID, "key `success` should be false: the episode did not end");
}

/* Reads the actions. `room` is how many actions this and all later episodes may have. */
static bool read_actions(const cJSON *episode, uint64_t *room, sb_tape *tape, sb_error *error) {
    const char *actions;
    uint64_t steps;
    if (!sb_json_uint(episode, "steps", &steps, error) || !sb_json_string(episode, "actions", &actions, error))
        return false;
    if (steps > *room) return sb_fail(error, SB_INVALID, "key `steps`: too many steps for a document of this size");
    if (!sb_actions_parse(actions, (size_t)steps, tape, error)) return false;
    *room -= steps;
    return steps == tape->n || sb_fail(error, SB_INVALID, "key `steps` disagrees with the actions");
}

static bool read_episode(const sb_catalogue *catalogue, const cJSON *episode, uint64_t *room, sb_played *played,
                         sb_error *error) {
    static const char *const keys[] = {
        "episode",        "success", "return",  "dense_return", "steps", "terminated", "truncated",
        SB_STANDING_KEYS, "digest",  "actions", "certificate",  "error", NULL};
    sb_tape *tape = &played->tape;
    const char *name, *digest;
    if (!sb_json_known_keys(episode, keys, error) || !sb_json_string(episode, "episode", &name, error) ||
        !sb_name_parse(catalogue, name, &tape->name, error) ||
        !sb_criterion_of(catalogue, &tape->name, &tape->criterion, error) ||
        !read_outcome(episode, tape->criterion, &tape->outcome, error) || !read_actions(episode, room, tape, error) ||
        !sb_json_string(episode, "digest", &digest, error) || !read_failure(episode, &played->failure, error) ||
        !read_certificate(episode, &played->winnable, error))
        return false;
    if (strlen(digest) >= sizeof tape->digest) return sb_fail(error, SB_INVALID, "key `digest` is too long");
    if (played->failure.kind && tape->outcome.success)
        return sb_fail(error, SB_INVALID, "key `error`: an episode with an error should be no success");
    strcpy(tape->digest, digest);
    tape->outcome.steps = (int32_t)tape->n;
    return true;
}

static bool read_next_episode(const cJSON *item, uint64_t *room, sb_results *results, size_t *capacity,
                              sb_error *error) {
    if (results->n == *capacity) {
        const size_t more = *capacity ? 2 * *capacity : 64;
        sb_played *episodes = realloc(results->episodes, more * sizeof *episodes);
        if (!episodes) return sb_fail(error, SB_MEMORY, "out of memory for %zu episodes", more);
        memset(episodes + *capacity, 0, (more - *capacity) * sizeof *episodes);
        results->episodes = episodes, *capacity = more;
    }
    sb_played *played = &results->episodes[results->n++];
    if (!read_episode(results->catalogue, item, room, played, error))
        return sb_fail_at(error, "episode %zu", results->n);
    const sb_family *family = sb_family_find(played->tape.name.family, error);
    if (!family) return false;
    sb_rules_name(family, NULL, played->tape.rules);
    strcpy(played->tape.agent, "result");
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

/* Fails if the episodes were played under other rules than those of this program. */
static bool check_rules(const cJSON *document, sb_error *error) {
    const cJSON *families, *item;
    if (!sb_json_array(document, "families", &families, error)) return false;
    cJSON_ArrayForEach(item, families) {
        const char *name, *said;
        char rules[SB_RULES_NAME];
        if (!sb_json_string(item, "name", &name, error) || !sb_json_string(item, "rules", &said, error)) return false;
        const sb_family *family = sb_family_find(name, error);
        if (!family) return false;
        sb_rules_name(family, NULL, rules);
        if (strcmp(rules, said) != 0)
            return sb_fail(error, SB_VERSION_OTHER, "played under the rules `%.40s`; this program has the rules `%s`",
                           said, rules);
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

/* Members of the document that may be long, and are kept as texts. */
enum { EPISODES, SELECTION, N_PARTS };
static const char *const part_names[] = {[EPISODES] = "episodes", [SELECTION] = "selection", [N_PARTS] = NULL};

static bool keep_selection(const sb_json_part *part, sb_results *results, sb_error *error) {
    results->selection = malloc(part->n + 1);
    if (!results->selection) return sb_fail(error, SB_MEMORY, "out of memory for a selection");
    if (part->n) memcpy(results->selection, part->at, part->n);
    results->selection[part->n] = '\0';
    return true;
}

static bool read_document(const cJSON *document, const sb_json_part parts[], size_t bytes, sb_results *results,
                          sb_error *error) {
    static const char *const keys[] = {"format",   "version",  "seedbed",  "agent", "selection",
                                       "baseline", "families", "episodes", NULL};
    const char *format;
    uint64_t version;
    if (!sb_json_string(document, "format", &format, error)) return false;
    if (strcmp(format, SB_RESULT_FORMAT) != 0)
        return sb_fail(error, SB_INVALID, "this is not a result of an evaluation: its format is `%.40s`", format);
    if (!sb_json_uint(document, "version", &version, error)) return false;
    if (version < SB_RESULT_OLDEST || version > SB_RESULT_VERSION)
        return sb_fail(error, SB_VERSION_OTHER, "the result has version %llu, but this program reads versions %d to %d",
                       (unsigned long long)version, SB_RESULT_OLDEST, SB_RESULT_VERSION);
    return sb_json_known_keys(document, keys, error) && check_rules(document, error) &&
           read_agent(document, results, error) && keep_selection(&parts[SELECTION], results, error) &&
           read_episodes(document, &parts[EPISODES], SB_RESULT_STEPS * (uint64_t)bytes + SB_RESULT_MORE_STEPS, results,
                         error) &&
           check_families(document, results, error);
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
    bool ok = sb_file_load(path, SB_RESULT_BYTES, &text, error);
    ok = ok && (sb_result_parse(catalogue, text.data, text.size, results, error) || sb_fail_at(error, "%.100s", path));
    sb_out_free(&text);
    return ok;
}

/* ---- Verifying ---- */

static bool verify_episode(const sb_played *played, sb_env *env, sb_error *error) {
    char name[SB_NAME_MAX];
    if (!sb_tape_replay(&played->tape, env, NULL, NULL, error)) return false;
    if (played->failure.kind || played->tape.outcome.done) return true;
    sb_name_print(&played->tape.name, name, sizeof name);
    return sb_fail(error, SB_MISMATCH, "%s: its actions end before the episode does, but there is no error", name);
}

bool sb_results_verify(const sb_results *results, sb_error *error) {
    sb_env *env = sb_make(results->catalogue, NULL, error);
    bool ok = env;
    for (size_t i = 0; i < results->n && ok; i++) ok = verify_episode(&results->episodes[i], env, error);
    sb_free(env);
    return ok;
}
