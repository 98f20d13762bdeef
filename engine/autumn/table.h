/* The order in which the published interpreter walks a table of names: that of a hash table of GNU C++ (language 7).
 * The caller owns the array, which has room for all symbols of the program. */
#ifndef SB_AUTUMN_TABLE_H
#define SB_AUTUMN_TABLE_H

#include "engine/autumn/autumn.h"
#include "engine/autumn/words.h"

typedef struct sb_au_table {
    uint32_t n, buckets;
} sb_au_table;

/* The most names that a table can have; more than that would need bucket counts that nobody has recorded. */
enum { SB_AU_TABLE_MAX = 2357 };

sb_au_table sb_au_table_empty(void);
/* Puts in a symbol that is not there. */
void sb_au_table_insert(sb_au_table *table, uint16_t *order, uint16_t symbol, const sb_au_words *names,
                        sb_autumn_order how);
/* Takes out a symbol that is there. */
void sb_au_table_remove(sb_au_table *table, uint16_t *order, uint16_t symbol);

#endif
