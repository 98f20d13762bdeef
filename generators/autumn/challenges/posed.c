#include "generators/autumn/challenges/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/lookup.h"

/* ---- Where it comes from ----------------------------------------------------------------------------------------- */

/* The name of the challenge, which is that of the episode without its noise. */
static sb_name name_of(const sb_env *env) {
    sb_name name = env->name;
    const size_t same = SB_AUTUMN_FIRST_SAME - SB_AUTUMN_FIRST_CHALLENGE;
    const size_t variant = sb_autumn_variant_in(env) - (sb_autumn_has_same_noise(sb_autumn_variant_in(env)) ? same : 0);
    snprintf(name.difficulty, sizeof name.difficulty, "%s", sb_autumn_variants[variant]);
    return name;
}

/* A document has two lines: the task and its answer. */
static bool read(const char *text, size_t n, sb_autumn_challenge *challenge, sb_error *error) {
    const char *const end = memchr(text, '\n', n);
    const size_t task = end ? (size_t)(end - text) + 1 : n;
    return sb_autumn_challenge_parse(text, task, text + task, n - task, challenge, error);
}

/* Adds to an error what can be done about it. */
static bool say_what_to_do(sb_error *error) {
    const sb_error why = *error;
    if (why.code != SB_INVALID) return false;
    return sb_fail(error, SB_INVALID, "%.190s; try another seed or level", why.text);
}

/* A challenge that was just derived is written and read, so that it is the one that a pack would hold. */
static bool derive(const sb_env *env, sb_autumn_challenge *challenge, sb_error *error) {
    const sb_autumn_task *task = sb_autumn_task_of(env->task);
    const size_t variant = sb_autumn_variant_in(env);
    sb_autumn_challenge derived = {0};
    sb_out lines = sb_out_growing(), answer = sb_out_growing();
    sb_autumn_study *const study = sb_autumn_study_new(task->info.name, task->text, strlen(task->text), error);
    if (study) sb_autumn_study_watch(study, env->watcher, env->watcher_context);
    bool ok = study && (sb_autumn_derive(study, sb_autumn_kind_of(variant), sb_autumn_level_of(variant), env->name.seed,
                                         &derived, error) ||
                        say_what_to_do(error));
    if (ok) sb_autumn_challenge_put(&derived, &lines, &answer), sb_put(&lines, answer.data, answer.size);
    if (ok && !(sb_out_ok(&lines) && sb_out_ok(&answer)))
        ok = sb_fail(error, SB_MEMORY, "out of memory for a challenge");
    ok = ok && read(lines.data, lines.size, challenge, error);
    sb_autumn_challenge_clear(&derived);
    sb_autumn_study_free(study);
    sb_out_free(&lines), sb_out_free(&answer);
    return ok;
}

/* ---- Whether it fits --------------------------------------------------------------------------------------------- */

static bool fits(const sb_env *env, const sb_autumn_challenge *c, sb_error *error) {
    const sb_autumn_task *task = sb_autumn_task_of(env->task);
    const size_t variant = sb_autumn_variant_in(env);
    char sha256[SB_SHA256_HEX];
    sb_sha256_hex(task->text, strlen(task->text), sha256);
    if (strcmp(c->name.program, env->task->name) != 0 || c->name.kind != sb_autumn_kind_of(variant) ||
        c->name.level != sb_autumn_level_of(variant) || c->name.seed != env->name.seed)
        return sb_fail(error, SB_MISMATCH, "the catalogue holds another challenge under this name");
    if (strcmp(c->sha256, sha256) != 0)
        return sb_fail(error, SB_MISMATCH, "the challenge was derived from another text of %s", task->info.name);
    return c->size == (uint32_t)sb_autumn_side_of(&task->info, 0) ||
           sb_fail(error, SB_MISMATCH, "the challenge has a grid of %u x %u", c->size, c->size);
}

static void frame_mask(sb_autumn_posed *posed) {
    const sb_autumn_challenge *c = &posed->challenge;
    uint32_t right = 0, bottom = 0;
    if (!c->mask) return;
    posed->left = posed->top = c->size;
    for (uint32_t i = 0; i < c->size * c->size; i++) {
        const uint32_t x = i % c->size, y = i / c->size;
        if (!c->mask[i]) continue;
        if (x < posed->left) posed->left = x;
        if (y < posed->top) posed->top = y;
        if (x >= right) right = x + 1;
        if (y >= bottom) bottom = y + 1;
    }
    posed->width = right - posed->left, posed->height = bottom - posed->top;
}

static void discard(sb_autumn_posed *posed) {
    sb_autumn_challenge_clear(&posed->challenge);
    free(posed);
}

sb_autumn_posed *sb_autumn_pose(const sb_env *env, sb_error *error) {
    const sb_name name = name_of(env);
    size_t n;
    const char *document = sb_catalogue_document(env->catalogue, &name, &n);
    sb_autumn_posed *posed = calloc(1, sizeof *posed);
    if (!posed) return sb_fail(error, SB_MEMORY, "out of memory for a challenge"), NULL;
    posed->users = 1;
    const bool made = document ? read(document, n, &posed->challenge, error) : derive(env, &posed->challenge, error);
    if (made && fits(env, &posed->challenge, error)) return frame_mask(posed), posed;
    discard(posed);
    return NULL;
}

sb_autumn_posed *sb_autumn_posed_share(sb_autumn_posed *posed) {
    posed->users++;
    return posed;
}

void sb_autumn_posed_release(sb_autumn_posed *posed) {
    if (posed && --posed->users == 0) discard(posed);
}
