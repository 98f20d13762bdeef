/* RecipeAssembly: what holds for every instance and every step. */
#include "tests/tasks/tasks.h"

#include "generators/agentick/planning/recipe_assembly.h"

static void equals_its_recordings(void **state) {
    (void)state;
    assert_conforms(&sb_recipe_assembly, 30, 6666);
}

/* ---- Instances ---- */

static bool is_ingredient(int object) {
    return object == SB_GEM || object == SB_SCROLL || object == SB_ORB || object == SB_COIN;
}

static int count_ingredients(const sb_episode *e) {
    int n = 0;
    for (int i = 0; i < sb_n_cells(e); i++) n += is_ingredient(e->cells[i].object);
    return n;
}

static int times_asked_for(const sb_recipe_assembly_vars *v, int kind) {
    int n = 0;
    for (int i = 0; i < v->n_steps; i++) n += v->recipe[i] == kind;
    return n;
}

static void check_instance(const sb_episode *e) {
    const sb_recipe_assembly_vars *v = SB_VARS(e);
    static const int walls[] = {0, 3, 5, 7};
    bool open[SB_CELLS_MAX] = {false};
    int n_kinds = 0;
    check_walled(e);
    open_terrain(e, SB_EMPTY, open);
    assert_int_equal(count_terrain(e, SB_WALL), 4 * (e->width - 1) + walls[e->difficulty]);
    assert_int_equal(v->n_steps, e->difficulty + 2);
    assert_int_equal(count_ingredients(e), v->n_sites);
    assert_int_equal(count_objects(e, SB_TARGET), v->n_steps);
    assert_int_equal(sb_peek(e, v->station)->object, SB_NPC);
    assert_true(igraph_distance(e, open, v->start, v->station) > 0);
    for (int kind = SB_NONE; kind < SB_N_OBJECTS; kind++) {
        const int asked = times_asked_for(v, kind), there = count_objects(e, kind);
        if (!is_ingredient(kind)) continue;
        n_kinds += asked > 0;
        assert_true(there >= asked);
    }
    for (int i = 0; i < v->n_sites; i++) {
        const int kind = sb_peek(e, v->site[i])->object, asked = times_asked_for(v, kind);
        assert_int_equal(kind, v->kind[i]);
        assert_true(i < v->n_steps ? kind == v->recipe[i] : asked == 0 || n_kinds == 4);
        if (asked == 1 && i < v->n_steps) assert_true(igraph_distance(e, open, v->start, v->site[i]) > 0);
    }
}

static void offers_what_the_recipe_asks_for(void **state) {
    (void)state;
    each_instance(&sb_recipe_assembly, 100, check_instance);
}

static void start(sb_episode *e, sb_difficulty difficulty, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(e, &sb_recipe_assembly, difficulty, seed, NULL, &error), error);
}

/* Only the first ingredient of a kind must be within reach. Seed 38613 is the first on medium that needs three orbs and
 * has one of them walled in, so it cannot be solved. */
static void the_second_of_a_kind_may_be_out_of_reach(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_recipe_assembly_vars *v = SB_VARS(&e);
    bool open[SB_CELLS_MAX] = {false};
    int within_reach = 0;
    start(&e, SB_MEDIUM, 38613);
    check_instance(&e);
    open_terrain(&e, SB_EMPTY, open);
    assert_int_equal(times_asked_for(v, SB_ORB), count_objects(&e, SB_ORB));
    for (int i = 0; i < v->n_steps; i++) within_reach += igraph_distance(&e, open, v->start, v->site[i]) > 0;
    assert_int_equal(within_reach, v->n_steps - 1);
}

/* ---- Steps ---- */

static void check_step(const sb_episode *before, const sb_episode *after, const sb_result *result) {
    const sb_recipe_assembly_vars *old = SB_VARS(before), *v = SB_VARS(after);
    assert_int_equal(count_ingredients(after) + after->agent.n_items + v->step,
                     v->n_sites); /* no ingredient appears or is lost */
    assert_int_equal(count_objects(after, SB_GOAL), v->step);
    assert_int_equal(count_objects(after, SB_TARGET), v->n_steps - v->step);
    assert_in_range(v->step - old->step, 0, 1);
    if (v->step > old->step) assert_true(sb_same(after->agent.at, v->station));
    if (after->agent.n_items > before->agent.n_items)
        assert_int_equal(after->items[after->agent.n_items - 1].value, v->recipe[v->step]);
    assert_true(result->terminated == (v->step == v->n_steps));
    assert_true(result->success == result->terminated);
    assert_true(result->reward == (result->success ? 1.0 : 0.0));
}

