/* The clauses of worlds that are expressions: what they must not do, and what they say of a state. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "engine/autumn/evaluate.h"
#include "engine/autumn/scopes.h"
#include "engine/autumn/task.h"
#include "engine/autumn/values.h"

/* ---- Clauses change nothing -------------------------------------------------------------------------------------- */

/* A clause may call functions of the program, so all that it can reach is looked at: a name reaches every function that
 * is ever assigned to it. */
typedef struct check {
    const sb_autumn_program *p;
    sb_autumn_fault *fault;
    bool *seen;     /* by node: it was looked at */
    bool *variable; /* by symbol: the program defines it outside of functions and `let` */
} check;

static bool refuse(const check *k, uint32_t node, const char *format, const char *name) {
    const sb_au_place place = k->p->places[node];
    char text[sizeof k->fault->text];
    *k->fault = (sb_autumn_fault){.kind = SB_AUTUMN_TYPE, .line = place.line, .column = place.column};
    snprintf(text, sizeof text, format, name);
    sb_copy_plain(k->fault->text, sizeof k->fault->text, text);
    return false;
}

/* Marks what a handler or a statement defines; inside of functions and `let`, new names are local. */
static void find_variables(const check *k, uint32_t at) {
    const sb_au_node *node = &k->p->nodes[at];
    if (node->op == SB_AU_OP_LET || node->op == SB_AU_OP_LAMBDA) return;
    if (node->op == SB_AU_OP_ASSIGN) k->variable[node->a] = true;
    for (uint32_t i = 0; i < sb_au_n_children(node); i++) find_variables(k, sb_au_child(k->p, node, i));
}

static void find_all_variables(const check *k) {
    const sb_autumn_program *p = k->p;
    for (uint32_t i = 0; i < SB_AU_N_KNOWN; i++) k->variable[i] = true;
    for (size_t i = 0; i < p->n_parameters; i++) find_variables(k, p->parameters[i]);
    for (size_t i = 0; i < p->n_rules; i++) k->variable[p->rules[i].symbol] = true;
    for (size_t i = 0; i < p->n_handlers; i++) find_variables(k, p->handlers[i].body);
    for (size_t i = 0; i < p->n_statements; i++)
        if (p->statements[i].kind == SB_AU_EVALUATE) find_variables(k, p->statements[i].a);
}

static bool check_node(const check *k, uint32_t at) {
    const sb_autumn_program *p = k->p;
    const sb_au_node *node = &p->nodes[at];
    const bool names = node->op == SB_AU_OP_NAME || node->op == SB_AU_OP_CALL;
    if (k->seen[at]) return true;
    k->seen[at] = true;
    if (node->op == SB_AU_OP_SET_FIELD)
        return refuse(k, at, "a clause of `task` changes nothing, but `%s` of a thing is set here",
                      sb_au_word(&p->names, node->b));
    if (node->op == SB_AU_OP_ASSIGN && k->variable[node->a])
        return refuse(k, at, "a clause of `task` changes nothing, but the variable `%s` is set here",
                      sb_au_word(&p->names, node->a));
    if (names && sb_au_names_draw(p, node))
        return refuse(k, at, "a clause of `task` draws nothing, but `%s` is named here",
                      sb_au_word(&p->names, node->a));
    for (uint32_t i = 0; i < sb_au_n_children(node); i++)
        if (!check_node(k, sb_au_child(p, node, i))) return false;
    for (uint32_t i = 0; names && (i = sb_au_next_function(p, node->a, i));)
        if (!check_node(k, p->nodes[i].b)) return false;
    return true;
}

/* Parameters have one value for the whole of an episode. */
static bool check_assignments(const check *k) {
    const sb_autumn_program *p = k->p;
    const char *const words = "`%s` is a parameter of the difficulties, and cannot be set again";
    for (size_t n = 0; n < p->task->n_parameters; n++) {
        const uint32_t symbol = p->task->parameters[n];
        for (size_t i = 0; i < p->n_rules; i++)
            if (p->rules[i].symbol == symbol) return refuse(k, p->rules[i].first, words, sb_au_word(&p->names, symbol));
        for (uint32_t i = 1; i < p->n_nodes; i++)
            if (p->nodes[i].op == SB_AU_OP_ASSIGN && p->nodes[i].a == symbol && i != p->parameters[n])
                return refuse(k, i, words, sb_au_word(&p->names, symbol));
    }
    return true;
}

void sb_au_clauses_of(const sb_autumn_program *p, uint32_t nodes[SB_AU_CLAUSES]) {
    const sb_au_task none = {0}, *t = p->task ? p->task : &none;
    const uint32_t all[SB_AU_CLAUSES] = {t->win, t->lose, t->score, t->reward, t->bound, t->start};
    memcpy(nodes, all, sizeof all);
}

uint32_t sb_au_next_function(const sb_autumn_program *p, uint32_t symbol, uint32_t behind) {
    for (uint32_t i = behind + 1; i < p->n_nodes; i++) {
        const sb_au_node *node = &p->nodes[i];
        if (node->op == SB_AU_OP_ASSIGN && node->a == symbol && p->nodes[node->b].op == SB_AU_OP_LAMBDA) return i;
    }
    return 0;
}

