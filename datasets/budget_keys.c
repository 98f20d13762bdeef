/* Budgets in recipes: how much a section has, in which unit, and with which tokenizer (datasets/recipe.h). */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "datasets/recipe.h"

const char *const sb_unit_names[SB_UNITS] = {
    [SB_EPISODES] = "episodes", [SB_ROWS] = "rows", [SB_CHARACTERS] = "characters", [SB_TOKENS] = "tokens"};

sb_unit sb_budget_unit(const sb_composition *c) {
    sb_unit unit = SB_EPISODES;
    while (unit < SB_UNITS && !c->budget[unit]) unit++;
    return unit;
}

/* ---- Reading ---- */

static bool read_amount(const cJSON *object, sb_unit unit, sb_composition *c, sb_error *error) {
    const char *key = sb_unit_names[unit];
    return sb_json_optional_uint(object, key, &c->budget[unit], error) &&
           (c->budget[unit] || !cJSON_HasObjectItem(object, key) ||
            sb_fail(error, SB_INVALID, "key `%s` should be 1 or more; without it, all that are selected count", key));
}

/* Reads which tokenizer a budget has. A user's recipe names a file; a recipe in a dataset says which one it was. */
static bool read_tokenizer(const cJSON *budget, sb_tokenizer_facts *is, sb_error *error) {
    static const char *const keys[] = {"sha256", "library", NULL};
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(budget, "tokenizer");
    if (cJSON_IsString(item)) return is->file = item->valuestring, true;
    if (!cJSON_IsObject(item))
        return sb_fail(error, SB_INVALID,
                       "key `tokenizer` should be the path of a tokenizer.json, which counts tokens");
    return (sb_json_known_keys(item, keys, error) && sb_json_sha256(item, "sha256", is->sha256, error) &&
            (!cJSON_HasObjectItem(item, "library") ||
             sb_json_text(item, "library", is->library, sizeof is->library, error))) ||
           sb_fail_at(error, "key `tokenizer`");
}

static bool read_texts(const cJSON *budget, sb_composition *c, sb_error *error) {
    static const char *const keys[] = {"characters", "tokens", "tokenizer", NULL};
    if (!sb_json_known_keys(budget, keys, error) || !read_amount(budget, SB_CHARACTERS, c, error) ||
        !read_amount(budget, SB_TOKENS, c, error))
        return false;
    if (!c->budget[SB_CHARACTERS] == !c->budget[SB_TOKENS])
        return sb_fail(error, SB_INVALID, "give one of `characters` and `tokens`");
    if (c->budget[SB_TOKENS]) return read_tokenizer(budget, &c->tokenizer, error);
    return !cJSON_HasObjectItem(budget, "tokenizer") || sb_fail(error, SB_INVALID, "key `tokenizer` is for `tokens`");
}

bool sb_budget_read(const cJSON *object, sb_composition *c, sb_error *error) {
    const cJSON *texts = cJSON_GetObjectItemCaseSensitive(object, "budget");
    const bool has_rules = cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(object, "rows"));
    if (!read_amount(object, SB_EPISODES, c, error) || (!has_rules && !read_amount(object, SB_ROWS, c, error)))
        return false;
    if (texts &&
        !(cJSON_IsObject(texts) ? read_texts(texts, c, error)
                                : sb_fail(error, SB_INVALID, "should be an object with `characters` or `tokens`")))
        return sb_fail_at(error, "key `budget`");
    return !c->budget[SB_EPISODES] + !c->budget[SB_ROWS] + !texts >= 2 ||
           sb_fail(error, SB_INVALID, "give a budget in `episodes`, in `rows` or as `budget`, not in several");
}

/* ---- Printing ---- */

static void print_tokenizer(const sb_tokenizer_facts *is, sb_out *out) {
    if (!*is->sha256) {
        sb_member_text(out, "tokenizer", is->file ? is->file : "");
        return;
    }
    sb_put_key(out, "tokenizer");
    sb_puts(out, "{");
    sb_member_text(out, "sha256", is->sha256);
    if (*is->library) sb_member_text(out, "library", is->library);
    sb_puts(out, "}");
}

