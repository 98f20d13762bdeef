/* The library's names as symbols, and its functions. Symbols of a program follow those of the library. */
#ifndef SB_AUTUMN_SYMBOLS_H
#define SB_AUTUMN_SYMBOLS_H

#include "engine/autumn/value.h"

typedef enum sb_au_symbol {
#define VARIABLE(name)               SB_AU_##name,
#define PRIMITIVE(name, least, most) SB_AU_##name,
#define FUNCTION(name, least)        SB_AU_##name,
#include "engine/autumn/library.def"
#undef VARIABLE
#undef PRIMITIVE
#undef FUNCTION
    SB_AU_N_LIBRARY,
    SB_AU_SpecialConditionTriggered = SB_AU_N_LIBRARY,
    SB_AU_cacheRendered, /* what the published interpreter keeps of the last drawing; only its place in tables shows */
    SB_AU_click,
    /* fields of built-in types */
    SB_AU_origin,
    SB_AU_elems,
    SB_AU_x,
    SB_AU_y,
    SB_AU_color,
    SB_AU_position,
    SB_AU_render,
    SB_AU_N_KNOWN,
    /* functions that only worlds have; elsewhere these numbers are those of other names */
    SB_AU_BEFORE_WORLDS = SB_AU_N_KNOWN - 1,
#define WORLD_FUNCTION(NAME, name, least, most) SB_AU_##NAME,
#include "engine/autumn/worlds.def"
#undef WORLD_FUNCTION
    SB_AU_BEHIND_WORLDS
} sb_au_symbol;

enum { SB_AU_N_WORLD_FUNCTIONS = SB_AU_BEHIND_WORLDS - SB_AU_N_KNOWN };

extern const char *const sb_au_known_names[SB_AU_N_KNOWN];

typedef sb_au_value sb_au_function(sb_autumn_state *m, const sb_au_value *arguments, uint32_t n);

#define VARIABLE(name)
#define PRIMITIVE(name, least, most) sb_au_function sb_au_lib_##name;
#define FUNCTION(name, least)        sb_au_function sb_au_lib_##name;
#include "engine/autumn/library.def"
#undef VARIABLE
#undef PRIMITIVE
#undef FUNCTION
#define WORLD_FUNCTION(NAME, name, least, most) sb_au_function sb_au_lib_##name;
#include "engine/autumn/worlds.def"
#undef WORLD_FUNCTION

typedef struct sb_au_native {
    sb_au_function *call; /* NULL: a variable */
    uint8_t least, most;  /* numbers of arguments; most: 255 if surplus ones are ignored */
} sb_au_native;

extern const sb_au_native sb_au_natives[SB_AU_N_LIBRARY];
/* The functions that only worlds have, by symbol less SB_AU_N_KNOWN. */
extern const sb_au_native sb_au_world_natives[SB_AU_N_WORLD_FUNCTIONS];
extern const char *const sb_au_world_names[SB_AU_N_WORLD_FUNCTIONS];

#endif
