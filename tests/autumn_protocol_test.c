/* Challenges as episodes: the same from a pack and from their names, won by their certificates, scored as the formulas
 * say; what belongs to a phase, what ends it, what is shown and what is not, copies, and measures of exploration. */
#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/environment.h"
#include "engine/lookup.h"
#include "evaluation/exploration.h"
#include "generators/autumn/challenges/test.h"
#include "rollout/tape.h"
#include "seedbed/tape.h"

enum { TEXT = 1 << 16, MODES = 5 };

static const char *const names[] = {"autumn:Seesaw/mfp-1#1", "autumn:Seesaw/planning-2#1", "autumn:Basket/change-1#1",
                                    "autumn:Basket/mfp-2#3", "autumn:Seesaw/change-2#2"};
enum { NAMES = sizeof names / sizeof *names };

static sb_env *begun(const sb_catalogue *catalogue, const char *name) {
    sb_error error;
    sb_env *env = sb_make(catalogue, name, &error);
    assert_ok(env, error);
    return env;
}

static const sb_autumn_test *test_of(const sb_env *env) { return sb_autumn_episode_of(env)->test; }
static const sb_autumn_challenge *challenge_of(const sb_env *env) { return &test_of(env)->posed->challenge; }

static sb_result take(sb_env *env, sb_action action) {
    sb_error error;
    sb_result result;
    assert_ok(sb_step(env, action, &result, &error), error);
    return result;
}

static sb_result act(sb_env *env, const char *action) {
    sb_error error;
    sb_action number;
    assert_ok(sb_action_parse(env, action, &number, &error), error);
    return take(env, number);
}

static uint32_t next_random(uint32_t *random) { return (*random = *random * 1664525u + 1013904223u) >> 8; }

/* Any action, offered or not, but for the one that ends everything. Clicks are half of them. */
static sb_action some_action(const sb_env *env, uint32_t *random) {
    const uint32_t number = next_random(random), n = (uint32_t)env->n_actions;
    const sb_action action = (sb_action)(number % 2 ? number / 2 % n : number / 2 % SB_AUTUMN_N_BUTTONS);
    return action == SB_AUTUMN_QUIT ? SB_AUTUMN_NOOP : action;
}

static const char *shown(const sb_env *env, size_t mode) {
    static char text[TEXT];
    assert_true(sb_observe(env, sb_mode_at(sb_family_of(env), mode), text, sizeof text) < sizeof text);
    return text;
}

/* Everything that the agent is shown, as one text. */
static char *all_shown(const sb_env *env) {
    sb_out out = sb_out_growing();
    bool mask[SB_MASK_MAX];
    const sb_mode *mode;
    for (size_t i = 0; (mode = sb_mode_at(env->family, i)); i++)
        if (!mode->privileged) sb_puts(&out, shown(env, i)), sb_puts(&out, "\n");
    const size_t n = sb_valid_mask(env, mask, SB_MASK_MAX);
    for (size_t i = 0; i < n; i++) sb_putc(&out, mask[i] ? '1' : '0');
    for (size_t i = 0; i < env->family->n_arrays; i++) {
        uint8_t numbers[4096];
        const size_t bytes = sb_observe_array(env, &env->family->arrays[i], numbers, sizeof numbers);
        assert_in_range(bytes, 1, sizeof numbers);
        for (size_t k = 0; k < bytes; k++) sb_putf(&out, " %u", numbers[k]);
    }
    sb_putc(&out, '\0');
    assert_true(sb_out_ok(&out));
    return out.data;
}

static void assert_same_sight(const sb_env *a, const sb_env *b) {
    char *one = all_shown(a), *other = all_shown(b);
    assert_string_equal(one, other);
    free(one), free(other);
}

