/* The look `flat` loses nothing. A decoder that knows only the drawings of tiles reads pictures back into episodes, for
 * the recorded states of every task; what is read prints the same texts, and is painted as the same picture. It has its
 * own words for what a tile means, so it shows what a learner can know. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pictures/art.h"
#include "engine/brush.h"
#include "engine/environment.h"
#include "engine/gridworld/gridworld.h"
#include "engine/gridworld/picture/shipped.h"
#include "engine/gridworld/tell.h"
#include "engine/lookup.h"
#include "rollout/selection.h"

enum { TILE = 8, SIGN = 6, PICTURE_MAX = 33 * 31 * 16 * 16, EVERY = TESTS_ARE_SLOW ? 24 : 1, EVERY_LARGE = 8 };

/* ---- What tiles mean ---- */

/* A drawing of a thing: what it is, and what its number is added to. Four that follow one another are the directions.
 */
typedef struct meaning {
    const char *drawing;
    int object, metadata;
    bool has_number; /* in the strip below */
    bool turns;      /* the metadata grows with every quarter turn, by `step` */
    int step;
} meaning;

static const meaning meanings[] = {
    {"goal", SB_GOAL, 0, false, false, 0},
    {"key_gold", SB_KEY, 0, false, false, 0},
    {"key_red", SB_KEY, 1, false, false, 0},
    {"key_blue", SB_KEY, 2, false, false, 0},
    {"key_green", SB_KEY, 3, false, false, 0},
    {"door_gold", SB_DOOR, 0, false, false, 0},
    {"door_red", SB_DOOR, 1, false, false, 0},
    {"door_blue", SB_DOOR, 2, false, false, 0},
    {"door_green", SB_DOOR, 3, false, false, 0},
    {"open_gold", SB_DOOR, 10, false, false, 0},
    {"open_red", SB_DOOR, 11, false, false, 0},
    {"open_blue", SB_DOOR, 12, false, false, 0},
    {"open_green", SB_DOOR, 13, false, false, 0},
    {"switch_off", SB_SWITCH, 0, false, false, 0},
    {"switch_on", SB_SWITCH, 100, false, false, 0},
    {"switch_number", SB_SWITCH, 0, true, false, 0},
    {"box", SB_BOX, 0, false, false, 0},
    {"box", SB_BOX, 0, true, false, 0},
    {"box_home", SB_BOX, 100, false, false, 0},
    {"box_home", SB_BOX, 100, true, false, 0},
    {"target", SB_TARGET, 0, false, false, 0},
    {"slot", SB_TARGET, 200, true, false, 0},
    {"tool", SB_TOOL, 0, false, false, 0},
    {"resource_0", SB_RESOURCE, 0, true, false, 0},
    {"resource_1", SB_RESOURCE, 0, true, false, 0},
    {"resource_2", SB_RESOURCE, 0, true, false, 0},
    {"resource_3", SB_RESOURCE, 0, true, false, 0},
    {"resource_4", SB_RESOURCE, 0, true, false, 0},
    {"breadcrumb", SB_BREADCRUMB, 0, false, false, 0},
    {"npc", SB_NPC, 0, false, true, 1},
    {"npc_number", SB_NPC, 0, true, false, 0},
    {"enemy", SB_ENEMY, 0, false, true, 1},
    {"enemy_number", SB_ENEMY, 0, true, false, 0},
    {"sheep", SB_SHEEP, 0, false, true, 1},
    {"blocker", SB_BLOCKER, 0, false, false, 0},
    {"gem", SB_GEM, 0, false, false, 0},
    {"lever_off", SB_LEVER, 0, false, false, 0},
    {"lever_on", SB_LEVER, 1, false, false, 0},
    {"potion", SB_POTION, 0, false, false, 0},
    {"scroll", SB_SCROLL, 0, false, false, 0},
    {"clue", SB_SCROLL, 0, true, true, 10},
    {"clue_unknown", SB_SCROLL, 40, true, false, 0},
    {"coin", SB_COIN, 0, false, false, 0},
    {"orb", SB_ORB, 0, false, false, 0},
};
enum { N_MEANINGS = sizeof meanings / sizeof *meanings };

