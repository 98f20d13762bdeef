/* Observations: every recorded state has exactly the recorded observations. Then properties that must hold for any
 * state, tested on the recorded states and on random ones of all sizes. */
#include "engine/gridworld/observe/observe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/gridworld/config.h"
#include "engine/gridworld/tell.h"
#include "tests/support.h"

/* ---- Rendering ---- */

static const sb_status untouched = {.max_steps = 100};

static void ascii(const sb_episode *e, sb_out *out) { sb_observe_ascii(e, false, out); }
static void ascii_color(const sb_episode *e, sb_out *out) { sb_observe_ascii(e, true, out); }
static void state(const sb_episode *e, sb_out *out) { sb_observe_state(e, &untouched, out); }

typedef void observer(const sb_episode *e, sb_out *out);

static observer *const observers[] = {ascii, ascii_color, sb_observe_structured, state, sb_observe_language};
enum { N_OBSERVERS = sizeof observers / sizeof *observers };

/* Returns the text, NUL-terminated; the caller frees it. */
static char *render_as(observer *observe, const sb_episode *e, bool json) {
    sb_out out = sb_out_growing();
    out.json = json;
    observe(e, &out);
    out.json = false;
    sb_putc(&out, '\0');
    assert_true(sb_out_ok(&out));
    return out.data;
}

static char *render(observer *observe, const sb_episode *e) { return render_as(observe, e, false); }

static void assert_shows(observer *observe, const sb_episode *e, const char *expected) {
    char *text = render(observe, e);
    assert_string_equal(text, expected);
    free(text);
}

/* ---- Recorded states ---- */

/* Real tasks compute these from their variables; the task of these tests reads them from the recorded line. */
typedef struct vars {
    const cJSON *line;
} vars;

static const cJSON *task_annotations(const cJSON *line) {
    return cJSON_GetObjectItem(cJSON_GetObjectItem(line, "annotations"), "task");
}

static const char *text_of(const cJSON *object, const char *key) {
    return cJSON_GetStringValue(cJSON_GetObjectItem(object, key));
}

static int code_of(const char *name, const char *const *names, int n) {
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}

static bool tell_target(sb_told *told, const char *name) {
    const int code = code_of(name, sb_object_names, SB_N_OBJECTS);
    if (code >= 0) sb_tell(told, SB_TOLD_TARGET, 0, code);
    return code >= 0;
}

static bool tell_trial(sb_told *told, const char *text) {
    char target[16];
    int k, n;
    assert_int_equal(sscanf(text, "Trial %d/%d, target: %15s", &k, &n, target), 3); // NOLINT(cert-err34-c): small
    sb_tell(told, SB_TOLD_TRIAL, k, n);
    return tell_target(told, target);
}

static bool tell_phase(sb_told *told, const char *text) {
    char kind[16];
    int k, n;
    assert_int_equal(sscanf(text, "Phase %d/%d: %15s", &k, &n, kind), 3); // NOLINT(cert-err34-c): small
    const int code = code_of(kind, sb_phase_names, SB_N_PHASE_KINDS);
    if (code < 0) return false;
    sb_tell(told, SB_TOLD_PHASE, k, n);
    sb_tell(told, SB_TOLD_PHASE_KIND, 0, code);
    sb_tell(told, SB_TOLD_REMAPPED, 0, strstr(text, " [remapped]") != NULL);
    return true;
}

/* Tells meters; false for numbers too far from any hundredth, which no task has (tasks have quarters and twentieths).
 */
static bool tell_meters(sb_told *told, const cJSON *task) {
    const double gem = cJSON_GetObjectItem(task, "gem_meter")->valuedouble;
    const double orb = cJSON_GetObjectItem(task, "orb_meter")->valuedouble;
    if (gem * 20 != (int)(gem * 20) || orb * 20 != (int)(orb * 20)) return false;
    sb_tell_meter(told, SB_GEM, gem);
    sb_tell_meter(told, SB_ORB, orb);
    sb_tell(told, SB_TOLD_METER_NEED, 0, (int)(100 * cJSON_GetObjectItem(task, "meter_threshold")->valuedouble));
    return true;
}

