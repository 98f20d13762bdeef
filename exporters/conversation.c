#include "exporters/conversation.h"

#include <string.h>

#include "base/error.h"
#include "oracles/player.h"
#include "oracles/reasons.h"
#include "rollout/testing.h"

static void put_action(const sb_conversation *c, sb_out *out) { c->env->family->print_action(c->env, c->action, out); }

static size_t end_of(const sb_out *ends, size_t i) {
    size_t end;
    if (i == 0) return 0;
    memcpy(&end, ends->data + (i - 1) * sizeof end, sizeof end);
    return end;
}

static void add_end(sb_out *ends, size_t end) { sb_put(ends, (const char *)&end, sizeof end); }

static void put_past(const sb_conversation *c, sb_out *out) {
    const sb_chat_list *past = &c->options->past;
    const size_t n = c->step, first = n > c->options->history ? n - c->options->history : 0;
    if (first == n) sb_puts(out, past->empty);
    for (size_t i = first; i < n; i++) {
        const size_t begin = end_of(&c->past_ends, i);
        if (i > first) sb_puts(out, past->separator);
        sb_put(out, c->past.data + begin, end_of(&c->past_ends, i + 1) - begin);
    }
}

/* The entry of an action in masks, in which all clicks are one. */
static size_t entry_of(const sb_env *env, sb_action action) {
    const size_t n_buttons = (size_t)env->shape.n_buttons;
    return (size_t)action < n_buttons ? (size_t)action : n_buttons;
}

static void put_valid_field(void *context, int which, sb_out *out) {
    const sb_conversation *c = context;
    if (which == SB_CHAT_VALID_ACTION)
        sb_put_int(out, c->action);
    else
        sb_put_entry(out, c->env, c->action);
}

/* Lists the entries of a mask: all of them, or those that the published hint has. */
static void put_entries(sb_conversation *c, bool all, sb_out *out) {
    bool mask[SB_MASK_MAX];
    const size_t n = sb_valid_mask(c->env, mask, SB_MASK_MAX);
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (!all && !mask[i]) continue;
        if (any) sb_puts(out, c->options->valid.separator);
        any = true;
        c->action = (sb_action)i;
        sb_template_put(&c->options->valid.item, out, put_valid_field, c);
    }
    if (!any) sb_puts(out, c->options->valid.empty);
}

void sb_put_offer(const sb_chat_options *options, const sb_env *env, sb_action action, sb_out *out) {
    sb_conversation c = {.env = env, .action = (sb_action)entry_of(env, action)};
    sb_template_put(&options->valid.item, out, put_valid_field, &c);
}

bool sb_is_offered(const sb_conversation *c, const sb_env *env, sb_action action) {
    bool mask[SB_MASK_MAX];
    if (!c->options->offers_hint) return true;
    return entry_of(env, action) < sb_valid_mask(env, mask, SB_MASK_MAX) && mask[entry_of(env, action)];
}

bool sb_check_offer(const sb_conversation *c, const sb_env *env, sb_action answered, sb_error *error) {
    char name[64];
    if (sb_is_offered(c, env, answered)) return true;
    sb_action_name(env, answered, name, sizeof name);
    return sb_fail(
        error, SB_INVALID,
        "format %s, step %zu: the answer `%s` is none of the actions that its prompt offers, which are those of "
        "the published hint: put {actions}, which are all, into `system` or `user`",
        c->export->name, c->step, name);
}

/* Writes the observation without its own list of valid actions, which may be cut short. */
static void put_scene(const sb_conversation *c, sb_out *out) {
    const sb_mode *mode = c->export->n_modes ? c->export->modes[0] : NULL;
    if (mode && mode->scene && !(mode->document && c->export->hints_offer))
        c->env->family->observe(c->env, mode->scene, out);
    else
        sb_put_out(out, &c->seen);
}

