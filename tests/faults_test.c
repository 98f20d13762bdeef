/* What happens when memory or the disk runs out, and that the hot path asks for neither.
 *
 * The linker replaces malloc, calloc, realloc, write, fsync and rename in our own code by the versions below
 * (-Wl,--wrap in tests/CMakeLists.txt), which count, and fail on demand. So the product needs no seam for it. */
#include "tests/support.h"

#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "datasets/build.h"
#include "datasets/verify.h"
#include "rollout/player.h"

/* ---- The faults ---- */

typedef enum fault { MEMORY, WRITE, FSYNC, RENAME, N_FAULTS } fault;

static atomic_long calls[N_FAULTS];    /* since arm() */
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
/* A full disk takes half of what it is given, and then nothing. */
ssize_t __wrap_write(int descriptor, const void *bytes, size_t n) {
    return fails(WRITE, ENOSPC) ? -1 : __real_write(descriptor, bytes, n > 1 ? n / 2 : n);
}
int __wrap_fsync(int descriptor) { return fails(FSYNC, EIO) ? -1 : __real_fsync(descriptor); }
int __wrap_rename(const char *from, const char *to) { return fails(RENAME, EIO) ? -1 : __real_rename(from, to); }

/* ---- The hot path ---- */

static void play_and_look(sb_env *env, sb_env *copy, const sb_name *name) {
    static char text[1 << 16];
    sb_error error;
    sb_rng rng;
    sb_rng_seed(&rng, name->seed, NULL);
    assert_ok(sb_reset_name(env, name, &error), error);
    for (int i = 0; i < 20 && !sb_status_of(env)->done; i++) {
        sb_result result;
        uint64_t key[2];
        sb_action valid[8];
        const sb_action action = (sb_action)sb_integers(&rng, 0, env->n_actions);
        assert_ok(sb_step(env, action, &result, &error), error);
        for (size_t m = 0; m < env->family->n_modes; m++)
            assert_true(sb_observe(env, env->family->modes[m].name, text, sizeof text, &error) < sizeof text);
        sb_valid_actions(env, valid, 8);
        sb_key(env, key);
        assert_ok(sb_copy(copy, env, &error), error);
    }
}

static void test_generate_step_observe_and_copy_allocate_nothing(void **state) {
    (void)state;
    sb_error error;
    sb_selection selection;
    assert_ok(sb_select(&(sb_request){.seeds = "0..9"}, &selection, &error), error);
    sb_env *env = sb_make(NULL, &error), *copy = sb_make(NULL, &error);
    play_and_look(env, copy, &selection.names[0]); /* the first episode makes room */
    arm(MEMORY, 0);
    for (size_t i = 0; i < selection.n; i++) play_and_look(env, copy, &selection.names[i]);
    const long allocations = calls[MEMORY];
    disarm();
    assert_int_equal(allocations, 0);
    sb_free(env), sb_free(copy);
    sb_selection_free(&selection);
}

static void test_batches_allocate_nothing_once_made(void **state) {
    (void)state;
    enum { N = 8 };
    static char texts[N][1 << 14];
    static sb_result results[N];
    sb_error error;
    sb_selection selection;
    sb_action actions[N];
    const sb_batch_arrays arrays = {.results = results, .texts = texts[0], .text_size = sizeof texts[0]};
    assert_ok(sb_select(&(sb_request){.seeds = "0"}, &selection, &error), error);
    sb_batch *batch = sb_batch_make(selection.names, selection.n, N, SB_THEN_NEXT, "language", &arrays, &error);
    assert_ok(batch != NULL, error);
    arm(MEMORY, 0);
    while (sb_batch_running(batch) > 0) {
        for (size_t i = 0; i < N; i++) actions[i] = (sb_action)((i + (size_t)texts[i][0]) % SB_N_ACTIONS);
        assert_ok(sb_batch_step(batch, actions, &error), error);
    }
    const long allocations = calls[MEMORY];
    disarm();
    assert_int_equal(allocations, 0);
    sb_batch_free(batch);
    sb_selection_free(&selection);
}

