#include "evaluation/arena/voice.h"

bool sb_voice_ask(sb_voice *v, const char *line, size_t n, sb_json_part *answer, sb_failure *failure, sb_error *error) {
    sb_unanswered request = {.most = SB_VOICE_BYTES};
    sb_exchange went;
    *answer = (sb_json_part){0}, failure->kind = SB_NO_FAILURE;
    if (!v->process.pid) {
        v->was_asked = false;
        if (!sb_process_begin(&v->process, v->guard, v->command, v->errors, error)) return false;
    }
    request.is_first = !v->was_asked, request.seconds = v->was_asked ? v->seconds : v->start_seconds;
    if (!sb_process_ask(&v->process, line, n, request.most, (double)request.seconds, v->now, NULL, &went, error))
        return false;
    if (went == SB_ANSWERED)
        *answer = (sb_json_part){
            .at = v->process.reply.data, .n = v->process.reply.size, .document = v->process.reply.data};
    else {
        sb_failed_exchange(&v->process, went, &request, failure);
        sb_process_end(&v->process, false);
    }
    v->was_asked = true;
    return true;
}

void sb_voice_end(sb_voice *v) {
    static const char close_line[] = "{\"op\":\"close\"}\n";
    if (v->process.pid) sb_process_dismiss(&v->process, close_line, sizeof close_line - 1);
    sb_process_end(&v->process, true);
}
