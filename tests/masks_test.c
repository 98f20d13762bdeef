/* The mask of effective actions is sound: it masks an action only if that does no more than a noop, whatever the rules
 * hide and whatever will be drawn. So it tells nothing that observations do not tell, and forbids no shortest solution.
 *
 * SEEDBED_NIGHTLY: more episodes, every state, all difficulties in the search, and a table of how often it masks. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/gridworld/gridworld.h"
#include "engine/lookup.h"
#include "engine/minigrid/world.h"
#include "generators/agentick/generalization/distribution_shift.h"
#include "generators/agentick/multi_agent/cooperative_transport.h"
#include "generators/autumn/challenges/test.h"
#include "oracles/player.h"
#include "rollout/selection.h"
#include "tests/testfamily/toy.h"

enum { TEXT_MAX = 1 << 18, RESEEDS = 2 };

static bool is_nightly(void) { return getenv("SEEDBED_NIGHTLY"); }

/* Environments that every check uses again. */
static sb_env *env, *acted, *waited, *masked;

static int make_all(void **state) {
    sb_error error;
    (void)state;
    sb_env **const all[] = {&env, &acted, &waited, &masked};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!(*all[i] = sb_make(NULL, NULL, &error))) return -1;
    return 0;
}

static int free_all(void **state) {
    (void)state;
    sb_free(env), sb_free(acted), sb_free(waited), sb_free(masked);
    return 0;
}

static void copy(sb_env *to, const sb_env *from) {
    sb_error error;
    assert_ok(sb_copy(to, from, &error), error);
}

static sb_result take(sb_env *on, sb_action action) {
    sb_error error;
    sb_result result = {0};
    if (!sb_step(on, action, &result, &error) && !result.fault) fail_msg("%s", error.text);
    return result;
}

/* Returns the action that does nothing; -1: every action does something. */
static sb_action noop_of(const sb_env *on) {
    static const char *const names[] = {"noop", "done"};
    sb_action action;
    for (size_t i = 0; i < 2; i++)
        if (on->family->parse_action(on, names[i], &action)) return action;
    return -1;
}

/* ---- A masked action does what a noop does ---- */

static void complain(sb_action action, const char *what) {
    char name[64];
    sb_action_name(env, action, name, sizeof name);
    fail_msg("%s:%s/%s#%llu, step %d: %s is masked, but %s", env->family->name, env->name.task, env->name.difficulty,
             (unsigned long long)env->name.seed, env->status.steps, name, what);
}

static bool same_texts(const sb_env *a, const sb_env *b) {
    static char text[TEXT_MAX], other[TEXT_MAX];
    for (size_t m = 0; m < a->family->n_modes; m++) {
        const sb_mode *mode = &a->family->modes[m];
        sb_observe(a, mode, text, sizeof text), sb_observe(b, mode, other, sizeof other);
        if (strcmp(text, other) != 0) return false;
    }
    return true;
}

/* The state as a whole, where it is one block: hidden variables and what only rewards read, too. */
static bool same_bytes(const sb_env *a, const sb_env *b) {
    if (a->family == &toy_family) return true;
    if (sb_mg_world_of(a)) return memcmp(a->state, b->state, sizeof(sb_mg_world)) == 0;
    const sb_episode *e = sb_episode_of(a), *f = sb_episode_of(b);
    return !e || (memcmp((const char *)e + offsetof(sb_episode, seed), (const char *)f + offsetof(sb_episode, seed),
                         offsetof(sb_episode, vars) - offsetof(sb_episode, seed) + e->task->vars_size) == 0 &&
                  memcmp(e->cells, f->cells, sizeof *e->cells * (size_t)sb_n_cells(e)) == 0);
}

static bool same_result(const sb_result *a, const sb_result *b) {
    return a->reward == b->reward && a->dense == b->dense && a->terminated == b->terminated &&
           a->truncated == b->truncated && a->success == b->success && a->fault == b->fault;
}

static bool same_key(const sb_env *a, const sb_env *b) {
    uint64_t key[2], other[2];
    sb_key(a, key), sb_key(b, other);
    return memcmp(key, other, sizeof key) == 0;
}

