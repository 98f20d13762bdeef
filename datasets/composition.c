#include "datasets/recipe.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "rollout/mixture.h"

bool sb_composition_is_empty(const sb_composition *c) { return !sb_has_budget(c) && !c->mixture && !c->order; }

static const char *const orders[] = {"tasks", "drawn", "shuffled"};

sb_arrangement sb_arrangement_of(const sb_composition *c) {
    if (!c->order) return c->mixture ? SB_AS_DRAWN : SB_BY_TASK;
    return strcmp(c->order, orders[SB_SHUFFLED]) == 0   ? SB_SHUFFLED
           : strcmp(c->order, orders[SB_AS_DRAWN]) == 0 ? SB_AS_DRAWN
                                                        : SB_BY_TASK;
}

void sb_section_label(const sb_section *section, char label[SB_LABEL]) {
    const char *dash = *section->split && section->extension ? "-" : "";
    if (section->extension)
        snprintf(label, SB_LABEL, "%s%smore%zu", section->split, dash, section->extension % 100);
    else
        snprintf(label, SB_LABEL, "%s", section->split);
}

bool sb_fail_in_section(const sb_section *section, sb_error *error) {
    return section->extension         ? sb_fail_at(error, "extensions[%zu]", section->extension - 1)
           : *section->split          ? sb_fail_at(error, "splits.%s", section->split)
           : section->request.n_names ? sb_fail_at(error, "names")
                                      : false;
}

/* ---- Keys ---- */

const char *const sb_composition_keys[] = {"episodes", "rows", "budget", "mixture", "order", NULL};

/* Makes texts of lists of tasks and difficulties, as everywhere in recipes. */
static bool join_lists(cJSON *object, sb_error *error) {
    static const char *const lists[] = {"tasks", "category", "difficulty"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!sb_json_join_list(object, lists[i], error)) return false;
    return true;
}

static bool read_mixture(const cJSON *object, sb_composition *c, sb_error *error) {
    cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "mixture"), *item;
    if (!list) return true;
    if (!cJSON_IsArray(list)) return sb_fail(error, SB_INVALID, "key `mixture` should be a list");
    cJSON_ArrayForEach(item, list) if (cJSON_IsObject(item) && !join_lists(item, error)) return sb_fail_at(error,
                                                                                                           "mixture");
    c->mixture = list;
    return sb_has_budget(c) ||
           sb_fail(error, SB_INVALID,
                   "key `mixture` draws episodes, so say with `episodes`, `rows` or `budget` how many");
}

static bool read_order(const cJSON *object, sb_composition *c, sb_error *error) {
    size_t index;
    return sb_json_optional_string(object, "order", &c->order, error) &&
           sb_json_optional_word(object, "order", orders, sizeof orders / sizeof *orders, &index, error);
}

bool sb_composition_read(const cJSON *object, sb_composition *c, sb_error *error) {
    *c = (sb_composition){0};
    if (!sb_budget_read(object, c, error)) return false;
    return read_mixture(object, c, error) && read_order(object, c, error);
}

void sb_composition_print(const sb_composition *c, sb_out *out) {
    sb_budget_print(c, out);
    if (c->mixture) {
        sb_put_key(out, "mixture");
        sb_mixture_print(c->mixture, out);
    }
    if (c->order) sb_member_text(out, "order", c->order);
}

/* ---- What is left out ---- */

static bool copy_key(cJSON *to, const cJSON *from, const char *key, sb_error *error) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(from, key);
    if (!item || cJSON_HasObjectItem(to, key)) return true;
    cJSON *copy = cJSON_Duplicate(item, true);
    if (copy && cJSON_AddItemToObject(to, key, copy)) return true;
    cJSON_Delete(copy);
    return sb_fail(error, SB_MEMORY, "out of memory for a recipe");
}

/* Gives a section what it does not say itself. Which tasks are selected is said by three keys together: whoever says
 * one of them says all anew. */
