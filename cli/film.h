/* Films of episodes: an animated GIF, or raw frames for other programs. */
#ifndef SB_CLI_FILM_H
#define SB_CLI_FILM_H

#include "cli/drawing.h"
#include "engine/environment.h"
#include "exporters/image.h"

typedef struct cli_film {
    const cli_look *look;
    uint64_t delay; /* milliseconds that a frame is shown */
    bool raw;       /* frames of red, green and blue, one after another */
    sb_file file;   /* not open for `-`, standard output */
    sb_brush *brush;
    sb_image picture;
    sb_out gif_bytes;
    sb_gif *gif;
    size_t frames;
} cli_film;

/* Opens the file: `NAME.gif`, or `NAME.rgb` or `-` for raw frames. Any other name is an error. */
bool cli_film_open(cli_film *film, const char *path, const cli_look *look, uint64_t delay, sb_error *error);
/* Adds what the environment shows: one frame, or all frames of its last action. All frames of a film are of one
 * episode. */
bool cli_film_add(cli_film *film, const sb_env *env, sb_error *error);
/* Gives the file its name if `ok`, and says on standard error what raw frames are; frees everything. Returns `ok`, or
 * false if closing fails. */
bool cli_film_close(cli_film *film, bool ok, sb_error *error);

/* ---- Worlds in which an action shows several frames: all of them, one after another, for people ---- */

enum { CLI_FRAME_MS = 200 /* milliseconds a frame: as in the published toolkit, unless the user says otherwise */ };

/* Shows one frame of an action; the action's other frames follow or went before. */
typedef bool (*cli_frame_show)(void *context, const sb_env *env, sb_error *error);

int32_t cli_n_frames(const sb_env *env);
/* Shows all frames of the last action but the last one, which is what `env` shows anyway. */
bool cli_frames_before_last(const sb_env *env, cli_frame_show show, void *context, sb_error *error);

#endif
