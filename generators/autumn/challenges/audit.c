/* The audit by replay (challenges 6): everything that a challenge says is played again. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "generators/autumn/challenges/changing.h"

/* Turns the frames of a challenge into strings of the program, in a copy. NULL with an error. */
static uint8_t *in_strings(const sb_autumn_study *s, const sb_autumn_challenge *c, const uint8_t *cells, size_t n,
                           sb_error *error) {
    uint8_t strings[UINT8_MAX + 1];
    for (uint32_t i = 0; i < c->n_colours; i++) {
        uint32_t k = 0;
        while (k < sb_autumn_n_strings(s->program) && strcmp(sb_autumn_string(s->program, k), c->colours[i]) != 0) k++;
        if (k == sb_autumn_n_strings(s->program))
            return sb_fail(error, SB_MISMATCH, "the program has no colour `%.30s`", c->colours[i]), NULL;
        strings[i] = (uint8_t)k;
    }
    uint8_t *const copy = malloc(n);
    if (!copy) return sb_fail(error, SB_MEMORY, "out of memory for an audit"), NULL;
    for (size_t i = 0; i < n; i++) copy[i] = strings[cells[i]];
    return copy;
}

/* ---- The attempt ------------------------------------------------------------------------------------------------- */

/* Whether two challenges are written in the same lines. */
static bool same_lines(const sb_autumn_challenge *a, const sb_autumn_challenge *b) {
    sb_out lines[2] = {sb_out_growing(), sb_out_growing()}, answer = sb_out_growing();
    for (int i = 0; i < 2; i++) {
        sb_out_clear(&answer);
        sb_autumn_challenge_put(i ? b : a, &lines[i], &answer);
        sb_put_out(&lines[i], &answer);
    }
    const bool same = sb_out_ok(&lines[0]) && sb_out_ok(&lines[1]) && lines[0].size == lines[1].size &&
                      memcmp(lines[0].data, lines[1].data, lines[0].size) == 0;
    sb_out_free(&lines[0]), sb_out_free(&lines[1]), sb_out_free(&answer);
    return same;
}

/* Some of the other contents come from courses that are drawn, so the attempt that gave the challenge is made again. Of
 * the attempts before it only one thing matters: whether a limit ended one. */
static bool check_attempt(sb_autumn_study *s, const sb_autumn_challenge *c, sb_error *error) {
    bool same = false;
    if (!sb_autumn_study_explore(s)) return sb_fail(error, SB_MEMORY, "out of memory for an audit");
    for (uint32_t unknown = 0; unknown < 2 && !same; unknown++) {
        sb_autumn_why why;
        sb_autumn_challenge again;
        s->unknown = unknown;
        const sb_autumn_try result = sb_autumn_attempt(s, &c->name, c->attempt, &again, &why);
        same = result == SB_AUTUMN_FOUND && same_lines(&again, c);
        sb_autumn_challenge_clear(&again);
        if (result == SB_AUTUMN_NO_MEMORY) return sb_fail(error, SB_MEMORY, "out of memory for an audit");
    }
    return same || sb_fail(error, SB_MISMATCH, "its attempt gives something else");
}

/* ---- Masked frame prediction ------------------------------------------------------------------------------------- */

static bool check_frames(sb_autumn_study *s, const sb_autumn_challenge *c, const uint8_t *frames, sb_error *error) {
    if (!sb_autumn_copy(s->a, s->start)) return sb_fail(error, SB_MEMORY, "out of memory for an audit");
    for (uint32_t t = 0; t <= c->n_actions; t++) {
        if ((t && !sb_autumn_step(s->a, c->actions[t - 1], NULL)) || !sb_autumn_study_frame(s, s->a, s->frame))
            return sb_fail(error, SB_MISMATCH, "step %u fails", t);
        if (memcmp(s->frame, frames + (size_t)t * s->n_cells, s->n_cells) != 0)
            return sb_fail(error, SB_MISMATCH, "frame %u is not what the actions lead to", t);
    }
    return true;
}

/* The answer must be the content of the last frame, and the only option that is. */
static bool check_options(const sb_autumn_challenge *c, sb_error *error) {
    const uint32_t n = c->size * c->size;
    uint8_t *const content = malloc(c->n_mask);
    if (!content) return sb_fail(error, SB_MEMORY, "out of memory for an audit");
    for (uint32_t i = 0, at = 0; i < n; i++)
        if (c->mask[i]) content[at++] = c->frames[(size_t)c->n_actions * n + i];
    bool ok = true;
    for (uint32_t k = 0; ok && k < SB_AUTUMN_CHOICES; k++) {
        const uint8_t *option = c->options + (size_t)k * c->n_mask;
        if ((memcmp(option, content, c->n_mask) == 0) != (k == c->answer))
            ok = sb_fail(error, SB_MISMATCH, "option %u %s the content of the last frame", k,
                         k == c->answer ? "is the answer but not" : "is not the answer but");
        for (uint32_t other = 0; ok && other < k; other++)
            if (memcmp(option, c->options + (size_t)other * c->n_mask, c->n_mask) == 0)
                ok = sb_fail(error, SB_MISMATCH, "options %u and %u are the same", other, k);
        if (ok && (c->causes[k] == 0) != (k == c->answer)) ok = sb_fail(error, SB_MISMATCH, "the causes are wrong");
    }
    free(content);
    return ok;
}

