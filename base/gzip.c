#include "base/gzip.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/error.h"

static bool prepare(sb_gzip *gzip, int level, sb_error *error) {
    enum { GZIP_WINDOW = 15 + 16, MEMORY = 9 };
    if (gzip->stream && gzip->level == level) return deflateReset(gzip->stream) == Z_OK;
    sb_gzip_free(gzip);
    gzip->stream = calloc(1, sizeof(z_stream));
    gzip->level = level;
    if (gzip->stream && deflateInit2(gzip->stream, level, Z_DEFLATED, GZIP_WINDOW, MEMORY, Z_DEFAULT_STRATEGY) == Z_OK)
        return true;
    free(gzip->stream);
    gzip->stream = NULL;
    return sb_fail(error, SB_MEMORY, "out of memory for compression at level %d", level);
}

bool sb_gzip_member(sb_gzip *gzip, int level, const char *bytes, size_t n, sb_out *out, sb_error *error) {
    if (!prepare(gzip, level, error)) return false;
    z_stream *stream = gzip->stream;
    size_t bound = deflateBound(stream, n);
    char *room = sb_out_reserve(out, bound);
    if (!room) return sb_fail(error, SB_MEMORY, "out of memory for %zu compressed bytes", bound);
    stream->next_in = (Bytef *)(uintptr_t)bytes, stream->avail_in = (uInt)n;
    stream->next_out = (Bytef *)room, stream->avail_out = (uInt)bound;
    if (deflate(stream, Z_FINISH) != Z_STREAM_END) return sb_fail(error, SB_INVALID, "zlib could not compress");
    sb_out_advance(out, bound - stream->avail_out);
    return true;
}

void sb_gzip_free(sb_gzip *gzip) {
    if (gzip->stream) deflateEnd(gzip->stream);
    free(gzip->stream);
    gzip->stream = NULL;
}
