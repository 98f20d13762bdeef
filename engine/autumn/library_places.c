/* The library: distances and directions (stdlib 7). */
#include "base/grow.h"
#include "engine/autumn/library_kit.h"

typedef struct place {
    int32_t x, y;
} place;

static bool of_position(sb_autumn_state *m, sb_au_value position, place *p) {
    return sb_au_xy(m, position, &p->x, &p->y);
}

static inline bool of_object(sb_autumn_state *m, sb_au_value object, place *p) {
    const sb_au_value origin = object.kind == SB_AU_OBJECT ? sb_au_origin_of(m, object) : SB_AU_FAILED;
    if (origin.kind == SB_AU_POSITION) {
        const sb_au_value *xy = sb_au_thing_of(m, origin)->v;
        p->x = xy[0].number, p->y = xy[1].number;
        if (xy[0].kind == SB_AU_NUMBER && xy[1].kind == SB_AU_NUMBER) return true;
    }
    return sb_au_origin(m, object, &p->x, &p->y); /* sb_au_origin notes the fault */
}

static bool of_elem(sb_autumn_state *m, sb_au_value elem, place *p) {
    return sb_au_want(m, elem, SB_AU_ELEM) && of_position(m, sb_au_item(m, elem, 0), p);
}

static place minus(place p, place q) { return (place){sb_au_minus(p.x, q.x), sb_au_minus(p.y, q.y)}; }
static int32_t length_of(int32_t d) { return d < 0 ? sb_au_minus(0, d) : d; }
static int32_t sign(int32_t v) { return (v > 0) - (v < 0); }
static int32_t square(place d) { return sb_au_plus(sb_au_times(d.x, d.x), sb_au_times(d.y, d.y)); }
static int32_t walk(place d) { return sb_au_plus(length_of(d.x), length_of(d.y)); }
static bool is_diagonal(place d) { return length_of(d.x) <= 1 && length_of(d.y) <= 1; }
static sb_au_value position(sb_autumn_state *m, place p) { return sb_au_position(m, p.x, p.y); }

/* ---- Differences ------------------------------------------------------------------------------------------------- */

SB_AU_LIB(deltaPos) {
    place p, q;
    return of_position(m, a[0], &p) && of_position(m, a[1], &q) ? position(m, minus(q, p)) : SB_AU_FAILED;
}
SB_AU_LIB(displacement) { return sb_au_lib_deltaPos(m, a, n); }

SB_AU_LIB(deltaObj) {
    place p, q;
    return of_object(m, a[0], &p) && of_object(m, a[1], &q) ? position(m, minus(q, p)) : SB_AU_FAILED;
}

SB_AU_LIB(deltaElem) {
    place p, q;
    return of_elem(m, a[0], &p) && of_elem(m, a[1], &q) ? position(m, minus(q, p)) : SB_AU_FAILED;
}

SB_AU_LIB(sqdist) {
    place p, q;
    return of_position(m, a[0], &p) && of_position(m, a[1], &q) ? sb_au_number(square(minus(q, p))) : SB_AU_FAILED;
}

/* ---- Directions -------------------------------------------------------------------------------------------------- */

/* Makes a step of 1 in a direction, along x first. */
static sb_au_value direction(sb_autumn_state *m, place d) { return sb_au_position(m, sign(d.x), d.x ? 0 : sign(d.y)); }

SB_AU_LIB(unitVector) {
    place p, q;
    return of_object(m, a[0], &p) && of_object(m, a[1], &q) ? direction(m, minus(q, p)) : SB_AU_FAILED;
}

SB_AU_LIB(unitVectorObjPos) {
    place p, q;
    return of_object(m, a[0], &p) && of_position(m, a[1], &q) ? direction(m, minus(q, p)) : SB_AU_FAILED;
}

SB_AU_LIB(unitVectorSinglePos) {
    place p;
    return of_position(m, a[0], &p) ? sb_au_position(m, sign(p.x), sign(p.y)) : SB_AU_FAILED;
}

/* ---- The closest ------------------------------------------------------------------------------------------------- */

typedef bool place_of(sb_autumn_state *m, sb_au_value v, place *p);

/* Finds the item of a list that is closest to an object, the last one among equals; `none` if the list is empty. */
static sb_au_value closest(sb_autumn_state *m, sb_au_value o, sb_au_value list, place_of *where, sb_au_value none) {
    place from, p;
    sb_au_value best = none;
    int32_t least = 0;
    if (!of_object(m, o, &from) || !sb_au_want_list(m, list)) return SB_AU_FAILED;
    for (uint32_t i = 0; i < sb_au_length(m, list); i++) {
        if (!where(m, sb_au_item(m, list, i), &p)) return SB_AU_FAILED;
        const int32_t distance = square(minus(p, from));
        if (i && distance > least) continue;
        least = distance;
        best = sb_au_item(m, list, i);
    }
    return best;
}

SB_AU_LIB(closest) { return closest(m, a[0], a[1], of_object, a[0]); }

SB_AU_LIB(closestPos) {
    if (!sb_au_want(m, a[0], SB_AU_OBJECT)) return SB_AU_FAILED;
    return closest(m, a[0], a[1], of_position, sb_au_origin_of(m, a[0]));
}

/* ---- Nearness ---------------------------------------------------------------------------------------------------- */