bool sb_autumn_audit_mfp(sb_autumn_study *s, const sb_autumn_challenge *c, sb_error *error) {
    const size_t n = (size_t)(c->n_actions + 1) * s->n_cells;
    uint8_t *const frames = in_strings(s, c, c->frames, n, error);
    if (!frames) return false;
    sb_autumn_proof proof;
    uint32_t largest;
    bool ok = check_frames(s, c, frames, error) && check_options(c, error);
    if (ok && !sb_autumn_is_certain(s, c, frames, &proof, &largest))
        ok = sb_fail(error, SB_MISMATCH, "the answer is not certain");
    else if (ok && (proof != c->proof || largest != c->largest))
        ok = sb_fail(error, SB_MISMATCH, "the certificate is another");
    if (c->version != 1) ok = ok && check_attempt(s, c, error);
    free(frames);
    return ok;
}

/* ---- Planning ---------------------------------------------------------------------------------------------------- */

static bool check_plan(sb_autumn_study *s, const sb_autumn_challenge *c, const uint8_t *goal, sb_error *error) {
    uint32_t reached = UINT32_MAX;
    if (!sb_autumn_copy(s->a, s->start)) return sb_fail(error, SB_MEMORY, "out of memory for an audit");
    for (uint32_t t = 0; t <= c->n_actions; t++) {
        if (t && !sb_autumn_step(s->a, c->actions[t - 1], NULL))
            return sb_fail(error, SB_MISMATCH, "step %u of the plan fails", t);
        if (reached == UINT32_MAX && sb_autumn_goal_holds(s, c, goal, s->a)) reached = t;
    }
    if (reached == UINT32_MAX) return sb_fail(error, SB_MISMATCH, "the plan does not lead to the goal");
    if (reached == 0) return sb_fail(error, SB_MISMATCH, "the goal holds at the start");
    return reached == c->n_actions || sb_fail(error, SB_MISMATCH, "the goal is reached before the plan's end");
}

static bool check_waiting(sb_autumn_study *s, const sb_autumn_challenge *c, const uint8_t *goal, sb_error *error) {
    enum { NOOPS = 1000 };
    if (!sb_autumn_copy(s->a, s->start)) return sb_fail(error, SB_MEMORY, "out of memory for an audit");
    for (uint32_t t = 0; t < NOOPS && sb_autumn_step(s->a, (sb_autumn_event){0}, NULL); t++)
        if (sb_autumn_goal_holds(s, c, goal, s->a)) return sb_fail(error, SB_MISMATCH, "the goal comes by waiting");
    return true;
}

/* Colours are numbered as they come in the goal, and there are no others. */
static bool check_colours(const sb_autumn_challenge *c, sb_error *error) {
    uint32_t met = 0;
    for (uint32_t i = 0; i < c->size * c->size; i++)
        if (c->mask[i] && c->frames[i] >= met && c->frames[i] != met++)
            return sb_fail(error, SB_MISMATCH, "the colours are not numbered as they come in the goal");
    for (uint32_t i = 0; i < c->n_colours; i++)
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(c->colours[i], c->colours[k]) == 0)
                return sb_fail(error, SB_MISMATCH, "two colours are the same");
    return met == c->n_colours || sb_fail(error, SB_MISMATCH, "there are colours that the goal does not have");
}

bool sb_autumn_audit_planning(sb_autumn_study *s, const sb_autumn_challenge *c, sb_error *error) {
    if (c->largest) return sb_fail(error, SB_MISMATCH, "a plan holds no states");
    if (!check_colours(c, error)) return false;
    uint8_t *const goal = in_strings(s, c, c->frames, s->n_cells, error);
    if (!goal) return false;
    bool ok = check_plan(s, c, goal, error) && check_waiting(s, c, goal, error);
    if (ok && !sb_autumn_is_short(s, c, goal))
        ok = sb_fail(error, SB_MISMATCH, "the plan has actions that can be left out");
    if (ok && c->version != 1) ok = sb_autumn_is_goal(c, error);
    if (ok && (c->horizon != sb_autumn_horizon(c) || !sb_autumn_is_of_level(c)))
        ok = sb_fail(error, SB_MISMATCH, "the horizon or the level does not go with the plan");
    free(goal);
    return ok;
}

