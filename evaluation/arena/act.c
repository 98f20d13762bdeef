/* Decisions of the leader, and the actions that they lead to. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "evaluation/arena/game.h"

const char *const sb_arena_choices[SB_CHOICES] = {"plan", "progress", "policy", "probe", "reset", "recorded"};

/* ---- Decisions --------------------------------------------------------------------------------------------------- */

bool sb_game_decide_on(sb_game *g, sb_arena_choice choice, const sb_log_action *action) {
    sb_decision *d = &g->decision;
    if (!SB_GROW(d->actions, 1, d->capacity)) return sb_game_no_memory(g);
    d->choice = choice, d->n = 1, d->at = 0, d->left = 1;
    d->actions[0] = *action;
    return true;
}

/* Draws an action that is on offer, with nothing in mind. The name of the game and the step are its chance. */
static bool draw(sb_game *g, sb_log_action *action) {
    const sb_offers *o = &g->offers;
    const size_t n = o->n_buttons + o->has_clicks;
    uint64_t hash[2];
    if (!n) return sb_fail(g->error, SB_INVALID, "the game offers no action");
    sb_out_clear(&g->text);
    sb_putf(&g->text, "%s %llu", g->evidence.play.name, (unsigned long long)sb_game_step(g));
    if (!sb_out_ok(&g->text)) return sb_game_no_memory(g);
    sb_hash128(g->text.data, g->text.size, hash);
    const size_t at = (size_t)(hash[0] % n);
    *action = at < o->n_buttons ? o->buttons[at] : o->click;
    if (at < o->n_buttons) return true;
    action->x = (int)(hash[1] % (uint64_t)g->env->shape.click_width);
    action->y = (int)((hash[1] >> 32) % (uint64_t)g->env->shape.click_height);
    return true;
}

/* Takes the action that was taken least often in this very frame. */
static bool decide_probe(sb_game *g) {
    const sb_imagine_from from = sb_game_from_here(g, &g->model);
    sb_log_action action;
    if (g->o->without[SB_PART_PROBES]) return draw(g, &action) && sb_game_decide_on(g, SB_CHOSE_PROBE, &action);
    return sb_probe_choose(&g->tries, g->env, &g->offers, &from, g->grasp.frame, g->grasp.room, &action, g->error) &&
           sb_game_decide_on(g, SB_CHOSE_PROBE, &action);
}

/* Whether an action can be taken: it is on offer. */
static bool can_take(const sb_game *g, const sb_log_action *action) {
    const sb_shape *shape = &g->env->shape;
    if (action->is_click)
        return g->offers.has_clicks && action->id == g->offers.click.id &&
               strcmp(action->name, g->offers.click.name) == 0 && action->x >= 0 && action->y >= 0 &&
               action->x < shape->click_width && action->y < shape->click_height;
    for (size_t i = 0; i < g->offers.n_buttons; i++)
        if (strcmp(action->name, g->offers.buttons[i].name) == 0) return true;
    return false;
}

/* ---- Plans ------------------------------------------------------------------------------------------------------- */

static void put_search(const sb_imagining *search, sb_out *out) {
    static const char *const kinds[] = {
        [SB_IMAGINED_NOTHING] = "none", [SB_IMAGINED_PLAN] = "plan", [SB_IMAGINED_PROGRESS] = "progress"};
    sb_putf(out, "{\"kind\":\"%s\",\"predictions\":%llu,\"cut\":%s,\"steps\":[", kinds[search->kind],
            (unsigned long long)search->predictions, search->is_cut ? "true" : "false");
    for (size_t i = 0; i < search->n_steps; i++) {
        if (i) sb_puts(out, ",");
        sb_put_log_action(out, &search->steps[i].action);
    }
    sb_puts(out, "]}");
}

