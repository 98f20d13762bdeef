/* Challenges of Autumn: that they are functions of their names, that audits find what was altered, that the options do
 * not give the answer away, and that goals are reached neither by chance nor at once. */
#include "generators/autumn/challenges/challenge.h"

#include <stdlib.h>

#include "generators/autumn/challenges/pack.h"
#include "generators/autumn/challenges/study.h"
#include "tests/autumn_challenge_support.h"

/* Both lines, one behind the other. */
static sb_out text_of_challenge(const sb_autumn_challenge *c) {
    sb_out task = sb_out_growing(), answer = sb_out_growing();
    sb_autumn_challenge_put(c, &task, &answer);
    sb_put_out(&task, &answer);
    assert_true(sb_out_ok(&task));
    sb_out_free(&answer);
    return task;
}

static void assert_same_text(const sb_out *a, const sb_out *b) {
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
}

/* ---- Names and texts --------------------------------------------------------------------------------------------- */

static void test_a_challenge_depends_on_nothing_but_its_name(void **unused) {
    (void)unused;
    static const char *const programs[] = {"Seesaw", "Basket", "Triad"};
    for (size_t i = 0; i < 3; i++) {
        sb_autumn_study *worked = study_of(programs[i]);
        for (int kind = 0; kind < SB_AUTUMN_N_CHALLENGES; kind++) {
            if (i == 1 && kind == SB_AUTUMN_PLANNING) continue; /* has none */
            sb_autumn_study *fresh = study_of(programs[i]);
            sb_autumn_challenge other = derived(worked, SB_AUTUMN_MFP, 2, 9);
            sb_autumn_challenge a = derived(worked, (sb_autumn_challenge_kind)kind, 2, 4);
            sb_autumn_challenge b = derived(fresh, (sb_autumn_challenge_kind)kind, 2, 4);
            sb_out first = text_of_challenge(&a), second = text_of_challenge(&b);
            assert_same_text(&first, &second);
            sb_out_free(&first), sb_out_free(&second);
            sb_autumn_challenge_clear(&other), sb_autumn_challenge_clear(&a), sb_autumn_challenge_clear(&b);
            sb_autumn_study_free(fresh);
        }
        sb_autumn_study_free(worked);
    }
}

static void test_texts_are_read_back(void **unused) {
    (void)unused;
    sb_autumn_study *study = study_of("Seesaw");
    for (int kind = 0; kind < SB_AUTUMN_N_CHALLENGES; kind++)
        for (uint32_t level = 1; level <= SB_AUTUMN_LEVELS; level++) {
            sb_autumn_challenge c = derived_from(study, (sb_autumn_challenge_kind)kind, level, 1), again;
            sb_out task = sb_out_growing(), answer = sb_out_growing();
            sb_error error;
            sb_autumn_challenge_put(&c, &task, &answer);
            if (!sb_autumn_challenge_parse(task.data, task.size, answer.data, answer.size, &again, &error))
                fail_msg("%s", error.text);
            sb_out first = text_of_challenge(&c), second = text_of_challenge(&again);
            assert_same_text(&first, &second);
            if (!sb_autumn_audit(study, &again, &error)) fail_msg("%s", error.text);
            task.data[task.size / 2] ^= 1;
            sb_autumn_challenge_clear(&again);
            assert_false(sb_autumn_challenge_parse(task.data, task.size, answer.data, answer.size, &again, &error));
            sb_out_free(&first), sb_out_free(&second), sb_out_free(&task), sb_out_free(&answer);
            sb_autumn_challenge_clear(&c), sb_autumn_challenge_clear(&again);
        }
    sb_autumn_study_free(study);
}

