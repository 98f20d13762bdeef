/* PreciseNavigation: an ice puzzle. The agent slides until a wall, a box or a stopping cell ends the slide, and sets
 * any box in its way sliding ahead of it. Reach the goal; every action is one slide. */
#include "generators/agentick/planning/precise_navigation.h"

#include "engine/gridworld/area.h"
#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"

typedef sb_precise_navigation_vars vars;

static const struct parameters {
    int stops, boxes, walls; /* stops: number of stopping cells besides the start; walls: number of pieces of wall */
    int slides;              /* fewest slides that the way to the goal must take while the boxes stay where they are */
} parameters[SB_N_DIFFICULTIES] = {{4, 0, 2, 3}, {3, 0, 4, 5}, {3, 1, 5, 6}, {3, 2, 7, 8}};

/* ---- The instance ---- */

/* Hundreds of grids may be drawn before one is hard enough, so a draft keeps each grid as sets of cells: once by rows,
 * and once transposed, so that columns can be read as rows. */
enum { IN_ROWS, IN_COLUMNS };

typedef struct draft {
    int size;
    sb_area wall[2], stop[2]; /* cells in neither set are ice; boxes count as walls */
    sb_area room;             /* where pieces of wall still fit: not next to the border */
    sb_xy start, goal, box[SB_PRECISE_NAVIGATION_BOXES];
} draft;

static sb_xy turned(sb_xy p) { return sb_at(p.y, p.x); }

static void put(sb_area set[2], sb_xy p) {
    sb_area_add(&set[IN_ROWS], p);
    sb_area_add(&set[IN_COLUMNS], turned(p));
}

static void clear(draft *d) {
    enum { ROWS = 15 }; /* rows of the largest grid */
    const int last = d->size - 1;
    const uint32_t inside = (UINT32_C(1) << last) - 2, middle = inside << 1 & inside >> 1;
    for (int y = 0; y < ROWS; y++) {
        d->wall[IN_ROWS].row[y] = d->wall[IN_COLUMNS].row[y] = y > 0 && y < last ? ~inside : UINT32_MAX;
        d->stop[IN_ROWS].row[y] = d->stop[IN_COLUMNS].row[y] = 0;
        d->room.row[y] = y > 1 && y < last - 1 ? middle : 0;
    }
}

/* Offsets of the cells of a piece of wall. The straight pieces have three cells and name the last one twice. */
static const sb_xy shapes[14][4] = {
    {{0, 0}, {1, 0}, {2, 0}, {2, 1}},    {{0, 0}, {1, 0}, {2, 0}, {2, -1}},    {{0, 0}, {0, 1}, {0, 2}, {1, 2}},
    {{0, 0}, {0, 1}, {0, 2}, {-1, 2}},   {{0, 0}, {-1, 0}, {-2, 0}, {-2, 1}},  {{0, 0}, {-1, 0}, {-2, 0}, {-2, -1}},
    {{0, 0}, {0, -1}, {0, -2}, {1, -2}}, {{0, 0}, {0, -1}, {0, -2}, {-1, -2}}, {{0, 0}, {1, 0}, {-1, 0}, {0, 1}},
    {{0, 0}, {1, 0}, {-1, 0}, {0, -1}},  {{0, 0}, {0, 1}, {0, -1}, {1, 0}},    {{0, 0}, {0, 1}, {0, -1}, {-1, 0}},
    {{0, 0}, {1, 0}, {2, 0}, {2, 0}},    {{0, 0}, {0, 1}, {0, 2}, {0, 2}}};

static sb_xy offset(sb_xy p, sb_xy by) { return sb_at(p.x + by.x, p.y + by.y); }

static bool fits(const sb_area *room, const sb_xy shape[4], sb_xy at) {
    bool all = true;
    for (int k = 0; k < 4; k++) all &= sb_area_has(room, offset(at, shape[k]));
    return all;
}

