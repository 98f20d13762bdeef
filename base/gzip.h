/* One gzip member from one block of bytes. Readers of gzip read a file of several members as one stream. The header
 * holds no name, no time and always the same system, so equal bytes give equal members. */
#ifndef SB_BASE_GZIP_H
#define SB_BASE_GZIP_H

#include "base/out.h"

typedef struct sb_gzip {
    void *stream; /* begins with a z_stream; kept between members */
    int level;
} sb_gzip;

/* Appends a member to `out` (growing). Level 1 (fast) to 9 (small). Keeps its memory for the next member. */
bool sb_gzip_member(sb_gzip *gzip, int level, const char *bytes, size_t n, sb_out *out, sb_error *error);
/* Makes a member in parts, for data that should not be in memory as a whole: begin the member, add bytes, end it. Other
 * parts may give other bytes, which unpack to the same. */
bool sb_gzip_begin(sb_gzip *gzip, int level, sb_error *error);
bool sb_gzip_add(sb_gzip *gzip, const char *bytes, size_t n, sb_out *out, sb_error *error);
bool sb_gzip_end(sb_gzip *gzip, sb_out *out, sb_error *error);
void sb_gzip_free(sb_gzip *gzip);

/* Unpacks the first member of these bytes into `out` (growing; appended); `used` receives how many bytes it took. False
 * if they do not begin with a whole and undamaged member. */
bool sb_gzip_unpack(const char *bytes, size_t n, size_t *used, sb_out *out, sb_error *error);

/* Checks that the file consists of whole, undamaged members and nothing else. (zlib's own reader also accepts a file
 * that was never compressed, and ignores bytes after the last member.) Fails with SB_MISMATCH and the place. */
bool sb_gzip_check(const char *path, sb_error *error);

#endif
