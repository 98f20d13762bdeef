#include "datasets/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "base/file.h"
#include "base/gzip.h"
#include "base/pool.h"
#include "datasets/audit.h"
#include "datasets/census.h"
#include "datasets/choosing.h"
#include "datasets/finish.h"
#include "datasets/folder.h"
#include "datasets/journal.h"
#include "datasets/survey.h"
#include "datasets/verify_notes.h"
#include "engine/lookup.h"
#include "exporters/columns.h"
#include "exporters/teller.h"

typedef struct run {
    const sb_dataset_check *check;
    const sb_manifest *manifest;
    const sb_schedule *schedule;
} run;

static bool wrong(const char *key, sb_error *error) {
    return sb_fail(error, SB_MISMATCH, SB_MANIFEST_NAME ": key `%s` is wrong", key);
}

/* ---- One file with rows ---- */

/* A file of a format, read along with the tapes. Some formats compare their files themselves. For other formats with
 * a writer, the whole file is made again and compared as it grows; for all others, the rows are. */
typedef struct rows_reader {
    const sb_export *export;
    const sb_shard_file *facts;
    sb_path path;
    gzFile gzip; /* unpacked rows; for a format with a writer, the file as it is */
    void *writer, *comparer;
    sb_out expected, found, text;
    sb_blake2b member; /* hash over the expected bytes of the present gzip member */
    sb_sha256 content;
    bool leaves_out;     /* rows may be left out, so the number of one does not tell its step */
    size_t format;       /* place of the format among the dataset's */
    uint64_t n_compared; /* how many of the writer's bytes agree with the file */
} rows_reader;

/* Lets the format say what is wrong with the found row that begins at `begin`. */
static bool blame(const rows_reader *f, const sb_rollout *rollout, size_t row, size_t begin, size_t got,
                  sb_error *error) {
    char words[160] = "";
    sb_out out = sb_out_fixed(words, sizeof words);
    const char *found = f->found.data + begin, *end = memchr(found, '\n', got - begin);
    if (f->leaves_out || !f->export->exporter->blame || !end) return false;
    if (!f->export->exporter->blame(rollout, f->export, row, found, (size_t)(end - found), &out)) return false;
    sb_out_finish(&out);
    return sb_fail(error, SB_MISMATCH, "row %zu of the episode: %s", row, words), true;
}

/* Fails at a byte that differs: says what is wrong with its row, or else names the row and the key of the value. */
static bool fail_at_byte(const rows_reader *f, const sb_rollout *rollout, size_t at, size_t got, sb_error *error) {
    size_t row = 0, begin = 0;
    for (size_t i = 0; i < at; i++)
        if (f->expected.data[i] == '\n') row++, begin = i + 1;
    if (!blame(f, rollout, row, begin, got, error)) sb_fail_in_row(f->expected.data, f->expected.size, at, error);
    return sb_fail_at(error, "%s", f->facts->name);
}

/* Reads as many bytes as expected; *got is how many there were, *same how many agree. */
static bool read_and_compare(rows_reader *f, const sb_out *expected, size_t *same, size_t *got, sb_error *error) {
    sb_out_clear(&f->found);
    char *room = sb_out_reserve(&f->found, expected->size + 1);
    if (!room) return sb_fail(error, SB_MEMORY, "out of memory for rows");
    *got = *same = 0;
    while (*got < expected->size) {
        const size_t left = expected->size - *got;
        const int n = gzread(f->gzip, room + *got, left < 1 << 20 ? (unsigned)left : 1 << 20);
        if (n < 0 && !sb_file_gzip_could_read(f->gzip, f->facts->name, error)) return false;
        if (n <= 0) break;
        *got += (size_t)n;
    }
    while (*same < *got && room[*same] == expected->data[*same]) ++*same;
    return true;
}

static bool compare_rows(rows_reader *f, const sb_rollout *rollout, sb_error *error) {
    size_t same, got;
    if (!read_and_compare(f, &f->expected, &same, &got, error)) return false;
    if (same == f->expected.size) return true;
    if (same < got) return fail_at_byte(f, rollout, same, got, error);
    return sb_fail(error, SB_MISMATCH, "%s is damaged or cut short here", f->facts->name);
}

/* Fails at a byte of a file that a writer makes. */
static bool fail_in_part(const rows_reader *f, uint64_t at, sb_error *error) {
    const sb_exporter *exporter = f->export->exporter;
    char name[64] = "";
    sb_out out = sb_out_fixed(name, sizeof name);
    if (exporter->part) sb_puts(&out, ", at `"), exporter->part(f->writer, at, &out), sb_puts(&out, "`");
    sb_out_finish(&out);
    return sb_fail(error, SB_MISMATCH, "%s differs from what the tapes give, or is cut short, from here on%s",
                   f->facts->name, name);
}

