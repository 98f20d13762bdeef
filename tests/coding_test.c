/* The coding API: paths against igraph on random grids, plans, codes, and what is not on a grid. */
#include "tests/coding_support.h"

#include <igraph.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Worlds drawn at random ---- */

static int8_t draw_code(sb_rng *rng, double rare, int n) {
    return sb_random(rng) < rare ? (int8_t)sb_integers(rng, 0, n) : 0;
}

static void draw_world(world *w, sb_rng *rng, int most) {
    static const int16_t metadata[] = {0, 1, 9, 10, 11, 100, -1};
    open_world(w, (int)sb_integers(rng, 1, most + 1), (int)sb_integers(rng, 1, most + 1));
    sb_episode *e = &w->episode;
    for (int i = 0; i < sb_n_cells(e); i++)
        e->cells[i] = (sb_cell){
            .terrain = draw_code(rng, 0.4, SB_N_TERRAINS + 1), /* includes one code without a name */
            .object = draw_code(rng, 0.2, SB_N_OBJECTS + 1),
            .metadata = metadata[sb_integers(rng, 0, 7)]};
    e->agent.at = sb_xy_of(e, (int)sb_integers(rng, 0, sb_n_cells(e)));
    for (int i = (int)sb_integers(rng, 0, 4); i > 0; i--) sb_take(e, SB_ITEM_KEY, i, sb_at(i, -i));
}

/* ---- Paths ---- */

static bool is_among(const sb_xy *cells, size_t n, sb_xy p) {
    for (size_t i = 0; i < n; i++)
        if (sb_same(cells[i], p)) return true;
    return false;
}

/* The published rule, written a second time. */
static bool may_enter(const sb_episode *e, const sb_path_rules *rules, sb_xy p) {
    if (!sb_inside(e, p) || is_among(rules->avoid, rules->n_avoid, p)) return false;
    if (is_among(rules->extra, rules->n_extra, p)) return true;
    const sb_cell *c = sb_peek(e, p);
    if (c->object == SB_LEVER || c->object == SB_SWITCH || (c->object == SB_DOOR && c->metadata < 10)) return false;
    if (!rules->terrain) return c->terrain != SB_WALL && c->terrain != SB_HOLE;
    for (size_t i = 0; i < rules->n_terrain; i++)
        if ((int)rules->terrain[i] == c->terrain) return true;
    return false;
}

/* Makes an edge from every cell that may be entered to each neighbour. So a path may end in any cell, but leads only
 * through cells that may be entered. */
static void build_graph(igraph_t *graph, const sb_episode *e, const sb_path_rules *rules) {
    igraph_vector_int_t edges;
    assert_int_equal(igraph_vector_int_init(&edges, 0), IGRAPH_SUCCESS);
    for (int i = 0; i < sb_n_cells(e); i++)
        for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
            const sb_xy from = sb_xy_of(e, i), to = sb_beside(from, d);
            if (!may_enter(e, rules, from) || !sb_inside(e, to)) continue;
            assert_int_equal(igraph_vector_int_push_back(&edges, i), IGRAPH_SUCCESS);
            assert_int_equal(igraph_vector_int_push_back(&edges, sb_index(e, to)), IGRAPH_SUCCESS);
        }
    assert_int_equal(igraph_create(graph, &edges, sb_n_cells(e), IGRAPH_DIRECTED), IGRAPH_SUCCESS);
    igraph_vector_int_destroy(&edges);
}

/* Counts the moves from `start` to each cell with igraph; -1 if there is no path. */
static void measure(const sb_episode *e, const sb_path_rules *rules, sb_xy start, int distance[CELLS]) {
    igraph_t graph;
    igraph_matrix_t found;
    build_graph(&graph, e, rules);
    assert_int_equal(igraph_matrix_init(&found, 0, 0), IGRAPH_SUCCESS);
    assert_int_equal(igraph_distances(&graph, &found, igraph_vss_1(sb_index(e, start)), igraph_vss_all(), IGRAPH_OUT),
                     IGRAPH_SUCCESS);
    for (int i = 0; i < sb_n_cells(e); i++) {
        const igraph_real_t moves = MATRIX(found, 0, i);
        distance[i] = may_enter(e, rules, start) && moves < CELLS ? (int)moves : -1;
    }
    igraph_matrix_destroy(&found);
    igraph_destroy(&graph);
}

