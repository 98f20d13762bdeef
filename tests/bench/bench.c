/* seedbed-bench measures how much one core does in a second (docs/performance.md). Every measurement is the median of
 * some rounds. Within a round all measurements of a task and difficulty take turns, so a disturbance of the machine
 * affects them alike, and ratios stay valid. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "base/error.h"
#include "base/json.h"
#include "rollout/selection.h"
#include "tests/bench/compare.h"
#include "tests/bench/workload.h"

enum {
    ROUNDS_MAX = BENCH_ROUNDS_MAX,
    DIFFICULTIES_MAX = 8,
    MODES_MAX = 8,
    COLUMNS_MAX = 2048,
    MEASURES_MAX = MODES_MAX + 3 * WORKLOAD_PAINTS + 33,
    THREADS_BATCH = 32
};

typedef struct options {
    const char *family, *category, *tasks, *difficulty, *what;
    const char *compare; /* an older build of this program; NULL: nothing is compared */
    double seconds;
    uint64_t rounds;
    bool json;
} options;

typedef struct measure {
    char what[48];
    part part;
    size_t batch; /* repetitions between two looks at the clock */
} measure;

typedef struct rate {
    double units, bytes; /* per second: medians */
    double spread;       /* (most - least) / median of the units */
    double share;        /* ratio to the measure that it is compared with, in the same round: median; 0: none */
} rate;

typedef struct column { /* one task at one difficulty */
    sb_name name;
    rate rates[MEASURES_MAX];
} column;

/* ---- What is measured ---- */

typedef struct plan {
    measure measures[MEASURES_MAX];
    size_t n;
    const char *only;
} plan;

static void add(plan *p, const char *what, const char *detail, part part, size_t batch) {
    measure *m = &p->measures[p->n];
    snprintf(m->what, sizeof m->what, "%s%s", what, detail);
    m->part = part, m->batch = batch;
    if (!p->only || sb_list_has(p->only, m->what)) p->n++;
}

/* Whether the look can be drawn in that way. */
static bool can_paint(const sb_family *family, const paint *paint) {
    const sb_look *look = sb_look_at(family, paint->look);
    sb_error refused;
    sb_brush *brush = look ? sb_brush_make(family, look, &paint->options, &refused) : NULL;
    sb_brush_free(brush);
    return brush;
}

static void add_paints(plan *p, const sb_family *family) {
    for (size_t i = 0; i < WORKLOAD_PAINTS; i++) {
        char what[40];
        if (!can_paint(family, &workload_paints[i])) continue;
        snprintf(what, sizeof what, "paint %s %s", sb_look_at(family, workload_paints[i].look)->name,
                 workload_paints[i].name);
        add(p, what, "", (part){.unit = "frames", .run = run_paint, .paint = i}, 256);
        add(p, "step + ", what, (part){.unit = "frames", .run = run_step_and_paint, .paint = i}, 256);
        if (!workload_paints[i].options.size) continue;
        add(p, what, " anew", (part){.unit = "frames", .run = run_paint_anew, .paint = i}, 256);
    }
}

