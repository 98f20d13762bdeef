/* seedbed-bench: how much one core does in a second (docs/performance.md). Every measurement is the median of three
 * rounds. All measurements of a task and difficulty take turns within a round, so that what disturbs the machine for a
 * while disturbs them alike, and ratios hold. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "base/error.h"
#include "bench/workload.h"
#include "rollout/selection.h"

enum { ROUNDS = 3, VARIANTS_MAX = 8, MODES_MAX = 8, TASKS_MAX = 256, MEASURES_MAX = MODES_MAX + 16 };

typedef struct options {
    const char *family, *category, *tasks, *difficulty, *what;
    double seconds;
    bool json;
} options;

typedef struct measure {
    char what[48];
    part part;
    size_t batch; /* how often at a time, between two looks at the clock */
} measure;

typedef struct rate {
    double units, bytes; /* a second: medians */
    double spread;       /* (most - least) / median of the units */
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

/* All measures, or those of a list separated by commas. */
static plan plan_of(const sb_family *family, const char *only) {
    plan p = {.only = only};
    add(&p, "reset", "", (part){.unit = "resets", .run = run_reset}, 256);
    add(&p, "step", "", (part){.unit = "steps", .run = run_step}, 8192);
    for (size_t i = 0; i < family->n_modes && i < MODES_MAX; i++)
        add(&p, "step + ", family->modes[i].name, (part){.unit = "steps", .run = run_step, .mode = &family->modes[i]},
            1024);
    add(&p, "decide", "", (part){.unit = "decisions", .run = run_decide}, WORKLOAD_STARTS);
    add(&p, "render", "", (part){.unit = "rows", .run = run_render}, WORKLOAD_MEMBERS);
    for (int level = 1; level <= 6; level += 5) {
        char gzip[24];
        snprintf(gzip, sizeof gzip, "gzip %d", level);
        add(&p, "render + ", gzip, (part){.unit = "rows", .run = run_render, .level = level}, WORKLOAD_MEMBERS);
        add(&p, "build + ", gzip, (part){.unit = "rows", .run = run_build, .level = level}, WORKLOAD_MEMBERS);
        add(&p, "zlib alone, ", gzip, (part){.unit = "bytes", .run = run_zlib, .level = level}, WORKLOAD_MEMBERS);
    }
    return p;
}

/* ---- Measuring ---- */

/* Of the processor, not of the wall: the machine is shared, and nothing here waits. */
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool measure_once(workload *w, const measure *m, double seconds, rate *found) {
    tally done = {0};
    const double began = now();
    double spent;
    do {
        if (!m->part.run(w, &m->part, m->batch, &done)) return false;
        spent = now() - began;
    } while (spent < seconds);
    *found = (rate){.units = (double)done.units / spent, .bytes = (double)done.bytes / spent};
    return true;
}

static int by_units(const void *a, const void *b) {
    const double left = ((const rate *)a)->units, right = ((const rate *)b)->units;
    return (left > right) - (left < right);
}

static rate median(rate rounds[ROUNDS]) {
    qsort(rounds, ROUNDS, sizeof *rounds, by_units);
    rate middle = rounds[ROUNDS / 2];
    middle.spread = (rounds[ROUNDS - 1].units - rounds[0].units) / middle.units;
    return middle;
}

static bool measure_all(workload *w, const plan *p, double seconds, column *column) {
    rate rounds[MEASURES_MAX][ROUNDS];
    for (size_t i = 0; i < p->n; i++) /* warm-up: memory is allocated, caches are filled */
        if (!measure_once(w, &p->measures[i], 0, &rounds[i][0])) return false;
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < p->n; i++)
            if (!measure_once(w, &p->measures[i], seconds, &rounds[i][round])) return false;
    for (size_t i = 0; i < p->n; i++) column->rates[i] = median(rounds[i]);
    return true;
}

static bool needs_tapes(const plan *p) {
    for (size_t i = 0; i < p->n; i++)
        if (p->measures[i].part.run == run_render || p->measures[i].part.run == run_zlib) return true;
    return false;
}

