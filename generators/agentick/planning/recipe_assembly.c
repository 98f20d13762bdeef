/* RecipeAssembly: bring ingredients to the crafting station in the order of a recipe. The agent picks up only the
 * ingredient of the current step, but any number of it. The station takes one at each visit. */
#include "generators/agentick/planning/recipe_assembly.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "engine/gridworld/area.h"
#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"

typedef sb_recipe_assembly_vars vars;

enum {
    MAX_STEPS = SB_RECIPE_ASSEMBLY_STEPS,
    N_KINDS = 4,
    STATION = 2 /* metadata of the NPC that shows the station */
};

static const int32_t kinds[N_KINDS] = {SB_GEM, SB_SCROLL, SB_ORB, SB_COIN}; /* in the published order */

static const struct parameters {
    int steps, decoys, walls;
} parameters[SB_N_DIFFICULTIES] = {{2, 0, 0}, {3, 2, 3}, {4, 3, 5}, {5, 4, 7}};

/* ---- The instance ---- */

static void draw_recipe(sb_episode *e, int n, sb_rng *rng) {
    vars *v = SB_VARS(e);
    int64_t drawn[MAX_STEPS];
    sb_choices(rng, N_KINDS, (size_t)n, drawn);
    v->n_steps = n;
    for (int i = 0; i < n; i++) v->recipe[i] = kinds[drawn[i]];
}

/* The recipe is shown in the upper right corner, one cell for each step. */
static sb_xy slot(const sb_episode *e, int i) {
    const vars *v = SB_VARS(e);
    return sb_at(e->width - 1 - v->n_steps + i, 1);
}

/* Returns whether a recipe step from first to last - 1 asks for the kind. */
static bool asks_for(const vars *v, int kind, int first, int last) {
    for (int i = first; i < last; i++)
        if (v->recipe[i] == kind) return true;
    return false;
}

/* Lists the kinds of decoys: the kinds that the recipe does not use, or all kinds if it uses all. */
static int list_decoys(const vars *v, int32_t decoys[N_KINDS]) {
    int n = 0;
    for (int i = 0; i < N_KINDS; i++)
        if (!asks_for(v, kinds[i], 0, v->n_steps)) decoys[n++] = kinds[i];
    if (n > 0) return n;
    memcpy(decoys, kinds, sizeof kinds);
    return N_KINDS;
}

static void place_ingredients(sb_episode *e, const sb_xy *sites, int n_decoys) {
    vars *v = SB_VARS(e);
    int32_t decoys[N_KINDS];
    const int n_kinds = list_decoys(v, decoys);
    v->n_sites = v->n_steps + n_decoys;
    for (int i = 0; i < v->n_sites; i++) {
        v->site[i] = sites[i];
        v->kind[i] = i < v->n_steps ? v->recipe[i] : decoys[(i - v->n_steps) % n_kinds];
        sb_set_object(e, v->site[i], (sb_object)v->kind[i], 0);
    }
}

/* Returns whether the agent can reach the station and one ingredient of each kind. A second ingredient of a kind may be
 * walled in. */
static bool is_sound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    sb_xy needed[1 + MAX_STEPS] = {v->station};
    int n = 1;
    for (int i = 0; i < v->n_steps; i++)
        if (!asks_for(v, v->recipe[i], 0, i)) needed[n++] = v->site[i];
    return sb_connected_all(e, v->start, needed, n);
}

static bool generate(sb_episode *e) {
    vars *v = SB_VARS(e);
    const struct parameters *difficulty = &parameters[e->difficulty];
    sb_rng rng = sb_generator(e, e->seed);
    sb_cells sites;

    sb_wall_border(e);
    v->start = e->agent.at = sb_corner(e, sb_integers(&rng, 0, 4));
    v->station = sb_at(e->width / 2, e->height / 2);
    sb_set_object(e, v->station, SB_NPC, STATION);
    draw_recipe(e, difficulty->steps, &rng);
    for (int i = 0; i < v->n_steps; i++) sb_set_object(e, slot(e, i), SB_TARGET, v->recipe[i]);
    sb_cells_draw(&sites, e, sb_unoccupied, &rng);
    place_ingredients(e, sites.at, difficulty->decoys);
    sb_cells_keep(&sites, e, sb_unoccupied);
    sb_cells_shuffle(&sites, &rng);
    sb_scatter(e, &sites, difficulty->walls, SB_WALL, is_sound);
    return true;
}

/* ---- The rules ---- */

/* Indices into e->paid, the memory of the dense reward: whether the last move was onto an ingredient that is not asked
 * for, and how many deliveries are paid. */
enum { WRONG, PAID_STEPS };

static bool is_ingredient(int object) {
    return object == SB_GEM || object == SB_SCROLL || object == SB_ORB || object == SB_COIN;
}

static void deliver(sb_episode *e) {
    vars *v = SB_VARS(e);
    const int item = sb_carries(e, SB_ITEM_INGREDIENT, v->recipe[v->step]);
    if (item < 0) return;
    sb_drop(e, item);
    sb_cell_at(e, slot(e, v->step))->object = SB_GOAL;
    v->step++;
}

