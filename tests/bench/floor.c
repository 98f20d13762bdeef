/* seedbed-bench-floor: how near the work is to its floor, the least that has to be done for its results. The floor is
 * made of pieces that are measured first: bytes that change or come out, at the speed of memcpy in the cache; random
 * draws and seedings, which published rules demand; a call that counts a step; zlib's own time. It leaves out every
 * decision and everything that is only read, so no program reaches it: a ratio says where to look, not what is
 * possible.
 *
 *   seedbed-bench-floor [SECONDS [TASK]]      (processor time of each measurement, default 0.02; only this gridworld)
 *
 * Prints the median over all tasks and difficulties for each kind of work, and the ten worst ratios, as Markdown. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "engine/gridworld/episode.h"
#include "rollout/selection.h"
#include "tests/bench/clock.h"
#include "tests/bench/workload.h"

enum { CELLS_MAX = 512, WORST = 10, EPISODES = 20, SAMPLE = 4096, TRIES = 50 };

/* ---- Pieces of the floor ---- */

/* Nanoseconds that each takes. */
static struct { double byte, draw, seeding, call; } piece;

static volatile uint64_t sink; /* results go here, so that the compiler drops no work */

static double copy_bytes(void) {
    static void *(*volatile copy)(void *, const void *, size_t) = memcpy;
    static char from[SAMPLE], to[SAMPLE];
    for (int i = 0; i < SAMPLE; i++) copy(to, from, sizeof to);
    return (double)SAMPLE * sizeof to;
}

static double draw_numbers(void) {
    sb_rng rng;
    sb_rng_seed(&rng, 1, NULL);
    for (int i = 0; i < SAMPLE; i++) sink += (uint64_t)sb_integer_below(&rng, 10);
    return SAMPLE;
}

static double seed_generators(void) {
    for (uint64_t seed = 0; seed < SAMPLE; seed++) {
        sb_rng rng;
        sb_rng_seed(&rng, seed, NULL);
        sink += sb_low64(rng.state);
    }
    return SAMPLE;
}

/* What a step of any game does: it counts, and says what became of the episode. */
static void count_step(sb_status *status, sb_result *result) {
    *result = (sb_result){.terminated = status->terminated};
    status->steps++;
}

static double count_steps(void) {
    static void (*volatile step)(sb_status *, sb_result *) = count_step;
    sb_status status = {0};
    sb_result result;
    for (int i = 0; i < SAMPLE; i++) step(&status, &result);
    sink += (uint64_t)status.steps;
    return SAMPLE;
}

/* Returns the nanoseconds of one unit of work: the least of some tries. */
static double least_of(double (*work)(void)) {
    double least = INFINITY;
    for (int i = 0; i < TRIES; i++) {
        const double began = bench_processor_seconds(), units = work();
        least = fmin(least, (bench_processor_seconds() - began) / units * 1e9);
    }
    return least;
}

static void measure_pieces(void) {
    piece.byte = least_of(copy_bytes), piece.draw = least_of(draw_numbers);
    piece.seeding = least_of(seed_generators), piece.call = least_of(count_steps);
    printf("A byte takes %.3f ns, a draw %.1f, a seeding %.1f, a call that counts a step %.1f.\n", piece.byte,
           piece.draw, piece.seeding, piece.call);
}

/* ---- What gridworlds have to do ---- */

typedef struct draws {
    double numbers, seedings;
} draws;

/* Counts and clears a log of lines `[generator,operation,arguments,result]`; a list was drawn item by item. */
static draws count_draws(sb_draw_log *log) {
    draws found = {0};
    sb_putc(&log->text, '\0');
    for (const char *at = log->text.data, *end; *at; at = end + strspn(end, "\n")) {
        cJSON *const line = cJSON_ParseWithOpts(at, &end, false);
        const cJSON *const operation = cJSON_GetArrayItem(line, 1), *const result = cJSON_GetArrayItem(line, 3);
        if (operation && strcmp(operation->valuestring, "default_rng") == 0)
            found.seedings++;
        else
            found.numbers += cJSON_IsArray(result) ? cJSON_GetArraySize(result) : 1;
        cJSON_Delete(line);
    }
    sb_out_clear(&log->text);
    return found;
}

static double of_draws(draws d) { return d.numbers * piece.draw + d.seedings * piece.seeding; }

static double n_different(const void *a, const void *b, size_t size) {
    size_t n = 0;
    for (size_t i = 0; i < size; i++) n += ((const char *)a)[i] != ((const char *)b)[i];
    return (double)n;
}

