#include "generators/autumn/challenge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "generators/autumn/study.h"

const char *const sb_autumn_challenge_names[SB_AUTUMN_N_CHALLENGES] = {"mfp", "planning", "change"};
const char *const sb_autumn_proof_letters = "DET";
const char *const sb_autumn_guard_names[SB_AUTUMN_N_GUARDS] = {"handler", "variable", "clicks", "steps"};
const char *const sb_autumn_cause_names[SB_AUTUMN_N_CAUSES + 1] = {"answer", "stay",   "missed",   "other",  "shift",
                                                                   "rule",   "mirror", "recolour", "course", NULL};

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

typedef sb_autumn_try attempt(sb_autumn_study *s, sb_autumn_challenge *c, sb_rng *rng, const char **why);

static bool is_suitable(const sb_autumn_study *s, sb_error *error) {
    enum { FEWEST_FRAMES = 4 };
    if (s->n_frames >= FEWEST_FRAMES) return true;
    return sb_fail(error, SB_INVALID, "%s: only %u different frames were reached, challenges need %d", s->name,
                   s->n_frames, FEWEST_FRAMES);
}

bool sb_autumn_derive(sb_autumn_study *s, sb_autumn_challenge_kind kind, uint32_t level, uint64_t seed,
                      sb_autumn_challenge *c, sb_error *error) {
    static attempt *const attempts[] = {sb_autumn_try_mfp, sb_autumn_try_planning, sb_autumn_try_change};
    const char *why = "no attempt was made";
    sb_autumn_try result = SB_AUTUMN_AGAIN;
    *c = (sb_autumn_challenge){0};
    if (!sb_autumn_study_start(s, seed, error)) return false;
    if (!sb_autumn_study_explore(s)) return sb_fail(error, SB_MEMORY, "out of memory for challenges of %s", s->name);
    if (!is_suitable(s, error)) return false;
    s->unknown = s->effort = 0;
    for (uint32_t k = 0; k < SB_AUTUMN_ATTEMPTS && result == SB_AUTUMN_AGAIN; k++) {
        sb_rng rng = sb_autumn_attempt_rng(s, kind, level, seed, k);
        sb_autumn_challenge_clear(c);
        *c = (sb_autumn_challenge){.name = {.kind = kind, .level = level, .seed = seed}, .attempt = k, .size = s->size};
        snprintf(c->name.program, sizeof c->name.program, "%s", s->name);
        memcpy(c->sha256, s->sha256, sizeof c->sha256);
        result = attempts[kind](s, c, &rng, &why);
    }
    if (result == SB_AUTUMN_FOUND) return true;
    if (result == SB_AUTUMN_NO_MEMORY) return sb_fail(error, SB_MEMORY, "out of memory for challenges of %s", s->name);
    return sb_fail(error, SB_INVALID, "autumn:%s/%s-%u#%llu cannot be derived: in the last attempt, %s", s->name,
                   sb_autumn_challenge_names[kind], level, (unsigned long long)seed, why);
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
