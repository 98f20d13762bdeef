#include "datasets/consent.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"

#define FORMAT "seedbed-study"
enum { STUDY_BYTES = 8 << 20 };

/* Gives the path of the study beside a file; false: there is none. */
static bool study_beside(const char *tapes, char *path, size_t capacity) {
    const int folder = (int)(sb_file_name(tapes) - tapes);
    return tapes[0] && strcmp(tapes, "-") != 0 &&
           (size_t)snprintf(path, capacity, "%.*sstudy.json", folder, tapes) < capacity && sb_file_exists(path);
}

/* Whether the document is a study of ours: others may call a file of theirs so. */
static bool is_study(const cJSON *document) {
    const char *format = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(document, "format"));
    return format && strcmp(format, FORMAT) == 0;
}

static bool read_consent(const cJSON *study, sb_out *text, sb_error *error) {
    const char *name, *consent;
    const cJSON *texts;
    if (!sb_json_string(study, "name", &name, error) || !sb_json_object(study, "texts", &texts, error) ||
        !sb_json_string(texts, "consent", &consent, error))
        return false;
    sb_putf(text, "%s: ", name), sb_puts(text, consent), sb_putc(text, '\0');
    return sb_out_ok(text) || sb_fail(error, SB_MEMORY, "out of memory for a study's consent");
}

bool sb_consent_find(const sb_casting *casting, sb_out *text, sb_error *error) {
    const char *tapes = sb_casting_tapes(casting);
    char path[1200];
    sb_out document = sb_out_growing();
    if (!tapes || !study_beside(tapes, path, sizeof path)) return true;
    bool ok = sb_file_load_plain(path, STUDY_BYTES, &document, error);
    if (ok && strstr(document.data, "\"" FORMAT "\"")) {
        cJSON *study = sb_json_parse(document.data, document.size, error);
        ok = study && (!is_study(study) || read_consent(study, text, error));
        cJSON_Delete(study);
    }
    sb_out_free(&document);
    return ok || sb_fail_at(error, "%s", sb_path_end(path));
}
