/* Format `preference`: gzipped JSON, pairs of answers for trainers that learn from preferences. The answer of a row
 * that is chosen takes a best action of the state, the one that is rejected an action that costs more
 * (include/seedbed/costs.h). Rows may also be whole episodes: the teller's own play beside a worse one. Texts are those
 * of format `chat`. */
#include "exporters/conversation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "exporters/asked.h"
#include "exporters/teller.h"
#include "oracles/player.h"

/* ---- Options ---- */

typedef enum choice { DRAWN, WORST, CLOSEST, N_CHOICES } choice;

typedef struct options {
    sb_chat_options chat;
    const char *teller;
    choice rejected; /* which of the worse actions is rejected */
    double least[3]; /* the difference that makes a pair, in each sb_regret_unit; 0: any */
} options;

static const char *const keys[] = {"rows",      "style",     "turns",   "system",  "user",  "answer",
                                   "rationale", "reasoning", "intents", "history", "valid", "teller",
                                   "rejected",  "margin",    "reasons", "taken",   NULL};

static bool read_rejected(const cJSON *all, options *o, sb_error *error) {
    static const char *const names[N_CHOICES] = {"drawn", "worst", "closest"};
    size_t index = DRAWN;
    if (!sb_json_optional_word(all, "rejected", names, N_CHOICES, &index, error)) return false;
    o->rejected = (choice)index;
    return !(o->chat.by_episode && cJSON_HasObjectItem(all, "rejected")) ||
           sb_fail(error, SB_INVALID,
                   "key `rejected`: of whole episodes the one that is recorded is rejected, so leave the key out");
}

static bool read_least(const cJSON *margin, sb_regret_unit unit, double most, double *least, sb_error *error) {
    const char *key = sb_regret_unit_name(unit);
    if (!cJSON_HasObjectItem(margin, key)) return true;
    if (!sb_json_double(margin, key, least, error)) return false;
    return (*least > 0 && *least <= most) ||
           sb_fail(error, SB_INVALID, "key `%s` should be above 0 and at most %g", key, most);
}

static bool read_margin(const cJSON *all, options *o, sb_error *error) {
    static const char *const known[] = {"steps", "probability", NULL};
    const cJSON *margin;
    if (!cJSON_HasObjectItem(all, "margin")) return true;
    if (!sb_json_object(all, "margin", &margin, error)) return false;
    return (sb_json_known_keys(margin, known, error) &&
            read_least(margin, SB_REGRET_STEPS, 1e6, &o->least[SB_REGRET_STEPS], error) &&
            read_least(margin, SB_REGRET_PROBABILITY, 1, &o->least[SB_REGRET_PROBABILITY], error)) ||
           sb_fail_at(error, "key `margin`");
}

static bool check_texts(const options *o, sb_error *error) {
    if (sb_conversation_has(&o->chat, SB_CHAT_IMAGE))
        return sb_fail(error, SB_INVALID, "format preference has no pictures, so {image} cannot stand in its texts");
    return !(o->chat.by_episode && o->chat.style == SB_CHAT_PROMPT) ||
           sb_fail(error, SB_INVALID, "key `rows`: `episode` needs the style `prompt_messages` or `messages`");
}

static bool read_options(sb_export *export, options *o, const cJSON *all, sb_error *error) {
    o->chat.style = SB_CHAT_PROMPT_MESSAGES;
    if (!sb_conversation_read(export, &o->chat, all, error) || !check_texts(o, error) ||
        !sb_teller_read(export, all, &o->teller, error) || !read_rejected(all, o, error) || !read_margin(all, o, error))
        return false;
    if (!o->chat.by_episode) return true;
    const bool explains = export->needs_intents;
    export->needs_intents = false, export->bettered_by = o->teller;
    return !explains || export->any_intents || sb_teller_is_open(export, o->teller, error) ||
           sb_fail_at(error, "key `rationale`");
}

/* ---- Pairs of actions ---- */

typedef struct pair {
    const sb_cost *best, *chosen, *rejected;
    sb_regret regret; /* how much worse the rejected action is */
} pair;

typedef struct writer {
    sb_conversation talk;
    const options *options;
    sb_teller *teller; /* tells what actions of a step cost */
    sb_out *out;
    uint64_t n_rows;
} writer;

