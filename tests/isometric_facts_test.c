/* The look `isometric` hides nothing that it should show. In recorded states of every task, one fact after another is
 * changed, and the picture must change in at least eight pixels. What changes nothing that is told must change nothing.
 * And all that a cell can hold looks different from all else that it can hold.
 *
 * SEEDBED_NIGHTLY: changes the facts of many more states, at more sizes. */
#include "tests/isometric_support.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_PIXELS = 8, LEAST_HALF = 11 };

static bool is_nightly(void) { return getenv("SEEDBED_NIGHTLY"); }

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
        print_message("%s/%s#%llu, step %d, size %d, half tile %d: (%d,%d) %s from %d to %d: %d pixels\n",
                      lab.task.info.name, lab.env.name.difficulty, (unsigned long long)lab.env.name.seed, lab.was.clock,
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

enum { BRUSHES = 2 };
static struct {
    sb_env *env;
    sb_brush *brushes[BRUSHES], *smallest[2 * SB_SIDE_MAX + 1];
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

static int free_brushes(void **state) {
    (void)state;
    for (int i = 0; i <= 2 * SB_SIDE_MAX; i++) sb_brush_free(sweep.smallest[i]);
    return 0;
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
    static const int32_t sizes[BRUSHES] = {512, 256};
    const bool nightly = is_nightly();
    sweep.env = sb_make(NULL, NULL, &error);
    sweep.n_brushes = nightly ? BRUSHES : 1;
    sweep.all = nightly, sweep.stride = TESTS_ARE_SLOW ? 61 : 13;
    for (int b = 0; b < BRUSHES; b++) sweep.brushes[b] = brush_of(sizes[b], true);
    for (size_t i = 0; i < sb_family_at(0)->n_tasks; i += TESTS_ARE_SLOW ? 6 : 1) {
        char file[64];
        const char *task = sb_family_at(0)->task(i)->name;
        snprintf(file, sizeof file, "%.*s.jsonl.gz", (int)strcspn(task, "-"), task);
        sweep.n_recordings = 0, sweep.wanted = (int)(i * 5 % 16);
        assert_true(each_vector(file, sweep_recording) >= 30);
    }
    for (int b = 0; b < BRUSHES; b++) sb_brush_free(sweep.brushes[b]);
    sb_free(sweep.env);
    print_message("%d facts changed, %d undetected\n", lab.n_facts, lab.n_undetected);
    assert_true(lab.n_facts >= (TESTS_ARE_SLOW ? 1000 : 15000));
    assert_int_equal(lab.n_undetected, 0);
}

/* ---- Every fact beside the grid shows, also if there are as many as a task can tell ---- */

static void twelve_clues_fit(void **state) {
    (void)state;
    enum { CLUES = 12, DIRECTIONS = 4, STEPS = 9 };
    sb_env *env = made("TreasureHunt-v0", "expert", 0);
    sb_brush *brushes[] = {smallest_brush(36), brush_of(512, true), brush_of(1024, true)};
    const int before = lab.n_undetected;
    for (int b = 0; b < 3; b++) {
        set_lab(env, brushes[b]);
        assert_int_equal(lab_told.n, 0);
        for (int i = 0; i < CLUES; i++) sb_tell(&lab_told, SB_TOLD_CLUE_NORTH + i % DIRECTIONS, i, 1 + i % STEPS);
        lab.was.clock = lab.was.max_steps; /* the widest clock */
        lab.episode = lab.was;
        compare_all();
        paint(lab.before);
        change_told();
    }
    assert_int_equal(lab.n_undetected, before);
    sb_brush_free(brushes[1]), sb_brush_free(brushes[2]);
    sb_free(env);
}

/* ---- Everything below the agent shows, alone and against everything else ---- */

static void whatever_is_below_the_agent_shows(void **state) {
    (void)state;
    enum { MOST = 400 };
    static uint8_t pictures[MOST][160 * 160];
    static sb_cell cells[MOST];
    sb_env *env = made("GoToGoal-v0", "easy", 1);
    sb_brush *brush = smallest_brush(10);
    int n = 0, n_alike = 0;
    set_lab(env, brush);
    assert_true(lab.layout.half == LEAST_HALF && lab.layout.side <= 160);
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
    sb_free(env);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fact_shows),
        cmocka_unit_test(twelve_clues_fit),
        cmocka_unit_test(whatever_is_below_the_agent_shows),
        cmocka_unit_test(any_two_cells_look_different),
    };
    return cmocka_run_group_tests(tests, NULL, free_brushes);
}
