/* The atlas of difficulty: what an episode demands, in numbers. A row has a value for every measure, or says why there
 * is none. Definitions are in measure.c; every measure follows from the name of the episode alone. */
#ifndef SB_ATLAS_MEASURE_H
#define SB_ATLAS_MEASURE_H

#include "base/out.h"
#include "seedbed.h"

enum { SB_ATLAS_VERSION = 1 /* version of the measures: another one gives other numbers */ };

typedef enum sb_measure {
    SB_MEASURE_STEPS,
    SB_MEASURE_PROVEN,
    SB_MEASURE_RANDOM,
    SB_MEASURE_RANDOM_LOW,
    SB_MEASURE_RANDOM_HIGH,
    SB_MEASURE_GREEDY,
    SB_MEASURE_SEARCH,
    SB_MEASURE_BRANCH,
    SB_MEASURE_CHOICE,
    SB_MEASURE_TRAPS,
    SB_MEASURE_HIDDEN,
    SB_MEASURE_LUCK,
    SB_MEASURE_BACKTRACK,
    SB_MEASURE_SIZE,
    SB_MEASURE_KINDS,
    SB_N_MEASURES
} sb_measure;

typedef struct sb_atlas_measure_info {
    const char *name, *unit;
    const char *summary; /* the definition: a sentence without its end */
} sb_atlas_measure_info;

extern const sb_atlas_measure_info sb_atlas_measures[SB_N_MEASURES];

/* Finds a measure by its name; -1: there is none. */
int sb_atlas_measure_find(const char *name, size_t n);

/* Why a measure has no value. */
typedef enum sb_lack {
    SB_LACKS_NOTHING,
    SB_LACKS_QUESTION, /* the measure was not asked for */
    SB_LACKS_AIM,
    SB_LACKS_CHANCE,
    SB_LACKS_PLAY,
    SB_LACKS_PROOF,
    SB_LACKS_GOAL,
    SB_LACKS_COSTS,
    SB_LACKS_OBSERVER,
    SB_LACKS_OBSERVED_PLAY,
    SB_LACKS_FUTURES,
    SB_LACKS_AGENT,
    SB_LACKS_GRID,
    SB_LACKS_SEARCH,
    SB_N_LACKS
} sb_lack;

extern const char *const sb_lack_words[SB_N_LACKS];

typedef struct sb_atlas_row {
    sb_name name;
    double values[SB_N_MEASURES];   /* values of the measures; NaN: there is none */
    sb_lack missing[SB_N_MEASURES]; /* why there is no value of a measure */
    bool traps_proven;              /* whether a proof or a play stands behind every state of `traps` */
} sb_atlas_row;

/* Writes one line of JSON with its newline. */
void sb_atlas_row_print(const sb_atlas_row *row, sb_out *out);
/* Reads such a line. Unknown, missing and contradicting keys are errors. */
bool sb_atlas_row_parse(const sb_catalogue *catalogue, const char *line, size_t n, sb_atlas_row *row, sb_error *error);

#endif