/* In a challenge, an action that does not belong to the phase only counts. */
static bool only_counts(const sb_env *from, sb_action action) {
    if (from->family->tests == NULL || !sb_autumn_episode_of(from)->test) return false;
    const sb_autumn_test *before = sb_autumn_episode_of(from)->test;
    copy(acted, from);
    const sb_result result = take(acted, action);
    const sb_autumn_test *after = sb_autumn_episode_of(acted)->test;
    const bool is_over = before->steps + 1 >= sb_autumn_phase_limit(before);
    uint64_t key[2], other[2];
    if (!sb_autumn_hash(sb_autumn_state_of(from), true, key) || !sb_autumn_hash(sb_autumn_state_of(acted), true, other))
        return false;
    return is_over || (result.reward == 0 && !result.terminated && !result.fault && after->phase == before->phase &&
                       after->at == before->at && after->n_frames == before->n_frames &&
                       after->resets == before->resets && memcmp(key, other, sizeof key) == 0);
}

/* `shows`: compares observations, too, which takes longest. */
static void check_action(const sb_env *from, sb_action action, sb_action noop, bool shows) {
    sb_result result, other = {.truncated = from->status.steps + 1 >= from->status.max_steps};
    copy(acted, from), copy(waited, from);
    result = take(acted, action);
    if (noop >= 0) other = take(waited, noop);
    const bool same = same_result(&result, &other) && same_key(acted, waited);
    if (!same && only_counts(from, action)) return;
    if (!same_result(&result, &other)) complain(action, "earns or ends something else than a noop");
    if (!same_key(acted, waited)) complain(action, "leaves another state than a noop");
    if (noop < 0) return;
    if (!same_bytes(acted, waited)) complain(action, "leaves other bytes than a noop");
    if (shows && !same_texts(acted, waited)) complain(action, "shows something else than a noop");
}

/* An entry for clicks stands for all of them; some are tried. */
static void check_entry(const sb_env *from, size_t entry, sb_action noop, bool shows) {
    const sb_action first = (sb_action)entry, n = from->n_actions - from->shape.n_buttons;
    check_action(from, first, noop, shows);
    if (first < from->shape.n_buttons) return;
    for (sb_action click = n / 7; click < n; click += n / 3 + 1) check_action(from, first + click, noop, shows);
}

/* ---- A mask tells nothing that is hidden ---- */

static void assert_masks_the_same(const sb_env *other, const bool *mask, size_t n, const char *what) {
    bool entries[SB_MASK_MAX];
    assert_int_equal(sb_action_mask(other, entries, SB_MASK_MAX), n);
    for (size_t i = 0; i < n; i++)
        if (entries[i] != mask[i]) {
            char name[64];
            sb_action_name(env, (sb_action)i, name, sizeof name);
            fail_msg("%s:%s/%s#%llu, step %d: the mask of %s depends on %s", env->family->name, env->name.task,
                     env->name.difficulty, (unsigned long long)env->name.seed, env->status.steps, name, what);
        }
}

static void reseed(sb_env *to, uint64_t seed) {
    const sb_episode *e = sb_episode_of(to);
    if (e && e->task->reseed) e->task->reseed(to->state, seed);
}

/* What is hidden is overwritten, and other futures are drawn. There, too, masked actions are noops. */
static void check_hidden(const bool *mask, size_t n, sb_action noop) {
    const bool plays_on = env->family->hide && sb_episode_of(env);
    for (uint64_t seed = 0; seed < RESEEDS; seed++) {
        copy(masked, env);
        if (seed && !sb_episode_of(env)) break;
        if (seed == 0 && env->family->hide)
            env->family->hide(masked);
        else
            reseed(masked, seed);
        assert_masks_the_same(masked, mask, n, "what is hidden");
        for (size_t i = 0; plays_on && i < n; i++)
            if (!mask[i]) check_entry(masked, i, noop, false);
    }
}

/* ---- Plays ---- */

