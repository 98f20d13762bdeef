/* Predictions before actions, what became of them, and the ledger of what was wrong. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "evaluation/arena/game.h"

/* ---- Comparing --------------------------------------------------------------------------------------------------- */

/* What a step came to. */
typedef struct judging {
    sb_game *g;
    const sb_log_transition *t;
    const sb_expected *expected;
    bool is_wanted; /* a prediction was wanted */
    sb_past past;
    bool is_seen; /* what is shown now can be rendered from z */
    bool was_other;
    sb_leaves fields;
    sb_wrong_cell cells[SB_MODEL_WRONG];
    size_t n_cells;
    sb_model_owner owner;
    const char *part; /* the part that is at fault: `render`, `dynamics`, `history` */
    sb_role to;       /* who was told; SB_N_ROLES: nobody */
    bool is_wrong;
    const char *words[SB_MODEL_WRONG + 2];
    size_t n_words;
} judging;

static bool same_frame(const sb_game *g, const uint8_t *a, const uint8_t *b) {
    return memcmp(a, b, sb_frame_cells(&g->evidence.play.shape)) == 0;
}

/* Encodes the new frame and renders it: whether the model can express what is seen at all. */
static bool look(judging *j) {
    sb_game *g = j->g;
    sb_candidate *c = &g->model;
    j->is_seen = true;
    if (!sb_grasp_encode(&g->grasp, g->error)) return false;
    if (!g->has_model) return true;
    j->is_seen = !c->last.kind;
    if (!j->is_seen) return true;
    if (!sb_candidate_render(c, &g->grasp.next_z, &g->grasp.c, g->observed, g->error)) return false;
    j->is_seen = !c->last.kind && same_frame(g, g->observed, j->t->last);
    return true;
}

static bool compare(judging *j) {
    sb_game *g = j->g;
    const sb_expected *e = j->expected;
    const sb_frame_shape *shape = &g->evidence.play.shape;
    const bool over = j->t->kind == SB_TRANSITION_OVER;
    if (j->t->kind == SB_TRANSITION_LEVEL) return j->past.is_right = e->is_said && e->done, true;
    if (e->frame) {
        j->past.pixels = sb_measure_pixels(shape, e->frame, j->t->last);
        j->n_cells = sb_wrong_cells(shape, j->t->before, e->frame, j->t->last, j->cells, SB_MODEL_WRONG);
    }
    j->past.is_right = e->frame && !j->n_cells && !e->done && e->over == over;
    if (!e->is_said || !g->grasp.prediction.z.size || !g->grasp.next_z.size) return true;
    if (!sb_measure_fields(g->grasp.prediction.z.data, g->grasp.prediction.z.size, g->grasp.next_z.data,
                           g->grasp.next_z.size, &j->fields, g->error))
        return false;
    j->past.equal = j->fields.equal, j->past.of = j->fields.of;
    return true;
}

/* ---- Whose it is ------------------------------------------------------------------------------------------------- */

static void put_fields(const judging *j, sb_out *out) {
    sb_puts(out, ",\"fields\":[");
    for (size_t i = 0; i < j->n_words; i++) {
        if (i) sb_puts(out, ",");
        sb_put_json_string(out, j->words[i]);
    }
    sb_putf(out, "],\"cells\":%zu", j->n_cells);
}

/* Says which part is at fault, as far as it can be read off: render, if what is seen cannot be rendered; history, if
 * the same action in the same frame led to something else before, so that the frame alone does not tell; else
 * dynamics. */
static void blame(judging *j) {
    const sb_expected *e = j->expected;
    j->owner = j->is_seen ? SB_OWNS_DYNAMICS : SB_OWNS_OBSERVATION;
    j->part = !j->is_seen ? "render" : j->was_other ? "history" : "dynamics";
    if (j->t->kind == SB_TRANSITION_LEVEL ? !e->done : e->done) j->words[j->n_words++] = "done";
    if (e->over != (j->t->kind == SB_TRANSITION_OVER)) j->words[j->n_words++] = "over";
    for (size_t i = 0; j->t->kind != SB_TRANSITION_LEVEL && i < j->fields.n_wrong && i < SB_MODEL_WRONG; i++)
        j->words[j->n_words++] = j->fields.wrong[i];
}

