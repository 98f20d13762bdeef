#include "engine/autumn/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "engine/autumn/compile.h"
#include "engine/autumn/task.h"

const char *const sb_autumn_kind_names[SB_AUTUMN_N_KINDS] = {
    "parse", "undefined", "type", "arity", "index", "division", "condition", "field", "random", "limit", "memory"};

const sb_autumn_limits sb_autumn_default_limits = {
    .evaluations = 5000000, .values = 4 << 20, .nesting = 12000, .cells = 1 << 16};

bool sb_autumn_fail(const sb_autumn_fault *fault, const char *file, sb_error *error) {
    const sb_code code = fault->kind == SB_AUTUMN_MEMORY ? SB_MEMORY : SB_INVALID;
    if (!fault->line)
        return sb_fail(error, code, "%s: %s: %s", sb_path_end(file), sb_autumn_kind_names[fault->kind], fault->text);
    return sb_fail(error, code, "%s:%u:%u: %s: %s", sb_path_end(file), fault->line, fault->column,
                   sb_autumn_kind_names[fault->kind], fault->text);
}

/* ---- Statements -------------------------------------------------------------------------------------------------- */

static const sb_au_form *form_at(const sb_au_compiler *c, uint32_t form) { return &c->forms->all[form]; }

static bool add_statement(sb_au_compiler *c, sb_au_statement_kind kind, uint32_t a) {
    sb_autumn_program *p = c->p;
    if (!SB_AU_ROOM(p, statements)) return sb_au_no_memory(c);
    p->statements[p->n_statements++] = (sb_au_statement){.kind = kind, .a = a, .node = (uint32_t)p->n_nodes};
    return true;
}

/* What a type of a field may name: built-in types and the object types defined so far (language 4). */
static bool is_known_type(const sb_autumn_program *p, sb_au_type type, uint32_t before) {
    const uint32_t base = type & (SB_AU_T_LIST - 1);
    if (base < SB_AU_T_OBJECT) return true;
    for (uint32_t i = 1; i < before; i++)
        if (p->objects[i].name == base - SB_AU_T_OBJECT) return true;
    return false;
}

static bool add_field(sb_au_compiler *c, uint32_t symbol, sb_au_type type) {
    sb_autumn_program *p = c->p;
    if (!SB_AU_ROOM(p, symbols)) return sb_au_no_memory(c);
    if (!SB_GROW(p->types, p->symbols_capacity, p->types_capacity)) return sb_au_no_memory(c);
    p->types[p->n_symbols] = type;
    p->symbols[p->n_symbols++] = symbol;
    return true;
}

/* `(: f T)` inside `(object ...)`. */
static bool compile_object_field(sb_au_compiler *c, uint32_t form, uint32_t object) {
    const uint32_t node = sb_au_compile_declaration(c, form);
    if (!node) return false;
    const sb_au_node declaration = c->p->nodes[node];
    if (is_known_type(c->p, declaration.b, object)) return add_field(c, declaration.a, declaration.b);
    return sb_au_fault_at(c->fault, form_at(c, form), SB_AUTUMN_TYPE,
                          "unknown type `%.40s`; objects must be defined before",
                          sb_au_word(&c->p->names, (declaration.b & (SB_AU_T_LIST - 1)) - SB_AU_T_OBJECT));
}

static bool compile_object(sb_au_compiler *c, uint32_t form, uint32_t object) {
    enum { FIELDS_MAX = 22 };
    sb_autumn_program *p = c->p;
    const sb_au_form *f = form_at(c, form);
    const uint32_t name = form_at(c, f->first)->next;
    uint32_t shape = 0;
    sb_au_object_type o = p->objects[object];
    o.first = (uint32_t)p->n_symbols;
    for (uint32_t i = form_at(c, name)->next; i; i = form_at(c, i)->next) {
        if (!sb_au_begins(c, i, ":"))
            shape = i; /* the last shape counts (language 2) */
        else if (!compile_object_field(c, i, object))
            return false;
    }
    if (!shape) return sb_au_fault_at(c->fault, f, SB_AUTUMN_PARSE, "the object has no shape");
    if (p->n_symbols - o.first > FIELDS_MAX)
        return sb_au_fault_at(c->fault, f, SB_AUTUMN_LIMIT, "more than %d fields", FIELDS_MAX);
    if (!add_field(c, SB_AU_origin, SB_AU_T_POSITION) || !add_field(c, SB_AU_elems, sb_au_list_of(SB_AU_T_CELL)))
        return false;
    o.n = (uint32_t)p->n_symbols - o.first;
    o.height = sb_au_height(form_at(c, shape));
    if (!add_statement(c, SB_AU_DEFINE_TYPE, object) || !(o.shape = sb_au_compile(c, shape))) return false;
    p->objects[object] = o;
    return true;
}

