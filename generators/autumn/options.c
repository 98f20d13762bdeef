#include "generators/autumn/options.h"

#include <stdlib.h>
#include <string.h>

/* What can be seen of a content beside others. */
enum { DISTANCES, NEAREST, COUNTS, COLOURS, BACKGROUND, EDGES, N_FEATURES };
enum { SIX = SB_AUTUMN_CHOICES, ROOTS_MAX = 3, SIGNS = UINT8_MAX + 1, DRAWS = 400, SETS = 12, FORMS_TRIED = 24 };

/* Changes that lead back if they are done twice, or done the other way round. */
enum { MIRRORED_X = 1, MIRRORED_Y = 2, RECOLOURED = 4, MOVED = 8 };
typedef struct form {
    uint32_t changes;
    int32_t dx, dy;  /* MOVED */
    uint8_t pair[2]; /* RECOLOURED: the colours that are exchanged */
} form;

typedef struct choosing {
    const sb_autumn_pool *pool;
    sb_rng *rng;
    uint32_t low[2], high[2];           /* the rectangle around the mask */
    uint32_t *cells, *counts;           /* n times n: in how many cells, and in how many counts, two contents differ */
    uint32_t *histograms;               /* of each content, SIGNS numbers */
    uint32_t *colours, *ground, *edges; /* of each content */
    uint32_t *others, n_others;         /* that may be drawn: neither the answer nor `stay` */
    uint32_t stay;                      /* 0: it is not among the options */
    uint8_t *options;
} choosing;

static uint32_t below(choosing *c, uint32_t n) { return (uint32_t)sb_bounded(c->rng, n - 1); }

/* ---- Measuring contents ------------------------------------------------------------------------------------------ */

static void measure(const choosing *c, uint32_t i) {
    const uint8_t *frame = c->pool->frames[i];
    uint32_t *const counts = c->histograms + (size_t)i * SIGNS;
    int previous = -1;
    for (uint32_t k = 0; k < c->pool->size * c->pool->size; k++) {
        if (!c->pool->mask[k]) continue;
        counts[frame[k]]++;
        c->edges[i] += previous >= 0 && frame[k] != previous;
        previous = frame[k];
    }
    for (uint32_t k = 0; k < SIGNS; k++) c->colours[i] += counts[k] != 0;
    c->ground[i] = counts[c->pool->background];
}

static void compare(const choosing *c, uint32_t a, uint32_t b) {
    const uint32_t n = c->pool->n, *counts[2] = {c->histograms + (size_t)a * SIGNS, c->histograms + (size_t)b * SIGNS};
    uint32_t cells = 0, colours = 0;
    for (uint32_t k = 0; k < c->pool->size * c->pool->size; k++)
        cells += c->pool->mask[k] && c->pool->frames[a][k] != c->pool->frames[b][k];
    for (uint32_t k = 0; k < SIGNS; k++) colours += (uint32_t)abs((int32_t)counts[0][k] - (int32_t)counts[1][k]);
    c->cells[a * n + b] = c->cells[b * n + a] = cells;
    c->counts[a * n + b] = c->counts[b * n + a] = colours;
}

static void find_rectangle(choosing *c) {
    const uint32_t size = c->pool->size;
    c->low[0] = c->low[1] = size;
    for (uint32_t i = 0; i < size * size; i++) {
        if (!c->pool->mask[i]) continue;
        const uint32_t at[2] = {i % size, i / size};
        for (int k = 0; k < 2; k++) {
            if (at[k] < c->low[k]) c->low[k] = at[k];
            if (at[k] > c->high[k]) c->high[k] = at[k];
        }
    }
}

/* ---- The place of a content among some --------------------------------------------------------------------------- */

/* How it stands to the others, in each feature: twice the number of those that have less, and one for each that has the
 * same. */
typedef struct place {
    int32_t of[N_FEATURES];
} place;

