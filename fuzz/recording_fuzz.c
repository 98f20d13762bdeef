/* The input as a recording, compared with the engine of every family. A malformed one is refused in words, one that
 * differs is described, and comparing twice finds the same. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "engine/environment.h"
#include "engine/lookup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool conform(const sb_family *family, const cJSON *recording, sb_conformity *found) {
    sb_error error = {0};
    *found = (sb_conformity){0};
    const bool ok = family->conform(family, recording, found, &error);
    if (!ok && (error.code == SB_OK || !error.text[0])) abort();
    if (found->differs != (found->difference[0] != '\0')) abort();
    return ok;
}

static void conform_twice(const sb_family *family, const cJSON *recording) {
    sb_conformity found, again;
    if (conform(family, recording, &found) != conform(family, recording, &again)) abort();
    if (found.steps != again.steps || strcmp(found.difference, again.difference) != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_error error;
    cJSON *recording = sb_json_parse((const char *)data, size, &error);
    if (!recording) return 0;
    for (const sb_family *const *family = sb_families; *family; family++)
        if ((*family)->conform) conform_twice(*family, recording);
    cJSON_Delete(recording);
    return 0;
}