static bool compile_handler(sb_au_compiler *c, uint32_t form) {
    sb_autumn_program *p = c->p;
    const sb_au_form *f = form_at(c, form);
    const uint32_t condition = form_at(c, f->first)->next;
    sb_au_handler handler;
    if (f->parts < 3) return sb_au_fault_at(c->fault, f, SB_AUTUMN_PARSE, "expected `(on condition body)`");
    if (!add_statement(c, SB_AU_OTHER, 0) || !(handler.condition = sb_au_compile(c, condition)) ||
        !(handler.body = sb_au_compile(c, form_at(c, condition)->next)))
        return false;
    if (!SB_AU_ROOM(p, handlers)) return sb_au_no_memory(c);
    p->handlers[p->n_handlers++] = handler;
    return true;
}

/* A second rule for the same variable replaces both expressions (language 2). */
static bool keep_rule(sb_au_compiler *c, sb_au_rule rule) {
    sb_autumn_program *p = c->p;
    for (size_t i = 0; i < p->n_rules; i++)
        if (p->rules[i].symbol == rule.symbol) return p->rules[i] = rule, true;
    if (!SB_AU_ROOM(p, rules)) return sb_au_no_memory(c);
    p->rules[p->n_rules++] = rule;
    return true;
}

/* `(= x (initnext e0 e1))` */
static bool compile_rule(sb_au_compiler *c, uint32_t form) {
    const uint32_t name = form_at(c, form_at(c, form)->first)->next, initnext = form_at(c, name)->next;
    const uint32_t first = form_at(c, form_at(c, initnext)->first)->next;
    sb_au_rule rule;
    if (form_at(c, name)->token != SB_AU_FORM_NAME || form_at(c, initnext)->parts != 3)
        return sb_au_fault_at(c->fault, form_at(c, form), SB_AUTUMN_PARSE, "expected `(= name (initnext first next))`");
    return (rule.symbol = sb_au_symbol_of(c, form_at(c, name))) != SB_AU_NO_WORD && add_statement(c, SB_AU_OTHER, 0) &&
           (rule.first = sb_au_compile(c, first)) != 0 &&
           (rule.next = sb_au_compile(c, form_at(c, first)->next)) != 0 && keep_rule(c, rule);
}

static bool is_rule(const sb_au_compiler *c, uint32_t form) {
    return sb_au_begins(c, form, "=") && form_at(c, form)->parts == 3 &&
           sb_au_begins(c, form_at(c, form_at(c, form_at(c, form)->first)->next)->next, "initnext");
}

static bool compile_statement(sb_au_compiler *c, uint32_t form, uint32_t *object) {
    if (sb_au_begins(c, form, "object")) return compile_object(c, form, (*object)++);
    if (sb_au_begins(c, form, "on")) return compile_handler(c, form);
    if (is_rule(c, form)) return compile_rule(c, form);
    if (!add_statement(c, SB_AU_EVALUATE, 0)) return false;
    sb_au_statement *const s = &c->p->statements[c->p->n_statements - 1];
    s->a = sb_au_begins(c, form, ":") ? sb_au_compile_declaration(c, form) : sb_au_compile(c, form);
    return s->a != 0;
}

/* ---- The program ------------------------------------------------------------------------------------------------- */

static bool know_library(sb_au_compiler *c) {
    for (uint32_t i = 0; i < SB_AU_N_KNOWN; i++)
        if (sb_au_word_of(&c->p->names, sb_au_known_names[i], strlen(sb_au_known_names[i])) != i)
            return sb_au_no_memory(c);
    sb_autumn_program *p = c->p;
    if (!SB_AU_ROOM(p, nodes) || !SB_AU_ROOM(p, places) || !SB_AU_ROOM(p, objects)) return sb_au_no_memory(c);
    p->nodes[p->n_nodes++] = (sb_au_node){0};
    p->places[p->n_places++] = (sb_au_place){0};
    p->objects[p->n_objects++] = (sb_au_object_type){.name = SB_AU_NO_WORD};
    p->black = sb_au_word_of(&p->strings, "black", 5);
    return p->black != SB_AU_NO_WORD || sb_au_no_memory(c);
}

