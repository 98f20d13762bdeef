/* Joins the parts of a dataset (datasets/build.h). */
#include <errno.h>
#include <stdio.h>
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

typedef struct merge {
    const sb_merge *what;
    sb_journal *parts; /* journals of the parts, as many as there are folders */
    sb_shard *shards;  /* shards of the whole dataset; only the array is allocated, the rest belongs to the journals */
    size_t *from;      /* for each shard, which folder holds it */
    sb_schedule schedule;
    sb_destination destination;
} merge;

/* ---- Loading the parts ---- */

/* Whether two journals are of parts of one dataset: then their heads are the same except for the number of the part. */
static bool same_dataset(const sb_journal *a, const sb_journal *b) {
    const char *rest_a = strstr(a->head, "\"parts\""), *rest_b = strstr(b->head, "\"parts\"");
    const char *end_a = strstr(a->head, "\"part\""), *end_b = strstr(b->head, "\"part\"");
    return rest_a && rest_b && end_a && end_b && end_a - a->head == end_b - b->head &&
           strncmp(a->head, b->head, (size_t)(end_a - a->head)) == 0 && strcmp(rest_a, rest_b) == 0;
}

static bool load_parts(merge *m, sb_error *error) {
    for (size_t i = 0; i < m->what->n_parts; i++) {
        const char *folder = m->what->parts[i];
        if (!sb_file_exists(sb_path_in(folder, SB_JOURNAL_NAME).text))
            return sb_fail(error, SB_MISMATCH,
                           "%s holds no part of a dataset, since " SB_JOURNAL_NAME
                           " is not in it: `seedbed build --shard I/N -o "
                           "FOLDER` makes parts, and leaves that file",
                           folder);
        if (!sb_journal_load(m->what->catalogue, folder, SB_JOURNAL_NAME, &m->parts[i], error)) return false;
        if (!same_dataset(&m->parts[0], &m->parts[i]))
            return sb_fail(error, SB_MISMATCH, "%s has another recipe, version or number of parts than %s", folder,
                           m->what->parts[0]);
        for (size_t k = 0; k < i; k++)
            if (m->parts[k].part.number == m->parts[i].part.number)
                return sb_fail(error, SB_MISMATCH, "%s and %s are both part %zu", m->what->parts[k], folder,
                               m->parts[i].part.number);
    }
    return true;
}

static bool gather(merge *m, sb_error *error) {
    const size_t n = m->parts[0].n_shards, of = m->parts[0].part.of;
    m->shards = calloc(n, sizeof *m->shards);
    m->from = calloc(n, sizeof *m->from);
    if (!m->shards || !m->from) return sb_fail(error, SB_MEMORY, "out of memory for %zu shards", n);
    for (size_t i = 0; i < m->what->n_parts; i++)
        for (size_t shard = 0; shard < n; shard++)
            if (m->parts[i].shards[shard].done) m->shards[shard] = m->parts[i].shards[shard], m->from[shard] = i;
    for (size_t shard = 0; shard < n; shard++)
        if (!m->shards[shard].done)
            return sb_fail(error, SB_MISMATCH, "shard %zu is missing: part %zu of %zu was not given, or is unfinished",
                           shard, shard % of + 1, of);
    return true;
}

/* ---- Copying ---- */

static bool copy_bytes(FILE *from, sb_file *to, const char *path, sb_error *error) {
    char buffer[1 << 16];
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, from)) > 0;)
        if (!sb_file_write(to, buffer, n, error)) return false;
    return !ferror(from) || sb_fail(error, SB_IO, "cannot read all of %s", path);
}

/* Copies a file. The copy gets its name only if it agrees with the journal. */
static bool copy_file(const merge *m, size_t shard, const sb_shard_file *facts, sb_error *error) {
    const sb_path source = sb_path_in(m->what->parts[m->from[shard]], facts->name);
    sb_file file;
    if (!sb_file_check(source.text, facts->bytes, facts->sha256, error)) return false;
    FILE *from = sb_file_stream(source.text, NULL, error);
    if (!from) return false;
    bool ok = sb_destination_create(&m->destination, facts->name, &file, error);
    if (ok) {
        ok = copy_bytes(from, &file, source.text, error) && sb_file_commit(&file, NULL, error);
        if (!ok) sb_file_discard(&file);
    }
    fclose(from);
    return ok;
}

static bool copy_shards(const merge *m, sb_error *error) {
    for (size_t shard = 0; shard < m->schedule.n_shards; shard++) {
        for (size_t k = 0; k < m->schedule.n_exports; k++)
            if (!copy_file(m, shard, &m->shards[shard].files[k], error)) return false;
        if (!copy_file(m, shard, &m->shards[shard].tapes, error)) return false;
    }
    return true;
}

/* ---- The whole ---- */

/* Returns the path of a shard's tapes. Files are opened by the names they should have, not by those in the journal. */
static sb_path tapes_of(const merge *m, size_t shard) {
    const sb_shard_name name = sb_schedule_file(&m->schedule, SB_TAPES_KIND, shard, SB_TAPES_SUFFIX);
    return sb_path_in(m->what->parts[m->from[shard]], name.text);
}

/* Returns the path of a shard's tapes before there is a schedule: a recorded dataset has one section. */
static sb_path recorded_tapes_of(const merge *m, size_t shard) {
    const sb_shard_name name = sb_shard_of(SB_TAPES_KIND, "", shard, m->parts[0].n_shards, SB_TAPES_SUFFIX);
    return sb_path_in(m->what->parts[m->from[shard]], name.text);
}

