/* What an agent gets, as JSON, and the toolkit's recordings of it, written and read (engine 9 and 10). */
#ifndef SB_ARC_ANSWER_H
#define SB_ARC_ANSWER_H

#include "base/json.h"
#include "base/out.h"
#include "engine/arc/loop.h"

/* One answer with all that goes around it. Texts are NULL where JSON has null. */
typedef struct sb_arc_message {
    const char *game_id;
    const char *guid;      /* id of the play */
    const char *reasoning; /* the agent's own reasoning: a JSON value, echoed */
    sb_arc_action action;
    sb_arc_answer answer;
    int32_t win_levels;
    uint8_t available; /* bit i: action i is on offer */
    bool with_frames;  /* whether the line of a recording has frames; answers always have them */
    /* Gives the answer's frames, in order; not called if there are none. */
    void (*frames)(const void *source, const sb_arc_film *film);
    const void *source;
} sb_arc_message;

extern const char *const sb_arc_action_names[SB_ARC_ACTIONS];

/* The answer that an agent gets: ids as numbers, frames after the id of the game, even if there are none. */
void sb_arc_put_answer(const sb_arc_message *message, sb_out *out);
/* A line of a recording, without its newline: ids as names, frames last and only if with_frames. `timestamp` is text in
 * ISO 8601. */
void sb_arc_put_recorded(const sb_arc_message *message, const char *timestamp, sb_out *out);

/* Reads a line of a recording, or an answer. Frames are checked but not kept: n_frames is their number, or UINT32_MAX
 * in a recording without frames. Texts live as long as the parsed document `*kept`, which the caller frees with
 * cJSON_Delete, even after a failure; reasoning is not kept. */
bool sb_arc_read_recorded(const char *text, size_t n, sb_arc_message *message, cJSON **kept, sb_error *error);
/* Reads a parsed line of a recording or a parsed answer; texts live as long as the document. */
bool sb_arc_read_message(const cJSON *document, sb_arc_message *message, sb_error *error);
/* The list of frames of a line of a recording or of an answer; NULL: it has none. */
const cJSON *sb_arc_frames_of(const cJSON *document);

#endif
