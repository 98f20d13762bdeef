/* What can be known of a program before it runs: which expressions read the same, which names a cell uses, what may be
 * shared, in which order rules run, and what looks like a mistake. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/visible.h"
#include "engine/autumn/program.h"
#include "engine/autumn/task.h"

enum {
    AN = SB_AU_A_NODE,
    BN = SB_AU_B_NODE,
    CN = SB_AU_C_NODE,
    AS = SB_AU_A_NAME,
    BS = SB_AU_B_NAME,
    AR = SB_AU_ARGUMENTS
};

const uint8_t sb_au_layout[SB_AU_N_OPS] = {
    [SB_AU_OP_NAME] = AS,
    [SB_AU_OP_CALL] = AS | AR,
    [SB_AU_OP_CALL_FIELD] = AN | BS | AR,
    [SB_AU_OP_MAKE] = AR,
    [SB_AU_OP_POSITION] = AR,
    [SB_AU_OP_ELEM] = AR,
    [SB_AU_OP_CELL] = AR,
    [SB_AU_OP_IF] = AN | BN | CN,
    [SB_AU_OP_AND] = AN | BN,
    [SB_AU_OP_OR] = AN | BN,
    [SB_AU_OP_ADD] = AN | BN,
    [SB_AU_OP_SUBTRACT] = AN | BN,
    [SB_AU_OP_MULTIPLY] = AN | BN,
    [SB_AU_OP_DIVIDE] = AN | BN,
    [SB_AU_OP_MODULO] = AN | BN,
    [SB_AU_OP_LESS] = AN | BN,
    [SB_AU_OP_LESS_EQUAL] = AN | BN,
    [SB_AU_OP_GREATER] = AN | BN,
    [SB_AU_OP_GREATER_EQUAL] = AN | BN,
    [SB_AU_OP_EQUAL] = AN | BN,
    [SB_AU_OP_NOT_EQUAL] = AN | BN,
    [SB_AU_OP_NOT] = AN,
    [SB_AU_OP_NEGATE] = AN,
    [SB_AU_OP_PLUS] = AN,
    [SB_AU_OP_LET] = AR,
    [SB_AU_OP_FIELD] = AN | BS,
    [SB_AU_OP_SET_FIELD] = AN | BS | CN,
    [SB_AU_OP_ASSIGN] = AS | BN,
    [SB_AU_OP_LIST] = AR,
};

uint32_t sb_au_n_children(const sb_au_node *node) {
    const uint8_t layout = sb_au_layout[node->op];
    return !!(layout & AN) + !!(layout & BN) + !!(layout & CN) + (layout & AR ? node->n : 0u) +
           (node->op == SB_AU_OP_LAMBDA);
}

uint32_t sb_au_child(const sb_autumn_program *p, const sb_au_node *node, uint32_t i) {
    const uint8_t layout = sb_au_layout[node->op];
    if (node->op == SB_AU_OP_LAMBDA) return p->lambdas[node->a].body;
    if (layout & AN && i-- == 0) return node->a;
    if (layout & BN && i-- == 0) return node->b;
    if (layout & CN && i-- == 0) return node->c;
    return p->arguments[node->c + i];
}

/* ---- Expressions with the same source ---------------------------------------------------------------------------- */

/* Compares `n` symbols in the table; a program without symbols has no table. */
static bool same_symbols(const sb_autumn_program *p, uint32_t a, uint32_t b, uint32_t n) {
    return n == 0 || memcmp(p->symbols + a, p->symbols + b, n * sizeof *p->symbols) == 0;
}

static bool same_parameters(const sb_autumn_program *p, const sb_au_lambda *a, const sb_au_lambda *b) {
    return a->n == b->n && same_symbols(p, a->first, b->first, a->n);
}

/* Whether two nodes read the same. Children of both nodes have their sources already. */
static bool same_source(const sb_autumn_program *p, const sb_au_node *a, const sb_au_node *b) {
    const uint8_t layout = sb_au_layout[a->op];
    const uint32_t n = sb_au_n_children(a);
    if (a->op != b->op || n != sb_au_n_children(b)) return false;
    if (a->op == SB_AU_OP_LITERAL || a->op == SB_AU_OP_DECLARE) return a->a == b->a && a->b == b->b;
    if (a->op == SB_AU_OP_LAMBDA && !same_parameters(p, &p->lambdas[a->a], &p->lambdas[b->a])) return false;
    if ((layout & AS || a->op == SB_AU_OP_MAKE) && a->a != b->a) return false;
    if (layout & BS && a->b != b->b) return false;
    for (uint32_t i = 0; i < n; i++)
        if (p->sources[sb_au_child(p, a, i)] != p->sources[sb_au_child(p, b, i)]) return false;
    return true;
}

