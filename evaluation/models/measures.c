#include "evaluation/models/measures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* ---- Areas ------------------------------------------------------------------------------------------------------- */

static bool make_room(sb_frame_areas *a, size_t cells) {
    a->cells = cells;
    if (cells <= a->cells_capacity) return true;
    uint16_t *labels = realloc(a->labels, cells * sizeof *labels);
    if (labels) a->labels = labels;
    uint32_t *room = labels ? realloc(a->room, 2 * cells * sizeof *room) : NULL;
    if (!room) return false;
    a->room = room, a->cells_capacity = cells;
    return true;
}

/* The lowest number of a set of runs that are one area. */
static uint32_t root_of(uint32_t *parents, uint32_t run) {
    while (parents[run] != run) run = parents[run] = parents[parents[run]];
    return run;
}

/* Gives every cell the number of its run, and joins runs that touch. A row like the one above has its runs. */
static uint32_t find_runs(const sb_frame_shape *shape, const uint8_t *frame, uint32_t *runs, uint32_t *parents) {
    const size_t width = (size_t)shape->width;
    uint32_t n = 0;
    for (int32_t y = 0; y < shape->height; y++, frame += width, runs += width) {
        const bool has_above = y > 0;
        if (has_above && memcmp(frame - width, frame, width) == 0) {
            memcpy(runs, runs - width, width * sizeof *runs);
            continue;
        }
        for (size_t x = 0; x < width; x++) {
            if (x == 0 || frame[x] != frame[x - 1]) parents[n] = n, n++;
            runs[x] = n - 1;
            if (!has_above || frame[x - width] != frame[x]) continue;
            const uint32_t above = root_of(parents, runs[x - width]), here = root_of(parents, n - 1);
            if (above < here)
                parents[here] = above;
            else
                parents[above] = here;
        }
    }
    return n;
}

static uint8_t ground_of(const sb_frame_areas *a) {
    uint32_t cells[SB_FRAME_COLOURS] = {0};
    uint8_t most = 0;
    for (size_t i = 0; i < a->n; i++) cells[a->areas[i].colour] += a->areas[i].cells;
    for (int i = 1; i < SB_FRAME_COLOURS; i++)
        if (cells[i] > cells[most]) most = (uint8_t)i;
    return most;
}

bool sb_frame_areas_find(sb_frame_areas *a, const sb_frame_shape *shape, const uint8_t *frame) {
    const size_t cells = sb_frame_cells(shape);
    if (!make_room(a, cells)) return false;
    uint32_t *runs = a->room, *parents = a->room + cells;
    const uint32_t n = find_runs(shape, frame, runs, parents);
    a->n = 0;
    if (n > a->capacity) {
        sb_frame_area *areas = realloc(a->areas, n * sizeof *areas);
        if (!areas) return false;
        a->areas = areas, a->capacity = n;
    }
    /* Roots are the lowest of their sets, so each is met before the others; then a parent is the number of its area. */
    for (uint32_t i = 0; i < n; i++) {
        const bool is_root = parents[i] == i;
        parents[i] = is_root ? (uint32_t)a->n : parents[parents[i]];
        if (is_root) a->areas[a->n++] = (sb_frame_area){.first = UINT32_MAX};
    }
    for (uint32_t i = 0; i < cells; i++) {
        const uint32_t label = parents[runs[i]];
        sb_frame_area *area = &a->areas[label];
        a->labels[i] = (uint16_t)label;
        if (area->first == UINT32_MAX) area->first = i, area->colour = frame[i];
        area->cells++;
    }
    a->ground = ground_of(a);
    return true;
}

void sb_frame_areas_free(sb_frame_areas *a) {
    free(a->areas);
    free(a->labels);
    free(a->room);
    *a = (sb_frame_areas){0};
}

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