/* How often something was masked, for the table. */
typedef struct count {
    uint64_t states, masked, entries, entries_masked, published;
    double seconds;
} count;

static double seconds_of_mask(void) {
    enum { CALLS = 200 };
    struct timespec a, b;
    bool mask[SB_MASK_MAX];
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    for (int i = 0; i < CALLS; i++) sb_action_mask(env, mask, SB_MASK_MAX);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    return ((double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec)) / CALLS;
}

static void add(count *c, const bool *mask, size_t n) {
    bool valid[SB_MASK_MAX];
    uint64_t here = 0;
    sb_valid_mask(env, valid, SB_MASK_MAX);
    for (size_t i = 0; i < n; i++) here += !mask[i], c->published += !valid[i];
    c->states++, c->entries += n;
    c->masked += here > 0, c->entries_masked += here;
    if (is_nightly()) c->seconds += seconds_of_mask();
}

static void check_state(count *c) {
    bool mask[SB_MASK_MAX];
    const sb_action noop = noop_of(env);
    const size_t n = sb_action_mask(env, mask, SB_MASK_MAX);
    add(c, mask, n);
    if (noop >= 0 && !mask[noop]) complain(noop, "it is the noop");
    for (size_t i = 0; i < n; i++)
        if (!mask[i]) check_entry(env, i, noop, env->status.steps % 8 == 0);
    check_hidden(mask, n, noop);
}

/* Plays with the agent, which now and then acts at random, so that also what an expert would never do is tried. */
static void play(const sb_name *name, const char *agent, int32_t most, count *c) {
    sb_player player = {0};
    sb_error error;
    assert_ok(sb_reset_name(env, name, &error), error);
    assert_ok(sb_player_begin_as(&player, agent, env, &error), error);
    sb_rng rng = sb_draws_of(name, "masks");
    const bool strays = player.random || player.oracle->sees != SB_SEES_OBSERVATIONS || !player.oracle->remembers;
    while (!env->status.done && env->status.steps < most) {
        const bool at_random = strays && sb_random(&rng) < 0.3;
        check_state(c);
        const sb_action own = at_random ? 0 : sb_player_act(&player, env);
        take(env, at_random ? sb_random_action(env, &rng) : own);
    }
    sb_player_clear(&player);
}

static const char *teacher_of(const sb_family *family, const char *task) {
    const char *const names[] = {"expert", "observer"};
    for (size_t i = 0; i < 2; i++)
        if (sb_oracle_find(family->name, task, names[i])) return names[i];
    return "random";
}

static void print_count(const char *what, const count *c) {
    if (!is_nightly() || !c->states) return;
    const double n = (double)c->states;
    printf("| %s | %.1f | %.2f | %.2f | %.2f |\n", what, 100 * (double)c->masked / n, (double)c->entries_masked / n,
           (double)c->published / n, 1e6 * c->seconds / n);
}

/* Plays episodes of every task and difficulty of a family that need no pack. Returns in how many states something was
 * masked. */
static uint64_t check_family(const sb_family *family, int episodes, int32_t most) {
    uint64_t n_masked = 0;
    if (is_nightly())
        printf("| %s | states with something masked, %% | entries masked | by the published list | us |\n",
               family->name);
    for (size_t i = 0; i < family->n_tasks; i++) {
        const sb_task_info *info = family->task(i);
        count c = {0};
        for (size_t d = 0; d < family->n_difficulties; d++)
            for (int k = 0; k < (is_nightly() ? 3 * episodes : episodes); k++) {
                if (sb_is_derived(family, info, d)) continue;
                sb_name name = {.seed = 1000 + (uint64_t)k};
                snprintf(name.family, sizeof name.family, "%s", family->name);
                snprintf(name.task, sizeof name.task, "%s", info->name);
                snprintf(name.difficulty, sizeof name.difficulty, "%s", family->difficulties[d]);
                play(&name, k % 2 ? "random" : teacher_of(family, info->name), is_nightly() ? 3 * most : most, &c);
            }
        print_count(info->name, &c);
        n_masked += c.masked;
    }
    return n_masked;
}

