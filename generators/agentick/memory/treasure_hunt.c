/* TreasureHunt: step on every hidden treasure. Each scroll tells the direction and distance of the treasure nearest to
 * it, and this clue shows on the grid from afar. Some scrolls lie about the direction. */
#include "generators/agentick/memory/treasure_hunt.h"

#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/tell.h"

typedef sb_treasure_hunt_vars vars;
typedef sb_treasure_hunt_parameters parameters;

enum { ATTEMPTS = 40, SPARE_CELLS = 5, MAX_CLUES = SB_TREASURE_HUNT_CLUES };

const parameters sb_treasure_hunt_difficulties[SB_N_DIFFICULTIES] = {
    {2, 6, 0, 2}, {3, 8, 1, 8}, {4, 10, 3, 16}, {5, 12, 5, 30}};

/* ---- The instance ---- */

static void draw_room(sb_episode *e, int wall_draws, sb_rng *rng) {
    vars *v = SB_VARS(e);
    sb_clear_room(e);
    sb_draw_walls(e, wall_draws, rng);
    v->start = e->agent.at = sb_draw_corner(e, rng);
    sb_cell_at(e, v->start)->terrain = SB_EMPTY;
}

/* Returns the nearest treasure, the first among equals. */
static sb_xy nearest_treasure(const vars *v, sb_xy from) {
    sb_xy nearest = v->treasure[0];
    for (int i = 1; i < v->n_treasures; i++)
        if (sb_manhattan(from, v->treasure[i]) < sb_manhattan(from, nearest)) nearest = v->treasure[i];
    return nearest;
}

static int draw_lie(int truth, sb_rng *rng) {
    int32_t others[3];
    int n = 0;
    for (int d = SB_NORTH; d < SB_NOWHERE; d++)
        if (d != truth) others[n++] = d;
    return sb_choice_of(rng, others, 3);
}

static void draw_scroll(sb_episode *e, sb_xy at, bool lies, sb_rng *rng) {
    const sb_xy treasure = nearest_treasure(SB_VARS(e), at);
    const int truth = (int)sb_treasure_hunt_bearing(at, treasure), distance = sb_manhattan(at, treasure);
    const int direction = lies ? draw_lie(truth, rng) : truth;
    sb_set_object(e, at, SB_SCROLL, sb_clue(direction, distance));
}

static void draw_scrolls(sb_episode *e, const sb_xy *sites, const parameters *difficulty, sb_rng *rng) {
    int64_t liars[MAX_CLUES];
    bool lies[MAX_CLUES] = {false};
    if (difficulty->lies > 0) sb_choices_distinct(rng, difficulty->clues, (size_t)difficulty->lies, liars);
    for (int i = 0; i < difficulty->lies; i++) lies[liars[i]] = true;
    for (int i = 0; i < difficulty->clues; i++) draw_scroll(e, sites[i], lies[i], rng);
}

static bool draw_instance(sb_episode *e, const parameters *difficulty, sb_rng *rng) {
    vars *v = SB_VARS(e);
    sb_cells sites;
    draw_room(e, difficulty->wall_draws, rng);
    sb_cells_reached_without(&sites, e, v->start);
    if (sites.n < difficulty->treasures + difficulty->clues + SPARE_CELLS) return false;
    sb_cells_shuffle(&sites, rng);
    v->n_treasures = difficulty->treasures;
    for (int i = 0; i < difficulty->treasures; i++) v->treasure[i] = sites.at[i];
    draw_scrolls(e, sites.at + difficulty->treasures, difficulty, rng);
    return true;
}

/* The published generator's fallback; no known seed needs it. */
static void make_plain(sb_episode *e) {
    vars *v = SB_VARS(e);
    const int middle = e->width / 2, last = e->width - 2;
    sb_clear_room(e);
    v->start = e->agent.at = sb_at(1, 1);
    v->n_treasures = 1;
    v->treasure[0] = sb_at(last, last);
    sb_set_object(e, sb_at(middle, middle), SB_SCROLL, sb_clue(SB_SOUTH, 2 * (last - middle)));
}

static bool generate(sb_episode *e) {
    sb_rng rng = sb_generator(e, e->seed);
    for (int i = 0; i < ATTEMPTS; i++)
        if (draw_instance(e, &sb_treasure_hunt_difficulties[e->difficulty], &rng)) return true;
    make_plain(e);
    return true;
}

/* ---- The rules ---- */

static bool is_treasure(const vars *v, sb_xy p) {
    for (int i = 0; i < v->n_treasures; i++)
        if (sb_same(v->treasure[i], p)) return true;
    return false;
}

