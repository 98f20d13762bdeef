/* Adds episodes to a finished dataset (datasets/build.h). */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "datasets/audit.h"
#include "datasets/budget.h"
#include "datasets/build.h"
#include "datasets/census.h"
#include "datasets/choosing.h"
#include "datasets/finish.h"
#include "datasets/folder.h"
#include "datasets/pipeline.h"

typedef struct extending {
    const sb_extend *what;
    sb_destination destination;
    sb_manifest old;
    sb_recipe recipe; /* the dataset's recipe, with the extension */
    sb_schedule schedule;
    sb_shard *shards;
    sb_path *paths; /* paths of the tapes that are there */
    const char **tapes;
    size_t *todo;
    sb_out head; /* the journal's first line */
} extending;

/* ---- The new recipe ---- */

static void put_text(sb_out *out, const char *key, const char *text) {
    if (text) sb_member_text(out, key, text);
}

/* Writes what the extension's recipe says itself, and no defaults, which are the dataset's. */
static void put_extension(const extending *x, sb_out *out) {
    const sb_request *r = &x->what->recipe->selection;
    sb_puts(out, "{");
    put_text(out, "extends", x->what->split);
    put_text(out, "family", r->family), put_text(out, "tasks", r->tasks), put_text(out, "category", r->category);
    put_text(out, "difficulty", r->difficulty), put_text(out, "split", r->split), put_text(out, "seeds", r->seeds);
    put_text(out, "where", r->where), put_text(out, "spread", r->spread);
    sb_composition_print(&x->what->recipe->composition, out);
    if (r->count) sb_member_uint(out, "count", r->count);
    sb_puts(out, "}");
}

static bool add_extension(const extending *x, cJSON *document, sb_error *error) {
    sb_out text = sb_out_growing();
    put_extension(x, &text);
    cJSON *item = sb_out_ok(&text) ? sb_json_parse(text.data, text.size, error) : NULL;
    sb_out_free(&text);
    const cJSON *counts = x->what->recipe->selection.counts;
    if (item && counts) cJSON_AddItemToObject(item, "count", cJSON_Duplicate(counts, true));
    cJSON *list = cJSON_GetObjectItemCaseSensitive(document, "extensions");
    if (!list) list = cJSON_AddArrayToObject(document, "extensions");
    if (item && cJSON_AddItemToArray(list, item)) return true;
    cJSON_Delete(item);
    return sb_fail(error, SB_MEMORY, "out of memory for a recipe");
}

/* The split has to be there. The recipe's reader would find that, too, but would name keys that nobody wrote. */
static bool check_split(const extending *x, sb_error *error) {
    const sb_recipe *old = &x->old.recipe;
    const char *into = x->what->split, *wanted = into ? into : "train";
    if (!old->n_splits) return !into || sb_fail(error, SB_INVALID, "--into %.40s: the dataset has no splits", into);
    char text[200];
    sb_out names = sb_out_fixed(text, sizeof text);
    for (size_t i = 0; i < old->n_splits; i++) {
        if (strcmp(old->splits[i].split, wanted) == 0) return true;
        sb_putf(&names, "%s%s", i ? ", " : "", old->splits[i].split);
    }
    sb_out_finish(&names);
    if (!into) return sb_fail(error, SB_INVALID, "say with --into which split is extended; splits: %s", text);
    return sb_fail(error, SB_INVALID, "--into %.40s: there is no split of this name; splits: %s", into, text);
}

