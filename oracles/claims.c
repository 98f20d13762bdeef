#include "oracles/claims.h"

#include <stdlib.h>
#include <string.h>

#include "api/env.h"
#include "base/error.h"
#include "base/json.h"
#include "oracles/costs.h"
#include "oracles/player.h"

enum { STEPS = 2048 /* steps of a plan, at most */ };

/* A part of the plan with one purpose. */
typedef struct stage {
    sb_intent what;
    int32_t steps;
} stage;

struct sb_claimer {
    sb_costs *costs;
    sb_player player;
    sb_env *copy, *before, *shown; /* shown: what the oracle may look at */
    sb_cost *list;                 /* costs of the state's actions: room for all of them */
    size_t room, n;
    const sb_cost *mine; /* the cost of the move */
    stage stages[SB_STAGES_MAX];
    int32_t n_stages, kept; /* kept: how many stages are in `stages` */
    sb_action actions[STEPS];
    size_t n_actions;
};

sb_claimer *sb_claimer_make(const char *agent, sb_costs *costs, sb_error *error) {
    sb_claimer *c = calloc(1, sizeof *c);
    if (!c) return sb_fail(error, SB_MEMORY, "out of memory for reasons"), NULL;
    c->costs = costs;
    c->copy = sb_make(NULL, NULL, error);
    c->before = c->copy ? sb_make(NULL, NULL, error) : NULL;
    if (!c->before) return sb_claimer_free(c), NULL;
    strcpy(c->player.own, agent); /* costs were made with it, so it is short enough */
    return c;
}

void sb_claimer_free(sb_claimer *c) {
    if (!c) return;
    sb_player_clear(&c->player);
    sb_free(c->copy), sb_free(c->before), sb_free(c->shown);
    free(c->list);
    free(c);
}

/* ---- Costs ---- */

static bool is_play(const sb_cost *cost) {
    return cost->kind == SB_COST_EXACT || cost->kind == SB_COST_BOUND || cost->kind == SB_COST_LATE;
}

static bool ask_costs(sb_claimer *c, const sb_env *env, sb_action action, sb_error *error) {
    const size_t room = (size_t)env->n_actions;
    if (c->room < room) {
        free(c->list);
        c->list = malloc(room * sizeof *c->list), c->room = c->list ? room : 0;
        if (!c->list) return sb_fail(error, SB_MEMORY, "out of memory for the costs of %zu actions", room);
    }
    if (!sb_costs_ask(c->costs, env, c->list, c->room, &c->n, error)) return false;
    c->mine = NULL;
    for (size_t i = 0; i < c->n; i++)
        if (c->list[i].action == action) c->mine = &c->list[i];
    return true;
}

/* ---- The plan ---- */

/* Whether a thing has gone from the one place to the other, as one that is pushed. */
static bool has_moved(const sb_env *env, sb_xy from, sb_xy to) {
    const sb_object there = sb_object_at(env, to);
    return abs(to.x - from.x) + abs(to.y - from.y) == 1 && there > SB_NONE && sb_object_at(env, from) != there;
}

/* Whether two purposes are one, also if its thing is elsewhere by now. */
static bool is_same(const sb_env *env, const sb_intent *before, const sb_intent *now) {
    return strcmp(before->verb, now->verb) == 0 && strcmp(before->object, now->object) == 0 &&
           ((before->at.x == now->at.x && before->at.y == now->at.y) || has_moved(env, before->at, now->at));
}

/* Adds the step from the state in `env` to the plan. `last`: the purpose of the step before; a verb of NULL: it had
 * none. */
static void add_step(sb_claimer *c, const sb_env *env, const sb_intent *what, sb_intent *last) {
    if (!what->verb) return;
    const bool goes_on = last->verb && is_same(env, last, what);
    *last = *what;
    if (goes_on && c->n_stages <= c->kept) c->stages[c->kept - 1].steps++;
    if (goes_on) return;
    if (c->n_stages++ < SB_STAGES_MAX) c->stages[c->kept++] = (stage){*what, 1};
}

/* Plays on from the move, and notes what is done. The play has as many steps as it needs, as that of costs has. */
static bool make_plan(sb_claimer *c, const sb_env *env, sb_action action, const sb_intent *why, sb_error *error) {
    sb_result result;
    sb_intent last = {0};
    if (!sb_copy(c->copy, env, error)) return false;
    sb_extend(c->copy, env->status.steps + STEPS);
    add_step(c, env, why, &last);
    if (!sb_step(c->copy, c->actions[c->n_actions++] = action, &result, error)) return false;
    if (c->copy->status.done) return true;
    if (!sb_player_begin_as(&c->player, c->player.own, c->copy, error)) return false;
    while (!c->copy->status.done && c->n_actions < STEPS) {
        action = sb_player_act(&c->player, c->copy);
        add_step(c, c->copy, &c->player.intent, &last);
        if (!sb_step(c->copy, c->actions[c->n_actions++] = action, &result, error)) return false;
    }
    return true;
}

