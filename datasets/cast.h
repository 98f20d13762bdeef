/* Who acts in which episode of a dataset: one agent, or one drawn from a mixture, perhaps with noise. What is drawn
 * comes from the episode's name. */
#ifndef SB_DATASETS_CAST_H
#define SB_DATASETS_CAST_H

#include "base/json.h"
#include "rollout/worker.h"

enum { SB_CAST_MAX = 8 };
#define SB_RECORDED "tapes:" /* before the path of a file of tapes, in the place of an agent's name */

/* As a recipe says it. Texts belong to whoever wrote them. */
typedef struct sb_casting {
    const char *agent;   /* `expert`, `random` ...; `tapes:FILE`; or a mixture with weights, `expert:3,random:1` */
    const cJSON *agents; /* the mixture as a list of {"agent", "weight"}; NULL: see `agent` */
    double epsilon;      /* with this probability a random action is taken, and what the agent wanted is the label */
    const char *labels;  /* who says what should have been done in every state, whoever acted; NULL: who acted; with
                            recorded tapes also `tapes`: those that they hold */
    bool intents;        /* tapes say what the oracle is up to: who labels, or else who acts */
} sb_casting;

/* Reads the keys `oracle` (also spelled `agent`), `epsilon`, `labels` and `intents` of a recipe. */
bool sb_casting_read(const cJSON *object, sb_casting *casting, sb_error *error);
bool sb_casting_is_recorded(const sb_casting *casting);
/* As members of an object. */
void sb_casting_print(const sb_casting *casting, sb_out *out);

typedef struct sb_cast {
    struct {
        char agent[SB_AGENT_NAME];
        double weight;
    } of[SB_CAST_MAX];
    size_t n;
    double total; /* of the weights */
    double epsilon;
    char labeller[SB_AGENT_NAME]; /* "": who acts labels */
    bool labels;                  /* rows say what should have been done */
    bool intents;
    const char *recorded; /* path of the tapes; NULL: somebody plays */
} sb_cast;

/* What a worker needs to play or label one episode after another. Starts zeroed but for the worker's
 * catalogue. */
typedef struct sb_actor {
    sb_worker worker;
    sb_player labeller;
} sb_actor;
void sb_actor_free(sb_actor *actor);

/* Reads the mixture and checks the numbers; whether an agent can play a task, sb_cast_can says. */
bool sb_cast_make(sb_cast *cast, const sb_casting *casting, sb_error *error);
bool sb_cast_can(const sb_cast *cast, const sb_name *name, sb_error *error);

/* Who acts in this episode. */
const char *sb_cast_agent(const sb_cast *cast, const sb_name *name);

/* Plays the episode to its end: actor->worker.tape. */
bool sb_cast_play(const sb_cast *cast, sb_actor *actor, const sb_name *name, sb_error *error);
/* Labels the recorded tape in actor->worker.tape, which replays, if the cast has somebody who does. */
bool sb_cast_label(const sb_cast *cast, sb_actor *actor, sb_error *error);

/* Whether the tape, which replays, is what the cast makes of its episode: who acted, and, where there is noise, where
 * there are labels or intents, or with `again`, every action, label and intent, for which the agents are asked again.
 * The actor's own tape is overwritten. Fails with SB_MISMATCH and names the step. Of recorded tapes only the labels can
 * be known. */
bool sb_cast_check(const sb_cast *cast, sb_actor *actor, const sb_tape *tape, bool again, sb_error *error);

#endif
