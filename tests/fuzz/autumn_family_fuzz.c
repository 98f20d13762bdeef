/* Takes the input up to the first NUL as a program that a user brings, and the rest as actions, two bytes each. A
 * program that is refused has a reason, the same each time. One that is taken becomes a task: every action can be
 * printed and read back, a copy goes the same way, all texts, arrays and pictures can be made in every state, and a
 * fault ends the episode with a reason. Programs run with small limits: the linker puts __wrap_sb_autumn_load in place
 * of sb_autumn_load (tests/fuzz/CMakeLists.txt). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/autumn/autumn.h"
#include "engine/environment.h"
#include "engine/lookup.h"
#include "seedbed/picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STEPS = 24, CELLS = 1 << 16 };

sb_autumn_program *__real_sb_autumn_load(const char *text, size_t n, const sb_autumn_options *options,
                                         sb_autumn_fault *fault);
sb_autumn_program *__wrap_sb_autumn_load(const char *text, size_t n, const sb_autumn_options *options,
                                         sb_autumn_fault *fault);

sb_autumn_program *__wrap_sb_autumn_load(const char *text, size_t n, const sb_autumn_options *options,
                                         sb_autumn_fault *fault) {
    const sb_autumn_options small = {
        .difficulty = options ? options->difficulty : 0, /* of a world; the family has no other options */
        .limits = {.evaluations = 20000, .values = 1 << 15, .nesting = 600, .cells = 2000}};
    return __real_sb_autumn_load(text, n, &small, fault);
}

static void check_refusal(const sb_error *error) {
    if (error->code == SB_OK || !error->text[0] || strchr(error->text, '\n')) abort();
}

/* Makes everything that can be shown; equal states show the same. */
static void show(const sb_env *env, const sb_brush *brush, uint8_t *room, sb_out *text) {
    const sb_array *array;
    sb_out_clear(text);
    for (size_t i = 0; i < env->family->n_modes; i++) env->family->observe(env, &env->family->modes[i], text);
    for (size_t i = 0; (array = sb_array_at(env->family, i)); i++)
        sb_put(text, (const char *)room, sb_observe_array(env, array, room, CELLS));
    const size_t n = sb_observe_array(env, sb_brush_array(brush), room, CELLS);
    if (n == 0 || n > CELLS || !sb_out_ok(text)) abort();
    sb_put(text, (const char *)room, n);
}

static void check_name(const sb_env *env, sb_action action) {
    char name[64];
    sb_action read;
    sb_error error;
    sb_action_name(env, action, name, sizeof name);
    if (!sb_action_parse(env, name, &read, &error) || read != action) abort();
}

static void check_end(const sb_env *env) {
    char why[200];
    if (!env->status.fault) return;
    sb_fault_text(env, why, sizeof why);
    if (!env->status.done || !why[0]) abort();
}

static void check_equal(const sb_env *a, const sb_env *b) {
    uint64_t one[2], other[2];
    sb_key(a, one), sb_key(b, other);
    if (memcmp(one, other, sizeof one) != 0) abort();
}

static void play(sb_env *env, sb_env *copy, const sb_brush *brush, const uint8_t *actions, size_t n) {
    static uint8_t room[CELLS];
    sb_out shown = sb_out_growing(), again = sb_out_growing();
    sb_error error;
    sb_result result, same;
    for (size_t i = 0; i < STEPS && !env->status.done; i++) {
        const unsigned number = n >= 2 ? actions[2 * i % (n - 1)] | (unsigned)actions[2 * i % (n - 1) + 1] << 8
                                       : (unsigned)i;
        const sb_action action = (sb_action)(number % (unsigned)env->n_actions);
        check_name(env, action);
        if (!sb_copy(copy, env, &error)) abort();
        check_equal(env, copy);
        if (!sb_step(env, action, &result, &error) || !sb_step(copy, action, &same, &error)) abort();
        if (result.fault != same.fault || result.truncated || result.success) abort();
        check_equal(env, copy);
        check_end(env);
        show(env, brush, room, &shown), show(copy, brush, room, &again);
        if (shown.size != again.size || memcmp(shown.data, again.data, shown.size) != 0) abort();
    }
    sb_out_free(&shown), sb_out_free(&again);
}

/* Begins an episode of each variant; a start that fails has a reason. */
static void play_variants(const sb_catalogue *catalogue, const sb_task_info *task, const sb_brush *brush,
                          const uint8_t *actions, size_t n) {
    sb_error error;
    sb_env *env = sb_make(catalogue, NULL, &error), *copy = sb_make(catalogue, NULL, &error);
    if (!env || !copy) abort();
    for (int variant = 0; variant < 2; variant++) {
        char name[SB_NAME_MAX];
        snprintf(name, sizeof name, "autumn:%s%s#%zu", task->name, variant ? "/published" : "", n);
        if (!sb_reset(env, name, &error))
            check_refusal(&error);
        else
            play(env, copy, brush, actions, n);
    }
    sb_free(env), sb_free(copy);
}

static void check_added_again(sb_catalogue *catalogue, const sb_family *family, const char *text, size_t n,
                              const sb_task_info *task) {
    const sb_task_info *again;
    sb_error error;
    if (!sb_catalogue_add_program(catalogue, family, text, n, &again, &error) || again != task) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    const uint8_t *nul = memchr(data, '\0', size);
    const size_t n = nul ? (size_t)(nul - data) : size, rest = nul ? size - n - 1 : 0;
    const sb_task_info *task;
    sb_error error, other;
    const sb_family *family = sb_family_find("autumn", &error);
    sb_catalogue *catalogue = sb_catalogue_make(&error);
    sb_brush *brush = sb_brush_make(family, sb_look_at(family, 0), &(sb_brush_options){.tile = 1, .indexed = true},
                                    &error);
    if (!catalogue || !brush) abort();
    if (!sb_catalogue_add_program(catalogue, family, text, n, &task, &error)) {
        check_refusal(&error);
        if (sb_catalogue_add_program(catalogue, family, text, n, NULL, &other)) abort();
        if (strcmp(error.text, other.text) != 0 || sb_program_at(catalogue, 0)) abort();
    } else {
        check_added_again(catalogue, family, text, n, task);
        /* Starts of worlds may be searched for as long as these say; autumn_fuzz plays worlds. */
        if (!family->difficulties_of(task))
            play_variants(catalogue, task, brush, nul ? nul + 1 : data, nul ? rest : size);
    }
    sb_brush_free(brush);
    sb_catalogue_free(catalogue);
    return 0;
}
