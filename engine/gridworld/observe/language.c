/* The language observation: one paragraph in our own words that states the published facts in the published order. */
#include "engine/gridworld/observe/observe.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Hazards are seen HAZARD_SIGHT steps away, danger DANGER_SIGHT cells away along each axis, objects at any distance. */
enum { HAZARD_SIGHT = 2, DANGER_SIGHT = 2 };

/* ---- Directions and places ---- */

enum { NORTHWARD, NORTHEAST, EASTWARD, SOUTHEAST, SOUTHWARD, SOUTHWEST, WESTWARD, NORTHWEST, N_BEARINGS };

/* The longer axis decides; equal distances make a diagonal. The agent's own cell gives northwest, which is what the
 * benchmark says about a goal or a hazard under the agent. */
static int bearing(int dx, int dy) {
    const int across = dx < 0 ? -dx : dx, along = dy < 0 ? -dy : dy;
    if (across > along) return dx > 0 ? EASTWARD : WESTWARD;
    if (along > across) return dy > 0 ? SOUTHWARD : NORTHWARD;
    return dy > 0 ? (dx > 0 ? SOUTHEAST : SOUTHWEST) : (dx > 0 ? NORTHEAST : NORTHWEST);
}

/* Puts ` ahead (3 steps)`, as seen by the agent. */
static void put_where(sb_out *out, const sb_episode *e, sb_xy p) {
    static const char *const sides[N_BEARINGS] = {
        " ahead (",  " ahead and to the right (", " to the right (", " behind and to the right (",
        " behind (", " behind and to the left (", " to the left (",  " ahead and to the left ("};
    const sb_grid_agent *agent = &e->agent;
    const int steps = sb_manhattan(p, agent->at);
    const int turned = bearing(p.x - agent->at.x, p.y - agent->at.y) - 2 * agent->facing;
    sb_puts(out, sides[(turned + N_BEARINGS) % N_BEARINGS]);
    sb_put_int(out, steps);
    sb_puts(out, steps == 1 ? " step)" : " steps)");
}

static const char *place(int x, int y, int width, int height) {
    static const char *const quarters[2][2] = {{"in the bottom right quarter", "in the bottom left quarter"},
                                               {"in the top right quarter", "in the top left quarter"}};
    if (x == width / 2 && y == height / 2) return "in the center";
    if (x < width / 3) return "near the western edge";
    if (x > 2 * width / 3) return "near the eastern edge";
    if (y < height / 3) return "near the northern edge";
    if (y > 2 * height / 3) return "near the southern edge";
    return quarters[y < height / 2][x < width / 2];
}

static void put_agent(sb_out *out, const sb_episode *e) {
    const bool vowel = e->width == 8 || e->width == 11 || e->width == 18; /* the spoken number begins with one */
    sb_puts(out, "You are ");
    sb_puts(out, place(e->agent.at.x, e->agent.at.y, e->width, e->height));
    sb_puts(out, vowel ? " of an " : " of a ");
    sb_put_int(out, e->width);
    sb_putc(out, 'x');
    sb_put_int(out, e->height);
    sb_puts(out, " room. You are facing ");
    sb_puts(out, sb_direction_names[e->agent.facing]);
    sb_putc(out, '.');
}

/* ---- Descriptions of things ---- */

/* The N is that of NPC, which begins with a vowel when spoken. */
static const char *article(const char *word) { return strchr("aeiouN", word[0]) ? "an " : "a "; }

static const char *noun(int object) { return object == SB_NPC ? "NPC" : sb_object_names[object]; }

/* The words between the noun and a trait's value; a trait without such words comes before the noun. */
static const char *const links[SB_N_TRAITS] = {
    [SB_SWITCH_STATE] = " that is ",    [SB_LEVER_STATE] = " that is ",     [SB_RESOURCE_ENERGY] = " with energy ",
    [SB_TILE_NUMBER] = " with number ", [SB_TARGET_SLOT] = " with number ", [SB_TARGET_ACCEPTS] = " that accepts ",
    [SB_SCROLL_CLUE] = " reading '",
};

