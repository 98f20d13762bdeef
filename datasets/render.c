/* Renders more formats from the tapes of a dataset (datasets/build.h). */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "datasets/audit.h"
#include "datasets/build.h"
#include "datasets/census.h"
#include "datasets/choosing.h"
#include "datasets/finish.h"
#include "datasets/folder.h"
#include "datasets/legible.h"
#include "datasets/pipeline.h"

/* ---- The new recipe ---- */

/* Adds an object or a list, as in a recipe's `formats`. */
static bool add_document(cJSON *list, const char *text, sb_error *error) {
    cJSON *document = sb_json_parse(text, strlen(text), error);
    if (!document) return sb_fail_at(error, "format");
    cJSON *added = cJSON_IsArray(document) ? document : cJSON_CreateArray();
    if (added != document) cJSON_AddItemToArray(added, document);
    const bool ok = sb_recipe_embed(added, error);
    while (ok && added->child) cJSON_AddItemToArray(list, cJSON_DetachItemViaPointer(added, added->child));
    cJSON_Delete(added);
    return ok;
}

static bool add_formats(cJSON *list, const char *text, sb_error *error) {
    return *text == '{' || *text == '[' ? add_document(list, text, error) : sb_formats_add(list, text, error);
}

/* Makes the recipe that a build with all formats would have had: the old formats and then the others. */
static bool extend(sb_recipe *recipe, const char *formats, const sb_catalogue *catalogue, sb_error *error) {
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
    uint64_t cuts[SB_SECTIONS_MAX]; /* other formats change nothing of which episodes there are */
    memcpy(cuts, recipe->cuts, sizeof cuts);
    sb_catalogue_free(recipe->programs);
    if (!sb_recipe_read_written(catalogue, document, recipe, error)) return false;
    memcpy(recipe->cuts, cuts, sizeof cuts);
    return true;
}

/* ---- The old dataset ---- */

typedef struct rendering {
    const sb_render *what;
    sb_destination destination;
    sb_manifest old; /* as it was loaded; its recipe becomes the new one */
    sb_schedule schedule;
    sb_shard *shards;
    sb_path *paths; /* paths of the tapes */
    const char **tapes;
    size_t *todo;
    sb_out head;  /* the journal's first line */
    bool goes_on; /* a journal of this rendering was found */
} rendering;

static bool load(rendering *r, sb_error *error) {
    if (!sb_manifest_load(r->what->catalogue, r->what->folder, &r->old, error) ||
        !sb_journal_check_extension(r->what->folder, &r->old.recipe, error))
        return false;
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
        r->shards[i].tapes = r->old.tapes[i];
        for (size_t k = 0; k < r->old.n_formats; k++) r->shards[i].files[k] = *sb_manifest_file(&r->old, k, i);
        if (!sb_file_check(r->tapes[i], r->old.tapes[i].bytes, r->old.tapes[i].sha256, error)) return false;
    }
    return true;
}

/* Checks that the files agree with the manifest, before any is removed by its name. Finds out whether the tapes have
 * intents. */
static bool check_old(const rendering *r, bool *has_intents, sb_error *error) {
    sb_schedule schedule;
    sb_strangers strangers;
    bool ok = sb_schedule_make(&r->old.recipe, r->tapes, r->old.n_shards, &schedule, error) &&
              ((schedule.n_shards == r->old.n_shards && schedule.n_exports == r->old.n_formats) ||
               sb_fail(error, SB_MISMATCH, SB_MANIFEST_NAME ": its shards or formats differ from the recipe"));
    ok = ok && sb_audit_all_names(&schedule, &r->old, error);
    ok = ok && (r->goes_on || sb_folder_check(r->what->folder, &schedule, &strangers, error));
    *has_intents = ok && schedule.cast.intents;
    sb_schedule_free(&schedule);
    return ok;
}

/* ---- What an interrupted rendering left ---- */

/* Removes files of formats that the manifest does not have, but keeps the shards that are done. */
static bool remove_new(const rendering *r, const sb_schedule *schedule, sb_error *error) {
    for (size_t k = r->old.n_formats; k < schedule->n_exports; k++)
        for (size_t i = 0; i < schedule->n_shards; i++) {
            const sb_export *export = &schedule->exports[k];
            const sb_shard_name name = sb_schedule_file(schedule, export->name, i, export->exporter->suffix);
            if (!(i < r->old.n_shards && r->shards[i].done) &&
                !sb_destination_remove(&r->destination, name.text, error))
                return false;
        }
    return true;
}

