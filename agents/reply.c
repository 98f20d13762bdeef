#include "agents/slot.h"

#include <string.h>

#include "base/error.h"
#include "base/json.h"

cJSON *sb_reply_parse(const char *text, size_t n, sb_error *error) {
    cJSON *parsed = sb_json_parse(text, n, error);
    if (!parsed || cJSON_IsObject(parsed)) return parsed;
    cJSON_Delete(parsed);
    sb_fail(error, SB_INVALID, "a reply should be a JSON object, such as {\"action\": 1}");
    return NULL;
}

/* Finds the member. It must not be repeated: if there were two actions, it would be unclear which one is meant. */
static bool find_once(const cJSON *object, const char *key, const cJSON **found, sb_error *error) {
    const cJSON *item;
    *found = NULL;
    cJSON_ArrayForEach(item, object) {
        if (strcmp(item->string, key) != 0) continue;
        if (*found) return sb_fail(error, SB_INVALID, "key `%s` is repeated", key);
        *found = item;
    }
    return true;
}

/* ---- Actions ---- */

static bool read_one(const cJSON *item, const char *key, const sb_env *env, sb_reply *reply, sb_error *error) {
    sb_action *action = &reply->actions[reply->n];
    if (!sb_read_action(item, key, env, action, error)) return false;
    reply->n++;
    return (*action >= 0 && *action < env->n_actions) ||
           sb_fail(error, SB_INVALID, "key `%s`: action %d is out of range: 0..%d", key, *action, env->n_actions - 1);
}

static bool read_several(const cJSON *list, const sb_env *env, sb_reply *reply, sb_error *error) {
    const cJSON *item;
    const int n = cJSON_GetArraySize(list);
    if (!cJSON_IsArray(list) || n < 1 || n > SB_REPLY_ACTIONS)
        return sb_fail(error, SB_INVALID, "key `actions` should be a list of 1 to %d actions", SB_REPLY_ACTIONS);
    reply->several = true;
    cJSON_ArrayForEach(item, list) {
        if (!read_one(item, "actions", env, reply, error)) return false;
    }
    return true;
}

static bool add_until(const cJSON *item, unsigned *until, sb_error *error) {
    static const struct {
        const char *word;
        unsigned until;
    } words[] = {{"reward", SB_UNTIL_REWARD}, {"level", SB_UNTIL_LEVEL}, {"event", SB_UNTIL_EVENT}, {"end", 0}};
    for (size_t i = 0; cJSON_IsString(item) && i < sizeof words / sizeof *words; i++)
        if (strcmp(item->valuestring, words[i].word) == 0) return *until |= words[i].until, true;
    return sb_fail(error, SB_INVALID, "key `until` should be reward, level, event or end, or a list of these");
}

static bool read_until(const cJSON *told, unsigned *until, sb_error *error) {
    const cJSON *item;
    if (!told) return true;
    if (!cJSON_IsArray(told)) return add_until(told, until, error);
    cJSON_ArrayForEach(item, told) {
        if (!add_until(item, until, error)) return false;
    }
    return true;
}

static bool read_said(const cJSON *object, sb_reply *reply, sb_error *error) {
    const cJSON *thought;
    if (!sb_counters_read(object, SB_COUNTER_MAX, &reply->counters, error) ||
        !find_once(object, "thought", &thought, error))
        return false;
    reply->thought = cJSON_GetStringValue(thought);
    return !thought || reply->thought || sb_fail(error, SB_INVALID, "key `thought` should be a text");
}

bool sb_reply_read_said(const cJSON *object, sb_reply *reply, sb_error *error) {
    if (read_said(object, reply, error)) return true;
    reply->counters = (sb_counters){0}, reply->thought = NULL; /* nothing of a bad reply counts */
    return false;
}

/* ---- Losing an episode ---- */

static bool read_lost(const cJSON *object, sb_reply *reply, sb_error *error) {
    static const sb_failure_kind kinds[] = {SB_FAILED_ENDPOINT, SB_FAILED_CONTEXT, SB_FAILED_QUOTA, SB_FAILED_REFUSED,
                                            SB_FAILED_NONSENSE};
    const char *kind;
    if (!sb_json_string(object, "kind", &kind, error) || !sb_json_string(object, "text", &reply->lost_text, error))
        return sb_fail_at(error, "key `lost`");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, sb_failure_names[kinds[i]]) == 0) return reply->lost = kinds[i], true;
    return sb_fail(error, SB_INVALID, "key `lost`: `kind` should be endpoint, context, quota, refused or nonsense");
}

