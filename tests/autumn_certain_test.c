/* Challenges of Autumn are certain: a change acts just when its frame becomes impossible, masked contents are the same
 * under all draws, a change that is off changes nothing, and no draw touches what is said to be clean. */
#include "generators/autumn/challenges/changing.h"
#include "tests/autumn_challenge_support.h"

/* ---- All draws, without the tracker ------------------------------------------------------------------------------ */

enum { STATES_MAX = 3000 };

typedef struct all {
    sb_autumn_state *now[STATES_MAX], *next[STATES_MAX];
    uint64_t keys[STATES_MAX][2];
    size_t n;
} all;

static void begin(all *a, const sb_autumn_state *start) {
    if (!a->now[0]) a->now[0] = new_state(sb_autumn_program_of(start));
    assert_true(sb_autumn_copy(a->now[0], start));
    a->n = 1;
}

static void free_all(all *a) {
    for (size_t i = 0; i < STATES_MAX; i++) sb_autumn_free(a->now[i]), sb_autumn_free(a->next[i]);
    memset(a, 0, sizeof *a);
}

/* Steps all states with all draws and keeps those that show this; cells may be SB_AUTUMN_UNSEEN. */
static void step_all(all *a, const sb_autumn_program *p, sb_autumn_event event, const uint32_t *shown, uint32_t n) {
    static uint32_t frame[64 * 64];
    sb_autumn_state *const state = new_state(p);
    size_t kept = 0;
    for (size_t i = 0; i < a->n; i++) {
        sb_autumn_tape tape = {.records = true, .zero = true};
        do {
            uint64_t key[2];
            bool fits = true;
            assert_true(sb_autumn_copy(state, a->now[i]));
            assert_true(sb_autumn_step(state, event, &tape));
            sb_autumn_frame(state, frame);
            for (uint32_t k = 0; k < n && fits; k++) fits = shown[k] == SB_AUTUMN_UNSEEN || shown[k] == frame[k];
            if (!fits) continue;
            assert_true(sb_autumn_hash(state, false, key));
            size_t at = 0;
            while (at < kept && memcmp(a->keys[at], key, sizeof key) != 0) at++;
            if (at < kept) continue;
            assert_true(kept < STATES_MAX);
            memcpy(a->keys[kept], key, sizeof key);
            if (!a->next[kept]) a->next[kept] = new_state(p);
            assert_true(sb_autumn_copy(a->next[kept++], state));
        } while (sb_autumn_tape_next(&tape));
        sb_autumn_tape_free(&tape);
    }
    for (size_t i = 0; i < kept; i++) {
        sb_autumn_state *const old = a->now[i];
        a->now[i] = a->next[i], a->next[i] = old;
    }
    a->n = kept;
    sb_autumn_free(state);
}

/* ---- The time of a change ---------------------------------------------------------------------------------------- */

/* Plays random actions until the change acts, or 120 steps. In each step before it some draws under the unchanged
 * program give what was shown, and in that step none do. Returns whether it acted. */
static bool follow(sb_autumn_study *s, const sb_autumn_challenge *c, uint64_t number) {
    static all a;
    static uint32_t shown[64 * 64];
    bool no_memory;
    sb_rng rng;
    const uint64_t noise = sb_autumn_noise(c->name.seed, "followed", number);
    sb_autumn_changing *test = sb_autumn_changing_new(s->text, s->n, c->edits, c->n_edits, &no_memory);
    sb_autumn_state *start = new_state(s->program);
    assert_non_null(test);
    assert_true(sb_autumn_changing_begin(test, &c->guard, c->name.seed, noise));
    assert_true(sb_autumn_start(start, SB_AUTUMN_PCG64, c->name.seed, NULL));
    begin(&a, start);
    sb_rng_seed(&rng, number, NULL);
    for (uint32_t t = 1; t <= 120 && !sb_autumn_changing_acted(test) && !sb_autumn_changing_lost(test); t++) {
        const sb_autumn_event event = sb_autumn_random_event(&rng, s->size);
        assert_true(sb_autumn_changing_step(test, event));
        assert_true(sb_autumn_changing_strings(test, s, shown));
        step_all(&a, s->program, event, shown, s->n_cells);
        if (sb_autumn_changing_acted(test)) {
            assert_int_equal(sb_autumn_changing_acted(test), t);
            assert_true(c->guard.cells >= 2);
            assert_true(sb_autumn_changing_differences(test, sb_autumn_changing_unchanged(test),
                                                       sb_autumn_changing_state(test)) >= c->guard.cells);
            assert_int_equal(a.n, 0);
        } else {
            assert_true(a.n > 0);
        }
    }
    const bool acted = sb_autumn_changing_acted(test) != 0;
    free_all(&a);
    sb_autumn_free(start);
    sb_autumn_changing_free(test);
    return acted;
}

