/* Tests what happens when memory or the disk runs out, and that the hot path allocates nothing.
 *
 * The linker replaces malloc, calloc, realloc, write, fsync and rename in our own code by the versions below
 * (-Wl,--wrap in tests/CMakeLists.txt), which count calls and fail on demand. So the program itself needs no hooks for
 * this. */
#include "tests/support.h"

#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "datasets/build.h"
#include "datasets/journal.h"
#include "datasets/verify.h"
#include "engine/lookup.h"
#include "evaluation/certificates/certify.h"
#include "evaluation/explain/explain.h"
#include "evaluation/report_print.h"
#include "evaluation/selected.h"
#include "exporters/teller.h"
#include "oracles/beam.h"
#include "rollout/worker.h"
#include "seedbed/gridworld.h"
#include "seedbed/pack.h"
#include "seedbed/picture.h"
#include "seedbed/player.h"
#include "seedbed/tape.h"
#include "tests/testfamily/toy.h"

/* ---- The faults ---- */

typedef enum fault { MEMORY, WRITE, FSYNC, RENAME, N_FAULTS } fault;

static atomic_long calls[N_FAULTS];    /* since arm() */
static atomic_bool interrupts;         /* whether every second write is interrupted by a signal */
static atomic_long fails_at[N_FAULTS]; /* the call that fails, counted from 1; 0: none; -1: every one */

static void arm(fault which, long nth) {
    for (int i = 0; i < N_FAULTS; i++) {
        calls[i] = 0;
        fails_at[i] = 0;
    }
    fails_at[which] = nth;
}

static void disarm(void) { arm(MEMORY, 0); }

static bool fails(fault which, int reason) {
    const long call = atomic_fetch_add(&calls[which], 1) + 1, at = fails_at[which];
    if (at != -1 && at != call) return false;
    errno = reason;
    return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *block, size_t size);
ssize_t __real_write(int descriptor, const void *bytes, size_t n);
int __real_fsync(int descriptor);
int __real_rename(const char *from, const char *to);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *block, size_t size);
ssize_t __wrap_write(int descriptor, const void *bytes, size_t n);
int __wrap_fsync(int descriptor);
int __wrap_rename(const char *from, const char *to);

void *__wrap_malloc(size_t size) { return fails(MEMORY, ENOMEM) ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t n, size_t size) { return fails(MEMORY, ENOMEM) ? NULL : __real_calloc(n, size); }
void *__wrap_realloc(void *block, size_t size) { return fails(MEMORY, ENOMEM) ? NULL : __real_realloc(block, size); }
/* A full disk writes half of the bytes, and then nothing. */
ssize_t __wrap_write(int descriptor, const void *bytes, size_t n) {
    if (fails(WRITE, ENOSPC)) return -1;
    if (interrupts && calls[WRITE] % 2) return errno = EINTR, -1;
    return __real_write(descriptor, bytes, n > 1 ? n / 2 : n);
}
int __wrap_fsync(int descriptor) { return fails(FSYNC, EIO) ? -1 : __real_fsync(descriptor); }
int __wrap_rename(const char *from, const char *to) { return fails(RENAME, EIO) ? -1 : __real_rename(from, to); }

/* ---- Writing ---- */

/* Writes 100 bytes with a fault at one call, and checks that the file has a prefix of them; returns the number of
 * calls. */
static long write_with_fault(long nth) {
    char bytes[100], found[sizeof bytes + 1];
    int ends[2];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)i;
    assert_int_equal(pipe(ends), 0);
    arm(WRITE, nth);
    const bool ok = sb_write_all(ends[1], bytes, sizeof bytes);
    const int reason = errno;
    const long n_calls = calls[WRITE];
    disarm();
    close(ends[1]);
    const ssize_t n = read(ends[0], found, sizeof found);
    close(ends[0]);
    assert_int_equal(ok, nth == 0);
    if (!ok) assert_int_equal(reason, ENOSPC);
    assert_true(ok ? n == sizeof bytes : n < (ssize_t)sizeof bytes);
    assert_memory_equal(found, bytes, (size_t)n);
    return n_calls;
}

static void test_all_bytes_are_written_or_there_is_an_error(void **state) {
    (void)state;
    const long n = write_with_fault(0);
    assert_true(n > 1);
    for (long nth = 1; nth <= n; nth++) write_with_fault(nth);
    interrupts = true;
    assert_int_equal(write_with_fault(0), 2 * n);
    interrupts = false;
}

/* ---- The hot path ---- */

static void play_and_look(sb_env *env, sb_env *copy, const sb_name *name) {
    static _Alignas(int64_t) char text[1 << 16];
    sb_error error;
    sb_rng rng;
    sb_rng_seed(&rng, name->seed, NULL);
    assert_ok(sb_reset_name(env, name, &error), error);
    for (int i = 0; i < 20 && !sb_status_of(env)->done; i++) {
        sb_result result;
        uint64_t key[2];
        sb_action valid[8];
        bool mask[SB_MASK_MAX];
        const sb_action action = (sb_action)sb_integers(&rng, 0, env->n_actions);
        assert_ok(sb_step(env, action, &result, &error), error);
        for (size_t m = 0; m < env->family->n_modes; m++)
            assert_true(sb_observe(env, &env->family->modes[m], text, sizeof text) < sizeof text);
        for (size_t a = 0; a < env->family->n_arrays; a++) env->family->fill(env, a, text);
        sb_valid_actions(env, valid, 8);
        sb_action_mask(env, mask, SB_MASK_MAX);
        sb_key(env, key);
        assert_ok(sb_copy(copy, env, &error), error);
    }
}

static void test_generate_step_observe_and_copy_allocate_nothing(void **state) {
    (void)state;
    sb_error error;
    sb_selection selection;
    assert_ok(sb_select(&(sb_request){.seeds = "0..9"}, &selection, &error), error);
    sb_env *env = sb_make(NULL, NULL, &error), *copy = sb_make(NULL, NULL, &error);
    play_and_look(env, copy, sb_selection_name(&selection, 0, &(sb_name){0})); /* the first episode allocates memory */
    arm(MEMORY, 0);
    for (size_t i = 0; i < selection.n; i++) play_and_look(env, copy, sb_selection_name(&selection, i, &(sb_name){0}));
    const long allocations = calls[MEMORY];
    disarm();
    assert_int_equal(allocations, 0);
    sb_free(env), sb_free(copy);
    sb_selection_free(&selection);
}