static double changed_bytes(const sb_episode *a, const sb_episode *b) {
    return n_different(a, b, offsetof(sb_episode, vars)) + n_different(a->vars, b->vars, a->task->vars_size) +
           n_different(a->cells, b->cells, sizeof *a->cells * (size_t)sb_n_cells(a));
}

static double grid_bytes(const sb_episode *e) { return (double)sizeof *e->cells * sb_n_cells(e); }

static double whole_bytes(const sb_episode *e) {
    return (double)(offsetof(sb_episode, vars) + e->task->vars_size) + grid_bytes(e);
}

/* Plays with random actions to the end; returns the nanoseconds that the steps have to take, and how many they are. */
static double play(sb_episode *e, sb_draw_log *log, size_t *n_steps) {
    static sb_episode before;
    double floor = 0;
    sb_rng random;
    sb_rng_seed(&random, e->seed, NULL);
    for (sb_result result = {0}; !result.terminated && !result.truncated; ++*n_steps) {
        memcpy(&before, e, sizeof before);
        sb_episode_step(e, (sb_action)sb_integer_below(&random, SB_N_ACTIONS), &result);
        floor += piece.call + changed_bytes(&before, e) * piece.byte + of_draws(count_draws(log));
    }
    return floor;
}

/* The least nanoseconds of a step and of a reset, over some episodes, and the bytes of the grid. */
typedef struct duty {
    double step, reset, grid;
} duty;

static duty duty_of(const sb_env *start) {
    static sb_episode e;
    const sb_episode *first = start->state;
    sb_draw_log log = {.text = sb_out_growing()};
    duty d = {.grid = grid_bytes(first)};
    size_t n_steps = 0, n_resets = 0;
    for (uint64_t seed = 0; seed < EPISODES; seed++) {
        sb_error error;
        memset(&e, 0, sizeof e);
        if (!sb_episode_start(&e, first->task, (sb_difficulty)first->difficulty, seed, &log, &error)) continue;
        d.reset += piece.call + whole_bytes(&e) * piece.byte + of_draws(count_draws(&log)), n_resets++;
        d.step += play(&e, &log, &n_steps);
    }
    sb_out_free(&log.text);
    d.step /= (double)n_steps, d.reset /= (double)n_resets;
    return d;
}

/* ---- Work and its floor ---- */

/* Nanoseconds of one unit, for a task at a difficulty. */
typedef struct found {
    sb_name name;
    double taken, floor;
} found;

typedef struct list {
    const char *work, *floor;
    found of[CELLS_MAX];
    size_t n;
} list;

static list steps = {.work = "step", .floor = "a call, the bytes of the state that change, draws"};
static list texts = {.work = "step + ascii", .floor = "the same, and the characters"};
static list resets = {.work = "reset", .floor = "a call, the bytes of the state, seedings, draws"};
static list labels = {.work = "relabel", .floor = "a step, and the bytes of the grid"};
static list rows = {.work = "render + gzip 6", .floor = "zlib alone on the same bytes, and these bytes"};
static list frames = {.work = "Autumn: step, fill", .floor = "a call, and the bytes of the arrays"};
static list *const lists[] = {&steps, &texts, &resets, &labels, &rows, &frames};

static double seconds = 0.02;

/* Does the work `batch` times. A failure ends the program. */
static void run(workload *w, const part *part, size_t batch, tally *done) {
    if (part->run(w, part, batch, done)) return;
    fprintf(stderr, "seedbed-bench-floor: %s\n", w->error.text);
    exit(1);
}

/* Returns the nanoseconds of a unit, or of a byte of rows. */
static double measure(workload *w, part part, size_t batch, bool by_bytes) {
    tally warming = {0}, done = {0};
    double spent;
    run(w, &part, batch, &warming);
    const double began = bench_processor_seconds();
    do {
        run(w, &part, batch, &done);
        spent = bench_processor_seconds() - began;
    } while (spent < seconds);
    return spent * 1e9 / (double)(by_bytes ? done.bytes : done.units);
}

static void add(list *l, const workload *w, double taken, double floor) {
    if (l->n < CELLS_MAX) l->of[l->n++] = (found){w->name, taken, floor};
}

