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

/* Puts the agents from the i-th on that lack the score for the same reason; false if one before was among them. */
static bool put_lacking(const sb_report *r, size_t i, sb_score_kind kind, sb_out *out) {
    const char *why = missing_of(r, i, kind), *other;
    for (size_t k = 0; k < i; k++)
        if ((other = missing_of(r, k, kind)) && strcmp(other, why) == 0) return false;
    sb_putf(out, "%s of %s", sb_score_names[kind], r->entries[i].results.agent);
    for (size_t k = i + 1; k < r->n; k++)
        if ((other = missing_of(r, k, kind)) && strcmp(other, why) == 0)
            sb_putf(out, ", %s", r->entries[k].results.agent);
    return true;
}

static void print_missing(const sb_report *r, sb_out *out) {
    const size_t begun = out->size;
    for (sb_score_kind kind = 0; kind < SB_N_SCORES; kind++)
        for (size_t i = 0; i < r->n; i++) {
            if (!missing_of(r, i, kind)) continue;
            if (out->size == begun) sb_putc(out, '\n');
            if (put_lacking(r, i, kind, out)) sb_putf(out, ": %s\n", missing_of(r, i, kind));
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