static bool search_live(sb_game *g, const char *question, size_t n, sb_json_part *found) {
    const sb_imagine_from from = sb_game_from_here(g, &g->thinker);
    static const sb_failure none = {0};
    const double begun = g->o->now(), waited = g->runner.seconds;
    sb_runner_search(&g->runner, true);
    const bool ok = sb_imagine(&g->search, &from, g->error);
    sb_runner_search(&g->runner, false);
    sb_game_note_time(g, "plan", g->o->now() - begun);
    g->runner.seconds = waited; /* the time of a search is not the model's */
    if (!ok) return false;
    sb_out_clear(&g->text);
    put_search(&g->search, &g->text), sb_putc(&g->text, '\0');
    if (!sb_out_ok(&g->text)) return sb_game_no_memory(g);
    *found = (sb_json_part){.at = g->text.data, .n = g->text.size - 1, .document = g->text.data};
    return sb_answers_keep(&g->answers, "plan", question, n, found, &none, g->error);
}

static bool take_plan(sb_game *g, const cJSON *found, bool *is_found) {
    sb_decision *d = &g->decision;
    const cJSON *steps = cJSON_GetObjectItemCaseSensitive(found, "steps"), *step;
    const char *kind = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(found, "kind"));
    const size_t n = (size_t)cJSON_GetArraySize(steps);
    *is_found = n > 0;
    if (!n) return true;
    if (!SB_GROW(d->actions, n, d->capacity)) return sb_game_no_memory(g);
    d->n = d->at = 0;
    cJSON_ArrayForEach(step, steps) if (!sb_read_log_action(step, &g->evidence.play.shape, &d->actions[d->n++],
                                                            g->error)) return false;
    d->choice = kind && strcmp(kind, "plan") == 0 ? SB_CHOSE_PLAN : SB_CHOSE_PROGRESS;
    d->left = g->team->limits.batch;
    return true;
}

/* Looks for a plan; what was found is in the journal. */
static bool decide_plan(sb_game *g, bool *is_found) {
    char question[64];
    sb_failure failure;
    sb_json_part found = {0};
    *is_found = false;
    if (!g->has_model || g->o->without[SB_PART_PLANNER]) return true;
    const size_t n = (size_t)snprintf(question, sizeof question, "step %llu, revision %llu",
                                      (unsigned long long)sb_game_step(g), (unsigned long long)g->revision);
    const bool is_kept = g->answers.only_read || sb_answers_has_next(&g->answers);
    if (is_kept ? !sb_answers_take(&g->answers, "plan", question, n, &found, &failure, g->error)
                : !search_live(g, question, n, &found))
        return false;
    cJSON *object = sb_json_parse(found.at, found.n, g->error);
    const bool ok = object && take_plan(g, object, is_found);
    cJSON_Delete(object);
    return ok;
}

/* ---- The explorer and the leader --------------------------------------------------------------------------------- */

/* Puts what the transductive explorer would try, as it spelled it. */
static bool ask_explorer(sb_game *g, cJSON **probes) {
    *probes = NULL;
    if (g->o->without[SB_PART_PROBES] || sb_arena_team_holder(g->team, SB_TRANSDUCTIVE) == SB_N_ROLES) return true;
    sb_game_line(g, SB_TRANSDUCTIVE, "probe");
    sb_game_put_news(g, SB_TRANSDUCTIVE);
    return sb_game_ask(g, SB_TRANSDUCTIVE, "probe", probes);
}

static void put_names(sb_out *out, const char *key, char names[SB_MODEL_NAMES][SB_MODEL_NAME], size_t n) {
    sb_putf(out, ",\"%s\":[", key);
    for (size_t i = 0; i < n; i++) {
        if (i) sb_puts(out, ",");
        sb_put_json_string(out, names[i]);
    }
    sb_puts(out, "]");
}

static void put_probes(sb_out *out, const cJSON *probes) {
    char *text = cJSON_IsArray(probes) ? cJSON_PrintUnformatted(probes) : NULL;
    sb_puts(out, ",\"probes\":"), sb_puts(out, text ? text : "[]");
    free(text);
}

/* Whether the leader may reset: not again within a few actions. */
static bool may_reset(const sb_game *g) {
    return g->offers.has_reset && (!g->last_reset || sb_game_step(g) - g->last_reset >= g->team->limits.reset_gap);
}