static void put_clue(sb_out *out, sb_value clue) {
    sb_put_int(out, clue.number);
    sb_puts(out, clue.number == 1 ? " step " : " steps ");
    sb_puts(out, clue.letter == '?' ? "in an unknown direction" : clue.word);
    sb_putc(out, '\'');
}

static void put_after_noun(sb_out *out, int trait, sb_value value) {
    sb_puts(out, links[trait]);
    if (trait == SB_TARGET_ACCEPTS) sb_puts(out, article(value.word));
    if (value.kind == SB_CLUE)
        put_clue(out, value);
    else if (value.kind == SB_WORD)
        sb_puts(out, value.word);
    else
        sb_put_int(out, value.number);
}

/* Puts a word of a noun phrase; the first word gets the article. */
static void put_word(sb_out *out, const char *word, bool *opens) {
    sb_puts(out, *opens ? article(word) : " ");
    sb_puts(out, word);
    *opens = false;
}

static void put_adjective(sb_out *out, sb_value value, bool *opens) {
    if (value.kind == SB_WORD) {
        put_word(out, value.word, opens);
        return;
    }
    put_word(out, "number", opens);
    sb_putc(out, ' ');
    sb_put_int(out, value.number);
}

/* An NPC without special behaviour is not called "npc NPC". */
static bool repeats_noun(const sb_cell *cell, sb_value value) {
    return value.kind == SB_WORD && strcmp(value.word, sb_object_names[cell->object]) == 0;
}

/* A trait of a cell's object, with its value. */
typedef struct reading {
    int trait;
    sb_value value;
} reading;

static int read_traits(const sb_cell *cell, reading all[SB_N_TRAITS]) {
    int n = 0;
    for (int t = 0; t < SB_N_TRAITS; t++) {
        if (sb_traits[t].object != cell->object) continue;
        all[n] = (reading){t, sb_traits[t].read(cell->metadata)};
        n += all[n].value.kind != SB_ABSENT;
    }
    return n;
}

/* Puts `a closed red door`, `a box with number 3`. Traits before the noun come in reverse order: English puts the state
 * first, the published order the colour. */
static void put_thing(sb_out *out, const sb_cell *cell) {
    bool opens = true;
    reading all[SB_N_TRAITS];
    const int n = read_traits(cell, all);
    for (int i = n - 1; i >= 0; i--)
        if (!links[all[i].trait] && !repeats_noun(cell, all[i].value)) put_adjective(out, all[i].value, &opens);
    put_word(out, noun(cell->object), &opens);
    for (int i = 0; i < n; i++)
        if (links[all[i].trait]) put_after_noun(out, all[i].trait, all[i].value);
}

/* ---- Visible things ---- */

typedef struct list {
    sb_out *out;
    const sb_episode *e;
    bool begun;
    sb_xy goal; /* the nearest visible goal */
    int to_goal;
    sb_xy danger; /* the first hazard in the square around the agent */
    bool in_danger;
} list;

static sb_out *next(list *seen) {
    sb_puts(seen->out, seen->begun ? ", " : " You see: ");
    seen->begun = true;
    return seen->out;
}

static bool visible(const sb_episode *e, sb_xy p) { return sb_inside(e, p) && !sb_fogged(sb_peek(e, p)); }

static bool is_mentioned(int object) { return object != SB_NONE && object != SB_TOOL && object != SB_BREADCRUMB; }

static void list_cell(list *seen, const sb_cell *cell, sb_xy at) {
    const sb_episode *e = seen->e;
    if (cell->terrain == SB_HAZARD && sb_manhattan(at, e->agent.at) <= HAZARD_SIGHT) {
        sb_puts(next(seen), "a hazard");
        put_where(seen->out, e, at);
    }
    if (is_mentioned(cell->object)) {
        put_thing(next(seen), cell);
        put_where(seen->out, e, at);
    }
}

static void note_goal(list *seen, sb_xy at) {
    const int steps = sb_manhattan(at, seen->e->agent.at);
    if (steps < seen->to_goal) seen->goal = at, seen->to_goal = steps;
}

static void note_danger(list *seen, sb_xy at) {
    const sb_xy agent = seen->e->agent.at;
    if (seen->in_danger || abs(at.x - agent.x) > DANGER_SIGHT || abs(at.y - agent.y) > DANGER_SIGHT) return;
    seen->danger = at, seen->in_danger = true;
}

