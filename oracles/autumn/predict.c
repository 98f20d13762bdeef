#include <stdlib.h>
#include <string.h>

#include "oracles/autumn/insider.h"

/* Reads frame t as it is shown in the test. */
static void read_frame(const sb_autumn_program *program, const sb_autumn_challenge *c, uint32_t t, uint32_t *strings) {
    const uint32_t n = c->size * c->size;
    const bool masked = t + c->masked > c->n_actions;
    for (uint32_t i = 0; i < n; i++)
        strings[i] = masked && c->mask[i] ? SB_AUTUMN_UNSEEN
                                          : sb_autumn_insider_string(program, c->colours[c->frames[(size_t)t * n + i]]);
}

/* In how many cells of the mask an option differs from a state. */
static uint32_t distance(const sb_autumn_challenge *c, const sb_autumn_program *program, uint32_t option,
                         const uint32_t *frame) {
    const uint8_t *cells = c->options + (size_t)option * c->n_mask;
    uint32_t off = 0;
    for (uint32_t i = 0; i < c->size * c->size; i++)
        if (c->mask[i]) off += strcmp(sb_autumn_string(program, frame[i]), c->colours[*cells++]) != 0;
    return off;
}

static uint32_t nearest_option(sb_autumn_insight *e, const sb_autumn_challenge *c, const sb_autumn_state *state) {
    uint32_t best = 0, least = UINT32_MAX;
    if (sb_autumn_size(state) != c->size) return 0;
    sb_autumn_frame(state, e->strings);
    for (uint32_t k = 0; k < SB_AUTUMN_CHOICES; k++) {
        const uint32_t off = distance(c, e->compiled->program, k, e->strings);
        if (off < least) least = off, best = k;
    }
    return best;
}

/* Tracks the course. If its draws are too many, any course with the same actions is as good: then only what chance
 * cannot touch is asked. */
static bool track(sb_autumn_insight *e, const sb_autumn_challenge *c, sb_autumn_tracker *tracker,
                  sb_autumn_state *course) {
    sb_autumn_verdict verdict = SB_AUTUMN_POSSIBLE;
    if (!sb_autumn_start(course, SB_AUTUMN_PCG64, c->name.seed, NULL)) return false;
    if (!sb_autumn_tracker_begin(tracker, course)) return false;
    sb_autumn_reseed(course, sb_next64(&e->rng));
    for (uint32_t t = 1; t <= c->n_actions; t++) {
        if (!sb_autumn_step(course, c->actions[t - 1], NULL)) return false;
        read_frame(e->compiled->program, c, t, e->strings);
        if (verdict == SB_AUTUMN_POSSIBLE &&
            !sb_autumn_tracker_step(tracker, c->actions[t - 1], (sb_autumn_shown){c->size, e->strings}, &verdict))
            return false;
    }
    const bool known = verdict == SB_AUTUMN_POSSIBLE && sb_autumn_tracker_n(tracker);
    e->option = nearest_option(e, c, known ? sb_autumn_tracker_at(tracker, 0) : course);
    return true;
}

bool sb_autumn_insider_predict(sb_autumn_insight *e, const sb_env *env, sb_action *action) {
    const sb_autumn_test *t = sb_autumn_episode_of(env)->test;
    const sb_autumn_support_limits limits = {.branches = 10000, .states = 600, .total = 15000};
    *action = SB_AUTUMN_NEXT;
    if (!t->seen_all) return true;
    bool ok = e->predicted;
    if (!e->predicted) {
        sb_autumn_tracker *const tracker = sb_autumn_tracker_new(e->compiled->program, &limits);
        sb_autumn_state *const course = sb_autumn_new(e->compiled->program);
        ok = tracker && course && track(e, &t->posed->challenge, tracker, course);
        sb_autumn_tracker_free(tracker), sb_autumn_free(course);
        e->predicted = true;
    }
    *action = SB_AUTUMN_OPTION + (sb_action)e->option;
    return ok;
}
