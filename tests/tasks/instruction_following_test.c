/* InstructionFollowing: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include <stdio.h>
#include <string.h>

#include "engine/gridworld/observe/observe.h"
#include "generators/agentick/navigation/instruction_following.h"

typedef sb_instruction_following_vars vars;

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_instruction_following, 31, 1924);
}

static void start(sb_episode *e, int difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_instruction_following, (sb_difficulty)difficulty, seed, NULL, &error), error);
}

/* ---- Instances ---- */

static bool is_kind(int object) {
    return object == SB_GEM || object == SB_SCROLL || object == SB_ORB || object == SB_COIN;
}

static void check_distractor(const sb_episode *e, sb_xy at) {
    const vars *v = SB_VARS(e);
    const int object = sb_peek(e, at)->object;
    assert_true(is_kind(object) && object != (int)v->named);
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            const sb_xy p = sb_at(at.x + dx, at.y + dy);
            const int beside = sb_peek(e, p)->object;
            assert_true(beside != SB_DOOR && beside != SB_KEY && !sb_same(p, v->start));
        }
}

/* Opens the doors one by one. Returns whether every key and the target can be reached in turn. */
static bool can_be_done(const sb_episode *e, bool among_distractors) {
    const vars *v = SB_VARS(e);
    bool open[SB_CELLS_MAX], done = true;
    open_terrain(e, SB_EMPTY, open);
    for (int i = 0; i < v->n_doors; i++) open[sb_index(e, v->door[i])] = false;
    for (int i = 0; i < v->n_distractors && among_distractors; i++) open[sb_index(e, v->distractor[i])] = false;
    for (int i = 0; i < v->n_doors; i++) {
        done = done && igraph_distance(e, open, v->start, v->key[i]) > 0;
        assert_int_equal(igraph_distance(e, open, v->start, v->target), -1);
        open[sb_index(e, v->door[i])] = true;
    }
    return done && igraph_distance(e, open, v->start, v->target) > 0;
}

static void check_instance(const sb_episode *e) {
    static const int doors[] = {0, 0, 1, 2}, distractors[] = {3, 6, 8, 12};
    const vars *v = SB_VARS(e);
    check_walled(e);
    assert_int_equal(sb_peek(e, v->target)->object, v->named);
    assert_int_equal(count_objects(e, (int)v->named), 1);
    assert_int_equal(v->n_doors, doors[e->difficulty]);
    assert_int_equal(v->n_distractors, distractors[e->difficulty]);
    for (int i = 0; i < v->n_distractors; i++) check_distractor(e, v->distractor[i]);
    for (int i = 0; i < v->n_doors; i++) {
        assert_int_equal(sb_peek(e, v->door[i])->metadata, i);
        assert_int_equal(sb_peek(e, v->key[i])->metadata, i);
    }
    assert_true(can_be_done(e, e->difficulty < SB_EXPERT));
}

static void doors_must_be_opened_in_turn(void **state) {
    (void)state;
    each_instance(&sb_instruction_following, 60, check_instance);
}

/* On expert the distractors are not checked, and sometimes they block the way. */
static void some_expert_levels_cannot_be_done(void **state) {
    (void)state;
    sb_episode e = {0};
    start(&e, SB_EXPERT, 8);
    assert_true(can_be_done(&e, false));
    assert_false(can_be_done(&e, true));
    start(&e, SB_EXPERT, 42);
    assert_true(can_be_done(&e, true));
}

/* Seed 0 draws a start beyond the doors. */
static void rejected_seeds_share_an_instance(void **state) {
    (void)state;
    sb_episode e[2] = {0};
    uint8_t digest[2][32];
    for (int difficulty = SB_MEDIUM; difficulty <= SB_EXPERT; difficulty++) {
        for (int i = 0; i < 2; i++) {
            start(&e[i], difficulty, i ? 1000 : 0);
            sb_episode_digest(&e[i], digest[i]);
        }
        assert_int_equal(memcmp(digest[0], digest[1], 32) == 0, difficulty > SB_MEDIUM);
    }
}

