/* Seed packs as text: the pack document and the published export, written and read. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/gzip.h"
#include "base/json.h"
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
    sb_member_text(out, "variant", list->variant);
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
    sb_putc(out, '}');
}

/* One list a line, so that packs can be compared with line tools. */
void sb_pack_print(const sb_pack *pack, sb_out *out) {
    sb_putf(out, "{\n  \"format\": \"%s\",\n  \"version\": %d", SB_PACK_FORMAT,
            *pack->rules ? SB_PACK_DIGESTS : SB_PACK_VERSION);
    sb_putf(out, ",\n  \"family\": \"%s\",\n  \"base\": \"%s\"", pack->family, pack->base);
    if (*pack->rules) sb_putf(out, ",\n  \"rules\": \"%s\"", pack->rules);
    sb_putf(out, ",\n  \"hash\": \"%s\",\n  \"lists\": [", pack->hash);
    for (size_t i = 0; i < pack->n_lists; i++) {
        sb_puts(out, i ? ",\n    " : "\n    ");
        print_list(&pack->lists[i], out);
    }
    sb_puts(out, "\n  ]\n}\n");
}

static void print_published_list(const sb_seed_list *list, sb_out *out) {
    sb_putf(out, "    \"%s\": {\n      \"hash\": \"%s\",\n", list->variant, list->hash);
    sb_putf(out, "      \"n_seeds\": %zu,\n      \"seeds\": [", list->n);
    for (size_t i = 0; i < list->n; i++) {
        sb_puts(out, i ? ",\n        " : "\n        ");
        sb_put_json_uint(out, list->seeds[i]);
    }
    sb_puts(out, "\n      ]\n    }");
}

bool sb_pack_print_published(const sb_pack *pack, sb_out *out, sb_error *error) {
    if (strcmp(pack->family, "agentick") != 0 || strcmp(pack->base, "eval") != 0)
        return sb_fail(error, SB_INVALID, "the published form is for agentick's `eval` seeds, not for %s's `%s`",
                       pack->family, pack->base);
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

static bool save(const sb_out *out, const char *path, sb_error *error) {
    enum { SMALLEST = 9 };
    const size_t n = strlen(path);
    sb_gzip gzip = {0};
    sb_out packed = sb_out_growing();
    if (!sb_out_ok(out)) return sb_fail(error, SB_MEMORY, "out of memory for writing %s", path);
    if (n < 3 || strcmp(path + n - 3, ".gz") != 0) return sb_file_save(path, out->data, out->size, error);
    const bool ok = sb_gzip_member(&gzip, SMALLEST, out->data, out->size, &packed, error) &&
                    sb_file_save(path, packed.data, packed.size, error);
    sb_gzip_free(&gzip);
    sb_out_free(&packed);
    return ok;
}

bool sb_pack_save(const sb_pack *pack, const char *path, sb_error *error) {
    sb_out out = sb_out_growing();
    sb_pack_print(pack, &out);
    const bool ok = save(&out, path, error);
    sb_out_free(&out);
    return ok;
}

bool sb_pack_save_published(const sb_pack *pack, const char *path, sb_error *error) {
    sb_out out = sb_out_growing();
    const bool ok = sb_pack_print_published(pack, &out, error) && save(&out, path, error);
    sb_out_free(&out);
    return ok;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

static size_t count_items(const cJSON *of) { return (size_t)cJSON_GetArraySize(of); }

static bool read_hash(const cJSON *object, char hash[SB_SHA256_HEX], sb_error *error) {
    const char *text;
    if (!sb_json_string(object, "hash", &text, error)) return false;
    if (strlen(text) != SB_SHA256_HEX - 1 || strspn(text, "0123456789abcdef") != SB_SHA256_HEX - 1)
        return sb_fail(error, SB_INVALID, "key `hash` should be 64 hexadecimal digits, lower case");
    memcpy(hash, text, SB_SHA256_HEX);
    return true;
}

static bool read_seeds(const cJSON *seeds, sb_seed_list *list, sb_error *error) {
    size_t i = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, seeds) {
        if (!sb_json_is_uint(item, &list->seeds[i]))
            return sb_fail(error, SB_INVALID, "seed %zu: not a whole number from 0 to 2^64-1 (as text from 2^53 on)",
                           i + 1);
        i++;
    }
    return true;
}

static bool read_count(const cJSON *object, const char *key, size_t n, sb_error *error) {
    uint64_t count;
    if (!sb_json_uint(object, key, &count, error)) return false;
    return count == n ||
           sb_fail(error, SB_INVALID, "key `%s` says %llu, but there are %zu seeds", key, (unsigned long long)count, n);
}

/* What lists have in both documents: the count (under its key there), the hash and the seeds. */
static sb_seed_list *read_contents(sb_pack *pack, const char *task, const char *variant, const cJSON *object,
                                   const char *count_key, sb_error *error) {
    const cJSON *seeds;
    if (!sb_json_array(object, "seeds", &seeds, error)) return NULL;
    if (!read_count(object, count_key, count_items(seeds), error)) return NULL;
    sb_seed_list *list = sb_pack_add(pack, task, variant, count_items(seeds), error);
    if (!list) return NULL;
    return read_hash(object, list->hash, error) && read_seeds(seeds, list, error) ? list : NULL;
}

static bool read_digest(const cJSON *item, uint64_t *digest) {
    const char *text = cJSON_IsString(item) ? item->valuestring : "";
    if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) return false;
    *digest = strtoull(text, NULL, 16);
    return true;
}

