#include "datasets/recipe.h"

#include <string.h>

#include "base/error.h"
#include "rollout/selection.h"

/* ---- Reading ---- */

static bool read_duplicates(const cJSON *object, sb_row_rules *rules, sb_error *error) {
    const char *text = "keep";
    if (!sb_json_optional_string(object, "duplicates", &text, error)) return false;
    rules->drop_duplicates = strcmp(text, "drop") == 0;
    return rules->drop_duplicates || strcmp(text, "keep") == 0 ||
           sb_fail(error, SB_INVALID, "key `duplicates` should be keep or drop, not `%.20s`", text);
}

static bool check_names(const cJSON *names, sb_error *error) {
    const cJSON *item;
    cJSON_ArrayForEach(item, names) if (!cJSON_IsString(item)) return sb_fail(
        error, SB_INVALID, "key `apart_from`: a list should hold names of episodes");
    return names->child || sb_fail(error, SB_INVALID, "key `apart_from` is an empty list");
}

static bool read_apart_from(const cJSON *object, sb_row_rules *rules, sb_error *error) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "apart_from");
    if (!cJSON_IsArray(item)) return sb_json_optional_string(object, "apart_from", &rules->apart_from, error);
    rules->names = item;
    return check_names(item, error);
}

bool sb_row_rules_read(const cJSON *recipe, sb_row_rules *rules, sb_error *error) {
    static const char *const keys[] = {"duplicates", "apart_from", NULL};
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(recipe, "rows");
    *rules = (sb_row_rules){0};
    if (!cJSON_IsObject(object)) return true;
    return (sb_json_known_keys(object, keys, error) && read_duplicates(object, rules, error) &&
            read_apart_from(object, rules, error)) ||
           sb_fail_at(error, "rows");
}

/* ---- Printing ---- */

void sb_row_rules_print(const sb_row_rules *rules, sb_out *out) {
    const cJSON *item;
    if (sb_row_rules_are_empty(rules)) return;
    sb_put_key(out, "rows");
    sb_puts(out, "{");
    if (rules->drop_duplicates) sb_member_text(out, "duplicates", "drop");
    if (rules->apart_from) sb_member_text(out, "apart_from", rules->apart_from);
    if (rules->names) {
        sb_put_key(out, "apart_from");
        sb_puts(out, "[");
        cJSON_ArrayForEach(item, rules->names) sb_put_comma(out), sb_put_json_string(out, item->valuestring);
        sb_puts(out, "]");
    }
    sb_puts(out, "}");
}

/* ---- Packs ---- */

static cJSON *list_names(const sb_selection *episodes, sb_error *error) {
    cJSON *names = cJSON_CreateArray();
    char text[SB_NAME_MAX];
    for (size_t i = 0; names && i < episodes->n; i++) {
        sb_name name;
        sb_name_print(sb_selection_name(episodes, i, &name), text, sizeof text);
        if (cJSON_AddItemToArray(names, cJSON_CreateString(text))) continue;
        cJSON_Delete(names), names = NULL;
    }
    if (!names) sb_fail(error, SB_MEMORY, "out of memory for the names of episodes");
    return names;
}

cJSON *sb_row_rules_load(const sb_catalogue *catalogue, const char *path, sb_error *error) {
    sb_pack pack = {0};
    sb_selection episodes = {0};
    cJSON *names = NULL;
    if (!sb_pack_read_file(&pack, path, error))
        sb_fail_at(error, "`%s` is no split of the recipe, not " SB_APART_FROM_EVAL ", and no seed pack",
                   sb_path_end(path));
    else if (sb_select_pack(catalogue, &pack, &episodes, error))
        names = list_names(&episodes, error);
    sb_selection_free(&episodes);
    sb_pack_clear(&pack);
    return names;
}

/* Whether the text of `apart_from` names episodes without any file. */
static bool is_known(const cJSON *recipe, const char *apart_from) {
    return strcmp(apart_from, SB_APART_FROM_EVAL) == 0 ||
           cJSON_HasObjectItem(cJSON_GetObjectItemCaseSensitive(recipe, "splits"), apart_from);
}

bool sb_row_rules_embed(const sb_catalogue *catalogue, cJSON *recipe, sb_row_rules *rules, sb_error *error) {
    if (!rules->apart_from || is_known(recipe, rules->apart_from)) return true;
    cJSON *names = sb_row_rules_load(catalogue, rules->apart_from, error);
    if (!names) return sb_fail_at(error, "rows: key `apart_from`");
    rules->apart_from = NULL;
    cJSON_ReplaceItemInObjectCaseSensitive(cJSON_GetObjectItemCaseSensitive(recipe, "rows"), "apart_from", names);
    return sb_row_rules_read(recipe, rules, error);
}