/* Lets the critic, if there is one, say whose fault a wrong prediction is. */
static bool ask_critic(judging *j) {
    sb_game *g = j->g;
    cJSON *answer;
    size_t owner;
    if (g->o->without[SB_PART_OWNERSHIP] || sb_arena_team_holder(g->team, SB_CRITIC) == SB_N_ROLES) return true;
    sb_out *line = sb_game_line(g, SB_CRITIC, "route");
    sb_putf(line, ",\"mismatch\":{\"t\":%u,\"owner\":\"%s\",\"part\":\"%s\",\"action\":", j->t->t,
            sb_model_owner_names[j->owner], j->part);
    sb_put_log_action(line, &j->t->action);
    put_fields(j, line);
    sb_puts(line, "}");
    sb_game_put_news(g, SB_CRITIC);
    if (!sb_game_ask(g, SB_CRITIC, "route", &answer)) return false;
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(answer, "owner"));
    if (name && sb_find_word(sb_model_owner_names, SB_N_OWNERS, name, &owner)) j->owner = (sb_model_owner)owner;
    cJSON_Delete(answer);
    return true;
}

static bool route(judging *j) {
    sb_game *g = j->g;
    blame(j);
    if (!ask_critic(j)) return false;
    g->report->surprises[j->owner]++;
    j->to = sb_game_owner(g, j->owner);
    g->roles[j->to].is_due = true;
    return true;
}

/* ---- The ledger -------------------------------------------------------------------------------------------------- */

/* Makes room for a new entry of the ledger at this index. */
static sb_ledger_entry *insert(sb_ledger *ledger, size_t at) {
    sb_ledger_entry *entries = realloc(ledger->entries, (ledger->n + 1) * sizeof *entries);
    if (!entries) return NULL;
    ledger->entries = entries;
    memmove(entries + at + 1, entries + at, (ledger->n++ - at) * sizeof *entries);
    entries[at] = (sb_ledger_entry){0};
    return &entries[at];
}

/* Drops the oldest open ledger entry of a source and owner if there are more of them than the limit. */
static void cap(sb_game *g, sb_model_source source, sb_model_owner owner) {
    sb_ledger *l = &g->ledger;
    size_t open = 0, first = l->n;
    for (size_t i = l->n; i-- > 0;) {
        const sb_ledger_entry *e = &l->entries[i];
        if (e->source == source && e->owner == owner && !e->resolved) open++, first = i;
    }
    if (open <= g->team->limits.ledger) return;
    free(l->entries[first].texts), free(l->entries[first].reopened);
    memmove(l->entries + first, l->entries + first + 1, (--l->n - first) * sizeof *l->entries);
}

static bool enter_claim(sb_game *g, const sb_ledger_verdict *v, sb_model_source source) {
    sb_ledger *l = &g->ledger;
    const sb_ledger_claim *claim = &v->claims[source];
    const uint64_t now = g->revision + 1;
    size_t at = l->n;
    while (at && sb_ledger_compare(v, source, &l->entries[at - 1]) <= 0) at--;
    sb_ledger_entry *entry = at < l->n && sb_ledger_compare(v, source, &l->entries[at]) == 0 ? &l->entries[at] : NULL;
    if (claim->verdict == SB_NOT_JUDGED || (claim->verdict == SB_RIGHT && (!entry || entry->resolved))) return true;
    if (claim->verdict == SB_RIGHT) return entry->resolved = now, true;
    if (!entry && !(entry = insert(l, at))) return sb_game_no_memory(g);
    entry->source = source, entry->t = v->t;
    if (!sb_ledger_enter(entry, v, claim, now, g->error)) return false;
    cap(g, source, claim->owner);
    return true;
}

bool sb_game_enter(sb_game *g, const sb_ledger_verdict *v) {
    for (sb_model_source source = 0; source < SB_MODEL_N_SOURCES; source++)
        if (!enter_claim(g, v, source)) return false;
    return true;
}

