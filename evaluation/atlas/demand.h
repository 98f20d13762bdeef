/* What somebody demands of episodes, as an expression over the measures of the atlas: `steps >= 20 and random < 0.05`.
 * docs/atlas.md has its rules. */
#ifndef SB_ATLAS_DEMAND_H
#define SB_ATLAS_DEMAND_H

#include "evaluation/atlas/measure.h"

enum { SB_DEMAND_BYTES = 1000, SB_DEMAND_TEXT = SB_DEMAND_BYTES + 200 /* with a range around it */ };

typedef struct sb_demand sb_demand;

/* Reads an expression of at most SB_DEMAND_BYTES bytes; NULL with an error that points at the place. */
sb_demand *sb_demand_make(const char *text, sb_error *error);
/* The same, and the measure has to lie from `low` to `high`, too; `text` may be NULL. */
sb_demand *sb_demand_make_within(const char *text, sb_measure measure, double low, double high, sb_error *error);
void sb_demand_free(sb_demand *demand);
/* Whether the expression is about this measure. */
bool sb_demand_reads(const sb_demand *demand, sb_measure measure);
/* Whether the episode is certainly as demanded: where a measure that decides is missing, it is not. */
bool sb_demand_holds(const sb_demand *demand, const sb_atlas_row *row);

#endif
