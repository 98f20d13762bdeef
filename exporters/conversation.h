/* Conversations about an episode: what fills the templates of `chat` and `preference`, step after step.
 *
 *     sb_conversation c = sb_conversation_of(&rollout, &export, &options);
 *     before a step:  sb_conversation_look(&c, env), then sb_conversation_answer(&c, action) for an answer
 *     after it:       sb_conversation_remember(&c, env, action, result)
 *     sb_conversation_free(&c);
 *
 * Memory that ran out shows in sb_conversation_ok. */
#ifndef SB_EXPORTERS_CONVERSATION_H
#define SB_EXPORTERS_CONVERSATION_H

#include "exporters/chat.h"

typedef struct sb_conversation {
    const sb_rollout *rollout;
    const sb_export *export;
    const sb_chat_options *options;
    const sb_env *env; /* current state while a template is filled */
    size_t step;
    const char *explainer;                    /* whose intents the tape holds */
    bool is_silent;                           /* answers have neither rationale nor reasoning */
    sb_action action;                         /* action of the answer or of the item that is being written */
    double reward;                            /* reward of the past step that is being written */
    sb_out seen, user;                        /* the observation before the step, and the user text */
    sb_out system, text;                      /* `text` is the answer */
    sb_out past, past_ends, turns, turn_ends; /* items of {history} and exchanges, joined, and where each ends */
    size_t image_at;                          /* where {image} stands in `user` */
    size_t first_user;                        /* where the first user message ends in `turns` */
} sb_conversation;

sb_conversation sb_conversation_of(const sb_rollout *rollout, const sb_export *export, const sb_chat_options *options);
void sb_conversation_free(sb_conversation *c);
bool sb_conversation_ok(const sb_conversation *c);

/* Makes the user text of a step, and the system text before the first one. */
void sb_conversation_look(sb_conversation *c, const sb_env *env);
/* Makes `text`, the answer that takes this action. */
void sb_conversation_answer(sb_conversation *c, sb_action action);
/* Keeps a step that was taken, for the history and the exchanges of later steps, and goes on to the next one. */
void sb_conversation_remember(sb_conversation *c, const sb_env *env, sb_action action, const sb_result *result);

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
/* Write the first user message of the kept exchanges, and all that follows it. */
void sb_put_opening(const sb_conversation *c, sb_out *out);
void sb_put_replies(const sb_conversation *c, sb_out *out);

/* Writes what every row says about its episode, for filters; and adds those columns. */
void sb_put_conversation_facts(const sb_conversation *c, sb_out *out);
void sb_add_conversation_facts(const sb_export *export, const sb_chat_options *options, sb_columns *to);

#endif