/* Returns the action of the label if it is among the best that may answer, or else the first of the best; NULL: none
 * may answer. */
static const sb_cost *choose(const writer *w, const sb_env *env) {
    const sb_action label = sb_tape_label(w->talk.rollout->tape, w->talk.step);
    const sb_cost *first = NULL;
    for (size_t i = 0; i < w->teller->n; i++) {
        const sb_cost *cost = &w->teller->list[i];
        if (!cost->is_best || !sb_is_offered(&w->talk, env, cost->action)) continue;
        if (cost->action == label) return cost;
        if (!first) first = cost;
    }
    return first;
}

/* Whether a difference makes a pair. */
static bool is_enough(const options *o, const sb_regret *regret) {
    return regret->unit != SB_REGRET_UNKNOWN && regret->by > 0 && regret->by >= o->least[regret->unit];
}

/* Compares two actions that may be rejected; returns 1, 0 or -1 if the first is wanted more, as much or less. */
static int compare(choice wanted, const sb_regret *a, const sb_regret *b) {
    const int by_unit = (a->unit > b->unit) - (a->unit < b->unit), by_number = (a->by > b->by) - (a->by < b->by);
    const int worse = by_unit ? by_unit : by_number;
    return wanted == DRAWN ? 0 : wanted == WORST ? worse : -worse;
}

/* Returns the random numbers of a step. They depend on the episode's name and the step alone. */
static sb_rng draws_of(const writer *w) {
    char purpose[40];
    snprintf(purpose, sizeof purpose, "preference %zu", w->talk.step);
    return sb_draws_of(&w->talk.rollout->tape->name, purpose);
}

/* Chooses the worse action; where several are wanted as much, each with the same probability. */
static bool reject(const writer *w, const sb_env *env, pair *p) {
    sb_rng draws = draws_of(w);
    uint64_t n = 0;
    for (size_t i = 0; i < w->teller->n; i++) {
        const sb_cost *cost = &w->teller->list[i];
        const sb_regret regret = sb_regret_of(cost, p->best);
        if (!is_enough(w->options, &regret) || !sb_is_offered(&w->talk, env, cost->action)) continue;
        const int order = n ? compare(w->options->rejected, &regret, &p->regret) : 1;
        if (order < 0) continue;
        if (order > 0) n = 0;
        if (sb_bounded(&draws, n++) == 0) p->rejected = cost, p->regret = regret;
    }
    return p->rejected != NULL;
}

static bool find_pair(const writer *w, const sb_env *env, pair *p) {
    p->best = sb_best_cost(w->teller->list, w->teller->n);
    p->chosen = choose(w, env);
    return p->chosen && reject(w, env, p);
}

/* ---- Rows ---- */

static void put_margin(sb_out *out, const sb_regret *regret) {
    sb_put_key(out, "margin"), sb_put_cost_number(out, regret->by);
    sb_member_text(out, "margin_unit", sb_regret_unit_name(regret->unit));
}

static void end_row(writer *w) {
    sb_put_conversation_facts(&w->talk, w->out);
    sb_puts(w->out, "}\n");
    w->n_rows++;
}

/* Opens a list of the messages up to the answer. */
static void open_prompt(const writer *w, const char *key) {
    const sb_conversation *c = &w->talk;
    const size_t first = c->step > c->options->turns ? c->step - c->options->turns : 0;
    sb_open_messages(c, w->out, key);
    sb_put_turns(c, w->out, first, c->step);
    sb_put_message(c, w->out, "user", &c->user);
}

static void put_prompt(const writer *w) {
    if (w->talk.options->style == SB_CHAT_PROMPT)
        sb_put_key(w->out, "prompt"), sb_put_prompt(&w->talk, w->out);
    else if (w->talk.options->style == SB_CHAT_PROMPT_MESSAGES)
        open_prompt(w, "prompt"), sb_puts(w->out, "]");
}