/* Makes the schedule. In a recorded dataset the tapes say which episodes it has. */
static bool make_plan(merge *m, sb_error *error) {
    const size_t n = m->parts[0].n_shards;
    sb_path *paths = calloc(n, sizeof *paths);
    const char **tapes = calloc(n, sizeof *tapes);
    bool ok = (paths && tapes) || sb_fail(error, SB_MEMORY, "out of memory for %zu shards", n);
    for (size_t i = 0; ok && i < n; i++) {
        paths[i] = recorded_tapes_of(m, i);
        tapes[i] = paths[i].text;
    }
    ok = ok && sb_schedule_make(&m->parts[0].recipe, tapes, n, &m->schedule, error);
    free(paths), free(tapes);
    if (!ok) return false;
    return (m->schedule.n_shards == n && m->schedule.n_exports == m->parts[0].n_formats) ||
           sb_fail(error, SB_MISMATCH, "the parts have another number of shards or formats than their recipe");
}

/* Checks that sections have what their budgets ask for: exactly that many episodes, at least that much of others. */
static bool check_budgets(const merge *m, sb_error *error) {
    for (size_t i = 0; i < m->schedule.n_sections; i++) {
        const sb_scheduled *s = &m->schedule.sections[i];
        const sb_unit unit = sb_budget_unit(&s->is.composition);
        sb_manifest_section part = {0};
        if (unit == SB_UNITS) continue;
        for (size_t shard = s->first_shard; shard < s->end_shard; shard++)
            sb_manifest_section_add(&part, &m->shards[shard].stats);
        const uint64_t budget = s->is.composition.budget[unit], has = part.has[unit];
        if (unit == SB_EPISODES ? has != budget : has < budget)
            return sb_fail(error, SB_MISMATCH, "the parts do not hold what the recipe's budget asks for");
    }
    return true;
}

/* Finds out again which rows are left out: the manifest says how many. */
static bool choose_rows(merge *m, sb_error *error) {
    const size_t n = m->schedule.n_shards;
    sb_path *paths = calloc(n, sizeof *paths);
    const char **tapes = calloc(n, sizeof *tapes);
    bool ok = (paths && tapes) || sb_fail(error, SB_MEMORY, "out of memory for %zu shards", n);
    for (size_t i = 0; ok && i < n; i++) paths[i] = tapes_of(m, i), tapes[i] = paths[i].text;
    ok = ok && sb_row_choice_make(&m->schedule, (sb_tapes_from){.of_shards = tapes}, m->what->jobs, error);
    free(paths), free(tapes);
    return ok;
}

/* Checks the journals against the tapes. */
static bool audit(const merge *m, sb_error *error) {
    for (size_t shard = 0; shard < m->schedule.n_shards; shard++) {
        const sb_shard *said = &m->shards[shard];
        const sb_path tapes = tapes_of(m, shard);
        if (!sb_audit_names(&m->schedule, shard, said, error) ||
            !sb_file_check(tapes.text, said->tapes.bytes, said->tapes.sha256, error) ||
            !sb_audit_shard(&m->schedule, shard, said, tapes.text, error))
            return sb_fail_at(error, "%s/" SB_JOURNAL_NAME ", shard %zu", sb_path_end(m->what->parts[m->from[shard]]),
                              shard);
    }
    return check_budgets(m, error);
}

/* Fails if the target is a part, or inside or around one: parts must not change, and old files of the target are
 * removed. */
static bool check_apart(const merge *m, sb_error *error) {
    const char *destination = m->what->folder;
    for (size_t i = 0; i < m->what->n_parts; i++) {
        const char *source = m->what->parts[i];
        if (sb_is_within(destination, source) || sb_is_within(source, destination))
            return sb_fail(error, SB_INVALID, "the whole needs its own folder, but %s is, holds or is in %s",
                           sb_path_end(destination), sb_path_end(source));
    }
    return true;
}

/* Checks again that the folders are apart once the target exists: before that its path could not be resolved. */
static bool prepare(merge *m, sb_error *error) {
    return sb_destination_open(&m->destination, m->what->folder, m->what->note, m->what->context, error) &&
           check_apart(m, error) &&
           sb_folder_prepare(&m->destination, &m->schedule, m->what->overwrite ? SB_FOLDER_REPLACED : SB_FOLDER_MERGED,
                             error) &&
           sb_folder_clear(&m->destination, NULL, 0, 0, error);
}

static bool join(merge *m, sb_manifest *made, sb_error *error) {
    if (!check_apart(m, error) || !load_parts(m, error) || !gather(m, error) || !make_plan(m, error) ||
        !sb_census_take(&m->schedule, m->what->jobs, error) || !audit(m, error) || !choose_rows(m, error) ||
        !prepare(m, error) || !copy_shards(m, error))
        return false;
    made->recipe = m->parts[0].recipe; /* the document that the recipe's texts point into goes along */
    m->parts[0].recipe = (sb_recipe){0};
    m->schedule.recipe = &made->recipe;
    return sb_manifest_finish(made, &m->schedule, m->shards, &m->destination, m->what->jobs, error);
}

bool sb_merge_run(const sb_merge *what, sb_manifest *made, sb_error *error) {
    merge m = {.what = what, .parts = calloc(what->n_parts, sizeof *m.parts)};
    *made = (sb_manifest){0};
    const bool ok = m.parts ? join(&m, made, error) : sb_fail(error, SB_MEMORY, "out of memory for the parts");
    for (size_t i = 0; m.parts && i < what->n_parts; i++) sb_journal_free(&m.parts[i]);
    sb_destination_close(&m.destination);
    free(m.parts), free(m.shards), free(m.from);
    sb_schedule_free(&m.schedule);
    return ok;
}
