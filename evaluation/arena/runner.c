#include "evaluation/arena/runner.h"

#include <string.h>

#include "base/error.h"

void sb_runner_begin(sb_runner *r) { r->hello = r->said = r->level = r->learnt = r->own = sb_out_growing(); }

void sb_runner_renew(sb_runner *r) {
    sb_voice_end(&r->voice);
    r->voice.failures = 0;
    sb_out_clear(&r->hello), sb_out_clear(&r->said), sb_out_clear(&r->level);
}

void sb_runner_search(sb_runner *r, bool searches) { r->searches = searches, r->failures = 0; }

void sb_runner_free(sb_runner *r) {
    sb_voice_end(&r->voice);
    sb_out_free(&r->hello), sb_out_free(&r->said), sb_out_free(&r->level), sb_out_free(&r->learnt);
    sb_out_free(&r->own);
}

/* ---- Asking the program ------------------------------------------------------------------------------------------ */

static bool copy(sb_out *to, const char *text, size_t n, sb_error *error) {
    sb_out_clear(to);
    sb_put(to, text, n), sb_putc(to, '\0');
    to->size--;
    return sb_out_ok(to) || sb_fail(error, SB_MEMORY, "out of memory for an answer");
}

/* Tells lines to the program; a failure ends that. */
static bool tell(sb_runner *r, const sb_out *lines, sb_failure *failure, sb_error *error) {
    sb_json_part ignored;
    for (size_t at = 0, n; at < lines->size && !failure->kind; at += n) {
        const char *line = lines->data + at, *newline = memchr(line, '\n', lines->size - at);
        n = (size_t)(newline - line) + 1;
        if (!sb_voice_ask(&r->voice, line, n, &ignored, failure, error)) return false;
    }
    return true;
}

/* A program that begins is told what was learnt, after its hello. */
static bool greet(sb_runner *r, const char *line, size_t n, sb_json_part *answer, sb_failure *failure,
                  sb_error *error) {
    if (!sb_voice_ask(&r->voice, line, n, answer, failure, error)) return false;
    if (failure->kind || !r->learnt.size) return true;
    if (!copy(&r->own, answer->at, answer->n, error) || !tell(r, &r->learnt, failure, error)) return false;
    *answer = (sb_json_part){.at = r->own.data, .n = r->own.size, .document = r->own.data};
    return true;
}

/* Starts a program that is not running, and tells it what it was told before. */
static bool wake(sb_runner *r, sb_failure *failure, sb_error *error) {
    sb_json_part ignored;
    return greet(r, r->hello.data, r->hello.size, &ignored, failure, error) && tell(r, &r->level, failure, error);
}

static bool ask_program(sb_runner *r, sb_model_op op, const char *line, size_t n, sb_json_part *answer,
                        sb_failure *failure, sb_error *error) {
    const bool is_running = sb_voice_is_running(&r->voice);
    if (!is_running && !r->prepare(r->context, error)) return false;
    const double begun = r->voice.now();
    bool ok = is_running || op == SB_MODEL_HELLO || wake(r, failure, error);
    if (ok && !failure->kind)
        ok = is_running || op != SB_MODEL_HELLO ? sb_voice_ask(&r->voice, line, n, answer, failure, error)
                                                : greet(r, line, n, answer, failure, error);
    r->seconds += r->voice.now() - begun;
    return ok;
}

/* ---- Asking ------------------------------------------------------------------------------------------------------ */

static bool ask_nobody(sb_runner *r, sb_model_op op, sb_json_part *answer, sb_failure *failure, sb_error *error) {
    static const char said[] = "{\"name\":\"none\",\"offers\":[\"predict\"]}";
    if (op != SB_MODEL_HELLO) return sb_failed(failure, SB_FAILED_START, "there is no model yet"), true;
    if (!copy(&r->own, said, sizeof said - 1, error)) return false;
    *answer = (sb_json_part){.at = r->own.data, .n = r->own.size, .document = r->own.data};
    return true;
}

/* Asks the program, or takes the answer from the journal; in a search the journal is neither read nor written. */
static bool ask_and_keep(sb_runner *r, sb_model_op op, const char *line, size_t n, sb_json_part *answer,
                         sb_failure *failure, sb_error *error) {
    if (r->searches) {
        if (r->failures >= SB_VOICE_FAILURES) return sb_failed(failure, SB_FAILED_CRASH, "it failed too often"), true;
        if (!ask_program(r, op, line, n, answer, failure, error)) return false;
        r->failures += failure->kind != SB_NO_FAILURE;
        return true;
    }
    if (r->voice.failures >= SB_VOICE_FAILURES)
        return sb_failed(failure, SB_FAILED_CRASH, "it failed too often: it is not asked any more"), true;
    if (r->answers->only_read || sb_answers_has_next(r->answers)) {
        if (!sb_answers_take(r->answers, "model", line, n, answer, failure, error)) return false;
    } else if (!ask_program(r, op, line, n, answer, failure, error) ||
               !sb_answers_keep(r->answers, "model", line, n, answer, failure, error))
        return false;
    r->voice.failures += failure->kind != SB_NO_FAILURE;
    return true;
}

static bool remember(sb_runner *r, sb_model_op op, const char *line, size_t n, const sb_json_part *answer,
                     sb_error *error) {
    if (op == SB_MODEL_HELLO) return copy(&r->hello, line, n, error) && copy(&r->said, answer->at, answer->n, error);
    if (op == SB_MODEL_LEVEL) return copy(&r->level, line, n, error);
    if (op == SB_MODEL_LEARN) sb_put(&r->learnt, line, n);
    return sb_out_ok(&r->learnt) || sb_fail(error, SB_MEMORY, "out of memory for what a model learns");
}

static bool ask(void *context, sb_model_op op, const char *line, size_t n, sb_json_part *answer, sb_failure *failure,
                sb_error *error) {
    sb_runner *r = context;
    *answer = (sb_json_part){0}, failure->kind = SB_NO_FAILURE;
    if (r->is_none) return ask_nobody(r, op, answer, failure, error);
    if (op == SB_MODEL_HELLO && r->hello.size == n && memcmp(r->hello.data, line, n) == 0) {
        *answer = (sb_json_part){.at = r->said.data, .n = r->said.size, .document = r->said.data};
        return true;
    }
    if (!ask_and_keep(r, op, line, n, answer, failure, error)) return false;
    return failure->kind || remember(r, op, line, n, answer, error);
}

sb_model_transport sb_runner_transport(sb_runner *r) { return (sb_model_transport){.ask = ask, .context = r}; }
