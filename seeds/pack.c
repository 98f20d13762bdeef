#include "seeds/pack.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "seeds/official.h"

/* ---- Deriving ---------------------------------------------------------------------------------------------------- */

static bool is_among(const char *name, const char *const names[], size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

/* Returns the length of the published list; 0 if none was published with this name. */
static size_t published_length(const sb_pack *pack, const sb_seed_list *list) {
    const bool published = strcmp(pack->family, sb_official_family) == 0 &&
                           is_among(list->task, sb_official_tasks, SB_OFFICIAL_TASKS) &&
                           is_among(list->difficulty, sb_official_difficulties, SB_OFFICIAL_DIFFICULTIES);
    return published ? sb_official_length(pack->base) : 0;
}

/* Draws until the list is full. `barred` holds the seeds that are not allowed; each drawn seed is added. */
static void draw_fresh(sb_seed_list *list, const char *base, const sb_seed_set *official, sb_seed_set *barred) {
    sb_rng stream;
    sb_seed_stream(&stream, list->task, list->difficulty, base);
    list->left_out = 0;
    for (size_t i = 0; i < list->n;) {
        const uint64_t seed = sb_next_seed(&stream);
        if (sb_seed_set_has(official, seed) || !sb_seed_set_add(barred, seed))
            list->left_out++;
        else
            list->seeds[i++] = seed;
    }
}

/* Tasks without published lists have evaluation seeds too: those derived from the base `eval`. */
static void add_own_eval_seeds(const sb_seed_list *list, sb_seed_set *barred) {
    sb_rng stream;
    sb_seed_stream(&stream, list->task, list->difficulty, "eval");
    for (size_t i = 0; i < SB_EVAL_SEEDS; i++) sb_seed_set_add(barred, sb_next_seed(&stream));
}

static bool derive_list(const sb_pack *pack, sb_seed_list *list, const sb_seed_set *official, sb_error *error) {
    sb_seed_set barred;
    if (published_length(pack, list)) {
        sb_derive_seeds(list->task, list->difficulty, pack->base, list->seeds, list->n);
        return true;
    }
    if (!sb_seed_set_make(&barred, SB_EVAL_SEEDS + list->n, error)) return false;
    if (strcmp(pack->base, "eval") != 0) add_own_eval_seeds(list, &barred);
    draw_fresh(list, pack->base, official, &barred);
    sb_seed_set_free(&barred);
    return true;
}

static bool derive_all(sb_pack *pack, const sb_pack_task *tasks, size_t n_tasks, size_t count, sb_error *error) {
    sb_seed_set official;
    if (!sb_official_eval_seeds(&official, error)) return false;
    bool ok = true;
    for (size_t i = 0; ok && i < n_tasks; i++) {
        sb_seed_list *list = sb_pack_add(pack, tasks[i].task, tasks[i].difficulty, count, error);
        ok = list ? derive_list(pack, list, &official, error)
                  : sb_pack_fail_in(tasks[i].task, tasks[i].difficulty, error);
    }
    sb_seed_set_free(&official);
    return ok;
}

bool sb_pack_derive(sb_pack *pack, const char *family, const char *base, const sb_pack_task *tasks, size_t n_tasks,
                    size_t count, sb_error *error) {
    const bool ok = sb_pack_begin(pack, family, base, n_tasks, error) &&
                    derive_all(pack, tasks, n_tasks, count, error) && sb_pack_finish(pack, error);
    if (ok)
        sb_pack_seal(pack);
    else
        sb_pack_clear(pack);
    return ok;
}

bool sb_pack_official(sb_pack *pack, sb_error *error) {
    sb_pack_task tasks[SB_OFFICIAL_TASKS * SB_OFFICIAL_DIFFICULTIES];
    size_t n = 0;
    for (size_t task = 0; task < SB_OFFICIAL_TASKS; task++)
        for (size_t difficulty = 0; difficulty < SB_OFFICIAL_DIFFICULTIES; difficulty++)
            tasks[n++] = (sb_pack_task){sb_official_tasks[task], sb_official_difficulties[difficulty]};
    return sb_pack_derive(pack, sb_official_family, "eval", tasks, n, SB_EVAL_SEEDS, error);
}

/* ---- Verifying --------------------------------------------------------------------------------------------------- */

static bool compare_lists(const sb_seed_list *list, const sb_seed_list *due, const char *base, sb_error *error) {
    for (size_t i = 0; i < list->n; i++)
        if (list->seeds[i] != due->seeds[i])
            return sb_fail(error, SB_MISMATCH, "seed %zu is %llu, but `%s` gives %llu", i + 1,
                           (unsigned long long)list->seeds[i], base, (unsigned long long)due->seeds[i]);
    return list->left_out == due->left_out || sb_fail(error, SB_MISMATCH, "%zu seeds left out, but `%s` leaves out %zu",
                                                      list->left_out, base, due->left_out);
}

/* Checks that the list is what a choice left of the due one, whose last seed was chosen. */
static bool compare_chosen(const sb_seed_list *list, const sb_seed_list *due, const char *base, sb_error *error) {
    size_t at = 0;
    for (size_t i = 0; i < list->n; i++, at++) {
        while (at < due->n && due->seeds[at] != list->seeds[i]) at++;
        if (at == due->n)
            return sb_fail(error, SB_MISMATCH, "seed %zu, %llu, is not where `%s` gives it", i + 1,
                           (unsigned long long)list->seeds[i], base);
    }
    return at == due->n || sb_fail(error, SB_MISMATCH, "%zu seeds left out, but `%s` leaves out %zu", list->left_out,
                                   base, at - list->n);
}

static bool verify_choice(const sb_pack *pack, const sb_seed_list *list, const sb_seed_set *official, sb_error *error) {
    sb_seed_list due = *list;
    const size_t published = published_length(pack, list);
    if (list->left_out > SB_PACK_SEEDS || (published && list->n + list->left_out > published))
        return sb_fail(error, SB_MISMATCH, "%zu seeds cannot have been left out", list->left_out);
    due.n += list->left_out, due.left_out = 0;
    due.seeds = malloc(due.n * sizeof *due.seeds);
    if (!due.seeds) return sb_fail(error, SB_MEMORY, "out of memory for %zu seeds", due.n);
    const bool ok = derive_list(pack, &due, official, error) && compare_chosen(list, &due, pack->base, error);
    free(due.seeds);
    return ok;
}

static bool verify_derivation(const sb_pack *pack, const sb_seed_list *list, const sb_seed_set *official,
                              sb_error *error) {
    sb_seed_list due = *list;
    due.left_out = 0;
    due.seeds = malloc(list->n * sizeof *due.seeds);
    if (!due.seeds) return sb_fail(error, SB_MEMORY, "out of memory for %zu seeds", list->n);
    const bool ok = derive_list(pack, &due, official, error) && compare_lists(list, &due, pack->base, error);
    free(due.seeds);
    return ok;
}

static bool verify_disjoint(const sb_seed_list *list, const sb_seed_set *official, sb_error *error) {
    for (size_t i = 0; i < list->n; i++)
        if (sb_seed_set_has(official, list->seeds[i]))
            return sb_fail(error, SB_MISMATCH, "seed %zu, %llu, is an official evaluation seed", i + 1,
                           (unsigned long long)list->seeds[i]);
    return true;
}

static bool verify_hash(const char *stated, const char *computed, sb_error *error) {
    return strcmp(stated, computed) == 0 ||
           sb_fail(error, SB_MISMATCH, "the hash should be %s, not %s", computed, stated);
}

static bool verify_seeds(const sb_pack *pack, const sb_seed_list *list, const sb_seed_set *official, sb_error *error) {
    if (sb_pack_demands(pack)) return verify_choice(pack, list, official, error);
    return sb_official_length(pack->base) ? verify_derivation(pack, list, official, error)
                                          : verify_disjoint(list, official, error);
}

static bool verify_list(const sb_pack *pack, const sb_seed_list *list, const sb_seed_set *official, sb_error *error) {
    char hash[SB_SHA256_HEX];
    if (!verify_seeds(pack, list, official, error)) return false;
    sb_seed_list_hash(list->seeds, list->n, hash);
    return verify_hash(list->hash, hash, error);
}

bool sb_pack_verify(const sb_pack *pack, sb_error *error) {
    sb_seed_set official;
    char hash[SB_SHA256_HEX];
    bool ok = true;
    if (!sb_official_eval_seeds(&official, error)) return false;
    for (size_t i = 0; ok && i < pack->n_lists; i++) {
        const sb_seed_list *list = &pack->lists[i];
        ok = verify_list(pack, list, &official, error) || sb_pack_fail_in(list->task, list->difficulty, error);
    }
    sb_seed_set_free(&official);
    if (!ok) return false;
    sb_pack_compute_hash(pack, hash);
    return verify_hash(pack->hash, hash, error) || sb_fail_at(error, "the whole pack");
}

/* ---- Building ---------------------------------------------------------------------------------------------------- */

/* Checks and copies a name. Names go into keys, hashes, error messages and file names, so only characters that are safe
 * in all of them are allowed. */
static bool set_name(char *name, size_t size, const char *what, const char *text, sb_error *error) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+";
    const size_t n = strlen(text);
    if (n >= size) return sb_fail(error, SB_INVALID, "%s `%.60s` is longer than %zu bytes", what, text, size - 1);
    if (strcmp(what, "task") == 0 && strchr(text, '/'))
        return sb_fail(error, SB_INVALID,
                       "%s `%s`: a seed pack holds no challenges of worlds; `seedbed challenges` makes packs of them",
                       what, text);
    if (strspn(text, allowed) != n)
        return sb_fail(error, SB_INVALID, "%s `%s` may only have letters, digits, `.`, `_`, `-` and `+`", what, text);
    memcpy(name, text, n + 1);
    return true;
}

