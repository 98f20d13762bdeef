/* Reasons: every claim is checked by the rules, by a walk of this file's own, and by playing the plan. */
#include "tests/support.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/env.h"
#include "engine/gridworld/episode.h"
#include "oracles/player.h"
#include "oracles/reasons.h"
#include "rollout/selection.h"
#include "seeds/rng.h"

static sb_error error;

static bool is_night(void) { return getenv("SEEDBED_NIGHTLY") != NULL; }

/* ---- A walk of its own ---- */

/* Gives the steps to a cell, or to beside it if it cannot be entered; -1: there is no walk. */
static int walk(const sb_env *env, sb_xy to) {
    const sb_xy size = sb_grid_size(env), from = sb_agent_position(env);
    const int n = size.x * size.y, goal = to.y * size.x + to.x;
    int far[SB_CELLS_MAX];
    for (int i = 0; i < n; i++) far[i] = -1;
    far[from.y * size.x + from.x] = 0;
    for (int d = 0; d <= n; d++)
        for (int i = 0; i < n; i++) {
            if (far[i] != d) continue;
            if (i == goal) return d;
            for (int k = 0; k < 4; k++) {
                const int x = i % size.x + (k == 0) - (k == 1), y = i / size.x + (k == 2) - (k == 3);
                if (x < 0 || y < 0 || x >= size.x || y >= size.y || far[y * size.x + x] >= 0) continue;
                if (sb_is_walkable(env, (sb_xy){x, y}))
                    far[y * size.x + x] = d + 1;
                else if (y * size.x + x == goal)
                    return d;
            }
        }
    return -1;
}

/* ---- Checking claims ---- */

/* A claimer with its costs. */
typedef struct teller {
    sb_costs *costs;
    sb_claimer *claimer;
} teller;

static teller open_teller(const char *agent) {
    teller t = {.costs = sb_costs_make(agent, &error)};
    assert_non_null(t.costs);
    assert_non_null(t.claimer = sb_claimer_make(agent, t.costs, &error));
    return t;
}

static void close_teller(const teller *t) { sb_claimer_free(t->claimer), sb_costs_free(t->costs); }

typedef struct checker {
    teller teller;
    sb_env *copy;
    int steps, claims, by_kind[SB_N_CLAIMS];
} checker;

static void fail_claim(const sb_env *env, const sb_claims *claims, const char *what) {
    char name[SB_NAME_MAX];
    sb_out text = sb_out_growing();
    sb_name_print(&env->name, name, sizeof name);
    sb_put_claims(&text, claims);
    sb_putc(&text, '\0');
    fail_msg("%s, step %d: %s\n%s", name, env->status.steps, what, text.data);
}

static void take(checker *k, const sb_action *actions, size_t n) {
    sb_result result;
    for (size_t i = 0; i < n; i++) assert_ok(sb_step(k->copy, actions[i], &result, &error), error);
}

static void start_again(checker *k, const sb_env *env) {
    assert_ok(sb_copy(k->copy, env, &error), error);
    sb_extend(k->copy, env->status.steps + 2048);
}

/* Plays the plan: it wins in as many steps as it says, and its stages fit into it. */
static void check_plan(checker *k, const sb_env *env, const sb_claims *claims, const sb_claim *c) {
    int32_t staged = 0;
    if (c->cost.kind != SB_COST_EXACT && c->cost.kind != SB_COST_BOUND && c->cost.kind != SB_COST_LATE) return;
    if (c->cost.steps != (int32_t)claims->n_actions) fail_claim(env, claims, "the plan has another length");
    start_again(k, env);
    take(k, claims->actions, claims->n_actions);
    if (!k->copy->status.success) fail_claim(env, claims, "the plan does not win");
    for (size_t i = 0; i < claims->n; i++)
        if (claims->of[i].kind == SB_CLAIM_STAGE) staged += claims->of[i].steps;
    if (staged > c->cost.steps) fail_claim(env, claims, "the stages are longer than the plan");
}

/* Whether a stage has no place where it ends: it only waits or keeps away, or it is taken up again later. */
static bool is_open(const sb_claims *claims, const sb_claim *c) {
    bool comes_again = false;
    for (size_t i = (size_t)c->number; i < claims->n && claims->of[i].kind == SB_CLAIM_STAGE; i++)
        comes_again |= strcmp(claims->of[i].what.verb, c->what.verb) == 0 &&
                       strcmp(claims->of[i].what.object, c->what.object) == 0;
    return comes_again || claims->stages > SB_STAGES_MAX || strncmp(c->what.verb, "wait", 4) == 0 ||
           strcmp(c->what.verb, "evade") == 0;
}

