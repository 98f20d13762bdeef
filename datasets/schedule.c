#include "datasets/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "engine/environment.h"

static bool check_numbers(const sb_recipe *recipe, sb_error *error) {
    if (recipe->level < 1 || recipe->level > 9)
        return sb_fail(error, SB_INVALID, "level: compression is 1 (fast) to 9 (small), not %llu",
                       (unsigned long long)recipe->level);
    if (recipe->shard_episodes == 0 || recipe->shard_episodes % SB_MEMBER_EPISODES || recipe->shard_episodes > 1 << 24)
        return sb_fail(error, SB_INVALID, "shard_episodes: should be a multiple of %d up to %d", SB_MEMBER_EPISODES,
                       1 << 24);
    return true;
}

/* ---- Episodes ---- */

/* Adds the episodes of a file of tapes. */
static bool add_recorded(sb_selection *selection, const char *path, size_t *capacity, sb_sha256 *hash,
                         sb_error *error) {
    sb_lines lines;
    sb_tape tape = {0};
    bool ok = sb_lines_open(&lines, path, SB_TAPE_BYTES, error);
    while (ok && sb_lines_next(&lines, error)) {
        ok = (sb_tape_parse(selection->catalogue, lines.line.data, lines.line.size, &tape, error) ||
              sb_fail_at(error, "%.100s, line %zu", path, lines.number)) &&
             (selection->n < SB_SELECTION_MAX ||
              sb_fail(error, SB_INVALID, "at most %d tapes are allowed", SB_SELECTION_MAX)) &&
             sb_selection_add(selection, &tape.name, capacity, error);
        sb_sha256_add(hash, lines.line.data, lines.line.size + 1); /* with the NUL at its end */
    }
    ok = ok && error->code == SB_OK;
    sb_lines_close(&lines);
    sb_tape_clear(&tape);
    return ok;
}

static bool select_recorded(sb_schedule *schedule, const char *const *tapes, size_t n, sb_error *error) {
    size_t capacity = 0;
    schedule->selection.catalogue = schedule->recipe->selection.catalogue;
    sb_sha256 hash;
    sb_sha256_begin(&hash);
    if (!sb_request_is_empty(&schedule->recipe->selection))
        return sb_fail(error, SB_INVALID,
                       "oracle: recorded tapes name their episodes, so leave out tasks, seeds and the "
                       "like");
    const char *const *paths = n ? tapes : &schedule->cast.recorded;
    for (size_t i = 0; i < (n ? n : 1); i++)
        if (!add_recorded(&schedule->selection, paths[i], &capacity, &hash, error)) return sb_fail_at(error, "oracle");
    sb_sha256_end_hex(&hash, schedule->recorded_sha256);
    return schedule->selection.n || sb_fail(error, SB_INVALID, "oracle: %.100s holds no tapes", paths[0]);
}

/* Checks that there is one family, and that the agents can play every task that occurs. */
static bool check_episodes(const sb_schedule *schedule, sb_error *error) {
    const sb_selection *all = &schedule->selection;
    for (size_t i = 0; i < all->n; i++) {
        sb_name name;
        if (all->episodes[i].family != all->episodes[0].family)
            return sb_fail(error, SB_INVALID, "a dataset holds episodes of one family, not of %s and %s",
                           schedule->family->name, sb_selection_family(all, i)->name);
        if (i && all->episodes[i].task == all->episodes[i - 1].task) continue;
        if (!sb_cast_can(&schedule->cast, sb_selection_name(all, i, &name), error)) return false;
    }
    return true;
}

static bool check_filter(const sb_schedule *schedule, sb_error *error) {
    return !schedule->recipe->filter.has_success || sb_need_success_of_all(&schedule->selection, error) ||
           sb_fail_at(error, "filter: key `success`");
}

/* ---- Formats ---- */

bool sb_formats_add(cJSON *list, const char *text, sb_error *error) {
    for (const char *at = text; at;) {
        char name[SB_EXPORT_NAME];
        const char *comma = strchr(at, ',');
        const size_t n = comma ? (size_t)(comma - at) : strlen(at), kept = n < sizeof name ? n : sizeof name - 1;
        memcpy(name, at, kept);
        name[kept] = '\0';
        cJSON *item = cJSON_CreateString(name);
        if (!cJSON_AddItemToArray(list, item))
            return cJSON_Delete(item), sb_fail(error, SB_MEMORY, "out of memory for formats");
        at = comma ? comma + 1 : NULL;
    }
    return true;
}

