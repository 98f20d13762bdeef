/* Writing zip archives whose members grow at the same time: data added to a member is deflated at once and kept until
 * the member is written. Archives hold no times and no user names. Sizes always have 64 bits (Zip64), so that there is
 * one way to write them. */
#ifndef SB_BASE_ZIP_H
#define SB_BASE_ZIP_H

#include "base/out.h"

/* A member; zeroed at first. */
typedef struct sb_zip_member {
    void *stream;  /* z_stream */
    sb_out packed; /* the deflated data */
    uint64_t size; /* bytes of the data before compression */
    uint32_t crc;
} sb_zip_member;

/* Compresses data and adds it to a member. Level 1 (fast) to 9 (small): the same for all data of a member. */
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

/* Reading zip archives: those that are written here, and others whose members are stored or deflated. Nothing in an
 * archive is trusted: numbers that do not fit the file are errors. */

/* An open archive; zeroed at first. */
typedef struct sb_unzip {
    int file;         /* descriptor; valid if `directory` is not empty */
    uint64_t size;    /* bytes of the file */
    sb_out directory; /* bytes of the directory, as they are in the file */
    size_t n, at;     /* number of members; where in the directory the search goes on */
} sb_unzip;

/* A member that is being read. */
typedef struct sb_unzip_member {
    int file;
    uint64_t at, packed; /* where the next packed bytes are, and how many are left */
    uint64_t left;       /* bytes that are still to come, unpacked */
    uint32_t crc, wanted_crc;
    void *stream; /* z_stream; NULL: the member is stored as it is */
    uint8_t ahead[1 << 14];
} sb_unzip_member;

/* Opens an archive and reads its directory. The caller closes it, also after a failure. */
bool sb_unzip_open(sb_unzip *zip, const char *path, sb_error *error);
void sb_unzip_close(sb_unzip *zip);

/* Finds a member by its name and begins to read it. Cheap if members are asked for in their order. False if there is
 * none (then error->code is SB_OK) and on a failure. The caller ends the member. */
bool sb_unzip_begin(sb_unzip *zip, const char *name, sb_unzip_member *member, sb_error *error);
/* Reads up to n bytes; *got is less only at the member's end, where its checksum is compared. */
bool sb_unzip_read(sb_unzip_member *member, void *bytes, size_t n, size_t *got, sb_error *error);
void sb_unzip_end(sb_unzip_member *member);

#endif