/* Leaves the last stage out if the episode is won on the way to it, as one in which only time has to pass: nothing
 * comes of it. `c->copy` is at the end of the plan. */
static bool drop_unfinished(sb_claimer *c, const sb_env *env, sb_error *error) {
    const stage *last = &c->stages[c->kept ? c->kept - 1 : 0];
    const sb_xy at = last->what.at;
    sb_result result;
    if (!c->kept || c->n_stages > c->kept || at.x < 0 || sb_grid_size(env).x == 0) return true;
    if (!c->copy->status.success || sb_distance_to(c->copy, at) <= 1) return true;
    if (!sb_copy(c->before, env, error)) return false;
    sb_extend(c->before, env->status.steps + STEPS);
    for (size_t i = 0; i + (size_t)last->steps < c->n_actions; i++)
        if (!sb_step(c->before, c->actions[i], &result, error)) return false;
    if (sb_object_at(c->before, at) == sb_object_at(c->copy, at) &&
        sb_metadata_at(c->before, at) == sb_metadata_at(c->copy, at))
        c->kept--, c->n_stages--;
    return true;
}

/* ---- Claims ---- */

/* Returns a new claim; those that find no room are written over. */
static sb_claim *add(sb_claims *claims, sb_claim_kind kind) {
    sb_claim *new = &claims->of[claims->n < SB_CLAIMS_MAX - 1 ? claims->n++ : claims->n];
    *new = (sb_claim){.kind = kind, .from = {-1, -1}, .to = {-1, -1}};
    return new;
}

static void claim_stages(const sb_claimer *c, sb_claims *claims) {
    for (int32_t i = 0; i < c->kept; i++) {
        sb_claim *new = add(claims, SB_CLAIM_STAGE);
        new->number = i + 1, new->steps = c->stages[i].steps, new->what = c->stages[i].what;
    }
    claims->stages = c->n_stages, claims->actions = c->actions, claims->n_actions = c->n_actions;
}

/* Gives the length of the shortest walk to a cell; negative if there is none. One that cannot be entered is reached
 * from beside it. */
static int32_t walk_to(const sb_env *env, sb_xy to) {
    const sb_xy from = sb_agent_position(env);
    const sb_path_rules rules = {.extra = &from, .n_extra = 1}; /* the agent may stand where nobody could go */
    const size_t n = sb_bfs_path(env, from, to, &rules, NULL, 0);
    return (int32_t)n - 1 - (n > 1 && !sb_is_walkable(env, to));
}

static void claim_way(sb_claims *claims, const sb_intent *what, int32_t steps) {
    sb_claim *new = add(claims, steps < 0 ? SB_CLAIM_BLOCKED : SB_CLAIM_WALK);
    new->what = *what, new->to = what->at, new->steps = steps;
}

/* Says where the first thing to do is, and how far. */
static void claim_place(const sb_claimer *c, const sb_env *env, sb_claims *claims) {
    sb_entity there;
    if (!c->kept || c->stages[0].what.at.x < 0 || sb_grid_size(env).x == 0) return;
    const sb_xy at = c->stages[0].what.at;
    if (sb_entity_at(env, at, &there)) {
        sb_claim *new = add(claims, SB_CLAIM_AT);
        new->to = at, new->is = there.object;
    }
    const int32_t steps = walk_to(env, at);
    if (steps != 0) claim_way(claims, &c->stages[0].what, steps);
}

/* Says that the last place is out of reach until an earlier stage is done. */
static bool claim_order(sb_claimer *c, const sb_env *env, sb_claims *claims, sb_error *error) {
    const stage *last = &c->stages[c->kept ? c->kept - 1 : 0];
    size_t step = 0;
    sb_result result;
    if (c->kept < 2 || c->n_stages > c->kept || last->what.at.x < 0 || sb_grid_size(env).x == 0) return true;
    if (walk_to(env, last->what.at) >= 0) return true;
    claim_way(claims, &last->what, -1);
    if (!sb_copy(c->copy, env, error)) return false;
    sb_extend(c->copy, env->status.steps + STEPS);
    for (int32_t i = 0; i + 1 < c->kept; i++) {
        for (int32_t k = 0; k < c->stages[i].steps; k++)
            if (!sb_step(c->copy, c->actions[step++], &result, error)) return false;
        if (walk_to(c->copy, last->what.at) < 0) continue;
        sb_claim *new = add(claims, SB_CLAIM_OPENS);
        new->what = last->what, new->to = last->what.at, new->number = i + 1;
        return true;
    }
    return true;
}

