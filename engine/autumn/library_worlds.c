/* The functions that only worlds have. */
#include <string.h>

#include "engine/autumn/library_kit.h"

/* ---- Maps -------------------------------------------------------------------------------------------------------- */

/* Takes a place of a map; false: a fault was noted. */
typedef bool place_taker(sb_autumn_state *m, void *context, int32_t x, int32_t y);

/* Takes the place of every character of the map that is one of those wanted, row by row. */
static bool each_place(sb_autumn_state *m, const char *map, const char *wanted, place_taker *take, void *context) {
    int32_t x = 0, y = 0;
    for (map += *map == '\n'; *map; map++, x++) {
        if (*map == '\n')
            x = -1, y++;
        else if (strchr(wanted, *map) && !take(m, context, x, y))
            return false;
    }
    return true;
}

static bool count_place(sb_autumn_state *m, void *context, int32_t x, int32_t y) {
    int32_t size;
    ++*(uint32_t *)context;
    if (!sb_au_grid(m, &size)) return false;
    if (x < size && y < size) return true;
    return sb_au_fail(m, SB_AUTUMN_INDEX, "the map has a place at (%d,%d), off the grid", x, y), false;
}

typedef struct place_list {
    sb_au_value list;
    uint32_t n;
} place_list;

static bool add_place(sb_autumn_state *m, void *context, int32_t x, int32_t y) {
    place_list *places = context;
    const sb_au_value place = sb_au_position(m, x, y);
    return !sb_au_failed(place) && sb_au_append(m, places->list, &places->n, place);
}

static bool is_one_byte(const char *characters) {
    for (; *characters; characters++)
        if ((unsigned char)*characters >= 0x80 || *characters == '\n') return false;
    return true;
}

SB_AU_LIB(places) {
    uint32_t length = 0;
    if (!sb_au_want(m, a[0], SB_AU_STRING) || !sb_au_want(m, a[1], SB_AU_STRING)) return SB_AU_FAILED;
    const char *map = sb_au_word(&m->program->strings, a[0].at), *wanted = sb_au_word(&m->program->strings, a[1].at);
    if (!is_one_byte(wanted)) return sb_au_fail(m, SB_AUTUMN_TYPE, "`places` finds characters of one byte");
    if (strchr(map, '\t')) return sb_au_fail(m, SB_AUTUMN_TYPE, "a map cannot hold tabs");
    if (!sb_au_spend(m, (int64_t)strlen(map)) || !each_place(m, map, wanted, count_place, &length)) return SB_AU_FAILED;
    place_list places = {.list = sb_au_new_list(m, length, SB_AU_T_UNKNOWN)};
    if (sb_au_failed(places.list) || !each_place(m, map, wanted, add_place, &places)) return SB_AU_FAILED;
    return places.list;
}

/* ---- Draws ------------------------------------------------------------------------------------------------------- */

/* The items at `k` different places of a list, in random order: each draw takes one of those that are left. */
static sb_au_value draw_items(sb_autumn_state *m, sb_au_value from, uint32_t k) {
    const uint32_t length = sb_au_length(m, from);
    const sb_au_value list = sb_au_new_list(m, length, sb_au_thing_of(m, from)->type);
    if (sb_au_failed(list)) return list;
    sb_au_value *const items = sb_au_thing_of(m, list)->v;
    memcpy(items, sb_au_thing_of(m, from)->v, length * sizeof *items);
    for (uint32_t i = 0, drawn; i < k; i++) {
        if (!sb_au_draw(m, length - i, &drawn)) return SB_AU_FAILED;
        const sb_au_value item = items[i + drawn];
        items[i + drawn] = items[i], items[i] = item;
    }
    sb_au_cut(m, list, k);
    return list;
}

SB_AU_LIB(sample) {
    if (!sb_au_want_list(m, a[0]) || !sb_au_want(m, a[1], SB_AU_NUMBER)) return SB_AU_FAILED;
    const uint32_t length = sb_au_length(m, a[0]);
    if (a[1].number >= 0 && (uint32_t)a[1].number <= length) return draw_items(m, a[0], (uint32_t)a[1].number);
    return sb_au_fail(m, SB_AUTUMN_RANDOM, "%d different items of a list of %u", a[1].number, length);
}

SB_AU_LIB(shuffle) { return sb_au_want_list(m, a[0]) ? draw_items(m, a[0], sb_au_length(m, a[0])) : SB_AU_FAILED; }

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

/* Counts the items for which a function holds. `stop`: the truth at which it stops; -1: it looks at all. */
static bool count_items(sb_autumn_state *m, const sb_au_value *a, int stop, int32_t *found) {
    *found = 0;
    if (!sb_au_want_function(m, a[0]) || !sb_au_want_list(m, a[1])) return false;
    for (uint32_t i = 0; i < sb_au_length(m, a[1]); i++) {
        const bool holds = sb_au_holds(m, a[0], sb_au_item(m, a[1], i));
        if (m->has_fault) return false;
        *found += holds;
        if (holds == stop) break;
    }
    return true;
}

SB_AU_LIB(all) {
    int32_t found;
    if (!count_items(m, a, false, &found)) return SB_AU_FAILED;
    return sb_au_bool((uint32_t)found == sb_au_length(m, a[1]));
}

SB_AU_LIB(count) {
    int32_t found;
    return count_items(m, a, -1, &found) ? sb_au_number(found) : SB_AU_FAILED;
}

SB_AU_LIB(take) {
    if (!sb_au_want_list(m, a[0]) || !sb_au_want(m, a[1], SB_AU_NUMBER)) return SB_AU_FAILED;
    const uint32_t length = sb_au_length(m, a[0]), k = (uint32_t)a[1].number;
    if (a[1].number < 0 || k > length)
        return sb_au_fail(m, SB_AUTUMN_INDEX, "the first %d items of a list of %u", a[1].number, length);
    const sb_au_value list = sb_au_new_list(m, k, k ? sb_au_thing_of(m, a[0])->type : SB_AU_T_UNKNOWN);
    if (!sb_au_failed(list)) memcpy(sb_au_thing_of(m, list)->v, sb_au_thing_of(m, a[0])->v, k * sizeof(sb_au_value));
    return list;
}
