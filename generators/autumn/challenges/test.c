#include "generators/autumn/challenges/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/exp.h"
#include "base/hash.h"

const char *const sb_autumn_phase_names[3] = {"interaction", "test", "choice"};

static sb_autumn_challenge_kind kind_of(const sb_autumn_test *t) { return t->posed->challenge.name.kind; }

/* ---- Scores ------------------------------------------------------------------------------------------------------ */

void sb_autumn_score_change(uint32_t submitted, uint32_t changed, double *printed, double *zero) {
    *printed = *zero = 0;
    if (!changed || submitted + 1 < changed) return;
    *printed = *zero = 1;
    if (submitted <= changed) return;
    const double r = (double)submitted / changed, u = r * sb_exp(-r), f = 1 / (1 - u);
    *printed = 1.377 * f - 1.178;
    if (*printed > 1) *printed = 1;
    if (*printed < 0) *printed = 0;
    *zero = (sb_exp(1) - 1) * (f - 1);
}

static void end(sb_autumn_test *t, sb_result *result, double score, double zero) {
    t->score = score, t->score_zero = zero;
    result->terminated = true;
    result->success = score >= 1;
    result->reward = result->dense = score;
}

/* ---- Beginning --------------------------------------------------------------------------------------------------- */

void sb_autumn_test_shape(size_t variant, sb_shape *shape) {
    static const int32_t buttons[] = {SB_AUTUMN_N_MFP_BUTTONS, SB_AUTUMN_N_SHARED_BUTTONS, SB_AUTUMN_N_CHANGE_BUTTONS};
    static const int32_t steps[] = {SB_AUTUMN_MFP_STEPS, SB_AUTUMN_PLANNING_STEPS,
                                    SB_AUTUMN_CHANGE_STEPS + SB_AUTUMN_CHOICE_STEPS};
    shape->n_buttons = buttons[sb_autumn_kind_of(variant)];
    shape->max_steps = SB_AUTUMN_INTERACTION_STEPS + steps[sb_autumn_kind_of(variant)];
}

uint32_t sb_autumn_phase_limit(const sb_autumn_test *t) {
    if (t->phase == SB_AUTUMN_INTERACTION) return SB_AUTUMN_INTERACTION_STEPS;
    if (t->phase == SB_AUTUMN_CHOOSING) return SB_AUTUMN_CHOICE_STEPS;
    if (kind_of(t) == SB_AUTUMN_MFP) return SB_AUTUMN_MFP_STEPS;
    return kind_of(t) == SB_AUTUMN_PLANNING ? t->posed->challenge.horizon : SB_AUTUMN_CHANGE_STEPS;
}

void sb_autumn_test_free(sb_autumn_test *t) {
    if (!t) return;
    sb_autumn_posed_release(t->posed);
    sb_autumn_changing_free(t->changing);
    free(t->goal), free(t->strings), free(t->frames), free(t->sizes);
    free(t);
}

static bool out_of_memory(sb_error *error) { return sb_fail(error, SB_MEMORY, "out of memory for a test"); }

/* Turns the goal into strings of the program, which are compared in every step. */
static bool read_goal(sb_autumn_test *t, const sb_autumn_program *program, sb_error *error) {
    const sb_autumn_challenge *c = &t->posed->challenge;
    const uint32_t n = c->size * c->size, n_strings = sb_autumn_n_strings(program);
    if (!(t->goal = malloc(n * sizeof *t->goal)) || !(t->strings = malloc(n * sizeof *t->strings)))
        return out_of_memory(error);
    for (uint32_t i = 0; i < n; i++) {
        t->goal[i] = UINT32_MAX;
        if (!c->mask[i]) continue;
        const char *const colour = c->colours[c->frames[i]];
        for (t->goal[i] = 0; t->goal[i] < n_strings; t->goal[i]++)
            if (strcmp(sb_autumn_string(program, t->goal[i]), colour) == 0) break;
        if (t->goal[i] == n_strings)
            return sb_fail(error, SB_MISMATCH, "the goal has a colour that the program lacks: `%.30s`", colour);
    }
    return true;
}