/* Adds all measures, or those in a list separated by commas. */
static plan plan_of(const sb_family *family, const char *only) {
    plan p = {.only = only};
    add(&p, "reset", "", (part){.unit = "resets", .run = run_reset}, 256);
    add(&p, "step", "", (part){.unit = "steps", .run = run_step}, 8192);
    for (size_t i = 0; i < family->n_modes && i < MODES_MAX; i++)
        add(&p, "step + ", family->modes[i].name, (part){.unit = "steps", .run = run_step, .mode = &family->modes[i]},
            1024);
    add(&p, "step + mask", "", (part){.unit = "steps", .run = run_step, .masks = true}, 1024);
    add(&p, "fill", "", (part){.unit = "fills", .run = run_fill}, 1024);
    add_paints(&p, family);
    for (int arrays = 0; arrays < 2; arrays++) {
        const char *detail = arrays ? " + arrays" : "";
        add(&p, "one by one", detail, (part){.unit = "steps", .run = run_crowd, .arrays = arrays}, 8);
        for (size_t n = 1; n <= WORKLOAD_THREADS; n++)
            add(&p, n == 1 ? "batch in 1 thread" : "batch in 2 threads", detail,
                (part){.unit = "steps", .run = run_crowd, .arrays = arrays, .workers = n}, 8);
    }
    add(&p, "decide", "", (part){.unit = "decisions", .run = run_decide}, WORKLOAD_STARTS);
    add(&p, "relabel", "", (part){.unit = "labels", .run = run_relabel}, WORKLOAD_STARTS);
    if (sb_aims_at_success(sb_teacher_of(family, NULL)))
        add(&p, "costs", "", (part){.unit = "states", .run = run_costs}, 4);
    add(&p, "render", "", (part){.unit = "rows", .run = run_render}, WORKLOAD_MEMBERS);
    for (int level = 1; level <= 6; level += 5) {
        char gzip[24];
        snprintf(gzip, sizeof gzip, "gzip %d", level);
        add(&p, "render + ", gzip, (part){.unit = "rows", .run = run_render, .level = level}, WORKLOAD_MEMBERS);
        add(&p, "worker + ", gzip, (part){.unit = "rows", .run = run_worker, .level = level}, WORKLOAD_MEMBERS);
        add(&p, "build + ", gzip, (part){.unit = "rows", .run = run_build, .level = level}, WORKLOAD_MEMBERS);
        add(&p, "zlib alone + ", gzip, (part){.unit = "bytes", .run = run_zlib, .level = level}, WORKLOAD_MEMBERS);
        for (size_t n = 1; n <= 2; n++)
            add(&p, n == 1 ? "1 thread + " : "2 threads + ", gzip,
                (part){.unit = "rows", .run = run_worker, .level = level, .workers = n}, THREADS_BATCH);
    }
    return p;
}

static bool is_base(const part *base, const part *of) {
    if (base->level != of->level || base->arrays != of->arrays) return false;
    if (of->workers == 2) return base->run == of->run && base->workers == 1;
    if (of->run == run_crowd) return base->run == run_crowd && of->workers == 1 && base->workers == 0;
    return of->level && !of->workers && of->run != run_zlib && base->run == run_zlib;
}

/* Returns the measure that another is compared with: zlib alone on the same bytes for compressed rows, one thread for
 * two, and equally many environments one by one for a batch. */
static const measure *base_of(const plan *p, const measure *m) {
    for (const measure *base = p->measures; base < p->measures + p->n; base++)
        if (is_base(&base->part, &m->part)) return base;
    return NULL;
}

/* ---- Measuring ---- */

/* Returns processor time, because the machine is shared and nothing here waits, except threads for each other. Threads,
 * and the measures that they are compared with, are timed by wall time. */
