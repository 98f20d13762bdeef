/* Measures what playing adds to the interpreter of Autumn programs: the same random events as steps of an episode, and
 * as steps of the program alone, in turns. In tests the program's frame is read after each step, as a test reads it.
 * What finds out whether a change can be seen (tracking) counts as playing, so changes have a line of their own.
 *
 *   seedbed-bench-autumn-play PACK      (a line for each part: the median over the challenges, and the most) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/environment.h"
#include "generators/autumn/challenges/pack.h"
#include "generators/autumn/challenges/test.h"
#include "rollout/selection.h"
#include "seeds/rng.h"
#include "tests/bench/clock.h"

enum { EVENTS = 250, ROUNDS = 15, CHALLENGES_MAX = 4000 };

typedef enum part { EXPLORING, INTERACTION, PLANNING, CHANGE, PARTS } part;
static const char *const part_names[PARTS] = {"free exploration", "interaction before a test", "test of planning",
                                              "test of change, with tracking"};

typedef struct bench {
    sb_catalogue *catalogue;
    sb_selection selection;
    size_t capacity;
    double added[PARTS][CHALLENGES_MAX];
    size_t n[PARTS];
    char most[PARTS][SB_NAME_MAX];
    double largest[PARTS];
} bench;

static bool take_name(void *context, const sb_name *name, sb_error *error) {
    bench *b = context;
    sb_resolved of;
    return sb_resolve(NULL, name, &of, error) && sb_selection_add(&b->selection, &of, name->seed, &b->capacity, error);
}

/* The steps that an episode takes until it is over, or the change acts. */
static uint32_t play(sb_env *env, const sb_autumn_event *events, uint32_t n) {
    sb_result result;
    sb_error error;
    uint32_t i = 0;
    while (i < n && sb_step(env, sb_autumn_action_of(env, events[i]), &result, &error) && !env->status.done) {
        const sb_autumn_test *t = sb_autumn_episode_of(env)->test;
        i++;
        if (t && t->changing && t->phase == SB_AUTUMN_TESTING && sb_autumn_changing_acted(t->changing)) return i - 1;
    }
    return i;
}

static void interpret(sb_autumn_state *state, const sb_autumn_event *events, uint32_t n, uint32_t *frame) {
    for (uint32_t i = 0; i < n && sb_autumn_step(state, events[i], NULL); i++)
        if (frame) sb_autumn_frame(state, frame);
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t n) {
    qsort(values, n, sizeof *values, by_value);
    return values[n / 2];
}

/* Copies of both starts are played in turns; false with an error. */
static bool compare(const sb_env *start, const sb_autumn_state *alone, bool reads, const sb_autumn_event *events,
                    double *added, sb_error *error) {
    static uint32_t frame[SB_AUTUMN_SIZE_MAX * SB_AUTUMN_SIZE_MAX];
    sb_env *env = sb_clone(start, error);
    sb_autumn_state *state = env ? sb_autumn_new(sb_autumn_program_of(alone)) : NULL;
    double ratios[ROUNDS];
    const uint32_t n = state ? play(env, events, EVENTS) : 0;
    bool ok = state != NULL;
    for (int round = 0; ok && n && round < ROUNDS; round++) {
        ok = sb_copy(env, start, error) && sb_autumn_copy(state, alone);
        const double began = bench_processor_seconds();
        if (ok) play(env, events, n);
        const double between = bench_processor_seconds();
        if (ok) interpret(state, events, n, reads ? frame : NULL);
        ratios[round] = (between - began) / (bench_processor_seconds() - between);
    }
    *added = ok && n > 20 ? median(ratios, ROUNDS) - 1 : -1;
    sb_autumn_free(state);
    sb_free(env);
    return ok;
}

static bool measure(bench *b, part which, const sb_env *env, const sb_autumn_state *alone, const sb_name *name,
                    sb_error *error) {
    sb_autumn_event events[EVENTS];
    sb_rng rng;
    double added;
    sb_rng_seed(&rng, name->seed + 1, NULL);
    for (int i = 0; i < EVENTS; i++) events[i] = sb_autumn_random_event(&rng, sb_autumn_size(alone));
    if (!compare(env, alone, which >= PLANNING, events, &added, error)) return false;
    if (added == -1 || b->n[which] == CHALLENGES_MAX) return true; /* too short */
    b->added[which][b->n[which]++] = added;
    if (b->n[which] > 1 && added <= b->largest[which]) return true;
    b->largest[which] = added;
    sb_name_print(name, b->most[which], sizeof b->most[which]);
    return true;
}

/* The test of a challenge that has just begun. Its program alone begins where `first` does. */
static bool measure_test(bench *b, sb_env *env, const sb_name *name, const sb_env *first, sb_error *error) {
    sb_result result;
    if (!sb_step(env, SB_AUTUMN_GO_TO_TEST, &result, error)) return false;
    const part which = sb_autumn_episode_of(env)->test->changing ? CHANGE : PLANNING;
    return measure(b, which, env, sb_autumn_state_of(which == CHANGE ? first : env), name, error);
}

/* A challenge's test; with `explores` its interaction and the program without a test, too. */
static bool measure_challenge(bench *b, const sb_name *name, bool explores, sb_error *error) {
    sb_env *env = sb_make(b->catalogue, NULL, error), *first = NULL;
    sb_name plain = *name;
    *plain.difficulty = '\0';
    bool ok = env && (!explores || (sb_reset_name(env, &plain, error) &&
                                    measure(b, EXPLORING, env, sb_autumn_state_of(env), &plain, error)));
    ok = ok && sb_reset_name(env, name, error) && (first = sb_clone(env, error)) &&
         (!explores || measure(b, INTERACTION, env, sb_autumn_state_of(env), name, error)) &&
         measure_test(b, env, name, first, error);
    sb_free(env), sb_free(first);
    return ok;
}

static bool measure_all(bench *b, sb_error *error) {
    char before[sizeof(sb_name)] = "";
    bool ok = true;
    for (size_t i = 0; ok && i < b->selection.n; i++) {
        sb_name name;
        sb_selection_name(&b->selection, i, &name);
        if (strncmp(name.difficulty, "mfp", 3) == 0) continue;
        ok = measure_challenge(b, &name, strcmp(before, name.task) != 0, error);
        snprintf(before, sizeof before, "%s", name.task);
    }
    return ok;
}

static void print(bench *b) {
    puts("| part | measured | added, median | most | of |\n|---|--:|--:|--:|---|");
    for (int i = 0; i < PARTS; i++)
        if (b->n[i])
            printf("| %s | %zu | %.1f %% | %.1f %% | `%s` |\n", part_names[i], b->n[i],
                   100 * median(b->added[i], b->n[i]), 100 * b->largest[i], b->most[i]);
}

int main(int argc, char **argv) {
    static bench b;
    sb_error error;
    if (argc != 2) return fputs("usage: seedbed-bench-autumn-play PACK\n", stderr), 2;
    const bool ok = (b.catalogue = sb_catalogue_make(&error)) &&
                    sb_autumn_pack_load(argv[1], b.catalogue, take_name, &b, &error) && measure_all(&b, &error);
    if (ok)
        print(&b);
    else
        fprintf(stderr, "seedbed-bench-autumn-play: %s\n", error.text);
    sb_selection_free(&b.selection);
    sb_catalogue_free(b.catalogue);
    return ok ? 0 : 1;
}
