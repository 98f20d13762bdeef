/* Takes the input as the replies of an agent's program: pieces, separated by NUL bytes, one for each request. The first
 * is the reply to hello, the others are actions in an episode. They come over a pipe, as from a program, but no program
 * is started. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agents/program.h"
#include "base/json.h"
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
    if (!sb_process_ask(process, request, sizeof request - 1, SB_REPLY_BYTES, SECONDS, look_at_clock, NULL, &went,
                        &error))
        abort();
    close(ends[0]);
    const sb_out *reply = &process->reply;
    if ((went == SB_ANSWERED) != answered || (answered && reply->size != n - 1)) abort();
    if (reply->size && (memchr(reply->data, '\n', reply->size) || reply->data[reply->size])) abort();
    return answered;
}

/* What the hello tells about the agent is written as one line of JSON: an object, or nothing. */
static void check_about(const sb_out *reply, sb_out *about) {
    sb_error error = {0};
    if (!sb_about_print(reply->data, reply->size, "{\"harness\": 1}", about, &error)) {
        check_refusal(&error);
        return;
    }
    cJSON *object = sb_json_parse(about->data, about->size, &error);
    if (!cJSON_IsObject(object) || memchr(about->data, '\n', about->size)) abort();
    cJSON_Delete(object);
}

static void read_hello(const sb_out *reply) {
    sb_error error = {0};
    sb_view view;
    sb_out about = sb_out_growing();
    cJSON *hello = sb_hello_parse(reply->data, reply->size, &error);
    if (!hello) check_refusal(&error);
    if (hello && sb_hello_batch(hello) > SB_BATCH_MAX) abort();
    if (hello) check_about(reply, &about);
    sb_out_free(&about);
    for (const sb_family *const *family = sb_families; hello && *family; family++)
        if (!sb_hello_view(hello, *family, &view, &error)) check_refusal(&error);
    cJSON_Delete(hello);
}

/* A reply takes as many steps as it has actions, or fewer, or is refused before any is taken. After a failure the slot
 * is asked no more. */
static void read_actions(const sb_out *reply, sb_slot *slot) {
    static const sb_slot_rules rules = {.steps = 1000};
    sb_error error = {0};
    sb_reply read;
    const size_t before = slot->tape->n;
    cJSON *object = sb_reply_parse(reply->data, reply->size, &error);
    if (!object) check_refusal(&error);
    if (object && slot->next != SB_NO_MESSAGE && !slot->failure.kind) {
        const bool action = slot->next != SB_MESSAGE_END,
                   ok = action && sb_reply_read(object, slot->env, &read, &error);
        const bool taken = sb_slot_take(slot, &rules, object, NULL, &error);
        const size_t steps = slot->tape->n - before;
        if (action && taken != (ok && !read.lost)) abort();
        if (ok && !read.lost ? steps < 1 || steps > read.n : steps != 0) abort();
        if (!taken && slot->failure.kind != (ok ? read.lost : SB_FAILED_NONSENSE)) abort();
    }
    cJSON_Delete(object);
}

/* What was said is within its limits, adds up to finite numbers, and comes back as it was from what is written of it.
 */
static void check_said(const sb_tape *tape) {
    sb_error error;
    sb_said again = {0};
    sb_out text = sb_out_growing(), other = sb_out_growing();
    const sb_counters total = sb_said_total(&tape->said);
    for (size_t i = 0; i < SB_COUNTERS; i++)
        if (!(total.value[i] >= 0 && total.value[i] <= SB_COUNTER_SUM_MAX)) abort();
    sb_puts(&text, "{"), sb_said_print(&tape->said, &text), sb_puts(&text, "}");
    cJSON *object = sb_json_parse(text.data, text.size, &error);
    if (!object || !sb_said_read(object, tape->n, &again, &error)) abort();
    sb_puts(&other, "{"), sb_said_print(&again, &other), sb_puts(&other, "}");
    if (text.size != other.size || memcmp(text.data, other.data, text.size) != 0) abort();
    cJSON_Delete(object);
    sb_said_free(&again);
    sb_out_free(&text), sb_out_free(&other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_error error;
    sb_env *env = sb_make(NULL, "GoToGoal/easy#0", &error);
    sb_tape tape = {0};
    sb_slot slot = {.env = env, .tape = &tape};
    sb_process process = {.in = open("/dev/null", O_WRONLY), .reply.grows = true};
    const char *at = (const char *)data, *end = at + size;
    if (!env || process.in < 0 || !sb_slot_begin(&slot, &env->name, 0, &error)) abort();
    for (bool first = true; at < end; first = false) {
        const char *nul = memchr(at, '\0', (size_t)(end - at));
        size_t n = (size_t)((nul ? nul : end) - at);
        if (n > PIECE_BYTES) n = PIECE_BYTES;
        if (n && ask(&process, at, n)) first ? read_hello(&process.reply) : read_actions(&process.reply, &slot);
        at += n + (at + n == nul);
    }
    check_said(&tape);
    close(process.in);
    sb_out_free(&process.reply);
    sb_slot_free(&slot);
    sb_tape_clear(&tape);
    sb_free(env);
    return 0;
}
