/* SymbolMatching: carry every item from the left half to the target of its kind in the right half, one at a time. An
 * item brought to a wrong target is lost for good. Fakes are items without a target. */
#include "generators/agentick/reasoning/symbol_matching.h"

#include <limits.h>
#include <string.h>

#include "engine/gridworld/area.h"
#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"

typedef sb_symbol_matching_vars vars;

enum { N_KINDS = SB_SYMBOL_MATCHING_KINDS };

static const int32_t kinds[N_KINDS] = {SB_GEM, SB_POTION, SB_SCROLL, SB_COIN, SB_ORB}; /* in the published order */

static const struct parameters {
    int pairs, fakes, walls; /* fakes: at most as many as there are kinds without a pair */
} parameters[SB_N_DIFFICULTIES] = {{2, 0, 0}, {3, 1, 3}, {4, 2, 5}, {5, 3, 8}};

/* ---- The instance ---- */

/* Lists the cells of columns left to right, both included, in random order. */
static void draw_sites(const sb_episode *e, int left, int right, sb_cells *sites, sb_rng *rng) {
    sites->n = 0;
    for (int x = left; x <= right; x++)
        for (int y = 1; y < e->height - 1; y++) sb_cells_add(sites, sb_at(x, y));
    sb_cells_shuffle(sites, rng);
}

/* Gives the pairs the first kinds in random order, and the fakes the first of the other kinds in the published
 * order. */
static void draw_kinds(sb_episode *e, const struct parameters *difficulty, sb_rng *rng) {
    vars *v = SB_VARS(e);
    int32_t drawn[N_KINDS] = {0, 1, 2, 3, 4};
    bool is_paired[N_KINDS] = {false};
    sb_shuffle_ints(rng, drawn, N_KINDS);
    v->n_pairs = difficulty->pairs;
    for (int i = 0; i < v->n_pairs; i++) {
        v->kind[i] = kinds[drawn[i]];
        is_paired[drawn[i]] = true;
    }
    for (int k = 0; k < N_KINDS && v->n_fakes < difficulty->fakes; k++)
        if (!is_paired[k]) v->kind[v->n_pairs + v->n_fakes++] = kinds[k];
}

static void place(sb_episode *e, const sb_xy *sites, int n, sb_xy *placed) {
    const vars *v = SB_VARS(e);
    for (int i = 0; i < n; i++) {
        placed[i] = sites[i];
        sb_set_object(e, sites[i], (sb_object)v->kind[i], 0);
    }
}

/* Returns whether the agent can reach both ends of every pair. Targets do not count as obstacles here. A fake may be
 * walled in. */
static bool is_sound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    sb_xy needed[2 * N_KINDS];
    const size_t n = (size_t)v->n_pairs;
    memcpy(needed, v->item, n * sizeof *needed);
    memcpy(needed + n, v->target, n * sizeof *needed);
    return sb_connected_all(e, v->start, needed, 2 * v->n_pairs);
}

static bool generate(sb_episode *e) {
    vars *v = SB_VARS(e);
    const struct parameters *difficulty = &parameters[e->difficulty];
    const int middle = e->width / 2;
    sb_rng rng = sb_generator(e, e->seed);
    sb_cells left, right, sites;

    sb_wall_border(e);
    v->start = e->agent.at = sb_at(middle, 1);
    draw_sites(e, 1, middle - 1, &left, &rng);
    draw_sites(e, middle + 1, e->width - 2, &right, &rng);
    draw_kinds(e, difficulty, &rng);
    place(e, left.at, v->n_pairs + v->n_fakes, v->item);
    place(e, right.at, v->n_pairs, v->target);
    sb_cells_draw(&sites, e, sb_unoccupied, &rng);
    sb_scatter(e, &sites, difficulty->walls, SB_WALL, is_sound);
    return true;
}

/* ---- The rules ---- */

static void on_enter(sb_episode *e) {
    vars *v = SB_VARS(e);
    const int found = sb_object_here(e);
    const bool is_target = sb_symbol_matching_is_target(e, e->agent.at);
    if (found == SB_NONE || is_target != (v->carrying != SB_NONE)) return;
    const bool matches = is_target && found == v->carrying;
    if (matches) v->n_placed++;
    if (!is_target || matches) sb_set_object(e, e->agent.at, SB_NONE, 0);
    v->carrying = is_target ? SB_NONE : found;
}

static bool is_success(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return v->n_placed >= v->n_pairs;
}