/* Writes a text of the family, such as the mission. */
static void put_text(const sb_conversation *c, size_t which, sb_out *out) {
    char text[1024] = "";
    const size_t n = sb_observe_array(c->env, c->options->texts[which], text, sizeof text - 1);
    if (n < sizeof text)
        sb_puts(out, text);
    else
        out->failed = true;
}

static void put_field(void *context, int which, sb_out *out) {
    sb_conversation *c = context;
    const sb_env *env = c->env;
    char name[SB_NAME_MAX];
    switch (which) {
    case SB_CHAT_TASK: sb_puts(out, env->name.task); break;
    case SB_CHAT_DESCRIPTION: sb_puts(out, env->task->summary); break;
    case SB_CHAT_CATEGORY: sb_puts(out, env->task->category); break;
    case SB_CHAT_DIFFICULTY: sb_puts(out, env->name.difficulty); break;
    case SB_CHAT_NAME: sb_name_print(&env->name, name, sizeof name), sb_puts(out, name); break;
    case SB_CHAT_SEED: sb_put_uint(out, env->name.seed); break;
    case SB_CHAT_STEP: sb_put_uint(out, c->step); break;
    case SB_CHAT_TURN: sb_put_uint(out, c->step + 1); break;
    case SB_CHAT_MAX_STEPS: sb_put_int(out, env->status.max_steps); break;
    case SB_CHAT_OBSERVATION: sb_put_out(out, &c->seen); break;
    case SB_CHAT_SCENE: put_scene(c, out); break;
    case SB_CHAT_ACTIONS: put_entries(c, true, out); break;
    case SB_CHAT_VALID_ACTIONS: put_entries(c, false, out); break;
    case SB_CHAT_HISTORY: put_past(c, out); break;
    case SB_CHAT_INSTRUCTIONS:
        sb_put_instructions(out, &(sb_testing_rules){.instructions = c->export->instructions}, env);
        break;
    case SB_CHAT_IMAGE: c->image_at = out->size; break;
    default:
        if ((size_t)which < SB_CHAT_FIELDS + env->family->n_modes)
            env->family->observe(env, &env->family->modes[which - SB_CHAT_FIELDS], out);
        else
            put_text(c, (size_t)which - SB_CHAT_FIELDS - env->family->n_modes, out);
    }
}

static void put_past_field(void *context, int which, sb_out *out) {
    const sb_conversation *c = context;
    switch (which) {
    case SB_CHAT_PAST_STEP: sb_put_uint(out, c->step); break;
    case SB_CHAT_PAST_TURN: sb_put_uint(out, c->step + 1); break;
    case SB_CHAT_PAST_ACTION: sb_put_int(out, c->action); break;
    case SB_CHAT_PAST_NAME: put_action(c, out); break;
    case SB_CHAT_PAST_REWARD: sb_put_double(out, c->rewards.last); break;
    default: sb_put_out(out, &c->seen);
    }
}

static void put_why_field(void *context, int which, sb_out *out) {
    const sb_conversation *c = context;
    sb_purpose purpose = *sb_tape_purpose(c->rollout->tape, c->step);
    const sb_reason_wording wording = {c->options->depth, c->wording, c->options->places};
    if (!c->options->places) purpose.at = (sb_xy){-1, -1};
    if (which == SB_CHAT_WHY_REASON && c->claims.n)
        sb_put_reason(out, c->env, &c->claims, &wording);
    else if (which == SB_CHAT_WHY_REASON || which == SB_CHAT_WHY_INTENT)
        sb_put_purpose(out, &purpose);
    else
        sb_puts(out, which == SB_CHAT_WHY_VERB ? purpose.verb : purpose.object);
}

/* Whether the tape's intents may be told. Those of an oracle that knows more than the agent is shown would teach to
 * guess. */
static bool may_tell(const sb_conversation *c) {
    const sb_name *name = &c->rollout->tape->name;
    return c->export->any_intents || !sb_is_privileged(name->family, name->task, c->explainer);
}

