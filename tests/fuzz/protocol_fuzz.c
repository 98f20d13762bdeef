/* Takes the input, split at newlines, as the requests of one session. Every reply must be one line of JSON. */
#include <stdlib.h>
#include <string.h>

#include "agents/server/serve.h"
#include "base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const sb_out *reply) {
    sb_error error;
    if (!sb_out_ok(reply) || reply->size < 2) abort();
    const size_t n = reply->size - 1;
    if (reply->data[n] != '\n' || memchr(reply->data, '\n', n)) abort();
    cJSON *parsed = sb_json_parse(reply->data, reply->size, &error);
    if (!cJSON_IsBool(cJSON_GetObjectItemCaseSensitive(parsed, "ok"))) abort();
    cJSON_Delete(parsed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_session session = {.limits.envs = 4};
    sb_out reply = sb_out_growing();
    const char *at = (const char *)data, *end = at + size;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        sb_out_clear(&reply);
        sb_session_answer(&session, at, (size_t)((newline ? newline : end) - at), &reply);
        check(&reply);
        at = newline ? newline + 1 : end;
    }
    sb_out_free(&reply);
    sb_session_free(&session);
    return 0;
}