SB_AU_LIB(adjacentPoss) {
    place p, q;
    if (!of_position(m, a[0], &p) || !of_position(m, a[1], &q) || !sb_au_want(m, a[2], SB_AU_NUMBER))
        return SB_AU_FAILED;
    return sb_au_bool(walk(minus(p, q)) <= a[2].number);
}

SB_AU_LIB(adjacentTwoObjs) {
    place p, q;
    if (!of_object(m, a[0], &p) || !of_object(m, a[1], &q) || !sb_au_want(m, a[2], SB_AU_NUMBER)) return SB_AU_FAILED;
    return sb_au_bool(walk(minus(p, q)) <= a[2].number);
}

SB_AU_LIB(adj) {
    if (!sb_au_want_list(m, a[1])) return SB_AU_FAILED;
    for (uint32_t i = 0; i < sb_au_length(m, a[1]); i++) {
        const sb_au_value two[3] = {a[0], sb_au_item(m, a[1], i), a[2]}, near = sb_au_lib_adjacentTwoObjs(m, two, 3);
        if (sb_au_failed(near) || near.number) return near;
    }
    return sb_au_bool(false);
}

SB_AU_LIB(adjacentElem) {
    place p, q;
    if (!of_elem(m, a[0], &p) || !of_elem(m, a[1], &q)) return SB_AU_FAILED;
    return sb_au_bool(walk(minus(p, q)) == 1);
}

SB_AU_LIB(adjacentPossDiag) {
    place p, q;
    if (!of_position(m, a[0], &p) || !of_position(m, a[1], &q)) return SB_AU_FAILED;
    return sb_au_bool(is_diagonal(minus(p, q)));
}

SB_AU_LIB(adjacentTwoObjsDiag) {
    place p, q;
    if (!of_object(m, a[0], &p) || !of_object(m, a[1], &q)) return SB_AU_FAILED;
    return sb_au_bool(is_diagonal(minus(p, q)));
}

/* How near an object must be: at most `steps` away, or diagonally if `steps` is NULL. */
static bool is_near(place d, const int32_t *steps) { return steps ? walk(d) <= *steps : is_diagonal(d); }

/* Whether a place is near some object of a list. */
static bool is_near_item(sb_autumn_state *m, place p, sb_au_value list, const int32_t *steps) {
    place q;
    if (!sb_au_want_list(m, list)) return false;
    for (uint32_t i = 0; i < sb_au_length(m, list); i++)
        if (!of_object(m, sb_au_item(m, list, i), &q) || is_near(minus(p, q), steps)) return !m->has_fault;
    return false;
}

/* Reads the origins of all objects, once for each list of them. */
static bool read_origins(sb_autumn_state *m, sb_au_value all) {
    const uint32_t n = sb_au_length(m, all);
    if (m->origins_of == all.at) return true;
    if (!SB_GROW(m->origins, 2 * (size_t)n, m->origins_capacity))
        return sb_au_fail(m, SB_AUTUMN_MEMORY, "out of memory"), false;
    for (uint32_t i = 0; i < n; i++) {
        place p;
        if (!of_object(m, sb_au_item(m, all, i), &p)) return false;
        m->origins[2 * i] = p.x;
        m->origins[2 * i + 1] = p.y;
    }
    m->origins_of = all.at;
    return true;
}

/* Copies the objects near v (or near some item of v) to an array; `kept` gets their number. False: a fault was noted.
 * Nothing is made meanwhile, so the things stay where they are. */
static bool keep_near(sb_autumn_state *m, const sb_au_thing *all, sb_au_value v, const int32_t *steps, sb_au_value *to,
                      uint32_t *kept) {
    const bool is_list = v.kind == SB_AU_LIST;
    const int32_t *origins = m->origins;
    place q = {0};
    uint32_t n = 0;
    if (!is_list && !of_object(m, v, &q)) return false;
    for (uint32_t i = 0; i < all->n; i++) {
        const place p = {origins[2 * i], origins[2 * i + 1]};
        if (is_list ? is_near_item(m, p, v, steps) : is_near(minus(p, q), steps)) to[n++] = all->v[i];
    }
    *kept = n;
    return !m->has_fault;
}

static sb_au_value near_objects(sb_autumn_state *m, sb_au_value v, const int32_t *steps) {
    const sb_au_value all = sb_au_all_objects(m);
    if (sb_au_failed(all) || !sb_au_spend(m, sb_au_length(m, all)) || !read_origins(m, all)) return SB_AU_FAILED;
    const uint32_t used = m->heap.used;
    const sb_au_value list = sb_au_new_thing(m, SB_AU_LIST, sb_au_length(m, all), SB_AU_T_UNKNOWN);
    uint32_t kept;
    if (sb_au_failed(list)) return list;
    sb_au_thing *const to = sb_au_thing_of(m, list);
    if (!keep_near(m, sb_au_thing_of(m, all), v, steps, to->v, &kept)) return SB_AU_FAILED;
    to->n = kept;
    if (kept) to->type = sb_au_type_of(m, to->v[kept - 1]);
    m->heap.used = used + SB_AU_THING_WORDS + kept;
    return list;
}

SB_AU_LIB(adjacentObjs) {
    return sb_au_want(m, a[1], SB_AU_NUMBER) ? near_objects(m, a[0], &a[1].number) : SB_AU_FAILED;
}

SB_AU_LIB(adjacentObjsDiag) { return near_objects(m, a[0], NULL); }
