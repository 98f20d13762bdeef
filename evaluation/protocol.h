/* The line protocol: a program in any language plays episodes by writing one JSON object a line and reading one back.
 * A session is what lies between: it turns a request into a reply and does no input or output itself, so that pipes,
 * sockets, tests and fuzzers drive the same code. For those who write the other end: docs/protocol.md. */
#ifndef SB_PROTOCOL_H
#define SB_PROTOCOL_H

#include "evaluation/view.h"
#include "rollout/player.h"

enum {
    SB_PROTOCOL = 1,         /* version */
    SB_LINE_BYTES = 1 << 20, /* of a request, without its newline */
    SB_SESSION_ENVS = 1      /* environments: `env` is 0..SB_SESSION_ENVS-1 */
};

typedef struct sb_seat {
    sb_env *env; /* NULL until the first reset */
    sb_view view;
    sb_player player; /* who gives hints */
} sb_seat;

/* Starts zeroed. Every buffer is kept from request to request. */
typedef struct sb_session {
    sb_seat seats[SB_SESSION_ENVS];
    sb_action_room valid; /* of a reply */
    sb_out text;          /* the request, NUL-terminated */
} sb_session;

void sb_session_free(sb_session *session);

/* Appends the reply to the request `line` (n bytes, any bytes at all), with its newline. Whatever is wrong with the
 * request is said in the reply; a line longer than SB_LINE_BYTES is refused unread, so that a caller may pass its
 * beginning only. `reply` should grow; if memory runs out, the reply is that error or, at worst, missing (then
 * reply->failed). */
void sb_session_answer(sb_session *session, const char *line, size_t n, sb_out *reply);

#endif
