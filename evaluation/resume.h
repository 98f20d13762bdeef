/* Goes on with an evaluation: finds what was played before, in the journal of an interrupted run or in a result, and
 * keeps what is played now. The command and the Python module work with this. */
#ifndef SB_EVALUATION_RESUME_H
#define SB_EVALUATION_RESUME_H

#include "evaluation/result.h"
#include "evaluation/run_journal.h"

typedef enum sb_resume_how {
    SB_RUN_ANEW,    /* an interrupted run that holds episodes is an error */
    SB_RUN_FORCED,  /* its episodes are dropped */
    SB_RUN_RESUMED, /* the episodes are kept */
    SB_RUN_RETRIED  /* the episodes are kept, but for those that were lost */
} sb_resume_how;

/* Starts zeroed. */
typedef struct sb_resume {
    sb_resume_how how;
    sb_run_journal journal;
    sb_results before;      /* of the result that is there, if there is no journal */
    char salt[SB_SALT_HEX]; /* of what was played before; empty: none */
} sb_resume;

/* Opens the journal of the result's path, and looks for what was played before. Whatever follows, close it. */
bool sb_resume_open(sb_resume *resume, const char *path, sb_resume_how how, const sb_catalogue *catalogue,
                    sb_timer *now, sb_error *error);
/* Puts the episodes that were played before into the results, which were begun: the agent is known by now. Fails if
 * they are of another evaluation. `spec` and `limits` are what the result will tell of the agent, `selected` the text
 * of its selection. */
bool sb_resume_begin(sb_resume *resume, const char *spec, const sb_agent_options *limits, const char *selected,
                     const sb_selection *selection, sb_results *results, sb_error *error);
/* Closes the journal, which stays if it holds episodes, unless it was concluded. */
void sb_resume_close(sb_resume *resume);

#endif