/* A stage that is done ends at its place or beside it, or there was another thing there than before: somebody who is
 * led may come back. */
static void check_stage(checker *k, const sb_env *env, const sb_claims *claims, const sb_claim *c) {
    size_t step = 0;
    if (c->what.at.x < 0 || claims->n_actions == 0 || is_open(claims, c)) return;
    start_again(k, env);
    for (int32_t i = 0; i + 1 < c->number; i++)
        take(k, claims->actions + step, (size_t)claims->of[i].steps), step += (size_t)claims->of[i].steps;
    const sb_object object = sb_object_at(k->copy, c->what.at);
    const int32_t metadata = sb_metadata_at(k->copy, c->what.at);
    bool changed = false;
    for (int32_t i = 0; i < c->steps; i++) {
        take(k, claims->actions + step++, 1);
        changed |= sb_object_at(k->copy, c->what.at) != object || sb_metadata_at(k->copy, c->what.at) != metadata;
    }
    if (sb_distance_to(k->copy, c->what.at) > 1 && !changed) fail_claim(env, claims, "the stage ends elsewhere");
}

/* What a stage brings about is so before and after it. */
static void check_effect(checker *k, const sb_env *env, const sb_claims *claims, const sb_claim *c) {
    size_t step = 0;
    start_again(k, env);
    for (int32_t i = 0; i + 1 < c->number; i++)
        take(k, claims->actions + step, (size_t)claims->of[i].steps), step += (size_t)claims->of[i].steps;
    const bool was = sb_object_at(k->copy, c->to) == c->was;
    const int32_t metadata = sb_metadata_at(k->copy, c->to);
    take(k, claims->actions + step, (size_t)claims->of[c->number - 1].steps);
    if (!was || sb_object_at(k->copy, c->to) != c->is ||
        (c->was == c->is && sb_metadata_at(k->copy, c->to) == metadata))
        fail_claim(env, claims, "a stage has another effect");
}

static void check_opening(checker *k, const sb_env *env, const sb_claims *claims, const sb_claim *c) {
    size_t step = 0;
    start_again(k, env);
    for (int32_t i = 0; i < c->number; i++) {
        if (walk(k->copy, c->to) >= 0) fail_claim(env, claims, "the way is open before");
        take(k, claims->actions + step, (size_t)claims->of[i].steps), step += (size_t)claims->of[i].steps;
    }
    if (walk(k->copy, c->to) < 0) fail_claim(env, claims, "the way is closed after");
}

static bool same_cell(sb_xy a, sb_xy b) { return a.x == b.x && a.y == b.y; }

static void check_claim(checker *k, const sb_env *env, sb_action action, const sb_claims *claims, const sb_claim *c) {
    start_again(k, env);
    take(k, &action, 1);
    switch (c->kind) {
    case SB_CLAIM_STAGE: check_stage(k, env, claims, c); break;
    case SB_CLAIM_EFFECT: check_effect(k, env, claims, c); break;
    case SB_CLAIM_AT:
        if (sb_object_at(env, c->to) != c->is) fail_claim(env, claims, "another object is there");
        break;
    case SB_CLAIM_WALK:
        if (walk(env, c->to) != c->steps) fail_claim(env, claims, "the walk has another length");
        break;
    case SB_CLAIM_BLOCKED:
        if (walk(env, c->to) >= 0) fail_claim(env, claims, "the way is open");
        break;
    case SB_CLAIM_OPENS: check_opening(k, env, claims, c); break;
    case SB_CLAIM_PLAN: check_plan(k, env, claims, c); break;
    case SB_CLAIM_MOVES:
    case SB_CLAIM_STAYS:
        if (!same_cell(c->from, sb_agent_position(env)) || !same_cell(c->to, sb_agent_position(k->copy)) ||
            same_cell(c->from, c->to) != (c->kind == SB_CLAIM_STAYS))
            fail_claim(env, claims, "the move leads elsewhere");
        break;
    case SB_CLAIM_CHANGES:
        if (c->was == c->is || sb_object_at(env, c->to) != c->was || sb_object_at(k->copy, c->to) != c->is)
            fail_claim(env, claims, "the move changes something else");
        break;
    default: break;
    }
    k->claims++, k->by_kind[c->kind]++;
}