static double now(const measure *m) {
    struct timespec time;
    const bool wall = m->part.workers || m->part.run == run_crowd;
    clock_gettime(wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool measure_once(workload *w, const measure *m, double seconds, rate *found) {
    tally done = {0};
    const double began = now(m);
    double spent;
    do {
        if (!m->part.run(w, &m->part, m->batch, &done)) return false;
        spent = now(m) - began;
    } while (spent < seconds);
    *found = (rate){.units = (double)done.units / spent, .bytes = (double)done.bytes / spent};
    return true;
}

static int by_units(const void *a, const void *b) {
    const double left = ((const rate *)a)->units, right = ((const rate *)b)->units;
    return (left > right) - (left < right);
}

static int by_value(const void *a, const void *b) {
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(double *values, size_t n) {
    qsort(values, n, sizeof *values, by_value);
    return n ? (values[(n - 1) / 2] + values[n / 2]) / 2 : 0;
}

/* Compares by the bytes of rows if there are any, otherwise by units. */
static double median_share(const rate *rounds, const rate *base, size_t n) {
    double shares[ROUNDS_MAX];
    for (size_t i = 0; i < n; i++)
        shares[i] = base[i].bytes > 0 ? rounds[i].bytes / base[i].bytes : rounds[i].units / base[i].units;
    return median(shares, n);
}

static rate middle_of(rate *rounds, size_t n) {
    qsort(rounds, n, sizeof *rounds, by_units);
    rate middle = rounds[n / 2];
    middle.spread = (rounds[n - 1].units - rounds[0].units) / middle.units;
    return middle;
}

static void condense(const plan *p, rate rounds[][ROUNDS_MAX], size_t n, column *column) {
    double shares[MEASURES_MAX] = {0};
    for (size_t i = 0; i < p->n; i++) {
        const measure *base = base_of(p, &p->measures[i]);
        if (base) shares[i] = median_share(rounds[i], rounds[base - p->measures], n);
    }
    for (size_t i = 0; i < p->n; i++) {
        column->rates[i] = middle_of(rounds[i], n);
        column->rates[i].share = shares[i];
    }
}

static bool measure_all(workload *w, const plan *p, const options *o, column *column) {
    rate rounds[MEASURES_MAX][ROUNDS_MAX];
    for (size_t i = 0; i < p->n; i++) /* warm-up: memory is allocated, caches are filled */
        if (!measure_once(w, &p->measures[i], 0, &rounds[i][0])) return false;
    for (uint64_t round = 0; round < o->rounds; round++)
        for (size_t i = 0; i < p->n; i++)
            if (!measure_once(w, &p->measures[i], o->seconds, &rounds[i][round])) return false;
    condense(p, rounds, o->rounds, column);
    return true;
}

static bool needs_tapes(const plan *p) {
    for (size_t i = 0; i < p->n; i++)
        if (p->measures[i].part.run == run_render || p->measures[i].part.level) return true;
    return false;
}

static bool measure_column(const plan *p, const sb_name *name, const options *o, column *column, sb_error *error) {
    workload *w = malloc(sizeof *w);
    if (!w) return sb_fail(error, SB_MEMORY, "out of memory");
    column->name = *name;
    const bool ok = workload_open(w, name, needs_tapes(p)) && measure_all(w, p, o, column);
    if (!ok) *error = w->error;
    workload_close(w);
    free(w);
    return ok;
}

/* ---- Targets ---- */

#define MEDIAN "median of all tasks"

static const struct target {
    const char *task, *difficulty;
    const char *what;
    double rate;
} targets[] = {
    {"GoToGoal-v0", "easy", "step", 25e6},
    {"GoToGoal-v0", "expert", "step", 10e6},
    {"GoToGoal-v0", "easy", "step + ascii", 3e6},
    {"GoToGoal-v0", "expert", "step + ascii", 1e6},
    {"KeyDoorPuzzle-v0", "easy", "step", 25e6},
    {"KeyDoorPuzzle-v0", "expert", "step", 10e6},
    {"KeyDoorPuzzle-v0", "easy", "step + ascii", 3e6},
    {"KeyDoorPuzzle-v0", "expert", "step + ascii", 1e6},
    {"KeyDoorPuzzle-v0", "easy", "reset", 1e6},
    {"KeyDoorPuzzle-v0", "expert", "reset", 60e3},
    {MEDIAN, "medium", "step", 12e6},
    {MEDIAN, "medium", "step + ascii", 1.5e6},
    {MEDIAN, "", "step", 1e6}, /* BabyAI: the sixteen levels of BabyBench */
    {MEDIAN, "", "step + ascii", 3e5},
    {MEDIAN, "", "step + view7", 3e5},
    {"BossLevel", "", "reset", 2e3},
    {"KeyDoorPuzzle-v0", "medium", "step + paint flat 8 without panel", 4e5}, /* 88 x 88 pixels */
    {"KeyDoorPuzzle-v0", "medium", "paint isometric 128 anew", 4e4},          /* with a ground that was not kept */
    {"KeyDoorPuzzle-v0", "medium", "step + paint isometric 128", 3e5},
    {"KeyDoorPuzzle-v0", "medium", "step + paint isometric 512", 2e4},
    {MEDIAN, "", "step + paint view 8", 3e5},
    {MEDIAN, "full", "step + frame", 3e5}, /* multi-level games */
};

static const struct target *target_of(const column *c, const measure *m) {
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        const struct target *t = &targets[i];
        if (strcmp(t->task, c->name.task) == 0 && strcmp(t->difficulty, c->name.difficulty) == 0 &&
            strcmp(t->what, m->what) == 0)
            return t;
    }
    return NULL;
}

/* The separator between a task and its difficulty, if there is one. */
static const char *slash_of(const sb_name *name) { return name->difficulty[0] ? "/" : ""; }

/* ---- Tables: Markdown, so that they can be copied into docs/performance.md ---- */

typedef struct text {
    char at[64];
} text;

static text scaled(double value) {
    text t;
    if (value >= 1e6)
        snprintf(t.at, sizeof t.at, "%.*f M", value < 1e8, value * 1e-6);
    else if (value >= 1e3)
        snprintf(t.at, sizeof t.at, "%.*f k", value < 1e5, value * 1e-3);
    else
        snprintf(t.at, sizeof t.at, "%.0f", value);
    return t;
}

static const char *base_name(const measure *m) {
    if (m->part.workers == 2) return "one";
    return m->part.run == run_crowd ? "one by one" : "zlib";
}

static text cell_of(const measure *m, const rate *r) {
    text t = scaled(r->units);
    size_t n = strlen(t.at);
    if (r->bytes > 0 && r->bytes != r->units)
        n += (size_t)snprintf(t.at + n, sizeof t.at - n, ", %.0f MB", r->bytes * 1e-6);
    if (r->share > 0) n += (size_t)snprintf(t.at + n, sizeof t.at - n, ", %.2f of %s", r->share, base_name(m));
    snprintf(t.at + n, sizeof t.at - n, " (%.0f %%)", r->spread * 100);
    return t;
}

static void print_table(const plan *p, const column *columns, size_t n) {
    printf("\n| %s, a second (spread) |", columns->name.task);
    for (size_t k = 0; k < n; k++) printf(" %s |", columns[k].name.difficulty);
    printf("\n|---|");
    for (size_t k = 0; k < n; k++) printf("---:|");
    for (size_t i = 0; i < p->n; i++) {
        printf("\n| %s: %s |", p->measures[i].what, p->measures[i].part.unit);
        for (size_t k = 0; k < n; k++) printf(" %s |", cell_of(&p->measures[i], &columns[k].rates[i]).at);
    }
    puts("");
}

/* Makes a column of the medians over all tasks at one difficulty, or over all columns (difficulty NULL). */
static column medians_of(const plan *p, const column *columns, size_t n, const char *difficulty) {
    column medians = {0};
    double units[COLUMNS_MAX], shares[COLUMNS_MAX], spreads[COLUMNS_MAX];
    strcpy(medians.name.task, MEDIAN);
    if (difficulty) snprintf(medians.name.difficulty, sizeof medians.name.difficulty, "%s", difficulty);
    for (size_t i = 0; i < p->n; i++) {
        size_t count = 0;
        for (size_t k = 0; k < n && count < COLUMNS_MAX; k++) {
            if (difficulty && strcmp(columns[k].name.difficulty, difficulty) != 0) continue;
            const rate *r = &columns[k].rates[i];
            units[count] = r->units, shares[count] = r->share, spreads[count++] = r->spread;
        }
        medians.rates[i] = (rate){
            .units = median(units, count), .share = median(shares, count), .spread = median(spreads, count)};
    }
    return medians;
}

static void print_targets(const plan *p, const column *columns, size_t n) {
    printf("\n| target | wanted | measured | |\n|---|---:|---:|---|\n");
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < p->n; i++) {
            const struct target *t = target_of(&columns[k], &p->measures[i]);
            const double rate = columns[k].rates[i].units;
            if (t)
                printf("| %s%s%s %s | %s | %s | %s |\n", columns[k].name.task, slash_of(&columns[k].name),
                       t->difficulty, t->what, scaled(t->rate).at, scaled(rate).at, rate >= t->rate ? "met" : "MISSED");
        }
}

/* Returns the target of a share: of zlib alone for rows from tapes, of one thread for two, of environments one by one
 * for a batch. */
static double wanted_share(const measure *m) {
    if (m->part.workers == 2) return 1.8;
    if (m->part.run == run_crowd) return 1;
    return m->part.run == run_render && m->part.level ? 0.6 : 0;
}

static bool has_shares(const plan *p) {
    for (size_t i = 0; i < p->n; i++)
        if (base_of(p, &p->measures[i])) return true;
    return false;
}

/* Prints the shares over all tasks and difficulties. */
static void print_shares(const plan *p, const column *columns, size_t n) {
    if (!has_shares(p)) return;
    const column medians = medians_of(p, columns, n, NULL);
    printf("\n| share | median | least | | wanted | reached by |\n|---|---:|---:|---|---:|---:|\n");
    for (size_t i = 0; i < p->n; i++) {
        const measure *m = &p->measures[i], *base = base_of(p, m);
        const double wanted = wanted_share(m);
        const column *least = columns;
        size_t reached = 0;
        if (!base) continue;
        for (const column *c = columns; c < columns + n; c++) {
            if (c->rates[i].share < least->rates[i].share) least = c;
            reached += c->rates[i].share >= wanted;
        }
        printf("| %s of %s | %.2f | %.2f | %s%s%s |", m->what, base->what, medians.rates[i].share,
               least->rates[i].share, least->name.task, slash_of(&least->name), least->name.difficulty);
        if (wanted > 0)
            printf(" %.1f | %zu of %zu |\n", wanted, reached, n);
        else
            puts(" | |");
    }
}

/* Prints a table for each task (the last `n_medians` columns count as one task), then the shares, then the targets. */
static void print_tables(const plan *p, const column *columns, size_t n, size_t n_medians) {
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && strcmp(columns[to].name.task, columns[from].name.task) == 0;) to++;
        print_table(p, columns + from, to - from);
    }
    print_shares(p, columns, n - n_medians);
    print_targets(p, columns, n);
}

