/* Autumn against the recordings of the published interpreter: frames, drawn cells, generator states and stops of all
 * programs in tests/golden/autumn. */
#include "tests/support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generators/conformance/conformance.h"

enum { N_PROGRAMS = 74 };

static void load(const char *name, const char *suffix, sb_out *text) {
    char path[200];
    sb_error error;
    snprintf(path, sizeof path, "autumn/%s%s", name, suffix);
    *text = sb_out_growing();
    assert_ok(sb_file_load_plain(golden(path), 1 << 20, text, &error), error);
}

static void compare(const char *name, const cJSON *recording, sb_conformity *found) {
    sb_error error = {0};
    sb_out text;
    load(name, ".sexp", &text);
    *found = (sb_conformity){0};
    assert_ok(sb_compare_autumn(recording, text.data, text.size, found, &error), error);
    sb_out_free(&text);
}

static cJSON *recording_of(const char *name) {
    sb_error error = {0};
    sb_out text;
    load(name, ".json", &text);
    cJSON *recording = sb_json_parse(text.data, text.size, &error);
    assert_ok(recording, error);
    sb_out_free(&text);
    return recording;
}

/* Calls `check` with the name of every program; returns their number. */
static size_t each_program(void (*check)(const char *name)) {
    size_t n = 0;
    DIR *const folder = opendir(golden("autumn"));
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char name[256];
        char *const dot = strcpy(name, entry->d_name) + strcspn(entry->d_name, ".");
        if (strcmp(dot, ".sexp") != 0) continue;
        *dot = '\0';
        check(name);
        n++;
    }
    closedir(folder);
    return n;
}

static size_t total[SB_N_ASPECTS], steps, differing;

static void check_program(const char *name) {
    sb_conformity found;
    cJSON *recording = recording_of(name);
    compare(name, recording, &found);
    if (found.differs) {
        print_message("%s\n", found.difference);
        differing++;
    }
    for (int i = 0; i < SB_N_ASPECTS; i++) total[i] += found.compared[i];
    steps += found.steps;
    cJSON_Delete(recording);
}

static void test_all_recordings_are_reproduced(void **state) {
    (void)state;
    assert_int_equal(each_program(check_program), N_PROGRAMS);
    assert_int_equal(differing, 0);
    assert_int_equal(total[SB_ASPECT_RESET], N_PROGRAMS);
    assert_int_equal(total[SB_ASPECT_VIEWS], 521);
    assert_int_equal(total[SB_ASPECT_STATES], 521);
    assert_int_equal(total[SB_ASPECT_DRAWS], 45);
    assert_int_equal(total[SB_ASPECT_ENDS], 14);
    assert_int_equal(steps, 461);
}

/* Changes one thing in a recording and expects the difference to be found. */
static void expect_difference(const char *name, void (*change)(cJSON *recording), const char *words) {
    sb_conformity found;
    cJSON *recording = recording_of(name);
    change(recording);
    compare(name, recording, &found);
    assert_true(found.differs);
    if (!strstr(found.difference, words)) fail_msg("`%s` not in: %s", words, found.difference);
    cJSON_Delete(recording);
}

static cJSON *last(cJSON *recording, const char *key) {
    cJSON *list = cJSON_GetObjectItemCaseSensitive(recording, key);
    return cJSON_GetArrayItem(list, cJSON_GetArraySize(list) - 1);
}

static void change_frame(cJSON *recording) { cJSON_SetValuestring(last(recording, "frames")->child, "111111"); }
static void change_cell(cJSON *recording) {
    cJSON *layer = last(recording, "drawn")->child, *cell = cJSON_GetArrayItem(layer, 1)->child;
    cJSON_SetNumberValue(cell->child, 17);
}
static void change_generator(cJSON *recording) { cJSON_SetNumberValue(last(recording, "rng"), 7); }
/* As if the run had stopped one action earlier. */
static void change_stop(cJSON *recording) {
    cJSON *at = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(recording, "stopped"), "at");
    static const char *const lists[] = {"frames", "drawn"};
    const double action = cJSON_GetNumberValue(at);
    cJSON_SetNumberValue(at, action - 1);
    for (int i = 0; i < 2; i++) {
        cJSON *list = cJSON_GetObjectItemCaseSensitive(recording, lists[i]);
        cJSON_DeleteItemFromArray(list, cJSON_GetArraySize(list) - 1);
    }
}

static void test_differences_are_found(void **state) {
    (void)state;
    expect_difference("a47_random_colour", change_frame, "action 5: frame");
    expect_difference("a47_random_colour", change_cell, "action 5: drawn cells");
    expect_difference("a47_random_colour", change_generator, "action 5: generator");
    expect_difference("a62_bad_field", change_stop, "action 0: stopped");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_recordings_are_reproduced),
        cmocka_unit_test(test_differences_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
