/* Files of fuzz targets. They are in memory, because targets write hundreds of files a second and flush some. */
#ifndef SB_TESTS_FUZZ_SCRATCH_H
#define SB_TESTS_FUZZ_SCRATCH_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SB_SCRATCH_PATH = 64 };

/* Makes a folder for this target; aborts if it cannot. */
static inline void sb_scratch_folder(char path[SB_SCRATCH_PATH], const char *target) {
    const char *root = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(path, SB_SCRATCH_PATH, "%s/%s-XXXXXX", root, target);
    if (!mkdtemp(path)) abort();
}

/* A target's only file, which every input is written into. Starts zeroed. */
typedef struct sb_scratch_file {
    char folder[SB_SCRATCH_PATH], path[SB_SCRATCH_PATH + 8];
    int descriptor; /* valid if there is a path */
} sb_scratch_file;

/* Replaces the content of the file, which is made at the first call; aborts if that fails. `remove` calls
 * sb_scratch_remove when the target ends. */
static inline void sb_scratch_save(sb_scratch_file *file, const char *target, void (*remove)(void), const char *bytes,
                                   size_t n) {
    if (!*file->path) {
        sb_scratch_folder(file->folder, target);
        snprintf(file->path, sizeof file->path, "%s/file", file->folder);
        file->descriptor = open(file->path, O_RDWR | O_CREAT, 0600);
        if (file->descriptor < 0 || atexit(remove) != 0) abort();
    }
    if (ftruncate(file->descriptor, 0) != 0 || pwrite(file->descriptor, bytes, n, 0) != (ssize_t)n) abort();
}

static inline void sb_scratch_remove(const sb_scratch_file *file) {
    unlink(file->path);
    rmdir(file->folder);
}

#endif
