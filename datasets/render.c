/* More formats from the tapes of a dataset (datasets/build.h). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "datasets/build.h"
#include "datasets/census.h"
#include "datasets/folder.h"
#include "datasets/pipeline.h"

/* ---- The recipe that asks for them ---- */

/* An object, or a list of what a recipe's `formats` may hold. */
static bool add_document(cJSON *list, const char *text, sb_error *error) {
    cJSON *document = sb_json_parse(text, strlen(text), error);
    if (!document) return sb_fail_at(error, "format");
    if (!cJSON_IsArray(document)) return cJSON_AddItemToArray(list, document);
    while (document->child) cJSON_AddItemToArray(list, cJSON_DetachItemViaPointer(document, document->child));
    cJSON_Delete(document);
    return true;
}

static bool add_formats(cJSON *list, const char *text, sb_error *error) {
    return *text == '{' || *text == '[' ? add_document(list, text, error) : sb_formats_add(list, text, error);
}

/* The recipe's formats and then the others, as a build that had asked for all of them would have had it. */
static bool extend(sb_recipe *recipe, const char *formats, sb_error *error) {
    cJSON *document = recipe->document;
    cJSON *list = recipe->formats ? cJSON_Duplicate(recipe->formats, true) : cJSON_CreateArray();
    if (!list) return sb_fail(error, SB_MEMORY, "out of memory for formats");
    const bool ok = (recipe->formats || sb_formats_add(list, recipe->format, error)) &&
                    add_formats(list, formats, error);
    if (!ok) return cJSON_Delete(list), false;
    cJSON_DeleteItemFromObjectCaseSensitive(document, "format");
    cJSON_DeleteItemFromObjectCaseSensitive(document, "formats");
    if (!cJSON_AddItemToObject(document, "formats", list))
        return cJSON_Delete(list), sb_fail(error, SB_MEMORY, "out of memory for formats");
    free((void *)(uintptr_t)recipe->selection.names);
    return sb_recipe_read(document, recipe, error);
}

/* ---- Rendering ---- */

typedef struct rendering {
    const sb_render *what;
    sb_manifest old; /* as it was loaded; its recipe is that of the new one */
    sb_plan plan;
    sb_shard *shards;
    sb_path *paths; /* of the tapes */
    const char **tapes;
    size_t *todo;
} rendering;

static bool nothing(void *context, size_t shard, sb_error *error) {
    (void)context, (void)shard, (void)error;
    return true;
}

static bool load(rendering *r, sb_error *error) {
    if (!sb_manifest_load(r->what->folder, &r->old, error)) return false;
    const size_t n = r->old.n_shards;
    r->shards = calloc(n + 1, sizeof *r->shards);
    r->paths = calloc(n + 1, sizeof *r->paths);
    r->tapes = calloc(n + 1, sizeof *r->tapes);
    r->todo = calloc(n + 1, sizeof *r->todo);
    if (!r->shards || !r->paths || !r->tapes || !r->todo)
        return sb_fail(error, SB_MEMORY, "out of memory for %zu shards", n);
    for (size_t i = 0; i < n; i++) {
        r->paths[i] = sb_path_in(r->what->folder, r->old.tapes[i].name);
        r->tapes[i] = r->paths[i].text;
        r->todo[i] = i;
        r->shards[i].tapes = r->old.tapes[i];
        for (size_t k = 0; k < r->old.n_formats; k++) r->shards[i].files[k] = *sb_manifest_file(&r->old, k, i);
        if (!sb_file_check(r->tapes[i], r->old.tapes[i].bytes, r->old.tapes[i].sha256, error)) return false;
    }
    return true;
}

static bool had_intents(rendering *r, bool *had, sb_error *error) {
    sb_plan before;
    const bool ok = sb_plan_make(&r->old.recipe, r->tapes, r->old.n_shards, &before, error);
    *had = ok && before.cast.intents;
    sb_plan_free(&before);
    return ok;
}

