/* MiniGrid worlds: the rules by properties, views, and the recorded episodes. */
#include <string.h>

#include "engine/lookup.h"
#include "engine/minigrid/minigrid.h"
#include "generators/babyai/family.h"
#include "generators/conformance/conformance.h"
#include "tests/minigrid_support.h"

enum { PLAYED_STEPS = TESTS_ARE_SLOW ? 40 : 120 };

static const char *const played[] = {"GoToRedBall", "PutNextS5N2Carrying", "PickupDistDebug",
                                     "KeyInBox",    "UnlockToUnlock",      "OpenDoorsOrderN4Debug",
                                     "SynthSeq",    "BossLevel",           "GoToRedBall-Ultra-180Dists"};
enum { N_PLAYED = sizeof played / sizeof *played };

/* Returns a pseudo-random number below n; the sequence is always the same. */
static unsigned drawn(uint64_t *state, unsigned n) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % n;
}

static void assert_same_key(const sb_mg_world *a, const sb_mg_world *b) {
    uint64_t key[2], other[2];
    sb_mg_key(a, key), sb_mg_key(b, other);
    assert_memory_equal(key, other, sizeof key);
}

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

static int cells_with(const sb_mg_world *w, int id) {
    int n = 0;
    for (int i = 0; i < sb_mg_n_cells(w); i++) n += w->cells[i] == id;
    return n;
}

static bool is_in_a_box(const sb_mg_world *w, int id) {
    for (int box = 1; box <= w->n_objects; box++)
        if (w->objects[box].content == id) return true;
    return false;
}

static void assert_sound(const sb_mg_world *w) {
    for (int id = 1; id <= w->n_objects; id++) {
        const sb_mg_object *o = &w->objects[id];
        assert_int_equal(cells_with(w, id), o->on_grid);
        if (o->on_grid) assert_int_equal(sb_mg_id_at(w, o->at), id);
        assert_true(o->on_grid + (w->carried == id) + is_in_a_box(w, id) <= 1);
        assert_false(o->open && o->locked);
    }
    assert_true(sb_mg_inside(w, sb_mg_front(w)));
    assert_true(sb_mg_passable(w, w->agent));
}

static void test_every_object_stays_in_one_place(void **state) {
    (void)state;
    uint64_t random = 1;
    for (int i = 0; i < N_PLAYED; i++) {
        sb_mg_world w = world_of(played[i], 7);
        sb_result result = {0};
        assert_sound(&w);
        for (int step = 0; step < PLAYED_STEPS && !result.terminated; step++) {
            sb_mg_step(&w, (sb_mg_action)drawn(&random, SB_MG_N_ACTIONS), &result);
            assert_sound(&w);
        }
    }
}

static void test_an_action_that_is_not_valid_does_not_matter(void **state) {
    (void)state;
    uint64_t random = 2;
    for (int i = 0; i < N_PLAYED; i++) {
        sb_mg_world w = world_of(played[i], 3), tried;
        sb_result result = {0};
        for (int step = 0; step < PLAYED_STEPS && !result.terminated; step++) {
            for (int a = 0; a < SB_MG_N_ACTIONS; a++) {
                if (sb_mg_valid(&w) >> a & 1) continue;
                tried = w;
                sb_mg_step(&tried, (sb_mg_action)a, &result);
                assert_false(result.terminated);
                if (a != SB_MG_DROP) assert_same_key(&w, &tried); /* a drop forgets cells that objects have left */
            }
            sb_mg_step(&w, (sb_mg_action)drawn(&random, SB_MG_N_ACTIONS), &result);
        }
    }
}

static void test_four_turns_change_nothing(void **state) {
    (void)state;
    sb_mg_world w = sketch("pick up the red ball", things), turned = w;
    assert_continues(&turned, "llll"), assert_same_key(&w, &turned);
    assert_continues(&turned, "rrrr"), assert_same_key(&w, &turned);
    assert_continues(&turned, "lr"), assert_same_key(&w, &turned);
}

