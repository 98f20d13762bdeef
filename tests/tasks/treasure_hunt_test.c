/* TreasureHunt: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include <stdlib.h>

#include "engine/gridworld/observe/observe.h"
#include "generators/agentick/memory/treasure_hunt.h"

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_treasure_hunt, 30, 4538);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_treasure_hunt, difficulty, seed, NULL, &error), error);
}

/* ---- Instances ---- */

/* Returns the direction of a treasure from a scroll, computed differently from the generator. */
static int bearing(sb_xy from, sb_xy to) {
    const int dx = to.x - from.x, dy = to.y - from.y;
    if (abs(dx) >= abs(dy)) return dx > 0 ? SB_EAST : SB_WEST;
    return dy > 0 ? SB_SOUTH : SB_NORTH;
}

/* Checks the distance. Returns whether the direction is a lie. */
static bool check_scroll(const sb_episode *e, sb_xy at) {
    const sb_treasure_hunt_vars *v = SB_VARS(e);
    const int clue = sb_peek(e, at)->metadata;
    int least = INT16_MAX, truth = SB_NOWHERE;
    for (int i = 0; i < v->n_treasures; i++) {
        const int distance = sb_manhattan(at, v->treasure[i]);
        if (distance < least) least = distance, truth = bearing(at, v->treasure[i]);
    }
    assert_int_equal(clue % 10, least < 9 ? least : 9);
    assert_in_range(clue / 10, SB_NORTH, SB_WEST);
    return clue / 10 != truth;
}

static void check_instance(const sb_episode *e) {
    static const int treasures[] = {2, 3, 4, 5}, clues[] = {6, 8, 10, 12}, lies[] = {0, 1, 3, 5};
    const sb_treasure_hunt_vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX] = {false};
    int n_lies = 0;
    check_walled(e);
    open_terrain(e, SB_EMPTY, open);
    assert_int_equal(v->n_treasures, treasures[e->difficulty]);
    assert_int_equal(count_objects(e, SB_SCROLL), clues[e->difficulty]);
    assert_int_equal(count_objects(e, SB_NONE), sb_n_cells(e) - clues[e->difficulty]); /* nothing marks a treasure */
    for (int i = 0; i < v->n_treasures; i++) {
        assert_int_equal(sb_peek(e, v->treasure[i])->object, SB_NONE);
        assert_true(igraph_distance(e, open, v->start, v->treasure[i]) > 0);
        for (int k = 0; k < i; k++) assert_false(sb_same(v->treasure[i], v->treasure[k]));
    }
    for (int i = 0; i < sb_n_cells(e); i++) {
        if (e->cells[i].object != SB_SCROLL) {
            assert_int_equal(e->cells[i].metadata, 0);
            continue;
        }
        assert_true(igraph_distance(e, open, v->start, sb_xy_of(e, i)) > 0);
        n_lies += check_scroll(e, sb_xy_of(e, i));
    }
    assert_int_equal(n_lies, lies[e->difficulty]);
}

static void clues_are_right_but_for_the_direction_of_some(void **state) {
    (void)state;
    each_instance(&sb_treasure_hunt, 25, check_instance);
}

static void equal_legs_count_as_horizontal(void **state) {
    (void)state;
    assert_int_equal(sb_treasure_hunt_bearing(sb_at(3, 3), sb_at(5, 5)), SB_EAST);
    assert_int_equal(sb_treasure_hunt_bearing(sb_at(3, 3), sb_at(1, 5)), SB_WEST);
    assert_int_equal(sb_treasure_hunt_bearing(sb_at(3, 3), sb_at(4, 5)), SB_SOUTH);
    assert_int_equal(sb_treasure_hunt_bearing(sb_at(3, 3), sb_at(2, 1)), SB_NORTH);
}

/* ---- Steps ---- */

static bool is_treasure(const sb_treasure_hunt_vars *v, sb_xy at) {
    for (int i = 0; i < v->n_treasures; i++)
        if (sb_same(v->treasure[i], at)) return true;
    return false;
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const sb_treasure_hunt_vars *old = SB_VARS(before), *v = SB_VARS(after);
    const bool moved = !sb_same(before->agent.at, after->agent.at), works = moved && before->clock > 0;
    const int found = sb_peek(before, after->agent.at)->object;
    const bool reads = works && found == SB_SCROLL,
               finds = works && found == SB_NONE && is_treasure(v, after->agent.at);
    assert_int_equal(v->n_read - old->n_read, reads);
    assert_int_equal(v->n_found - old->n_found, finds);
    assert_int_equal(count_objects(after, SB_GOAL), v->n_found);
    assert_int_equal(count_objects(after, SB_SCROLL) + v->n_read,
                     sb_treasure_hunt_difficulties[after->difficulty].clues);
    if (reads) {
        assert_true(sb_same(v->read[old->n_read].at, after->agent.at));
        assert_int_equal(v->read[old->n_read].clue, sb_peek(before, after->agent.at)->metadata);
        assert_int_equal(sb_peek(after, after->agent.at)->metadata, 0);
    }
    assert_true(result->success == (v->n_found == v->n_treasures));
    assert_true(result->terminated == result->success);
    assert_true(result->reward == (result->success ? 1.0 : 0.0));
    if (!result->success) assert_true(result->dense == -0.01 + 0.05 * reads + 0.3 * finds);
}

