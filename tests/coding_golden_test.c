/* The coding API against recorded answers of the published interface. */
#include "tests/coding_support.h"

#include <string.h>

static const char *word_of(const cJSON *arguments) { return cJSON_GetArrayItem(arguments, 0)->valuestring; }

/* Returns the object for a word of the published interface. A word that names no object finds nothing there, as SB_NONE
 * does here. */
static sb_object object_of(const cJSON *arguments) {
    sb_object object = SB_NONE;
    sb_object_code(word_of(arguments), &object);
    return object;
}

static void put_cell(sb_out *out, sb_xy cell) { sb_putf(out, "[%d,%d]", cell.x, cell.y); }

static void put_cells(sb_out *out, const sb_xy *cells, size_t n) {
    sb_puts(out, "[");
    for (size_t i = 0; i < n; i++) {
        if (i) sb_puts(out, ",");
        put_cell(out, cells[i]);
    }
    sb_puts(out, "]");
}

static void put_actions(sb_out *out, const sb_action *actions, size_t n) {
    sb_puts(out, "[");
    for (size_t i = 0; i < n; i++) sb_putf(out, "%s%d", i ? "," : "", actions[i]);
    sb_puts(out, "]");
}

static void put_named(sb_out *out, const char *name, sb_xy at, int distance) {
    sb_putf(out, "[\"%s\",", name);
    put_cell(out, at);
    sb_putf(out, ",%d]", distance);
}

static void put_entity(sb_out *out, const sb_entity *entity) {
    put_named(out, sb_object_name(entity->object), entity->at, entity->distance);
}

/* Some recorded inventories hold a `tool`, which no task lets an agent carry; an orb replaces it. */
static void put_item(sb_out *out, const sb_item *item) {
    put_named(out, item->kind == SB_ITEM_ORB ? "tool" : sb_item_name((sb_item_kind)item->kind), item->at, 0);
}

static void put_entities(sb_out *out, const sb_entity *entities, size_t n) {
    sb_puts(out, "[");
    for (size_t i = 0; i < n; i++) {
        if (i) sb_puts(out, ",");
        put_entity(out, &entities[i]);
    }
    sb_puts(out, "]");
}

static void put_optional(sb_out *out, bool there, const sb_entity *entity) {
    if (there)
        put_entity(out, entity);
    else
        sb_puts(out, "null");
}

static void put_bool(sb_out *out, bool value) { sb_puts(out, value ? "true" : "false"); }

static void get_entities(const sb_env *env, const cJSON *arguments, sb_out *out) {
    (void)arguments;
    sb_entity found[CELLS];
    put_entities(out, found, sb_entities(env, found, CELLS));
}

static void get_inventory(const sb_env *env, const cJSON *arguments, sb_out *out) {
    (void)arguments;
    sb_item found[SB_ITEMS_MAX];
    const size_t n = sb_inventory(env, found, SB_ITEMS_MAX);
    sb_puts(out, "[");
    for (size_t i = 0; i < n; i++) {
        if (i) sb_puts(out, ",");
        put_item(out, &found[i]);
    }
    sb_puts(out, "]");
}

static void get_walkable_cells(const sb_env *env, const cJSON *arguments, sb_out *out) {
    (void)arguments;
    sb_xy found[CELLS];
    put_cells(out, found, sb_walkable_cells(env, found, CELLS));
}

static void get_walls(const sb_env *env, const cJSON *arguments, sb_out *out) {
    (void)arguments;
    sb_xy found[CELLS];
    put_cells(out, found, sb_walls(env, found, CELLS));
}

static void valid_actions(const sb_env *env, const cJSON *arguments, sb_out *out) {
    (void)arguments;
    sb_action found[SB_N_ACTIONS];
    put_actions(out, found, sb_valid_actions(env, found, SB_N_ACTIONS));
}

static void get_nearest(const sb_env *env, const cJSON *arguments, sb_out *out) {
    sb_entity found;
    put_optional(out, sb_nearest(env, object_of(arguments), &found), &found);
}

static void count(const sb_env *env, const cJSON *arguments, sb_out *out) {
    sb_put_uint(out, sb_count(env, object_of(arguments)));
}

static void get_all_positions(const sb_env *env, const cJSON *arguments, sb_out *out) {
    sb_xy found[CELLS];
    put_cells(out, found, sb_positions(env, object_of(arguments), found, CELLS));
}