/* Plays fifty steps and paints each state, unless the brush is NULL. */
static void play_and_paint(sb_env *env, const sb_brush *brush) {
    static uint8_t pixels[1 << 21];
    sb_error error;
    for (sb_action a = 0; !sb_status_of(env)->done && a < 50; a++) {
        sb_result result;
        if (brush)
            assert_in_range(sb_observe_array(env, sb_brush_array(brush), pixels, sizeof pixels), 1, sizeof pixels);
        assert_ok(sb_step(env, a * 7 % env->n_actions, &result, &error), error);
    }
}

/* One brush for each look of the families, and with larger tiles. Steps of programs allocate in their first episode. */
static void test_pictures_allocate_nothing_once_brushes_are_made(void **state) {
    (void)state;
    static const struct {
        const char *name;
        size_t look;
        int32_t tile, size;
    } cases[] = {{"KeyDoorPuzzle/hard#1", 0, 8, 0},        {"TreasureHunt/medium#1", 0, 16, 0},
                 {"TaskInterference/easy#1", 0, 8, 0},     {"KeyDoorPuzzle/hard#1", 1, 0, 512},
                 {"FogOfWarExploration/easy#1", 1, 0, 64}, {"babyai:BossLevel#1", 0, 8, 0},
                 {"babyai:BossLevel#1", 1, 32, 0},         {"autumn:Seesaw#1", 0, 8, 0},
                 {"autumn:LadderAndLamp#1", 0, 32, 0},     {"arc:Moss/intro#1", 0, 4, 0}};
    sb_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_env *env = sb_make(NULL, cases[i].name, &error);
        assert_ok(env != NULL, error);
        const sb_look *look = sb_look_at(env->family, cases[i].look);
        sb_brush *brush = sb_brush_make(env->family, look,
                                        &(sb_brush_options){.tile = cases[i].tile, .size = cases[i].size}, &error);
        assert_ok(brush != NULL, error);
        play_and_paint(env, NULL);
        assert_ok(sb_reset(env, cases[i].name, &error), error);
        arm(MEMORY, 0);
        play_and_paint(env, brush);
        const long allocations = calls[MEMORY];
        disarm();
        assert_int_equal(allocations, 0);
        sb_brush_free(brush);
        sb_free(env);
    }
}

enum { FEW = 8, ROOM = 1 << 15 /* bytes of the largest array and the longest text */ };

/* Finds an extent in which the array of every name fits. */
static void find_extent(const sb_family *family, const sb_name *names, size_t n, sb_array_out *out) {
    const size_t index = (size_t)(out->array - family->arrays);
    for (size_t i = 0; i < n; i++) {
        sb_error error;
        sb_shape shape;
        assert_ok(sb_name_shape(NULL, &names[i], &shape, &error), error);
        for (int d = 0; d < out->array->rank; d++)
            if (shape.extent[index][d] > out->extent[d]) out->extent[d] = shape.extent[index][d];
    }
    size_t bytes = sb_scalar_size(out->array->type);
    for (int d = 0; d < out->array->rank; d++) bytes *= (size_t)out->extent[d];
    assert_true(bytes <= ROOM);
}

static sb_name *name_all(size_t *n) {
    sb_error error;
    sb_selection selection;
    assert_ok(sb_select(&(sb_request){.seeds = "0"}, &selection, &error), error);
    sb_name *names = calloc(selection.n, sizeof *names);
    assert_non_null(names);
    for (size_t i = 0; i < selection.n; i++) sb_selection_name(&selection, i, &names[i]);
    *n = selection.n;
    sb_selection_free(&selection);
    return names;
}

/* Makes a batch with all outputs: texts, padded arrays, masks and keys, of the present state and of the ends of
 * episodes. */
static sb_batch *made_to_show_all(sb_autoreset autoreset, char (*texts)[ROOM]) {
    static char numbers[2][SB_ARRAYS_MAX][FEW * ROOM], finals[FEW][ROOM];
    static sb_result results[FEW];
    static bool masks[2][FEW][8], begun[FEW], idle[FEW];
    static uint64_t keys[FEW][2];
    const sb_family *family = sb_family_at(0);
    sb_array_out arrays[2][SB_ARRAYS_MAX] = {0};
    sb_batch_view views[2];
    size_t n_names;
    sb_error error;
    sb_name *names = name_all(&n_names);
    for (int v = 0; v < 2; v++) {
        for (size_t a = 0; a < family->n_arrays; a++) {
            arrays[v][a] = (sb_array_out){.array = &family->arrays[a], .out = numbers[v][a]};
            find_extent(family, names, n_names, &arrays[v][a]);
        }
        views[v] = (sb_batch_view){.mode = sb_mode_find(family, "language", &error),
                                   .texts = v ? finals[0] : texts[0],
                                   .text_size = ROOM,
                                   .arrays = arrays[v],
                                   .n_arrays = family->n_arrays,
                                   .masks = masks[v][0],
                                   .mask_size = sizeof masks[v][0]};
    }
    const sb_batch_plan plan = {.names = names,
                                .n_names = n_names,
                                .n = FEW,
                                .threads = 2,
                                .then = SB_THEN_NEXT,
                                .autoreset = autoreset,
                                .record = true};
    sb_batch *batch = sb_batch_make(
        &plan,
        &(sb_batch_arrays){
            .results = results, .begun = begun, .idle = idle, .keys = keys, .now = views[0], .final = views[1]},
        &error);
    free(names);
    assert_ok(batch != NULL, error);
    return batch;
}

/* Resets environments whose episodes have ended. */
static void reset_ended(sb_batch *batch) {
    bool ended[FEW];
    sb_error error;
    for (size_t i = 0; i < FEW; i++) ended[i] = sb_status_of(sb_batch_env(batch, i))->done;
    assert_ok(sb_batch_reset(batch, ended, NULL, &error), error);
}

