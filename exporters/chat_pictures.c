#include "exporters/chat_pictures.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/unzip.h"
#include "base/zip.h"
#include "exporters/chat.h"
#include "exporters/png.h"

#define METADATA "metadata.jsonl"

void sb_chat_picture_name(uint64_t episode_id, size_t step, char name[SB_CHAT_PICTURE_NAME]) {
    snprintf(name, SB_CHAT_PICTURE_NAME, "images/%08llu-%05zu.png", (unsigned long long)episode_id, step);
}

/* The brush of the options; all pictures of a dataset have its colours. */
static const sb_brush *brush_of(const sb_export *export) { return ((const sb_chat_options *)export->own)->brush; }

static size_t picture_size(const sb_chat_head *head) { return (size_t)head->height * head->width * head->depth; }

/* ---- Packing: the same head, the rows, and for each picture the size of its file and the file ---- */

static bool pack_picture(const sb_export *export, const sb_chat_head *head, const char *pixels, sb_out *out,
                         sb_error *error) {
    size_t n_colours;
    const sb_rgb *palette = sb_brush_palette(brush_of(export), &n_colours);
    uint64_t size = 0;
    sb_put(out, (const char *)&size, sizeof size);
    const size_t begin = out->size;
    if (!sb_put_png(out, (const uint8_t *)pixels, (int)head->width, (int)head->height, palette, n_colours, error))
        return false;
    size = out->size - begin;
    memcpy(out->data + begin - sizeof size, &size, sizeof size);
    return true;
}

static bool pack(const sb_export *export, const char *rows, size_t n, sb_out *out, sb_error *error) {
    sb_chat_head head;
    memcpy(&head, rows, sizeof head);
    const char *pixels = rows + sizeof head + head.n_text;
    sb_put(out, rows, sizeof head + head.n_text);
    if (n != sizeof head + head.n_text + head.n * picture_size(&head))
        return sb_fail(error, SB_INVALID, "the rows do not have the size of an episode");
    for (uint32_t i = 0; i < head.n; i++, pixels += picture_size(&head))
        if (!pack_picture(export, &head, pixels, out, error)) return false;
    return true;
}

/* ---- Writing ---- */

typedef struct writer {
    int level;
    sb_zip zip;
    sb_zip_member metadata; /* compressed rows of all episodes so far */
} writer;

static bool begin(void *writer_, const sb_export *export, sb_file_place place, sb_out *out, sb_error *error) {
    (void)place, (void)out;
    writer *w = writer_;
    w->level = export->level;
    return sb_zip_add(&w->metadata, w->level, "", 0, error);
}

static bool add(void *writer_, const char *packed, size_t n, uint64_t n_rows, sb_out *out, sb_error *error) {
    (void)n_rows;
    writer *w = writer_;
    sb_chat_head head;
    const char *at = packed + sizeof head, *end = packed + n;
    memcpy(&head, packed, sizeof head);
    if (!sb_zip_add(&w->metadata, w->level, at, head.n_text, error)) return false;
    at += head.n_text;
    for (uint32_t i = 0; i < head.n; i++) {
        char name[SB_CHAT_PICTURE_NAME];
        uint64_t size;
        if (end - at < (ptrdiff_t)sizeof size) return sb_fail(error, SB_INVALID, "the episode is cut short");
        memcpy(&size, at, sizeof size);
        sb_chat_picture_name(head.episode_id, i, name);
        sb_zip_store(&w->zip, name, at + sizeof size, size, out);
        at += sizeof size + size;
    }
    return at == end || sb_fail(error, SB_INVALID, "the episode does not have the size of its pictures");
}

static bool finish(void *writer_, sb_out *out, sb_error *error) {
    writer *w = writer_;
    return sb_zip_put(&w->zip, METADATA, "", 0, &w->metadata, out, error) && sb_zip_finish(&w->zip, out, error);
}

static void end(void *writer_) {
    writer *w = writer_;
    sb_zip_member_free(&w->metadata);
    sb_zip_free(&w->zip);
}

/* ---- Reading ---- */

typedef struct reader {
    const sb_export *export;
    sb_unzip zip;
    sb_unzip_member metadata, picture;
    sb_out found; /* rows, a picture's file, or its pixels */
    uint64_t n_pictures;
} reader;

static bool open_archive(void *reader_, const sb_export *export, const char *path, sb_error *error) {
    reader *r = reader_;
    r->export = export, r->found = sb_out_growing();
    if (!sb_unzip_open(&r->zip, path, error)) return false;
    return sb_unzip_begin(&r->zip, METADATA, &r->metadata, error) || error->code != SB_OK ||
           sb_fail(error, SB_MISMATCH, METADATA " is missing in the archive");
}

