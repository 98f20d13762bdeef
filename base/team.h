/* A team of threads that stay, for work that comes again and again in small portions: the steps of a batch. */
#ifndef SB_BASE_TEAM_H
#define SB_BASE_TEAM_H

#include "seedbed.h"

typedef struct sb_team sb_team;

/* Does item `index`. Runs in any thread of the team; different items at the same time. */
typedef void sb_share(void *context, size_t index);

/* So many threads work, the one that calls sb_team_run included; 0: one for each processor. Where fewer can be started,
 * fewer work. NULL without memory. */
sb_team *sb_team_make(size_t threads, sb_error *error);
void sb_team_free(sb_team *team);

/* Does items 0..n-1, dealt in blocks of `block` (1 at least), and returns when all are done. After a fork the child's
 * team starts threads of its own. */
void sb_team_run(sb_team *team, size_t n, size_t block, sb_share *share, void *context);

#endif
