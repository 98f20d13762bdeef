/* Measures of world models against vectors that another program computed, and the true rules behind the protocol: they
 * predict every game and program without a mistake. */
#include "tests/support.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/lookup.h"
#include "evaluation/models/check.h"
#include "evaluation/models/imagine.h"
#include "evaluation/models/plan.h"
#include "evaluation/models/server.h"
#include "oracles/player.h"
#include "rollout/worker.h"

enum { SIDE = 64, CELLS = SIDE * SIDE };

static const sb_frame_shape shape = {.width = SIDE, .height = SIDE, .n_colours = 16, .published = true};
static cJSON *vectors;

/* ---- Measures ---------------------------------------------------------------------------------------------------- */

static const cJSON *member(const cJSON *object, const char *key) {
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_non_null(found);
    return found;
}

/* Rectangles [x, y, width, height, colour] on a background. */
static void paint(const cJSON *drawing, uint8_t frame[CELLS]) {
    const cJSON *rectangle;
    memset(frame, (int)member(drawing, "background")->valuedouble, CELLS);
    cJSON_ArrayForEach(rectangle, member(drawing, "rectangles")) {
        int n[5];
        for (int i = 0; i < 5; i++) n[i] = (int)cJSON_GetArrayItem(rectangle, i)->valuedouble;
        for (int y = n[1]; y < n[1] + n[3]; y++) memset(frame + y * SIDE + n[0], n[4], (size_t)n[2]);
    }
}

static double objects_of(const uint8_t *predicted, const uint8_t *real) {
    sb_frame_areas p = {0}, r = {0};
    double value;
    assert_true(sb_frame_areas_find(&p, &shape, predicted) && sb_frame_areas_find(&r, &shape, real));
    assert_true(sb_measure_objects(&p, &r, &value));
    sb_frame_areas_free(&p), sb_frame_areas_free(&r);
    return value;
}

static void assert_close(double ours, const cJSON *vector, const char *key) {
    assert_true(fabs(ours - member(vector, key)->valuedouble) < 1e-12);
}

static void test_frames_have_the_measures_of_the_vectors(void **state) {
    (void)state;
    static uint8_t before[CELLS], predicted[CELLS], real[CELLS];
    const cJSON *v;
    int n = 0;
    cJSON_ArrayForEach(v, member(vectors, "frames")) {
        paint(member(v, "before"), before), paint(member(v, "predicted"), predicted), paint(member(v, "real"), real);
        assert_close(sb_measure_pixels(&shape, predicted, real), v, "pixels");
        assert_close(sb_measure_changes(&shape, before, predicted, real), v, "changes");
        assert_close(objects_of(predicted, real), v, "objects");
        assert_close(sb_measure_histogram(&shape, predicted, real), v, "histogram");
        n++;
    }
    assert_int_equal(n, 10);
}

static void test_tables_have_the_fields_of_the_vectors(void **state) {
    (void)state;
    const cJSON *v, *wrong;
    sb_leaves leaves;
    sb_error error;
    int n = 0;
    cJSON_ArrayForEach(v, member(vectors, "fields")) {
        char *a = cJSON_PrintUnformatted(member(v, "predicted")), *b = cJSON_PrintUnformatted(member(v, "real"));
        size_t i = 0;
        assert_true(sb_measure_fields(a, strlen(a), b, strlen(b), &leaves, &error));
        assert_close((double)leaves.equal, v, "equal"), assert_close((double)leaves.of, v, "of");
        cJSON_ArrayForEach(wrong, member(v, "wrong")) assert_string_equal(leaves.wrong[i++], wrong->valuestring);
        assert_int_equal(leaves.n_wrong, i);
        free(a), free(b);
        n++;
    }
    assert_int_equal(n, 6);
}

