/* Format `next_frame`: questions for models of worlds. A row has the first transitions of its episode, a frame and an
 * action, and the answer: the frame that the world shows next, whether the level was completed, and whether the game
 * was lost. All of it is what a log of the tape has (rollout/transitions.h), as columns or as a conversation. */
#include <stdlib.h>

#include "base/error.h"
#include "engine/testing.h"
#include "exporters/asked.h"
#include "exporters/columns.h"
#include "exporters/template.h"
#include "rollout/transitions.h"

/* ---- Options ----------------------------------------------------------------------------------------------------- */

enum { CONTEXT = 8, CONTEXT_MAX = 64 };

/* Placeholders of system and user texts. */
typedef enum field {
    TASK,
    DESCRIPTION,
    DIFFICULTY,
    NAME,
    STEP,
    WIDTH,
    HEIGHT,
    PALETTE,
    CONTEXT_FRAMES,
    FRAME,
    ACTION
} field;

static const char *const fields[] = {"task",   "description", "difficulty", "name",  "step",   "width",
                                     "height", "palette",     "context",    "frame", "action", NULL};

/* The format's options. Texts point into the options' JSON. */
typedef struct options {
    uint64_t context; /* how many transitions come before the first question */
    bool changes;     /* frames after an action are differences to the frame before, where the log has differences */
    bool chat;
    sb_template system, user;
} options;

static const char *const keys[] = {"context", "frames", "form", "system", "user", NULL};

#define SYSTEM_TEXT                                                                                                    \
    "You predict a world of coloured cells. A frame of it is {height} lines of {width} signs, one for each cell; the " \
    "colours are {palette}. You are told how an episode began, what is shown now, and the next action. Answer with "   \
    "one word in the first line: `step` if the episode goes on, `level` if the action completes the level, `over` if " \
    "the game is lost. "

static const char system_whole[] = SYSTEM_TEXT "After `step` and `over`, the next frame follows.";
static const char system_changes[] = SYSTEM_TEXT
    "After `step` and `over`, the cells that change follow, a line for each run of them in a row of the "
    "frame: the row, the column of the first cell (both from 0), and their new signs. If none changes, "
    "write `none`.";
static const char user_text[] = "{context}Now:\n{frame}\n\nAction: {action}";

/* Reads a key that has one of two values. */
static bool read_choice(const cJSON *all, const char *key, const char *first, const char *second, bool *is_second,
                        sb_error *error) {
    const char *text = *is_second ? second : first;
    if (!sb_json_optional_string(all, key, &text, error)) return false;
    *is_second = strcmp(text, second) == 0;
    return *is_second || strcmp(text, first) == 0 ||
           sb_fail(error, SB_INVALID, "key `%s` should be %s or %s, not `%.40s`", key, first, second, text);
}

static bool read_context(const cJSON *all, options *o, sb_error *error) {
    if (cJSON_HasObjectItem(all, "context") && !sb_json_uint(all, "context", &o->context, error)) return false;
    return o->context <= CONTEXT_MAX ||
           sb_fail(error, SB_INVALID, "key `context` should be %d transitions at most", CONTEXT_MAX);
}

static bool read_template(const cJSON *all, const char *key, const char *standard, const options *o, sb_template *to,
                          sb_error *error) {
    if (!o->chat && cJSON_HasObjectItem(all, key))
        return sb_fail(error, SB_INVALID, "key `%s` needs the key `form` with the value chat", key);
    return sb_json_optional_string(all, key, &standard, error) &&
           (sb_template_parse(to, standard, fields, error) || sb_fail_at(error, "key `%s`", key));
}

static bool fail_frames(const sb_family *family, const char *task, const char *difficulty, sb_error *error) {
    return sb_fail(error, SB_INVALID,
                   "format next_frame: %.40s%s%.20s of the family %s shows more than frames of coloured cells, or none",
                   task, *difficulty ? "/" : "", difficulty, family->name);
}

/* Whether a program has frames, and which colours, is only known once it was compiled: by an episode. Tests show more
 * than their frames (a goal, a phase), so these do not tell what comes next. */
static bool check_episode(const sb_catalogue *catalogue, const sb_name *name, sb_error *error) {
    char text[SB_NAME_MAX];
    sb_frame_shape shape;
    sb_name_print(name, text, sizeof text);
    sb_env *env = sb_make(catalogue, text, error);
    const bool ok = env && ((!sb_test_kind_in(env) && env->family->frames->shape(env, &shape)) ||
                            fail_frames(env->family, name->task, name->difficulty, error));
    sb_free(env);
    return ok;
}

