/* Start and step of a program (language 2 and 8). */
#include <string.h>

#include "base/grow.h"
#include "engine/autumn/evaluate.h"
#include "engine/autumn/memo.h"
#include "engine/autumn/packed.h"
#include "engine/autumn/scopes.h"
#include "engine/autumn/state.h"
#include "engine/autumn/task.h"
#include "engine/autumn/values.h"

/* ---- Drawing (render.md) ----------------------------------------------------------------------------------------- */

static bool no_memory(sb_autumn_state *m) { return sb_au_fail(m, SB_AUTUMN_MEMORY, "out of memory"), false; }

/* Pushes the cells of a variable. */
static bool draw_variable(sb_autumn_state *m, uint32_t symbol) {
    const sb_au_value v = m->globals[symbol];
    const size_t from = m->n_cells;
    sb_au_drawing *const d = &m->next;
    if (v.kind != SB_AU_OBJECT && v.kind != SB_AU_LIST) return true;
    if (!sb_au_push_cells(m, v, false)) return false;
    if (m->n_cells == from) return true;
    if (!SB_GROW(d->layers, d->n_layers + 1, d->layers_capacity)) return no_memory(m);
    d->layers[d->n_layers++] = (sb_autumn_layer){
        .variable = symbol, .first = (uint32_t)from, .n = (uint32_t)(m->n_cells - from)};
    return true;
}

/* First the ruled variables in program order, then all others in order of their definition. */
static bool draw_variables(sb_autumn_state *m) {
    const sb_autumn_program *p = m->program;
    for (size_t i = 0; i < p->n_rules; i++)
        if (!draw_variable(m, p->rules[i].symbol)) return false;
    for (uint32_t i = 0; p->names_objects && i < SB_AU_N_LIBRARY; i++)
        if (!p->ruled[i] && !draw_variable(m, i)) return false;
    for (uint32_t i = 0; i < m->core.n_defined; i++)
        if (!p->ruled[m->defined[i]] && !draw_variable(m, m->defined[i])) return false;
    return true;
}

static bool read_grid(sb_autumn_state *m) {
    const sb_au_value size = m->globals[SB_AU_GRID_SIZE], background = m->globals[SB_AU_background];
    if (size.kind != SB_AU_NUMBER)
        return sb_au_fail(m, SB_AUTUMN_TYPE, "GRID_SIZE must be a number, not %s", sb_au_kind_name(size)), false;
    if (size.number > SB_AUTUMN_SIZE_MAX)
        return sb_au_fail(m, SB_AUTUMN_LIMIT, "GRID_SIZE must be at most %d", SB_AUTUMN_SIZE_MAX), false;
    if (background.kind != SB_AU_STRING)
        return sb_au_fail(m, SB_AUTUMN_TYPE, "background must be a string, not %s", sb_au_kind_name(background)), false;
    if (m->program->has_maps && !sb_au_is_colour(m, background.at)) return false;
    m->next.size = size.number > 0 ? (uint32_t)size.number : 0;
    m->next.background = background.at;
    return true;
}

static bool mark_occupied(sb_autumn_state *m) {
    sb_au_drawing *const d = &m->next;
    const size_t words = ((size_t)d->size * d->size + 63) / 64;
    if (!SB_GROW(d->occupied, words, d->occupied_capacity)) return no_memory(m);
    if (words) memset(d->occupied, 0, words * sizeof *d->occupied);
    d->n_outside = 0;
    for (size_t i = 0; i < d->n_cells; i++) {
        const uint32_t x = (uint32_t)d->cells[i].x, y = (uint32_t)d->cells[i].y;
        if (x < d->size && y < d->size)
            d->occupied[(y * d->size + x) / 64] |= (uint64_t)1 << ((y * d->size + x) % 64);
        else
            d->n_outside++;
    }
    return true;
}

/* The cells were pushed onto m->cells, which becomes the drawing's array. */
static void take_cells(sb_autumn_state *m) {
    sb_autumn_cell *const cells = m->next.cells;
    const size_t capacity = m->next.cells_capacity;
    m->next.cells = m->cells, m->next.cells_capacity = m->cells_capacity, m->next.n_cells = m->n_cells;
    m->cells = cells, m->cells_capacity = capacity, m->n_cells = 0;
}

/* Exchanges the drawing that was made and the one before it. */
static void exchange_drawings(sb_autumn_state *m) {
    const sb_au_drawing drawn = m->next;
    m->next = m->drawing;
    m->drawing = drawn;
}

/* Whether the variable `click` has another value that nothing reads later. */
static bool has_only_clicked(const sb_autumn_state *m) {
    return !m->program->keeps_click && !sb_au_failed(m->prev[SB_AU_click]) && !sb_au_failed(m->globals[SB_AU_click]);
}