static void check_steps(const sb_episode *e, const sb_path_rules *rules, const sb_xy *path, size_t n) {
    for (size_t i = 0; i + 1 < n; i++) {
        assert_true(may_enter(e, rules, path[i]));
        assert_int_equal(sb_manhattan(path[i], path[i + 1]), 1);
    }
}

typedef struct drawn_rules {
    sb_path_rules rules;
    sb_xy extra[8], avoid[8];
    sb_terrain terrain[4];
} drawn_rules;

/* Draws cells, up to two cells outside the grid. */
static size_t draw_cells(sb_xy cells[8], const sb_episode *e, sb_rng *rng) {
    const size_t n = (size_t)sb_integers(rng, 0, 9);
    for (size_t i = 0; i < n; i++)
        cells[i] = sb_at((int)sb_integers(rng, -2, e->width + 2), (int)sb_integers(rng, -2, e->height + 2));
    return n;
}

static void draw_rules(drawn_rules *drawn, const sb_episode *e, sb_rng *rng) {
    drawn->rules = (sb_path_rules){.extra = drawn->extra, .avoid = drawn->avoid};
    drawn->rules.n_extra = draw_cells(drawn->extra, e, rng);
    drawn->rules.n_avoid = draw_cells(drawn->avoid, e, rng);
    if (sb_integers(rng, 0, 2)) return;
    drawn->rules.terrain = drawn->terrain, drawn->rules.n_terrain = 4;
    for (int i = 0; i < 4; i++) drawn->terrain[i] = (sb_terrain)sb_integers(rng, 0, SB_N_TERRAINS);
}

static void check_paths_from(const world *w, const sb_path_rules *rules, sb_xy start) {
    static const sb_path_rules none;
    const sb_episode *e = &w->episode;
    int distance[CELLS];
    sb_xy path[CELLS];
    measure(e, rules ? rules : &none, start, distance);
    for (int i = 0; i < sb_n_cells(e); i++) {
        const size_t n = sb_bfs_path(&w->env, start, sb_xy_of(e, i), rules, path, CELLS);
        assert_int_equal((int)n - 1, distance[i]);
        if (n == 0) continue;
        assert_true(sb_same(path[0], start) && sb_same(path[n - 1], sb_xy_of(e, i)));
        check_steps(e, rules ? rules : &none, path, n);
    }
}

static void paths_are_as_short_as_igraph_says(void **state) {
    (void)state;
    igraph_set_error_handler(igraph_error_handler_ignore);
    sb_rng rng;
    world w;
    drawn_rules drawn;
    sb_rng_seed(&rng, 1, NULL);
    for (int trial = 0; trial < 300; trial++) {
        draw_world(&w, &rng, trial % 50 ? 12 : SB_SIDE_MAX);
        draw_rules(&drawn, &w.episode, &rng);
        check_paths_from(&w, NULL, w.episode.agent.at);
        check_paths_from(&w, &drawn.rules, sb_xy_of(&w.episode, (int)sb_integers(&rng, 0, sb_n_cells(&w.episode))));
    }
}

static void follow(sb_episode *e, const sb_action *plan, size_t n) {
    sb_result result;
    for (size_t i = 0; i < n; i++) sb_episode_step(e, plan[i], &result);
}

static sb_xy faced(const sb_episode *e) { return sb_beside(e->agent.at, (sb_direction)e->agent.facing); }

static void check_plan_to(const world *w, sb_xy goal) {
    sb_action plan[PLAN];
    sb_episode played = w->episode;
    const size_t n = sb_path_to(&w->env, goal, plan, PLAN);
    follow(&played, plan, n);
    if (n == 0)
        assert_true(sb_same(goal, w->episode.agent.at) || !sb_is_reachable(&w->env, goal));
    else if (sb_is_walkable(&w->env, goal))
        assert_true(sb_same(played.agent.at, goal));
    else
        assert_true(sb_same(faced(&played), goal));
}

