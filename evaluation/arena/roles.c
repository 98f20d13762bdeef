/* The conversation with the programs of a team. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "evaluation/arena/game.h"
#include "evaluation/models/members.h"

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

static sb_out *begin_line(sb_game *g, const char *op) {
    sb_out_clear(&g->line);
    sb_puts(&g->line, "{\"op\":\""), sb_puts(&g->line, op), sb_puts(&g->line, "\"");
    return &g->line;
}

static void put_frame(sb_game *g, const char *key, const uint8_t *frame) {
    sb_putf(&g->line, ",\"%s\":\"", key);
    sb_put_frame(&g->line, &g->writer.play.shape, frame);
    sb_puts(&g->line, "\"");
}

/* Puts a list of the artifacts that a program owns, or, if a role is given, of those that the role owns. */
static void put_owned(sb_game *g, const char *key, int program, sb_role role) {
    sb_putf(&g->line, ",\"%s\":[", key);
    for (int a = 0; a < SB_N_ARTIFACTS; a++) {
        const sb_role owner = sb_game_owner(g, (sb_model_owner)a);
        if (role == SB_N_ROLES ? g->team->of[owner] != program : owner != role) continue;
        if (g->line.last != '[') sb_puts(&g->line, ",");
        sb_put_json_string(&g->line, sb_artifact_names[a]);
    }
    sb_puts(&g->line, "]");
}

sb_out *sb_game_line(sb_game *g, sb_role role, const char *op) {
    sb_out *line = begin_line(g, op);
    sb_putf(line, ",\"role\":\"%s\",\"step\":%llu,\"level\":%d", sb_role_names[role],
            (unsigned long long)sb_game_step(g), g->grasp.m.level);
    put_owned(g, "owns", 0, role);
    put_frame(g, "frame", g->grasp.frame);
    return line;
}

/* Puts the hello for a program that begins, or begins again. */
static void put_hello(sb_game *g, size_t program, bool again) {
    const sb_log_play *play = &g->evidence.play;
    sb_out *line = begin_line(g, "hello");
    sb_putf(line, ",\"protocol\":%d,\"game\":", SB_ARENA_PROTOCOL);
    sb_put_json_string(line, play->name);
    sb_putf(line, ",\"levels\":%d,\"available\":", play->levels);
    sb_put(line, play->available.at, play->available.n);
    sb_put_log_shape(line, play), sb_put_log_goal(line, play);
    if (g->recorded) sb_puts(line, ",\"recorded\":true");
    sb_puts(line, ",\"roles\":[");
    for (int role = 0; role < SB_N_ROLES; role++) {
        if (g->team->of[role] != (int)program) continue;
        if (line->last != '[') sb_puts(line, ",");
        sb_put_json_string(line, sb_role_names[role]);
    }
    sb_puts(line, "]");
    put_owned(g, "owns", (int)program, SB_N_ROLES);
    sb_puts(line, ",\"artifacts\":{");
    for (int a = 0; a < SB_N_ARTIFACTS; a++) {
        sb_putf(line, "%s\"%s\":{\"revision\":%llu,\"text\":", a ? "," : "", sb_artifact_names[a],
                (unsigned long long)g->revisions[a]);
        sb_put_json_bytes(line, g->texts[a].size ? g->texts[a].data : "", g->texts[a].size);
        sb_puts(line, "}");
    }
    sb_puts(line, "},\"memory\":");
    sb_put_model_value(line, &g->programs[program].memory);
    sb_puts(line, again ? ",\"again\":true}\n" : ",\"again\":false}\n");
}

/* ---- Time -------------------------------------------------------------------------------------------------------- */

static void count_time(sb_game *g, const char *who, double seconds) {
    sb_arena_report *r = g->report;
    for (int role = 0; role < SB_N_ROLES; role++) {
        const size_t n = strlen(sb_role_names[role]);
        if (strncmp(who, sb_role_names[role], n) == 0 && who[n] == ' ') r->spent[role].seconds += seconds;
    }
    if (strcmp(who, "model") == 0) r->model_seconds += seconds;
    if (strcmp(who, "plan") == 0) r->plan_seconds += seconds;
    g->waited += seconds;
}

