/* A program of an arena: it is started when it is first asked, asked a line at a time, and started again after it died
 * or hung, but not too often. */
#ifndef SB_EVALUATION_ARENA_VOICE_H
#define SB_EVALUATION_ARENA_VOICE_H

#include "agents/failure.h"
#include "agents/process.h"
#include "base/json_scan.h"

enum { SB_VOICE_FAILURES = 4 /* after so many failures a program is not asked any more */, SB_VOICE_BYTES = 4 << 20 };

/* A program that can be asked. Starts zeroed, but for its first members. */
typedef struct sb_voice {
    const char *command;
    sb_guard *guard;
    sb_timer *now;
    uint64_t seconds, start_seconds; /* time for an answer, and for the first one after a start */
    int errors;                      /* descriptor of its standard error; -1: ours */
    sb_process process;
    bool was_asked; /* it was asked since it was started */
    uint32_t failures;
} sb_voice;

/* Exchanges a line (n bytes with its newline) for an answer, which lives until the next call, or a failure, which ends
 * the program. False only for errors of this process. */
bool sb_voice_ask(sb_voice *voice, const char *line, size_t n, sb_json_part *answer, sb_failure *failure,
                  sb_error *error);
static inline bool sb_voice_is_running(const sb_voice *voice) { return voice->process.pid != 0; }
/* Ends the program, however it is; if it is asked again, it is started again. */
void sb_voice_end(sb_voice *voice);

#endif
