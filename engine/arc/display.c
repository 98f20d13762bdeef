#include "engine/arc/stage.h"

static void set(sb_arc_sprite *sprite, bool visible) { sprite->visible = visible, sprite->collidable = false; }

static bool is_removed(const sb_arc_sprite *sprite) { return !sprite->visible && !sprite->collidable; }
static bool is_intangible(const sb_arc_sprite *sprite) { return sprite->visible && !sprite->collidable; }

bool sb_arc_display_turn(sb_arc_scene *pairs, size_t pair, bool on) {
    if (pair >= pairs->n / 2) return false;
    set(&pairs->sprites[2 * pair], on);
    set(&pairs->sprites[2 * pair + 1], !on);
    return true;
}

void sb_arc_display_turn_all(sb_arc_scene *pairs, uint64_t tag, bool on) {
    for (size_t i = 0; i < pairs->n / 2; i++)
        if (pairs->sprites[2 * i].tags & tag) sb_arc_display_turn(pairs, i, on);
}

/* A pair that was just made is tangible, so it cannot be turned off before it was turned on (engine 4). */
bool sb_arc_display_turn_first(sb_arc_scene *pairs, uint64_t tag, bool on) {
    for (size_t i = 0; i < pairs->n / 2; i++) {
        const sb_arc_sprite *first = &pairs->sprites[2 * i];
        if ((first->tags & tag) && (on ? is_removed(first) : is_intangible(first)))
            return sb_arc_display_turn(pairs, i, on);
    }
    return false;
}

bool sb_arc_display_is_on(const sb_arc_scene *pairs, size_t pair) {
    return pair < pairs->n / 2 && !is_removed(&pairs->sprites[2 * pair]);
}

void sb_arc_display_draw(const sb_arc_scene *pairs, uint8_t frame[SB_ARC_FRAME]) {
    for (size_t i = 0; i < pairs->n; i++)
        if (!is_removed(&pairs->sprites[i]))
            sb_arc_sprite_draw(pairs, &pairs->sprites[i], 0, 0, SB_ARC_FRAME_SIDE, SB_ARC_FRAME_SIDE, frame);
}
