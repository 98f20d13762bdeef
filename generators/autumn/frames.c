#include "generators/autumn/family.h"

#include <string.h>

#include "base/error.h"
#include "generators/autumn/challenges/test.h"
#include "generators/autumn/colours.h"
#include "generators/autumn/observe.h"
#include "generators/autumn/variants.h"

/* ---- Palettes ---------------------------------------------------------------------------------------------------- */

/* The colours that a program can draw are among its strings. So the palette is known before anything is drawn: known
 * colours in the order in which the program names them, then all others as one, and places off the grid. */
enum { OTHERS = 2, KNOWN = SB_FRAME_COLOURS - OTHERS };

typedef struct palette {
    uint8_t colours[SB_FRAME_COLOURS]; /* colours by their numbers in generators/autumn/colours.h */
    uint8_t places[SB_N_COLOURS];      /* by colour: its place in the palette */
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

/* Of the challenges, planning shows what the program draws; the others show frames only in part, and more than frames.
 */
static bool shape(const sb_env *env, sb_frame_shape *shape) {
    palette p;
    const int32_t side = env->shape.click_width;
    const size_t variant = sb_autumn_variant_in(env);
    if (sb_autumn_is_challenge(variant) && sb_autumn_kind_of(variant) != SB_AUTUMN_PLANNING) return false;
    if (!find_palette(env, &p)) return false;
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
    const sb_autumn_test *test = sb_autumn_episode_of(env)->test;
    const bool reached = test && test->answered;
    *standing = (sb_frame_standing){.n_frames = !env->status.fault && !(test && test->idle),
                                    .level = 1,
                                    .completed = reached,
                                    .state = reached ? "WIN" : "NOT_FINISHED"};
}

static void draw(const sb_env *env, uint8_t *frame) {
    palette p;
    const size_t side = (size_t)env->shape.click_width;
    find_palette(env, &p);
    sb_autumn_state_colours(sb_autumn_episode_of(env), frame, 1, side);
    for (size_t i = 0; i < side * side; i++) frame[i] = p.places[frame[i]];
}

static void frames(const sb_env *env, const sb_frame_taker *taker) {
    uint8_t frame[SB_FRAME_SIDE * SB_FRAME_SIDE];
    draw(env, frame);
    taker->take(taker->context, frame);
}

/* The goal holds strings of the program; the background is drawn as it is written. */
static bool goal(const sb_env *env, uint8_t *frame) {
    const sb_autumn_episode *e = sb_autumn_episode_of(env);
    const uint32_t *strings = e->test ? e->test->goal : NULL;
    const uint32_t background = sb_autumn_background(e->state);
    palette p;
    if (!strings) return false;
    find_palette(env, &p);
    for (size_t i = 0, n = (size_t)e->compiled->side * (size_t)e->compiled->side; i < n; i++) {
        const uint8_t *colours = strings[i] == background ? e->compiled->exact : e->compiled->lower;
        frame[i] = strings[i] == UINT32_MAX ? SB_FRAME_ANY : p.places[colours[strings[i]]];
    }
    return true;
}

/* The buttons of a challenge behind the keys begin something anew, or end it. */
static void offers(const sb_env *env, bool *mask) {
    const bool acts_only = sb_autumn_is_challenge(sb_autumn_variant_in(env));
    memset(mask, true, sb_mask_size(&env->shape));
    for (int32_t i = SB_AUTUMN_N_BUTTONS; acts_only && i < env->shape.n_buttons; i++) mask[i] = false;
}

/* ---- States ------------------------------------------------------------------------------------------------------ */

static bool enter(sb_env *env, int32_t level) {
    sb_error ignored;
    int32_t max_steps;
    if (level != 1) return false;
    return sb_autumn_episode_of(env)->test ? sb_autumn_test_again(env)
                                           : sb_autumn_episode_start(env, &max_steps, &ignored);
}

static void save(const sb_env *env, sb_out *out) {
    const sb_autumn_episode *e = sb_autumn_episode_of(env);
    sb_autumn_save(e->state, out);
    if (e->test) sb_autumn_test_save(e->test, out);
}

static bool restore(sb_env *env, const char *bytes, size_t n, sb_error *error) {
    const sb_autumn_episode *e = sb_autumn_episode_of(env);
    const size_t of_test = e->test ? sb_autumn_test_restore(e->test, bytes, n) : 0;
    return ((!e->test || of_test) && sb_autumn_restore(e->state, bytes, n - of_test)) ||
           sb_fail(error, SB_INVALID, "these %zu bytes are not a saved state of %s", n, env->task->name);
}

const sb_frame_source sb_autumn_frames = {.shape = shape,
                                          .colour = colour,
                                          .levels = levels,
                                          .stand = stand,
                                          .frames = frames,
                                          .draw = draw,
                                          .goal = goal,
                                          .offers = offers,
                                          .enter = enter,
                                          .save = save,
                                          .restore = restore};