/* Returns how much closer the agent came to the nearest of the cells that hold this kind (SB_NONE: anything). */
static int approach_nearest(const sb_episode *e, const sb_transition *t, const sb_xy *cells, int n, int kind) {
    int now = INT_MAX, then = INT_MAX;
    for (int i = 0; i < n; i++) {
        const int object = sb_peek(e, cells[i])->object;
        if (object == SB_NONE || (kind != SB_NONE && object != kind)) continue;
        const int to = sb_manhattan(e->agent.at, cells[i]), from = sb_manhattan(t->before.at, cells[i]);
        if (to < now) now = to;
        if (from < then) then = from; /* may be the distance to another cell */
    }
    return then - now;
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    int32_t *paid_placed = &e->paid[0];
    double reward = -0.01;
    if (v->n_placed > *paid_placed) {
        reward += 0.5;
        *paid_placed = v->n_placed;
    }
    if (v->carrying == SB_NONE)
        reward += 0.05 * approach_nearest(e, t, v->item, v->n_pairs + v->n_fakes, SB_NONE);
    else
        reward += 0.05 * approach_nearest(e, t, v->target, v->n_pairs, v->carrying);
    if (t->success) reward += 1.0;
    return reward;
}

static bool is_open(const sb_episode *e, int pair) {
    const vars *v = SB_VARS(e);
    return sb_peek(e, v->target[pair])->object != SB_NONE;
}

/* Returns the shortest Manhattan way to an item: from another pair's target, where the agent is after a match, or from
 * the agent's cell if no paired item is in hand. */
static int way_to_item(const sb_episode *e, int item, bool from_here) {
    const vars *v = SB_VARS(e);
    int least = from_here ? sb_manhattan(e->agent.at, v->item[item]) : INT_MAX;
    for (int i = 0; i < v->n_pairs; i++) {
        const int way = sb_manhattan(v->target[i], v->item[item]);
        if (i != item && is_open(e, i) && way < least) least = way;
    }
    return least;
}

/* Items are carried one at a time, so the ways to the items and on to their targets add up. A target whose item is lost
 * stays open for ever. */
static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    bool pair_in_hand = false;
    int total = 0;
    for (int i = 0; i < v->n_pairs; i++) pair_in_hand |= v->carrying == v->kind[i];
    for (int i = 0; i < v->n_pairs; i++) {
        if (!is_open(e, i)) continue;
        if (v->carrying == v->kind[i])
            total += sb_manhattan(e->agent.at, v->target[i]);
        else if (sb_peek(e, v->item[i])->object != SB_NONE)
            total += way_to_item(e, i, !pair_in_hand) + sb_manhattan(v->item[i], v->target[i]);
        else
            return -1;
    }
    return total;
}

/* Nothing shows what the agent carries. */
static void hide(sb_episode *e) {
    vars *v = SB_VARS(e);
    v->carrying = SB_NONE;
}

/* ---- The config ---- */

static void put_pairs(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_put_key(c->out, "pair_info");
    sb_putc(c->out, '[');
    for (int i = 0; i < v->n_pairs; i++) {
        sb_put_comma(c->out);
        sb_putc(c->out, '{');
        sb_config_xy(c, "item_pos", v->item[i]);
        sb_config_xy(c, "target_pos", v->target[i]);
        sb_config_int(c, "symbol_type", v->kind[i]);
        sb_putc(c->out, '}');
    }
    sb_putc(c->out, ']');
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", v->target, (size_t)v->n_pairs);
    put_pairs(e, c);
    sb_config_cells(c, "fake_positions", v->item + v->n_pairs, (size_t)v->n_fakes);
    sb_config_cells(c, "target_positions", v->target, (size_t)v->n_pairs);
    sb_config_int(c, "n_pairs", v->n_pairs);
    sb_config_int(c, "max_steps", e->max_steps);
    if (!c->hidden) return; /* the other values are published, but never updated */
    sb_config_int(c, "_items_placed", 0);
    sb_config_null(c, "_carrying");
    sb_config_int(c, "_mismatches", 0);
}

const sb_task sb_symbol_matching = {
    .info = {.name = "SymbolMatching-v0",
             .category = "reasoning",
             .skills = SB_SKILLS("reasoning", "pattern_recognition"),
             .summary = "Carry each symbol to the target of its kind, one at a time; at a wrong target it is lost."},
    .extents = {{7, 7, 100}, {10, 10, 180}, {13, 13, 300}, {15, 15, 500}},
    .vars_size = sizeof(vars),
    .generate = generate,
    .on_enter = on_enter,
    .is_success = is_success,
    .dense = dense,
    .bound = bound,
    .hide = hide,
    .config = config,
};
