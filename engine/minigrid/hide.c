#include "engine/minigrid/minigrid.h"

#include <string.h>

#include "engine/minigrid/view.h"

static void forget(sb_mg_description *d) {
    const bool several = d->several;
    *d = sb_mg_the((sb_mg_type)d->type, d->colour, (sb_mg_location)d->location);
    d->several = several;
}

/* Keeps only what the mission's text says. */
static void forget_progress(sb_mg_mission *m) {
    m->start = sb_at(0, 0), m->start_facing = 0;
    for (int p = 0; p < sb_mg_n_parts(m); p++) {
        m->part[p].done = false;
        for (int i = 0; i < m->part[p].n_singles; i++) {
            sb_mg_single *s = &m->part[p].single[i];
            s->held = 0, s->done = false;
            forget(&s->what), forget(&s->to);
        }
    }
}

/* Makes a copy of what an object looks like; returns the copy's id. */
static int portray(sb_mg_world *shown, const sb_mg_object *o) {
    const int id = sb_mg_make_object(shown, (sb_mg_type)o->type, (sb_mg_colour)o->colour);
    shown->objects[id].open = o->open, shown->objects[id].locked = o->locked;
    return id;
}

static void portray_cell(sb_mg_world *shown, sb_xy to, const sb_mg_world *w, sb_xy from) {
    const int id = sb_mg_inside(w, from) && !sb_same(from, w->agent) ? sb_mg_id_at(w, from) : SB_MG_NOTHING;
    shown->cells[sb_mg_index(shown, to)] = SB_MG_NOTHING;
    if (!sb_mg_inside(w, from) || id == SB_MG_A_WALL)
        sb_mg_put_wall(shown, to);
    else if (id)
        sb_mg_put(shown, portray(shown, &w->objects[id]), to);
}

void sb_mg_hide(sb_mg_world *w) {
    enum { MIDDLE = SB_MG_SHOWN_SIDE / 2 };
    sb_mg_visibility visibility;
    sb_mg_world shown = *w;
    shown.width = shown.height = SB_MG_SHOWN_SIDE;
    shown.agent = sb_at(MIDDLE, MIDDLE);
    shown.n_objects = 0, shown.carried = 0;
    memset(shown.objects, 0, sizeof shown.objects);
    memset(shown.cells, 0, sizeof shown.cells);
    memset(shown.cells, SB_MG_A_WALL, (size_t)sb_mg_n_cells(&shown));
    forget_progress(&shown.mission);
    sb_mg_look(w, SB_MG_VIEW_DEFAULT, &visibility);
    for (int i = 0; i < sb_mg_n_cells(&shown); i++) {
        const sb_xy to = sb_mg_xy_of(&shown, i), from = sb_at(w->agent.x + to.x - MIDDLE, w->agent.y + to.y - MIDDLE);
        if (sb_mg_sees_cell(w, &visibility, from)) portray_cell(&shown, to, w, from);
    }
    if (w->carried) shown.carried = (uint8_t)portray(&shown, &w->objects[w->carried]);
    *w = shown;
}
