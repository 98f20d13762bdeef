#include "cli/kinds.h"

#include <string.h>

#include "base/file.h"
#include "evaluation/arena/arena.h"
#include "generators/autumn/challenges/pack.h"
#include "rollout/recorded.h"

/* What the first line begins with. A result need not have lines. */
static const char *const begins[] = {[CLI_CERTIFICATES] = "{\"certificates\"",
                                     [CLI_ATLAS] = "{\"atlas\"",
                                     [CLI_CHALLENGES] = ("{\"format\": \"" SB_AUTUMN_PACK_FORMAT "\""),
                                     [CLI_TRANSITIONS] = "{\"seedbed_transitions\"",
                                     [CLI_TAPES] = "{\"tape\""};

static cli_file_kind kind_of_line(const char *first) {
    for (cli_file_kind kind = CLI_CERTIFICATES; kind < CLI_PACK; kind++)
        if (begins[kind] && strncmp(first, begins[kind], strlen(begins[kind])) == 0) return kind;
    return sb_recording_of(first, strlen(first)) ? CLI_RECORDING : CLI_PACK;
}

static cli_file_kind look(sb_lines *lines) {
    size_t n;
    sb_error ignored;
    const char *begin = sb_lines_peek(lines, &n, &ignored);
    if (sb_is_result(begin, n)) return CLI_RESULT;
    bool more;
    while ((more = sb_lines_next(lines, &ignored)) && sb_is_blank_line(lines)) continue;
    return kind_of_line(more ? lines->line.data : "");
}

bool cli_find_kind(const char *path, cli_file_kind *found, sb_error *error) {
    sb_lines lines;
    if (sb_is_folder(path)) return *found = sb_arena_is_run(path) ? CLI_ARENA : CLI_DATASET, true;
    const bool ok = sb_lines_open(&lines, path, SB_TAPE_BYTES, error);
    if (ok) *found = look(&lines);
    sb_lines_close(&lines);
    return ok;
}
