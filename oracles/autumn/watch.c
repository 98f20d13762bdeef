#include <string.h>

#include "oracles/autumn/insider.h"

/* Reads what is shown. False: a cell has a colour that the unchanged program never shows, or the size is another. */
static bool read_shown(sb_autumn_insight *e, const sb_autumn_episode *episode, uint32_t size) {
    const char *colours[SB_AUTUMN_SIZE_MAX];
    bool known = sb_autumn_shown_size(episode) == size;
    for (uint32_t y = 0; known && y < size; y++) {
        sb_autumn_shown_row(episode, y, colours);
        for (uint32_t x = 0; x < size; x++) {
            /* Neighbours mostly have the same colour, and then the same text. */
            uint32_t *const cell = &e->strings[y * size + x];
            *cell = x && strcmp(colours[x], colours[x - 1]) == 0
                        ? cell[-1]
                        : sb_autumn_insider_string(e->compiled->program, colours[x]);
            known &= *cell != SB_AUTUMN_NO_STRING;
        }
    }
    return known;
}

static bool start(sb_autumn_insight *e, const sb_env *env) {
    e->began = true;
    if (!sb_autumn_start(e->course, SB_AUTUMN_PCG64, env->name.seed, NULL)) return false;
    if (!sb_autumn_tracker_begin(e->tracker, e->course)) return false;
    sb_autumn_reseed(e->course, sb_next64(&e->rng));
    return true;
}

/* Takes the last event to what is shown now, and says whether that is impossible. */
static bool is_impossible(sb_autumn_insight *e, const sb_autumn_episode *episode, sb_autumn_event last) {
    const uint32_t size = episode->test->posed->challenge.size;
    sb_autumn_verdict verdict;
    if (!read_shown(e, episode, size)) return true;
    if (sb_autumn_step(e->course, last, NULL) &&
        sb_autumn_clean_contradicts(&e->clean, e->course, e->strings, size, e->base, e->open))
        return true;
    if (e->unknown) return false;
    if (!sb_autumn_tracker_step(e->tracker, last, (sb_autumn_shown){size, e->strings}, &verdict)) return false;
    e->unknown = verdict == SB_AUTUMN_UNKNOWN;
    return verdict == SB_AUTUMN_IMPOSSIBLE;
}

/* Tells whether the last action, whoever took it, led to a frame that is impossible. Other actions lead to no frame. */
static bool has_seen_change(sb_autumn_insight *e, const sb_env *env) {
    return sb_autumn_is_event(env, env->taken) &&
           is_impossible(e, sb_autumn_episode_of(env), sb_autumn_event_of(env, env->taken));
}

bool sb_autumn_insider_watch(sb_autumn_insight *e, const sb_env *env, sb_action *action) {
    const sb_autumn_test *t = sb_autumn_episode_of(env)->test;
    sb_autumn_event next;
    if (t->phase == SB_AUTUMN_CHOOSING) {
        *action = t->at == e->found ? SB_AUTUMN_SUBMIT : SB_AUTUMN_CHOOSE_FRAME + (sb_action)e->found;
        return true;
    }
    if (!e->began) {
        if (!start(e, env)) return false;
    } else if (has_seen_change(e, env)) {
        e->found = t->n_frames - 1;
        *action = SB_AUTUMN_DECLARE;
        return true;
    }
    const bool tracked = !e->unknown && sb_autumn_tracker_n(e->tracker);
    if (!sb_autumn_walk_choose(e->walk, tracked ? sb_autumn_tracker_at(e->tracker, 0) : e->course, &next)) return false;
    *action = sb_autumn_action_of(env, next);
    return true;
}
