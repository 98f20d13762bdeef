/* The episodes of an expert, to be found beside those of other agents. */
#ifndef SB_EVALUATION_EXPERT_H
#define SB_EVALUATION_EXPERT_H

#include "evaluation/result.h"

/* The expert's episodes, which point into a result that outlives them. Starts zeroed; sb_expert_close frees it. */
typedef struct sb_expert {
    const sb_played **episodes; /* sorted by name */
    size_t n;
} sb_expert;

bool sb_expert_open(sb_expert *expert, const sb_results *results, sb_error *error);
/* Returns the expert's episode of the same name, or NULL. */
const sb_played *sb_expert_find(const sb_expert *expert, const sb_played *played);
/* Fails if the expert lacks an episode of the family that the results have. */
bool sb_expert_covers(const sb_expert *expert, const sb_results *results, const sb_family *family, sb_error *error);
void sb_expert_close(sb_expert *expert);

#endif
