/* Takes the input as a file that may be gzip. If sb_gzip_check says that it consists of whole members, every reader
 * gets the unpacked members one after another. Nothing is read beyond a limit. The input itself, compressed to a
 * member, unpacks to the input. */
#include <string.h>

#include "base/file.h"
#include "base/gzip.h"
#include "tests/fuzz/scratch.h"

enum { LIMIT = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static sb_scratch_file file;

static void remove_file(void) { sb_scratch_remove(&file); }

static void save(const char *bytes, size_t n) { sb_scratch_save(&file, "gzip-fuzz", remove_file, bytes, n); }

static void check_refusal(const sb_error *error) {
    if (error->code == SB_OK || !error->text[0]) abort();
}

static bool same(const sb_out *a, const char *bytes, size_t n) {
    return sb_out_ok(a) && a->size == n && (n == 0 || memcmp(a->data, bytes, n) == 0);
}

static void check_round_trip(const char *bytes, size_t n) {
    sb_gzip gzip = {0};
    sb_out member = sb_out_growing(), back = sb_out_growing();
    sb_error error;
    size_t used;
    if (!sb_gzip_member(&gzip, 1, bytes, n, &member, &error)) abort();
    if (!sb_gzip_unpack(member.data, member.size, &used, &back, &error)) abort();
    if (used != member.size || !same(&back, bytes, n)) abort();
    sb_gzip_free(&gzip);
    sb_out_free(&member), sb_out_free(&back);
}

/* Returns whether the bytes consist of whole members; `text` gets the unpacked members. */
static bool unpack(const char *bytes, size_t n, sb_out *text) {
    sb_error error = {0};
    for (size_t at = 0, used; at < n; at += used)
        if (!sb_gzip_unpack(bytes + at, n - at, &used, text, &error)) return check_refusal(&error), false;
    return n > 0;
}

/* Reads lines, each without its newline, which the last line may lack. */
static void check_lines(const sb_out *text) {
    sb_lines lines;
    sb_error error = {0};
    size_t at = 0;
    if (!sb_lines_open(&lines, file.path, LIMIT, &error)) {
        check_refusal(&error);
        return;
    }
    error.code = SB_OK;
    while (sb_lines_next(&lines, &error)) {
        if (lines.line.size > LIMIT || memchr(lines.line.data, '\n', lines.line.size)) abort();
        if (!text) continue;
        if (at + lines.line.size > text->size || memcmp(text->data + at, lines.line.data, lines.line.size) != 0)
            abort();
        at += lines.line.size + 1;
    }
    if (text && error.code == SB_OK && at < text->size) abort();
    if (error.code != SB_OK) check_refusal(&error);
    sb_lines_close(&lines);
}

static void check_load(const sb_out *text) {
    sb_out loaded = sb_out_growing();
    sb_error error = {0};
    if (sb_file_load(file.path, LIMIT, &loaded, &error)) {
        if (loaded.size > LIMIT || (text && !same(&loaded, text->data, text->size))) abort();
    } else {
        check_refusal(&error);
        if (text && text->size <= LIMIT) abort();
    }
    sb_out_free(&loaded);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *bytes = (const char *)data;
    sb_out text = sb_out_growing();
    sb_error error = {0};
    if (size == 0) return 0;
    check_round_trip(bytes, size);
    const bool whole = unpack(bytes, size, &text);
    save(bytes, size);
    if (sb_gzip_check(file.path, &error) != whole) abort();
    if (!whole) check_refusal(&error);
    check_lines(whole ? &text : NULL);
    check_load(whole ? &text : NULL);
    sb_out_free(&text);
    return 0;
}
