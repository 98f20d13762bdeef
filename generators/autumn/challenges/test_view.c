#include "generators/autumn/challenges/test_view.h"

#include <string.h>

#include "base/json.h"
#include "base/visible.h"

/* ---- Panels ------------------------------------------------------------------------------------------------------ */

/* What can be drawn: the frame, the goal of a plan, and the options of a prediction. */
enum { FRAME = -2, GOAL = -1 /* options are numbered from 0 */ };

static const sb_autumn_challenge *challenge_of(const sb_autumn_episode *e) {
    return e->test ? &e->test->posed->challenge : NULL;
}

static bool shows_goal(const sb_autumn_episode *e) {
    return e->test && e->test->phase == SB_AUTUMN_TESTING && challenge_of(e)->name.kind == SB_AUTUMN_PLANNING;
}

static bool predicts(const sb_autumn_episode *e) {
    return e->test && e->test->phase == SB_AUTUMN_TESTING && challenge_of(e)->name.kind == SB_AUTUMN_MFP;
}

static bool shows_options(const sb_autumn_episode *e) { return predicts(e) && e->test->seen_all; }

static uint32_t height_of(const sb_autumn_episode *e, int panel) {
    if (panel == FRAME) return sb_autumn_shown_size(e);
    return panel == GOAL ? challenge_of(e)->size : e->test->posed->height;
}

static uint32_t width_of(const sb_autumn_episode *e, int panel) {
    return panel >= 0 ? e->test->posed->width : height_of(e, panel);
}

/* Options hold the cells of the mask, row by row. */
static void option_row(const sb_autumn_posed *posed, int option, uint32_t y, const char **colours) {
    const sb_autumn_challenge *c = &posed->challenge;
    const uint8_t *cells = c->options + (size_t)option * c->n_mask;
    const uint32_t first = (posed->top + y) * c->size + posed->left;
    for (uint32_t i = 0; i < first; i++) cells += c->mask[i];
    for (uint32_t x = 0; x < posed->width; x++) colours[x] = c->mask[first + x] ? c->colours[*cells++] : NULL;
}

