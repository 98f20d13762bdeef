#include "datasets/recipe.h"

#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "engine/lookup.h"

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

void sb_programs_print(const sb_catalogue *catalogue, sb_out *out) {
    const sb_task_info *task;
    if (!sb_program_at(catalogue, 0)) return;
    sb_put_key(out, "programs");
    sb_puts(out, "[");
    for (const sb_family *const *family = sb_families; *family; family++)
        for (size_t i = 0; (task = sb_task_at(catalogue, *family, (*family)->n_tasks + i)); i++) {
            const sb_program *program = sb_task_program(catalogue, task);
            if (program->task != task) continue;
            sb_put_comma(out);
            sb_puts(out, "{");
            sb_member_text(out, "family", (*family)->name);
            sb_member_text(out, "sha256", program->sha256);
            sb_member_text(out, "text", program->text);
            sb_puts(out, "}");
        }
    sb_puts(out, "]");
}
