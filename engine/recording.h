/* Recordings as the published tools of a family keep them: lines of JSON, one for the start of an episode and one for
 * every action. The family knows the form; rollout/recording.h writes and reads whole recordings. */
#ifndef SB_ENGINE_RECORDING_H
#define SB_ENGINE_RECORDING_H

#include <cjson/cJSON.h>

#include "engine/frames.h"

enum { SB_PLAY_ID = 64 };

/* What a line of a recording says. */
typedef struct sb_recorded_line {
    char name[SB_NAME_MAX]; /* name of the episode, as the line has it */
    char play[SB_PLAY_ID];  /* the play of the episode that the line belongs to; empty: the line does not say */
    bool can_begin, begins; /* the line may be, or is surely, that of a start */
    bool may_follow_end;    /* nothing speaks against that the episode had ended before, so that nothing happened */
    sb_action action;       /* the action, unless the line is that of a start */
} sb_recorded_line;

/* What a line of a recording shows. */
typedef struct sb_recorded_view {
    sb_frame_standing standing;
    int32_t levels;
    uint8_t available; /* bit i: action i is on offer */
    int8_t id;         /* number of the action, as it is published */
    int16_t x, y;      /* place of a click */
} sb_recorded_view;

struct sb_recording_source {
    const char *form; /* what people call such recordings: `recording of the ARC-AGI-3 toolkit` */
    /* Whether a text begins like a line of such a recording. */
    bool (*is_one)(const char *text, size_t n);
    /* Writes a line, with its newline, for the state after the start or the last action. `play` names the play, and
     * `step` is the number of the action, 0 for the start. */
    void (*put)(const sb_env *env, const char *play, uint64_t step, sb_out *out);
    /* Whether a parsed line tells of an action; others, such as that of a scorecard, are passed over. */
    bool (*tells)(const cJSON *document);
    /* Fails if a line and the one before it, of the same play, prove that actions were lost when they were written, and
     * says by which tool. */
    bool (*keeps_actions)(const cJSON *before, const cJSON *document, sb_error *error);
    /* Reads a parsed line into a zeroed struct. */
    bool (*read)(const cJSON *document, sb_recorded_line *line, sb_error *error);
    /* Fails unless the episode, in which the line's action was just taken, is as the line says. */
    bool (*check)(const sb_env *env, const cJSON *document, sb_error *error);
    /* Gives what a parsed line shows, and its frames, whether or not its game can be played here. Fails if the line
     * does not hold frames. */
    bool (*show)(const cJSON *document, sb_recorded_view *view, const sb_frame_taker *taker, sb_error *error);
};

#endif
