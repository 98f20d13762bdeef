#include "engine/autumn/packed.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "engine/autumn/scopes.h"
#include "engine/autumn/state.h"
#include "engine/autumn/task.h"

enum { NESTED_MAX = 200, SHAPE = SB_AU_MOVED /* stands for the cells that all objects of a type share */ };

bool sb_autumn_packs(const sb_autumn_program *p) { return p->packs; }

void sb_autumn_begin_packing(sb_autumn_state *state) {
    sb_autumn_state *const m = state;
    /* A step that asks for clicks would define the variable `click`; nothing reads it before (sb_autumn_packs). */
    if (m->program->reads[SB_AUTUMN_CLICK] && sb_au_failed(m->globals[SB_AU_click]))
        (void)sb_au_define_global(m, SB_AU_click, sb_au_number(0));
    m->packed_from = m->heap.used;
    m->packed_defined = m->core.n_defined;
    m->heap.collect_at = UINT32_MAX;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* A value is a byte with its kind, and what belongs to it: numbers of seven bits a byte, the lowest first, and signed
 * ones with the sign in the lowest bit. Most states are some dozens of bytes then. */
enum {
    HAS_TURNS = 0x40,                   /* a number with the turns follows the kind */
    OF_NUMBERS = 0x20 | SB_AU_POSITION, /* a position whose two numbers follow without their kinds */
    VALUE_MAX = 24,                     /* bytes of a value without its items, at most */
    BLOCK = 1 << 12
};

/* Bytes are put at `at`; there is room up to `end`. */
typedef struct packer {
    sb_autumn_state *m;
    sb_out *out;
    char *at, *end;
} packer;

/* Tells the buffer what was put. */
static void settle(packer *p) { sb_out_advance(p->out, (size_t)(p->at - (p->out->data + p->out->size))); }

static bool make_room(packer *p, size_t n) {
    if (p->at && (size_t)(p->end - p->at) >= n) return true;
    if (p->at) settle(p);
    p->at = sb_out_reserve(p->out, n + BLOCK);
    p->end = p->out->data + p->out->capacity;
    return p->at;
}

static void put(packer *p, uint32_t number) {
    for (; number >= 0x80; number >>= 7) *p->at++ = (char)(number | 0x80);
    *p->at++ = (char)number;
}

static void put_signed(packer *p, int32_t number) { put(p, (uint32_t)number << 1 ^ (uint32_t)(number >> 31)); }

static bool put_value(packer *p, sb_au_value v, int nested);

static bool put_items(packer *p, sb_au_value v, uint32_t from, uint32_t to, int nested) {
    for (uint32_t i = from; i < to; i++)
        if (!put_value(p, sb_au_thing_of(p->m, v)->v[i], nested + 1)) return false;
    return true;
}

/* An object's cells come last; most are those that all objects of its type share. */
static bool put_object(packer *p, sb_au_value v, int nested) {
    const sb_au_thing *o = sb_au_thing_of(p->m, v);
    const sb_au_value shape = p->m->shapes[o->type], cells = o->v[o->n - 1];
    put(p, SB_AU_OBJECT), put(p, o->type);
    if (!put_items(p, v, 0, o->n - 1, nested)) return false;
    if (sb_au_failed(shape) || shape.at != cells.at || shape.at >= p->m->packed_from)
        return put_value(p, cells, nested + 1);
    return make_room(p, VALUE_MAX) && (put(p, SHAPE), true);
}

static bool put_plain(packer *p, sb_au_value v) {
    put(p, v.kind | (v.turns ? HAS_TURNS : 0));
    if (v.turns) put(p, v.turns);
    if (v.kind != SB_AU_NOTHING) put_signed(p, v.number);
    return v.kind != SB_AU_RENDER;
}

static bool put_position(packer *p, sb_au_value v, int nested) {
    const sb_au_value *xy = sb_au_thing_of(p->m, v)->v;
    if (xy[0].kind == SB_AU_NUMBER && xy[1].kind == SB_AU_NUMBER)
        return put(p, OF_NUMBERS), put_signed(p, xy[0].number), put_signed(p, xy[1].number), true;
    put(p, SB_AU_POSITION);
    return put_items(p, v, 0, 2, nested);
}

/* Trees are written as they are: nothing can tell whether two of their parts are one thing. */
static bool put_value(packer *p, sb_au_value v, int nested) {
    if (nested == NESTED_MAX || !make_room(p, VALUE_MAX)) return false;
    if (v.kind == SB_AU_OBJECT) return put_object(p, v, nested);
    if (v.kind == SB_AU_POSITION) return put_position(p, v, nested);
    if (!sb_au_is_thing(v)) return put_plain(p, v);
    const sb_au_thing *thing = sb_au_thing_of(p->m, v);
    const uint32_t n = thing->n;
    put(p, v.kind), put(p, n), put(p, thing->type);
    return put_items(p, v, 0, n, nested);
}

/* ---- Unordered lists --------------------------------------------------------------------------------------------- */

/* Some of the bytes of a packed state. */
typedef struct piece {
    const char *at;
    size_t n;
} piece;

static int compare_pieces(const void *a, const void *b) {
    const piece *x = a, *y = b;
    const int order = memcmp(x->at, y->at, x->n < y->n ? x->n : y->n);
    return order ? order : (x->n > y->n) - (x->n < y->n);
}

/* A state that was unpacked has its lists in order, and a step changes little: so few are sorted by inserting. */
static void sort(piece *pieces, uint32_t n) {
    enum { FEW = 32 };
    if (n > FEW) {
        qsort(pieces, n, sizeof *pieces, compare_pieces);
        return;
    }
    for (uint32_t i = 1; i < n; i++) {
        const piece moved = pieces[i];
        uint32_t k = i;
        for (; k > 0 && compare_pieces(&pieces[k - 1], &moved) > 0; k--) pieces[k] = pieces[k - 1];
        pieces[k] = moved;
    }
}

/* Puts the items behind each other, and then once more in the order of their bytes, in the same place. */
static bool put_items_sorted(packer *p, sb_au_value list, piece *pieces) {
    const uint32_t n = sb_au_thing_of(p->m, list)->n;
    settle(p);
    const size_t first = p->out->size;
    size_t size = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!put_value(p, sb_au_thing_of(p->m, list)->v[i], 1)) return false;
        pieces[i].n = (size_t)(p->at - p->out->data) - first - size;
        size += pieces[i].n;
    }
    if (!make_room(p, size)) return false;
    char *const bytes = p->out->data + first, *from = bytes, *to = bytes + size;
    for (uint32_t i = 0; i < n; i++) pieces[i].at = from, from += pieces[i].n;
    sort(pieces, n);
    for (uint32_t i = 0; i < n; i++) memcpy(to, pieces[i].at, pieces[i].n), to += pieces[i].n;
    memmove(bytes, bytes + size, size);
    return true;
}

