/* Every test includes this: cmocka, and a few helpers that all tests share. */
#ifndef SB_TESTS_SUPPORT_H
#define SB_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/json.h"

#ifdef __clang_analyzer__ /* it does not know that a failed assertion ends the test */
#include <stdlib.h>
#undef fail_msg
#define fail_msg(...) (print_error(__VA_ARGS__), abort())
#endif

/* Sanitizers and emulators make everything ten times slower, so with them tests make fewer repetitions. SB_SLOW asks
 * for that. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || defined SB_SLOW
enum { TESTS_ARE_SLOW = 1 };
#else
enum { TESTS_ARE_SLOW = 0 };
#endif

/* Fails the test with the error's text. */
#define assert_ok(condition, error)                                                                                    \
    do {                                                                                                               \
        if (!(condition)) fail_msg("%s: %s", #condition, (error).text);                                                \
    } while (0)

/* Fails unless the call failed with this code and a text that contains `words`. */
void assert_error(bool ok, const sb_error *error, sb_code code, const char *words);

/* Returns the path of a file below tests/golden. The next call in the same thread overwrites the text. */
const char *golden(const char *name);

/* Calls `check` with every line of a (gzipped) JSON-lines file below tests/golden; returns the number of lines. */
size_t each_vector(const char *name, void (*check)(const cJSON *line));

/* Makes an empty folder below the build folder; each call with the same name removes it and makes it again. */
const char *scratch_folder(const char *name);
/* Returns a path in such a folder. The next call overwrites the text. */
const char *scratch_path(const char *folder, const char *name);

#endif