static void test_batches_allocate_nothing_once_made(void **state) {
    (void)state;
    static char texts[FEW][ROOM];
    sb_action actions[FEW];
    sb_error error;
    for (int autoreset = SB_NEXT_STEP; autoreset <= SB_NO_AUTORESET; autoreset++)
        for (int random = 0; random < 2; random++) {
            sb_batch *batch = made_to_show_all((sb_autoreset)autoreset, texts);
            sb_players *players = sb_players_make(batch, "random", &error);
            assert_ok(players != NULL, error);
            arm(MEMORY, 0);
            while (sb_batch_running(batch) > 0) {
                for (size_t i = 0; i < FEW; i++) actions[i] = (sb_action)((i + (size_t)texts[i][0]) % SB_N_ACTIONS);
                if (autoreset == SB_NO_AUTORESET) reset_ended(batch);
                if (random) assert_ok(sb_players_act(players, actions, &error), error);
                if (sb_batch_running(batch) > 0) assert_ok(sb_batch_step(batch, actions, &error), error);
            }
            const long allocations = calls[MEMORY];
            disarm();
            assert_int_equal(allocations, 0);
            sb_players_free(players);
            sb_batch_free(batch);
        }
}

static void test_experts_allocate_nothing_once_begun(void **state) {
    (void)state;
    sb_error error;
    sb_selection selection;
    assert_ok(sb_select(&(sb_request){.seeds = "3,4"}, &selection, &error), error);
    sb_env *env = sb_make(NULL, NULL, &error);
    sb_player player = {0};
    for (size_t i = 0; i < selection.n; i++) {
        assert_ok(sb_reset_name(env, sb_selection_name(&selection, i, &(sb_name){0}), &error), error);
        assert_ok(sb_player_begin_as(&player, "expert", env, &error), error);
        arm(MEMORY, 0);
        while (!sb_status_of(env)->done) {
            sb_result result;
            assert_ok(sb_step(env, sb_player_act(&player, env), &result, &error), error);
        }
        const long allocations = calls[MEMORY];
        disarm();
        assert_int_equal(allocations, 0);
    }
    sb_player_clear(&player);
    sb_free(env);
    sb_selection_free(&selection);
}

/* ---- Planning while memory fails ---- */

static bool play_clairvoyant(const char *text, sb_error *error) {
    sb_name name;
    sb_worker worker = {0};
    const bool ok = sb_name_parse(NULL, text, &name, error) &&
                    sb_worker_play(&worker, "clairvoyant", &name, NULL, NULL, error);
    assert_true(!ok || worker.tape.outcome.success);
    sb_worker_free(&worker);
    return ok;
}

/* Runs a beam of three, which is soon full. */
static bool run_beam(const char *text, sb_error *error) {
    sb_beam beam = {0};
    sb_budget budget = {.limit = 100000};
    sb_action actions[40];
    int n;
    sb_env *env = sb_make(NULL, text, error);
    const bool ok = env && sb_beam_search(&beam, env, 3, 40, &budget, actions, &n, error);
    sb_beam_close(&beam);
    sb_free(env);
    return ok;
}

/* Lets the first, second, third ... allocation fail, until planning succeeds. */
static void assert_plans_survive(bool (*plan)(const char *text, sb_error *error), const char *text) {
    sb_error error;
    long n = 1;
    for (;; n++) {
        arm(MEMORY, n);
        const bool ok = plan(text, &error);
        const long made = calls[MEMORY];
        disarm();
        if (ok && made < n) break;
        if (!ok) assert_int_equal(error.code, SB_MEMORY);
    }
    assert_true(n > 10);
    assert_int_equal(toy_states, 0);
}

static void test_out_of_memory_at_any_call_of_the_clairvoyant_is_an_error(void **state) {
    (void)state;
    assert_plans_survive(play_clairvoyant, "DynamicObstacles/easy#1");
    assert_plans_survive(play_clairvoyant, "toy:Hunt#1");
    assert_plans_survive(run_beam, "GoToGoal/easy#1");
    assert_plans_survive(run_beam, "toy:Pile#1");
}

/* Acting cannot fail: without memory for a new plan the clairvoyant takes some action, and plans once there is memory.
 */
static void test_without_memory_for_another_plan_the_clairvoyant_still_acts(void **state) {
    (void)state;
    sb_error error;
    sb_result result;
    for (long n = 1; n < 12; n++) {
        sb_player player = {0};
        sb_env *env = sb_make(NULL, "toy:Hunt#1", &error);
        assert_ok(sb_player_begin_as(&player, "clairvoyant", env, &error), error);
        assert_ok(sb_step(env, TOY_DROP, &result, &error), error);
        arm(MEMORY, n);
        assert_ok(sb_step(env, sb_player_act(&player, env), &result, &error), error);
        disarm();
        while (!sb_status_of(env)->done) assert_ok(sb_step(env, sb_player_act(&player, env), &result, &error), error);
        assert_true(result.success);
        sb_player_clear(&player);
        sb_free(env);
    }
}

/* ---- What users of the library make, while memory fails ---- */

/* Lets each allocation of `make` fail in turn, which it has to report; without a fault it then succeeds as if nothing
 * had failed. */
static void assert_makes(bool (*make)(void *context, sb_error *error), void *context, long least) {
    sb_error error;
    for (long n = 1;; n++) {
        arm(MEMORY, n);
        const bool ok = make(context, &error);
        const long made = calls[MEMORY];
        disarm();
        if (!ok) assert_int_equal(error.code, SB_MEMORY);
        if (!ok) assert_ok(make(context, &error), error);
        if (ok && made < n) {
            assert_true(n > least);
            return;
        }
    }
}

static bool make_batch_and_players(void *context, sb_error *error) {
    const sb_name *names = context;
    int16_t agents[2][3];
    const sb_array_out agent = {.array = sb_array_find(sb_family_at(0), "agent", error), .out = agents, .extent = {3}};
    sb_batch *batch = sb_batch_make(
        &(sb_batch_plan){.names = names, .n_names = 2, .n = 2, .threads = 2, .record = true},
        &(sb_batch_arrays){.now = {.arrays = &agent, .n_arrays = 1}}, error);
    sb_players *players = batch ? sb_players_make(batch, "expert", error) : NULL;
    const bool ok = players != NULL;
    sb_players_free(players);
    sb_batch_free(batch);
    return ok;
}

