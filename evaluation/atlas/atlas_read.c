/* Reads atlases, measures their episodes again, and joins their parts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/line_file.h"
#include "base/pool.h"
#include "engine/lookup.h"
#include "evaluation/atlas/atlas.h"
#include "evaluation/atlas/atlas_file.h"
#include "evaluation/atlas/gauge.h"
#include "evaluation/selected.h"
#include "rollout/rules.h"

void sb_atlas_book_free(sb_atlas_book *atlas) {
    sb_out_free(&atlas->text);
    cJSON_Delete(atlas->head);
    free(atlas->rows), free(atlas->slots);
    *atlas = (sb_atlas_book){0};
}

/* ---- The first and the last line --------------------------------------------------------------------------------- */

static bool read_head(sb_atlas_book *atlas, const char *line, size_t n, sb_error *error) {
    static const char *const keys[] = {"atlas", "rules", "episodes", "part", "selection", NULL};
    static const char *const parts[] = {"selection", NULL};
    sb_json_part selected;
    uint64_t version;
    const cJSON *rules, *head = atlas->head = sb_json_split(line, n, parts, &selected, error);
    bool ok = head && sb_json_uint(head, "atlas", &version, error) &&
              (version == SB_ATLAS_VERSION ||
               sb_fail(error, SB_VERSION_OTHER, "the atlas has version %llu, but this program measures version %d",
                       (unsigned long long)version, SB_ATLAS_VERSION));
    ok = ok && sb_json_known_keys(head, keys, error) && sb_json_uint(head, "episodes", &atlas->episodes, error) &&
         sb_part_read(head, &atlas->part, error) && sb_json_array(head, "rules", &rules, error) &&
         (selected.n || sb_fail(error, SB_INVALID, "key `selection` is missing"));
    if (ok) atlas->selected = selected.at, atlas->n_selected = selected.n;
    return ok;
}

