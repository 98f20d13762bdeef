/* Writing files (base/file.h). */
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/system.h"

/* ---- Starting ---- */

/* Links are followed only where users cannot plant any: /dev/stdout and /dev/fd/3 are links, but everybody may write
 * into /dev/shm. */
static bool may_be_link(const char *path) {
    static const char dev[] = "/dev/", fd[] = "/dev/fd/";
    if (strncmp(path, dev, strlen(dev)) != 0) return false;
    return !strchr(path + strlen(dev), '/') || (strncmp(path, fd, strlen(fd)) == 0 && !strchr(path + strlen(fd), '/'));
}

/* Whether a path is a device, a pipe or a socket. */
static bool is_special(const char *path) {
    struct stat facts;
    return (may_be_link(path) ? stat : lstat)(path, &facts) == 0 && !S_ISREG(facts.st_mode) &&
           !S_ISDIR(facts.st_mode) && !S_ISLNK(facts.st_mode);
}

static bool begin(sb_file *file, const char *path, sb_error *error) {
    file->open = file->direct = false, file->size = 0;
    file->lock = (sb_lock){0};
    errno = EISDIR; /* reported now, and not after all the work */
    if (sb_is_folder(path)) return sb_fail_errno(error, "cannot write %s", path);
    if (strlen(path) >= sizeof file->path) return sb_fail(error, SB_INVALID, "the path is too long: %.80s...", path);
    strcpy(file->path, path);
    sb_sha256_begin(&file->sha256);
    return true;
}

/* Chooses the name that the file has until the commit. Without a lock another writer may be running, so the name must
 * be unique. */
static void name_part(sb_file *file, const sb_lock *lock) {
    if (lock->missing)
        snprintf(file->part, sizeof file->part, "%s.%08x.part", file->path, (unsigned)randombytes_random());
    else
        snprintf(file->part, sizeof file->part, "%s.part", file->path);
}

/* Makes the `.part` file. An existing one is removed: under the lock it is a leftover of an interruption, or a planted
 * link. */
