/* Tiles of the look `flat`, without any task: for every terrain, object and metadata, two cells look the same if and
 * only if they tell the same; otherwise they differ in at least four pixels. What a cell tells is read from the
 * observations. And nothing that a brush can be asked for, or that metadata can be, makes it fail. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/brush.h"
#include "engine/environment.h"
#include "engine/gridworld/gridworld.h"
#include "engine/lookup.h"

enum { LEAST = 4 /* pixels in which cells differ that tell different things */, SIDE_PIXELS = 2 * 6 };

/* An episode of two cells: the one that is looked at, and one for the agent. */
typedef struct scene {
    sb_task task;
    sb_episode episode;
    sb_env env;
} scene;

static void make_scene(scene *s) {
    memset(s, 0, sizeof *s);
    s->task = (sb_task){.info.name = "scene", .extents[0] = {2, 1, 10}};
    s->episode.task = &s->task;
    s->episode.width = 2, s->episode.height = 1, s->episode.max_steps = 10;
    s->episode.agent.at = sb_at(1, 0);
    s->env = (sb_env){.family = sb_family_at(0), .state = &s->episode, .task = &s->task.info};
}

static sb_brush *brush_of(sb_brush_options options) {
    sb_error error;
    sb_brush *brush = sb_brush_make(sb_family_at(0), sb_look_at(sb_family_at(0), 0), &options, &error);
    assert_ok(brush != NULL, error);
    return brush;
}

/* ---- What is told ---- */

/* A cell with an object and metadata; what the texts say about it, and the side that it faces. */
typedef struct fact {
    sb_cell cell;
    char text[700];
    int facing;
    uint8_t tile[16 * 16];
} fact;

/* The values that mean something, and where other values do, a few of them. Colours are 0 to 3, of open doors 10 to 13.
 */
static int most_metadata(int object) {
    switch (object) {
    case SB_KEY: return 3;
    case SB_DOOR: return 13;
    case SB_BOX: return 199;
    case SB_TARGET:
    case SB_RESOURCE: return 255;
    case SB_SWITCH: return 120;
    default: return 45;
    }
}

static int facing_of(int object, int metadata) {
    const bool faces = object == SB_NPC || object == SB_ENEMY || object == SB_SHEEP;
    if (!faces || metadata == SB_FOG) return 0;
    return metadata < 4 ? metadata : object == SB_SHEEP ? 0 : -1;
}

static size_t observe(const scene *s, const char *mode, char *text, size_t capacity) {
    sb_error error;
    const size_t n = sb_observe(&s->env, sb_mode_find(s->env.family, mode, &error), text, capacity);
    assert_true(n < capacity);
    return n;
}

/* Of `structured`, only what it says of entities; a map of colours, without the legend. */
static void tell(scene *s, fact *f) {
    static char text[4096], map[2048];
    s->episode.cells[0] = f->cell;
    observe(s, "structured", text, sizeof text), observe(s, "ascii_color", map, sizeof map);
    const char *entities = strstr(text, "\"visible_entities\""), *end = strstr(text, "\"inventory\"");
    assert_true(entities && end);
    const int n = snprintf(f->text, sizeof f->text, "%.*s%.*s", (int)(end - entities), entities,
                           (int)(strstr(map, "Legend") - map), map);
    assert_in_range(n, 1, sizeof f->text - 1);
    f->facing = facing_of(f->cell.object, f->cell.metadata);
}

static bool same_fact(const fact *a, const fact *b) { return a->facing == b->facing && strcmp(a->text, b->text) == 0; }

static int distance(const uint8_t *a, const uint8_t *b, size_t n) {
    int d = 0;
    for (size_t i = 0; i < n && d < 255; i++) d += a[i] != b[i];
    return d;
}

/* ---- Enumeration ---- */

enum { FACTS_MAX = 2200 };
static fact facts[FACTS_MAX];

/* Fills `facts` with all objects and metadata on one terrain. */
static int list_facts(scene *s, int terrain) {
    int n = 0;
    for (int object = 0; object < SB_N_OBJECTS; object++)
        for (int m = -1; m <= most_metadata(object); m++) {
            if (object == SB_DOOR && m > 3 && m < 10) continue;
            fact *f = &facts[n++];
            f->cell = (sb_cell){(int8_t)terrain, (int8_t)object, (int16_t)m};
            tell(s, f);
        }
    assert_true(n <= FACTS_MAX);
    return n;
}

static void paint_facts(scene *s, int n, const sb_brush *brush) {
    const size_t side = (size_t)brush->options.tile;
    uint8_t pixels[2 * 16 * 16];
    for (int i = 0; i < n; i++) {
        s->episode.cells[0] = facts[i].cell;
        assert_int_equal(sb_observe_array(&s->env, sb_brush_array(brush), pixels, sizeof pixels), 2 * side * side);
        for (size_t y = 0; y < side; y++) memcpy(facts[i].tile + y * side, pixels + 2 * y * side, side);
    }
}