bool sb_au_check_clauses(const sb_autumn_program *p, sb_autumn_fault *fault) {
    uint32_t nodes[SB_AU_CLAUSES];
    sb_au_clauses_of(p, nodes);
    check k = {.p = p, .fault = fault, .seen = calloc(p->n_nodes, 1), .variable = calloc(p->names.n, 1)};
    *fault = (sb_autumn_fault){.kind = SB_AUTUMN_MEMORY, .text = "out of memory for the program"};
    bool ok = k.seen && k.variable;
    if (ok) find_all_variables(&k);
    ok = ok && check_assignments(&k);
    for (size_t i = 0; ok && i < SB_AU_CLAUSES; i++) ok = !nodes[i] || check_node(&k, nodes[i]);
    free(k.seen), free(k.variable);
    return ok;
}

/* ---- Judging ----------------------------------------------------------------------------------------------------- */

static bool ask_number(sb_autumn_state *m, uint32_t node, const char *clause, int32_t *number) {
    const sb_au_value v = sb_au_call_if_function(m, sb_au_eval(m, node));
    *number = v.number;
    if (v.kind == SB_AU_NUMBER) return true;
    if (!sb_au_failed(v)) sb_au_fail(m, SB_AUTUMN_TYPE, "`%s` must be a number, not %s", clause, sb_au_kind_name(v));
    return sb_au_fail_at(m, node), false;
}

static bool judge_score(sb_autumn_state *m, const sb_au_task *t, sb_autumn_standing *v) {
    if (!t->score) return true;
    if (!ask_number(m, t->score, "score", &v->score)) return false;
    if (v->score < 0 || v->score > t->told.score_max)
        return sb_au_fail(m, SB_AUTUMN_LIMIT, "the score is %d, not 0 to %d", v->score, t->told.score_max),
               sb_au_fail_at(m, t->score), false;
    if (m->started && v->score < m->core.standing.score)
        return sb_au_fail(m, SB_AUTUMN_LIMIT, "the score falls from %d to %d", m->core.standing.score, v->score),
               sb_au_fail_at(m, t->score), false;
    v->won |= v->score == t->told.score_max;
    return true;
}

/* Finds out the reward. The clause `reward` may ask how the step has ended. */
static bool judge_reward(sb_autumn_state *m, const sb_au_task *t, sb_autumn_standing *v) {
    const size_t hidden = m->n_hidden;
    if (!t->reward) return true;
    if (!sb_au_enter(m, 0)) return false;
    const bool ok = sb_au_bind(m, t->won, sb_au_bool(v->won)) && sb_au_bind(m, t->lost, sb_au_bool(v->lost)) &&
                    ask_number(m, t->reward, "reward", &v->reward);
    sb_au_leave(m, 0, hidden);
    return ok;
}

static bool judge_all(sb_autumn_state *m, const sb_au_task *t, sb_autumn_standing *v) {
    if (t->win && !sb_au_ask_truth(m, t->win, "`win`", &v->won)) return false;
    if (!judge_score(m, t, v)) return false;
    if (!v->won && t->lose && !sb_au_ask_truth(m, t->lose, "`lose`", &v->lost)) return false;
    if (!judge_reward(m, t, v)) return false;
    if (!m->started && t->start && !sb_au_ask_truth(m, t->start, "`start`", &v->starts)) return false;
    if (m->wants_bound && t->bound && !ask_number(m, t->bound, "bound", &v->bound)) return false;
    return true;
}

/* Makes `click` mean a click of this step in clauses; the program's own variable stays as it was. */
static bool bind_click(sb_autumn_state *m, sb_autumn_event event) {
    if (event.key != SB_AUTUMN_CLICK) return true;
    const sb_au_value place = sb_au_position(m, event.x, event.y);
    return !sb_au_failed(place) && sb_au_bind(m, SB_AU_click, place);
}

/* Drops what was made while clauses were evaluated: nothing can refer to it. */
static void drop_things(sb_autumn_state *m, uint32_t used) {
    for (size_t i = 0; i < m->program->n_objects; i++)
        if (m->shapes[i].at >= used) m->shapes[i] = SB_AU_FAILED;
    m->heap.used = used;
    m->objects = m->click = SB_AU_FAILED;
    m->origins_of = 0;
}

bool sb_au_judge(sb_autumn_state *m, sb_autumn_event event) {
    const uint32_t used = m->heap.used;
    const size_t hidden = m->n_hidden;
    sb_autumn_standing standing = {.starts = true};
    /* At the start, `prev` of a variable is its value now. */
    if (!m->started) memcpy(m->prev, m->globals, m->program->names.n * sizeof *m->prev);
    m->event = event;
    m->judges = true;
    bool ok = sb_au_enter(m, 0);
    if (ok) {
        ok = bind_click(m, event) && judge_all(m, m->program->task, &standing);
        sb_au_leave(m, 0, hidden);
    }
    m->judges = false;
    m->event = (sb_autumn_event){0};
    drop_things(m, used);
    if (ok) m->core.standing = standing;
    return ok;
}

const sb_autumn_standing *sb_autumn_standing_of(const sb_autumn_state *state) { return &state->core.standing; }
void sb_autumn_want_bound(sb_autumn_state *state, bool wanted) { state->wants_bound = wanted; }
