#include "evaluation/models/check_page.h"

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "evaluation/models/frames_page.h"
#include "evaluation/table.h"

/* ---- Documents that the build embeds in the program (cmake/embed.cmake) ---- */

extern const unsigned char sb_shipped_check_style[],
    sb_shipped_check_script[]; /* evaluation/models/check_page.css, .js */
extern const size_t sb_shipped_check_style_size, sb_shipped_check_script_size;

void sb_check_page_free(sb_check_page *page) {
    sb_out_free(&page->plays), sb_out_free(&page->wrong);
    *page = (sb_check_page){0};
}

/* ---- Wrong transitions ------------------------------------------------------------------------------------------- */

static void put_play(sb_check_page *page, const sb_log_play *play) {
    sb_out *out = &page->plays;
    if (page->n_plays++) sb_puts(out, ", ");
    sb_puts(out, "{");
    sb_member_text(out, "name", play->name);
    sb_member_int(out, "width", play->shape.width);
    sb_member_int(out, "height", play->shape.height);
    if (play->palette.n) sb_put_key(out, "colours"), sb_put(out, play->palette.at, play->palette.n);
    sb_puts(out, "}");
}

/* Puts a frame as a text of signs, as in logs; null after a failure. */
static void put_frame(sb_out *out, const char *key, const sb_frame_shape *shape, const uint8_t *frame) {
    sb_put_key(out, key);
    if (!frame) {
        sb_puts(out, "null");
        return;
    }
    sb_puts(out, "\"");
    sb_put_frame(out, shape, frame);
    sb_puts(out, "\"");
}

static void put_fields(sb_out *out, const sb_leaves *fields) {
    sb_put_key(out, "fields");
    sb_puts(out, "[");
    for (size_t i = 0; i < fields->n_wrong && i < SB_MODEL_WRONG; i++) {
        sb_put_comma(out);
        sb_put_json_string(out, fields->wrong[i]);
    }
    sb_puts(out, "]");
}

/* What the picture in the middle shows: the prediction, or the frame that was encoded and rendered if only that is
 * wrong. */
static void put_claim(sb_out *out, const sb_model_verdict *v) {
    const bool only_observed = v->right[SB_MODEL_PREDICTED] && !v->right[SB_MODEL_RENDERED];
    const sb_model_source source = !v->right[SB_MODEL_ERROR] ? SB_MODEL_ERROR
                                   : only_observed           ? SB_MODEL_RENDERED
                                                             : SB_MODEL_PREDICTED;
    sb_member_text(out, "source", sb_model_source_names[source]);
    sb_member_text(out, "owner", sb_model_owner_names[v->owner]);
    if (source == SB_MODEL_ERROR) sb_member_text(out, "failed", sb_model_op_names[v->failed]);
    sb_member_bool(out, "done", v->done);
    sb_member_bool(out, "over", v->over);
    put_frame(out, "predicted", &v->played->shape, only_observed ? v->observed : v->predicted);
}

static void put_wrong(sb_check_page *page, const sb_model_verdict *v) {
    const sb_log_transition *t = v->transition;
    sb_out *out = &page->wrong;
    if (page->shown++) sb_puts(out, ",\n");
    sb_puts(out, "{");
    sb_member_uint(out, "play", page->n_plays - 1);
    sb_member_text(out, "log", v->log->path);
    sb_member_uint(out, "line", t->line);
    sb_member_uint(out, "t", t->t);
    sb_member_int(out, "level", t->level);
    sb_member_text(out, "action", t->action.name);
    if (t->action.is_click) sb_member_int(out, "x", t->action.x), sb_member_int(out, "y", t->action.y);
    sb_member_text(out, "kind", sb_transition_names[t->kind]);
    put_claim(out, v);
    put_frame(out, "before", &v->played->shape, t->before);
    put_frame(out, "real", &v->played->shape, t->last);
    sb_member_uint(out, "cells", v->n_cells);
    put_fields(out, &v->fields);
    sb_puts(out, "}");
}

