#include "rollout/recorded.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json_scan.h"
#include "engine/lookup.h"
#include "oracles/oracle.h"

/* ---- Who played ---- */

#define NAME_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-+"

static bool is_ours(const char *agent) {
    bool ours = strcmp(agent, "random") == 0 || strcmp(agent, sb_oracle_names[SB_SEES_FUTURE]) == 0;
    for (const sb_oracle *const *oracle = sb_oracles; *oracle && !ours; oracle++)
        ours = strcmp((*oracle)->name, agent) == 0;
    return ours || strcmp(agent, sb_oracle_names[SB_SEES_OBSERVATIONS]) == 0;
}

void sb_recorded_agent(const char *label, char agent[SB_AGENT_NAME]) {
    snprintf(agent, SB_AGENT_NAME, "%s", strncmp(label, "exec:", strlen("exec:")) == 0 ? "" : label);
    for (char *at = agent; *at; at++)
        if (!strchr(NAME_LETTERS, *at)) *at = '-';
    if (!*agent || is_ours(agent)) snprintf(agent, SB_AGENT_NAME, "program");
}

/* An oracle's result may have any name, but its spec is that of the oracle. */
static bool read_agent(sb_recorded *r, sb_error *error) {
    const cJSON *agent;
    const char *name, *kind, *spec;
    if (!sb_json_object(r->head, "agent", &agent, error) || !sb_json_string(agent, "name", &name, error) ||
        !sb_json_string(agent, "kind", &kind, error) || !sb_json_string(agent, "spec", &spec, error))
        return sb_fail_at(error, "key `agent`");
    const bool ours = strcmp(kind, "oracle") == 0 || strcmp(kind, "random") == 0;
    if (!ours)
        sb_recorded_agent(name, r->agent);
    else if (strlen(spec) < sizeof r->agent)
        snprintf(r->agent, sizeof r->agent, "%s", spec);
    return *r->agent || sb_fail(error, SB_INVALID, "key `agent`: `%.40s` is no oracle", spec);
}

/* ---- The episodes of a result ---- */

/* Returns the rules that the family's part of a result tells of a task, or NULL. */
static const char *own_rules(const cJSON *family, const char *task) {
    const cJSON *pair;
    cJSON_ArrayForEach(pair, cJSON_GetObjectItemCaseSensitive(family, "tasks")) {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(pair, "task"));
        if (name && strcmp(name, task) == 0)
            return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(pair, "rules"));
    }
    return NULL;
}

/* Finds the rules under which the episode was played: the task's own, else the family's. */
static bool read_rules(const sb_recorded *r, sb_tape *tape, sb_error *error) {
    const cJSON *families, *item;
    const sb_family *family = tape->of.family;
    if (!sb_json_array(r->head, "families", &families, error)) return false;
    cJSON_ArrayForEach(item, families) {
        const char *name, *rules;
        if (!sb_json_string(item, "name", &name, error) || !sb_json_string(item, "rules", &rules, error)) return false;
        if (strcmp(name, family->name) != 0) continue;
        const char *own = own_rules(item, tape->name.task);
        snprintf(tape->rules, sizeof tape->rules, "%s", own ? own : rules);
        return true;
    }
    return sb_fail(error, SB_INVALID, "key `families` lacks the family %s", family->name);
}

static bool read_end(const cJSON *episode, sb_tape *tape, sb_error *error) {
    sb_status *end = &tape->outcome;
    *end = (sb_status){0};
    if (!sb_read_success(episode, tape->criterion, end, error) ||
        !sb_json_double(episode, "return", &end->total, error) ||
        !sb_json_double(episode, "dense_return", &end->dense_total, error) ||
        !sb_json_bool(episode, "terminated", &end->terminated, error) ||
        !sb_json_bool(episode, "truncated", &end->truncated, error) ||
        !sb_read_standing(episode, tape->criterion, end, error))
        return false;
    end->done = end->terminated || end->truncated;
    return end->done || !end->success ||
           sb_fail(error, SB_INVALID, "key `success` should be false: the episode did not end");
}

static bool read_actions(const cJSON *episode, uint64_t *room, sb_tape *tape, sb_error *error) {
    const char *actions, *digest;
    uint64_t steps;
    if (!sb_json_uint(episode, "steps", &steps, error) || !sb_json_string(episode, "actions", &actions, error) ||
        !sb_json_string(episode, "digest", &digest, error))
        return false;
    if (steps > *room) return sb_fail(error, SB_INVALID, "key `steps`: too many steps for a document of this size");
    if (!sb_actions_parse(actions, (size_t)steps, tape, error)) return false;
    *room -= steps;
    if (steps != tape->n) return sb_fail(error, SB_INVALID, "key `steps` disagrees with the actions");
    if (strlen(digest) >= sizeof tape->digest) return sb_fail(error, SB_INVALID, "key `digest` is too long");
    strcpy(tape->digest, digest);
    tape->outcome.steps = (int32_t)tape->n;
    return true;
}

bool sb_recorded_read(const sb_catalogue *catalogue, const cJSON *episode, uint64_t *room, sb_tape *tape,
                      sb_error *error) {
    const char *name;
    return sb_json_string(episode, "episode", &name, error) && sb_tape_read_name(tape, catalogue, name, error) &&
           read_end(episode, tape, error) && read_actions(episode, room, tape, error) &&
           sb_said_read(episode, tape->n, &tape->said, error);
}

