/* MiniGrid worlds for tests: of levels of BabyAI, and of sketches, which are played by letters. */
#ifndef SB_TESTS_MINIGRID_SUPPORT_H
#define SB_TESTS_MINIGRID_SUPPORT_H

#include "tests/support.h"

#include <string.h>

#include "engine/lookup.h"
#include "engine/minigrid/minigrid.h"
#include "engine/minigrid/tracking.h"
#include "generators/babyai/family.h"
#include "generators/babyai/levels.h"

static inline sb_mg_world world_of(const char *level_name, uint64_t seed) {
    sb_error error;
    sb_mg_world w;
    size_t index;
    assert_ok(sb_task_find(NULL, &sb_babyai, level_name, &index, &error), error);
    const sb_mg_level *level = sb_babyai_level(index);
    assert_ok(level->generate(level, seed, &w, NULL, &error), error);
    return w;
}

/* ---- Sketches: one room as the mode `full_ascii` draws it, with a mission ---------------------------------------- */

static inline int code_in(const char *letters, char letter) {
    const char *at = strchr(letters, letter);
    return at && letter ? (int)(at - letters) : -1;
}

static inline void sketch_cell(sb_mg_world *w, sb_xy at, const char *symbol) {
    const int arrow = code_in(">v<^", symbol[0]), door = code_in("/+*", symbol[0]), thing = code_in("KOX", symbol[0]);
    const int colour = code_in("rgbpya", symbol[1]);
    if (symbol[0] == '#') sb_mg_put_wall(w, at);
    if (arrow >= 0) w->agent = at, w->facing = (uint8_t)arrow;
    if (door < 0 && thing < 0) return;
    const int id = sb_mg_make_object(w, door >= 0 ? SB_MG_DOOR : (sb_mg_type)(SB_MG_KEY + thing), (sb_mg_colour)colour);
    w->objects[id].open = door == SB_MG_OPENED, w->objects[id].locked = door == SB_MG_LOCKED;
    sb_mg_put(w, id, at);
}

/* ---- Missions of their texts: docs/babyai.md, "Missions" ---- */

static inline bool take(const char **at, const char *words) {
    const size_t n = strlen(words);
    if (strncmp(*at, words, n) != 0) return false;
    *at += n;
    return true;
}

/* The index of the words that come next, or n. */
static inline uint8_t take_one_of(const char **at, const char *const words[], uint8_t n) {
    uint8_t i = 0;
    while (i < n && !(words[i] && *words[i] && take(at, words[i]))) i++;
    return i;
}

static inline sb_mg_description read_description(const char **at) {
    static const char *const places[] = {"", " on your left", " on your right", " in front of you", " behind you"};
    sb_mg_description d = {.several = take(at, "a ")};
    if (!d.several && !take(at, "the ")) fail_msg("no article: %s", *at);
    d.colour = take_one_of(at, sb_mg_colour_names, SB_MG_N_COLOURS);
    if (d.colour != SB_MG_ANY_COLOUR) take(at, " ");
    d.type = take(at, "object") ? SB_MG_UNSEEN : take_one_of(at, sb_mg_type_names, SB_MG_BOX + 1);
    d.location = (uint8_t)(take_one_of(at, places, SB_MG_N_LOCATIONS) % SB_MG_N_LOCATIONS);
    return d;
}

static inline sb_mg_part read_part(const char **at) {
    static const char *const verbs[] = {"go to ", "pick up ", "open ", "put "};
    sb_mg_part part = {0};
    do {
        sb_mg_single *s = &part.single[part.n_singles++];
        s->verb = take_one_of(at, verbs, SB_MG_PUT_NEXT + 1);
        s->what = read_description(at);
        if (s->verb == SB_MG_PUT_NEXT && take(at, " next to ")) s->to = read_description(at);
    } while (part.n_singles < 2 && take(at, " and "));
    return part;
}

/* Nothing is tracked, and nothing is strict: texts do not tell. */
static inline sb_mg_mission mission_of(const char *text) {
    sb_mg_mission m;
    memset(&m, 0, sizeof m);
    m.part[0] = read_part(&text);
    m.order = take(&text, ", then ") ? SB_MG_BEFORE : take(&text, " after you ") ? SB_MG_AFTER : SB_MG_ALONE;
    if (m.order != SB_MG_ALONE) m.part[1] = read_part(&text);
    assert_string_equal(text, "");
    return m;
}

static inline sb_mg_world sketch(const char *mission, const char *const rows[]) {
    sb_error error;
    sb_mg_world w;
    const int side = (int)(strlen(rows[0]) + 1) / 3;
    sb_mg_clear(&w, side, 1, 1);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) sketch_cell(&w, sb_at(x, y), rows[y] + 3 * (ptrdiff_t)x);
    w.max_steps = 100;
    w.mission = mission_of(mission);
    assert_ok(sb_mg_begin_tracking(&w, &error), error);
    return w;
}

/* Takes a step for each letter (l r f, p pickup, d drop, t toggle, . done). Returns the outcome of the last; earlier
 * ones must not end the episode. */
static inline sb_result play(sb_mg_world *w, const char *letters) {
    sb_result result = {0};
    for (; *letters; letters++) {
        assert_false(result.terminated);
        sb_mg_step(w, (sb_mg_action)code_in("lrfpdt.", *letters), &result);
    }
    return result;
}

static inline void assert_continues(sb_mg_world *w, const char *letters) { assert_false(play(w, letters).terminated); }

static const char *const things[] = {"## ## ## ## ##", //
                                     "## .. Or .. ##", //
                                     "## Xg >> Kb ##", //
                                     "## .. .. .. ##", //
                                     "## ## ## ## ##"};

#endif