/* Frames of other sizes are cut, or have room left, so they need as many strings as the first. */
static bool make_frames(sb_autumn_test *t, sb_error *error) {
    enum { MOST = SB_AUTUMN_CHANGE_STEPS + 1 };
    t->cells = (size_t)t->posed->challenge.size * t->posed->challenge.size;
    t->frames = malloc(MOST * t->cells * sizeof *t->frames);
    t->sizes = malloc(MOST * sizeof *t->sizes);
    return (t->frames && t->sizes) || out_of_memory(error);
}

static bool make_changed(sb_autumn_test *t, const sb_env *env, sb_error *error) {
    const char *text = sb_autumn_task_of(env->task)->text;
    const sb_autumn_challenge *c = &t->posed->challenge;
    bool no_memory;
    t->changing = sb_autumn_changing_new(text, strlen(text), c->edits, c->n_edits, &no_memory);
    if (t->changing) return make_frames(t, error);
    return no_memory ? out_of_memory(error) : sb_fail(error, SB_MISMATCH, "the change does not fit the program");
}

/* The noise of a phase; with same_noise there is only that of the test. */
static uint64_t noise(const sb_env *env, const sb_autumn_test *t) {
    if (sb_autumn_has_same_noise(sb_autumn_variant_in(env)) || t->phase != SB_AUTUMN_INTERACTION)
        return sb_autumn_noise(env->name.seed, "test", 0);
    return sb_autumn_noise(env->name.seed, "interaction", t->resets);
}

static bool begin_program(const sb_env *env) {
    sb_autumn_episode *e = env->state;
    if (!sb_autumn_start(e->state, SB_AUTUMN_PCG64, env->name.seed, NULL)) return false;
    sb_autumn_reseed(e->state, noise(env, e->test));
    return true;
}

bool sb_autumn_test_start(sb_env *env, int32_t *max_steps, sb_error *error) {
    sb_autumn_episode *e = env->state;
    sb_autumn_test *t = calloc(1, sizeof *t);
    sb_autumn_test_free(e->test);
    e->test = t;
    if (!t) return out_of_memory(error);
    if (!(t->posed = sb_autumn_pose(env, error)) ||
        (kind_of(t) == SB_AUTUMN_PLANNING && !read_goal(t, e->compiled->program, error)) ||
        (kind_of(t) == SB_AUTUMN_CHANGE && !make_changed(t, env, error)))
        return false;
    const uint32_t horizon = t->posed->challenge.horizon;
    if (horizon > SB_AUTUMN_PLANNING_STEPS) return sb_fail(error, SB_MISMATCH, "the horizon is %u", horizon);
    *max_steps = env->shape.max_steps;
    if (kind_of(t) == SB_AUTUMN_PLANNING) *max_steps = SB_AUTUMN_INTERACTION_STEPS + (int32_t)horizon;
    return begin_program(env) || sb_autumn_fail(sb_autumn_fault_of(e->state), env->name.task, error);
}

bool sb_autumn_test_again(sb_env *env) {
    sb_autumn_test *t = ((sb_autumn_episode *)env->state)->test;
    t->phase = SB_AUTUMN_INTERACTION;
    t->resets = t->interactions = t->steps = t->at = 0;
    t->seen_all = t->answered = t->idle = false;
    t->score = t->score_zero = 0;
    return begin_program(env);
}

/* ---- Change ------------------------------------------------------------------------------------------------------ */

static void keep_frame(sb_autumn_test *t) {
    const sb_autumn_state *state = sb_autumn_changing_state(t->changing);
    const uint32_t side = t->posed->challenge.size, size = sb_autumn_size(state) < side ? sb_autumn_size(state) : side;
    uint16_t *const frame = t->frames + t->n_frames * t->cells;
    uint32_t row[SB_AUTUMN_SIZE_MAX];
    for (uint32_t y = 0; y < size; y++) {
        sb_autumn_row(state, y, row);
        for (uint32_t x = 0; x < size; x++) frame[y * size + x] = (uint16_t)row[x];
    }
    t->sizes[t->n_frames++] = (uint16_t)size;
}

