#include "evaluation/certificates/prover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "oracles/oracle.h"

void sb_prover_free(void *data) {
    sb_prover *p = data;
    sb_worker_free(&p->worker);
    sb_copies_close(&p->copies);
}

/* Resets the episode, so that every attempt begins at its start. */
static bool start(sb_prover *p, const sb_name *name, sb_error *error) {
    return sb_worker_open(&p->worker, error) && sb_reset_name(p->worker.env, name, error);
}

/* ---- Proofs: each sets the verdict and the number of states that it looked at ---- */

typedef bool proof(sb_prover *p, sb_verdict *verdict, uint64_t *states, sb_error *error);

static bool by_bound(sb_prover *p, sb_verdict *verdict, uint64_t *states, sb_error *error) {
    const sb_env *env = p->worker.env;
    (void)error;
    *states = 0;
    if (env->family->bound && env->family->bound(env) < 0) *verdict = SB_IMPOSSIBLE;
    return true;
}

static const sb_oracle *expert_of(const sb_env *env) {
    return sb_oracle_find(env->name.family, env->name.task, sb_oracle_names[SB_SEES_STATE]);
}

/* Judges by the expert's search. One that looked at no state only trusted the bound, so it does not count as another
 * proof. */
static bool by_expert(sb_prover *p, sb_verdict *verdict, uint64_t *states, sb_error *error) {
    const sb_env *env = p->worker.env;
    const sb_oracle *expert = expert_of(env);
    if (!expert || !expert->judge) return true;
    sb_player *player = &p->worker.player;
    if (!sb_player_begin_as(player, expert->name, env, error)) return false;
    *verdict = expert->judge(player->memory, env, &player->budget);
    *states = player->budget.spent;
    if (*states == 0) *verdict = SB_NOT_FOUND;
    return true;
}

static bool by_relaxation(sb_prover *p, sb_verdict *verdict, uint64_t *states, sb_error *error) {
    const sb_env *env = p->worker.env;
    const sb_oracle *expert = expert_of(env);
    sb_budget budget = {.limit = p->budget};
    if (expert && expert->judge_relaxed && !expert->judge_relaxed(env, &budget, verdict, error)) return false;
    *states = budget.spent;
    return true;
}

static bool search(sb_prover *p, bool distrusts_bound, sb_verdict *verdict, uint64_t *states, sb_error *error) {
    sb_budget budget = {.limit = p->budget};
    if (!p->copies.memory && !sb_copies_open(&p->copies, (uint32_t)p->budget, error)) return false;
    p->copies.distrusts_bound = distrusts_bound;
    const bool ok = sb_copies_search(&p->copies, p->worker.env, &budget, verdict, error);
    *states = budget.spent;
    return ok;
}

static bool by_exhaustion(sb_prover *p, sb_verdict *verdict, uint64_t *states, sb_error *error) {
    return search(p, true, verdict, states, error);
}

static bool by_search(sb_prover *p, sb_verdict *verdict, uint64_t *states, sb_error *error) {
    return search(p, false, verdict, states, error);
}

enum { BOUND, EXPERT, RELAXED, EXHAUSTED, SEARCH, N_PROOFS };

static const struct {
    const char *name;
    proof *prove;
} proofs[N_PROOFS] = {[BOUND] = {"bound", by_bound},
                      [EXPERT] = {"expert", by_expert},
                      [RELAXED] = {"relaxed", by_relaxation},
                      [EXHAUSTED] = {"exhausted", by_exhaustion},
                      [SEARCH] = {"search", by_search}};

static bool run_proof(sb_prover *p, const sb_name *name, int which, sb_verdict *verdict, uint64_t *states,
                      sb_error *error) {
    *verdict = SB_NOT_FOUND, *states = 0;
    return start(p, name, error) && proofs[which].prove(p, verdict, states, error);
}

bool sb_prover_prove(sb_prover *p, const sb_name *name, const char *method, sb_verdict *verdict, uint64_t *states,
                     sb_error *error) {
    for (int i = 0; i < N_PROOFS; i++)
        if (strcmp(proofs[i].name, method) == 0) return run_proof(p, name, i, verdict, states, error);
    return sb_fail(error, SB_UNKNOWN, "unknown proof `%.20s`", method);
}

/* ---- Solutions ---- */

static void set_solved(sb_certificate *c, const char *who) {
    c->verdict = SB_CERTIFIED_SOLVED;
    snprintf(c->method, sizeof c->method, "%s", who);
}

/* Moves the worker's tape into the certificate. */
static void take_tape(sb_worker *worker, sb_certificate *c) {
    const sb_tape kept = c->tape;
    c->tape = worker->tape, worker->tape = kept;
}

