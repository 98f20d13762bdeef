/* MiniGrid's pictures equal the published ones: 231 frames of 33 states and 2272 tiles, recorded as hashes. And what
 * holds for every picture of every level. */
#include "tests/support.h"

#include <string.h>

#include "engine/minigrid/minigrid.h"
#include "engine/minigrid/view.h"
#include "generators/babyai/family.h"
#include "generators/conformance/conformance.h"

static sb_conformity found;

static void compare(const cJSON *recording) {
    sb_error error;
    assert_ok(sb_conformer_of(&sb_babyai)->compare(recording, &found, &error), error);
    if (found.differs) fail_msg("%s", found.difference);
}

static void recorded_frames_are_equal(void **state) {
    (void)state;
    found = (sb_conformity){0};
    assert_int_equal(each_vector("pixels/frames.jsonl.gz", compare), 33);
    assert_int_equal(found.compared[SB_ASPECT_PICTURES], 231);
}

static void recorded_tiles_are_equal(void **state) {
    (void)state;
    found = (sb_conformity){0};
    assert_int_equal(each_vector("pixels/tiles.jsonl.gz", compare), 2272);
    assert_int_equal(found.compared[SB_ASPECT_PICTURES], 2272);
}

/* Compares one tile of side 8 that was recorded in full, so that the test of hashes is not the only one. */
static void compare_in_full(const cJSON *recording) {
    const char *rgb = cJSON_GetStringValue(cJSON_GetObjectItem(recording, "rgb"));
    const cJSON *list = cJSON_GetObjectItem(recording, "code"), *agent = cJSON_GetObjectItem(recording, "agent_dir");
    uint8_t code[3], ours[3 * 8 * 8];
    char hex[2 * sizeof ours + 1];
    if (!rgb) return;
    for (int k = 0; k < 3; k++) code[k] = (uint8_t)cJSON_GetArrayItem(list, k)->valueint;
    sb_mg_draw_tile(code, cJSON_IsNull(agent) ? SB_MG_NO_AGENT : agent->valueint,
                    cJSON_IsTrue(cJSON_GetObjectItem(recording, "highlight")), 8, ours);
    for (size_t i = 0; i < sizeof ours; i++) snprintf(hex + 2 * i, 3, "%02x", ours[i]);
    assert_string_equal(hex, rgb);
    found.steps++;
}

static void tiles_recorded_in_full_are_equal(void **state) {
    (void)state;
    found = (sb_conformity){0};
    each_vector("pixels/tiles.jsonl.gz", compare_in_full);
    assert_int_equal(found.steps, 110);
}

/* A recording with another picture must be noticed. */
static void a_picture_that_differs_is_found(void **state) {
    (void)state;
    static const char text[] =
        "{\"code\": [1,0,0], \"agent_dir\": 2, \"highlight\": true, \"tile_size\": 8, \"sha256\": "
        "\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"}";
    sb_error error;
    cJSON *recording = sb_json_parse(text, strlen(text), &error);
    sb_conformity here = {0};
    assert_ok(sb_conformer_of(&sb_babyai)->compare(recording, &here, &error), error);
    assert_true(here.differs);
    assert_non_null(strstr(here.difference, "tile [1,0,0], agent 2"));
    cJSON_Delete(recording);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_frames_are_equal),
        cmocka_unit_test(recorded_tiles_are_equal),
        cmocka_unit_test(tiles_recorded_in_full_are_equal),
        cmocka_unit_test(a_picture_that_differs_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
