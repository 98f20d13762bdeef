/* Makes text from other sources safe to show. Control characters could steer the terminal, direction marks could
 * reorder words, and zero-width characters would be invisible. All of these become escapes such as \x1b and \u202e, and
 * bytes that are not UTF-8 become \xff. Nothing else changes, so applying it twice gives the same text. */
#ifndef SB_BASE_VISIBLE_H
#define SB_BASE_VISIBLE_H

#include "base/out.h"

/* Puts a text within a line: newlines and tabs become escapes too. */
void sb_put_visible(sb_out *out, const char *text);
void sb_put_visible_bytes(sb_out *out, const char *text, size_t n);
/* Puts lines that the program wrote itself: newlines and tabs stay. */
void sb_put_visible_lines(sb_out *out, const char *text, size_t n);

/* Like sb_put_visible, into `capacity` bytes (at least 1) with a NUL at the end; cut after a whole character. Returns
 * `to`. */
char *sb_copy_plain(char *to, size_t capacity, const char *text);

#endif