static uint64_t source_hash(const sb_autumn_program *p, const sb_au_node *node) {
    const uint8_t layout = sb_au_layout[node->op];
    uint64_t h = node->op;
    if (layout & AS || node->op == SB_AU_OP_LITERAL) h = h * 0x100000001b3u + node->a;
    if (layout & BS || node->op == SB_AU_OP_LITERAL) h = h * 0x100000001b3u + node->b;
    for (uint32_t i = 0; i < sb_au_n_children(node); i++) h = h * 0x100000001b3u + p->sources[sb_au_child(p, node, i)];
    return h * 0x9e3779b97f4a7c15u;
}

/* Children stand before their parents, so one pass is enough. */
static bool find_sources(sb_autumn_program *p) {
    size_t n_buckets = 64;
    while (n_buckets < 2 * p->n_nodes) n_buckets *= 2;
    uint32_t *const buckets = calloc(n_buckets, sizeof *buckets);
    p->sources = calloc(p->n_nodes, sizeof *p->sources);
    for (uint32_t i = 1; buckets && p->sources && i < p->n_nodes; i++) {
        size_t at = (source_hash(p, &p->nodes[i]) >> 20) & (n_buckets - 1);
        while (buckets[at] && !same_source(p, &p->nodes[buckets[at]], &p->nodes[i])) at = (at + 1) & (n_buckets - 1);
        if (!buckets[at]) buckets[at] = i;
        p->sources[i] = buckets[at];
    }
    free(buckets);
    return buckets && p->sources;
}

/* ---- What the program names -------------------------------------------------------------------------------------- */

typedef struct analysis {
    sb_autumn_program *p;
    bool *defined;   /* by symbol: something may give it a value */
    bool *redefined; /* by symbol: the program assigns it, or it is a parameter or a field */
    bool *assigned;  /* by symbol: the program assigns it */
} analysis;

static void define(analysis *a, uint32_t symbol) { a->defined[symbol] = a->redefined[symbol] = true; }
static void assign(analysis *a, uint32_t symbol) { define(a, symbol), a->assigned[symbol] = true; }

static void find_definitions(analysis *a) {
    const sb_autumn_program *p = a->p;
    for (uint32_t i = 0; i < SB_AU_N_KNOWN; i++) a->defined[i] = i < SB_AU_origin;
    for (size_t i = 0; i < p->n_rules; i++) assign(a, p->rules[i].symbol);
    for (size_t i = 1; i < p->n_objects; i++) a->defined[p->objects[i].name] |= p->task != NULL;
    for (size_t i = 1; i < p->n_nodes; i++)
        if (p->nodes[i].op == SB_AU_OP_ASSIGN) assign(a, p->nodes[i].a);
    for (size_t i = 0; i < p->n_lambdas; i++)
        for (uint32_t k = 0; k < p->lambdas[i].n; k++) define(a, p->symbols[p->lambdas[i].first + k]);
    for (size_t i = 1; i < p->n_objects; i++)
        for (uint32_t k = 0; k < p->objects[i].n; k++) define(a, p->symbols[p->objects[i].first + k]);
}

/* Finds the functions of worlds that the program has. What it defines itself takes the place of such a function; a
 * parameter of that name hides the function where the parameter is known, and nowhere else. */
static void find_functions(analysis *a) {
    sb_autumn_program *p = a->p;
    if (!p->task) return;
    for (uint32_t i = 0; i < SB_AU_N_WORLD_FUNCTIONS; i++) {
        p->has_function[i] = !a->assigned[SB_AU_N_KNOWN + i];
        a->defined[SB_AU_N_KNOWN + i] = true;
    }
    for (size_t i = 1; i < p->n_objects; i++)
        if (a->redefined[p->objects[i].name]) p->objects[i].maker = 0;
    a->defined[p->task->won] = a->defined[p->task->lost] = true;
}

static bool is_string_literal(const sb_au_node *node) {
    return node->op == SB_AU_OP_LITERAL && node->a == SB_AU_STRING;
}

