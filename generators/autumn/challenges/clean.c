#include "generators/autumn/challenges/study.h"

#include <stdlib.h>
#include <string.h>

#include "engine/autumn/program.h"

/* Everything is decided for units: a handler with its condition, or a rule. A unit reaches expressions through the
 * names of functions and the shapes of types. If anything that it reaches can draw, names a touched variable, or looks
 * at the whole grid while something touched may be there, then all that it assigns is touched. Scopes are dynamic, so
 * names count wherever they stand, as parameters too. */
typedef struct analysis {
    const sb_autumn_program *p;
    sb_autumn_clean *clean;
    bool *nodes;   /* the nodes that the walk has reached */
    bool *symbols; /* the symbols that the walk has reached */
    bool *scalar;  /* by symbol: it never holds anything that has cells */
    bool any;      /* something that may have cells is touched */
} analysis;

/* ---- What has no cells ------------------------------------------------------------------------------------------- */

static bool is_scalar(const analysis *a, uint32_t at) {
    const sb_au_node *node = &a->p->nodes[at];
    switch (node->op) {
    case SB_AU_OP_LITERAL:
    case SB_AU_OP_ADD:
    case SB_AU_OP_SUBTRACT:
    case SB_AU_OP_MULTIPLY:
    case SB_AU_OP_DIVIDE:
    case SB_AU_OP_MODULO:
    case SB_AU_OP_LESS:
    case SB_AU_OP_LESS_EQUAL:
    case SB_AU_OP_GREATER:
    case SB_AU_OP_GREATER_EQUAL:
    case SB_AU_OP_EQUAL:
    case SB_AU_OP_NOT_EQUAL:
    case SB_AU_OP_AND:
    case SB_AU_OP_OR:
    case SB_AU_OP_NOT:
    case SB_AU_OP_NEGATE:
    case SB_AU_OP_POSITION:
    case SB_AU_OP_LAMBDA: return true;
    case SB_AU_OP_IF: return is_scalar(a, node->b) && is_scalar(a, node->c);
    case SB_AU_OP_ASSIGN: return is_scalar(a, node->b);
    case SB_AU_OP_NAME: return a->scalar[node->a];
    case SB_AU_OP_CALL: {
        static const uint16_t numbers[] = {SB_AU_length, SB_AU_abs, SB_AU_sign, SB_AU_max, SB_AU_min, SB_AU_sqdist};
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            if (node->a == numbers[i]) return true;
        if (node->a == SB_AU_prev && node->n == 1) return is_scalar(a, a->p->arguments[node->c]);
        if (node->a != SB_AU_uniformChoice || node->n != 1) return false;
        const sb_au_node *of = &a->p->nodes[a->p->arguments[node->c]];
        if (of->op == SB_AU_OP_CALL) return of->a == SB_AU_range;
        for (uint32_t i = 0; of->op == SB_AU_OP_LIST && i < of->n; i++)
            if (!is_scalar(a, a->p->arguments[of->c + i])) return false;
        return of->op == SB_AU_OP_LIST;
    }
    default: return false;
    }
}

/* Finds variables that never hold cells: begins with all variables of the program and takes out those that may hold
 * something else than scalars, until nothing changes. */
static void find_scalars(analysis *a) {
    const sb_autumn_program *p = a->p;
    for (size_t i = 0; i < p->n_rules; i++) a->scalar[p->rules[i].symbol] = true;
    for (size_t i = 1; i < p->n_nodes; i++)
        if (p->nodes[i].op == SB_AU_OP_ASSIGN) a->scalar[p->nodes[i].a] = true;
    for (size_t i = 0; i < p->n_lambdas; i++)
        for (uint32_t k = 0; k < p->lambdas[i].n; k++) a->scalar[p->symbols[p->lambdas[i].first + k]] = false;
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < p->n_rules; i++) {
            const sb_au_rule *rule = &p->rules[i];
            if (!a->scalar[rule->symbol] || (is_scalar(a, rule->first) && is_scalar(a, rule->next))) continue;
            a->scalar[rule->symbol] = false, again = true;
        }
        for (size_t i = 1; i < p->n_nodes; i++) {
            const sb_au_node *node = &p->nodes[i];
            if (node->op != SB_AU_OP_ASSIGN || !a->scalar[node->a] || is_scalar(a, node->b)) continue;
            a->scalar[node->a] = false, again = true;
        }
    }
}

/* ---- What an expression reaches ---------------------------------------------------------------------------------- */

typedef enum reach {
    CODE, /* what runs when the expression is evaluated */
    /* where the expression's values may come from: also the rules of the variables that it names, and what assigns them
     */
    VALUES
} reach;

static void reach_node(analysis *a, uint32_t at, reach how);

