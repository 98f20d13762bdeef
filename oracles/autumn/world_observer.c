/* The observer of worlds. Where views tell all, it does what the expert does. Elsewhere it keeps hypotheses about what
 * is hidden, makes plans as if one of several were true, and follows the plan that loses least often, over all
 * hypotheses, before anything else than it expects is shown; then the one that takes the fewest steps. When something
 * else is shown, it plans again. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/catalogue.h"
#include "generators/autumn/worlds/solve.h"
#include "oracles/autumn/foresight.h"
#include "oracles/autumn/world_changes.h"
#include "oracles/autumn/worlds.h"
#include "oracles/player.h"

enum {
    PLANS = 12, /* hypotheses for which plans are made */
    PLAN = SB_SEARCH_COST_MAX,
    SEARCHED = 50000, /* states of the search for one plan */
    AFFORDED = 4000,  /* steps of all searches, after which no other plan is made */
    FUTURES = 9,      /* plans, each for other random numbers, that vote on an action; at most PLANS */
    JUDGES = 64,      /* hypotheses that judge a plan */
    CLICKS = 256,     /* most clicks of a plan whose order may be changed */
    RISKS = 512       /* clicks whose risk is remembered */
};

/* A plan, and what would become of it. */
typedef struct plan {
    sb_autumn_event events[PLAN];
    int n;
    double lost, steps; /* the share of hypotheses in which the plan loses before a surprise; steps expected */
} plan;

/* Where a hypothesis leaves a plan: the view is not the expected one. */
typedef struct parting {
    uint64_t look;
    int step; /* the last step whose view was compared; 0: none, or the plan wins or loses */
    uint32_t weight;
} parting;

typedef struct event_risk {
    sb_autumn_event event;
    uint32_t risk; /* the weight of the hypotheses in which the event loses */
} event_risk;

/* What is known of a world as long as the player lives. */
typedef struct world_known {
    char hash[SB_AUTUMN_HASH]; /* hash of the world's text */
    size_t difficulty;
    bool tell_all;
} world_known;

typedef struct memory {
    sb_autumn_compiled *world; /* the world to which all that follows belongs; NULL: nothing is there */
    sb_hypotheses *hypotheses;
    sb_foresight *foresight;
    sb_world_solver *solver;
    sb_autumn_state *course, *work; /* course: the play as the plan expects it */
    sb_autumn_view view;
    uint64_t *looks; /* hashes of the views that the judged plan expects, by step */
    plan *other, *best;
    event_risk risks[RISKS]; /* risks of clicks in the present state */
    int n_risks;
    int next;      /* index of the best plan's next event */
    void *expert;  /* the expert's memory, where views tell all */
    int32_t steps; /* steps of the episode when the observer looked last; -1: the start was not seen */
    sb_action chosen;
    world_known known; /* must come last: it is not forgotten */
} memory;

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

static void close_memory(void *memory_) {
    memory *m = memory_;
    const world_known known = m->known;
    sb_hypotheses_free(m->hypotheses);
    sb_foresight_free(m->foresight);
    sb_world_solver_free(m->solver);
    sb_autumn_free(m->course), sb_autumn_free(m->work);
    sb_autumn_view_free(&m->view);
    free(m->looks), free(m->other), free(m->best);
    if (m->expert) sb_autumn_world_expert.close(m->expert);
    free(m->expert);
    sb_autumn_release(m->world);
    *m = (memory){.known = known};
}

static bool open_hypotheses(memory *m) {
    const sb_autumn_program *program = m->world->program;
    m->hypotheses = sb_hypotheses_make(program), m->solver = sb_world_solver_make(program);
    m->foresight = sb_foresight_make(program);
    m->course = sb_autumn_new(program), m->work = sb_autumn_new(program);
    m->looks = calloc(PLAN + 1, sizeof *m->looks);
    m->other = calloc(1, sizeof *m->other), m->best = calloc(1, sizeof *m->best);
    return m->hypotheses && m->foresight && m->solver && m->course && m->work && m->looks && m->other && m->best;
}

static bool know(memory *m, const sb_autumn_task *task) {
    world_known *known = &m->known;
    if (strcmp(known->hash, task->hash) == 0 && known->difficulty == m->world->difficulty) return true;
    known->hash[0] = '\0';
    if (!sb_views_tell_all(m->world->program, &known->tell_all)) return false;
    strcpy(known->hash, task->hash), known->difficulty = m->world->difficulty;
    return true;
}

/* ---- Plans ------------------------------------------------------------------------------------------------------- */