double sb_measure_pixels(const sb_frame_shape *shape, const uint8_t *predicted, const uint8_t *real) {
    const size_t cells = sb_frame_cells(shape);
    size_t equal = 0;
    for (size_t i = 0; i < cells; i++) equal += predicted[i] == real[i];
    return (double)equal / (double)cells;
}

double sb_measure_changes(const sb_frame_shape *shape, const uint8_t *before, const uint8_t *predicted,
                          const uint8_t *real) {
    const size_t cells = sb_frame_cells(shape);
    size_t changed = 0, predicted_changed = 0, hit = 0;
    for (size_t i = 0; i < cells; i++) {
        const bool a = real[i] != before[i], p = predicted[i] != before[i];
        changed += a, predicted_changed += p;
        hit += (size_t)(a & p) & (size_t)(predicted[i] == real[i]);
    }
    return changed + predicted_changed ? 2.0 * (double)hit / (double)(changed + predicted_changed) : 1.0;
}

double sb_measure_histogram(const sb_frame_shape *shape, const uint8_t *predicted, const uint8_t *real) {
    const size_t cells = sb_frame_cells(shape);
    int32_t more[SB_FRAME_COLOURS] = {0};
    uint32_t sum = 0;
    for (size_t i = 0; i < cells; i++) more[predicted[i]]++, more[real[i]]--;
    for (int i = 0; i < SB_FRAME_COLOURS; i++) sum += (uint32_t)(more[i] < 0 ? -more[i] : more[i]);
    return (double)sum / (double)cells / 2.0;
}

/* Two areas of one colour that share cells. */
typedef struct pair {
    uint32_t predicted, real, common;
    double iou;
} pair;

static int compare_pairs(const void *first, const void *second) {
    const pair *a = first, *b = second;
    if (a->iou != b->iou) return a->iou > b->iou ? -1 : 1;
    if (a->predicted != b->predicted) return a->predicted < b->predicted ? -1 : 1;
    return a->real < b->real ? -1 : a->real > b->real;
}

/* Finds the pair of two areas in an open table, whose size is a power of two, or its free place. */
static pair *find_pair(pair *table, size_t size, uint32_t predicted, uint32_t real) {
    size_t at = (predicted * 0x9e3779b1u ^ real * 0x85ebca6bu) & (size - 1);
    while (table[at].common && (table[at].predicted != predicted || table[at].real != real)) at = (at + 1) & (size - 1);
    return &table[at];
}

static size_t count_things(const sb_frame_areas *a) {
    size_t n = 0;
    for (size_t i = 0; i < a->n; i++) n += a->areas[i].colour != a->ground;
    return n;
}

/* Collects pairs of areas that share cells: no more than there are cells, and than there are pairs of areas. */
static size_t collect_pairs(const sb_frame_areas *p, const sb_frame_areas *r, size_t cells, pair *table, size_t size) {
    size_t n = 0;
    for (size_t i = 0, end; i < cells; i = end) {
        const uint16_t label = p->labels[i], other = r->labels[i];
        for (end = i + 1; end < cells && p->labels[end] == label && r->labels[end] == other;) end++;
        const sb_frame_area *a = &p->areas[label], *b = &r->areas[other];
        if (a->colour != b->colour || a->colour == p->ground || b->colour == r->ground) continue;
        pair *found = find_pair(table, size, label, other);
        found->predicted = label, found->real = other;
        found->common += (uint32_t)(end - i);
    }
    for (size_t i = 0; i < size; i++) {
        if (!table[i].common) continue;
        const uint32_t both = p->areas[table[i].predicted].cells + r->areas[table[i].real].cells - table[i].common;
        table[n] = table[i];
        table[n].iou = (double)table[n].common / (double)both;
        n++;
    }
    qsort(table, n, sizeof *table, compare_pairs);
    return n;
}

static size_t power_above(size_t n) {
    size_t power = 16;
    while (power < n) power *= 2;
    return power;
}

