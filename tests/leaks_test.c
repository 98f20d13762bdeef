/* No leaks: observations never show what the rules hide. In copies of every state that several policies reach,
 * everything that observations do not tell is overwritten, and not one byte of any observation may change. */
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>

#include "engine/brush.h"
#include "engine/gridworld/gridworld.h"
#include "engine/lookup.h"
#include "rollout/selection.h"
#include "rollout/worker.h"
#include "tests/shows.h"
#include "tests/testfamily/toy.h"

enum { EVERY = TESTS_ARE_SLOW ? 8 : 1 };

/* One brush for each look. Privileged ones show more; of a masked episode they draw something of the right size. */
enum { BRUSHES_MAX = 8 };
static sb_brush *brushes[BRUSHES_MAX];
static size_t n_brushes;

static void assert_draws_the_same(const sb_env *env, const sb_env *masked) {
    static uint8_t pixels[1 << 19], others[sizeof pixels];
    for (size_t b = 0; b < n_brushes; b++) {
        if (brushes[b]->family != env->family) continue;
        const sb_array *array = sb_brush_array(brushes[b]);
        const size_t size = sb_observe_array(env, array, pixels, sizeof pixels);
        assert_in_range(size, 1, sizeof pixels);
        assert_int_equal(sb_observe_array(masked, array, others, sizeof others), size);
        if (!brushes[b]->look->privileged && memcmp(pixels, others, size) != 0)
            fail_msg("%s/%s#%llu, step %d: look %s shows what is hidden", env->name.task, env->name.difficulty,
                     (unsigned long long)env->name.seed, env->status.steps, brushes[b]->look->name);
    }
}

static int make_brushes(void **state) {
    (void)state;
    const sb_look *look;
    sb_error error;
    for (const sb_family *const *family = sb_families; *family; family++)
        for (size_t i = 0; (look = sb_look_at(*family, i)); i++)
            if (!(brushes[n_brushes++] = sb_brush_make(
                      *family, look, &(sb_brush_options){.size = look->is_sized ? 256 : 0, .indexed = look->indexed},
                      &error)))
                return -1;
    return n_brushes == 8 ? 0 : -1; /* `flat`, `isometric`; `view` and `grid`; `grid` of Autumn; `screen`; `board` and
                                       `answer` of the toy */
}

static int free_brushes(void **state) {
    (void)state;
    for (size_t b = 0; b < n_brushes; b++) sb_brush_free(brushes[b]);
    return 0;
}

/* Plays the episode; returns in how many of its states something was hidden. */
static int check_episode(sb_player *player, const char *agent, const sb_name *name) {
    sb_error error;
    int masked = 0;
    sb_env *env = sb_make(NULL, NULL, &error), *copy = sb_make(NULL, NULL, &error);
    assert_ok(sb_reset_name(env, name, &error), error);
    assert_ok(sb_player_begin_as(player, agent, env, &error), error);
    while (!env->status.done) {
        sb_result result;
        if (env->status.steps % EVERY == 0) {
            uint64_t key[2], masked_key[2];
            assert_ok(sb_copy(copy, env, &error), error);
            if (env->family->hide) env->family->hide(copy);
            assert_shows_the_same(env, copy);
            assert_draws_the_same(env, copy);
            sb_key(env, key), sb_key(copy, masked_key);
            masked += memcmp(key, masked_key, sizeof key) != 0;
        }
        assert_ok(sb_step(env, sb_player_act(player, env), &result, &error), error);
    }
    sb_free(env), sb_free(copy);
    return masked;
}

static int check_task(const char *family, const char *task, const char *agent, uint64_t count) {
    sb_error error;
    sb_selection selection;
    sb_player player = {0};
    int masked = 0;
    assert_ok(
        sb_select(&(sb_request){.family = family, .tasks = task, .split = "train", .count = count}, &selection, &error),
        error);
    for (size_t i = 0; i < selection.n; i++)
        masked += check_episode(&player, agent, sb_selection_name(&selection, i, &(sb_name){0}));
    sb_player_clear(&player);
    sb_selection_free(&selection);
    return masked;
}

/* Returns whether a task claims to hide something; it must then really overwrite something. */
static bool says_it_hides(const sb_family *family, const sb_task_info *info) {
    const sb_task *task = (const sb_task *)info;
    if (family->hiding != SB_CAN_HIDE) return false;
    if (family->hide != sb_gridworld_hide) return family != &toy_family || strcmp(info->name, "Hunt-v1") == 0;
    return task->hide || task->reseed;
}

/* If a family cannot overwrite hidden state, it cannot hide it from an oracle, so no oracle of such a family may claim
 * to see observations only. */
static void test_families_say_how_they_hide(void **state) {
    (void)state;
    for (const sb_family *const *family = sb_families; *family; family++) {
        assert_true(((*family)->hiding == SB_CAN_HIDE) == ((*family)->hide != NULL));
        for (size_t i = 0; (*family)->hiding == SB_CANNOT_HIDE && i < (*family)->n_tasks; i++) {
            const char *names[SB_ORACLES_MAX];
            const size_t n = sb_oracles_of((*family)->name, (*family)->task(i)->name, names);
            for (size_t k = 0; k < n; k++)
                assert_int_not_equal(sb_oracle_find((*family)->name, (*family)->task(i)->name, names[k])->sees,
                                     SB_SEES_OBSERVATIONS);
        }
    }
}

static void test_what_the_rules_hide_shows_in_no_observation(void **state) {
    (void)state;
    for (const sb_family *const *family = sb_families; *family; family++)
        for (size_t i = 0; i < (*family)->n_tasks; i++) {
            const sb_task_info *info = (*family)->task(i);
            int masked = check_task((*family)->name, info->name, "random", 1);
            if (sb_oracle_find((*family)->name, info->name, "expert"))
                masked += check_task((*family)->name, info->name, "expert", 2);
            if (sb_oracle_find((*family)->name, info->name, "observer"))
                masked += check_task((*family)->name, info->name, "observer", 1);
            if (says_it_hides(*family, info)) assert_true(masked > 0);
        }
}

/* An observer acts the same whatever the hidden variables are, because it does not get them. */
static void test_observers_get_nothing_that_is_hidden(void **state) {
    (void)state;
    sb_error error;
    sb_env *env = sb_make(NULL, "toy:Hunt-v1#5", &error), *other = sb_make(NULL, "toy:Hunt-v1#6", &error);
    sb_player player = {0}, second = {0};
    assert_ok(sb_player_begin_as(&player, "observer", env, &error), error);
    assert_ok(sb_player_begin_as(&second, "observer", other, &error), error);
    uint64_t key[2], other_key[2];
    sb_key(env, key), sb_key(other, other_key);
    assert_memory_not_equal(key, other_key, sizeof key);
    assert_int_equal(sb_player_act(&player, env), sb_player_act(&second, other));
    sb_key(player.shown, key), sb_key(second.shown, other_key);
    assert_memory_equal(key, other_key, sizeof key);
    sb_player_clear(&player), sb_player_clear(&second);
    sb_free(env), sb_free(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_families_say_how_they_hide),
        cmocka_unit_test(test_what_the_rules_hide_shows_in_no_observation),
        cmocka_unit_test(test_observers_get_nothing_that_is_hidden),
    };
    return cmocka_run_group_tests(tests, make_brushes, free_brushes);
}
