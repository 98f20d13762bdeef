/* The observer of worlds: it sees no more than it is shown, plays as well as anyone can who sees no more, and as the
 * expert does where all can be seen. By night: more episodes, and a larger board. */
#include "tests/worlds_support.h"

#include <stdlib.h>
#include <string.h>

#include "engine/lookup.h"
#include "oracles/autumn/hypotheses.h"
#include "oracles/player.h"

static sb_error error;

static bool is_night(void) { return getenv("SEEDBED_NIGHTLY") != NULL; }

/* ---- Plays ------------------------------------------------------------------------------------------------------- */

static const sb_catalogue *catalogue_of(const char *text) {
    const sb_family *family = sb_family_find("autumn", &error);
    sb_catalogue *worlds = sb_catalogue_make(&error);
    assert_true(family && worlds);
    assert_ok(sb_catalogue_add_program(worlds, family, text, strlen(text), NULL, &error), error);
    return worlds;
}

static const sb_catalogue *example(const char *file) {
    sb_out text = example_text(file);
    sb_putc(&text, '\0');
    const sb_catalogue *worlds = catalogue_of(text.data);
    sb_out_free(&text);
    return worlds;
}

static sb_env *open_episode(const sb_catalogue *worlds, const char *task, int seed) {
    char name[64];
    snprintf(name, sizeof name, "autumn:%s#%d", task, seed);
    sb_env *env = sb_make(worlds, name, &error);
    assert_ok(env, error);
    return env;
}

/* Plays an episode; returns the steps that it took, or -1 if it was not won. `actions` may be NULL. */
static int play(const char *agent, sb_env *env, sb_action *actions) {
    sb_player player = {0};
    sb_result result;
    assert_ok(sb_player_begin_as(&player, agent, env, &error), error);
    while (!env->status.done) {
        const sb_action action = sb_player_act(&player, env);
        if (actions) actions[env->status.steps] = action;
        assert_ok(sb_step(env, action, &result, &error), error);
    }
    sb_player_clear(&player);
    return env->status.success ? env->status.steps : -1;
}

/* How many episodes are won, and in how many steps. */
static int count_wins(const sb_catalogue *worlds, const char *agent, const char *task, int n, int *steps) {
    int won = 0;
    *steps = 0;
    for (int seed = 0; seed < n; seed++) {
        sb_env *env = open_episode(worlds, task, seed);
        const int taken = play(agent, env, NULL);
        if (taken >= 0) won++, *steps += taken;
        sb_free(env);
    }
    return won;
}

static void assert_wins_all(const char *file, const char *task, int by_day, int by_night) {
    const sb_catalogue *worlds = example(file);
    int steps;
    const int n = is_night() ? by_night : by_day, won = count_wins(worlds, "observer", task, n, &steps);
    if (won < n) fail_msg("%s: %d of %d episodes are won", task, won, n);
    sb_catalogue_free((sb_catalogue *)(uintptr_t)worlds);
}

static void where_all_can_be_seen_it_plays_as_the_expert(void **state) {
    const sb_catalogue *worlds = example("crates");
    const int n = is_night() ? 20 : 4;
    int steps, expected;
    (void)state;
    assert_int_equal(count_wins(worlds, "observer", "Crates/easy", n, &steps), n);
    assert_int_equal(count_wins(worlds, "expert", "Crates/easy", n, &expected), n);
    assert_int_equal(steps, expected);
    sb_catalogue_free((sb_catalogue *)(uintptr_t)worlds);
}

static void it_finds_out_rules_and_what_is_covered(void **state) {
    (void)state;
    assert_wins_all("statues", "Statues/easy", 5, 20);
    assert_wins_all("statues", "Statues/medium", TESTS_ARE_SLOW ? 0 : 2, 20);
    assert_wins_all("keys", "Keys/easy", 5, 20);
    assert_wins_all("keys", "Keys/medium", TESTS_ARE_SLOW ? 0 : 4, 20);
}

/* ---- Mines ------------------------------------------------------------------------------------------------------- */