static bool put_sorted(packer *p, sb_au_value list) {
    enum { FEW = 128 };
    piece few[FEW];
    const uint32_t n = sb_au_thing_of(p->m, list)->n;
    if (!make_room(p, VALUE_MAX)) return false;
    put(p, SB_AU_LIST), put(p, n), put(p, sb_au_thing_of(p->m, list)->type);
    if (n <= FEW) return put_items_sorted(p, list, few);
    piece *const many = malloc(n * sizeof *many);
    const bool ok = many && put_items_sorted(p, list, many);
    free(many);
    return ok;
}

static void put_generator(sb_out *out, const sb_rng *rng) {
    sb_put_any(out, (const char *)&rng->state, sizeof rng->state);
    sb_put_any(out, (const char *)&rng->increment, sizeof rng->increment);
    sb_put_any(out, (const char *)&rng->buffered, sizeof rng->buffered);
    sb_put_any(out, (const char *)&rng->buffer, sizeof rng->buffer);
}

bool sb_autumn_pack(sb_autumn_state *state, sb_out *out) {
    sb_autumn_state *const m = state;
    const sb_autumn_program *program = m->program;
    packer p = {.m = m, .out = out};
    if (program->draws_in_steps) put_generator(out, &m->core.pcg64);
    if (!make_room(&p, VALUE_MAX)) return false;
    if (program->task->score) put_signed(&p, m->core.standing.score);
    for (size_t i = 0; i < program->n_changing; i++) {
        const uint32_t symbol = program->changing[i];
        const sb_au_value v = m->globals[symbol];
        if (v.kind == SB_AU_LIST && sb_au_is_unordered(program, symbol) ? !put_sorted(&p, v) : !put_value(&p, v, 0))
            return false;
    }
    settle(&p);
    return m->core.n_defined == m->packed_defined && sb_out_ok(out);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct reading {
    const char *at;
} reading;

static uint32_t get(reading *r) {
    uint32_t number = 0;
    int bits = 0;
    for (; *r->at & 0x80; bits += 7) number |= (uint32_t)(*r->at++ & 0x7f) << bits;
    return number | (uint32_t)*r->at++ << bits;
}

static int32_t get_signed(reading *r) {
    const uint32_t number = get(r);
    return (int32_t)(number >> 1 ^ (0 - (number & 1)));
}

static void get_bytes(reading *r, void *to, size_t n) {
    memcpy(to, r->at, n);
    r->at += n;
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

static sb_au_value get_position(sb_autumn_state *m, reading *r) {
    const sb_au_value position = sb_au_new_thing(m, SB_AU_POSITION, 2, 0);
    if (sb_au_failed(position)) return position;
    sb_au_value *const xy = sb_au_thing_of(m, position)->v;
    xy[0] = sb_au_number(get_signed(r)), xy[1] = sb_au_number(get_signed(r));
    return position;
}

static sb_au_value get_plain(reading *r, uint32_t head) {
    const uint16_t turns = head & HAS_TURNS ? (uint16_t)get(r) : 0;
    return (sb_au_value){.kind = (uint8_t)(head & ~(uint32_t)HAS_TURNS), .turns = turns, .number = get_signed(r)};
}

static sb_au_value get_object(sb_autumn_state *m, reading *r) {
    const uint32_t type = get(r);
    return get_thing(m, r, SB_AU_OBJECT, m->program->objects[type].n, type);
}

static sb_au_value get_value(sb_autumn_state *m, reading *r) {
    const uint32_t head = get(r);
    if (head == SB_AU_NOTHING) return SB_AU_FAILED;
    if (head == SHAPE) return SB_AU_FAILED; /* share_cells puts the shared cells here */
    if (head == OF_NUMBERS) return get_position(m, r);
    if (head == SB_AU_POSITION) return get_thing(m, r, SB_AU_POSITION, 2, 0);
    if (head == SB_AU_OBJECT) return get_object(m, r);
    if (head & HAS_TURNS || head < SB_AU_LIST) return get_plain(r, head);
    const uint32_t n = get(r), type = get(r);
    return get_thing(m, r, (sb_au_kind)head, n, type);
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
    get_bytes(r, &rng->state, sizeof rng->state), get_bytes(r, &rng->increment, sizeof rng->increment);
    get_bytes(r, &rng->buffered, sizeof rng->buffered), get_bytes(r, &rng->buffer, sizeof rng->buffer);
}

bool sb_autumn_unpack(sb_autumn_state *state, const char *bytes, size_t n) {
    sb_autumn_state *const m = state;
    const sb_autumn_program *p = m->program;
    reading r = {bytes};
    (void)n; /* the bytes say where they end */
    m->has_fault = false;
    m->heap.used = m->packed_from;
    for (size_t i = 0; i < p->n_objects; i++)
        if (m->shapes[i].at >= m->packed_from) m->shapes[i] = SB_AU_FAILED;
    if (p->draws_in_steps) get_generator(&r, &m->core.pcg64);
    if (p->task->score) m->core.standing.score = get_signed(&r);
    for (size_t i = 0; i < p->n_changing && !m->has_fault; i++) m->globals[p->changing[i]] = get_value(m, &r);
    if (m->has_fault) return false;
    share_cells(m);
    sb_au_forget(m);
    return sb_au_redraw(m);
}
