/* The published derivation of seed lists: the SHA-256 of `task::difficulty::split` seeds a generator
 * (docs/compatibility.md, "Seeds"). */
#ifndef SB_SEEDS_OFFICIAL_H
#define SB_SEEDS_OFFICIAL_H

#include "base/hash.h"
#include "seeds/rng.h"
#include "seeds/seed_set.h"

#define SB_EVAL_SEEDS            25
#define SB_TRAIN_SEEDS           2000
#define SB_OFFICIAL_TASKS        37
#define SB_OFFICIAL_DIFFICULTIES 4

/* The name of the published benchmark's family. */
extern const char sb_official_family[];
/* All tasks with published lists, sorted, whether or not this program has them; and their difficulties, easiest first.
 */
extern const char *const sb_official_tasks[SB_OFFICIAL_TASKS];
extern const char *const sb_official_difficulties[SB_OFFICIAL_DIFFICULTIES];

/* Returns the length of the published lists of a split: 25 for `eval`, 2000 for `train`, 0 for any other base. */
size_t sb_official_length(const char *base);

/* Starts an endless list of seeds in 0..2^31-1. Its key is the three parts joined by `::`; `base` is the split or any
 * other text, and an empty difficulty is left out together with its separator. A long list may repeat a seed. */
void sb_seed_stream(sb_rng *stream, const char *task, const char *difficulty, const char *base);
uint64_t sb_next_seed(sb_rng *stream);
/* Gives the first n seeds of the endless list that sb_seed_stream starts. */
void sb_derive_seeds(const char *task, const char *difficulty, const char *base, uint64_t *seeds, size_t n);

/* Gives the SHA-256 of the JSON text `[1, 2, 3]`, as published. */
void sb_seed_list_hash(const uint64_t *seeds, size_t n, char hex[SB_SHA256_HEX]);

/* Makes the set of all 3700 official evaluation seeds, which are all different. The caller frees the set. */
bool sb_official_eval_seeds(sb_seed_set *set, sb_error *error);

#endif
