#include "exporters/chat.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "exporters/columns.h"
#include "exporters/image.h"

#define METADATA "metadata.jsonl"

void sb_chat_picture_name(uint64_t episode_id, size_t step, char name[SB_CHAT_PICTURE_NAME]) {
    snprintf(name, SB_CHAT_PICTURE_NAME, "images/%08llu-%05zu.png", (unsigned long long)episode_id, step);
}

static size_t picture_size(const sb_chat_head *head) { return (size_t)head->height * head->width * head->depth; }

/* ---- Packing: the same head, the rows, and for each picture the size of its file and the file ---- */

static bool pack_picture(const sb_export *export, const sb_chat_head *head, const char *pixels, sb_out *out,
                         sb_error *error) {
    size_t n_colours;
    const sb_rgb *palette = sb_brush_palette(export->brush, &n_colours);
    uint64_t size = 0;
    sb_put(out, (const char *)&size, sizeof size);
    const size_t begin = out->size;
    if (!sb_put_png(out, (const uint8_t *)pixels, (int)head->width, (int)head->height, palette, n_colours, error))
        return false;
    size = out->size - begin;
    memcpy(out->data + begin - sizeof size, &size, sizeof size);
    return true;
}

bool sb_chat_pack(const sb_export *export, const char *rows, size_t n, sb_out *out, sb_error *error) {
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

bool sb_chat_begin(void *writer, const sb_export *export, sb_file_place place, sb_out *out, sb_error *error) {
    (void)place, (void)out;
    sb_chat_writer *w = writer;
    w->level = export->level;
    return sb_zip_add(&w->metadata, w->level, "", 0, error);
}

bool sb_chat_add(void *writer, const char *packed, size_t n, uint64_t n_rows, sb_out *out, sb_error *error) {
    (void)n_rows;
    sb_chat_writer *w = writer;
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

bool sb_chat_finish(void *writer, sb_out *out, sb_error *error) {
    sb_chat_writer *w = writer;
    return sb_zip_put(&w->zip, METADATA, "", 0, &w->metadata, out, error) && sb_zip_finish(&w->zip, out, error);
}

void sb_chat_end(void *writer) {
    sb_chat_writer *w = writer;
    sb_zip_member_free(&w->metadata);
    sb_zip_free(&w->zip);
}

/* ---- Comparing ---- */

bool sb_chat_compare_begin(void *comparer, const sb_export *export, const char *path, sb_error *error) {
    sb_chat_comparer *c = comparer;
    c->export = export, c->found = sb_out_growing();
    if (!sb_unzip_open(&c->zip, path, error)) return false;
    return sb_unzip_begin(&c->zip, METADATA, &c->metadata, error) || error->code != SB_OK ||
           sb_fail(error, SB_MISMATCH, METADATA " is missing in the archive");
}

static char *room_for(sb_chat_comparer *c, size_t n, sb_error *error) {
    sb_out_clear(&c->found);
    char *room = sb_out_reserve(&c->found, n + 1);
    if (!room) sb_fail(error, SB_MEMORY, "out of memory for rows or a picture");
    return room;
}

static bool check_text(sb_chat_comparer *c, const char *text, size_t n, sb_error *error) {
    size_t got, same = 0;
    char *found = room_for(c, n, error);
    if (!found || !sb_unzip_read(&c->metadata, found, n, &got, error)) return false;
    while (same < got && found[same] == text[same]) same++;
    if (same == n) return true;
    return same < got ? sb_fail_in_row(text, n, same, error)
                      : sb_fail(error, SB_MISMATCH, METADATA " is damaged or cut short here");
}

/* Reads the file of a picture, and unpacks it behind the bytes that were read; returns red, green and blue. */
static const uint8_t *read_picture(sb_chat_comparer *c, const sb_chat_head *head, sb_error *error) {
    const size_t pixels = (size_t)head->height * head->width * 3, most = 2 * pixels + (1 << 16);
    const uint64_t size = c->picture.left;
    size_t got;
    if (size > most) return sb_fail(error, SB_MISMATCH, "it is too large for a picture"), NULL;
    char *room = room_for(c, (size_t)size + pixels, error);
    if (!room || !sb_unzip_read(&c->picture, room, (size_t)size, &got, error)) return NULL;
    uint8_t *rgb = (uint8_t *)room + size;
    return sb_get_png(room, (size_t)size, (int)head->width, (int)head->height, rgb, error) ? rgb : NULL;
}

/* Fails at the first pixel that has another colour. */
static bool compare_pixels(const sb_chat_comparer *c, const sb_chat_head *head, const uint8_t *wanted,
                           const uint8_t *found, sb_error *error) {
    size_t n_colours;
    const sb_rgb *palette = sb_brush_palette(c->export->brush, &n_colours);
    for (size_t i = 0; i < (size_t)head->height * head->width; i++)
        if (memcmp(found + 3 * i, palette ? palette[wanted[i]] : wanted + 3 * i, 3) != 0)
            return sb_fail(error, SB_MISMATCH, "pixel (%zu,%zu) differs from what the tape gives", i % head->width,
                           i / head->width);
    return true;
}

static bool check_picture(sb_chat_comparer *c, const sb_chat_head *head, const char *name, const char *pixels,
                          sb_error *error) {
    const uint8_t *found = NULL;
    if (sb_unzip_begin(&c->zip, name, &c->picture, error))
        found = read_picture(c, head, error);
    else if (error->code == SB_OK)
        sb_fail(error, SB_MISMATCH, "it is missing in the archive");
    sb_unzip_end(&c->picture);
    return (found && compare_pixels(c, head, (const uint8_t *)pixels, found, error)) ||
           sb_fail_at(error, "picture %s", name);
}

bool sb_chat_compare_add(void *comparer, const char *rows, size_t n, sb_error *error) {
    (void)n;
    sb_chat_comparer *c = comparer;
    sb_chat_head head;
    memcpy(&head, rows, sizeof head);
    const char *text = rows + sizeof head, *pixels = text + head.n_text;
    if (!check_text(c, text, head.n_text, error)) return false;
    for (uint32_t i = 0; i < head.n; i++, pixels += picture_size(&head)) {
        char name[SB_CHAT_PICTURE_NAME];
        sb_chat_picture_name(head.episode_id, i, name);
        if (!check_picture(c, &head, name, pixels, error)) return false;
    }
    c->n_pictures += head.n;
    return true;
}

bool sb_chat_compare_finish(void *comparer, sb_error *error) {
    const sb_chat_comparer *c = comparer;
    if (c->metadata.left) return sb_fail(error, SB_MISMATCH, METADATA " holds more than its episodes");
    return c->zip.n == c->n_pictures + 1 ||
           sb_fail(error, SB_MISMATCH, "the archive holds more than rows and their pictures");
}

void sb_chat_compare_end(void *comparer) {
    sb_chat_comparer *c = comparer;
    sb_unzip_end(&c->metadata);
    sb_unzip_close(&c->zip);
    sb_out_free(&c->found);
}