static void test_areas_cover_a_frame_and_are_of_one_colour(void **state) {
    (void)state;
    static uint8_t frame[CELLS];
    sb_frame_areas areas = {0};
    uint32_t seed = 1;
    for (int round = 0; round < 20; round++) {
        size_t cells = 0;
        for (int i = 0; i < CELLS; i++)
            frame[i] = (uint8_t)((seed = seed * 1664525u + 1013904223u) >> 24) % (2 + round % 4);
        assert_true(sb_frame_areas_find(&areas, &shape, frame));
        for (size_t i = 0; i < areas.n; i++) {
            cells += areas.areas[i].cells;
            assert_true(i == 0 || areas.areas[i].first > areas.areas[i - 1].first);
            assert_int_equal(areas.labels[areas.areas[i].first], i);
        }
        assert_int_equal(cells, CELLS);
        for (int i = 0; i < CELLS; i++) {
            assert_int_equal(areas.areas[areas.labels[i]].colour, frame[i]);
            if (i % SIDE) assert_true((areas.labels[i] == areas.labels[i - 1]) >= (frame[i] == frame[i - 1]));
            if (i >= SIDE) assert_true((areas.labels[i] == areas.labels[i - SIDE]) >= (frame[i] == frame[i - SIDE]));
        }
    }
    sb_frame_areas_free(&areas);
}

static void test_the_same_frame_twice_is_perfect(void **state) {
    (void)state;
    static uint8_t frame[CELLS];
    for (int i = 0; i < CELLS; i++) frame[i] = (uint8_t)(i * 7 / 5 % 16);
    assert_true(objects_of(frame, frame) == 1);
    assert_true(sb_measure_changes(&shape, frame, frame, frame) == 1);
    assert_true(sb_measure_histogram(&shape, frame, frame) == 0);
}

/* ---- The true rules ---------------------------------------------------------------------------------------------- */

/* Checks the true model of the episode with a log of it. */
static void check_log(const char *name, const sb_out *text, int32_t *asked) {
    sb_error error = {0};
    sb_log log;
    sb_model_server server;
    sb_candidate candidate;
    sb_model_report report;
    if (!sb_log_parse(&log, name, text->data, text->size, true, &error) ||
        !sb_model_server_open(&server, NULL, name, &error))
        fail_msg("%s: %s", name, error.text);
    const sb_candidate_rules rules = {.transport = sb_model_server_transport(&server)};
    const sb_check_options options = {0};
    size_t recorded;
    if (!sb_log_replay(&log, NULL, &recorded, NULL, NULL, NULL, &error)) fail_msg("%s: %s", name, error.text);
    assert_true(sb_candidate_open(&candidate, &rules, &error));
    if (!sb_model_check(&log, 1, &candidate, &options, &report, &error)) fail_msg("%s: %s", name, error.text);
    if (report.all.right != report.all.asked || report.all.horizons != report.all.horizons_full || *report.failure)
        fail_msg("%s: %llu of %llu, at t %u; %s", name, (unsigned long long)report.all.right,
                 (unsigned long long)report.all.asked, report.first.t, report.failure);
    assert_int_equal(report.all.done.missed + report.all.done.false_positive, 0);
    assert_int_equal(report.all.over.missed + report.all.over.false_positive, 0);
    assert_int_equal(report.all.events_right, report.all.asked);
    assert_true(report.all.surprise == 0);
    assert_true(report.copy.asked == report.all.asked);
    *asked = (int32_t)report.all.asked;
    sb_model_report_free(&report);
    sb_candidate_close(&candidate);
    sb_model_server_close(&server);
    sb_log_close(&log);
}

/* Leaves the header and the first n lines of a log. */
static void shorten(sb_out *text, int n) {
    size_t size = 0;
    for (int line = 0; line <= n && size < text->size; line++)
        size += (size_t)((const char *)memchr(text->data + size, '\n', text->size - size) - text->data) - size + 1;
    text->size = size;
}

/* Lets somebody play the episode, and checks the true model with the log of the first actions. */
static void check_truth(const char *name, const char *agent, int actions, int32_t *asked) {
    sb_error error = {0};
    sb_name parsed;
    sb_worker worker = {0};
    sb_log_writer writer = {0};
    sb_out text = sb_out_growing();
    if (!sb_name_parse(NULL, name, &parsed, &error) || !sb_worker_play(&worker, agent, &parsed, NULL, NULL, &error) ||
        !sb_log_put_tape(&writer, worker.env, &worker.tape, &text, &error))
        fail_msg("%s: %s", name, error.text);
    shorten(&text, actions);
    check_log(name, &text, asked);
    sb_log_writer_free(&writer);
    sb_out_free(&text);
    sb_worker_free(&worker);
}

