#include "evaluation/arena/workspace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { PATH_BYTES = 1200, FILE_BYTES = 1 << 30 };

static sb_workspace_file *find(const sb_workspace *w, const char *name) {
    for (size_t i = 0; i < w->n; i++)
        if (strcmp(w->files[i]->name, name) == 0) return w->files[i];
    return NULL;
}

static sb_workspace_file *find_or_add(sb_workspace *w, const char *name) {
    sb_workspace_file *file = find(w, name), **files;
    if (file) return file;
    files = realloc(w->files, (w->n + 1) * sizeof(sb_workspace_file *));
    if (files) w->files = files;
    file = files ? calloc(1, sizeof *file) : NULL;
    if (!file) return NULL;
    snprintf(file->name, sizeof file->name, "%s", name);
    file->text = sb_out_growing(), file->is_changed = true;
    return w->files[w->n++] = file;
}

sb_out *sb_workspace_lines(sb_workspace *w, const char *name) {
    sb_workspace_file *file = find_or_add(w, name);
    return file ? &file->text : NULL;
}

bool sb_workspace_put(sb_workspace *w, const char *name, const char *text, size_t n, sb_error *error) {
    sb_workspace_file *file = find_or_add(w, name);
    if (!file) return sb_fail(error, SB_MEMORY, "out of memory for %s", name);
    if (file->is_whole && file->text.size == n && (!n || memcmp(file->text.data, text, n) == 0)) return true;
    file->is_whole = file->is_changed = true;
    sb_out_clear(&file->text);
    sb_put(&file->text, text, n);
    return sb_out_ok(&file->text) || sb_fail(error, SB_MEMORY, "out of memory for %s", name);
}

const sb_out *sb_workspace_text(const sb_workspace *w, const char *name) {
    const sb_workspace_file *file = find(w, name);
    return file ? &file->text : NULL;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static void path_of(const sb_workspace *w, const sb_workspace_file *file, char path[PATH_BYTES]) {
    snprintf(path, PATH_BYTES, "%.1000s/%s", w->folder, file->name);
}

/* Makes the folder that a file is in, within the workspace. */
static bool make_folder(const char *path, sb_error *error) {
    char folder[PATH_BYTES];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    return sb_make_folder(folder, error);
}

static bool write_file(const sb_workspace *w, sb_workspace_file *file, sb_error *error) {
    char path[PATH_BYTES];
    const sb_out *text = &file->text;
    const bool grew = file->is_there && !file->is_whole;
    if (!sb_out_ok(text)) return sb_fail(error, SB_MEMORY, "out of memory for %s", file->name);
    if (grew ? text->size == file->written : !file->is_changed) return true;
    path_of(w, file, path);
    if (grew ? !sb_file_append(path, text->data + file->written, text->size - file->written, error)
             : !make_folder(path, error) ||
                   !sb_file_save_under(path, w->lock, text->size ? text->data : "", text->size, error))
        return false;
    file->is_there = true, file->is_changed = false, file->written = text->size;
    return true;
}

bool sb_workspace_write(sb_workspace *w, const char *begins, sb_error *error) {
    for (size_t i = 0; w->lock && i < w->n; i++)
        if (strncmp(w->files[i]->name, begins, strlen(begins)) == 0 && !write_file(w, w->files[i], error)) return false;
    return true;
}

/* ---- Comparing --------------------------------------------------------------------------------------------------- */

static bool fail_at_difference(const char *path, const sb_out *is, const sb_out *due, sb_error *error) {
    size_t at = 0, line = 1;
    while (at < is->size && at < due->size && is->data[at] == due->data[at]) line += is->data[at++] == '\n';
    return sb_fail(error, SB_MISMATCH, "%s, line %zu: the replay gives something else", sb_path_end(path), line);
}

static bool compare_file(const sb_workspace *w, const sb_workspace_file *file, sb_error *error) {
    char path[PATH_BYTES];
    sb_out is = sb_out_growing();
    path_of(w, file, path);
    const bool read = sb_file_load_plain(path, FILE_BYTES, &is, error);
    const bool ok = read &&
                    ((is.size == file->text.size && (!is.size || memcmp(is.data, file->text.data, is.size) == 0)) ||
                     fail_at_difference(path, &is, &file->text, error));
    sb_out_free(&is);
    return ok;
}

bool sb_workspace_compare(const sb_workspace *w, sb_error *error) {
    for (size_t i = 0; i < w->n; i++)
        if (!compare_file(w, w->files[i], error)) return false;
    return true;
}

void sb_workspace_free(sb_workspace *w) {
    for (size_t i = 0; i < w->n; i++) sb_out_free(&w->files[i]->text), free(w->files[i]);
    free(w->files);
    w->files = NULL, w->n = 0;
}
