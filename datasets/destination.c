#include "datasets/destination.h"

#include <string.h>
#include <unistd.h>

#include "base/error.h"

sb_path sb_path_in(const char *folder, const char *name) {
    sb_path path;
    snprintf(path.text, sizeof path.text, "%s/%s", folder, name);
    return path;
}

/* The folder whose name ends before byte n of a path; "" if no name ends there. */
static sb_path folder_at(const char *path, size_t n) {
    sb_path folder = {""};
    if (path[n] == '\0' || path[n] == '/') snprintf(folder.text, sizeof folder.text, "%.*s", (int)n, path);
    return folder;
}

/* How many bytes of a path name a folder that is there. */
static size_t count_there(const char *path) {
    size_t n = strlen(path);
    while (n > 0 && !sb_is_folder(folder_at(path, n).text)) n--;
    return n;
}

/* Removes the folders that were made, from below. rmdir fails unless a folder is empty. */
static void remove_empty(const sb_destination *destination) {
    for (size_t n = strlen(destination->folder); n > destination->n_there; n--)
        rmdir(folder_at(destination->folder, n).text);
}

bool sb_destination_open(sb_destination *destination, const char *folder, sb_note *note, void *context,
                         sb_error *error) {
    *destination = (sb_destination){0};
    if (!sb_folder_fits(folder, error)) return false;
    *destination = (sb_destination){.folder = folder, .n_there = count_there(folder)};
    if (!sb_make_folder(folder, error) || !sb_lock_folder(&destination->lock, folder, error))
        return remove_empty(destination), false;
    if (destination->lock.missing && note) note(context, SB_LOCK_MISSING);
    return true;
}

void sb_destination_close(sb_destination *destination) {
    sb_lock_release(&destination->lock);
    if (destination->folder) remove_empty(destination);
}

bool sb_destination_create(const sb_destination *destination, const char *name, sb_file *file, sb_error *error) {
    return sb_file_create_under(file, sb_path_in(destination->folder, name).text, &destination->lock, error);
}

static bool check_text(const char *name, const sb_out *text, sb_error *error) {
    return sb_out_ok(text) || sb_fail(error, SB_MEMORY, "out of memory for %s", name);
}

bool sb_destination_append(const sb_destination *destination, const char *name, const sb_out *text, sb_error *error) {
    return check_text(name, text, error) &&
           sb_file_append(sb_path_in(destination->folder, name).text, text->data, text->size, error);
}

bool sb_destination_save(const sb_destination *destination, const char *name, const sb_out *text, sb_error *error) {
    return check_text(name, text, error) && sb_file_save_under(sb_path_in(destination->folder, name).text,
                                                               &destination->lock, text->data, text->size, error);
}

bool sb_destination_remove(const sb_destination *destination, const char *name, sb_error *error) {
    return sb_file_remove(sb_path_in(destination->folder, name).text, error);
}

bool sb_destination_sync(const sb_destination *destination, sb_error *error) {
    return sb_folder_sync(destination->folder, error);
}