/* Compares what the writer has made so far with the file. */
static bool compare_written(rows_reader *f, sb_error *error) {
    size_t same, got;
    if (!sb_out_ok(&f->text)) return sb_fail(error, SB_MEMORY, "out of memory for %s", f->facts->name);
    if (!read_and_compare(f, &f->text, &same, &got, error)) return false;
    if (same < f->text.size) return fail_in_part(f, f->n_compared + same, error);
    f->n_compared += same;
    sb_out_clear(&f->text);
    return true;
}

static bool check_rows(rows_reader *f, const sb_schedule *schedule, const sb_rollout *rollout, uint64_t *n_rows,
                       sb_error *error) {
    const sb_exporter *exporter = f->export->exporter;
    sb_out_clear(&f->expected), f->leaves_out = schedule->choice != NULL;
    if (!exporter->rows(rollout, f->export, &f->expected, n_rows, error)) return false;
    sb_row_choice_apply(schedule->choice, f->format, rollout->episode_id, &f->expected, 0, n_rows);
    if (!sb_out_ok(&f->expected)) return sb_fail(error, SB_MEMORY, "out of memory for rows");
    sb_blake2b_add(&f->member, f->expected.data, f->expected.size);
    if (f->comparer)
        return exporter->compare_add(f->comparer, f->expected.data, f->expected.size, error) ||
               sb_fail_at(error, "%s", f->facts->name);
    if (!f->writer) return compare_rows(f, rollout, error);
    return exporter->add(f->writer, f->expected.data, f->expected.size, *n_rows, &f->text, error) &&
           compare_written(f, error);
}

static bool open_content(rows_reader *f, sb_error *error) {
    f->comparer = calloc(1, f->export->exporter->comparer_size + 1);
    if (!f->comparer) return sb_fail(error, SB_MEMORY, "out of memory for %s", f->facts->name);
    return f->export->exporter->compare_begin(f->comparer, f->export, f->path.text, error) ||
           sb_fail_at(error, "%s", f->facts->name);
}

static bool open_rows(rows_reader *f, const char *folder, sb_file_place place, sb_error *error) {
    const sb_exporter *exporter = f->export->exporter;
    f->expected = f->found = f->text = sb_out_growing();
    sb_blake2b_begin(&f->member);
    f->path = sb_path_in(folder, f->facts->name);
    sb_sha256_begin(&f->content);
    if (!sb_file_exists(f->path.text)) return sb_fail(error, SB_MISMATCH, "%s is missing", f->path.text);
    if (exporter->compare_begin) return open_content(f, error);
    if (!(f->gzip = sb_file_open_gzip(f->path.text, error))) return false;
    if (!exporter->begin) return true;
    if (!gzdirect(f->gzip)) /* zlib would unpack it, but other loaders would not */
        return sb_fail(error, SB_MISMATCH, "%s should not be gzipped", f->facts->name);
    f->writer = calloc(1, exporter->writer_size + 1);
    if (!f->writer) return sb_fail(error, SB_MEMORY, "out of memory for %s", f->facts->name);
    return exporter->begin(f->writer, f->export, place, &f->text, error) && compare_written(f, error);
}

static void close_rows(rows_reader *f) {
    if (f->gzip) gzclose(f->gzip);
    if (f->writer && f->export->exporter->end) f->export->exporter->end(f->writer);
    if (f->comparer) f->export->exporter->compare_end(f->comparer);
    free(f->writer), free(f->comparer);
    sb_out_free(&f->expected), sb_out_free(&f->found), sb_out_free(&f->text);
}

static void end_member(sb_blake2b *member, sb_sha256 *content) {
    uint8_t digest[32];
    sb_blake2b_end(member, digest);
    sb_sha256_add(content, digest, sizeof digest);
    sb_blake2b_begin(member);
}

/* ---- One shard ---- */

/* A shard that is being read: tapes line by line, rows byte by byte. */
typedef struct reader {
    const run *run;
    rows_reader formats[SB_FORMATS_MAX];
    const sb_shard_file *tapes_facts;
    sb_path tapes_path;
    sb_lines tapes;
    sb_tape tape;
    sb_actor actor; /* replays tapes and labels them again */
    sb_tellers tellers;
    sb_blake2b tapes_member;
    sb_sha256 tapes_content;
    uint64_t n_unfinished;       /* tapes that end before their episode does */
    size_t last;                 /* the last candidate of the shard's section */
    uint64_t last_has[SB_UNITS]; /* what the last candidate has, in the units of budgets, if last_kept */
    bool last_kept;              /* the last candidate of the section has rows in this shard */
    sb_out texts;
    sb_recorded_counts recorded;
    sb_stats member, stats; /* statistics of the gzip member and of the shard */
} reader;