/* Removes the files of the interrupted rendering, whose formats may differ from the present ones. */
static bool throw_away(const rendering *r, const sb_journal *journal, sb_error *error) {
    sb_schedule schedule;
    const bool ok = sb_schedule_make(&journal->recipe, r->tapes, r->old.n_shards, &schedule, error) &&
                    remove_new(r, &schedule, error);
    sb_schedule_free(&schedule);
    return ok;
}

/* Takes over the finished shards whose files have not changed. */
static void take_over(rendering *r, sb_journal *journal) {
    for (size_t i = 0; i < r->schedule.n_shards; i++) {
        sb_shard *found = &journal->shards[i];
        sb_error ignored;
        if (!found->done || !sb_audit_files(&r->schedule, r->what->folder, i, found, r->old.n_formats, &ignored))
            continue;
        sb_stats_free(&r->shards[i].stats);
        r->shards[i] = *found;
        found->stats = (sb_stats){0};
    }
}

/* Chooses the new recipe: that of the journal, or the old one with the requested formats. */
static bool choose_recipe(rendering *r, sb_journal *journal, sb_error *error) {
    if (!r->goes_on) return extend(&r->old.recipe, r->what->formats, r->what->catalogue, error);
    if (r->what->formats) {
        if (!extend(&r->old.recipe, r->what->formats, r->what->catalogue, error)) return false;
        return sb_recipe_same(&r->old.recipe, &journal->recipe) ||
               sb_fail(error, SB_INVALID,
                       "%s: the interrupted rendering has other formats; leave out --format to continue it, or start "
                       "again with --force",
                       r->what->folder);
    }
    sb_recipe_free(&r->old.recipe);
    r->old.recipe = journal->recipe;
    journal->recipe = (sb_recipe){0};
    return true;
}

/* ---- Rendering ---- */

static bool make_plan(rendering *r, sb_journal *journal, sb_error *error) {
    char rules[SB_RULES_NAME];
    bool had_intents;
    if (!check_old(r, &had_intents, error) || !choose_recipe(r, journal, error) ||
        !sb_schedule_make(&r->old.recipe, r->tapes, r->old.n_shards, &r->schedule, error))
        return false;
    sb_note_small_pictures(&r->schedule, r->what->note, r->what->context);
    sb_rules_name(r->schedule.family, NULL, rules);
    if (!sb_rules_agree("the dataset was made", r->old.rules, rules, error)) return false;
    if (r->schedule.n_shards != r->old.n_shards)
        return sb_fail(error, SB_MISMATCH, SB_MANIFEST_NAME ": the recipe gives %zu shards, not %zu",
                       r->schedule.n_shards, r->old.n_shards);
    return had_intents || !r->schedule.cast.intents ||
           sb_fail(error, SB_INVALID,
                   "the tapes do not hold the oracle's intents: build the dataset with \"intents\": true");
}

static bool check_head(const rendering *r, const sb_journal *journal, sb_error *error) {
    return (journal->head && strcmp(journal->head, r->head.data) == 0 && journal->n_shards == r->schedule.n_shards) ||
           sb_fail(error, SB_VERSION_OTHER,
                   "%s: another version of the program began the rendering; start again with --force", r->what->folder);
}

/* Writes the journal before the first file, so that the files can be recognised later. */
static bool begin(rendering *r, sb_journal *journal, sb_error *error) {
    r->head = sb_out_growing();
    sb_journal_head(&r->schedule, &r->old.recipe, (sb_part){1, 1}, &r->head);
    sb_putc(&r->head, '\0');
    if (!sb_out_ok(&r->head)) return sb_fail(error, SB_MEMORY, "out of memory for the journal");
    if (r->goes_on) {
        if (!check_head(r, journal, error)) return false;
        take_over(r, journal);
    }
    return sb_journal_save(&r->destination, SB_RENDERING_NAME, r->head.data, &r->schedule, r->shards, error) &&
           remove_new(r, &r->schedule, error);
}

static bool finished(void *context, size_t shard, sb_error *error) {
    const rendering *r = context;
    return sb_journal_append(&r->destination, SB_RENDERING_NAME, &r->schedule, &r->shards[shard], shard, error);
}

static bool make_shards(rendering *r, sb_error *error) {
    size_t n = 0;
    for (size_t i = 0; i < r->schedule.n_shards; i++)
        if (!r->shards[i].done) r->todo[n++] = i;
    const sb_pipeline pipeline = {.order = {.schedule = &r->schedule,
                                            .reads = true,
                                            .reads_only = true,
                                            .first_kept = r->old.n_formats,
                                            .counts_texts = true},
                                  .destination = &r->destination,
                                  .jobs = r->what->jobs,
                                  .tapes_of_shards = r->tapes,
                                  .shards = r->shards,
                                  .todo = r->todo,
                                  .n_todo = n,
                                  .finished = finished,
                                  .progress = r->what->progress,
                                  .context = r,
                                  .progress_context = r->what->context};
    return sb_pipeline_run(&pipeline, error);
}

