#include "rollout/packs.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pool.h"
#include "engine/environment.h"
#include "engine/lookup.h"
#include "rollout/tape.h"

enum { CHUNK = 64 }; /* seeds per item of work, all of one list, so that a worker stays with one task */

typedef struct chunk {
    const sb_seed_list *list;
    size_t first, n;
} chunk;

typedef struct work_list {
    const sb_pack *pack;
    const sb_digesting *how;
    chunk *chunks;
    size_t n, done;
    bool checks; /* true: compares digests; false: fills them in */
} work_list;

static bool has_own_rules(const work_list *w, const sb_seed_list *list) {
    sb_error ignored;
    const sb_family *family = sb_family_find(w->pack->family, &ignored);
    size_t task;
    return family && sb_task_find(w->how->catalogue, family, list->task, &task, &ignored) &&
           sb_task_at(w->how->catalogue, family, task)->rules;
}

static bool cut(work_list *w, sb_error *error) {
    for (size_t i = 0; i < w->pack->n_lists; i++) w->n += (w->pack->lists[i].n + CHUNK - 1) / CHUNK;
    chunk *next = w->chunks = calloc(w->n + 1, sizeof *w->chunks); /* never asks for 0 bytes */
    if (!next) return sb_fail(error, SB_MEMORY, "out of memory for %zu seeds", w->pack->n_seeds);
    for (size_t i = 0; i < w->pack->n_lists; i++) {
        const sb_seed_list *list = &w->pack->lists[i];
        if (w->how->own_rules && !has_own_rules(w, list)) continue;
        for (size_t first = 0; first < list->n; first += CHUNK)
            *next++ = (chunk){list, first, list->n - first < CHUNK ? list->n - first : CHUNK};
    }
    w->n = (size_t)(next - w->chunks);
    return true;
}

static sb_name name_of(const sb_pack *pack, const sb_seed_list *list, size_t index) {
    sb_name name = {.seed = list->seeds[index]};
    strcpy(name.family, pack->family);
    strcpy(name.task, list->task);
    strcpy(name.difficulty, list->difficulty);
    return name;
}

bool sb_digest_start(sb_env *env, const sb_name *name, uint64_t *digest, sb_error *error) {
    uint8_t bytes[32];
    if (!sb_reset_name(env, name, error)) return false;
    env->family->digest(env, bytes);
    *digest = 0;
    for (int i = 0; i < 8; i++) *digest = *digest << 8 | bytes[i];
    return true;
}

static bool digest_of(sb_env *env, const sb_name *name, uint64_t *digest, sb_error *error) {
    if (sb_digest_start(env, name, digest, error)) return true;
    sb_pack_fail_in(name->task, name->difficulty, error);
    return sb_fail_at(error, "seed %llu", (unsigned long long)name->seed);
}

static bool compare(const sb_name *name, uint64_t stated, uint64_t made, sb_error *error) {
    char text[SB_NAME_MAX];
    if (stated == made) return true;
    sb_name_print(name, text, sizeof text);
    return sb_fail(error, SB_MISMATCH,
                   "%s: this installation generates another episode: its digest is %016llx, the pack says %016llx",
                   text, (unsigned long long)made, (unsigned long long)stated);
}

/* Writes digests in place: no two workers share a chunk. */
static bool do_chunk(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    const work_list *w = context;
    const chunk *c = &w->chunks[index];
    sb_env **env = scratch;
    (void)slot;
    if (!*env && !(*env = sb_make(w->how->catalogue, NULL, error))) return false;
    for (size_t i = c->first; i < c->first + c->n; i++) {
        const sb_name name = name_of(w->pack, c->list, i);
        uint64_t digest = 0;
        if (!digest_of(*env, &name, &digest, error)) return false;
        if (w->checks && !compare(&name, c->list->digests[i], digest, error)) return false;
        if (!w->checks) c->list->digests[i] = digest;
    }
    return true;
}

static bool count(void *context, size_t index, void *slot, sb_error *error) {
    work_list *w = context;
    (void)slot, (void)error;
    w->done += w->chunks[index].n;
    if (w->how->progress) w->how->progress(w->how->context, w->done, w->pack->n_seeds);
    return true;
}

static void free_env(void *scratch) {
    sb_env **env = scratch;
    sb_free(*env);
}

static bool run(const sb_pack *pack, const sb_digesting *how, bool checks, sb_error *error) {
    work_list w = {.pack = pack, .how = how, .checks = checks};
    const sb_pool pool = {.workers = how->jobs,
                          .context = &w,
                          .work = do_chunk,
                          .take = count,
                          .stop = how->stop,
                          .slot_size = 1,
                          .scratch_size = sizeof(sb_env *),
                          .free_scratch = free_env};
    const bool ok = cut(&w, error) && sb_pool_run(&pool, w.n, error);
    free(w.chunks);
    return ok;
}

bool sb_pack_make_digests(sb_pack *pack, const sb_digesting *how, sb_error *error) {
    char rules[SB_RULES_NAME];
    const sb_family *family = sb_family_find(pack->family, error);
    if (!family) return false;
    sb_rules_name(family, NULL, rules);
    if (!sb_pack_add_digests(pack, rules, error) || !run(pack, how, false, error)) return false;
    sb_pack_seal(pack);
    return true;
}

bool sb_pack_check_digests(const sb_pack *pack, const sb_digesting *how, sb_error *error) {
    char rules[SB_RULES_NAME];
    const sb_family *family = sb_family_find(pack->family, error);
    if (!family) return false;
    sb_rules_name(family, NULL, rules);
    return sb_rules_agree("the pack with its digests was made", pack->rules, rules, error) &&
           run(pack, how, true, error);
}

bool sb_pack_check_worlds(const sb_catalogue *catalogue, const sb_pack *pack, sb_error *error) {
    const sb_digesting how = {.catalogue = catalogue, .own_rules = true};
    return !*pack->rules || sb_pack_check_digests(pack, &how, error);
}