/* What is wrong in a file is a fault of the dataset, unless the machine or another version is why. */
static bool as_mismatch(sb_error *error) {
    if (error->code != SB_IO && error->code != SB_MEMORY && error->code != SB_VERSION_OTHER) error->code = SB_MISMATCH;
    return false;
}

static bool fail_in_episode(const reader *r, size_t episode, sb_error *error) {
    char name[SB_NAME_MAX];
    sb_name_print(sb_selection_name(&r->run->schedule->selection, episode, &(sb_name){0}), name, sizeof name);
    as_mismatch(error);
    return sb_fail_at(error, "episode %zu, %s", episode, name);
}

static bool read_tape(reader *r, size_t episode, sb_error *error) {
    const sb_name *name = sb_selection_name(&r->run->schedule->selection, episode, &(sb_name){0});
    if (!sb_lines_next(&r->tapes, error))
        return error->code == SB_OK && sb_fail(error, SB_MISMATCH, "%s ends before this episode", r->tapes_facts->name);
    if (!sb_tape_parse(r->run->schedule->selection.catalogue, r->tapes.line.data, r->tapes.line.size, &r->tape, error))
        return sb_fail_at(error, "%s", r->tapes_facts->name);
    if (sb_compare_names(name, &r->tape.name) != 0) {
        static const char old[] = ": version 0.2 took fewer episodes for the same game, and left out fewer; verify the "
                                  "dataset with it, or build it again";
        return sb_fail(error, SB_MISMATCH, "%s holds another episode here%s", r->tapes_facts->name,
                       r->run->schedule->recipe->defaults == 1 ? old : "");
    }
    sb_blake2b_add(&r->tapes_member, r->tapes.line.data, r->tapes.line.size);
    sb_blake2b_add(&r->tapes_member, "\n", 1);
    return true;
}

/* Lets the agent of a recorded tape play again, if the agent is one of ours. */
static bool play_again(reader *r, sb_error *error) {
    sb_played_again came;
    if (!r->run->check->again || !sb_cast_records(&r->run->schedule->cast, &r->tape.name)) return true;
    if (!sb_cast_play_again(&r->actor, &r->tape, &came, error)) return false;
    return sb_recorded_count(&r->recorded, r->tape.agent, came, error);
}

static bool check_tape(reader *r, sb_error *error) {
    r->n_unfinished += !r->tape.outcome.done;
    return (sb_tape_replay(&r->tape, r->actor.worker.env, NULL, NULL, error) && sb_tape_check_whole(&r->tape, error) &&
            sb_cast_check(&r->run->schedule->cast, &r->actor, &r->tape, r->run->check->again, error) &&
            play_again(r, error)) ||
           sb_fail_at(error, "%s", r->tapes_facts->name);
}

/* Counts what is in the episode's rows of the first format. */
static bool count_texts(reader *r, uint64_t has[SB_UNITS], sb_error *error) {
    const sb_schedule *schedule = r->run->schedule;
    const sb_out *rows = &r->formats[0].expected;
    return !schedule->texts.n || sb_texts_measure(&schedule->texts, r->run->check->tokenizer, rows->data, rows->size,
                                                  &r->texts, &has[SB_CHARACTERS], &has[SB_TOKENS], error);
}

static bool check_kept(reader *r, size_t episode, sb_stats_group *group, sb_error *error) {
    const sb_rollout rollout = {
        .episode_id = episode, .tape = &r->tape, .env = r->actor.worker.env, .tellers = &r->tellers};
    uint64_t has[SB_UNITS] = {[SB_EPISODES] = 1};
    for (size_t k = 0; k < r->run->schedule->n_exports; k++) {
        uint64_t n_rows;
        if (!check_rows(&r->formats[k], r->run->schedule, &rollout, &n_rows, error)) return false;
        if (k == 0) has[SB_ROWS] = n_rows;
        group->rows[k] += n_rows, group->bytes[k] += r->formats[k].expected.size;
    }
    if (!count_texts(r, has, error)) return false;
    group->characters += has[SB_CHARACTERS], group->tokens += has[SB_TOKENS];
    if (episode == r->last) r->last_kept = true, memcpy(r->last_has, has, sizeof has);
    return sb_stats_keep(group, &r->tape, error) &&
           sb_stats_compare_teacher(group, r->run->schedule, episode, false, &r->actor, &r->tape, error);
}

static bool check_episode(reader *r, size_t episode, sb_error *error) {
    const sb_schedule *schedule = r->run->schedule;
    sb_stats_group *group = sb_stats_episode(&r->member, schedule, episode, error);
    if (!group) return false;
    if (!sb_schedule_has_tape(schedule, episode)) return true;
    if (!read_tape(r, episode, error) || !check_tape(r, error)) return fail_in_episode(r, episode, error);
    return !sb_stats_wants(group, schedule, episode, &r->tape) || check_kept(r, episode, group, error) ||
           fail_in_episode(r, episode, error);
}