static bool tell_clues(sb_told *told, const cJSON *clues, int width) {
    const cJSON *clue;
    cJSON_ArrayForEach(clue, clues) {
        const cJSON *position = cJSON_GetObjectItem(clue, "position");
        const int x = position->child->valueint, y = position->child->next->valueint;
        const int direction = code_of(text_of(clue, "direction"), sb_direction_names, 4);
        sb_tell(told, (sb_told_what)(SB_TOLD_CLUE_NORTH + direction), y * width + x,
                cJSON_GetObjectItem(clue, "distance")->valueint);
    }
    return true;
}

static bool tell_lights(sb_told *told) {
    sb_tell(told, SB_TOLD_SWITCH_MEANS, 1, true);
    sb_tell(told, SB_TOLD_SWITCH_MEANS, 2, false);
    return true;
}

/* Tells the facts in the recorded annotations; false for invented annotations that no task can have. */
static bool tell_line(const cJSON *line, sb_told *told) {
    const cJSON *task = task_annotations(line);
    *told = (sb_told){0};
    if (!task) return true;
    if (text_of(task, "target_object")) return tell_target(told, text_of(task, "target_object"));
    if (text_of(task, "trial_info")) return tell_trial(told, text_of(task, "trial_info"));
    if (text_of(task, "phase_info")) return tell_phase(told, text_of(task, "phase_info"));
    if (cJSON_HasObjectItem(task, "gem_meter")) return tell_meters(told, task);
    if (cJSON_HasObjectItem(task, "lights_out")) return tell_lights(told);
    const int width = cJSON_GetArraySize(cJSON_GetObjectItem(line, "terrain")->child);
    return tell_clues(told, cJSON_GetObjectItem(task, "clues"), width);
}

static void tell(const sb_episode *e, sb_told *told) {
    const vars *v = SB_VARS(e);
    if (!tell_line(v->line, told)) *told = (sb_told){0};
}

static const sb_task recorded_task = {.info = {.name = "Recorded-v0"}, .vars_size = sizeof(vars), .tell = tell};

static const sb_task bare_task = {.info = {.name = "Bare-v0"}};

static int at(const cJSON *line, const char *layer, int x, int y) {
    return cJSON_GetArrayItem(cJSON_GetArrayItem(cJSON_GetObjectItem(line, layer), y), x)->valueint;
}

static void load(const cJSON *line, sb_episode *e) {
    const cJSON *rows = cJSON_GetObjectItem(line, "terrain"), *agent = cJSON_GetObjectItem(line, "agent");
    memset(e, 0, sizeof *e);
    e->task = &recorded_task;
    *(vars *)SB_VARS(e) = (vars){line};
    e->height = (uint8_t)cJSON_GetArraySize(rows), e->width = (uint8_t)cJSON_GetArraySize(rows->child);
    e->clock = cJSON_GetObjectItem(line, "step")->valueint;
    e->max_steps = cJSON_GetObjectItem(line, "max_steps")->valueint;
    e->agent.at = sb_at(cJSON_GetArrayItem(agent, 0)->valueint, cJSON_GetArrayItem(agent, 1)->valueint);
    e->agent.facing = (uint8_t)cJSON_GetArrayItem(agent, 2)->valueint;
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(line, "inventory")), 0); /* no recorded state has items */
    for (int i = 0; i < sb_n_cells(e); i++) {
        const sb_xy p = sb_xy_of(e, i);
        sb_set_object(e, p, (sb_object)at(line, "objects", p.x, p.y), at(line, "metadata", p.x, p.y));
        sb_cell_at(e, p)->terrain = (int8_t)at(line, "terrain", p.x, p.y);
    }
}

/* Asserts equal values and the same order of keys. */
static void assert_json(const cJSON *value, const cJSON *expected) {
    char *text = cJSON_PrintUnformatted(value), *expected_text = cJSON_PrintUnformatted(expected);
    assert_string_equal(text, expected_text);
    cJSON_free(text), cJSON_free(expected_text);
}

static cJSON *parsed(observer *observe, const sb_episode *e) {
    sb_error error;
    char *text = render(observe, e);
    cJSON *document = sb_json_parse(text, strlen(text), &error);
    assert_ok(document, error);
    free(text);
    return document;
}

