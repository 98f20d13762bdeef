/* The line protocol: no request, however broken, ends a session, and the server answers every line. */

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "seedbed/gridworld.h"
#include "tests/protocol_support.h"

/* ---- Errors ---- */

static void errors_name_what_is_wrong(void **unused) {
    (void)unused;
    static const struct {
        const char *line, *code, *words;
    } cases[] = {
        {"", "invalid", "not valid JSON"},
        {"   ", "invalid", "not valid JSON"},
        {"hello", "invalid", "not valid JSON"},
        {"[]", "invalid", "a JSON object"},
        {"17", "invalid", "a JSON object"},
        {"{} {}", "invalid", "not valid JSON"},
        {"{\"op\": \"hello\",}", "invalid", "not valid JSON"},
        {"{}", "invalid", "`op` is missing"},
        {"{\"op\": 1}", "invalid", "`op` should be a text"},
        {"{\"op\": \"fly\"}", "unknown", "known operations: hello, reset, step, observe, hint, close, start, steps"},
        {"{\"op\": \"fly\nwith \xc2\xa7 me\"}", "invalid", "control character"},
        {"{\"op\": \"hello\", \"verbose\": true}", "invalid", "`verbose`"},
        {"{\"op\": \"close\", \"name\": \"x\"}", "invalid", "`name`"},
        {"{\"op\": \"hello\", \"op\": \"close\"}", "invalid", "`op` is repeated"},
        {"{\"op\": \"hello\", \"id\": 1, \"id\": 2}", "invalid", "`id` is repeated"},
        {"{\"op\": \"hello\", \"env\": 64}", "invalid", "`env`"},
        {"{\"op\": \"hello\", \"env\": -1}", "invalid", "`env`"},
        {"{\"op\": \"hello\", \"env\": \"0\"}", "invalid", "`env`"},
        {"{\"op\": \"hello\", \"env\": 0.5}", "invalid", "`env`"},
        {"{\"op\": \"hello\", \"env\": 1e999}", "invalid", "`env`"},
        {"{\"op\": \"hello\", \"id\": 01}", "invalid", "not a number"},
        {"{\"op\": \"hello\", \"id\": -}", "invalid", "not a number"},
        {"{\"op\": \"hello\", \"id\": 1.}", "invalid", "not a number"},
        {"{\"op\": \"hello\", \"id\": 1e}", "invalid", "not a number"},
        {"{\"op\": \"hello\", \"id\": NaN}", "invalid", "not valid JSON"},
        {"{\"op\": \"hello\\u0000\"}", "invalid", "NUL"},
        {"{\"op\": \"reset\"}", "invalid", "`name` is missing"},
        {"{\"op\": \"reset\", \"name\": 5}", "invalid", "`name` should be a text"},
        {"{\"op\": \"reset\", \"name\": \"GoToGoal-v0/easy\"}", "invalid", "seed"},
        {"{\"op\": \"reset\", \"name\": \"GoToGaol-v0/easy#1\"}", "unknown", "did you mean GoToGoal-v0"},
        {"{\"op\": \"reset\", \"name\": \"GoToGoal-v0/simple#1\"}", "unknown", "simple"},
        {"{\"op\": \"reset\", \"name\": \"GoToGoal-v0/easy#1\\n\"}", "invalid", "seed"},
        {"{\"op\": \"reset\", \"name\": \"GoToGoal-v0/easy#18446744073709551616\"}", "invalid", "2^64-1"},
        {"{\"op\": \"reset\", \"name\": \"GoToGoal-v0/easy#1\", \"modes\": \"ascii\"}", "invalid", "`modes`"},
        {"{\"op\": \"reset\", \"name\": \"GoToGoal-v0/easy#1\", \"modes\": [1]}", "invalid", "`modes`"},
        {"{\"op\": \"reset\", \"name\": \"GoToGoal-v0/easy#1\", \"modes\": [\"smell\"]}", "unknown", "smell"},
        {"{\"op\": \"reset\", \"name\": \"GoToGoal-v0/easy#1\", \"modes\": [\"ascii\", \"ascii\"]}", "invalid",
         "twice"},
        {"{\"op\": \"reset\", \"name\": \"GoToGoal-v0/easy#1\", \"actions\": \"all\"}", "invalid", "`actions`"},
        {"{\"op\": \"reset\", \"name\": \"GoToGoal-v0/easy#1\", \"actions\": 0}", "invalid", "`actions`"},
        {"{\"op\": \"step\"}", "invalid", "`action` is missing"},
        {"{\"op\": \"step\", \"action\": true}", "invalid", "`action`"},
        {"{\"op\": \"step\", \"action\": 1.5}", "invalid", "`action`"},
        {"{\"op\": \"step\", \"action\": 1e300}", "invalid", "`action`"},
        {"{\"op\": \"step\", \"action\": 6}", "invalid", "0..5"},
        {"{\"op\": \"step\", \"action\": -1}", "invalid", "0..5"},
        {"{\"op\": \"step\", \"action\": \"jump\"}", "invalid", "jump"},
        {"{\"op\": \"step\", \"action\": \"6\"}", "invalid", "not an action"},
        {"{\"op\": \"observe\", \"modes\": {}}", "invalid", "`modes`"},
        {"{\"op\": \"observe\", \"modes\": [\"smell\"]}", "unknown", "smell"},
        {"{\"op\": \"hint\", \"agent\": 1}", "invalid", "`agent`"},
        {"{\"op\": \"hint\", \"agent\": \"sage\"}", "unknown", "known agents: observer, expert, clairvoyant, random"},
        {"{\"op\": \"step\", \"action\": \"\x1b[31m\"}", "invalid", "control character"},
        {"{\"op\": \"step\", \"action\": \"\\u001b\\n\"}", "invalid", "`\\x1b\\n` is not an action"},
    };
    sb_session session = {0};
    tell(&session, "{\"op\": \"reset\", \"name\": \"KeyDoorPuzzle-v0/medium#42\"}");
    tell(&session, "{\"op\": \"step\", \"action\": 1}");
    cJSON *before = ask(&session, "{\"op\": \"observe\"}");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(&session, cases[i].line, cases[i].code, cases[i].words);
    cJSON *after = ask(&session, "{\"op\": \"observe\"}");
    assert_true(cJSON_Compare(before, after, true)); /* a failed request changes nothing */
    cJSON_Delete(before);
    cJSON_Delete(after);
    sb_session_free(&session);
}

