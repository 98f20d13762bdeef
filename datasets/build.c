#include "datasets/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "datasets/audit.h"
#include "datasets/budget.h"
#include "datasets/census.h"
#include "datasets/choosing.h"
#include "datasets/consent.h"
#include "datasets/finish.h"
#include "datasets/folder.h"
#include "datasets/legible.h"
#include "datasets/pipeline.h"

typedef struct run {
    const sb_build *build;
    sb_part part;
    const sb_schedule *schedule;
    const sb_destination *destination;
    const char *tapes; /* the file of recorded tapes; NULL: agents play */
    sb_shard *shards;
    sb_out head;  /* the journal's first line */
    bool journal; /* the journal's file exists */
} run;

/* ---- The journal ---- */

static bool save_journal(run *r, sb_error *error) {
    r->journal = true;
    return sb_journal_save(r->destination, SB_JOURNAL_NAME, r->head.data, r->schedule, r->shards, error);
}

/* Takes a finished shard. Writes the journal with the first one, because before that there is nothing to resume. */
static bool finished(void *context, size_t shard, sb_error *error) {
    run *r = context;
    return r->journal ? sb_journal_append(r->destination, SB_JOURNAL_NAME, r->schedule, &r->shards[shard], shard, error)
                      : save_journal(r, error);
}

static bool is_intact(const run *r, size_t index, const sb_shard *shard, sb_error *error) {
    const char *folder = r->build->folder;
    const sb_shard_file *tapes = &shard->tapes;
    return sb_audit_files(r->schedule, folder, index, shard, 0, error) &&
           sb_file_check(sb_path_in(folder, tapes->name).text, tapes->bytes, tapes->sha256, error);
}

/* Takes over the finished shards whose files have not changed. */
static bool take_over(run *r, sb_journal *journal, sb_error *error) {
    if (strcmp(journal->head, r->head.data) != 0)
        return sb_fail(error, SB_INVALID,
                       "%s was begun with another recipe, part or version; use --force to start again",
                       r->build->folder);
    sb_shard *mine = r->shards;
    r->shards = journal->shards;
    journal->shards = mine; /* the journal has as many shards: the heads are equal */
    for (size_t i = 0; i < r->schedule->n_shards; i++) {
        sb_error damage;
        sb_shard *shard = &r->shards[i];
        if (shard->done && !is_intact(r, i, shard, &damage)) shard->done = false;
    }
    return true;
}

static bool load_journal(run *r, sb_error *error) {
    sb_journal journal;
    if (!sb_file_exists(sb_path_in(r->build->folder, SB_JOURNAL_NAME).text)) return true;
    const bool ok = sb_journal_load(r->build->recipe->selection.catalogue, r->build->folder, SB_JOURNAL_NAME, &journal,
                                    error) &&
                    take_over(r, &journal, error);
    sb_journal_free(&journal);
    return ok;
}

/* ---- Building ---- */

static bool make_shards(run *r, sb_error *error) {
    const sb_schedule *schedule = r->schedule;
    size_t *todo = calloc(schedule->n_shards, sizeof *todo), n = 0;
    if (!todo) return sb_fail(error, SB_MEMORY, "out of memory for %zu shards", schedule->n_shards);
    for (size_t i = 0; i < schedule->n_shards; i++)
        if (!r->shards[i].done && i % r->part.of == r->part.number - 1) todo[n++] = i;
    const sb_pipeline pipeline = {
        .order = {.schedule = schedule, .reads = schedule->cast.recorded != NULL, .counts_texts = true},
        .destination = r->destination,
        .jobs = r->build->jobs,
        .tapes = r->tapes,
        .shards = r->shards,
        .todo = todo,
        .n_todo = n,
        .finished = finished,
        .progress = r->build->progress,
        .stop = r->build->stop,
        .context = r,
        .progress_context = r->build->context};
    const bool ok = sb_pipeline_run(&pipeline, error);
    free(todo);
    return ok;
}

static bool count_done(const run *r) {
    for (size_t i = 0; i < r->schedule->n_shards; i++)
        if (r->shards[i].done) return true;
    return false;
}

/* Builds in a folder that holds only finished shards and their journal. */
static bool build_in_folder(run *r, sb_error *error) {
    if (r->build->resume && !load_journal(r, error)) return false;
    if (!sb_folder_clear(r->destination, r->shards, r->schedule->n_shards, r->schedule->n_exports, error)) return false;
    return (!count_done(r) || save_journal(r, error)) && make_shards(r, error);
}

