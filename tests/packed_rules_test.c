/* One truth per rule: every rule that an oracle writes a second time, on states of its own, agrees with the task's own
 * steps. Both are walked side by side, through recorded situations and from there at random.
 *
 * SEEDBED_NIGHTLY: many more situations. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/gridworld/episode.h"
#include "engine/lookup.h"
#include "oracles/agentick/packed.h"

#define SB_PACKED_RULE(rule) &rule,
static const sb_packed_rule *const rules[] = {
#include "oracles/agentick/packed.def"
};
#undef SB_PACKED_RULE
enum { N_RULES = sizeof rules / sizeof *rules };

enum { STATE_MAX = 1024, MOVES = 64 };

/* How many situations to look at: one in `every` of a recording, and `wander` random steps after it. */
static struct effort { int every, wander; } effort, drawn_effort;

typedef struct state {
    _Alignas(16) uint8_t bytes[STATE_MAX];
} state;

/* What one move leads to. */
typedef struct successor {
    state to;
    uint32_t move;
    int cost;
    bool wins;
} successor;

typedef struct successors {
    int n;
    successor at[MOVES];
} successors;

/* ---- What the rule says ---- */

typedef struct walk {
    const sb_packed_rule *rule;
    void *memory, *other; /* of the rule; `other` is for packing what follows a situation */
    sb_episode e;         /* the situation */
    state here;           /* the same, packed */
    uint64_t draws;
    size_t compared[SB_N_DIFFICULTIES], won;
    int64_t same[2][SB_PACKED_NUMBERS]; /* by task and rule, in all situations together */
} walk;

static successors found; /* by the rule that is being asked */

/* The linker replaces sb_search_add by this in this program, so that `expand` can be asked without a search. */
void __wrap_sb_search_add(sb_search *search, const void *to, uint32_t move, int cost, bool is_goal); // NOLINT
static size_t state_size;
void __wrap_sb_search_add(sb_search *search, const void *to, uint32_t move, int cost, bool is_goal) { // NOLINT
    (void)search;
    assert_true(found.n < MOVES);
    successor *s = &found.at[found.n++];
    *s = (successor){.move = move, .cost = cost, .wins = is_goal};
    memcpy(s->to.bytes, to, state_size);
}

static void pack(const walk *w, void *memory, const sb_episode *e, state *s) {
    *s = (state){{0}};
    w->rule->pack(memory, e, s->bytes);
}

/* Fills `found` with all that the rule lets follow. */
static void ask_rule(walk *w) {
    const sb_packed_rule *r = w->rule;
    found.n = 0, state_size = r->state_size;
    if (r->expand) {
        r->expand(w->memory, w->here.bytes, NULL);
        return;
    }
    for (sb_action action = SB_NOOP; action <= SB_MOVE_RIGHT; action++) {
        successor s = {.to = w->here, .move = (uint32_t)action, .cost = 1};
        if (r->step(w->memory, s.to.bytes, action)) found.at[found.n++] = s;
    }
}

static uint64_t next_random(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

/* ---- Comparing ---- */

/* Fails with the state here, the one that the rule leads to, and the one of the task's step (NULL: none). */
static _Noreturn void fail_at(const walk *w, const char *what, uint32_t move, const state *rule,
                              const sb_episode *after) {
    char text[3][2 * STATE_MAX + 1] = {"", "", ""};
    state packed;
    if (after) pack(w, w->other, after, &packed);
    const state *all[3] = {&w->here, rule, after ? &packed : NULL};
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; all[k] && i < w->rule->state_size; i++) sprintf(text[k] + 2 * i, "%02x", all[k]->bytes[i]);
    fail_msg("%s/%s#%llu, step %d, move %u: %s\nhere %s\nrule %s\ntask %s", w->rule->task,
             sb_difficulty_names[w->e.difficulty], (unsigned long long)w->e.seed, (int)w->e.clock, (unsigned)move, what,
             text[0], text[1], text[2]);
    abort();
}

static bool agrees(walk *w, const state *s, const sb_episode *e) {
    state packed;
    if (w->rule->agrees) return w->rule->agrees(w->memory, s->bytes, e);
    pack(w, w->other, e, &packed);
    return memcmp(s->bytes, packed.bytes, w->rule->state_size) == 0;
}

static bool leaves_out(walk *w, const sb_episode *e) {
    state packed;
    if (!w->rule->leaves_out) return false;
    pack(w, w->other, e, &packed);
    return w->rule->leaves_out(w->rule->agrees ? w->memory : w->other, packed.bytes, e);
}

static const successor *found_by(uint32_t move) {
    for (int i = 0; i < found.n; i++)
        if (found.at[i].move == move) return &found.at[i];
    return NULL;
}

/* ---- Rules of single steps ---- */

