#include "evaluation/models/report_print.h"

#include "base/visible.h"

void sb_put_action_words(sb_out *out, const sb_log_action *action) {
    sb_put_visible(out, action->name);
    if (action->is_click) sb_putf(out, " %d %d", action->x, action->y);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void member_ends(sb_out *out, const char *key, const sb_ends *ends) {
    sb_put_key(out, key);
    sb_puts(out, "{");
    sb_member_uint(out, "match", ends->match);
    sb_member_uint(out, "missed", ends->missed);
    sb_member_uint(out, "false_positive", ends->false_positive);
    sb_member_uint(out, "agree_none", ends->agree_none);
    sb_puts(out, "}");
}

void sb_model_sums_put(const sb_model_sums *s, sb_out *out) {
    sb_member_uint(out, "transitions", s->transitions);
    sb_member_uint(out, "asked", s->asked);
    sb_member_share(out, "retrodiction", (double)s->right, s->asked);
    sb_member_share(out, "observed", (double)s->observed, s->asked);
    sb_member_share(out, "pixels", s->pixels, s->asked);
    sb_member_share(out, "changes", s->changes, s->asked);
    sb_member_share(out, "fields", (double)s->fields_equal, s->fields_of);
    sb_member_share(out, "objects", s->objects, s->asked);
    sb_member_share(out, "histogram", s->histogram, s->asked);
    member_ends(out, "done", &s->done), member_ends(out, "over", &s->over);
    sb_member_share(out, "events", (double)s->events_right, s->events_said);
    sb_put_key(out, "horizon");
    sb_puts(out, "{");
    sb_member_uint(out, "plays", s->horizons);
    sb_member_share(out, "mean", (double)s->horizon_steps, s->horizons);
    sb_member_share(out, "full", (double)s->horizons_full, s->horizons);
    sb_puts(out, "}");
    sb_member_share(out, "surprise", s->surprise, s->asked);
}

static void member_sums(sb_out *out, const char *key, const sb_model_sums *sums) {
    sb_put_key(out, key);
    sb_puts(out, "{");
    sb_model_sums_put(sums, out);
    sb_puts(out, "}");
}

static void member_parts(sb_out *out, const char *key, const sb_model_parts *parts) {
    sb_put_key(out, key);
    sb_puts(out, "[");
    for (size_t i = 0; i < parts->n; i++) {
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_text(out, "name", parts->items[i].name);
        sb_model_sums_put(&parts->items[i].sums, out);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

static void member_wrong(sb_out *out, const sb_model_mismatch *m) {
    sb_put_key(out, "cells");
    sb_puts(out, "[");
    for (size_t i = 0; i < m->n_cells && i < SB_MODEL_WRONG; i++) {
        const sb_wrong_cell *c = &m->cells[i];
        sb_put_comma(out);
        sb_putf(out, "[%d, %d, %d, %d, %d]", c->y, c->x, c->was, c->predicted, c->real);
    }
    sb_puts(out, "]");
    sb_member_uint(out, "n_cells", m->n_cells);
    sb_put_key(out, "fields");
    sb_puts(out, "[");
    for (size_t i = 0; i < m->fields.n_wrong && i < SB_MODEL_WRONG; i++)
        sb_put_comma(out), sb_put_json_string(out, m->fields.wrong[i]);
    sb_puts(out, "]");
    sb_member_uint(out, "n_fields", m->fields.n_wrong);
}

static void member_first(sb_out *out, const sb_model_mismatch *m) {
    sb_put_key(out, "first_mismatch");
    if (!m->is_any) {
        sb_puts(out, "null");
        return;
    }
    sb_puts(out, "{");
    sb_member_uint(out, "play", m->play);
    sb_member_text(out, "path", m->path), sb_member_uint(out, "line", m->line);
    sb_member_text(out, "game", m->game);
    sb_member_uint(out, "t", m->t), sb_member_int(out, "level", m->level);
    sb_put_key(out, "action");
    sb_put_log_action(out, &m->action);
    sb_member_text(out, "source", sb_model_source_names[m->source]);
    sb_member_text(out, "owner", sb_model_owner_names[m->owner]);
    if (m->source == SB_MODEL_ERROR) {
        sb_member_text(out, "op", sb_model_op_names[m->failed]);
        sb_member_text(out, "why", m->why);
    }
    sb_member_bool(out, "done", m->done);
    sb_member_bool(out, "over", m->over), sb_member_bool(out, "real_over", m->real_over);
    member_wrong(out, m);
    sb_puts(out, "}");
}

static void member_counts(sb_out *out, const char *key, const uint64_t counts[SB_MODEL_N_OPS]) {
    sb_put_key(out, key);
    sb_puts(out, "{");
    for (int op = 0; op < SB_MODEL_N_OPS; op++)
        if (counts[op]) sb_member_uint(out, sb_model_op_names[op], counts[op]);
    sb_puts(out, "}");
}

void sb_model_report_put(const sb_model_report *r, sb_out *out) {
    sb_member_text(out, "format", SB_MODEL_REPORT_FORMAT);
    sb_member_int(out, "version", 1);
    sb_put_key(out, "model");
    sb_puts(out, "{");
    sb_member_text(out, "name", r->name), sb_member_text(out, "version", r->version);
    sb_puts(out, "}");
    sb_member_uint(out, "plays", r->plays);
    member_sums(out, "all", &r->all), member_sums(out, "copy", &r->copy), member_sums(out, "table", &r->table);
    member_parts(out, "levels", &r->levels), member_parts(out, "actions", &r->actions);
    member_parts(out, "games", &r->games);
    member_first(out, &r->first);
    sb_put_key(out, "faults");
    sb_puts(out, "{");
    for (int i = 0; i < SB_N_OWNERS; i++) sb_member_uint(out, sb_model_owner_names[i], r->faults[i]);
    sb_puts(out, "}");
    member_counts(out, "asked", r->asked), member_counts(out, "failures", r->failures);
    member_counts(out, "asked_twice", r->twice), member_counts(out, "impure", r->impure);
    sb_member_uint(out, "restarts", r->restarts);
    sb_put_key(out, "first_failure");
    if (*r->failure)
        sb_put_json_string(out, r->failure);
    else
        sb_puts(out, "null");
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

static void put_share(sb_out *out, double part, uint64_t of) {
    if (of)
        sb_putf(out, "  %6.4f", part / (double)of);
    else
        sb_puts(out, "       -");
}

static void put_row(sb_out *out, const char *name, const sb_model_sums *s) {
    char room[32];
    sb_putf(out, "  %-30s %6llu", sb_copy_plain(room, sizeof room, name), (unsigned long long)s->asked);
    put_share(out, (double)s->right, s->asked), put_share(out, (double)s->observed, s->asked);
    put_share(out, s->pixels, s->asked), put_share(out, s->changes, s->asked);
    put_share(out, (double)s->fields_equal, s->fields_of), put_share(out, s->objects, s->asked);
    put_share(out, s->surprise, s->asked);
    if (s->horizons)
        sb_putf(out, "  %7.1f  %6.4f", (double)s->horizon_steps / (double)s->horizons,
                (double)s->horizons_full / (double)s->horizons);
    sb_puts(out, "\n");
}

static void put_head(sb_out *out, const char *what) {
    sb_putf(out, "\n  %-30s  asked  retrod  observ  pixels changes  fields objects surpris  horizon    full\n", what);
}

static void put_parts(sb_out *out, const char *what, const sb_model_parts *parts) {
    put_head(out, what);
    for (size_t i = 0; i < parts->n; i++) put_row(out, parts->items[i].name, &parts->items[i].sums);
}

static void put_legend(sb_out *out) {
    sb_puts(out,
            "retrod: retrodiction, the share of next frames with every cell right; observ: observed, of frames seen; "
            "pixels,\nchanges (F1), fields, objects: how near they come; surpris: surprise in bits; horizon: steps "
            "until it is first wrong,\nfed with its own predictions; full: the share of plays of a level that never "
            "are (docs/world-models.md).\n");
}

static void put_ends(sb_out *out, const char *what, const sb_ends *e) {
    sb_putf(out, "%s: %llu match, %llu missed, %llu false, %llu rightly none\n", what, (unsigned long long)e->match,
            (unsigned long long)e->missed, (unsigned long long)e->false_positive, (unsigned long long)e->agree_none);
}

static void put_wrong(sb_out *out, const sb_model_mismatch *m) {
    for (size_t i = 0; i < m->n_cells && i < SB_MODEL_WRONG; i++) {
        const sb_wrong_cell *c = &m->cells[i];
        sb_putf(out, "  row %d, column %d: was %d, predicted %d, real %d\n", c->y, c->x, c->was, c->predicted, c->real);
    }
    if (m->n_cells > SB_MODEL_WRONG) sb_putf(out, "  and %zu more cells\n", m->n_cells - SB_MODEL_WRONG);
    for (size_t i = 0; i < m->fields.n_wrong && i < SB_MODEL_WRONG; i++)
        sb_puts(out, "  field "), sb_put_visible(out, m->fields.wrong[i]), sb_puts(out, "\n");
}

static void put_first(sb_out *out, const sb_model_mismatch *m) {
    sb_puts(out, "\nFirst mismatch: ");
    sb_put_visible(out, m->path), sb_putf(out, ", line %zu, ", m->line), sb_put_visible(out, m->game);
    sb_putf(out, ", t %u, level %d, ", m->t, m->level), sb_put_action_words(out, &m->action);
    sb_putf(out, ": %s, owner %s\n", sb_model_source_names[m->source], sb_model_owner_names[m->owner]);
    if (*m->why) sb_puts(out, "  "), sb_put_visible(out, m->why), sb_puts(out, "\n");
    if (m->done) sb_puts(out, "  it said that the level was completed, which it was not\n");
    if (m->over != m->real_over)
        sb_puts(out, m->over ? "  it said that the game was over, which it was not\n"
                             : "  it did not say that the game was over\n");
    put_wrong(out, m);
}

static void put_troubles(sb_out *out, const sb_model_report *r) {
    for (int op = 0; op < SB_MODEL_N_OPS; op++) {
        if (r->failures[op])
            sb_putf(out, "`%s` failed %llu of %llu times (%s)\n", sb_model_op_names[op],
                    (unsigned long long)r->failures[op], (unsigned long long)r->asked[op],
                    sb_model_owner_names[sb_model_owner_of((sb_model_op)op)]);
        if (r->impure[op])
            sb_putf(out, "`%s` is impure: %llu of %llu answers were others when it was asked again\n",
                    sb_model_op_names[op], (unsigned long long)r->impure[op], (unsigned long long)r->twice[op]);
    }
    if (*r->failure) sb_puts(out, "first failure: "), sb_put_visible(out, r->failure), sb_puts(out, "\n");
    if (r->restarts) sb_putf(out, "started again %u times\n", r->restarts);
}

void sb_model_report_tabulate(const sb_model_report *r, sb_out *out) {
    sb_put_visible(out, *r->name ? r->name : "the model");
    if (*r->version) sb_puts(out, " "), sb_put_visible(out, r->version);
    sb_putf(out, ": %llu of %llu transitions in %zu play%s predicted\n", (unsigned long long)r->all.right,
            (unsigned long long)r->all.asked, r->plays, sb_plural(r->plays));
    put_head(out, "");
    put_row(out, "the model", &r->all);
    if (r->copy.transitions) put_row(out, "copy", &r->copy), put_row(out, "table", &r->table);
    put_legend(out);
    if (r->games.n > 1) put_parts(out, "game", &r->games);
    put_parts(out, "level", &r->levels), put_parts(out, "action", &r->actions);
    sb_puts(out, "\n");
    put_ends(out, "level completed", &r->all.done), put_ends(out, "game over", &r->all.over);
    if (r->all.events_said)
        sb_putf(out, "number of frames: right in %llu of %llu\n", (unsigned long long)r->all.events_right,
                (unsigned long long)r->all.events_said);
    put_troubles(out, r);
    if (r->first.is_any) put_first(out, &r->first);
}