/* ---- Checking words ---- */

/* All numbers that the claims tell. */
typedef struct numbers {
    double of[1024];
    size_t n;
} numbers;

static void allow(numbers *all, double number) {
    if (all->n < sizeof all->of / sizeof *all->of) all->of[all->n++] = number;
}

static numbers numbers_of(const sb_claims *claims) {
    numbers all = {0};
    int32_t steps = 0, staged = 0;
    allow(&all, SB_COST_FUTURES), allow(&all, claims->stages - 4), allow(&all, claims->stages - SB_STAGES_TRACED);
    for (size_t i = 0; i < claims->n; i++)
        if (claims->of[i].kind == SB_CLAIM_PLAN) steps = claims->of[i].cost.steps;
    for (size_t i = 0; i < claims->n && claims->of[i].kind == SB_CLAIM_STAGE; i++)
        allow(&all, staged += claims->of[i].steps);
    for (size_t i = 0; i < claims->n; i++) {
        const sb_claim *c = &claims->of[i];
        const double told[] = {c->steps,
                               c->what.at.x,
                               c->what.at.y,
                               c->to.x,
                               c->to.y,
                               c->cost.success * SB_COST_FUTURES,
                               c->cost.steps,
                               c->cost.mean,
                               abs(c->cost.steps - steps),
                               c->number,
                               c->to.x - c->from.x,
                               c->to.y - c->from.y};
        for (size_t k = 0; k < sizeof told / sizeof *told; k++) allow(&all, told[k]);
        for (const char *at = c->what.object; *at; at++) /* `tile marked 6` */
            if (isdigit((unsigned char)*at)) allow(&all, atof(at));
    }
    return all;
}

static bool is_told(const numbers *all, double number) {
    for (size_t i = 0; i < all->n; i++)
        if (fabs(fabs(all->of[i]) - number) <= 0.05 + 1e-9) return true;
    return false;
}

static void put_words(sb_out *out, const sb_env *env, const sb_claims *claims, const sb_reason_wording *wording) {
    sb_out_clear(out);
    sb_put_reason(out, env, claims, wording);
    sb_putc(out, '\0');
    assert_true(sb_out_ok(out));
}

/* Numbers in the words are those of the claims, but those in names of things and actions. Without places there is no
 * coordinate. */
static void check_words(const sb_env *env, const sb_claims *claims, sb_depth depth) {
    sb_out text = sb_out_growing();
    const numbers all = numbers_of(claims);
    for (int k = 0; k < 2; k++) {
        put_words(&text, env, claims, &(sb_reason_wording){depth, (uint64_t)env->status.steps, k == 0});
        for (const char *at = text.data; *at; at++) {
            char *end;
            const bool begins = at == text.data || strchr(" (,", at[-1]);
            if (!isdigit((unsigned char)*at) || !begins) continue;
            if (!is_told(&all, strtod(at, &end))) fail_claim(env, claims, text.data);
            at = end - 1;
        }
        if (k && strchr(text.data, '(')) fail_claim(env, claims, text.data);
    }
    sb_out_free(&text);
}

/* A reason has at least three claims, one of them about another move. */
static void check_step(checker *k, const sb_env *env, sb_action action, const sb_intent *why) {
    const sb_depth depth = k->steps % 2 ? SB_DEPTH_SEARCH : SB_DEPTH_PLAN;
    sb_claims claims;
    bool others = false;
    assert_ok(sb_claims_find(k->teller.claimer, env, action, why, depth, &claims, &error), error);
    for (size_t i = 0; i < claims.n; i++) {
        check_claim(k, env, action, &claims, &claims.of[i]);
        others |= claims.of[i].kind == SB_CLAIM_INSTEAD && claims.of[i].cost.action != action;
    }
    if (claims.n < 3 || !others) fail_claim(env, &claims, "there are too few claims");
    check_words(env, &claims, depth);
    k->steps++;
}

