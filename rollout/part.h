/* A part of work that is divided among several machines: `1/8` is the first of eight. */
#ifndef SB_ROLLOUT_PART_H
#define SB_ROLLOUT_PART_H

#include "base/json.h"
#include "base/out.h"
#include "seedbed.h"

/* Part `number` of `of`: every item (a shard of a dataset, an episode of an evaluation) whose index is number - 1
 * modulo of. */
typedef struct sb_part {
    size_t number, of; /* 1 of 1: all of them; 0 of 0: the whole, not a part */
} sb_part;

enum { SB_PARTS_MAX = 100000 };

/* Reads `I/N`, counted from 1. */
bool sb_part_parse(const char *text, sb_part *part, sb_error *error);
/* Writes the member `part` of an object; the whole has none. */
void sb_part_print(sb_part part, sb_out *out);
/* Reads that member; without it, the object is about the whole. */
bool sb_part_read(const cJSON *object, sb_part *part, sb_error *error);

#endif
