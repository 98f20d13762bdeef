/* The numbers here are those of PKWARE's APPNOTE. */
#include "base/zip.h"

#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"
#include "base/file.h"

enum {
    END_SIZE = 22, /* bytes of the record at the end, without its comment */
    LOCATOR_SIZE = 20 /* bytes of the locator before the end record: it tells where the record with 64 bits is */,
    END64_SIZE = 56,
    ENTRY_SIZE = 46, /* bytes of an entry of the directory, without name, extra fields and comment */
    LOCAL_SIZE = 30, /* bytes of a member's own header, without name and extra fields */
    STORED = 0,
    DEFLATED = 8,
    ZIP64_FIELD = 1
};
static const uint64_t DIRECTORY_MAX = 1ull << 31;

static bool damaged(sb_error *error) { return sb_fail(error, SB_INVALID, "the archive is damaged or cut short"); }

static uint64_t number(const char *bytes, int n) {
    uint64_t value = 0;
    for (int i = n - 1; i >= 0; i--) value = value << 8 | (uint8_t)bytes[i];
    return value;
}

static bool read_at(int file, uint64_t at, void *bytes, size_t n, sb_error *error) {
    for (size_t done = 0; done < n;) {
        const ssize_t got = pread(file, (char *)bytes + done, n - done, (off_t)(at + done));
        if (got < 0) return sb_fail_errno(error, "cannot read the archive");
        if (got == 0) return damaged(error);
        done += (size_t)got;
    }
    return true;
}

/* ---- The directory ---- */

/* Finds the end record. A comment may follow it, but archives of data have none, so none is allowed. */
static bool find_directory(const sb_unzip *zip, uint64_t *at, uint64_t *size, uint64_t *n, sb_error *error) {
    char end[LOCATOR_SIZE + END_SIZE], wide[END64_SIZE];
    if (zip->size < END_SIZE) return damaged(error);
    if (!read_at(zip->file, zip->size - END_SIZE, end + LOCATOR_SIZE, END_SIZE, error)) return false;
    const char *record = end + LOCATOR_SIZE;
    if (number(record, 4) != 0x06054b50) return damaged(error);
    *n = number(record + 10, 2), *size = number(record + 12, 4), *at = number(record + 16, 4);
    if (zip->size < sizeof end || *at != UINT32_MAX) return true;
    if (!read_at(zip->file, zip->size - sizeof end, end, LOCATOR_SIZE, error)) return false;
    if (number(end, 4) != 0x07064b50) return damaged(error);
    if (!read_at(zip->file, number(end + 8, 8) & INT64_MAX, wide, sizeof wide, error)) return false;
    if (number(wide, 4) != 0x06064b50) return damaged(error);
    *n = number(wide + 32, 8), *size = number(wide + 40, 8), *at = number(wide + 48, 8);
    return true;
}

bool sb_unzip_open(sb_unzip *zip, const char *path, sb_error *error) {
    uint64_t at = 0, size = 0, n = 0;
    *zip = (sb_unzip){.directory = sb_out_growing()};
    zip->file = sb_file_open(path, &zip->size, error);
    if (zip->file < 0) return false;
    if (!find_directory(zip, &at, &size, &n, error)) return false;
    if (at > zip->size || size > zip->size - at || size > DIRECTORY_MAX || n > size / ENTRY_SIZE) return damaged(error);
    char *room = sb_out_reserve(&zip->directory, (size_t)size + 1);
    if (!room) return sb_fail(error, SB_MEMORY, "out of memory for an archive's directory");
    if (!read_at(zip->file, at, room, (size_t)size, error)) return false;
    sb_out_advance(&zip->directory, (size_t)size);
    zip->n = (size_t)n;
    return true;
}

void sb_unzip_close(sb_unzip *zip) {
    if (zip->directory.grows && zip->file >= 0) close(zip->file);
    sb_out_free(&zip->directory);
    *zip = (sb_unzip){0};
}

/* ---- Finding a member ---- */

typedef struct entry {
    const char *name, *extra;
    size_t n_name, n_extra, next; /* next: where the next entry begins */
    uint64_t size, packed, at;
    uint32_t crc;
    int method, flags;
} entry;

/* Replaces sizes that do not fit into 32 bits by those of the extra field. */
static bool read_wide(entry *e) {
    uint64_t *const wide[] = {&e->size, &e->packed, &e->at};
    for (size_t i = 0; i + 4 <= e->n_extra;) {
        const size_t n = (size_t)number(e->extra + i + 2, 2);
        if (i + 4 + n > e->n_extra) return false;
        if (number(e->extra + i, 2) == ZIP64_FIELD) {
            size_t from = i + 4;
            for (int k = 0; k < 3; k++) {
                if (*wide[k] != UINT32_MAX) continue;
                if (from + 8 > i + 4 + n) return false;
                *wide[k] = number(e->extra + from, 8), from += 8;
            }
            return true;
        }
        i += 4 + n;
    }
    return e->size != UINT32_MAX && e->packed != UINT32_MAX && e->at != UINT32_MAX;
}

