/* Reading ledgers (evaluation/models/ledger.h). A document may come from anywhere, so everything is checked that a
 * revision relies on. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/grow.h"
#include "base/json.h"
#include "evaluation/models/ledger.h"

static bool read_revision(const cJSON *item, const char *key, uint64_t above, uint64_t most, uint64_t *value,
                          sb_error *error) {
    return (sb_json_is_uint(item, value) && *value > above && *value <= most) ||
           sb_fail(error, SB_INVALID, "key `%s`: expected a revision above %llu and at most %llu", key,
                   (unsigned long long)above, (unsigned long long)most);
}

/* Reads in which revisions the entry was wrong: opened, then reopened, then resolved, each later than the one before.
 */
static bool read_revisions(const cJSON *object, uint64_t newest, sb_ledger_entry *entry, sb_error *error) {
    const cJSON *reopened, *item, *resolved = cJSON_GetObjectItemCaseSensitive(object, "resolved");
    if (!read_revision(cJSON_GetObjectItemCaseSensitive(object, "opened"), "opened", 0, newest, &entry->opened,
                       error) ||
        !sb_json_array(object, "reopened", &reopened, error))
        return false;
    uint64_t last = entry->opened;
    const int n = cJSON_GetArraySize(reopened);
    entry->reopened = malloc(((size_t)n + 1) * sizeof *entry->reopened);
    if (!entry->reopened) return sb_fail(error, SB_MEMORY, "out of memory for the ledger");
    cJSON_ArrayForEach(item, reopened) {
        if (!read_revision(item, "reopened", last, newest, &entry->reopened[entry->n_reopened], error)) return false;
        last = entry->reopened[entry->n_reopened++];
    }
    if (!resolved) return sb_fail(error, SB_INVALID, "key `resolved` is missing");
    if (!cJSON_IsNull(resolved) && !read_revision(resolved, "resolved", last, newest, &entry->resolved, error))
        return false;
    if (!sb_json_uint(object, "times_wrong", &entry->times_wrong, error)) return false;
    return (entry->times_wrong > entry->n_reopened && entry->times_wrong <= newest) ||
           sb_fail(error, SB_INVALID, "key `times_wrong`: expected %zu to %llu", entry->n_reopened + 1,
                   (unsigned long long)newest);
}

static bool read_action(const cJSON *object, sb_out *texts, sb_error *error) {
    const cJSON *action = cJSON_GetObjectItemCaseSensitive(object, "action");
    if (!cJSON_IsObject(action) && !cJSON_IsString(action))
        return sb_fail(error, SB_INVALID, "key `action`: expected an object or a text");
    char *text = cJSON_PrintUnformatted(action);
    if (!text) return sb_fail(error, SB_MEMORY, "out of memory for the ledger");
    sb_put(texts, text, strlen(text) + 1);
    cJSON_free(text);
    return true;
}

static bool read_texts(const cJSON *object, sb_ledger_entry *entry, sb_error *error) {
    const cJSON *fields, *field;
    sb_out texts = sb_out_growing();
    bool ok = read_action(object, &texts, error) && sb_json_array(object, "fields", &fields, error);
    if (ok) {
        cJSON_ArrayForEach(field, fields) {
            ok = ok && (cJSON_IsString(field) || sb_fail(error, SB_INVALID, "key `fields`: expected texts"));
            if (ok) sb_put(&texts, field->valuestring, strlen(field->valuestring) + 1);
            entry->n_fields += ok;
        }
    }
    ok = ok && (sb_out_ok(&texts) || sb_fail(error, SB_MEMORY, "out of memory for the ledger"));
    if (!ok) return sb_out_free(&texts), false;
    entry->texts = texts.data;
    return true;
}

static bool read_entry(const cJSON *object, uint64_t newest, sb_ledger_entry *entry, sb_error *error) {
    static const char *const keys[] = {"source", "owner",  "play",     "t",        "level",       "action",
                                       "fields", "opened", "resolved", "reopened", "times_wrong", NULL};
    size_t source, owner;
    if (!sb_json_known_keys(object, keys, error) ||
        !sb_json_word(object, "source", sb_model_source_names, SB_MODEL_N_SOURCES, &source, error) ||
        !sb_json_word(object, "owner", sb_model_owner_names, SB_N_OWNERS, &owner, error))
        return false;
    entry->source = (sb_model_source)source, entry->owner = (sb_model_owner)owner;
    return sb_json_uint(object, "play", &entry->play, error) && sb_json_uint(object, "t", &entry->t, error) &&
           sb_json_uint(object, "level", &entry->level, error) && read_revisions(object, newest, entry, error) &&
           read_texts(object, entry, error);
}

