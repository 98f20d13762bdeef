#include "evaluation/atlas/chooser.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "engine/environment.h"
#include "seeds/official.h"

/* So many episodes are looked at for each one that is wanted, before there are too few. */
enum { TRIED_PER_EPISODE = 100, TRIED_MORE = 1000 };
enum { ROUNDS = 64 }; /* episodes of each list that are measured together, if nobody knows how many it takes */

/* ---- What was measured ------------------------------------------------------------------------------------------- */

typedef struct remembered {
    sb_chosen episode;
    int range; /* range of the spread that the episode is in; 0 without a spread; -1: it is not as demanded */
} remembered;

struct sb_atlas_chooser {
    sb_chooser face;
    sb_chooser_settings settings;
    pthread_mutex_t lock;
    sb_atlas_book book; /* measures that were read from a file */
    bool has_book;
    char *where, *spread; /* texts of the demand in force; "": nothing is demanded */
    sb_demanded demanded;
    remembered *memory; /* episodes that were measured for this demand */
    double *values;     /* values of the demanded measures, for each episode in `memory` */
    uint32_t *slots;    /* by hash of the episode: index in `memory`, + 1; 0: free */
    size_t n, n_slots;  /* n_slots: a power of two, or 0 */
};

static size_t slot_of(const sb_atlas_chooser *c, const sb_chosen *episode) {
    const uint64_t words[2] = {episode->seed,
                               (uint64_t)episode->family << 32 | (uint64_t)episode->task << 16 | episode->difficulty};
    uint64_t key[2];
    sb_hash128(words, sizeof words, key);
    size_t slot = key[0] & (c->n_slots - 1);
    while (c->slots[slot] && sb_compare_chosen(&c->memory[c->slots[slot] - 1].episode, episode) != 0)
        slot = (slot + 1) & (c->n_slots - 1);
    return slot;
}

static const remembered *recall(const sb_atlas_chooser *c, const sb_chosen *episode) {
    const uint32_t found = c->n_slots ? c->slots[slot_of(c, episode)] : 0;
    return found ? &c->memory[found - 1] : NULL;
}

static bool grow(sb_atlas_chooser *c, sb_error *error) {
    const size_t n_slots = c->n_slots ? 2 * c->n_slots : 1024;
    remembered *memory = realloc(c->memory, n_slots / 2 * sizeof *memory);
    if (memory) c->memory = memory;
    double *values = realloc(c->values, (n_slots / 2 * c->demanded.n + 1) * sizeof *values);
    if (values) c->values = values;
    uint32_t *slots = memory && values ? calloc(n_slots, sizeof *slots) : NULL;
    if (!slots) return sb_fail(error, SB_MEMORY, "out of memory for measures");
    free(c->slots);
    c->slots = slots, c->n_slots = n_slots;
    for (size_t i = 0; i < c->n; i++) slots[slot_of(c, &memory[i].episode)] = (uint32_t)i + 1;
    return true;
}

static bool remember(sb_atlas_chooser *c, const sb_chosen *episode, const sb_atlas_row *row, int range,
                     sb_error *error) {
    if (2 * c->n >= c->n_slots && !grow(c, error)) return false;
    const size_t slot = slot_of(c, episode);
    if (c->slots[slot]) return true;
    for (size_t i = 0; i < c->demanded.n; i++)
        c->values[c->n * c->demanded.n + i] = row->values[c->demanded.measures[i]];
    c->memory[c->n++] = (remembered){*episode, range};
    c->slots[slot] = (uint32_t)c->n;
    return true;
}

static void forget(sb_atlas_chooser *c) {
    free(c->memory), free(c->values), free(c->slots), free(c->where), free(c->spread);
    sb_demand_free(c->demanded.demand);
    c->memory = NULL, c->values = NULL, c->slots = NULL, c->where = c->spread = NULL, c->n = c->n_slots = 0;
    c->demanded = (sb_demanded){0};
}

