/* The published way from a name to a list of seeds: SHA-256 of `task::difficulty::split` seeds a generator
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

/* The published benchmark: what official.def says of it. */
extern const char sb_official_family[];
extern const char *const sb_official_tasks[SB_OFFICIAL_TASKS];
extern const char *const sb_official_difficulties[SB_OFFICIAL_DIFFICULTIES];

/* How many seeds the published lists of a split have: 25 for `eval`, 2000 for `train`, 0 for any other base. */
size_t sb_official_length(const char *base);

/* An endless list of seeds in 0..2^31-1. Its key is the three parts joined by `::`; `base` is the split or any text of
 * the user's own, and an empty difficulty is left out together with its separator. A long list may repeat a seed. */
void sb_seed_stream(sb_rng *stream, const char *task, const char *difficulty, const char *base);
uint64_t sb_next_seed(sb_rng *stream);
/* The first n seeds of the list. */
void sb_derive_seeds(const char *task, const char *difficulty, const char *base, uint64_t *seeds, size_t n);

/* SHA-256 of the JSON text `[1, 2, 3]`, as published. */
void sb_seed_list_hash(const uint64_t *seeds, size_t n, char hex[SB_SHA256_HEX]);

/* All 3700 official evaluation seeds, which differ from one another. The caller frees the set. */
bool sb_official_eval_seeds(sb_seed_set *set, sb_error *error);

#endif
