/* EmergentStrategy: lead NPCs with fixed behaviours onto pressure plates. Each plate opens the barrier before the next
 * zone, a row of wall. The goal lies behind the last barrier. */
#include "generators/agentick/multi_agent/emergent_strategy.h"

#include <string.h>

#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"

typedef sb_emergent_strategy_vars vars;

enum { MAX_STAGES = SB_EMERGENT_STRATEGY_STAGES };

static const struct behaviour {
    const char *name;
    int metadata;
} behaviours[MAX_STAGES] = {{"follower", SB_NPC_FOLLOWER},
                            {"fearful", SB_NPC_FEARFUL},
                            {"contrarian", SB_NPC_CONTRARIAN},
                            {"mirror", SB_NPC_MIRROR}};

/* ---- The instance ---- */

static void set_barrier(sb_episode *e, int k, sb_terrain terrain) {
    const int row = sb_emergent_strategy_row(e, k);
    for (int x = 1; x < e->width - 1; x++) sb_cell_at(e, sb_at(x, row))->terrain = (int8_t)terrain;
}

/* Lists the cells of zone k, the one between barriers k - 1 and k, that hold neither agent nor object, row by row. */
static void list_zone(sb_cells *cells, const sb_episode *e, int k) {
    const vars *v = SB_VARS(e);
    const int top = k == 0 ? 1 : sb_emergent_strategy_row(e, k - 1) + 1;
    const int bottom = k == v->n ? e->height - 2 : sb_emergent_strategy_row(e, k) - 1;
    cells->n = 0;
    for (int y = top; y <= bottom; y++)
        for (int x = 1; x < e->width - 1; x++)
            if (sb_unoccupied(e, sb_at(x, y))) sb_cells_add(cells, sb_at(x, y));
}

static sb_xy draw_site(const sb_cells *cells, sb_rng *rng) { return cells->at[sb_integer_below(rng, cells->n)]; }

static void place_plates(sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    sb_cells sites;
    for (int k = 0; k < v->n; k++) {
        list_zone(&sites, e, k);
        v->plate[k] = draw_site(&sites, rng);
        sb_set_object(e, v->plate[k], SB_TARGET, k);
    }
}

static void place_ends(sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    sb_cells sites;
    list_zone(&sites, e, 0);
    v->start = v->before = e->agent.at = draw_site(&sites, rng);
    list_zone(&sites, e, v->n);
    v->goal = draw_site(&sites, rng);
    sb_set_object(e, v->goal, SB_GOAL, 0);
}

static void keep_near(sb_cells *cells, sb_xy plate) {
    int n = 0;
    for (int i = 0; i < cells->n; i++)
        if (sb_manhattan(cells->at[i], plate) <= 3) cells->at[n++] = cells->at[i];
    cells->n = n;
}

static void place_npcs(sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    sb_cells sites;
    for (int i = 0; i < v->n; i++) {
        list_zone(&sites, e, i);
        keep_near(&sites, v->plate[i]); /* every zone has such cells */
        v->post[i] = draw_site(&sites, rng);
        sb_set_object(e, v->post[i], SB_NPC, behaviours[i].metadata);
    }
    v->npc = v->post[0];
}

static bool generate(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_rng rng = sb_generator(e, e->seed);
    v->n = e->difficulty + 1;
    v->heading = SB_NOWHERE;
    sb_wall_border(e);
    for (int k = 0; k < v->n; k++) set_barrier(e, k, SB_WALL);
    place_plates(e, &rng);
    place_ends(e, &rng);
    place_npcs(e, &rng);
    v->flight_seed = (uint32_t)sb_integers(&rng, 0, INT64_C(1) << 31);
    v->flight_rng = sb_generator(e, v->flight_seed);
    return true;
}

/* ---- The rules ---- */

static bool can_enter(sb_episode *e, sb_xy to) { return sb_peek(e, to)->object != SB_NPC; }

static void on_enter(sb_episode *e) {
    vars *v = SB_VARS(e);
    v->heading = e->agent.facing;
}

static void move_npc(sb_episode *e) {
    vars *v = SB_VARS(e);
    const int k = v->n_open;
    sb_area enterable;
    sb_emergent_strategy_enterable(&enterable, e, k, v->npc, e->agent.at);
    sb_set_object(e, v->npc, SB_NONE, 0);
    v->npc = k == SB_FEARFUL
                 ? sb_emergent_strategy_flee(&enterable, v->npc, e->agent.at, &v->flight_rng)
                 : sb_emergent_strategy_react(&enterable, e->width, k, v->npc, e->agent.at, v->before, v->heading);
    sb_set_object(e, v->npc, SB_NPC, behaviours[k].metadata);
}

