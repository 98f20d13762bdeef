/* Format `npz`: every shard is an archive of arrays that numpy.load reads. Fields by step hold one episode after the
 * other, and `offsets` says where each begins. Fields are compressed as they arrive, so a whole shard is held in
 * memory, compressed. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/zip.h"
#include "exporters/arrays.h"

#define OFFSETS "offsets"
#define PALETTE "palette"

typedef struct writer {
    const sb_fields *fields;
    int level;
    sb_zip zip;
    sb_zip_member members[SB_FIELDS_MAX], offsets, palette;
    uint64_t ends[SB_FIELDS_MAX], offsets_end; /* where the archive's members end in the file */
    int64_t steps, episodes;
} writer;

static bool read(sb_export *export, const cJSON *options, sb_error *error) {
    export->own = sb_fields_make(export, options, SB_PIXELS_CHOICE, error);
    return export->own != NULL;
}

static void free_fields(void *own) { sb_fields_free(own); }

static bool rows(const sb_rollout *rollout, const sb_export *export, sb_out *out, uint64_t *n_rows, sb_error *error) {
    return sb_fields_rows(rollout, export, export->own, out, n_rows, error);
}

static bool add_offset(writer *w, sb_error *error) {
    return sb_zip_add(&w->offsets, w->level, &w->steps, sizeof w->steps, error);
}

static bool begin(void *writer_, const sb_export *export, sb_file_place place, sb_out *out, sb_error *error) {
    (void)place, (void)out;
    writer *w = writer_;
    w->fields = export->own, w->level = export->level, w->offsets_end = UINT64_MAX;
    return add_offset(w, error);
}

static bool add(void *writer_, const char *bytes, size_t n_bytes, uint64_t n_rows, sb_out *out, sb_error *error) {
    (void)out;
    writer *w = writer_;
    if (!sb_fields_check(w->fields, n_bytes, n_rows, error)) return false;
    for (size_t i = 0; i < w->fields->n; i++) {
        const size_t size = sb_field_size(&w->fields->of[i], n_rows);
        if (!sb_zip_add(&w->members[i], w->level, bytes, size, error)) return false;
        bytes += size;
    }
    w->steps += (int64_t)n_rows, w->episodes++;
    return add_offset(w, error);
}

/* ---- Members: NumPy's format, version 1.0 ---- */

static void put_type(sb_out *out, const sb_field *field) {
    static const char *const types[SB_N_SCALARS] = {
        [SB_BOOL] = "|b1",  [SB_INT8] = "|i1",  [SB_UINT8] = "|u1",  [SB_INT16] = "<i2",
        [SB_INT32] = "<i4", [SB_INT64] = "<i8", [SB_UINT64] = "<u8", [SB_DOUBLE] = "<f8"};
    if (field->type == SB_CHAR)
        sb_putf(out, "|S%d", field->shape[0]);
    else
        sb_puts(out, types[field->type]);
}

enum { HEAD = 256, MAGIC = 10 /* bytes before the description */ };

/* Pads the head with blanks, so that numbers begin at a multiple of 64 bytes, as in NumPy's files. */
static void print_head(char head[HEAD], const sb_field *field, int64_t items) {
    static const char magic[MAGIC] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, (char)(HEAD - MAGIC), 0};
    sb_out out = sb_out_fixed(head, HEAD);
    memset(head, ' ', HEAD);
    sb_put(&out, magic, sizeof magic);
    sb_puts(&out, "{'descr': '");
    put_type(&out, field);
    sb_putf(&out, "', 'fortran_order': False, 'shape': (%lld,", (long long)items);
    for (int i = 0; i < field->rank && field->type != SB_CHAR; i++) sb_putf(&out, " %d,", field->shape[i]);
    sb_puts(&out, "), }");
    head[HEAD - 1] = '\n';
}