static double mean_text(workload *w, const sb_mode *mode) {
    double bytes = 0;
    for (int i = 0; i < WORKLOAD_STARTS; i++) {
        sb_out out = sb_out_fixed(w->buffer, WORKLOAD_BUFFER);
        w->family->observe(w->starts[i], mode, &out);
        bytes += (double)out.size;
    }
    return bytes / WORKLOAD_STARTS;
}

static void compare_gridworld(workload *w) {
    const sb_mode *ascii = &w->family->modes[0];
    const duty d = duty_of(w->starts[0]);
    add(&steps, w, measure(w, (part){.run = run_step}, 1024, false), d.step);
    add(&texts, w, measure(w, (part){.run = run_step, .mode = ascii}, 256, false),
        d.step + mean_text(w, ascii) * piece.byte);
    add(&resets, w, measure(w, (part){.run = run_reset}, 64, false), d.reset);
    add(&labels, w, measure(w, (part){.run = run_relabel}, WORKLOAD_STARTS, false), d.step + d.grid * piece.byte);
    add(&rows, w, measure(w, (part){.run = run_render, .level = 6}, 1, true),
        measure(w, (part){.run = run_zlib, .level = 6}, 1, true) + piece.byte);
}

static void compare_autumn(workload *w) {
    double bytes = 0;
    for (size_t i = 0; i < w->family->n_arrays; i++)
        bytes += (double)sb_observe_array(w->env, &w->family->arrays[i], NULL, 0);
    add(&frames, w, measure(w, (part){.run = run_step}, 16, false) + measure(w, (part){.run = run_fill}, 16, false),
        piece.call + bytes * piece.byte);
}

/* `tasks`: only these; NULL: all. */
static bool compare_family(const char *family, const char *tasks, bool solves, void (*compare)(workload *),
                           sb_error *error) {
    sb_selection chosen = {0};
    if (!sb_select(&(sb_request){.family = family, .tasks = tasks, .seeds = "0"}, &chosen, error)) return false;
    workload *w = malloc(sizeof *w);
    bool ok = w;
    for (size_t i = 0; ok && i < chosen.n; i++) {
        sb_name name;
        sb_selection_name(&chosen, i, &name);
        ok = workload_open(w, &name, solves);
        if (ok)
            compare(w);
        else
            *error = w->error;
        workload_close(w);
    }
    free(w);
    sb_selection_free(&chosen);
    return ok;
}

/* ---- Tables ---- */

static int by_ratio(const void *a, const void *b) {
    const found *x = a, *y = b;
    const double left = x->taken / x->floor, right = y->taken / y->floor;
    return (left < right) - (left > right);
}

static void print_medians(void) {
    printf("\n| work | floor | ns | floor, ns | ratio: median | least | most |\n|---|---|---:|---:|---:|---:|---:|\n");
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        list *l = lists[k];
        if (l->n == 0) continue;
        qsort(l->of, l->n, sizeof *l->of, by_ratio);
        const found *most = &l->of[0], *middle = &l->of[l->n / 2], *least = &l->of[l->n - 1];
        printf("| %s | %s | %.1f | %.2f | %.1f | %.1f | %.0f |\n", l->work, l->floor, middle->taken, middle->floor,
               middle->taken / middle->floor, least->taken / least->floor, most->taken / most->floor);
    }
}

static void print_worst(const list *l) {
    if (l->n == 0) return;
    printf("\n| %s: farthest from the floor | ns | floor, ns | ratio |\n|---|---:|---:|---:|\n", l->work);
    for (size_t i = 0; i < WORST && i < l->n; i++) {
        const found *f = &l->of[i];
        printf("| %s%s%s | %.1f | %.2f | %.0f |\n", f->name.task, f->name.difficulty[0] ? "/" : "", f->name.difficulty,
               f->taken, f->floor, f->taken / f->floor);
    }
}

int main(int argc, char **argv) {
    sb_error error;
    char *end = NULL;
    if (argc > 1) seconds = strtod(argv[1], &end);
    if (argc > 3 || (argc > 1 && (*end || !(seconds >= 0 && seconds <= 60)))) {
        fputs("usage: seedbed-bench-floor [SECONDS [TASK]]\n", stderr);
        return 2;
    }
    const char *only = argc > 2 ? argv[2] : NULL;
    measure_pieces();
    if (!compare_family("agentick", only, true, compare_gridworld, &error) ||
        !(only || compare_family("autumn", NULL, false, compare_autumn, &error))) {
        fprintf(stderr, "seedbed-bench-floor: %s\n", error.text);
        return 1;
    }
    print_medians();
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) print_worst(lists[k]);
    return 0;
}
