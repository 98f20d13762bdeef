#include "evaluation/atlas/packs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/lookup.h"
#include "evaluation/atlas/chooser.h"
#include "seeds/official.h"

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

/* How many seeds of the base stand before the last of the list and are not in it. */
static bool count_left_out(const sb_pack *pack, sb_seed_list *list, sb_error *error) {
    const sb_pack_task pair = {list->task, list->difficulty};
    const uint64_t last = list->seeds[list->n - 1];
    const size_t published = sb_official_length(pack->base);
    for (size_t n = published ? published : 2 * list->n; n <= SB_PACK_SEEDS; n *= 2) {
        sb_pack due = {0};
        size_t at = 0;
        if (!sb_pack_derive(&due, pack->family, pack->base, &pair, 1, n, error)) return false;
        while (at < n && due.lists[0].seeds[at] != last) at++;
        sb_pack_clear(&due);
        if (at < n) return list->left_out = at + 1 - list->n, true;
    }
    return sb_fail(error, SB_INVALID, "a seed that the split does not give");
}

static size_t length_of_list(const sb_selection *selection, size_t first) {
    size_t end = first + 1;
    while (end < selection->n && sb_same_chosen_pair(&selection->episodes[first], &selection->episodes[end])) end++;
    return end - first;
}

static bool add_list(sb_pack *pack, const sb_selection *selection, size_t first, size_t n, sb_error *error) {
    sb_name name;
    sb_selection_name(selection, first, &name);
    sb_seed_list *list = sb_pack_add(pack, name.task, name.difficulty, n, error);
    for (size_t i = 0; list && i < n; i++) list->seeds[i] = selection->episodes[first + i].seed;
    return list && (count_left_out(pack, list, error) || sb_pack_fail_in(name.task, name.difficulty, error));
}

static bool add_lists(sb_pack *pack, const sb_selection *selection, const char *base, sb_error *error) {
    size_t n_lists = 0, n;
    for (size_t i = 0; i < selection->n; i += length_of_list(selection, i)) n_lists++;
    bool ok = sb_pack_begin(pack, sb_selection_family(selection, 0)->name, base, n_lists, error);
    for (size_t i = 0; i < selection->n && ok; i += n) {
        n = length_of_list(selection, i);
        ok = add_list(pack, selection, i, n, error);
    }
    return ok && sb_pack_finish(pack, error);
}

/* ---- Measures ---------------------------------------------------------------------------------------------------- */

/* Notes the measures that decided. Lists hold their episodes in the order of the selection. */
static bool note_values(const sb_selection *selection, sb_pack *pack, sb_error *error) {
    const sb_chooser *chooser = sb_catalogue_chooser(selection->catalogue);
    for (size_t first = 0, length; first < selection->n; first += length) {
        sb_name name;
        sb_selection_name(selection, first, &name);
        double *noted = sb_pack_find(pack, name.task, name.difficulty)->values;
        length = length_of_list(selection, first);
        for (size_t i = 0; i < length; i++, noted += pack->demand.n) {
            const double *values = sb_chooser_values(chooser, &selection->episodes[first + i]);
            if (!values) return sb_fail(error, SB_INVALID, "measures of what was chosen are not known");
            memcpy(noted, values, pack->demand.n * sizeof *noted);
        }
    }
    return true;
}

static bool note_measures(sb_pack *pack, const sb_request *request, const sb_selection *selection, sb_error *error) {
    sb_demanded demanded;
    if (!sb_demanded_read(request->where, request->spread, &demanded, error)) return false;
    sb_pack_demand demand = {.where = (char *)(uintptr_t)request->where,
                             .spread = (char *)(uintptr_t)request->spread,
                             .version = SB_ATLAS_VERSION,
                             .n = demanded.n};
    sb_demand_free(demanded.demand);
    for (size_t i = 0; i < demand.n; i++) strcpy(demand.measures[i], sb_atlas_measures[demanded.measures[i]].name);
    return sb_pack_add_demand(pack, &demand, error) && note_values(selection, pack, error);
}

bool sb_pack_choose_demanded(sb_pack *pack, const sb_request *request, sb_error *error) {
    sb_selection selection = {0};
    *pack = (sb_pack){0};
    if (request->seeds || request->n_names)
        return sb_fail(error, SB_INVALID, "a pack's seeds come from a split, not from a list");
    const bool ok = sb_select(request, &selection, error) &&
                    add_lists(pack, &selection, request->split ? request->split : "eval", error) &&
                    note_measures(pack, request, &selection, error);
    if (ok) sb_pack_seal(pack);
    sb_selection_free(&selection);
    return ok;
}

/* ---- Measuring again --------------------------------------------------------------------------------------------- */