static void test_a_change_acts_when_what_is_shown_becomes_impossible(void **unused) {
    (void)unused;
    static const char *const programs[] = {"Basket",    "TwoClocks",   "StackSwing",   "PlankBridge", "FerryQueue",
                                           "CanalLock", "HiddenWires", "SpringCannon", "TokenNet",    "DyePots"};
    size_t acted = 0;
    for (size_t i = 0; i < 10; i++) {
        sb_autumn_study *study = study_of(programs[i]);
        for (uint32_t k = 0; k < 3; k++) {
            sb_autumn_challenge c = derived(study, SB_AUTUMN_CHANGE, 1 + k % 2, 20 + k);
            acted += follow(study, &c, k) || follow(study, &c, 100 + k);
            sb_autumn_challenge_clear(&c);
        }
        sb_autumn_study_free(study);
    }
    assert_in_range(acted, 15, 30);
}

/* ---- Certain answers --------------------------------------------------------------------------------------------- */

/* Follows all draws that explain what the challenge shows. */
static void follow_all(all *a, sb_autumn_study *s, const sb_autumn_challenge *c) {
    static uint32_t shown[64 * 64];
    assert_true(sb_autumn_copy(s->a, s->start));
    begin(a, s->start);
    for (uint32_t t = 1; t <= c->n_actions; t++) {
        assert_true(sb_autumn_step(s->a, c->actions[t - 1], NULL));
        sb_autumn_frame(s->a, shown);
        for (uint32_t k = 0; k < s->n_cells; k++)
            if (t + c->masked > c->n_actions && c->mask[k]) shown[k] = SB_AUTUMN_UNSEEN;
        step_all(a, s->program, c->actions[t - 1], shown, s->n_cells);
    }
    assert_true(a->n > 0);
}

static void assert_masked_contents(const all *a, const sb_autumn_study *s, const sb_autumn_challenge *c) {
    static uint32_t frame[64 * 64];
    for (size_t k = 0; k < a->n; k++) {
        sb_autumn_frame(a->now[k], frame);
        for (uint32_t at = 0, m = 0; at < s->n_cells; at++)
            if (c->mask[at])
                assert_string_equal(sb_autumn_string(s->program, frame[at]),
                                    c->colours[c->options[c->answer * c->n_mask + m++]]);
    }
}

static void test_masked_contents_are_certain_under_all_draws(void **unused) {
    (void)unused;
    static const char *const programs[] = {"Basket", "TwoClocks", "StackSwing", "FerryQueue"};
    static all a;
    for (size_t i = 0; i < 4; i++) {
        sb_autumn_study *s = study_of(programs[i]);
        for (uint32_t level = i < 2 ? 1 : 2; level <= 3; level++) {
            sb_autumn_challenge c = derived_from(s, SB_AUTUMN_MFP, level, 5);
            sb_error error;
            assert_true(sb_autumn_study_start(s, c.name.seed, &error));
            follow_all(&a, s, &c);
            assert_masked_contents(&a, s, &c);
            free_all(&a);
            sb_autumn_challenge_clear(&c);
        }
        sb_autumn_study_free(s);
    }
}

/* ---- Mutations --------------------------------------------------------------------------------------------------- */