/* ---- What is demanded -------------------------------------------------------------------------------------------- */

static bool read_both(const char *where, const char *spread, sb_demanded *d, sb_error *error) {
    *d = (sb_demanded){0};
    if (spread && !sb_spread_read(spread, &d->spread, error)) return false;
    d->demand = spread ? sb_demand_make_within(where, d->spread.measure, d->spread.low, d->spread.high, error)
                       : sb_demand_make(where, error);
    return d->demand != NULL;
}

bool sb_demanded_read(const char *where, const char *spread, sb_demanded *d, sb_error *error) {
    if (!read_both(where, spread, d, error)) return false;
    for (int m = 0; m < SB_N_MEASURES; m++)
        if (sb_demand_reads(d->demand, (sb_measure)m)) d->measures[d->n++] = (sb_measure)m;
    return true;
}

static bool is_same(const char *one, const char *other) { return strcmp(one ? one : "", other ? other : "") == 0; }

static char *copy_of(const char *text) {
    char *copy = malloc(strlen(text ? text : "") + 1);
    return copy ? strcpy(copy, text ? text : "") : NULL;
}

static bool prepare(sb_atlas_chooser *c, const sb_request *request, sb_error *error) {
    if (c->demanded.demand && is_same(c->where, request->where) && is_same(c->spread, request->spread)) return true;
    forget(c);
    if (!sb_demanded_read(request->where, request->spread, &c->demanded, error)) return false;
    c->where = copy_of(request->where), c->spread = copy_of(request->spread);
    return (c->where && c->spread) || sb_fail(error, SB_MEMORY, "out of memory for a demand");
}

/* ---- Looking through lists --------------------------------------------------------------------------------------- */

/* The episodes of a task and difficulty, in the order of their seeds' list. */
typedef struct list {
    sb_selection seeds;
    int16_t *range; /* the range that each episode was taken for; -1: it was not taken */
} list;

/* Lists that are looked through together. */
typedef struct group {
    sb_atlas_chooser *chooser;
    const sb_request *request;
    list *lists;
    size_t n;              /* lists */
    size_t looked, wanted; /* episodes; wanted: how many are to be chosen, 0: no count was given */
    size_t quota[SB_SPREAD_RANGES], found[SB_SPREAD_RANGES]; /* episodes by range: due, and found so far */
    int n_ranges;
    size_t *measured, total; /* progress: episodes measured in all; total: 0 if nobody knows */
} group;

static void free_lists(group *g) {
    for (size_t i = 0; i < g->n; i++) free(g->lists[i].range), sb_selection_free(&g->lists[i].seeds);
    free(g->lists);
}

static bool mark_none(list *l, size_t from, sb_error *error) {
    int16_t *range = realloc(l->range, (l->seeds.n + 1) * sizeof *range);
    if (!range) return sb_fail(error, SB_MEMORY, "out of memory for %zu episodes", l->seeds.n);
    l->range = range;
    for (size_t i = from; i < l->seeds.n; i++) range[i] = -1;
    return true;
}

/* Copies episodes of a selection into a list. */
static bool take_slice(list *l, const sb_selection *of, size_t first, size_t n, sb_error *error) {
    l->seeds = (sb_selection){.catalogue = of->catalogue, .n = n, .episodes = malloc((n + 1) * sizeof *of->episodes)};
    if (!l->seeds.episodes) return sb_fail(error, SB_MEMORY, "out of memory for %zu episodes", n);
    memcpy(l->seeds.episodes, of->episodes + first, n * sizeof *of->episodes);
    return mark_none(l, 0, error);
}

