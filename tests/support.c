#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void assert_error(bool ok, const sb_error *error, sb_code code, const char *words) {
    assert_false(ok);
    if (!strstr(error->text, words)) fail_msg("error says \"%s\", not \"%s\"", error->text, words);
    assert_int_equal(error->code, code);
}

const char *golden(const char *name) {
    static _Thread_local char path[1024];
    snprintf(path, sizeof path, "%s/%s", SB_GOLDEN, name);
    return path;
}

size_t each_vector(const char *name, void (*check)(const cJSON *line)) {
    sb_error error;
    sb_lines lines;
    assert_ok(sb_lines_open(&lines, golden(name), 64 << 20, &error), error);
    while (sb_lines_next(&lines, &error)) {
        cJSON *line = sb_json_parse(lines.line.data, lines.line.size, &error);
        if (!line) fail_msg("%s, line %zu: %s", name, lines.number, error.text);
        check(line);
        cJSON_Delete(line);
    }
    assert_int_equal(error.code, SB_OK);
    size_t n = lines.number;
    sb_lines_close(&lines);
    return n;
}

const char *scratch_folder(const char *name) {
    static _Thread_local char path[1024];
    char command[1100];
    sb_error error;
    snprintf(path, sizeof path, "%s/%s", SB_SCRATCH, name);
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    assert_int_equal(system(command), 0);
    assert_ok(sb_make_folder(path, &error), error);
    return path;
}

const char *scratch_path(const char *folder, const char *name) {
    static _Thread_local char path[1200];
    snprintf(path, sizeof path, "%s/%s/%s", SB_SCRATCH, folder, name);
    return path;
}
