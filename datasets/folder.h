/* The files of a dataset's folder, by their names. */
#ifndef SB_DATASETS_FOLDER_H
#define SB_DATASETS_FOLDER_H

#include "datasets/manifest.h"

/* Whether a name is that of a shard, finished or not: `<kind>-00000-of-00001.<suffix>`, perhaps with `.part`, where the
 * suffix is that of a format. (Others name their files alike: `model-00001-of-00002.safetensors`.) */
bool sb_is_shard_name(const char *name);

/* What is to become of a folder, and with it, what of a dataset may be there already. */
typedef enum sb_folder_use {
    SB_FOLDER_NEW,     /* nothing, but unfinished files */
    SB_FOLDER_RESUMED, /* what an interrupted build left */
    SB_FOLDER_MERGED,  /* what an interrupted merge left: shards and documents */
    SB_FOLDER_REPLACED /* whatever there is */
} sb_folder_use;

/* Fails if something in the folder is in the way; unless all is replaced, also a README.md, stats.json or
 * croissant.json of somebody else. */
bool sb_folder_prepare(const sb_target *target, sb_folder_use use, sb_error *error);
/* Removes what is a dataset's by its name, but for the shards that are done. A manifest goes first: from then on this
 * is no dataset. */
bool sb_folder_clear(const sb_target *target, const sb_shard *done, size_t n_shards, size_t n_formats, sb_error *error);
/* Fails if an interrupted rendering left the dataset half-way. */
bool sb_folder_check_rendering(const char *folder, sb_error *error);

/* Fails with SB_MISMATCH if the folder holds a shard that the manifest does not list. */
bool sb_folder_check(const char *folder, const sb_manifest *manifest, sb_error *error);

#endif
