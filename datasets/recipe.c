#include "datasets/recipe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "engine/lookup.h"
#include "rollout/recorded.h"
#include "rollout/testing.h"

void sb_recipe_free(sb_recipe *recipe) {
    free((void *)(uintptr_t)recipe->selection.names);
    cJSON_Delete(recipe->document);
    sb_catalogue_free(recipe->programs);
    *recipe = (sb_recipe){0};
}

static bool read_filter(const cJSON *object, sb_filter *filter, sb_error *error) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "filter");
    return !item || sb_filter_read(item, filter, error) || sb_fail_at(error, "filter");
}

/* Reads which version of the defaults is meant. */
static bool read_defaults(const cJSON *object, sb_recipe *recipe, sb_error *error) {
    if (!cJSON_HasObjectItem(object, "defaults")) return true;
    return sb_json_uint(object, "defaults", &recipe->defaults, error) &&
           ((recipe->defaults >= 1 && recipe->defaults <= SB_DEFAULTS) ||
            sb_fail(error, SB_VERSION_OTHER, "key `defaults` should be 1 to %d, the versions that this program knows",
                    SB_DEFAULTS));
}

/* Reads a key whose value is `keep` or `drop`. */
static bool read_choice(const cJSON *object, const char *key, bool *is_given, const char *given, sb_error *error) {
    const char *text = NULL;
    if (!sb_json_optional_string(object, key, &text, error)) return false;
    if (!text) return true;
    *is_given = strcmp(text, given) == 0;
    return strcmp(text, "keep") == 0 || strcmp(text, "drop") == 0 ||
           sb_fail(error, SB_INVALID, "key `%s` should be keep or drop, not `%.20s`", key, text);
}

static bool read_mask(const cJSON *object, bool *is_published, sb_error *error) {
    const char *text = "sound";
    if (!sb_json_optional_string(object, "mask", &text, error)) return false;
    *is_published = strcmp(text, "published") == 0;
    return *is_published || strcmp(text, "sound") == 0 ||
           sb_fail(error, SB_INVALID, "key `mask` should be sound or published, not `%.20s`", text);
}

static bool read_kept(const cJSON *object, const char *key, sb_keeping *keeping, sb_error *error) {
    bool drops = false;
    if (!cJSON_HasObjectItem(object, key)) return true;
    if (!read_choice(object, key, &drops, "drop", error)) return false;
    *keeping = drops ? SB_KEEPING_DROPPED : SB_KEEPING_KEPT;
    return true;
}

/* Whether the value of `format` is an object, or a list that holds one. */
static bool has_options(const cJSON *format) {
    const cJSON *item = cJSON_IsArray(format) ? format->child : format;
    while (cJSON_IsArray(format) && item && !cJSON_IsObject(item)) item = item->next;
    return cJSON_IsObject(item);
}

/* Shows the form that formats with options have, where somebody gave them in another one. */
static bool check_form_of_formats(const cJSON *document, sb_error *error) {
    static const char form[] = "\"formats\": [{\"format\": \"chat\", \"system\": \"...\"}, \"npz\"]";
    const cJSON *format = cJSON_GetObjectItemCaseSensitive(document, "format");
    const cJSON *formats = cJSON_GetObjectItemCaseSensitive(document, "formats");
    if (has_options(format))
        return sb_fail(error, SB_INVALID,
                       "key `format` holds names, such as \"chat\" or \"chat,npz\"; with options, write a list: %s",
                       form);
    return !formats || cJSON_IsArray(formats) ||
           sb_fail(error, SB_INVALID, "key `formats` should be a list of names and objects: %s", form);
}

static bool read_formats(const cJSON *object, sb_recipe *recipe, sb_error *error) {
    if (!sb_json_optional_string(object, "format", &recipe->format, error)) return false;
    if (!cJSON_HasObjectItem(object, "formats")) return true;
    if (cJSON_HasObjectItem(object, "format"))
        return sb_fail(error, SB_INVALID, "keys `format` and `formats` mean the same: give only one of them");
    return sb_json_array(object, "formats", &recipe->formats, error);
}

const char *const sb_recipe_keys[] = {
    "name",     "license", "description", "programs", "family",     "tasks",      "category",       "difficulty",
    "split",    "seeds",   "count",       "where",    "spread",     "names",      "episodes",       "rows",
    "budget",   "mixture", "order",       "splits",   "extensions", "oracle",     "agent",          "epsilon",
    "intents",  "labels",  "filter",      "failures", "unreadable", "evaluation", "duplicates",     "format",
    "formats",  "modes",   "reward",      "gamma",    "mask",       "level",      "shard_episodes", "instructions",
    "defaults", "consent", NULL};

