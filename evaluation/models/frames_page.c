#include "evaluation/models/frames_page.h"

#include <stddef.h>

#include "base/error.h"
#include "base/json.h"
#include "engine/frames.h"
#include "engine/lookup.h"
#include "seedbed/picture.h"

/* Documents that the build embeds in the program (cmake/embed.cmake): evaluation/models/frames_page.css, .js */

extern const unsigned char sb_shipped_frames_style[], sb_shipped_frames_script[];
extern const size_t sb_shipped_frames_style_size, sb_shipped_frames_script_size;

static sb_page_part join(sb_out *room, const unsigned char *text, size_t n, sb_page_part own) {
    sb_put(room, (const char *)text, n), sb_put(room, own.text, own.n);
    return sb_out_ok(room) ? (sb_page_part){room->data, room->size} : own;
}

sb_page_part sb_frames_page_style(sb_out *room, sb_page_part own) {
    return join(room, sb_shipped_frames_style, sb_shipped_frames_style_size, own);
}

sb_page_part sb_frames_page_script(sb_out *room, sb_page_part own) {
    return join(room, sb_shipped_frames_script, sb_shipped_frames_script_size, own);
}

bool sb_frames_page_put_colours(sb_out *out, sb_error *error) {
    size_t n = 0;
    const sb_family *family = NULL;
    for (size_t i = 0; (family = sb_families[i]) && !(family->frames && !family->frames->colour);) i++;
    const sb_look *look = family ? sb_look_at(family, 0) : NULL;
    sb_brush *brush = look
                          ? sb_brush_make(family, look, &(sb_brush_options){.tile = 1, .indexed = look->indexed}, error)
                          : NULL;
    if (look && !brush) return false;
    const sb_rgb *colours = brush ? sb_brush_palette(brush, &n) : NULL;
    sb_put_key(out, "colours");
    sb_puts(out, "[");
    for (size_t i = 0; i < n; i++) {
        sb_put_comma(out);
        sb_putf(out, "\"#%02x%02x%02x\"", colours[i][0], colours[i][1], colours[i][2]);
    }
    sb_puts(out, "]");
    sb_brush_free(brush);
    return true;
}
