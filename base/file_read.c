/* Reading files (base/file.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"
#include "base/file.h"

/* ---- Checking ---- */

bool sb_file_check(const char *path, uint64_t size, const char sha256[SB_SHA256_HEX], sb_error *error) {
    char hex[SB_SHA256_HEX], buffer[1 << 16];
    sb_sha256 hash;
    uint64_t there, left = size;
    if (!sb_file_exists(path)) return sb_fail(error, SB_MISMATCH, "%s is missing", path);
    FILE *file = sb_file_stream(path, &there, error);
    if (!file) return false;
    sb_sha256_begin(&hash);
    for (size_t n = 1; there == size && left && n; left -= n) {
        n = fread(buffer, 1, left < sizeof buffer ? (size_t)left : sizeof buffer, file);
        sb_sha256_add(&hash, buffer, n);
    }
    const bool read = !ferror(file);
    fclose(file);
    if (!read) return sb_fail(error, SB_IO, "cannot read all of %s", path);
    if (there != size || left)
        return sb_fail(error, SB_MISMATCH, "%s has %llu bytes, the manifest says %llu", path,
                       (unsigned long long)(there != size ? there : size - left), (unsigned long long)size);
    sb_sha256_end_hex(&hash, hex);
    return strcmp(hex, sha256) == 0 ||
           sb_fail(error, SB_MISMATCH, "%s does not have the SHA-256 that the manifest says", path);
}

/* ---- Text, perhaps gzip ---- */

void *sb_file_open_gzip(const char *path, sb_error *error) {
    const bool piped = strcmp(path, "-") == 0;
    const int descriptor = piped ? dup(STDIN_FILENO) : sb_file_open(path, NULL, error);
    if (descriptor < 0) return piped ? sb_fail_errno(error, "cannot read standard input") : false, NULL;
    errno = ENOMEM;
    gzFile stream = gzdopen(descriptor, "rb");
    if (!stream) {
        sb_fail_errno(error, "cannot read %s", path);
        close(descriptor);
        return NULL;
    }
    gzbuffer(stream, 1 << 16);
    return stream;
}

bool sb_file_gzip_could_read(void *stream, const char *path, sb_error *error) {
    int code;
    gzerror(stream, &code);
    if (code == Z_ERRNO) return sb_fail_errno(error, "cannot read %s", path);
    return code != Z_MEM_ERROR || sb_fail(error, SB_MEMORY, "out of memory reading %s", path);
}

static bool stream_fail(gzFile stream, const char *path, sb_error *error) {
    int code;
    const char *said = gzerror(stream, &code), *behind = strstr(said, ">: "); /* zlib says `<fd:3>: ` before it */
    if (behind) said = behind + strlen(">: ");
    return sb_file_gzip_could_read(stream, path, error) &&
           sb_fail(error, SB_INVALID, "%s is damaged or cut short (%s)", path, code == Z_OK ? "unexpected end" : said);
}

bool sb_file_load(const char *path, size_t limit, sb_out *out, sb_error *error) {
    gzFile stream = sb_file_open_gzip(path, error);
    if (!stream) return false;
    bool ok = true;
    for (;;) {
        char *room = sb_out_reserve(out, 1 << 16);
        if (!room) {
            ok = sb_fail(error, SB_MEMORY, "out of memory reading %s", path);
            break;
        }
        int got = gzread(stream, room, (1 << 16) - 1);
        if (got < 0) ok = stream_fail(stream, path, error);
        if (got <= 0) break;
        sb_out_advance(out, (size_t)got);
        if (out->size > limit) ok = sb_fail(error, SB_INVALID, "%s is larger than %zu bytes", path, limit);
        if (!ok) break;
    }
    int code;
    gzerror(stream, &code);
    if (ok && code != Z_OK && code != Z_STREAM_END) ok = stream_fail(stream, path, error);
    gzclose(stream);
    char *end = ok ? sb_out_reserve(out, 1) : NULL;
    if (ok && !end) return sb_fail(error, SB_MEMORY, "out of memory reading %s", path);
    if (end) *end = '\0';
    return ok;
}

bool sb_file_load_large(const char *path, size_t limit, sb_out *out, sb_error *error) {
    enum { AT_MOST = 32 };
    uint64_t size = 0;
    sb_error none; /* ignored: sb_file_load says what is wrong */
    const int descriptor = sb_file_open(path, &size, &none);
    if (descriptor >= 0) close(descriptor);
    if (descriptor >= 0 && size > limit / AT_MOST)
        limit = size > SIZE_MAX / AT_MOST ? SIZE_MAX : (size_t)size * AT_MOST;
    return sb_file_load(path, limit, out, error);
}

