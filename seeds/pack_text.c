/* Reads and writes seed packs as text: the pack document and the published export. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/gzip.h"
#include "base/json.h"
#include "base/word.h"
#include "seeds/official.h"
#include "seeds/pack.h"

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static void print_digests(const sb_seed_list *list, sb_out *out) {
    sb_put_key(out, "digests");
    sb_putc(out, '[');
    for (size_t i = 0; i < list->n; i++) {
        sb_put_comma(out);
        sb_putf(out, "\"%016llx\"", (unsigned long long)list->digests[i]);
    }
    sb_putc(out, ']');
}

static void print_list(const sb_seed_list *list, sb_out *out) {
    sb_putc(out, '{');
    sb_member_text(out, "task", list->task);
    sb_member_text(out, "variant", list->difficulty);
    sb_member_uint(out, "count", list->n);
    sb_member_uint(out, "left_out", list->left_out);
    sb_member_text(out, "hash", list->hash);
    sb_put_key(out, "seeds");
    sb_putc(out, '[');
    for (size_t i = 0; i < list->n; i++) {
        sb_put_comma(out);
        sb_put_json_uint(out, list->seeds[i]);
    }
    sb_putc(out, ']');
    if (list->digests) print_digests(list, out);
    if (list->values) sb_seed_list_values_put(list, out);
    sb_putc(out, '}');
}

/* Puts one list per line, so that line tools can compare packs. */
void sb_pack_put(const sb_pack *pack, sb_out *out) {
    sb_putf(out, "{\n  \"format\": \"%s\",\n  \"version\": %d", SB_PACK_FORMAT, sb_pack_version(pack));
    sb_putf(out, ",\n  \"family\": \"%s\",\n  \"base\": \"%s\"", pack->family, pack->base);
    if (*pack->rules) sb_putf(out, ",\n  \"rules\": \"%s\"", pack->rules);
    if (sb_pack_demands(pack)) sb_puts(out, ",\n  \"demand\": "), sb_pack_demand_put(&pack->demand, out);
    sb_putf(out, ",\n  \"hash\": \"%s\",\n  \"lists\": [", pack->hash);
    for (size_t i = 0; i < pack->n_lists; i++) {
        sb_puts(out, i ? ",\n    " : "\n    ");
        print_list(&pack->lists[i], out);
    }
    sb_puts(out, "\n  ]\n}\n");
}

static void print_published_list(const sb_seed_list *list, sb_out *out) {
    sb_putf(out, "    \"%s\": {\n      \"hash\": \"%s\",\n", list->difficulty, list->hash);
    sb_putf(out, "      \"n_seeds\": %zu,\n      \"seeds\": [", list->n);
    for (size_t i = 0; i < list->n; i++) {
        sb_puts(out, i ? ",\n        " : "\n        ");
        sb_put_json_uint(out, list->seeds[i]);
    }
    sb_puts(out, "\n      ]\n    }");
}

bool sb_pack_print_published(const sb_pack *pack, sb_out *out, sb_error *error) {
    if (strcmp(pack->family, sb_official_family) != 0 || strcmp(pack->base, "eval") != 0)
        return sb_fail(error, SB_INVALID,
                       "the published form is only for the `eval` seeds of %s, not for %s with base `%s`",
                       sb_official_family, pack->family, pack->base);
    const char *task = "";
    for (size_t i = 0; i < pack->n_lists; i++) {
        const bool next_task = strcmp(task, pack->lists[i].task) != 0;
        task = pack->lists[i].task;
        if (next_task)
            sb_putf(out, "%s\n  \"%s\": {\n", i ? "\n  }," : "{", task);
        else
            sb_puts(out, ",\n");
        print_published_list(&pack->lists[i], out);
    }
    sb_puts(out, "\n  }\n}"); /* no newline: as published */
    return true;
}

