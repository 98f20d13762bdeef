/* A compiled program: expressions as nodes with numbers for names, so that nothing is looked up by its text in a step.
 * Scopes are dynamic (language 6), so a name is not a place in a frame but a slot of the whole program. */
#ifndef SB_AUTUMN_PROGRAM_H
#define SB_AUTUMN_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/autumn/autumn.h"
#include "engine/autumn/symbols.h"
#include "engine/autumn/value.h"

/* Texts as numbers: the names and strings of a program, each once, numbered from 0 in the order of their first use. */

enum { SB_AU_NO_WORD = INT32_MAX };

typedef struct sb_au_words {
    struct sb_au_word {
        uint64_t hash;
        size_t start;
        uint32_t length;
    } * words;
    size_t n, capacity;
    char *texts; /* the texts, one behind the other, each with NUL */
    size_t n_texts, texts_capacity;
    uint32_t *buckets; /* number of a word + 1, or 0 */
    size_t n_buckets;  /* a power of two */
} sb_au_words;

/* Returns the number of the text, which is added if it is new; SB_AU_NO_WORD: out of memory. */
uint32_t sb_au_word_of(sb_au_words *words, const char *text, size_t n);
/* Returns the number of the text, or SB_AU_NO_WORD if it is not there. */
uint32_t sb_au_find_word(const sb_au_words *words, const char *text, size_t n);
const char *sb_au_word(const sb_au_words *words, uint32_t word);
void sb_au_words_free(sb_au_words *words);

/* The hash that decides the order of tables (language 7.1). */
uint64_t sb_au_name_hash(const char *name, size_t n);

/* Returns the word most like a name among those that `fits` accepts, or NULL if none is alike. */
const char *sb_au_closest_word(const sb_au_words *words, const char *name, bool (*fits)(void *context, uint32_t word),
                               void *context);

/* The order in which the published interpreter walks a table of names: that of a hash table of GNU C++ (language 7).
 * The caller owns the array, which has room for all symbols of the program. */

typedef struct sb_au_table {
    uint32_t n, buckets;
} sb_au_table;

/* The most names that a table can have; more than that would need bucket counts that nobody has recorded. */
enum { SB_AU_TABLE_MAX = 2357 };

sb_au_table sb_au_table_empty(void);
/* Puts in a symbol that is not there. */
void sb_au_table_insert(sb_au_table *table, uint16_t *order, uint16_t symbol, const sb_au_words *names,
                        sb_autumn_order how);
/* Takes out a symbol that is there. */
void sb_au_table_remove(sb_au_table *table, uint16_t *order, uint16_t symbol);

typedef enum sb_au_op {
    SB_AU_OP_LITERAL,    /* a: kind, b: number */
    SB_AU_OP_NAME,       /* a: symbol */
    SB_AU_OP_CALL,       /* a: symbol, arguments */
    SB_AU_OP_CALL_FIELD, /* a: node, b: symbol of the field, arguments */
    SB_AU_OP_MAKE,       /* a: symbol of the type, arguments */
    SB_AU_OP_POSITION,   /* arguments */
    SB_AU_OP_ELEM,       /* arguments */
    SB_AU_OP_CELL,       /* a: site, arguments (which are kept, not evaluated) */
    SB_AU_OP_IF,         /* a, b, c: nodes */
    SB_AU_OP_AND,        /* a, b: nodes, as in all operations down to NOT_EQUAL */
    SB_AU_OP_OR,
    SB_AU_OP_ADD,
    SB_AU_OP_SUBTRACT,
    SB_AU_OP_MULTIPLY,
    SB_AU_OP_DIVIDE,
    SB_AU_OP_MODULO,
    SB_AU_OP_LESS,
    SB_AU_OP_LESS_EQUAL,
    SB_AU_OP_GREATER,
    SB_AU_OP_GREATER_EQUAL,
    SB_AU_OP_EQUAL,
    SB_AU_OP_NOT_EQUAL,
    SB_AU_OP_NOT, /* a: node */
    SB_AU_OP_NEGATE,
    SB_AU_OP_PLUS,
    SB_AU_OP_LET,       /* arguments */
    SB_AU_OP_LAMBDA,    /* a: number of the function */
    SB_AU_OP_FIELD,     /* a: node, b: symbol of the field */
    SB_AU_OP_SET_FIELD, /* a: node, b: symbol of the field, c: node */
    SB_AU_OP_ASSIGN,    /* a: symbol, b: node */
    SB_AU_OP_LIST,      /* arguments */
    SB_AU_OP_DECLARE,   /* a: symbol, b: type */
    SB_AU_N_OPS
} sb_au_op;

typedef struct sb_au_node {
    uint16_t op, n;   /* n: number of arguments */
    uint32_t a, b, c; /* c: in a node with arguments, the index of the first one in `arguments` */
} sb_au_node;

/* Bits for what a, b and c of a node are. */
enum {
    SB_AU_A_NODE = 1,
    SB_AU_B_NODE = 2,
    SB_AU_C_NODE = 4,
    SB_AU_ARGUMENTS = 8,
    SB_AU_A_NAME = 16,
    SB_AU_B_NAME = 32
};
extern const uint8_t sb_au_layout[SB_AU_N_OPS];

typedef struct sb_au_place {
    uint32_t line, column;
} sb_au_place;

typedef struct sb_au_lambda {
    uint32_t body, first, n; /* parameters are symbols[first .. first + n - 1] */
    uint32_t height;
} sb_au_lambda;

enum { SB_AU_NO_FIELD = 255, SB_AU_OBJECTS_MAX = 300 };