/* An action that the rule leaves out must add nothing. */
static void check_left_out(walk *w, sb_action action, const sb_episode *after) {
    if (agrees(w, &w->here, after) || leaves_out(w, after)) return;
    for (int i = 0; i < found.n; i++)
        if (agrees(w, &found.at[i].to, after)) return;
    fail_at(w, "the rule leaves out an action that matters", (uint32_t)action, NULL, after);
}

/* Says what the two do differently; NULL if nothing. An episode may begin solved: then waiting wins. */
static const char *difference(walk *w, const successor *s, const sb_episode *after, const sb_result *result) {
    if (!s && result->success && !agrees(w, &w->here, after)) return "the rule leaves out an action that wins";
    if (!s || leaves_out(w, after)) return NULL;
    if (s->wins != result->success) return "only one of the two wins";
    if (result->terminated) return s->wins ? NULL : "the rule goes on where the episode ends";
    return agrees(w, &s->to, after) ? NULL : "the rule goes elsewhere";
}

static void check_action(walk *w, sb_action action) {
    sb_episode after;
    sb_result result;
    const successor *s = found_by((uint32_t)action);
    sb_episode_copy(&after, &w->e);
    sb_episode_step(&after, action, &result);
    if (result.truncated || (w->rule->step && result.success)) return; /* rules of `step` do not know what wins */
    w->compared[w->e.difficulty]++, w->won += result.success;
    const char *differs = difference(w, s, &after, &result);
    if (differs) fail_at(w, differs, (uint32_t)action, s ? &s->to : NULL, &after);
    if (!s && !result.terminated) check_left_out(w, action, &after);
}

static void check_actions(walk *w) {
    for (sb_action action = SB_NOOP; action <= SB_INTERACT; action++) check_action(w, action);
}

/* ---- Rules of pushes ---- */

/* All that follows if the agent walks on and then moves something: by playing copies of the episode. */
typedef struct survey {
    int n;
    sb_episode walked[SB_CELLS_MAX]; /* by steps walked */
    int steps[SB_CELLS_MAX];
    bool seen[SB_CELLS_MAX];
    successors pushes;
} survey;

static bool moves_nothing(const sb_episode *a, const sb_episode *b) {
    return memcmp(a->cells, b->cells, sizeof *a->cells * (size_t)sb_n_cells(a)) == 0;
}

static void note_push(walk *w, survey *v, const sb_episode *after, sb_action action, int cost, bool wins) {
    successor s = {.move = (uint32_t)action, .cost = cost, .wins = wins};
    pack(w, w->other, after, &s.to);
    for (int i = 0; i < v->pushes.n; i++)
        if (memcmp(v->pushes.at[i].to.bytes, s.to.bytes, w->rule->state_size) == 0)
            return; /* walks are shortest first */
    if (leaves_out(w, after)) return;
    assert_true(v->pushes.n < MOVES);
    v->pushes.at[v->pushes.n++] = s;
}

static void walk_on(walk *w, survey *v, int from, sb_action action) {
    sb_result result;
    sb_episode after;
    sb_episode_copy(&after, &v->walked[from]);
    sb_episode_step(&after, action, &result);
    const int at = sb_index(&after, after.agent.at);
    if (result.terminated && !result.success) return;
    if (!moves_nothing(&after, &w->e)) {
        note_push(w, v, &after, action, v->steps[from] + 1, result.success);
    } else if (!v->seen[at]) {
        v->seen[at] = true, v->steps[v->n] = v->steps[from] + 1;
        sb_episode_copy(&v->walked[v->n++], &after);
    }
}

static void look_around(walk *w, survey *v) {
    v->n = 1, v->steps[0] = 0, v->pushes.n = 0;
    memset(v->seen, 0, sizeof v->seen);
    sb_episode_copy(&v->walked[0], &w->e);
    v->walked[0].max_steps = 2 * SB_CELLS_MAX + w->e.clock;
    v->seen[sb_index(&w->e, w->e.agent.at)] = true;
    for (int i = 0; i < v->n; i++)
        for (sb_action action = SB_MOVE_UP; action <= SB_MOVE_RIGHT; action++) walk_on(w, v, i, action);
}

/* Finds the successor with this state that costs least; NULL if there is none. */
static const successor *cheapest(const successors *list, const successor *like, size_t size) {
    const successor *best = NULL;
    for (int i = 0; i < list->n; i++)
        if (memcmp(list->at[i].to.bytes, like->to.bytes, size) == 0 && (!best || list->at[i].cost < best->cost))
            best = &list->at[i];
    return best;
}

