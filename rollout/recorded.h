/* Reads episodes that somebody recorded, as lines of tapes: from a file of tapes, from a result of `seedbed eval`, or
 * from a recording of a published tool (rollout/recording.h). The episodes of the latter two become tapes. In all cases
 * replaying a tape shows whether it is right. */
#ifndef SB_ROLLOUT_RECORDED_H
#define SB_ROLLOUT_RECORDED_H

#include "base/file.h"
#include "rollout/recording.h"
#include "rollout/tape.h"

#define SB_RESULT_FORMAT "seedbed-result"

enum {
    SB_RESULT_BYTES = 512 << 20,   /* results that are larger are read if they take that much on disk, too */
    SB_RESULT_STEPS = 8,           /* steps that all episodes of a result may have for each of its bytes */
    SB_RESULT_MORE_STEPS = 1 << 24 /* steps that all episodes of a result may have besides */
};

/* Tells whether a text begins like a result: an object whose first key is `format`, in any layout, as other programs
 * may have written it again. */
bool sb_is_result(const char *text, size_t n);

typedef struct sb_recorded {
    const sb_catalogue *catalogue;
    char path[1024];
    const sb_out *line; /* the current tape, without its newline and with a NUL after its last byte */
    uint64_t n_lost;    /* episodes of a result so far that its agent lost. They are passed over */
    /* A file of tapes. */
    sb_lines lines;
    bool has_first; /* the file's first line was read ahead */
    /* A result. */
    cJSON *head; /* the document without its episodes; NULL: a file of tapes */
    sb_out text, made;
    sb_json_items items;
    char agent[SB_AGENT_NAME];
    uint64_t room; /* how many steps all further episodes may have */
    sb_tape tape;
    sb_recording_reader recording; /* reads a recording; lines.source is NULL: the file is none */
} sb_recorded;

/* Opens a file, which may be gzip. The caller closes it, also after a failure. */
bool sb_recorded_open(sb_recorded *recorded, const sb_catalogue *catalogue, const char *path, sb_error *error);
/* Goes to the next tape, which is then `line`. Returns false at the end (then error->code is SB_OK) and on a failure.
 * Lines of a file of tapes are not parsed. Of a result, episodes that were lost (by a crash, say) are passed over,
 * except those that only took too many steps. */
bool sb_recorded_next(sb_recorded *recorded, sb_error *error);
/* Puts what of a recording was passed over so far (sb_recording_tell_left_out); false: nothing. */
bool sb_recorded_tell_left_out(const sb_recorded *recorded, sb_out *out);
enum { SB_LEFT_OUT = 400 };
/* Writes a note of what of a recording was passed over, which begins with the path; "" if nothing was. */
void sb_recorded_note_left_out(const sb_recorded *recorded, char note[SB_LEFT_OUT]);
void sb_recorded_close(sb_recorded *recorded);

/* Reads an episode as results have it into a tape: its name, actions, digest, end and what was said, but neither agent
 * nor rules.
 * Other keys are the caller's. `room` is how many actions this and all later episodes may have. */
bool sb_recorded_read(const sb_catalogue *catalogue, const cJSON *episode, uint64_t *room, sb_tape *tape,
                      sb_error *error);

/* Makes the name of a tape's agent from the first 63 bytes of any name: letters, digits and `._-+` stay, and everything
 * else becomes `-`. Commands (`exec:...`), empty names, and names of this program's agents, which would claim that
 * those had played, become `program`. */
void sb_recorded_agent(const char *label, char agent[SB_AGENT_NAME]);

/* Actions as a text, as results hold them: numbers separated by spaces, where `number*times` repeats one. */

void sb_actions_print(const sb_action *actions, size_t n, sb_out *out);
/* Reads the text into the tape's actions. A few bytes can stand for many actions, so more than `limit` are an error. */
bool sb_actions_parse(const char *text, size_t limit, sb_tape *tape, sb_error *error);

#endif