/* Makes texts of keys that may be lists in a recipe; from here on they are as on the command line. */
static bool join_lists(cJSON *document, sb_error *error) {
    static const char *const lists[] = {"tasks", "category", "difficulty", "modes", "format"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!sb_json_join_list(document, lists[i], error)) return false;
    return true;
}

/* Makes a catalogue of the recipe's programs, which borrows from the one that was given; changes nothing if the recipe
 * has none. */
static bool read_programs(const cJSON *object, const sb_catalogue **catalogue, sb_recipe *recipe, sb_error *error) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "programs");
    if (!list) return true;
    recipe->programs = sb_programs_read(list, error);
    if (!recipe->programs) return false;
    if (!sb_catalogue_borrow(recipe->programs, *catalogue, error)) return sb_fail_at(error, "programs");
    *catalogue = recipe->programs;
    return true;
}

static bool read_instructions(const cJSON *document, const cJSON **texts, sb_error *error) {
    *texts = cJSON_GetObjectItemCaseSensitive(document, "instructions");
    return !*texts || sb_instructions_check(*texts, error);
}

bool sb_recipe_read(const sb_catalogue *catalogue, cJSON *document, sb_recipe *recipe, sb_error *error) {
    *recipe = sb_recipe_default();
    recipe->document = document;
    if (!cJSON_IsObject(document)) return sb_fail(error, SB_INVALID, "a recipe should be a JSON object");
    return sb_json_known_keys(document, sb_recipe_keys, error) && check_form_of_formats(document, error) &&
           join_lists(document, error) && sb_json_optional_string(document, "name", &recipe->name, error) &&
           sb_json_optional_string(document, "license", &recipe->license, error) &&
           sb_json_optional_string(document, "description", &recipe->description, error) &&
           sb_json_optional_string(document, "consent", &recipe->consent, error) &&
           read_programs(document, &catalogue, recipe, error) &&
           sb_request_read(catalogue, document, &recipe->selection, error) &&
           sb_composition_read(document, &recipe->composition, error) &&
           sb_splits_read(catalogue, document, recipe->splits, &recipe->n_splits, error) &&
           sb_extensions_read(catalogue, document, recipe->extensions, &recipe->n_extensions, error) &&
           sb_casting_read(document, &recipe->casting, error) && read_filter(document, &recipe->filter, error) &&
           read_kept(document, "failures", &recipe->filter.failures, error) &&
           read_kept(document, "unreadable", &recipe->filter.unreadable, error) &&
           read_defaults(document, recipe, error) &&
           read_choice(document, "evaluation", &recipe->keep_evaluation, "keep", error) &&
           read_choice(document, "duplicates", &recipe->drop_duplicates, "drop", error) &&
           sb_row_rules_read(document, &recipe->rows, error) &&
           read_instructions(document, &recipe->instructions, error) && read_formats(document, recipe, error) &&
           sb_json_optional_string(document, "modes", &recipe->modes, error) &&
           sb_rewarding_read(document, &recipe->rewards, error) &&
           read_mask(document, &recipe->published_mask, error) &&
           sb_json_optional_uint(document, "level", &recipe->level, error) &&
           sb_json_optional_uint(document, "shard_episodes", &recipe->shard_episodes, error);
}

bool sb_recipe_read_written(const sb_catalogue *catalogue, cJSON *document, sb_recipe *recipe, sb_error *error) {
    if (!sb_recipe_read(catalogue, document, recipe, error)) return false;
    if (!recipe->defaults) recipe->defaults = 1;
    recipe->knows_used = !recipe->programs; /* it uses none, or it would name them */
    recipe->selection.repeats = true;
    for (size_t i = 0; i < recipe->n_splits; i++) recipe->splits[i].request.repeats = true;
    for (size_t i = 0; i < recipe->n_extensions; i++) recipe->extensions[i].request.repeats = true;
    return true;
}

bool sb_recipe_parse(const sb_catalogue *catalogue, const char *text, size_t n, sb_recipe *recipe, sb_error *error) {
    *recipe = (sb_recipe){0};
    cJSON *document = sb_json_parse(text, n, error);
    return document && sb_recipe_read(catalogue, document, recipe, error);
}

bool sb_recipe_embed(cJSON *formats, sb_error *error) {
    cJSON *item;
    size_t i = 0;
    cJSON_ArrayForEach(item, formats) {
        if (!sb_export_embed(item, error)) return sb_fail_at(error, "formats[%zu]", i);
        i++;
    }
    return true;
}

bool sb_recipe_embed_all(sb_recipe *recipe, sb_error *error) {
    return sb_recipe_embed(cJSON_GetObjectItemCaseSensitive(recipe->document, "formats"), error) &&
           sb_row_rules_embed(recipe->selection.catalogue, recipe->document, &recipe->rows, error);
}