/* Checks that the episodes show frames. It is enough to look at the first of each task and difficulty, and only where
 * frames may be missing. */
static bool check_frames(const sb_export *export, sb_error *error) {
    const sb_selection *all = &export->episodes;
    const sb_family *family = export->family;
    sb_seen_pairs seen = {0};
    if (!sb_need_frames(all, error)) return sb_fail_at(error, "format next_frame");
    for (size_t i = 0; family->frames->colour && i < all->n; i++) {
        sb_name name;
        if (sb_is_new_pair(&seen, &all->episodes[i]) &&
            !check_episode(all->catalogue, sb_selection_name(all, i, &name), error))
            return false;
    }
    return true;
}

static bool read(sb_export *export, const cJSON *all, sb_error *error) {
    if (cJSON_HasObjectItem(all, "modes"))
        return sb_fail(error, SB_INVALID, "key `modes`: format next_frame shows frames, so leave the key out");
    options *o = export->own = calloc(1, sizeof *o);
    if (!o) return sb_fail(error, SB_MEMORY, "out of memory for a format");
    o->context = CONTEXT, o->changes = true;
    return read_context(all, o, error) && read_choice(all, "frames", "whole", "changes", &o->changes, error) &&
           read_choice(all, "form", "rows", "chat", &o->chat, error) &&
           read_template(all, "system", o->changes ? system_changes : system_whole, o, &o->system, error) &&
           read_template(all, "user", user_text, o, &o->user, error) && check_frames(export, error);
}

/* ---- One episode ------------------------------------------------------------------------------------------------- */

typedef struct writer {
    const sb_rollout *rollout;
    const sb_export *export;
    const options *options;
    const sb_env *env; /* the environment after the action */
    sb_action action;
    sb_log_writer log; /* the log, whose line is the transition */
    sb_out *out;
    uint64_t n_rows;
    sb_out context; /* as columns: the frames before, a list without its brackets; as conversations: their text */
    sb_out start, actions, kinds; /* as columns: the first frame, and lists without their brackets */
    sb_out piece;                 /* the frame or the message that is being written */
} writer;

/* ---- Texts of frames ---- */

/* Puts a frame as lines, because some readers take a text of nothing but digits for a number. */
static void put_rows(sb_out *out, const sb_frame_shape *shape, const uint8_t *frame) {
    const sb_frame_shape row = {.width = shape->width, .height = 1};
    for (int32_t y = 0; y < shape->height; y++, frame += shape->width) {
        if (y) sb_putc(out, '\n');
        sb_put_frame(out, &row, frame);
    }
}

/* Puts the runs of a difference as lines, which are easier to read than JSON. */
static void put_runs(sb_out *out, const sb_frame_shape *shape, const uint8_t *before, const uint8_t *now) {
    const char *between = "";
    for (sb_frame_run run = {0}; sb_frame_next_run(shape, before, now, &run); between = "\n") {
        sb_putf(out, "%s%d %d ", between, run.y, run.x);
        sb_put_frame(out, &(sb_frame_shape){.width = run.end - run.x, .height = 1}, now + run.y * shape->width + run.x);
    }
    if (!*between) sb_puts(out, "none");
}

/* Puts the frame `now`, or, if there is one `before`, the difference to it. */
static void put_frame(const writer *w, const uint8_t *before, const uint8_t *now, sb_out *out) {
    const sb_frame_shape *shape = &w->log.play.shape;
    if (!before)
        put_rows(out, shape, now);
    else if (w->options->chat)
        put_runs(out, shape, before, now);
    else
        sb_put_frame_difference(out, shape, before, now);
}

/* Returns the frame that the next one is written as a difference to; NULL: it is written whole. */
static const uint8_t *compared(const writer *w) {
    return w->options->changes && !sb_has_whole_frames(w->log.line.kind) ? w->log.line.before : NULL;
}

/* Puts a text as a JSON string. If the text was cut short, so is `out`. */
static void put_string(sb_out *out, const sb_out *text) {
    sb_put_json_bytes(out, text->data, sb_out_ok(text) ? text->size : 0);
    out->failed |= !sb_out_ok(text);
}

/* Puts the frame after the action as a JSON string. */
static void put_last(writer *w, sb_out *out) {
    sb_out_clear(&w->piece);
    put_frame(w, compared(w), w->log.line.last, &w->piece);
    put_string(out, &w->piece);
}

static void put_action(const writer *w, sb_out *out) { w->env->family->print_action(w->env, w->action, out); }

/* ---- The context ---- */

