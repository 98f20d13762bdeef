#include "oracles/babyai/explore.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/minigrid/minigrid.h"
#include "engine/minigrid/tracking.h"
#include "engine/minigrid/view.h"

enum { START = SB_CHART_SIDE / 2 }; /* the agent's first cell on the chart, in both directions */

static sb_xy on_grid(const sb_chart *c, sb_xy p) { return sb_at(p.x + c->origin.x, p.y + c->origin.y); }
static sb_xy on_chart(const sb_chart *c, sb_xy p) { return sb_at(p.x - c->origin.x, p.y - c->origin.y); }

static bool is_on_chart(sb_xy p) { return (unsigned)p.x < SB_CHART_SIDE && (unsigned)p.y < SB_CHART_SIDE; }

bool sb_chart_has_seen(const sb_chart *c, sb_xy at) {
    const sb_xy p = on_chart(c, at);
    return is_on_chart(p) && c->cells[p.y][p.x] != SB_CHART_UNSEEN;
}

/* ---- Placing the chart on the grid ---- */

/* Rates how badly a cell fits a place in the grid of rooms. */
static int misfit(const sb_mg_world *w, int cell, int x, int y) {
    enum { IMPOSSIBLE = 1000 };
    const int pitch = w->room_side - 1, width = pitch * w->columns + 1, height = pitch * w->rows + 1;
    if (x < 0 || y < 0 || x >= width || y >= height) return IMPOSSIBLE;
    const bool on_line = x % pitch == 0 || y % pitch == 0, on_crossing = x % pitch == 0 && y % pitch == 0;
    const bool on_border = x == 0 || y == 0 || x == width - 1 || y == height - 1;
    if (cell == SB_CHART_WALL) return on_line ? 0 : IMPOSSIBLE;
    if (on_border || on_crossing) return IMPOSSIBLE;
    return on_line ? 1 : 0; /* a door, or a wall that was removed */
}

/* Returns the sum of misfits over all cells seen; the sum stops once it is above `limit`. */
static int misfits(const sb_chart *c, const sb_mg_world *w, sb_xy origin, int limit) {
    int sum = 0;
    for (int i = 0; i < c->n_seen && sum <= limit; i++) {
        const sb_xy at = c->seen[i];
        const int cell = c->cells[at.y][at.x];
        const bool is_door = cell >= SB_CHART_THING && c->things[cell - SB_CHART_THING].type == SB_MG_DOOR;
        const int bad = misfit(w, cell, at.x + origin.x, at.y + origin.y);
        sum += is_door ? abs(bad - 1) * 10 : bad;
    }
    return sum;
}

/* Finds the best place; among equal ones, the one nearest to the middle, which is near to everything. */
static void place(sb_chart *c, const sb_mg_world *w) {
    const int pitch = w->room_side - 1, width = pitch * w->columns + 1, height = pitch * w->rows + 1;
    int least = misfits(c, w, c->origin, INT_MAX - 1) + 1, nearest = INT_MAX;
    sb_xy best = c->origin;
    for (int y = 1; y < height - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            const sb_xy origin = sb_at(x - START, y - START);
            const int bad = misfits(c, w, origin, least);
            const int off = abs(2 * x - width + 1) + abs(2 * y - height + 1);
            if (bad > least) continue;
            c->is_vague = bad == least;
            if (bad == least && off >= nearest) continue;
            least = bad, nearest = off, best = origin;
        }
    c->origin = best;
}

/* ---- The world derived from the chart ---- */

static int make(sb_mg_world *w, const sb_thing *t) {
    const int id = sb_mg_make_object(w, (sb_mg_type)t->type, (sb_mg_colour)t->colour);
    if (!id) return 0;
    w->objects[id].open = t->open, w->objects[id].locked = t->locked;
    return id;
}

static void put(sb_mg_world *w, const sb_chart *c, int cell, sb_xy at) {
    if (cell == SB_CHART_UNSEEN || cell == SB_CHART_WALL) sb_mg_put_wall(w, at);
    if (cell < SB_CHART_THING) return;
    const sb_thing *t = &c->things[cell - SB_CHART_THING];
    const int id = make(w, t);
    if (!id) return;
    sb_mg_put(w, id, at);
    if (t->content) w->objects[id].content = (uint8_t)make(w, &c->things[t->content - 1]);
}

/* Returns the believed content of a cell. The border is wall, whatever the chart shows there. */
static int believed_at(const sb_chart *c, sb_xy at) {
    const sb_xy p = on_chart(c, at);
    return sb_mg_on_border(&c->now, at) || !is_on_chart(p) ? SB_CHART_WALL : c->cells[p.y][p.x];
}