static bool make_recipe(extending *x, sb_error *error) {
    sb_recipe *old = &x->old.recipe;
    sb_out text = sb_out_growing();
    old->says_no_mask = false;
    if (x->what->recipe->selection.n_names || x->what->recipe->n_splits || x->what->recipe->n_extensions)
        return sb_fail(error, SB_INVALID,
                       "an extension is one selection of tasks and seeds: it has no names, splits "
                       "or extensions");
    if (sb_casting_is_recorded(&old->casting) || old->selection.n_names)
        return sb_fail(error, SB_INVALID,
                       "%s is of recorded tapes or of episodes by name: only a dataset of tasks and seeds can be "
                       "extended",
                       x->what->folder);
    if (!check_split(x, error)) return false;
    sb_recipe_print(old, &text);
    cJSON *document = sb_out_ok(&text) ? sb_json_parse(text.data, text.size, error) : NULL;
    sb_out_free(&text);
    if (!document) return sb_fail(error, SB_MEMORY, "out of memory for a recipe");
    if (!add_extension(x, document, error)) return cJSON_Delete(document), false;
    if (!sb_recipe_read_written(x->what->recipe->selection.catalogue, document, &x->recipe, error)) return false;
    x->recipe.knows_used = false;
    sb_recipe_find_programs(&x->recipe);
    /* Earlier sections have the same places in the longer recipe. */
    memcpy(x->recipe.cuts, old->cuts, sizeof old->cuts);
    return true;
}

/* Opens the tokenizer. Tokens of the episodes that are there are counted again, too: the documents tell them by task.
 */
static bool open_tokenizer(extending *x, sb_error *error) {
    const sb_tokenizer_facts *added = &x->what->recipe->composition.tokenizer;
    x->recipe.tokenizer_source = x->what->recipe->tokenizer_source;
    if (!x->recipe.tokenizer_source.file) x->recipe.tokenizer_source.file = added->file;
    return sb_recipe_open_tokenizer(&x->recipe, error);
}

/* ---- What is there ---- */

static bool check_file(const extending *x, const sb_shard_file *file, sb_error *error) {
    return sb_file_check(sb_path_in(x->what->folder, file->name).text, file->bytes, file->sha256, error);
}

/* Compares all files with the hashes in the manifest that the dataset had. */
static bool check_unchanged(const extending *x, size_t *n, sb_error *error) {
    *n = x->old.n_shards * (x->old.n_formats + 1);
    for (size_t i = 0; i < x->old.n_shards * x->old.n_formats; i++)
        if (!check_file(x, &x->old.files[i], error)) return false;
    for (size_t i = 0; i < x->old.n_shards; i++)
        if (!check_file(x, &x->old.tapes[i], error)) return false;
    return true;
}

static bool check_old(const extending *x, sb_error *error) {
    char rules[SB_RULES_NAME];
    size_t n;
    sb_rules_name(x->schedule.family, NULL, rules);
    if (!sb_rules_agree("the dataset was made", x->old.rules, rules, error)) return false;
    if (x->old.n_shards > x->schedule.n_shards || x->old.n_formats != x->schedule.n_exports)
        return sb_fail(error, SB_MISMATCH, SB_MANIFEST_NAME ": its shards or formats differ from the recipe");
    return sb_audit_all_names(&x->schedule, &x->old, error) && check_unchanged(x, &n, error);
}

static bool make_lists(extending *x, sb_error *error) {
    const size_t n = x->schedule.n_shards;
    x->shards = calloc(n + 1, sizeof *x->shards);
    x->paths = calloc(n + 1, sizeof *x->paths);
    x->tapes = calloc(n + 1, sizeof *x->tapes);
    x->todo = calloc(n + 1, sizeof *x->todo);
    if (!x->shards || !x->paths || !x->tapes || !x->todo)
        return sb_fail(error, SB_MEMORY, "out of memory for %zu shards", n);
    for (size_t i = 0; i < x->old.n_shards; i++) {
        x->shards[i] = sb_manifest_shard(&x->old, i);
        x->shards[i].done = false; /* the shard's statistics are still to be counted */
        x->paths[i] = sb_path_in(x->what->folder, x->old.tapes[i].name);
        x->tapes[i] = x->paths[i].text;
    }
    return true;
}

/* ---- The journal ---- */

static bool make_head(extending *x, sb_error *error) {
    x->head = sb_out_growing();
    sb_journal_head(&x->schedule, &x->recipe, (sb_part){1, 1}, &x->head);
    sb_putc(&x->head, '\0');
    return sb_out_ok(&x->head) || sb_fail(error, SB_MEMORY, "out of memory for the journal");
}

