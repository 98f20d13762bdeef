/* RuleInduction: find out which object must be carried onto which other object to make the target, and collect the
 * target. Two objects that meet are used up, whether they make something or not. There are five trials; each begins
 * with all objects back in place. */
#include "generators/agentick/reasoning/rule_induction.h"

#include <string.h>

#include "engine/gridworld/area.h"
#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/tell.h"

typedef sb_rule_induction_vars vars;
typedef sb_rule_induction_rule rule;

enum { N_KINDS = 5, N_TRIALS = SB_RULE_INDUCTION_TRIALS };

static const int32_t kinds[N_KINDS] = {SB_GEM, SB_POTION, SB_SCROLL, SB_COIN, SB_ORB}; /* in the published order */

static const struct parameters {
    int rules, chain, walls; /* chain: number of rules that lead to the target; the last of them makes it */
} parameters[SB_N_DIFFICULTIES] = {{2, 1, 3}, {3, 1, 6}, {4, 2, 9}, {5, 2, 13}};

/* ---- The instance ---- */

/* The agent starts in a corner without a wall, but walls beside the corner may shut it in. */
static void draw_room(sb_episode *e, int n_walls, sb_rng *rng) {
    vars *v = SB_VARS(e);
    sb_cells sites;
    sb_wall_border(e);
    sb_cells_columns(&sites, e, 1);
    sb_cells_shuffle(&sites, rng);
    for (int i = 0; i < n_walls; i++) sb_cell_at(e, sites.at[i])->terrain = SB_WALL;
    v->start = e->agent.at = sb_draw_corner(e, rng);
    sb_cell_at(e, v->start)->terrain = SB_EMPTY;
}

/* A set of kinds: bit k is set if object code k is in it. */
static unsigned only(int kind) { return 1u << kind; }

static int list_kinds(unsigned without, int32_t list[N_KINDS]) {
    int n = 0;
    for (int k = 0; k < N_KINDS; k++)
        if (!(only(kinds[k]) & without)) list[n++] = kinds[k];
    return n;
}

/* Draws the chain backwards from the target. As published, the first of two rules makes a kind that the second does not
 * need. If both need the same pair, only the second is kept. */
static void draw_chain(vars *v, int length, sb_rng *rng) {
    int32_t list[N_KINDS];
    for (int i = length - 1, wanted = v->target; i >= 0; i--) {
        const unsigned outputs = only(wanted) | only(v->target);
        sb_shuffle_ints(rng, list, (size_t)list_kinds(outputs, list));
        v->rule[i] = (rule){list[0], list[1], wanted};
        if (i == 0) break;
        const unsigned inputs = only(list[0]) | only(list[1]);
        sb_shuffle_ints(rng, list, (size_t)list_kinds(outputs | inputs, list));
        wanted = list[0];
    }
    const rule last = v->rule[length - 1];
    v->n_rules = length - 1;
    v->rule[sb_rule_induction_makes(v, last.held, last.met) == SB_NONE ? v->n_rules++ : 0] = last;
}

static int draw_kind(sb_rng *rng) { return kinds[sb_integer_below(rng, N_KINDS)]; }

/* A pair may make any kind, the target too. 100 attempts nearly always find enough pairs. */
static void draw_more_rules(vars *v, int n, sb_rng *rng) {
    for (int i = 0; i < 100 && v->n_rules < n; i++) {
        const int held = draw_kind(rng), met = draw_kind(rng), made = draw_kind(rng);
        if (sb_rule_induction_makes(v, held, met) == SB_NONE) v->rule[v->n_rules++] = (rule){held, met, made};
    }
}

static void draw_sites(const sb_episode *e, sb_cells *sites, sb_rng *rng) {
    sb_area reached;
    sb_area_reached(&reached, e, e->agent.at);
    sb_area_set(&reached, e->agent.at, false);
    sb_cells_columns(sites, e, 1);
    sb_cells_within(sites, sites, &reached);
    sb_cells_shuffle(sites, rng);
}