static bool put_member(writer *w, const sb_field *field, sb_zip_member *member, int64_t items, sb_out *out,
                       sb_error *error) {
    char head[HEAD], name[sizeof field->name + sizeof ".npy"];
    print_head(head, field, items);
    snprintf(name, sizeof name, "%s.npy", field->name);
    return sb_zip_put(&w->zip, name, head, HEAD, member, out, error);
}

enum { COLOURS = 256 };

/* Adds the colours. Pictures of colour numbers need them, and they are the same in the whole dataset. */
static bool put_palette(writer *w, sb_out *out, sb_error *error) {
    static const sb_field field = {.name = PALETTE, .type = SB_UINT8, .rank = 1, .shape = {3}};
    size_t n = 0;
    const sb_rgb *palette = w->fields->brush ? sb_brush_palette(w->fields->brush, &n) : NULL;
    sb_rgb all[COLOURS] = {{0}};
    if (!palette) return true;
    memcpy(all, palette, n * sizeof *palette);
    w->offsets_end = w->zip.size;
    return sb_zip_add(&w->palette, w->level, all, sizeof all, error) &&
           put_member(w, &field, &w->palette, COLOURS, out, error);
}

static bool finish(void *writer_, sb_out *out, sb_error *error) {
    writer *w = writer_;
    static const sb_field offsets = {.name = OFFSETS, .type = SB_INT64};
    for (size_t i = 0; i < w->fields->n; i++) {
        const sb_field *field = &w->fields->of[i];
        if (!put_member(w, field, &w->members[i], field->by_step ? w->steps : w->episodes, out, error)) return false;
        w->ends[i] = w->zip.size;
    }
    return put_member(w, &offsets, &w->offsets, w->episodes + 1, out, error) && put_palette(w, out, error) &&
           sb_zip_finish(&w->zip, out, error);
}

static void part(const void *writer_, uint64_t at, sb_out *out) {
    const writer *w = writer_;
    size_t i = 0;
    while (i < w->fields->n && at >= w->ends[i]) i++;
    sb_puts(out, i < w->fields->n ? w->fields->of[i].name : at < w->offsets_end ? OFFSETS : PALETTE);
}

static void end(void *writer_) {
    writer *w = writer_;
    for (size_t i = 0; i < SB_FIELDS_MAX; i++) sb_zip_member_free(&w->members[i]);
    sb_zip_member_free(&w->offsets), sb_zip_member_free(&w->palette);
    sb_zip_free(&w->zip);
}

static void tell(const sb_export *export, sb_out *out) {
    const sb_fields *fields = export->own;
    size_t n;
    sb_fields_tell(fields, 0, out);
    if (fields->brush && sb_brush_palette(fields->brush, &n))
        sb_puts(out, "\nPixels are colour numbers; `" PALETTE "`, (256, 3) uint8, has red, green and blue of each.\n");
    sb_puts(out,
            "\nSteps of episode `e` are `offsets[e]` to `offsets[e + 1] - 1` of the arrays with one for every step.\n");
}

static void load(const sb_export *export, sb_file_place place, sb_out *out) {
    sb_puts(
        out,
        "import glob, numpy\nshards = [numpy.load(path, allow_pickle=False) for path in sorted(glob.glob(\"FOLDER/");
    sb_puts(out, export->name);
    if (place.label && *place.label) sb_puts(out, "-"), sb_puts(out, place.label);
    sb_puts(out, "-*.npz\"))]\n");
}

static const char *const keys[] = {"pixels", NULL};

extern const sb_exporter sb_npz;
const sb_exporter sb_npz = {
    .name = "npz",
    .suffix = "npz",
    .summary = "arrays for numpy.load: observations as numbers, actions, rewards, where episodes begin",
    .keeps_failures = true,
    .keys = keys,
    .masks = true,
    .read = read,
    .free = free_fields,
    .tell = tell,
    .load = load,
    .rows = rows,
    .writer_size = sizeof(writer),
    .begin = begin,
    .add = add,
    .finish = finish,
    .end = end,
    .part = part,
};
