/* seedbed model serve: the true rules of an episode, asked like any other model. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/model.h"
#include "evaluation/models/server.h"

enum { REQUEST_BYTES = 8 << 20, PIECE = 1 << 16 };

/* Answers all whole lines that were read, and keeps the rest; false if one of them says to end. */
static bool answer_lines(sb_model_server *server, sb_out *read, sb_out *reply) {
    static const char closing[] = "{\"op\":\"close\"}";
    const char *at = read->data, *const end = read->data + read->size, *newline;
    sb_out_clear(reply);
    while (at < end && (newline = memchr(at, '\n', (size_t)(end - at)))) {
        const size_t n = (size_t)(newline - at);
        if (n == sizeof closing - 1 && memcmp(at, closing, n) == 0) return false;
        sb_model_server_answer(server, at, n, reply);
        at = newline + 1;
    }
    read->size = (size_t)(end - at);
    memmove(read->data, at, read->size);
    return true;
}

/* Reads the requests that are there; false at the end, and with an error. */
static bool read_piece(sb_out *to, sb_error *error) {
    ssize_t n;
    char *room = to->size < REQUEST_BYTES ? sb_out_reserve(to, PIECE) : NULL;
    if (!room) return sb_fail(error, SB_INVALID, "a request has more than %d bytes", REQUEST_BYTES);
    do n = read(STDIN_FILENO, room, PIECE);
    while (n < 0 && errno == EINTR);
    if (n < 0) return sb_fail_errno(error, "cannot read standard input");
    if (n > 0) sb_out_advance(to, (size_t)n);
    return n > 0;
}

/* Answers requests until their end. Whoever asked may go at any time. */
static bool serve(sb_model_server *server, sb_error *error) {
    sb_out requests = sb_out_growing(), reply = sb_out_growing();
    error->code = SB_OK;
    while (read_piece(&requests, error) && answer_lines(server, &requests, &reply)) {
        if (!sb_out_ok(&reply)) sb_fail(error, SB_MEMORY, "out of memory for an answer");
        if (!sb_out_ok(&reply) || !sb_write_all(STDOUT_FILENO, reply.data, reply.size)) break;
    }
    sb_out_free(&requests), sb_out_free(&reply);
    return error->code == SB_OK;
}

int cli_model_serve(const cli_command *self, const void *options, const char *const *names, size_t n) {
    const cli_model_options *o = options;
    sb_model_server server;
    sb_error error;
    (void)self, (void)n;
    if (!sb_model_server_open(&server, o->common.catalogue, names[0], &error)) return cli_fail(&error);
    const bool ok = serve(&server, &error);
    sb_model_server_close(&server);
    return ok ? CLI_OK : cli_fail(&error);
}
