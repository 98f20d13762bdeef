/* A folder for the files of fuzz targets. It is in memory, because targets write hundreds of files a second and flush
 * some. */
#ifndef SB_FUZZ_SCRATCH_H
#define SB_FUZZ_SCRATCH_H

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

#endif
