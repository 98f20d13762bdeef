#include "engine/gridworld/picture/signs.h"

/* Where the numbers of sb_appearance.meaning begin, in objects whose metadata has several kinds of meaning. */
enum { OPEN = 4 /* open doors */, UNKNOWN_CLUE = 40, OTHER_KIND = 16, BYTE = 255 };

static int within(int value, int most) { return value < 0 ? 0 : value > most ? most : value; }

static int color(int m) { return m >= 0 && m < SB_N_COLORS ? m : 0; }

static int switch_meaning(int m) { return sb_switch_is_on(m) ? SB_SWITCH_ON : within(m, SB_SWITCH_ON - 1); }

static int box_meaning(int m) { return within(m, 2 * SB_BOX_AT_HOME - 1); }

static int target_meaning(int m) { return sb_target_is_numbered(m) || sb_target_is_typed(m) ? within(m, BYTE) : 0; }

static int scroll_meaning(int m) {
    if (m <= 0) return 0;
    return sb_clue_direction(m) < SB_NOWHERE ? m : UNKNOWN_CLUE + sb_clue_distance(m);
}

/* Of NPCs and enemies, texts name the low four bits, and some texts only if there are no others; 0 to 3 also face a
 * side. */
static int npc_meaning(int m) {
    const int low = m & 15;
    if (m >= SB_NORTH && m <= SB_NPC_CONTRARIAN) return m;
    const bool is_named = low == SB_NPC_FOLLOWER || (low >= SB_NPC_FEARFUL && low <= SB_NPC_CONTRARIAN);
    return is_named ? OTHER_KIND + low : SB_NPC_CONTRARIAN + 1;
}

static int enemy_meaning(int m) {
    const int low = m & 15;
    if (m >= SB_NORTH && m <= SB_WEST) return m;
    return low <= SB_WEST ? OTHER_KIND + low : SB_WEST + 1;
}

static int sheep_meaning(int m) { return m >= SB_NORTH && m <= SB_WEST ? m : SB_NORTH; }

static int meaning_of(int object, int m) {
    switch (object) {
    case SB_KEY: return color(m);
    case SB_DOOR: return color(sb_door_color(m)) + (sb_door_is_open(m) ? OPEN : 0);
    case SB_SWITCH: return switch_meaning(m);
    case SB_BOX: return box_meaning(m);
    case SB_TARGET: return target_meaning(m);
    case SB_RESOURCE: return within(m, BYTE);
    case SB_NPC: return npc_meaning(m);
    case SB_ENEMY: return enemy_meaning(m);
    case SB_SHEEP: return sheep_meaning(m);
    case SB_LEVER: return sb_lever_is_on(m);
    case SB_SCROLL: return scroll_meaning(m);
    default: return 0;
    }
}

/* ---- Signs and numbers ---- */

typedef struct mark {
    int sign, number;
} mark;

static mark plain(int sign) { return (mark){sign, SB_NO_NUMBER}; }

static mark switch_mark(int meaning) {
    if (meaning == SB_SWITCH_OFF) return plain(SB_SIGN_SWITCH_OFF);
    return meaning == SB_SWITCH_ON ? plain(SB_SIGN_SWITCH_ON) : (mark){SB_SIGN_SWITCH_NUMBER, meaning};
}

static mark box_mark(int meaning) {
    const int number = sb_box_number(meaning);
    return (mark){sb_box_is_home(meaning) ? SB_SIGN_BOX_HOME : SB_SIGN_BOX, number ? number : SB_NO_NUMBER};
}

static mark target_mark(int meaning) {
    if (sb_target_is_numbered(meaning)) return (mark){SB_SIGN_SLOT, sb_target_number(meaning)};
    if (!sb_target_is_typed(meaning)) return plain(SB_SIGN_TARGET);
    return (mark){meaning == SB_BOX ? SB_SIGN_TYPED_BOX : SB_SIGN_TYPED_GEM + meaning - SB_GEM, meaning};
}