static void test_dropping_undoes_a_pickup(void **state) {
    (void)state;
    sb_mg_world w = sketch("pick up the red ball", things), moved = w;
    assert_continues(&moved, "p");
    assert_int_equal(sb_mg_carrying(&moved)->type, SB_MG_KEY);
    assert_true(sb_mg_empty(&moved, sb_mg_front(&moved)));
    assert_continues(&moved, "d"), assert_same_key(&w, &moved);
}

static void test_hands_hold_one_thing(void **state) {
    (void)state;
    sb_mg_world w = sketch("put the red ball next to the blue key", things);
    assert_continues(&w, "pp");
    const int key = w.carried;
    assert_continues(&w, "lp");
    assert_int_equal(w.carried, key);
    assert_continues(&w, "d");
    assert_int_equal(w.carried, key);
}

static void test_a_locked_door_needs_the_key_of_its_colour(void **state) {
    (void)state;
    static const char *const rows[] = {"## ## *b ## ##", //
                                       "## .. .. .. ##", //
                                       "## Kr ^^ Kb ##", //
                                       "## .. .. .. ##", //
                                       "## ## ## ## ##"};
    sb_mg_world w = sketch("go to the ball", rows), other = w; /* there is no ball */
    const sb_mg_object *door = sb_mg_object_at(&w, sb_at(2, 0));
    assert_continues(&w, "ft"), assert_true(door->locked && !door->open);
    w = other;
    assert_continues(&w, "lprft"), assert_true(door->locked && !door->open);
    w = other;
    assert_continues(&w, "rplft"), assert_true(door->open && !door->locked);
    assert_int_equal(sb_mg_carrying(&w)->type, SB_MG_KEY);
    assert_continues(&w, "t"), assert_true(!door->open && !door->locked);
    assert_continues(&w, "t"), assert_true(door->open);
    assert_continues(&w, "d"), assert_true(w.carried); /* a doorway is not empty */
    assert_continues(&w, "rrdllt"), assert_true(!door->open && !door->locked);
}

static void test_a_box_opens_once_and_gives_what_it_holds(void **state) {
    (void)state;
    sb_mg_world w = sketch("pick up the red ball", things);
    const int box = sb_mg_id_at(&w, sb_at(1, 2)), key = sb_mg_make_object(&w, SB_MG_KEY, SB_MG_PURPLE);
    w.objects[box].content = (uint8_t)key;
    assert_continues(&w, "llt");
    assert_int_equal(sb_mg_id_at(&w, sb_at(1, 2)), key);
    assert_false(w.objects[box].on_grid);
    assert_sound(&w);
    assert_continues(&w, "t"), assert_int_equal(sb_mg_id_at(&w, sb_at(1, 2)), key);
    assert_continues(&w, "p"), assert_int_equal(w.carried, key);
}

static void test_success_in_the_last_step_is_paid(void **state) {
    (void)state;
    sb_mg_world w = sketch("pick up the blue key", things);
    w.max_steps = 3;
    const sb_result result = play(&w, "lrp");
    assert_true(result.success && result.terminated && result.truncated);
    assert_true(result.reward == 1 - 0.9 * (3.0 / 3));
    w = sketch("pick up the red ball", things);
    w.max_steps = 2;
    assert_true(play(&w, "..").truncated);
}

/* ---- Views --------------------------------------------------------------------------------------------------------
 */

static void check_views(const sb_mg_world *w) {
    uint8_t bytes[3 * 9 * 9];
    sb_mg_visibility observations[4];
    for (int k = 0; k < 4; k++) {
        const int size = 3 + 2 * k;
        sb_mg_look(w, size, &observations[k]);
        sb_mg_view(w, size, bytes);
        for (int n = 0; n < size * size; n++) {
            const int i = n % size, j = n / size;
            int back_i, back_j;
            const sb_xy at = sb_mg_viewed(w, size, i, j);
            assert_int_equal(bytes[3 * n] != SB_MG_UNSEEN, sb_mg_sees(&observations[k], i, j));
            assert_true(sb_mg_view_cell(w, size, at, &back_i, &back_j) && back_i == i && back_j == j);
            if (k > 0 && sb_mg_sees_cell(w, &observations[k - 1], at)) assert_true(sb_mg_sees(&observations[k], i, j));
            if (!sb_mg_inside(w, at) && sb_mg_sees(&observations[k], i, j)) assert_int_equal(bytes[3 * n], SB_MG_WALL);
        }
    }
}

