/* Claims of fewest steps (`shortest` of an oracle): for each task and difficulty, a search that knows nothing of the
 * expert has to find the expert's number of steps in several episodes.
 *
 *     claims_test --list        lists how each claim is tested, as JSON, for the table in docs/measured/oracles.md
 *     SEEDBED_NIGHTLY=1         all official seeds instead of the first few, and training seeds */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lookup.h"
#include "oracles/copies.h"
#include "rollout/selection.h"
#include "rollout/worker.h"
#include "tests/claims/claims.h"

/* ---- How each claim is tested ---- */

typedef enum method {
    ALL_STATES, /* copies of the episode are played forward until all states nearer than success were seen */
    BOUNDED,  /* the same without states from which success is too far, by the task's bound (tested in oracle_test.c) */
    REWRITTEN /* the rules are written a second time: tests/claims/ */
} method;

static const char *const method_names[] = {"all states", "bounded", "rewritten"};

enum { EASY = 1, MEDIUM = 2, HARD = 4, EXPERT = 8, ALL_LEVELS = 15 };

/* Claims for which copies of the episode do not suffice, or only with the bound. All others use ALL_STATES. */
static const struct exception {
    const char *task;
    unsigned levels;
    method method;
    claim_search *search;
} exceptions[] = {
    {"ShortestPath-v0", EXPERT, BOUNDED, NULL},
    {"TileSorting-v0", EXPERT, BOUNDED, NULL},
    {"SymbolMatching-v0", HARD | EXPERT, BOUNDED, NULL},
    {"TaskInterference-v0", EASY, BOUNDED, NULL},
    {"TreasureHunt-v0", HARD | EXPERT, BOUNDED, NULL},
    {"ChaseEvade-v0", MEDIUM | HARD | EXPERT, BOUNDED, NULL},
    {"GraphColoring-v0", ALL_LEVELS, REWRITTEN, claim_colors},
    {"LightsOut-v0", ALL_LEVELS, REWRITTEN, claim_lights},
    {"SokobanPush-v0", ALL_LEVELS, REWRITTEN, claim_boxes},
    {"PackingPuzzle-v0", ALL_LEVELS, REWRITTEN, claim_pieces},
    {"ProgramSynthesis-v0", ALL_LEVELS, REWRITTEN, claim_gems},
};

static const struct exception *exception_of(const char *task, size_t level) {
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (strcmp(exceptions[i].task, task) == 0 && exceptions[i].levels >> level & 1) return &exceptions[i];
    return NULL;
}

static method method_of(const char *task, size_t level) {
    const struct exception *e = exception_of(task, level);
    return e ? e->method : ALL_STATES;
}

/* Claims in worlds are held by tests/worlds_test.c. */
static bool claims(const sb_oracle *oracle, size_t level) { return oracle->task && oracle->shortest >> level & 1; }

static void list_claims(void) {
    const char *separator = "";
    printf("[");
    for (const sb_oracle *const *oracle = sb_oracles; *oracle; oracle++) {
        if (!(*oracle)->task || !(*oracle)->shortest) continue;
        printf("%s{\"task\": \"%s\", \"oracle\": \"%s\", \"held_by\": [", separator, (*oracle)->task, (*oracle)->name);
        for (size_t level = 0; level < SB_N_DIFFICULTIES; level++)
            printf("%s\"%s\"", level ? ", " : "",
                   claims(*oracle, level) ? method_names[method_of((*oracle)->task, level)] : "");
        printf("]}");
        separator = ",\n ";
    }
    printf("]\n");
}

/* ---- Testing a claim ---- */

/* For a claim: how many episodes of each split are tried, how many of the official ones have to be confirmed (some are
 * impossible), and with how many states. */
typedef struct sweep {
    uint64_t official, training;
    int least;
    uint32_t copies, rewritten; /* limits of states in an episode */
} sweep;

static sweep choose_sweep(void) {
    const char *nightly = getenv("SEEDBED_NIGHTLY");
    if (nightly && strcmp(nightly, "1") == 0) return (sweep){25, 50, 10, 1 << 21, 1 << 22};
    return TESTS_ARE_SLOW ? (sweep){3, 0, 1, 1 << 17, 1 << 18} : (sweep){4, 0, 2, 1 << 18, 1 << 20};
}

