/* Progress of long work where standard error is no terminal: a line a minute, and none before. (tests/cli_test.py tests
 * it on a terminal.) */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/output.h"
#include "tests/support.h"

/* Calls the progress with standard error going to a file, and returns what came there. */
static const char *shown_by(cli_progress *progress, size_t done, char text[200]) {
    const int error = dup(2);
    FILE *file = tmpfile();
    assert_non_null(file);
    fflush(stderr);
    dup2(fileno(file), 2);
    cli_progress_show(progress, done, 400);
    cli_progress_end(progress);
    fflush(stderr);
    dup2(error, 2);
    close(error);
    rewind(file);
    text[fread(text, 1, 199, file)] = '\0';
    fclose(file);
    return text;
}

static void a_line_a_minute_and_none_before(void **state) {
    (void)state;
    char text[200];
    cli_progress progress = cli_progress_begin(false, "built", "episodes");
    progress.on_terminal = false;
    assert_string_equal(shown_by(&progress, 10, text), "");
    progress.began -= 50, progress.last -= 50;
    assert_string_equal(shown_by(&progress, 390, text), "");
    assert_string_equal(shown_by(&progress, 400, text), ""); /* the end says what was made in its own words */
    progress.began -= 50, progress.last -= 10.5;
    assert_string_equal(shown_by(&progress, 200, text), "seedbed: built 200 of 400 episodes, 2 a second, 100 s left\n");
    assert_string_equal(shown_by(&progress, 201, text), "");
    progress.last -= 60;
    assert_true(strlen(shown_by(&progress, 202, text)) > 0);
}

static void it_says_what_is_counted_and_no_time_left_that_it_does_not_know(void **state) {
    (void)state;
    char text[200];
    cli_progress progress = cli_progress_begin(false, "built", "plays");
    progress.on_terminal = false, progress.ends_early = true;
    progress.last -= 100;
    cli_progress_again(&progress, "planned");
    progress.began -= 100.5;
    assert_string_equal(shown_by(&progress, 200, text), "seedbed: planned 200 of 400 plays, 2 a second\n");
}

static void quiet_shows_nothing(void **state) {
    (void)state;
    char text[200];
    cli_progress progress = cli_progress_begin(true, "built", "episodes");
    progress.on_terminal = false, progress.last -= 1000;
    assert_string_equal(shown_by(&progress, 10, text), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_line_a_minute_and_none_before),
                                       cmocka_unit_test(it_says_what_is_counted_and_no_time_left_that_it_does_not_know),
                                       cmocka_unit_test(quiet_shows_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
