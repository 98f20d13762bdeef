/* Serving: lines from one descriptor through a session to another. */
#ifndef SB_SERVER_SERVE_H
#define SB_SERVER_SERVE_H

#include "server/protocol.h"

/* Answers every line of `in` on `out`, in order, until `in` ends or nobody reads `out` any more: both are fine, and so
 * is a socket's reset. Replies are written before it waits for more input. A last line without newline counts; of a
 * line that is too long the rest is skipped. The descriptors may be non-blocking. Fails if reading or writing fails.
 * The caller ignores SIGPIPE and closes the descriptors. A timeout needs descriptors that are non-blocking. So many
 * seconds a client may be silent; then it has as many for the whole of a line, and for taking the replies that are
 * ready: a byte now and then is not enough. Ending a client by its timeout is fine, too. */
bool sb_serve(const sb_catalogue *catalogue, int in, int out, const sb_limits *limits, sb_error *error);

/* Listens on a Unix socket until SIGINT, SIGTERM or SIGHUP arrives (of those that are not ignored), which is fine, and
 * removes it. Every client has a process of its own, which ends
 * with the server, even if that is killed: whatever a client does, be it a long search, too much memory or silence, it
 * does to itself. Only this user may connect. A socket that a dead server left behind is
 * replaced; one that answers, and a file of another kind, are errors. The calling process has one thread, ignores
 * SIGPIPE and does not ignore SIGCHLD. */
bool sb_serve_socket(const sb_catalogue *catalogue, const char *path, const sb_limits *limits, sb_error *error);

#endif