static bool make_part(sb_file *file, sb_error *error) {
    if (!sb_file_remove(file->part, error)) return false;
    file->descriptor = open(file->part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    file->open = file->descriptor >= 0;
    return file->open || sb_fail_errno(error, "cannot write %s", file->path);
}

static bool open_direct(sb_file *file, sb_error *error) {
    file->direct = true;
    file->descriptor = open(file->path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    file->open = file->descriptor >= 0;
    return file->open || sb_fail_errno(error, "cannot write %s", file->path);
}

/* Begins a file that a user named: a device or a pipe is opened at once; for other files the lock is taken and the name
 * of the part is chosen. */
static bool begin_own(sb_file *file, const char *path, sb_error *error) {
    if (!begin(file, path, error)) return false;
    if (is_special(path)) return open_direct(file, error);
    if (!sb_lock_file(&file->lock, path, error)) return false;
    name_part(file, &file->lock);
    return true;
}

bool sb_file_create(sb_file *file, const char *path, sb_error *error) {
    if (!begin_own(file, path, error)) return false;
    if (file->direct || make_part(file, error)) return true;
    sb_file_leave(file);
    return false;
}

bool sb_file_create_under(sb_file *file, const char *path, const sb_lock *lock, sb_error *error) {
    if (!begin(file, path, error)) return false;
    name_part(file, lock);
    return make_part(file, error);
}

/* ---- Resuming ---- */

/* Opens a leftover only if it is a file of our own: not a link, and without other names (hard links). */
static bool open_leftover(sb_file *file, sb_error *error) {
    struct stat facts;
    file->descriptor = open(file->part, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file->descriptor < 0 && errno == ENOENT) return make_part(file, error);
    if (file->descriptor < 0) return sb_fail_errno(error, "cannot resume %s", file->part);
    file->open = true;
    return (fstat(file->descriptor, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_nlink == 1) ||
           sb_fail(error, SB_IO, "cannot resume %s: it was not left by an interruption; remove it", file->part);
}

static bool read_all(const sb_file *file, sb_out *found, sb_error *error) {
    enum { ROOM = 1 << 16 };
    for (;;) {
        char *room = sb_out_reserve(found, ROOM);
        if (!room) return sb_fail(error, SB_MEMORY, "out of memory reading %s", file->part);
        const ssize_t got = read(file->descriptor, room, ROOM);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return sb_fail_errno(error, "cannot read %s", file->part);
        if (got == 0) return true;
        sb_out_advance(found, (size_t)got);
    }
}

/* Fails if another command wrote the file: if it begins with a JSON object or with gzip, as those files do, and not
 * with `begins`. Anything else is what a power failure left. */
static bool check_beginning(const sb_file *file, const char *begins, const char *found, size_t size, sb_error *error) {
    size_t n = 0;
    const bool is_written = size >= 2 && (memcmp(found, "{\"", 2) == 0 || memcmp(found, "\x1f\x8b", 2) == 0);
    while (n < size && begins[n] && found[n] == begins[n]) n++;
    return !is_written || n == size || !begins[n] || found[n] == '\0' ||
           sb_fail(error, SB_MISMATCH,
                   "%s was left by another command, which can still finish it; if nobody needs it, remove it",
                   file->part);
}

bool sb_file_resume(sb_file *file, const char *path, const char *begins, sb_out *found, sb_error *error) {
    if (!begin_own(file, path, error)) return false;
    const size_t before = found->size;
    if (file->direct || (open_leftover(file, error) && read_all(file, found, error) &&
                         check_beginning(file, begins, found->data + before, found->size - before, error)))
        return true;
    sb_file_leave(file);
    return false;
}

bool sb_file_keep(sb_file *file, const void *found, size_t n, sb_error *error) {
    if (!file->direct && !sb_file_cut(file, n, error)) return false;
    sb_sha256_add(&file->sha256, found, n);
    file->size = n;
    return true;
}

bool sb_file_cut(sb_file *file, uint64_t size, sb_error *error) {
    if (ftruncate(file->descriptor, (off_t)size) != 0 || lseek(file->descriptor, 0, SEEK_END) < 0)
        return sb_fail_errno(error, "cannot write %s", file->path);
    file->size = size;
    return true;
}

bool sb_file_continue(sb_file *file, const char *path, sb_out *found, sb_error *error) {
    if (!begin(file, path, error)) return false;
    const bool is_new = !sb_file_exists(path) && !sb_is_link(path);
    strcpy(file->part, file->path);
    if (open_leftover(file, error) && read_all(file, found, error) && (!is_new || sb_parent_sync(path, error))) {
        file->size = found->size;
        return true;
    }
    sb_file_leave(file);
    return false;
}

void sb_file_leave(sb_file *file) {
    if (file->open) close(file->descriptor);
    file->open = false;
    sb_lock_release(&file->lock);
}

/* ---- Writing ---- */

bool sb_write_all(int descriptor, const void *bytes, size_t n) {
    const char *rest = bytes;
    while (n) {
        errno = EIO; /* in case a call writes nothing without a reason */
        const ssize_t done = write(descriptor, rest, n);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        rest += done, n -= (size_t)done;
    }
    return true;
}

bool sb_file_write(sb_file *file, const void *bytes, size_t n, sb_error *error) {
    if (!sb_write_all(file->descriptor, bytes, n)) return sb_fail_errno(error, "cannot write %s", file->path);
    sb_sha256_add(&file->sha256, bytes, n);
    file->size += n;
    return true;
}

bool sb_file_flush(sb_file *file, sb_error *error) {
    return file->direct || sb_flush(file->descriptor) == 0 || sb_fail_errno(error, "cannot write %s", file->path);
}

static bool finish(sb_file *file, sb_error *error) {
    const bool flushed = sb_file_flush(file, error);
    const bool closed = close(file->descriptor) == 0 || !flushed || sb_fail_errno(error, "cannot write %s", file->path);
    file->open = false;
    if (!flushed || !closed) return false;
    if (file->direct) return true;
    return (rename(file->part, file->path) == 0 || sb_fail_errno(error, "cannot finish %s", file->path)) &&
           sb_parent_sync(file->path, error);
}

bool sb_file_commit(sb_file *file, char hex[SB_SHA256_HEX], sb_error *error) {
    const bool ok = finish(file, error);
    if (!ok && !file->direct) unlink(file->part); /* if that fails, the next writer removes it */
    sb_lock_release(&file->lock);
    if (ok && hex) sb_sha256_end_hex(&file->sha256, hex);
    return ok;
}

void sb_file_discard(sb_file *file) {
    if (!file->open) return;
    close(file->descriptor);
    file->open = false;
    if (!file->direct) unlink(file->part);
    sb_lock_release(&file->lock);
}

bool sb_file_conclude(sb_file *file, const void *bytes, size_t n, sb_error *error) {
    sb_file whole;
    if (!begin(&whole, file->path, error)) return false;
    snprintf(whole.part, sizeof whole.part, "%.*s.whole.part", (int)(strlen(file->part) - strlen(".part")), file->part);
    if (!make_part(&whole, error)) return false;
    if (!sb_file_write(&whole, bytes, n, error)) return sb_file_discard(&whole), false;
    if (!sb_file_commit(&whole, NULL, error)) return false;
    close(file->descriptor);
    file->open = false;
    const bool ok = sb_file_remove(file->part, error) && sb_parent_sync(file->path, error);
    sb_lock_release(&file->lock);
    return ok;
}

/* ---- Whole documents, journals, logs ---- */

static bool save(sb_file *file, const void *bytes, size_t n, sb_error *error) {
    if (sb_file_write(file, bytes, n, error)) return sb_file_commit(file, NULL, error);
    sb_file_discard(file);
    return false;
}

bool sb_file_save(const char *path, const void *bytes, size_t n, sb_error *error) {
    sb_file file;
    return sb_file_create(&file, path, error) && save(&file, bytes, n, error);
}

bool sb_file_save_under(const char *path, const sb_lock *lock, const void *bytes, size_t n, sb_error *error) {
    sb_file file;
    return sb_file_create_under(&file, path, lock, error) && save(&file, bytes, n, error);
}

bool sb_file_append(const char *path, const void *bytes, size_t n, sb_error *error) {
    struct stat facts;
    const int descriptor = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) return sb_fail_errno(error, "cannot write %s", path);
    bool ok = (fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_nlink == 1) ||
              sb_fail(error, SB_IO, "cannot write %s: it is not the file that was there before", path);
    ok = ok && ((sb_write_all(descriptor, bytes, n) && sb_flush(descriptor) == 0) ||
                sb_fail_errno(error, "cannot write %s", path));
    return (close(descriptor) == 0 || !ok || sb_fail_errno(error, "cannot write %s", path)) && ok;
}

int sb_file_open_log(const char *path, bool *is_device, sb_error *error) {
    struct stat facts = {0};
    const int flags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    const int descriptor = open(path, flags | (may_be_link(path) ? 0 : O_NOFOLLOW), 0666);
    if (descriptor < 0 && errno == ELOOP)
        return sb_fail(error, SB_INVALID, "cannot write %s: it is a link; name the file itself", path), -1;
    if (descriptor < 0) return sb_fail_errno(error, "cannot write %s", path), -1;
    const bool known = fstat(descriptor, &facts) == 0;
    *is_device = known && S_ISCHR(facts.st_mode);
    const bool is_file = known && S_ISREG(facts.st_mode) && facts.st_nlink == 1;
    fcntl(descriptor, F_SETFL, O_APPEND); /* a terminal may be slow, so writes may block */
    if (*is_device || (is_file && ftruncate(descriptor, 0) == 0)) return descriptor;
    if (is_file)
        sb_fail_errno(error, "cannot empty %s", path);
    else
        sb_fail(error, SB_INVALID,
                "cannot write %s: it is not a regular file, or has several names; choose another path", path);
    close(descriptor);
    return -1;
}
