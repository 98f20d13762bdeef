/* How well an agent does: every episode of a selection played, each with its tape. */
#ifndef SB_EVALUATE_H
#define SB_EVALUATE_H

#include <cjson/cJSON.h>

#include "agents/agent.h"

/* Whether an episode can be won, as far as a certificate tells. */
typedef enum sb_winnable { SB_NOT_CERTIFIED, SB_CAN_BE_WON, SB_CANNOT_BE_WON } sb_winnable;
extern const char *const sb_winnable_names[3]; /* unknown, solved, impossible: the certificates' words */

typedef struct sb_played {
    sb_tape tape;       /* of the whole episode, or of what was played before a failure */
    sb_failure failure; /* kind SB_NO_FAILURE: the episode was played to its end */
    sb_winnable winnable;
} sb_played;

/* Whether anybody can win or lose such an episode, and whether the agent won. */
static inline bool sb_is_judged(const sb_played *played) { return sb_has_success(played->tape.criterion); }
static inline bool sb_won(const sb_played *played) {
    return played->failure.kind == SB_NO_FAILURE && played->tape.outcome.success;
}

/* Starts zeroed. */
typedef struct sb_results {
    const sb_catalogue *catalogue; /* where the tasks of the episodes are looked up */
    char agent[SB_AGENT_LABEL];
    sb_agent_kind kind;
    char salt[SB_SALT_HEX]; /* of the random numbers that a program was told; empty: it was told none, or none is known
                             */
    sb_played *episodes;    /* in the order of the selection */
    size_t n;
    /* If they were read from a document: all of it but the episodes and the selection; and the selection's text, which
     * may be a pack of any length. */
    cJSON *head;
    char *selection;
} sb_results;

typedef struct sb_evaluation {
    const sb_selection *selection;
    sb_agent *agent;
    size_t jobs;                                                    /* 0: one a processor */
    void (*progress)(void *context, size_t episodes, size_t total); /* may be NULL */
    void *context;
} sb_evaluation;

/* The caller frees the results, also after a failure. */
bool sb_evaluate(const sb_evaluation *evaluation, sb_results *results, sb_error *error);
void sb_results_free(sb_results *results);

/* Whether any episode is of the family. */
bool sb_has_family(const sb_results *results, const sb_family *family);

#endif
