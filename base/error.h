/* Errors are values: every function that can fail fills the caller's sb_error and returns false. */
#ifndef SB_BASE_ERROR_H
#define SB_BASE_ERROR_H

#include "seedbed.h"

/* Fills the error and returns false, for use as `return sb_fail(error, SB_INVALID, "...")`. */
__attribute__((format(printf, 3, 4))) bool sb_fail(sb_error *error, sb_code code, const char *format, ...);

/* Like sb_fail, for a failed system call: appends the text of errno. */
__attribute__((format(printf, 2, 3))) bool sb_fail_errno(sb_error *error, const char *format, ...);

/* Puts `where: ` in front of an error's text; returns false. */
__attribute__((format(printf, 2, 3))) bool sb_fail_at(sb_error *error, const char *format, ...);

/* What an error tells of a path: its end, from the name of a folder on, so that a long one neither loses its last name
 * nor leaves no room for the reason. At most SB_PATH_END bytes of `path`, which it points into. */
enum { SB_PATH_END = 120 };
const char *sb_path_end(const char *path);

#ifdef __clang_analyzer__ /* the analyzer sees one file at a time and cannot know that errors return false */
#define sb_fail(...)       (sb_fail(__VA_ARGS__), false)
#define sb_fail_errno(...) (sb_fail_errno(__VA_ARGS__), false)
#define sb_fail_at(...)    (sb_fail_at(__VA_ARGS__), false)
#endif

/* Whom to tell what a user should know while long work goes on. `text` is a sentence without a full stop. */
typedef void sb_note(void *context, const char *text);

#endif