static void without_an_episode_there_is_nothing_to_play(void **unused) {
    (void)unused;
    sb_session session = {0};
    for (int round = 0; round < 2; round++) {
        assert_refused(&session, "{\"op\": \"step\", \"action\": 0}", "finished", "reset first");
        assert_refused(&session, "{\"op\": \"step\", \"action\": \"noop\"}", "finished", "reset first");
        assert_refused(&session, "{\"op\": \"observe\"}", "finished", "reset first");
        assert_refused(&session, "{\"op\": \"hint\"}", "finished", "reset first");
        tell(&session, "{\"op\": \"reset\", \"name\": \"GoToGoal-v0/easy#1\"}");
        tell(&session, "{\"op\": \"hint\"}");
        tell(&session, "{\"op\": \"close\"}");
        tell(&session, "{\"op\": \"close\"}");
    }
    sb_session_free(&session);
}

static void broken_bytes_are_refused(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        size_t n;
        const char *words;
    } cases[] = {
        {"{\"op\": \"he\0lo\"}", 15, "control character"},
        {"{\"op\": \"hello\"}\0", 16, "control character"},
        {"\0", 1, "control character"},
        {"{\"op\": \"\xff\"}", 11, "byte 9: not UTF-8"},
        {"{\"op\": \"\xc0\xaf\"}", 12, "UTF-8"},
        {"{\"op\": \"\xe0\x80\xaf\"}", 13, "UTF-8"},
        {"{\"op\": \"\xed\xa0\x80\"}", 13, "UTF-8"},
        {"{\"op\": \"\xf4\x90\x80\x80\"}", 14, "UTF-8"},
        {"{\"op\": \"\xe2\x82", 10, "UTF-8"},
        {"{\"op\": \"\\\xc3\xa9\"}", 13, "not valid JSON"},
        {"{\"op\": \"\\ud800\"}", 16, "not valid JSON"},
    };
    sb_session session = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused_bytes(&session, cases[i].text, cases[i].n, "invalid", cases[i].words);
    sb_session_free(&session);
}