bool sb_game_write_ledger(sb_game *g) {
    sb_out out = sb_out_growing();
    const sb_out *log = sb_workspace_text(&g->files, SB_ARENA_LOG);
    g->ledger.revision = g->revision + 1;
    sb_sha256_hex(log->data, log->size, g->ledger.log_sha256);
    sb_ledger_put(&g->ledger, &out);
    const bool ok = sb_out_ok(&out) ? sb_workspace_put(&g->files, SB_ARENA_LEDGER, out.data, out.size, g->error)
                                    : sb_game_no_memory(g);
    sb_out_free(&out);
    return ok;
}

static bool enter_step(judging *j) {
    sb_game *g = j->g;
    const sb_expected *e = j->expected;
    sb_ledger_verdict v = {.t = j->t->t, .level = (uint64_t)j->t->level};
    if (!g->has_model || !j->is_wanted) return true;
    sb_out_clear(&g->text);
    sb_put_log_action(&g->text, &j->t->action), sb_putc(&g->text, '\0');
    if (!sb_out_ok(&g->text)) return sb_game_no_memory(g);
    v.action = g->text.data;
    sb_ledger_claim *predicted = &v.claims[e->is_said ? SB_MODEL_PREDICTED : SB_MODEL_ERROR];
    *predicted = (sb_ledger_claim){.verdict = j->past.is_right ? SB_RIGHT : SB_WRONG,
                                   .owner = j->is_wrong ? j->owner : SB_OWNS_DYNAMICS,
                                   .fields = j->words,
                                   .n_fields = j->n_words};
    if (j->past.is_asked)
        v.claims[SB_MODEL_RENDERED] = (sb_ledger_claim){.verdict = j->is_seen ? SB_RIGHT : SB_WRONG,
                                                        .owner = SB_OWNS_OBSERVATION};
    return sb_game_enter(g, &v);
}

/* ---- Writing it down --------------------------------------------------------------------------------------------- */

/* Puts which of the model's hypotheses were right, if it offers any. */
static bool put_hypotheses(const judging *j, sb_out *out) {
    sb_game *g = j->g;
    sb_candidate *c = &g->model;
    sb_hypothesis all[SB_MODEL_HYPOTHESES];
    size_t n = 0;
    if (!c->offers[SB_MODEL_HYPOTHESES_OP] || !j->past.is_asked) return true;
    if (!sb_candidate_hypotheses(c, all, &n, g->error)) return false;
    sb_puts(out, ",\"hypotheses\":{");
    for (size_t i = 0; i < n; i++) {
        if (!sb_candidate_predict(c, &g->grasp.z, &g->grasp.next_h, &j->t->action, &g->grasp.c, &g->grasp.m,
                                  all[i].name, &g->grasp.prediction, g->error))
            return false;
        bool right = !c->last.kind && !g->grasp.prediction.done &&
                     g->grasp.prediction.over == (j->t->kind == SB_TRANSITION_OVER);
        if (right && !sb_candidate_render(c, &g->grasp.prediction.z, &g->grasp.c, g->grasp.room, g->error))
            return false;
        right = right && !c->last.kind && same_frame(g, g->grasp.room, j->t->last);
        if (i) sb_puts(out, ",");
        sb_put_json_string(out, all[i].name), sb_puts(out, right ? ":true" : ":false");
    }
    sb_puts(out, "}");
    return true;
}

static void put_prediction(const judging *j, sb_out *out) {
    const sb_expected *e = j->expected;
    sb_puts(out, ",\"prediction\":");
    if (!e->is_said) {
        sb_puts(out, "null");
        return;
    }
    sb_putf(out, "{\"done\":%s,\"over\":%s,\"frame\":", e->done ? "true" : "false", e->over ? "true" : "false");
    if (e->frame)
        sb_put_frame_difference(out, &j->g->evidence.play.shape, j->t->before, e->frame);
    else
        sb_puts(out, "null");
    sb_puts(out, "}");
}

