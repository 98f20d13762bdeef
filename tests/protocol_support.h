/* Requests of the line protocol, for tests. */
#ifndef SB_TESTS_PROTOCOL_SUPPORT_H
#define SB_TESTS_PROTOCOL_SUPPORT_H

#include "tests/support.h"

#include <string.h>

#include "agents/server/serve.h"

/* Sends a request and returns the reply, which has to be one line with one JSON object. The caller deletes it. */
static inline cJSON *ask_bytes(sb_session *session, const char *line, size_t n) {
    sb_error error;
    sb_out reply = sb_out_growing();
    sb_session_answer(session, line, n, &reply);
    assert_true(sb_out_ok(&reply) && reply.size > 1);
    assert_ptr_equal(memchr(reply.data, '\n', reply.size), reply.data + reply.size - 1);
    cJSON *parsed = sb_json_parse(reply.data, reply.size, &error);
    assert_ok(parsed != NULL, error);
    assert_true(cJSON_IsBool(cJSON_GetObjectItemCaseSensitive(parsed, "ok")));
    sb_out_free(&reply);
    return parsed;
}

static inline const cJSON *member(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!item) fail_msg("no `%s`", key);
    return item;
}

static inline const char *text_of(const cJSON *object, const char *key) {
    const cJSON *item = member(object, key);
    assert_true(cJSON_IsString(item));
    return item->valuestring;
}

static inline cJSON *ask(sb_session *session, const char *line) {
    cJSON *reply = ask_bytes(session, line, strlen(line));
    if (!cJSON_IsTrue(member(reply, "ok"))) fail_msg("%s: %s", line, text_of(member(reply, "error"), "message"));
    return reply;
}

static inline void tell(sb_session *session, const char *line) { cJSON_Delete(ask(session, line)); }

static inline void assert_refused_bytes(sb_session *session, const char *line, size_t n, const char *code,
                                        const char *words) {
    cJSON *reply = ask_bytes(session, line, n);
    assert_true(cJSON_IsFalse(member(reply, "ok")));
    const cJSON *error = member(reply, "error");
    const char *message = text_of(error, "message");
    assert_string_equal(text_of(error, "code"), code);
    if (!strstr(message, words)) fail_msg("%.60s: \"%s\" does not say \"%s\"", line, message, words);
    assert_null(strpbrk(message, "\r\n"));
    cJSON_Delete(reply);
}

static inline void assert_refused(sb_session *session, const char *line, const char *code, const char *words) {
    assert_refused_bytes(session, line, strlen(line), code, words);
}

#endif
