/* Counts, by agent, what came of playing recorded tapes again (`seedbed verify --again`). */
#ifndef SB_DATASETS_RECORDED_COUNTS_H
#define SB_DATASETS_RECORDED_COUNTS_H

#include "datasets/cast.h"

/* Starts zeroed. */
typedef struct sb_recorded_counts {
    struct {
        char agent[SB_AGENT_NAME];
        uint64_t tapes, other, nobody; /* other, nobody: see sb_played_again */
    } * of;                            /* by the agents' names */
    size_t n, capacity;
} sb_recorded_counts;

bool sb_recorded_count(sb_recorded_counts *counts, const char *agent, sb_played_again came, sb_error *error);
bool sb_recorded_counts_add(sb_recorded_counts *counts, const sb_recorded_counts *more, sb_error *error);
void sb_recorded_counts_free(sb_recorded_counts *counts);

/* Writes what is to be said of the tapes of an agent; false if there is nothing: all are what it does. */
bool sb_recorded_counts_tell(const sb_recorded_counts *counts, size_t index, sb_out *out);

#endif
