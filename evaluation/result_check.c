#include "evaluation/result_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "evaluation/estimates.h"

const char *const sb_standing_names[SB_N_STANDINGS] = {"", "unverified", "incomplete", "wrong"};

/* Limits for the size of a selection, because a forged request may ask for far too many episodes. Enough for all
 * training seeds. */
enum { MOST_SELECTED = 1 << 19, MORE_SELECTED = 8 /* times the number of the result's episodes */ };

static const cJSON *head_of(const sb_results *results, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(results->head, key);
}

/* ---- The episodes against the selection ---- */

typedef struct comparison {
    size_t same;          /* how many episodes at the beginning agree */
    size_t missing, more; /* episodes of the selection that the result lacks, and the reverse */
    sb_chosen first_more; /* the first episode, in the order of selections, that is not selected */
    bool twice;           /* that episode is selected, but fewer times */
} comparison;

static int by_place(const void *a, const void *b) { return sb_compare_chosen(a, b); }

/* Makes a sorted copy of the selected episodes. */
static bool sort(const sb_selection *selection, sb_chosen **sorted, sb_error *error) {
    const size_t size = selection->n * sizeof **sorted;
    *sorted = malloc(size + 1);
    if (!*sorted) return sb_fail(error, SB_MEMORY, "out of memory for %zu episodes", selection->n);
    if (size) memcpy(*sorted, selection->episodes, size);
    if (size) qsort(*sorted, selection->n, sizeof **sorted, by_place);
    return true;
}

/* Compares two sorted lists, in which episodes may be repeated. */
static void count_differences(const sb_chosen *played, size_t n, const sb_chosen *wanted, size_t m, comparison *c) {
    for (size_t i = 0, k = 0; i < n || k < m;) {
        const int order = i == n ? 1 : k == m ? -1 : sb_compare_chosen(&played[i], &wanted[k]);
        if (order < 0 && c->more++ == 0) {
            c->first_more = played[i];
            c->twice = k && sb_compare_chosen(&played[i], &wanted[k - 1]) == 0;
        }
        c->missing += order > 0;
        i += order <= 0, k += order >= 0;
    }
}

static bool select_played(const sb_results *results, sb_selection *played, sb_error *error) {
    size_t capacity = 0;
    *played = (sb_selection){.catalogue = results->catalogue, .most = results->n + 1};
    for (size_t i = 0; i < results->n; i++) {
        const sb_tape *tape = &results->episodes[i].tape;
        if (!sb_selection_add(played, &tape->of, tape->name.seed, &capacity, error)) return false;
    }
    return true;
}

static bool compare(const sb_results *results, const sb_selection *selection, comparison *c, sb_error *error) {
    const size_t n = results->n, m = selection->n;
    sb_selection played;
    sb_chosen *here = NULL, *there = NULL;
    *c = (comparison){0};
    bool ok = select_played(results, &played, error);
    while (ok && c->same < n && c->same < m &&
           sb_compare_chosen(&played.episodes[c->same], &selection->episodes[c->same]) == 0)
        c->same++;
    if (ok && c->same == n)
        c->missing = m - n;
    else if ((ok = ok && sort(&played, &here, error) && sort(selection, &there, error)))
        count_differences(here, n, there, m, c);
    free(here), free(there);
    sb_selection_free(&played);
    return ok;
}

/* Fails if the result does not have exactly the selected episodes. If only the last ones are missing, the evaluation
 * was interrupted; otherwise somebody may have left out losses or repeated successes. */
static bool judge_selection(const sb_results *results, const sb_selection *selection, bool *incomplete,
                            sb_error *error) {
    comparison c;
    char name[SB_NAME_MAX];
    sb_name first;
    if (!compare(results, selection, &c, error)) return false;
    *incomplete = c.same == results->n && c.missing;
    if (c.same == results->n && !c.missing) return true;
    const sb_selection one = {
        .catalogue = results->catalogue, .episodes = c.more ? &c.first_more : &selection->episodes[c.same], .n = 1};
    sb_name_print(sb_selection_name(&one, 0, &first), name, sizeof name);
    if (c.more)
        return sb_fail(error, SB_MISMATCH, c.twice ? "%s was played more often than selected" : "%s was not selected",
                       name);
    if (*incomplete)
        return sb_fail(error, SB_MISMATCH, "%zu of %zu episodes; the first missing one is %s", results->n, selection->n,
                       name);
    if (c.missing)
        return sb_fail(error, SB_MISMATCH, "%zu of %zu selected episodes are missing before others; the first is %s",
                       c.missing, selection->n, name);
    return sb_fail(error, SB_MISMATCH, "the episodes are not in the order of the selection, where %s is number %zu",
                   name, c.same + 1);
}

