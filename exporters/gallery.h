/* A page that shows tasks of all families: the first state of an episode at every difficulty, which is played on a
 * click. One file, without network. */
#ifndef SB_EXPORTERS_GALLERY_H
#define SB_EXPORTERS_GALLERY_H

#include "base/out.h"
#include "rollout/selection.h"

enum {
    SB_GALLERY_MOST = 5000000, /* bytes of a page */
    SB_GALLERY_SEEDS = 10,     /* where there is success, the first of so many seeds that is solved is shown */
    SB_GALLERY_SIZE = 512      /* pixels: the usual side of pictures whose look has a size */
};

typedef struct sb_gallery_options {
    /* Which tasks and difficulties are shown; only `catalogue`, `family`, `tasks`, `category` and `difficulty` are
     * used. A key that is NULL does not restrict: every difficulty of every task of every family, those of the
     * catalogue too, but not those whose episodes come from packs only. */
    sb_request request;
    uint64_t seed;          /* the first seed that is tried */
    int32_t size;           /* pixels: the side of pictures whose look has a size; 0: SB_GALLERY_SIZE */
    uint64_t jobs;          /* workers; 0: one for each processor. The page does not depend on it */
    const char *playground; /* name of the playground's page in the same folder; NULL: there is none */
    void (*progress)(void *context, size_t done, size_t total); /* may be NULL */
    void *context;
} sb_gallery_options;

/* Writes the page. Every family is shown in its last look, or by text if it has none. Episodes are played by
 * sb_default_agent. Fails if the page would have more than SB_GALLERY_MOST bytes. */
bool sb_gallery_make(const sb_gallery_options *options, sb_out *out, sb_error *error);

#endif
