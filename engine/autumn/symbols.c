#include "engine/autumn/symbols.h"

const char *const sb_au_known_names[SB_AU_N_KNOWN] = {
#define VARIABLE(name)               #name,
#define PRIMITIVE(name, least, most) #name,
#define FUNCTION(name, least)        #name,
#include "engine/autumn/library.def"
#undef VARIABLE
#undef PRIMITIVE
#undef FUNCTION
    "SpecialConditionTriggered", "cacheRendered", "click", "origin", "elems", "x", "y", "color", "position", "render",
};

const sb_au_native sb_au_natives[SB_AU_N_LIBRARY] = {
#define VARIABLE(name)               {0},
#define PRIMITIVE(name, least, most) {sb_au_lib_##name, least, most},
#define FUNCTION(name, least)        {sb_au_lib_##name, least, 255},
#include "engine/autumn/library.def"
#undef VARIABLE
#undef PRIMITIVE
#undef FUNCTION
};

const char *const sb_au_world_names[SB_AU_N_WORLD_FUNCTIONS] = {
#define WORLD_FUNCTION(NAME, name, least, most) #name,
#include "engine/autumn/worlds.def"
#undef WORLD_FUNCTION
};

const sb_au_native sb_au_world_natives[SB_AU_N_WORLD_FUNCTIONS] = {
#define WORLD_FUNCTION(NAME, name, least, most) {sb_au_lib_##name, least, most},
#include "engine/autumn/worlds.def"
#undef WORLD_FUNCTION
};