static const struct {
    const char *drawing;
    int terrain, metadata;
} grounds[] = {{"floor_even", SB_EMPTY, 0}, {"floor_odd", SB_EMPTY, 0}, {"wall_0", SB_WALL, 0}, {"wall_1", SB_WALL, 1},
               {"wall_2", SB_WALL, 2},      {"wall_3", SB_WALL, 3},     {"wall_4", SB_WALL, 4}, {"wall_5", SB_WALL, 5},
               {"hazard", SB_HAZARD, 0},    {"water", SB_WATER, 0},     {"ice", SB_ICE, 0},     {"hole", SB_HOLE, 0},
               {"fog", SB_EMPTY, -1},       {"panel", SB_N_TERRAINS, 0}};
enum { N_GROUNDS = sizeof grounds / sizeof *grounds, PANEL = N_GROUNDS - 1 };
static const sb_canvas *ground_drawings[N_GROUNDS];

/* Every picture of a thing that a tile may show, 6 x 6 pixels. */
typedef struct shown {
    int object, metadata;
    bool has_number;
    uint8_t pixels[SIGN * SIGN];
} shown;

static sb_art art;
static shown things[96], agents[4], reversed;
static int n_things;

static void copy_turned(const char *drawing, int quarters, uint8_t *pixels) {
    const sb_canvas *from = sb_art_find(&art, drawing);
    assert_non_null(from);
    assert_true(from->width == SIGN && from->height == SIGN);
    sb_canvas_turn(&(sb_canvas){SIGN, SIGN, pixels}, from, quarters);
}

static const shown *thing_of(int object) {
    for (int i = 0; i < n_things; i++)
        if (things[i].object == object) return &things[i];
    fail_msg("no drawing of object %d", object);
    return NULL;
}

/* A target that accepts only one kind of object shows its middle in a frame. */
static void add_typed(int object) {
    shown *to = &things[n_things++];
    const shown *what = thing_of(object);
    *to = (shown){.object = SB_TARGET, .has_number = true};
    memcpy(to->pixels, sb_art_find(&art, "typed_frame")->pixels, sizeof to->pixels);
    for (int y = 1; y < SIGN - 1; y++) memcpy(to->pixels + y * SIGN + 1, what->pixels + y * SIGN + 1, SIGN - 2);
}

static void read_drawings(void) {
    assert_int_equal(sb_art_read(&art, (const char *)sb_shipped_tiles8), 0);
    for (int g = 0; g < N_GROUNDS; g++) assert_non_null(ground_drawings[g] = sb_art_find(&art, grounds[g].drawing));
    n_things = 0;
    for (int i = 0; i < N_MEANINGS; i++)
        for (int k = 0; k < (meanings[i].turns ? 4 : 1); k++) {
            const meaning *m = &meanings[i];
            shown *s = &things[n_things++];
            *s = (shown){m->object, m->metadata + k * m->step, m->has_number, {0}};
            copy_turned(m->drawing, k, s->pixels);
        }
    static const int typed[] = {SB_BOX, SB_GEM, SB_LEVER, SB_POTION, SB_SCROLL, SB_COIN, SB_ORB};
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) add_typed(typed[i]);
    for (int k = 0; k < 4; k++) copy_turned("agent", k, agents[k].pixels);
    copy_turned("reversed", 0, reversed.pixels);
}

/* ---- Reading a tile ---- */

/* Tiles of 16 pixels show every pixel of the drawing four times, and in places decimal digits or a small sign over it.
 */
typedef struct tile {
    uint8_t at[TILE][TILE]; /* row, column */
    bool covered[TILE][TILE];
} tile;

typedef struct picture {
    uint8_t pixels[PICTURE_MAX];
    int width, height, side; /* side of a tile */
} picture;

static picture pic;

static int digit_of(uint8_t colour) {
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < 16; i++)
        if (art.colour_of[(int)digits[i]] == colour) return i;
    return -1;
}

/* Reads the two digits of a strip; -1 if there is none. */
static int strip(const tile *t, int row) {
    const int high = digit_of(t->at[row][0]), low = digit_of(t->at[row][TILE - 1]);
    if (high < 0 || low < 0) return -1;
    for (int x = 0; x < TILE; x++)
        if (digit_of(t->at[row][x]) != (x < TILE / 2 ? high : low)) return -1;
    return 16 * high + low;
}

static void cover(tile *t, int x0, int x1, int y0, int y1) {
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) t->covered[y][x] = true;
}

