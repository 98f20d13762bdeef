/* Autumn: programs in a small functional reactive language over coloured grids. A program is read and compiled once; a
 * state is one running episode of it, a value with copy, key and step.
 *
 * The rules are those of the published interpreter. Comments name the sections of the language's description by file
 * and number: language 6 is "Names, scopes, assignment", stdlib 5 "Drawn cells, clicks, borders, free cells". */
#ifndef SB_AUTUMN_H
#define SB_AUTUMN_H

#include "base/out.h"
#include "seedbed.h"

typedef struct sb_autumn_program sb_autumn_program;
typedef struct sb_autumn_state sb_autumn_state;

/* ---- Faults ------------------------------------------------------------------------------------------------------ */

/* Kinds of errors (language 9); the last two are ours. */
typedef enum sb_autumn_kind {
    SB_AUTUMN_PARSE,
    SB_AUTUMN_UNDEFINED,
    SB_AUTUMN_TYPE,
    SB_AUTUMN_ARITY,
    SB_AUTUMN_INDEX,
    SB_AUTUMN_DIVISION,
    SB_AUTUMN_CONDITION,
    SB_AUTUMN_FIELD,
    SB_AUTUMN_RANDOM,
    SB_AUTUMN_LIMIT,  /* the program ran into one of sb_autumn_limits */
    SB_AUTUMN_MEMORY, /* this machine is out of memory */
    SB_AUTUMN_N_KINDS
} sb_autumn_kind;

extern const char *const sb_autumn_kind_names[SB_AUTUMN_N_KINDS];

/* What is wrong with a program, and where. */
typedef struct sb_autumn_fault {
    sb_autumn_kind kind;
    uint32_t line, column; /* from 1; 0: no place */
    uint32_t statement;    /* the number of the statement in the program, from 1; 0: none */
    char text[160];        /* one line */
} sb_autumn_fault;

/* Makes an error of a fault, `FILE:LINE:COLUMN: KIND: TEXT`; returns false. */
bool sb_autumn_fail(const sb_autumn_fault *fault, const char *file, sb_error *error);

/* ---- Programs ---------------------------------------------------------------------------------------------------- */

/* The order of first values, of rules, and of `((allObjs))` (language 7). A program whose frames depend on it is
 * order-sensitive. */
typedef enum sb_autumn_order {
    SB_AUTUMN_TABLE_ORDER, /* the order of the published interpreter */
    SB_AUTUMN_PROGRAM_ORDER,
    SB_AUTUMN_REVERSED_ORDER
} sb_autumn_order;

/* What a step (or the start) may take; 0 means the default. */
typedef struct sb_autumn_limits {
    uint32_t evaluations; /* evaluations of expressions, and items that library functions look at */
    uint32_t values;      /* memory, in units of eight bytes */
    /* expressions within each other, through calls, too; each takes some 100 bytes of the stack */
    uint32_t nesting;
    uint32_t cells; /* how many cells are drawn */
} sb_autumn_limits;

extern const sb_autumn_limits sb_autumn_default_limits;

typedef struct sb_autumn_options {
    sb_autumn_order order;
    /* The triggering condition of change detection, without its outermost parentheses: `== n 2` (language 8). NULL:
     * none. */
    const char *trigger;
    size_t difficulty; /* number of the difficulty, in a world (engine/autumn/world.h) */
    sb_autumn_limits limits;
} sb_autumn_options;

/* Bytes of a name, and of a text in JSON without its quotes. Frames repeat the name of a colour in every cell, so a
 * long one would make observations of gigabytes. */
enum { SB_AUTUMN_NAME_MAX = 64, SB_AUTUMN_STRING_MAX = 64 };
bool sb_autumn_string_fits(const char *text, size_t n);

/* Reads and compiles a program of n bytes. `options` may be NULL. Returns NULL and the fault if the text is not a
 * program. The program is constant: states of several threads may share it. */
sb_autumn_program *sb_autumn_load(const char *text, size_t n, const sb_autumn_options *options, sb_autumn_fault *fault);
void sb_autumn_unload(sb_autumn_program *program);

/* What is suspect in a program that can be loaded: names that are never defined, names that the published library
 * overwrites (language 6), library functions that the program redefines. Returns NULL behind the last. */
const sb_autumn_fault *sb_autumn_warning(const sb_autumn_program *program, size_t index);
/* Whether steps may draw random numbers. Of a world it is known if it draws its start alone; of other programs, the
 * answer is whether anything can draw. */
