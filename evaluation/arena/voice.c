#include "evaluation/arena/voice.h"

#include <string.h>

#include "base/error.h"

static void fail_ended(sb_voice *v, sb_failure *failure) {
    const sb_ending ending = sb_process_end(&v->process, true);
    if (ending.how == SB_WAS_KILLED)
        sb_failed(failure, SB_FAILED_CLOSED, "it closed its output instead of answering, but kept running");
    else if (ending.how == SB_SIGNALLED)
        sb_failed(failure, SB_FAILED_CRASH, "it ended by signal %d (%s) instead of answering", ending.number,
                  strsignal(ending.number));
    else
        sb_failed(failure, SB_FAILED_CRASH, "it ended with exit code %d instead of answering%s", ending.number,
                  ending.number == 127 ? " (no such command?)" : "");
}

static void fail_exchange(sb_voice *v, sb_exchange went, uint64_t seconds, sb_failure *failure) {
    switch (went) {
    case SB_LATE:
        sb_failed(failure, SB_FAILED_TIMEOUT, "no answer within %llu s%s", (unsigned long long)seconds,
                  v->was_asked ? "" : "; does it flush its output?");
        break;
    case SB_OVERLONG:
        sb_failed(failure, SB_FAILED_OVERLONG, "its answer has more than %d bytes", SB_VOICE_BYTES);
        break;
    case SB_TALKATIVE: sb_failed(failure, SB_FAILED_NONSENSE, "more than one line for one request"); break;
    case SB_UNASKED: sb_failed(failure, SB_FAILED_NONSENSE, "it wrote something before it was asked"); break;
    default: fail_ended(v, failure); return;
    }
    sb_process_end(&v->process, false);
}

bool sb_voice_ask(sb_voice *v, const char *line, size_t n, sb_json_part *answer, sb_failure *failure, sb_error *error) {
    const uint64_t seconds = v->was_asked ? v->seconds : v->start_seconds;
    sb_exchange went;
    *answer = (sb_json_part){0}, failure->kind = SB_NO_FAILURE;
    if (!v->process.pid) {
        v->was_asked = false;
        if (!sb_process_begin(&v->process, v->guard, v->command, v->errors, error)) return false;
    }
    if (!sb_process_ask(&v->process, line, n, SB_VOICE_BYTES, (double)seconds, v->now, NULL, &went, error))
        return false;
    if (went == SB_ANSWERED)
        *answer = (sb_json_part){
            .at = v->process.reply.data, .n = v->process.reply.size, .document = v->process.reply.data};
    else
        fail_exchange(v, went, seconds, failure);
    v->was_asked = true;
    return true;
}

void sb_voice_end(sb_voice *v) {
    static const char close_line[] = "{\"op\":\"close\"}\n";
    if (v->process.pid) sb_process_dismiss(&v->process, close_line, sizeof close_line - 1);
    sb_process_end(&v->process, true);
}