static bool end_members(reader *r, sb_error *error) {
    for (size_t k = 0; k < r->run->schedule->n_exports; k++) end_member(&r->formats[k].member, &r->formats[k].content);
    end_member(&r->tapes_member, &r->tapes_content);
    const bool ok = sb_stats_add(&r->stats, &r->member, error);
    sb_stats_clear(&r->member);
    return ok;
}

/* ---- Files against the manifest ---- */

static bool check_file(const sb_path *path, const sb_shard_file *facts, const char hex[SB_SHA256_HEX],
                       sb_error *error) {
    if (strcmp(hex, facts->content_sha256) != 0)
        return sb_fail(error, SB_MISMATCH, SB_MANIFEST_NAME ": wrong content_sha256 of %s", facts->name);
    return sb_file_check(path->text, facts->bytes, facts->sha256, error);
}

/* Fails if the file holds more than its episodes. */
static bool end_reading(rows_reader *f, sb_error *error) {
    char more;
    if (f->comparer)
        return f->export->exporter->compare_finish(f->comparer, error) || sb_fail_at(error, "%s", f->facts->name);
    if (f->writer && !(f->export->exporter->finish(f->writer, &f->text, error) && compare_written(f, error)))
        return false;
    const int n = gzread(f->gzip, &more, 1);
    if (n < 0)
        return sb_file_gzip_could_read(f->gzip, f->facts->name, error) &&
               sb_fail(error, SB_MISMATCH, "%s is damaged or cut short", f->facts->name);
    return n == 0 || sb_fail(error, SB_MISMATCH, "%s holds more than its episodes", f->facts->name);
}

static bool end_rows(rows_reader *f, sb_error *error) {
    char hex[SB_SHA256_HEX];
    if (!end_reading(f, error)) return false;
    sb_sha256_end_hex(&f->content, hex);
    return check_file(&f->path, f->facts, hex, error) &&
           (f->writer || f->comparer || sb_gzip_check(f->path.text, error));
}

static bool check_facts(reader *r, size_t shard, sb_error *error) {
    const sb_shard said = sb_manifest_shard(r->run->manifest, shard);
    char hex[SB_SHA256_HEX];
    if (sb_lines_next(&r->tapes, error))
        return sb_fail(error, SB_MISMATCH, "%s holds more than its episodes", r->tapes_facts->name);
    if (error->code != SB_OK) return as_mismatch(error);
    sb_sha256_end_hex(&r->tapes_content, hex);
    for (size_t k = 0; k < r->run->schedule->n_exports; k++)
        if (!end_rows(&r->formats[k], error)) return false;
    return check_file(&r->tapes_path, r->tapes_facts, hex, error) && sb_gzip_check(r->tapes_path.text, error) &&
           (sb_audit_counts(r->run->schedule, &said, &r->stats, error) || sb_fail_at(error, SB_MANIFEST_NAME));
}

static bool open_reader(reader *r, size_t shard, sb_error *error) {
    const char *folder = r->run->check->folder;
    for (size_t k = 0; k < r->run->schedule->n_exports; k++) {
        rows_reader *f = &r->formats[k];
        f->export = &r->run->schedule->exports[k], f->format = k;
        f->facts = sb_manifest_file(r->run->manifest, k, shard);
        if (!open_rows(f, folder, sb_schedule_place(r->run->schedule, shard), error)) return false;
    }
    r->tapes_facts = &r->run->manifest->tapes[shard];
    r->tapes_path = sb_path_in(folder, r->tapes_facts->name);
    sb_blake2b_begin(&r->tapes_member);
    sb_sha256_begin(&r->tapes_content);
    if (!sb_file_exists(r->tapes_path.text)) return sb_fail(error, SB_MISMATCH, "%s is missing", r->tapes_path.text);
    r->actor.worker.catalogue = r->run->schedule->selection.catalogue;
    return sb_worker_open(&r->actor.worker, error) &&
           sb_lines_open(&r->tapes, r->tapes_path.text, SB_TAPE_BYTES, error);
}

static void close_reader(reader *r) {
    for (size_t k = 0; k < SB_FORMATS_MAX; k++) close_rows(&r->formats[k]);
    sb_lines_close(&r->tapes);
    sb_tape_clear(&r->tape);
    sb_actor_free(&r->actor);
    sb_tellers_free(&r->tellers);
    sb_stats_free(&r->member), sb_stats_free(&r->stats);
    sb_recorded_counts_free(&r->recorded);
    sb_out_free(&r->texts);
}

