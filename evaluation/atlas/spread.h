/* Equal numbers of episodes in ranges of a measure: `steps=10..60 in 5`. Each range holds its lower end; the last one
 * holds both. */
#ifndef SB_ATLAS_SPREAD_H
#define SB_ATLAS_SPREAD_H

#include "evaluation/atlas/measure.h"

enum { SB_SPREAD_BYTES = 100, SB_SPREAD_RANGES = 100 };

typedef struct sb_spread {
    sb_measure measure;
    double low, high;
    int n; /* ranges; 0: nothing is spread */
} sb_spread;

bool sb_spread_read(const char *text, sb_spread *spread, sb_error *error);
/* The lower end of a range; of range n, the upper end of the last. */
double sb_spread_edge(const sb_spread *spread, int range);
/* In which range a value lies; -1: in none. */
int sb_spread_range(const sb_spread *spread, double value);

#endif
