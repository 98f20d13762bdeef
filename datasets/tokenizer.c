#include "datasets/tokenizer.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "agents/process.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/signals.h"
#include "base/utf8.h"
#include "base/visible.h"

extern const unsigned char sb_shipped_count_tokens[];

/* A process that counts tokens. Processes that nobody uses are in a list. */
typedef struct counter {
    sb_process process;
    struct counter *next;
} counter;

struct sb_tokenizer {
    sb_tokenizer_facts is;
    char *python, *file; /* names of the program and the file, for messages */
    sb_timer *now;
    sb_out command, content;
    sb_guard guard;
    bool is_guarded;
    pthread_mutex_t mutex;
    counter *idle;
};

enum { SECONDS = 600 /* seconds to wait for an answer: an episode may have hundreds of megabytes of texts */ };

/* ---- What goes wrong ---- */

static bool fail_exchange(counter *c, sb_exchange went, sb_error *error) {
    const sb_ending end = went == SB_GONE ? sb_process_end(&c->process, true) : (sb_ending){0};
    switch (went) {
    case SB_GONE:
        return sb_fail(error, SB_IO, "tokenizer: the process of Python that counts tokens ended by itself (%s %d)",
                       end.how == SB_SIGNALLED ? "signal" : "exit code", end.number);
    case SB_LATE:
        return sb_fail(error, SB_IO, "tokenizer: Python has not counted an episode's tokens in %d seconds", SECONDS);
    default:
        return sb_fail(error, SB_IO, "tokenizer: the process of Python that counts tokens wrote what nobody asked");
    }
}

static bool fail_start(const sb_tokenizer *t, sb_error *error) {
    return sb_fail(error, SB_IO,
                   "tokenizer: `%s` cannot be run: install Python and its library (pip install tokenizers), or name "
                   "another one with --python",
                   sb_path_end(t->python));
}

static bool fail_missing(const sb_tokenizer *t, sb_error *error) {
    return sb_fail(error, SB_IO,
                   "tokenizer: `%s` has no library `tokenizers`, so tokens cannot be counted: pip install "
                   "tokenizers, or name another Python with --python",
                   sb_path_end(t->python));
}

static bool fail_file(const sb_tokenizer *t, const char *why, sb_error *error) {
    char plain[120];
    return sb_fail(error, SB_INVALID, "tokenizer: %s is no tokenizer.json: %s", sb_path_end(t->file),
                   sb_copy_plain(plain, sizeof plain, why));
}

static bool fail_answer(const sb_out *reply, sb_error *error) {
    char plain[60];
    return sb_fail(error, SB_IO, "tokenizer: Python answered `%s`, not a number of tokens",
                   sb_copy_plain(plain, sizeof plain, reply->data));
}

/* ---- One process ---- */

/* Asks a process; whoever writes to one that has ended gets an error, and no signal. */
static bool ask(const sb_tokenizer *t, counter *c, const sb_out *line, sb_exchange *went, sb_error *error) {
    sigset_t before;
    sb_hold_sigpipe(&before);
    const bool ok = sb_process_ask(&c->process, line->data, line->size, SB_REPLY_BYTES, SECONDS, t->now, NULL, went,
                                   error);
    sb_release_sigpipe(&before);
    return ok;
}

/* Reads the answer to the first line: which library it is, or why there is none. */
static bool read_library(const sb_tokenizer *t, const sb_out *reply, char library[SB_LIBRARY_NAME], sb_error *error) {
    cJSON *answer = sb_json_parse(reply->data, reply->size, error);
    const char *why = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(answer, "error"));
    bool ok = false;
    if (cJSON_HasObjectItem(answer, "missing"))
        fail_missing(t, error);
    else if (why)
        fail_file(t, why, error);
    else
        ok = (answer && sb_json_text(answer, "library", library, SB_LIBRARY_NAME, error)) || fail_start(t, error);
    cJSON_Delete(answer);
    return ok;
}

static bool hello(const sb_tokenizer *t, counter *c, char library[SB_LIBRARY_NAME], sb_error *error) {
    sb_exchange went;
    if (!ask(t, c, &t->content, &went, error)) return false;
    if (went == SB_GONE) return fail_start(t, error);
    return went == SB_ANSWERED ? read_library(t, &c->process.reply, library, error) : fail_exchange(c, went, error);
}

static void stop(counter *c) {
    if (!c) return;
    if (c->process.pid) sb_process_dismiss(&c->process, "", 0);
    sb_process_end(&c->process, false);
    free(c);
}

/* Starts a process that counts. NULL with an error. */
static counter *start(sb_tokenizer *t, char library[SB_LIBRARY_NAME], sb_error *error) {
    counter *c = calloc(1, sizeof *c);
    if (!c) return sb_fail(error, SB_MEMORY, "out of memory for a tokenizer"), NULL;
    if (sb_process_begin(&c->process, &t->guard, t->command.data, -1, error) && hello(t, c, library, error)) return c;
    return stop(c), NULL;
}