/* ---- Change detection -------------------------------------------------------------------------------------------- */

/* Checks a frame of the example, `same` as without the change or not: only in the last one the change acts. */
static bool check_acting(uint32_t t, bool last, bool acted, bool same, sb_error *error) {
    if (acted != last) return sb_fail(error, SB_MISMATCH, "the change acts in another step than the example says");
    return same != last || sb_fail(error, SB_MISMATCH, "frame %u differs where it must not, or agrees", t);
}

/* Checks what the tracker says of a frame. */
static bool check_verdict(uint32_t t, bool last, sb_autumn_verdict verdict, sb_error *error) {
    const bool impossible = verdict == SB_AUTUMN_IMPOSSIBLE;
    if (last && !impossible) return sb_fail(error, SB_MISMATCH, "the last frame is not proved to be impossible");
    return last || !impossible || sb_fail(error, SB_MISMATCH, "frame %u is impossible before the change acts", t);
}

/* Follows the example under the unchanged program: what is shown must be possible up to the last frame, and this one
 * impossible. */
static bool check_defect(sb_autumn_study *s, const sb_autumn_challenge *c, sb_autumn_changing *test, sb_error *error) {
    sb_autumn_tracker *const tracker = sb_autumn_tracker_new(s->program, &sb_autumn_changing_limits);
    uint32_t *const shown = malloc(s->n_cells * sizeof *shown), *const base = malloc(s->n_cells * sizeof *base);
    bool *const open = malloc(s->n_cells * sizeof *open);
    bool ok = tracker && shown && base && open && sb_autumn_copy(s->a, s->start) &&
              sb_autumn_tracker_begin(tracker, s->start);
    if (!ok) sb_fail(error, SB_MEMORY, "out of memory for an audit");
    sb_autumn_verdict verdict = SB_AUTUMN_POSSIBLE;
    for (uint32_t t = 1; ok && t <= c->n_actions; t++) {
        const sb_autumn_event event = c->actions[t - 1];
        const bool last = t == c->n_actions;
        ok = sb_autumn_changing_step(test, event) && sb_autumn_step(s->a, event, NULL);
        if (!ok) sb_fail(error, SB_MISMATCH, "step %u of the example fails", t);
        ok = ok && (sb_autumn_changing_strings(test, s, shown) ||
                    sb_fail(error, SB_MISMATCH, "frame %u has another size or unknown colours", t));
        if (!ok) break;
        const bool acted = sb_autumn_changing_acted(test) != 0;
        const bool same = sb_autumn_study_frame(s, s->a, s->frame) && sb_autumn_same(s, shown);
        ok = check_acting(t, last, acted, same, error);
        if (ok && last && sb_autumn_clean_contradicts(&s->clean, s->a, shown, s->size, base, open)) break;
        if (ok && !sb_autumn_tracker_step(tracker, event, (sb_autumn_shown){s->size, shown}, &verdict))
            ok = sb_fail(error, SB_MEMORY, "out of memory for an audit");
        ok = ok && check_verdict(t, last, verdict, error);
    }
    sb_autumn_tracker_free(tracker);
    free(shown), free(base), free(open);
    return ok;
}

bool sb_autumn_audit_change(sb_autumn_study *s, const sb_autumn_challenge *c, sb_error *error) {
    bool no_memory;
    uint32_t largest;
    if (c->n_colours) return sb_fail(error, SB_MISMATCH, "a change shows no colours");
    if (c->version != 1 && c->guard.cells != sb_autumn_least_change(c->name.level))
        return sb_fail(error, SB_MISMATCH, "the guard asks for another number of cells than this level");
    if (!sb_autumn_is_mutation(s, c)) return sb_fail(error, SB_MISMATCH, "the edits are no change of this kind");
    sb_autumn_changing *const test = sb_autumn_changing_new(s->text, s->n, c->edits, c->n_edits, &no_memory);
    if (!test)
        return no_memory ? sb_fail(error, SB_MEMORY, "out of memory for an audit")
                         : sb_fail(error, SB_MISMATCH, "the edits do not fit the program");
    bool ok = sb_autumn_changing_begin(test, &c->guard, c->name.seed, sb_autumn_noise(c->name.seed, "test", 0)) ||
              sb_fail(error, SB_MISMATCH, "the changed program cannot start");
    ok = ok && check_defect(s, c, test, error);
    if (ok && (sb_autumn_changing_proof(test, &largest) != c->proof || largest != c->largest ||
               sb_autumn_changing_differences(test, sb_autumn_changing_unchanged(test),
                                              sb_autumn_changing_state(test)) != c->cells))
        ok = sb_fail(error, SB_MISMATCH, "the certificate is another");
    sb_autumn_changing_free(test);
    return ok;
}