static void test_a_change_that_is_off_changes_nothing(void **unused) {
    (void)unused;
    static uint32_t frames[2][64 * 64];
    size_t differ = 0;
    for (size_t i = 0; i < SB_AUTUMN_N_PROGRAMS; i += 3) {
        const char *name = sb_autumn_task_at(i)->name;
        sb_autumn_study *s = study_of(name);
        for (size_t k = i % 7; k < s->mutations.n; k += 1 + s->mutations.n / 8) {
            const sb_autumn_mutation *m = &s->mutations.all[k];
            sb_out text = sb_out_growing();
            assert_true(sb_autumn_mutated(s->text, s->n, m->edits, m->n_edits, &text));
            sb_put(&text, "", 1);
            sb_autumn_program *program = load(text.data);
            sb_autumn_state *plain = new_state(s->program), *off = new_state(program), *on = new_state(program);
            assert_true(sb_autumn_start(plain, SB_AUTUMN_PCG64, 1, NULL));
            assert_true(sb_autumn_start(off, SB_AUTUMN_PCG64, 1, NULL));
            sb_rng rng;
            sb_rng_seed(&rng, k, NULL);
            bool differs = false;
            for (int t = 0; t < 40; t++) {
                const sb_autumn_event event = sb_autumn_random_event(&rng, sb_autumn_size(plain));
                assert_true(sb_autumn_copy(on, off));
                sb_autumn_switch(on, true);
                assert_true(sb_autumn_step(plain, event, NULL));
                assert_true(sb_autumn_step(off, event, NULL));
                if (strcmp(drawing(plain), drawing(off)) != 0) {
                    sb_autumn_frame(plain, frames[0]), sb_autumn_frame(off, frames[1]);
                    fail_msg("%s: mutation %zu changes frames though it is off", name, k);
                }
                const size_t n = sb_autumn_n_cells(off); /* may be 0, then there are no cells to point to */
                differs |= !sb_autumn_step(on, event, NULL) || sb_autumn_n_cells(on) != n ||
                           (n && memcmp(sb_autumn_cells(on), sb_autumn_cells(off), n * sizeof(sb_autumn_cell)) != 0);
            }
            differ += differs;
            sb_autumn_free(plain), sb_autumn_free(off), sb_autumn_free(on);
            sb_autumn_unload(program);
            sb_out_free(&text);
        }
        sb_autumn_study_free(s);
    }
    assert_true(differ > 25);
}

/* ---- What chance cannot touch ------------------------------------------------------------------------------------ */

static void test_other_draws_never_contradict_the_clean_part(void **unused) {
    (void)unused;
    static uint32_t frame[64 * 64], base[64 * 64];
    static bool open[64 * 64];
    for (size_t i = 0; i < SB_AUTUMN_N_PROGRAMS; i++) {
        sb_autumn_study *s = study_of(sb_autumn_task_at(i)->name);
        sb_error error;
        sb_rng rng;
        sb_rng_seed(&rng, i, NULL);
        assert_true(sb_autumn_study_start(s, 1, &error));
        assert_true(sb_autumn_copy(s->a, s->start) && sb_autumn_copy(s->b, s->start));
        sb_autumn_reseed(s->b, 12345);
        for (int t = 0; t < (TESTS_ARE_SLOW ? 30 : 150); t++) {
            const sb_autumn_event event = sb_autumn_random_event(&rng, s->size);
            assert_true(sb_autumn_step(s->a, event, NULL) && sb_autumn_step(s->b, event, NULL));
            sb_autumn_frame(s->b, frame);
            if (sb_autumn_clean_contradicts(&s->clean, s->a, frame, sb_autumn_size(s->b), base, open))
                fail_msg("%s: step %d", s->name, t);
        }
        sb_autumn_study_free(s);
    }
}

/* A lamp on a board that is drawn over all that chance touches. The noise cannot be seen, so that it has more values
 * than the tracker holds states. */
static const char lamp_text[] =
    "(program (= GRID_SIZE 8) (object Spark (Cell 0 0 \"red\")) (object Board (Cell 0 0 \"gray\"))"
    "(object Lamp (list (Cell 0 0 \"blue\") (Cell 1 0 \"green\")))"
    "(= noise (initnext 0 (uniformChoice (range 0 1000))))"
    "(= spark (initnext (Spark (Position 0 0)) (Spark (Position (uniformChoice (range 0 4)) 0))))"
    "(= board (initnext (map (--> place (Board place)) (rect (Position 0 3) (Position 8 8))) (prev board)))"
    "(= lamp (initnext (Lamp (Position 3 5)) (prev lamp)))"
    "(on left (= lamp (moveLeft lamp))) (on right (= lamp (moveRight lamp)))"
    "(on up (= lamp (moveUp lamp))) (on down (= lamp (moveDown lamp))))";

