/* `fails where: traps > 0.2`: a threshold of a measure beyond which an agent wins less often. It is chosen with half of
 * the episodes, drawn by a hash of their names, and tested with the others. */
#ifndef SB_EXPLAIN_THRESHOLD_H
#define SB_EXPLAIN_THRESHOLD_H

#include "evaluation/explain/bins.h"

typedef struct sb_threshold {
    bool known;     /* some threshold leaves enough episodes on both sides, and fewer are won beyond it */
    bool confirmed; /* the interval of the difference in the other half of the episodes has no 0 in it */
    sb_measure measure;
    bool above; /* `measure > value`; otherwise `measure < value` */
    double value;
    sb_share beyond, elsewhere; /* shares that are won, in the half that did not choose */
    sb_interval difference;     /* Newcombe's interval for beyond - elsewhere, as sb_threshold_find makes it */
} sb_threshold;

/* Chooses the threshold whose difference is the greatest for certain: by that end of Newcombe's 95 % interval which is
 * nearer to 0. Each side has at least SB_BEYOND_LEAST episodes and a twentieth of all. The test's interval has
 * 1 - 0.05 / looks, for reports that look for so many sentences. */
enum { SB_BEYOND_LEAST = 10 };
bool sb_threshold_find(const sb_outcome *outcomes, size_t n, size_t looks, sb_threshold *threshold, sb_error *error);

/* The number with the fewest decimals of which x > number says the same as x >= high (x < number as x <= low), if no
 * value lies between low and high. */
double sb_round_threshold(double low, double high, bool above);

/* Above which number the normal distribution has this share, to nine decimals; 0 < share <= 0.5. */
double sb_normal_beyond(double share);

#endif