static bool names(const sb_autumn_program *p, const sb_au_node *node, uint32_t symbol) {
    const uint8_t layout = sb_au_layout[node->op];
    return (layout & AS && node->a == symbol) || (layout & BS && node->b == symbol) ||
           (is_string_literal(node) && p->string_symbols[node->b] == symbol);
}

/* Whether a node is `prev` with a name behind it, the form that does not ask for identities. */
static bool is_prev_of_name(const sb_autumn_program *p, const sb_au_node *node) {
    if (node->op != SB_AU_OP_CALL || node->a != SB_AU_prev || node->n != 1) return false;
    const sb_au_node *of = &p->nodes[p->arguments[node->c]];
    return of->op == SB_AU_OP_NAME || is_string_literal(of);
}

/* What a program defines itself in place of a function of worlds is no draw. */
static bool names_world_function(const sb_autumn_program *p, const sb_au_node *node, uint32_t symbol) {
    return p->task && p->has_function[symbol - SB_AU_N_KNOWN] && names(p, node, symbol);
}

bool sb_au_names_draw(const sb_autumn_program *p, const sb_au_node *node) {
    return names(p, node, SB_AU_uniformChoice) || names(p, node, SB_AU_randomPositions) ||
           names_world_function(p, node, SB_AU_SAMPLE) || names_world_function(p, node, SB_AU_SHUFFLE);
}

static void find_features(sb_autumn_program *p) {
    bool names_render = false; /* functions `(.. o render)` are equal if they are of the same thing */
    for (size_t i = 1; i < p->n_nodes; i++) {
        const sb_au_node *node = &p->nodes[i];
        p->sets_fields |= node->op == SB_AU_OP_SET_FIELD;
        p->draws |= sb_au_names_draw(p, node);
        p->turns_cells |= names(p, node, SB_AU_rotate) || names(p, node, SB_AU_rotateNoCollision);
        p->names_elems |= names(p, node, SB_AU_elems);
        p->asks_identity |= names(p, node, SB_AU_removeObj) ||
                            (names(p, node, SB_AU_prev) && !is_prev_of_name(p, node));
        names_render |= names(p, node, SB_AU_render);
    }
    p->remembers = !p->asks_identity && !p->sets_fields && !p->turns_cells && !names_render;
}

/* Finds the keys that the program can tell. The library asks for the event in the functions listed here only, and what
 * they tell is in no variable before they are called. A program that never names one, not even in a string, cannot call
 * it. */
static void find_events(sb_autumn_program *p) {
    static const struct {
        sb_autumn_key key;
        uint16_t symbol;
    } askers[] = {{SB_AUTUMN_LEFT, SB_AU_left},       {SB_AUTUMN_RIGHT, SB_AU_right},   {SB_AUTUMN_UP, SB_AU_up},
                  {SB_AUTUMN_DOWN, SB_AU_down},       {SB_AUTUMN_CLICK, SB_AU_clicked}, {SB_AUTUMN_CLICK, SB_AU_click},
                  {SB_AUTUMN_CLICK, SB_AU_objClicked}};
    for (size_t i = 1; i < p->n_nodes; i++)
        for (size_t k = 0; k < sizeof askers / sizeof *askers; k++)
            p->reads[askers[k].key] |= names(p, &p->nodes[i], askers[k].symbol);
}

static bool find_field_places(sb_autumn_program *p) {
    const size_t n = p->names.n;
    p->field_places = malloc(p->n_objects * n);
    if (!p->field_places) return false;
    memset(p->field_places, SB_AU_NO_FIELD, p->n_objects * n);
    for (size_t i = 1; i < p->n_objects; i++)
        for (uint32_t k = p->objects[i].n; k-- > 0;)
            p->field_places[i * n + p->symbols[p->objects[i].first + k]] = (uint8_t)k;
    return true;
}

static bool can_see_order(const sb_autumn_program *p) {
    for (size_t i = 1; i < p->n_nodes; i++)
        for (size_t k = 0; k < 3; k++) {
            static const uint16_t seers[] = {SB_AU_allObjs, SB_AU_adjacentObjs, SB_AU_adjacentObjsDiag};
            if (names(p, &p->nodes[i], seers[k])) return true;
        }
    return p->asks_identity;
}

