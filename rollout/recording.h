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

/* The lines that tell of actions, one after the other, with what was passed over between them. Starts zeroed. */
typedef struct sb_recording_lines {
    const sb_recording_source *source; /* NULL: the text is no recording */
    cJSON *document;                   /* the line that was read last */
    sb_recorded_line line;             /* what the line that was read last says */
    size_t n_blank, n_early;           /* blank lines, and those before the first frame of a log */
    size_t n_others, first_other;      /* lines that tell of no action, and the number of the first */
    size_t cut;                        /* the number of the last line, if only a part of it was written; else 0 */
} sb_recording_lines;

/* Finds out whose recording begins with this text; NULL: nobody's. */
const sb_recording_source *sb_recording_of(const char *text, size_t n);
/* Whether there is nothing but spaces in the line that the lines are at. */
bool sb_is_blank_line(const sb_lines *lines);
/* Reads the next line that tells of an action; `*has_line` says that the file's next line was read already, and becomes
 * false. Returns false at the end (then error->code is SB_OK) and on a failure, which is in the line that was read
 * last. */
bool sb_recording_next_line(sb_recording_lines *r, sb_lines *lines, bool *has_line, sb_error *error);
/* Puts what was left out, such as `left out: 2 blank lines, and line 57, of which only a part was written`; false:
 * nothing was. */
bool sb_recording_tell_left_out(const sb_recording_lines *r, sb_out *out);
void sb_recording_lines_close(sb_recording_lines *r);

/* A recording that is read, which may hold several plays, one after the other. Starts zeroed. */
typedef struct sb_recording_reader {
    const sb_catalogue *catalogue;
    sb_recording_lines lines;
    sb_env *env;
    bool is_ahead; /* the line that was read last was not played yet */
} sb_recording_reader;

/* Reads the next play into a tape by playing it: what lines say of states and frames has to be what comes out.
 * `has_first` says that the recording's first line was read already, and becomes false. Returns false at the end (then
 * error->code is SB_OK) and on a failure, which is in the line that was read last. */
bool sb_recording_next(sb_recording_reader *reader, sb_lines *lines, bool *has_first, sb_tape *tape, sb_error *error);
void sb_recording_close(sb_recording_reader *reader);

#endif
