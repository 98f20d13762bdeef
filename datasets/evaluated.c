#include "datasets/evaluated.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pool.h"
#include "datasets/bundle.h"
#include "datasets/census.h"
#include "datasets/prompts.h"

/* ---- Which episodes ---- */

bool sb_evaluated_lists(const sb_schedule *schedule, sb_selection *episodes, sb_error *error) {
    sb_pack pack = {0};
    *episodes = (sb_selection){.catalogue = schedule->selection.catalogue};
    const bool ok = sb_census_evaluation(schedule, &pack, error) &&
                    (!pack.n_lists || sb_select_pack(schedule->selection.catalogue, &pack, episodes, error));
    sb_pack_clear(&pack);
    return ok;
}

static bool check_names(const sb_schedule *schedule, const sb_selection *episodes, sb_error *error) {
    for (size_t i = 0; i < episodes->n; i++) {
        sb_name name;
        if (sb_selection_family(episodes, i) != schedule->family)
            return sb_fail(error, SB_INVALID, "episodes of the family %s are not compared with those of %s",
                           sb_selection_family(episodes, i)->name, schedule->family->name);
        if (!sb_cast_can(&schedule->cast, sb_selection_name(episodes, i, &name), error)) return false;
    }
    return true;
}

bool sb_evaluated_names(const sb_schedule *schedule, const cJSON *names, sb_selection *episodes, sb_error *error) {
    const size_t n = (size_t)cJSON_GetArraySize(names);
    const char **texts = calloc(n + 1, sizeof *texts);
    size_t i = 0;
    const cJSON *item;
    *episodes = (sb_selection){0};
    if (!texts) return sb_fail(error, SB_MEMORY, "out of memory for %zu names", n);
    cJSON_ArrayForEach(item, names) texts[i++] = item->valuestring;
    const sb_request request = {
        .catalogue = schedule->selection.catalogue, .names = texts, .n_names = n, .repeats = true};
    const bool ok = (sb_select(&request, episodes, error) && check_names(schedule, episodes, error)) ||
                    sb_fail_at(error, "rows: key `apart_from`");
    free(texts);
    return ok;
}

/* ---- Playing them ---- */

typedef struct playing {
    sb_recipe recipe;
    sb_schedule schedule; /* schedule of the evaluation episodes */
    sb_order order;
    /* at: place of each format with prompts in the dataset's schedule; n: how many episodes are played. */
    size_t at[SB_FORMATS_MAX], n;
    sb_evaluated *evaluated;
} playing;

void sb_keep_asking(sb_schedule *copy, size_t at[SB_FORMATS_MAX]) {
    size_t n = 0;
    for (size_t k = 0; k < copy->n_exports; k++)
        if (copy->exports[k].exporter->ask) at[n] = k, copy->exports[n++] = copy->exports[k];
    copy->n_exports = n;
}

static bool give(void *context, size_t index, void *slot, sb_error *error) {
    const playing *p = context;
    sb_bundle *bundle = slot;
    (void)error;
    sb_bundle_begin(bundle);
    bundle->episodes[bundle->n++] = index * p->schedule.selection.n / p->n;
    return true;
}

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    sb_bundle *bundle = slot;
    (void)index;
    if (sb_bundle_make(&((playing *)context)->order, scratch, slot, error)) return true;
    bundle->n_kept = 0;
    return error->code != SB_MEMORY;
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    playing *p = context;
    const sb_bundle *bundle = slot;
    (void)index;
    p->evaluated->played += bundle->n_kept;
    for (size_t k = 0; bundle->n_kept && k < p->schedule.n_exports; k++) {
        const sb_row_hash *rows = (const sb_row_hash *)(const void *)bundle->asked[k].data;
        for (size_t i = 0; i < bundle->asked[k].size / sizeof *rows; i++) {
            sb_key_set *set = &p->evaluated->shown[p->at[k]];
            if (!sb_key_set_grow(set, error)) return false;
            sb_key_set_add(set, rows[i].shown);
        }
    }
    return true;
}

/* Makes the schedule of evaluation episodes: nothing is left out. It borrows everything but the fates. */
static bool plan(playing *p, const sb_schedule *schedule, const sb_selection *episodes, sb_error *error) {
    p->recipe = *schedule->recipe;
    p->recipe.filter = (sb_filter){0};
    p->recipe.keep_evaluation = true, p->recipe.drop_duplicates = false;
    p->schedule = *schedule;
    p->schedule.recipe = &p->recipe, p->schedule.selection = *episodes;
    p->schedule.choice = NULL, p->schedule.beaten = NULL, p->schedule.drawn = NULL;
    p->schedule.fates = calloc(episodes->n + 1, sizeof *p->schedule.fates);
    sb_keep_asking(&p->schedule, p->at);
    p->order = (sb_order){.schedule = &p->schedule, .rows_only = true, .asks = true};
    return p->schedule.fates || sb_fail(error, SB_MEMORY, "out of memory for %zu episodes", episodes->n);
}

bool sb_evaluated_play(const sb_schedule *schedule, const sb_selection *episodes, size_t most, size_t jobs,
                       sb_evaluated *evaluated, sb_error *error) {
    playing p = {.n = most && most < episodes->n ? most : episodes->n, .evaluated = evaluated};
    const sb_pool pool = {.workers = jobs,
                          .context = &p,
                          .give = give,
                          .work = work,
                          .take = take,
                          .stop = schedule->stop,
                          .slot_size = sizeof(sb_bundle),
                          .scratch_size = sizeof(sb_bundle_worker),
                          .free_slot = sb_bundle_free,
                          .free_scratch = sb_bundle_worker_free};
    *evaluated = (sb_evaluated){.listed = episodes->n};
    const bool ok = plan(&p, schedule, episodes, error) && (!p.schedule.n_exports || sb_pool_run(&pool, p.n, error));
    free(p.schedule.fates);
    return ok;
}

void sb_evaluated_free(sb_evaluated *evaluated) {
    for (size_t k = 0; k < SB_FORMATS_MAX; k++) sb_key_set_free(&evaluated->shown[k]);
}
