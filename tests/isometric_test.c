/* The look `isometric` hides nothing that it should show. In recorded states of every task, one fact after another is
 * changed, and the picture must change in at least eight pixels. What changes nothing that is told must change nothing.
 * And pictures are the same whether the ground was kept or not, in every thread and on every machine.
 *
 * SEEDBED_NIGHTLY: changes the facts of many more states, at more sizes. */
#include "tests/support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "engine/brush.h"
#include "engine/environment.h"
#include "engine/gridworld/gridworld.h"
#include "engine/gridworld/picture/stage.h"
#include "engine/lookup.h"

enum { LEAST_PIXELS = 8, LEAST_HALF = 11, PIXELS_MAX = 1024 * 1024 * 3 };

static bool is_nightly(void) { return getenv("SEEDBED_NIGHTLY"); }

static sb_brush *brush_of(int32_t size, bool indexed) {
    sb_error error;
    const sb_family *family = sb_family_at(0);
    sb_brush *brush = sb_brush_make(family, sb_look_find(family, "isometric", &error),
                                    &(sb_brush_options){.size = size, .indexed = indexed}, &error);
    assert_ok(brush != NULL, error);
    return brush;
}

static sb_env *made(const char *task, const char *difficulty, int seed) {
    sb_error error;
    char name[SB_NAME_MAX];
    snprintf(name, sizeof name, "%s/%s#%d", task, difficulty, seed);
    sb_env *env = sb_make(NULL, name, &error);
    assert_ok(env != NULL, error);
    return env;
}

static void take_step(sb_env *env, sb_action action) {
    sb_error error;
    sb_result result;
    if (!env->status.done) assert_ok(sb_step(env, action, &result, &error), error);
}

/* ---- One fact ---- */

/* The state whose facts are changed, in an environment of its own. */
static struct {
    sb_brush *brush;
    const sb_isometric *isometric;
    sb_layout layout;
    sb_episode was, episode;
    sb_task task;
    sb_env env;
    int first, end; /* rows of the picture that are compared */
    uint8_t before[1024 * 1024], after[1024 * 1024];
    int n_facts, n_undetected;
} lab;

static sb_told lab_told;

static void tell(const sb_episode *e, sb_told *told) {
    (void)e;
    *told = lab_told;
}

static void paint(uint8_t *pixels) {
    const size_t side = (size_t)lab.layout.side;
    assert_int_equal(sb_observe_array(&lab.env, sb_brush_array(lab.brush), pixels, side * side), side * side);
}

static int differing_pixels(void) {
    const size_t from = (size_t)(lab.first * lab.layout.side), to = (size_t)(lab.end * lab.layout.side);
    int n = 0;
    for (size_t i = from; i < to && n < LEAST_PIXELS; i++) n += lab.before[i] != lab.after[i];
    return n;
}

static void compare_all(void) { lab.first = 0, lab.end = lab.layout.side; }

/* A cell shows only near its place, which saves time. */
static void compare_near(sb_xy at) {
    const int y = sb_layout_y(&lab.layout, at), near = 3 * lab.layout.half;
    lab.first = y > near ? y - near : 0;
    lab.end = y + near < lab.layout.side ? y + near : lab.layout.side;
}

/* Paints the changed episode and restores it. */
static void check_change(bool must_show, const char *what, int x, int y, int from, int to) {
    paint(lab.after);
    const int n = differing_pixels();
    lab.n_facts++;
    if (must_show ? n < LEAST_PIXELS : n > 0) {
        lab.n_undetected++;
        print_message("%s, size %d, half tile %d: (%d,%d) %s from %d to %d: %d pixels\n", lab.task.info.name,
                      lab.layout.side, lab.layout.half, x, y, what, from, to, n);
    }
    lab.episode = lab.was;
}

static bool same_looks(const sb_cell *a, const sb_cell *b) {
    const sb_appearance one = sb_appearance_of(a), two = sb_appearance_of(b);
    return memcmp(&one, &two, sizeof one) == 0;
}

static void try_cell(sb_xy at, sb_cell cell, const char *what, int from, int to) {
    sb_cell *c = sb_cell_at(&lab.episode, at);
    const bool must_show = !same_looks(c, &cell);
    *c = cell;
    check_change(must_show, what, at.x, at.y, from, to);
}

