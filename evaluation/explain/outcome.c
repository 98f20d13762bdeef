#include "evaluation/explain/outcome.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"

bool sb_explains(sb_measure measure) {
    return measure != SB_MEASURE_PROVEN && measure != SB_MEASURE_RANDOM_LOW && measure != SB_MEASURE_RANDOM_HIGH;
}

/* ---- Joining ---- */

void sb_outcome_draw(sb_outcome *outcome) {
    char name[SB_NAME_MAX];
    uint8_t digest[32];
    sb_name_print(&outcome->row->name, name, sizeof name);
    sb_sha256_of(name, strlen(name), digest);
    outcome->fold = (digest[0] << 8 | digest[1]) % SB_FOLDS;
    outcome->held = digest[2] & 1;
}

/* Whether no play wins the episode, as is proven. */
static bool is_impossible(const sb_atlas_row *row) { return row->missing[SB_MEASURE_STEPS] == SB_LACKS_CHANCE; }

/* How many results from this one on are attempts at the same episode. */
static size_t count_attempts(const sb_results *results, size_t place) {
    size_t n = 1;
    while (place + n < results->n && results->episodes[place + n].attempt > 1) n++;
    return n;
}

static double share_won(const sb_played *attempts, size_t n) {
    size_t won = 0;
    for (size_t i = 0; i < n; i++) won += sb_won(&attempts[i]);
    return (double)won / (double)n;
}

static void add_outcome(const sb_atlas_book *atlas, const sb_played *played, size_t attempts, sb_outcomes *o) {
    const sb_atlas_row *row = sb_atlas_book_find(atlas, &played->tape.name);
    if (!sb_is_judged(played)) {
        o->unjudged++;
    } else if (!row) {
        o->unknown++;
    } else if (is_impossible(row)) {
        o->impossible++;
    } else {
        o->all[o->n] = (sb_outcome){.row = row, .won = share_won(played, attempts), .chance = NAN};
        sb_outcome_draw(&o->all[o->n++]);
    }
}

bool sb_outcomes_join(const sb_results *results, const sb_family *family, const sb_atlas_book *atlas, sb_outcomes *o,
                      sb_error *error) {
    *o = (sb_outcomes){.all = malloc((results->n + 1) * sizeof *o->all)};
    if (!o->all) return sb_fail(error, SB_MEMORY, "out of memory for %zu outcomes", results->n);
    for (size_t i = 0, attempts; i < results->n; i += attempts) {
        const sb_played *played = &results->episodes[i];
        const size_t before = o->n;
        attempts = count_attempts(results, i);
        if (strcmp(played->tape.name.family, family->name) == 0) add_outcome(atlas, played, attempts, o);
        if (o->n > before) o->all[before].place = i;
    }
    return true;
}

void sb_outcomes_free(sb_outcomes *outcomes) {
    free(outcomes->all);
    *outcomes = (sb_outcomes){0};
}

/* ---- In the order of a measure ---- */

static int by_value(const void *a, const void *b) {
    const sb_ordered *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

size_t sb_order_outcomes(const sb_outcome *outcomes, size_t n, sb_measure measure, sb_ordered *ordered) {
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        const double value = sb_outcome_value(&outcomes[i], measure);
        if (!isnan(value)) ordered[found++] = (sb_ordered){value, i};
    }
    qsort(ordered, found, sizeof *ordered, by_value);
    return found;
}