static tile take_tile(int column, int row) {
    tile t = {0};
    const int scale = pic.side / TILE;
    for (int y = 0; y < TILE; y++)
        for (int x = 0; x < TILE; x++)
            t.at[y][x] = pic.pixels[(row * pic.side + y * scale) * pic.width + column * pic.side + x * scale];
    return t;
}

/* The number of the ground that both sides show; exactly one must fit. */
static int ground_of(const tile *t) {
    int found = -1;
    for (int g = 0; g < N_GROUNDS; g++) {
        const sb_canvas *drawing = ground_drawings[g];
        bool same = true;
        for (int y = 1; y < TILE - 1; y++)
            same &= t->at[y][0] == *sb_pixel(drawing, 0, y) && t->at[y][TILE - 1] == *sb_pixel(drawing, TILE - 1, y);
        if (!same) continue;
        assert_int_equal(found, -1);
        found = g;
    }
    return found;
}

static bool shows(const tile *t, int ground, const uint8_t *sign) {
    const sb_canvas *drawing = ground_drawings[ground];
    for (int y = 0; y < SIGN; y++)
        for (int x = 0; x < SIGN; x++) {
            const uint8_t colour = sign[y * SIGN + x];
            if (!t->covered[y + 1][x + 1] &&
                t->at[y + 1][x + 1] != (colour ? colour : *sb_pixel(drawing, x + 1, y + 1)))
                return false;
        }
    return true;
}

/* The one thing that the tile shows; NULL for none. Things with a number are sought where there is a strip. */
static const shown *thing_on(const tile *t, int ground, bool has_number) {
    static const uint8_t nothing[SIGN * SIGN];
    const shown *found = NULL;
    for (int i = 0; i < n_things; i++) {
        if (things[i].has_number != has_number || !shows(t, ground, things[i].pixels)) continue;
        if (found) assert_int_equal(found->object, things[i].object);
        if (!found) found = &things[i];
    }
    if (!found) assert_true(shows(t, ground, nothing));
    return found;
}

/* ---- Reading cells ---- */

/* Metadata that tells the same as the strip below the agent. */
static int metadata_of(int object, int meaning) { return object == SB_DOOR && meaning >= 4 ? meaning + 6 : meaning; }

static int facing_on(const tile *t, int ground) {
    tile seen = *t;
    if (pic.side == 16 && strip(t, 0) > 0) cover(&seen, 4, 6, 1, 3);
    for (int k = 0; k < 4; k++)
        if (shows(&seen, ground, agents[k].pixels)) return k;
    return -1;
}

/* What a cell's tile says. */
typedef struct reading {
    uint8_t tile[TILE][TILE];
    int side; /* of the tile; 0: nothing was read yet */
    sb_cell cell;
    int facing; /* of the agent; -1: it is not there */
} reading;

static reading read_tile(tile t) {
    reading is = {.side = pic.side, .facing = -1};
    memcpy(is.tile, t.at, sizeof is.tile);
    const int ground = ground_of(&t);
    assert_in_range(ground, 0, N_GROUNDS - 2);
    is.cell = (sb_cell){.terrain = (int8_t)grounds[ground].terrain, .metadata = (int16_t)grounds[ground].metadata};
    const int number = strip(&t, TILE - 1);
    if (number >= 0 && strip(&t, 0) >= 0) is.facing = facing_on(&t, ground);
    if (is.facing >= 0) {
        is.cell.object = (int8_t)strip(&t, 0);
        if (is.cell.object) is.cell.metadata = (int16_t)metadata_of(is.cell.object, number);
        return is;
    }
    if (pic.side == 16 && number >= 0 && number <= 100) cover(&t, 2, 6, 4, 6);
    const shown *thing = thing_on(&t, ground, number >= 0);
    if (!thing) return is;
    is.cell.object = (int8_t)thing->object;
    is.cell.metadata = (int16_t)(thing->metadata + (number >= 0 ? number : 0));
    return is;
}

/* Most tiles of a picture are alike, so what was read is kept, in the place that the tile's hash says. */
static void read_cell(sb_episode *e, int x, int y) {
    static reading kept[1024];
    const tile t = take_tile(x, y);
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (int i = 0; i < TILE * TILE; i++) hash = (hash ^ t.at[i / TILE][i % TILE]) * 16777619u;
    reading *is = &kept[hash % (sizeof kept / sizeof *kept)];
    if (is->side != pic.side || memcmp(is->tile, t.at, sizeof t.at) != 0) *is = read_tile(t);
    *sb_cell_at(e, sb_at(x, y)) = is->cell;
    if (is->facing >= 0) e->agent = (sb_grid_agent){sb_at(x, y), (uint8_t)is->facing, 0};
}

