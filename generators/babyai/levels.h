/* BabyAI's levels: 96 registered ones and 16 large rooms of BabyBench's Plan task (docs/babyai.md). */
#ifndef SB_BABYAI_LEVELS_H
#define SB_BABYAI_LEVELS_H

#include "engine/minigrid/world.h"
#include "generators/babyai/rooms.h"

enum { SB_BABYAI_N_LEVELS = 112 };

/* Returns a level by its index in the table. It is the first member of a larger struct; environments hold its `info` as
 * their task. The 16 levels of BabyBench come first, in its order from easy to hard and in its groups `easy`, `medium`,
 * `hard`, `very_hard`. The other registered levels follow, grouped by what the agent has to do, then the large rooms as
 * `plan`. Names are the published ids (kept as aliases) without `BabyAI-` or `CustomBabyAI-` and the version. */
const sb_mg_level *sb_babyai_level(size_t index);
/* Puts what a solver should know of a level: the text of its recipe (generators/babyai/texts), what its numbers mean,
 * and what all levels have in common. */
void sb_babyai_describe(const sb_task_info *task, sb_out *out);

/* How BabyAI's levels are made: recipes, each shared by several levels. They use the functions of rooms.h line by line
 * as published (docs/babyai.md). Afterwards levels.c decides whether the attempt is valid. */

/* Defined in going.c. */
void sb_recipe_red_ball(sb_builder *b);
void sb_recipe_go_to_obj(sb_builder *b);
void sb_recipe_go_to_local(sb_builder *b);
void sb_recipe_go_to(sb_builder *b);
void sb_recipe_red_blue_ball(sb_builder *b);
void sb_recipe_go_to_door(sb_builder *b);
void sb_recipe_go_to_obj_door(sb_builder *b);
void sb_recipe_action_obj_door(sb_builder *b);

/* Defined in opening.c. */
void sb_recipe_open_any(sb_builder *b);
void sb_recipe_open_red_door(sb_builder *b);
void sb_recipe_open_door(sb_builder *b);
void sb_recipe_open_two(sb_builder *b);
void sb_recipe_open_order(sb_builder *b);

/* Defined in taking.c. */
void sb_recipe_pickup(sb_builder *b);
void sb_recipe_unblock_pickup(sb_builder *b);
void sb_recipe_pickup_dist(sb_builder *b);
void sb_recipe_pickup_above(sb_builder *b);
void sb_recipe_find_obj(sb_builder *b);
void sb_recipe_one_room(sb_builder *b);
void sb_recipe_put_next_local(sb_builder *b);
void sb_recipe_put_next(sb_builder *b);
void sb_recipe_move_two(sb_builder *b);

/* Defined in unlocking.c. */
void sb_recipe_go_to_imp_unlock(sb_builder *b);
void sb_recipe_unlock(sb_builder *b);
void sb_recipe_unlock_local(sb_builder *b);
void sb_recipe_key_in_box(sb_builder *b);
void sb_recipe_unlock_pickup(sb_builder *b);
void sb_recipe_blocked(sb_builder *b);
void sb_recipe_unlock_to_unlock(sb_builder *b);
void sb_recipe_key_corridor(sb_builder *b);

/* Defined in generated.c. */
void sb_recipe_generated(sb_builder *b);

#endif