static void on_enter(sb_episode *e) {
    const vars *v = SB_VARS(e);
    const int object = sb_object_here(e);
    e->paid[WRONG] = false;
    if (object == SB_NPC) {
        deliver(e);
    } else if (object != SB_NONE && object == v->recipe[v->step]) {
        sb_set_object(e, e->agent.at, SB_NONE, 0);
        sb_take(e, SB_ITEM_INGREDIENT, object, e->agent.at);
    } else {
        e->paid[WRONG] = is_ingredient(object);
    }
}

static bool is_success(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return v->step >= v->n_steps;
}

/* Returns the cell that the dense reward pays for approaching: the nearest ingredient of the current kind (row by row
 * among equals), or the station if that ingredient is in hand or none is left. */
static sb_xy target_of(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    const int kind = v->recipe[v->step];
    sb_xy target = v->station;
    int least = INT_MAX;
    if (sb_carries(e, SB_ITEM_INGREDIENT, kind) >= 0) return v->station;
    for (int i = 0; i < v->n_sites; i++) {
        const int index = sb_index(e, v->site[i]);
        if (e->cells[index].object != kind) continue;
        const int rank = sb_manhattan(e->agent.at, v->site[i]) * SB_CELLS_MAX + index;
        if (rank < least) least = rank, target = v->site[i];
    }
    return target;
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    double reward = -0.01;
    if (e->paid[WRONG]) reward -= 0.1;
    if (v->step > e->paid[PAID_STEPS]) {
        reward += 0.5 * (v->step - e->paid[PAID_STEPS]);
        e->paid[PAID_STEPS] = v->step;
    }
    if (!t->success) reward += 0.03 * sb_approach(e, t, target_of(e));
    if (t->success) reward += 1.0;
    return reward;
}

/* Returns the Manhattan steps to the station by way of an ingredient of the kind, or -1 if none lies on the grid. */
static int trip(const sb_episode *e, sb_xy from, int kind) {
    const vars *v = SB_VARS(e);
    int least = -1;
    for (int i = 0; i < v->n_sites; i++) {
        const int way = sb_manhattan(from, v->site[i]) + sb_manhattan(v->site[i], v->station);
        if (sb_peek(e, v->site[i])->object == kind && (least < 0 || way < least)) least = way;
    }
    return least;
}

/* Every delivery needs a trip to an ingredient and on to the station. If the ingredient may be in hand by then, the
 * trip goes only to the station (out and in again if the agent is there: two steps). */
static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    int total = 0;
    sb_xy from = e->agent.at;
    for (int i = v->step; i < v->n_steps; i++, from = v->station) {
        const int kind = v->recipe[i];
        const bool in_hand = sb_carries(e, SB_ITEM_INGREDIENT, kind) >= 0 || asks_for(v, kind, v->step, i);
        const int straight = sb_same(from, v->station) ? 2 : sb_manhattan(from, v->station);
        const int way = in_hand ? straight : trip(e, from, kind);
        if (way < 0) return way;
        total += way;
    }
    return total;
}

/* Writes the cells of each kind in the recipe, keyed by the kind's object code. */
static void put_ingredient_positions(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_put_key(c->out, "ingredient_positions");
    sb_puts(c->out, "{");
    for (int i = 0; i < v->n_steps; i++) {
        char key[16];
        sb_xy cells[MAX_STEPS];
        size_t n = 0;
        if (asks_for(v, v->recipe[i], 0, i)) continue;
        for (int k = i; k < v->n_steps; k++)
            if (v->recipe[k] == v->recipe[i]) cells[n++] = v->site[k];
        snprintf(key, sizeof key, "%d", (int)v->recipe[i]);
        sb_config_cells(c, key, cells, n);
    }
    sb_puts(c->out, "}");
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    const size_t n = (size_t)v->n_steps;
    sb_xy zone[MAX_STEPS];
    for (int i = 0; i < v->n_steps; i++) zone[i] = slot(e, i);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", &v->station, 1);
    sb_config_xy(c, "station_pos", v->station);
    sb_config_ints(c, "recipe", v->recipe, n);
    sb_config_cells(c, "recipe_zone", zone, n);
    put_ingredient_positions(e, c);
    sb_config_cells(c, "decoy_positions", v->site + n, (size_t)v->n_sites - n);
    sb_config_int(c, "recipe_length", v->n_steps);
    sb_config_int(c, "max_steps", e->max_steps);
    if (!c->hidden) return;
    sb_config_int(c, "_step", v->step);
    sb_config_int(c, "_steps_done", v->step);
    sb_config_bool(c, "_at_station", false); /* always false in the published task */
    sb_config_bool(c, "_last_penalty", e->paid[WRONG]);
}

const sb_task sb_recipe_assembly = {
    .info = {.name = "RecipeAssembly-v0",
             .category = "planning",
             .skills = SB_SKILLS("compositional_logic", "planning"),
             .summary = "Collect ingredients in the order of a recipe and bring each to the crafting station."},
    .extents = {{9, 9, 120}, {11, 11, 220}, {14, 14, 380}, {16, 16, 600}},
    .vars_size = sizeof(vars),
    .generate = generate,
    .on_enter = on_enter,
    .is_success = is_success,
    .dense = dense,
    .bound = bound,
    .config = config,
};
