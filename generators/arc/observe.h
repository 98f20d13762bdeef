/* Episodes of multi-level games, and what is shown of them. */
#ifndef SB_ARC_OBSERVE_H
#define SB_ARC_OBSERVE_H

#include "engine/arc/play.h"
#include "engine/efficiency.h"
#include "engine/environment.h"

/* The state of an environment: a play with its levels. */
typedef struct sb_arc_episode {
    sb_arc_play play;
    sb_arc_answer answer; /* the answer to the last action */
    int32_t turned;       /* how many frames of the last action come after the one that is shown; usually 0 */
    int32_t steps, n_levels;
    sb_effort effort;       /* the effort without the baselines, which are in the levels */
    uint64_t seed;          /* seed of the levels */
    uint64_t levels_key[2]; /* hash of all levels, unless they are masked */
    bool is_masked;         /* levels do not follow from the seed: some of them were overwritten */
    sb_arc_level levels[SB_ARC_LEVELS];
} sb_arc_episode;

enum { SB_ARC_N_MODES = 5, SB_ARC_N_ARRAYS = 5 };
extern const sb_mode sb_arc_modes[SB_ARC_N_MODES];
extern const char *const sb_arc_dataset_modes[];
extern const sb_array sb_arc_arrays[SB_ARC_N_ARRAYS];

/* Draws the frame that is shown. */
void sb_arc_shown(const sb_arc_episode *episode, uint8_t frame[SB_ARC_FRAME]);
/* Tell how many frames the last action showed, and show another one than the last (engine/contract.h). */
int32_t sb_arc_n_frames(const sb_env *env);
void sb_arc_show_frame(sb_env *env, int32_t frame);
void sb_arc_observe(const sb_env *env, const sb_mode *mode, sb_out *out);
void sb_arc_survey(const sb_env *env, sb_grid_survey *survey);
void sb_arc_fill_array(const sb_env *env, size_t array, void *numbers);
/* Writes the extents of all arrays. */
void sb_arc_extents(sb_shape *shape);
/* The number of an action in this family. */
sb_action sb_arc_action_number(sb_arc_action action);
/* Which actions are available, as agents are told: bit i for action i. */
uint8_t sb_arc_available(const sb_arc_game *game);

#endif
