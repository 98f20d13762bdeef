/* Takes the input as a tape. A valid tape prints to a line that reads back to the same tape, and its replay ends as the
 * tape says or fails with a message. */
#include <stdlib.h>
#include <string.h>

#include "engine/lookup.h"
#include "rollout/selection.h"
#include "rollout/tape.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool same_outcome(const sb_status *a, const sb_status *b) {
    return a->steps == b->steps && a->total == b->total && a->dense_total == b->dense_total &&
           a->terminated == b->terminated && a->truncated == b->truncated && a->success == b->success;
}

static bool same_person(const sb_person *a, const sb_person *b) {
    return a->known == b->known && strcmp(a->participant, b->participant) == 0 && strcmp(a->study, b->study) == 0 &&
           a->ordinal == b->ordinal && a->attempt == b->attempt && a->hints == b->hints && a->undos == b->undos &&
           a->n_expert == b->n_expert && a->n == b->n &&
           (a->n_expert == 0 || memcmp(a->expert, b->expert, a->n_expert * sizeof *a->expert) == 0) &&
           (a->n == 0 || memcmp(a->milliseconds, b->milliseconds, a->n * sizeof *a->milliseconds) == 0);
}

static bool same_tape(const sb_tape *a, const sb_tape *b) {
    return sb_compare_names(&a->name, &b->name) == 0 && same_outcome(&a->outcome, &b->outcome) && a->n == b->n &&
           (a->n == 0 || memcmp(a->actions, b->actions, a->n * sizeof *a->actions) == 0) &&
           strcmp(a->rules, b->rules) == 0 && strcmp(a->agent, b->agent) == 0 && strcmp(a->digest, b->digest) == 0 &&
           same_person(&a->person, &b->person);
}

static void check_round_trip(const sb_tape *tape) {
    sb_tape again = {0};
    sb_error error;
    sb_out line = sb_out_growing();
    sb_tape_put_line(tape, &line);
    if (!sb_out_ok(&line) || memchr(line.data, '\n', line.size) != line.data + line.size - 1) abort();
    if (!sb_tape_parse(NULL, line.data, line.size, &again, &error) || !same_tape(tape, &again)) abort();
    sb_tape_clear(&again);
    sb_out_free(&line);
}

static void check_replay(const sb_tape *tape) {
    sb_error error = {0};
    sb_env *env = sb_make(NULL, NULL, &error);
    if (!env) return;
    if (sb_tape_replay(tape, env, NULL, NULL, &error)) {
        if (!same_outcome(&tape->outcome, sb_status_of(env))) abort();
    } else if (error.code == SB_OK || !error.text[0]) {
        abort();
    }
    sb_free(env);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_tape tape = {0};
    sb_error error = {0};
    if (sb_tape_parse(NULL, (const char *)data, size, &tape, &error)) {
        check_round_trip(&tape);
        check_replay(&tape);
    } else if (error.code == SB_OK || !error.text[0]) {
        abort();
    }
    sb_tape_clear(&tape);
    return 0;
}
