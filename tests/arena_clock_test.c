/* A limit of seconds may end a game of the arena at any moment. Whoever goes on from the journal ends it at the same
 * one, however long that takes, and writes the same bytes. */
#include "tests/support.h"

#include <stdio.h>

#include <string.h>

#include "evaluation/arena/answers.h"
#include "evaluation/arena/arena.h"

static sb_error error;

/* The clock, which is read again and again, stands still until somebody reads it for the `late`th time. */
static unsigned reads, late;

static double now(void) { return ++reads < late ? 0 : 200; }

static const char team_text[] =
    "{\"name\": \"prober\", \"model\": {\"program\": [\"false\"]},"
    " \"roles\": {\"leader\": {\"program\": [\"sh\", \"-c\", \"while read -r line; do echo '{}'; done\"]}},"
    " \"limits\": {\"actions\": 3, \"batch\": 2, \"seconds\": 100, \"answer_seconds\": 1000}}";

/* Returns a path in this test's folder; the next call overwrites the text. */
static const char *in_folder(const char *name) { return scratch_path("arena-clock", name); }

/* Plays, or goes on, with a clock that is late from a reading on; returns the number of readings. */
static unsigned play(const sb_arena_team *team, const sb_selection *selection, unsigned when, bool resume) {
    char folder[1200];
    snprintf(folder, sizeof folder, "%s", in_folder("run"));
    const sb_arena_options how = {.catalogue = selection->catalogue,
                                  .team = team,
                                  .folder = folder,
                                  .selection = "{}",
                                  .resume = resume,
                                  .errors = -1,
                                  .now = now};
    sb_results results;
    sb_arena_report *reports;
    const sb_arena_games games = {.selection = selection};
    reads = 0, late = when;
    assert_ok(sb_arena_run(&how, &games, &results, &reports, &error), error);
    sb_arena_reports_free(reports, selection->n);
    sb_results_free(&results);
    return reads;
}

static const char *const files[] = {"answers.jsonl", "steps.jsonl", "log.jsonl", "scores.json"};
enum { FILES = sizeof files / sizeof *files };

static void load(sb_out found[FILES]) {
    for (size_t i = 0; i < FILES; i++) {
        char name[100];
        found[i] = sb_out_growing();
        snprintf(name, sizeof name, "run/games/001-arc_Echo_intro#7/%s", files[i]);
        if (sb_file_exists(in_folder(name))) /* there are no steps if none was taken */
            assert_ok(sb_file_load(in_folder(name), 1 << 24, &found[i], &error), error);
    }
}

static void assert_same(const sb_out was[FILES], const sb_out is[FILES], unsigned when) {
    for (size_t i = 0; i < FILES; i++)
        if (was[i].size != is[i].size || (is[i].size && memcmp(was[i].data, is[i].data, is[i].size) != 0))
            fail_msg("%s is another one if the clock was late at its reading %u", files[i], when);
}

static void a_game_that_the_clock_ended_anywhere_is_gone_on_with_to_the_same_bytes(void **state) {
    (void)state;
    sb_arena_team team = {0};
    sb_selection selection;
    unsigned ended = 0;
    scratch_folder("arena-clock");
    assert_ok(sb_file_save(in_folder("team.json"), team_text, sizeof team_text - 1, &error), error);
    assert_ok(sb_arena_team_load(&team, in_folder("team.json"), NULL, &error), error);
    sb_catalogue *catalogue = sb_catalogue_make(&error);
    const sb_request game = {
        .catalogue = catalogue, .family = "arc", .tasks = "Echo", .difficulty = "intro", .seeds = "7"};
    assert_ok(catalogue && sb_select(&game, &selection, &error), error);
    const unsigned all = play(&team, &selection, UINT_MAX, false);
    for (unsigned when = 2; when <= all; when++) { /* whoever is late at the first reading only begins later */
        sb_out was[FILES], is[FILES];
        const unsigned other = all + 2 - when;
        scratch_folder("arena-clock");
        play(&team, &selection, when, false);
        load(was);
        play(&team, &selection, other, true);
        load(is);
        assert_same(was, is, when);
        sb_putc(&is[3], '\0');
        ended += strstr(is[3].data, "the limit of seconds") != NULL;
        for (size_t i = 0; i < FILES; i++) sb_out_free(&was[i]), sb_out_free(&is[i]);
    }
    assert_true(ended > all / 2);
    sb_selection_free(&selection);
    sb_catalogue_free(catalogue);
    sb_arena_team_free(&team);
}

/* A plan that is taken without predictions has steps without any answer: the clock's is not that of an earlier check.
 */
static void what_the_clock_said_is_an_answer_to_one_check_only(void **state) {
    (void)state;
    static const sb_json_part yes = {.at = "{}", .n = 2, .document = "{}"};
    const sb_failure none = {0};
    sb_answers kept = {0}, found = {0};
    sb_lock lock = {0};
    sb_out head = sb_out_growing();
    scratch_folder("arena-clock");
    sb_puts(&head, "{}\n");
    assert_ok(sb_lock_folder(&lock, in_folder(""), &error), error);
    assert_ok(sb_answers_open(&kept, in_folder("answers.jsonl"), &lock, &head, &error), error);
    assert_ok(sb_answers_keep(&kept, "clock", "7", 1, &yes, &none, &error) && sb_answers_sync(&kept, &error), error);
    sb_answers_close(&kept);
    assert_ok(sb_answers_open(&found, in_folder("answers.jsonl"), &lock, &head, &error), error);
    assert_false(sb_answers_next_is(&found, "clock", "6", 1));
    assert_false(sb_answers_next_is(&found, "leader", "7", 1));
    assert_true(sb_answers_next_is(&found, "clock", "7", 1));
    sb_answers_close(&found);
    sb_lock_release(&lock);
    sb_out_free(&head);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_clock_said_is_an_answer_to_one_check_only),
        cmocka_unit_test(a_game_that_the_clock_ended_anywhere_is_gone_on_with_to_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
