/* MiniGrid's side of the family contract: what a family of sb_mg_level constants puts into its sb_family. */
#ifndef SB_MINIGRID_H
#define SB_MINIGRID_H

#include "engine/brush.h"
#include "engine/facts.h"
#include "engine/minigrid/view.h"
#include "engine/minigrid/world.h"

void sb_minigrid_shape(const sb_task_info *task, size_t difficulty, sb_shape *shape);
bool sb_minigrid_start(sb_env *env, int32_t *max_steps, sb_error *error);
void sb_minigrid_step(sb_env *env, sb_action action, sb_result *result);
void sb_minigrid_observe(const sb_env *env, const sb_mode *mode, sb_out *out);
void sb_minigrid_fill(const sb_env *env, size_t array, void *numbers);
void sb_minigrid_valid(const sb_env *env, bool *mask);
void sb_minigrid_effective(const sb_env *env, bool *mask);
void sb_minigrid_print_action(const sb_env *env, sb_action action, sb_out *out);
bool sb_minigrid_parse_action(const sb_env *env, const char *text, sb_action *action);
bool sb_minigrid_copy(sb_env *to, const sb_env *from, sb_error *error);
void sb_minigrid_clear(sb_env *env);
void sb_minigrid_key(const sb_env *env, uint64_t key[2]);
int sb_minigrid_bound(const sb_env *env);
void sb_minigrid_survey(const sb_env *env, sb_grid_survey *survey);
void sb_minigrid_hide(sb_env *env);
bool sb_minigrid_extend(sb_env *env, int32_t max_steps);
extern const sb_info_source sb_minigrid_info;
extern const sb_fact_source sb_minigrid_facts;
void sb_minigrid_digest(const sb_env *env, uint8_t digest[32]);

/* Masks a world: hides everything that the agent is not shown. */

/* Keeps what the view of size 7, the direction, the mission's text and the step counter show, and overwrites the rest.
 * The world becomes a square of SB_MG_SHOWN_SIDE cells with the agent in the middle and walls wherever it does not see.
 * Visible objects are numbered in the order of cells, then comes the carried one. Boxes are empty, nothing is tracked,
 * nothing is done. Rooms keep the level's side and number. The result can be read and stepped safely. */
enum { SB_MG_SHOWN_SIDE = 15 };
void sb_mg_hide(sb_mg_world *w);

/* A lower bound on the steps that a mission still needs: the bound of the family contract. */

/* Returns at most the number of steps that success still needs, or a negative number if success is impossible. Assumes
 * that objects never block the way and that a locked door opens once a key of its colour can be reached. So it notices
 * a key behind its own door, but not a crowded room. It also knows that a strict `open` in the second place fails at
 * the toggle that fulfils the first. */
int sb_mg_bound(const sb_mg_world *w);

/* The rules of MiniGrid as BabyAI's levels use them (docs/babyai.md). A step draws nothing and allocates nothing. */

/* Makes one step by the rules. Rewards, end and success are those of the published package. */
void sb_mg_step(sb_mg_world *w, sb_mg_action action, sb_result *result);
/* Returns a mask: bit a is set if action a may change the world or decide the mission. */
unsigned sb_mg_valid(const sb_mg_world *w);
/* Returns a mask: bit a is clear only if what is shown proves that action a does no more than `done`, in the world and
 * for the mission. */
unsigned sb_mg_effective(const sb_mg_world *w);

/* MiniGrid's pictures, equal to the published ones (Farama MiniGrid) to the byte: docs/pictures.md, "BabyAI". */

enum { SB_MG_TILE_MAX = 64 /* with larger tiles, equality is not claimed */, SB_MG_NO_AGENT = -1 };

/* Draws one tile, side x side x 3 bytes. `code`: (type, colour, state), as in observations; the published renderer's
 * floor (3), goal (8) and lava (9) are drawn too. `agent`: the agent's direction, or SB_MG_NO_AGENT. */
void sb_mg_draw_tile(const uint8_t code[3], int agent, bool highlight, int side, uint8_t *rgb);

extern const sb_picture_source sb_mg_pictures;

#endif