static bool solve(memory *m, const sb_autumn_state *from, uint64_t limit, sb_budget *budget, plan *p) {
    const sb_world_question question = {
        .limit = limit, .evaluations = SB_WORLD_EVALUATIONS / 100, .trusts_bound = true};
    sb_world_answer answer;
    if (budget->spent + limit > budget->limit || !sb_autumn_copy(m->work, from)) return false;
    sb_autumn_reseed(m->work, sb_next64(sb_hypotheses_rng(m->hypotheses)));
    if (!sb_world_solve(m->solver, m->work, &question, &answer)) return false;
    budget->spent += answer.states;
    p->n = answer.verdict == SB_SOLVED ? sb_world_plan(m->solver, p->events, PLAN) : 0;
    return p->n > 0;
}

/* Returns the weight of the hypotheses in which the event loses at once. */
static uint32_t risk_of(memory *m, sb_autumn_event event) {
    const sb_autumn_hypothesis *it;
    uint32_t lost = 0;
    for (size_t i = 0; (it = sb_hypothesis_at(m->hypotheses, i)); i++) {
        if (!sb_autumn_copy(m->work, it->state)) continue;
        const bool ok = sb_autumn_step(m->work, event, NULL);
        lost += !ok || (sb_autumn_standing_of(m->work)->lost && !sb_autumn_standing_of(m->work)->won) ? it->weight : 0;
    }
    return lost;
}

/* Whether the plan wins from a state. */
static bool wins(memory *m, const sb_autumn_state *from, const plan *p) {
    if (!sb_autumn_copy(m->work, from)) return false;
    for (int i = 0; i < p->n; i++) {
        if (!sb_autumn_step(m->work, p->events[i], NULL)) return false;
        if (sb_autumn_standing_of(m->work)->won) return i + 1 == p->n;
        if (sb_autumn_standing_of(m->work)->lost) return false;
    }
    return false;
}

static bool is_of_clicks(const plan *p) {
    for (int i = 0; i < p->n; i++)
        if (p->events[i].key != SB_AUTUMN_CLICK) return false;
    return p->n <= CLICKS;
}

/* Returns the weight of the hypotheses in which the click loses at once, which is found out once for each click. */
static uint32_t risk_of_click(memory *m, sb_autumn_event event) {
    for (int i = 0; i < m->n_risks; i++)
        if (memcmp(&m->risks[i].event, &event, sizeof event) == 0) return m->risks[i].risk;
    const uint32_t risk = risk_of(m, event);
    if (m->n_risks < RISKS) m->risks[m->n_risks++] = (event_risk){event, risk};
    return risk;
}

/* Puts an event of the plan first, if the plan still wins then. */
static bool put_first(memory *m, const sb_autumn_state *from, plan *p, int i) {
    *m->other = *p;
    memmove(m->other->events + 1, p->events, (size_t)i * sizeof *p->events);
    m->other->events[0] = p->events[i];
    if (!wins(m, from, m->other)) return false;
    return *p = *m->other, true;
}

/* Puts the safest click first. */
static void reorder(memory *m, const sb_autumn_state *from, plan *p) {
    uint32_t least = UINT32_MAX;
    int safest = 0;
    if (p->n < 2 || !is_of_clicks(p)) return;
    for (int i = 0; i < p->n && least; i++) {
        const uint32_t risk = risk_of_click(m, p->events[i]);
        if (risk < least) least = risk, safest = i;
    }
    (void)put_first(m, from, p, safest);
}

/* ---- What becomes of a plan -------------------------------------------------------------------------------------- */

/* Notes what the plan shows if the hypothesis for which it was made is true. */
static bool expect(memory *m, const sb_autumn_state *from, const plan *p) {
    if (!sb_autumn_copy(m->work, from)) return false;
    for (int i = 0; i < p->n; i++) {
        if (!sb_autumn_step(m->work, p->events[i], NULL) || !sb_autumn_look(&m->view, m->work)) return false;
        m->looks[i] = m->view.hash;
    }
    return true;
}

/* Follows the plan in a hypothesis, until it shows anything else or wins. Returns whether it loses before. */
static bool follow(memory *m, const sb_autumn_hypothesis *it, const plan *p, sb_budget *budget, parting *parts) {
    *parts = (parting){.weight = it->weight};
    if (!sb_autumn_copy(m->work, it->state)) return false;
    for (int i = 0; i < p->n; i++) {
        budget->spent++;
        if (!sb_autumn_step(m->work, p->events[i], NULL)) return true;
        if (sb_autumn_standing_of(m->work)->won) return parts->step = 0, false;
        if (sb_autumn_standing_of(m->work)->lost) return true;
        if (!sb_autumn_look(&m->view, m->work)) return false;
        parts->look = m->view.hash, parts->step = i + 1;
        if (m->view.hash != m->looks[i]) return false;
    }
    return false;
}

/* Returns about log2(n), the same on every machine. */
static double bits(uint32_t n) {
    uint32_t power = 1;
    int whole = 0;
    for (; n / 2 >= power; power *= 2) whole++;
    return n ? whole + (double)n / power - 1 : 0;
}