static void drop_lines(cJSON *line, const char *key, int height) {
    cJSON *item = cJSON_GetObjectItem(line, key);
    const char *text = item->valuestring;
    int lines = -height;
    for (const char *at = text; at < strstr(text, "\n--- Legend"); at++) lines += *at == '\n';
    for (; lines > 0; lines--) text = strchr(text, '\n') + 1;
    cJSON_ReplaceItemInObject(line, key, cJSON_CreateString(text));
}

/* Returns the line without the facts that its task tells. */
static cJSON *without_task(const cJSON *line) {
    cJSON *rest = cJSON_Duplicate(line, true), *annotations = cJSON_GetObjectItem(rest, "annotations");
    cJSON *all = cJSON_GetObjectItem(cJSON_GetObjectItem(rest, "structured"), "task_annotations");
    const int height = cJSON_GetArraySize(cJSON_GetObjectItem(line, "terrain"));
    const cJSON *member;
    cJSON_ArrayForEach(member, task_annotations(line)) cJSON_DeleteItemFromObject(all, member->string);
    cJSON_DeleteItemFromObject(annotations, "task");
    drop_lines(rest, "ascii", height), drop_lines(rest, "ascii_color", height);
    return rest;
}

static void check_shown(const sb_episode *e, const cJSON *line) {
    assert_shows(ascii, e, text_of(line, "ascii"));
    assert_shows(ascii_color, e, text_of(line, "ascii_color"));
    cJSON *structured = parsed(sb_observe_structured, e), *whole = parsed(state, e);
    assert_json(structured, cJSON_GetObjectItem(line, "structured"));
    assert_json(cJSON_GetObjectItem(whole, "annotations"), cJSON_GetObjectItem(line, "annotations"));
    assert_json(cJSON_GetObjectItem(cJSON_GetObjectItem(whole, "info"), "valid_actions"),
                cJSON_GetObjectItem(line, "valid_actions"));
    assert_json(cJSON_GetObjectItem(cJSON_GetObjectItem(whole, "grid"), "metadata"),
                cJSON_GetObjectItem(line, "metadata"));
    cJSON_Delete(structured), cJSON_Delete(whole);
}

/* Checks that the task's sentence comes between the agent's place and what it sees; lights have no sentence. */
static void check_sentence(const sb_episode *e, const cJSON *task) {
    char *language = render(sb_observe_language, e), silent[64];
    snprintf(silent, sizeof silent, "You are facing %s. You see", sb_direction_names[e->agent.facing]);
    assert_int_equal(strstr(language, silent) == NULL, task && !cJSON_HasObjectItem(task, "lights_out"));
    free(language);
}

static int n_told;

static void check_recorded(const cJSON *line) {
    sb_episode e;
    sb_told told;
    load(line, &e);
    if (tell_line(line, &told)) {
        n_told += told.n > 0;
        check_shown(&e, line);
        check_sentence(&e, task_annotations(line));
    } else {
        cJSON *rest = without_task(line);
        check_shown(&e, rest);
        check_sentence(&e, NULL);
        cJSON_Delete(rest);
    }
}

static void test_recorded(void **unused) {
    (void)unused;
    n_told = 0;
    assert_int_equal(each_vector("observations.jsonl.gz", check_recorded), 77);
    assert_int_equal(n_told, 27);
}

/* ---- Properties ---- */

typedef struct dice {
    uint64_t state;
} dice;

static int roll(dice *d, int sides) {
    d->state ^= d->state << 13, d->state ^= d->state >> 7, d->state ^= d->state << 17;
    return (int)(d->state % (unsigned)sides);
}

static int16_t any_metadata(dice *d) {
    static const int16_t remarkable[] = {0,   1,   2,   3,   4,   5,   9,  10,  11,  13,   14,    15,        17,
                                         19,  -1,  -1,  20,  30,  31,  35, 39,  40,  60,   61,    99,        100,
                                         101, 110, 199, 200, 203, 212, -5, 255, -40, 1000, 30000, INT16_MAX, INT16_MIN};
    return roll(d, 2) ? remarkable[roll(d, sizeof remarkable / sizeof *remarkable)] : 0;
}

