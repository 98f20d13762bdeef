/* InstructionFollowing: walk to the one object of the kind that the instruction names. Touching any other object fails.
 * On the two highest difficulties the target lies behind locked doors. */
#include "generators/agentick/navigation/instruction_following.h"

#include <stdlib.h>

#include "engine/gridworld/area.h"
#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/parts/doors.h"
#include "engine/gridworld/tell.h"

typedef sb_instruction_following_vars vars;

static const struct parameters {
    int distractors, doors;
} parameters[SB_N_DIFFICULTIES] = {{3, 0}, {6, 0}, {8, 1}, {12, 2}};

enum { N_KINDS = 4 };
static const sb_object kinds[N_KINDS] = {SB_GEM, SB_SCROLL, SB_ORB, SB_COIN};

/* ---- Rooms, keys and target ---- */

/* Lists the empty cells in rows top to bottom (both included), column by column. */
static void list_free(sb_cells *cells, const sb_episode *e, int top, int bottom) {
    cells->n = 0;
    for (int x = 1; x < e->width - 1; x++)
        for (int y = top; y <= bottom; y++)
            if (sb_unoccupied(e, sb_at(x, y))) sb_cells_add(cells, sb_at(x, y));
}

static sb_xy draw_site(const sb_episode *e, int top, int bottom, sb_rng *rng) {
    sb_cells sites;
    list_free(&sites, e, top, bottom);
    return sites.at[sb_integers(rng, 0, sites.n)];
}

/* Draws walls from side to side, each with a door, and each door's key in the room above. Returns the row below the
 * last wall. */
static int draw_doors(sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    const int room = (e->height - 2) / (v->n_doors + 1); /* rows, with the wall */
    int top = 1;
    for (int d = 0; d < v->n_doors; d++) {
        const int wall = 1 + room * (d + 1);
        for (int x = 1; x < e->width - 1; x++) sb_cell_at(e, sb_at(x, wall))->terrain = SB_WALL;
        v->door[d] = sb_at((int)sb_integers(rng, 1, e->width - 1), wall);
        sb_cell_at(e, v->door[d])->terrain = SB_EMPTY;
        sb_set_object(e, v->door[d], SB_DOOR, d);
        v->key[d] = draw_site(e, top, wall - 1, rng);
        sb_set_object(e, v->key[d], SB_KEY, d);
        top = wall + 1;
    }
    return top;
}

/* Returns whether the agent starts above the first door; true without doors. */
static bool starts_before_doors(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return v->n_doors == 0 || v->start.y < v->door[0].y;
}

/* ---- Distractors ---- */

static bool is_next_to(sb_xy a, sb_xy b) { return abs(a.x - b.x) <= 1 && abs(a.y - b.y) <= 1; }

/* Distractors keep one cell away from the start, the doors and the keys. */
static bool has_room(const sb_episode *e, sb_xy p) {
    const vars *v = SB_VARS(e);
    if (is_next_to(p, v->start)) return false;
    for (int i = 0; i < v->n_doors; i++)
        if (is_next_to(p, v->door[i]) || is_next_to(p, v->key[i])) return false;
    return true;
}

/* Returns the k-th kind, with the named kind left out. */
static sb_object other_kind(sb_object named, int64_t k) {
    for (int i = 0; i <= k; i++)
        if (kinds[i] == named) return kinds[k + 1];
    return kinds[k];
}

/* The draws for one distractor: an index into the sites still free, and an index into the kinds without the named
 * one. */
typedef struct pick {
    int64_t site, kind;
} pick;

/* There are always enough sites: the smallest grid has 20 for 3 distractors. */
static void draw_picks(pick *picks, int n, int n_sites, sb_rng *rng) {
    for (int i = 0; i < n; i++) {
        picks[i].site = sb_integers(rng, 0, n_sites - i);
        picks[i].kind = sb_integers(rng, 0, N_KINDS - 1);
    }
}

static void lay_out(sb_xy *distractors, const pick *picks, int n, const sb_cells *sites) {
    sb_cells left = *sites;
    for (int i = 0; i < n; i++) {
        distractors[i] = left.at[picks[i].site];
        sb_cells_remove(&left, distractors[i]);
    }
}

/* Returns whether the agent can walk round the distractors to every key and to the target, with all doors open. The
 * published test checks one leg after the other (key, door, target); that gives the same result when there is one door
 * and the agent starts before it. */