static bool make_brush(void *context, sb_error *error) {
    const sb_family *family = context;
    sb_brush *brush = sb_brush_make(family, sb_look_at(family, 0), &(sb_brush_options){.tile = 16}, error);
    sb_brush_free(brush);
    return brush != NULL;
}

static bool make_sized_brush(void *context, sb_error *error) {
    const sb_family *family = context;
    sb_brush *brush = sb_brush_make(family, sb_look_at(family, 1), &(sb_brush_options){.size = 64}, error);
    sb_brush_free(brush);
    return brush != NULL;
}

static void test_out_of_memory_for_a_brush_is_an_error(void **state) {
    (void)state;
    assert_makes(make_brush, (void *)sb_family_at(0), 6);
    assert_makes(make_brush, (void *)sb_family_at(1), 2);
    assert_makes(make_brush, (void *)sb_family_at(2), 2);
    assert_makes(make_sized_brush, (void *)sb_family_at(0), 30);
}

/* Environments begin one after the other, so that the allocations are always the same. */
static void assert_players_act_after(sb_name *names, const char *agent, const sb_action *wanted, long nth, bool *all) {
    sb_action actions[2];
    sb_error error;
    sb_batch *batch = sb_batch_make(&(sb_batch_plan){.names = names, .n_names = 2, .n = 2, .threads = 1},
                                    &(sb_batch_arrays){0}, &error);
    assert_ok(batch != NULL, error);
    sb_players *players = sb_players_make(batch, agent, &error);
    assert_ok(players != NULL, error);
    arm(MEMORY, nth);
    const bool ok = sb_players_act(players, actions, &error);
    *all = ok && calls[MEMORY] < nth;
    disarm();
    if (!ok) {
        assert_int_equal(error.code, SB_MEMORY);
        assert_true(actions[0] == -1 || actions[1] == -1);
        for (int i = 0; i < 2; i++) assert_true(actions[i] == -1 || actions[i] == wanted[i]);
        assert_ok(sb_players_act(players, actions, &error), error);
        assert_memory_equal(actions, wanted, sizeof actions);
    }
    sb_players_free(players);
    sb_batch_free(batch);
}

static void test_out_of_memory_at_any_call_of_players_is_an_error(void **state) {
    (void)state;
    static const struct {
        const char *agent, *names[2];
    } cases[] = {{"expert", {"KeyDoorPuzzle/easy#1", "GoToGoal/easy#2"}},
                 {"observer", {"FogOfWarExploration/easy#1", "KeyDoorPuzzle/easy#2"}},
                 {"expert", {"babyai:GoTo#1", "babyai:BossLevel#2"}},
                 {"expert", {"toy:Hunt#1", "toy:Pile#2"}},
                 {"expert", {"climb:Climb#1", "climb:Climb#2"}}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        sb_error error;
        sb_name names[2];
        sb_action wanted[2];
        bool all = false;
        for (int i = 0; i < 2; i++) {
            assert_ok(sb_name_parse(NULL, cases[c].names[i], &names[i], &error), error);
            sb_player player = {0};
            sb_env *env = sb_make(NULL, cases[c].names[i], &error);
            assert_ok(env && sb_player_begin_as(&player, cases[c].agent, env, &error), error);
            wanted[i] = sb_player_act(&player, env);
            sb_player_clear(&player), sb_free(env);
        }
        for (long n = 1; !all; n++) assert_players_act_after(names, cases[c].agent, wanted, n, &all);
        if (c == 0) assert_makes(make_batch_and_players, names, 10);
    }
    assert_int_equal(toy_states, 0);
}

typedef struct played {
    sb_env *env;
    char line[4096];
} played;

static bool make_tape(void *context, sb_error *error) {
    played *p = context;
    char line[4096];
    sb_tape *tape = sb_tape_of(p->env, "my-bot", error);
    if (!tape) return false;
    assert_true(sb_tape_print(tape, line, sizeof line) < sizeof line);
    if (p->line[0]) assert_string_equal(line, p->line);
    strcpy(p->line, line);
    sb_tape_free(tape);
    return true;
}

static void test_out_of_memory_at_any_call_of_a_tape_is_an_error(void **state) {
    (void)state;
    sb_error error;
    sb_result result;
    played p = {.env = sb_make(NULL, "GoToGoal/expert#1", &error)};
    assert_ok(p.env && sb_record(p.env, true, &error), error);
    for (int i = 0; !sb_status_of(p.env)->done; i++) assert_ok(sb_step(p.env, i % 3, &result, &error), error);
    assert_makes(make_tape, &p, 2);
    sb_free(p.env);
}

static const char a_tower[] = "levels 2\nwidth 3\nheight 3\nlimit 20\n";

/* After a failure the catalogue is unchanged, and adding the same again works. */
static bool fill_catalogue(void *context, sb_error *error) {
    sb_catalogue *catalogue = *(sb_catalogue **)context;
    const sb_family *climb = sb_family_find("climb", error);
    const sb_name kept = {"climb", "Climb-v1", "kept", 3};
    const sb_task_info *task = NULL;
    if (!catalogue && !(catalogue = *(sb_catalogue **)context = sb_catalogue_make(error))) return false;
    const bool ok = sb_catalogue_add_program(catalogue, climb, a_tower, strlen(a_tower), &task, error);
    assert_int_equal(ok, sb_program_at(catalogue, 0) != NULL);
    if (!ok || !sb_catalogue_add_derived(catalogue, &kept, "9 8 7", 5, error)) return false;
    assert_ptr_equal(sb_program_at(catalogue, 0)->task, task);
    assert_null(sb_program_at(catalogue, 1));
    sb_catalogue_free(catalogue);
    *(sb_catalogue **)context = NULL;
    return true;
}

static void test_out_of_memory_at_any_call_of_a_catalogue_is_an_error(void **state) {
    (void)state;
    sb_catalogue *catalogue = NULL;
    assert_makes(fill_catalogue, &catalogue, 5);
    assert_null(catalogue);
}

