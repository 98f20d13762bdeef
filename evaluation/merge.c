#include "evaluation/merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "evaluation/result_check.h"
#include "evaluation/resume.h"

typedef struct merging {
    const char *const *paths;
    sb_results *parts;     /* results of the parts, in the order of the paths */
    const size_t *path_of; /* index of the path of each part, by the part's number - 1 */
    size_t n;
    sb_baseline baseline;
    sb_results whole;
} merging;

/* ---- Whether these are the parts of one evaluation ---- */

static const cJSON *baseline_of(const sb_results *part) {
    return cJSON_GetObjectItemCaseSensitive(part->head, "baseline");
}

/* Writes what has to be equal in all parts, besides their baselines. */
static bool print_head(const sb_results *part, sb_out *out, sb_error *error) {
    const sb_selection none = {0};
    const sb_plays plays = {.attempts = part->plays.attempts, .part = {.number = 1, .of = part->plays.part.of}};
    return sb_run_head(SB_VERSION, part->told, part->selection, &plays, &none, out, error);
}

static bool check_same(const merging *m, sb_error *error) {
    sb_out first = sb_out_growing();
    bool ok = print_head(&m->parts[0], &first, error);
    for (size_t i = 1; i < m->n && ok; i++) {
        sb_out head = sb_out_growing();
        ok = print_head(&m->parts[i], &head, error) &&
             sb_run_heads_agree(head.data, head.size, first.data, first.size, error);
        if (ok && !cJSON_Compare(baseline_of(&m->parts[i]), baseline_of(&m->parts[0]), true))
            ok = sb_fail(error, SB_MISMATCH, "that was another evaluation: `baseline` differs");
        if (!ok) sb_fail_at(error, "%s", sb_path_end(m->paths[i]));
        sb_out_free(&head);
    }
    sb_out_free(&first);
    return ok;
}

/* Finds the path of every part. */
static bool order_parts(const merging *m, size_t *path_of, sb_error *error) {
    for (size_t k = 0; k < m->n; k++) path_of[k] = m->n;
    for (size_t i = 0; i < m->n; i++) {
        const sb_part part = m->parts[i].plays.part;
        if (!part.of)
            return sb_fail(error, SB_INVALID, "%s is a whole result, not a part of one", sb_path_end(m->paths[i]));
        if (part.number > m->n)
            return sb_fail(error, SB_INVALID, "%s is part %zu of %zu, but there are %zu parts here",
                           sb_path_end(m->paths[i]), part.number, part.of, m->n);
        if (path_of[part.number - 1] < m->n)
            return sb_fail(error, SB_INVALID, "%s and %s are both part %zu of %zu",
                           sb_path_end(m->paths[path_of[part.number - 1]]), sb_path_end(m->paths[i]), part.number,
                           part.of);
        path_of[part.number - 1] = i;
    }
    const size_t of = m->parts[0].plays.part.of;
    return of == m->n || sb_fail(error, SB_INVALID, "there are %zu parts, but the results are of %zu", m->n, of);
}

/* Fails unless the part has exactly the episodes that it should have, with the right sums. */
static bool check_part(const merging *m, size_t i, sb_error *error) {
    const sb_result_checking how = {.baseline = &m->baseline};
    sb_result_checked checked;
    char words[SB_CHECKED_WORDS];
    if (!sb_result_check(&m->parts[i], &how, &checked, error)) return false;
    if (checked.standing <= SB_RESULT_UNVERIFIED) return true;
    sb_result_checked_print(&checked, words);
    return sb_fail(error, SB_MISMATCH, "%s: %.140s", sb_path_end(m->paths[i]), words);
}

/* ---- The baseline ---- */

static bool load_baseline(merging *m, const char *given, sb_error *error) {
    const cJSON *told;
    const char *hash;
    char number[12];
    if (!sb_json_object(m->parts[0].head, "baseline", &told, error) || !sb_json_string(told, "sha256", &hash, error))
        return sb_fail_at(error, "%s", sb_path_end(m->paths[0]));
    const unsigned frozen = sb_baseline_frozen(hash);
    snprintf(number, sizeof number, "%u", frozen);
    if (!given && !frozen)
        return sb_fail(error, SB_UNKNOWN, "normalised with %.12s, which is not built in: name its file with --baseline",
                       hash);
    if (!sb_baseline_load(&m->baseline, given ? given : number, error)) return false;
    return strcmp(m->baseline.hash, hash) == 0 ||
           sb_fail(error, SB_MISMATCH, "the parts were normalised with %.12s, but --baseline names %.12s", hash,
                   m->baseline.hash);
}