/* Takes over the finished shards whose files have not changed. */
static bool take_over(extending *x, sb_journal *journal, sb_error *error) {
    if (!journal->head || strcmp(journal->head, x->head.data) != 0)
        return sb_fail(error, SB_INVALID,
                       "%s: an extension was begun by another recipe or version; use --force to begin again",
                       x->what->folder);
    for (size_t i = 0; i < x->schedule.n_shards; i++) {
        sb_shard *found = &journal->shards[i];
        sb_error ignored;
        if (!found->done || !sb_audit_files(&x->schedule, x->what->folder, i, found, 0, &ignored) ||
            !check_file(x, &found->tapes, &ignored))
            continue;
        sb_stats_free(&x->shards[i].stats);
        x->shards[i] = *found;
        found->stats = (sb_stats){0};
    }
    return true;
}

/* Removes files that an interrupted extension left under the names that this extension's files will have. */
static bool remove_new(const extending *x, sb_error *error) {
    const sb_schedule *s = &x->schedule;
    for (size_t i = x->old.n_shards; i < s->n_shards; i++) {
        if (x->shards[i].done) continue;
        for (size_t k = 0; k < s->n_exports; k++)
            if (!sb_destination_remove(&x->destination,
                                       sb_schedule_file(s, s->exports[k].name, i, s->exports[k].exporter->suffix).text,
                                       error))
                return false;
        if (!sb_destination_remove(&x->destination, sb_schedule_file(s, SB_TAPES_KIND, i, SB_TAPES_SUFFIX).text, error))
            return false;
    }
    return true;
}

/* Removes the files of another extension that was begun. */
static bool throw_away(extending *x, const sb_journal *journal, sb_error *error) {
    extending other = {.what = x->what, .destination = x->destination};
    other.old.n_shards = x->old.n_shards;
    other.shards = calloc(journal->n_shards + 1, sizeof *other.shards);
    const bool ok = (other.shards || sb_fail(error, SB_MEMORY, "out of memory for a journal")) &&
                    sb_schedule_make(&journal->recipe, NULL, 0, &other.schedule, error) &&
                    other.schedule.n_shards <= journal->n_shards && remove_new(&other, error);
    sb_schedule_free(&other.schedule);
    free(other.shards);
    return ok;
}

static bool finished(void *context, size_t shard, sb_error *error) {
    const extending *x = context;
    return sb_journal_append(&x->destination, SB_JOURNAL_NAME, &x->schedule, &x->shards[shard], shard, error);
}

/* ---- The work ---- */

/* Makes the shards from `first` to `end` - 1 that are not done. Shards that are there are only read, to count them as
 * the documents of the larger dataset need it. */
static bool make_shards(extending *x, size_t first, size_t end, bool reads, sb_error *error) {
    size_t n = 0;
    for (size_t i = first; i < end; i++)
        if (!x->shards[i].done) x->todo[n++] = i;
    const sb_pipeline pipeline = {.order = {.schedule = &x->schedule,
                                            .reads = reads,
                                            .reads_only = reads,
                                            .first_kept = reads ? x->schedule.n_exports : 0,
                                            .counts_texts = true},
                                  .destination = &x->destination,
                                  .jobs = x->what->jobs,
                                  .tapes_of_shards = reads ? x->tapes : NULL,
                                  .shards = x->shards,
                                  .todo = x->todo,
                                  .n_todo = n,
                                  .finished = finished,
                                  .progress = x->what->progress,
                                  .stop = x->what->stop,
                                  .context = x,
                                  .progress_context = x->what->context};
    return n == 0 || sb_pipeline_run(&pipeline, error);
}

/* Says what is left of the episodes that are added, and fails if nothing is. */
static bool tell_left(extending *x, sb_error *error) {
    const sb_scheduled *added = &x->schedule.sections[x->schedule.n_sections - 1];
    const sb_left left = sb_left_of(&x->schedule, (sb_range){added->first, added->end});
    if (x->what->left) x->what->left(x->what->context, &left);
    return sb_left_check(&left, error);
}

