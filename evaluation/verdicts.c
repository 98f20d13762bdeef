/* Adds the verdicts of certificates to results, and checks the verdicts that results state. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/gzip.h"
#include "engine/lookup.h"
#include "evaluation/certificates/certificate.h"
#include "evaluation/result.h"
#include "evaluation/shipped.h"
#include "rollout/selection.h"
#include "seeds/official.h"

/* Episodes sorted by name; a name may be repeated. */
typedef struct directory {
    const sb_catalogue *catalogue; /* where the tasks of the episodes are looked up */
    sb_played **sorted;
    size_t n, read;            /* episodes; read: certificates that were read, also of other episodes */
    sb_certificates_head head; /* of the certificates that are read */
} directory;

static int by_name(const void *a, const void *b) {
    return sb_compare_names(&(*(const sb_played *const *)a)->tape.name, &(*(const sb_played *const *)b)->tape.name);
}

static bool list_names(const sb_results *results, directory *d, sb_error *error) {
    d->n = results->n;
    d->sorted = malloc((d->n + 1) * sizeof *d->sorted);
    if (!d->sorted) return sb_fail(error, SB_MEMORY, "out of memory for %zu names", d->n);
    for (size_t i = 0; i < d->n; i++) d->sorted[i] = &results->episodes[i];
    if (d->n) qsort(d->sorted, d->n, sizeof *d->sorted, by_name);
    return true;
}

/* Returns the first episode of that name; NULL if there is none. */
static sb_played **find(const directory *d, const sb_name *name) {
    sb_played wanted = {.tape.name = *name}, *key = &wanted;
    sb_played **found = bsearch(&key, d->sorted, d->n, sizeof *d->sorted, by_name);
    while (found && found > d->sorted && by_name(found - 1, &key) == 0) found--;
    return found;
}

/* Notes the verdict in every episode of that name; an unknown verdict changes nothing. */
static bool note(const directory *d, const sb_name *name, sb_winnable winnable, sb_error *error) {
    sb_played **found = find(d, name);
    char text[SB_NAME_MAX];
    if (!found || winnable == SB_NOT_CERTIFIED) return true;
    for (; found < d->sorted + d->n && sb_compare_names(&(*found)->tape.name, name) == 0; found++) {
        const sb_winnable known = (*found)->winnable;
        if (known != SB_NOT_CERTIFIED && known != winnable) {
            sb_name_print(name, text, sizeof text);
            return sb_fail(error, SB_MISMATCH, "%s is certified %s, but another certificate says the opposite", text,
                           sb_winnable_names[winnable]);
        }
        (*found)->winnable = winnable;
    }
    return true;
}

/* ---- Certificates ---- */

/* Fails if the certificate was made under other rules, as the head says. Lines without a head are taken as they are. */
static bool check_rules(const directory *d, const sb_name *name, sb_error *error) {
    sb_resolved of;
    return !d->head.rules ||
           (sb_resolve(d->catalogue, name, &of, error) &&
            sb_rules_agree_with("the certificates were made", d->head.rules, of.family, of.task, error));
}

static bool begins_with(const char *line, size_t n, const char *words) {
    return n >= strlen(words) && memcmp(line, words, strlen(words)) == 0;
}

/* Whether a built-in certificate is of another episode. Most are, and reading them whole would take longer than all
 * else that a small result needs. */
static bool is_of_another(const directory *d, const char *line, size_t n) {
    static const char before[] = "{\"episode\": \"";
    char text[SB_NAME_MAX];
    sb_name name;
    sb_error ignored;
    if (!begins_with(line, n, before)) return false;
    const char *from = line + strlen(before), *quote = memchr(from, '"', (size_t)(line + n - from));
    if (!quote || quote - from >= SB_NAME_MAX) return false;
    memcpy(text, from, (size_t)(quote - from));
    text[quote - from] = '\0';
    return sb_name_parse(d->catalogue, text, &name, &ignored) && !find(d, &name);
}

/* Reads a line. The first one is the head, and lines without an episode, such as the last one, are skipped. */
static bool read_line(const char *line, size_t n, bool built_in, sb_certificate *c, directory *d, sb_error *error) {
    static const sb_winnable winnable[] = {[SB_CERTIFIED_SOLVED] = SB_CAN_BE_WON,
                                           [SB_CERTIFIED_IMPOSSIBLE] = SB_CANNOT_BE_WON,
                                           [SB_UNCERTIFIED] = SB_NOT_CERTIFIED};
    if (begins_with(line, n, "{\"certificates\"")) {
        sb_certificates_head_free(&d->head);
        return sb_certificates_head_parse(d->catalogue, line, n, &d->head, error);
    }
    if (!begins_with(line, n, "{\"episode\"")) return true;
    d->read++;
    if (built_in && is_of_another(d, line, n)) return true;
    return sb_certificate_parse(d->catalogue, line, n, c, error) && check_rules(d, &c->name, error) &&
           note(d, &c->name, winnable[c->verdict], error);
}

