/* Checks what a manifest or a journal says about a shard against the recipe and the tapes. Verification and merging
 * share these checks; verification also checks what only rendering can tell. */
#ifndef SB_DATASETS_AUDIT_H
#define SB_DATASETS_AUDIT_H

#include "datasets/manifest.h"

/* Checks that each file has the name that belongs to its content. Call it before a file is opened by a name from a
 * document. */
bool sb_audit_names(const sb_schedule *schedule, size_t shard, const sb_shard *said, sb_error *error);

/* The same for all shards of a manifest; the schedule may have more. */
bool sb_audit_all_names(const sb_schedule *schedule, const sb_manifest *manifest, sb_error *error);

/* Checks the names, and the size and hash of the shard's files of formats, from the `first` one on. */
bool sb_audit_files(const sb_schedule *schedule, const char *folder, size_t shard, const sb_shard *said, size_t first,
                    sb_error *error);

/* Checks the stated numbers of episodes and rows of each file against counts. */
bool sb_audit_counts(const sb_schedule *schedule, const sb_shard *said, const sb_stats *counts, sb_error *error);

/* Checks the counts of a finished shard against its tapes (a file), and whether its numbers of rows and bytes are
 * possible with these tapes and file sizes. Call it after the schedule's census. */
bool sb_audit_shard(const sb_schedule *schedule, size_t shard, const sb_shard *said, const char *tapes,
                    sb_error *error);

#endif