/* Makes a list anew, with so many seeds; 0: all that are published. */
static bool lengthen(const group *g, list *l, size_t count, sb_error *error) {
    const size_t before = l->seeds.n;
    sb_selection longer;
    sb_name name;
    sb_selection_name(&l->seeds, 0, &name);
    const sb_request request = {.catalogue = g->request->catalogue,
                                .family = name.family,
                                .tasks = name.task,
                                .difficulty = *name.difficulty ? name.difficulty : NULL,
                                .split = g->request->split,
                                .count = count};
    if (!sb_select(&request, &longer, error)) return sb_selection_free(&longer), false;
    sb_selection_free(&l->seeds);
    l->seeds = longer;
    return mark_none(l, before < longer.n ? before : 0, error);
}

static size_t longest(const group *g) {
    size_t n = 0;
    for (size_t i = 0; i < g->n; i++) n = g->lists[i].seeds.n > n ? g->lists[i].seeds.n : n;
    return n;
}

/* Makes the lists at least `n` long, if their seeds do not end: those of a split of the user's own. */
static bool reach(group *g, size_t n, sb_error *error) {
    const char *split = g->request->split;
    const bool endless = g->wanted && split && !sb_official_length(split);
    for (size_t i = 0; i < g->n && endless; i++)
        if (g->lists[i].seeds.n < n && !lengthen(g, &g->lists[i], 2 * n, error)) return false;
    return true;
}

static bool is_enough(const group *g) {
    for (int i = 0; i < g->n_ranges; i++)
        if (g->found[i] < g->quota[i]) return false;
    return g->wanted > 0;
}

/* ---- Measuring */

typedef struct measuring {
    const group *group;
    const sb_selection *batch;
    size_t at;
} measuring;

static bool take_row(void *context, const sb_atlas_row *row, sb_error *error) {
    measuring *m = context;
    const group *g = m->group;
    sb_atlas_chooser *c = g->chooser;
    const sb_chooser_settings *settings = &c->settings;
    int range = -1;
    if (sb_demand_holds(c->demanded.demand, row))
        range = c->demanded.spread.n ? sb_spread_range(&c->demanded.spread, row->values[c->demanded.spread.measure])
                                     : 0;
    ++*g->measured;
    if (settings->progress) settings->progress(settings->context, *g->measured, g->total);
    return remember(c, &m->batch->episodes[m->at++], row, range, error);
}

/* Measures the unknown episodes of the lists, from round `from` on and before round `to`. */
static bool measure(const group *g, size_t from, size_t to, sb_error *error) {
    size_t capacity = 0;
    sb_selection batch = {.catalogue = g->request->catalogue};
    measuring m = {.group = g, .batch = &batch};
    bool ok = true;
    for (size_t round = from; round < to; round++)
        for (size_t i = 0; i < g->n && ok; i++) {
            const sb_selection *seeds = &g->lists[i].seeds;
            if (round >= seeds->n || recall(g->chooser, &seeds->episodes[round])) continue;
            const sb_resolved of = sb_selection_at(seeds, round);
            ok = sb_selection_add(&batch, &of, seeds->episodes[round].seed, &capacity, error);
        }
    const sb_atlas_making making = {.selection = &batch,
                                    .jobs = g->chooser->settings.jobs,
                                    .demand = g->chooser->demanded.demand,
                                    .known = g->chooser->has_book ? &g->chooser->book : NULL,
                                    .take = take_row,
                                    .context = &m,
                                    .stop = g->request->stop};
    ok = ok && sb_atlas_draw_up(&making, error);
    sb_selection_free(&batch);
    return ok;
}

static void look_at(group *g, list *l, size_t round) {
    const remembered *r = recall(g->chooser, &l->seeds.episodes[round]);
    g->looked++;
    if (r->range < 0 || (g->wanted && g->found[r->range] == g->quota[r->range])) return;
    g->found[r->range]++;
    l->range[round] = (int16_t)r->range;
}

