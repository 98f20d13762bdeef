/* Patches of artifacts: each is tried on the set of regressions, before and after, and is kept with its effect. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "evaluation/arena/game.h"
#include "evaluation/models/verdicts.h"

/* What a patch changes; what it replaces is kept meanwhile. */
typedef struct patch {
    sb_game *g;
    sb_role role;
    sb_out before[SB_N_ARTIFACTS];
    bool changes[SB_N_ARTIFACTS];
    sb_out texts;   /* texts of the patched artifacts, for the files of revisions */
    sb_out members; /* members of the patch's line in the file of revisions */
    sb_out set;     /* the set of regressions */
    sb_verdicts old, new;
    sb_ledger_news news;
    bool was_there; /* there was a model before the patch */
    char why[200];  /* why the patch is refused; empty: it is not */
} patch;

static bool refuse(patch *p, const char *why) {
    snprintf(p->why, sizeof p->why, "%s", why);
    return true;
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static bool put_artifact(sb_game *g, int artifact) {
    char name[64];
    snprintf(name, sizeof name, "artifacts/%s", sb_artifact_names[artifact]);
    const sb_out *text = &g->texts[artifact];
    return sb_workspace_put(&g->files, name, text->size ? text->data : "", text->size, g->error);
}

bool sb_game_put_artifacts(sb_game *g) {
    for (int a = 0; a < SB_N_ARTIFACTS; a++)
        if (!put_artifact(g, a)) return false;
    return true;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

static bool copy(sb_game *g, sb_out *to, const sb_out *from) {
    *to = sb_out_growing();
    if (from->size) sb_put_out(to, from);
    return sb_out_ok(to) || sb_game_no_memory(g);
}

static void put_revision_part(patch *p, int artifact, const char *how, const char *text, const char *reason) {
    char file[64];
    sb_game *g = p->g;
    snprintf(file, sizeof file, "revisions/%04llu-%s", (unsigned long long)g->revision + 1,
             sb_artifact_names[artifact]);
    sb_putf(&p->members, "%s{\"artifact\":\"%s\",\"%s\":\"%s\",\"bytes\":%zu,\"reason\":", p->members.size ? "," : "",
            sb_artifact_names[artifact], how, file, strlen(text));
    sb_put_json_string(&p->members, reason ? reason : ""), sb_puts(&p->members, "}");
}

/* Takes one item of a patch: the whole text of an artifact, or a text to append. */
static bool take_item(patch *p, const cJSON *item) {
    sb_game *g = p->g;
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "artifact"));
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "text"));
    const char *more = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "append"));
    const char *reason = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "reason"));
    size_t artifact;
    if (!name || !sb_find_word(sb_artifact_names, SB_N_ARTIFACTS, name, &artifact))
        return refuse(p, "a patch should name its `artifact`: observable, dynamics or strategy");
    if (sb_game_owner(g, (sb_model_owner)artifact) != p->role)
        return refuse(p, "a patch of an artifact that another role owns");
    if (!text == !more) return refuse(p, "a patch should have `text`, the whole artifact, or `append`");
    if (p->changes[artifact]) return refuse(p, "two patches of one artifact in one answer");
    p->changes[artifact] = true;
    sb_out *now = &g->texts[artifact];
    if (text) sb_out_clear(now);
    sb_puts(now, text ? text : more);
    sb_puts(&p->texts, text ? text : more), sb_putc(&p->texts, '\0');
    put_revision_part(p, (int)artifact, text ? "text" : "append", text ? text : more, reason);
    return (sb_out_ok(now) && sb_out_ok(&p->texts)) || sb_game_no_memory(g);
}

static bool take_items(patch *p, const cJSON *patches) {
    const cJSON *item;
    cJSON_ArrayForEach(item, patches) if (!*p->why && !take_item(p, item)) return false;
    return true;
}

/* ---- Checking ---------------------------------------------------------------------------------------------------- */

