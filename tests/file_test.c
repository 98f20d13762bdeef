/* The lowest layer: files, folders, and lines. */
#include "tests/file_support.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/gzip.h"
#include "base/word.h"

static int fresh_folder(void **state) {
    (void)state;
    return begin_folder("file");
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static void a_file_gets_its_name_only_at_the_commit(void **state) {
    (void)state;
    sb_file file;
    sb_error error;
    char hex[SB_SHA256_HEX], expected[SB_SHA256_HEX];
    assert_ok(sb_file_create(&file, scratch("new"), &error), error);
    assert_ok(sb_file_write(&file, "ab", 2, &error), error);
    assert_ok(sb_file_write(&file, "c", 1, &error), error);
    assert_false(sb_file_exists(scratch("new")));
    assert_ok(sb_file_commit(&file, hex, &error), error);
    sb_file_discard(&file);
    sb_sha256_hex("abc", 3, expected);
    assert_string_equal(hex, expected);
    assert_int_equal(file.size, 3);
    assert_loads_as("new", "abc", 3);
    assert_false(sb_file_exists(scratch("new.part")));
}

static void discarding_a_file_leaves_the_old_one(void **state) {
    (void)state;
    for (int existed = 0; existed < 2; existed++) {
        sb_file file;
        sb_error error;
        if (existed) save("kept", "old", 3);
        assert_ok(sb_file_create(&file, scratch("kept"), &error), error);
        assert_ok(sb_file_write(&file, "new", 3, &error), error);
        sb_file_discard(&file), sb_file_discard(&file);
        assert_int_equal(sb_file_exists(scratch("kept")), existed);
        assert_false(sb_file_exists(scratch("kept.part")));
    }
    assert_loads_as("kept", "old", 3);
}

static void errors_of_writing_name_the_path(void **state) {
    (void)state;
    sb_error error;
    char too_long[2000];
    memset(too_long, 'a', sizeof too_long - 1), too_long[sizeof too_long - 1] = '\0';
    assert_error(sb_file_save(scratch("none/file"), "a", 1, &error), &error, SB_IO, "none/file: No such file");
    assert_error(sb_file_save("/proc/file", "a", 1, &error), &error, SB_IO, "cannot write /proc/file: ");
    assert_error(sb_file_save(too_long, "a", 1, &error), &error, SB_INVALID, "the path is too long: aaa");
    assert_ok(sb_make_folder(scratch("folder"), &error), error);
    assert_error(sb_file_save(scratch("folder"), "a", 1, &error), &error, SB_IO, "file/folder: Is a directory");
    assert_false(sb_file_exists(scratch("folder.part")));
    assert_ok(sb_make_folder(scratch("blocked.part"), &error), error);
    assert_error(sb_file_save(scratch("blocked"), "a", 1, &error), &error, SB_IO, "file/blocked.part: Is a directory");
}

/* ---- Links and special files ---- */

static void plant(const char *target, const char *name) {
    char path[1200];
    snprintf(path, sizeof path, "%s", scratch(name));
    remove(path);
    assert_int_equal(symlink(target, path), 0);
}

static void writers_never_follow_a_link(void **state) {
    (void)state;
    static const char *const names[] = {"victim.part", "victim"};
    sb_error error;
    sb_file file;
    sb_out found = sb_out_growing();
    bool is_device;
    save("mine", "mine", 4);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        plant("mine", names[i]);
        assert_ok(sb_file_save(scratch("victim"), "new", 3, &error), error);
        assert_false(sb_is_link(scratch("victim")));
    }
    plant("mine", "victim.part");
    assert_error(sb_file_resume(&file, scratch("victim"), "", &found, &error), &error, SB_IO, "victim.part");
    plant("mine", "victim.seedbed.lock");
    assert_error(sb_file_save(scratch("victim"), "new", 3, &error), &error, SB_IO, "not a lock file");
    plant("mine", "journal");
    assert_error(sb_file_append(scratch("journal"), "new", 3, &error), &error, SB_IO, "journal");
    assert_error(sb_file_open_log(scratch("journal"), &is_device, &error) >= 0, &error, SB_INVALID, "is a link");
    assert_loads_as("mine", "mine", 4);
    sb_out_free(&found);
    assert_int_equal(remove(scratch("victim.seedbed.lock")), 0);
}