/* Goes through the episodes of a pack, list by list. */
typedef struct going {
    const sb_pack *pack;
    const sb_pack_measuring *how;
    const sb_demanded *demanded;
    size_t list, seed, done, total;
    size_t found[SB_SPREAD_RANGES]; /* episodes found in each range of the spread */
} going;

static bool is_same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static bool check_row(const going *g, const sb_atlas_row *row, const double *said, sb_error *error) {
    for (size_t i = 0; i < g->demanded->n; i++) {
        const double measured = row->values[g->demanded->measures[i]];
        if (!is_same(said[i], measured))
            return sb_fail(error, SB_MISMATCH, "seed %llu: `%s` is %g, not %g", (unsigned long long)row->name.seed,
                           g->pack->demand.measures[i], measured, said[i]);
    }
    return sb_demand_holds(g->demanded->demand, row) ||
           sb_fail(error, SB_MISMATCH, "seed %llu is not as demanded", (unsigned long long)row->name.seed);
}

static bool take_row(void *context, const sb_atlas_row *row, sb_error *error) {
    going *g = context;
    const sb_seed_list *list = &g->pack->lists[g->list];
    const sb_spread *spread = &g->demanded->spread;
    if (!check_row(g, row, list->values + g->seed * list->n_values, error))
        return sb_pack_fail_in(list->task, list->difficulty, error);
    if (spread->n) g->found[sb_spread_range(spread, row->values[spread->measure])]++;
    if (++g->seed == list->n) g->list++, g->seed = 0;
    if (g->how->progress) g->how->progress(g->how->context, ++g->done, g->total);
    return true;
}

static bool go(going *g, sb_error *error) {
    sb_selection selection;
    bool ok = sb_select_pack(g->how->catalogue, g->pack, &selection, error);
    const sb_atlas_making making = {.selection = &selection,
                                    .jobs = g->how->jobs,
                                    .demand = g->demanded->demand,
                                    .take = take_row,
                                    .context = g,
                                    .stop = g->how->stop};
    ok = ok && sb_atlas_draw_up(&making, error);
    sb_selection_free(&selection);
    return ok;
}

static bool check_measures(const sb_pack_demand *d, const sb_demanded *demanded, sb_error *error) {
    bool same = d->n == demanded->n;
    for (size_t i = 0; same && i < d->n; i++)
        same = strcmp(d->measures[i], sb_atlas_measures[demanded->measures[i]].name) == 0;
    return same || sb_fail(error, SB_MISMATCH, "its measures are not those that the demand reads");
}

/* Checks that the ranges have equally many episodes of a task, but for one. */
static bool check_spread(const going *g, const sb_pack *part, sb_error *error) {
    size_t least = SIZE_MAX, most = 0;
    for (int i = 0; i < g->demanded->spread.n; i++) {
        least = g->found[i] < least ? g->found[i] : least;
        most = g->found[i] > most ? g->found[i] : most;
    }
    return !g->demanded->spread.n || most <= least + 1 ||
           sb_fail(error, SB_MISMATCH, "%s: ranges of the spread have from %zu to %zu episodes", part->lists[0].task,
                   least, most);
}

/* Checks the lists of one task, as a pack of their own. */
static bool check_task(const sb_pack *pack, size_t first, size_t n, going *g, sb_error *error) {
    sb_pack part = *pack;
    part.lists += first, part.n_lists = n;
    g->pack = &part, g->list = 0;
    memset(g->found, 0, sizeof g->found);
    const bool ok = go(g, error) && check_spread(g, &part, error);
    g->pack = NULL;
    return ok;
}

static bool check_tasks(const sb_pack *pack, going *g, sb_error *error) {
    for (size_t first = 0, end; first < pack->n_lists; first = end) {
        for (end = first + 1; end < pack->n_lists;) {
            if (strcmp(pack->lists[first].task, pack->lists[end].task) != 0) break;
            end++;
        }
        if (!check_task(pack, first, end - first, g, error)) return false;
    }
    return true;
}

bool sb_pack_check_demand(const sb_pack *pack, const sb_pack_measuring *how, sb_error *error) {
    const sb_pack_demand *d = &pack->demand;
    sb_demanded demanded;
    if (d->version != SB_ATLAS_VERSION)
        return sb_fail(error, SB_VERSION_OTHER, "it was chosen by version %u of the measures; this program has %d",
                       d->version, SB_ATLAS_VERSION);
    bool ok = sb_demanded_read(d->where, d->spread, &demanded, error);
    going g = {.how = how, .demanded = &demanded, .total = pack->n_seeds};
    ok = ok && check_measures(d, &demanded, error) && check_tasks(pack, &g, error);
    sb_demand_free(demanded.demand);
    return ok;
}
