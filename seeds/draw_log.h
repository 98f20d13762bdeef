/* Draws written down, to be compared with recordings: a line of JSON `[generator,operation,arguments,result]` a draw,
 * spelled as in tests/golden. Integers, texts and brackets are also spelled as cJSON_PrintUnformatted does; doubles are
 * not (they are the shortest text that reads back exactly), so a recorded `random` is printed with sb_put_double.
 *
 * Logging is for tests and `conform`, never for the hot path: all of it is here, out of line. */
#ifndef SB_SEEDS_DRAW_LOG_H
#define SB_SEEDS_DRAW_LOG_H

#include "base/out.h"

typedef struct sb_draw_log {
    sb_out text; /* the lines, each with its newline; sb_out_clear it between steps, sb_out_free it at the end */
    uint16_t generators; /* how many were made: the next one's number */
    bool hide_shuffled;  /* write null for a shuffled list: recordings have the lists of generation only */
} sb_draw_log;

/* Starts an episode's log with the generators 0 and 1: the environment's own, which are seeded and never drawn from.
 * The generators of the task follow from 2 on. The text must be zeroed or in use. */
void sb_draw_log_begin(sb_draw_log *log, uint64_t seed);

/* Gives a generator that was just seeded its number. */
uint16_t sb_log_seed(sb_draw_log *log, uint64_t seed);
/* One draw each, of the generator with that number. */
void sb_log_integer(sb_draw_log *log, uint16_t number, const char *operation, size_t n, const int64_t *arguments,
                    int64_t result);
void sb_log_random(sb_draw_log *log, uint16_t number, double result);
void sb_log_choice_of(sb_draw_log *log, uint16_t number, const int32_t *items, size_t n, int32_t result);
void sb_log_choices(sb_draw_log *log, uint16_t number, int64_t n, size_t k, bool replace, const int64_t *result);
void sb_log_shuffle_xy(sb_draw_log *log, uint16_t number, const sb_xy *items, size_t n);
void sb_log_shuffle_ints(sb_draw_log *log, uint16_t number, const int32_t *items, size_t n);
void sb_log_shuffle_rows(sb_draw_log *log, uint16_t number, const sb_xy *items, size_t n, size_t width);
void sb_log_permutation(sb_draw_log *log, uint16_t number, const int32_t *items, size_t n);

#endif
