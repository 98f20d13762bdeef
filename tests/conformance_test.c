/* Tests which families have recordings. tests/tasks/, minigrid_test and cli_test compare the recordings themselves. */
#include "tests/support.h"

#include <string.h>

#include "engine/lookup.h"
#include "generators/agentick/family.h"
#include "generators/babyai/family.h"
#include "generators/conformance/conformance.h"
#include "tests/testfamily/toy.h"

static void test_a_family_has_its_own_conformer_or_none(void **state) {
    (void)state;
    size_t n = 0;
    for (const sb_family *const *family = sb_families; *family; family++) {
        const sb_conformer *conformer = sb_conformer_of(*family);
        if (!conformer) continue;
        assert_ptr_equal(conformer->family, *family);
        n++;
    }
    assert_int_equal(n, 2);
    assert_non_null(sb_conformer_of(&sb_agentick));
    assert_non_null(sb_conformer_of(&sb_babyai));
    assert_null(sb_conformer_of(&toy_family));
}

static void test_files_that_are_no_recordings_are_refused_and_not_compared(void **state) {
    (void)state;
    static const char *const texts[] = {"{}", "[]", "1", "{\"task\": 1, \"id\": 1}",
                                        "{\"task\": \"GoToGoal\", \"id\": \"GoTo\"}"};
    for (const sb_family *const *family = sb_families; *family; family++)
        for (size_t i = 0; sb_conformer_of(*family) && i < sizeof texts / sizeof *texts; i++) {
            sb_error error = {0};
            sb_conformity found = {0};
            cJSON *recording = sb_json_parse(texts[i], strlen(texts[i]), &error);
            assert_non_null(recording);
            assert_false(sb_conformer_of(*family)->compare(recording, &found, &error));
            assert_int_not_equal(error.code, SB_OK);
            assert_string_not_equal(error.text, "");
            for (int k = 0; k < SB_N_ASPECTS; k++) assert_int_equal(found.compared[k], 0);
            assert_false(found.differs);
            cJSON_Delete(recording);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_family_has_its_own_conformer_or_none),
        cmocka_unit_test(test_files_that_are_no_recordings_are_refused_and_not_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
