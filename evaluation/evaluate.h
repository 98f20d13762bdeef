/* Evaluates an agent: plays every episode of a selection and keeps each tape. */
#ifndef SB_EVALUATE_H
#define SB_EVALUATE_H

#include <cjson/cJSON.h>

#include "agents/agent.h"

/* Whether an episode can be won, according to its certificate. */
typedef enum sb_winnable { SB_NOT_CERTIFIED, SB_CAN_BE_WON, SB_CANNOT_BE_WON } sb_winnable;
extern const char *const sb_winnable_names[3]; /* unknown, solved, impossible: the certificates' words */

typedef struct sb_played {
    sb_tape tape;       /* of the whole episode, or of the part before a failure */
    sb_failure failure; /* kind SB_NO_FAILURE: the episode was played to its end */
    sb_winnable winnable;
} sb_played;

/* Whether the episode has success at all, and whether the agent won it. */
static inline bool sb_is_judged(const sb_played *played) { return sb_has_success(played->tape.criterion); }
static inline bool sb_won(const sb_played *played) {
    return played->failure.kind == SB_NO_FAILURE && played->tape.outcome.success;
}

/* Starts zeroed. */
typedef struct sb_results {
    const sb_catalogue *catalogue; /* where the tasks of the episodes are looked up */
    char agent[SB_AGENT_LABEL];
    sb_agent_kind kind;
    char salt[SB_SALT_HEX]; /* of the random numbers that a program got; empty: none, or not known */
    sb_played *episodes;    /* in the order of the selection */
    size_t n;
    /* Only if they were read from a document: the document without episodes and selection, and the text of the
     * selection, which may be a pack of any length. */
    cJSON *head;
    char *selection;
} sb_results;

typedef struct sb_evaluation {
    const sb_selection *selection;
    sb_agent *agent;
    size_t jobs;                                                    /* workers; 0: one per processor */
    void (*progress)(void *context, size_t episodes, size_t total); /* may be NULL */
    bool (*goes_on)(void *context, sb_error *error); /* may be NULL; after every episode: false stops everything */
    void *context;
} sb_evaluation;

/* Plays all episodes. The caller frees the results, also after a failure. */
bool sb_evaluate(const sb_evaluation *evaluation, sb_results *results, sb_error *error);
void sb_results_free(sb_results *results);

/* For whoever lets the agent play by other means: room for the results of the selection's episodes, then each of them
 * at its place in the selection. The tape's actions become the results'. */
bool sb_results_begin(sb_results *results, const sb_selection *selection, const char *label, sb_agent_kind kind,
                      sb_error *error);
void sb_results_put(sb_results *results, size_t index, sb_tape *tape, const sb_failure *failure);
/* Whether any episode is of the family. */
bool sb_has_family(const sb_results *results, const sb_family *family);

#endif