/* ---- Joining ---- */

/* Moves every episode to its place in the whole. */
static bool join(merging *m, sb_error *error) {
    const sb_results *first = &m->parts[0];
    size_t n = 0;
    for (size_t i = 0; i < m->n; i++) n += m->parts[i].n;
    m->whole = (sb_results){.catalogue = first->catalogue, .kind = first->kind, .room = n};
    m->whole.plays.attempts = first->plays.attempts;
    m->whole.frames = first->frames;
    sb_results_plan(&m->whole, &m->parts[0].budget);
    m->whole.episodes = calloc(n + 1, sizeof *m->whole.episodes);
    if (!m->whole.episodes) return sb_fail(error, SB_MEMORY, "out of memory for %zu episodes", n);
    const size_t attempts = sb_plays_attempts(&m->whole.plays);
    for (size_t place = 0; place < n; place++) {
        const size_t episode = place / attempts;
        sb_results *part = &m->parts[m->path_of[episode % m->n]];
        const size_t at = episode / m->n * attempts + place % attempts;
        if (at >= part->n)
            return sb_fail(error, SB_MISMATCH, "%s has too few episodes",
                           sb_path_end(m->paths[m->path_of[episode % m->n]]));
        sb_played *played = &part->episodes[at];
        m->whole.episodes[place] = *played;
        m->whole.n = place + 1;
        *played = (sb_played){0};
    }
    return true;
}

static bool merge(merging *m, const char *baseline, sb_out *document, sb_error *error) {
    if (!load_baseline(m, baseline, error)) return false;
    for (size_t i = 0; i < m->n; i++)
        if (!check_part(m, i, error)) return false;
    const sb_result_context context = {
        .agent = m->parts[0].told, .selection = m->parts[0].selection, .baseline = &m->baseline};
    return join(m, error) && sb_result_print(&m->whole, &context, true, document, error);
}

static bool load_part(const sb_results_merging *from, size_t i, sb_results *part, sb_error *error) {
    const sb_json_part *text = from->texts ? &from->texts[i] : NULL;
    if (!text) return sb_result_load(from->catalogue, from->paths[i], part, error);
    return sb_result_parse(from->catalogue, text->at, text->n, part, error) ||
           sb_fail_at(error, "%s", sb_path_end(from->paths[i]));
}

static bool load(merging *m, const sb_results_merging *from, sb_error *error) {
    for (size_t i = 0; i < m->n; i++)
        if (!load_part(from, i, &m->parts[i], error)) return false;
    for (size_t i = 0; i < m->n; i++) {
        const char *version = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(m->parts[i].head, "seedbed"));
        if (!version || strcmp(version, SB_VERSION) != 0)
            return sb_fail(error, SB_VERSION_OTHER, "%s was made by version %.20s: merge with that version",
                           sb_path_end(m->paths[i]), version ? version : "none");
    }
    return true;
}

bool sb_results_merge(const sb_results_merging *from, sb_out *document, size_t *episodes, sb_error *error) {
    const size_t n = from->n;
    size_t *path_of = malloc((n + 1) * sizeof *path_of);
    merging m = {.paths = from->paths, .parts = calloc(n + 1, sizeof *m.parts), .path_of = path_of, .n = n};
    bool ok = (path_of && m.parts) || sb_fail(error, SB_MEMORY, "out of memory for %zu results", n);
    ok = ok && (n || sb_fail(error, SB_INVALID, "there is no result to merge")) && load(&m, from, error) &&
         order_parts(&m, path_of, error) && check_same(&m, error) && merge(&m, from->baseline, document, error);
    *episodes = m.whole.n;
    for (size_t i = 0; m.parts && i < n; i++) sb_results_free(&m.parts[i]);
    sb_results_free(&m.whole);
    sb_baseline_free(&m.baseline);
    free(m.parts), free(path_of);
    return ok;
}