typedef struct holder {
    sweep sweep;
    sb_copies copies;
    sb_player player;
    sb_tape tape; /* of the oracle */
    sb_env *env;
} holder;

static int steps_taken(holder *h, const sb_oracle *oracle, const sb_name *name) {
    sb_error error;
    assert_ok(sb_roll_out(h->env, &h->player, oracle->name, name, &h->tape, NULL, NULL, &error), error);
    if (h->tape.outcome.success) assert_false(h->player.budget.is_cut);
    return h->tape.outcome.success ? (int)h->tape.n : -1;
}

static void search_copies(holder *h, bool distrusts_bound, claim_answer *answer) {
    sb_error error;
    sb_budget budget = {.limit = h->sweep.copies};
    h->copies.distrusts_bound = distrusts_bound;
    assert_ok(sb_copies_search(&h->copies, h->env, &budget, &answer->verdict, &error), error);
    if (answer->verdict == SB_SOLVED && budget.is_cut) answer->verdict = SB_NOT_FOUND; /* there may be fewer steps */
    if (answer->verdict != SB_SOLVED) return;
    answer->n_plan = answer->fewest = sb_copies_plan(&h->copies, answer->plan, CLAIM_PLAN);
}

static void search(holder *h, const sb_oracle *oracle, claim_answer *answer) {
    const size_t level = h->env->difficulty_index;
    const method method = method_of(oracle->task, level);
    *answer = (claim_answer){0};
    if (method == REWRITTEN)
        exception_of(oracle->task, level)->search(sb_episode_of(h->env), h->sweep.rewritten, answer);
    else
        search_copies(h, method == ALL_STATES, answer);
}

/* Asserts that the plan that was found succeeds in the episode, with its last action. */
static void assert_succeeds(sb_env *env, const claim_answer *answer) {
    sb_error error;
    for (int i = 0; i < answer->n_plan; i++) {
        sb_result result;
        assert_ok(sb_step(env, answer->plan[i], &result, &error), error);
        assert_int_equal(result.success, i + 1 == answer->n_plan);
    }
}

/* Returns whether the search was complete and the oracle succeeded. */
static bool hold(holder *h, const sb_oracle *oracle, const sb_name *name) {
    static claim_answer answer;
    sb_error error;
    const int taken = steps_taken(h, oracle, name);
    assert_ok(sb_reset_name(h->env, name, &error), error);
    search(h, oracle, &answer);
    if (answer.verdict == SB_NOT_FOUND) return false;
    const int fewest = answer.verdict == SB_SOLVED ? answer.fewest : -1;
    if (taken != fewest)
        fail_msg("%s/%s#%llu: %d steps, fewest are %d", name->task, name->difficulty, (unsigned long long)name->seed,
                 taken, fewest);
    assert_succeeds(h->env, &answer);
    return taken > 0;
}

/* Returns in how many of the first episodes of the split the claim was confirmed. */
static int hold_split(holder *h, const sb_oracle *oracle, size_t level, const char *split, uint64_t count) {
    sb_error error;
    sb_selection selection;
    int held = 0;
    const char *name = sb_families[0]->difficulties[level];
    const sb_request request = {
        .family = oracle->family, .tasks = oracle->task, .difficulty = name, .split = split, .count = count};
    if (count == 0) return 0;
    assert_ok(sb_select(&request, &selection, &error), error);
    for (size_t i = 0; i < selection.n; i++) held += hold(h, oracle, sb_selection_name(&selection, i, &(sb_name){0}));
    print_message("%s/%s, %s: %d of %zu of split %s confirmed by %s\n", oracle->task, name, oracle->name, held,
                  selection.n, split, method_names[method_of(oracle->task, level)]);
    sb_selection_free(&selection);
    return held;
}

static void hold_level(holder *h, const sb_oracle *oracle, size_t level) {
    const int held = hold_split(h, oracle, level, "eval", h->sweep.official);
    if (held < h->sweep.least)
        fail_msg("%s/%s: too few episodes confirm the claim", oracle->task, sb_families[0]->difficulties[level]);
    hold_split(h, oracle, level, "train", h->sweep.training);
}

static void open_holder(holder *h) {
    sb_error error;
    *h = (holder){.sweep = choose_sweep()};
    assert_ok(sb_copies_open(&h->copies, h->sweep.copies, &error), error);
    h->env = sb_make(NULL, NULL, &error);
    assert_non_null(h->env);
}

