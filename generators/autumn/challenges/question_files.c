/* Challenges as data: questions and answers for language models, and the published file forms (protocol 3 to 5). What
 * is asked and what is right never stand in one text. */
#include "generators/autumn/challenges/question_files.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "generators/autumn/challenges/challenge.h"
#include "generators/autumn/challenges/mutations.h"
#include "generators/autumn/challenges/pack.h"

static bool is_masked(const sb_autumn_challenge *c, uint32_t t, uint32_t cell) {
    return t + c->masked > c->n_actions && c->mask[cell];
}

static const uint8_t *frame_at(const sb_autumn_challenge *c, uint32_t t) {
    return c->frames + (size_t)t * c->size * c->size;
}

/* The smallest rectangle that holds the mask. */
typedef struct rectangle {
    uint32_t left, top, right, bottom; /* right and bottom: the first column and row behind the mask */
} rectangle;

static rectangle around_mask(const sb_autumn_challenge *c) {
    rectangle r = {.left = c->size, .top = c->size};
    for (uint32_t i = 0; i < c->size * c->size; i++) {
        const uint32_t x = i % c->size, y = i / c->size;
        if (!c->mask[i]) continue;
        if (x < r.left) r.left = x;
        if (y < r.top) r.top = y;
        if (x >= r.right) r.right = x + 1;
        if (y >= r.bottom) r.bottom = y + 1;
    }
    return r;
}

/* ---- Questions --------------------------------------------------------------------------------------------------- */

static void put_frame(const sb_autumn_challenge *c, uint32_t t, sb_out *out) {
    for (uint32_t i = 0; i < c->size * c->size; i++) {
        if (i && i % c->size == 0) sb_putc(out, '\n');
        sb_putc(out, is_masked(c, t, i) ? '?' : sb_autumn_signs[frame_at(c, t)[i]]);
    }
}

/* An option in its rectangle; a space is a cell that is not asked for. */
static void put_option(const sb_autumn_challenge *c, uint32_t option, sb_out *out) {
    const rectangle r = around_mask(c);
    const uint8_t *cells = c->options + (size_t)option * c->n_mask;
    for (uint32_t y = r.top; y < r.bottom; y++) {
        if (y > r.top) sb_putc(out, '\n');
        for (uint32_t x = r.left; x < r.right; x++)
            sb_putc(out, c->mask[y * c->size + x] ? sb_autumn_signs[*cells++] : ' ');
    }
}

/* Puts a text that was written before as a member, and frees it. */
static void member_of(sb_out *out, const char *key, sb_out *text) {
    sb_put_key(out, key);
    sb_put_json_bytes(out, text->data ? text->data : "", text->size);
    sb_out_free(text);
}

static void put_heading(const sb_autumn_challenge *c, const char *key, sb_out *out) {
    sb_putf(out, "{\"%s\": \"", key);
    sb_autumn_challenge_put_name(&c->name, out);
    sb_puts(out, "\"");
}