static bool leaves_a_way(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    sb_area open, reached;
    sb_area_walkable(&open, e);
    for (int i = 0; i < v->n_distractors; i++) sb_area_set(&open, v->distractor[i], false);
    sb_area_flood(&reached, &open, e->height, v->start);
    for (int i = 0; i < v->n_doors; i++)
        if (!sb_area_has(&reached, v->key[i])) return false;
    return sb_area_has(&reached, v->target);
}

/* Keeps the first try that leaves a way, or else the last. No try passes the published test with two doors, because
 * that test takes the first door for closed on the way to the second key; nor does one if the agent starts beyond a
 * door. */
static void draw_distractors(sb_episode *e, sb_rng *rng) {
    enum { TRIES = 20 };
    vars *v = SB_VARS(e);
    const int n = v->n_distractors;
    const bool may_pass = v->n_doors < 2 && starts_before_doors(e);
    sb_cells sites;
    pick picks[SB_INSTRUCTION_FOLLOWING_DISTRACTORS];
    list_free(&sites, e, 1, e->height - 2);
    sb_cells_keep(&sites, e, has_room);
    for (int i = 1; i <= TRIES; i++) {
        draw_picks(picks, n, sites.n, rng);
        if (!may_pass && i < TRIES) continue;
        lay_out(v->distractor, picks, n, &sites);
        if (leaves_a_way(e)) break;
    }
    for (int i = 0; i < n; i++) sb_set_object(e, v->distractor[i], other_kind(v->named, picks[i].kind), 0);
}

/* ---- The instance ---- */

static void draw_instance(sb_episode *e, uint64_t addend) {
    vars *v = SB_VARS(e);
    sb_rng rng = sb_generator_plus(e, addend);
    sb_clear_room(e);
    v->n_doors = parameters[e->difficulty].doors;
    v->n_distractors = parameters[e->difficulty].distractors;
    v->start = e->agent.at = sb_corner(e, sb_integers(&rng, 0, 4));
    v->named = kinds[sb_integers(&rng, 0, N_KINDS)];
    v->target = draw_site(e, draw_doors(e, &rng), e->height - 2, &rng);
    sb_set_object(e, v->target, v->named, 0);
    draw_distractors(e, &rng);
}

/* Rejects an instance whose start lies beyond a door: its doors could not be opened in order. */
static bool generate(sb_episode *e) {
    enum { ATTEMPTS = 100, NEXT_SEED = 1000 };
    for (uint64_t i = 0; i < ATTEMPTS; i++) {
        draw_instance(e, i * NEXT_SEED);
        if (starts_before_doors(e)) return true;
    }
    return false;
}

/* ---- The rules ---- */

static void on_enter(sb_episode *e) {
    const vars *v = SB_VARS(e);
    sb_pick_up_key(e);
    const int object = sb_object_here(e);
    if (sb_same(e->agent.at, v->target)) {
        sb_set_object(e, v->target, SB_NONE, 0);
        sb_win(e);
    } else if (object != SB_NONE && object != SB_DOOR) {
        sb_lose(e);
    }
}

static void on_interact(sb_episode *e, sb_xy target) { sb_unlock(e, target); }

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    if (sb_has_lost(e)) return -1.0;
    return sb_pay_for_approach(e, t, v->target, 0.05);
}

/* ---- What observations say ---- */

static void tell(const sb_episode *e, sb_told *told) {
    const vars *v = SB_VARS(e);
    sb_tell(told, SB_TOLD_TARGET, 0, v->named);
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", &v->target, 1);
    sb_config_int(c, "target_type", v->named);
    sb_config_cells(c, "distractor_positions", v->distractor, (size_t)v->n_distractors);
    sb_config_cells(c, "key_positions", v->key, (size_t)v->n_doors);
    sb_config_cells(c, "door_positions", v->door, (size_t)v->n_doors);
    sb_config_int(c, "max_steps", e->max_steps);
    if (c->hidden) sb_config_bool(c, "_wrong_touch", sb_has_lost(e));
}

const sb_task sb_instruction_following = {
    .info = {.name = "InstructionFollowing-v0",
             .category = "navigation",
             .skills = SB_SKILLS("language", "grounding", "instruction"),
             .summary = "Walk to the one object that the instruction names, through locked doors; touch no other."},
    .extents = {{7, 7, 60}, {10, 10, 100}, {13, 13, 180}, {15, 15, 280}},
    .vars_size = sizeof(vars),
    .generate = generate,
    .can_enter = sb_enter_unless_door,
    .on_enter = on_enter,
    .on_interact = on_interact,
    .sparse = sb_pay_for_outcome,
    .dense = dense,
    .tell = tell,
    .config = config,
};
