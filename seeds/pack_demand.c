/* What a pack's episodes were chosen by: what was demanded, and the measures that decided. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "seeds/pack.h"

/* ---- Making ---- */

static bool copy(char **to, const char *text, sb_error *error) {
    if (!text) return true;
    const size_t n = strlen(text) + 1;
    *to = malloc(n);
    if (!*to) return sb_fail(error, SB_MEMORY, "out of memory for a demand");
    memcpy(*to, text, n);
    return true;
}

static bool make_values(sb_seed_list *list, size_t n, sb_error *error) {
    list->values = malloc((list->n * n + 1) * sizeof *list->values);
    if (!list->values) return sb_fail(error, SB_MEMORY, "out of memory for %zu measures", list->n * n);
    for (size_t i = 0; i < list->n * n; i++) list->values[i] = NAN;
    list->n_values = n;
    return true;
}

bool sb_pack_add_demand(sb_pack *pack, const sb_pack_demand *demand, sb_error *error) {
    sb_pack_demand *d = &pack->demand;
    *d = *demand;
    d->where = d->spread = NULL;
    bool ok = copy(&d->where, demand->where, error) && copy(&d->spread, demand->spread, error);
    for (size_t i = 0; i < pack->n_lists && ok; i++) ok = make_values(&pack->lists[i], d->n, error);
    return ok;
}

void sb_pack_demand_clear(sb_pack *pack) {
    free(pack->demand.where), free(pack->demand.spread);
    for (size_t i = 0; i < pack->n_lists; i++) free(pack->lists[i].values);
    pack->demand = (sb_pack_demand){0};
}

/* ---- Writing ---- */

void sb_pack_demand_put(const sb_pack_demand *d, sb_out *out) {
    sb_puts(out, "{");
    if (d->where) sb_member_text(out, "where", d->where);
    if (d->spread) sb_member_text(out, "spread", d->spread);
    sb_member_uint(out, "version", d->version);
    sb_put_key(out, "measures");
    sb_puts(out, "[");
    for (size_t i = 0; i < d->n; i++) sb_put_comma(out), sb_put_json_string(out, d->measures[i]);
    sb_puts(out, "]}");
}

static void put_row(const double *values, size_t n, sb_out *out) {
    sb_puts(out, "[");
    for (size_t i = 0; i < n; i++) {
        sb_put_comma(out);
        if (isnan(values[i]))
            sb_puts(out, "null");
        else
            sb_put_double(out, values[i]);
    }
    sb_puts(out, "]");
}

void sb_seed_list_values_put(const sb_seed_list *list, sb_out *out) {
    sb_put_key(out, "measured");
    sb_puts(out, "[");
    for (size_t i = 0; i < list->n; i++) {
        sb_put_comma(out);
        put_row(list->values + i * list->n_values, list->n_values, out);
    }
    sb_puts(out, "]");
}

void sb_seed_list_values_hash(const sb_seed_list *list, char hex[SB_SHA256_HEX]) {
    char text[32 * SB_PACK_MEASURES];
    sb_sha256 hash;
    sb_sha256_begin(&hash);
    for (size_t i = 0; i < list->n; i++) {
        sb_out row = sb_out_fixed(text, sizeof text);
        put_row(list->values + i * list->n_values, list->n_values, &row);
        sb_puts(&row, "\n");
        sb_sha256_add(&hash, text, row.size);
    }
    sb_sha256_end_hex(&hash, hex);
}

/* ---- Reading ---- */

static bool read_measures(const cJSON *object, sb_pack_demand *d, sb_error *error) {
    const cJSON *list, *item;
    if (!sb_json_array(object, "measures", &list, error)) return false;
    cJSON_ArrayForEach(item, list) {
        const char *name = cJSON_IsString(item) ? item->valuestring : "";
        if (!*name || strlen(name) >= sizeof *d->measures || d->n == SB_PACK_MEASURES)
            return sb_fail(error, SB_INVALID, "key `measures` should list the names of at most %d measures",
                           SB_PACK_MEASURES);
        strcpy(d->measures[d->n++], name);
    }
    return true;
}

bool sb_pack_demand_read(const cJSON *object, sb_pack_demand *d, sb_error *error) {
    static const char *const keys[] = {"where", "spread", "version", "measures", NULL};
    const char *where = NULL, *spread = NULL;
    uint64_t version;
    *d = (sb_pack_demand){0};
    if (!sb_json_known_keys(object, keys, error) || !sb_json_optional_string(object, "where", &where, error) ||
        !sb_json_optional_string(object, "spread", &spread, error) ||
        !sb_json_uint(object, "version", &version, error) || !read_measures(object, d, error))
        return false;
    if (!where && !spread) return sb_fail(error, SB_INVALID, "it has neither `where` nor `spread`");
    if (version < 1 || version > 1000) return sb_fail(error, SB_VERSION_OTHER, "key `version` is no known version");
    d->version = (unsigned)version;
    d->where = (char *)(uintptr_t)where, d->spread = (char *)(uintptr_t)spread;
    return true;
}

bool sb_seed_list_values_read(const cJSON *item, sb_seed_list *list, size_t i, sb_error *error) {
    double *values = list->values + i * list->n_values;
    const cJSON *value;
    size_t n = 0;
    bool ok = cJSON_IsArray(item) && (size_t)cJSON_GetArraySize(item) == list->n_values;
    if (ok) cJSON_ArrayForEach(value, item) {
            ok &= cJSON_IsNumber(value) || cJSON_IsNull(value);
            values[n++] = cJSON_IsNumber(value) ? value->valuedouble : NAN;
        }
    return ok || sb_fail(error, SB_INVALID, "measures %zu: not a list of %zu numbers or null", i + 1, list->n_values);
}
