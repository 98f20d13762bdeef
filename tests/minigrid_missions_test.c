/* Missions of MiniGrid worlds: each quirk of BabyAI's verifier, what is counted and unfair, and their texts. */
#include "tests/minigrid_support.h"

static void assert_succeeds(sb_mg_world *w, const char *letters) {
    const sb_result result = play(w, letters);
    assert_true(result.terminated && result.success);
    assert_true(result.reward > 0);
}

static void assert_fails(sb_mg_world *w, const char *letters) {
    const sb_result result = play(w, letters);
    assert_true(result.terminated && !result.success);
    assert_true(result.reward == 0);
}

static void make_strict(sb_mg_world *w) { w->mission.part[0].single[0].strict = true; }

/* ---- The verifier ------------------------------------------------------------------------------------------------ */

static void test_facing_the_cell_a_thing_was_taken_from_counts_until_the_next_drop(void **state) {
    (void)state;
    sb_mg_world w = sketch("pick up the blue key and go to the blue key", things);
    assert_succeeds(&w, "p");
    w = sketch("go to the red ball, then go to the blue key", things);
    assert_continues(&w, "pl");
    assert_succeeds(&w, "r"); /* the key is in hand */
    w = sketch("go to the red ball, then go to the blue key", things);
    assert_continues(&w, "pldr"); /* the drop was refused, but it refreshed the positions */
    assert_int_equal(w.mission.part[1].single[0].what.n_positions, 0);
}

static void test_even_a_refused_drop_refreshes(void **state) {
    (void)state;
    sb_mg_world w = sketch("pick up the red ball, then go to the blue key", things);
    const sb_mg_description *key = &w.mission.part[1].single[0].what;
    assert_continues(&w, "pl");
    assert_int_equal(key->n_positions, 1);
    assert_continues(&w, "d"); /* the ball blocks the drop */
    assert_int_equal(key->n_positions, 0);
    assert_true(w.carried);
    assert_int_equal(key->n_objects, 1);
    assert_continues(&w, "rrdl");
    assert_int_equal(key->n_positions, 1);
    assert_true(sb_same(key->positions[0], sb_at(2, 3)));
}

static void test_held_is_what_was_carried_when_last_judged(void **state) {
    (void)state;
    /* The ball is picked up before its turn. When its turn comes with a pickup action, nothing was held before. */
    static const char *const rows[] = {"## ## ## ## ##", //
                                       "## .. Or .. ##", //
                                       "## .. >> .. ##", //
                                       "## .. .. Kb ##", //
                                       "## ## ## ## ##"};
    sb_mg_world w = sketch("go to the blue key, then pick up the red ball", rows), other;
    assert_continues(&w, "lprfr"), assert_true(w.carried);
    other = w; /* now facing the key: the turn was the action that counted */
    assert_true(w.mission.part[0].done);
    assert_continues(&other, "p");
    /* With a pickup action it succeeds. The key's position is set to the cell in front of the agent, as a refresh by a
     * drop would do. */
    w = sketch("go to the blue key, then pick up the red ball", rows);
    assert_continues(&w, "lp");
    w.mission.part[0].single[0].what.positions[0] = sb_mg_front(&w);
    assert_succeeds(&w, "p");
}

static void test_one_action_may_finish_both_parts(void **state) {
    (void)state;
    sb_mg_world w = sketch("go to the red ball, then go to the red ball", things);
    assert_succeeds(&w, "l");
    w = sketch("pick up the red ball after you go to the red ball", things);
    assert_continues(&w, "l"), assert_true(w.mission.part[1].done);
    assert_succeeds(&w, "p");
    w = sketch("go to the red ball and go to the red ball", things);
    assert_succeeds(&w, "l");
}

static void test_the_later_part_is_not_looked_at_before_its_turn(void **state) {
    (void)state;
    sb_mg_world w = sketch("go to the red ball, then go to the blue key", things);
    assert_continues(&w, ".l"); /* the key was in front at the start */
    assert_succeeds(&w, "r");
    w = sketch("go to the red ball after you go to the blue key", things);
    assert_continues(&w, "l"); /* the key is no longer faced */
    assert_continues(&w, "r");
    assert_succeeds(&w, "l");
}

