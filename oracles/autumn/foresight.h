/* How likely it is to lose, if all is done right from here: over what may be hidden, as long as there is little of it.
 */
#ifndef SB_ORACLES_AUTUMN_FORESIGHT_H
#define SB_ORACLES_AUTUMN_FORESIGHT_H

#include "oracles/autumn/hypotheses.h"

enum { SB_FORESEEN = 64 /* hypotheses at most */ };

typedef struct sb_foresight sb_foresight;

/* Makes a foresight for a program, which must live longer. NULL: out of memory. */
sb_foresight *sb_foresight_make(const sb_autumn_program *program);
void sb_foresight_free(sb_foresight *f);

/* Finds the event that loses least often if the best of these events follow, looking as far ahead as it can within a
 * number of steps, which it adds to the budget. Returns its index; -1 if there are too many hypotheses, if none of the
 * events does anything, or if memory is out. */
int sb_foresee(sb_foresight *f, const sb_hypotheses *h, const sb_autumn_event *events, int n, sb_budget *budget);

#endif
