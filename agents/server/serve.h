/* Serves a client: reads requests from one descriptor and writes the session's replies to another. */
#ifndef SB_AGENTS_SERVER_SERVE_H
#define SB_AGENTS_SERVER_SERVE_H

#include "base/out.h"
#include "engine/environment.h"
#include "rollout/testing.h"
#include "rollout/worker.h"

/* The line protocol: a program in any language plays episodes by writing one JSON object per line and reading one back.
 * A session turns a request into a reply and does no input or output itself, so that pipes, sockets, tests and fuzzers
 * drive the same code. For authors of clients: docs/agents.md, "The line protocol". */

enum {
    SB_PROTOCOL = 1,         /* version of the line protocol */
    SB_LINE_BYTES = 1 << 20, /* bytes of a request, without its newline */
    SB_SESSION_ENVS = 64,    /* environments of a session, unless the limits say otherwise */
    SB_SESSION_ENVS_MAX = 4096
};

/* What a client may have. Zeroed: the default number of environments, and nothing else is limited. */
typedef struct sb_limits {
    size_t envs; /* environments of a session: `env` is 0..envs-1; at most SB_SESSION_ENVS_MAX */
    /* Limits that a server enforces; a session only reports them. 0: no limit. */
    size_t clients; /* clients at the same time */
    size_t memory;  /* bytes per client */
    size_t timeout; /* seconds that a client may be silent, may take to send a line, and may take to read its replies */
    double (*now)(void); /* needed with a timeout: seconds on a clock that only goes forward */
} sb_limits;

typedef struct sb_seat {
    sb_env *env; /* NULL until the first reset */
    sb_view view;
    sb_testing_rules testing;
} sb_seat;

/* Environments 0..envs-1, which one request steps, and the episodes that they play. */
typedef struct sb_lineup {
    size_t envs;
    sb_name *names; /* on the heap */
    size_t n, next; /* the names before `next` were started */
    sb_then then;
    sb_action *chosen; /* an action for each environment */
} sb_lineup;

/* Starts zeroed except for the catalogue and the limits. Every buffer is kept from request to request. */
typedef struct sb_session {
    const sb_catalogue *catalogue; /* where names are looked up */
    sb_limits limits;
    sb_seat *seats; /* one for each `env` up to the highest that was used */
    size_t n_seats;
    sb_lineup batch;
    sb_player player;     /* gives hints */
    sb_action_room valid; /* the valid actions that a reply lists */
    sb_out frames;        /* the frames that a step shows before its last one */
    sb_out text;          /* the request, NUL-terminated */
} sb_session;

void sb_session_free(sb_session *session);

/* Appends the reply to the request `line` (n bytes of any value), with its newline. The reply says what is wrong with
 * the request. A line longer than SB_LINE_BYTES is refused unread, so that a caller may pass only its beginning.
 * `reply` should grow; if memory runs out, the reply is that error or, at worst, missing (then reply->failed). */
void sb_session_answer(sb_session *session, const char *line, size_t n, sb_out *reply);

/* Answers every line of `in` on `out`, in order, until `in` ends or the reader of `out` has gone; neither is an error,
 * nor is a reset of a socket. Replies are written before it waits for more input. A last line without newline counts;
 * the rest of a line that is too long is skipped. The caller ignores SIGPIPE and closes the descriptors, which may be
 * non-blocking, and have to be if there is a timeout. A client may be silent for the time of the timeout; then it has
 * the same time again to send a whole line, and to read the replies that are ready: a byte now and then is not enough.
 * To end a client by its timeout is no error either. Fails if reading or writing fails. */
bool sb_serve(const sb_catalogue *catalogue, int in, int out, const sb_limits *limits, sb_error *error);

/* Listens on a Unix socket until SIGINT, SIGTERM or SIGHUP arrives (unless it is ignored), then removes the socket and
 * returns true. Every client has its own process, so that a long search, too much memory or silence of one client does
 * not harm others. These processes end with the server, even if it is killed. Only this user may connect. A socket that
 * a dead server left behind is replaced; a socket that answers and a file of another kind are errors. The calling
 * process must have one thread, ignore SIGPIPE and not ignore SIGCHLD. */
bool sb_serve_socket(const sb_catalogue *catalogue, const char *path, const sb_limits *limits, sb_error *error);

#endif