static bool begin_change(const sb_env *env, sb_autumn_test *t) {
    if (!sb_autumn_changing_begin(t->changing, &t->posed->challenge.guard, env->name.seed, noise(env, t))) return false;
    t->n_frames = 0;
    t->history[0] = t->history[1] = 0;
    keep_frame(t);
    return true;
}

static void note(sb_autumn_test *t, sb_action action) {
    const uint64_t with[3] = {t->history[0], t->history[1], (uint64_t)action};
    sb_hash128(with, sizeof with, t->history);
}

static void act_under_change(const sb_env *env, sb_autumn_test *t, sb_action action, sb_result *result) {
    note(t, action);
    if (action == SB_AUTUMN_DECLARE && t->n_frames > 1) {
        t->phase = SB_AUTUMN_CHOOSING, t->steps = 0, t->at = 0;
        return;
    }
    if (!sb_autumn_is_event(env, action)) return;
    if (sb_autumn_changing_step(t->changing, sb_autumn_event_of(env, action)))
        keep_frame(t);
    else
        result->fault = true;
}

static void choose_frame(sb_autumn_test *t, sb_action action, sb_result *result) {
    const sb_action frame = action - SB_AUTUMN_CHOOSE_FRAME;
    if (frame >= 0 && frame < (sb_action)t->n_frames) t->at = (uint32_t)frame;
    if (action != SB_AUTUMN_SUBMIT) return;
    double printed, zero;
    t->answered = true, t->submitted = t->at;
    sb_autumn_score_change(t->at, sb_autumn_changing_acted(t->changing), &printed, &zero);
    end(t, result, printed, zero);
}

/* ---- Planning ---------------------------------------------------------------------------------------------------- */

static bool reached_goal(const sb_autumn_test *t, const sb_autumn_state *state) {
    const uint32_t size = t->posed->challenge.size;
    if (sb_autumn_size(state) != size) return false;
    sb_autumn_frame(state, t->strings);
    for (uint32_t i = 0; i < size * size; i++)
        if (t->goal[i] != UINT32_MAX && t->goal[i] != t->strings[i]) return false;
    return true;
}

/* The first frame is not compared, and the episode ends at the first match (protocol 4). */
static void act_to_goal(const sb_env *env, sb_autumn_test *t, sb_action action, sb_result *result) {
    const sb_autumn_episode *e = env->state;
    if (!sb_autumn_is_event(env, action)) return;
    if (!sb_autumn_step(e->state, sb_autumn_event_of(env, action), NULL))
        result->fault = true;
    else if (reached_goal(t, e->state))
        t->answered = true, end(t, result, 1, 1);
}

/* ---- Prediction -------------------------------------------------------------------------------------------------- */

static void predict(sb_autumn_test *t, sb_action action, sb_result *result) {
    const sb_autumn_challenge *c = &t->posed->challenge;
    if (action == SB_AUTUMN_NEXT && t->at < c->n_actions) t->at++;
    if (action == SB_AUTUMN_REWIND && t->seen_all && t->at > 0) t->at--;
    t->seen_all |= t->at == c->n_actions;
    if (!t->seen_all || action < SB_AUTUMN_OPTION || action >= SB_AUTUMN_N_MFP_BUTTONS) return;
    const double score = (uint32_t)(action - SB_AUTUMN_OPTION) == c->answer;
    t->answered = true;
    end(t, result, score, score);
}

/* ---- Interaction ------------------------------------------------------------------------------------------------- */

static bool begin_test(const sb_env *env, sb_autumn_test *t) {
    t->phase = SB_AUTUMN_TESTING, t->steps = 0;
    if (kind_of(t) == SB_AUTUMN_CHANGE) return begin_change(env, t);
    return kind_of(t) == SB_AUTUMN_MFP || begin_program(env);
}

