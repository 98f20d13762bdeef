#include "datasets/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/gzip.h"
#include "base/pool.h"
#include "datasets/folder.h"
#include "rollout/player.h"

/* One kind of file (rows or tapes): the member a worker made of it, and the file that is being written. */
typedef struct member {
    sb_out packed;
    uint8_t digest[32]; /* of the uncompressed bytes */
} member;

typedef struct output {
    sb_file file;
    sb_sha256 content; /* over the digests of the members */
    sb_shard_file *facts;
} output;

typedef struct result {
    member rows, tapes;
    uint64_t n_rows, n_episodes, successes, content_bytes;
} result;

typedef struct scratch {
    sb_stage stage;
    sb_out rows, tapes;
    sb_gzip gzip;
} scratch;

typedef struct run {
    const sb_build *build;
    const sb_plan *plan;
    sb_manifest *made;
    output rows, tapes;
} run;

static void free_scratch(void *data) {
    scratch *s = data;
    sb_stage_free(&s->stage);
    sb_out_free(&s->rows), sb_out_free(&s->tapes);
    sb_gzip_free(&s->gzip);
}

static void free_result(void *data) {
    result *r = data;
    sb_out_free(&r->rows.packed), sb_out_free(&r->tapes.packed);
}

/* ---- In the workers ---- */

static bool solve_and_render(const sb_plan *plan, scratch *s, size_t episode, result *r, sb_error *error) {
    uint64_t n_rows;
    sb_stage *stage = &s->stage;
    if (!sb_stage_play(stage, plan->agent, &plan->selection.names[episode], NULL, NULL, error)) return false;
    sb_tape_print(&stage->tape, &s->tapes);
    const sb_rollout rollout = {.episode_id = episode, .tape = &stage->tape, .env = stage->env};
    if (!plan->exporter->rows(&rollout, &plan->options, &s->rows, &n_rows, error)) return false;
    r->n_rows += n_rows, r->n_episodes++, r->successes += stage->tape.outcome.success;
    return true;
}

static bool pack(scratch *s, int level, const sb_out *text, member *m, sb_error *error) {
    if (!sb_out_ok(text)) return sb_fail(error, SB_MEMORY, "out of memory for rows");
    m->packed.grows = true;
    sb_out_clear(&m->packed);
    sb_sha256_of(text->data, text->size, m->digest);
    return sb_gzip_member(&s->gzip, level, text->data, text->size, &m->packed, error);
}

static bool work(void *context, void *scratch_, size_t index, void *slot, sb_error *error) {
    const sb_plan *plan = ((run *)context)->plan;
    scratch *s = scratch_;
    result *r = slot;
    s->rows.grows = s->tapes.grows = true;
    sb_out_clear(&s->rows), sb_out_clear(&s->tapes);
    r->n_rows = r->n_episodes = r->successes = 0;
    const size_t first = index * SB_MEMBER_EPISODES;
    for (size_t i = first; i < first + SB_MEMBER_EPISODES && i < plan->selection.n; i++)
        if (!solve_and_render(plan, s, i, r, error)) return false;
    r->content_bytes = s->rows.size;
    return pack(s, plan->level, &s->rows, &r->rows, error) && pack(s, plan->level, &s->tapes, &r->tapes, error);
}

/* ---- In order ---- */

static bool open_output(run *r, output *o, const char *kind, const char *suffix, sb_shard_file *facts, size_t shard,
                        sb_error *error) {
    const sb_shard_name name = sb_shard_of(kind, shard, r->plan->n_shards, suffix);
    snprintf(facts->name, sizeof facts->name, "%s", name.text);
    o->facts = facts;
    sb_sha256_begin(&o->content);
    return sb_file_create(&o->file, sb_path_in(r->build->folder, name.text).text, error);
}

static bool append(output *o, const member *m, const result *r, sb_error *error) {
    o->facts->episodes += r->n_episodes;
    o->facts->rows += r->n_rows;
    sb_sha256_add(&o->content, m->digest, sizeof m->digest);
    return sb_file_write(&o->file, m->packed.data, m->packed.size, error);
}