static bool remove_journals(const sb_destination *destination, sb_error *error) {
    return sb_destination_remove(destination, SB_JOURNAL_NAME, error) &&
           sb_destination_remove(destination, SB_PLAYED_NAME, error) &&
           sb_destination_remove(destination, SB_PLAYING_NAME, error);
}

/* Writes the manifest and removes the journal; a part keeps its journal and has no manifest. */
static bool finish(run *r, sb_manifest *made, sb_error *error) {
    if (r->build->part.of) return r->journal || save_journal(r, error);
    return sb_manifest_finish(made, r->schedule, r->shards, r->destination, r->build->jobs, error) &&
           remove_journals(r->destination, error);
}

static bool run_plan(run *r, sb_manifest *made, sb_error *error) {
    const size_t n = r->schedule->n_shards;
    r->head = sb_out_growing();
    sb_journal_head(r->schedule, r->build->recipe, r->part, &r->head);
    sb_putc(&r->head, '\0');
    r->shards = calloc(n, sizeof *r->shards);
    const bool ok = (sb_out_ok(&r->head) && r->shards) || sb_fail(error, SB_MEMORY, "out of memory for %zu shards", n);
    const bool built = ok && build_in_folder(r, error) && finish(r, made, error);
    sb_shards_free(r->shards, n);
    sb_out_free(&r->head);
    return built;
}

/* Fails if the dataset was made of other tapes than those that the recipe names. */
static bool is_of_tapes(const sb_build *build, const sb_manifest *there, sb_error *error) {
    sb_schedule schedule;
    if (build->program) return true; /* the program's tapes are gone, and nobody has others */
    const bool ok = sb_schedule_make(build->recipe, NULL, 0, &schedule, error) &&
                    (strcmp(schedule.recorded_sha256, there->recorded_sha256) == 0 ||
                     sb_fail(error, SB_INVALID, "%s holds a dataset of other tapes; use --force to replace it",
                             build->folder));
    sb_schedule_free(&schedule);
    return ok;
}

/* Whether the folder already holds a dataset of the same recipe, which is then the result. */
static bool is_there(const sb_build *build, sb_manifest *made, bool *there, sb_error *error) {
    *there = build->resume && sb_file_exists(sb_path_in(build->folder, SB_MANIFEST_NAME).text);
    if (!*there) return true;
    if (!sb_folder_check_rendering(build->folder, error)) return false;
    sb_manifest_free(made);
    bool ok = sb_manifest_load(build->recipe->selection.catalogue, build->folder, made, error) &&
              sb_journal_check_extension(build->folder, &made->recipe, error);
    if (ok) {
        sb_recipe mine = *build->recipe;
        if (!mine.filter.unreadable) mine.filter.unreadable = made->recipe.filter.unreadable; /* by its tapes */
        ok = sb_recipe_same(&mine, &made->recipe) ||
             sb_fail(error, SB_INVALID, "%s holds a dataset of another recipe; use --force to replace it",
                     build->folder);
    }
    return ok && (!sb_casting_is_recorded(&build->recipe->casting) || is_of_tapes(build, made, error));
}

/* Copies the recipe; texts, lists and programs still belong to the caller. */
static sb_recipe borrow(const sb_recipe *recipe) {
    sb_recipe mine = *recipe;
    mine.document = NULL, mine.programs = NULL;
    return mine;
}

/* Fails if the tapes that are read are in the folder whose files will be removed. */
static bool check_source(const char *tapes, const char *folder, sb_error *error) {
    return !tapes || !sb_folder_holds(folder, tapes) ||
           sb_fail(error, SB_INVALID, "the tapes, %s, are in the folder to be written, %s; choose another folder",
                   sb_path_end(tapes), sb_path_end(folder));
}

static sb_folder_use use_of(const sb_build *build) {
    return build->overwrite ? SB_FOLDER_REPLACED : build->resume ? SB_FOLDER_RESUMED : SB_FOLDER_NEW;
}

