#include "rollout/mixture.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

void sb_mixture_free(sb_mixture *mixture) {
    sb_selection_free(&mixture->pairs);
    free(mixture->items);
    *mixture = (sb_mixture){0};
}

/* ---- Reading ---- */

static bool is_weight(const cJSON *item) {
    return cJSON_IsNumber(item) && item->valuedouble >= 0 && isfinite(item->valuedouble);
}

static bool read_points(const cJSON *list, sb_mixture_item *item, sb_error *error) {
    const cJSON *point;
    cJSON_ArrayForEach(point, list) {
        const cJSON *at = cJSON_GetArrayItem(point, 0), *weight = cJSON_GetArrayItem(point, 1);
        const size_t n = item->n_points;
        if (n == SB_MIXTURE_POINTS)
            return sb_fail(error, SB_INVALID, "key `weight` has more than %d points", SB_MIXTURE_POINTS);
        if (cJSON_GetArraySize(point) != 2 || !is_weight(at) || at->valuedouble > 1 || !is_weight(weight))
            return sb_fail(error, SB_INVALID,
                           "key `weight`: item %zu should be [progress from 0 to 1, weight of 0 or more]", n);
        if (n && at->valuedouble <= item->at[n - 1])
            return sb_fail(error, SB_INVALID, "key `weight`: the progress of item %zu should be above that before", n);
        item->at[n] = at->valuedouble, item->weight[n] = weight->valuedouble;
        item->n_points++;
    }
    return item->n_points || sb_fail(error, SB_INVALID, "key `weight` is an empty list");
}

static bool read_weight(const cJSON *object, sb_mixture_item *item, sb_error *error) {
    const cJSON *weight = cJSON_GetObjectItemCaseSensitive(object, "weight");
    if (cJSON_IsArray(weight)) return read_points(weight, item, error);
    item->n_points = 1, item->weight[0] = weight ? weight->valuedouble : 1;
    return !weight || is_weight(weight) ||
           sb_fail(error, SB_INVALID, "key `weight` should be a number of 0 or more, or a list of [progress, weight]");
}

/* Adds the pairs of task and difficulty that an item names to those of the mixture. */
static bool read_pairs(const sb_request *usual, const cJSON *object, sb_mixture *m, sb_error *error) {
    sb_request request = {.catalogue = usual->catalogue, .family = usual->family, .difficulty = usual->difficulty};
    sb_selection pairs = {0};
    bool ok = sb_json_optional_string(object, "tasks", &request.tasks, error) &&
              sb_json_optional_string(object, "category", &request.category, error) &&
              sb_json_optional_string(object, "difficulty", &request.difficulty, error);
    if (!request.tasks && !request.category) request.tasks = usual->tasks, request.category = usual->category;
    ok = ok && sb_select_pairs(&request, &pairs, error);
    sb_chosen *all = ok ? realloc(m->pairs.episodes, (m->pairs.n + pairs.n) * sizeof *all) : NULL;
    if (ok && !all) ok = sb_fail(error, SB_MEMORY, "out of memory for a mixture");
    if (ok) {
        m->pairs.episodes = all, m->pairs.catalogue = usual->catalogue;
        m->items[m->n].first = m->pairs.n, m->items[m->n].n = pairs.n;
        for (size_t i = 0; i < pairs.n; i++) all[m->pairs.n++] = pairs.episodes[i];
    }
    sb_selection_free(&pairs);
    return ok;
}

static bool read_item(const sb_request *usual, const cJSON *object, sb_mixture *m, sb_error *error) {
    static const char *const keys[] = {"tasks", "category", "difficulty", "weight", NULL};
    if (!sb_json_known_keys(object, keys, error) || !read_weight(object, &m->items[m->n], error) ||
        !read_pairs(usual, object, m, error))
        return false;
    if (m->pairs.episodes[m->items[m->n].first].family != m->pairs.episodes[0].family)
        return sb_fail(error, SB_INVALID, "a mixture is of one family, and before this item it is of %s",
                       sb_selection_family(&m->pairs, 0)->name);
    m->changes |= m->items[m->n].n_points > 1;
    m->n++;
    return true;
}

/* ---- Drawing ---- */