/* ---- The name `click` -------------------------------------------------------------------------------------------- */

/* Whether the truth of a condition means that there was a click in this step. */
static bool implies_click(const sb_autumn_program *p, uint32_t at) {
    const sb_au_node *node = &p->nodes[at];
    if (node->op == SB_AU_OP_NAME || node->op == SB_AU_OP_CALL) return node->a == SB_AU_clicked;
    if (node->op == SB_AU_OP_AND) return implies_click(p, node->a) || implies_click(p, node->b);
    return node->op == SB_AU_OP_OR && implies_click(p, node->a) && implies_click(p, node->b);
}

/* Whether an expression may read a `click` of an earlier step. */
static bool reads_click(const sb_autumn_program *p, uint32_t at) {
    const sb_au_node *node = &p->nodes[at];
    if (names(p, node, SB_AU_click)) return true;
    if (node->op == SB_AU_OP_AND && implies_click(p, node->a)) return reads_click(p, node->a);
    for (uint32_t i = 0; i < sb_au_n_children(node); i++)
        if (reads_click(p, sb_au_child(p, node, i))) return true;
    return false;
}

/* Whether an expression reads `click` as it was before the step, which no condition makes fresh. */
static bool reads_old_click(const sb_autumn_program *p, const sb_au_node *node) {
    if (is_string_literal(node)) return p->string_symbols[node->b] == SB_AU_click;
    return is_prev_of_name(p, node) && names(p, &p->nodes[p->arguments[node->c]], SB_AU_click);
}

/* Whether the clauses of a world, or the trigger of a program that is none, may read a `click` of an earlier step. */
static bool reads_click_at_the_end(const sb_autumn_program *p) {
    uint32_t nodes[SB_AU_CLAUSES];
    sb_au_clauses_of(p, nodes);
    for (size_t i = 0; i < SB_AU_CLAUSES - 1; i++) /* at the start there is no click */
        if (nodes[i] && reads_click(p, nodes[i])) return true;
    return p->trigger && reads_click(p, p->trigger);
}

static bool can_keep_click(const analysis *a) {
    const sb_autumn_program *p = a->p;
    if (a->redefined[SB_AU_click] || a->redefined[SB_AU_clicked]) return true;
    for (size_t i = 1; i < p->n_nodes; i++)
        if (reads_old_click(p, &p->nodes[i])) return true;
    for (size_t i = 0; i < p->n_statements; i++)
        if (p->statements[i].kind == SB_AU_EVALUATE && reads_click(p, p->statements[i].a)) return true;
    for (size_t i = 1; i < p->n_objects; i++)
        if (reads_click(p, p->objects[i].shape)) return true;
    for (size_t i = 0; i < p->n_rules; i++)
        if (reads_click(p, p->rules[i].first) || reads_click(p, p->rules[i].next)) return true;
    for (size_t i = 0; i < p->n_handlers; i++) {
        const sb_au_handler *h = &p->handlers[i];
        if (reads_click(p, h->condition) || (!implies_click(p, h->condition) && reads_click(p, h->body))) return true;
    }
    return reads_click_at_the_end(p);
}

/* ---- What is still read after the start -------------------------------------------------------------------------- */

typedef struct reading {
    sb_autumn_program *p;
    bool *seen;    /* by node: it was read */
    bool *live;    /* by symbol: its name was read */
    bool *changed; /* by symbol: something that was read assigns it */
} reading;

static void read_node(const reading *r, uint32_t at);

/* A name is read, and with it the functions that are assigned to it anywhere. */
static void read_symbol(const reading *r, uint32_t symbol) {
    const sb_autumn_program *p = r->p;
    if (symbol == SB_AU_NO_WORD || r->live[symbol]) return;
    r->live[symbol] = true;
    for (uint32_t i = 0; (i = sb_au_next_function(p, symbol, i));) read_node(r, p->nodes[i].b);
}

static void read_node(const reading *r, uint32_t at) {
    const sb_autumn_program *p = r->p;
    const sb_au_node *node = &p->nodes[at];
    if (r->seen[at]) return;
    r->seen[at] = true;
    if (node->op == SB_AU_OP_ASSIGN) r->changed[node->a] = true;
    if (node->op == SB_AU_OP_NAME || node->op == SB_AU_OP_CALL || node->op == SB_AU_OP_MAKE) read_symbol(r, node->a);
    if (is_string_literal(node)) read_symbol(r, p->string_symbols[node->b]);
    for (uint32_t i = 0; i < sb_au_n_children(node); i++) read_node(r, sb_au_child(p, node, i));
}