/* Writes the set of regressions with what is carried now, and checks the model on it. */
static bool check(sb_game *g, sb_out *text, sb_verdicts *verdicts) {
    const sb_check_options options = {.quick = true, .visit = sb_verdicts_visit, .context = verdicts};
    sb_regressions set;
    sb_log log = {0};
    sb_model_report report = {0};
    sb_out_clear(text);
    if (g->o->without[SB_PART_REGRESSIONS]) return true;
    bool ok = sb_evidence_select(&g->evidence, &set, g->error);
    if (ok) sb_regressions_put(&set, text), sb_putc(text, '\0');
    sb_regressions_free(&set);
    ok = ok && (sb_out_ok(text) || sb_game_no_memory(g));
    if (ok && --text->size)
        ok = sb_log_parse(&log, SB_ARENA_REGRESSIONS, text->data, text->size, false, g->error) &&
             sb_model_check(&log, 1, &g->model, &options, &report, g->error);
    sb_ledger_check ignored = {0};
    ok = ok && sb_verdicts_check(verdicts, &log, text->size ? 1 : 0, &ignored, g->error);
    sb_model_report_free(&report);
    sb_log_close(&log);
    return sb_candidate_begin(&g->model, &g->evidence.play, ok ? g->error : &(sb_error){0}) && ok;
}

/* The first action that the game offers, or the recording's next one; NULL: none comes that can be predicted. */
static const sb_log_action *first_action(const sb_game *g) {
    if (!g->recorded) return g->offers.n_buttons ? g->offers.buttons : &g->offers.click;
    const sb_log_action *next = sb_game_step(g) < g->recorded->n ? &sb_game_next_line(g)->action : NULL;
    return next && next->id ? next : NULL;
}

/* A model has the right form if it says what the frame of now is, and what the first action leads to. */
static bool check_form(patch *p) {
    sb_game *g = p->g;
    if (!g->has_model) return refuse(p, g->model.first.text);
    sb_candidate *c = &g->model;
    sb_expected said;
    sb_out_clear(&g->grasp.c);
    if (!sb_game_catch_up(g)) return false;
    if (!c->first.kind && !sb_candidate_render(c, &g->grasp.z, &g->grasp.c, g->grasp.room, g->error)) return false;
    const sb_log_action *action = first_action(g);
    if (!action) return !c->first.kind || refuse(p, c->first.text);
    if (!c->first.kind && !sb_grasp_carry(&g->grasp, action, g->error)) return false;
    if (!c->first.kind && !sb_grasp_predict(&g->grasp, action, &said, g->error)) return false;
    return !c->first.kind || refuse(p, c->first.text);
}

/* Finds which transitions became right and which wrong, as a ledger of both revisions has it. */
static bool compare(patch *p) {
    sb_ledger ledger = {0};
    sb_ledger_check check = {.log_sha256 = p->g->team->sha256, .verdicts = p->old.items, .n = p->old.n};
    sb_ledger_news first = {0};
    bool ok = !p->was_there || sb_ledger_revise(&ledger, &check, &first, p->g->error);
    sb_ledger_news_free(&first);
    check.verdicts = p->new.items, check.n = p->new.n;
    ok = ok && sb_ledger_revise(&ledger, &check, &p->news, p->g->error);
    sb_ledger_free(&ledger);
    return ok;
}

static bool try_new(patch *p) {
    sb_game *g = p->g;
    if (!sb_game_put_artifacts(g) || !sb_game_start_model(g) || !check_form(p)) return false;
    if (*p->why) return g->report->malformed++, true;
    if (!sb_game_carry_past(g) || !check(g, &p->set, &p->new) || !compare(p)) return false;
    if (!p->news.broken || !g->o->gate) return true;
    g->report->gated++;
    snprintf(p->why, sizeof p->why, "the gate: it fixes %zu and breaks %zu of the set of regressions", p->news.fixed,
             p->news.broken);
    return true;
}

/* ---- Taking or refusing ------------------------------------------------------------------------------------------ */

static bool restore(patch *p) {
    sb_game *g = p->g;
    for (int a = 0; a < SB_N_ARTIFACTS; a++) {
        if (!p->changes[a]) continue;
        const sb_out swap = g->texts[a];
        g->texts[a] = p->before[a], p->before[a] = swap;
    }
    return sb_game_put_artifacts(g) && sb_game_start_model(g) && (!g->has_model || sb_game_carry_past(g));
}

static bool put_revision_files(const patch *p) {
    sb_game *g = p->g;
    const char *text = p->texts.data;
    cJSON *list = NULL;
    sb_out all = sb_out_growing();
    sb_puts(&all, "["), sb_put_out(&all, &p->members), sb_puts(&all, "]");
    bool ok = sb_out_ok(&all) && (list = sb_json_parse(all.data, all.size, g->error));
    const cJSON *item;
    cJSON_ArrayForEach(item, list) {
        const char *file = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "text"));
        if (!file) file = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "append"));
        ok = ok && sb_workspace_put(&g->files, file, text, strlen(text), g->error);
        text += strlen(text) + 1;
    }
    cJSON_Delete(list);
    sb_out_free(&all);
    return ok;
}

