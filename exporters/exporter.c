#include "exporters/exporter.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "engine/lookup.h"

const sb_exporter *sb_exporter_find(const char *name, sb_error *error) {
    char known[120] = "";
    for (const sb_exporter *const *exporter = sb_exporters; *exporter; exporter++) {
        if (strcmp((*exporter)->name, name) == 0) return *exporter;
        const size_t n = strlen(known);
        snprintf(known + n, sizeof known - n, "%s%s", n ? ", " : "", (*exporter)->name);
    }
    sb_fail(error, SB_UNKNOWN, "unknown format `%.40s`; known formats: %s", name, known);
    return NULL;
}

void sb_picture_name(const sb_look *look, char name[SB_PICTURE_NAME]) {
    snprintf(name, SB_PICTURE_NAME, "%s %s", look->name, look->version);
}

static bool add_mode(sb_export *options, const sb_family *family, const char *name, sb_error *error) {
    const sb_mode *mode = sb_mode_find(family, name, error);
    if (!mode) return false;
    for (size_t i = 0; i < options->n_modes; i++)
        if (options->modes[i] == mode) return sb_fail(error, SB_INVALID, "observation mode %s is given twice", name);
    if (options->n_modes == SB_EXPORT_MODES)
        return sb_fail(error, SB_INVALID, "at most %d observation modes are allowed", SB_EXPORT_MODES);
    options->modes[options->n_modes++] = mode;
    return true;
}

bool sb_export_modes(sb_export *options, const sb_family *family, const char *modes, sb_error *error) {
    options->n_modes = 0;
    for (const char *const *mode = family->dataset_modes; !modes && *mode; mode++)
        if (!add_mode(options, family, *mode, error)) return false;
    while (modes) {
        char name[40];
        const char *comma = strchr(modes, ',');
        snprintf(name, sizeof name, "%.*s", (int)(comma ? comma - modes : (long)strlen(modes)), modes);
        if (!add_mode(options, family, name, error)) return false;
        modes = comma ? comma + 1 : NULL;
    }
    return true;
}

/* ---- Options ---- */

static bool is_kind(const sb_rewarding *rewards, const char *kind) {
    return strcmp(rewards->kind ? rewards->kind : "sparse", kind) == 0;
}

bool sb_rewards_densely(const sb_rewarding *rewards) { return is_kind(rewards, "dense"); }

static bool check_rewarding(const sb_rewarding *r, sb_error *error) {
    if (!is_kind(r, "sparse") && !is_kind(r, "dense") && !is_kind(r, "progress"))
        return sb_fail(error, SB_INVALID, "key `reward` should be sparse, dense or progress, not `%.20s`", r->kind);
    if (!(r->gamma >= 0 && r->gamma <= 1)) return sb_fail(error, SB_INVALID, "key `gamma` should be from 0 to 1");
    return r->gamma == 1 || is_kind(r, "progress") ||
           sb_fail(error, SB_INVALID, "key `gamma` goes with \"reward\": \"progress\"");
}

/* Reads which rewards rows have. A kind that is said anew begins with a discount of 1. */
bool sb_rewarding_read(const cJSON *object, sb_rewarding *r, sb_error *error) {
    if (cJSON_HasObjectItem(object, "reward")) r->gamma = 1;
    return sb_json_optional_string(object, "reward", &r->kind, error) &&
           (!cJSON_HasObjectItem(object, "gamma") || sb_json_double(object, "gamma", &r->gamma, error)) &&
           check_rewarding(r, error);
}

void sb_rewarding_print(const sb_rewarding *r, sb_out *out) {
    sb_member_text(out, "reward", r->kind ? r->kind : "sparse");
    if (is_kind(r, "progress")) sb_member_double(out, "gamma", r->gamma);
}

/* Reads which rewards the format's rows have. */
static bool read_rewards(sb_export *export, const cJSON *options, sb_rewarding rewards, sb_error *error) {
    if (!sb_rewarding_read(options, &rewards, error)) return false;
    export->dense = sb_rewards_densely(&rewards);
    export->shapes = is_kind(&rewards, "progress"), export->gamma = rewards.gamma;
    return true;
}

static bool check_keys(const sb_exporter *exporter, const cJSON *options, sb_error *error) {
    const char *known[32] = {"format", "name", "modes", "reward", "gamma"};
    size_t n = 5;
    for (const char *const *key = exporter->keys; key && *key && n < 31; key++) known[n++] = *key;
    return sb_json_known_keys(options, known, error);
}

/* Reads the name for files: letters, digits and underscores, beginning with a letter. */
static bool read_name(const cJSON *options, char name[SB_EXPORT_NAME], sb_error *error) {
    const char *text;
    if (!cJSON_HasObjectItem(options, "name")) return true;
    if (!sb_json_string(options, "name", &text, error)) return false;
    const size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
    if (text[n] || n == 0 || n >= SB_EXPORT_NAME || text[0] < 'a')
        return sb_fail(error, SB_INVALID,
                       "key `name` should be up to %d small letters, digits and underscores, not `%.40s`",
                       SB_EXPORT_NAME - 1, text);
    strcpy(name, text);
    return strcmp(name, "tapes") != 0 ||
           sb_fail(error, SB_INVALID, "key `name`: `tapes` is the name of the files of tapes, so choose another");
}