static void test_what_cannot_be_derived_says_why(void **unused) {
    (void)unused;
    static const char still[] = "(program (= GRID_SIZE 5) (object A (Cell 0 0 \"red\"))"
                                "(= a (initnext (A (Position 0 0)) (prev a))))";
    sb_error error;
    sb_autumn_challenge c;
    sb_autumn_study *study = sb_autumn_study_new("Still", still, sizeof still - 1, &error);
    assert_non_null(study);
    assert_false(sb_autumn_derive(study, SB_AUTUMN_MFP, 1, 1, &c, &error));
    assert_int_equal(error.code, SB_INVALID);
    assert_string_equal(error.text, "Still: only 1 different frames were reached, challenges need 4");
    sb_autumn_challenge_clear(&c);
    sb_autumn_study_free(study);
    assert_null(sb_autumn_study_new("Wrong", "(program", 8, &error));
}

/* Where actions do nothing there are no six contents, and that is not tried for long. */
static void test_a_program_without_six_contents_is_given_up_soon(void **unused) {
    (void)unused;
    static const char clock[] = "(program (= GRID_SIZE 9) (object A (Cell 0 0 \"red\"))"
                                "(= a (initnext (A (Position 0 0)) (updateObj (prev a) \"origin\" (Position "
                                "(% (+ 1 (.. (.. (prev a) origin) x)) 9) 0)))))";
    for (uint32_t level = 1; level <= SB_AUTUMN_LEVELS; level++) {
        sb_error error;
        sb_autumn_challenge c;
        sb_autumn_study *study = sb_autumn_study_new("Clock", clock, sizeof clock - 1, &error);
        assert_non_null(study);
        assert_false(sb_autumn_derive(study, SB_AUTUMN_MFP, level, 1, &c, &error));
        assert_non_null(strstr(error.text, "there were not enough other contents to choose from"));
        assert_int_equal(c.attempt, 39);
        sb_autumn_challenge_clear(&c);
        sb_autumn_study_free(study);
    }
}

static bool asks_what_is_kept(const sb_autumn_apart *apart, const sb_autumn_challenge *c) {
    sb_error error;
    bool has;
    assert_true(sb_autumn_apart_has(apart, c, &has, &error));
    return has;
}

/* Of a goal, only the cells that count: what else its frame shows is asked of nobody. */
static void test_goals_on_the_same_cells_are_the_same_question(void **unused) {
    (void)unused;
    sb_error error;
    sb_autumn_apart apart = {0};
    sb_autumn_study *study = study_of("Seesaw");
    sb_autumn_challenge c = derived_from(study, SB_AUTUMN_PLANNING, 2, 1);
    assert_true(sb_autumn_apart_add(&apart, &c, &error));
    c.name.seed += 1000; /* another name */
    assert_true(asks_what_is_kept(&apart, &c));
    for (uint32_t i = 0; i < c.size * c.size; i++) {
        const uint8_t shown = c.frames[i];
        c.frames[i] = (uint8_t)((shown + 1) % c.n_colours);
        assert_int_equal(asks_what_is_kept(&apart, &c), !c.mask[i]);
        c.frames[i] = shown;
    }
    sb_autumn_challenge_clear(&c);
    sb_autumn_apart_free(&apart);
    sb_autumn_study_free(study);
}

/* ---- Audits ------------------------------------------------------------------------------------------------------ */

typedef void alteration(sb_autumn_challenge *c);