/* Puts the line that says what the revision did; a revision that was refused has no number. */
static bool put_line(const patch *p) {
    sb_game *g = p->g;
    sb_out *out = sb_workspace_lines(&g->files, SB_ARENA_REVISIONS);
    const sb_ledger_news *n = &p->news;
    if (!out) return sb_game_no_memory(g);
    sb_putf(out, "{\"step\":%llu,\"by\":\"%s\",\"revision\":", (unsigned long long)sb_game_step(g),
            sb_role_names[p->role]);
    if (*p->why)
        sb_puts(out, "null,\"refused\":"), sb_put_json_string(out, p->why);
    else
        sb_put_uint(out, g->revision);
    sb_puts(out, ",\"patches\":["), sb_put_out(out, &p->members);
    sb_putf(out, "],\"checked\":%zu,\"right\":%zu,\"fixed\":%zu,\"broken\":%zu}\n", n->right + n->wrong, n->right,
            p->was_there ? n->fixed : 0, p->was_there ? n->broken : 0);
    return sb_out_ok(out) || sb_game_no_memory(g);
}

/* Notes how the transitions of the set of regressions are predicted now. */
static bool take_verdicts(patch *p) {
    sb_game *g = p->g;
    for (size_t i = 0; i < p->new.n; i++) {
        const sb_ledger_verdict *v = &p->new.items[i];
        sb_past *past = &g->evidence.past[v->t - 1];
        const sb_ledger_claim *claim = &v->claims[SB_MODEL_PREDICTED];
        if (!sb_game_enter(g, v)) return false;
        if (!past->is_asked) continue;
        past->is_right = v->passed, past->is_said = claim->verdict != SB_NOT_JUDGED;
        if (v->passed) past->equal = past->of, past->pixels = 1;
    }
    return sb_game_write_ledger(g);
}

static bool accept(patch *p) {
    sb_game *g = p->g;
    g->revision++;
    g->report->accepted++, g->report->marked += p->was_there && p->news.broken;
    for (int a = 0; a < SB_N_ARTIFACTS; a++)
        if (p->changes[a]) g->revisions[a] = g->revision;
    return put_revision_files(p) &&
           sb_workspace_put(&g->files, SB_ARENA_REGRESSIONS, p->set.size ? p->set.data : "", p->set.size, g->error) &&
           take_verdicts(p);
}

static bool settle(patch *p) {
    sb_game *g = p->g;
    char text[300];
    if (*p->why) {
        snprintf(text, sizeof text, "your patch was refused: %s", p->why);
        return restore(p) && sb_game_catch_up(g) && put_line(p) && sb_game_tell(g, "arena", p->role, text);
    }
    return accept(p) && sb_game_catch_up(g) && put_line(p);
}

static void free_patch(patch *p) {
    for (int a = 0; a < SB_N_ARTIFACTS; a++) sb_out_free(&p->before[a]);
    sb_out_free(&p->texts), sb_out_free(&p->members), sb_out_free(&p->set);
    sb_verdicts_free(&p->old), sb_verdicts_free(&p->new);
    sb_ledger_news_free(&p->news);
}

static bool take_patch(patch *p, const cJSON *patches) {
    sb_game *g = p->g;
    g->report->patches++;
    for (int a = 0; a < SB_N_ARTIFACTS; a++)
        if (!copy(g, &p->before[a], &g->texts[a])) return false;
    if (!take_items(p, patches)) return false;
    if (*p->why) return g->report->malformed++, settle(p);
    if (p->was_there && !check(g, &p->set, &p->old)) return false;
    if (!try_new(p)) return false;
    g->decision.n = g->decision.at = 0; /* the decision was a plan of another model */
    return settle(p);
}

bool sb_game_patch(sb_game *g, sb_role role, const cJSON *patches) {
    if (!cJSON_IsArray(patches) || !cJSON_GetArraySize(patches)) return true;
    patch p = {.g = g, .role = role, .was_there = g->has_model};
    p.texts = p.members = p.set = sb_out_growing();
    const bool ok = take_patch(&p, patches);
    free_patch(&p);
    return ok;
}