static void check_interaction_with(const world *w, sb_xy goal) {
    sb_action plan[PLAN];
    sb_episode played = w->episode;
    const size_t moves = sb_path_to(&w->env, goal, NULL, 0), n = sb_interact_with(&w->env, goal, plan, PLAN);
    assert_int_equal(n, moves + 1);
    assert_int_equal(plan[n - 1], SB_INTERACT);
    follow(&played, plan, n);
    if (moves == 0 || !sb_inside(&played, faced(&played))) return;
    const plain_vars *v = SB_VARS(&played);
    assert_true(sb_same(v->hit, faced(&played)));
    assert_true(sb_same(v->hit, goal) == !sb_is_walkable(&w->env, goal)); /* otherwise the cell beyond is hit */
}

static void plans_end_where_they_should(void **state) {
    (void)state;
    sb_rng rng;
    world w;
    sb_rng_seed(&rng, 2, NULL);
    for (int trial = 0; trial < 200; trial++) {
        draw_world(&w, &rng, 10);
        for (int i = 0; i < sb_n_cells(&w.episode); i++) {
            check_plan_to(&w, sb_xy_of(&w.episode, i));
            check_interaction_with(&w, sb_xy_of(&w.episode, i));
        }
    }
}

static void moves_come_from_unit_steps_only(void **state) {
    (void)state;
    const sb_xy path[] = {{3, 3}, {3, 2}, {4, 2}, {4, 2},         {4, 3},
                          {3, 3}, {5, 3}, {6, 4}, {INT16_MIN, 4}, {INT16_MAX, 4}};
    const sb_action expected[] = {SB_MOVE_UP, SB_MOVE_RIGHT, SB_MOVE_DOWN, SB_MOVE_LEFT};
    sb_action moves[10], move = SB_NOOP;
    assert_int_equal(sb_positions_to_actions(path, 10, moves, 10), 4);
    assert_memory_equal(moves, expected, sizeof expected);
    assert_int_equal(sb_positions_to_actions(path, 1, moves, 10), 0);
    assert_int_equal(sb_positions_to_actions(NULL, 0, NULL, 0), 0);
    assert_false(sb_action_of_delta(0, 0, &move));
    assert_false(sb_action_of_delta(1, -1, &move));
    assert_false(sb_action_of_delta(INT_MAX, INT_MIN, &move));
    assert_int_equal(move, SB_NOOP);
}

/* ---- Arrays ---- */

/* A call of a function that fills an array, for one cell. */
typedef struct question {
    const sb_env *env;
    sb_xy at;
} question;
typedef size_t fill(const question *q, void *out, size_t capacity);

static size_t fill_entities(const question *q, void *out, size_t n) { return sb_entities(q->env, out, n); }
static size_t fill_entities_of(const question *q, void *out, size_t n) {
    return sb_entities_of(q->env, SB_KEY, out, n);
}
static size_t fill_positions(const question *q, void *out, size_t n) { return sb_positions(q->env, SB_KEY, out, n); }
static size_t fill_inventory(const question *q, void *out, size_t n) { return sb_inventory(q->env, out, n); }
static size_t fill_neighbors(const question *q, void *out, size_t n) { return sb_neighbors(q->env, q->at, out, n); }
static size_t fill_walkable(const question *q, void *out, size_t n) { return sb_walkable_cells(q->env, out, n); }
static size_t fill_walls(const question *q, void *out, size_t n) { return sb_walls(q->env, out, n); }
static size_t fill_path(const question *q, void *out, size_t n) {
    return sb_bfs_path(q->env, sb_agent_position(q->env), q->at, NULL, out, n);
}
static size_t fill_moves(const question *q, void *out, size_t n) {
    sb_xy path[CELLS];
    return sb_positions_to_actions(path, fill_path(q, path, CELLS), out, n);
}
static size_t fill_path_to(const question *q, void *out, size_t n) { return sb_path_to(q->env, q->at, out, n); }
static size_t fill_nearest(const question *q, void *out, size_t n) { return sb_go_to_nearest(q->env, SB_GOAL, out, n); }
static size_t fill_interact(const question *q, void *out, size_t n) { return sb_interact_with(q->env, q->at, out, n); }

static const struct filler {
    fill *fill;
    size_t item;
} fillers[] = {
    {fill_entities, sizeof(sb_entity)}, {fill_entities_of, sizeof(sb_entity)},
    {fill_positions, sizeof(sb_xy)},    {fill_inventory, sizeof(sb_item)},
    {fill_neighbors, sizeof(sb_xy)},    {fill_walkable, sizeof(sb_xy)},
    {fill_walls, sizeof(sb_xy)},        {fill_path, sizeof(sb_xy)},
    {fill_moves, sizeof(sb_action)},    {fill_path_to, sizeof(sb_action)},
    {fill_nearest, sizeof(sb_action)},  {fill_interact, sizeof(sb_action)},
};
enum { N_FILLERS = sizeof fillers / sizeof *fillers };