static mark scroll_mark(int meaning) {
    if (meaning == 0) return plain(SB_SIGN_SCROLL);
    if (meaning >= UNKNOWN_CLUE) return (mark){SB_SIGN_CLUE_UNKNOWN, meaning - UNKNOWN_CLUE};
    return (mark){SB_SIGN_CLUE + sb_clue_direction(meaning), sb_clue_distance(meaning)};
}

/* Directions are the first four meanings. */
static mark mover_mark(int sign, int other, int meaning) {
    return meaning <= SB_WEST ? plain(sign + meaning) : (mark){other, meaning};
}

static mark mark_of(int object, int meaning) {
    static const uint8_t signs[SB_N_OBJECTS] = {[SB_GOAL] = SB_SIGN_GOAL,       [SB_TOOL] = SB_SIGN_TOOL,
                                                [SB_GEM] = SB_SIGN_GEM,         [SB_BREADCRUMB] = SB_SIGN_BREADCRUMB,
                                                [SB_BLOCKER] = SB_SIGN_BLOCKER, [SB_POTION] = SB_SIGN_POTION,
                                                [SB_COIN] = SB_SIGN_COIN,       [SB_ORB] = SB_SIGN_ORB};
    switch (object) {
    case SB_KEY: return plain(SB_SIGN_KEY + meaning);
    case SB_DOOR: return plain(SB_SIGN_DOOR + meaning); /* open doors follow the closed ones */
    case SB_SWITCH: return switch_mark(meaning);
    case SB_BOX: return box_mark(meaning);
    case SB_TARGET: return target_mark(meaning);
    case SB_RESOURCE: return (mark){SB_SIGN_RESOURCE + within(meaning / 25, 4), meaning};
    case SB_NPC: return mover_mark(SB_SIGN_NPC, SB_SIGN_NPC_NUMBER, meaning);
    case SB_ENEMY: return mover_mark(SB_SIGN_ENEMY, SB_SIGN_ENEMY_NUMBER, meaning);
    case SB_SHEEP: return plain(SB_SIGN_SHEEP + meaning);
    case SB_LEVER: return plain(meaning ? SB_SIGN_LEVER_ON : SB_SIGN_LEVER_OFF);
    case SB_SCROLL: return scroll_mark(meaning);
    default: return plain(signs[object]);
    }
}

sb_sign sb_sign_of(sb_object object) { return (sb_sign)mark_of((int)object, 0).sign; }

/* ---- Cells ---- */

sb_ground sb_ground_of(const sb_cell *cell) {
    static const uint8_t grounds[SB_N_TERRAINS] = {
        [SB_EMPTY] = SB_GROUND_FLOOR, [SB_WALL] = SB_GROUND_WALL, [SB_HAZARD] = SB_GROUND_HAZARD,
        [SB_WATER] = SB_GROUND_WATER, [SB_ICE] = SB_GROUND_ICE,   [SB_HOLE] = SB_GROUND_HOLE};
    const int m = cell->metadata;
    if (sb_fogged(cell)) return SB_GROUND_FOG;
    const bool tinted = cell->terrain == SB_WALL && cell->object == SB_NONE && m > 0 && m < SB_WALL_COLOURS;
    return (sb_ground)(grounds[cell->terrain] + (tinted ? m : 0));
}

sb_appearance sb_appearance_of(const sb_cell *cell) {
    if (sb_fogged(cell)) return (sb_appearance){.ground = SB_GROUND_FOG, .number = SB_NO_NUMBER};
    const int meaning = meaning_of(cell->object, cell->metadata);
    const mark m = mark_of(cell->object, meaning);
    return (sb_appearance){.ground = (uint8_t)sb_ground_of(cell),
                           .object = (uint8_t)cell->object,
                           .meaning = (uint8_t)meaning,
                           .sign = (uint8_t)m.sign,
                           .number = (int16_t)m.number};
}
