#include "datasets/verify_notes.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/visible.h"

void sb_recorded_counts_free(sb_recorded_counts *counts) {
    free(counts->of);
    *counts = (sb_recorded_counts){0};
}

/* Returns the place of the agent, which is added if it is new; false if memory runs out. */
static bool place_of(sb_recorded_counts *c, const char *agent, size_t *at, sb_error *error) {
    for (*at = 0; *at < c->n && strcmp(c->of[*at].agent, agent) < 0;) ++*at;
    if (*at < c->n && strcmp(c->of[*at].agent, agent) == 0) return true;
    if (!SB_GROW(c->of, c->n + 1, c->capacity))
        return sb_fail(error, SB_MEMORY, "out of memory for the names of agents");
    memmove(&c->of[*at + 1], &c->of[*at], (c->n - *at) * sizeof *c->of);
    memset(&c->of[*at], 0, sizeof *c->of);
    strcpy(c->of[*at].agent, agent);
    c->n++;
    return true;
}

bool sb_recorded_count(sb_recorded_counts *c, const char *agent, sb_played_again came, sb_error *error) {
    size_t at;
    if (!place_of(c, agent, &at, error)) return false;
    c->of[at].tapes++, c->of[at].other += came == SB_OTHER_AGAIN, c->of[at].nobody += came == SB_NOBODY_AGAIN;
    return true;
}

bool sb_recorded_counts_add(sb_recorded_counts *c, const sb_recorded_counts *more, sb_error *error) {
    for (size_t i = 0; i < more->n; i++) {
        size_t at;
        if (!place_of(c, more->of[i].agent, &at, error)) return false;
        c->of[at].tapes += more->of[i].tapes, c->of[at].other += more->of[i].other;
        c->of[at].nobody += more->of[i].nobody;
    }
    return true;
}

bool sb_recorded_counts_tell(const sb_recorded_counts *c, size_t index, sb_out *out) {
    const uint64_t tapes = c->of[index].tapes, other = c->of[index].other, nobody = c->of[index].nobody;
    if (!other && !nobody) return false;
    sb_put_uint(out, nobody ? nobody : other);
    sb_puts(out, " of the "), sb_put_uint(out, tapes), sb_puts(out, " recorded tapes of `");
    sb_put_visible(out, c->of[index].agent);
    sb_puts(out, nobody
                     ? "` cannot be played again, because it is no agent of this program: only their replay was checked"
                     : "` are not what it does without noise: only their replay was checked");
    return true;
}