static void panel_row(const sb_autumn_episode *e, int panel, uint32_t y, const char *colours[SB_AUTUMN_SIZE_MAX]) {
    const sb_autumn_challenge *c = challenge_of(e);
    if (panel == FRAME)
        sb_autumn_shown_row(e, y, colours);
    else if (panel == GOAL)
        for (uint32_t x = 0, i = y * c->size; x < c->size; x++, i++)
            colours[x] = c->mask[i] ? c->colours[c->frames[i]] : NULL;
    else
        option_row(e->test->posed, panel, y, colours);
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

enum { SIGNS = 61 };
static const char sign_text[SIGNS + 2] = ".123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/* The colours of all panels, in order of first appearance; those without a sign are written as `!`. */
typedef struct palette {
    const char *colours[SIGNS];
    size_t n;
} palette;

static size_t place_of(const palette *p, const char *colour) {
    size_t i = 0;
    while (i < p->n && strcmp(p->colours[i], colour) != 0) i++;
    return i;
}

static void collect(palette *p, const sb_autumn_episode *e, int panel) {
    const char *row[SB_AUTUMN_SIZE_MAX];
    for (uint32_t y = 0; y < height_of(e, panel); y++) {
        panel_row(e, panel, y, row);
        for (uint32_t x = 0; x < width_of(e, panel); x++)
            if (row[x] && p->n < SIGNS && place_of(p, row[x]) == p->n) p->colours[p->n++] = row[x];
    }
}

static void put_panel(const palette *p, const sb_autumn_episode *e, int panel, sb_out *out) {
    const char *row[SB_AUTUMN_SIZE_MAX];
    for (uint32_t y = 0; y < height_of(e, panel); y++) {
        panel_row(e, panel, y, row);
        sb_putc(out, '\n');
        for (uint32_t x = 0; x < width_of(e, panel); x++) {
            const size_t place = row[x] ? place_of(p, row[x]) : 0;
            sb_putc(out, !row[x] ? '?' : place < p->n ? sign_text[place] : '!');
        }
    }
}

/* The action that led to the frame which is shown (protocol 3). */
static void put_cause(sb_out *out, const sb_autumn_test *t) {
    if (t->at == 0)
        sb_puts(out, "start");
    else
        sb_autumn_put_event(out, t->posed->challenge.actions[t->at - 1]);
}

/* Where in the test the agent is, on one line. */
static void put_standing(const sb_autumn_episode *e, sb_out *out) {
    const sb_autumn_test *t = e->test;
    sb_putf(out, "\n%s: step %u of %u", sb_autumn_phase_names[t->phase], t->steps, sb_autumn_phase_limit(t));
    if (t->phase == SB_AUTUMN_CHOOSING) sb_putf(out, "; frame %u of %u", t->at, t->n_frames - 1);
    if (!predicts(e)) return;
    sb_putf(out, "; frame %u of %u, after ", t->at, t->posed->challenge.n_actions);
    put_cause(out, t);
}

void sb_autumn_put_shown_compact(const sb_env *env, sb_out *out) {
    const sb_autumn_episode *e = sb_autumn_episode_of(env);
    const int options = shows_options(e) ? SB_AUTUMN_CHOICES : 0;
    palette p = {.n = 0};
    collect(&p, e, FRAME);
    if (shows_goal(e)) collect(&p, e, GOAL);
    for (int k = 0; k < options; k++) collect(&p, e, k);
    for (size_t i = 0; i < p.n; i++) {
        sb_putf(out, "%s%c ", i ? ", " : "", sign_text[i]);
        sb_put_visible(out, p.colours[i]);
    }
    put_panel(&p, e, FRAME, out);
    put_standing(e, out);
    if (shows_goal(e)) sb_puts(out, "\ngoal (? does not count):"), put_panel(&p, e, GOAL, out);
    for (int k = 0; k < options; k++) sb_putf(out, "\noption %d:", k), put_panel(&p, e, k, out);
}

/* ---- Documents --------------------------------------------------------------------------------------------------- */

static void put_grid(const sb_autumn_episode *e, int panel, sb_out *out) {
    const char *row[SB_AUTUMN_SIZE_MAX] = {NULL};
    sb_puts(out, "[");
    for (uint32_t y = 0; y < height_of(e, panel); y++) {
        panel_row(e, panel, y, row);
        sb_puts(out, y ? ", [" : "[");
        for (uint32_t x = 0; x < width_of(e, panel); x++) {
            if (x) sb_puts(out, ", ");
            sb_put_json_string(out, row[x] ? row[x] : SB_AUTUMN_MASKED);
        }
        sb_puts(out, "]");
    }
    sb_puts(out, "]");
}

void sb_autumn_put_shown(const sb_autumn_episode *e, sb_out *out) { put_grid(e, FRAME, out); }

static void member_grid(sb_out *out, const char *key, const sb_autumn_episode *e, int panel) {
    sb_put_key(out, key);
    put_grid(e, panel, out);
}

static void put_prediction(const sb_autumn_episode *e, sb_out *out) {
    const sb_autumn_test *t = e->test;
    sb_put_key(out, "video_location");
    sb_putf(out, "\"%u/%u\"", t->at, t->posed->challenge.n_actions);
    sb_put_key(out, "action_took");
    sb_puts(out, "\""), put_cause(out, t), sb_puts(out, "\"");
    sb_member_bool(out, "is_finished", t->seen_all);
    if (!t->seen_all) return;
    sb_put_key(out, "choices");
    sb_puts(out, "[");
    for (int k = 0; k < SB_AUTUMN_CHOICES; k++) sb_put_comma(out), put_grid(e, k, out);
    sb_puts(out, "]");
}

static void put_highlight(const sb_autumn_challenge *c, sb_out *out) {
    sb_put_key(out, "highlight_mask");
    sb_puts(out, "[");
    for (uint32_t y = 0; y < c->size; y++) {
        sb_puts(out, y ? ", [" : "[");
        for (uint32_t x = 0; x < c->size; x++) sb_putf(out, x ? ", %d" : "%d", c->mask[y * c->size + x]);
        sb_puts(out, "]");
    }
    sb_puts(out, "]");
}

static void put_test(const sb_autumn_episode *e, sb_out *out) {
    const sb_autumn_test *t = e->test;
    sb_member_text(out, "kind", sb_autumn_challenge_names[challenge_of(e)->name.kind]);
    sb_member_text(out, "phase", sb_autumn_phase_names[t->phase]);
    sb_member_uint(out, "step", t->steps);
    sb_member_uint(out, "limit", sb_autumn_phase_limit(t));
    if (shows_goal(e)) member_grid(out, "goal", e, GOAL), put_highlight(challenge_of(e), out);
    if (predicts(e)) put_prediction(e, out);
    if (t->phase != SB_AUTUMN_CHOOSING) return;
    sb_member_uint(out, "frame", t->at);
    sb_member_uint(out, "frames", t->n_frames);
}

void sb_autumn_put_challenge(const sb_env *env, sb_out *out) {
    const sb_autumn_episode *e = sb_autumn_episode_of(env);
    sb_puts(out, "{");
    member_grid(out, "render", e, FRAME);
    if (e->test) put_test(e, out);
    sb_puts(out, "}");
}

/* ---- Instructions ------------------------------------------------------------------------------------------------ */

static const char beginning[] =
    "You are in front of a grid of coloured cells that follows rules which nobody has told you. First you are in the "
    "interactive phase: act as you like, in order to learn the rules. `left`, `right`, `up`, `down`, `click x y` "
    "(column "
    "x, row y, from 0 at the top left) and `noop` take one step each. `reset` starts anew and costs nothing but a "
    "step. "
    "When you know enough, choose `go-to-test`; after 300 steps the test begins by itself.";

static const char *const tests[SB_AUTUMN_N_CHALLENGES] = {
    [SB_AUTUMN_MFP] = "In the test you watch a course of this world, with the actions that were taken. In the last "
                      "frames a part of the grid is masked. `step` shows the next frame. From the last frame on there "
                      "are six options for what is under the mask then: `choose_option_0` to `choose_option_5` ends "
                      "the test, and `rewind` goes back a frame. You score 1 if your option is the right one, and 0 "
                      "otherwise.",
    [SB_AUTUMN_PLANNING] = "In the test you begin anew in this world, and you are shown a goal for some cells of the "
                           "grid. Act until these cells have the colours of the goal. You score 1 as soon as they do, "
                           "and 0 if you run out of steps. There is no reset.",
    [SB_AUTUMN_CHANGE] =
        "In the test you begin anew in this world, but at some moment one of its rules changes. Act, "
        "and when something happens that cannot happen under the rules you know, choose `I found the "
        "change!`. Then look at the frames so far with `choose_frame_0`, `choose_frame_1` and so on, "
        "and choose `Submit choice` at the first one that shows the change. You score 1 for this frame "
        "and the one before it, less for later ones, and 0 for earlier ones. There is no reset.",
};

void sb_autumn_put_instructions(const sb_env *env, sb_out *out) {
    if (!sb_autumn_is_challenge(sb_autumn_variant_in(env))) return;
    sb_puts(out, beginning);
    sb_puts(out, "\n\n");
    sb_puts(out, tests[sb_autumn_kind_of(sb_autumn_variant_in(env))]);
    sb_puts(out, " `quit` ends everything with score 0.");
}
