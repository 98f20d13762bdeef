#include "generators/autumn/challenges/challenge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "generators/autumn/challenges/study.h"

const char *const sb_autumn_challenge_names[SB_AUTUMN_N_CHALLENGES] = {"mfp", "planning", "change"};
const char *const sb_autumn_proof_letters = "DET";
const char *const sb_autumn_guard_names[SB_AUTUMN_N_GUARDS] = {"handler", "variable", "clicks", "steps"};
const char *const sb_autumn_cause_names[SB_AUTUMN_N_CAUSES + 1] = {"answer", "stay",   "missed",   "other",  "shift",
                                                                   "rule",   "mirror", "recolour", "course", NULL};

const char *const sb_autumn_whys[SB_AUTUMN_N_WHYS] = {
    [SB_AUTUMN_NOT_TRIED] = "no attempt was made",
    [SB_AUTUMN_AT_START] = "the goal holds at the start",
    [SB_AUTUMN_BY_WAITING] = "the goal comes by waiting or by repeating one action",
    [SB_AUTUMN_OTHER_LEVEL] = "the goal can be reached on a way of another level",
    [SB_AUTUMN_NO_STATE] = "no state at this distance was met",
    [SB_AUTUMN_NEEDS_DRAWS] = "the plan does not work with other draws",
    [SB_AUTUMN_OUT_OF_REACH] = "the goal is out of reach after some random actions",
    [SB_AUTUMN_EASY] = "too many random agents reach the goal",
    [SB_AUTUMN_UNKNOWN_ANSWER] = "there are too many draws to enumerate them, and chance may touch the mask",
    [SB_AUTUMN_UNCERTAIN] = "the answer was not certain",
    [SB_AUTUMN_FEW_CONTENTS] = "there were not enough other contents to choose from",
    [SB_AUTUMN_FAILED_STEP] = "a step failed",
    [SB_AUTUMN_NOTHING_MATTERED] = "nothing changed that depends on what was done",
    [SB_AUTUMN_NO_LATENT] = "no hidden variable mattered",
    [SB_AUTUMN_CHANGED_FAILS] = "the changed program fails",
    [SB_AUTUMN_RARELY_ACTS] = "the change does not act, or only rarely",
    [SB_AUTUMN_SEEN_AT_ONCE] = "the change would be seen at once",
    [SB_AUTUMN_HARDLY_SEEN] = "the change can hardly be seen",
    [SB_AUTUMN_UNKNOWN_CHANGE] = "there are too many draws to prove in time that something is impossible",
    [SB_AUTUMN_NO_EXAMPLE] = "the example is none",
    [SB_AUTUMN_NO_RULE] = "the program has no rule that can be changed",
    [SB_AUTUMN_NO_PROGRAM] = "the changed text is no program",
};

void sb_autumn_challenge_put_name(const sb_autumn_challenge_name *name, sb_out *out) {
    sb_putf(out, "autumn:%s/%s-%u#%llu", name->program, sb_autumn_challenge_names[name->kind], name->level,
            (unsigned long long)name->seed);
}

static void clear_parts(sb_autumn_challenge *c) {
    for (uint32_t i = 0; i < c->n_colours; i++) free(c->colours[i]);
    for (uint32_t i = 0; i < c->n_edits; i++) free(c->edits[i].before), free(c->edits[i].after);
    free(c->colours), free(c->actions), free(c->mask), free(c->frames), free(c->options);
}

void sb_autumn_challenge_clear(sb_autumn_challenge *c) {
    clear_parts(c);
    *c = (sb_autumn_challenge){0};
}

enum { FEWEST_FRAMES = 4 };

static bool fail_of_frames(const sb_autumn_study *s, uint32_t n_frames, sb_error *error) {
    return sb_fail(error, SB_INVALID, "%s: only %u different frames were reached, challenges need %d", s->name,
                   n_frames, FEWEST_FRAMES);
}