static void ingredients_are_neither_lost_nor_made(void **state) {
    (void)state;
    each_step(&sb_recipe_assembly, 30, check_step);
}

static void idling_changes_nothing(void **state) {
    (void)state;
    assert_idling_changes_nothing(&sb_recipe_assembly, 7, 5);
}

/* Easy 0 asks for an orb and an orb. */
static void two_of_a_kind_are_carried_at_once_and_delivered_one_by_one(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_recipe_assembly_vars *v = SB_VARS(&e);
    sb_result result;
    start(&e, SB_EASY, 0);
    assert_int_equal(v->recipe[0], v->recipe[1]);
    enter(&e, v->site[1]);
    enter(&e, v->site[0]);
    assert_int_equal(e.agent.n_items, 2);
    assert_false(enter(&e, v->station).terminated);
    assert_int_equal(v->step, 1);
    sb_episode_step(&e, SB_NOOP, &result); /* standing on the station delivers nothing */
    sb_episode_step(&e, SB_INTERACT, &result);
    assert_int_equal(v->step, 1);
    assert_true(enter(&e, v->station).success);
    assert_int_equal(e.agent.n_items, 0);
}

/* Easy 42 asks for a coin and then an orb. */
static void only_what_the_step_asks_for_is_picked_up(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_recipe_assembly_vars *v = SB_VARS(&e);
    start(&e, SB_EASY, 42);
    assert_int_equal(v->recipe[1], SB_ORB);
    enter(&e, v->site[1]);
    assert_int_equal(e.agent.n_items, 0);
    assert_int_equal(sb_peek(&e, v->site[1])->object, SB_ORB);
    enter(&e, v->station);
    assert_int_equal(v->step, 0);
    enter(&e, v->site[0]);
    enter(&e, v->station);
    enter(&e, v->site[1]);
    assert_int_equal(v->step, 1);
    assert_int_equal(e.items[0].value, SB_ORB);
}

static void a_wrong_ingredient_costs_until_the_next_move(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_recipe_assembly_vars *v = SB_VARS(&e);
    sb_result result;
    uint64_t on_it[2], idle[2];
    start(&e, SB_EASY, 42);
    enter(&e, v->site[1]);
    sb_episode_key(&e, on_it);
    for (int i = 0; i < 4; i++) {
        sb_episode_step(&e, i % 2 ? SB_INTERACT : SB_NOOP, &result);
        assert_true(result.dense == -0.01 - 0.1);
    }
    sb_episode_key(&e, idle);
    assert_memory_equal(on_it, idle, sizeof idle);
    enter(&e, v->station);
    sb_episode_step(&e, SB_NOOP, &result);
    assert_true(result.dense == -0.01);
}

/* The slots are drawn like the ingredients that they show. */
static void recipe_slots_are_plain_floor(void **state) {
    (void)state;
    sb_episode e = {0};
    const sb_recipe_assembly_vars *v = SB_VARS(&e);
    start(&e, SB_MEDIUM, 42);
    for (int i = 0; i < v->n_steps; i++) {
        const sb_xy slot = sb_at(e.width - 1 - v->n_steps + i, 1);
        assert_int_equal(sb_peek(&e, slot)->metadata, v->recipe[i]);
        assert_true(enter(&e, slot).dense > -0.1);
        assert_int_equal(sb_peek(&e, slot)->object, SB_TARGET);
    }
    assert_int_equal(e.agent.n_items, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_recordings),
        cmocka_unit_test(offers_what_the_recipe_asks_for),
        cmocka_unit_test(the_second_of_a_kind_may_be_out_of_reach),
        cmocka_unit_test(ingredients_are_neither_lost_nor_made),
        cmocka_unit_test(idling_changes_nothing),
        cmocka_unit_test(two_of_a_kind_are_carried_at_once_and_delivered_one_by_one),
        cmocka_unit_test(only_what_the_step_asks_for_is_picked_up),
        cmocka_unit_test(a_wrong_ingredient_costs_until_the_next_move),
        cmocka_unit_test(recipe_slots_are_plain_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
