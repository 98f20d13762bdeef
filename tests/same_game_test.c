/* Two starts are the same game if no course of actions can tell them apart: by observations in any mode, arrays,
 * rewards, ends, or what an environment tells beside these. Keys say which starts are the same game, and counts,
 * duplicates and the guard of evaluation episodes follow them. So these tests hold keys from both sides: equal keys
 * have equal courses, and starts that look alike but have unequal keys are told apart by a course, or a search over
 * pairs of states finds that none exists, and fails. At night there are 2,000 starts of every task and difficulty. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/out.h"
#include "engine/contract.h"
#include "engine/environment.h"
#include "engine/gridworld/episode.h"
#include "engine/lookup.h"
#include "seedbed/player.h"

enum { STARTS_MAX = 2000, NUMBERS_MAX = 1 << 20 };

typedef struct digest {
    uint64_t half[2];
} digest;

typedef struct start {
    digest seen; /* everything that was seen of it so far */
    digest key;
    uint64_t seed;
} start;

static sb_error error;
static sb_out text;
static bool is_night;

/* ---- What can be seen ---- */

static bool is_equal(digest a, digest b) { return memcmp(&a, &b, sizeof a) == 0; }

static digest both(digest a, digest b) {
    const digest pair[2] = {a, b};
    digest hash;
    sb_hash128(pair, sizeof pair, hash.half);
    return hash;
}

static void put_arrays(const sb_env *env) {
    static uint8_t numbers[NUMBERS_MAX];
    for (size_t i = 0; i < env->family->n_arrays; i++) {
        const size_t n = sb_observe_array(env, &env->family->arrays[i], numbers, sizeof numbers);
        assert_true(n <= sizeof numbers);
        sb_put(&text, (const char *)numbers, n);
    }
}

/* Everything that is shown in the current state: all modes, or only the last, which tells most; arrays; and `info`. */
static digest shown(const sb_env *env, bool in_all_modes) {
    const sb_family *family = env->family;
    digest hash;
    sb_out_clear(&text);
    for (size_t i = in_all_modes ? 0 : family->n_modes - 1; i < family->n_modes; i++)
        family->observe(env, &family->modes[i], &text), sb_putc(&text, '\n');
    if (family->info && family->info->tell) family->info->tell(env, &text);
    put_arrays(env);
    assert_true(sb_out_ok(&text));
    sb_hash128(text.data, text.size, hash.half);
    return hash;
}

/* Takes a step; returns everything that is seen of it. */
static digest step(sb_env *env, sb_action action, bool in_all_modes) {
    struct {
        double rewards[2];
        uint64_t ends[4];
    } told = {0};
    sb_result r;
    digest hash;
    assert_ok(sb_step(env, action, &r, &error), error);
    told.rewards[0] = r.reward, told.rewards[1] = r.dense;
    told.ends[0] = r.terminated, told.ends[1] = r.truncated, told.ends[2] = r.success, told.ends[3] = r.fault;
    sb_hash128(&told, sizeof told, hash.half);
    return both(hash, shown(env, in_all_modes));
}

/* ---- Starts ---- */

typedef struct pair {
    const sb_family *family;
    const sb_task_info *task;
    size_t difficulty;
} pair;

static sb_name name_of(const pair *p, uint64_t seed) {
    sb_name name = {.seed = seed};
    strcpy(name.family, p->family->name);
    strcpy(name.task, p->task->name);
    strcpy(name.difficulty, p->family->difficulties[p->difficulty]);
    return name;
}

static bool begin(sb_env *env, const pair *p, uint64_t seed) {
    const sb_name name = name_of(p, seed);
    return sb_reset_name(env, &name, &error);
}

static digest key_of(const sb_env *env) {
    digest key;
    sb_key(env, key.half);
    return key;
}

static int by_sight(const void *a, const void *b) { return memcmp(a, b, sizeof(start)); }

static int by_key(const void *a, const void *b) {
    return memcmp(&((const start *)a)->key, &((const start *)b)->key, sizeof(digest));
}

/* Fills `starts` with episodes of a pair. Seeds that have no instance are left out. */
static size_t list_starts(start *starts, size_t n, const pair *p, sb_env *env) {
    size_t made = 0;
    for (uint64_t seed = 1000003; seed < 1000003 + n; seed++)
        if (begin(env, p, seed)) starts[made++] = (start){shown(env, true), key_of(env), seed};
    return made;
}