static bool ask_leader(sb_game *g, sb_role leader, const cJSON *probes, bool was_no_plan, cJSON **answer) {
    sb_out *line = sb_game_line(g, leader, "act");
    put_probes(line, probes);
    put_names(line, "policies", g->model.policies, g->model.n_policies);
    sb_putf(line, ",\"has_model\":%s,\"plan\":%s,\"may_reset\":%s,\"retrodiction\":", g->has_model ? "true" : "false",
            was_no_plan ? "\"none\"" : "null", may_reset(g) ? "true" : "false");
    sb_put_double(line, sb_evidence_retrodiction(&g->evidence));
    sb_game_put_news(g, leader);
    return sb_game_ask(g, leader, "act", answer);
}

/* The action that the leader's answer names, or else the explorer's first; false: none that can be taken. */
static bool named_action(const sb_game *g, const cJSON *answer, const cJSON *probes, sb_log_action *action) {
    sb_error ignored;
    const cJSON *named = cJSON_GetObjectItemCaseSensitive(answer, "action");
    if (!named) named = cJSON_GetArrayItem(probes, 0);
    return named && !g->o->without[SB_PART_PROBES] &&
           sb_read_log_action(named, &g->evidence.play.shape, action, &ignored) && can_take(g, action);
}

static bool has_policy(const sb_game *g, const char *name) {
    for (size_t i = 0; name && i < g->model.n_policies; i++)
        if (strcmp(g->model.policies[i], name) == 0) return true;
    return false;
}

/* Carries an answer of the leader out, as far as it can be; `*is_done`: something was decided. */
static bool take_choice(sb_game *g, const cJSON *answer, const cJSON *probes, bool *is_done, bool *was_no_plan) {
    sb_decision *d = &g->decision;
    sb_log_action action;
    const char *choice = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(answer, "choose"));
    const char *policy = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(answer, "policy"));
    d->is_committed = !cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(answer, "predict"));
    *is_done = true;
    if (choice && strcmp(choice, "plan") == 0) {
        if (!decide_plan(g, is_done)) return false;
        *was_no_plan = !*is_done;
        return true;
    }
    if (choice && strcmp(choice, "policy") == 0 && has_policy(g, policy)) {
        d->choice = SB_CHOSE_POLICY, d->left = g->team->limits.batch, d->n = d->at = 0;
        snprintf(d->policy, sizeof d->policy, "%s", policy);
        return true;
    }
    if (choice && strcmp(choice, "reset") == 0 && may_reset(g))
        return sb_game_decide_on(g, SB_CHOSE_RESET, &g->offers.reset);
    if (named_action(g, answer, probes, &action)) return sb_game_decide_on(g, SB_CHOSE_PROBE, &action);
    return decide_probe(g);
}

static bool let_leader_decide(sb_game *g, const cJSON *probes) {
    const sb_role leader = sb_arena_team_holder(g->team, SB_LEADER);
    bool is_done = false, was_no_plan = g->o->without[SB_PART_PLANNER];
    for (uint64_t round = 0; !is_done && round < g->team->limits.rounds; round++) {
        cJSON *answer;
        if (!ask_leader(g, leader, probes, was_no_plan, &answer)) return false;
        if (!answer) break;
        const bool ok = take_choice(g, answer, probes, &is_done, &was_no_plan);
        cJSON_Delete(answer);
        if (!ok) return false;
    }
    return is_done || decide_probe(g);
}

static bool goes_on(const sb_game *g) {
    const sb_decision *d = &g->decision;
    return d->left && (d->choice == SB_CHOSE_POLICY || d->at < d->n);
}

bool sb_game_decide(sb_game *g) {
    cJSON *probes;
    if (goes_on(g)) return true;
    g->decision.left = 0, g->decision.is_committed = true;
    if (g->writer.line.kind == SB_TRANSITION_OVER && g->offers.has_reset)
        return sb_game_decide_on(g, SB_CHOSE_RESET, &g->offers.reset);
    if (!sb_game_turns(g)) return false;
    g->step_tokens = 0;
    if (g->is_over) return true;
    if (g->recorded) return sb_game_decide_on(g, SB_CHOSE_RECORDED, &sb_game_next_line(g)->action);
    if (!ask_explorer(g, &probes)) return false;
    const bool ok = let_leader_decide(g, cJSON_GetObjectItemCaseSensitive(probes, "actions"));
    cJSON_Delete(probes);
    return ok;
}

