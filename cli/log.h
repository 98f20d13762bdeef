/* Logs of transitions that commands write beside what they do: --log FILE. */
#ifndef SB_CLI_LOG_H
#define SB_CLI_LOG_H

#include "base/gzip.h"
#include "cli/command.h"
#include "rollout/transitions.h"

#define CLI_LOG_OPTION(type, member)                                                                                   \
    CLI_ROW("log", 0, "FILE", "write all transitions, for models of worlds (arc, autumn; FILE.gz: compressed)",        \
            CLI_TEXT(type, member, CLI_OUTPUT))

/* A log that is being written. Starts zeroed. */
typedef struct cli_log {
    const char *path; /* NULL: none */
    sb_file file;
    sb_log_writer writer;
    sb_env *env; /* replays tapes */
    sb_out text; /* the log of the last tape */
    bool packs;  /* the name says that the file is compressed */
    sb_gzip gzip;
    sb_out packed; /* the last text, compressed */
} cli_log;

/* Opens the file; does nothing without a path. Fails if an episode of the selection has no frames; without a selection
 * (NULL) that shows when an episode is logged. */
bool cli_log_open(cli_log *log, const char *path, const sb_catalogue *catalogue, const sb_selection *selection,
                  sb_error *error);
/* Writes the log of a tape, by replaying it; does nothing without a path. */
bool cli_log_tape(cli_log *log, const sb_tape *tape, sb_error *error);
/* Writes text that is a log already. */
bool cli_log_text(cli_log *log, const sb_out *text, sb_error *error);
/* Gives the file its name if all went well, else removes it. */
bool cli_log_close(cli_log *log, bool ok, sb_error *error);

/* Warns of what was left out of a recording, if anything was. */
void cli_warn_left_out(const char *path, const sb_recording_lines *recording);

#endif
