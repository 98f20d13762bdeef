/* Observers against what the best observer can do: where the expert knows what is hidden, it wins more often, and part
 * of that gap nobody can close.
 *
 * FewShotAdaptation: the demonstrations and the test say how likely each rule is, and the rule how likely each
 * candidate; no observer is right more often than the likeliest candidate. RuleInduction: a game without a room, in
 * which nothing costs a step, is solved over all beliefs; its value is an upper bound.
 *
 * At night 1,000 episodes of each difficulty are played. `ceilings_test --list N` plays N and prints what it found as
 * JSON, for docs/measured/oracles.md. */
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/gridworld/episode.h"
#include "generators/agentick/generalization/few_shot_adaptation.h"
#include "generators/agentick/reasoning/rule_induction.h"
#include "rollout/selection.h"
#include "rollout/worker.h"

static bool is_nightly(void) { return getenv("SEEDBED_NIGHTLY"); }

/* ---- FewShotAdaptation ---- */

enum { FEW_SHOT_RULES = SB_FEW_SHOT_CANDIDATES + SB_N_FEW_SHOT_RULES - 1 };

/* The chances of a trial's candidates by rule k, of which the first are to go to a type. Candidates with equal scores
 * are equally likely, because their order is hidden. */
static void few_shot_chances(const sb_episode *e, const sb_few_shot_trial *trial, int k,
                             double chance[SB_FEW_SHOT_CANDIDATES]) {
    const sb_few_shot_adaptation_vars *v = SB_VARS(e);
    const bool by_type = k < v->n_candidates;
    const int rule = by_type ? SB_RULE_GOTO_TYPE : SB_RULE_GOTO_TYPE + 1 + k - v->n_candidates;
    int score[SB_FEW_SHOT_CANDIDATES], best = INT32_MIN, n_best = 0;
    for (int i = 0; i < v->n_candidates; i++) {
        score[i] = sb_few_shot_score(e, rule, trial->at[i], trial->type[i], by_type ? (int)sb_few_shot_types[k] : 0);
        if (score[i] > best) best = score[i], n_best = 0;
        n_best += score[i] == best;
    }
    for (int i = 0; i < v->n_candidates; i++) chance[i] = score[i] == best ? 1.0 / n_best : 0;
}

/* The chance that the likeliest candidate of the test is right. */
static double few_shot_ceiling(const sb_episode *e) {
    const sb_few_shot_adaptation_vars *v = SB_VARS(e);
    double right[SB_FEW_SHOT_CANDIDATES] = {0}, all = 0, most = 0;
    for (int k = 0; k < v->n_candidates + v->n_rules - 1; k++) {
        double weight = k < v->n_candidates ? 1.0 / v->n_candidates : 1, chance[SB_FEW_SHOT_CANDIDATES];
        for (int d = 0; d < v->n_demos; d++) {
            few_shot_chances(e, &v->trial[d], k, chance);
            weight *= chance[v->trial[d].correct];
        }
        few_shot_chances(e, &v->trial[v->n_demos], k, chance);
        for (int i = 0; i < v->n_candidates; i++) right[i] += weight * chance[i];
        all += weight;
    }
    for (int i = 0; i < v->n_candidates; i++) most = right[i] > most ? right[i] : most;
    return most / all;
}

/* ---- RuleInduction without a room ---- */

enum {
    KINDS = 5, /* the last one is the target */
    TARGET = KINDS - 1,
    PAIRS = KINDS * KINDS,
    TRIALS = SB_RULE_INDUCTION_TRIALS,
    UNKNOWN = KINDS + 1, /* results of a pair: a kind, */
    NONE = KINDS,        /* or nothing */
    HYPOTHESES = 144
};

/* What is known, and what lies there. */
typedef struct belief {
    uint8_t made[PAIRS];      /* by held * KINDS + met */
    uint8_t there[KINDS - 1]; /* objects of each kind; the target's would be the end */
    uint8_t trial;
} belief;