static void interact(const sb_env *env, sb_autumn_test *t, sb_action action, sb_result *result) {
    const sb_autumn_episode *e = env->state;
    t->interactions++;
    if (action == SB_AUTUMN_RESET) {
        t->resets++;
        result->fault = !begin_program(env);
    } else if (sb_autumn_is_event(env, action)) {
        result->fault = !sb_autumn_step(e->state, sb_autumn_event_of(env, action), NULL);
    }
    if (!result->fault && (action == SB_AUTUMN_GO_TO_TEST || t->interactions == SB_AUTUMN_INTERACTION_STEPS))
        result->fault = !begin_test(env, t);
}

/* Whether the program shows no new frame after an action, not even an equal one. */
static bool is_idle(const sb_env *env, const sb_autumn_test *t, sb_action action) {
    return !sb_autumn_is_event(env, action) && (t->phase != SB_AUTUMN_INTERACTION || action == SB_AUTUMN_QUIT);
}

/* An action that does not belong to the phase does nothing, but counts (protocol 2). */
void sb_autumn_test_step(sb_env *env, sb_action action, sb_result *result) {
    sb_autumn_test *t = ((sb_autumn_episode *)env->state)->test;
    *result = (sb_result){0};
    t->steps++;
    t->idle = is_idle(env, t, action);
    if (action == SB_AUTUMN_QUIT)
        end(t, result, 0, 0);
    else if (t->phase == SB_AUTUMN_INTERACTION)
        interact(env, t, action, result);
    else if (t->phase == SB_AUTUMN_CHOOSING)
        choose_frame(t, action, result);
    else if (kind_of(t) == SB_AUTUMN_MFP)
        predict(t, action, result);
    else if (kind_of(t) == SB_AUTUMN_PLANNING)
        act_to_goal(env, t, action, result);
    else
        act_under_change(env, t, action, result);
    const bool goes_on = !result->terminated && !result->fault && t->phase != SB_AUTUMN_INTERACTION;
    result->truncated = goes_on && t->steps >= sb_autumn_phase_limit(t);
}

const sb_autumn_fault *sb_autumn_test_fault(const sb_autumn_episode *e) {
    const sb_autumn_test *t = e->test;
    if (!t->changing || t->phase == SB_AUTUMN_INTERACTION) return sb_autumn_fault_of(e->state);
    return sb_autumn_changing_fault(t->changing);
}

/* ---- What is offered --------------------------------------------------------------------------------------------- */

void sb_autumn_test_valid(const sb_env *env, bool *mask) {
    const sb_autumn_test *t = sb_autumn_episode_of(env)->test;
    const bool acts = t->phase == SB_AUTUMN_INTERACTION ||
                      (t->phase == SB_AUTUMN_TESTING && kind_of(t) != SB_AUTUMN_MFP);
    memset(mask, false, sb_mask_size(&env->shape));
    for (sb_action a = 0; acts && a < SB_AUTUMN_N_BUTTONS; a++) mask[a] = true;
    mask[env->shape.n_buttons] = acts; /* clicks */
    mask[SB_AUTUMN_RESET] = mask[SB_AUTUMN_GO_TO_TEST] = t->phase == SB_AUTUMN_INTERACTION;
    mask[SB_AUTUMN_QUIT] = true;
    if (t->phase == SB_AUTUMN_INTERACTION) return;
    if (kind_of(t) == SB_AUTUMN_MFP) {
        mask[SB_AUTUMN_NEXT] = true, mask[SB_AUTUMN_REWIND] = t->seen_all;
        for (int k = 0; k < SB_AUTUMN_CHOICES; k++) mask[SB_AUTUMN_OPTION + k] = t->seen_all;
    } else if (t->phase == SB_AUTUMN_CHOOSING) {
        mask[SB_AUTUMN_SUBMIT] = true;
        for (uint32_t k = 0; k < t->n_frames; k++) mask[SB_AUTUMN_CHOOSE_FRAME + k] = true;
    } else if (kind_of(t) == SB_AUTUMN_CHANGE) {
        mask[SB_AUTUMN_DECLARE] = t->n_frames > 1;
    }
}

/* Actions that do not belong to the phase are masked: they do nothing but count, as all do. The others are masked where
 * the program cannot tell them from a noop, unless it is changed: what the changed program reads is hidden. */