static void check_capacities(const question *q, const struct filler *filler) {
    static uint8_t whole[PLAN * sizeof(sb_entity)], part[sizeof whole], untouched[sizeof whole];
    memset(untouched, 0xA5, sizeof untouched);
    const size_t n = filler->fill(q, NULL, 0);
    assert_int_equal(filler->fill(q, whole, PLAN), n);
    for (size_t capacity = 0; capacity <= n; capacity++) {
        const size_t bytes = capacity * filler->item;
        memset(part, 0xA5, sizeof part);
        assert_int_equal(filler->fill(q, part, capacity), n);
        assert_memory_equal(part, whole, bytes);
        assert_memory_equal(part + bytes, untouched + bytes, n * filler->item + filler->item - bytes);
    }
}

static void arrays_hold_a_prefix_at_every_capacity(void **state) {
    (void)state;
    sb_rng rng;
    world w;
    sb_rng_seed(&rng, 3, NULL);
    for (int trial = 0; trial < 100; trial++) {
        draw_world(&w, &rng, 12);
        const question q = {&w.env, sb_xy_of(&w.episode, (int)sb_integers(&rng, 0, sb_n_cells(&w.episode)))};
        for (int i = 0; i < N_FILLERS; i++) check_capacities(&q, &fillers[i]);
    }
}

/* ---- Codes and their names ---- */

/* The four kinds of codes, so that each test tries all of them. */
static const char *terrain_name(int code) { return sb_terrain_name((sb_terrain)code); }
static const char *object_name(int code) { return sb_object_name((sb_object)code); }
static const char *item_name(int code) { return sb_item_name((sb_item_kind)code); }
static const char *direction_name(int code) { return sb_direction_name((sb_direction)code); }

static bool terrain_code(const char *name, int *out) {
    sb_terrain code = (sb_terrain)*out;
    const bool known = sb_terrain_code(name, &code);
    return *out = (int)code, known;
}
static bool object_code(const char *name, int *out) {
    sb_object code = (sb_object)*out;
    const bool known = sb_object_code(name, &code);
    return *out = (int)code, known;
}
static bool item_code(const char *name, int *out) {
    sb_item_kind code = (sb_item_kind)*out;
    const bool known = sb_item_code(name, &code);
    return *out = (int)code, known;
}
static bool direction_code(const char *name, int *out) {
    sb_direction code = (sb_direction)*out;
    const bool known = sb_direction_code(name, &code);
    return *out = (int)code, known;
}

static const struct codes {
    const char *(*name)(int code);
    bool (*code)(const char *name, int *out);
    int first, end; /* the codes, without the one after the last */
    const char *example;
    int of_example;
} all_codes[] = {
    {terrain_name, terrain_code, SB_TERRAIN_OUTSIDE, SB_N_TERRAINS, "hazard", SB_HAZARD},
    {object_name, object_code, SB_OBJECT_OUTSIDE, SB_N_OBJECTS, "door", SB_DOOR},
    {item_name, item_code, SB_ITEM_NONE, SB_N_ITEM_KINDS, "ingredient", SB_ITEM_INGREDIENT},
    {direction_name, direction_code, SB_NORTH, SB_NOWHERE + 1, "west", SB_WEST},
};
enum { N_CODES = sizeof all_codes / sizeof *all_codes };

static void every_code_has_a_name_of_its_own(void **state) {
    (void)state;
    for (const struct codes *c = all_codes; c < all_codes + N_CODES; c++) {
        assert_string_equal(c->name(c->of_example), c->example);
        for (int code = c->first; code < c->end; code++) {
            int back = 1000;
            assert_non_null(c->name(code));
            assert_true(c->code(c->name(code), &back));
            assert_int_equal(back, code);
        }
    }
}

