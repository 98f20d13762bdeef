#include "cli/model.h"

#include "base/error.h"

enum { NAMED = 20 /* broken transitions that are named in text */ };

/* ---- Files ------------------------------------------------------------------------------------------------------- */

const char *cli_books_wrong(const cli_books_options *o, bool is_split) {
    if (is_split && (o->ledger || o->html)) return "--ledger and --html are for a check without --split";
    if (o->ledger && cli_is_dash(o->ledger)) return "--ledger wants a file, which is read and written";
    if (!o->ledger && (o->gate || o->revision || o->cap)) return "--gate, --revision and --cap are for a --ledger FILE";
    return NULL;
}

bool cli_books_open(cli_books *books, const cli_books_options *options, sb_error *error) {
    *books = (cli_books){.options = options};
    return cli_output_open(&books->ledger_file, options->ledger, error) &&
           cli_output_open(&books->page_file, options->html, error) &&
           (!options->ledger || sb_ledger_load(&books->ledger, options->ledger, error));
}

bool cli_books_visit(void *context, const sb_model_verdict *verdict, sb_error *error) {
    cli_books *books = context;
    return (!books->options->ledger || sb_verdicts_visit(&books->verdicts, verdict, error)) &&
           (!books->options->html || sb_check_page_visit(&books->page, verdict, error));
}

static bool write_ledger(cli_books *books, const sb_log *logs, size_t n, sb_error *error) {
    sb_out text = sb_out_growing();
    sb_ledger_check check = {.revision = books->options->revision, .cap = (size_t)books->options->cap};
    bool ok = sb_verdicts_check(&books->verdicts, logs, n, &check, error) &&
              (sb_ledger_revise(&books->ledger, &check, &books->news, error) ||
               sb_fail_at(error, "%s", sb_path_end(books->options->ledger)));
    if (ok) sb_ledger_put(&books->ledger, &text);
    ok = ok && cli_output_save(&books->ledger_file, &text, error);
    sb_out_free(&text);
    return ok;
}

static bool write_page(cli_books *books, const sb_model_report *report, const sb_model_matrix *policies,
                       sb_error *error) {
    books->page.policies = policies;
    if (books->options->ledger) books->page.news = &books->news, books->page.verdicts = &books->verdicts;
    sb_out page = sb_out_growing();
    const bool ok = sb_check_page_put(&books->page, report, &page, error) &&
                    cli_output_put(&books->page_file, books->options->html, &page, error);
    sb_out_free(&page);
    return ok;
}

bool cli_books_write(cli_books *books, const sb_log *logs, size_t n, const sb_model_report *report,
                     const sb_model_matrix *policies, sb_error *error) {
    return (!books->options->ledger || write_ledger(books, logs, n, error)) &&
           (!books->options->html || write_page(books, report, policies, error));
}

void cli_books_close(cli_books *books) {
    sb_file_discard(&books->ledger_file), sb_file_discard(&books->page_file);
    sb_verdicts_free(&books->verdicts);
    sb_check_page_free(&books->page);
    sb_ledger_free(&books->ledger);
    sb_ledger_news_free(&books->news);
}

/* ---- What was fixed and broken ----------------------------------------------------------------------------------- */

static void put_broken_line(const cli_books *books, size_t index, sb_out *out) {
    const sb_ledger_verdict *v = &books->verdicts.items[index];
    sb_model_source source;
    const sb_ledger_claim *claim = sb_verdict_wrong_claim(v, &source);
    sb_putf(out, "  broken: %s (play %llu), t %llu, level %llu, %s: %s of %s", books->verdicts.names[v->play],
            (unsigned long long)v->play, (unsigned long long)v->t, (unsigned long long)v->level, v->words,
            sb_model_source_names[source], sb_model_owner_names[claim->owner]);
    for (size_t i = 0; i < claim->n_fields && i < 3; i++) {
        sb_puts(out, i ? ", " : ": ");
        sb_put_visible(out, claim->fields[i]);
    }
    sb_puts(out, "\n");
}

void cli_books_put_text(const cli_books *books, sb_out *out) {
    const sb_ledger_news *news = &books->news;
    if (!books->options->ledger) return;
    sb_put_visible(out, books->options->ledger);
    sb_putf(out, ": revision %llu", (unsigned long long)news->revision);
    if (news->before)
        sb_putf(out, " after %llu: %zu fixed, %zu broken, %zu still right, %zu still wrong",
                (unsigned long long)news->before, news->fixed, news->broken, news->still_right, news->still_wrong);
    sb_putf(out, "; %zu entries opened, %zu resolved, %zu reopened, %zu open\n", news->opened, news->resolved,
            news->reopened, news->open);
    for (size_t i = 0; i < news->broken && i < NAMED; i++) put_broken_line(books, news->broken_at[i], out);
    if (news->broken > NAMED) sb_putf(out, "  and %zu more, which --json lists\n", news->broken - NAMED);
}

static void put_broken(const cli_books *books, size_t index, sb_out *out) {
    const sb_ledger_verdict *v = &books->verdicts.items[index];
    sb_model_source source;
    const sb_ledger_claim *claim = sb_verdict_wrong_claim(v, &source);
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_text(out, "name", books->verdicts.names[v->play]);
    sb_member_uint(out, "play", v->play);
    sb_member_uint(out, "t", v->t);
    sb_member_uint(out, "level", v->level);
    sb_put_key(out, "action");
    sb_puts(out, v->action);
    sb_member_text(out, "source", sb_model_source_names[source]);
    sb_member_text(out, "owner", sb_model_owner_names[claim->owner]);
    sb_member_texts(out, "fields", claim->fields, claim->n_fields);
    sb_puts(out, "}");
}

void cli_books_put_json(const cli_books *books, sb_out *out) {
    const sb_ledger_news *news = &books->news;
    if (!books->options->ledger) return;
    sb_put_key(out, "ledger");
    sb_puts(out, "{");
    sb_member_uint(out, "revision", news->revision);
    sb_put_key(out, "before");
    if (news->before)
        sb_put_uint(out, news->before);
    else
        sb_puts(out, "null");
    sb_member_uint(out, "fixed", news->fixed);
    sb_member_uint(out, "broken", news->broken);
    sb_member_uint(out, "still_right", news->still_right);
    sb_member_uint(out, "still_wrong", news->still_wrong);
    sb_member_uint(out, "opened", news->opened);
    sb_member_uint(out, "resolved", news->resolved);
    sb_member_uint(out, "reopened", news->reopened);
    sb_member_uint(out, "open", news->open);
    sb_put_key(out, "broken_transitions");
    sb_puts(out, "[");
    for (size_t i = 0; i < news->broken; i++) put_broken(books, news->broken_at[i], out);
    sb_puts(out, "]}");
}

int cli_books_status(const cli_books *books, int status) {
    if (!books->options->gate) return status;
    return books->news.broken ? CLI_FOUND : CLI_OK;
}
