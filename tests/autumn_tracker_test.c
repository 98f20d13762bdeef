/* The support tracker of Autumn, held against all sequences of draws, one after the other. */
#include "generators/autumn/challenges/tracker.h"

#include <stdlib.h>

#include "generators/autumn/programs.h"
#include "seeds/rng.h"
#include "tests/autumn_support.h"

enum { CELLS_MAX = 64, STEPS_MAX = 6 };

/* A walker, a hidden counter that is drawn, and a lamp that shows now and then what the counter is. */
static const char walker[] =
    "(program (= GRID_SIZE 5) (object Walker (Cell 0 0 \"red\")) (object Lamp (: lit Bool) (Cell 0 0 (if lit then "
    "\"gold\" else \"gray\")))"
    "(= count (initnext 0 (% (+ (prev count) (uniformChoice (range 0 2))) 3)))"
    "(= lamp (initnext (Lamp false (Position 4 4)) (updateObj (prev lamp) \"lit\" (== count 2))))"
    "(= walker (initnext (Walker (Position 2 2)) (move (prev walker) (Position (uniformChoice (list -1 0 1)) 0))))"
    "(on left (= walker (moveUp walker))) (on (& right (== count 1)) (= walker (moveDown walker))))";
/* The number of draws depends on earlier draws. */
static const char branching[] =
    "(program (= GRID_SIZE 4) (object Dot (Cell 0 0 \"red\")) (= dots (initnext (list) (prev dots)))"
    "(= age (initnext 0 (uniformChoice (range 0 2))))"
    "(on (== age 1) (= dots (addObj (list) (Dot (Position (uniformChoice (range 0 4)) (uniformChoice (list 0 1)))))))"
    "(on left (= age (uniformChoice (range 0 3)))) (on right (= dots (list))))";
/* No draws at all in steps. */
static const char fixed[] = "(program (= GRID_SIZE 4) (object Dot (Cell 0 0 \"red\"))"
                            "(= dot (initnext (Dot (Position (uniformChoice (range 0 4)) 0)) (moveDown (prev dot)))))";

static sb_autumn_state *started(const sb_autumn_program *program, uint64_t seed) {
    sb_autumn_state *state = new_state(program);
    assert_true(sb_autumn_start(state, SB_AUTUMN_PCG64, seed, NULL));
    return state;
}

typedef struct course {
    sb_autumn_event events[STEPS_MAX];
    uint32_t frames[STEPS_MAX][CELLS_MAX];
    uint32_t size;
    size_t n;
} course;

static bool fits(const sb_autumn_state *state, const uint32_t *shown, uint32_t size) {
    uint32_t frame[CELLS_MAX];
    if (sb_autumn_size(state) != size) return false;
    sb_autumn_frame(state, frame);
    for (uint32_t i = 0; i < size * size; i++)
        if (shown[i] != SB_AUTUMN_UNSEEN && shown[i] != frame[i]) return false;
    return true;
}

/* Plays random actions, hides some cells, and if wanted exchanges two cells of a frame. */
static course play(const sb_autumn_state *start, uint64_t seed, bool spoil) {
    course c = {.n = STEPS_MAX, .size = sb_autumn_size(start)};
    sb_autumn_state *state = new_state(sb_autumn_program_of(start));
    sb_rng rng;
    sb_rng_seed(&rng, seed, NULL);
    assert_true(sb_autumn_copy(state, start));
    sb_autumn_reseed(state, seed);
    for (size_t i = 0; i < c.n; i++) {
        c.events[i] = (sb_autumn_event){.key = (sb_autumn_key)sb_bounded(&rng, 2)};
        assert_true(sb_autumn_step(state, c.events[i], NULL));
        sb_autumn_frame(state, c.frames[i]);
        for (uint32_t k = 0; k < c.size * c.size; k++)
            if (sb_bounded(&rng, 3) == 0) c.frames[i][k] = SB_AUTUMN_UNSEEN;
    }
    if (spoil) {
        uint32_t *const frame = c.frames[sb_bounded(&rng, c.n - 1)], n = c.size * c.size, a = 0, b = 0;
        for (int k = 0; k < 99 && frame[a] == frame[b]; k++)
            a = (uint32_t)sb_bounded(&rng, n - 1), b = (uint32_t)sb_bounded(&rng, n - 1);
        const uint32_t old = frame[a];
        frame[a] = frame[b], frame[b] = old;
    }
    sb_autumn_free(state);
    return c;
}