static void test_a_larger_view_sees_whatever_a_smaller_one_sees(void **state) {
    (void)state;
    uint64_t random = 3;
    for (int i = 0; i < N_PLAYED; i++) {
        sb_mg_world w = world_of(played[i], 11);
        sb_result result = {0};
        for (int step = 0; step < PLAYED_STEPS && !result.terminated; step++) {
            check_views(&w);
            sb_mg_step(&w, (sb_mg_action)drawn(&random, SB_MG_N_ACTIONS), &result);
        }
    }
}

static void test_what_is_carried_shows_in_the_agents_own_cell(void **state) {
    (void)state;
    uint8_t bytes[3 * 7 * 7];
    const uint8_t *own = bytes + 3 * (6 * 7 + 3);
    sb_mg_world w = sketch("pick up the red ball", things);
    sb_mg_view(&w, 7, bytes);
    assert_memory_equal(own, ((uint8_t[]){SB_MG_EMPTY, 0, 0}), 3);
    assert_memory_equal(own - 3 * 7, ((uint8_t[]){SB_MG_KEY, SB_MG_BLUE, 0}), 3);
    assert_continues(&w, "p");
    sb_mg_view(&w, 7, bytes);
    assert_memory_equal(own, ((uint8_t[]){SB_MG_KEY, SB_MG_BLUE, 0}), 3);
}

static void test_closed_doors_stop_the_eye_and_open_ones_do_not(void **state) {
    (void)state;
    static const char *const rows[] = {"## ## ## ## ## ## ##", //
                                       "## ## ## Kb ## ## ##", //
                                       "## ## ## +r ## ## ##", //
                                       "## ## ## ^^ ## ## ##", //
                                       "## ## ## .. ## ## ##", //
                                       "## ## ## .. ## ## ##", //
                                       "## ## ## ## ## ## ##"};
    sb_mg_world w = sketch("go to the blue key", rows);
    sb_mg_visibility visibility;
    sb_mg_look(&w, 7, &visibility);
    assert_true(sb_mg_sees_cell(&w, &visibility, sb_at(3, 2)));
    assert_false(sb_mg_sees_cell(&w, &visibility, sb_at(3, 1)));
    assert_false(sb_mg_sees_cell(&w, &visibility, sb_at(3, 4)));
    assert_continues(&w, "t");
    sb_mg_look(&w, 7, &visibility);
    assert_true(sb_mg_sees_cell(&w, &visibility, sb_at(3, 1)));
}

static void test_modes_show_what_there_is(void **state) {
    (void)state;
    static const struct {
        const char *mode, *shows;
    } shown[] = {
        {"ascii", "Mission: pick up the red ball\nFacing: east\nCarrying: nothing\n"},
        {"ascii", "?? ## Or ^^ .. ## ??\n"},
        {"ascii", "Kb a blue key, Or a red ball\n"},
        {"language",
         "Your mission: pick up the red ball. You face east and carry nothing. You see a red ball 1 step left, a "
         "blue key 1 step forward, a wall 2 steps forward, "},
        {"view3", "{\"image\": [[["},
        {"view7", "\"direction\": 0, \"mission\": \"pick up the red ball\"}"},
        {"full", "[10, 0, 0]"},
        {"full_ascii", "## Xg >> Kb ##\n"},
    };
    const sb_mg_world w = sketch("pick up the red ball", things);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        char text[4096];
        sb_error error;
        sb_out out = sb_out_fixed(text, sizeof text);
        const sb_mode *mode = sb_mode_find(&sb_babyai, shown[i].mode, &error);
        assert_non_null(mode);
        sb_mg_observe(&w, mode->code, &out);
        assert_true(sb_out_finish(&out) < sizeof text);
        if (!strstr(text, shown[i].shows)) fail_msg("%s does not show `%s`:\n%s", mode->name, shown[i].shows, text);
    }
}

