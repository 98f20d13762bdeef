#include "rollout/games.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pool.h"
#include "engine/lookup.h"
#include "engine/testing.h"
#include "seeds/official.h"

/* ---- The keys of starts ---- */

enum { BLOCK = 64 /* starts per item of work */ };

typedef uint64_t key[2];

typedef struct starting {
    const sb_selection *selection;
    size_t first, end;
    key *keys; /* keys of the starts first to end - 1; zeros: the start cannot be made, and `may_fail` allows that */
    bool may_fail;
    const sb_games_counting *how;
} starting;

static void free_env(void *scratch) { sb_free(*(sb_env **)scratch); }

/* Writes keys in place: no two workers share a block. */
static bool start_block(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    const starting *s = context;
    sb_env **env = scratch;
    (void)slot;
    if (!*env && !(*env = sb_make(s->selection->catalogue, NULL, error))) return false;
    for (size_t i = s->first + index * BLOCK; i < s->end && i < s->first + (index + 1) * BLOCK; i++) {
        sb_name name;
        if (sb_reset_name(*env, sb_selection_name(s->selection, i, &name), error))
            sb_key(*env, s->keys[i - s->first]);
        else if (!s->may_fail || error->code == SB_MEMORY)
            return false;
    }
    return true;
}

static bool tell_progress(void *context, size_t index, void *slot, sb_error *error) {
    const starting *s = context;
    const size_t done = s->first + (index + 1) * BLOCK;
    (void)slot, (void)error;
    if (s->how->progress) s->how->progress(s->how->context, done < s->end ? done : s->end, s->selection->n);
    return true;
}

static int compare_keys(const void *a, const void *b) { return memcmp(a, b, sizeof(key)); }

/* Sorts the keys of all starts. The caller frees them, also after a failure. */
static bool find_keys(starting *s, sb_error *error) {
    const size_t n = s->end - s->first;
    const sb_pool pool = {.workers = s->how->jobs,
                          .context = s,
                          .work = start_block,
                          .take = tell_progress,
                          .stop = s->how->stop,
                          .slot_size = 1,
                          .scratch_size = sizeof(sb_env *),
                          .free_scratch = free_env};
    s->keys = calloc(n + 1, sizeof *s->keys);
    if (!s->keys) return sb_fail(error, SB_MEMORY, "out of memory for %zu starts", n);
    if (!sb_pool_run(&pool, (n + BLOCK - 1) / BLOCK, error)) return false;
    qsort(s->keys, n, sizeof *s->keys, compare_keys);
    return true;
}

/* ---- Counting ---- */

static void count_run(sb_games *games, uint64_t n) {
    games->different++;
    games->once += n == 1, games->twice += n == 2;
    games->pairs += n * (n - 1) / 2;
    games->triples += n * (n - 1) / 2 * (n - 2) / 3;
}

static void count_keys(sb_games *games, key *keys, size_t n, key *evaluation, size_t n_evaluation) {
    for (size_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && memcmp(keys[end], keys[begin], sizeof(key)) == 0;) end++;
        count_run(games, end - begin);
        if (n_evaluation && bsearch(keys[begin], evaluation, n_evaluation, sizeof(key), compare_keys))
            games->evaluation += end - begin;
    }
}

/* Selects the evaluation episodes of the pair that the episode has, if the pair has any. */
static bool select_evaluation(const sb_selection *selection, size_t index, sb_selection *evaluation, sb_error *error) {
    const sb_resolved of = sb_selection_at(selection, index);
    const sb_pack_task pair = {of.task->name, sb_difficulty_name(of.family, of.task, of.difficulty)};
    sb_pack pack = {0};
    if (!sb_has_evaluation(of.family, of.task, of.difficulty)) return true;
    const bool ok = sb_pack_derive(&pack, of.family->name, "eval", &pair, 1, sb_official_length("eval"), error) &&
                    sb_select_pack(selection->catalogue, &pack, evaluation, error);
    sb_pack_clear(&pack);
    return ok;
}

bool sb_games_count(const sb_selection *selection, size_t first, size_t end, const sb_games_counting *how,
                    sb_games *games, sb_error *error) {
    const sb_games_counting silently = {.jobs = how->jobs, .stop = how->stop};
    sb_selection episodes = {0};
    *games = (sb_games){.starts = end - first};
    bool ok = select_evaluation(selection, first, &episodes, error);
    starting evaluated = {.selection = &episodes, .end = episodes.n, .may_fail = true, .how = &silently};
    starting started = {.selection = selection, .first = first, .end = end, .how = how};
    ok = ok && find_keys(&evaluated, error) && find_keys(&started, error);
    if (ok) count_keys(games, started.keys, end - first, evaluated.keys, episodes.n);
    free(started.keys), free(evaluated.keys);
    sb_selection_free(&episodes);
    return ok;
}

/* ---- Judging ---- */

#define Z95 1.959963984540054 /* normal quantile for 95 % on two sides */

/* The share of a gamma distribution of this shape and scale 1 below x: its series, for x not far above the shape. */
static double gamma_below(double shape, double x) {
    double term = 1 / shape, sum = term;
    for (int k = 1; term > sum * 1e-14; k++) sum += term *= x / (shape + k);
    return sum * exp(shape * log(x) - x - lgamma(shape));
}

/* The value below which this share of a gamma distribution lies. */
static double gamma_quantile(double shape, double share) {
    double low = 0, high = shape + 10 * sqrt(shape) + 10;
    if (shape > 1000) return shape + (share < 0.5 ? -Z95 : Z95) * sqrt(shape);
    for (int i = 0; i < 100; i++) {
        const double middle = (low + high) / 2;
        *(gamma_below(shape, middle) < share ? &low : &high) = middle;
    }
    return high;
}