static void test_experts_allocate_nothing_once_begun(void **state) {
    (void)state;
    sb_error error;
    sb_selection selection;
    assert_ok(sb_select(&(sb_request){.seeds = "3,4"}, &selection, &error), error);
    sb_env *env = sb_make(NULL, &error);
    sb_player player = {0};
    for (size_t i = 0; i < selection.n; i++) {
        assert_ok(sb_reset_name(env, &selection.names[i], &error), error);
        assert_ok(sb_player_begin(&player, "expert", env, &error), error);
        arm(MEMORY, 0);
        while (!sb_status_of(env)->done) {
            sb_result result;
            assert_ok(sb_step(env, sb_player_act(&player, env), &result, &error), error);
        }
        const long allocations = calls[MEMORY];
        disarm();
        assert_int_equal(allocations, 0);
    }
    sb_player_free(&player);
    sb_free(env);
    sb_selection_free(&selection);
}

/* ---- Building a dataset while something fails ---- */

/* Three files; a build is run again for every call that can fail in it. */
static const sb_recipe *recipe_of(const char *family) {
    static sb_recipe recipe;
    recipe = sb_recipe_default();
    recipe.selection = (sb_request){.family = family, .seeds = "0..19"};
    if (strcmp(family, "toy") != 0) {
        recipe.selection.tasks = "GoToGoal,KeyDoorPuzzle";
        recipe.selection.difficulty = "easy";
    }
    recipe.shard_episodes = 16;
    return &recipe;
}

static bool build(const char *family, const char *folder, sb_error *error) {
    sb_manifest made;
    const sb_build b = {.recipe = recipe_of(family), .folder = folder, .jobs = 1, .overwrite = true};
    const bool ok = sb_build_run(&b, &made, error);
    sb_manifest_free(&made);
    return ok;
}

/* Whether the folder holds a manifest; no unfinished file may be left in any case. */
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

/* Lets the first, second, third ... call of a kind fail until a build gets through, and looks at what each leaves. */
static void assert_survives(fault which, sb_code code, const char *family) {
    char folder[1024], hash[SB_SHA256_HEX], again[SB_SHA256_HEX];
    sb_error error;
    long n = 1;
    snprintf(folder, sizeof folder, "%s", scratch_folder("faults"));
    assert_ok(build(family, folder, &error), error);
    content_of(folder, hash);
    for (;; n++) {
        scratch_folder("faults");
        arm(which, n);
        const bool built = build(family, folder, &error);
        const long made = calls[which];
        disarm();
        assert_int_equal(has_manifest(folder), built);
        if (built && made < n) break;
        if (!built) assert_int_equal(error.code, code);
    }
    assert_true(n > 2);
    content_of(folder, again);
    assert_string_equal(hash, again);
}

static void test_out_of_memory_at_any_call_is_an_error_and_leaves_no_dataset(void **state) {
    (void)state;
    assert_survives(MEMORY, SB_MEMORY, "agentick");
    assert_survives(MEMORY, SB_MEMORY, "toy");
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

static void test_full_disk_error_says_what_and_where(void **state) {
    (void)state;
    char folder[1024];
    sb_error error;
    snprintf(folder, sizeof folder, "%s", scratch_folder("full"));
    arm(WRITE, -1);
    const bool built = build("agentick", folder, &error);
    disarm();
    assert_error(built, &error, SB_IO, "No space left on device");
    assert_non_null(strstr(error.text, folder));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generate_step_observe_and_copy_allocate_nothing),
        cmocka_unit_test(test_batches_allocate_nothing_once_made),
        cmocka_unit_test(test_experts_allocate_nothing_once_begun),
        cmocka_unit_test(test_out_of_memory_at_any_call_is_an_error_and_leaves_no_dataset),
        cmocka_unit_test(test_full_disk_at_any_write_leaves_no_dataset),
        cmocka_unit_test(test_failing_flush_or_rename_leaves_no_dataset),
        cmocka_unit_test(test_full_disk_error_says_what_and_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