static void tell_start(writer *w) {
    sb_puts(&w->context, "At the start:\n");
    put_frame(w, NULL, w->log.play.start, &w->context);
    sb_puts(&w->context, "\n\n");
}

static void tell_transition(writer *w) {
    static const char *const endings[SB_N_TRANSITIONS] = {[SB_TRANSITION_LEVEL] = ", which completed the level",
                                                          [SB_TRANSITION_OVER] = ", which lost the game",
                                                          [SB_TRANSITION_RESET] = ", which began anew",
                                                          [SB_TRANSITION_NONE] = ", which did nothing"};
    const sb_log_transition *line = &w->log.line;
    const char *ending = endings[line->kind];
    sb_putf(&w->context, "After action %u, ", line->t);
    put_action(w, &w->context);
    sb_puts(&w->context, ending ? ending : "");
    if (line->kind != SB_TRANSITION_NONE) {
        sb_puts(&w->context, compared(w) ? ", changes:\n" : ":\n");
        put_frame(w, compared(w), line->last, &w->context);
        sb_puts(&w->context, "\n\n");
    } else {
        sb_puts(&w->context, ".\n\n");
    }
}

static void add_transition(writer *w) {
    const char *comma = w->log.line.t > 1 ? ", " : "";
    sb_puts(&w->actions, comma), sb_put_action_text(&w->actions, w->env, w->action);
    sb_puts(&w->kinds, comma), sb_put_json_string(&w->kinds, sb_transition_names[w->log.line.kind]);
    sb_puts(&w->context, comma), put_last(w, &w->context);
}

/* ---- Rows ---- */

static void put_place(const writer *w, sb_out *out) {
    const sb_name *name = &w->rollout->tape->name;
    char text[SB_NAME_MAX];
    sb_name_print(name, text, sizeof text);
    sb_member_text(out, "task", name->task);
    sb_put_difficulty(out, w->export, w->rollout->tape);
    sb_member_uint(out, "episode_id", w->rollout->episode_id);
    sb_member_text(out, "name", text);
    sb_member_uint(out, "step", w->log.line.t - 1);
    sb_member_int(out, "current_level", w->log.line.level);
}

static void put_ends(const writer *w, sb_out *out) {
    const sb_tape *tape = w->rollout->tape;
    sb_member_bool(out, "done", w->log.line.kind == SB_TRANSITION_LEVEL);
    sb_member_bool(out, "over", w->log.line.kind == SB_TRANSITION_OVER);
    sb_member_success(out, tape->criterion, &tape->outcome);
    sb_member_double(out, "return", sb_return_of(w->export, tape));
    sb_put_judging(out, w->export, tape);
}

static void put_list(sb_out *out, const char *key, const sb_out *items) {
    sb_put_key(out, key);
    sb_puts(out, "[");
    sb_put_out(out, items);
    sb_puts(out, "]");
}

static void put_shape(const writer *w, sb_out *out) {
    const sb_log_play *play = &w->log.play;
    sb_member_int(out, "width", play->shape.width);
    sb_member_int(out, "height", play->shape.height);
    if (!w->export->family->frames->colour) return;
    sb_put_key(out, "palette");
    sb_put(out, play->palette.at, play->palette.n);
}

static void put_columns(writer *w, sb_out *out) {
    put_place(w, out);
    put_shape(w, out);
    sb_put_key(out, "start"), put_string(out, &w->start);
    put_list(out, "context_actions", &w->actions);
    put_list(out, "context_kinds", &w->kinds);
    put_list(out, "context_frames", &w->context);
    sb_out_clear(&w->piece);
    put_frame(w, NULL, w->log.line.before, &w->piece);
    sb_put_key(out, "frame"), put_string(out, &w->piece);
    sb_put_key(out, "action_name"), sb_put_action_text(out, w->env, w->action);
    sb_member_int(out, "action_int", w->action);
    sb_put_key(out, "next_frame");
    if (w->log.line.kind == SB_TRANSITION_LEVEL)
        sb_puts(out, "null");
    else
        put_last(w, out);
}

/* ---- Conversations ---- */

/* Puts signs of colours with their names; colours without names are numbers. */
static void tell_palette(const writer *w, sb_out *out) {
    const sb_frame_source *source = w->env->family->frames;
    const sb_frame_shape one = {.width = 1, .height = 1}, *shape = &w->log.play.shape;
    for (int32_t i = 0; i < shape->n_colours; i++) {
        sb_puts(out, i ? ", " : "");
        sb_put_frame(out, &one, &(uint8_t){(uint8_t)i});
        if (source->colour) sb_puts(out, " "), sb_puts(out, source->colour(w->env, i));
    }
}

