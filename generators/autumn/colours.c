#include "generators/autumn/colours.h"

#include <limits.h>
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

/* ---- Shades ------------------------------------------------------------------------------------------------------ */

static int part_of(uint32_t rgb, int part) { return (int)(rgb >> 8 * part & 255); }

static uint8_t nearest(const int parts[3]) {
    int best = INT_MAX;
    uint8_t found = SB_OTHER_COLOUR;
    for (int i = SB_NO_COLOUR + 1; i < SB_OTHER_COLOUR; i++) {
        int distance = 0;
        for (int k = 0; k < 3; k++) {
            const int d = part_of(colours[i].rgb, k) - parts[k];
            distance += d * d;
        }
        if (distance < best) best = distance, found = (uint8_t)i;
    }
    return found;
}

/* Two fifths of the way to white, or to black. */
uint8_t sb_colour_shade(uint8_t colour, bool lighter) {
    int parts[3];
    for (int k = 0; k < 3; k++) parts[k] = (part_of(sb_colour_rgb(colour), k) * 3 + (lighter ? 255 * 2 : 0)) / 5;
    return nearest(parts);
}
