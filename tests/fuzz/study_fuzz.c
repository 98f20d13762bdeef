/* Takes the input as a study, and as a record that a page sends in a study. A study that can be read has orders of all
 * its episodes, and reads again, from what is kept of it, as the same study. Anything else has an error message. */
#include <stdlib.h>
#include <string.h>

#include "evaluation/study/collection.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char sample[] =
    "{\"format\": \"seedbed-study\", \"version\": 1, \"name\": \"first\", \"packs\": [[\"GoToGoal-v0/easy#0\"]], "
    "\"undo\": true, \"texts\": {\"welcome\": \"a\", \"consent\": \"b\", \"instructions\": \"c\", \"end\": \"d\"}, "
    "\"questions\": [{\"name\": \"n\", \"text\": \"t\", \"kind\": \"number\", \"least\": 0, \"most\": 9, \"after\": "
    "\"each\"}]}";

static void check_order(const sb_study *study, uint64_t place) {
    uint32_t *order = malloc(study->n * sizeof *order);
    bool *seen = calloc(study->n, sizeof *seen);
    sb_error error;
    if (!order || !seen || !sb_study_draw(study, "0123456789abcdef", place, order, &error)) abort();
    for (size_t i = 0; i < study->n; i++) {
        if (order[i] >= study->n || seen[order[i]]) abort();
        seen[order[i]] = true;
    }
    free(order), free(seen);
}

static void check_again(const sb_study *study) {
    sb_study again;
    sb_error error;
    sb_out words = sb_out_growing();
    if (!sb_study_parse(&again, NULL, study->text.data, study->text.size, "", &error)) abort();
    if (strcmp(again.digest, study->digest) != 0 || again.n != study->n || again.played != study->played) abort();
    sb_study_tell(study, &words);
    if (!sb_out_ok(&words)) abort();
    sb_out_free(&words);
    sb_study_free(&again);
}

/* Paths of packs would be files of this machine, so studies with any are left out. */
static bool names_files(const uint8_t *data, size_t size) {
    static const char packs[] = "\"packs\"";
    for (size_t i = 0; i + sizeof packs < size; i++) {
        if (memcmp(data + i, packs, sizeof packs - 1) != 0) continue;
        for (size_t k = i + sizeof packs - 1; k < size && data[k] != ']'; k++)
            if (data[k] == '"') return !memchr(data + i + sizeof packs - 1, '[', k - i - sizeof packs + 1);
    }
    return false;
}

static void try_study(const uint8_t *data, size_t size) {
    sb_study study;
    sb_error error = {0};
    if (names_files(data, size)) return;
    if (sb_study_parse(&study, NULL, (const char *)data, size, "/nowhere", &error)) {
        for (uint64_t place = 0; place < 3; place++) check_order(&study, place);
        check_order(&study, UINT64_MAX);
        check_again(&study);
    } else if (error.code == SB_OK || !error.text[0]) {
        abort();
    }
    sb_study_free(&study);
}

static void try_record(const uint8_t *data, size_t size) {
    sb_study study;
    sb_posted posted;
    sb_error error = {0};
    if (!sb_study_parse(&study, NULL, sample, sizeof sample - 1, "", &error)) abort();
    error = (sb_error){0};
    if (sb_posted_read(&posted, &study, NULL, (const char *)data, size, &error)) {
        if (!sb_is_participant(posted.participant)) abort();
    } else if (error.code == SB_OK || !error.text[0]) {
        abort();
    }
    sb_posted_free(&posted);
    sb_study_free(&study);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    try_study(data, size);
    try_record(data, size);
    return 0;
}