static bool check_shard(reader *r, size_t shard, sb_error *error) {
    const sb_range range = sb_schedule_shard(r->run->schedule, shard);
    const sb_scheduled *section = sb_schedule_section(r->run->schedule, shard);
    r->last = section->end - 1;
    if (r->run->schedule->drawn) r->last = r->run->schedule->drawn[r->last];
    if (!open_reader(r, shard, error)) return false;
    for (size_t episode = range.first; episode < range.end; episode++) {
        if (sb_is_stopped(r->run->check->stop)) return sb_fail(error, SB_INVALID, "the check was stopped");
        const bool ends = (episode + 1 - range.first) % SB_MEMBER_EPISODES == 0 || episode + 1 == range.end;
        if (!check_episode(r, episode, error) || (ends && !end_members(r, error))) return false;
    }
    return check_facts(r, shard, error);
}

/* What a worker found in a shard. */
typedef struct found {
    sb_stats stats;
    uint64_t n_unfinished, last_has[SB_UNITS];
    bool last_kept;
    sb_recorded_counts recorded;
} found;

static void free_found(void *slot) {
    found *f = slot;
    sb_stats_free(&f->stats);
    sb_recorded_counts_free(&f->recorded);
}

static bool work(void *context, void *scratch, size_t shard, void *slot, sb_error *error) {
    (void)scratch;
    reader r = {.run = context};
    found *f = slot;
    const bool ok = check_shard(&r, shard, error);
    const sb_stats used = f->stats;
    const sb_recorded_counts counted = f->recorded;
    f->stats = r.stats, r.stats = used;
    f->recorded = r.recorded, r.recorded = counted;
    f->n_unfinished = r.n_unfinished;
    f->last_kept = r.last_kept, memcpy(f->last_has, r.last_has, sizeof f->last_has);
    close_reader(&r);
    return ok;
}

/* ---- The whole ---- */

static sb_notes notes_of(const sb_dataset_check *check) { return (sb_notes){check->note, check->note_context}; }

typedef struct totals {
    run run;
    sb_stats sum;
    size_t episodes;
    uint64_t n_unfinished;
    sb_recorded_counts recorded;
    sb_manifest_section sections[SB_SECTIONS_MAX];
    uint64_t last_has[SB_SECTIONS_MAX][SB_UNITS];
    bool last_kept[SB_SECTIONS_MAX];
} totals;

static bool take(void *context, size_t shard, void *slot, sb_error *error) {
    totals *t = context;
    const found *f = slot;
    const sb_range range = sb_schedule_shard(t->run.schedule, shard);
    t->episodes += range.end - range.first;
    if (t->run.check->progress)
        t->run.check->progress(t->run.check->context, t->episodes, t->run.schedule->selection.n);
    t->n_unfinished += f->n_unfinished;
    const size_t section = (size_t)(sb_schedule_section(t->run.schedule, shard) - t->run.schedule->sections);
    sb_manifest_section_add(&t->sections[section], &f->stats);
    if (f->last_kept) t->last_kept[section] = true, memcpy(t->last_has[section], f->last_has, sizeof f->last_has);
    return sb_stats_add(&t->sum, &f->stats, error) && sb_recorded_counts_add(&t->recorded, &f->recorded, error);
}

/* Whether tokens are counted again, or else taken from the manifest. */
static bool counts_tokens(const totals *t) { return t->run.check->tokenizer || !t->run.manifest->texts.has_tokens; }

/* Whether a section keeps its budget: the last candidate reaches it, and none before. */
static bool keeps_budget(const totals *t, size_t i) {
    const sb_composition *c = &t->run.schedule->sections[i].is.composition;
    const sb_unit unit = sb_budget_unit(c);
    if (unit == SB_UNITS) return true;
    if (unit == SB_TOKENS && !counts_tokens(t))
        return t->last_kept[i] && t->run.manifest->sections[i].has[unit] >= c->budget[unit];
    const uint64_t is = t->sections[i].has[unit], budget = c->budget[unit];
    if (unit == SB_EPISODES) return t->last_kept[i] && is == budget;
    return is >= budget && is - t->last_has[i][unit] < budget;
}

static bool is_section(const totals *t, size_t i) {
    const sb_manifest_section *said = &t->run.manifest->sections[i], *is = &t->sections[i];
    for (sb_unit unit = SB_EPISODES; unit < SB_UNITS; unit++) {
        const bool is_told = unit < SB_CHARACTERS ||
                             (t->run.manifest->has_texts && (unit != SB_TOKENS || counts_tokens(t)));
        if (is_told && said->has[unit] != is->has[unit]) return false;
    }
    return said->selected == is->selected && said->successes == is->successes;
}