/* A second name of somebody's file is as dangerous as a link. */
static void writers_add_to_no_file_that_has_another_name(void **state) {
    (void)state;
    sb_error error;
    sb_file file;
    sb_out found = sb_out_growing();
    char other[1200];
    bool is_device;
    save("mine", "mine", 4);
    snprintf(other, sizeof other, "%s", scratch("mine"));
    remove(scratch("second.part")), remove(scratch("second"));
    assert_int_equal(link(other, scratch("second.part")), 0);
    assert_error(sb_file_resume(&file, scratch("second"), "", &found, &error), &error, SB_IO, "was not left");
    assert_ok(sb_file_save(scratch("second"), "new", 3, &error), error);
    assert_int_equal(remove(scratch("second")), 0);
    assert_int_equal(link(other, scratch("second")), 0);
    assert_error(sb_file_append(scratch("second"), "new", 3, &error), &error, SB_IO, "second");
    assert_error(sb_file_open_log(scratch("second"), &is_device, &error) >= 0, &error, SB_INVALID, "several names");
    assert_loads_as("mine", "mine", 4);
    sb_out_free(&found);
}

static void only_regular_files_are_read(void **state) {
    (void)state;
    sb_error error;
    sb_lines lines;
    sb_out out = sb_out_growing();
    char hex[SB_SHA256_HEX] = "";
    remove(scratch("pipe"));
    assert_int_equal(mkfifo(scratch("pipe"), 0600), 0);
    plant("/dev/zero", "zero");
    static const char *const names[] = {"pipe", "zero", "."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_error(sb_file_load(scratch(names[i]), 100, &out, &error), &error, SB_IO, "it is a");
        assert_error(sb_lines_open(&lines, scratch(names[i]), 100, &error), &error, SB_IO, "it is a");
        sb_lines_close(&lines);
        assert_error(sb_file_check(scratch(names[i]), 1, hex, &error), &error, SB_IO, "it is a");
        assert_error(sb_gzip_check(scratch(names[i]), &error), &error, SB_IO, "it is a");
    }
    save("regular", "text", 4);
    plant("regular", "link");
    assert_loads_as("link", "text", 4);
    sb_out_free(&out);
}

/* A writer holds the lock until it is finished. */
static void there_is_one_writer_at_a_time(void **state) {
    (void)state;
    sb_error error;
    sb_file first, second;
    assert_ok(sb_file_create(&first, scratch("shared"), &error), error);
    assert_error(sb_file_create(&second, scratch("shared"), &error), &error, SB_IO, "is being written by process");
    assert_ok(sb_file_write(&first, "first", 5, &error) && sb_file_commit(&first, NULL, &error), error);
    assert_ok(sb_file_create(&second, scratch("shared"), &error), error);
    sb_file_discard(&second);
    assert_loads_as("shared", "first", 5);
    assert_false(sb_file_exists(scratch("shared.seedbed.lock")));
    assert_false(sb_file_exists(scratch("shared.part")));
}

static void an_unfinished_file_is_continued(void **state) {
    (void)state;
    sb_error error;
    sb_file file;
    sb_out found = sb_out_growing();
    char hex[SB_SHA256_HEX], expected[SB_SHA256_HEX];
    assert_ok(sb_file_resume(&file, scratch("left"), "", &found, &error), error);
    assert_int_equal(found.size, 0);
    assert_ok(sb_file_keep(&file, found.data, 0, &error) && sb_file_write(&file, "good bad", 8, &error), error);
    sb_file_leave(&file);
    assert_false(sb_file_exists(scratch("left")));
    assert_ok(sb_file_resume(&file, scratch("left"), "", &found, &error), error);
    assert_int_equal(found.size, 8);
    assert_ok(sb_file_keep(&file, found.data, 5, &error) && sb_file_write(&file, "end", 3, &error), error);
    assert_int_equal(file.size, 8);
    assert_ok(sb_file_commit(&file, hex, &error), error);
    sb_out_clear(&found);
    assert_ok(sb_file_load(scratch("left"), 100, &found, &error), error);
    assert_string_equal(found.data, "good end");
    sb_sha256_hex("good end", 8, expected);
    assert_string_equal(hex, expected);
    sb_out_free(&found);
}

static void what_another_command_left_is_not_continued(void **state) {
    (void)state;
    static const struct {
        const char *left;
        size_t n;
        bool is_own;
    } cases[] = {{"{\"mine\": 1", 9, true},
                 {"{\"mi", 4, true},
                 {"\0\0\0\0\0\0\0\0", 8, true},
                 {"{\"mi\0\0\0\0", 8, true},
                 {"left by chance", 14, true},
                 {"{\"theirs\": 1", 11, false},
                 {"", 0, true},
                 {"{\"mint\"", 7, false}};
    sb_error error;
    sb_file file;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_out found = sb_out_growing();
        save("owned.part", cases[i].left, cases[i].n);
        const bool ok = sb_file_resume(&file, scratch("owned"), "{\"mine\": ", &found, &error);
        if (cases[i].is_own)
            assert_ok(ok, error);
        else
            assert_error(ok, &error, SB_MISMATCH, "owned.part was left by another command");
        sb_file_leave(&file);
        assert_loads_as("owned.part", cases[i].left, cases[i].n);
        sb_out_free(&found);
    }
}

