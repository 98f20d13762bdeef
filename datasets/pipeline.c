#include "datasets/pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pool.h"
#include "rollout/recorded.h"

typedef struct run {
    const sb_pipeline *pipeline;
    const sb_schedule *schedule;
    size_t *items; /* for each shard to make, and one more, the first of its items: its bundles */
    /* The tapes that are being read. */
    sb_recorded recorded;
    bool reading;
    size_t next_line; /* with a single file: the episode whose tape comes next */
    /* The files that are being written. */
    sb_output formats[SB_FORMATS_MAX], tapes;
    size_t done, total; /* episodes */
} run;

/* The episodes of one item of the pool. */
typedef struct place {
    size_t shard;
    sb_range range;
    bool opens, closes; /* first or last item of the shard */
} place;

static place place_of(const run *r, size_t index) {
    size_t low = 0, high = r->pipeline->n_todo - 1; /* the last shard whose items do not begin behind the index */
    while (low < high) {
        const size_t middle = (low + high + 1) / 2;
        if (r->items[middle] <= index)
            low = middle;
        else
            high = middle - 1;
    }
    const size_t shard = r->pipeline->todo[low];
    const sb_range all = sb_schedule_shard(r->schedule, shard);
    const size_t first = all.first + (index - r->items[low]) * SB_MEMBER_EPISODES, end = first + SB_MEMBER_EPISODES;
    return (place){.shard = shard,
                   .range = {first, end < all.end ? end : all.end},
                   .opens = first == all.first,
                   .closes = end >= all.end};
}

/* ---- Reading tapes, in order ---- */

static bool next_tape(run *r, sb_error *error) {
    if (sb_recorded_next(&r->recorded, error)) return true;
    return error->code == SB_OK ? sb_fail(error, SB_MISMATCH, "%s holds too few tapes", r->recorded.path) : false;
}

static bool open_tapes(run *r, const place *p, sb_error *error) {
    const sb_pipeline *pipeline = r->pipeline;
    if (r->reading && !(pipeline->tapes_of_shards && p->opens)) return true;
    if (r->reading) sb_recorded_close(&r->recorded);
    r->reading = true;
    return sb_recorded_open(&r->recorded, r->schedule->selection.catalogue,
                            pipeline->tapes_of_shards ? pipeline->tapes_of_shards[p->shard] : pipeline->tapes, error);
}

/* Skips the tapes of shards that are done already, if all tapes are in a single file. */
static bool pass_over(run *r, size_t first, sb_error *error) {
    for (; r->pipeline->tapes && r->next_line < first; r->next_line++)
        if (!next_tape(r, error)) return false;
    return true;
}

static bool give(void *context, size_t index, void *slot, sb_error *error) {
    run *r = context;
    sb_bundle *bundle = slot;
    const place p = place_of(r, index);
    sb_bundle_begin(bundle);
    for (size_t i = p.range.first; i < p.range.end; i++) bundle->episodes[bundle->n++] = i;
    if (!r->pipeline->order.reads) return true;
    if (!open_tapes(r, &p, error) || !pass_over(r, p.range.first, error)) return false;
    for (size_t i = p.range.first; i < p.range.end; i++, r->next_line++) {
        if (!sb_schedule_has_tape(r->schedule, i)) continue;
        if (!next_tape(r, error)) return false;
        sb_bundle_add_line(bundle, r->recorded.line);
    }
    return sb_bundle_end(bundle, error);
}

/* ---- Working, in any thread ---- */

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    (void)index;
    return sb_bundle_make(&((run *)context)->pipeline->order, scratch, slot, error);
}

/* ---- Writing, in order ---- */

static bool open_shard(run *r, size_t shard, sb_error *error) {
    const sb_schedule *schedule = r->schedule;
    const sb_order *order = &r->pipeline->order;
    const sb_destination *destination = r->pipeline->destination;
    sb_shard *facts = &r->pipeline->shards[shard];
    sb_stats_clear(&facts->stats);
    for (size_t k = order->first_kept; k < schedule->n_exports; k++)
        if (!sb_output_open(&r->formats[k], destination, schedule, &schedule->exports[k], shard, &facts->files[k],
                            error))
            return false;
    return order->reads_only || sb_output_open(&r->tapes, destination, schedule, NULL, shard, &facts->tapes, error);
}

static bool add(run *r, size_t shard, const sb_bundle *bundle, sb_error *error) {
    const sb_order *order = &r->pipeline->order;
    for (size_t k = order->first_kept; k < r->schedule->n_exports; k++)
        if (!sb_output_add(&r->formats[k], bundle, k, error)) return false;
    return (order->reads_only || sb_output_add(&r->tapes, bundle, 0, error)) &&
           sb_stats_add(&r->pipeline->shards[shard].stats, &bundle->stats, error);
}

static bool close_shard(run *r, size_t shard, sb_error *error) {
    const sb_order *order = &r->pipeline->order;
    for (size_t k = order->first_kept; k < r->schedule->n_exports; k++)
        if (!sb_output_close(&r->formats[k], error)) return false;
    if (!order->reads_only && !sb_output_close(&r->tapes, error)) return false;
    r->pipeline->shards[shard].done = true;
    return r->pipeline->finished(r->pipeline->context, shard, error);
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    run *r = context;
    const sb_pipeline *pipeline = r->pipeline;
    const place p = place_of(r, index);
    if (p.opens && !open_shard(r, p.shard, error)) return false;
    if (!add(r, p.shard, slot, error) || (p.closes && !close_shard(r, p.shard, error))) return false;
    r->done += p.range.end - p.range.first;
    if (pipeline->progress) pipeline->progress(pipeline->progress_context, r->done, r->total);
    if (pipeline->stop && pipeline->stop->asked(pipeline->stop->context))
        return sb_fail(error, SB_INVALID, "stopped after %zu of %zu episodes; it can be resumed", r->done, r->total);
    return true;
}

static bool count_items(run *r, sb_error *error) {
    const sb_pipeline *pipeline = r->pipeline;
    r->items = calloc(pipeline->n_todo + 1, sizeof *r->items);
    if (!r->items) return sb_fail(error, SB_MEMORY, "out of memory for %zu shards", pipeline->n_todo);
    for (size_t i = 0; i < pipeline->n_todo; i++) {
        const sb_range range = sb_schedule_shard(r->schedule, pipeline->todo[i]);
        const size_t n = range.end - range.first;
        r->total += n;
        r->items[i + 1] = r->items[i] + (n + SB_MEMBER_EPISODES - 1) / SB_MEMBER_EPISODES;
    }
    return true;
}

bool sb_pipeline_run(const sb_pipeline *pipeline, sb_error *error) {
    run r = {.pipeline = pipeline, .schedule = pipeline->order.schedule};
    const sb_pool pool = {.workers = pipeline->jobs,
                          .context = &r,
                          .give = give,
                          .work = work,
                          .take = take,
                          .slot_size = sizeof(sb_bundle),
                          .scratch_size = sizeof(sb_bundle_worker),
                          .free_slot = sb_bundle_free,
                          .free_scratch = sb_bundle_worker_free};
    const bool ok = count_items(&r, error) && sb_pool_run(&pool, r.items[pipeline->n_todo], error);
    for (size_t k = 0; k < SB_FORMATS_MAX; k++) sb_output_discard(&r.formats[k]);
    sb_output_discard(&r.tapes);
    if (r.reading) sb_recorded_close(&r.recorded);
    free(r.items);
    return ok;
}
