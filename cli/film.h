/* Films of episodes: an animated GIF, or raw frames for other programs. */
#ifndef SB_CLI_FILM_H
#define SB_CLI_FILM_H

#include "cli/drawing.h"
#include "exporters/gif.h"

typedef struct cli_film {
    const char *path;
    const cli_look *look;
    uint64_t delay; /* milliseconds a frame */
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
/* Adds what the environment shows: one frame, or all frames of its last action. All are of one episode. */
bool cli_film_add(cli_film *film, const sb_env *env, sb_error *error);
/* Gives the file its name if `ok`, and says on standard error what raw frames are; frees everything. Returns `ok`, or
 * false if this fails. */
bool cli_film_close(cli_film *film, bool ok, sb_error *error);

#endif
