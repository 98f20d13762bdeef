#include "tests/bench/compare.h"

#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "base/out.h"

extern char **environ;

enum { OPTIONS_MAX = 32 };

/* One measure of a task and difficulty, or of all of them. */
typedef struct ratio {
    char task[64], difficulty[32], what[48];
    double old, new;               /* per second: sums over the rounds */
    double logs[BENCH_ROUNDS_MAX]; /* of new / old in each round: a sum, if several measures are in it */
    size_t n;                      /* measures */
} ratio;

typedef struct comparison {
    ratio *ratios;
    size_t n, capacity;
    size_t rounds;
} comparison;

/* ---- Running ---- */

static bool read_all(int from, sb_out *text, sb_error *error) {
    char piece[4096];
    ssize_t n;
    while ((n = read(from, piece, sizeof piece)) > 0) sb_put(text, piece, (size_t)n);
    return (n == 0 && sb_out_ok(text)) || sb_fail_errno(error, "cannot read what a benchmark prints");
}

/* Starts a program with its standard output in a pipe. */
static bool start(const char *const *arguments, pid_t *pid, int *output, sb_error *error) {
    posix_spawn_file_actions_t actions;
    int ends[2];
    if (pipe(ends) != 0 || posix_spawn_file_actions_init(&actions) != 0)
        return sb_fail_errno(error, "cannot start a benchmark");
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    const int code = posix_spawn(pid, arguments[0], &actions, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    *output = ends[0];
    return code == 0 ||
           (close(ends[0]), sb_fail(error, SB_IO, "cannot start %.200s: %s", arguments[0], strerror(code)));
}

/* Returns the measurements of one round, which the caller deletes; NULL after an error. */
static cJSON *measure(const char *program, const char *const *options, size_t n_options, sb_error *error) {
    const char *arguments[OPTIONS_MAX + 5] = {program, "--json", "--rounds", "1"};
    sb_out text = sb_out_growing();
    cJSON *found = NULL;
    pid_t pid;
    int output = -1, status;
    memcpy(arguments + 4, options, n_options * sizeof *options);
    if (!start(arguments, &pid, &output, error)) return NULL;
    const bool ok = read_all(output, &text, error);
    close(output);
    if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        sb_fail(error, SB_INVALID, "%.200s failed", program);
    else if (ok)
        found = sb_json_parse(text.data, text.size, error);
    sb_out_free(&text);
    return found;
}

/* ---- Ratios ---- */

static ratio *ratio_of(comparison *c, const char *task, const char *difficulty, const char *what) {
    for (size_t i = 0; i < c->n; i++)
        if (strcmp(c->ratios[i].task, task) == 0 && strcmp(c->ratios[i].difficulty, difficulty) == 0 &&
            strcmp(c->ratios[i].what, what) == 0)
            return &c->ratios[i];
    if (c->n == c->capacity) {
        const size_t capacity = c->capacity ? 2 * c->capacity : 64;
        ratio *ratios = realloc(c->ratios, capacity * sizeof *ratios);
        if (!ratios) return NULL;
        c->ratios = ratios, c->capacity = capacity;
    }
    ratio *r = &c->ratios[c->n++];
    *r = (ratio){0};
    snprintf(r->task, sizeof r->task, "%s", task);
    snprintf(r->difficulty, sizeof r->difficulty, "%s", difficulty);
    snprintf(r->what, sizeof r->what, "%s", what);
    return r;
}

static bool add(comparison *c, size_t round, const char *task, const char *difficulty, const char *what, double old,
                double new, sb_error *error) {
    ratio *r = ratio_of(c, task, difficulty, what);
    if (!r) return sb_fail(error, SB_MEMORY, "out of memory");
    if (round == 0) r->n++;
    r->old += old, r->new += new;
    r->logs[round] += log(new / old);
    return true;
}

/* The medians over tasks, which are no task, have a space in their name. */
static bool is_task(const char *name) { return !strchr(name, ' '); }

static const cJSON *same_measure(const cJSON *all, const char *task, const char *difficulty, const char *what) {
    const cJSON *one;
    cJSON_ArrayForEach(one, all) {
        sb_error ignored;
        const char *its_task, *its_difficulty, *its_what;
        if (sb_json_string(one, "task", &its_task, &ignored) &&
            sb_json_string(one, "variant", &its_difficulty, &ignored) &&
            sb_json_string(one, "what", &its_what, &ignored) && strcmp(task, its_task) == 0 &&
            strcmp(difficulty, its_difficulty) == 0 && strcmp(what, its_what) == 0)
            return one;
    }
    return NULL;
}

/* What only one of the builds measures is left out. */
static bool add_round(comparison *c, size_t round, const cJSON *old, const cJSON *new, sb_error *error) {
    const cJSON *all_new, *all_old, *one;
    if (!sb_json_array(new, "measurements", &all_new, error) || !sb_json_array(old, "measurements", &all_old, error))
        return false;
    cJSON_ArrayForEach(one, all_new) {
        const char *task, *difficulty, *what;
        double before, after;
        if (!sb_json_string(one, "task", &task, error) || !sb_json_string(one, "variant", &difficulty, error) ||
            !sb_json_string(one, "what", &what, error) || !sb_json_double(one, "per_second", &after, error))
            return false;
        const cJSON *other = is_task(task) ? same_measure(all_old, task, difficulty, what) : NULL;
        if (!other) continue;
        if (!sb_json_double(other, "per_second", &before, error) ||
            !add(c, round, task, difficulty, what, before, after, error) ||
            !add(c, round, "all", "", what, before, after, error))
            return false;
    }
    return c->n || sb_fail(error, SB_INVALID, "the two builds measure nothing in common");
}

/* ---- The table ---- */

/* The two-sided quantile of 95 % of Student's t, by degrees of freedom. */
static double student(size_t freedom) {
    static const double known[] = {INFINITY, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                   2.201,    2.179,  2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};
    const size_t n = sizeof known / sizeof *known;
    return freedom < n ? known[freedom] : 1.960 + 2.5 / (double)freedom;
}

static void print_ratio(const ratio *r, size_t rounds) {
    double mean = 0, squares = 0;
    for (size_t i = 0; i < rounds; i++) mean += r->logs[i] / (double)r->n / (double)rounds;
    for (size_t i = 0; i < rounds; i++) {
        const double off = r->logs[i] / (double)r->n - mean;
        squares += off * off;
    }
    const double half = student(rounds - 1) * sqrt(squares / (double)(rounds - 1) / (double)rounds);
    const double low = exp(mean - half), high = exp(mean + half);
    const double each = (double)(rounds * r->n);
    printf("| %s%s%s | %s | %.0f | %.0f | %.3f | %.3f to %.3f | %s |\n", r->task, *r->difficulty ? "/" : "",
           r->difficulty, r->what, r->old / each, r->new / each, exp(mean), low, high,
           low > 1    ? "faster"
           : high < 1 ? "slower"
                      : "");
}

static void print(const comparison *c) {
    printf("| task | measure | old, a second | new, a second | new / old | 95 %% | |\n"
           "|---|---|---:|---:|---:|---:|---|\n");
    for (int all = 0; all < 2; all++)
        for (size_t i = 0; i < c->n; i++)
            if (all == (strcmp(c->ratios[i].task, "all") == 0)) print_ratio(&c->ratios[i], c->rounds);
}

/* Who measures first changes from round to round. */
static bool compare_once(comparison *c, size_t round, const char *const programs[2], const char *const *options,
                         size_t n_options, sb_error *error) {
    cJSON *found[2] = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < 2; i++) {
        const size_t which = (i + round) % 2;
        ok = (found[which] = measure(programs[which], options, n_options, error));
    }
    ok = ok && add_round(c, round, found[0], found[1], error);
    cJSON_Delete(found[0]), cJSON_Delete(found[1]);
    return ok;
}

bool bench_compare(const char *old, const char *new, const char *const *options, size_t n_options, size_t rounds,
                   sb_error *error) {
    comparison c = {.rounds = rounds};
    bool ok = n_options <= OPTIONS_MAX || sb_fail(error, SB_INVALID, "too many options");
    for (size_t round = 0; ok && round < rounds; round++) {
        fprintf(stderr, "round %zu of %zu\n", round + 1, rounds);
        ok = compare_once(&c, round, (const char *const[]){old, new}, options, n_options, error);
    }
    if (ok) print(&c);
    free(c.ratios);
    return ok;
}
