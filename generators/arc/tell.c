#include "generators/arc/games.h"

void sb_arc_tell_thing(sb_out *out, const sb_arc_level *level, const char *name, int cell, int layer) {
    if (cell == SB_ARC_NOWHERE) return;
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_text(out, "name", name);
    sb_member_int(out, "x", sb_arc_x(level, cell));
    sb_member_int(out, "y", sb_arc_y(level, cell));
    sb_member_int(out, "layer", layer);
    sb_puts(out, "}");
}

void sb_arc_tell_bits(sb_out *out, const char *key, unsigned bits, int n) {
    sb_put_key(out, key);
    sb_puts(out, "[");
    for (int i = 0; i < n; i++) {
        sb_put_comma(out);
        sb_puts(out, bits >> i & 1 ? "true" : "false");
    }
    sb_puts(out, "]");
}

void sb_arc_tell_numbers(sb_out *out, const char *key, const uint8_t *numbers, int n) {
    sb_put_key(out, key);
    sb_puts(out, "[");
    for (int i = 0; i < n; i++) {
        sb_put_comma(out);
        sb_put_int(out, numbers[i]);
    }
    sb_puts(out, "]");
}

void sb_arc_tell_rows(sb_out *out, const char *key, const uint8_t *cells, int width, int height) {
    sb_put_key(out, key);
    sb_puts(out, "[");
    for (int y = 0; y < height; y++) {
        sb_put_comma(out);
        sb_puts(out, "\"");
        for (int x = 0; x < width; x++) sb_putc(out, (char)('0' + cells[y * width + x]));
        sb_puts(out, "\"");
    }
    sb_puts(out, "]");
}