/* Whether a library function calls the functions that it is given, and keeps none of them. */
static bool only_calls(const sb_autumn_program *p, uint32_t symbol) {
    static const uint16_t callers[] = {SB_AU_map, SB_AU_filter, SB_AU_any, SB_AU_updateObj, SB_AU_ALL, SB_AU_COUNT};
    for (size_t i = 0; i < sizeof callers / sizeof *callers; i++)
        if (callers[i] == symbol) return symbol < SB_AU_N_LIBRARY || p->has_function[symbol - SB_AU_N_KNOWN];
    return false;
}

/* Reads the functions that may be kept in a list or elsewhere, and so may run at any time. */
static void read_kept_functions(const reading *r, bool *is_known) {
    const sb_autumn_program *p = r->p;
    for (uint32_t i = 1; i < p->n_nodes; i++) {
        const sb_au_node *node = &p->nodes[i];
        if (node->op == SB_AU_OP_ASSIGN) is_known[node->b] = true;
        if (node->op != SB_AU_OP_CALL || !only_calls(p, node->a)) continue;
        for (uint32_t k = 0; k < sb_au_n_children(node); k++) is_known[sb_au_child(p, node, k)] = true;
    }
    for (uint32_t i = 1; i < p->n_nodes; i++)
        if (p->nodes[i].op == SB_AU_OP_LAMBDA && !is_known[i]) read_node(r, i);
}

static void read_all(const reading *r, bool *is_known) {
    const sb_autumn_program *p = r->p;
    uint32_t clauses[SB_AU_CLAUSES];
    sb_au_clauses_of(p, clauses);
    for (size_t i = 0; i < SB_AU_CLAUSES - 1; i++) /* without `start` */
        if (clauses[i]) read_node(r, clauses[i]);
    for (size_t i = 0; i < p->n_handlers; i++)
        read_node(r, p->handlers[i].condition), read_node(r, p->handlers[i].body);
    for (size_t i = 0; i < p->n_rules; i++) read_node(r, p->rules[i].next);
    for (size_t i = 1; i < p->n_objects; i++) read_node(r, p->objects[i].shape);
    if (p->trigger) read_node(r, p->trigger);
    read_kept_functions(r, is_known);
}

static bool list_changing(sb_autumn_program *p, const bool *changed) {
    for (uint32_t i = 0; i < p->names.n; i++) {
        if (!changed[i] && !p->ruled[i]) continue;
        if (!SB_AU_ROOM(p, changing)) return false;
        p->changing[p->n_changing++] = i;
    }
    return true;
}

/* Whether a clause may read `click`, through functions, too. */
static bool find_clicked_clauses(sb_autumn_program *p) {
    uint32_t nodes[SB_AU_CLAUSES];
    if (!p->task || !p->reads[SB_AUTUMN_CLICK]) return true;
    bool *const is_known = calloc(p->n_nodes, sizeof *is_known);
    const reading r = {
        .p = p, .seen = calloc(p->n_nodes, 1), .live = calloc(p->names.n, 1), .changed = calloc(p->names.n, 1)};
    const bool ok = is_known && r.seen && r.live && r.changed;
    sb_au_clauses_of(p, nodes);
    for (size_t i = 0; ok && i < SB_AU_CLAUSES; i++)
        if (nodes[i]) read_node(&r, nodes[i]);
    if (ok) read_kept_functions(&r, is_known);
    p->judges_click = !ok || r.live[SB_AU_click];
    free(r.seen), free(r.live), free(r.changed), free(is_known);
    return ok;
}

/* Finds the variables by which a play is won, those read through functions, too. */
static bool find_goal(sb_autumn_program *p) {
    if (!p->task) return true;
    p->goal = calloc(p->names.n, sizeof *p->goal);
    const reading r = {.p = p, .seen = calloc(p->n_nodes, 1), .live = p->goal, .changed = calloc(p->names.n, 1)};
    const bool ok = r.seen && r.live && r.changed;
    if (ok && p->task->win) read_node(&r, p->task->win);
    if (ok && p->task->score) read_node(&r, p->task->score);
    free(r.seen), free(r.changed);
    return ok;
}

