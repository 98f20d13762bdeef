/* Conversations about an episode: the options of formats `chat` and `preference` for their texts, the placeholders of
 * their templates (docs/formats.md lists both), and what fills these, step after step.
 *
 *     sb_conversation c = sb_conversation_of(&rollout, &export, &options);
 *     before a step:  sb_conversation_look(&c, env), then sb_conversation_answer(&c, action) for an answer
 *     after it:       sb_conversation_remember(&c, env, action, result)
 *     sb_conversation_free(&c);
 *
 * Memory that ran out shows in sb_conversation_ok. */
#ifndef SB_EXPORTERS_CONVERSATION_H
#define SB_EXPORTERS_CONVERSATION_H

#include "exporters/columns.h"
#include "exporters/exporter.h"
#include "exporters/teller.h"
#include "exporters/template.h"

/* ---- Options ---- */

enum {
    SB_CHAT_TEXT_FIELDS = 64 /* fields of texts, at most: modes and texts of a family, and NULL */,
    SB_CHAT_TEXTS = 4 /* texts of a family, at most */
};

typedef enum sb_chat_style { SB_CHAT_MESSAGES, SB_CHAT_PROMPT, SB_CHAT_PROMPT_MESSAGES, SB_CHAT_STYLES } sb_chat_style;

/* Placeholders of system and user texts; the family's modes and then its texts follow. */
typedef enum sb_chat_field {
    SB_CHAT_TASK,
    SB_CHAT_DESCRIPTION,
    SB_CHAT_CATEGORY,
    SB_CHAT_DIFFICULTY,
    SB_CHAT_NAME,
    SB_CHAT_SEED,
    SB_CHAT_STEP,
    SB_CHAT_TURN,
    SB_CHAT_MAX_STEPS,
    SB_CHAT_OBSERVATION,
    SB_CHAT_SCENE,
    SB_CHAT_ACTIONS,       /* all actions of the task */
    SB_CHAT_VALID_ACTIONS, /* actions of the published hint, which leaves out actions that win */
    SB_CHAT_HISTORY,
    SB_CHAT_INSTRUCTIONS, /* what is told before a test; empty elsewhere */
    SB_CHAT_IMAGE,        /* the picture; only in user texts, and only if there are pictures */
    SB_CHAT_FIELDS
} sb_chat_field;

/* Placeholders of an item of {history}, of an item of {actions} and {valid_actions}, of answers, of {rationale}, and of
 * {reasoning}. */
typedef enum sb_chat_past {
    SB_CHAT_PAST_STEP,
    SB_CHAT_PAST_TURN,
    SB_CHAT_PAST_ACTION,
    SB_CHAT_PAST_NAME,
    SB_CHAT_PAST_REWARD,
    SB_CHAT_PAST_OBSERVATION
} sb_chat_past;
typedef enum sb_chat_valid { SB_CHAT_VALID_ACTION, SB_CHAT_VALID_NAME } sb_chat_valid;
typedef enum sb_chat_answer {
    SB_CHAT_ANSWER_ACTION,
    SB_CHAT_ANSWER_NAME,
    SB_CHAT_ANSWER_STEP,
    SB_CHAT_ANSWER_TURN,
    SB_CHAT_ANSWER_RATIONALE,
    SB_CHAT_ANSWER_REASONING
} sb_chat_answer;
typedef enum sb_chat_said { SB_CHAT_SAID_THOUGHT } sb_chat_said;
typedef enum sb_chat_why {
    SB_CHAT_WHY_INTENT,
    SB_CHAT_WHY_VERB,
    SB_CHAT_WHY_OBJECT,
    SB_CHAT_WHY_REASON /* the reason at the depth that is asked for */
} sb_chat_why;

typedef struct sb_chat_list { /* items of one kind, joined */
    sb_template item;
    const char *separator, *empty;
} sb_chat_list;

/* Options of a conversation. Texts point into the options' JSON. */
typedef struct sb_chat_options {
    sb_chat_style style;
    bool by_episode;
    uint64_t turns;   /* how many earlier exchanges a row repeats */
    uint64_t history; /* how many steps {history} covers */
    sb_template system, user, answer, rationale, reasoning;
    sb_chat_list past, valid;
    bool places;        /* rationales tell coordinates, because the texts do */
    sb_depth depth;     /* depth of rationales */
    const char *teller; /* whose eyes the claims of rationales are seen with, if the depth is more than the intent */
    /* What a prompt offers to answer with: all actions; or else the published hint, if no more is listed. */
    bool offers_all, offers_hint;
    const char *fields[SB_CHAT_TEXT_FIELDS];
    const sb_array *texts[SB_CHAT_TEXTS]; /* arrays of the family that are one text an episode, such as missions */
    char user_standard[160];
    sb_brush *brush; /* draws the pictures; NULL: there are none */
} sb_chat_options;