static void play(checker *k, const sb_name *name, sb_rng *rng, int most) {
    sb_env *env = sb_make(NULL, NULL, &error);
    sb_player *expert = sb_player_make("expert", &error);
    sb_result result;
    assert_true(env && expert);
    assert_ok(sb_reset_name(env, name, &error), error);
    assert_ok(sb_player_begin(expert, env, &error), error);
    assert_ok(sb_copy(k->copy, env, &error), error);
    if (env->family->reseed(k->copy, 0) && strcmp(name->difficulty, "easy") != 0) most = is_night() ? most : 0;
    while (!env->status.done && k->steps < most) {
        sb_action action = sb_player_act(expert, env);
        if (sb_random(rng) < 0.3) check_step(k, env, action, sb_player_intent(expert));
        if (sb_random(rng) < 0.15) action = (sb_action)sb_integers(rng, 0, SB_N_ACTIONS);
        assert_ok(sb_step(env, action, &result, &error), error);
    }
    sb_player_free(expert), sb_free(env);
}

/* Whether a task belongs to the part that SEEDBED_PART names, as in `2/6`; without one, all do. The whole takes longer
 * than a part of the night. */
static bool is_in_part(int task) {
    const char *text = getenv("SEEDBED_PART");
    int part = 1, of = 1;
    if (text && sscanf(text, "%d/%d", &part, &of) != 2) fail_msg("SEEDBED_PART is no part: %s", text);
    return task % of == part - 1;
}

static void every_claim_is_true(void **state) {
    (void)state;
    int task = 0;
    static const char *const kinds[SB_N_CLAIMS] = {"stage", "effect", "at",    "walk",    "blocked", "opens",
                                                   "plan",  "moves",  "stays", "changes", "instead"};
    checker k = {.teller = open_teller("expert"), .copy = sb_make(NULL, NULL, &error)};
    assert_non_null(k.copy);
    for (const sb_oracle *const *o = sb_oracles; *o; o++) {
        sb_selection selection;
        sb_rng rng;
        if (strcmp((*o)->family, "agentick") != 0 || strcmp((*o)->name, "expert") != 0) continue;
        if (!is_in_part(task++)) continue;
        const sb_request request = {.tasks = (*o)->task, .split = "train", .count = is_night() ? 200 : 1};
        assert_ok(sb_select(&request, &selection, &error), error);
        sb_rng_seed(&rng, 1, NULL);
        k.steps = 0;
        for (size_t i = 0; i < selection.n; i++) {
            sb_name name;
            play(&k, sb_selection_name(&selection, i, &name), &rng, is_night() ? 2000 : (int)i + 1);
        }
        sb_selection_free(&selection);
        if (is_night()) print_message("%s: %d steps\n", (*o)->task, k.steps);
    }
    for (int i = 0; i < SB_N_CLAIMS; i++) {
        print_message("%s: %d\n", kinds[i], k.by_kind[i]);
        assert_true(k.by_kind[i] > 0 || getenv("SEEDBED_PART"));
    }
    close_teller(&k.teller), sb_free(k.copy);
}

/* In ResourceManagement time alone wins, also on the way to a station. */
static void a_stage_that_the_win_comes_before_is_not_told(void **state) {
    enum { SEEDS = 8, LEFT = 12 };
    checker k = {.teller = open_teller("expert"), .copy = sb_make(NULL, NULL, &error)};
    sb_env *env = sb_make(NULL, NULL, &error);
    sb_player *expert = sb_player_make("expert", &error);
    sb_result result;
    (void)state;
    assert_true(k.copy && env && expert);
    for (int seed = 0; seed < SEEDS; seed++) {
        char name[SB_NAME_MAX];
        snprintf(name, sizeof name, "ResourceManagement-v0/easy#%d", seed);
        assert_ok(sb_reset(env, name, &error), error);
        assert_ok(sb_player_begin(expert, env, &error), error);
        while (!env->status.done) {
            const sb_action action = sb_player_act(expert, env);
            if (env->status.steps + LEFT >= env->status.max_steps)
                check_step(&k, env, action, sb_player_intent(expert));
            assert_ok(sb_step(env, action, &result, &error), error);
        }
    }
    assert_true(k.steps >= SEEDS);
    close_teller(&k.teller), sb_player_free(expert), sb_free(env), sb_free(k.copy);
}

/* ---- Wording ---- */

static sb_claims claims_at_start(const char *name, sb_env **env, teller *t) {
    sb_claims claims;
    sb_player *expert = sb_player_make("expert", &error);
    *env = sb_make(NULL, name, &error), *t = open_teller("expert");
    assert_true(*env && expert);
    assert_ok(sb_player_begin(expert, *env, &error), error);
    const sb_action action = sb_player_act(expert, *env);
    assert_ok(sb_claims_find(t->claimer, *env, action, sb_player_intent(expert), SB_DEPTH_PLAN, &claims, &error),
              error);
    sb_player_free(expert);
    return claims;
}

