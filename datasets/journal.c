#include "datasets/journal.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "base/file.h"

enum { LINE_BYTES = 64 << 20 };

void sb_journal_free(sb_journal *journal) {
    free(journal->head);
    sb_shards_free(journal->shards, journal->n_shards);
    sb_recipe_free(&journal->recipe);
    *journal = (sb_journal){0};
}

/* ---- Writing ---- */

void sb_journal_head(const sb_schedule *schedule, const sb_recipe *recipe, sb_part part, sb_out *out) {
    char rules[SB_RULES_NAME];
    sb_rules_name(schedule->family, NULL, rules);
    sb_puts(out, "{");
    sb_member_uint(out, "journal", SB_JOURNAL_VERSION);
    sb_member_text(out, "seedbed", SB_VERSION);
    sb_member_text(out, "zlib", zlibVersion());
    sb_member_text(out, "rules", rules);
    sb_member_uint(out, "part", part.number);
    sb_member_uint(out, "parts", part.of);
    sb_member_uint(out, "shards", schedule->n_shards);
    sb_member_uint(out, "formats", schedule->n_exports);
    sb_member_text(out, "recorded", schedule->recorded_sha256);
    if (sb_recipe_has_budget(recipe)) {
        sb_put_key(out, "cuts");
        sb_puts(out, "[");
        for (size_t i = 0; i < schedule->n_sections; i++) sb_put_comma(out), sb_put_uint(out, recipe->cuts[i]);
        sb_puts(out, "]");
    }
    sb_put_key(out, "recipe");
    sb_recipe_print(recipe, out);
    sb_puts(out, "}");
}

static void print_shard(const sb_schedule *schedule, const sb_shard *shard, size_t index, sb_out *out) {
    sb_puts(out, "{");
    sb_member_uint(out, "shard", index);
    sb_put_key(out, "files");
    sb_puts(out, "[");
    for (size_t k = 0; k < schedule->n_exports; k++) {
        sb_put_comma(out);
        sb_shard_file_print(&shard->files[k], out);
    }
    sb_puts(out, "]");
    sb_put_key(out, "tapes");
    sb_shard_file_print(&shard->tapes, out);
    sb_put_key(out, "stats");
    sb_stats_print(&shard->stats, out);
    sb_puts(out, "}\n");
}

bool sb_journal_save(const sb_destination *destination, const char *name, const char *head, const sb_schedule *schedule,
                     const sb_shard *shards, sb_error *error) {
    sb_out out = sb_out_growing();
    sb_puts(&out, head), sb_puts(&out, "\n");
    for (size_t i = 0; i < schedule->n_shards; i++)
        if (shards[i].done) print_shard(schedule, &shards[i], i, &out);
    const bool ok = sb_destination_save(destination, name, &out, error);
    sb_out_free(&out);
    return ok;
}

bool sb_journal_append(const sb_destination *destination, const char *name, const sb_schedule *schedule,
                       const sb_shard *shard, size_t index, sb_error *error) {
    sb_out out = sb_out_growing();
    print_shard(schedule, shard, index, &out);
    const bool ok = sb_destination_append(destination, name, &out, error);
    sb_out_free(&out);
    return ok;
}

/* ---- Reading ---- */

/* Returns how many shards any selection can have with this shard size, so that a few bytes of journal cannot ask for
 * too much memory. */
static uint64_t most_shards(const sb_recipe *recipe) {
    const uint64_t size = recipe->shard_episodes < SB_MEMBER_EPISODES ? SB_MEMBER_EPISODES : recipe->shard_episodes;
    return (SB_SELECTION_MAX - 1) / size + 1 + SB_SECTIONS_MAX;
}

static bool read_cuts(const cJSON *object, sb_recipe *recipe, sb_error *error) {
    const cJSON *list, *item;
    size_t n = 0;
    if (!cJSON_HasObjectItem(object, "cuts")) return true;
    if (!sb_json_array(object, "cuts", &list, error)) return false;
    cJSON_ArrayForEach(item, list) {
        if (n == SB_SECTIONS_MAX || !sb_json_is_uint(item, &recipe->cuts[n]) || recipe->cuts[n] > SB_SELECTION_MAX)
            return sb_fail(error, SB_INVALID, "key `cuts` is wrong");
        n++;
    }
    return true;
}

