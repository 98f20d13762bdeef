/* The lowest layer: gzip, files, lines, and the pool of workers. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/gzip.h"
#include "base/pool.h"
#include "base/word.h"
#include "tests/support.h"

/* Draws the next number of splitmix64, which is random enough for these tests. */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* A text to write. */
static const char everything[] =
    "{\"text\": \"a \\\"quoted\\\"\\n\\\\line\\u0001\", \"least\": -9223372036854775808, \"most\": "
    "9223372036854775807, \"limit\": 18446744073709551615, \"third\": 0.3333333333333333, \"yes\": true, \"list\": "
    "[\"one\", \"two\"], \"format\": 7";

/* ---- Gzip -------------------------------------------------------------------------------------------------------- */

/* Returns a path in this test's folder; the next call overwrites the text. */
static const char *scratch(const char *name) { return scratch_path("file", name); }

static int fresh_folder(void **state) {
    (void)state;
    scratch_folder("file");
    return 0;
}

static void save(const char *name, const void *bytes, size_t n) {
    sb_error error;
    assert_ok(sb_file_save(scratch(name), bytes, n, &error), error);
}

static void assert_loads_as(const char *name, const void *bytes, size_t n) {
    sb_out out = sb_out_growing();
    sb_error error;
    assert_ok(sb_file_load(scratch(name), n, &out, &error), error);
    assert_int_equal(out.size, n);
    assert_memory_equal(out.data, bytes, n);
    assert_int_equal(out.data[n], '\0');
    sb_out_free(&out);
}

static void append_member(sb_gzip *gzip, int level, const char *bytes, size_t n, sb_out *out) {
    sb_error error;
    assert_ok(sb_gzip_member(gzip, level, bytes, n, out, &error), error);
}

static void members_are_read_as_one_file(void **state) {
    (void)state;
    static char plain[200000];
    uint64_t rng = 4;
    sb_gzip gzip = {0};
    sb_out file = sb_out_growing();
    for (size_t i = 0; i < sizeof plain; i++) plain[i] = (char)(next_random(&rng) % 16);
    for (size_t at = 0, n; at < sizeof plain; at += n) {
        append_member(&gzip, 1 + (int)(at % 9), plain, 0, &file);
        n = next_random(&rng) % 30000;
        if (n > sizeof plain - at) n = sizeof plain - at;
        append_member(&gzip, 6, plain + at, n, &file);
    }
    save("members.gz", file.data, file.size);
    assert_loads_as("members.gz", plain, sizeof plain);
    sb_gzip_free(&gzip);
    sb_out_free(&file);
}

static void equal_bytes_give_equal_members_whatever_came_before(void **state) {
    (void)state;
    sb_gzip used = {0};
    for (int level = 1; level <= 9; level++) {
        sb_gzip fresh = {0};
        sb_out a = sb_out_growing(), b = sb_out_growing(), other = sb_out_growing();
        append_member(&used, 10 - level, "something else", 14, &other);
        append_member(&used, level, everything, sizeof everything, &a);
        append_member(&fresh, level, everything, sizeof everything, &b);
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.data, b.data, a.size);
        sb_gzip_free(&fresh);
        sb_out_free(&a), sb_out_free(&b), sb_out_free(&other);
    }
    sb_gzip_free(&used);
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

static void a_gzip_member_made_in_parts_unpacks_to_the_whole(void **state) {
    (void)state;
    enum { N = 3000000 };
    sb_error error;
    sb_gzip gzip = {0};
    sb_out packed = sb_out_growing(), text = sb_out_growing();
    char *bytes = malloc(N);
    size_t used;
    uint32_t random = 1;
    for (int i = 0; i < N; i++) bytes[i] = (char)((random = random * 1664525u + 1013904223u) >> (i < N / 2 ? 24 : 30));
    assert_ok(sb_gzip_begin(&gzip, 1, &error), error);
    for (size_t at = 0, n = 1; at < N; at += n, n = n * 3 < N - at ? n * 3 : N - at)
        assert_ok(sb_gzip_add(&gzip, bytes + at, n, &packed, &error), error);
    assert_ok(sb_gzip_add(&gzip, bytes, 0, &packed, &error), error);
    assert_ok(sb_gzip_end(&gzip, &packed, &error), error);
    assert_ok(sb_gzip_unpack(packed.data, packed.size, &used, &text, &error), error);
    assert_int_equal(used, packed.size);
    assert_int_equal(text.size, N);
    assert_memory_equal(text.data, bytes, N);
    free(bytes);
    sb_gzip_free(&gzip);
    sb_out_free(&packed), sb_out_free(&text);
}

