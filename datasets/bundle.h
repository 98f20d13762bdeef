/* Sixteen episodes on their way into a dataset: the unit of work. Its content depends only on the schedule, so any
 * worker may make any bundle. */
#ifndef SB_DATASETS_BUNDLE_H
#define SB_DATASETS_BUNDLE_H

#include "base/gzip.h"
#include "base/hash.h"
#include "datasets/losses.h"
#include "datasets/stats.h"
#include "exporters/teller.h"

/* What a worker needs to make one bundle after another. Starts zeroed. */
typedef struct sb_bundle_worker {
    sb_actor actor; /* plays, or holds the tape that was read */
    sb_out rows[SB_FORMATS_MAX], tapes, texts;
    sb_gzip gzip;
    sb_tellers tellers;
    /* Packers of formats whose rows are packed in parts; NULL: they never were. */
    struct sb_packer *packers[SB_FORMATS_MAX];
} sb_bundle_worker;
void sb_bundle_worker_free(void *data); /* frees a worker; takes void * to serve as sb_pool.free_scratch */

typedef struct sb_packed {
    sb_out bytes;       /* a gzip member; for a format with a writer the uncompressed rows */
    uint8_t digest[32]; /* BLAKE2b of the uncompressed bytes */
} sb_packed;

/* Starts zeroed, and is used for one bundle after another. */
typedef struct sb_bundle {
    /* The input: which episodes, and, if tapes are read, the lines of those that have a tape. */
    size_t episodes[SB_MEMBER_EPISODES], n;
    sb_out lines;
    /* The output: what was made of the episodes. */
    sb_packed formats[SB_FORMATS_MAX], tapes;
    size_t ends[SB_FORMATS_MAX][SB_MEMBER_EPISODES]; /* for formats with a writer: where episodes end in the bytes */
    uint64_t rows[SB_FORMATS_MAX][SB_MEMBER_EPISODES];
    /* Texts of each episode in the first format, if they are counted. */
    uint64_t characters[SB_MEMBER_EPISODES], tokens[SB_MEMBER_EPISODES];
    size_t kept[SB_MEMBER_EPISODES], n_kept; /* episodes with rows */
    uint64_t n_tapes;                        /* how many episodes have a tape */
    sb_loss losses[SB_MEMBER_EPISODES];      /* episodes that were lost, with rows or without */
    size_t n_losses;
    sb_out asked[SB_FORMATS_MAX]; /* an sb_row_hash of every row, if the order asks for them */
    sb_stats stats;
} sb_bundle;
void sb_bundle_free(void *data); /* frees a bundle; takes void * to serve as a callback */

/* Fill the input: begin without episodes and lines, append the line of a tape, and end the lines with a NUL. */
void sb_bundle_begin(sb_bundle *bundle);
void sb_bundle_add_line(sb_bundle *bundle, const sb_out *line);
bool sb_bundle_end(sb_bundle *bundle, sb_error *error);

/* How a bundle is made. */
typedef struct sb_order {
    const sb_schedule *schedule;
    bool reads;        /* recorded tapes come from bundle->lines instead of being played */
    bool reads_only;   /* the tapes are in the dataset already, so they are not packed again */
    size_t first_kept; /* formats before this one are rendered only to count their rows */
    bool compares_all; /* the teacher of every episode is compared with the observer, as an estimate needs it */
    bool asks;         /* rows of formats with prompts are hashed, for `asked`; with rows_only nothing else is kept */
    bool rows_only;    /* for readers in memory: rows of all formats uncompressed, no tapes and no digests */
    bool counts_texts; /* characters of the first format are counted, and tokens if the recipe has a tokenizer */
} sb_order;

/* Returns how much of a budget's unit an episode with rows has, by its place in `kept`. */
uint64_t sb_bundle_amount(const sb_bundle *bundle, size_t place, sb_unit unit);

bool sb_bundle_make(const sb_order *order, sb_bundle_worker *worker, sb_bundle *bundle, sb_error *error);

#endif
