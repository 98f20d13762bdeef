/* The iteration order of CPython sets of (x,y) tuples (64-bit build, CPython 3.11; docs/compatibility.md, "Sets"). A
 * set is a plain value of fixed size, about 20 KB, but only the slots of its table are ever touched. Grids have at most
 * 31x31 cells, so 4096 slots hold every table that occurs. */
#ifndef SB_SEEDS_SET_ORDER_H
#define SB_SEEDS_SET_ORDER_H

#include "seedbed.h"

#define SB_SET_SLOTS 4096
#define SB_SET_ITEMS 1023 /* the most items in a set: with more, its table might need more slots */

typedef struct sb_set {
    uint32_t mask, fill, used;   /* mask: table size - 1; fill: items and dummies; used: items */
    uint8_t state[SB_SET_SLOTS]; /* 0 empty, 1 item, 2 dummy (deleted); undefined outside the table */
    sb_xy items[SB_SET_SLOTS];   /* defined only where there is an item */
} sb_set;

uint64_t sb_tuple_hash(sb_xy item);

void sb_set_clear(sb_set *set); /* also initialises a set in uninitialised memory */
void sb_set_add(sb_set *set, sb_xy item);
void sb_set_discard(sb_set *set, sb_xy item);
bool sb_set_has(const sb_set *set, sb_xy item);
/* sb_set_copy and sb_set_minus make a new set, which must not be one of the operands. As in Python, the result has its
 * own table and therefore its own order: even a copy may be ordered differently from the original. */
void sb_set_copy(sb_set *result, const sb_set *a);                   /* set(a) */
void sb_set_minus(sb_set *result, const sb_set *a, const sb_set *b); /* a - b */
/* Lists the items in iteration order; returns how many there are. */
size_t sb_set_list(const sb_set *set, sb_xy *out, size_t capacity);

#endif