void sb_game_note_time(sb_game *g, const char *who, double seconds) {
    sb_putf(&g->times, "{\"who\":\"%s\",\"seconds\":%.4f}\n", who, seconds);
    count_time(g, who, seconds);
}

bool sb_game_read_times(sb_game *g) {
    char path[1100];
    sb_lines lines;
    sb_error ignored;
    snprintf(path, sizeof path, "%.1000s/" SB_ARENA_TIMES, g->folder);
    if (!sb_file_exists(path)) return true;
    if (!sb_lines_open(&lines, path, 200, g->error)) return false;
    while (sb_lines_next(&lines, &ignored)) {
        cJSON *line = sb_json_parse(lines.line.data, lines.line.size, &ignored);
        const char *who = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "who"));
        const cJSON *seconds = cJSON_GetObjectItemCaseSensitive(line, "seconds");
        if (who && cJSON_IsNumber(seconds)) count_time(g, who, seconds->valuedouble);
        cJSON_Delete(line);
    }
    sb_lines_close(&lines);
    return true;
}

/* ---- Budgets ----------------------------------------------------------------------------------------------------- */

/* Why no role may be asked any more: a limit of the game that is reached, or cannot be checked. NULL: it may. */
static const char *why_broke(const sb_game *g) {
    const sb_arena_limits *l = &g->team->limits;
    double tokens = 0, cost = 0;
    bool is_unknown = false;
    for (int role = 0; role < SB_N_ROLES; role++) {
        const sb_arena_spent *s = &g->report->spent[role];
        tokens += s->tokens_in + s->tokens_out, cost += s->cost;
        is_unknown |= (l->tokens && s->is_unknown) || (l->cost > 0 && s->is_cost_unknown);
    }
    if (is_unknown) return "usage that is not known, under a limit";
    if (l->cost > 0 && cost >= l->cost) return "the limit of cost";
    return l->tokens && tokens >= (double)l->tokens ? "the limit of tokens" : NULL;
}

/* ---- Asking ------------------------------------------------------------------------------------------------------ */

/* Starts a program that is not running, and tells it where the game is. */
static bool wake(sb_game *g, size_t program, sb_failure *failure) {
    sb_voice *voice = &g->programs[program].voice;
    sb_json_part ignored;
    const sb_out waiting = g->line;
    if (sb_voice_is_running(voice)) return true;
    g->line = sb_out_growing();
    put_hello(g, program, true);
    const bool ok = sb_out_ok(&g->line) ? sb_voice_ask(voice, g->line.data, g->line.size, &ignored, failure, g->error)
                                        : sb_game_no_memory(g);
    sb_out_free(&g->line);
    g->line = waiting;
    return ok;
}

static bool ask_live(sb_game *g, size_t program, const char *who, sb_json_part *answer, sb_failure *failure) {
    const double begun = g->o->now();
    const bool is_hello = strcmp(who, "hello") == 0;
    sb_voice *voice = &g->programs[program].voice;
    failure->kind = SB_NO_FAILURE;
    if (!is_hello && !wake(g, program, failure)) return false;
    if (!failure->kind && !sb_voice_ask(voice, g->line.data, g->line.size, answer, failure, g->error)) return false;
    sb_game_note_time(g, who, g->o->now() - begun);
    if (is_hello && failure->kind) return true; /* nothing has begun, so that it can be started again */
    return sb_answers_keep(&g->answers, who, g->line.data, g->line.size, answer, failure, g->error) &&
           sb_answers_sync(&g->answers, g->error);
}

/* Exchanges the line for an answer, from the journal or by asking; an answer is kept before it is used. */
static bool exchange(sb_game *g, size_t program, const char *who, sb_json_part *answer, sb_failure *failure) {
    sb_voice *voice = &g->programs[program].voice;
    *answer = (sb_json_part){0}, failure->kind = SB_NO_FAILURE;
    if (!sb_out_ok(&g->line)) return sb_game_no_memory(g);
    if (voice->failures >= SB_VOICE_FAILURES)
        return sb_failed(failure, SB_FAILED_CRASH, "it failed too often: it is not asked any more"), true;
    const bool is_kept = g->answers.only_read || sb_answers_has_next(&g->answers);
    if (is_kept ? !sb_answers_take(&g->answers, who, g->line.data, g->line.size, answer, failure, g->error)
                : !ask_live(g, program, who, answer, failure))
        return false;
    voice->failures += failure->kind != SB_NO_FAILURE;
    return true;
}