static void test_the_true_rules_predict_every_game(void **state) {
    (void)state;
    sb_error error;
    const sb_family *arc = sb_family_find("arc", &error);
    int32_t asked, games = 0;
    for (const sb_task_info *task; (task = sb_task_at(NULL, arc, (size_t)games)); games++) {
        char name[SB_NAME_MAX];
        snprintf(name, sizeof name, "arc:%s/intro#%d", task->name, 3 + games);
        check_truth(name, "random", INT_MAX, &asked);
        assert_true(asked > 20);
        check_truth(name, "expert", INT_MAX, &asked);
    }
    assert_int_equal(games, 12);
}

static void test_the_true_rules_predict_programs(void **state) {
    (void)state;
    sb_error error;
    const sb_family *autumn = sb_family_find("autumn", &error);
    int32_t asked;
    /* CyclicCoral, whose state is larger than an h after some twenty actions, is among every fourth from the third on.
     */
    for (size_t i = TESTS_ARE_SLOW ? 3 : 0; i < 43; i += TESTS_ARE_SLOW ? 4 : 1) {
        char name[SB_NAME_MAX];
        snprintf(name, sizeof name, "autumn:%s#%zu", sb_task_at(NULL, autumn, i)->name, i);
        check_truth(name, "random", 60, &asked);
    }
}

/* ---- Planning challenges ----------------------------------------------------------------------------------------- */

/* Some that are derived quickly, with plans of one to three actions. */
static const char *const challenges[] = {"autumn:NightWatch/planning-1#1", "autumn:Triad/planning-1#1",
                                         "autumn:TugOfFour/planning-1#1"};
enum { N_CHALLENGES = TESTS_ARE_SLOW ? 1 : sizeof challenges / sizeof *challenges };

/* Overwrites a part of an answer with another text of the same length. */
static void replace(sb_out *answer, const char *part, const char *with) {
    char *at = strstr(answer->data, part);
    assert_int_equal(strlen(part), strlen(with));
    if (at) memcpy(at, with, strlen(with));
}

/* The true rules, but nothing of what is to be reached: no `goal`, and never `done`. */
static bool ask_without_goal(void *context, sb_model_op op, const char *line, size_t n, sb_json_part *answer,
                             sb_failure *failure, sb_error *error) {
    sb_model_server *server = context;
    const sb_model_transport truth = sb_model_server_transport(server);
    if (!truth.ask(context, op, line, n, answer, failure, error)) return false;
    if (op == SB_MODEL_HELLO) replace(&server->line, ",\"goal\"]", "]       ");
    if (op == SB_MODEL_PREDICT) replace(&server->line, "\"done\"", "\"gone\"");
    return true;
}

/* Offers `predict` alone, and says that nothing changes. */
static bool ask_copy(void *context, sb_model_op op, const char *line, size_t n, sb_json_part *answer,
                     sb_failure *failure, sb_error *error) {
    sb_out *out = context;
    (void)n, (void)failure, (void)error;
    sb_out_clear(out);
    if (op == SB_MODEL_PREDICT) { /* which always has both keys; no NUL follows the line */
        const char *z = strstr(line, "\"z\":"), *end = strstr(line, ",\"h\":");
        sb_puts(out, "{"), sb_put(out, z, (size_t)(end - z));
    } else {
        sb_puts(out, "{\"offers\":[\"predict\"]");
    }
    sb_puts(out, "}"), sb_putc(out, '\0');
    *answer = (sb_json_part){.at = out->data, .n = out->size - 1, .document = out->data};
    return true;
}