static char *room_for(reader *r, size_t n, sb_error *error) {
    sb_out_clear(&r->found);
    char *room = sb_out_reserve(&r->found, n + 1);
    if (!room) sb_fail(error, SB_MEMORY, "out of memory for rows or a picture");
    return room;
}

static bool check_text(reader *r, const char *text, size_t n, sb_error *error) {
    size_t got, same = 0;
    char *found = room_for(r, n, error);
    if (!found || !sb_unzip_read(&r->metadata, found, n, &got, error)) return false;
    while (same < got && found[same] == text[same]) same++;
    if (same == n) return true;
    return same < got ? sb_fail_in_row(text, n, same, error)
                      : sb_fail(error, SB_MISMATCH, METADATA " is damaged or cut short here");
}

/* Reads the file of a picture and unpacks it behind its bytes; returns red, green and blue. */
static const uint8_t *read_picture(reader *r, const sb_chat_head *head, sb_error *error) {
    const size_t pixels = (size_t)head->height * head->width * 3, most = 2 * pixels + (1 << 16);
    const uint64_t size = r->picture.left;
    size_t got;
    if (size > most) return sb_fail(error, SB_MISMATCH, "it is too large for a picture"), NULL;
    char *room = room_for(r, (size_t)size + pixels, error);
    if (!room || !sb_unzip_read(&r->picture, room, (size_t)size, &got, error)) return NULL;
    uint8_t *rgb = (uint8_t *)room + size;
    return sb_get_png(room, (size_t)size, (int)head->width, (int)head->height, rgb, error) ? rgb : NULL;
}

/* Fails at the first pixel that has another colour. */
static bool compare_pixels(const reader *r, const sb_chat_head *head, const uint8_t *wanted, const uint8_t *found,
                           sb_error *error) {
    size_t n_colours;
    const sb_rgb *palette = sb_brush_palette(brush_of(r->export), &n_colours);
    for (size_t i = 0; i < (size_t)head->height * head->width; i++)
        if (memcmp(found + 3 * i, palette ? palette[wanted[i]] : wanted + 3 * i, 3) != 0)
            return sb_fail(error, SB_MISMATCH, "pixel (%zu,%zu) differs from what the tape gives", i % head->width,
                           i / head->width);
    return true;
}

static bool check_picture(reader *r, const sb_chat_head *head, const char *name, const char *pixels, sb_error *error) {
    const uint8_t *found = NULL;
    if (sb_unzip_begin(&r->zip, name, &r->picture, error))
        found = read_picture(r, head, error);
    else if (error->code == SB_OK)
        sb_fail(error, SB_MISMATCH, "it is missing in the archive");
    sb_unzip_end(&r->picture);
    return (found && compare_pixels(r, head, (const uint8_t *)pixels, found, error)) ||
           sb_fail_at(error, "picture %s", name);
}

static bool check(void *reader_, const char *rows, size_t n, sb_error *error) {
    (void)n;
    reader *r = reader_;
    sb_chat_head head;
    memcpy(&head, rows, sizeof head);
    const char *text = rows + sizeof head, *pixels = text + head.n_text;
    if (!check_text(r, text, head.n_text, error)) return false;
    for (uint32_t i = 0; i < head.n; i++, pixels += picture_size(&head)) {
        char name[SB_CHAT_PICTURE_NAME];
        sb_chat_picture_name(head.episode_id, i, name);
        if (!check_picture(r, &head, name, pixels, error)) return false;
    }
    r->n_pictures += head.n;
    return true;
}

static bool done(void *reader_, sb_error *error) {
    const reader *r = reader_;
    if (r->metadata.left) return sb_fail(error, SB_MISMATCH, METADATA " holds more than its episodes");
    return r->zip.n == r->n_pictures + 1 ||
           sb_fail(error, SB_MISMATCH, "the archive holds more than rows and their pictures");
}

static void close_archive(void *reader_) {
    reader *r = reader_;
    sb_unzip_end(&r->metadata);
    sb_unzip_close(&r->zip);
    sb_out_free(&r->found);
}

const sb_exporter sb_chat_with_pictures = {
    .name = "chat",
    .suffix = "zip",
    .other = "jsonl.gz",
    .summary = "conversations with pictures, for fine-tuning models that see: messages of parts, from templates",
    .keys = sb_chat_keys,
    .free = sb_chat_free,
    .columns = sb_chat_columns,
    .rows = sb_chat_rows,
    .pack = pack,
    .writer_size = sizeof(writer),
    .begin = begin,
    .add = add,
    .finish = finish,
    .end = end,
    .reader_size = sizeof(reader),
    .open = open_archive,
    .check = check,
    .done = done,
    .close = close_archive,
};