static void a_conclusion_takes_the_place_of_what_was_written_on_the_way(void **state) {
    (void)state;
    sb_file file;
    sb_error error;
    sb_out found = sb_out_growing();
    save("concluded", "old", 3);
    assert_ok(sb_file_resume(&file, scratch("concluded"), "", &found, &error), error);
    assert_ok(sb_file_write(&file, "notes", 5, &error), error);
    assert_loads_as("concluded", "old", 3);
    assert_loads_as("concluded.part", "notes", 5);
    assert_ok(sb_file_conclude(&file, "document", 8, &error), error);
    assert_loads_as("concluded", "document", 8);
    assert_false(sb_file_exists(scratch("concluded.part")) || sb_file_exists(scratch("concluded.whole.part")));
    assert_false(sb_file_exists(scratch("concluded" SB_LOCK_NAME)));
    sb_file_discard(&file); /* which does nothing any more */
    assert_loads_as("concluded", "document", 8);
    sb_out_free(&found);
}

static void folders_are_made_with_their_parents(void **state) {
    (void)state;
    sb_error error;
    for (int i = 0; i < 2; i++) assert_ok(sb_make_folder(scratch("a/b//c/"), &error), error);
    save("a/b/c/file", "", 0);
    assert_error(sb_make_folder(scratch("a/b/c/file"), &error), &error, SB_IO, "a file of that name is in the way");
    assert_error(sb_make_folder(scratch("a/b/c/file/d"), &error), &error, SB_IO, "cannot make folder");
    assert_error(sb_make_folder("/proc/folder", &error), &error, SB_IO, "cannot make folder /proc/folder: ");
    assert_error(sb_make_folder("", &error), &error, SB_INVALID, "not a folder's path");
}

static void a_path_has_a_folder_and_a_name(void **state) {
    (void)state;
    static const struct {
        const char *path, *name;
        int folder;
    } paths[] = {{"a", "a", 0}, {"/a", "a", 1}, {"b/a", "a", 1}, {"/c/b/a", "a", 4}, {"b/", "", 1}, {"", "", 0}};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        assert_string_equal(sb_file_name(paths[i].path), paths[i].name);
        assert_int_equal(sb_folder_length(paths[i].path), paths[i].folder);
    }
}

static void an_ending_is_the_last_part_of_a_name(void **state) {
    (void)state;
    assert_true(sb_ends_with("log.jsonl.gz", ".gz"));
    assert_true(sb_ends_with(".gz", ".gz"));
    assert_true(sb_ends_with("gz", ""));
    assert_false(sb_ends_with("gz", ".gz"));
    assert_false(sb_ends_with("log.gz.jsonl", ".gz"));
    assert_false(sb_ends_with("log.GZ", ".gz"));
    assert_false(sb_ends_with("", ".gz"));
}

static void errors_of_reading_name_the_path(void **state) {
    (void)state;
    save("five", "12345", 5);
    assert_does_not_load("missing", 9, SB_IO, "file/missing: No such file");
    assert_does_not_load("", 9, SB_IO, "it is a folder");
    assert_does_not_load("five", 4, SB_INVALID, "file/five is larger than 4 bytes");
    assert_loads_as("five", "12345", 5);
    save("empty", "", 0);
    assert_loads_as("empty", "", 0);
}

static void a_dash_is_standard_input(void **state) {
    (void)state;
    sb_out out = sb_out_growing();
    sb_error error;
    save("input", "from a pipe", 11);
    const int kept = dup(0), input = open(scratch("input"), O_RDONLY);
    dup2(input, 0);
    const bool ok = sb_file_load("-", 100, &out, &error);
    dup2(kept, 0);
    close(kept), close(input);
    assert_ok(ok, error);
    assert_string_equal(out.data, "from a pipe");
    sb_out_free(&out);
}

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

static void assert_lines(const char *text, size_t n_lines, const char *const lines_in_it[]) {
    sb_lines lines;
    sb_error error;
    save("lines", text, strlen(text));
    assert_ok(sb_lines_open(&lines, scratch("lines"), 100, &error), error);
    for (size_t i = 0; i < n_lines; i++) {
        assert_ok(sb_lines_next(&lines, &error), error);
        assert_string_equal(lines.line.data, lines_in_it[i]);
        assert_int_equal(lines.number, i + 1);
    }
    for (int i = 0; i < 2; i++) assert_false(sb_lines_next(&lines, &error));
    assert_int_equal(error.code, SB_OK);
    sb_lines_close(&lines);
}