static bool check_sections(const totals *t, sb_error *error) {
    const sb_manifest *m = t->run.manifest;
    for (size_t i = 0; i < m->n_sections; i++) {
        if (!is_section(t, i))
            return sb_fail(error, SB_MISMATCH, SB_MANIFEST_NAME ": key `sections`: item %zu is wrong", i);
        if (!keeps_budget(t, i))
            return sb_fail(error, SB_MISMATCH,
                           SB_MANIFEST_NAME ": key `sections`: item %zu does not end at the recipe's budget", i);
    }
    return true;
}

static bool check_totals(const sb_manifest *m, const sb_schedule *schedule, const sb_stats_group *total,
                         sb_error *error) {
    char hex[SB_SHA256_HEX];
    uint64_t rows = 0, bytes = 0;
    const bool tells_unreadable = m->unreadable || m->recipe.filter.unreadable; /* earlier versions do not */
    for (size_t k = 0; k < schedule->n_exports; k++) {
        const sb_manifest_format *format = &m->formats[k];
        rows += total->rows[k], bytes += total->bytes[k];
        sb_content_hash(sb_manifest_file(m, k, 0), m->n_shards, hex);
        if (format->rows != total->rows[k] || format->content_bytes != total->bytes[k] ||
            strcmp(format->content_sha256, hex) != 0)
            return sb_fail(error, SB_MISMATCH, SB_MANIFEST_NAME ": key `formats`: `%s` is wrong", format->name);
    }
    sb_content_hash(m->files, m->n_shards * m->n_formats, hex);
    const struct {
        const char *key;
        uint64_t said, is;
    } numbers[] = {{"selected", m->selected, total->selected},
                   {"evaluation", m->evaluation, total->evaluation},
                   {"duplicates", m->duplicates, total->duplicates},
                   {"across", m->across, total->across},
                   {"elsewhere", m->elsewhere, total->elsewhere},
                   {"filtered", m->filtered, total->played - total->episodes},
                   {"unreadable", tells_unreadable ? m->unreadable : total->unreadable, total->unreadable},
                   {"episodes", m->episodes, total->episodes},
                   {"successes", m->successes, total->successes},
                   {"rows", m->rows, rows},
                   {"content_bytes", m->content_bytes, bytes}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].said != numbers[i].is) return wrong(numbers[i].key, error);
    return strcmp(hex, m->content_sha256) == 0 || wrong("content_sha256", error);
}

/* Counts the prompts of the files again; manifests of earlier versions do not say them. */
static bool check_prompts(const totals *t, sb_error *error) {
    const bool alone = strcmp(t->run.manifest->seedbed, SB_VERSION) != 0;
    const sb_survey survey = {.schedule = t->run.schedule,
                              .folder = t->run.check->folder,
                              .jobs = t->run.check->jobs,
                              .episodes = t->run.manifest->episodes,
                              .alone = alone};
    sb_prompt_list list = {0};
    sb_out said = sb_out_growing(), is = sb_out_growing();
    if (!t->run.manifest->has_prompts) return true;
    bool ok = sb_survey_take(&survey, &list, error);
    if (ok) {
        sb_prompt_list_print(&t->run.manifest->prompts, alone, &said);
        sb_prompt_list_print(&list, alone, &is);
        ok = (sb_out_ok(&said) && sb_out_ok(&is)) || sb_fail(error, SB_MEMORY, "out of memory for counts of prompts");
        ok = ok && ((said.size == is.size && memcmp(said.data, is.data, is.size) == 0) || wrong("prompts", error));
    }
    sb_out_free(&said), sb_out_free(&is);
    sb_prompt_list_free(&list);
    return ok;
}

/* Whether the manifest says of texts what it should. Manifests of earlier versions say nothing of them. */
static bool says_texts(const sb_manifest *m, const sb_schedule *schedule) {
    return m->has_texts ? schedule->texts.n > 0 : schedule->texts.n == 0 || strcmp(m->seedbed, SB_VERSION) != 0;
}

/* Counts again what `texts` says. Tokens that nobody counts are those of the manifest, if its own sums agree. */
static bool check_texts(const totals *t, sb_error *error) {
    const sb_manifest *m = t->run.manifest;
    sb_text_list is = {0};
    uint64_t tokens = 0;
    if (!m->has_texts) return true;
    bool ok = sb_text_list_make(&t->sum, m->texts.has_tokens, &is, error);
    for (size_t i = 0; i < m->n_sections; i++) tokens += m->sections[i].has[SB_TOKENS];
    if (ok && !counts_tokens(t)) sb_note_tokens(notes_of(t->run.check));
    if (ok && m->texts.has_tokens && tokens != sb_text_list_total(&m->texts).tokens) ok = wrong("texts", error);
    for (size_t i = 0; ok && !counts_tokens(t) && i < is.n && i < m->texts.n; i++)
        is.of[i].tokens = m->texts.of[i].tokens;
    ok = ok && (sb_text_lists_agree(&m->texts, &is) || wrong("texts", error));
    sb_text_list_free(&is);
    return ok;
}

