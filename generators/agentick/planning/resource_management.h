/* ResourceManagement's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_RESOURCE_MANAGEMENT_H
#define SB_AGENTICK_RESOURCE_MANAGEMENT_H

#include "engine/gridworld/episode.h"

enum { SB_RESOURCE_MANAGEMENT_STATIONS = 5, SB_RESOURCE_MANAGEMENT_FULL = 100 };

typedef struct sb_resource_management_vars {
    int32_t level[SB_RESOURCE_MANAGEMENT_STATIONS]; /* 0..FULL; the cell of the station shows it as metadata */
    int32_t unused; /* keeps the size of the struct: the clairvoyant seeds its draws with a key of these bytes */
    int32_t n_stations;
    sb_xy start, station[SB_RESOURCE_MANAGEMENT_STATIONS];
} sb_resource_management_vars;

/* Return what every station loses at a drain, and the number of steps from one drain to the next. */
const int32_t *sb_resource_management_amounts(const sb_episode *e);
int sb_resource_management_interval(const sb_episode *e);
/* Returns the level of a station when it is entered after this many steps, 1 or more, if it is not entered before.
 * 0 or less: it runs dry. A drain in the step that enters it comes after the entering. */
int sb_resource_management_level_in(const sb_episode *e, int station, int steps);

extern const sb_task sb_resource_management;

#endif