/* Compares the episodes with the part of the selection that the result is, with all attempts. */
static bool judge_plays(const sb_results *results, const sb_selection *selection, bool *incomplete,
                        sb_result_checked *checked, sb_error *error) {
    sb_selection list;
    size_t due;
    const size_t n = sb_plays_count(&results->plays, selection->n);
    if (n > MORE_SELECTED * results->n + MOST_SELECTED)
        return sb_fail(error, SB_MISMATCH, "%zu of %zu episodes, which are too many to compare", results->n, n);
    bool ok = sb_plays_list(&results->plays, selection, &list, error) && sb_eval_budget_due(results, &due, error);
    if (ok && results->budget.budget.until > 0 && due < list.n) list.n = due;
    checked->n_selected = list.n;
    ok = ok && judge_selection(results, &list, incomplete, error);
    sb_selection_free(&list);
    return ok;
}

static void describe_plays(const sb_plays *plays, char words[SB_SELECTED_WORDS + SB_PLAYS_WORDS]) {
    const size_t n = strlen(words);
    sb_out out = sb_out_fixed(words + n, SB_SELECTED_WORDS + SB_PLAYS_WORDS - n);
    if (sb_plays_attempts(plays) > 1) sb_putf(&out, ", %zu attempts at each", plays->attempts);
    if (plays->part.of) sb_putf(&out, ", part %zu of %zu", plays->part.number, plays->part.of);
    sb_out_finish(&out);
}

/* ---- The sums and scores in the document ---- */

/* How two documents are compared. */
typedef struct comparing {
    bool normalised; /* scores that depend on a baseline are compared, too */
    bool older;      /* measures of exploration have the last bits of the C library's logarithm */
} comparing;

/* Whether the member depends on a baseline. */
static bool is_normalised(const cJSON *item) {
    static const char *const keys[] = {"normalised", "normalised_interval", "ons_pairs", "capability"};
    for (size_t i = 0; item->string && i < sizeof keys / sizeof *keys; i++)
        if (strcmp(item->string, keys[i]) == 0) return true;
    return false;
}

static const cJSON *next_compared(const cJSON *item, const comparing *how) {
    while (item && !how->normalised && is_normalised(item)) item = item->next;
    return item;
}

static bool fail_differently(const cJSON *said, const cJSON *due, sb_error *error) {
    char *one = cJSON_PrintUnformatted(said), *other = cJSON_PrintUnformatted(due);
    if (one && other)
        sb_fail(error, SB_MISMATCH, "it says %.60s, but its episodes give %.60s", one, other);
    else
        sb_fail(error, SB_MEMORY, "out of memory for a comparison");
    cJSON_free(one), cJSON_free(other);
    return false;
}

static bool is_same_value(const cJSON *said, const cJSON *due, bool roughly) {
    if (cJSON_IsNumber(said) && roughly) return fabs(said->valuedouble - due->valuedouble) < 1e-12;
    if (cJSON_IsNumber(said)) return said->valuedouble == due->valuedouble;
    return !cJSON_IsString(said) || strcmp(said->valuestring, due->valuestring) == 0;
}

/* Fails unless the document says what this program would write: the same members in the same order, with the same
 * values. */
static bool compare_sums(const cJSON *said, const cJSON *due, const comparing *how, bool roughly, sb_error *error) {
    const bool holds = cJSON_IsObject(due) || cJSON_IsArray(due);
    if ((said->type & 0xff) != (due->type & 0xff) || (!holds && !is_same_value(said, due, roughly)))
        return fail_differently(said, due, error);
    size_t number = 1;
    const cJSON *a = next_compared(said->child, how), *b = next_compared(due->child, how);
    for (; a && b; a = next_compared(a->next, how), b = next_compared(b->next, how), number++) {
        if (b->string && strcmp(a->string, b->string) != 0)
            return sb_fail(error, SB_MISMATCH, "there is `%.40s` where `%s` should be", a->string, b->string);
        const bool is_exploration = b->string && strcmp(b->string, "exploration") == 0;
        if (!compare_sums(a, b, how, roughly || (how->older && is_exploration), error))
            return b->string ? sb_fail_at(error, "`%s`", b->string) : sb_fail_at(error, "%zu", number);
    }
    if (a) return sb_fail(error, SB_MISMATCH, "there are more members than its episodes give");
    return !b || sb_fail(error, SB_MISMATCH, "there are fewer members than its episodes give");
}

static cJSON *make_sums(const sb_results *results, const sb_baseline *baseline, sb_error *error) {
    sb_out text = sb_out_growing();
    cJSON *sums = NULL;
    sb_puts(&text, "{");
    bool ok = sb_result_print_families(results, baseline, &text, error);
    sb_puts(&text, "}");
    if (ok) ok = sb_out_ok(&text) || sb_fail(error, SB_MEMORY, "out of memory for a comparison");
    if (ok) sums = sb_json_parse(text.data, text.size, error);
    sb_out_free(&text);
    return sums;
}

