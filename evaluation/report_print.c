#include "evaluation/report_print.h"

#include "base/error.h"
#include "engine/lookup.h"
#include "evaluation/report_tables.h"

static void print_table(const sb_table *table, sb_report_form form, bool first, sb_out *out) {
    if (form == SB_REPORT_JSON) {
        sb_put_comma(out);
        sb_table_print_json(table, out);
    } else if (form == SB_REPORT_MARKDOWN) {
        sb_table_print_markdown(table, out);
    } else {
        if (!first) sb_putc(out, '\n');
        sb_table_print_text(table, out);
    }
}

/* Why a result has no score of a kind; NULL: it has one, or cannot have one. */
static const char *missing_of(const sb_report *r, size_t i, sb_score_kind kind) {
    const sb_summary *s = &r->entries[i].summary;
    return s->scores[kind].known || s->only_tests ? NULL : s->scores[kind].missing;
}

/* The first result from the i-th on that lacks the score for this reason; r->n: there is none. */
static size_t next_lacking(const sb_report *r, size_t i, sb_score_kind kind, const char *why) {
    for (const char *other; i < r->n; i++)
        if ((other = missing_of(r, i, kind)) && strcmp(other, why) == 0) break;
    return i;
}

/* Writes a line for each reason why scores are missing, with all the agents that it holds for. */
static void print_missing(const sb_report *r, sb_out *out) {
    const size_t begun = out->size;
    for (sb_score_kind kind = 0; kind < SB_N_SCORES; kind++)
        for (size_t i = 0; i < r->n; i++) {
            const char *why = missing_of(r, i, kind);
            if (!why || next_lacking(r, 0, kind, why) < i) continue; /* that reason was told */
            sb_putf(out, "%s%s of ", out->size == begun ? "\n" : "", sb_score_names[kind]);
            for (size_t k = i; k < r->n; k = next_lacking(r, k + 1, kind, why))
                sb_putf(out, "%s%s", k == i ? "" : ", ", r->entries[k].results.agent);
            sb_putf(out, ": %s\n", why);
        }
}

static void print_salts(const sb_report *r, sb_out *out) {
    if (r->salts_differ)
        sb_puts(out, "results of the same name have different salts, so they are separate runs, not parts of one\n");
}

static void print_other_families(const sb_report *r, sb_out *out) {
    for (const sb_family *const *family = sb_families; *family; family++) {
        bool played = false;
        for (size_t i = 0; i < r->n; i++) played |= sb_has_family(&r->entries[i].results, *family);
        if (played && *family != r->family)
            sb_putf(out, "not shown: episodes of %s (--family %s)\n", (*family)->name, (*family)->name);
    }
}

static void print_left_out(const sb_report *r, sb_out *out) {
    if (!r->options->published && sb_report_leaves_out_published(r))
        sb_puts(out, "published numbers to compare with: --published all, or parts of agents' names\n");
}

static void print_remarks(const sb_report *r, sb_out *out) {
    print_missing(r, out), print_salts(r, out), print_other_families(r, out), print_left_out(r, out);
}

bool sb_report_print(const sb_report *report, sb_report_form form, sb_out *out, sb_error *error) {
    if (form == SB_REPORT_HTML) return sb_report_page(report, out, error);
    bool ok = true;
    if (form == SB_REPORT_JSON) sb_puts(out, "[");
    for (int which = 0; which < SB_REPORT_TABLES && ok; which++) {
        sb_table table;
        sb_report_table(report, which, &table);
        ok = sb_out_ok(&table.text);
        if (ok && table.cells) print_table(&table, form, which == 0, out);
        sb_table_free(&table);
    }
    if (form == SB_REPORT_JSON) sb_puts(out, "]\n");
    if (form == SB_REPORT_TEXT) print_remarks(report, out);
    return (ok && sb_out_ok(out)) || sb_fail(error, SB_MEMORY, "out of memory for the report");
}
