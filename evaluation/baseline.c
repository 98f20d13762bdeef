#include "evaluation/baseline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "engine/lookup.h"
#include "evaluation/shipped.h"

enum { DOCUMENT_BYTES = 16 << 20 };

/* ---- Frozen baselines ---- */

/* Scores made at different times stay comparable only if no byte of a baseline changes, even when experts improve. So a
 * new baseline gets a new number, and the old ones stay. */
typedef struct frozen {
    const unsigned char *text;
    const size_t *size;
    const char *hash;
} frozen;

static const frozen all_frozen[SB_BASELINE_CURRENT] = {
    {sb_shipped_baseline, &sb_shipped_baseline_size,
     "9aa876999859208726c59487c2a8a4fb9a8e96056d6e458fb602f7a77c66022b"},
};

unsigned sb_baseline_frozen(const char *hash) {
    for (unsigned number = 1; number <= SB_BASELINE_CURRENT; number++)
        if (strcmp(all_frozen[number - 1].hash, hash) == 0) return number;
    return 0;
}

void sb_baseline_label(unsigned number, const char *hash, char label[SB_BASELINE_LABEL]) {
    if (number)
        snprintf(label, SB_BASELINE_LABEL, "%u (%.12s)", number, hash);
    else
        snprintf(label, SB_BASELINE_LABEL, "a file's (%.12s)", hash);
}

static bool load_frozen(sb_baseline *baseline, uint64_t number, sb_error *error) {
    if (number < 1 || number > SB_BASELINE_CURRENT)
        return sb_fail(error, SB_UNKNOWN,
                       "there is no baseline %llu, the last one is %d; for a file of that name say ./%llu",
                       (unsigned long long)number, SB_BASELINE_CURRENT, (unsigned long long)number);
    const frozen *f = &all_frozen[number - 1];
    if (!sb_baseline_parse(baseline, (const char *)f->text, *f->size, error)) return false;
    return baseline->frozen == number ||
           sb_fail(error, SB_MISMATCH,
                   "baseline %llu is frozen, but this program was built with other bytes: %.12s instead of %.12s; "
                   "restore the file, and give a new baseline a new number",
                   (unsigned long long)number, baseline->hash, f->hash);
}

void sb_baseline_free(sb_baseline *baseline) {
    free(baseline->entries);
    *baseline = (sb_baseline){0};
}

/* ---- Reading ---- */

static bool read_entry(const cJSON *object, sb_baseline_entry *e, sb_error *error) {
    static const char *const keys[] = {"task", "difficulty", "random", "optimal", NULL};
    if (!sb_json_known_keys(object, keys, error)) return false;
    if (cJSON_GetObjectItemCaseSensitive(object, "difficulty") &&
        !sb_json_text(object, "difficulty", e->difficulty, sizeof e->difficulty, error))
        return false;
    return sb_json_text(object, "task", e->task, sizeof e->task, error) &&
           sb_json_double(object, "random", &e->bounds.random, error) &&
           sb_json_double(object, "optimal", &e->bounds.optimal, error);
}

static bool read_family(const cJSON *object, sb_baseline *baseline, sb_error *error) {
    static const char *const keys[] = {"name", "rules", "random", "optimal", "pairs", NULL};
    const cJSON *pairs, *pair;
    sb_baseline_entry entry = {0};
    if (!sb_json_known_keys(object, keys, error) ||
        !sb_json_text(object, "name", entry.family, sizeof entry.family, error) ||
        !sb_json_text(object, "rules", entry.rules, sizeof entry.rules, error) ||
        !sb_json_array(object, "pairs", &pairs, error))
        return false;
    const size_t more = (size_t)cJSON_GetArraySize(pairs);
    sb_baseline_entry *entries = realloc(baseline->entries, (baseline->n + more + 1) * sizeof *entries);
    if (!entries) return sb_fail(error, SB_MEMORY, "out of memory for %zu baselines", more);
    baseline->entries = entries;
    cJSON_ArrayForEach(pair, pairs) {
        entries[baseline->n] = entry;
        if (!read_entry(pair, &entries[baseline->n], error)) return sb_fail_at(error, "pair %zu", baseline->n + 1);
        baseline->n++;
    }
    return true;
}