/* Variables that only the start reads are no part of a world's state, unless they are drawn. */
static bool find_live(sb_autumn_program *p) {
    p->draws_in_steps = !p->task && p->draws;
    if (!p->task) return true;
    bool *const is_known = calloc(p->n_nodes, sizeof *is_known);
    p->live = calloc(p->names.n, sizeof *p->live);
    const reading r = {.p = p, .seen = calloc(p->n_nodes, 1), .live = p->live, .changed = calloc(p->names.n, 1)};
    bool ok = r.seen && r.changed && is_known && p->live;
    for (uint32_t i = 0; ok && i < SB_AU_N_KNOWN; i++) p->live[i] = true;
    if (ok) read_all(&r, is_known);
    ok = ok && list_changing(p, r.changed);
    for (uint32_t i = 1; ok && i < p->n_nodes && !p->draws_at; i++)
        if (r.seen[i] && sb_au_names_draw(p, &p->nodes[i])) p->draws_at = i;
    p->draws_in_steps = p->draws_at != 0;
    free(r.seen), free(r.changed), free(is_known);
    return ok;
}

/* Whether what is drawn depends on nothing but the variables as they are. */
static bool draws_what_is(const sb_autumn_program *p) {
    if (p->plain_cells) return true;
    for (uint32_t i = 1; i < p->n_nodes; i++) /* functions that cells call may be any */
        if (names(p, &p->nodes[i], SB_AU_prev)) return false;
    return !p->draws_in_steps;
}

/* ---- Cells ------------------------------------------------------------------------------------------------------- */

/* Whether a library function looks at nothing but its arguments. */
static bool is_plain_function(const analysis *a, uint32_t symbol) {
    static const uint16_t plain[] = {SB_AU_at,  SB_AU_head, SB_AU_tail, SB_AU_length, SB_AU_abs,
                                     SB_AU_max, SB_AU_min,  SB_AU_sign, SB_AU_sqrt,   SB_AU_sqdist};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (plain[i] == symbol) return !a->redefined[symbol];
    return false;
}

/* Whether a node may call a function of the program. `and` and `or` call the functions that they get. */
static bool may_call(const analysis *a, const sb_au_node *node) {
    if (node->op == SB_AU_OP_CALL) return !is_plain_function(a, node->a);
    return node->op == SB_AU_OP_CALL_FIELD || node->op == SB_AU_OP_MAKE || node->op == SB_AU_OP_AND ||
           node->op == SB_AU_OP_OR || node->op == SB_AU_OP_CELL || node->op == SB_AU_OP_ASSIGN ||
           node->op == SB_AU_OP_SET_FIELD || node->op == SB_AU_OP_LET;
}

static bool add_name(sb_autumn_program *p, sb_au_site *site, uint32_t symbol) {
    for (uint32_t i = 0; i < site->n; i++)
        if (p->symbols[site->first + i] == symbol) return true;
    if (!SB_AU_ROOM(p, symbols)) return false;
    p->symbols[p->n_symbols++] = symbol;
    site->n++;
    return true;
}

/* All names of an expression count, those of fields and functions too (language 4, "Cells" 1). */
static bool find_names(const analysis *a, sb_au_site *site, uint32_t at) {
    sb_autumn_program *p = a->p;
    const sb_au_node node = p->nodes[at];
    const uint8_t layout = sb_au_layout[node.op];
    site->calls |= may_call(a, &node);
    if (layout & AS && !add_name(p, site, node.a)) return false;
    if (layout & BS && !add_name(p, site, node.b)) return false;
    for (uint32_t i = 0; i < sb_au_n_children(&node); i++)
        if (!find_names(a, site, sb_au_child(p, &node, i))) return false;
    return true;
}

static bool find_sites(const analysis *a) {
    sb_autumn_program *p = a->p;
    p->plain_cells = true;
    for (size_t i = 0; i < p->n_sites; i++) {
        sb_au_site site = p->sites[i];
        site.first = (uint32_t)p->n_symbols;
        for (int k = 0; k < 3; k++)
            if (!find_names(a, &site, site.part[k])) return false;
        p->plain_cells &= !site.calls;
        p->sites[i] = site;
    }
    return true;
}

