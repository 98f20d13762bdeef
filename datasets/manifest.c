#include "datasets/manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "base/file.h"
#include "base/grow.h"
#include "datasets/journal.h"

void sb_manifest_free(sb_manifest *manifest) {
    sb_recipe_free(&manifest->recipe);
    free(manifest->files), free(manifest->tapes);
    sb_stats_free(&manifest->stats);
    sb_prompt_list_free(&manifest->prompts);
    sb_text_list_free(&manifest->texts);
    cJSON_Delete(manifest->document);
    *manifest = (sb_manifest){0};
}

sb_shard sb_manifest_shard(const sb_manifest *m, size_t shard) {
    sb_shard said = {.done = true, .tapes = m->tapes[shard]};
    for (size_t k = 0; k < m->n_formats; k++) said.files[k] = *sb_manifest_file(m, k, shard);
    return said;
}

bool sb_manifest_has_sections(const sb_recipe *recipe) {
    return recipe->n_splits + recipe->n_extensions > 0 || sb_recipe_has_budget(recipe);
}

void sb_manifest_section_add(sb_manifest_section *section, const sb_stats *stats) {
    const sb_stats_group total = sb_stats_total(stats);
    section->selected += total.selected, section->successes += total.successes;
    section->has[SB_EPISODES] += total.episodes, section->has[SB_ROWS] += total.rows[0];
    section->has[SB_CHARACTERS] += total.characters, section->has[SB_TOKENS] += total.tokens;
}

bool sb_manifest_check_rows(const sb_manifest *m, const char *folder, sb_error *error) {
    const sb_filter *filter = &m->recipe.filter;
    const unsigned long long unreadable = sb_manifest_unreadable_dropped(m), filtered = m->filtered - unreadable;
    char why[200] = "", more[200] = "";
    if (m->episodes) return true;
    if (filtered) snprintf(why, sizeof why, "; %llu %s", filtered, sb_filter_reason(filter));
    if (unreadable) snprintf(more, sizeof more, "; %llu have unreadable answers (--unreadable keep)", unreadable);
    return sb_fail(
        error, SB_MISMATCH, "no episode of %llu has rows, so %.200s holds tapes and nothing to learn from%s%s%s",
        (unsigned long long)m->selected, folder, why,
        filtered && filter->failures == SB_KEEPING_DROPPED ? " (--failures keep keeps what failed)" : "", more);
}

/* ---- Documents ---- */

static const struct {
    const char *key; /* the document's key in the manifest */
    const char *name;
} documents[SB_DOCUMENTS] = {[SB_STATS] = {"stats", SB_STATS_NAME},
                             [SB_CARD] = {"card", SB_CARD_NAME},
                             [SB_CROISSANT] = {"croissant", SB_CROISSANT_NAME}};

const char *sb_document_name(sb_document which) { return documents[which].name; }

/* ---- Writing ---- */

static void print_files(sb_out *out, const char *key, const sb_shard_file *files, size_t n) {
    sb_put_key(out, key);
    sb_puts(out, "[");
    for (size_t i = 0; i < n; i++) {
        sb_put_comma(out);
        sb_puts(out, "\n  ");
        sb_shard_file_print(&files[i], out);
    }
    sb_puts(out, "]");
}