static void check_pushes(walk *w) {
    static survey v;
    look_around(w, &v);
    w->compared[w->e.difficulty] += (size_t)v.pushes.n;
    for (int i = 0; i < found.n; i++) {
        const successor *s = &found.at[i], *own = cheapest(&v.pushes, s, w->rule->state_size);
        if (!own) fail_at(w, "no walk and push leads there", s->move, &s->to, NULL);
        if (own->wins != s->wins) fail_at(w, "only one of the two wins", s->move, &s->to, NULL);
    }
    for (int i = 0; i < v.pushes.n; i++) {
        const successor *own = &v.pushes.at[i], *s = cheapest(&found, own, w->rule->state_size);
        if (!s) fail_at(w, "the rule leaves out a push", own->move, &own->to, NULL);
        if (s->cost != own->cost) fail_at(w, "the walk to the push is not as long", own->move, &own->to, NULL);
        w->won += own->wins;
    }
}

/* ---- Rules with draws ---- */

enum { SAMPLES = 256, VALUES = 1024, SIGMAS = 5 };

/* Counts over many samples of one step with draws: how often each number of the state had each value after it. */
typedef struct tally {
    int n_lost;
    int same[SB_PACKED_NUMBERS]; /* how often the number stayed as it was */
    int16_t times[SB_PACKED_NUMBERS][VALUES];
} tally;

static void count(const walk *w, void *memory, const state *s, tally *t) {
    int32_t numbers[SB_PACKED_NUMBERS], before[SB_PACKED_NUMBERS];
    const int n = w->rule->tell(memory, s->bytes, numbers), n_before = w->rule->tell(w->memory, w->here.bytes, before);
    for (int i = 0; i < n; i++) {
        assert_true(numbers[i] < VALUES);
        if (numbers[i] < 0) continue;
        t->times[i][numbers[i]]++;
        t->same[i] += i < n_before && numbers[i] == before[i];
    }
}

/* Counts what the task's steps lead to, with other draws every time. False if it may be a success, which rules with
 * draws do not know. */
static bool sample_task(walk *w, sb_action action, tally *t) {
    for (int i = 0; i < SAMPLES; i++) {
        sb_episode after;
        sb_result result;
        state packed;
        sb_episode_copy(&after, &w->e);
        if (after.task->reseed) after.task->reseed(&after, next_random(&w->draws));
        sb_episode_step(&after, action, &result);
        if (result.success || (result.truncated && !result.terminated)) return false;
        t->n_lost += result.terminated;
        if (result.terminated) continue;
        pack(w, w->other, &after, &packed);
        count(w, w->other, &packed, t);
    }
    return true;
}

static bool sample_rule(walk *w, sb_action action, tally *t) {
    sb_rng rng;
    sb_rng_seed(&rng, next_random(&w->draws), NULL);
    for (int i = 0; i < SAMPLES; i++) {
        state s = w->here;
        const sb_packed_outcome outcome = w->rule->draw(w->memory, s.bytes, action, &rng);
        if (outcome == SB_PACKED_SKIPPED) return false;
        t->n_lost += outcome == SB_PACKED_LOST;
        if (outcome == SB_PACKED_GOES_ON) count(w, w->memory, &s, t);
    }
    return true;
}

static bool are_far_apart(int64_t a, int64_t b) { return (a - b) * (a - b) > SIGMAS * SIGMAS * (a + b); }

static void check_tallies(const walk *w, sb_action action, const tally *task, const tally *rule) {
    const bool guesses = w->rule->guesses;
    if (are_far_apart(task->n_lost, rule->n_lost))
        fail_at(w, "they lose not equally often", (uint32_t)action, NULL, NULL);
    for (int i = 0; i < SB_PACKED_NUMBERS; i++)
        for (int v = 0; v < VALUES; v++) {
            const int a = task->times[i][v], b = rule->times[i][v];
            if (guesses ? b == 0 || a > 0 : !are_far_apart(a, b)) continue;
            print_error("number %d is %d: %d times by the task, %d times by the rule\n", i, v, a, b);
            fail_at(w, "the results differ", (uint32_t)action, NULL, NULL);
        }
}

/* All situations together show small differences of chances. */
static void check_sums(const walk *w) {
    for (int i = 0; i < SB_PACKED_NUMBERS && !w->rule->guesses; i++)
        if (are_far_apart(w->same[0][i], w->same[1][i]))
            fail_msg("%s: number %d stays as it was %lld times by the task, %lld times by the rule", w->rule->task, i,
                     (long long)w->same[0][i], (long long)w->same[1][i]);
}

static void check_draws(walk *w) {
    static tally task, rule;
    for (sb_action action = SB_NOOP; action <= SB_INTERACT; action++) {
        memset(&task, 0, sizeof task), memset(&rule, 0, sizeof rule);
        if (!sample_rule(w, action, &rule) || !sample_task(w, action, &task)) continue;
        check_tallies(w, action, &task, &rule);
        for (int i = 0; i < SB_PACKED_NUMBERS; i++) w->same[0][i] += task.same[i], w->same[1][i] += rule.same[i];
        w->compared[w->e.difficulty]++;
    }
}

