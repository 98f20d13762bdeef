/* Evaluation under a budget: whether the draw, the estimates and their intervals hold, for agents of all strengths. In
 * 1,000 draws (fewer by day) each agent has the outcomes that were recorded: those published with the benchmark, and
 * those of players with noise (tests/golden/budget-agents.jsonl). A sample of a pair depends only on how many of its
 * episodes were won, so only that is kept.
 *
 *     budget_test --list       prints as JSON what the draws of a night gave, for docs/measured/budget.md
 *     budget_test --measure    plays the players with noise (minutes), and prints the lines of the golden file */
#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/environment.h"
#include "evaluation/estimates.h"
#include "evaluation/selected.h"
#include "oracles/player.h"
#include "seedbed/player.h"
#include "seeds/official.h"

enum { PAIRS = SB_OFFICIAL_TASKS * SB_OFFICIAL_DIFFICULTIES, EPISODES = PAIRS * SB_EVAL_SEEDS, AGENTS = 64 };
enum { NIGHT = 1000, DAY = 200, DAY_SLOW = 50 };

static sb_error error;

/* ---- Agents ---- */

/* How many of the 25 episodes of each pair an agent won, in the order of selections. */
typedef struct agent {
    char name[100];
    unsigned char won[PAIRS];
} agent;

static agent agents[AGENTS];
static size_t n_agents;

static agent *next_agent(const char *name) {
    assert_true(n_agents < AGENTS);
    agent *a = &agents[n_agents++];
    snprintf(a->name, sizeof a->name, "%s", name);
    return a;
}

static void read_agent(const cJSON *line) {
    const char *name, *won;
    assert_ok(sb_json_string(line, "agent", &name, &error) && sb_json_string(line, "won", &won, &error), error);
    assert_int_equal(strlen(won), PAIRS);
    agent *a = next_agent(name);
    for (size_t i = 0; i < PAIRS; i++) a->won[i] = (unsigned char)(won[i] - 'A');
}

/* Reads the published rates, whose tasks are sorted by name. */
static void read_published(const sb_selection *all, const cJSON *document, const cJSON *published) {
    const cJSON *tasks = cJSON_GetObjectItem(document, "tasks"), *success = cJSON_GetObjectItem(published, "success");
    char name[100];
    snprintf(name, sizeof name, "%s, %s, published", cJSON_GetObjectItem(published, "name")->valuestring,
             cJSON_GetObjectItem(published, "observation")->valuestring);
    agent *a = next_agent(name);
    for (size_t i = 0; i < PAIRS; i++) {
        const sb_resolved of = sb_selection_at(all, i * SB_EVAL_SEEDS);
        int task = 0;
        while (strcmp(cJSON_GetArrayItem(tasks, task)->valuestring, of.task->name) != 0) task++;
        const cJSON *rates = cJSON_GetArrayItem(success, task), *rate = cJSON_GetArrayItem(rates, (int)of.difficulty);
        a->won[i] = (unsigned char)lround(SB_EVAL_SEEDS * rate->valuedouble);
    }
}

static void read_agents(const sb_selection *all) {
    sb_out text = sb_out_growing();
    const cJSON *published;
    if (n_agents) return;
    each_vector("budget-agents.jsonl", read_agent);
    assert_ok(sb_file_load(SB_PUBLISHED, 1 << 20, &text, &error), error);
    cJSON *document = sb_json_parse(text.data, text.size, &error);
    cJSON_ArrayForEach(published, cJSON_GetObjectItem(document, "agents")) read_published(all, document, published);
    cJSON_Delete(document);
    sb_out_free(&text);
}

/* ---- Draws ---- */

/* The official episodes, and the place of each drawn one among them. */
typedef struct drawing {
    sb_selection all, drawn;
    uint16_t official[EPISODES];
    sb_results results; /* with the plan; outcomes are filled in for one agent after another */
} drawing;

static const sb_request everything = {.split = "eval"};