/* A corner is open; `%s` is a condition on the cells that may hold a mine. */
static const char mines[] =
    "(program (task \"Field\" (category \"reasoning\") (says \"Open all.\")\n"
    "  (difficulty small (= GRID_SIZE 3) (= MINES 2) (= CLEAR 1) (steps 30))\n"
    "  (difficulty large (= GRID_SIZE 4) (= MINES 3) (= CLEAR 2) (steps 30))\n"
    "  (win (all (--> f (| (.. f mine) (>= (.. f shown) 0))) fields))\n"
    "  (lose (any (--> f (== (.. f shown) 9)) fields))\n"
    "  (bound (count (--> f (& (! (.. f mine)) (< (.. f shown) 0))) fields))\n"
    "  (hidden fields.mine))\n"
    "(object Field (: mine Bool) (: shown Number) (Cell 0 0 \"gray\"))\n"
    "(= isNear (--> (p q n) (& (< (abs (- (.. p x) (.. q x))) n) (< (abs (- (.. p y) (.. q y))) n))))\n"
    "(= cells (allPositions GRID_SIZE))\n"
    "(= first (Position 0 0))\n"
    "(= mined (sample (filter (--> p (! (isNear p first CLEAR))) cells) MINES))\n"
    "(= around (--> p (count (--> q (isNear p q 2)) mined)))\n"
    "(= opened (--> f (let (= p (.. f origin)) (Field (.. f mine) (if (.. f mine) then 9 else (around p)) p))))\n"
    "(= fields (map (--> p (Field (in p mined) (if (== p first) then (around p) else -1) p)) cells))\n"
    "(on clicked (= fields (updateObj fields opened (--> f (== (.. f origin) click))))))\n";

enum { SETS = 256, WORDS = SETS / 64, MEMOS = 1 << 20 };

/* All boards, by which cells have mines, and what is known: which cells are open, and which boards fit. */
typedef struct field {
    int side, n_mines, n;
    uint32_t sets[SETS];
    struct memo {
        uint64_t key;
        double value;
    } * memos;
} field;

typedef struct knowledge {
    uint32_t open;
    uint64_t fit[WORDS];
} knowledge;

static bool fits(const knowledge *k, int i) { return k->fit[i / 64] >> i % 64 & 1; }

static bool is_clear(const field *f, int cell, int clear) { return cell % f->side >= clear || cell / f->side >= clear; }

static void list_sets(field *f, int clear) {
    const int cells = f->side * f->side;
    f->n = 0;
    for (uint32_t set = 0; set < 1u << cells; set++) {
        bool is_right = __builtin_popcount(set) == f->n_mines;
        for (int c = 0; c < cells && is_right; c++) is_right = !(set >> c & 1) || is_clear(f, c, clear);
        assert_true(f->n < SETS);
        if (is_right) f->sets[f->n++] = set;
    }
}

static int number_at(const field *f, uint32_t set, int cell) {
    int n = 0;
    for (int c = 0; c < f->side * f->side; c++)
        n += (set >> c & 1) && abs(c % f->side - cell % f->side) < 2 && abs(c / f->side - cell / f->side) < 2;
    return n;
}

static int count_fits(const field *f, const knowledge *k) {
    int n = 0;
    for (int i = 0; i < f->n; i++) n += fits(k, i);
    return n;
}

static struct memo *memo_of(const field *f, const knowledge *k) {
    uint64_t key = k->open * 0x9e3779b97f4a7c15u + 1;
    for (int i = 0; i < WORDS; i++) key = (key ^ k->fit[i]) * 0xbf58476d1ce4e5b9u, key ^= key >> 31;
    size_t at = key % MEMOS;
    while (f->memos[at].key && f->memos[at].key != key) at = (at + 1) % MEMOS;
    if (!f->memos[at].key) f->memos[at] = (struct memo){.key = key, .value = -1};
    return &f->memos[at];
}

static double least_risk(const field *f, const knowledge *k);

