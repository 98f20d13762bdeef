#include "datasets/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"

void sb_row_choice_free(sb_row_choice *choice) {
    for (size_t k = 0; choice && k < SB_FORMATS_MAX; k++) free(choice->of[k].first), free(choice->of[k].dropped);
    free(choice);
}

static bool is_dropped(const sb_chosen_rows *rows, uint64_t row) { return rows->dropped[row / 8] >> (row % 8) & 1; }

void sb_row_choice_apply(const sb_row_choice *choice, size_t format, size_t episode, sb_out *rows, size_t begin,
                         uint64_t *n_rows) {
    if (!choice || !choice->of[format].first || !sb_out_ok(rows)) return;
    const sb_chosen_rows *chosen = &choice->of[format];
    const uint64_t first = chosen->first[episode], n = chosen->first[episode + 1] - first;
    char *to = rows->data + begin;
    const char *from = to, *end = rows->data + rows->size;
    *n_rows = 0;
    for (uint64_t i = 0; i < n && from < end; i++) {
        const char *newline = memchr(from, '\n', (size_t)(end - from)), *after = newline ? newline + 1 : end;
        if (!is_dropped(chosen, first + i)) {
            memmove(to, from, (size_t)(after - from));
            to += after - from;
            ++*n_rows;
        }
        from = after;
    }
    rows->size = (size_t)(to - rows->data);
}

bool sb_chosen_rows_add(sb_chosen_rows *rows, bool dropped, sb_error *error) {
    const size_t before = rows->capacity;
    if (!SB_GROW(rows->dropped, rows->n / 8 + 1, rows->capacity))
        return sb_fail(error, SB_MEMORY, "out of memory for %zu rows", rows->n);
    memset(rows->dropped + before, 0, rows->capacity - before);
    rows->dropped[rows->n / 8] |= (uint8_t)(dropped << (rows->n % 8));
    rows->n++;
    return true;
}