static void draw_wall(draft *d, sb_rng *rng) {
    enum { TRIES = 50 };
    const sb_xy *shape = shapes[sb_integers(rng, 0, 14)];
    for (int tries = 0; tries < TRIES; tries++) {
        const int64_t x = sb_integers(rng, 2, d->size - 2), y = sb_integers(rng, 2, d->size - 2);
        const sb_xy at = sb_at((int)x, (int)y);
        if (!fits(&d->room, shape, at)) continue;
        for (int k = 0; k < 4; k++) {
            sb_area_set(&d->room, offset(at, shape[k]), false);
            put(d->wall, offset(at, shape[k]));
        }
        return;
    }
}

/* Lists the cells of ice and shuffles them. */
static void draw_ice(const draft *d, sb_cells *ice, sb_rng *rng) {
    const int last = d->size - 1;
    int n = 0;
    for (int y = 1; y < last; y++) {
        uint32_t row = ~(d->wall[IN_ROWS].row[y] | d->stop[IN_ROWS].row[y]) >> 1;
        for (sb_xy p = sb_at(1, y); p.x < last; p.x++, row >>= 1) {
            ice->at[n] = p; /* overwritten by the next cell if it is no ice: cheaper than a branch */
            n += (int)(row & 1);
        }
    }
    ice->n = n;
    sb_cells_shuffle(ice, rng);
}

/* Draws the stopping cells. The one farthest from the start is the goal. Returns false if there is none. */
static bool draw_stops(draft *d, int n, sb_rng *rng) {
    sb_cells ice;
    int farthest = 0;
    draw_ice(d, &ice, rng);
    for (int i = 0; i < ice.n && n > 0; i++) {
        const int distance = sb_manhattan(ice.at[i], d->start);
        if (distance < 3) continue;
        put(d->stop, ice.at[i]);
        if (distance > farthest) farthest = distance, d->goal = ice.at[i];
        n--;
    }
    return farthest > 0;
}

static void draw_boxes(draft *d, int n, sb_rng *rng) {
    sb_cells ice;
    draw_ice(d, &ice, rng);
    for (int i = 0; i < n; i++) put(d->wall, d->box[i] = ice.at[i]);
}

/* Returns where a slide ends: on the first stopping cell or before the first wall. */
static sb_xy slide(const draft *d, sb_xy p, sb_direction ahead) {
    const int way = ahead == SB_EAST || ahead == SB_WEST ? IN_ROWS : IN_COLUMNS;
    const int step = ahead == SB_EAST || ahead == SB_SOUTH ? 1 : -1;
    const int line = way == IN_ROWS ? p.y : p.x;
    const uint32_t wall = d->wall[way].row[line], ends = wall | d->stop[way].row[line];
    int to = way == IN_ROWS ? p.x : p.y;
    do to += step;
    while (!(ends >> to & 1));
    if (wall >> to & 1) to -= step;
    return way == IN_ROWS ? sb_at(to, line) : sb_at(line, to);
}

/* Returns whether the goal can be reached by slides, but not in fewer than this number. */
static bool takes_slides(const draft *d, int least) {
    sb_xy queue[SB_CELLS_MAX];
    sb_area seen = {0};
    int n = 0, slides = 1;
    queue[n++] = d->start;
    sb_area_add(&seen, d->start);
    for (int next = 0, level_end = 1; next < n; next++) {
        if (next == level_end) slides++, level_end = n;
        for (sb_direction ahead = SB_NORTH; ahead < SB_NOWHERE; ahead++) {
            const sb_xy to = slide(d, queue[next], ahead);
            if (sb_same(to, d->goal)) return slides >= least;
            queue[n] = to;
            n += !sb_area_has(&seen, to);
            sb_area_add(&seen, to);
        }
    }
    return false;
}

static bool draw_instance(draft *d, const sb_episode *e, sb_rng *rng) {
    const struct parameters *difficulty = &parameters[e->difficulty];
    clear(d);
    put(d->stop,
        d->start = turned(sb_corner(e, sb_integers(rng, 0, 4)))); /* here the corners are numbered column by column */
    for (int i = 0; i < difficulty->walls; i++) draw_wall(d, rng);
    if (!draw_stops(d, difficulty->stops, rng)) return false;
    if (difficulty->boxes) draw_boxes(d, difficulty->boxes, rng);
    return takes_slides(d, difficulty->slides);
}