/* Writes why the oracle takes this action; nothing if the oracle stated no intent, or if noise chose the action. */
static void put_rationale(sb_conversation *c, sb_out *out) {
    const sb_tape *tape = c->rollout->tape;
    const sb_purpose *purpose = sb_tape_purpose(tape, c->step);
    if (purpose && purpose->verb[0] && c->action == sb_tape_label(tape, c->step) && may_tell(c))
        sb_template_put(&c->options->rationale, out, put_why_field, c);
}

static void put_thought_field(void *context, int which, sb_out *out) {
    const sb_conversation *c = context;
    const sb_said *said = &c->rollout->tape->said;
    const sb_remark *remark = sb_said_at(said, c->step);
    if (which == SB_CHAT_SAID_THOUGHT) sb_put(out, sb_thought(said, remark), remark->n);
}

/* Writes what the agent thought before this action; nothing if it said nothing, or if the answer is another action. */
static void put_reasoning(sb_conversation *c, sb_out *out) {
    const sb_tape *tape = c->rollout->tape;
    const sb_remark *remark = sb_said_at(&tape->said, c->step);
    if (remark && remark->n && c->action == tape->actions[c->step])
        sb_template_put(&c->options->reasoning, out, put_thought_field, c);
}

static void put_answer_field(void *context, int which, sb_out *out) {
    sb_conversation *c = context;
    switch (which) {
    case SB_CHAT_ANSWER_ACTION: sb_put_int(out, c->action); break;
    case SB_CHAT_ANSWER_NAME: put_action(c, out); break;
    case SB_CHAT_ANSWER_STEP: sb_put_uint(out, c->step); break;
    case SB_CHAT_ANSWER_TURN: sb_put_uint(out, c->step + 1); break;
    case SB_CHAT_ANSWER_REASONING:
        if (!c->is_silent) put_reasoning(c, out);
        break;
    default:
        if (!c->is_silent) put_rationale(c, out);
    }
}

/* ---- Messages ---- */

void sb_put_quoted(sb_out *out, const sb_out *text) {
    sb_putc(out, '"');
    out->json = true;
    sb_put_out(out, text);
    out->json = false;
    sb_putc(out, '"');
}

/* Writes a part of a message; text = NULL: a picture. Both kinds have the same keys, because columns have one type. */
static void put_part(sb_out *out, const char *text, size_t n) {
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_text(out, "type", text ? "text" : "image");
    sb_put_key(out, "text");
    if (text)
        sb_put_json_bytes(out, text, n);
    else
        sb_puts(out, "null");
    sb_puts(out, "}");
}

/* Writes a text as a list of parts, which every message is where there are pictures. */
static void put_parts(const sb_conversation *c, sb_out *out, const sb_out *text) {
    const size_t before = text == &c->user ? c->image_at : 0;
    sb_puts(out, "[");
    if (before) put_part(out, text->data, before);
    if (text == &c->user) put_part(out, NULL, 0);
    if (before < text->size) put_part(out, text->data + before, text->size - before);
    sb_puts(out, "]");
}

void sb_put_message(const sb_conversation *c, sb_out *out, const char *role, const sb_out *text) {
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_text(out, "role", role);
    sb_put_key(out, "content");
    if (c->options->brush)
        put_parts(c, out, text);
    else
        sb_put_quoted(out, text);
    sb_puts(out, "}");
}

void sb_conversation_answer(sb_conversation *c, sb_action action) {
    sb_out_clear(&c->text);
    c->action = action;
    sb_template_put(&c->options->answer, &c->text, put_answer_field, c);
}

/* Writes a step's claims as a JSON string. */
static void put_claims(const sb_conversation *c, sb_out *out) {
    sb_putc(out, '"');
    out->json = true;
    sb_put_claims(out, &c->claims);
    out->json = false;
    sb_putc(out, '"');
}