static bool read_episode(sb_recorded *r, const cJSON *episode, sb_error *error) {
    sb_tape *tape = &r->tape;
    tape->n_corrections = tape->n_purposes = 0;
    snprintf(tape->agent, sizeof tape->agent, "%s", r->agent);
    return sb_recorded_read(r->catalogue, episode, &r->room, tape, error) && read_rules(r, tape, error);
}

/* Whether the agent failed in a way that says nothing about what it would do: it crashed, or was too late. */
static bool is_lost(const cJSON *episode) {
    const cJSON *failure = cJSON_GetObjectItemCaseSensitive(episode, "error");
    const char *kind = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(failure, "kind"));
    return failure && !(kind && strcmp(kind, "steps") == 0);
}

static bool make_line(sb_recorded *r, sb_error *error) {
    sb_out_clear(&r->made);
    sb_tape_put(&r->tape, &r->made);
    sb_putc(&r->made, '\0');
    r->made.size--;
    return sb_out_ok(&r->made) || sb_fail(error, SB_MEMORY, "out of memory for a tape");
}

static bool next_episode(sb_recorded *r, sb_error *error) {
    while (sb_json_items_next(&r->items, error)) {
        if (is_lost(r->items.item)) {
            r->n_lost++;
            continue;
        }
        if (!read_episode(r, r->items.item, error)) return sb_fail_at(error, "%s, an episode", sb_path_end(r->path));
        return make_line(r, error);
    }
    return error->code == SB_OK ? false : sb_fail_at(error, "%s", sb_path_end(r->path));
}

static bool open_result(sb_recorded *r, sb_error *error) {
    static const char *const long_parts[] = {"episodes", "selection", NULL};
    sb_json_part parts[2];
    if (!sb_file_load_large(r->path, SB_RESULT_BYTES, &r->text, error)) return false;
    r->head = sb_json_split(r->text.data, r->text.size, long_parts, parts, error);
    if (!r->head || !read_agent(r, error)) return sb_fail_at(error, "%s", sb_path_end(r->path));
    r->items = sb_json_items_of(&parts[0]);
    r->room = SB_RESULT_STEPS * (uint64_t)r->text.size + SB_RESULT_MORE_STEPS;
    r->line = &r->made;
    return true;
}

/* ---- The plays of a recording ---- */

static bool next_play(sb_recorded *r, sb_error *error) {
    if (sb_recording_next(&r->recording, &r->lines, &r->has_first, &r->tape, error)) return make_line(r, error);
    return error->code == SB_OK ? false : sb_fail_at(error, "%s, line %zu", sb_path_end(r->path), r->lines.number);
}

/* ---- Any kind ---- */

bool sb_is_result(const char *text, size_t n) {
    static const char *const begin[] = {"{", "\"format\"", ":", "\"" SB_RESULT_FORMAT "\""};
    const char *at = text, *const end = text + n;
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++) {
        const size_t length = strlen(begin[i]);
        at = sb_json_skip_spaces(at, end);
        if ((size_t)(end - at) < length || memcmp(at, begin[i], length) != 0) return false;
        at += length;
    }
    return true;
}

/* Reads the first line that is not blank; false at the end and on a failure. Only recordings have blank ones. */
static bool read_first(sb_recorded *r, sb_error *error) {
    while ((r->has_first = sb_lines_next(&r->lines, error)) && sb_is_blank_line(&r->lines))
        r->recording.lines.n_blank++;
    return r->has_first;
}

bool sb_recorded_tell_left_out(const sb_recorded *r, sb_out *out) {
    return r->recording.lines.source && sb_recording_tell_left_out(&r->recording.lines, out);
}

void sb_recorded_note_left_out(const sb_recorded *r, char note[SB_LEFT_OUT]) {
    sb_out out = sb_out_fixed(note, SB_LEFT_OUT);
    sb_putf(&out, "%s: ", sb_path_end(r->path));
    if (!sb_recorded_tell_left_out(r, &out)) sb_out_clear(&out);
    sb_out_finish(&out);
}

/* Looks at how the file begins, which says what it is. */
bool sb_recorded_open(sb_recorded *r, const sb_catalogue *catalogue, const char *path, sb_error *error) {
    size_t n;
    *r = (sb_recorded){.catalogue = catalogue, .text = sb_out_growing(), .made = sb_out_growing()};
    snprintf(r->path, sizeof r->path, "%s", path);
    if (!sb_lines_open(&r->lines, path, SB_TAPE_BYTES, error)) return false;
    r->line = &r->lines.line;
    const char *begin = sb_lines_peek(&r->lines, &n, error);
    if (error->code != SB_OK) return false;
    if (sb_is_result(begin, n)) return open_result(r, error);
    if (!read_first(r, error)) return error->code == SB_OK;
    r->recording.catalogue = catalogue;
    r->recording.lines.source = sb_recording_of(r->lines.line.data, r->lines.line.size);
    if (r->recording.lines.source) r->line = &r->made;
    return true;
}

bool sb_recorded_next(sb_recorded *r, sb_error *error) {
    if (r->head) return next_episode(r, error);
    if (r->recording.lines.source) return next_play(r, error);
    if (!r->has_first) return sb_lines_next(&r->lines, error);
    r->has_first = false;
    *error = (sb_error){0};
    return true;
}

void sb_recorded_close(sb_recorded *r) {
    sb_lines_close(&r->lines);
    if (r->head) sb_json_items_end(&r->items);
    cJSON_Delete(r->head);
    sb_out_free(&r->text), sb_out_free(&r->made);
    sb_tape_clear(&r->tape);
    sb_recording_close(&r->recording);
}