/* Whether the drawing stays as it is: where cells depend on variables only, and no variable has changed. */
static bool is_unchanged(const sb_autumn_state *m) {
    enum { BEHIND = SB_AU_click + 1 };
    const size_t n = m->program->names.n, size = sizeof *m->globals;
    return m->started && m->program->plain_cells && !m->changed_in_place && !m->order_saved &&
           memcmp(m->globals, m->prev, SB_AU_click * size) == 0 &&
           memcmp(m->globals + BEHIND, m->prev + BEHIND, (n - BEHIND) * size) == 0 &&
           (has_only_clicked(m) || memcmp(m->globals + SB_AU_click, m->prev + SB_AU_click, size) == 0);
}

static bool are_drawn_alike(const sb_au_drawing *a, const sb_au_drawing *b) {
    return a->size == b->size && a->background == b->background && a->n_cells == b->n_cells &&
           a->n_layers == b->n_layers &&
           (a->n_cells == 0 || memcmp(a->cells, b->cells, a->n_cells * sizeof *a->cells) == 0) &&
           (a->n_layers == 0 || memcmp(a->layers, b->layers, a->n_layers * sizeof *a->layers) == 0);
}

/* Draws the globals and marks the occupied places; false: a fault was noted, and the last drawing stays. */
static bool draw_frame(sb_autumn_state *m) {
    const int64_t left = m->evaluations;
    if (is_unchanged(m)) return sb_au_spend(m, m->drawing.spent); /* as if it were drawn again */
    m->next.n_layers = m->n_cells = 0;
    m->all_free = true;
    const bool ok = read_grid(m) && draw_variables(m);
    m->all_free = false;
    if (!ok) return false;
    take_cells(m);
    if (!mark_occupied(m)) return false;
    m->next.spent = left - m->evaluations;
    exchange_drawings(m);
    m->has_drawn = true;
    if (!are_drawn_alike(&m->drawing, &m->next)) m->drawn_at = ++m->time;
    return true;
}

/* ---- What both share --------------------------------------------------------------------------------------------- */

static void rewind_tape(sb_autumn_tape *tape) {
    if (!tape) return;
    if (!tape->goes_on) tape->used = 0;
    tape->failed = false;
}

static void begin(sb_autumn_state *m, sb_autumn_event event, sb_autumn_tape *tape) {
    m->has_fault = false;
    m->before = m->core;
    m->used_before = m->heap.used;
    m->n_changes = m->n_hidden = m->n_cells = 0;
    m->changed_in_place = m->order_saved = m->all_free = m->drew = m->has_new_shape = m->heap.is_full = false;
    m->has_drawn = m->judges = m->stood = m->stayed = m->asked_click = false;
    m->read[SB_AU_click / 64] &= ~(UINT64_C(1) << SB_AU_click % 64);
    m->step_began = m->time;
    m->event = event;
    m->click = m->objects = SB_AU_FAILED;
    m->tape = tape;
    m->evaluations = m->program->limits.evaluations;
    m->nesting = m->depth = m->shape_scope = m->origins_of = 0;
    m->floor = 1;
    memset(m->assigned, 0, m->program->names.n);
    memset(m->fired, 0, m->program->n_handlers);
    rewind_tape(tape);
}

/* ---- Steps that change nothing ---- */

/* If a step has drawn nothing and the state after it is as before, the same key does the same again, until another
 * event changes something. In many programs everything stands still for most of the time, so such steps are noted for
 * each key and not taken again. */

/* Whether the state is as it was before the step. `next` is the drawing before the step, unless nothing was drawn
 * because no variable has changed. Numbers and the like come first: they are quick to compare, and most steps that
 * change something change one of them. */
static bool is_as_before(const sb_autumn_state *m) {
    const sb_autumn_program *p = m->program;
    if (!p->remembers || m->drew || m->has_new_shape) return false;
    for (size_t i = 0; i < p->names.n; i++)
        if (!sb_au_is_thing(m->globals[i]) && memcmp(&m->globals[i], &m->prev[i], sizeof *m->prev) != 0) return false;
    for (size_t i = 0; i < p->names.n; i++)
        if (!sb_au_are_alike(m, m->globals[i], m->prev[i]) && (i != SB_AU_click || !has_only_clicked(m))) return false;
    return p->plain_cells || are_drawn_alike(&m->drawing, &m->next);
}

/* The key for which a step that changes nothing is noted: keys that nothing reads do what a noop does. SB_AU_KEYS: a
 * click. */
static unsigned still_key(const sb_autumn_state *m, sb_autumn_event event) {
    return event.key != SB_AUTUMN_CLICK && !m->program->reads[event.key] ? SB_AUTUMN_NOOP : event.key;
}

