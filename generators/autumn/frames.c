#include "generators/autumn/frames.h"

#include <string.h>

#include "base/error.h"
#include "generators/autumn/colours.h"
#include "generators/autumn/observe.h"
#include "generators/autumn/variants.h"

/* ---- Palettes ---------------------------------------------------------------------------------------------------- */

/* The colours that a program can draw are among its strings. So the palette is known before anything is drawn: known
 * colours in the order in which the program names them, then all others as one, and places off the grid. */
enum { OTHERS = 2, KNOWN = SB_FRAME_COLOURS - OTHERS };

typedef struct palette {
    uint8_t colours[SB_FRAME_COLOURS]; /* generators/autumn/colours.h */
    uint8_t places[SB_N_COLOURS];      /* of each colour */
    int32_t n;
} palette;

static bool find_palette(const sb_env *env, palette *p) {
    const sb_autumn_compiled *compiled = sb_autumn_episode_of(env)->compiled;
    const uint32_t n = sb_autumn_n_strings(compiled->program);
    bool has[SB_N_COLOURS] = {false};
    p->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t colour = compiled->lower[i];
        if (colour == SB_OTHER_COLOUR || has[colour]) continue;
        if (p->n == KNOWN) return false;
        has[colour] = true;
        p->places[colour] = (uint8_t)p->n;
        p->colours[p->n++] = colour;
    }
    p->places[SB_OTHER_COLOUR] = (uint8_t)p->n, p->colours[p->n++] = SB_OTHER_COLOUR;
    p->places[SB_NO_COLOUR] = (uint8_t)p->n, p->colours[p->n++] = SB_NO_COLOUR;
    return true;
}

/* Tests show frames only in part, and more than frames. */
static bool shape(const sb_env *env, sb_frame_shape *shape) {
    palette p;
    const int32_t side = sb_autumn_task_of(env->task)->side;
    if (sb_autumn_is_challenge(env->difficulty_index) || !find_palette(env, &p)) return false;
    *shape = (sb_frame_shape){.width = side, .height = side, .n_colours = p.n};
    return true;
}

static const char *colour(const sb_env *env, int32_t place) {
    palette p;
    find_palette(env, &p);
    if (p.colours[place] == SB_OTHER_COLOUR) return "other";
    return p.colours[place] == SB_NO_COLOUR ? "none" : sb_colour_name(p.colours[place]);
}

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

static int32_t levels(const sb_env *env) {
    (void)env;
    return 1;
}

static void stand(const sb_env *env, sb_frame_standing *standing) {
    *standing = (sb_frame_standing){.n_frames = !env->status.fault, .level = 1, .state = "NOT_FINISHED"};
}

static void draw(const sb_env *env, uint8_t *frame) {
    palette p;
    const size_t side = (size_t)env->shape.click_width;
    find_palette(env, &p);
    sb_autumn_colours(env, frame, 1, side);
    for (size_t i = 0; i < side * side; i++) frame[i] = p.places[frame[i]];
}

static void frames(const sb_env *env, const sb_frame_taker *taker) {
    uint8_t frame[SB_FRAME_SIDE * SB_FRAME_SIDE];
    draw(env, frame);
    taker->take(taker->context, frame);
}

static void offers(const sb_env *env, bool *mask) { memset(mask, true, sb_mask_size(&env->shape)); }

/* ---- States ------------------------------------------------------------------------------------------------------ */

static bool enter(sb_env *env, int32_t level) {
    sb_error ignored;
    int32_t max_steps;
    return level == 1 && sb_autumn_episode_start(env, &max_steps, &ignored);
}

static void save(const sb_env *env, sb_out *out) { sb_autumn_save(sb_autumn_state_of(env), out); }

static bool restore(sb_env *env, const char *bytes, size_t n, sb_error *error) {
    return sb_autumn_restore(sb_autumn_episode_of(env)->state, bytes, n) ||
           sb_fail(error, SB_INVALID, "%zu bytes are no state of %s", n, env->task->name);
}

const sb_frame_source sb_autumn_frames = {.shape = shape,
                                          .colour = colour,
                                          .levels = levels,
                                          .stand = stand,
                                          .frames = frames,
                                          .draw = draw,
                                          .offers = offers,
                                          .enter = enter,
                                          .save = save,
                                          .restore = restore};
