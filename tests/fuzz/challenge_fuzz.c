/* Takes the first line of the input as a challenge and the rest as its answer. What can be read is written to lines
 * that read back to the same, and can be audited. */
#include <stdlib.h>
#include <string.h>

#include "generators/autumn/challenges/challenge.h"
#include "generators/autumn/programs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write(const sb_autumn_challenge *c, sb_out *task, sb_out *answer) {
    sb_autumn_challenge_put(c, task, answer);
    if (!sb_out_ok(task) || !sb_out_ok(answer)) abort();
}

static void audit(const sb_autumn_challenge *c) {
    sb_error error = {0};
    const sb_autumn_task *task = sb_autumn_task_of(sb_autumn_task_at(0));
    sb_autumn_study *study = sb_autumn_study_new(task->info.name, task->text, strlen(task->text), &error);
    sb_autumn_challenge same = *c;
    sb_sha256_hex(task->text, strlen(task->text), same.sha256);
    if (!study) abort();
    if (!sb_autumn_audit(study, &same, &error) && (error.code == SB_OK || !error.text[0])) abort();
    sb_autumn_study_free(study);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *const text = (const char *)data, *const end = size ? memchr(text, '\n', size) : NULL;
    const size_t n = end ? (size_t)(end - text) + 1 : size;
    sb_autumn_challenge c, again;
    sb_error error = {0};
    sb_out task[2] = {sb_out_growing(), sb_out_growing()}, answer[2] = {sb_out_growing(), sb_out_growing()};
    if (sb_autumn_challenge_parse(text, n, text + n, size - n, &c, &error)) {
        write(&c, &task[0], &answer[0]);
        if (!sb_autumn_challenge_parse(task[0].data, task[0].size, answer[0].data, answer[0].size, &again, &error))
            abort();
        write(&again, &task[1], &answer[1]);
        if (answer[0].size != answer[1].size || memcmp(answer[0].data, answer[1].data, answer[0].size) != 0) abort();
        audit(&c);
        sb_autumn_challenge_clear(&again);
    } else if (error.code == SB_OK || !error.text[0]) {
        abort();
    }
    sb_autumn_challenge_clear(&c);
    for (int i = 0; i < 2; i++) sb_out_free(&task[i]), sb_out_free(&answer[i]);
    return 0;
}