static drawing *begin(void) {
    drawing *d = calloc(1, sizeof *d);
    assert_non_null(d);
    assert_ok(sb_select(&everything, &d->all, &error), error);
    assert_int_equal(d->all.n, EPISODES);
    read_agents(&d->all);
    d->results.episodes = calloc(EPISODES, sizeof *d->results.episodes);
    return d;
}

static void end(drawing *d) {
    sb_results_free(&d->results);
    sb_selection_free(&d->all), sb_selection_free(&d->drawn);
    free(d);
}

static uint16_t place_of(const sb_selection *all, const sb_chosen *episode) {
    size_t at = 0;
    while (!sb_same_chosen_pair(&all->episodes[at], episode)) at += SB_EVAL_SEEDS;
    while (all->episodes[at].seed != episode->seed) at++;
    return (uint16_t)at;
}

static void draw(drawing *d, const sb_eval_budget *budget) {
    sb_eval_budget_free(&d->results.budget);
    sb_selection_free(&d->drawn);
    assert_ok(sb_select(&everything, &d->drawn, &error), error);
    assert_ok(sb_eval_budget_draw(budget, &everything, &d->drawn, &d->results.budget, &error), error);
    for (size_t i = 0; i < d->drawn.n; i++) d->official[i] = place_of(&d->all, &d->drawn.episodes[i]);
}

/* Lets the agent play the budget. */
static sb_estimates play(drawing *d, const agent *a) {
    sb_results *r = &d->results;
    sb_estimates e;
    r->n = r->room = d->drawn.n;
    for (size_t i = 0; i < r->n; i++) {
        r->episodes[i].done = true;
        r->episodes[i].tape.outcome.success = d->official[i] % SB_EVAL_SEEDS < a->won[d->official[i] / SB_EVAL_SEEDS];
    }
    assert_ok(sb_eval_budget_due(r, &r->n, &error), error);
    assert_ok(sb_estimate_all(r, &e, &error), error);
    assert_true(e.known && e.has_leaderboard && e.drawn == r->n);
    return e;
}

/* ---- What many draws give ---- */

enum { SUCCESS, LEADERBOARD, CATEGORIES, SCORES = CATEGORIES + 6 };

/* Sums over draws, for each score of an agent. */
typedef struct sums {
    double truth[SCORES], error[SCORES], squares[SCORES], half[SCORES];
    double variance[SCORES]; /* of the estimate, as it follows from the plan; 0 where the number of episodes varies */
    size_t covered[SCORES], n;
    double episodes;
} sums;

static void add_score(sums *s, size_t score, const sb_estimate *e) {
    const double off = e->value - s->truth[score];
    s->error[score] += off, s->squares[score] += off * off, s->half[score] += e->half;
    s->covered[score] += e->interval.lower <= s->truth[score] + 1e-9 && s->truth[score] <= e->interval.upper + 1e-9;
}

static void add(sums *s, const sb_estimates *e) {
    assert_int_equal(CATEGORIES + e->n_categories, SCORES);
    add_score(s, SUCCESS, &e->success), add_score(s, LEADERBOARD, &e->leaderboard);
    for (size_t i = 0; i < e->n_categories; i++) add_score(s, CATEGORIES + i, &e->categories[i].success);
    s->episodes += (double)e->drawn;
    s->n++;
}

/* The scores of all episodes, which a budget that is large enough for all gives. */
static void add_truths(drawing *d, sums *all) {
    draw(d, &(sb_eval_budget){.episodes = EPISODES});
    for (size_t i = 0; i < n_agents; i++) {
        const sb_estimates e = play(d, &agents[i]);
        assert_true(e.success.half == 0 && e.leaderboard.half == 0);
        all[i].truth[SUCCESS] = e.success.value, all[i].truth[LEADERBOARD] = e.leaderboard.value;
        for (size_t k = 0; k < e.n_categories; k++) all[i].truth[CATEGORIES + k] = e.categories[k].success.value;
    }
}