static const sb_family *family_of(const char *name) {
    sb_error error;
    const sb_family *family = sb_family_find(name, &error);
    assert_ok(family, error);
    return family;
}

static void test_gridworlds(void **state) {
    (void)state;
    assert_true(check_family(family_of("agentick"), 2, 60) > 0);
}

static void test_babyai(void **state) {
    (void)state;
    assert_true(check_family(family_of("babyai"), TESTS_ARE_SLOW ? 2 : 4, 80) > 0);
}

static void test_programs(void **state) {
    (void)state;
    assert_true(check_family(family_of("autumn"), 1, 12) > 0);
}

static void test_games(void **state) {
    (void)state;
    assert_true(check_family(family_of("arc"), 1, 20) > 0);
}

static void test_test_families(void **state) {
    (void)state;
    assert_true(check_family(family_of("toy"), 4, 40) > 0);
    assert_int_equal(check_family(family_of("climb"), 4, 40), 0); /* there every press counts */
}

/* Every phase of every kind of challenge: the test begins early in the second play. */
static void test_challenges(void **state) {
    static const char *const names[] = {"autumn:Seesaw/mfp-1#1", "autumn:Seesaw/planning-2#1",
                                        "autumn:Basket/change-1#1"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int begins_test = 0; begins_test < 2; begins_test++) {
            sb_error error;
            count c = {0};
            assert_ok(sb_reset(env, names[i], &error), error);
            sb_rng rng = sb_draws_of(&env->name, "masks");
            if (begins_test) take(env, SB_AUTUMN_GO_TO_TEST);
            while (!env->status.done && c.states < 40) {
                check_state(&c);
                sb_action action = (sb_action)sb_integers(&rng, 0, env->shape.n_buttons);
                if (action == SB_AUTUMN_QUIT || (action >= SB_AUTUMN_DECLARE && c.states < 20))
                    action = env->shape.n_buttons + (sb_action)sb_integers(&rng, 0, 9);
                take(env, action);
            }
            assert_true(c.masked > 0);
            print_count(names[i], &c);
        }
}

/* What the changed program of a test reads is hidden, so in the test no key is masked. */
static void test_a_changed_program_masks_no_key(void **state) {
    (void)state;
    bool mask[SB_MASK_MAX];
    sb_error error;
    assert_ok(sb_reset(env, "autumn:Basket/change-1#1", &error), error);
    int n_masked = 0;
    sb_action_mask(env, mask, SB_MASK_MAX);
    for (int key = 0; key < SB_AUTUMN_N_BUTTONS; key++) n_masked += !mask[key];
    assert_true(n_masked > 0);
    take(env, SB_AUTUMN_GO_TO_TEST);
    sb_action_mask(env, mask, SB_MASK_MAX);
    for (int key = 0; key < SB_AUTUMN_N_BUTTONS; key++) assert_true(mask[key]);
    assert_true(mask[env->shape.n_buttons]);
}

/* ---- Cases that plays seldom reach ---- */

static bool masks(const sb_env *on, sb_action action) {
    bool mask[SB_MASK_MAX];
    sb_action_mask(on, mask, SB_MASK_MAX);
    return !mask[action];
}

/* A lever that was pulled does nothing more, but a barrier looks like any wall. */
static void test_a_lever_stays_unmasked(void **state) {
    (void)state;
    sb_error error;
    assert_ok(sb_reset(env, "DistributionShift-v0/easy#7", &error), error);
    sb_episode *e = env->state;
    sb_distribution_shift_vars *v = SB_VARS(e);
    v->phase[0].kind = SB_PHASE_LEVER_BARRIER, v->barrier_open = true;
    sb_set_object(e, sb_beside(e->agent.at, (sb_direction)e->agent.facing), SB_LEVER, 0);
    assert_false(masks(env, SB_INTERACT));
    copy(masked, env);
    env->family->hide(masked);
    assert_false(masks(masked, SB_INTERACT));
    sb_set_object(e, sb_beside(e->agent.at, (sb_direction)e->agent.facing), SB_NONE, 0);
    assert_true(masks(env, SB_INTERACT));
}