/* Reads the options into `o`, which is zeroed except for the style that it has if none is given. */
bool sb_conversation_read(sb_export *export, sb_chat_options *o, const cJSON *all, sb_error *error);
/* Whether system or user text has the placeholder. */
bool sb_conversation_has(const sb_chat_options *o, int field);

/* Serves as sb_exporter.asks_otherwise. */
const char *sb_conversation_asks_otherwise(const sb_export *export, const sb_chat_options *o, const cJSON *prompts);

/* ---- Texts ---- */

typedef struct sb_conversation {
    const sb_rollout *rollout;
    const sb_export *export;
    const sb_chat_options *options;
    const sb_env *env; /* current state while a template is filled */
    size_t step;
    const char *explainer;                    /* whose intents the tape holds */
    bool is_silent;                           /* answers have neither rationale nor reasoning */
    sb_action action;                         /* action of the answer or of the item that is being written */
    sb_rewards rewards;                       /* rewards of the past step that is being written */
    sb_out seen, user;                        /* the observation before the step, and the user text */
    sb_out system, text;                      /* `text` is the answer */
    sb_out past, past_ends, turns, turn_ends; /* items of {history} and exchanges, joined, and where each ends */
    size_t image_at;                          /* where {image} stands in `user` */
    size_t first_user;                        /* where the first user message ends in `turns` */
    sb_teller *teller;                        /* makes claims; NULL: rationales tell intents only */
    sb_claims claims;                         /* claims about the label of the step */
    uint64_t wording;                         /* the seed that chooses the words of claims */
    sb_out claimed;                           /* where a row is a conversation: the claims of all its steps, joined */
} sb_conversation;

sb_conversation sb_conversation_of(const sb_rollout *rollout, const sb_export *export, const sb_chat_options *options);
void sb_conversation_free(sb_conversation *c);
bool sb_conversation_ok(const sb_conversation *c);

/* Makes the user text of a step, the system text before the first one, and the claims about the step's label, if
 * reasons need them. */
bool sb_conversation_look(sb_conversation *c, const sb_env *env, sb_error *error);
/* Makes `text`, the answer that takes this action. */
void sb_conversation_answer(sb_conversation *c, sb_action action);
/* Keeps a step that was taken, for the history and the exchanges of later steps, and goes on to the next one. */
bool sb_conversation_remember(sb_conversation *c, const sb_env *env, sb_action action, const sb_result *result,
                              sb_error *error);

/* Whether the prompt offers the action as an answer; sb_check_offer fails if not. The action is one of the step whose
 * prompt was just made. */
bool sb_is_offered(const sb_conversation *c, const sb_env *env, sb_action action);
bool sb_check_offer(const sb_conversation *c, const sb_env *env, sb_action answered, sb_error *error);
/* Writes the item of {actions} that offers the action. */
void sb_put_offer(const sb_chat_options *options, const sb_env *env, sb_action action, sb_out *out);

/* Write a text as a JSON string, and a message: `text` belongs to the conversation if there are pictures. */
void sb_put_quoted(sb_out *out, const sb_out *text);
void sb_put_message(const sb_conversation *c, sb_out *out, const char *role, const sb_out *text);
/* Writes system and user text as one text, as a JSON string. */
void sb_put_prompt(const sb_conversation *c, sb_out *out);
/* Opens a list of messages under the key, with the system message if there is one. */
void sb_open_messages(const sb_conversation *c, sb_out *out, const char *key);
/* Writes the kept exchanges from `first` to before `end`. */
void sb_put_turns(const sb_conversation *c, sb_out *out, size_t first, size_t end);
/* Write the first user message of the kept exchanges, and all that follows that message. */
void sb_put_opening(const sb_conversation *c, sb_out *out);
void sb_put_replies(const sb_conversation *c, sb_out *out);

/* Write what every row says about its episode, for filters, and add the columns for that. */
void sb_put_conversation_facts(const sb_conversation *c, sb_out *out);
void sb_add_conversation_facts(const sb_export *export, const sb_chat_options *options, sb_columns *to);

#endif
