/* What programs answer: a hello, and for every message of an episode one or several actions (docs/agents.md). Keys that
 * are not known are ignored. */
#ifndef SB_AGENTS_REPLY_H
#define SB_AGENTS_REPLY_H

#include "agents/failure.h"
#include "rollout/said.h"
#include "rollout/view.h"

enum {
    SB_AGENT_PROTOCOL = 1,
    SB_REPLY_ACTIONS = 20,    /* in one reply */
    SB_BATCH_MAX = 256,       /* episodes that a process plays at a time */
    SB_ABOUT_BYTES = 16 << 10 /* of what is told about an agent */
};

/* After which of several actions the next message comes, besides the last one and the end of the episode. */
typedef enum sb_until {
    SB_UNTIL_REWARD = 1, /* a sparse reward that is not zero */
    SB_UNTIL_LEVEL = 2,  /* a level was completed */
    SB_UNTIL_EVENT = 4   /* other actions are valid than before */
} sb_until;

typedef struct sb_reply {
    sb_action actions[SB_REPLY_ACTIONS];
    size_t n;
    bool several;        /* the reply has a list of actions, perhaps of one item */
    unsigned until;      /* sb_until, joined by | */
    const char *thought; /* in the reply's object; NULL: none */
    sb_counters counters;
    sb_failure_kind lost;  /* the program gives the episode up, and there is no action; SB_NO_FAILURE: it does not */
    const char *lost_text; /* why, in the reply's object */
} sb_reply;

/* Parses n bytes of any value, followed by a NUL: a JSON object, which the caller deletes; NULL after an error. */
cJSON *sb_reply_parse(const char *text, size_t n, sb_error *error);
/* Reads an action or several, each in the episode's range, or why there is none. After an error about actions, what was
 * said has been read all the same; after another one, nothing was said. */
bool sb_reply_read(const cJSON *object, const sb_env *env, sb_reply *reply, sb_error *error);
/* Reads thought and counters alone, of a reply that needs no action. */
bool sb_reply_read_said(const cJSON *object, sb_reply *reply, sb_error *error);

/* Parses a hello, which the caller deletes; NULL after an error. */
cJSON *sb_hello_parse(const char *text, size_t n, sb_error *error);
/* Sets the view of the family that a program with this hello gets. */
bool sb_hello_view(const cJSON *hello, const sb_family *family, sb_view *view, sb_error *error);
/* Returns how many episodes the program plays at a time; 0: it does not take rounds. */
size_t sb_hello_batch(const cJSON *hello);
/* Writes what the hello tells about the agent, as it was spelled, as a JSON object; nothing if it tells nothing. The
 * members of `more`, an object as text or NULL, come in place of those of the same name. */
bool sb_about_print(const char *hello, size_t n, const char *more, sb_out *out, sb_error *error);

#endif
