#include "engine/autumn/packed.h"

#include <stdlib.h>
#include <string.h>

#include "engine/autumn/grow.h"
#include "engine/autumn/scopes.h"
#include "engine/autumn/state.h"
#include "engine/autumn/task.h"

enum { NESTED_MAX = 200, SHAPE = SB_AU_MOVED /* stands for the cells that all objects of a type share */ };

bool sb_autumn_packs(const sb_autumn_program *p) { return p->packs; }

void sb_autumn_begin_packing(sb_autumn_state *state) {
    sb_autumn_state *const m = state;
    /* A step that asks for clicks would define this one; nothing reads it before (sb_autumn_packs). */
    if (m->program->reads[SB_AUTUMN_CLICK] && sb_au_failed(m->globals[SB_AU_click]))
        (void)sb_au_define_global(m, SB_AU_click, sb_au_number(0));
    m->packed_from = m->heap.used;
    m->packed_defined = m->core.n_defined;
    m->heap.collect_at = UINT32_MAX;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static void put(sb_out *out, uint32_t word) { sb_put_any(out, (const char *)&word, sizeof word); }

static bool put_value(sb_autumn_state *m, sb_out *out, sb_au_value v, int nested);

static bool put_items(sb_autumn_state *m, sb_out *out, sb_au_value v, uint32_t from, uint32_t to, int nested) {
    for (uint32_t i = from; i < to; i++)
        if (!put_value(m, out, sb_au_thing_of(m, v)->v[i], nested + 1)) return false;
    return true;
}

/* An object's cells come last; most are those that all objects of its type share. */
static bool put_object(sb_autumn_state *m, sb_out *out, sb_au_value v, int nested) {
    const sb_au_thing *o = sb_au_thing_of(m, v);
    const sb_au_value shape = m->shapes[o->type], cells = o->v[o->n - 1];
    put(out, SB_AU_OBJECT | o->type << 8);
    if (!put_items(m, out, v, 0, o->n - 1, nested)) return false;
    if (sb_au_failed(shape) || shape.at != cells.at || shape.at >= m->packed_from)
        return put_value(m, out, cells, nested + 1);
    put(out, SHAPE);
    return true;
}

/* Trees are written as they are: nothing can tell whether two of their parts are one thing. */
static bool put_value(sb_autumn_state *m, sb_out *out, sb_au_value v, int nested) {
    if (nested == NESTED_MAX) return false;
    if (v.kind == SB_AU_OBJECT) return put_object(m, out, v, nested);
    if (!sb_au_is_thing(v)) {
        put(out, v.kind | (uint32_t)v.turns << 8);
        if (v.kind != SB_AU_NOTHING) put(out, v.at);
        return v.kind != SB_AU_RENDER;
    }
    const sb_au_thing *thing = sb_au_thing_of(m, v);
    const uint32_t n = thing->n;
    put(out, v.kind);
    if (v.kind != SB_AU_POSITION) put(out, n), put(out, thing->type);
    return put_items(m, out, v, 0, n, nested);
}

/* ---- Unordered lists --------------------------------------------------------------------------------------------- */

typedef struct piece {
    const char *at;
    size_t n;
} piece;

static int compare_pieces(const void *a, const void *b) {
    const piece *x = a, *y = b;
    const int order = memcmp(x->at, y->at, x->n < y->n ? x->n : y->n);
    return order ? order : (x->n > y->n) - (x->n < y->n);
}

/* Writes the items of a list in the order of their bytes. */
static bool put_sorted(sb_autumn_state *m, sb_out *out, sb_au_value list) {
    const uint32_t n = sb_au_thing_of(m, list)->n;
    sb_out items = sb_out_growing();
    size_t *const ends = malloc((n + 1) * sizeof *ends);
    piece *const pieces = malloc((n + 1) * sizeof *pieces);
    bool ok = ends && pieces;
    for (uint32_t i = 0; ok && i < n; i++)
        ok = put_value(m, &items, sb_au_thing_of(m, list)->v[i], 1), ends[i] = items.size;
    ok = ok && sb_out_ok(&items);
    for (uint32_t i = 0; ok && i < n; i++) {
        const size_t from = i ? ends[i - 1] : 0;
        pieces[i] = (piece){items.data + from, ends[i] - from};
    }
    put(out, SB_AU_LIST), put(out, n), put(out, sb_au_thing_of(m, list)->type);
    if (ok) qsort(pieces, n, sizeof *pieces, compare_pieces);
    for (uint32_t i = 0; ok && i < n; i++) sb_put_any(out, pieces[i].at, pieces[i].n);
    free(ends), free(pieces);
    sb_out_free(&items);
    return ok;
}

static void put_generator(sb_out *out, const sb_rng *rng) {
    sb_put_any(out, (const char *)&rng->state, sizeof rng->state);
    sb_put_any(out, (const char *)&rng->increment, sizeof rng->increment);
    put(out, rng->buffered), put(out, rng->buffer);
}

bool sb_autumn_pack(sb_autumn_state *state, sb_out *out) {
    sb_autumn_state *const m = state;
    const sb_autumn_program *p = m->program;
    if (p->draws_in_steps) put_generator(out, &m->core.pcg64);
    if (p->task->score) put(out, (uint32_t)m->core.standing.score);
    for (size_t i = 0; i < p->n_changing; i++) {
        const uint32_t symbol = p->changing[i];
        const sb_au_value v = m->globals[symbol];
        if (v.kind == SB_AU_LIST && sb_au_is_unordered(p, symbol) ? !put_sorted(m, out, v) : !put_value(m, out, v, 0))
            return false;
    }
    return m->core.n_defined == m->packed_defined && sb_out_ok(out);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct reading {
    const char *at, *end;
} reading;

static uint32_t get(reading *r) {
    uint32_t word = 0;
    memcpy(&word, r->at, sizeof word);
    r->at += sizeof word;
    return word;
}

static sb_au_value get_value(sb_autumn_state *m, reading *r);

static bool get_items(sb_autumn_state *m, reading *r, sb_au_value thing, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        const sb_au_value v = get_value(m, r);
        if (m->has_fault) return false;
        sb_au_thing_of(m, thing)->v[i] = v;
    }
    return true;
}

static sb_au_value get_thing(sb_autumn_state *m, reading *r, sb_au_kind kind, uint32_t n, uint32_t type) {
    const sb_au_value thing = sb_au_new_thing(m, kind, n, type);
    if (!sb_au_failed(thing)) memset(sb_au_thing_of(m, thing)->v, 0, n * sizeof(sb_au_value));
    return !sb_au_failed(thing) && get_items(m, r, thing, n) ? thing : SB_AU_FAILED;
}

static sb_au_value get_value(sb_autumn_state *m, reading *r) {
    const uint32_t head = get(r), kind = head & 0xff;
    if (kind == SB_AU_NOTHING) return SB_AU_FAILED;
    if (kind == SB_AU_OBJECT) return get_thing(m, r, SB_AU_OBJECT, m->program->objects[head >> 8].n, head >> 8);
    if (kind == SHAPE) return SB_AU_FAILED; /* the object that holds it knows */
    if (kind < SB_AU_LIST) return (sb_au_value){.kind = (uint8_t)kind, .turns = (uint16_t)(head >> 8), .at = get(r)};
    const uint32_t n = kind == SB_AU_POSITION ? 2 : get(r);
    return get_thing(m, r, (sb_au_kind)kind, n, kind == SB_AU_POSITION ? 0 : get(r));
}

/* Gives objects their shared cells, where these were not written. */
static void share_cells(sb_autumn_state *m) {
    uint32_t at = m->packed_from;
    while (at < m->heap.used) {
        sb_au_thing *thing = sb_au_thing_at(m, at);
        if (thing->kind == SB_AU_OBJECT && sb_au_failed(thing->v[thing->n - 1]))
            thing->v[thing->n - 1] = m->shapes[thing->type];
        at += SB_AU_THING_WORDS + thing->n;
    }
}

static void get_generator(reading *r, sb_rng *rng) {
    memcpy(&rng->state, r->at, sizeof rng->state), r->at += sizeof rng->state;
    memcpy(&rng->increment, r->at, sizeof rng->increment), r->at += sizeof rng->increment;
    rng->buffered = get(r), rng->buffer = get(r);
}

bool sb_autumn_unpack(sb_autumn_state *state, const char *bytes, size_t n) {
    sb_autumn_state *const m = state;
    const sb_autumn_program *p = m->program;
    reading r = {bytes, bytes + n};
    m->has_fault = false;
    m->heap.used = m->packed_from;
    for (size_t i = 0; i < p->n_objects; i++)
        if (m->shapes[i].at >= m->packed_from) m->shapes[i] = SB_AU_FAILED;
    if (p->draws_in_steps) get_generator(&r, &m->core.pcg64);
    if (p->task->score) m->core.standing.score = (int32_t)get(&r);
    for (size_t i = 0; i < p->n_changing && !m->has_fault; i++) m->globals[p->changing[i]] = get_value(m, &r);
    if (m->has_fault) return false;
    share_cells(m);
    sb_au_forget(m);
    return sb_au_redraw(m);
}