/* All sequences of draws of the first n steps, each played from the start; says whether one fits, and gathers the
 * different states that those lead to. */
typedef struct found {
    uint64_t keys[20000][2];
    size_t n;
} found;

static void brute_force(const sb_autumn_state *start, const course *c, size_t n, found *f) {
    sb_autumn_tape tapes[STEPS_MAX];
    sb_autumn_state *states[STEPS_MAX + 1];
    size_t depth = 0;
    for (size_t i = 0; i <= n; i++) states[i] = new_state(sb_autumn_program_of(start));
    assert_true(sb_autumn_copy(states[0], start));
    f->n = 0;
    for (size_t i = 0; i < n; i++) tapes[i] = (sb_autumn_tape){.records = true, .zero = true};
    while (true) {
        assert_true(sb_autumn_copy(states[depth + 1], states[depth]));
        assert_true(sb_autumn_step(states[depth + 1], c->events[depth], &tapes[depth]));
        const bool ok = fits(states[depth + 1], c->frames[depth], c->size);
        if (ok && depth + 1 < n) {
            depth++;
            tapes[depth].n = tapes[depth].used = 0;
            continue;
        }
        if (ok) {
            uint64_t key[2];
            assert_true(sb_autumn_hash(states[n], false, key));
            size_t i = 0;
            while (i < f->n && memcmp(f->keys[i], key, sizeof key) != 0) i++;
            if (i == f->n) memcpy(f->keys[f->n++], key, sizeof key);
        }
        while (!sb_autumn_tape_next(&tapes[depth])) {
            if (depth-- == 0) goto done;
        }
    }
done:
    for (size_t i = 0; i <= n; i++) sb_autumn_free(states[i]);
    for (size_t i = 0; i < n; i++) sb_autumn_tape_free(&tapes[i]);
}

static bool has(const found *f, const sb_autumn_state *state) {
    uint64_t key[2];
    assert_true(sb_autumn_hash(state, false, key));
    for (size_t i = 0; i < f->n; i++)
        if (memcmp(f->keys[i], key, sizeof key) == 0) return true;
    return false;
}

/* Returns how many courses turned out to be impossible. */
static size_t compare(const char *text, size_t n_courses) {
    static found f;
    size_t impossible = 0;
    sb_autumn_program *program = load(text);
    sb_autumn_state *start = started(program, 3);
    sb_autumn_tracker *tracker = sb_autumn_tracker_new(program, NULL);
    for (uint64_t seed = 0; seed < n_courses; seed++) {
        const course c = play(start, seed, seed % 2);
        sb_autumn_verdict verdict = SB_AUTUMN_POSSIBLE, asked;
        assert_true(sb_autumn_tracker_begin(tracker, start));
        for (size_t i = 0; i < c.n && verdict == SB_AUTUMN_POSSIBLE; i++) {
            brute_force(start, &c, i + 1, &f);
            const sb_autumn_shown shown = {c.size, c.frames[i]};
            assert_true(sb_autumn_tracker_ask(tracker, c.events[i], shown, &asked));
            assert_true(sb_autumn_tracker_step(tracker, c.events[i], shown, &verdict));
            assert_int_equal(verdict, f.n ? SB_AUTUMN_POSSIBLE : SB_AUTUMN_IMPOSSIBLE);
            assert_int_equal(asked, verdict);
            assert_int_equal(sb_autumn_tracker_n(tracker), f.n);
            for (size_t k = 0; k < f.n; k++) assert_true(has(&f, sb_autumn_tracker_at(tracker, k)));
        }
        impossible += verdict == SB_AUTUMN_IMPOSSIBLE;
        assert_true(seed % 2 || verdict == SB_AUTUMN_POSSIBLE);
    }
    sb_autumn_tracker_free(tracker);
    sb_autumn_free(start);
    sb_autumn_unload(program);
    return impossible;
}

static void test_it_holds_exactly_the_states_that_some_draws_lead_to(void **unused) {
    (void)unused;
    assert_in_range(compare(walker, 60), 5, 30);
    assert_in_range(compare(branching, 60), 1, 30);
    assert_in_range(compare(fixed, 60), 1, 30);
}

/* ---- Limits ------------------------------------------------------------------------------------------------------ */

