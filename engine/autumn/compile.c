#include "engine/autumn/compile.h"

#include <string.h>

#include "base/grow.h"

enum { ARGUMENTS_MAX = 24 }; /* the most arguments of a call or a type: they are evaluated on the stack */

#define FAIL(form, kind, ...) (sb_au_fault_at(c->fault, (form), (kind), __VA_ARGS__), 0u)

bool sb_au_no_memory(const sb_au_compiler *c) {
    *c->fault = (sb_autumn_fault){.kind = SB_AUTUMN_MEMORY, .text = "out of memory for the program"};
    return false;
}

static const sb_au_form *form_at(const sb_au_compiler *c, uint32_t form) { return &c->forms->all[form]; }

static uint32_t part(const sb_au_compiler *c, uint32_t form, uint32_t i) {
    uint32_t child = form_at(c, form)->first;
    while (i-- && child) child = form_at(c, child)->next;
    return child;
}

bool sb_au_begins(const sb_au_compiler *c, uint32_t form, const char *spelling) {
    const sb_au_form *f = form_at(c, form);
    return f->token == SB_AU_FORM_LIST && f->first && sb_au_is(c->forms, form_at(c, f->first), spelling);
}

uint32_t sb_au_height(const sb_au_form *form) { return form->height + 2u; }

uint32_t sb_au_symbol_of(sb_au_compiler *c, const sb_au_form *name) {
    const uint32_t symbol = sb_au_word_of(&c->p->names, sb_au_spelling(c->forms, name), name->n);
    if (symbol == SB_AU_NO_WORD) return sb_au_no_memory(c), SB_AU_NO_WORD;
    if (symbol < SB_AU_TABLE_MAX - 2) return symbol;
    sb_au_fault_at(c->fault, name, SB_AUTUMN_LIMIT, "the program has too many names");
    return SB_AU_NO_WORD;
}

/* ---- Building nodes ---------------------------------------------------------------------------------------------- */

uint32_t sb_au_add_node(sb_au_compiler *c, const sb_au_form *form, sb_au_node node) {
    sb_autumn_program *p = c->p;
    if (!SB_AU_ROOM(p, nodes) || !SB_AU_ROOM(p, places)) return sb_au_no_memory(c);
    p->places[p->n_places++] = (sb_au_place){form->line, form->column};
    p->nodes[p->n_nodes] = node;
    return (uint32_t)p->n_nodes++;
}

/* Compiles the siblings from `child` on as arguments; `first` gets the place of the first. */
static bool compile_arguments(sb_au_compiler *c, uint32_t child, uint32_t n, uint32_t *first) {
    sb_autumn_program *p = c->p;
    *first = (uint32_t)p->n_arguments;
    if (!SB_GROW(p->arguments, p->n_arguments + n, p->arguments_capacity)) return sb_au_no_memory(c);
    if (n) memset(p->arguments + p->n_arguments, 0, n * sizeof *p->arguments);
    p->n_arguments += n;
    for (uint32_t i = 0; i < n; i++, child = form_at(c, child)->next) {
        const uint32_t node = sb_au_compile(c, child);
        if (!node) return false;
        p->arguments[*first + i] = node;
    }
    return true;
}

static uint32_t with_arguments(sb_au_compiler *c, const sb_au_form *form, sb_au_node node, uint32_t child, uint32_t n) {
    if (!compile_arguments(c, child, n, &node.c)) return 0;
    node.n = (uint16_t)n;
    return sb_au_add_node(c, form, node);
}

static uint32_t literal(sb_au_compiler *c, const sb_au_form *form, sb_au_kind kind, uint32_t data) {
    return sb_au_add_node(c, form, (sb_au_node){.op = SB_AU_OP_LITERAL, .a = kind, .b = data});
}

/* ---- Types and declarations -------------------------------------------------------------------------------------- */

