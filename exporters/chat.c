/* Format `chat`: conversations for trainers that fine-tune language models. System text, user text and answer come from
 * templates, so that they can repeat a harness to the letter (docs/formats.md lists the placeholders). */
#include "exporters/chat.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "exporters/asked.h"

/* ---- Options ---- */

static const char *const keys[] = {"rows",      "style",     "turns",   "system",  "user",  "answer",
                                   "rationale", "reasoning", "intents", "history", "valid", "pixels",
                                   "reasons",   "taken",     "teller",  NULL};

static bool check_rows(const sb_export *export, const sb_chat_options *o, sb_error *error) {
    if (o->by_episode && o->style != SB_CHAT_MESSAGES)
        return sb_fail(error, SB_INVALID, "key `rows`: `episode` needs the style `messages`");
    return !(o->by_episode && export->labels) ||
           sb_fail(error, SB_INVALID,
                   "key `rows`: with noise, the answers of a conversation would not be the actions taken; use `step`");
}

static size_t count_field(const sb_template *t, int field) {
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) n += t->pieces[i].field == field;
    return n;
}

static bool check_pictures(const sb_chat_options *o, sb_error *error) {
    const size_t n = count_field(&o->user, SB_CHAT_IMAGE);
    if (sb_template_has(&o->system, SB_CHAT_IMAGE))
        return sb_fail(error, SB_INVALID, "key `system`: {image} changes with every step, so it belongs into `user`");
    if (!o->brush)
        return n == 0 || sb_fail(error, SB_INVALID, "key `user`: {image} needs the key `pixels`, which says the look");
    if (n != 1) return sb_fail(error, SB_INVALID, "key `user`: with `pixels`, {image} should be there once");
    return o->style != SB_CHAT_PROMPT || sb_fail(error, SB_INVALID,
                                                 "key `style`: `prompt` is one text; with `pixels`, use messages or "
                                                 "prompt_messages");
}

static bool read_options(sb_export *export, const cJSON *all, sb_error *error) {
    sb_chat_options *o = export->own = calloc(1, sizeof *o);
    if (!o) return sb_fail(error, SB_MEMORY, "out of memory for a format");
    if (!sb_conversation_read(export, o, all, error)) return false;
    if (!o->depth && cJSON_HasObjectItem(all, "teller"))
        return sb_fail(error, SB_INVALID, "key `teller` says who tells reasons, so it needs `reasons`: plan or search");
    return check_rows(export, o, error) && check_pictures(o, error);
}

static const char *asks_otherwise(const sb_export *export, const cJSON *prompts) {
    return sb_conversation_asks_otherwise(export, export->own, prompts);
}

static void free_options(void *options) {
    sb_brush_free(((sb_chat_options *)options)->brush);
    free(options);
}

/* ---- One episode ---- */

typedef struct writer {
    sb_conversation talk;
    sb_out *out;
    uint64_t n_rows;
    sb_out pixels; /* pixels of the pictures before every step so far */
} writer;

/* ---- Rows ---- */

/* Names the pictures before these steps; the loader makes the column `images` of them. */
static void put_images(const writer *w, size_t first, size_t end) {
    sb_put_key(w->out, "images_file_names");
    sb_puts(w->out, "[");
    for (size_t i = first; i < end; i++) {
        char name[SB_CHAT_PICTURE_NAME];
        sb_chat_picture_name(w->talk.rollout->episode_id, i, name);
        sb_put_comma(w->out);
        sb_put_json_string(w->out, name);
    }
    sb_puts(w->out, "]");
}

/* Begins a row whose user messages are those of the steps from `first` to before `end`. */
static void open_row(const writer *w, const char *key, size_t first, size_t end) {
    sb_puts(w->out, "{");
    if (w->talk.options->brush) put_images(w, first, end);
    sb_open_messages(&w->talk, w->out, key);
}

static void close_row(writer *w) {
    sb_put_conversation_facts(&w->talk, w->out);
    sb_puts(w->out, "}\n");
    w->n_rows++;
}

static void put_texts(const writer *w) {
    sb_puts(w->out, "{");
    sb_put_key(w->out, "prompt"), sb_put_prompt(&w->talk, w->out);
    sb_put_key(w->out, "completion"), sb_put_quoted(w->out, &w->talk.text);
}

static void put_messages(const writer *w) {
    const sb_conversation *c = &w->talk;
    const size_t first = c->step > c->options->turns ? c->step - c->options->turns : 0;
    open_row(w, c->options->style == SB_CHAT_MESSAGES ? "messages" : "prompt", first, c->step + 1);
    sb_put_turns(c, w->out, first, c->step);
    sb_put_message(c, w->out, "user", &c->user);
    if (c->options->style == SB_CHAT_PROMPT_MESSAGES) {
        sb_puts(w->out, "]");
        sb_put_key(w->out, "completion");
        sb_puts(w->out, "[");
    }
    sb_put_message(c, w->out, "assistant", &c->text);
    sb_puts(w->out, "]");
}

static void put_step_row(writer *w) {
    sb_conversation_answer(&w->talk, sb_tape_label(w->talk.rollout->tape, w->talk.step));
    w->talk.options->style == SB_CHAT_PROMPT ? put_texts(w) : put_messages(w);
    close_row(w);
}