static bool make_pack(void *context, sb_error *error) {
    char *hash = context;
    sb_pack *pack = sb_pack_make("agentick", "mine", "GoToGoal,LightsOut", "easy,hard", 3, error);
    if (!pack) return false;
    if (hash[0]) assert_string_equal(sb_pack_hash(pack), hash);
    strcpy(hash, sb_pack_hash(pack));
    sb_pack_free(pack);
    return true;
}

static void test_out_of_memory_at_any_call_of_a_pack_is_an_error(void **state) {
    (void)state;
    char hash[128] = "";
    assert_makes(make_pack, hash, 2);
}

/* ---- Building a dataset while something fails ---- */

/* Makes it a recipe of two splits, one drawn from a mixture until a filter lets enough pass, one shuffled. */
static void compose(sb_recipe *recipe) {
    static cJSON *mixture; /* kept, because what refuses memory would else refuse it here */
    if (!mixture) mixture = cJSON_Parse("[{\"tasks\": \"PreciseNavigation\", \"weight\": [[0, 1], [1, 2]]}]");
    assert_non_null(mixture);
    const sb_request request = {
        .family = "agentick", .tasks = "PreciseNavigation", .difficulty = "easy", .split = "train", .count = 64};
    const sb_composition drawn = {.budget[SB_EPISODES] = 4, .mixture = mixture}, shuffled = {.order = "shuffled"};
    recipe->selection = (sb_request){0};
    recipe->splits[0] = (sb_section){.split = "train", .request = request, .composition = drawn};
    recipe->splits[1] = (sb_section){.split = "test", .request = request, .composition = shuffled};
    recipe->splits[1].request.split = NULL, recipe->splits[1].request.count = 3;
    recipe->n_splits = 2;
    recipe->filter.has_success = recipe->filter.success = true;
}

/* Returns a recipe of three files. A build runs again for every call in it that can fail. */
static const sb_recipe *recipe_of(const char *family) {
    static sb_recipe recipe;
    recipe = sb_recipe_default();
    recipe.selection = (sb_request){.family = family, .seeds = "0..19"};
    if (strcmp(family, "toy") != 0) {
        recipe.selection.tasks = "PreciseNavigation,KeyDoorPuzzle";
        recipe.selection.difficulty = "easy";
    }
    if (strcmp(family, "toy") == 0) recipe.format = "steps,heap,npz"; /* two formats with writers */
    if (strcmp(family, "composed") == 0) compose(&recipe);
    recipe.casting.epsilon = 0.1;
    recipe.shard_episodes = 16;
    return &recipe;
}

enum { GO_ON_EVERY = 7 /* faults: the test resumes after every seventh, to have time for more faults */ };

static bool build(const char *family, const char *folder, bool resume, sb_error *error) {
    sb_manifest made;
    const sb_build b = {
        .recipe = recipe_of(family), .folder = folder, .jobs = 1, .overwrite = !resume, .resume = resume};
    const bool ok = sb_build_run(&b, &made, error);
    sb_manifest_free(&made);
    return ok;
}

/* Returns whether the folder has a manifest, and asserts that no unfinished file is left. */
static bool has_manifest(const char *folder) {
    DIR *directory = opendir(folder);
    bool found = false;
    assert_non_null(directory);
    for (const struct dirent *entry; (entry = readdir(directory));) {
        if (strstr(entry->d_name, ".part")) fail_msg("%s is left", entry->d_name);
        found |= strcmp(entry->d_name, SB_MANIFEST_NAME) == 0;
    }
    closedir(directory);
    return found;
}

static void content_of(const char *folder, char hash[SB_SHA256_HEX]) {
    sb_error error;
    sb_manifest manifest;
    assert_ok(sb_dataset_verify(&(sb_dataset_check){.folder = folder, .jobs = 1}, &manifest, &error), error);
    memcpy(hash, manifest.content_sha256, SB_SHA256_HEX);
    sb_manifest_free(&manifest);
}

/* Asserts that after a failed build, a resumed one gives the same dataset as an undisturbed one. */
static void assert_goes_on(const char *family, const char *folder, const char *hash) {
    char again[SB_SHA256_HEX];
    sb_error error;
    assert_ok(build(family, folder, true, &error), error);
    content_of(folder, again);
    assert_string_equal(hash, again);
}

/* Lets the first, second, third ... call of a kind fail until a build succeeds, and checks what each build leaves. */
static void assert_survives(fault which, sb_code code, const char *family) {
    char folder[1024], hash[SB_SHA256_HEX], again[SB_SHA256_HEX];
    sb_error error;
    long n = 1;
    snprintf(folder, sizeof folder, "%s", scratch_folder("faults"));
    assert_ok(build(family, folder, false, &error), error);
    content_of(folder, hash);
    for (;; n += TESTS_ARE_SLOW ? 4 : getenv("SEEDBED_NIGHTLY") ? 1 : 2) {
        scratch_folder("faults");
        arm(which, n);
        const bool built = build(family, folder, false, &error);
        const long made = calls[which];
        disarm();
        if (which != FSYNC || built || !has_manifest(folder)) /* the last flush comes after the last rename */
            assert_int_equal(has_manifest(folder), built);
        else
            content_of(folder, again);
        if (built && made < n) break;
        if (!built) assert_int_equal(error.code, code);
        if (!built && n % GO_ON_EVERY == 0) assert_goes_on(family, folder, hash);
    }
    assert_true(n > 2);
    content_of(folder, again);
    assert_string_equal(hash, again);
}

static void test_out_of_memory_at_any_call_is_an_error_and_leaves_no_dataset(void **state) {
    (void)state;
    assert_survives(MEMORY, SB_MEMORY, "agentick");
    assert_survives(MEMORY, SB_MEMORY, "toy");
    assert_survives(MEMORY, SB_MEMORY, "composed");
}

static void test_full_disk_at_any_write_leaves_no_dataset(void **state) {
    (void)state;
    assert_survives(WRITE, SB_IO, "agentick");
}

static void test_failing_flush_or_rename_leaves_no_dataset(void **state) {
    (void)state;
    assert_survives(FSYNC, SB_IO, "toy");
    assert_survives(RENAME, SB_IO, "agentick");
}