/* How likely it is to lose, if this cell is opened next and then all is done right. */
static double risk_of(const field *f, const knowledge *k, int cell) {
    const int n = count_fits(f, k);
    double lost = 0;
    for (int i = 0; i < f->n; i++) lost += fits(k, i) && (f->sets[i] >> cell & 1);
    for (int number = 0; number < 9; number++) {
        knowledge next = {.open = k->open | 1u << cell};
        for (int i = 0; i < f->n; i++)
            if (fits(k, i) && !(f->sets[i] >> cell & 1) && number_at(f, f->sets[i], cell) == number)
                next.fit[i / 64] |= 1ull << i % 64;
        const int left = count_fits(f, &next);
        if (left) lost += left * least_risk(f, &next);
    }
    return lost / n;
}

/* A cell that no board mines is opened first: that costs nothing. */
static double least_risk(const field *f, const knowledge *k) {
    const int cells = f->side * f->side;
    struct memo *memo = memo_of(f, k);
    double least = 1;
    if (memo->value >= 0) return memo->value;
    if (__builtin_popcount(k->open) == cells - f->n_mines) return memo->value = 0;
    uint32_t mined = 0;
    for (int i = 0; i < f->n; i++) mined |= fits(k, i) ? f->sets[i] : 0;
    const uint32_t safe = ~mined & ~k->open & ((1u << cells) - 1);
    for (int c = 0; c < cells; c++) {
        const bool is_tried = safe ? c == __builtin_ctz(safe) : !(k->open >> c & 1);
        const double risk = is_tried ? risk_of(f, k, c) : 1;
        if (risk < least) least = risk;
    }
    memo = memo_of(f, k);
    return memo->value = least;
}

/* The least risk before anything but the corner was seen. */
static double best_risk(field *f, int clear) {
    double lost = 0;
    list_sets(f, clear);
    f->memos = calloc(MEMOS, sizeof *f->memos);
    assert_non_null(f->memos);
    for (int number = 0; number < 9; number++) {
        knowledge k = {.open = 1};
        for (int i = 0; i < f->n; i++)
            if (number_at(f, f->sets[i], 0) == number) k.fit[i / 64] |= 1ull << i % 64;
        const int n = count_fits(f, &k);
        if (n) lost += n * least_risk(f, &k);
    }
    free(f->memos);
    return lost / f->n;
}

/* The board of an episode: the expert opens every cell without a mine. */
static uint32_t board_of(const field *f, const sb_catalogue *worlds, const char *task, int seed) {
    sb_action actions[64] = {0};
    sb_env *env = open_episode(worlds, task, seed);
    uint32_t closed = (1u << f->side * f->side) - 2;
    const int n = play("expert", env, actions);
    for (int i = 0; i < n; i++) closed &= ~(1u << (actions[i] - env->shape.n_buttons));
    sb_free(env);
    return closed;
}

/* Plays every board once, so that what it loses is how likely it loses. */
static double risk_of_observer(const field *f, const sb_catalogue *worlds, const char *task) {
    bool seen[SETS] = {false};
    int lost = 0, n = 0;
    for (int seed = 0; n < f->n; seed++) {
        const uint32_t board = board_of(f, worlds, task, seed);
        int i = 0;
        while (f->sets[i] != board) i++;
        if (seen[i]) continue;
        sb_env *env = open_episode(worlds, task, seed);
        seen[i] = true, n++;
        lost += play("observer", env, NULL) < 0;
        sb_free(env);
    }
    return (double)lost / n;
}

static void assert_risks_little(field f, const char *task, int clear) {
    const sb_catalogue *worlds = catalogue_of(mines);
    const double best = best_risk(&f, clear), own = risk_of_observer(&f, worlds, task);
    print_message("%s: %d boards, lost %.4f, at best %.4f\n", task, f.n, own, best);
    assert_true(own <= best + 0.02 && own >= best - 1e-9);
    sb_catalogue_free((sb_catalogue *)(uintptr_t)worlds);
}

static void in_minefields_it_loses_hardly_more_than_it_must(void **state) {
    (void)state;
    assert_risks_little((field){.side = 3, .n_mines = 2}, "Field/small", 1);
    if (is_night()) assert_risks_little((field){.side = 4, .n_mines = 3}, "Field/large", 2);
}