static void tell_lost(const sb_build *build, const sb_schedule *schedule) {
    char text[160];
    if (*schedule->left_out && build->note) build->note(build->context, schedule->left_out);
    if (!schedule->n_lost || !build->note) return;
    snprintf(text, sizeof text, "%llu episodes of the result were lost when it was played, and are left out",
             (unsigned long long)schedule->n_lost);
    build->note(build->context, text);
}

static void tell_left(const sb_build *build, const sb_schedule *schedule) {
    const sb_left left = sb_left_of(schedule, (sb_range){0, schedule->selection.n});
    if (build->left) build->left(build->context, &left);
}

/* Builds from the tapes that a program has just played (`played`), or from those that the recipe names, or lets agents
 * play. */
static bool build_plan(const sb_build *build, const sb_destination *destination, const char *played, sb_manifest *made,
                       sb_error *error) {
    sb_schedule schedule;
    const sb_part all = {1, 1};
    run r = {
        .build = build, .destination = destination, .schedule = &schedule, .part = build->part.of ? build->part : all};
    bool ok = sb_schedule_make(build->recipe, &played, played ? 1 : 0, &schedule, error);
    r.tapes = played ? played : schedule.cast.recorded;
    ok = ok && (played || (check_source(r.tapes, build->folder, error) &&
                           sb_folder_prepare(destination, &schedule, use_of(build), error)));
    schedule.stop = build->stop;
    if (ok) tell_lost(build, &schedule);
    if (ok) sb_note_small_pictures(&schedule, build->note, build->context);
    if (ok) sb_note_other_prompts(&schedule, schedule.about, build->note, build->context);
    ok = ok && sb_census_take(&schedule, build->jobs, error);
    if (ok && !played) tell_left(build, &schedule);
    ok = ok && sb_row_choice_make(&schedule, (sb_tapes_from){.one = r.tapes}, build->jobs, error) &&
         run_plan(&r, made, error);
    sb_schedule_free(&schedule);
    return ok;
}

/* Lets the program play; its tapes are then in the folder. */
static bool play(const sb_build *build, const sb_destination *destination, sb_error *error) {
    sb_schedule schedule;
    const sb_playing playing = {.schedule = &schedule,
                                .destination = destination,
                                .program = build->program,
                                .attempts = build->attempts,
                                .jobs = build->jobs,
                                .resume = build->resume,
                                .started = build->started,
                                .progress = build->progress,
                                .stop = build->stop,
                                .note = build->note,
                                .context = build->context};
    bool ok = sb_schedule_make(build->recipe, NULL, 0, &schedule, error) &&
              sb_folder_prepare(destination, &schedule, use_of(build), error) &&
              sb_census_take(&schedule, build->jobs, error);
    if (ok) tell_left(build, &schedule);
    ok = ok && sb_playing_run(&playing, error);
    sb_schedule_free(&schedule);
    return ok;
}

static bool build_in(const sb_build *build, const sb_destination *destination, const char *played, sb_manifest *made,
                     sb_error *error) {
    sb_recipe settled = borrow(build->recipe);
    sb_build rest = *build;
    sb_recipe_settle_unreadable(&settled, &played, played ? 1 : 0);
    rest.recipe = &settled;
    made->recipe = borrow(&settled);
    const bool ok = build_plan(&rest, destination, played, made, error);
    made->recipe.selection.names = NULL; /* otherwise sb_manifest_free would free them */
    made->recipe.selection.n_names = 0;
    return ok;
}

/* The recipe of a dataset whose tapes a program has played: the tapes name their episodes, and the dataset is a
 * function of them. */
static sb_recipe recorded_recipe(const sb_recipe *recipe) {
    sb_recipe recorded = borrow(recipe);
    recorded.selection = (sb_request){.catalogue = recipe->selection.catalogue};
    recorded.casting.agent = SB_RECORDED, recorded.casting.agents = NULL, recorded.casting.may_start = false;
    return recorded;
}

static bool build_from_program(const sb_build *build, sb_destination *destination, sb_manifest *made, sb_error *error) {
    const sb_recipe recorded = recorded_recipe(build->recipe);
    const sb_path tapes = sb_path_in(build->folder, SB_PLAYED_NAME);
    sb_build rest = *build;
    rest.recipe = &recorded;
    bool there;
    if (!is_there(&rest, made, &there, error)) return false;
    if (there) return remove_journals(destination, error);
    if (build->part.of)
        return sb_fail(error, SB_INVALID,
                       "a program plays a whole dataset: let `seedbed eval` play in parts, and build from its result");
    destination->keeps_tapes = true;
    return play(build, destination, error) && build_in(&rest, destination, tapes.text, made, error);
}