static void go_to_nearest(const sb_env *env, const cJSON *arguments, sb_out *out) {
    sb_action plan[PLAN];
    put_actions(out, plan, sb_go_to_nearest(env, object_of(arguments), plan, PLAN));
}

static void has_in_inventory(const sb_env *env, const cJSON *arguments, sb_out *out) {
    sb_item_kind kind;
    put_bool(out, sb_item_code(word_of(arguments), &kind) && sb_has(env, kind));
}

static void get_entity_at(const sb_env *env, const cJSON *arguments, sb_out *out) {
    sb_entity found;
    put_optional(out, sb_entity_at(env, cell_of(arguments), &found), &found);
}

static void distance_to(const sb_env *env, const cJSON *arguments, sb_out *out) {
    sb_put_int(out, sb_distance_to(env, cell_of(arguments)));
}

static void direction_to(const sb_env *env, const cJSON *arguments, sb_out *out) {
    const sb_direction direction = sb_direction_to(env, cell_of(arguments));
    if (direction == SB_NOWHERE)
        sb_puts(out, "null");
    else
        sb_put_json_string(out, sb_direction_name(direction));
}

static void is_adjacent(const sb_env *env, const cJSON *arguments, sb_out *out) {
    put_bool(out, sb_is_adjacent(env, cell_of(arguments)));
}

static void neighbors(const sb_env *env, const cJSON *arguments, sb_out *out) {
    sb_xy found[4];
    put_cells(out, found, sb_neighbors(env, cell_of(arguments), found, 4));
}

static void is_walkable(const sb_env *env, const cJSON *arguments, sb_out *out) {
    put_bool(out, sb_is_walkable(env, cell_of(arguments)));
}

static void get_cell(const sb_env *env, const cJSON *arguments, sb_out *out) {
    sb_put_json_string(out, sb_terrain_name(sb_terrain_at(env, cell_of(arguments))));
}

static void get_object(const sb_env *env, const cJSON *arguments, sb_out *out) {
    sb_put_json_string(out, sb_object_name(sb_object_at(env, cell_of(arguments))));
}

static void path_to(const sb_env *env, const cJSON *arguments, sb_out *out) {
    sb_action plan[PLAN];
    put_actions(out, plan, sb_path_to(env, cell_of(arguments), plan, PLAN));
}

static void is_reachable(const sb_env *env, const cJSON *arguments, sb_out *out) {
    put_bool(out, sb_is_reachable(env, cell_of(arguments)));
}

static void move_toward(const sb_env *env, const cJSON *arguments, sb_out *out) {
    sb_action move;
    put_actions(out, &move, sb_move_toward(env, cell_of(arguments), &move));
}

static void interact_with(const sb_env *env, const cJSON *arguments, sb_out *out) {
    sb_action plan[PLAN];
    put_actions(out, plan, sb_interact_with(env, cell_of(arguments), plan, PLAN));
}

static void flee_from(const sb_env *env, const cJSON *arguments, sb_out *out) {
    sb_action move;
    put_actions(out, &move, sb_flee_from(env, cell_of(arguments), &move));
}

static size_t read_cells(const cJSON *list, sb_xy cells[CELLS]) {
    size_t n = 0;
    const cJSON *pair;
    cJSON_ArrayForEach(pair, list) cells[n++] = cell_of(pair);
    return n;
}

static void bfs_path_positions(const sb_env *env, const cJSON *arguments, sb_out *out) {
    sb_xy extra[CELLS], avoid[CELLS], path[CELLS];
    sb_terrain terrain[16];
    const cJSON *codes = cJSON_GetArrayItem(arguments, 4), *code;
    sb_path_rules rules = {.extra = extra, .avoid = avoid};
    rules.n_extra = read_cells(cJSON_GetArrayItem(arguments, 2), extra);
    rules.n_avoid = read_cells(cJSON_GetArrayItem(arguments, 3), avoid);
    if (!cJSON_IsNull(codes)) rules.terrain = terrain;
    cJSON_ArrayForEach(code, codes) terrain[rules.n_terrain++] = (sb_terrain)code->valueint;
    const sb_xy start = cell_of(cJSON_GetArrayItem(arguments, 0)), goal = cell_of(cJSON_GetArrayItem(arguments, 1));
    const size_t n = sb_bfs_path(env, start, goal, &rules, path, CELLS);
    if (n)
        put_cells(out, path, n);
    else
        sb_puts(out, "null");
}