static bool is_constant_cell(const sb_autumn_program *p, const sb_au_node *node) {
    if (node->op != SB_AU_OP_CELL) return false;
    for (uint32_t i = 0; i < 3; i++)
        if (p->nodes[p->arguments[node->c + i]].op != SB_AU_OP_LITERAL) return false;
    return true;
}

static bool is_constant_shape(const sb_autumn_program *p, const sb_au_node *node) {
    if (node->op != SB_AU_OP_LIST) return is_constant_cell(p, node);
    for (uint32_t i = 0; i < node->n; i++)
        if (!is_constant_cell(p, &p->nodes[p->arguments[node->c + i]])) return false;
    return true;
}

static bool same_fields(const sb_autumn_program *p, const sb_au_object_type *a, const sb_au_object_type *b) {
    return a->n == b->n && same_symbols(p, a->first, b->first, a->n);
}

static void find_shapes(sb_autumn_program *p) {
    for (uint32_t i = 1; i < p->n_objects; i++) {
        sb_au_object_type *o = &p->objects[i];
        o->shares_cells = !p->turns_cells && !p->names_elems && is_constant_shape(p, &p->nodes[o->shape]);
        o->signature = 1;
        while (!same_fields(p, &p->objects[o->signature], o)) o->signature++;
    }
}

/* ---- Strings and orders ------------------------------------------------------------------------------------------ */

/* The same string in lower case, which is a string of the program too, and may be added here. */
static uint32_t in_lower_case(sb_au_words *strings, uint32_t string) {
    const size_t n = strings->words[string].length;
    char *const text = malloc(n + 1u);
    if (!text) return SB_AU_NO_WORD;
    memcpy(text, sb_au_word(strings, string), n + 1);
    for (char *c = text; *c; c++)
        if (*c >= 'A' && *c <= 'Z') *c = (char)(*c + ('a' - 'A'));
    const uint32_t lower = sb_au_word_of(strings, text, n);
    free(text);
    return lower;
}

static bool find_strings(sb_autumn_program *p) {
    size_t capacity = 0;
    for (uint32_t i = 0; i < p->strings.n; i++) {
        if (!SB_GROW(p->lower, i + 1u, capacity)) return false;
        p->lower[i] = in_lower_case(&p->strings, i);
        if (p->lower[i] == SB_AU_NO_WORD) return false;
        p->has_maps |= !sb_autumn_string_fits(sb_au_word(&p->strings, i), p->strings.words[i].length);
    }
    p->string_symbols = malloc((p->strings.n + 1) * sizeof *p->string_symbols);
    for (uint32_t i = 0; p->string_symbols && i < p->strings.n; i++)
        p->string_symbols[i] = sb_au_find_word(&p->names, sb_au_word(&p->strings, i), p->strings.words[i].length);
    return p->string_symbols != NULL;
}

static uint16_t rule_of(const sb_autumn_program *p, uint32_t symbol) {
    uint16_t i = 0;
    while (p->rules[i].symbol != symbol) i++;
    return i;
}

static bool find_orders(sb_autumn_program *p) {
    p->rule_order = malloc((p->n_rules + 1) * sizeof *p->rule_order);
    p->first_order = malloc((p->names.n + 1) * sizeof *p->first_order);
    p->ruled = calloc(p->names.n, sizeof *p->ruled);
    if (!p->rule_order || !p->first_order || !p->ruled) return false;
    for (size_t i = 0; i < p->n_rules; i++) p->ruled[p->rules[i].symbol] = true;
    sb_au_table rules = sb_au_table_empty();
    for (size_t i = 0; i < p->n_rules; i++)
        sb_au_table_insert(&rules, p->rule_order, (uint16_t)p->rules[i].symbol, &p->names, p->order);
    for (size_t i = 0; i < p->n_rules; i++) p->rule_order[i] = rule_of(p, p->rule_order[i]);
    p->first_table = sb_au_table_empty();
    for (uint16_t i = 0; i <= SB_AU_SpecialConditionTriggered; i++)
        sb_au_table_insert(&p->first_table, p->first_order, i, &p->names, p->order);
    return true;
}

/* ---- Warnings ---------------------------------------------------------------------------------------------------- */

enum { WARNINGS_MAX = 100 };

static bool warn(sb_autumn_program *p, uint32_t node, sb_autumn_kind kind, const char *text) {
    if (!SB_AU_ROOM(p, warnings)) return false;
    sb_autumn_fault *w = &p->warnings[p->n_warnings++];
    *w = (sb_autumn_fault){.kind = kind, .line = p->places[node].line, .column = p->places[node].column};
    sb_copy_plain(w->text, sizeof w->text, text);
    return true;
}