/* ---- What it sees ------------------------------------------------------------------------------------------------ */

static void put_shown(const sb_env *env, sb_out *out) {
    sb_out_clear(out);
    const sb_mode *mode = sb_mode_find(env->family, "structured", &error);
    assert_non_null(mode);
    env->family->observe(env, mode, out);
}

static bool show_the_same(sb_env *const envs[2], sb_out texts[2]) {
    for (int i = 0; i < 2; i++) put_shown(envs[i], &texts[i]);
    return texts[0].size == texts[1].size && memcmp(texts[0].data, texts[1].data, texts[0].size) == 0;
}

/* Plays two episodes side by side as long as they show the same; returns in how many steps they do. */
static int compare_actions(const sb_catalogue *worlds, const char *task, int seed, int other) {
    sb_env *const envs[2] = {open_episode(worlds, task, seed), open_episode(worlds, task, other)};
    sb_out texts[2] = {sb_out_growing(), sb_out_growing()};
    sb_player players[2] = {0};
    int n = 0;
    for (int i = 0; i < 2; i++) assert_ok(sb_player_begin_as(&players[i], "observer", envs[i], &error), error);
    while (show_the_same(envs, texts) && !envs[0]->status.done && !envs[1]->status.done) {
        sb_action actions[2];
        sb_result result;
        for (int i = 0; i < 2; i++) actions[i] = sb_player_act(&players[i], envs[i]);
        assert_int_equal(actions[0], actions[1]);
        for (int i = 0; i < 2; i++) assert_ok(sb_step(envs[i], actions[i], &result, &error), error);
        n++;
    }
    for (int i = 0; i < 2; i++) sb_player_clear(&players[i]), sb_free(envs[i]), sb_out_free(&texts[i]);
    return n;
}

static void what_is_hidden_changes_no_action_until_it_shows(void **state) {
    const sb_catalogue *worlds = catalogue_of(mines);
    int n = 0;
    (void)state;
    for (int seed = 1; seed < 8; seed++) n += compare_actions(worlds, "Field/large", 0, seed);
    assert_true(n >= 7);
    sb_catalogue_free((sb_catalogue *)(uintptr_t)worlds);
}

static void it_plays_the_same_way_again(void **state) {
    const sb_catalogue *worlds = catalogue_of(mines);
    (void)state;
    for (int seed = 0; seed < 3; seed++) assert_true(compare_actions(worlds, "Field/large", seed, seed) > 0);
    sb_catalogue_free((sb_catalogue *)(uintptr_t)worlds);
}

/* ---- What can be seen -------------------------------------------------------------------------------------------- */

static void it_knows_where_all_can_be_seen(void **state) {
    static const struct {
        const char *file;
        bool tell_all;
    } worlds[] = {{"crates", true}, {"tiles", true},  {"road", true},
                  {"lights", true}, {"mines", false}, {"keys", false}};
    (void)state;
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        sb_out text = example_text(worlds[i].file);
        sb_autumn_fault fault;
        const sb_autumn_options options = {.difficulty = 1};
        sb_autumn_program *program = sb_autumn_load(text.data, text.size, &options, &fault);
        bool tell_all;
        assert_non_null(program);
        assert_true(sb_views_tell_all(program, &tell_all));
        if (tell_all != worlds[i].tell_all)
            fail_msg("%s: views %s all", worlds[i].file, tell_all ? "tell" : "do not tell");
        sb_autumn_unload(program);
        sb_out_free(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_knows_where_all_can_be_seen),
        cmocka_unit_test(where_all_can_be_seen_it_plays_as_the_expert),
        cmocka_unit_test(in_minefields_it_loses_hardly_more_than_it_must),
        cmocka_unit_test(it_finds_out_rules_and_what_is_covered),
        cmocka_unit_test(what_is_hidden_changes_no_action_until_it_shows),
        cmocka_unit_test(it_plays_the_same_way_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