static void compare_facts(int n, size_t pixels) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            const int d = distance(facts[i].tile, facts[j].tile, pixels);
            if (same_fact(&facts[i], &facts[j]) ? d != 0 : d < LEAST)
                fail_msg("terrain %d: object %d with metadata %d and object %d with metadata %d differ in %d pixels",
                         facts[i].cell.terrain, facts[i].cell.object, facts[i].cell.metadata, facts[j].cell.object,
                         facts[j].cell.metadata, d);
        }
}

static void cells_look_the_same_if_and_only_if_they_tell_the_same(void **state) {
    (void)state;
    scene s;
    make_scene(&s);
    for (int tile = 8; tile <= 16; tile += 8) {
        sb_brush *brush = brush_of((sb_brush_options){.tile = tile, .no_panel = true, .indexed = true});
        for (int terrain = 0; terrain < (TESTS_ARE_SLOW ? 2 : SB_N_TERRAINS); terrain++) {
            const int n = list_facts(&s, terrain);
            paint_facts(&s, n, brush);
            compare_facts(n, (size_t)(tile * tile));
        }
        sb_brush_free(brush);
    }
}

/* Copies the tile of the first cell, with the agent on it or beside it. */
enum { ABSENT = 4 /* after the four directions */, STANDINGS };
static void take_tile(scene *s, int standing, const sb_brush *brush, uint8_t *tile) {
    const size_t side = (size_t)brush->options.tile;
    uint8_t pixels[2 * 16 * 16];
    s->episode.agent.at = sb_at(standing == ABSENT, 0);
    s->episode.agent.facing = (uint8_t)(standing % ABSENT);
    assert_int_equal(sb_observe_array(&s->env, sb_brush_array(brush), pixels, sizeof pixels), 2 * side * side);
    for (size_t y = 0; y < side; y++) memcpy(tile + y * side, pixels + 2 * y * side, side);
}

/* The left and the right column tell the terrain, whatever is on it, the agent too. */
static void take_sides(const uint8_t *tile, uint8_t sides[SIDE_PIXELS]) {
    for (int y = 1; y < 7; y++) sides[2 * y - 2] = tile[8 * y], sides[2 * y - 1] = tile[8 * y + 7];
}

static void assert_sides(scene *s, int standing, const sb_brush *brush, const uint8_t sides[SIDE_PIXELS]) {
    uint8_t tile[64], own[SIDE_PIXELS];
    take_tile(s, standing, brush, tile);
    take_sides(tile, own);
    assert_memory_equal(own, sides, SIDE_PIXELS);
}

/* Terrains, the colours of walls, and fog. So cells on different ones differ, and only cells on the same one have to be
 * compared below. */
static void sides_of_a_tile_tell_its_terrain(void **state) {
    (void)state;
    enum { GROUNDS = SB_N_TERRAINS + 5 + 1 /* colours of walls; fog */ };
    uint8_t sides[GROUNDS][SIDE_PIXELS], tile[64];
    scene s;
    make_scene(&s);
    sb_brush *brush = brush_of((sb_brush_options){.no_panel = true, .indexed = true});
    for (int g = 0; g < GROUNDS; g++) {
        const bool is_terrain = g < SB_N_TERRAINS, is_fog = g == GROUNDS - 1;
        const int metadata = is_terrain ? 0 : is_fog ? SB_FOG : g - SB_N_TERRAINS + 1;
        s.episode.cells[0] = (sb_cell){(int8_t)(is_terrain ? g : SB_WALL), SB_NONE, (int16_t)metadata};
        take_tile(&s, ABSENT, brush, tile);
        take_sides(tile, sides[g]);
        for (int h = 0; h < g; h++) assert_in_range(distance(sides[g], sides[h], SIDE_PIXELS), LEAST, SIDE_PIXELS);
        for (int standing = 0; standing < STANDINGS; standing++) {
            s.episode.cells[0].object = SB_NONE;
            assert_sides(&s, standing, brush, sides[g]);
            for (int object = 1; is_terrain && object < SB_N_OBJECTS; object++) {
                s.episode.cells[0].object = (int8_t)object;
                assert_sides(&s, standing, brush, sides[g]);
            }
        }
    }
    sb_brush_free(brush);
}

/* Keeps one of the facts that look alike without the agent; these tell the same, as was compared above. */
static int keep_distinct(scene *s, int n, const sb_brush *brush) {
    const size_t pixels = (size_t)(brush->options.tile * brush->options.tile);
    int kept = 0;
    for (int i = 0; i < n; i++) {
        int k = 0;
        s->episode.cells[0] = facts[i].cell;
        take_tile(s, ABSENT, brush, facts[i].tile);
        while (k < kept && distance(facts[k].tile, facts[i].tile, pixels) > 0) k++;
        if (k == kept) facts[kept++] = facts[i];
    }
    return kept;
}

static uint8_t stood[STANDINGS][FACTS_MAX][16 * 16];

