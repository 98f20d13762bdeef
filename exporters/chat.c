/* Format `chat`: conversations for trainers that fine-tune language models. System text, user text and answer come from
 * templates, so that they can repeat a harness to the letter (docs/formats.md lists the placeholders). */
#include "exporters/chat.h"

#include <stdlib.h>

#include "base/error.h"
#include "exporters/asked.h"
#include "rollout/testing.h"

/* ---- One episode ---- */

typedef struct writer {
    const sb_rollout *rollout;
    const sb_export *export;
    const sb_chat_options *options;
    const sb_env *env; /* current state while a template is filled */
    sb_out *out;
    size_t step;
    uint64_t n_rows;
    sb_action action;                         /* action of the answer or of the item that is being written */
    double reward;                            /* reward of the past step that is being written */
    sb_out seen, user;                        /* the observation before the step, and the user text */
    sb_out system, text;                      /* `text` is for the answer */
    sb_out past, past_ends, turns, turn_ends; /* items of {history} and exchanges, joined, and where each ends */
    size_t image_at;                          /* where {image} stands in `user` */
    sb_out pixels;                            /* of the pictures before every step so far */
} writer;

static void put_action(const writer *w, sb_out *out) { w->env->family->print_action(w->env, w->action, out); }

static size_t end_of(const sb_out *ends, size_t i) {
    size_t end;
    if (i == 0) return 0;
    memcpy(&end, ends->data + (i - 1) * sizeof end, sizeof end);
    return end;
}

static void add_end(sb_out *ends, size_t end) { sb_put(ends, (const char *)&end, sizeof end); }

static void put_past(const writer *w, sb_out *out) {
    const sb_chat_list *past = &w->options->past;
    const size_t n = w->step, first = n > w->options->history ? n - w->options->history : 0;
    if (first == n) sb_puts(out, past->empty);
    for (size_t i = first; i < n; i++) {
        const size_t begin = end_of(&w->past_ends, i);
        if (i > first) sb_puts(out, past->separator);
        sb_put(out, w->past.data + begin, end_of(&w->past_ends, i + 1) - begin);
    }
}

static void put_valid_field(void *context, int which, sb_out *out) {
    const writer *w = context;
    if (which == SB_CHAT_VALID_ACTION)
        sb_put_int(out, w->action);
    else
        sb_put_entry(out, w->env, w->action);
}

/* Lists the entries of a mask: all of them, or those that the published hint has. */
static void put_entries(writer *w, bool all, sb_out *out) {
    bool mask[SB_MASK_MAX];
    const size_t n = sb_valid_mask(w->env, mask, SB_MASK_MAX);
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (!all && !mask[i]) continue;
        if (any) sb_puts(out, w->options->valid.separator);
        any = true;
        w->action = (sb_action)i;
        sb_template_put(&w->options->valid.item, out, put_valid_field, w);
    }
    if (!any) sb_puts(out, w->options->valid.empty);
}

/* Fails if the answer is not among the actions that its own prompt offers. `answered` is an action of the step whose
 * prompt was just made. */
static bool check_offer(const writer *w, const sb_env *env, sb_action answered, sb_error *error) {
    bool mask[SB_MASK_MAX];
    const size_t n_buttons = (size_t)env->shape.n_buttons,
                 entry = (size_t)answered < n_buttons ? (size_t)answered : n_buttons;
    char name[64];
    if (!w->options->offers_hint) return true;
    const size_t n = sb_valid_mask(env, mask, SB_MASK_MAX);
    if (entry < n && mask[entry]) return true;
    sb_action_name(env, answered, name, sizeof name);
    return sb_fail(
        error, SB_INVALID,
        "format %s, step %zu: the answer `%s` is none of the actions that its prompt offers, which are those of "
        "the published hint: put {actions}, which are all, into `system` or `user`",
        w->export->name, w->step, name);
}

/* Writes the observation without its own list of valid actions, which may be cut short. */
static void put_scene(const writer *w, sb_out *out) {
    const sb_mode *mode = w->export->n_modes ? w->export->modes[0] : NULL;
    if (mode && mode->scene && !(mode->document && w->export->hints_offer))
        w->env->family->observe(w->env, mode->scene, out);
    else
        sb_put_out(out, &w->seen);
}