/* The document of a challenge, as a pack would give it; `alter` may change the challenge first. */
static sb_catalogue *catalogue_with(const char *name, void (*alter)(sb_autumn_challenge *c)) {
    sb_error error;
    sb_name parsed;
    sb_env *env = begun(NULL, name);
    sb_autumn_challenge *c = &test_of(env)->posed->challenge;
    sb_out task = sb_out_growing(), answer = sb_out_growing();
    if (alter) alter(c);
    sb_autumn_challenge_put(c, &task, &answer);
    sb_put_out(&task, &answer);
    sb_catalogue *catalogue = sb_catalogue_make(&error);
    assert_ok(sb_name_parse(NULL, name, &parsed, &error), error);
    assert_ok(sb_catalogue_add_derived(catalogue, &parsed, task.data, task.size, &error), error);
    sb_out_free(&task), sb_out_free(&answer);
    sb_free(env);
    return catalogue;
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

static void test_a_pack_and_a_name_give_the_same_episode(void **state) {
    (void)state;
    for (size_t i = 0; i < NAMES; i++) {
        sb_catalogue *catalogue = catalogue_with(names[i], NULL);
        sb_env *derived = begun(NULL, names[i]), *stored = begun(catalogue, names[i]);
        uint32_t random = 7;
        for (int step = 0; step < 120 && !sb_status_of(derived)->done; step++) {
            assert_same_sight(derived, stored);
            const sb_action action = step == 40 ? SB_AUTUMN_GO_TO_TEST : some_action(derived, &random);
            take(derived, action), take(stored, action);
        }
        assert_same_sight(derived, stored);
        sb_free(derived), sb_free(stored);
        sb_catalogue_free(catalogue);
    }
}

static void swap_answer(sb_autumn_challenge *c) {
    const uint32_t other = (c->answer + 1) % SB_AUTUMN_CHOICES, n = c->size * c->size;
    const uint8_t cause = c->causes[other];
    c->causes[other] = c->causes[c->answer], c->causes[c->answer] = cause;
    c->answer = other;
    for (uint32_t i = 0, at = 0; i < n; i++) /* the hidden frames */
        if (c->mask[i]) {
            for (uint32_t t = c->n_actions + 1 - c->masked; t <= c->n_actions; t++)
                c->frames[t * n + i] = c->options[other * c->n_mask + at];
            at++;
        }
}

/* Also shows that the catalogue is what is played: nothing here would differ otherwise but the score. */
static void test_nothing_that_is_shown_depends_on_the_answer(void **state) {
    (void)state;
    sb_catalogue *catalogue = catalogue_with(names[0], swap_answer);
    sb_env *right = begun(NULL, names[0]), *wrong = begun(catalogue, names[0]);
    act(right, "go-to-test"), act(wrong, "go-to-test");
    for (uint32_t t = 0; t <= challenge_of(right)->n_actions; t++) {
        assert_same_sight(right, wrong);
        act(right, "step"), act(wrong, "step");
    }
    assert_same_sight(right, wrong);
    char answer[32];
    snprintf(answer, sizeof answer, "choose_option_%u", challenge_of(right)->answer);
    assert_true(act(right, answer).success);
    assert_false(act(wrong, answer).success);
    sb_free(right), sb_free(wrong);
    sb_catalogue_free(catalogue);
}

static void change_seed(sb_autumn_challenge *c) { c->name.seed++; }
static void change_text(sb_autumn_challenge *c) { c->sha256[0] = c->sha256[0] == '0' ? '1' : '0'; }

static void test_what_cannot_be_played_says_why(void **state) {
    (void)state;
    static void (*const alterations[])(sb_autumn_challenge *) = {change_seed, change_text};
    static const char *const reasons[] = {"another challenge", "another text"};
    sb_error error;
    for (int i = 0; i < 2; i++) {
        sb_catalogue *catalogue = catalogue_with(names[0], alterations[i]);
        assert_null(sb_make(catalogue, names[0], &error));
        assert_non_null(strstr(error.text, reasons[i]));
        sb_catalogue_free(catalogue);
    }
    assert_null(sb_make(NULL, "autumn:Basket/planning-2#1", &error)); /* the program has none */
    assert_non_null(strstr(error.text, "autumn:Basket/planning-2#1 cannot be derived"));
}

/* ---- Certificates win -------------------------------------------------------------------------------------------- */

static sb_result play_course(sb_env *env) {
    const sb_autumn_challenge *c = challenge_of(env);
    sb_result result = {0};
    for (uint32_t i = 0; i < c->n_actions; i++) {
        assert_false(result.terminated);
        result = take(env, sb_autumn_action_of(env, c->actions[i]));
    }
    return result;
}

static void test_the_plan_reaches_the_goal_in_its_last_step(void **state) {
    (void)state;
    for (int interactions = 0; interactions <= 30; interactions += 30) {
        sb_env *env = begun(NULL, names[1]);
        uint32_t random = 3;
        for (int i = 0; i < interactions; i++) take(env, next_random(&random) % (SB_AUTUMN_RESET + 1));
        act(env, "go-to-test");
        const sb_result end = play_course(env);
        assert_true(end.terminated && end.success);
        assert_true(sb_status_of(env)->score == 1);
        sb_free(env);
    }
}

/* The example of the certificate, then a frame before, at or behind the one that shows the change. */
static double score_of_frame(int distance, double *zero) {
    sb_env *env = begun(NULL, names[2]);
    char choice[32];
    act(env, "go-to-test");
    play_course(env);
    for (int i = 0; i < distance; i++) act(env, "noop");
    const int frame = (int)challenge_of(env)->n_actions + distance;
    snprintf(choice, sizeof choice, "choose_frame_%d", frame);
    act(env, "I found the change!"), act(env, choice);
    const sb_result end = act(env, "Submit choice");
    const sb_test_record record = sb_test_record_of(env, env->family, env->task, env->difficulty_index);
    assert_true(end.terminated);
    assert_int_equal(record.changed, challenge_of(env)->n_actions);
    assert_int_equal(record.submitted_at, frame);
    *zero = record.score_zero;
    const double score = sb_status_of(env)->score;
    assert_true(score == end.reward && end.success == (score >= 1));
    sb_free(env);
    return score;
}

static void test_the_frame_that_shows_the_change_scores(void **state) {
    (void)state;
    double zero;
    assert_true(score_of_frame(0, &zero) == 1 && zero == 1);
    assert_true(score_of_frame(-1, &zero) == 1 && zero == 1);
    assert_true(score_of_frame(-2, &zero) == 0 && zero == 0);
    const double late = score_of_frame(3, &zero), later = score_of_frame(12, &zero);
    assert_true(late < 1 && later < late && zero < later);
}

/* The table of protocol 5, whose last digit is made of rounded numbers. The change is at frame 20. */
static void test_both_formulas_give_the_table(void **state) {
    (void)state;
    static const double rows[][3] = {{1, 1, 1},
                                     {1.05, 0.998850, 0.998088},
                                     {1.25, 0.967298, 0.958715},
                                     {1.5, 0.891728, 0.864417},
                                     {2, 0.710036, 0.637694},
                                     {3, 0.440783, 0.301712},
                                     {5, 0.247008, 0.059906},
                                     {8, 0.202705, 0.004624}};
    double printed, zero;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sb_autumn_score_change((uint32_t)lround(20 * rows[i][0]), 20, &printed, &zero);
        assert_true(fabs(printed - rows[i][1]) < 5e-6 && fabs(zero - rows[i][2]) < 5e-6);
    }
    sb_autumn_score_change(19, 20, &printed, &zero);
    assert_true(printed == 1 && zero == 1);
    sb_autumn_score_change(18, 20, &printed, &zero);
    assert_true(printed == 0 && zero == 0);
    sb_autumn_score_change(5, 0, &printed, &zero);
    assert_true(printed == 0 && zero == 0);
}