/* The place of a category among the scores: in the order in which they come first. */
static size_t category_of(const sb_eval_budget_plan *plan, size_t stratum) {
    const char *seen[SCORES];
    size_t n = 0;
    for (size_t i = 0;; i++) {
        size_t k = 0;
        while (k < n && strcmp(seen[k], plan->strata[i].task->category) != 0) k++;
        if (k == n) seen[n++] = plan->strata[i].task->category;
        if (i == stratum) return CATEGORIES + k;
    }
}

/* Adds the variance of each estimate: of every stratum weight^2 (1 - k/n) S^2 / k. */
static void add_variances(const sb_eval_budget_plan *plan, const agent *a, sums *s) {
    double of[SCORES] = {0};
    for (size_t i = 0; i < plan->n_strata; i++) of[category_of(plan, i)] += (double)plan->strata[i].n;
    for (size_t i = 0, pair = 0; i < plan->n_strata; i++) {
        const sb_stratum *t = &plan->strata[i];
        const double n = (double)t->n, drawn = (double)t->drawn;
        const size_t category = category_of(plan, i);
        double won = 0;
        for (size_t k = 0; k < t->pairs; k++) won += a->won[pair++];
        const double v = (1 - drawn / n) * n / (n - 1) * (won / n) * (1 - won / n) / drawn;
        s->variance[SUCCESS] += t->weights[SB_BUDGET_SUCCESS] * t->weights[SB_BUDGET_SUCCESS] * v;
        s->variance[LEADERBOARD] += t->weights[SB_BUDGET_LEADERBOARD] * t->weights[SB_BUDGET_LEADERBOARD] * v;
        s->variance[category] += n / of[category] * (n / of[category]) * v;
    }
}

/* Draws so many times, for every agent. */
static void simulate(const sb_eval_budget *budget, size_t n, sums *all) {
    drawing *d = begin();
    memset(all, 0, AGENTS * sizeof *all);
    add_truths(d, all);
    for (size_t i = 0; i < n; i++) {
        sb_eval_budget other = *budget;
        other.seed = i;
        draw(d, &other);
        for (size_t k = 0; k < n_agents; k++) {
            const sb_estimates e = play(d, &agents[k]);
            if (i == 0 && !(budget->until > 0)) add_variances(&d->results.budget, &agents[k], &all[k]);
            add(&all[k], &e);
        }
    }
    end(d);
}

static double bias_of(const sums *s, size_t score) { return s->error[score] / (double)s->n; }
static double cover_of(const sums *s, size_t score) { return (double)s->covered[score] / (double)s->n; }
static double half_of(const sums *s, size_t score) { return s->half[score] / (double)s->n; }

/* The bias in standard errors of the mean over the draws. */
static double errors_of(const sums *s, size_t score) {
    const double n = (double)s->n, bias = bias_of(s, score);
    const double variance = s->variance[score] > 0 ? s->variance[score] : s->squares[score] / n - bias * bias;
    return variance > 0 ? bias / sqrt(variance / n) : 0;
}

/* ---- What is required ---- */

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static size_t draws(void) { return getenv("SEEDBED_NIGHTLY") ? NIGHT : TESTS_ARE_SLOW ? DAY_SLOW : DAY; }

/* How far a share of so many draws may be below what it is of all, by day: three standard errors. */
static double slack(double share) {
    const double n = (double)draws();
    return n < NIGHT ? 3 * sqrt(share * (1 - share) / n) : 0;
}

static void check_agent(const agent *a, const sums *s) {
    for (size_t k = 0; k < SCORES; k++)
        if (fabs(errors_of(s, k)) >= 4 || cover_of(s, k) < 0.93 - slack(0.93))
            fail_msg("%s, score %zu: %.4f, bias %.5f (%.1f standard errors), coverage %.3f", a->name, k, s->truth[k],
                     bias_of(s, k), errors_of(s, k), cover_of(s, k));
}

/* When to stop depends on what was seen, so there is some bias; it is to stay below a fortieth of the half width. */
static bool is_biased_by_stopping(const sums *s, double until) {
    return fabs(errors_of(s, SUCCESS)) >= 4 && fabs(bias_of(s, SUCCESS)) > until / 40;
}