static void other_answer(sb_autumn_challenge *c) { c->answer = (c->answer + 1) % SB_AUTUMN_CHOICES; }
static void other_frame(sb_autumn_challenge *c) {
    c->frames[c->size * c->size + 1] = (uint8_t)((c->frames[c->size * c->size + 1] + 1) % c->n_colours);
}
static void other_hidden_frame(sb_autumn_challenge *c) {
    const uint32_t last = c->n_actions * c->size * c->size;
    c->frames[last] = (uint8_t)((c->frames[last] + 1) % c->n_colours);
}
static void other_option(sb_autumn_challenge *c) {
    uint8_t *cell = &c->options[c->answer * c->n_mask];
    *cell = (uint8_t)((*cell + 1) % c->n_colours);
}
static void other_distractor(sb_autumn_challenge *c) {
    uint8_t *cell = &c->options[(c->answer + 1) % SB_AUTUMN_CHOICES * c->n_mask];
    *cell = (uint8_t)((*cell + 1) % c->n_colours);
}
static void other_causes(sb_autumn_challenge *c) {
    for (uint32_t k = 0; k < SB_AUTUMN_CHOICES; k++) c->causes[k] = k == c->answer ? 0 : 1;
}
static void other_closest(sb_autumn_challenge *c) { c->closest++; }
static void other_states(sb_autumn_challenge *c) { c->largest++; }
static void more_colours(sb_autumn_challenge *c) {
    c->colours = realloc(c->colours, (c->n_colours + 1) * sizeof *c->colours);
    assert_non_null(c->colours);
    assert_non_null(c->colours[c->n_colours++] = strdup("black"));
}
static void same_options(sb_autumn_challenge *c) {
    const uint32_t a = (c->answer + 1) % SB_AUTUMN_CHOICES, b = (c->answer + 2) % SB_AUTUMN_CHOICES;
    memcpy(c->options + a * c->n_mask, c->options + b * c->n_mask, c->n_mask);
}
static void other_certificate(sb_autumn_challenge *c) { c->proof = (sb_autumn_proof)((c->proof + 1) % 3); }
static void other_program(sb_autumn_challenge *c) { c->sha256[0] = c->sha256[0] == '0' ? '1' : '0'; }
static void other_seed(sb_autumn_challenge *c) { c->name.seed++; }
static void shorter(sb_autumn_challenge *c) { c->n_actions--; }
static void longer(sb_autumn_challenge *c) {
    c->actions = realloc(c->actions, (c->n_actions + 1) * sizeof *c->actions);
    assert_non_null(c->actions);
    c->actions[c->n_actions++] = (sb_autumn_event){0};
}
static void other_goal(sb_autumn_challenge *c) {
    uint32_t i = 0;
    while (!c->mask[i]) i++;
    c->frames[i] = (uint8_t)((c->frames[i] + 1) % c->n_colours);
}
static void no_goal(sb_autumn_challenge *c) {
    for (uint32_t i = 0; i < c->size * c->size; i++) c->mask[i] = 0;
}
static void other_horizon(sb_autumn_challenge *c) { c->horizon++; }
static void other_level(sb_autumn_challenge *c) { c->name.level = 4; }
static void other_guard(sb_autumn_challenge *c) { c->guard.times += 1000; }
static void other_least(sb_autumn_challenge *c) { c->guard.cells = 1; }
static void other_odds(sb_autumn_challenge *c) { c->odds.within = c->odds.tried; }
static void other_place(sb_autumn_challenge *c) { c->edits[0].at++; }
static void other_rule(sb_autumn_challenge *c) { c->edits[0].after[strlen(c->edits[0].after) / 2] ^= 1; }
static void other_kind(sb_autumn_challenge *c) { strcpy(c->mutation, strcmp(c->mutation, "law") ? "law" : "drop"); }
static void other_cells(sb_autumn_challenge *c) { c->cells++; }

enum { N_ALTERATIONS = 16 };

/* A goal of one colour cannot be altered. */
static sb_autumn_challenge with_colours(sb_autumn_study *study, sb_autumn_challenge_kind kind, uint64_t seed) {
    sb_autumn_challenge c = derived(study, kind, 2, seed);
    for (uint64_t other = 10 * seed; kind == SB_AUTUMN_PLANNING && c.n_colours < 2; other++) {
        sb_autumn_challenge_clear(&c);
        c = derived(study, kind, 2, other);
    }
    return c;
}

