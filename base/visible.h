/* Text that somebody else wrote, on its way to people. Control characters would steer their terminal, marks of writing
 * direction would show words in another order than they stand in, and what has no width would not be seen at all. Here
 * all of these become escapes such as \x1b and \u202e, and bytes that are no UTF-8 become \xff. Nothing else changes,
 * so that what was made visible once stays as it is. */
#ifndef SB_BASE_VISIBLE_H
#define SB_BASE_VISIBLE_H

#include "base/out.h"

/* A text within a line: newlines and tabs become escapes as well. */
void sb_put_visible(sb_out *out, const char *text);
void sb_put_visible_bytes(sb_out *out, const char *text, size_t n);
/* A text of lines that we wrote ourselves: newlines and tabs stay. */
void sb_put_visible_lines(sb_out *out, const char *text, size_t n);

/* As sb_put_visible, into `capacity` bytes (1 or more) with a NUL at the end; cut behind a whole character. Returns
 * `to`. */
char *sb_copy_plain(char *to, size_t capacity, const char *text);

#endif