/* Agents that win between a tenth and nine tenths. */
static void check_middle(const sums *all) {
    double half[AGENTS], covered = 0;
    size_t n = 0;
    for (size_t i = 0; i < n_agents; i++) {
        if (all[i].truth[SUCCESS] < 0.1 || all[i].truth[SUCCESS] > 0.9) continue;
        covered += cover_of(&all[i], SUCCESS);
        half[n++] = half_of(&all[i], SUCCESS);
    }
    covered /= (double)n;
    qsort(half, n, sizeof *half, by_value);
    print_message("%zu agents: coverage %.4f, half width %.4f in the median, %.4f at most\n", n, covered, half[n / 2],
                  half[n - 1]);
    assert_true(covered >= 0.94 && covered <= 0.975);
    assert_true(half[n / 2] <= 0.032 && half[n - 1] <= 0.042);
}

static void two_episodes_of_each_pair_tell_the_score(void **state) {
    static sums all[AGENTS];
    (void)state;
    simulate(&(sb_eval_budget){.episodes = 2 * PAIRS}, draws(), all);
    assert_true(n_agents >= 20);
    for (size_t i = 0; i < n_agents; i++) check_agent(&agents[i], &all[i]);
    check_middle(all);
}

static void stopping_when_the_interval_is_narrow_keeps_coverage(void **state) {
    static sums all[AGENTS];
    static const double until[] = {0.03, 0.02};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        simulate(&(sb_eval_budget){.until = until[i]}, draws(), all);
        for (size_t k = 0; k < n_agents; k++) {
            if (cover_of(&all[k], SUCCESS) < 0.93 - slack(0.93) || is_biased_by_stopping(&all[k], until[i]))
                fail_msg("%s until %.2f: bias %.5f (%.1f standard errors), coverage %.3f", agents[k].name, until[i],
                         bias_of(&all[k], SUCCESS), errors_of(&all[k], SUCCESS), cover_of(&all[k], SUCCESS));
            assert_true(half_of(&all[k], SUCCESS) <= until[i]);
        }
    }
}

/* ---- Lists ---- */

static void list_score(const sums *s, size_t score) {
    printf("[%.4f, %.5f, %.2f, %.4f, %.4f]", s->truth[score], bias_of(s, score), errors_of(s, score),
           cover_of(s, score), half_of(s, score));
}

static void list_agents(const char *key, const sb_eval_budget *budget, const char *end) {
    static sums all[AGENTS];
    simulate(budget, NIGHT, all);
    printf("\"%s\": [\n", key);
    for (size_t i = 0; i < n_agents; i++) {
        printf("{\"agent\": \"%s\", \"episodes\": %.1f, \"scores\": [", agents[i].name,
               all[i].episodes / (double)all[i].n);
        for (size_t k = 0; k < SCORES; k++) fputs(k ? ", " : "", stdout), list_score(&all[i], k);
        puts(i + 1 < n_agents ? "]}," : "]}");
    }
    printf("]%s\n", end);
}

static void list(void) {
    puts("{");
    list_agents("296", &(sb_eval_budget){.episodes = 2 * PAIRS}, ",");
    list_agents("296 for leaderboard", &(sb_eval_budget){.episodes = 2 * PAIRS, .purpose = SB_BUDGET_LEADERBOARD}, ",");
    list_agents("148", &(sb_eval_budget){.episodes = PAIRS}, ",");
    list_agents("until 0.03", &(sb_eval_budget){.until = 0.03}, ",");
    list_agents("until 0.02", &(sb_eval_budget){.until = 0.02}, "");
    puts("}");
}

/* ---- Players with noise ---- */

/* A player that takes a random action with a chance that may depend on the task and on the difficulty. */
typedef struct noisy {
    const char *name, *player;
    double noise, by_difficulty;
    bool by_task; /* the chance is another one for each task, from 0 to twice the noise */
} noisy;