bool sb_measure_objects(const sb_frame_areas *p, const sb_frame_areas *r, double *value) {
    const size_t cells = p->cells < r->cells ? p->cells : r->cells, most = p->n * r->n;
    const size_t size = power_above(2 * (most < cells ? most : cells)), things = count_things(p) + count_things(r);
    pair *table = calloc(size, sizeof *table);
    bool *taken = calloc(p->n + r->n + 1, sizeof *taken);
    const bool ok = table && taken;
    size_t pairs = 0;
    double sum = 0;
    const size_t n = ok ? collect_pairs(p, r, cells, table, size) : 0;
    for (size_t i = 0; i < n; i++) {
        bool *a = &taken[table[i].predicted], *b = &taken[p->n + table[i].real];
        if (*a || *b) continue;
        *a = *b = true;
        sum += table[i].iou, pairs++;
    }
    *value = things ? sum / (double)(things - pairs) : 1.0;
    free(table);
    free(taken);
    return ok;
}

size_t sb_wrong_cells(const sb_frame_shape *shape, const uint8_t *before, const uint8_t *predicted, const uint8_t *real,
                      sb_wrong_cell *cells, size_t capacity) {
    const size_t n_cells = sb_frame_cells(shape), width = (size_t)shape->width;
    size_t n = 0;
    for (size_t i = 0; i < n_cells; i++) {
        if (predicted[i] == real[i]) continue;
        if (n < capacity)
            cells[n] = (sb_wrong_cell){.y = (int16_t)(i / width),
                                       .x = (int16_t)(i % width),
                                       .was = before[i],
                                       .predicted = predicted[i],
                                       .real = real[i]};
        n++;
    }
    return n;
}

/* ---- Leaves ------------------------------------------------------------------------------------------------------ */

typedef struct comparing {
    sb_leaves *leaves;
    char path[1024];
    bool failed; /* out of memory */
} comparing;

/* Empty lists and tables are leaves. */
static bool is_leaf(const cJSON *value) { return !(cJSON_IsArray(value) || cJSON_IsObject(value)) || !value->child; }

static bool same_leaf(const cJSON *a, const cJSON *b) {
    const char *digits = sb_json_digits(a), *other = sb_json_digits(b);
    if (digits || other) return digits && other && strcmp(digits, other) == 0;
    if (cJSON_IsNumber(a)) return cJSON_IsNumber(b) && a->valuedouble == b->valuedouble;
    if (cJSON_IsString(a)) return cJSON_IsString(b) && strcmp(a->valuestring, b->valuestring) == 0;
    return (a->type & 0xff) == (b->type & 0xff);
}

static void note_wrong(comparing *c) {
    sb_leaves *leaves = c->leaves;
    if (leaves->n_wrong < SB_MODEL_WRONG)
        snprintf(leaves->wrong[leaves->n_wrong], sizeof *leaves->wrong, "%.*s", (int)sizeof *leaves->wrong - 1,
                 c->path);
    leaves->n_wrong++;
}

static void compare(comparing *c, const cJSON *a, const cJSON *b);

/* Compares values one step further down; either may be NULL. */
static void compare_child(comparing *c, const char *key, const cJSON *a, const cJSON *b) {
    const size_t n = strlen(c->path);
    snprintf(c->path + n, sizeof c->path - n, "/%s", key);
    compare(c, a, b);
    c->path[n] = '\0';
}

static int compare_keys(const void *first, const void *second) {
    const sb_member *a = first, *b = second;
    const int order = strcmp(a->item->string, b->item->string);
    return order ? order : (a->place > b->place) - (a->place < b->place);
}

sb_member *sb_sorted_members(const cJSON *object, size_t *n) {
    const cJSON *item;
    const size_t all = object ? (size_t)cJSON_GetArraySize(object) : 0;
    sb_member *members = calloc(all + 1, sizeof *members);
    *n = 0;
    if (!members) return NULL;
    if (object) cJSON_ArrayForEach(item, object) members[*n] = (sb_member){item, *n}, ++*n;
    qsort(members, *n, sizeof *members, compare_keys);
    return members;
}

