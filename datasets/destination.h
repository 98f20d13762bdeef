/* The folder that a dataset is written to. Only one process at a time holds its lock, and makes and removes files in
 * it. */
#ifndef SB_DATASETS_DESTINATION_H
#define SB_DATASETS_DESTINATION_H

#include "base/error.h"
#include "base/file.h"

typedef struct sb_path {
    char text[1100];
} sb_path;

sb_path sb_path_in(const char *folder, const char *name);

typedef struct sb_destination {
    const char *folder;
    size_t n_there;   /* how many bytes of its path name a folder that was there before */
    bool keeps_tapes; /* clearing leaves what a program has played (datasets/playing.h) */
    sb_lock lock;
} sb_destination;

/* Makes the folder, with those above it that are missing, and locks it; `note` (may be NULL) is called if nothing can
 * be locked there. */
bool sb_destination_open(sb_destination *destination, const char *folder, sb_note *note, void *context,
                         sb_error *error);
/* Releases the lock, and removes the folders that were made if nothing came into them. Does nothing to a destination
 * that is zeroed, or was not opened. */
void sb_destination_close(sb_destination *destination);

bool sb_destination_create(const sb_destination *destination, const char *name, sb_file *file, sb_error *error);
bool sb_destination_save(const sb_destination *destination, const char *name, const sb_out *text, sb_error *error);
/* Appends to an existing file (sb_file_append). */
bool sb_destination_append(const sb_destination *destination, const char *name, const sb_out *text, sb_error *error);
/* Removes a file. A file that is not there is fine. */
bool sb_destination_remove(const sb_destination *destination, const char *name, sb_error *error);
/* Makes sure that all files made and removed so far survive a power failure. */
bool sb_destination_sync(const sb_destination *destination, sb_error *error);

#endif
