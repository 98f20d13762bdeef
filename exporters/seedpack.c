/* Format `seedpack`: seed packs with digests (seeds/pack.h) of the episodes, one pack per file. With a pack anybody can
 * make the same episodes, check that they are the same, and check that none of them is an official evaluation
 * episode. */
#include <stdlib.h>

#include "base/error.h"
#include "exporters/exporter.h"
#include "rollout/packs.h"
#include "seeds/official.h"

/* What `rows` writes for an episode; unused bytes are zero. */
typedef struct episode {
    char task[40], difficulty[16];
    uint64_t seed, digest;
} episode;

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "episodes are hashed as they lie in memory");

static bool check_names(const sb_export *export, const sb_seed_set *official, sb_error *error) {
    for (size_t i = 0; i < export->episodes.n; i++)
        if (!sb_seed_set_has(official, export->episodes.episodes[i].seed)) return true;
    return sb_fail(error, SB_INVALID,
                   "format seedpack: all seeds are official evaluation seeds, which a pack of your own may not hold; "
                   "`seedbed seeds` writes the official packs");
}

static bool read(sb_export *export, const cJSON *options, sb_error *error) {
    if (cJSON_HasObjectItem(options, "modes"))
        return sb_fail(error, SB_INVALID, "key `modes`: format seedpack holds seeds, not texts, so leave the key out");
    sb_seed_set *official = export->own = calloc(1, sizeof *official);
    if (!official) return sb_fail(error, SB_MEMORY, "out of memory for seeds");
    return sb_official_eval_seeds(official, error) && check_names(export, official, error);
}

static void free_official(void *own) {
    sb_seed_set_free(own);
    free(own);
}

/* Official evaluation seeds get no row, because other packs may not hold them. */
static bool rows(const sb_rollout *rollout, const sb_export *export, sb_out *out, uint64_t *n_rows, sb_error *error) {
    const sb_name *name = &rollout->tape->name;
    episode e = {.seed = name->seed};
    *n_rows = sb_seed_set_has(export->own, name->seed) ? 0 : 1;
    if (*n_rows == 0) return true;
    if (!sb_digest_start(rollout->env, name, &e.digest, error)) return false;
    memcpy(e.task, name->task, strlen(name->task));
    memcpy(e.difficulty, name->difficulty, strlen(name->difficulty));
    sb_put(out, (const char *)&e, sizeof e);
    return true;
}

/* ---- The pack ---- */

typedef struct writer {
    const sb_export *export;
    sb_out episodes;
} writer;

static bool begin(void *writer_, const sb_export *export, sb_file_place place, sb_out *out, sb_error *error) {
    (void)place, (void)out, (void)error;
    *(writer *)writer_ = (writer){.export = export, .episodes = sb_out_growing()};
    return true;
}

static bool add(void *writer_, const char *bytes, size_t n, uint64_t n_rows, sb_out *out, sb_error *error) {
    (void)n_rows, (void)out;
    writer *w = writer_;
    sb_put(&w->episodes, bytes, n);
    return sb_out_ok(&w->episodes) || sb_fail(error, SB_MEMORY, "out of memory for seeds");
}

static int by_list(const episode *a, const episode *b) {
    const int task = strcmp(a->task, b->task);
    return task ? task : strcmp(a->difficulty, b->difficulty);
}

static int in_order(const void *a_, const void *b_) {
    const episode *a = a_, *b = b_;
    const int list = by_list(a, b);
    return list ? list : (a->seed > b->seed) - (a->seed < b->seed);
}

/* Drops repeated episodes, so that each one is in the pack once. */
static size_t drop_repeated(episode *episodes, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || in_order(&episodes[kept - 1], &episodes[i]) != 0) episodes[kept++] = episodes[i];
    return kept;
}

static size_t length_of_list(const episode *first, const episode *end) {
    const episode *e = first;
    while (e < end && by_list(first, e) == 0) e++;
    return (size_t)(e - first);
}

static size_t count_lists(const episode *e, const episode *end) {
    size_t lists = 0;
    for (; e < end; e += length_of_list(e, end)) lists++;
    return lists;
}

static bool add_lists(sb_pack *pack, const episode *e, const episode *end, sb_error *error) {
    while (e < end) {
        const size_t n = length_of_list(e, end);
        sb_seed_list *list = sb_pack_add(pack, e->task, e->difficulty, n, error);
        if (!list) return false;
        for (size_t i = 0; i < n; i++) list->seeds[i] = (e++)->seed;
    }
    return true;
}

/* Adds the episodes' digests to the lists, which are in the same order as the episodes. */
static bool add_digests(sb_pack *pack, const sb_family *family, const episode *e, sb_error *error) {
    char rules[SB_RULES_NAME];
    sb_rules_name(family, NULL, rules);
    if (!sb_pack_add_digests(pack, rules, error)) return false;
    for (size_t l = 0; l < pack->n_lists; l++) {
        const sb_seed_list *list = &pack->lists[l];
        for (size_t i = 0; i < list->n; i++) list->digests[i] = (e++)->digest;
    }
    return true;
}

static bool finish(void *writer_, sb_out *out, sb_error *error) {
    const writer *w = writer_;
    const sb_family *family = w->export->family;
    episode *episodes = (episode *)(void *)w->episodes.data;
    size_t n = w->episodes.size / sizeof *episodes;
    sb_pack pack = {0};
    if (n == 0) return true; /* filters left nothing, and a pack needs at least one list */
    qsort(episodes, n, sizeof *episodes, in_order);
    n = drop_repeated(episodes, n);
    const bool ok = sb_pack_begin(&pack, family->name, "dataset", count_lists(episodes, episodes + n), error) &&
                    add_lists(&pack, episodes, episodes + n, error) && sb_pack_finish(&pack, error) &&
                    add_digests(&pack, family, episodes, error);
    if (ok) sb_pack_seal(&pack), sb_pack_put(&pack, out);
    sb_pack_clear(&pack);
    return ok;
}

static void end(void *writer_) { sb_out_free(&((writer *)writer_)->episodes); }

extern const sb_exporter sb_seedpack;
const sb_exporter sb_seedpack = {
    .name = "seedpack",
    .suffix = "json",
    .summary = "which episodes there are, as seed packs with digests (see `seedbed seeds --help`)",
    .keeps_failures = true,
    .read = read,
    .free = free_official,
    .rows = rows,
    .writer_size = sizeof(writer),
    .begin = begin,
    .add = add,
    .finish = finish,
    .end = end,
};
