/* What a manifest or a journal says of a shard, against what the recipe and the tapes give. Verification and merging
 * ask the same questions here; what only rendering tells, verification asks besides. */
#ifndef SB_DATASETS_AUDIT_H
#define SB_DATASETS_AUDIT_H

#include "datasets/manifest.h"

/* Each file bears the name that tells what is in it. To be asked before a file is opened by the name that is said. */
bool sb_audit_names(const sb_schedule *schedule, size_t shard, const sb_shard *said, sb_error *error);

/* And the shard's files of formats, from the `first` one on, are what is said of them. */
bool sb_audit_files(const sb_schedule *schedule, const char *folder, size_t shard, const sb_shard *said, size_t first,
                    sb_error *error);

/* The numbers of episodes and rows that are said of each file, against counts. */
bool sb_audit_counts(const sb_schedule *schedule, const sb_shard *said, const sb_stats *counts, sb_error *error);

/* The counts of a shard that is said to be done, against its tapes (a file), and those of its rows against what tapes
 * and files of these sizes can have. The schedule's census was taken. */
bool sb_audit_shard(const sb_schedule *schedule, size_t shard, const sb_shard *said, const char *tapes,
                    sb_error *error);

#endif
