/* The input as a recording, compared with the engine. A malformed one is refused in words, one that differs is
 * described, and comparing twice finds the same. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "engine/family.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool conform(const cJSON *recording, sb_conformity *found) {
    sb_error error = {0};
    *found = (sb_conformity){0};
    const bool ok = sb_families[0]->conform(sb_families[0], recording, found, &error);
    if (!ok && (error.code == SB_OK || !error.text[0])) abort();
    if (found->differs != (found->difference[0] != '\0')) abort();
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_conformity found, again;
    sb_error error;
    cJSON *recording = sb_json_parse((const char *)data, size, &error);
    if (!recording) return 0;
    if (conform(recording, &found) != conform(recording, &again)) abort();
    if (found.steps != again.steps || strcmp(found.difference, again.difference) != 0) abort();
    cJSON_Delete(recording);
    return 0;
}