static void names_are_read_in_any_case_but_only_complete(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "", "e", " door", "door ", "doors", "d\xc3\xb6or", "a word longer than any name"};
    for (const struct codes *c = all_codes; c < all_codes + N_CODES; c++) {
        char word[32];
        int code = 7;
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) assert_false(c->code(wrong[i], &code));
        assert_int_equal(code, 7);
        snprintf(word, sizeof word, "%s", c->example);
        for (char *letter = word; *letter; letter += 2) *letter = (char)(*letter - 'a' + 'A');
        assert_true(c->code(word, &code));
        assert_int_equal(code, c->of_example);
        word[strlen(word) - 1] = '\0';
        assert_false(c->code(word, &code));
    }
}

static void numbers_that_are_no_codes_have_no_name(void **state) {
    (void)state;
    for (const struct codes *c = all_codes; c < all_codes + N_CODES; c++) {
        const int beyond[] = {c->end, c->end + 1, c->first - 1, INT8_MIN, INT8_MAX, 1000, INT_MIN, INT_MAX};
        for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) assert_null(c->name(beyond[i]));
    }
}

static void values_of_items_have_a_word_where_they_mean_something(void **state) {
    (void)state;
    for (int kind = -2; kind < SB_N_ITEM_KINDS + 2; kind++) {
        const char *word = sb_item_property((sb_item_kind)kind);
        const bool means = kind == SB_ITEM_KEY || kind == SB_ITEM_INGREDIENT || kind == SB_ITEM_OBJECT;
        assert_int_equal(word != NULL, means);
        if (kind == SB_ITEM_KEY) assert_string_equal(word, "color");
    }
}

static void cells_answer_with_their_codes(void **state) {
    (void)state;
    world w;
    sb_entity entity;
    open_world(&w, 1, 1);
    for (int code = INT8_MIN; code <= INT8_MAX; code++) {
        w.episode.cells[0] = (sb_cell){
            .terrain = (int8_t)code, .object = (int8_t)code, .metadata = (int16_t)(3 * code)};
        assert_int_equal(sb_terrain_at(&w.env, sb_at(0, 0)), code);
        assert_int_equal(sb_object_at(&w.env, sb_at(0, 0)), code);
        assert_int_equal(sb_metadata_at(&w.env, sb_at(0, 0)), 3 * code);
        assert_int_equal(sb_entity_at(&w.env, sb_at(0, 0), &entity), code != SB_NONE);
        assert_int_equal(sb_count(&w.env, (sb_object)code), code != SB_NONE);
        if (code != SB_NONE) assert_int_equal(entity.object, code);
    }
}

static void looking_for_no_object_finds_nothing(void **state) {
    (void)state;
    world w;
    sb_entity entity = {.metadata = 42};
    sb_xy at;
    open_world(&w, 3, 2); /* six empty cells */
    w.episode.cells[4].object = SB_GEM;
    assert_int_equal(sb_count(&w.env, SB_NONE), 0);
    assert_int_equal(sb_entities_of(&w.env, SB_NONE, &entity, 1), 0);
    assert_int_equal(sb_positions(&w.env, SB_NONE, &at, 1), 0);
    assert_false(sb_nearest(&w.env, SB_NONE, &entity));
    assert_int_equal(entity.metadata, 42);
    assert_int_equal(sb_count(&w.env, SB_OBJECT_OUTSIDE), 0);
    assert_int_equal(sb_entities(&w.env, &entity, 1), 1);
    assert_int_equal(entity.object, SB_GEM);
}

static void items_are_found_by_kind(void **state) {
    (void)state;
    world w;
    open_world(&w, 3, 1);
    assert_false(sb_has(&w.env, SB_ITEM_NONE)); /* carrying nothing does not count as an item */
    w.episode.cells[1].object = SB_ORB;         /* it lies on the grid and is not carried */
    for (int kind = SB_ITEM_KEY; kind < SB_N_ITEM_KINDS; kind++) {
        w.episode.agent.n_items = 0;
        sb_take(&w.episode, (sb_item_kind)kind, 3, sb_at(1, 0));
        for (int other = SB_ITEM_KEY; other < SB_N_ITEM_KINDS; other++)
            assert_int_equal(sb_has(&w.env, (sb_item_kind)other), other == kind);
    }
}