static void put_field(void *context, int which, sb_out *out) {
    const writer *w = context;
    char name[SB_NAME_MAX];
    switch ((field)which) {
    case TASK: sb_puts(out, w->env->name.task); break;
    case DESCRIPTION: sb_puts(out, w->env->task->summary); break;
    case DIFFICULTY: sb_puts(out, w->env->name.difficulty); break;
    case NAME: sb_name_print(&w->env->name, name, sizeof name), sb_puts(out, name); break;
    case STEP: sb_put_uint(out, w->log.line.t - 1); break;
    case WIDTH: sb_put_int(out, w->log.play.shape.width); break;
    case HEIGHT: sb_put_int(out, w->log.play.shape.height); break;
    case PALETTE: tell_palette(w, out); break;
    case CONTEXT_FRAMES: sb_put_out(out, &w->context); break;
    case FRAME: put_frame(w, NULL, w->log.line.before, out); break;
    case ACTION: put_action(w, out); break;
    }
}

static void put_message(sb_out *out, const char *role, const sb_out *text) {
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_text(out, "role", role);
    sb_put_key(out, "content");
    put_string(out, text);
    sb_puts(out, "}");
}

static void put_filled(writer *w, const char *role, const sb_template *template, sb_out *out) {
    sb_out_clear(&w->piece);
    sb_template_put(template, &w->piece, put_field, w);
    put_message(out, role, &w->piece);
}

static void put_messages(writer *w, sb_out *out) {
    const sb_transition_kind kind = w->log.line.kind;
    sb_put_key(out, "messages");
    sb_puts(out, "[");
    if (w->options->system.n) put_filled(w, "system", &w->options->system, out);
    put_filled(w, "user", &w->options->user, out);
    sb_out_clear(&w->piece);
    sb_puts(&w->piece, sb_transition_names[kind]);
    if (kind != SB_TRANSITION_LEVEL) sb_putc(&w->piece, '\n'), put_frame(w, compared(w), w->log.line.last, &w->piece);
    put_message(out, "assistant", &w->piece);
    sb_puts(out, "]");
    put_place(w, out);
}

/* ---- Playing ---- */

static void put_row(writer *w) {
    sb_puts(w->out, "{");
    if (w->options->chat)
        put_messages(w, w->out);
    else
        put_columns(w, w->out);
    put_ends(w, w->out);
    sb_puts(w->out, "}\n");
    w->n_rows++;
}

static bool begin(writer *w, sb_error *error) {
    if (!sb_log_begin(&w->log, w->env, &w->piece, error)) return false;
    if (!w->options->chat)
        put_frame(w, NULL, w->log.play.start, &w->start);
    else if (w->options->context)
        tell_start(w);
    return true;
}

/* Takes a transition. Only an action that was done makes a row: nobody can say what is shown after a reset without
 * having seen it, and where nothing is done there is no frame. */
static void take(writer *w) {
    const sb_transition_kind kind = w->log.line.kind;
    if (w->log.line.t > w->options->context) {
        if (kind != SB_TRANSITION_RESET && kind != SB_TRANSITION_NONE) put_row(w);
    } else if (w->options->chat) {
        tell_transition(w);
    } else {
        add_transition(w);
    }
}

static bool is_whole(const writer *w) {
    const sb_out *const all[] = {&w->context, &w->start, &w->actions, &w->kinds, &w->piece};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!sb_out_ok(all[i])) return false;
    return true;
}

static bool write_step(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    writer *w = context;
    w->env = env, w->action = action;
    if (!(result ? sb_log_step(&w->log, env, action, error) : begin(w, error))) return false;
    if (result) take(w);
    return is_whole(w) || sb_fail(error, SB_MEMORY, "out of memory for the frames of a row");
}

static bool rows(const sb_rollout *rollout, const sb_export *export, sb_out *out, uint64_t *n_rows, sb_error *error) {
    const sb_out growing = sb_out_growing();
    writer w = {.rollout = rollout,
                .export = export,
                .options = export->own,
                .out = out,
                .context = growing,
                .start = growing,
                .actions = growing,
                .kinds = growing,
                .piece = growing};
    const bool ok = sb_tape_replay(rollout->tape, rollout->env, write_step, &w, error);
    *n_rows = w.n_rows;
    sb_log_writer_free(&w.log);
    sb_out_free(&w.context), sb_out_free(&w.start), sb_out_free(&w.actions), sb_out_free(&w.kinds);
    sb_out_free(&w.piece);
    return ok;
}