static bool measure_column(const plan *p, const sb_name *name, double seconds, column *column, sb_error *error) {
    workload *w = malloc(sizeof *w);
    if (!w) return sb_fail(error, SB_MEMORY, "out of memory");
    column->name = *name;
    const bool ok = workload_open(w, name, needs_tapes(p)) && measure_all(w, p, seconds, column);
    if (!ok) *error = w->error;
    workload_close(w);
    free(w);
    return ok;
}

/* Rendering with compression as a part of the speed of zlib alone at the same level; 0 for other measures. */
static double zlib_share(const plan *p, const column *c, size_t i) {
    if (p->measures[i].part.run == run_zlib || !p->measures[i].part.level || c->rates[i].bytes <= 0) return 0;
    for (size_t k = 0; k < p->n; k++)
        if (p->measures[k].part.run == run_zlib && p->measures[k].part.level == p->measures[i].part.level)
            return c->rates[i].bytes / c->rates[k].bytes;
    return 0;
}

/* ---- Targets ---- */

#define MEDIAN "median of all tasks"

static const struct target {
    const char *task, *variant;
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
};

static const struct target *target_of(const column *c, const measure *m) {
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        const struct target *t = &targets[i];
        if (strcmp(t->task, c->name.task) == 0 && strcmp(t->variant, c->name.variant) == 0 &&
            strcmp(t->what, m->what) == 0)
            return t;
    }
    return NULL;
}

/* Between a task and its variant, if there is one. */
static const char *slash_of(const sb_name *name) { return name->variant[0] ? "/" : ""; }

/* ---- Tables: Markdown, so that they can be put into docs/performance.md as they are ---- */

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

static text cell_of(const plan *p, const column *c, size_t i) {
    const rate *r = &c->rates[i];
    const double share = zlib_share(p, c, i);
    text t = scaled(r->units);
    size_t n = strlen(t.at);
    if (r->bytes > 0 && r->bytes != r->units)
        n += (size_t)snprintf(t.at + n, sizeof t.at - n, ", %.0f MB", r->bytes * 1e-6);
    if (share > 0) n += (size_t)snprintf(t.at + n, sizeof t.at - n, ", %.2f of zlib", share);
    snprintf(t.at + n, sizeof t.at - n, " (%.0f %%)", r->spread * 100);
    return t;
}

static void print_table(const plan *p, const column *columns, size_t n) {
    printf("\n| %s, a second (spread) |", columns->name.task);
    for (size_t k = 0; k < n; k++) printf(" %s |", columns[k].name.variant);
    printf("\n|---|");
    for (size_t k = 0; k < n; k++) printf("---:|");
    for (size_t i = 0; i < p->n; i++) {
        printf("\n| %s: %s |", p->measures[i].what, p->measures[i].part.unit);
        for (size_t k = 0; k < n; k++) printf(" %s |", cell_of(p, &columns[k], i).at);
    }
    puts("");
}

static int by_rate(const void *a, const void *b) {
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The medians over all tasks at one difficulty, as if they were a task. */
static column medians_of(const plan *p, const column *columns, size_t n, const char *variant) {
    column medians = {0};
    double rates[TASKS_MAX];
    strcpy(medians.name.task, MEDIAN);
    snprintf(medians.name.variant, sizeof medians.name.variant, "%s", variant);
    for (size_t i = 0; i < p->n; i++) {
        size_t count = 0;
        for (size_t k = 0; k < n; k++)
            if (strcmp(columns[k].name.variant, variant) == 0 && count < TASKS_MAX)
                rates[count++] = columns[k].rates[i].units;
        qsort(rates, count, sizeof *rates, by_rate);
        medians.rates[i].units = count ? (rates[(count - 1) / 2] + rates[count / 2]) / 2 : 0;
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
                printf("| %s%s%s %s | %s | %s | %s |\n", columns[k].name.task, slash_of(&columns[k].name), t->variant,
                       t->what, scaled(t->rate).at, scaled(rate).at, rate >= t->rate ? "met" : "MISSED");
        }
}

/* One table a task, then the targets. */
static void print_tables(const plan *p, const column *columns, size_t n) {
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && strcmp(columns[to].name.task, columns[from].name.task) == 0;) to++;
        print_table(p, columns + from, to - from);
    }
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