/* Writes a text of the family, such as the mission. */
static void put_text(const writer *w, size_t which, sb_out *out) {
    char text[1024] = "";
    const size_t n = sb_observe_array(w->env, w->options->texts[which], text, sizeof text - 1);
    if (n < sizeof text)
        sb_puts(out, text);
    else
        out->failed = true;
}

static void put_field(void *context, int which, sb_out *out) {
    writer *w = context;
    const sb_env *env = w->env;
    char name[SB_NAME_MAX];
    switch (which) {
    case SB_CHAT_TASK: sb_puts(out, env->name.task); break;
    case SB_CHAT_DESCRIPTION: sb_puts(out, env->task->summary); break;
    case SB_CHAT_CATEGORY: sb_puts(out, env->task->category); break;
    case SB_CHAT_DIFFICULTY: sb_puts(out, env->name.difficulty); break;
    case SB_CHAT_NAME: sb_name_print(&env->name, name, sizeof name), sb_puts(out, name); break;
    case SB_CHAT_SEED: sb_put_uint(out, env->name.seed); break;
    case SB_CHAT_STEP: sb_put_uint(out, w->step); break;
    case SB_CHAT_TURN: sb_put_uint(out, w->step + 1); break;
    case SB_CHAT_MAX_STEPS: sb_put_int(out, env->status.max_steps); break;
    case SB_CHAT_OBSERVATION: sb_put_out(out, &w->seen); break;
    case SB_CHAT_SCENE: put_scene(w, out); break;
    case SB_CHAT_ACTIONS: put_entries(w, true, out); break;
    case SB_CHAT_VALID_ACTIONS: put_entries(w, false, out); break;
    case SB_CHAT_HISTORY: put_past(w, out); break;
    case SB_CHAT_INSTRUCTIONS:
        sb_put_instructions(out, &(sb_testing_rules){.instructions = w->export->instructions}, env);
        break;
    case SB_CHAT_IMAGE: w->image_at = out->size; break;
    default:
        if ((size_t)which < SB_CHAT_FIELDS + env->family->n_modes)
            env->family->observe(env, &env->family->modes[which - SB_CHAT_FIELDS], out);
        else
            put_text(w, (size_t)which - SB_CHAT_FIELDS - env->family->n_modes, out);
    }
}

static void put_past_field(void *context, int which, sb_out *out) {
    const writer *w = context;
    switch (which) {
    case SB_CHAT_PAST_STEP: sb_put_uint(out, w->step); break;
    case SB_CHAT_PAST_TURN: sb_put_uint(out, w->step + 1); break;
    case SB_CHAT_PAST_ACTION: sb_put_int(out, w->action); break;
    case SB_CHAT_PAST_NAME: put_action(w, out); break;
    case SB_CHAT_PAST_REWARD: sb_put_double(out, w->reward); break;
    default: sb_put_out(out, &w->seen);
    }
}

static void put_why_field(void *context, int which, sb_out *out) {
    const writer *w = context;
    sb_purpose purpose = *sb_tape_purpose(w->rollout->tape, w->step);
    if (!w->options->places) purpose.at = (sb_xy){-1, -1};
    if (which == SB_CHAT_WHY_INTENT)
        sb_put_purpose(out, &purpose);
    else
        sb_puts(out, which == SB_CHAT_WHY_VERB ? purpose.verb : purpose.object);
}

/* Whether the tape's intents may be told: those of an oracle that knows more than the agent is shown would teach it to
 * guess. */
static bool may_tell(const writer *w) {
    const sb_name *name = &w->rollout->tape->name;
    const char *labeller = w->export->labeller;
    return w->export->any_intents ||
           !sb_is_privileged(name->family, name->task, *labeller ? labeller : w->rollout->tape->agent);
}

/* Writes the oracle's intent for this action; nothing if the oracle stated none, or if noise chose the action. */
static void put_rationale(writer *w, sb_out *out) {
    const sb_tape *tape = w->rollout->tape;
    const sb_purpose *purpose = sb_tape_purpose(tape, w->step);
    if (purpose && purpose->verb[0] && w->action == sb_tape_label(tape, w->step) && may_tell(w))
        sb_template_put(&w->options->rationale, out, put_why_field, w);
}

