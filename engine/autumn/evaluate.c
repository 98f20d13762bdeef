#include "engine/autumn/evaluate.h"

#include <string.h>

#include "engine/autumn/scopes.h"
#include "engine/autumn/values.h"

enum { FEW = 4, MANY = 24 }; /* arguments of calls; most have few, and so need little of the stack */

/* The value of an operand: names and literals, which most operands are, without a call. */
static inline sb_au_value operand(sb_autumn_state *m, uint32_t at) {
    const sb_au_node *node = &m->program->nodes[at];
    if (node->op == SB_AU_OP_LITERAL) return sb_au_of((sb_au_kind)node->a, node->b);
    if (node->op != SB_AU_OP_NAME || m->evaluations <= 0) return sb_au_eval(m, at);
    const sb_au_value v = sb_au_look_up(m, node->a);
    if (sb_au_failed(v)) return sb_au_eval(m, at); /* sb_au_eval notes the fault */
    m->evaluations--;
    return v;
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

static sb_au_value call_lambda(sb_autumn_state *m, const sb_au_lambda *f, const sb_au_value *arguments, uint32_t n) {
    const size_t hidden = m->n_hidden;
    if (n < f->n) return sb_au_fail(m, SB_AUTUMN_ARITY, "the function needs %u arguments, not %u", f->n, n);
    if (!sb_au_enter(m, f->height)) return SB_AU_FAILED;
    bool ok = true;
    for (uint32_t i = 0; ok && i < f->n; i++) ok = sb_au_bind(m, m->program->symbols[f->first + i], arguments[i]);
    const sb_au_value result = ok ? sb_au_eval(m, f->body) : SB_AU_FAILED;
    sb_au_leave(m, f->height, hidden);
    return result;
}

static sb_au_value call_native(sb_autumn_state *m, uint32_t symbol, const sb_au_value *arguments, uint32_t n) {
    const sb_au_native *f = symbol < SB_AU_N_LIBRARY ? &sb_au_natives[symbol]
                                                     : &sb_au_world_natives[symbol - SB_AU_N_KNOWN];
    if (n >= f->least && n <= f->most) return f->call(m, arguments, n);
    return sb_au_fail(m, SB_AUTUMN_ARITY, "`%s` cannot be called with %u arguments",
                      sb_au_word(&m->program->names, symbol), n);
}

sb_au_value sb_au_call(sb_autumn_state *m, sb_au_value f, const sb_au_value *arguments, uint32_t n) {
    if (f.kind == SB_AU_LAMBDA) return call_lambda(m, &m->program->lambdas[f.at], arguments, n);
    if (f.kind == SB_AU_NATIVE) return call_native(m, f.at, arguments, n);
    if (f.kind != SB_AU_RENDER) return sb_au_fail(m, SB_AUTUMN_TYPE, "%s is no function", sb_au_kind_name(f));
    const sb_au_value object = sb_au_of(SB_AU_OBJECT, f.at);
    return call_native(m, SB_AU_renderValue, &object, 1);
}

sb_au_value sb_au_call_if_function(sb_autumn_state *m, sb_au_value v) {
    return sb_au_is_function(v) ? sb_au_call(m, v, NULL, 0) : v;
}

static bool eval_arguments(sb_autumn_state *m, const sb_au_node *node, sb_au_value *arguments) {
    for (uint32_t i = 0; i < node->n; i++) {
        arguments[i] = operand(m, m->program->arguments[node->c + i]);
        if (sb_au_failed(arguments[i])) return false;
    }
    return true;
}

/* `(prev x)` with a name: the global of that name before the step (language 8, `prev`). */
static sb_au_value prev_of_name(sb_autumn_state *m, uint32_t symbol) {
    const sb_au_value v = m->prev[symbol];
    sb_au_read_prev(m, symbol);
    if (!sb_au_failed(v)) return v;
    return sb_au_fail(m, SB_AUTUMN_UNDEFINED, "`%.40s` had no value before this step",
                      sb_au_word(&m->program->names, symbol));
}

static bool is_prev_of_name(const sb_autumn_state *m, sb_au_value f, const sb_au_node *node) {
    return f.kind == SB_AU_NATIVE && f.at == SB_AU_prev && node->n == 1 &&
           m->program->nodes[m->program->arguments[node->c]].op == SB_AU_OP_NAME;
}

__attribute__((noinline)) static sb_au_value call_with_few(sb_autumn_state *m, sb_au_value f, const sb_au_node *node) {
    sb_au_value arguments[FEW];
    return eval_arguments(m, node, arguments) ? sb_au_call(m, f, arguments, node->n) : SB_AU_FAILED;
}

__attribute__((noinline)) static sb_au_value call_with_many(sb_autumn_state *m, sb_au_value f, const sb_au_node *node) {
    sb_au_value arguments[MANY];
    return eval_arguments(m, node, arguments) ? sb_au_call(m, f, arguments, node->n) : SB_AU_FAILED;
}

static sb_au_value call_value(sb_autumn_state *m, sb_au_value f, const sb_au_node *node) {
    if (is_prev_of_name(m, f, node)) return prev_of_name(m, m->program->nodes[m->program->arguments[node->c]].a);
    return node->n <= FEW ? call_with_few(m, f, node) : call_with_many(m, f, node);
}

static sb_au_value call_name(sb_autumn_state *m, const sb_au_node *node) {
    const sb_au_value f = sb_au_look_up(m, node->a);
    if (sb_au_failed(f)) return sb_au_undefined(m, node->a);
    if (!sb_au_is_function(f))
        return sb_au_fail(m, SB_AUTUMN_TYPE, "`%.40s` is %s and cannot be called",
                          sb_au_word(&m->program->names, node->a), sb_au_kind_name(f));
    return call_value(m, f, node);
}

static sb_au_value call_field(sb_autumn_state *m, const sb_au_node *node) {
    const sb_au_value of = operand(m, node->a);
    if (sb_au_failed(of)) return of;
    const sb_au_value f = sb_au_field(m, of, node->b);
    return sb_au_failed(f) ? f : call_value(m, f, node);
}

/* ---- Instances and lists ----------------------------------------------------------------------------------------- */

/* Types are looked up before variables (language 6). */
static sb_au_value make(sb_autumn_state *m, const sb_au_node *node) {
    return m->types[node->a] ? sb_au_make_object(m, node) : call_name(m, node);
}

static sb_au_value make_position(sb_autumn_state *m, const sb_au_node *node) {
    sb_au_value xy[2];
    if (node->n != 2) return sb_au_fail(m, SB_AUTUMN_ARITY, "a Position needs x and y, not %u values", node->n);
    if (!eval_arguments(m, node, xy)) return SB_AU_FAILED;
    for (int i = 0; i < 2; i++)
        if (xy[i].kind != SB_AU_NUMBER)
            return sb_au_fail(m, SB_AUTUMN_TYPE, "a coordinate must be a number, not %s", sb_au_kind_name(xy[i]));
    return sb_au_position(m, xy[0].number, xy[1].number);
}

static sb_au_value make_elem(sb_autumn_state *m, const sb_au_node *node) {
    sb_au_value parts[2];
    if (node->n != 2)
        return sb_au_fail(m, SB_AUTUMN_ARITY, "a RenderedElem needs a position and a colour, not %u values", node->n);
    if (!eval_arguments(m, node, parts)) return SB_AU_FAILED;
    if (parts[0].kind != SB_AU_POSITION || parts[1].kind != SB_AU_STRING)
        return sb_au_fail(m, SB_AUTUMN_TYPE, "a RenderedElem needs a Position and a string");
    const sb_au_value elem = sb_au_new_thing(m, SB_AU_ELEM, 2, 0);
    if (!sb_au_failed(elem)) memcpy(sb_au_thing_of(m, elem)->v, parts, sizeof parts);
    return elem;
}

static sb_au_value make_list(sb_autumn_state *m, const sb_au_node *node) {
    const sb_au_value list = sb_au_new_thing(m, SB_AU_LIST, node->n, SB_AU_T_UNKNOWN);
    if (sb_au_failed(list)) return list;
    memset(sb_au_thing_of(m, list)->v, 0, node->n * sizeof(sb_au_value));
    for (uint32_t i = 0; i < node->n; i++) {
        const sb_au_value v = operand(m, m->program->arguments[node->c + i]);
        if (sb_au_failed(v)) return v;
        sb_au_thing_of(m, list)->v[i] = v;
    }
    sb_au_thing *l = sb_au_thing_of(m, list);
    l->type = sb_au_common_type(m, l->v, l->n);
    return list;
}

/* All holders of the same instance see the change; the new value is not checked (language 4). */
static sb_au_value set_field(sb_autumn_state *m, const sb_au_node *node) {
    const sb_au_value of = operand(m, node->a);
    uint32_t place;
    if (sb_au_failed(of)) return of;
    const sb_au_value v = operand(m, node->c);
    if (sb_au_failed(v)) return v;
    if (!sb_au_find_field(m, of, node->b, &place)) return sb_au_no_field(m, of, node->b);
    return sb_au_set_in_place(m, of, place, v) ? v : SB_AU_FAILED;
}

static sb_au_value eval_let(sb_autumn_state *m, const sb_au_node *node) {
    const size_t hidden = m->n_hidden;
    sb_au_value v = SB_AU_FAILED;
    if (!sb_au_enter(m, 0)) return v;
    for (uint32_t i = 0; i < node->n; i++) {
        v = sb_au_eval(m, m->program->arguments[node->c + i]);
        if (sb_au_failed(v)) break;
    }
    sb_au_leave(m, 0, hidden);
    return v;
}

/* ---- Arithmetic and logic ---------------------------------------------------------------------------------------- */

/* C leaves the one quotient that does not fit undefined; here it wraps around. */
static sb_au_value divide(sb_autumn_state *m, int32_t a, int32_t b) {
    if (b == 0) return sb_au_fail(m, SB_AUTUMN_DIVISION, "%d is divided by zero", a);
    return sb_au_number(b == -1 ? sb_au_minus(0, a) : a / b);
}

static sb_au_value modulo(sb_autumn_state *m, int32_t a, int32_t b) {
    if (b == 0) return sb_au_fail(m, SB_AUTUMN_DIVISION, "%d is divided by zero", a);
    return sb_au_number(b == -1 ? 0 : a % b);
}

static sb_au_value not_numbers(sb_autumn_state *m, sb_au_value a, sb_au_value b) {
    return sb_au_fail(m, SB_AUTUMN_TYPE, "expected two numbers, not %s and %s", sb_au_kind_name(a), sb_au_kind_name(b));
}

static sb_au_value calculate(sb_autumn_state *m, uint32_t op, sb_au_value left, sb_au_value right) {
    const int32_t a = left.number, b = right.number;
    if (left.kind != SB_AU_NUMBER || right.kind != SB_AU_NUMBER) return not_numbers(m, left, right);
    switch (op) {
    case SB_AU_OP_ADD: return sb_au_number(sb_au_plus(a, b));
    case SB_AU_OP_SUBTRACT: return sb_au_number(sb_au_minus(a, b));
    case SB_AU_OP_MULTIPLY: return sb_au_number(sb_au_times(a, b));
    case SB_AU_OP_DIVIDE: return divide(m, a, b);
    case SB_AU_OP_MODULO: return modulo(m, a, b);
    case SB_AU_OP_LESS: return sb_au_bool(a < b);
    case SB_AU_OP_LESS_EQUAL: return sb_au_bool(a <= b);
    case SB_AU_OP_GREATER: return sb_au_bool(a > b);
    default: return sb_au_bool(a >= b);
    }
}

static sb_au_value compare(sb_autumn_state *m, uint32_t op, sb_au_value a, sb_au_value b) {
    const bool equal = sb_au_equal(m, a, b);
    return m->has_fault ? SB_AU_FAILED : sb_au_bool(equal == (op == SB_AU_OP_EQUAL));
}

static sb_au_value eval_two(sb_autumn_state *m, const sb_au_node *node) {
    const sb_au_value a = operand(m, node->a);
    if (sb_au_failed(a)) return a;
    const sb_au_value b = operand(m, node->b);
    if (sb_au_failed(b)) return b;
    return node->op >= SB_AU_OP_EQUAL ? compare(m, node->op, a, b) : calculate(m, node->op, a, b);
}

static sb_au_value eval_one(sb_autumn_state *m, const sb_au_node *node) {
    const sb_au_value v = operand(m, node->a);
    const sb_au_kind expected = node->op == SB_AU_OP_NOT ? SB_AU_BOOL : SB_AU_NUMBER;
    if (sb_au_failed(v)) return v;
    if (v.kind != expected)
        return sb_au_fail(m, SB_AUTUMN_TYPE, "expected a %s, not %s", expected == SB_AU_BOOL ? "truth value" : "number",
                          sb_au_kind_name(v));
    if (node->op == SB_AU_OP_NOT) return sb_au_bool(!v.number);
    return node->op == SB_AU_OP_PLUS ? v : sb_au_number(sb_au_minus(0, v.number));
}

/* Left first; the right part only if the left one has not decided. The result is the truth of the part that decided. */
static sb_au_value eval_logic(sb_autumn_state *m, const sb_au_node *node) {
    sb_au_value v = operand(m, node->a);
    if (sb_au_is_function(v)) v = sb_au_call(m, v, NULL, 0);
    if (sb_au_failed(v)) return v;
    if (sb_au_truth(m, v) == (node->op == SB_AU_OP_OR)) return sb_au_bool(node->op == SB_AU_OP_OR);
    v = operand(m, node->b);
    if (sb_au_is_function(v)) v = sb_au_call(m, v, NULL, 0);
    return sb_au_failed(v) ? v : sb_au_bool(sb_au_truth(m, v));
}

/* ---- Any expression ---------------------------------------------------------------------------------------------- */

static sb_au_value eval_if(sb_autumn_state *m, const sb_au_node *node) {
    const sb_au_value condition = operand(m, node->a);
    if (sb_au_failed(condition)) return condition;
    return operand(m, sb_au_truth(m, condition) ? node->b : node->c);
}

static sb_au_value eval_field(sb_autumn_state *m, const sb_au_node *node) {
    const sb_au_value of = operand(m, node->a);
    return sb_au_failed(of) ? of : sb_au_field(m, of, node->b);
}

static sb_au_value eval_assignment(sb_autumn_state *m, const sb_au_node *node) {
    const sb_au_value v = operand(m, node->b);
    return !sb_au_failed(v) && sb_au_assign(m, node->a, v) ? v : SB_AU_FAILED;
}

static sb_au_value eval_lambda(__attribute__((unused)) sb_autumn_state *m, const sb_au_node *node) {
    return sb_au_of(SB_AU_LAMBDA, node->a);
}

static sb_au_value eval_declaration(sb_autumn_state *m, const sb_au_node *node) {
    return sb_au_declare(m, node->a, node->b) ? sb_au_bool(true) : SB_AU_FAILED;
}

static sb_au_value eval_name(sb_autumn_state *m, const sb_au_node *node) {
    const sb_au_value v = sb_au_look_up(m, node->a);
    return sb_au_failed(v) ? sb_au_undefined(m, node->a) : v;
}

static sb_au_value (*const evaluators[SB_AU_N_OPS])(sb_autumn_state *, const sb_au_node *) = {
    [SB_AU_OP_NAME] = eval_name,
    [SB_AU_OP_CALL] = call_name,
    [SB_AU_OP_CALL_FIELD] = call_field,
    [SB_AU_OP_MAKE] = make,
    [SB_AU_OP_POSITION] = make_position,
    [SB_AU_OP_ELEM] = make_elem,
    [SB_AU_OP_CELL] = sb_au_make_cell,
    [SB_AU_OP_IF] = eval_if,
    [SB_AU_OP_AND] = eval_logic,
    [SB_AU_OP_OR] = eval_logic,
    [SB_AU_OP_ADD] = eval_two,
    [SB_AU_OP_SUBTRACT] = eval_two,
    [SB_AU_OP_MULTIPLY] = eval_two,
    [SB_AU_OP_DIVIDE] = eval_two,
    [SB_AU_OP_MODULO] = eval_two,
    [SB_AU_OP_LESS] = eval_two,
    [SB_AU_OP_LESS_EQUAL] = eval_two,
    [SB_AU_OP_GREATER] = eval_two,
    [SB_AU_OP_GREATER_EQUAL] = eval_two,
    [SB_AU_OP_EQUAL] = eval_two,
    [SB_AU_OP_NOT_EQUAL] = eval_two,
    [SB_AU_OP_NOT] = eval_one,
    [SB_AU_OP_NEGATE] = eval_one,
    [SB_AU_OP_PLUS] = eval_one,
    [SB_AU_OP_LET] = eval_let,
    [SB_AU_OP_LAMBDA] = eval_lambda,
    [SB_AU_OP_FIELD] = eval_field,
    [SB_AU_OP_SET_FIELD] = set_field,
    [SB_AU_OP_ASSIGN] = eval_assignment,
    [SB_AU_OP_LIST] = make_list,
    [SB_AU_OP_DECLARE] = eval_declaration,
};

sb_au_value sb_au_eval(sb_autumn_state *m, uint32_t at) {
    const sb_au_node *node = &m->program->nodes[at];
    if (node->op == SB_AU_OP_LITERAL) return sb_au_of((sb_au_kind)node->a, node->b);
    if (!sb_au_spend(m, 1)) return sb_au_fail_at(m, at);
    const sb_au_value v = evaluators[node->op](m, node);
    return sb_au_failed(v) ? sb_au_fail_at(m, at) : v;
}

bool sb_au_ask_truth(sb_autumn_state *m, uint32_t at, const char *what, bool *yes) {
    const sb_au_value v = sb_au_call_if_function(m, sb_au_eval(m, at));
    *yes = v.number != 0;
    if (v.kind == SB_AU_BOOL) return true;
    if (!sb_au_failed(v))
        sb_au_fail(m, SB_AUTUMN_CONDITION, "%s must be a truth value, not %s", what, sb_au_kind_name(v));
    return sb_au_fail_at(m, at), false;
}
