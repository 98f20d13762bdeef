#include "evaluation/explain/threshold.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

/* ---- A round number ---- */

double sb_round_threshold(double low, double high, bool above) {
    enum { FIRST = 15, LAST = -15 };
    for (int digits = FIRST; digits >= LAST; digits--) {
        double power = 1; /* exact, as is everything that is divided by it and has few digits */
        for (int i = 0; i < abs(digits); i++) power *= 10;
        const double unit = digits < 0 ? 1 / power : power;
        const double count = above ? ceil(low / unit) : floor(high / unit);
        const double number = digits < 0 ? count / power : count * power;
        if (above ? low <= number && number < high : low < number && number <= high) return number + 0.0;
    }
    return above ? low : high;
}

/* ---- Both sides of a threshold ---- */

typedef struct sides {
    sb_share below, above;
} sides;

static void add(sb_share *share, const sb_outcome *outcome) { share->n++, share->won += outcome->won; }

/* The share that was won; 0 if there are no episodes. */
static double rate(const sb_share *share) { return share->n ? share->won / (double)share->n : 0; }

static bool are_enough(const sides *s) {
    const size_t least = (s->below.n + s->above.n) / 20;
    return s->below.n >= SB_BEYOND_LEAST && s->above.n >= SB_BEYOND_LEAST && s->below.n >= least && s->above.n >= least;
}

/* By how much fewer are won beyond the threshold than elsewhere, at least; not above 0: nobody knows. */
static double certain_difference(const sb_share *beyond, const sb_share *elsewhere) {
    return -sb_difference(rate(beyond), beyond->n, rate(elsewhere), elsewhere->n, SB_NORMAL_95).upper;
}

/* ---- Choosing ---- */

typedef struct choosing {
    const sb_outcome *outcomes;
    sb_ordered *ordered;
    sb_threshold *best;
    double difference; /* difference that is certain of the best threshold */
} choosing;

/* Takes the threshold between two values if it is better. */
static void consider(choosing *c, sb_measure measure, const sides *s, double low, double high) {
    if (!are_enough(s)) return;
    for (int above = 0; above < 2; above++) {
        const double difference = above ? certain_difference(&s->above, &s->below)
                                        : certain_difference(&s->below, &s->above);
        if (c->best->known && !(difference > c->difference)) continue;
        if (rate(above ? &s->above : &s->below) >= rate(above ? &s->below : &s->above)) continue;
        c->difference = difference;
        *c->best = (sb_threshold){
            .known = true, .measure = measure, .above = above, .value = sb_round_threshold(low, high, above)};
    }
}

/* Considers every place between two values of a measure. The held half of the episodes gives values, too, but no
 * outcomes. */
static void choose(choosing *c, size_t n, sb_measure measure) {
    const size_t n_ordered = sb_order_outcomes(c->outcomes, n, measure, c->ordered);
    sides s = {0};
    for (size_t i = 0; i < n_ordered; i++) {
        const sb_outcome *outcome = &c->outcomes[c->ordered[i].index];
        if (!outcome->held) add(&s.above, outcome);
    }
    for (size_t i = 0; i + 1 < n_ordered; i++) {
        const sb_outcome *outcome = &c->outcomes[c->ordered[i].index];
        const double low = c->ordered[i].value, high = c->ordered[i + 1].value;
        if (!outcome->held) add(&s.below, outcome), s.above.n--, s.above.won -= outcome->won;
        if (low < high) consider(c, measure, &s, low, high);
    }
}

/* ---- Testing ---- */

double sb_normal_beyond(double share) {
    double low = 0, high = 40;
    for (int i = 0; i < 60; i++) {
        const double z = (low + high) / 2;
        if (erfc(z / sqrt(2)) / 2 > share)
            low = z;
        else
            high = z;
    }
    return low;
}

static bool is_beyond(const sb_threshold *t, double value) { return t->above ? value > t->value : value < t->value; }

static void settle(sb_share *share) {
    share->won = rate(share);
    share->interval = sb_wilson(share->won, share->n);
}

static void test(const sb_outcome *outcomes, size_t n, size_t looks, sb_threshold *t) {
    for (size_t i = 0; i < n; i++) {
        const double value = sb_outcome_value(&outcomes[i], t->measure);
        if (!outcomes[i].held || isnan(value)) continue;
        add(is_beyond(t, value) ? &t->beyond : &t->elsewhere, &outcomes[i]);
    }
    settle(&t->beyond), settle(&t->elsewhere);
    t->difference = sb_difference(t->beyond.won, t->beyond.n, t->elsewhere.won, t->elsewhere.n,
                                  sb_normal_beyond(0.025 / (double)looks));
    t->confirmed = t->beyond.n >= SB_BEYOND_LEAST && t->elsewhere.n >= SB_BEYOND_LEAST && t->difference.upper < 0;
}

bool sb_threshold_find(const sb_outcome *outcomes, size_t n, size_t looks, sb_threshold *t, sb_error *error) {
    choosing c = {.outcomes = outcomes, .ordered = malloc((n + 1) * sizeof *c.ordered), .best = t};
    *t = (sb_threshold){0};
    if (!c.ordered) return sb_fail(error, SB_MEMORY, "out of memory for the values of %zu outcomes", n);
    for (sb_measure m = 0; m < SB_N_MEASURES; m++)
        if (sb_explains(m)) choose(&c, n, m);
    free(c.ordered);
    if (t->known) test(outcomes, n, looks, t);
    return true;
}