static bool read_entry(const sb_unzip *zip, size_t at, entry *e) {
    const char *bytes = zip->directory.data + at;
    if (zip->directory.size < at + ENTRY_SIZE || number(bytes, 4) != 0x02014b50) return false;
    *e = (entry){.name = bytes + ENTRY_SIZE,
                 .n_name = (size_t)number(bytes + 28, 2),
                 .n_extra = (size_t)number(bytes + 30, 2),
                 .flags = (int)number(bytes + 8, 2),
                 .method = (int)number(bytes + 10, 2),
                 .crc = (uint32_t)number(bytes + 16, 4),
                 .packed = number(bytes + 20, 4),
                 .size = number(bytes + 24, 4),
                 .at = number(bytes + 42, 4)};
    e->extra = e->name + e->n_name;
    e->next = at + ENTRY_SIZE + e->n_name + e->n_extra + (size_t)number(bytes + 32, 2);
    return e->next <= zip->directory.size && read_wide(e);
}

/* Goes through the directory once, from where the last search ended. False with SB_OK if no member has the name. */
static bool find(sb_unzip *zip, const char *name, entry *e, sb_error *error) {
    const size_t n_name = strlen(name);
    error->code = SB_OK;
    for (size_t i = 0; i < zip->n; i++) {
        if (zip->at >= zip->directory.size) zip->at = 0;
        if (!read_entry(zip, zip->at, e)) return damaged(error);
        zip->at = e->next;
        if (e->n_name == n_name && memcmp(e->name, name, n_name) == 0) return true;
    }
    return false;
}

/* ---- Reading a member ---- */

static bool start_inflating(sb_unzip_member *member, sb_error *error) {
    z_stream *stream = calloc(1, sizeof *stream);
    if (!stream || inflateInit2(stream, -MAX_WBITS) != Z_OK)
        return free(stream), sb_fail(error, SB_MEMORY, "out of memory for decompression");
    member->stream = stream;
    return true;
}

bool sb_unzip_begin(sb_unzip *zip, const char *name, sb_unzip_member *member, sb_error *error) {
    entry e;
    char header[LOCAL_SIZE];
    member->stream = NULL;
    if (!find(zip, name, &e, error)) return false;
    if (e.at > zip->size || zip->size - e.at < LOCAL_SIZE) return damaged(error);
    if (!read_at(zip->file, e.at, header, sizeof header, error)) return false;
    const uint64_t begin = e.at + LOCAL_SIZE + number(header + 26, 2) + number(header + 28, 2);
    const bool known = (e.method == STORED || e.method == DEFLATED) && !(e.flags & 1);
    if (number(header, 4) != 0x04034b50 || begin > zip->size || e.packed > zip->size - begin) return damaged(error);
    if (!known) return sb_fail(error, SB_INVALID, "%s is encrypted, or packed in an unknown way", name);
    if (e.method == STORED && e.packed != e.size) return damaged(error);
    member->file = zip->file, member->at = begin, member->packed = e.packed, member->left = e.size;
    member->crc = (uint32_t)crc32(0, NULL, 0), member->wanted_crc = e.crc;
    return e.method == STORED || start_inflating(member, error);
}

/* Reads the next packed bytes. */
static bool read_packed(sb_unzip_member *member, void *bytes, size_t n, sb_error *error) {
    if (!read_at(member->file, member->at, bytes, n, error)) return false;
    member->at += n, member->packed -= n;
    return true;
}

static bool inflate_some(sb_unzip_member *member, void *bytes, size_t n, sb_error *error) {
    z_stream *stream = member->stream;
    stream->next_out = bytes, stream->avail_out = (unsigned)n;
    while (stream->avail_out) {
        if (!stream->avail_in) {
            const size_t more = member->packed < sizeof member->ahead ? (size_t)member->packed : sizeof member->ahead;
            if (!read_packed(member, member->ahead, more, error)) return false;
            stream->next_in = member->ahead, stream->avail_in = (unsigned)more;
        }
        const int code = inflate(stream, Z_NO_FLUSH);
        if (code == Z_MEM_ERROR) return sb_fail(error, SB_MEMORY, "out of memory to decompress");
        if (code != Z_OK && !(code == Z_STREAM_END && !stream->avail_out)) return damaged(error);
    }
    return true;
}

bool sb_unzip_read(sb_unzip_member *member, void *bytes, size_t n, size_t *got, sb_error *error) {
    enum { PIECE = 1 << 30 };
    *got = 0;
    while (*got < n && member->left) {
        size_t piece = n - *got < PIECE ? n - *got : PIECE;
        if (piece > member->left) piece = (size_t)member->left;
        char *to = (char *)bytes + *got;
        if (!(member->stream ? inflate_some(member, to, piece, error) : read_packed(member, to, piece, error)))
            return false;
        member->crc = (uint32_t)crc32(member->crc, (const Bytef *)to, (unsigned)piece);
        *got += piece, member->left -= piece;
    }
    return member->left || member->crc == member->wanted_crc || damaged(error);
}

void sb_unzip_end(sb_unzip_member *member) {
    if (member->stream) inflateEnd(member->stream);
    free(member->stream);
    member->stream = NULL;
}