/* Fills the cells with anything, sensible or not. */
static void randomize(dice *d, sb_episode *e) {
    memset(e, 0, sizeof *e);
    e->task = &bare_task;
    e->width = (uint8_t)(1 + roll(d, SB_SIDE_MAX)), e->height = (uint8_t)(1 + roll(d, SB_SIDE_MAX));
    e->clock = roll(d, 500), e->max_steps = 500;
    e->agent.at = sb_at(roll(d, e->width), roll(d, e->height));
    e->agent.facing = (uint8_t)roll(d, 4);
    for (int i = roll(d, SB_ITEMS_MAX + 1); i > 0; i--) sb_take(e, SB_ITEM_KEY, roll(d, 4), sb_at(i, 0));
    const int fullness = 1 + roll(d, 4);
    for (int i = 0; i < sb_n_cells(e); i++) {
        e->cells[i] = (sb_cell){.terrain = (int8_t)roll(d, SB_N_TERRAINS), .metadata = any_metadata(d)};
        if (roll(d, fullness) == 0) e->cells[i].object = (int8_t)roll(d, SB_N_OBJECTS);
    }
}

static void each_random(int n, void (*check)(const sb_episode *e)) {
    dice d = {UINT64_C(88172645463325252)};
    sb_episode e;
    for (int i = 0; i < n; i++) {
        randomize(&d, &e);
        check(&e);
    }
}