/* ---- One episode in every format except minari: libhdf5 does not recover if memory is short when it starts ---- */

/* Appends the rows that the format makes from the tape and, if it has a writer, a file with these rows. */
static bool export_rows(const sb_export *export, const sb_tape *tape, sb_out *rows, sb_out *file, sb_error *error) {
    const sb_exporter *exporter = export->exporter;
    uint64_t n_rows;
    sb_env *env = sb_make(NULL, NULL, error);
    void *writer = NULL;
    sb_out packed = sb_out_growing();
    sb_tellers tellers = {0};
    const sb_rollout rollout = {.tape = tape, .env = env, .tellers = &tellers};
    bool ok = env && exporter->rows(&rollout, export, rows, &n_rows, error);
    ok = ok && (sb_out_ok(rows) || sb_fail(error, SB_MEMORY, "rows"));
    if (ok && exporter->begin) {
        writer = calloc(1, exporter->writer_size);
        ok = writer || sb_fail(error, SB_MEMORY, "writer");
        ok = ok && exporter->begin(writer, export, (sb_file_place){0, 1, NULL}, file, error) &&
             (!exporter->pack || (exporter->pack(export, rows->data, rows->size, &packed, error) &&
                                  (sb_out_ok(&packed) || sb_fail(error, SB_MEMORY, "packed")))) &&
             exporter->add(writer, exporter->pack ? packed.data : rows->data, exporter->pack ? packed.size : rows->size,
                           n_rows, file, error) &&
             exporter->finish(writer, file, error);
        if (writer) exporter->end(writer);
        ok = ok && (sb_out_ok(file) || sb_fail(error, SB_MEMORY, "file"));
    }
    free(writer);
    sb_out_free(&packed);
    sb_tellers_free(&tellers);
    sb_free(env);
    return ok;
}

static bool export_episode(const cJSON *item, const sb_tape *tape, sb_out *all, sb_error *error) {
    sb_out rows = sb_out_growing();
    sb_export export = {0};
    sb_selection one = {0};
    size_t capacity = 0;
    bool ok = sb_selection_add(&one, &tape->of, tape->name.seed, &capacity, error);
    const sb_export_defaults defaults = {.family = sb_family_find(tape->name.family, error),
                                         .labels = tape->n_corrections > 0,
                                         .rewards = {.gamma = 1},
                                         .level = 6,
                                         .episodes = one};
    sb_out_clear(all);
    ok = ok && sb_export_read(&export, item, &defaults, error) && export_rows(&export, tape, &rows, all, error);
    if (ok) sb_put(all, rows.data, rows.size);
    sb_export_free(&export);
    sb_selection_free(&one);
    sb_out_free(&rows);
    return ok && (sb_out_ok(all) || sb_fail(error, SB_MEMORY, "all"));
}

static void assert_format_survives(const char *options, const sb_tape *tape) {
    sb_error error;
    sb_out whole = sb_out_growing(), again = sb_out_growing();
    cJSON *item = sb_json_parse(options, strlen(options), &error);
    assert_ok(item && export_episode(item, tape, &whole, &error), error);
    for (long n = 1;; n++) {
        sb_out_free(&again), again = sb_out_growing();
        arm(MEMORY, n);
        const bool ok = export_episode(item, tape, &again, &error), done = calls[MEMORY] < n;
        disarm();
        if (!ok) assert_int_equal(error.code, SB_MEMORY);
        if (!ok) continue; /* otherwise the missing memory was not essential */
        assert_int_equal(again.size, whole.size);
        assert_memory_equal(again.data, whole.data, whole.size);
        if (done) break;
    }
    cJSON_Delete(item);
    sb_out_free(&whole), sb_out_free(&again);
}

static void test_out_of_memory_at_any_call_of_any_format_is_an_error(void **state) {
    (void)state;
    static const struct {
        const char *episode, *options;
    } cases[] = {
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"steps\"}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"trajectories\"}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"chat\", \"user\": \"{history} {observation}\", \"turns\": 2}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"chat\", \"rows\": \"episode\"}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"chat\", \"style\": \"prompt\"}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"chat\", \"turns\": 1, \"pixels\": {\"look\": \"flat\", \"view\": 3}}"},
        {"babyai:GoToObj#1", "{\"format\": \"chat\", \"pixels\": {\"look\": \"view\", \"tile\": 2}}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"npz\"}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"npz\", \"pixels\": {\"look\": \"flat\", \"channels\": 1}}"},
        {"babyai:GoToObj#1", "{\"format\": \"npz\"}"},
        {"babyai:GoToObj#1", "{\"format\": \"predict\", \"csv\": true}"},
        {"babyai:GoToObj#1", "{\"format\": \"predict\", \"style\": \"json\"}"},
        {"babyai:GoToRedBallNoDists#1", "{\"format\": \"plan\", \"style\": \"narrative\"}"},
        {"babyai:GoToObj#1", "{\"format\": \"decompose\", \"templates\": {\"header\": \"{rows}\"}}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"steps\", \"reward\": \"progress\", \"taken\": true}"},
        {"KeyDoorPuzzle/easy#1",
         "{\"format\": \"chat\", \"answer\": \"{rationale}\", \"reasons\": \"search\", \"rows\": \"episode\"}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"values\"}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"preference\", \"turns\": 1}"},
        {"KeyDoorPuzzle/easy#1", "{\"format\": \"preference\", \"rows\": \"episode\"}"},
        {"arc:Fold/intro#1", "{\"format\": \"next_frame\"}"},
        {"arc:Fold/intro#1", "{\"format\": \"next_frame\", \"form\": \"chat\", \"context\": 2}"},
        {"toy:Hunt#1", "{\"format\": \"heap\"}"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_error error;
        sb_name name;
        sb_worker worker = {0};
        assert_ok(sb_name_parse(NULL, cases[i].episode, &name, &error), error);
        assert_ok(sb_worker_play(&worker, "expert", &name, NULL, NULL, &error), error);
        assert_format_survives(cases[i].options, &worker.tape);
        sb_worker_free(&worker);
    }
}

/* ---- Rendering while something fails ---- */