/* A statement `(object ...)`: its fields, then origin and elems. */
typedef struct sb_au_object_type {
    uint32_t name, first, n; /* names of fields are symbols[first ...], types are types[first ...] */
    uint32_t shape, height;
    uint32_t maker; /* in worlds, the function that stands for the type's name; 0: the program uses the name itself */
    uint32_t signature; /* the first type with the same names of fields (language 5) */
    /* The cells of the type never differ and nothing can change or tell them apart, so all its objects share one
     * list. */
    bool shares_cells;
} sb_au_object_type;

/* An expression `(Cell x y colour)`. */
typedef struct sb_au_site {
    uint32_t part[3];
    uint32_t first, n; /* the names that it uses: symbols[first ...] */
    uint32_t height;
    bool calls; /* an expression may call a function of the program, which may use names that are not listed */
} sb_au_site;

typedef enum sb_au_statement_kind {
    SB_AU_EVALUATE,    /* a: node */
    SB_AU_DEFINE_TYPE, /* a: object type */
    SB_AU_OTHER        /* handlers and rules: nothing happens when the statement is reached */
} sb_au_statement_kind;

typedef struct sb_au_statement {
    sb_au_statement_kind kind;
    uint32_t a, node; /* node: the first one that belongs to the statement */
} sb_au_statement;

typedef struct sb_au_handler {
    uint32_t condition, body;
} sb_au_handler;

typedef struct sb_au_rule {
    uint32_t symbol, first, next; /* first, next: nodes of the first value and of the rule */
} sb_au_rule;

typedef struct sb_au_task sb_au_task; /* engine/autumn/task.h */

struct sb_autumn_program {
    sb_au_task *task;                           /* the statement of a world; NULL: the program is none */
    uint32_t *parameters;                       /* nodes that define the parameters of the difficulty */
    bool has_function[SB_AU_N_WORLD_FUNCTIONS]; /* functions of worlds that the program does not define itself */
    sb_au_words names, strings;
    uint32_t *lower;          /* by string: the string in lower case */
    uint32_t *string_symbols; /* by string: the symbol of that name, or SB_AU_NO_WORD */
    sb_au_node *nodes;
    sb_au_place *places; /* by node: its place in the text */
    uint32_t *sources;   /* by node: the first node with the same source text */
    uint32_t *arguments; /* nodes */
    uint32_t *symbols;   /* names of fields, parameters and sites */
    sb_au_type *types;   /* types of fields, at the places of their names in `symbols` */
    sb_au_lambda *lambdas;
    sb_au_object_type *objects; /* objects[0] is unused */
    uint8_t *field_places;      /* by object type and symbol: place of the field, or SB_AU_NO_FIELD */
    sb_au_site *sites;
    sb_au_statement *statements;
    sb_au_handler *handlers;
    sb_au_rule *rules;     /* in program order */
    uint16_t *rule_order;  /* order of rules and first values: indices into `rules` (language 7.3) */
    uint16_t *first_order; /* the table of global names before the program's first statement */
    bool *ruled;           /* by symbol: it has a rule */
    uint32_t *changing;    /* in worlds: symbols of variables that a step may change */
    bool *live;            /* by symbol, in worlds: something that runs after the start may read it */
    bool *goal;            /* by symbol, in worlds: `win` or `score` reads it */
    sb_autumn_fault *warnings;
    size_t n_nodes, n_places, n_arguments, n_symbols, n_types, n_lambdas, n_objects, n_sites, n_statements, n_handlers,
        n_rules, n_warnings, n_parameters, n_changing;
    size_t nodes_capacity, places_capacity, arguments_capacity, symbols_capacity, types_capacity, lambdas_capacity,
        objects_capacity, sites_capacity, statements_capacity, handlers_capacity, rules_capacity, warnings_capacity,
        parameters_capacity, changing_capacity;
    sb_au_table first_table;
    uint32_t trigger;  /* node of the triggering condition; 0: none */
    uint32_t draws_at; /* in worlds: the first node that runs after the start and draws; 0: none */
    uint32_t black;    /* number of the string `black` */
    sb_autumn_order order;
    sb_autumn_limits limits;
    bool has_maps;       /* some texts are too long for a colour's name, as only those of worlds can be */
    bool packs;          /* states can be packed (packed.h) */
    bool draws_in_steps; /* what runs after the start may draw; in programs that are no worlds: anything may draw */
    bool draws;          /* the program names a function that draws */
    bool asks_identity;  /* the program names removeObj, or prev without a name behind it (language 4) */
    bool sets_fields;    /* the program changes instances in place, by an assignment to a field */
    bool remembers; /* the program cannot tell values that are alike from one value, so old values may stand (memo.h) */
    bool names_objects; /* the program redefines library functions, so that names of the library may hold objects */
    bool turns_cells;   /* the program names rotate */
    bool names_elems;   /* the program names the field elems, so that it may get at the cells of objects */
    bool plain_cells;   /* cells depend on nothing but variables */
    bool sees_order;    /* the program names a function whose result depends on the order of globals (language 7.3) */
    bool reads[SB_AUTUMN_CLICK + 1]; /* by key: the program names something that tells whether the key was pressed */
    /* the program reads `click` where no condition makes sure that it is the click of this step */
    bool keeps_click;
    bool judges_click; /* a clause of a world may read `click` */
};

#define SB_AU_ROOM(p, what) SB_GROW((p)->what, (p)->n_##what + 1, (p)->what##_capacity)

/* The number of a node's children and the i-th of them, for walks over expressions. */
uint32_t sb_au_n_children(const sb_au_node *node);
uint32_t sb_au_child(const sb_autumn_program *p, const sb_au_node *node, uint32_t i);

/* Finds out what can be known before the program runs: sources, sites, what may be shared; and warns. */
bool sb_au_analyse(sb_autumn_program *p);

#endif
