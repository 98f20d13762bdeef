/* Checking anything that this program writes, by what it is. */
#ifndef SB_CLI_VERIFY_H
#define SB_CLI_VERIFY_H

#include "cli/cli.h"

typedef struct cli_wish {
    const cli_common *common;
    uint64_t sample;
    bool again;
    const char *pack, *baseline, *certificates; /* files that results name and do not hold */
    sb_out *notes;                              /* what is no fault and worth knowing: texts, each with its NUL */
} cli_wish;

/* Checks a folder or file, and puts a line on what was checked. The error names the first fault. */
bool cli_check(const char *path, const cli_wish *wish, sb_out *said, sb_error *error);

#endif
