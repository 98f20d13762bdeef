/* Takes the input as a recording of the engine of ARC-like games, of a part or of a game, and as a line of the
 * toolkit's recordings. A malformed one gets an error with a text, comparing twice finds the same, and a line that was
 * read is written and read back the same. */
#include <stdlib.h>
#include <string.h>

#include "engine/arc/answer.h"
#include "generators/conformance/arc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool compare(const cJSON *recording, sb_conformity *found) {
    sb_error error = {0};
    *found = (sb_conformity){0};
    const bool ok = sb_arc_conformer.compare(recording, found, &error);
    if (!ok && (error.code == SB_OK || !error.text[0])) abort();
    if (found->differs != (found->difference[0] != '\0')) abort();
    return ok;
}

static void compare_twice(const cJSON *recording) {
    sb_conformity found, again;
    if (compare(recording, &found) != compare(recording, &again)) abort();
    if (found.steps != again.steps || strcmp(found.difference, again.difference) != 0) abort();
}

static void read_back(sb_arc_message *message) {
    sb_arc_message back;
    sb_error error = {0};
    cJSON *kept;
    sb_out line = sb_out_growing();
    message->with_frames = false; /* they are checked, but not kept */
    sb_arc_put_recorded(message, "2026-01-01T00:00:00+00:00", &line);
    if (!line.failed) {
        if (!sb_arc_read_recorded(line.data, line.size, &back, &kept, &error)) abort();
        if (memcmp(&back.action, &message->action, sizeof back.action) != 0) abort();
        if (back.answer.state != message->answer.state || back.available != message->available) abort();
        if (strcmp(back.game_id, message->game_id) != 0) abort();
        cJSON_Delete(kept);
    }
    sb_out_free(&line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_error error = {0};
    sb_arc_message message;
    cJSON *recording = sb_json_parse((const char *)data, size, &error), *kept;
    if (recording && sb_arc_recording(recording)) compare_twice(recording);
    cJSON_Delete(recording);
    if (sb_arc_read_recorded((const char *)data, size, &message, &kept, &error))
        read_back(&message);
    else if (error.code == SB_OK || !error.text[0])
        abort();
    cJSON_Delete(kept);
    return 0;
}