/* Alters a copy. */
static void assert_found(sb_autumn_study *study, const sb_autumn_challenge *c, alteration *alter, size_t number) {
    sb_autumn_challenge copy;
    sb_error error;
    sb_out task = sb_out_growing(), answer = sb_out_growing();
    sb_autumn_challenge_put(c, &task, &answer);
    if (!sb_autumn_challenge_parse(task.data, task.size, answer.data, answer.size, &copy, &error))
        fail_msg("%s", error.text);
    alter(&copy);
    if (sb_autumn_audit(study, &copy, &error))
        fail_msg("%s, kind %d: alteration %zu", c->name.program, c->name.kind, number);
    assert_int_equal(error.code, SB_MISMATCH);
    sb_autumn_challenge_clear(&copy);
    sb_out_free(&task), sb_out_free(&answer);
}

static void test_audits_find_what_was_altered(void **unused) {
    (void)unused;
    static alteration *const alterations[][N_ALTERATIONS] = {
        {other_answer, other_frame, other_hidden_frame, other_option, same_options, other_certificate, other_program,
         other_distractor, other_causes, other_closest, other_states, more_colours},
        {other_goal, no_goal, other_horizon, other_level, other_program, shorter, longer, other_states, more_colours,
         other_odds},
        {other_certificate, other_guard, other_place, other_rule, other_kind, other_cells, other_program, shorter,
         longer, other_states, more_colours, other_least}};
    static const char *const programs[] = {"Seesaw", "Triad"};
    sb_error error;
    for (size_t i = 0; i < 2; i++) {
        sb_autumn_study *study = study_of(programs[i]);
        for (int kind = 0; kind < SB_AUTUMN_N_CHALLENGES; kind++)
            for (size_t odd = 0; odd < 2; odd++) {
                sb_autumn_challenge c = with_colours(study, (sb_autumn_challenge_kind)kind, 3 + odd);
                if (!sb_autumn_audit(study, &c, &error)) fail_msg("%s %d: %s", programs[i], kind, error.text);
                for (size_t k = odd; k < N_ALTERATIONS && alterations[kind][k]; k += 2)
                    assert_found(study, &c, alterations[kind][k], k);
                sb_autumn_challenge_clear(&c);
            }
        sb_autumn_study_free(study);
    }
    /* With other draws the start is another. */
    sb_autumn_study *study = study_of("Triad");
    sb_autumn_challenge c = derived(study, SB_AUTUMN_MFP, 1, 1);
    other_seed(&c);
    assert_false(sb_autumn_audit(study, &c, &error));
    sb_autumn_challenge_clear(&c);
    sb_autumn_study_free(study);
}

/* ---- Give-aways -------------------------------------------------------------------------------------------------- */

/* What a guesser goes by: the option with the least of it is taken. */
typedef uint32_t guess(const sb_autumn_challenge *c, uint32_t option);

static uint32_t cells_off(const sb_autumn_challenge *c, uint32_t a, uint32_t b) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < c->n_mask; k++) n += c->options[a * c->n_mask + k] != c->options[b * c->n_mask + k];
    return n;
}

static uint32_t counts_off(const sb_autumn_challenge *c, uint32_t a, uint32_t b) {
    int32_t counts[UINT8_MAX + 1] = {0};
    uint32_t sum = 0;
    for (uint32_t k = 0; k < c->n_mask; k++)
        counts[c->options[a * c->n_mask + k]]++, counts[c->options[b * c->n_mask + k]]--;
    for (uint32_t k = 0; k <= UINT8_MAX; k++) sum += (uint32_t)abs(counts[k]);
    return sum;
}

static uint32_t in_the_middle(const sb_autumn_challenge *c, uint32_t option) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < SB_AUTUMN_CHOICES; k++) sum += cells_off(c, option, k);
    return sum;
}

static uint32_t with_a_near_neighbour(const sb_autumn_challenge *c, uint32_t option) {
    uint32_t least = UINT32_MAX;
    for (uint32_t k = 0; k < SB_AUTUMN_CHOICES; k++)
        if (k != option && cells_off(c, option, k) < least) least = cells_off(c, option, k);
    return least;
}