/* Puts an answer. Nobody gave reasons for one that is rejected. */
static void put_answer(writer *w, const char *key, sb_action action, bool is_rejected) {
    sb_conversation *c = &w->talk;
    c->is_silent = is_rejected;
    sb_conversation_answer(c, action);
    c->is_silent = false;
    if (c->options->style == SB_CHAT_PROMPT) {
        sb_put_key(w->out, key), sb_put_quoted(w->out, &c->text);
        return;
    }
    if (c->options->style == SB_CHAT_MESSAGES)
        open_prompt(w, key);
    else
        sb_put_key(w->out, key), sb_puts(w->out, "[");
    sb_put_message(c, w->out, "assistant", &c->text);
    sb_puts(w->out, "]");
}

static void put_why(sb_out *out, const char *key, const sb_env *env, const sb_cost *cost, const sb_cost *best) {
    sb_put_key(out, key);
    sb_putc(out, '"');
    out->json = true;
    sb_put_cost_words(out, env, cost, best);
    out->json = false;
    sb_putc(out, '"');
}

static void put_pair(writer *w, const sb_env *env, const pair *p) {
    sb_out *out = w->out;
    sb_puts(out, "{");
    put_prompt(w);
    put_answer(w, "chosen", p->chosen->action, false);
    put_answer(w, "rejected", p->rejected->action, true);
    put_margin(out, &p->regret);
    sb_member_bool(out, "proven", p->chosen->is_proven && p->rejected->is_proven);
    sb_member_int(out, "chosen_int", p->chosen->action);
    sb_member_int(out, "rejected_int", p->rejected->action);
    put_why(out, "chosen_why", env, p->chosen, p->best);
    put_why(out, "rejected_why", env, p->rejected, p->best);
    end_row(w);
}

/* ---- A row a step ---- */

/* Checks that an exchange that is repeated answers with what its prompt offers. */
static bool check_turn(const sb_conversation *c, const sb_env *env, sb_error *error) {
    const sb_tape *tape = c->rollout->tape;
    return !c->options->turns || c->step + 1 >= tape->n || sb_check_offer(c, env, tape->actions[c->step], error);
}

static bool write_step(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    writer *w = context;
    sb_conversation *c = &w->talk;
    pair p = {0};
    if (result && !sb_conversation_remember(c, env, action, result, error)) return false;
    if (sb_conversation_ok(c) && c->step < c->rollout->tape->n) {
        if (!sb_conversation_look(c, env, error) || !check_turn(c, env, error) || !sb_teller_ask(w->teller, env, error))
            return false;
        if (find_pair(w, env, &p)) put_pair(w, env, &p);
    }
    return sb_conversation_ok(c) || sb_fail(error, SB_MEMORY, "out of memory for a conversation");
}

static bool put_steps(writer *w, sb_error *error) {
    const sb_rollout *rollout = w->talk.rollout;
    return (w->teller = sb_teller_open(rollout->tellers, w->options->teller, error)) &&
           sb_tape_replay(rollout->tape, rollout->env, write_step, w, error);
}

/* ---- A row an episode ---- */

/* One of the two episodes of a row. */
typedef struct part {
    sb_conversation talk;
    bool is_offered; /* all actions of the episode are offered */
} part;

static bool take_turn(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    part *p = context;
    sb_conversation *c = &p->talk;
    if (result && !sb_conversation_remember(c, env, action, result, error)) return false;
    if (sb_conversation_ok(c) && c->step < c->rollout->tape->n) {
        if (!sb_conversation_look(c, env, error)) return false;
        p->is_offered &= sb_is_offered(c, env, c->rollout->tape->actions[c->step]);
    }
    return sb_conversation_ok(c) || sb_fail(error, SB_MEMORY, "out of memory for a conversation");
}

static bool tell(part *p, sb_error *error) {
    return sb_tape_replay(p->talk.rollout->tape, p->talk.rollout->env, take_turn, p, error);
}

/* Lets the teller play the episode from its start. */
static bool play(sb_player *player, const char *agent, const sb_rollout *rollout, sb_tape *tape, sb_error *error) {
    sb_env *env = rollout->env;
    sb_result result;
    if (!sb_reset_name(env, &rollout->tape->name, error) || !sb_player_begin_as(player, agent, env, error))
        return false;
    sb_tape_begin(tape, env, agent);
    while (!env->status.done) {
        const sb_action action = sb_player_act(player, env);
        if (!sb_tape_explain(tape, &player->intent, error) || !sb_step(env, action, &result, error) ||
            !sb_tape_append(tape, action, error))
            return false;
    }
    sb_tape_finish(tape, env);
    return true;
}