/* An invisible box stops the box that is pushed onto it, and the agent cannot know. */
static void test_a_push_into_an_invisible_box_stays_unmasked(void **state) {
    (void)state;
    sb_error error;
    assert_ok(sb_reset(env, "CooperativeTransport-v0/medium#1", &error), error);
    sb_episode *e = env->state;
    sb_cooperative_transport_vars *v = SB_VARS(e);
    for (int i = 0; i < sb_n_cells(e); i++)
        if (sb_interior(e, sb_xy_of(e, i))) e->cells[i] = (sb_cell){.terrain = SB_EMPTY};
    e->agent.at = sb_at(3, 3), e->agent.facing = SB_EAST;
    v->box[0] = sb_at(4, 3), v->box[1] = sb_at(5, 3), v->helper = sb_at(4, 4);
    sb_set_object(e, v->box[0], SB_BOX, 0), sb_set_object(e, v->helper, SB_NPC, SB_SOUTH);
    for (int helps = 0; helps < 2; helps++) {
        assert_false(masks(env, SB_MOVE_RIGHT));
        copy(masked, env);
        env->family->hide(masked);
        assert_false(masks(masked, SB_MOVE_RIGHT));
        v->helper = sb_at(8, 8);
    }
    sb_set_object(e, v->box[1], SB_BOX, 0); /* now all that matters is seen: nobody helps */
    assert_true(masks(env, SB_MOVE_RIGHT));
}

/* What is in the fog may be a wall or not. */
static void test_fog_masks_nothing(void **state) {
    (void)state;
    sb_error error;
    assert_ok(sb_reset(env, "FogOfWarExploration-v0/easy#7", &error), error);
    sb_episode *e = env->state;
    sb_cell *ahead = sb_cell_at(e, sb_beside(e->agent.at, (sb_direction)e->agent.facing));
    const sb_action move = sb_move_of((sb_direction)e->agent.facing);
    *ahead = (sb_cell){.terrain = SB_WALL};
    assert_true(masks(env, move));
    ahead->metadata = SB_FOG;
    assert_false(masks(env, move));
}

/* Begins the first episode of a level whose mission is about a thing of this type. */
static sb_mg_world *begin_mission(const char *level, sb_mg_type type) {
    for (int seed = 1;; seed++) {
        sb_error error;
        char name[SB_NAME_MAX];
        snprintf(name, sizeof name, "babyai:%s#%d", level, seed);
        assert_ok(sb_reset(env, name, &error), error);
        sb_mg_world *w = env->state;
        if (w->mission.part[0].single[0].what.type == type) return w;
    }
}

/* Missions count some attempts that change nothing in the world: a box may have been destroyed before the drop, a ball
 * may have been carried before the mission looked. */