static bool read_modes(sb_export *export, const cJSON *options, const char *modes, sb_error *error) {
    if (cJSON_HasObjectItem(options, "modes") && !sb_json_string(options, "modes", &modes, error)) return false;
    return sb_export_modes(export, export->family, modes, error) || sb_fail_at(error, "key `modes`");
}

static bool read_options(sb_export *export, const cJSON *options, const sb_export_defaults *defaults, sb_error *error) {
    const char *name;
    if (!cJSON_IsObject(options)) return sb_fail(error, SB_INVALID, "should be a format's name, or an object");
    if (!sb_json_string(options, "format", &name, error)) return false;
    export->exporter = sb_exporter_find(name, error);
    if (!export->exporter) return sb_fail_at(error, "key `format`");
    snprintf(export->name, sizeof export->name, "%s", export->exporter->name);
    return check_keys(export->exporter, options, error) && read_name(options, export->name, error) &&
           read_modes(export, options, defaults->modes, error);
}

/* Sets the flags that follow from the tasks. It is enough to look at the first episode of each task and difficulty. */
static void look_at_tasks(sb_export *export) {
    const sb_selection *all = &export->episodes;
    sb_seen_pairs seen = {0};
    export->faults = export->family->tell_fault != NULL;
    for (size_t i = 0; i < all->n; i++) {
        if (!sb_is_new_pair(&seen, &all->episodes[i])) continue;
        const sb_resolved of = sb_selection_at(all, i);
        const sb_criterion criterion = sb_criterion_of(&of);
        export->scores |= sb_has_score(criterion), export->explores |= !sb_has_success(criterion);
    }
}

static bool has_column(const sb_export *export, const char *name) {
    sb_columns columns = {.n = 0};
    bool has = false;
    if (export->exporter->columns) export->exporter->columns(export, &columns);
    for (size_t i = 0; i < columns.n; i++) has |= strcmp(columns.of[i].name, name) == 0;
    return has;
}

/* Checks that readers can hold the seeds: in integers of 64 bits with a sign. Some would make doubles of a larger seed
 * without a word. */
static bool check_seeds(const sb_export *export, sb_error *error) {
    const sb_selection *all = &export->episodes;
    if (export->nulls || !has_column(export, "seed")) return true;
    for (size_t i = 0; i < all->n; i++) {
        const uint64_t seed = all->episodes[i].seed;
        if (seed <= INT64_MAX) continue;
        return sb_fail(error, SB_INVALID,
                       "%s: the seed %llu does not fit into a column of integers, which end at %lld in most readers: "
                       "take smaller seeds, or formats without this column (chat, npz)",
                       export->name, (unsigned long long)seed, (long long)INT64_MAX);
    }
    return true;
}

bool sb_export_read(sb_export *export, const cJSON *item, const sb_export_defaults *defaults, sb_error *error) {
    *export = (sb_export){.family = defaults->family,
                          .published_mask = defaults->published_mask,
                          .labels = defaults->labels,
                          .labeller = defaults->labeller ? defaults->labeller : "",
                          .instructions = defaults->instructions,
                          .hints_offer = defaults->hints_offer,
                          .nulls = defaults->nulls,
                          .level = defaults->level,
                          .dataset = defaults->dataset,
                          .episodes = defaults->episodes};
    look_at_tasks(export);
    if (cJSON_IsString(item)) {
        export->exporter = sb_exporter_find(item->valuestring, error);
        if (!export->exporter || !read_modes(export, NULL, defaults->modes, error)) return false;
        snprintf(export->name, sizeof export->name, "%s", export->exporter->name);
    } else if (!read_options(export, item, defaults, error)) {
        return false;
    }
    const cJSON *options = cJSON_IsObject(item) ? item : NULL;
    return read_rewards(export, options, defaults->rewards, error) &&
           (!export->exporter->read || export->exporter->read(export, options, error)) && check_seeds(export, error);
}

void sb_export_free(sb_export *export) {
    if (export->own && export->exporter->free) export->exporter->free(export->own);
    *export = (sb_export){0};
}

/* ---- Files named by options ---- */

static cJSON *load_document(const char *path, sb_error *error) {
    enum { BYTES_MAX = 1 << 16 };
    sb_out text = sb_out_growing();
    cJSON *document = sb_file_load(path, BYTES_MAX, &text, error) ? sb_json_parse(text.data, text.size, error) : NULL;
    sb_out_free(&text);
    if (document && !cJSON_IsObject(document)) {
        sb_fail(error, SB_INVALID, "should hold a JSON object");
        cJSON_Delete(document);
        document = NULL;
    }
    if (!document) sb_fail_at(error, "%s", sb_path_end(path));
    return document;
}

bool sb_export_embed(cJSON *options, sb_error *error) {
    const char *format = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(options, "format"));
    sb_error unknown; /* an unknown format is reported later, when the item is read */
    const sb_exporter *exporter = format ? sb_exporter_find(format, &unknown) : NULL;
    const char *key = exporter ? exporter->document : NULL;
    const char *path = key ? cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(options, key)) : NULL;
    if (!path) return true;
    cJSON *content = load_document(path, error);
    if (!content) return sb_fail_at(error, "key `%s`", key);
    return cJSON_ReplaceItemInObjectCaseSensitive(options, key, content) ||
           (cJSON_Delete(content), sb_fail(error, SB_MEMORY, "out of memory for `%s`", key));
}