typedef void check(const pair *p, start *starts, size_t n);

static void each_pair(const sb_family *family, size_t n, check *check) {
    static start starts[STARTS_MAX];
    sb_env *env = sb_make(NULL, NULL, &error);
    assert_non_null(env);
    for (size_t t = 0; t < family->n_tasks; t++)
        for (size_t d = 0; d < family->n_difficulties; d++) {
            const pair p = {family, family->task(t), d};
            if (!sb_is_derived(family, p.task, d)) check(&p, starts, list_starts(starts, n, &p, env));
        }
    sb_free(env);
}

/* ---- Courses ---- */

static uint64_t random_state;

static uint32_t draw(uint32_t below) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % below;
}

static sb_action draw_action(const sb_env *env) {
    const sb_shape *shape = sb_shape_of(env);
    const uint32_t buttons = (uint32_t)shape->n_buttons, all = (uint32_t)sb_n_actions(shape);
    const bool clicks = all > buttons && draw(4) == 0;
    return (sb_action)(clicks ? buttons + draw(all - buttons) : draw(buttons));
}

/* Plays a random course, the same for every start; every other course repeats actions, so it gets farther. By day it is
 * cut short. */
static digest play_at_random(sb_env *env, const start *s, const pair *p, unsigned course, bool in_all_modes) {
    enum { BY_DAY = 120 };
    digest seen = s->seen;
    assert_true(begin(env, p, s->seed));
    random_state = course;
    for (sb_action action = draw_action(env); !env->status.done && (is_night || env->status.steps < BY_DAY);) {
        seen = both(seen, step(env, action, in_all_modes));
        if (course % 2 || draw(3) == 0) action = draw_action(env);
    }
    return seen;
}

/* Plays what an oracle does in `a` on both; returns whether something differs. */
static bool are_told_by_oracle(sb_env *a, sb_env *b) {
    const char *agents[SB_AGENTS_MAX];
    bool differs = false;
    if (sb_agents_of(a->family, a->task, agents, SB_AGENTS_MAX) < 2) return false; /* only `random` */
    sb_player *player = sb_player_make(agents[0], &error);
    assert_non_null(player);
    assert_ok(sb_player_begin(player, a, &error), error);
    while (!differs && !a->status.done) {
        const sb_action action = sb_player_act(player, a);
        differs = !is_equal(step(a, action, false), step(b, action, false));
    }
    sb_player_free(player);
    return differs;
}

static bool are_told_by_oracles(const pair *p, const start *x, const start *y) {
    sb_env *a = sb_make(NULL, NULL, &error), *b = sb_make(NULL, NULL, &error);
    bool differs = false;
    for (int turn = 0; turn < 2 && !differs; turn++) {
        assert_true(begin(a, p, (turn ? y : x)->seed) && begin(b, p, (turn ? x : y)->seed));
        differs = are_told_by_oracle(a, b);
    }
    sb_free(a), sb_free(b);
    return differs;
}

/* ---- A search over pairs of states ---- */

enum { PAIRS_MAX = 20000, SLOTS = 1 << 16 };

typedef enum verdict { TOLD_APART, SAME_GAME, UNKNOWN } verdict;

typedef struct search {
    sb_env *pairs[PAIRS_MAX][2];
    digest known[SLOTS]; /* of pairs that were reached; zero: free */
    size_t n;
} search;

/* Takes note of a pair; false if it was known. */
static bool note(search *s, digest pair) {
    size_t at = pair.half[0] % SLOTS;
    while (!is_equal(s->known[at], (digest){{0}}) && !is_equal(s->known[at], pair)) at = (at + 1) % SLOTS;
    if (is_equal(s->known[at], pair)) return false;
    s->known[at] = pair;
    return true;
}

/* Adds the pair, unless it is known, over, or one state twice. Takes both environments over. */
static void add(search *s, sb_env *a, sb_env *b) {
    const digest keys[2] = {key_of(a), key_of(b)};
    if (a->status.done || is_equal(keys[0], keys[1]) || s->n == PAIRS_MAX || !note(s, both(keys[0], keys[1]))) {
        sb_free(a), sb_free(b);
        return;
    }
    s->pairs[s->n][0] = a, s->pairs[s->n++][1] = b;
}

