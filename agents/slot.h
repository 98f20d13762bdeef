/* One of the episodes that a process plays at a time, and its side of the conversation: which message comes next, and
 * what a reply does. */
#ifndef SB_AGENTS_SLOT_H
#define SB_AGENTS_SLOT_H

#include "agents/failure.h"
#include "agents/salt.h"
#include "base/json.h"
#include "engine/environment.h"
#include "rollout/said.h"
#include "rollout/tape.h"
#include "rollout/testing.h"
#include "rollout/view.h"
#include "seedbed/picture.h"

/* The pictures that a program may ask for: with its hello it says how they are drawn, and every message then has one.
 */

/* Makes the brush for episodes of the family that the key `pixels` of a hello asks for, with the options of the formats
 * (exporters/pixels.h); NULL without that key. The caller frees it. */
bool sb_hello_brush(const cJSON *hello, const sb_family *family, sb_brush **brush, sb_error *error);
/* Writes the member `picture`: a PNG file in base64. */
bool sb_member_picture(sb_out *out, const sb_brush *brush, const sb_env *env, sb_error *error);

/* What programs answer: a hello, and for every message of an episode one or several actions (docs/agents.md). Keys that
 * are not known are ignored. */

enum {
    SB_AGENT_PROTOCOL = 1,
    SB_REPLY_ACTIONS = 20,    /* actions in one reply */
    SB_BATCH_MAX = 256,       /* episodes that a process plays at a time */
    SB_ABOUT_BYTES = 16 << 10 /* bytes of what is told about an agent */
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
    const char *thought; /* the agent's thought, in the reply's object; NULL: none */
    sb_counters counters;
    sb_failure_kind lost;  /* the program gives the episode up, and there is no action; SB_NO_FAILURE: it does not */
    const char *lost_text; /* why the program gives up, in the reply's object */
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

/* What all episodes of an agent have in common. */
typedef struct sb_slot_rules {
    uint64_t steps; /* limit per episode; 0: the task's own */
    sb_salt salt;   /* salt for the random numbers that programs get */
    sb_testing_rules testing;
} sb_slot_rules;

typedef enum sb_message { SB_MESSAGE_RESET, SB_MESSAGE_STEP, SB_MESSAGE_END, SB_NO_MESSAGE } sb_message;
extern const char *const sb_message_names[3]; /* `reset`, `step`, `end` */

/* Starts zeroed, but for environment and tape. */
typedef struct sb_slot {
    sb_env *env;
    sb_tape *tape;
    uint32_t attempt; /* number of the attempt at the episode; see sb_salted_number */
    sb_message next;
    sb_view view;
    sb_brush *brush; /* draws the pictures that the program asks for; NULL: it asks for none */
    sb_action_room valid;
    double reward; /* rewards since the message before */
    sb_out frames; /* what was shown between the agent's action and now: items of a list */
    size_t taken;  /* actions taken from the list in the last reply; 0: there was no list */
    sb_failure failure;
} sb_slot;

/* Starts the named episode; false only for an error of the name or of this process. */
bool sb_slot_begin(sb_slot *slot, const sb_name *name, uint32_t attempt, sb_error *error);
/* Reads what the program wants to see; false with a failure if there is no such thing. */
bool sb_slot_look(sb_slot *slot, const cJSON *hello);
/* Whether another message may come: false with a failure if the steps are used up. */
bool sb_slot_may_go_on(sb_slot *slot, const sb_slot_rules *rules);
/* Writes the members of the next message. */
bool sb_slot_put(sb_slot *slot, const sb_slot_rules *rules, sb_out *line, sb_error *error);
/* Does what the reply says; `shown` is its text, or NULL. False with a failure, or with an error of this
 * process. After `end` there is no message left. */
bool sb_slot_take(sb_slot *slot, const sb_slot_rules *rules, const cJSON *object, const char *shown, sb_error *error);
/* Notes in the tape how the episode ended, or how far it was played. */
void sb_slot_finish(sb_slot *slot);
void sb_slot_free(sb_slot *slot);

#endif
