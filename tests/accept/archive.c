#include "tests/accept/archive.h"

#include "base/hash.h"

enum { DRAWN = 8 };

static uint64_t hash_of_frame(const sb_autumn_state *state) {
    static uint32_t frame[SB_AUTUMN_SIZE_MAX * SB_AUTUMN_SIZE_MAX];
    const size_t size = sb_autumn_size(state);
    uint64_t key[2];
    sb_autumn_frame(state, frame);
    sb_hash128(frame, size * size * sizeof *frame, key);
    return key[0];
}

/* The one of some drawn ones that was visited least, or most. */
static struct met *draw(archive *a, bool least) {
    struct met *best = NULL;
    for (int i = 0; i < DRAWN; i++) {
        struct met *const drawn = &a->met[sb_bounded(&a->rng, a->n - 1)];
        if (!best || (least ? drawn->visits < best->visits : drawn->visits > best->visits)) best = drawn;
    }
    return best;
}

/* Keeps a new frame, instead of an old one if the archive is full. */
static bool add(archive *a, uint64_t frame, const sb_autumn_state *state) {
    struct met *const place = a->n < ARCHIVE_MAX ? &a->met[a->n] : draw(a, false);
    if (a->n < ARCHIVE_MAX) *place = (struct met){.state = sb_autumn_new(sb_autumn_program_of(state))}, a->n++;
    place->frame = frame;
    place->visits = 1;
    return place->state && sb_autumn_copy(place->state, state);
}

bool archive_visit(archive *a, const sb_autumn_state *state) {
    const uint64_t frame = hash_of_frame(state);
    for (size_t i = 0; i < a->n; i++)
        if (a->met[i].frame == frame) return a->met[i].visits++, true;
    return add(a, frame, state);
}

const sb_autumn_state *archive_pick(archive *a) {
    struct met *const best = draw(a, true);
    best->visits++;
    return best->state;
}

void archive_clear(archive *a) {
    while (a->n) sb_autumn_free(a->met[--a->n].state);
}
