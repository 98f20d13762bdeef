#include "datasets/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "base/file.h"
#include "base/pool.h"
#include "datasets/folder.h"

typedef struct run {
    const sb_dataset_check *check;
    const sb_manifest *manifest;
    const sb_plan *plan;
} run;

/* ---- Rows against what the tapes say they should be ---- */

/* One shard being read: its tapes line by line, its rows byte by byte. */
typedef struct reader {
    const run *run;
    const sb_shard_file *rows_facts, *tapes_facts;
    sb_path rows_path, tapes_path;
    gzFile rows;
    sb_lines tapes;
    sb_tape tape;
    sb_env *env;
    sb_out expected, found; /* the rows of one episode */
    sb_sha256 content, rows_member, tapes_member, tapes_content;
    uint64_t n_rows, content_bytes, successes;
} reader;

static bool fail_in_episode(const reader *r, size_t episode, sb_error *error) {
    char name[SB_NAME_MAX];
    sb_name_print(&r->run->plan->selection.names[episode], name, sizeof name);
    if (error->code != SB_IO && error->code != SB_MEMORY && error->code != SB_VERSION_OTHER) error->code = SB_MISMATCH;
    return sb_fail_at(error, "episode %zu, %s", episode, name);
}

/* The row, and the key whose value holds the first byte that differs. */
static bool fail_at_byte(const reader *r, size_t at, sb_error *error) {
    const char *text = r->expected.data;
    size_t row = 0, key_end = at, key_begin;
    for (size_t i = 0; i < at; i++) row += text[i] == '\n';
    while (key_end > 1 && !(text[key_end - 1] == '"' && text[key_end] == ':')) key_end--;
    for (key_begin = key_end > 1 ? key_end - 1 : 0; key_begin && text[key_begin - 1] != '"';) key_begin--;
    return sb_fail(error, SB_MISMATCH, "%s: row %zu of the episode is not what the tape gives, at `%.*s`",
                   r->rows_facts->name, row, (int)(key_end > key_begin + 1 ? key_end - 1 - key_begin : 0),
                   text + key_begin);
}

static bool compare_rows(reader *r, sb_error *error) {
    const sb_out *expected = &r->expected;
    sb_out_clear(&r->found);
    char *room = sb_out_reserve(&r->found, expected->size);
    if (!room) return sb_fail(error, SB_MEMORY, "out of memory for rows");
    size_t got = 0;
    while (got < expected->size) {
        const size_t left = expected->size - got;
        const int n = gzread(r->rows, room + got, left < 1 << 20 ? (unsigned)left : 1 << 20);
        if (n <= 0) break;
        got += (size_t)n;
    }
    size_t same = 0;
    while (same < got && room[same] == expected->data[same]) same++;
    if (same == expected->size) return true;
    if (same < got) return fail_at_byte(r, same, error);
    return sb_fail(error, SB_MISMATCH, "%s is damaged or cut short here", r->rows_facts->name);
}

static bool read_tape(reader *r, size_t episode, sb_error *error) {
    const sb_name *name = &r->run->plan->selection.names[episode];
    if (!sb_lines_next(&r->tapes, error)) {
        if (error->code == SB_OK) return sb_fail(error, SB_MISMATCH, "%s ends here", r->tapes_facts->name);
        return false;
    }
    if (!sb_tape_parse(r->tapes.line.data, r->tapes.line.size, &r->tape, error))
        return sb_fail_at(error, "%s", r->tapes_facts->name);
    if (memcmp(name->task, r->tape.name.task, sizeof name->task) != 0 || name->seed != r->tape.name.seed ||
        strcmp(name->variant, r->tape.name.variant) != 0 || strcmp(name->family, r->tape.name.family) != 0)
        return sb_fail(error, SB_MISMATCH, "%s holds another episode in its place", r->tapes_facts->name);
    return strcmp(r->tape.agent, r->run->plan->agent) == 0 ||
           sb_fail(error, SB_MISMATCH, "%s says that %s acted, the recipe %s", r->tapes_facts->name, r->tape.agent,
                   r->run->plan->agent);
}

