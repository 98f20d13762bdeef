/* A beam over copies of the episode: step by step the most promising of all successors are kept, and the rest is
 * forgotten. It proves nothing, but reaches where an exhaustive search does not. Promising is a low bound of the steps
 * left (sb_family.bound), and of equals the larger sum of dense rewards. Future draws are part of the copies. */
#ifndef SB_ORACLES_BEAM_H
#define SB_ORACLES_BEAM_H

#include "oracles/oracle.h"

enum { SB_BEAM_WIDTH = 256 };

typedef struct sb_beam {
    struct sb_env *kept[2][SB_BEAM_WIDTH]; /* of this step and of the next; made as they are needed */
    struct sb_env *next;
    struct sb_beam_successor *successors;
    sb_action *actions;         /* to try in a state */
    uint32_t *table, n_table;   /* of successors, by key */
    struct sb_beam_link *links; /* how each state that was kept was reached: a row of them for every step */
    size_t n_successors, n_links, n_actions; /* that there is room for */
    int n_kept;
} sb_beam;

/* Looks for at most `max_steps` steps to success, keeping `width` states (at most SB_BEAM_WIDTH) a step. Writes them
 * and their number; 0 if none were found. The beam starts zeroed. Every successor counts as a state looked at. False,
 * with the error, if memory ran out. */
bool sb_beam_search(sb_beam *beam, const sb_env *start, int width, int max_steps, sb_budget *budget, sb_action *actions,
                    int *n, sb_error *error);
void sb_beam_close(sb_beam *beam);

#endif
