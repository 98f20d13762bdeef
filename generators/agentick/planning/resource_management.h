/* ResourceManagement's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_RESOURCE_MANAGEMENT_H
#define SB_AGENTICK_RESOURCE_MANAGEMENT_H

#include "engine/gridworld/episode.h"

enum { SB_RESOURCE_MANAGEMENT_STATIONS = 5, SB_RESOURCE_MANAGEMENT_FULL = 100 };

typedef struct sb_resource_management_vars {
    int32_t level[SB_RESOURCE_MANAGEMENT_STATIONS]; /* 0..FULL; also the metadata of the station's cell */
    int32_t unused; /* holds the layout: the clairvoyant's draws begin with a key of these bytes */
    int32_t n_stations;
    sb_xy start, station[SB_RESOURCE_MANAGEMENT_STATIONS];
} sb_resource_management_vars;

/* What every station loses at a drain, and how many steps lie between two drains. */
const int32_t *sb_resource_management_amounts(const sb_episode *e);
int sb_resource_management_interval(const sb_episode *e);

extern const sb_task sb_resource_management;

#endif
