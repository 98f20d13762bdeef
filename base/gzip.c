#include "base/gzip.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/error.h"
#include "base/file.h"

enum {
    GZIP_WINDOW = 15 + 16,
    WHOLE_MAX = 1 << 30, /* the most bytes that zlib is given at once: it counts with 32 bits */
    PART = 1 << 20,      /* bytes of each piece in which a larger text, or a member in parts, is given to zlib */
    PENDING = 1 << 18    /* bytes that zlib may have taken in before and not given out: a window and a block */
};

/* A compressor with the header that it writes. By default zlib names in the header the system that it was built for. */
typedef struct compressor {
    z_stream stream; /* the first member, so that a pointer to it points to the compressor */
    gz_header header;
} compressor;

static bool prepare(sb_gzip *gzip, int level, sb_error *error) {
    enum { MEMORY = 9, UNIX = 3 };
    if (gzip->stream && gzip->level == level) return deflateReset(gzip->stream) == Z_OK;
    sb_gzip_free(gzip);
    compressor *made = calloc(1, sizeof *made);
    if (made && deflateInit2(&made->stream, level, Z_DEFLATED, GZIP_WINDOW, MEMORY, Z_DEFAULT_STRATEGY) == Z_OK) {
        made->header.os = UNIX;
        deflateSetHeader(&made->stream, &made->header);
        gzip->stream = made, gzip->level = level;
        return true;
    }
    free(made);
    return sb_fail(error, SB_MEMORY, "out of memory for compression at level %d", level);
}

/* Compresses up to WHOLE_MAX bytes. */
static bool put_piece(z_stream *stream, const char *bytes, size_t n, int flush, sb_out *out, sb_error *error) {
    const size_t bound = deflateBound(stream, n) + PENDING;
    char *room = sb_out_reserve(out, bound);
    if (!room) return sb_fail(error, SB_MEMORY, "out of memory for %zu compressed bytes", bound);
    stream->next_in = (Bytef *)(uintptr_t)bytes, stream->avail_in = (uInt)n;
    stream->next_out = (Bytef *)room, stream->avail_out = (uInt)bound;
    const int code = deflate(stream, flush);
    if (code != (flush == Z_FINISH ? Z_STREAM_END : Z_OK) || stream->avail_in)
        return sb_fail(error, SB_INVALID, "zlib could not compress");
    sb_out_advance(out, bound - stream->avail_out);
    return true;
}

bool sb_gzip_begin(sb_gzip *gzip, int level, sb_error *error) { return prepare(gzip, level, error); }

bool sb_gzip_add(sb_gzip *gzip, const char *bytes, size_t n, sb_out *out, sb_error *error) {
    for (; n > PART; bytes += PART, n -= PART)
        if (!put_piece(gzip->stream, bytes, PART, Z_NO_FLUSH, out, error)) return false;
    return !n || put_piece(gzip->stream, bytes, n, Z_NO_FLUSH, out, error);
}

bool sb_gzip_end(sb_gzip *gzip, sb_out *out, sb_error *error) {
    return put_piece(gzip->stream, NULL, 0, Z_FINISH, out, error);
}

bool sb_gzip_member(sb_gzip *gzip, int level, const char *bytes, size_t n, sb_out *out, sb_error *error) {
    if (!sb_gzip_begin(gzip, level, error)) return false;
    if (n <= WHOLE_MAX) return put_piece(gzip->stream, bytes, n, Z_FINISH, out, error);
    return sb_gzip_add(gzip, bytes, n, out, error) && sb_gzip_end(gzip, out, error);
}

void sb_gzip_free(sb_gzip *gzip) {
    if (gzip->stream) deflateEnd(gzip->stream);
    free(gzip->stream);
    gzip->stream = NULL;
}

static bool out_of_memory(sb_error *error) { return sb_fail(error, SB_MEMORY, "out of memory to decompress"); }

static int inflate_all(z_stream *stream, sb_out *out) {
    enum { ROOM = 1 << 16 };
    int code = Z_OK;
    while (code == Z_OK) {
        char *room = sb_out_reserve(out, ROOM);
        if (!room) return Z_MEM_ERROR;
        stream->next_out = (Bytef *)room, stream->avail_out = ROOM;
        code = inflate(stream, Z_NO_FLUSH);
        sb_out_advance(out, ROOM - stream->avail_out);
    }
    return code;
}

bool sb_gzip_unpack(const char *bytes, size_t n, size_t *used, sb_out *out, sb_error *error) {
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = n < UINT_MAX ? (uInt)n : UINT_MAX};
    if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK) return out_of_memory(error);
    const int code = inflate_all(&stream, out);
    *used = stream.total_in;
    inflateEnd(&stream);
    if (code == Z_MEM_ERROR) return out_of_memory(error);
    return code == Z_STREAM_END || sb_fail(error, SB_INVALID, "the gzip data is damaged or cut short");
}

/* ---- A whole file ---- */

enum { PIECE = 1 << 16 };

typedef struct walk {
    FILE *file;
    z_stream stream;
    uint64_t members; /* members that were read to their end */
    bool inside;      /* in the middle of a member */
    uint8_t in[PIECE], out[PIECE];
} walk;

/* Returns Z_OK when the piece is used up. */
static int walk_piece(walk *w) {
    z_stream *stream = &w->stream;
    while (stream->avail_in) {
        stream->next_out = w->out, stream->avail_out = PIECE;
        w->inside = true;
        const int code = inflate(stream, Z_NO_FLUSH);
        if (code != Z_OK && code != Z_STREAM_END) return code;
        if (code == Z_OK) continue;
        w->inside = false, w->members++;
        if (inflateReset(stream) != Z_OK) return Z_DATA_ERROR;
    }
    return Z_OK;
}

static bool walk_file(walk *w, const char *path, sb_error *error) {
    int code = Z_OK;
    size_t n;
    while (code == Z_OK && (n = fread(w->in, 1, PIECE, w->file)) > 0) {
        w->stream.next_in = w->in, w->stream.avail_in = (uInt)n;
        code = walk_piece(w);
    }
    if (ferror(w->file)) return sb_fail_errno(error, "cannot read %s", path);
    if (code == Z_MEM_ERROR) return out_of_memory(error);
    return (code == Z_OK && !w->inside && w->members) ||
           sb_fail(error, SB_MISMATCH, "%s is damaged or not gzip after %llu whole members", path,
                   (unsigned long long)w->members);
}

bool sb_gzip_check(const char *path, sb_error *error) {
    walk *w = calloc(1, sizeof *w);
    if (!w) return out_of_memory(error);
    w->file = sb_file_stream(path, NULL, error);
    bool ok = w->file != NULL;
    if (ok) {
        ok = inflateInit2(&w->stream, GZIP_WINDOW) == Z_OK || out_of_memory(error);
        ok = ok && walk_file(w, path, error);
        inflateEnd(&w->stream);
        fclose(w->file);
    }
    free(w);
    return ok;
}
