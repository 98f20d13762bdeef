/* Sixteen episodes on their way into a dataset: the unit of work. Its content depends on the schedule alone, so any
 * worker makes any bundle. */
#ifndef SB_DATASETS_BUNDLE_H
#define SB_DATASETS_BUNDLE_H

#include "base/file.h"
#include "base/gzip.h"
#include "base/hash.h"
#include "datasets/stats.h"

/* What a worker needs to make one bundle after another. Starts zeroed. */
typedef struct sb_bundle_worker {
    sb_actor actor; /* plays, or holds the tape that was read */
    sb_out rows[SB_FORMATS_MAX], tapes;
    sb_gzip gzip;
} sb_bundle_worker;
void sb_bundle_worker_free(void *data); /* of a worker; takes void * to serve as sb_pool.free_scratch */

typedef struct sb_packed {
    sb_out bytes;       /* a gzip member; of a format with a writer, or with rows_only, the rows as they are */
    uint8_t digest[32]; /* BLAKE2b of the uncompressed bytes */
} sb_packed;

/* Starts zeroed; used again and again. */
typedef struct sb_bundle {
    /* Given: which episodes, and, if nobody plays, the lines of their tapes (of those that have one). */
    size_t episodes[SB_MEMBER_EPISODES], n;
    sb_out lines;
    /* Made: */
    sb_packed formats[SB_FORMATS_MAX], tapes;
    size_t ends[SB_FORMATS_MAX][SB_MEMBER_EPISODES]; /* in the bytes of a format with a writer: where episodes end */
    uint64_t rows[SB_FORMATS_MAX][SB_MEMBER_EPISODES];
    size_t n_kept;    /* episodes with rows */
    uint64_t n_tapes; /* episodes with a tape */
    sb_stats stats;
} sb_bundle;
void sb_bundle_free(void *data); /* of a bundle, in the same way */

/* For giving: begins without episodes and lines; appends a tape's line; makes the lines a text. */
void sb_bundle_begin(sb_bundle *bundle);
void sb_bundle_add_line(sb_bundle *bundle, const sb_lines *lines);
bool sb_bundle_end(sb_bundle *bundle, sb_error *error);

/* What is made of a bundle. */
typedef struct sb_order {
    const sb_schedule *schedule;
    bool reads;        /* tapes come from bundle->lines instead of being played */
    bool reads_only;   /* and are there already: none are packed */
    size_t first_kept; /* formats before this one are rendered for the counts and thrown away */
    bool rows_only;    /* for readers in memory: no tapes, rows of all formats as they are, and no digests of them */
} sb_order;

bool sb_bundle_make(const sb_order *order, sb_bundle_worker *worker, sb_bundle *bundle, sb_error *error);

#endif
