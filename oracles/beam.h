/* A beam search over copies of the episode: at each step the most promising successors are kept and the others dropped.
 * It proves nothing, but gets farther than an exhaustive search. The most promising successors have the lowest bound of
 * steps left (sb_family.bound) and, among equals, the largest sum of dense rewards. The copies include future draws. */
#ifndef SB_ORACLES_BEAM_H
#define SB_ORACLES_BEAM_H

#include "oracles/oracle.h"

enum { SB_BEAM_WIDTH = 256 };

typedef struct sb_beam {
    struct sb_env *kept[2][SB_BEAM_WIDTH]; /* the states of this step and of the next; made as needed */
    struct sb_env *next;
    struct sb_beam_successor *successors;
    sb_action *actions;                      /* the actions to try in a state */
    uint32_t *table, n_table;                /* hash table of successors, by key */
    struct sb_beam_link *links;              /* how each kept state was reached: one row for every step */
    size_t n_successors, n_links, n_actions; /* what there is room for */
    int n_kept;
} sb_beam;

/* Searches for a way to success in at most `max_steps` steps, keeping `width` states (at most SB_BEAM_WIDTH) at each
 * step. Writes the actions and their number; 0 if none were found. The beam must be zeroed before the first use. Every
 * successor counts as a state looked at. Returns false with an error if memory ran out. */
bool sb_beam_search(sb_beam *beam, const sb_env *start, int width, int max_steps, sb_budget *budget, sb_action *actions,
                    int *n, sb_error *error);
void sb_beam_close(sb_beam *beam);

#endif
