#include "datasets/audit.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "datasets/destination.h"
#include "engine/lookup.h"

/* ---- Names ---- */

static bool check_name(const sb_schedule *schedule, const sb_shard_file *file, const char *kind, size_t shard,
                       const char *suffix, sb_error *error) {
    const sb_shard_name name = sb_schedule_file(schedule, kind, shard, suffix);
    return strcmp(file->name, name.text) == 0 ||
           sb_fail(error, SB_MISMATCH, "the file is named %s, but should be %s", file->name, name.text);
}

bool sb_audit_names(const sb_schedule *schedule, size_t shard, const sb_shard *said, sb_error *error) {
    for (size_t k = 0; k < schedule->n_exports; k++) {
        const sb_export *export = &schedule->exports[k];
        if (!check_name(schedule, &said->files[k], export->name, shard, export->exporter->suffix, error))
            return sb_fail_at(error, "`files`");
    }
    return check_name(schedule, &said->tapes, SB_TAPES_KIND, shard, SB_TAPES_SUFFIX, error) ||
           sb_fail_at(error, "`tapes`");
}

bool sb_audit_all_names(const sb_schedule *schedule, const sb_manifest *manifest, sb_error *error) {
    for (size_t shard = 0; shard < manifest->n_shards; shard++) {
        const sb_shard said = sb_manifest_shard(manifest, shard);
        if (!sb_audit_names(schedule, shard, &said, error)) return sb_fail_at(error, SB_MANIFEST_NAME);
    }
    return true;
}

bool sb_audit_files(const sb_schedule *schedule, const char *folder, size_t shard, const sb_shard *said, size_t first,
                    sb_error *error) {
    if (!sb_audit_names(schedule, shard, said, error)) return false;
    for (size_t k = first; k < schedule->n_exports; k++) {
        const sb_shard_file *file = &said->files[k];
        if (!sb_file_check(sb_path_in(folder, file->name).text, file->bytes, file->sha256, error)) return false;
    }
    return true;
}

/* ---- Counts ---- */

static bool check_counts(const sb_shard_file *file, uint64_t episodes, uint64_t rows, sb_error *error) {
    return (file->episodes == episodes && file->rows == rows) ||
           sb_fail(error, SB_MISMATCH, "%s has another number of rows or episodes", file->name);
}

bool sb_audit_counts(const sb_schedule *schedule, const sb_shard *said, const sb_stats *counts, sb_error *error) {
    const sb_stats_group total = sb_stats_total(counts);
    const uint64_t n_tapes = schedule->cast.recorded ? total.selected : total.played;
    for (size_t k = 0; k < schedule->n_exports; k++)
        if (!check_counts(&said->files[k], total.episodes, total.rows[k], error)) return false;
    return check_counts(&said->tapes, n_tapes, n_tapes, error);
}

/* ---- Counts against tapes ---- */

/* Counts the tapes of a shard in the same order as a build. */
typedef struct counting {
    const sb_schedule *schedule;
    sb_lines lines;
    sb_tape tape;
    sb_stats member, shard;
} counting;

static bool read_tape(counting *c, size_t episode, sb_error *error) {
    if (!sb_lines_next(&c->lines, error))
        return error->code == SB_OK ? sb_fail(error, SB_MISMATCH, "too few tapes") : false;
    if (!sb_tape_parse(c->schedule->selection.catalogue, c->lines.line.data, c->lines.line.size, &c->tape, error))
        return false;
    return sb_compare_names(sb_selection_name(&c->schedule->selection, episode, &(sb_name){0}), &c->tape.name) == 0 ||
           sb_fail(error, SB_MISMATCH, "line %zu is of another episode", c->lines.number);
}