static void put_frames(const sb_autumn_challenge *c, sb_out *out) {
    sb_put_key(out, "frames");
    sb_puts(out, "[");
    for (uint32_t t = 0; t <= c->n_actions; t++) {
        sb_out frame = sb_out_growing(), action = sb_out_growing();
        sb_put_comma(out);
        sb_puts(out, "{");
        if (t) sb_autumn_put_event(&action, c->actions[t - 1]), member_of(out, "action", &action);
        put_frame(c, t, &frame);
        member_of(out, "frame", &frame);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

/* Writes a question and its answer, one line of JSON each with a newline, for predictions only. A question shows the
 * frames as rows of signs, what was done, and the six options; the answer is the number of an option. */
static void put_question(const sb_autumn_challenge *c, sb_out *question, sb_out *answer) {
    put_heading(c, "question", question);
    sb_member_texts(question, "colours", (const char *const *)c->colours, c->n_colours);
    put_frames(c, question);
    sb_put_key(question, "options");
    sb_puts(question, "[");
    for (uint32_t k = 0; k < SB_AUTUMN_CHOICES; k++) {
        sb_out option = sb_out_growing();
        sb_put_comma(question);
        put_option(c, k, &option);
        sb_put_json_bytes(question, option.data, option.size);
        sb_out_free(&option);
    }
    sb_puts(question, "]}\n");
    put_heading(c, "question", answer);
    sb_member_uint(answer, "answer", c->answer);
    sb_puts(answer, "}\n");
}

/* ---- Conversations ----------------------------------------------------------------------------------------------- */

static void put_prompt(const sb_autumn_challenge *c, sb_out *out) {
    const rectangle r = around_mask(c);
    sb_puts(out, "These are the frames of a grid world, and what was done before each of them. Find out its rules, and "
                 "say what the hidden cells of the last frame hold.\n\nSigns:");
    for (uint32_t k = 0; k < c->n_colours; k++) sb_putf(out, " %c %s,", sb_autumn_signs[k], c->colours[k]);
    sb_puts(out, " ? hidden.\n");
    for (uint32_t t = 0; t <= c->n_actions; t++) {
        sb_putf(out, "\nFrame %u", t);
        if (t) sb_puts(out, ", after "), sb_autumn_put_event(out, c->actions[t - 1]);
        sb_puts(out, ":\n");
        put_frame(c, t, out);
        sb_putc(out, '\n');
    }
    sb_putf(out,
            "\nThe hidden cells lie in columns %u to %u and rows %u to %u, counted from 0. Which of these six is in "
            "the last frame?\n",
            r.left, r.right - 1, r.top, r.bottom - 1);
    for (uint32_t k = 0; k < SB_AUTUMN_CHOICES; k++) {
        sb_putf(out, "\nchoose_option_%u:\n", k);
        put_option(c, k, out);
        sb_putc(out, '\n');
    }
}

static void put_message(const sb_autumn_challenge *c, const char *role, sb_out *content, sb_out *out) {
    put_heading(c, "question", out);
    sb_put_key(out, "messages");
    sb_puts(out, "[{");
    sb_member_text(out, "role", role);
    member_of(out, "content", content);
    sb_puts(out, "}]}\n");
}

/* Writes a question and its answer as conversations: `messages` with one message of the user, and `messages` with the
 * reply. */
static void put_conversation(const sb_autumn_challenge *c, sb_out *question, sb_out *answer) {
    sb_out prompt = sb_out_growing(), reply = sb_out_growing();
    put_prompt(c, &prompt);
    put_message(c, "user", &prompt, question);
    sb_putf(&reply, "choose_option_%u", c->answer);
    put_message(c, "assistant", &reply, answer);
}

/* ---- The published forms ----------------------------------------------------------------------------------------- */

/* Puts rows of numbers; `number` gives the number of a cell. */
static void put_grid(sb_out *out, rectangle r, uint32_t (*number)(const void *of, uint32_t x, uint32_t y),
                     const void *of) {
    sb_puts(out, "[");
    for (uint32_t y = r.top; y < r.bottom; y++) {
        sb_put_comma(out);
        sb_puts(out, "[");
        for (uint32_t x = r.left; x < r.right; x++) sb_put_comma(out), sb_putf(out, "%u", number(of, x, y));
        sb_puts(out, "]");
    }
    sb_puts(out, "]");
}

/* What a grid is made of: a frame, or an option, of a challenge. */
typedef struct grid {
    const sb_autumn_challenge *c;
    uint32_t number;
} grid;

static uint32_t in_frame(const void *of, uint32_t x, uint32_t y) {
    const grid *g = of;
    const uint32_t cell = y * g->c->size + x;
    return is_masked(g->c, g->number, cell) ? 0 : frame_at(g->c, g->number)[cell] + 1U;
}

static uint32_t in_option(const void *of, uint32_t x, uint32_t y) {
    const grid *g = of;
    uint32_t before = 0;
    if (!g->c->mask[y * g->c->size + x]) return 0;
    for (uint32_t i = 0; i < y * g->c->size + x; i++) before += g->c->mask[i];
    return g->c->options[(size_t)g->number * g->c->n_mask + before] + 1U;
}

static uint32_t in_goal(const void *of, uint32_t x, uint32_t y) {
    const grid *g = of;
    const uint32_t cell = y * g->c->size + x;
    return g->c->mask[cell] ? g->c->frames[cell] + 1U : 0;
}

static uint32_t in_mask(const void *of, uint32_t x, uint32_t y) {
    const grid *g = of;
    return g->c->mask[y * g->c->size + x];
}

static void put_published_action(sb_out *out, sb_autumn_event event) {
    sb_put_key(out, "action");
    sb_puts(out, "{");
    sb_member_text(out, "type", sb_autumn_key_names[event.key]);
    if (event.key == SB_AUTUMN_CLICK) sb_member_int(out, "x", event.x), sb_member_int(out, "y", event.y);
    sb_puts(out, "}");
}

static void put_observations(const sb_autumn_challenge *c, sb_out *out) {
    const rectangle all = {.right = c->size, .bottom = c->size};
    sb_put_key(out, "observations");
    sb_puts(out, "[");
    for (uint32_t t = 0; t <= c->n_actions; t++) {
        sb_put_comma(out);
        sb_puts(out, "{");
        if (t) put_published_action(out, c->actions[t - 1]);
        sb_put_key(out, "masked_grid");
        put_grid(out, all, in_frame, &(grid){c, t});
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
    sb_put_key(out, "choices");
    sb_puts(out, "[");
    for (uint32_t k = 0; k < SB_AUTUMN_CHOICES; k++)
        sb_put_comma(out), put_grid(out, around_mask(c), in_option, &(grid){c, k});
    sb_puts(out, "]");
}

static void put_goal(const sb_autumn_challenge *c, sb_out *out) {
    const rectangle all = {.right = c->size, .bottom = c->size};
    sb_put_key(out, "goal");
    put_grid(out, all, in_goal, &(grid){c, 0});
    sb_put_key(out, "mask");
    put_grid(out, all, in_mask, &(grid){c, 0});
    sb_member_uint(out, "horizon", c->horizon);
}

static bool fail_memory(sb_error *error) { return sb_fail(error, SB_MEMORY, "out of memory for questions"); }

static bool put_changed(const sb_autumn_challenge *c, const char *text, size_t n, sb_out *out, sb_error *error) {
    sb_out changed = sb_out_growing();
    if (!sb_autumn_mutated(text, n, c->edits, c->n_edits, &changed))
        return sb_out_free(&changed), sb_fail(error, SB_MISMATCH, "the change does not fit the program");
    if (!sb_out_ok(&changed)) return sb_out_free(&changed), fail_memory(error);
    member_of(out, "program", &changed);
    sb_autumn_put_guard(out, "trigger", &c->guard);
    return true;
}

/* Writes the published form of a challenge of any kind: a document, and one with the answer. Colours are numbers from
 * 1, and `colours` says what they are; 0 is a masked cell. Of a change, the document says nothing but the program; the
 * answer has the text of the changed program, which is `text` with the edits. */
static bool put_published(const sb_autumn_challenge *c, const char *text, size_t n, sb_out *document, sb_out *answer,
                          sb_error *error) {
    static const char *const types[] = {"masked_frame_prediction", "planning", "defect_detection"};
    bool ok = true;
    sb_puts(document, "{"), sb_puts(answer, "{");
    sb_member_text(document, "type", types[c->name.kind]);
    sb_member_text(document, "program", c->name.program);
    sb_member_uint(document, "seed", c->name.seed);
    if (c->name.kind != SB_AUTUMN_CHANGE)
        sb_member_texts(document, "colours", (const char *const *)c->colours, c->n_colours);
    if (c->name.kind == SB_AUTUMN_MFP) {
        put_observations(c, document);
        sb_member_uint(answer, "correct_idx", c->answer);
    } else if (c->name.kind == SB_AUTUMN_PLANNING) {
        put_goal(c, document);
        sb_member_uint(answer, "plan_length", c->n_actions);
    } else {
        ok = put_changed(c, text, n, answer, error);
    }
    sb_puts(document, "}\n"), sb_puts(answer, "}\n");
    return ok && ((sb_out_ok(document) && sb_out_ok(answer)) || fail_memory(error));
}

const char *const sb_autumn_question_forms[] = {"questions", "conversations", "published", NULL};

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

typedef struct writing {
    const sb_autumn_question_files *files;
    sb_autumn_apart apart;
    sb_out questions, answers;
    size_t written, left_out;
} writing;

/* Published names have no level and no seed, so they serve where there is one challenge for each program and kind. */
static bool save(const char *folder, const sb_autumn_challenge *c, bool alone, const char *what, const sb_out *text,
                 sb_error *error) {
    static const char *const kinds[] = {"mfp", "planning", "cd"};
    char path[1024], number[40] = "", program[sizeof c->name.program];
    snprintf(program, sizeof program, "%s", c->name.program);
    char *const slash = strchr(program, '/');
    if (slash) *slash = '-';
    if (!alone) snprintf(number, sizeof number, "_%u_%llu", c->name.level, (unsigned long long)c->name.seed);
    snprintf(path, sizeof path, "%.700s/%s_%s%s%s.json", folder, program, kinds[c->name.kind], number, what);
    return sb_file_save(path, text->data, text->size, error);
}

static bool publish(writing *w, const sb_autumn_challenge *c, bool alone, sb_error *error) {
    const sb_autumn_task *task = sb_autumn_pack_task(c->name.program, w->files->catalogue, error);
    if (!task) return false;
    sb_out_clear(&w->questions), sb_out_clear(&w->answers);
    return put_published(c, task->text, strlen(task->text), &w->questions, &w->answers, error) &&
           save(w->files->output, c, alone, "", &w->questions, error) &&
           save(w->files->output, c, alone, "_answer", &w->answers, error);
}

static bool write_one(void *context, const sb_autumn_challenge *c, const sb_autumn_pack_lines *lines, sb_error *error) {
    writing *w = context;
    bool apart;
    if (w->files->form != SB_AUTUMN_FORM_PUBLISHED && c->name.kind != SB_AUTUMN_MFP) return true;
    if (!sb_autumn_apart_has(&w->apart, c, &apart, error)) return false;
    if (apart) return w->left_out++, true;
    w->written++;
    if (w->files->form == SB_AUTUMN_FORM_PUBLISHED) return publish(w, c, lines->alone, error);
    if (w->files->form == SB_AUTUMN_FORM_CONVERSATIONS)
        put_conversation(c, &w->questions, &w->answers);
    else
        put_question(c, &w->questions, &w->answers);
    return (sb_out_ok(&w->questions) && sb_out_ok(&w->answers)) || fail_memory(error);
}

static bool save_lines(const writing *w, sb_error *error) {
    char path[1024];
    snprintf(path, sizeof path, "%.700s.answers.jsonl", w->files->output);
    if (!sb_file_save(path, w->answers.data, w->answers.size, error)) return false;
    snprintf(path, sizeof path, "%.700s.jsonl", w->files->output);
    return sb_file_save(path, w->questions.data, w->questions.size, error);
}

bool sb_autumn_write_questions(sb_autumn_question_files *files, sb_error *error) {
    const bool published = files->form == SB_AUTUMN_FORM_PUBLISHED;
    writing w = {.files = files, .questions = sb_out_growing(), .answers = sb_out_growing()};
    const bool ok = sb_folder_fits(files->output, error) && (!published || sb_make_folder(files->output, error)) &&
                    (!files->apart_from || sb_autumn_pack_keep_apart(files->apart_from, &w.apart, error)) &&
                    sb_autumn_pack_each(files->pack, write_one, &w, error) && (published || save_lines(&w, error));
    files->written = w.written, files->left_out = w.left_out;
    sb_autumn_apart_free(&w.apart);
    sb_out_free(&w.questions), sb_out_free(&w.answers);
    return ok;
}