/* Writes the claims about the answer of the row, or of all answers. */
static void put_claimed(const sb_conversation *c, sb_out *out) {
    sb_put_key(out, "claims");
    if (!c->options->by_episode) {
        put_claims(c, out);
        return;
    }
    sb_putc(out, '['), sb_put_out(out, &c->claimed), sb_putc(out, ']');
}

void sb_put_conversation_facts(const sb_conversation *c, sb_out *out) {
    const sb_tape *tape = c->rollout->tape;
    char name[SB_NAME_MAX];
    sb_name_print(&tape->name, name, sizeof name);
    sb_member_text(out, "task", tape->name.task);
    sb_put_difficulty(out, c->export, tape);
    sb_member_uint(out, "episode_id", c->rollout->episode_id);
    sb_member_text(out, "name", name);
    if (c->options->by_episode)
        sb_member_uint(out, "steps", tape->n);
    else
        sb_member_uint(out, "step", c->step);
    sb_member_success(out, tape->criterion, &tape->outcome);
    sb_member_double(out, "return", sb_return_of(c->export, tape));
    sb_put_judging(out, c->export, tape);
    sb_put_taken(out, c->export, tape, c->step);
    if (c->options->depth) put_claimed(c, out);
}

void sb_put_prompt(const sb_conversation *c, sb_out *out) {
    sb_putc(out, '"');
    out->json = true;
    sb_put_out(out, &c->system);
    if (c->system.size) sb_puts(out, "\n\n");
    sb_put_out(out, &c->user);
    out->json = false;
    sb_putc(out, '"');
}

void sb_open_messages(const sb_conversation *c, sb_out *out, const char *key) {
    sb_put_key(out, key);
    sb_puts(out, "[");
    if (c->options->system.n) sb_put_message(c, out, "system", &c->system);
}

/* Writes kept messages; each begins with a comma. */
static void put_kept(const sb_conversation *c, sb_out *out, size_t begin, size_t end) {
    sb_put_comma(out);
    sb_put(out, c->turns.data + begin + 2, end - begin - 2);
}

void sb_put_turns(const sb_conversation *c, sb_out *out, size_t first, size_t end) {
    if (first < end) put_kept(c, out, end_of(&c->turn_ends, first), end_of(&c->turn_ends, end));
}

void sb_put_opening(const sb_conversation *c, sb_out *out) { put_kept(c, out, 0, c->first_user); }

void sb_put_replies(const sb_conversation *c, sb_out *out) { put_kept(c, out, c->first_user, c->turns.size); }

/* ---- Reasons ---- */

/* Finds what can be said of the label of this step. */
static bool explain(sb_conversation *c, const sb_env *env, sb_error *error) {
    const sb_tape *tape = c->rollout->tape;
    const sb_purpose *purpose = sb_tape_purpose(tape, c->step);
    sb_intent why = {0};
    c->claims.n = 0;
    if (!c->options->depth || c->is_silent) return true;
    if (!c->teller && !(c->teller = sb_teller_open(c->rollout->tellers, c->options->teller, error))) return false;
    if (c->step == 0) {
        sb_rng draws = sb_draws_of(&tape->name, "reasons");
        c->wording = sb_next64(&draws);
    }
    c->wording++;
    if (!purpose || !purpose->verb[0]) return true;
    sb_intend(&why, purpose->verb, purpose->object, purpose->at);
    return sb_teller_claim(c->teller, env, sb_tape_label(tape, c->step), &why, c->options->depth, &c->claims, error);
}

/* ---- Steps ---- */

bool sb_conversation_look(sb_conversation *c, const sb_env *env, sb_error *error) {
    c->env = env;
    sb_out_clear(&c->seen), sb_out_clear(&c->user);
    if (c->export->n_modes) env->family->observe(env, c->export->modes[0], &c->seen);
    if (c->step == 0) sb_template_put(&c->options->system, &c->system, put_field, c);
    sb_template_put(&c->options->user, &c->user, put_field, c);
    return (c->step > 0 || sb_rewards_see(&c->rewards, c->export, c->rollout, env, NULL, error)) &&
           explain(c, env, error);
}