static bool put_step(const judging *j, sb_arena_choice choice) {
    sb_out *out = sb_workspace_lines(&j->g->files, SB_ARENA_STEPS);
    if (!out) return sb_game_no_memory(j->g);
    sb_putf(out, "{\"t\":%u,\"level\":%d,\"choice\":\"%s\",\"action\":", j->t->t, j->t->level,
            sb_arena_choices[choice]);
    sb_put_log_action(out, &j->t->action);
    sb_putf(out, ",\"revision\":%llu,\"kind\":\"%s\"", (unsigned long long)j->g->revision,
            sb_transition_names[j->t->kind]);
    put_prediction(j, out);
    if (j->past.is_asked || j->t->kind == SB_TRANSITION_LEVEL)
        sb_putf(out, ",\"right\":%s,\"seen\":%s", j->past.is_right ? "true" : "false", j->is_seen ? "true" : "false");
    if (j->is_wrong) {
        put_fields(j, out);
        sb_putf(out, ",\"owner\":\"%s\",\"part\":\"%s\",\"told\":\"%s\"", sb_model_owner_names[j->owner], j->part,
                sb_role_names[j->to]);
    }
    if (!put_hypotheses(j, out)) return false;
    sb_puts(out, ",\"retrodiction\":"), sb_put_double(out, sb_evidence_retrodiction(&j->g->evidence));
    sb_puts(out, "}\n");
    return sb_out_ok(out) || sb_game_no_memory(j->g);
}

/* ---- After the action -------------------------------------------------------------------------------------------- */

static bool keep(judging *j) {
    sb_game *g = j->g;
    const size_t at = g->evidence.log.n_transitions;
    if (!sb_evidence_add(&g->evidence, &g->writer, &j->past, &g->grasp.h, &j->was_other, g->error)) return false;
    j->t = &g->evidence.log.transitions[at];
    return true;
}

/* Goes on to the next frame; when a level begins, it is everybody's turn. */
static bool go_on(judging *j) {
    sb_game *g = j->g;
    if (j->t->kind == SB_TRANSITION_LEVEL || j->t->kind == SB_TRANSITION_RESET)
        for (int role = 0; role < SB_N_ROLES; role++) g->roles[role].is_due |= g->team->of[role] >= 0;
    return sb_grasp_go_on(&g->grasp, j->t, g->writer.level, g->error);
}

/* Puts a point of the curves: actions, predictions that were due, made and right, and the retrodiction. */
static bool put_curve(sb_game *g) {
    const sb_arena_report *r = g->report;
    if (g->report->actions % SB_ARENA_POINT) return true;
    if (g->curve.size) sb_puts(&g->curve, ",");
    sb_putf(&g->curve, "[%llu,%llu,%llu,%llu,", (unsigned long long)r->actions, (unsigned long long)r->asked,
            (unsigned long long)r->said, (unsigned long long)r->right);
    sb_put_double(&g->curve, sb_evidence_retrodiction(&g->evidence)), sb_puts(&g->curve, "]");
    return sb_out_ok(&g->curve) || sb_game_no_memory(g);
}

bool sb_game_judge(sb_game *g, sb_arena_choice choice, const sb_expected *expected, bool *is_surprise) {
    static const sb_expected nothing = {0};
    const sb_transition_kind kind = g->writer.line.kind;
    judging j = {.g = g,
                 .t = &g->writer.line,
                 .expected = expected ? expected : &nothing,
                 .is_wanted = expected,
                 .to = SB_N_ROLES,
                 .is_seen = true};
    const bool is_judged = kind == SB_TRANSITION_STEP || kind == SB_TRANSITION_OVER || kind == SB_TRANSITION_LEVEL;
    j.past = (sb_past){.is_asked = kind == SB_TRANSITION_STEP || kind == SB_TRANSITION_OVER,
                       .is_said = j.expected->is_said,
                       .action_count = g->grasp.m.action_count};
    sb_grasp_see(&g->grasp, j.t);
    if (j.past.is_asked && !look(&j)) return false;
    if (is_judged && !compare(&j)) return false;
    if (!keep(&j)) return false;
    j.is_wrong = is_judged && (!j.is_seen || (!j.past.is_right && j.is_wanted));
    *is_surprise = is_judged && !j.past.is_right && j.is_wanted;
    g->report->asked += is_judged, g->report->said += is_judged && j.past.is_said;
    g->report->right += is_judged && j.past.is_right;
    if (j.is_wrong && !route(&j)) return false;
    return (!is_judged || enter_step(&j)) && put_step(&j, choice) && put_curve(g) && go_on(&j);
}