/* The last rule of the chain, and the first (UINT8_MAX: there is none) with what it makes. */
typedef struct hypothesis {
    uint8_t last, first, made;
} hypothesis;

typedef struct memo {
    uint64_t key[2]; /* 0: empty */
    double value;
} memo;

typedef struct game {
    int n_random;
    int makes_max; /* who has found so many other rules is taken for a winner, which keeps the bound a bound */
    size_t n_slots, n_known; /* of the memo: room, entries */
    hypothesis of[HYPOTHESES];
    int n;
    memo *memo;
    uint8_t orders[24][KINDS];
} game;

static void list_hypotheses(game *g, int chain) {
    g->n = 0;
    for (int a = 0; a < TARGET; a++)
        for (int b = 0; b < TARGET; b++) {
            const uint8_t last = (uint8_t)(a * KINDS + b);
            if (a == b) continue;
            if (chain == 1) g->of[g->n++] = (hypothesis){last, UINT8_MAX, NONE};
            for (int m = 0; chain == 2 && m < TARGET; m++)
                for (int pair = 0; m != a && m != b && pair < PAIRS; pair++) {
                    const int held = pair / KINDS, met = pair % KINDS;
                    if (held == met || held == m || met == m || held == TARGET || met == TARGET) continue;
                    g->of[g->n++] = (hypothesis){last, (uint8_t)pair, (uint8_t)m};
                }
        }
}

static void list_orders(game *g) {
    int n = 0;
    for (int code = 0; code < 256; code++) {
        const uint8_t o[4] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6};
        unsigned seen = 0;
        for (int i = 0; i < 4; i++) seen |= 1u << o[i];
        if (seen != 15) continue;
        for (int i = 0; i < 4; i++) g->orders[n][i] = o[i];
        g->orders[n++][TARGET] = TARGET;
    }
    assert_int_equal(n, 24);
}

/* The belief's key is the least over all names of the kinds, which are alike. */
static void key_of(const game *g, const belief *b, uint64_t key[2]) {
    key[0] = key[1] = UINT64_MAX;
    for (int o = 0; o < 24; o++) {
        const uint8_t *order = g->orders[o];
        uint64_t low = 1, high = b->trial; /* never 0 */
        for (int i = 0; i < TARGET; i++) high = high * 8 + b->there[order[i]];
        for (int pair = 0; pair < TARGET * KINDS; pair++) {
            const int held = pair / KINDS, met = pair % KINDS;
            int made = b->made[order[held] * KINDS + order[met]];
            if (made < TARGET)
                for (int i = 0; i < TARGET; i++)
                    if (order[i] == made) {
                        made = i;
                        break;
                    }
            uint64_t *word = pair < 10 ? &low : &high;
            *word = *word * 8 + (uint64_t)made;
        }
        if (high < key[1] || (high == key[1] && low < key[0])) key[0] = low, key[1] = high;
    }
}

static double choose(int n, int k) {
    double product = k < 0 || k > n ? 0 : 1;
    for (int i = 0; i < k && product > 0; i++) product = product * (n - i) / (i + 1);
    return product;
}

/* How likely what is known would be if the hypothesis were true; the pairs that its other rules may still have, and how
 * many of these rules were not found, are for the next result. */
static double weigh(const game *g, const belief *b, const hypothesis *h, double *chance) {
    const int n_free = PAIRS - (h->first == UINT8_MAX || h->first == h->last ? 1 : 2);
    int n_random = g->n_random + (h->first == h->last), tried = 0, found = 0;
    double weight = 1;
    for (int pair = 0; pair < PAIRS; pair++) {
        const int made = b->made[pair];
        if (made == UNKNOWN) continue;
        if (pair == h->last || pair == h->first) {
            if (made != (pair == h->last ? TARGET : h->made)) return 0;
            continue;
        }
        tried++, found += made != NONE;
        if (made != NONE) weight /= KINDS;
    }
    *chance = found < n_random ? (double)(n_random - found) / (n_free - tried) : 0;
    return weight * choose(n_free - tried, n_random - found);
}