static void test_attempts_that_count_stay_unmasked(void **state) {
    static const struct {
        const char *level;
        sb_mg_type about, carried; /* carried: SB_MG_UNSEEN is nothing */
        sb_mg_action action;
        bool masked;
    } cases[] = {{"GoToLocal", SB_MG_BALL, SB_MG_UNSEEN, SB_MG_DROP, true},
                 {"GoToLocal", SB_MG_BOX, SB_MG_UNSEEN, SB_MG_DROP, false},
                 {"GoToLocal", SB_MG_BALL, SB_MG_KEY, SB_MG_DROP, true},
                 {"GoToLocal", SB_MG_BALL, SB_MG_BALL, SB_MG_DROP, false},
                 {"GoToLocal", SB_MG_BALL, SB_MG_KEY, SB_MG_PICKUP, true},
                 {"PickupLoc", SB_MG_BALL, SB_MG_KEY, SB_MG_PICKUP, false},
                 {"PickupLoc", SB_MG_BALL, SB_MG_UNSEEN, SB_MG_PICKUP, true},
                 {"PutNextLocal", SB_MG_BALL, SB_MG_KEY, SB_MG_PICKUP, false},
                 {"GoToLocal", SB_MG_BALL, SB_MG_UNSEEN, SB_MG_TOGGLE, true},
                 {"OpenDoor", SB_MG_DOOR, SB_MG_UNSEEN, SB_MG_TOGGLE, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_mg_world *w = begin_mission(cases[i].level, cases[i].about);
        const sb_xy front = sb_mg_front(w);
        if (sb_mg_is_object(sb_mg_id_at(w, front))) sb_mg_remove(w, sb_mg_id_at(w, front));
        if (cases[i].action == SB_MG_TOGGLE && cases[i].about == SB_MG_DOOR) {
            const int door = sb_mg_make_object(w, SB_MG_DOOR, SB_MG_RED);
            w->cells[sb_mg_index(w, front)] = SB_MG_NOTHING;
            sb_mg_put(w, door, front);
            w->objects[door].locked = true;
        } else if (sb_mg_empty(w, front)) {
            sb_mg_put_wall(w, front);
        }
        if (cases[i].carried) {
            const int id = sb_mg_make_object(w, cases[i].carried, SB_MG_RED);
            w->carried = (uint8_t)id, w->objects[id].remembered = sb_at(-1, -1);
        }
        if (masks(env, cases[i].action) != cases[i].masked) fail_msg("case %zu", i);
        assert_false(masks(env, SB_MG_DONE));
    }
}

/* A program can ask for events by these expressions only. */
static void test_programs_that_can_ask_for_an_event(void **state) {
    static const struct {
        const char *asks;
        sb_autumn_key key; /* SB_AUTUMN_NOOP: for none */
    } cases[] = {{"1", SB_AUTUMN_NOOP},
                 {"(if left then 1 else 0)", SB_AUTUMN_LEFT},
                 {"(if (right) then 1 else 0)", SB_AUTUMN_RIGHT},
                 {"(if (prev \"up\") then 1 else 0)", SB_AUTUMN_UP},
                 {"(let (= f down) (if f then 1 else 0))", SB_AUTUMN_DOWN},
                 {"(if (clicked) then 1 else 0)", SB_AUTUMN_CLICK},
                 {"(length (objClicked (list)))", SB_AUTUMN_CLICK},
                 {"(.. click x)", SB_AUTUMN_CLICK}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[160];
        sb_autumn_fault fault;
        const int n = snprintf(text, sizeof text, "(program (= GRID_SIZE 4) (: v Number) (= v (initnext 0 %s)))",
                               cases[i].asks);
        sb_autumn_program *program = sb_autumn_load(text, (size_t)n, NULL, &fault);
        if (!program) fail_msg("%s: %s", text, fault.text);
        for (sb_autumn_key key = SB_AUTUMN_LEFT; key <= SB_AUTUMN_CLICK; key++)
            if (sb_autumn_reads(program, key) != (key == cases[i].key)) fail_msg("%s: key %d", text, (int)key);
        sb_autumn_unload(program);
    }
}

/* ---- Search ---- */

enum { STATES_MAX = 20000, SLOTS = 1 << 16 };

static int n_states_by_day(void) { return is_nightly() ? STATES_MAX : TESTS_ARE_SLOW ? 500 : 3000; }

/* States that a breadth-first search has met, in their order. */
typedef struct frontier {
    sb_episode of[STATES_MAX];
    uint64_t slots[SLOTS][2];
    int n;
} frontier;

/* Returns whether the state is new. */
static bool meet(frontier *f, const sb_episode *e) {
    uint64_t key[2];
    sb_episode_key(e, key);
    key[0] |= 1;
    uint64_t *slot = f->slots[key[1] % SLOTS];
    while (slot[0] && memcmp(slot, key, sizeof key) != 0) slot = slot == f->slots[SLOTS - 1] ? f->slots[0] : slot + 2;
    if (slot[0]) return false;
    memcpy(slot, key, sizeof key);
    sb_episode_copy(&f->of[f->n++], e);
    return true;
}

/* Returns the fewest steps to success; -1 if it is not found among the first states. */
static int shortest(frontier *f, const sb_episode *start, bool uses_mask, int most) {
    const int32_t begin = start->clock;
    f->n = 0;
    memset(f->slots, 0, sizeof f->slots);
    meet(f, start);
    for (int i = 0; i < f->n && f->n < most - SB_N_ACTIONS; i++) {
        const unsigned mask = uses_mask ? sb_episode_effective(&f->of[i]) : ~0U;
        for (sb_action a = 0; a < SB_N_ACTIONS; a++) {
            static sb_episode next;
            sb_result result;
            if (!(mask >> a & 1)) continue;
            sb_episode_copy(&next, &f->of[i]);
            sb_episode_step(&next, a, &result);
            if (result.success) return next.clock - begin;
            if (!result.terminated && !result.truncated) meet(f, &next);
        }
    }
    return -1;
}

static void test_no_shortest_solution_is_forbidden(void **state) {
    (void)state;
    frontier *f = malloc(sizeof *f);
    const sb_family *family = family_of("agentick");
    int n_found = 0;
    assert_non_null(f);
    for (size_t i = 0; i < family->n_tasks; i++)
        for (size_t d = 0; d < (is_nightly() ? family->n_difficulties : 1); d++) {
            sb_error error;
            char name[SB_NAME_MAX];
            snprintf(name, sizeof name, "%s/%s#3", family->task(i)->name, family->difficulties[d]);
            assert_ok(sb_reset(env, name, &error), error);
            const int free = shortest(f, env->state, false, n_states_by_day()),
                      under_mask = shortest(f, env->state, true, n_states_by_day());
            if (free >= 0 && free != under_mask)
                fail_msg("%s: %d steps without the mask, %d under it", name, free, under_mask);
            n_found += free >= 0;
        }
    free(f);
    assert_true(n_found >= (TESTS_ARE_SLOW ? 8 : 15));
}

/* Plays the expert's actions, but a noop for what is masked. Returns in how many episodes that wins. */
static int wins(const sb_selection *selection, size_t (*give)(const sb_env *, bool *, size_t)) {
    sb_player player = {0};
    int n = 0;
    for (size_t i = 0; i < selection->n; i++) {
        sb_error error;
        assert_ok(sb_reset_name(env, sb_selection_name(selection, i, &(sb_name){0}), &error), error);
        assert_ok(sb_player_begin_as(&player, "expert", env, &error), error);
        while (!env->status.done) {
            bool mask[SB_N_ACTIONS];
            const sb_action action = sb_player_act(&player, env);
            give(env, mask, SB_N_ACTIONS);
            take(env, mask[action] ? action : SB_NOOP);
        }
        n += env->status.success;
    }
    sb_player_clear(&player);
    return n;
}

static void test_lights_out_can_be_won_under_the_mask(void **state) {
    (void)state;
    sb_error error;
    sb_selection selection;
    assert_ok(sb_select(&(sb_request){.tasks = "LightsOut", .difficulty = "easy"}, &selection, &error), error);
    assert_int_equal(selection.n, 25);
    assert_int_equal(wins(&selection, sb_action_mask), 25);
    assert_int_equal(wins(&selection, sb_valid_mask), 0); /* why there are two */
    sb_selection_free(&selection);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gridworlds),
        cmocka_unit_test(test_babyai),
        cmocka_unit_test(test_programs),
        cmocka_unit_test(test_challenges),
        cmocka_unit_test(test_a_changed_program_masks_no_key),
        cmocka_unit_test(test_games),
        cmocka_unit_test(test_test_families),
        cmocka_unit_test(test_a_lever_stays_unmasked),
        cmocka_unit_test(test_a_push_into_an_invisible_box_stays_unmasked),
        cmocka_unit_test(test_fog_masks_nothing),
        cmocka_unit_test(test_attempts_that_count_stay_unmasked),
        cmocka_unit_test(test_programs_that_can_ask_for_an_event),
        cmocka_unit_test(test_no_shortest_solution_is_forbidden),
        cmocka_unit_test(test_lights_out_can_be_won_under_the_mask),
    };
    return cmocka_run_group_tests(tests, make_all, free_all);
}