/* Compares a document byte for byte with what the manifest and the tapes give. A document from another version of the
 * program may differ in its wording. */
static bool check_document(const totals *t, sb_document which, sb_error *error) {
    const sb_manifest *m = t->run.manifest;
    const sb_document_facts *facts = &m->documents[which];
    const bool may_differ = which != SB_STATS && strcmp(m->seedbed, SB_VERSION) != 0;
    char hex[SB_SHA256_HEX];
    sb_out out = sb_out_growing();
    bool ok = sb_document_print(which, m, t->run.schedule, &t->sum, &out, error);
    if (ok) {
        sb_sha256_hex(out.data, out.size, hex);
        const bool same = out.size == facts->bytes && strcmp(hex, facts->sha256) == 0;
        if (!same && may_differ) sb_note_document(notes_of(t->run.check), m, which);
        ok = same || may_differ ||
             sb_fail(error, SB_MISMATCH, SB_MANIFEST_NAME ": its size or hash of %s is wrong", sb_document_name(which));
    }
    sb_out_free(&out);
    return ok && sb_file_check(sb_path_in(t->run.check->folder, sb_document_name(which)).text, facts->bytes,
                               facts->sha256, error);
}

static bool check_documents(const totals *t, sb_error *error) {
    for (sb_document which = 0; which < SB_DOCUMENTS; which++)
        if (!check_document(t, which, error)) return false;
    return true;
}

/* Checks the version of a look. Another version draws other pixels, so nothing else could be compared. */
static bool check_pictures(const sb_manifest_format *said, const sb_look *look, sb_error *error) {
    char picture[SB_PICTURE_NAME] = "";
    if (look) sb_picture_name(look, picture);
    if (strcmp(said->picture, picture) == 0) return true;
    if (!*said->picture || !look)
        return sb_fail(error, SB_MISMATCH, SB_MANIFEST_NAME ": key `picture` of format %s does not fit the recipe",
                       said->name);
    return sb_fail(error, SB_VERSION_OTHER,
                   "the pictures of format %s are of version `%s`; this program draws version `%s`", said->name,
                   said->picture, picture);
}

static bool check_plan(const sb_manifest *manifest, const sb_schedule *schedule, sb_error *error) {
    char rules[SB_RULES_NAME];
    sb_rules_name(schedule->family, NULL, rules);
    if (!sb_rules_agree("the dataset was made", manifest->rules, rules, error)) return false;
    if (manifest->n_formats != schedule->n_exports)
        return sb_fail(error, SB_MISMATCH, SB_MANIFEST_NAME ": the recipe gives %zu formats, not %zu",
                       schedule->n_exports, manifest->n_formats);
    for (size_t k = 0; k < schedule->n_exports; k++)
        if (strcmp(manifest->formats[k].name, schedule->exports[k].name) != 0 ||
            strcmp(manifest->formats[k].format, schedule->exports[k].exporter->name) != 0)
            return sb_fail(error, SB_MISMATCH, SB_MANIFEST_NAME ": key `formats`: item %zu is not the recipe's", k);
    for (size_t k = 0; k < schedule->n_exports; k++)
        if (!check_pictures(&manifest->formats[k], schedule->exports[k].look, error)) return false;
    return manifest->n_shards == schedule->n_shards ||
           sb_fail(error, SB_MISMATCH, SB_MANIFEST_NAME ": the recipe gives %zu shards, not %zu", schedule->n_shards,
                   manifest->n_shards);
}

/* Checks that the tapes in the folder are those that were recorded. */
static bool check_recorded(const sb_manifest *m, const sb_schedule *schedule, sb_error *error) {
    return (m->recorded == schedule->n_recorded && strcmp(m->recorded_sha256, schedule->recorded_sha256) == 0) ||
           wrong("recorded", error);
}

/* Makes the schedule. In a recorded dataset the tapes say which episodes it has. */
static bool make_plan(const sb_dataset_check *check, const sb_manifest *m, sb_schedule *schedule, sb_error *error) {
    sb_path *paths = calloc(m->n_shards + 1, sizeof *paths);
    const char **tapes = calloc(m->n_shards + 1, sizeof *tapes);
    bool ok = (paths && tapes) || sb_fail(error, SB_MEMORY, "out of memory for %zu shards", m->n_shards);
    for (size_t i = 0; ok && i < m->n_shards; i++) {
        paths[i] = sb_path_in(check->folder, sb_shard_of(SB_TAPES_KIND, "", i, m->n_shards, SB_TAPES_SUFFIX).text);
        tapes[i] = paths[i].text;
    }
    ok = ok && (sb_schedule_make(&m->recipe, tapes, m->n_shards, schedule, error) ||
                sb_fail_at(error, SB_MANIFEST_NAME ", key `recipe`"));
    free(paths), free(tapes);
    return ok;
}