/* Plays a challenge by plans, which writes a log that replays, and on which the model is as good as it was in play. */
static void plan(const char *name, sb_model_transport model, sb_plan_report *report) {
    sb_error error = {0};
    sb_name parsed;
    sb_candidate candidate, again;
    sb_model_report checked;
    sb_log log;
    size_t recorded = 0;
    sb_out text = sb_out_growing();
    sb_env *env = sb_make(NULL, NULL, &error);
    const sb_candidate_rules rules = {.transport = model};
    const sb_plan_options options = {.nodes = 2000, .depth = 3, .actions = 6, .log = &text};
    const sb_check_options usual = {0};
    const bool ok = env && sb_name_parse(NULL, name, &parsed, &error) &&
                    sb_candidate_open(&candidate, &rules, &error) &&
                    sb_plan_play(env, &parsed, &candidate, &options, report, &error) &&
                    sb_log_parse(&log, name, text.data, text.size, true, &error) &&
                    sb_log_replay(&log, NULL, &recorded, NULL, NULL, NULL, &error) &&
                    sb_candidate_open(&again, &rules, &error) &&
                    sb_model_check(&log, 1, &again, &usual, &checked, &error);
    if (!ok) fail_msg("%s: %s", name, error.text);
    assert_int_equal(recorded, 0);
    assert_string_equal(log.transitions[0].action.name, "go-to-test");
    assert_non_null(log.plays[0].goal);
    assert_int_equal(checked.all.right, report->right), assert_int_equal(checked.all.asked, report->asked);
    const sb_log_transition *last = &log.transitions[log.n_transitions - 1];
    assert_int_equal(last->kind == SB_TRANSITION_LEVEL, report->status.success);
    sb_model_report_free(&checked);
    sb_candidate_close(&candidate), sb_candidate_close(&again);
    sb_log_close(&log);
    sb_out_free(&text);
    sb_free(env);
}

static void test_planning_challenges_are_solved_by_plans_in_the_true_rules(void **state) {
    (void)state;
    for (size_t i = 0; i < N_CHALLENGES; i++) {
        sb_error error;
        sb_model_server server;
        sb_plan_report report;
        assert_ok(sb_model_server_open(&server, NULL, challenges[i], &error), error);
        const sb_model_transport truth = sb_model_server_transport(&server),
                                 aimless = {.ask = ask_without_goal, .context = &server};
        for (int k = 0; k < 2; k++) {
            plan(challenges[i], k ? aimless : truth, &report);
            if (!report.status.success || report.plans != 1 || report.plans_true != 1 || report.surprises)
                fail_msg("%s: %d plans, %d came true, %d surprises", challenges[i], (int)report.plans,
                         (int)report.plans_true, (int)report.surprises);
        }
        sb_model_server_close(&server);
    }
}

static void test_whoever_copies_has_no_plan_for_a_planning_challenge(void **state) {
    (void)state;
    sb_plan_report report;
    sb_out answer = sb_out_growing();
    plan(challenges[0], (sb_model_transport){.ask = ask_copy, .context = &answer}, &report);
    assert_int_equal(report.plans, 0);
    assert_false(report.status.success);
    sb_out_free(&answer);
}

/* What the interaction holds is in the log, too: `reset` and `go-to-test` are predicted, with the draws that follow. */
static void test_the_true_rules_predict_interaction_and_test(void **state) {
    (void)state;
    static const char *const words[] = {"noop",  "right", "reset",      "up",         "click_3_4",
                                        "reset", "noop",  "noop",       "go-to-test", "noop",
                                        "reset", "down",  "go-to-test", "click_2_2",  "quit"};
    sb_error error;
    sb_log_writer writer = {0};
    sb_out text = sb_out_growing();
    sb_env *env = sb_make(NULL, challenges[0], &error);
    sb_action action;
    sb_result result;
    int32_t asked;
    assert_non_null(env);
    assert_ok(sb_log_begin(&writer, env, &text, &error), error);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        assert_ok(sb_action_parse(env, words[i], &action, &error) && sb_step(env, action, &result, &error) &&
                      sb_log_add(&writer, env, action, &text, &error),
                  error);
        assert_int_equal(writer.line.kind == SB_TRANSITION_NONE, i == 10 || i == 12 || i == 14);
    }
    check_log(challenges[0], &text, &asked);
    assert_int_equal(asked, 12);
    sb_log_writer_free(&writer);
    sb_out_free(&text);
    sb_free(env);
}

/* ---- What the server refuses ------------------------------------------------------------------------------------- */