static bool set_full_name(char *name, size_t size, const char *what, const char *text, sb_error *error) {
    return *text ? set_name(name, size, what, text, error) : sb_fail(error, SB_INVALID, "%s is empty", what);
}

bool sb_pack_begin(sb_pack *pack, const char *family, const char *base, size_t n_lists, sb_error *error) {
    *pack = (sb_pack){0};
    if (!set_full_name(pack->family, sizeof pack->family, "family", family, error)) return false;
    if (!set_full_name(pack->base, sizeof pack->base, "base", base, error)) return false;
    if (n_lists == 0 || n_lists > SB_PACK_LISTS)
        return sb_fail(error, SB_INVALID, "%zu lists: a pack has 1 to %d", n_lists, SB_PACK_LISTS);
    pack->lists = calloc(n_lists, sizeof *pack->lists);
    return pack->lists || sb_fail(error, SB_MEMORY, "out of memory for %zu lists of seeds", n_lists);
}

static bool set_list(sb_seed_list *list, const char *task, const char *difficulty, sb_error *error) {
    return set_full_name(list->task, sizeof list->task, "task", task, error) &&
           set_name(list->difficulty, sizeof list->difficulty, "variant", difficulty, error);
}

static bool make_room(sb_pack *pack, sb_seed_list *list, size_t n, sb_error *error) {
    const size_t published = published_length(pack, list);
    if (n == 0) return sb_fail(error, SB_INVALID, "a list without seeds");
    if (published && n > published)
        return sb_fail(error, SB_INVALID, "`%s` has %zu seeds, not %zu: take fewer, or a base of your own", pack->base,
                       published, n);
    if (n > SB_PACK_SEEDS - pack->n_seeds)
        return sb_fail(error, SB_INVALID, "more than %d seeds in one pack", SB_PACK_SEEDS);
    list->seeds = malloc(n * sizeof *list->seeds);
    if (!list->seeds) return sb_fail(error, SB_MEMORY, "out of memory for %zu seeds", n);
    list->n = n;
    pack->n_seeds += n;
    return true;
}

