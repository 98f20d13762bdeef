/* What a game came to. */
#include <string.h>

#include "base/error.h"
#include "evaluation/arena/game.h"
#include "evaluation/efficiency.h"

/* ---- The end of a game ------------------------------------------------------------------------------------------- */

/* Checks the last model on all that was shown. */
static bool check_all(sb_game *g) {
    const sb_out *text = sb_workspace_text(&g->files, SB_ARENA_LOG);
    const sb_check_options options = {.quick = true};
    sb_log log = {0};
    sb_model_report report = {0};
    if (!g->has_model) return true;
    const bool ok = sb_log_parse(&log, SB_ARENA_LOG, text->data, text->size, false, g->error) &&
                    sb_model_check(&log, 1, &g->model, &options, &report, g->error);
    if (ok) g->report->retrodiction = sb_model_retrodiction(&report.all);
    sb_model_report_free(&report);
    sb_log_close(&log);
    return sb_candidate_begin(&g->model, &g->evidence.play, ok ? g->error : &(sb_error){0}) && ok;
}

static void count_repairs(sb_game *g) {
    for (size_t i = 0; i < g->ledger.n; i++) {
        const sb_ledger_entry *e = &g->ledger.entries[i];
        g->report->repaired += e->resolved || e->n_reopened;
        g->report->held += e->resolved && !e->n_reopened;
    }
}

static void take_score(sb_game *g) {
    sb_arena_report *r = g->report;
    const sb_efficiency_source *efficiency = g->env->family->efficiency;
    r->status = *sb_status_of(g->env), r->criterion = sb_criterion_in(g->env);
    if (efficiency) r->score_name = efficiency->score, efficiency->measure(g->env, &r->effort);
}

bool sb_game_conclude(sb_game *g) {
    sb_arena_report *r = g->report;
    if (!g->recorded) take_score(g);
    if (!*r->end)
        strcpy(r->end, g->recorded         ? "the end of the recording"
                       : r->status.success ? "success"
                                           : "the end of the episode");
    count_repairs(g);
    return check_all(g) && sb_answers_sync(&g->answers, g->error);
}

/* ---- The document ------------------------------------------------------------------------------------------------ */

static void put_outcome(const sb_arena_report *r, sb_out *out) {
    if (r->is_recorded)
        sb_member_bool(out, "recorded", true);
    else
        sb_member_success(out, r->criterion, &r->status), sb_member_standing(out, r->criterion, &r->status);
    sb_member_text(out, "end", r->end);
    sb_member_uint(out, "actions", r->actions);
    if (!r->effort.n_levels) return;
    sb_put_key(out, r->score_name), sb_put_double(out, sb_effort_score(&r->effort));
    sb_member_effort(out, &r->effort);
}

static void put_predictions(const sb_game *g, sb_out *out) {
    const sb_arena_report *r = g->report;
    sb_put_key(out, "predictions"), sb_puts(out, "{");
    sb_member_uint(out, "due", r->asked), sb_member_uint(out, "said", r->said), sb_member_uint(out, "right", r->right);
    sb_member_share(out, "coverage", (double)r->said, r->asked),
        sb_member_share(out, "accuracy", (double)r->right, r->said);
    sb_member_share(out, "accuracy_with_missing", (double)r->right, r->asked);
    sb_puts(out, "}");
    sb_member_double(out, "retrodiction", r->retrodiction);
    sb_put_key(out, "curve"), sb_puts(out, "["), sb_put_out(out, &g->curve), sb_puts(out, "]");
    sb_put_key(out, "surprises"), sb_puts(out, "{");
    for (int o = 0; o < SB_N_OWNERS; o++) sb_member_uint(out, sb_model_owner_names[o], r->surprises[o]);
    sb_puts(out, "}");
}

static void put_repairs(const sb_game *g, sb_out *out) {
    const sb_arena_report *r = g->report;
    sb_put_key(out, "patches"), sb_puts(out, "{");
    sb_member_uint(out, "given", r->patches), sb_member_uint(out, "accepted", r->accepted);
    sb_member_uint(out, "malformed", r->malformed), sb_member_uint(out, "refused_by_gate", r->gated);
    sb_member_uint(out, "accepted_and_broke", r->marked);
    sb_puts(out, "}");
    sb_put_key(out, "repairs"), sb_puts(out, "{");
    sb_member_uint(out, "entries", g->ledger.n), sb_member_uint(out, "repaired", r->repaired);
    sb_member_uint(out, "held", r->held);
    sb_puts(out, "}");
}

static void put_roles(const sb_game *g, sb_out *out) {
    sb_put_key(out, "roles"), sb_puts(out, "{");
    for (int role = 0; role < SB_N_ROLES; role++) {
        const sb_arena_spent *s = &g->report->spent[role];
        if (g->team->of[role] < 0) continue;
        sb_put_key(out, sb_role_names[role]), sb_puts(out, "{");
        sb_member_uint(out, "asked", s->asked), sb_member_uint(out, "failures", s->failures);
        sb_member_double(out, "tokens_in", s->tokens_in), sb_member_double(out, "tokens_out", s->tokens_out);
        sb_member_double(out, "cost", s->cost);
        if (s->is_unknown) sb_member_bool(out, "tokens_are_partly_unknown", true);
        if (s->is_cost_unknown) sb_member_bool(out, "cost_is_partly_unknown", true);
        sb_puts(out, "}");
    }
    sb_puts(out, "}");
}

void sb_game_put_scores(const sb_game *g, sb_out *out) {
    char answers[SB_SHA256_HEX];
    sb_puts(out, "{");
    sb_member_int(out, "arena_scores", SB_ARENA_VERSION);
    sb_member_text(out, "game", g->evidence.play.name);
    sb_member_text(out, "team", g->team->name);
    put_outcome(g->report, out);
    sb_put_key(out, "choices"), sb_puts(out, "{");
    for (int c = 0; c < SB_CHOICES; c++) sb_member_uint(out, sb_arena_choices[c], g->report->by[c]);
    sb_puts(out, "}");
    put_predictions(g, out);
    put_repairs(g, out);
    put_roles(g, out);
    sb_answers_hash(&g->answers, answers);
    sb_member_text(out, "answers_sha256", answers);
    sb_puts(out, "}\n");
}