static void close_holder(holder *h) {
    sb_copies_close(&h->copies);
    sb_player_clear(&h->player);
    sb_tape_clear(&h->tape);
    sb_free(h->env);
}

static void every_claim_at_every_difficulty_is_confirmed(void **state) {
    (void)state;
    holder h;
    int n = 0;
    open_holder(&h);
    for (const sb_oracle *const *oracle = sb_oracles; *oracle; oracle++)
        for (size_t level = 0; level < SB_N_DIFFICULTIES; level++) {
            if (!claims(*oracle, level)) continue;
            assert_string_equal((*oracle)->family, sb_families[0]->name);
            hold_level(&h, *oracle, level);
            n++;
        }
    assert_true(n > 0);
    close_holder(&h);
}

/* Compares the rewritten rules and their bounds with the engine's. */
static void rewritten_rules_agree_with_the_search_over_all_states(void **state) {
    (void)state;
    sb_error error;
    holder h;
    open_holder(&h);
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++) {
        sb_selection selection;
        if (exceptions[i].method != REWRITTEN) continue;
        const sb_request request = {
            .tasks = exceptions[i].task, .difficulty = "easy", .split = "train", .count = 5 * h.sweep.official};
        assert_ok(sb_select(&request, &selection, &error), error);
        for (size_t k = 0; k < selection.n; k++) {
            static claim_answer rewritten, copied;
            rewritten = copied = (claim_answer){0};
            assert_ok(sb_reset_name(h.env, sb_selection_name(&selection, k, &(sb_name){0}), &error), error);
            exceptions[i].search(sb_episode_of(h.env), h.sweep.rewritten, &rewritten);
            search_copies(&h, true, &copied);
            assert_int_equal(copied.verdict, rewritten.verdict);
            assert_int_equal(copied.fewest, rewritten.fewest);
        }
        sb_selection_free(&selection);
    }
    close_holder(&h);
}

/* ---- Claims that do not count ---- */

/* Plays the episode with a budget of few states; returns the steps to success, or -1. */
static int steps_on(holder *h, const sb_oracle *oracle, const sb_name *name, uint64_t limit) {
    sb_error error;
    assert_ok(sb_reset_name(h->env, name, &error), error);
    assert_ok(sb_player_begin_as(&h->player, oracle->name, h->env, &error), error);
    h->player.budget.limit = limit;
    while (!h->env->status.done) {
        sb_result result;
        assert_ok(sb_step(h->env, sb_player_act(&h->player, h->env), &result, &error), error);
    }
    return h->env->status.success ? h->env->status.steps : -1;
}

static void an_oracle_that_runs_out_of_states_claims_nothing(void **state) {
    (void)state;
    sb_error error;
    holder h;
    enum { EACH = TESTS_ARE_SLOW ? 1 : 4 };
    int n_cut = 0;
    open_holder(&h);
    for (const sb_oracle *const *oracle = sb_oracles; *oracle; oracle++) {
        sb_selection selection;
        if (!(*oracle)->task || !(*oracle)->shortest) continue;
        const sb_request request = {
            .family = (*oracle)->family, .tasks = (*oracle)->task, .split = "train", .count = EACH};
        assert_ok(sb_select(&request, &selection, &error), error);
        for (size_t i = 0; i < selection.n; i++) {
            if (!claims(*oracle, i / EACH)) continue;
            const int fewest = steps_on(&h, *oracle, sb_selection_name(&selection, i, &(sb_name){0}),
                                        SB_DEFAULT_BUDGET);
            assert_false(h.player.budget.is_cut);
            for (uint64_t limit = 100; limit < 20000; limit *= 3) {
                const int taken = steps_on(&h, *oracle, sb_selection_name(&selection, i, &(sb_name){0}), limit);
                if (taken >= 0 && !h.player.budget.is_cut) assert_int_equal(taken, fewest);
                n_cut += h.player.budget.is_cut;
            }
        }
        sb_selection_free(&selection);
    }
    assert_true(n_cut > 0);
    close_holder(&h);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_at_every_difficulty_is_confirmed),
        cmocka_unit_test(rewritten_rules_agree_with_the_search_over_all_states),
        cmocka_unit_test(an_oracle_that_runs_out_of_states_claims_nothing),
    };
    if (argc > 1 && strcmp(argv[1], "--list") == 0) {
        list_claims();
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