/* ---- Phases ------------------------------------------------------------------------------------------------------ */

/* What is not offered does nothing, and counts. */
static void test_actions_of_other_phases_do_nothing(void **state) {
    (void)state;
    for (size_t i = 0; i < NAMES; i++) {
        sb_env *env = begun(NULL, names[i]);
        uint32_t random = 11;
        for (int step = 0; step < 150 && !sb_status_of(env)->done; step++) {
            bool mask[SB_MASK_MAX];
            sb_action action = step == 60 ? SB_AUTUMN_GO_TO_TEST : some_action(env, &random);
            if (step == 100 && env->shape.n_buttons == SB_AUTUMN_N_CHANGE_BUTTONS) action = SB_AUTUMN_DECLARE;
            char *before = strdup(shown(env, 2));
            const int32_t steps = sb_status_of(env)->steps;
            const sb_autumn_phase phase = test_of(env)->phase;
            sb_valid_mask(env, mask, SB_MASK_MAX);
            const bool offered = mask[action < env->shape.n_buttons ? action : env->shape.n_buttons];
            take(env, action);
            assert_int_equal(sb_status_of(env)->steps, steps + 1);
            if (!offered) assert_string_equal(shown(env, 2), before);
            if (!offered) assert_int_equal(test_of(env)->phase, phase);
            free(before);
        }
        sb_free(env);
    }
}

