/* What a frame and an action led to the last time: the reference row `table`, which is learnt on the fly. */
#ifndef SB_EVALUATION_MODELS_TABLE_H
#define SB_EVALUATION_MODELS_TABLE_H

#include "rollout/transitions.h"

/* The hash of a frame, which is the longest part of a look-up. */
typedef struct sb_frame_key {
    uint64_t hash[2];
} sb_frame_key;

typedef struct sb_seen {
    uint64_t key[2];
    const uint8_t *next; /* the frame, which belongs to the log; NULL: the place is free */
    sb_frame_key of_next;
    bool done, over;
} sb_seen;

/* Starts zeroed. */
typedef struct sb_seen_table {
    sb_seen *items;
    size_t n, capacity;
} sb_seen_table;

sb_frame_key sb_frame_key_of(const sb_frame_shape *shape, const uint8_t *frame);
/* Returns what is known; NULL: nothing. */
const sb_seen *sb_seen_find(const sb_seen_table *table, sb_frame_key frame, const sb_log_action *action);
/* Learns; `next` must outlive the table. False: out of memory. */
bool sb_seen_put(sb_seen_table *table, sb_frame_key frame, const sb_log_action *action, const uint8_t *next,
                 sb_frame_key of_next, bool done, bool over);
void sb_seen_free(sb_seen_table *table);

#endif
