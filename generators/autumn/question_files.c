#include "generators/autumn/question_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "generators/autumn/pack.h"
#include "generators/autumn/programs.h"
#include "generators/autumn/questions.h"

const char *const sb_autumn_question_forms[] = {"questions", "conversations", "published", NULL};

/* ---- What is kept apart ------------------------------------------------------------------------------------------ */

/* Hashes of names, and of what is asked. */
typedef struct kept {
    uint64_t (*keys)[2];
    size_t n, capacity;
} kept;

static bool add_key(kept *k, const uint64_t key[2], sb_error *error) {
    if (k->n == k->capacity) {
        const size_t capacity = k->capacity ? 2 * k->capacity : 256;
        uint64_t(*const larger)[2] = realloc(k->keys, capacity * sizeof *larger);
        if (!larger) return sb_fail(error, SB_MEMORY, "out of memory for a pack");
        k->keys = larger, k->capacity = capacity;
    }
    memcpy(k->keys[k->n++], key, sizeof *k->keys);
    return true;
}

static bool has_key(const kept *k, const uint64_t key[2]) {
    for (size_t i = 0; i < k->n; i++)
        if (memcmp(k->keys[i], key, sizeof *k->keys) == 0) return true;
    return false;
}

/* Colours count by what they are called, because challenges number them on their own. */
static void put_cells(const sb_autumn_challenge *c, const uint8_t *cells, size_t n, sb_out *out) {
    for (size_t i = 0; i < n; i++) sb_puts(out, c->colours[cells[i]]), sb_putc(out, ' ');
}

/* What is asked, without the name: the goal; the course and its mask; the change. */
static bool find_keys(const sb_autumn_challenge *c, uint64_t name[2], uint64_t asked[2], sb_error *error) {
    const size_t n = (size_t)c->size * c->size;
    sb_out text = sb_out_growing();
    sb_autumn_challenge_put_name(&c->name, &text);
    if (sb_out_ok(&text)) sb_hash128(text.data, text.size, name);
    sb_out_clear(&text);
    sb_putf(&text, "%s %s ", c->name.program, sb_autumn_challenge_names[c->name.kind]);
    if (c->mask) sb_put(&text, (const char *)c->mask, n);
    if (c->name.kind == SB_AUTUMN_PLANNING) {
        for (size_t i = 0; i < n; i++)
            if (c->mask && c->mask[i]) put_cells(c, &c->frames[i], 1, &text);
    } else if (c->name.kind == SB_AUTUMN_MFP) {
        put_cells(c, c->frames, n * (c->n_actions + 1), &text);
    }
    for (uint32_t i = 0; i < c->n_edits; i++) sb_putf(&text, "%zu %s ", c->edits[i].at, c->edits[i].after);
    const bool ok = sb_out_ok(&text) || sb_fail(error, SB_MEMORY, "out of memory for a pack");
    if (ok) sb_hash128(text.data, text.size, asked);
    sb_out_free(&text);
    return ok;
}

static bool keep(void *context, const sb_autumn_challenge *c, const sb_autumn_pack_lines *lines, sb_error *error) {
    uint64_t name[2], asked[2];
    (void)lines;
    return find_keys(c, name, asked, error) && add_key(context, name, error) && add_key(context, asked, error);
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

typedef struct writing {
    const sb_autumn_question_files *files;
    kept kept;
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
    const sb_autumn_task *task = NULL;
    for (size_t i = 0; i < SB_AUTUMN_N_PROGRAMS && !task; i++)
        if (strcmp(sb_autumn_task_at(i)->name, c->name.program) == 0) task = sb_autumn_task_of(sb_autumn_task_at(i));
    if (!task) return sb_fail(error, SB_INVALID, "there is no program %s", c->name.program);
    sb_out_clear(&w->questions), sb_out_clear(&w->answers);
    if (!sb_autumn_put_published(c, task->text, strlen(task->text), &w->questions, &w->answers))
        return sb_fail(error, SB_MISMATCH, "the change does not fit the program");
    return save(w->files->output, c, alone, "", &w->questions, error) &&
           save(w->files->output, c, alone, "_answer", &w->answers, error);
}

static bool write_one(void *context, const sb_autumn_challenge *c, const sb_autumn_pack_lines *lines, sb_error *error) {
    writing *w = context;
    uint64_t name[2], asked[2];
    if (w->files->form != SB_AUTUMN_FORM_PUBLISHED && c->name.kind != SB_AUTUMN_MFP) return true;
    if (!find_keys(c, name, asked, error)) return false;
    if (has_key(&w->kept, name) || has_key(&w->kept, asked)) return w->left_out++, true;
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
                    (!files->apart_from || sb_autumn_pack_each(files->apart_from, keep, &w.kept, error)) &&
                    sb_autumn_pack_each(files->pack, write_one, &w, error) && (published || save_lines(&w, error));
    files->written = w.written, files->left_out = w.left_out;
    free(w.kept.keys);
    sb_out_free(&w.questions), sb_out_free(&w.answers);
    return ok;
}
