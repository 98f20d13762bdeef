/* JSON pieces that the structured and the state observation share. */
#ifndef SB_OBSERVE_MEMBERS_H
#define SB_OBSERVE_MEMBERS_H

#include "engine/gridworld/config.h"
#include "engine/gridworld/observe/traits.h"

/* The text "x,y" that names a cell in annotations. */
void sb_put_pair_text(sb_out *out, sb_xy p);

/* A value that is there; of a clue its direction. */
void sb_put_value(sb_out *out, sb_value value);

/* The member `fog_cells`, by x and then y, each cell as `put` writes it; nothing if there is no fog. */
void sb_put_fog_cells(sb_out *out, const sb_episode *e, void (*put)(sb_out *out, sb_xy p));
/* The member `valid_actions`: names. */
void sb_put_valid_actions(sb_out *out, const sb_episode *e);
/* The members `energy` and `health`, which no task changes. */
void sb_put_vitals(sb_out *out);

#endif
