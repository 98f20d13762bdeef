/* Counts what a dataset holds, per task and difficulty. The manifest, stats.json, the journal of an interrupted build
 * and verification all use the same counts. */
#ifndef SB_DATASETS_STATS_H
#define SB_DATASETS_STATS_H

#include "datasets/schedule.h"

#define SB_STATS_NAME    "stats.json"
#define SB_STATS_FORMAT  "seedbed-statistics"
#define SB_STATS_VERSION 1

typedef struct sb_action_count {
    sb_action action;
    uint64_t n;
} sb_action_count;

/* Episodes of one task and difficulty. Played episodes have a tape and are not left out. Kept ones also passed the
 * filter and have rows; lengths, returns, actions and rows count only these. */
typedef struct sb_stats_group {
    sb_name name; /* name of the group's first episode */
    uint64_t selected, evaluation, duplicates, across, elsewhere, played, episodes, successes;
    uint64_t unreadable; /* played episodes in which an action stood in for an unreadable answer */
    uint64_t judged;     /* kept episodes whose task has success */
    uint64_t steps, min_steps, max_steps;
    double total, min_return, max_return; /* sparse returns */
    uint64_t corrections;                 /* steps whose label differs from the action */
    /* Steps in which the teacher was compared with the observer, and those in which its action is another one
     * (datasets/stats.c). */
    uint64_t compared, unlike_observer;
    uint64_t characters, tokens;                          /* sizes of the first format's texts, if they were counted */
    uint64_t rows[SB_FORMATS_MAX], bytes[SB_FORMATS_MAX]; /* rows and uncompressed bytes of each format */
    sb_action_count *actions;                             /* actions that were taken, ascending */
    size_t n_actions, capacity;
} sb_stats_group;

typedef struct sb_stats {
    sb_stats_group *groups; /* groups in the order of the selection */
    size_t n, capacity;
} sb_stats;

void sb_stats_free(sb_stats *stats);
/* Empties the statistics and keeps the memory. */
void sb_stats_clear(sb_stats *stats);

/* Counts an episode of the selection and returns its group, to which other counts of the episode are added. The group
 * stays valid until the next call. NULL: out of memory. */
sb_stats_group *sb_stats_episode(sb_stats *stats, const sb_schedule *schedule, size_t episode, sb_error *error);
/* Counts what the tape of an episode says of the answers of a model, unless the episode is left out; returns whether it
 * gets rows. */
bool sb_stats_wants(sb_stats_group *group, const sb_schedule *schedule, size_t episode, const sb_tape *tape);
/* Counts an episode that has rows. */
bool sb_stats_keep(sb_stats_group *group, const sb_tape *tape, sb_error *error);
/* Whether the teacher of an episode that has rows is compared with the observer: in large datasets in some of the
 * episodes, about a thousand at most, evenly spread. */
bool sb_stats_compares(const sb_schedule *schedule, size_t episode, const sb_tape *tape);
/* Compares the teacher with the observer, in the actor's environment; `always`: in every episode. */
bool sb_stats_compare_teacher(sb_stats_group *group, const sb_schedule *schedule, size_t episode, bool always,
                              sb_actor *actor, const sb_tape *tape, sb_error *error);

/* Adds the counts of later episodes. Sums of returns depend on the order of adding in their last bits: episodes are
 * added within a gzip member, members within a shard, shards within a dataset. */
bool sb_stats_add(sb_stats *stats, const sb_stats *more, sb_error *error);
/* Returns the sum of all groups; its `actions` are empty. */
sb_stats_group sb_stats_total(const sb_stats *stats);

/* Writes a list that sb_stats_read reads back to the same statistics. */
void sb_stats_print(const sb_stats *stats, sb_out *out);
bool sb_stats_read(const sb_catalogue *catalogue, const cJSON *list, sb_stats *stats, sb_error *error);

/* Fails with SB_MISMATCH unless both have the same counts, and names the group and the count. Rows, bytes, texts and
 * `unlike_observer`, which tapes alone do not give, are left out. */
bool sb_stats_compare(const sb_stats *said, const sb_stats *is, sb_error *error);

/* Sorts the groups by task and difficulty, as people look for them: sections and shuffled episodes come in any order.
 */
void sb_stats_sort(sb_stats *stats, const sb_schedule *schedule);
/* Writes stats.json: the statistics for people and their scripts, with means and names. */
bool sb_stats_document(const sb_stats *stats, const sb_schedule *schedule, sb_out *out, sb_error *error);

#endif
