#include "engine/gridworld/observe/observe.h"

void sb_put_pair_text(sb_out *out, sb_xy p) {
    sb_putc(out, '"');
    sb_put_int(out, p.x);
    sb_putc(out, ',');
    sb_put_int(out, p.y);
    sb_putc(out, '"');
}

void sb_put_value(sb_out *out, sb_value value) {
    if (value.word) {
        sb_put_json_string(out, value.word);
        return;
    }
    const bool quoted = value.kind == SB_DIGITS;
    if (quoted) sb_putc(out, '"');
    sb_put_int(out, value.number);
    if (quoted) sb_putc(out, '"');
}

void sb_put_fog_cells(sb_out *out, const sb_episode *e, void (*put)(sb_out *out, sb_xy p)) {
    bool any = false;
    for (int x = 0; x < e->width; x++) {
        for (int y = 0; y < e->height; y++) {
            if (!sb_fogged(sb_peek(e, sb_at(x, y)))) continue;
            if (!any) sb_put_key(out, "fog_cells"), sb_putc(out, '[');
            any = true;
            sb_put_comma(out);
            put(out, sb_at(x, y));
        }
    }
    if (any) sb_putc(out, ']');
}

void sb_put_valid_actions(sb_out *out, const sb_episode *e) {
    const unsigned mask = sb_episode_valid(e);
    sb_put_key(out, "valid_actions");
    sb_putc(out, '[');
    for (sb_action a = 0; a < SB_N_ACTIONS; a++) {
        if (!(mask >> a & 1)) continue;
        sb_put_comma(out);
        sb_put_json_string(out, sb_action_names[a]);
    }
    sb_putc(out, ']');
}

void sb_put_vitals(sb_out *out) {
    sb_member_double(out, "energy", 1.0);
    sb_member_double(out, "health", 1.0);
}
