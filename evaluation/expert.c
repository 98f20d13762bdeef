#include "evaluation/expert.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/lookup.h"

static int by_name(const void *a, const void *b) {
    return sb_compare_names(&(*(const sb_played *const *)a)->tape.name, &(*(const sb_played *const *)b)->tape.name);
}

/* Episodes of one name stay in their order. */
static int by_name_and_place(const void *a, const void *b) {
    const sb_played *x = *(const sb_played *const *)a, *y = *(const sb_played *const *)b;
    const int order = by_name(a, b);
    return order ? order : (x > y) - (x < y);
}

bool sb_expert_open(sb_expert *expert, const sb_results *results, sb_error *error) {
    expert->n = results->n;
    expert->episodes = malloc((results->n + 1) * sizeof *expert->episodes);
    if (!expert->episodes) return sb_fail(error, SB_MEMORY, "out of memory for the expert's episodes");
    for (size_t i = 0; i < results->n; i++) expert->episodes[i] = &results->episodes[i];
    qsort((void *)expert->episodes, expert->n, sizeof *expert->episodes, by_name_and_place);
    return true;
}

const sb_played *sb_expert_find(const sb_expert *expert, const sb_played *played) {
    const sb_played **found = bsearch(&played, (const void *)expert->episodes, expert->n, sizeof *expert->episodes,
                                      by_name);
    return found ? *found : NULL;
}

bool sb_expert_covers(const sb_expert *expert, const sb_results *results, const sb_family *family, sb_error *error) {
    for (size_t i = 0; i < results->n; i++) {
        const sb_played *played = &results->episodes[i];
        char name[SB_NAME_MAX];
        if (strcmp(played->tape.name.family, family->name) != 0 || sb_expert_find(expert, played)) continue;
        sb_name_print(&played->tape.name, name, sizeof name);
        return sb_fail(error, SB_INVALID, "the expert's result has no episode %s: let it play the same episodes", name);
    }
    return true;
}

void sb_expert_close(sb_expert *expert) {
    free((void *)expert->episodes);
    *expert = (sb_expert){0};
}