/* Object types are known everywhere, so that `(Ball ...)` in a rule may stand before `(object Ball ...)`. */
static bool find_objects(sb_au_compiler *c, uint32_t first) {
    sb_autumn_program *p = c->p;
    static const char *const built_in[] = {"Position", "Cell",   "RenderedElem", "Bool",
                                           "String",   "Number", "Int",          "List"};
    for (uint32_t form = first; form; form = form_at(c, form)->next) {
        if (!sb_au_begins(c, form, "object")) continue;
        const uint32_t name = form_at(c, form_at(c, form)->first)->next;
        const sb_au_form *f = form_at(c, name);
        if (!name || f->token != SB_AU_FORM_NAME)
            return sb_au_fault_at(c->fault, form_at(c, form), SB_AUTUMN_PARSE, "expected `(object Name ... shape)`");
        for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++)
            if (sb_au_is(c->forms, f, built_in[i]))
                return sb_au_fault_at(c->fault, f, SB_AUTUMN_TYPE, "`%s` is a built-in type", built_in[i]);
        const uint32_t symbol = sb_au_symbol_of(c, f);
        if (symbol == SB_AU_NO_WORD) return false;
        if (p->n_objects > SB_AU_OBJECTS_MAX)
            return sb_au_fault_at(c->fault, f, SB_AUTUMN_LIMIT, "more than %d object types", SB_AU_OBJECTS_MAX);
        if (!SB_AU_ROOM(p, objects)) return sb_au_no_memory(c);
        p->objects[p->n_objects++] = (sb_au_object_type){.name = symbol};
    }
    return true;
}

static bool compile_statements(sb_au_compiler *c, uint32_t first) {
    uint32_t object = 1;
    for (uint32_t form = first; form; form = form_at(c, form)->next) {
        if (c->p->task && sb_au_begins(c, form, "task"))
            return sb_au_fault_at(c->fault, form_at(c, form), SB_AUTUMN_PARSE, "there can be only one `task`");
        if (compile_statement(c, form, &object)) continue;
        c->fault->statement = (uint32_t)c->p->n_statements;
        return false;
    }
    return true;
}

/* Makes `(--> (...) (T ...))`, whose parameters are names that no program can have. */
static bool make_maker(sb_au_compiler *c, sb_au_object_type *type) {
    sb_autumn_program *p = c->p;
    const uint32_t n = type->n - 1, first = (uint32_t)p->n_symbols, argument = (uint32_t)p->n_arguments;
    const sb_au_form nowhere = {0};
    if (!SB_GROW(p->arguments, p->n_arguments + n, p->arguments_capacity)) return sb_au_no_memory(c);
    p->n_arguments += n;
    for (uint32_t i = 0; i < n; i++) {
        char name[16];
        const uint32_t symbol = sb_au_word_of(&p->names, name, (size_t)snprintf(name, sizeof name, "(%u", i));
        if (symbol == SB_AU_NO_WORD || !SB_AU_ROOM(p, symbols)) return sb_au_no_memory(c);
        p->symbols[p->n_symbols++] = symbol;
        p->arguments[argument + i] = sb_au_add_node(c, &nowhere, (sb_au_node){.op = SB_AU_OP_NAME, .a = symbol});
        if (!p->arguments[argument + i]) return false;
    }
    const sb_au_node make = {.op = SB_AU_OP_MAKE, .n = (uint16_t)n, .a = type->name, .c = argument};
    const sb_au_lambda lambda = {.body = sb_au_add_node(c, &nowhere, make), .first = first, .n = n, .height = 4};
    if (!lambda.body || !SB_AU_ROOM(p, lambdas)) return lambda.body && sb_au_no_memory(c);
    p->lambdas[p->n_lambdas++] = lambda;
    return (type->maker = sb_au_add_node(c, &nowhere,
                                         (sb_au_node){.op = SB_AU_OP_LAMBDA, .a = (uint32_t)p->n_lambdas - 1})) != 0;
}

static bool make_makers(sb_au_compiler *c) {
    for (size_t i = 1; i < c->p->n_objects; i++)
        if (!make_maker(c, &c->p->objects[i])) return false;
    return true;
}

static bool know_functions(sb_au_compiler *c) {
    for (uint32_t i = 0; i < SB_AU_N_WORLD_FUNCTIONS; i++)
        if (sb_au_word_of(&c->p->names, sb_au_world_names[i], strlen(sb_au_world_names[i])) != SB_AU_N_KNOWN + i)
            return sb_au_no_memory(c);
    return true;
}

/* Compiles what stands behind the statement `task`, as in other programs; then the clauses that are expressions. */
static bool compile_world(sb_au_compiler *c, uint32_t task) {
    const uint32_t first = form_at(c, task)->next;
    return know_functions(c) && find_objects(c, first) && sb_au_compile_task(c, task, c->difficulty) &&
           compile_statements(c, first) && sb_au_compile_clauses(c) && make_makers(c);
}

