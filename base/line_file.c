#include "base/line_file.h"

#include <string.h>

#include "base/error.h"

enum { MEMBER_LINES = 64, LEVEL = 9 };

static bool end_member(sb_line_file *f, sb_error *error) {
    sb_out_clear(&f->packed);
    if (!sb_out_ok(&f->text)) return sb_fail(error, SB_MEMORY, "out of memory for the lines of a file");
    sb_sha256_add(&f->content, f->text.data, f->text.size);
    const bool ok = sb_gzip_member(&f->gzip, LEVEL, f->text.data, f->text.size, &f->packed, error) &&
                    sb_file_write(&f->file, f->packed.data, f->packed.size, error);
    sb_out_clear(&f->text);
    return ok;
}

bool sb_line_file_put(sb_line_file *f, sb_error *error) {
    f->done++;
    return (f->done % MEMBER_LINES != 0 && f->done != f->n) || end_member(f, error);
}

size_t sb_count_lines(const char *text, size_t n) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++) count += text[i] == '\n';
    return count;
}

void sb_line_file_hash(sb_line_file *f, char hex[SB_SHA256_HEX]) { sb_sha256_end_hex(&f->content, hex); }

bool sb_line_file_commit(sb_line_file *f, sb_error *error) {
    return end_member(f, error) && sb_file_commit(&f->file, NULL, error);
}

void sb_line_file_leave(sb_line_file *f) {
    sb_file_leave(&f->file);
    sb_gzip_free(&f->gzip);
    sb_out_free(&f->text), sb_out_free(&f->packed);
}

/* ---- Resuming ---- */

/* What an interrupted run left. */
typedef struct leftover {
    sb_out bytes;
    size_t good; /* how many bytes at the beginning are complete members of the same run */
    sb_out member;
} leftover;

/* Unpacks the next member; false if there is none or if it is incomplete. */
static bool next_member(leftover *l, size_t *used) {
    sb_error ignored;
    sb_out_clear(&l->member);
    return l->good < l->bytes.size &&
           sb_gzip_unpack(l->bytes.data + l->good, l->bytes.size - l->good, used, &l->member, &ignored);
}

static void keep_member(leftover *l, sb_line_file *f, size_t used) {
    sb_sha256_add(&f->content, l->member.data, l->member.size);
    l->good += used;
}

/* Finds the lines of a member; false if they are more or fewer than there should be. */
static bool split(const leftover *l, size_t n, const char *lines[MEMBER_LINES + 1]) {
    const char *at = l->member.data, *end = at + l->member.size;
    for (size_t i = 0; i < n; i++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline) return false;
        lines[i] = at, at = newline + 1;
    }
    lines[n] = at;
    return at == end;
}

/* Takes the lines of a member if they are the next lines of the file; *good says whether they are. */
static bool take_member(const leftover *l, sb_line_file *f, const sb_line_source *s, bool *good, sb_error *error) {
    const char *lines[MEMBER_LINES + 1];
    const size_t first = f->done, left = f->n - first, n = left < MEMBER_LINES ? left : MEMBER_LINES;
    *good = split(l, n, lines);
    for (size_t i = 0; *good && i < n; i++)
        *good = s->check(s->context, first + i, lines[i], (size_t)(lines[i + 1] - lines[i]) - 1);
    if (!*good) return true;
    for (size_t i = 0; i < n; i++)
        if (!s->take(s->context, first + i, lines[i], (size_t)(lines[i + 1] - lines[i]) - 1, error)) return false;
    f->done += n;
    return true;
}

/* Compares the first line, so that the file of another run is not overwritten. */
static bool check_leftover(leftover *l, sb_line_file *f, const sb_line_source *s, sb_error *error) {
    size_t used;
    bool good = true;
    if (!next_member(l, &used)) return true;
    if (l->member.size != s->head->size || memcmp(l->member.data, s->head->data, s->head->size) != 0)
        return sb_fail(error, SB_MISMATCH, "%s.part holds %s; remove it to start again", s->path, s->what);
    keep_member(l, f, used);
    while (f->done < f->n && next_member(l, &used)) {
        if (!take_member(l, f, s, &good, error)) return false;
        if (!good) return true;
        keep_member(l, f, used);
    }
    return true;
}

static bool resume(sb_line_file *f, leftover *l, const sb_line_source *s, sb_error *error) {
    if (!sb_file_resume(&f->file, s->path, "\x1f\x8b" /* gzip */, &l->bytes, error)) return false;
    if (!check_leftover(l, f, s, error) || !sb_file_keep(&f->file, l->bytes.data, l->good, error)) return false;
    if (l->good > 0) return true;
    sb_put_out(&f->text, s->head);
    return end_member(f, error);
}

bool sb_line_file_open(sb_line_file *f, const sb_line_source *s, sb_error *error) {
    leftover l = {.bytes = sb_out_growing(), .member = sb_out_growing()};
    *f = (sb_line_file){.text = sb_out_growing(), .packed = sb_out_growing(), .n = s->n};
    sb_sha256_begin(&f->content);
    const bool ok = resume(f, &l, s, error);
    sb_out_free(&l.bytes), sb_out_free(&l.member);
    return ok;
}
