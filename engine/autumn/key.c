/* The key of a state: a hash over a canonical writing of everything that decides the future. Things are written in the
 * order in which they are reached from the globals, and named by their place in that order, so the writing does not
 * depend on where they lie in the heap. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/hash.h"
#include "engine/autumn/inspect.h"
#include "engine/autumn/state.h"
#include "engine/autumn/task.h"

typedef struct writing {
    const sb_autumn_state *m;
    uint32_t *serial; /* by word of the heap: number of the thing that starts there, 0: not reached yet */
    uint32_t *things; /* places of the things in the order in which they were reached */
    uint32_t n_things, done;
    uint64_t *words; /* what was written so far */
    size_t n;
    uint64_t *sorted; /* hashes of the items of unordered lists, one list behind the other */
    size_t n_sorted;
    uint64_t *ids; /* open addressing: id and number of the first thing that had it; NULL: identities do not count */
    size_t n_ids;
} writing;

static void put(writing *w, uint32_t high, uint32_t low) { w->words[w->n++] = (uint64_t)high << 32 | low; }

/* Nothing can tell one position from an equal one in programs that neither change things nor ask for identities. */
static bool is_plain_position(const writing *w, sb_au_value v) {
    return v.kind == SB_AU_POSITION && !w->ids && !w->m->program->sets_fields;
}

static void put_value(writing *w, sb_au_value v) {
    const sb_autumn_program *p = w->m->program;
    const uint32_t kind = (uint32_t)v.kind << 16 | v.turns;
    if (is_plain_position(w, v)) {
        const sb_au_thing *position = sb_au_thing_of(w->m, v);
        put(w, kind, 0);
        put(w, (uint32_t)position->v[0].kind << 8 | position->v[1].kind, 0);
        put(w, position->v[0].at, position->v[1].at);
    } else if (sb_au_is_thing(v) || v.kind == SB_AU_RENDER) {
        if (!w->serial[v.at]) w->things[w->n_things] = v.at, w->serial[v.at] = ++w->n_things;
        put(w, kind, w->serial[v.at]);
    } else if (v.kind == SB_AU_PART) {
        put(w, kind, p->sources[v.at]);
    } else {
        put(w, kind, v.kind == SB_AU_LAMBDA ? p->sources[p->lambdas[v.at].body] : v.at);
    }
}

/* The number of the first thing that had this identity. */
static uint32_t first_with_id(writing *w, uint32_t id, uint32_t number) {
    size_t at = (id * 0x9e3779b1u) & (w->n_ids - 1);
    while (w->ids[at] && w->ids[at] >> 32 != id) at = (at + 1) & (w->n_ids - 1);
    if (!w->ids[at]) w->ids[at] = (uint64_t)id << 32 | number;
    return (uint32_t)w->ids[at];
}

/* The cells of an object of a world are left out where they are those of all objects of its type. */
static void put_thing(writing *w, uint32_t at) {
    const sb_autumn_program *p = w->m->program;
    const sb_au_thing *thing = sb_au_thing_at(w->m, at);
    const bool is_shared = p->task && thing->kind == SB_AU_OBJECT && p->objects[thing->type].shares_cells;
    put(w, thing->kind, thing->n);
    put(w, thing->type, w->ids ? first_with_id(w, thing->id, w->done) : 0);
    for (uint32_t i = 0; i < thing->n - is_shared; i++) put_value(w, thing->v[i]);
}

/* Whether a variable with this value may be drawn. */
static bool may_have_cells(const sb_autumn_state *m, sb_au_value v) {
    if (v.kind != SB_AU_LIST) return v.kind == SB_AU_OBJECT;
    const sb_au_thing *list = sb_au_thing_of(m, v);
    for (uint32_t i = 0; i < list->n; i++)
        if (list->v[i].kind == SB_AU_OBJECT || list->v[i].kind == SB_AU_LIST) return true;
    return false;
}