/* An error's text is cut at a fixed number of bytes, perhaps inside a character. */
static void errors_quote_valid_text_only(void **unused) {
    (void)unused;
    sb_session session = {0};
    for (size_t pad = 0; pad < 4; pad++) {
        char line[400] = "{\"op\": \"";
        for (size_t i = 0; i < pad; i++) strcat(line, "x");
        for (int i = 0; i < 80; i++) strcat(line, "\xe2\x82\xac");
        strcat(line, "\", \"id\": \"\xe2\x82\xac\"}");
        sb_out reply = sb_out_growing();
        sb_session_answer(&session, line, strlen(line), &reply);
        sb_putc(&reply, '\0');
        const char *quoted = strchr(strstr(reply.data, "unknown operation"), '`') + 1 + pad;
        while (strncmp(quoted, "\xe2\x82\xac", 3) == 0) quoted += 3;
        for (int cut = 0; cut < 2 && strncmp(quoted, "\\\\x", 3) == 0; cut++) quoted += strlen("\\\\xe2");
        assert_int_equal(*quoted, '`');
        sb_out_free(&reply);
    }
    sb_session_free(&session);
}

static void prefixes_of_a_request_are_refused(void **unused) {
    (void)unused;
    static const char line[] = "{\"op\": \"reset\", \"id\": [1.5e3, \"\\u00e9\\\"\", null], \"env\": 0, "
                               "\"name\": \"KeyDoorPuzzle-v0/medium#42\", \"modes\": [\"state\", \"ascii\"]}";
    sb_session session = {0};
    for (size_t n = 0; n < sizeof line - 1; n++) {
        char *exact = malloc(n + 1); /* so that sanitizers find reads beyond the end */
        memcpy(exact, line, n);
        char *cut = realloc(exact, n ? n : 1);
        cJSON *reply = ask_bytes(&session, cut, n);
        assert_true(cJSON_IsFalse(member(reply, "ok")));
        cJSON_Delete(reply);
        free(cut);
    }
    tell(&session, line);
    sb_session_free(&session);
}

static char *repeated(const char *before, const char *piece, size_t times, const char *after) {
    sb_out out = sb_out_growing();
    sb_puts(&out, before);
    for (size_t i = 0; i < times; i++) sb_puts(&out, piece);
    sb_puts(&out, after);
    sb_putc(&out, '\0');
    return out.data;
}

static void nesting_is_limited(void **unused) {
    (void)unused;
    sb_session session = {0};
    static const char *const bombs[] = {"[", "{\"a\":", "[{\"a\":", "[[],"};
    for (size_t i = 0; i < sizeof bombs / sizeof *bombs; i++) {
        char *line = repeated("{\"op\": \"hello\", \"id\": ", bombs[i], 100000, "");
        assert_refused(&session, line, "invalid", "nested more than");
        free(line);
    }
    char *open = repeated("{\"op\": \"hello\", \"id\": ", "[", SB_JSON_NESTING - 1, "");
    char *line = repeated(open, "]", SB_JSON_NESTING - 1, "}");
    tell(&session, line);
    free(open);
    free(line);
    line = repeated("", "]", 1000, "");
    assert_refused(&session, line, "invalid", "not valid JSON");
    free(line);
    sb_session_free(&session);
}

static void a_line_has_a_limit_of_bytes(void **unused) {
    (void)unused;
    static const char before[] = "{\"op\": \"hello\", \"id\": \"", after[] = "\"}";
    const size_t frame = sizeof before + sizeof after - 2;
    sb_session session = {0};
    char *line = repeated(before, "x", SB_LINE_BYTES - frame, after);
    cJSON *reply = ask(&session, line);
    assert_int_equal(strlen(text_of(reply, "id")), SB_LINE_BYTES - frame);
    cJSON_Delete(reply);
    free(line);
    line = repeated(before, "x", SB_LINE_BYTES - frame + 1, after);
    assert_refused(&session, line, "invalid", "longer than 1048576 bytes");
    free(line);
    tell(&session, "{\"op\": \"hello\"}");
    sb_session_free(&session);
}

static uint32_t draw(uint32_t *state) {
    *state ^= *state << 13, *state ^= *state >> 17, *state ^= *state << 5;
    return *state;
}