/* Places an object of a kind, unless there is one already or no site is left. */
static void place(vars *v, const sb_cells *sites, int kind, unsigned *gone) {
    if (*gone & only(kind) || v->n_objects == sites->n) return;
    *gone |= only(kind);
    v->at[v->n_objects] = sites->at[v->n_objects];
    v->kind[v->n_objects++] = kind;
}

/* Places every kind but the target. The inputs of the chain come first, because the start may be shut in with few cells
 * or none. */
static void draw_objects(vars *v, int n_chain, const sb_cells *sites, sb_rng *rng) {
    unsigned gone = only(v->target);
    int32_t rest[N_KINDS];
    for (int i = 0; i < 2 * n_chain; i++) place(v, sites, i % 2 ? v->rule[i / 2].met : v->rule[i / 2].held, &gone);
    for (int n; v->n_objects < sites->n && (n = list_kinds(gone, rest)) > 0;)
        place(v, sites, rest[sb_integer_below(rng, n)], &gone);
}

static void lay_out(sb_episode *e) {
    const vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_objects; i++) sb_set_object(e, v->at[i], (sb_object)v->kind[i], 0);
}

static bool generate(sb_episode *e) {
    vars *v = SB_VARS(e);
    const struct parameters *difficulty = &parameters[e->difficulty];
    sb_rng rng = sb_generator(e, e->seed);
    int32_t order[N_KINDS] = {0, 1, 2, 3, 4}, unused[N_KINDS];
    sb_cells sites;

    draw_room(e, difficulty->walls, &rng);
    sb_shuffle_ints(&rng, order, N_KINDS);
    v->target = kinds[order[0]];
    draw_chain(v, difficulty->chain, &rng);
    const int n_chain = v->n_rules;                               /* one less if the second rule replaced the first */
    sb_shuffle_ints(&rng, unused, (size_t)list_kinds(0, unused)); /* as published, without effect */
    draw_more_rules(v, difficulty->rules, &rng);
    draw_sites(e, &sites, &rng);
    draw_objects(v, n_chain, &sites, &rng);
    lay_out(e);
    return true;
}

/* ---- The rules ---- */

/* Returns where a result appears. Most cells are always free, but the agent may be unable to reach some of them. */
static sb_xy site_of_result(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    sb_cells sites;
    sb_cells_rows(&sites, e, 1);
    sb_cells_keep(&sites, e, sb_vacant);
    sb_cells_remove(&sites, e->agent.at);
    return sites.at[sb_rule_induction_site(e->agent.at, v->used, sites.n)];
}

static void combine(sb_episode *e, int held, int met) {
    vars *v = SB_VARS(e);
    const int made = sb_rule_induction_makes(v, held, met);
    v->n_made += made != SB_NONE;
    v->n_destroyed += made == SB_NONE;
    v->crafted |= made == v->target;
    if (made != SB_NONE) sb_set_object(e, site_of_result(e), (sb_object)made, 0);
}

static void on_enter(sb_episode *e) {
    vars *v = SB_VARS(e);
    const int met = sb_object_here(e), held = e->agent.n_items > 0 ? e->items[0].value : SB_NONE;
    if (met == SB_NONE) return;
    sb_set_object(e, e->agent.at, SB_NONE, 0);
    if (held != SB_NONE) sb_drop(e, 0);
    if (v->crafted && met == v->target)
        sb_win(e);
    else if (held == SB_NONE)
        sb_take(e, SB_ITEM_OBJECT, met, e->agent.at);
    else
        combine(e, held, met);
}

static void begin_trial(sb_episode *e) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < sb_n_cells(e); i++) e->cells[i].object = SB_NONE;
    lay_out(e);
    if (e->agent.n_items > 0) sb_drop(e, 0);
    v->trial++, v->used = 0, v->crafted = false;
    if (v->trial == N_TRIALS) sb_lose(e);
}

static void on_step(sb_episode *e) {
    vars *v = SB_VARS(e);
    v->used++;
    if (e->outcome == SB_PLAYING && v->used >= sb_rule_induction_budget(e)) begin_trial(e);
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e), *old = t->live;
    double reward = -0.01;
    if (v->n_made > old->n_made) reward += 0.2;
    if (v->n_destroyed > old->n_destroyed) reward -= 0.1;
    if (t->success) reward += 1.0;
    return reward;
}