static const noisy players[] = {
    {"random", "random", 0, 0, false},
    {"expert, 50 % noise", "expert", 0.5, 0, false},
    {"expert, 20 % noise", "expert", 0.2, 0, false},
    {"expert, 0 to 100 % noise by task", "expert", 0.5, 0, true},
    {"expert, 5 % noise", "expert", 0.05, 0, false},
    {"expert, 80 % noise", "expert", 0.8, 0, false},
    {"expert, 35 % noise", "expert", 0.35, 0, false},
    {"expert, 0 to 99 % noise by difficulty", "expert", 0, 0.33, false},
    {"expert, 10 % noise", "expert", 0.1, 0, false},
    {"expert, 65 % noise", "expert", 0.65, 0, false},
    {"expert, 0 to 60 % noise by task", "expert", 0.3, 0, true},
};

static bool wins(const noisy *n, sb_player *player, sb_env *env, const sb_selection *all, size_t at) {
    const sb_resolved of = sb_selection_at(all, at);
    sb_name name;
    sb_rng rng;
    sb_result result;
    sb_rng_seed(&rng, of.task_index, NULL);
    const double share = n->by_task ? 2 * sb_random(&rng) : 1;
    const double noise = n->noise * share + n->by_difficulty * (double)of.difficulty;
    sb_rng_seed(&rng, at, NULL);
    assert_ok(sb_reset_name(env, sb_selection_name(all, at, &name), &error), error);
    assert_ok(sb_player_begin(player, env, &error), error);
    while (!env->status.done) {
        const sb_action meant = sb_player_act(player, env);
        const sb_action done = sb_random(&rng) < noise ? sb_random_action(env, &rng) : meant;
        assert_ok(sb_step(env, done, &result, &error), error);
    }
    return env->status.success;
}

static void measure(void) {
    sb_env *env = sb_make(NULL, NULL, &error);
    sb_selection all;
    assert_ok(sb_select(&everything, &all, &error), error);
    for (size_t i = 0; i < sizeof players / sizeof *players; i++) {
        sb_player *player = sb_player_make(players[i].player, &error);
        char won[PAIRS + 1] = {0};
        for (size_t k = 0; k < all.n; k++)
            won[k / SB_EVAL_SEEDS] = (char)((k % SB_EVAL_SEEDS ? won[k / SB_EVAL_SEEDS] : 'A') +
                                            wins(&players[i], player, env, &all, k));
        printf("{\"agent\": \"%s\", \"won\": \"%s\"}\n", players[i].name, won);
        fflush(stdout);
        sb_player_free(player);
    }
    sb_selection_free(&all);
    sb_free(env);
}

/* ---- The draw itself ---- */

static bool holds(const sb_selection *s, const sb_chosen *episode) {
    for (size_t i = 0; i < s->n; i++)
        if (sb_compare_chosen(&s->episodes[i], episode) == 0) return true;
    return false;
}

static void a_larger_budget_holds_the_smaller_one(void **state) {
    drawing *few = begin(), *more = begin();
    (void)state;
    draw(few, &(sb_eval_budget){.episodes = 300}), draw(more, &(sb_eval_budget){.episodes = 500});
    assert_int_equal(few->drawn.n, 300);
    assert_int_equal(more->drawn.n, 500);
    for (size_t i = 0; i < few->drawn.n; i++) assert_true(holds(&more->drawn, &few->drawn.episodes[i]));
    draw(more, &(sb_eval_budget){.episodes = 300, .until = 0.1});
    assert_int_equal(more->drawn.n, EPISODES);
    assert_memory_equal(few->drawn.episodes, more->drawn.episodes, 300 * sizeof *few->drawn.episodes);
    draw(more, &(sb_eval_budget){.episodes = 300, .seed = 1});
    size_t same = 0;
    for (size_t i = 0; i < few->drawn.n; i++) same += holds(&more->drawn, &few->drawn.episodes[i]);
    assert_in_range(same, 5, 60); /* 25 are expected */
    end(few), end(more);
}

