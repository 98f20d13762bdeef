/* Takes the input as a recording and compares it with the engine of every family. A malformed recording gets an error
 * message, a difference gets a description, and comparing twice finds the same. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "engine/lookup.h"
#include "generators/conformance/conformance.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool compare(const sb_conformer *conformer, const cJSON *recording, sb_conformity *found) {
    sb_error error = {0};
    *found = (sb_conformity){0};
    const bool ok = conformer->compare(recording, found, &error);
    if (!ok && (error.code == SB_OK || !error.text[0])) abort();
    if (found->differs != (found->difference[0] != '\0')) abort();
    return ok;
}

static void compare_twice(const sb_conformer *conformer, const cJSON *recording) {
    sb_conformity found, again;
    if (compare(conformer, recording, &found) != compare(conformer, recording, &again)) abort();
    if (found.steps != again.steps || strcmp(found.difference, again.difference) != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_error error;
    cJSON *recording = sb_json_parse((const char *)data, size, &error);
    if (!recording) return 0;
    for (const sb_family *const *family = sb_families; *family; family++) {
        const sb_conformer *conformer = sb_conformer_of(*family);
        if (conformer) compare_twice(conformer, recording);
    }
    cJSON_Delete(recording);
    return 0;
}
