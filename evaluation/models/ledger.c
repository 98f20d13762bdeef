#include "evaluation/models/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"

/* ---- Entries ---- */

static void free_entries(sb_ledger_entry *entries, size_t n) {
    for (size_t i = 0; i < n; i++) free(entries[i].reopened), free(entries[i].texts);
    free(entries);
}

void sb_ledger_free(sb_ledger *ledger) {
    free_entries(ledger->entries, ledger->n);
    free(ledger->passed);
    *ledger = (sb_ledger){0};
}

void sb_ledger_news_free(sb_ledger_news *news) {
    free(news->broken_at);
    *news = (sb_ledger_news){0};
}

static bool no_memory(sb_error *error) { return sb_fail(error, SB_MEMORY, "out of memory for the ledger"); }

/* Replaces an entry's action and fields. */
static bool set_texts(sb_ledger_entry *entry, const char *action, const char *const *fields, size_t n_fields,
                      sb_error *error) {
    sb_out texts = sb_out_growing();
    sb_put(&texts, action, strlen(action) + 1);
    for (size_t i = 0; i < n_fields; i++) sb_put(&texts, fields[i], strlen(fields[i]) + 1);
    if (!sb_out_ok(&texts)) return sb_out_free(&texts), no_memory(error);
    free(entry->texts);
    entry->texts = texts.data, entry->n_fields = n_fields;
    return true;
}

static bool reopen(sb_ledger_entry *entry, uint64_t revision, sb_error *error) {
    uint64_t *all = realloc(entry->reopened, (entry->n_reopened + 1) * sizeof *all);
    if (!all) return no_memory(error);
    entry->reopened = all;
    all[entry->n_reopened++] = revision, entry->resolved = 0;
    return true;
}

int sb_ledger_compare(const sb_ledger_verdict *v, sb_model_source source, const sb_ledger_entry *entry) {
    if (v->play != entry->play) return v->play < entry->play ? -1 : 1;
    if (v->t != entry->t) return v->t < entry->t ? -1 : 1;
    return (source > entry->source) - (source < entry->source);
}

bool sb_ledger_enter(sb_ledger_entry *entry, const sb_ledger_verdict *v, const sb_ledger_claim *claim,
                     uint64_t revision, sb_error *error) {
    entry->owner = claim->owner, entry->level = v->level, entry->times_wrong++;
    if (!entry->opened)
        entry->opened = revision;
    else if (entry->resolved && !reopen(entry, revision, error))
        return false;
    return set_texts(entry, v->action, claim->fields, claim->n_fields, error);
}

/* ---- Writing ---- */

static void put_revisions(sb_out *out, const sb_ledger_entry *entry) {
    sb_member_uint(out, "opened", entry->opened);
    sb_put_key(out, "resolved");
    if (entry->resolved)
        sb_put_uint(out, entry->resolved);
    else
        sb_puts(out, "null");
    sb_put_key(out, "reopened");
    sb_puts(out, "[");
    for (size_t i = 0; i < entry->n_reopened; i++) sb_put_comma(out), sb_put_uint(out, entry->reopened[i]);
    sb_puts(out, "]");
    sb_member_uint(out, "times_wrong", entry->times_wrong);
}

static void put_entry(sb_out *out, const sb_ledger_entry *entry) {
    sb_puts(out, "{");
    sb_member_text(out, "source", sb_model_source_names[entry->source]);
    sb_member_text(out, "owner", sb_model_owner_names[entry->owner]);
    sb_member_uint(out, "play", entry->play);
    sb_member_uint(out, "t", entry->t);
    sb_member_uint(out, "level", entry->level);
    sb_put_key(out, "action");
    sb_puts(out, entry->texts);
    sb_put_key(out, "fields");
    sb_puts(out, "[");
    const char *field = entry->texts;
    for (size_t i = 0; i < entry->n_fields; i++) {
        field += strlen(field) + 1;
        sb_put_comma(out);
        sb_put_json_string(out, field);
    }
    sb_puts(out, "]");
    put_revisions(out, entry);
    sb_puts(out, "}");
}

/* Puts which transitions passed, four a hexadecimal digit, the first one highest. */
static void put_passed(sb_out *out, const sb_ledger *ledger) {
    for (const bool *at = ledger->passed, *end = at + ledger->n_passed; at < end; at += 4)
        sb_putc(out, "0123456789abcdef"[at[0] << 3 | at[1] << 2 | at[2] << 1 | at[3]]);
}