/* ---- JSON ---- */

static void put_text(sb_out *out, const char *key, const char *value) {
    sb_put_key(out, key);
    sb_put_json_string(out, value);
}

static void put_number(sb_out *out, const char *key, double value, double digits) {
    sb_put_key(out, key);
    sb_put_double(out, round(value * digits) / digits);
}

static const char *share_key(const measure *m) {
    if (m->part.workers == 2) return "of_one";
    return m->part.run == run_crowd ? "of_one_by_one" : "of_zlib";
}

static void put_measurement(sb_out *out, const plan *p, const column *c, size_t i) {
    const measure *m = &p->measures[i];
    const rate *r = &c->rates[i];
    const struct target *t = target_of(c, m);
    sb_put_comma(out);
    sb_puts(out, "\n{");
    out->last = '{';
    put_text(out, "task", c->name.task);
    put_text(out, "variant", c->name.difficulty);
    put_text(out, "what", m->what);
    put_text(out, "unit", m->part.unit);
    put_number(out, "per_second", r->units, 1);
    put_number(out, "spread", r->spread, 1e3);
    if (r->bytes > 0) put_number(out, "bytes_per_second", r->bytes, 1);
    if (r->share > 0) put_number(out, share_key(m), r->share, 1e3);
    if (t) {
        put_number(out, "target", t->rate, 1);
        sb_put_key(out, "met");
        sb_puts(out, r->units >= t->rate ? "true" : "false");
    }
    sb_puts(out, "}");
}

