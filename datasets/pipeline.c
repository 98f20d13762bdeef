#include "datasets/pipeline.h"

#include "base/error.h"
#include "base/pool.h"
#include "datasets/source.h"

typedef struct run {
    const sb_pipeline *pipeline;
    const sb_schedule *schedule;
    sb_source source;
    /* The files that are being written. */
    sb_output formats[SB_FORMATS_MAX], tapes;
    size_t done; /* episodes that are done */
} run;

static bool give(void *context, size_t index, void *slot, sb_error *error) {
    return sb_source_give(&((run *)context)->source, index, slot, error);
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
    const sb_place p = sb_source_place(&r->source, index);
    if (p.opens && !open_shard(r, p.shard, error)) return false;
    if (!add(r, p.shard, slot, error) || (p.closes && !close_shard(r, p.shard, error))) return false;
    r->done += p.range.end - p.range.first;
    if (pipeline->progress) pipeline->progress(pipeline->progress_context, r->done, r->source.total);
    if (sb_is_stopped(pipeline->stop))
        return sb_fail(error, SB_INVALID, "stopped after %zu of %zu episodes; it can be resumed", r->done,
                       r->source.total);
    return true;
}

bool sb_pipeline_run(const sb_pipeline *pipeline, sb_error *error) {
    run r = {.pipeline = pipeline,
             .schedule = pipeline->order.schedule,
             .source = {.schedule = pipeline->order.schedule,
                        .todo = pipeline->todo,
                        .n_todo = pipeline->n_todo,
                        .tapes_of_shards = pipeline->tapes_of_shards,
                        .tapes = pipeline->tapes}};
    const sb_pool pool = {.workers = pipeline->jobs,
                          .context = &r,
                          .give = give,
                          .work = work,
                          .take = take,
                          .slot_size = sizeof(sb_bundle),
                          .scratch_size = sizeof(sb_bundle_worker),
                          .free_slot = sb_bundle_free,
                          .free_scratch = sb_bundle_worker_free};
    const bool ok = sb_source_open(&r.source, error) && sb_pool_run(&pool, r.source.n_items, error);
    for (size_t k = 0; k < SB_FORMATS_MAX; k++) sb_output_discard(&r.formats[k]);
    sb_output_discard(&r.tapes);
    sb_source_close(&r.source);
    return ok;
}