/* How many bits are to be found out in the hypotheses that part with one view, on average. */
static double unknown_after(const parting *parts, size_t n, uint32_t weight) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t others = 0;
        if (!parts[i].step) continue;
        for (size_t k = 0; k < n; k++)
            if (parts[k].step == parts[i].step && parts[k].look == parts[i].look) others++;
        sum += parts[i].weight * bits(others);
    }
    return weight ? sum / weight : 0;
}

/* Judges what would become of a plan. `rest`: steps that a plan takes on average. */
static void judge(memory *m, plan *p, double rest, sb_budget *budget) {
    parting parts[JUDGES];
    const sb_autumn_hypothesis *it;
    uint32_t weight = 0, lost = 0;
    double steps = 0;
    size_t n = 0;
    for (; n < JUDGES && (it = sb_hypothesis_at(m->hypotheses, n)); n++) {
        const bool loses = follow(m, it, p, budget, &parts[n]);
        weight += it->weight, lost += loses ? it->weight : 0;
        if (loses) parts[n].step = 0;
        steps += it->weight * (parts[n].step ? parts[n].step + rest : p->n);
    }
    p->lost = weight ? (double)lost / weight : 1;
    p->steps = weight ? steps / weight + unknown_after(parts, n, weight) : 0;
}

static bool is_better(const plan *a, const plan *b) {
    if (!b->n) return true;
    if (a->lost < b->lost - 1e-9 || a->lost > b->lost + 1e-9) return a->lost < b->lost;
    return a->steps < b->steps - 1e-9;
}

/* ---- Choosing ---------------------------------------------------------------------------------------------------- */

/* The n-th of the hypotheses for which plans are made: spread over all. */
static const sb_autumn_hypothesis *pick(const memory *m, size_t n_all, size_t i) {
    return sb_hypothesis_at(m->hypotheses, n_all <= PLANS ? i : i * n_all / PLANS);
}

/* How many events a search tries in a state. */
static uint64_t n_events(const memory *m, const sb_autumn_state *state) {
    const uint64_t size = sb_autumn_size(state);
    return SB_AUTUMN_CLICK + (sb_autumn_reads(m->world->program, SB_AUTUMN_CLICK) ? size * size : 0);
}

/* Makes a plan for each of several hypotheses, and keeps the best. */
static void choose_plan(memory *m, sb_budget *budget) {
    plan *plans = calloc(PLANS, sizeof *plans);
    const sb_autumn_hypothesis *of[PLANS];
    size_t n_all = 0, n = 0;
    double rest = 0;
    uint64_t steps = 0;
    m->best->n = m->next = m->n_risks = 0;
    while (sb_hypothesis_at(m->hypotheses, n_all)) n_all++;
    for (size_t i = 0; plans && i < PLANS && i < n_all; i++) {
        const uint64_t before = budget->spent;
        if (n && steps > AFFORDED) break;
        of[n] = pick(m, n_all, i);
        const bool is_solved = solve(m, of[n]->state, SEARCHED, budget, &plans[n]);
        steps += (budget->spent - before) * n_events(m, of[n]->state);
        if (!is_solved) continue;
        rest += plans[n++].n;
    }
    for (size_t i = 0; i < n; i++) {
        reorder(m, of[i]->state, &plans[i]);
        if (!expect(m, of[i]->state, &plans[i])) continue;
        judge(m, &plans[i], rest / (double)n, budget);
        if (!is_better(&plans[i], m->best)) continue;
        *m->best = plans[i];
        if (!sb_autumn_copy(m->course, of[i]->state)) m->best->n = 0;
    }
    free(plans);
}

/* The plan for worlds whose steps draw: solves the world in several futures, each with draws of its own, and takes the
 * event with which most of these solutions begin. */
static void vote(memory *m, sb_budget *budget) {
    sb_autumn_event firsts[PLANS];
    int votes[PLANS] = {0}, best = -1;
    size_t n_all = 0;
    m->best->n = m->next = 0;
    while (sb_hypothesis_at(m->hypotheses, n_all)) n_all++;
    for (int i = 0; i < FUTURES && n_all; i++) {
        const sb_autumn_hypothesis *it = sb_hypothesis_at(m->hypotheses, (size_t)i * n_all / FUTURES % n_all);
        int k = 0;
        if (!solve(m, it->state, SEARCHED, budget, m->other)) continue;
        while (votes[k] && memcmp(&firsts[k], m->other->events, sizeof *firsts) != 0) k++;
        firsts[k] = m->other->events[0], votes[k]++;
        if (best < 0 || votes[k] > votes[best]) best = k;
    }
    if (best >= 0) m->best->events[0] = firsts[best], m->best->n = 1;
}