static bool inherit(cJSON *to, const cJSON *from, sb_error *error) {
    static const char *const which[] = {"tasks", "category", "mixture"};
    bool anew = false;
    for (size_t i = 0; i < 3; i++) anew |= cJSON_HasObjectItem(to, which[i]);
    for (size_t i = 0; !anew && i < 3; i++)
        if (!copy_key(to, from, which[i], error)) return false;
    return copy_key(to, from, "family", error) && (anew || copy_key(to, from, "difficulty", error)) &&
           copy_key(to, from, "where", error) && copy_key(to, from, "spread", error) &&
           copy_key(to, from, "order", error);
}

static bool add_text(cJSON *object, const char *key, const char *text, sb_error *error) {
    return cJSON_AddStringToObject(object, key, text) || sb_fail(error, SB_MEMORY, "out of memory for a recipe");
}

static bool has_seeds(const cJSON *object) {
    return cJSON_HasObjectItem(object, "split") || cJSON_HasObjectItem(object, "seeds");
}

/* ---- Sections ---- */

static bool read_section(const sb_catalogue *catalogue, cJSON *object, sb_section *section, sb_error *error) {
    static const char *const keys[] = {"extends", "family",  "tasks", "category", "difficulty", "split",
                                       "seeds",   "count",   "where", "spread",   "episodes",   "rows",
                                       "budget",  "mixture", "order", NULL};
    if (cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(object, "rows")))
        return sb_fail(error, SB_INVALID, "key `rows` is a number here: rules for rows stand beside the sections");
    return sb_json_known_keys(object, keys, error) && join_lists(object, error) &&
           sb_request_read(catalogue, object, &section->request, error) &&
           sb_composition_read(object, &section->composition, error);
}

static bool check_name(const char *name, sb_error *error) {
    const size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return (n && n < SB_SPLIT_NAME && !name[n] && *name >= 'a') ||
           sb_fail(error, SB_INVALID,
                   "`%.40s` cannot be the name of a split: it has up to %d small letters, digits and _, a letter first",
                   name, SB_SPLIT_NAME - 1);
}

/* Completes what a split says. If it does not say which seeds it has, it takes those of its own name; `test`, those to
 * evaluate with. */
static bool complete_split(cJSON *object, const cJSON *recipe, const char *name, sb_error *error) {
    if (cJSON_HasObjectItem(object, "extends")) return sb_fail(error, SB_INVALID, "key `extends` is for `extensions`");
    return inherit(object, recipe, error) &&
           (has_seeds(object) || add_text(object, "split", strcmp(name, "test") == 0 ? "eval" : name, error));
}

/* Checks that a recipe with splits does not have the keys that each split says for itself. */
static bool check_recipe(const cJSON *recipe, sb_error *error) {
    static const char *const keys[] = {"split", "seeds", "count", "names", "episodes", "budget", "rows"};
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(recipe, "rows");
    /* Rules for rows, which are an object, are for all splits. */
    const size_t n = sizeof keys / sizeof *keys - cJSON_IsObject(rows);
    for (size_t i = 0; i < n; i++)
        if (cJSON_HasObjectItem(recipe, keys[i]))
            return sb_fail(error, SB_INVALID, "key `%s` belongs into each of the `splits`", keys[i]);
    return true;
}

bool sb_splits_read(const sb_catalogue *catalogue, cJSON *recipe, sb_section *splits, size_t *n, sb_error *error) {
    cJSON *list = cJSON_GetObjectItemCaseSensitive(recipe, "splits"), *item;
    if (!list) return true;
    if (!cJSON_IsObject(list)) return sb_fail(error, SB_INVALID, "key `splits` should be an object, by name");
    if (!check_recipe(recipe, error)) return false;
    cJSON_ArrayForEach(item, list) {
        if (*n == SB_SPLITS_MAX) return sb_fail(error, SB_INVALID, "at most %d splits are allowed", SB_SPLITS_MAX);
        sb_section *section = &splits[(*n)++];
        if (!check_name(item->string, error)) return sb_fail_at(error, "splits");
        strcpy(section->split, item->string);
        for (size_t i = 0; i + 1 < *n; i++)
            if (strcmp(splits[i].split, section->split) == 0)
                return sb_fail(error, SB_INVALID, "splits: there are two named `%s`", section->split);
        if (!cJSON_IsObject(item)) return sb_fail(error, SB_INVALID, "splits.%s: should be an object", item->string);
        if (!complete_split(item, recipe, section->split, error) || !read_section(catalogue, item, section, error))
            return sb_fail_at(error, "splits.%s", section->split);
    }
    return *n || sb_fail(error, SB_INVALID, "key `splits` is an empty object");
}