static bool read_document(const cJSON *object, sb_baseline *baseline, sb_error *error) {
    static const char *const keys[] = {"format", "version", "families", NULL};
    const char *format;
    uint64_t version;
    const cJSON *families, *family;
    if (!sb_json_string(object, "format", &format, error)) return false;
    if (strcmp(format, SB_BASELINE_FORMAT) != 0)
        return sb_fail(error, SB_INVALID, "this is no baseline: its format is `%.40s`, not `%s`", format,
                       SB_BASELINE_FORMAT);
    if (!sb_json_uint(object, "version", &version, error)) return false;
    if (version != SB_BASELINE_VERSION)
        return sb_fail(error, SB_VERSION_OTHER, "the baseline has version %llu, but this program reads version %d",
                       (unsigned long long)version, SB_BASELINE_VERSION);
    if (!sb_json_known_keys(object, keys, error) || !sb_json_array(object, "families", &families, error)) return false;
    cJSON_ArrayForEach(family, families) {
        if (!read_family(family, baseline, error)) return false;
    }
    return true;
}

bool sb_baseline_parse(sb_baseline *baseline, const char *text, size_t n, sb_error *error) {
    *baseline = (sb_baseline){0};
    cJSON *document = sb_json_parse(text, n, error);
    if (!document) return false;
    const bool ok = read_document(document, baseline, error);
    cJSON_Delete(document);
    sb_sha256_hex(text, n, baseline->hash);
    baseline->frozen = sb_baseline_frozen(baseline->hash);
    return ok;
}

bool sb_baseline_load_file(sb_baseline *baseline, const char *path, sb_error *error) {
    sb_out text = sb_out_growing();
    *baseline = (sb_baseline){0};
    bool ok = sb_file_load(path, DOCUMENT_BYTES, &text, error);
    ok = ok && (sb_baseline_parse(baseline, text.data, text.size, error) || sb_fail_at(error, "%s", sb_path_end(path)));
    sb_out_free(&text);
    return ok;
}

bool sb_baseline_load(sb_baseline *baseline, const char *which, sb_error *error) {
    uint64_t number = SB_BASELINE_CURRENT;
    *baseline = (sb_baseline){0};
    if (which && !sb_parse_uint(which, &number)) return sb_baseline_load_file(baseline, which, error);
    return load_frozen(baseline, number, error);
}

const sb_bounds *sb_baseline_find(const sb_baseline *baseline, const sb_family *family, const char *task,
                                  const char *difficulty) {
    char rules[SB_RULES_NAME];
    sb_rules_name(family, NULL, rules);
    for (size_t i = 0; i < baseline->n; i++) {
        const sb_baseline_entry *e = &baseline->entries[i];
        if (strcmp(e->family, family->name) == 0 && strcmp(e->task, task) == 0 &&
            strcmp(e->difficulty, difficulty) == 0 && strcmp(e->rules, rules) == 0)
            return &e->bounds;
    }
    return NULL;
}

/* ---- Making ---- */

/* Progress over both agents' episodes. */
typedef struct making {
    void (*progress)(void *, size_t, size_t);
    void *context;
    size_t before, total;
} making;

static void pass_on(void *context, size_t done, size_t total) {
    (void)total;
    const making *m = context;
    m->progress(m->context, m->before + done, m->total);
}

/* Leaves out the episodes of tasks that have no expert. */
static void keep_solved(sb_selection *selection) {
    size_t kept = 0;
    for (size_t i = 0; i < selection->n; i++) {
        sb_name name;
        sb_selection_name(selection, i, &name);
        if (sb_oracle_find(name.family, name.task, "expert")) selection->episodes[kept++] = selection->episodes[i];
    }
    selection->n = kept;
}

static bool play_all(const sb_selection *selection, const char *spec, size_t jobs, making *m, sb_results *results,
                     sb_error *error) {
    const sb_agent_options options = {.spec = spec};
    sb_agent agent;
    if (!sb_agent_open(&agent, &options, selection, error)) return false;
    const sb_evaluation evaluation = {
        .selection = selection, .agent = &agent, .jobs = jobs, .progress = m->progress ? pass_on : NULL, .context = m};
    const bool ok = sb_evaluate(&evaluation, results, error);
    sb_agent_close(&agent);
    m->before += selection->n;
    return ok;
}

static bool is_of(const sb_results *results, size_t at, const sb_name *pair) {
    return at < results->n && sb_same_pair(&results->episodes[at].tape.name, pair);
}

/* If the `count` episodes from *at on are the pair's, stores their mean return and moves *at behind them. */
static void take_mean(const sb_results *results, size_t *at, size_t count, const sb_name *pair, double *mean) {
    double returns[SB_BASELINE_RANDOM];
    if (!is_of(results, *at, pair)) return;
    for (size_t i = 0; i < count; i++) returns[i] = results->episodes[*at + i].tape.outcome.total;
    *mean = sb_mean(returns, count);
    *at += count;
}

