/* Challenges of Autumn's programs in tests. */
#ifndef SB_TESTS_AUTUMN_CHALLENGE_SUPPORT_H
#define SB_TESTS_AUTUMN_CHALLENGE_SUPPORT_H

#include "tests/autumn_support.h"

#include "generators/autumn/challenges/challenge.h"
#include "generators/autumn/programs.h"

static inline const char *text_of(const char *name) {
    for (size_t i = 0; i < SB_AUTUMN_N_PROGRAMS; i++)
        if (strcmp(sb_autumn_task_at(i)->name, name) == 0) return sb_autumn_task_of(sb_autumn_task_at(i))->text;
    fail_msg("no program %s", name);
    return NULL;
}

static inline sb_autumn_study *study_of(const char *name) {
    sb_error error;
    sb_autumn_study *study = sb_autumn_study_new(name, text_of(name), strlen(text_of(name)), &error);
    if (!study) fail_msg("%s", error.text);
    return study;
}

static inline sb_autumn_challenge derived(sb_autumn_study *study, sb_autumn_challenge_kind kind, uint32_t level,
                                          uint64_t seed) {
    sb_autumn_challenge c;
    sb_error error;
    if (!sb_autumn_derive(study, kind, level, seed, &c, &error)) fail_msg("%s", error.text);
    return c;
}

/* Of this seed, or of the first after it that has one. */
static inline sb_autumn_challenge derived_from(sb_autumn_study *study, sb_autumn_challenge_kind kind, uint32_t level,
                                               uint64_t seed) {
    sb_autumn_challenge c;
    sb_error error;
    for (uint64_t k = 0; k < 10; k++) {
        if (sb_autumn_derive(study, kind, level, seed + k, &c, &error)) return c;
        sb_autumn_challenge_clear(&c);
    }
    fail_msg("%s", error.text);
    return c;
}

#endif