static void batches_follow_each_other(void **state) {
    drawing *d = begin();
    const sb_eval_budget_plan *plan = &d->results.budget;
    (void)state;
    draw(d, &(sb_eval_budget){.episodes = 300, .until = 0.1});
    assert_int_equal(sb_eval_budget_batch(plan, 0), 300);
    assert_int_equal(sb_eval_budget_batch(plan, 299), 300);
    assert_int_equal(sb_eval_budget_batch(plan, 300), 448);
    assert_int_equal(sb_eval_budget_batch(plan, 3600), EPISODES);
    end(d);
}

static void small_budgets_merge_difficulties(void **state) {
    static const struct {
        uint64_t episodes;
        size_t strata;
        const char *difficulty;
    } cases[] = {
        {296, 148, "easy"}, {295, 74, "easy,medium"}, {148, 74, "easy,medium"}, {74, 37, "easy,medium,hard,expert"}};
    drawing *d = begin();
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        draw(d, &(sb_eval_budget){.episodes = cases[i].episodes});
        assert_int_equal(d->results.budget.n_strata, cases[i].strata);
        assert_int_equal(d->drawn.n, cases[i].episodes);
        assert_string_equal(d->results.budget.strata[0].difficulty, cases[i].difficulty);
    }
    end(d);
}

static void wrong_budgets_are_refused(void **state) {
    static const struct {
        sb_eval_budget budget;
        sb_request request;
        const char *words;
    } cases[] = {
        {{.episodes = 73}, {0}, "it should be at least 74"},
        {{.episodes = 3701}, {0}, "there are 3700"},
        {{.episodes = 300}, {.seeds = "0..9"}, "official"},
        {{.episodes = 300}, {.split = "train"}, "official"},
        {{.episodes = 300}, {.count = 3}, "official"},
        {{.episodes = 8, .purpose = SB_BUDGET_LEADERBOARD}, {.tasks = "GoToGoal"}, "all tasks"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_selection selection;
        sb_eval_budget_plan plan;
        assert_ok(sb_select(&cases[i].request, &selection, &error), error);
        assert_error(sb_eval_budget_draw(&cases[i].budget, &cases[i].request, &selection, &plan, &error), &error,
                     SB_INVALID, cases[i].words);
        sb_eval_budget_free(&plan);
        sb_selection_free(&selection);
    }
}

static void intervals_are_those_of_the_formula(void **state) {
    sb_stratum_sample s[2] = {{.weight = 0.5, .of = 25}, {.weight = 0.5, .of = 25}};
    (void)state;
    assert_false(sb_can_estimate(s, 2));
    for (size_t i = 0; i < 2; i++) sb_stratum_add(&s[i], 1), sb_stratum_add(&s[i], i == 0);
    assert_true(sb_can_estimate(s, 2));
    /* s^2 = 0 and 0.5, v = 0.25 * 0.92 * (0.5 / 2 + 1 / 4), df = 2 */
    const sb_estimate e = sb_estimate_mean(s, 2);
    assert_true(fabs(e.value - 0.75) < 1e-12);
    assert_true(fabs(e.half - 4.302653 * sqrt(0.25 * 0.92 * 0.5)) < 1e-6);
    assert_true(e.interval.lower == 0 && e.interval.upper == 1);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_are_those_of_the_formula),
        cmocka_unit_test(a_larger_budget_holds_the_smaller_one),
        cmocka_unit_test(batches_follow_each_other),
        cmocka_unit_test(small_budgets_merge_difficulties),
        cmocka_unit_test(wrong_budgets_are_refused),
        cmocka_unit_test(two_episodes_of_each_pair_tell_the_score),
        cmocka_unit_test(stopping_when_the_interval_is_narrow_keeps_coverage),
    };
    if (argc < 2) return cmocka_run_group_tests(tests, NULL, NULL);
    (strcmp(argv[1], "--list") == 0 ? list : measure)();
    return 0;
}