/* ---- What is hidden ---------------------------------------------------------------------------------------------- */

/* Moves all objects that the agent does not see. What it is shown stays. */
static void shuffle_unseen(sb_mg_world *w, uint64_t *random) {
    sb_mg_visibility visibility;
    sb_mg_look(w, SB_MG_VIEW_DEFAULT, &visibility);
    for (int id = 1; id <= w->n_objects; id++) {
        sb_mg_object *o = &w->objects[id];
        if (!o->on_grid || sb_mg_sees_cell(w, &visibility, o->at)) continue;
        o->colour = (uint8_t)drawn(random, SB_MG_N_COLOURS);
        if (o->type != SB_MG_DOOR) o->type = (uint8_t)(SB_MG_KEY + drawn(random, 3));
    }
}

static void test_what_is_left_to_observers_does_not_depend_on_what_they_do_not_see(void **state) {
    (void)state;
    uint64_t random = 4, key[2], other_key[2];
    for (int i = 0; i < N_PLAYED; i++) {
        sb_mg_world w = world_of(played[i], 2);
        sb_result result = {0};
        for (int step = 0; step < PLAYED_STEPS && !result.terminated; step++) {
            sb_mg_world shown = w, other = w;
            shuffle_unseen(&other, &random);
            sb_mg_hide(&shown), sb_mg_hide(&other);
            assert_same_key(&shown, &other);
            sb_mg_hide(&other), assert_same_key(&shown, &other);
            sb_mg_step(&w, (sb_mg_action)drawn(&random, SB_MG_N_ACTIONS), &result);
        }
        sb_mg_key(&w, key), sb_mg_hide(&w), sb_mg_key(&w, other_key);
        assert_memory_not_equal(key, other_key, sizeof key);
    }
}

static void test_a_world_with_hidden_parts_can_be_stepped(void **state) {
    (void)state;
    uint64_t random = 5;
    sb_mg_world w = world_of("BossLevel", 2);
    sb_result result;
    sb_mg_hide(&w);
    for (int step = 0; step < 500; step++) {
        sb_mg_step(&w, (sb_mg_action)drawn(&random, SB_MG_N_ACTIONS), &result);
        assert_sound(&w);
        check_views(&w);
    }
}

/* ---- Recordings and names ---------------------------------------------------------------------------------------- */

static size_t steps_replayed;

static void check_recording(const cJSON *recording) {
    sb_error error;
    sb_conformity found = {0};
    assert_ok(sb_conformer_of(&sb_babyai)->compare(recording, &found, &error), error);
    if (found.differs) fail_msg("%s", found.difference);
    for (int i = 0; i < SB_ASPECT_PICTURES; i++) assert_true(found.compared[i] > 0);
    steps_replayed += found.steps;
}

static void test_recorded_episodes_are_ours(void **state) {
    (void)state;
    steps_replayed = 0;
    assert_int_equal(each_vector("babyai/babybench.jsonl.gz", check_recording), 96);
    assert_int_equal(each_vector("babyai/other.jsonl.gz", check_recording), 288);
    assert_int_equal(steps_replayed, 62928);
}

