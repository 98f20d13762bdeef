#include "agents/server/serve.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

enum { ROOM = SB_LINE_BYTES + 1, MANY = 1 << 16 }; /* a line that fills the room is too long */

typedef struct server {
    int in, out;
    sb_session session;
    sb_out replies;  /* replies that are not yet written */
    char *data;      /* ROOM bytes */
    size_t size;     /* bytes that were read and are not yet answered */
    size_t searched; /* bytes at the beginning of `data` that hold no newline */
    bool skips;      /* the rest of a line that was too long is skipped */
    bool left;       /* nobody reads the replies, or a time limit has passed */
    double deadline; /* time at which the current wait ends, if there is a timeout */
} server;

static void set_deadline(server *s) {
    const sb_limits *limits = &s->session.limits;
    s->deadline = limits->timeout ? limits->now() + (double)limits->timeout : 0;
}

/* Returns how many milliseconds are left of the current wait; -1: no limit. */
static int time_left(const server *s) {
    if (!s->session.limits.timeout) return -1;
    const double left = ceil((s->deadline - s->session.limits.now()) * 1000);
    return left < 0 ? 0 : left < INT_MAX ? (int)left : INT_MAX;
}

/* Waits for a non-blocking descriptor after reading or writing has failed: sockets are non-blocking here, and some
 * programs pass such pipes. Returns false if it failed for another reason, or if the time is over. */
static bool waited(server *s, int descriptor, short events) {
    struct pollfd ready = {.fd = descriptor, .events = events};
    if (errno == EINTR) return true;
    if (errno != EAGAIN) return false;
    const int left = time_left(s);
    if (left != 0) poll(&ready, 1, left);
    errno = EAGAIN;
    return left != 0;
}

/* It is no error if a client has gone or has used up its time. */
static bool has_left(int reason) { return reason == EPIPE || reason == ECONNRESET || reason == EAGAIN; }

static bool write_replies(server *s, sb_error *error) {
    const char *at = s->replies.data;
    if (!sb_out_ok(&s->replies)) return sb_fail(error, SB_MEMORY, "out of memory for a reply");
    if (!s->replies.size) return true;
    set_deadline(s);
    for (size_t n = s->replies.size; n;) {
        const ssize_t written = write(s->out, at, n);
        if (written < 0 && waited(s, s->out, POLLOUT)) continue;
        if (written < 0 && has_left(errno)) return s->left = true;
        if (written < 0) return sb_fail_errno(error, "cannot write replies");
        at += written, n -= (size_t)written;
    }
    sb_out_clear(&s->replies);
    set_deadline(s);
    return true;
}

static bool answer(server *s, const char *line, size_t n, sb_error *error) {
    if (!s->skips) sb_session_answer(&s->session, line, n, &s->replies);
    s->skips = false;
    return (sb_out_ok(&s->replies) && s->replies.size < MANY) || write_replies(s, error);
}

/* Answers the whole lines that were read and moves what is left to the front. */
static bool answer_lines(server *s, sb_error *error) {
    const char *begin = s->data, *end = s->data + s->size, *newline;
    while (!s->left && (newline = memchr(begin + s->searched, '\n', (size_t)(end - begin) - s->searched))) {
        if (!answer(s, begin, (size_t)(newline - begin), error)) return false;
        begin = newline + 1, s->searched = 0;
    }
    s->size = (size_t)(end - begin);
    memmove(s->data, begin, s->size);
    if (s->size == ROOM) {
        if (!answer(s, s->data, s->size, error)) return false;
        s->skips = true, s->size = 0;
    }
    s->searched = s->size;
    return true;
}

/* Reads what is ready; false at the end of the input (then error->code is SB_OK) and after a failure. */
static bool read_more(server *s, sb_error *error) {
    const bool begins = s->size == 0 && !s->skips;
    ssize_t n;
    error->code = SB_OK;
    do n = read(s->in, s->data + s->size, ROOM - s->size);
    while (n < 0 && waited(s, s->in, POLLIN));
    if (n < 0 && has_left(errno)) s->left = true;
    if (n < 0) return s->left ? false : sb_fail_errno(error, "cannot read requests");
    if (begins) set_deadline(s);
    s->size += (size_t)n;
    return n > 0;
}

static bool serve(server *s, sb_error *error) {
    set_deadline(s);
    while (read_more(s, error)) {
        if (!answer_lines(s, error) || !write_replies(s, error)) return false;
        if (s->left || time_left(s) == 0) return true;
    }
    if (error->code != SB_OK) return false;
    if (s->left) return true;
    if (s->size && !answer(s, s->data, s->size, error)) return false;
    return write_replies(s, error);
}

bool sb_serve(const sb_catalogue *catalogue, int in, int out, const sb_limits *limits, sb_error *error) {
    server s = {.in = in,
                .out = out,
                .session = {.catalogue = catalogue, .limits = *limits},
                .replies = sb_out_growing(),
                .data = malloc(ROOM)};
    const bool ok = s.data ? serve(&s, error) : sb_fail(error, SB_MEMORY, "out of memory for requests");
    sb_session_free(&s.session);
    sb_out_free(&s.replies);
    free(s.data);
    return ok;
}
