/* Arrays tell everything that the texts tell. A decoder that gets only arrays, their shapes and the mask of valid
 * actions writes the document of mode `structured` (in BabyAI: `view7`), byte for byte, for the recorded states of
 * every task. It has its own words and its own printing, so it shows what a learner can know. */
#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/environment.h"
#include "engine/lookup.h"
#include "seedbed/gridworld.h"

enum { SIDE_MAX = 64, DOCUMENT_MAX = 1 << 17, EVERY = TESTS_ARE_SLOW ? 8 : 1 };

/* ---- Text ---- */

typedef struct text {
    char bytes[DOCUMENT_MAX];
    size_t n;
} text;

__attribute__((format(printf, 2, 3))) static void put(text *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    t->n += (size_t)vsnprintf(t->bytes + t->n, sizeof t->bytes - t->n, format, arguments);
    va_end(arguments);
    assert_true(t->n < sizeof t->bytes);
}

/* Puts a comma, unless this is the first item of a list or object. */
static void put_comma(text *t) {
    const char last = t->bytes[t->n - 1];
    if (last != '[' && last != '{') put(t, ", ");
}

static void put_key(text *t, const char *key) {
    put_comma(t);
    put(t, "\"%s\": ", key);
}

static void put_word(text *t, const char *key, const char *value) {
    put_key(t, key);
    put(t, "\"%s\"", value);
}

static void put_number(text *t, const char *key, int value) {
    put_key(t, key);
    put(t, "%d", value);
}

/* Puts a number with the fewest digits that read back to the same number, as Python writes it. */
static void put_real(text *t, const char *key, double value) {
    char digits[320];
    int precision = 1;
    do snprintf(digits, sizeof digits, "%.*g", precision++, value);
    while (strtod(digits, NULL) != value);
    put_key(t, key);
    put(t, "%s%s", digits, strpbrk(digits, ".e") ? "" : ".0");
}

/* ---- Input of the decoder ---- */

/* Copies the array of this name and returns its extent. */
static const int32_t *take(const sb_env *env, const char *name, void *numbers, size_t size) {
    sb_error error;
    const sb_family *family = sb_family_of(env);
    const sb_array *array = sb_array_find(family, name, &error);
    assert_ok(array != NULL, error);
    assert_in_range(sb_observe_array(env, array, numbers, size), 1, size);
    return sb_shape_of(env)->extent[sb_array_index(family, array)];
}

typedef struct given {
    int width, height, n_items, n_told;
    int8_t terrain[SIDE_MAX * SIDE_MAX], objects[SIDE_MAX * SIDE_MAX];
    int16_t metadata[SIDE_MAX * SIDE_MAX];
    int16_t agent[3], inventory[32][2];
    int32_t told[64][3];
    bool valid[SB_N_ACTIONS];
} given;

static void take_all(const sb_env *env, given *g) {
    const int32_t *grid = take(env, "terrain", g->terrain, sizeof g->terrain);
    take(env, "objects", g->objects, sizeof g->objects);
    take(env, "metadata", g->metadata, sizeof g->metadata);
    take(env, "agent", g->agent, sizeof g->agent);
    g->height = grid[0], g->width = grid[1];
    g->n_items = take(env, "inventory", g->inventory, sizeof g->inventory)[0];
    g->n_told = take(env, "told", g->told, sizeof g->told)[0];
    assert_int_equal(sb_valid_mask(env, g->valid, SB_N_ACTIONS), SB_N_ACTIONS);
}

/* ---- Words ---- */

static const char *const objects[] = {"none", "goal",     "key",        "door",   "switch", "box",   "target",
                                      "tool", "resource", "breadcrumb", "npc",    "enemy",  "sheep", "blocker",
                                      "gem",  "lever",    "potion",     "scroll", "coin",   "orb"};
static const char *const directions[] = {"north", "east", "south", "west"};
static const char *const colors[] = {"gold", "red", "blue", "green"};
static const char *const items[] = {"", "key", "ingredient", "orb", "item"};
static const char *const actions[] = {"noop", "move_up", "move_down", "move_left", "move_right", "interact"};
static const char *const phases[] = {"", "goal_reach", "key_door", "lever_barrier", "collection"};

/* ---- The decoder ---- */

static void put_color(text *t, int m) { put_word(t, "color", colors[m >= 0 && m <= 3 ? m : 0]); }

static void put_switch(text *t, int m) {
    put_word(t, "state", m >= 100 ? "on" : "off");
    if (m > 3 && m < 100)
        put_key(t, "color"), put(t, "\"%d\"", m);
    else if (m > 0 && m <= 3)
        put_color(t, m);
}