static bool make_plan(extending *x, sb_journal *journal, sb_error *error) {
    const size_t last = x->old.n_sections ? x->old.n_sections : 1;
    if (x->what->resume && journal->head && sb_recipe_same(&journal->recipe, &x->recipe))
        x->recipe.cuts[last] = journal->recipe.cuts[last];
    return sb_budget_settle(&x->recipe, x->what->jobs, x->what->stop, error) &&
           sb_schedule_make(&x->recipe, NULL, 0, &x->schedule, error) && check_old(x, error) && make_lists(x, error) &&
           make_head(x, error) && sb_census_take(&x->schedule, x->what->jobs, error) && tell_left(x, error) &&
           sb_row_choice_make(&x->schedule, (sb_tapes_from){.of_shards = x->tapes}, x->what->jobs, error);
}

static bool begin(extending *x, sb_journal *journal, sb_error *error) {
    if (journal->head && x->what->resume && !take_over(x, journal, error)) return false;
    if (journal->head && !x->what->resume && !throw_away(x, journal, error)) return false;
    return sb_journal_save(&x->destination, SB_JOURNAL_NAME, x->head.data, &x->schedule, x->shards, error) &&
           remove_new(x, error);
}

static bool finish(extending *x, sb_manifest *made, size_t *n_unchanged, sb_error *error) {
    made->recipe = x->recipe;
    x->recipe = (sb_recipe){0};
    x->schedule.recipe = &made->recipe;
    return check_unchanged(x, n_unchanged, error) &&
           sb_manifest_finish(made, &x->schedule, x->shards, &x->destination, x->what->jobs, error) &&
           sb_destination_remove(&x->destination, SB_JOURNAL_NAME, error);
}

static bool extend(extending *x, sb_journal *journal, sb_manifest *made, size_t *n_unchanged, sb_error *error) {
    if (!sb_manifest_load(x->what->recipe->selection.catalogue, x->what->folder, &x->old, error)) return false;
    if (journal->head && x->what->resume && sb_recipe_same(&x->old.recipe, &journal->recipe)) {
        *made = x->old; /* the earlier extension was killed just before its end */
        x->old = (sb_manifest){0};
        return sb_destination_remove(&x->destination, SB_JOURNAL_NAME, error);
    }
    return make_recipe(x, error) && open_tokenizer(x, error) && make_plan(x, journal, error) &&
           begin(x, journal, error) && make_shards(x, 0, x->old.n_shards, true, error) &&
           make_shards(x, x->old.n_shards, x->schedule.n_shards, false, error) && finish(x, made, n_unchanged, error);
}

static bool find_journal(const sb_extend *what, sb_journal *journal, sb_error *error) {
    if (!sb_file_exists(sb_path_in(what->folder, SB_JOURNAL_NAME).text)) return true;
    if (!sb_file_exists(sb_path_in(what->folder, SB_MANIFEST_NAME).text)) return true; /* an unfinished dataset's own */
    if (!what->resume && !what->overwrite)
        return sb_fail(error, SB_INVALID,
                       "%s holds an extension that was interrupted: use --resume to continue it or --force to begin it "
                       "again",
                       what->folder);
    return sb_journal_load(what->recipe->selection.catalogue, what->folder, SB_JOURNAL_NAME, journal, error);
}

bool sb_extend_run(const sb_extend *what, sb_manifest *made, size_t *n_unchanged, sb_error *error) {
    extending x = {.what = what};
    sb_journal journal = {0};
    *made = (sb_manifest){0}, *n_unchanged = 0;
    if (!sb_is_folder(what->folder)) return sb_fail(error, SB_IO, "%s is no dataset: it is no folder", what->folder);
    if (!sb_destination_open(&x.destination, what->folder, what->note, what->context, error)) return false;
    const bool ok = sb_folder_check_rendering(what->folder, error) && find_journal(what, &journal, error) &&
                    extend(&x, &journal, made, n_unchanged, error);
    sb_destination_close(&x.destination);
    sb_shards_free(x.shards, x.shards ? x.schedule.n_shards : 0);
    free(x.paths), free(x.tapes), free(x.todo);
    sb_out_free(&x.head);
    sb_schedule_free(&x.schedule);
    sb_tokenizer_close(x.recipe.tokenizer ? x.recipe.tokenizer : made->recipe.tokenizer);
    made->recipe.tokenizer = NULL;
    sb_recipe_free(&x.recipe);
    sb_manifest_free(&x.old);
    sb_journal_free(&journal);
    return ok;
}