static bool expand(search *s, size_t index) {
    sb_env *const *pair = s->pairs[index];
    for (sb_action action = 0; action < sb_n_actions(sb_shape_of(pair[0])); action++) {
        sb_env *a = sb_clone(pair[0], &error), *b = sb_clone(pair[1], &error);
        assert_true(a && b);
        if (!is_equal(step(a, action, false), step(b, action, false))) {
            sb_free(a), sb_free(b);
            return true;
        }
        add(s, a, b);
    }
    return false;
}

/* Looks for a course that tells two starts apart. Keys leave out the number of steps where no rule reads it; both have
 * taken equally many. */
static verdict search_pairs(const pair *p, const start *x, const start *y) {
    search *s = calloc(1, sizeof *s);
    sb_env *a = sb_make(NULL, NULL, &error), *b = sb_make(NULL, NULL, &error);
    bool differs = false;
    assert_true(s && begin(a, p, x->seed) && begin(b, p, y->seed));
    add(s, a, b);
    for (size_t i = 0; i < s->n && s->n < PAIRS_MAX && !differs; i++) differs = expand(s, i);
    const verdict verdict = differs ? TOLD_APART : s->n < PAIRS_MAX ? SAME_GAME : UNKNOWN;
    for (size_t i = 0; i < s->n; i++) sb_free(s->pairs[i][0]), sb_free(s->pairs[i][1]);
    free(s);
    return verdict;
}

/* ---- Starts that look alike ---- */

static bool looks_like_neighbour(const start *starts, size_t n, size_t i) {
    return (i > 0 && is_equal(starts[i].seen, starts[i - 1].seen)) ||
           (i + 1 < n && is_equal(starts[i].seen, starts[i + 1].seen));
}

/* Keeps one start of each game, and of these the ones that look like another; returns their number. */
static size_t keep_alike(start *starts, size_t n) {
    size_t kept = 0, games = 0;
    qsort(starts, n, sizeof *starts, by_sight);
    for (size_t i = 0; i < n; i++)
        if (!games || memcmp(&starts[i], &starts[games - 1], offsetof(start, seed)) != 0) starts[games++] = starts[i];
    bool *alike = calloc(games + 1, sizeof *alike);
    assert_non_null(alike);
    for (size_t i = 0; i < games; i++) alike[i] = looks_like_neighbour(starts, games, i);
    for (size_t i = 0; i < games; i++)
        if (alike[i]) starts[kept++] = starts[i];
    free(alike);
    return kept;
}

/* A program's key holds its generator if any rule may draw; whether a course gets there is not known. In these programs
 * a start may never get there: TwoClocks draws at every third strike, and with some numbers the hands never meet. */
static bool may_never_draw(const pair *p) { return strcmp(p->task->name, "TwoClocks") == 0; }

static void tell_apart(const pair *p, const start *a, const start *b) {
    if (are_told_by_oracles(p, a, b)) return;
    const verdict verdict = search_pairs(p, a, b);
    if (verdict == TOLD_APART || (verdict == SAME_GAME && may_never_draw(p))) return;
    fail_msg("%s/%s#%llu and #%llu have unequal keys, but %s tells them apart", p->task->name,
             p->family->difficulties[p->difficulty], (unsigned long long)a->seed, (unsigned long long)b->seed,
             verdict == SAME_GAME ? "no course of actions" : "no course that was tried");
}

static void unequal_keys_are_told_apart(const pair *p, start *starts, size_t n) {
    enum { COURSES = 20 };
    sb_env *env = sb_make(NULL, NULL, &error);
    assert_non_null(env);
    n = keep_alike(starts, n);
    for (unsigned course = 0; course < COURSES && n > 0; course++) {
        for (size_t i = 0; i < n; i++) starts[i].seen = play_at_random(env, &starts[i], p, course, false);
        n = keep_alike(starts, n);
    }
    for (size_t i = 1; i < n; i++)
        if (is_equal(starts[i].seen, starts[i - 1].seen)) tell_apart(p, &starts[i - 1], &starts[i]);
    sb_free(env);
}

/* ---- Starts with one key ---- */

static void expect_equal_courses(const pair *p, const start *a, const start *b) {
    enum { COURSES = 3 };
    sb_env *env = sb_make(NULL, NULL, &error);
    assert_non_null(env);
    bool equal = is_equal(a->seen, b->seen) && !(is_night && are_told_by_oracles(p, a, b));
    for (unsigned course = 0; course < COURSES && equal; course++)
        equal = is_equal(play_at_random(env, a, p, course, true), play_at_random(env, b, p, course, true));
    sb_free(env);
    if (!equal)
        fail_msg("%s/%s#%llu and #%llu have one key, but a course tells them apart", p->task->name,
                 p->family->difficulties[p->difficulty], (unsigned long long)a->seed, (unsigned long long)b->seed);
}

