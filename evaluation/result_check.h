/* Checks a result: whether it has exactly the episodes of its selection, whether they replay, and whether its scores
 * follow from them. */
#ifndef SB_RESULT_CHECK_H
#define SB_RESULT_CHECK_H

#include "evaluation/result.h"
#include "evaluation/selected.h"

/* Files that a result names but does not hold. All may be NULL. */
typedef struct sb_result_checking {
    bool replay; /* replay every episode; everything else is checked in any case */
    const sb_pack *pack;
    /* a baseline that the result may be normalised with, besides the frozen ones */
    const sb_baseline *baseline;
    const char *certificates; /* path of a file with certificates of episodes that are not official */
    const sb_stop *stop;      /* asked while episodes are replayed; then the check fails */
} sb_result_checking;

typedef enum sb_standing {
    SB_RESULT_RIGHT,      /* everything that was checked is right */
    SB_RESULT_UNVERIFIED, /* something could not be checked */
    SB_RESULT_INCOMPLETE, /* the selection's last episodes are missing, as if the evaluation had been interrupted */
    SB_RESULT_WRONG,
    SB_N_STANDINGS
} sb_standing;

extern const char *const sb_standing_names[SB_N_STANDINGS]; /* empty for a result that is right */

enum { SB_PLAYS_WORDS = 80 /* room for attempts and part in words */ };

typedef struct sb_result_checked {
    sb_standing standing;
    char why[240];                                     /* why the result is not right, in one line; empty if it is */
    char selected[SB_SELECTED_WORDS + SB_PLAYS_WORDS]; /* the selection in words */
    size_t n_selected;                                 /* number of selected episodes; 0: not known */
    bool replayed;
    unsigned frozen; /* number of the result's frozen baseline; 0: it has none */
    char baseline[SB_BASELINE_LABEL];
} sb_result_checked;

/* Checks results that were read from a document. Returns false only if the check itself fails: no memory, or an
 * unreadable file. */
bool sb_result_check(const sb_results *results, const sb_result_checking *how, sb_result_checked *checked,
                     sb_error *error);

/* Writes the outcome in words: `verified`, `incomplete: 3 of 25 episodes, ...; not replayed`. */
enum { SB_CHECKED_WORDS = 320 };
void sb_result_checked_print(const sb_result_checked *checked, char words[SB_CHECKED_WORDS]);

#endif