static void test_phases_end_by_themselves(void **state) {
    (void)state;
    static const int32_t tests[NAMES] = {SB_AUTUMN_MFP_STEPS, 0, SB_AUTUMN_CHANGE_STEPS, SB_AUTUMN_MFP_STEPS,
                                         SB_AUTUMN_CHANGE_STEPS};
    for (size_t i = 0; i < NAMES; i++) {
        sb_env *env = begun(NULL, names[i]);
        sb_result result = {0};
        for (int step = 0; step < SB_AUTUMN_INTERACTION_STEPS; step++) {
            assert_int_equal(test_of(env)->phase, SB_AUTUMN_INTERACTION);
            result = act(env, "noop");
        }
        assert_int_equal(test_of(env)->phase, SB_AUTUMN_TESTING);
        const int32_t limit = tests[i] ? tests[i] : (int32_t)challenge_of(env)->horizon;
        for (int step = 0; step < limit; step++) {
            assert_false(result.truncated);
            result = act(env, "noop");
        }
        assert_true(result.truncated && !result.terminated && sb_status_of(env)->score == 0);
        assert_true(sb_status_of(env)->steps <= sb_status_of(env)->max_steps);
        sb_free(env);
    }
}

static void test_quitting_ends_with_nothing(void **state) {
    (void)state;
    for (size_t i = 0; i < NAMES; i++)
        for (int tested = 0; tested < 2; tested++) {
            sb_env *env = begun(NULL, names[i]);
            if (tested) act(env, "go-to-test");
            const sb_result result = act(env, "quit");
            assert_true(result.terminated && !result.success && result.reward == 0);
            sb_free(env);
        }
}

static void test_options_are_offered_from_the_last_frame_on(void **state) {
    (void)state;
    sb_env *env = begun(NULL, names[0]);
    bool mask[SB_MASK_MAX];
    act(env, "go-to-test");
    for (uint32_t t = 0; t <= challenge_of(env)->n_actions; t++) {
        const bool last = t == challenge_of(env)->n_actions;
        sb_valid_mask(env, mask, SB_MASK_MAX);
        assert_int_equal(mask[SB_AUTUMN_OPTION], last);
        assert_int_equal(strstr(shown(env, 4), "\"choices\"") != NULL, last);
        const bool masked = t + challenge_of(env)->masked > challenge_of(env)->n_actions;
        assert_int_equal(strstr(shown(env, 2), "\"mask\"") != NULL, masked);
        if (!last) act(env, "step");
    }
    act(env, "rewind");
    sb_valid_mask(env, mask, SB_MASK_MAX);
    assert_true(mask[SB_AUTUMN_OPTION + 5]);
    assert_non_null(strstr(shown(env, 4), "\"choices\""));
    sb_free(env);
}

/* Frames are as they were seen, in order, and there are no others. */
static void test_frames_to_choose_are_those_that_were_seen(void **state) {
    (void)state;
    enum { STEPS = 25 };
    sb_env *env = begun(NULL, names[2]);
    char *seen[STEPS + 1], choice[32];
    bool mask[SB_MASK_MAX];
    uint32_t random = 5;
    act(env, "go-to-test");
    for (int i = 0; i <= STEPS; i++) {
        seen[i] = strdup(shown(env, 2));
        if (i < STEPS) take(env, (sb_action)(next_random(&random) % SB_AUTUMN_N_BUTTONS));
    }
    act(env, "i found the change!");
    for (int i = STEPS; i >= 0; i--) {
        snprintf(choice, sizeof choice, "choose_frame_%d", i);
        act(env, choice);
        assert_string_equal(shown(env, 2), seen[i]);
        free(seen[i]);
    }
    sb_valid_mask(env, mask, SB_MASK_MAX);
    for (int i = 0; i <= SB_AUTUMN_CHANGE_STEPS; i++) assert_int_equal(mask[SB_AUTUMN_CHOOSE_FRAME + i], i <= STEPS);
    sb_free(env);
}

/* ---- Noise ------------------------------------------------------------------------------------------------------- */

