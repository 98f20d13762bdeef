#include "exporters/page.h"

#include "base/error.h"
#include "base/gzip.h"
#include "exporters/shipped.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; img-src data:\">\n";

static const char player[] =
    "<div class=\"row\"><button id=\"back\" type=\"button\" aria-label=\"step back\">&#8592;</button>"
    "<button id=\"play\" type=\"button\">play</button>"
    "<button id=\"on\" type=\"button\" aria-label=\"step on\">&#8594;</button>"
    "<input id=\"at\" type=\"range\" min=\"0\" max=\"0\" value=\"0\" aria-label=\"step\">"
    "<button id=\"form\" type=\"button\" hidden>text</button></div>\n"
    "<p id=\"said\" class=\"soft\" aria-live=\"polite\"></p>\n"
    "<canvas id=\"picture\" role=\"img\" aria-label=\"the episode as a picture\" hidden></canvas>\n"
    "<pre id=\"frame\" hidden></pre>\n";

void sb_page_begin(sb_out *out, const char *title, sb_page_part style) {
    sb_puts(out, head);
    sb_puts(out, "<title>"), sb_puts(out, title), sb_puts(out, "</title>\n<style>\n");
    sb_put(out, (const char *)sb_shipped_page_style, sb_shipped_page_style_size);
    sb_put(out, style.text, style.n);
    sb_puts(out, "</style>\n</head>\n<body>\n");
}

void sb_page_player(sb_out *out, const char *playground) {
    sb_puts(out, player);
    if (playground) sb_putf(out, "<p><a id=\"own\" href=\"%s\">Play it yourself</a></p>\n", playground);
}

void sb_page_data(sb_out *out, const sb_out *data) {
    const char *at = data->data, *end = at + data->size;
    if (!sb_out_ok(data)) out->failed = true;
    sb_puts(out, "<script id=\"data\" type=\"application/json\">");
    while (at < end && sb_out_ok(data)) { /* `<` would end the element; in JSON it is in strings, where it is escaped */
        const char *next = memchr(at, '<', (size_t)(end - at));
        sb_put(out, at, (size_t)((next ? next : end) - at));
        if (next) sb_puts(out, "\\u003c");
        at = next ? next + 1 : end;
    }
    sb_puts(out, "</script>\n");
}

bool sb_page_packed_data(sb_out *out, const sb_out *data, sb_error *error) {
    sb_gzip gzip = {0};
    sb_out packed = sb_out_growing();
    const bool ok = (sb_out_ok(data) || sb_fail(error, SB_MEMORY, "out of memory for the page")) &&
                    sb_gzip_member(&gzip, 9, data->data, data->size, &packed, error);
    sb_puts(out, "<script id=\"data\" type=\"application/gzip\">");
    if (ok) sb_put_base64(out, packed.data, packed.size);
    sb_puts(out, "</script>\n");
    sb_gzip_free(&gzip);
    sb_out_free(&packed);
    return ok;
}

void sb_page_end(sb_out *out, sb_page_part script) {
    sb_puts(out, "<script>\n");
    sb_put(out, (const char *)sb_shipped_page_player, sb_shipped_page_player_size);
    sb_put(out, script.text, script.n);
    sb_puts(out, "</script>\n</body>\n</html>\n");
}

bool sb_page_put_atlas(const sb_mosaic *mosaic, const sb_brush *brush, sb_out *data, sb_error *error) {
    size_t n;
    sb_out png = sb_out_growing();
    const sb_rgb *palette = sb_brush_palette(brush, &n);
    if (!sb_mosaic_put_png(mosaic, palette, n, &png, error)) return sb_out_free(&png), false;
    sb_put_key(data, "atlas");
    sb_puts(data, "{");
    sb_member_int(data, "side", mosaic->side);
    sb_member_int(data, "columns", SB_MOSAIC_COLUMNS);
    sb_member_uint(data, "tiles", mosaic->n);
    sb_put_key(data, "png");
    sb_puts(data, "\"data:image/png;base64,");
    sb_put_base64(data, png.data, png.size);
    sb_puts(data, "\"}");
    sb_out_free(&png);
    return true;
}
