/* Progress of long work where standard error is no terminal: a line a minute, and none before. (tests/cli_test.py tests
 * it on a terminal.) And checks that their caller stops. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "cli/verify.h"
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

/* ---- Stopping ---- */

/* A caller who stops a check when it is asked for the n-th time. */
typedef struct caller {
    size_t asked, stops_at;
} caller;

static bool asks(void *context) {
    caller *c = context;
    return ++c->asked >= c->stops_at;
}

/* Checks a file; returns how often the caller was asked. */
static size_t check(const char *name, size_t stops_at) {
    caller c = {.stops_at = stops_at};
    sb_error error = {0};
    sb_out said = sb_out_growing(), notes = sb_out_growing();
    const sb_stop stop = {asks, &c};
    const cli_verify_options options = {.common.quiet = true, .common.jobs = 1, .stop = &stop};
    const bool ok = cli_check(scratch_path("stops", name), &options, &said, &notes, &error);
    if (stops_at == SIZE_MAX)
        assert_ok(ok, error);
    else
        assert_error(ok, &error, SB_INVALID, "the check was stopped");
    sb_out_free(&said), sb_out_free(&notes);
    return c.asked;
}

static void command(int n, char **words) { assert_int_equal(cli_main(n, words), CLI_OK); }

/* Whoever checks a file from Python can interrupt that (python/core). */
static void checks_stop_between_episodes(void **state) {
    (void)state;
    static const char *const names[] = {"tapes", "log", "result", "recording"};
    char paths[4][1100];
    scratch_folder("stops");
    for (size_t i = 0; i < 4; i++) snprintf(paths[i], sizeof paths[i], "%s", scratch_path("stops", names[i]));
    char *const one = "arc:Echo/intro#7", *const two = "arc:Echo/intro#8";
    command(9, (char *[]){"seedbed", "solve", one, two, "-q", "-o", paths[0], "--log", paths[1], NULL});
    command(7, (char *[]){"seedbed", "eval", one, two, "-q", "-o", paths[2], NULL});
    command(6, (char *[]){"seedbed", "replay", paths[0], "-q", "--recording", paths[3], NULL});
    for (size_t i = 0; i < 4; i++) {
        assert_true(check(names[i], SIZE_MAX) >= 2);
        for (size_t at = 1; at <= 2; at++) assert_true(check(names[i], at) >= at);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_line_a_minute_and_none_before),
                                       cmocka_unit_test(it_says_what_is_counted_and_no_time_left_that_it_does_not_know),
                                       cmocka_unit_test(quiet_shows_nothing),
                                       cmocka_unit_test(checks_stop_between_episodes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