static double value_of(game *g, const belief *b);

static double next_trial(game *g, const belief *b) {
    belief next = *b;
    for (int k = 0; k < TARGET; k++) next.there[k] = 1;
    next.trial++;
    return next.trial == TRIALS ? 0 : value_of(g, &next);
}

/* The chances of the results of a pair: of each kind, and of nothing. */
static void results_of(const game *g, const double weight[], const double chance[], int pair,
                       double result[KINDS + 1]) {
    double all = 0;
    for (int r = 0; r <= NONE; r++) result[r] = 0;
    for (int i = 0; i < g->n; i++) {
        const hypothesis *h = &g->of[i];
        all += weight[i];
        if (pair == h->last)
            result[TARGET] += weight[i];
        else if (pair == h->first)
            result[h->made] += weight[i];
        else {
            for (int k = 0; k < KINDS; k++) result[k] += weight[i] * chance[i] / KINDS;
            result[NONE] += weight[i] * (1 - chance[i]);
        }
    }
    for (int r = 0; r <= NONE; r++) result[r] /= all;
}

/* The chance to win after the pair was combined and made this. */
static double after(game *g, const belief *b, int pair, int made) {
    belief next = *b;
    next.there[pair / KINDS]--, next.there[pair % KINDS]--;
    next.made[pair] = (uint8_t)made;
    if (made < TARGET) next.there[made]++;
    return made == TARGET ? 1 : value_of(g, &next);
}

static double best_move(game *g, const belief *b) {
    double weight[HYPOTHESES], chance[HYPOTHESES] = {0}, best = next_trial(g, b);
    for (int i = 0; i < g->n; i++) weight[i] = weigh(g, b, &g->of[i], &chance[i]);
    for (int pair = 0; pair < TARGET * KINDS; pair++) {
        const int held = pair / KINDS, met = pair % KINDS;
        double result[KINDS + 1], value = 0;
        if (met == TARGET || !b->there[held] || !b->there[met] || (held == met && b->there[held] < 2)) continue;
        if (b->made[pair] == NONE) continue;
        if (b->made[pair] != UNKNOWN) {
            value = after(g, b, pair, b->made[pair]);
        } else {
            results_of(g, weight, chance, pair, result);
            for (int r = 0; r <= NONE; r++)
                if (result[r] > 0) value += result[r] * after(g, b, pair, r);
        }
        if (value > best) best = value;
    }
    return best;
}

static int count_found(const belief *b) {
    int n = 0;
    for (int pair = 0; pair < PAIRS; pair++) n += b->made[pair] < TARGET;
    return n;
}

static double value_of(game *g, const belief *b) {
    uint64_t key[2];
    if (count_found(b) >= g->makes_max) return 1;
    key_of(g, b, key);
    uint64_t slot = (key[0] * UINT64_C(0x9e3779b97f4a7c15) ^ key[1] * UINT64_C(0xc2b2ae3d27d4eb4f)) >> 40;
    slot %= g->n_slots;
    while (g->memo[slot].key[0] && memcmp(g->memo[slot].key, key, sizeof key) != 0) slot = (slot + 1) % g->n_slots;
    if (g->memo[slot].key[0]) return g->memo[slot].value;
    const double value = best_move(g, b);
    while (g->memo[slot].key[0]) slot = (slot + 1) % g->n_slots;
    g->memo[slot] = (memo){{key[0], key[1]}, value};
    assert_true(++g->n_known < g->n_slots / 4 * 3);
    return value;
}

static double rule_induction_ceiling(int difficulty, int makes_max) {
    static const int chain[SB_N_DIFFICULTIES] = {1, 1, 2, 2}, n_random[SB_N_DIFFICULTIES] = {1, 2, 2, 3};
    game g = {.n_random = n_random[difficulty], .makes_max = makes_max, .n_slots = UINT64_C(1) << (12 + 3 * makes_max)};
    g.memo = calloc(g.n_slots, sizeof(memo));
    belief start = {.trial = 0};
    assert_non_null(g.memo);
    list_hypotheses(&g, chain[difficulty]);
    list_orders(&g);
    memset(start.made, UNKNOWN, sizeof start.made);
    for (int k = 0; k < TARGET; k++) start.there[k] = 1;
    const double value = value_of(&g, &start);
    free(g.memo);
    return value;
}