static uint32_t with_common_counts(const sb_autumn_challenge *c, uint32_t option) {
    uint32_t others = 0;
    for (uint32_t k = 0; k < SB_AUTUMN_CHOICES; k++) others += counts_off(c, option, k) != 0;
    return others;
}

static uint32_t with_counts_in_the_middle(const sb_autumn_challenge *c, uint32_t option) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < SB_AUTUMN_CHOICES; k++) sum += counts_off(c, option, k);
    return sum;
}

static uint32_t near_the_last_content(const sb_autumn_challenge *c, uint32_t option) {
    const uint32_t n = c->size * c->size;
    const uint8_t *last = c->frames + (size_t)(c->n_actions - c->masked) * n;
    uint32_t off = 0;
    for (uint32_t i = 0, k = 0; i < n; i++)
        if (c->mask[i]) off += last[i] != c->options[option * c->n_mask + k++];
    return off;
}

/* The 2 x 2 patches at the mask that no frame showed before. */
static uint32_t with_new_patches(const sb_autumn_challenge *c, uint32_t option) {
    static uint8_t last[64 * 64];
    static const uint32_t offsets[4][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
    const uint32_t size = c->size, n = size * size, shown = c->n_actions - c->masked + 1;
    uint32_t found = 0;
    memcpy(last, c->frames + (size_t)c->n_actions * n, n);
    for (uint32_t i = 0, k = 0; i < n; i++)
        if (c->mask[i]) last[i] = c->options[option * c->n_mask + k++];
    for (uint32_t at = 0; at + size + 1 < n; at++) {
        bool masked = false, seen = false;
        if (at % size + 1 == size) continue; // NOLINT(clang-analyzer-core.DivideZero): a grid has a size
        for (int k = 0; k < 4; k++) masked |= c->mask[at + offsets[k][0] + size * offsets[k][1]];
        for (uint32_t i = 0; masked && !seen && i < shown * n; i++) {
            if (i % n + size + 1 >= n || i % size + 1 == size) continue;
            seen = true;
            for (int k = 0; k < 4 && seen; k++) {
                const uint32_t off = offsets[k][0] + size * offsets[k][1];
                seen = c->frames[i + off] == last[at + off];
            }
        }
        found += masked && !seen;
    }
    return found;
}

static uint32_t with_few_edges(const sb_autumn_challenge *c, uint32_t option) {
    const uint8_t *cells = c->options + option * c->n_mask;
    uint32_t n = 0;
    for (uint32_t k = 1; k < c->n_mask; k++) n += cells[k] != cells[k - 1];
    return n;
}

static uint32_t far_from_the_last_content(const sb_autumn_challenge *c, uint32_t option) {
    return c->n_mask - near_the_last_content(c, option);
}

/* The chance of being right: where several options have the least, one is drawn. */
static double chance_of(guess *of, const sb_autumn_challenge *c) {
    const uint32_t answer = of(c, c->answer);
    uint32_t same = 0;
    for (uint32_t k = 0; k < SB_AUTUMN_CHOICES; k++) {
        if (of(c, k) < answer) return 0;
        same += of(c, k) == answer;
    }
    return 1.0 / same;
}

static void test_guessers_who_see_the_course_are_right_by_chance_only(void **unused) {
    (void)unused;
    static guess *const guesses[] = {
        in_the_middle,         with_a_near_neighbour,     with_common_counts, with_counts_in_the_middle,
        near_the_last_content, far_from_the_last_content, with_new_patches,   with_few_edges};
    enum { GUESSES = sizeof guesses / sizeof *guesses, SEEDS = TESTS_ARE_SLOW ? 1 : 8 };
    static const char *const programs[] = {"Seesaw", "Triad", "CanalLock", "HookCrane", "SplitSnake", "MirrorBench"};
    double right[GUESSES] = {0};
    for (size_t i = 0; i < 6; i++) {
        sb_autumn_study *study = study_of(programs[i]);
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            sb_autumn_challenge c = derived(study, SB_AUTUMN_MFP, 2, seed);
            for (int k = 0; k < GUESSES; k++) right[k] += chance_of(guesses[k], &c);
            sb_autumn_challenge_clear(&c);
        }
        sb_autumn_study_free(study);
    }
    for (int k = 0; k < GUESSES; k++) print_message("guesser %d is right in %.1f of %d\n", k, right[k], 6 * SEEDS);
    for (int k = 0; !TESTS_ARE_SLOW && k < GUESSES; k++)
        assert_true(right[k] > 0.3 && right[k] < 15.7); /* 8, three standard errors */
}