/* Functions are global variables without rules, or local ones: all assignments of that name count. */
static void reach_symbol(analysis *a, uint32_t symbol, reach how) {
    const sb_autumn_program *p = a->p;
    if (symbol >= p->names.n || a->symbols[symbol]) return;
    a->symbols[symbol] = true;
    for (size_t i = 1; i < p->n_objects; i++)
        if (p->objects[i].name == symbol) reach_node(a, p->objects[i].shape, how);
    for (size_t i = 0; i < p->n_rules; i++)
        if (p->rules[i].symbol == symbol && how == VALUES)
            reach_node(a, p->rules[i].first, how), reach_node(a, p->rules[i].next, how);
    if (p->ruled[symbol] && how == CODE) return;
    for (size_t i = 1; i < p->n_nodes; i++)
        if (p->nodes[i].op == SB_AU_OP_ASSIGN && p->nodes[i].a == symbol) reach_node(a, p->nodes[i].b, how);
}

static void reach_node(analysis *a, uint32_t at, reach how) {
    const sb_autumn_program *p = a->p;
    const sb_au_node *node = &p->nodes[at];
    const uint8_t layout = sb_au_layout[node->op];
    if (a->nodes[at]) return;
    a->nodes[at] = true;
    if ((layout & SB_AU_A_NAME && node->op != SB_AU_OP_ASSIGN) || node->op == SB_AU_OP_MAKE)
        reach_symbol(a, node->a, how);
    if (layout & SB_AU_B_NAME) reach_symbol(a, node->b, how);
    if (node->op == SB_AU_OP_LITERAL && node->a == SB_AU_STRING) reach_symbol(a, p->string_symbols[node->b], how);
    for (uint32_t i = 0; i < sb_au_n_children(node); i++) reach_node(a, sb_au_child(p, node, i), how);
}

static void begin(analysis *a) {
    memset(a->nodes, 0, a->p->n_nodes * sizeof *a->nodes);
    memset(a->symbols, 0, a->p->names.n * sizeof *a->symbols);
}

/* ---- What is touched --------------------------------------------------------------------------------------------- */

/* Functions whose result depends on what else is on the grid. */
static bool looks_around(uint32_t symbol) {
    static const uint16_t lookers[] = {SB_AU_isFree,
                                       SB_AU_isFreePos,
                                       SB_AU_isFreeExcept,
                                       SB_AU_isFreePosExceptObj,
                                       SB_AU_isFreeRangeExceptObj,
                                       SB_AU_moveNoCollision,
                                       SB_AU_moveCanCollision,
                                       SB_AU_moveLeftNoCollision,
                                       SB_AU_moveRightNoCollision,
                                       SB_AU_moveUpNoCollision,
                                       SB_AU_moveDownNoCollision,
                                       SB_AU_rotateNoCollision,
                                       SB_AU_nextSolid,
                                       SB_AU_nextLiquid,
                                       SB_AU_nextLiquidClosestHole,
                                       SB_AU_nextLiquidMoveClosestHole,
                                       SB_AU_adjacentObjs,
                                       SB_AU_adjacentObjsDiag,
                                       SB_AU_adj,
                                       SB_AU_allObjs,
                                       SB_AU_renderAll,
                                       SB_AU_closest,
                                       SB_AU_removeObj};
    for (size_t i = 0; i < sizeof lookers / sizeof *lookers; i++)
        if (lookers[i] == symbol) return true;
    return false;
}

static bool is_by_chance(const analysis *a, uint32_t symbol) {
    return symbol == SB_AU_uniformChoice || symbol == SB_AU_randomPositions || a->clean->touched[symbol] ||
           (a->any && looks_around(symbol));
}

/* Whether anything that was reached is by chance. */
static bool reaches_chance(const analysis *a) {
    for (uint32_t i = 0; i < a->p->names.n; i++)
        if (a->symbols[i] && is_by_chance(a, i)) return true;
    return false;
}

static bool touch(analysis *a, uint32_t symbol) {
    if (a->clean->touched[symbol]) return false;
    a->clean->touched[symbol] = true;
    a->any |= !a->scalar[symbol];
    return true;
}

/* Touches all that was reached by an assignment. Returns whether anything is new. */
static bool touch_assigned(analysis *a) {
    bool found = false;
    for (size_t i = 1; i < a->p->n_nodes; i++) {
        const sb_au_node *node = &a->p->nodes[i];
        if (!a->nodes[i]) continue;
        if (node->op == SB_AU_OP_ASSIGN) found |= touch(a, node->a);
        /* What is changed in place may be shared by anything. */
        if (node->op == SB_AU_OP_SET_FIELD) a->clean->nothing = true;
    }
    return found;
}

static bool touch_units(analysis *a) {
    const sb_autumn_program *p = a->p;
    bool found = false;
    for (size_t i = 0; i < p->n_handlers; i++) {
        begin(a);
        reach_node(a, p->handlers[i].condition, CODE), reach_node(a, p->handlers[i].body, CODE);
        if (reaches_chance(a)) found |= touch_assigned(a);
    }
    for (size_t i = 0; i < p->n_rules; i++) {
        begin(a);
        reach_node(a, p->rules[i].next, CODE);
        if (!reaches_chance(a)) continue;
        found |= touch_assigned(a);
        found |= touch(a, p->rules[i].symbol);
    }
    return found;
}