static bool make_plan(rendering *r, sb_error *error) {
    char rules[SB_RULES_NAME];
    bool had;
    if (!had_intents(r, &had, error) || !extend(&r->old.recipe, r->what->formats, error) ||
        !sb_plan_make(&r->old.recipe, r->tapes, r->old.n_shards, &r->plan, error))
        return false;
    sb_rules_name(r->plan.family, rules);
    if (strcmp(rules, r->old.rules) != 0)
        return sb_fail(error, SB_VERSION_OTHER, "the dataset was made under the rules `%s`; these are `%s`",
                       r->old.rules, rules);
    if (r->plan.n_shards != r->old.n_shards)
        return sb_fail(error, SB_MISMATCH, SB_MANIFEST_NAME ": the recipe gives %zu shards, not %zu", r->plan.n_shards,
                       r->old.n_shards);
    return had || !r->plan.cast.intents ||
           sb_fail(error, SB_INVALID,
                   "the tapes do not say what the oracle was up to: build them with \"intents\": true");
}

/* The documents as they were, to be put back. */
static bool load_documents(const rendering *r, sb_out before[SB_DOCUMENTS], sb_error *error) {
    for (sb_document which = 0; which < SB_DOCUMENTS; which++) {
        before[which] = sb_out_growing();
        const sb_path path = sb_path_in(r->what->folder, sb_document_name(which));
        if (sb_file_exists(path.text) && !sb_file_load_plain(path.text, SB_DOCUMENT_BYTES, &before[which], error))
            return false;
    }
    return true;
}

static void restore_documents(const rendering *r, const sb_out before[SB_DOCUMENTS]) {
    for (sb_document which = 0; which < SB_DOCUMENTS; which++) {
        sb_error ignored;
        const sb_path path = sb_path_in(r->what->folder, sb_document_name(which));
        if (before[which].size) sb_file_save(path.text, before[which].data, before[which].size, &ignored);
    }
}

/* The new documents and manifest; if any of them cannot be written, the dataset is left as it was. */
static bool finish(rendering *r, sb_manifest *made, sb_error *error) {
    sb_out before[SB_DOCUMENTS] = {0};
    bool ok = load_documents(r, before, error);
    if (ok) {
        made->recipe = r->old.recipe;
        r->old.recipe = (sb_recipe){0};
        r->plan.recipe = &made->recipe;
        ok = sb_manifest_finish(made, &r->plan, r->shards, r->what->folder, error);
        if (!ok) restore_documents(r, before);
    }
    for (size_t which = 0; which < SB_DOCUMENTS; which++) sb_out_free(&before[which]);
    return ok;
}

/* Files of formats that an interrupted rendering left would be overwritten; those of a failed one go. */
static void remove_new(const rendering *r) {
    for (size_t k = r->old.n_formats; k < r->plan.n_exports; k++)
        for (size_t i = 0; i < r->plan.n_shards; i++)
            if (r->shards[i].files[k].name[0]) unlink(sb_path_in(r->what->folder, r->shards[i].files[k].name).text);
}

static bool render(rendering *r, sb_manifest *made, sb_error *error) {
    const sb_pipeline pipeline = {
        .order = {.plan = &r->plan, .reads = true, .reads_only = true, .first_kept = r->old.n_formats},
        .folder = r->what->folder,
        .jobs = r->what->jobs,
        .tapes_of_shards = r->tapes,
        .shards = r->shards,
        .todo = r->todo,
        .n_todo = r->old.n_shards,
        .finished = nothing,
        .progress = r->what->progress,
        .progress_context = r->what->context};
    if (sb_pipeline_run(&pipeline, error) && finish(r, made, error)) return true;
    remove_new(r);
    return false;
}

bool sb_render_run(const sb_render *what, sb_manifest *made, sb_error *error) {
    rendering r = {.what = what};
    *made = (sb_manifest){0};
    const bool ok = load(&r, error) && make_plan(&r, error) && sb_census_take(&r.plan, what->jobs, error) &&
                    render(&r, made, error);
    sb_shards_free(r.shards, r.old.n_shards);
    free(r.paths), free(r.tapes), free(r.todo);
    sb_plan_free(&r.plan);
    sb_manifest_free(&r.old);
    return ok;
}
