/* Whether views tell all that decides the future of a world. */
#include <stdlib.h>
#include <string.h>

#include "engine/autumn/inspect.h"
#include "oracles/autumn/hypotheses.h"

enum {
    STARTS = 8,
    CHANGES = 48 /* changes of single draws, for each start */,
    WALK = 24,
    PAIRED = 3 /* walks of two states */
};

/* Two states of one world, side by side. */
typedef struct pair {
    const sb_autumn_program *program;
    sb_autumn_state *states[2], *aside[2];
    sb_autumn_view views[2];
    sb_autumn_tape tapes[2];
    uint64_t *contents[2]; /* hashes of what the variables hold */
    sb_rng rng;
    bool failed, tell_all;
} pair;

static bool open_pair(pair *p, const sb_autumn_program *program) {
    const size_t n = sb_autumn_n_variables(program);
    bool ok = true;
    *p = (pair){.program = program, .tell_all = true};
    sb_rng_seed(&p->rng, 0, NULL);
    for (int i = 0; i < 2; i++) {
        p->states[i] = sb_autumn_new(program), p->aside[i] = sb_autumn_new(program);
        p->contents[i] = calloc(n, sizeof *p->contents[i]);
        p->tapes[i] = (sb_autumn_tape){.records = true, .mends = true};
        ok = ok && p->states[i] && p->aside[i] && p->contents[i];
    }
    return ok;
}

static void close_pair(pair *p) {
    for (int i = 0; i < 2; i++) {
        sb_autumn_free(p->states[i]), sb_autumn_free(p->aside[i]);
        sb_autumn_view_free(&p->views[i]);
        sb_autumn_tape_free(&p->tapes[i]);
        free(p->contents[i]);
    }
}

static sb_autumn_event random_event(pair *p) {
    const uint32_t size = sb_autumn_size(p->states[0]) + (sb_autumn_size(p->states[0]) == 0);
    sb_autumn_event event = {.key = (sb_autumn_key)sb_integers(&p->rng, 0, SB_AUTUMN_CLICK + 1)};
    if (event.key == SB_AUTUMN_CLICK)
        event.x = (int32_t)sb_integers(&p->rng, 0, size), event.y = (int32_t)sb_integers(&p->rng, 0, size);
    return event;
}

static bool look_alike(pair *p) {
    for (int i = 0; i < 2; i++) p->failed |= !sb_autumn_look(&p->views[i], p->states[i]);
    return p->views[0].hash == p->views[1].hash;
}

static bool stand_alike(const pair *p) {
    const sb_autumn_standing *a = sb_autumn_standing_of(p->states[0]), *b = sb_autumn_standing_of(p->states[1]);
    return a->won == b->won && a->lost == b->lost && a->score == b->score;
}

/* Takes the same step in both; false: they stop. */
static bool step_both(pair *p, sb_autumn_event event, uint64_t seed) {
    bool ok = true;
    for (int i = 0; i < 2; i++) {
        sb_autumn_reseed(p->states[i], seed);
        ok = sb_autumn_step(p->states[i], event, NULL) && ok;
    }
    return ok;
}

/* Whether the same steps show the same, from states that differ in the order of lists alone. */
static bool walk_alike(pair *p) {
    for (int i = 0; i < WALK; i++) {
        if (!step_both(p, random_event(p), sb_next64(&p->rng))) return true;
        if (!look_alike(p) || !stand_alike(p)) return false;
    }
    return true;
}

static bool hold_the_same(pair *p) {
    for (int i = 0; i < 2; i++) p->failed |= !sb_autumn_hash_contents(p->states[i], p->contents[i]);
    for (uint32_t i = 0; i < sb_autumn_n_variables(p->program); i++)
        if (sb_autumn_is_read(p->program, i) && sb_autumn_definition_place(p->program, i).line &&
            p->contents[0][i] != p->contents[1][i])
            return false;
    return true;
}

static bool is_over(const sb_autumn_state *state) {
    return sb_autumn_standing_of(state)->won || sb_autumn_standing_of(state)->lost;
}

/* Compares two states that show the same. The order of a list counts as hidden only if it decides anything. */
static void compare(pair *p) {
    uint64_t keys[2][2];
    if (is_over(p->states[0]) || is_over(p->states[1])) return;
    for (int i = 0; i < 2; i++) p->failed |= !sb_autumn_hash(p->states[i], false, keys[i]);
    if (p->failed || memcmp(keys[0], keys[1], sizeof keys[0]) == 0) return;
    p->tell_all = hold_the_same(p);
    for (int i = 0; i < 2; i++) p->failed |= !sb_autumn_copy(p->aside[i], p->states[i]);
    for (int k = 0; k < PAIRED && p->tell_all && !p->failed; k++) {
        p->tell_all = walk_alike(p);
        for (int i = 0; i < 2; i++) p->failed |= !sb_autumn_copy(p->states[i], p->aside[i]);
    }
}

static bool start(pair *p, int i) {
    p->tapes[i].used = 0;
    return sb_autumn_start(p->states[i], SB_AUTUMN_PCG64, sb_next64(&p->rng), &p->tapes[i]);
}

/* Draws a start, and changes single draws of it. */
static void compare_starts(pair *p) {
    p->tapes[0].n = 0;
    if (!start(p, 0)) return;
    for (int k = 0; k < CHANGES && p->tapes[0].n && p->tell_all && !p->failed; k++) {
        p->tapes[1].n = 0;
        if (!start(p, 1) || p->tapes[1].n < p->tapes[0].n) continue; /* the first start makes room for its draws */
        memcpy(p->tapes[1].draws, p->tapes[0].draws, p->tapes[0].n * sizeof *p->tapes[0].draws);
        struct sb_autumn_draw *draw = &p->tapes[1].draws[sb_integers(&p->rng, 0, (int64_t)p->tapes[0].n)];
        draw->result = (uint32_t)sb_integers(&p->rng, 0, draw->below);
        if (start(p, 1) && look_alike(p)) compare(p);
    }
}

/* Lets the steps of two equal states draw different things. */
static void compare_steps(pair *p) {
    p->tapes[0].n = 0;
    if (!sb_autumn_draws_in_steps(p->program) || !start(p, 0)) return;
    for (int k = 0; k < WALK && p->tell_all && !p->failed && !is_over(p->states[0]); k++) {
        const sb_autumn_event event = random_event(p);
        p->failed |= !sb_autumn_copy(p->states[1], p->states[0]);
        for (int i = 0; i < 2 && !p->failed; i++) {
            sb_autumn_reseed(p->states[i], sb_next64(&p->rng));
            if (!sb_autumn_step(p->states[i], event, NULL)) return;
        }
        if (!p->failed && look_alike(p)) compare(p);
    }
}

bool sb_views_tell_all(const sb_autumn_program *program, bool *tell_all) {
    pair p;
    if (sb_autumn_hides(program)) return *tell_all = false, true;
    bool ok = open_pair(&p, program);
    for (int i = 0; ok && i < STARTS && p.tell_all; i++) {
        compare_starts(&p);
        for (int k = 0; k < PAIRED && p.tell_all && !p.failed; k++) compare_steps(&p);
        ok = !p.failed;
    }
    *tell_all = p.tell_all;
    close_pair(&p);
    return ok;
}