/* How much worse an episode is than a play of it. This is not known of an episode that was not played to its end. */
static sb_regret compare_episodes(const sb_tape *tape, const sb_tape *play) {
    if (!play->outcome.success || !tape->outcome.done) return (sb_regret){SB_REGRET_UNKNOWN, 0};
    if (!tape->outcome.success) return (sb_regret){SB_REGRET_PROBABILITY, 1};
    return (sb_regret){SB_REGRET_STEPS, (double)tape->n - (double)play->n};
}

static void put_fate(sb_out *out, const char *key, const sb_tape *tape) {
    sb_put_key(out, key);
    sb_putf(out, "\"%s %zu step%s\"", tape->outcome.success ? "success in" : "no success in", tape->n,
            sb_plural(tape->n));
}

static void put_play(const part *p, sb_out *out, const char *key) {
    const sb_conversation *c = &p->talk;
    if (c->options->style == SB_CHAT_MESSAGES)
        sb_open_messages(c, out, key), sb_put_turns(c, out, 0, c->step);
    else
        sb_put_key(out, key), sb_puts(out, "["), sb_put_replies(c, out);
    sb_puts(out, "]");
}

static void put_episodes(writer *w, const part *chosen, const part *rejected, const sb_regret *regret) {
    sb_out *out = w->out;
    sb_puts(out, "{");
    if (w->talk.options->style == SB_CHAT_PROMPT_MESSAGES)
        sb_open_messages(&chosen->talk, out, "prompt"), sb_put_opening(&chosen->talk, out), sb_puts(out, "]");
    put_play(chosen, out, "chosen"), put_play(rejected, out, "rejected");
    put_margin(out, regret);
    sb_member_uint(out, "chosen_steps", chosen->talk.step);
    put_fate(out, "chosen_why", chosen->talk.rollout->tape),
        put_fate(out, "rejected_why", rejected->talk.rollout->tape);
    end_row(w);
}

static bool put_better(writer *w, const sb_tape *better, const sb_regret *regret, sb_error *error) {
    const sb_rollout *given = w->talk.rollout, other = {given->episode_id, better, given->env, given->tellers};
    part chosen = {.talk = sb_conversation_of(&other, w->talk.export, w->talk.options), .is_offered = true};
    part rejected = {.talk = sb_conversation_of(given, w->talk.export, w->talk.options), .is_offered = true};
    chosen.talk.explainer = w->options->teller, rejected.talk.is_silent = true;
    const bool ok = tell(&chosen, error) && tell(&rejected, error);
    if (ok && chosen.is_offered && rejected.is_offered) put_episodes(w, &chosen, &rejected, regret);
    sb_conversation_free(&chosen.talk), sb_conversation_free(&rejected.talk);
    return ok;
}

static bool put_episode(writer *w, sb_error *error) {
    const sb_rollout *rollout = w->talk.rollout;
    sb_player player = {0};
    sb_tape better = {0};
    bool ok = play(&player, w->options->teller, rollout, &better, error);
    const sb_regret regret = compare_episodes(rollout->tape, &better);
    if (ok && is_enough(w->options, &regret)) ok = put_better(w, &better, &regret, error);
    sb_player_clear(&player);
    sb_tape_clear(&better);
    return ok;
}

static bool rows(const sb_rollout *rollout, const sb_export *export, sb_out *out, uint64_t *n_rows, sb_error *error) {
    const options *o = export->own;
    writer w = {.talk = sb_conversation_of(rollout, export, &o->chat), .options = o, .out = out};
    const bool ok = o->chat.by_episode ? put_episode(&w, error) : put_steps(&w, error);
    *n_rows = w.n_rows;
    sb_conversation_free(&w.talk);
    return ok;
}

/* ---- Prompts ---- */