static void put_episode_row(writer *w) {
    open_row(w, "messages", 0, w->talk.step);
    sb_put_turns(&w->talk, w->out, 0, w->talk.step);
    sb_puts(w->out, "]");
    close_row(w);
}

/* ---- Playing ---- */

static void paint(writer *w, const sb_env *env) {
    const sb_array *array = sb_brush_array(w->talk.options->brush);
    const size_t n = sb_observe_array(env, array, NULL, 0);
    char *room = sb_out_reserve(&w->pixels, n);
    if (!room) return;
    sb_observe_array(env, array, room, n);
    sb_out_advance(&w->pixels, n);
}

static bool is_whole(const writer *w) { return sb_conversation_ok(&w->talk) && sb_out_ok(&w->pixels); }

/* Checks what the rows answer to the prompt of this step: the label, and in conversations what was really done. */
static bool check_answers(const sb_conversation *c, const sb_env *env, sb_error *error) {
    const sb_tape *tape = c->rollout->tape;
    const bool is_turn = c->options->by_episode || (c->options->turns && c->step + 1 < tape->n);
    return (c->options->by_episode || sb_check_offer(c, env, sb_tape_label(tape, c->step), error)) &&
           (!is_turn || sb_check_offer(c, env, tape->actions[c->step], error));
}

static bool write_step(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    writer *w = context;
    sb_conversation *c = &w->talk;
    if (result && !sb_conversation_remember(c, env, action, result, error)) return false;
    if (is_whole(w) && c->step < c->rollout->tape->n) {
        if (c->options->brush) paint(w, env);
        if (!sb_conversation_look(c, env, error) || !check_answers(c, env, error)) return false;
        if (!c->options->by_episode && is_whole(w)) put_step_row(w);
    }
    return is_whole(w) || sb_fail(error, SB_MEMORY, "out of memory for a conversation");
}

/* Fills in the head that was left free before the rows, and appends the pixels. */
static bool put_pictures(const writer *w, size_t begin, sb_error *error) {
    int32_t extent[SB_ARRAY_RANK];
    const sb_rollout *rollout = w->talk.rollout;
    const sb_array *array = sb_brush_array(w->talk.options->brush);
    if (!sb_out_ok(w->out)) return sb_fail(error, SB_MEMORY, "out of memory for a conversation");
    if (!sb_name_extent(w->talk.export->episodes.catalogue, &rollout->tape->name, array, extent, error)) return false;
    const sb_chat_head head = {.episode_id = rollout->episode_id,
                               .n_text = w->out->size - begin - sizeof head,
                               .n = (uint32_t)rollout->tape->n,
                               .height = (uint32_t)extent[0],
                               .width = (uint32_t)extent[1],
                               .depth = array->rank == 3 ? 3 : 1};
    memcpy(w->out->data + begin, &head, sizeof head);
    sb_put_out(w->out, &w->pixels);
    return true;
}

static bool rows(const sb_rollout *rollout, const sb_export *export, sb_out *out, uint64_t *n_rows, sb_error *error) {
    const size_t before = out->size;
    const sb_chat_options *o = export->own;
    writer w = {.talk = sb_conversation_of(rollout, export, o), .out = out, .pixels = sb_out_growing()};
    if (o->brush) sb_put(out, (const char *)&(sb_chat_head){0}, sizeof(sb_chat_head));
    bool ok = sb_tape_replay(rollout->tape, rollout->env, write_step, &w, error);
    if (ok && o->by_episode) put_episode_row(&w);
    if (ok && o->brush) ok = put_pictures(&w, before, error);
    *n_rows = w.n_rows;
    sb_conversation_free(&w.talk);
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
    sb_add_conversation_facts(export, o, to);
}

/* ---- Rows of files ---- */

/* Whether a text is in a string, or in a string of a list or object, such as messages; the answer in the last message
 * is left out. */
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
    char item[256];
    sb_out text = sb_out_fixed(item, sizeof item);
    sb_error unreadable;
    if (o->by_episode || row > last || export->hints_offer || !o->offers_all) return false;
    sb_put_offer(o, rollout->env, sb_tape_label(rollout->tape, row), &text);
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

/* The format with pictures. Its files need a writer, so it has an exporter of its own under the same name. */
static const sb_exporter with_pictures = {
    .name = "chat",
    .suffix = "zip",
    .other = "jsonl.gz",
    .summary = "conversations with pictures, for fine-tuning models that see: messages of parts, from templates",
    .keys = keys,
    .free = free_options,
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

/* The format with an episode as a row. A whole conversation has no prompt of its own. */
static const sb_exporter by_episode = {
    .name = "chat",
    .suffix = "jsonl.gz",
    .other = "zip",
    .summary = CHAT_IS,
    .keys = keys,
    .free = free_options,
    .columns = columns,
    .rows = rows,
};

static bool read(sb_export *export, const cJSON *all, sb_error *error) {
    if (!read_options(export, all, error)) return false;
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
    .keys = keys,
    .read = read,
    .free = free_options,
    .columns = columns,
    .rows = rows,
    .blame = blame,
    .ask = ask,
    .asks_otherwise = asks_otherwise,
};
