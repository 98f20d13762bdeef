/* Goes on with an evaluation: finds what was played before, in the journal of an interrupted run or in a result, and
 * keeps what is played now. The command and the Python module work with this. */
#ifndef SB_EVALUATION_RESUME_H
#define SB_EVALUATION_RESUME_H

#include "base/file.h"
#include "evaluation/evaluate.h"
#include "evaluation/result.h"

/* The journal of an evaluation: every episode as soon as it was played, one line of JSON each, in the order in which
 * they ended. It lies in `RESULT.part` until the result is written. After an interruption, by a signal, a crash or a
 * power failure, the evaluation goes on with what it holds.
 *
 * The first line says what is evaluated, and only the same evaluation goes on. Every other line has the `place` of an
 * episode among the run's places and the episode as results write it. If a place occurs twice, the later line counts.
 * A last line that was cut off is skipped. */

enum { SB_RUN_JOURNAL_VERSION = 1 };

/* A journal that is written. Starts zeroed. */
typedef struct sb_run_journal {
    sb_file file;
    sb_out found;    /* what was left by an interrupted run, until the journal begins */
    size_t episodes; /* how many the journal holds; one that was played again has several lines */
    sb_out seen;     /* a byte for each place: whether the journal has it */
    sb_timer *now;
    double flushed; /* when bytes were last flushed to the disk */
} sb_run_journal;

/* Writes the first line of a journal: what decides about the episodes and how the result tells of them. `agent` and
 * `selection` are the texts of the result's members. */
bool sb_run_head(const char *version, const char *agent, const char *selection, const sb_plays *plays,
                 const sb_selection *selected, sb_out *out, sb_error *error);
/* Compares the first lines of two journals; fails and names the first member in which they differ. */
bool sb_run_heads_agree(const char *said, size_t n, const char *due, size_t n_due, sb_error *error);

/* Locks the result's path and opens the journal, with what it holds already. If the path is a device or a pipe, nothing
 * is kept, and only the conclusion is written. What is written is flushed to the disk once a second by the timer, or at
 * once if that is NULL. */
bool sb_run_journal_open(sb_run_journal *journal, const char *path, sb_timer *now, sb_error *error);
/* Forgets what an interrupted run left. */
void sb_run_journal_forget(sb_run_journal *journal);
/* Reads the salt of the interrupted run; empty if there is none. */
void sb_run_journal_salt(const sb_run_journal *journal, char salt[SB_SALT_HEX]);
/* Puts the kept episodes into the results, which were begun, and goes on writing behind them. Every kept episode is
 * replayed, and one that ends otherwise is an error. Episodes that were lost stay to be played if `again`. */
bool sb_run_journal_begin(sb_run_journal *journal, const sb_out *head, bool again, const sb_selection *selection,
                          sb_results *results, sb_error *error);
/* Begins the journal as sb_run_journal_begin does, with the episodes of a finished result instead of a journal's. */
bool sb_run_journal_adopt(sb_run_journal *journal, const sb_out *head, sb_results *before, bool again,
                          const sb_selection *selection, sb_results *results, sb_error *error);
/* Adds an episode; takes void * to serve as sb_evaluation.keep. */
bool sb_run_journal_add(void *journal, size_t place, const sb_played *played, sb_error *error);
/* Writes the result in the journal's place. After a failure the journal is still there. */
bool sb_run_journal_conclude(sb_run_journal *journal, const sb_out *document, sb_error *error);
/* Closes the journal, which stays if it holds an episode; `file.path` says where. Does nothing after a conclusion. */
void sb_run_journal_leave(sb_run_journal *journal);

typedef enum sb_resume_how {
    SB_RUN_ANEW,    /* an interrupted run that holds episodes is an error, as is a result with remarks of its agent */
    SB_RUN_FORCED,  /* episodes of an interrupted run are dropped, and a result is replaced */
    SB_RUN_RESUMED, /* episodes of an interrupted run are kept */
    SB_RUN_RETRIED  /* episodes of an interrupted run are kept, but for those that were lost */
} sb_resume_how;

/* An evaluation that may go on with an earlier one. Starts zeroed. */
typedef struct sb_resume {
    sb_resume_how how;
    sb_run_journal journal;
    sb_results before;      /* results of the finished document that is there, if there is no journal */
    char salt[SB_SALT_HEX]; /* salt of what was played before; empty: there is none */
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
