#include "datasets/destination.h"

#include <string.h>
#include <unistd.h>

#include "base/error.h"

sb_path sb_path_in(const char *folder, const char *name) {
    sb_path path;
    snprintf(path.text, sizeof path.text, "%s/%s", folder, name);
    return path;
}

bool sb_destination_open(sb_destination *destination, const char *folder, sb_note *note, void *context,
                         sb_error *error) {
    *destination = (sb_destination){.folder = folder, .is_new = !sb_is_folder(folder)};
    if (!sb_folder_fits(folder, error)) return false;
    if (!sb_make_folder(folder, error) || !sb_lock_folder(&destination->lock, folder, error)) return false;
    if (destination->lock.missing && note) note(context, SB_LOCK_MISSING);
    return true;
}

void sb_destination_close(sb_destination *destination) {
    sb_lock_release(&destination->lock);
    if (destination->is_new) rmdir(destination->folder); /* rmdir fails unless the folder is empty */
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