static double weight_of(const sb_mixture_item *item, double progress) {
    size_t k = 0;
    while (k < item->n_points && item->at[k] <= progress) k++;
    if (k == 0) return item->weight[0];
    if (k == item->n_points) return item->weight[k - 1];
    const double part = (progress - item->at[k - 1]) / (item->at[k] - item->at[k - 1]);
    return item->weight[k - 1] + part * (item->weight[k] - item->weight[k - 1]);
}

static double total_of(const sb_mixture *m, double progress) {
    double total = 0;
    for (size_t i = 0; i < m->n; i++) total += weight_of(&m->items[i], progress);
    return total;
}

const sb_chosen *sb_mixture_draw(const sb_mixture *m, double progress, sb_rng *rng) {
    double left = sb_random(rng) * total_of(m, progress);
    const sb_mixture_item *item = m->items;
    for (size_t i = 0; i < m->n; i++) {
        /* Rounding may leave something over: then the last item with a weight is drawn. */
        const double weight = weight_of(&m->items[i], progress);
        if (weight <= 0) continue;
        item = &m->items[i];
        if (left < weight) break;
        left -= weight;
    }
    return &m->pairs.episodes[item->first + sb_bounded(rng, item->n - 1)];
}

/* ---- Checking ---- */

static bool check_at(const sb_mixture *m, double progress, sb_error *error) {
    const double total = total_of(m, progress);
    if (!isfinite(total)) return sb_fail(error, SB_INVALID, "the sum of the weights is too large: make them smaller");
    return total > 0 ||
           sb_fail(error, SB_INVALID, "key `weight`: at progress %g all items have 0; give at least one of them more",
                   progress);
}

/* Between two points all weights are straight lines, so it is enough to look at the points. */
static bool check_weights(const sb_mixture *m, sb_error *error) {
    for (size_t i = 0; i < m->n; i++)
        for (size_t k = 0; k < m->items[i].n_points; k++)
            if (!check_at(m, m->items[i].at[k], error)) return false;
    return check_at(m, 0, error) && check_at(m, 1, error);
}

bool sb_mixture_read(const sb_request *usual, const cJSON *list, sb_mixture *m, sb_error *error) {
    const cJSON *item;
    *m = (sb_mixture){0};
    if (!cJSON_IsArray(list)) return sb_fail(error, SB_INVALID, "key `mixture` should be a list");
    const size_t n = (size_t)cJSON_GetArraySize(list);
    if (!n) return sb_fail(error, SB_INVALID, "key `mixture` is an empty list");
    if (n > SB_MIXTURE_ITEMS)
        return sb_fail(error, SB_INVALID, "key `mixture` has more than %d items", SB_MIXTURE_ITEMS);
    if (!(m->items = calloc(n, sizeof *m->items))) return sb_fail(error, SB_MEMORY, "out of memory for a mixture");
    cJSON_ArrayForEach(item, list) if (!read_item(usual, item, m, error)) return sb_fail_at(error, "mixture[%zu]",
                                                                                            m->n);
    return check_weights(m, error) || sb_fail_at(error, "mixture");
}

/* ---- Printing ---- */

static void print_number(const cJSON *number, sb_out *out) {
    sb_put_comma(out);
    sb_put_double(out, number->valuedouble);
}

static void print_weight(const cJSON *weight, sb_out *out) {
    const cJSON *point, *number;
    sb_put_key(out, "weight");
    if (cJSON_IsNumber(weight)) {
        sb_put_double(out, weight->valuedouble);
        return;
    }
    sb_puts(out, "[");
    cJSON_ArrayForEach(point, weight) {
        sb_put_comma(out);
        sb_puts(out, "[");
        cJSON_ArrayForEach(number, point) print_number(number, out);
        sb_puts(out, "]");
    }
    sb_puts(out, "]");
}

void sb_mixture_print(const cJSON *list, sb_out *out) {
    const cJSON *item, *member;
    sb_puts(out, "[");
    cJSON_ArrayForEach(item, list) {
        sb_put_comma(out);
        sb_puts(out, "{");
        cJSON_ArrayForEach(member, item) {
            if (cJSON_IsString(member))
                sb_member_text(out, member->string, member->valuestring);
            else
                print_weight(member, out);
        }
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}
