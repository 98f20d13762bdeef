#include "base/search/search.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/search/states.h"

#define NOTHING UINT32_MAX /* no node */

enum {
    N_BUCKETS = SB_SEARCH_COST_MAX + 1,
    SMALL = 4095,      /* the mask with which a search begins */
    FIRST_NODES = 1024 /* nodes for which a search that grows has room at first */
};

typedef struct node {
    uint32_t parent, move;   /* parent: an index; NOTHING for the start */
    uint32_t before, behind; /* neighbours in the bucket, while the node is open */
    uint16_t cost, bound;    /* the cost from the start to here; the least cost from here to a goal */
    uint8_t is_open, is_goal;
} node;

_Static_assert(sizeof(node) == SB_SEARCH_NODE, "SB_SEARCH_SIZE counts it");

/* In memory of a fixed size, the nodes follow this struct, and then the table. */
struct sb_search {
    const sb_problem *problem;
    uint8_t *nodes;        /* n nodes, each with its state behind it */
    uint32_t *table;       /* hash table of nodes by their states */
    uint8_t *expanded;     /* a copy of the state being expanded, since nodes move when they grow; NULL: they stay */
    uint32_t n;            /* how many nodes there are */
    uint32_t room, places; /* how many nodes there is memory for, and how many places the table has */
    uint32_t capacity;     /* how many nodes there may be */
    bool is_starved;       /* no memory was left to grow into */
    uint32_t current;      /* the node being expanded */
    uint32_t goal;         /* the cheapest goal found, or NOTHING */
    int now;               /* the bucket that is being emptied */
    bool is_cut, is_done;  /* is_cut: memory ran out; is_done: no cheaper goal is possible */
    int limit, next_limit; /* the most that a plan may cost in this round of deepening and in the next; limit is -1
                              without deepening */
    uint32_t mask, base;   /* mask: of the part of the table in use; entries up to base are no longer valid */
    size_t stride;         /* bytes from one node to the next */
    uint32_t front[N_BUCKETS], back[N_BUCKETS]; /* lists of open nodes, by cost plus weighted bound */
};

_Static_assert(sizeof(sb_search) <= SB_SEARCH_HEAD, "SB_SEARCH_SIZE counts it");

static node *node_of(const sb_search *s, uint32_t i) { return (node *)(void *)(s->nodes + i * s->stride); }

static uint8_t *state_of(const sb_search *s, uint32_t i) { return (uint8_t *)(node_of(s, i) + 1); }

/* ---- Memory ---- */

static size_t stride_of(size_t state_size) { return sizeof(node) + ((state_size + 7) & ~(size_t)7); }

static void *starve(sb_search *s) {
    s->is_starved = true;
    return NULL;
}

static bool grow_nodes(sb_search *s) {
    if (s->room == s->capacity) return false;
    const uint32_t room = s->room <= s->capacity / 2 ? 2 * s->room : s->capacity;
    uint8_t *nodes = realloc(s->nodes, room * s->stride);
    if (!nodes) return starve(s);
    s->nodes = nodes, s->room = room;
    return true;
}

/* New places are empty: no entry is 0. */
static bool grow_table(sb_search *s, uint32_t places) {
    if (places <= s->places) return true;
    uint32_t *table = realloc(s->table, places * sizeof *table);
    if (!table) return starve(s);
    memset(table + s->places, 0, (places - s->places) * sizeof *table);
    s->table = table, s->places = places;
    return true;
}

static uint8_t *behind(sb_search *s) { return (uint8_t *)s + SB_SEARCH_HEAD; }

static bool is_fixed(sb_search *s) { return s->nodes == behind(s); }

/* Divides memory of a fixed size into nodes and table. */
static void divide(sb_search *s, uint32_t n_states, size_t state_size) {
    s->capacity = s->room = n_states, s->places = 4 * n_states;
    s->stride = stride_of(state_size);
    s->nodes = behind(s);
    s->table = (uint32_t *)(void *)(s->nodes + n_states * s->stride);
}