static void find_features(const choosing *c, const uint32_t *roots, uint32_t n_roots, uint32_t which,
                          uint32_t features[N_FEATURES]) {
    const uint32_t me = roots[which], n = c->pool->n;
    features[DISTANCES] = features[COUNTS] = 0, features[NEAREST] = UINT32_MAX;
    for (uint32_t k = 0; k < n_roots; k++) {
        const uint32_t cells = c->cells[me * n + roots[k]];
        features[DISTANCES] += cells, features[COUNTS] += c->counts[me * n + roots[k]];
        if (k != which && cells < features[NEAREST]) features[NEAREST] = cells;
    }
    features[COLOURS] = c->colours[me], features[BACKGROUND] = c->ground[me], features[EDGES] = c->edges[me];
}

static place place_of(const choosing *c, const uint32_t *roots, uint32_t n, uint32_t which) {
    uint32_t mine[N_FEATURES], its[N_FEATURES];
    place found = {{0}};
    find_features(c, roots, n, which, mine);
    for (uint32_t k = 0; k < n; k++) {
        if (k == which) continue;
        find_features(c, roots, n, k, its);
        for (int f = 0; f < N_FEATURES; f++) found.of[f] += its[f] < mine[f] ? 2 : its[f] == mine[f];
    }
    return found;
}

static uint32_t difference(const place *a, const place *b) {
    uint32_t sum = 0;
    for (int f = 0; f < N_FEATURES; f++) sum += (uint32_t)abs(a->of[f] - b->of[f]);
    return sum;
}

/* ---- Contents that come with the answer -------------------------------------------------------------------------- */

static void draw_roots(choosing *c, uint32_t *roots, uint32_t n) {
    uint32_t taken = 1;
    roots[0] = 0;
    if (c->stay && taken < n) roots[taken++] = c->stay;
    while (taken < n) {
        const uint32_t drawn = c->others[below(c, c->n_others)];
        bool again = false;
        for (uint32_t i = 0; i < taken; i++) again |= roots[i] == drawn;
        if (!again) roots[taken++] = drawn;
    }
}

/* Draws contents until the answer has the place that one of some contents has, drawn before. */
static bool choose_roots(choosing *c, uint32_t *best, uint32_t n) {
    uint32_t roots[ROOTS_MAX], off = UINT32_MAX;
    if (c->n_others + (c->stay != 0) + 1 < n) return false;
    draw_roots(c, roots, n);
    const place wanted = place_of(c, roots, n, below(c, n));
    for (int i = 0; i < DRAWS && off; i++) {
        draw_roots(c, roots, n);
        const place now = place_of(c, roots, n, 0);
        const bool same = n > 2 && c->pool->causes[roots[1]] == c->pool->causes[roots[2]];
        const uint32_t now_off = difference(&now, &wanted) + same; /* other causes are better */
        if (now_off >= off) continue;
        off = now_off;
        memcpy(best, roots, sizeof roots);
    }
    return true;
}

/* ---- Forms ------------------------------------------------------------------------------------------------------- */

/* Two colours of the contents that are not the background; false: there are not as many. */
static bool draw_colours(choosing *c, const uint32_t *roots, uint32_t n, uint8_t pair[2]) {
    uint32_t found = 0;
    for (uint32_t k = 0; k < SIGNS; k++) {
        bool there = false;
        for (uint32_t i = 0; i < n; i++) there |= c->histograms[roots[i] * SIGNS + k] != 0;
        if (!there || k == c->pool->background) continue;
        found++;
        if (found <= 2)
            pair[found - 1] = (uint8_t)k;
        else if (below(c, found) < 2)
            pair[below(c, 2)] = (uint8_t)k;
    }
    return found >= 2;
}

