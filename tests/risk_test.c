/* Weighing risks (oracles/kits/risk.h): the estimates are those of a plain recursion over all that the agent can do. */
#include "oracles/kits/risk.h"

#include <math.h>

#include "generators/agentick/null_task.h"
#include "tests/support.h"

enum { HORIZON = 4 };
static const float PRECISION = 1e-5F;

static sb_episode episode;
static sb_risk risk;

static float chance(sb_rng *rng) { return (float)sb_random(rng); }

static const sb_xy goal = {1, 1};

/* Makes a map with walls at random, and chances at random in each cell and step. */
static void scatter(sb_rng *rng, uint64_t seed) {
    sb_error error;
    assert_ok(sb_episode_start(&episode, &sb_null_task, SB_MEDIUM, seed, NULL, &error), error);
    for (int i = 0; i < sb_n_cells(&episode); i++)
        if (sb_random(rng) < 0.25) episode.cells[i].terrain = SB_WALL;
    sb_cell_at(&episode, goal)->terrain = SB_EMPTY;
    sb_open_walkable(&risk.open, &episode);
    risk.horizon = HORIZON, risk.step_cost = 0.1F * chance(rng), risk.fade = chance(rng);
    sb_risk_begin(&risk, &episode);
    for (int t = 0; t < HORIZON; t++)
        for (int i = 0; i < sb_n_cells(&episode); i++) risk.stays[t][i] = chance(rng), risk.enters[t][i] = chance(rng);
}

static float cost_from(int t, sb_xy at);

/* Returns what it costs to go to this cell in step t + 1 and to do the best thing from there on. */
static float cost_of_going(int t, sb_xy from, sb_xy to) {
    const int i = sb_index(&episode, to);
    const float *survives = sb_same(from, to) ? risk.stays[t] : risk.enters[t];
    const float dies = powf(risk.fade, (float)t) * (1 - survives[i]);
    return risk.step_cost + dies + (1 - dies) * cost_from(t + 1, to);
}

/* Returns the least cost from a cell after t steps. */
static float cost_from(int t, sb_xy at) {
    if (t == HORIZON) return risk.step_cost * risk.way.distance[sb_index(&episode, at)];
    if (t > 0 && sb_same(at, goal)) return 0;
    float least = cost_of_going(t, at, at);
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
        const sb_xy to = sb_beside(at, d);
        if (risk.open.cell[sb_index(&episode, to)]) least = fminf(least, cost_of_going(t, at, to));
    }
    return least;
}

static void estimates_are_expected_costs(void **state) {
    (void)state;
    sb_rng rng;
    sb_rng_seed(&rng, 5, NULL);
    for (uint64_t seed = 0; seed < 100; seed++) {
        sb_budget budget = {.limit = SB_DEFAULT_BUDGET};
        scatter(&rng, seed);
        const sb_xy agent = episode.agent.at;
        const sb_action action = sb_risk_choose(&risk, &episode, goal, &budget);
        if (!sb_reached(&risk.way, &episode, agent)) {
            assert_int_equal(action, SB_NOOP);
            continue;
        }
        const sb_xy to = action == SB_NOOP ? agent : sb_beside(agent, sb_direction_of(action));
        assert_true(fabsf(cost_of_going(0, agent, to) - cost_from(0, agent)) < PRECISION);
        for (int k = 0; k < risk.way.n; k++) {
            const sb_xy at = risk.way.order[k];
            for (int t = sb_manhattan(at, agent) > 1 ? sb_manhattan(at, agent) : 1; t <= HORIZON; t++)
                assert_true(fabsf(risk.value[t][sb_index(&episode, at)] - cost_from(t, at)) < PRECISION);
        }
    }
}

/* Where nothing kills, the agent takes a shortest way. */
static void without_risk_the_way_is_shortest(void **state) {
    (void)state;
    sb_rng rng;
    sb_rng_seed(&rng, 6, NULL);
    for (uint64_t seed = 0; seed < 100; seed++) {
        sb_budget budget = {.limit = SB_DEFAULT_BUDGET};
        scatter(&rng, seed);
        sb_risk_begin(&risk, &episode);
        const sb_xy agent = episode.agent.at;
        const sb_action action = sb_risk_choose(&risk, &episode, goal, &budget);
        if (!sb_reached(&risk.way, &episode, agent) || sb_same(agent, goal)) continue;
        assert_int_not_equal(action, SB_NOOP);
        const sb_xy to = sb_beside(agent, sb_direction_of(action));
        assert_int_equal(risk.way.distance[sb_index(&episode, to)], risk.way.distance[sb_index(&episode, agent)] - 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_are_expected_costs),
        cmocka_unit_test(without_risk_the_way_is_shortest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