void *sb_search_new(size_t state_size, uint32_t n_states) {
    sb_search *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->capacity = n_states, s->stride = stride_of(state_size);
    s->room = n_states < FIRST_NODES ? n_states : FIRST_NODES;
    s->nodes = malloc(s->room * s->stride), s->expanded = malloc(s->stride);
    if (s->nodes && s->expanded && grow_table(s, SMALL + 1)) return s;
    sb_search_free(s);
    return NULL;
}

void sb_search_free(void *memory) {
    sb_search *s = memory;
    if (!s) return;
    if (!is_fixed(s)) free(s->nodes), free(s->table), free(s->expanded);
    free(s);
}

bool sb_search_is_starved(const void *memory) { return ((const sb_search *)memory)->is_starved; }

/* ---- Open nodes ---- */

static int bucket_of(const sb_search *s, const node *n) {
    const int weight = s->problem->weight > 1 ? s->problem->weight : 1;
    return n->cost + weight * n->bound;
}

static void push(sb_search *s, uint32_t i) {
    node *n = node_of(s, i);
    const int bucket = bucket_of(s, n);
    n->is_open = 1, n->behind = NOTHING, n->before = s->back[bucket];
    if (n->before == NOTHING)
        s->front[bucket] = i;
    else
        node_of(s, n->before)->behind = i;
    s->back[bucket] = i;
    if (bucket < s->now) s->now = bucket;
}

static void unlink_open(sb_search *s, uint32_t i) {
    node *n = node_of(s, i);
    const int bucket = bucket_of(s, n);
    n->is_open = 0;
    *(n->before == NOTHING ? &s->front[bucket] : &node_of(s, n->before)->behind) = n->behind;
    *(n->behind == NOTHING ? &s->back[bucket] : &node_of(s, n->behind)->before) = n->before;
}

/* Takes the open node with the least cost plus bound, or NOTHING. Without a bound, the first one added comes first, so
 * that plans are found in the order of the moves; with a bound, the last one added, because it is nearer to a goal. */
static uint32_t pop(sb_search *s) {
    while (s->now < N_BUCKETS && s->front[s->now] == NOTHING) s->now++;
    if (s->now == N_BUCKETS) return NOTHING;
    const uint32_t i = s->problem->bound ? s->back[s->now] : s->front[s->now];
    unlink_open(s, i);
    return i;
}

/* ---- States ---- */

/* Finds the table's slot of the state's node (then true), or a free slot for it. */
static bool find(const sb_search *s, const void *state, uint32_t *slot) {
    const size_t size = s->problem->state_size;
    const uint32_t *table = s->table;
    *slot = (uint32_t)sb_state_hash(state, size) & s->mask;
    for (; table[*slot] > s->base; *slot = (*slot + 1) & s->mask)
        if (sb_states_are_equal(state_of(s, table[*slot] - s->base - 1), state, size)) return true;
    return false;
}

/* Makes all entries of the table invalid, without clearing it. */
static void empty_table(sb_search *s) {
    s->base += s->n;
    if (s->base <= UINT32_MAX - 2 - s->capacity) return;
    memset(s->table, 0, s->places * sizeof *s->table);
    s->base = 0;
}

static bool can_double(const sb_search *s, uint32_t mask) {
    return 2 * (uint64_t)mask + 2 <= 4 * (uint64_t)s->capacity;
}

/* Takes a part of the table that is four times as large into use when half of it is full. Looking up states in a large
 * search mostly waits for memory, and the smaller the table is, the more of it stays in the processor's cache. */
static void make_room(sb_search *s) {
    if (2 * (uint64_t)s->n < s->mask || !can_double(s, s->mask)) return;
    uint32_t mask = 2 * s->mask + 1;
    if (can_double(s, mask)) mask = 2 * mask + 1;
    if (!grow_table(s, mask + 1)) return;
    empty_table(s);
    s->mask = mask;
    for (uint32_t i = 0, slot; i < s->n; i++)
        if (!node_of(s, i)->is_goal && !find(s, state_of(s, i), &slot)) s->table[slot] = s->base + i + 1;
}

static uint32_t append(sb_search *s, const void *state, uint32_t move, int cost, int bound) {
    const uint32_t i = s->n++;
    *node_of(s, i) = (node){.parent = s->current, .move = move, .cost = (uint16_t)cost, .bound = (uint16_t)bound};
    memcpy(state_of(s, i), state, s->problem->state_size);
    return i;
}

