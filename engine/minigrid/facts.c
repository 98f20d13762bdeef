/* The facts of a world: rooms, things in the order of their cells, the agent, the mission. */
#include "engine/facts.h"
#include "engine/minigrid/minigrid.h"

static sb_fact fact_of(const sb_mg_object *o) {
    return (sb_fact){.type = sb_mg_type_names[o->type],
                     .colour = sb_mg_colour_names[o->colour],
                     .at = o->at,
                     .has_lock = o->type == SB_MG_DOOR,
                     .locked = o->locked};
}

static void list_things(const sb_mg_world *w, sb_facts *facts) {
    facts->n_things = 0;
    for (int i = 0; i < sb_mg_n_cells(w); i++) {
        const int id = w->cells[i];
        if (!sb_mg_is_object(id)) continue;
        facts->things[facts->n_things++] = fact_of(&w->objects[id]);
    }
}

static bool comes_first(sb_xy a, sb_xy b) { return a.x != b.x ? a.x < b.x : a.y < b.y; }

static void find_target(const sb_mg_world *w, sb_facts *facts) {
    const sb_mg_description *d = &w->mission.part[sb_mg_turn(&w->mission, 0)].single[0].what;
    facts->has_target = false;
    for (int i = 0; i < d->n_objects; i++) {
        if (!sb_mg_is_object(d->objects[i])) continue;
        const sb_mg_object *o = &w->objects[d->objects[i]];
        if (!o->on_grid || (facts->has_target && !comes_first(o->at, facts->target))) continue;
        facts->has_target = true, facts->target = o->at;
    }
}

_Static_assert((int)SB_FACTS_THINGS >= (int)SB_MG_OBJECTS_MAX, "every object is a thing");

static void tell(const sb_env *env, sb_facts *facts) {
    const sb_mg_world *w = env->state;
    sb_out mission = sb_out_fixed(facts->mission, sizeof facts->mission);
    facts->room_rows = w->rows, facts->room_columns = w->columns, facts->room_side = w->room_side;
    facts->size = sb_at(w->width, w->height);
    facts->agent = w->agent, facts->front = sb_mg_front(w);
    facts->direction = w->facing, facts->direction_name = sb_mg_direction_names[w->facing];
    facts->carries = w->carried;
    if (facts->carries) facts->carried = fact_of(sb_mg_carrying(w));
    sb_mg_put_mission(&mission, &w->mission);
    sb_out_finish(&mission);
    find_target(w, facts);
    list_things(w, facts);
}

const sb_fact_source sb_minigrid_facts = {.tell = tell};