static void entities_carry_metadata_and_items_a_value(void **state) {
    (void)state;
    world w;
    sb_entity entity;
    sb_item item;
    open_world(&w, 3, 1);
    sb_set_object(&w.episode, sb_at(2, 0), SB_DOOR, 11);
    sb_take(&w.episode, SB_ITEM_KEY, 3, sb_at(1, 0));
    assert_int_equal(sb_entities_of(&w.env, SB_DOOR, &entity, 1), 1);
    assert_int_equal(entity.metadata, 11);
    assert_int_equal(entity.distance, 2);
    assert_int_equal(sb_inventory(&w.env, &item, 1), 1);
    assert_int_equal(item.kind, SB_ITEM_KEY);
    assert_int_equal(item.value, 3);
    assert_true(sb_same(item.at, sb_at(1, 0)));
}

/* ---- Beyond the borders ---- */

static void check_outside(const world *w, sb_xy at) {
    const sb_env *env = &w->env;
    sb_entity entity;
    sb_action plan[2], move;
    assert_int_equal(sb_terrain_at(env, at), SB_TERRAIN_OUTSIDE);
    assert_int_equal(sb_object_at(env, at), SB_OBJECT_OUTSIDE);
    assert_int_equal(sb_metadata_at(env, at), 0);
    assert_false(sb_is_walkable(env, at));
    assert_false(sb_entity_at(env, at, &entity));
    assert_false(sb_is_reachable(env, at));
    assert_int_equal(sb_path_to(env, at, plan, 2), 0);
    assert_int_equal(sb_interact_with(env, at, plan, 2), 1);
    assert_int_equal(plan[0], SB_INTERACT);
    assert_true(sb_move_toward(env, at, &move));
    assert_int_equal(sb_bfs_path(env, at, sb_agent_position(env), NULL, NULL, 0), 0);
    assert_int_equal(sb_bfs_path(env, at, at, &(sb_path_rules){.extra = &at, .n_extra = 1}, NULL, 0), 0);
}

static void check_anywhere(const world *w, sb_xy at) {
    const sb_xy agent = sb_agent_position(&w->env), corner = {0, 0};
    const sb_path_rules both = {.extra = &at, .n_extra = 1, .avoid = &at, .n_avoid = 1};
    sb_xy beside[4];
    sb_action move;
    if (!sb_inside(&w->episode, at)) {
        check_outside(w, at);
        assert_int_equal(sb_bfs_path(&w->env, agent, corner, &both, NULL, 0),
                         sb_bfs_path(&w->env, agent, corner, NULL, NULL, 0));
    }
    assert_int_equal(sb_distance_to(&w->env, at), abs(agent.x - at.x) + abs(agent.y - at.y));
    assert_int_equal(sb_is_adjacent(&w->env, at), sb_distance_to(&w->env, at) == 1);
    assert_int_equal(sb_direction_to(&w->env, at) == SB_NOWHERE, sb_same(agent, at));
    for (size_t i = sb_neighbors(&w->env, at, beside, 4); i-- > 0;) {
        assert_int_equal(sb_manhattan(beside[i], at), 1);
        assert_true(sb_is_walkable(&w->env, beside[i]));
    }
    if (sb_flee_from(&w->env, at, &move)) assert_true(sb_is_walkable(&w->env, sb_beside(agent, sb_direction_of(move))));
}

static void coordinates_outside_the_grid_are_allowed(void **state) {
    (void)state;
    sb_rng rng;
    world w;
    sb_rng_seed(&rng, 4, NULL);
    for (int trial = 0; trial < 50; trial++) {
        draw_world(&w, &rng, 8);
        const int far[] = {INT16_MIN, INT16_MIN + 1, -2, -1, 0, 1, 7, 8, 255, 256, INT16_MAX - 1, INT16_MAX};
        for (int i = 0; i < 12 * 12; i++) check_anywhere(&w, sb_at(far[i / 12], far[i % 12]));
    }
}

/* ---- Worlds without a grid ---- */

static void step_elsewhere(sb_env *env, sb_action action, sb_result *result) { (void)env, (void)action, (void)result; }