static cJSON *parse_answer(const sb_json_part *answer, sb_failure *failure) {
    sb_error why;
    cJSON *object = sb_json_parse(answer->at, answer->n, &why);
    if (cJSON_IsObject(object)) return object;
    sb_failed(failure, SB_FAILED_NONSENSE, "its answer is no JSON object: %.100s", object ? "" : why.text);
    cJSON_Delete(object);
    return NULL;
}

/* ---- What an answer says beside its point ------------------------------------------------------------------------ */

static double number_in(const cJSON *usage, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(usage, key);
    return cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= SB_COUNTER_MAX ? item->valuedouble
                                                                                                 : 0;
}

static bool is_null_in(const cJSON *usage, const char *key) {
    return cJSON_IsNull(usage) || cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(usage, key));
}

/* Usage that is left out is none; null says that it, or a part of it, is not known. */
static void take_usage(sb_game *g, sb_role role, const cJSON *answer) {
    const cJSON *usage = cJSON_GetObjectItemCaseSensitive(answer, "usage");
    sb_arena_spent *spent = &g->report->spent[role];
    spent->is_unknown |= is_null_in(usage, "tokens_in") || is_null_in(usage, "tokens_out");
    spent->is_cost_unknown |= is_null_in(usage, "cost");
    const double in = floor(number_in(usage, "tokens_in")), out = floor(number_in(usage, "tokens_out"));
    spent->tokens_in += in, spent->tokens_out += out, spent->cost += number_in(usage, "cost");
    g->step_tokens += in + out;
}

static bool take_memory(sb_game *g, sb_role role, const sb_json_part *answer) {
    static const char *const names[] = {"memory", NULL};
    sb_out *memory = &g->programs[g->team->of[role]].memory;
    sb_json_part part;
    sb_model_members(answer, names, &part);
    if (!part.n) return true;
    sb_out_clear(memory);
    sb_put(memory, part.at, part.n);
    return sb_out_ok(memory) || sb_game_no_memory(g);
}

static bool take_feedback(sb_game *g, sb_role role, const cJSON *answer) {
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(answer, "feedback")) {
        const char *to = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "to"));
        const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "text"));
        size_t index = SB_N_ROLES;
        if (to && text) sb_find_word(sb_role_names, SB_N_ROLES, to, &index);
        const sb_role holder = index < SB_N_ROLES ? sb_arena_team_holder(g->team, (sb_role)index) : SB_N_ROLES;
        if (holder == SB_N_ROLES) continue;
        if (!sb_game_tell(g, sb_role_names[role], holder, text)) return false;
    }
    return true;
}

static bool take_besides(sb_game *g, sb_role role, const sb_json_part *part, const cJSON *answer) {
    take_usage(g, role, answer);
    return take_memory(g, role, part) && take_feedback(g, role, answer);
}

/* Whether a program says that it has no answer, as when its endpoint refuses. */
static bool says_error(const cJSON *answer, sb_failure *failure) {
    const char *why = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(answer, "error"));
    return why && (sb_failed(failure, SB_FAILED_ENDPOINT, "it has no answer: %.150s", why), true);
}

static void drop(cJSON **answer) {
    cJSON_Delete(*answer);
    *answer = NULL;
}

static void note_choice(sb_game *g, const sb_failure *failure) {
    g->n_choices++;
    if (failure->kind) g->n_silent++, g->silence = *failure;
}

bool sb_game_ask(sb_game *g, sb_role role, const char *op, cJSON **answer) {
    char who[48];
    sb_failure failure;
    sb_json_part part;
    sb_arena_spent *spent = &g->report->spent[role];
    *answer = NULL;
    if (why_broke(g)) return true;
    snprintf(who, sizeof who, "%s %s", sb_role_names[role], op);
    sb_puts(&g->line, "}\n");
    if (!exchange(g, (size_t)g->team->of[role], who, &part, &failure)) return false;
    spent->asked++;
    if (!failure.kind) *answer = parse_answer(&part, &failure);
    if (*answer && !take_besides(g, role, &part, *answer)) return drop(answer), false;
    if (*answer && says_error(*answer, &failure)) drop(answer);
    spent->failures += failure.kind != SB_NO_FAILURE;
    if (strcmp(op, "act") == 0) note_choice(g, &failure);
    return !failure.kind || sb_game_tell(g, "arena", role, failure.text);
}