static void put_thought_field(void *context, int which, sb_out *out) {
    const writer *w = context;
    const sb_said *said = &w->rollout->tape->said;
    const sb_remark *remark = sb_said_at(said, w->step);
    if (which == SB_CHAT_SAID_THOUGHT) sb_put(out, sb_thought(said, remark), remark->n);
}

/* Writes what the agent thought before this action; nothing if it said nothing, or if the answer is another action. */
static void put_reasoning(writer *w, sb_out *out) {
    const sb_tape *tape = w->rollout->tape;
    const sb_remark *remark = sb_said_at(&tape->said, w->step);
    if (remark && remark->n && w->action == tape->actions[w->step])
        sb_template_put(&w->options->reasoning, out, put_thought_field, w);
}

static void put_answer_field(void *context, int which, sb_out *out) {
    writer *w = context;
    switch (which) {
    case SB_CHAT_ANSWER_ACTION: sb_put_int(out, w->action); break;
    case SB_CHAT_ANSWER_NAME: put_action(w, out); break;
    case SB_CHAT_ANSWER_STEP: sb_put_uint(out, w->step); break;
    case SB_CHAT_ANSWER_TURN: sb_put_uint(out, w->step + 1); break;
    case SB_CHAT_ANSWER_REASONING: put_reasoning(w, out); break;
    default: put_rationale(w, out);
    }
}

/* ---- Rows ---- */