/* Values of metadata that tasks use. */
static bool is_used(int object, int m) {
    switch (object) {
    case SB_NONE: return m >= -1 && m <= 5; /* colours of walls; fog */
    case SB_KEY: return m >= 0 && m < SB_N_COLORS;
    case SB_DOOR: return (m >= 0 && m < SB_N_COLORS) || (m >= SB_DOOR_OPEN && m < SB_DOOR_OPEN + SB_N_COLORS);
    case SB_SWITCH: return (m >= 0 && m <= 5) || m == SB_SWITCH_ON;
    case SB_BOX: return (m >= 0 && m <= 15) || (m >= SB_BOX_AT_HOME && m <= SB_BOX_AT_HOME + 15);
    case SB_TARGET: return m == 0 || sb_target_is_typed(m) || (m > SB_TARGET_NUMBERED && m <= SB_TARGET_NUMBERED + 15);
    case SB_RESOURCE: return m >= 0 && m <= 100;
    case SB_NPC: return m >= 0 && m <= SB_NPC_CONTRARIAN;
    case SB_ENEMY: return m >= 0 && m <= 4;
    case SB_SHEEP: return m >= 0 && m <= SB_WEST;
    case SB_LEVER: return m == 0 || m == 1;
    case SB_SCROLL: return m == 0 || (m > 0 && m < 40 && m % 10 > 0);
    default: return m == 0;
    }
}

static void change_cell(sb_xy at) {
    const sb_cell cell = *sb_peek(&lab.was, at);
    const bool is_fog = sb_fogged(&cell);
    compare_near(at);
    for (int t = 0; t < SB_N_TERRAINS; t++) {
        const sb_cell other = {(int8_t)t, cell.object, cell.metadata};
        if (t != cell.terrain) try_cell(at, other, "terrain", cell.terrain, t);
    }
    for (int o = 0; o < SB_N_OBJECTS; o++) {
        const sb_cell other = {cell.terrain, (int8_t)o, (int16_t)(is_fog ? SB_FOG : 0)};
        if (o != cell.object) try_cell(at, other, "object", cell.object, o);
    }
    for (int m = -1; m < 256 && !is_fog; m++) {
        const sb_cell other = {cell.terrain, cell.object, (int16_t)m};
        if (m != cell.metadata && is_used(cell.object, m)) try_cell(at, other, "metadata", cell.metadata, m);
    }
}

static void change_agent(void) {
    const sb_grid_agent agent = lab.was.agent;
    compare_all();
    for (uint8_t facing = 0; facing < 4; facing++) {
        if (facing == agent.facing) continue;
        lab.episode.agent.facing = facing;
        check_change(true, "facing", agent.at.x, agent.at.y, agent.facing, facing);
    }
    for (int d = 0; d < 4; d++) {
        const sb_xy to = sb_beside(agent.at, (sb_direction)d);
        if (!sb_inside(&lab.was, to)) continue;
        lab.episode.agent.at = to;
        check_change(true, "agent", agent.at.x, agent.at.y, d, d);
    }
}

static void change_items(void) {
    const int n = lab.was.agent.n_items;
    static const sb_item other = {SB_ITEM_OBJECT, SB_POTION, {0, 0}};
    if (n > 0) {
        lab.episode.agent.n_items--;
        check_change(true, "item lost", n, 0, 0, 0);
        for (int c = 0; c < SB_N_COLORS && lab.was.items[0].kind == SB_ITEM_KEY; c++) {
            if (c == lab.was.items[0].value) continue;
            lab.episode.items[0].value = (int16_t)c;
            check_change(true, "key", 0, 0, lab.was.items[0].value, c);
        }
    }
    if (n < SB_ITEMS_MAX) {
        lab.episode.items[n] = other;
        lab.episode.agent.n_items++;
        check_change(true, "item got", n, 0, 0, 0);
    }
}

static void change_number(int32_t *number, int to, const char *what) {
    const int from = *number;
    if (to == from) return;
    *number = to;
    check_change(true, what, 0, 0, from, to);
    *number = from;
}

