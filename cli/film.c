#include "cli/film.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/word.h"

bool cli_film_open(cli_film *film, const char *path, const cli_look *look, uint64_t delay, sb_error *error) {
    *film = (cli_film){.look = look, .delay = delay, .gif_bytes = sb_out_growing()};
    film->raw = cli_is_dash(path) || sb_ends_with(path, ".rgb");
    if (!film->raw && !sb_ends_with(path, ".gif"))
        return sb_fail(error, SB_INVALID,
                       "%s: a film is NAME.gif, or NAME.rgb or - for raw frames of red, green and blue",
                       sb_path_end(path));
    return cli_output_open(&film->file, path, error);
}

static bool write_raw(cli_film *film, sb_error *error) {
    const size_t size = (size_t)film->picture.width * (size_t)film->picture.height * 3;
    if (film->file.open) return sb_file_write(&film->file, film->picture.pixels, size, error);
    const sb_out frame = {.data = (char *)film->picture.pixels, .size = size, .capacity = size};
    cli_print(&frame, CLI_DATA);
    return true;
}

static bool add_frame(void *given, const sb_env *env, sb_error *error) {
    cli_film *film = given;
    if (!film->brush && !(film->brush = cli_brush_make(env->family, film->look, false, error))) return false;
    if (!sb_image_draw(&film->picture, film->brush, env, error)) return false;
    film->frames++;
    if (film->raw) return write_raw(film, error);
    if (!film->gif)
        film->gif = sb_gif_make(&film->gif_bytes, film->picture.width, film->picture.height, film->delay, error);
    return film->gif && sb_gif_add(film->gif, film->picture.pixels, error);
}

bool cli_film_add(cli_film *film, const sb_env *env, sb_error *error) {
    return cli_frames_before_last(env, add_frame, film, error) && add_frame(film, env, error);
}

static bool save(cli_film *film, sb_error *error) {
    if (!film->raw) return cli_output_save(&film->file, &film->gif_bytes, error);
    return !film->file.open || sb_file_commit(&film->file, NULL, error);
}

bool cli_film_close(cli_film *film, bool ok, sb_error *error) {
    ok = sb_gif_end(film->gif, ok, error);
    ok = ok && save(film, error);
    if (ok && film->raw)
        cli_warn("film: %zu frames of %d x %d pixels, 3 bytes each\n", film->frames, film->picture.width,
                 film->picture.height);
    sb_file_discard(&film->file);
    sb_brush_free(film->brush);
    sb_image_free(&film->picture);
    sb_out_free(&film->gif_bytes);
    return ok;
}