sb_seed_list *sb_pack_add(sb_pack *pack, const char *task, const char *difficulty, size_t n, sb_error *error) {
    sb_seed_list *list = &pack->lists[pack->n_lists];
    if (!set_list(list, task, difficulty, error) || !make_room(pack, list, n, error)) return NULL;
    pack->n_lists++;
    return list;
}

static bool no_seed_twice(const sb_seed_list *list, sb_error *error) {
    sb_seed_set seen;
    if (!sb_seed_set_make(&seen, list->n, error)) return false;
    size_t i = 0;
    while (i < list->n && sb_seed_set_add(&seen, list->seeds[i])) i++;
    sb_seed_set_free(&seen);
    if (i == list->n) return true;
    return sb_fail(error, SB_INVALID, "seed %zu: %llu is repeated", i + 1, (unsigned long long)list->seeds[i]);
}

static int by_name(const void *a, const void *b) {
    const sb_seed_list *one = a, *other = b;
    const int order = strcmp(one->task, other->task);
    return order ? order : strcmp(one->difficulty, other->difficulty);
}

static bool no_list_twice(const sb_pack *pack, sb_error *error) {
    for (size_t i = 1; i < pack->n_lists; i++) {
        const sb_seed_list *list = &pack->lists[i];
        if (by_name(list - 1, list) != 0) continue;
        sb_fail(error, SB_INVALID, "this list is repeated");
        return sb_pack_fail_in(list->task, list->difficulty, error);
    }
    return true;
}

bool sb_pack_finish(sb_pack *pack, sb_error *error) {
    for (size_t i = 0; i < pack->n_lists; i++)
        if (!no_seed_twice(&pack->lists[i], error))
            return sb_pack_fail_in(pack->lists[i].task, pack->lists[i].difficulty, error);
    qsort(pack->lists, pack->n_lists, sizeof *pack->lists, by_name);
    return no_list_twice(pack, error);
}