void sb_ledger_put(const sb_ledger *ledger, sb_out *out) {
    sb_puts(out, "{");
    sb_member_int(out, "seedbed_ledger", 1);
    sb_member_uint(out, "revision", ledger->revision);
    sb_member_text(out, "log_sha256", ledger->log_sha256);
    sb_put_key(out, "entries");
    sb_puts(out, "[");
    for (size_t i = 0; i < ledger->n; i++) {
        sb_puts(out, i ? ",\n" : "\n");
        put_entry(out, &ledger->entries[i]);
    }
    sb_puts(out, ledger->n ? "\n]" : "]");
    sb_put_key(out, "passed");
    sb_puts(out, "\"");
    put_passed(out, ledger);
    sb_puts(out, "\"}\n");
}

/* ---- Bringing it up to date ---- */

/* A revision in the making: the entries that will be, in their order. */
typedef struct revision {
    const sb_ledger_check *check;
    uint64_t number;
    sb_ledger_entry *entries;
    size_t n, capacity;
    sb_ledger_news *news;
} revision;

static sb_ledger_entry *add_entry(revision *r, sb_error *error) {
    if (!SB_GROW(r->entries, r->n + 1, r->capacity)) return no_memory(error), NULL;
    r->entries[r->n] = (sb_ledger_entry){0};
    return &r->entries[r->n++];
}

static bool copy_entry(sb_ledger_entry *to, const sb_ledger_entry *from, sb_error *error) {
    const char *end = from->texts + strlen(from->texts) + 1;
    for (size_t i = 0; i < from->n_fields; i++) end += strlen(end) + 1;
    const size_t size = (size_t)(end - from->texts), revisions = from->n_reopened * sizeof *from->reopened;
    *to = *from;
    to->texts = malloc(size), to->reopened = malloc(revisions + 1);
    if (!to->texts || !to->reopened) return no_memory(error);
    memcpy(to->texts, from->texts, size);
    if (revisions) memcpy(to->reopened, from->reopened, revisions);
    return true;
}

/* Brings one claim up to date; `old` is what the ledger has of it, or NULL. */
static bool revise_claim(revision *r, const sb_ledger_entry *old, const sb_ledger_verdict *v, sb_model_source source,
                         sb_error *error) {
    const sb_ledger_claim *claim = &v->claims[source];
    if (!old && claim->verdict != SB_WRONG) return true;
    sb_ledger_entry *entry = add_entry(r, error);
    if (!entry) return false;
    if (old && !copy_entry(entry, old, error)) return false;
    if (!old) *entry = (sb_ledger_entry){.source = source, .play = v->play, .t = v->t};
    if (claim->verdict == SB_WRONG) {
        r->news->opened += !entry->opened, r->news->reopened += entry->resolved > 0;
        return sb_ledger_enter(entry, v, claim, r->number, error);
    }
    if (claim->verdict == SB_RIGHT && !entry->resolved) entry->resolved = r->number, r->news->resolved++;
    return true;
}

static bool foreign_entry(const sb_ledger_entry *entry, sb_error *error) {
    return sb_fail(error, SB_MISMATCH,
                   "the ledger is damaged: it has an entry for play %llu, t %llu, but the log does not",
                   (unsigned long long)entry->play, (unsigned long long)entry->t);
}

/* Entries and verdicts are in the same order, so one walk goes through both. */
static bool revise_entries(revision *r, const sb_ledger *ledger, sb_error *error) {
    const sb_ledger_check *check = r->check;
    size_t at = 0;
    for (size_t i = 0; i < check->n; i++) {
        const sb_ledger_verdict *v = &check->verdicts[i];
        for (sb_model_source source = 0; source < SB_MODEL_N_SOURCES; source++) {
            const sb_ledger_entry *old = at < ledger->n ? &ledger->entries[at] : NULL;
            const int order = old ? sb_ledger_compare(v, source, old) : -1;
            if (order > 0) return foreign_entry(old, error);
            if (!revise_claim(r, order == 0 ? old : NULL, v, source, error)) return false;
            at += order == 0;
        }
    }
    return at == ledger->n || foreign_entry(&ledger->entries[at], error);
}

