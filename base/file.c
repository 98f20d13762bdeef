#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"

typedef struct part_name {
    char text[1032];
} part_name;

static part_name part_of(const char *path) {
    part_name name;
    snprintf(name.text, sizeof name.text, "%s.part", path);
    return name;
}

/* A device, a pipe or a socket. */
static bool is_special(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode);
}

bool sb_is_folder(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

static bool open_part(sb_file *file, const char *path, int flags, sb_error *error) {
    file->descriptor = -1, file->size = 0;
    errno = EISDIR; /* said now, and not when the work is done */
    if (sb_is_folder(path)) return sb_fail_errno(error, "cannot write %s", path);
    if (strlen(path) >= sizeof file->path) return sb_fail(error, SB_INVALID, "path is too long: %.80s...", path);
    strcpy(file->path, path);
    sb_sha256_begin(&file->sha256);
    file->direct = is_special(path);
    file->descriptor = file->direct ? open(path, O_WRONLY | O_CLOEXEC)
                                    : open(part_of(path).text, flags | O_CREAT | O_CLOEXEC, 0666);
    return file->descriptor >= 0 || sb_fail_errno(error, "cannot write %s", path);
}

bool sb_file_create(sb_file *file, const char *path, sb_error *error) {
    return open_part(file, path, O_WRONLY | O_TRUNC, error);
}

static bool read_all(const sb_file *file, sb_out *found, sb_error *error) {
    enum { ROOM = 1 << 16 };
    for (;;) {
        char *room = sb_out_reserve(found, ROOM);
        if (!room) return sb_fail(error, SB_MEMORY, "out of memory reading %s", part_of(file->path).text);
        const ssize_t got = read(file->descriptor, room, ROOM);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return sb_fail_errno(error, "cannot read %s", part_of(file->path).text);
        if (got == 0) return true;
        sb_out_advance(found, (size_t)got);
    }
}

bool sb_file_resume(sb_file *file, const char *path, sb_out *found, sb_error *error) {
    if (!open_part(file, path, O_RDWR, error)) return false;
    if (file->direct || read_all(file, found, error)) return true;
    sb_file_leave(file);
    return false;
}

bool sb_file_keep(sb_file *file, const void *found, size_t n, sb_error *error) {
    if (!file->direct && (ftruncate(file->descriptor, (off_t)n) != 0 || lseek(file->descriptor, 0, SEEK_END) < 0))
        return sb_fail_errno(error, "cannot write %s", file->path);
    sb_sha256_add(&file->sha256, found, n);
    file->size = n;
    return true;
}

void sb_file_leave(sb_file *file) {
    if (file->descriptor >= 0) close(file->descriptor);
    file->descriptor = -1;
}

static bool write_all(int descriptor, const char *bytes, size_t n) {
    while (n) {
        ssize_t done = write(descriptor, bytes, n);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        bytes += done, n -= (size_t)done;
    }
    return true;
}

bool sb_file_write(sb_file *file, const void *bytes, size_t n, sb_error *error) {
    if (!write_all(file->descriptor, bytes, n)) return sb_fail_errno(error, "cannot write %s", file->path);
    sb_sha256_add(&file->sha256, bytes, n);
    file->size += n;
    return true;
}

bool sb_file_commit(sb_file *file, char hex[SB_SHA256_HEX], sb_error *error) {
    const bool flushed = file->direct || fsync(file->descriptor) == 0;
    const bool closed = close(file->descriptor) == 0;
    file->descriptor = -1;
    part_name part = part_of(file->path);
    if (!flushed || !closed || (!file->direct && rename(part.text, file->path) != 0)) {
        sb_fail_errno(error, "cannot finish %s", file->path);
        if (!file->direct) unlink(part.text);
        return false;
    }
    if (hex) sb_sha256_end_hex(&file->sha256, hex);
    return true;
}

void sb_file_discard(sb_file *file) {
    if (file->descriptor < 0) return;
    close(file->descriptor);
    file->descriptor = -1;
    if (!file->direct) unlink(part_of(file->path).text);
}

bool sb_file_save(const char *path, const void *bytes, size_t n, sb_error *error) {
    sb_file file;
    if (!sb_file_create(&file, path, error)) return false;
    if (sb_file_write(&file, bytes, n, error) && sb_file_commit(&file, NULL, error)) return true;
    sb_file_discard(&file);
    return false;
}

bool sb_file_append(const char *path, const void *bytes, size_t n, sb_error *error) {
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor < 0) return sb_fail_errno(error, "cannot write %s", path);
    const bool written = write_all(descriptor, bytes, n) && fsync(descriptor) == 0;
    if (!written) sb_fail_errno(error, "cannot write %s", path);
    return (close(descriptor) == 0 || !written || sb_fail_errno(error, "cannot write %s", path)) && written;
}

