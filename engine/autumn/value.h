/* Values (language 4). A value is eight bytes: its kind, and a number or the place of a thing in the state's heap. So a
 * state can be copied as bytes. Things are lists, instances, and what a cell remembers. */
#ifndef SB_AUTUMN_VALUE_H
#define SB_AUTUMN_VALUE_H

#include "engine/autumn/autumn.h"

typedef enum sb_au_kind {
    SB_AU_NOTHING, /* an undefined variable; as a result: an error was noted */
    SB_AU_BOOL,
    SB_AU_NUMBER,
    SB_AU_STRING, /* number of the string in the program */
    SB_AU_NATIVE, /* a library function: its symbol */
    SB_AU_LAMBDA, /* number of the function in the program */
    SB_AU_RENDER, /* the function `(.. o render)`: place of o */
    SB_AU_PART,   /* a kept expression of a cell: number of the node in the program, and `turns` */
    SB_AU_LIST,   /* a list; its place in the heap, as for all kinds below */
    SB_AU_POSITION,
    SB_AU_CELL,
    SB_AU_ELEM,
    SB_AU_OBJECT,
    SB_AU_MEMORY, /* values that a cell remembers, by name of its site */
    SB_AU_MOVED   /* only while things are collected: `id` is the new place */
} sb_au_kind;

typedef struct sb_au_value {
    uint8_t kind;
    uint8_t zero;
    uint16_t turns; /* how often `rotate` negated a kept expression; 0 for all other kinds */
    union {
        int32_t number;
        uint32_t at;
    };
} sb_au_value;

static const sb_au_value SB_AU_FAILED = {0};

static inline sb_au_value sb_au_number(int32_t n) { return (sb_au_value){.kind = SB_AU_NUMBER, .number = n}; }
static inline sb_au_value sb_au_bool(bool b) { return (sb_au_value){.kind = SB_AU_BOOL, .number = b}; }
static inline sb_au_value sb_au_of(sb_au_kind kind, uint32_t at) {
    return (sb_au_value){.kind = (uint8_t)kind, .at = at};
}
static inline bool sb_au_failed(sb_au_value v) { return v.kind == SB_AU_NOTHING; }
static inline bool sb_au_is_thing(sb_au_value v) { return v.kind >= SB_AU_LIST; }
static inline bool sb_au_is_function(sb_au_value v) { return v.kind >= SB_AU_NATIVE && v.kind <= SB_AU_RENDER; }

/* Numbers wrap around (language 1). */
static inline int32_t sb_au_plus(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
static inline int32_t sb_au_minus(int32_t a, int32_t b) { return (int32_t)((uint32_t)a - (uint32_t)b); }
static inline int32_t sb_au_times(int32_t a, int32_t b) { return (int32_t)((uint32_t)a * (uint32_t)b); }

/* A thing in the heap. `v` holds the items of a list; x and y of a position; x, y, colour and memory of a cell;
 * position and colour of a drawn element; the fields of an object, with origin and elems at the end. */
typedef struct sb_au_thing {
    uint32_t kind;
    uint32_t n;    /* values in v */
    uint32_t id;   /* identity (language 4); 0 in programs that cannot ask for it */
    uint32_t type; /* list: sb_au_type of the items; object: number of its type; memory: number of the site */
    sb_au_value v[];
} sb_au_thing;

enum { SB_AU_THING_WORDS = sizeof(sb_au_thing) / 8 };
enum { SB_AU_CELL_X, SB_AU_CELL_Y, SB_AU_CELL_COLOUR, SB_AU_CELL_MEMORY };

/* Types by name: a base, and how many lists stand around it. */
typedef uint32_t sb_au_type;
enum {
    SB_AU_T_UNKNOWN, /* the type of the items of an empty list */
    SB_AU_T_BOOL,
    SB_AU_T_NUMBER,
    SB_AU_T_STRING,
    SB_AU_T_FUNCTION,
    SB_AU_T_PART,
    SB_AU_T_POSITION,
    SB_AU_T_CELL,
    SB_AU_T_ELEM,
    SB_AU_T_NONE,   /* the type of the items of a list without a list type (language 4) */
    SB_AU_T_OBJECT, /* this plus a symbol is the object type of that name */
    SB_AU_T_LIST = 1 << 24
};

static inline bool sb_au_is_list_type(sb_au_type t) { return t >= SB_AU_T_LIST; }
static inline sb_au_type sb_au_list_of(sb_au_type items) { return items < 0xff000000u ? items + SB_AU_T_LIST : items; }

#endif