static bool read_digests(const cJSON *object, sb_seed_list *list, sb_error *error) {
    const cJSON *digests, *item;
    size_t i = 0;
    if (!sb_json_array(object, "digests", &digests, error)) return false;
    if (count_items(digests) != list->n)
        return sb_fail(error, SB_INVALID, "%zu digests for %zu seeds", count_items(digests), list->n);
    list->digests = malloc(list->n * sizeof *list->digests);
    if (!list->digests) return sb_fail(error, SB_MEMORY, "out of memory for %zu digests", list->n);
    cJSON_ArrayForEach(item, digests) {
        if (!read_digest(item, &list->digests[i++]))
            return sb_fail(error, SB_INVALID, "digest %zu: not 16 hexadecimal digits, lower case", i);
    }
    return true;
}

static bool read_list(sb_pack *pack, const char *task, const char *variant, const cJSON *object, sb_error *error) {
    static const char *const plain[] = {"task", "variant", "count", "left_out", "hash", "seeds", NULL};
    static const char *const with_digests[] = {"task", "variant", "count",   "left_out",
                                               "hash", "seeds",   "digests", NULL};
    const char *const *known = *pack->rules ? with_digests : plain;
    uint64_t left_out;
    if (!sb_json_known_keys(object, known, error) || !sb_json_uint(object, "left_out", &left_out, error)) return false;
    sb_seed_list *list = read_contents(pack, task, variant, object, "count", error);
    if (!list) return false;
    list->left_out = left_out;
    return !*pack->rules || read_digests(object, list, error);
}

static bool read_named_list(sb_pack *pack, const cJSON *object, size_t position, sb_error *error) {
    const char *task, *variant;
    if (!sb_json_string(object, "task", &task, error) || !sb_json_string(object, "variant", &variant, error))
        return sb_fail_at(error, "list %zu", position);
    return read_list(pack, task, variant, object, error) || sb_pack_fail_in(task, variant, error);
}

static bool read_lists(sb_pack *pack, const cJSON *lists, sb_error *error) {
    size_t position = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, lists) {
        if (!read_named_list(pack, item, ++position, error)) return false;
    }
    return true;
}

static bool read_version(const cJSON *root, uint64_t *version, sb_error *error) {
    const char *format;
    if (!sb_json_string(root, "format", &format, error)) return false;
    if (strcmp(format, SB_PACK_FORMAT) != 0)
        return sb_fail(error, SB_INVALID, "this is a `%.60s`, not a `%s`", format, SB_PACK_FORMAT);
    if (!sb_json_uint(root, "version", version, error)) return false;
    return *version == SB_PACK_VERSION || *version == SB_PACK_DIGESTS ||
           sb_fail(error, SB_VERSION_OTHER, "version %llu of `%s`: only versions %d and %d are known here",
                   (unsigned long long)*version, SB_PACK_FORMAT, SB_PACK_VERSION, SB_PACK_DIGESTS);
}

/* Only documents of the version with digests have rules. */
static bool read_rules(sb_pack *pack, const cJSON *root, uint64_t version, sb_error *error) {
    const char *rules;
    return version == SB_PACK_VERSION ||
           (sb_json_string(root, "rules", &rules, error) && sb_pack_add_digests(pack, rules, error));
}