void sb_budget_print(const sb_composition *c, sb_out *out) {
    const sb_unit unit = sb_budget_unit(c);
    const bool is_of_texts = unit == SB_CHARACTERS || unit == SB_TOKENS;
    if (unit == SB_UNITS) return;
    if (is_of_texts) sb_put_key(out, "budget"), sb_puts(out, "{");
    sb_member_uint(out, sb_unit_names[unit], c->budget[unit]);
    if (unit == SB_TOKENS) print_tokenizer(&c->tokenizer, out);
    if (is_of_texts) sb_puts(out, "}");
}

/* ---- The tokenizer ---- */

/* Calls `visit` for the composition of every section, until it returns false. */
static bool visit_compositions(sb_recipe *recipe, bool (*visit)(sb_composition *c, void *context), void *context) {
    if (!recipe->n_splits && !visit(&recipe->composition, context)) return false;
    for (size_t i = 0; i < recipe->n_splits; i++)
        if (!visit(&recipe->splits[i].composition, context)) return false;
    for (size_t i = 0; i < recipe->n_extensions; i++)
        if (!visit(&recipe->extensions[i].composition, context)) return false;
    return true;
}

static bool find(sb_composition *c, void *found) {
    if (c->budget[SB_TOKENS]) *(const sb_tokenizer_facts **)found = &c->tokenizer;
    return !c->budget[SB_TOKENS];
}

const sb_tokenizer_facts *sb_recipe_tokenizer(const sb_recipe *recipe) {
    const sb_tokenizer_facts *found = NULL;
    visit_compositions((sb_recipe *)(uintptr_t)recipe, find, &found);
    return found;
}

/* What the sections have to agree in. */
typedef struct agreement {
    const char *file;
    const sb_tokenizer_facts *is; /* facts of the tokenizer that was opened; NULL: none is yet */
    sb_error *error;
} agreement;

/* Finds the tokenizer's file. One file counts for all sections, so that what the card says of tasks can be added. */
static bool find_file(sb_composition *c, void *context) {
    agreement *a = context;
    const char *file = c->tokenizer.file;
    if (!c->budget[SB_TOKENS] || !file) return true;
    if (!a->file) a->file = file;
    return strcmp(a->file, file) == 0 ||
           sb_fail(a->error, SB_INVALID, "budget: all tokens of a dataset are counted by one tokenizer");
}

static bool write_facts(sb_composition *c, void *context) {
    const agreement *a = context;
    sb_tokenizer_facts *said = &c->tokenizer;
    if (!c->budget[SB_TOKENS]) return true;
    if (*said->sha256 && strcmp(said->sha256, a->is->sha256) != 0)
        return sb_fail(a->error, SB_INVALID, "tokenizer: %s is another one: its SHA-256 is %.12s..., not %.12s...",
                       sb_path_end(a->file), a->is->sha256, said->sha256);
    if (*said->library && strcmp(said->library, a->is->library) != 0)
        return sb_fail(a->error, SB_VERSION_OTHER,
                       "tokenizer: the recipe counts with %s, and Python has %s: install the other, or leave `library` "
                       "out of the recipe",
                       said->library, a->is->library);
    *said = *a->is;
    return true;
}

bool sb_recipe_open_tokenizer(sb_recipe *recipe, sb_error *error) {
    agreement a = {.file = recipe->tokenizer_source.file, .error = error};
    if (!sb_recipe_tokenizer(recipe)) return true;
    if (!a.file && !visit_compositions(recipe, find_file, &a)) return false;
    if (!a.file || !*a.file)
        return sb_fail(error, SB_INVALID,
                       "tokenizer: the recipe says which one counts tokens, but not where it is: name its "
                       "tokenizer.json with --tokenizer FILE");
    recipe->tokenizer = sb_tokenizer_open(a.file, &recipe->tokenizer_source, error);
    if (!recipe->tokenizer) return false;
    a.is = sb_tokenizer_is(recipe->tokenizer);
    return visit_compositions(recipe, write_facts, &a);
}