static bool has_dynamics(const cJSON *tests) {
    const cJSON *row;
    cJSON_ArrayForEach(row, tests) if (cJSON_HasObjectItem(row, "dynamics")) return true;
    return false;
}

/* Whether tests are summed up in the old way, without the rows with `dynamics` that every test has now. */
static bool has_older_tests(const cJSON *families) {
    const cJSON *family;
    cJSON_ArrayForEach(family, families) {
        const cJSON *tests = cJSON_GetObjectItemCaseSensitive(family, "tests");
        if (tests && !has_dynamics(tests)) return true;
    }
    return false;
}

/* Checks the sums. If `baseline` is NULL, members that depend on a baseline are skipped. */
static bool check_sums(const sb_results *results, const sb_baseline *baseline, sb_error *error) {
    const sb_baseline none = {0};
    const cJSON *said;
    if (!sb_json_array(results->head, "families", &said, error)) return false;
    sb_results as_said = *results;
    as_said.older_tests = has_older_tests(said);
    cJSON *sums = make_sums(&as_said, baseline ? baseline : &none, error);
    if (!sums) return false;
    const comparing how = {.normalised = baseline, .older = sb_results_are_older(results)};
    const bool ok = compare_sums(said, cJSON_GetObjectItemCaseSensitive(sums, "families"), &how, false, error) ||
                    sb_fail_at(error, "families");
    cJSON_Delete(sums);
    return ok;
}

/* ---- The result's baseline ---- */

/* Reads the baseline's hash and number, which have to agree. Results of version 1 have only the hash. */
static bool read_baseline(const sb_results *results, const char **hash, unsigned *frozen, sb_error *error) {
    const cJSON *baseline = head_of(results, "baseline");
    uint64_t version = 0;
    if (cJSON_IsString(baseline)) *hash = baseline->valuestring;
    if (!cJSON_IsString(baseline) && (!sb_json_object(results->head, "baseline", &baseline, error) ||
                                      !sb_json_string(baseline, "sha256", hash, error) ||
                                      !sb_json_optional_uint(baseline, "version", &version, error)))
        return false;
    *frozen = sb_baseline_frozen(*hash);
    if (version == 0 || version == *frozen) return true;
    if (version > SB_BASELINE_CURRENT)
        return sb_fail(error, SB_VERSION_OTHER, "baseline %llu is newer than this program, which has 1 to %d",
                       (unsigned long long)version, SB_BASELINE_CURRENT);
    return sb_fail(error, SB_MISMATCH, "the hash that the result states is not that of baseline %llu",
                   (unsigned long long)version);
}

/* ---- The checks and their findings ---- */

/* Notes a finding; the worst one counts, and of equal ones the first. Returns false for an error that stops the check
 * itself. */
static bool note(sb_result_checked *checked, sb_standing standing, const sb_error *found) {
    if (found->code == SB_MEMORY || found->code == SB_IO) return false;
    if (standing > checked->standing) {
        checked->standing = standing;
        sb_copy_plain(checked->why, sizeof checked->why, found->text);
    }
    return true;
}

static bool check_replay(const sb_results *results, const sb_stop *stop, sb_result_checked *checked, sb_error *error) {
    checked->replayed = true;
    return sb_results_verify(results, stop, error) || (!sb_is_stopped(stop) && note(checked, SB_RESULT_WRONG, error));
}

static bool check_failures(const sb_results *results, sb_result_checked *checked, sb_error *error) {
    char name[SB_NAME_MAX];
    if (sb_agent_can_fail(results->kind)) return true;
    for (size_t i = 0; i < results->n; i++) {
        if (!results->episodes[i].failure.kind) continue;
        sb_name_print(&results->episodes[i].tape.name, name, sizeof name);
        sb_fail(error, SB_MISMATCH, "%s has an error, which agents of the kind `%s` never make", name,
                sb_agent_kinds[results->kind]);
        return note(checked, SB_RESULT_WRONG, error);
    }
    return true;
}

/* Only programs and functions say what they think: all others would have been edited. */
static bool check_said(const sb_results *results, sb_result_checked *checked, sb_error *error) {
    char name[SB_NAME_MAX];
    if (results->kind == SB_AGENT_EXEC || results->kind == SB_AGENT_PYTHON) return true;
    for (size_t i = 0; i < results->n; i++) {
        if (!results->episodes[i].tape.said.n) continue;
        sb_name_print(&results->episodes[i].tape.name, name, sizeof name);
        sb_fail(error, SB_MISMATCH, "%s has thoughts or counters, which agents of the kind `%s` never tell", name,
                sb_agent_kinds[results->kind]);
        return note(checked, SB_RESULT_WRONG, error);
    }
    return true;
}