/* ---- Observers ---- */

typedef struct found {
    int episodes, won;
    double ceiling, squares; /* sums: of what the best observer wins, and of the squared differences to what was won */
} found;

static found play(const char *task, int difficulty, int episodes, double known_ceiling) {
    sb_error error;
    sb_selection selection;
    sb_worker worker = {0};
    found f = {.episodes = episodes};
    const sb_request request = {
        .tasks = task, .difficulty = sb_difficulty_names[difficulty], .split = "train", .count = (uint64_t)episodes};
    assert_ok(sb_select(&request, &selection, &error), error);
    for (size_t i = 0; i < selection.n; i++) {
        sb_name name;
        assert_ok(sb_worker_open(&worker, &error), error);
        assert_ok(sb_reset_name(worker.env, sb_selection_name(&selection, i, &name), &error), error);
        const double ceiling = known_ceiling > 0 ? known_ceiling : few_shot_ceiling(sb_episode_of(worker.env));
        assert_ok(sb_worker_play(&worker, "observer", &name, NULL, NULL, &error), error);
        const double off = worker.tape.outcome.success - ceiling;
        f.won += worker.tape.outcome.success, f.ceiling += ceiling, f.squares += off * off;
    }
    sb_worker_free(&worker);
    sb_selection_free(&selection);
    return f;
}

static double gap_of(const found *f) { return (f->ceiling - f->won) / f->episodes; }

/* Half of the interval of 95 % of the gap. */
static double half_of(const found *f) {
    const double gap = gap_of(f), n = f->episodes;
    return 1.96 * sqrt((f->squares / n - gap * gap) / n);
}

/* Calls `check` with what was found of each task and difficulty. */
static void each(int episodes, int makes_max, void (*check)(const char *task, int difficulty, const found *f)) {
    for (int d = 0; d < SB_N_DIFFICULTIES; d++) {
        const found f = play("FewShotAdaptation-v0", d, episodes, 0);
        check("FewShotAdaptation-v0", d, &f);
    }
    for (int d = 0; d < SB_N_DIFFICULTIES; d++) {
        const found f = play("RuleInduction-v0", d, episodes, rule_induction_ceiling(d, makes_max));
        check("RuleInduction-v0", d, &f);
    }
}

static void check_gap(const char *task, int difficulty, const found *f) {
    print_message("%s/%d: %d of %d won, the best observer %.1f; gap %.4f +- %.4f\n", task, difficulty, f->won,
                  f->episodes, f->ceiling, gap_of(f), half_of(f));
    assert_true(gap_of(f) - half_of(f) < (TESTS_ARE_SLOW ? 0.2 : 0.02));
    assert_true(gap_of(f) + 2 * half_of(f) > 0); /* a ceiling */
}

static void observers_win_nearly_as_often_as_the_best(void **state) {
    (void)state;
    if (TESTS_ARE_SLOW)
        each(20, 1, check_gap);
    else
        each(is_nightly() ? 1000 : 100, is_nightly() ? 4 : 3, check_gap);
}

static void print_found(const char *task, int difficulty, const found *f) {
    static bool is_later;
    printf("%s{\"task\": \"%s\", \"difficulty\": %d, \"episodes\": %d, \"won\": %d, \"ceiling\": %.4f, \"half\": %.4f}",
           is_later ? ",\n " : "[", task, difficulty, f->episodes, f->won, f->ceiling / f->episodes, half_of(f));
    is_later = true;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(observers_win_nearly_as_often_as_the_best)};
    if (argc != 3 || strcmp(argv[1], "--list") != 0) return cmocka_run_group_tests(tests, NULL, NULL);
    each(atoi(argv[2]), 4, print_found);
    puts("]");
    return 0;
}