bool sb_autumn_draws_in_steps(const sb_autumn_program *program);
size_t sb_autumn_n_handlers(const sb_autumn_program *program);
/* The text of a colour or of any other string: colours in drawings and frames are numbers of strings. */
const char *sb_autumn_string(const sb_autumn_program *program, uint32_t string);
uint32_t sb_autumn_n_strings(const sb_autumn_program *program);
/* How many variables there are, with those of the library; they are numbered from 0. */
size_t sb_autumn_n_variables(const sb_autumn_program *program);
const char *sb_autumn_name(const sb_autumn_program *program, uint32_t variable);

/* ---- Random draws ------------------------------------------------------------------------------------------------ */

typedef enum sb_autumn_generator {
    SB_AUTUMN_PUBLISHED, /* stdlib 1: 32 bits; seed 0 gives 0 for ever */
    SB_AUTUMN_PCG64      /* one call of integers(0, m) a draw, for environments of our own */
} sb_autumn_generator;

/* Results of draws that a step takes instead of those of the generator. The caller owns the memory and zeroes the
 * struct at first; sb_autumn_tape_free frees it. */
typedef struct sb_autumn_tape {
    struct sb_autumn_draw {
        uint32_t result, below;
    } * draws;
    size_t n;        /* draws on the tape */
    size_t used;     /* draws that the last step took from it */
    size_t capacity; /* draws that there is memory for */
    bool records;    /* draws beyond the tape are appended to it; otherwise they are only taken from the generator */
    bool zero;       /* draws beyond the tape give 0 and leave the generator alone: one branch of a tree */
    bool goes_on;    /* a step takes what lies behind `used`, and not what lies at the beginning */
    bool mends;      /* results that were drawn below another bound are replaced by draws of the generator */
    bool failed;     /* out of memory, or a result that is not below its bound: the step fails */
} sb_autumn_tape;

/* Turns the tape of a branch (records and zero are set) into that of the next one: increases the last draw that is not
 * at its end and drops what follows. Returns false if there is none left. So this loop visits every outcome of a step
 * exactly once:
 *
 *       sb_autumn_tape tape = {.records = true, .zero = true};
 *       do {
 *           copy the state; step the copy with the tape
 *       } while (sb_autumn_tape_next(&tape)); */
bool sb_autumn_tape_next(sb_autumn_tape *tape);
void sb_autumn_tape_free(sb_autumn_tape *tape);

/* ---- States ------------------------------------------------------------------------------------------------------ */

typedef enum sb_autumn_key {
    SB_AUTUMN_NOOP,
    SB_AUTUMN_LEFT,
    SB_AUTUMN_RIGHT,
    SB_AUTUMN_UP,
    SB_AUTUMN_DOWN,
    SB_AUTUMN_CLICK
} sb_autumn_key;

/* An event; there is at most one a step (language 8). */
typedef struct sb_autumn_event {
    sb_autumn_key key;
    int32_t x, y; /* place of a click, 0 for other keys */
} sb_autumn_event;

/* `noop`, `left`, ... `click`, by sb_autumn_key. */
extern const char *const sb_autumn_key_names[SB_AUTUMN_CLICK + 1];
/* Finds a key other than `click` by the first n characters of a text. */
bool sb_autumn_key_find(const char *text, size_t n, sb_autumn_key *key);
/* Writes `left`, or `click 3 4`. */
void sb_autumn_put_event(sb_out *out, sb_autumn_event event);

/* Whether anything in the program can tell an event with this key from `noop`. Where it cannot, both do the same,
 * whatever the state and the draws. */
bool sb_autumn_reads(const sb_autumn_program *program, sb_autumn_key key);

/* Makes a state that was not started. It keeps a pointer to the program. NULL: out of memory. */
sb_autumn_state *sb_autumn_new(const sb_autumn_program *program);
void sb_autumn_free(sb_autumn_state *state);

/* Starts the program: first values and first frame. Returns false on a fault; the state must then be started again. The
 * tape may be NULL, here and in steps. */
bool sb_autumn_start(sb_autumn_state *state, sb_autumn_generator generator, uint64_t seed, sb_autumn_tape *tape);
/* Takes a step and draws. On a fault it returns false, and the state is the one before the step. Allocates nothing once
 * the memory of the state has grown to what the program needs. */
bool sb_autumn_step(sb_autumn_state *state, sb_autumn_event event, sb_autumn_tape *tape);
/* How many of its evaluations the last start or step took. */
uint32_t sb_autumn_evaluations(const sb_autumn_state *state);
/* The fault of the last start or step that failed. */
const sb_autumn_fault *sb_autumn_fault_of(const sb_autumn_state *state);
const sb_autumn_program *sb_autumn_program_of(const sb_autumn_state *state);

