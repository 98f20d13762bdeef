/* The order in which a participant plays a study's episodes. web/playground/study.js has the same rules, since a page
 * without a server draws its own order; tests/study_test.py compares the two. */
#include <stdlib.h>

#include "base/error.h"
#include "evaluation/study/study.h"

static uint32_t mix(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352dU;
    x = (x ^ x >> 15) * 0x846ca68bU;
    return x ^ x >> 16;
}

/* Makes a number of 32 bits from the two halves of the participant's number. */
static uint32_t number_of(const char *participant) {
    char half[9] = {0};
    uint32_t mixed = 0;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 8; k++) half[k] = participant[8 * i + k];
        mixed = mix(mixed ^ (uint32_t)strtoul(half, NULL, 16));
    }
    return mixed;
}

/* ---- Drawn: by a key for each episode ---- */

static uint32_t key_of(uint32_t number, uint32_t episode) { return mix(number + (episode + 1) * 0x9e3779b9U); }

typedef struct card {
    uint32_t key, episode;
} card;

static int by_key(const void *a, const void *b) {
    const card *one = a, *other = b;
    if (one->key != other->key) return one->key < other->key ? -1 : 1;
    return one->episode < other->episode ? -1 : one->episode > other->episode;
}

static bool draw(uint32_t number, size_t n, uint32_t *order, sb_error *error) {
    card *all = malloc(n * sizeof *all);
    if (!all) return sb_fail(error, SB_MEMORY, "out of memory for an order of %zu episodes", n);
    for (size_t i = 0; i < n; i++) all[i] = (card){key_of(number, (uint32_t)i), (uint32_t)i};
    qsort(all, n, sizeof *all, by_key);
    for (size_t i = 0; i < n; i++) order[i] = all[i].episode;
    free(all);
    return true;
}

/* ---- Balanced: rows of a square in which every episode stands once in each row and each column ---- */

/* The episode in a row and column of the square. The first row is 0, n-1, 1, n-2, ...; in row r, r is added. So every
 * episode follows every other one equally often, if n is even; if it is odd, together with the same rows backwards. */
static uint32_t at_place(size_t n, size_t row, size_t column) {
    const size_t zigzag = column % 2 ? n - (column + 1) / 2 : column / 2;
    return (uint32_t)((zigzag + row) % n);
}

static void balance(uint64_t place, size_t n, uint32_t *order) {
    const size_t rows = n % 2 ? 2 * n : n, row = (size_t)(place % rows);
    for (size_t i = 0; i < n; i++) order[i] = at_place(n, row % n, row < n ? i : n - 1 - i);
}

bool sb_study_draw(const sb_study *study, const char *participant, uint64_t place, uint32_t *order, sb_error *error) {
    for (size_t i = 0; i < study->n; i++) order[i] = (uint32_t)i;
    if (study->n == 0) return true;
    if (study->order == SB_ORDER_DRAWN) return draw(number_of(participant), study->n, order, error);
    if (study->order == SB_ORDER_BALANCED)
        balance(place == UINT64_MAX ? number_of(participant) : place, study->n, order);
    return true;
}