bool sb_game_greet(sb_game *g) {
    for (size_t i = 0; i < g->team->n_programs; i++) {
        sb_json_part answer;
        sb_failure failure;
        put_hello(g, i, false);
        if (!exchange(g, i, "hello", &answer, &failure)) return false;
        if (failure.kind) return sb_fail(g->error, SB_INVALID, "%.200s: %s", g->team->programs[i], failure.text);
    }
    for (int role = 0; role < SB_N_ROLES; role++) g->roles[role].is_due = g->team->of[role] >= 0;
    return true;
}

/* ---- Messages and news ------------------------------------------------------------------------------------------- */

bool sb_game_tell(sb_game *g, const char *from, sb_role to, const char *text) {
    sb_role_state *role = &g->roles[to];
    sb_out *chat = sb_workspace_lines(&g->files, SB_ARENA_CHAT);
    if (role->n_mail == SB_ARENA_MAIL) {
        sb_out_free(&role->mail[0]);
        memmove(role->mail, role->mail + 1, --role->n_mail * sizeof *role->mail);
    }
    sb_out *mail = &role->mail[role->n_mail++];
    *mail = sb_out_growing();
    sb_putf(mail, "{\"step\":%llu,\"from\":\"%s\",\"to\":\"%s\",\"text\":", (unsigned long long)sb_game_step(g), from,
            sb_role_names[to]);
    sb_put_json_string(mail, text), sb_puts(mail, "}");
    role->is_due = true;
    if (!chat) return sb_game_no_memory(g);
    sb_put_out(chat, mail), sb_puts(chat, "\n");
    return (sb_out_ok(mail) && sb_out_ok(chat)) || sb_game_no_memory(g);
}

static void put_mail(sb_game *g, sb_role to) {
    sb_role_state *role = &g->roles[to];
    sb_puts(&g->line, ",\"mail\":[");
    for (size_t i = 0; i < role->n_mail; i++) {
        if (i) sb_puts(&g->line, ",");
        sb_put_out(&g->line, &role->mail[i]);
        sb_out_free(&role->mail[i]);
    }
    role->n_mail = 0;
    sb_puts(&g->line, "]");
}

void sb_game_put_news(sb_game *g, sb_role to) {
    sb_role_state *role = &g->roles[to];
    sb_out *line = &g->line;
    sb_puts(line, ",\"news\":[");
    for (size_t i = role->told; i < g->evidence.log.n_transitions; i++) {
        const sb_log_transition *t = &g->evidence.log.transitions[i];
        const sb_past *past = &g->evidence.past[i];
        sb_putf(line, "%s{\"t\":%u,\"level\":%d,\"kind\":\"%s\",\"action\":", i > role->told ? "," : "", t->t, t->level,
                sb_transition_names[t->kind]);
        sb_put_log_action(line, &t->action);
        put_frame(g, "before", t->before), put_frame(g, "after", t->last);
        sb_putf(line, ",\"frames\":%u,\"prediction\":\"%s\"}", t->n_frames,
                !past->is_said   ? "none"
                : past->is_right ? "right"
                                 : "wrong");
    }
    role->told = g->evidence.log.n_transitions;
    sb_puts(line, "]");
    put_mail(g, to);
}

/* ---- Turns ------------------------------------------------------------------------------------------------------- */

/* Puts the ledger's open entries of what a role owns. */
static void put_open(sb_game *g, sb_role role) {
    sb_puts(&g->line, ",\"ledger\":[");
    for (size_t i = 0; i < g->ledger.n; i++) {
        const sb_ledger_entry *e = &g->ledger.entries[i];
        if (e->resolved || sb_game_owner(g, e->owner) != role) continue;
        sb_putf(&g->line, "%s{\"t\":%llu,\"level\":%llu,\"source\":\"%s\",\"action\":%s,\"fields\":[",
                g->line.last == '[' ? "" : ",", (unsigned long long)e->t, (unsigned long long)e->level,
                sb_model_source_names[e->source], e->texts);
        const char *field = e->texts + strlen(e->texts) + 1;
        for (size_t k = 0; k < e->n_fields; k++, field += strlen(field) + 1) {
            if (k) sb_puts(&g->line, ",");
            sb_put_json_string(&g->line, field);
        }
        sb_puts(&g->line, "]}");
    }
    sb_puts(&g->line, "]");
}

