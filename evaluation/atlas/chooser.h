/* Chooses episodes by what they demand, for selections: measures as many as it takes, and remembers what it measured
 * for as long as the same is demanded.
 *
 * Without a count, all episodes are taken of which `where` is so, and with `spread` as many of every range as the
 * poorest has. With one, the first such episodes of each list are taken, which is drawn on where it has no published
 * end; with `spread` the lists of a task's difficulties are looked through together, an episode of each in turn. So
 * what is chosen follows from the request alone. */
#ifndef SB_ATLAS_CHOOSER_H
#define SB_ATLAS_CHOOSER_H

#include "evaluation/atlas/atlas.h"
#include "evaluation/atlas/spread.h"

typedef struct sb_chooser_settings {
    size_t jobs; /* workers; 0: one per processor */
    /* Called for each episode that was measured; `total` is 0 where nobody knows how many it takes. May be NULL. */
    void (*progress)(void *context, size_t measured, size_t total);
    void (*end)(void *context); /* called after the last episode was measured; may be NULL */
    void *context;
} sb_chooser_settings;

typedef struct sb_atlas_chooser sb_atlas_chooser;

/* Makes a chooser; NULL: out of memory. */
sb_atlas_chooser *sb_chooser_make(const sb_chooser_settings *settings, sb_error *error);
void sb_chooser_free(sb_atlas_chooser *chooser);
/* Takes measures from a file, where it has them. Called once, before any choice. */
bool sb_chooser_load(sb_atlas_chooser *chooser, const sb_catalogue *catalogue, const char *path, sb_error *error);
/* The chooser as sb_catalogue_set_chooser takes it; it serves one thread after another. */
const sb_chooser *sb_chooser_face(const sb_atlas_chooser *chooser);

/* The measures of an episode that the chooser chose last time, in the order of the demand; NaN: there is none. NULL if
 * it did not measure the episode for this demand. */
const double *sb_chooser_values(const sb_chooser *chooser, const sb_chosen *episode);

/* A demand that was read. */
typedef struct sb_demanded {
    sb_demand *demand; /* the demand of `where` and of the ranges of `spread` together */
    sb_spread spread;
    size_t n; /* the measures that the demand reads */
    sb_measure measures[SB_N_MEASURES];
} sb_demanded;
/* Reads `where` and `spread`, of which one may be NULL. The caller frees `demanded->demand`. */
bool sb_demanded_read(const char *where, const char *spread, sb_demanded *demanded, sb_error *error);

#endif
