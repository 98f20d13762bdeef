/* Records random draws, for comparison with recordings: one line of JSON `[generator,operation,arguments,result]` per
 * draw, spelled as in tests/golden. Integers, texts and brackets are spelled as cJSON_PrintUnformatted does. Doubles
 * are not: they are the shortest text that reads back exactly, so a recorded `random` is printed with sb_put_double.
 *
 * Logging is for tests and `conform`, never for the hot path, so none of it is inlined. */
#ifndef SB_SEEDS_DRAW_LOG_H
#define SB_SEEDS_DRAW_LOG_H

#include "base/out.h"

typedef struct sb_draw_log {
    sb_out text; /* the lines, each with its newline; call sb_out_clear between steps and sb_out_free at the end */
    uint16_t generators; /* how many generators were made so far: the number of the next one */
    bool hide_shuffled;  /* write null for a shuffled list: recordings have lists only for generation */
} sb_draw_log;

/* Starts an episode's log. Generators 0 and 1 are the environment's own, which are seeded but never drawn from; those
 * of the task start at 2. The text must be zeroed or in use. */
void sb_draw_log_begin(sb_draw_log *log, uint64_t seed);

/* Logs a seeding and returns the number that the generator gets. */
uint16_t sb_log_seed(sb_draw_log *log, uint64_t seed);
/* Log one draw of the generator with this number. */
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