static void put_string(sb_out *out, const sb_out *text) {
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

/* Where there are pictures, every message is a list of parts. */
static void put_parts(const writer *w, sb_out *out, const sb_out *text) {
    const size_t before = text == &w->user ? w->image_at : 0;
    sb_puts(out, "[");
    if (before) put_part(out, text->data, before);
    if (text == &w->user) put_part(out, NULL, 0);
    if (before < text->size) put_part(out, text->data + before, text->size - before);
    sb_puts(out, "]");
}

static void put_message(const writer *w, sb_out *out, const char *role, const sb_out *text) {
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_text(out, "role", role);
    sb_put_key(out, "content");
    if (w->options->brush)
        put_parts(w, out, text);
    else
        put_string(out, text);
    sb_puts(out, "}");
}

static void answer(writer *w, sb_action action) {
    sb_out_clear(&w->text);
    w->action = action;
    sb_template_put(&w->options->answer, &w->text, put_answer_field, w);
}

/* Writes what every row says about its episode, for filters. */
static void put_facts(const writer *w, sb_out *out) {
    const sb_tape *tape = w->rollout->tape;
    char name[SB_NAME_MAX];
    sb_name_print(&tape->name, name, sizeof name);
    sb_member_text(out, "task", tape->name.task);
    sb_put_difficulty(out, w->export, tape);
    sb_member_uint(out, "episode_id", w->rollout->episode_id);
    sb_member_text(out, "name", name);
    if (w->options->by_episode)
        sb_member_uint(out, "steps", tape->n);
    else
        sb_member_uint(out, "step", w->step);
    sb_member_success(out, tape->criterion, &tape->outcome);
    sb_member_double(out, "return", sb_return_of(w->export, tape));
    sb_put_judging(out, w->export, tape);
    sb_puts(out, "}\n");
}

/* Names the pictures before these steps; the loader makes the column `images` of them. */
static void put_images(const writer *w, size_t first, size_t end) {
    sb_put_key(w->out, "images_file_names");
    sb_puts(w->out, "[");
    for (size_t i = first; i < end; i++) {
        char name[SB_CHAT_PICTURE_NAME];
        sb_chat_picture_name(w->rollout->episode_id, i, name);
        sb_put_comma(w->out);
        sb_put_json_string(w->out, name);
    }
    sb_puts(w->out, "]");
}

/* Begins a row whose user messages are those of the steps from `first` to before `end`. */
static void open_messages(const writer *w, const char *key, size_t first, size_t end) {
    sb_puts(w->out, "{");
    if (w->options->brush) put_images(w, first, end);
    sb_put_key(w->out, key);
    sb_puts(w->out, "[");
    if (w->options->system.n) put_message(w, w->out, "system", &w->system);
}

/* Writes the kept exchanges from `first` on. */
static void put_turns(const writer *w, size_t first, size_t end) {
    if (first == end) return;
    const size_t begin = end_of(&w->turn_ends, first), n = end_of(&w->turn_ends, end) - begin;
    sb_put_comma(w->out);
    sb_put(w->out, w->turns.data + begin + 2, n - 2); /* each begins with a comma */
}

static void put_prompt(const writer *w) {
    sb_out *out = w->out;
    sb_puts(out, "{");
    sb_put_key(out, "prompt");
    sb_putc(out, '"');
    out->json = true;
    sb_put_out(out, &w->system);
    if (w->system.size) sb_puts(out, "\n\n");
    sb_put_out(out, &w->user);
    out->json = false;
    sb_putc(out, '"');
    sb_put_key(out, "completion");
    put_string(out, &w->text);
}

static void put_step_row(writer *w) {
    sb_out *out = w->out;
    answer(w, sb_tape_label(w->rollout->tape, w->step));
    if (w->options->style == SB_CHAT_PROMPT) {
        put_prompt(w);
    } else {
        const size_t first = w->step > w->options->turns ? w->step - w->options->turns : 0;
        open_messages(w, w->options->style == SB_CHAT_MESSAGES ? "messages" : "prompt", first, w->step + 1);
        put_turns(w, first, w->step);
        put_message(w, out, "user", &w->user);
        if (w->options->style == SB_CHAT_PROMPT_MESSAGES) {
            sb_puts(out, "]");
            sb_put_key(out, "completion");
            sb_puts(out, "[");
        }
        put_message(w, out, "assistant", &w->text);
        sb_puts(out, "]");
    }
    put_facts(w, out);
    w->n_rows++;
}

static void put_episode_row(writer *w) {
    open_messages(w, "messages", 0, w->step);
    put_turns(w, 0, w->step);
    sb_puts(w->out, "]");
    put_facts(w, w->out);
    w->n_rows++;
}

/* ---- Playing ---- */

static void paint(writer *w, const sb_env *env) {
    const sb_array *array = sb_brush_array(w->options->brush);
    const size_t n = sb_observe_array(env, array, NULL, 0);
    char *room = sb_out_reserve(&w->pixels, n);
    if (!room) return;
    sb_observe_array(env, array, room, n);
    sb_out_advance(&w->pixels, n);
}

static void look(writer *w, const sb_env *env) {
    w->env = env;
    if (w->options->brush) paint(w, env);
    sb_out_clear(&w->seen), sb_out_clear(&w->user);
    if (w->export->n_modes) env->family->observe(env, w->export->modes[0], &w->seen);
    if (w->step == 0) sb_template_put(&w->options->system, &w->system, put_field, w);
    sb_template_put(&w->options->user, &w->user, put_field, w);
}

/* Keeps the step for the rows that follow. */
static void remember(writer *w, const sb_env *env, sb_action action, const sb_result *result) {
    w->env = env;
    if (w->options->by_episode || w->options->turns) {
        answer(w, action);
        put_message(w, &w->turns, "user", &w->user);
        put_message(w, &w->turns, "assistant", &w->text);
        add_end(&w->turn_ends, w->turns.size);
    }
    w->action = action, w->reward = sb_reward_of(w->export, result);
    sb_template_put(&w->options->past.item, &w->past, put_past_field, w);
    add_end(&w->past_ends, w->past.size);
}

static bool is_whole(const writer *w) {
    const sb_out *const all[] = {&w->seen,      &w->user,  &w->system,    &w->text,  &w->past,
                                 &w->past_ends, &w->turns, &w->turn_ends, &w->pixels};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!sb_out_ok(all[i])) return false;
    return true;
}

/* Checks what the rows answer to the prompt of this step: the label, and in conversations what was really done. */
static bool check_answers(const writer *w, const sb_env *env, sb_error *error) {
    const sb_tape *tape = w->rollout->tape;
    const bool is_turn = w->options->by_episode || (w->options->turns && w->step + 1 < tape->n);
    return (w->options->by_episode || check_offer(w, env, sb_tape_label(tape, w->step), error)) &&
           (!is_turn || check_offer(w, env, tape->actions[w->step], error));
}

static bool write_step(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    writer *w = context;
    if (result) {
        remember(w, env, action, result);
        w->step++;
    }
    if (is_whole(w) && w->step < w->rollout->tape->n) {
        look(w, env);
        if (!check_answers(w, env, error)) return false;
        if (!w->options->by_episode && is_whole(w)) put_step_row(w);
    }
    return is_whole(w) || sb_fail(error, SB_MEMORY, "out of memory for a conversation");
}