static bool check_tail(const sb_atlas_book *atlas, const char *line, size_t n, sb_error *error) {
    static const char *const keys[] = {"rows", "sha256", NULL};
    char hex[SB_SHA256_HEX], said[SB_SHA256_HEX];
    uint64_t rows;
    cJSON *tail = sb_json_parse(line, n, error);
    bool ok = tail && sb_json_known_keys(tail, keys, error) && sb_json_uint(tail, "rows", &rows, error) &&
              sb_json_sha256(tail, "sha256", said, error);
    cJSON_Delete(tail);
    if (!ok) return false;
    if (rows != atlas->n)
        return sb_fail(error, SB_MISMATCH, "it counts %llu rows, but there are %zu", (unsigned long long)rows,
                       atlas->n);
    sb_sha256_hex(atlas->text.data, (size_t)(line - atlas->text.data), hex);
    return strcmp(hex, said) == 0 ||
           sb_fail(error, SB_MISMATCH, "the file was altered after it was written: `sha256` differs");
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

/* The slot of a name: its own, or a free one. */
static uint32_t *slot_of(const sb_atlas_book *atlas, const sb_name *name) {
    char text[SB_NAME_MAX];
    uint64_t hash[2];
    sb_name_print(name, text, sizeof text);
    sb_hash128(text, strlen(text), hash);
    size_t i = hash[0] & (atlas->n_slots - 1);
    while (atlas->slots[i] && sb_compare_names(&atlas->rows[atlas->slots[i] - 1].name, name) != 0)
        i = (i + 1) & (atlas->n_slots - 1);
    return &atlas->slots[i];
}

const sb_atlas_row *sb_atlas_book_find(const sb_atlas_book *atlas, const sb_name *name) {
    const uint32_t slot = atlas->n_slots ? *slot_of(atlas, name) : 0;
    return slot ? &atlas->rows[slot - 1] : NULL;
}

static bool make_room(sb_atlas_book *atlas, size_t n, sb_error *error) {
    atlas->n_slots = 16;
    while (atlas->n_slots < 2 * n) atlas->n_slots *= 2;
    atlas->rows = calloc(n + 1, sizeof *atlas->rows);
    atlas->slots = calloc(atlas->n_slots, sizeof *atlas->slots);
    return (atlas->rows && atlas->slots) || sb_fail(error, SB_MEMORY, "out of memory for %zu rows", n);
}

/* The rules of the last row's task need not be looked up again. */
static bool check_rules(const sb_atlas_book *atlas, const sb_catalogue *catalogue, const sb_name *name,
                        sb_error *error) {
    sb_resolved of;
    if (atlas->n && sb_same_pair(&atlas->rows[atlas->n - 1].name, name)) return true;
    return sb_resolve(catalogue, name, &of, error) &&
           sb_rules_agree_with("the atlas was made", cJSON_GetObjectItemCaseSensitive(atlas->head, "rules"), of.family,
                               of.task, error);
}

static bool add_row(sb_atlas_book *atlas, const sb_catalogue *catalogue, const char *line, size_t n, sb_error *error) {
    sb_atlas_row *row = &atlas->rows[atlas->n];
    char name[SB_NAME_MAX];
    if (!sb_atlas_row_parse(catalogue, line, n, row, error) || !check_rules(atlas, catalogue, &row->name, error))
        return false;
    uint32_t *slot = slot_of(atlas, &row->name);
    sb_name_print(&row->name, name, sizeof name);
    if (*slot) return sb_fail(error, SB_MISMATCH, "%s is there twice", name);
    *slot = (uint32_t)++atlas->n;
    return true;
}

static bool read_lines(sb_atlas_book *atlas, const sb_catalogue *catalogue, sb_error *error) {
    const char *at = atlas->text.data, *end = at + atlas->text.size;
    const size_t n = sb_count_lines(atlas->text.data, atlas->text.size);
    if (n < 2 || end[-1] != '\n') return sb_fail(error, SB_MISMATCH, "the file is cut short");
    if (n - 2 > SB_SELECTION_MAX) return sb_fail(error, SB_INVALID, "the file has more than %d rows", SB_SELECTION_MAX);
    if (!make_room(atlas, n - 2, error)) return false;
    for (size_t i = 0; i < n; i++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const size_t length = (size_t)(newline - at);
        if (!(i == 0       ? read_head(atlas, at, length, error)
              : i == n - 1 ? check_tail(atlas, at, length, error)
                           : add_row(atlas, catalogue, at, length, error)))
            return sb_fail_at(error, "line %zu", i + 1);
        at = newline + 1;
    }
    return true;
}

bool sb_atlas_book_load(sb_atlas_book *atlas, const sb_catalogue *catalogue, const char *path, sb_error *error) {
    *atlas = (sb_atlas_book){.text = sb_out_growing()};
    return sb_file_load(path, SB_ATLAS_BYTES, &atlas->text, error) &&
           (read_lines(atlas, catalogue, error) || sb_fail_at(error, "%s", sb_path_end(path)));
}

/* ---- The selection ----------------------------------------------------------------------------------------------- */

static bool is_in_place(const sb_atlas_book *atlas, const sb_selection *selection, size_t i, sb_error *error) {
    char found[SB_NAME_MAX], expected[SB_NAME_MAX];
    sb_name due;
    sb_selection_name(selection, sb_atlas_place(i, atlas->part), &due);
    if (sb_compare_names(&atlas->rows[i].name, &due) == 0) return true;
    sb_name_print(&atlas->rows[i].name, found, sizeof found);
    sb_name_print(&due, expected, sizeof expected);
    return sb_fail(error, SB_MISMATCH, "line %zu: %s is where %s should be", i + 2, found, expected);
}

static sb_json_part selection_of(const sb_atlas_book *atlas) {
    return (sb_json_part){.at = atlas->selected, .n = atlas->n_selected, .document = atlas->selected};
}

static bool check_chosen(const sb_atlas_book *atlas, const sb_catalogue *catalogue, const sb_selected *selected,
                         sb_error *error) {
    const sb_json_part part = selection_of(atlas);
    return sb_selected_check_chosen(catalogue, &part, selected, error) || sb_fail_at(error, "line 1, key `selection`");
}

/* Whether the rules are those of the selection, and no others. */
static bool check_all_rules(const sb_atlas_book *atlas, const sb_selection *selection, sb_error *error) {
    sb_out text = sb_out_growing();
    sb_selection_put_rules(selection, &text);
    cJSON *due = sb_out_ok(&text) ? sb_json_parse(text.data, text.size, error) : NULL;
    const bool ok = due && cJSON_Compare(due, cJSON_GetObjectItemCaseSensitive(atlas->head, "rules"), true);
    if (due && !ok) sb_fail(error, SB_MISMATCH, "line 1, key `rules` is not that of the selection");
    if (!due) sb_fail(error, SB_MEMORY, "out of memory for an atlas");
    cJSON_Delete(due);
    sb_out_free(&text);
    return ok;
}

/* Makes the selection again and compares it with the rows. The caller frees it, also after a failure. */
static bool select_again(const sb_atlas_book *atlas, const sb_catalogue *catalogue, sb_selected *selected,
                         sb_error *error) {
    const sb_json_part part = selection_of(atlas);
    if (!sb_selected_read(catalogue, &part, NULL, SB_SELECTION_MAX, selected, error))
        return sb_fail_at(error, "line 1, key `selection`");
    const sb_selection *selection = &selected->selection;
    if (atlas->episodes != selection->n || atlas->n != sb_atlas_part_size(selection->n, atlas->part))
        return sb_fail(error, SB_MISMATCH, "%zu rows are not those of the selection, which has %zu episodes", atlas->n,
                       selection->n);
    for (size_t i = 0; i < atlas->n; i++)
        if (!is_in_place(atlas, selection, i, error)) return false;
    return check_all_rules(atlas, selection, error);
}

/* ---- Verifying --------------------------------------------------------------------------------------------------- */

typedef struct verifying {
    const sb_atlas_book *atlas;
    const sb_atlas_check *check;
    size_t n; /* rows that are measured again */
} verifying;

static size_t row_of(const verifying *v, size_t index) { return index * v->atlas->n / v->n; }

/* A measure's value, or why it has none; behind the last measure comes whether `traps` is proven. */
static void put_value(const sb_atlas_row *row, int measure, sb_out *out) {
    if (measure == SB_N_MEASURES)
        sb_puts(out, row->traps_proven ? "true" : "false");
    else if (isnan(row->values[measure]))
        sb_puts(out, sb_lack_words[row->missing[measure]]);
    else
        sb_putf(out, "%g", row->values[measure]);
}

static bool fail_differs(const sb_atlas_row *said, const sb_atlas_row *measured, int measure, size_t line,
                         sb_error *error) {
    char name[SB_NAME_MAX], texts[2][120];
    sb_out is = sb_out_fixed(texts[0], sizeof texts[0]), was = sb_out_fixed(texts[1], sizeof texts[1]);
    put_value(measured, measure, &is), put_value(said, measure, &was);
    sb_out_finish(&is), sb_out_finish(&was);
    sb_name_print(&said->name, name, sizeof name);
    return sb_fail(error, SB_MISMATCH, "line %zu: %s: `%s` is %s, not %s", line, name,
                   measure < SB_N_MEASURES ? sb_atlas_measures[measure].name : "traps_proven", texts[0], texts[1]);
}

/* Compares a measured row with the one in the file, as text. */
static bool compare(const sb_atlas_row *said, const sb_atlas_row *measured, size_t line, sb_error *error) {
    sb_out a = sb_out_growing(), b = sb_out_growing();
    int differs = 0;
    sb_atlas_row_print(said, &a), sb_atlas_row_print(measured, &b);
    const bool same = a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
    sb_out_free(&a), sb_out_free(&b);
    if (same) return true;
    while (differs < SB_N_MEASURES &&
           memcmp(&said->values[differs], &measured->values[differs], sizeof *said->values) == 0 &&
           said->missing[differs] == measured->missing[differs])
        differs++;
    return fail_differs(said, measured, differs, line, error);
}

static bool measure_again(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    const verifying *v = context;
    sb_gauge *gauge = scratch;
    const sb_atlas_row *said = &v->atlas->rows[row_of(v, index)];
    sb_atlas_row *row = slot;
    gauge->prover.worker.catalogue = v->check->catalogue;
    row->name = said->name;
    return sb_gauge_measure(gauge, NULL, row, error) && compare(said, row, row_of(v, index) + 2, error);
}

static bool tell(void *context, size_t index, void *slot, sb_error *error) {
    const verifying *v = context;
    (void)slot, (void)error;
    if (v->check->progress) v->check->progress(v->check->context, index + 1, v->n);
    return true;
}

static bool verify(const sb_atlas_book *atlas, const sb_atlas_check *check, size_t *checked, sb_error *error) {
    sb_selected selected = {0};
    const bool all = !check->sample || check->sample > atlas->n;
    verifying v = {.atlas = atlas, .check = check, .n = all ? atlas->n : (size_t)check->sample};
    const sb_pool pool = {.workers = check->jobs,
                          .context = &v,
                          .work = measure_again,
                          .take = tell,
                          .stop = check->stop,
                          .slot_size = sizeof(sb_atlas_row),
                          .scratch_size = sizeof(sb_gauge),
                          .free_scratch = sb_gauge_free};
    *checked = v.n;
    const bool ok = select_again(atlas, check->catalogue, &selected, error) && sb_pool_run(&pool, v.n, error) &&
                    (!all || check_chosen(atlas, check->catalogue, &selected, error));
    sb_selected_free(&selected);
    return ok;
}

bool sb_atlas_verify(const char *path, const sb_atlas_check *check, size_t *n, size_t *checked, sb_error *error) {
    sb_atlas_book atlas;
    const bool ok = sb_atlas_book_load(&atlas, check->catalogue, path, error) &&
                    (verify(&atlas, check, checked, error) || sb_fail_at(error, "%s", sb_path_end(path)));
    *n = atlas.n;
    sb_atlas_book_free(&atlas);
    return ok;
}

/* ---- Joining ----------------------------------------------------------------------------------------------------- */

/* Finds the atlas of each part, by its number - 1. */
static bool order_parts(const sb_atlas_book *parts, const char *const *paths, size_t n, const sb_atlas_book **by_number,
                        sb_error *error) {
    for (size_t i = 0; i < n; i++) {
        const sb_atlas_book *p = &parts[i];
        if (p->part.of != n)
            return sb_fail(error, SB_INVALID, "%s is %s; name all %zu parts", sb_path_end(paths[i]),
                           p->part.of ? "one of another number of parts" : "a whole atlas, not a part of one",
                           p->part.of ? p->part.of : n);
        if (by_number[p->part.number - 1])
            return sb_fail(error, SB_INVALID, "%s is part %zu of %zu, which is there twice", sb_path_end(paths[i]),
                           p->part.number, n);
        if (p->n_selected != parts[0].n_selected || memcmp(p->selected, parts[0].selected, p->n_selected) != 0)
            return sb_fail(error, SB_MISMATCH, "%s is part of the atlas of another selection", sb_path_end(paths[i]));
        by_number[p->part.number - 1] = p;
    }
    return true;
}

static bool refuse_left(void *context, size_t index, const char *line, size_t n) {
    (void)context, (void)index, (void)line, (void)n;
    return false;
}

static bool write_joined(const sb_atlas_book **parts, size_t n, const sb_selection *selection, const char *path,
                         sb_error *error) {
    sb_line_file file = {0};
    char sha256[SB_SHA256_HEX];
    sb_out head = sb_out_growing();
    sb_atlas_head_print(selection, parts[0]->selected, parts[0]->n_selected, (sb_part){0}, &head);
    const sb_line_source source = {
        .path = path, .what = "something else", .head = &head, .n = selection->n, .check = refuse_left};
    bool ok = sb_line_file_open(&file, &source, error);
    for (size_t i = 0; ok && i < selection->n; i++) {
        sb_atlas_row_print(&parts[i % n]->rows[i / n], &file.text);
        ok = sb_line_file_put(&file, error);
    }
    if (ok) sb_line_file_hash(&file, sha256), sb_atlas_tail_print(selection->n, sha256, &file.text);
    ok = ok && sb_line_file_commit(&file, error);
    sb_line_file_leave(&file);
    sb_out_free(&head);
    return ok;
}

static bool join(const sb_catalogue *catalogue, const sb_atlas_book *parts, const char *const *paths, size_t n,
                 const char *path, size_t *episodes, sb_error *error) {
    const sb_atlas_book **by_number = calloc(n, sizeof *by_number);
    sb_selected selected = {0};
    bool ok = by_number || sb_fail(error, SB_MEMORY, "out of memory for %zu parts", n);
    ok = ok && order_parts(parts, paths, n, by_number, error);
    for (size_t i = 0; ok && i < n; i++) {
        sb_selected_free(&selected);
        ok = select_again(&parts[i], catalogue, &selected, error) || sb_fail_at(error, "%s", sb_path_end(paths[i]));
    }
    ok = ok && write_joined(by_number, n, &selected.selection, path, error);
    *episodes = selected.selection.n;
    sb_selected_free(&selected);
    free(by_number);
    return ok;
}

bool sb_atlas_merge(const sb_catalogue *catalogue, const char *const *paths, size_t n, const char *path,
                    size_t *episodes, sb_error *error) {
    sb_atlas_book *parts = calloc(n, sizeof *parts);
    bool ok = parts || sb_fail(error, SB_MEMORY, "out of memory for %zu parts", n);
    for (size_t i = 0; ok && i < n; i++) ok = sb_atlas_book_load(&parts[i], catalogue, paths[i], error);
    ok = ok && join(catalogue, parts, paths, n, path, episodes, error);
    for (size_t i = 0; parts && i < n; i++) sb_atlas_book_free(&parts[i]);
    free(parts);
    return ok;
}