/* Whether a value is the function that stands for the name of a type, which is always the same. */
static bool is_maker(const sb_autumn_program *p, uint32_t symbol, sb_au_value v) {
    for (size_t i = 1; p->task && i < p->n_objects; i++)
        if (p->objects[i].name == symbol && p->objects[i].maker) return p->nodes[p->objects[i].maker].a == v.at;
    return false;
}

/* Whether a variable is written. A click of an earlier step may be left out; a library function that nobody has
 * redefined is. */
static bool counts(const writing *w, uint32_t symbol) {
    const sb_au_value v = w->m->globals[symbol];
    if (symbol == SB_AU_click) return w->m->program->keeps_click;
    if (w->m->program->live && !w->m->program->live[symbol] && !may_have_cells(w->m, v)) return false;
    if (v.kind == SB_AU_LAMBDA && is_maker(w->m->program, symbol, v)) return false;
    return v.kind != SB_AU_NATIVE || v.at != symbol;
}

static void put_things(writing *w) {
    while (w->done < w->n_things) put_thing(w, w->things[w->done++]);
}

/* Whether the order of a variable's items is left out. Where a program can tell equal things apart, it is not: items
 * are then more than what they hold. */
bool sb_au_is_unordered(const sb_autumn_program *p, uint32_t symbol) {
    if (!p->task || p->sets_fields || p->asks_identity) return false;
    for (size_t i = 0; i < p->task->n_unordered; i++)
        if (p->task->unordered[i] == symbol) return true;
    return false;
}

/* Puts hashes of the items, which were sorted. */
static void put_sorted(writing *w, uint32_t n) {
    put(w, SB_AU_LIST, n);
    memcpy(w->words + w->n, w->sorted + w->n_sorted, n * sizeof *w->words);
    w->n += n, w->n_sorted += n;
}

static void put_globals(writing *w) {
    const sb_autumn_state *m = w->m;
    w->n_sorted = 0;
    for (uint32_t i = 0; i < m->program->names.n; i++) {
        if (!counts(w, i)) continue;
        put(w, 1, i);
        if (sb_au_is_unordered(m->program, i) && m->globals[i].kind == SB_AU_LIST)
            put_sorted(w, sb_au_thing_of(m, m->globals[i])->n);
        else
            put_value(w, m->globals[i]);
    }
    put_things(w);
}

static void put_orders(writing *w) {
    const sb_autumn_state *m = w->m;
    for (uint32_t i = 0; i < m->core.n_defined; i++)
        if (counts(w, m->defined[i])) put(w, 2, m->defined[i]);
    if (!m->program->sees_order) return;
    put(w, 3, m->core.table.buckets);
    for (uint32_t i = 0; i < m->core.table.n; i++) put(w, 4, m->order[i]);
}

/* Writes the drawing. Where cells depend on variables only, the drawing does too, and is left out. */
static void put_drawing(writing *w) {
    const sb_au_drawing *d = &w->m->drawing;
    if (w->m->program->plain_cells) return;
    for (size_t i = 0; i < d->n_cells; i++) {
        put(w, 5, d->cells[i].colour);
        put(w, (uint32_t)d->cells[i].x, (uint32_t)d->cells[i].y);
    }
}

static void put_generator(writing *w) {
    const sb_au_core *core = &w->m->core;
    put(w, 6 + core->generator, core->published);
    if (core->generator == SB_AUTUMN_PUBLISHED) return;
    const sb_rng *rng = &core->pcg64;
    put(w, rng->buffered, rng->buffer);
    w->words[w->n++] = (uint64_t)(rng->state >> 64), w->words[w->n++] = (uint64_t)rng->state;
    w->words[w->n++] = (uint64_t)(rng->increment >> 64), w->words[w->n++] = (uint64_t)rng->increment;
}