static bool too_few(const group *g, sb_error *error) {
    const sb_spread *s = &g->chooser->demanded.spread;
    int range = 0;
    while (g->found[range] == g->quota[range]) range++;
    if (!s->n)
        return sb_fail(error, SB_INVALID,
                       "only %zu of %zu episodes were found among the %zu that were looked at: ask for fewer or for "
                       "less, or leave this difficulty out",
                       g->found[0], g->wanted, g->looked);
    return sb_fail(error, SB_INVALID,
                   "only %zu of %zu episodes with %s from %g to %g were found among the %zu that were looked at: ask "
                   "for fewer, or spread them otherwise",
                   g->found[range], g->quota[range], sb_atlas_measures[s->measure].name, sb_spread_edge(s, range),
                   sb_spread_edge(s, range + 1), g->looked);
}

static bool look_through(group *g, sb_error *error) {
    const size_t limit = TRIED_PER_EPISODE * g->wanted + TRIED_MORE;
    for (size_t from = 0, to; !is_enough(g); from = to) {
        to = g->wanted ? from + ROUNDS : longest(g);
        if (!reach(g, to, error)) return false;
        if (from >= longest(g)) break;
        if (!measure(g, from, to, error)) return false;
        for (size_t round = from; round < to; round++)
            for (size_t i = 0; i < g->n; i++)
                if (round < g->lists[i].seeds.n) look_at(g, &g->lists[i], round);
        if (g->wanted && g->looked >= limit) break;
    }
    return !g->wanted || is_enough(g) || too_few(g, error);
}

/* ---- Taking ------------------------------------------------------------------------------------------------------ */

/* Without a count, keeps as many episodes of each range as the poorest range has. */
static bool even_out(group *g, sb_error *error) {
    const sb_spread *s = &g->chooser->demanded.spread;
    size_t least = SIZE_MAX, kept[SB_SPREAD_RANGES] = {0};
    if (g->wanted || !s->n) return true;
    for (int i = 0; i < s->n; i++) {
        if (!g->found[i])
            return sb_fail(error, SB_INVALID, "none of %zu episodes has %s from %g to %g: spread them otherwise",
                           g->looked, sb_atlas_measures[s->measure].name, sb_spread_edge(s, i),
                           sb_spread_edge(s, i + 1));
        least = g->found[i] < least ? g->found[i] : least;
    }
    for (size_t round = 0; round < longest(g); round++)
        for (size_t i = 0; i < g->n; i++) {
            list *l = &g->lists[i];
            if (round < l->seeds.n && l->range[round] >= 0 && kept[l->range[round]]++ >= least) l->range[round] = -1;
        }
    return true;
}

static bool take_group(const group *g, sb_selection *selection, size_t *capacity, sb_error *error) {
    for (size_t i = 0; i < g->n; i++) {
        const list *l = &g->lists[i];
        for (size_t k = 0; k < l->seeds.n; k++) {
            const sb_resolved of = sb_selection_at(&l->seeds, k);
            if (l->range[k] >= 0 && !sb_selection_add(selection, &of, l->seeds.episodes[k].seed, capacity, error))
                return false;
        }
    }
    return true;
}

static bool fail_in(const group *g, sb_error *error) {
    sb_name name;
    if (!g->n || g->request->n_names) return false;
    sb_selection_name(&g->lists[0].seeds, 0, &name);
    return g->n > 1 || !*name.difficulty ? sb_fail_at(error, "%s", name.task)
                                         : sb_fail_at(error, "%s/%s", name.task, name.difficulty);
}

/* How many of the episodes from `first` on make a list: those of one pair or, if the request has names, all. */
static size_t length_of_list(const sb_request *request, const sb_selection *all, size_t first) {
    size_t end = first + 1;
    while (end < all->n && (request->n_names || sb_same_chosen_pair(&all->episodes[first], &all->episodes[end]))) end++;
    return end - first;
}

/* How many of the episodes from `first` on are chosen together: a list or, with a spread, all of a task. */
static size_t length_of_group(const sb_request *request, const sb_selection *all, size_t first) {
    size_t end = first + length_of_list(request, all, first);
    while (request->spread && end < all->n && all->episodes[first].task == all->episodes[end].task) end++;
    return end - first;
}