/* ---- All of them ---- */

static counter *take(sb_tokenizer *t, sb_error *error) {
    char library[SB_LIBRARY_NAME];
    pthread_mutex_lock(&t->mutex);
    counter *c = t->idle;
    if (c) t->idle = c->next;
    pthread_mutex_unlock(&t->mutex);
    if (c || !(c = start(t, library, error))) return c;
    if (strcmp(library, t->is.library) == 0) return c;
    sb_fail(error, SB_IO, "tokenizer: the library of Python was replaced while it was used: begin again");
    return stop(c), NULL;
}

static void give_back(sb_tokenizer *t, counter *c) {
    pthread_mutex_lock(&t->mutex);
    c->next = t->idle, t->idle = c;
    pthread_mutex_unlock(&t->mutex);
}

bool sb_tokenizer_count(sb_tokenizer *t, const sb_out *texts, uint64_t *tokens, sb_error *error) {
    sb_exchange went;
    counter *c = take(t, error);
    bool ok = c && ask(t, c, texts, &went, error) && (went == SB_ANSWERED || fail_exchange(c, went, error));
    ok = ok && ((sb_parse_uint(c->process.reply.data, tokens) && *tokens <= SB_TOKENS_MAX &&
                 strlen(c->process.reply.data) == c->process.reply.size) ||
                fail_answer(&c->process.reply, error));
    ok ? give_back(t, c) : stop(c);
    return ok;
}

/* ---- Opening ---- */

static void put_command(sb_tokenizer *t) {
    const char *script = (const char *)sb_shipped_count_tokens;
    sb_puts(&t->command, "exec '"), sb_put_shell(&t->command, t->python, strlen(t->python));
    sb_puts(&t->command, "' -c '"), sb_put_shell(&t->command, script, strlen(script));
    sb_puts(&t->command, "'"), sb_putc(&t->command, '\0');
}

/* Loads the file into the first line that every process is told, so that all count with the bytes that were hashed. */
static bool load(sb_tokenizer *t, sb_error *error) {
    sb_out text = sb_out_growing();
    bool ok = sb_file_load_plain(t->file, SB_TOKENIZER_BYTES, &text, error) || sb_fail_at(error, "tokenizer");
    for (size_t i = 0, n; ok && i < text.size; i += n)
        ok = (n = sb_utf8_length(text.data + i, text.size - i)) > 0 || fail_file(t, "it is not UTF-8", error);
    if (ok) {
        sb_sha256_hex(text.data, text.size, t->is.sha256);
        sb_put_json_bytes(&t->content, text.data, text.size), sb_putc(&t->content, '\n');
        ok = sb_out_ok(&t->content) || sb_fail(error, SB_MEMORY, "out of memory for a tokenizer");
    }
    sb_out_free(&text);
    return ok;
}

static char *copy(const char *text) {
    char *to = malloc(strlen(text) + 1);
    return to ? strcpy(to, text) : NULL;
}

static bool begin(sb_tokenizer *t, sb_error *error) {
    put_command(t);
    if (!sb_out_ok(&t->command)) return sb_fail(error, SB_MEMORY, "out of memory for a tokenizer");
    if (!load(t, error) || !sb_guard_begin(&t->guard, error)) return false;
    t->is_guarded = true;
    return (t->idle = start(t, t->is.library, error));
}

sb_tokenizer *sb_tokenizer_open(const char *file, const sb_tokenizer_source *source, sb_error *error) {
    sb_tokenizer *t = calloc(1, sizeof *t);
    if (!t) return sb_fail(error, SB_MEMORY, "out of memory for a tokenizer"), NULL;
    t->command = t->content = sb_out_growing();
    pthread_mutex_init(&t->mutex, NULL);
    t->file = copy(file), t->python = copy(source->python ? source->python : SB_TOKENIZER_PYTHON), t->now = source->now;
    if (t->file && t->python ? begin(t, error) : sb_fail(error, SB_MEMORY, "out of memory for a tokenizer")) return t;
    return sb_tokenizer_close(t), NULL;
}

void sb_tokenizer_close(sb_tokenizer *t) {
    if (!t) return;
    for (counter *c = t->idle, *next; c; c = next) next = c->next, stop(c);
    if (t->is_guarded) sb_guard_end(&t->guard);
    sb_out_free(&t->command), sb_out_free(&t->content);
    free(t->file), free(t->python);
    pthread_mutex_destroy(&t->mutex);
    free(t);
}

const sb_tokenizer_facts *sb_tokenizer_is(const sb_tokenizer *t) { return &t->is; }
