/* Tasks that a user brings, in datasets: programs in a catalogue are built, rendered, resumed, merged and verified like
 * built-in tasks, and a dataset has their texts. */
#include <stdio.h>
#include <string.h>

#include "datasets/build.h"
#include "datasets/verify.h"
#include "engine/lookup.h"
#include "seedbed/tape.h"
#include "seeds/official.h"
#include "tests/catalogue_support.h"

static const char recipe_text[] = "{\"family\": \"climb\", \"tasks\": \"%s\", \"seeds\": \"0..11\", \"evaluation\": "
                                  "\"keep\", \"oracle\": \"expert:3,random:1\", "
                                  "\"epsilon\": 0.1, \"labels\": \"expert\", \"intents\": true, \"formats\": [%s], "
                                  "\"shard_episodes\": 16}";

static sb_recipe recipe_with(const sb_catalogue *catalogue, const char *tasks, const char *formats) {
    char text[512];
    sb_recipe recipe;
    sb_error error;
    const int n = snprintf(text, sizeof text, recipe_text, tasks, formats);
    assert_ok(sb_recipe_parse(catalogue, text, (size_t)n, &recipe, &error), error);
    assert_ptr_equal(recipe.selection.catalogue, catalogue);
    return recipe;
}

static sb_recipe recipe_of(const sb_catalogue *catalogue, const char *tasks) {
    return recipe_with(catalogue, tasks, "\"steps\", \"npz\"");
}

static void build(const sb_recipe *recipe, const char *folder, sb_part part, bool resume) {
    sb_manifest made;
    sb_error error;
    const sb_build what = {.recipe = recipe, .folder = folder, .jobs = 2, .part = part, .resume = resume};
    assert_ok(sb_build_run(&what, &made, &error), error);
    assert_non_null(sb_program_at(made.recipe.selection.catalogue, 0)); /* for code that describes the dataset */
    sb_manifest_free(&made);
}

static void content_of(const sb_catalogue *catalogue, const char *folder, char hash[SB_SHA256_HEX]) {
    const sb_dataset_check check = {.catalogue = catalogue, .folder = folder, .jobs = 2, .again = true};
    sb_manifest manifest;
    sb_error error;
    assert_ok(sb_dataset_verify(&check, &manifest, &error), error);
    strcpy(hash, manifest.content_sha256);
    sb_manifest_free(&manifest);
}

static void render(const char *folder) {
    sb_manifest made;
    sb_error error;
    const sb_render render = {.folder = folder, .formats = "trajectories", .jobs = 1};
    assert_ok(sb_render_run(&render, &made, &error), error);
    sb_manifest_free(&made);
}

/* The dataset has the programs, so it can be verified without them, or with the same programs added in any order. */
static void a_dataset_of_programs_is_built_verified_and_rendered(void **state) {
    (void)state;
    char hash[SB_SHA256_HEX], again[SB_SHA256_HEX], folder[256];
    const sb_task_info *task[N_PROGRAMS];
    sb_catalogue *backwards = fill(true, task);
    snprintf(folder, sizeof folder, "%s", scratch_folder("catalogue"));
    sb_recipe recipe = recipe_of(f.catalogue, f.both);
    build(&recipe, folder, (sb_part){0}, false);
    content_of(f.catalogue, folder, hash);
    content_of(backwards, folder, again);
    assert_string_equal(hash, again);
    content_of(NULL, folder, again);
    assert_string_equal(hash, again);
    build(&recipe, folder, (sb_part){0}, true); /* the dataset exists, so its manifest is read */
    render(folder);
    content_of(NULL, folder, again);
    assert_string_not_equal(hash, again);
    sb_recipe_free(&recipe);
    sb_catalogue_free(backwards);
}

