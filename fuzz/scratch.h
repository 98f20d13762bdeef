/* Where fuzz targets put files: in memory, since hundreds are written a second, and some are flushed. */
#ifndef SB_FUZZ_SCRATCH_H
#define SB_FUZZ_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SB_SCRATCH_PATH = 64 };

/* Makes a folder of this target's own; ends the program if it cannot. */
static inline void sb_scratch_folder(char path[SB_SCRATCH_PATH], const char *target) {
    const char *root = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(path, SB_SCRATCH_PATH, "%s/%s-XXXXXX", root, target);
    if (!mkdtemp(path)) abort();
}

#endif
