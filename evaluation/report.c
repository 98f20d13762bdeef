#include "evaluation/report.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/utf8.h"
#include "base/word.h"
#include "engine/lookup.h"
#include "evaluation/expert.h"
#include "evaluation/explain/explain.h"

/* ---- Opening ---- */

static bool choose_family(sb_report *r, sb_error *error) {
    r->family = r->options->family;
    if (!r->family) r->family = sb_family_find(r->entries[0].results.episodes[0].tape.name.family, error);
    return r->family;
}

static bool is_part(const char *name, const char *part, size_t n) {
    for (; *name; name++)
        if (strncmp(name, part, n) == 0) return true;
    return false;
}

/* Whether one of the parts, separated by commas, occurs in the name. */
static bool is_wanted(const char *name, const char *parts) {
    while (*parts) {
        const size_t n = strcspn(parts, ",");
        if (n && is_part(name, parts, n)) return true;
        parts += n + (parts[n] == ',');
    }
    return false;
}

static bool load_published(sb_report *r, sb_error *error) {
    const char *wanted = r->options->published ? r->options->published : "none";
    size_t kept = 0;
    if (!sb_published_load(&r->published, r->family, error)) return false;
    if (strcmp(wanted, "all") == 0) return true;
    for (size_t i = 0; i < r->published.n && strcmp(wanted, "none") != 0; i++)
        if (is_wanted(r->published.agents[i].name, wanted)) r->published.agents[kept++] = r->published.agents[i];
    r->published.n = kept;
    return kept || strcmp(wanted, "none") == 0 ||
           sb_fail(error, SB_UNKNOWN, "published: no agent has `%.60s` in its name", wanted);
}

static bool load_entry(sb_report *r, const char *path, sb_error *error) {
    const sb_json_part *text = r->options->texts ? &r->options->texts[r->n] : NULL;
    sb_report_entry *entry = &r->entries[r->n];
    *entry = (sb_report_entry){0};
    r->n++;
    if (!text) return sb_result_load(r->options->catalogue, path, &entry->results, error);
    return sb_result_parse(r->options->catalogue, text->at, text->n, &entry->results, error) ||
           sb_fail_at(error, "%s", sb_path_end(path));
}

static bool load_expert(sb_report *r, sb_error *error) {
    const char *path = r->options->expert;
    sb_expert expert = {0};
    if (!path) return true;
    bool ok = sb_result_load(r->options->catalogue, path, &r->expert, error) &&
              sb_expert_open(&expert, &r->expert, error);
    for (size_t i = 0; i < r->n && ok; i++) ok = sb_expert_covers(&expert, &r->entries[i].results, r->family, error);
    sb_expert_close(&expert);
    return ok || sb_fail_at(error, "%s", sb_path_end(path));
}

static bool summarise(sb_report *r, const char *const *paths, sb_error *error) {
    for (size_t i = 0; i < r->n; i++) {
        sb_report_entry *entry = &r->entries[i];
        if (!sb_has_family(&entry->results, r->family))
            return sb_fail(error, SB_INVALID, "%s holds no episode of the family %s", sb_path_end(paths[i]),
                           r->family->name);
        if (!sb_summarise(&entry->results, r->family, &r->baseline, &entry->summary, error)) return false;
    }
    return true;
}

/* Checks the results. Episodes are replayed only on request, because that takes long. */
static bool check(sb_report *r, const char *const *paths, sb_error *error) {
    const sb_result_checking how = {.replay = r->options->verify, .baseline = &r->baseline};
    for (size_t i = 0; i < r->n; i++)
        if (!sb_result_check(&r->entries[i].results, &how, &r->entries[i].checked, error))
            return sb_fail_at(error, "%s", sb_path_end(paths[i]));
    return true;
}

/* ---- Beside people ---- */

/* Scores games by people's baselines. Where their plays are too few, an episode has no score. */
static void rebase(sb_report *r, sb_results *results) {
    for (size_t i = 0; i < results->n; i++) {
        sb_tape *tape = &results->episodes[i].tape;
        if (!tape->effort.n_levels || sb_humans_rebase(sb_humans_find(&r->humans, &tape->name), &tape->effort))
            continue;
        tape->effort = (sb_effort){0};
        r->unscored++;
    }
}

/* Loads what people did, after the results were checked against what they say themselves. */
static bool load_humans(sb_report *r, sb_error *error) {
    if (!r->options->humans) return true;
    if (!sb_humans_load(&r->humans, r->options->catalogue, r->options->humans, error)) return false;
    for (size_t i = 0; i < r->n; i++) rebase(r, &r->entries[i].results);
    return true;
}

