/* What a file or folder of this program is. */
#ifndef SB_CLI_KINDS_H
#define SB_CLI_KINDS_H

#include <stdbool.h>

#include "seedbed.h"

typedef enum cli_file_kind {
    CLI_DATASET,
    CLI_ARENA,
    CLI_CERTIFICATES,
    CLI_ATLAS,
    CLI_RESULT,
    CLI_CHALLENGES,
    CLI_TRANSITIONS,
    CLI_TAPES,
    CLI_PACK,
    CLI_RECORDING
} cli_file_kind;

/* Results and files of lines say at once what they are; any other file should be a pack, and any folder that is no run
 * of an arena a dataset. Fails if there is nothing that can be read. */
bool cli_find_kind(const char *path, cli_file_kind *found, sb_error *error);

#endif