static bool make_lists(group *g, const sb_selection *all, size_t first, size_t n, sb_error *error) {
    const char *split = g->request->split ? g->request->split : "eval";
    g->lists = calloc(n, sizeof *g->lists);
    if (!g->lists) return sb_fail(error, SB_MEMORY, "out of memory for %zu episodes", n);
    for (size_t end = first + n, length; first < end; first += length) {
        list *l = &g->lists[g->n++];
        length = length_of_list(g->request, all, first);
        if (!take_slice(l, all, first, length, error)) return false;
        if (g->wanted && sb_official_length(split) && !lengthen(g, l, 0, error)) return false;
    }
    return true;
}

static bool choose_group(group *g, const sb_selection *all, size_t first, size_t n, sb_selection *selection,
                         size_t *capacity, sb_error *error) {
    g->n_ranges = g->chooser->demanded.spread.n ? g->chooser->demanded.spread.n : 1;
    g->wanted = g->request->count || g->request->counts ? n : 0;
    for (int i = 0; i < g->n_ranges; i++)
        g->quota[i] = g->wanted / (size_t)g->n_ranges + ((size_t)i < g->wanted % (size_t)g->n_ranges);
    const bool ok = make_lists(g, all, first, n, error) &&
                    ((look_through(g, error) && even_out(g, error)) || fail_in(g, error)) &&
                    take_group(g, selection, capacity, error);
    free_lists(g);
    return ok;
}

static bool choose_all(sb_atlas_chooser *c, const sb_request *request, const sb_selection *all, sb_selection *selection,
                       sb_error *error) {
    size_t capacity = 0, measured = 0;
    const bool counted = request->count || request->counts;
    for (size_t first = 0, n; first < all->n; first += n) {
        group g = {.chooser = c, .request = request, .measured = &measured, .total = counted ? 0 : all->n};
        n = length_of_group(request, all, first);
        if (!choose_group(&g, all, first, n, selection, &capacity, error)) return false;
    }
    return selection->n || sb_fail(error, SB_INVALID, "none of the %zu episodes is as demanded", all->n);
}

static bool choose(void *context, const sb_request *request, size_t most, sb_selection *selection, sb_error *error) {
    sb_atlas_chooser *c = context;
    sb_request rest = *request;
    sb_selection all = {0};
    rest.where = rest.spread = NULL;
    pthread_mutex_lock(&c->lock);
    const bool ok = prepare(c, request, error) && sb_select_at_most(&rest, most, &all, error) &&
                    choose_all(c, request, &all, selection, error);
    if (c->settings.end) c->settings.end(c->settings.context);
    pthread_mutex_unlock(&c->lock);
    sb_selection_free(&all);
    return ok;
}

/* ---- Making one -------------------------------------------------------------------------------------------------- */

sb_atlas_chooser *sb_chooser_make(const sb_chooser_settings *settings, sb_error *error) {
    sb_atlas_chooser *c = calloc(1, sizeof *c);
    if (!c) return sb_fail(error, SB_MEMORY, "out of memory for a choice"), NULL;
    c->face = (sb_chooser){choose, c};
    c->settings = *settings;
    pthread_mutex_init(&c->lock, NULL);
    return c;
}

void sb_chooser_free(sb_atlas_chooser *c) {
    if (!c) return;
    forget(c);
    sb_atlas_book_free(&c->book);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

const double *sb_chooser_values(const sb_chooser *chooser, const sb_chosen *episode) {
    const sb_atlas_chooser *c = chooser->context;
    const remembered *found = recall(c, episode);
    return found ? c->values + (size_t)(found - c->memory) * c->demanded.n : NULL;
}

bool sb_chooser_load(sb_atlas_chooser *c, const sb_catalogue *catalogue, const char *path, sb_error *error) {
    c->has_book = sb_atlas_book_load(&c->book, catalogue, path, error);
    return c->has_book;
}

const sb_chooser *sb_chooser_face(const sb_atlas_chooser *c) { return &c->face; }