static void scrolls_are_read_and_treasures_found_by_stepping_on_them(void **state) {
    (void)state;
    each_step(&sb_treasure_hunt, 30, check_step);
}

/* Idling changes nothing once the first step is over. */
static void idling_changes_nothing(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    uint64_t before[2], after[2];
    start(&e, SB_MEDIUM, 7);
    sb_episode_step(&e, SB_NOOP, &result);
    sb_episode_key(&e, before);
    for (int i = 0; i < 5; i++) sb_episode_step(&e, i % 2 ? SB_NOOP : SB_INTERACT, &result);
    sb_episode_key(&e, after);
    assert_memory_equal(before, after, sizeof before);
}

static sb_xy some_scroll(const sb_episode *e) {
    int i = 0;
    while (e->cells[i].object != SB_SCROLL) i++;
    return sb_xy_of(e, i);
}

static void the_first_step_finds_nothing(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_treasure_hunt_vars *v = SB_VARS(&e);
    start(&e, SB_EASY, 3);
    assert_true(enter(&e, v->treasure[0]).dense == -0.01);
    assert_int_equal(v->n_found, 0);
    assert_int_equal(sb_object_here(&e), SB_NONE);
    enter(&e, v->treasure[0]); /* the agent leaves it and comes back */
    assert_int_equal(v->n_found, 1);
    assert_int_equal(sb_object_here(&e), SB_GOAL);
    enter(&e, v->treasure[0]); /* it counts only once */
    assert_int_equal(v->n_found, 1);
    assert_true(enter(&e, v->treasure[1]).success);
}

static void the_first_step_reads_nothing(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_treasure_hunt_vars *v = SB_VARS(&e);
    start(&e, SB_EASY, 3);
    const sb_xy scroll = some_scroll(&e);
    enter(&e, scroll);
    assert_int_equal(v->n_read, 0);
    assert_int_equal(sb_object_here(&e), SB_SCROLL);
    assert_true(enter(&e, scroll).dense == -0.01 + 0.05);
    assert_int_equal(v->n_read, 1);
}

/* Up to five clues stand on each line. */
static void clues_that_were_read_stand_above_the_grid(void **state) {
    (void)state;
    static sb_episode e;
    char text[256];
    sb_result result;
    start(&e, SB_MEDIUM, 0);
    sb_episode_step(&e, SB_NOOP, &result);
    for (int n = 0; n < 8; n++) {
        sb_out out = {.data = text, .capacity = sizeof text};
        int lines = 0, blanks = 0;
        enter(&e, some_scroll(&e));
        sb_told told;
        sb_tell_task(&e, &told);
        sb_put_told_lines(&out, &told);
        sb_out_finish(&out);
        for (const char *c = text; *c; c++) lines += *c == '\n', blanks += *c == ' ';
        assert_int_equal(lines, n / 5 + 1);
        assert_int_equal(blanks, lines + 2 * (n + 1 - lines));
    }
    assert_string_equal(text, "Clue: S8  S8  S9  S6  S5\nClue: S5  E4  N2\n");
}

static void hiding_keeps_what_was_shown(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_treasure_hunt_vars *v = SB_VARS(&e);
    start(&e, SB_HARD, 5);
    enter(&e, some_scroll(&e));
    enter(&e, some_scroll(&e));
    enter(&e, v->treasure[1]);
    sb_episode_hide(&e);
    assert_int_equal(v->n_read, 1);
    assert_int_equal(v->n_found, 1);
    for (int i = 0; i < v->n_treasures; i++) assert_true(sb_same(v->treasure[i], sb_at(0, 0)));
}

/* At first there are more possible sets of places than the observer keeps. */
static void the_observer_lists_possible_places_again_when_few_are_left(void **state) {
    (void)state;
    sb_error error;
    sb_name name;
    sb_worker worker = {0};
    assert_ok(sb_name_parse(NULL, "TreasureHunt/expert#247", &name, &error), error);
    assert_ok(sb_worker_play(&worker, "observer", &name, NULL, NULL, &error), error);
    assert_true(worker.tape.outcome.success);
    sb_worker_free(&worker);
}

/* The first step finds nothing, so the observer lets it pass if the place beside it is the best. */
static void the_observer_waits_one_step_for_a_treasure_beside_it(void **state) {
    (void)state;
    sb_error error;
    sb_name name;
    sb_worker worker = {0};
    assert_ok(sb_name_parse(NULL, "TreasureHunt/easy#32", &name, &error), error);
    assert_ok(sb_worker_play(&worker, "observer", &name, NULL, NULL, &error), error);
    assert_int_equal(worker.tape.actions[0], SB_NOOP);
    assert_int_not_equal(worker.tape.actions[1], SB_NOOP);
    sb_worker_free(&worker);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(clues_are_right_but_for_the_direction_of_some),
        cmocka_unit_test(equal_legs_count_as_horizontal),
        cmocka_unit_test(scrolls_are_read_and_treasures_found_by_stepping_on_them),
        cmocka_unit_test(idling_changes_nothing),
        cmocka_unit_test(the_first_step_finds_nothing),
        cmocka_unit_test(the_first_step_reads_nothing),
        cmocka_unit_test(clues_that_were_read_stand_above_the_grid),
        cmocka_unit_test(hiding_keeps_what_was_shown),
        cmocka_unit_test(the_observer_waits_one_step_for_a_treasure_beside_it),
        cmocka_unit_test(the_observer_lists_possible_places_again_when_few_are_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