static void test_any_action_may_finish_a_go_to(void **state) {
    (void)state;
    for (const char *letter = "fpdt."; *letter; letter++) {
        sb_mg_world w = sketch("go to the blue key", things);
        assert_succeeds(&w, (char[]){*letter, '\0'});
    }
    sb_mg_world w = sketch("go to the blue key", things);
    assert_continues(&w, "l");
}

static void test_a_location_is_meant_from_the_start(void **state) {
    (void)state;
    sb_mg_world w = sketch("pick up the object on your left", things);
    const sb_mg_description *d = &w.mission.part[0].single[0].what;
    assert_true(d->several); /* the walls ahead and behind are on the left as well */
    w = sketch("go to the red ball on your left", things);
    assert_continues(&w, "rr"); /* now it is on the right, but it is still the one that is meant */
    assert_succeeds(&w, "r");
    w = sketch("go to the red ball on your right", things);
    assert_int_equal(w.mission.part[0].single[0].what.n_objects, 0);
    assert_continues(&w, "l");
    w = sketch("pick up the green box behind you", things);
    assert_succeeds(&w, "llp");
}

static void test_a_grey_object_may_be_a_wall(void **state) {
    (void)state;
    sb_mg_world w = sketch("go to a grey object", things), taking = sketch("pick up a grey object", things);
    assert_int_equal(w.mission.part[0].single[0].what.n_objects, 16);
    assert_continues(&w, "r");
    assert_succeeds(&w, "f"); /* facing the wall */
    assert_continues(&taking, "rfpdl");
    assert_int_equal(taking.mission.part[0].single[0].what.n_positions, 16);
}

static void test_opening_means_to_see_the_door_open_after_a_toggle(void **state) {
    (void)state;
    static const char *const rows[] = {"## ## /b ## ##", //
                                       "## .. .. .. ##", //
                                       "+r .. ^^ .. ##", //
                                       "## .. .. .. ##", //
                                       "## ## ## ## ##"};
    sb_mg_world w = sketch("open the blue door", rows);
    assert_continues(&w, "f.pd"); /* it is open already, which is not enough */
    assert_continues(&w, "t");
    assert_succeeds(&w, "t");
    w = sketch("open the blue door", rows), make_strict(&w);
    assert_continues(&w, "f");
    assert_fails(&w, "t"); /* strict: the toggle closed it */
    w = sketch("open the blue door", rows), make_strict(&w);
    assert_continues(&w, "ltf");
    assert_fails(&w, "t"); /* strict: this is another door */
    w = sketch("open the red door", rows), make_strict(&w);
    assert_continues(&w, "lf");
    assert_succeeds(&w, "t");
}

static void test_strict_picking_up_fails_with_the_wrong_thing(void **state) {
    (void)state;
    sb_mg_world w = sketch("pick up the red ball", things);
    assert_continues(&w, "pdl");
    assert_succeeds(&w, "p");
    w = sketch("pick up the red ball", things), make_strict(&w);
    assert_fails(&w, "p");
    w = sketch("pick up the red ball", things), make_strict(&w);
    assert_succeeds(&w, "lp");
}

static void test_a_failure_inside_an_and_is_forgotten(void **state) {
    (void)state;
    sb_mg_world w = sketch("pick up the red ball and go to the green box", things);
    make_strict(&w);
    assert_continues(&w, "p"); /* the key */
    assert_continues(&w, "dlp");
    assert_succeeds(&w, "l");
}

static void test_putting_next_needs_a_drop_of_what_was_held(void **state) {
    (void)state;
    static const char *const rows[] = {"## ## ## ## ##", //
                                       "## Or Kb .. ##", //
                                       "## .. ^^ .. ##", //
                                       "## .. .. .. ##", //
                                       "## ## ## ## ##"};
    sb_mg_world w = sketch("put the blue key next to the red ball", rows);
    assert_continues(&w, ".d"); /* they are side by side already, which is not enough */
    assert_succeeds(&w, "pld"); /* still side by side */
    w = sketch("put the blue key next to the red ball", rows);
    assert_continues(&w, "p");
    assert_succeeds(&w, "d");
    w = sketch("put the blue key next to the red ball", rows);
    assert_continues(&w, "prd"); /* dropped elsewhere */
    assert_continues(&w, "pl");
    assert_succeeds(&w, "d");
    w = sketch("put the blue key next to the red ball", rows);
    assert_continues(&w, "plf"); /* below the ball, facing a wall */
    assert_continues(&w, "d");   /* the drop is refused */
}