static void compare_standings(int n, size_t pixels) {
    for (int a = 0; a < STANDINGS; a++)
        for (int b = 0; b <= a; b++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < (a == b ? i : n); j++) {
                    const int d = distance(stood[a][i], stood[b][j], pixels);
                    if (d < LEAST)
                        fail_msg("terrain %d: object %d with metadata %d and the agent %d, and object %d with metadata "
                                 "%d and the agent %d differ in %d pixels",
                                 facts[i].cell.terrain, facts[i].cell.object, facts[i].cell.metadata, a,
                                 facts[j].cell.object, facts[j].cell.metadata, b, d);
                }
}

/* The agent absent, or there in four directions, on every terrain over every object: no two of these look alike. */
static void the_agent_and_what_is_below_it_can_be_told_apart(void **state) {
    (void)state;
    scene s;
    make_scene(&s);
    for (int tile = 8; tile <= 16; tile += 8) {
        sb_brush *brush = brush_of((sb_brush_options){.tile = tile, .no_panel = true, .indexed = true});
        for (int terrain = 0; terrain < (TESTS_ARE_SLOW ? 1 : SB_N_TERRAINS); terrain++) {
            s.episode.agent.at = sb_at(1, 0);
            const int n = keep_distinct(&s, list_facts(&s, terrain), brush);
            assert_true(n > 300);
            for (int i = 0; i < n; i++) {
                s.episode.cells[0] = facts[i].cell;
                for (int a = 0; a < STANDINGS; a++) take_tile(&s, a, brush, stood[a][i]);
            }
            compare_standings(n, (size_t)(tile * tile));
        }
        sb_brush_free(brush);
    }
}

/* Below the agent, the object and the meaning of its metadata are told, and the agent's direction. */
static void the_agent_hides_nothing_of_its_cell(void **state) {
    (void)state;
    scene s;
    make_scene(&s);
    for (int size = 8; size <= 16; size += 8) {
        sb_brush *brush = brush_of((sb_brush_options){.tile = size, .view = 1, .no_panel = true, .indexed = true});
        const int n = list_facts(&s, SB_EMPTY);
        uint8_t turned[16 * 16];
        s.episode.agent.at = sb_at(0, 0);
        for (int i = 0; i < n; i++) {
            s.episode.cells[0] = facts[i].cell;
            s.episode.agent.facing = 0;
            sb_observe_array(&s.env, sb_brush_array(brush), facts[i].tile, sizeof facts[i].tile);
            for (uint8_t facing = 1; facing < 4; facing++) {
                s.episode.agent.facing = facing;
                sb_observe_array(&s.env, sb_brush_array(brush), turned, sizeof turned);
                assert_in_range(distance(facts[i].tile, turned, (size_t)(size * size)), LEAST, 255);
            }
        }
        compare_facts(n, (size_t)(size * size));
        make_scene(&s);
        sb_brush_free(brush);
    }
}

/* ---- What cannot happen in a task, and options ---- */

static void any_metadata_can_be_painted(void **state) {
    (void)state;
    scene s;
    uint8_t pixels[3 * 2 * 16 * 16];
    make_scene(&s);
    for (int tile = 8; tile <= 16; tile += 8) {
        sb_brush *brush = brush_of((sb_brush_options){.tile = tile, .no_panel = true});
        for (int object = 0; object < SB_N_OBJECTS; object++)
            for (int m = INT16_MIN; m <= INT16_MAX; m += TESTS_ARE_SLOW ? 97 : 1) {
                s.episode.cells[0] = s.episode.cells[1] = (sb_cell){(int8_t)((m & 0xff) % SB_N_TERRAINS),
                                                                    (int8_t)object, (int16_t)m};
                assert_true(sb_observe_array(&s.env, sb_brush_array(brush), pixels, sizeof pixels) > 0);
            }
        sb_brush_free(brush);
    }
}

static void impossible_options_are_refused(void **state) {
    (void)state;
    sb_error error;
    const sb_family *family = sb_family_at(0);
    static const struct {
        sb_brush_options options;
        const char *words;
    } wrong[] = {{{.tile = 12}, "8 or 16"},  {{.tile = -8}, "8 or 16"},    {{.view = 4}, "odd number"},
                 {{.view = 63}, "up to 61"}, {{.view = -1}, "odd number"}, {{.no_highlight = true}, "highlight"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_error(sb_brush_make(family, sb_look_at(family, 0), &wrong[i].options, &error), &error, SB_INVALID,
                     wrong[i].words);
    assert_error(sb_look_find(family, "view", &error), &error, SB_UNKNOWN, "looks of agentick: flat");
    assert_error(sb_brush_make(family, sb_look_at(sb_family_at(1), 0), NULL, &error), &error, SB_INVALID, "agentick");
    assert_error(sb_look_find(sb_family_find("climb", &error), "flat", &error), &error, SB_UNKNOWN, "no pictures");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_look_the_same_if_and_only_if_they_tell_the_same),
        cmocka_unit_test(sides_of_a_tile_tell_its_terrain),
        cmocka_unit_test(the_agent_hides_nothing_of_its_cell),
        cmocka_unit_test(the_agent_and_what_is_below_it_can_be_told_apart),
        cmocka_unit_test(any_metadata_can_be_painted),
        cmocka_unit_test(impossible_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
