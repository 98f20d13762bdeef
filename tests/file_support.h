/* Files in a folder of the test's own, for tests of files. */
#ifndef SB_TESTS_FILE_SUPPORT_H
#define SB_TESTS_FILE_SUPPORT_H

#include "tests/support.h"

#include <string.h>

static const char *test_folder; /* what begin_folder made */

/* Makes the folder, empty; for the set-up of a group. Each test has another name, since tests run at the same time. */
static inline int begin_folder(const char *name) {
    test_folder = name;
    scratch_folder(name);
    return 0;
}

/* Returns a path in this test's folder; the next call overwrites the text. */
static inline const char *scratch(const char *name) { return scratch_path(test_folder, name); }

static inline void save(const char *name, const void *bytes, size_t n) {
    sb_error error;
    assert_ok(sb_file_save(scratch(name), bytes, n, &error), error);
}

static inline void assert_loads_as(const char *name, const void *bytes, size_t n) {
    sb_out out = sb_out_growing();
    sb_error error;
    assert_ok(sb_file_load(scratch(name), n, &out, &error), error);
    assert_int_equal(out.size, n);
    assert_memory_equal(out.data, bytes, n);
    assert_int_equal(out.data[n], '\0');
    sb_out_free(&out);
}

static inline void assert_does_not_load(const char *name, size_t limit, sb_code code, const char *words) {
    sb_out out = sb_out_growing();
    sb_error error = {0};
    assert_error(sb_file_load(scratch(name), limit, &out, &error), &error, code, words);
    sb_out_free(&out);
}

/* Returns the number of lines before the end, or before a failure, which sets error->code. */
static inline size_t count_lines(const char *name, size_t limit, sb_error *error) {
    sb_lines lines;
    assert_ok(sb_lines_open(&lines, scratch(name), limit, error), *error);
    while (sb_lines_next(&lines, error)) assert_int_equal(strlen(lines.line.data), lines.line.size);
    const size_t n = lines.number;
    sb_lines_close(&lines);
    return n;
}

#endif