/* Replaces one member of a recording at a time by that of another one. Each change must be found. */
static void test_a_changed_recording_differs(void **state) {
    (void)state;
    enum { OTHER_LEVEL = 13 }; /* line number: GoToLocal, which differs from BossLevel in everything */
    static const char *const keys[] = {"mission", "instr", "size",     "rooms", "max_steps", "agent", "carrying",
                                       "grid",    "hash",  "rejected", "rng",   "image7",    "views"};
    sb_error error;
    sb_lines lines;
    assert_ok(sb_lines_open(&lines, golden("babyai/babybench.jsonl.gz"), 64 << 20, &error), error);
    cJSON *other = NULL, *recording = NULL;
    while (lines.number < OTHER_LEVEL && sb_lines_next(&lines, &error)) {
        cJSON *line = sb_json_parse(lines.line.data, lines.line.size, &error);
        if (lines.number == 1) other = line;
        if (lines.number == OTHER_LEVEL) recording = line;
        if (line != other && line != recording) cJSON_Delete(line);
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        sb_conformity found = {0};
        cJSON *changed = cJSON_Duplicate(recording, true), *value = cJSON_GetObjectItemCaseSensitive(other, keys[i]);
        if (strcmp(keys[i], "carrying") == 0)
            cJSON_ReplaceItemInObjectCaseSensitive(changed, keys[i], cJSON_CreateIntArray((int[]){5, 0}, 2));
        else if (strcmp(keys[i], "rejected") == 0)
            cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(changed, keys[i]), cJSON_CreateString("once more"));
        else
            cJSON_ReplaceItemInObjectCaseSensitive(changed, keys[i], cJSON_Duplicate(value, true));
        assert_ok(sb_conformer_of(&sb_babyai)->compare(changed, &found, &error), error);
        if (!found.differs) fail_msg("a changed `%s` was not found", keys[i]);
        cJSON_DeleteItemFromObjectCaseSensitive(changed, keys[i]);
        found = (sb_conformity){0};
        if (strcmp(keys[i], "carrying") != 0)
            assert_error(sb_conformer_of(&sb_babyai)->compare(changed, &found, &error), &error, SB_INVALID, keys[i]);
        cJSON_Delete(changed);
    }
    cJSON_Delete(recording), cJSON_Delete(other);
    sb_lines_close(&lines);
}

static void test_published_ids_are_names(void **state) {
    (void)state;
    static const char *const ids[][2] = {
        {"babyai:BabyAI-BossLevel-v0#81", "babyai:BossLevel#81"},
        {"babyai:BabyAI-GoToObjS6-v1#0", "babyai:GoToObjS6#0"},
        {"babyai:BabyAI-GoTo#3", "babyai:GoTo#3"},
        {"babyai:CustomBabyAI-GoToRedBall-Medium-60Dists-v0#5", "babyai:GoToRedBall-Medium-60Dists#5"},
    };
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        sb_error error;
        sb_name name;
        char text[SB_NAME_MAX];
        assert_ok(sb_name_parse(NULL, ids[i][0], &name, &error), error);
        sb_name_print(&name, text, sizeof text);
        assert_string_equal(text, ids[i][1]);
    }
    sb_error error;
    sb_name name;
    assert_error(sb_name_parse(NULL, "babyai:BossLevle#1", &name, &error), &error, SB_UNKNOWN,
                 "did you mean BossLevel");
    assert_error(sb_name_parse(NULL, "babyai:BossLevel/easy#1", &name, &error), &error, SB_UNKNOWN, "no difficulties");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_object_stays_in_one_place),
        cmocka_unit_test(test_an_action_that_is_not_valid_does_not_matter),
        cmocka_unit_test(test_four_turns_change_nothing),
        cmocka_unit_test(test_dropping_undoes_a_pickup),
        cmocka_unit_test(test_hands_hold_one_thing),
        cmocka_unit_test(test_a_locked_door_needs_the_key_of_its_colour),
        cmocka_unit_test(test_a_box_opens_once_and_gives_what_it_holds),
        cmocka_unit_test(test_success_in_the_last_step_is_paid),
        cmocka_unit_test(test_a_larger_view_sees_whatever_a_smaller_one_sees),
        cmocka_unit_test(test_what_is_carried_shows_in_the_agents_own_cell),
        cmocka_unit_test(test_closed_doors_stop_the_eye_and_open_ones_do_not),
        cmocka_unit_test(test_modes_show_what_there_is),
        cmocka_unit_test(test_what_is_left_to_observers_does_not_depend_on_what_they_do_not_see),
        cmocka_unit_test(test_a_world_with_hidden_parts_can_be_stepped),
        cmocka_unit_test(test_recorded_episodes_are_ours),
        cmocka_unit_test(test_a_changed_recording_differs),
        cmocka_unit_test(test_published_ids_are_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
