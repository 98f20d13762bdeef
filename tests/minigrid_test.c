/* MiniGrid worlds: the rules by properties, each quirk of BabyAI's verifier, views, and the recorded episodes. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lookup.h"
#include "engine/minigrid/minigrid.h"
#include "engine/minigrid/tracking.h"
#include "generators/babyai/family.h"
#include "generators/babyai/levels.h"
#include "generators/conformance/conformance.h"

enum { TEXT_MAX = 1 << 16, PLAYED_STEPS = TESTS_ARE_SLOW ? 40 : 120 };

static const char *const played[] = {"GoToRedBall", "PutNextS5N2Carrying", "PickupDistDebug",
                                     "KeyInBox",    "UnlockToUnlock",      "OpenDoorsOrderN4Debug",
                                     "SynthSeq",    "BossLevel",           "GoToRedBall-Ultra-180Dists"};
enum { N_PLAYED = sizeof played / sizeof *played };

static sb_mg_world world_of(const char *level_name, uint64_t seed) {
    sb_error error;
    sb_mg_world w;
    size_t index;
    assert_ok(sb_task_find(NULL, &sb_babyai, level_name, &index, &error), error);
    const sb_mg_level *level = sb_babyai_level(index);
    assert_ok(level->generate(level, seed, &w, NULL, &error), error);
    return w;
}

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

/* ---- Sketches: one room as the mode `full_ascii` draws it, with a mission ---------------------------------------- */

static int code_in(const char *letters, char letter) {
    const char *at = strchr(letters, letter);
    return at && letter ? (int)(at - letters) : -1;
}

static void sketch_cell(sb_mg_world *w, sb_xy at, const char *symbol) {
    const int arrow = code_in(">v<^", symbol[0]), door = code_in("/+*", symbol[0]), thing = code_in("KOX", symbol[0]);
    const int colour = code_in("rgbpya", symbol[1]);
    if (symbol[0] == '#') sb_mg_put_wall(w, at);
    if (arrow >= 0) w->agent = at, w->facing = (uint8_t)arrow;
    if (door < 0 && thing < 0) return;
    const int id = sb_mg_make_object(w, door >= 0 ? SB_MG_DOOR : (sb_mg_type)(SB_MG_KEY + thing), (sb_mg_colour)colour);
    w->objects[id].open = door == SB_MG_OPENED, w->objects[id].locked = door == SB_MG_LOCKED;
    sb_mg_put(w, id, at);
}

/* ---- Missions of their texts: docs/babyai.md, "Missions" ---- */

static bool take(const char **at, const char *words) {
    const size_t n = strlen(words);
    if (strncmp(*at, words, n) != 0) return false;
    *at += n;
    return true;
}

/* The index of the words that come next, or n. */
static uint8_t take_one_of(const char **at, const char *const words[], uint8_t n) {
    uint8_t i = 0;
    while (i < n && !(words[i] && *words[i] && take(at, words[i]))) i++;
    return i;
}

static sb_mg_description read_description(const char **at) {
    static const char *const places[] = {"", " on your left", " on your right", " in front of you", " behind you"};
    sb_mg_description d = {.several = take(at, "a ")};
    if (!d.several && !take(at, "the ")) fail_msg("no article: %s", *at);
    d.colour = take_one_of(at, sb_mg_colour_names, SB_MG_N_COLOURS);
    if (d.colour != SB_MG_ANY_COLOUR) take(at, " ");
    d.type = take(at, "object") ? SB_MG_UNSEEN : take_one_of(at, sb_mg_type_names, SB_MG_BOX + 1);
    d.location = (uint8_t)(take_one_of(at, places, SB_MG_N_LOCATIONS) % SB_MG_N_LOCATIONS);
    return d;
}

static sb_mg_part read_part(const char **at) {
    static const char *const verbs[] = {"go to ", "pick up ", "open ", "put "};
    sb_mg_part part = {0};
    do {
        sb_mg_single *s = &part.single[part.n_singles++];
        s->verb = take_one_of(at, verbs, SB_MG_PUT_NEXT + 1);
        s->what = read_description(at);
        if (s->verb == SB_MG_PUT_NEXT && take(at, " next to ")) s->to = read_description(at);
    } while (part.n_singles < 2 && take(at, " and "));
    return part;
}

/* Nothing is tracked, and nothing is strict: texts do not tell. */
static sb_mg_mission mission_of(const char *text) {
    sb_mg_mission m;
    memset(&m, 0, sizeof m);
    m.part[0] = read_part(&text);
    m.order = take(&text, ", then ") ? SB_MG_BEFORE : take(&text, " after you ") ? SB_MG_AFTER : SB_MG_ALONE;
    if (m.order != SB_MG_ALONE) m.part[1] = read_part(&text);
    assert_string_equal(text, "");
    return m;
}

static sb_mg_world sketch(const char *mission, const char *const rows[]) {
    sb_error error;
    sb_mg_world w;
    const int side = (int)(strlen(rows[0]) + 1) / 3;
    sb_mg_clear(&w, side, 1, 1);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) sketch_cell(&w, sb_at(x, y), rows[y] + 3 * (ptrdiff_t)x);
    w.max_steps = 100;
    w.mission = mission_of(mission);
    assert_ok(sb_mg_begin_tracking(&w, &error), error);
    return w;
}

/* Takes a step for each letter (l r f, p pickup, d drop, t toggle, . done). Returns the outcome of the last; earlier
 * ones must not end the episode. */
static sb_result play(sb_mg_world *w, const char *letters) {
    sb_result result = {0};
    for (; *letters; letters++) {
        assert_false(result.terminated);
        sb_mg_step(w, (sb_mg_action)code_in("lrfpdt.", *letters), &result);
    }
    return result;
}

static void assert_continues(sb_mg_world *w, const char *letters) { assert_false(play(w, letters).terminated); }

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

static const char *const things[] = {"## ## ## ## ##", //
                                     "## .. Or .. ##", //
                                     "## Xg >> Kb ##", //
                                     "## .. .. .. ##", //
                                     "## ## ## ## ##"};

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
