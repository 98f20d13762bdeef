/* States that were met, one for each frame, to go on from (challenges 2). */
#ifndef SB_TESTS_ACCEPT_ARCHIVE_H
#define SB_TESTS_ACCEPT_ARCHIVE_H

#include "engine/autumn/autumn.h"
#include "seeds/rng.h"

enum { ARCHIVE_MAX = 3000 };

typedef struct archive {
    struct met {
        uint64_t frame; /* hash */
        uint32_t visits;
        sb_autumn_state *state;
    } met[ARCHIVE_MAX];
    size_t n;
    sb_rng rng;
} archive;

/* Counts a visit of the state's frame; a new frame is kept, and one that was visited often
 * makes room for it. False: out of memory. */
bool archive_visit(archive *a, const sb_autumn_state *state);
/* A state whose frame was visited rarely: the best of some drawn ones. The archive holds at least one. */
const sb_autumn_state *archive_pick(archive *a);
void archive_clear(archive *a);

#endif
