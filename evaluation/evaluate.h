/* Evaluates an agent: plays every episode of a selection and keeps each tape. */
#ifndef SB_EVALUATE_H
#define SB_EVALUATE_H

#include "agents/agent.h"
#include "agents/process.h"
#include "evaluation/budget.h"
#include "evaluation/episode.h"
#include "rollout/part.h"
#include "rollout/selection.h"

/* Which episodes of a selection a run plays, and how often: all of them once, unless it makes several attempts at each
 * or is one of several parts. A *place* is an index into the run's list: the part's episodes in the order of the
 * selection, each with its attempts one after another. */

typedef struct sb_plays {
    size_t attempts; /* attempts at each episode; 0 and 1: one */
    sb_part part;    /* part of the selection; zeroed: all of it */
} sb_plays;

static inline size_t sb_plays_attempts(const sb_plays *plays) { return plays->attempts ? plays->attempts : 1; }

/* Returns how many places there are if `n` episodes were selected. */
size_t sb_plays_count(const sb_plays *plays, size_t n);
/* Returns the place's index in the selection; `attempt` receives its number, or 0 if there is one attempt at each
 * episode. */
size_t sb_plays_at(const sb_plays *plays, size_t place, uint32_t *attempt);

/* Lists the episodes of the places as a selection of its own, which the caller frees. */
bool sb_plays_list(const sb_plays *plays, const sb_selection *selection, sb_selection *list, sb_error *error);

/* Writes the members `attempts` and `part`, each only if it is used. */
void sb_plays_print(const sb_plays *plays, sb_out *out);
/* Reads the members `attempts` and `part`. */
bool sb_plays_read(const cJSON *object, sb_plays *plays, sb_error *error);

/* What ends a run of an evaluation before all episodes were played: its time, its cost, or losses in a row. The caller
 * makes sure that one call is made at a time. */

/* The limits of a run. Episodes that have begun are played to their end. 0: no limit. */
typedef struct sb_run_limits {
    double seconds; /* no episode begins after so many seconds */
    /* cost of all episodes together; the run ends, too, if the agent does not know its cost */
    double cost;
    uint64_t lost_in_a_row; /* losses, other than by the agent's limit of steps */
} sb_run_limits;

/* Checks a limit of seconds, hours or cost that somebody gave: 0 would not let anything begin, and what is no number
 * would be no limit. INFINITY is fine. */
bool sb_run_limit_check(const char *what, double given, sb_error *error);

typedef struct sb_run_watch {
    sb_run_limits limits;
    sb_timer *now; /* needed for a limit of seconds */
    double began;
    double cost; /* cost so far, with that of episodes that were played before this run */
    bool hidden; /* some agent was paid for a reply, and nobody knows how much */
    uint64_t lost_in_a_row;
    sb_error why; /* why no more episodes begin, if its code is not SB_OK */
} sb_run_watch;

sb_run_watch sb_run_watch_of(const sb_run_limits *limits, sb_timer *now);
/* Whether another episode may begin; the error says why not. */
bool sb_run_goes_on(sb_run_watch *watch, sb_error *error);
/* Counts an episode that was played now. */
void sb_run_count(sb_run_watch *watch, const sb_played *played);
/* Counts the cost of an episode that was played before this run. */
void sb_run_count_before(sb_run_watch *watch, const sb_played *played);

/* The results of a run. Starts zeroed. */
typedef struct sb_results {
    const sb_catalogue *catalogue; /* where the tasks of the episodes are looked up */
    char agent[SB_AGENT_LABEL];
    sb_agent_kind kind;
    sb_plugin_kind sees; /* what a plugin sees; 0: the agent is none */
    /* salt of the random numbers that a program got; empty: there were none, or it is not known */
    char salt[SB_SALT_HEX];
    uint64_t frames; /* frames that an action showed in tests (rollout/testing.h); 0: one */
    /* Whether the document was made before tests were also summed up by whether steps draw, and over all kinds, and
     * before added waiting was left out of the exploration. Its sums are made in the old way. */
    bool older_tests;
    /* version of the document that the results were read from, whose sums are made in its way; 0: today's */
    unsigned version;
    sb_plays plays;
    /* the plan by which the episodes were drawn, in the order of the selection; zeroed: none */
    sb_eval_budget_plan budget;
    char *about;         /* what is told about the agent: a JSON object as text; NULL: nothing */
    sb_played *episodes; /* in the order of the run's places */
    size_t n, room;      /* places up to the last one that was played; places that there is memory for */
    /* Only if they were read from a document: the document without episodes, selection and agent, and the texts of
     * these two; the selection may be a pack of any length. */
    cJSON *head;
    char *selection, *told;
} sb_results;

typedef struct sb_evaluation {
    const sb_selection *selection;
    /* Finds how many places are to be played under a budget, as far as the episodes so far tell: sb_eval_budget_due
     * (evaluation/estimates.h). NULL: all are. */
    bool (*due)(const sb_results *results, size_t *due, sb_error *error);
    sb_plays plays;
    sb_agent *agent;
    size_t jobs; /* workers; 0: one per processor */
    sb_run_limits limits;
    sb_timer *now; /* needed for a limit of seconds */
    /* Both may be NULL; called as soon as an episode was played, in any thread, but one call at a time. */
    bool (*keep)(void *keeper, size_t place, const sb_played *played, sb_error *error);
    void (*progress)(void *context, size_t episodes, size_t total);
    void *keeper;
    /* called after every episode, in any thread: false stops everything; may be NULL */
    bool (*goes_on)(void *context, sb_error *error);
    void *context;
} sb_evaluation;

/* Plays all episodes. The caller frees the results, also after a failure. */
bool sb_evaluate(const sb_evaluation *evaluation, sb_results *results, sb_error *error);
/* Plays all episodes in two steps, between which episodes that were played before may be put into the results. */
bool sb_evaluation_begin(const sb_evaluation *evaluation, sb_results *results, sb_error *error);
bool sb_evaluate_rest(const sb_evaluation *evaluation, sb_results *results, sb_error *error);
/* Forgets the episodes from a place on. */
void sb_results_cut(sb_results *results, size_t place);
/* Gives the results the plan by which the selection was drawn; between sb_evaluation_begin and sb_evaluate_rest. */
void sb_results_plan(sb_results *results, sb_eval_budget_plan *plan);
void sb_results_free(sb_results *results);

/* Makes room for the results of a run that the caller plays by other means. It then puts each episode at its place;
 * the tape's actions become the results'. */
bool sb_results_begin(sb_results *results, const sb_selection *selection, const sb_plays *plays, const char *label,
                      sb_agent_kind kind, sb_error *error);
/* Notes what is told about the agent: an object as text, or NULL. */
bool sb_results_tell_about(sb_results *results, const char *about, sb_error *error);
void sb_results_put(sb_results *results, size_t place, sb_tape *tape, const sb_failure *failure);
/* Whether any episode is of the family. */
bool sb_has_family(const sb_results *results, const sb_family *family);
size_t sb_results_done(const sb_results *results);
size_t sb_results_lost(const sb_results *results);
/* Whether they were read from a document of version 1 or 2. */
bool sb_results_are_older(const sb_results *results);

#endif
