#include "generators/autumn/question_files.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "generators/autumn/apart.h"
#include "generators/autumn/pack.h"
#include "generators/autumn/questions.h"

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
    char path[1024], number[40] = "";
    if (!alone) snprintf(number, sizeof number, "_%u_%llu", c->name.level, (unsigned long long)c->name.seed);
    snprintf(path, sizeof path, "%.800s/%s_%s%s%s.json", folder, c->name.program, kinds[c->name.kind], number, what);
    return sb_file_save(path, text->data, text->size, error);
}

static bool publish(writing *w, const sb_autumn_challenge *c, bool alone, sb_error *error) {
    const sb_autumn_task *task = sb_autumn_pack_task(c->name.program, w->files->catalogue, error);
    if (!task) return false;
    sb_out_clear(&w->questions), sb_out_clear(&w->answers);
    if (!sb_autumn_put_published(c, task->text, strlen(task->text), &w->questions, &w->answers))
        return sb_fail(error, SB_MISMATCH, "the change does not fit the program");
    return save(w->files->output, c, alone, "", &w->questions, error) &&
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
        sb_autumn_put_conversation(c, &w->questions, &w->answers);
    else
        sb_autumn_put_question(c, &w->questions, &w->answers);
    return (sb_out_ok(&w->questions) && sb_out_ok(&w->answers)) ||
           sb_fail(error, SB_MEMORY, "out of memory for questions");
}

static bool save_lines(const writing *w, sb_error *error) {
    char path[1024];
    snprintf(path, sizeof path, "%.1000s.answers.jsonl", w->files->output);
    if (!sb_file_save(path, w->answers.data, w->answers.size, error)) return false;
    snprintf(path, sizeof path, "%.1000s.jsonl", w->files->output);
    return sb_file_save(path, w->questions.data, w->questions.size, error);
}

bool sb_autumn_write_questions(sb_autumn_question_files *files, sb_error *error) {
    const bool published = files->form == SB_AUTUMN_FORM_PUBLISHED;
    writing w = {.files = files, .questions = sb_out_growing(), .answers = sb_out_growing()};
    const bool ok = (!published || sb_make_folder(files->output, error)) &&
                    (!files->apart_from || sb_autumn_pack_keep_apart(files->apart_from, &w.apart, error)) &&
                    sb_autumn_pack_each(files->pack, write_one, &w, error) && (published || save_lines(&w, error));
    files->written = w.written, files->left_out = w.left_out;
    sb_autumn_apart_free(&w.apart);
    sb_out_free(&w.questions), sb_out_free(&w.answers);
    return ok;
}