static bool set_rules(sb_pack *pack, const char *rules, sb_error *error) {
    char words[sizeof pack->rules];
    if (strlen(rules) >= sizeof words)
        return sb_fail(error, SB_INVALID, "the name of the rules, `%.60s`, is too long", rules);
    strcpy(words, rules);
    char *space = strchr(words, ' ');
    if (space) *space = '_';
    return set_full_name(pack->rules, sizeof pack->rules, "rules", words, error) && strcpy(pack->rules, rules);
}

bool sb_pack_add_digests(sb_pack *pack, const char *rules, sb_error *error) {
    if (!set_rules(pack, rules, error)) return false;
    for (size_t i = 0; i < pack->n_lists; i++) {
        sb_seed_list *list = &pack->lists[i];
        if (!list->digests) list->digests = calloc(list->n, sizeof *list->digests);
        if (!list->digests) return sb_fail(error, SB_MEMORY, "out of memory for %zu digests", list->n);
    }
    return true;
}

bool sb_pack_fail_in(const char *task, const char *difficulty, sb_error *error) {
    return sb_fail_at(error, "%.40s%s%.16s", task, *difficulty ? "/" : "", difficulty);
}

static void put_digests_hash(const sb_seed_list *list, sb_out *out) {
    char hex[SB_SHA256_HEX], line[24];
    sb_sha256 hash;
    sb_sha256_begin(&hash);
    for (size_t i = 0; i < list->n; i++) {
        sb_out text = sb_out_fixed(line, sizeof line);
        sb_putf(&text, "%016llx\n", (unsigned long long)list->digests[i]);
        sb_sha256_add(&hash, line, text.size);
    }
    sb_sha256_end_hex(&hash, hex);
    sb_putf(out, " %s", hex);
}

static void put_values_hash(const sb_seed_list *list, sb_out *out) {
    char hex[SB_SHA256_HEX];
    sb_seed_list_values_hash(list, hex);
    sb_putf(out, " %s", hex);
}

int sb_pack_version(const sb_pack *pack) {
    return sb_pack_demands(pack) ? SB_PACK_DEMAND : *pack->rules ? SB_PACK_DIGESTS : SB_PACK_VERSION;
}

static void add_demand(const sb_pack_demand *demand, sb_sha256 *hash) {
    sb_out text = sb_out_growing();
    sb_pack_demand_put(demand, &text);
    sb_puts(&text, "\n");
    sb_sha256_add(hash, text.data, text.size);
    sb_out_free(&text);
}

void sb_pack_compute_hash(const sb_pack *pack, char hex[SB_SHA256_HEX]) {
    char text[400]; /* holds the longest line: two names, a count, three hashes */
    const bool digests = *pack->rules, demands = sb_pack_demands(pack);
    sb_sha256 hash;
    sb_out line = sb_out_fixed(text, sizeof text);
    sb_sha256_begin(&hash);
    sb_putf(&line, "%s %d\n%s %s\n", SB_PACK_FORMAT, sb_pack_version(pack), pack->family, pack->base);
    if (digests || demands) sb_putf(&line, "%s\n", pack->rules);
    sb_sha256_add(&hash, text, line.size);
    if (demands) add_demand(&pack->demand, &hash);
    for (size_t i = 0; i < pack->n_lists; i++) {
        const sb_seed_list *list = &pack->lists[i];
        sb_out_clear(&line);
        sb_putf(&line, "%s%s%s %zu %s", list->task, *list->difficulty ? "/" : "", list->difficulty, list->n,
                list->hash);
        if (digests) put_digests_hash(list, &line);
        if (demands) put_values_hash(list, &line);
        sb_putc(&line, '\n');
        sb_sha256_add(&hash, text, line.size);
    }
    sb_sha256_end_hex(&hash, hex);
}

void sb_pack_seal(sb_pack *pack) {
    for (size_t i = 0; i < pack->n_lists; i++)
        sb_seed_list_hash(pack->lists[i].seeds, pack->lists[i].n, pack->lists[i].hash);
    sb_pack_compute_hash(pack, pack->hash);
}

const sb_seed_list *sb_pack_find(const sb_pack *pack, const char *task, const char *difficulty) {
    for (size_t i = 0; i < pack->n_lists; i++)
        if (strcmp(pack->lists[i].task, task) == 0 && strcmp(pack->lists[i].difficulty, difficulty) == 0)
            return &pack->lists[i];
    return NULL;
}

void sb_pack_clear(sb_pack *pack) {
    for (size_t i = 0; i < pack->n_lists; i++) free(pack->lists[i].seeds), free(pack->lists[i].digests);
    sb_pack_demand_clear(pack);
    free(pack->lists);
    *pack = (sb_pack){0};
}
