/* Takes the input as a log of transitions. Whatever is read is written and read back the same, but for what a writer
 * chooses itself; anything else gets an error with a text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rollout/transitions.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 1 << 17 };

static void write_log(const sb_log *log, sb_out *out) {
    for (size_t p = 0; p < log->n_plays; p++) {
        const sb_log_play *play = &log->plays[p];
        sb_log_put_play(out, play);
        for (size_t i = 0; i < play->n; i++) sb_log_put_transition(out, play, &log->transitions[play->first + i]);
    }
    if (!sb_out_ok(out)) abort();
}

static void compare(const sb_log *a, const sb_log *b) {
    if (a->n_plays != b->n_plays || a->n_transitions != b->n_transitions) abort();
    for (size_t p = 0; p < a->n_plays; p++) {
        const sb_log_play *play = &a->plays[p], *other = &b->plays[p];
        const size_t cells = sb_frame_cells(&play->shape);
        if (play->n != other->n || memcmp(play->start, other->start, cells) != 0) abort();
        for (size_t i = play->first; i < play->first + play->n; i++)
            if (a->transitions[i].kind != b->transitions[i].kind ||
                strcmp(a->transitions[i].action.name, b->transitions[i].action.name) != 0 ||
                a->transitions[i].action.x != b->transitions[i].action.x ||
                memcmp(a->transitions[i].last, b->transitions[i].last, cells) != 0)
                abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_log log, again;
    sb_error error = {0};
    if (size > MOST) return -1;
    const bool ok = sb_log_parse(&log, "log", (const char *)data, size, false, &error);
    if (!ok && !error.text[0]) abort();
    if (ok) {
        sb_out out = sb_out_growing();
        write_log(&log, &out);
        if (!sb_log_parse(&again, "again", out.data, out.size, false, &error)) abort();
        compare(&log, &again);
        sb_log_close(&again);
        sb_out_free(&out);
    }
    sb_log_close(&log);
    return 0;
}
