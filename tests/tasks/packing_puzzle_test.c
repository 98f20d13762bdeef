/* PackingPuzzle: what holds for every instance and every step, and that its expert takes the fewest steps. */
#include "tests/tasks/tasks.h"

#include <string.h>

#include "generators/agentick/planning/packing_puzzle.h"
#include "oracles/copies.h"
#include "rollout/worker.h"

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_packing_puzzle, 30, 7356);
}

/* ---- Instances ---- */

static int count_pieces(const sb_episode *e) {
    return count_objects(e, SB_BOX) + count_objects(e, SB_GEM) + count_objects(e, SB_ORB) + count_objects(e, SB_SCROLL);
}

static void check_piece(const sb_episode *e, sb_xy p) {
    assert_true(sb_packing_puzzle_is_piece(sb_peek(e, p)->object));
    assert_int_equal(sb_peek(e, p)->metadata, 0);
    assert_true(p.x >= 2 && p.x <= e->width - 3 && p.y >= 2 &&
                p.y <= e->height - 3); /* it can be pushed in all directions */
}

static void check_instance(const sb_episode *e) {
    static const int n_pieces[] = {2, 3, 4, 5}, n_distractors[] = {0, 1, 1, 2};
    const sb_packing_puzzle_vars *v = SB_VARS(e);
    check_walled(e);
    assert_int_equal(count_terrain(e, SB_WALL), 4 * (e->width - 1));
    assert_int_equal(v->n_pieces, n_pieces[e->difficulty]);
    assert_int_equal(v->n_distractors, n_distractors[e->difficulty]);
    assert_int_equal(count_pieces(e), v->n_pieces + v->n_distractors);
    assert_int_equal(count_objects(e, SB_TARGET), v->n_pieces);
    for (int i = 0; i < v->n_pieces; i++) {
        assert_int_equal(v->slot[i].x, v->start.x == 1 ? e->width - 2 : 1);
        assert_int_equal(v->slot[i].y, v->slot[0].y + i);
        assert_int_equal(sb_peek(e, v->slot[i])->metadata, v->type[i]);
        assert_int_equal(sb_peek(e, v->piece[i])->object, v->type[i]);
        check_piece(e, v->piece[i]);
    }
    for (int i = 0; i < v->n_distractors; i++) check_piece(e, v->distractor[i]);
    if (e->difficulty == SB_MEDIUM) assert_int_equal(count_objects(e, SB_ORB), 1);
    if (e->difficulty == SB_HARD) assert_int_equal(count_objects(e, SB_SCROLL), 1);
}

static void every_slot_has_a_piece_and_every_piece_room(void **state) {
    (void)state;
    each_instance(&sb_packing_puzzle, 200, check_instance);
}

/* ---- Steps ---- */

static bool is_slot(const sb_packing_puzzle_vars *v, sb_xy p) {
    for (int i = 0; i < v->n_pieces; i++)
        if (sb_same(v->slot[i], p)) return true;
    return false;
}

/* Counts the pieces of a type, with those in their slots. */
static int count_type(const sb_episode *e, int type) {
    const sb_packing_puzzle_vars *v = SB_VARS(e);
    int n = count_objects(e, type);
    for (int i = 0; i < v->n_pieces; i++) n += v->type[i] == type && sb_peek(e, v->slot[i])->object == SB_GOAL;
    return n;
}

static void check_cells(const sb_episode *e) {
    const sb_packing_puzzle_vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_pieces; i++) {
        const sb_cell *slot = sb_peek(e, v->slot[i]);
        assert_int_equal(slot->metadata, slot->object == SB_GOAL ? 0 : v->type[i]);
        assert_true(slot->object == SB_GOAL || slot->object == SB_TARGET || sb_packing_puzzle_is_piece(slot->object));
        assert_int_not_equal(slot->object, v->type[i]); /* a piece of this type would have filled the slot */
    }
    for (int i = 0; i < sb_n_cells(e); i++) {
        if (is_slot(v, sb_xy_of(e, i))) continue;
        assert_true(e->cells[i].object == SB_NONE || sb_packing_puzzle_is_piece(e->cells[i].object));
        assert_int_equal(e->cells[i].metadata, 0);
    }
}

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const sb_packing_puzzle_vars *old = SB_VARS(before), *v = SB_VARS(after);
    check_cells(after);
    for (int k = 0; k < SB_PACKING_PUZZLE_TYPES; k++)
        assert_int_equal(count_type(after, sb_packing_puzzle_types[k]), count_type(before, sb_packing_puzzle_types[k]));
    assert_int_equal(v->n_filled, count_objects(after, SB_GOAL));
    assert_in_range(v->n_filled - old->n_filled, 0, 1);
    assert_false(sb_packing_puzzle_is_piece(sb_object_here(after)));
    assert_true(result->success == (v->n_filled == v->n_pieces));
    assert_true(result->terminated == result->success);
    assert_float_equal(result->dense, -0.01 + 0.4 * (v->n_filled - old->n_filled) + (result->success ? 1.0 : 0.0),
                       1e-12);
    if (sb_same(before->agent.at, after->agent.at))
        assert_memory_equal(before->cells, after->cells, sizeof *after->cells * (size_t)sb_n_cells(after));
}