/* Keeps only the last `cap` open entries of each source. */
static void cap_entries(revision *r) {
    size_t open[SB_MODEL_N_SOURCES] = {0}, kept = r->n;
    for (size_t i = r->n; i-- > 0;) {
        sb_ledger_entry *entry = &r->entries[i];
        if (!entry->resolved && ++open[entry->source] > r->check->cap && r->check->cap)
            free(entry->reopened), free(entry->texts);
        else
            r->entries[--kept] = *entry;
    }
    r->n -= kept;
    if (r->n) memmove(r->entries, r->entries + kept, r->n * sizeof *r->entries);
}

static size_t round_up(size_t n_asked) { return (n_asked + 3) / 4 * 4; }

static void count_open(revision *r) {
    for (size_t i = 0; i < r->n; i++) r->news->open += !r->entries[i].resolved;
}

static void compare_verdict(sb_ledger_news *news, size_t index, bool was, bool is) {
    news->fixed += !was && is;
    news->still_wrong += !was && !is;
    news->still_right += was && is;
    if (was && !is) news->broken_at[news->broken++] = index;
}

/* Counts what is right now and was before; returns the new bitmap. */
static bool *compare_passed(revision *r, const sb_ledger *ledger, size_t n_asked) {
    sb_ledger_news *news = r->news;
    bool *passed = calloc(round_up(n_asked) + 1, sizeof *passed);
    news->broken_at = malloc((n_asked + 1) * sizeof *news->broken_at);
    if (!passed || !news->broken_at) return free(passed), NULL;
    size_t k = 0;
    for (size_t i = 0; i < r->check->n; i++) {
        const sb_ledger_verdict *v = &r->check->verdicts[i];
        if (!v->asked) continue;
        if (news->before) compare_verdict(news, i, ledger->passed[k], v->passed);
        news->right += v->passed, news->wrong += !v->passed;
        passed[k++] = v->passed;
    }
    return passed;
}

static bool fits(const sb_ledger *ledger, const sb_ledger_check *check, uint64_t number, size_t n_asked,
                 sb_error *error) {
    if (number > SB_LEDGER_REVISIONS)
        return sb_fail(error, SB_INVALID, "revisions go up to %llu", (unsigned long long)SB_LEDGER_REVISIONS);
    for (size_t i = 1; i < check->n; i++) {
        const sb_ledger_verdict *a = &check->verdicts[i - 1], *b = &check->verdicts[i];
        if (a->play > b->play || (a->play == b->play && a->t >= b->t))
            return sb_fail(error, SB_INVALID, "the log has play %llu, t %llu twice or not in order",
                           (unsigned long long)b->play, (unsigned long long)b->t);
    }
    if (!ledger->revision) return true;
    if (strcmp(ledger->log_sha256, check->log_sha256) != 0)
        return sb_fail(error, SB_MISMATCH,
                       "the ledger is of another log (SHA-256 %.12s..., not %.12s...): name that log, or another file "
                       "for the ledger",
                       ledger->log_sha256, check->log_sha256);
    if (number <= ledger->revision)
        return sb_fail(error, SB_INVALID, "the ledger has revision %llu already; the next one is %llu",
                       (unsigned long long)ledger->revision, (unsigned long long)ledger->revision + 1);
    bool same = ledger->n_passed == round_up(n_asked);
    for (size_t i = n_asked; same && i < ledger->n_passed; i++) same = !ledger->passed[i];
    return same || sb_fail(error, SB_MISMATCH,
                           "the ledger is damaged: `passed` is not of the %zu transitions of the log", n_asked);
}

bool sb_ledger_revise(sb_ledger *ledger, const sb_ledger_check *check, sb_ledger_news *news, sb_error *error) {
    const uint64_t number = check->revision ? check->revision : ledger->revision + 1;
    revision r = {.check = check, .number = number, .news = news};
    size_t n_asked = 0;
    for (size_t i = 0; i < check->n; i++) n_asked += check->verdicts[i].asked;
    *news = (sb_ledger_news){.revision = number, .before = ledger->revision};
    if (!fits(ledger, check, number, n_asked, error)) return false;
    bool *passed = compare_passed(&r, ledger, n_asked);
    if (!passed) return no_memory(error);
    if (!revise_entries(&r, ledger, error)) {
        free_entries(r.entries, r.n);
        free(passed);
        return false;
    }
    cap_entries(&r);
    count_open(&r);
    sb_ledger_free(ledger);
    *ledger = (sb_ledger){
        .revision = number, .entries = r.entries, .n = r.n, .passed = passed, .n_passed = round_up(n_asked)};
    memcpy(ledger->log_sha256, check->log_sha256, SB_SHA256_HEX);
    return true;
}