/* The first word is ignored, the rest are statements (language 1.6). */
static bool compile_program(sb_au_compiler *c) {
    const uint32_t word = form_at(c, 1)->first;
    if (!word) return sb_au_fault_at(c->fault, form_at(c, 1), SB_AUTUMN_PARSE, "expected `(program ...)`");
    const uint32_t first = form_at(c, word)->next;
    if (sb_au_is_world(c, first)) return compile_world(c, first);
    return find_objects(c, first) && compile_statements(c, first);
}

/* The published host takes the triggering condition without its outermost parentheses (language 8.2). */
static bool compile_trigger(sb_autumn_program *p, const char *text, sb_autumn_fault *fault) {
    const size_t n = strlen(text);
    char *const whole = malloc(n + 3);
    sb_au_forms forms = {0};
    sb_au_compiler c = {.p = p, .forms = &forms, .fault = fault};
    if (!whole) return sb_au_no_memory(&c);
    whole[0] = '(';
    memcpy(whole + 1, text, n);
    memcpy(whole + 1 + n, ")", 2);
    const bool ok = sb_au_read(&forms, whole, n + 2, fault) && (p->trigger = sb_au_compile(&c, 1)) != 0;
    sb_au_forms_free(&forms);
    free(whole);
    return ok;
}

static bool read_program(sb_autumn_program *p, const char *text, size_t n, const sb_autumn_options *options,
                         sb_autumn_fault *fault) {
    sb_au_forms forms;
    sb_au_compiler c = {.p = p, .forms = &forms, .fault = fault, .difficulty = options->difficulty};
    const bool ok = sb_au_read(&forms, text, n, fault) && know_library(&c) && compile_program(&c) &&
                    (!options->trigger || compile_trigger(p, options->trigger, fault));
    sb_au_forms_free(&forms);
    return ok;
}

static uint32_t limit(uint32_t wanted, uint32_t usual) { return wanted ? wanted : usual; }

static void set_options(sb_autumn_program *p, const sb_autumn_options *options) {
    const sb_autumn_limits *usual = &sb_autumn_default_limits;
    p->order = options->order;
    p->limits = (sb_autumn_limits){.evaluations = limit(options->limits.evaluations, usual->evaluations),
                                   .values = limit(options->limits.values, usual->values),
                                   .nesting = limit(options->limits.nesting, usual->nesting),
                                   .cells = limit(options->limits.cells, usual->cells)};
}

sb_autumn_program *sb_autumn_load(const char *text, size_t n, const sb_autumn_options *options,
                                  sb_autumn_fault *fault) {
    static const sb_autumn_options none = {0};
    sb_autumn_program *const p = calloc(1, sizeof *p);
    *fault = (sb_autumn_fault){.kind = SB_AUTUMN_MEMORY, .text = "out of memory for the program"};
    if (!p) return NULL;
    if (!options) options = &none;
    set_options(p, options);
    if (read_program(p, text, n, options, fault)) {
        *fault = (sb_autumn_fault){.kind = SB_AUTUMN_MEMORY, .text = "out of memory for the program"};
        if (sb_au_analyse(p) && (!p->task || sb_au_check_clauses(p, fault))) return p;
    }
    sb_autumn_unload(p);
    return NULL;
}

void sb_autumn_unload(sb_autumn_program *p) {
    if (!p) return;
    void *const arrays[] = {p->lower,        p->string_symbols, p->nodes,      p->places,
                            p->sources,      p->arguments,      p->symbols,    p->types,
                            p->lambdas,      p->objects,        p->sites,      p->statements,
                            p->handlers,     p->rules,          p->rule_order, p->first_order,
                            p->field_places, p->ruled,          p->warnings,   p->live,
                            p->goal,         p->changing,       p->parameters, p->task ? p->task->parameters : NULL};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    sb_au_words_free(&p->names);
    sb_au_words_free(&p->strings);
    free(p->task);
    free(p);
}

const sb_autumn_fault *sb_autumn_warning(const sb_autumn_program *p, size_t index) {
    return index < p->n_warnings ? &p->warnings[index] : NULL;
}

bool sb_autumn_draws_in_steps(const sb_autumn_program *p) { return p->draws_in_steps; }
bool sb_autumn_reads(const sb_autumn_program *p, sb_autumn_key key) { return p->reads[key]; }
size_t sb_autumn_n_handlers(const sb_autumn_program *p) { return p->n_handlers; }
const char *sb_autumn_string(const sb_autumn_program *p, uint32_t string) { return sb_au_word(&p->strings, string); }
uint32_t sb_autumn_n_strings(const sb_autumn_program *p) { return (uint32_t)p->strings.n; }
size_t sb_autumn_n_variables(const sb_autumn_program *p) { return p->names.n; }
const char *sb_autumn_name(const sb_autumn_program *p, uint32_t variable) { return sb_au_word(&p->names, variable); }