static bool render(const char *folder, bool resume, sb_error *error) {
    sb_manifest made;
    const bool ok = sb_render_run(
        &(sb_render){.folder = folder, .formats = "trajectories", .resume = resume, .jobs = 1}, &made, error);
    sb_manifest_free(&made);
    return ok;
}

/* When rendering fails, the dataset is unchanged, or has the new format, or can be resumed; the latter only if it
 * failed while its last files got their names. */
static void assert_renders_or_not(fault which) {
    char folder[1024], hash[SB_SHA256_HEX], again[SB_SHA256_HEX], wanted[SB_SHA256_HEX];
    sb_error error;
    size_t resumed = 0, undone = 0;
    snprintf(folder, sizeof folder, "%s", scratch_folder("rendered"));
    assert_ok(build("agentick", folder, false, &error) && render(folder, false, &error), error);
    content_of(folder, wanted);
    for (long n = 1;; n++) {
        if (n == 1 || resumed) {
            snprintf(folder, sizeof folder, "%s", scratch_folder("rendered"));
            assert_ok(build("agentick", folder, false, &error), error);
            content_of(folder, hash);
        }
        arm(which, n);
        const bool rendered = render(folder, false, &error);
        const bool through = rendered && calls[which] < n;
        disarm();
        assert_true(has_manifest(folder));
        resumed = sb_file_exists(sb_path_in(folder, SB_RENDERING_NAME).text);
        if (resumed) assert_ok(render(folder, true, &error), error);
        content_of(folder, again); /* verifies */
        assert_string_equal(again, rendered || resumed ? wanted : hash);
        undone += !rendered && !resumed;
        if (through) break;
        resumed |= rendered;
    }
    assert_true(undone > 2);
}

static void test_full_disk_while_rendering_leaves_the_dataset_as_it_was(void **state) {
    (void)state;
    assert_renders_or_not(WRITE);
    assert_renders_or_not(FSYNC);
    assert_renders_or_not(RENAME);
}

static void test_full_disk_error_says_what_and_where(void **state) {
    (void)state;
    char folder[1024];
    sb_error error;
    snprintf(folder, sizeof folder, "%s", scratch_folder("full"));
    arm(WRITE, -1);
    const bool built = build("agentick", folder, false, &error);
    disarm();
    assert_error(built, &error, SB_IO, "No space left on device");
    assert_non_null(strstr(error.text, folder));
}

/* ---- Certifying while something fails ---- */

static bool certify(const char *path, sb_error *error) {
    const sb_request request = {.tasks = "GoToGoal,SwitchCircuit", .difficulty = "easy", .seeds = "0..35"};
    sb_selection selection;
    bool ok = sb_select(&request, &selection, error);
    const sb_certification what = {
        .request = &request, .selection = &selection, .jobs = 1, .budget = 1000, .path = path};
    ok = ok && sb_certify(&what, error);
    sb_selection_free(&selection);
    return ok;
}

static void assert_same_bytes(const char *path, const char *expected) {
    sb_error error;
    sb_out a = sb_out_growing(), b = sb_out_growing();
    assert_ok(sb_file_load(path, SIZE_MAX, &a, &error) && sb_file_load(expected, SIZE_MAX, &b, &error), error);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
    sb_out_free(&a), sb_out_free(&b);
}

/* Lets the first, second, third ... call of a kind fail until one run succeeds. Each run continues where the one before
 * stopped; another run starts from the beginning and is interrupted once. */
static void assert_certifies_in_the_end(fault which, sb_code code) {
    char whole[1100], once[1100], often[1100];
    const char *folder = scratch_folder("certificates");
    sb_error error;
    bool done = false, finished = false;
    snprintf(whole, sizeof whole, "%s/whole", folder);
    snprintf(once, sizeof once, "%s/once", folder);
    snprintf(often, sizeof often, "%s/often", folder);
    assert_ok(certify(whole, &error), error);
    for (long n = 1; !done; n++) {
        arm(which, n);
        const bool made = certify(once, &error);
        done = made && calls[which] < n;
        disarm();
        if (!made) assert_int_equal(error.code, code);
        if (!made && which != FSYNC) assert_false(sb_file_exists(once));
        if (!made) assert_ok(certify(once, &error), error);
        assert_same_bytes(once, whole);
        assert_int_equal(remove(once), 0);
        arm(which, n);
        if (!finished) finished = certify(often, &error);
        disarm();
    }
    if (!finished) assert_ok(certify(often, &error), error); /* resuming needs more memory than starting */
    assert_same_bytes(often, whole);
}

static void test_certificates_interrupted_by_any_fault_are_the_same_in_the_end(void **state) {
    (void)state;
    assert_certifies_in_the_end(MEMORY, SB_MEMORY);
    assert_certifies_in_the_end(WRITE, SB_IO);
    assert_certifies_in_the_end(FSYNC, SB_IO);
    assert_certifies_in_the_end(RENAME, SB_IO);
}

/* ---- Evaluations ---- */

static bool evaluate_and_print(const sb_selection *selection, sb_out *document, sb_error *error) {
    const sb_agent_options options = {.spec = "expert"};
    sb_agent agent;
    sb_results results = {0};
    sb_baseline baseline = {0};
    if (!sb_agent_open(&agent, &options, selection, error)) return false;
    const sb_evaluation evaluation = {.selection = selection, .agent = &agent, .jobs = 1};
    const sb_result_context context = {
        .spec = "expert",
        .selection =
            "{\"family\": \"agentick\", \"tasks\": \"GoToGoal\", \"difficulty\": \"easy\", \"seeds\": \"0,1\"}",
        .baseline = &baseline};
    const bool ok = sb_evaluate(&evaluation, &results, error) && sb_baseline_load(&baseline, NULL, error) &&
                    sb_result_print(&results, &context, true, document, error);
    sb_agent_close(&agent);
    sb_results_free(&results);
    sb_baseline_free(&baseline);
    return ok;
}

