/* The published observation as numbers: the image of the view, the direction and the mission's text. */
#include "engine/minigrid/minigrid.h"

enum { IMAGE, DIRECTION, MISSION };
enum {
    SIDE = SB_MG_VIEW_DEFAULT,
    MISSION_TEXT = 352 /* bytes of the longest text: four times `put the yellow object in front of you next to ...` */
};

const sb_array sb_mg_arrays[SB_MG_N_ARRAYS] = {
    [IMAGE] = {.name = "image", .type = SB_UINT8, .rank = 3},
    [DIRECTION] = {.name = "direction", .type = SB_UINT8, .values = 4},
    [MISSION] = {.name = "mission", .type = SB_CHAR, .rank = 1, .constant = true},
};

void sb_minigrid_shape(const sb_task_info *task, size_t difficulty, sb_shape *shape) {
    (void)difficulty;
    const sb_mg_level *level = (const sb_mg_level *)task; /* its info comes first */
    shape->n_buttons = SB_MG_N_ACTIONS;
    shape->max_steps = level->most_steps(level);
    shape->extent[IMAGE][0] = shape->extent[IMAGE][1] = SIDE, shape->extent[IMAGE][2] = 3;
    shape->extent[MISSION][0] = MISSION_TEXT;
}

/* The published array is indexed [i][j]. */
static void fill_image(const sb_mg_world *w, uint8_t *out) {
    uint8_t view[3 * SIDE * SIDE];
    sb_mg_view(w, SIDE, view);
    for (ptrdiff_t i = 0; i < SIDE; i++)
        for (ptrdiff_t j = 0; j < SIDE; j++) memcpy(out + 3 * (i * SIDE + j), view + 3 * (j * SIDE + i), 3);
}

static void fill_mission(const sb_mg_world *w, char *out) {
    memset(out, 0, MISSION_TEXT);
    sb_out text = sb_out_fixed(out, MISSION_TEXT);
    sb_mg_put_mission(&text, &w->mission);
}

void sb_minigrid_fill(const sb_env *env, size_t array, void *numbers) {
    const sb_mg_world *w = env->state;
    if (array == IMAGE)
        fill_image(w, numbers);
    else if (array == DIRECTION)
        *(uint8_t *)numbers = w->facing;
    else
        fill_mission(w, numbers);
}