static bool read_head(const sb_catalogue *catalogue, const cJSON *object, sb_journal *journal, sb_error *error) {
    uint64_t version, part, of, shards, formats;
    const cJSON *recipe;
    if (!sb_json_uint(object, "journal", &version, error)) return false;
    if (version != SB_JOURNAL_VERSION)
        return sb_fail(error, SB_VERSION_OTHER,
                       "the journal has version %llu, but this program reads version %d: finish the build with the "
                       "version of Seedbed that began it, or remove the folder and begin anew",
                       (unsigned long long)version, SB_JOURNAL_VERSION);
    if (!sb_json_uint(object, "part", &part, error) || !sb_json_uint(object, "parts", &of, error) ||
        !sb_json_uint(object, "shards", &shards, error) || !sb_json_uint(object, "formats", &formats, error) ||
        !sb_json_object(object, "recipe", &recipe, error))
        return false;
    cJSON *copy = cJSON_Duplicate(recipe, true);
    if (!copy) return sb_fail(error, SB_MEMORY, "out of memory for a journal");
    if (!sb_recipe_read_written(catalogue, copy, &journal->recipe, error)) return sb_fail_at(error, "key `recipe`");
    if (!read_cuts(object, &journal->recipe, error)) return false;
    if (part == 0 || part > of || shards == 0 || shards > most_shards(&journal->recipe) || formats > SB_FORMATS_MAX)
        return sb_fail(error, SB_INVALID, "the numbers of parts, shards or formats are impossible");
    journal->part = (sb_part){(size_t)part, (size_t)of};
    journal->n_formats = (size_t)formats;
    journal->shards = calloc((size_t)shards, sizeof *journal->shards);
    if (!journal->shards) return sb_fail(error, SB_MEMORY, "out of memory for a journal");
    journal->n_shards = (size_t)shards;
    return true;
}

static bool read_files(const cJSON *object, sb_shard *shard, size_t n_formats, sb_error *error) {
    const cJSON *list, *item, *tapes;
    size_t k = 0;
    if (!sb_json_array(object, "files", &list, error) || !sb_json_object(object, "tapes", &tapes, error)) return false;
    if ((size_t)cJSON_GetArraySize(list) != n_formats)
        return sb_fail(error, SB_INVALID, "key `files` should have one item per format");
    cJSON_ArrayForEach(item, list) if (!sb_shard_file_read(item, &shard->files[k++], error)) return false;
    return sb_shard_file_read(tapes, &shard->tapes, error);
}

static bool read_shard(const cJSON *object, sb_journal *journal, sb_error *error) {
    uint64_t index;
    if (!sb_json_uint(object, "shard", &index, error)) return false;
    if (index >= journal->n_shards || index % journal->part.of != journal->part.number - 1)
        return sb_fail(error, SB_INVALID, "shard %llu is not of this part", (unsigned long long)index);
    sb_shard *shard = &journal->shards[index];
    shard->done = read_files(object, shard, journal->n_formats, error) &&
                  sb_stats_read(journal->recipe.selection.catalogue, cJSON_GetObjectItemCaseSensitive(object, "stats"),
                                &shard->stats, error);
    return shard->done;
}

static bool read_line(const sb_catalogue *catalogue, const sb_lines *lines, sb_journal *journal, sb_error *error) {
    cJSON *object = sb_json_parse(lines->line.data, lines->line.size, error);
    if (!object) return false;
    bool ok;
    if (lines->number == 1) {
        journal->head = malloc(lines->line.size + 1);
        if (journal->head) memcpy(journal->head, lines->line.data, lines->line.size + 1);
        ok = journal->head ? read_head(catalogue, object, journal, error)
                           : sb_fail(error, SB_MEMORY, "out of memory for a journal");
    } else {
        ok = read_shard(object, journal, error);
    }
    cJSON_Delete(object);
    return ok;
}

/* Whether the line may have been cut off. Such a line is no JSON, so its error is never an unknown name. */
static bool may_be_torn(const sb_lines *lines, const sb_error *error) {
    return lines->number > 1 && error->code != SB_UNKNOWN;
}

bool sb_journal_load(const sb_catalogue *catalogue, const char *folder, const char *name, sb_journal *journal,
                     sb_error *error) {
    sb_lines lines;
    sb_error torn = {0}; /* an error in a line counts only if another line follows */
    *journal = (sb_journal){0};
    const sb_path path = sb_path_in(folder, name);
    bool ok = sb_lines_open(&lines, path.text, LINE_BYTES, error);
    while (ok && sb_lines_next(&lines, error)) {
        if (torn.code != SB_OK)
            ok = (*error = torn, sb_fail_at(error, "%s", sb_path_end(path.text)));
        else if (!read_line(catalogue, &lines, journal, &torn))
            ok = may_be_torn(&lines, &torn) || (*error = torn, sb_fail_at(error, "%s", sb_path_end(path.text)));
    }
    ok = ok && error->code == SB_OK;
    sb_lines_close(&lines);
    return ok && (journal->head || sb_fail(error, SB_INVALID, "%s is empty", sb_path_end(path.text)));
}

bool sb_journal_check_extension(const char *folder, const sb_recipe *recipe, sb_error *error) {
    sb_journal journal;
    if (!sb_file_exists(sb_path_in(folder, SB_JOURNAL_NAME).text)) return true;
    sb_error unread;
    bool ok = true;
    if (sb_journal_load(recipe->selection.catalogue, folder, SB_JOURNAL_NAME, &journal, &unread))
        ok = sb_recipe_same(recipe, &journal.recipe) ||
             sb_fail(error, SB_MISMATCH,
                     "extending %s was interrupted: the same `seedbed build --extend` finishes it with --resume, and "
                     "begins it again with --force",
                     sb_path_end(folder));
    else if (unread.code == SB_IO || unread.code == SB_MEMORY) /* others are none: journals are written whole */
        *error = unread, ok = false;
    sb_journal_free(&journal);
    return ok;
}