static void change_told(void) {
    for (int i = 0; i < lab_told.n; i++) {
        sb_told_row *r = &lab_told.rows[i];
        const bool is_clue = r->what >= SB_TOLD_CLUE_NORTH && r->what <= SB_TOLD_CLUE_WEST;
        const bool counts = r->what == SB_TOLD_TRIAL || r->what == SB_TOLD_PHASE;
        for (int v = 1; v <= 9 && is_clue; v++) change_number(&r->value, v, "steps of a clue");
        for (int w = SB_TOLD_CLUE_NORTH; w <= SB_TOLD_CLUE_WEST && is_clue; w++) change_number(&r->what, w, "clue");
        for (int v = 1; v <= 6 && counts; v++) change_number(&r->which, v, "count");
        for (int v = SB_GEM; v <= SB_ORB && r->what == SB_TOLD_TARGET; v++) change_number(&r->value, v, "target");
        for (int v = 0; v <= 100 && r->what == SB_TOLD_METER; v++) change_number(&r->value, v, "meter");
        for (int v = 0; v < SB_N_PHASE_KINDS && r->what == SB_TOLD_PHASE_KIND; v++)
            change_number(&r->value, v, "kind of phase");
        if (r->what == SB_TOLD_REMAPPED) change_number(&r->value, !r->value, "reversed");
    }
}

static void change_panel(void) {
    enum { CLOCK_FROM = 512 /* smaller digits have fewer than eight dots that change */ };
    compare_all();
    change_items();
    change_told();
    if (lab.layout.side < CLOCK_FROM || lab.was.clock >= lab.was.max_steps) return;
    lab.episode.clock++;
    check_change(true, "clock", 0, 0, lab.was.clock, lab.was.clock + 1);
}

static void set_lab(const sb_env *env, sb_brush *brush) {
    const sb_episode *e = env->state;
    lab.brush = brush, lab.isometric = brush->tiles;
    sb_episode_copy(&lab.was, e);
    lab.task = *e->task;
    sb_tell_task(e, &lab_told);
    lab.task.tell = tell;
    lab.was.task = &lab.task;
    lab.episode = lab.was;
    lab.env = *env;
    lab.env.state = &lab.episode, lab.env.task = &lab.task.info;
    const int half = lab.isometric->sizes[lab.isometric->size_of[e->width + e->height]].half;
    lab.layout = sb_layout_of(brush->options.size, half, e->width, e->height);
}

/* Changes every fact. Of cells where nothing is, only every `stride`-th is tried. */
static void change_facts(const sb_env *env, sb_brush *brush, int stride) {
    set_lab(env, brush);
    if (lab.layout.half < LEAST_HALF) return;
    paint(lab.before);
    for (int i = 0; i < sb_n_cells(&lab.was); i++) {
        const sb_xy at = sb_xy_of(&lab.was, i);
        const bool has_something = lab.was.cells[i].object || sb_same(at, lab.was.agent.at);
        if (has_something || i % stride == 0) change_cell(at);
    }
    change_agent();
    change_panel();
}

static struct {
    sb_env *env;
    sb_brush *brushes[2], *smallest[2 * SB_SIDE_MAX + 1];
    int n_brushes, stride, n_recordings, wanted;
    bool all; /* recordings and rollouts, not one of a task */
} sweep;

/* The brush whose pictures of such grids are the smallest in which every fact has to show. It is made once. */
static sb_brush *smallest_brush(int width_and_height) {
    sb_brush **brush = &sweep.smallest[width_and_height];
    int32_t side = SB_PICTURE_LEAST;
    while (sb_layout_half(side, width_and_height) < LEAST_HALF) side++;
    if (!*brush) *brush = brush_of(side, true);
    return *brush;
}

static void sweep_state(void) {
    const sb_episode *e = sweep.env->state;
    change_facts(sweep.env, smallest_brush(e->width + e->height), sweep.stride);
    for (int b = 0; b < sweep.n_brushes; b++) change_facts(sweep.env, sweep.brushes[b], sweep.stride);
}

/* Changes the facts of the state in the middle; nightly also of the first and the last. */
static void sweep_rollout(const char *name, const char *actions) {
    sb_error error;
    assert_ok(sb_reset(sweep.env, name, &error), error);
    const size_t n = strlen(actions);
    for (size_t i = 0; i <= n; i++) {
        if (i == n / 2 || (sweep.all && (i == 0 || i == n))) sweep_state();
        if (i < n) take_step(sweep.env, actions[i] - '0');
    }
}