/* Finds what a pair asks. Pairs with the same prompt and the same chosen answer ask the same, whatever is rejected. */
static void ask(const sb_export *export, sb_span row, sb_asked *asked) {
    const sb_chat_style style = ((const options *)export->own)->chat.style;
    sb_span rest;
    sb_members members = sb_members_of(row);
    while (sb_members_next(&members) && !asked->answer.n) {
        if (sb_span_is(members.key, "prompt")) asked->prompt[0] = asked->shown = members.value;
        if (!sb_span_is(members.key, "chosen")) continue;
        if (style == SB_CHAT_MESSAGES)
            sb_ask_messages(members.value, asked);
        else
            asked->answer = members.value;
    }
    if (style == SB_CHAT_PROMPT_MESSAGES) sb_split_list(asked->prompt[0], &rest, &asked->shown);
}

/* ---- Columns ---- */

static void add_texts(const options *o, sb_columns *to) {
    const char *chosen = o->chat.by_episode ? "The better play of the episode" : "The answer with a best action",
               *rejected = o->chat.by_episode ? "The worse play" : "The answer with an action that costs more";
    if (o->chat.style == SB_CHAT_PROMPT) {
        sb_add_column(to, "prompt", SB_COLUMN_TEXT, "System and user text"), sb_mark_read(to);
        sb_add_column(to, "chosen", SB_COLUMN_TEXT, chosen), sb_mark_read(to);
        sb_add_column(to, "rejected", SB_COLUMN_TEXT, rejected), sb_mark_read(to);
        return;
    }
    if (o->chat.style == SB_CHAT_PROMPT_MESSAGES)
        sb_add_list(to, "prompt", SB_COLUMN_MESSAGE, "The conversation up to the answers");
    sb_add_list(to, "chosen", SB_COLUMN_MESSAGE, chosen);
    sb_add_list(to, "rejected", SB_COLUMN_MESSAGE, rejected);
}

static void add_comparison(bool by_episode, sb_columns *to) {
    sb_add_column(to, "margin", SB_COLUMN_NUMBER, "How much worse the rejected one is");
    sb_add_column(to, "margin_unit", SB_COLUMN_TEXT,
                  "The unit of that: steps, or probability of success where that differs");
    if (by_episode) {
        sb_add_column(to, "chosen_steps", SB_COLUMN_INTEGER,
                      "How many steps the better play took; steps is the other's");
    } else {
        sb_add_column(to, "proven", SB_COLUMN_BOOLEAN, "Whether both costs are proofs");
        sb_add_column(to, "chosen_int", SB_COLUMN_INTEGER, "The best action, by number");
        sb_add_column(to, "rejected_int", SB_COLUMN_INTEGER, "The worse action, by number");
    }
    sb_add_column(to, "chosen_why", SB_COLUMN_TEXT, "What speaks for the chosen one, in words");
    sb_add_column(to, "rejected_why", SB_COLUMN_TEXT, "What speaks against the rejected one, in words");
}

static void columns(const sb_export *export, sb_columns *to) {
    const options *o = export->own;
    add_texts(o, to);
    add_comparison(o->chat.by_episode, to);
    sb_add_conversation_facts(export, &o->chat, to);
}

#define PREFERENCE_IS "pairs of a better and a worse answer, by what actions cost, or of two plays of an episode"

/* The format with an episode as a row. A whole episode has no prompt of its own. */
static const sb_exporter by_episode = {
    .name = "preference",
    .suffix = "jsonl.gz",
    .summary = PREFERENCE_IS,
    .keeps_failures = true,
    .keys = keys,
    .free = free,
    .columns = columns,
    .rows = rows,
};

static bool read(sb_export *export, const cJSON *all, sb_error *error) {
    options *o = export->own = calloc(1, sizeof *o);
    if (!o) return sb_fail(error, SB_MEMORY, "out of memory for a format");
    if (!read_options(export, o, all, error)) return false;
    if (o->chat.by_episode) export->exporter = &by_episode;
    return true;
}

extern const sb_exporter sb_preference;
const sb_exporter sb_preference = {
    .name = "preference",
    .suffix = "jsonl.gz",
    .summary = PREFERENCE_IS,
    .keeps_failures = true,
    .keys = keys,
    .read = read,
    .free = free,
    .columns = columns,
    .rows = rows,
    .ask = ask,
};