const char *sb_report_efficiency_name(const sb_report *r) {
    if (!r->family->efficiency) return NULL;
    return r->options->humans ? "rhae" : r->family->efficiency->score;
}

/* ---- Which episodes ---- */

static int by_name(const void *a, const void *b) {
    return sb_compare_names(*(const sb_name *const *)a, *(const sb_name *const *)b);
}

/* Returns the sorted names of the family's episodes, which the caller frees; NULL after an error. */
static const sb_name **sorted_names(const sb_results *results, const sb_family *family, size_t *n, sb_error *error) {
    const sb_name **names = malloc((results->n + 1) * sizeof *names);
    *n = 0;
    if (!names) return sb_fail(error, SB_MEMORY, "out of memory for %zu names", results->n), NULL;
    for (size_t i = 0; i < results->n; i++) {
        const sb_name *name = &results->episodes[i].tape.name;
        if (strcmp(name->family, family->name) == 0) names[(*n)++] = name;
    }
    qsort((void *)names, *n, sizeof *names, by_name);
    return names;
}

/* Sets r->differ if two results do not have the same episodes; their order does not matter. */
static bool compare_episodes(sb_report *r, const sb_results *one, const sb_results *other, sb_error *error) {
    size_t n, n_other;
    const sb_name **names = sorted_names(one, r->family, &n, error);
    const sb_name **others = names ? sorted_names(other, r->family, &n_other, error) : NULL;
    if (others) r->differ |= n != n_other;
    for (size_t i = 0; others && !r->differ && i < n; i++) r->differ = sb_compare_names(names[i], others[i]) != 0;
    const bool ok = others;
    free((void *)names);
    free((void *)others);
    return ok;
}

static bool compare(sb_report *r, sb_error *error) {
    for (size_t i = 1; i < r->n && !r->differ; i++)
        if (!compare_episodes(r, &r->entries[0].results, &r->entries[i].results, error)) return false;
    return true;
}

/* ---- Telling results of one name apart ---- */

enum { FILE_SHOWN = 40 /* bytes of a file's name, in a label that would be too long otherwise */ };

/* How many bytes at the beginning of the file's name are the same for all results of that agent's name. What is left
 * begins with a whole word. */
static size_t shared_start(const sb_report *r, const char *const *paths, size_t i) {
    const char *name = sb_file_name(paths[i]);
    const size_t length = strlen(name);
    size_t n = length;
    for (size_t k = 0; k < r->n; k++) {
        const char *other = sb_file_name(paths[k]);
        size_t same = 0;
        if (strcmp(r->entries[k].label, r->entries[i].label) != 0) continue;
        while (same < n && name[same] == other[same]) same++;
        n = same;
    }
    if (n == length) return 0;
    while (n && isalnum((unsigned char)name[n - 1])) n--;
    return n;
}

/* Copies the text, or both its ends if it is longer than `room`. */
static void copy_ends(char to[SB_AGENT_LABEL], const char *text, size_t room) {
    static const char gap[] = "...";
    const size_t n = strlen(text), shown = room - strlen(gap);
    size_t head = shown - shown / 2, tail = n - shown / 2;
    if (n <= room) {
        strcpy(to, text);
        return;
    }
    while (head && sb_is_continuation(text[head])) head--;
    while (sb_is_continuation(text[tail])) tail++;
    snprintf(to, SB_AGENT_LABEL, "%.*s%s%s", (int)head, text, gap, text + tail);
}

/* Calls the agent `NAME (FILE)`. Where that is too long, only what its namesakes' files do not begin with is said of
 * the file, and only the ends of the agent's name. A number above 1 is added. */
static void add_file_name(sb_report_entry *entry, const char *file, size_t shared, size_t number) {
    enum { WIDE = 80 }; /* as wide as tables should be for names that are not wider themselves */
    const size_t most = (strlen(entry->label) < WIDE ? WIDE : SB_AGENT_LABEL) - 1;
    char words[24] = "", plain[300], ends[SB_AGENT_LABEL], name[SB_AGENT_LABEL];
    char all[sizeof name + sizeof ends + sizeof words + 3]; /* never filled: gcc does not know what `most` means */
    if (number > 1) snprintf(words, sizeof words, ", %zu", number);
    sb_copy_plain(plain, sizeof plain, file);
    size_t beside = strlen(" ()") + strlen(words);
    if (strlen(entry->label) + beside + strlen(plain) > most) {
        sb_copy_plain(plain, sizeof plain, file + shared);
        if (sb_ends_with(plain, ".json")) plain[strlen(plain) - strlen(".json")] = '\0';
    }
    copy_ends(ends, plain, FILE_SHOWN);
    beside += strlen(ends);
    copy_ends(name, entry->label, most - beside);
    snprintf(all, sizeof all, "%s (%s%s)", name, ends, words);
    sb_copy_plain(entry->results.agent, sizeof entry->results.agent, all);
}

