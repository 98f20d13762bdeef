/* Checking anything that this program writes. */
#ifndef SB_CLI_VERIFY_H
#define SB_CLI_VERIFY_H

#include "base/stop.h"
#include "cli/command.h"

typedef struct cli_verify_options {
    cli_common common;
    uint64_t sample;
    bool again;
    const char *pack, *baseline, *certificates; /* files that results name and do not hold */
    const char *tokenizer, *python;             /* programs that count tokens of datasets again */
    /* The pack that challenges were kept apart from; used with `again`. */
    const char *apart_from;
    const sb_stop *stop; /* may be NULL; no option of the command */
} cli_verify_options;

/* Checks a folder or file by its kind. `said` gets a line on what was checked, `notes` what is no fault but worth
 * knowing: texts, each with its NUL. The error names the first fault. */
bool cli_check(const char *path, const cli_verify_options *options, sb_out *said, sb_out *notes, sb_error *error);

#endif
