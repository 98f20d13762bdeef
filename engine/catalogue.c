#include "engine/catalogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "base/word.h"

enum { NAME_SIZE = 32 };

typedef struct program {
    sb_program shown;
    char name[NAME_SIZE];
    sb_task_info *task;
} program;

typedef struct listed {
    const sb_task_info *task;
    const program *of;
} listed;

/* Programs are kept by pointer, so that pointers given to callers stay valid. */
struct sb_catalogue {
    program **programs;    /* in the order in which they were added */
    listed *tasks;         /* sorted by name, so that their order does not depend on the order of adding */
    sb_derived *documents; /* sorted by name */
    size_t n_programs, n_tasks, n_documents;
    const struct sb_chooser *chooser;
    const sb_catalogue *lender; /* whose documents stand here if there are no own ones; NULL: nobody's */
};

sb_catalogue *sb_catalogue_make(sb_error *error) {
    sb_catalogue *catalogue = calloc(1, sizeof *catalogue);
    if (!catalogue) sb_fail(error, SB_MEMORY, "out of memory for a catalogue");
    return catalogue;
}

static void free_program(program *p) {
    if (p->task) p->shown.family->imports->drop(p->task);
    free((char *)p->shown.text);
    free(p);
}

void sb_catalogue_free(sb_catalogue *catalogue) {
    if (!catalogue) return;
    for (size_t i = 0; i < catalogue->n_programs; i++) free_program(catalogue->programs[i]);
    for (size_t i = 0; i < catalogue->n_documents; i++) free(catalogue->documents[i].text);
    free(catalogue->programs);
    free(catalogue->tasks);
    free(catalogue->documents);
    free(catalogue);
}

bool sb_catalogue_is_empty(const sb_catalogue *catalogue) {
    return !catalogue || (!catalogue->n_programs && !catalogue->n_documents);
}

const struct sb_chooser *sb_catalogue_chooser(const sb_catalogue *catalogue) {
    return catalogue ? catalogue->chooser : NULL;
}

void sb_catalogue_set_chooser(sb_catalogue *catalogue, const struct sb_chooser *chooser) {
    catalogue->chooser = chooser;
}

/* The program in the catalogue that says the same name but has another text; NULL: there is none. */
static const sb_program *namesake_of(const sb_program *program, const sb_catalogue *catalogue) {
    for (size_t i = 0; i < catalogue->n_programs; i++) {
        const sb_program *other = &catalogue->programs[i]->shown;
        if (other->family == program->family && sb_same_word(other->task->name, program->task->name) &&
            strcmp(other->sha256, program->sha256) != 0)
            return other;
    }
    return NULL;
}

bool sb_catalogue_borrow(sb_catalogue *catalogue, const sb_catalogue *lender, sb_error *error) {
    if (!lender) return true;
    for (size_t i = 0; i < catalogue->n_programs; i++)
        if (namesake_of(&catalogue->programs[i]->shown, lender))
            return sb_fail(error, SB_INVALID, "`%s` is another program than the one of this name that was given",
                           catalogue->programs[i]->task->name);
    catalogue->chooser = lender->chooser;
    catalogue->lender = lender;
    return true;
}

static char *copy_of(const char *text, size_t n) {
    char *copy = malloc(n + 1);
    if (!copy) return NULL;
    memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}

/* Makes room for n items. Just as many are enough, because catalogues are small. */
static bool make_room(void **items, size_t n, size_t size, sb_error *error) {
    void *more = realloc(*items, n * size);
    if (!more) return sb_fail(error, SB_MEMORY, "out of memory for a catalogue");
    *items = more;
    return true;
}

/* ---- Programs ---- */

static const program *find_program(const sb_catalogue *catalogue, const sb_family *family, const char *sha256) {
    for (size_t i = 0; i < catalogue->n_programs; i++) {
        const sb_program *shown = &catalogue->programs[i]->shown;
        if (shown->family == family && strcmp(shown->sha256, sha256) == 0) return catalogue->programs[i];
    }
    return NULL;
}

static bool read_program(program *p, sb_error *error) {
    snprintf(p->name, sizeof p->name, SB_PROGRAM_PREFIX "%.16s", p->shown.sha256);
    p->task = p->shown.family->imports->read(p->shown.text, p->shown.n, error);
    if (!p->task) return false;
    if (!p->task->name) p->task->name = p->name;
    p->shown.task = p->task;
    return true;
}

/* Programs that say their name must not say the same one. */
static bool has_own_name(const sb_catalogue *catalogue, const program *p, sb_error *error) {
    for (size_t i = 0; i < catalogue->n_programs; i++) {
        const program *other = catalogue->programs[i];
        if (other->shown.family == p->shown.family && sb_same_word(other->task->name, p->task->name))
            return sb_fail(error, SB_INVALID, "two programs are called `%s`: give one of them another name",
                           p->task->name);
    }
    return true;
}

static const sb_task_info *part_of(const program *p, size_t index) {
    const sb_imports *imports = p->shown.family->imports;
    return imports->part ? imports->part(p->task, index) : NULL;
}