static void check_nothing(const sb_env *env) {
    sb_entity entity;
    sb_action move;
    for (int x = -2; x <= 1; x++) {
        const question q = {env, sb_at(x, -1)};
        for (int i = 0; i < N_FILLERS; i++) assert_int_equal(fillers[i].fill(&q, NULL, 0), 0);
        assert_false(sb_entity_at(env, q.at, &entity));
        assert_int_equal(sb_distance_to(env, q.at), -1);
        assert_int_equal(sb_direction_to(env, q.at), SB_NOWHERE);
        assert_false(sb_is_adjacent(env, q.at));
        assert_false(sb_is_walkable(env, q.at));
        assert_false(sb_is_reachable(env, q.at));
        assert_false(sb_move_toward(env, q.at, &move));
        assert_false(sb_flee_from(env, q.at, &move));
        assert_int_equal(sb_terrain_at(env, q.at), SB_TERRAIN_OUTSIDE);
        assert_int_equal(sb_object_at(env, q.at), SB_OBJECT_OUTSIDE);
    }
    assert_false(sb_nearest(env, SB_GOAL, &entity));
    assert_int_equal(sb_count(env, SB_GOAL), 0);
    assert_false(sb_has(env, SB_ITEM_KEY));
    assert_int_equal(sb_agent_direction(env), SB_NOWHERE);
    assert_true(sb_same(sb_agent_position(env), sb_at(-1, -1)));
    assert_true(sb_same(sb_grid_size(env), sb_at(0, 0)));
    char config[8];
    assert_int_equal(sb_task_config(env, config, sizeof config), 2);
    assert_string_equal(config, "{}");
}

static void queries_find_nothing_in_a_world_without_a_grid(void **state) {
    (void)state;
    const sb_family gridless = {.name = "gridless", .step = step_elsewhere};
    int heap = 0;
    check_nothing(&(sb_env){.family = &gridless, .state = &heap});
    check_nothing(&(sb_env){.status = {.done = true}}); /* nothing was ever started */
}

/* ---- A real episode ---- */

static void check_config(const sb_env *env) {
    char text[1024], part[1024];
    sb_error error;
    const size_t n = sb_task_config(env, text, sizeof text);
    cJSON *config = sb_json_parse(text, n, &error);
    assert_ok(config != NULL, error);
    assert_true(sb_same(cell_of(cJSON_GetObjectItem(config, "agent_start")), sb_agent_position(env)));
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(config, "_door_open"))); /* this key is private */
    cJSON_Delete(config);
    assert_int_equal(sb_task_config(env, NULL, 0), n);
    for (size_t capacity = 1; capacity <= n; capacity++) {
        assert_int_equal(sb_task_config(env, part, capacity), n);
        assert_int_equal(strlen(part), capacity - 1);
        assert_memory_equal(part, text, capacity - 1);
    }
}

static void queries_work_in_a_real_episode(void **state) {
    (void)state;
    sb_error error;
    sb_env *env = sb_make(NULL, "KeyDoorPuzzle-v0/easy#0", &error);
    assert_ok(env != NULL, error);
    check_config(env);
    assert_true(sb_same(sb_grid_size(env), sb_at(9, 9)));
    assert_true(sb_same(sb_agent_position(env), sb_at(3, 1)));
    assert_int_equal(sb_agent_direction(env), SB_NORTH);
    sb_result result;
    assert_ok(sb_step(env, SB_MOVE_RIGHT, &result, &error), error);
    assert_true(sb_same(sb_agent_position(env), sb_at(4, 1)));
    assert_int_equal(sb_agent_direction(env), SB_EAST);
    assert_true(sb_has(env, SB_ITEM_KEY)); /* the key lay in that cell */
    sb_free(env);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_as_short_as_igraph_says),
        cmocka_unit_test(plans_end_where_they_should),
        cmocka_unit_test(moves_come_from_unit_steps_only),
        cmocka_unit_test(arrays_hold_a_prefix_at_every_capacity),
        cmocka_unit_test(every_code_has_a_name_of_its_own),
        cmocka_unit_test(names_are_read_in_any_case_but_only_complete),
        cmocka_unit_test(numbers_that_are_no_codes_have_no_name),
        cmocka_unit_test(values_of_items_have_a_word_where_they_mean_something),
        cmocka_unit_test(cells_answer_with_their_codes),
        cmocka_unit_test(looking_for_no_object_finds_nothing),
        cmocka_unit_test(items_are_found_by_kind),
        cmocka_unit_test(entities_carry_metadata_and_items_a_value),
        cmocka_unit_test(coordinates_outside_the_grid_are_allowed),
        cmocka_unit_test(queries_find_nothing_in_a_world_without_a_grid),
        cmocka_unit_test(queries_work_in_a_real_episode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
