/* What an agent is shown (docs/compatibility.md, "Observations"). Rendering changes nothing, draws no random numbers
 * and allocates nothing. Every mode hides terrain and object of fogged cells. */
#ifndef SB_GRIDWORLD_OBSERVE_H
#define SB_GRIDWORLD_OBSERVE_H

#include "engine/gridworld/episode.h"

/* Header lines, grid and legend exactly as published; `color` adds escape sequences. */
void sb_observe_ascii(const sb_episode *e, bool color, sb_out *out);
/* The published `language_structured`: a JSON object. */
void sb_observe_structured(const sb_episode *e, sb_out *out);
/* The published `state_dict`: a JSON object. The status provides the step count and the rewards of its info record. */
void sb_observe_state(const sb_episode *e, const sb_status *status, sb_out *out);
/* Of its info record, what an episode itself knows: agent_position, task_name, task_config. */
void sb_observe_info(const sb_episode *e, sb_out *out);
/* One paragraph in our own words: the published facts in the published order. */
void sb_observe_language(const sb_episode *e, sb_out *out);
/* `language`, `structured` and `state` without their lists of valid actions. */
void sb_observe_language_scene(const sb_episode *e, sb_out *out);
void sb_observe_structured_scene(const sb_episode *e, sb_out *out);
void sb_observe_state_scene(const sb_episode *e, const sb_status *status, sb_out *out);

#endif
