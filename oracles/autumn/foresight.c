#include "oracles/autumn/foresight.h"

#include <stdlib.h>
#include <string.h>

enum { LEVELS = 40, STEPS = 8000 /* steps after which it looks no further ahead */ };

/* A state that may be the true one. */
typedef struct possible {
    sb_autumn_state *state;
    uint64_t look;
    uint32_t weight;
} possible;

struct sb_foresight {
    const sb_autumn_program *program;
    const sb_autumn_event *events;
    int n_events;
    possible levels[LEVELS][SB_FORESEEN]; /* the states that are possible after so many events */
    sb_autumn_view view;
    uint32_t steps;
    bool failed;
};

sb_foresight *sb_foresight_make(const sb_autumn_program *program) {
    sb_foresight *f = calloc(1, sizeof *f);
    if (f) f->program = program;
    return f;
}

void sb_foresight_free(sb_foresight *f) {
    if (!f) return;
    for (int i = 0; i < LEVELS; i++)
        for (int k = 0; k < SB_FORESEEN; k++) sb_autumn_free(f->levels[i][k].state);
    sb_autumn_view_free(&f->view);
    free(f);
}

static bool put(sb_foresight *f, possible *to, const sb_autumn_state *state, uint32_t weight) {
    if (!to->state) to->state = sb_autumn_new(f->program);
    to->weight = weight;
    return to->state && sb_autumn_copy(to->state, state);
}

/* ---- One event --------------------------------------------------------------------------------------------------- */

/* What an event leads to. */
typedef struct outcome {
    uint32_t weight, lost; /* weight of all states; weight of the states that lose */
    int n; /* how many states go on: the first ones of the next level, with those that look alike in a row */
    bool does_something;
} outcome;

/* Steps a state into the next level; returns whether the play goes on. */
static bool step(sb_foresight *f, const possible *from, possible *to, sb_autumn_event event, outcome *o) {
    f->steps++;
    o->weight += from->weight;
    if (!put(f, to, from->state, from->weight)) return f->failed = true, false;
    const bool ok = sb_autumn_step(to->state, event, NULL);
    const sb_autumn_standing *standing = sb_autumn_standing_of(to->state);
    const bool is_won = ok && standing->won, is_lost = !ok || (standing->lost && !standing->won);
    o->lost += is_lost ? from->weight : 0;
    o->does_something |= is_lost || is_won;
    if (is_lost || is_won) return false;
    f->failed |= !sb_autumn_look(&f->view, to->state);
    to->look = f->view.hash;
    o->does_something |= to->look != from->look;
    return true;
}

static outcome take(sb_foresight *f, int level, int from, int n, sb_autumn_event event) {
    possible *const next = f->levels[level + 1];
    outcome o = {0};
    for (int i = from; i < from + n && !f->failed; i++) {
        int at = o.n;
        if (!step(f, &f->levels[level][i], &next[at], event, &o)) continue;
        const possible last = next[at];
        for (; at > 0 && next[at - 1].look > last.look; at--) next[at] = next[at - 1];
        next[at] = last, o.n++;
    }
    return o;
}

/* ---- Looking ahead ----------------------------------------------------------------------------------------------- */

static double least(sb_foresight *f, int level, int from, int n, int depth);

/* The risk of an event and of what follows. */
static double risk_after(sb_foresight *f, int level, const outcome *o, int depth) {
    const possible *next = f->levels[level + 1];
    double lost = o->lost;
    for (int i = 0, n; i < o->n && !f->failed; i += n) {
        uint32_t weight = 0;
        for (n = 0; i + n < o->n && next[i + n].look == next[i].look; n++) weight += next[i + n].weight;
        lost += weight * least(f, level + 1, i, n, depth);
    }
    return lost / o->weight;
}

/* Returns the least risk from states that look alike. An event without risk is taken at once: what it shows costs
 * nothing. */
static double least(sb_foresight *f, int level, int from, int n, int depth) {
    double best = 1;
    bool found = false;
    if (n == 1 || level + 2 >= LEVELS || depth <= 0 || f->steps > STEPS) return 0;
    for (int i = 0; i < f->n_events && !f->failed; i++) {
        const outcome o = take(f, level, from, n, f->events[i]);
        if (!o.lost && o.does_something) return risk_after(f, level, &o, depth);
    }
    for (int i = 0; i < f->n_events && !f->failed; i++) {
        const outcome o = take(f, level, from, n, f->events[i]);
        if (!o.does_something) continue;
        const double risk = risk_after(f, level, &o, depth - 1);
        if (!found || risk < best) best = risk;
        found = true;
    }
    return found ? best : 0;
}

/* Compares the events so many steps deep; -1: it took too many steps, or no event does anything. */
static int compare(sb_foresight *f, int n, int depth) {
    double best = 1;
    int found = -1;
    f->steps = 0;
    for (int i = 0; i < f->n_events; i++) {
        const outcome o = take(f, 0, 0, n, f->events[i]);
        if (!o.does_something) continue;
        const double risk = risk_after(f, 0, &o, depth - 1);
        if (f->steps > STEPS || f->failed) return -1;
        if (found < 0 || risk < best - 1e-12) best = risk, found = i;
    }
    return found;
}

int sb_foresee(sb_foresight *f, const sb_hypotheses *h, const sb_autumn_event *events, int n, sb_budget *budget) {
    const sb_autumn_hypothesis *it;
    int n_states = 0, best = -1;
    f->events = events, f->n_events = n, f->failed = false;
    for (; (it = sb_hypothesis_at(h, (size_t)n_states)); n_states++) {
        if (n_states == SB_FORESEEN || !put(f, &f->levels[0][n_states], it->state, it->weight)) return -1;
        f->levels[0][n_states].look = sb_hypotheses_view(h)->hash;
    }
    for (int depth = 1, found; depth < LEVELS; depth++, best = found) {
        found = compare(f, n_states, depth);
        budget->spent += f->steps;
        if (found < 0) break;
    }
    return best;
}
