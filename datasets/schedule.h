/* A recipe worked out: its episodes, agents, formats and files. */
#ifndef SB_DATASETS_SCHEDULE_H
#define SB_DATASETS_SCHEDULE_H

#include "base/hash.h"
#include "base/stop.h"
#include "datasets/recipe.h"
#include "exporters/texts.h"
#include "rollout/recorded.h"

/* Which rows of a dataset are left out, if its recipe has rules for rows: those that repeat an earlier row of their
 * split, prompt and answer, and those whose prompt stands in rows to evaluate with.
 * (datasets/choosing.h finds out). One bit for a row and 8 bytes for an episode, for each format. */

typedef struct sb_chosen_rows {
    uint64_t *first;  /* for each episode, and one more, the number of its first row, counted before any is left out */
    uint8_t *dropped; /* a bit for each row: it is left out */
    size_t n, capacity;
    uint64_t duplicates[SB_SPLITS_MAX],
        apart[SB_SPLITS_MAX]; /* how many rows of each split are left out for which reason */
} sb_chosen_rows;

typedef struct sb_row_choice {
    sb_chosen_rows of[SB_FORMATS_MAX];
} sb_row_choice;

/* Adds the next row of the format. */
bool sb_chosen_rows_add(sb_chosen_rows *rows, bool dropped, sb_error *error);
void sb_row_choice_free(sb_row_choice *choice);
/* Removes the episode's rows that are left out from the end of the text, where they begin at `begin`. The choice may be
 * NULL. */
void sb_row_choice_apply(const sb_row_choice *choice, size_t format, size_t episode, sb_out *rows, size_t begin,
                         uint64_t *n_rows);

/* What is known about an episode before it is played (sb_census_take). Bits. */
typedef enum sb_fate {
    SB_IS_EVALUATION = 1, /* the episode is on the evaluation list of its task and difficulty, or reserved */
    SB_IS_DUPLICATE = 2,  /* the episode begins like an earlier episode of the selection that is not left out */
    SB_IS_ACROSS = 4,     /* the episode begins like an evaluation episode of another name */
    SB_IS_ELSEWHERE = 8   /* the episode is in another split, or begins like one of another split */
} sb_fate;

/* A section of the recipe with its episodes and its shards, both from the first to the end - 1. */
typedef struct sb_scheduled {
    sb_section is;
    char label[SB_LABEL];
    size_t split; /* index of the section's split, 0 if there are no splits */
    size_t first, end, first_shard, end_shard;
    bool evaluates; /* the section's split is `eval`, so no episode of it is marked as one to evaluate with */
    bool all;       /* the section has no more candidates */
} sb_scheduled;

typedef struct sb_schedule {
    const sb_recipe *recipe; /* belongs to the caller; has to outlive the schedule */
    sb_selection selection;
    sb_scheduled sections[SB_SECTIONS_MAX];
    size_t n_sections, n_splits; /* n_splits: at least 1 */
    size_t *drawn;  /* the episodes in the order in which their sections' candidates came; NULL: in their own order */
    uint8_t *fates; /* an sb_fate of each episode; NULL until the census is taken */
    bool *beaten;   /* tapes that are not among the best of their episode; NULL: all count */
    sb_row_choice *choice; /* which rows are left out; NULL: none, or it is not known yet */
    const sb_family *family;
    sb_export exports[SB_FORMATS_MAX];
    size_t n_exports;
    sb_texts texts; /* the texts of the first format; none if it is not one of texts */
    sb_cast cast;
    cJSON *names; /* list of formats that the exports were read from, if the recipe has none */
    /* How many recorded tapes are taken, and a hash of what was played: of lines `NAME AGENT ACTION ACTION...`. The
     * hash is "" if there are none. */
    uint64_t n_recorded;
    char recorded_sha256[SB_SHA256_HEX];
    uint64_t n_lost;            /* episodes of a result that were lost, and have no tape */
    cJSON *about;               /* what the agent of a result tells of itself; NULL: nothing, or there is no result */
    char left_out[SB_LEFT_OUT]; /* a note on the lines of a recording that were passed over; "": none were */
    int level;
    size_t shard_episodes, n_shards;
    const sb_stop *stop; /* may be NULL: whether the census is to stop; set by whoever takes it */
} sb_schedule;

/* Adds the names in a text such as `steps,chat` to a list of formats; fails if `list` is NULL (out of memory). */
bool sb_formats_add(cJSON *list, const char *text, sb_error *error);

/* Checks everything that can be checked before the work begins. Of sections with a budget the recipe's `cuts` have to
 * be known (datasets/budget.h). With recorded tapes, the episodes are those of the
 * files `tapes` (n paths; with n = 0 the file that the recipe names: tapes, or a result), in their order. The caller
 * frees the schedule, also after a failure. */
bool sb_schedule_make(const sb_recipe *recipe, const char *const *tapes, size_t n, sb_schedule *schedule,
                      sb_error *error);
void sb_schedule_free(sb_schedule *schedule);

/* Whether the recipe leaves out this episode because of its fate. */
bool sb_schedule_leaves_out(const sb_schedule *schedule, size_t episode);
/* Whether the episode has a tape: recorded and played episodes do. */
static inline bool sb_schedule_has_tape(const sb_schedule *schedule, size_t episode) {
    return schedule->cast.recorded || !sb_schedule_leaves_out(schedule, episode);
}
/* Whether the played episode gets rows. */
bool sb_schedule_wants(const sb_schedule *schedule, size_t episode, const sb_tape *tape);

/* The episodes of a shard: first to end - 1. */
typedef struct sb_range {
    size_t first, end;
} sb_range;
sb_range sb_schedule_shard(const sb_schedule *schedule, size_t shard);
/* The section of a shard, and the name of one of the shard's files. */
const sb_scheduled *sb_schedule_section(const sb_schedule *schedule, size_t shard);
sb_shard_name sb_schedule_file(const sb_schedule *schedule, const char *kind, size_t shard, const char *suffix);
/* The place of a shard among the shards of its section. */
sb_file_place sb_schedule_place(const sb_schedule *schedule, size_t shard);

#endif