static void lines_end_with_a_newline_or_the_file(void **state) {
    (void)state;
    assert_lines("", 0, NULL);
    assert_lines("\n", 1, (const char *const[]){""});
    assert_lines("a", 1, (const char *const[]){"a"});
    assert_lines("a\n", 1, (const char *const[]){"a"});
    assert_lines("\na\r\n\n\rb\r", 4, (const char *const[]){"", "a\r", "", "\rb\r"});
}

static void lines_that_cannot_be_read_leave_nothing_to_close(void **state) {
    (void)state;
    sb_lines lines;
    sb_error error;
    assert_error(sb_lines_open(&lines, scratch("missing"), 10, &error), &error, SB_IO, "file/missing: No such file");
    assert_null(lines.ahead);
    sb_lines_close(&lines);
}

/* Tries lengths around the sizes of buffers, with and without the last newline. */
static void lines_may_be_as_long_as_the_limit(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 100, 16382, 16383, 16384, 16385, 32766, 32767, 65535, 65536, 100000};
    static char text[100010];
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
        const size_t n = sizes[i / 2], end = i % 2;
        sb_error error;
        memset(text, 'x', n);
        strcpy(text + n, end ? "\nyy" : "");
        save("long", text, strlen(text));
        assert_int_equal(count_lines("long", n + 1, &error), 1 + end);
        assert_int_equal(error.code, SB_OK);
        if (count_lines("long", n, &error) != (n > 1 && end ? 2u : 1u)) fail_msg("%zu bytes: %s", n, error.text);
        assert_int_equal(count_lines("long", n - 1, &error), 0);
        assert_error(false, &error, SB_INVALID, "line 1: longer than ");
    }
}

static void a_nul_byte_is_refused_anywhere(void **state) {
    (void)state;
    for (size_t at = 0; at < 12; at++) {
        char text[] = "abc\ndef\nghij";
        sb_error error;
        text[at] = '\0';
        save("nul", text, sizeof text - 1);
        const size_t before = count_lines("nul", 100, &error);
        if (error.code == SB_OK) fail_msg("byte %zu: %zu lines were read", at, before);
        assert_int_equal(before, at / 4 > 2 ? 2 : at / 4);
        assert_error(false, &error, SB_INVALID, "a NUL byte");
    }
}

static void appended_pieces_follow_the_old_content(void **state) {
    (void)state;
    char path[1024], hex[SB_SHA256_HEX];
    sb_error error;
    snprintf(path, sizeof path, "%s/journal", scratch_folder("append"));
    assert_ok(sb_file_save(path, "", 0, &error), error);
    assert_ok(sb_file_append(path, "one\n", 4, &error) && sb_file_append(path, "two\n", 4, &error), error);
    sb_sha256_hex("one\ntwo\n", 8, hex);
    assert_ok(sb_file_check(path, 8, hex, &error), error);
    assert_error(sb_file_check(path, 9, hex, &error), &error, SB_MISMATCH, "has 8 bytes");
    hex[0] = hex[0] == '0' ? '1' : '0';
    assert_error(sb_file_check(path, 8, hex, &error), &error, SB_MISMATCH, "SHA-256");
    snprintf(path, sizeof path, "%s/nowhere/at-all", scratch_folder("append"));
    assert_error(sb_file_check(path, 8, hex, &error), &error, SB_MISMATCH, "is missing");
    assert_error(sb_file_append(path, "x", 1, &error), &error, SB_IO, "/nowhere/at-all");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_gets_its_name_only_at_the_commit),
        cmocka_unit_test(discarding_a_file_leaves_the_old_one),
        cmocka_unit_test(errors_of_writing_name_the_path),
        cmocka_unit_test(writers_never_follow_a_link),
        cmocka_unit_test(writers_add_to_no_file_that_has_another_name),
        cmocka_unit_test(only_regular_files_are_read),
        cmocka_unit_test(there_is_one_writer_at_a_time),
        cmocka_unit_test(an_unfinished_file_is_continued),
        cmocka_unit_test(what_another_command_left_is_not_continued),
        cmocka_unit_test(a_conclusion_takes_the_place_of_what_was_written_on_the_way),
        cmocka_unit_test(folders_are_made_with_their_parents),
        cmocka_unit_test(a_path_has_a_folder_and_a_name),
        cmocka_unit_test(an_ending_is_the_last_part_of_a_name),
        cmocka_unit_test(errors_of_reading_name_the_path),
        cmocka_unit_test(a_dash_is_standard_input),
        cmocka_unit_test(lines_end_with_a_newline_or_the_file),
        cmocka_unit_test(lines_that_cannot_be_read_leave_nothing_to_close),
        cmocka_unit_test(lines_may_be_as_long_as_the_limit),
        cmocka_unit_test(a_nul_byte_is_refused_anywhere),
        cmocka_unit_test(appended_pieces_follow_the_old_content),
    };
    return cmocka_run_group_tests(tests, fresh_folder, NULL);
}