static void on_enter(sb_episode *e) {
    vars *v = SB_VARS(e);
    const sb_cell *here = sb_peek(e, e->agent.at);
    if (!v->has_begun || here->object == SB_GOAL) return;
    if (here->object == SB_SCROLL) {
        v->read[v->n_read++] = (sb_treasure_hunt_scroll){e->agent.at, here->metadata};
        sb_set_object(e, e->agent.at, SB_NONE, 0);
    } else if (is_treasure(v, e->agent.at)) {
        sb_set_object(e, e->agent.at, SB_GOAL, 0);
        v->n_found++;
    }
}

/* The published environment learns only after its first step which episode it plays, so that step neither reads nor
 * finds. */
static void on_step(sb_episode *e) {
    vars *v = SB_VARS(e);
    v->has_begun = true;
}

static bool is_success(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return v->n_found >= v->n_treasures;
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e), *old = t->live;
    double reward = -0.01;
    if (v->n_read > old->n_read) reward += 0.05;
    if (v->n_found > old->n_found) reward += 0.3;
    if (t->success) reward += 1.0;
    return reward;
}

/* Returns the length of the shortest way through a set of treasures (bit i for treasure i), in Manhattan distance. */
static int tour(const vars *v, sb_xy from, unsigned treasures) { // NOLINT(misc-no-recursion): five deep
    int least = treasures ? INT16_MAX : 0;
    for (int i = 0; i < v->n_treasures; i++) {
        if (!(treasures >> i & 1)) continue;
        const int way = sb_manhattan(from, v->treasure[i]) + tour(v, v->treasure[i], treasures & ~(1u << i));
        if (way < least) least = way;
    }
    return least;
}

static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    unsigned hidden = 0;
    for (int i = 0; i < v->n_treasures; i++) hidden |= (unsigned)(sb_peek(e, v->treasure[i])->object != SB_GOAL) << i;
    return tour(v, e->agent.at, hidden);
}

static void forget(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_sort_cells(v->treasure, NULL, v->n_treasures);
}

/* Hides the treasures at a corner of the grid, which is never entered. The grid shows those that were found. */
static void hide(sb_episode *e) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_treasures; i++) v->treasure[i] = sb_at(0, 0);
}

/* ---- What observations say ---- */

_Static_assert(SB_TOLD_COMMON + MAX_CLUES <= SB_TOLD_ROWS, "all clues can be told");

static void tell(const sb_episode *e, sb_told *told) {
    const vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_read; i++) {
        const sb_treasure_hunt_scroll *s = &v->read[i];
        const int direction = sb_clue_direction(s->clue);
        sb_tell(told, (sb_told_what)(SB_TOLD_CLUE_NORTH + direction), sb_index(e, s->at), sb_clue_distance(s->clue));
    }
}

static void config_clue(sb_out *out, const sb_treasure_hunt_scroll *s) {
    sb_put_comma(out);
    sb_putc(out, '{');
    sb_put_key(out, "position");
    sb_put_xy(out, s->at);
    sb_member_int(out, "direction", sb_clue_direction(s->clue));
    sb_member_int(out, "distance", sb_clue_distance(s->clue));
    sb_putc(out, '}');
}

static void config_clues(const sb_config *c, const vars *v) {
    sb_put_key(c->out, "read_clues");
    sb_putc(c->out, '[');
    for (int i = 0; i < v->n_read; i++) config_clue(c->out, &v->read[i]);
    sb_putc(c->out, ']');
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    if (c->hidden) sb_config_cells(c, "goal_positions", v->treasure, (size_t)v->n_treasures);
    sb_config_int(c, "max_steps", e->max_steps);
    config_clues(c, v);
    sb_config_int(c, "treasures_collected", v->n_found);
}

const sb_task sb_treasure_hunt = {
    .info = {.name = "TreasureHunt-v0",
             .category = "memory",
             .skills = SB_SKILLS("exploration", "memory", "reasoning"),
             .summary = "Find every hidden treasure by the directions and distances on scrolls, some of which lie."},
    .extents = {{9, 9, 60}, {12, 12, 80}, {15, 15, 120}, {18, 18, 180}},
    .vars_size = sizeof(vars),
    .live_size = offsetof(vars, has_begun),
    .generate = generate,
    .on_enter = on_enter,
    .on_step = on_step,
    .is_success = is_success,
    .dense = dense,
    .bound = bound,
    .forget = forget,
    .hide = hide,
    .tell = tell,
    .config = config,
};
