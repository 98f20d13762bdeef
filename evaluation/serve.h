/* Serving: lines from one descriptor through a session to another. */
#ifndef SB_SERVE_H
#define SB_SERVE_H

#include "api/seedbed.h"

/* Answers every line of `in` on `out`, in order, until `in` ends or nobody reads `out` any more: both are fine. Replies
 * are written before it waits for more input. A last line without newline counts; of a line that is too long the rest
 * is skipped. Fails if reading or writing fails. The caller ignores SIGPIPE and closes the descriptors. */
bool sb_serve(int in, int out, sb_error *error);

#endif
