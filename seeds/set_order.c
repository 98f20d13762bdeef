#include "seeds/set_order.h"

#include <assert.h>
#include <string.h>

enum { EMPTY, ITEM, DUMMY };
enum { SMALLEST = 8, NEAR = 9 }; /* slots of a new table; slots that are looked at after each probed one */

/* ---- Hashes: the rounds of xxHash over the coordinates, as CPython hashes tuples --------------------------------- */

static const uint64_t prime1 = 11400714785074694791u, prime2 = 14029467366897019727u, prime5 = 2870177450012600261u;

/* Python's hashes are never -1, which means failure there. */
static uint64_t int_hash(int value) { return value == -1 ? (uint64_t)-2 : (uint64_t)value; }

static uint64_t hash_round(uint64_t sum, uint64_t lane) {
    sum += lane * prime2;
    return (sum << 31 | sum >> 33) * prime1;
}

uint64_t sb_tuple_hash(sb_xy item) {
    uint64_t sum = hash_round(hash_round(prime5, int_hash(item.x)), int_hash(item.y));
    sum += 2 ^ (prime5 ^ 3527539);
    return sum == UINT64_MAX ? 1546275796 : sum;
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

static bool same(sb_xy a, sb_xy b) { return a.x == b.x && a.y == b.y; }

/* Finds the slot of the item. If the item is missing, finds the slot where it would go: the last dummy passed on the
 * way to the first empty slot, or that empty slot. The slot's state tells which case it is. A table is never full, so
 * the walk ends. */
static uint32_t find(const sb_set *set, sb_xy item) {
    const uint64_t hash = sb_tuple_hash(item), mask = set->mask;
    uint64_t start = hash & mask, rest = hash;
    uint32_t dummy = SB_SET_SLOTS;
    for (;;) {
        const uint64_t end = start + NEAR <= mask ? start + NEAR : start;
        for (uint32_t slot = (uint32_t)start; slot <= end; slot++) {
            if (set->state[slot] == EMPTY) return dummy < SB_SET_SLOTS ? dummy : slot;
            if (set->state[slot] == DUMMY)
                dummy = slot;
            else if (same(set->items[slot], item))
                return slot;
        }
        rest >>= 5;
        start = (start * 5 + 1 + rest) & mask;
    }
}

static void empty_table(sb_set *set, uint32_t slots) {
    set->mask = slots - 1, set->fill = 0, set->used = 0;
    memset(set->state, EMPTY, slots);
}

static bool is_crowded(const sb_set *set, uint32_t fill) { return fill * 5 >= set->mask * 3; }

/* Puts an item that is not in the set into the slot that `find` gave. */
static void place(sb_set *set, uint32_t slot, sb_xy item) {
    set->fill += set->state[slot] == EMPTY;
    set->used++;
    set->state[slot] = ITEM;
    set->items[slot] = item;
}

/* Moves the items, in slot order, to a table of more than `wanted` slots, and drops the dummies. */
static void resize(sb_set *set, uint32_t wanted) {
    sb_xy items[SB_SET_ITEMS];
    const size_t n = sb_set_list(set, items, SB_SET_ITEMS);
    uint32_t slots = SMALLEST;
    while (slots <= wanted) slots *= 2;
    assert(slots <= SB_SET_SLOTS);
    empty_table(set, slots);
    for (size_t i = 0; i < n; i++) place(set, find(set, items[i]), items[i]);
}

void sb_set_clear(sb_set *set) { empty_table(set, SMALLEST); }

void sb_set_add(sb_set *set, sb_xy item) {
    const uint32_t slot = find(set, item);
    const uint8_t was = set->state[slot];
    if (was == ITEM) return;
    assert(set->used < SB_SET_ITEMS);
    place(set, slot, item);
    /* Python grows sets of more than 50000 items by a factor of 2 instead; these sets are always smaller. */
    if (was == EMPTY && is_crowded(set, set->fill)) resize(set, 4 * set->used);
}

void sb_set_discard(sb_set *set, sb_xy item) {
    const uint32_t slot = find(set, item);
    if (set->state[slot] != ITEM) return;
    set->state[slot] = DUMMY;
    set->used--;
}

bool sb_set_has(const sb_set *set, sb_xy item) { return set->state[find(set, item)] == ITEM; }

size_t sb_set_list(const sb_set *set, sb_xy *out, size_t capacity) {
    size_t n = 0;
    for (uint32_t slot = 0; slot <= set->mask; slot++) {
        if (set->state[slot] != ITEM) continue;
        if (n < capacity) out[n] = set->items[slot];
        n++;
    }
    return n;
}

/* ---- Operations between sets ------------------------------------------------------------------------------------- */

static void take_over_table(sb_set *to, const sb_set *from) {
    const size_t slots = from->mask + 1;
    to->fill = from->fill, to->used = from->used;
    memcpy(to->state, from->state, slots * sizeof *to->state);
    memcpy(to->items, from->items, slots * sizeof *to->items);
}

/* `set |= other`. The table is resized first, so no insertion resizes it. */
static void merge(sb_set *set, const sb_set *other) {
    if (other->used == 0) return;
    if (is_crowded(set, set->fill + other->used)) resize(set, 2 * (set->used + other->used));
    if (set->fill == 0 && set->mask == other->mask && other->fill == other->used) {
        take_over_table(set, other);
        return;
    }
    for (uint32_t slot = 0; slot <= other->mask; slot++)
        if (other->state[slot] == ITEM) sb_set_add(set, other->items[slot]);
}

void sb_set_copy(sb_set *result, const sb_set *a) {
    sb_set_clear(result);
    merge(result, a);
}

static void discard_all(sb_set *set, const sb_set *other) {
    for (uint32_t slot = 0; slot <= other->mask; slot++)
        if (other->state[slot] == ITEM) sb_set_discard(set, other->items[slot]);
}

/* Gives the items of a that b does not have, in a's order. */
static void filter(sb_set *result, const sb_set *a, const sb_set *b) {
    sb_set_clear(result);
    for (uint32_t slot = 0; slot <= a->mask; slot++)
        if (a->state[slot] == ITEM && !sb_set_has(b, a->items[slot])) sb_set_add(result, a->items[slot]);
}

void sb_set_minus(sb_set *result, const sb_set *a, const sb_set *b) {
    if (a->used / 4 > b->used) {
        sb_set_copy(result, a);
        discard_all(result, b);
    } else {
        filter(result, a, b);
    }
}