/* Drops the rules that can never be used: an input is not there and nothing makes it, or the pair needs two of a kind
 * of which nothing makes another. */
static void drop_idle_rules(vars *v) {
    rule used[SB_RULE_INDUCTION_RULES];
    unsigned kinds_at_hand = 0, kinds_made = 0;
    int n = 0;
    for (int i = 0; i < v->n_objects; i++) kinds_at_hand |= only(v->kind[i]);
    for (int i = 0; i < v->n_rules; i++) {
        const rule r = v->rule[i];
        if (r.made == SB_NONE || !(kinds_at_hand & only(r.held)) || !(kinds_at_hand & only(r.met)) ||
            (r.held == r.met && !(kinds_made & only(r.held))))
            continue;
        used[n++] = r, v->rule[i].made = SB_NONE;
        kinds_at_hand |= only(r.made), kinds_made |= only(r.made);
        i = -1; /* the new kind may put an earlier rule to use */
    }
    memset(v->rule, 0, sizeof v->rule);
    memcpy(v->rule, used, sizeof *used * (size_t)n);
    v->n_rules = n;
}

static void sort_rules(vars *v) {
    for (int i = 1; i < v->n_rules; i++)
        for (int k = i; k > 0; k--) {
            rule *a = &v->rule[k - 1], *b = &v->rule[k];
            if (a->held < b->held || (a->held == b->held && a->met < b->met)) break;
            const rule swapped = *a;
            *a = *b, *b = swapped;
        }
}

/* Rules and objects are sets. */
static void forget(sb_episode *e) {
    vars *v = SB_VARS(e);
    drop_idle_rules(v);
    sort_rules(v);
    sb_sort_cells(v->at, v->kind, v->n_objects);
}

/* Hides the rules and the objects that the next trial begins with. */
static void hide(sb_episode *e) {
    vars *v = SB_VARS(e);
    v->n_rules = v->n_objects = 0;
    memset(v->rule, 0, sizeof v->rule);
    memset(v->kind, 0, sizeof v->kind);
    memset(v->at, 0, sizeof v->at);
}

/* ---- What observations say ---- */

/* Observations name the target but not how to make it. After the last trial the number of the trial is one above the
 * total. */
static void tell(const sb_episode *e, sb_told *told) {
    const vars *v = SB_VARS(e);
    sb_tell(told, SB_TOLD_TRIAL, v->trial + 1, N_TRIALS);
    sb_tell(told, SB_TOLD_TARGET, 0, v->target);
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", NULL, 0);
    sb_config_int(c, "max_steps", e->max_steps);
    sb_config_int(c, "_target_type", v->target);
    sb_config_int(c, "_n_trials", N_TRIALS);
    sb_config_int(c, "_trial_step_budget", sb_rule_induction_budget(e));
    sb_config_int(c, "_current_trial", v->trial);
    sb_config_int(c, "_trial_steps_used", v->used);
    sb_config_bool(c, "_target_crafted", v->crafted);
    sb_config_int(c, "_valid_combos_made", v->n_made);
    sb_config_int(c, "_destructive_combos_made", v->n_destroyed);
}

const sb_task sb_rule_induction = {
    .info = {.name = "RuleInduction-v0",
             .category = "reasoning",
             .skills = SB_SKILLS("reasoning", "rule_learning"),
             .summary = "Find out by trial which two objects combine into the one that is wanted, and collect it."},
    .extents = {{9, 9, 150}, {11, 11, 250}, {13, 13, 400}, {15, 15, 550}},
    .vars_size = sizeof(vars),
    .live_size = offsetof(vars, trial),
    .reads_limit = true,
    .generate = generate,
    .on_enter = on_enter,
    .on_step = on_step,
    .dense = dense,
    .forget = forget,
    .hide = hide,
    .tell = tell,
    .config = config,
};
