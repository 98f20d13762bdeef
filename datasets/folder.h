/* Recognises the files of a dataset's folder by their names. */
#ifndef SB_DATASETS_FOLDER_H
#define SB_DATASETS_FOLDER_H

#include "datasets/destination.h"
#include "datasets/manifest.h"

/* Whether a name is that of a shard, finished or not: `<kind>-00000-of-00001.<suffix>`, perhaps with the label of a
 * section before the numbers, and with `.part` at the end. The suffix is that of a format or of tapes. From 100,000
 * shards on the numbers have more digits. (Other programs use similar names: `model-00001-of-00002.safetensors`.) */
bool sb_is_shard_name(const char *name);

/* Whether a name is that of any file of a dataset: a shard or a document. Other files are never removed. */
bool sb_is_dataset_file(const char *name);

/* How a folder will be used, which decides what it may hold already. */
typedef enum sb_folder_use {
    SB_FOLDER_NEW,     /* the folder may hold nothing but hidden and unfinished files */
    SB_FOLDER_RESUMED, /* the folder may hold what an interrupted build left */
    SB_FOLDER_MERGED,  /* the folder may hold what an interrupted merge left: shards and documents */
    SB_FOLDER_REPLACED /* the folder may hold anything */
} sb_folder_use;

/* Fails if the folder holds something that would be lost, or a foreign file that would be loaded with the dataset.
 * Unless everything is replaced, that includes a README.md, stats.json or croissant.json that seedbed did not make. */
bool sb_folder_prepare(const sb_destination *destination, const sb_schedule *schedule, sb_folder_use use,
                       sb_error *error);
/* Removes the files that belong to a dataset by their names, but keeps the shards that are done. It removes the
 * manifest first, after which the folder is no dataset. */
bool sb_folder_clear(const sb_destination *destination, const sb_shard *done, size_t n_shards, size_t n_formats,
                     sb_error *error);
/* Fails if an interrupted rendering left the dataset half-way. */
bool sb_folder_check_rendering(const char *folder, sb_error *error);

/* Foreign files in a dataset's folder: the first ones by name, and how many there are. Also how many of the dataset's
 * own files are symbolic links, as in the caches of dataset hubs. */
enum { SB_STRANGERS_NAMED = 8, SB_FILE_NAME = 256 };
typedef struct sb_strangers {
    char names[SB_STRANGERS_NAMED][SB_FILE_NAME];
    size_t n, n_links;
} sb_strangers;

/* Checks everything in a dataset's folder by its name. Fails with SB_MISMATCH if a foreign file would be loaded with
 * the dataset, which is done with patterns like `steps-*.jsonl.gz`. Other foreign files are noted. */
bool sb_folder_check(const char *folder, const sb_schedule *schedule, sb_strangers *strangers, sb_error *error);

/* Whether the file is in the folder, even if its path is spelled differently or has links. */
bool sb_folder_holds(const char *folder, const char *file);

/* Whether a path is the folder or below it, however both are spelled: folders are compared on the disk. The path need
 * not exist. */
bool sb_is_within(const char *path, const char *folder);

#endif