/* Where no click is safe, looks ahead which one is best: it comes first. */
static void look_ahead(memory *m, sb_budget *budget) {
    sb_autumn_event events[RISKS];
    int n = 0;
    if (!m->best->n || !is_of_clicks(m->best) || !m->n_risks) return;
    for (int i = 0; i < m->n_risks; i++) {
        if (!m->risks[i].risk) return;
        events[n++] = m->risks[i].event;
    }
    const int best = sb_foresee(m->foresight, m->hypotheses, events, n, budget);
    if (best < 0) return;
    for (int i = 0; i < m->best->n; i++)
        if (memcmp(&m->best->events[i], &events[best], sizeof *events) == 0 && put_first(m, m->course, m->best, i))
            return;
    m->best->events[0] = events[best], m->best->n = 1;
}

/* Whether the plan still leads where it should: what was done is what it said, and it showed what it should. */
static bool goes_on(memory *m, const sb_env *env) {
    if (!m->next || m->next >= m->best->n || env->taken != m->chosen) return false;
    return sb_autumn_step(m->course, m->best->events[m->next - 1], NULL) && sb_autumn_look(&m->view, m->course) &&
           m->view.hash == sb_hypotheses_view(m->hypotheses)->hash;
}

/* ---- The oracle -------------------------------------------------------------------------------------------------- */

/* A seed that tells nothing of the episode's. */
static uint64_t seed_of(const sb_env *env) {
    sb_name name = env->name;
    name.seed = 0;
    sb_rng rng = sb_draws_of(&name, "observer");
    return sb_next64(&rng);
}

static bool begin_as_expert(memory *m, const sb_env *env, sb_budget *budget, sb_error *error) {
    m->expert = calloc(1, sb_autumn_world_expert.memory);
    if (!m->expert) return sb_fail(error, SB_MEMORY, "out of memory for an oracle");
    return sb_autumn_world_expert.begin(m->expert, env, budget, error);
}

static bool begin(void *memory_, const sb_env *env, sb_budget *budget, sb_error *error) {
    memory *m = memory_;
    m->world = sb_autumn_share(sb_autumn_episode_of(env)->compiled), m->steps = -1;
    if (!know(m, sb_autumn_task_of(env->task))) return sb_fail(error, SB_MEMORY, "out of memory for an oracle");
    if (m->known.tell_all) return begin_as_expert(m, env, budget, error);
    return open_hypotheses(m) || sb_fail(error, SB_MEMORY, "out of memory for hypotheses");
}

/* Sees what is shown now; false: it has missed something, or memory is out. */
static bool see(memory *m, const sb_env *env, sb_budget *budget) {
    const sb_autumn_state *shown = sb_autumn_state_of(env);
    const int32_t steps = env->status.steps, before = m->steps;
    if (before >= 0 && steps == before) return true;
    m->steps = -1;
    if (steps && (before < 0 || steps != before + 1)) return false;
    const bool ok = steps ? sb_hypotheses_go_on(m->hypotheses, sb_autumn_event_of(env, env->taken), shown, budget)
                          : sb_hypotheses_begin(m->hypotheses, shown, seed_of(env), budget);
    if (ok) m->steps = steps;
    return ok;
}

static void act_by_hypotheses(memory *m, const sb_env *env, sb_budget *budget, sb_action *action, sb_intent *intent) {
    const bool is_new = m->steps != env->status.steps;
    budget->is_cut = true;
    *action = SB_AUTUMN_NOOP;
    if (!see(m, env, budget)) {
        sb_give_up(intent, "the start was not seen");
        return;
    }
    if (!is_new && m->next > 0)
        m->next--;
    else if (sb_autumn_draws_in_steps(m->world->program))
        vote(m, budget);
    else if (!goes_on(m, env) || risk_of(m, m->best->events[m->next]))
        choose_plan(m, budget), look_ahead(m, budget);
    if (m->next >= m->best->n) {
        sb_give_up(intent, sb_hypothesis_at(m->hypotheses, 0) ? "no play was found" : "nothing fits the views");
        return;
    }
    *action = m->chosen = sb_autumn_action_of(env, m->best->events[m->next]);
    sb_world_explain(sb_hypothesis_at(m->hypotheses, 0)->state, m->work, m->best->events[m->next++], intent);
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    if (m->expert)
        sb_autumn_world_expert.act(m->expert, observation, budget, action, intent);
    else
        act_by_hypotheses(m, observation->env, budget, action, intent);
}

const sb_oracle sb_autumn_world_observer = {.family = "autumn",
                                            .plays = sb_autumn_is_world,
                                            .name = "observer",
                                            .sees = SB_SEES_OBSERVATIONS,
                                            .shortest = 0xff,
                                            .plans = true,
                                            .remembers = offsetof(memory, known),
                                            .memory = sizeof(memory),
                                            .begin = begin,
                                            .close = close_memory,
                                            .act = act};
