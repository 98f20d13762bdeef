#include "generators/autumn/programs.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "generators/autumn/colours.h"
#include "generators/autumn/variants.h"

extern const unsigned char sb_shipped_autumn_text_common[];

enum { DETERMINISTIC = false, STOCHASTIC = true };

#define SB_PROGRAM(title, file, group, side, draws, does)                                                              \
    extern const unsigned char sb_shipped_autumn_##file[];                                                             \
    extern const char sb_shipped_autumn_##file##_hash[];
#include "generators/autumn/programs.def"
#undef SB_PROGRAM

#define SB_PROGRAM(title, file, group, grid_size, is_drawing, does)                                                    \
    {.info = {.name = #title,                                                                                          \
              .category = group,                                                                                       \
              .summary = does,                                                                                         \
              .rules = sb_shipped_autumn_##file##_hash,                                                                \
              .criterion = SB_BY_NOTHING},                                                                             \
     .text = (const char *)sb_shipped_autumn_##file,                                                                   \
     .side = grid_size,                                                                                                \
     .draws = is_drawing},
static const sb_autumn_task tasks[SB_AUTUMN_N_PROGRAMS] = {
#include "generators/autumn/programs.def"
};
#undef SB_PROGRAM

const sb_task_info *sb_autumn_task_at(size_t index) { return &tasks[index].info; }

/* ---- The rules in words ------------------------------------------------------------------------------------------ */

static const char *next_line(const char *line) { return line + strcspn(line, "\n") + 1; }

void sb_autumn_describe(const sb_task_info *task, sb_out *out) {
    const char *text = sb_autumn_task_of(task)->text;
    if (!text) return;
    sb_puts(out, "## Rules, which are what there is to find out\n\n");
    const char *line = next_line(text);
    if (strncmp(line, ";\n", 2) == 0) line = next_line(line);
    for (; *line == ';'; line = next_line(line)) {
        const char *words = line + 1 + (line[1] == ' ');
        sb_put(out, words, (size_t)(next_line(line) - words));
    }
    sb_puts(out, "\n");
    sb_puts(out, (const char *)sb_shipped_autumn_text_common);
}

/* ---- Compiling ---- */

static bool know_colours(sb_autumn_compiled *c) {
    const uint32_t n = sb_autumn_n_strings(c->program);
    c->lower = malloc(n + 1), c->exact = malloc(n + 1);
    if (!c->lower || !c->exact) return false;
    for (uint32_t i = 0; i < n; i++) {
        const char *text = sb_autumn_string(c->program, i);
        c->lower[i] = sb_colour_find(text, true);
        c->exact[i] = sb_colour_find(text, false);
    }
    return true;
}

static void free_compiled(sb_autumn_compiled *c) {
    sb_autumn_unload(c->program);
    free(c->lower);
    free(c->exact);
    free(c);
}

static sb_autumn_compiled *compile(const char *text, size_t n, const char *name, sb_error *error) {
    sb_autumn_fault fault;
    sb_autumn_compiled *c = calloc(1, sizeof *c);
    if (!c) return sb_fail(error, SB_MEMORY, "out of memory for a program"), NULL;
    c->users = 1;
    c->program = sb_autumn_load(text, n, NULL, &fault);
    if (c->program && know_colours(c)) return c;
    if (c->program)
        sb_fail(error, SB_MEMORY, "out of memory for a program");
    else
        sb_autumn_fail(&fault, name, error);
    free_compiled(c);
    return NULL;
}

sb_autumn_compiled *sb_autumn_compile(const sb_autumn_task *task, sb_error *error) {
    if (task->compiled) return sb_autumn_share(task->compiled);
    return compile(task->text, strlen(task->text), task->info.name, error);
}

sb_autumn_compiled *sb_autumn_share(sb_autumn_compiled *compiled) {
    compiled->users++;
    return compiled;
}

void sb_autumn_release(sb_autumn_compiled *compiled) {
    if (compiled && --compiled->users == 0) free_compiled(compiled);
}

/* ---- Programs that users bring ---- */

/* Names of such programs are made from their content, so errors call all of them this. */
static const char nameless[] = "program";

/* Starts the program once: its first GRID_SIZE gives the shapes, and one that cannot start is no task. */
static bool measure(sb_autumn_task *task, sb_error *error) {
    sb_autumn_state *state = sb_autumn_new(task->compiled->program);
    if (!state) return sb_fail(error, SB_MEMORY, "out of memory for a program");
    bool ok = sb_autumn_start(state, SB_AUTUMN_PCG64, 0, NULL) ||
              sb_autumn_fail(sb_autumn_fault_of(state), nameless, error);
    task->side = (int32_t)sb_autumn_size(state);
    if (ok && task->side == 0)
        ok = sb_fail(error, SB_INVALID, "%s: GRID_SIZE must be from 1 to %d at the start", nameless,
                     SB_AUTUMN_SIZE_MAX);
    sb_autumn_free(state);
    return ok;
}

static void drop_program(sb_task_info *info) {
    sb_autumn_task *task = (sb_autumn_task *)info;
    sb_autumn_release(task->compiled);
    free(task);
}

static sb_task_info *read_program(const char *text, size_t n, sb_error *error) {
    char sha256[SB_SHA256_HEX];
    sb_autumn_task *task = calloc(1, sizeof *task);
    if (!task) return sb_fail(error, SB_MEMORY, "out of memory for a program"), NULL;
    sb_sha256_hex(text, n, sha256);
    memcpy(task->hash, sha256, SB_AUTUMN_HASH - 1);
    task->text = text;
    task->info = (sb_task_info){.category = "program",
                                .summary = "Find out how a program of your own works.",
                                .rules = task->hash,
                                .criterion = SB_BY_NOTHING};
    task->compiled = compile(text, n, nameless, error);
    task->draws = task->compiled && sb_autumn_draws(task->compiled->program);
    if (task->compiled && measure(task, error)) return &task->info;
    drop_program(&task->info);
    return NULL;
}

static bool is_derived(const sb_task_info *task, size_t difficulty) {
    (void)task;
    return sb_autumn_is_challenge(difficulty);
}

const sb_imports sb_autumn_imports = {.read = read_program,
                                      .drop = drop_program,
                                      .is_derived = is_derived,
                                      .how_to_derive = "`seedbed challenges -o PACK.jsonl` makes one"};
