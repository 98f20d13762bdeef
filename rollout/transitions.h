/* Logs of transitions: what was shown before and after every action, for models of worlds (docs/world-models.md). A log
 * is lines of JSON: a header for each play, and a line for each of its actions. Logs are written from environments of
 * families with frames (engine/frames.h), or from recordings of games that nobody here can play, and are read as a
 * whole. */
#ifndef SB_ROLLOUT_TRANSITIONS_H
#define SB_ROLLOUT_TRANSITIONS_H

#include "base/json.h"
#include "engine/environment.h"
#include "engine/frames.h"
#include "rollout/recording.h"
#include "rollout/selection.h"
#include "rollout/tape.h"

enum {
    SB_LOG_FORMAT = 1,
    SB_LOG_LINE = 64 << 20, /* bytes of a line */
    SB_LOG_BYTES = 1 << 30, /* bytes of a log that is read, unpacked */
    SB_LOG_CELLS = 1 << 30, /* cells of all frames of a log, decoded; frames that repeat the one before count once */
    SB_LOG_GAME = 128,      /* the name of an episode, or of a game that nobody here can play */
    SB_LOG_ACTION_NAME = 32,
    SB_LOG_STATE = 24
};

/* ---- What a log holds -------------------------------------------------------------------------------------------- */

typedef enum sb_transition_kind {
    SB_TRANSITION_STEP,  /* the game goes on in the same level */
    SB_TRANSITION_LEVEL, /* the action completed the level */
    SB_TRANSITION_OVER,  /* the action ended in GAME_OVER */
    SB_TRANSITION_RESET,
    SB_TRANSITION_NONE, /* no frames: after the end, or an action that was not on offer */
    SB_N_TRANSITIONS
} sb_transition_kind;

extern const char *const sb_transition_names[SB_N_TRANSITIONS]; /* `step`, `level`, `over`, `reset`, `none` */

/* An action as logs and models have it. */
typedef struct sb_log_action {
    char name[SB_LOG_ACTION_NAME]; /* name, for clicks without the place: `ACTION6`, `left` */
    int8_t id;                     /* number in published games: 0 RESET, 1 to 7; -1: the name is the id */
    bool is_click;
    int16_t x, y; /* place of a click */
} sb_log_action;

typedef struct sb_log_transition {
    size_t line; /* number of the line in the file, from 1 */
    /* number of the action, from 1 in every play (in sets of regressions: as in the log that they were taken from) */
    uint32_t t;
    int32_t level; /* level before the action, from 1 */
    sb_log_action action;
    sb_transition_kind kind;
    const uint8_t *const *frames; /* frames of the action, in order */
    uint32_t n_frames;
    const uint8_t *before, *last; /* the frame before the action, and that after it: the last one of `frames` */
    int32_t completed;            /* completed levels, after the action */
    bool full_reset;
    char state[SB_LOG_STATE];
    char sha256[SB_SHA256_HEX]; /* hash of the signs of the last frame, as the line has it */
    sb_json_part available;     /* ids on offer after the action: a list */
    sb_json_part z;             /* what an observer made of the last frame; n = 0: the line does not say */
} sb_log_transition;

/* A play: a header and the lines below it. */
typedef struct sb_log_play {
    size_t line;
    char name[SB_LOG_GAME];
    char version[SB_RULES_NAME]; /* name of the rules, as in tapes */
    bool is_recording;           /* nobody here can play the game, so it cannot be replayed */
    int32_t levels;
    sb_frame_shape shape;
    sb_json_part available, palette; /* ids on offer; names of colours (n = 0 in published shapes): lists */
    const uint8_t *start;
    const uint8_t *goal;   /* cells that do not count are SB_FRAME_ANY; NULL: the episode shows none */
    sb_json_part z, h;     /* optional keys: what somebody made of the start, and what the model carried until then */
    uint32_t action_count; /* optional: actions since the level began, before the first line; 0 */
    size_t first, n;       /* the play's transitions among those of the log */
} sb_log_play;

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* A log in memory. Starts zeroed; everything in it lives until it is closed. */
typedef struct sb_log {
    char path[1024];
    char sha256[SB_SHA256_HEX]; /* hash of the log's bytes, unpacked */
    sb_log_play *plays;
    sb_log_transition *transitions;
    size_t n_plays, n_transitions;
    struct sb_log_store *store;
} sb_log;

/* Reads a file, which may be gzip (`-`: standard input). Errors name file and line. With `hashes`, the hashes of all
 * frames are compared, and the first line that was altered is an error with SB_MISMATCH. The caller closes the log,
 * also after a failure. Cost: linear. */
bool sb_log_open(sb_log *log, const char *path, bool hashes, sb_error *error);
/* Reads a log from a text of n bytes, which must live as long as the log; `path` is for errors. */
bool sb_log_parse(sb_log *log, const char *path, const char *text, size_t n, bool hashes, sb_error *error);
void sb_log_close(sb_log *log);

/* Whether a play begins where its episode does; plays of a set of regressions may begin anywhere. */
bool sb_log_is_from_start(const sb_log *log, const sb_log_play *play);
/* Replays all plays and compares every line; fails with SB_MISMATCH at the first difference, naming the line. Plays of
 * recordings are passed over, and their number is stored in `*n_recorded`. `stop` and `progress` may be NULL; `stop` is
 * asked between plays. */
