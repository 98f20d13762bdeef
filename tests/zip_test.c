/* Zip archives: what was written is read back, and nothing in a damaged archive is trusted. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/zip.h"

enum { N = 4, LONG = 100000 };

static const char *const names[N] = {"images/a.png", "empty", "long", "metadata.jsonl"};
static char content[N][LONG];
static size_t sizes[N] = {200, 0, LONG, 500};

static void fill(void) {
    uint32_t random = 1;
    for (size_t k = 0; k < N; k++)
        for (size_t i = 0; i < sizes[k]; i++)
            content[k][i] = (char)((random = random * 1664525u + 1013904223u) >> (k == 0 ? 24 : 30));
}

/* The first two members are stored, the others deflated. */
static void write_archive(sb_out *out, size_t n) {
    sb_error error;
    sb_zip zip = {0};
    for (size_t k = 0; k < n; k++) {
        sb_zip_member member = {0};
        if (k < 2) {
            sb_zip_store(&zip, names[k], content[k], sizes[k], out);
            continue;
        }
        assert_ok(sb_zip_add(&member, 6, content[k], sizes[k], &error), error);
        assert_ok(sb_zip_put(&zip, names[k], "", 0, &member, out, &error), error);
    }
    assert_ok(sb_zip_finish(&zip, out, &error), error);
    sb_zip_free(&zip);
}

static const char *save(const char *bytes, size_t n) {
    static char path[1024];
    if (!*path) snprintf(path, sizeof path, "%s/archive.zip", scratch_folder("zip"));
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* Reads a member in small pieces; false with an error if that fails. */
static bool read_member(sb_unzip *zip, const char *name, char *to, size_t capacity, size_t *size, sb_error *error) {
    sb_unzip_member member;
    bool ok = sb_unzip_begin(zip, name, &member, error);
    for (*size = 0; ok;) {
        size_t got;
        const size_t piece = capacity - *size < 777 ? capacity - *size : 777;
        ok = sb_unzip_read(&member, to + *size, piece, &got, error);
        if (!ok || got == 0) break;
        *size += got;
    }
    sb_unzip_end(&member);
    return ok;
}

static void members_are_read_back_in_any_order(void **state) {
    (void)state;
    static char found[LONG + 1];
    sb_error error;
    sb_unzip zip = {0};
    sb_out out = sb_out_growing();
    fill();
    write_archive(&out, N);
    assert_ok(sb_unzip_open(&zip, save(out.data, out.size), &error), error);
    assert_int_equal(zip.n, N);
    for (size_t i = 0; i < (size_t)N * N; i++) {
        const size_t k = i < N ? i : i * 7 % N;
        size_t size;
        assert_ok(read_member(&zip, names[k], found, sizeof found, &size, &error), error);
        assert_int_equal(size, sizes[k]);
        assert_memory_equal(found, content[k], size);
    }
    sb_unzip_member member;
    assert_false(sb_unzip_begin(&zip, "images/b.png", &member, &error));
    assert_int_equal(error.code, SB_OK);
    sb_unzip_close(&zip);
    sb_out_free(&out);
}

/* Whether all members are there and hold what was written. */
static bool is_whole(const char *path) {
    static char found[LONG + 1];
    sb_error error;
    sb_unzip zip = {0};
    bool whole = sb_unzip_open(&zip, path, &error);
    for (size_t k = 0; whole && k < 2; k++) {
        size_t size;
        whole = read_member(&zip, names[k], found, sizeof found, &size, &error) && size == sizes[k] &&
                memcmp(found, content[k], size) == 0;
    }
    sb_unzip_close(&zip);
    return whole;
}

/* No byte that is altered makes the reader crash, and none in the data goes unnoticed. */
static void damage_is_an_error(void **state) {
    (void)state;
    sb_out out = sb_out_growing();
    fill();
    write_archive(&out, 2);
    const size_t data = 30 + strlen(names[0]) + 20; /* where the first member's bytes begin */
    assert_memory_equal(out.data + data, content[0], sizes[0]);
    assert_true(is_whole(save(out.data, out.size)));
    for (size_t at = 0; at < out.size; at++) {
        const char good = out.data[at];
        for (int bit = 0; bit < 8; bit += TESTS_ARE_SLOW ? 5 : 3) {
            out.data[at] = (char)(good ^ 1 << bit);
            const bool whole = is_whole(save(out.data, out.size));
            if (at >= data && at < data + sizes[0]) assert_false(whole);
        }
        out.data[at] = good;
    }
    for (size_t n = 0; n < out.size; n += 3) assert_false(is_whole(save(out.data, n)));
    sb_out_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_read_back_in_any_order),
        cmocka_unit_test(damage_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