static void put_behavior(text *t, int object, int m) {
    static const char *const npcs[16] = {[1] = "follower", [3] = "fearful", [4] = "mirror", [5] = "contrarian"};
    static const char *const enemies[16] = {"chaser", "ambusher", "patrol", "erratic"};
    const char *word = (object == SB_NPC ? npcs : enemies)[m & 15];
    put_word(t, "behavior", word ? word : objects[object]);
}

static void put_target(text *t, int m) {
    if (m >= 200)
        put_number(t, "slot_number", m - 200);
    else if (m == SB_BOX || (m >= SB_GEM && m <= SB_ORB))
        put_word(t, "accepts", objects[m]);
}

static void put_scroll(text *t, int m) {
    if (m <= 0) return;
    put_word(t, "direction", m < 40 ? directions[m / 10] : "unknown");
    put_number(t, "clue_distance", m % 10);
}

static void put_what_metadata_means(text *t, int object, int m) {
    switch (object) {
    case SB_KEY: put_color(t, m); break;
    case SB_DOOR:
        put_color(t, m >= 10 ? m - 10 : m);
        put_word(t, "state", m >= 10 ? "open" : "closed");
        break;
    case SB_SWITCH: put_switch(t, m); break;
    case SB_LEVER: put_word(t, "state", m > 0 ? "on" : "off"); break;
    case SB_NPC:
    case SB_ENEMY: put_behavior(t, object, m); break;
    case SB_RESOURCE: put_number(t, "energy", m); break;
    case SB_BOX:
        if (m > 0) put_number(t, "tile_number", m >= 100 ? m - 100 : m);
        break;
    case SB_TARGET: put_target(t, m); break;
    case SB_SCROLL: put_scroll(t, m); break;
    default: break;
    }
}

static void put_entities(text *t, const given *g, const char *key, int only) {
    put_key(t, key);
    put(t, "[");
    for (int i = 0; i < g->width * g->height; i++) {
        const int object = g->objects[i], x = i % g->width, y = i / g->width;
        if (object == SB_NONE || (only != SB_NONE && object != only)) continue;
        put_comma(t);
        put(t, "{\"type\": \"%s\", \"position\": [%d, %d], \"distance\": %d", objects[object], x, y,
            abs(x - g->agent[0]) + abs(y - g->agent[1]));
        put_what_metadata_means(t, object, g->metadata[i]);
        put(t, "}");
    }
    put(t, "]");
}

static void put_inventory(text *t, const given *g) {
    put_key(t, "inventory");
    put(t, "[");
    for (int i = 0; i < g->n_items && g->inventory[i][0]; i++) {
        put_comma(t);
        put(t, "\"%s\"", items[g->inventory[i][0]]);
    }
    put(t, "]");
}

/* Returns the first row of `told` with this code, or a row of zeros. */
static const int32_t *told(const given *g, int what) {
    static const int32_t nothing[3] = {0};
    for (int i = 0; i < g->n_told; i++)
        if (g->told[i][0] == what) return g->told[i];
    return nothing;
}

static void put_goal_told(text *t, const given *g) {
    const int32_t *target = told(g, SB_TOLD_TARGET), *trial = told(g, SB_TOLD_TRIAL);
    if (!target[0]) return;
    if (!trial[0]) {
        put_word(t, "target_object", objects[target[2]]);
        return;
    }
    put_key(t, "trial_info");
    put(t, "\"Trial %d/%d, target: %s\"", trial[1], trial[2], objects[target[2]]);
}

static void put_meters_told(text *t, const given *g) {
    for (int i = 0; i + 1 < g->n_told; i++) {
        const int32_t *meter = g->told[i], *rest = g->told[i + 1];
        if (meter[0] != SB_TOLD_METER) continue;
        char key[32];
        snprintf(key, sizeof key, "%s_meter", objects[meter[1]]);
        put_real(t, key, meter[2] / 100.0 + ldexp(rest[0] == SB_TOLD_METER_REST ? rest[2] : 0, -59));
    }
    if (told(g, SB_TOLD_METER_NEED)[0]) put_real(t, "meter_threshold", told(g, SB_TOLD_METER_NEED)[2] / 100.0);
}

static void put_phase_told(text *t, const given *g) {
    const int32_t *phase = told(g, SB_TOLD_PHASE);
    if (!phase[0]) return;
    put_key(t, "phase_info");
    put(t, "\"Phase %d/%d: %s%s\"", phase[1], phase[2], phases[told(g, SB_TOLD_PHASE_KIND)[2]],
        told(g, SB_TOLD_REMAPPED)[2] ? " [remapped]" : "");
}