static void pieces_are_neither_lost_nor_made(void **state) {
    (void)state;
    each_step(&sb_packing_puzzle, 20, check_step);
}

static void interacting_changes_nothing(void **state) {
    (void)state;
    assert_idling_changes_nothing(&sb_packing_puzzle, 7, 5);
}

/* ---- Arrangements ---- */

/* Sets up easy with slots for a box and a gem at (1,2) and (1,3), without pieces, and with the agent on this cell. */
static void clear_pieces(sb_episode *e, sb_xy agent) {
    sb_error error;
    const sb_packing_puzzle_vars *v = SB_VARS(e);
    uint64_t seed = 0;
    do assert_ok(sb_episode_start(e, &sb_packing_puzzle, SB_EASY, seed++, NULL, &error), error);
    while (v->slot[0].x != 1);
    for (int i = 0; i < v->n_pieces; i++) sb_set_object(e, v->piece[i], SB_NONE, 0);
    assert_true(sb_same(v->slot[0], sb_at(1, 2)) && v->type[0] == SB_BOX && v->type[1] == SB_GEM);
    e->agent.at = agent;
}

static void play(sb_episode *e, const char *actions) {
    sb_result result;
    for (; *actions; actions++) sb_episode_step(e, *actions - '0', &result);
}

static void assert_holds(const sb_episode *e, sb_xy p, int object, int metadata) {
    assert_int_equal(sb_peek(e, p)->object, object);
    assert_int_equal(sb_peek(e, p)->metadata, metadata);
}

static void a_slot_covered_by_another_type_comes_back(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_packing_puzzle_vars *v = SB_VARS(&e);
    clear_pieces(&e, sb_at(3, 2));
    sb_set_object(&e, sb_at(2, 2), SB_GEM, 0);
    play(&e, "3");
    assert_holds(&e, sb_at(1, 2), SB_GEM, SB_BOX);
    assert_int_equal(v->n_filled, 0);
    play(&e, "132"); /* from above, down into its own slot */
    assert_holds(&e, sb_at(1, 2), SB_TARGET, SB_BOX);
    assert_holds(&e, sb_at(1, 3), SB_GOAL, 0);
    assert_int_equal(v->n_filled, 1);
}

static void a_filled_slot_is_floor_for_the_agent_and_a_wall_for_pieces(void **state) {
    (void)state;
    sb_episode e = {0};
    clear_pieces(&e, sb_at(3, 3));
    sb_set_object(&e, sb_at(2, 3), SB_GEM, 0);
    sb_set_object(&e, sb_at(5, 3), SB_GEM, 0);
    play(&e, "3");
    assert_holds(&e, sb_at(1, 3), SB_GOAL, 0);
    play(&e, "3");
    assert_true(sb_same(e.agent.at, sb_at(1, 3)));
    assert_holds(&e, sb_at(1, 3), SB_GOAL, 0);
    sb_set_object(&e, sb_at(2, 3), SB_GEM, 0);
    e.agent.at = sb_at(3, 3);
    play(&e, "3");
    assert_true(sb_same(e.agent.at, sb_at(3, 3)) && e.agent.facing == SB_WEST);
    assert_holds(&e, sb_at(2, 3), SB_GEM, 0);
}