static bool check_selection(const sb_results *results, const sb_result_checking *how, sb_result_checked *checked,
                            sb_error *error) {
    const cJSON *object;
    sb_selected selected = {0};
    bool incomplete = false;
    const char *text = results->selection;
    const sb_json_part part = sb_json_whole(text, text ? strlen(text) : 0);
    bool ok = sb_json_object(results->head, "selection", &object, error) &&
              (sb_selected_read(results->catalogue, &part, how->pack, MORE_SELECTED * results->n + MOST_SELECTED,
                                &selected, error) ||
               sb_fail_at(error, "selection"));
    strcpy(checked->selected, selected.words);
    if (!ok) {
        ok = note(checked, error->code == SB_MISMATCH ? SB_RESULT_WRONG : SB_RESULT_UNVERIFIED, error);
    } else {
        ok = (judge_plays(results, &selected.selection, &incomplete, checked, error) &&
              (!how->replay || sb_selected_check_chosen(results->catalogue, &part, &selected, error))) ||
             note(checked, incomplete ? SB_RESULT_INCOMPLETE : SB_RESULT_WRONG, error);
        describe_plays(&results->plays, checked->selected);
    }
    sb_selected_free(&selected);
    return ok;
}

static bool check_certificates(const sb_results *results, const sb_result_checking *how, sb_result_checked *checked,
                               sb_error *error) {
    size_t unknown;
    if (!sb_results_check_certificates(results, how->certificates, &unknown, error))
        return note(checked, SB_RESULT_WRONG, error);
    if (unknown == 0) return true;
    sb_fail(error, SB_UNKNOWN, "certificates of %zu episodes are not among the built-in ones: name their file with %s",
            unknown, "--certificates");
    return note(checked, SB_RESULT_UNVERIFIED, error);
}

static bool check_against(const sb_results *results, const sb_baseline *baseline, sb_result_checked *checked,
                          sb_error *error) {
    return check_sums(results, baseline, error) || note(checked, SB_RESULT_WRONG, error);
}

/* Checks the scores with the given baseline, with a frozen one, or without any. */
static bool check_normalised(const sb_results *results, const sb_result_checking *how, const char *hash,
                             sb_result_checked *checked, sb_error *error) {
    char number[12];
    sb_baseline frozen = {0};
    if (how->baseline && strcmp(how->baseline->hash, hash) == 0)
        return check_against(results, how->baseline, checked, error);
    if (checked->frozen) {
        snprintf(number, sizeof number, "%u", checked->frozen);
        const bool ok = sb_baseline_load(&frozen, number, error) && check_against(results, &frozen, checked, error);
        sb_baseline_free(&frozen);
        return ok;
    }
    if (!check_against(results, NULL, checked, error)) return false;
    sb_fail(error, SB_UNKNOWN, "normalised with %s, which is not built in: name its file with --baseline",
            checked->baseline);
    return note(checked, SB_RESULT_UNVERIFIED, error);
}

static bool check_scores(const sb_results *results, const sb_result_checking *how, sb_result_checked *checked,
                         sb_error *error) {
    const char *hash = "";
    char plain[SB_SHA256_HEX];
    const bool read = read_baseline(results, &hash, &checked->frozen, error);
    sb_copy_plain(plain, sizeof plain, hash);
    sb_baseline_label(checked->frozen, plain, checked->baseline);
    if (read) return check_normalised(results, how, hash, checked, error);
    return note(checked, error->code == SB_VERSION_OTHER ? SB_RESULT_UNVERIFIED : SB_RESULT_WRONG, error);
}

bool sb_result_check(const sb_results *results, const sb_result_checking *how, sb_result_checked *checked,
                     sb_error *error) {
    *checked = (sb_result_checked){0};
    return (!how->replay || check_replay(results, how->stop, checked, error)) &&
           check_failures(results, checked, error) && check_said(results, checked, error) &&
           check_selection(results, how, checked, error) && check_certificates(results, how, checked, error) &&
           check_scores(results, how, checked, error);
}

void sb_result_checked_print(const sb_result_checked *checked, char words[SB_CHECKED_WORDS]) {
    if (checked->standing == SB_RESULT_RIGHT)
        snprintf(words, SB_CHECKED_WORDS, "%s", checked->replayed ? "verified" : "not replayed, otherwise in order");
    else
        snprintf(words, SB_CHECKED_WORDS, "%s: %s%s", sb_standing_names[checked->standing], checked->why,
                 checked->replayed ? "" : "; not replayed");
}
