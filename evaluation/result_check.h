/* Whether a result is what it says: all episodes of its selection, each as it was played, and nothing picked out. */
#ifndef SB_RESULT_CHECK_H
#define SB_RESULT_CHECK_H

#include "evaluation/result.h"
#include "evaluation/selected.h"

/* Files for what a result names and does not hold. All may be NULL. */
typedef struct sb_result_checking {
    bool replay; /* every episode; without it, all else is checked */
    const sb_pack *pack;
    const sb_baseline *baseline; /* that it may be normalised with, beside the frozen ones */
    const char *certificates;    /* of episodes that are not official: a file's path */
} sb_result_checking;

typedef enum sb_standing {
    SB_RESULT_RIGHT,      /* in everything that was checked */
    SB_RESULT_UNVERIFIED, /* something could not be checked */
    SB_RESULT_INCOMPLETE, /* the selection's last episodes are missing, as if the evaluation had been interrupted */
    SB_RESULT_WRONG,
    SB_N_STANDINGS
} sb_standing;

extern const char *const sb_standing_names[SB_N_STANDINGS]; /* of one that is right, an empty text */

typedef struct sb_result_checked {
    sb_standing standing;
    char why[240];                    /* unless it is right; one line */
    char selected[SB_SELECTED_WORDS]; /* the selection in words */
    size_t n_selected;                /* episodes; 0: not known */
    bool replayed;
    unsigned frozen; /* the baseline that the result names: its number, or 0 */
    char baseline[SB_BASELINE_LABEL];
} sb_result_checked;

/* The results have been read from a document. False only where the check itself fails: no memory, an unreadable file.
 */
bool sb_result_check(const sb_results *results, const sb_result_checking *how, sb_result_checked *checked,
                     sb_error *error);

/* In words: `verified`, `incomplete: 3 of 25 episodes, ...; not replayed`. */
enum { SB_CHECKED_WORDS = 320 };
void sb_result_checked_print(const sb_result_checked *checked, char words[SB_CHECKED_WORDS]);

#endif
