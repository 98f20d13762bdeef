/* Recordings as the published tools of a family keep them (engine/recording.h): made from tapes, and made into tapes.
 */
#ifndef SB_ROLLOUT_RECORDING_H
#define SB_ROLLOUT_RECORDING_H

#include "base/file.h"
#include "engine/recording.h"
#include "rollout/tape.h"

/* The name under which the tapes of a recording say who acted: recordings do not tell. */
#define SB_RECORDING_AGENT "recording"

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* A recording that is written. */
typedef struct sb_recording {
    char play[SB_PLAY_ID];
    uint64_t step;
} sb_recording;

/* Begins the recording of a tape. The play is named after the tape, so the same tape gives the same bytes. */
void sb_recording_begin(sb_recording *recording, const sb_tape *tape);
/* Writes the line of the state that the environment is in: first that of the start, then one after every action. Fails
 * if nobody keeps recordings of such episodes. */
bool sb_recording_put(sb_recording *recording, const sb_env *env, sb_out *out, sb_error *error);

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* A recording that is read, which may hold several plays, one after the other. Starts zeroed. */
typedef struct sb_recording_reader {
    const sb_catalogue *catalogue;
    const sb_recording_source *source; /* NULL: the text is no recording */
    sb_env *env;
    cJSON *document; /* the line that was read last; `line` is what it says */
    sb_recorded_line line;
    bool is_ahead; /* that line was not played yet */
} sb_recording_reader;

/* Finds out whose recording begins with this text; NULL: nobody's. */
const sb_recording_source *sb_recording_of(const char *text, size_t n);
/* Reads the next play into a tape by playing it: what lines say of states and frames has to be what comes out.
 * `has_first` says that the recording's first line was read already, and becomes false. Returns false at the end (then
 * error->code is SB_OK) and on a failure, which is in the line that was read last. */
bool sb_recording_next(sb_recording_reader *reader, sb_lines *lines, bool *has_first, sb_tape *tape, sb_error *error);
void sb_recording_close(sb_recording_reader *reader);

#endif
