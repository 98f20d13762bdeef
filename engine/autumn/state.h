/* A running program: what decides its future, and the memory that a step works in. */
#ifndef SB_AUTUMN_STATE_H
#define SB_AUTUMN_STATE_H

#include "engine/autumn/program.h"
#include "engine/autumn/value.h"
#include "engine/autumn/world.h"
#include "seeds/rng.h"

/* Things, one behind the other. A step only adds to them; between steps the living ones are moved to the other half. */
typedef struct sb_au_heap {
    uint64_t *words; /* word 0 is unused */
    uint64_t *spare; /* the half to which living things are moved next */
    uint32_t used;   /* words in use */
    size_t capacity, spare_capacity;
    uint32_t collect_at; /* words in use at which the step's end collects */
    bool is_full;        /* the limit of memory was met */
} sb_au_heap;

/* A drawing: the cells, the variables they belong to, and which places are occupied. */
typedef struct sb_au_drawing {
    sb_autumn_cell *cells;
    sb_autumn_layer *layers;
    uint64_t *occupied; /* one bit for each place of the grid, row by row */
    size_t n_cells, n_layers, cells_capacity, layers_capacity, occupied_capacity;
    size_t n_outside; /* cells off the grid */
    int64_t spent;    /* evaluations that the drawing took */
    uint32_t size;    /* GRID_SIZE when it was drawn */
    uint32_t background;
} sb_au_drawing;

/* Where a symbol's innermost local variable is, if it has one (language 6). */
typedef struct sb_au_local {
    sb_au_value value;
    uint32_t depth; /* number of the scope, from 1; 0: none */
} sb_au_local;

/* What a scope has hidden and gives back when it is left. */
typedef struct sb_au_hidden {
    uint32_t symbol;
    uint32_t depth; /* depth of the hidden local variable; SB_AU_DECLARATION: the hidden type is in value.at */
    sb_au_value value;
} sb_au_hidden;
enum { SB_AU_DECLARATION = INT32_MAX };
enum { SB_AU_USUAL_RATE = 8 /* FRAME_RATE, language 2 */, SB_AU_KEYS = SB_AUTUMN_CLICK /* keys but `click` */ };

/* A word of the heap that was changed in place, and its old content. */
typedef struct sb_au_change {
    uint32_t word;
    uint64_t old;
} sb_au_change;

/* What a step may change and a fault must restore, of fixed size. */
typedef struct sb_au_core {
    sb_au_table table;  /* table of global names; the names are in `order` */
    uint32_t n_defined; /* names in `defined` */
    uint32_t next_id;   /* the last identity that was given to a thing */
    uint32_t published; /* state of the published generator */
    sb_autumn_generator generator;
    sb_rng pcg64;
    sb_autumn_standing standing; /* in worlds: what the clauses say of the state */
} sb_au_core;

/* An expression's last value, and when it stands (memo.h). */
typedef struct sb_au_memo {
    /* times when it was evaluated, when its rule had assigned it, and when that step began */
    uint64_t time, ended, step_began;
    int64_t spent;        /* evaluations that the expression took */
    bool is_known, value; /* value: the truth of a condition */
    bool reads_event, reads_drawing;
    uint8_t misses, rest;
    sb_autumn_key key; /* key of the event that the expression read */
} sb_au_memo;

struct sb_autumn_state {
    const sb_autumn_program *program;
    bool started;
    /* What decides the future. The arrays stand in one block, `fixed`. */
    sb_au_core core;
    sb_au_heap heap;
    sb_au_drawing drawing;
    uint8_t *fixed;
    size_t fixed_size;
    sb_au_value *globals; /* by symbol; SB_AU_NOTHING: not defined */
    sb_au_value *shapes;  /* by object type: the cells that its objects share, if they do */
    sb_au_type *declared; /* by symbol: the declared type; SB_AU_T_UNKNOWN: none */
    uint16_t *order;      /* symbols of globals in table order */
    uint16_t *defined;    /* symbols of the program's globals in the order of their first definition */
    uint16_t *types;      /* by symbol: the object type of that name, 0: none so far */
    uint8_t *was_defined; /* by symbol: it is in `defined` */