/* Tells whether a node with this cost and bound can be added. Sets is_cut if only memory prevents it. */
static bool has_room(sb_search *s, int cost, int bound) {
    const sb_problem *p = s->problem;
    if (cost + bound > p->max_cost) return false;
    if (!s->is_starved && (s->n < s->room || grow_nodes(s)) &&
        cost + (p->weight > 1 ? p->weight : 1) * bound <= SB_SEARCH_COST_MAX)
        return true;
    s->is_cut = true;
    return false;
}

/* Adds a goal, which needs no place in the table because it has no successors. Every open node costs at least `now`,
 * and without a bound a goal after it costs at least one more: this tells whether a cheaper goal is possible. */
static void add_goal(sb_search *s, const void *state, uint32_t move, int cost) {
    if (s->goal != NOTHING && node_of(s, s->goal)->cost <= cost) return;
    if (!has_room(s, cost, 0)) return;
    s->goal = append(s, state, move, cost, 0);
    node_of(s, s->goal)->is_goal = 1;
    s->is_done = s->problem->weight > 1 || cost <= s->now + (s->problem->bound ? 0 : 1);
}

static bool is_on_path(const sb_search *s, const void *state) {
    for (uint32_t i = s->current; i != NOTHING; i = node_of(s, i)->parent)
        if (memcmp(state_of(s, i), state, s->problem->state_size) == 0) return true;
    return false;
}

/* Adds a state while deepening. If it is too expensive for this round, its cost is a candidate for the next limit. */
static void add_to_path(sb_search *s, const void *state, uint32_t move, int cost, bool is_goal) {
    const sb_problem *p = s->problem;
    if (is_on_path(s, state)) return;
    const int bound = is_goal || !p->bound ? 0 : p->bound(p->context, state);
    if (bound < 0 || !has_room(s, cost, bound)) return;
    if (cost + bound > s->limit) {
        if (cost + bound < s->next_limit) s->next_limit = cost + bound;
        return;
    }
    const uint32_t i = append(s, state, move, cost, bound);
    node_of(s, i)->is_open = 1;
    if (is_goal) s->goal = i, s->is_done = true;
}

void sb_search_add(sb_search *s, const void *state, uint32_t move, int step_cost, bool is_goal) {
    const int cost = node_of(s, s->current)->cost + step_cost;
    if (s->is_done) return;
    if (s->limit >= 0) {
        add_to_path(s, state, move, cost, is_goal);
        return;
    }
    if (is_goal) {
        add_goal(s, state, move, cost);
        return;
    }
    uint32_t slot;
    make_room(s);
    if (find(s, state, &slot)) {
        const uint32_t i = s->table[slot] - s->base - 1;
        node *known = node_of(s, i);
        if (known->cost <= cost) return;
        if (known->is_open) unlink_open(s, i);
        known->cost = (uint16_t)cost, known->parent = s->current, known->move = move;
        push(s, i);
        return;
    }
    const int bound = s->problem->bound ? s->problem->bound(s->problem->context, state) : 0;
    if (bound < 0 || !has_room(s, cost, bound)) return;
    s->table[slot] = s->base + s->n + 1;
    push(s, append(s, state, move, cost, bound));
}

/* ---- The search ---- */

/* Forgets the states of the previous search without clearing the table, of which most searches use little. */
static void begin(sb_search *s, uint32_t n_states, const sb_problem *problem) {
    if (s->capacity == 0) divide(s, n_states, problem->state_size);
    empty_table(s);
    s->mask = 1;
    while (s->mask < SMALL && can_double(s, s->mask)) s->mask = 2 * s->mask + 1;
    memset(s->front, 0xff, sizeof s->front);
    memset(s->back, 0xff, sizeof s->back);
    s->problem = problem;
    s->n = 0, s->current = s->goal = NOTHING, s->now = 0;
    s->limit = -1;
    s->is_cut = s->is_done = s->is_starved = false;
}

/* Adds the successors of the current node. Nodes that are added may move the others, but not the state that is looked
 * at. */
static void expand(sb_search *s) {
    const uint8_t *state = state_of(s, s->current);
    if (s->expanded) state = memcpy(s->expanded, state, s->problem->state_size);
    s->problem->expand(s->problem->context, state, s);
}