static bool let_play(sb_prover *p, const char *agent, sb_certificate *c, sb_error *error) {
    if (!sb_oracle_find(c->name.family, c->name.task, agent)) return true;
    if (!sb_worker_play(&p->worker, agent, &c->name, NULL, NULL, error)) return false;
    if (!p->worker.tape.outcome.success) return true;
    set_solved(c, agent);
    take_tape(&p->worker, c);
    return true;
}

static bool play_actions(sb_env *env, const sb_action *actions, int n, sb_tape *tape, sb_error *error) {
    for (int i = 0; i < n; i++) {
        sb_result result;
        if (!sb_step(env, actions[i], &result, error) || !sb_tape_append(tape, actions[i], error)) return false;
    }
    return true;
}

bool sb_play_found(const sb_copies *copies, sb_env *env, sb_tape *tape, sb_error *error) {
    const int n = sb_copies_plan(copies, NULL, 0);
    sb_action *actions = malloc(sizeof *actions * (size_t)(n + 1));
    if (!actions) return sb_fail(error, SB_MEMORY, "out of memory for a plan");
    sb_copies_plan(copies, actions, n);
    sb_tape_begin(tape, env, proofs[SEARCH].name);
    const bool ok = play_actions(env, actions, n, tape, error);
    free(actions);
    if (!ok) return false;
    sb_tape_finish(tape, env);
    return tape->outcome.success || sb_fail(error, SB_MISMATCH, "the plan found by the search does not succeed");
}

static bool play_plan(sb_prover *p, sb_certificate *c, sb_error *error) {
    if (!sb_reset_name(p->worker.env, &c->name, error) || !sb_play_found(&p->copies, p->worker.env, &c->tape, error))
        return false;
    set_solved(c, proofs[SEARCH].name);
    return true;
}

/* ---- All together ---- */

static void add_proof(sb_certificate *c, const char *method, uint64_t states) {
    const bool first = !c->method[0];
    snprintf(first ? c->method : c->check, sizeof c->method, "%s", method);
    *(first ? &c->states : &c->check_states) = states;
}

/* Tries a proof. If it finds a solution although another proof says that there is none, one of the two is wrong. */
static bool try_proof(sb_prover *p, int which, sb_certificate *c, uint64_t *spent, sb_error *error) {
    sb_verdict verdict;
    uint64_t states;
    if (c->check[0]) return true;
    if (!run_proof(p, &c->name, which, &verdict, &states, error)) return false;
    *spent += states;
    if (verdict == SB_IMPOSSIBLE) add_proof(c, proofs[which].name, states);
    if (verdict != SB_SOLVED) return true;
    if (c->method[0])
        return sb_fail(error, SB_MISMATCH, "`%s` proves it impossible and `%s` finds a way: one of them is wrong",
                       c->method, proofs[which].name);
    return which == EXPERT || play_plan(p, c, error); /* the expert has played already */
}

/* Searches for a solution and trusts the bound, which reaches further than searching without it. */
static bool look_for_way(sb_prover *p, sb_certificate *c, sb_verdict *verdict, uint64_t *states, sb_error *error) {
    return run_proof(p, &c->name, SEARCH, verdict, states, error) && (*verdict != SB_SOLVED || play_plan(p, c, error));
}

/* Looks for two proofs. It searches for a solution only while there is no proof. */
static bool look_for_proofs(sb_prover *p, sb_certificate *c, sb_error *error) {
    uint64_t spent = 0, states = 0;
    sb_verdict searched = SB_NOT_FOUND;
    for (int which = BOUND; which < EXHAUSTED; which++)
        if (!try_proof(p, which, c, &spent, error)) return false;
    if (!c->method[0] && !look_for_way(p, c, &searched, &states, error)) return false;
    spent += states;
    if (c->verdict == SB_UNCERTIFIED && !try_proof(p, EXHAUSTED, c, &spent, error)) return false;
    if (c->verdict == SB_CERTIFIED_SOLVED) return true;
    if (!c->method[0] && searched == SB_IMPOSSIBLE) add_proof(c, proofs[SEARCH].name, states);
    if (c->method[0])
        c->verdict = SB_CERTIFIED_IMPOSSIBLE;
    else
        c->states = spent;
    return true;
}

bool sb_prover_certify(sb_prover *p, sb_certificate *c, sb_error *error) {
    static const sb_sees players[] = {SB_SEES_STATE, SB_SEES_OBSERVATIONS, SB_SEES_FUTURE};
    char name[SB_NAME_MAX];
    sb_certificate_clear(c);
    for (int i = 0; i < SB_N_SEES && c->verdict == SB_UNCERTIFIED; i++)
        if (!let_play(p, sb_oracle_names[players[i]], c, error)) return false;
    if (c->verdict == SB_CERTIFIED_SOLVED || look_for_proofs(p, c, error)) return true;
    sb_name_print(&c->name, name, sizeof name);
    return sb_fail_at(error, "%s", name);
}