/* ---- Prompts ----------------------------------------------------------------------------------------------------- */

/* Finds what a row asks. As columns, the prompt is the task and all from the size of the frames to the action. */
static void ask(const sb_export *export, sb_span row, sb_asked *asked) {
    const char *begin = NULL, *answer = NULL;
    (void)export;
    sb_members members = sb_members_of(row);
    while (sb_members_next(&members) && !asked->answer.n) {
        if (sb_span_is(members.key, "messages")) sb_ask_messages(members.value, asked);
        if (sb_span_is(members.key, "task")) asked->prompt[0] = members.value;
        if (sb_span_is(members.key, "width")) begin = members.key.at;
        if (begin && sb_span_is(members.key, "next_frame"))
            answer = members.value.at, asked->prompt[1] = asked->shown = sb_span_from(begin, members.key.at);
        if (answer && sb_span_is(members.key, "over")) asked->answer = sb_span_from(answer, members.at);
    }
}

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

static void add_place(const sb_export *export, sb_columns *to) {
    sb_add_column(to, "task", SB_COLUMN_TEXT, "Name of the task");
    sb_add_difficulty(to, export);
    sb_add_column(to, "episode_id", SB_COLUMN_INTEGER, "Index of the episode in the recipe's selection, from 0");
    sb_add_column(to, "name", SB_COLUMN_TEXT, "Name of the episode: task, difficulty and seed");
    sb_add_column(to, "step", SB_COLUMN_INTEGER, "Number of the step that is asked about, from 0");
    sb_add_column(to, "current_level", SB_COLUMN_INTEGER, "The level that is played before the action, from 1");
}

static void add_frames(const sb_export *export, sb_columns *to) {
    const bool changes = ((const options *)export->own)->changes;
    sb_add_column(to, "width", SB_COLUMN_INTEGER, "Width of the frames, in cells");
    sb_add_column(to, "height", SB_COLUMN_INTEGER, "Height of the frames, in cells");
    if (export->family->frames->colour)
        sb_add_list(to, "palette", SB_COLUMN_TEXT, "Names of the colours, whose signs are 0-9, a-z, A-Z");
    sb_add_column(to, "start", SB_COLUMN_TEXT,
                  "The first frame of the episode: a line for each row of cells, a sign for each cell");
    sb_mark_read(to);
    sb_add_list(to, "context_actions", SB_COLUMN_TEXT, "The first actions of the episode, by name");
    sb_mark_read(to);
    sb_add_list(to, "context_kinds", SB_COLUMN_TEXT, "What each of them did: step, level, over, reset or none");
    sb_add_list(to, "context_frames", SB_COLUMN_TEXT,
                changes ? "What was shown after each: the difference to the frame before, as JSON; a frame after a "
                          "reset and a completed level"
                        : "The frame after each of them");
    sb_mark_read(to);
    sb_add_column(to, "frame", SB_COLUMN_TEXT, "The frame before the action that is asked about");
    sb_mark_read(to);
    sb_add_column(to, "action_name", SB_COLUMN_TEXT, "The action that is asked about, by name");
    sb_mark_read(to);
    sb_add_column(to, "action_int", SB_COLUMN_INTEGER, "The action that is asked about, by number");
    sb_add_column(to, "next_frame", SB_COLUMN_TEXT,
                  changes ? "The answer: the difference to the frame after the action, as JSON; null where the level "
                            "was completed"
                          : "The answer: the frame after the action; null where the level was completed");
    sb_mark_read(to);
}

static void columns(const sb_export *export, sb_columns *to) {
    const bool chat = ((const options *)export->own)->chat;
    if (chat) sb_add_list(to, "messages", SB_COLUMN_MESSAGE, "The question, and the answer as the last message");
    add_place(export, to);
    if (!chat) add_frames(export, to);
    sb_add_column(to, "done", SB_COLUMN_BOOLEAN, "Whether the action completed the level");
    sb_add_column(to, "over", SB_COLUMN_BOOLEAN, "Whether the action lost the game");
    sb_add_success(to, export, "Whether the whole episode succeeded");
    sb_add_column(to, "return", SB_COLUMN_NUMBER, "Sum of the episode's rewards");
    sb_add_judging(to, export);
}

extern const sb_exporter sb_next_frame;
const sb_exporter sb_next_frame = {
    .name = "next_frame",
    .suffix = "jsonl.gz",
    .summary = "questions for models of worlds: after these transitions, what does an action show?",
    .keeps_failures = true,
    .keys = keys,
    .read = read,
    .free = free,
    .columns = columns,
    .rows = rows,
    .ask = ask,
};
