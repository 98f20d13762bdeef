/* What may be hidden in an episode of a world, for one who knows its rules and has been shown some of its states:
 * starts that show the same, after the same actions, as often as they are drawn. They are found by changing single
 * draws of starts (Metropolis), and counted in states. */
#ifndef SB_ORACLES_AUTUMN_HYPOTHESES_H
#define SB_ORACLES_AUTUMN_HYPOTHESES_H

#include "base/search/search.h"
#include "oracles/autumn/view.h"
#include "seeds/rng.h"

enum { SB_AUTUMN_HYPOTHESES = 256 /* hypotheses at most, and what their weights add up to when they were found */ };

typedef struct sb_autumn_hypothesis {
    sb_autumn_state *state; /* the state as it would be now */
    sb_autumn_tape tape;    /* what was drawn until now */
    uint64_t key[2];        /* what decides the future: no two hypotheses have the same */
    uint32_t weight;
} sb_autumn_hypothesis;

typedef struct sb_hypotheses sb_hypotheses;

/* Makes room for the hypotheses of a program, which must live longer. NULL: out of memory. */
sb_hypotheses *sb_hypotheses_make(const sb_autumn_program *program);
void sb_hypotheses_free(sb_hypotheses *h);

/* Begins with the start of an episode, of which only the view is looked at. The seed is of all draws that are made.
 * False: out of memory. */
bool sb_hypotheses_begin(sb_hypotheses *h, const sb_autumn_state *start, uint64_t seed, sb_budget *budget);
/* Goes on with what an event led to. False: out of memory. */
bool sb_hypotheses_go_on(sb_hypotheses *h, sb_autumn_event event, const sb_autumn_state *shown, sb_budget *budget);

/* Returns one of the hypotheses that are left, the first at index 0; NULL behind the last. There are none if none was
 * found. */
const sb_autumn_hypothesis *sb_hypothesis_at(const sb_hypotheses *h, size_t index);
/* Returns the view of what was shown last. */
const sb_autumn_view *sb_hypotheses_view(const sb_hypotheses *h);
/* Returns a generator for whoever decides by the hypotheses. */
sb_rng *sb_hypotheses_rng(sb_hypotheses *h);

/* Judges whether views tell all that decides the future of a world, if they were seen from the start on: changes single
 * draws of starts and steps, and compares views and keys. */
bool sb_views_tell_all(const sb_autumn_program *program, bool *tell_all);

#endif