/* Cells are evaluated when they are drawn, and then see functions, and through them variables, as they are now. So
 * whatever may hold an object of a type whose shape reaches chance is touched. */
static bool touch_shapes(analysis *a) {
    const sb_autumn_program *p = a->p;
    bool found = false;
    for (size_t type = 1; type < p->n_objects; type++) {
        begin(a);
        reach_node(a, p->objects[type].shape, CODE);
        if (!reaches_chance(a)) continue;
        for (size_t i = 0; i < p->n_rules; i++) {
            begin(a);
            reach_symbol(a, p->rules[i].symbol, VALUES);
            if (a->symbols[p->objects[type].name]) found |= touch(a, p->rules[i].symbol);
        }
    }
    return found;
}

/* Finds the strings that touched variables may get from anywhere. */
static void find_paints(analysis *a) {
    const sb_autumn_program *p = a->p;
    begin(a);
    for (uint32_t i = 0; i < p->names.n; i++)
        if (a->clean->touched[i]) reach_symbol(a, i, VALUES);
    for (size_t i = 1; i < p->n_nodes; i++)
        if (a->nodes[i] && p->nodes[i].op == SB_AU_OP_LITERAL && p->nodes[i].a == SB_AU_STRING)
            a->clean->paints[p->lower[p->nodes[i].b]] = true;
}

bool sb_autumn_clean_find(const sb_autumn_program *p, sb_autumn_clean *clean) {
    *clean = (sb_autumn_clean){.program = p,
                               .touched = calloc(p->names.n, sizeof *clean->touched),
                               .paints = calloc(p->strings.n + 1, sizeof *clean->paints)};
    analysis a = {.p = p,
                  .clean = clean,
                  .nodes = calloc(p->n_nodes, sizeof *a.nodes),
                  .symbols = calloc(p->names.n, sizeof *a.symbols),
                  .scalar = calloc(p->names.n, sizeof *a.scalar)};
    const bool ok = clean->touched && clean->paints && a.nodes && a.symbols && a.scalar;
    if (ok) {
        find_scalars(&a);
        for (bool found = true; found;) {
            found = touch_units(&a);
            found |= touch_shapes(&a);
        }
        find_paints(&a);
        clean->nothing |= clean->touched[SB_AU_background] || clean->touched[SB_AU_GRID_SIZE];
        clean->nothing |= p->sets_fields;
    } else {
        sb_autumn_clean_free(clean);
    }
    free(a.nodes), free(a.symbols), free(a.scalar);
    return ok;
}

void sb_autumn_clean_free(sb_autumn_clean *clean) {
    free(clean->touched), free(clean->paints);
    clean->touched = clean->paints = NULL;
}

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

/* Variables are drawn one after the other: ruled ones in program order, then all others. Returns the place of the first
 * ruled variable behind the last touched one; past the end if one without a rule is touched. */
static size_t first_behind(const sb_autumn_clean *clean) {
    const sb_autumn_program *p = clean->program;
    size_t place = 0;
    for (size_t i = 0; i < p->n_rules; i++)
        if (clean->touched[p->rules[i].symbol]) place = i + 1;
    for (uint32_t i = 0; i < p->names.n; i++)
        if (clean->touched[i] && !p->ruled[i]) place = p->n_rules;
    return place;
}

static size_t place_of(const sb_autumn_program *p, uint32_t symbol) {
    size_t i = 0;
    while (i < p->n_rules && p->rules[i].symbol != symbol) i++;
    return i;
}

void sb_autumn_clean_frame(const sb_autumn_clean *clean, const sb_autumn_state *state, uint32_t *base, bool *open) {
    const uint32_t size = sb_autumn_size(state), n = size * size;
    const sb_autumn_layer *layers = sb_autumn_layers(state);
    const size_t behind = first_behind(clean);
    for (uint32_t i = 0; i < n; i++) base[i] = sb_autumn_background(state), open[i] = true;
    for (size_t l = 0; l < sb_autumn_n_layers(state); l++) {
        if (clean->touched[layers[l].variable]) continue;
        const size_t place = place_of(clean->program, layers[l].variable);
        for (uint32_t k = 0; k < layers[l].n; k++) {
            const sb_autumn_cell *cell = &sb_autumn_cells(state)[layers[l].first + k];
            if ((uint32_t)cell->x >= size || (uint32_t)cell->y >= size) continue;
            const uint32_t at = (uint32_t)cell->y * size + (uint32_t)cell->x;
            base[at] = clean->program->lower[cell->colour];
            open[at] = place < behind || place == clean->program->n_rules;
        }
    }
}

bool sb_autumn_clean_contradicts(const sb_autumn_clean *clean, const sb_autumn_state *state, const uint32_t *frame,
                                 uint32_t size, uint32_t *base, bool *open) {
    if (clean->nothing) return false;
    if (size != sb_autumn_size(state)) return true;
    sb_autumn_clean_frame(clean, state, base, open);
    for (uint32_t i = 0; i < size * size; i++)
        if (frame[i] != base[i] && !(open[i] && clean->paints[frame[i]])) return true;
    return false;
}