/* The journal of a killed rendering looks like that of a killed build. */
static void an_interrupted_rendering_of_programs_is_resumed(void **state) {
    (void)state;
    char folder[256], part[256], text[2][300];
    sb_recipe recipe = recipe_of(f.catalogue, f.both);
    sb_recipe more = recipe_with(f.catalogue, f.both, "\"steps\", \"npz\", \"trajectories\"");
    char hash[SB_SHA256_HEX];
    sb_manifest made;
    sb_error error;
    snprintf(folder, sizeof folder, "%s", scratch_folder("catalogue-rendering"));
    snprintf(part, sizeof part, "%s", scratch_folder("catalogue-rendering-part"));
    build(&recipe, folder, (sb_part){0}, false);
    build(&more, part, (sb_part){1, 1}, false);
    snprintf(text[0], sizeof text[0], "%s/" SB_JOURNAL_NAME, part);
    snprintf(text[1], sizeof text[1], "%s/" SB_RENDERING_NAME, folder);
    assert_int_equal(rename(text[0], text[1]), 0);
    const sb_render render = {.folder = folder, .resume = true, .jobs = 1};
    assert_ok(sb_render_run(&render, &made, &error), error);
    sb_manifest_free(&made);
    content_of(NULL, folder, hash);
    sb_recipe_free(&recipe), sb_recipe_free(&more);
}

static void a_recipe_of_programs_needs_their_catalogue(void **state) {
    (void)state;
    sb_recipe recipe = recipe_of(NULL, f.first);
    sb_manifest made;
    sb_dataset_estimate estimate;
    sb_error error;
    const sb_build what = {.recipe = &recipe, .folder = scratch_folder("catalogue-none"), .jobs = 1};
    assert_error(sb_build_run(&what, &made, &error), &error, SB_UNKNOWN, "unknown task");
    assert_error(sb_build_estimate(&recipe, 1, NULL, NULL, NULL, &estimate, &error), &error, SB_UNKNOWN,
                 "unknown task");
    sb_manifest_free(&made);
    sb_recipe_free(&recipe);
    recipe = recipe_of(f.catalogue, f.first);
    assert_ok(sb_build_estimate(&recipe, 1, NULL, NULL, NULL, &estimate, &error), error);
    assert_int_equal(estimate.selected, 12);
    sb_recipe_free(&recipe);
}

/* A recipe with the texts of its programs stands alone, and prints as one that was given a catalogue of them. */
static void a_recipe_holds_the_programs_of_its_catalogue(void **state) {
    (void)state;
    sb_out text = sb_out_growing(), again = sb_out_growing();
    sb_recipe recipe = recipe_of(f.catalogue, f.both), own;
    sb_error error;
    sb_recipe_print(&recipe, &text);
    assert_ok(sb_recipe_parse(NULL, text.data, text.size, &own, &error), error);
    sb_recipe_print(&own, &again);
    assert_int_equal(text.size, again.size);
    assert_memory_equal(text.data, again.data, text.size);
    sb_recipe_free(&own);
    strstr(text.data, "levels 2")[7] = '3'; /* the hash is still that of the old text */
    assert_error(sb_recipe_parse(NULL, text.data, text.size, &own, &error), &error, SB_MISMATCH,
                 "programs[0]: the text was altered");
    sb_recipe_free(&own);
    sb_recipe_free(&recipe);
    sb_out_free(&text), sb_out_free(&again);
}

/* The name of a program has a part of its hash only. */
static void tapes_tell_the_whole_hash_of_their_program(void **state) {
    (void)state;
    char name[SB_NAME_MAX], line[4096], *hash;
    sb_error error;
    snprintf(name, sizeof name, "%s#1", f.first);
    sb_env *env = sb_make(f.catalogue, name, &error);
    assert_ok(env && sb_record(env, true, &error), error);
    sb_tape *tape = sb_tape_of(env, "bot", &error);
    const size_t n = sb_tape_print(tape, line, sizeof line);
    assert_true(n < sizeof line);
    sb_tape_free(tape);
    assert_non_null(hash = strstr(line, "\"program\": \""));
    hash += strlen("\"program\": \"");
    assert_memory_equal(hash, f.first + strlen("climb:file-"), 16);
    hash[63] = hash[63] == '0' ? '1' : '0';
    assert_error(sb_tape_load(f.catalogue, line, n, &error) != NULL, &error, SB_MISMATCH, "SHA-256");
    sb_free(env);
}