void sb_autumn_test_effective(const sb_env *env, bool *mask) {
    const sb_autumn_test *t = sb_autumn_episode_of(env)->test;
    const bool is_changed = t->phase == SB_AUTUMN_TESTING && kind_of(t) == SB_AUTUMN_CHANGE;
    bool belongs[SB_MASK_MAX];
    sb_autumn_test_valid(env, belongs);
    sb_autumn_effective_events(env, mask);
    for (size_t i = 0; i < sb_mask_size(&env->shape); i++) mask[i] = (mask[i] || is_changed) && belongs[i];
    mask[SB_AUTUMN_NOOP] = true;
}

const char *sb_autumn_test_button(size_t variant, sb_action button, char room[32]) {
    static const char *const shared[] = {"reset", "go-to-test", "quit"};
    static const char *const of_mfp[] = {"step", "rewind"};
    static const char *const of_change[] = {"I found the change!", "Submit choice"};
    const sb_autumn_challenge_kind kind = sb_autumn_kind_of(variant);
    if (button < SB_AUTUMN_N_SHARED_BUTTONS) return shared[button - SB_AUTUMN_N_BUTTONS];
    if (kind == SB_AUTUMN_MFP && button < SB_AUTUMN_OPTION) return of_mfp[button - SB_AUTUMN_NEXT];
    if (kind == SB_AUTUMN_MFP && button < SB_AUTUMN_N_MFP_BUTTONS)
        return snprintf(room, 32, "choose_option_%d", button - SB_AUTUMN_OPTION), room;
    if (kind == SB_AUTUMN_CHANGE && button < SB_AUTUMN_CHOOSE_FRAME) return of_change[button - SB_AUTUMN_DECLARE];
    if (kind == SB_AUTUMN_CHANGE && button < SB_AUTUMN_N_CHANGE_BUTTONS)
        return snprintf(room, 32, "choose_frame_%d", button - SB_AUTUMN_CHOOSE_FRAME), room;
    return NULL;
}

/* ---- States ------------------------------------------------------------------------------------------------------ */

/* What decides the future of a planning challenge beside the program. How much of the test is over decides only when it
 * ends. */
typedef struct saved_test {
    uint32_t phase, resets, interactions, answered;
} saved_test;

void sb_autumn_test_save(const sb_autumn_test *t, sb_out *out) {
    const bool interacts = t->phase == SB_AUTUMN_INTERACTION;
    const saved_test saved = {.phase = t->phase,
                              .resets = interacts ? t->resets : 0,
                              .interactions = interacts ? t->interactions : 0,
                              .answered = t->answered};
    sb_put_any(out, (const char *)&saved, sizeof saved);
}

size_t sb_autumn_test_restore(sb_autumn_test *t, const char *bytes, size_t n) {
    saved_test saved;
    if (n < sizeof saved) return 0;
    memcpy(&saved, bytes + n - sizeof saved, sizeof saved);
    t->phase = (sb_autumn_phase)saved.phase;
    t->resets = saved.resets, t->interactions = saved.interactions, t->answered = saved.answered;
    return sizeof saved;
}

/* ---- Copies and keys --------------------------------------------------------------------------------------------- */

/* Makes the parts that a test of this challenge has, unless they are there. */
static bool make_parts(sb_autumn_test *t, const sb_autumn_test *like, sb_error *error) {
    const size_t cells = (size_t)like->posed->challenge.size * like->posed->challenge.size;
    if (like->goal && !t->goal) {
        t->goal = malloc(cells * sizeof *t->goal), t->strings = malloc(cells * sizeof *t->strings);
        if (!t->goal || !t->strings) return out_of_memory(error);
        memcpy(t->goal, like->goal, cells * sizeof *t->goal);
    }
    if (like->changing && !t->changing) {
        if (!(t->changing = sb_autumn_changing_twin(like->changing))) return out_of_memory(error);
        return make_frames(t, error);
    }
    return true;
}

static sb_autumn_test *test_like(sb_autumn_episode *e, const sb_autumn_test *like, sb_error *error) {
    if (e->test && e->test->posed == like->posed) return e->test;
    sb_autumn_test_free(e->test);
    if (!(e->test = calloc(1, sizeof *e->test))) return out_of_memory(error), NULL;
    e->test->posed = sb_autumn_posed_share(like->posed);
    return make_parts(e->test, like, error) ? e->test : NULL;
}

