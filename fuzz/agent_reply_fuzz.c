/* Takes the input as the replies of an agent's program: pieces, separated by NUL bytes, one for each request. The first
 * is the reply to hello, the others are actions in an episode. They come over a pipe, as from a program, but no program
 * is started. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agents/program.h"
#include "engine/lookup.h"

enum { PIECE_BYTES = 60000 /* fits into a pipe without a reader */, SECONDS = 1000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Writes the piece into the pipe, and then closes it, when the agent waits for a reply. */
static struct {
    const char *piece;
    size_t n;
    int pipe, looks; /* at the clock: the first before the request is sent, the second while waiting for the reply */
} coming;

static double look_at_clock(void) {
    if (++coming.looks != 2) return 0;
    if (write(coming.pipe, coming.piece, coming.n) != (ssize_t)coming.n) abort();
    close(coming.pipe);
    return 0;
}

static void check_refusal(const sb_error *error) {
    if (error->code == SB_OK || !error->text[0]) abort();
}

/* Returns whether a reply was read. Nothing reads the requests. */
static bool ask(sb_process *process, const char *piece, size_t n) {
    static const char request[] = "{\"op\": \"step\"}\n";
    const bool answered = memchr(piece, '\n', n) == piece + n - 1;
    sb_exchange went;
    sb_error error;
    int ends[2];
    if (pipe(ends) != 0) abort();
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    coming.piece = piece, coming.n = n, coming.pipe = ends[1], coming.looks = 0;
    process->out = ends[0];
    if (!sb_process_ask(process, request, sizeof request - 1, SECONDS, look_at_clock, &went, &error)) abort();
    close(ends[0]);
    const sb_out *reply = &process->reply;
    if ((went == SB_ANSWERED) != answered || (answered && reply->size != n - 1)) abort();
    if (reply->size && (memchr(reply->data, '\n', reply->size) || reply->data[reply->size])) abort();
    return answered;
}

static void read_hello(const sb_out *reply) {
    sb_error error = {0};
    sb_view view;
    cJSON *hello = sb_reply_hello(reply->data, reply->size, &error);
    if (!hello) check_refusal(&error);
    for (const sb_family *const *family = sb_families; hello && *family; family++)
        if (!sb_hello_view(hello, *family, &view, &error)) check_refusal(&error);
    cJSON_Delete(hello);
}

static void read_action(const sb_out *reply, sb_env *env) {
    sb_error error = {0};
    sb_action action;
    sb_result result;
    if (!sb_reply_action(reply->data, reply->size, env, &action, &error)) {
        check_refusal(&error);
        return;
    }
    const bool in_range = action >= 0 && action < env->n_actions, goes_on = !env->status.done;
    if (sb_step(env, action, &result, &error) != (in_range && goes_on)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_error error;
    sb_env *env = sb_make(NULL, "GoToGoal/easy#0", &error);
    sb_process process = {.in = open("/dev/null", O_WRONLY), .reply.grows = true};
    const char *at = (const char *)data, *end = at + size;
    if (!env || process.in < 0) abort();
    for (bool first = true; at < end; first = false) {
        const char *nul = memchr(at, '\0', (size_t)(end - at));
        size_t n = (size_t)((nul ? nul : end) - at);
        if (n > PIECE_BYTES) n = PIECE_BYTES;
        if (n && ask(&process, at, n)) first ? read_hello(&process.reply) : read_action(&process.reply, env);
        at += n + (at + n == nul);
    }
    close(process.in);
    sb_out_free(&process.reply);
    sb_free(env);
    return 0;
}