/* Plays noops after a reset; the caller frees the text. */
static char *course(sb_env *env, const char *begin) {
    sb_out out = sb_out_growing();
    act(env, begin);
    for (int i = 0; i < 30; i++) sb_puts(&out, shown(env, 2)), act(env, "noop");
    sb_putc(&out, '\0');
    return out.data;
}

static void test_noise_comes_again_only_if_asked_for(void **state) {
    (void)state;
    static const char *const variants[] = {"mfp-1", "mfp-1-same"};
    for (int same = 0; same < 2; same++) {
        char name[SB_NAME_MAX];
        snprintf(name, sizeof name, "autumn:Basket/%s#1", variants[same]);
        sb_env *env = begun(NULL, name);
        char *first = course(env, "noop"), *second = course(env, "reset"), *third = course(env, "reset");
        /* The first begins a step later. */
        assert_int_equal(strcmp(second, third) == 0, same);
        free(first), free(second), free(third);
        sb_free(env);
    }
}

/* ---- Copies ------------------------------------------------------------------------------------------------------ */

static void test_copies_go_on_alike(void **state) {
    (void)state;
    for (size_t i = 0; i < NAMES; i++) {
        sb_error error;
        sb_env *env = begun(NULL, names[i]), *copy = sb_make(NULL, NULL, &error);
        uint32_t random = 23;
        for (int step = 0; step < 130 && !sb_status_of(env)->done; step++) {
            const sb_action action = step == 50 ? SB_AUTUMN_GO_TO_TEST : some_action(env, &random);
            uint64_t a[2], b[2];
            assert_ok(sb_copy(copy, env, &error), error);
            uint32_t ahead = random;
            for (int k = 0; k < 12 && !sb_status_of(copy)->done; k++) take(copy, some_action(copy, &ahead));
            assert_ok(sb_copy(copy, env, &error), error);
            take(env, action), take(copy, action);
            assert_same_sight(env, copy);
            sb_key(env, a), sb_key(copy, b);
            assert_memory_equal(a, b, sizeof a);
        }
        assert_memory_equal(sb_status_of(env), sb_status_of(copy), sizeof(sb_status));
        sb_free(env), sb_free(copy);
    }
}

/* Only the history of a copy says which changes are to come. */
static void test_a_copy_changes_when_the_original_does(void **state) {
    (void)state;
    for (size_t i = 0; i < NAMES; i++) {
        sb_error error;
        sb_env *env = begun(NULL, names[i]);
        if (!test_of(env)->changing) {
            sb_free(env);
            continue;
        }
        act(env, "go-to-test");
        const sb_autumn_challenge *c = challenge_of(env);
        for (uint32_t k = 0; k < c->n_actions; k++) {
            sb_env *copy = sb_clone(env, &error);
            for (uint32_t j = k; j < c->n_actions; j++) take(copy, sb_autumn_action_of(copy, c->actions[j]));
            assert_int_equal(sb_autumn_changing_acted(test_of(copy)->changing), c->n_actions);
            sb_free(copy);
            take(env, sb_autumn_action_of(env, c->actions[k]));
        }
        sb_free(env);
    }
}

/* ---- Exploration ------------------------------------------------------------------------------------------------- */

static sb_exploration explored(const char *acts, size_t window) {
    sb_action actions[64];
    sb_act sorts[64];
    sb_exploration measures;
    const size_t n = strlen(acts);
    for (size_t i = 0; i < n; i++) {
        actions[i] = acts[i];
        sorts[i] = acts[i] == '.'   ? SB_ACT_NOOP
                   : acts[i] == 'R' ? SB_ACT_RESET
                   : acts[i] < 'a'  ? SB_ACT_KEY
                                    : SB_ACT_CLICK;
    }
    sb_explore_actions(actions, sorts, n, window, &measures);
    return measures;
}

static void test_exploration_is_measured_by_its_definition(void **state) {
    (void)state;
    assert_true(explored("", 20).area == 0);
    assert_true(explored("AAAA", 20).area == 0);
    assert_true(fabs(explored("ABAB", 20).final - 1) < 1e-12); /* equal shares */
    assert_true(fabs(explored("AAAB", 20).final - (exp2(0.811278124459133) - 1)) < 1e-12);
    /* Windows AA, AB, BC: 0, 1, 1; the trapezoids are 1/4 and 1/2. */
    const sb_exploration m = explored("AABC", 2);
    assert_true(fabs(m.area - 0.75) < 1e-12 && m.final == 1);
    const sb_exploration shares = explored("AaabR.R", 20);
    assert_int_equal(shares.different, 5);
    assert_int_equal(shares.resets, 2);
    assert_true(fabs(shares.shares[SB_ACT_CLICK] - 0.4) < 1e-12 && fabs(shares.shares[SB_ACT_RESET] - 0.2) < 1e-12);
}