static void keep_turn(sb_conversation *c, sb_action action) {
    sb_conversation_answer(c, action);
    sb_put_message(c, &c->turns, "user", &c->user);
    if (c->step == 0) c->first_user = c->turns.size;
    sb_put_message(c, &c->turns, "assistant", &c->text);
    add_end(&c->turn_ends, c->turns.size);
}

bool sb_conversation_remember(sb_conversation *c, const sb_env *env, sb_action action, const sb_result *result,
                              sb_error *error) {
    if (!sb_rewards_see(&c->rewards, c->export, c->rollout, env, result, error)) return false;
    c->env = env;
    if (c->options->by_episode || c->options->turns) keep_turn(c, action);
    c->action = action;
    sb_template_put(&c->options->past.item, &c->past, put_past_field, c);
    add_end(&c->past_ends, c->past.size);
    if (c->options->depth && c->options->by_episode) {
        if (c->claimed.size) sb_puts(&c->claimed, ", ");
        put_claims(c, &c->claimed);
    }
    c->step++;
    return true;
}

/* ---- Memory ---- */

sb_conversation sb_conversation_of(const sb_rollout *rollout, const sb_export *export, const sb_chat_options *options) {
    const sb_out growing = sb_out_growing();
    return (sb_conversation){.rollout = rollout,
                             .export = export,
                             .options = options,
                             .explainer = *export->labeller ? export->labeller : rollout->tape->agent,
                             .seen = growing,
                             .user = growing,
                             .system = growing,
                             .text = growing,
                             .past = growing,
                             .past_ends = growing,
                             .turns = growing,
                             .turn_ends = growing,
                             .claimed = growing};
}

void sb_conversation_free(sb_conversation *c) {
    sb_out_free(&c->seen), sb_out_free(&c->user), sb_out_free(&c->system), sb_out_free(&c->text);
    sb_out_free(&c->past), sb_out_free(&c->past_ends), sb_out_free(&c->turns), sb_out_free(&c->turn_ends);
    sb_out_free(&c->claimed);
}

bool sb_conversation_ok(const sb_conversation *c) {
    const sb_out *const all[] = {&c->seen,      &c->user,  &c->system,    &c->text,   &c->past,
                                 &c->past_ends, &c->turns, &c->turn_ends, &c->claimed};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!sb_out_ok(all[i])) return false;
    return true;
}

/* ---- Columns ---- */

void sb_add_conversation_facts(const sb_export *export, const sb_chat_options *options, sb_columns *to) {
    sb_add_column(to, "task", SB_COLUMN_TEXT, "Name of the task");
    sb_add_difficulty(to, export);
    sb_add_column(to, "episode_id", SB_COLUMN_INTEGER, "Index of the episode in the recipe's selection, from 0");
    sb_add_column(to, "name", SB_COLUMN_TEXT, "Name of the episode: task, difficulty and seed");
    if (options->by_episode)
        sb_add_column(to, "steps", SB_COLUMN_INTEGER, "How many steps were taken");
    else
        sb_add_column(to, "step", SB_COLUMN_INTEGER, "Number of the step, from 0");
    sb_add_success(to, export, "Whether the whole episode succeeded");
    sb_add_column(to, "return", SB_COLUMN_NUMBER, "Sum of the episode's rewards");
    sb_add_judging(to, export);
    sb_add_taken(to, export);
    if (options->depth && options->by_episode)
        sb_add_list(to, "claims", SB_COLUMN_TEXT, "What the reasons claim, a list of JSON objects for each step");
    else if (options->depth)
        sb_add_column(to, "claims", SB_COLUMN_TEXT, "What the reason claims, as a list of JSON objects");
}
