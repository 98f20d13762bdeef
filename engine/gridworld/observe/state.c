/* The published `state_dict`: layers, agent, annotations and the info record. */
#include "engine/gridworld/observe/observe.h"

#include "engine/gridworld/config.h"

/* ---- The layers ---- */

typedef int layer(const sb_cell *cell);

static int terrain(const sb_cell *cell) { return sb_fogged(cell) ? SB_EMPTY : cell->terrain; }
static int object(const sb_cell *cell) { return sb_fogged(cell) ? SB_NONE : cell->object; }
static int metadata(const sb_cell *cell) { return cell->metadata; }
static int agents(const sb_cell *cell) { /* a layer that no task uses */
    (void)cell;
    return 0;
}

static char *write_int(char *at, int value) {
    if (value < 0) *at++ = '-', value = -value;
    if (value >= 10) at = write_int(at, value / 10);
    *at++ = (char)('0' + value % 10);
    return at;
}

/* Rows have thousands of numbers, so each row is put in one piece. */
static void put_row(sb_out *out, const sb_cell *cells, int width, layer *read) {
    char row[SB_SIDE_MAX * sizeof "-32768, " + 2], *at = row;
    *at++ = '[';
    for (int x = 0; x < width; x++) {
        if (x) *at++ = ',', *at++ = ' ';
        at = write_int(at, read(&cells[x]));
    }
    *at++ = ']';
    sb_put(out, row, (size_t)(at - row));
}

static void put_layer(sb_out *out, const sb_episode *e, const char *key, layer *read) {
    sb_put_key(out, key);
    sb_putc(out, '[');
    for (int y = 0; y < e->height; y++) {
        sb_put_comma(out);
        put_row(out, sb_peek(e, sb_at(0, y)), e->width, read);
    }
    sb_putc(out, ']');
}

static void put_grid(sb_out *out, const sb_episode *e) {
    sb_put_key(out, "grid");
    sb_putc(out, '{');
    sb_member_int(out, "height", e->height);
    sb_member_int(out, "width", e->width);
    put_layer(out, e, "terrain", terrain);
    put_layer(out, e, "objects", object);
    put_layer(out, e, "agents", agents);
    put_layer(out, e, "metadata", metadata);
    sb_putc(out, '}');
}

/* ---- The agent ---- */

/* An item is named after its kind and the cell where it was picked up. */
static void put_item(sb_out *out, const sb_item *item) {
    const sb_item_words *name = &sb_item_names[item->kind];
    sb_put_comma(out);
    sb_putc(out, '{');
    sb_put_key(out, "id");
    sb_putc(out, '"');
    sb_puts(out, name->stem);
    sb_putc(out, '_');
    sb_put_int(out, item->at.x);
    sb_putc(out, '_');
    sb_put_int(out, item->at.y);
    sb_putc(out, '"');
    sb_member_text(out, "entity_type", name->type);
    sb_put_key(out, "position");
    sb_put_xy(out, item->at);
    sb_put_key(out, "properties");
    sb_putc(out, '{');
    if (name->property) sb_member_int(out, name->property, item->value);
    sb_puts(out, "}}");
}

static void put_agent(sb_out *out, const sb_episode *e) {
    sb_put_key(out, "agent");
    sb_putc(out, '{');
    sb_put_key(out, "position");
    sb_put_xy(out, e->agent.at);
    sb_member_text(out, "orientation", sb_direction_names[e->agent.facing]);
    sb_put_key(out, "inventory");
    sb_putc(out, '[');
    for (int i = 0; i < e->agent.n_items; i++) put_item(out, &e->items[i]);
    sb_putc(out, ']');
    sb_put_vitals(out);
    sb_putc(out, '}');
}

/* ---- The annotations ---- */

static void put_clue(sb_out *out, sb_value clue) {
    sb_putc(out, '{');
    sb_member_text(out, "direction", clue.word);
    sb_member_text(out, "direction_short", (char[]){clue.letter, '\0'});
    sb_member_int(out, "distance", clue.number);
    sb_putc(out, '}');
}

/* Puts one kind of annotation: an object from cells to values; nothing if no cell has it. */
static void put_group(sb_out *out, const sb_episode *e, const sb_trait *trait) {
    bool any = false;
    for (int i = 0; i < sb_n_cells(e); i++) {
        const sb_cell *cell = &e->cells[i];
        if (cell->object != trait->object || sb_fogged(cell)) continue;
        const sb_value value = trait->read(cell->metadata);
        if (value.kind == SB_ABSENT) continue;
        if (!any) sb_put_key(out, trait->group), sb_putc(out, '{');
        any = true;
        sb_put_comma(out);
        sb_put_pair_text(out, sb_xy_of(e, i));
        sb_put(out, ": ", 2);
        (value.kind == SB_CLUE ? put_clue : sb_put_value)(out, value);
    }
    if (any) sb_putc(out, '}');
}

static void put_task_annotations(sb_out *out, const sb_episode *e) {
    sb_told told;
    sb_tell_task(e, &told);
    if (told.n == 0) return;
    sb_put_key(out, "task");
    sb_putc(out, '{');
    sb_put_told_members(out, e, &told);
    sb_putc(out, '}');
}

static void put_annotations(sb_out *out, const sb_episode *e) {
    sb_put_key(out, "annotations");
    sb_putc(out, '{');
    for (int t = 0; t < SB_N_TRAITS; t++) put_group(out, e, &sb_traits[t]);
    sb_put_fog_cells(out, e, sb_put_pair_text);
    put_task_annotations(out, e);
    sb_putc(out, '}');
}

/* ---- The info record ---- */

static void put_own_info(sb_out *out, const sb_episode *e) {
    sb_put_key(out, "agent_position");
    sb_put_xy(out, e->agent.at);
    sb_member_text(out, "task_name", e->task->info.name);
    sb_put_key(out, "task_config");
    sb_put_config(out, e, false);
}

/* The record does not say how the episode ended: a published step returns that beside the observation. */
static void put_info(sb_out *out, const sb_episode *e, const sb_status *status, bool hint) {
    sb_put_key(out, "info");
    sb_putc(out, '{');
    sb_member_int(out, "step_count", status->steps);
    sb_member_int(out, "step", status->steps);
    sb_member_int(out, "max_steps", status->max_steps);
    sb_put_key(out, "episode_reward");
    sb_put_double(out, status->total);
    if (hint) sb_put_valid_actions(out, e);
    put_own_info(out, e);
    sb_putc(out, '}');
}

void sb_observe_info(const sb_episode *e, sb_out *out) {
    sb_putc(out, '{');
    put_own_info(out, e);
    sb_putc(out, '}');
}

static void put_all(const sb_episode *e, const sb_status *status, bool hint, sb_out *out) {
    sb_putc(out, '{');
    put_grid(out, e);
    put_agent(out, e);
    sb_put_key(out, "entities"); /* no task has any besides the layers */
    sb_puts(out, "[]");
    put_annotations(out, e);
    put_info(out, e, status, hint);
    sb_putc(out, '}');
}

void sb_observe_state(const sb_episode *e, const sb_status *status, sb_out *out) { put_all(e, status, true, out); }
void sb_observe_state_scene(const sb_episode *e, const sb_status *status, sb_out *out) {
    put_all(e, status, false, out);
}