/* Whether another result is called the same already. */
static bool is_taken(const sb_report *r, size_t i) {
    for (size_t k = 0; k < r->n; k++)
        if (k != i && (k < i || !r->entries[k].namesake) &&
            strcmp(r->entries[k].results.agent, r->entries[i].results.agent) == 0)
            return true;
    return false;
}

static void name_after_file(sb_report *r, const char *const *paths, size_t i) {
    const size_t shared = shared_start(r, paths, i);
    size_t number = 1;
    do add_file_name(&r->entries[i], sb_file_name(paths[i]), shared, number);
    while (number++ <= r->n && is_taken(r, i));
}

static bool have_other_salts(const sb_results *one, const sb_results *other) {
    return *one->salt && *other->salt && strcmp(one->salt, other->salt) != 0;
}

static void tell_apart(sb_report *r, const char *const *paths) {
    for (size_t i = 0; i < r->n; i++) strcpy(r->entries[i].label, r->entries[i].results.agent);
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(r->entries[i].results.agent, r->entries[k].results.agent) == 0) {
                r->entries[i].namesake = r->entries[k].namesake = true;
                r->salts_differ |= have_other_salts(&r->entries[i].results, &r->entries[k].results);
            }
    for (size_t i = 0; i < r->n; i++)
        if (r->entries[i].namesake) name_after_file(r, paths, i);
}

/* ---- The report ---- */

static bool explain(sb_report *r, sb_error *error) {
    if (!r->options->atlas) return true;
    const sb_results **results = malloc(r->n * sizeof *results);
    r->explanation = calloc(1, sizeof *r->explanation);
    bool ok = (results && r->explanation) || sb_fail(error, SB_MEMORY, "out of memory for %zu results", r->n);
    for (size_t i = 0; ok && i < r->n; i++) results[i] = &r->entries[i].results;
    ok = ok && sb_explain(r->options->atlas, r->options->catalogue, r->family, results, r->n, r->explanation, error);
    free((void *)results);
    return ok;
}

bool sb_report_open(sb_report *r, const sb_report_options *options, const char *const *paths, size_t n,
                    sb_error *error) {
    *r = (sb_report){.options = options, .entries = calloc(n + 1, sizeof *r->entries)};
    if (!r->entries) return sb_fail(error, SB_MEMORY, "out of memory for %zu results", n);
    for (size_t i = 0; i < n; i++)
        if (!load_entry(r, paths[i], error)) return false;
    tell_apart(r, paths);
    return choose_family(r, error) && sb_baseline_load(&r->baseline, options->baseline, error) &&
           load_published(r, error) && check(r, paths, error) && load_humans(r, error) && summarise(r, paths, error) &&
           compare(r, error) && load_expert(r, error) && explain(r, error);
}

bool sb_report_all_right(const sb_report *r) {
    bool right = true;
    for (size_t i = 0; i < r->n; i++) right &= r->entries[i].checked.standing == SB_RESULT_RIGHT;
    return right;
}

void sb_report_close(sb_report *r) {
    for (size_t i = 0; i < r->n; i++) {
        sb_results_free(&r->entries[i].results);
        sb_summary_free(&r->entries[i].summary);
    }
    free(r->entries);
    if (r->explanation) sb_explanation_free(r->explanation);
    free(r->explanation);
    sb_results_free(&r->expert);
    sb_humans_free(&r->humans);
    sb_baseline_free(&r->baseline);
    sb_published_free(&r->published);
    *r = (sb_report){0};
}

size_t sb_report_categories(const sb_catalogue *catalogue, const sb_family *family,
                            const char *categories[SB_CATEGORIES]) {
    const sb_task_info *task;
    size_t n = 0;
    for (size_t i = 0; n < SB_CATEGORIES && (task = sb_task_at(catalogue, family, i)); i++) {
        bool known = false;
        for (size_t k = 0; k < n; k++) known |= strcmp(categories[k], task->category) == 0;
        if (!known) categories[n++] = task->category;
    }
    return n;
}

static bool is_listed(const char *const *names, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

size_t sb_report_difficulties(const sb_report *r, const char *names[SB_REPORT_DIFFICULTIES]) {
    size_t n = sb_named_difficulties(r->family, names);
    for (size_t i = 0; i < r->n; i++) {
        const sb_summary *s = &r->entries[i].summary;
        for (size_t k = 0; k < s->n_difficulties && n < SB_REPORT_DIFFICULTIES; k++)
            if (!is_listed(names, n, s->difficulties[k].name)) names[n++] = s->difficulties[k].name;
    }
    return n;
}