bool sb_reply_read(const cJSON *object, const sb_env *env, sb_reply *reply, sb_error *error) {
    const cJSON *action, *actions, *until, *lost;
    *reply = (sb_reply){0};
    if (!sb_reply_read_said(object, reply, error) || !find_once(object, "action", &action, error) ||
        !find_once(object, "actions", &actions, error) || !find_once(object, "until", &until, error) ||
        !find_once(object, "lost", &lost, error))
        return false;
    if (lost && (action || actions))
        return sb_fail(error, SB_INVALID, "give either an action or `lost`, which gives the episode up");
    if (lost) return read_lost(lost, reply, error);
    if (!actions) return read_one(action, "action", env, reply, error);
    if (action) return sb_fail(error, SB_INVALID, "give either `action` or `actions`");
    return read_several(actions, env, reply, error) && read_until(until, &reply->until, error);
}

/* ---- Hello ---- */

static bool check_hello(const cJSON *hello, sb_error *error) {
    static const char *const known[] = {"protocol", "name", "modes", "actions", "batch", "about", "pixels"};
    const cJSON *items[7];
    const char *name = "";
    double number;
    sb_view view = {0};
    for (size_t i = 0; i < 7; i++)
        if (!find_once(hello, known[i], &items[i], error)) return false;
    const cJSON *version = items[0], *batch = items[4], *about = items[5];
    if (version && !sb_json_is_whole(version, SB_AGENT_PROTOCOL, SB_AGENT_PROTOCOL, &number))
        return sb_fail(error, SB_INVALID, "key `protocol` should be %d, the only version that this program speaks",
                       SB_AGENT_PROTOCOL);
    if (batch && !sb_json_is_whole(batch, 1, SB_BATCH_MAX, &number))
        return sb_fail(error, SB_INVALID, "key `batch` should be a number from 1 to %d", SB_BATCH_MAX);
    if (about && !cJSON_IsObject(about)) return sb_fail(error, SB_INVALID, "key `about` should be an object");
    return sb_json_optional_string(hello, "name", &name, error) && sb_view_read_listing(hello, &view, error);
}

cJSON *sb_hello_parse(const char *text, size_t n, sb_error *error) {
    cJSON *hello = sb_reply_parse(text, n, error);
    if (!hello || check_hello(hello, error)) return hello;
    cJSON_Delete(hello);
    return NULL;
}

bool sb_hello_view(const cJSON *hello, const sb_family *family, sb_view *view, sb_error *error) {
    *view = (sb_view){.modes = {&family->modes[0]}, .names = {family->modes[0].name}, .n = 1};
    return sb_view_read_modes(hello, family, view, error) && sb_view_read_listing(hello, view, error);
}

size_t sb_hello_batch(const cJSON *hello) {
    const cJSON *batch = cJSON_GetObjectItemCaseSensitive(hello, "batch");
    return batch ? (size_t)batch->valuedouble : 0;
}

/* ---- About ---- */

static bool has_key(const sb_json_part *object, const sb_json_part *key) {
    sb_error ignored;
    if (!object->n) return false;
    sb_json_walk walk = sb_json_walk_of(object);
    while (sb_json_walk_next(&walk, &ignored))
        if (walk.key.n == key->n && memcmp(walk.key.at, key->at, key->n) == 0) return true;
    return false;
}

/* Writes the members, but for those that `other` has, too. In one line: between values a newline is only a space. */
static void put_members(const sb_json_part *object, const sb_json_part *other, sb_out *out) {
    sb_error ignored;
    if (!object->n) return;
    sb_json_walk walk = sb_json_walk_of(object);
    while (sb_json_walk_next(&walk, &ignored)) {
        if (has_key(other, &walk.key)) continue;
        sb_put_comma(out);
        sb_put(out, walk.key.at, walk.key.n);
        sb_puts(out, ": ");
        for (size_t i = 0; i < walk.value.n; i++)
            sb_putc(out, sb_json_is_space(walk.value.at[i]) ? ' ' : walk.value.at[i]);
    }
}

bool sb_about_print(const char *hello, size_t n, const char *more, sb_out *out, sb_error *error) {
    static const char *const names[] = {"about", NULL};
    sb_json_part told = {0};
    const sb_json_part given = more ? sb_json_whole(more, strlen(more)) : told, none = {0};
    cJSON *object = hello ? sb_json_split(hello, n, names, &told, error) : NULL;
    if (hello && !object) return false;
    cJSON_Delete(object);
    if (!told.n && !given.n) return true;
    const size_t begin = out->size;
    sb_puts(out, "{");
    put_members(&told, &given, out);
    put_members(&given, &none, out);
    sb_puts(out, "}");
    if (!sb_out_ok(out)) return sb_fail(error, SB_MEMORY, "out of memory for what is told about an agent");
    return out->size - begin <= SB_ABOUT_BYTES ||
           sb_fail(error, SB_INVALID, "what is told about an agent has more than %d bytes", SB_ABOUT_BYTES);
}