    /* The step that is taken. Its arrays stand in one block, `scratch`. */
    uint8_t *scratch;
    sb_au_value *prev;   /* by symbol: the global before the step */
    sb_au_local *locals; /* by symbol: its innermost local variable */
    uint16_t *old_order; /* `order` and `defined` before the step, if `order_saved` */
    uint8_t *assigned;   /* by symbol: it was assigned in this step, so its rule does not run */
    uint8_t *fired;      /* by handler: it fired in this step */
    bool order_saved;
    sb_au_core before;       /* the core before the step */
    uint32_t used_before;    /* words of the heap in use before the step */
    uint32_t packed_from;    /* words in use when packing began (packed.h); 0: it did not */
    uint32_t packed_defined; /* names in `defined` when packing began */
    bool stood;              /* the last step was known to change nothing, and was not taken */
    bool stayed;             /* the last step has changed nothing */
    sb_autumn_event event;
    uint64_t *alike;     /* the clicks that do the same as the one of the step (packed.h), a bit for each; NULL: off */
    uint32_t alike_size; /* width and height of the grid of `alike` */
    bool asked_click;    /* `click` was read in the step */
    sb_au_value click;   /* the position of the step's click, once somebody has asked */
    sb_au_value objects; /* the list of all objects, until a global is assigned */
    int32_t *origins;    /* x and y of the origin of each object, if the list of them is at `origins_of` */
    size_t origins_capacity;
    uint32_t origins_of; /* place of the list of objects whose origins were read; 0: none */
    sb_autumn_tape *tape;
    int64_t evaluations;     /* evaluations that are left in this step */
    uint32_t nesting, depth; /* how many expressions nest, and how many scopes */
    uint32_t floor;          /* local variables of scopes below this are hidden; 1: none, and globals are visible */
    uint32_t shape_scope;    /* the scope of the fields of the object that is being made; 0: none */
    bool all_free;           /* every cell counts as free: so it is while a frame is drawn */
    bool changed_in_place;
    bool judges;      /* a clause of a world is evaluated, which must not change anything */
    bool wants_bound; /* steps evaluate the clause `bound`, too */
    bool has_drawn;   /* the step has made a new drawing */
    bool drew;        /* the step has drawn a random number */
    bool has_new_shape;
    sb_au_hidden *hidden;
    sb_au_change *changes;
    sb_autumn_cell *cells; /* a stack of cells that somebody asked for */
    size_t n_hidden, n_changes, n_cells, hidden_capacity, changes_capacity, cells_capacity;
    sb_au_drawing next; /* the drawing that is being made */
    uint64_t *key_scratch;
    size_t key_scratch_capacity;
    bool has_fault;
    sb_autumn_fault fault;

    /* Keys that change nothing in the state as it is now (step.c). */
    unsigned still;       /* a bit for each key that changes nothing now */
    uint8_t *still_fired; /* by key and handler: whether the handler fires in a step that changes nothing */
    int64_t still_evaluations[SB_AU_KEYS]; /* by key: evaluations that are left after a step that changes nothing */
    sb_autumn_standing still_standing[SB_AU_KEYS]; /* by key: the standing after a step that changes nothing */

    /* What need not be evaluated again (memo.h). */
    uint64_t time, step_began, drawn_at; /* time: changes of globals and drawings so far */
    uint64_t *changed_at;                /* by symbol: the time of the last change */
    sb_au_memo *memos;
    /* by memo: bits for the symbols that it read, and bits for those whose value before the step it read */
    uint64_t *memo_reads;
    /* bits for the symbols that what is evaluated now has read, and for those whose value before the step it read */
    uint64_t *read, *read_prev;
    bool read_event, read_drawing; /* what is evaluated now has read the event, and the drawing */
    bool acted;                    /* what is evaluated now did something that it has to do every time */
    bool is_watched;               /* what is evaluated now will be remembered */
};

/* ---- Memos (memo.h) ---------------------------------------------------------------------------------------------- */