static void test_navigations_are_counted(void **state) {
    (void)state;
    sb_mg_mission m = mission_of("open the door");
    assert_int_equal(sb_mg_navigations(&m), 1);
    m = mission_of("put the key next to a box and open the door after you go to the ball and put a red key next to the "
                   "red box");
    assert_int_equal(sb_mg_navigations(&m), 6);
}

static void test_unfair_missions_are_told(void **state) {
    (void)state;
    static const char *const rows[] = {"## ## *b ## ##", //
                                       "## Or .. Og ##", //
                                       "## Kb ^^ .. ##", //
                                       "## .. .. Kr ##", //
                                       "## ## ## ## ##"};
    sb_mg_world w = sketch("put the red ball next to a ball", rows); /* the red ball itself */
    assert_false(sb_mg_mission_is_fair(&w, false));
    w = sketch("put the blue key next to the red ball", rows); /* it is there already */
    assert_false(sb_mg_mission_is_fair(&w, false));
    w = sketch("put the red key next to the red ball, then go to the blue key", rows);
    assert_true(sb_mg_mission_is_fair(&w, false));
    assert_false(sb_mg_mission_is_fair(&w, true)); /* the key of a locked door */
    w = sketch("put the red key next to the red ball, then go to the red key", rows);
    assert_true(sb_mg_mission_is_fair(&w, true));
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

static void print_mission(const sb_mg_mission *m, char text[512]) {
    sb_out out = sb_out_fixed(text, 512);
    sb_mg_put_mission(&out, m);
    assert_true(sb_out_finish(&out) < 512);
}

static void check_mission_text(const cJSON *recording) {
    sb_error error;
    const char *text;
    char ours[512];
    assert_ok(sb_json_string(recording, "mission", &text, &error), error);
    const sb_mg_mission m = mission_of(text);
    print_mission(&m, ours);
    assert_string_equal(text, ours);
}

static void test_recorded_missions_are_read_and_printed_alike(void **state) {
    (void)state;
    assert_true(each_vector("babyai/babybench.jsonl.gz", check_mission_text) > 0);
    assert_true(each_vector("babyai/other.jsonl.gz", check_mission_text) > 0);
}

/* A mission that was read tracks nothing and is never strict. Everything else is as it was generated. */
static void test_a_mission_is_read_as_it_was_meant(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        sb_error error;
        char text[512];
        sb_mg_world w = world_of("BossLevel", seed), other = w;
        print_mission(&w.mission, text);
        other.mission = mission_of(text);
        assert_ok(sb_mg_begin_tracking(&other, &error), error);
        assert_memory_equal(&w.mission, &other.mission, sizeof w.mission);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_facing_the_cell_a_thing_was_taken_from_counts_until_the_next_drop),
        cmocka_unit_test(test_even_a_refused_drop_refreshes),
        cmocka_unit_test(test_held_is_what_was_carried_when_last_judged),
        cmocka_unit_test(test_one_action_may_finish_both_parts),
        cmocka_unit_test(test_the_later_part_is_not_looked_at_before_its_turn),
        cmocka_unit_test(test_any_action_may_finish_a_go_to),
        cmocka_unit_test(test_a_location_is_meant_from_the_start),
        cmocka_unit_test(test_a_grey_object_may_be_a_wall),
        cmocka_unit_test(test_opening_means_to_see_the_door_open_after_a_toggle),
        cmocka_unit_test(test_strict_picking_up_fails_with_the_wrong_thing),
        cmocka_unit_test(test_a_failure_inside_an_and_is_forgotten),
        cmocka_unit_test(test_putting_next_needs_a_drop_of_what_was_held),
        cmocka_unit_test(test_navigations_are_counted),
        cmocka_unit_test(test_unfair_missions_are_told),
        cmocka_unit_test(test_recorded_missions_are_read_and_printed_alike),
        cmocka_unit_test(test_a_mission_is_read_as_it_was_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