/* Writes the atlas of the selection. */
static void make_atlas(const sb_selection *selection, const char *path) {
    sb_out selected = sb_out_growing();
    sb_error error;
    sb_selected_print_request(&(sb_request){.tasks = "GoToGoal", .difficulty = "easy", .seeds = "0,1"}, selection,
                              &(sb_eval_budget){0}, &selected);
    const sb_atlas_making making = {.selection = selection, .selected = &selected, .jobs = 1, .path = path};
    assert_ok(sb_atlas_draw_up(&making, &error), error);
    sb_out_free(&selected);
}

static bool make_page(const char *path, const char *atlas, sb_out *page, sb_error *error) {
    const sb_report_options options = {.published = "GPT", .atlas = atlas, .replays = 1, .verify = true};
    sb_report report;
    const bool ok = sb_report_open(&report, &options, &path, 1, error) &&
                    sb_report_print(&report, SB_REPORT_HTML, page, error) &&
                    sb_report_print(&report, SB_REPORT_TEXT, page, error);
    if (ok) assert_true(sb_report_all_right(&report));
    sb_report_close(&report);
    return ok;
}

/* Lets each allocation fail in turn until everything succeeds, with the same result as always. */
static void test_out_of_memory_at_any_call_is_no_result_and_no_report(void **state) {
    (void)state;
    const sb_request request = {
        .tasks = "GoToGoal", .difficulty = "easy", .seeds = "0,1"}; /* the selection in the result */
    sb_selection selection;
    sb_error error;
    sb_out whole[2] = {sb_out_growing(), sb_out_growing()}, again = sb_out_growing();
    char path[512], atlas[512];
    const char *folder = scratch_folder("faults-result");
    snprintf(path, sizeof path, "%s/result.json", folder), snprintf(atlas, sizeof atlas, "%s/atlas.jsonl", folder);
    assert_ok(sb_select(&request, &selection, &error), error);
    make_atlas(&selection, atlas);
    assert_ok(evaluate_and_print(&selection, &whole[0], &error), error);
    assert_ok(sb_file_save(path, whole[0].data, whole[0].size, &error), error);
    assert_ok(make_page(path, atlas, &whole[1], &error), error);
    for (int report = 0; report < 2; report++) {
        bool done = false;
        for (long n = 1; !done; n++) {
            sb_out_free(&again);
            arm(MEMORY, n);
            const bool ok = report ? make_page(path, atlas, &again, &error)
                                   : evaluate_and_print(&selection, &again, &error);
            done = ok && calls[MEMORY] < n;
            disarm();
            if (!ok) assert_int_equal(error.code, SB_MEMORY);
            if (!ok) continue; /* otherwise the missing memory was not essential */
            assert_int_equal(again.size, whole[report].size);
            assert_memory_equal(again.data, whole[report].data, again.size);
        }
    }
    sb_out_free(&whole[0]), sb_out_free(&whole[1]), sb_out_free(&again);
    sb_selection_free(&selection);
}

/* Explains 60 episodes, every other of which was won. */
static bool explain(double *auc, sb_error *error) {
    enum { N = 60 };
    sb_atlas_row rows[N];
    sb_outcome outcomes[N];
    sb_correlation correlations[SB_N_MEASURES];
    sb_threshold threshold;
    sb_model model;
    for (size_t i = 0; i < N; i++) {
        rows[i] = (sb_atlas_row){.name = {"agentick", "GoToGoal-v0", "easy", i}};
        for (sb_measure m = 0; m < SB_N_MEASURES; m++) rows[i].values[m] = (double)(i * (m + 1) % 7);
        outcomes[i] = (sb_outcome){.row = &rows[i], .won = i % 2};
        sb_outcome_draw(&outcomes[i]);
    }
    if (!sb_correlate(outcomes, N, correlations, error) || !sb_model_fit(outcomes, N, &model, error) ||
        !sb_threshold_find(outcomes, N, 1, &threshold, error))
        return false;
    *auc = model.auc;
    return correlations[SB_MEASURE_STEPS].known && model.known && threshold.known;
}

static void test_out_of_memory_at_any_call_explains_nothing(void **state) {
    double whole, again;
    sb_error error;
    bool done = false;
    (void)state;
    assert_ok(explain(&whole, &error), error);
    for (long n = 1; !done; n++) {
        arm(MEMORY, n);
        const bool ok = explain(&again, &error);
        done = ok && calls[MEMORY] < n;
        disarm();
        if (!ok) assert_int_equal(error.code, SB_MEMORY);
        if (ok) assert_true(again == whole);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_bytes_are_written_or_there_is_an_error),
        cmocka_unit_test(test_generate_step_observe_and_copy_allocate_nothing),
        cmocka_unit_test(test_batches_allocate_nothing_once_made),
        cmocka_unit_test(test_pictures_allocate_nothing_once_brushes_are_made),
        cmocka_unit_test(test_out_of_memory_for_a_brush_is_an_error),
        cmocka_unit_test(test_experts_allocate_nothing_once_begun),
        cmocka_unit_test(test_out_of_memory_at_any_call_of_the_clairvoyant_is_an_error),
        cmocka_unit_test(test_without_memory_for_another_plan_the_clairvoyant_still_acts),
        cmocka_unit_test(test_out_of_memory_at_any_call_of_players_is_an_error),
        cmocka_unit_test(test_out_of_memory_at_any_call_of_a_tape_is_an_error),
        cmocka_unit_test(test_out_of_memory_at_any_call_of_a_catalogue_is_an_error),
        cmocka_unit_test(test_out_of_memory_at_any_call_of_a_pack_is_an_error),
        cmocka_unit_test(test_out_of_memory_at_any_call_is_an_error_and_leaves_no_dataset),
        cmocka_unit_test(test_full_disk_at_any_write_leaves_no_dataset),
        cmocka_unit_test(test_failing_flush_or_rename_leaves_no_dataset),
        cmocka_unit_test(test_out_of_memory_at_any_call_of_any_format_is_an_error),
        cmocka_unit_test(test_full_disk_while_rendering_leaves_the_dataset_as_it_was),
        cmocka_unit_test(test_full_disk_error_says_what_and_where),
        cmocka_unit_test(test_certificates_interrupted_by_any_fault_are_the_same_in_the_end),
        cmocka_unit_test(test_out_of_memory_at_any_call_is_no_result_and_no_report),
        cmocka_unit_test(test_out_of_memory_at_any_call_explains_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