static bool is_defined(void *context, uint32_t symbol) { return ((const bool *)context)[symbol]; }

static bool warn_of_unknown_names(const analysis *a) {
    sb_autumn_program *p = a->p;
    for (uint32_t i = 1; i < p->n_nodes && p->n_warnings < WARNINGS_MAX; i++) {
        const sb_au_node *node = &p->nodes[i];
        if ((node->op != SB_AU_OP_NAME && node->op != SB_AU_OP_CALL) || a->defined[node->a]) continue;
        char text[160];
        const char *name = sb_au_word(&p->names, node->a),
                   *closest = sb_au_closest_word(&p->names, name, is_defined, a->defined);
        snprintf(text, sizeof text, "`%.40s` is never defined%s%.40s%s", name,
                 closest ? "; the closest known name is `" : "", closest ? closest : "", closest ? "`" : "");
        if (!warn(p, i, SB_AUTUMN_UNDEFINED, text)) return false;
    }
    return true;
}

/* Whether the published library uses a name for itself and overwrites it (language 6). */
static bool is_overwritten(const char *name) {
    static const char *const overwritten[] = {
        "delta",       "sign_x",     "sign_y",         "xmin",          "xmax",         "ymin",    "ymax", "rectPos",
        "prev_elems",  "curr_elems", "filtered_elems", "allCheckedPos", "filtered_pos", "wbound",  "fr",   "ret",
        "closestHole", "nextRowPos", "holes",          "dir",           "movedObj",     "allCells"};
    for (size_t i = 0; i < sizeof overwritten / sizeof *overwritten; i++)
        if (strcmp(name, overwritten[i]) == 0) return true;
    return false;
}

static bool warn_of_global(sb_autumn_program *p, uint32_t symbol, uint32_t node) {
    const char *name = sb_au_word(&p->names, symbol);
    char text[160];
    if (symbol < SB_AU_N_LIBRARY && sb_au_natives[symbol].call) {
        snprintf(text, sizeof text, "`%s` is a library function; other library functions go on using the old one",
                 name);
        return warn(p, node, SB_AUTUMN_TYPE, text);
    }
    if (!is_overwritten(name)) return true;
    snprintf(text, sizeof text, "the published library overwrites a global of the name `%s`", name);
    return warn(p, node, SB_AUTUMN_TYPE, text);
}

static bool warn_of_globals(sb_autumn_program *p) {
    for (size_t i = 0; i < p->n_rules; i++)
        if (!warn_of_global(p, p->rules[i].symbol, p->rules[i].first)) return false;
    for (size_t i = 0; i < p->n_statements; i++) {
        const sb_au_statement *s = &p->statements[i];
        if (s->kind == SB_AU_EVALUATE && p->nodes[s->a].op == SB_AU_OP_ASSIGN &&
            !warn_of_global(p, p->nodes[s->a].a, s->a))
            return false;
    }
    return true;
}

bool sb_au_analyse(sb_autumn_program *p) {
    analysis a = {.p = p,
                  .defined = calloc(p->names.n, sizeof *a.defined),
                  .redefined = calloc(p->names.n, sizeof *a.redefined),
                  .assigned = calloc(p->names.n, sizeof *a.assigned)};
    bool ok = a.defined && a.redefined && a.assigned && find_strings(p) && find_orders(p) && find_sources(p);
    if (ok) {
        find_definitions(&a);
        find_functions(&a);
        find_features(p);
        find_events(p);
        for (uint32_t i = 0; i < SB_AU_N_LIBRARY; i++) p->names_objects |= a.redefined[i];
        p->sees_order = can_see_order(p);
        p->keeps_click = can_keep_click(&a);
        ok = find_live(p) && find_goal(p) && find_clicked_clauses(p) && find_field_places(p) && find_sites(&a) &&
             warn_of_unknown_names(&a) && warn_of_globals(p);
        find_shapes(p);
        p->packs = p->task && !p->asks_identity && !p->sets_fields && !p->sees_order && !p->keeps_click &&
                   draws_what_is(p);
    }
    free(a.defined);
    free(a.redefined);
    free(a.assigned);
    return ok;
}