/* Finds out again, from the tapes, which rows are left out. */
static bool choose_rows(const sb_dataset_check *check, sb_schedule *schedule, sb_error *error) {
    sb_path *paths = calloc(schedule->n_shards + 1, sizeof *paths);
    const char **tapes = calloc(schedule->n_shards + 1, sizeof *tapes);
    bool ok = (paths && tapes) || sb_fail(error, SB_MEMORY, "out of memory for %zu shards", schedule->n_shards);
    for (size_t i = 0; ok && i < schedule->n_shards; i++) {
        paths[i] = sb_path_in(check->folder, sb_schedule_file(schedule, SB_TAPES_KIND, i, SB_TAPES_SUFFIX).text);
        tapes[i] = paths[i].text;
    }
    ok = ok && sb_row_choice_make(schedule, (sb_tapes_from){.of_shards = tapes}, check->jobs, error);
    free(paths), free(tapes);
    return ok;
}

static bool check_folder(const sb_dataset_check *check, const sb_schedule *schedule, sb_error *error) {
    sb_strangers strangers;
    return sb_folder_check(check->folder, schedule, &strangers, error) &&
           (sb_note_strangers(notes_of(check), &strangers), true);
}

static bool verify(const sb_dataset_check *check, const sb_manifest *manifest, sb_schedule *schedule, sb_error *error) {
    if (!make_plan(check, manifest, schedule, error) || !check_plan(manifest, schedule, error) ||
        !sb_audit_all_names(schedule, manifest, error) || !sb_folder_check_rendering(check->folder, error) ||
        !sb_journal_check_extension(check->folder, &manifest->recipe, error) || !check_folder(check, schedule, error))
        return false;
    schedule->stop = check->stop;
    if (!says_texts(manifest, schedule)) return wrong("texts", error);
    if (!sb_census_take(schedule, check->jobs, error) || !choose_rows(check, schedule, error)) return false;
    totals t = {.run = {.check = check, .manifest = manifest, .schedule = schedule}};
    const sb_pool pool = {.workers = check->jobs,
                          .context = &t,
                          .work = work,
                          .take = take,
                          .stop = check->stop,
                          .slot_size = sizeof(found),
                          .free_slot = free_found};
    bool ok = sb_pool_run(&pool, schedule->n_shards, error);
    if (ok) {
        const sb_stats_group total = sb_stats_total(&t.sum);
        sb_stats_sort(&t.sum, schedule);
        ok = check_recorded(manifest, schedule, error) && check_totals(manifest, schedule, &total, error) &&
             check_sections(&t, error) && check_texts(&t, error) && check_prompts(&t, error) &&
             check_documents(&t, error);
        sb_note_unfinished(notes_of(check), t.n_unfinished);
        sb_note_recorded(notes_of(check), &t.recorded);
    }
    sb_stats_free(&t.sum), sb_recorded_counts_free(&t.recorded);
    return ok;
}

/* Opens the tokenizer that the caller names, if the dataset has tokens. Versions of its library may differ. */
static bool open_tokenizer(sb_dataset_check *check, const sb_manifest *m, sb_error *error) {
    const sb_tokenizer_facts *said = sb_recipe_tokenizer(&m->recipe);
    if (!said || !check->tokenizer_source.file) return true;
    check->tokenizer = sb_tokenizer_open(check->tokenizer_source.file, &check->tokenizer_source, error);
    if (!check->tokenizer) return false;
    const sb_tokenizer_facts *is = sb_tokenizer_is(check->tokenizer);
    if (strcmp(is->library, said->library) != 0) sb_note_library(notes_of(check), said->library, is->library);
    return strcmp(is->sha256, said->sha256) == 0 ||
           sb_fail(error, SB_INVALID, "tokenizer: %s is another one: its SHA-256 is %.12s..., not %.12s...",
                   sb_path_end(check->tokenizer_source.file), is->sha256, said->sha256);
}

bool sb_dataset_verify(const sb_dataset_check *asked, sb_manifest *manifest, sb_error *error) {
    sb_schedule schedule = {0};
    sb_dataset_check check = *asked;
    if (!sb_manifest_load(check.catalogue, check.folder, manifest, error)) return false;
    const bool ok = open_tokenizer(&check, manifest, error) &&
                    (verify(&check, manifest, &schedule, error) || sb_fail_at(error, "%s", sb_path_end(check.folder)));
    sb_schedule_free(&schedule);
    sb_tokenizer_close(check.tokenizer);
    return ok;
}
