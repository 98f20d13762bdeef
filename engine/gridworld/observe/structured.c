/* The published `language_structured`: a list of visible entities and data about the agent. */
#include "engine/gridworld/observe/observe.h"

static void put_description(sb_out *out, const sb_episode *e) {
    sb_put_key(out, "description");
    sb_puts(out, "\"A ");
    sb_put_int(out, e->width);
    sb_putc(out, 'x');
    sb_put_int(out, e->height);
    sb_puts(out, " gridworld environment\"");
}

static void put_position(sb_out *out, const sb_episode *e) {
    sb_put_key(out, "position");
    sb_putc(out, '{');
    sb_member_int(out, "x", e->agent.at.x);
    sb_member_int(out, "y", e->agent.at.y);
    sb_putc(out, '}');
}

static void put_traits(sb_out *out, const sb_cell *cell) {
    for (const sb_trait *trait = sb_traits; trait < sb_traits + SB_N_TRAITS; trait++) {
        if (trait->object != cell->object) continue;
        const sb_value value = trait->read(cell->metadata);
        if (value.kind == SB_ABSENT) continue;
        sb_put_key(out, trait->key);
        sb_put_value(out, value);
        if (value.kind == SB_CLUE) sb_member_int(out, "clue_distance", value.number);
    }
}

static void put_entity(sb_out *out, const sb_episode *e, sb_xy at) {
    const sb_cell *cell = sb_peek(e, at);
    sb_put_comma(out);
    sb_putc(out, '{');
    sb_member_text(out, "type", sb_object_names[cell->object]);
    sb_put_key(out, "position");
    sb_put_xy(out, at);
    sb_member_int(out, "distance", sb_manhattan(at, e->agent.at));
    put_traits(out, cell);
    sb_putc(out, '}');
}

/* Lists everything that is not fogged, at any distance and also behind walls; if `only` is SB_NONE, every object. */
static void put_entities(sb_out *out, const sb_episode *e, const char *key, int only) {
    sb_put_key(out, key);
    sb_putc(out, '[');
    for (int i = 0; i < sb_n_cells(e); i++) {
        const sb_cell *cell = &e->cells[i];
        if (cell->object == SB_NONE || sb_fogged(cell)) continue;
        if (only == SB_NONE || cell->object == only) put_entity(out, e, sb_xy_of(e, i));
    }
    sb_putc(out, ']');
}

static void put_inventory(sb_out *out, const sb_episode *e) {
    sb_put_key(out, "inventory");
    sb_putc(out, '[');
    for (int i = 0; i < e->agent.n_items; i++) {
        sb_put_comma(out);
        sb_put_json_string(out, sb_item_names[e->items[i].kind].type);
    }
    sb_putc(out, ']');
}

static void put_task_annotations(sb_out *out, const sb_episode *e) {
    sb_told told;
    sb_tell_task(e, &told);
    sb_put_key(out, "task_annotations");
    sb_putc(out, '{');
    sb_put_told_members(out, e, &told);
    sb_put_fog_cells(out, e, sb_put_xy);
    sb_putc(out, '}');
}

static void put_all(const sb_episode *e, bool hint, sb_out *out) {
    sb_putc(out, '{');
    put_description(out, e);
    put_position(out, e);
    sb_member_text(out, "orientation", sb_direction_names[e->agent.facing]);
    put_entities(out, e, "visible_entities", SB_NONE);
    put_inventory(out, e);
    sb_put_vitals(out);
    put_entities(out, e, "goals", SB_GOAL);
    put_entities(out, e, "threats", SB_ENEMY);
    put_task_annotations(out, e);
    if (hint) sb_put_valid_actions(out, e);
    sb_member_int(out, "step_count", e->clock);
    sb_member_int(out, "max_steps", e->max_steps);
    sb_putc(out, '}');
}

void sb_observe_structured(const sb_episode *e, sb_out *out) { put_all(e, true, out); }
void sb_observe_structured_scene(const sb_episode *e, sb_out *out) { put_all(e, false, out); }
