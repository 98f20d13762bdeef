#include "evaluation/certificates/choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "evaluation/certificates/certify.h"
#include "rollout/packs.h"
#include "seeds/official.h"

/* Seeds of the list's stream that are looked at for each wanted one, and some more, before there are too few. */
enum { TRIED_PER_SEED = 16, TRIED_MORE = 1000 };

/* The list that is being filled. */
typedef struct choosing {
    const sb_pack_choice *choice;
    sb_env *env;
    sb_seed_list *list;
    sb_selection candidates; /* the seeds of the list's stream */
    size_t next;             /* the first candidate that was not looked at */
    /* starts of the episodes so far, 64 bits of each sb_key; two that agree by chance cost a good seed */
    sb_seed_set starts;
    sb_selection batch; /* candidates that are certified together */
    size_t kept;
    size_t done, total; /* seeds of all lists */
} choosing;

/* ---- Episodes that begin alike ---- */

static bool start_of(choosing *c, const sb_name *name, uint64_t *start, sb_error *error) {
    uint64_t key[2];
    if (!sb_reset_name(c->env, name, error)) return false;
    sb_key(c->env, key);
    *start = key[0];
    return true;
}

static bool add_official_starts(choosing *c, sb_error *error) {
    uint64_t seeds[SB_EVAL_SEEDS], start;
    sb_name name;
    sb_selection_name(&c->candidates, 0, &name);
    sb_derive_seeds(name.task, name.difficulty, "eval", seeds, SB_EVAL_SEEDS);
    for (size_t i = 0; i < SB_EVAL_SEEDS; i++) {
        name.seed = seeds[i];
        if (!start_of(c, &name, &start, error)) return false;
        sb_seed_set_add(&c->starts, start);
    }
    return true;
}

static bool goes_on(const choosing *c, sb_error *error) {
    const sb_stop *stop = c->choice->stop;
    return !sb_is_stopped(stop) || sb_fail(error, SB_INVALID, "stopped");
}

/* Fills the batch with as many candidates as are wanted. */
static bool fill_batch(choosing *c, sb_error *error) {
    c->batch.n = 0;
    while (c->kept + c->batch.n < c->list->n && c->next < c->candidates.n) {
        sb_name name;
        uint64_t start;
        const sb_chosen *candidate = &c->candidates.episodes[c->next];
        if (!goes_on(c, error)) return false;
        sb_selection_name(&c->candidates, c->next++, &name);
        if (c->choice->unique) {
            if (!start_of(c, &name, &start, error)) return false;
            if (!sb_seed_set_add(&c->starts, start)) continue;
        }
        c->batch.episodes[c->batch.n++] = *candidate;
    }
    return true;
}

/* ---- Episodes that can be won ---- */

static void keep(choosing *c, uint64_t seed) {
    c->list->seeds[c->kept++] = seed;
    c->done++;
    if (c->choice->progress) c->choice->progress(c->choice->context, c->done, c->total);
}

/* Certificates come in the batch's order. */
static bool take_certificate(void *context, const sb_certificate *certificate, sb_error *error) {
    (void)error;
    choosing *c = context;
    if (certificate->verdict == SB_CERTIFIED_SOLVED) keep(c, certificate->name.seed);
    return true;
}

static bool keep_good(choosing *c, sb_error *error) {
    const sb_certification certification = {.selection = &c->batch,
                                            .jobs = c->choice->jobs,
                                            .budget = c->choice->budget,
                                            .stop = c->choice->stop,
                                            .take = take_certificate,
                                            .context = c};
    if (c->choice->solvable) return sb_certify(&certification, error);
    for (size_t i = 0; i < c->batch.n; i++) keep(c, c->batch.episodes[i].seed);
    return true;
}

/* ---- Lists ---- */

static bool too_few(const choosing *c, sb_error *error) {
    return sb_fail(error, SB_INVALID, "only %zu of %zu seeds were found among the first %zu of the split: %s%s",
                   c->kept, c->list->n, c->candidates.n, c->kept ? "ask for fewer" : "leave this difficulty out",
                   c->choice->unique ? ", or do not ask for unique ones" : "");
}

static bool fill_list(choosing *c, sb_error *error) {
    c->next = c->kept = 0;
    c->batch = (sb_selection){.catalogue = c->candidates.catalogue};
    c->batch.episodes = malloc(c->list->n * sizeof *c->batch.episodes);
    if (!c->batch.episodes) return sb_fail(error, SB_MEMORY, "out of memory for %zu seeds", c->list->n);
    if (!sb_seed_set_make(&c->starts, SB_EVAL_SEEDS + c->candidates.n, error)) return false;
    bool ok = !c->choice->unique || add_official_starts(c, error);
    while (ok && c->kept < c->list->n)
        ok = fill_batch(c, error) && (c->batch.n || too_few(c, error)) && keep_good(c, error);
    c->list->left_out = c->next - c->kept;
    return ok;
}

static bool choose_list(choosing *c, const char *task, const char *difficulty, sb_error *error) {
    sb_request request = *c->choice->request;
    request.tasks = task, request.category = NULL, request.difficulty = *difficulty ? difficulty : NULL;
    request.count = TRIED_PER_SEED * request.count + TRIED_MORE;
    const bool ok = sb_select(&request, &c->candidates, error) && fill_list(c, error);
    sb_seed_set_free(&c->starts);
    free(c->batch.episodes);
    sb_selection_free(&c->candidates);
    return ok || sb_pack_fail_in(task, difficulty, error);
}

static bool choose_lists(choosing *c, const sb_pack *plain, sb_pack *pack, sb_error *error) {
    for (size_t i = 0; i < plain->n_lists; i++) {
        const sb_seed_list *like = &plain->lists[i];
        c->list = sb_pack_add(pack, like->task, like->difficulty, like->n, error);
        if (!c->list || !choose_list(c, like->task, like->difficulty, error)) return false;
    }
    return sb_pack_finish(pack, error);
}

static bool check_request(const sb_request *request, sb_error *error) {
    if (request->split && !sb_official_length(request->split)) return true;
    return sb_fail(
        error, SB_INVALID,
        "seeds are chosen from a split of your own (--split my-study --count 100): the official lists are as "
        "they are");
}

bool sb_pack_choose(sb_pack *pack, const sb_pack_choice *choice, sb_error *error) {
    char base[sizeof pack->base + 20];
    sb_pack plain = {0};
    *pack = (sb_pack){0};
    /* The plain pack tells which lists there are. */
    if (!check_request(choice->request, error) || !sb_pack_select(&plain, choice->request, error)) return false;
    choosing c = {.choice = choice, .total = plain.n_seeds, .env = sb_make(choice->request->catalogue, NULL, error)};
    snprintf(base, sizeof base, "%s%s%s", plain.base, choice->solvable ? "+solvable" : "",
             choice->unique ? "+unique" : "");
    const bool ok = c.env && sb_pack_begin(pack, plain.family, base, plain.n_lists, error) &&
                    choose_lists(&c, &plain, pack, error);
    if (ok) sb_pack_seal(pack);
    sb_free(c.env);
    sb_pack_clear(&plain);
    return ok;
}