static bool count_episode(counting *c, size_t episode, sb_error *error) {
    sb_stats_group *group = sb_stats_episode(&c->member, c->schedule, episode, error);
    if (!group) return false;
    if (!sb_schedule_has_tape(c->schedule, episode)) return true;
    if (!read_tape(c, episode, error)) return false;
    if (!sb_stats_wants(group, c->schedule, episode, &c->tape)) return true;
    if (sb_stats_compares(c->schedule, episode, &c->tape)) group->compared += c->tape.n;
    return sb_stats_keep(group, &c->tape, error);
}

static bool count_tapes(counting *c, sb_range range, sb_error *error) {
    for (size_t episode = range.first; episode < range.end; episode++) {
        if (!count_episode(c, episode, error)) return false;
        if ((episode + 1 - range.first) % SB_MEMBER_EPISODES != 0 && episode + 1 != range.end) continue;
        if (!sb_stats_add(&c->shard, &c->member, error)) return false;
        sb_stats_clear(&c->member);
    }
    if (sb_lines_next(&c->lines, error)) return sb_fail(error, SB_MISMATCH, "too many tapes");
    return error->code == SB_OK;
}

enum {
    UNPACKED = 1100,     /* bytes that a byte may unpack to: deflate compresses at most 1032 into one */
    EPISODE_BYTES = 4096 /* bytes of rows that do not appear in the file, such as seeds that a pack leaves out */
};

/* Whether a group's numbers of rows and bytes are possible. Only rendering gives the exact number of rows, but a format
 * has at most one row per step and one more per episode. */
static bool can_be(const sb_stats_group *g, size_t k, uint64_t file_bytes) {
    return g->rows[k] <= g->steps + g->episodes &&
           g->bytes[k] / UNPACKED <= file_bytes + EPISODE_BYTES * g->episodes / UNPACKED;
}

/* Whether a group's numbers of characters and tokens are possible. Texts are part of the rows, and only a recipe with a
 * tokenizer has tokens. */
static bool can_be_texts(const sb_schedule *schedule, const sb_stats_group *g) {
    const bool has_tokens = schedule->texts.n && sb_recipe_tokenizer(schedule->recipe);
    return g->characters <= (schedule->texts.n ? g->bytes[0] : 0) &&
           g->tokens <= (has_tokens ? g->episodes * SB_TOKENS_MAX : 0);
}

static bool check_rows(const sb_schedule *schedule, const sb_shard *said, sb_error *error) {
    for (size_t i = 0; i < said->stats.n; i++) {
        const sb_stats_group *g = &said->stats.groups[i];
        if (g->unlike_observer > g->compared)
            return sb_fail(error, SB_MISMATCH, "statistics: `unlike_observer` of %s is impossible", g->name.task);
        if (!can_be_texts(schedule, g))
            return sb_fail(error, SB_MISMATCH, "statistics: `characters` or `tokens` of %s are impossible",
                           g->name.task);
        for (size_t k = 0; k < SB_FORMATS_MAX; k++) {
            const bool is_format = k < schedule->n_exports;
            if (is_format ? !can_be(g, k, said->files[k].bytes) : (g->rows[k] || g->bytes[k]))
                return sb_fail(error, SB_MISMATCH, "statistics: `rows` or `bytes` of %s are impossible", g->name.task);
        }
    }
    return true;
}

bool sb_audit_shard(const sb_schedule *schedule, size_t shard, const sb_shard *said, const char *tapes,
                    sb_error *error) {
    counting c = {.schedule = schedule};
    bool ok = sb_lines_open(&c.lines, tapes, SB_TAPE_BYTES, error);
    ok = (ok && count_tapes(&c, sb_schedule_shard(schedule, shard), error)) ||
         sb_fail_at(error, "%s", sb_path_end(tapes));
    sb_lines_close(&c.lines);
    ok = ok && sb_stats_compare(&said->stats, &c.shard, error) && check_rows(schedule, said, error) &&
         sb_audit_counts(schedule, said, &said->stats, error);
    sb_tape_clear(&c.tape);
    sb_stats_free(&c.member), sb_stats_free(&c.shard);
    return ok;
}
