/* The files of a dataset's folder, by their names. */
#ifndef SB_DATASETS_FOLDER_H
#define SB_DATASETS_FOLDER_H

#include "datasets/manifest.h"

typedef struct sb_path {
    char text[1100];
} sb_path;

sb_path sb_path_in(const char *folder, const char *name);

/* Whether a name is that of a shard, finished or not: `<kind>-00000-of-00001.<suffix>`, perhaps with `.part`. */
bool sb_is_shard_name(const char *name);

/* Makes the folder ready for a dataset. What another one left there is an error, unless it may be overwritten: then it
 * goes, but for the shards that are done. A manifest goes first: from then on this is no dataset. With `resume`, what
 * an interrupted build left is none; a README.md of somebody else is one there too, where the card will be. */
bool sb_folder_prepare(const char *folder, bool overwrite, bool resume, sb_error *error);
bool sb_folder_clear(const char *folder, const sb_shard *done, size_t n_shards, size_t n_formats, sb_error *error);

/* Fails with SB_MISMATCH if the folder holds a shard that the manifest does not list. */
bool sb_folder_check(const char *folder, const sb_manifest *manifest, sb_error *error);

#endif
