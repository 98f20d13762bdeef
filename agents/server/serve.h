/* Serves a client: reads requests from one descriptor and writes the session's replies to another. */
#ifndef SB_AGENTS_SERVER_SERVE_H
#define SB_AGENTS_SERVER_SERVE_H

#include "agents/server/protocol.h"

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