static sb_au_type type_named(const sb_au_forms *forms, const sb_au_form *f) {
    static const struct {
        const char *name;
        sb_au_type type;
    } known[] = {{"Bool", SB_AU_T_BOOL},        {"String", SB_AU_T_STRING}, {"Number", SB_AU_T_NUMBER},
                 {"Int", SB_AU_T_NUMBER},       {"Cell", SB_AU_T_CELL},     {"Position", SB_AU_T_POSITION},
                 {"RenderedElem", SB_AU_T_ELEM}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (sb_au_is(forms, f, known[i].name)) return known[i].type;
    return SB_AU_T_UNKNOWN;
}

bool sb_au_compile_type(sb_au_compiler *c, uint32_t form, sb_au_type *type) {
    const sb_au_form *f = form_at(c, form);
    if (f->token == SB_AU_FORM_LIST && f->parts == 1) return sb_au_compile_type(c, f->first, type);
    if (sb_au_begins(c, form, "List") && f->parts == 2) {
        if (!sb_au_compile_type(c, part(c, form, 1), type)) return false;
        *type = sb_au_list_of(*type);
        return true;
    }
    if (f->token != SB_AU_FORM_NAME)
        return sb_au_fault_at(c->fault, f, SB_AUTUMN_PARSE, "expected a type: a name, or `(List T)`");
    *type = type_named(c->forms, f);
    if (*type != SB_AU_T_UNKNOWN) return true;
    const uint32_t symbol = sb_au_symbol_of(c, f);
    *type = SB_AU_T_OBJECT + symbol;
    return symbol != SB_AU_NO_WORD;
}

uint32_t sb_au_compile_declaration(sb_au_compiler *c, uint32_t form) {
    const sb_au_form *f = form_at(c, form);
    const uint32_t name = part(c, form, 1);
    sb_au_type type = SB_AU_T_UNKNOWN;
    if (f->parts != 3 || form_at(c, name)->token != SB_AU_FORM_NAME)
        return FAIL(f, SB_AUTUMN_PARSE, "expected `(: name Type)`");
    const uint32_t symbol = sb_au_symbol_of(c, form_at(c, name));
    if (symbol == SB_AU_NO_WORD || !sb_au_compile_type(c, part(c, form, 2), &type)) return 0;
    return sb_au_add_node(c, f, (sb_au_node){.op = SB_AU_OP_DECLARE, .a = symbol, .b = type});
}

/* ---- Atoms ------------------------------------------------------------------------------------------------------- */

static uint32_t compile_string(sb_au_compiler *c, const sb_au_form *f) {
    const uint32_t string = sb_au_word_of(&c->p->strings, sb_au_spelling(c->forms, f), f->n);
    return string == SB_AU_NO_WORD ? (uint32_t)sb_au_no_memory(c) : literal(c, f, SB_AU_STRING, string);
}

static uint32_t compile_atom(sb_au_compiler *c, const sb_au_form *f) {
    if (f->token == SB_AU_FORM_NUMBER) return literal(c, f, SB_AU_NUMBER, (uint32_t)f->number);
    if (f->token == SB_AU_FORM_STRING) return compile_string(c, f);
    if (sb_au_is(c->forms, f, "true")) return literal(c, f, SB_AU_BOOL, 1);
    if (sb_au_is(c->forms, f, "false")) return literal(c, f, SB_AU_BOOL, 0);
    if (f->token != SB_AU_FORM_NAME)
        return FAIL(f, SB_AUTUMN_PARSE, "expected a value, not `%.*s`", (int)f->n, sb_au_spelling(c->forms, f));
    const uint32_t symbol = sb_au_symbol_of(c, f);
    return symbol == SB_AU_NO_WORD ? 0 : sb_au_add_node(c, f, (sb_au_node){.op = SB_AU_OP_NAME, .a = symbol});
}

/* ---- Functions, fields, assignments ------------------------------------------------------------------------------ */

static bool add_parameter(sb_au_compiler *c, const sb_au_form *f) {
    if (f->token != SB_AU_FORM_NAME) return sb_au_fault_at(c->fault, f, SB_AUTUMN_PARSE, "expected a parameter's name");
    const uint32_t symbol = sb_au_symbol_of(c, f);
    if (symbol == SB_AU_NO_WORD) return false;
    if (!SB_AU_ROOM(c->p, symbols)) return sb_au_no_memory(c);
    c->p->symbols[c->p->n_symbols++] = symbol;
    return true;
}

/* `(--> p body)`, `(--> (p q) body)`, `(--> () body)`; parts behind the body are ignored. */
static uint32_t compile_function(sb_au_compiler *c, uint32_t form) {
    sb_autumn_program *p = c->p;
    const sb_au_form *f = form_at(c, form);
    if (f->parts < 3) return FAIL(f, SB_AUTUMN_PARSE, "expected `(--> (parameters) body)`");
    const uint32_t parameters = part(c, form, 1), body = part(c, form, 2);
    const bool listed = form_at(c, parameters)->token == SB_AU_FORM_LIST;
    sb_au_lambda lambda = {.first = (uint32_t)p->n_symbols, .height = sb_au_height(form_at(c, body))};
    for (uint32_t i = listed ? form_at(c, parameters)->first : parameters; i; i = listed ? form_at(c, i)->next : 0) {
        if (!add_parameter(c, form_at(c, i))) return 0;
        if (++lambda.n > ARGUMENTS_MAX) return FAIL(f, SB_AUTUMN_LIMIT, "more than %d parameters", ARGUMENTS_MAX);
    }
    if (!(lambda.body = sb_au_compile(c, body))) return 0;
    if (!SB_AU_ROOM(p, lambdas)) return sb_au_no_memory(c);
    p->lambdas[p->n_lambdas] = lambda;
    return sb_au_add_node(c, f, (sb_au_node){.op = SB_AU_OP_LAMBDA, .a = (uint32_t)p->n_lambdas++});
}

/* `(.. e f)`: compiles e and finds the symbol of f. */
static bool compile_access(sb_au_compiler *c, uint32_t form, uint32_t *of, uint32_t *field) {
    const sb_au_form *f = form_at(c, form);
    const uint32_t name = part(c, form, 2);
    if (f->parts != 3 || form_at(c, name)->token != SB_AU_FORM_NAME)
        return sb_au_fault_at(c->fault, f, SB_AUTUMN_PARSE, "expected `(.. value field)`");
    *of = sb_au_compile(c, part(c, form, 1));
    *field = *of ? sb_au_symbol_of(c, form_at(c, name)) : SB_AU_NO_WORD;
    return *field != SB_AU_NO_WORD;
}

static uint32_t compile_field(sb_au_compiler *c, uint32_t form) {
    sb_au_node node = {.op = SB_AU_OP_FIELD};
    return compile_access(c, form, &node.a, &node.b) ? sb_au_add_node(c, form_at(c, form), node) : 0;
}

static uint32_t compile_assignment(sb_au_compiler *c, uint32_t form) {
    const sb_au_form *f = form_at(c, form);
    if (f->parts != 3) return FAIL(f, SB_AUTUMN_PARSE, "expected `(= name value)`");
    const uint32_t target = part(c, form, 1), value = part(c, form, 2);
    if (sb_au_begins(c, value, "initnext"))
        return FAIL(f, SB_AUTUMN_PARSE, "`initnext` can only stand at the top of the program");
    sb_au_node node = {.op = SB_AU_OP_ASSIGN};
    if (sb_au_begins(c, target, "..")) {
        node.op = SB_AU_OP_SET_FIELD;
        if (!compile_access(c, target, &node.a, &node.b) || !(node.c = sb_au_compile(c, value))) return 0;
        return sb_au_add_node(c, f, node);
    }
    if (form_at(c, target)->token != SB_AU_FORM_NAME)
        return FAIL(form_at(c, target), SB_AUTUMN_PARSE, "expected a name or a field to assign to");
    if ((node.a = sb_au_symbol_of(c, form_at(c, target))) == SB_AU_NO_WORD || !(node.b = sb_au_compile(c, value)))
        return 0;
    return sb_au_add_node(c, f, node);
}

/* ---- The other words that are no functions ----------------------------------------------------------------------- */

/* Parts 1, 3 and 5; what stands where `then` and `else` belong is not looked at (language 3). */
static uint32_t compile_if(sb_au_compiler *c, uint32_t form) {
    const sb_au_form *f = form_at(c, form);
    sb_au_node node = {.op = SB_AU_OP_IF};
    if (f->parts < 6) return FAIL(f, SB_AUTUMN_PARSE, "expected `(if condition then value else value)`");
    if (!(node.a = sb_au_compile(c, part(c, form, 1))) || !(node.b = sb_au_compile(c, part(c, form, 3))) ||
        !(node.c = sb_au_compile(c, part(c, form, 5))))
        return 0;
    return sb_au_add_node(c, f, node);
}

static uint32_t compile_let(sb_au_compiler *c, uint32_t form) {
    sb_autumn_program *p = c->p;
    const sb_au_form *f = form_at(c, form);
    const uint32_t n = f->parts - 1, first = (uint32_t)p->n_arguments;
    uint32_t child = part(c, form, 1);
    if (n == 0 || n > UINT16_MAX) return FAIL(f, SB_AUTUMN_PARSE, "expected expressions: `(let a b ... last)`");
    if (!SB_GROW(p->arguments, p->n_arguments + n, p->arguments_capacity)) return sb_au_no_memory(c);
    memset(p->arguments + first, 0, n * sizeof *p->arguments);
    p->n_arguments += n;
    for (uint32_t i = 0; i < n; i++, child = form_at(c, child)->next) {
        const bool declares = sb_au_begins(c, child, ":");
        if (declares && i == n - 1)
            return FAIL(form_at(c, child), SB_AUTUMN_PARSE, "the last part of `let` must be a value");
        const uint32_t node = declares ? sb_au_compile_declaration(c, child) : sb_au_compile(c, child);
        if (!node) return 0;
        p->arguments[first + i] = node;
    }
    return sb_au_add_node(c, f, (sb_au_node){.op = SB_AU_OP_LET, .n = (uint16_t)n, .c = first});
}

static uint32_t compile_list(sb_au_compiler *c, uint32_t form) {
    const sb_au_form *f = form_at(c, form);
    if (f->parts - 1 > UINT16_MAX) return FAIL(f, SB_AUTUMN_LIMIT, "a list of more than %d parts", UINT16_MAX);
    return with_arguments(c, f, (sb_au_node){.op = SB_AU_OP_LIST}, part(c, form, 1), f->parts - 1);
}

static const struct operation {
    const char *spelling;
    uint8_t one, two; /* operations with one and two parts; 0: none */
} operations[] = {
    {"+", SB_AU_OP_PLUS, SB_AU_OP_ADD},
    {"-", SB_AU_OP_NEGATE, SB_AU_OP_SUBTRACT},
    {"*", 0, SB_AU_OP_MULTIPLY},
    {"/", 0, SB_AU_OP_DIVIDE},
    {"%", 0, SB_AU_OP_MODULO},
    {"!", SB_AU_OP_NOT, 0},
    {"<", 0, SB_AU_OP_LESS},
    {"<=", 0, SB_AU_OP_LESS_EQUAL},
    {">", 0, SB_AU_OP_GREATER},
    {">=", 0, SB_AU_OP_GREATER_EQUAL},
    {"==", 0, SB_AU_OP_EQUAL},
    {"!=", 0, SB_AU_OP_NOT_EQUAL},
    {"&", 0, SB_AU_OP_AND},
    {"and", 0, SB_AU_OP_AND},
    {"|", 0, SB_AU_OP_OR},
    {"or", 0, SB_AU_OP_OR},
};

static uint32_t compile_operation(sb_au_compiler *c, uint32_t form, const struct operation *o) {
    const sb_au_form *f = form_at(c, form);
    const uint32_t op = f->parts == 2 ? o->one : f->parts == 3 ? o->two : 0;
    sb_au_node node = {.op = (uint16_t)op};
    if (!op)
        return FAIL(f, SB_AUTUMN_PARSE, "`%s` takes %s, not %u", o->spelling,
                    !o->two   ? "one part"
                    : !o->one ? "exactly two parts"
                              : "one part or two",
                    f->parts - 1);
    if (!(node.a = sb_au_compile(c, part(c, form, 1)))) return 0;
    if (f->parts == 3 && !(node.b = sb_au_compile(c, part(c, form, 2)))) return 0;
    return sb_au_add_node(c, f, node);
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

static bool is_type(const sb_autumn_program *p, uint32_t symbol) {
    for (size_t i = 1; i < p->n_objects; i++)
        if (p->objects[i].name == symbol) return true;
    return false;
}

static uint32_t compile_cell(sb_au_compiler *c, const sb_au_form *f, uint32_t child) {
    sb_autumn_program *p = c->p;
    if (f->parts != 4) return FAIL(f, SB_AUTUMN_ARITY, "expected `(Cell x y colour)`");
    const uint32_t node = with_arguments(c, f, (sb_au_node){.op = SB_AU_OP_CELL}, child, 3);
    if (!node) return 0;
    if (!SB_AU_ROOM(p, sites)) return sb_au_no_memory(c);
    const uint32_t *parts = p->arguments + p->nodes[node].c;
    p->sites[p->n_sites] = (sb_au_site){.part = {parts[0], parts[1], parts[2]}, .height = sb_au_height(f)};
    p->nodes[node].a = (uint32_t)p->n_sites++;
    return node;
}

/* `(f a b)` or `(T a b)`. */
static uint32_t compile_named_call(sb_au_compiler *c, const sb_au_form *f, const sb_au_form *name, uint32_t child) {
    const uint32_t n = f->parts - 1;
    sb_au_node node = {.op = SB_AU_OP_CALL};
    if (n > ARGUMENTS_MAX) return FAIL(f, SB_AUTUMN_LIMIT, "more than %d arguments", ARGUMENTS_MAX);
    if (sb_au_is(c->forms, name, "Cell")) return compile_cell(c, f, child);
    if (sb_au_is(c->forms, name, "Position"))
        node.op = SB_AU_OP_POSITION;
    else if (sb_au_is(c->forms, name, "RenderedElem"))
        node.op = SB_AU_OP_ELEM;
    else if ((node.a = sb_au_symbol_of(c, name)) == SB_AU_NO_WORD)
        return 0;
    else if (is_type(c->p, node.a))
        node.op = SB_AU_OP_MAKE;
    return with_arguments(c, f, node, child, n);
}

/* `((f))`, `((f) a)`, `((.. o f) a)`: only a name or a field can stand in the place of the function (language 3). */
static uint32_t compile_call(sb_au_compiler *c, uint32_t form) {
    const sb_au_form *f = form_at(c, form), *head = form_at(c, f->first);
    if (head->token == SB_AU_FORM_NAME) return compile_named_call(c, f, head, head->next);
    if (head->token == SB_AU_FORM_LIST && head->parts == 1 && form_at(c, head->first)->token == SB_AU_FORM_NAME)
        return compile_named_call(c, f, form_at(c, head->first), head->next);
    if (!sb_au_begins(c, f->first, "..")) return FAIL(head, SB_AUTUMN_PARSE, "only a name or a field can be called");
    sb_au_node node = {.op = SB_AU_OP_CALL_FIELD};
    if (f->parts - 1 > ARGUMENTS_MAX) return FAIL(f, SB_AUTUMN_LIMIT, "more than %d arguments", ARGUMENTS_MAX);
    if (!compile_access(c, f->first, &node.a, &node.b)) return 0;
    return with_arguments(c, f, node, head->next, f->parts - 1);
}

/* ---- Any expression ---------------------------------------------------------------------------------------------- */

static bool is_statement_word(const sb_au_compiler *c, const sb_au_form *head) {
    return sb_au_is(c->forms, head, "object") || sb_au_is(c->forms, head, "on") ||
           sb_au_is(c->forms, head, "program") || sb_au_is(c->forms, head, "initnext") || sb_au_is(c->forms, head, ":");
}

uint32_t sb_au_compile(sb_au_compiler *c, uint32_t form) {
    const sb_au_form *f = form_at(c, form);
    if (f->token != SB_AU_FORM_LIST) return compile_atom(c, f);
    if (!f->first) return FAIL(f, SB_AUTUMN_PARSE, "`()` is no value; the empty list is `(list)`");
    const sb_au_form *head = form_at(c, f->first);
    if (sb_au_is(c->forms, head, "list")) return compile_list(c, form);
    if (f->parts == 1 && head->token != SB_AU_FORM_LIST && !sb_au_is(c->forms, head, "let"))
        return compile_atom(c, head); /* also with parentheses a name is not called */
    if (sb_au_is(c->forms, head, "if")) return compile_if(c, form);
    if (sb_au_is(c->forms, head, "let")) return compile_let(c, form);
    if (sb_au_is(c->forms, head, "-->") || sb_au_is(c->forms, head, "fn")) return compile_function(c, form);
    if (sb_au_is(c->forms, head, "=")) return compile_assignment(c, form);
    if (sb_au_is(c->forms, head, "..")) return compile_field(c, form);
    if (is_statement_word(c, head))
        return FAIL(f, SB_AUTUMN_PARSE, "`%.*s` cannot stand inside an expression", (int)head->n,
                    sb_au_spelling(c->forms, head));
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (sb_au_is(c->forms, head, operations[i].spelling)) return compile_operation(c, form, &operations[i]);
    return compile_call(c, form);
}
