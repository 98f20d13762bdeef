/* Start and step of a program (language 2 and 8). */
#include <string.h>

#include "engine/autumn/draw.h"
#include "engine/autumn/evaluate.h"
#include "engine/autumn/scopes.h"
#include "engine/autumn/values.h"

/* ---- What both share --------------------------------------------------------------------------------------------- */

static void begin(sb_autumn_state *m, sb_autumn_event event, sb_autumn_tape *tape) {
    m->has_fault = false;
    m->before = m->core;
    m->used_before = m->heap.used;
    m->n_changes = m->n_hidden = m->n_cells = 0;
    m->changed_in_place = m->order_saved = m->all_free = false;
    m->event = event;
    m->click = m->objects = SB_AU_FAILED;
    m->tape = tape;
    m->evaluations = m->program->limits.evaluations;
    m->nesting = m->depth = m->shape_scope = m->origins_of = 0;
    m->floor = 1;
    memset(m->assigned, 0, m->program->names.n);
    memset(m->fired, 0, m->program->n_handlers);
    if (tape) tape->used = 0, tape->failed = false;
}

/* Draws, and then moves what is alive if there is much else. */
static bool end(sb_autumn_state *m) {
    m->event = (sb_autumn_event){0};
    if (!sb_au_draw_frame(m)) return false;
    if (sb_au_heap_collect(m)) return true;
    return sb_au_fail(m, SB_AUTUMN_MEMORY, "out of memory"), false;
}

/* ---- Start (language 2) ------------------------------------------------------------------------------------------ */

static bool make_ready(sb_autumn_state *m, sb_autumn_generator generator, uint64_t seed) {
    const sb_autumn_program *p = m->program;
    memset(m->fixed, 0, m->fixed_size);
    memset(m->prev, 0, p->names.n * sizeof *m->prev);
    memset(m->locals, 0, p->names.n * sizeof *m->locals);
    m->drawing.size = 0;
    m->drawing.n_cells = m->drawing.n_layers = m->drawing.n_outside = 0;
    m->heap.used = 1;
    m->heap.collect_at = 0;
    m->core = (sb_au_core){.table = p->first_table, .generator = generator};
    sb_autumn_reseed(m, seed);
    memcpy(m->order, p->first_order, p->first_table.n * sizeof *m->order);
    memset(m->was_defined, 1, SB_AU_SpecialConditionTriggered + 1);
    for (uint32_t i = 0; i < SB_AU_N_LIBRARY; i++)
        if (sb_au_natives[i].call) m->globals[i] = sb_au_of(SB_AU_NATIVE, i);
    m->globals[SB_AU_GRID_SIZE] = sb_au_number(16);
    m->globals[SB_AU_FRAME_RATE] = sb_au_number(SB_AU_USUAL_RATE);
    m->globals[SB_AU_background] = sb_au_of(SB_AU_STRING, p->black);
    m->globals[SB_AU_SpecialConditionTriggered] = sb_au_bool(false);
    return m->heap.capacity || sb_au_heap_grow(m, 1);
}

static bool run_statements(sb_autumn_state *m) {
    for (size_t i = 0; i < m->program->n_statements; i++) {
        const sb_au_statement *s = &m->program->statements[i];
        if (s->kind == SB_AU_DEFINE_TYPE) m->types[m->program->objects[s->a].name] = (uint16_t)s->a;
        if (s->kind == SB_AU_EVALUATE && sb_au_failed(sb_au_eval(m, s->a))) return false;
    }
    return true;
}

static bool assign_rule(sb_autumn_state *m, uint32_t symbol, uint32_t node) {
    const sb_au_value v = sb_au_eval(m, node);
    if (sb_au_failed(v)) return false;
    return sb_au_assign(m, symbol, v) || (sb_au_fail_at(m, node), false);
}

