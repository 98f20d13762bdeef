/* The first and the last line of an atlas, for those who write and read it. */
#ifndef SB_ATLAS_FILE_H
#define SB_ATLAS_FILE_H

#include "base/hash.h"
#include "rollout/part.h"
#include "rollout/selection.h"

/* Index in the selection of the index-th episode of the part. */
static inline size_t sb_atlas_place(size_t index, sb_part part) {
    return part.of ? index * part.of + part.number - 1 : index;
}

/* Writes the first line. `episodes` is the number of episodes in the whole selection. */
void sb_atlas_head_print(const sb_selection *selection, const char *selected, size_t n_selected, sb_part part,
                         sb_out *out);
void sb_atlas_tail_print(size_t rows, const char sha256[SB_SHA256_HEX], sb_out *out);

#endif