static void begin_again(sb_chart *c, const sb_mg_world *shown) {
    sb_mg_world *w = &c->now;
    sb_error error;
    sb_mg_clear(w, shown->room_side, shown->columns, shown->rows);
    w->max_steps = shown->max_steps;
    w->mission = shown->mission;
    w->agent = on_grid(c, sb_at(START, START)), w->facing = c->facing;
    for (int y = 0; y < w->height; y++)
        for (int x = 0; x < w->width; x++) {
            put(w, c, believed_at(c, sb_at(x, y)), sb_at(x, y));
        }
    /* The thing in hand at the beginning was on the grid when tracking began. */
    const int in_hand = c->in_hand ? make(w, &c->things[c->in_hand - 1]) : 0;
    if (in_hand) sb_mg_put(w, in_hand, w->agent);
    sb_mg_begin_tracking(w, &error); /* objects that do not fit into its lists do not matter */
    if (in_hand) sb_mg_remove(w, in_hand);
    w->carried = (uint8_t)in_hand;
}

static void replay(sb_chart *c, const sb_mg_world *shown) {
    sb_result result;
    begin_again(c, shown);
    for (int i = 0; i < c->n_actions; i++) sb_mg_step(&c->now, (sb_mg_action)c->actions[i], &result);
}

/* ---- Looking ---- */

static int add_thing(sb_chart *c, const sb_mg_object *o) {
    if (c->n_things == SB_MG_OBJECTS_MAX) return -1;
    c->things[c->n_things] = (sb_thing){.type = o->type, .colour = o->colour, .open = o->open, .locked = o->locked};
    return c->n_things++;
}

static void draw_cell(sb_chart *c, sb_xy at, const sb_mg_object *o, bool is_wall) {
    const int thing = o ? add_thing(c, o) : -1;
    c->seen[c->n_seen++] = at;
    c->cells[at.y][at.x] = (uint8_t)(thing >= 0 ? SB_CHART_THING + thing : is_wall ? SB_CHART_WALL : SB_CHART_EMPTY);
}

/* If something lies where a box was, it came out of the box. */
static bool note_content(sb_chart *c, sb_xy at, const sb_mg_object *o) {
    const int cell = c->cells[at.y][at.x];
    if (!o || cell < SB_CHART_THING || !sb_mg_empty(&c->now, on_grid(c, at))) return false;
    sb_thing *box = &c->things[cell - SB_CHART_THING];
    if (box->type != SB_MG_BOX || box->content) return false;
    box->content = (uint8_t)(add_thing(c, o) + 1);
    return true;
}

/* Adds what is visible to the chart; returns whether anything is new. */
static bool look(sb_chart *c, const sb_mg_world *shown) {
    const sb_xy agent = c->begun ? on_chart(c, c->now.agent) : sb_at(START, START);
    sb_mg_visibility visibility;
    bool is_new = false;
    sb_mg_look(shown, SB_MG_VIEW_DEFAULT, &visibility);
    for (int i = 0; i < sb_mg_n_cells(shown); i++) {
        const sb_xy from = sb_mg_xy_of(shown, i);
        const sb_xy at = sb_at(agent.x + from.x - shown->agent.x, agent.y + from.y - shown->agent.y);
        if (!sb_mg_sees_cell(shown, &visibility, from) || !is_on_chart(at)) continue;
        const sb_mg_object *o = sb_mg_object_at(shown, from);
        if (c->cells[at.y][at.x] == SB_CHART_UNSEEN) {
            draw_cell(c, at, o, sb_mg_wall(shown, from));
            is_new = true;
        } else if (note_content(c, at, o)) {
            is_new = true;
        }
    }
    return is_new;
}

void sb_chart_update(sb_chart *c, const sb_mg_world *shown) {
    const bool is_new = look(c, shown);
    if (!c->begun) {
        c->facing = shown->facing;
        if (shown->carried) c->in_hand = (uint8_t)(add_thing(c, &shown->objects[shown->carried]) + 1);
    }
    if (!is_new) return;
    c->begun = true;
    place(c, shown);
    replay(c, shown);
}

void sb_chart_act(sb_chart *c, sb_mg_action action) {
    sb_result result;
    if (c->n_actions < SB_CHART_ACTIONS) c->actions[c->n_actions++] = (uint8_t)action;
    sb_mg_step(&c->now, action, &result);
}