static void parts_of_a_dataset_of_programs_are_merged(void **state) {
    (void)state;
    char whole[256], parts[2][256], joined[256], hash[SB_SHA256_HEX], again[SB_SHA256_HEX];
    const char *const folders[] = {parts[0], parts[1]};
    sb_recipe recipe = recipe_of(f.catalogue, f.both);
    sb_manifest made;
    sb_error error;
    snprintf(whole, sizeof whole, "%s", scratch_folder("catalogue-whole"));
    snprintf(joined, sizeof joined, "%s", scratch_folder("catalogue-joined"));
    build(&recipe, whole, (sb_part){0}, false);
    for (size_t i = 0; i < 2; i++) {
        snprintf(parts[i], sizeof parts[i], "%s", scratch_folder(i ? "catalogue-part2" : "catalogue-part1"));
        build(&recipe, parts[i], (sb_part){i + 1, 2}, false);
        build(&recipe, parts[i], (sb_part){i + 1, 2}, true); /* its journal is read */
    }
    const sb_merge merge = {.parts = folders, .n_parts = 2, .folder = joined, .jobs = 1};
    assert_ok(sb_merge_run(&merge, &made, &error), error);
    sb_manifest_free(&made);
    content_of(f.catalogue, whole, hash), content_of(f.catalogue, joined, again);
    assert_string_equal(hash, again);
    sb_recipe_free(&recipe);
}

static void recorded_tapes_of_programs_become_a_dataset(void **state) {
    (void)state;
    char folder[256], path[300], agent[320], hash[SB_SHA256_HEX];
    const sb_request request = brought(f.both, "0..8");
    sb_recipe recipe = sb_recipe_default();
    sb_dataset_estimate estimate;
    sb_error error;
    snprintf(folder, sizeof folder, "%s", scratch_folder("catalogue-recorded"));
    snprintf(path, sizeof path, "%s/tapes.jsonl", scratch_folder("catalogue-tapes"));
    write_tapes(&request, path);
    snprintf(agent, sizeof agent, "tapes:%s", path);
    recipe.casting.agent = agent, recipe.casting.labels = "expert", recipe.keep_evaluation = true;
    assert_error(sb_build_estimate(&recipe, 1, NULL, NULL, NULL, &estimate, &error), &error, SB_UNKNOWN,
                 "unknown task");
    recipe.selection.catalogue = f.catalogue;
    assert_ok(sb_build_estimate(&recipe, 1, NULL, NULL, NULL, &estimate, &error), error);
    build(&recipe, folder, (sb_part){0}, false);
    content_of(NULL, folder, hash);
}

static uint64_t evaluation_found(const char *name) {
    sb_recipe recipe = sb_recipe_default();
    sb_dataset_estimate estimate;
    sb_error error;
    recipe.selection = (sb_request){.catalogue = f.catalogue, .names = &name, .n_names = 1};
    recipe.keep_evaluation = true;
    assert_ok(sb_build_estimate(&recipe, 1, NULL, NULL, NULL, &estimate, &error), error);
    assert_int_equal(estimate.selected, 1);
    return estimate.evaluation;
}

/* Programs have an evaluation list like every task. Kept episodes have none, because making twenty-five of them to
 * compare with would take too long. */
static void the_census_uses_evaluation_lists_of_programs_but_not_of_kept_episodes(void **state) {
    (void)state;
    char name[SB_NAME_MAX];
    uint64_t seed;
    sb_derive_seeds(f.last + strlen("climb:"), "", "eval", &seed, 1);
    snprintf(name, sizeof name, "%s#%llu", f.last, (unsigned long long)seed);
    assert_int_equal(evaluation_found(name), 1);
    snprintf(name, sizeof name, "%s#%llu", f.last, (unsigned long long)seed + 1);
    assert_int_equal(evaluation_found(name), 0);
    sb_derive_seeds("Climb-v1", "kept", "eval", &seed, 1);
    snprintf(name, sizeof name, "climb:Climb-v1/kept#%llu", (unsigned long long)seed);
    assert_int_equal(evaluation_found(name), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dataset_of_programs_is_built_verified_and_rendered),
        cmocka_unit_test(an_interrupted_rendering_of_programs_is_resumed),
        cmocka_unit_test(a_recipe_of_programs_needs_their_catalogue),
        cmocka_unit_test(a_recipe_holds_the_programs_of_its_catalogue),
        cmocka_unit_test(tapes_tell_the_whole_hash_of_their_program),
        cmocka_unit_test(parts_of_a_dataset_of_programs_are_merged),
        cmocka_unit_test(recorded_tapes_of_programs_become_a_dataset),
        cmocka_unit_test(the_census_uses_evaluation_lists_of_programs_but_not_of_kept_episodes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