/* The order of colours must not tell what is hidden: they are numbered as they come in what is shown and in the
 * options.
 */
static void test_colours_are_numbered_by_what_is_shown(void **unused) {
    (void)unused;
    sb_autumn_study *study = study_of("Triad");
    for (uint64_t seed = 1; seed <= 5; seed++) {
        sb_autumn_challenge c = derived(study, SB_AUTUMN_MFP, 3, seed);
        const uint32_t n = c.size * c.size, first = c.n_actions - c.masked + 1;
        uint32_t met = 0;
        for (uint32_t i = 0; i < (c.n_actions + 1) * n; i++)
            if (i / n < first || !c.mask[i % n]) assert_true(c.frames[i] <= met), met += c.frames[i] == met;
        for (uint32_t i = 0; i < SB_AUTUMN_CHOICES * c.n_mask; i++)
            assert_true(c.options[i] <= met), met += c.options[i] == met;
        sb_autumn_challenge_clear(&c);
    }
    sb_autumn_study_free(study);
}

/* ---- Goals ------------------------------------------------------------------------------------------------------- */

/* How many of a hundred other random agents reach the goal within its horizon. */
static uint32_t count_lucky(sb_autumn_study *s, const sb_autumn_challenge *c, const uint8_t *goal) {
    uint32_t lucky = 0;
    sb_rng rng;
    sb_rng_seed(&rng, c->name.seed + 1, NULL);
    for (uint64_t k = 0; k < 100; k++) {
        bool reached = false;
        assert_true(sb_autumn_copy(s->a, s->start));
        sb_autumn_reseed(s->a, 7 * k);
        for (uint32_t t = 0; t < c->horizon && !reached; t++) {
            if (!sb_autumn_step(s->a, sb_autumn_random_event(&rng, s->size), NULL)) break;
            reached = sb_autumn_goal_holds(s, c, goal, s->a);
        }
        lucky += reached;
    }
    return lucky;
}

static void assert_no_action_alone(sb_autumn_study *s, const sb_autumn_challenge *c, const uint8_t *goal) {
    for (uint32_t i = 0; i < SB_AUTUMN_CLICK + s->n_cells; i++) {
        const uint32_t cell = i < SB_AUTUMN_CLICK ? 0 : i - SB_AUTUMN_CLICK;
        const sb_autumn_event event = {.key = i < SB_AUTUMN_CLICK ? (sb_autumn_key)i : SB_AUTUMN_CLICK,
                                       .x = (int32_t)(cell % s->size),
                                       .y = (int32_t)(cell / s->size)};
        assert_true(sb_autumn_copy(s->a, s->start) && sb_autumn_step(s->a, event, NULL));
        assert_false(sb_autumn_goal_holds(s, c, goal, s->a));
    }
}

/* The goal in strings of the program. */
static void goal_of(const sb_autumn_study *s, const sb_autumn_challenge *c, uint8_t goal[64 * 64]) {
    for (uint32_t i = 0; i < s->n_cells; i++) {
        uint32_t k = 0;
        while (strcmp(sb_autumn_string(s->program, k), c->colours[c->frames[i]]) != 0) k++;
        goal[i] = (uint8_t)k;
    }
}

