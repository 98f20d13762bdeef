/* Takes the input as a zip archive. What can be read of a member does not depend on the sizes of the pieces, is as long
 * as the directory says, and has its checksum. The input itself, in members that are stored and deflated, is read back.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/zip.h"
#include "tests/fuzz/scratch.h"

enum { LIMIT = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static sb_scratch_file file;

/* Those of the corpus, and one that no archive has. */
static const char *const names[] = {"a", "b.txt", "folder/c", "", "nowhere"};
enum { N_NAMES = sizeof names / sizeof *names };

static void remove_file(void) { sb_scratch_remove(&file); }

static void save(const char *bytes, size_t n) { sb_scratch_save(&file, "unzip-fuzz", remove_file, bytes, n); }

static void check_refusal(const sb_error *error) {
    if (error->code == SB_OK || !error->text[0]) abort();
}

/* What became of a member. */
typedef enum outcome { MISSING, REFUSED, CUT /* it is longer than the limit */, WHOLE } outcome;

/* Reads a member into room for LIMIT bytes. */
static outcome read_member(sb_unzip *zip, const char *name, size_t piece, char *to, size_t *n) {
    sb_unzip_member member;
    sb_error error = {0};
    outcome found = WHOLE;
    *n = 0;
    if (!sb_unzip_begin(zip, name, &member, &error)) {
        sb_unzip_end(&member);
        if (error.code == SB_OK) return MISSING;
        return check_refusal(&error), REFUSED;
    }
    const uint64_t wanted = member.left;
    const uint32_t checksum = member.wanted_crc;
    for (size_t got = 1; got && found == WHOLE; *n += got) {
        const size_t most = LIMIT - *n < piece ? LIMIT - *n : piece;
        if (!sb_unzip_read(&member, to + *n, most, &got, &error))
            check_refusal(&error), found = REFUSED, got = 0;
        else if (got > most || (got < most && member.left))
            abort();
        else if (*n + got == LIMIT && member.left)
            found = CUT;
    }
    sb_unzip_end(&member);
    if (found == WHOLE && (*n != wanted || crc32(0, (const Bytef *)to, (unsigned)*n) != checksum)) abort();
    return found;
}

static void check_members(sb_unzip *zip) {
    static char bytes[LIMIT], again[LIMIT];
    for (size_t i = 0; i < N_NAMES; i++) {
        size_t n, m;
        const size_t at = zip->at;
        const outcome found = read_member(zip, names[i], LIMIT, bytes, &n);
        zip->at = at; /* a name may stand in the directory twice */
        if (read_member(zip, names[i], 777, again, &m) != found) abort();
        if (found >= CUT && (n != m || memcmp(bytes, again, n) != 0)) abort();
    }
}

static void check_archive(const char *bytes, size_t n) {
    sb_unzip zip = {0};
    sb_error error = {0};
    save(bytes, n);
    if (sb_unzip_open(&zip, file.path, &error))
        check_members(&zip);
    else
        check_refusal(&error);
    sb_unzip_close(&zip);
}

static void check_round_trip(const char *bytes, size_t n) {
    static char found[LIMIT];
    sb_zip zip = {0};
    sb_zip_member deflated = {0};
    sb_unzip back = {0};
    sb_out archive = sb_out_growing();
    sb_error error;
    sb_zip_store(&zip, names[0], bytes, n, &archive);
    if (!sb_zip_add(&deflated, 1, bytes, n, &error)) abort();
    if (!sb_zip_put(&zip, names[1], "", 0, &deflated, &archive, &error)) abort();
    if (!sb_zip_finish(&zip, &archive, &error)) abort();
    save(archive.data, archive.size);
    if (!sb_unzip_open(&back, file.path, &error)) abort();
    for (size_t i = 0; i < 2; i++) {
        size_t size;
        if (read_member(&back, names[i], LIMIT, found, &size) != WHOLE) abort();
        if (size != n || (n && memcmp(found, bytes, n) != 0)) abort();
    }
    sb_unzip_close(&back);
    sb_zip_free(&zip);
    sb_out_free(&archive);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size >= LIMIT) return 0;
    check_archive((const char *)data, size);
    check_round_trip((const char *)data, size);
    return 0;
}