static bool add_start(sb_search *s, const void *start) {
    const int bound = s->problem->bound ? s->problem->bound(s->problem->context, start) : 0;
    uint32_t slot;
    if (bound < 0 || !has_room(s, 0, bound)) return false;
    find(s, start, &slot);
    s->table[slot] = s->base + s->n + 1;
    push(s, append(s, start, 0, 0, bound));
    return true;
}

sb_verdict sb_search_run(void *memory, uint32_t n_states, const sb_problem *problem, const void *start,
                         sb_budget *budget) {
    sb_search *s = memory;
    begin(s, n_states, problem);
    add_start(s, start);
    while (!s->is_done && (s->current = pop(s)) != NOTHING) {
        if (s->goal != NOTHING && node_of(s, s->goal)->cost <= s->now) break;
        if (budget->spent >= budget->limit) {
            s->is_cut = true;
            break;
        }
        budget->spent++;
        expand(s);
    }
    s->problem = NULL; /* the problem belongs to the caller */
    budget->is_cut |= s->is_cut || problem->weight > 1;
    return s->goal != NOTHING ? SB_SOLVED : s->is_cut ? SB_NOT_FOUND : SB_IMPOSSIBLE;
}

/* ---- Iterative deepening ---- */

static void swap(sb_search *s, uint32_t i, uint32_t j) {
    uint8_t *a = (uint8_t *)node_of(s, i), *b = (uint8_t *)node_of(s, j);
    for (size_t k = 0; k < s->stride; k++) {
        const uint8_t byte = a[k];
        a[k] = b[k], b[k] = byte;
    }
}

/* Looks depth first through everything within the limit. The stack holds the path and, above each of its states, its
 * successors that have not been looked at; the first one added is on top. */
static void go_deep(sb_search *s, sb_budget *budget) {
    while (s->n > 0 && !s->is_done && !s->is_cut) {
        node *top = node_of(s, s->n - 1);
        if (!top->is_open) {
            s->n--;
            continue;
        }
        if (budget->spent >= budget->limit) {
            s->is_cut = true;
            return;
        }
        budget->spent++;
        top->is_open = 0;
        s->current = s->n - 1;
        expand(s);
        if (s->is_done) return;
        for (uint32_t i = s->current + 1, j = s->n - 1; i < j; i++, j--) swap(s, i, j);
    }
}

sb_verdict sb_search_deepen(void *memory, uint32_t n_states, const sb_problem *problem, const void *start,
                            sb_budget *budget) {
    sb_search *s = memory;
    begin(s, n_states, problem);
    const int bound = problem->bound ? problem->bound(problem->context, start) : 0;
    s->next_limit = bound < 0 ? INT_MAX : bound;
    while (s->next_limit <= problem->max_cost && s->goal == NOTHING && !s->is_cut) {
        s->limit = s->next_limit, s->next_limit = INT_MAX;
        s->n = 0, s->current = NOTHING;
        node_of(s, append(s, start, 0, 0, bound))->is_open = 1;
        go_deep(s, budget);
    }
    s->problem = NULL;
    budget->is_cut |= s->is_cut;
    return s->goal != NOTHING ? SB_SOLVED : s->is_cut ? SB_NOT_FOUND : SB_IMPOSSIBLE;
}

/* ---- Reading the plan ---- */

static int path_to(const sb_search *s, uint32_t last, uint32_t *moves, int capacity) {
    int n = 0;
    for (const node *here = node_of(s, last); here->parent != NOTHING; here = node_of(s, here->parent)) n++;
    int at = n;
    for (const node *here = node_of(s, last); here->parent != NOTHING; here = node_of(s, here->parent))
        if (--at < capacity) moves[at] = here->move;
    return n;
}

int sb_search_path(const sb_search *search, uint32_t *moves, int capacity) {
    return path_to(search, search->current, moves, capacity);
}

int sb_search_plan(const void *memory, uint32_t *moves, int capacity) {
    const sb_search *s = memory;
    return path_to(s, s->goal, moves, capacity);
}

int sb_search_cost(const void *memory) {
    const sb_search *s = memory;
    return node_of(s, s->goal)->cost;
}
