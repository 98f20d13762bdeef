/* Looks at the beginning of every episode before it is played: is it an evaluation episode, does it begin like one, or
 * like an earlier episode? (Recorded tapes of one episode are attempts at it, and no duplicates.) And if there are
 * splits: does it begin like an episode of another one? It stays in the later of the two. Beginnings are equal if the
 * keys are equal (sb_key: no course of actions tells the two apart) and task and difficulty are the same.
 *
 * Evaluation episodes are those of the `eval` lists: the published ones, or what the base `eval` gives for tasks
 * without published lists. Difficulties that are kept in packs (sb_is_derived) have no list, because users evaluate
 * with packs; of tests, the seeds of the pack that comes with Seedbed are evaluation episodes (sb_is_reserved). No
 * episode is marked in a section whose split is `eval`.
 *
 * Memory: one byte per episode, and a set with slots of 16 bytes that is at most two thirds full. The result does not
 * depend on the number of workers or on which part of a dataset is built. */
#ifndef SB_DATASETS_CENSUS_H
#define SB_DATASETS_CENSUS_H

#include "base/out.h"
#include "datasets/schedule.h"

/* Fills schedule->fates. Fails if an episode cannot be made, or if nothing is left. */
bool sb_census_take(sb_schedule *schedule, size_t jobs, sb_error *error);

/* Finds in a selection of one family the episodes that a recipe would leave out as evaluation episodes, or as their
 * games, if its split is not `eval`: a flag for each. */
bool sb_census_find_evaluation(const sb_selection *selection, size_t jobs, const sb_stop *stop, bool *is_evaluation,
                               sb_error *error);
/* Removes them. Fails if nothing is left; then the selection is as it was. */
bool sb_census_drop_evaluation(sb_selection *selection, size_t jobs, const sb_stop *stop, sb_error *error);

/* Derives the evaluation lists of the tasks and difficulties that occur. Those whose episodes take long to find have no
 * list: they are evaluated with packs. If all are so, the pack stays empty. */
bool sb_census_evaluation(const sb_schedule *schedule, sb_pack *pack, sb_error *error);

/* What is left of a selection after the census (datasets/census.h), before anything is played. */

enum { SB_LEFT_NAMED = 16 };

typedef struct sb_left {
    uint64_t selected, left;
    uint64_t guarded;                 /* episodes left out because they are evaluation episodes or begin like one */
    uint64_t kept;                    /* evaluation episodes, or like one, that are not left out */
    size_t n_exhausted;               /* pairs of task and difficulty of which nothing is left */
    sb_name exhausted[SB_LEFT_NAMED]; /* the first exhausted pairs; seeds do not count */
} sb_left;

/* Counts what is left of these episodes of the schedule. */
sb_left sb_left_of(const sb_schedule *schedule, sb_range episodes);

/* Puts in a sentence what the guard of evaluation episodes takes, and which pairs are exhausted, if any are. */
void sb_left_put(const sb_left *left, sb_out *out);
/* Puts in a sentence how many episodes to evaluate with are kept; nothing if none are. */
void sb_left_put_kept(const sb_left *left, sb_out *out);
/* Finds out what a dataset of all episodes of the request would hold; `left` is empty if that cannot be told. */
void sb_left_of_request(const sb_request *request, size_t jobs, sb_left *left);
/* Fails if nothing is left, with the ways out. */
bool sb_left_check(const sb_left *left, sb_error *error);

/* Puts the names of the exhausted pairs with commas between them. */
void sb_left_put_exhausted(const sb_left *left, sb_out *out);

#endif