/* Of the recordings of a task, all, or the one that is wanted. */
static void sweep_recording(const cJSON *recording) {
    char name[SB_NAME_MAX];
    const cJSON *rollout;
    if (!sweep.all && sweep.n_recordings++ != sweep.wanted) return;
    snprintf(name, sizeof name, "%s/%s#%.0f", cJSON_GetStringValue(cJSON_GetObjectItem(recording, "task")),
             cJSON_GetStringValue(cJSON_GetObjectItem(recording, "difficulty")),
             cJSON_GetNumberValue(cJSON_GetObjectItem(recording, "seed")));
    cJSON_ArrayForEach(rollout, cJSON_GetObjectItem(recording, "rollouts")) {
        sweep_rollout(name, cJSON_GetStringValue(cJSON_GetObjectItem(rollout, "actions")));
        if (!sweep.all) return;
    }
}

static void every_fact_shows(void **state) {
    (void)state;
    sb_error error;
    static const int32_t sizes[] = {512, 256};
    const bool nightly = is_nightly();
    sweep.env = sb_make(NULL, NULL, &error);
    sweep.n_brushes = nightly ? 2 : 1;
    sweep.all = nightly, sweep.stride = TESTS_ARE_SLOW ? 61 : 13;
    for (int b = 0; b < sweep.n_brushes; b++) sweep.brushes[b] = brush_of(sizes[b], true);
    for (size_t i = 0; i < sb_family_at(0)->n_tasks; i += TESTS_ARE_SLOW ? 6 : 1) {
        char file[64];
        const char *task = sb_family_at(0)->task(i)->name;
        snprintf(file, sizeof file, "%.*s.jsonl.gz", (int)strcspn(task, "-"), task);
        sweep.n_recordings = 0, sweep.wanted = (int)(i * 5 % 16);
        assert_true(each_vector(file, sweep_recording) >= 30);
    }
    for (int b = 0; b < sweep.n_brushes; b++) sb_brush_free(sweep.brushes[b]);
    for (int i = 0; i <= 2 * SB_SIDE_MAX; i++) sb_brush_free(sweep.smallest[i]), sweep.smallest[i] = NULL;
    sb_free(sweep.env);
    print_message("%d facts changed, %d undetected\n", lab.n_facts, lab.n_undetected);
    assert_true(lab.n_facts >= (TESTS_ARE_SLOW ? 1000 : 15000));
    assert_int_equal(lab.n_undetected, 0);
}

/* ---- Everything below the agent shows, alone and against everything else ---- */

static void whatever_is_below_the_agent_shows(void **state) {
    (void)state;
    enum { MOST = 400 };
    static uint8_t pictures[MOST][160 * 160];
    static sb_cell cells[MOST];
    sb_env *env = made("GoToGoal-v0", "easy", 1);
    int32_t side = SB_PICTURE_LEAST;
    while (sb_layout_half(side, 10) < LEAST_HALF) side++;
    sb_brush *brush = brush_of(side, true);
    int n = 0, n_alike = 0;
    set_lab(env, brush);
    assert_true(lab.layout.half == LEAST_HALF && side <= 160);
    for (int o = 0; o < SB_N_OBJECTS; o++)
        for (int m = 0; m < 256; m++) {
            if (!is_used(o, m) || (o == SB_NONE && m > 0)) continue;
            assert_true(n < MOST);
            cells[n] = (sb_cell){SB_EMPTY, (int8_t)o, (int16_t)m};
            *sb_cell_at(&lab.episode, lab.was.agent.at) = cells[n];
            paint(pictures[n++]);
        }
    compare_all();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            memcpy(lab.before, pictures[i], sizeof pictures[i]);
            memcpy(lab.after, pictures[j], sizeof pictures[j]);
            const int d = differing_pixels();
            if (d < LEAST_PIXELS)
                print_message("below the agent, object %d with metadata %d and object %d with metadata %d: %d pixels\n",
                              cells[i].object, cells[i].metadata, cells[j].object, cells[j].metadata, d);
            n_alike += d < LEAST_PIXELS;
        }
    assert_int_equal(n_alike, 0);
    sb_brush_free(brush);
    sb_free(env);
}

/* ---- Any two cells look different ---- */

enum { NEAR = 2 * LEAST_HALF, ABOVE = 3 * LEAST_HALF, NEAR_PIXELS = 2 * NEAR * (ABOVE + NEAR), CELLS_MOST = 2000 };
static struct {
    sb_cell cells[CELLS_MOST];
    uint8_t pictures[CELLS_MOST][NEAR_PIXELS];
    int n, n_alike;
} wheel;