static void test_behind_a_limit_nothing_is_impossible(void **unused) {
    (void)unused;
    const sb_autumn_support_limits limits[] = {{.branches = 2}, {.states = 1}, {.total = 3}};
    sb_autumn_program *program = load(walker);
    sb_autumn_state *start = started(program, 3);
    const course c = play(start, 4, false);
    uint32_t wrong[CELLS_MAX];
    for (size_t i = 0; i < CELLS_MAX; i++) wrong[i] = sb_autumn_background(start) + 1;
    for (size_t l = 0; l < 3; l++) {
        sb_autumn_tracker *tracker = sb_autumn_tracker_new(program, &limits[l]);
        sb_autumn_verdict verdict = SB_AUTUMN_POSSIBLE;
        assert_true(sb_autumn_tracker_begin(tracker, start));
        for (size_t i = 0; i < c.n; i++)
            assert_true(sb_autumn_tracker_step(tracker, c.events[i], (sb_autumn_shown){c.size, c.frames[i]}, &verdict));
        assert_int_equal(verdict, SB_AUTUMN_UNKNOWN);
        const sb_autumn_shown shown = {c.size, wrong};
        assert_true(sb_autumn_tracker_ask(tracker, c.events[0], shown, &verdict));
        assert_int_equal(verdict, SB_AUTUMN_UNKNOWN);
        assert_true(sb_autumn_tracker_step(tracker, c.events[0], shown, &verdict));
        assert_int_equal(verdict, SB_AUTUMN_UNKNOWN);
        sb_autumn_tracker_free(tracker);
    }
    sb_autumn_free(start);
    sb_autumn_unload(program);
}

static void test_particles_find_what_is_possible_and_prove_nothing_impossible(void **unused) {
    (void)unused;
    const sb_autumn_support_limits limits = {.states = 1, .particles = 100};
    sb_autumn_program *program = load(walker);
    sb_autumn_state *start = started(program, 3);
    sb_autumn_tracker *tracker = sb_autumn_tracker_new(program, &limits);
    sb_autumn_verdict verdict = SB_AUTUMN_UNKNOWN;
    const course c = play(start, 4, false);
    assert_true(sb_autumn_tracker_begin(tracker, start));
    for (size_t i = 0; i < c.n; i++)
        assert_true(sb_autumn_tracker_step(tracker, c.events[i], (sb_autumn_shown){c.size, c.frames[i]}, &verdict));
    assert_int_equal(verdict, SB_AUTUMN_POSSIBLE);
    uint32_t wrong[CELLS_MAX];
    for (size_t i = 0; i < CELLS_MAX; i++) wrong[i] = sb_autumn_background(start) + 1;
    assert_true(sb_autumn_tracker_step(tracker, c.events[0], (sb_autumn_shown){c.size, wrong}, &verdict));
    assert_int_equal(verdict, SB_AUTUMN_UNKNOWN);
    sb_autumn_tracker_free(tracker);
    sb_autumn_free(start);
    sb_autumn_unload(program);
}

static void test_where_nothing_is_drawn_there_is_one_state(void **unused) {
    (void)unused;
    sb_autumn_program *program = load(fixed);
    sb_autumn_state *start = started(program, 5), *state = started(program, 5);
    sb_autumn_tracker *tracker = sb_autumn_tracker_new(program, NULL);
    sb_autumn_verdict verdict;
    uint32_t frame[CELLS_MAX];
    assert_true(sb_autumn_tracker_begin(tracker, start));
    for (int i = 0; i < 3; i++) {
        assert_true(sb_autumn_step(state, (sb_autumn_event){0}, NULL));
        sb_autumn_frame(state, frame);
        assert_true(sb_autumn_tracker_step(tracker, (sb_autumn_event){0}, (sb_autumn_shown){4, frame}, &verdict));
    }
    assert_int_equal(verdict, SB_AUTUMN_POSSIBLE);
    assert_int_equal(sb_autumn_tracker_largest(tracker), 1);
    assert_false(sb_autumn_tracker_drew(tracker));
    sb_autumn_tracker_free(tracker);
    sb_autumn_free(start), sb_autumn_free(state);
    sb_autumn_unload(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_holds_exactly_the_states_that_some_draws_lead_to),
        cmocka_unit_test(test_behind_a_limit_nothing_is_impossible),
        cmocka_unit_test(test_particles_find_what_is_possible_and_prove_nothing_impossible),
        cmocka_unit_test(test_where_nothing_is_drawn_there_is_one_state)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
