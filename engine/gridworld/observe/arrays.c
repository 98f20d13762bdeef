/* The observation as numbers: the layers and the agent of the published `state_dict`, with fogged cells hidden, and the
 * facts beside the grid. */
#include "engine/gridworld/gridworld.h"
#include "engine/gridworld/tell.h"

enum { TERRAIN, OBJECTS, METADATA, AGENT, INVENTORY, TOLD };
enum { AGENT_NUMBERS = 3, ITEM_NUMBERS = 2, TOLD_NUMBERS = 3 };

const sb_array sb_gridworld_arrays[SB_N_GRIDWORLD_ARRAYS] = {
    [TERRAIN] = {.name = "terrain", .type = SB_INT8, .rank = 2, .values = SB_N_TERRAINS},
    [OBJECTS] = {.name = "objects", .type = SB_INT8, .rank = 2, .values = SB_N_OBJECTS},
    [METADATA] = {.name = "metadata", .type = SB_INT16, .rank = 2},
    [AGENT] = {.name = "agent", .type = SB_INT16, .rank = 1},         /* x, y, facing */
    [INVENTORY] = {.name = "inventory", .type = SB_INT16, .rank = 2}, /* kind and value; 0 and 0 in unused rows */
    [TOLD] = {.name = "told", .type = SB_INT32, .rank = 2},           /* what, which, value: sb_told_what */
};

void sb_gridworld_shape(const sb_task_info *info, size_t difficulty, sb_shape *shape) {
    const sb_extent *extent = &((const sb_task *)info)->extents[difficulty]; /* a task begins with its info */
    shape->n_buttons = SB_N_ACTIONS;
    shape->max_steps = extent->max_steps;
    for (int array = TERRAIN; array <= METADATA; array++)
        shape->extent[array][0] = extent->height, shape->extent[array][1] = extent->width;
    shape->extent[AGENT][0] = AGENT_NUMBERS;
    shape->extent[INVENTORY][0] = SB_ITEMS_MAX, shape->extent[INVENTORY][1] = ITEM_NUMBERS;
    shape->extent[TOLD][0] = SB_TOLD_ROWS, shape->extent[TOLD][1] = TOLD_NUMBERS;
}

static void fill_terrain(const sb_episode *e, int8_t *out) {
    for (int i = 0; i < sb_n_cells(e); i++) out[i] = sb_fogged(&e->cells[i]) ? SB_EMPTY : e->cells[i].terrain;
}

static void fill_objects(const sb_episode *e, int8_t *out) {
    for (int i = 0; i < sb_n_cells(e); i++) out[i] = sb_fogged(&e->cells[i]) ? SB_NONE : e->cells[i].object;
}

static void fill_metadata(const sb_episode *e, int16_t *out) {
    for (int i = 0; i < sb_n_cells(e); i++) out[i] = e->cells[i].metadata;
}

static void fill_agent(const sb_episode *e, int16_t *out) {
    out[0] = e->agent.at.x, out[1] = e->agent.at.y, out[2] = e->agent.facing;
}

static void fill_inventory(const sb_episode *e, int16_t *out) {
    memset(out, 0, sizeof(int16_t[SB_ITEMS_MAX][ITEM_NUMBERS]));
    for (int i = 0; i < e->agent.n_items; i++, out += ITEM_NUMBERS)
        out[0] = (int16_t)e->items[i].kind, out[1] = e->items[i].value;
}

static void fill_told(const sb_episode *e, int32_t *out) {
    sb_told told;
    sb_tell_all(e, &told);
    memcpy(out, told.rows, sizeof told.rows);
}

void sb_gridworld_fill(const sb_env *env, size_t array, void *numbers) {
    const sb_episode *e = sb_episode_of(env);
    switch (array) {
    case TERRAIN: fill_terrain(e, numbers); break;
    case OBJECTS: fill_objects(e, numbers); break;
    case METADATA: fill_metadata(e, numbers); break;
    case AGENT: fill_agent(e, numbers); break;
    case INVENTORY: fill_inventory(e, numbers); break;
    case TOLD: fill_told(e, numbers); break;
    }
}