static void list_hazards_and_objects(list *seen) {
    const sb_episode *e = seen->e;
    const sb_cell *agent = sb_peek(e, e->agent.at);
    const int n = sb_n_cells(e);
    for (int i = 0; i < n; i++) {
        const sb_cell *cell = &e->cells[i];
        if ((cell->object == SB_NONE && cell->terrain != SB_HAZARD) || sb_fogged(cell)) continue;
        const sb_xy at = sb_xy_of(e, i);
        if (cell->object == SB_GOAL) note_goal(seen, at);
        if (cell->terrain == SB_HAZARD) note_danger(seen, at);
        if (cell != agent) list_cell(seen, cell, at);
    }
}

static void list_wall_and_water(list *seen) {
    static const sb_xy around[] = {/* at most two steps from the agent, row by row */
                                   {0, -2}, {-1, -1}, {0, -1}, {1, -1}, {-2, 0}, {-1, 0},
                                   {1, 0},  {2, 0},   {-1, 1}, {0, 1},  {1, 1},  {0, 2}};
    const sb_episode *e = seen->e;
    const sb_xy at = e->agent.at, ahead = sb_beside(at, (sb_direction)e->agent.facing);
    for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
        const sb_xy p = sb_at(at.x + around[i].x, at.y + around[i].y);
        if (!visible(e, p)) continue;
        const int terrain = sb_peek(e, p)->terrain;
        const bool wall = terrain == SB_WALL && sb_same(p, ahead);
        if (!wall && terrain != SB_WATER) continue;
        sb_puts(next(seen), wall ? "a wall" : "water");
        put_where(seen->out, e, p);
    }
}

static void put_seen(list *seen) {
    list_hazards_and_objects(seen);
    list_wall_and_water(seen);
    sb_puts(seen->out, seen->begun ? "." : " You see nothing.");
}

/* ---- Inventory, goal, hazards, actions ---- */

static void put_inventory(sb_out *out, const sb_episode *e) {
    for (int i = 0; i < e->agent.n_items; i++) {
        const char *type = sb_item_names[e->items[i].kind].type;
        sb_puts(out, i ? ", " : " You carry: ");
        sb_puts(out, article(type));
        sb_puts(out, type);
    }
    sb_puts(out, e->agent.n_items ? "." : " You carry nothing.");
}

static void put_goal(const list *seen) {
    if (seen->to_goal == INT_MAX) return;
    sb_puts(seen->out, " The nearest goal is");
    put_where(seen->out, seen->e, seen->goal);
    sb_putc(seen->out, '.');
}

static void put_danger(const list *seen) {
    if (!seen->in_danger) return;
    sb_puts(seen->out, " Danger: a hazard");
    put_where(seen->out, seen->e, seen->danger);
    sb_putc(seen->out, '.');
}

static void put_actions(sb_out *out, const sb_episode *e) {
    enum { SHOWN = 5 };
    const unsigned mask = sb_episode_valid(e);
    int n = 0;
    sb_puts(out, " Valid actions: ");
    for (sb_action a = 0; a < SB_N_ACTIONS; a++) {
        if (!(mask >> a & 1) || n++ >= SHOWN) continue;
        if (n > 1) sb_put(out, ", ", 2);
        sb_puts(out, sb_action_names[a]);
    }
    sb_puts(out, n > SHOWN ? ", ..." : ".");
}

static void put_task(sb_out *out, const sb_episode *e) {
    sb_told told;
    sb_tell_task(e, &told);
    sb_put_told_sentences(out, &told);
}

void sb_observe_language_scene(const sb_episode *e, sb_out *out) {
    list seen = {.out = out, .e = e, .to_goal = INT_MAX};
    put_agent(out, e);
    put_task(out, e);
    put_seen(&seen);
    put_inventory(out, e);
    put_goal(&seen);
    put_danger(&seen);
}

void sb_observe_language(const sb_episode *e, sb_out *out) {
    sb_observe_language_scene(e, out);
    put_actions(out, e);
}