static bool close_output(output *o, sb_error *error) {
    o->facts->bytes = o->file.size;
    sb_sha256_end_hex(&o->content, o->facts->content_sha256);
    return sb_file_commit(&o->file, o->facts->sha256, error);
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    run *r = context;
    const result *done = slot;
    sb_manifest *made = r->made;
    const size_t members = r->plan->shard_episodes / SB_MEMBER_EPISODES, shard = index / members;
    if (index % members == 0 &&
        (!open_output(r, &r->rows, r->plan->exporter->name, r->plan->exporter->suffix, &made->rows_files[shard], shard,
                      error) ||
         !open_output(r, &r->tapes, SB_TAPES_KIND, SB_TAPES_SUFFIX, &made->tapes_files[shard], shard, error)))
        return false;
    if (!append(&r->rows, &done->rows, done, error) || !append(&r->tapes, &done->tapes, done, error)) return false;
    made->episodes += done->n_episodes, made->rows += done->n_rows;
    made->successes += done->successes, made->content_bytes += done->content_bytes;
    const bool shard_done = (index + 1) % members == 0 || made->episodes == r->plan->selection.n;
    if (shard_done && (!close_output(&r->rows, error) || !close_output(&r->tapes, error))) return false;
    if (r->build->progress) r->build->progress(r->build->context, made->episodes, r->plan->selection.n);
    return true;
}

/* ---- The folder ---- */

static bool prepare_folder(const sb_build *build, sb_error *error) {
    if (strlen(build->folder) > 900) return sb_fail(error, SB_INVALID, "path is too long: %.80s...", build->folder);
    if (!sb_make_folder(build->folder, error)) return false;
    if (!build->overwrite && sb_file_exists(sb_path_in(build->folder, SB_MANIFEST_NAME).text))
        return sb_fail(error, SB_INVALID, "%s holds a dataset already; choose another folder, or say --force",
                       build->folder);
    return sb_folder_clear(build->folder, error);
}

static bool run_plan(run *r, sb_error *error) {
    const sb_plan *plan = r->plan;
    sb_manifest *made = r->made;
    made->n_shards = plan->n_shards;
    made->rows_files = calloc(plan->n_shards, sizeof *made->rows_files);
    made->tapes_files = calloc(plan->n_shards, sizeof *made->tapes_files);
    if (!made->rows_files || !made->tapes_files) return sb_fail(error, SB_MEMORY, "out of memory for the manifest");
    const sb_pool pool = {.workers = r->build->jobs,
                          .context = r,
                          .work = work,
                          .take = take,
                          .slot_size = sizeof(result),
                          .scratch_size = sizeof(scratch),
                          .free_slot = free_result,
                          .free_scratch = free_scratch};
    const size_t members = (plan->selection.n + SB_MEMBER_EPISODES - 1) / SB_MEMBER_EPISODES;
    r->rows.file.descriptor = r->tapes.file.descriptor = -1;
    const bool ok = sb_pool_run(&pool, members, error);
    sb_file_discard(&r->rows.file), sb_file_discard(&r->tapes.file);
    return ok;
}

bool sb_build_run(const sb_build *build, sb_manifest *made, sb_error *error) {
    sb_plan plan;
    *made = (sb_manifest){.recipe = *build->recipe};
    made->recipe.document = NULL; /* the caller's */
    made->recipe.selection.names = NULL;
    bool ok = sb_plan_make(build->recipe, &plan, error) && prepare_folder(build, error);
    if (ok) {
        run r = {.build = build, .plan = &plan, .made = made};
        sb_rules_name(plan.family, made->rules);
        ok = run_plan(&r, error);
    }
    if (ok) {
        sb_manifest_content_hash(made, made->content_sha256);
        made->recipe.selection.names = build->recipe->selection.names;
        ok = sb_manifest_save(made, build->folder, error);
        made->recipe.selection.names = NULL;
    }
    sb_plan_free(&plan);
    return ok;
}
