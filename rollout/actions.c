#include "rollout/recorded.h"

#include "base/error.h"

void sb_actions_print(const sb_action *actions, size_t n, sb_out *out) {
    for (size_t i = 0, times; i < n; i += times) {
        for (times = 1; i + times < n && actions[i + times] == actions[i];) times++;
        if (i) sb_putc(out, ' ');
        sb_put_int(out, actions[i]);
        if (times > 1) sb_putc(out, '*'), sb_put_uint(out, times);
    }
}

/* Reads digits at *at; false if there are none or too many. */
static bool read_number(const char **at, uint64_t limit, uint64_t *value) {
    const char *first = *at;
    for (*value = 0; **at >= '0' && **at <= '9' && *value <= limit; ++*at)
        *value = 10 * *value + (uint64_t)(**at - '0');
    return *at > first && *value <= limit;
}

/* Reads `action` or `action*times`, and the space before the next one. */
static bool read_repeated(const char **at, uint64_t *action, uint64_t *times) {
    *times = 1;
    if (!read_number(at, INT32_MAX, action)) return false;
    if (**at == '*') {
        ++*at;
        if (!read_number(at, SB_TAPE_BYTES, times) || *times == 0) return false;
    }
    if (**at == '\0') return true;
    return *(*at)++ == ' ' && **at != '\0';
}

bool sb_actions_parse(const char *text, size_t limit, sb_tape *tape, sb_error *error) {
    tape->n = 0;
    for (const char *at = text; *at;) {
        uint64_t action, times;
        if (!read_repeated(&at, &action, &times))
            return sb_fail(error, SB_INVALID,
                           "key `actions` should be a list of actions; the error is at character %zu",
                           (size_t)(at - text) + 1);
        if (tape->n + times > limit) return sb_fail(error, SB_INVALID, "key `actions`: more than %zu steps", limit);
        while (times-- > 0)
            if (!sb_tape_append(tape, (sb_action)action, error)) return false;
    }
    return true;
}