/* Sends pieces of requests, broken requests and random bytes, in any order. */
static void a_session_survives_garbage(void **unused) {
    (void)unused;
    static const char *const pieces[] = {
        "{",         "}",        "[",      "]",          ",",        ":",         "\"op\"",      "\"step\"",
        "\"reset\"", "\"name\"", "\"id\"", "\"action\"", "\"hint\"", "\"modes\"", "\"observe\"", "\"\\u00",
        "-1e",       "1e999",    "null",   "\\",         "\"",       " ",         "\xf0\x9f",    "{\"op\":\"hello\"}"};
    static const char *const requests[] = {"{\"op\": \"reset\", \"name\": \"GoToGoal-v0/hard#5\"}",
                                           "{\"op\": \"step\", \"action\": \"move_up\", \"id\": [1, 2]}",
                                           "{\"op\": \"hint\", \"agent\": \"expert\"}"};
    sb_session session = {0};
    uint32_t state = 2463534242u;
    tell(&session, "{\"op\": \"reset\", \"name\": \"GoToGoal-v0/hard#4\"}");
    for (int i = 0; i < 3000; i++) {
        char line[600];
        sb_out out = sb_out_fixed(line, sizeof line);
        if (i % 3 == 0) {
            for (uint32_t n = draw(&state) % 60; n; n--) sb_putc(&out, (char)draw(&state));
        } else if (i % 3 == 1) {
            for (uint32_t n = draw(&state) % 30; n; n--) sb_puts(&out, pieces[draw(&state) % 24]);
        } else {
            sb_puts(&out, requests[draw(&state) % 3]);
            for (uint32_t n = draw(&state) % 3; n; n--) line[draw(&state) % out.size] = (char)draw(&state);
        }
        assert_true(sb_out_ok(&out));
        cJSON_Delete(ask_bytes(&session, line, out.size));
    }
    tell(&session, "{\"op\": \"reset\", \"name\": \"GoToGoal-v0/hard#4\"}");
    tell(&session, "{\"op\": \"step\", \"action\": 0}");
    sb_session_free(&session);
}

static void buffers_do_not_grow_with_requests(void **unused) {
    (void)unused;
    sb_session session = {0};
    sb_out reply = sb_out_growing();
    size_t capacity = 0, text = 0;
    for (int i = 0; i < 200; i++) {
        const char *line = i % 20 == 0    ? "{\"op\": \"reset\", \"name\": \"KeyDoorPuzzle-v0/hard#1\"}"
                           : i % 20 == 19 ? "{\"op\": \"close\"}"
                                          : "{\"op\": \"step\", \"action\": 1}";
        sb_out_clear(&reply);
        sb_session_answer(&session, line, strlen(line), &reply);
        if (i == 39) capacity = reply.capacity, text = session.text.capacity;
    }
    assert_int_equal(reply.capacity, capacity);
    assert_int_equal(session.text.capacity, text);
    assert_int_equal(session.valid.capacity, SB_N_ACTIONS);
    sb_out_free(&reply);
    sb_session_free(&session);
}

static void a_reply_that_does_not_fit_becomes_an_error(void **unused) {
    (void)unused;
    sb_session session = {0};
    char room[600];
    sb_out reply = sb_out_fixed(room, sizeof room);
    const char *line = "{\"op\": \"reset\", \"name\": \"KeyDoorPuzzle-v0/hard#1\"}";
    sb_session_answer(&session, line, strlen(line), &reply);
    assert_true(sb_out_ok(&reply));
    sb_out_finish(&reply);
    assert_non_null(strstr(room, "{\"ok\": false, \"error\": {\"code\": \"memory\""));
    tell(&session, line);
    sb_session_free(&session);
}

/* ---- Serving ---- */