/* Paints a cell and keeps what is near it. */
static void keep_cell(sb_xy at, sb_cell cell) {
    const int left = sb_layout_x(&lab.layout, at) - NEAR, top = sb_layout_y(&lab.layout, at) - ABOVE;
    assert_true(wheel.n < CELLS_MOST && left >= 0 && top >= 0);
    *sb_cell_at(&lab.episode, at) = wheel.cells[wheel.n] = cell;
    paint(lab.after);
    for (int y = 0; y < ABOVE + NEAR; y++)
        memcpy(wheel.pictures[wheel.n] + (size_t)y * 2 * NEAR, lab.after + (top + y) * lab.layout.side + left,
               2 * NEAR);
    wheel.n++;
}

/* From the ground up, where pictures differ most. */
static bool look_alike(const uint8_t *one, const uint8_t *two) {
    int n = 0;
    for (int i = NEAR_PIXELS; i-- > 0 && n < LEAST_PIXELS;) n += one[i] != two[i];
    return n < LEAST_PIXELS;
}

static void compare_cells(int i, int j) {
    const sb_cell *one = &wheel.cells[i], *two = &wheel.cells[j];
    if (same_looks(one, two) || !look_alike(wheel.pictures[i], wheel.pictures[j])) return;
    wheel.n_alike++;
    print_message("terrain %d, object %d with metadata %d looks like terrain %d, object %d with metadata %d\n",
                  one->terrain, one->object, one->metadata, two->terrain, two->object, two->metadata);
}

/* All that a cell can hold, on every terrain, one against the other: so what a cell holds can be read from its picture,
 * whatever it is. */
static void any_two_cells_look_different(void **state) {
    (void)state;
    const sb_xy at = sb_at(2, 2);
    sb_env *env = made("GoToGoal-v0", "easy", 1);
    sb_brush *brush = smallest_brush(10);
    set_lab(env, brush);
    lab.episode.agent.at = sb_at(1, 3);
    wheel.n = wheel.n_alike = 0;
    for (int t = 0; t < SB_N_TERRAINS; t++)
        for (int o = 0; o < SB_N_OBJECTS; o++)
            for (int m = -1; m < 256; m++)
                if (is_used(o, m)) keep_cell(at, (sb_cell){(int8_t)t, (int8_t)o, (int16_t)m});
    for (int i = 0; i < wheel.n; i++)
        for (int j = 0; j < i; j++) compare_cells(i, j);
    assert_true(wheel.n > 1200);
    assert_int_equal(wheel.n_alike, 0);
    sb_brush_free(brush);
    sweep.smallest[10] = NULL;
    sb_free(env);
}

/* ---- Rules for drawings ---- */

/* Units that a number of pixels covers, rounded to the middle. */
static int units(int pixels, int half) { return pixels * 64 / half; }

static void check_figure(const sb_stage *stage, int figure, int half) {
    const bool is_agent = (figure >= SB_SIGN_AGENT && figure < SB_SIGN_AGENT + 4) || figure == SB_FIGURE_BUBBLE;
    const sb_runs *standing = &stage->thing[figure].of[SB_LAYER_STANDING];
    for (int i = standing->first; i < standing->first + standing->n; i++) {
        const sb_run *r = &stage->things.runs[i];
        const int slack = 64 / half + 1, wide = units(r->y, half) > -30 ? 42 : 56;
        if (units(r->x, half) < -wide - slack || units(r->x + r->n, half) > wide + slack)
            fail_msg("figure %d is too wide: row %d, half tile %d", figure, r->y, half);
        assert_true(units(r->y, half) >= (is_agent ? -112 : -96) - slack);
        assert_true(units(r->y + 1, half) <= 32 + slack);
    }
}

/* Feet stay where no wall in front reaches them, and nothing is so high that it covers the cell behind the next one. */
static void figures_keep_to_their_room(void **state) {
    (void)state;
    sb_error error;
    static sb_figures figures;
    assert_ok(sb_figures_read(&figures, &error), error);
    for (int half = 6; half <= 98; half += half < 30 ? 1 : 17) {
        sb_stage stage;
        assert_true(sb_stage_make(&stage, &figures, half, sb_layout_up(half)));
        for (int figure = 0; figure < SB_N_FIGURES; figure++)
            if (figure != SB_SIGN_REVERSED) check_figure(&stage, figure, half);
        sb_stage_free(&stage);
    }
    assert_in_range(figures.palette.n, 100, SB_COLOURS_MAX);
}

