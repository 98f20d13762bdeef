#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "engine/autumn/state.h"

enum { FIRST_WORDS = 1 << 10, COLLECT_AT_LEAST = 1 << 11 };

static size_t size_of(const sb_au_thing *thing) { return SB_AU_THING_WORDS + (size_t)thing->n; }

bool sb_au_heap_grow(sb_autumn_state *m, size_t words) {
    sb_au_heap *h = &m->heap;
    size_t capacity = h->capacity ? h->capacity : FIRST_WORDS;
    if (words > m->program->limits.values) {
        h->is_full = true;
        sb_au_fail(m, SB_AUTUMN_LIMIT, "the program needs more memory than %u values", m->program->limits.values);
        return false;
    }
    while (capacity < words) capacity *= 2;
    uint64_t *const larger = realloc(h->words, capacity * sizeof *larger);
    if (!larger) return sb_au_fail(m, SB_AUTUMN_MEMORY, "out of memory"), false;
    h->words = larger;
    h->capacity = capacity;
    return true;
}

/* ---- Changes in place -------------------------------------------------------------------------------------------- */

bool sb_au_note_change(sb_autumn_state *m, uint32_t word) {
    if (!sb_au_may_change(m)) return false;
    m->changed_in_place = true;
    m->objects = SB_AU_FAILED;               /* an origin may have changed */
    if (word >= m->used_before) return true; /* a thing that was made in this step is gone with it */
    if (!SB_GROW(m->changes, m->n_changes + 1, m->changes_capacity))
        return sb_au_fail(m, SB_AUTUMN_MEMORY, "out of memory"), false;
    m->changes[m->n_changes++] = (sb_au_change){.word = word, .old = m->heap.words[word]};
    return true;
}

bool sb_au_set_in_place(sb_autumn_state *m, sb_au_value thing, uint32_t i, sb_au_value value) {
    if (!sb_au_note_change(m, thing.at + SB_AU_THING_WORDS + i)) return false;
    sb_au_thing_of(m, thing)->v[i] = value;
    return true;
}

void sb_au_heap_restore(sb_autumn_state *m) {
    while (m->n_changes) {
        const sb_au_change *change = &m->changes[--m->n_changes];
        m->heap.words[change->word] = change->old;
    }
    m->heap.used = m->used_before;
}

/* ---- Collecting -------------------------------------------------------------------------------------------------- */

typedef struct collection {
    uint64_t *from, *to;
    uint32_t used; /* words in `to` */
} collection;

static void keep(collection *c, sb_au_value *v) {
    if (!sb_au_is_thing(*v) && v->kind != SB_AU_RENDER) return;
    sb_au_thing *const old = (sb_au_thing *)(void *)(c->from + v->at);
    if (old->kind != SB_AU_MOVED) {
        memcpy(c->to + c->used, old, size_of(old) * sizeof *c->to);
        old->kind = SB_AU_MOVED;
        old->id = c->used;
        c->used += (uint32_t)size_of(old);
    }
    v->at = old->id;
}

/* Moves what the roots hold, and then what those things hold, in the order in which they were moved. */
static void keep_everything(sb_autumn_state *m, collection *c) {
    uint32_t at = c->used;
    for (size_t i = 0; i < m->program->names.n; i++) keep(c, &m->globals[i]);
    for (size_t i = 0; i < m->program->n_objects; i++) keep(c, &m->shapes[i]);
    while (at < c->used) {
        sb_au_thing *const thing = (sb_au_thing *)(void *)(c->to + at);
        for (uint32_t i = 0; i < thing->n; i++) keep(c, &thing->v[i]);
        at += (uint32_t)size_of(thing);
    }
}

bool sb_au_heap_collect(sb_autumn_state *m) {
    sb_au_heap *h = &m->heap;
    m->objects = SB_AU_FAILED;
    if (h->used < h->collect_at) return true;
    if (h->spare_capacity < h->capacity) {
        free(h->spare);
        h->spare_capacity = 0;
        h->spare = malloc(h->capacity * sizeof *h->spare);
        if (!h->spare) return false;
        h->spare_capacity = h->capacity;
    }
    collection c = {.from = h->words, .to = h->spare, .used = 1};
    c.to[0] = 0;
    keep_everything(m, &c);
    const size_t capacity = h->spare_capacity;
    h->words = c.to, h->spare = c.from, h->used = c.used;
    h->spare_capacity = h->capacity, h->capacity = capacity;
    h->collect_at = 2 * h->used < COLLECT_AT_LEAST ? COLLECT_AT_LEAST : 2 * h->used;
    return true;
}