static const char *path_in(const char *folder, const char *name) {
    static char path[2][1100];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

/* Returns the server's output for an input, NUL-terminated; the caller frees it. */
static char *served(const char *input, size_t n) {
    sb_error error;
    sb_out text = sb_out_growing();
    const char *folder = scratch_folder("protocol");
    const char *requests = path_in(folder, "requests"), *replies = path_in(folder, "replies");
    assert_ok(sb_file_save(requests, input, n, &error), error);
    const int in = open(requests, O_RDONLY), out = open(replies, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(in >= 0 && out >= 0);
    assert_ok(sb_serve(NULL, in, out, &(sb_limits){0}, &error), error);
    close(in);
    close(out);
    assert_ok(sb_file_load(replies, 64 << 20, &text, &error), error);
    return text.data;
}

static size_t count_lines(const char *text) {
    size_t n = 0;
    for (; *text; text++) n += *text == '\n';
    return n;
}

static void every_line_has_its_reply(void **unused) {
    (void)unused;
    static const char *const inputs[] = {
        "", "\n", "x", "x\n", "{\"op\":\"hello\"}\n\n{\"op\":\"hello\"}\r\n", "{\"op\":\"hello\"}\n{\"op\":\"hello\"}"};
    static const size_t lines[] = {0, 1, 1, 1, 3, 2};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char *text = served(inputs[i], strlen(inputs[i]));
        assert_int_equal(count_lines(text), lines[i]);
        free(text);
    }
}

static void the_rest_of_a_too_long_line_is_skipped(void **unused) {
    (void)unused;
    static const size_t lengths[] = {SB_LINE_BYTES - 1, SB_LINE_BYTES,         SB_LINE_BYTES + 1,
                                     SB_LINE_BYTES + 2, 2 * SB_LINE_BYTES + 2, 5 * SB_LINE_BYTES};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (int ended = 0; ended < 2; ended++) {
            char *input = repeated("", " ", lengths[i], ended ? "\n{\"op\":\"hello\",\"id\":5}\n" : "");
            char *text = served(input, strlen(input));
            const bool too_long = strstr(text, "longer than 1048576 bytes") != NULL;
            assert_int_equal(too_long, lengths[i] > SB_LINE_BYTES);
            assert_int_equal(count_lines(text), 1 + ended);
            if (ended) assert_non_null(strstr(text, "\n{\"ok\": true, \"id\": 5,"));
            free(input);
            free(text);
        }
    }
}

static void many_replies_pass_in_order(void **unused) {
    (void)unused;
    enum { N = 3000 };
    sb_out input = sb_out_growing();
    for (int i = 0; i < N; i++) sb_putf(&input, "{\"id\": %d, \"op\": \"hello\"}\n", i);
    char *text = served(input.data, input.size), *at = text;
    for (int i = 0; i < N; i++) {
        char expected[40];
        snprintf(expected, sizeof expected, "{\"ok\": true, \"id\": %d,", i);
        assert_memory_equal(at, expected, strlen(expected));
        at = strchr(at, '\n') + 1;
    }
    assert_int_equal(*at, '\0');
    free(text);
    sb_out_free(&input);
}

static void the_server_ends_without_error_when_the_reader_leaves(void **unused) {
    (void)unused;
    sb_error error;
    int requests[2], replies[2];
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(requests) | pipe(replies), 0);
    close(replies[0]);
    assert_int_equal(write(requests[1], "{}\n{}\n", 6), 6);
    assert_ok(sb_serve(NULL, requests[0], replies[1], &(sb_limits){0}, &error),
              error); /* although more input might come */
    close(requests[0]);
    close(requests[1]);
    close(replies[1]);
    signal(SIGPIPE, before);
}

static void failing_descriptors_are_errors(void **unused) {
    (void)unused;
    sb_error error;
    int requests[2];
    assert_error(sb_serve(NULL, -1, -1, &(sb_limits){0}, &error), &error, SB_IO, "cannot read requests");
    assert_int_equal(pipe(requests), 0);
    assert_int_equal(write(requests[1], "{}\n", 3), 3);
    close(requests[1]);
    assert_error(sb_serve(NULL, requests[0], -1, &(sb_limits){0}, &error), &error, SB_IO, "cannot write replies");
    close(requests[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_name_what_is_wrong),
        cmocka_unit_test(without_an_episode_there_is_nothing_to_play),
        cmocka_unit_test(broken_bytes_are_refused),
        cmocka_unit_test(errors_quote_valid_text_only),
        cmocka_unit_test(prefixes_of_a_request_are_refused),
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(a_line_has_a_limit_of_bytes),
        cmocka_unit_test(a_session_survives_garbage),
        cmocka_unit_test(buffers_do_not_grow_with_requests),
        cmocka_unit_test(a_reply_that_does_not_fit_becomes_an_error),
        cmocka_unit_test(every_line_has_its_reply),
        cmocka_unit_test(the_rest_of_a_too_long_line_is_skipped),
        cmocka_unit_test(many_replies_pass_in_order),
        cmocka_unit_test(the_server_ends_without_error_when_the_reader_leaves),
        cmocka_unit_test(failing_descriptors_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