static void list(sb_catalogue *catalogue, const program *p, const sb_task_info *task) {
    size_t place = catalogue->n_tasks++;
    for (; place > 0 && strcmp(catalogue->tasks[place - 1].task->name, task->name) > 0; place--)
        catalogue->tasks[place] = catalogue->tasks[place - 1];
    catalogue->tasks[place] = (listed){.task = task, .of = p};
}

/* Adds a program with its tasks. */
static bool add(sb_catalogue *catalogue, program *p, sb_error *error) {
    size_t n = 0;
    while (part_of(p, n)) n++;
    if (p->shown.family->n_tasks + sb_catalogue_count(catalogue, p->shown.family) + n >= SB_TASKS_MAX)
        return sb_fail(error, SB_INVALID, "more than %d tasks of family %s", SB_TASKS_MAX, p->shown.family->name);
    if (!make_room((void **)&catalogue->programs, catalogue->n_programs + 1, sizeof *catalogue->programs, error) ||
        !make_room((void **)&catalogue->tasks, catalogue->n_tasks + n + 1, sizeof *catalogue->tasks, error))
        return false;
    catalogue->programs[catalogue->n_programs++] = p;
    list(catalogue, p, p->task);
    for (size_t i = 0; i < n; i++) list(catalogue, p, part_of(p, i));
    return true;
}

/* Programs are kept in documents, so they must be what JSON can hold. */
static bool check_text(const char *text, size_t n, sb_error *error) {
    for (size_t at = 0, length; at < n; at += length) {
        length = text[at] ? sb_utf8_length(text + at, n - at) : 0;
        if (length == 0) return sb_fail(error, SB_INVALID, "byte %zu of the program is not UTF-8 text", at + 1);
    }
    return true;
}

bool sb_catalogue_add_program(sb_catalogue *catalogue, const sb_family *family, const char *text, size_t n,
                              const sb_task_info **task, sb_error *error) {
    char sha256[SB_SHA256_HEX];
    if (!family->imports || !family->imports->read)
        return sb_fail(error, SB_INVALID, "family %s takes no programs", family->name);
    if (!check_text(text, n, error)) return false;
    sb_sha256_hex(text, n, sha256);
    const program *known = find_program(catalogue, family, sha256);
    if (known) {
        if (task) *task = known->task;
        return true;
    }
    program *p = calloc(1, sizeof *p);
    if (p) p->shown = (sb_program){.family = family, .text = copy_of(text, n), .n = n};
    if (!p || !p->shown.text) return free(p), sb_fail(error, SB_MEMORY, "out of memory for a program");
    memcpy(p->shown.sha256, sha256, sizeof sha256);
    if (!read_program(p, error) || !has_own_name(catalogue, p, error) || !add(catalogue, p, error))
        return free_program(p), false;
    if (task) *task = p->task;
    return true;
}

const sb_program *sb_program_at(const sb_catalogue *catalogue, size_t index) {
    return catalogue && index < catalogue->n_programs ? &catalogue->programs[index]->shown : NULL;
}

size_t sb_catalogue_count(const sb_catalogue *catalogue, const sb_family *family) {
    size_t n = 0;
    for (size_t i = 0; catalogue && i < catalogue->n_tasks; i++) n += catalogue->tasks[i].of->shown.family == family;
    return n;
}

const sb_task_info *sb_catalogue_task(const sb_catalogue *catalogue, const sb_family *family, size_t index) {
    for (size_t i = 0; catalogue && i < catalogue->n_tasks; i++) {
        const listed *it = &catalogue->tasks[i];
        if (it->of->shown.family == family && index-- == 0) return it->task;
    }
    return NULL;
}

const sb_program *sb_catalogue_program(const sb_catalogue *catalogue, const sb_task_info *task) {
    for (size_t i = 0; catalogue && i < catalogue->n_tasks; i++)
        if (catalogue->tasks[i].task == task) return &catalogue->tasks[i].of->shown;
    return NULL;
}

/* ---- Documents of derived tasks ---- */

const sb_derived *sb_catalogue_documents(const sb_catalogue *catalogue, size_t *n) {
    if (catalogue && !catalogue->n_documents && catalogue->lender) catalogue = catalogue->lender;
    *n = catalogue ? catalogue->n_documents : 0;
    return *n ? catalogue->documents : NULL;
}

bool sb_catalogue_insert(sb_catalogue *catalogue, size_t place, const sb_name *name, const char *text, size_t n,
                         sb_error *error) {
    if (catalogue->lender) return sb_fail(error, SB_INVALID, "a catalogue that borrows has no documents of its own");
    if (!make_room((void **)&catalogue->documents, catalogue->n_documents + 1, sizeof *catalogue->documents, error))
        return false;
    char *copy = copy_of(text, n);
    if (!copy) return sb_fail(error, SB_MEMORY, "out of memory for a document of %zu bytes", n);
    sb_derived *at = &catalogue->documents[place];
    memmove(at + 1, at, (catalogue->n_documents++ - place) * sizeof *at);
    *at = (sb_derived){.name = *name, .text = copy, .n = n};
    return true;
}
