#include "base/search/distances.h"

#include "base/search/states.h"

#define NOTHING UINT32_MAX

enum { SMALL = 4095 /* the mask with which a table begins */ };

/* Where a move leads. The edges out of a state lie together; the edges into a state are a list, for the way
 * backwards. */
typedef struct edge {
    uint32_t to;    /* index of the state that the move leads to; NOTHING: a goal */
    uint32_t other; /* the next edge into the same state, or NOTHING */
} edge;

typedef struct node {
    uint32_t into;     /* the first edge into the state, or NOTHING */
    uint16_t distance; /* SB_NO_WAY until it is known */
    uint16_t n_edges;
} node;

/* In memory, this is followed by the states, the nodes, the edges, the table, the queue and the moves of the edges. */
struct sb_distances {
    size_t state_size, stride;
    uint32_t capacity, n_moves, n;
    uint32_t mask;    /* mask for the part of the table in use */
    uint32_t goals;   /* the first edge to a goal, or NOTHING */
    uint32_t current; /* the state that is being expanded */
    bool is_full;
};

_Static_assert(sizeof(sb_distances) <= 64 && sizeof(node) == 8 && sizeof(edge) == 8, "SB_DISTANCES_SIZE counts them");

static uint8_t *state_of(const sb_distances *d, uint32_t i) { return (uint8_t *)(uintptr_t)d + 64 + i * d->stride; }
static node *nodes_of(const sb_distances *d) { return (node *)(void *)state_of(d, d->capacity); }
static edge *edges_of(const sb_distances *d) { return (edge *)(void *)(nodes_of(d) + d->capacity); }
static uint32_t *table_of(const sb_distances *d) {
    return (uint32_t *)(edges_of(d) + (size_t)d->capacity * d->n_moves);
}
static uint32_t *queue_of(const sb_distances *d) { return table_of(d) + 4 * (size_t)d->capacity; }
static uint8_t *moves_of(const sb_distances *d) { return (uint8_t *)(queue_of(d) + d->capacity); }

/* ---- The table ---- */

/* Finds the table's slot of the state (then true), or a free slot for it. A slot holds an index plus 1. */
static bool find(const sb_distances *d, const void *state, uint32_t *slot) {
    const uint32_t *table = table_of(d);
    *slot = (uint32_t)sb_state_hash(state, d->state_size) & d->mask;
    for (; table[*slot]; *slot = (*slot + 1) & d->mask)
        if (sb_states_are_equal(state_of(d, table[*slot] - 1), state, d->state_size)) return true;
    return false;
}

static bool can_grow(const sb_distances *d) { return 2 * (uint64_t)d->mask + 2 <= 4 * (uint64_t)d->capacity; }

/* Makes the table four times as large where it can. It begins small, because a small table stays in the processor's
 * cache. */
static void grow(sb_distances *d) {
    uint32_t slot;
    for (int i = 0; i < 2 && can_grow(d); i++) d->mask = 2 * d->mask + 1;
    memset(table_of(d), 0, ((size_t)d->mask + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i < d->n; i++) {
        find(d, state_of(d, i), &slot);
        table_of(d)[slot] = i + 1;
    }
}

/* Returns the state's index; NOTHING if there is no room for it. */
static uint32_t index_of(sb_distances *d, const void *state) {
    uint32_t slot;
    if (2 * (uint64_t)d->n >= d->mask && can_grow(d)) grow(d);
    if (find(d, state, &slot)) return table_of(d)[slot] - 1;
    if (d->n == d->capacity) return NOTHING;
    nodes_of(d)[d->n] = (node){.into = NOTHING, .distance = SB_NO_WAY};
    memcpy(state_of(d, d->n), state, d->state_size);
    table_of(d)[slot] = d->n + 1;
    return d->n++;
}

/* ---- Forwards ---- */

void sb_distances_add(sb_distances *d, const void *state, uint8_t move, bool is_goal) {
    const uint32_t to = is_goal ? NOTHING : index_of(d, state);
    node *from = &nodes_of(d)[d->current];
    d->is_full |= (!is_goal && to == NOTHING) || from->n_edges == d->n_moves;
    if (d->is_full) return;
    const uint32_t e = d->current * d->n_moves + from->n_edges++;
    uint32_t *into = is_goal ? &d->goals : &nodes_of(d)[to].into;
    edges_of(d)[e] = (edge){to, *into};
    moves_of(d)[e] = move;
    *into = e;
}

static bool look_at_all(sb_distances *d, const sb_distances_of *of, sb_budget *budget) {
    for (d->current = 0; d->current < d->n && !d->is_full; d->current++) {
        if (budget->spent >= budget->limit) return false;
        budget->spent++;
        of->expand(of->context, state_of(d, d->current), d);
    }
    return !d->is_full;
}

/* ---- Backwards ---- */

/* Gives the distance to every state from which one of these edges leads, if it has none yet. */
static uint32_t reach(sb_distances *d, uint32_t e, uint16_t distance, uint32_t n) {
    for (; e != NOTHING; e = edges_of(d)[e].other) {
        node *from = &nodes_of(d)[e / d->n_moves];
        if (from->distance != SB_NO_WAY) continue;
        if (distance == SB_NO_WAY) { /* a distance of so many moves cannot be told from no way */
            d->is_full = true;
            return n;
        }
        from->distance = distance;
        queue_of(d)[n++] = e / d->n_moves;
    }
    return n;
}

static bool count_back(sb_distances *d) {
    uint32_t n = reach(d, d->goals, 1, 0);
    for (uint32_t i = 0; i < n && !d->is_full; i++) {
        const node *to = &nodes_of(d)[queue_of(d)[i]];
        n = reach(d, to->into, (uint16_t)(to->distance + 1), n);
    }
    return !d->is_full;
}

bool sb_distances_make(void *memory, const sb_distances_of *of, const void *start, sb_budget *budget) {
    sb_distances *d = memory;
    *d = (sb_distances){.state_size = of->state_size,
                        .stride = (of->state_size + 7) & ~(size_t)7,
                        .capacity = of->n_states,
                        .n_moves = of->n_moves,
                        .mask = 1,
                        .goals = NOTHING};
    while (d->mask < SMALL && can_grow(d)) d->mask = 2 * d->mask + 1;
    memset(table_of(d), 0, ((size_t)d->mask + 1) * sizeof(uint32_t));
    index_of(d, start);
    return look_at_all(d, of, budget) && count_back(d);
}

/* ---- Asking ---- */

uint32_t sb_distances_find(const void *memory, const void *state) {
    const sb_distances *d = memory;
    uint32_t slot;
    return find(d, state, &slot) ? table_of(d)[slot] - 1 : NOTHING;
}

int sb_distances_from(const void *memory, uint32_t index) { return nodes_of(memory)[index].distance; }

uint8_t sb_distances_next(const void *memory, uint32_t *index) {
    const sb_distances *d = memory;
    const uint16_t rest = nodes_of(d)[*index].distance - 1;
    size_t e = (size_t)*index * d->n_moves;
    while (rest ? edges_of(d)[e].to == NOTHING || nodes_of(d)[edges_of(d)[e].to].distance != rest
                : edges_of(d)[e].to != NOTHING)
        e++;
    *index = edges_of(d)[e].to;
    return moves_of(d)[e];
}