static bool print_json(const plan *p, const options *o, const column *columns, size_t n) {
    sb_out out = sb_out_growing();
    sb_puts(&out, "{");
    put_text(&out, "seedbed", SB_VERSION);
    put_text(&out, "compiler", WORKLOAD_COMPILER);
    put_text(&out, "zlib", zlibVersion());
    put_number(&out, "seconds", o->seconds, 1e3);
    sb_member_uint(&out, "rounds", o->rounds);
    sb_put_key(&out, "measurements");
    sb_puts(&out, "[");
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < p->n; i++) put_measurement(&out, p, &columns[k], i);
    sb_puts(&out, "]}\n");
    const bool ok = sb_out_ok(&out) && fwrite(out.data, 1, out.size, stdout) == out.size && fflush(stdout) == 0;
    sb_out_free(&out);
    return ok;
}

/* ---- The program ---- */

static const char help[] =
    "usage: seedbed-bench [--family F] [--category A,B] [--tasks A,B] [--difficulty A,B] [--what A,B]\n"
    "                     [--seconds S] [--rounds N] [--json | --compare OLD]\n\n"
    "Measures how much one core does in a second, for each task and difficulty of a family:\n"
    "  reset        starting consecutive seeds\n"
    "  step         random actions; an episode that ends is followed by a copy of one started beforehand\n"
    "  step + MODE  the same with an observation after every step, into a buffer of the caller\n"
    "  paint        pictures, by look and side of a tile; also with a step before each, and with a new ground\n"
    "  step + mask  the same with the mask of actions after every step\n"
    "  fill         all arrays of an environment, each by sb_observe_array\n"
    "  batch        1,024 environments with random actions, in one or two threads, with all arrays after every step "
    "and\n"
    "               without; `one by one` does the same with a loop over environments\n"
    "  decide       whole episodes played by the expert\n"
    "  relabel      labels of the teacher, in rollouts of its own actions with 12 % random ones in between\n"
    "  costs        what every action costs, asked of the expert in the states of such rollouts\n"
    "  render       solved episodes replayed and written as rows of format `steps`\n"
    "  + gzip L     compressed at level L in members as datasets hold them, beside zlib alone on the same bytes\n"
    "  worker       all that a worker of `seedbed render` does: read tapes, render, count, hash, compress\n"
    "  build        all that a worker of `seedbed build` does: solve, render, hash, compress\n"
    "  1, 2 threads workers of `seedbed render` in so many threads, by the clock on the wall\n"
    "Each number is the median of the rounds, with their spread: (most - least) / median; of medians over tasks it is\n"
    "the median of the spreads. Shares (of zlib alone, of\n"
    "one thread, of one by one) are medians of the rounds' shares.\n\n"
    "options:\n"
    "  --family F        of this family (default: the first)\n"
    "  --category A,B    only tasks of these groups\n"
    "  --tasks A,B       only these tasks\n"
    "  --difficulty A,B  only these difficulties\n"
    "  --what A,B        only these measures, by the names of the tables: \"step,step + ascii\"\n"
    "  --seconds S       processor time of a measurement in a round (default: 0.3)\n"
    "  --rounds N        1 to 99 (default: 3); 2 or more with --compare\n"
    "  --json            one JSON document instead of tables\n"
    "  --compare OLD     measure in turns with OLD, the seedbed-bench of another build, and print the ratios (above "
    "1:\n"
    "                    this one is faster) with intervals of 95 %; more rounds make them narrower\n"
    "  -h, --help        this text\n";

