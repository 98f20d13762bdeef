#include "datasets/choosing.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pool.h"
#include "datasets/evaluated.h"
#include "datasets/prompts.h"
#include "datasets/source.h"

/* ---- The first pass ---- */

typedef struct choosing {
    const sb_schedule *whole;
    sb_schedule schedule; /* the whole schedule with only those formats that have prompts */
    sb_source source;
    sb_order plays, reads; /* how bundles are made of shards without tapes, and of those with tapes */
    sb_row_choice *choice; /* NULL: the rows that others stay apart from are collected */
    sb_evaluated apart;    /* what rows are compared with */
    bool is_apart;         /* whether rows are compared with others at all */
    sb_key_set seen[SB_FORMATS_MAX][SB_SPLITS_MAX]; /* the keys of prompt and answer of the rows that are kept */
    size_t next;                                    /* the episode whose first row is to be noted */
} choosing;

static bool give(void *context, size_t index, void *slot, sb_error *error) {
    return sb_source_give(&((choosing *)context)->source, index, slot, error);
}

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    const choosing *c = context;
    const size_t shard = sb_source_place(&c->source, index).shard;
    return sb_bundle_make(sb_source_reads(&c->source, shard) ? &c->reads : &c->plays, scratch, slot, error);
}

static const sb_row_hash *rows_of(const sb_bundle *bundle, size_t k, size_t *n) {
    *n = bundle->asked[k].size / sizeof(sb_row_hash);
    return (const sb_row_hash *)(const void *)bundle->asked[k].data;
}

static bool collect(choosing *c, const sb_bundle *bundle, sb_error *error) {
    for (size_t k = 0; k < c->schedule.n_exports; k++) {
        size_t n;
        const sb_row_hash *rows = rows_of(bundle, k, &n);
        for (size_t i = 0; i < n; i++) {
            if (!sb_key_set_grow(&c->apart.shown[k], error)) return false;
            sb_key_set_add(&c->apart.shown[k], rows[i].shown);
        }
    }
    return true;
}

/* Whether rows of this section are left out if they are shown in evaluation. */
static bool stays_apart(const choosing *c, const sb_scheduled *section) {
    const char *from = c->whole->recipe->rows.apart_from;
    return c->is_apart && !section->evaluates && !(from && strcmp(section->is.split, from) == 0);
}

static bool choose_row(choosing *c, size_t k, const sb_scheduled *section, const sb_row_hash *row, sb_error *error) {
    sb_chosen_rows *rows = &c->choice->of[k];
    sb_key_set *seen = &c->seen[k][section->split];
    uint64_t pair[2];
    if (stays_apart(c, section) && sb_key_set_has(&c->apart.shown[k], row->shown)) {
        rows->apart[section->split]++;
        return sb_chosen_rows_add(rows, true, error);
    }
    if (!c->whole->recipe->rows.drop_duplicates) return sb_chosen_rows_add(rows, false, error);
    if (seen->n == SB_ROW_CHOICE_MOST)
        return sb_fail(error, SB_INVALID,
                       "rows: more than %zu different rows of one format are not compared with each other: build "
                       "several datasets, or leave out \"duplicates\": \"drop\"",
                       SB_ROW_CHOICE_MOST);
    if (!sb_key_set_grow(seen, error)) return false;
    sb_pair_key(row, pair);
    const bool is_new = sb_key_set_add(seen, pair);
    rows->duplicates[section->split] += !is_new;
    return sb_chosen_rows_add(rows, !is_new, error);
}

/* Notes where the rows of this episode begin, and of earlier episodes that have no rows. */
static void begin_episode(choosing *c, size_t episode) {
    for (; c->next <= episode; c->next++)
        for (size_t k = 0; k < c->schedule.n_exports; k++) c->choice->of[k].first[c->next] = c->choice->of[k].n;
}

static bool choose(choosing *c, const sb_scheduled *section, const sb_bundle *bundle, sb_error *error) {
    size_t at[SB_FORMATS_MAX] = {0}, n;
    for (size_t i = 0; i < bundle->n_kept; i++) {
        begin_episode(c, bundle->kept[i]);
        for (size_t k = 0; k < c->schedule.n_exports; k++) {
            const sb_row_hash *rows = rows_of(bundle, k, &n);
            for (uint64_t row = 0; row < bundle->rows[k][i] && at[k] < n; row++)
                if (!choose_row(c, k, section, &rows[at[k]++], error)) return false;
        }
    }
    return true;
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    choosing *c = context;
    if (!c->choice) return collect(c, slot, error);
    return choose(c, sb_schedule_section(&c->schedule, sb_source_place(&c->source, index).shard), slot, error);
}

