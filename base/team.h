/* A team of threads that stay alive, for work that comes often and in small portions: the steps of a batch. */
#ifndef SB_BASE_TEAM_H
#define SB_BASE_TEAM_H

#include "seedbed.h"

typedef struct sb_team sb_team;

/* Works on item `index`. Runs in any thread of the team; different items run at the same time. */
typedef void sb_share(void *context, size_t index);

/* Makes a team of `threads` working threads, including the caller of sb_team_run; 0: one for each processor. If the
 * system cannot start that many, fewer work. NULL without memory. */
sb_team *sb_team_make(size_t threads, sb_error *error);
void sb_team_free(sb_team *team);

/* Works on items 0..n-1 in blocks of `block` (at least 1), and returns when all are done. After a fork, the child's
 * team starts threads of its own. */
void sb_team_run(sb_team *team, size_t n, size_t block, sb_share *share, void *context);

#endif