static void test_goals_are_small_and_reached_neither_by_chance_nor_at_once(void **unused) {
    (void)unused;
    static const char *const programs[] = {"EchoDancers", "TugOfFour", "Seesaw", "Triad"};
    static uint8_t goal[64 * 64];
    size_t derived_ones = 0;
    for (size_t i = 0; i < 4; i++) {
        sb_autumn_study *s = study_of(programs[i]);
        for (uint32_t k = 0; k < 6; k++) {
            sb_autumn_challenge c;
            sb_error error;
            if (sb_autumn_derive(s, SB_AUTUMN_PLANNING, 1 + k % 3, 1 + k, &c, &error)) {
                goal_of(s, &c, goal);
                assert_in_range(c.n_mask, 1, 30);
                assert_true(c.n_actions >= 2 && c.horizon == 10 * c.n_actions);
                assert_true(c.odds.within <= 16 && c.odds.tried == 100);
                assert_true(count_lucky(s, &c, goal) <= 36); /* 0.25, and 2.5 standard errors */
                assert_no_action_alone(s, &c, goal);
                derived_ones++;
            }
            sb_autumn_challenge_clear(&c);
        }
        sb_autumn_study_free(s);
    }
    assert_true(derived_ones >= 12);
}

/* ---- How far a start has come ---- */

typedef struct told {
    const char *kinds[4]; /* what was counted, in its order */
    size_t n_kinds, last, of;
} told;

static void note(void *context, const char *what, size_t done, size_t of) {
    told *t = context;
    if (!t->n_kinds || strcmp(t->kinds[t->n_kinds - 1], what) != 0) {
        assert_true(t->n_kinds < 4);
        t->kinds[t->n_kinds++] = what, t->last = 0;
    }
    assert_true(done >= t->last && done <= of);
    t->last = done, t->of = of;
}

static void test_a_start_that_takes_long_tells_how_far_it_has_come(void **state) {
    (void)state;
    static const char name[] = "autumn:Seesaw/mfp-1#77";
    sb_error error;
    told heard = {0}, other = {0};
    sb_env *env = sb_make(NULL, NULL, &error), *alone = sb_make(NULL, name, &error);
    assert_true(env && alone);
    sb_watch_starts(env, note, &heard);
    assert_true(sb_reset(env, "autumn:Seesaw#1", &error));
    assert_int_equal(heard.n_kinds, 0);
    assert_true(sb_reset(env, name, &error));
    assert_int_equal(heard.n_kinds, 2);
    assert_string_equal(heard.kinds[0], "states met");
    assert_string_equal(heard.kinds[1], "attempts made");
    assert_int_equal(heard.of, SB_AUTUMN_ATTEMPTS);
    uint64_t keys[2][2];
    sb_key(env, keys[0]), sb_key(alone, keys[1]);
    assert_memory_equal(keys[0], keys[1], sizeof keys[0]); /* nobody sees that it was watched */
    sb_watch_starts(alone, note, &other);
    assert_true(sb_copy(alone, env, &error));
    heard.n_kinds = 0;
    assert_true(sb_reset(alone, "autumn:Seesaw/mfp-1#78", &error));
    assert_int_equal(heard.n_kinds, 0);
    assert_int_equal(other.n_kinds, 2); /* a copy keeps its own watcher */
    sb_free(env), sb_free(alone);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_challenge_depends_on_nothing_but_its_name),
                                       cmocka_unit_test(test_texts_are_read_back),
                                       cmocka_unit_test(test_what_cannot_be_derived_says_why),
                                       cmocka_unit_test(test_a_program_without_six_contents_is_given_up_soon),
                                       cmocka_unit_test(test_goals_on_the_same_cells_are_the_same_question),
                                       cmocka_unit_test(test_audits_find_what_was_altered),
                                       cmocka_unit_test(test_guessers_who_see_the_course_are_right_by_chance_only),
                                       cmocka_unit_test(test_colours_are_numbered_by_what_is_shown),
                                       cmocka_unit_test(test_goals_are_small_and_reached_neither_by_chance_nor_at_once),
                                       cmocka_unit_test(test_a_start_that_takes_long_tells_how_far_it_has_come)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