static struct published {
    const char *name;
    void (*answer)(const sb_env *env, const cJSON *arguments, sb_out *out);
    size_t calls;
} published[] = {
    {"get_entities", get_entities, 0},
    {"get_inventory", get_inventory, 0},
    {"get_walkable_cells", get_walkable_cells, 0},
    {"get_walls", get_walls, 0},
    {"valid_actions", valid_actions, 0},
    {"get_nearest", get_nearest, 0},
    {"count", count, 0},
    {"get_all_positions", get_all_positions, 0},
    {"go_to_nearest", go_to_nearest, 0},
    {"pickup_nearest", go_to_nearest, 0},
    {"has_in_inventory", has_in_inventory, 0},
    {"get_entity_at", get_entity_at, 0},
    {"distance_to", distance_to, 0},
    {"direction_to", direction_to, 0},
    {"is_adjacent", is_adjacent, 0},
    {"neighbors", neighbors, 0},
    {"is_walkable", is_walkable, 0},
    {"get_cell", get_cell, 0},
    {"get_object", get_object, 0},
    {"path_to", path_to, 0},
    {"is_reachable", is_reachable, 0},
    {"move_toward", move_toward, 0},
    {"interact_with", interact_with, 0},
    {"flee_from", flee_from, 0},
    {"bfs_path_positions", bfs_path_positions, 0},
};
enum { N_PUBLISHED = sizeof published / sizeof *published };

static struct published *find_published(const char *name) {
    for (size_t i = 0; i < N_PUBLISHED; i++)
        if (strcmp(published[i].name, name) == 0) return &published[i];
    fail_msg("the recording calls `%s`, which this test does not know", name);
    return NULL;
}

static int layer_value(const cJSON *line, const char *layer, int x, int y) {
    return cJSON_GetArrayItem(cJSON_GetArrayItem(cJSON_GetObjectItem(line, layer), y), x)->valueint;
}

static void read_world(world *w, const cJSON *line) {
    const cJSON *terrain = cJSON_GetObjectItem(line, "terrain"), *agent = cJSON_GetObjectItem(line, "agent"), *item;
    open_world(w, cJSON_GetArraySize(terrain->child), cJSON_GetArraySize(terrain));
    sb_episode *e = &w->episode;
    for (int i = 0; i < sb_n_cells(e); i++) {
        const sb_xy p = sb_xy_of(e, i);
        e->cells[i] = (sb_cell){.terrain = (int8_t)layer_value(line, "terrain", p.x, p.y),
                                .object = (int8_t)layer_value(line, "objects", p.x, p.y),
                                .metadata = (int16_t)layer_value(line, "metadata", p.x, p.y)};
    }
    e->agent.at = sb_at(cJSON_GetArrayItem(agent, 0)->valueint, cJSON_GetArrayItem(agent, 1)->valueint);
    e->agent.facing = (uint8_t)cJSON_GetArrayItem(agent, 2)->valueint;
    int i = 0;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(line, "inventory")) {
        const bool key = strcmp(item->valuestring, "key") == 0;
        sb_take(e, key ? SB_ITEM_KEY : SB_ITEM_ORB, 0, sb_at(i, i));
        i++;
    }
}

static void check_call(const sb_env *env, const cJSON *call) {
    char text[32768];
    sb_out out = sb_out_fixed(text, sizeof text);
    struct published *function = find_published(cJSON_GetArrayItem(call, 0)->valuestring);
    function->answer(env, cJSON_GetArrayItem(call, 1), &out);
    function->calls++;
    sb_out_finish(&out);
    char *expected = cJSON_PrintUnformatted(cJSON_GetArrayItem(call, 2));
    if (strcmp(expected, text) != 0) {
        char *arguments = cJSON_PrintUnformatted(cJSON_GetArrayItem(call, 1));
        fail_msg("%s%s is %s, not %s", function->name, arguments, expected, text);
    }
    cJSON_free(expected);
}

static void check_line(const cJSON *line) {
    world w;
    const cJSON *call;
    read_world(&w, line);
    cJSON_ArrayForEach(call, cJSON_GetObjectItem(line, "calls")) check_call(&w.env, call);
}

static void answers_equal_those_of_the_published_interface(void **state) {
    (void)state;
    assert_true(each_vector("coding-api.jsonl.gz", check_line) > 0);
    for (size_t i = 0; i < N_PUBLISHED; i++)
        if (published[i].calls == 0) fail_msg("no recording calls %s", published[i].name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_equal_those_of_the_published_interface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
