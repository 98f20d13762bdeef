#include "generators/autumn/colours.h"

#include <string.h>
#include <strings.h>

typedef struct colour {
    const char *name;
    uint32_t rgb;
    uint8_t number;
} colour;

enum { WITHOUT_A_NUMBER = 255 };

#define SB_COLOUR(its_number, its_name, its_rgb) {.name = its_name, .rgb = its_rgb, .number = its_number},
static const colour colours[SB_N_COLOURS] = {
    [SB_NO_COLOUR] = {0},
#include "generators/autumn/colours.def"
    [SB_OTHER_COLOUR] = {.number = WITHOUT_A_NUMBER},
};
#undef SB_COLOUR

uint8_t sb_colour_find(const char *name, bool any_case) {
    for (int i = SB_NO_COLOUR + 1; i < SB_OTHER_COLOUR; i++)
        if ((any_case ? strcasecmp : strcmp)(colours[i].name, name) == 0) return (uint8_t)i;
    return SB_OTHER_COLOUR;
}

uint8_t sb_colour_number(uint8_t colour) { return colours[colour].number; }
const char *sb_colour_name(uint8_t colour) { return colours[colour].name; }
uint32_t sb_colour_rgb(uint8_t colour) { return colours[colour].rgb; }