static bool save(const sb_out *out, sb_file *file, sb_error *error) {
    enum { SMALLEST = 9 };
    sb_gzip gzip = {0};
    sb_out packed = sb_out_growing();
    const bool packs = sb_ends_with(file->path, ".gz");
    if (!sb_out_ok(out)) return sb_fail(error, SB_MEMORY, "out of memory for writing %s", file->path);
    bool ok = !packs || sb_gzip_member(&gzip, SMALLEST, out->data, out->size, &packed, error);
    if (packs) out = &packed;
    ok = ok && sb_file_write(file, out->data, out->size, error) && sb_file_commit(file, NULL, error);
    sb_gzip_free(&gzip);
    sb_out_free(&packed);
    return ok;
}

bool sb_pack_write(const sb_pack *pack, sb_file *file, sb_error *error) {
    sb_out out = sb_out_growing();
    sb_pack_put(pack, &out);
    const bool ok = save(&out, file, error);
    sb_out_free(&out);
    return ok;
}

bool sb_pack_write_published(const sb_pack *pack, sb_file *file, sb_error *error) {
    sb_out out = sb_out_growing();
    const bool ok = sb_pack_print_published(pack, &out, error) && save(&out, file, error);
    sb_out_free(&out);
    return ok;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* Packs are read list by list and seed by seed: a tree of ten million seeds would take a gigabyte. */

static bool read_seed(const cJSON *item, sb_seed_list *list, size_t i, sb_error *error) {
    return sb_json_is_uint(item, &list->seeds[i]) ||
           sb_fail(error, SB_INVALID, "seed %zu: not a whole number from 0 to 2^64-1", i + 1);
}

static bool read_digest(const cJSON *item, sb_seed_list *list, size_t i, sb_error *error) {
    const char *text = cJSON_IsString(item) ? item->valuestring : "";
    if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        return sb_fail(error, SB_INVALID, "digest %zu: not 16 hexadecimal digits, lower case", i + 1);
    list->digests[i] = strtoull(text, NULL, 16);
    return true;
}

/* Reads all of a list with list->n items. */
static bool read_all(const sb_json_part *text, sb_seed_list *list,
                     bool (*read)(const cJSON *item, sb_seed_list *list, size_t i, sb_error *error), sb_error *error) {
    sb_json_items items = sb_json_items_of(text);
    bool ok = true;
    for (size_t i = 0; ok && sb_json_items_next(&items, error); i++) ok = read(items.item, list, i, error);
    sb_json_items_end(&items);
    return ok && error->code == SB_OK;
}

static bool read_count(const cJSON *object, const char *key, size_t n, sb_error *error) {
    uint64_t count;
    if (!sb_json_uint(object, key, &count, error)) return false;
    return count == n ||
           sb_fail(error, SB_INVALID, "key `%s` says %llu, but there are %zu seeds", key, (unsigned long long)count, n);
}

/* One list of a document: its short members, and where its long ones are in the text. */
enum { SEEDS, DIGESTS, MEASURED, N_LONG };
typedef struct list_text {
    cJSON *object;
    sb_json_part parts[N_LONG];
} list_text;

static bool open_list(list_text *list, const sb_json_part *text, sb_error *error) {
    static const char *const names[] = {
        [SEEDS] = "seeds", [DIGESTS] = "digests", [MEASURED] = "measured", [N_LONG] = NULL};
    list->object = sb_json_part_split(text, names, list->parts, error);
    return list->object;
}

/* Reads what lists have in the pack document and in the export: the count (its key differs), the hash and the seeds. */
static sb_seed_list *read_contents(sb_pack *pack, const char *task, const char *difficulty, const list_text *text,
                                   const char *count_key, sb_error *error) {
    const cJSON *seeds;
    const sb_json_part *part = &text->parts[SEEDS];
    if (!sb_json_array(text->object, "seeds", &seeds, error)) return NULL;
    const size_t n = sb_json_part_length(part);
    if (!read_count(text->object, count_key, n, error)) return NULL;
    sb_seed_list *list = sb_pack_add(pack, task, difficulty, n, error);
    if (!list) return NULL;
    return sb_json_sha256(text->object, "hash", list->hash, error) && read_all(part, list, read_seed, error) ? list
                                                                                                             : NULL;
}

static bool read_digests(const list_text *text, sb_seed_list *list, sb_error *error) {
    const cJSON *digests;
    const sb_json_part *part = &text->parts[DIGESTS];
    if (!sb_json_array(text->object, "digests", &digests, error)) return false;
    const size_t n = sb_json_part_length(part);
    if (n != list->n) return sb_fail(error, SB_INVALID, "%zu digests for %zu seeds", n, list->n);
    list->digests = malloc(list->n * sizeof *list->digests);
    if (!list->digests) return sb_fail(error, SB_MEMORY, "out of memory for %zu digests", list->n);
    return read_all(part, list, read_digest, error);
}

static bool read_measured(const list_text *text, sb_seed_list *list, size_t n_values, sb_error *error) {
    const cJSON *rows;
    const sb_json_part *part = &text->parts[MEASURED];
    if (!sb_json_array(text->object, "measured", &rows, error)) return false;
    const size_t n = sb_json_part_length(part);
    if (n != list->n) return sb_fail(error, SB_INVALID, "measures of %zu episodes for %zu seeds", n, list->n);
    list->values = malloc((list->n * n_values + 1) * sizeof *list->values);
    if (!list->values) return sb_fail(error, SB_MEMORY, "out of memory for %zu measures", list->n * n_values);
    list->n_values = n_values;
    return read_all(part, list, sb_seed_list_values_read, error);
}

/* Lists have digests exactly if the pack has rules, and measures exactly if it has a demand. */
static bool check_keys(const sb_pack *pack, const cJSON *object, sb_error *error) {
    const bool digests = *pack->rules, measured = sb_pack_demands(pack);
    const char *known[] = {"task", "variant", "count", "left_out", "hash", "seeds", NULL, NULL, NULL};
    size_t n = 6;
    if (digests) known[n++] = "digests";
    if (measured) known[n++] = "measured";
    return sb_json_known_keys(object, known, error);
}

static bool read_list(sb_pack *pack, const char *task, const char *difficulty, const list_text *text, sb_error *error) {
    uint64_t left_out;
    if (!check_keys(pack, text->object, error) || !sb_json_uint(text->object, "left_out", &left_out, error))
        return false;
    sb_seed_list *list = read_contents(pack, task, difficulty, text, "count", error);
    if (!list) return false;
    list->left_out = left_out;
    return (!*pack->rules || read_digests(text, list, error)) &&
           (!sb_pack_demands(pack) || read_measured(text, list, pack->demand.n, error));
}

static bool read_named_list(sb_pack *pack, const sb_json_part *part, size_t position, sb_error *error) {
    const char *task, *difficulty;
    list_text text;
    if (!open_list(&text, part, error)) return sb_fail_at(error, "list %zu", position);
    bool ok = sb_json_string(text.object, "task", &task, error) &&
              sb_json_string(text.object, "variant", &difficulty, error);
    if (!ok)
        sb_fail_at(error, "list %zu", position);
    else
        ok = read_list(pack, task, difficulty, &text, error) || sb_pack_fail_in(task, difficulty, error);
    cJSON_Delete(text.object);
    return ok;
}

static bool read_lists(sb_pack *pack, const sb_json_part *lists, sb_error *error) {
    sb_json_walk walk = sb_json_walk_of(lists);
    while (sb_json_walk_next(&walk, error))
        if (!read_named_list(pack, &walk.value, walk.n, error)) return false;
    return error->code == SB_OK;
}

static bool read_version(const cJSON *root, uint64_t *version, sb_error *error) {
    const char *format;
    if (!sb_json_string(root, "format", &format, error)) return false;
    if (strcmp(format, SB_PACK_FORMAT) != 0)
        return sb_fail(error, SB_INVALID, "this is a `%.60s`, not a `%s`", format, SB_PACK_FORMAT);
    if (!sb_json_uint(root, "version", version, error)) return false;
    return (*version >= SB_PACK_VERSION && *version <= SB_PACK_DEMAND) ||
           sb_fail(error, SB_VERSION_OTHER, "version %llu of `%s`: this program reads versions %d to %d",
                   (unsigned long long)*version, SB_PACK_FORMAT, SB_PACK_VERSION, SB_PACK_DEMAND);
}

/* Packs of version 1 have no rules, packs with digests have them, packs with a demand may have them. */
static bool read_rules(sb_pack *pack, const cJSON *root, uint64_t version, sb_error *error) {
    const char *rules;
    if (version == SB_PACK_VERSION || (version == SB_PACK_DEMAND && !cJSON_HasObjectItem(root, "rules"))) return true;
    return sb_json_string(root, "rules", &rules, error) && sb_pack_add_digests(pack, rules, error);
}

static bool read_demand(sb_pack *pack, const cJSON *root, uint64_t version, sb_error *error) {
    sb_pack_demand demand;
    const cJSON *object;
    if (version != SB_PACK_DEMAND) return true;
    return sb_json_object(root, "demand", &object, error) &&
           (sb_pack_demand_read(object, &demand, error) || sb_fail_at(error, "key `demand`")) &&
           sb_pack_add_demand(pack, &demand, error);
}

static bool read_document(sb_pack *pack, const cJSON *root, const sb_json_part *text, sb_error *error) {
    static const char *const plain[] = {"format", "version", "family", "base", "hash", "lists", NULL};
    static const char *const with_digests[] = {"format", "version", "family", "base", "rules", "hash", "lists", NULL};
    static const char *const with_demand[] = {"format", "version", "family", "base", "rules",
                                              "demand", "hash",    "lists",  NULL};
    static const char *const *const known[] = {
        [SB_PACK_VERSION] = plain, [SB_PACK_DIGESTS] = with_digests, [SB_PACK_DEMAND] = with_demand};
    const char *family, *base;
    const cJSON *lists;
    uint64_t version;
    if (!read_version(root, &version, error)) return false;
    if (!sb_json_known_keys(root, known[version], error)) return false;
    if (!sb_json_string(root, "family", &family, error) || !sb_json_string(root, "base", &base, error)) return false;
    if (!sb_json_array(root, "lists", &lists, error)) return false;
    return sb_pack_begin(pack, family, base, sb_json_part_length(text), error) &&
           read_rules(pack, root, version, error) && read_demand(pack, root, version, error) &&
           sb_json_sha256(root, "hash", pack->hash, error) && read_lists(pack, text, error);
}

static bool read_pack(sb_pack *pack, const sb_json_part *whole, sb_error *error) {
    static const char *const names[] = {"lists", NULL};
    sb_json_part lists;
    cJSON *root = sb_json_part_split(whole, names, &lists, error);
    const bool ok = root && read_document(pack, root, &lists, error);
    cJSON_Delete(root);
    return ok;
}

/* ---- The published export: objects of objects ---- */

/* Reads the name of a task or a difficulty. */
static bool read_key(const sb_json_part *key, char *name, size_t size, sb_error *error) {
    cJSON *item = sb_json_part_parse(key, error);
    if (!item) return false;
    const bool ok = strlen(item->valuestring) < size ||
                    sb_fail(error, SB_INVALID, "key `%.40s` is too long for a name", item->valuestring);
    if (ok) strcpy(name, item->valuestring);
    cJSON_Delete(item);
    return ok;
}

static bool read_published_list(sb_pack *pack, const char *task, const char *difficulty, const sb_json_part *part,
                                sb_error *error) {
    static const char *const known[] = {"hash", "n_seeds", "seeds", NULL};
    list_text text;
    const bool ok = open_list(&text, part, error) && sb_json_known_keys(text.object, known, error) &&
                    read_contents(pack, task, difficulty, &text, "n_seeds", error);
    cJSON_Delete(text.object);
    return ok || sb_pack_fail_in(task, difficulty, error);
}

static bool read_published_task(sb_pack *pack, const char *task, const sb_json_part *difficulties, sb_error *error) {
    char name[sizeof pack->lists->difficulty];
    sb_json_walk walk = sb_json_walk_of(difficulties);
    while (sb_json_walk_next(&walk, error)) {
        if (!read_key(&walk.key, name, sizeof name, error) ||
            !read_published_list(pack, task, name, &walk.value, error))
            return false;
    }
    return error->code == SB_OK;
}

static bool is_known(const sb_pack *pack, const char *task) {
    for (size_t i = 0; i < pack->n_lists; i++)
        if (strcmp(pack->lists[i].task, task) == 0) return true;
    return false;
}

/* Looking at all earlier lists is quadratic, but their number is limited. */
static bool check_published_task(const sb_pack *pack, const char *task, const sb_json_part *difficulties,
                                 sb_error *error) {
    if (!sb_json_part_is_object(difficulties) || sb_json_part_length(difficulties) == 0)
        return sb_fail(error, SB_INVALID, "key `%.40s` should be an object of difficulties", task);
    return !is_known(pack, task) || sb_fail(error, SB_INVALID, "key `%.40s` is repeated", task);
}

static bool read_published(sb_pack *pack, const sb_json_part *whole, sb_error *error) {
    char name[sizeof pack->lists->task];
    size_t n_lists = 0;
    sb_json_walk walk = sb_json_walk_of(whole);
    while (sb_json_walk_next(&walk, error))
        if (sb_json_part_is_object(&walk.value)) n_lists += sb_json_part_length(&walk.value);
    if (error->code != SB_OK || !sb_pack_begin(pack, sb_official_family, "eval", n_lists, error)) return false;
    walk = sb_json_walk_of(whole);
    while (sb_json_walk_next(&walk, error)) {
        if (!read_key(&walk.key, name, sizeof name, error) || !check_published_task(pack, name, &walk.value, error) ||
            !read_published_task(pack, name, &walk.value, error))
            return false;
    }
    return error->code == SB_OK;
}

/* ---- Reading either document ---- */

/* Decides by a key that only the pack document must have, and by objects that only the export has. */
static bool is_published(const sb_json_part *whole) {
    static const char format[] = "\"format\"";
    sb_error ignored;
    sb_json_walk walk = sb_json_walk_of(whole);
    bool objects = false, has_format = false;
    while (sb_json_walk_next(&walk, &ignored)) {
        if (walk.n == 1) objects = sb_json_part_is_object(&walk.value);
        has_format |= walk.key.n == sizeof format - 1 && memcmp(walk.key.at, format, walk.key.n) == 0;
    }
    return objects && !has_format;
}

static bool read_either(sb_pack *pack, const sb_json_part *whole, sb_error *error) {
    if (whole->n && !sb_json_part_is_object(whole)) {
        cJSON *other = sb_json_part_parse(whole, error); /* the text may not be JSON at all */
        cJSON_Delete(other);
        return other && sb_fail(error, SB_INVALID, "not a seed pack: it should be an object");
    }
    const bool published = is_published(whole);
    if (!(published ? read_published : read_pack)(pack, whole, error) || !sb_pack_finish(pack, error)) return false;
    if (published) sb_pack_compute_hash(pack, pack->hash);
    return true;
}

bool sb_pack_read(sb_pack *pack, const sb_json_part *document, sb_error *error) {
    *pack = (sb_pack){0};
    if (read_either(pack, document, error)) return true;
    sb_pack_clear(pack);
    return false;
}

bool sb_pack_read_text(sb_pack *pack, const char *text, size_t n, sb_error *error) {
    const sb_json_part whole = sb_json_whole(text, n);
    *pack = (sb_pack){0};
    if (n > SB_PACK_BYTES) return sb_fail(error, SB_INVALID, "longer than %d bytes", SB_PACK_BYTES);
    return sb_json_check(text, n, error) && sb_pack_read(pack, &whole, error);
}

bool sb_pack_read_file(sb_pack *pack, const char *path, sb_error *error) {
    static const char challenges[] = "{\"format\": \"seedbed-challenges\""; /* generators/autumn/challenges/pack.h */
    sb_out text = sb_out_growing();
    *pack = (sb_pack){0};
    bool ok = sb_file_load(path, SB_PACK_BYTES, &text, error);
    if (ok && strncmp(text.data, challenges, strlen(challenges)) == 0)
        ok = sb_fail(error, SB_INVALID, "%s is a pack of challenges: name it with --challenges", path);
    if (ok) ok = sb_pack_read_text(pack, text.data, text.size, error) || sb_fail_at(error, "%s", path);
    sb_out_free(&text);
    return ok;
}