/* zlib counts with 32 bits. Nightly, since it takes half a minute. */
static void a_gzip_member_of_more_than_four_gigabytes_is_whole(void **state) {
    (void)state;
    if (!getenv("SEEDBED_NIGHTLY")) return;
    const size_t n = ((size_t)1 << 32) + 5;
    char *zeros = calloc(n, 1);
    sb_out file = sb_out_growing();
    sb_gzip gzip = {0};
    sb_error error;
    uint32_t size = 0;
    assert_non_null(zeros);
    append_member(&gzip, 1, zeros, n, &file);
    assert_in_range(file.size, n / 1100, n / 100);
    save("large.gz", file.data, file.size);
    assert_ok(sb_gzip_check(scratch("large.gz"), &error), error);
    for (int i = 4; i > 0; i--) size = size << 8 | (uint8_t)file.data[file.size - 5 + (size_t)i];
    assert_int_equal(size, 5);
    free(zeros);
    sb_gzip_free(&gzip);
    sb_out_free(&file);
}

static void a_gzip_member_is_unpacked_whole_or_not_at_all(void **state) {
    (void)state;
    enum { N = 200000 };
    sb_error error;
    sb_gzip gzip = {0};
    sb_out packed = sb_out_growing(), text = sb_out_growing();
    char *bytes = malloc(N);
    size_t used;
    for (int i = 0; i < N; i++) bytes[i] = (char)((unsigned)i * (unsigned)i >> 5);
    assert_ok(sb_gzip_member(&gzip, 6, bytes, N, &packed, &error), error);
    const size_t n = packed.size;
    assert_ok(sb_gzip_member(&gzip, 6, "more", 4, &packed, &error), error);
    assert_ok(sb_gzip_unpack(packed.data, packed.size, &used, &text, &error), error);
    assert_int_equal(used, n);
    assert_int_equal(text.size, N);
    assert_memory_equal(text.data, bytes, N);
    sb_out_clear(&text);
    assert_ok(sb_gzip_unpack(packed.data + n, packed.size - n, &used, &text, &error), error);
    assert_int_equal(text.size, 4);
    assert_error(sb_gzip_unpack(packed.data, n - 1, &used, &text, &error), &error, SB_INVALID, "cut short");
    packed.data[n - 5] ^= 1; /* of the checksum */
    assert_error(sb_gzip_unpack(packed.data, n, &used, &text, &error), &error, SB_INVALID, "damaged");
    assert_error(sb_gzip_unpack("", 0, &used, &text, &error), &error, SB_INVALID, "cut short");
    free(bytes);
    sb_gzip_free(&gzip);
    sb_out_free(&packed), sb_out_free(&text);
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

static void assert_does_not_load(const char *name, size_t limit, sb_code code, const char *words) {
    sb_out out = sb_out_growing();
    sb_error error = {0};
    assert_error(sb_file_load(scratch(name), limit, &out, &error), &error, code, words);
    sb_out_free(&out);
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

static void the_limit_applies_to_the_unpacked_size(void **state) {
    (void)state;
    static const char zeros[1 << 20];
    sb_gzip gzip = {0};
    sb_out file = sb_out_growing();
    append_member(&gzip, 9, zeros, sizeof zeros, &file);
    save("bomb.gz", file.data, file.size);
    assert_does_not_load("bomb.gz", sizeof zeros - 1, SB_INVALID, "larger than");
    assert_loads_as("bomb.gz", zeros, sizeof zeros);
    sb_gzip_free(&gzip);
    sb_out_free(&file);
}

/* Even gzip is not unpacked, and the limit applies to the file. */
static void a_plain_document_is_read_as_it_is(void **state) {
    (void)state;
    sb_gzip gzip = {0};
    sb_out file = sb_out_growing(), out = sb_out_growing();
    sb_error error;
    append_member(&gzip, 9, "text", 4, &file);
    save("packed.gz", file.data, file.size);
    assert_ok(sb_file_load_plain(scratch("packed.gz"), file.size, &out, &error), error);
    assert_true(out.size == file.size && out.data[out.size] == '\0');
    assert_memory_equal(out.data, file.data, file.size);
    assert_error(sb_file_load_plain(scratch("packed.gz"), file.size - 1, &out, &error), &error, SB_INVALID,
                 "larger than");
    assert_error(sb_file_load_plain(scratch("missing"), 9, &out, &error), &error, SB_IO, "No such file");
    sb_gzip_free(&gzip);
    sb_out_free(&file), sb_out_free(&out);
}

static sb_out some_gzip(void) {
    sb_gzip gzip = {0};
    sb_out file = sb_out_growing();
    append_member(&gzip, 6, "one\ntwo\nthree\nfour\n", 19, &file);
    sb_gzip_free(&gzip);
    return file;
}

/* Returns the number of lines before the end, or before a failure, which sets error->code. */
static size_t count_lines(const char *name, size_t limit, sb_error *error) {
    sb_lines lines;
    assert_ok(sb_lines_open(&lines, scratch(name), limit, error), *error);
    while (sb_lines_next(&lines, error)) assert_int_equal(strlen(lines.line.data), lines.line.size);
    const size_t n = lines.number;
    sb_lines_close(&lines);
    return n;
}

/* Cut to fewer than two bytes, the file is not gzip. */
static void gzip_cut_short_is_noticed(void **state) {
    (void)state;
    sb_out file = some_gzip();
    for (size_t n = 2; n < file.size; n++) {
        sb_error error;
        save("cut.gz", file.data, n);
        assert_does_not_load("cut.gz", 100, SB_INVALID, "cut.gz is damaged or cut short");
        count_lines("cut.gz", 100, &error);
        assert_error(false, &error, SB_INVALID, "cut.gz is damaged or cut short");
    }
    sb_out_free(&file);
}

/* Flips every bit except those that pad the last byte of the data. */
static void damaged_gzip_is_noticed(void **state) {
    (void)state;
    sb_out file = some_gzip();
    size_t unnoticed = 0;
    for (size_t bit = 8 * 10; bit < 8 * file.size;
         bit++) { /* from the end of the header on, because readers ignore parts of it */
        sb_out out = sb_out_growing();
        sb_error error;
        file.data[bit / 8] ^= (char)(1 << bit % 8);
        save("damaged.gz", file.data, file.size);
        if (sb_file_load(scratch("damaged.gz"), 100, &out, &error)) {
            assert_string_equal(out.data, "one\ntwo\nthree\nfour\n");
            unnoticed++;
        } else {
            assert_error(false, &error, SB_INVALID, "damaged.gz is ");
            count_lines("damaged.gz", 100, &error);
            assert_int_equal(error.code, SB_INVALID);
        }
        file.data[bit / 8] ^= (char)(1 << bit % 8);
        sb_out_free(&out);
    }
    assert_in_range(unnoticed, 0, 7);
    sb_out_free(&file);
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

/* ---- The pool ---------------------------------------------------------------------------------------------------- */

enum { NOWHERE = 1000 };

typedef struct job {
    size_t n, workers, fail_work[2], fail_take; /* items that fail */
    atomic_size_t worked, slots_freed, scratches_freed;
    size_t taken, given;
    bool order, given_in_order;
} job;

/* Memory of a slot or a scratch, so that a sanitizer finds memory that is freed twice or never. */
typedef struct owner {
    size_t *number;
} owner;

static size_t *number_of(void *block) {
    owner *o = block;
    if (!o->number) o->number = calloc(1, sizeof *o->number);
    return o->number;
}

static bool give(void *context, size_t index, void *slot, sb_error *error) {
    job *j = context;
    (void)error;
    j->given_in_order &= index == j->given++;
    *number_of(slot) = index;
    return true;
}

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    job *j = context;
    *number_of(scratch) = index;
    for (size_t i = index * 7 % 5; i; i--) sched_yield();
    atomic_fetch_add(&j->worked, 1);
    if (index == j->fail_work[0] || index == j->fail_work[1]) return sb_fail(error, SB_INVALID, "item %zu", index);
    if (*number_of(slot) != index) return sb_fail(error, SB_MISMATCH, "item %zu was not given", index);
    *number_of(slot) = *number_of(scratch) * 3;
    return true;
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    job *j = context;
    j->order &= index == j->taken && *number_of(slot) == 3 * index;
    j->order &= atomic_load(&j->worked) <= j->taken + 4 * j->workers;
    if (index == j->fail_take) return sb_fail(error, SB_IO, "taking %zu", index);
    j->taken++;
    return true;
}

static _Atomic(job *) current; /* for the two functions without a context */

static void free_slot(void *slot) {
    free(((owner *)slot)->number);
    current->slots_freed++;
}

static void free_scratch(void *scratch) {
    free(((owner *)scratch)->number);
    current->scratches_freed++;
}

static bool run(job *j, sb_error *error) {
    const sb_pool pool = {.workers = j->workers,
                          .context = j,
                          .give = give,
                          .work = work,
                          .take = take,
                          .slot_size = sizeof(owner),
                          .scratch_size = sizeof(owner),
                          .free_slot = free_slot,
                          .free_scratch = free_scratch};
    current = j;
    j->order = j->given_in_order = true;
    j->given = 0;
    const bool ok = sb_pool_run(&pool, j->n, error);
    assert_true(j->order && j->given_in_order);
    const size_t workers = j->workers < j->n ? j->workers : j->n;
    assert_int_equal(j->scratches_freed, workers);
    assert_in_range(j->slots_freed, workers, 4 * workers);
    return ok;
}

static sb_pool fetching(job *j) {
    current = j;
    return (sb_pool){.workers = j->workers,
                     .context = j,
                     .give = give,
                     .work = work,
                     .slot_size = sizeof(owner),
                     .scratch_size = sizeof(owner),
                     .free_slot = free_slot,
                     .free_scratch = free_scratch};
}

static const size_t worker_counts[] = {1, 2, 7};

static void results_can_be_fetched_and_left_at_any_time(void **state) {
    (void)state;
    for (size_t w = 0; w < 3; w++)
        for (size_t n = 0; n <= 40; n += 8)
            for (size_t left = 0; left <= n; left += 1 + n / 5) {
                sb_error error;
                void *slot;
                job j = {.n = n, .workers = worker_counts[w], .fail_work = {NOWHERE, NOWHERE}};
                const sb_pool pool = fetching(&j);
                sb_pool_results *results = sb_pool_begin(&pool, n, &error);
                assert_non_null(results);
                for (size_t i = 0; i < left; i++) {
                    assert_ok(sb_pool_next(results, &slot, &error), error);
                    assert_int_equal(*number_of(slot), 3 * i);
                }
                for (int again = 0; left == n && again < 3; again++) {
                    assert_false(sb_pool_next(results, &slot, &error));
                    assert_int_equal(error.code, SB_OK);
                }
                sb_pool_end(results);
                assert_int_equal(j.scratches_freed, j.workers < n ? j.workers : n);
                assert_true(j.worked <= left + 4 * j.workers);
            }
}

static void behind_a_failure_nothing_more_is_fetched(void **state) {
    (void)state;
    for (size_t w = 0; w < 3; w++)
        for (size_t at = 0; at < 40; at += 13) {
            sb_error error;
            void *slot;
            job j = {.n = 40, .workers = worker_counts[w], .fail_work = {at, NOWHERE}};
            const sb_pool pool = fetching(&j);
            sb_pool_results *results = sb_pool_begin(&pool, j.n, &error);
            for (size_t i = 0; i < at; i++) assert_ok(sb_pool_next(results, &slot, &error), error);
            assert_error(sb_pool_next(results, &slot, &error), &error, SB_INVALID, "item");
            assert_false(sb_pool_next(results, &slot, &error));
            assert_int_equal(error.code, SB_OK);
            sb_pool_end(results);
        }
}

static void results_come_in_order_whatever_the_number_of_workers(void **state) {
    (void)state;
    for (size_t w = 0; w < 3; w++)
        for (size_t n = 0; n <= 100; n += n < 32 ? 1 : 17) {
            sb_error error;
            job j = {.n = n, .workers = worker_counts[w], .fail_work = {NOWHERE, NOWHERE}, .fail_take = NOWHERE};
            assert_ok(run(&j, &error), error);
            assert_int_equal(j.taken, n);
            assert_int_equal(j.worked, n);
        }
}

static void the_first_failure_in_order_is_reported(void **state) {
    (void)state;
    for (size_t w = 0; w < 3; w++)
        for (size_t n = 1; n <= 100; n += 9)
            for (size_t first = 0; first < n; first += 1 + n / 7) {
                char words[20];
                sb_error error;
                job j = {.n = n, .workers = worker_counts[w], .fail_work = {first + 1, first}, .fail_take = NOWHERE};
                snprintf(words, sizeof words, "item %zu", first);
                assert_error(run(&j, &error), &error, SB_INVALID, words);
                assert_int_equal(j.taken, first);
            }
}

static void a_failure_to_take_stops_the_run(void **state) {
    (void)state;
    for (size_t w = 0; w < 3; w++)
        for (size_t at = 0; at < 100; at += 11) {
            char words[20];
            sb_error error;
            job j = {.n = 100, .workers = worker_counts[w], .fail_work = {at + 1, NOWHERE}, .fail_take = at};
            snprintf(words, sizeof words, "taking %zu", at);
            assert_error(run(&j, &error), &error, SB_IO, words);
            assert_int_equal(j.taken, at);
        }
}

/* Takes all memory that is left in large pieces, and lets the system give no more. Returns the pieces; `*before` gets
 * the limit as it was. */
static void **take_all_memory(size_t piece, struct rlimit *before) {
    void **last = NULL, **next;
    unsigned long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    assert_non_null(statm);
    assert_int_equal(fscanf(statm, "%lu", &pages), 1);
    fclose(statm);
    assert_int_equal(getrlimit(RLIMIT_AS, before), 0);
    struct rlimit limit = *before;
    limit.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    while ((next = malloc(piece))) *next = last, last = next;
    return last;
}

static void give_memory_back(void **pieces, const struct rlimit *before) {
    setrlimit(RLIMIT_AS, before);
    while (pieces) {
        void **const next = *pieces;
        free(pieces);
        pieces = next;
    }
}

static void a_file_is_not_called_damaged_when_memory_runs_out(void **state) {
    (void)state;
    if (TESTS_ARE_SLOW) skip(); /* sanitizers and emulators take memory of their own */
    enum { BYTES = 1 << 20, PIECE = 1 << 15 };
    sb_error error;
    sb_gzip gzip = {0};
    sb_out packed = sb_out_growing(), text = sb_out_growing();
    char *bytes = calloc(BYTES, 1);
    assert_ok(sb_gzip_member(&gzip, 6, bytes, BYTES, &packed, &error), error);
    assert_ok(sb_file_save(scratch("zeros.gz"), packed.data, packed.size, &error), error);
    assert_non_null(sb_out_reserve(&text, 2 * BYTES));
    struct rlimit before;
    void **const pieces = take_all_memory(PIECE, &before);
    const bool ok = sb_file_load(scratch("zeros.gz"), BYTES, &text, &error);
    give_memory_back(pieces, &before);
    assert_false(ok);
    assert_int_equal(error.code, SB_MEMORY);
    assert_ok(sb_file_load(scratch("zeros.gz"), BYTES, &text, &error), error);
    sb_gzip_free(&gzip), sb_out_free(&packed), sb_out_free(&text), free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_read_as_one_file),
        cmocka_unit_test(equal_bytes_give_equal_members_whatever_came_before),
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
        cmocka_unit_test(a_gzip_member_made_in_parts_unpacks_to_the_whole),
        cmocka_unit_test(a_gzip_member_of_more_than_four_gigabytes_is_whole),
        cmocka_unit_test(a_gzip_member_is_unpacked_whole_or_not_at_all),
        cmocka_unit_test(folders_are_made_with_their_parents),
        cmocka_unit_test(a_path_has_a_folder_and_a_name),
        cmocka_unit_test(an_ending_is_the_last_part_of_a_name),
        cmocka_unit_test(errors_of_reading_name_the_path),
        cmocka_unit_test(the_limit_applies_to_the_unpacked_size),
        cmocka_unit_test(a_plain_document_is_read_as_it_is),
        cmocka_unit_test(gzip_cut_short_is_noticed),
        cmocka_unit_test(damaged_gzip_is_noticed),
        cmocka_unit_test(a_dash_is_standard_input),
        cmocka_unit_test(lines_end_with_a_newline_or_the_file),
        cmocka_unit_test(lines_that_cannot_be_read_leave_nothing_to_close),
        cmocka_unit_test(lines_may_be_as_long_as_the_limit),
        cmocka_unit_test(a_nul_byte_is_refused_anywhere),
        cmocka_unit_test(appended_pieces_follow_the_old_content),
        cmocka_unit_test(results_come_in_order_whatever_the_number_of_workers),
        cmocka_unit_test(the_first_failure_in_order_is_reported),
        cmocka_unit_test(a_failure_to_take_stops_the_run),
        cmocka_unit_test(results_can_be_fetched_and_left_at_any_time),
        cmocka_unit_test(behind_a_failure_nothing_more_is_fetched),
        cmocka_unit_test(a_file_is_not_called_damaged_when_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, fresh_folder, NULL);
}
