/* Forgets a participant (collection.h): the files of a folder are written anew without the lines of that person. */
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "evaluation/study/collection.h"
#include "evaluation/study/folder.h"

typedef struct forgetting {
    const char *participant;
    char hex[SB_SHA256_HEX]; /* SHA-256 of the participant's number */
    bool is_gone;            /* the folder says already that the participant was forgotten */
    size_t dropped;
    sb_out left[2]; /* what is left of the tapes, and of what else is known of participants */
} forgetting;

static sb_out *left_of(forgetting *f, sb_folder_file which) { return &f->left[which == SB_FOLDER_PARTICIPANTS]; }

static bool is_of(const char *participant, const char *line, size_t n, sb_error *error) {
    cJSON *object = sb_json_parse(line, n, error);
    const cJSON *person = cJSON_GetObjectItemCaseSensitive(object, "person");
    const char *number = cJSON_GetStringValue(
        cJSON_GetObjectItemCaseSensitive(person ? person : object, "participant"));
    const bool is_it = number && strcmp(number, participant) == 0;
    error->code = object ? SB_OK : error->code;
    cJSON_Delete(object);
    return is_it;
}

static bool pass(void *context, sb_folder_file which, const char *line, size_t n, sb_error *error) {
    forgetting *f = context;
    char hex[SB_SHA256_HEX];
    if (which == SB_FOLDER_PARTICIPANTS && sb_forgotten_read(line, n, hex)) f->is_gone |= strcmp(hex, f->hex) == 0;
    const bool drop = is_of(f->participant, line, n, error);
    if (error->code != SB_OK) return false;
    f->dropped += drop;
    sb_out *left = left_of(f, which);
    if (!drop) sb_put(left, line, n), sb_putc(left, '\n');
    return sb_out_ok(left) || sb_fail(error, SB_MEMORY, "out of memory for what is left");
}

/* Reads a file and finds what is left of it. A missing file is empty. */
static bool sift(forgetting *f, const char *path, sb_folder_file which, sb_error *error) {
    sb_out text = sb_out_growing();
    size_t good;
    bool ok = !sb_file_exists(path) || (sb_file_load_plain(path, SIZE_MAX / 2, &text, error) &&
                                        sb_folder_walk(which, text.data, text.size, pass, f, &good, error));
    sb_out_free(&text);
    return ok;
}

static void put_gone(const forgetting *f, sb_out *out) {
    sb_puts(out, "{");
    sb_member_int(out, "forgotten", 1), sb_member_text(out, "sha256", f->hex);
    sb_puts(out, "}\n");
}

static bool save(const char *path, const sb_lock *lock, const sb_out *left, sb_error *error) {
    return sb_out_ok(left) ? sb_file_save_under(path, lock, left->data, left->size, error)
                           : sb_fail(error, SB_MEMORY, "out of memory for what is left");
}

/* The file of participants is saved first: it says that the participant is gone, so a second call drops the tapes that
 * a failure left. */
static bool forget(forgetting *f, const char *folder, const sb_lock *lock, sb_error *error) {
    char tapes[1200], participants[1200];
    if (!sb_folder_path(folder, SB_FOLDER_TAPES, tapes, sizeof tapes, error) ||
        !sb_folder_path(folder, SB_FOLDER_PARTICIPANTS, participants, sizeof participants, error) ||
        !sift(f, tapes, SB_FOLDER_TAPES, error))
        return false;
    const size_t of_tapes = f->dropped;
    if (!sift(f, participants, SB_FOLDER_PARTICIPANTS, error)) return false;
    const bool adds = f->dropped && !f->is_gone;
    if (adds) put_gone(f, left_of(f, SB_FOLDER_PARTICIPANTS));
    if ((adds || f->dropped > of_tapes) && !save(participants, lock, left_of(f, SB_FOLDER_PARTICIPANTS), error))
        return false;
    return !of_tapes || save(tapes, lock, left_of(f, SB_FOLDER_TAPES), error);
}

static bool check_folder(const char *folder, sb_error *error) {
    char path[1200];
    return sb_folder_path(folder, SB_FOLDER_STUDY, path, sizeof path, error) &&
           (sb_file_exists(path) ||
            sb_fail(error, SB_INVALID, "%s is no folder of plays: it has no study.json", sb_path_end(folder)));
}

bool sb_collection_forget(const char *folder, const char *participant, size_t *lines, bool *lacks_lock,
                          sb_error *error) {
    forgetting f = {.participant = participant, .left = {sb_out_growing(), sb_out_growing()}};
    sb_lock lock = {0};
    *lines = 0;
    if (!sb_is_participant(participant))
        return sb_fail(error, SB_INVALID, "`%.40s` is no participant: 16 hexadecimal digits in lower case",
                       participant);
    sb_sha256_hex(participant, strlen(participant), f.hex);
    const bool ok = check_folder(folder, error) && sb_lock_folder(&lock, folder, error) &&
                    forget(&f, folder, &lock, error);
    *lacks_lock = lock.missing;
    sb_lock_release(&lock);
    sb_out_free(&f.left[0]), sb_out_free(&f.left[1]);
    *lines = f.dropped;
    return ok;
}