/* ---- Reading the panel ---- */

/* What the sides say, or 0. */
static int subject_of(const tile *t) {
    const int what = digit_of(t->at[1][0]);
    for (int y = 1; y < TILE - 1; y++)
        if (digit_of(t->at[y][0]) != what || digit_of(t->at[y][TILE - 1]) != what) return 0;
    return what > 0 ? what : 0;
}

static int number_of(const tile *t) { return 256 * strip(t, 0) + strip(t, TILE - 1); }

/* The value in the eight squares in the middle; false if there is a sign instead. */
static bool read_squares(const tile *t, int32_t *value) {
    uint32_t bits = 0;
    for (int i = 1; i <= 8; i++) {
        const int digit = digit_of(t->at[1 + i / 3 * 2][1 + i % 3 * 2]);
        if (digit < 0) return false;
        bits = bits << 4 | (uint32_t)digit;
    }
    *value = (int32_t)bits;
    return true;
}

static int icon_of(const tile *t) {
    const shown *thing = NULL;
    for (int i = 0; i < n_things && !thing; i++)
        if (shows(t, PANEL, things[i].pixels)) thing = &things[i];
    return thing ? thing->object : SB_NONE;
}

static void read_row(sb_told *told, const tile *t, int what) {
    int32_t value;
    const int number = number_of(t);
    if (what == SB_TOLD_METER)
        sb_tell(told, SB_TOLD_METER, icon_of(t), number);
    else if (what >= SB_TOLD_CLUE_NORTH && what <= SB_TOLD_CLUE_WEST)
        sb_tell(told, (sb_told_what)what, number >> 4, number & 15);
    else if (read_squares(t, &value))
        sb_tell(told, (sb_told_what)what, number, value);
    else
        sb_tell(told, (sb_told_what)what, 0, number);
    if (what == SB_TOLD_TARGET) assert_int_equal(icon_of(t), number);
    if (what == SB_TOLD_REMAPPED) assert_int_equal(shows(t, PANEL, reversed.pixels), number);
}

static sb_told read_told;

static void read_panel(sb_episode *e, int columns, int row) {
    tile t = take_tile(0, row);
    assert_int_equal(subject_of(&t), SB_TOLD_STEPS);
    e->max_steps = number_of(&t);
    assert_true(read_squares(&t, &e->clock));
    for (int i = 1; i < columns && (t = take_tile(i, row), subject_of(&t)); i++) {
        const int kind = subject_of(&t);
        e->items[e->agent.n_items++] = (sb_item){(uint16_t)kind, (int16_t)strip(&t, TILE - 1), {0, 0}};
    }
    read_told = (sb_told){0};
    for (int i = 0; i < columns && (t = take_tile(i, row + 1), subject_of(&t)); i++)
        read_row(&read_told, &t, subject_of(&t));
}

/* ---- The episode that was read ---- */

static void tell(const sb_episode *e, sb_told *told) {
    (void)e;
    *told = read_told;
}

/* Returns an environment that plays no real task: its cells, agent, items and facts are those of the picture. */
static const sb_env *read_picture(const sb_env *env) {
    static sb_episode e;
    static sb_task task, mute;
    static sb_env read;
    task = mute = (sb_task){.info.name = "read"};
    task.tell = tell;
    memset(&e, 0, sizeof e);
    e.width = (uint8_t)(pic.width / pic.side), e.height = (uint8_t)(pic.height / pic.side - 2);
    for (int y = 0; y < e.height; y++)
        for (int x = 0; x < e.width; x++) read_cell(&e, x, y);
    read_panel(&e, e.width, e.height);
    task.extents[0] = mute.extents[0] = (sb_extent){e.width, e.height, (int16_t)e.max_steps};
    e.task = read_told.n ? &task : &mute;
    read = (sb_env){.family = env->family, .state = &e, .task = &e.task->info};
    return &read;
}

/* ---- Recorded states ---- */

static sb_env *env;
static sb_brush *brushes[2]; /* tiles of 8 and of 16 pixels */
static int n_states;

