/* What agents are shown of an episode: the last drawing, as texts, documents and arrays. */
#ifndef SB_AUTUMN_OBSERVE_H
#define SB_AUTUMN_OBSERVE_H

#include "generators/autumn/episode.h"

enum { SB_AUTUMN_N_MODES = 7, SB_AUTUMN_N_ARRAYS = 2 };
/* The longest text: as many cells as may be drawn, each another object with all that may be told of it. */
enum { SB_AUTUMN_TEXT_MAX = 26 << 20 };

extern const sb_mode sb_autumn_modes[SB_AUTUMN_N_MODES];
extern const char *const sb_autumn_dataset_modes[];
extern const sb_array sb_autumn_arrays[SB_AUTUMN_N_ARRAYS];

void sb_autumn_shape(const sb_task_info *task, size_t difficulty, sb_shape *shape);
void sb_autumn_observe(const sb_env *env, const sb_mode *mode, sb_out *out);
/* Writes the colours (generators/autumn/colours.h) of the area that the first frame had: that of the cell at (x, y) to
 * out[y * down + x * right]. A grid that has become larger is cut; where a smaller one has no cells, SB_NO_COLOUR is
 * written. */
void sb_autumn_colours(const sb_env *env, uint8_t *out, size_t right, size_t down);
/* Writes the colours of the state of the program as sb_autumn_colours does, whatever a test shows. */
void sb_autumn_state_colours(const sb_autumn_episode *e, uint8_t *out, size_t right, size_t down);
void sb_autumn_fill(const sb_env *env, size_t array, void *numbers);
void sb_autumn_survey(const sb_env *env, sb_grid_survey *survey);
/* SHA-256 of the colours of the frame, row by row, each with a NUL. */
void sb_autumn_digest(const sb_env *env, uint8_t digest[32]);

#endif