/* Other draws change nothing in the mask. */
static void assert_untouched(sb_autumn_study *s, const sb_autumn_challenge *c) {
    static uint32_t frame[64 * 64];
    for (uint64_t k = 0; k < 20; k++) {
        assert_true(sb_autumn_copy(s->a, s->start));
        sb_autumn_reseed(s->a, k);
        for (uint32_t t = 0; t < c->n_actions; t++) assert_true(sb_autumn_step(s->a, c->actions[t], NULL));
        sb_autumn_frame(s->a, frame);
        for (uint32_t at = 0, m = 0; at < s->n_cells; at++)
            if (c->mask[at])
                assert_string_equal(sb_autumn_string(s->program, frame[at]),
                                    c->colours[c->options[c->answer * c->n_mask + m++]]);
    }
}

static void test_what_chance_cannot_touch_proves_predictions_and_changes(void **unused) {
    (void)unused;
    sb_error error;
    sb_autumn_study *study = sb_autumn_study_new("Lamp", lamp_text, sizeof lamp_text - 1, &error);
    if (!study) fail_msg("%s", error.text);
    static const sb_autumn_challenge_kind kinds[] = {SB_AUTUMN_MFP, SB_AUTUMN_CHANGE};
    for (size_t i = 0; i < 2; i++) {
        sb_autumn_challenge c = derived(study, kinds[i], 1, 1);
        assert_int_equal(c.proof, SB_AUTUMN_CLEAN);
        if (!sb_autumn_audit(study, &c, &error)) fail_msg("%s", error.text);
        if (kinds[i] == SB_AUTUMN_MFP) assert_untouched(study, &c);
        c.proof = SB_AUTUMN_ENUMERATED;
        assert_false(sb_autumn_audit(study, &c, &error));
        assert_string_equal(error.text, "the certificate is another");
        sb_autumn_challenge_clear(&c);
    }
    sb_autumn_study_free(study);
}

static void test_a_clean_thing_that_is_missing_is_a_contradiction(void **unused) {
    (void)unused;
    static const char program_text[] =
        "(program (= GRID_SIZE 4) (object A (Cell 0 0 \"red\")) (object B (Cell 0 0 \"blue\"))"
        "(= walker (initnext (A (Position 1 1)) (A (Position (uniformChoice (range 0 4)) 1))))"
        "(= lamp (initnext (B (Position 2 2)) (prev lamp))) (on left (= lamp (moveLeft lamp))))";
    uint32_t frame[16], base[16];
    bool open[16];
    sb_autumn_program *program = load(program_text);
    sb_autumn_state *state = new_state(program);
    sb_autumn_clean clean;
    assert_true(sb_autumn_clean_find(program, &clean));
    assert_true(sb_autumn_start(state, SB_AUTUMN_PCG64, 1, NULL));
    sb_autumn_frame(state, frame);
    assert_false(sb_autumn_clean_contradicts(&clean, state, frame, 4, base, open));
    const uint32_t red = frame[5], blue = frame[10], black = frame[0];
    frame[5] = black, frame[0] = red; /* the walker may be anywhere */
    assert_false(sb_autumn_clean_contradicts(&clean, state, frame, 4, base, open));
    frame[10] = red; /* but it is drawn below the lamp */
    assert_true(sb_autumn_clean_contradicts(&clean, state, frame, 4, base, open));
    frame[10] = blue, frame[11] = blue; /* and nothing else is blue */
    assert_true(sb_autumn_clean_contradicts(&clean, state, frame, 4, base, open));
    sb_autumn_clean_free(&clean);
    sb_autumn_free(state);
    sb_autumn_unload(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_change_acts_when_what_is_shown_becomes_impossible),
                                       cmocka_unit_test(test_masked_contents_are_certain_under_all_draws),
                                       cmocka_unit_test(test_a_change_that_is_off_changes_nothing),
                                       cmocka_unit_test(test_other_draws_never_contradict_the_clean_part),
                                       cmocka_unit_test(test_what_chance_cannot_touch_proves_predictions_and_changes),
                                       cmocka_unit_test(test_a_clean_thing_that_is_missing_is_a_contradiction)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