static void print_formats(sb_out *out, const sb_manifest *m) {
    sb_put_key(out, "formats");
    sb_puts(out, "[");
    for (size_t k = 0; k < m->n_formats; k++) {
        const sb_manifest_format *format = &m->formats[k];
        sb_put_comma(out);
        sb_puts(out, "\n  {");
        sb_member_text(out, "name", format->name);
        sb_member_text(out, "format", format->format);
        if (*format->picture) sb_member_text(out, "picture", format->picture);
        sb_member_uint(out, "rows", format->rows);
        sb_member_uint(out, "content_bytes", format->content_bytes);
        sb_member_text(out, "content_sha256", format->content_sha256);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

#define SEAL_BEGIN ",\n \"sha256\": \""
#define SEAL_END   "\"}\n"
enum { SEAL_SIZE = sizeof SEAL_BEGIN - 1 + SB_SHA256_HEX - 1 + sizeof SEAL_END - 1 };

/* Writes the last member, SHA-256 of all bytes before it, which shows whether a manifest was altered. */
static void seal(sb_out *out) {
    char hex[SB_SHA256_HEX];
    sb_sha256_hex(out->data, out->failed ? 0 : out->size, hex);
    sb_puts(out, SEAL_BEGIN);
    sb_puts(out, hex);
    sb_puts(out, SEAL_END);
}

static bool check_seal(const char *text, size_t n, sb_error *error) {
    char expected[SEAL_SIZE + 1], hex[SB_SHA256_HEX];
    if (n < SEAL_SIZE) return sb_fail(error, SB_MISMATCH, "the file is cut short");
    sb_sha256_hex(text, n - SEAL_SIZE, hex);
    snprintf(expected, sizeof expected, SEAL_BEGIN "%s" SEAL_END, hex);
    return memcmp(text + n - SEAL_SIZE, expected, SEAL_SIZE) == 0 ||
           sb_fail(error, SB_MISMATCH, "the file was altered after it was written: its own `sha256` differs");
}

/* Begins the next line of a manifest; writes the comma itself. */
static void next_line(sb_out *out) {
    sb_puts(out, ",\n ");
    out->last = '{';
}

/* Writes how many episodes of a kind were found, and whether they are left out. */
static void print_found(sb_out *out, const char *key, uint64_t found, bool left_out) {
    sb_put_key(out, key);
    sb_puts(out, "{");
    sb_member_uint(out, "found", found);
    sb_member_bool(out, "left_out", left_out);
    sb_puts(out, "}");
}

static void print_sections(sb_out *out, const sb_manifest *m) {
    sb_section sections[SB_SECTIONS_MAX];
    const size_t n = sb_recipe_sections(&m->recipe, sections);
    sb_put_key(out, "sections");
    sb_puts(out, "[");
    for (size_t i = 0; i < n; i++) {
        sb_put_comma(out);
        sb_puts(out, "\n  {");
        if (*sections[i].split) sb_member_text(out, "split", sections[i].split);
        if (sections[i].extension) sb_member_uint(out, "extension", sections[i].extension);
        sb_member_uint(out, "selected", m->sections[i].selected);
        sb_member_uint(out, "episodes", m->sections[i].has[SB_EPISODES]);
        sb_member_uint(out, "successes", m->sections[i].successes);
        sb_member_uint(out, "rows", m->sections[i].has[SB_ROWS]);
        if (m->has_texts) sb_member_uint(out, "characters", m->sections[i].has[SB_CHARACTERS]);
        if (m->texts.has_tokens) sb_member_uint(out, "tokens", m->sections[i].has[SB_TOKENS]);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

static void print_recorded(sb_out *out, const sb_manifest *m) {
    sb_put_key(out, "recorded");
    sb_puts(out, "{");
    sb_member_uint(out, "tapes", m->recorded);
    sb_member_text(out, "sha256", m->recorded_sha256);
    sb_puts(out, "}");
}

void sb_manifest_print(const sb_manifest *manifest, sb_out *out) {
    sb_puts(out, "{");
    sb_member_text(out, "format", SB_MANIFEST_FORMAT);
    sb_member_uint(out, "version", SB_MANIFEST_VERSION);
    sb_member_text(out, "seedbed", manifest->seedbed);
    sb_member_text(out, "zlib", zlibVersion());
    sb_member_text(out, "rules", manifest->rules);
    next_line(out);
    sb_put_key(out, "recipe");
    sb_recipe_print(&manifest->recipe, out);
    next_line(out);
    sb_member_uint(out, "selected", manifest->selected);
    print_found(out, "evaluation", manifest->evaluation, !manifest->recipe.keep_evaluation);
    print_found(out, "duplicates", manifest->duplicates, manifest->recipe.drop_duplicates);
    print_found(out, "across", manifest->across, !manifest->recipe.keep_evaluation);
    if (manifest->recipe.n_splits > 1) print_found(out, "elsewhere", manifest->elsewhere, true);
    sb_member_uint(out, "filtered", manifest->filtered);
    if (manifest->unreadable)
        print_found(out, "unreadable", manifest->unreadable, sb_manifest_unreadable_dropped(manifest));
    next_line(out);
    if (*manifest->recorded_sha256) print_recorded(out, manifest), next_line(out);
    if (sb_manifest_has_sections(&manifest->recipe)) print_sections(out, manifest), next_line(out);
    sb_member_uint(out, "episodes", manifest->episodes);
    sb_member_uint(out, "successes", manifest->successes);
    sb_member_uint(out, "rows", manifest->rows);
    sb_member_uint(out, "content_bytes", manifest->content_bytes);
    sb_member_text(out, "content_sha256", manifest->content_sha256);
    next_line(out);
    print_formats(out, manifest);
    next_line(out);
    if (manifest->has_prompts) sb_prompt_list_print(&manifest->prompts, false, out), next_line(out);
    if (manifest->has_texts) sb_text_list_print(&manifest->texts, out), next_line(out);
    print_files(out, "files", manifest->files, manifest->n_shards * manifest->n_formats);
    next_line(out);
    print_files(out, "tapes", manifest->tapes, manifest->n_shards);
    for (sb_document which = 0; which < SB_DOCUMENTS; which++) {
        next_line(out);
        sb_put_key(out, documents[which].key);
        sb_puts(out, "{");
        sb_member_text(out, "name", documents[which].name);
        sb_member_uint(out, "bytes", manifest->documents[which].bytes);
        sb_member_text(out, "sha256", manifest->documents[which].sha256);
        sb_puts(out, "}");
    }
    seal(out);
}

/* ---- Reading ---- */

/* Reads the files one by one, because there may be a hundred thousand. */
static bool read_files(const cJSON *object, const char *key, const sb_json_part *list, sb_shard_file **files, size_t *n,
                       sb_error *error) {
    const cJSON *there;
    size_t capacity = 0;
    bool ok = sb_json_array(object, key, &there, error);
    *n = 0;
    if (!ok) return false;
    sb_json_items items = sb_json_items_of(list);
    while (ok && sb_json_items_next(&items, error)) {
        ok = (SB_GROW(*files, *n + 1, capacity) || sb_fail(error, SB_MEMORY, "out of memory for the manifest")) &&
             (sb_shard_file_read(items.item, &(*files)[*n], error) || sb_fail_at(error, "key `%s`: item %zu", key, *n));
        *n += ok;
    }
    sb_json_items_end(&items);
    return ok && error->code == SB_OK;
}

static bool check_format(const cJSON *object, sb_error *error) {
    const char *format;
    uint64_t version;
    if (!sb_json_string(object, "format", &format, error) || !sb_json_uint(object, "version", &version, error))
        return false;
    if (strcmp(format, SB_MANIFEST_FORMAT) != 0)
        return sb_fail(error, SB_INVALID, "key `format`: `%.40s` is not the format of a dataset's manifest", format);
    return version == SB_MANIFEST_VERSION || sb_fail(error, SB_VERSION_OTHER,
                                                     "the manifest has version %llu, but this program reads version "
                                                     "%d: build the dataset again, from its recipe or tapes",
                                                     (unsigned long long)version, SB_MANIFEST_VERSION);
}

static bool read_format(const cJSON *object, sb_manifest_format *format, sb_error *error) {
    static const char *const keys[] = {"name", "format", "picture", "rows", "content_bytes", "content_sha256", NULL};
    return sb_json_known_keys(object, keys, error) &&
           (!cJSON_HasObjectItem(object, "picture") ||
            sb_json_text(object, "picture", format->picture, sizeof format->picture, error)) &&
           sb_json_text(object, "name", format->name, sizeof format->name, error) &&
           sb_json_text(object, "format", format->format, sizeof format->format, error) &&
           sb_json_uint(object, "rows", &format->rows, error) &&
           sb_json_uint(object, "content_bytes", &format->content_bytes, error) &&
           sb_json_sha256(object, "content_sha256", format->content_sha256, error);
}

static bool read_formats(const cJSON *object, sb_manifest *m, sb_error *error) {
    const cJSON *list, *item;
    if (!sb_json_array(object, "formats", &list, error)) return false;
    cJSON_ArrayForEach(item, list) {
        if (m->n_formats == SB_FORMATS_MAX) return sb_fail(error, SB_INVALID, "key `formats` has too many items");
        if (!read_format(item, &m->formats[m->n_formats], error))
            return sb_fail_at(error, "key `formats`: item %zu", m->n_formats);
        m->n_formats++;
    }
    return m->n_formats || sb_fail(error, SB_INVALID, "key `formats` is an empty list");
}

static bool read_found(const cJSON *object, const char *key, uint64_t *found, bool left_out, sb_error *error) {
    static const char *const keys[] = {"found", "left_out", NULL};
    const cJSON *item;
    bool said;
    if (!sb_json_object(object, key, &item, error)) return false;
    if (!sb_json_known_keys(item, keys, error) || !sb_json_uint(item, "found", found, error) ||
        !sb_json_bool(item, "left_out", &said, error))
        return sb_fail_at(error, "key `%s`", key);
    return said == left_out || sb_fail(error, SB_MISMATCH, "key `%s`: `left_out` differs from the recipe", key);
}

/* Only a dataset of episodes with unreadable answers has this key. */
static bool read_unreadable(const cJSON *object, sb_manifest *m, sb_error *error) {
    const bool left_out = m->recipe.filter.unreadable == SB_KEEPING_DROPPED;
    return !cJSON_HasObjectItem(object, "unreadable") ||
           read_found(object, "unreadable", &m->unreadable, left_out, error);
}

static bool read_document(const cJSON *object, sb_document which, sb_document_facts *facts, sb_error *error) {
    static const char *const keys[] = {"name", "bytes", "sha256", NULL};
    const char *key = documents[which].key, *name;
    const cJSON *item;
    if (!sb_json_object(object, key, &item, error)) return false;
    if (!sb_json_known_keys(item, keys, error) || !sb_json_string(item, "name", &name, error) ||
        !sb_json_uint(item, "bytes", &facts->bytes, error) || !sb_json_sha256(item, "sha256", facts->sha256, error))
        return sb_fail_at(error, "key `%s`", key);
    return strcmp(name, documents[which].name) == 0 ||
           sb_fail(error, SB_INVALID, "key `%s`: `name` should be %s", key, documents[which].name);
}

static bool read_documents(const cJSON *object, sb_manifest *m, sb_error *error) {
    for (sb_document which = 0; which < SB_DOCUMENTS; which++)
        if (!read_document(object, which, &m->documents[which], error)) return false;
    return true;
}

/* Notes that masks are the published list: arrays of 0.2 hold it, and its recipes do not say so. What is made from them
 * says it. */
static bool take_published(sb_recipe *recipe, sb_error *error) {
    recipe->published_mask = recipe->says_no_mask = true;
    return cJSON_AddStringToObject(recipe->document, "mask", "published") ||
           sb_fail(error, SB_MEMORY, "out of memory for a recipe");
}

static bool read_recipe(const sb_catalogue *catalogue, const cJSON *object, sb_manifest *m, sb_error *error) {
    cJSON *recipe = cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(object, "recipe"), true);
    if (!recipe) return sb_fail(error, SB_INVALID, "key `recipe` is missing");
    if (!sb_recipe_read_written(catalogue, recipe, &m->recipe, error)) return sb_fail_at(error, "key `recipe`");
    return cJSON_HasObjectItem(recipe, "mask") || !sb_recipe_has_masks(&m->recipe) || take_published(&m->recipe, error);
}

static bool read_section(const cJSON *item, const sb_section *section, sb_manifest_section *said, sb_error *error) {
    static const char *const keys[] = {"split", "extension",  "selected", "episodes", "successes",
                                       "rows",  "characters", "tokens",   NULL};
    const char *split = "";
    uint64_t extension = 0;
    return sb_json_known_keys(item, keys, error) && sb_json_optional_string(item, "split", &split, error) &&
           sb_json_optional_uint(item, "extension", &extension, error) &&
           sb_json_uint(item, "selected", &said->selected, error) &&
           sb_json_uint(item, "episodes", &said->has[SB_EPISODES], error) &&
           sb_json_uint(item, "successes", &said->successes, error) &&
           sb_json_uint(item, "rows", &said->has[SB_ROWS], error) &&
           sb_json_optional_uint(item, "characters", &said->has[SB_CHARACTERS], error) &&
           sb_json_optional_uint(item, "tokens", &said->has[SB_TOKENS], error) &&
           ((strcmp(split, section->split) == 0 && extension == section->extension &&
             said->selected <= SB_SELECTION_MAX) ||
            sb_fail(error, SB_MISMATCH, "it differs from the recipe"));
}

/* Reads what sections have, which datasets with splits, extensions or a budget say. A budget's candidates are then
 * known. */
static bool read_sections(const cJSON *object, sb_manifest *m, sb_error *error) {
    sb_section sections[SB_SECTIONS_MAX];
    const cJSON *list, *item;
    const bool expected = sb_manifest_has_sections(&m->recipe);
    if (expected != cJSON_HasObjectItem(object, "sections"))
        return sb_fail(error, SB_INVALID, "key `sections` %s",
                       expected ? "is missing" : "is there, although the recipe has one section without a budget");
    if (!expected) return true;
    if (!sb_json_array(object, "sections", &list, error)) return false;
    const size_t n = sb_recipe_sections(&m->recipe, sections);
    if ((size_t)cJSON_GetArraySize(list) != n)
        return sb_fail(error, SB_MISMATCH, "key `sections` should have %zu items", n);
    cJSON_ArrayForEach(item, list) {
        const size_t i = m->n_sections++;
        if (!read_section(item, &sections[i], &m->sections[i], error))
            return sb_fail_at(error, "key `sections`: item %zu", i);
        if (sb_has_budget(&sections[i].composition)) m->recipe.cuts[i] = m->sections[i].selected;
    }
    return true;
}

/* Reads what is said of recorded tapes, which only a dataset of such tapes says. */
static bool read_recorded(const cJSON *object, sb_manifest *m, sb_error *error) {
    static const char *const keys[] = {"tapes", "sha256", NULL};
    const cJSON *item;
    const bool expected = sb_casting_is_recorded(&m->recipe.casting);
    if (expected != cJSON_HasObjectItem(object, "recorded"))
        return sb_fail(error, SB_INVALID,
                       expected ? "key `recorded` is missing, although the recipe takes recorded tapes"
                                : "key `recorded` is there, although the recipe takes no recorded tapes");
    return !expected ||
           (sb_json_object(object, "recorded", &item, error) && sb_json_known_keys(item, keys, error) &&
            sb_json_uint(item, "tapes", &m->recorded, error) &&
            sb_json_sha256(item, "sha256", m->recorded_sha256, error)) ||
           sb_fail_at(error, "key `recorded`");
}

static bool read_counts(const cJSON *object, sb_manifest *m, sb_error *error) {
    return sb_json_text(object, "seedbed", m->seedbed, sizeof m->seedbed, error) &&
           sb_json_text(object, "rules", m->rules, sizeof m->rules, error) &&
           sb_json_uint(object, "selected", &m->selected, error) &&
           read_found(object, "evaluation", &m->evaluation, !m->recipe.keep_evaluation, error) &&
           read_found(object, "duplicates", &m->duplicates, m->recipe.drop_duplicates, error) &&
           read_found(object, "across", &m->across, !m->recipe.keep_evaluation, error) &&
           (m->recipe.n_splits < 2 || read_found(object, "elsewhere", &m->elsewhere, true, error)) &&
           sb_json_uint(object, "filtered", &m->filtered, error) && read_unreadable(object, m, error) &&
           sb_json_uint(object, "episodes", &m->episodes, error) &&
           sb_json_uint(object, "successes", &m->successes, error) && sb_json_uint(object, "rows", &m->rows, error) &&
           sb_json_uint(object, "content_bytes", &m->content_bytes, error) &&
           sb_json_sha256(object, "content_sha256", m->content_sha256, error);
}

static bool read_prompts(const cJSON *object, sb_manifest *m, sb_error *error) {
    m->has_prompts = cJSON_HasObjectItem(object, "prompts");
    if (!m->has_prompts && strcmp(m->seedbed, SB_VERSION) != 0) return true;
    return sb_prompt_list_read(object, &m->prompts, error);
}

static bool read_texts(const cJSON *object, sb_manifest *m, sb_error *error) {
    m->has_texts = cJSON_HasObjectItem(object, "texts");
    return !m->has_texts || sb_text_list_read(object, sb_recipe_tokenizer(&m->recipe) != NULL, &m->texts, error);
}

enum { FILES, TAPES, N_LISTS };
static const char *const list_names[] = {[FILES] = "files", [TAPES] = "tapes", [N_LISTS] = NULL};

static bool read_manifest(const sb_catalogue *catalogue, const cJSON *object, const sb_json_part lists[],
                          sb_manifest *m, sb_error *error) {
    static const char *const keys[] = {
        "format",     "version",   "seedbed",  "zlib",     "rules",      "recipe",    "selected",      "evaluation",
        "duplicates", "across",    "filtered", "episodes", "successes",  "rows",      "content_bytes", "content_sha256",
        "formats",    "files",     "tapes",    "stats",    "card",       "croissant", "recorded",      "sha256",
        "sections",   "elsewhere", "prompts",  "texts",    "unreadable", NULL};
    size_t n_files;
    if (!check_format(object, error) || !sb_json_known_keys(object, keys, error) ||
        !read_recipe(catalogue, object, m, error) || !read_counts(object, m, error) ||
        !read_recorded(object, m, error) || !read_sections(object, m, error) || !read_formats(object, m, error) ||
        !read_prompts(object, m, error) || !read_texts(object, m, error) ||
        !read_files(object, "files", &lists[FILES], &m->files, &n_files, error) ||
        !read_files(object, "tapes", &lists[TAPES], &m->tapes, &m->n_shards, error) ||
        !read_documents(object, m, error))
        return false;
    return n_files == m->n_shards * m->n_formats ||
           sb_fail(error, SB_INVALID, "keys `files`, `formats` and `tapes` contradict each other");
}

bool sb_manifest_parse(const sb_catalogue *catalogue, const char *text, size_t n, sb_manifest *manifest,
                       sb_error *error) {
    sb_json_part lists[N_LISTS];
    *manifest = (sb_manifest){0};
    manifest->document = sb_json_split(text, n, list_names, lists, error);
    return manifest->document && read_manifest(catalogue, manifest->document, lists, manifest, error) &&
           check_seal(text, n, error);
}

/* Says what a folder without a manifest is, and what to do with it. */
static bool check_there(const char *folder, const char *path, sb_error *error) {
    char journal[1024];
    snprintf(journal, sizeof journal, "%s/" SB_JOURNAL_NAME, folder);
    if (sb_file_exists(path) || !sb_is_folder(folder)) return true; /* reading reports what is wrong */
    if (sb_file_exists(journal))
        return sb_fail(error, SB_IO,
                       "%s holds an unfinished dataset, or a part of one: there is no " SB_MANIFEST_NAME
                       " yet; continue it with `seedbed build --resume`, or join parts with `seedbed merge`",
                       folder);
    return sb_fail(error, SB_IO, "%s is no dataset: there is no " SB_MANIFEST_NAME, folder);
}

bool sb_manifest_load(const sb_catalogue *catalogue, const char *folder, sb_manifest *manifest, sb_error *error) {
    char path[1024];
    sb_out text = sb_out_growing();
    *manifest = (sb_manifest){0};
    snprintf(path, sizeof path, "%s/" SB_MANIFEST_NAME, folder);
    bool ok = check_there(folder, path, error) && sb_file_load_plain(path, SB_MANIFEST_BYTES, &text, error);
    if (ok && !sb_manifest_parse(catalogue, text.data, text.size, manifest, error))
        ok = sb_fail_at(error, "%s", sb_path_end(path));
    sb_out_free(&text);
    return ok;
}
