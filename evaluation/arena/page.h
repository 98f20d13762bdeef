/* A run of the arena as one page of HTML, on which its games are replayed step by step. */
#ifndef SB_EVALUATION_ARENA_PAGE_H
#define SB_EVALUATION_ARENA_PAGE_H

#include "base/out.h"

enum { SB_ARENA_PAGE_BYTES = 64 << 20 /* size of the games on a page, before they are compressed */ };

/* Writes the page of a run's folder, as far as the run has come. Nothing is replayed: `verify` says whether it is true.
 */
bool sb_arena_page_put(const char *folder, sb_out *out, sb_error *error);

#endif