static bool is_in_order(const sb_ledger *ledger) {
    if (ledger->n < 2) return true;
    const sb_ledger_entry *a = &ledger->entries[ledger->n - 2], *b = a + 1;
    if (a->play != b->play) return a->play < b->play;
    return a->t != b->t ? a->t < b->t : a->source < b->source;
}

static bool read_next(sb_ledger *ledger, const cJSON *item, size_t *capacity, sb_error *error) {
    if (!sb_make_room((void **)&ledger->entries, ledger->n + 1, capacity, sizeof *ledger->entries))
        return sb_fail(error, SB_MEMORY, "out of memory for the ledger");
    ledger->entries[ledger->n] = (sb_ledger_entry){0};
    if (!read_entry(item, ledger->revision, &ledger->entries[ledger->n++], error))
        return sb_fail_at(error, "entry %zu", ledger->n);
    return is_in_order(ledger) ||
           sb_fail(error, SB_INVALID, "entry %zu should come after the one before, by play, t and source", ledger->n);
}

static bool read_entries(sb_ledger *ledger, const sb_json_part *list, sb_error *error) {
    size_t capacity = 0;
    bool ok = true;
    error->code = SB_OK;
    sb_json_items items = sb_json_items_of(list);
    while (ok && sb_json_items_next(&items, error)) ok = read_next(ledger, items.item, &capacity, error);
    ok = ok && error->code == SB_OK;
    sb_json_items_end(&items);
    return ok;
}

static int digit_of(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

static bool read_passed(const cJSON *document, sb_ledger *ledger, sb_error *error) {
    const char *text;
    if (!sb_json_string(document, "passed", &text, error)) return false;
    ledger->n_passed = 4 * strlen(text);
    ledger->passed = calloc(ledger->n_passed + 1, sizeof *ledger->passed);
    if (!ledger->passed) return sb_fail(error, SB_MEMORY, "out of memory for the ledger");
    for (size_t i = 0; i < ledger->n_passed; i++) {
        const int digit = digit_of(text[i / 4]);
        if (digit < 0) return sb_fail(error, SB_INVALID, "key `passed`: digit %zu is not hexadecimal", i / 4 + 1);
        ledger->passed[i] = digit >> (3 - i % 4) & 1;
    }
    return true;
}

static bool read_document(const cJSON *document, const sb_json_part *entries, sb_ledger *ledger, sb_error *error) {
    static const char *const keys[] = {"seedbed_ledger", "revision", "log_sha256", "entries", "passed", NULL};
    uint64_t version;
    if (!cJSON_IsObject(document) || !cJSON_GetObjectItemCaseSensitive(document, "seedbed_ledger"))
        return sb_fail(error, SB_INVALID, "this is no ledger: it has no key `seedbed_ledger`");
    if (!sb_json_uint(document, "seedbed_ledger", &version, error)) return false;
    if (version != 1)
        return sb_fail(error, SB_VERSION_OTHER, "the ledger has version %llu, but this program reads version 1",
                       (unsigned long long)version);
    const cJSON *list;
    return sb_json_known_keys(document, keys, error) &&
           read_revision(cJSON_GetObjectItemCaseSensitive(document, "revision"), "revision", 0, SB_LEDGER_REVISIONS,
                         &ledger->revision, error) &&
           sb_json_sha256(document, "log_sha256", ledger->log_sha256, error) && read_passed(document, ledger, error) &&
           sb_json_array(document, "entries", &list, error) && read_entries(ledger, entries, error);
}

bool sb_ledger_parse(sb_ledger *ledger, const char *text, size_t n, sb_error *error) {
    static const char *const names[] = {"entries", NULL};
    sb_json_part entries[1];
    *ledger = (sb_ledger){0};
    cJSON *document = sb_json_split(text, n, names, entries, error);
    if (!document) return false;
    const bool ok = read_document(document, entries, ledger, error);
    cJSON_Delete(document);
    return ok;
}

bool sb_ledger_load(sb_ledger *ledger, const char *path, sb_error *error) {
    sb_out text = sb_out_growing();
    *ledger = (sb_ledger){0};
    if (!sb_file_exists(path)) return true;
    bool ok = sb_file_load(path, SB_LEDGER_BYTES, &text, error);
    ok = ok && (sb_ledger_parse(ledger, text.data, text.size, error) || sb_fail_at(error, "%s", sb_path_end(path)));
    sb_out_free(&text);
    return ok;
}