static uint8_t cell_of(const choosing *c, const uint8_t *frame, const form *f, uint32_t at) {
    const uint32_t size = c->pool->size;
    int32_t x = (int32_t)(at % size), y = (int32_t)(at / size);
    if (f->changes & MIRRORED_X) x = (int32_t)(c->low[0] + c->high[0]) - x;
    if (f->changes & MIRRORED_Y) y = (int32_t)(c->low[1] + c->high[1]) - y;
    if (f->changes & MOVED) {
        x -= f->dx, y -= f->dy;
        x = x < 0 ? 0 : x >= (int32_t)size ? (int32_t)size - 1 : x;
        y = y < 0 ? 0 : y >= (int32_t)size ? (int32_t)size - 1 : y;
    }
    const uint8_t colour = frame[(uint32_t)y * size + (uint32_t)x];
    if (!(f->changes & RECOLOURED)) return colour;
    return colour == f->pair[0] ? f->pair[1] : colour == f->pair[1] ? f->pair[0] : colour;
}

static uint8_t cause_of(const choosing *c, uint32_t root, const form *f) {
    if (!f->changes) return c->pool->causes[root];
    return f->changes & RECOLOURED ? SB_AUTUMN_RECOLOUR : SB_AUTUMN_MIRROR;
}

/* Writes the forms of the contents as options. False: two are the same, or one has a colour that nothing shows. */
static bool write_options(const choosing *c, const uint32_t *roots, uint32_t n, const form *forms, uint8_t *causes) {
    const uint32_t n_mask = c->pool->n_mask;
    uint8_t *at = c->options;
    for (uint32_t k = 0; k < SIX; k++) {
        const form *f = &forms[k / n];
        for (uint32_t i = 0; i < c->pool->size * c->pool->size; i++) {
            if (!c->pool->mask[i]) continue;
            *at = cell_of(c, c->pool->frames[roots[k % n]], f, i);
            if (*at == UINT8_MAX || !c->pool->shown[*at]) return false;
            at++;
        }
        causes[k] = cause_of(c, roots[k % n], f);
        for (uint32_t other = 0; other < k; other++)
            if (memcmp(c->options + (size_t)other * n_mask, c->options + (size_t)k * n_mask, n_mask) == 0) return false;
    }
    return true;
}

/* Draws one change: the form beside the unchanged one. */
static bool draw_change(choosing *c, const uint32_t *roots, uint32_t n, form *f) {
    static const int8_t ways[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const uint32_t drawn = below(c, 7);
    *f = (form){0};
    if (drawn < 4)
        f->changes = MOVED, f->dx = ways[drawn][0], f->dy = ways[drawn][1];
    else
        f->changes = drawn == 4 ? MIRRORED_X : drawn == 5 ? MIRRORED_Y : RECOLOURED;
    return f->changes != RECOLOURED || draw_colours(c, roots, n, f->pair);
}

/* Some of the forms that come from two or three changes, each done or not: the unchanged one, and n - 1 that are drawn
 * from the rest. Each of them could be the original. */
static bool draw_forms(choosing *c, const uint32_t *roots, uint32_t n_roots, form *forms, uint32_t n) {
    uint8_t pair[2] = {0, 0};
    const bool colours = draw_colours(c, roots, n_roots, pair);
    uint32_t changes[3] = {MIRRORED_X, MIRRORED_Y, RECOLOURED}, subsets[8], n_subsets = 0;
    const uint32_t used = n == SIX ? 3 : 2;
    if (used == 3 && !colours) return false;
    if (used == 2 && colours) changes[below(c, 2)] = RECOLOURED;
    for (uint32_t subset = 1; subset < 1U << used; subset++) {
        subsets[n_subsets] = 0;
        for (uint32_t k = 0; k < used; k++) subsets[n_subsets] |= subset >> k & 1 ? changes[k] : 0;
        n_subsets++;
    }
    forms[0] = (form){0};
    for (uint32_t i = 1; i < n; i++) {
        const uint32_t drawn = below(c, n_subsets);
        forms[i] = (form){.changes = subsets[drawn], .pair = {pair[0], pair[1]}};
        subsets[drawn] = subsets[--n_subsets];
    }
    return true;
}

static uint32_t count_ground(const choosing *c, uint32_t option) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->pool->n_mask; i++)
        n += c->options[(size_t)option * c->pool->n_mask + i] == c->pool->background;
    return n;
}