bool sb_autumn_test_copy(sb_autumn_episode *to, const sb_autumn_episode *from, sb_error *error) {
    const sb_autumn_test *source = from->test;
    if (!source) return sb_autumn_test_free(to->test), to->test = NULL, true;
    sb_autumn_test *const t = test_like(to, source, error);
    if (!t) return false;
    const sb_autumn_test own = *t;
    *t = *source;
    t->goal = own.goal, t->strings = own.strings, t->frames = own.frames, t->sizes = own.sizes;
    t->changing = own.changing;
    if (!source->changing || source->phase == SB_AUTUMN_INTERACTION) return true;
    memcpy(t->frames, source->frames, source->n_frames * source->cells * sizeof *t->frames);
    memcpy(t->sizes, source->sizes, source->n_frames * sizeof *t->sizes);
    return sb_autumn_changing_copy(t->changing, source->changing) || out_of_memory(error);
}

/* How many steps are left does not count, as in exploration. */
void sb_autumn_test_add_key(const sb_autumn_test *t, uint64_t key[2]) {
    const bool interacts = t->phase == SB_AUTUMN_INTERACTION;
    const bool plays = interacts || kind_of(t) == SB_AUTUMN_PLANNING; /* else e->state is left over */
    const uint64_t all[] = {plays ? key[0] : 0, plays ? key[1] : 0, t->phase,      interacts ? t->resets : 0,
                            plays ? 0 : t->at,  t->seen_all,        t->history[0], t->history[1]};
    sb_hash128(all, sizeof all, key);
}

/* ---- What is shown ----------------------------------------------------------------------------------------------- */

static bool shows_prediction(const sb_autumn_test *t) {
    return t && t->phase == SB_AUTUMN_TESTING && kind_of(t) == SB_AUTUMN_MFP;
}

static const sb_autumn_state *shown_state(const sb_autumn_episode *e) {
    const bool changed = e->test && e->test->changing && e->test->phase == SB_AUTUMN_TESTING;
    return changed ? sb_autumn_changing_state(e->test->changing) : e->state;
}

uint32_t sb_autumn_shown_size(const sb_autumn_episode *e) {
    const sb_autumn_test *t = e->test;
    if (shows_prediction(t)) return t->posed->challenge.size;
    if (t && t->phase == SB_AUTUMN_CHOOSING) return t->sizes[t->at];
    return sb_autumn_size(shown_state(e));
}

static void predicted_row(const sb_autumn_test *t, uint32_t y, const char **colours) {
    const sb_autumn_challenge *c = &t->posed->challenge;
    const uint8_t *row = c->frames + ((size_t)t->at * c->size + y) * c->size, *mask = c->mask + y * c->size;
    const bool masked = t->at + c->masked > c->n_actions;
    for (uint32_t x = 0; x < c->size; x++) colours[x] = masked && mask[x] ? NULL : c->colours[row[x]];
}

void sb_autumn_shown_row(const sb_autumn_episode *e, uint32_t y, const char *colours[SB_AUTUMN_SIZE_MAX]) {
    const sb_autumn_test *t = e->test;
    uint32_t row[SB_AUTUMN_SIZE_MAX];
    if (shows_prediction(t)) {
        predicted_row(t, y, colours);
    } else if (t && t->phase == SB_AUTUMN_CHOOSING) {
        const uint32_t size = t->sizes[t->at];
        const uint16_t *shown = t->frames + t->at * t->cells + (size_t)y * size;
        const sb_autumn_program *program = sb_autumn_changing_program(t->changing);
        for (uint32_t x = 0; x < size; x++) colours[x] = sb_autumn_string(program, shown[x]);
    } else {
        const sb_autumn_state *state = shown_state(e);
        sb_autumn_row(state, y, row);
        for (uint32_t x = 0; x < sb_autumn_size(state); x++)
            colours[x] = sb_autumn_string(sb_autumn_program_of(state), row[x]);
    }
}