/* ---- Actions ----------------------------------------------------------------------------------------------------- */

/* The next action of the decision in force; a policy that gives none is dropped. */
static bool next_action(sb_game *g, sb_log_action *action) {
    sb_decision *d = &g->decision;
    d->left--;
    if (d->choice != SB_CHOSE_POLICY) return *action = d->actions[d->at++], true;
    if (!sb_candidate_policy(&g->model, d->policy, &g->grasp.z, &g->grasp.h, &g->grasp.c, &g->grasp.m, action,
                             g->error))
        return false;
    if (!g->model.last.kind && can_take(g, action)) return true;
    if (!decide_probe(g)) return false;
    d->left = 0;
    return *action = d->actions[0], true;
}

static bool step(sb_game *g, const sb_log_action *action, sb_out *log) {
    sb_result result;
    sb_action number;
    return sb_log_action_in(g->env, action, &number, g->error) &&
           sb_tries_note(&g->tries, &g->evidence.play.shape, g->grasp.frame, number, g->error) &&
           sb_step(g->env, number, &result, g->error) && sb_tape_append(&g->tape, number, g->error) &&
           sb_log_add(&g->writer, g->env, number, log, g->error);
}

/* Goes on by a line of the recording. */
static bool read_on(sb_game *g, sb_out *log) {
    const sb_log_transition *line = sb_game_next_line(g);
    const bool is_last = sb_game_step(g) + 1 == g->recorded->n;
    g->writer.line = *line;
    g->writer.level = is_last ? line->completed + 1 : line[1].level;
    sb_log_put_transition(log, g->recorded, line);
    return sb_out_ok(log) || sb_game_no_memory(g);
}

/* Takes the action, when everything that was said before it is in the journal on the disk. */
static bool take(sb_game *g, const sb_log_action *action) {
    sb_out *log = sb_workspace_lines(&g->files, SB_ARENA_LOG);
    if (!log) return sb_game_no_memory(g);
    return sb_answers_sync(&g->answers, g->error) && (g->recorded ? read_on(g, log) : step(g, action, log));
}

/* Carries h on over the action, and asks the model, if there is one, what the action leads to. */
static bool predict(sb_game *g, const sb_log_action *action, bool is_predicted, sb_expected *expected) {
    if (!sb_grasp_carry(&g->grasp, action, g->error)) return false;
    return !is_predicted || !g->has_model || sb_grasp_predict(&g->grasp, action, expected, g->error);
}

/* Whether the action is a reset: what it shows is nothing to predict. */
static bool is_reset(const sb_game *g, const sb_log_action *action) {
    return g->recorded ? action->id == 0 : g->decision.choice == SB_CHOSE_RESET;
}

bool sb_game_act(sb_game *g) {
    sb_decision *d = &g->decision;
    sb_log_action action;
    bool is_surprise;
    if (!next_action(g, &action)) return false;
    const sb_arena_choice choice = d->choice;
    const bool resets = is_reset(g, &action);
    const bool is_predicted = d->is_committed && !resets && !g->o->without[SB_PART_COMMITMENT];
    sb_expected expected = {0};
    sb_out_clear(&g->grasp.next_h);
    if (!resets && !predict(g, &action, is_predicted, &expected)) return false;
    if (!take(g, &action)) return false;
    g->report->actions++, g->report->by[choice]++;
    if (choice == SB_CHOSE_RESET) g->last_reset = sb_game_step(g);
    if (!sb_game_judge(g, choice, is_predicted ? &expected : NULL, &is_surprise)) return false;
    if (is_surprise || g->writer.line.kind != SB_TRANSITION_STEP) d->left = 0;
    return sb_game_check_limits(g);
}