/* Lays the writing out in the state's scratch memory; false: out of memory. */
static bool begin(writing *w, sb_autumn_state *m) {
    const size_t used = m->heap.used, names = m->program->names.n;
    const size_t serials = used / 2 + 1, things = used / 4 + 1;
    /* a position takes three words for the one that holds it */
    const size_t words = 3 * (used + 2 * names) + names + 2 * m->drawing.n_cells + 16;
    size_t ids = 0;
    if (m->program->asks_identity)
        for (ids = 16; ids < used + 1;) ids *= 2;
    const size_t sorted = m->program->task && m->program->task->n_unordered ? used : 0;
    if (!SB_GROW(m->key_scratch, serials + things + words + ids + sorted, m->key_scratch_capacity)) return false;
    *w = (writing){.m = m, .serial = (uint32_t *)(void *)m->key_scratch, .n_ids = ids};
    w->things = (uint32_t *)(void *)(m->key_scratch + serials);
    w->words = m->key_scratch + serials + things;
    if (ids) w->ids = w->words + words;
    w->sorted = w->words + words + ids;
    memset(w->serial, 0, serials * sizeof *m->key_scratch);
    if (ids) memset(w->ids, 0, ids * sizeof *w->ids);
    return true;
}

static uint64_t hash_value(writing *w, sb_au_value v);

static int compare_hashes(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Hashes the items of unordered lists by themselves, before anything is written. */
static void sort_items(writing *w) {
    const sb_autumn_state *m = w->m;
    size_t n = 0;
    for (uint32_t i = 0; m->program->task && i < m->program->names.n; i++) {
        if (!sb_au_is_unordered(m->program, i) || m->globals[i].kind != SB_AU_LIST || !counts(w, i)) continue;
        const sb_au_thing *list = sb_au_thing_of(m, m->globals[i]);
        for (uint32_t k = 0; k < list->n; k++) w->sorted[n + k] = hash_value(w, list->v[k]);
        qsort(w->sorted + n, list->n, sizeof *w->sorted, compare_hashes);
        n += list->n;
    }
}

bool sb_autumn_hash(const sb_autumn_state *state, bool generator, uint64_t key[2]) {
    sb_autumn_state *const m = (sb_autumn_state *)(uintptr_t)state; /* only its scratch memory changes */
    writing w;
    if (!begin(&w, m)) return false;
    sort_items(&w);
    put_globals(&w);
    put_orders(&w);
    put_drawing(&w);
    if (generator && m->program->draws_in_steps) put_generator(&w);
    sb_hash128(w.words, w.n * sizeof *w.words, key);
    return true;
}

/* Hashes a value before anything is written, and leaves the writing empty. */
static uint64_t hash_value(writing *w, sb_au_value v) {
    uint64_t key[2];
    put_value(w, v);
    put_things(w);
    sb_hash128(w->words, w->n * sizeof *w->words, key);
    while (w->n_things) w->serial[w->things[--w->n_things]] = 0;
    w->n = w->done = 0;
    return key[0];
}

/* Hashes each variable by a function. */
static bool hash_each(const sb_autumn_state *state, uint64_t (*hash)(writing *w, sb_au_value v), uint64_t *hashes) {
    sb_autumn_state *const m = (sb_autumn_state *)(uintptr_t)state; /* only its scratch memory changes */
    writing w;
    if (!begin(&w, m)) return false;
    w.ids = NULL;
    for (uint32_t i = 0; i < m->program->names.n; i++) hashes[i] = counts(&w, i) ? hash(&w, m->globals[i]) : 0;
    return true;
}

bool sb_autumn_hash_variables(const sb_autumn_state *state, uint64_t *hashes) {
    return hash_each(state, hash_value, hashes);
}

static uint64_t hash_contents(writing *w, sb_au_value v) {
    if (v.kind != SB_AU_LIST) return hash_value(w, v);
    const sb_au_thing *list = sb_au_thing_of(w->m, v);
    uint64_t sum = list->n;
    for (uint32_t i = 0; i < list->n; i++) sum += hash_value(w, list->v[i]);
    return sum;
}

bool sb_autumn_hash_contents(const sb_autumn_state *state, uint64_t *hashes) {
    return hash_each(state, hash_contents, hashes);
}