/* Returns the value of `--name value` or `--name=value`; NULL if the argument is another one. */
static const char *value_of(const char *name, int argc, char **argv, int *i) {
    const size_t n = strlen(name);
    if (strncmp(argv[*i], name, n) != 0) return NULL;
    if (argv[*i][n] == '=') return argv[*i] + n + 1;
    return argv[*i][n] == '\0' && *i + 1 < argc ? argv[++*i] : NULL;
}

static bool parse_seconds(const char *text, double *seconds) {
    char *end;
    *seconds = strtod(text, &end);
    return end != text && !*end && *seconds > 0 && *seconds <= 3600;
}

static bool parse_rounds(const char *text, uint64_t *rounds) {
    return sb_parse_uint(text, rounds) && *rounds >= 1 && *rounds <= ROUNDS_MAX;
}

static bool parse_options(options *o, int argc, char **argv, sb_error *error) {
    *o = (options){.seconds = 0.3, .rounds = 3};
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i], *value;
        if (strcmp(argument, "--json") == 0)
            o->json = true;
        else if ((value = value_of("--family", argc, argv, &i)))
            o->family = value;
        else if ((value = value_of("--category", argc, argv, &i)))
            o->category = value;
        else if ((value = value_of("--tasks", argc, argv, &i)))
            o->tasks = value;
        else if ((value = value_of("--difficulty", argc, argv, &i)))
            o->difficulty = value;
        else if ((value = value_of("--what", argc, argv, &i)))
            o->what = value;
        else if ((value = value_of("--compare", argc, argv, &i)))
            o->compare = value;
        else if ((value = value_of("--rounds", argc, argv, &i))) {
            if (!parse_rounds(value, &o->rounds))
                return sb_fail(error, SB_INVALID, "--rounds wants 1 to %d, not `%.40s`", ROUNDS_MAX, value);
        } else if (!(value = value_of("--seconds", argc, argv, &i)))
            return sb_fail(error, SB_INVALID, "`%.40s` is not an option, or its value is missing; see --help",
                           argument);
        else if (!parse_seconds(value, &o->seconds))
            return sb_fail(error, SB_INVALID, "--seconds wants a number above 0, not `%.40s`", value);
    }
    if (o->compare && (o->json || o->rounds < 2))
        return sb_fail(error, SB_INVALID, "--compare needs at least two rounds, and prints no JSON");
    return true;
}