static void words_vary_by_the_seed_alone(void **state) {
    (void)state;
    sb_env *env;
    teller t;
    char *seen[32];
    size_t n = 0;
    sb_out text = sb_out_growing();
    const sb_claims claims = claims_at_start("KeyDoorPuzzle/medium#3", &env, &t);
    for (uint64_t seed = 0; seed < 32; seed++) {
        bool is_new = true;
        put_words(&text, env, &claims, &(sb_reason_wording){SB_DEPTH_PLAN, seed, true});
        for (size_t i = 0; i < n; i++) is_new &= strcmp(seen[i], text.data) != 0;
        if (is_new) assert_non_null(seen[n++] = strdup(text.data));
    }
    assert_true(n > 28);
    put_words(&text, env, &claims, &(sb_reason_wording){SB_DEPTH_PLAN, 0, true});
    assert_string_equal(text.data, seen[0]);
    while (n) free(seen[--n]);
    sb_out_free(&text), close_teller(&t), sb_free(env);
}

static void a_plan_is_told_in_order(void **state) {
    (void)state;
    sb_env *env;
    teller t;
    sb_out text = sb_out_growing();
    const sb_claims claims = claims_at_start("KeyDoorPuzzle/easy#4", &env, &t);
    put_words(&text, env, &claims, &(sb_reason_wording){SB_DEPTH_PLAN, 0, true});
    const char *key = strstr(text.data, "fetch the "), *door = strstr(text.data, "unlock the "),
               *goal = strstr(text.data, "go to the goal");
    assert_true(key && door && goal && key < door && door < goal);
    sb_out_free(&text), close_teller(&t), sb_free(env);
}

static void what_is_lost_has_a_reason_too(void **state) {
    (void)state;
    sb_env *env = sb_make(NULL, "SokobanPush/medium#1", &error);
    const teller t = open_teller("expert");
    sb_out text = sb_out_growing();
    sb_rng rng;
    sb_rng_seed(&rng, 4, NULL);
    assert_non_null(env);
    for (bool is_lost = false; !is_lost;) {
        sb_result result;
        sb_claims claims;
        sb_cost left;
        if (env->status.done) assert_ok(sb_reset_name(env, &env->name, &error), error);
        assert_ok(sb_step(env, (sb_action)sb_integers(&rng, 0, SB_N_ACTIONS), &result, &error), error);
        if (env->status.done) continue;
        assert_ok(sb_costs_left(t.costs, env, &left, &error), error);
        is_lost = left.kind == SB_COST_LOST;
        if (!is_lost) continue;
        assert_ok(sb_claims_find(t.claimer, env, SB_NOOP, &(sb_intent){0}, SB_DEPTH_PLAN, &claims, &error), error);
        put_words(&text, env, &claims, &(sb_reason_wording){SB_DEPTH_PLAN, 1, true});
        assert_true(claims.n_actions == 0 && claims.n >= 3);
        put_words(&text, env, &claims, &(sb_reason_wording){SB_DEPTH_PLAN, 1, true});
        assert_true(strstr(text.data, "win") || strstr(text.data, "won") || strstr(text.data, "lost"));
    }
    sb_out_free(&text), close_teller(&t), sb_free(env);
}

static void what_is_no_choice_has_no_reason(void **state) {
    (void)state;
    sb_env *env = sb_make(NULL, "TagHunt/easy#1", &error);
    const teller observer = open_teller("observer"), expert = open_teller("expert");
    sb_claims claims;
    assert_non_null(env);
    assert_error(sb_claims_find(observer.claimer, env, 0, &(sb_intent){0}, SB_DEPTH_PLAN, &claims, &error), &error,
                 SB_INVALID, "not shown everything");
    assert_ok(sb_claims_find(expert.claimer, env, 17, &(sb_intent){0}, SB_DEPTH_PLAN, &claims, &error), error);
    assert_int_equal(claims.n, 0);
    close_teller(&observer), close_teller(&expert), sb_free(env);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_is_true),
        cmocka_unit_test(a_stage_that_the_win_comes_before_is_not_told),
        cmocka_unit_test(words_vary_by_the_seed_alone),
        cmocka_unit_test(a_plan_is_told_in_order),
        cmocka_unit_test(what_is_lost_has_a_reason_too),
        cmocka_unit_test(what_is_no_choice_has_no_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
