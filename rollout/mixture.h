/* A mixture of tasks and difficulties by weight, from which episodes are drawn one after the other. A weight may change
 * as training goes on: then the mixture is a curriculum. Recipes of datasets and vectors of environments draw from the
 * same mixtures. */
#ifndef SB_ROLLOUT_MIXTURE_H
#define SB_ROLLOUT_MIXTURE_H

#include "rollout/selection.h"
#include "seeds/rng.h"

enum { SB_MIXTURE_ITEMS = 1024, SB_MIXTURE_POINTS = 16 };

/* The weight of an item over progress: through these points in straight lines, level before the first and after the
 * last. */
typedef struct sb_mixture_item {
    size_t first, n; /* the item's pairs of task and difficulty, all of which are equally likely */
    double at[SB_MIXTURE_POINTS], weight[SB_MIXTURE_POINTS];
    size_t n_points;
} sb_mixture_item;

typedef struct sb_mixture {
    sb_mixture_item *items;
    size_t n;
    sb_selection pairs; /* the pairs of all items, one after the other; seeds are 0 */
    bool changes;       /* a weight depends on progress */
} sb_mixture;

/* Reads a list of {"tasks", "category", "difficulty", "weight"}. The weight is a number, or a list of [progress,
 * weight], where progress rises from 0 to 1; it is 1 if it is left out. At every progress some weight has to be above
 * 0. Errors name the item. `usual` says what an item that leaves out tasks and category, or difficulty, is drawn from.
 * The caller frees the mixture, also after a failure. */
bool sb_mixture_read(const sb_request *usual, const cJSON *list, sb_mixture *mixture, sb_error *error);
void sb_mixture_free(sb_mixture *mixture);
/* Writes a list that reads back to the same mixture. */
void sb_mixture_print(const cJSON *list, sb_out *out);

/* Draws the task and the difficulty of the next episode: two draws of the generator, so that the same generator and the
 * same progress (0 to 1) give the same pair. Allocates nothing. */
const sb_chosen *sb_mixture_draw(const sb_mixture *mixture, double progress, sb_rng *rng);

#endif
