/* One of the episodes that a process plays at a time, and its side of the conversation: which message comes next, and
 * what a reply does. */
#ifndef SB_AGENTS_SLOT_H
#define SB_AGENTS_SLOT_H

#include "agents/failure.h"
#include "agents/picture.h"
#include "agents/reply.h"
#include "agents/salt.h"
#include "rollout/tape.h"
#include "rollout/testing.h"

/* What all episodes of an agent have in common. */
typedef struct sb_slot_rules {
    uint64_t steps; /* limit per episode; 0: the task's own */
    sb_salt salt;   /* for the random numbers that programs get */
    sb_testing_rules testing;
} sb_slot_rules;

typedef enum sb_message { SB_MESSAGE_RESET, SB_MESSAGE_STEP, SB_MESSAGE_END, SB_NO_MESSAGE } sb_message;
extern const char *const sb_message_names[3]; /* `reset`, `step`, `end` */

/* Starts zeroed, but for environment and tape. */
typedef struct sb_slot {
    sb_env *env;
    sb_tape *tape;
    uint32_t attempt; /* at the episode; see sb_salted_number */
    sb_message next;
    sb_view view;
    sb_brush *brush; /* of the pictures that the program asks for; NULL: it asks for none */
    sb_action_room valid;
    double reward; /* since the message before */
    sb_out frames; /* what was shown between the agent's action and now: items of a list */
    size_t taken;  /* actions since then; 0: the program sent no list of actions */
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