static bool run(choosing *c, size_t jobs, sb_error *error) {
    const sb_pool pool = {.workers = jobs,
                          .context = c,
                          .give = give,
                          .work = work,
                          .take = take,
                          .stop = c->whole->stop,
                          .slot_size = sizeof(sb_bundle),
                          .scratch_size = sizeof(sb_bundle_worker),
                          .free_slot = sb_bundle_free,
                          .free_scratch = sb_bundle_worker_free};
    const bool ok = sb_source_open(&c->source, error) && sb_pool_run(&pool, c->source.n_items, error);
    sb_source_close(&c->source);
    return ok;
}

/* Goes through the shards of one split, or of all (NULL). */
static bool go_through(choosing *c, sb_tapes_from tapes, const char *split, size_t jobs, sb_error *error) {
    size_t *todo = calloc(c->schedule.n_shards + 1, sizeof *todo), n = 0;
    if (!todo) return sb_fail(error, SB_MEMORY, "out of memory for %zu shards", c->schedule.n_shards);
    for (size_t i = 0; i < c->schedule.n_shards; i++)
        if (!split || strcmp(sb_schedule_section(&c->schedule, i)->is.split, split) == 0) todo[n++] = i;
    c->source = (sb_source){
        .schedule = &c->schedule, .todo = todo, .n_todo = n, .tapes_of_shards = tapes.of_shards, .tapes = tapes.one};
    const bool ok = run(c, jobs, error);
    free(todo);
    return ok;
}

/* ---- What rows stay apart from ---- */

static bool play_evaluation(choosing *c, size_t jobs, sb_error *error) {
    const sb_row_rules *rules = &c->whole->recipe->rows;
    sb_selection episodes = {0};
    bool ok = rules->names ? sb_evaluated_names(c->whole, rules->names, &episodes, error)
                           : sb_evaluated_lists(c->whole, &episodes, error);
    if (ok && !episodes.n)
        ok = sb_fail(error, SB_INVALID,
                     "rows: key `apart_from`: these tasks have no evaluation lists; give the path of a seed pack");
    ok = ok && sb_evaluated_play(c->whole, &episodes, 0, jobs, &c->apart, error);
    sb_selection_free(&episodes);
    return ok;
}

static bool is_split(const sb_schedule *schedule, const char *name) {
    for (size_t i = 0; name && i < schedule->n_sections; i++)
        if (strcmp(schedule->sections[i].is.split, name) == 0) return true;
    return false;
}

static bool find_apart(choosing *c, sb_tapes_from tapes, size_t jobs, sb_error *error) {
    const sb_row_rules *rules = &c->whole->recipe->rows;
    c->is_apart = rules->apart_from || rules->names;
    if (!c->is_apart) return true;
    return is_split(c->whole, rules->apart_from) ? go_through(c, tapes, rules->apart_from, jobs, error)
                                                 : play_evaluation(c, jobs, error);
}

/* ---- The whole ---- */

static sb_row_choice *make(const sb_schedule *schedule, sb_error *error) {
    sb_row_choice *choice = calloc(1, sizeof *choice);
    bool ok = choice != NULL;
    for (size_t k = 0; ok && k < schedule->n_exports; k++)
        ok = (choice->of[k].first = calloc(schedule->selection.n + 1, sizeof *choice->of[k].first));
    if (ok) return choice;
    sb_row_choice_free(choice);
    return sb_fail(error, SB_MEMORY, "out of memory for %zu episodes", schedule->selection.n), NULL;
}

bool sb_row_choice_make(sb_schedule *schedule, sb_tapes_from tapes, size_t jobs, sb_error *error) {
    size_t at[SB_FORMATS_MAX];
    if (sb_row_rules_are_empty(&schedule->recipe->rows)) return true;
    choosing c = {.whole = schedule, .schedule = *schedule};
    sb_keep_asking(&c.schedule, at);
    c.plays = (sb_order){.schedule = &c.schedule, .rows_only = true, .asks = true};
    c.reads = (sb_order){
        .schedule = &c.schedule, .reads = true, .reads_only = tapes.of_shards != NULL, .rows_only = true, .asks = true};
    bool ok = find_apart(&c, tapes, jobs, error) && (c.choice = make(schedule, error)) &&
              go_through(&c, tapes, NULL, jobs, error);
    if (ok) begin_episode(&c, schedule->selection.n);
    for (size_t k = 0; k < SB_FORMATS_MAX; k++)
        for (size_t split = 0; split < SB_SPLITS_MAX; split++) sb_key_set_free(&c.seen[k][split]);
    sb_evaluated_free(&c.apart);
    if (ok)
        schedule->choice = c.choice;
    else
        sb_row_choice_free(c.choice);
    return ok;
}