static void paint(const sb_env *of, const sb_brush *brush, picture *to) {
    int32_t extent[SB_ARRAY_RANK];
    sb_extent_in(of, sb_brush_array(brush), extent);
    to->height = extent[0], to->width = extent[1], to->side = brush->options.tile;
    assert_in_range(sb_observe_array(of, sb_brush_array(brush), to->pixels, sizeof to->pixels), 1, PICTURE_MAX);
}

static void assert_same_text(const sb_env *read, const sb_mode *mode) {
    static char text[1 << 17], other[1 << 17];
    char name[SB_NAME_MAX];
    sb_observe(env, mode, text, sizeof text), sb_observe(read, mode, other, sizeof other);
    if (strcmp(text, other) == 0) return;
    sb_name_print(&env->name, name, sizeof name);
    fail_msg("%s, step %d: %s shows\n%s\nand the picture tells\n%s", name, env->status.steps, mode->name, text, other);
}

static void check_state(void) {
    static picture again;
    n_states++;
    for (int b = 0; b < (n_states % EVERY_LARGE == 0 ? 2 : 1); b++) {
        paint(env, brushes[b], &pic);
        const sb_env *read = read_picture(env);
        for (size_t m = 0; m < env->family->n_modes; m++)
            if (strcmp(env->family->modes[m].name, "state") != 0) assert_same_text(read, &env->family->modes[m]);
        paint(read, brushes[b], &again);
        assert_memory_equal(pic.pixels, again.pixels, (size_t)(pic.width * pic.height));
    }
}

static void check_rollout(const char *name, const char *actions) {
    sb_error error;
    sb_result result;
    assert_ok(sb_reset(env, name, &error), error);
    for (size_t i = 0; actions[i]; i++) {
        if (i % EVERY == 0) check_state();
        assert_ok(sb_step(env, actions[i] - '0', &result, &error), error);
    }
    check_state();
}

static void check_recording(const cJSON *recording) {
    char name[SB_NAME_MAX];
    const cJSON *rollout;
    snprintf(name, sizeof name, "%s/%s#%.0f", cJSON_GetStringValue(cJSON_GetObjectItem(recording, "task")),
             cJSON_GetStringValue(cJSON_GetObjectItem(recording, "difficulty")),
             cJSON_GetNumberValue(cJSON_GetObjectItem(recording, "seed")));
    cJSON_ArrayForEach(rollout, cJSON_GetObjectItem(recording, "rollouts"))
        check_rollout(name, cJSON_GetStringValue(cJSON_GetObjectItem(rollout, "actions")));
}

static void pictures_of_every_task_are_read_back_into_its_texts(void **state) {
    (void)state;
    for (size_t i = 0; i < sb_family_at(0)->n_tasks; i++) {
        char file[64];
        const char *task = sb_family_at(0)->task(i)->name;
        snprintf(file, sizeof file, "%.*s.jsonl.gz", (int)strcspn(task, "-"), task);
        n_states = 0;
        assert_true(each_vector(file, check_recording) >= 30);
        assert_true(n_states >= 1000 / EVERY);
    }
}

/* The first state of the official evaluation episodes. */
static void starts_of_official_episodes_are_read_back(void **state) {
    (void)state;
    sb_error error;
    sb_selection selection;
    assert_ok(sb_select(&(sb_request){.family = "agentick", .split = "eval"}, &selection, &error), error);
    assert_int_equal(selection.n, 37 * 4 * 25);
    n_states = 0;
    for (size_t i = 0; i < selection.n; i += EVERY) {
        assert_ok(sb_reset_name(env, sb_selection_name(&selection, i, &(sb_name){0}), &error), error);
        check_state();
    }
    sb_selection_free(&selection);
}

static int open_all(void **state) {
    (void)state;
    sb_error error;
    const sb_family *family = sb_family_at(0);
    read_drawings();
    env = sb_make(NULL, NULL, &error);
    for (int b = 0; b < 2; b++)
        brushes[b] = sb_brush_make(family, sb_look_at(family, 0), &(sb_brush_options){.tile = 8 << b, .indexed = true},
                                   &error);
    return env && brushes[0] && brushes[1] ? 0 : -1;
}

static int close_all(void **state) {
    (void)state;
    sb_free(env);
    sb_brush_free(brushes[0]), sb_brush_free(brushes[1]);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_of_every_task_are_read_back_into_its_texts),
        cmocka_unit_test(starts_of_official_episodes_are_read_back),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