static void put_protocol(sb_out *out, const char *key, const char *agent, int episodes) {
    sb_put_key(out, key);
    sb_puts(out, "{");
    sb_member_text(out, "agent", agent);
    sb_member_int(out, "episodes", episodes);
    sb_member_int(out, "first_seed", 0);
    sb_puts(out, "}");
}

static void put_pair(const sb_name *pair, const sb_bounds *bounds, sb_out *out) {
    sb_puts(out, "{");
    sb_member_text(out, "task", pair->task);
    if (pair->difficulty[0]) sb_member_text(out, "difficulty", pair->difficulty);
    sb_member_double(out, "random", bounds->random);
    sb_member_double(out, "optimal", bounds->optimal);
    sb_puts(out, "}");
}

/* Writes what was played of one family, from *i and *j on, and moves both behind it. */
static void put_family(const sb_family *family, const sb_results *random, size_t *i, const sb_results *optimal,
                       size_t *j, sb_out *out) {
    char rules[SB_RULES_NAME];
    const char *between = "";
    sb_rules_name(family, NULL, rules);
    sb_puts(out, "{");
    sb_member_text(out, "name", family->name);
    sb_member_text(out, "rules", rules);
    put_protocol(out, "random", "random", SB_BASELINE_RANDOM);
    put_protocol(out, "optimal", "expert", SB_BASELINE_OPTIMAL);
    sb_puts(out, ", \"pairs\": [\n");
    while (*i < random->n && strcmp(random->episodes[*i].tape.name.family, family->name) == 0) {
        const sb_name *pair = &random->episodes[*i].tape.name;
        sb_bounds bounds = {0};
        take_mean(random, i, SB_BASELINE_RANDOM, pair, &bounds.random);
        bounds.optimal = 10 * bounds.random;
        take_mean(optimal, j, SB_BASELINE_OPTIMAL, pair, &bounds.optimal);
        sb_puts(out, between);
        put_pair(pair, &bounds, out);
        between = ",\n";
    }
    sb_puts(out, "]}");
}

static void put_document(const sb_results *random, const sb_results *optimal, sb_out *out) {
    const char *between = "";
    size_t i = 0, j = 0;
    sb_putf(out, "{\"format\": \"%s\", \"version\": %d, \"families\": [\n", SB_BASELINE_FORMAT, SB_BASELINE_VERSION);
    for (const sb_family *const *family = sb_families; *family; family++) {
        if (!sb_has_family(random, *family)) continue;
        sb_puts(out, between);
        put_family(*family, random, &i, optimal, &j, out);
        between = ",\n";
    }
    sb_puts(out, "]}\n");
}

/* Selects seeds 0..count-1 of what the request selects; an empty request means every family. */
static bool select_seeds(const sb_request *request, int count, sb_selection *selection, sb_error *error) {
    sb_request seeded = *request;
    char seeds[24];
    size_t capacity = 0;
    snprintf(seeds, sizeof seeds, "0..%d", count - 1);
    seeded.seeds = seeds;
    if (!sb_request_is_empty(request)) return sb_select(&seeded, selection, error);
    bool ok = true;
    for (const sb_family *const *family = sb_families; ok && *family; family++) {
        sb_selection part = {0};
        seeded.family = (*family)->name;
        ok = sb_select(&seeded, &part, error);
        for (size_t i = 0; ok && i < part.n; i++) {
            const sb_resolved of = sb_selection_at(&part, i);
            ok = sb_selection_add(selection, &of, part.episodes[i].seed, &capacity, error);
        }
        sb_selection_free(&part);
    }
    return ok;
}

bool sb_baseline_make(const sb_request *request, size_t jobs, void (*progress)(void *, size_t, size_t), void *context,
                      sb_out *document, sb_error *error) {
    sb_selection randoms = {.catalogue = request->catalogue}, optimals = {.catalogue = request->catalogue};
    sb_results random = {0}, optimal = {0};
    bool ok = select_seeds(request, SB_BASELINE_RANDOM, &randoms, error) &&
              select_seeds(request, SB_BASELINE_OPTIMAL, &optimals, error);
    if (ok) keep_solved(&optimals);
    making m = {progress, context, 0, randoms.n + optimals.n};
    ok = ok && play_all(&randoms, "random", jobs, &m, &random, error) &&
         play_all(&optimals, "expert", jobs, &m, &optimal, error);
    if (ok) put_document(&random, &optimal, document);
    sb_results_free(&random), sb_results_free(&optimal);
    sb_selection_free(&randoms), sb_selection_free(&optimals);
    return ok;
}
