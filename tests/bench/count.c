/* Runs operations whose instructions callgrind counts. Counts are the same on every run, so CI can compare them with
 * ceilings, while timings are too noisy for that. tests/bench/check_counts.py runs this program under valgrind and
 * reads callgrind's dumps. On its own it only prints the compiler, and for each count the number of units, as
 * `count<TAB>units`.
 *
 *   seedbed-count [SHARE OF]    in every OF-th episode from number SHARE on, so that several may run at once */
#include <stdio.h>
#include <stdlib.h>
#include <valgrind/callgrind.h>

#include "generators/arc/family.h"
#include "rollout/judging.h"
#include "tests/bench/workload.h"

typedef struct count {
    const char *what;
    part part;
    size_t n;
} count;

/* Counts a part. It runs once before, so that allocations of the first run are not counted. */
static bool take_count(workload *w, const sb_name *name, const count *c) {
    char label[96];
    tally warm = {0}, done = {0};
    snprintf(label, sizeof label, "%s%s%s %s", name->task, *name->difficulty ? "/" : "", name->difficulty, c->what);
    if (!c->part.run(w, &c->part, 1, &warm)) return false;
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
    const bool ok = c->part.run(w, &c->part, c->n, &done);
    CALLGRIND_DUMP_STATS_AT(label);
    CALLGRIND_STOP_INSTRUMENTATION;
    if (ok) printf("%s\t%llu\n", label, (unsigned long long)done.units);
    return ok;
}

static bool take_counts(workload *w, const sb_name *name) {
    const sb_family *family = w->family;
    const bool slow = family == &sb_arc; /* its levels take as long to make as thousands of steps */
    const count plain[] = {
        {"reset", {.run = run_reset}, slow ? 2 : 32},
        {"step", {.run = run_step}, 4096},
        {"decision", {.run = run_decide}, 4},
        {"row", {.run = run_render}, 1},
        {"label", {.run = run_relabel}, 1},
        {"fill", {.run = run_fill}, 32},
        {"batch", {.run = run_crowd, .workers = 1, .arrays = true}, 4},
    };
    sb_resolved of;
    if (!sb_resolve(NULL, name, &of, &w->error)) return false;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        /* Programs to explore have no expert, and what labels them instead searches for many seconds. */
        if (plain[i].part.run == run_relabel && !sb_has_success(sb_criterion_of(&of))) continue;
        /* Nearly all of a batch's time would go into episodes that begin. */
        if (plain[i].part.run == run_crowd && slow) continue;
        if (!take_count(w, name, &plain[i])) return false;
    }
    const count picture = {"paint", {.run = run_paint}, 32};
    if (sb_look_at(family, 0) && !take_count(w, name, &picture)) return false;
    for (size_t i = 0; i < family->n_modes; i++) {
        const count observation = {family->modes[i].name, {.run = run_observe, .mode = &family->modes[i]}, 32};
        if (!take_count(w, name, &observation)) return false;
    }
    return true;
}

static bool count_in(const sb_name *name) {
    workload *w = malloc(sizeof *w);
    if (!w) return fputs("seedbed-count: out of memory\n", stderr), false;
    const bool ok = workload_open(w, name, true) && take_counts(w, name);
    if (!ok) fprintf(stderr, "seedbed-count: %s\n", w->error.text);
    workload_close(w);
    free(w);
    return ok;
}

/* Which of all episodes this process counts in. */
typedef struct share {
    long number, of, n; /* n: episodes so far */
} share;

static bool count_all(const sb_request *request, share *mine) {
    sb_error error;
    sb_selection chosen = {0};
    bool ok = sb_select(request, &chosen, &error);
    if (!ok) fprintf(stderr, "seedbed-count: %s\n", error.text);
    for (size_t i = 0; ok && i < chosen.n; i++)
        if (mine->n++ % mine->of == mine->number) ok = count_in(sb_selection_name(&chosen, i, &(sb_name){0}));
    sb_selection_free(&chosen);
    return ok;
}

int main(int argc, char **argv) {
    share mine = {.of = 1};
    if (argc == 3) mine.number = strtol(argv[1], NULL, 10), mine.of = strtol(argv[2], NULL, 10);
    if (mine.of < 1) return fputs("usage: seedbed-count [SHARE OF]\n", stderr), 2;
    /* programs in Autumn that stress different things: much of a plain step, many lists, many handlers, searches
       through lists. Those with the most cells take minutes under callgrind; tests/bench/autumn.c times them */
    static const char autumn[] = "Seesaw,RumourSquare,TapeReader,MoleDigger";
    puts("compiler\t" WORKLOAD_COMPILER);
    /* multi-level games whose levels are made fast: a dark one, one that is drawn in many small cells, clicks with
       growth, frames of a melody, a beat, and undo with many kinds of things */
    static const char arc[] = "Lantern,Fold,Moss,Chimes,Clockwork,DyeWorks";
    const bool ok = count_all(&(sb_request){.difficulty = "medium", .seeds = "0"}, &mine) &&
                    count_all(&(sb_request){.family = "autumn", .tasks = autumn, .seeds = "0"}, &mine) &&
                    count_all(&(sb_request){.family = "arc", .tasks = arc, .difficulty = "intro", .seeds = "0"}, &mine);
    return ok ? 0 : 1;
}
