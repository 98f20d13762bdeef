/* The part of a task's page about what a grid shows: glyphs of the mode `ascii`, and metadata. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/task_page.h"
#include "seedbed/gridworld.h"

enum { GLYPHS = 48, GLYPH = 96, FROM = -1 /* fog */, VALUES = 512 };

#define LEGEND "--- Legend ---\n"

typedef struct seen {
    char glyphs[GLYPHS][GLYPH]; /* lines of legends, in the order in which they were seen */
    size_t n_glyphs;
    bool occurs[SB_N_OBJECTS], has_value[SB_N_OBJECTS][VALUES]; /* of metadata, from FROM on */
    const sb_mode *mode;
    sb_out text;
} seen;

static void add_glyph(seen *s, const char *line, size_t n) {
    for (size_t i = 0; i < s->n_glyphs; i++)
        if (strncmp(s->glyphs[i], line, n) == 0 && !s->glyphs[i][n]) return;
    if (s->n_glyphs == GLYPHS || n >= GLYPH) return;
    memcpy(s->glyphs[s->n_glyphs], line, n);
    s->glyphs[s->n_glyphs++][n] = '\0';
}

static void add_legend(seen *s, const sb_env *env) {
    sb_out_clear(&s->text);
    env->family->observe(env, s->mode, &s->text);
    sb_putc(&s->text, '\0');
    const char *line = s->text.failed ? NULL : strstr(s->text.data, LEGEND);
    if (!line) return;
    for (line += strlen(LEGEND); *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (*line != '\n') add_glyph(s, line, strcspn(line, "\n"));
}

static bool look(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    seen *s = context;
    sb_entity entities[SB_CELLS_MAX];
    const size_t n = sb_entities(env, entities, SB_CELLS_MAX);
    (void)action, (void)result;
    for (size_t i = 0; i < n; i++) {
        const int32_t value = entities[i].metadata - FROM;
        s->occurs[entities[i].object] = true;
        if (value >= 0 && value < VALUES) s->has_value[entities[i].object][value] = true;
    }
    add_legend(s, env);
    return !s->text.failed || sb_fail(error, SB_MEMORY, "out of memory");
}

static void put_glyphs(sb_out *out, const seen *s) {
    sb_puts(out, "\n## Glyphs\n\n```\n");
    for (size_t i = 0; i < s->n_glyphs; i++) sb_putf(out, "%s\n", s->glyphs[i]);
    sb_puts(out, "```\n");
}

/* Puts the numbers that are there: `0, 10..12`. */
static void put_values(sb_out *out, const bool has[VALUES]) {
    bool has_any = false;
    for (int first = 0, last; first < VALUES; first = last + 1) {
        last = first;
        if (!has[first]) continue;
        while (last + 1 < VALUES && has[last + 1]) last++;
        sb_putf(out, "%s%d", has_any ? ", " : "", first + FROM);
        if (last > first) sb_putf(out, "%s%d", last > first + 1 ? ".." : ", ", last + FROM);
        has_any = true;
    }
}

static void put_metadata(sb_out *out, const seen *s) {
    sb_puts(out, "\n| object | code | metadata that occurred |\n|---|---|---|\n");
    for (int object = SB_NONE + 1; object < SB_N_OBJECTS; object++) {
        if (!s->occurs[object]) continue;
        sb_putf(out, "| %s | %d | ", sb_object_name((sb_object)object), object);
        put_values(out, s->has_value[object]);
        sb_puts(out, " |\n");
    }
}

bool cli_put_task_cells(sb_out *out, cli_task *task, sb_error *error) {
    bool ok = true, has_object = false;
    if (!sb_worker_open(&task->worker, error)) return false;
    if (!sb_grid_size(task->worker.env).x) return true;
    seen *s = calloc(1, sizeof *s);
    if (!s) return sb_fail(error, SB_MEMORY, "out of memory");
    s->text = sb_out_growing(), s->mode = &task->family->modes[0];
    for (size_t i = 0; ok && i < task->family->n_difficulties; i++) {
        const sb_name name = cli_task_name(task, i, 0);
        ok = sb_worker_play(&task->worker, NULL, &name, look, s, error);
    }
    if (ok) put_glyphs(out, s);
    for (int object = 0; object < SB_N_OBJECTS; object++) has_object |= s->occurs[object];
    if (ok && has_object) put_metadata(out, s);
    sb_out_free(&s->text);
    free(s);
    return ok;
}