bool sb_log_replay(const sb_log *log, const sb_catalogue *catalogue, size_t *n_recorded, const sb_stop *stop,
                   void (*progress)(void *context, size_t done, size_t total), void *context, sb_error *error);

/* Whether a text begins like a log. */
bool sb_log_is_one(const char *text, size_t n);

/* ---- Parts of documents ------------------------------------------------------------------------------------------ */

/* Writes the signs of a frame: width * height characters. */
void sb_put_frame(sb_out *out, const sb_frame_shape *shape, const uint8_t *frame);
/* Reads n signs; false if they are no frame of this shape. */
bool sb_read_frame(const char *signs, size_t n, const sb_frame_shape *shape, uint8_t *frame);
void sb_frame_sha256(const sb_frame_shape *shape, const uint8_t *frame, char hex[SB_SHA256_HEX]);
/* Frames after a reset and after a completed level are written whole, others as differences. */
static inline bool sb_has_whole_frames(sb_transition_kind kind) {
    return kind == SB_TRANSITION_RESET || kind == SB_TRANSITION_LEVEL;
}
/* A longest run of changed cells in a row: those from x on, before `end`. */
typedef struct sb_frame_run {
    int32_t y, x, end;
} sb_frame_run;
/* Finds the run behind `run`, which is zeroed for the first; false: there is none. Rows come from top to bottom. */
bool sb_frame_next_run(const sb_frame_shape *shape, const uint8_t *before, const uint8_t *now, sb_frame_run *run);
/* Puts the difference of two frames: `{"d":[[y,x,"colours"],..]}`. */
void sb_put_frame_difference(sb_out *out, const sb_frame_shape *shape, const uint8_t *before, const uint8_t *now);
/* Puts an action as models get it: `{"id":6,"x":12,"y":63}`, `{"id":"left"}`. */
void sb_put_log_action(sb_out *out, const sb_log_action *action);
/* Turn an action of an environment of a family with frames into the form that logs have, and back. */
void sb_log_action_of(const sb_env *env, const sb_frame_shape *shape, sb_action action, sb_log_action *named);
bool sb_log_action_in(const sb_env *env, const sb_log_action *named, sb_action *action, sb_error *error);
/* Reads the id and the place of an action as models get it. */
bool sb_read_log_action(const cJSON *object, const sb_frame_shape *shape, sb_log_action *action, sb_error *error);
/* Puts the list of ids that an episode offers. */
void sb_put_log_available(sb_out *out, const sb_env *env, const sb_frame_shape *shape);
/* Puts the members `width`, `height` and `palette`; nothing for published shapes. */
void sb_put_log_shape(sb_out *out, const sb_log_play *play);
/* Puts the member `goal`, if there is one: signs of colours, and `?` for cells that do not count. */
void sb_put_log_goal(sb_out *out, const sb_log_play *play);

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* Puts the header of a play, and the line of a transition, each with its newline. Frames are whole after resets and
 * changes of level, else differences. */
void sb_log_put_play(sb_out *out, const sb_log_play *play);
void sb_log_put_transition(sb_out *out, const sb_log_play *play, const sb_log_transition *transition);

/* Writes the log of an episode while it is played. Starts zeroed. */
typedef struct sb_log_writer {
    sb_log_play play;
    sb_log_transition line;
    sb_out texts;   /* what the parts of the play point to */
    uint8_t *cells; /* frames: the one before, then those of the action */
    uint8_t *goal;  /* room for a goal */
    const uint8_t **frames;
    size_t capacity; /* frames that there is room for */
    int32_t level;   /* level before the next action */
} sb_log_writer;

/* Fails if a selected episode is of a family without frames, and names the family. Call it before anybody plays: within
 * a family with frames some tasks may have none, which only an episode of them can tell. */
bool sb_need_frames(const sb_selection *selection, sb_error *error);

/* Puts the header of the episode that the environment is in, at its start. Fails if such episodes have no frames. */
bool sb_log_begin(sb_log_writer *writer, const sb_env *env, sb_out *out, sb_error *error);
/* Puts the line of the action that was just taken. */
bool sb_log_add(sb_log_writer *writer, const sb_env *env, sb_action action, sb_out *out, sb_error *error);
/* The first half of sb_log_add: fills in `writer->line` and puts nothing. */
bool sb_log_step(sb_log_writer *writer, const sb_env *env, sb_action action, sb_error *error);
void sb_log_writer_free(sb_log_writer *writer);

/* Puts the log of a tape by replaying it in `env`. */
bool sb_log_put_tape(sb_log_writer *writer, sb_env *env, const sb_tape *tape, sb_out *out, sb_error *error);

/* Puts the log of a recording of a published tool, whether or not its game can be played here: `lines` are at the
 * beginning of the file. It may begin in the middle of a play. Fails with the line's number if a line has no key for
 * frames. `*n` counts plays, and `recording` tells what was left out. */
bool sb_log_put_recording(sb_lines *lines, const sb_catalogue *catalogue, sb_out *out, size_t *n,
                          sb_recording_lines *recording, sb_error *error);

#endif