/* Finds what an extension extends: a split by name, or else the only section there is. */
static const cJSON *extended(const cJSON *recipe, const cJSON *object, sb_section *section, sb_error *error) {
    const cJSON *splits = cJSON_GetObjectItemCaseSensitive(recipe, "splits");
    const char *name = NULL;
    if (!sb_json_optional_string(object, "extends", &name, error)) return NULL;
    if (!splits && name) return sb_fail(error, SB_INVALID, "key `extends`: there are no splits"), NULL;
    if (!splits) return recipe;
    const cJSON *split = cJSON_GetObjectItemCaseSensitive(splits, name ? name : "train");
    if (!split)
        return sb_fail(error, SB_INVALID, "key `extends`: there is no split `%.40s`", name ? name : "train"), NULL;
    snprintf(section->split, sizeof section->split, "%s", split->string);
    return split;
}

static bool read_extension(const sb_catalogue *catalogue, const cJSON *recipe, cJSON *object, sb_section *section,
                           sb_error *error) {
    if (!cJSON_IsObject(object)) return sb_fail(error, SB_INVALID, "should be an object");
    const cJSON *base = extended(recipe, object, section, error);
    if (!base || !inherit(object, base, error)) return false;
    if (!has_seeds(object) && !cJSON_HasObjectItem(base, "seeds") && !copy_key(object, base, "split", error))
        return false;
    return read_section(catalogue, object, section, error);
}

bool sb_extensions_read(const sb_catalogue *catalogue, cJSON *recipe, sb_section *extensions, size_t *n,
                        sb_error *error) {
    cJSON *list = cJSON_GetObjectItemCaseSensitive(recipe, "extensions"), *item;
    if (!list) return true;
    if (!cJSON_IsArray(list) || !list->child)
        return sb_fail(error, SB_INVALID, "key `extensions` should be a list that is not empty");
    cJSON_ArrayForEach(item, list) {
        if (*n == SB_EXTENSIONS_MAX)
            return sb_fail(error, SB_INVALID, "a dataset can be extended %d times: build it anew", SB_EXTENSIONS_MAX);
        sb_section *section = &extensions[*n];
        section->extension = ++*n;
        if (!read_extension(catalogue, recipe, item, section, error))
            return sb_fail_at(error, "extensions[%zu]", *n - 1);
    }
    return true;
}

/* ---- Printing ---- */

static void print_section(const sb_section *section, sb_out *out) {
    sb_puts(out, "{");
    if (section->extension && *section->split) sb_member_text(out, "extends", section->split);
    sb_request_print(&section->request, out);
    sb_composition_print(&section->composition, out);
    sb_puts(out, "}");
}

void sb_splits_print(const sb_section *splits, size_t n, sb_out *out) {
    if (!n) return;
    sb_put_key(out, "splits");
    sb_puts(out, "{");
    for (size_t i = 0; i < n; i++) {
        sb_put_key(out, splits[i].split);
        print_section(&splits[i], out);
    }
    sb_puts(out, "}");
}

void sb_extensions_print(const sb_section *extensions, size_t n, sb_out *out) {
    if (!n) return;
    sb_put_key(out, "extensions");
    sb_puts(out, "[");
    for (size_t i = 0; i < n; i++) {
        sb_put_comma(out);
        print_section(&extensions[i], out);
    }
    sb_puts(out, "]");
}