/* Each variable is defined right after its first value is evaluated; a library function of that name is replaced. */
static bool run_first_values(sb_autumn_state *m) {
    for (size_t i = 0; i < m->program->n_rules; i++) {
        const sb_au_rule *rule = &m->program->rules[m->program->rule_order[i]];
        const sb_au_value v = sb_au_eval(m, rule->first);
        if (sb_au_failed(v)) return false;
        if (!sb_au_define(m, rule->symbol, v)) return sb_au_fail_at(m, rule->first), false;
    }
    return true;
}

bool sb_autumn_start(sb_autumn_state *state, sb_autumn_generator generator, uint64_t seed, sb_autumn_tape *tape) {
    begin(state, (sb_autumn_event){0}, tape);
    state->started = false;
    state->started = make_ready(state, generator, seed) && run_statements(state) && run_first_values(state) &&
                     sb_au_define_global(state, SB_AU_cacheRendered, sb_au_bool(false)) && sb_au_draw_frame(state) &&
                     end(state);
    return state->started;
}

/* ---- Step (language 8) ------------------------------------------------------------------------------------------- */

static bool run_trigger(sb_autumn_state *m) {
    if (!m->program->trigger) return true;
    const sb_au_value v = sb_au_call_if_function(m, sb_au_eval(m, m->program->trigger));
    if (sb_au_failed(v)) return false;
    m->globals[SB_AU_SpecialConditionTriggered] = sb_au_bool(sb_au_truth(m, v));
    return true;
}

/* A condition is a truth value, or a function that gives one. */
static bool holds(sb_autumn_state *m, uint32_t node, bool *yes) {
    const sb_au_value v = sb_au_call_if_function(m, sb_au_eval(m, node));
    *yes = v.number != 0;
    if (v.kind == SB_AU_BOOL) return true;
    if (!sb_au_failed(v))
        sb_au_fail(m, SB_AUTUMN_CONDITION, "a condition must be a truth value, not %s", sb_au_kind_name(v));
    return sb_au_fail_at(m, node), false;
}

static bool run_handlers(sb_autumn_state *m) {
    for (size_t i = 0; i < m->program->n_handlers; i++) {
        const sb_au_handler *handler = &m->program->handlers[i];
        bool yes;
        if (!holds(m, handler->condition, &yes)) return false;
        if (yes && sb_au_failed(sb_au_eval(m, handler->body))) return false;
        m->fired[i] = yes;
    }
    return true;
}

static bool run_rules(sb_autumn_state *m) {
    for (size_t i = 0; i < m->program->n_rules; i++) {
        const sb_au_rule *rule = &m->program->rules[m->program->rule_order[i]];
        if (m->assigned[rule->symbol] || sb_au_failed(m->globals[rule->symbol])) continue;
        if (!assign_rule(m, rule->symbol, rule->next)) return false;
    }
    return true;
}

/* Language 9: the state is the one before the step. */
static void take_back(sb_autumn_state *m) {
    const sb_autumn_program *p = m->program;
    sb_au_heap_restore(m);
    memcpy(m->globals, m->prev, p->names.n * sizeof *m->globals);
    for (size_t i = 0; i < p->n_objects; i++)
        if (m->shapes[i].at >= m->used_before) m->shapes[i] = SB_AU_FAILED;
    if (m->order_saved) {
        for (uint32_t i = m->before.n_defined; i < m->core.n_defined; i++) m->was_defined[m->defined[i]] = 0;
        memcpy(m->order, m->old_order, m->before.table.n * sizeof *m->order);
        memcpy(m->defined, m->old_order + p->names.n, m->before.n_defined * sizeof *m->defined);
    }
    m->core = m->before;
    m->objects = SB_AU_FAILED;
}

bool sb_autumn_step(sb_autumn_state *state, sb_autumn_event event, sb_autumn_tape *tape) {
    begin(state, event, tape);
    if (!state->started) return sb_au_fail(state, SB_AUTUMN_UNDEFINED, "the program was not started"), false;
    memcpy(state->prev, state->globals, state->program->names.n * sizeof *state->prev);
    if (run_trigger(state) && run_handlers(state) && run_rules(state) && end(state)) return true;
    take_back(state);
    return false;
}
