/* How many states oracles look at while they play: the sum over some official episodes of each task and difficulty, as
 * tests/golden/effort.txt has it. An oracle that looks at more than it did may still play the same. Whoever means to
 * change the effort writes that file anew:
 *
 *     SEEDBED_WRITE_GOLDEN=1 build/release/tests/seedbed-tests effort_test */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracles/player.h"
#include "rollout/selection.h"

enum { EPISODES = 3 /* of each task and difficulty */ };

static uint64_t effort_of(sb_player *player, const char *agent, const sb_name *name) {
    sb_error error;
    sb_result result;
    sb_env *env = sb_make(NULL, NULL, &error);
    assert_ok(env && sb_reset_name(env, name, &error), error);
    assert_ok(sb_player_begin_as(player, agent, env, &error), error);
    while (!env->status.done) assert_ok(sb_step(env, sb_player_act(player, env), &result, &error), error);
    sb_free(env);
    return player->budget.spent;
}

/* Puts a line for each run of episodes of one task and difficulty. */
static void put_efforts(const char *family, const char *agent, sb_player *player, sb_out *out) {
    sb_error error;
    sb_selection selection;
    const sb_request request = {.family = family, .split = "eval", .count = EPISODES};
    assert_ok(sb_select(&request, &selection, &error), error);
    for (size_t i = 0; i < selection.n;) {
        uint64_t states = 0;
        sb_name name;
        for (int k = 0; k < EPISODES; k++, i++)
            states += effort_of(player, agent, sb_selection_name(&selection, i, &name));
        sb_putf(out, "%s %s %s %llu\n", name.task, name.difficulty, agent, (unsigned long long)states);
    }
    sb_selection_free(&selection);
}

static void oracles_look_at_as_many_states_as_they_did(void **state) {
    static const char *const players[][2] = {{"agentick", "expert"}, {"agentick", "observer"}, {"babyai", "observer"},
                                             {"babyai", "expert"},   {"arc", "expert"},        {"arc", "observer"}};
    (void)state;
    if (TESTS_ARE_SLOW) skip();
    sb_error error;
    sb_player player = {0};
    sb_out efforts = sb_out_growing(), expected = sb_out_growing();
    for (size_t i = 0; i < sizeof players / sizeof *players; i++)
        put_efforts(players[i][0], players[i][1], &player, &efforts);
    sb_player_clear(&player);
    if (getenv("SEEDBED_WRITE_GOLDEN"))
        assert_ok(sb_file_save(golden("effort.txt"), efforts.data, efforts.size, &error), error);
    assert_ok(sb_file_load(golden("effort.txt"), 1 << 20, &expected, &error), error);
    sb_putc(&efforts, '\0'), sb_putc(&expected, '\0');
    const char *now = efforts.data, *before = expected.data, *line = now;
    for (; *now && *now == *before; now++, before++)
        if (*now == '\n') line = now + 1;
    if (*now != *before) fail_msg("not as tests/golden/effort.txt has it: %.*s", (int)strcspn(line, "\n"), line);
    sb_out_free(&efforts), sb_out_free(&expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(oracles_look_at_as_many_states_as_they_did)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
