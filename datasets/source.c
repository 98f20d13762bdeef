#include "datasets/source.h"

#include <stdlib.h>

#include "base/error.h"

bool sb_source_open(sb_source *s, sb_error *error) {
    s->items = calloc(s->n_todo + 1, sizeof *s->items);
    if (!s->items) return sb_fail(error, SB_MEMORY, "out of memory for %zu shards", s->n_todo);
    for (size_t i = 0; i < s->n_todo; i++) {
        const sb_range range = sb_schedule_shard(s->schedule, s->todo[i]);
        const size_t n = range.end - range.first;
        s->total += n;
        s->items[i + 1] = s->items[i] + (n + SB_MEMBER_EPISODES - 1) / SB_MEMBER_EPISODES;
    }
    s->n_items = s->items[s->n_todo];
    return true;
}

void sb_source_close(sb_source *s) {
    if (s->reading) sb_recorded_close(&s->recorded);
    free(s->items);
    s->items = NULL, s->reading = false;
}

sb_place sb_source_place(const sb_source *s, size_t item) {
    size_t low = 0, high = s->n_todo - 1; /* the last shard whose items do not begin behind this one */
    while (low < high) {
        const size_t middle = (low + high + 1) / 2;
        if (s->items[middle] <= item)
            low = middle;
        else
            high = middle - 1;
    }
    const size_t shard = s->todo[low];
    const sb_range all = sb_schedule_shard(s->schedule, shard);
    const size_t first = all.first + (item - s->items[low]) * SB_MEMBER_EPISODES, end = first + SB_MEMBER_EPISODES;
    return (sb_place){.shard = shard,
                      .range = {first, end < all.end ? end : all.end},
                      .opens = first == all.first,
                      .closes = end >= all.end};
}

/* ---- Reading tapes, in order ---- */

static bool next_tape(sb_source *s, sb_error *error) {
    if (sb_recorded_next(&s->recorded, error)) return true;
    return error->code == SB_OK ? sb_fail(error, SB_MISMATCH, "%s holds too few tapes", s->recorded.path) : false;
}

static bool open_tapes(sb_source *s, const sb_place *p, sb_error *error) {
    if (s->reading && !(s->tapes_of_shards && p->opens)) return true;
    if (s->reading) sb_recorded_close(&s->recorded);
    s->reading = true;
    return sb_recorded_open(&s->recorded, s->schedule->selection.catalogue,
                            s->tapes_of_shards ? s->tapes_of_shards[p->shard] : s->tapes, error);
}

/* Skips tapes up to the episode `first`, if all tapes are in a single file: shards that are not in the list have some.
 */
static bool pass_over(sb_source *s, size_t first, sb_error *error) {
    for (; s->tapes && s->next_line < first; s->next_line++)
        if (!next_tape(s, error)) return false;
    return true;
}

bool sb_source_give(sb_source *s, size_t item, sb_bundle *bundle, sb_error *error) {
    const sb_place p = sb_source_place(s, item);
    sb_bundle_begin(bundle);
    for (size_t i = p.range.first; i < p.range.end; i++) bundle->episodes[bundle->n++] = i;
    if (!sb_source_reads(s, p.shard)) return true;
    if (!open_tapes(s, &p, error) || !pass_over(s, p.range.first, error)) return false;
    for (size_t i = p.range.first; i < p.range.end; i++, s->next_line++) {
        if (!sb_schedule_has_tape(s->schedule, i)) continue;
        if (!next_tape(s, error)) return false;
        sb_bundle_add_line(bundle, s->recorded.line);
    }
    return sb_bundle_end(bundle, error);
}
