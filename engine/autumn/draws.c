/* Where random numbers come from (stdlib 1): the generator, or a tape. */
#include <stdlib.h>

#include "base/grow.h"
#include "engine/autumn/state.h"

/* Draws as the published generator does: the multiplication is cut to 32 bits before the remainder. */
static uint32_t draw_published(sb_au_core *core, uint32_t below) {
    core->published = (48271u * core->published) % 2147483647u;
    return core->published % below;
}

static uint32_t draw_live(sb_au_core *core, uint32_t below) {
    return core->generator == SB_AUTUMN_PUBLISHED ? draw_published(core, below)
                                                  : (uint32_t)sb_integers(&core->pcg64, 0, below);
}

static bool record(sb_autumn_state *m, uint32_t result, uint32_t below) {
    sb_autumn_tape *tape = m->tape;
    if (!SB_GROW(tape->draws, tape->n + 1, tape->capacity)) {
        tape->failed = true;
        return sb_au_fail(m, SB_AUTUMN_MEMORY, "out of memory for a tape of draws"), false;
    }
    tape->draws[tape->n++] = (struct sb_autumn_draw){.result = result, .below = below};
    tape->used = tape->n;
    return true;
}

static bool draw_from_tape(sb_autumn_state *m, uint32_t below, uint32_t *result) {
    sb_autumn_tape *tape = m->tape;
    if (tape->used < tape->n) {
        struct sb_autumn_draw *const draw = &tape->draws[tape->used++];
        if (tape->mends && draw->below != below) draw->result = draw_live(&m->core, below);
        draw->below = below;
        *result = draw->result;
        if (*result < below) return true;
        tape->failed = true;
        return sb_au_fail(m, SB_AUTUMN_RANDOM, "draw %zu of the tape is %u, but must be below %u", tape->used, *result,
                          below),
               false;
    }
    *result = tape->zero ? 0 : draw_live(&m->core, below);
    return !tape->records || record(m, *result, below);
}

bool sb_au_draw(sb_autumn_state *m, uint32_t below, uint32_t *result) {
    *result = 0;
    if (below == 0) return true;
    if (!sb_au_may_change(m)) return false;
    m->drew = m->acted = true;
    if (m->tape) return draw_from_tape(m, below, result);
    *result = draw_live(&m->core, below);
    return true;
}

bool sb_autumn_tape_next(sb_autumn_tape *tape) {
    tape->n = tape->used;
    tape->used = 0;
    while (tape->n && tape->draws[tape->n - 1].result + 1 >= tape->draws[tape->n - 1].below) tape->n--;
    if (tape->n) tape->draws[tape->n - 1].result++;
    return tape->n != 0 && !tape->failed;
}

void sb_autumn_tape_free(sb_autumn_tape *tape) {
    free(tape->draws);
    *tape = (sb_autumn_tape){0};
}
