#include "rollout/view.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "engine/lookup.h"
#include "engine/testing.h"
#include "rollout/tape.h"

/* ---- Reading ---- */

static const cJSON *find(const cJSON *request, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(request, key);
}

static bool add_mode(sb_view *view, const sb_family *family, const cJSON *item, sb_error *error) {
    if (!cJSON_IsString(item)) return sb_fail(error, SB_INVALID, "key `modes` should be a list of texts");
    const sb_mode *mode = sb_mode_find(family, item->valuestring, error);
    if (!mode) return sb_fail_at(error, "key `modes`");
    const char *name = strcmp(mode->name, item->valuestring) == 0 ? mode->name : mode->alias;
    for (size_t i = 0; i < view->n; i++)
        if (view->names[i] == name) return sb_fail(error, SB_INVALID, "key `modes` names %s twice", name);
    if (view->n == SB_VIEW_MODES)
        return sb_fail(error, SB_INVALID, "key `modes` should name %d modes at most", SB_VIEW_MODES);
    view->modes[view->n] = mode, view->names[view->n++] = name;
    return true;
}

bool sb_view_read_modes(const cJSON *request, const sb_family *family, sb_view *view, sb_error *error) {
    const cJSON *list, *item;
    if (!find(request, "modes")) return true;
    if (!sb_json_array(request, "modes", &list, error)) return false;
    view->n = 0;
    cJSON_ArrayForEach(item, list) {
        if (!add_mode(view, family, item, error)) return false;
    }
    return true;
}

bool sb_view_read_listing(const cJSON *request, sb_view *view, sb_error *error) {
    static const char *const listings[] = {"names", "numbers", "none"};
    size_t choice = view->actions;
    if (!sb_json_optional_word(request, "actions", listings, 3, &choice, error)) return false;
    view->actions = choice;
    return true;
}

bool sb_read_action(const cJSON *item, const char *key, const sb_env *env, sb_action *action, sb_error *error) {
    double number;
    if (!item) return sb_fail(error, SB_INVALID, "key `%s` is missing", key);
    if (cJSON_IsString(item)) return sb_action_parse(env, item->valuestring, action, error);
    if (!sb_json_is_whole(item, INT32_MIN, INT32_MAX, &number))
        return sb_fail(error, SB_INVALID, "key `%s` should be an action's number (0..%d) or name", key,
                       env->n_actions - 1);
    *action = (sb_action)number;
    return true;
}

/* ---- Writing ---- */

/* Writes `"key": [`; the caller adds the items and the bracket. */
static void open_list(sb_out *out, const char *key) {
    sb_put_key(out, key);
    sb_putc(out, '[');
}

static void put_observations(sb_out *out, const sb_env *env, const sb_view *view) {
    sb_put_key(out, "observations");
    sb_putc(out, '{');
    for (size_t i = 0; i < view->n; i++) {
        sb_put_key(out, view->names[i]);
        sb_put_observation(out, env, view->modes[i]);
    }
    sb_putc(out, '}');
}

static void put_valid(sb_out *out, const sb_env *env, const sb_view *view, const sb_action *valid, size_t n) {
    if (view->actions == SB_LIST_NONE) return;
    open_list(out, "valid_actions");
    for (size_t i = 0; i < n; i++) {
        sb_put_comma(out);
        sb_put_int(out, valid[i]);
    }
    sb_putc(out, ']');
    if (view->actions == SB_LIST_NUMBERS) return;
    open_list(out, "valid_names");
    for (size_t i = 0; i < n; i++) {
        sb_put_comma(out);
        sb_put_entry_text(out, env, valid[i]);
    }
    sb_putc(out, ']');
}

/* Lists the valid actions; the room grows to the largest number of actions met. */
static bool list_valid(sb_action_room *room, const sb_env *env, size_t *n, sb_error *error) {
    *n = sb_valid_actions(env, room->actions, room->capacity);
    if (*n <= room->capacity) return true;
    sb_action *actions = realloc(room->actions, *n * sizeof *actions);
    if (!actions) return sb_fail(error, SB_MEMORY, "out of memory for %zu actions", *n);
    room->actions = actions, room->capacity = *n;
    sb_valid_actions(env, actions, *n);
    return true;
}

void sb_view_print_standing(const sb_env *env, sb_out *out) {
    char why[240];
    sb_member_standing(out, sb_criterion_in(env), &env->status);
    if (!env->status.fault) return;
    sb_fault_text(env, why, sizeof why);
    sb_member_text(out, "fault_text", why);
}

bool sb_view_print(const sb_view *view, const sb_env *env, sb_action_room *room, sb_out *out, sb_error *error) {
    size_t n = 0;
    if (view->actions != SB_LIST_NONE && !list_valid(room, env, &n, error)) return false;
    put_observations(out, env, view);
    put_valid(out, env, view, room->actions, n);
    return true;
}

void sb_view_print_actions(const sb_env *env, sb_out *out) {
    open_list(out, "action_names");
    for (size_t i = 0; i < sb_mask_size(&env->shape); i++) {
        sb_put_comma(out);
        sb_put_entry_text(out, env, (sb_action)i);
    }
    sb_putc(out, ']');
}