/* ---- Where cells are ---- */

/* The middle of a cell's floor in the published picture of n x n cells, 512 pixels wide and high. */
static void published(int n, int x, int y, double at[2]) {
    const double wide = 512 / (118.0 * n), high = 472 / (64.0 * n + 128), least = wide < high ? wide : high;
    const double scale = 0.9 * least < 0.05 ? 0.05 : 0.9 * least > 1.5 ? 1.5 : 0.9 * least;
    const int tw = (int)(118 * scale) / 2, height = (int)(64 * scale), th = height / 2;
    at[0] = ((x - y) * tw + (n - 1) * tw + tw) * 512.0 / (2 * n * tw);
    at[1] = ((x + y) * th + 40 + height + th) * 512.0 / (2 * n * th + 2 * height + 40);
}

/* Each axis may be stretched and moved: the ends of the grid are laid upon each other. */
static void cells_are_where_the_published_picture_has_them(void **state) {
    (void)state;
    for (int n = 5; n <= 31; n++) {
        const sb_layout l = sb_layout_of(512, sb_layout_half(512, 2 * n), n, n);
        double first[2], last[2], left[2], right[2], at[2];
        published(n, 0, 0, first), published(n, n - 1, n - 1, last);
        published(n, 0, n - 1, left), published(n, n - 1, 0, right);
        const double sx = 2.0 * (n - 1) * l.half / (right[0] - left[0]);
        const double sy = 2.0 * (n - 1) * l.up / (last[1] - first[1]);
        assert_true(sx > 0.8 && sx < 1.25 && sy > 0.7 && sy < 1.4);
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                published(n, x, y, at);
                const double dx = l.left + (at[0] - first[0]) * sx - sb_layout_x(&l, sb_at(x, y));
                const double dy = l.top + (at[1] - first[1]) * sy - sb_layout_y(&l, sb_at(x, y));
                assert_true(dx * dx <= l.half * l.half / 4.0 && dy * dy <= l.up * l.up / 4.0);
                if (n != 11) continue; /* there, without any fit, half a tile's height is 16 pixels */
                const double px = at[0] - sb_layout_x(&l, sb_at(x, y)), py = at[1] - sb_layout_y(&l, sb_at(x, y));
                assert_true(px > -17 && px < 17 && py > -17 && py < 17);
            }
    }
}

/* The sizes above are those of all tasks. */
static void every_task_has_a_square_grid(void **state) {
    (void)state;
    const sb_family *family = sb_family_at(0);
    for (size_t t = 0; t < family->n_tasks; t++)
        for (size_t d = 0; d < family->n_difficulties; d++)
            for (int seed = 0; seed < 2; seed++) {
                sb_env *env = made(family->task(t)->name, family->difficulties[d], seed);
                const sb_episode *e = env->state;
                assert_int_equal(e->width, e->height);
                assert_in_range(e->width, 5, 31);
                sb_free(env);
            }
}

static void every_grid_fits(void **state) {
    (void)state;
    for (int side = SB_PICTURE_LEAST; side <= SB_PICTURE_MOST; side++)
        for (int n = 5; n <= SB_SIDE_MAX; n++) {
            const sb_layout l = sb_layout_of(side, sb_layout_half(side, 2 * n), n, n);
            assert_true(l.left - n * l.half >= 0 && l.left + n * l.half <= side);
            assert_true(l.top - l.up >= 0 && l.top + (2 * n - 1) * l.up <= side);
        }
}

/* ---- The same picture ---- */

static uint8_t pixels[PIXELS_MAX], others[PIXELS_MAX];

static size_t paint_env(const sb_env *env, const sb_brush *brush, uint8_t *to) {
    const size_t n = sb_observe_array(env, sb_brush_array(brush), to, PIXELS_MAX);
    assert_in_range(n, 1, PIXELS_MAX);
    return n;
}

/* Makes a brush draw every ground again, as if other threads were at it. */
static void keep_nothing(sb_brush *brush) {
    sb_isometric *iso = brush->tiles;
    for (int i = 0; i < iso->kept.n; i++) atomic_store(&iso->kept.of[i].users, -1);
}

