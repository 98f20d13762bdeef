/* The folder that a dataset is written to. Only one process at a time holds its lock, and makes and removes files in
 * it. */
#ifndef SB_DATASETS_TARGET_H
#define SB_DATASETS_TARGET_H

#include "base/file.h"

typedef struct sb_path {
    char text[1100];
} sb_path;

sb_path sb_path_in(const char *folder, const char *name);

typedef struct sb_target {
    const char *folder;
    bool is_new; /* sb_target_open made the folder */
    sb_lock lock;
} sb_target;

/* Shows the user a message. */
typedef void sb_note(void *context, const char *text);

/* Makes the folder and locks it; `note` (may be NULL) is called if nothing can be locked there. */
bool sb_target_open(sb_target *target, const char *folder, sb_note *note, void *context, sb_error *error);
/* Releases the lock, and removes the folder if it is new and still empty. Does nothing to a target that is zeroed or
 * was not opened. */
void sb_target_close(sb_target *target);

bool sb_target_create(const sb_target *target, const char *name, sb_file *file, sb_error *error);
bool sb_target_save(const sb_target *target, const char *name, const sb_out *text, sb_error *error);
/* Appends to an existing file (sb_file_append). */
bool sb_target_append(const sb_target *target, const char *name, const sb_out *text, sb_error *error);
/* Removes a file; it is no error if there is none. */
bool sb_target_remove(const sb_target *target, const char *name, sb_error *error);
/* Makes sure that all files made and removed so far survive a power failure. */
bool sb_target_sync(const sb_target *target, sb_error *error);

#endif