static void open_barrier(sb_episode *e) {
    vars *v = SB_VARS(e);
    set_barrier(e, v->n_open, SB_EMPTY);
    v->n_open++;
    if (v->n_open < v->n) v->npc = v->post[v->n_open];
}

static void on_step(sb_episode *e) {
    vars *v = SB_VARS(e);
    if (v->n_open < v->n && !sb_emergent_strategy_is_lost(e, v->n_open, v->npc)) {
        move_npc(e);
        if (sb_same(v->npc, v->plate[v->n_open])) open_barrier(e);
    }
    v->before = e->agent.at;
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    const int32_t *open_before = t->live;
    double reward = -0.01;
    reward += 0.2 * (v->n_open - *open_before);
    if (t->success) reward += 1.0;
    return reward;
}

static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    if (v->n_open < v->n && sb_emergent_strategy_is_lost(e, v->n_open, v->npc)) return -1;
    return sb_manhattan(e->agent.at, v->goal);
}

static bool reseed(sb_episode *e, uint64_t seed) {
    vars *v = SB_VARS(e);
    v->flight_seed = (uint32_t)seed;
    v->flight_rng = sb_generator(e, seed);
    return v->n > SB_FEARFUL;
}

/* Only the fearful NPC draws, in the stage in which it is led. */
static void forget(sb_episode *e) {
    const vars *v = SB_VARS(e);
    if (v->n <= SB_FEARFUL || v->n_open > SB_FEARFUL) reseed(e, 0);
}

/* Hides the heading. Where the agent faces shows it only until a move is refused. */
static void hide(sb_episode *e) {
    vars *v = SB_VARS(e);
    v->heading = SB_NOWHERE;
}

/* ---- What observations say ---- */

static void put_npcs(const vars *v, sb_config *c) {
    const char *names[MAX_STAGES];
    sb_put_key(c->out, "npc_data");
    sb_putc(c->out, '[');
    for (int i = 0; i < v->n; i++) {
        names[i] = behaviours[i].name;
        sb_put_comma(c->out);
        sb_putc(c->out, '{');
        sb_config_xy(c, "pos", v->post[i]);
        sb_config_text(c, "type", names[i]);
        sb_config_bool(c, "locked", false); /* as published, never updated; neither is the position */
        sb_putc(c->out, '}');
    }
    sb_putc(c->out, ']');
    sb_member_texts(c->out, "npc_types", names, (size_t)v->n);
}

static void put_barriers(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_put_key(c->out, "barrier_cells");
    sb_putc(c->out, '{');
    for (int k = 0; k < v->n; k++) {
        sb_xy cells[SB_SIDE_MAX];
        for (int x = 1; x < e->width - 1; x++) cells[x - 1] = sb_at(x, sb_emergent_strategy_row(e, k));
        sb_config_cells(c, (char[]){(char)('0' + k), '\0'}, cells, (size_t)e->width - 2);
    }
    sb_putc(c->out, '}');
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    int32_t numbers[MAX_STAGES], rows[MAX_STAGES];
    for (int k = 0; k < v->n; k++) numbers[k] = k, rows[k] = sb_emergent_strategy_row(e, k);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", &v->goal, 1);
    sb_config_int(c, "max_steps", e->max_steps);
    put_npcs(v, c);
    sb_config_cells(c, "plate_positions", v->plate, (size_t)v->n);
    sb_config_ints(c, "plate_barrier_map", numbers, (size_t)v->n);
    put_barriers(e, c);
    sb_config_ints(c, "barrier_rows", rows, (size_t)v->n);
    sb_config_int(c, "n_plates", v->n);
    sb_config_int(c, "grid_width", e->width);
    sb_config_int(c, "grid_height", e->height);
}

const sb_task sb_emergent_strategy = {
    .info = {.name = "EmergentStrategy-v0",
             .category = "multi_agent",
             .skills = SB_SKILLS("skill_composition", "long_horizon"),
             .summary = "Bring NPCs with fixed behaviours onto pressure plates, each of which opens a barrier, and "
                        "reach the goal behind the last."},
    .extents = {{9, 9, 100}, {12, 12, 200}, {15, 15, 350}, {18, 18, 500}},
    .vars_size = sizeof(vars),
    .has_kinds = true,
    .live_size = sizeof(int32_t),
    .generate = generate,
    .can_enter = can_enter,
    .on_enter = on_enter,
    .on_step = on_step,
    .dense = dense,
    .bound = bound,
    .reseed = reseed,
    .forget = forget,
    .hide = hide,
    .config = config,
};
