/* The agents that play a dataset's episodes: one agent for all, or one drawn from a mixture for each episode, perhaps
 * with noise. One of them may be recorded tapes, which are taken instead of playing. Random draws depend only on the
 * episode's name. */
#ifndef SB_DATASETS_CAST_H
#define SB_DATASETS_CAST_H

#include "base/json.h"
#include "rollout/worker.h"

enum { SB_CAST_MAX = 8 };
/* Stands for an agent's name where tapes are recorded; with `:FILE` in recipes that users write. */
#define SB_RECORDED "tapes"
#define SB_PROGRAM  "exec:" /* the agent of an episode that a program or a plugin plays before the dataset is built */

/* What a recipe says about agents. The texts belong to the recipe. */
typedef struct sb_casting {
    const char *agent;   /* `expert`, `random` ...; `tape:FILE`; or a mixture with weights, `expert:3,random:1`; NULL:
                            the family's teacher */
    const cJSON *agents; /* the mixture as a list of {"agent", "weight"}; NULL: see `agent` */
    bool may_start; /* `exec:COMMAND` and `plugin:FILE` are allowed, too. Only the command line sets this: no recipe and
                       no manifest starts a program */
    double epsilon; /* with this probability a random action replaces the agent's, which becomes the label */
    const char *labels; /* agent that labels every state, whichever agent acts; NULL: the one that acts; `tapes` means
                           the labels of recorded tapes */
    bool intents;       /* tapes hold the intents of the agent that labels, or else of the one that acts */
} sb_casting;

/* Reads the keys `oracle` (also spelled `agent`), `epsilon`, `labels` and `intents` of a recipe. */
bool sb_casting_read(const cJSON *object, sb_casting *casting, sb_error *error);
bool sb_casting_is_recorded(const sb_casting *casting);
/* Returns the path of the recorded tapes, or NULL if there are none. */
const char *sb_casting_tapes(const sb_casting *casting);
/* Writes what is said about agents as members of an object; the paths of tapes, which are not part of what a dataset
 * is, only with `paths`. `teacher` stands for an agent that is not given. */
void sb_casting_print(const sb_casting *casting, const char *teacher, bool paths, sb_out *out);

typedef struct sb_cast {
    struct {
        char agent[SB_AGENT_NAME];
        double weight;
    } of[SB_CAST_MAX];
    size_t n;
    double total; /* sum of the weights */
    double epsilon;
    char labeller[SB_AGENT_NAME]; /* "": the agent that acts */
    bool labels;                  /* rows hold labels */
    bool intents;
    const char *recorded; /* path of the recorded tapes, "" if the recipe does not say; NULL: agents play */
    const char *command;  /* command of the program that plays, or the plugin's file; NULL: neither does */
} sb_cast;

/* What a worker needs to play or label one episode after another. Starts zeroed except for the worker's catalogue. */
typedef struct sb_actor {
    sb_worker worker;
    sb_player labeller, observer; /* observer: whom a teacher is compared with (datasets/stats.c) */
} sb_actor;
void sb_actor_free(sb_actor *actor);

/* Reads the mixture and checks the numbers; sb_cast_can checks whether the agents can play a task. An agent that is not
 * given is set by sb_cast_default before anybody plays. */
bool sb_cast_make(sb_cast *cast, const sb_casting *casting, sb_error *error);
void sb_cast_default(sb_cast *cast, const char *teacher);
bool sb_cast_can(const sb_cast *cast, const sb_name *name, sb_error *error);

/* Returns the agent that acts in this episode: a name, SB_RECORDED or SB_PROGRAM. */
const char *sb_cast_agent(const sb_cast *cast, const sb_name *name);
/* Whether the episode's tape is a recorded one. */
bool sb_cast_records(const sb_cast *cast, const sb_name *name);
/* Returns who gives labels and intents in an episode that this agent played. */
static inline const char *sb_cast_teacher(const sb_cast *cast, const char *agent) {
    return cast->labeller[0] ? cast->labeller : agent;
}

/* Plays the episode to its end; the tape is in actor->worker.tape. */
bool sb_cast_play(const sb_cast *cast, sb_actor *actor, const sb_name *name, sb_error *error);
/* Labels the recorded tape in actor->worker.tape, if the cast has a labelling agent. The tape has to replay. */
bool sb_cast_label(const sb_cast *cast, sb_actor *actor, sb_error *error);

/* Checks that the tape, which has to replay, is what the cast makes of its episode. Compares the agent's name; and if
 * there is noise, labels or intents, or with `again`, lets the agents play again and compares every action, label and
 * intent. Of recorded tapes only the labels are checked. The actor's own tape is overwritten. Fails with SB_MISMATCH
 * and names the step. */
bool sb_cast_check(const sb_cast *cast, sb_actor *actor, const sb_tape *tape, bool again, sb_error *error);

/* What comes of playing a recorded tape again. */
typedef enum sb_played_again {
    SB_SAME_AGAIN, /* the tape's agent is one of this program's, and does the same */
    /* The tape's agent does something else: there was noise, or it was another version, or another agent. */
    SB_OTHER_AGAIN,
    SB_NOBODY_AGAIN /* the tape's agent is none of this program's, so nobody can play it again */
} sb_played_again;
/* Plays a recorded tape again. The actor's own tape is overwritten. Fails only if memory runs out or the like. */
bool sb_cast_play_again(sb_actor *actor, const sb_tape *tape, sb_played_again *came, sb_error *error);

#endif