static bool has_key_of_neighbour(const start *starts, size_t i) {
    return i > 0 && is_equal(starts[i].key, starts[i - 1].key);
}

/* Compares some of the starts that have the key of another, spread over all keys. */
static void equal_keys_have_equal_courses(const pair *p, start *starts, size_t n) {
    const size_t most = is_night ? 40 : 3;
    size_t equal = 0, at = 0;
    qsort(starts, n, sizeof *starts, by_key);
    for (size_t i = 0; i < n; i++) equal += has_key_of_neighbour(starts, i);
    if (equal == 0) return;
    const size_t stride = (equal + most - 1) / most;
    for (size_t i = 0; i < n; i++)
        if (has_key_of_neighbour(starts, i) && at++ % stride == 0) expect_equal_courses(p, &starts[i - 1], &starts[i]);
}

/* ---- Generators ---- */

/* If new generators give another key, then some course must notice them. */
static void generators_in_keys_are_read(const pair *p, start *starts, size_t n) {
    sb_env *env = sb_make(NULL, NULL, &error), *other = sb_make(NULL, NULL, &error);
    const sb_task *task = (const sb_task *)p->task;
    size_t in_key = 0, noticed = 0;
    for (size_t i = 0; task->reseed && i < n; i++) {
        assert_true(begin(env, p, starts[i].seed));
        assert_ok(sb_copy(other, env, &error), error);
        task->reseed(other->state, 1);
        if (is_equal(key_of(env), key_of(other))) continue;
        in_key++;
        random_state = i;
        for (bool differs = false; !env->status.done && !other->status.done && !differs;) {
            const sb_action action = draw_action(env);
            differs = !is_equal(step(env, action, false), step(other, action, false));
            noticed += differs;
        }
    }
    sb_free(env), sb_free(other);
    if (in_key && !noticed)
        fail_msg("%s/%s: generators are in the keys of %zu starts, and no course notices them", p->task->name,
                 p->family->difficulties[p->difficulty], in_key);
}

/* ---- The families ---- */

static const sb_family *family_named(const char *name) {
    const sb_family *family = sb_family_find(name, &error);
    assert_non_null(family);
    return family;
}

/* How many starts of each pair are looked at: by day, and at night. */
static const struct sample {
    const char *family;
    size_t by_day, at_night;
} samples[] = {{"agentick", 200, 2000}, {"babyai", 60, 2000}, {"autumn", 3, 100}, {"arc", 4, 200}};

static void each_family(check *check) {
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        each_pair(family_named(samples[i].family), is_night ? samples[i].at_night : samples[i].by_day, check);
}

static void test_starts_that_look_alike_are_told_apart(void **state) {
    (void)state;
    each_family(unequal_keys_are_told_apart);
}

static void test_starts_with_one_key_have_equal_courses(void **state) {
    (void)state;
    each_family(equal_keys_have_equal_courses);
}

static void test_generators_in_keys_are_read(void **state) {
    (void)state;
    each_pair(family_named("agentick"), 6, generators_in_keys_are_read);
}

/* GoToGoal/easy has a start for each of nine cells, and nothing else that differs. */
static void test_goals_without_guards_are_nine_games(void **state) {
    (void)state;
    static start starts[STARTS_MAX];
    sb_env *env = sb_make(NULL, NULL, &error);
    const pair p = {family_named("agentick"), sb_task_at(NULL, family_named("agentick"), 0), 0};
    size_t games = 0;
    assert_string_equal(p.task->name, "GoToGoal-v0");
    const size_t n = list_starts(starts, 1000, &p, env);
    qsort(starts, n, sizeof *starts, by_key);
    for (size_t i = 0; i < n; i++) games += i == 0 || !is_equal(starts[i].key, starts[i - 1].key);
    assert_int_equal(games, 9);
    sb_free(env);
}

int main(void) {
    is_night = getenv("SEEDBED_NIGHTLY") != NULL;
    text = sb_out_growing();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starts_that_look_alike_are_told_apart),
        cmocka_unit_test(test_starts_with_one_key_have_equal_courses),
        cmocka_unit_test(test_generators_in_keys_are_read),
        cmocka_unit_test(test_goals_without_guards_are_nine_games),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sb_out_free(&text);
    return failed;
}