/* Fills in the head that was left free before the rows, and appends the pixels. */
static bool put_pictures(const writer *w, size_t begin, sb_error *error) {
    int32_t extent[SB_ARRAY_RANK];
    const sb_array *array = sb_brush_array(w->options->brush);
    if (!sb_out_ok(w->out)) return sb_fail(error, SB_MEMORY, "out of memory for a conversation");
    if (!sb_name_extent(w->export->episodes.catalogue, &w->rollout->tape->name, array, extent, error)) return false;
    const sb_chat_head head = {.episode_id = w->rollout->episode_id,
                               .n_text = w->out->size - begin - sizeof head,
                               .n = (uint32_t)w->rollout->tape->n,
                               .height = (uint32_t)extent[0],
                               .width = (uint32_t)extent[1],
                               .depth = array->rank == 3 ? 3 : 1};
    memcpy(w->out->data + begin, &head, sizeof head);
    sb_put_out(w->out, &w->pixels);
    return true;
}

static bool rows(const sb_rollout *rollout, const sb_export *export, sb_out *out, uint64_t *n_rows, sb_error *error) {
    const size_t before = out->size;
    const sb_out growing = sb_out_growing();
    writer w = {.rollout = rollout,
                .export = export,
                .options = export->own,
                .out = out,
                .seen = growing,
                .user = growing,
                .system = growing,
                .text = growing,
                .past = growing,
                .past_ends = growing,
                .turns = growing,
                .turn_ends = growing,
                .pixels = growing};
    if (w.options->brush) sb_put(out, (const char *)&(sb_chat_head){0}, sizeof(sb_chat_head));
    bool ok = sb_tape_replay(rollout->tape, rollout->env, write_step, &w, error);
    if (ok && w.options->by_episode) put_episode_row(&w);
    if (ok && w.options->brush) ok = put_pictures(&w, before, error);
    *n_rows = w.n_rows;
    sb_out_free(&w.seen), sb_out_free(&w.user), sb_out_free(&w.system), sb_out_free(&w.text);
    sb_out_free(&w.past), sb_out_free(&w.past_ends), sb_out_free(&w.turns), sb_out_free(&w.turn_ends);
    sb_out_free(&w.pixels);
    return ok;
}

static void columns(const sb_export *export, sb_columns *to) {
    const sb_chat_options *o = export->own;
    const sb_column_type message = o->brush ? SB_COLUMN_PARTS : SB_COLUMN_MESSAGE;
    if (o->brush)
        sb_add_list(to, "images", SB_COLUMN_PICTURE, "The pictures, in the order in which the messages show them");
    if (o->style == SB_CHAT_MESSAGES) {
        sb_add_list(to, "messages", message, "The conversation: system, user and assistant");
    } else if (o->style == SB_CHAT_PROMPT) {
        sb_add_column(to, "prompt", SB_COLUMN_TEXT, "System and user text"), sb_mark_read(to);
        sb_add_column(to, "completion", SB_COLUMN_TEXT, "The answer"), sb_mark_read(to);
    } else {
        sb_add_list(to, "prompt", message, "The conversation up to the answer");
        sb_add_list(to, "completion", message, "The answer");
    }
    sb_add_column(to, "task", SB_COLUMN_TEXT, "Name of the task");
    sb_add_difficulty(to, export);
    sb_add_column(to, "episode_id", SB_COLUMN_INTEGER, "Index of the episode in the recipe's selection, from 0");
    sb_add_column(to, "name", SB_COLUMN_TEXT, "Name of the episode: task, difficulty and seed");
    if (o->by_episode)
        sb_add_column(to, "steps", SB_COLUMN_INTEGER, "How many steps were taken");
    else
        sb_add_column(to, "step", SB_COLUMN_INTEGER, "Number of the step, from 0");
    sb_add_success(to, export, "Whether the whole episode succeeded");
    sb_add_column(to, "return", SB_COLUMN_NUMBER, "Sum of the episode's rewards");
    sb_add_judging(to, export);
}

/* ---- Rows of files ---- */

/* Whether a text is in the string, or in a string in the list or the object, that messages consist of; the answer in
 * the last message is left out. */