static void assert_refused(sb_model_server *server, const char *request, const char *why) {
    sb_out reply = sb_out_growing();
    sb_model_server_answer(server, request, strlen(request), &reply);
    sb_putc(&reply, '\0');
    if (!strstr(reply.data, "{\"error\":\"") || !strstr(reply.data, why)) fail_msg("%s: %s", request, reply.data);
    sb_out_free(&reply);
}

static void test_states_that_were_not_told_are_refused(void **state) {
    (void)state;
    static const char state_of_others[] =
        "{\"op\":\"predict\",\"z\":null,\"h\":{\"state\":\"00000000000000000000000000000000000000000000000000000000"
        "00000000\",\"frames\":1},\"m\":{\"level\":1}}";
    sb_model_server server;
    sb_error error;
    assert_true(sb_model_server_open(&server, NULL, "arc:Echo/intro#1", &error));
    assert_refused(&server, "{", "`op`");
    assert_refused(&server, "[]", "object");
    assert_refused(&server, "{\"op\":\"predict\",\"m\":{\"level\" 1}}", "key `m`");
    assert_refused(&server, "{\"op\":\"dance\"}", "dance");
    assert_refused(&server, "{\"op\":\"predict\",\"m\":{\"level\":9}}", "no level 9");
    assert_refused(&server, "{\"op\":\"predict\",\"h\":7,\"m\":{\"level\":1}}", "h should be");
    assert_refused(&server, "{\"op\":\"predict\",\"h\":{\"state\":\"xy\",\"frames\":1},\"m\":{\"level\":1}}",
                   "no state");
    assert_refused(&server, state_of_others, "no state that this process has told");
    assert_refused(&server, "{\"op\":\"history\",\"action\":{\"id\":9},\"m\":{\"level\":1}}", "0..7");
    assert_refused(&server, "{\"op\":\"hello\",\"name\":\"GoToGoal-v0/easy#1\"}", "no frames");
    sb_model_server_close(&server);
}

/* ---- Clicks ------------------------------------------------------------------------------------------------------ */

static void test_usual_clicks_are_the_centres_of_areas(void **state) {
    (void)state;
    static uint8_t frame[CELLS];
    sb_candidate candidate = {.line.grows = true};
    const sb_log_play play = {.shape = shape};
    const sb_model_meta m = {0};
    const sb_model_value none = {0};
    sb_xy clicks[SB_MODEL_CLICKS];
    sb_error error;
    size_t n;
    memset(frame, 4, sizeof frame);
    for (int y = 10; y < 14; y++) memset(frame + y * SIDE + 20, 9, 3);
    frame[40 * SIDE + 7] = 2;
    candidate.play = &play;
    assert_true(sb_candidate_clicks(&candidate, frame, &none, &none, &none, &m, clicks, SB_MODEL_CLICKS, &n, &error));
    assert_int_equal(n, 2);
    assert_true(clicks[0].x == 21 && clicks[0].y == 11 && clicks[1].x == 7 && clicks[1].y == 40);
}

static int load(void **state) {
    (void)state;
    sb_out text = sb_out_growing();
    sb_error error;
    if (!sb_file_load(SB_GOLDEN "/arc/models.json", 1 << 20, &text, &error)) return -1;
    vectors = sb_json_parse(text.data, text.size, &error);
    sb_out_free(&text);
    return vectors ? 0 : -1;
}

static int unload(void **state) {
    (void)state;
    cJSON_Delete(vectors);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_have_the_measures_of_the_vectors),
        cmocka_unit_test(test_tables_have_the_fields_of_the_vectors),
        cmocka_unit_test(test_areas_cover_a_frame_and_are_of_one_colour),
        cmocka_unit_test(test_the_same_frame_twice_is_perfect),
        cmocka_unit_test(test_the_true_rules_predict_every_game),
        cmocka_unit_test(test_the_true_rules_predict_programs),
        cmocka_unit_test(test_planning_challenges_are_solved_by_plans_in_the_true_rules),
        cmocka_unit_test(test_whoever_copies_has_no_plan_for_a_planning_challenge),
        cmocka_unit_test(test_the_true_rules_predict_interaction_and_test),
        cmocka_unit_test(test_states_that_were_not_told_are_refused),
        cmocka_unit_test(test_usual_clicks_are_the_centres_of_areas),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