static bool is_taken(const sb_schedule *schedule, const char *name) {
    for (size_t i = 0; i < schedule->n_exports; i++)
        if (strcmp(schedule->exports[i].name, name) == 0) return true;
    return false;
}

static bool add_export(sb_schedule *schedule, const cJSON *item, sb_error *error) {
    const sb_recipe *recipe = schedule->recipe;
    const sb_export_defaults defaults = {.family = schedule->family,
                                         .modes = recipe->modes,
                                         .dataset = recipe->name,
                                         .dense = recipe->dense,
                                         .labels = schedule->cast.labels,
                                         .level = schedule->level,
                                         .episodes = schedule->selection};
    if (schedule->n_exports == SB_FORMATS_MAX)
        return sb_fail(error, SB_INVALID, "at most %d formats are allowed", SB_FORMATS_MAX);
    sb_export *export = &schedule->exports[schedule->n_exports];
    const bool ok = sb_export_read(export, item, &defaults, error) &&
                    (!is_taken(schedule, export->name) ||
                     sb_fail(error, SB_INVALID, "another format has files named `%s`, too: give this one a `name`",
                             export->name));
    schedule->n_exports++;
    if (ok) schedule->cast.intents |= export->needs_intents && (!schedule->cast.recorded || schedule->cast.labeller[0]);
    return ok;
}

static bool read_formats(sb_schedule *schedule, sb_error *error) {
    const cJSON *list = schedule->recipe->formats, *item;
    if (!list) {
        list = schedule->names = cJSON_CreateArray();
        if (!sb_formats_add(schedule->names, schedule->recipe->format, error)) return false;
    }
    cJSON_ArrayForEach(item, list) if (!add_export(schedule, item, error)) return sb_fail_at(error, "formats[%zu]",
                                                                                             schedule->n_exports - 1);
    return schedule->n_exports || sb_fail(error, SB_INVALID, "key `formats` is an empty list");
}

/* ---- The schedule ---- */

bool sb_schedule_make(const sb_recipe *recipe, const char *const *tapes, size_t n, sb_schedule *schedule,
                      sb_error *error) {
    *schedule = (sb_schedule){
        .recipe = recipe, .level = (int)recipe->level, .shard_episodes = (size_t)recipe->shard_episodes};
    if (!check_numbers(recipe, error) || !sb_cast_make(&schedule->cast, &recipe->casting, error)) return false;
    if (!(schedule->cast.recorded ? select_recorded(schedule, tapes, n, error)
                                  : sb_select(&recipe->selection, &schedule->selection, error)))
        return !recipe->selection.n_names ? false : sb_fail_at(error, "names");
    schedule->family = sb_selection_family(&schedule->selection, 0);
    schedule->n_shards = (schedule->selection.n + schedule->shard_episodes - 1) / schedule->shard_episodes;
    return check_episodes(schedule, error) && check_filter(schedule, error) && read_formats(schedule, error);
}

void sb_schedule_free(sb_schedule *schedule) {
    for (size_t i = 0; i < schedule->n_exports; i++) sb_export_free(&schedule->exports[i]);
    sb_selection_free(&schedule->selection);
    cJSON_Delete(schedule->names);
    free(schedule->fates);
    *schedule = (sb_schedule){0};
}

bool sb_schedule_leaves_out(const sb_schedule *schedule, size_t episode) {
    const uint8_t fate = schedule->fates[episode];
    return ((fate & SB_IS_EVALUATION) && !schedule->recipe->keep_evaluation) ||
           ((fate & (SB_IS_DUPLICATE | SB_IS_ACROSS)) && schedule->recipe->drop_duplicates);
}

bool sb_schedule_wants(const sb_schedule *schedule, size_t episode, const sb_tape *tape) {
    return !sb_schedule_leaves_out(schedule, episode) &&
           sb_filter_passes(&schedule->recipe->filter, tape, schedule->recipe->dense);
}

sb_range sb_schedule_shard(const sb_schedule *schedule, size_t shard) {
    const size_t first = shard * schedule->shard_episodes, end = first + schedule->shard_episodes;
    return (sb_range){first, end < schedule->selection.n ? end : schedule->selection.n};
}