bool sb_file_load_plain(const char *path, size_t limit, sb_out *out, sb_error *error) {
    uint64_t size;
    FILE *file = sb_file_stream(path, &size, error);
    if (!file) return false;
    char *room = size <= limit ? sb_out_reserve(out, (size_t)size + 1) : NULL;
    const size_t got = room ? fread(room, 1, (size_t)size, file) : 0;
    fclose(file);
    if (size > limit) return sb_fail(error, SB_INVALID, "%s is larger than %zu bytes", path, limit);
    if (!room) return sb_fail(error, SB_MEMORY, "out of memory reading %s", path);
    if (got < size) return sb_fail(error, SB_IO, "cannot read all of %s", path);
    room[got] = '\0';
    sb_out_advance(out, got);
    return true;
}

/* ---- Lines ---- */

enum { READ_AHEAD = 1 << 16 };

bool sb_lines_open(sb_lines *lines, const char *path, size_t limit, sb_error *error) {
    *lines = (sb_lines){.line = sb_out_growing(), .limit = limit, .ahead = malloc(READ_AHEAD)};
    snprintf(lines->path, sizeof lines->path, "%s", path);
    if (!lines->ahead) return sb_fail(error, SB_MEMORY, "out of memory reading %s", path);
    lines->stream = sb_file_open_gzip(path, error);
    if (lines->stream) return true;
    sb_lines_close(lines);
    return false;
}

/* Reads more bytes ahead; false at the end (error->code stays SB_OK) and on a failure. */
static bool read_ahead(sb_lines *lines, sb_error *error) {
    const int got = gzread(lines->stream, lines->ahead, READ_AHEAD);
    int code = Z_OK;
    if (got <= 0) gzerror(lines->stream, &code);
    lines->at = 0, lines->n_ahead = got > 0 ? (size_t)got : 0;
    if (got < 0 || (code != Z_OK && code != Z_STREAM_END)) return stream_fail(lines->stream, lines->path, error);
    return got > 0;
}

/* Moves the bytes of the current line that were read ahead into lines->line; true if the line ends there. */
static bool move_piece(sb_lines *lines) {
    const char *begin = lines->ahead + lines->at;
    const char *newline = memchr(begin, '\n', lines->n_ahead - lines->at);
    const size_t n = newline ? (size_t)(newline - begin) : lines->n_ahead - lines->at;
    sb_put(&lines->line, begin, n);
    lines->at += n + (newline != NULL);
    return newline != NULL;
}

static bool check_line(const sb_lines *lines, sb_error *error) {
    const sb_out *line = &lines->line;
    if (line->failed) return sb_fail(error, SB_MEMORY, "out of memory reading %s", lines->path);
    if (line->size > lines->limit)
        return sb_fail(error, SB_INVALID, "%s, line %zu: longer than %zu bytes", lines->path, lines->number + 1,
                       lines->limit);
    return !memchr(line->data, '\0', line->size) ||
           sb_fail(error, SB_INVALID, "%s, line %zu: a NUL byte", lines->path, lines->number + 1);
}

bool sb_lines_next(sb_lines *lines, sb_error *error) {
    sb_out *line = &lines->line;
    *error = (sb_error){0};
    sb_out_clear(line);
    bool ended = false;
    while (!ended && line->size <= lines->limit && !line->failed) {
        if (lines->at == lines->n_ahead && !read_ahead(lines, error)) {
            if (error->code != SB_OK || line->size == 0) return false;
            break;
        }
        ended = move_piece(lines);
    }
    char *end = sb_out_reserve(line, 1);
    if (end) *end = '\0';
    if (!check_line(lines, error)) return false;
    lines->is_cut = !ended;
    lines->number++;
    return true;
}

const char *sb_lines_peek(sb_lines *lines, size_t *n, sb_error *error) {
    *error = (sb_error){0};
    if (lines->at == lines->n_ahead) (void)read_ahead(lines, error); /* its failure is that there are no bytes */
    *n = lines->n_ahead - lines->at;
    return lines->ahead + lines->at;
}

void sb_lines_close(sb_lines *lines) {
    if (lines->stream) gzclose(lines->stream);
    free(lines->ahead);
    lines->stream = NULL, lines->ahead = NULL;
    sb_out_free(&lines->line);
}
