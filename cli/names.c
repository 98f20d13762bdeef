#include "cli/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"

enum { LONGEST = 1 << 30 }; /* bytes of the file: more names than a selection may have */

static size_t count_lines(const sb_out *text) {
    size_t n = 1;
    for (size_t i = 0; i < text->size; i++) n += text->data[i] == '\n';
    return n;
}

/* Ends the line that `*at` begins, moves `*at` to the next one, and returns what is left without the white ends. */
static char *next_line(char **at) {
    static const char white[] = " \t\r";
    char *line = *at + strspn(*at, white), *end = strchr(*at, '\n');
    *at = end ? end + 1 : NULL;
    if (!end) end = line + strlen(line);
    while (end > line && strchr(white, end[-1])) end--;
    *(end > line ? end : line) = '\0';
    return line;
}

bool cli_names_split(cli_names *names, const char *where, char **given, size_t n_given, sb_error *error) {
    names->n = n_given;
    sb_put(&names->text, "", 1); /* a text that was written, and not loaded, has no NUL at its end */
    if (!sb_out_ok(&names->text)) return sb_fail(error, SB_MEMORY, "out of memory for names");
    names->words = malloc((n_given + count_lines(&names->text)) * sizeof *names->words);
    if (!names->words) return sb_fail(error, SB_MEMORY, "out of memory for names");
    for (size_t i = 0; i < n_given; i++) names->words[i] = given[i];
    for (char *at = names->text.data; at;) {
        const char *name = next_line(&at);
        if (*name) names->words[names->n++] = name;
    }
    return names->n > n_given || sb_fail(error, SB_INVALID, "there is no name in %s", sb_path_end(where));
}

bool cli_names_read(cli_names *names, const char *path, char **given, size_t n_given, sb_error *error) {
    *names = (cli_names){.text = sb_out_growing()};
    return sb_file_load(path, LONGEST, &names->text, error) &&
           (cli_names_split(names, path, given, n_given, error) || sb_fail_at(error, "--names-from"));
}

void cli_names_free(cli_names *names) {
    sb_out_free(&names->text);
    free(names->words);
    *names = (cli_names){0};
}
