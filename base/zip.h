/* Zip archives whose members grow side by side: what is added to one is deflated at once and kept until its turn to be
 * written. No times, no names of users; sizes in 64 bits (Zip64) throughout, so that there is one way to write them. */
#ifndef SB_BASE_ZIP_H
#define SB_BASE_ZIP_H

#include "base/out.h"

/* Starts zeroed. */
typedef struct sb_zip_member {
    void *stream;  /* z_stream */
    sb_out packed; /* what was added, deflated */
    uint64_t size; /* of it, as it was */
    uint32_t crc;
} sb_zip_member;

/* Level 1 (fast) to 9 (small): the same for all that is added to a member. */
bool sb_zip_add(sb_zip_member *member, int level, const void *bytes, size_t n, sb_error *error);
void sb_zip_member_free(sb_zip_member *member);

/* The archive; starts zeroed. */
typedef struct sb_zip {
    sb_out directory;
    uint64_t size; /* of what was appended so far */
    size_t n;
} sb_zip;

/* Appends a member to the archive: `head`, which may be known last and is not compressed (up to 64 KiB), and then all
 * that was added to it. Frees the member. */
bool sb_zip_put(sb_zip *zip, const char *name, const void *head, size_t n_head, sb_zip_member *member, sb_out *out,
                sb_error *error);
/* Appends the archive's directory, which ends it. */
bool sb_zip_finish(sb_zip *zip, sb_out *out, sb_error *error);
void sb_zip_free(sb_zip *zip);

#endif