static void append(sb_tape *tape, sb_env *env, const char *const *actions, size_t n) {
    sb_error error;
    for (size_t i = 0; i < n; i++) {
        sb_action number;
        assert_ok(sb_action_parse(env, actions[i], &number, &error), error);
        assert_ok(sb_tape_append(tape, number, &error), error);
        take(env, number);
    }
}

static void expect_explored(const sb_tape *tape, uint64_t frames, uint32_t actions, uint32_t different) {
    sb_error error;
    bool known;
    sb_exploration measures;
    assert_ok(sb_explore_tape(tape, frames, 20, &measures, &known, &error), error);
    assert_true(known);
    assert_int_equal(measures.actions, actions);
    assert_int_equal(measures.different, different);
}

/* What is done in the test is no exploration. */
static void test_only_interaction_is_measured(void **state) {
    (void)state;
    sb_tape tape = {0};
    sb_env *env = begun(NULL, names[1]);
    static const char *const actions[] = {"left", "reset", "click 1 1", "go-to-test", "right", "up"};
    sb_tape_begin(&tape, env, "program");
    append(&tape, env, actions, sizeof actions / sizeof *actions);
    sb_tape_finish(&tape, env);
    assert_int_equal(tape.test.interaction, 4);
    expect_explored(&tape, 0, 3, 3);
    sb_tape_clear(&tape);
    sb_free(env);
}

/* With three frames for an action, two of waiting follow each but a reset. The agent's own waiting stays. */
static void test_waiting_that_was_added_is_not_measured(void **state) {
    (void)state;
    static const char *const actions[] = {"left", "noop", "noop", "reset", "noop", "noop",       "noop",
                                          "up",   "noop", "noop", "left",  "noop", "go-to-test", "up"};
    static const char *const explores[] = {"left", "noop", "noop", "noop"};
    for (int is_test = 0; is_test < 2; is_test++) {
        sb_tape tape = {0};
        sb_env *env = begun(NULL, is_test ? names[1] : "autumn:Seesaw#1");
        sb_tape_begin(&tape, env, "program");
        if (is_test)
            append(&tape, env, actions, sizeof actions / sizeof *actions);
        else
            append(&tape, env, explores, sizeof explores / sizeof *explores);
        sb_tape_finish(&tape, env);
        expect_explored(&tape, 0, is_test ? 12 : 4, is_test ? 4 : 2);
        expect_explored(&tape, 3, is_test ? 5 : 4, is_test ? 4 : 2); /* free exploration has no such rule */
        sb_tape_clear(&tape);
        sb_free(env);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pack_and_a_name_give_the_same_episode),
        cmocka_unit_test(test_nothing_that_is_shown_depends_on_the_answer),
        cmocka_unit_test(test_what_cannot_be_played_says_why),
        cmocka_unit_test(test_the_plan_reaches_the_goal_in_its_last_step),
        cmocka_unit_test(test_the_frame_that_shows_the_change_scores),
        cmocka_unit_test(test_both_formulas_give_the_table),
        cmocka_unit_test(test_actions_of_other_phases_do_nothing),
        cmocka_unit_test(test_phases_end_by_themselves),
        cmocka_unit_test(test_quitting_ends_with_nothing),
        cmocka_unit_test(test_options_are_offered_from_the_last_frame_on),
        cmocka_unit_test(test_frames_to_choose_are_those_that_were_seen),
        cmocka_unit_test(test_noise_comes_again_only_if_asked_for),
        cmocka_unit_test(test_copies_go_on_alike),
        cmocka_unit_test(test_a_copy_changes_when_the_original_does),
        cmocka_unit_test(test_exploration_is_measured_by_its_definition),
        cmocka_unit_test(test_only_interaction_is_measured),
        cmocka_unit_test(test_waiting_that_was_added_is_not_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
