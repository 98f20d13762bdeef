/* Zip archives whose members grow at the same time: data added to a member is deflated at once and kept until the
 * member is written. Archives hold no times and no user names. Sizes always have 64 bits (Zip64), so that there is one
 * way to write them. */
#ifndef SB_BASE_ZIP_H
#define SB_BASE_ZIP_H

#include "base/out.h"

/* A member; zeroed at first. */
typedef struct sb_zip_member {
    void *stream;  /* z_stream */
    sb_out packed; /* the deflated data */
    uint64_t size; /* of the data before compression */
    uint32_t crc;
} sb_zip_member;

/* Level 1 (fast) to 9 (small): the same for all data of a member. */
bool sb_zip_add(sb_zip_member *member, int level, const void *bytes, size_t n, sb_error *error);
void sb_zip_member_free(sb_zip_member *member);

/* The archive; zeroed at first. */
typedef struct sb_zip {
    sb_out directory;
    uint64_t size; /* bytes appended so far */
    size_t n;
} sb_zip;

/* Appends a member to the archive: first `head` (up to 64 KiB, not compressed), which may depend on the data, and then
 * the data that was added. Frees the member. */
bool sb_zip_put(sb_zip *zip, const char *name, const void *head, size_t n_head, sb_zip_member *member, sb_out *out,
                sb_error *error);
/* Appends a member whose bytes are stored as they are, because they are compressed already. */
void sb_zip_store(sb_zip *zip, const char *name, const void *bytes, size_t n, sb_out *out);
/* Appends the archive's directory, which ends the archive. */
bool sb_zip_finish(sb_zip *zip, sb_out *out, sb_error *error);
void sb_zip_free(sb_zip *zip);

#endif
