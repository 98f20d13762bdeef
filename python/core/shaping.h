/* Rewards of progress (seedbed/costs.h): reward="progress" of one environment, or of many. */
#ifndef SB_PYTHON_SHAPING_H
#define SB_PYTHON_SHAPING_H

#include "base/pool.h"
#include "oracles/costs.h"
#include "python/core/core.h"

enum { CORE_SPARSE, CORE_DENSE, CORE_PROGRESS };
extern const char *const core_rewards[]; /* names of the kinds of rewards; NULL behind the last */

typedef struct core_shaping {
    size_t n;         /* number of environments */
    sb_progress *of;  /* progress of the n environments */
    sb_costs **costs; /* one for every CORE_SHAPED environments that lie together; made at the first use */
    sb_error *errors; /* one for every CORE_SHAPED environments that lie together; SB_OK: no error */
} core_shaping;

enum { CORE_SHAPED = 16 };

/* Reads what the arguments `reward` and `gamma` say: the kind of reward. -1 with an exception. */
int core_read_reward(core *c, const char *reward, double gamma);
core_shaping *core_shaping_make(size_t n, double gamma); /* NULL with an exception */
void core_shaping_free(core_shaping *shaping);           /* may be NULL */
/* Whether progress can be told in episodes of this name. False with an exception. */
bool core_shapes(core *c, const sb_name *name);

/* Tells that another state is in environment i from now on. The shaping may be NULL. */
void core_shaping_forget(core_shaping *shaping, size_t i);
/* Call these before a step, and after it; env NULL: the step ended an episode that is no longer there. */
bool core_shaping_begin(core_shaping *shaping, size_t i, const sb_env *env, sb_error *error);
bool core_shaping_step(core_shaping *shaping, size_t i, const sb_env *env, const sb_result *result, double *reward,
                       sb_error *error);
/* Calls `work` with the environments from `first` to before `end`, all of one cost object, in the team's threads. */
typedef bool core_shaping_work(void *context, size_t first, size_t end, sb_error *error);
bool core_shaping_run(core_shaping *shaping, sb_team *team, core_shaping_work *work, void *context, sb_error *error);

#endif