static void put_clues_told(text *t, const given *g) {
    bool any = false;
    for (int i = 0; i < g->n_told; i++) {
        const int32_t *clue = g->told[i];
        if (clue[0] < SB_TOLD_CLUE_NORTH || clue[0] > SB_TOLD_CLUE_WEST) continue;
        const char *direction = directions[clue[0] - SB_TOLD_CLUE_NORTH];
        if (!any) put_key(t, "clues"), put(t, "[");
        any = true;
        put_comma(t);
        put(t, "{\"position\": [%d, %d], \"direction\": \"%s\", \"direction_short\": \"%c\", \"distance\": %d}",
            clue[1] % g->width, clue[1] / g->width, direction, direction[0] - 'a' + 'A', clue[2]);
    }
    if (any) put(t, "]");
}

static void put_fog(text *t, const given *g) {
    bool any = false;
    for (int x = 0; x < g->width; x++)
        for (int y = 0; y < g->height; y++) {
            if (g->metadata[y * g->width + x] != -1) continue;
            if (!any) put_key(t, "fog_cells"), put(t, "[");
            any = true;
            put_comma(t);
            put(t, "[%d, %d]", x, y);
        }
    if (any) put(t, "]");
}

static void put_annotations(text *t, const given *g) {
    put_key(t, "task_annotations");
    put(t, "{");
    put_goal_told(t, g);
    put_meters_told(t, g);
    put_phase_told(t, g);
    put_clues_told(t, g);
    if (told(g, SB_TOLD_SWITCH_MEANS)[0]) put_key(t, "lights_out"), put(t, "true");
    put_fog(t, g);
    put(t, "}");
}

static void put_valid(text *t, const given *g) {
    put_key(t, "valid_actions");
    put(t, "[");
    for (int i = 0; i < SB_N_ACTIONS; i++) {
        if (!g->valid[i]) continue;
        put_comma(t);
        put(t, "\"%s\"", actions[i]);
    }
    put(t, "]");
}

static void decode(const given *g, text *t) {
    t->n = 0;
    put(t, "{\"description\": \"A %dx%d gridworld environment\"", g->width, g->height);
    put(t, ", \"position\": {\"x\": %d, \"y\": %d}", g->agent[0], g->agent[1]);
    put_word(t, "orientation", directions[g->agent[2]]);
    put_entities(t, g, "visible_entities", SB_NONE);
    put_inventory(t, g);
    put(t, ", \"energy\": 1.0, \"health\": 1.0"); /* the same in every task */
    put_entities(t, g, "goals", SB_GOAL);
    put_entities(t, g, "threats", SB_ENEMY);
    put_annotations(t, g);
    put_valid(t, g);
    put_number(t, "step_count", told(g, SB_TOLD_STEPS)[2]);
    put_number(t, "max_steps", told(g, SB_TOLD_STEP_LIMIT)[2]);
    put(t, "}");
}

/* Decodes BabyAI's three arrays, one of which is the mission's text. */
static void decode_view(const sb_env *env, text *t) {
    uint8_t image[SIDE_MAX * SIDE_MAX * 3], direction;
    char mission[1024] = "";
    const int32_t *side = take(env, "image", image, sizeof image);
    take(env, "direction", &direction, sizeof direction);
    take(env, "mission", mission, sizeof mission - 1);
    t->n = 0;
    put(t, "{\"image\": [");
    for (int i = 0; i < side[0]; i++) {
        put_comma(t);
        put(t, "[");
        for (int j = 0; j < side[1]; j++) {
            const uint8_t *code = image + (ptrdiff_t)3 * (i * side[1] + j);
            put_comma(t);
            put(t, "[%d, %d, %d]", code[0], code[1], code[2]);
        }
        put(t, "]");
    }
    put(t, "], \"direction\": %d, \"mission\": \"%s\"}", direction, mission);
}

/* ---- Recorded states ---- */

static sb_env *env;

static void observe(const char *mode, text *t) {
    sb_error error;
    t->n = sb_observe(env, sb_mode_find(sb_family_of(env), mode, &error), t->bytes, sizeof t->bytes);
    assert_true(t->n < sizeof t->bytes);
}

static void assert_same(const text *decoded, const text *shown) {
    if (strcmp(decoded->bytes, shown->bytes) == 0) return;
    char name[SB_NAME_MAX];
    sb_name_print(sb_name_of(env), name, sizeof name);
    fail_msg("%s, step %d: the arrays tell\n%s\nand the text\n%s", name, sb_status_of(env)->steps, decoded->bytes,
             shown->bytes);
}