static void neither_two_pieces_nor_one_at_the_wall_can_be_pushed(void **state) {
    (void)state;
    sb_episode e = {0};
    clear_pieces(&e, sb_at(5, 4));
    sb_set_object(&e, sb_at(4, 4), SB_GEM, 0);
    sb_set_object(&e, sb_at(3, 4), SB_BOX, 0);
    sb_set_object(&e, sb_at(5, 5), SB_BOX, 0);
    play(&e, "32");
    assert_true(sb_same(e.agent.at, sb_at(5, 4)) && e.agent.facing == SB_SOUTH);
    assert_holds(&e, sb_at(4, 4), SB_GEM, 0);
    assert_holds(&e, sb_at(5, 5), SB_BOX, 0);
}

/* ---- The expert ---- */

static void the_expert_takes_the_fewest_steps(void **state) {
    (void)state;
    enum { STATES = 1 << 15 };
    sb_error error;
    sb_copies copies;
    sb_player player = {0};
    sb_env *env = sb_make(NULL, NULL, &error);
    assert_ok(sb_copies_open(&copies, STATES, &error), error);
    for (uint64_t seed = 0; seed < 8; seed++) {
        const sb_name name = {.family = "agentick", .task = "PackingPuzzle-v0", .difficulty = "easy", .seed = seed};
        sb_budget budget = {.limit = STATES};
        sb_verdict verdict;
        assert_ok(sb_reset_name(env, &name, &error), error);
        assert_ok(sb_copies_search(&copies, env, &budget, &verdict, &error), error);
        assert_int_equal(verdict, SB_SOLVED);
        assert_int_equal(expert_steps(env, &player), sb_copies_plan(&copies, NULL, 0));
    }
    sb_player_clear(&player);
    sb_copies_close(&copies);
    sb_free(env);
}

/* A gem, a scroll, an orb and a box form a square, so none of them can ever be pushed first. The expert knows this and
 * waits. */
static const char stuck[] = "PackingPuzzle/hard#1159233489";

static void a_square_of_pieces_never_breaks_up(void **state) {
    (void)state;
    sb_error error;
    sb_result result;
    sb_rng rng;
    sb_env *env = sb_make(NULL, stuck, &error);
    const sb_episode *e = sb_episode_of(env);
    sb_rng_seed(&rng, 1, NULL);
    while (!sb_status_of(env)->done) {
        assert_ok(sb_step(env, (sb_action)sb_integers(&rng, SB_MOVE_UP, SB_INTERACT), &result, &error), error);
        assert_int_equal(sb_peek(e, sb_at(3, 2))->object, SB_GEM);
        assert_int_equal(sb_peek(e, sb_at(4, 2))->object, SB_SCROLL);
        assert_int_equal(sb_peek(e, sb_at(3, 3))->object, SB_ORB);
        assert_int_equal(sb_peek(e, sb_at(4, 3))->object, SB_BOX);
    }
    sb_free(env);
}

static void the_expert_gives_up_where_nothing_can_be_done(void **state) {
    (void)state;
    sb_error error;
    sb_player player = {0};
    sb_env *env = sb_make(NULL, stuck, &error);
    assert_non_null(env);
    assert_ok(sb_player_begin_as(&player, "expert", env, &error), error);
    assert_int_equal(sb_player_act(&player, env), SB_NOOP);
    assert_string_equal(player.intent.verb, "give up");
    assert_string_equal(player.intent.object, "4 pieces are stuck");
    assert_int_equal(player.oracle->judge(player.memory, env, &player.budget), SB_IMPOSSIBLE);
    assert_int_equal(player.budget.spent, 3); /* the start, in each of three searches */
    assert_ok(sb_reset(env, "PackingPuzzle/hard#0", &error), error);
    assert_int_equal(player.oracle->judge(player.memory, env, &player.budget), SB_SOLVED);
    sb_player_clear(&player);
    sb_free(env);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(every_slot_has_a_piece_and_every_piece_room),
        cmocka_unit_test(pieces_are_neither_lost_nor_made),
        cmocka_unit_test(interacting_changes_nothing),
        cmocka_unit_test(a_slot_covered_by_another_type_comes_back),
        cmocka_unit_test(a_filled_slot_is_floor_for_the_agent_and_a_wall_for_pieces),
        cmocka_unit_test(neither_two_pieces_nor_one_at_the_wall_can_be_pushed),
        cmocka_unit_test(the_expert_takes_the_fewest_steps),
        cmocka_unit_test(a_square_of_pieces_never_breaks_up),
        cmocka_unit_test(the_expert_gives_up_where_nothing_can_be_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
