/* Takes the input as a recording in the form of a published toolkit. Whatever is read into tapes replays as they say,
 * and is written and read back the same; anything else gets an error with a text. */
#include <string.h>

#include "rollout/recorded.h"
#include "rollout/recording.h"
#include "tests/fuzz/scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PLAYS = 4, MOST = 1 << 16 };

static sb_scratch_file input, written;

static void remove_files(void) {
    sb_scratch_remove(&input);
    if (*written.path) sb_scratch_remove(&written);
}

static void remove_nothing(void) {}

typedef struct writing {
    sb_recording recording;
    sb_out out;
} writing;

static bool write_line(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    writing *w = context;
    (void)action, (void)result;
    return sb_recording_put(&w->recording, env, &w->out, error);
}

/* Reads the only play of a file; its line must be that of the tape. */
static void read_back(const char *line) {
    sb_recorded recorded;
    sb_error error = {0};
    if (!sb_recorded_open(&recorded, NULL, written.path, &error) || !sb_recorded_next(&recorded, &error) ||
        strcmp(recorded.line->data, line) != 0 || sb_recorded_next(&recorded, &error) || error.code != SB_OK)
        abort();
    sb_recorded_close(&recorded);
}

static void write_and_read(const sb_recorded *recorded) {
    sb_error error = {0};
    writing w = {.out = sb_out_growing()};
    sb_env *env = sb_make(NULL, NULL, &error);
    if (!env) abort();
    sb_recording_begin(&w.recording, &recorded->tape);
    if (!sb_tape_replay(&recorded->tape, env, write_line, &w, &error)) abort();
    sb_scratch_save(&written, "toolkit-back", remove_nothing, w.out.data, w.out.size);
    read_back(recorded->line->data);
    sb_free(env);
    sb_out_free(&w.out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char begin[] = "{\"timestamp\"";
    sb_recorded recorded;
    sb_error error = {0};
    if (size > MOST || size < strlen(begin) || memcmp(data, begin, strlen(begin)) != 0) return -1;
    sb_scratch_save(&input, "toolkit", remove_files, (const char *)data, size);
    bool ok = sb_recorded_open(&recorded, NULL, input.path, &error);
    for (int i = 0; ok && i < PLAYS && (ok = sb_recorded_next(&recorded, &error)); i++) write_and_read(&recorded);
    if (!ok && error.code != SB_OK && !error.text[0]) abort();
    sb_recorded_close(&recorded);
    return 0;
}
