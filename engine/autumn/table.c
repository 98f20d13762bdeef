#include "engine/autumn/program.h"

#include <string.h>

static const uint32_t bucket_counts[] = {13, 29, 59, 127, 257, 541, 1109, SB_AU_TABLE_MAX};

sb_au_table sb_au_table_empty(void) { return (sb_au_table){.buckets = bucket_counts[0]}; }

static void insert_at(sb_au_table *t, uint16_t *order, uint32_t at, uint16_t symbol) {
    memmove(order + at + 1, order + at, (t->n - at) * sizeof *order);
    order[at] = symbol;
    t->n++;
}

/* Inserts a symbol before the first name of the same bucket, or at the front (language 7.2). */
static void insert_hashed(sb_au_table *t, uint16_t *order, uint16_t symbol, const sb_au_words *names) {
    const uint64_t bucket = names->words[symbol].hash % t->buckets;
    uint32_t at = 0;
    while (at < t->n && names->words[order[at]].hash % t->buckets != bucket) at++;
    insert_at(t, order, at < t->n ? at : 0, symbol);
}

/* Empties the list and inserts the old names again, in their old order, for the larger number of buckets. */
static void grow(sb_au_table *t, uint16_t *order, const sb_au_words *names) {
    uint16_t old[SB_AU_TABLE_MAX];
    const uint32_t n = t->n;
    size_t i = 0;
    while (bucket_counts[i] <= n) i++;
    memcpy(old, order, n * sizeof *old);
    t->buckets = bucket_counts[i];
    t->n = 0;
    for (uint32_t k = 0; k < n; k++) insert_hashed(t, order, old[k], names);
}

void sb_au_table_insert(sb_au_table *t, uint16_t *order, uint16_t symbol, const sb_au_words *names,
                        sb_autumn_order how) {
    if (how != SB_AUTUMN_TABLE_ORDER) {
        insert_at(t, order, how == SB_AUTUMN_PROGRAM_ORDER ? t->n : 0, symbol);
        return;
    }
    if (t->n + 1 > t->buckets) grow(t, order, names);
    insert_hashed(t, order, symbol, names);
}

void sb_au_table_remove(sb_au_table *t, uint16_t *order, uint16_t symbol) {
    uint32_t at = 0;
    while (order[at] != symbol) at++;
    memmove(order + at, order + at + 1, (t->n - at - 1) * sizeof *order);
    t->n--;
}
