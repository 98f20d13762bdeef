/* A picture is a function of what the agent is told: states with the same texts have the same picture, however they
 * came about. The looks of agentick also show which way NPCs, enemies and sheep face, as the published picture does. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "engine/brush.h"
#include "engine/environment.h"
#include "engine/gridworld/gridworld.h"
#include "engine/lookup.h"
#include "rollout/selection.h"

enum { WALKS = TESTS_ARE_SLOW ? 2 : 6, STEPS = 120, SEEN_MAX = 1 << 13 };

/* What was told, and what was shown, as hashes. */
typedef struct seen {
    uint64_t told[2], shown[2];
    bool used;
} seen;

static seen all[SEEN_MAX];
static size_t n_repeated;
static uint8_t pixels[1 << 20];

static void put_text(const sb_env *env, const char *mode, sb_out *out) {
    sb_error error;
    env->family->observe(env, sb_mode_find(env->family, mode, &error), out);
}

/* Puts the text of a document from one key to another, without the count of steps. */
static void put_entities(const sb_env *env, sb_out *out) {
    sb_out text = sb_out_growing();
    put_text(env, "structured", &text);
    sb_putc(&text, '\0');
    const char *begin = strstr(text.data, "\"visible_entities\""), *end = strstr(text.data, "\"inventory\"");
    assert_true(begin && end && begin < end);
    sb_put(out, begin, (size_t)(end - begin));
    sb_out_free(&text);
}

static void put_facings(const sb_env *env, sb_out *out) {
    const sb_episode *e = env->state;
    for (int i = 0; i < e->width * e->height; i++) {
        const sb_cell *cell = &e->cells[i];
        if (cell->object == SB_NPC || cell->object == SB_ENEMY || cell->object == SB_SHEEP)
            sb_putf(out, "%d %d,", i, cell->metadata);
    }
}

/* With the panel everything is shown that is told; without it, neither steps nor what stands beside the grid. */
static void tell(const sb_env *env, bool panel, sb_out *out) {
    if (strcmp(env->family->name, "agentick") != 0) {
        put_text(env, strcmp(env->family->name, "babyai") == 0 ? "view7" : "frame", out);
        return;
    }
    if (panel) {
        put_text(env, "structured", out), put_text(env, "ascii_color", out);
    } else {
        sb_out map = sb_out_growing();
        put_entities(env, out), put_text(env, "ascii_color", &map);
        sb_putc(&map, '\0');
        sb_put(out, map.data, (size_t)(strstr(map.data, "Legend") - map.data));
        sb_out_free(&map);
    }
    put_facings(env, out);
}

/* Fails if the same was told before and something else shown. */
static void note(const sb_env *env, const sb_brush *brush, sb_out *text) {
    seen here = {.used = true};
    sb_out_clear(text);
    tell(env, !brush->options.no_panel, text);
    const size_t n = sb_observe_array(env, sb_brush_array(brush), pixels, sizeof pixels);
    assert_true(n <= sizeof pixels && sb_out_ok(text));
    sb_hash128(text->data, text->size, here.told), sb_hash128(pixels, n, here.shown);
    size_t at = (size_t)here.told[0] % SEEN_MAX;
    for (; all[at].used; at = (at + 1) % SEEN_MAX) {
        if (memcmp(all[at].told, here.told, sizeof here.told) != 0) continue;
        n_repeated++;
        if (memcmp(all[at].shown, here.shown, sizeof here.shown) != 0)
            fail_msg("%s/%s#%llu: look %s shows more than\n%.*s", env->name.task, env->name.difficulty,
                     (unsigned long long)env->name.seed, brush->look->name, (int)text->size, text->data);
        return;
    }
    all[at] = here;
}

/* Walks at random again and again, so that states come back: after moves that undo each other, and in another order. */
static void walk(sb_env *env, const sb_name *name, const sb_brush *brush, sb_out *text) {
    sb_error error;
    sb_result result;
    uint64_t random = 1;
    memset(all, 0, sizeof all);
    for (int i = 0; i < WALKS; i++) {
        assert_ok(sb_reset_name(env, name, &error), error);
        for (int step = 0; step < STEPS; step++) {
            note(env, brush, text);
            if (env->status.done) break;
            random = random * 6364136223846793005u + 1442695040888963407u;
            assert_ok(sb_step(env, (sb_action)(random >> 33) % env->n_actions, &result, &error), error);
        }
    }
}

static void walk_everywhere(const char *family, size_t look, const sb_brush_options *options, size_t least) {
    sb_error error;
    sb_selection selection;
    sb_out text = sb_out_growing();
    sb_env *env = sb_make(NULL, NULL, &error);
    const sb_family *f = sb_family_find(family, &error);
    sb_brush *brush = sb_brush_make(f, sb_look_at(f, look), options, &error);
    assert_ok(sb_select(&(sb_request){.family = family, .seeds = "3"}, &selection, &error), error);
    n_repeated = 0;
    for (size_t i = 0; i < selection.n; i += TESTS_ARE_SLOW ? 7 : 1)
        walk(env, sb_selection_name(&selection, i, &(sb_name){0}), brush, &text);
    assert_true(n_repeated > (TESTS_ARE_SLOW ? 0 : least));
    sb_selection_free(&selection);
    sb_brush_free(brush);
    sb_free(env);
    sb_out_free(&text);
}

static void flat_shows_what_is_told_in_the_grid(void **state) {
    (void)state;
    walk_everywhere("agentick", 0, &(sb_brush_options){.no_panel = true, .indexed = true}, 500);
}

static void flat_with_its_panel_shows_what_is_told_at_all(void **state) {
    (void)state;
    walk_everywhere("agentick", 0, &(sb_brush_options){.indexed = true}, 100);
}

static void isometric_shows_what_is_told(void **state) {
    (void)state;
    walk_everywhere("agentick", 1, &(sb_brush_options){.size = 192, .indexed = true}, 100);
}

static void view_shows_what_is_told(void **state) {
    (void)state;
    walk_everywhere("babyai", 0, NULL, 500);
}

static void grid_of_autumn_shows_the_frame(void **state) {
    (void)state;
    walk_everywhere("autumn", 0, &(sb_brush_options){.tile = 2}, 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_shows_what_is_told_in_the_grid),
        cmocka_unit_test(flat_with_its_panel_shows_what_is_told_at_all),
        cmocka_unit_test(isometric_shows_what_is_told),
        cmocka_unit_test(view_shows_what_is_told),
        cmocka_unit_test(grid_of_autumn_shows_the_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
