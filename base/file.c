/* Opening and removing files, making folders (base/file.h). */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/system.h"

/* ---- Opening ---- */

/* Names the kind of a file that is not regular, for an error. */
static const char *kind_of(mode_t mode) {
    return S_ISDIR(mode)    ? "a folder"
           : S_ISFIFO(mode) ? "a pipe (to read from a pipe, use standard input: `-`)"
           : S_ISSOCK(mode) ? "a socket"
                            : "a device";
}

int sb_file_open(const char *path, uint64_t *size, sb_error *error) {
    struct stat facts;
    /* O_NONBLOCK, because opening a pipe would wait for a writer. It has no effect on regular files. */
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) return sb_fail_errno(error, "cannot read %s", path), -1;
    if (fstat(descriptor, &facts) != 0) {
        sb_fail_errno(error, "cannot read %s", path);
    } else if (S_ISREG(facts.st_mode)) {
        if (size) *size = (uint64_t)facts.st_size;
        return descriptor;
    } else {
        sb_fail(error, SB_IO, "cannot read %s: it is %s", path, kind_of(facts.st_mode));
    }
    close(descriptor);
    return -1;
}

FILE *sb_file_stream(const char *path, uint64_t *size, sb_error *error) {
    const int descriptor = sb_file_open(path, size, error);
    if (descriptor < 0) return NULL;
    FILE *stream = fdopen(descriptor, "rb");
    if (stream) return stream;
    sb_fail_errno(error, "cannot read %s", path);
    close(descriptor);
    return NULL;
}

/* ---- Removing ---- */

bool sb_file_remove(const char *path, sb_error *error) {
    return unlink(path) == 0 || errno == ENOENT || sb_fail_errno(error, "cannot remove %s", path);
}

/* ---- Folders ---- */

/* Some file systems cannot flush folders, and some folders can be written but not read: then flushing is skipped. */
static bool cannot_sync(int reason) {
    return sb_is_unsupported(reason) || reason == EINVAL || reason == EACCES || reason == EROFS || reason == EBADF;
}

bool sb_folder_sync(const char *path, sb_error *error) {
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return cannot_sync(errno) || sb_fail_errno(error, "cannot open folder %s", path);
    const bool ok = sb_flush(folder) == 0 || cannot_sync(errno) || sb_fail_errno(error, "cannot flush folder %s", path);
    close(folder);
    return ok;
}

const char *sb_file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int sb_folder_length(const char *path) {
    const int n = (int)(sb_file_name(path) - path);
    return n > 1 ? n - 1 : n; /* the root's slash is its name */
}

bool sb_parent_sync(const char *path, sb_error *error) {
    char parent[1024];
    const int n = sb_folder_length(path);
    snprintf(parent, sizeof parent, "%.*s", n, path);
    return sb_folder_sync(n ? parent : ".", error);
}

bool sb_folder_fits(const char *path, sb_error *error) {
    return strlen(path) <= SB_FOLDER_BYTES ||
           sb_fail(error, SB_INVALID, "the path of the folder is too long: %.80s...", path);
}

bool sb_make_folder(const char *path, sb_error *error) {
    char prefix[1024];
    size_t n = strlen(path);
    if (n == 0 || n >= sizeof prefix) return sb_fail(error, SB_INVALID, "not a folder's path: `%.80s`", path);
    for (size_t i = 1; i <= n; i++) {
        if ((path[i] != '/' && path[i] != '\0') || path[i - 1] == '/') continue;
        memcpy(prefix, path, i);
        prefix[i] = '\0';
        if (mkdir(prefix, 0777) == 0) {
            if (!sb_parent_sync(prefix, error)) return false;
        } else if (errno != EEXIST) {
            return sb_fail_errno(error, "cannot make folder %s", prefix);
        }
    }
    return sb_is_folder(path) ||
           sb_fail(error, SB_IO, "cannot make folder %s: a file of that name is in the way", path);
}

/* ---- What is there ---- */

bool sb_is_same_file(const char *a, const char *b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_ino == other.st_ino && one.st_dev == other.st_dev;
}

bool sb_file_exists(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0;
}

bool sb_is_folder(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

bool sb_is_link(const char *path) {
    struct stat facts;
    return lstat(path, &facts) == 0 && S_ISLNK(facts.st_mode);
}