static void build(sb_episode *e, const draft *d, int n_boxes) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < sb_n_cells(e); i++) {
        const sb_xy p = sb_xy_of(e, i);
        const bool wall = sb_area_has(&d->wall[IN_ROWS], p), stop = sb_area_has(&d->stop[IN_ROWS], p);
        e->cells[i].terrain = wall ? SB_WALL : stop ? SB_EMPTY : SB_ICE;
    }
    v->start = e->agent.at = d->start;
    v->goal = d->goal;
    sb_set_object(e, v->goal, SB_GOAL, 0);
    v->n_boxes = n_boxes;
    for (int i = 0; i < n_boxes; i++) {
        v->box[i] = d->box[i];
        *sb_cell_at(e, v->box[i]) = (sb_cell){.terrain = SB_ICE, .object = SB_BOX};
    }
}

/* The fallback: the way is right and down. One to three of a hundred medium seeds end here. */
static void draw_plain(draft *d) {
    const int middle = d->size / 2;
    clear(d);
    put(d->stop, d->start = sb_at(1, 1));
    put(d->stop, d->goal = sb_at(d->size - 2, d->size - 2));
    for (int x = middle; x <= middle + 1; x++) put(d->wall, sb_at(x, middle));
}

static bool generate(sb_episode *e) {
    enum { ATTEMPTS = 500 };
    sb_rng rng = sb_generator(e, e->seed); /* shared by all attempts */
    draft d = {.size = e->width};
    int attempt = 0;
    while (attempt < ATTEMPTS && !draw_instance(&d, e, &rng)) attempt++;
    if (attempt == ATTEMPTS) draw_plain(&d);
    build(e, &d, attempt < ATTEMPTS ? parameters[e->difficulty].boxes : 0);
    return true;
}

/* ---- The rules ---- */

static bool can_enter(sb_episode *e, sb_xy to) { return sb_peek(e, to)->object != SB_BOX; }

/* Pushes a box. It slides as far as it can, also over stopping cells and the goal; a box that comes to rest on the goal
 * erases it. Returns false if the box cannot move. */
static bool push_box(sb_episode *e, sb_xy from, sb_direction ahead) {
    vars *v = SB_VARS(e);
    sb_xy to = from, next = sb_beside(from, ahead);
    while (sb_walkable(e, next) && sb_peek(e, next)->object != SB_BOX) to = next, next = sb_beside(next, ahead);
    if (sb_same(to, from)) return false;
    for (int i = 0; i < v->n_boxes; i++)
        if (sb_same(v->box[i], from)) v->box[i] = to;
    sb_set_object(e, from, SB_NONE, 0);
    sb_set_object(e, to, SB_BOX, 0);
    return true;
}

static void on_enter(sb_episode *e) {
    const sb_direction ahead = (sb_direction)e->agent.facing;
    while (sb_terrain_here(e) == SB_ICE) {
        const sb_xy next = sb_beside(e->agent.at, ahead);
        const sb_cell *cell = sb_peek(e, next);
        if (cell->terrain == SB_WALL || (cell->object == SB_BOX && !push_box(e, next, ahead))) return;
        e->agent.at = next;
    }
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    return sb_pay_for_approach(e, t, v->goal, 0.05);
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", &v->goal, 1);
    sb_config_cells(c, "box_positions", v->box, (size_t)v->n_boxes);
    sb_config_int(c, "max_steps", e->max_steps);
}

const sb_task sb_precise_navigation = {
    .info = {.name = "PreciseNavigation-v0",
             .category = "planning",
             .skills = SB_SKILLS("planning", "spatial_reasoning"),
             .summary = "Slide over ice from stop to stop until a slide ends on the goal; push boxes from a distance."},
    .extents = {{9, 9, 50}, {11, 11, 80}, {13, 13, 120}, {15, 15, 200}},
    .vars_size = sizeof(vars),
    .generate = generate,
    .can_enter = can_enter,
    .on_enter = on_enter,
    .dense = dense,
    .config = config,
};