static bool is_wrong(const sb_model_verdict *v) {
    bool right = true;
    for (int s = 0; s < SB_MODEL_N_SOURCES; s++) right &= v->right[s];
    return v->is_asked && !right;
}

bool sb_check_page_visit(void *context, const sb_model_verdict *verdict, sb_error *error) {
    sb_check_page *page = context;
    if (!is_wrong(verdict)) return true;
    if (page->wrong.size > SB_CHECK_PAGE_BYTES) return page->left_out++, true;
    page->plays.grows = page->wrong.grows = true;
    if (!page->n_plays || page->last_play != verdict->play) put_play(page, verdict->played);
    page->last_play = verdict->play;
    put_wrong(page, verdict);
    return (sb_out_ok(&page->plays) && sb_out_ok(&page->wrong)) ||
           sb_fail(error, SB_MEMORY, "out of memory for the page");
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

static void add_share(sb_table *t, double part, uint64_t of) { sb_table_add_share(t, part, of, 4, ""); }

static void add_count(sb_table *t, uint64_t n) { sb_put_uint(sb_table_cell(t), n); }

static void add_sums(sb_table *t, const char *name, const sb_model_sums *s) {
    sb_table_add(t, name);
    add_count(t, s->asked);
    add_share(t, (double)s->right, s->asked), add_share(t, (double)s->observed, s->asked);
    add_share(t, s->pixels, s->asked), add_share(t, s->changes, s->asked);
    add_share(t, (double)s->fields_equal, s->fields_of), add_share(t, s->objects, s->asked);
    add_share(t, s->histogram, s->asked), add_share(t, s->surprise, s->asked);
    add_share(t, (double)s->horizon_steps, s->horizons), add_share(t, (double)s->horizons_full, s->horizons);
}

static sb_table sums_table(const char *title, const char *what) {
    static const char *const heads[] = {"asked",   "retrodiction", "observed",       "pixels",  "changes",     "fields",
                                        "objects", "histogram",    "surprise, bits", "horizon", "full horizon"};
    enum { HEADS = sizeof heads / sizeof *heads };
    sb_table t = sb_table_of(title, HEADS + 1, 1);
    sb_table_add(&t, what);
    for (size_t i = 0; i < HEADS; i++) sb_table_add(&t, heads[i]);
    return t;
}

/* Writes the table and frees it. */
static void put_table(sb_table *table, sb_out *out) {
    sb_puts(out, "<h2>");
    sb_put_html(out, table->title);
    sb_puts(out, "</h2>\n");
    if (!sb_out_ok(&table->text)) out->failed = true;
    sb_table_print_html(table, out);
    sb_table_free(table);
}

static void put_figures(const sb_model_report *r, sb_out *out) {
    sb_table t = sums_table("Figures", "");
    add_sums(&t, "the model", &r->all);
    if (r->copy.transitions) add_sums(&t, "copy", &r->copy), add_sums(&t, "table", &r->table);
    snprintf(t.note, sizeof t.note,
             "copy: nothing changes. table: what this frame and action led to the last time. "
             "docs/world-models.md says what is measured.");
    put_table(&t, out);
}

static void put_parts(const char *title, const char *what, const sb_model_parts *parts, sb_out *out) {
    sb_table t = sums_table(title, what);
    for (size_t i = 0; i < parts->n; i++) add_sums(&t, parts->items[i].name, &parts->items[i].sums);
    put_table(&t, out);
}

static void add_ends(sb_table *t, const char *name, const sb_ends *e) {
    sb_table_add(t, name);
    add_count(t, e->match), add_count(t, e->missed), add_count(t, e->false_positive), add_count(t, e->agree_none);
}

static void put_ends(const sb_model_report *r, sb_out *out) {
    static const char *const heads[] = {"", "match", "missed", "false", "rightly none"};
    sb_table t = sb_table_of("Ends", 5, 1);
    for (size_t i = 0; i < 5; i++) sb_table_add(&t, heads[i]);
    add_ends(&t, "level completed", &r->all.done), add_ends(&t, "game over", &r->all.over);
    put_table(&t, out);
}

static void put_answers(const sb_model_report *r, sb_out *out) {
    static const char *const heads[] = {"operation", "owner", "asked", "failed", "asked twice", "impure"};
    sb_table t = sb_table_of("Answers", 6, 2);
    for (size_t i = 0; i < 6; i++) sb_table_add(&t, heads[i]);
    for (int op = 0; op < SB_MODEL_N_OPS; op++) {
        if (!r->asked[op]) continue;
        sb_table_add(&t, sb_model_op_names[op]);
        sb_table_add(&t, sb_model_owner_names[sb_model_owner_of((sb_model_op)op)]);
        add_count(&t, r->asked[op]), add_count(&t, r->failures[op]);
        add_count(&t, r->twice[op]), add_count(&t, r->impure[op]);
    }
    if (*r->failure) snprintf(t.note, sizeof t.note, "The first failure: %s", r->failure);
    put_table(&t, out);
}

static void put_policies(const sb_model_matrix *m, sb_out *out) {
    static const char *const heads[] = {"policy", "sub-goal", "model", "world", "both"};
    sb_table t = sb_table_of("Policies and sub-goals", 5, 2);
    for (size_t i = 0; i < 5; i++) sb_table_add(&t, heads[i]);
    for (size_t i = 0; i < m->n_policies; i++)
        for (size_t g = 0; g < m->n_sub_goals; g++) {
            const sb_model_reached *reached = &m->reached[i][g];
            sb_table_add(&t, m->policies[i]), sb_table_add(&t, m->sub_goals[g]);
            add_count(&t, reached->model), add_count(&t, reached->real), add_count(&t, reached->both);
        }
    snprintf(t.note, sizeof t.note,
             "In how many of %u starts a policy reached a sub-goal. %u rollouts ended early because an operation "
             "failed.%s",
             m->starts, m->failures,
             m->n_policies && m->n_sub_goals ? "" : " The model offers no policies with sub-goals.");
    put_table(&t, out);
}

static void put_news(const sb_ledger_news *news, sb_out *out) {
    static const char *const heads[] = {"revision", "fixed",    "broken",   "still right", "still wrong",
                                        "opened",   "resolved", "reopened", "open"};
    enum { HEADS = sizeof heads / sizeof *heads };
    const size_t counts[] = {news->fixed,  news->broken,   news->still_right, news->still_wrong,
                             news->opened, news->resolved, news->reopened,    news->open};
    sb_table t = sb_table_of("Ledger", HEADS, 1);
    for (size_t i = 0; i < HEADS; i++) sb_table_add(&t, heads[i]);
    sb_put_uint(sb_table_cell(&t), news->revision);
    for (size_t i = 0; i < HEADS - 1; i++) add_count(&t, counts[i]);
    if (news->before)
        snprintf(t.note, sizeof t.note, "Since revision %llu. opened, resolved, reopened, open: entries of the ledger.",
                 (unsigned long long)news->before);
    else
        snprintf(t.note, sizeof t.note, "The first revision: nothing can be fixed or broken yet.");
    put_table(&t, out);
}

static void add_broken(sb_table *t, const sb_verdicts *verdicts, size_t index) {
    const sb_ledger_verdict *v = &verdicts->items[index];
    sb_model_source source;
    const sb_ledger_claim *claim = sb_verdict_wrong_claim(v, &source);
    sb_table_add(t, verdicts->names[v->play]);
    sb_table_add(t, v->words);
    sb_table_add(t, sb_model_source_names[source]), sb_table_add(t, sb_model_owner_names[claim->owner]);
    sb_out *fields = sb_table_cell(t);
    for (size_t i = 0; i < claim->n_fields && i < 3; i++) sb_putf(fields, "%s%s", i ? ", " : "", claim->fields[i]);
    add_count(t, v->play), add_count(t, v->t), add_count(t, v->level);
}

static void put_broken(const sb_ledger_news *news, const sb_verdicts *verdicts, sb_out *out) {
    enum { COLUMNS = 8, MOST = 1000 };
    static const char *const heads[COLUMNS] = {"game", "action", "source", "owner", "fields", "play", "t", "level"};
    sb_table t = sb_table_of("Broken", COLUMNS, 5);
    for (size_t i = 0; i < COLUMNS; i++) sb_table_add(&t, heads[i]);
    for (size_t i = 0; i < news->broken && i < MOST; i++) add_broken(&t, verdicts, news->broken_at[i]);
    if (news->broken > MOST) snprintf(t.note, sizeof t.note, "And %zu more, which --json lists.", news->broken - MOST);
    put_table(&t, out);
}

/* ---- The page ---------------------------------------------------------------------------------------------------- */

static const char viewer[] =
    "<section id=\"wrong\" hidden>\n<h2>Wrong frames</h2>\n"
    "<div class=\"row\"><label>game <select id=\"game\"></select></label></div>\n"
    "<div class=\"row\"><button id=\"back\" type=\"button\" aria-label=\"the wrong frame before\">&#8592;</button>"
    "<button id=\"on\" type=\"button\" aria-label=\"the next wrong frame\">&#8594;</button>"
    "<input id=\"at\" type=\"range\" min=\"0\" max=\"0\" value=\"0\" aria-label=\"wrong frame\"></div>\n"
    "<p id=\"said\" aria-live=\"polite\"></p>\n<p id=\"fields\" class=\"soft\"></p>\n" SB_FRAMES_FIGURES
    "<p class=\"note\">Keys: left and right for the wrong frame before and the next one, home and end for the "
    "first and the last.</p>\n</section>\n";

static void put_head(const sb_check_page *page, const sb_model_report *report, sb_out *out) {
    const sb_model_sums *all = &report->all;
    sb_out style = sb_out_growing();
    sb_page_begin(out, "Seedbed: a model checked",
                  sb_frames_page_style(&style, (sb_page_part){sb_shipped_check_style, sb_shipped_check_style_size}));
    sb_out_free(&style);
    sb_puts(out, "<h1>");
    sb_put_html(out, *report->name ? report->name : "A model");
    if (*report->version) sb_puts(out, " "), sb_put_html(out, report->version);
    sb_putf(out,
            ", checked</h1>\n<p class=\"soft\">%zu play%s, %llu transitions; %llu of %llu next frames were right "
            "(retrodiction %.4f)",
            report->plays, sb_plural(report->plays), (unsigned long long)all->transitions,
            (unsigned long long)all->right, (unsigned long long)all->asked, sb_model_retrodiction(all));
    if (page->left_out)
        sb_putf(out, "; the page shows the first %zu wrong ones, %zu more are left out", page->shown, page->left_out);
    sb_puts(out, ".</p>\n");
}

static bool put_data(const sb_check_page *page, sb_out *out, sb_error *error) {
    sb_out data = sb_out_growing();
    sb_puts(&data, "{");
    bool ok = sb_frames_page_put_colours(&data, error);
    sb_put_key(&data, "plays");
    sb_puts(&data, "["), sb_put_out(&data, &page->plays), sb_puts(&data, "]");
    sb_put_key(&data, "wrong");
    sb_puts(&data, "["), sb_put_out(&data, &page->wrong), sb_puts(&data, "]}");
    ok = ok && sb_page_packed_data(out, &data, error);
    sb_out_free(&data);
    return ok;
}

bool sb_check_page_put(const sb_check_page *page, const sb_model_report *report, sb_out *out, sb_error *error) {
    put_head(page, report, out);
    put_figures(report, out);
    sb_puts(out, viewer);
    if (report->games.n > 1) put_parts("Games", "game", &report->games, out);
    put_parts("Levels", "level", &report->levels, out);
    put_parts("Actions", "action", &report->actions, out);
    put_ends(report, out);
    put_answers(report, out);
    if (page->policies) put_policies(page->policies, out);
    if (page->news) put_news(page->news, out);
    if (page->news && page->news->broken) put_broken(page->news, page->verdicts, out);
    if (!put_data(page, out, error)) return false;
    sb_out script = sb_out_growing();
    sb_page_end(out,
                sb_frames_page_script(&script, (sb_page_part){sb_shipped_check_script, sb_shipped_check_script_size}));
    sb_out_free(&script);
    return sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for the page");
}