static void kept_grounds_change_no_picture(void **state) {
    (void)state;
    static const char *const tasks[] = {"KeyDoorPuzzle-v0", "FogOfWarExploration-v0", "PackingPuzzle-v0",
                                        "SokobanPush-v0", "SwitchCircuit-v0"};
    for (int32_t size = 97; size <= 512; size += 415) {
        sb_brush *keeps = brush_of(size, false), *forgets = brush_of(size, false), *numbers = brush_of(size, true);
        size_t n_colours;
        const sb_rgb *palette = sb_brush_palette(numbers, &n_colours);
        keep_nothing(forgets);
        for (size_t t = 0; t < sizeof tasks / sizeof *tasks; t++) {
            sb_env *env = made(tasks[t], "medium", 2);
            for (int step = 0; step < (TESTS_ARE_SLOW ? 6 : 40); step++) {
                const size_t n = paint_env(env, keeps, pixels);
                paint_env(env, forgets, others);
                assert_int_equal(memcmp(pixels, others, n), 0);
                assert_int_equal(paint_env(env, numbers, others), n / 3);
                for (size_t i = 0; i < n / 3; i++)
                    if (memcmp(pixels + 3 * i, palette[others[i]], 3) != 0) fail_msg("%s, pixel %zu", tasks[t], i);
                take_step(env, step * 7 % SB_N_ACTIONS);
            }
            sb_free(env);
        }
        sb_brush_free(keeps), sb_brush_free(forgets), sb_brush_free(numbers);
    }
}

enum { THREADS = 4, SCENES = 40, SHARED_SIZE = 64 };
static struct {
    sb_env *env[SCENES];
    sb_brush *brush;
    uint8_t right[SCENES][SHARED_SIZE * SHARED_SIZE * 3];
} shared;

static void *paint_shared(void *context) {
    static _Thread_local uint8_t own[SHARED_SIZE * SHARED_SIZE * 3];
    size_t *n_wrong = context;
    for (int i = 0; i < 20 * SCENES; i++) {
        const int scene = (int)(((size_t)i * 7 + (size_t)(uintptr_t)context / sizeof *n_wrong) % SCENES);
        sb_observe_array(shared.env[scene], sb_brush_array(shared.brush), own, sizeof own);
        *n_wrong += memcmp(own, shared.right[scene], sizeof own) != 0;
    }
    return NULL;
}

/* More grounds than places for them, so that threads often find a place in use. */
static void threads_share_a_brush(void **state) {
    (void)state;
    pthread_t threads[THREADS];
    static size_t n_wrong[THREADS];
    shared.brush = brush_of(SHARED_SIZE, false);
    ((sb_isometric *)shared.brush->tiles)->kept.n = 3;
    for (int i = 0; i < SCENES; i++) {
        shared.env[i] = made("MazeNavigation-v0", "medium", i);
        sb_observe_array(shared.env[i], sb_brush_array(shared.brush), shared.right[i], sizeof shared.right[i]);
    }
    for (int t = 0; t < THREADS; t++) assert_int_equal(pthread_create(&threads[t], NULL, paint_shared, &n_wrong[t]), 0);
    for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
    for (int t = 0; t < THREADS; t++) assert_int_equal(n_wrong[t], 0);
    for (int i = 0; i < SCENES; i++) sb_free(shared.env[i]);
    sb_brush_free(shared.brush);
}

/* Cells that no task has, on grids of every size. */
static void anything_can_be_painted(void **state) {
    (void)state;
    static sb_episode e;
    static sb_task task = {.info.name = "scene"};
    static const int32_t sizes[] = {64, 65, 128, 333, 1024};
    sb_env env = {.family = sb_family_at(0), .state = &e, .task = &task.info};
    uint32_t random = 1;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        sb_brush *brush = brush_of(sizes[s], s % 2);
        for (int n = 1; n <= SB_SIDE_MAX; n += TESTS_ARE_SLOW ? 6 : 1) {
            e = (sb_episode){.task = &task, .max_steps = 10, .clock = n % 11};
            task.has_kinds = n % 2;
            e.width = (uint8_t)n, e.height = (uint8_t)(n % 3 ? n : 32 - n);
            for (int i = 0; i < sb_n_cells(&e); i++) {
                random = random * 1664525 + 1013904223;
                e.cells[i] = (sb_cell){(int8_t)(random >> 8 & 7), (int8_t)((random >> 12 & 255) % SB_N_OBJECTS),
                                       (int16_t)(random >> 16)};
                e.cells[i].terrain %= SB_N_TERRAINS;
                if (random >> 20 & 1) e.cells[i].metadata %= 256;
            }
            e.agent = (sb_grid_agent){sb_at(n / 2, e.height / 2), (uint8_t)(n % 4), SB_ITEMS_MAX};
            paint_env(&env, brush, pixels);
        }
        sb_brush_free(brush);
    }
}

