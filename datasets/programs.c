#include "datasets/recipe.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "engine/lookup.h"
#include "rollout/recorded.h"

static bool read_program(const cJSON *item, sb_catalogue *catalogue, sb_error *error) {
    static const char *const keys[] = {"family", "sha256", "text", NULL};
    const char *name, *text, *said = NULL;
    char sha256[SB_SHA256_HEX];
    if (!cJSON_IsObject(item)) return sb_fail(error, SB_INVALID, "a program should be a JSON object");
    if (!sb_json_known_keys(item, keys, error) || !sb_json_string(item, "family", &name, error) ||
        !sb_json_optional_string(item, "sha256", &said, error) || !sb_json_string(item, "text", &text, error))
        return false;
    sb_sha256_hex(text, strlen(text), sha256);
    if (said && strcmp(said, sha256) != 0)
        return sb_fail(error, SB_MISMATCH, "the text was altered: its SHA-256 is not key `sha256`");
    const sb_family *family = sb_family_find(name, error);
    return family && sb_catalogue_add_program(catalogue, family, text, strlen(text), NULL, error);
}

sb_catalogue *sb_programs_read(const cJSON *list, sb_error *error) {
    const cJSON *item;
    size_t i = 0;
    if (!cJSON_IsArray(list)) return sb_fail(error, SB_INVALID, "key `programs` should be a list"), NULL;
    sb_catalogue *catalogue = sb_catalogue_make(error);
    if (!catalogue) return NULL;
    cJSON_ArrayForEach(item, list) {
        if (!read_program(item, catalogue, error)) {
            sb_catalogue_free(catalogue);
            return sb_fail_at(error, "programs[%zu]", i), NULL;
        }
        i++;
    }
    return catalogue;
}

/* ---- Which ones are used ---- */

/* The place of a program in the catalogue. */
static size_t place_of(const sb_catalogue *catalogue, const sb_program *program) {
    size_t k = 0;
    while (sb_program_at(catalogue, k) != program) k++;
    return k;
}

static bool is_used(const sb_recipe *recipe, const sb_program *program) {
    const size_t k = place_of(recipe->selection.catalogue, program);
    return !recipe->knows_used || (recipe->used[k / 64] >> k % 64 & 1);
}

static void use(sb_recipe *recipe, const sb_family *family, size_t task) {
    const sb_catalogue *catalogue = recipe->selection.catalogue;
    const sb_program *program = sb_task_program(catalogue, sb_task_at(catalogue, family, task));
    if (!program) return;
    const size_t k = place_of(catalogue, program);
    recipe->used[k / 64] |= (uint64_t)1 << k % 64;
}

/* Notes the program of a tape's episode. What is wrong with the tape is found again by whoever reads it. */
static void use_of_tape(sb_recipe *recipe, const sb_out *line) {
    static const char key[] = "\"name\": \"";
    const char *name = strstr(line->data, key), *end = name ? strchr(name + strlen(key), '"') : NULL;
    char text[SB_NAME_MAX];
    sb_name found;
    sb_resolved of;
    sb_error ignored;
    if (!end) return;
    snprintf(text, sizeof text, "%.*s", (int)(end - name - (ptrdiff_t)strlen(key)), name + strlen(key));
    if (sb_resolve_text(recipe->selection.catalogue, text, &found, &of, &ignored))
        use(recipe, of.family, of.task_index);
}

static void use_of_tapes(sb_recipe *recipe, const char *path) {
    sb_recorded tapes;
    sb_error ignored;
    if (sb_recorded_open(&tapes, recipe->selection.catalogue, path, &ignored))
        while (sb_recorded_next(&tapes, &ignored)) use_of_tape(recipe, tapes.line);
    sb_recorded_close(&tapes);
}

void sb_recipe_find_programs(sb_recipe *recipe) {
    sb_section sections[SB_SECTIONS_MAX];
    const size_t n = sb_recipe_sections(recipe, sections);
    const char *const tapes = sb_casting_tapes(&recipe->casting);
    if (recipe->knows_used || recipe->programs || !sb_program_at(recipe->selection.catalogue, 0)) return;
    for (size_t i = 0; i < n; i++) {
        sb_request_tasks asked = {0};
        sb_request_list_tasks(&sections[i].request, &asked);
        for (size_t k = 0; k < SB_TASKS_MAX; k++)
            if (asked.task[k]) use(recipe, asked.family, k);
    }
    if (tapes && *tapes) use_of_tapes(recipe, tapes);
    recipe->knows_used = true;
}

void sb_programs_print(const sb_recipe *recipe, sb_out *out) {
    const sb_catalogue *catalogue = recipe->selection.catalogue;
    const sb_task_info *task;
    size_t n = 0;
    for (const sb_family *const *family = sb_families; *family; family++)
        for (size_t i = 0; (task = sb_task_at(catalogue, *family, (*family)->n_tasks + i)); i++) {
            const sb_program *program = sb_task_program(catalogue, task);
            if (program->task != task || !is_used(recipe, program)) continue;
            if (n++ == 0) sb_put_key(out, "programs"), sb_puts(out, "[");
            sb_put_comma(out);
            sb_puts(out, "{");
            sb_member_text(out, "family", (*family)->name);
            sb_member_text(out, "sha256", program->sha256);
            sb_member_text(out, "text", program->text);
            sb_puts(out, "}");
        }
    if (n) sb_puts(out, "]");
}