/* Notes at the end of a step whether it has changed anything. */
static void note_still(sb_autumn_state *m, unsigned key) {
    const size_t n = m->program->n_handlers;
    m->stayed = m->started && is_as_before(m);
    if (!m->stayed) {
        m->still = 0;
        return;
    }
    if (key == SB_AU_KEYS) return;
    m->still |= 1u << key;
    memcpy(m->still_fired + key * n, m->fired, n);
    m->still_evaluations[key] = m->evaluations;
    m->still_standing[key] = m->core.standing;
}

/* Whether the step is known to change nothing; then it is over. */
static bool stands_still(sb_autumn_state *m, unsigned key, sb_autumn_tape *tape) {
    const size_t n = m->program->n_handlers;
    if (!(m->still >> key & 1)) return false;
    m->has_fault = false;
    m->stood = m->stayed = true;
    m->before.standing = m->core.standing;
    m->evaluations = m->still_evaluations[key];
    m->core.standing = m->still_standing[key];
    memcpy(m->fired, m->still_fired + key * n, n);
    rewind_tape(tape);
    return true;
}

/* Draws, judges worlds, and then moves what is alive if there is much else. */
static bool end(sb_autumn_state *m) {
    const sb_autumn_event event = m->event;
    m->event = (sb_autumn_event){0};
    if (!draw_frame(m) || (m->program->task && !sb_au_judge(m, event))) return false;
    note_still(m, still_key(m, event));
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
    sb_au_forget(m);
    m->core = (sb_au_core){.table = p->first_table, .generator = generator};
    sb_autumn_reseed(m, seed);
    memcpy(m->order, p->first_order, p->first_table.n * sizeof *m->order);
    memset(m->was_defined, 1, SB_AU_SpecialConditionTriggered + 1);
    for (uint32_t i = 0; i < SB_AU_N_LIBRARY; i++)
        if (sb_au_natives[i].call) m->globals[i] = sb_au_of(SB_AU_NATIVE, i);
    for (uint32_t i = 0; i < SB_AU_N_WORLD_FUNCTIONS; i++)
        if (p->has_function[i]) m->globals[SB_AU_N_KNOWN + i] = sb_au_of(SB_AU_NATIVE, SB_AU_N_KNOWN + i);
    m->globals[SB_AU_GRID_SIZE] = sb_au_number(16);
    m->globals[SB_AU_FRAME_RATE] = sb_au_number(SB_AU_USUAL_RATE);
    m->globals[SB_AU_background] = sb_au_of(SB_AU_STRING, p->black);
    m->globals[SB_AU_SpecialConditionTriggered] = sb_au_bool(false);
    return m->heap.capacity || sb_au_heap_grow(m, 1);
}

/* Makes an object type known. In worlds its name may be used as a function. */
static void define_type(sb_autumn_state *m, uint32_t number) {
    const sb_au_object_type *type = &m->program->objects[number];
    m->types[type->name] = (uint16_t)number;
    if (type->maker) m->globals[type->name] = sb_au_of(SB_AU_LAMBDA, m->program->nodes[type->maker].a);
}

static bool run_statements(sb_autumn_state *m) {
    for (size_t i = 0; i < m->program->n_parameters; i++)
        if (sb_au_failed(sb_au_eval(m, m->program->parameters[i]))) return false;
    for (size_t i = 0; i < m->program->n_statements; i++) {
        const sb_au_statement *s = &m->program->statements[i];
        if (s->kind == SB_AU_DEFINE_TYPE) define_type(m, s->a);
        if (s->kind == SB_AU_EVALUATE && sb_au_failed(sb_au_eval(m, s->a))) return false;
    }
    return true;
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
                     sb_au_define_global(state, SB_AU_cacheRendered, sb_au_bool(false)) && draw_frame(state) &&
                     end(state);
    return state->started;
}

/* ---- Step (language 8) ------------------------------------------------------------------------------------------- */

static bool run_trigger(sb_autumn_state *m) {
    if (!m->program->trigger) return true;
    const sb_au_value v = sb_au_call_if_function(m, sb_au_eval(m, m->program->trigger));
    if (sb_au_failed(v)) return false;
    const sb_au_value now = sb_au_bool(sb_au_truth(m, v));
    if (m->globals[SB_AU_SpecialConditionTriggered].number != now.number)
        sb_au_changed(m, SB_AU_SpecialConditionTriggered);
    m->globals[SB_AU_SpecialConditionTriggered] = now;
    return true;
}