/* ---- The same bytes everywhere ---- */

enum { N_SIZES = 3 };
static const int32_t golden_sizes[N_SIZES] = {512, 256, 128};
static sb_brush *golden_brushes[N_SIZES];
static size_t n_differing;

/* Hashes the colour numbers of the start and of the states after 20 and 40 steps. */
static void hash_pictures(const char *task, const char *difficulty, const sb_brush *brush, char hex[SB_SHA256_HEX]) {
    uint8_t digest[32];
    sb_sha256 hash;
    sb_env *env = made(task, difficulty, 0);
    sb_sha256_begin(&hash);
    for (int step = 0; step <= 40; step++) {
        if (step % 20 == 0) sb_sha256_add(&hash, pixels, paint_env(env, brush, pixels));
        take_step(env, step * 7 % SB_N_ACTIONS);
    }
    sb_sha256_end(&hash, digest);
    sb_hex(digest, sizeof digest, hex);
    sb_free(env);
}

/* Says what the line would have to be, so that a change of drawings that is meant can be recorded. */
static void compare_hash(const cJSON *line) {
    const char *task = cJSON_GetStringValue(cJSON_GetObjectItem(line, "task"));
    const char *difficulty = cJSON_GetStringValue(cJSON_GetObjectItem(line, "difficulty"));
    for (int b = 0; b < N_SIZES; b++) {
        char key[8], hex[SB_SHA256_HEX];
        snprintf(key, sizeof key, "%d", golden_sizes[b]);
        hash_pictures(task, difficulty, golden_brushes[b], hex);
        const char *said = cJSON_GetStringValue(cJSON_GetObjectItem(line, key));
        if (said && strncmp(hex, said, 16) == 0) continue;
        print_message("%s %s \"%s\": \"%.16s\"\n", task, difficulty, key, hex);
        n_differing++;
    }
}

/* The hashes were made by this program. They show that compilers and machines agree, and that no drawing changes by
 * mistake. */
static void pictures_have_the_same_bytes_everywhere(void **state) {
    (void)state;
    for (int b = 0; b < N_SIZES; b++) golden_brushes[b] = brush_of(golden_sizes[b], true);
    n_differing = 0;
    assert_int_equal(each_vector("pixels/isometric.jsonl", compare_hash), 4 * 37);
    for (int b = 0; b < N_SIZES; b++) sb_brush_free(golden_brushes[b]);
    assert_int_equal(n_differing, 0);
}

/* ---- Options ---- */

static void impossible_options_are_refused(void **state) {
    (void)state;
    sb_error error;
    const sb_family *family = sb_family_at(0);
    const sb_look *isometric = sb_look_find(family, "isometric", &error), *flat = sb_look_at(family, 0);
    static const struct {
        sb_brush_options options;
        const char *words;
    } wrong[] = {{{.size = 63}, "64 to 1024"},
                 {{.size = 1025}, "64 to 1024"},
                 {{.size = -1}, "64 to 1024"},
                 {{.tile = 8}, "`size`"},
                 {{.view = 5}, "`view`"},
                 {{.no_panel = true}, "`panel`"},
                 {{.no_highlight = true}, "`highlight`"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_error(sb_brush_make(family, isometric, &wrong[i].options, &error), &error, SB_INVALID, wrong[i].words);
    assert_error(sb_brush_make(family, flat, &(sb_brush_options){.size = 512}, &error), &error, SB_INVALID, "`tile`");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fact_shows),
        cmocka_unit_test(whatever_is_below_the_agent_shows),
        cmocka_unit_test(any_two_cells_look_different),
        cmocka_unit_test(figures_keep_to_their_room),
        cmocka_unit_test(cells_are_where_the_published_picture_has_them),
        cmocka_unit_test(every_task_has_a_square_grid),
        cmocka_unit_test(every_grid_fits),
        cmocka_unit_test(kept_grounds_change_no_picture),
        cmocka_unit_test(threads_share_a_brush),
        cmocka_unit_test(anything_can_be_painted),
        cmocka_unit_test(pictures_have_the_same_bytes_everywhere),
        cmocka_unit_test(impossible_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