static bool check_episode(reader *r, size_t episode, sb_error *error) {
    const sb_plan *plan = r->run->plan;
    const sb_rollout rollout = {.episode_id = episode, .tape = &r->tape, .env = r->env};
    uint64_t n_rows;
    sb_out_clear(&r->expected);
    if (!read_tape(r, episode, error) ||
        !plan->exporter->rows(&rollout, &plan->options, &r->expected, &n_rows, error) || !compare_rows(r, error))
        return fail_in_episode(r, episode, error);
    r->n_rows += n_rows, r->successes += r->tape.outcome.success, r->content_bytes += r->expected.size;
    sb_sha256_add(&r->rows_member, r->expected.data, r->expected.size);
    sb_sha256_add(&r->tapes_member, r->tapes.line.data, r->tapes.line.size);
    sb_sha256_add(&r->tapes_member, "\n", 1);
    return true;
}

static void end_member(sb_sha256 *member, sb_sha256 *content) {
    uint8_t digest[32];
    sb_sha256_end(member, digest);
    sb_sha256_add(content, digest, sizeof digest);
    sb_sha256_begin(member);
}

/* ---- Files against the manifest ---- */

static bool check_file(const sb_path *p, const sb_shard_file *facts, sb_error *error) {
    char hex[SB_SHA256_HEX], buffer[1 << 16];
    sb_sha256 hash;
    uint64_t bytes = 0;
    FILE *file = fopen(p->text, "rb");
    if (!file) return sb_fail_errno(error, "cannot read %s", p->text);
    sb_sha256_begin(&hash);
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0; bytes += n) sb_sha256_add(&hash, buffer, n);
    const bool read = !ferror(file);
    fclose(file);
    if (!read) return sb_fail(error, SB_IO, "cannot read %s to its end", p->text);
    sb_sha256_end_hex(&hash, hex);
    if (bytes != facts->bytes)
        return sb_fail(error, SB_MISMATCH, "%s has %llu bytes, the manifest says %llu", facts->name,
                       (unsigned long long)bytes, (unsigned long long)facts->bytes);
    return strcmp(hex, facts->sha256) == 0 ||
           sb_fail(error, SB_MISMATCH, "%s has not the SHA-256 of the manifest (its content is right)", facts->name);
}

static bool check_facts(reader *r, size_t n_episodes, sb_error *error) {
    char rows_hex[SB_SHA256_HEX], tapes_hex[SB_SHA256_HEX], more;
    if (gzread(r->rows, &more, 1) != 0)
        return sb_fail(error, SB_MISMATCH, "%s holds more than its episodes", r->rows_facts->name);
    if (sb_lines_next(&r->tapes, error) || error->code != SB_OK)
        return sb_fail(error, SB_MISMATCH, "%s holds more than its episodes", r->tapes_facts->name);
    sb_sha256_end_hex(&r->content, rows_hex), sb_sha256_end_hex(&r->tapes_content, tapes_hex);
    const sb_shard_file *facts[] = {r->rows_facts, r->tapes_facts};
    const char *hex[] = {rows_hex, tapes_hex};
    for (int k = 0; k < 2; k++) {
        if (strcmp(hex[k], facts[k]->content_sha256) != 0)
            return sb_fail(error, SB_MISMATCH, "manifest: wrong content_sha256 of %s", facts[k]->name);
        if (facts[k]->rows != r->n_rows || facts[k]->episodes != n_episodes)
            return sb_fail(error, SB_MISMATCH, "manifest: wrong number of rows or episodes of %s", facts[k]->name);
    }
    return check_file(&r->rows_path, r->rows_facts, error) && check_file(&r->tapes_path, r->tapes_facts, error);
}

/* ---- One shard ---- */

typedef struct shard_result {
    uint64_t episodes, rows, successes, content_bytes;
} shard_result;

static bool open_reader(reader *r, sb_error *error) {
    r->expected = r->found = sb_out_growing();
    r->rows_path = sb_path_in(r->run->check->folder, r->rows_facts->name);
    r->tapes_path = sb_path_in(r->run->check->folder, r->tapes_facts->name);
    sb_sha256_begin(&r->content), sb_sha256_begin(&r->tapes_content);
    sb_sha256_begin(&r->rows_member), sb_sha256_begin(&r->tapes_member);
    if (!sb_file_exists(r->rows_path.text)) return sb_fail(error, SB_MISMATCH, "%s is missing", r->rows_path.text);
    if (!sb_file_exists(r->tapes_path.text)) return sb_fail(error, SB_MISMATCH, "%s is missing", r->tapes_path.text);
    r->rows = gzopen(r->rows_path.text, "rb");
    if (!r->rows) return sb_fail_errno(error, "cannot read %s", r->rows_path.text);
    gzbuffer(r->rows, 1 << 16);
    r->env = sb_make(NULL, error);
    return r->env && sb_lines_open(&r->tapes, r->tapes_path.text, SB_TAPE_BYTES, error);
}