static bool fail_of_attempts(const sb_autumn_study *s, const sb_autumn_challenge_name *name, sb_autumn_why why,
                             sb_error *error) {
    return sb_fail(error, SB_INVALID, "autumn:%s/%s-%u#%llu cannot be derived: in the last attempt, %s", s->name,
                   sb_autumn_challenge_names[name->kind], name->level, (unsigned long long)name->seed,
                   sb_autumn_whys[why]);
}

sb_autumn_try sb_autumn_attempt(sb_autumn_study *s, const sb_autumn_challenge_name *name, uint32_t number,
                                sb_autumn_challenge *c, sb_autumn_why *why) {
    typedef sb_autumn_try attempt(sb_autumn_study * s, sb_autumn_challenge * c, sb_rng * rng, sb_autumn_why * why);
    static attempt *const attempts[] = {sb_autumn_try_mfp, sb_autumn_try_planning, sb_autumn_try_change};
    sb_rng rng = sb_autumn_attempt_rng(s, name->kind, name->level, name->seed, number);
    *c = (sb_autumn_challenge){.name = *name, .attempt = number, .size = s->size};
    snprintf(c->name.program, sizeof c->name.program, "%s", s->name);
    memcpy(c->sha256, s->sha256, sizeof c->sha256);
    return attempts[name->kind](s, c, &rng, why);
}

bool sb_autumn_derive(sb_autumn_study *s, sb_autumn_challenge_kind kind, uint32_t level, uint64_t seed,
                      sb_autumn_challenge *c, sb_error *error) {
    const sb_autumn_challenge_name name = {.kind = kind, .level = level, .seed = seed};
    sb_autumn_why why = SB_AUTUMN_NOT_TRIED;
    sb_autumn_try result = SB_AUTUMN_AGAIN;
    *c = (sb_autumn_challenge){0};
    if (!sb_autumn_study_start(s, seed, error)) return false;
    if (!sb_autumn_study_explore(s)) return sb_fail(error, SB_MEMORY, "out of memory for challenges of %s", s->name);
    if (s->n_frames < FEWEST_FRAMES) return fail_of_frames(s, s->n_frames, error);
    s->unknown = s->few = s->effort = 0;
    for (uint32_t k = 0; k < SB_AUTUMN_ATTEMPTS && result == SB_AUTUMN_AGAIN; k++) {
        sb_autumn_challenge_clear(c);
        sb_autumn_study_tell(s, "attempts made", k, SB_AUTUMN_ATTEMPTS);
        result = sb_autumn_attempt(s, &name, k, c, &why);
    }
    if (result == SB_AUTUMN_FOUND) return true;
    if (result == SB_AUTUMN_NO_MEMORY) return sb_fail(error, SB_MEMORY, "out of memory for challenges of %s", s->name);
    return fail_of_attempts(s, &name, why, error);
}

bool sb_autumn_may_fail(sb_autumn_study *s, const sb_autumn_challenge_name *name, const char *text) {
    sb_error error;
    if (!sb_autumn_study_start(s, name->seed, &error)) return strcmp(text, error.text) == 0;
    for (uint32_t n = 1; n < FEWEST_FRAMES; n++)
        if (fail_of_frames(s, n, &error), strcmp(text, error.text) == 0) return true;
    for (int why = 0; why < SB_AUTUMN_N_WHYS; why++)
        if (fail_of_attempts(s, name, (sb_autumn_why)why, &error), strcmp(text, error.text) == 0) return true;
    return false;
}

bool sb_autumn_audit(sb_autumn_study *s, const sb_autumn_challenge *c, sb_error *error) {
    typedef bool audit(sb_autumn_study * s, const sb_autumn_challenge *c, sb_error *error);
    static audit *const audits[] = {sb_autumn_audit_mfp, sb_autumn_audit_planning, sb_autumn_audit_change};
    if (strcmp(s->sha256, c->sha256) != 0)
        return sb_fail(error, SB_MISMATCH, "it was derived from another text of %s", s->name);
    if (!sb_autumn_study_start(s, c->name.seed, error)) return false;
    if (c->size != s->size) return sb_fail(error, SB_MISMATCH, "the grid is %u x %u", s->size, s->size);
    return audits[c->name.kind](s, c, error);
}