static void put_measurement(sb_out *out, const plan *p, const column *c, size_t i) {
    const measure *m = &p->measures[i];
    const rate *r = &c->rates[i];
    const struct target *t = target_of(c, m);
    const double share = zlib_share(p, c, i);
    sb_put_comma(out);
    sb_puts(out, "\n{");
    out->last = '{';
    put_text(out, "task", c->name.task);
    put_text(out, "variant", c->name.variant);
    put_text(out, "what", m->what);
    put_text(out, "unit", m->part.unit);
    put_number(out, "per_second", r->units, 1);
    put_number(out, "spread", r->spread, 1e3);
    if (r->bytes > 0) put_number(out, "bytes_per_second", r->bytes, 1);
    if (share > 0) put_number(out, "of_zlib", share, 1e3);
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
    sb_put_key(&out, "rounds");
    sb_put_int(&out, ROUNDS);
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
    "                     [--seconds S] [--json]\n\n"
    "Measures how much one core does in a second, for each task and difficulty of a family:\n"
    "  reset        starting consecutive seeds\n"
    "  step         random actions; an episode that ends is followed by a copy of one started beforehand\n"
    "  step + MODE  the same with an observation after every step, into a buffer of the caller\n"
    "  decide       whole episodes played by the expert\n"
    "  render       solved episodes replayed and written as rows of format `steps`\n"
    "  + gzip L     compressed at level L in members as datasets hold them, beside zlib alone on the same bytes\n"
    "  build        all that a worker of `seedbed build` does: solve, render, hash, compress\n"
    "Each number is the median of 3 rounds, with their spread: (most - least) / median.\n\n"
    "options:\n"
    "  --family F        of this family (default: the first)\n"
    "  --category A,B    only tasks of these groups\n"
    "  --tasks A,B       only these tasks\n"
    "  --difficulty A,B  only these difficulties\n"
    "  --what A,B        only these measures, by the names of the tables: \"step,step + ascii\"\n"
    "  --seconds S       processor time of a measurement in a round (default: 0.3)\n"
    "  --json            one JSON document instead of tables\n"
    "  -h, --help        this text\n";

/* The value of `--name value` and `--name=value`; NULL if the argument is another one. */
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

static bool parse_options(options *o, int argc, char **argv, sb_error *error) {
    *o = (options){.seconds = 0.3};
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
        else if (!(value = value_of("--seconds", argc, argv, &i)))
            return sb_fail(error, SB_INVALID, "`%.40s` is no option with its value; see --help", argument);
        else if (!parse_seconds(value, &o->seconds))
            return sb_fail(error, SB_INVALID, "--seconds wants a number above 0, not `%.40s`", value);
    }
    return true;
}

/* Appends a column a difficulty; returns the number of columns. */
static size_t append_medians(const plan *p, column *columns, size_t n) {
    size_t total = n;
    for (size_t k = 0; k < n && strcmp(columns[k].name.task, columns[0].name.task) == 0; k++)
        columns[total++] = medians_of(p, columns, n, columns[k].name.variant);
    return total;
}

static bool measure_selection(const plan *p, const options *o, const sb_selection *chosen, sb_error *error) {
    column *columns = calloc(chosen->n + VARIANTS_MAX, sizeof *columns);
    size_t n = chosen->n;
    bool ok = columns || sb_fail(error, SB_MEMORY, "out of memory");
    for (size_t i = 0; ok && i < chosen->n; i++) {
        fprintf(stderr, "%s%s%s\n", chosen->names[i].task, slash_of(&chosen->names[i]), chosen->names[i].variant);
        ok = measure_column(p, &chosen->names[i], o->seconds, &columns[i], error);
    }
    if (ok) n = append_medians(p, columns, n);
    if (ok && o->json)
        ok = print_json(p, o, columns, n) || sb_fail_errno(error, "cannot write the results");
    else if (ok)
        print_tables(p, columns, n);
    free(columns);
    return ok;
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
    const sb_family *family = ok ? sb_family_find(chosen.names[0].family, &error) : NULL;
    const plan p = family ? plan_of(family, o.what) : (plan){0};
    ok = ok && (p.n > 0 || sb_fail(&error, SB_INVALID, "--what `%.60s` names nothing that is measured", o.what));
    ok = ok && measure_selection(&p, &o, &chosen, &error);
    sb_selection_free(&chosen);
    if (!ok) fprintf(stderr, "seedbed-bench: %s\n", error.text);
    return ok ? 0 : understood ? 1 : 2;
}
