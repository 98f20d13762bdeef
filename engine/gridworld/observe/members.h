/* JSON pieces that the structured and the state observation have in common. */
#ifndef SB_OBSERVE_MEMBERS_H
#define SB_OBSERVE_MEMBERS_H

#include "engine/gridworld/config.h"
#include "engine/gridworld/observe/traits.h"

/* Puts the text "x,y", which names a cell in annotations. */
void sb_put_pair_text(sb_out *out, sb_xy p);

/* Puts a value, which must not be SB_ABSENT; of a clue, its direction. */
void sb_put_value(sb_out *out, sb_value value);

/* Puts the member `fog_cells`, sorted by x and then y, each cell as `put` writes it; nothing if there is no fog. */
void sb_put_fog_cells(sb_out *out, const sb_episode *e, void (*put)(sb_out *out, sb_xy p));
/* Puts the member `valid_actions`, a list of names. */
void sb_put_valid_actions(sb_out *out, const sb_episode *e);
/* Puts the members `energy` and `health`, which no task changes. */
void sb_put_vitals(sb_out *out);

#endif
