/* Rollouts: which plan is chosen, and how often each is played. Plans have means; all have the same noise in a sample,
 * and some have noise of their own. */
#include "tests/support.h"

#include <string.h>

#include "oracles/kits/rollouts.h"

enum { PLANS = 5, FEW = 8, ALL = 32 };

typedef struct plans {
    float mean[PLANS], noise[PLANS];
    int *played; /* by plan */
} plans;

/* 1 and -1 in turn, in an order of its own for each plan. */
static float sign(int plan, int sample) { return (sample >> plan % 3 & 1) ? 1.0F : -1.0F; }

static float play(const void *plans_, int plan, int sample) {
    const plans *p = plans_;
    p->played[plan]++;
    return p->mean[plan] + 100 * sign(0, sample) + p->noise[plan] * sign(plan, sample);
}

static int choose(plans p, int n, int kept, int played[PLANS]) {
    const sb_rollouts rollouts = {.few = FEW, .all = ALL, .kept = kept, .play = play, .context = &p};
    memset(played, 0, PLANS * sizeof *played);
    p.played = played;
    return sb_rollouts_choose(&rollouts, n);
}

static void a_plan_that_takes_fewer_steps_is_chosen(void **state) {
    (void)state;
    int played[PLANS];
    const plans p = {.mean = {40, 41, 38, 39, 45}};
    assert_int_equal(choose(p, 5, 2, played), 2);
    assert_int_equal(choose(p, 2, 2, played), 0);
    assert_int_equal(choose(p, 1, 2, played), 0);
}

static void the_usual_plan_stays_without_a_gain_of_two_standard_errors(void **state) {
    (void)state;
    int played[PLANS];
    /* The gains of plan 1 are 1 + 5 or 1 - 5, so their standard error is 5 / sqrt(31), and twice that is 1.8. */
    assert_int_equal(choose((plans){.mean = {40, 40}}, 2, 1, played), 0);
    assert_int_equal(choose((plans){.mean = {40, 38.3F}, .noise = {0, 5}}, 2, 1, played), 0);
    assert_int_equal(choose((plans){.mean = {40, 38.1F}, .noise = {0, 5}}, 2, 1, played), 1);
}

static void only_the_most_promising_plans_are_played_often(void **state) {
    (void)state;
    int played[PLANS];
    choose((plans){.mean = {40, 39, 36, 38, 41}}, 5, 2, played);
    const int two[PLANS] = {ALL, FEW, ALL, ALL, FEW};
    assert_memory_equal(played, two, sizeof two);
    choose((plans){.mean = {40, 41, 42, 43, 44}}, 5, 2, played);
    const int none[PLANS] = {FEW, FEW, FEW, FEW, FEW};
    assert_memory_equal(played, none, sizeof none);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_that_takes_fewer_steps_is_chosen),
        cmocka_unit_test(the_usual_plan_stays_without_a_gain_of_two_standard_errors),
        cmocka_unit_test(only_the_most_promising_plans_are_played_often),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