/* Reads the lines of certificates. `path` is NULL if they are the built-in ones. */
static bool read_lines(const sb_out *text, const char *path, directory *d, sb_error *error) {
    const char *where = path ? path : "built-in certificates";
    sb_certificate certificate = {0};
    size_t at = 0, number = 0;
    bool ok = true;
    d->read = 0;
    while (ok && at < text->size) {
        const char *line = text->data + at, *end = memchr(line, '\n', text->size - at);
        const size_t n = end ? (size_t)(end - line) : text->size - at;
        number++;
        ok = read_line(line, n, !path, &certificate, d, error) ||
             sb_fail_at(error, "%s, line %zu", sb_path_end(where), number);
        at += n + 1;
    }
    sb_certificate_free(&certificate);
    sb_certificates_head_free(&d->head);
    return ok && (d->read || sb_fail(error, SB_INVALID, "%s holds no certificates", sb_path_end(where)));
}

/* ---- Where they come from ---- */

static bool unpack_shipped(sb_out *text, sb_error *error) {
    const char *packed = (const char *)sb_shipped_certificates;
    bool ok = true;
    for (size_t at = 0, used; ok && at < sb_shipped_certificates_size; at += used)
        ok = sb_gzip_unpack(packed + at, sb_shipped_certificates_size - at, &used, text, error);
    return ok;
}

/* Whether any seed is an official evaluation seed. If not, the built-in certificates need not be unpacked. */
static bool may_be_official(const sb_results *results, bool *yes, sb_error *error) {
    sb_seed_set seeds = {0};
    *yes = false;
    if (!sb_official_eval_seeds(&seeds, error)) return false;
    for (size_t i = 0; i < results->n && !*yes; i++)
        *yes = sb_seed_set_has(&seeds, results->episodes[i].tape.name.seed);
    sb_seed_set_free(&seeds);
    return true;
}

bool sb_results_certify(sb_results *results, const char *path, sb_error *error) {
    directory d = {.catalogue = results->catalogue};
    bool official = false;
    sb_out text = sb_out_growing();
    bool ok = list_names(results, &d, error) && may_be_official(results, &official, error);
    if (ok && official) ok = unpack_shipped(&text, error) && read_lines(&text, NULL, &d, error);
    sb_out_clear(&text);
    if (ok && path) ok = sb_file_load_large(path, SB_RESULT_BYTES, &text, error) && read_lines(&text, path, &d, error);
    sb_out_free(&text);
    free((void *)d.sorted);
    return ok;
}

/* ---- Comparing ---- */

static bool fail_certificate(const sb_played *played, const char *due, sb_error *error) {
    char name[SB_NAME_MAX];
    sb_name_print(&played->tape.name, name, sizeof name);
    return sb_fail(error, SB_MISMATCH, "%s: its certificate says `%s`, but should say `%s`", name,
                   sb_winnable_names[played->winnable], due);
}

/* Compares certificates. A result need not have those of a file, because it may have been made without that file. */
static bool compare_certificates(const sb_results *results, const sb_results *known, bool built_in, size_t *unknown,
                                 sb_error *error) {
    *unknown = 0;
    for (size_t i = 0; i < results->n; i++) {
        const sb_played *played = &results->episodes[i];
        const sb_winnable due = known->episodes[i].winnable;
        const bool told = played->winnable != SB_NOT_CERTIFIED;
        if (due != SB_NOT_CERTIFIED && due != played->winnable && (built_in || told))
            return fail_certificate(played, sb_winnable_names[due], error);
        if (played->winnable == SB_CANNOT_BE_WON && sb_won(played))
            return fail_certificate(played, sb_winnable_names[SB_CAN_BE_WON], error);
        *unknown += told && due == SB_NOT_CERTIFIED;
    }
    return true;
}

bool sb_results_check_certificates(const sb_results *results, const char *path, size_t *unknown, sb_error *error) {
    sb_results known = *results;
    known.episodes = malloc((results->n + 1) * sizeof *known.episodes);
    if (!known.episodes) return sb_fail(error, SB_MEMORY, "out of memory for %zu episodes", results->n);
    for (size_t i = 0; i < results->n; i++) {
        known.episodes[i] = results->episodes[i];
        known.episodes[i].winnable = SB_NOT_CERTIFIED;
    }
    bool ok = sb_results_certify(&known, NULL, error) && compare_certificates(results, &known, true, unknown, error);
    if (ok && path && *unknown)
        ok = sb_results_certify(&known, path, error) && compare_certificates(results, &known, false, unknown, error);
    free(known.episodes);
    return ok;
}