/* ---- Walking ---- */

static void check_situation(walk *w) {
    if (w->rule->draw) {
        check_draws(w);
        return;
    }
    ask_rule(w);
    if (w->rule->pushes)
        check_pushes(w);
    else
        check_actions(w);
}

/* Takes an action in the episode, and in the state if the rule follows it. Returns false at the end of the episode. */
static bool go(walk *w, sb_action action) {
    sb_result result;
    const successor *s = found_by((uint32_t)action);
    sb_episode_step(&w->e, action, &result);
    if (result.terminated || result.truncated) return false;
    if (w->rule->agrees && s && agrees(w, &s->to, &w->e))
        w->here = s->to;
    else
        pack(w, w->memory, &w->e, &w->here);
    return true;
}

static void wander(walk *w) {
    pack(w, w->memory, &w->e, &w->here);
    for (int i = 0; i < effort.wander; i++) {
        check_situation(w);
        if (!go(w, (sb_action)(next_random(&w->draws) % SB_N_ACTIONS))) return;
    }
}

static void check_rollout(walk *w, const sb_episode *start, const char *digits) {
    const int n = (int)strlen(digits), turn = n ? (int)(next_random(&w->draws) % (uint64_t)n) : 0;
    sb_result result = {0};
    sb_episode_copy(&w->e, start);
    for (int i = 0; i < n && !result.terminated && !result.truncated; i++) {
        if (i == 0 || i % effort.every == (n - 1) % effort.every) {
            pack(w, w->memory, &w->e, &w->here);
            check_situation(w);
        }
        if (i == turn) {
            sb_episode kept;
            sb_episode_copy(&kept, &w->e);
            wander(w);
            sb_episode_copy(&w->e, &kept);
        }
        sb_episode_step(&w->e, digits[i] - '0', &result);
    }
}

static walk now;

static void check_recording(const cJSON *recording) {
    sb_error error;
    sb_name name;
    uint64_t seed;
    char text[SB_NAME_MAX];
    const cJSON *rollout;
    sb_env *env = sb_make(NULL, NULL, &error);
    assert_non_null(env);
    assert_ok(sb_json_uint(recording, "seed", &seed, &error), error);
    snprintf(text, sizeof text, "%s/%s#%llu", cJSON_GetObjectItem(recording, "task")->valuestring,
             cJSON_GetObjectItem(recording, "difficulty")->valuestring, (unsigned long long)seed);
    assert_ok(sb_name_parse(NULL, text, &name, &error), error);
    assert_ok(sb_reset_name(env, &name, &error), error);
    now.draws = seed;
    cJSON_ArrayForEach(rollout, cJSON_GetObjectItem(recording, "rollouts"))
        check_rollout(&now, sb_episode_of(env), cJSON_GetObjectItem(rollout, "actions")->valuestring);
    sb_free(env);
}

static void check_rule(const sb_packed_rule *rule) {
    char file[64];
    now = (walk){.rule = rule, .memory = calloc(1, rule->memory), .other = calloc(1, rule->memory)};
    assert_non_null(now.memory);
    assert_non_null(now.other);
    assert_true(rule->state_size <= STATE_MAX);
    snprintf(file, sizeof file, "%.*s.jsonl.gz", (int)strcspn(rule->task, "-"), rule->task);
    assert_true(each_vector(file, check_recording) > 0);
    print_message("%-24s", rule->task);
    for (int d = 0; d < SB_N_DIFFICULTIES; d++) {
        print_message("%8zu", now.compared[d]);
        assert_true(now.compared[d] > 0 || rule->guesses); /* those rules are not for all levels */
    }
    print_message("%8zu won\n", now.won);
    check_sums(&now);
    free(now.memory), free(now.other);
}

static void test_packed_rules_agree_with_the_steps_of_their_tasks(void **unused) {
    (void)unused;
    for (int i = 0; i < N_RULES; i++)
        if (!rules[i]->draw) check_rule(rules[i]);
}

static void test_rules_with_draws_lead_where_their_tasks_lead_as_often(void **unused) {
    (void)unused;
    effort = drawn_effort;
    for (int i = 0; i < N_RULES; i++)
        if (rules[i]->draw) check_rule(rules[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packed_rules_agree_with_the_steps_of_their_tasks),
        cmocka_unit_test(test_rules_with_draws_lead_where_their_tasks_lead_as_often),
    };
    effort = getenv("SEEDBED_NIGHTLY") ? (struct effort){1, 200}
             : TESTS_ARE_SLOW          ? (struct effort){40, 10}
                                       : (struct effort){8, 40};
    drawn_effort = getenv("SEEDBED_NIGHTLY") ? (struct effort){8, 20}
                   : TESTS_ARE_SLOW          ? (struct effort){1000, 0}
                                             : (struct effort){60, 2};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
