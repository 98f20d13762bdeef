#include "datasets/target.h"

#include <string.h>
#include <unistd.h>

#include "base/error.h"

sb_path sb_path_in(const char *folder, const char *name) {
    sb_path path;
    snprintf(path.text, sizeof path.text, "%s/%s", folder, name);
    return path;
}

bool sb_target_open(sb_target *target, const char *folder, sb_note *note, void *context, sb_error *error) {
    *target = (sb_target){.folder = folder, .is_new = !sb_is_folder(folder)};
    if (strlen(folder) > 900) return sb_fail(error, SB_INVALID, "the path of the folder is too long: %.80s...", folder);
    if (!sb_make_folder(folder, error) || !sb_lock_folder(&target->lock, folder, error)) return false;
    if (target->lock.missing && note) note(context, SB_LOCK_MISSING);
    return true;
}

void sb_target_close(sb_target *target) {
    sb_lock_release(&target->lock);
    if (target->is_new) rmdir(target->folder); /* fails unless the folder is empty */
}

bool sb_target_create(const sb_target *target, const char *name, sb_file *file, sb_error *error) {
    return sb_file_create_under(file, sb_path_in(target->folder, name).text, &target->lock, error);
}

static bool check_text(const char *name, const sb_out *text, sb_error *error) {
    return sb_out_ok(text) || sb_fail(error, SB_MEMORY, "out of memory for %s", name);
}

bool sb_target_append(const sb_target *target, const char *name, const sb_out *text, sb_error *error) {
    return check_text(name, text, error) &&
           sb_file_append(sb_path_in(target->folder, name).text, text->data, text->size, error);
}

bool sb_target_save(const sb_target *target, const char *name, const sb_out *text, sb_error *error) {
    return check_text(name, text, error) &&
           sb_file_save_under(sb_path_in(target->folder, name).text, &target->lock, text->data, text->size, error);
}

bool sb_target_remove(const sb_target *target, const char *name, sb_error *error) {
    return sb_file_remove(sb_path_in(target->folder, name).text, error);
}

bool sb_target_sync(const sb_target *target, sb_error *error) { return sb_folder_sync(target->folder, error); }