static bool is_first_task(const column *columns, size_t n, size_t k) {
    return k < n && strcmp(columns[k].name.task, columns[0].name.task) == 0;
}

/* Appends a column for each difficulty, if there are several tasks; returns the number of columns. */
static size_t append_medians(const plan *p, column *columns, size_t n) {
    size_t total = n;
    if (is_first_task(columns, n, n - 1)) return n;
    for (size_t k = 0; is_first_task(columns, n, k); k++)
        columns[total++] = medians_of(p, columns, n, columns[k].name.difficulty);
    return total;
}

static bool measure_selection(const plan *p, const options *o, const sb_selection *chosen, sb_error *error) {
    column *columns = calloc(chosen->n + DIFFICULTIES_MAX, sizeof *columns);
    size_t n = chosen->n;
    bool ok = columns || sb_fail(error, SB_MEMORY, "out of memory");
    for (size_t i = 0; ok && i < chosen->n; i++) {
        sb_name name;
        sb_selection_name(chosen, i, &name);
        fprintf(stderr, "%s%s%s\n", name.task, slash_of(&name), name.difficulty);
        ok = measure_column(p, &name, o, &columns[i], error);
    }
    if (ok) n = append_medians(p, columns, chosen->n);
    if (ok && o->json)
        ok = print_json(p, o, columns, n) || sb_fail_errno(error, "cannot write the results");
    else if (ok)
        print_tables(p, columns, n, n - chosen->n);
    free(columns);
    return ok;
}

static bool measure_here(const options *o, const sb_selection *chosen, sb_error *error) {
    const plan p = plan_of(sb_selection_family(chosen, 0), o->what);
    return (p.n > 0 || sb_fail(error, SB_INVALID, "--what `%.60s` names nothing that is measured", o->what)) &&
           measure_selection(&p, o, chosen, error);
}

/* Measures with the same options but those of the comparison. */
static bool compare(const options *o, const char *self, sb_error *error) {
    const char *passed[12];
    char seconds[32];
    size_t n = 0;
    const struct {
        const char *name, *value;
    } texts[] = {{"--family", o->family},         {"--category", o->category}, {"--tasks", o->tasks},
                 {"--difficulty", o->difficulty}, {"--what", o->what},         {"--seconds", seconds}};
    snprintf(seconds, sizeof seconds, "%.17g", o->seconds);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].value) passed[n++] = texts[i].name, passed[n++] = texts[i].value;
    return bench_compare(o->compare, self, passed, n, (size_t)o->rounds, error);
}

int main(int argc, char **argv) {
    options o;
    sb_error error;
    sb_selection chosen = {0};
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return fputs(help, stdout), 0;
    bool ok = parse_options(&o, argc, argv, &error) && sb_select(&(sb_request){.family = o.family,
                                                                               .category = o.category,
                                                                               .tasks = o.tasks,
                                                                               .difficulty = o.difficulty,
                                                                               .seeds = "0"},
                                                                 &chosen, &error);
    const bool understood = ok;
    ok = ok && (o.compare ? compare(&o, argv[0], &error) : measure_here(&o, &chosen, &error));
    sb_selection_free(&chosen);
    if (!ok) fprintf(stderr, "seedbed-bench: %s\n", error.text);
    return ok ? 0 : understood ? 1 : 2;
}