static bool take_turn(sb_game *g, sb_role role, uint64_t round) {
    cJSON *answer;
    g->roles[role].is_due = false;
    sb_out *line = sb_game_line(g, role, "turn");
    sb_putf(line, ",\"round\":%llu,\"tokens_left\":", (unsigned long long)round);
    if (g->team->limits.step_tokens)
        sb_put_uint(line, (uint64_t)fmax(0, (double)g->team->limits.step_tokens - g->step_tokens));
    else
        sb_puts(line, "null");
    sb_puts(line, ",\"retrodiction\":"), sb_put_double(line, sb_evidence_retrodiction(&g->evidence));
    sb_game_put_news(g, role);
    put_open(g, role);
    if (!sb_game_ask(g, role, "turn", &answer)) return false;
    if (!answer) return g->roles[role].is_due = false, true;
    const bool ok = sb_game_patch(g, role, cJSON_GetObjectItemCaseSensitive(answer, "patches"));
    if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "again"))) g->roles[role].is_due = true;
    cJSON_Delete(answer);
    return ok;
}

bool sb_game_turns(sb_game *g) {
    const sb_arena_limits *limits = &g->team->limits;
    bool any = true;
    for (uint64_t round = 1; any && round <= limits->rounds; round++) {
        any = false;
        for (int role = 0; role < SB_N_ROLES && !g->is_over; role++) {
            if (g->team->of[role] < 0 || !g->roles[role].is_due) continue;
            if (limits->step_tokens && g->step_tokens >= (double)limits->step_tokens) return true;
            any = true;
            if (!take_turn(g, (sb_role)role, round) || !sb_game_check_limits(g)) return false;
        }
    }
    return true;
}

/* ---- Limits ------------------------------------------------------------------------------------------------------ */

static void end(sb_game *g, sb_failure_kind kind, const char *why) {
    g->is_over = true;
    if (sb_game_is_done(g)) return;
    sb_failed(&g->failure, kind, "the game was ended by %s", why);
    snprintf(g->report->end, sizeof g->report->end, "%s", why);
}

/* Whether the game's seconds are over. That they were is in the journal, with the number of the check that found it:
 * between two checks there may be steps without any answer. */
static bool check_clock(sb_game *g, bool *is_late) {
    static const sb_json_part yes = {.at = "{\"over\":true}", .n = 13, .document = "{\"over\":true}"};
    sb_json_part ignored;
    sb_failure failure = {0};
    char question[32];
    const size_t n = (size_t)snprintf(question, sizeof question, "%llu", (unsigned long long)g->checks++);
    *is_late = sb_answers_next_is(&g->answers, "clock", question, n);
    if (*is_late) return sb_answers_take(&g->answers, "clock", question, n, &ignored, &failure, g->error);
    if (!g->guard || sb_answers_has_next(&g->answers) || !g->team->limits.seconds) return true;
    *is_late = g->o->now() - g->began >= (double)g->team->limits.seconds;
    return !*is_late || (sb_answers_keep(&g->answers, "clock", question, n, &yes, &failure, g->error) &&
                         sb_answers_sync(&g->answers, g->error));
}

bool sb_game_check_limits(sb_game *g) {
    const sb_arena_limits *l = &g->team->limits;
    const char *why;
    bool is_late;
    if (g->is_over) return true;
    if ((why = why_broke(g))) end(g, SB_FAILED_QUOTA, why);
    if (l->actions && g->report->actions >= l->actions) end(g, SB_FAILED_STEPS, "the limit of actions");
    /* A game that has ended is replayed, however long that takes. */
    if (g->is_over || sb_game_is_done(g)) return true;
    if (!check_clock(g, &is_late)) return false;
    if (is_late) end(g, SB_FAILED_TIMEOUT, "the limit of seconds");
    return true;
}