static bool holds(const cJSON *item, const char *text) {
    const cJSON *part;
    if (cJSON_IsString(item)) return strstr(item->valuestring, text) != NULL;
    cJSON_ArrayForEach(part, item) {
        const char *role = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(part, "role"));
        if (role && strcmp(role, "assistant") == 0) continue;
        if (holds(part, text)) return true;
    }
    return false;
}

/* Says whether a row, whose texts list all actions, lacks the one that answers. */
static bool blame(const sb_rollout *rollout, const sb_export *export, size_t row, const char *found, size_t n,
                  sb_out *words) {
    const sb_chat_options *o = export->own;
    const size_t last = rollout->tape->n - 1;
    writer w = {.options = o, .env = rollout->env, .out = words};
    char item[256];
    sb_out text = sb_out_fixed(item, sizeof item);
    sb_error unreadable;
    if (o->by_episode || row > last || export->hints_offer || !o->offers_all) return false;
    const sb_action answered = sb_tape_label(rollout->tape, row), n_buttons = rollout->env->shape.n_buttons;
    w.action = answered < n_buttons ? answered : n_buttons;
    sb_template_put(&o->valid.item, &text, put_valid_field, &w);
    cJSON *read = sb_out_finish(&text) < sizeof item ? sb_json_parse(found, n, &unreadable) : NULL;
    const cJSON *prompt = cJSON_GetObjectItemCaseSensitive(read, o->style == SB_CHAT_MESSAGES ? "messages" : "prompt");
    const bool lacks = prompt && *item && !holds(prompt, item);
    cJSON_Delete(read);
    if (lacks) sb_puts(words, "its answer is none of the actions that its prompt offers");
    return lacks;
}

/* ---- Prompts ---- */

static void ask(const sb_export *export, sb_span row, sb_asked *asked) {
    const sb_chat_style style = ((const sb_chat_options *)export->own)->style;
    sb_span rest;
    sb_members members = sb_members_of(row);
    while (sb_members_next(&members)) {
        if (sb_span_is(members.key, "messages")) {
            sb_ask_messages(members.value, asked);
            return;
        }
        if (sb_span_is(members.key, "prompt")) asked->prompt[0] = asked->shown = members.value;
        if (sb_span_is(members.key, "completion")) {
            asked->answer = members.value;
            break;
        }
    }
    if (style == SB_CHAT_PROMPT_MESSAGES) sb_split_list(asked->prompt[0], &rest, &asked->shown);
}

/* Files with pictures need a writer, so they have an exporter of their own under the same name. */
static const sb_exporter with_pictures = {
    .name = "chat",
    .suffix = "zip",
    .other = "jsonl.gz",
    .summary = "conversations with pictures, for fine-tuning models that see: messages of parts, from templates",
    .keys = sb_chat_keys,
    .free = sb_chat_free,
    .columns = columns,
    .rows = rows,
    .pack = sb_chat_pack,
    .writer_size = sizeof(sb_chat_writer),
    .begin = sb_chat_begin,
    .add = sb_chat_add,
    .finish = sb_chat_finish,
    .end = sb_chat_end,
    .comparer_size = sizeof(sb_chat_comparer),
    .compare_begin = sb_chat_compare_begin,
    .compare_add = sb_chat_compare_add,
    .compare_finish = sb_chat_compare_finish,
    .compare_end = sb_chat_compare_end,
};

#define CHAT_IS "conversations for fine-tuning: messages, or prompt and completion, from templates"

/* A row that is a whole conversation has no prompt of its own. */
static const sb_exporter by_episode = {
    .name = "chat",
    .suffix = "jsonl.gz",
    .other = "zip",
    .summary = CHAT_IS,
    .keys = sb_chat_keys,
    .free = sb_chat_free,
    .columns = columns,
    .rows = rows,
};

static bool read(sb_export *export, const cJSON *all, sb_error *error) {
    if (!sb_chat_read(export, all, error)) return false;
    const sb_chat_options *o = export->own;
    if (o->brush)
        export->exporter = &with_pictures;
    else if (o->by_episode)
        export->exporter = &by_episode;
    return true;
}

extern const sb_exporter sb_chat;
const sb_exporter sb_chat = {
    .name = "chat",
    .suffix = "jsonl.gz",
    .other = "zip",
    .summary = CHAT_IS,
    .keys = sb_chat_keys,
    .read = read,
    .free = sb_chat_free,
    .columns = columns,
    .rows = rows,
    .blame = blame,
    .ask = ask,
};
