#include "datasets/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

sb_path sb_path_in(const char *folder, const char *name) {
    sb_path path;
    snprintf(path.text, sizeof path.text, "%s/%s", folder, name);
    return path;
}

bool sb_is_shard_name(const char *name) {
    static const char pattern[] = "-00000-of-00000.";
    name += strspn(name, "abcdefghijklmnopqrstuvwxyz");
    for (const char *p = pattern; *p; p++, name++)
        if (*p == '0' ? *name < '0' || *name > '9' : *name != *p) return false;
    return true;
}

bool sb_folder_clear(const char *folder, sb_error *error) {
    unlink(sb_path_in(folder, SB_MANIFEST_NAME).text);
    DIR *directory = opendir(folder);
    if (!directory) return sb_fail_errno(error, "cannot read folder %s", folder);
    bool ok = true;
    for (const struct dirent *entry; ok && (entry = readdir(directory));) {
        if (!sb_is_shard_name(entry->d_name)) continue;
        const sb_path path = sb_path_in(folder, entry->d_name);
        ok = unlink(path.text) == 0 || sb_fail_errno(error, "cannot remove %s", path.text);
    }
    closedir(directory);
    return ok;
}

static bool lists(const sb_manifest *manifest, const char *name) {
    for (size_t i = 0; i < manifest->n_shards; i++)
        if (strcmp(manifest->rows_files[i].name, name) == 0 || strcmp(manifest->tapes_files[i].name, name) == 0)
            return true;
    return false;
}

bool sb_folder_check(const char *folder, const sb_manifest *manifest, sb_error *error) {
    DIR *directory = opendir(folder);
    if (!directory) return sb_fail_errno(error, "cannot read folder %s", folder);
    bool ok = true;
    for (const struct dirent *entry; ok && (entry = readdir(directory));)
        ok = !sb_is_shard_name(entry->d_name) || lists(manifest, entry->d_name) ||
             sb_fail(error, SB_MISMATCH, "%s is not in the manifest", entry->d_name);
    closedir(directory);
    return ok;
}
