#include "engine/gridworld/parts/doors.h"

bool sb_enter_unless_door(sb_episode *e, sb_xy to) { return !sb_door_is_closed(sb_peek(e, to)); }

void sb_pick_up_key(sb_episode *e) {
    const sb_cell *here = sb_peek(e, e->agent.at);
    if (here->object != SB_KEY) return;
    sb_take(e, SB_ITEM_KEY, here->metadata, e->agent.at);
    sb_set_object(e, e->agent.at, SB_NONE, 0);
}

bool sb_unlock(sb_episode *e, sb_xy target) {
    sb_cell *c = sb_cell_at(e, target);
    if (!sb_door_is_closed(c)) return false;
    const int key = sb_carries(e, SB_ITEM_KEY, c->metadata);
    if (key < 0) return false;
    sb_drop(e, key);
    c->metadata += SB_DOOR_OPEN;
    return true;
}