/* Says which cells hold something else, at most `most`; and of an effect, which things have another state. */
static void claim_changes(const sb_env *before, const sb_env *after, sb_claim_kind kind, int32_t number, int most,
                          sb_claims *claims) {
    const sb_xy size = sb_grid_size(before);
    for (int i = 0; i < size.x * size.y && most; i++) {
        const sb_xy at = {i % size.x, i / size.x};
        const sb_object was = sb_object_at(before, at), is = sb_object_at(after, at);
        const bool turned = kind == SB_CLAIM_EFFECT && is != SB_NONE &&
                            sb_metadata_at(before, at) != sb_metadata_at(after, at);
        if (was == is && !turned) continue;
        sb_claim *new = add(claims, kind);
        new->number = number, new->to = at, new->was = was, new->is = is;
        most--;
    }
}

/* Says what the first stages bring about. */
static bool claim_effects(sb_claimer *c, const sb_env *env, sb_claims *claims, sb_error *error) {
    size_t step = 0;
    sb_result result;
    if (sb_grid_size(env).x == 0 || !claims->n_actions) return true;
    if (!sb_copy(c->copy, env, error)) return false;
    sb_extend(c->copy, env->status.steps + STEPS);
    for (int32_t i = 0; i < c->kept && i < SB_STAGES_TRACED; i++) {
        if (!sb_copy(c->before, c->copy, error)) return false;
        for (int32_t k = 0; k < c->stages[i].steps; k++)
            if (!sb_step(c->copy, c->actions[step++], &result, error)) return false;
        claim_changes(c->before, c->copy, SB_CLAIM_EFFECT, i + 1, 3, claims);
    }
    return true;
}

/* Takes the move in a copy, in a future of its own if draws decide. */
static bool try_move(sb_claimer *c, const sb_env *env, sb_action action, uint64_t future, sb_error *error) {
    sb_result result;
    if (!sb_copy(c->copy, env, error)) return false;
    if (c->mine->kind == SB_COST_ESTIMATE) env->family->reseed(c->copy, future);
    return sb_step(c->copy, action, &result, error);
}

/* Says what the move does at once, as far as no draw decides it. */
static bool claim_effect(sb_claimer *c, const sb_env *env, sb_action action, sb_claims *claims, sb_error *error) {
    const bool draws = c->mine->kind == SB_COST_ESTIMATE;
    const sb_xy from = sb_agent_position(env);
    if (sb_grid_size(env).x == 0) return true;
    if (!try_move(c, env, action, 0, error)) return false;
    const sb_xy to = sb_agent_position(c->copy);
    if (!draws) claim_changes(env, c->copy, SB_CLAIM_CHANGES, 0, 2, claims);
    for (uint64_t i = 1; draws && i < SB_COST_FUTURES; i++) {
        if (!try_move(c, env, action, i, error)) return false;
        const sb_xy other = sb_agent_position(c->copy);
        if (other.x != to.x || other.y != to.y) return true;
    }
    sb_claim *new = add(claims, from.x == to.x && from.y == to.y ? SB_CLAIM_STAYS : SB_CLAIM_MOVES);
    new->cost.action = action, new->from = from, new->to = to;
    return true;
}

/* How much worse another action is, as a number to sort by; 0: it is as good. */
static double worse_by(const sb_claimer *c, const sb_cost *other) {
    if (other->is_best && c->mine->is_best) return 0;
    return 1e6 * (c->mine->success - other->success) +
           (is_play(other) && is_play(c->mine) ? other->steps - c->mine->steps : other->mean - c->mine->mean);
}

static void claim_all_others(const sb_claimer *c, sb_claims *claims) {
    for (size_t i = 0; i < c->n; i++)
        if (&c->list[i] != c->mine) add(claims, SB_CLAIM_INSTEAD)->cost = c->list[i];
}

/* Says what at most two other moves would cost: one that is as good, if there is one; the least bad one; the worst. */
static void claim_two_others(const sb_claimer *c, sb_claims *claims) {
    const sb_cost *equal = NULL, *next = NULL, *worst = NULL;
    for (size_t i = 0; i < c->n; i++) {
        const sb_cost *other = &c->list[i];
        if (other == c->mine) continue;
        const double by = worse_by(c, other);
        if (by == 0 && !equal) equal = other;
        if (by != 0 && (!next || by < worse_by(c, next))) next = other;
        if (by > 0 && (!worst || by > worse_by(c, worst))) worst = other;
    }
    const sb_cost *const chosen[] = {equal, next, worst == next ? NULL : worst};
    int left = 2;
    for (size_t i = 0; i < 3 && left; i++)
        if (chosen[i]) add(claims, SB_CLAIM_INSTEAD)->cost = *chosen[i], left--;
}

