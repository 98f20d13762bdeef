#include "evaluation/study/folder.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"

static const char *const names[SB_FOLDER_FILES] = {"study.json", "tapes.jsonl", "participants.jsonl"};

bool sb_folder_path(const char *folder, sb_folder_file which, char *path, size_t capacity, sb_error *error) {
    return (size_t)snprintf(path, capacity, "%s/%s", folder, names[which]) < capacity ||
           sb_fail(error, SB_INVALID, "the path of the folder is too long: %.80s...", folder);
}

/* ---- Lines ---- */

static bool is_json(const char *line, size_t n, sb_error *error) {
    cJSON *object = sb_json_parse(line, n, error);
    cJSON_Delete(object);
    return object;
}

bool sb_folder_walk(sb_folder_file which, const char *text, size_t n, sb_folder_line *take, void *context, size_t *good,
                    sb_error *error) {
    size_t number = 0;
    sb_error torn;
    for (*good = 0; *good < n; number++) {
        const char *line = text + *good, *newline = memchr(line, '\n', n - *good);
        const size_t length = newline ? (size_t)(newline - line) : n - *good;
        const bool is_last = *good + length + 1 >= n;
        if (is_last && (!newline || !is_json(line, length, &torn))) return true;
        if (!take(context, which, line, length, error))
            return sb_fail_at(error, "%s, line %zu", names[which], number + 1);
        *good += length + 1;
    }
    return true;
}

bool sb_forgotten_read(const char *line, size_t n, char hex[SB_SHA256_HEX]) {
    sb_error ignored;
    cJSON *object = sb_json_parse(line, n, &ignored);
    const bool is_one = object && cJSON_HasObjectItem(object, "forgotten") &&
                        sb_json_sha256(object, "sha256", hex, &ignored);
    cJSON_Delete(object);
    return is_one;
}
