#include "cli/kinds.h"

#include <string.h>

#include "base/file.h"
#include "evaluation/arena/arena.h"
#include "evaluation/result_check.h"
#include "generators/autumn/challenges/pack.h"
#include "rollout/recorded.h"

/* What the first line begins with. */
static const char *const begins[] = {[CLI_CERTIFICATES] = "{\"certificates\"",
                                     [CLI_ATLAS] = "{\"atlas\"",
                                     [CLI_RESULT] = "{\"format\": \"" SB_RESULT_FORMAT "\"",
                                     [CLI_CHALLENGES] = "{\"format\": \"" SB_AUTUMN_PACK_FORMAT "\"",
                                     [CLI_TRANSITIONS] = "{\"seedbed_transitions\"",
                                     [CLI_TAPES] = "{\"tape\""};

bool cli_find_kind(const char *path, cli_file_kind *found, sb_error *error) {
    sb_lines lines;
    sb_error ignored;
    if (sb_is_folder(path)) return *found = sb_arena_is_run(path) ? CLI_ARENA : CLI_DATASET, true;
    const bool ok = sb_lines_open(&lines, path, SB_TAPE_BYTES, error);
    const char *first = "";
    bool more = ok;
    while (more && (more = sb_lines_next(&lines, &ignored)) && sb_is_blank_line(&lines)) continue;
    if (more) first = lines.line.data;
    *found = CLI_CERTIFICATES;
    while (*found < CLI_PACK && strncmp(first, begins[*found], strlen(begins[*found])) != 0) ++*found;
    if (*found == CLI_PACK && sb_recording_of(first, strlen(first))) *found = CLI_RECORDING;
    sb_lines_close(&lines);
    return ok;
}