/* Whether the text is a result or tapes, which a recipe takes as its agent. */
static bool is_recorded(const sb_out *text) {
    static const char tape[] = "{\"tape\":";
    return sb_is_result(text->data, text->size) ||
           (text->size > strlen(tape) && memcmp(text->data, tape, strlen(tape)) == 0);
}

bool sb_recipe_load(const sb_catalogue *catalogue, const char *path, sb_recipe *recipe, sb_error *error) {
    sb_out text = sb_out_growing();
    *recipe = (sb_recipe){0};
    bool ok = sb_file_load(path, 1 << 20, &text, error);
    if (ok && is_recorded(&text))
        ok = sb_fail(error, SB_INVALID, "%s holds tapes and is no recipe: the agent of a recipe may be `tapes:%s`",
                     sb_path_end(path), sb_path_end(path));
    else if (ok &&
             !(sb_recipe_parse(catalogue, text.data, text.size, recipe, error) && sb_recipe_embed_all(recipe, error)))
        ok = sb_fail_at(error, "%s", sb_path_end(path));
    sb_out_free(&text);
    return ok;
}

static bool has_masks(const char *format, size_t n) {
    sb_error unknown; /* reported where formats are read */
    char name[SB_EXPORT_NAME];
    snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), format);
    const sb_exporter *exporter = sb_exporter_find(name, &unknown);
    return exporter && exporter->masks;
}