static void close_reader(reader *r) {
    if (r->rows) gzclose(r->rows);
    sb_lines_close(&r->tapes);
    sb_tape_free(&r->tape);
    sb_free(r->env);
    sb_out_free(&r->expected), sb_out_free(&r->found);
}

static bool check_shard(reader *r, size_t shard, shard_result *result, sb_error *error) {
    const sb_plan *plan = r->run->plan;
    const size_t first = shard * plan->shard_episodes;
    const size_t end = first + plan->shard_episodes < plan->selection.n ? first + plan->shard_episodes
                                                                        : plan->selection.n;
    if (!open_reader(r, error)) return false;
    for (size_t episode = first; episode < end; episode++) {
        if (!check_episode(r, episode, error)) return false;
        if ((episode + 1) % SB_MEMBER_EPISODES == 0 || episode + 1 == end) {
            end_member(&r->rows_member, &r->content);
            end_member(&r->tapes_member, &r->tapes_content);
        }
    }
    *result = (shard_result){end - first, r->n_rows, r->successes, r->content_bytes};
    return check_facts(r, end - first, error);
}

static bool work(void *context, void *scratch, size_t shard, void *slot, sb_error *error) {
    (void)scratch;
    const run *run_ = context;
    reader r = {.run = run_,
                .rows_facts = &run_->manifest->rows_files[shard],
                .tapes_facts = &run_->manifest->tapes_files[shard]};
    const bool ok = check_shard(&r, shard, slot, error);
    close_reader(&r);
    return ok;
}

typedef struct totals {
    run run;
    shard_result sum;
} totals;

static bool take(void *context, size_t shard, void *slot, sb_error *error) {
    (void)shard, (void)error;
    totals *t = context;
    const shard_result *result = slot;
    t->sum.episodes += result->episodes, t->sum.rows += result->rows;
    t->sum.successes += result->successes, t->sum.content_bytes += result->content_bytes;
    if (t->run.check->progress)
        t->run.check->progress(t->run.check->context, t->sum.episodes, t->run.plan->selection.n);
    return true;
}

static bool check_totals(const sb_manifest *m, const shard_result *sum, sb_error *error) {
    char hex[SB_SHA256_HEX];
    sb_manifest_content_hash(m, hex);
    const char *wrong = m->episodes != sum->episodes             ? "episodes"
                        : m->rows != sum->rows                   ? "rows"
                        : m->successes != sum->successes         ? "successes"
                        : m->content_bytes != sum->content_bytes ? "content_bytes"
                        : strcmp(hex, m->content_sha256) != 0    ? "content_sha256"
                                                                 : NULL;
    return !wrong || sb_fail(error, SB_MISMATCH, SB_MANIFEST_NAME ": `%s` is wrong", wrong);
}

static bool check_plan(const sb_manifest *manifest, const sb_plan *plan, sb_error *error) {
    char rules[SB_RULES_NAME];
    sb_rules_name(plan->family, rules);
    if (strcmp(rules, manifest->rules) != 0)
        return sb_fail(error, SB_VERSION_OTHER, "the dataset was made under the rules `%s`; these are `%s`",
                       manifest->rules, rules);
    return manifest->n_shards == plan->n_shards ||
           sb_fail(error, SB_MISMATCH, SB_MANIFEST_NAME ": the recipe gives %zu shards, not %zu", plan->n_shards,
                   manifest->n_shards);
}

static bool verify(const sb_dataset_check *check, const sb_manifest *manifest, sb_plan *plan, sb_error *error) {
    if (!sb_plan_make(&manifest->recipe, plan, error)) return sb_fail_at(error, SB_MANIFEST_NAME ", key `recipe`");
    if (!check_plan(manifest, plan, error) || !sb_folder_check(check->folder, manifest, error)) return false;
    totals t = {.run = {.check = check, .manifest = manifest, .plan = plan}};
    const sb_pool pool = {
        .workers = check->jobs, .context = &t, .work = work, .take = take, .slot_size = sizeof(shard_result)};
    return sb_pool_run(&pool, plan->n_shards, error) && check_totals(manifest, &t.sum, error);
}

bool sb_dataset_verify(const sb_dataset_check *check, sb_manifest *manifest, sb_error *error) {
    sb_plan plan = {0};
    if (!sb_manifest_load(check->folder, manifest, error)) return false;
    const bool ok = verify(check, manifest, &plan, error) || sb_fail_at(error, "%.100s", check->folder);
    sb_plan_free(&plan);
    return ok;
}