static void compare_tables(comparing *c, const cJSON *a, const cJSON *b) {
    size_t n_a, n_b, i = 0, k = 0;
    sb_member *all = sb_sorted_members(a, &n_a), *others = sb_sorted_members(b, &n_b);
    c->failed |= !all || !others;
    while (all && others && (i < n_a || k < n_b)) {
        const int order = i == n_a ? 1 : k == n_b ? -1 : strcmp(all[i].item->string, others[k].item->string);
        const char *key = order <= 0 ? all[i].item->string : others[k].item->string;
        const cJSON *first = order <= 0 ? all[i++].item : NULL, *second = order >= 0 ? others[k++].item : NULL;
        compare_child(c, key, first, second);
    }
    free(all);
    free(others);
}

static void compare_lists(comparing *c, const cJSON *a, const cJSON *b) {
    const cJSON *first = a ? a->child : NULL, *second = b ? b->child : NULL;
    for (size_t i = 0; first || second; i++) {
        char index[24];
        snprintf(index, sizeof index, "%zu", i);
        compare_child(c, index, first, second);
        first = first ? first->next : NULL, second = second ? second->next : NULL;
    }
}

static void count_leaf(comparing *c, bool equal) {
    c->leaves->of++, c->leaves->equal += equal;
    if (!equal) note_wrong(c);
}

static void compare(comparing *c, const cJSON *a, const cJSON *b) {
    if (a && b && is_leaf(a) && is_leaf(b)) {
        count_leaf(c, same_leaf(a, b));
        return;
    }
    const bool leaf = (a && is_leaf(a)) || (b && is_leaf(b));
    const cJSON *below_a = a && !is_leaf(a) ? a : NULL, *below_b = b && !is_leaf(b) ? b : NULL;
    if (leaf) count_leaf(c, false);
    if (cJSON_IsObject(below_a) || cJSON_IsObject(below_b))
        compare_tables(c, cJSON_IsObject(below_a) ? below_a : NULL, cJSON_IsObject(below_b) ? below_b : NULL);
    if (cJSON_IsArray(below_a) || cJSON_IsArray(below_b))
        compare_lists(c, cJSON_IsArray(below_a) ? below_a : NULL, cJSON_IsArray(below_b) ? below_b : NULL);
}

bool sb_is_plain(const char *text, size_t n) {
    unsigned wrong = 0;
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)text[i], letter = c | 0x20;
        wrong |= !((unsigned)(c - '0') < 10 || (unsigned)(letter - 'a') < 26);
    }
    return !wrong;
}

/* The usual z, which is nothing but a frame: `{"frame":"00..."}`. Looking at these is most of a check's time. */
static bool is_frame_only(const char *text, size_t n) {
    static const char begin[] = "{\"frame\":\"";
    const size_t head = sizeof begin - 1;
    return n > head + 2 && memcmp(text, begin, head) == 0 && memcmp(text + n - 2, "\"}", 2) == 0 &&
           sb_is_plain(text + head, n - head - 2);
}

bool sb_measure_fields(const char *predicted, size_t n_predicted, const char *real, size_t n_real, sb_leaves *leaves,
                       sb_error *error) {
    comparing c = {.leaves = leaves};
    leaves->equal = leaves->of = 0, leaves->n_wrong = 0;
    if (is_frame_only(predicted, n_predicted) && is_frame_only(real, n_real)) {
        snprintf(c.path, sizeof c.path, "/frame");
        count_leaf(&c, n_predicted == n_real && memcmp(predicted, real, n_real) == 0);
        return true;
    }
    cJSON *a = sb_json_parse(predicted, n_predicted, error), *b = a ? sb_json_parse(real, n_real, error) : NULL;
    if (b) compare(&c, a, b);
    cJSON_Delete(a);
    cJSON_Delete(b);
    if (c.failed) return sb_fail(error, SB_MEMORY, "out of memory for the fields of a table");
    return b != NULL;
}