bool sb_recipe_has_masks(const sb_recipe *recipe) {
    const cJSON *item;
    bool found = false;
    cJSON_ArrayForEach(item, recipe->formats) {
        const cJSON *name = cJSON_IsObject(item) ? cJSON_GetObjectItemCaseSensitive(item, "format") : item;
        if (cJSON_IsString(name)) found |= has_masks(name->valuestring, strlen(name->valuestring));
    }
    for (const char *at = recipe->formats ? NULL : recipe->format; at;
         at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        found |= has_masks(at, strcspn(at, ","));
    return found;
}

/* ---- Printing ---- */

static void print_item(const cJSON *item, sb_out *out);

static void print_object(const cJSON *object, sb_out *out) {
    const cJSON *item;
    sb_puts(out, "{");
    cJSON_ArrayForEach(item, object) {
        sb_put_key(out, item->string);
        print_item(item, out);
    }
    sb_puts(out, "}");
}

static void print_list(const cJSON *list, sb_out *out) {
    const cJSON *item;
    sb_puts(out, "[");
    cJSON_ArrayForEach(item, list) {
        sb_put_comma(out);
        print_item(item, out);
    }
    sb_puts(out, "]");
}

/* Writes options of formats: texts, numbers, booleans, and objects of them. */
static void print_item(const cJSON *item, sb_out *out) { /* recursion is limited by sb_json_parse */
    uint64_t whole;
    if (cJSON_IsObject(item))
        print_object(item, out);
    else if (cJSON_IsString(item))
        sb_put_json_string(out, item->valuestring);
    else if (cJSON_IsBool(item))
        sb_puts(out, cJSON_IsTrue(item) ? "true" : "false");
    else if (sb_json_is_uint(item, &whole))
        sb_put_uint(out, whole);
    else if (sb_json_digits(item))
        sb_puts(out, sb_json_digits(item));
    else if (cJSON_IsNumber(item))
        sb_put_double(out, item->valuedouble);
    else if (cJSON_IsArray(item))
        print_list(item, out);
    else
        sb_puts(out, "null");
}

static void print_text(sb_out *out, const char *key, const char *text) {
    if (text) sb_member_text(out, key, text);
}

/* Writes one name in the short form, and several as a list. */
static void print_format(const char *names, sb_out *out) {
    if (!strchr(names, ',')) {
        sb_member_text(out, "format", names);
        return;
    }
    sb_put_key(out, "formats");
    sb_puts(out, "[");
    for (const char *at = names; at;) {
        const char *comma = strchr(at, ',');
        sb_put_comma(out);
        sb_putc(out, '"');
        out->json = true;
        sb_put(out, at, comma ? (size_t)(comma - at) : strlen(at));
        out->json = false;
        sb_putc(out, '"');
        at = comma ? comma + 1 : NULL;
    }
    sb_puts(out, "]");
}

const char *sb_recipe_teacher(const sb_recipe *recipe) {
    sb_error ignored; /* a recipe that selects nothing has no family */
    const sb_request *request = recipe->n_splits ? &recipe->splits[0].request : &recipe->selection;
    const sb_family *family = sb_request_family(request, &ignored);
    const sb_task_info *task = sb_request_first_task(request);
    return sb_teacher_of(family ? family : sb_families[0], task ? task->name : NULL);
}

static void print(const sb_recipe *recipe, bool paths, sb_out *out) {
    sb_puts(out, "{");
    print_text(out, "name", recipe->name);
    print_text(out, "license", recipe->license);
    print_text(out, "description", recipe->description);
    print_text(out, "consent", recipe->consent);
    sb_programs_print(recipe, out);
    sb_splits_print(recipe->splits, recipe->n_splits, out);
    if (!sb_casting_is_recorded(&recipe->casting) && !recipe->n_splits) sb_request_print(&recipe->selection, out);
    if (!recipe->n_splits) sb_composition_print(&recipe->composition, out);
    sb_extensions_print(recipe->extensions, recipe->n_extensions, out);
    sb_casting_print(&recipe->casting, sb_recipe_teacher(recipe), paths, out);
    if (!sb_filter_is_empty(&recipe->filter)) {
        sb_put_key(out, "filter");
        sb_filter_print(&recipe->filter, out);
    }
    if (recipe->filter.failures)
        sb_member_text(out, "failures", recipe->filter.failures == SB_KEEPING_KEPT ? "keep" : "drop");
    if (recipe->filter.unreadable)
        sb_member_text(out, "unreadable", recipe->filter.unreadable == SB_KEEPING_KEPT ? "keep" : "drop");
    if (recipe->keep_evaluation) sb_member_text(out, "evaluation", "keep");
    if (recipe->drop_duplicates) sb_member_text(out, "duplicates", "drop");
    sb_row_rules_print(&recipe->rows, out);
    if (recipe->formats) {
        sb_put_key(out, "formats");
        print_item(recipe->formats, out);
    } else {
        print_format(recipe->format, out);
    }
    if (recipe->instructions) {
        sb_put_key(out, "instructions");
        print_item(recipe->instructions, out);
    }
    print_text(out, "modes", recipe->modes);
    sb_rewarding_print(&recipe->rewards, out);
    if (sb_recipe_has_masks(recipe) && !recipe->says_no_mask)
        sb_member_text(out, "mask", recipe->published_mask ? "published" : "sound");
    sb_member_uint(out, "level", recipe->level);
    sb_member_uint(out, "shard_episodes", recipe->shard_episodes);
    if (recipe->defaults > 1) sb_member_uint(out, "defaults", recipe->defaults);
    sb_puts(out, "}");
}

void sb_recipe_print(const sb_recipe *recipe, sb_out *out) { print(recipe, false, out); }

void sb_recipe_print_whole(const sb_recipe *recipe, sb_out *out) { print(recipe, true, out); }

bool sb_recipe_same(const sb_recipe *a, const sb_recipe *b) {
    sb_out first = sb_out_growing(), second = sb_out_growing();
    sb_recipe_print(a, &first), sb_recipe_print(b, &second);
    const bool same = sb_out_ok(&first) && sb_out_ok(&second) && first.size == second.size &&
                      memcmp(first.data, second.data, first.size) == 0;
    sb_out_free(&first), sb_out_free(&second);
    return same;
}

size_t sb_recipe_sections(const sb_recipe *recipe, sb_section sections[SB_SECTIONS_MAX]) {
    size_t n = 0;
    for (size_t i = 0; i < recipe->n_splits; i++) sections[n++] = recipe->splits[i];
    if (n == 0) sections[n++] = (sb_section){.request = recipe->selection, .composition = recipe->composition};
    for (size_t i = 0; i < recipe->n_extensions; i++) sections[n++] = recipe->extensions[i];
    return n;
}

bool sb_recipe_has_budget(const sb_recipe *recipe) {
    sb_section sections[SB_SECTIONS_MAX];
    const size_t n = sb_recipe_sections(recipe, sections);
    for (size_t i = 0; i < n; i++)
        if (sb_has_budget(&sections[i].composition)) return true;
    return false;
}

bool sb_recipe_is_settled(const sb_recipe *recipe) {
    sb_section sections[SB_SECTIONS_MAX];
    const size_t n = sb_recipe_sections(recipe, sections);
    for (size_t i = 0; i < n; i++)
        if (sb_has_budget(&sections[i].composition) && !recipe->cuts[i]) return false;
    return true;
}

sb_shard_name sb_shard_of(const char *kind, const char *label, size_t shard, size_t n_shards, const char *suffix) {
    sb_shard_name name;
    snprintf(name.text, sizeof name.text, "%.16s%s%.31s-%05zu-of-%05zu.%.12s", kind, *label ? "-" : "", label, shard,
             n_shards, suffix);
    return name;
}