static bool run_handlers(sb_autumn_state *m) {
    for (size_t i = 0; i < m->program->n_handlers; i++) {
        const sb_au_handler *handler = &m->program->handlers[i];
        bool yes = m->memos[i].value;
        if (!sb_au_recall(m, i, SB_AU_NO_WORD)) {
            sb_au_watch(m, i);
            if (!sb_au_ask_truth(m, handler->condition, "a condition", &yes)) return false;
            sb_au_watched(m, i);
            sb_au_remember(m, i, yes);
        }
        if (yes && sb_au_failed(sb_au_eval(m, handler->body))) return false;
        m->fired[i] = yes;
    }
    return true;
}

/* Runs a rule. An old value that the new one is like stays, so that what was read from it stands. */
static bool run_rule(sb_autumn_state *m, const sb_au_rule *rule, size_t number) {
    const sb_au_value old = m->globals[rule->symbol];
    if (sb_au_recall(m, number, rule->symbol)) return sb_au_assign(m, rule->symbol, old);
    sb_au_watch(m, number);
    sb_au_value v = sb_au_eval(m, rule->next);
    if (sb_au_failed(v)) return false;
    sb_au_watched(m, number);
    if (m->is_watched && sb_au_are_alike(m, v, m->globals[rule->symbol])) v = m->globals[rule->symbol];
    if (!sb_au_assign(m, rule->symbol, v)) return sb_au_fail_at(m, rule->next), false;
    sb_au_remember(m, number, false);
    return true;
}

static bool run_rules(sb_autumn_state *m) {
    for (size_t i = 0; i < m->program->n_rules; i++) {
        const sb_au_rule *rule = &m->program->rules[m->program->rule_order[i]];
        if (m->assigned[rule->symbol] || sb_au_failed(m->globals[rule->symbol])) continue;
        if (!run_rule(m, rule, m->program->n_handlers + i)) return false;
    }
    return true;
}

/* Makes the state the one before the step (language 9). */
static void take_back(sb_autumn_state *m) {
    const sb_autumn_program *p = m->program;
    if (m->has_drawn) exchange_drawings(m);
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
    sb_au_forget(m);
}

void sb_autumn_undo(sb_autumn_state *state) {
    if (state->stood)
        state->core.standing = state->before.standing;
    else
        take_back(state);
}

bool sb_au_redraw(sb_autumn_state *m) {
    begin(m, (sb_autumn_event){0}, NULL);
    m->started = false;
    m->started = draw_frame(m);
    return m->started;
}

static bool take_step(sb_autumn_state *m, sb_autumn_event event, sb_autumn_tape *tape) {
    begin(m, event, tape);
    if (!m->started) return sb_au_fail(m, SB_AUTUMN_UNDEFINED, "the program was not started"), false;
    memcpy(m->prev, m->globals, m->program->names.n * sizeof *m->prev);
    if (run_trigger(m) && run_handlers(m) && run_rules(m) && end(m)) return true;
    take_back(m);
    return false;
}

/* Whether a step failed for want of memory of which earlier steps have left some unused; if so, collects it. What a
 * step may use must not depend on what was there before. */
static bool has_made_room(sb_autumn_state *m) {
    const uint32_t used = m->heap.used;
    if (!m->heap.is_full || m->packed_from) return false;
    m->heap.is_full = false, m->heap.collect_at = 0;
    return sb_au_heap_collect(m) && m->heap.used < used;
}

/* Makes a click whose place was read like no other. */
static void part_click(sb_autumn_state *m, sb_autumn_event event) {
    const size_t size = m->alike_size, at = (size_t)event.y * size + (size_t)event.x;
    if (!m->asked_click && !sb_au_has_read(m, SB_AU_click) && !m->program->judges_click) return;
    memset(m->alike, 0, (size * size + 63) / 64 * sizeof *m->alike);
    m->alike[at / 64] |= UINT64_C(1) << at % 64;
}

void sb_autumn_watch_clicks(sb_autumn_state *state, uint64_t *cells, uint32_t size) {
    const size_t words = ((size_t)size * size + 63) / 64;
    state->alike = cells, state->alike_size = size;
    if (cells) memset(cells, 0xff, words * sizeof *cells);
}

bool sb_autumn_has_stayed(const sb_autumn_state *state) {
    return state->stayed && state->core.standing.score == state->before.standing.score;
}

bool sb_autumn_step(sb_autumn_state *state, sb_autumn_event event, sb_autumn_tape *tape) {
    const size_t recorded = tape ? tape->n : 0, used = tape ? tape->used : 0;
    if (state->started && stands_still(state, still_key(state, event), tape)) return true;
    const bool ok = take_step(state, event, tape);
    if (state->alike) part_click(state, event);
    if (ok) return true;
    if (!has_made_room(state)) return false;
    if (tape) tape->n = recorded, tape->used = used;
    return take_step(state, event, tape);
}
