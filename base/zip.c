/* The numbers here are those of PKWARE's APPNOTE. */
#include "base/zip.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/error.h"

enum { RAW_DEFLATE = -MAX_WBITS, MEMORY = 9, PIECE = 1 << 16, CHUNK_MAX = 1 << 30 };
enum { VERSION = 45 /* the first with Zip64 */, STORED = 0, DEFLATED = 8, FIRST_DAY = 1 << 5 | 1 /* 1 January 1980 */ };

/* ---- Members ---- */

static bool open_stream(sb_zip_member *member, int level, sb_error *error) {
    if (member->stream) return true;
    z_stream *stream = calloc(1, sizeof *stream);
    member->packed.grows = true;
    member->crc = (uint32_t)crc32(0, NULL, 0);
    if (!stream || deflateInit2(stream, level, Z_DEFLATED, RAW_DEFLATE, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return free(stream), sb_fail(error, SB_MEMORY, "out of memory for compression");
    member->stream = stream;
    return true;
}

static bool run_stream(sb_zip_member *member, int flush, sb_error *error) {
    z_stream *stream = member->stream;
    do {
        char *room = sb_out_reserve(&member->packed, PIECE);
        if (!room) return sb_fail(error, SB_MEMORY, "out of memory for compressed data");
        stream->next_out = (Bytef *)room, stream->avail_out = PIECE;
        deflate(stream, flush);
        sb_out_advance(&member->packed, PIECE - stream->avail_out);
    } while (stream->avail_out == 0);
    return true;
}

bool sb_zip_add(sb_zip_member *member, int level, const void *bytes, size_t n, sb_error *error) {
    if (!open_stream(member, level, error)) return false;
    z_stream *stream = member->stream;
    const Bytef *at = bytes;
    while (n) {
        const unsigned piece = n < CHUNK_MAX ? (unsigned)n : CHUNK_MAX;
        stream->next_in = (Bytef *)(uintptr_t)at, stream->avail_in = piece;
        if (!run_stream(member, Z_NO_FLUSH, error)) return false;
        member->crc = (uint32_t)crc32(member->crc, at, piece);
        member->size += piece;
        at += piece, n -= piece;
    }
    return true;
}

void sb_zip_member_free(sb_zip_member *member) {
    if (member->stream) deflateEnd(member->stream);
    free(member->stream);
    sb_out_free(&member->packed);
    *member = (sb_zip_member){0};
}

/* ---- The archive ---- */

static void put_number(sb_out *out, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) sb_putc(out, (char)(value >> 8 * i & 0xff));
}

static const uint32_t ELSEWHERE = UINT32_MAX; /* the real number is in the extra fields */

/* Puts what local headers and entries of the directory have in common; `extra`: bytes of their extra fields. */
static void put_facts(sb_out *out, const char *name, int method, uint32_t crc, int extra) {
    put_number(out, VERSION, 2), put_number(out, 0, 2), put_number(out, (uint64_t)method, 2);
    put_number(out, 0, 2), put_number(out, FIRST_DAY, 2);
    put_number(out, crc, 4), put_number(out, ELSEWHERE, 4), put_number(out, ELSEWHERE, 4);
    put_number(out, strlen(name), 2), put_number(out, (uint64_t)extra, 2);
}

static void put_sizes(sb_out *out, uint64_t size, uint64_t packed, int extra) {
    put_number(out, 1, 2), put_number(out, (uint64_t)extra - 4, 2), put_number(out, size, 8),
        put_number(out, packed, 8);
}

enum { LOCAL_EXTRA = 20, DIRECTORY_EXTRA = 28, STORED_HEAD = 5 /* bytes before a stored block of deflate */ };

static void note(sb_zip *zip, const char *name, int method, uint32_t crc, uint64_t size, uint64_t packed) {
    sb_out *out = &zip->directory;
    out->grows = true;
    put_number(out, 0x02014b50, 4), put_number(out, VERSION, 2);
    put_facts(out, name, method, crc, DIRECTORY_EXTRA);
    put_number(out, 0, 2), put_number(out, 0, 2), put_number(out, 0, 2), put_number(out, 0, 4); /* no comment */
    put_number(out, ELSEWHERE, 4);
    sb_puts(out, name);
    put_sizes(out, size, packed, DIRECTORY_EXTRA), put_number(out, zip->size, 8);
    zip->n++;
}

/* Puts the header of a member and notes it in the directory. */
static void put_header(sb_zip *zip, const char *name, int method, uint32_t crc, uint64_t size, uint64_t packed,
                       sb_out *out) {
    note(zip, name, method, crc, size, packed);
    put_number(out, 0x04034b50, 4);
    put_facts(out, name, method, crc, LOCAL_EXTRA);
    sb_puts(out, name);
    put_sizes(out, size, packed, LOCAL_EXTRA);
}

void sb_zip_store(sb_zip *zip, const char *name, const void *bytes, size_t n, sb_out *out) {
    const size_t before = out->size;
    put_header(zip, name, STORED, (uint32_t)crc32_z(crc32(0, NULL, 0), bytes, n), n, n, out);
    sb_put(out, bytes, n);
    zip->size += out->size - before;
}

bool sb_zip_put(sb_zip *zip, const char *name, const void *head, size_t n_head, sb_zip_member *member, sb_out *out,
                sb_error *error) {
    const size_t before = out->size;
    if (n_head > UINT16_MAX) return sb_fail(error, SB_INVALID, "the header of %s is too long for an archive", name);
    if (!open_stream(member, 1, error) || !run_stream(member, Z_FINISH, error)) return false;
    uint32_t crc = (uint32_t)crc32(crc32(0, NULL, 0), head, (unsigned)n_head);
    crc = (uint32_t)crc32_combine(crc, member->crc, (z_off_t)member->size);
    const uint64_t size = n_head + member->size, packed = STORED_HEAD + n_head + member->packed.size;
    put_header(zip, name, DEFLATED, crc, size, packed, out);
    put_number(out, 0, 1), put_number(out, n_head, 2), put_number(out, n_head ^ 0xffff, 2); /* a stored block */
    sb_put(out, head, n_head);
    sb_put(out, member->packed.data, member->packed.size);
    zip->size += out->size - before;
    sb_zip_member_free(member);
    return true;
}

bool sb_zip_finish(sb_zip *zip, sb_out *out, sb_error *error) {
    if (!sb_out_ok(&zip->directory)) return sb_fail(error, SB_MEMORY, "out of memory for an archive's directory");
    const uint64_t size = zip->directory.size;
    sb_put(out, zip->directory.data, size);
    put_number(out, 0x06064b50, 4), put_number(out, 44, 8), put_number(out, VERSION, 2), put_number(out, VERSION, 2);
    put_number(out, 0, 4), put_number(out, 0, 4), put_number(out, zip->n, 8), put_number(out, zip->n, 8);
    put_number(out, size, 8), put_number(out, zip->size, 8);
    put_number(out, 0x07064b50, 4), put_number(out, 0, 4), put_number(out, zip->size + size, 8), put_number(out, 1, 4);
    put_number(out, 0x06054b50, 4), put_number(out, 0, 4), put_number(out, zip->n, 2), put_number(out, zip->n, 2);
    put_number(out, ELSEWHERE, 4), put_number(out, ELSEWHERE, 4), put_number(out, 0, 2);
    return true;
}

void sb_zip_free(sb_zip *zip) { sb_out_free(&zip->directory); }