/* Defines a test that runs a check on all recorded states and on n random ones. */
#define EVERYWHERE(name, check, n)                                                                                     \
    static void name##_line(const cJSON *line) {                                                                       \
        sb_episode e;                                                                                                  \
        load(line, &e);                                                                                                \
        check(&e);                                                                                                     \
    }                                                                                                                  \
    static void name(void **unused) {                                                                                  \
        (void)unused;                                                                                                  \
        each_vector("observations.jsonl.gz", name##_line);                                                             \
        each_random(n, check);                                                                                         \
    }

static void check_changes_nothing(const sb_episode *e) {
    sb_episode before;
    memcpy(&before, e, sizeof before);
    for (int i = 0; i < N_OBSERVERS; i++) free(render(observers[i], e));
    assert_memory_equal(&before, e, sizeof before);
}
EVERYWHERE(test_changes_nothing, check_changes_nothing, 50)

/* Changes fogged cells, except those that observations may read: the published mask of valid actions reads the true
 * grid, and ASCII shows what the agent stands on even in fog. */
static void change_beneath_fog(sb_episode *e) {
    dice d = {1 + (uint64_t)e->width};
    for (int i = 0; i < sb_n_cells(e); i++) {
        if (!sb_fogged(&e->cells[i]) || sb_manhattan(sb_xy_of(e, i), e->agent.at) <= 1) continue;
        e->cells[i].terrain = (int8_t)roll(&d, SB_N_TERRAINS);
        e->cells[i].object = (int8_t)roll(&d, SB_N_OBJECTS);
    }
}

static void check_fog_hides(const sb_episode *e) {
    sb_episode other;
    memcpy(&other, e, sizeof other);
    change_beneath_fog(&other);
    for (int i = 0; i < N_OBSERVERS; i++) {
        char *text = render(observers[i], e);
        assert_shows(observers[i], &other, text);
        free(text);
    }
}
EVERYWHERE(test_fog_hides, check_fog_hides, 100)

static void check_json(const sb_episode *e) {
    for (int i = 0; i < N_OBSERVERS; i++) {
        char *text = render(observers[i], e), *row = render_as(observers[i], e, true);
        sb_out expected = sb_out_growing();
        sb_put_json_string(&expected, text);
        assert_int_equal(strlen(row) + 2, expected.size); /* without the quotes */
        assert_memory_equal(row, expected.data + 1, expected.size - 2);
        sb_out_free(&expected);
        free(text), free(row);
    }
}
EVERYWHERE(test_json, check_json, 100)

/* Asserts that outside texts one space follows each comma and colon, and that there are no other spaces. */
static void assert_python_spacing(const char *text) {
    bool inside = false;
    for (const char *c = text; *c; c++) {
        if (*c == '"') inside = !inside; /* no observation has an escaped quote */
        if (inside) continue;
        assert_int_equal(c[1] == ' ', *c == ',' || *c == ':');
        assert_null(strchr("\n\t\r", *c));
    }
}

static void check_spacing(const sb_episode *e) {
    char *structured = render(sb_observe_structured, e), *whole = render(state, e);
    assert_python_spacing(structured), assert_python_spacing(whole);
    free(structured), free(whole);
}

EVERYWHERE(test_spacing, check_spacing, 50)

enum { CANARY = 0x5a };

static void check_size(observer *observe, const sb_episode *e, const char *text, size_t capacity, bool json) {
    char *block = malloc(capacity + 1); /* of exact size, so that sanitizers find what the canary does not */
    assert_non_null(block);
    block[capacity] = CANARY;
    sb_out out = sb_out_fixed(block, capacity);
    out.json = json;
    observe(e, &out);
    assert_int_equal(out.size, strlen(text));
    assert_memory_equal(block, text, capacity < out.size ? capacity : out.size);
    assert_int_equal(block[capacity], CANARY);
    free(block);
}

static void check_sizes(observer *observe, const sb_episode *e, bool json) {
    char *text = render_as(observe, e, json);
    const size_t n = strlen(text);
    for (size_t capacity = 0; capacity <= n + 1; capacity++) check_size(observe, e, text, capacity, json);
    check_size(observe, e, text, 4 * n + 4096, json); /* enough even for parts that are written in place */
    free(text);
}

static void check_all_sizes(const sb_episode *e) {
    if (sb_n_cells(e) > 25) return; /* the work grows with the square of the size */
    for (int i = 0; i < N_OBSERVERS; i++) check_sizes(observers[i], e, false), check_sizes(observers[i], e, true);
}
EVERYWHERE(test_all_sizes, check_all_sizes, 100)

/* ---- Language against structured ---- */

static bool is_mentioned(const cJSON *entity) {
    const char *type = text_of(entity, "type");
    return strcmp(type, "tool") != 0 && strcmp(type, "breadcrumb") != 0 &&
           cJSON_GetObjectItem(entity, "distance")->valueint > 0;
}

static void assert_says(const char *item, const char *words) {
    if (!strstr(item, words)) fail_msg("\"%s\" does not say \"%s\"", item, words);
}

static void assert_tells(const char *item, const cJSON *entity) {
    char expected[80];
    const cJSON *member;
    const char *type = text_of(entity, "type");
    assert_says(item, strcmp(type, "npc") ? type : "NPC");
    const int distance = cJSON_GetObjectItem(entity, "distance")->valueint;
    snprintf(expected, sizeof expected, " (%d step%s)", distance, distance == 1 ? "" : "s");
    assert_string_equal(strrchr(item, '(') - 1, expected);
    cJSON_ArrayForEach(member, entity) { /* after type, position and distance come the traits of the cell */
        if (strcmp(member->string, "position") == 0 ||
            (cJSON_IsString(member) && strcmp(member->valuestring, "npc") == 0))
            continue;
        if (cJSON_IsNumber(member)) snprintf(expected, sizeof expected, "%d", member->valueint);
        assert_says(item, cJSON_IsNumber(member) ? expected : member->valuestring);
    }
}

static bool starts(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* Reads the next thing of the list `a gold key ahead (1 step), ...`, skipping hazards; false at its end. */
static bool next_item(const char **list, char item[160]) {
    while (**list) {
        const char *end = strchr(*list, ')');
        assert_true(end && end + 1 - *list < 160);
        memcpy(item, *list, (size_t)(end + 1 - *list));
        item[end + 1 - *list] = '\0';
        *list = starts(end, "), ") ? end + 3 : "";
        if (!starts(item, "a hazard ")) return true;
    }
    return false;
}

static void check_language(const sb_episode *e) {
    char *text = render(sb_observe_language, e), item[160];
    const char *list = strstr(text, "You see: ");
    list = list ? list + strlen("You see: ") : "";
    cJSON *structured = parsed(sb_observe_structured, e);
    const cJSON *entity;
    cJSON_ArrayForEach(entity, cJSON_GetObjectItem(structured, "visible_entities")) {
        if (!is_mentioned(entity)) continue;
        assert_true(next_item(&list, item));
        assert_tells(item, entity);
    }
    while (next_item(&list, item)) assert_true(starts(item, "a wall ") || starts(item, "water "));
    cJSON_Delete(structured);
    free(text);
}
EVERYWHERE(test_language, check_language, 300)

/* ---- Examples ---- */

static sb_episode room(int width, int height, sb_xy agent, sb_direction facing) {
    sb_episode e = {.task = &bare_task, .width = (uint8_t)width, .height = (uint8_t)height, .max_steps = 100};
    e.agent = (sb_grid_agent){.at = agent, .facing = (uint8_t)facing};
    return e;
}

static void test_wide_characters(void **unused) {
    (void)unused;
    sb_episode e = room(4, 2, sb_at(0, 0), SB_NORTH);
    sb_set_object(&e, sb_at(0, 1), SB_BOX, 99);           /* 90 after A: U+009A */
    sb_set_object(&e, sb_at(1, 1), SB_TARGET, INT16_MAX); /* U+7F6E */
    sb_set_object(&e, sb_at(2, 1), SB_BOX, -40);
    sb_set_object(&e, sb_at(3, 1), SB_BOX, 109);
    assert_shows(ascii, &e,
                 "^ . . . \n\xc2\x9a \xe7\xbd\xae -49 \n\n--- Legend ---\nA: Agent (facing ^v<>)\n.: Empty\n"
                 " : Fog (unexplored)\nB: Box\nT: Target");
}

static void test_agent_covers(void **unused) {
    (void)unused;
    static const struct {
        sb_object object;
        int metadata;
        const char *cell;
    } cases[] = {{SB_GOAL, 0, ">G"},  {SB_KEY, 2, ">K"},    {SB_DOOR, 3, ">D"},
                 {SB_DOOR, 13, ">d"}, {SB_TARGET, 0, "> "}, {SB_GOAL, -1, ">G"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_episode e = room(1, 1, sb_at(0, 0), SB_EAST);
        sb_set_object(&e, sb_at(0, 0), cases[i].object, cases[i].metadata);
        char *text = render(ascii, &e);
        assert_memory_equal(text, cases[i].cell, 2);
        free(text);
    }
}

static void test_relative_directions(void **unused) {
    (void)unused;
    static const struct {
        int x, y; /* of the goal; the agent is at 4, 4 */
        sb_direction facing;
        const char *where;
    } cases[] = {
        {4, 1, SB_NORTH, "ahead (3 steps)"},
        {6, 3, SB_NORTH, "to the right (3 steps)"},
        {6, 2, SB_NORTH, "ahead and to the right (4 steps)"},
        {5, 5, SB_NORTH, "behind and to the right (2 steps)"},
        {3, 5, SB_NORTH, "behind and to the left (2 steps)"},
        {4, 3, SB_EAST, "to the left (1 step)"},
        {3, 3, SB_EAST, "behind and to the left (2 steps)"},
        {4, 3, SB_SOUTH, "behind (1 step)"},
        {5, 3, SB_SOUTH, "behind and to the left (2 steps)"},
        {4, 3, SB_WEST, "to the right (1 step)"},
        {2, 5, SB_WEST, "ahead (3 steps)"},
        {4, 4, SB_NORTH, "ahead and to the left (0 steps)"}, /* a thing under the agent counts as northwest of it */
        {4, 4, SB_EAST, "behind and to the left (0 steps)"},
        {4, 4, SB_SOUTH, "behind and to the right (0 steps)"},
        {4, 4, SB_WEST, "ahead and to the right (0 steps)"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[80];
        sb_episode e = room(9, 9, sb_at(4, 4), cases[i].facing);
        sb_set_object(&e, sb_at(cases[i].x, cases[i].y), SB_GOAL, 0);
        char *text = render(sb_observe_language, &e);
        snprintf(expected, sizeof expected, "The nearest goal is %s.", cases[i].where);
        assert_says(text, expected);
        free(text);
    }
}

static void test_places(void **unused) {
    (void)unused;
    static const struct {
        int x, y;
        const char *place;
    } cases[] = {{5, 5, "in the center of an 11x11"},     {2, 0, "near the western edge of an 11x11"},
                 {8, 10, "near the eastern edge of an"},  {5, 2, "near the northern edge of an"},
                 {5, 8, "near the southern edge of an"},  {3, 4, "in the top left quarter of an"},
                 {7, 4, "in the top right quarter of"},   {3, 7, "in the bottom left quarter of"},
                 {7, 7, "in the bottom right quarter of"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sb_episode e = room(11, 11, sb_at(cases[i].x, cases[i].y), SB_NORTH);
        char *text = render(sb_observe_language, &e);
        assert_says(text, cases[i].place);
        free(text);
    }
}

/* Makes a room with everything that language has words for. */
static sb_episode furnished(void) {
    static const struct {
        int x, y;
        sb_object object;
        int metadata;
    } things[] = {{0, 0, SB_DOOR, 1},    {1, 0, SB_DOOR, 10},   {2, 0, SB_SWITCH, 2},  {3, 0, SB_SWITCH, 7},
                  {4, 0, SB_LEVER, 1},   {5, 0, SB_NPC, 4},     {6, 0, SB_NPC, 0},     {0, 1, SB_ENEMY, 1},
                  {1, 1, SB_BOX, 103},   {2, 1, SB_TARGET, 19}, {3, 1, SB_TARGET, 5},  {4, 1, SB_TARGET, 202},
                  {5, 1, SB_SCROLL, 31}, {6, 1, SB_SCROLL, 45}, {0, 2, SB_RESOURCE, 0}};
    sb_episode e = room(8, 6, sb_at(3, 4), SB_NORTH);
    for (size_t i = 0; i < sizeof things / sizeof *things; i++)
        sb_set_object(&e, sb_at(things[i].x, things[i].y), things[i].object, things[i].metadata);
    sb_cell_at(&e, sb_at(3, 3))->terrain = SB_WALL;
    sb_cell_at(&e, sb_at(2, 4))->terrain = SB_WATER;
    sb_cell_at(&e, sb_at(5, 4))->terrain = SB_HAZARD;
    sb_take(&e, SB_ITEM_KEY, 1, sb_at(6, 5));
    return e;
}

static void test_wording(void **unused) {
    (void)unused;
    const sb_episode e = furnished();
    assert_shows(sb_observe_language, &e,
                 "You are in the bottom left quarter of an 8x6 room. You are facing north. You see: "
                 "a closed red door ahead (7 steps), an open gold door ahead (6 steps), "
                 "a blue switch that is off ahead (5 steps), a number 7 switch that is off ahead (4 steps), "
                 "a lever that is on ahead (5 steps), a mirror NPC ahead (6 steps), an NPC ahead (7 steps), "
                 "an ambusher enemy ahead and to the left (6 steps), a box with number 3 ahead (5 steps), "
                 "a target that accepts an orb ahead (4 steps), a target that accepts a box ahead (3 steps), "
                 "a target with number 2 ahead (4 steps), a scroll reading '1 step west' ahead (5 steps), "
                 "a scroll reading '5 steps in an unknown direction' ahead and to the right (6 steps), "
                 "a resource with energy 0 to the left (5 steps), a hazard to the right (2 steps), "
                 "a wall ahead (1 step), water to the left (1 step). "
                 "You carry: a key. Danger: a hazard to the right (2 steps). "
                 "Valid actions: noop, move_down, move_left, move_right, interact.");
    const sb_episode empty = room(5, 5, sb_at(2, 2), SB_SOUTH);
    assert_shows(sb_observe_language, &empty,
                 "You are in the center of a 5x5 room. You are facing south. You see nothing. You carry nothing. "
                 "Valid actions: noop, move_up, move_down, move_left, move_right, ...");
}

static void config(const sb_episode *e, sb_config *c) {
    sb_config_xy(c, "agent_start", sb_at(0, 0));
    if (c->hidden) sb_config_int(c, "secret", 1);
    sb_config_int(c, "max_steps", e->max_steps);
}

static const sb_task configured_task = {.info = {.name = "Configured-v0"}, .config = config};

static sb_episode carrying(void) {
    sb_episode e = room(3, 2, sb_at(1, 1), SB_WEST);
    e.task = &configured_task;
    e.clock = e.max_steps = 12;
    sb_set_object(&e, sb_at(2, 0), SB_KEY, 3);
    e.cells[0] = (sb_cell){.terrain = SB_ICE, .object = SB_GEM, .metadata = -1};
    sb_cell_at(&e, sb_at(0, 1))->terrain = SB_HOLE;
    sb_take(&e, SB_ITEM_KEY, 0, sb_at(0, 1));
    sb_take(&e, SB_ITEM_KEY, 2, sb_at(1, 0));
    return e;
}

#define GRID_AND_AGENT                                                                                                 \
    "{\"grid\": {\"height\": 2, \"width\": 3, \"terrain\": [[0, 0, 0], [5, 0, 0]], "                                   \
    "\"objects\": [[0, 0, 2], [0, 0, 0]], \"agents\": [[0, 0, 0], [0, 0, 0]], "                                        \
    "\"metadata\": [[-1, 0, 3], [0, 0, 0]]}, "                                                                         \
    "\"agent\": {\"position\": [1, 1], \"orientation\": \"west\", \"inventory\": ["                                    \
    "{\"id\": \"key_0_1\", \"entity_type\": \"key\", \"position\": [0, 1], \"properties\": {\"color\": 0}}, "          \
    "{\"id\": \"key_1_0\", \"entity_type\": \"key\", \"position\": [1, 0], \"properties\": {\"color\": 2}}], "         \
    "\"energy\": 1.0, \"health\": 1.0}, \"entities\": [], "                                                            \
    "\"annotations\": {\"key_colors\": {\"2,0\": \"green\"}, \"fog_cells\": [\"0,0\"]}, "
#define INFO(step, reward)                                                                                             \
    "\"info\": {\"step_count\": " step ", \"step\": " step ", \"max_steps\": 12, \"episode_reward\": " reward          \
    ", \"valid_actions\": [\"noop\", \"move_up\", \"move_right\", \"interact\"], \"agent_position\": [1, 1], "         \
    "\"task_name\": \"Configured-v0\", \"task_config\": {\"agent_start\": [0, 0], \"max_steps\": 12}}}"

static void test_state(void **unused) {
    (void)unused;
    static const struct {
        sb_status status;
        const char *text;
    } cases[] = {
        {{.max_steps = 12}, GRID_AND_AGENT INFO("0", "0.0")},
        {{.steps = 3, .max_steps = 12, .total = -0.03}, GRID_AND_AGENT INFO("3", "-0.03")},
        {{.steps = 12, .max_steps = 12, .total = 1, .done = true, .truncated = true, .success = true},
         GRID_AND_AGENT INFO("12", "1.0")}, /* the outcome is not part of the observation */
    };
    const sb_episode e = carrying();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000];
        sb_out out = sb_out_fixed(text, sizeof text);
        sb_observe_state(&e, &cases[i].status, &out);
        sb_out_finish(&out);
        assert_string_equal(text, cases[i].text);
    }
}

static void test_structured(void **unused) {
    (void)unused;
    const sb_episode e = carrying();
    assert_shows(sb_observe_structured, &e,
                 "{\"description\": \"A 3x2 gridworld environment\", \"position\": {\"x\": 1, \"y\": 1}, "
                 "\"orientation\": \"west\", \"visible_entities\": [{\"type\": \"key\", \"position\": [2, 0], "
                 "\"distance\": 2, \"color\": \"green\"}], \"inventory\": [\"key\", \"key\"], \"energy\": 1.0, "
                 "\"health\": 1.0, \"goals\": [], \"threats\": [], \"task_annotations\": {\"fog_cells\": [[0, 0]]}, "
                 "\"valid_actions\": [\"noop\", \"move_up\", \"move_right\", \"interact\"], \"step_count\": 12, "
                 "\"max_steps\": 12}");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded),     cmocka_unit_test(test_changes_nothing),
        cmocka_unit_test(test_fog_hides),    cmocka_unit_test(test_json),
        cmocka_unit_test(test_spacing),      cmocka_unit_test(test_all_sizes),
        cmocka_unit_test(test_language),     cmocka_unit_test(test_wide_characters),
        cmocka_unit_test(test_agent_covers), cmocka_unit_test(test_relative_directions),
        cmocka_unit_test(test_places),       cmocka_unit_test(test_wording),
        cmocka_unit_test(test_state),        cmocka_unit_test(test_structured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
