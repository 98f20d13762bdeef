/* The lowest layer: gzip, in memory and in files, whole and damaged. */
#include "tests/file_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/gzip.h"

static int fresh_folder(void **state) {
    (void)state;
    return begin_folder("gzip");
}

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
        cmocka_unit_test(a_gzip_member_made_in_parts_unpacks_to_the_whole),
        cmocka_unit_test(a_gzip_member_of_more_than_four_gigabytes_is_whole),
        cmocka_unit_test(a_gzip_member_is_unpacked_whole_or_not_at_all),
        cmocka_unit_test(the_limit_applies_to_the_unpacked_size),
        cmocka_unit_test(a_plain_document_is_read_as_it_is),
        cmocka_unit_test(gzip_cut_short_is_noticed),
        cmocka_unit_test(damaged_gzip_is_noticed),
        cmocka_unit_test(a_file_is_not_called_damaged_when_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, fresh_folder, NULL);
}
