/* The files of a dataset's folder, by their names. */
#ifndef SB_DATASETS_FOLDER_H
#define SB_DATASETS_FOLDER_H

#include "datasets/destination.h"
#include "datasets/manifest.h"

/* Whether a name is that of a shard, finished or not: `<kind>-00000-of-00001.<suffix>`, perhaps with `.part`, where the
 * suffix is that of a format. From 100,000 shards on the numbers have more digits. (Others name their files alike:
 * `model-00001-of-00002.safetensors`.) */
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
bool sb_folder_prepare(const sb_destination *destination, sb_folder_use use, sb_error *error);
/* Removes what is a dataset's by its name, but for the shards that are done. A manifest goes first: from then on this
 * is no dataset. */
bool sb_folder_clear(const sb_destination *destination, const sb_shard *done, size_t n_shards, size_t n_formats,
                     sb_error *error);
/* Fails if an interrupted rendering left the dataset half-way. */
bool sb_folder_check_rendering(const char *folder, sb_error *error);

/* What else is in a dataset's folder: the first of them by their names, and how many there are. And how many of the
 * dataset's own files are symbolic links, as in the caches of dataset hubs. */
enum { SB_STRANGERS_NAMED = 8, SB_FILE_NAME = 256 };
typedef struct sb_strangers {
    char names[SB_STRANGERS_NAMED][SB_FILE_NAME];
    size_t n, n_links;
} sb_strangers;

/* Judges everything in a dataset's folder by its name. Fails with SB_MISMATCH at what is not of the dataset and would
 * be read with it: `steps-*.jsonl.gz` is how files are loaded. Other strangers are noted. */
bool sb_folder_check(const char *folder, const sb_schedule *schedule, sb_strangers *strangers, sb_error *error);

/* Whether one of the folder's files is this one, however it is spelled or linked. */
bool sb_folder_holds(const char *folder, const char *file);

/* Whether a path, of which not all need be there, is the folder or lies below it, however both are spelled: folders are
 * the same if they are one on the disk. */
bool sb_is_within(const char *path, const char *folder);

#endif