static bool read_pack(sb_pack *pack, const cJSON *root, sb_error *error) {
    static const char *const plain[] = {"format", "version", "family", "base", "hash", "lists", NULL};
    static const char *const with_digests[] = {"format", "version", "family", "base", "rules", "hash", "lists", NULL};
    const char *family, *base;
    const cJSON *lists;
    uint64_t version;
    if (!read_version(root, &version, error)) return false;
    if (!sb_json_known_keys(root, version == SB_PACK_VERSION ? plain : with_digests, error)) return false;
    if (!sb_json_string(root, "family", &family, error) || !sb_json_string(root, "base", &base, error)) return false;
    if (!sb_json_array(root, "lists", &lists, error)) return false;
    return sb_pack_begin(pack, family, base, count_items(lists), error) && read_rules(pack, root, version, error) &&
           read_hash(root, pack->hash, error) && read_lists(pack, lists, error);
}

static bool read_published_list(sb_pack *pack, const char *task, const cJSON *object, sb_error *error) {
    static const char *const known[] = {"hash", "n_seeds", "seeds", NULL};
    return sb_json_known_keys(object, known, error) &&
           read_contents(pack, task, object->string, object, "n_seeds", error);
}

static bool read_published_task(sb_pack *pack, const cJSON *variants, sb_error *error) {
    const cJSON *item;
    cJSON_ArrayForEach(item, variants) {
        if (!read_published_list(pack, variants->string, item, error))
            return sb_pack_fail_in(variants->string, item->string, error);
    }
    return true;
}

/* Looking back at every task is quadratic, but there are no more tasks than lists, whose number is limited. */
static bool check_published_task(const cJSON *root, const cJSON *task, sb_error *error) {
    if (!cJSON_IsObject(task) || !task->child)
        return sb_fail(error, SB_INVALID, "key `%.40s` should be an object of variants", task->string);
    return cJSON_GetObjectItemCaseSensitive(root, task->string) == task ||
           sb_fail(error, SB_INVALID, "key `%.40s` is there twice", task->string);
}

static bool read_published(sb_pack *pack, const cJSON *root, sb_error *error) {
    size_t n_lists = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, root) n_lists += count_items(item);
    if (!sb_pack_begin(pack, "agentick", "eval", n_lists, error)) return false;
    cJSON_ArrayForEach(item, root) {
        if (!check_published_task(root, item, error) || !read_published_task(pack, item, error)) return false;
    }
    return true;
}

/* Told apart by the one key that only the pack document has to have, and by the objects that only the export has. */
static bool read_either(sb_pack *pack, const cJSON *root, sb_error *error) {
    if (!cJSON_IsObject(root)) return sb_fail(error, SB_INVALID, "not a seed pack: it should be an object");
    const bool published = !cJSON_GetObjectItemCaseSensitive(root, "format") && cJSON_IsObject(root->child);
    if (!(published ? read_published(pack, root, error) : read_pack(pack, root, error))) return false;
    if (!sb_pack_finish(pack, error)) return false;
    if (published) sb_pack_hash(pack, pack->hash);
    return true;
}

bool sb_pack_read(sb_pack *pack, const cJSON *document, sb_error *error) {
    *pack = (sb_pack){0};
    if (read_either(pack, document, error)) return true;
    sb_pack_free(pack);
    return false;
}

bool sb_pack_parse(sb_pack *pack, const char *text, size_t n, sb_error *error) {
    *pack = (sb_pack){0};
    if (n > SB_PACK_BYTES) return sb_fail(error, SB_INVALID, "longer than %d bytes", SB_PACK_BYTES);
    cJSON *root = sb_json_parse(text, n, error);
    if (!root) return false;
    const bool ok = sb_pack_read(pack, root, error);
    cJSON_Delete(root);
    return ok;
}

bool sb_pack_load(sb_pack *pack, const char *path, sb_error *error) {
    sb_out text = sb_out_growing();
    *pack = (sb_pack){0};
    bool ok = sb_file_load(path, SB_PACK_BYTES, &text, error);
    if (ok) ok = sb_pack_parse(pack, text.data, text.size, error) || sb_fail_at(error, "%s", path);
    sb_out_free(&text);
    return ok;
}