bool sb_claims_find(sb_claimer *c, const sb_env *env, sb_action action, const sb_intent *why, sb_depth depth,
                    sb_claims *claims, sb_error *error) {
    const sb_env *seen = env;
    *claims = (sb_claims){0};
    c->n_stages = c->kept = 0, c->n_actions = 0;
    if (!ask_costs(c, env, action, error)) return false;
    if (!c->mine) return true;
    const sb_oracle *oracle = sb_oracle_find(env->name.family, env->name.task, c->player.own);
    if (!sb_knows_the_state(oracle, &env->name)) /* reasons tell what the future will be */
        return sb_fail(error, SB_INVALID, "`%s` is not shown everything in %s, so it can give no reasons: ask `expert`",
                       c->player.own, env->name.task);
    sb_intent none = {0};
    if (!is_play(c->mine))
        add_step(c, env, why, &none);
    else if (!make_plan(c, env, action, why, error) || !drop_unfinished(c, env, error))
        return false;
    if (oracle->sees == SB_SEES_OBSERVATIONS) {
        if (!sb_show(&c->shown, env, error)) return false;
        seen = c->shown;
    }
    claim_stages(c, claims);
    if (depth == SB_DEPTH_SEARCH && !claim_effects(c, env, claims, error)) return false;
    claim_place(c, seen, claims);
    if (!claim_order(c, seen, claims, error)) return false;
    add(claims, SB_CLAIM_PLAN)->cost = *c->mine;
    if (!claim_effect(c, env, action, claims, error)) return false;
    depth == SB_DEPTH_SEARCH ? claim_all_others(c, claims) : claim_two_others(c, claims);
    return true;
}

/* ---- As JSON ---- */

static const char *const names[SB_N_CLAIMS] = {"stage", "effect", "at",    "walk",    "blocked", "opens",
                                               "plan",  "moves",  "stays", "changes", "instead"};

static void put_place(sb_out *out, const char *key, sb_xy at) {
    if (at.x < 0) return;
    sb_put_key(out, key);
    sb_putc(out, '['), sb_put_int(out, at.x), sb_puts(out, ", "), sb_put_int(out, at.y), sb_putc(out, ']');
}

static void put_cost(sb_out *out, const sb_cost *cost) {
    sb_member_text(out, "cost", sb_cost_kind_name(cost->kind));
    sb_member_int(out, "action", cost->action);
    if (is_play(cost)) sb_member_int(out, "steps", cost->steps);
    if (cost->kind != SB_COST_ESTIMATE) return;
    sb_member_double(out, "success", cost->success);
    if (cost->mean > 0) sb_member_double(out, "mean", cost->mean);
}

static void put_actions(sb_out *out, const sb_claims *claims) {
    if (!claims->n_actions) return;
    sb_put_key(out, "actions");
    sb_putc(out, '[');
    for (size_t i = 0; i < claims->n_actions; i++) {
        if (i) sb_puts(out, ", ");
        sb_put_int(out, claims->actions[i]);
    }
    sb_putc(out, ']');
}

static bool is_change(const sb_claim *c) { return c->kind == SB_CLAIM_CHANGES || c->kind == SB_CLAIM_EFFECT; }

static void put_claim(sb_out *out, const sb_claims *claims, const sb_claim *c) {
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_text(out, "claim", names[c->kind]);
    if (c->number) sb_member_int(out, c->kind == SB_CLAIM_STAGE ? "number" : "stage", c->number);
    if (c->what.verb) sb_member_text(out, "verb", c->what.verb), sb_member_text(out, "object", c->what.object);
    if (c->kind == SB_CLAIM_STAGE) put_place(out, "at", c->what.at);
    if (c->kind == SB_CLAIM_AT) sb_member_text(out, "object", sb_object_name(c->is));
    if (c->kind == SB_CLAIM_MOVES || c->kind == SB_CLAIM_STAYS) sb_member_int(out, "action", c->cost.action);
    put_place(out, "from", c->from);
    put_place(out, c->kind == SB_CLAIM_AT || is_change(c) ? "at" : "to", c->to);
    if (is_change(c))
        sb_member_text(out, "was", sb_object_name(c->was)), sb_member_text(out, "is", sb_object_name(c->is));
    if (c->kind == SB_CLAIM_STAGE || c->kind == SB_CLAIM_WALK) sb_member_int(out, "steps", c->steps);
    if (c->kind == SB_CLAIM_PLAN || c->kind == SB_CLAIM_INSTEAD) put_cost(out, &c->cost);
    if (c->kind == SB_CLAIM_PLAN) put_actions(out, claims);
    sb_puts(out, "}");
}

void sb_put_claims(sb_out *out, const sb_claims *claims) {
    sb_puts(out, "[");
    for (size_t i = 0; i < claims->n; i++) put_claim(out, claims, &claims->of[i]);
    sb_puts(out, "]");
}
