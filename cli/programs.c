#include "cli/programs.h"

#include "base/error.h"
#include "base/file.h"
#include "engine/lookup.h"
#include "generators/autumn/challenges/pack.h"

/* Returns the path of the first program that is this task; a later one with the same content is refused. */
static const char *twin_of(const sb_catalogue *catalogue, const cli_paths *paths, const sb_task_info *task) {
    size_t i = 0;
    while (sb_program_at(catalogue, i)->task != task) i++;
    return paths->items[i];
}

static const sb_program *program_of(const sb_catalogue *catalogue, const sb_task_info *task) {
    size_t i = 0;
    while (sb_program_at(catalogue, i)->task != task) i++;
    return sb_program_at(catalogue, i);
}

const sb_program *cli_catalogue_add_program(sb_catalogue *catalogue, const char *path, sb_error *error) {
    const sb_family *family = sb_family_of_programs();
    const sb_task_info *task;
    sb_out text = sb_out_growing();
    if (!family) return sb_fail(error, SB_INVALID, "--program: no family takes programs"), NULL;
    bool ok = sb_file_load_plain(path, SB_PROGRAM_BYTES, &text, error);
    if (ok && !sb_catalogue_add_program(catalogue, family, text.data, text.size, &task, error))
        ok = sb_fail_at(error, "%s", sb_path_end(path));
    sb_out_free(&text);
    return ok ? program_of(catalogue, task) : NULL;
}

static bool add(sb_catalogue *catalogue, const cli_paths *paths, size_t i, sb_error *error) {
    const char *path = paths->items[i];
    const sb_program *program = cli_catalogue_add_program(catalogue, path, error);
    return program && (sb_program_at(catalogue, i) ||
                       sb_fail(error, SB_INVALID, "%s and %s are the same program, %s:%s: give it once",
                               sb_path_end(twin_of(catalogue, paths, program->task)), sb_path_end(path),
                               program->family->name, program->task->name));
}

static bool put_name(void *context, const sb_name *name, sb_error *error) {
    char text[SB_NAME_MAX];
    sb_out *names = context;
    sb_name_print(name, text, sizeof text);
    sb_puts(names, text);
    sb_puts(names, "\n");
    return sb_out_ok(names) || sb_fail(error, SB_MEMORY, "out of memory for names");
}

bool cli_is_challenges(const char *path) { return sb_autumn_is_pack(path); }

bool cli_catalogue_add_pack(sb_catalogue *catalogue, const char *path, sb_out *names, sb_error *error) {
    if (!sb_autumn_pack_load(path, catalogue, names ? put_name : NULL, names, error)) return false;
    if (names) sb_putc(names, '\0');
    return !names || sb_out_ok(names) || sb_fail(error, SB_MEMORY, "out of memory for names");
}

sb_catalogue *cli_catalogue_load(const cli_common *common, sb_error *error) {
    sb_catalogue *catalogue = sb_catalogue_make(error);
    bool ok = catalogue;
    for (size_t i = 0; ok && i < common->programs.n; i++) ok = add(catalogue, &common->programs, i, error);
    if (ok) return catalogue;
    sb_catalogue_free(catalogue);
    return NULL;
}

bool cli_catalogue_add_packs(sb_catalogue *catalogue, const cli_common *common, sb_error *error) {
    bool ok = true;
    for (size_t i = 0; ok && i < common->challenges.n; i++)
        ok = cli_catalogue_add_pack(catalogue, common->challenges.items[i], NULL, error);
    return ok;
}
