#include "cli/paths.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/out.h"
#include "cli/programs.h"

/* ---- Lists of paths ---------------------------------------------------------------------------------------------- */

bool cli_texts_add(cli_texts *texts, sb_out *text, sb_error *error) {
    sb_putc(text, '\0');
    if (!sb_out_ok(text) || !SB_GROW(texts->all, texts->n + 1, texts->capacity))
        return sb_out_free(text), sb_fail(error, SB_MEMORY, "out of memory for names");
    texts->all[texts->n++] = text->data;
    return true;
}

void cli_texts_free(cli_texts *texts) {
    for (size_t i = 0; i < texts->n; i++) free(texts->all[i]);
    free((void *)texts->all);
}

/* ---- Where paths stand ------------------------------------------------------------------------------------------- */

size_t cli_path_in(const char *text, size_t n) {
    static const char ending[] = ".sexp";
    const size_t size = sizeof ending - 1;
    for (size_t end = n; end > size; end--)
        if (strncmp(text + end - size, ending, size) == 0 && (end == n || strchr("/#", text[end]))) return end;
    return 0;
}

static bool takes_names(cli_kind kind) {
    return kind == CLI_EPISODE || kind == CLI_EPISODE_OR_FILE || kind == CLI_TASKS;
}

static bool has_path(const char *list) {
    for (size_t n; list && *list; list += n + (list[n] == ',')) {
        n = strcspn(list, ",");
        if (cli_path_in(list, n)) return true;
    }
    return false;
}

static const char **tasks_in(const cli_option *option, const void *options) {
    return option->kind == CLI_TASKS ? (const char **)((uintptr_t)options + option->at) : NULL;
}

bool cli_has_paths(const cli_command *command, const void *options, char *const *words, size_t n) {
    for (size_t i = 0; takes_names(command->arguments.kind) && i < n; i++)
        if (cli_path_in(words[i], strlen(words[i]))) return true;
    for (size_t i = 0; i < command->n_options; i++) {
        const char **tasks = tasks_in(&command->options[i], options);
        if (tasks && has_path(*tasks)) return true;
    }
    return false;
}

/* ---- Names for paths --------------------------------------------------------------------------------------------- */

/* Puts the name of a program whose path is the text's first `path` bytes, and the rest of the text; `whole`: with the
 * family before it. */
static bool put_name(sb_catalogue *catalogue, sb_out *out, const char *text, size_t path, size_t n, bool whole,
                     sb_error *error) {
    char *const file = strndup(text, path);
    const sb_program *program = file ? cli_catalogue_add_program(catalogue, file, error) : NULL;
    if (!file) sb_fail(error, SB_MEMORY, "out of memory for a path");
    free(file);
    if (!program) return false;
    if (whole) sb_putf(out, "%s:", program->family->name);
    sb_puts(out, program->task->name);
    sb_put_any(out, text + path, n - path);
    return true;
}

/* Replaces the paths in a list by names; `whole`: the list is one name of an episode. */
static bool rename_list(cli_texts *renamed, sb_catalogue *catalogue, const char **list, bool whole, sb_error *error) {
    sb_out text = sb_out_growing();
    const char *item = *list;
    for (size_t n; *item; item += n + (item[n] == ',')) {
        n = whole ? strlen(item) : strcspn(item, ",");
        const size_t path = cli_path_in(item, n);
        if (text.size) sb_puts(&text, ",");
        if (!path)
            sb_put_any(&text, item, n);
        else if (!put_name(catalogue, &text, item, path, n, whole, error))
            return sb_out_free(&text), false;
    }
    if (!cli_texts_add(renamed, &text, error)) return false;
    *list = renamed->all[renamed->n - 1];
    return true;
}

bool cli_resolve_paths(cli_texts *renamed, sb_catalogue *catalogue, const cli_command *command, void *options,
                       char **words, size_t n, sb_error *error) {
    for (size_t i = 0; takes_names(command->arguments.kind) && i < n; i++) {
        const char *word = words[i];
        if (!cli_path_in(word, strlen(word))) continue;
        if (!rename_list(renamed, catalogue, &word, true, error)) return false;
        words[i] = renamed->all[renamed->n - 1];
    }
    for (size_t i = 0; i < command->n_options; i++) {
        const char **tasks = tasks_in(&command->options[i], options);
        if (tasks && has_path(*tasks) && !rename_list(renamed, catalogue, tasks, false, error)) return false;
    }
    return true;
}