/* Takes the counts of texts from the old dataset. The first format stays what it was, so its texts need not be counted
 * again, for which a tokenizer may be missing. */
static void take_texts(rendering *r, sb_manifest *made) {
    made->texts = r->old.texts;
    r->old.texts = (sb_text_list){0};
    for (size_t i = 0; i < r->old.n_sections; i++) made->sections[i].has[SB_TOKENS] = r->old.sections[i].has[SB_TOKENS];
}

static bool finish(rendering *r, sb_manifest *made, sb_error *error) {
    made->recipe = r->old.recipe;
    r->old.recipe = (sb_recipe){0};
    take_texts(r, made);
    r->schedule.recipe = &made->recipe;
    return sb_manifest_finish(made, &r->schedule, r->shards, &r->destination, r->what->jobs, error) &&
           sb_destination_remove(&r->destination, SB_RENDERING_NAME, error);
}

/* Whether the old documents, and so the old dataset, are still intact. */
static bool is_untouched(const rendering *r) {
    sb_error ignored;
    for (sb_document which = 0; which < SB_DOCUMENTS; which++) {
        const sb_document_facts *facts = &r->old.documents[which];
        const sb_path path = sb_path_in(r->what->folder, sb_document_name(which));
        if (!sb_file_check(path.text, facts->bytes, facts->sha256, &ignored)) return false;
    }
    return true;
}

/* Undoes a rendering that failed: removes everything new if the old dataset is intact; otherwise leaves the files to be
 * resumed. */
static void undo(rendering *r) {
    sb_error ignored;
    if (!is_untouched(r)) return;
    for (size_t i = 0; i < r->schedule.n_shards; i++) r->shards[i].done = false;
    if (remove_new(r, &r->schedule, &ignored)) sb_destination_remove(&r->destination, SB_RENDERING_NAME, &ignored);
}

static bool render(rendering *r, sb_journal *journal, sb_manifest *made, sb_error *error) {
    if (!load(r, error)) return false;
    if (r->goes_on &&
        sb_recipe_same(&r->old.recipe, &journal->recipe)) { /* the earlier rendering was killed just before its end */
        *made = r->old;
        r->old = (sb_manifest){.n_shards = made->n_shards};
        return sb_destination_remove(&r->destination, SB_RENDERING_NAME, error);
    }
    if (journal->head && !r->goes_on && !throw_away(r, journal, error)) return false;
    if (!make_plan(r, journal, error) || !sb_census_take(&r->schedule, r->what->jobs, error) ||
        !sb_row_choice_make(&r->schedule, (sb_tapes_from){.of_shards = r->tapes}, r->what->jobs, error))
        return false;
    if (begin(r, journal, error) && make_shards(r, error) && finish(r, made, error)) return true;
    undo(r);
    return false;
}

static bool find_journal(rendering *r, sb_journal *journal, sb_error *error) {
    const char *folder = r->what->folder;
    const bool there = sb_file_exists(sb_path_in(folder, SB_RENDERING_NAME).text);
    if (there && !r->what->resume && !r->what->overwrite)
        return sb_fail(error, SB_INVALID,
                       "%s holds an interrupted rendering: use --resume to continue it or --force to start again",
                       folder);
    if (!there && !r->what->formats)
        return sb_fail(error, SB_INVALID, "%s holds nothing to resume; name the formats with --format", folder);
    r->goes_on = there && r->what->resume;
    return !there || sb_journal_load(r->what->catalogue, folder, SB_RENDERING_NAME, journal, error);
}

bool sb_render_run(const sb_render *what, sb_manifest *made, sb_error *error) {
    rendering r = {.what = what};
    sb_journal journal = {0};
    *made = (sb_manifest){0};
    if (!sb_is_folder(what->folder)) return sb_fail(error, SB_IO, "%s is no dataset: it is no folder", what->folder);
    if (!sb_destination_open(&r.destination, what->folder, what->note, what->context, error)) return false;
    const bool ok = find_journal(&r, &journal, error) && render(&r, &journal, made, error);
    sb_destination_close(&r.destination);
    sb_shards_free(r.shards, r.old.n_shards);
    free(r.paths), free(r.tapes), free(r.todo);
    sb_out_free(&r.head);
    sb_schedule_free(&r.schedule);
    sb_manifest_free(&r.old);
    sb_journal_free(&journal);
    return ok;
}