/* Makes `to` (of the same program) equal to `from`; false: out of memory, `to` must not be used but freed or copied to.
 */
bool sb_autumn_copy(sb_autumn_state *to, const sb_autumn_state *from);
/* Writes the bytes of a state, and takes them back into a state of the same program. Bytes are believed: they have to
 * be those that sb_autumn_save wrote in this process, since places in memory are among them as they are. False: there
 * are too few or too many, or memory is out. */
void sb_autumn_save(const sb_autumn_state *state, sb_out *out);
bool sb_autumn_restore(sb_autumn_state *state, const char *bytes, size_t n);
/* Hashes everything that decides frames from now on. Equal keys mean equal futures; identity numbers count only where
 * the program can tell them apart. The generator counts if the program can draw and `generator` is set. Uses scratch
 * memory of the state; false: out of memory. */
bool sb_autumn_hash(const sb_autumn_state *state, bool generator, uint64_t key[2]);
/* Hashes the value of each variable, so that one can see which have changed: sb_autumn_n_variables numbers. Equal
 * numbers mean equal values, apart from identity; 0 is a library function that nobody has redefined. Uses scratch
 * memory of the state; false: out of memory. */
bool sb_autumn_hash_variables(const sb_autumn_state *state, uint64_t *hashes);
/* The 32 bits of the published generator, as in recordings. */
uint32_t sb_autumn_generator_state(const sb_autumn_state *state);
/* Replaces the generator's state by that of a fresh seed. */
void sb_autumn_reseed(sb_autumn_state *state, uint64_t seed);
/* Which handlers fired in the last step: one byte each, 0 or 1. */
const uint8_t *sb_autumn_fired(const sb_autumn_state *state);
/* Whether the triggering condition held before the last step. */
bool sb_autumn_triggered(const sb_autumn_state *state);
/* Sets what `SpecialConditionTriggered` is from now on, in a program without a triggering condition: the switch of a
 * program that holds two versions of a rule. The frame stays as it was drawn. */
void sb_autumn_switch(sb_autumn_state *state, bool on);

/* FRAME_RATE, the frames a second when a person plays, as the program has it now; 8 if that is no number. */
int32_t sb_autumn_frame_rate(const sb_autumn_state *state);

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

/* A drawn cell, on the grid or not. */
typedef struct sb_autumn_cell {
    int32_t x, y;
    uint32_t colour; /* a string, as the program writes it */
} sb_autumn_cell;

/* The cells of a variable in the last drawing. */
typedef struct sb_autumn_layer {
    uint32_t variable, first, n; /* the variable's cells are first .. first + n - 1 */
} sb_autumn_layer;

size_t sb_autumn_n_layers(const sb_autumn_state *state);
/* The variables that have cells, in drawing order. */
const sb_autumn_layer *sb_autumn_layers(const sb_autumn_state *state);
size_t sb_autumn_n_cells(const sb_autumn_state *state);
const sb_autumn_cell *sb_autumn_cells(const sb_autumn_state *state);

/* Width and height of the last drawing, 0..SB_AUTUMN_SIZE_MAX. */
uint32_t sb_autumn_size(const sb_autumn_state *state);
enum { SB_AUTUMN_SIZE_MAX = 256 };
/* Writes size*size strings, row by row: colours in lower case, the background as it is. */
void sb_autumn_frame(const sb_autumn_state *state, uint32_t *colours);
/* Writes row y of the frame, `size` strings. */
void sb_autumn_row(const sb_autumn_state *state, uint32_t y, uint32_t *colours);
/* Lists the colours of the frame: the background first, then in order of first appearance. Returns how many there are,
 * but looks for no more than `capacity`. Cost: cells of the grid times colours. */
size_t sb_autumn_palette(const sb_autumn_state *state, uint32_t *colours, size_t capacity);
/* Tells the background of the last drawing. */
uint32_t sb_autumn_background(const sb_autumn_state *state);

/* The text frame: `[["black", "red"], ["black", "black"]]`. */
void sb_autumn_put_frame(const sb_autumn_state *state, sb_out *out);
/* The compact frame: the palette on a line, `. black, 1 red`, with the background first and then in order of first
 * appearance, and a line of signs for each row. Only 62 colours have a sign; all others are `?`. */
void sb_autumn_put_compact(const sb_autumn_state *state, sb_out *out);
/* The cells as JSON: `{"ball": [{"position": {"x": 1, "y": 2}, "color": "red"}], "GRID_SIZE": 16}`. */
void sb_autumn_put_cells(const sb_autumn_state *state, sb_out *out);

#endif
