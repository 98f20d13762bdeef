#include "datasets/candidates.h"

#include <stdlib.h>

sb_attempt sb_attempt_of(const sb_tape *tape, const sb_chosen *episode, size_t place, const sb_filter *filter,
                         bool dense) {
    return (sb_attempt){.episode = *episode,
                        .place = place,
                        .total = sb_filter_return(tape, dense),
                        .steps = tape->n,
                        .success = tape->outcome.success,
                        .passes = sb_filter_passes(filter, tape, dense)};
}

static int by_episode_and_worth(const void *first, const void *second) {
    const sb_attempt *a = first, *b = second;
    const int order = sb_compare_chosen(&a->episode, &b->episode);
    if (order) return order;
    if (a->passes != b->passes) return a->passes ? -1 : 1;
    if (a->success != b->success) return a->success ? -1 : 1;
    if (a->total != b->total) return a->total > b->total ? -1 : 1;
    if (a->steps != b->steps) return a->steps < b->steps ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

void sb_best_choose(sb_attempt *attempts, size_t n, uint64_t best, bool *beaten) {
    uint64_t taken = 0;
    if (n) qsort(attempts, n, sizeof *attempts, by_episode_and_worth);
    for (size_t i = 0; i < n; i++) {
        if (i && sb_compare_chosen(&attempts[i - 1].episode, &attempts[i].episode) != 0) taken = 0;
        if (!attempts[i].passes) continue;
        beaten[attempts[i].place] = taken == best;
        taken += taken < best;
    }
}