static void check_header(const sb_episode *e) {
    static const char *const headers[SB_N_OBJECTS] = {[SB_GEM] = "Target: [GEM]\n",
                                                      [SB_SCROLL] = "Target: [SCROLL]\n",
                                                      [SB_ORB] = "Target: [ORB]\n",
                                                      [SB_COIN] = "Target: [COIN]\n"};
    const vars *v = SB_VARS(e);
    char text[8192], wanted[64];
    sb_out out = sb_out_fixed(text, sizeof text);
    sb_observe_ascii(e, false, &out);
    sb_out_finish(&out);
    assert_int_equal(strncmp(text, headers[v->named], strlen(headers[v->named])), 0);
    out = sb_out_fixed(text, sizeof text);
    sb_observe_language(e, &out);
    sb_out_finish(&out);
    snprintf(wanted, sizeof wanted, "Your target is the %s.", sb_object_names[v->named]);
    assert_non_null(strstr(text, wanted));
    out = sb_out_fixed(text, sizeof text);
    sb_observe_structured(e, &out);
    sb_out_finish(&out);
    snprintf(wanted, sizeof wanted, "\"target_object\": \"%s\"", sb_object_names[v->named]);
    assert_non_null(strstr(text, wanted));
}

static void every_observation_names_the_target(void **state) {
    (void)state;
    each_instance(&sb_instruction_following, 10, check_header);
}

/* ---- Steps ---- */

static int keys_and_open_doors(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    int n = e->agent.n_items + count_objects(e, SB_KEY);
    for (int i = 0; i < v->n_doors; i++) n += !sb_door_is_closed(sb_peek(e, v->door[i]));
    return n;
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const vars *v = SB_VARS(after);
    const bool at_target = sb_same(after->agent.at, v->target), wrong = is_kind(sb_object_here(after));
    assert_int_equal(keys_and_open_doors(after), v->n_doors); /* each key is somewhere, or its door is open */
    assert_true(sb_manhattan(before->agent.at, after->agent.at) <= 1);
    assert_true(sb_walkable(after, after->agent.at));
    assert_false(sb_door_is_closed(sb_peek(after, after->agent.at)));
    assert_int_equal(result->terminated, wrong || at_target);
    assert_int_equal(result->success, at_target);
    assert_int_equal(count_objects(after, (int)v->named), !at_target); /* the target is taken; distractors stay */
    assert_true(result->reward == (wrong ? -1.0 : at_target ? 1.0 : 0.0));
    if (wrong) assert_true(result->dense == -1.0);
}

static void any_other_object_fails(void **state) {
    (void)state;
    each_step(&sb_instruction_following, 15, check_step);
}

/* Puts the agent above a cell and moves down into it. Returns whether the agent got there. */
static bool step_down_into(sb_episode *e, sb_xy to, sb_result *result) {
    e->agent.at = sb_beside(to, SB_NORTH);
    sb_episode_step(e, SB_MOVE_DOWN, result);
    return sb_same(e->agent.at, to);
}

static void a_door_opens_to_the_key_of_its_colour_alone(void **state) {
    (void)state;
    sb_episode e = {0};
    sb_result result;
    start(&e, SB_EXPERT, 42);
    const vars *v = SB_VARS(&e);
    assert_true(step_down_into(&e, v->key[1], &result));
    assert_false(step_down_into(&e, v->door[0], &result));
    sb_episode_step(&e, SB_INTERACT, &result);
    assert_int_equal(sb_peek(&e, v->door[0])->metadata, 0);
    assert_true(step_down_into(&e, v->key[0], &result));
    assert_int_equal(e.agent.n_items, 2);
    assert_false(step_down_into(&e, v->door[0], &result));
    sb_episode_step(&e, SB_INTERACT, &result);
    assert_int_equal(sb_peek(&e, v->door[0])->metadata, SB_DOOR_OPEN);
    assert_int_equal(e.agent.n_items, 1);
    assert_int_equal(e.items[0].value, 1);
    assert_true(step_down_into(&e, v->door[0], &result));
}

static void interacting_with_nothing_changes_nothing(void **state) {
    (void)state;
    assert_idling_changes_nothing(&sb_instruction_following, 7, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(doors_must_be_opened_in_turn),
        cmocka_unit_test(some_expert_levels_cannot_be_done),
        cmocka_unit_test(rejected_seeds_share_an_instance),
        cmocka_unit_test(every_observation_names_the_target),
        cmocka_unit_test(any_other_object_fails),
        cmocka_unit_test(a_door_opens_to_the_key_of_its_colour_alone),
        cmocka_unit_test(interacting_with_nothing_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