/* How many expressions have memos: the conditions of handlers, then rules. */
static inline size_t sb_au_n_memos(const sb_autumn_program *p) { return p->n_handlers + p->n_rules; }
/* How many words have one bit for each symbol. */
static inline size_t sb_au_memo_words(const sb_autumn_program *p) { return (p->names.n + 63) / 64; }
/* Forgets all memos: after the state has become another one. */
void sb_au_forget(sb_autumn_state *m);
/* Puts a value into a global from outside of a step. */
void sb_au_set_global(sb_autumn_state *state, uint32_t symbol, sb_au_value value);
/* Draws a state that was put together (packed.h); false: a fault was noted. */
bool sb_au_redraw(sb_autumn_state *m);
/* Whether the order of the list in a variable is no part of states. */
bool sb_au_is_unordered(const sb_autumn_program *p, uint32_t symbol);

/* ---- Faults ------------------------------------------------------------------------------------------------------ */

/* Notes a fault without a place, which the expression that failed adds; returns SB_AU_FAILED. */
__attribute__((format(printf, 3, 4))) sb_au_value sb_au_fail(sb_autumn_state *m, sb_autumn_kind kind,
                                                             const char *format, ...);
/* Adds the place of a node if the fault has none. */
sb_au_value sb_au_fail_at(sb_autumn_state *m, uint32_t node);
/* Notes the fault that a step takes too many evaluations; returns false. */
bool sb_au_out_of_evaluations(sb_autumn_state *m);
/* Takes n evaluations from those that are left; false: there were not enough. */
static inline bool sb_au_spend(sb_autumn_state *m, int64_t n) {
    return (m->evaluations -= n) >= 0 || sb_au_out_of_evaluations(m);
}
/* Notes that a clause of a world tries to change something; returns false. */
bool sb_au_refuse_change(sb_autumn_state *m);
static inline bool sb_au_may_change(sb_autumn_state *m) { return !m->judges || sb_au_refuse_change(m); }
/* Whether a text is short enough for a colour's name; false: a fault was noted. */
bool sb_au_is_colour(sb_autumn_state *m, uint32_t string);
/* What a value is, for messages: `a number`. */
const char *sb_au_kind_name(sb_au_value v);

/* ---- The heap ---------------------------------------------------------------------------------------------------- */

static inline sb_au_thing *sb_au_thing_at(const sb_autumn_state *m, uint32_t at) {
    return (sb_au_thing *)(void *)(m->heap.words + at);
}
static inline sb_au_thing *sb_au_thing_of(const sb_autumn_state *m, sb_au_value v) { return sb_au_thing_at(m, v.at); }

/* Makes room for `words` words in all; false: a fault was noted, the limit of memory or no memory. */
bool sb_au_heap_grow(sb_autumn_state *m, size_t words);
/* Makes a thing with n values, which the caller fills in. Returns SB_AU_FAILED at the limit of memory. Pointers to
 * things are only valid until the next thing is made. */
static inline sb_au_value sb_au_new_thing(sb_autumn_state *m, sb_au_kind kind, uint32_t n, uint32_t type) {
    const uint32_t at = m->heap.used;
    const size_t end = (size_t)at + SB_AU_THING_WORDS + n;
    if (end > m->heap.capacity && !sb_au_heap_grow(m, end)) return SB_AU_FAILED;
    m->heap.used = (uint32_t)end;
    *sb_au_thing_at(m, at) = (sb_au_thing){
        .kind = kind, .n = n, .type = type, .id = m->program->asks_identity ? ++m->core.next_id : 0};
    return sb_au_of(kind, at);
}
/* Notes a word's old content before it is changed in place. */
bool sb_au_note_change(sb_autumn_state *m, uint32_t word);
/* Changes a value of a thing in place. */
bool sb_au_set_in_place(sb_autumn_state *m, sb_au_value thing, uint32_t i, sb_au_value value);
/* Takes back all changes of the step. */
void sb_au_heap_restore(sb_autumn_state *m);
/* Moves what is alive to the other half if it is time; false: out of memory, nothing has changed. */
bool sb_au_heap_collect(sb_autumn_state *m);

/* ---- Random draws ------------------------------------------------------------------------------------------------ */

/* Draws a number below `below`; 0 without a draw if that is 0. False: a fault was noted. */
bool sb_au_draw(sb_autumn_state *m, uint32_t below, uint32_t *result);

#endif