/* How much more the number of pairs varies than a Poisson number: 1 if all games are equally likely. */
static double dispersion(const sb_games *g) {
    const double n = (double)g->starts, pairs = n * (n - 1) / 2;
    const double two = (double)g->pairs / pairs, three = n > 2 ? (double)g->triples / (pairs * (n - 2) / 3) : two * two;
    const double uneven = three - two * two, variance = two - two * two;
    return uneven > 0 ? fmax(1, (2 * (n - 2) * uneven + variance) / two) : 1;
}

static sb_games_number judge_effective(const sb_games *g) {
    const double n = (double)g->starts, all = n * (n - 1) / 2;
    if (g->pairs == 0) return (sb_games_number){INFINITY, n > 1 ? all / 3 : 1, INFINITY};
    const double wider = dispersion(g), pairs = (double)g->pairs / wider;
    return (sb_games_number){.is = all / (double)g->pairs,
                             .least = fmax(1, all / (wider * gamma_quantile(pairs + 1, 0.975))),
                             .most = all / (wider * gamma_quantile(pairs, 0.025))};
}

static sb_games_number judge_number(const sb_games *g) {
    const double met = (double)g->different, once = (double)g->once, twice = (double)g->twice;
    const double unmet = once * (once - 1) / (2 * (twice + 1));
    if (unmet == 0) return (sb_games_number){met, met, met};
    const double by_once = (2 * once - 1) / (2 * (twice + 1)), by_twice = unmet / (twice + 1);
    const double variance = unmet + once * by_once * by_once + twice * by_twice * by_twice;
    const double factor = exp(Z95 * sqrt(log1p(variance / (unmet * unmet))));
    return (sb_games_number){met + unmet, met + unmet / factor, met + unmet * factor};
}

sb_games_estimate sb_games_judge(const sb_games *games) {
    const sb_games_number effective = judge_effective(games);
    if (games->pairs == 0)
        return (sb_games_estimate){.games = {INFINITY, effective.least, INFINITY}, .effective = effective};
    return (sb_games_estimate){.all = games->once == 0, .games = judge_number(games), .effective = effective};
}

double sb_games_left(const sb_games *games) { return 100 * (1 - (double)games->evaluation / (double)games->starts); }

/* ---- Words ---- */

/* Puts a number with commas: a whole one if it is exact, else in three digits: 4.13, 1,230,000. */
static void put_rounded(sb_out *out, double number, bool exact) {
    char digits[32];
    const double digit = number > 0 ? pow(10, floor(log10(number)) - 2) : 1;
    if (!exact && digit < 1) {
        sb_putf(out, "%.*f", digit < 0.1 ? 2 : 1, number);
        return;
    }
    if (!exact) number = round(number / digit) * digit;
    const int n = snprintf(digits, sizeof digits, "%.0f", number);
    for (int i = 0; i < n; i++) sb_putf(out, "%s%c", i > 0 && (n - i) % 3 == 0 ? "," : "", digits[i]);
}

static void put_interval(sb_out *out, sb_games_number number) {
    sb_puts(out, " ("), put_rounded(out, number.least, false);
    sb_puts(out, " to "), put_rounded(out, number.most, false), sb_puts(out, ")");
}

void sb_games_put_number(const sb_games *games, sb_out *out) {
    const sb_games_estimate e = sb_games_judge(games);
    const bool exact = e.games.least == e.games.most;
    sb_puts(out, e.all ? "" : games->pairs == 0 ? "more than " : "at least ");
    put_rounded(out, games->pairs == 0 ? e.games.least : e.games.is, exact);
    if (games->pairs > 0 && !exact) put_interval(out, e.games);
}

void sb_games_put_effective(const sb_games *games, sb_out *out) {
    const sb_games_estimate e = sb_games_judge(games);
    if (games->pairs == 0) sb_puts(out, "more than ");
    put_rounded(out, games->pairs == 0 ? e.effective.least : e.effective.is, false);
    if (games->pairs > 0) put_interval(out, e.effective);
}

/* ---- Documents ---- */

static void print_number(sb_out *out, const char *key, sb_games_number number) {
    sb_put_key(out, key);
    sb_puts(out, "{");
    if (isfinite(number.is)) sb_member_double(out, "is", number.is);
    sb_member_double(out, "least", number.least);
    if (isfinite(number.most)) sb_member_double(out, "most", number.most);
    sb_puts(out, "}");
}

void sb_games_print(const sb_games *games, sb_out *out) {
    const sb_games_estimate e = sb_games_judge(games);
    sb_member_uint(out, "starts", games->starts);
    sb_member_uint(out, "different", games->different);
    sb_member_uint(out, "once", games->once);
    sb_member_uint(out, "twice", games->twice);
    sb_member_uint(out, "pairs", games->pairs);
    sb_member_uint(out, "triples", games->triples);
    sb_member_uint(out, "evaluation", games->evaluation);
    sb_member_bool(out, "all", e.all);
    print_number(out, "games", e.games);
    print_number(out, "effective", e.effective);
}

bool sb_games_read(const cJSON *object, sb_games *games, sb_error *error) {
    return sb_json_uint(object, "starts", &games->starts, error) &&
           sb_json_uint(object, "different", &games->different, error) &&
           sb_json_uint(object, "once", &games->once, error) && sb_json_uint(object, "twice", &games->twice, error) &&
           sb_json_uint(object, "pairs", &games->pairs, error) &&
           sb_json_uint(object, "triples", &games->triples, error) &&
           sb_json_uint(object, "evaluation", &games->evaluation, error);
}