/* Takes the recipe's cuts from the journal of an interrupted build, which need not be found out again. */
static bool recall_cuts(const sb_build *build, sb_recipe *recipe, sb_error *error) {
    sb_journal journal;
    if (!build->resume || !sb_recipe_has_budget(recipe) ||
        !sb_file_exists(sb_path_in(build->folder, SB_JOURNAL_NAME).text))
        return true;
    const bool ok = sb_journal_load(recipe->selection.catalogue, build->folder, SB_JOURNAL_NAME, &journal, error);
    if (ok && sb_recipe_same(recipe, &journal.recipe)) memcpy(recipe->cuts, journal.recipe.cuts, sizeof recipe->cuts);
    sb_journal_free(&journal);
    return ok;
}

static bool build_settled(const sb_build *build, sb_destination *destination, sb_manifest *made, sb_error *error) {
    sb_recipe settled = borrow(build->recipe);
    sb_build rest = *build;
    rest.recipe = &settled;
    return recall_cuts(build, &settled, error) && sb_budget_settle(&settled, build->jobs, build->stop, error) &&
           build_in(&rest, destination, NULL, made, error);
}

static bool build_locked(const sb_build *build, sb_destination *destination, sb_manifest *made, sb_error *error) {
    bool there;
    if (build->program) return build_from_program(build, destination, made, error);
    if (build->started) build->started(build->context);
    if (!is_there(build, made, &there, error)) return false;
    if (there) return remove_journals(destination, error); /* the earlier build was killed just before its end */
    return build_settled(build, destination, made, error);
}

/* Returns the version of the defaults of what the folder holds, a dataset or a build that was interrupted; 0: neither.
 */
static uint64_t defaults_there(const sb_build *build) {
    const sb_catalogue *catalogue = build->recipe->selection.catalogue;
    sb_manifest there = {0};
    sb_journal journal = {0};
    sb_error ignored; /* whatever is wrong in the folder is found again */
    uint64_t defaults = 0;
    if (sb_file_exists(sb_path_in(build->folder, SB_MANIFEST_NAME).text) &&
        sb_manifest_load(catalogue, build->folder, &there, &ignored))
        defaults = there.recipe.defaults;
    else if (sb_file_exists(sb_path_in(build->folder, SB_JOURNAL_NAME).text) &&
             sb_journal_load(catalogue, build->folder, SB_JOURNAL_NAME, &journal, &ignored))
        defaults = journal.recipe.defaults;
    sb_manifest_free(&there), sb_journal_free(&journal);
    return defaults;
}

/* Settles what the recipe leaves unsaid. What an earlier version of the program began is resumed as it was begun. */
static bool build_said(const sb_build *build, sb_destination *destination, sb_manifest *made, sb_error *error) {
    sb_recipe said = borrow(build->recipe);
    sb_build rest = *build;
    rest.recipe = &said;
    const uint64_t there = build->resume && !said.defaults ? defaults_there(build) : 0;
    if (there > 1 || (there && !said.filter.failures)) said.defaults = there;
    sb_out consent = sb_out_growing();
    bool ok = said.consent || sb_consent_find(&said.casting, &consent, error);
    if (consent.size) said.consent = consent.data;
    ok = ok && sb_recipe_settle(&said, error) && sb_recipe_open_tokenizer(&said, error) &&
         build_locked(&rest, destination, made, error);
    sb_tokenizer_close(said.tokenizer);
    made->recipe.tokenizer = NULL, made->recipe.consent = NULL;
    sb_out_free(&consent);
    return ok;
}

bool sb_build_run(const sb_build *build, sb_manifest *made, sb_error *error) {
    sb_destination destination;
    *made = (sb_manifest){0};
    if (build->part.of && (build->part.number == 0 || build->part.number > build->part.of))
        return sb_fail(error, SB_INVALID, "there is no part %zu of %zu: parts are counted from 1", build->part.number,
                       build->part.of);
    if (!sb_destination_open(&destination, build->folder, build->note, build->context, error)) return false;
    const bool ok = build_said(build, &destination, made, error);
    sb_destination_close(&destination);
    return ok;
}
