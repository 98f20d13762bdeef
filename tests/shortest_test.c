/* How far BabyAI's expert is from the fewest steps, on the episodes where a search over copies closes: it plays the
 * rules alone, shares no code with the expert, and knows no bound. Where it does not close within its states, nothing
 * is said.
 *
 * `shortest_test --list` prints what it found in every level as JSON, for docs/measured/babyai.md. */
#include "tests/support.h"

#include <stdio.h>
#include <string.h>

#include "engine/environment.h"
#include "oracles/copies.h"
#include "seedbed/player.h"

static sb_error error;

typedef struct found {
    int episodes, closed, shortest; /* closed: the fewest steps are known; shortest: the expert takes them */
    uint64_t fewest, steps;         /* sums over those closed: of the fewest steps, and of the expert's */
} found;

typedef struct searcher {
    sb_env *env;
    sb_player *expert;
    sb_copies copies;
    uint32_t n_states;
} searcher;

static searcher open_searcher(uint32_t n_states) {
    searcher s = {.env = sb_make(NULL, NULL, &error), .expert = sb_player_make("expert", &error), .n_states = n_states};
    assert_true(s.env && s.expert);
    assert_ok(sb_copies_open(&s.copies, n_states, &error), error);
    s.copies.distrusts_bound = true;
    return s;
}

static void close_searcher(searcher *s) { sb_copies_close(&s->copies), sb_player_free(s->expert), sb_free(s->env); }

static void examine(searcher *s, const sb_name *name, found *f) {
    sb_budget budget = {.limit = s->n_states};
    sb_verdict verdict;
    sb_result result;
    f->episodes++;
    assert_ok(sb_reset_name(s->env, name, &error), error);
    assert_ok(sb_copies_search(&s->copies, s->env, &budget, &verdict, &error), error);
    if (verdict != SB_SOLVED) return;
    const uint64_t fewest = (uint64_t)sb_copies_plan(&s->copies, NULL, 0);
    assert_ok(sb_player_begin(s->expert, s->env, &error), error);
    while (!s->env->status.done) assert_ok(sb_step(s->env, sb_player_act(s->expert, s->env), &result, &error), error);
    const uint64_t steps = (uint64_t)s->env->status.steps;
    if (!s->env->status.success) fail_msg("%s#%llu can be won", name->task, (unsigned long long)name->seed);
    if (steps < fewest) fail_msg("%s#%llu has a shorter play", name->task, (unsigned long long)name->seed);
    f->closed++, f->shortest += steps == fewest, f->fewest += fewest, f->steps += steps;
}

/* Examines seeds 0 to n - 1 of a level. */
static found examine_level(searcher *s, const sb_task_info *level, uint64_t n) {
    found f = {0};
    for (uint64_t seed = 0; seed < n; seed++) {
        sb_name name = {.family = "babyai", .seed = seed};
        strcpy(name.task, level->name);
        examine(s, &name, &f);
    }
    return f;
}

static void experts_take_the_fewest_steps_where_they_are_known(void **state) {
    (void)state;
    const sb_family *family = sb_family_find("babyai", &error);
    searcher s = open_searcher(1 << 12);
    int closed = 0, shortest = 0;
    for (size_t i = 0; i < family->n_tasks; i += TESTS_ARE_SLOW ? 8 : 1) {
        const found f = examine_level(&s, family->task(i), 1);
        closed += f.closed, shortest += f.shortest;
    }
    print_message("%d of %d plays take the fewest steps\n", shortest, closed);
    assert_true(closed > 10 && 10 * shortest >= 9 * closed);
    close_searcher(&s);
}

static void list(void) {
    enum { STATES = 1 << 17, SEEDS = 10 };
    const sb_family *family = sb_family_find("babyai", &error);
    searcher s = open_searcher(STATES);
    for (size_t i = 0; i < family->n_tasks; i++) {
        const found f = examine_level(&s, family->task(i), SEEDS);
        printf("%s{\"level\": \"%s\", \"episodes\": %d, \"closed\": %d, \"shortest\": %d, \"fewest\": %llu, \"steps\": "
               "%llu}",
               i ? ",\n " : "[", family->task(i)->name, f.episodes, f.closed, f.shortest, (unsigned long long)f.fewest,
               (unsigned long long)f.steps);
        fflush(stdout);
    }
    puts("]");
    close_searcher(&s);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(experts_take_the_fewest_steps_where_they_are_known)};
    if (argc != 2 || strcmp(argv[1], "--list") != 0) return cmocka_run_group_tests(tests, NULL, NULL);
    list();
    return 0;
}