static uint32_t count_edges(const choosing *c, uint32_t option) {
    const uint8_t *cells = c->options + (size_t)option * c->pool->n_mask;
    uint32_t n = 0;
    for (uint32_t i = 1; i < c->pool->n_mask; i++) n += cells[i] != cells[i - 1];
    return n;
}

/* Masks lie where something happens, so a content that is moved mostly loses by it. Whether the answer or its changed
 * form has less background, or fewer edges, is drawn. */
typedef struct lean {
    bool of_edges, answer_first;
} lean;

static bool leans(const choosing *c, uint32_t changed, lean wanted) {
    const uint32_t a = wanted.of_edges ? count_edges(c, 0) : count_ground(c, 0);
    const uint32_t b = wanted.of_edges ? count_edges(c, changed) : count_ground(c, changed);
    return wanted.answer_first ? a <= b : b <= a;
}

/* Six options from this many contents. */
static bool make_six(choosing *c, uint32_t n, uint8_t *causes) {
    uint32_t roots[ROOTS_MAX];
    form forms[SIX] = {{0}};
    const lean wanted = {.of_edges = below(c, 2), .answer_first = below(c, 2)};
    for (int set = 0; set < SETS; set++) {
        if (!choose_roots(c, roots, n)) return false;
        for (int i = 0; i < FORMS_TRIED; i++) {
            const bool drawn = n == ROOTS_MAX ? draw_change(c, roots, n, &forms[1])
                                              : draw_forms(c, roots, n, forms, SIX / n);
            if (!drawn || !write_options(c, roots, n, forms, causes)) continue;
            if (n < ROOTS_MAX || set >= SETS / 2 || leans(c, n, wanted)) return true;
        }
    }
    return false;
}

/* ---- All together ------------------------------------------------------------------------------------------------ */

/* Puts the options into drawn order. Returns where the first one, the answer, is then. */
static uint32_t shuffle(choosing *c, uint8_t *causes) {
    const uint32_t n = c->pool->n_mask;
    uint32_t answer = 0;
    for (uint32_t i = SIX; i-- > 1;) {
        const uint32_t k = below(c, i + 1);
        uint8_t *const a = c->options + (size_t)i * n, *const b = c->options + (size_t)k * n, old = causes[i];
        for (uint32_t cell = 0; cell < n; cell++) {
            const uint8_t colour = a[cell];
            a[cell] = b[cell], b[cell] = colour;
        }
        causes[i] = causes[k], causes[k] = old;
        answer = answer == i ? k : answer == k ? i : answer;
    }
    return answer;
}

static bool choose(choosing *c, uint8_t *causes, uint32_t *answer) {
    const bool with_stay = below(c, 2) == 0;
    bool found = false;
    for (uint32_t i = 1; i < c->pool->n; i++)
        if (c->pool->causes[i] != SB_AUTUMN_STAY)
            c->others[c->n_others++] = i;
        else if (with_stay)
            c->stay = i;
    for (uint32_t n = ROOTS_MAX; n && !found; n--) found = make_six(c, n, causes);
    if (found) *answer = shuffle(c, causes);
    return found;
}

bool sb_autumn_choose_options(const sb_autumn_pool *pool, sb_rng *rng, uint8_t *options, uint8_t causes[SIX],
                              uint32_t *answer, bool *no_memory) {
    const size_t n = pool->n;
    uint32_t *const memory = calloc(2 * n * n + (4 + SIGNS) * n, sizeof *memory);
    choosing c = {.pool = pool, .rng = rng, .cells = memory, .counts = memory + n * n};
    if (!memory) return *no_memory = true, false;
    c.options = options;
    c.colours = memory + 2 * n * n, c.ground = c.colours + n, c.edges = c.ground + n, c.others = c.edges + n;
    c.histograms = c.others + n;
    find_rectangle(&c);
    for (uint32_t i = 0; i < n; i++) measure(&c, i);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < i; k++) compare(&c, i, k);
    const bool ok = choose(&c, causes, answer);
    free(memory);
    return ok;
}