bool sb_file_check(const char *path, uint64_t size, const char sha256[SB_SHA256_HEX], sb_error *error) {
    char hex[SB_SHA256_HEX], buffer[1 << 16];
    sb_sha256 hash;
    uint64_t bytes = 0;
    FILE *file = fopen(path, "rb");
    if (!file && errno == ENOENT) return sb_fail(error, SB_MISMATCH, "%s is missing", path);
    if (!file) return sb_fail_errno(error, "cannot read %s", path);
    sb_sha256_begin(&hash);
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0; bytes += n) sb_sha256_add(&hash, buffer, n);
    const bool read = !ferror(file);
    fclose(file);
    if (!read) return sb_fail(error, SB_IO, "cannot read %s to its end", path);
    sb_sha256_end_hex(&hash, hex);
    if (bytes != size)
        return sb_fail(error, SB_MISMATCH, "%s has %llu bytes, the manifest says %llu", path, (unsigned long long)bytes,
                       (unsigned long long)size);
    return strcmp(hex, sha256) == 0 || sb_fail(error, SB_MISMATCH, "%s has not the SHA-256 of the manifest", path);
}

static gzFile open_stream(const char *path, sb_error *error) {
    struct stat facts;
    if (strcmp(path, "-") != 0) {
        if (stat(path, &facts) != 0) return sb_fail_errno(error, "cannot read %s", path), NULL;
        if (S_ISDIR(facts.st_mode)) return sb_fail(error, SB_IO, "cannot read %s: it is a folder", path), NULL;
    }
    errno = ENOMEM;
    gzFile stream = strcmp(path, "-") == 0 ? gzdopen(dup(0), "rb") : gzopen(path, "rb");
    if (!stream) return sb_fail_errno(error, "cannot read %s", path), NULL;
    gzbuffer(stream, 1 << 16);
    return stream;
}

static bool stream_fail(gzFile stream, const char *path, sb_error *error) {
    int code;
    const char *said = gzerror(stream, &code);
    if (code == Z_ERRNO) return sb_fail_errno(error, "cannot read %s", path);
    return sb_fail(error, SB_INVALID, "%s is damaged or cut short (%s)", path, code == Z_OK ? "unexpected end" : said);
}

bool sb_file_load(const char *path, size_t limit, sb_out *out, sb_error *error) {
    gzFile stream = open_stream(path, error);
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

bool sb_file_load_plain(const char *path, size_t limit, sb_out *out, sb_error *error) {
    enum { ROOM = 1 << 16 };
    FILE *file = sb_is_folder(path) ? (errno = EISDIR, NULL) : fopen(path, "rb");
    if (!file) return sb_fail_errno(error, "cannot read %s", path);
    bool ok = true;
    for (size_t got = 1; ok && got;) {
        char *room = sb_out_reserve(out, ROOM);
        ok = room || sb_fail(error, SB_MEMORY, "out of memory reading %s", path);
        if (!ok) break;
        got = fread(room, 1, ROOM - 1, file);
        sb_out_advance(out, got);
        if (out->size > limit) ok = sb_fail(error, SB_INVALID, "%s is larger than %zu bytes", path, limit);
    }
    if (ok && ferror(file)) ok = sb_fail_errno(error, "cannot read %s", path);
    if (ok) out->data[out->size] = '\0'; /* there is room: nothing was read into it */
    fclose(file);
    return ok;
}

bool sb_make_folder(const char *path, sb_error *error) {
    char prefix[1024];
    size_t n = strlen(path);
    if (n == 0 || n >= sizeof prefix) return sb_fail(error, SB_INVALID, "not a folder's path: `%.80s`", path);
    for (size_t i = 1; i <= n; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        memcpy(prefix, path, i);
        prefix[i] = '\0';
        if (mkdir(prefix, 0777) != 0 && errno != EEXIST) return sb_fail_errno(error, "cannot make folder %s", prefix);
    }
    struct stat facts;
    if (stat(path, &facts) != 0 || !S_ISDIR(facts.st_mode))
        return sb_fail(error, SB_IO, "cannot make folder %s: a file of that name is in the way", path);
    return true;
}

bool sb_file_exists(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0;
}

enum { READ_AHEAD = 1 << 16 };

bool sb_lines_open(sb_lines *lines, const char *path, size_t limit, sb_error *error) {
    *lines = (sb_lines){.line = sb_out_growing(), .limit = limit, .ahead = malloc(READ_AHEAD)};
    snprintf(lines->path, sizeof lines->path, "%s", path);
    if (!lines->ahead) return sb_fail(error, SB_MEMORY, "out of memory reading %s", path);
    lines->stream = open_stream(path, error);
    return lines->stream != NULL;
}

/* Reads on; false at the end (error->code stays SB_OK) and on a failure. */
static bool read_ahead(sb_lines *lines, sb_error *error) {
    const int got = gzread(lines->stream, lines->ahead, READ_AHEAD);
    int code = Z_OK;
    if (got <= 0) gzerror(lines->stream, &code);
    lines->at = 0, lines->n_ahead = got > 0 ? (size_t)got : 0;
    if (got < 0 || (code != Z_OK && code != Z_STREAM_END)) return stream_fail(lines->stream, lines->path, error);
    return got > 0;
}

/* Moves what is there of the line into lines->line; true if the line ends here. */
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
    lines->number++;
    return true;
}

void sb_lines_close(sb_lines *lines) {
    if (lines->stream) gzclose(lines->stream);
    free(lines->ahead);
    lines->stream = NULL, lines->ahead = NULL;
    sb_out_free(&lines->line);
}