/* Calls `check` for the states of one rollout, every EVERY-th of them and the last. */
static void each_state(const char *name, const char *digits, void (*check)(void)) {
    sb_error error;
    sb_result result;
    assert_ok(sb_reset(env, name, &error), error);
    for (size_t i = 0; digits[i]; i++) {
        if (i % EVERY == 0) check();
        assert_ok(sb_step(env, digits[i] - '0', &result, &error), error);
    }
    check();
}

static void each_rollout(const char *name, const cJSON *recording, void (*check)(void)) {
    const cJSON *rollout;
    cJSON_ArrayForEach(rollout, cJSON_GetObjectItem(recording, "rollouts"))
        each_state(name, cJSON_GetStringValue(cJSON_GetObjectItem(rollout, "actions")), check);
}

static const char *name_of(const char *prefix, const cJSON *recording, const char *task, const char *variant) {
    static char name[SB_NAME_MAX];
    const cJSON *difficulty = cJSON_GetObjectItem(recording, variant);
    snprintf(name, sizeof name, "%s%s%s%s#%.0f", prefix, cJSON_GetStringValue(cJSON_GetObjectItem(recording, task)),
             difficulty ? "/" : "", difficulty ? cJSON_GetStringValue(difficulty) : "",
             cJSON_GetNumberValue(cJSON_GetObjectItem(recording, "seed")));
    return name;
}

/* For the present task, the number of states and whether it tells anything; and how many tasks do. */
static int n_states;
static bool speaks;
static int n_speaking;

/* Asserts that the decoder fails without the task's facts, so that no other array tells them. */
static void assert_needs_what_the_task_tells(given *g, const text *shown) {
    enum { COMMON = 2 };
    static text decoded;
    memset(g->told + COMMON, 0, sizeof g->told - sizeof *g->told * COMMON);
    decode(g, &decoded);
    assert_string_not_equal(decoded.bytes, shown->bytes);
    speaks = true;
}

static void check_state(void) {
    static given g;
    static text decoded, shown;
    take_all(env, &g);
    decode(&g, &decoded);
    observe("structured", &shown);
    assert_same(&decoded, &shown);
    n_states++;
    if (g.told[2][0] != SB_TOLD_NOTHING) assert_needs_what_the_task_tells(&g, &shown);
}

static void check_recording(const cJSON *recording) {
    each_rollout(name_of("", recording, "task", "difficulty"), recording, check_state);
}

static void arrays_tell_the_structured_observation_of_every_task(void **state) {
    (void)state;
    sb_error error;
    const sb_family *family = sb_family_find("agentick", &error);
    n_speaking = 0;
    assert_int_equal(family->n_tasks, 37);
    for (size_t i = 0; i < family->n_tasks; i++) {
        char file[64];
        const char *task = family->task(i)->name;
        snprintf(file, sizeof file, "%.*s.jsonl.gz", (int)strcspn(task, "-"), task);
        n_states = 0, speaks = false;
        assert_true(each_vector(file, check_recording) >= 30);
        assert_true(n_states >= 1000 / EVERY);
        n_speaking += speaks;
    }
    assert_int_equal(n_speaking, 6);
}

static void check_view(void) {
    static text decoded, shown;
    decode_view(env, &decoded);
    observe("view7", &shown);
    assert_same(&decoded, &shown);
    n_states++;
}

static void check_babyai(const cJSON *recording) {
    char mission[1024] = "";
    each_rollout(name_of("babyai:", recording, "id", "variant"), recording, check_view);
    take(env, "mission", mission, sizeof mission - 1);
    assert_string_equal(mission, cJSON_GetStringValue(cJSON_GetObjectItem(recording, "mission")));
}

static void arrays_tell_the_view_and_mission_of_babyai(void **state) {
    (void)state;
    n_states = 0;
    assert_int_equal(each_vector("babyai/babybench.jsonl.gz", check_babyai), 96);
    assert_int_equal(each_vector("babyai/other.jsonl.gz", check_babyai), 288);
    assert_true(n_states > 60000 / EVERY);
}

static int open_env(void **state) {
    (void)state;
    sb_error error;
    env = sb_make(NULL, NULL, &error);
    return env ? 0 : -1;
}

static int close_env(void **state) {
    (void)state;
    sb_free(env);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_tell_the_structured_observation_of_every_task),
        cmocka_unit_test(arrays_tell_the_view_and_mission_of_babyai),
    };
    return cmocka_run_group_tests(tests, open_env, close_env);
}
